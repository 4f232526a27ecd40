//! Pairings of a round.
//!
//! **Invariants.** No entrant is at two tables of a round. In a Swiss tournament, a pairing contains
//! a rematch only if every pairing does that gives the bye to an entrant with the fewest byes. The
//! numbers of byes of the active entrants differ by at most one. A pairing takes seats into account:
//! in games for two, nobody has one seat three times more often than the other unless every pairing
//! without rematches leads to that.

use std::cmp::Reverse;

use heliopause_proto::v1::TournamentSystem;

use super::lots::Lots;
use super::matching::Matching;
use super::standings::Round;

/// The number of random distributions that the search for tables starts from.
const STARTS: usize = 24;

/// A tournament before a round.
pub(super) struct Field<'a> {
    pub(super) system: TournamentSystem,
    /// The number of seats of a table.
    pub(super) seats: usize,
    pub(super) rounds: &'a [Round],
    /// The points of the entrants, in halves.
    pub(super) halves: &'a [u32],
    /// The entrants who have not withdrawn.
    pub(super) active: &'a [bool],
    /// All entrants, best first: by points, then by rating.
    pub(super) order: &'a [usize],
    pub(super) lots: u64,
}

/// The pairing of a round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Paired {
    /// The entrants of each table in the order of seats.
    pub(super) tables: Vec<Vec<usize>>,
    pub(super) byes: Vec<usize>,
}

/// What happened before the round.
struct Past {
    met: Vec<Vec<u32>>,
    byes: Vec<u32>,
    /// How often each entrant had each seat.
    had: Vec<Vec<u32>>,
    last_seat: Vec<Option<usize>>,
}

impl Past {
    fn of(entrants: usize, seats: usize, rounds: &[Round]) -> Self {
        let mut past = Self {
            met: vec![vec![0; entrants]; entrants],
            byes: vec![0; entrants],
            had: vec![vec![0; seats]; entrants],
            last_seat: vec![None; entrants],
        };
        for round in rounds {
            round.byes.iter().for_each(|&entrant| past.byes[entrant] += 1);
            for table in &round.tables {
                for (seat, &entrant) in table.seats.iter().enumerate() {
                    past.had[entrant][seat] += 1;
                    past.last_seat[entrant] = Some(seat);
                    for &other in table.seats.iter().filter(|&&other| other != entrant) {
                        past.met[entrant][other] += 1;
                    }
                }
            }
        }
        past
    }

    /// Returns how much more often an entrant had the first of two seats.
    fn balance(&self, entrant: usize) -> i64 {
        i64::from(self.had[entrant][0]) - i64::from(self.had[entrant][1])
    }

    /// Returns whether a game gives one of two entrants a balance of three.
    fn unbalances(&self, one: usize, other: usize) -> bool {
        let (one, other) = (self.balance(one), self.balance(other));
        (one >= 2 && other >= 2) || (one <= -2 && other <= -2)
    }

    /// Returns whether two entrants both had the same seat more often.
    fn conflicts(&self, one: usize, other: usize) -> bool {
        self.balance(one) * self.balance(other) > 0
    }

    /// Returns two entrants in the order of seats. `first` has the better rank.
    fn in_seats(&self, first: usize, second: usize, swap: bool) -> Vec<usize> {
        let wish = |entrant: usize| (self.balance(entrant), self.last_seat[entrant] == Some(0));
        let swaps = match wish(first).cmp(&wish(second)) {
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Greater => true,
            std::cmp::Ordering::Equal => swap,
        };
        if swaps { vec![second, first] } else { vec![first, second] }
    }
}

/// Returns the number of rounds of a tournament with this number of entrants. `wanted` is 0 for the
/// usual number.
pub(super) fn rounds(
    system: TournamentSystem,
    entrants: usize,
    seats: usize,
    wanted: usize,
    twice: bool,
) -> usize {
    let all_meet = entrants - 1 + entrants % 2;
    match system {
        TournamentSystem::RoundRobin => all_meet * if twice { 2 } else { 1 },
        TournamentSystem::RotatingTables => {
            if wanted == 0 {
                seats
            } else {
                wanted
            }
        }
        TournamentSystem::Swiss | TournamentSystem::Unspecified => {
            let usual = entrants.next_power_of_two().trailing_zeros() as usize;
            (if wanted == 0 { usual } else { wanted }).clamp(1, all_meet.max(1))
        }
    }
}

/// Pairs the next round. Returns no tables if too few entrants are active.
pub(super) fn pair(field: &Field<'_>) -> Paired {
    let past = Past::of(field.active.len(), field.seats, field.rounds);
    match field.system {
        TournamentSystem::RoundRobin => round_robin(field),
        TournamentSystem::RotatingTables => rotating_tables(field, &past),
        TournamentSystem::Swiss | TournamentSystem::Unspecified => swiss(field, &past),
    }
}

/// Berger's tables. Seats alternate, so nobody has one seat twice more often than the other.
/// Entrants who have withdrawn keep their tables.
fn round_robin(field: &Field<'_>) -> Paired {
    let entrants = field.active.len();
    // With an odd number, the last one is nobody.
    let circle = entrants + entrants % 2 - 1;
    let (number, again) = (field.rounds.len() % circle, field.rounds.len() / circle % 2 == 1);
    let mut paired = Paired::default();
    let mut seat = |first: usize, second: usize| match (first < entrants, second < entrants) {
        (true, true) if again => paired.tables.push(vec![second, first]),
        (true, true) => paired.tables.push(vec![first, second]),
        (true, false) => paired.byes.push(first),
        (false, _) => paired.byes.push(second),
    };
    if number % 2 == 0 {
        seat(number, circle);
    } else {
        seat(circle, number);
    }
    for distance in 1..=circle / 2 {
        let (plus, minus) = ((number + distance) % circle, (number + circle - distance) % circle);
        if distance % 2 == 1 { seat(plus, minus) } else { seat(minus, plus) }
    }
    paired
}

fn swiss(field: &Field<'_>, past: &Past) -> Paired {
    let active: Vec<usize> =
        field.order.iter().copied().filter(|&entrant| field.active[entrant]).collect();
    if active.len() < 2 {
        return Paired { tables: Vec::new(), byes: active };
    }
    let byes: Vec<Option<usize>> = if active.len().is_multiple_of(2) {
        vec![None]
    } else {
        let fewest = active.iter().map(|&entrant| past.byes[entrant]).min();
        let may = |entrant: &usize| Some(past.byes[*entrant]) == fewest;
        active.iter().rev().copied().filter(may).map(Some).collect()
    };
    let most = past.met.iter().flatten().copied().max().unwrap_or(0);
    // Allow what must be avoided only if there is no other way: first an unbalance, then rematches.
    let levels = [(0, false), (0, true)].into_iter().chain((1..=most).map(|met| (met, true)));
    for (met, unbalanced) in levels {
        let allowed = |one: usize, other: usize| {
            past.met[one][other] <= met && (unbalanced || !past.unbalances(one, other))
        };
        for bye in &byes {
            let players: Vec<usize> =
                active.iter().copied().filter(|&entrant| Some(entrant) != *bye).collect();
            if let Some(pairs) = matched(field, past, &players, allowed) {
                let swap = |table: usize| (table + field.lots as usize) % 2 == 1;
                let tables = pairs
                    .into_iter()
                    .enumerate()
                    .map(|(table, (first, second))| past.in_seats(first, second, swap(table)))
                    .collect();
                return Paired { tables, byes: bye.iter().copied().collect() };
            }
        }
    }
    unreachable!("all pairs are allowed in the end")
}

/// Pairs players, best first: the upper half of each score group against its lower half, as far as
/// the allowed pairs let all players be paired.
fn matched(
    field: &Field<'_>,
    past: &Past,
    players: &[usize],
    allowed: impl Fn(usize, usize) -> bool,
) -> Option<Vec<(usize, usize)>> {
    let count = players.len();
    let edges = (0..count)
        .map(|one| {
            let is_edge = |other| one != other && allowed(players[one], players[other]);
            (0..count).map(is_edge).collect()
        })
        .collect();
    let mut matching = Matching::perfect(edges)?;
    let mut left: Vec<usize> = (0..count).collect();
    let mut pairs = Vec::with_capacity(count / 2);
    while let Some(&first) = left.first() {
        let points = |index: usize| field.halves[players[index]];
        let group = left.iter().filter(|&&other| points(other) == points(first)).count();
        let mut others: Vec<(usize, usize)> = left.iter().copied().enumerate().skip(1).collect();
        others.sort_by_key(|&(place, other)| {
            let ideal = if points(other) == points(first) { group / 2 } else { group };
            let conflict = past.conflicts(players[first], players[other]);
            (points(first) - points(other), conflict, place.abs_diff(ideal))
        });
        let found = others.into_iter().map(|(_, other)| other);
        let second = found
            .into_iter()
            .find(|&other| matching.take(first, other))
            .expect("the players have a perfect matching");
        left.retain(|&one| one != first && one != second);
        pairs.push((players[first], players[second]));
    }
    Some(pairs)
}

fn rotating_tables(field: &Field<'_>, past: &Past) -> Paired {
    let mut lots = Lots::new(field.lots.wrapping_add(field.rounds.len() as u64));
    let mut players: Vec<usize> =
        (0..field.active.len()).filter(|&entrant| field.active[entrant]).collect();
    lots.shuffle(&mut players);
    // Those with the most byes play first. The sort is stable, so lots decide between equals.
    players.sort_by_key(|&entrant| Reverse(past.byes[entrant]));
    let playing = players.len() - players.len() % field.seats;
    let byes = players.split_off(playing);
    if players.is_empty() {
        return Paired { tables: Vec::new(), byes };
    }
    let (mut best, mut least) = (Vec::new(), u64::MAX);
    for _ in 0..STARTS {
        lots.shuffle(&mut players);
        let meetings = improve(&mut players, field.seats, &past.met);
        if meetings < least {
            least = meetings;
            best.clone_from(&players);
        }
    }
    let tables = best.chunks(field.seats);
    Paired { tables: tables.map(|table| seated(table, past, &mut lots)).collect(), byes }
}

/// Exchanges players of different tables while that reduces repeated meetings. Returns how many
/// remain.
fn improve(players: &mut [usize], seats: usize, met: &[Vec<u32>]) -> u64 {
    let weight = |one: usize, other: usize| u64::from(met[one][other]).pow(2);
    let at = |players: &[usize], place: usize| {
        let table = place / seats * seats;
        let others = (table..table + seats).filter(|&other| other != place);
        others.map(|other| weight(players[place], players[other])).sum::<u64>()
    };
    loop {
        let mut improved = false;
        for one in 0..players.len() {
            for other in one + 1..players.len() {
                if one / seats == other / seats {
                    continue;
                }
                let before = at(players, one) + at(players, other);
                players.swap(one, other);
                if at(players, one) + at(players, other) < before {
                    improved = true;
                } else {
                    players.swap(one, other);
                }
            }
        }
        if !improved {
            return (0..players.len()).map(|place| at(players, place)).sum();
        }
    }
}

/// Distributes the players of a table to its seats, so that each has had all seats equally often.
fn seated(table: &[usize], past: &Past, lots: &mut Lots) -> Vec<usize> {
    let seats = table.len();
    let cost = |entrant: usize, seat: usize, lots: &mut Lots| {
        let had = u64::from(past.had[entrant][seat]);
        let repeated = u64::from(past.last_seat[entrant] == Some(seat));
        // Lots decide between equally good seats.
        had.pow(2) * 1_000 + repeated * 500 + lots.below(8) as u64
    };
    // `least[mask]`: the least cost for the first players in the seats of the mask, and the seat of
    // the last of them.
    let mut least = vec![(u64::MAX, 0); 1 << seats];
    least[0].0 = 0;
    let costs: Vec<Vec<u64>> = table
        .iter()
        .map(|&entrant| (0..seats).map(|seat| cost(entrant, seat, lots)).collect())
        .collect();
    for mask in 0_usize..1 << seats {
        let (before, player) = (least[mask].0, mask.count_ones() as usize);
        for seat in (0..seats).filter(|seat| mask & (1 << seat) == 0) {
            let total = before + costs[player][seat];
            let next = &mut least[mask | (1 << seat)];
            if total < next.0 {
                *next = (total, seat);
            }
        }
    }
    let mut order = vec![0; seats];
    let mut mask = (1 << seats) - 1;
    for &entrant in table.iter().rev() {
        let seat = least[mask].1;
        order[seat] = entrant;
        mask &= !(1 << seat);
    }
    order
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::standings::{Table, standings};
    use super::*;

    /// A tournament in which lots decide the results and who withdraws.
    struct Tournament {
        system: TournamentSystem,
        seats: usize,
        rounds: Vec<Round>,
        active: Vec<bool>,
        lots: Lots,
        seed: u64,
    }

    impl Tournament {
        fn new(system: TournamentSystem, entrants: usize, seats: usize, seed: u64) -> Self {
            let (active, lots) = (vec![true; entrants], Lots::new(seed));
            Self { system, seats, rounds: Vec::new(), active, lots, seed }
        }

        fn pair(&self) -> Paired {
            let lines = standings(self.system, self.active.len(), self.seats, &self.rounds);
            let halves: Vec<u32> = lines.iter().map(|line| line.halves).collect();
            let mut order: Vec<usize> = (0..self.active.len()).collect();
            order.sort_by_key(|&entrant| Reverse(halves[entrant]));
            let Self { system, seats, rounds, active, seed, .. } = self;
            pair(&Field {
                system: *system,
                seats: *seats,
                rounds,
                halves: &halves,
                active,
                order: &order,
                lots: *seed,
            })
        }

        fn play(&mut self) -> Paired {
            let paired = self.pair();
            assert_eq!(paired, self.pair(), "the same on every engine");
            self.assert_all_play_once(&paired);
            let seats = self.seats as u64;
            let tables = paired.tables.iter().map(|table| {
                let places = table.iter().map(|_| 1 + (self.lots.next() % seats) as u32).collect();
                Table { seats: table.clone(), places }
            });
            let tables = tables.collect();
            self.rounds.push(Round { tables, byes: paired.byes.clone() });
            paired
        }

        fn assert_all_play_once(&self, paired: &Paired) {
            let all: Vec<usize> =
                paired.tables.iter().flatten().chain(&paired.byes).copied().collect();
            let different: BTreeSet<usize> = all.iter().copied().collect();
            assert_eq!(different.len(), all.len(), "nobody is paired twice: {paired:?}");
            assert!(paired.tables.iter().all(|table| table.len() == self.seats), "{paired:?}");
            if self.system != TournamentSystem::RoundRobin {
                let active: BTreeSet<usize> =
                    (0..self.active.len()).filter(|&entrant| self.active[entrant]).collect();
                assert_eq!(different, active, "every active entrant is paired");
                assert!(paired.byes.len() < self.seats, "{paired:?}");
            }
        }

        fn past(&self) -> Past {
            Past::of(self.active.len(), self.seats, &self.rounds)
        }

        fn spread(&self, values: impl Fn(usize) -> u32) -> u32 {
            let active = || (0..self.active.len()).filter(|&entrant| self.active[entrant]);
            let (most, least) = (active().map(&values).max(), active().map(&values).min());
            most.unwrap_or(0) - least.unwrap_or(0)
        }
    }

    /// Tries all pairings without rematches.
    fn can_avoid_rematches(past: &Past, left: &[usize]) -> bool {
        let Some((&first, rest)) = left.split_first() else { return true };
        rest.iter().any(|&other| {
            let others: Vec<usize> = rest.iter().copied().filter(|&one| one != other).collect();
            past.met[first][other] == 0 && can_avoid_rematches(past, &others)
        })
    }

    #[test]
    fn no_swiss_rematch_while_one_can_be_avoided() {
        let mut rematches = 0;
        for seed in 0..120 {
            let entrants = 3 + seed as usize % 7;
            let mut swiss = Tournament::new(TournamentSystem::Swiss, entrants, 2, seed);
            for _ in 0..rounds(TournamentSystem::Swiss, entrants, 2, 15, false) + 2 {
                let (past, active) = (swiss.past(), swiss.active.clone());
                let paired = swiss.play();
                let active: Vec<usize> = (0..entrants).filter(|&one| active[one]).collect();
                let fewest = active.iter().map(|&one| past.byes[one]).min().unwrap();
                assert!(paired.byes.iter().all(|&one| past.byes[one] == fewest), "{paired:?}");
                let avoidable = if active.len().is_multiple_of(2) {
                    can_avoid_rematches(&past, &active)
                } else {
                    active.iter().filter(|&&one| past.byes[one] == fewest).any(|&bye| {
                        let rest: Vec<usize> =
                            active.iter().copied().filter(|&one| one != bye).collect();
                        can_avoid_rematches(&past, &rest)
                    })
                };
                let repeated = paired.tables.iter().any(|table| past.met[table[0]][table[1]] > 0);
                assert_eq!(repeated, !avoidable, "seed {seed}: {paired:?}");
                rematches += usize::from(repeated);
                assert!(swiss.spread(|entrant| swiss.past().byes[entrant]) <= 1, "seed {seed}");
                let some = swiss.lots.below(entrants);
                let many = swiss.active.iter().filter(|&&active| active).count() > 3;
                // The byes of those who stay then still differ by at most one.
                if many && swiss.lots.below(6) == 0 {
                    swiss.active[some] = false;
                }
            }
        }
        assert!(rematches > 20, "some cannot be avoided: {rematches}");
    }

    #[test]
    fn large_swiss_tournaments_balance_seats_and_pair_equals() {
        for (entrants, seed) in [(16, 1), (33, 2), (64, 3), (127, 4), (128, 5)] {
            let mut swiss = Tournament::new(TournamentSystem::Swiss, entrants, 2, seed);
            for _ in 0..9.min(entrants / 2) {
                let lines = standings(swiss.system, entrants, 2, &swiss.rounds);
                let paired = swiss.play();
                let gap =
                    |table: &Vec<usize>| lines[table[0]].halves.abs_diff(lines[table[1]].halves);
                let gaps: u32 = paired.tables.iter().map(gap).sum();
                assert!(gaps as usize <= entrants, "{entrants}: {gaps}");
                let past = swiss.past();
                let balance = (0..entrants).map(|one| past.balance(one).abs()).max();
                assert!(balance <= Some(2), "{entrants}: {balance:?}");
                assert!(past.met.iter().flatten().all(|&met| met <= 1), "{entrants}");
            }
        }
    }

    #[test]
    fn the_upper_half_of_a_score_group_meets_its_lower_half() {
        let swiss = Tournament::new(TournamentSystem::Swiss, 8, 2, 0);
        let mut pairs: Vec<Vec<usize>> = swiss.pair().tables;
        for table in &mut pairs {
            table.sort_unstable();
        }
        assert_eq!(pairs, [[0, 4], [1, 5], [2, 6], [3, 7]]);
    }

    #[test]
    fn everyone_meets_everyone_once_in_a_round_robin_with_balanced_seats() {
        for entrants in 2..=24 {
            for twice in [false, true] {
                let system = TournamentSystem::RoundRobin;
                let mut all = Tournament::new(system, entrants, 2, 1);
                for _ in 0..rounds(system, entrants, 2, 0, twice) {
                    all.play();
                }
                let (past, times) = (all.past(), if twice { 2 } else { 1 });
                for one in 0..entrants {
                    for other in (0..entrants).filter(|&other| other != one) {
                        assert_eq!(past.met[one][other], times, "{entrants}");
                    }
                    let even = i64::from(!twice && entrants % 2 == 0);
                    assert_eq!(past.balance(one).abs(), even, "{entrants}: {one}");
                }
                assert_eq!(all.spread(|entrant| past.byes[entrant]), 0);
            }
        }
    }

    #[test]
    fn rotating_tables_mix_players_and_seats() {
        for (entrants, seats) in [(9, 3), (12, 4), (14, 7), (17, 4), (21, 7), (30, 5), (24, 12)] {
            let system = TournamentSystem::RotatingTables;
            let mut tables = Tournament::new(system, entrants, seats, 7);
            for _ in 0..rounds(system, entrants, seats, 0, false) {
                tables.play();
                let past = tables.past();
                assert!(tables.spread(|entrant| past.byes[entrant]) <= 1, "{entrants}/{seats}");
            }
            let past = tables.past();
            for had in &past.had {
                let (most, least) = (had.iter().max().unwrap(), had.iter().min().unwrap());
                assert!(most - least <= 2, "{entrants}/{seats}: {had:?}");
            }
            let pairs = u32::try_from(entrants * (entrants - 1)).unwrap();
            let sum: u32 = past.met.iter().flatten().sum();
            let most = past.met.iter().flatten().copied().max().unwrap();
            let mean = sum.div_ceil(pairs);
            assert!(most <= mean + 2, "{entrants}/{seats}: {most}, mean {mean}");
        }
    }

    #[test]
    fn rounds_follow_from_the_entries() {
        use TournamentSystem::{RotatingTables, RoundRobin, Swiss};
        assert_eq!(rounds(Swiss, 2, 2, 0, false), 1);
        assert_eq!(rounds(Swiss, 8, 2, 0, false), 3);
        assert_eq!(rounds(Swiss, 9, 2, 0, false), 4);
        assert_eq!(rounds(Swiss, 4, 2, 9, false), 3, "then all have met");
        assert_eq!(rounds(Swiss, 5, 2, 9, false), 5);
        assert_eq!(rounds(RoundRobin, 4, 2, 0, false), 3);
        assert_eq!(rounds(RoundRobin, 5, 2, 0, true), 10);
        assert_eq!(rounds(RotatingTables, 20, 4, 0, false), 4);
        assert_eq!(rounds(RotatingTables, 20, 4, 6, false), 6);
    }

    #[test]
    fn too_few_entrants_get_no_table() {
        for (system, seats) in [(TournamentSystem::Swiss, 2), (TournamentSystem::RotatingTables, 4)]
        {
            let mut small = Tournament::new(system, 4, seats, 1);
            small.active = vec![false, true, false, false];
            assert_eq!(small.pair(), Paired { tables: Vec::new(), byes: vec![1] });
        }
    }
}
