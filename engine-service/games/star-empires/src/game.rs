//! The game as the service hosts it.

use heliopause_kernel::{
    Actor, Audience, Cast, Decision, Dice, Emitted, Game, Malformed, Outcome, Press, Refusal, Role, Seat, SeatChange,
    SeatSet, Setup, Viewer, Why,
};

use crate::choices::Choices;
use crate::event::Event;
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
            _ => None,
        }
    }
}

fn not_yours() -> Refusal {
    Refusal::new("gm-only", "6.1", "An empire gives order sheets, and the game master his own orders.")
}

fn is_over() -> Refusal {
    Refusal::new("game-over", "1.0", "The game is over.")
}

impl Game for StarEmpires {
    const ID: &'static str = "star-empires";
    const NAME: &'static str = "Star Empires";
    const SUMMARY: &'static str =
        "2 to 60 empires conquer a galaxy in fog of war, by secret orders that are carried out at once.";
    const RULES_VERSION: u32 = 1;

    type Options = Options;
    type Order = Order;
    type Event = Event;
    type View = View;
    type Choices = Choices;

    fn players(options: &Options) -> std::ops::RangeInclusive<usize> {
        options.empires()
    }

    fn cast(_options: &Options, players: usize) -> Cast {
        let emperor =
            |seat: Seat| Role { name: format!("Empire {}", seat.number()), profile: "emperor", automaton: false };
        Cast { roles: Seat::first(players).map(emperor).collect() }
    }

    fn phase_kinds() -> &'static [&'static str] {
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
        let decision = |seat| Decision { seat, kind: ORDERS, number, revisable: true, prompt: prompt.clone() };
        self.galaxy.seats().map(decision).collect()
    }

    fn judge(&self, by: Actor, order: &Order) -> Result<(), Refusal> {
        if self.ending.is_some() {
            return Err(is_over());
        }
        match (self.seat_of(by), by, order) {
            (Some(seat), _, Order::Sheet(sheet)) => self.check_sheet(seat, sheet).map(|_| ()),
            (None, Actor::GameMaster, Order::Master(order)) => self.judge_master(order),
            _ => Err(not_yours()),
        }
    }

    /// Notes 4.1: what becomes of each line of a sheet.
    fn foretell(&self, by: Actor, order: &Order) -> Option<Event> {
        match (self.seat_of(by), order) {
            (Some(seat), Order::Sheet(sheet)) => {
                let (sheet, checks) = self.check_sheet(seat, sheet).ok()?;
                Some(Event::SheetStored { sheet, checks })
            }
            _ => None,
        }
    }

    fn submit(&mut self, by: Actor, order: Order, dice: &mut Dice) -> Result<Emitted<Event>, Refusal> {
        self.judge(by, &order)?;
        match (self.seat_of(by), order) {
            (Some(seat), Order::Sheet(sheet)) => self.store_sheet(seat, sheet),
            (None, Order::Master(order)) => Ok(self.obey_master(order, dice)),
            _ => Err(not_yours()),
        }
    }

    fn close(&mut self, _why: Why, dice: &mut Dice) -> Emitted<Event> {
        crate::update::run(self, dice)
    }

    fn seat_changed(&mut self, _seat: Seat, _change: SeatChange) -> Emitted<Event> {
        todo!("8.0: abandoned_turns, and who is told")
    }

    fn view(&self, _viewer: Viewer) -> View {
        todo!("view.rs")
    }

    fn update(_view: &mut View, _event: &Event) {
        todo!("view.rs")
    }

    fn choices(&self, _seat: Seat) -> Choices {
        todo!("choices.rs")
    }

    fn press(&self, _from: Seat, _to: Seat, _anonymous: bool) -> Result<Press, Refusal> {
        todo!("notes 13: contacts only")
    }

    fn messaged(&mut self, _from: Seat, _to: Seat, _anonymous: bool) -> Emitted<Event> {
        todo!("notes 13: a signed message makes a contact")
    }

    fn outcome(&self) -> Option<Outcome> {
        self.ending.map(|ending| crate::victory::outcome(self, ending))
    }

    fn declared(&self, winners: SeatSet) -> Outcome {
        crate::victory::declared(self, winners)
    }

    fn alive(&self) -> SeatSet {
        SeatSet::first(self.galaxy.empires.len())
    }

    fn on_turn(&self) -> Option<Seat> {
        None
    }

    fn progress(&self) -> String {
        if self.ending.is_some() { format!("ended with map {}", self.turn) } else { format!("map {}", self.turn) }
    }

    fn describe(_event: &Event, _names: &dyn Fn(Seat) -> String) -> (String, &'static str) {
        todo!("describe.rs")
    }

    fn rule(_number: &str) -> Option<&'static str> {
        todo!("rulebook.rs")
    }

    fn parse(_view: &View, _text: &str) -> Result<Vec<Order>, Malformed> {
        todo!("text/parse.rs")
    }

    fn notate(_order: &Order) -> String {
        todo!("text/write.rs")
    }

    fn sample(_view: &View, _rng: &mut dyn FnMut() -> u64) -> Self {
        todo!("sample.rs")
    }

    fn check(&self) -> Result<(), String> {
        self.integrity().map_err(|fault| fault.to_string())
    }
}

impl StarEmpires {
    /// Notes 4.1: takes a sheet in place of the earlier one, without its rejected lines.
    fn store_sheet(&mut self, seat: Seat, sheet: Sheet) -> Result<Emitted<Event>, Refusal> {
        let (sheet, checks) = self.check_sheet(seat, &sheet)?;
        self.sheets[seat.index()] = Some(sheet.clone());
        let mut told = Emitted::new();
        told.tell(Audience::seat(seat), Event::SheetStored { sheet, checks });
        Ok(told)
    }
}
