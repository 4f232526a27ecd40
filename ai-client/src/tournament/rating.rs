//! Ratings of players by the Weng-Lin model.

use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};

use super::match_up::GameReport;
use super::player::Player;
use super::report::score_in;
use super::statistics::Estimate;

/// The half width of a 95% interval, in standard deviations.
const INTERVAL: f64 = 1.96;

/// Returns the ratings of the players after all sets. In each set, the order of the mean scores is
/// one result, because the games of a set are not independent.
pub(super) fn ratings(sets: &[Vec<GameReport>], players: &[Player]) -> Vec<Estimate> {
    let mut ratings = vec![WengLinRating::new(); players.len()];
    for set in sets.iter().filter(|_| players.len() > 1) {
        let scores: Vec<f64> = players.iter().map(|&player| score_in(set, player)).collect();
        let place = |own: f64| 1 + scores.iter().filter(|&&other| other > own).count();
        let teams: Vec<[WengLinRating; 1]> = ratings.iter().map(|&rating| [rating]).collect();
        let result: Vec<_> = teams
            .iter()
            .zip(&scores)
            .map(|(team, &score)| (&team[..], MultiTeamOutcome::new(place(score))))
            .collect();
        ratings = weng_lin_multi_team(&result, &WengLinConfig::new()).concat();
    }
    let estimate = |rating: WengLinRating| Estimate {
        mean: rating.rating,
        margin: INTERVAL * rating.uncertainty,
    };
    ratings.into_iter().map(estimate).collect()
}
