//! Simulated battles: the mean result of several tries with the bot's own dice.

use heliopause_stellar_conquest::fate::tables;
use heliopause_stellar_conquest::{Arm, Bases, Fleet, Options, ShipKind};

use super::survey::cost;
use crate::chance::Rng;

/// Maximum number of rounds. Two sides that cannot hit each other would fight forever.
const MAX_ROUNDS: u32 = 40;

#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    pub(super) units: Vec<Arm>,
    /// Whether the ships fire again after a miss (12.6).
    pub(super) improved: bool,
}

impl Line {
    pub(super) fn ships(fleet: Fleet, improved: bool) -> Self {
        let units = ShipKind::ALL
            .into_iter()
            .flat_map(|kind| many(Arm::Ship(kind), fleet.count(kind)))
            .collect();
        Self { units, improved }
    }

    pub(super) fn bases(bases: Bases) -> Self {
        let units = many(Arm::MissileBase, bases.missile)
            .chain(many(Arm::AdvancedMissileBase, bases.advanced));
        Self { units: units.collect(), improved: false }
    }

    fn is_armed(&self, options: Options) -> bool {
        self.units.iter().any(|&arm| fires(arm, options))
    }

    pub(super) fn fleet(&self) -> Fleet {
        let kind = |arm: &Arm| match arm {
            Arm::Ship(kind) => Some(*kind),
            Arm::MissileBase | Arm::AdvancedMissileBase | Arm::Shield => None,
        };
        self.units.iter().filter_map(kind).collect()
    }
}

fn many(arm: Arm, count: u32) -> impl Iterator<Item = Arm> {
    // More units would hardly change the result.
    (0..count.min(60)).map(move |_| arm)
}

pub(super) fn fires(arm: Arm, options: Options) -> bool {
    match arm {
        Arm::Ship(kind) => options.is_warship(kind),
        Arm::MissileBase | Arm::AdvancedMissileBase => true,
        Arm::Shield => false,
    }
}

pub(super) fn chance_to_hit(gun: Arm, target: Arm, improved: bool, options: Options) -> f64 {
    let once = f64::from(options.odds(gun, target).of_36()) / 36.0;
    let again = improved && !gun.is_base();
    if again { once + (1.0 - once) * once } else { once }
}

/// Returns the target of each gun. A gun that cannot hit anything holds its fire.
pub(super) fn targets(
    guns: &[Arm],
    improved: bool,
    targets: &[Arm],
    options: Options,
    worth: impl Fn(Arm) -> f64,
) -> Vec<Option<usize>> {
    let mut order: Vec<usize> = (0..guns.len()).collect();
    order.sort_by_key(|&gun| (std::cmp::Reverse(strength(guns[gun])), gun));
    let mut survives = vec![1.0_f64; targets.len()];
    let mut aims = vec![None; guns.len()];
    for gun in order.into_iter().filter(|&gun| fires(guns[gun], options)) {
        let mut best: Option<(usize, f64, f64)> = None;
        for (at, &target) in targets.iter().enumerate() {
            let hit = chance_to_hit(guns[gun], target, improved, options);
            let gain = hit * worth(target) * survives[at];
            if gain > best.map_or(0.0, |(_, gain, _)| gain) {
                best = Some((at, gain, hit));
            }
        }
        if let Some((at, _, hit)) = best {
            survives[at] *= 1.0 - hit;
            aims[gun] = Some(at);
        }
    }
    aims
}

const fn strength(arm: Arm) -> u8 {
    match arm {
        Arm::Ship(ShipKind::DeathStar) => 3,
        Arm::Ship(ShipKind::Fighter) | Arm::AdvancedMissileBase => 2,
        Arm::Ship(ShipKind::Corvette) | Arm::MissileBase => 1,
        Arm::Ship(_) | Arm::Shield => 0,
    }
}

pub(super) fn threat_value(arm: Arm) -> f64 {
    match arm {
        Arm::MissileBase => 8.0,
        Arm::AdvancedMissileBase => 18.0,
        Arm::Ship(_) | Arm::Shield => cost(arm),
    }
}

pub(super) fn volley(side: &Line, other: &Line, options: Options, chance: &mut Rng) -> Vec<usize> {
    let aims = targets(&side.units, side.improved, &other.units, options, threat_value);
    let mut hit = Vec::new();
    for (gun, at) in aims.into_iter().enumerate().filter_map(|(gun, at)| at.map(|at| (gun, at))) {
        let odds = chance_to_hit(side.units[gun], other.units[at], side.improved, options);
        if !hit.contains(&at) && random_fraction(chance) < odds {
            hit.push(at);
        }
    }
    hit
}

pub(super) fn random_fraction(chance: &mut Rng) -> f64 {
    chance.below(1 << 20) as f64 / f64::from(1 << 20)
}

pub(super) fn remove(line: &mut Line, hit: &[usize]) {
    let mut nth = 0;
    line.units.retain(|_| {
        nth += 1;
        !hit.contains(&(nth - 1))
    });
}

/// Counts in the order of [`Arm::ALL`].
pub(super) type Counts = [f64; 7];

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Forecast {
    /// Probability that this side survives and the other has no armed unit left.
    pub(super) win: f64,
    pub(super) lost: Counts,
    pub(super) killed: Counts,
}

impl Forecast {
    pub(super) fn sum(counts: &Counts, worth: impl Fn(Arm) -> f64) -> f64 {
        Arm::ALL.iter().zip(counts).map(|(&arm, count)| count * worth(arm)).sum()
    }
}

pub(super) struct Encounter {
    pub(super) options: Options,
    pub(super) own: Line,
    pub(super) others: Vec<Line>,
    /// Whether the opponents are pirates, who may leave after a round (fate 7.6).
    pub(super) pirates: bool,
}

impl Encounter {
    pub(super) fn fight(&self, tries: u32, chance: &mut Rng) -> Forecast {
        let mut forecast = Forecast::default();
        for _ in 0..tries.max(1) {
            self.fight_on(&mut forecast, chance);
        }
        let tries = f64::from(tries.max(1));
        let mean = |counts: Counts| counts.map(|count| count / tries);
        Forecast {
            win: forecast.win / tries,
            lost: mean(forecast.lost),
            killed: mean(forecast.killed),
        }
    }

    fn fight_on(&self, forecast: &mut Forecast, chance: &mut Rng) {
        let mut own = self.own.clone();
        let mut won = true;
        for (nth, other) in self.others.iter().enumerate() {
            let mut other = other.clone();
            while_fighting(&mut own, &mut other, self, nth == 0 && self.pirates, forecast, chance);
            won = won && !other.is_armed(self.options) && own.is_armed(self.options);
            if !won {
                break;
            }
        }
        forecast.win += f64::from(u8::from(won));
    }
}

fn while_fighting(
    own: &mut Line,
    other: &mut Line,
    encounter: &Encounter,
    pirates: bool,
    forecast: &mut Forecast,
    chance: &mut Rng,
) {
    let options = encounter.options;
    for _ in 0..MAX_ROUNDS {
        if !own.is_armed(options) || other.units.is_empty() {
            return;
        }
        let (given, taken) =
            (volley(own, other, options, chance), volley(other, own, options, chance));
        count(&mut forecast.killed, other, &given);
        count(&mut forecast.lost, own, &taken);
        remove(other, &given);
        remove(own, &taken);
        if pirates && !own.units.is_empty() && !other.units.is_empty() && leave(own, other, chance)
        {
            other.units.clear();
        }
    }
}

fn count(counts: &mut Counts, line: &Line, hit: &[usize]) {
    for &at in hit {
        if let Some(nth) = Arm::ALL.iter().position(|&arm| arm == line.units[at]) {
            counts[nth] += 1.0;
        }
    }
}

fn leave(own: &Line, pirates: &Line, chance: &mut Rng) -> bool {
    let number = tables::disengagement_number(tables::difference(own.fleet(), pirates.fleet()));
    chance.below(6) < usize::from(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(counts: [u32; 5]) -> Line {
        Line::ships(Fleet::new(counts), false)
    }

    fn forecast(own: &Line, other: Line) -> Forecast {
        let (options, own) = (Options::default(), own.clone());
        let encounter = Encounter { options, own, others: vec![other], pirates: false };
        encounter.fight(400, &mut Rng::new(b"forecast", "test"))
    }

    #[test]
    fn missile_bases_never_beat_a_death_star() {
        let bases = Line::bases(Bases { missile: 5, advanced: 0 });
        let forecast = forecast(&line([0, 0, 0, 0, 1]), bases);
        let lost = Forecast::sum(&forecast.lost, cost);
        assert!(forecast.win > 0.999 && lost < 0.001, "{forecast:?}");
    }

    #[test]
    fn equal_sides_are_even_and_numbers_matter() {
        let even = forecast(&line([0, 0, 4, 0, 0]), line([0, 0, 4, 0, 0]));
        assert!((0.35..0.6).contains(&even.win), "{even:?}");
        assert!(forecast(&line([0, 0, 8, 0, 0]), line([0, 0, 4, 0, 0])).win > 0.9);
        assert!(forecast(&line([0, 0, 1, 0, 0]), line([0, 0, 4, 0, 0])).win < 0.1);
    }

    #[test]
    fn guns_spread_over_likely_hits() {
        let scouts = [Arm::Ship(ShipKind::Scout); 2];
        let corvettes = [Arm::Ship(ShipKind::Corvette); 2];
        let aims =
            |guns: &[Arm], at: &[Arm]| targets(guns, false, at, Options::default(), threat_value);
        assert_eq!(aims(&corvettes, &scouts), [Some(0), Some(1)]);
        assert_eq!(aims(&scouts, &corvettes), [None, None]);
    }
}
