//! How a game ended, and how far the seats have come, in numbers.
//!
//! The journal has the outcome as the rules decide it. The numbers around it follow from the final
//! position, so they are made whenever somebody looks.

use heliopause_kernel::{Goal, Reckoning, ScoreLine, Seat, SeatSet, Viewer, named};
use heliopause_proto::v1::{self as v1, GameStatus, GameView};

use crate::registry::Kind;
use crate::{Fault, Table};

/// How many winners a heading names.
const NAMED: usize = 3;

impl Table {
    /// How the game ended, with its numbers.
    pub fn outcome(&self) -> Option<v1::Outcome> {
        let outcome = self.state.outcome.clone()?;
        let Some(game) = self.game.as_deref().filter(|_| self.status() == GameStatus::Ended) else {
            return Some(outcome);
        };
        let Reckoning { summary, level, lines } = game.reckon(&|seat| self.name(seat));
        let scores = scores(&outcome, &lines);
        let by_rules = !outcome.declared;
        let summary = if by_rules { summary } else { outcome.summary.clone() };
        let level = if by_rules { level } else { "" };
        Some(v1::Outcome { summary, level: level.to_owned(), scores, ..outcome })
    }

    /// What a viewer may know, and what each seat is on the way to as they know it; nothing before
    /// the game has started.
    pub fn view_and_goals(&self, viewer: Viewer) -> Option<(GameView, Vec<v1::Goal>)> {
        if let Viewer::Seat(seat) = viewer {
            self.assert_seat(seat);
        }
        let (view, goals) = self.game.as_ref()?.view_and_goals(viewer);
        Some((view, goals.into_iter().map(goal).collect()))
    }

    /// How the game ended, for lists and headings.
    pub(crate) fn headline(&self) -> String {
        let Some(outcome) = &self.state.outcome else { return "over".to_owned() };
        let winners = seats(&outcome.winners);
        let who = match winners.len() {
            0..=NAMED => named(winners, &|seat| self.name(seat)),
            more => format!("{more} players"),
        };
        match (outcome.draw, winners.is_empty()) {
            (true, true) => "a draw".to_owned(),
            (true, false) => format!("a draw between {who}"),
            (false, true) => "nobody won".to_owned(),
            (false, false) => format!("won by {who}"),
        }
    }
}

fn seats(numbers: &[u32]) -> SeatSet {
    numbers.iter().filter_map(|&number| Seat::numbered(number)).collect()
}

/// The players' seats, the best first.
fn scores(outcome: &v1::Outcome, lines: &[Vec<ScoreLine>]) -> Vec<v1::Score> {
    let winners = seats(&outcome.winners);
    // Whoever shares a draw has no more of it than the others, whatever their points are.
    let rank = |seat: Seat, points: i64| {
        let wins = winners.contains(seat);
        (wins, if wins && outcome.draw { 0 } else { points })
    };
    let players = Seat::first(outcome.points.len()).zip(outcome.points.iter().copied());
    let mut ranked: Vec<_> =
        players.map(|(seat, points)| (rank(seat, points), seat, points)).collect();
    ranked.sort_by_key(|&(rank, seat, _)| (std::cmp::Reverse(rank), seat));
    let score = |&(rank, seat, points): &((bool, i64), Seat, i64)| v1::Score {
        seat: seat.number(),
        place: 1 + ranked.iter().filter(|other| other.0 > rank).count() as u32,
        points,
        lines: lines.get(seat.index()).into_iter().flatten().map(line).collect(),
    };
    ranked.iter().map(score).collect()
}

fn line(line: &ScoreLine) -> v1::ScoreLine {
    let ScoreLine { label, value, rule } = *line;
    v1::ScoreLine { label: label.to_owned(), value, rule: rule.to_owned() }
}

/// What each seat is on the way to, as a view of the past tells it.
pub fn goals(kind: &Kind, view: &GameView) -> Result<Vec<v1::Goal>, Fault> {
    Ok(kind.rules.goals(view)?.into_iter().map(goal).collect())
}

fn goal(goal: Goal) -> v1::Goal {
    let Goal { seat, label, value, target, rule, sentence } = goal;
    let seat = seat.map(Seat::number);
    v1::Goal { seat, label: label.to_owned(), value, target, rule: rule.to_owned(), sentence }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(winners: &[u32], draw: bool, points: &[i64]) -> Vec<(u32, u32)> {
        let (winners, points) = (winners.to_vec(), points.to_vec());
        let outcome = v1::Outcome { winners, draw, points, ..v1::Outcome::default() };
        scores(&outcome, &[]).iter().map(|score| (score.seat, score.place)).collect()
    }

    #[test]
    fn winners_come_first_and_equal_results_have_equal_places() {
        assert_eq!(places(&[2], false, &[0, 100, 0]), [(2, 1), (1, 2), (3, 2)]);
        assert_eq!(places(&[3], false, &[9, 4, 2]), [(3, 1), (1, 2), (2, 3)]);
        assert_eq!(places(&[1, 3], true, &[4, 9, 5]), [(1, 1), (3, 1), (2, 3)]);
        assert_eq!(places(&[], false, &[0, 0]), [(1, 1), (2, 1)]);
        assert_eq!(places(&[1, 3], false, &[4, 9, 5]), [(3, 1), (1, 2), (2, 3)]);
    }
}
