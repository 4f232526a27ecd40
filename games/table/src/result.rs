//! A game's outcome, and the goals of its seats in numbers.
//!
//! The journal stores the outcome that the rules decide. All other numbers are computed from the
//! final position on each read.

use heliopause_kernel::{FinalScore, Goal, ScoreLine, Seat, SeatSet, Viewer, named};
use heliopause_proto::store::v1::{entrant, seat_state};
use heliopause_proto::v1::{self as v1, GameStatus, GameView};

use crate::dedication::is_deserted;
use crate::registry::Kind;
use crate::{Fault, Table};

const WINNERS_NAMED: usize = 3;

/// The result of a player's seat. It belongs to the occupant at the start of the game.
#[derive(Clone, Debug)]
pub struct SeatResult<'a> {
    pub seat: Seat,
    pub entrant: &'a entrant::Who,
    /// The role, or an empty string if seats differ only in their number.
    pub role: &'a str,
    /// The rank, 1 for the best.
    pub place: u32,
    pub won: bool,
    pub drawn: bool,
    /// Whether the player left the seat before the end, or left it to automation.
    pub left: bool,
}

impl Table {
    /// Returns whether the outcome changes ratings: the game is rated and ended by its rules.
    pub fn counts_for_ratings(&self) -> bool {
        let by_rules = self.state.outcome.as_ref().is_some_and(|outcome| !outcome.declared);
        self.created().rated && self.status() == GameStatus::Ended && by_rules
    }

    /// Returns the number of seats for players.
    pub fn player_seats(&self) -> usize {
        self.players()
    }

    /// Returns the results of an ended game. A player who left has the place after all others.
    pub fn results(&self) -> Vec<SeatResult<'_>> {
        let outcome =
            self.outcome().filter(|_| self.status() == GameStatus::Ended).unwrap_or_default();
        let winners = seats(&outcome.winners);
        let is_first = |score: &&v1::Score| score.place == 1;
        // Without winners, players who share the first place have drawn.
        let tie = winners.is_empty()
            && !outcome.draw
            && outcome.scores.iter().filter(is_first).count() > 1;
        let result = |seat: Seat| {
            let entrant = self.state.seats[seat.index()].entrant.as_ref()?.who.as_ref()?;
            let left = self.has_left(seat);
            let score = outcome.scores.iter().find(|score| score.seat == seat.number());
            let shares = winners.contains(seat) || (outcome.draw && winners.is_empty());
            Some(SeatResult {
                seat,
                entrant,
                role: if self.alike { "" } else { &self.roles[seat.index()].name },
                place: score
                    .filter(|_| !left)
                    .map_or(self.players() as u32 + 1, |score| score.place),
                won: shares && !outcome.draw && !left,
                drawn: !left
                    && (shares && outcome.draw || tie && score.as_ref().is_some_and(is_first)),
                left,
            })
        };
        Seat::first(self.players()).filter_map(result).collect()
    }

    /// Returns whether the player who started the game in a seat has left it, or has left it to
    /// automation.
    fn has_left(&self, seat: Seat) -> bool {
        let state = &self.state.seats[seat.index()];
        let entrant = state.entrant.as_ref().and_then(|entrant| entrant.who.as_ref());
        match (entrant, &state.occupant) {
            (None | Some(entrant::Who::Automated(_)), _) => false,
            (Some(entrant::Who::Player(entrant)), Some(seat_state::Occupant::Player(person))) => {
                entrant.player_id != person.player_id || is_deserted(state)
            }
            (Some(entrant::Who::Player(_)), _) => true,
        }
    }

    /// Returns for each player's seat whether its first player has left or abandoned it.
    pub fn abandoned_seats(&self) -> Vec<bool> {
        let is_person = |seat: Seat| {
            let state = &self.state.seats[seat.index()];
            matches!(state.occupant, Some(seat_state::Occupant::Player(_)))
        };
        let seats = Seat::first(self.players());
        seats
            .map(|seat| self.has_left(seat) || (is_person(seat) && self.is_abandoned(seat)))
            .collect()
    }

    pub fn outcome(&self) -> Option<v1::Outcome> {
        let outcome = self.state.outcome.clone()?;
        let Some(game) = self.game.as_deref().filter(|_| self.status() == GameStatus::Ended) else {
            return Some(outcome);
        };
        let FinalScore { summary, level, lines, unit, decimals } =
            game.final_score(&self.all_names());
        let scores = scores(&outcome, &lines);
        let by_rules = !outcome.declared;
        let summary = if by_rules { summary } else { outcome.summary.clone() };
        let level = if by_rules { level } else { "" };
        let unit = if unit.is_empty() { outcome.unit.clone() } else { unit.to_owned() };
        Some(v1::Outcome { summary, level: level.to_owned(), scores, unit, decimals, ..outcome })
    }

    /// Returns a viewer's view with each seat's goals, or `None` before the start of the game.
    pub fn view_and_goals(&self, viewer: Viewer) -> Option<(GameView, Vec<v1::Goal>)> {
        if let Viewer::Seat(seat) = viewer {
            self.assert_seat(seat);
        }
        let (view, goals) = self.game.as_ref()?.view_and_goals(viewer);
        Some((view, goals.into_iter().map(goal).collect()))
    }

    pub(crate) fn headline(&self) -> String {
        let Some(outcome) = &self.state.outcome else { return "over".to_owned() };
        let winners = seats(&outcome.winners);
        let who = match winners.len() {
            0..=WINNERS_NAMED => named(winners, &|seat| self.name(seat)),
            more => format!("{more} players"),
        };
        match (outcome.draw, winners.is_empty()) {
            (true, true) => "a draw".to_owned(),
            (true, false) => format!("a draw between {who}"),
            (false, true) => "no winner".to_owned(),
            (false, false) => format!("won by {who}"),
        }
    }
}

fn seats(numbers: &[u32]) -> SeatSet {
    numbers.iter().filter_map(|&number| Seat::numbered(number)).collect()
}

fn scores(outcome: &v1::Outcome, lines: &[Vec<ScoreLine>]) -> Vec<v1::Score> {
    let winners = seats(&outcome.winners);
    // Players who share a draw have the same rank, regardless of their points.
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

/// Returns the goals of the seats and of the whole game, as visible in a view.
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
    use heliopause_proto::store::v1::{SeatState, StandInReason};

    use super::*;

    fn places(winners: &[u32], draw: bool, points: &[i64]) -> Vec<(u32, u32)> {
        let (winners, points) = (winners.to_vec(), points.to_vec());
        let outcome = v1::Outcome { winners, draw, points, ..v1::Outcome::default() };
        scores(&outcome, &[]).iter().map(|score| (score.seat, score.place)).collect()
    }

    #[test]
    fn a_player_who_left_has_the_last_place() {
        let (mut table, _) = crate::sample::begun("starships-at-large", None);
        let (winners, points) = (vec![2], vec![3, 5]);
        table.state.outcome = Some(v1::Outcome { winners, points, ..v1::Outcome::default() });
        table.state.set_status(GameStatus::Ended);
        let of = |table: &Table| {
            let results = table.results().into_iter();
            results.map(|one| (one.place, one.won, one.left)).collect::<Vec<_>>()
        };
        assert_eq!(of(&table), [(2, false, false), (1, true, false)]);
        assert!(!table.counts_for_ratings());
        let created = table.state.created.as_mut().expect("it was created");
        created.rated = true;
        assert!(table.counts_for_ratings());
        let seat = &mut table.state.seats[1];
        seat.set_stand_in_reason(StandInReason::Delegated);
        assert_eq!(of(&table)[1], (1, true, false), "a player on vacation has not left");
        table.state.seats[1].set_stand_in_reason(StandInReason::Missed);
        assert_eq!(of(&table)[1], (3, false, true));
        table.state.seats[1] = SeatState {
            occupant: Some(seat_state::Occupant::Automated(v1::AutomatedSeat::default())),
            entrant: table.state.seats[1].entrant.clone(),
            ..SeatState::default()
        };
        assert_eq!(of(&table)[1], (3, false, true));
        table.state.outcome.as_mut().expect("it ended").declared = true;
        assert!(!table.counts_for_ratings(), "an agreed draw does not count");
    }

    #[test]
    fn without_winners_a_shared_first_place_is_a_draw() {
        let (mut table, _) = crate::sample::begun("starships-at-large", None);
        table.state.set_status(GameStatus::Ended);
        for (points, expected) in [(vec![4, 4], [true, true]), (vec![4, 3], [false, false])] {
            table.state.outcome = Some(v1::Outcome { points, ..v1::Outcome::default() });
            let results = table.results();
            assert!(results.iter().map(|one| one.drawn).eq(expected));
            assert!(results.iter().all(|one| !one.won));
        }
    }

    #[test]
    fn winners_rank_first_and_ties_share_places() {
        assert_eq!(places(&[2], false, &[0, 100, 0]), [(2, 1), (1, 2), (3, 2)]);
        assert_eq!(places(&[3], false, &[9, 4, 2]), [(3, 1), (1, 2), (2, 3)]);
        assert_eq!(places(&[1, 3], true, &[4, 9, 5]), [(1, 1), (3, 1), (2, 3)]);
        assert_eq!(places(&[], false, &[0, 0]), [(1, 1), (2, 1)]);
        assert_eq!(places(&[1, 3], false, &[4, 9, 5]), [(3, 1), (1, 2), (2, 3)]);
    }
}
