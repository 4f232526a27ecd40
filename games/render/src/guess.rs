//! Guesses in branches of games: what the branched view did not show, and its marks on the board.

use std::collections::{BTreeSet, HashMap};

use heliopause_proto::v1::{AnalysisGuesses, AnalysisOrigin, Game};

use crate::Drawing;
use crate::document::Document;
use crate::scene::{Scene, ScenePiece, ScenePlace, SceneSign, has, scene_sign};

const GUESS: &str = "guess";

/// The greatest number of known pieces that a game stores. Larger boards are rare.
const KNOWN_MAX: usize = 4_096;

/// Compares the board that a view shows with all of a board that was drawn at random from the view.
/// Returns what is a guess, or `None` if nothing is. `own` is the seat of the view.
pub fn guesses(shown: &Scene, all: &Scene, own: Option<u32>) -> Option<AnalysisGuesses> {
    let known = shown.pieces.iter().filter(|piece| is_complete(piece)).map(key);
    let known: BTreeSet<String> = known.collect();
    let is_drawn = |piece: &&ScenePiece| is_foreign(piece, own) && !known.contains(&key(piece));
    let drawn = all.pieces.iter().any(|piece| is_drawn(&piece));
    let names: HashMap<&str, &ScenePlace> =
        shown.places.iter().map(|place| (place.name.as_str(), place)).collect();
    let places: BTreeSet<&str> = all
        .places
        .iter()
        .filter(|place| names.get(place.name.as_str()).is_none_or(|shown| !tells(shown, place)))
        .map(|place| place.name.as_str())
        .collect();
    (drawn || !places.is_empty()).then(|| AnalysisGuesses {
        known_pieces: known.into_iter().take(KNOWN_MAX).collect(),
        places: places.into_iter().map(str::to_owned).collect(),
    })
}

/// Returns whether a shown place tells all about the same place of the whole board.
fn tells(shown: &ScenePlace, whole: &ScenePlace) -> bool {
    let facts = |place: &ScenePlace| (place.kind.clone(), place.owner, place.value);
    is_explored(shown) && facts(shown) == facts(whole)
}

fn is_explored(place: &ScenePlace) -> bool {
    match place.kind.as_str() {
        "unknown" => false,
        "star" => has(&place.states, "explored"),
        _ => true,
    }
}

fn is_foreign(piece: &ScenePiece, own: Option<u32>) -> bool {
    own.is_none() || piece.owner != own
}

/// Returns whether the viewer sees a piece now, and its size.
fn is_complete(piece: &ScenePiece) -> bool {
    piece.age == 0 && piece.count > 0 && piece.label != "?"
}

fn key(ScenePiece { kind, owner, name, place, .. }: &ScenePiece) -> String {
    let owner = owner.unwrap_or(0);
    let (mark, name) = if name.is_empty() { ("@", place) } else { ("", name) };
    format!("{kind} {owner} {mark}{name}")
}

/// Marks the guesses on the board of a game, and adds the mark to the legend.
pub(crate) fn mark(scene: &mut Scene, game: &Game) {
    let Some(AnalysisOrigin { seat, guesses: Some(guesses), .. }) = &game.analysis else { return };
    let known: BTreeSet<&str> = guesses.known_pieces.iter().map(String::as_str).collect();
    let drawn: BTreeSet<&str> = guesses.places.iter().map(String::as_str).collect();
    let mut sample = None;
    for piece in &mut scene.pieces {
        if is_foreign(piece, *seat) && !known.contains(key(piece).as_str()) {
            add_mark(&mut piece.states, &mut piece.title);
            sample.get_or_insert_with(|| piece.clone());
        }
    }
    for place in &mut scene.places {
        if is_explored(place) && drawn.contains(place.name.as_str()) {
            add_mark(&mut place.states, &mut place.title);
        }
    }
    let meaning = "a guess: your seat did not see this when you made the branch".to_owned();
    scene.legend.extend(sample.map(|piece| {
        let piece = ScenePiece { x: 0.0, y: 0.0, ..piece };
        SceneSign { meaning, sample: Some(scene_sign::Sample::Piece(piece)) }
    }));
}

fn add_mark(states: &mut Vec<String>, title: &mut String) {
    states.push(GUESS.to_owned());
    title.push_str(" (a guess)");
}

/// Returns a drawing that marks guesses, if the game has any.
pub(crate) fn marked(drawing: Box<dyn Drawing>, game: &Game) -> Box<dyn Drawing> {
    if game.analysis.as_ref().is_none_or(|origin| origin.guesses.is_none()) {
        return drawing;
    }
    let game = Game { analysis: game.analysis.clone(), ..Game::default() };
    Box::new(Marked { drawing, game })
}

/// A drawing of a board with marked guesses.
struct Marked {
    drawing: Box<dyn Drawing>,
    /// The game, with only the fields that [`mark`] reads.
    game: Game,
}

impl Drawing for Marked {
    fn scene(&self) -> Scene {
        let mut scene = self.drawing.scene();
        mark(&mut scene, &self.game);
        scene
    }

    fn area(&self, name: &str) -> Option<(String, u32)> {
        self.drawing.area(name)
    }

    fn report(&self) -> Document {
        self.drawing.report()
    }

    fn bulletin(&self) -> Option<Document> {
        self.drawing.bulletin()
    }

    fn redraw_key(&self) -> Option<String> {
        self.drawing.redraw_key()
    }
}

#[cfg(test)]
mod tests {
    use heliopause_kernel::Seat;

    use super::*;
    use crate::scene::{piece_at, place_at};

    fn ships(owner: u32, name: &str, place: &str) -> ScenePiece {
        ScenePiece {
            name: name.to_owned(),
            place: place.to_owned(),
            ..piece_at("ships", Seat::numbered(owner), (1.0, 2.0))
        }
    }

    fn planet(name: &str, kind: &str) -> ScenePlace {
        place_at(name, kind, (0.0, 0.0))
    }

    fn board(pieces: Vec<ScenePiece>, places: Vec<ScenePlace>) -> Scene {
        Scene { pieces, places, ..Scene::default() }
    }

    /// Returns the names and places of what a scene of a branch marks.
    fn marks(of: &Scene, guesses: AnalysisGuesses) -> Vec<String> {
        let origin = AnalysisOrigin { seat: Some(1), guesses: Some(guesses), ..Default::default() };
        let game = Game { analysis: Some(origin), ..Game::default() };
        let mut scene = of.clone();
        mark(&mut scene, &game);
        let pieces = scene.pieces.iter().filter(|piece| has(&piece.states, GUESS));
        let places = scene.places.iter().filter(|place| has(&place.states, GUESS));
        let pieces = pieces.map(|piece| format!("{}@{}", piece.name, piece.place));
        pieces.chain(places.map(|place| place.name.clone())).collect()
    }

    #[test]
    fn a_board_without_hidden_parts_has_no_guesses() {
        let shown = board(vec![ships(1, "", "a"), ships(2, "B", "b")], vec![planet("a", "earth")]);
        assert_eq!(guesses(&shown, &shown, Some(1)), None);
    }

    #[test]
    fn what_the_view_does_not_show_is_a_guess() {
        let vague = ScenePiece { label: "?".to_owned(), count: 0, ..ships(2, "", "d") };
        let shown = board(
            vec![ships(1, "", "a"), ships(2, "Known", "b"), ships(2, "", "c"), vague],
            vec![planet("a", "earth"), planet("b", "unknown"), planet("s", "star")],
        );
        let all = board(
            vec![
                ships(1, "", "z"),
                ships(2, "Known", "b"),
                ships(2, "", "c"),
                ships(2, "", "d"),
                ships(3, "Hidden", "e"),
            ],
            vec![
                planet("a", "earth"),
                planet("b", "dead"),
                ScenePlace { states: vec!["explored".to_owned()], ..planet("s", "star") },
            ],
        );
        let found = guesses(&shown, &all, Some(1)).expect("there are guesses");
        assert_eq!(found.known_pieces, ["ships 1 @a", "ships 2 @c", "ships 2 Known"]);
        assert_eq!(found.places, ["b", "s"]);
        assert_eq!(marks(&all, found.clone()), ["@d", "Hidden@e", "b", "s"]);
        // A view of the branch that shows nothing of a place has no mark there.
        assert_eq!(marks(&shown, found), ["@d"]);
    }

    #[test]
    fn a_mark_is_in_titles_text_pictures_and_the_legend() {
        let shown = board(vec![ships(1, "", "a")], Vec::new());
        let all = board(vec![ships(1, "", "a"), ships(2, "", "b")], Vec::new());
        let found = guesses(&shown, &all, Some(1));
        let origin = AnalysisOrigin { seat: Some(1), guesses: found, ..Default::default() };
        let game = Game { analysis: Some(origin), ..Game::default() };
        let mut scene = all;
        mark(&mut scene, &game);
        assert_eq!(scene.pieces[0].title, "");
        assert_eq!(scene.pieces[1].title, " (a guess)");
        assert_eq!(scene.legend.len(), 1);
    }
}
