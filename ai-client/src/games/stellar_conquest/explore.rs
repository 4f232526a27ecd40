//! Orders of scouts, and of warships in games with claims.

use heliopause_stellar_conquest::{ShipKind, StarId};

use super::moves::Moves;
use super::survey::Survey;

fn unknown(moves: &Moves<'_>) -> Vec<StarId> {
    let survey = moves.survey;
    let is_open = |star: &StarId| {
        let bound = moves.bound(*star);
        survey.card(*star).is_none()
            && survey
                .table
                .campaign
                .politics()
                .is_none_or(|politics| politics.claimant(*star).is_none())
            && !survey.is_hostile(star.at())
            && bound.count(ShipKind::Scout) == 0
            && bound.warships(&survey.table.options) == 0
    };
    StarId::ALL.into_iter().filter(is_open).collect()
}

pub(super) fn explore(
    moves: &mut Moves<'_>,
    kinds: impl Fn(ShipKind) -> bool,
    promise: impl Fn(&Survey<'_>, StarId) -> f64,
) {
    let survey = moves.survey;
    for muster in survey.ship_groups(kinds) {
        for ship in muster.ships {
            if !moves.is_free(&ship) {
                continue;
            }
            let score = |star| {
                let turns = f64::from(survey.travel(muster.at, star));
                (promise(survey, star) / (turns + 1.0), star)
            };
            let mut stars: Vec<(f64, StarId)> = unknown(moves)
                .into_iter()
                .filter(|star| !ship.kind().is_range_bound() || survey.command.reaches(star.at()))
                .map(score)
                .filter(|(score, _)| *score > 0.0)
                .collect();
            stars.sort_by(|a, b| b.0.total_cmp(&a.0));
            for (_, star) in stars.into_iter().take(4) {
                if moves.send(muster.at, &[ship], star) {
                    break;
                }
            }
        }
    }
}
