//! The kernel's `Game` trait for Starships at Large.

use std::sync::LazyLock;

use heliopause_kernel::offer::Offers;
use heliopause_kernel::setting::Setting;
use heliopause_kernel::{
    Actor, Audience, Cast, CloseCause, Decision, Dice, Draw, Edition, Emitted, FinalScore, Game,
    Goal, Malformed, Outcome, Press, Refusal, Role, Rulebook, Seat, SeatSet, Setup, Viewer,
    Warning,
};

use crate::board::PLACES;
use crate::choices::Choices;
use crate::describe::{prompt, subject};
use crate::event::{Event, PlanetEvent, TurnEvent};
use crate::judge::refuse;
use crate::knowledge::{Owed, Own, SeatView, Secrets};
use crate::markers::{Marker, lay_out};
use crate::options::Options;
use crate::order::Order;
use crate::pieces::{BaseId, letter};
use crate::referee::Referee;
use crate::table::{MAX_PLAYERS, Stage, Table};
use crate::view::{Insight, View};

/// A game of Starships at Large.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Starships {
    pub(crate) table: Table,
    pub(crate) secrets: Secrets,
    /// The number of decisions that each seat has answered, with the Death Star's seat last.
    pub(crate) decided: [u32; MAX_PLAYERS + 1],
}

impl Starships {
    pub fn judge_view(view: &View, order: &Order) -> Result<(), Refusal> {
        match view.seat_view() {
            Some(seat_view) => seat_view.judge(order),
            None => not_a_seat(),
        }
    }

    pub fn choices(&self, seat: Seat) -> Choices {
        match self.seat_of(Actor::Seat(seat)) {
            Ok(seat) => self.seat_view(seat).choices(),
            Err(_) => Choices::default(),
        }
    }

    pub fn choices_of(view: &View) -> Choices {
        view.seat_view().map_or_else(Choices::default, |seat_view| seat_view.choices())
    }

    /// Writes the legal orders of a seat except pledges to `orders`, without labels, for playouts.
    pub fn moves(&self, seat: Seat, orders: &mut Vec<Order>) {
        orders.clear();
        self.seat_view(seat).moves(orders);
    }

    /// Returns the seat that decides next, for playouts. `None` if the game is over.
    pub fn decider(&self) -> Option<Seat> {
        if self.table.is_over() {
            return None;
        }
        let owing = self.secrets.own.iter().position(|own| own.owes.is_some()).map(Seat::at);
        Some(owing.unwrap_or(self.table.active))
    }

    pub fn table(&self) -> &Table {
        &self.table
    }

    pub fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    pub(crate) fn seat_view(&self, seat: Seat) -> SeatView<'_> {
        SeatView { seat, table: &self.table, own: &self.secrets.own[seat.index()] }
    }

    pub(crate) fn apply(&mut self, event: &Event) {
        self.table.apply(event);
        self.secrets.apply(&self.table, event);
    }

    pub(crate) fn start(options: Options, players: usize, markers: [Marker; PLACES]) -> Self {
        let secrets = Secrets {
            markers,
            owners: [None; PLACES],
            own: vec![Own::new(); players + 1],
            rolls: Vec::new(),
        };
        Self { table: Table::start(options, players), secrets, decided: [0; MAX_PLAYERS + 1] }
    }

    fn seat_of(&self, by: Actor) -> Result<Seat, Refusal> {
        match by {
            Actor::Seat(seat) if seat.index() <= self.table.players() => Ok(seat),
            Actor::Seat(_) | Actor::GameMaster => not_a_seat(),
        }
    }

    fn resolve(&mut self, seat: Seat, order: Order, dice: &mut Dice) -> Emitted<Event> {
        let mut referee = Referee::new(self, dice);
        referee.resolve(seat, order);
        referee.settle();
        referee.told
    }
}

fn not_a_seat<T>() -> Result<T, Refusal> {
    refuse("not-a-seat", "2", "Only seats of this game can give orders.")
}

impl Referee<'_> {
    fn resolve(&mut self, seat: Seat, order: Order) {
        if !matches!(order, Order::Build { .. }) && self.table().active == seat {
            self.close_arrivals();
        }
        match order {
            Order::Build { count, base } => self.build(seat, count, base),
            Order::Move { ship, to } => self.move_ship(ship, to),
            Order::Warp { ship, via, to } => self.warp_ship(ship, via, to),
            Order::MoveBase { base, via, to } => {
                self.move_base(BaseId { owner: seat, number: base }, via, to);
            }
            Order::Settle { base } => self.settle_base(BaseId { owner: seat, number: base }),
            Order::Attempt { piece, means } => self.attempt(piece, means),
            Order::Attack { piece, target } => self.attack(piece, target),
            Order::FightOn => self.decide_battle(true),
            Order::Withdraw => self.decide_battle(false),
            Order::Fire => self.answer_ambush(true),
            Order::HoldFire => self.answer_ambush(false),
            Order::FaceUp { at } => self.face_up(at, Some(seat)),
            Order::Mark { at } => self.mark(seat, at),
            Order::Unmark { at } => self.publish_to_all(PlanetEvent::Unmarked { seat, at }),
            Order::Give { at, to } => self.give(seat, at, to),
            Order::End => self.end_turn(),
            Order::Vote { against, withdrawn } => self.vote(seat, against, withdrawn),
            Order::Offer { to, agreement } => self.offer(seat, to, agreement, false),
            Order::Accept { from, agreement } => self.accept(seat, from, agreement),
            Order::Retract { to, agreement } => self.offer(seat, to, agreement, true),
            Order::EndPartnership => self.end_partnership(seat),
            Order::Pledge { to, promise, until } => self.pledge(seat, to, promise, until),
            Order::Sacrifice { ship } => self.sacrifice(seat, ship),
            Order::ChooseShip { ship } => self.choose_ship(seat, ship),
            Order::ChoosePlanet { at } => self.choose_planet(seat, Some(at)),
            Order::Zone { at } => self.put_first_zone(Some(at)),
            Order::Grow { from, to } => self.grow(Some((from, to))),
            Order::Stop => self.stop_zones(),
        }
    }

    fn decide_battle(&mut self, fights_on: bool) {
        let Stage::Battle(battle) = self.table().stage else { return };
        if fights_on {
            self.fight(battle);
        } else {
            self.withdraw(battle.attacker);
        }
    }

    pub(crate) fn stop_zones(&mut self) {
        if let Stage::Zones { .. } = self.table().stage {
            self.put_first_zone(None);
        } else {
            self.grow(None);
        }
    }
}

impl Order {
    /// Returns whether the order answers the seat's decision. Negotiations outside the seat's own
    /// turn (3.5) do not.
    fn is_answer(&self) -> bool {
        !matches!(
            self,
            Self::Vote { .. }
                | Self::Offer { .. }
                | Self::Accept { .. }
                | Self::Retract { .. }
                | Self::EndPartnership
                | Self::Pledge { .. }
        )
    }
}

impl Game for Starships {
    const ID: &'static str = "starships-at-large";
    const NAME: &'static str = "Starships at Large";
    const SUMMARY: &'static str = "One to six players explore the 36 face-down hexes around Earth, \
        allied or not, and may wake the Death Star.";
    const RULES_VERSION: u32 = 2;
    const WARNINGS: &'static [&'static str] = crate::warnings::CODES;

    type Options = Options;
    type Order = Order;
    type Event = Event;
    type View = View;

    fn settings(_edition: &Edition<Options>) -> &'static [Setting<Options>] {
        crate::options::SETTINGS
    }

    fn players(_options: &Options) -> std::ops::RangeInclusive<usize> {
        1..=MAX_PLAYERS
    }

    fn cast(_options: &Options, players: usize) -> Cast {
        let captain = |seat: Seat| Role {
            name: format!("Player {}", letter(seat)),
            profile: "captain",
            abandoned: None,
            always_automated: false,
        };
        let death_star = Role {
            name: "Death Star".to_owned(),
            profile: "death-star",
            abandoned: None,
            always_automated: true,
        };
        let roles = Seat::first(players).map(captain).chain([death_star]).collect();
        Cast { roles, alike: true }
    }

    fn phase_kinds(_options: &Options) -> &'static [&'static str] {
        &["turn", "battle", "sponsors", "word", "death-star"]
    }

    fn new(setup: &Setup<Options>, dice: &mut Dice) -> Result<(Self, Emitted<Event>), Refusal> {
        if let Err(fault) = setup.options.validate() {
            return Err(Refusal::new("bad-options", "12", fault.to_string())
                .field(format!("options.{}", fault.field)));
        }
        if !Self::players(&setup.options).contains(&setup.players) {
            let text =
                format!("This game takes 1 to {MAX_PLAYERS} players, not {}.", setup.players);
            return Err(Refusal::new("bad-players", "2", text).field("players"));
        }
        let markers = lay_out(setup.options.mix, dice);
        let mut game = Self::start(setup.options, setup.players, markers);
        let mut told = Emitted::new();
        game.table.order = roll_for_order(setup.players, dice, &mut told);
        let mut referee = Referee::new(&mut game, dice);
        referee.begin_turn(1, referee.table().order[0]);
        referee.settle();
        told.extend(referee.told);
        Ok((game, told))
    }

    fn setup(&self) -> Setup<Options> {
        Setup { options: self.table.options, players: self.table.players() }
    }

    fn pending(&self) -> Vec<Decision> {
        if self.table.is_over() {
            return Vec::new();
        }
        let owing =
            |seat: Seat| self.secrets.own[seat.index()].owes.map(|owed| self.decision(seat, owed));
        let owed: Vec<Decision> = Seat::first(self.secrets.own.len()).filter_map(owing).collect();
        if !owed.is_empty() {
            return owed;
        }
        let Stage::Battle(battle) = self.table.stage else { return vec![self.turn()] };
        let prompt = format!("{} fights on, or withdraws.", subject(battle.attacker));
        vec![self.decision_of(self.table.active, "battle", prompt)]
    }

    /// Returns the turn decision of the player on turn while another decision is open. Returns
    /// nothing otherwise.
    fn interrupted(&self) -> Vec<Decision> {
        let is_open = |turn: &Decision| self.pending().iter().any(|open| open.kind == turn.kind);
        let turn = Some(self.turn()).filter(|turn| !self.table.is_over() && !is_open(turn));
        turn.into_iter().collect()
    }

    /// Returns whether it is public that the decision is open (rule 5, R25). A hidden decision
    /// during a turn belongs to the player on turn, so naming the pending seat reveals nothing.
    fn is_public(&self, _decision: &Decision) -> bool {
        match self.table.stage {
            Stage::Turn
            | Stage::Battle(_)
            | Stage::Zones { .. }
            | Stage::Growth
            | Stage::Breach { planet: false, .. } => true,
            // Which player chooses reveals whether the offended player has seen any planet (R13).
            Stage::Breach { planet: true, .. } | Stage::Over(_) => false,
        }
    }

    fn judge(&self, by: Actor, order: &Order) -> Result<(), Refusal> {
        self.seat_view(self.seat_of(by)?).judge(order)
    }

    fn is_revisable(_order: &Order) -> bool {
        false
    }

    fn submit(
        &mut self,
        by: Actor,
        order: Order,
        dice: &mut Dice,
    ) -> Result<Emitted<Event>, Refusal> {
        let seat = self.seat_of(by)?;
        self.seat_view(seat).judge(&order)?;
        // Failed growth leaves the decision as it is (R51). A new decision number would reveal the
        // failure.
        let answers = !matches!(order, Order::Grow { to, .. } if !self.lets_zone_in(to));
        if order.is_answer() && answers {
            self.decided[seat.index()] = self.decided[seat.index()].saturating_add(1);
        }
        Ok(self.resolve(seat, order, dice))
    }

    fn take_back(&mut self, _seat: Seat) -> Result<Emitted<Event>, Refusal> {
        Err(Refusal::resolved("3"))
    }

    fn close(&mut self, _why: CloseCause, dice: &mut Dice) -> Emitted<Event> {
        let Some(seat) = self.decider() else { return Emitted::new() };
        self.decided[seat.index()] = self.decided[seat.index()].saturating_add(1);
        let mut referee = Referee::new(self, dice);
        referee.take_default(seat);
        referee.settle();
        referee.told
    }

    fn view(&self, viewer: Viewer) -> View {
        let insight = match viewer {
            Viewer::Seat(seat) => match self.secrets.own.get(seat.index()) {
                Some(own) => Insight::Seat(seat, Box::new(own.clone())),
                None => Insight::Spectator,
            },
            Viewer::Spectator => Insight::Spectator,
            Viewer::GameMaster => Insight::GameMaster(Box::new(self.secrets.clone())),
        };
        View { table: self.table.clone(), insight }
    }

    fn update(view: &mut View, event: &Event) {
        view.apply(event);
    }

    fn offers(&self, seat: Seat) -> Offers<Order> {
        match self.seat_of(Actor::Seat(seat)) {
            Ok(seat) => self.seat_view(seat).offers(),
            Err(_) => Offers::default(),
        }
    }

    fn warnings(view: &View, next: Option<&Order>) -> Vec<Warning> {
        crate::warnings::warnings(view, next)
    }

    /// Messages to the player on turn are delivered after the turn, so only other seats can receive
    /// one now (R24).
    fn can_receive(&self, seat: Seat) -> bool {
        self.table.is_over() || seat != self.table.active
    }

    fn declared(&self, winners: SeatSet) -> Outcome {
        let points = vec![0; self.table.players()];
        Outcome { winners, draw: false, points, unit: "credit", summary: String::new(), rule: "" }
    }

    fn press(&self, from: Seat, to: Seat, anonymous: bool) -> Result<Press, Refusal> {
        if anonymous {
            return refuse(
                "not-anonymous",
                "3.5",
                "Anonymous messages are not allowed in this game.",
            );
        }
        if self.table.is_over() {
            return Ok(Press::AtOnce);
        }
        if from == self.table.active {
            return refuse("own-turn", "3.5", "You cannot negotiate in your own turn.");
        }
        Ok(if to == self.table.active { Press::Held } else { Press::AtOnce })
    }

    fn outcome(&self) -> Option<Outcome> {
        if let Stage::Over(ending) = self.table.stage {
            Some(self.outcome_of(ending))
        } else {
            None
        }
    }

    fn final_score(&self, names: &dyn Fn(Seat) -> String) -> FinalScore {
        self.reckoning(names)
    }

    fn goals(view: &View) -> Vec<Goal> {
        crate::goals::goals(view)
    }

    fn reveal(&mut self) -> Emitted<Event> {
        self.reveal_all()
    }

    fn alive(&self) -> SeatSet {
        self.table.living().collect::<SeatSet>().with(self.table.death_star_seat())
    }

    fn on_turn(&self) -> Option<Seat> {
        (!self.table.is_over()).then_some(self.table.active)
    }

    fn round(&self) -> u64 {
        self.table.round.into()
    }

    fn progress(&self) -> String {
        let table = &self.table;
        if table.is_over() {
            return format!("ended in round {}", table.round);
        }
        let overtime = table.round > table.options.rounds;
        let last =
            if overtime { table.options.last_round_with_death_star } else { table.options.rounds };
        format!("round {} of {last}", table.round)
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

    fn parse(view: &View, text: &str) -> Result<Vec<Order>, Malformed> {
        crate::notation::parse(view, text)
    }

    fn notate(order: &Order) -> String {
        order.to_string()
    }

    fn sample(view: &View, rng: &mut dyn FnMut() -> u64) -> Self {
        crate::sample::sample(view, rng)
    }

    fn check(&self) -> Result<(), String> {
        self.integrity().map_err(|fault| fault.to_string())
    }
}

impl Starships {
    fn turn(&self) -> Decision {
        let prompt = "It is your turn: act or end your turn.".to_owned();
        self.decision_of(self.table.active, "turn", prompt)
    }

    fn decision_of(&self, seat: Seat, kind: &'static str, prompt: String) -> Decision {
        // A turn is one decision, regardless of the number of actions and battles in it.
        let number = match kind {
            "turn" => u64::from(self.table.round),
            _ => u64::from(self.decided[seat.index()]) + 1,
        };
        Decision { seat, kind, number, revisable: false, prompt }
    }

    /// Describes a decision outside the normal turn. A decision to fire at the undisturbed Death
    /// Star is secret (R25), so it has the kind of a normal turn.
    fn decision(&self, seat: Seat, owed: Owed) -> Decision {
        let (prompt, kind) = prompt(&owed);
        self.decision_of(seat, kind, prompt)
    }
}

/// Rolls for the first player, in seat order (rule 2). The highest roll is first, ties roll again,
/// and the others follow clockwise by seat.
fn roll_for_order(players: usize, dice: &mut Dice, told: &mut Emitted<Event>) -> Vec<Seat> {
    let mut rolling: Vec<Seat> = Seat::first(players).collect();
    let mut again = 0;
    while rolling.len() > 1 {
        let mut rolls = Vec::with_capacity(rolling.len());
        for &seat in &rolling {
            let die = dice.d6(Draw::new("first-player").at(again).of(u64::from(seat.number())));
            told.publish(Audience::everyone(), TurnEvent::OrderRolled { seat, die }.into());
            rolls.push((seat, die));
        }
        let best = rolls.iter().map(|&(_, die)| die).max();
        rolling =
            rolls.into_iter().filter(|&(_, die)| Some(die) == best).map(|(seat, _)| seat).collect();
        again += 1;
    }
    let first = rolling.first().map_or(0, |seat| seat.index());
    (0..players).map(|step| Seat::at((first + step) % players)).collect()
}
