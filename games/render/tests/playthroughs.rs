//! Recorded playthroughs: a text file for each kind of game with the views, offers, orders and
//! events of each step. The files show how a change to a game affects play. This command records
//! them again:
//!
//!     WRITE_PLAYTHROUGHS=1 cargo nextest run --workspace -E 'test(playthroughs_are_as_recorded)'
//!
//! Dice and choices are derived from a fixed seed. After the first step, views and lists of offers
//! are shown as additions (`+`) and removals (`-`).

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use heliopause_games::games;
use heliopause_kernel::offer::{Kind, ListId, Offer, Offers, Slot, Weight};
use heliopause_kernel::{
    Actor, Audience, CloseCause, Dice, Edition, Emitted, Role, Seat, Setup, Viewer,
};
use heliopause_proto::v1::{Game, Seat as Chair};
use heliopause_render::board::Board;
use heliopause_render::style::Style;
use heliopause_render::{Drawing, Renderer};

/// The maximum number of recorded steps. A whole game can take thousands.
const STEPS_MAX: usize = 60;
/// The size in bytes after which no further step starts.
const PAGE_MAX: usize = 120_000;
const PLAYERS: usize = 4;
const LINES_MAX: usize = 10;

/// The maximum length of words that a narrow column must not break.
const LONG: usize = 20;

struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 32
    }

    fn one_in(&mut self, many: u64) -> bool {
        self.next().is_multiple_of(many)
    }
}

/// Checks that no line is wider than the terminal, and that only long words are broken.
fn fits(drawing: &dyn Drawing) {
    let documents: Vec<_> = std::iter::once(drawing.report()).chain(drawing.bulletin()).collect();
    let read = |text: &str| -> HashSet<String> {
        text.split_whitespace().map(|word| word.trim_matches('-').to_lowercase()).collect()
    };
    for width in [60, 80, 100, 140] {
        let styles = [false, true].map(|linear| Style { width, linear, ..Style::PLAIN });
        let maps = styles.iter().map(|style| drawing.written(style));
        let told: Vec<String> =
            documents.iter().map(|document| document.text(&styles[0])).collect();
        for (text, document) in told.iter().zip(&documents) {
            let whole = read(&document.text(&Style { width: 1_000, ..Style::PLAIN }));
            let is_of_long = |piece: &&String| {
                whole.iter().any(|word| word.len() > LONG && word.contains(piece.as_str()))
            };
            let broken: Vec<String> =
                read(text).difference(&whole).filter(|piece| !is_of_long(piece)).cloned().collect();
            assert!(broken.is_empty(), "broken at {width} columns: {broken:?}\n{text}");
        }
        for rows in [12, 18, 24, 40] {
            let text = drawing.text(&Style { width, rows: Some(rows), ..styles[0] });
            assert!(text.lines().count() <= rows, "more than {rows} lines at {width}:\n{text}");
        }
        for text in maps.chain(told.iter().cloned()) {
            let wide = text.lines().find(|line| line.chars().count() > width);
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
    game: G,
    names: Vec<String>,
    dice: Dice,
    chance: Rng,
    page: String,
    shown: BTreeMap<String, String>,
}

impl<G: Renderer> Record<G> {
    fn begin(edition: &Edition<G::Options>) -> Self {
        let options = edition.options.clone();
        let range = G::players(&options);
        let players = PLAYERS.clamp(*range.start(), *range.end());
        let names =
            G::cast(&options, players).roles.into_iter().map(|Role { name, .. }| name).collect();
        let mut dice = Dice::new([18; 32]);
        let setup = Setup { options, players };
        let (game, told) = G::new(&setup, &mut dice).expect("the options as printed can be played");
        let page = format!("# {}, {players} players\n", edition.name);
        let mut record = Self { game, names, dice, chance: Rng(18), page, shown: BTreeMap::new() };
        record.tell(&told);
        record
    }

    fn line(&mut self, text: impl std::fmt::Display) {
        writeln!(self.page, "{text}").expect("text grows");
    }

    fn name(&self, seat: Seat) -> String {
        self.names.get(seat.index()).cloned().unwrap_or_else(|| seat.to_string())
    }

    fn tell(&mut self, told: &Emitted<G::Event>) {
        let names = self.names.clone();
        let name =
            |seat: Seat| names.get(seat.index()).cloned().unwrap_or_else(|| seat.to_string());
        for one in told {
            let (text, rule) = G::describe(&one.event, &name);
            let whom = whom(one.audience, names.len(), &name);
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

    fn map(&self, seat: Seat) -> String {
        let chair = |(number, role): (usize, &String)| Chair {
            number: number as u32 + 1,
            role: role.clone(),
            ..Chair::default()
        };
        let game =
            Game { seats: self.names.iter().enumerate().map(chair).collect(), ..Game::default() };
        let view = G::seal_view(G::write_view(&self.game.view(Viewer::Seat(seat))));
        let drawing = heliopause_render::drawing(&view, &game).expect("a sound view can be drawn");
        fits(&*drawing);
        let board = heliopause_render::visible_board(&view).expect("a sound view has a board");
        names_places_of(&board, &*drawing, &self.game.offers(seat));
        drawing.text(&Style { width: 100, ..Style::PLAIN })
    }

    /// Returns the places of pieces by name, in the game whose orders move pieces at once by a step.
    fn named_pieces(&self, seat: Seat) -> BTreeMap<String, String> {
        if G::ID != "starships-at-large" {
            return BTreeMap::new();
        }
        let view = G::seal_view(G::write_view(&self.game.view(Viewer::Seat(seat))));
        let drawing = heliopause_render::drawing(&view, &Game::default()).expect("a sound view");
        let pieces = drawing.scene().pieces.into_iter().filter(|piece| !piece.name.is_empty());
        pieces.map(|piece| (piece.name, piece.place)).collect()
    }

    /// Checks that the pieces of `before` have moved only by steps of the board.
    fn moved_by_a_step(&self, seat: Seat, before: &BTreeMap<String, String>) {
        if before.is_empty() {
            return;
        }
        let view = G::seal_view(G::write_view(&self.game.view(Viewer::Seat(seat))));
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
        let pending = self.game.pending();
        let Some(first) = pending.first() else { return false };
        let progress = self.game.progress();
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
        let told = self.game.close(CloseCause::AllReady, &mut self.dice);
        self.tell(&told);
        true
    }

    fn decide(&mut self, seat: Seat, revisable: bool) {
        let (offers, name) = (self.game.offers(seat), self.name(seat));
        let map = self.map(seat);
        self.show(&format!("{name} sees:"), map);
        self.show(&format!("{name} may order:"), listed(&offers));
        let lines = self.choose(&offers, revisable);
        if offers.sheet {
            self.order(seat, &lines.join("\n"));
        } else {
            for line in &lines {
                self.order(seat, line);
            }
        }
    }

    /// Chooses lines from offers: one line if it can close the decision, or one line of each
    /// heading in a phase that is open to all players.
    fn choose(&mut self, offers: &Offers<G::Order>, revisable: bool) -> Vec<String> {
        let mut open: Vec<&Offer<G::Order>> = Vec::new();
        for offer in &offers.list {
            let likes = match offer.weight {
                Weight::Main | Weight::Usual => true,
                Weight::Minor => self.chance.one_in(4),
                Weight::End => !revisable,
                Weight::Grave => false,
            };
            if likes {
                open.push(offer);
            }
        }
        if open.is_empty() {
            open.extend(offers.list.first());
        }
        let mut groups = HashSet::new();
        let mut lines = Vec::new();
        let most = if revisable { LINES_MAX } else { 1 };
        while lines.len() < most && !open.is_empty() {
            let offer = open.swap_remove(self.chance.next() as usize % open.len());
            if groups.insert(offer.group) {
                let chosen = offers.at_random(offer, &mut || self.chance.next());
                lines.push(offers.fill(offer, &chosen).expect("what is drawn at random fits"));
            }
        }
        lines
    }

    fn order(&mut self, seat: Seat, text: &str) {
        let name = self.name(seat);
        let view = self.game.view(Viewer::Seat(seat));
        let orders = G::parse(&view, text).unwrap_or_else(|fault| panic!("{text}: {fault:?}"));
        for order in orders {
            let before = self.named_pieces(seat);
            for line in G::notate(&order).lines() {
                self.line(format_args!("> {name}: {line}"));
            }
            match self.game.submit(Actor::Seat(seat), order, &mut self.dice) {
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
        record.game.check().expect("it holds together");
    }
    if let Some(outcome) = record.game.outcome() {
        let winners: Vec<String> = outcome.winners.iter().map(|seat| record.name(seat)).collect();
        record.line(format_args!(
            "\n# The end: {} Winners: {}.",
            outcome.summary,
            winners.join(", ")
        ));
    }
    record.page
}

macro_rules! playthroughs {
    ($($arm:ident: $game:ty;)+) => {
        fn playthroughs() -> Vec<(&'static str, String)> {
            fn of<G: Renderer>() -> Vec<(&'static str, String)> {
                G::editions().iter().map(|edition| (edition.id, playthrough::<G>(edition))).collect()
            }
            [$(of::<$game>()),+].concat()
        }
    };
}
games!(playthroughs);

#[test]
fn playthroughs_are_as_recorded() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/playthroughs");
    let write = std::env::var_os("WRITE_PLAYTHROUGHS").is_some();
    let mut changed = Vec::new();
    for (kind, page) in playthroughs() {
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
