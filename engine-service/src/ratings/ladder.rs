//! The arithmetic of ratings: Glicko-2 for two seats, and the Weng-Lin model for more.
//!
//! Both models use the scale of Glicko-2. The Weng-Lin model has no scale of its own: multiplying
//! its three constants by a number multiplies all ratings by that number.

use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2};
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};
use skillratings::{MultiTeamOutcome, Outcomes};

const START: f64 = 1500.0;
const START_DEVIATION: f64 = 350.0;
const START_VOLATILITY: f64 = 0.06;
/// Half of the deviation at the start, as in OpenSkill.
const BETA: f64 = START_DEVIATION / 2.0;
/// The minimum deviation. With a smaller one, a rating could no longer follow a player's skill.
const DEVIATION_MIN: f64 = 30.0;
/// The deviation above which a rating is provisional: two players with it and a difference of 300
/// points are in the right order with a probability of 97%.
pub(super) const CERTAIN_BELOW: f64 = 110.0;

/// The rating of a player or of a level of automation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Standing {
    pub(super) rating: f64,
    pub(super) deviation: f64,
    /// Only for two seats.
    pub(super) volatility: f64,
}

impl Default for Standing {
    fn default() -> Self {
        Self { rating: START, deviation: START_DEVIATION, volatility: START_VOLATILITY }
    }
}

impl Standing {
    fn bounded(self) -> Self {
        Self { deviation: self.deviation.clamp(DEVIATION_MIN, START_DEVIATION), ..self }
    }
}

/// Returns the ratings after a game. `seats` has the entity (an index of `before`) and the place of
/// each seat. An entity with several seats gets the mean of their changes.
pub(super) fn rate(before: &[Standing], seats: &[(usize, u32)]) -> Vec<Standing> {
    let after = match seats {
        [one, other] => two(before, *one, *other),
        several => many(before, several),
    };
    let mean = |entity: usize| {
        let own = seats.iter().zip(&after).filter(|((of, _), _)| *of == entity);
        let own: Vec<&Standing> = own.map(|(_, after)| after).collect();
        let mean = |value: fn(&Standing) -> f64| {
            own.iter().copied().map(value).sum::<f64>() / own.len() as f64
        };
        Standing {
            rating: mean(|one| one.rating),
            deviation: mean(|one| one.deviation),
            volatility: mean(|one| one.volatility),
        }
    };
    (0..before.len()).map(|entity| mean(entity).bounded()).collect()
}

fn two(before: &[Standing], one: (usize, u32), other: (usize, u32)) -> Vec<Standing> {
    let glicko = |(entity, _): (usize, u32)| {
        let Standing { rating, deviation, volatility } = before[entity];
        Glicko2Rating { rating, deviation, volatility }
    };
    let outcome = match one.1.cmp(&other.1) {
        std::cmp::Ordering::Less => Outcomes::WIN,
        std::cmp::Ordering::Equal => Outcomes::DRAW,
        std::cmp::Ordering::Greater => Outcomes::LOSS,
    };
    let (first, second) = glicko2(&glicko(one), &glicko(other), &outcome, &Glicko2Config::new());
    let standing = |Glicko2Rating { rating, deviation, volatility }| Standing {
        rating,
        deviation,
        volatility,
    };
    vec![standing(first), standing(second)]
}

fn many(before: &[Standing], seats: &[(usize, u32)]) -> Vec<Standing> {
    let config = WengLinConfig { beta: BETA, ..WengLinConfig::new() };
    let players: Vec<[WengLinRating; 1]> = seats
        .iter()
        .map(|&(entity, _)| {
            let Standing { rating, deviation: uncertainty, .. } = before[entity];
            [WengLinRating { rating, uncertainty }]
        })
        .collect();
    let teams: Vec<_> = players
        .iter()
        .zip(seats)
        .map(|(player, &(_, place))| (&player[..], MultiTeamOutcome::new(place as usize)))
        .collect();
    let after = weng_lin_multi_team(&teams, &config).into_iter().flatten();
    after
        .map(|WengLinRating { rating, uncertainty: deviation }| Standing {
            rating,
            deviation,
            volatility: 0.0,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounded(standing: &Standing) -> (i64, i64) {
        (standing.rating.round() as i64, standing.deviation.round() as i64)
    }

    /// The values of the crate's tests with one game per rating period.
    #[test]
    fn two_seats_are_rated_by_glicko_2() {
        let of = |rating, deviation| Standing { rating, deviation, ..Standing::default() };
        let after = rate(&[of(1500.0, 200.0), of(1400.0, 30.0)], &[(0, 1), (1, 2)]);
        assert_eq!(after.iter().map(rounded).collect::<Vec<_>>(), [(1564, 175), (1398, 32)]);
        let lost = rate(&[of(1500.0, 200.0), of(1400.0, 30.0)], &[(0, 2), (1, 1)]);
        assert!(lost[0].rating < 1500.0 && lost[1].rating > 1400.0, "{lost:?}");
        let even = rate(&[Standing::default(); 2], &[(0, 1), (1, 1)]);
        assert_eq!(even[0], even[1]);
        assert_eq!(rounded(&even[0]).0, 1500);
        assert!(even[0].deviation < START_DEVIATION);
    }

    #[test]
    fn several_seats_are_rated_by_their_places() {
        let after = rate(&[Standing::default(); 4], &[(0, 2), (1, 1), (2, 4), (3, 2)]);
        assert!(after[1].rating > after[0].rating, "{after:?}");
        assert_eq!(after[0], after[3], "equal places");
        assert!(after[0].rating > after[2].rating, "{after:?}");
        let sum: f64 = after.iter().map(|one| one.rating).sum();
        assert!((sum - 4.0 * START).abs() < 1e-6, "equal players exchange points: {sum}");
        assert!(after.iter().all(|one| one.deviation < START_DEVIATION));
    }

    #[test]
    fn an_entity_with_several_seats_gets_the_mean() {
        let bots = rate(&[Standing::default(); 2], &[(0, 2), (1, 1), (1, 3)]);
        assert_eq!(rounded(&bots[0]).0, 1500, "between the places of its opponent");
        assert_eq!(rounded(&bots[1]).0, 1500);
    }

    #[test]
    fn ratings_become_certain_and_stay_bounded() {
        let mut both = vec![Standing::default(); 2];
        let mut games = 0;
        while both[0].deviation > CERTAIN_BELOW {
            both = rate(&both, &[(0, 1 + games % 2), (1, 2 - games % 2)]);
            games += 1;
        }
        assert!((5..30).contains(&games), "{games} games");
        let mut table = vec![Standing::default(); 7];
        for game in 0..10_000_usize {
            let seats: Vec<_> = (0..7).map(|seat| (seat, ((seat + game) % 7) as u32)).collect();
            table = rate(&table, &seats);
        }
        assert!(table.iter().all(|one| one.deviation >= DEVIATION_MIN), "{table:?}");
        assert!(table.iter().all(|one| (one.rating - START).abs() < 200.0), "{table:?}");
    }

    #[test]
    fn a_better_player_gets_the_higher_rating() {
        let mut both = vec![Standing::default(); 3];
        for game in 0..60_u32 {
            let lucky = game % 4 == 0;
            let places = if lucky { [3, 1, 2] } else { [1, 2 + game % 2, 3 - game % 2] };
            both = rate(&both, &[(0, places[0]), (1, places[1]), (2, places[2])]);
        }
        assert!(both[0].rating > both[1].rating && both[0].rating > both[2].rating, "{both:?}");
    }
}
