//! The kernel's `Game` trait for Stellar Conquest.

use heliopause_kernel::offer::Offers;
use heliopause_kernel::setting::Setting;
use heliopause_kernel::{
    Actor, Audience, Cast, CloseCause, Decision, Dice, Edition, Emitted, FinalScore, Game, Goal,
    Malformed, Outcome, Refusal, Role, Rulebook, Seat, SeatSet, Setup, Viewer, Warning,
};

use crate::client::choices::kinds::Choices;
use crate::editions::{phase_kinds, player_role};
use crate::rules::deadline::close;
use crate::rules::judge::refuse;
use crate::rules::orders::resolve;
use crate::rules::referee::Referee;
use crate::state::campaign::automata;
use crate::state::{
    Event, Insight, Options, Order, OwnEvent, Sheet, Stage, StellarConquest, Variant, View,
};

impl StellarConquest {
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

    fn seat_of(&self, by: Actor) -> Result<Seat, Refusal> {
        match by {
            Actor::Seat(seat) if seat.index() < self.table.seats() => Ok(seat),
            Actor::Seat(_) | Actor::GameMaster => not_a_seat(),
        }
    }

    fn decision(&self, seat: Seat) -> Decision {
        let stage = self.table.stage;
        let kind = match stage {
            Stage::Setup => "setup",
            Stage::Production => "production",
            Stage::Battle => "battle",
            Stage::Campaign(_) => "campaign",
            Stage::Movement | Stage::Combat | Stage::Planets | Stage::Over => "turn",
        };
        // All sheets of a turn belong to one phase. Other decisions are counted per seat.
        let number = if stage.is_simultaneous() {
            u64::from(self.table.turn)
        } else {
            u64::from(self.decided[seat.index()])
        };
        Decision {
            seat,
            kind,
            number,
            revisable: stage.is_simultaneous(),
            prompt: self.seat_view(seat).prompt(),
        }
    }
}

fn not_a_seat<T>() -> Result<T, Refusal> {
    refuse!("not-a-seat")
}

impl Game for StellarConquest {
    const ID: &'static str = "stellar-conquest";
    const NAME: &'static str = "Stellar Conquest";
    const SUMMARY: &'static str =
        "2 to 4 players explore, settle and conquer 54 stars in 44 turns.";
    const RULES_VERSION: u32 = 2;
    const WARNINGS: &'static [&'static str] = crate::client::warnings::CODES;

    type Options = Options;
    type Order = Order;
    type Event = Event;
    type View = View;

    fn editions() -> Vec<Edition<Options>> {
        Variant::ALL.map(crate::editions::edition).to_vec()
    }

    fn edition_of(options: &Options) -> &'static str {
        crate::editions::edition(options.variant).id
    }

    fn settings(edition: &Edition<Options>) -> &'static [Setting<Options>] {
        crate::state::settings::settings(edition.options.variant)
    }

    fn players(options: &Options) -> std::ops::RangeInclusive<usize> {
        options.players()
    }

    fn cast(options: &Options, players: usize) -> Cast {
        let (name, profile) = player_role(options.variant);
        let player = |seat: Seat| {
            let name =
                if players > 1 { format!("{name} {}", seat.number()) } else { name.to_owned() };
            Role { name, profile, abandoned: None, always_automated: false }
        };
        let roles = Seat::first(players).map(player).chain(automata(options.variant)).collect();
        Cast { roles, alike: true }
    }

    fn phase_kinds(options: &Options) -> &'static [&'static str] {
        phase_kinds(options.variant)
    }

    fn new(setup: &Setup<Options>, dice: &mut Dice) -> Result<(Self, Emitted<Event>), Refusal> {
        crate::rules::turn::set_up(setup, dice)
    }

    fn setup(&self) -> Setup<Options> {
        Setup { options: self.table.options, players: self.table.players }
    }

    fn pending(&self) -> Vec<Decision> {
        self.pending_seats().iter().map(|seat| self.decision(seat)).collect()
    }

    /// Returns false during private battles, because only the participants know whose decision is
    /// pending (rule 10). All other decisions are public.
    fn is_public(&self, _decision: &Decision) -> bool {
        self.table.stage != Stage::Battle || !self.table.options.private_battles
    }

    fn judge(&self, by: Actor, order: &Order) -> Result<(), Refusal> {
        self.seat_view(self.seat_of(by)?).judge(order)
    }

    fn is_revisable(order: &Order) -> bool {
        matches!(order, Order::Outfit(_) | Order::Decree(_) | Order::Produce(_))
    }

    fn submit(
        &mut self,
        by: Actor,
        order: Order,
        dice: &mut Dice,
    ) -> Result<Emitted<Event>, Refusal> {
        let seat = self.seat_of(by)?;
        self.seat_view(seat).judge(&order)?;
        if order.ends_decision() {
            self.decided[seat.index()] = self.decided[seat.index()].saturating_add(1);
        }
        let mut referee = Referee::new(self, dice);
        resolve(&mut referee, seat, order);
        Ok(referee.told)
    }

    fn take_back(&mut self, seat: Seat) -> Result<Emitted<Event>, Refusal> {
        let seat = self.seat_of(Actor::Seat(seat))?;
        if !self.table.stage.is_simultaneous() {
            return Err(Refusal::resolved("4"));
        }
        let event = Event::Own(OwnEvent::SheetStored { seat, sheet: Sheet::None });
        self.apply(&event);
        let mut told = Emitted::new();
        told.publish(Audience::seat(seat), event);
        Ok(told)
    }

    fn standing_orders(&self, seat: Seat) -> Vec<Order> {
        let Some(power) = self.truth.powers.get(seat.index()) else { return Vec::new() };
        match power.sheet.clone() {
            Sheet::None => Vec::new(),
            Sheet::Outfit(outfit) => vec![Order::Outfit(outfit)],
            Sheet::Production(sheet) => vec![Order::Produce(sheet)],
            Sheet::Decree(sheet) => vec![Order::Decree(sheet)],
        }
    }

    fn close(&mut self, why: CloseCause, dice: &mut Dice) -> Emitted<Event> {
        for seat in self.pending_seats().iter() {
            self.decided[seat.index()] = self.decided[seat.index()].saturating_add(1);
        }
        let mut referee = Referee::new(self, dice);
        close(&mut referee, why);
        referee.told
    }

    fn view(&self, viewer: Viewer) -> View {
        let insight = match viewer {
            Viewer::Seat(seat) => match self.truth.powers.get(seat.index()) {
                Some(power) => Insight::Seat(seat, Box::new(power.clone())),
                None => Insight::Spectator,
            },
            Viewer::Spectator => Insight::Spectator,
            Viewer::GameMaster => Insight::GameMaster(Box::new(self.truth.clone())),
        };
        let table = match (&insight, viewer) {
            (Insight::GameMaster(_), _) => self.table.clone(),
            (Insight::Seat(seat, _), _) => self.seen_by(SeatSet::one(*seat)),
            (Insight::Spectator, _) => self.seen_by(SeatSet::EMPTY),
        };
        View { table, insight }
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
        crate::client::warnings::warnings(view, next)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.table.ending.as_ref().map(crate::rules::victory::outcome)
    }

    fn declared(&self, winners: SeatSet) -> Outcome {
        crate::rules::victory::declared(self, winners)
    }

    fn final_score(&self, names: &dyn Fn(Seat) -> String) -> FinalScore {
        crate::rules::victory::final_score(self, names)
    }

    fn goals(view: &View) -> Vec<Goal> {
        crate::rules::goals::goals(view)
    }

    fn alive(&self) -> SeatSet {
        self.table.player_seats().filter(|&seat| self.table.campaign.plays(seat)).collect()
    }

    fn on_turn(&self) -> Option<Seat> {
        let sequential = !self.table.stage.is_simultaneous() && !self.table.is_over();
        sequential.then_some(self.table.active)
    }

    fn round(&self) -> u64 {
        self.table.turn.into()
    }

    fn progress(&self) -> String {
        match self.table.stage {
            Stage::Setup => "setup".to_owned(),
            Stage::Production => format!(
                "production after turn {} of {}",
                self.table.turn,
                crate::state::table::TURNS
            ),
            Stage::Over => format!("ended after turn {}", self.table.turn),
            Stage::Campaign(_)
            | Stage::Movement
            | Stage::Combat
            | Stage::Battle
            | Stage::Planets => {
                format!("turn {} of {}", self.table.turn, crate::state::table::TURNS)
            }
        }
    }

    fn describe(event: &Event, names: &dyn Fn(Seat) -> String) -> (String, &'static str) {
        crate::client::describe::describe(event, names)
    }

    fn primer() -> [&'static str; 2] {
        [include_str!("../terms.tsv"), include_str!("../guides.tsv")]
    }

    fn rulebook() -> &'static Rulebook {
        &crate::tables::rulebook::RULEBOOK
    }

    fn rule_of(edition: &str, number: &str) -> Option<&'static str> {
        let has = |variant| crate::tables::rulebook::is_of(variant, number);
        let variant = Variant::ALL
            .into_iter()
            .find(|&variant| crate::editions::edition(variant).id == edition);
        Self::rule(number).filter(|_| variant.is_some_and(has))
    }

    fn parse(view: &View, text: &str) -> Result<Vec<Order>, Malformed> {
        crate::client::notation::parse(view, text)
    }

    fn notate(order: &Order) -> String {
        crate::client::notation::notate(order)
    }

    fn sample(view: &View, rng: &mut dyn FnMut() -> u64) -> Self {
        crate::client::sample::sample(view, rng)
    }

    fn check(&self) -> Result<(), String> {
        self.integrity().map_err(|fault| fault.to_string())
    }
}
