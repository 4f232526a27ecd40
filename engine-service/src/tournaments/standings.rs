//! Points, ranks and tie-breaks.
//!
//! Points are counted in halves, and the Sonneborn-Berger score in quarters, because a draw is half
//! a point.

use heliopause_proto::v1::TournamentSystem;

/// A round with its decided and undecided tables. Entrants are indexes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Round {
    pub(crate) tables: Vec<Table>,
    pub(crate) byes: Vec<usize>,
}

/// A table of a round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Table {
    /// The entrants in the order of seats.
    pub(crate) seats: Vec<usize>,
    /// The places in the order of seats; 0 for an entrant who has left. Empty until the table is
    /// decided.
    pub(crate) places: Vec<u32>,
}

impl Table {
    /// Returns the result of one seat against another, in halves.
    fn against(&self, seat: usize, other: usize) -> u32 {
        match (self.places[seat], self.places[other]) {
            (0, _) => 0,
            (_, 0) => 2,
            (own, other) if own < other => 2,
            (own, other) if own == other => 1,
            _ => 0,
        }
    }

    fn others(&self, seat: usize) -> impl Iterator<Item = usize> {
        (0..self.seats.len()).filter(move |&other| other != seat)
    }

    /// Returns a seat's points in halves; 0 for an undecided table.
    pub(crate) fn halves(&self, seat: usize) -> u32 {
        if self.places.is_empty() {
            return 0;
        }
        self.others(seat).map(|other| self.against(seat, other)).sum()
    }
}

/// An entrant's results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) rank: u32,
    pub(crate) halves: u32,
    pub(crate) games: u32,
    pub(crate) won: u32,
    pub(crate) drawn: u32,
    pub(crate) byes: u32,
    /// In halves. 0 in a round robin.
    pub(crate) buchholz: u32,
    /// In quarters.
    pub(crate) berger: u32,
    /// In halves.
    pub(crate) direct: u32,
}

/// Returns the points of a bye, in halves: a win in a Swiss tournament, the mean result at rotating
/// tables. In a round robin, each entrant has equally many byes.
pub(super) fn bye_halves(system: TournamentSystem, seats: usize) -> u32 {
    match system {
        TournamentSystem::Swiss => 2,
        TournamentSystem::RotatingTables => seats as u32 - 1,
        TournamentSystem::RoundRobin | TournamentSystem::Unspecified => 0,
    }
}

/// Returns the results of all entrants, by index.
pub(super) fn standings(
    system: TournamentSystem,
    entrants: usize,
    seats: usize,
    rounds: &[Round],
) -> Vec<Line> {
    let mut lines = vec![Line::default(); entrants];
    let bye = bye_halves(system, seats);
    let decided = || {
        let tables = rounds.iter().flat_map(|round| &round.tables);
        tables.filter(|table| !table.places.is_empty())
    };
    for &entrant in rounds.iter().flat_map(|round| &round.byes) {
        lines[entrant].byes += 1;
        lines[entrant].halves += bye;
    }
    for table in decided() {
        let best = table.places.iter().filter(|&&place| place == 1).count();
        for (seat, &entrant) in table.seats.iter().enumerate() {
            let line = &mut lines[entrant];
            line.halves += table.halves(seat);
            line.games += 1;
            let is_best = table.places[seat] == 1;
            line.won += u32::from(is_best && best == 1);
            line.drawn += u32::from(is_best && best > 1);
        }
    }
    let halves: Vec<u32> = lines.iter().map(|line| line.halves).collect();
    let counts_opponents = system != TournamentSystem::RoundRobin;
    for table in decided() {
        for (seat, &entrant) in table.seats.iter().enumerate() {
            for other in table.others(seat) {
                let points = halves[table.seats[other]];
                lines[entrant].berger += table.against(seat, other) * points;
                lines[entrant].buchholz += if counts_opponents { points } else { 0 };
            }
        }
    }
    for (line, own) in lines.iter_mut().zip(&halves) {
        // A bye counts as a game against opponents with the same points.
        line.berger += line.byes * bye * own;
        line.buchholz += if counts_opponents { line.byes * (seats as u32 - 1) * own } else { 0 };
    }
    let tables: Vec<&Table> = decided().collect();
    add_direct_encounters(&mut lines, &tables);
    let key = |line: &Line| (line.halves, line.buchholz, line.berger, line.direct, line.won);
    let keys: Vec<_> = lines.iter().map(key).collect();
    for (line, own) in lines.iter_mut().zip(&keys) {
        line.rank = 1 + keys.iter().filter(|other| *other > own).count() as u32;
    }
    lines
}

/// Adds the points against equal entrants, if all equal entrants have met.
fn add_direct_encounters(lines: &mut [Line], tables: &[&Table]) {
    let entrants = lines.len();
    let mut between = vec![vec![None; entrants]; entrants];
    for table in tables {
        for (seat, &entrant) in table.seats.iter().enumerate() {
            for other in table.others(seat) {
                let sum = &mut between[entrant][table.seats[other]];
                *sum = Some(sum.unwrap_or(0) + table.against(seat, other));
            }
        }
    }
    let key = |line: &Line| (line.halves, line.buchholz, line.berger);
    let keys: Vec<_> = lines.iter().map(key).collect();
    for (entrant, line) in lines.iter_mut().enumerate() {
        let equals: Vec<usize> = (0..entrants).filter(|&one| keys[one] == keys[entrant]).collect();
        let have_met = equals
            .iter()
            .all(|&one| equals.iter().all(|&other| one == other || between[one][other].is_some()));
        if have_met {
            line.direct = equals.iter().filter_map(|&other| between[entrant][other]).sum();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(seats: &[usize], places: &[u32]) -> Table {
        Table { seats: seats.to_vec(), places: places.to_vec() }
    }

    fn round(tables: &[Table], byes: &[usize]) -> Round {
        Round { tables: tables.to_vec(), byes: byes.to_vec() }
    }

    #[test]
    fn a_win_is_a_point_a_draw_half_and_a_bye_depends_on_the_system() {
        let rounds = [
            round(&[table(&[0, 1], &[1, 2])], &[2]),
            round(&[table(&[2, 0], &[1, 1])], &[1]),
            round(&[table(&[1, 2], &[])], &[]),
        ];
        let halves = |system| {
            let lines = standings(system, 3, 2, &rounds);
            lines.iter().map(|line| line.halves).collect::<Vec<_>>()
        };
        assert_eq!(halves(TournamentSystem::Swiss), [3, 2, 3]);
        assert_eq!(halves(TournamentSystem::RoundRobin), [3, 0, 1]);
        let lines = standings(TournamentSystem::Swiss, 3, 2, &rounds);
        let counts = |line: &Line| (line.games, line.won, line.drawn, line.byes);
        assert_eq!(
            lines.iter().map(counts).collect::<Vec<_>>(),
            [(2, 1, 1, 0), (1, 0, 0, 1), (1, 0, 1, 1)]
        );
    }

    #[test]
    fn an_entrant_who_has_left_gets_nothing_even_against_another() {
        let lines = standings(
            TournamentSystem::Swiss,
            4,
            2,
            &[round(&[table(&[0, 1], &[0, 1]), table(&[2, 3], &[0, 0])], &[])],
        );
        assert_eq!(lines.iter().map(|line| line.halves).collect::<Vec<_>>(), [0, 2, 0, 0]);
    }

    #[test]
    fn a_table_for_several_counts_the_opponents_with_a_worse_place() {
        let lines = standings(
            TournamentSystem::RotatingTables,
            5,
            4,
            &[round(&[table(&[3, 0, 1, 2], &[2, 1, 2, 4])], &[4])],
        );
        assert_eq!(lines.iter().map(|line| line.halves).collect::<Vec<_>>(), [6, 3, 0, 3, 3]);
        assert_eq!((lines[0].won, lines[1].drawn), (1, 0));
    }

    /// FIDE handbook C.07: Buchholz before Sonneborn-Berger before the direct encounter.
    #[test]
    fn equal_points_are_ranked_by_tie_breaks() {
        // Entrants 0 and 1 both win once. Entrant 0 beats the stronger opponent.
        let rounds = [
            round(&[table(&[0, 2], &[1, 2]), table(&[1, 3], &[1, 2])], &[]),
            round(&[table(&[2, 3], &[1, 2]), table(&[0, 1], &[1, 1])], &[]),
        ];
        let lines = standings(TournamentSystem::Swiss, 4, 2, &rounds);
        assert_eq!(lines.iter().map(|line| line.halves).collect::<Vec<_>>(), [3, 3, 2, 0]);
        assert_eq!((lines[0].buchholz, lines[1].buchholz), (5, 3));
        assert_eq!((lines[0].berger, lines[1].berger), (2 * 2 + 3, 3));
        assert_eq!(lines.iter().map(|line| line.rank).collect::<Vec<_>>(), [1, 2, 3, 4]);
        let lines = standings(TournamentSystem::RoundRobin, 4, 2, &rounds);
        assert!(lines.iter().all(|line| line.buchholz == 0), "all opponents are the same");
        assert!(lines[0].rank < lines[1].rank, "by Sonneborn-Berger");
    }

    #[test]
    fn the_direct_encounter_decides_between_equals_who_have_all_met() {
        let wins = |pairs: &[(usize, usize)]| {
            let tables: Vec<Table> =
                pairs.iter().map(|&(one, other)| table(&[one, other], &[1, 2])).collect();
            [round(&tables, &[])]
        };
        // Entrants 0 and 1 both win twice, and 0 beats the stronger opponents.
        let rounds = wins(&[(0, 1), (1, 2), (2, 0), (1, 3), (0, 3), (3, 2)]);
        let lines = standings(TournamentSystem::RoundRobin, 4, 2, &rounds);
        assert_eq!((lines[0].halves, lines[1].halves), (4, 4));
        assert_eq!((lines[0].berger, lines[1].berger), (12, 8));
        let cycle = wins(&[(0, 1), (1, 2), (2, 0)]);
        let lines = standings(TournamentSystem::RoundRobin, 3, 2, &cycle);
        assert!(lines.iter().all(|line| line.rank == 1 && line.direct == 2), "{lines:?}");
        let two = wins(&[(0, 1), (2, 3)]);
        let lines = standings(TournamentSystem::Swiss, 4, 2, &two);
        assert_eq!(lines[0].direct, 0, "0 and 2 have not met");
        assert_eq!((lines[0].rank, lines[2].rank, lines[1].rank), (1, 1, 3));
    }
}
