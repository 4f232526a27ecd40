//! Rule 19: the end of the game.

use heliopause_kernel::{Outcome, Reckoning, ScoreLine, Seat, SeatSet, named};

use crate::rules::campaign::fate::score::Score;
use crate::rules::referee::Referee;
use crate::state::campaign::Grade;
use crate::state::campaign::fate::Level;
use crate::state::event::{Event, TableEvent};
use crate::state::position::StellarConquest;
use crate::state::table::Ending;
use crate::tables::cards::{PlanetId, PlanetType};
use crate::tables::stars::{PLANETS_MAX, StarId};

/// The outcome of an ending.
pub(crate) fn outcome(ending: &Ending) -> Outcome {
    let best = ending.points.iter().max().copied().unwrap_or(0);
    Outcome {
        winners: ending.winners,
        draw: false,
        points: ending.points.clone(),
        unit: "victory point",
        summary: format!("{best} victory points after turn {}.", crate::state::table::TURNS),
        rule: "19",
    }
}

/// The outcome when winners are declared.
pub(crate) fn declared(game: &StellarConquest, winners: SeatSet) -> Outcome {
    let points = game.table.player_seats().map(|seat| game.points(seat)).collect();
    Outcome {
        winners,
        draw: false,
        points,
        unit: "victory point",
        summary: String::new(),
        rule: "19",
    }
}

/// The end in numbers.
pub(crate) fn reckon(game: &StellarConquest, names: &dyn Fn(Seat) -> String) -> Reckoning {
    let lines = game.table.player_seats().map(|seat| game.score_lines(seat)).collect();
    let Some(ending) = &game.table.ending else {
        return Reckoning { lines, ..Reckoning::default() };
    };
    let (summary, level) = match ending.grade {
        Some(Grade::Fate(level)) => {
            let points = ending.points.first().copied().unwrap_or(0);
            (against_levels(points, level), level.as_str())
        }
        None => (why(game, ending, names), ""),
    };
    Reckoning { summary, level, lines }
}

/// 19.1: the points of the winners beside those of the next; in Alone in Outer Space the last power
/// that is left wins at once.
fn why(game: &StellarConquest, ending: &Ending, names: &dyn Fn(Seat) -> String) -> String {
    let turn = game.table.turn;
    let points = |seat: Seat| ending.points.get(seat.index()).copied().unwrap_or(0);
    let winners = ending.winners;
    let Some(best) = winners.iter().map(points).max() else {
        return format!("Nobody is left after turn {turn}.");
    };
    let left = game.table.player_seats().filter(|&seat| game.table.campaign.plays(seat)).count();
    if left < game.table.players && left == 1 {
        let last = named(winners, names);
        return format!("{last} is the last power left after turn {turn}, with {best} points.");
    }
    let others = Seat::first(ending.points.len()).filter(|&seat| !winners.contains(seat));
    let next = others.map(points).max();
    let next = next.map_or_else(String::new, |next| format!("; the next best has {next}"));
    let have = if winners.len() > 1 { "have each" } else { "has" };
    let unit = if best == 1 { "point" } else { "points" };
    format!("{} {have} {best} victory {unit} after turn {turn}{next}.", named(winners, names))
}

/// Fate 11: the points beside the level above.
fn against_levels(points: i64, level: Level) -> String {
    let next = Level::ALL.into_iter().find(|next| *next > level);
    let next =
        next.map_or_else(String::new, |next| format!("; a {next} begins at {}", next.from()));
    format!("{points} victory points are a {level}{next}.")
}

/// The planets of a star that there may be.
pub(crate) fn planets_of(star: StarId) -> impl Iterator<Item = PlanetId> {
    (0..PLANETS_MAX as u8).map(move |nth| PlanetId { star, nth })
}

/// 19.1: what control of a planet is worth.
pub(crate) const fn worth(kind: PlanetType) -> i64 {
    match kind {
        PlanetType::Terran => 3,
        PlanetType::SubTerran => 1,
        PlanetType::MinimalTerran | PlanetType::Barren => 0,
    }
}

impl StellarConquest {
    /// 19.1, 19.2: the points of a player, if the game ended now; fate 11.
    pub(crate) fn points(&self, seat: Seat) -> i64 {
        if let Some(score) = self.table.campaign.score(self.power(seat)) {
            return score;
        }
        let planets = StarId::ALL.into_iter().flat_map(planets_of);
        planets.map(|planet| self.points_for(seat, planet)).sum()
    }

    /// The numbers that a player's points are the sum of.
    fn score_lines(&self, seat: Seat) -> Vec<ScoreLine> {
        if let Some(fate) = self.table.campaign.fate() {
            return article_lines(fate.score(self.power(seat)));
        }
        let sum_of = |kind: PlanetType| -> i64 {
            let planets = StarId::ALL.into_iter().flat_map(planets_of);
            let alike = planets.filter(|planet| {
                let card = self.truth.secrets.cards[planet.star.index()];
                card.and_then(|card| planet.on(card)).is_some_and(|world| world.kind == kind)
            });
            alike.map(|planet| self.points_for(seat, planet)).sum()
        };
        vec![
            ScoreLine::new("Terran planets", sum_of(PlanetType::Terran), "19.1"),
            ScoreLine::new("Sub-Terran planets", sum_of(PlanetType::SubTerran), "19.1"),
        ]
    }

    fn points_for(&self, seat: Seat, planet: PlanetId) -> i64 {
        let card = self.truth.secrets.cards[planet.star.index()];
        let world = card.and_then(|card| planet.on(card));
        let worth = world.map_or(0, |world| worth(world.kind));
        if worth > 0 && self.controls(seat, planet) { worth } else { 0 }
    }

    /// 19.2: whether a player controls a planet.
    fn controls(&self, seat: Seat, planet: PlanetId) -> bool {
        let (power, at) = (self.power(seat), planet.star.at());
        if let Some((owner, colony)) = self.owner_of(planet) {
            // a, b
            return match colony.conqueror() {
                None => owner == seat,
                Some(by) => {
                    let star = planet.star;
                    let guard = || power.has_warship_at(at, &self.table.options);
                    by == seat && (self.table.campaign.scores_without_guard(seat, star) || guard())
                }
            };
        }
        // c, d
        self.table.has_ships(seat, at)
            || (self.has_colony(seat, planet.star) && !self.has_enemy_ships(seat, planet.star))
    }

    /// 19.2 d: whether a player has a colony at a star. Space, DR-50: slaves are a colony of their
    /// holder.
    fn has_colony(&self, seat: Seat, star: StarId) -> bool {
        let enslaves = |by| self.table.campaign.scores_without_guard(by, star);
        let power = self.power(seat);
        let own = power.colonies_of(star).any(|colony| !colony.conqueror().is_some_and(enslaves));
        own || (enslaves(seat) && power.prizes.iter().any(|prize| prize.colony.planet.star == star))
    }

    fn has_enemy_ships(&self, seat: Seat, star: StarId) -> bool {
        self.table
            .others_at(seat, star.at())
            .any(|other| self.table.campaign.are_enemies(seat, other, star.at()))
    }
}

/// Fate 11: what victory points are for.
fn article_lines(score: Score) -> Vec<ScoreLine> {
    let Score { pirates, planets, primes, sectors, losses } = score;
    let parts = [
        ("destroyed pirates", pirates),
        ("colonies and dominions", planets),
        ("Prime dominions", primes),
        ("sectors", sectors),
        ("lost ships", losses),
    ];
    parts.into_iter().map(|(label, value)| ScoreLine::new(label, value, "fate-11")).collect()
}

/// 19.1: the game is over.
pub(crate) fn end_game(referee: &mut Referee<'_>) {
    let points: Vec<i64> =
        referee.table().player_seats().map(|seat| referee.game.points(seat)).collect();
    let (winners, grade) = referee.table().campaign.judge_points(&points);
    referee.announce(Event::Table(TableEvent::Ended { ending: Ending { winners, points, grade } }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::colony::{Colony, Hold, Occupation};
    use crate::tables::ships::ShipKind;
    use crate::testing::{Scene, seat};

    #[test]
    fn bt_35_control_of_planets() {
        let mut scene = Scene::conquest(3);
        // A's colony on a T planet, with a fighter of B in the hex.
        scene.explored(seat(1), "Lalande", 57);
        scene.colony(seat(1), "Lalande", 0, |colony| Colony { hold: Hold::Besieged, ..colony });
        scene.ships(seat(2), "B18", &[(ShipKind::Fighter, 1)]);
        // A's conquered colony on an ST planet, guarded by B.
        scene.explored(seat(1), "Hydrae", 49);
        let hold = Hold::Occupied(Occupation { by: seat(2), waits: false });
        scene.colony(seat(1), "Hydrae", 1, |colony| Colony { hold, ..colony });
        scene.ships(seat(2), "P18", &[(ShipKind::Fighter, 1)]);
        // C's scout at an unoccupied T planet.
        scene.explored(seat(3), "Alcor", 25);
        scene.ships(seat(3), "L18", &[(ShipKind::Scout, 1)]);
        assert_eq!([1, 2, 3].map(|number| scene.game.points(seat(number))), [3, 1, 3]);
    }

    #[test]
    fn bt_35_an_unoccupied_planet_beside_a_besieged_colony() {
        let mut scene = Scene::conquest(2);
        scene.explored(seat(1), "Alcor", 24);
        scene.colony(seat(1), "Alcor", 0, |colony| colony);
        assert_eq!(scene.game.points(seat(1)), 4);
        scene.ships(seat(2), "L18", &[(ShipKind::Fighter, 1)]);
        assert_eq!([1, 2].map(|number| scene.game.points(seat(number))), [3, 1]);
    }

    #[test]
    fn rule_19_1_the_most_points_win_and_ties_share_br_22() {
        let mut scene = Scene::conquest(3);
        scene.explored(seat(1), "Alcor", 24);
        scene.colony(seat(1), "Alcor", 1, |colony| colony);
        scene.colony(seat(2), "Alcor", 0, |colony| colony);
        let campaign = &scene.game.table().campaign;
        let points: Vec<i64> = (1..=3).map(|number| scene.game.points(seat(number))).collect();
        assert_eq!(points, [1, 3, 0]);
        assert_eq!(campaign.judge_points(&points), (SeatSet::one(seat(2)), None));
        assert_eq!(campaign.judge_points(&[4, 4, 1]).0, SeatSet::first(2));
    }
}
