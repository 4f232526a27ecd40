//! The rules of Slingshot, cited by number.

use std::sync::LazyLock;

use heliopause_kernel::offer::{Draft, Kind, Offers, Range, Slot, Stock, Weight};
use heliopause_kernel::setting::Setting;
use heliopause_kernel::wire::{self, Read, Write};
use heliopause_kernel::{
    Actor, Audience, Cast, CloseCause, Decision, Dice, Draw, Edition, Emitted, FinalScore, Game,
    Goal, Malformed, Outcome, Refusal, Role, Rulebook, ScoreLine, Seat, SeatSet, Setup, Viewer,
    Warning, named,
};

use crate::table::{
    BURN_MAX, Event, FUEL, Options, Order, SETTINGS, Secret, Table, View, WIND_MAX,
};
use crate::words;

/// The messages of Slingshot under the names that every game uses. `Position` is a full view.
mod messages {
    pub(super) use heliopause_proto::slingshot::v1::{
        Event, Options, Order, View, View as Position,
    };
}

/// The complete state, which is the game master's view.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slingshot(View);

/// A writer that applies and publishes events. The state changes only by events, like the views.
struct EventWriter<'a> {
    state: &'a mut View,
    emitted: Emitted<Event>,
}

impl EventWriter<'_> {
    fn publish(&mut self, audience: Audience, event: Event) {
        debug_assert!(audience.game_master, "the game master must receive every event");
        self.state.apply(&event);
        self.emitted.publish(audience, event);
    }

    fn begin_round(&mut self, round: u16, dice: &mut Dice) {
        self.publish(Audience::everyone(), Event::RoundBegan { round });
        for seat in self.state.table.seats() {
            let draw = Draw::new("wind").at(round.into()).of(seat.number().into());
            let wind = dice.roll(draw, WIND_MAX.into()) as u8;
            self.publish(Audience::seat(seat), Event::WindDrawn { seat, wind });
        }
    }

    /// Moves all probes (rules 3 to 5). A sole leader decides next, unless the game is over.
    fn move_all(&mut self, dice: &mut Dice) {
        let View { table, secrets } = &*self.state;
        let moved = table.distances.iter().zip(secrets);
        let distances = moved
            .map(|(distance, own)| distance + u16::from(own.wind) + u16::from(own.burn))
            .collect();
        let moved = Table { distances, ..table.clone() };
        let (farthest, round) = (moved.farthest(), moved.round);
        let is_over = moved.distances.iter().any(|distance| *distance >= moved.options.distance);
        let leader = farthest.iter().next().filter(|_| farthest.len() == 1 && !is_over);
        self.publish(Audience::everyone(), Event::Moved { distances: moved.distances, leader });
        if is_over {
            self.publish(Audience::everyone(), Event::Ended { winners: farthest });
        } else if leader.is_none() {
            self.begin_round(round + 1, dice);
        }
    }

    fn swing(&mut self, leader: Seat, braked: Option<Seat>, dice: &mut Dice) {
        self.publish(Audience::everyone(), Event::LeaderDecided { leader, braked });
        self.begin_round(self.state.table.round + 1, dice);
    }
}

/// Judges an order, using only what its seat can see.
fn judge(View { table, secrets }: &View, seat: Seat, order: Order) -> Result<(), Refusal> {
    let Some(own) = secrets.first() else {
        return Err(Refusal::new("no-such-probe", "1", "This seat has no probe."));
    };
    if table.is_over() {
        return Err(Refusal::new("game-over", "5", "The game is over."));
    }
    match (order, table.leader) {
        (Order::Burn { fuel }, None) if fuel > BURN_MAX => {
            Err(Refusal::new("burn-too-long", "2", format!("Burn at most {BURN_MAX}."))
                .field("burn.fuel"))
        }
        (Order::Burn { fuel }, None) if fuel > own.fuel => Err(Refusal::new(
            "no-fuel",
            "2",
            format!("Not enough fuel: you have {} left.", own.fuel),
        )
        .field("burn.fuel")),
        (Order::Burn { .. }, None) | (Order::Coast, Some(_))
            if table.leader.is_none_or(|leader| leader == seat) =>
        {
            Ok(())
        }
        (Order::Brake { seat: other }, Some(leader)) if leader == seat => {
            let there = other != seat && other.index() < table.distances.len();
            let fault = || {
                Refusal::new("no-such-probe", "4", "Choose the seat of another probe.")
                    .field("brake.seat")
            };
            if there { Ok(()) } else { Err(fault()) }
        }
        (Order::Burn { .. } | Order::Brake { .. } | Order::Coast, Some(_)) => Err(Refusal::new(
            "not-now",
            "4",
            "Only the leader can act now: to hold a probe back, or to coast.",
        )),
        (Order::Burn { .. } | Order::Brake { .. } | Order::Coast, None) => Err(Refusal::new(
            "not-now",
            "2",
            "Plan a burn: no probe can be held back before the burns.",
        )),
    }
}

impl Game for Slingshot {
    const ID: &'static str = "slingshot";
    const NAME: &'static str = "Slingshot";
    const SUMMARY: &'static str =
        "Probes race to the heliopause, each driven by its own hidden wind.";
    const RULES_VERSION: u32 = 1;
    const WARNINGS: &'static [&'static str] = &["fuel-kept"];

    type Options = Options;
    type Order = Order;
    type Event = Event;
    type View = View;

    fn settings(_edition: &Edition<Options>) -> &'static [Setting<Options>] {
        SETTINGS
    }

    fn players(_options: &Options) -> std::ops::RangeInclusive<usize> {
        2..=6
    }

    fn cast(_options: &Options, players: usize) -> Cast {
        let role = |seat: Seat| Role {
            name: format!("Probe {}", seat.number()),
            profile: "probe",
            abandoned: None,
            always_automated: false,
        };
        Cast { roles: Seat::first(players).map(role).collect(), alike: true }
    }

    fn phase_kinds(_options: &Options) -> &'static [&'static str] {
        &["burn", "swing"]
    }

    fn new(setup: &Setup<Options>, dice: &mut Dice) -> Result<(Self, Emitted<Event>), Refusal> {
        let table = Table {
            options: setup.options.clone(),
            distances: vec![0; setup.players],
            round: 1,
            leader: None,
            winners: SeatSet::EMPTY,
        };
        let secrets =
            table.seats().map(|seat| Secret { seat, fuel: FUEL, wind: 0, burn: 0 }).collect();
        let mut state = View { table, secrets };
        let mut writer = EventWriter { state: &mut state, emitted: Emitted::new() };
        writer.begin_round(1, dice);
        let emitted = writer.emitted;
        Ok((Self(state), emitted))
    }

    fn setup(&self) -> Setup<Options> {
        Setup { options: self.0.table.options.clone(), players: self.0.table.distances.len() }
    }

    fn pending(&self) -> Vec<Decision> {
        if self.0.table.is_over() {
            return Vec::new();
        }
        let number = self.0.table.round.into();
        let burn = "Plan your burn.".to_owned();
        let swing = "You are ahead: hold another probe back, or coast.".to_owned();
        if let Some(seat) = self.0.table.leader {
            return vec![Decision { seat, kind: "swing", number, revisable: false, prompt: swing }];
        }
        let burns =
            |seat| Decision { seat, kind: "burn", number, revisable: true, prompt: burn.clone() };
        self.0.table.seats().map(burns).collect()
    }

    /// Returns true, because everyone can see which probe leads.
    fn is_public(&self, _decision: &Decision) -> bool {
        true
    }

    fn judge(&self, by: Actor, order: &Order) -> Result<(), Refusal> {
        match by {
            Actor::Seat(seat) => judge(&self.view(Viewer::Seat(seat)), seat, *order),
            Actor::GameMaster => Err(Refusal::new(
                "gm-only-watches",
                "",
                "The game master cannot give orders in this game.",
            )),
        }
    }

    fn is_revisable(order: &Order) -> bool {
        matches!(order, Order::Burn { .. })
    }

    fn submit(
        &mut self,
        by: Actor,
        order: Order,
        dice: &mut Dice,
    ) -> Result<Emitted<Event>, Refusal> {
        self.judge(by, &order)?;
        let mut writer = EventWriter { state: &mut self.0, emitted: Emitted::new() };
        if let Actor::Seat(seat) = by {
            match order {
                Order::Burn { fuel } => {
                    writer.publish(Audience::seat(seat), Event::Planned { seat, burn: fuel });
                }
                Order::Brake { seat: braked } => writer.swing(seat, Some(braked), dice),
                Order::Coast => writer.swing(seat, None, dice),
            }
        }
        Ok(writer.emitted)
    }

    fn take_back(&mut self, seat: Seat) -> Result<Emitted<Event>, Refusal> {
        if self.0.table.leader.is_some() {
            return Err(Refusal::resolved("4"));
        }
        let mut writer = EventWriter { state: &mut self.0, emitted: Emitted::new() };
        writer.publish(Audience::seat(seat), Event::Planned { seat, burn: 0 });
        Ok(writer.emitted)
    }

    fn close(&mut self, _why: CloseCause, dice: &mut Dice) -> Emitted<Event> {
        let (leader, is_over) = (self.0.table.leader, self.0.table.is_over());
        let mut writer = EventWriter { state: &mut self.0, emitted: Emitted::new() };
        match leader {
            _ if is_over => {}
            Some(leader) => writer.swing(leader, None, dice),
            None => writer.move_all(dice),
        }
        writer.emitted
    }

    fn view(&self, viewer: Viewer) -> View {
        let knows = |own: &&Secret| match viewer {
            Viewer::Seat(seat) => own.seat == seat,
            Viewer::Spectator => false,
            Viewer::GameMaster => true,
        };
        View {
            table: self.0.table.clone(),
            secrets: self.0.secrets.iter().filter(knows).copied().collect(),
        }
    }

    fn update(view: &mut View, event: &Event) {
        view.apply(event);
    }

    fn offers(&self, seat: Seat) -> Offers<Order> {
        let mut draft = Draft::new();
        let Some(own) = self.0.secret(seat) else { return draft.complete() };
        match self.0.table.leader {
            _ if self.0.table.is_over() => {}
            None => {
                let most = i32::from(own.fuel.min(BURN_MAX));
                let stock = draft.stock(Stock::new("Fuel", own.fuel.into(), "fuel"));
                let fuel = Kind::Number(Range { cost: 1, ..Range::of(0..=most) });
                let fuel = Slot::new("fuel", "how much", fuel);
                let offer = draft.offer("burn", "burn {fuel}", "Burn {fuel}", "2");
                offer.slot(fuel).paid_by(stock, 0);
            }
            Some(leader) if leader == seat => {
                let others: Vec<Seat> =
                    self.0.table.seats().filter(|other| *other != seat).collect();
                let others: Vec<_> = others
                    .iter()
                    .map(|other| draft.value(other.number().to_string(), other.to_string()))
                    .collect();
                let whom = draft.piece("seat", "whom", others);
                draft
                    .offer("brake", "brake {seat}", "Hold {seat} back", "4")
                    .slot(whom)
                    .weighs(Weight::Main);
                draft.offer("coast", "coast", "Hold no probe back", "4").is(Order::Coast);
            }
            Some(_) => {}
        }
        draft.complete()
    }

    /// Warns players who burn nothing, because they may have forgotten to plan a burn (rule 2).
    fn warnings(View { table, secrets }: &View, _next: Option<&Order>) -> Vec<Warning> {
        let plans = table.leader.is_none() && !table.is_over();
        let [Secret { fuel: fuel @ 1.., burn: 0, .. }] = secrets[..] else { return Vec::new() };
        if !plans {
            return Vec::new();
        }
        let sentence = format!("You burn no fuel in this round; {fuel} is left.");
        vec![Warning::new("fuel-kept", "2", sentence).mended_by("burn")]
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.table.is_over().then(|| Outcome {
            draw: self.0.table.winners.len() > 1,
            summary: "The heliopause is reached.".into(),
            rule: "5",
            ..self.declared(self.0.table.winners)
        })
    }

    fn declared(&self, winners: SeatSet) -> Outcome {
        let points = self.0.table.distances.iter().map(|distance| i64::from(*distance)).collect();
        Outcome { winners, draw: false, points, unit: "au", summary: String::new(), rule: "" }
    }

    fn final_score(&self, names: &dyn Fn(Seat) -> String) -> FinalScore {
        let table = &self.0.table;
        let line = |distance: &u16| vec![ScoreLine::new("au", i64::from(*distance), "3")];
        let lines = table.distances.iter().map(line).collect();
        let most = table.distances.iter().max().copied().unwrap_or(0);
        let (who, goal) = (named(table.winners, names), table.options.distance);
        let summary = format!("{who} reached {most} au; the heliopause is at {goal} au.");
        let summary = if table.is_over() { summary } else { String::new() };
        FinalScore { summary, lines, ..FinalScore::default() }
    }

    fn goals(view: &View) -> Vec<Goal> {
        let target = view.table.options.distance.into();
        let goal = |seat: Seat| {
            let value = view.table.distances[seat.index()].into();
            let sentence = format!("{value} of the {target} au to the heliopause.");
            let (seat, target) = (Some(seat), Some(target));
            Goal { seat, label: "au", value, target, rule: "5", sentence }
        };
        if view.table.is_over() { Vec::new() } else { view.table.seats().map(goal).collect() }
    }

    fn alive(&self) -> SeatSet {
        self.0.table.seats().collect()
    }

    fn on_turn(&self) -> Option<Seat> {
        self.0.table.leader
    }

    fn round(&self) -> u64 {
        self.0.table.round.into()
    }

    fn progress(&self) -> String {
        format!("round {}", self.0.table.round)
    }

    fn describe(event: &Event, names: &dyn Fn(Seat) -> String) -> (String, &'static str) {
        words::describe(event, names)
    }

    fn primer() -> [&'static str; 2] {
        [include_str!("../terms.tsv"), include_str!("../guides.tsv")]
    }

    fn rulebook() -> &'static Rulebook {
        static RULEBOOK: LazyLock<Rulebook> =
            LazyLock::new(|| Rulebook::new(include_str!("../rules.md")));
        &RULEBOOK
    }

    fn parse(_view: &View, text: &str) -> Result<Vec<Order>, Malformed> {
        words::parse(text)
    }

    fn notate(order: &Order) -> String {
        words::notate(*order)
    }

    fn sample(view: &View, rng: &mut dyn FnMut() -> u64) -> Self {
        let mut below = |most: u8| (rng() % u64::from(most + 1)) as u8;
        let unknown =
            |seat| Secret { seat, fuel: below(FUEL), wind: 1 + below(WIND_MAX - 1), burn: 0 };
        let mut secrets: Vec<Secret> = view.table.seats().map(unknown).collect();
        for own in &view.secrets {
            secrets[own.seat.index()] = *own;
        }
        Self(View { table: view.table.clone(), secrets })
    }

    fn check(&self) -> Result<(), String> {
        self.0.check().map_err(|fault| fault.to_string())
    }
}

impl Read<messages::View> for Slingshot {
    fn read(message: &messages::View) -> wire::Result<Self> {
        let state = View::read(message)?;
        state.check()?;
        Ok(Self(state))
    }
}

impl Write<messages::View> for Slingshot {
    fn write(&self) -> messages::View {
        self.0.write()
    }
}

heliopause_kernel::passage!(Slingshot, messages, {});
