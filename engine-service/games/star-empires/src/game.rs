//! The game as the service hosts it.

use heliopause_kernel::offer::Offers;
use heliopause_kernel::setting::Setting;
use heliopause_kernel::{
    Actor, Audience, Cast, CoordinateTransform, Decision, Dice, Edition, Emitted, Game, Goal,
    Malformed, Outcome, Press, Reckoning, Refusal, Role, Seat, SeatChange, SeatSet, Setup, Viewer,
    Warning, Why,
};

use crate::event::Event;
use crate::geometry::Frame;
use crate::options::Options;
use crate::order::{Order, Sheet};
use crate::position::StarEmpires;
use crate::view::View;

/// The kind of the one decision of a turn.
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
        "An empire gives order sheets, and the game master orders of their own.",
    )
}

fn is_over() -> Refusal {
    Refusal::new("game-over", "1.0", "The game is over.")
}

impl Game for StarEmpires {
    const ID: &'static str = "star-empires";
    const NAME: &'static str = "Star Empires";
    const SUMMARY: &'static str = "2 to 60 empires conquer a galaxy in fog of war, by secret \
        orders that are carried out at once.";
    const RULES_VERSION: u32 = 2;
    const WARNINGS: &'static [&'static str] = crate::warnings::CODES;

    type Options = Options;
    type Order = Order;
    type Event = Event;
    type View = View;

    fn settings(_edition: &Edition<Options>) -> &'static [Setting<Options>] {
        crate::settings::SETTINGS
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
            automaton: false,
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

    /// The turn is one decision of every empire, homeless ones included (R64).
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

    /// All are asked in every turn.
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

    /// Notes 4.1: what becomes of each line of a sheet.
    fn foretell(&self, by: Actor, order: &Order) -> Option<Event> {
        match (self.seat_of(by), order) {
            (Some(seat), Order::Sheet(sheet)) => {
                let (sheet, checks) = self.sheet_checked(seat, sheet).ok()?;
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
            (None, Order::Master(order)) => Ok(self.obey_master(order, dice)),
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

    fn close(&mut self, _why: Why, dice: &mut Dice) -> Emitted<Event> {
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
        view.follow(event);
    }

    fn offers(&self, seat: Seat) -> Offers<Order> {
        self.offers_of(seat)
    }

    fn warnings(view: &View, _next: Option<&Order>) -> Vec<Warning> {
        crate::warnings::warnings(view)
    }

    fn press(&self, from: Seat, to: Seat, _anonymous: bool) -> Result<Press, Refusal> {
        crate::diplomacy::press(self, from, to)
    }

    fn messaged(&mut self, from: Seat, to: Seat, anonymous: bool) -> Emitted<Event> {
        crate::diplomacy::messaged(self, from, to, anonymous)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.ending.map(|ending| crate::victory::outcome(self, ending))
    }

    fn declared(&self, winners: SeatSet) -> Outcome {
        crate::victory::declared(self, winners)
    }

    fn reckon(&self, names: &dyn Fn(Seat) -> String) -> Reckoning {
        crate::victory::reckon(self, names)
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

    /// Empires go by their names; what an empire has not come across it has no name for.
    fn called(&self, seat: Seat, reader: Viewer) -> Option<String> {
        let empire = self.galaxy.empires.get(seat.index())?;
        let knows = match reader {
            Viewer::GameMaster => true,
            Viewer::Spectator => false,
            Viewer::Seat(own) => {
                own == seat || self.galaxy.empires.get(own.index())?.heard_of.contains(seat)
            }
        };
        knows.then(|| empire.name.to_string().replace('_', " "))
    }

    fn describe(event: &Event, names: &dyn Fn(Seat) -> String) -> (String, &'static str) {
        crate::describe::describe(event, names)
    }

    fn rule(number: &str) -> Option<&'static str> {
        crate::rulebook::rule(number)
    }

    fn rules() -> Vec<(&'static str, &'static str)> {
        crate::rulebook::rules()
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
    /// Notes 4.1: takes a sheet in place of the earlier one, without its rejected lines.
    fn store_sheet(&mut self, seat: Seat, sheet: &Sheet) -> Result<Emitted<Event>, Refusal> {
        let (sheet, checks) = self.check_sheet(seat, sheet)?;
        self.sheets[seat.index()] = Some(sheet.clone());
        let mut told = Emitted::new();
        told.tell(Audience::seat(seat), Event::SheetStored { sheet, checks });
        Ok(told)
    }
}
