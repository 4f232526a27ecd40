//! Rule 19: the end of the game.

use heliopause_kernel::{FinalScore, Outcome, ScoreLine, Seat, SeatSet, named};

use crate::rules::campaign::fate::score::Score;
use crate::rules::referee::Referee;
use crate::state::{Ending, Event, Grade, Level, StellarConquest, TableEvent};
use crate::tables::{PLANETS_MAX, PlanetId, PlanetType, StarId};

pub(crate) fn outcome(ending: &Ending) -> Outcome {
    let best = ending.points.iter().max().copied().unwrap_or(0);
    Outcome {
        winners: ending.winners,
        draw: false,
        points: ending.points.clone(),
        unit: "victory point",
        summary: format!("{} after turn {}.", victory_points(best), crate::state::table::TURNS),
        rule: "19",
    }
}

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

pub(crate) fn final_score(game: &StellarConquest, names: &dyn Fn(Seat) -> String) -> FinalScore {
    let lines = game.table.player_seats().map(|seat| game.score_lines(seat)).collect();
    let Some(ending) = &game.table.ending else {
        return FinalScore { lines, ..FinalScore::default() };
    };
    let (summary, level) = match ending.grade {
        Some(Grade::Fate(level)) => {
            let points = ending.points.first().copied().unwrap_or(0);
            (against_levels(points, level), level.as_str())
        }
        None => (why(game, ending, names), ""),
    };
    FinalScore { summary, level, lines, ..FinalScore::default() }
}

fn why(game: &StellarConquest, ending: &Ending, names: &dyn Fn(Seat) -> String) -> String {
    let turn = game.table.turn;
    let points = |seat: Seat| ending.points.get(seat.index()).copied().unwrap_or(0);
    let winners = ending.winners;
    let Some(best) = winners.iter().map(points).max() else {
        return format!("No power is left after turn {turn}.");
    };
    let left = game.table.player_seats().filter(|&seat| game.table.campaign.plays(seat)).count();
    if left < game.table.players && left == 1 {
        let last = named(winners, names);
        let best = victory_points(best);
        return format!("{last} is the last power left after turn {turn}, with {best}.");
    }
    let others = Seat::first(ending.points.len()).filter(|&seat| !winners.contains(seat));
    let next = others.map(points).max();
    let next = next.map_or_else(String::new, |next| format!("; the next best has {next}"));
    let have = if winners.len() > 1 { "each have" } else { "has" };
    let best = victory_points(best);
    format!("{} {have} {best} after turn {turn}{next}.", named(winners, names))
}

pub(crate) fn victory_points(points: i64) -> String {
    format!("{points} victory {}", if points == 1 { "point" } else { "points" })
}

fn against_levels(points: i64, level: Level) -> String {
    let next = Level::ALL.into_iter().find(|next| *next > level);
    let next =
        next.map_or_else(String::new, |next| format!("; a {next} starts at {}", next.from()));
    format!("{}: a {level}{next}.", victory_points(points))
}

pub(crate) fn planets_of(star: StarId) -> impl Iterator<Item = PlanetId> {
    (0..PLANETS_MAX as u8).map(move |nth| PlanetId { star, nth })
}

pub(crate) const fn worth(kind: PlanetType) -> i64 {
    match kind {
        PlanetType::Terran => 3,
        PlanetType::SubTerran => 1,
        PlanetType::MinimalTerran | PlanetType::Barren => 0,
    }
}

impl StellarConquest {
    pub(crate) fn points(&self, seat: Seat) -> i64 {
        if let Some(score) = self.table.campaign.score(self.power(seat)) {
            return score;
        }
        let planets = StarId::ALL.into_iter().flat_map(planets_of);
        planets.map(|planet| self.points_for(seat, planet)).sum()
    }

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

    fn controls(&self, seat: Seat, planet: PlanetId) -> bool {
        let (power, at) = (self.power(seat), planet.star.at());
        if let Some((owner, colony)) = self.owner_of(planet) {
            // Rules 19.2 a and b, for a planet with a colony.
            return match colony.conqueror() {
                None => owner == seat,
                Some(by) => {
                    let star = planet.star;
                    let guard = || power.has_warship_at(at, &self.table.options);
                    by == seat && (self.table.campaign.scores_without_guard(seat, star) || guard())
                }
            };
        }
        // Rules 19.2 c and d, for a planet without a colony.
        self.table.has_ships(seat, at)
            || (self.has_colony(seat, planet.star) && !self.has_enemy_ships(seat, planet.star))
    }

    /// Returns whether a player has a colony at a star (rule 19.2 d). Slaves also count (space,
    /// DR-50).
    fn has_colony(&self, seat: Seat, star: StarId) -> bool {
        let enslaves = |by| self.table.campaign.scores_without_guard(by, star);
        let power = self.power(seat);
        let own = power.colonies_of(star).any(|colony| !colony.conqueror().is_some_and(enslaves));
        own || (enslaves(seat)
            && power.conquered_colonies.iter().any(|prize| prize.colony.planet.star == star))
    }

    fn has_enemy_ships(&self, seat: Seat, star: StarId) -> bool {
        self.table
            .others_at(seat, star.at())
            .any(|other| self.table.campaign.are_enemies(seat, other, star.at()))
    }
}

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

pub(crate) fn end_game(referee: &mut Referee<'_>) {
    let points: Vec<i64> =
        referee.table().player_seats().map(|seat| referee.game.points(seat)).collect();
    let (winners, grade) = referee.table().campaign.judge_points(&points);
    referee.publish_to_all(Event::Table(TableEvent::Ended {
        ending: Ending { winners, points, grade },
    }));
}
