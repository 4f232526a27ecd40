//! Rule 19: the players' progress towards victory, as known to one viewer.

use heliopause_kernel::{Goal, Seat};

use crate::rules::victory::{planets_of, victory_points, worth};
use crate::state::{
    Campaign, Fate, Insight, Level, Power, SeatView, StellarConquest, TURNS, Table, View,
};
use crate::tables::{PlanetId, StarId};

pub(crate) fn goals(view: &View) -> Vec<Goal> {
    let table = &view.table;
    if table.is_over() {
        return Vec::new();
    }
    let mut goals = match &table.campaign {
        Campaign::Fate(fate) => captain(view).map(|power| level(fate, power)).into_iter().collect(),
        Campaign::Conquest | Campaign::OuterSpace(_) => points(view),
    };
    goals.push(clock(table));
    goals
}

fn clock(table: &Table) -> Goal {
    let (value, target) = (i64::from(table.turn), i64::from(TURNS));
    let sentence = format!("Turn {value}; the game ends after turn {target}.");
    Goal { seat: None, label: "turns", value, target: Some(target), rule: "19", sentence }
}

fn captain(view: &View) -> Option<&Power> {
    match &view.insight {
        Insight::Seat(seat, power) => (*seat == Fate::captain()).then_some(&**power),
        Insight::Spectator => None,
        Insight::GameMaster(truth) => truth.powers.get(Fate::captain().index()),
    }
}

fn level(fate: &Fate, power: &Power) -> Goal {
    let value = fate.score(power).total();
    let (now, next) = (Level::of(value), Level::ALL.into_iter().find(|level| value < level.from()));
    let sentence = match next {
        Some(next) => {
            let (name, from) = (next.as_str(), next.from());
            format!("{}, a {now}; a {name} starts at {from}.", victory_points(value))
        }
        None => format!("{}, a {now}.", victory_points(value)),
    };
    let target = next.map(Level::from);
    let (seat, label) = (Some(Fate::captain()), "victory points");
    Goal { seat, label, value, target, rule: "fate-11", sentence }
}

fn points(view: &View) -> Vec<Goal> {
    let goal = |seat, value: i64| {
        let points = victory_points(value);
        let sentence = format!("{points} as far as known; the most points win.");
        let (seat, label) = (Some(seat), "victory points");
        Goal { seat, label, value, target: None, rule: "19.1", sentence }
    };
    match &view.insight {
        Insight::Seat(seat, power) => {
            let seat_view = SeatView { seat: *seat, table: &view.table, power };
            vec![goal(*seat, seat_view.points())]
        }
        Insight::Spectator => Vec::new(),
        Insight::GameMaster(truth) => {
            let game = StellarConquest::of(view.table.clone(), (**truth).clone());
            view.table.player_seats().map(|seat| goal(seat, game.points(seat))).collect()
        }
    }
}

impl SeatView<'_> {
    fn points(self) -> i64 {
        let known = |star: &StarId| self.power.has_explored(*star);
        StarId::ALL.into_iter().filter(known).map(|star| self.points_of(star)).sum()
    }

    fn points_of(self, star: StarId) -> i64 {
        let Some(card) = self.power.chart(star).card else { return 0 };
        let planets = planets_of(star).filter_map(|planet| Some((planet, planet.on(card)?)));
        planets
            .filter(|&(planet, world)| worth(world.kind) > 0 && self.seems_to_control(planet))
            .map(|(_, world)| worth(world.kind))
            .sum()
    }

    /// Returns whether the seat controls a planet, given its last sightings of others (rule 19.2).
    fn seems_to_control(self, planet: PlanetId) -> bool {
        let Self { seat, table, power } = self;
        let (star, at) = (planet.star, planet.star.at());
        let holds_slaves = table.campaign.scores_without_guard(seat, star);
        if let Some(colony) = power.colony(planet) {
            return colony.conqueror().is_none();
        }
        if power.prize(planet).is_some() {
            return holds_slaves || power.has_warship_at(at, &table.options);
        }
        if power.chart(star).colonies[usize::from(planet.nth)].is_some() {
            return false;
        }
        let is_enemy = |other: Seat| table.campaign.are_enemies(seat, other, at);
        let settled = power.colonies_of(star).any(|colony| colony.conqueror().is_none());
        table.has_ships(seat, at) || (settled && !table.others_at(seat, at).any(is_enemy))
    }
}
