//! The implementation of [`Game`] for Star Empires.

use std::sync::LazyLock;

use heliopause_kernel::offer::Offers;
use heliopause_kernel::setting::Setting;
use heliopause_kernel::{
    Actor, Audience, Cast, CloseCause, CoordinateTransform, Decision, Dice, Edition, Emitted,
    FinalScore, Game, Goal, Malformed, Outcome, Press, Refusal, Role, Rulebook, Seat, SeatChange,
    SeatSet, Setup, Viewer, Warning,
};

use crate::event::Event;
use crate::geometry::Frame;
use crate::options::Options;
use crate::order::{Order, Sheet};
use crate::position::StarEmpires;
use crate::view::View;

const ORDERS: &str = "orders";

impl StarEmpires {
    fn seat_of(&self, by: Actor) -> Option<Seat> {
        match by {
            Actor::Seat(seat) if seat.index() < self.galaxy.empires.len() => Some(seat),
            Actor::Seat(_) | Actor::GameMaster => None,
        }
    }
}

fn not_yours() -> Refusal {
    Refusal::new(
        "gm-only",
        "6.1",
        "Empires can send only order sheets; only the game master can send the game master's \
         orders.",
    )
}

fn is_over() -> Refusal {
    Refusal::new("game-over", "1.0", "The game is over.")
}

impl Game for StarEmpires {
    const ID: &'static str = "star-empires";
    const NAME: &'static str = "Star Empires";
    const SUMMARY: &'static str =
        "2 to 60 empires conquer a galaxy in fog of war with secret, simultaneous orders.";
    const RULES_VERSION: u32 = 2;
    const WARNINGS: &'static [&'static str] = crate::warnings::CODES;

    type Options = Options;
    type Order = Order;
    type Event = Event;
    type View = View;

    fn settings(_edition: &Edition<Options>) -> &'static [Setting<Options>] {
        &crate::settings::SETTINGS
    }

    fn players(options: &Options) -> std::ops::RangeInclusive<usize> {
        options.empires()
    }

    fn unattended(options: Options) -> Options {
        options.unattended()
    }

    fn cast(_options: &Options, players: usize) -> Cast {
        let emperor = |seat: Seat| Role {
            name: format!("Empire {}", seat.number()),
            profile: "emperor",
            abandoned: Some("abandoned"),
            always_automated: false,
        };
        Cast { roles: Seat::first(players).map(emperor).collect(), alike: true }
    }

    fn phase_kinds(_options: &Options) -> &'static [&'static str] {
        &[ORDERS]
    }

    fn new(setup: &Setup<Options>, dice: &mut Dice) -> Result<(Self, Emitted<Event>), Refusal> {
        Ok((crate::setup::set_up(setup, dice)?, Emitted::new()))
    }

    fn setup(&self) -> Setup<Options> {
        Setup { options: Options::clone(&self.options), players: self.galaxy.empires.len() }
    }

    /// Returns one decision per empire, including homeless empires (R64), or none after the game.
    fn pending(&self) -> Vec<Decision> {
        if self.ending.is_some() {
            return Vec::new();
        }
        let number = u64::from(self.turn) + 1;
        let prompt = format!("Give your orders for turn {number}.");
        let decision =
            |seat| Decision { seat, kind: ORDERS, number, revisable: true, prompt: prompt.clone() };
        self.galaxy.seats().map(decision).collect()
    }

    /// Returns `true`: every empire decides in every turn, so pending decisions are not secret.
    fn is_public(&self, _decision: &Decision) -> bool {
        true
    }

    fn judge(&self, by: Actor, order: &Order) -> Result<(), Refusal> {
        if self.ending.is_some() {
            return Err(is_over());
        }
        match (self.seat_of(by), by, order) {
            (Some(seat), _, Order::Sheet(sheet)) => self.check_sheet(seat, sheet).map(|_| ()),
            (None, Actor::GameMaster, Order::Master(order)) => self.judge_master(order),
            (Some(_), _, Order::Master(_))
            | (None, _, Order::Sheet(_))
            | (None, Actor::Seat(_), Order::Master(_)) => Err(not_yours()),
        }
    }

    /// Notes 4.1: checks each line of a sheet without storing the sheet. Returns `None` for an
    /// order of the game master, and for a sheet that is too long or not by an empire.
    fn preview(&self, by: Actor, order: &Order) -> Option<Event> {
        match (self.seat_of(by), order) {
            (Some(seat), Order::Sheet(sheet)) => {
                let (sheet, checks) = self.dry_run_sheet(seat, sheet).ok()?;
                Some(Event::SheetStored { sheet, checks })
            }
            (Some(_), Order::Master(_)) | (None, Order::Sheet(_) | Order::Master(_)) => None,
        }
    }

    fn is_revisable(order: &Order) -> bool {
        matches!(order, Order::Sheet(_))
    }

    fn submit(
        &mut self,
        by: Actor,
        order: Order,
        dice: &mut Dice,
    ) -> Result<Emitted<Event>, Refusal> {
        self.judge(by, &order)?;
        match (self.seat_of(by), order) {
            (Some(seat), Order::Sheet(sheet)) => self.store_sheet(seat, &sheet),
            (None, Order::Master(order)) => Ok(self.execute_master(order, dice)),
            (Some(_), Order::Master(_)) | (None, Order::Sheet(_)) => Err(not_yours()),
        }
    }

    fn take_back(&mut self, seat: Seat) -> Result<Emitted<Event>, Refusal> {
        self.store_sheet(seat, &Sheet::default())
    }

    fn standing_orders(&self, seat: Seat) -> Vec<Order> {
        let sheet = self.sheets.get(seat.index()).and_then(Option::as_ref);
        let stored = sheet.filter(|sheet| !sheet.lines.is_empty());
        stored.cloned().map(Order::Sheet).into_iter().collect()
    }

    fn close(&mut self, _why: CloseCause, dice: &mut Dice) -> Emitted<Event> {
        if self.outcome().is_some() {
            return Emitted::new();
        }
        crate::update::run(self, dice)
    }

    fn seat_changed(&mut self, seat: Seat, change: SeatChange) -> Emitted<Event> {
        self.change_seat(seat, change)
    }

    fn view(&self, viewer: Viewer) -> View {
        self.view_of(viewer)
    }

    fn briefing(&self, seat: Seat) -> View {
        self.briefing_of(seat)
    }

    fn transform_for(&self, seat: Seat) -> Option<Box<dyn CoordinateTransform<Self>>> {
        let frame = self.galaxy.empires.get(seat.index())?.frame;
        (frame != Frame::GALACTIC).then(|| Box::new(frame) as Box<dyn CoordinateTransform<Self>>)
    }

    fn update(view: &mut View, event: &Event) {
        view.apply_event(event);
    }

    fn offers(&self, seat: Seat) -> Offers<Order> {
        self.offers_of(seat)
    }

    fn warnings(view: &View, _next: Option<&Order>) -> Vec<Warning> {
        crate::warnings::warnings(view)
    }

    fn anonymous_press(_options: &Options) -> bool {
        true
    }

    fn press(&self, from: Seat, to: Seat, _anonymous: bool) -> Result<Press, Refusal> {
        crate::diplomacy::press(self, from, to)
    }

    fn message_delivered(&mut self, from: Seat, to: Seat, anonymous: bool) -> Emitted<Event> {
        crate::diplomacy::message_delivered(self, from, to, anonymous)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.ending.map(|ending| crate::victory::outcome(self, ending))
    }

    fn declared(&self, winners: SeatSet) -> Outcome {
        crate::victory::declared(self, winners)
    }

    fn final_score(&self, names: &dyn Fn(Seat) -> String) -> FinalScore {
        crate::victory::final_score(self, names)
    }

    fn goals(view: &View) -> Vec<Goal> {
        crate::goals::goals(view)
    }

    fn alive(&self) -> SeatSet {
        SeatSet::first(self.galaxy.empires.len())
    }

    fn on_turn(&self) -> Option<Seat> {
        None
    }

    fn round(&self) -> u64 {
        self.turn.into()
    }

    fn progress(&self) -> String {
        match (self.ending, self.options.last_turn()) {
            (Some(_), _) => format!("ended with map {}", self.turn),
            (None, Some(last)) => format!("map {} of {last}", self.turn),
            (None, None) => format!("map {}", self.turn),
        }
    }

    /// Returns the empire's name, or `None` if the reader has not heard of the empire.
    fn seat_name(&self, seat: Seat, reader: Viewer) -> Option<String> {
        let empire = self.galaxy.empires.get(seat.index())?;
        let knows = match reader {
            Viewer::GameMaster => true,
            Viewer::Spectator => false,
            Viewer::Seat(own) => {
                own == seat || self.galaxy.empires.get(own.index())?.known_empires.contains(seat)
            }
        };
        knows.then(|| empire.name.to_string().replace('_', " "))
    }

    fn describe(event: &Event, names: &dyn Fn(Seat) -> String) -> (String, &'static str) {
        crate::describe::describe(event, names)
    }

    fn primer() -> [&'static str; 2] {
        [include_str!("../terms.tsv"), include_str!("../guides.tsv")]
    }

    fn rulebook() -> &'static Rulebook {
        static RULEBOOK: LazyLock<Rulebook> =
            LazyLock::new(|| Rulebook::new(include_str!("../rules.md")));
        &RULEBOOK
    }

    /// Also finds chapters by numbers such as `7.0`.
    fn rule(number: &str) -> Option<&'static str> {
        Self::rulebook().text(number.strip_suffix(".0").unwrap_or(number))
    }

    fn parse(view: &View, text: &str) -> Result<Vec<Order>, Malformed> {
        crate::text::parse(view, text)
    }

    fn notate(order: &Order) -> String {
        crate::text::notate(order)
    }

    fn sample(view: &View, rng: &mut dyn FnMut() -> u64) -> Self {
        crate::sample::sample(view, rng)
    }

    fn check(&self) -> Result<(), String> {
        self.integrity().map_err(|fault| fault.to_string())
    }
}

impl StarEmpires {
    /// Notes 4.1: replaces the stored sheet with the accepted lines of a new one, or refuses the
    /// new sheet.
    fn store_sheet(&mut self, seat: Seat, sheet: &Sheet) -> Result<Emitted<Event>, Refusal> {
        let (sheet, checks) = self.check_sheet(seat, sheet)?;
        self.sheets[seat.index()] = Some(sheet.clone());
        let mut told = Emitted::new();
        told.publish(Audience::seat(seat), Event::SheetStored { sheet, checks });
        Ok(told)
    }
}
