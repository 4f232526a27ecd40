//! The implementation of the kernel's [`Game`] trait for both games.

use heliopause_kernel::offer::Offers;
use heliopause_kernel::setting::Setting;
use heliopause_kernel::{
    Actor, Audience, Cast, CloseCause, Decision, Dice, Edition, Emitted, FinalScore, Game, Goal,
    Malformed, Outcome, Press, Refusal, Role, Rulebook, Seat, SeatSet, Setup, Viewer, Warning,
};

use crate::choices::Choices;
use crate::command::{Command, Sheet};
use crate::event::Event;
use crate::options::{FIRST_YEAR, Options, PressRule};
use crate::position::Variant;
use crate::table::{Phase, Table, seats};
use crate::view::{Insight, View};

/// A game of Diplomacy, or of "...It Came From Outer Space!".
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diplomacy {
    pub(crate) table: Table,
    /// The orders by seat. They are secret until their phase closes.
    pub(crate) sheets: Vec<Sheet>,
}

impl Diplomacy {
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Returns the secret orders. Callers must show them only to viewers who may see them.
    pub fn sheets(&self) -> &[Sheet] {
        &self.sheets
    }

    pub fn choices(&self, seat: Seat) -> Choices {
        self.sheets
            .get(seat.index())
            .map_or_else(Choices::default, |sheet| self.table.choices(seat, sheet))
    }

    /// Judges a command, using only the view of the seat.
    pub fn judge_view(view: &View, command: &Command) -> Result<(), Refusal> {
        match &view.insight {
            Insight::Seat(seat, sheet) => view.table.judge(*seat, &sheet.orders, command),
            Insight::Spectator | Insight::GameMaster(_) => not_a_seat(),
        }
    }

    pub fn choices_of(view: &View) -> Choices {
        match &view.insight {
            Insight::Seat(seat, sheet) => view.table.choices(*seat, sheet),
            Insight::Spectator | Insight::GameMaster(_) => Choices::default(),
        }
    }

    pub(crate) fn apply(&mut self, event: &Event) {
        self.table.apply(event);
        self.sheets.iter_mut().for_each(|sheet| sheet.apply(event));
    }

    fn keep(&mut self, by: Actor, command: Command) -> Result<Emitted<Event>, Refusal> {
        let (seat, sheet) = self.sheet_of(by)?;
        self.table.judge(seat, &sheet.orders, &command)?;
        let mut told = Emitted::new();
        self.store(seat, command, &mut told);
        Ok(told)
    }

    pub(crate) fn store(&mut self, seat: Seat, command: Command, told: &mut Emitted<Event>) {
        self.sheets[seat.index()].take(command.clone());
        told.publish(Audience::seat(seat), Event::Ordered { seat, command });
    }

    fn sheet_of(&self, by: Actor) -> Result<(Seat, &Sheet), Refusal> {
        match by {
            Actor::Seat(seat) => self.sheets.get(seat.index()).map(|sheet| (seat, sheet)),
            Actor::GameMaster => None,
        }
        .map_or_else(not_a_seat, Ok)
    }
}

fn not_a_seat<T>() -> Result<T, Refusal> {
    Err(Refusal::new("not-a-seat", "D3.1", "Only powers of this game can give orders."))
}

/// Returns the outcome. A winner gets 100 points, and powers in a draw share 100 points (R21).
fn outcome(table: &Table, winners: SeatSet, summary: String, rule: &'static str) -> Outcome {
    let share = 100 / i64::try_from(winners.len().max(1)).unwrap_or(i64::MAX);
    let points = Seat::first(table.players)
        .map(|seat| if winners.contains(seat) { share } else { 0 })
        .collect();
    Outcome { winners, draw: false, points, unit: "point", summary, rule }
}

impl Game for Diplomacy {
    const ID: &'static str = "diplomacy";
    const NAME: &'static str = "Diplomacy";
    const SUMMARY: &'static str =
        "Seven powers negotiate and move in secret for the supply centers of Europe in 1901.";
    const RULES_VERSION: u32 = 2;
    const WARNINGS: &'static [&'static str] = crate::warnings::CODES;

    type Options = Options;
    type Order = Command;
    type Event = Event;
    type View = View;

    fn editions() -> Vec<Edition<Options>> {
        let standard = Edition {
            id: Self::ID,
            name: Self::NAME,
            summary: Self::SUMMARY,
            options: Options::of(Variant::Standard),
        };
        let space = Edition {
            id: "it-came-from-outer-space",
            name: "...It Came From Outer Space!",
            summary: "2 to 64 galactic empires beam down from orbit to colonize the Earth of \
                1901.",
            options: Options::of(Variant::OuterSpace),
        };
        vec![standard, space]
    }

    fn edition_of(options: &Options) -> &'static str {
        match options.variant {
            Variant::Standard => Self::ID,
            Variant::OuterSpace => "it-came-from-outer-space",
        }
    }

    fn settings(edition: &Edition<Options>) -> &'static [Setting<Options>] {
        crate::options::settings(edition.options.variant)
    }

    fn usual_players(_options: &Options) -> usize {
        crate::board::STANDARD_POWERS
    }

    fn players(options: &Options) -> std::ops::RangeInclusive<usize> {
        options.players()
    }

    fn cast(options: &Options, players: usize) -> Cast {
        let profile = match options.variant {
            Variant::Standard => "power",
            Variant::OuterSpace => "empire",
        };
        let role = |(index, (name, _))| Role {
            name,
            profile,
            abandoned: None,
            always_automated: index >= players,
        };
        let powers = options.powers(players).into_iter().take(seats(options, players));
        Cast { roles: powers.enumerate().map(role).collect(), alike: false }
    }

    fn phase_kinds(_options: &Options) -> &'static [&'static str] {
        &["movement", "retreat", "adjustment"]
    }

    fn new(setup: &Setup<Options>, _dice: &mut Dice) -> Result<(Self, Emitted<Event>), Refusal> {
        if let Err(fault) = setup.options.validate() {
            return Err(Refusal::new("bad-options", "D1", fault.to_string())
                .field(format!("options.{}", fault.field)));
        }
        let players = setup.options.players();
        if !players.contains(&setup.players) {
            let text = format!(
                "This game takes {} to {} players, not {}.",
                players.start(),
                players.end(),
                setup.players
            );
            return Err(Refusal::new("bad-players", "R1", text).field("players"));
        }
        let sheets = vec![Sheet::default(); seats(&setup.options, setup.players)];
        let mut game = Self { table: Table::start(&setup.options, setup.players), sheets };
        let mut told = Emitted::new();
        // The opening is published as the first phase.
        game.table.number = 0;
        game.begin(&mut told, FIRST_YEAR, Phase::SpringMovement);
        Ok((game, told))
    }

    fn setup(&self) -> Setup<Options> {
        Setup { options: self.table.options.clone(), players: self.table.players }
    }

    fn pending(&self) -> Vec<Decision> {
        let table = &self.table;
        let prompt = format!("{}: give your orders.", table.date());
        let decision = |seat| Decision {
            seat,
            kind: table.phase.kind(),
            number: table.number.into(),
            revisable: true,
            prompt: prompt.clone(),
        };
        table.seats().filter(|&seat| table.owes(seat)).map(decision).collect()
    }

    /// Returns `true`: the map shows which seats have a unit to order, retreat or build.
    fn is_public(&self, _decision: &Decision) -> bool {
        true
    }

    fn judge(&self, by: Actor, command: &Command) -> Result<(), Refusal> {
        let (seat, sheet) = self.sheet_of(by)?;
        self.table.judge(seat, &sheet.orders, command)
    }

    fn is_revisable(_command: &Command) -> bool {
        true
    }

    fn submit(
        &mut self,
        by: Actor,
        command: Command,
        _dice: &mut Dice,
    ) -> Result<Emitted<Event>, Refusal> {
        self.keep(by, command)
    }

    fn take_back(&mut self, seat: Seat) -> Result<Emitted<Event>, Refusal> {
        self.keep(Actor::Seat(seat), Command::Clear)
    }

    fn standing_orders(&self, seat: Seat) -> Vec<Command> {
        let Some(sheet) = self.sheets.get(seat.index()) else { return Vec::new() };
        let orders = sheet.orders.iter().copied().map(Command::Order);
        orders.chain(sheet.conditionals.iter().cloned().map(Command::Conditional)).collect()
    }

    /// Returns whether there is nothing to warn about in orders that come from conditional orders.
    fn opens_ready(&self, seat: Seat) -> bool {
        self.sheets.get(seat.index()).is_some_and(|Sheet { orders, .. }| {
            !orders.is_empty() && crate::warnings::of(&self.table, seat, orders).is_empty()
        })
    }

    fn close(&mut self, _why: CloseCause, _dice: &mut Dice) -> Emitted<Event> {
        if self.table.ending.is_some() { Emitted::new() } else { self.resolve() }
    }

    fn view(&self, viewer: Viewer) -> View {
        let insight = match viewer {
            Viewer::Seat(seat) => match self.sheets.get(seat.index()) {
                Some(sheet) => Insight::Seat(seat, sheet.clone()),
                None => Insight::Spectator,
            },
            Viewer::Spectator => Insight::Spectator,
            Viewer::GameMaster => Insight::GameMaster(self.sheets.clone()),
        };
        View { table: self.table.clone(), insight }
    }

    fn update(view: &mut View, event: &Event) {
        view.apply(event);
    }

    fn offers(&self, seat: Seat) -> Offers<Command> {
        crate::offers::offers(&self.choices(seat))
    }

    fn warnings(view: &View, _next: Option<&Command>) -> Vec<Warning> {
        crate::warnings::warnings(view)
    }

    fn anonymous_press(options: &Options) -> bool {
        options.anonymous_press
    }

    fn press(&self, _from: Seat, _to: Seat, anonymous: bool) -> Result<Press, Refusal> {
        let options = &self.table.options;
        if options.press == PressRule::None && self.table.ending.is_none() {
            return Err(Refusal::new(
                "no-press",
                "D9",
                "Messages between players are not allowed in this game.",
            ));
        }
        if anonymous && !Self::anonymous_press(options) {
            return Err(Refusal::new(
                "not-anonymous",
                "D9",
                "Anonymous messages are not allowed in this game.",
            ));
        }
        Ok(Press::AtOnce)
    }

    fn only_public_press(&self) -> bool {
        self.table.options.press == PressRule::Public && self.table.ending.is_none()
    }

    fn outcome(&self) -> Option<Outcome> {
        let ending = self.table.ending?;
        let names: Vec<String> = self
            .table
            .options
            .powers(self.table.players)
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        let name = |seat: Seat| names.get(seat.index()).cloned().unwrap_or_default();
        let (summary, rule) = crate::describe::ending(ending, &name);
        let outcome = outcome(&self.table, ending.winners, summary, rule);
        Some(Outcome { draw: ending.is_draw(), ..outcome })
    }

    fn declared(&self, winners: SeatSet) -> Outcome {
        outcome(&self.table, winners, String::new(), "D8.8")
    }

    fn final_score(&self, names: &dyn Fn(Seat) -> String) -> FinalScore {
        crate::reckoning::final_score(&self.table, names)
    }

    fn goals(view: &View) -> Vec<Goal> {
        crate::reckoning::goals(&view.table)
    }

    fn alive(&self) -> SeatSet {
        self.table.alive()
    }

    fn on_turn(&self) -> Option<Seat> {
        None
    }

    fn round(&self) -> u64 {
        self.table.season()
    }

    fn progress(&self) -> String {
        self.table.date()
    }

    /// Returns the name of the power or empire, or `None` if the seat has none. A power without a
    /// player has no other name (D8.6).
    fn seat_name(&self, seat: Seat, _reader: Viewer) -> Option<String> {
        let powers = self.table.options.powers(self.table.players);
        powers.into_iter().nth(seat.index()).map(|(name, _)| name)
    }

    fn describe(event: &Event, names: &dyn Fn(Seat) -> String) -> (String, &'static str) {
        crate::describe::describe(event, names)
    }

    fn primer() -> [&'static str; 2] {
        [include_str!("../terms.tsv"), include_str!("../guides.tsv")]
    }

    fn rulebook() -> &'static Rulebook {
        &crate::rulebook::RULEBOOK
    }

    fn rule_of(edition: &str, number: &str) -> Option<&'static str> {
        let other = edition == Self::ID && crate::rulebook::is_of_outer_space(number);
        Self::rule(number).filter(|_| !other)
    }

    fn parse(_view: &View, text: &str) -> Result<Vec<Command>, Malformed> {
        crate::notation::read_commands(text)
    }

    fn notate(command: &Command) -> String {
        command.to_string()
    }

    fn sample(view: &View, rng: &mut dyn FnMut() -> u64) -> Self {
        crate::sample::sample(view, rng)
    }

    fn check(&self) -> Result<(), String> {
        crate::integrity::check(self)
    }
}
