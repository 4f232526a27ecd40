//! The choice of players who are matched, without I/O.
//!
//! The player who has waited longest chooses first, and takes the players with the nearest ratings.
//! The difference between ratings is limited by a window that grows with the waiting time.

use std::collections::BTreeSet;

use heliopause_proto::v1::QuickPace;

use crate::store::Millis;

/// The window at the start of the wait, and just before it opens completely, in thousandths of a
/// point. 100 points mean that the better player scores 64%, and 1,000 points 99.7%.
const NARROW: i64 = 100_000;
const WIDE: i64 = 1_000_000;
const OPEN_AFTER_LIVE: Millis = 60_000;
const OPEN_AFTER: Millis = 600_000;

/// A waiting player.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    /// The smallest and the largest number of players.
    pub(super) players: (usize, usize),
    /// The rating in thousandths of a point.
    pub(super) rating: i64,
    pub(super) since: Millis,
    /// The wait after which automation may take seats, or `None` for never.
    pub(super) bots_after: Option<Millis>,
}

/// The players of a new game, and the number of automated seats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) members: Vec<usize>,
    pub(super) automated: usize,
}

/// The players of a pool.
pub(super) struct Pool {
    pub(super) pace: QuickPace,
    /// The usual number of players of the kind.
    pub(super) usual: usize,
    /// Sorted by waiting time, longest first.
    pub(super) waiting: Vec<Waiting>,
    /// The players who have left the pool.
    pub(super) gone: Vec<bool>,
    /// The pairs that must not be matched, each with the smaller index first.
    pub(super) apart: BTreeSet<(usize, usize)>,
}

pub(super) fn is_live(pace: QuickPace) -> bool {
    matches!(pace, QuickPace::Fast | QuickPace::Live)
}

/// Returns the window after a wait, in thousandths of a point, or `None` without a limit.
pub(super) fn window(pace: QuickPace, waited: Millis) -> Option<i64> {
    let open_after = if is_live(pace) { OPEN_AFTER_LIVE } else { OPEN_AFTER };
    let waited = waited.max(0);
    (waited < open_after).then(|| NARROW + (WIDE - NARROW) * waited / open_after)
}

impl Pool {
    /// Returns the group that a player chooses, or `None` if the player must wait.
    pub(super) fn group(&self, chooser: usize, now: Millis) -> Option<Group> {
        let own = &self.waiting[chooser];
        let others = self.others(chooser, now);
        let (least, most) = own.players;
        for size in (least..=most).rev() {
            let fits = |other: &Waiting| (other.players.0..=other.players.1).contains(&size);
            let mut members = vec![chooser];
            for &other in &others {
                if members.len() < size
                    && fits(&self.waiting[other])
                    && self.may_join(&members, other)
                {
                    members.push(other);
                }
            }
            if members.len() == size {
                return Some(Group { members, automated: 0 });
            }
        }
        let is_due = own.bots_after.is_some_and(|wait| now.saturating_sub(own.since) >= wait);
        is_due.then(|| self.filled(chooser, &others))
    }

    /// Returns a group with automated seats. Includes players who accept automation but whose wait
    /// has not ended, because people are the better opponents.
    fn filled(&self, chooser: usize, others: &[usize]) -> Group {
        let (mut least, mut most) = self.waiting[chooser].players;
        let mut members = vec![chooser];
        for &other in others {
            let Waiting { players, bots_after, .. } = &self.waiting[other];
            let common = (least.max(players.0), most.min(players.1));
            let has_room = common.0 <= common.1 && members.len() < common.1;
            if bots_after.is_some() && has_room && self.may_join(&members, other) {
                members.push(other);
                (least, most) = common;
            }
        }
        let size = self.usual.clamp(least, most).max(members.len());
        Group { automated: size - members.len(), members }
    }

    /// Returns the players within the chooser's window, nearest rating first.
    fn others(&self, chooser: usize, now: Millis) -> Vec<usize> {
        let own = &self.waiting[chooser];
        let window = window(self.pace, now.saturating_sub(own.since));
        let distance = |other: usize| (self.waiting[other].rating - own.rating).abs();
        let fits = |&other: &usize| {
            other != chooser
                && !self.gone[other]
                && window.is_none_or(|window| distance(other) <= window)
        };
        let mut others: Vec<usize> = (0..self.waiting.len()).filter(fits).collect();
        // The sort is stable: of equal distances, the longest wait comes first.
        others.sort_by_key(|&other| distance(other));
        others
    }

    fn may_join(&self, members: &[usize], other: usize) -> bool {
        let pair = |member: usize| (member.min(other), member.max(other));
        members.iter().all(|&member| !self.apart.contains(&pair(member)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Millis = 1_000_000;

    fn player(points: i64, waited: Millis) -> Waiting {
        Waiting { players: (2, 2), rating: points * 1_000, since: NOW - waited, bots_after: None }
    }

    fn pool(waiting: Vec<Waiting>) -> Pool {
        let gone = vec![false; waiting.len()];
        Pool { pace: QuickPace::Live, usual: 2, waiting, gone, apart: BTreeSet::new() }
    }

    fn members(pool: &Pool, chooser: usize) -> Option<Vec<usize>> {
        pool.group(chooser, NOW).map(|group| group.members)
    }

    #[test]
    fn the_nearest_rating_is_matched_first() {
        let pool = pool([1500, 1590, 1510, 1500, 1500].map(|points| player(points, 1)).to_vec());
        assert_eq!(members(&pool, 0), Some(vec![0, 3]), "equal ratings, the longer wait");
        assert_eq!(members(&pool, 1), Some(vec![1, 2]));
    }

    #[test]
    fn the_window_grows_with_the_wait_and_opens() {
        let widths = [0, 30_000, 59_999].map(|waited| window(QuickPace::Live, waited));
        assert_eq!(widths, [Some(100_000), Some(550_000), Some(999_985)]);
        assert_eq!(window(QuickPace::Fast, 60_000), None);
        assert_eq!(window(QuickPace::Daily, 60_000), Some(190_000));
        assert_eq!(window(QuickPace::Slow, 600_000), None);
        let other = |waited| members(&pool(vec![player(1500, waited), player(1700, 0)]), 0);
        assert_eq!(other(5_000), None, "a difference of 200 is too much after 5 seconds");
        assert_eq!(other(7_000), Some(vec![0, 1]));
        let far = |waited| members(&pool(vec![player(900, waited), player(2900, 0)]), 0);
        assert_eq!((far(59_000), far(60_000)), (None, Some(vec![0, 1])));
    }

    #[test]
    fn all_members_accept_the_size_and_larger_games_come_first() {
        let sized = |least, most| Waiting { players: (least, most), ..player(1500, 1) };
        let pool = pool(vec![sized(2, 4), sized(3, 3), sized(2, 3), sized(2, 2), sized(4, 4)]);
        assert_eq!(members(&pool, 0), Some(vec![0, 1, 2]));
        assert_eq!(members(&pool, 3), Some(vec![3, 0]));
        assert_eq!(members(&pool, 4), None);
    }

    #[test]
    fn players_who_block_each_other_stay_apart() {
        let mut pool = pool(vec![player(1500, 9), player(1500, 5), player(1540, 1)]);
        pool.apart.insert((0, 1));
        assert_eq!(members(&pool, 0), Some(vec![0, 2]));
        pool.gone[2] = true;
        assert_eq!(members(&pool, 1), None);
    }

    #[test]
    fn automation_fills_the_seats_after_the_wait() {
        let waits =
            |waited, bots_after| Waiting { players: (4, 7), bots_after, ..player(1500, waited) };
        let of = |players: Vec<Waiting>| Pool { usual: 5, ..pool(players) }.group(0, NOW);
        assert_eq!(of(vec![waits(9_999, Some(10_000))]), None);
        assert_eq!(of(vec![waits(9_999, None)]), None);
        let alone = of(vec![waits(10_000, Some(10_000))]);
        assert_eq!(alone, Some(Group { members: vec![0], automated: 4 }));
        let company = of(vec![waits(10_000, Some(10_000)), waits(9, None), waits(9, Some(90_000))]);
        assert_eq!(company, Some(Group { members: vec![0, 2], automated: 3 }));
        let smaller = Waiting { players: (2, 4), ..waits(9, Some(0)) };
        let company = of(vec![waits(10_000, Some(10_000)), smaller]);
        assert_eq!(company, Some(Group { members: vec![0, 1], automated: 2 }));
    }
}
