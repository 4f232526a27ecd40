//! Pictures of randomly played games. The tests check that pictures show all places and pieces that
//! offers name, and that nothing covers a name. This command also writes some of the pictures to a
//! folder, in all themes:
//!
//!     PICTURES=/tmp/p cargo nextest run --workspace -E 'test(pictures_name_what_offers_name)'

mod drawn;
mod played;

use std::collections::HashSet;
use std::path::Path;

use drawn::Drawn;
use heliopause_games::games;
use heliopause_kernel::offer::{Kind, Offers, ValueId};
use heliopause_kernel::{Edition, Seat, Viewer};
use heliopause_render::Renderer;
use heliopause_render::scene::{Scene, SceneRow};
use heliopause_render::svg::{Layer, Look, Theme};
use played::Played;

/// The number of decisions per player between two checks.
const DECISIONS_BETWEEN_CHECKS: usize = 12;
const CHECKS: usize = 5;

/// Returns whether maps show this name. Maps do not show keywords and numbers.
fn is_on_maps(name: &str) -> bool {
    let is_selection = name.starts_with('@') || ["ALL", "ASC", "DESC"].contains(&name);
    let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
    !is_selection && !is_number && !["stay", "loose"].contains(&name) && !name.starts_with("to ")
}

fn named<O>(offers: &Offers<O>) -> (Vec<&str>, Vec<&str>) {
    let (mut places, mut pieces): (Vec<ValueId>, Vec<ValueId>) = (Vec::new(), Vec::new());
    for offer in &offers.list {
        places.extend(&offer.places);
        pieces.extend(&offer.pieces);
        for slot in &offer.slots {
            match &slot.kind {
                Kind::Places(picks) => places.extend(offers.list(picks.list)),
                Kind::Pieces(picks) => pieces.extend(offers.list(picks.list)),
                Kind::Words(_) | Kind::Number(_) | Kind::Shares(_) | Kind::Free(_) => {}
            }
        }
    }
    let texts = |mut ids: Vec<ValueId>| -> Vec<&str> {
        ids.sort_unstable();
        ids.dedup();
        let values = ids.into_iter().filter_map(|id| offers.value(id));
        values.map(|value| value.text.as_str()).filter(|text| is_on_maps(text)).collect()
    };
    (texts(places), texts(pieces))
}

fn missing<G: Renderer>(game: &Played<G>, seat: Seat) -> Vec<String> {
    let offers = game.game.offers(seat);
    let drawn = Drawn::read(&game.drawing(Viewer::Seat(seat)).svg(&Look::default()));
    let (places, pieces) = named(&offers);
    // Sheets can also name sectors beyond the map.
    let is_beyond = |name: &str| offers.sheet && name.starts_with('(');
    let is_place = |name: &&str| drawn.places.contains(*name) || is_beyond(name);
    let no_place = places.into_iter().filter(|name| !is_place(name));
    let is_piece = |name: &&str| drawn.pieces.contains(*name) || drawn.places.contains(*name);
    let no_piece = pieces.into_iter().filter(|name| !is_piece(name));
    no_place.chain(no_piece).map(|name| format!("no {name} for {seat}")).collect()
}

fn covered(viewer: Viewer, svg: &str) -> Vec<String> {
    let drawn = Drawn::read(svg);
    let pairs =
        drawn.labels.iter().flat_map(|label| drawn.badges.iter().map(move |it| (label, it)));
    let covered = pairs.filter(|((_, area), badge)| area.meets(badge));
    covered
        .map(|((label, area), badge)| format!("{viewer:?}: {label} at {area:?} under {badge:?}"))
        .collect()
}

/// Returns whether the picture is complete, with escaped names.
fn is_well_formed(svg: &str) -> bool {
    let complete = svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>");
    complete && svg.matches("<text").count() == svg.matches("</text>").count()
}

/// Returns the rows of panels that name a place or piece that the scene does not have.
fn unlinked(scene: &Scene) -> Vec<String> {
    let areas = scene.areas.iter().map(|area| &area.name);
    let places: HashSet<&String> = areas.chain(scene.places.iter().map(|it| &it.name)).collect();
    let members = scene.pieces.iter().flat_map(|piece| &piece.members).map(|it| &it.name);
    let pieces: HashSet<&String> =
        members.chain(scene.pieces.iter().map(|piece| &piece.name)).collect();
    let rows = scene.panels.iter().flat_map(|panel| &panel.rows);
    let is_unlinked = |row: &&SceneRow| {
        let has_places = row.places.iter().all(|place| places.contains(place));
        !has_places || !row.pieces.iter().all(|piece| pieces.contains(piece))
    };
    rows.filter(is_unlinked).map(|row| format!("the scene lacks something of {row:?}")).collect()
}

fn keep(name: &str, draw: impl Fn(&Look) -> String) {
    let Some(folder) = std::env::var_os("PICTURES") else { return };
    for theme in Theme::ALL {
        let file = Path::new(&folder).join(format!("{name}-{theme}.svg"));
        std::fs::write(file, draw(&Look { theme, hidden: Vec::new() })).expect("it can be written");
    }
}

fn check_game<G: Renderer>(edition: &Edition<G::Options>) -> Vec<String> {
    let mut faults = Vec::new();
    let kind = edition.id;
    let mut game = Played::<G>::begin(edition);
    for look in 0..=CHECKS {
        for decision in game.game.pending() {
            faults.extend(missing(&game, decision.seat));
        }
        let viewers = [Viewer::Seat(Seat::at(0)), Viewer::Spectator, Viewer::GameMaster];
        for viewer in viewers {
            let drawing = game.drawing(viewer);
            let svg = drawing.svg(&Look::default());
            assert!(is_well_formed(&svg), "{kind}: {svg}");
            faults.extend(covered(viewer, &svg));
            faults.extend(unlinked(&drawing.scene()));
            keep(&format!("{kind}-{look}-{viewer:?}"), |look| drawing.svg(look));
        }
        if look + 1 == CHECKS {
            game.finish();
        } else {
            game.play(DECISIONS_BETWEEN_CHECKS);
        }
    }
    faults.into_iter().map(|fault| format!("{kind}: {fault}")).collect()
}

macro_rules! pictures {
    ($($arm:ident: $game:ty;)+) => {
        #[test]
        fn pictures_name_what_offers_name_and_cover_no_name() {
            fn of<G: Renderer>() -> Vec<String> {
                G::editions().iter().flat_map(check_game::<G>).collect()
            }
            let faults = [$(of::<$game>()),+].concat();
            assert!(faults.is_empty(), "{}", faults.join("\n"));
        }

        #[test]
        fn layers_are_hidden_and_themes_differ() {
            fn of<G: Renderer>() {
                for edition in G::editions() {
                    let game = Played::<G>::begin(&edition);
                    let drawing = game.drawing(Viewer::Seat(Seat::at(0)));
                    let whole = drawing.svg(&Look::default());
                    for layer in drawing.picture(Theme::Dark).layers() {
                        let look = Look { hidden: vec![layer], ..Look::default() };
                        let rest = drawing.svg(&look);
                        let tag = format!("data-layer=\"{layer}\"");
                        assert!(whole.contains(&tag) && !rest.contains(&tag), "{layer}");
                    }
                    let hidden = vec![Layer::Ground];
                    let light = drawing.svg(&Look { theme: Theme::Light, hidden });
                    assert!(!light.contains("<script") && light != whole);
                }
            }
            $(of::<$game>();)+
        }
    };
}
games!(pictures);
