//! Recorded playthroughs: a text file for each kind of game, with what players see, may order,
//! order and are told, step by step. A change to a game shows in them as what it does to play.
//!
//!     WRITE_PLAYTHROUGHS=1 cargo nextest run --workspace -E 'test(playthroughs_are_as_recorded)'
//!
//! Dice and choices follow from a fixed seed. After the first time, views and lists of offers are
//! shown by the lines that are new (`+`) and gone (`-`).

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use heliopause_games::games;
use heliopause_kernel::offer::{Kind, ListId, Offer, Offers, Slot, Weight};
use heliopause_kernel::{Actor, Audience, Dice, Edition, Emitted, Role, Seat, Setup, Viewer, Why};
use heliopause_proto::v1::{Game, Seat as Chair};
use heliopause_render::style::Style;
use heliopause_render::{Drawing, Renderer};

/// No file tells more steps; a whole game can take thousands.
const STEPS_MAX: usize = 60;
/// No step begins behind this many bytes.
const PAGE_MAX: usize = 120_000;
/// So many play, if so many can.
const PLAYERS: usize = 4;
/// So many lines are put on a sheet, or orders given in a phase, at most.
const LINES_MAX: usize = 10;

/// Words of more letters may be broken in a narrow column.
const LONG: usize = 20;

/// Choices that follow from a seed.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 32
    }

    fn one_in(&mut self, many: u64) -> bool {
        self.next().is_multiple_of(many)
    }
}

/// No line of what a player sees is wider than their terminal, and no word is broken that a wide
/// one shows whole.
fn fits(drawing: &dyn Drawing) {
    let documents: Vec<_> = drawing.report().into_iter().chain(drawing.bulletin()).collect();
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
            // A name that is longer than a column has to be broken there.
            let is_of_long = |piece: &&String| {
                whole.iter().any(|word| word.len() > LONG && word.contains(piece.as_str()))
            };
            let broken: Vec<String> =
                read(text).difference(&whole).filter(|piece| !is_of_long(piece)).cloned().collect();
            assert!(broken.is_empty(), "broken at {width} columns: {broken:?}\n{text}");
        }
        for text in maps.chain(told.iter().cloned()) {
            let wide = text.lines().find(|line| line.chars().count() > width);
            assert_eq!(wide, None, "wider than {width} columns:\n{text}");
        }
    }
}

/// A game that is written down as it is played.
struct Record<G: Renderer> {
    game: G,
    names: Vec<String>,
    dice: Dice,
    chance: Chance,
    page: String,
    /// What each viewer was shown last, under each heading.
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
        let mut record =
            Self { game, names, dice, chance: Chance(18), page, shown: BTreeMap::new() };
        record.tell(&told);
        record
    }

    fn line(&mut self, text: impl std::fmt::Display) {
        writeln!(self.page, "{text}").expect("text grows");
    }

    fn name(&self, seat: Seat) -> String {
        self.names.get(seat.index()).cloned().unwrap_or_else(|| seat.to_string())
    }

    /// The events in words, with those who are told.
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

    /// Shows a text, or how it differs from what stood under this heading before.
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
        drawing.text(&Style { width: 100, ..Style::PLAIN })
    }

    /// One decision, or all of a simultaneous phase.
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
        let told = self.game.close(Why::AllReady, &mut self.dice);
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

    /// Lines made of offers: one if it may close the decision, one of each heading in a phase that
    /// is open to all.
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
            for line in G::notate(&order).lines() {
                self.line(format_args!("> {name}: {line}"));
            }
            match self.game.submit(Actor::Seat(seat), order, &mut self.dice) {
                Ok(told) => self.tell(&told),
                Err(refusal) => self.line(format_args!("x {refusal}")),
            }
        }
    }
}

fn whom(audience: Audience, seats: usize, name: &dyn Fn(Seat) -> String) -> String {
    let told: Vec<String> =
        Seat::first(seats).filter(|seat| audience.seats.contains(*seat)).map(name).collect();
    let mut whom = match (told.len() == seats, audience.spectators) {
        (true, true) => vec!["all".to_owned()],
        (true, false) => vec!["all players".to_owned()],
        (false, _) => told,
    };
    if audience.spectators && whom != ["all"] {
        whom.push("spectators".to_owned());
    }
    if whom.is_empty() { "the game master".to_owned() } else { whom.join(", ") }
}

/// The offers by heading, with what their slots take.
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
        /// Each kind with its playthrough.
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
