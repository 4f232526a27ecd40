//! Recorded playthroughs: a text file for each kind of game with the views, offers, orders and
//! events of each step. The files show how a change to a game affects play. This command records
//! them again:
//!
//!     WRITE_PLAYTHROUGHS=1 cargo nextest run --workspace -E 'test(playthroughs_are_as_recorded)'
//!
//! Dice and choices are derived from a fixed seed. After the first step, views and lists of offers
//! are shown as additions (`+`) and removals (`-`).

#[path = "pictures/played.rs"]
#[allow(dead_code, reason = "the tests of pictures use the rest")]
mod played;

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use heliopause_games::games;
use heliopause_kernel::offer::{Kind, ListId, Offers, Slot};
use heliopause_kernel::{Actor, Audience, CloseCause, Edition, Emitted, Seat, Viewer};
use heliopause_proto::v1::{Game, GameView};
use heliopause_render::board::Board;
use heliopause_render::style::Style;
use heliopause_render::{Drawing, Renderer, text};
use played::Played;

/// The maximum number of recorded steps. A whole game can take thousands.
const STEPS_MAX: usize = 60;
/// The size in bytes after which no further step starts.
const PAGE_MAX: usize = 140_000;
const LINES_MAX: usize = 10;

/// The maximum length of words that a narrow column must not break.
const LONG: usize = 20;

const WIDTHS: [usize; 4] = [60, 80, 100, 140];

/// Returns the widths at which to check the nth drawing: all in `./test --all`, otherwise one.
fn widths(nth: usize) -> &'static [usize] {
    let chosen = (nth + nth / WIDTHS.len()) % WIDTHS.len();
    let all = std::env::var_os("HELIOPAUSE_TEST_ALL").is_some();
    if all { &WIDTHS } else { &WIDTHS[chosen..=chosen] }
}

/// Checks that no line is wider than the terminal, and that only long words are broken.
fn fits(drawing: &dyn Drawing, widths: &[usize]) {
    let read = |text: &str| -> HashSet<String> {
        text.split_whitespace().map(|word| word.trim_matches('-').to_lowercase()).collect()
    };
    let documents = std::iter::once(drawing.report()).chain(drawing.bulletin());
    let documents: Vec<_> =
        documents.map(|it| (read(&it.text(&Style { width: 1_000, ..Style::PLAIN })), it)).collect();
    for &width in widths {
        let styles = [false, true].map(|linear| Style { width, linear, ..Style::PLAIN });
        let maps = styles.iter().map(|style| drawing.written(style));
        let told: Vec<String> = documents.iter().map(|(_, it)| it.text(&styles[0])).collect();
        for (text, (whole, _)) in told.iter().zip(&documents) {
            let is_of_long = |piece: &&String| {
                whole.iter().any(|word| word.len() > LONG && word.contains(piece.as_str()))
            };
            let broken: Vec<String> =
                read(text).difference(whole).filter(|piece| !is_of_long(piece)).cloned().collect();
            assert!(broken.is_empty(), "broken at {width} columns: {broken:?}\n{text}");
        }
        for rows in [12, 18, 24, 40] {
            let text = drawing.text(&Style { width, rows: Some(rows), ..styles[0] });
            assert!(text.lines().count() <= rows, "more than {rows} lines at {width}:\n{text}");
        }
        let rich = Style { unicode: true, color: true, ..styles[0] };
        for text in maps.chain([drawing.written(&rich)]).chain(told) {
            let wide = text.lines().find(|line| text::width(line) > width);
            assert_eq!(wide, None, "wider than {width} columns:\n{text}");
        }
    }
}

/// Checks that the scene and the offers name only places of the board.
fn names_places_of<O>(board: &Board, drawing: &dyn Drawing, offers: &Offers<O>) {
    let places: HashSet<&str> = board.places.iter().map(|place| place.name.as_str()).collect();
    assert_eq!(places.len(), board.places.len(), "names are unique");
    assert!(board.movers.iter().all(|mover| mover.steps.len() == board.places.len()));
    if places.is_empty() {
        return;
    }
    let scene = drawing.scene();
    let areas = scene.areas.iter().filter(|area| area.terrain != "barred");
    let within = scene.places.iter().map(|place| {
        let is_place = places.contains(place.name.as_str()) || place.area.is_empty();
        if is_place { &place.name } else { &place.area }
    });
    let pieces = scene.pieces.iter().map(|piece| &piece.place);
    for name in areas.map(|area| &area.name).chain(within).chain(pieces) {
        assert!(places.contains(name.as_str()), "the scene names {name:?}");
    }
    for offer in &offers.list {
        let choices = offer.slots.iter().filter_map(|slot| match &slot.kind {
            Kind::Places(picks) => Some(offers.list(picks.list)),
            _ => None,
        });
        for id in choices.flatten().chain(&offer.places) {
            let name = offers.value(*id).expect("a value of the offers").text.as_str();
            assert!(places.contains(name), "{} names {name:?}", offer.notation);
        }
    }
}

struct Record<G: Renderer> {
    played: Played<G>,
    page: String,
    shown: BTreeMap<String, String>,
    maps: usize,
}

impl<G: Renderer> Record<G> {
    fn begin(edition: &Edition<G::Options>) -> Self {
        let mut played = Played::begin(edition);
        (played.lines_max, played.repeats_headings) = (LINES_MAX, false);
        let told = std::mem::take(&mut played.told);
        let page = format!("# {}, {} seats\n", edition.name, played.around.seats.len());
        let mut record = Self { played, page, shown: BTreeMap::new(), maps: 0 };
        for told in &told {
            record.tell(told);
        }
        record
    }

    fn line(&mut self, text: impl std::fmt::Display) {
        writeln!(self.page, "{text}").expect("text grows");
    }

    fn name(&self, seat: Seat) -> String {
        let seats = &self.played.around.seats;
        seats.get(seat.index()).map_or_else(|| seat.to_string(), |seat| seat.role.clone())
    }

    fn tell(&mut self, told: &Emitted<G::Event>) {
        for one in told {
            let name = |seat| self.name(seat);
            let (text, rule) = G::describe(&one.event, &name);
            let whom = whom(one.audience, self.played.around.seats.len(), &name);
            let text = if text.is_empty() { "(no words)" } else { text.as_str() };
            let rule = if rule.is_empty() { String::new() } else { format!(" (rule {rule})") };
            self.line(format_args!("! {whom}: {text}{rule}"));
        }
    }

    /// Records text, or its changes since the last text under this heading.
    fn show(&mut self, heading: &str, text: String) {
        self.line(format_args!("\n{heading}"));
        match self.shown.get(heading).cloned() {
            None => text.lines().for_each(|line| self.line(format_args!("  {line}"))),
            Some(before) => {
                let (old, new): (HashSet<&str>, HashSet<&str>) =
                    (before.lines().collect(), text.lines().collect());
                let gone = before
                    .lines()
                    .filter(|line| !new.contains(line))
                    .map(|line| format!("- {line}"));
                let came =
                    text.lines().filter(|line| !old.contains(line)).map(|line| format!("+ {line}"));
                gone.chain(came).for_each(|line| self.line(line));
            }
        }
        self.shown.insert(heading.to_owned(), text);
    }

    fn view(&self, seat: Seat) -> GameView {
        G::seal_view(G::write_view(&self.played.game.view(Viewer::Seat(seat))))
    }

    fn map(&mut self, seat: Seat) -> String {
        let game = Game { seats: self.played.around.seats.clone(), ..Game::default() };
        let view = self.view(seat);
        let drawing = heliopause_render::drawing(&view, &game).expect("a sound view can be drawn");
        fits(&*drawing, widths(self.maps));
        self.maps += 1;
        let board = heliopause_render::visible_board(&view).expect("a sound view has a board");
        names_places_of(&board, &*drawing, &self.played.game.offers(seat));
        drawing.text(&Style { width: 100, ..Style::PLAIN })
    }

    /// Returns the places of pieces by name, in the game whose orders move pieces at once by a
    /// step.
    fn named_pieces(&self, seat: Seat) -> BTreeMap<String, String> {
        if G::ID != "starships-at-large" {
            return BTreeMap::new();
        }
        let view = self.view(seat);
        let drawing = heliopause_render::drawing(&view, &Game::default()).expect("a sound view");
        let pieces = drawing.scene().pieces.into_iter().filter(|piece| !piece.name.is_empty());
        pieces.map(|piece| (piece.name, piece.place)).collect()
    }

    /// Checks that the pieces of `before` have moved only by steps of the board.
    fn moved_by_a_step(&self, seat: Seat, before: &BTreeMap<String, String>) {
        if before.is_empty() {
            return;
        }
        let view = self.view(seat);
        let board = heliopause_render::visible_board(&view).expect("a sound view has a board");
        let index = |name: &str| board.places.iter().position(|place| place.name == name);
        for (name, to) in self.named_pieces(seat) {
            let Some(from) = before.get(&name).filter(|from| **from != to) else { continue };
            let (from, to) = (index(from).expect("a place"), index(&to).expect("a place") as u32);
            let mut steps = board.movers.iter().map(|mover| &mover.steps[from].places);
            assert!(steps.any(|steps| steps.contains(&to)), "{name} moves by a step");
        }
    }

    fn step(&mut self, number: usize) -> bool {
        let pending = self.played.game.pending();
        let Some(first) = pending.first() else { return false };
        let progress = self.played.game.progress();
        self.line(format_args!("\n## {number}. {progress} ({})", first.kind));
        for decision in pending
            .iter()
            .filter(|decision| (decision.kind, decision.number) == (first.kind, first.number))
        {
            let seat = decision.seat;
            self.line(format_args!("? {}: {}", self.name(seat), decision.prompt));
            self.decide(seat, decision.revisable);
            if !decision.revisable {
                return true;
            }
        }
        self.line("\nAll are ready.");
        let told = self.played.game.close(CloseCause::AllReady, &mut self.played.dice);
        self.tell(&told);
        true
    }

    fn decide(&mut self, seat: Seat, revisable: bool) {
        let (offers, name) = (self.played.game.offers(seat), self.name(seat));
        let map = self.map(seat);
        self.show(&format!("{name} sees:"), map);
        self.show(&format!("{name} may order:"), listed(&offers));
        let lines = self.played.choose(&offers, revisable);
        if offers.sheet {
            self.order(seat, &lines.join("\n"));
        } else {
            for line in &lines {
                self.order(seat, line);
            }
        }
    }

    fn order(&mut self, seat: Seat, text: &str) {
        let name = self.name(seat);
        let view = self.played.game.view(Viewer::Seat(seat));
        let orders = G::parse(&view, text).unwrap_or_else(|fault| panic!("{text}: {fault:?}"));
        for order in orders {
            let before = self.named_pieces(seat);
            for line in G::notate(&order).lines() {
                self.line(format_args!("> {name}: {line}"));
            }
            match self.played.game.submit(Actor::Seat(seat), order, &mut self.played.dice) {
                Ok(told) => self.tell(&told),
                Err(refusal) => self.line(format_args!("x {refusal}")),
            }
            self.moved_by_a_step(seat, &before);
        }
    }
}

fn whom(audience: Audience, seats: usize, name: &dyn Fn(Seat) -> String) -> String {
    let told: Vec<String> =
        Seat::first(seats).filter(|seat| audience.seats.contains(*seat)).map(name).collect();
    let mut whom = match (told.len() == seats, audience.spectators) {
        (true, true) => vec!["all".to_owned()],
        (true, false) => vec!["everyone".to_owned()],
        (false, _) => told,
    };
    if audience.spectators && whom != ["all"] {
        whom.push("spectators".to_owned());
    }
    if whom.is_empty() { "the game master".to_owned() } else { whom.join(", ") }
}

fn listed<O>(offers: &Offers<O>) -> String {
    let mut text = String::new();
    if !offers.complete {
        text.push_str("(and more)\n");
    }
    for offer in &offers.list {
        let slots: Vec<String> = offer
            .slots
            .iter()
            .map(|slot| format!("; {} {}", slot.name, takes(offers, slot)))
            .collect();
        let heading = offers.heading(offer);
        let heading = if heading.is_empty() { String::new() } else { format!("[{heading}] ") };
        writeln!(text, "{heading}{}{}", offer.notation, slots.concat()).expect("text grows");
    }
    text
}

fn takes<O>(offers: &Offers<O>, slot: &Slot) -> String {
    let values = |list: ListId| -> String {
        let values = offers.list(list).iter().filter_map(|id| offers.value(*id));
        values.map(|value| value.text.as_str()).collect::<Vec<_>>().join(" ")
    };
    match &slot.kind {
        Kind::Places(picks) | Kind::Pieces(picks) | Kind::Words(picks) => values(picks.list),
        Kind::Number(range) => format!("{}..{}", range.least, range.most),
        Kind::Shares(shares) => {
            shares.shares.iter().map(|share| share.text.as_ref()).collect::<Vec<_>>().join(" ")
        }
        Kind::Free(text) => format!("{}..{} characters", text.least, text.most),
    }
}

fn playthrough<G: Renderer>(edition: &Edition<G::Options>) -> String {
    let mut record = Record::<G>::begin(edition);
    for number in 1..=STEPS_MAX {
        if record.page.len() > PAGE_MAX || !record.step(number) {
            break;
        }
        record.played.game.check().expect("it holds together");
    }
    if let Some(outcome) = record.played.game.outcome() {
        let winners: Vec<String> = outcome.winners.iter().map(|seat| record.name(seat)).collect();
        record.line(format_args!(
            "\n# The end: {} Winners: {}.",
            outcome.summary,
            winners.join(", ")
        ));
    }
    record.page
}

fn check_playthroughs<G: Renderer>() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/playthroughs");
    let write = std::env::var_os("WRITE_PLAYTHROUGHS").is_some();
    let mut changed = Vec::new();
    for edition in G::editions() {
        let (kind, page) = (edition.id, playthrough::<G>(&edition));
        let file = folder.join(format!("{kind}.txt"));
        if write {
            std::fs::write(&file, page).expect("it can be written");
            continue;
        }
        let recorded = std::fs::read_to_string(&file).unwrap_or_default();
        let lines = recorded.lines().zip(page.lines()).position(|(before, now)| before != now);
        if recorded != page {
            changed.push(format!("{kind}.txt from line {}", lines.map_or(0, |line| line + 1)));
        }
    }
    assert!(
        changed.is_empty(),
        "play has changed: {changed:?}. If it should, record it anew with WRITE_PLAYTHROUGHS=1"
    );
}

macro_rules! playthroughs {
    ($($arm:ident: $game:ty;)+) => {
        #[allow(non_snake_case, reason = "the tests are named after the games")]
        mod playthroughs_are_as_recorded {
            $(#[test]
            fn $arm() {
                super::check_playthroughs::<$game>();
            })+
        }
    };
}
games!(playthroughs);
