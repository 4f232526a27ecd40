//! The book of wants, workers and leases: plain data, without clock, network or game.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use heliopause_kernel::Seat;
use heliopause_proto::v1::{LeaseRef, WorkResponse};
use heliopause_table::Wanted;
use tokio::sync::mpsc;

use crate::store::Millis;
use crate::store::shared::Profile;

/// A worker in the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct WorkerId(u64);

/// A seat of a game.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key {
    pub(crate) game_id: String,
    pub(crate) seat: Seat,
}

/// An open decision that waits for an answer.
#[derive(Debug)]
struct Want {
    profile: Profile,
    phase: u64,
    revision: u64,
    /// Waits are served in the order in which they came.
    since: u64,
    /// Nobody is asked before this.
    not_before: Millis,
    /// The lease under which it is being answered.
    lease: Option<u64>,
    /// Workers who may not see this seat.
    barred: BTreeSet<WorkerId>,
}

struct Worker {
    player_id: String,
    profiles: BTreeSet<Profile>,
    capacity: u32,
    mailbox: mpsc::Sender<WorkResponse>,
    leases: BTreeSet<u64>,
}

#[derive(Debug)]
struct OpenLease {
    key: Key,
    worker: WorkerId,
    fence: u64,
    /// Whether the shared store gave the fence, and must be told when the lease ends early.
    fenced: bool,
    phase: u64,
    revision: u64,
    expires: Millis,
    refused: u32,
    /// Its answer is being taken. If the game changes now, that is the answer's doing, or the answer will learn of it.
    answering: bool,
}

/// A lease that was just given and must be sent.
pub(crate) struct Given {
    pub(crate) lease: LeaseRef,
    pub(crate) key: Key,
    pub(crate) worker: WorkerId,
    pub(crate) player_id: String,
    pub(crate) phase: u64,
    pub(crate) revision: u64,
    pub(crate) expires: Millis,
    pub(crate) mailbox: mpsc::Sender<WorkResponse>,
}

/// A lease as its holder answers it.
pub(crate) struct Held {
    pub(crate) key: Key,
    pub(crate) player_id: String,
    pub(crate) phase: u64,
    pub(crate) revision: u64,
}

/// The leases that were taken from their holders, and where those can be told.
pub(crate) type Taken = Vec<(LeaseRef, mpsc::Sender<WorkResponse>)>;

/// Who waits for whom.
#[derive(Default)]
pub(crate) struct Book {
    wants: BTreeMap<Key, Want>,
    /// The wants without a lease, those that have waited longest first.
    queue: BTreeMap<u64, Key>,
    workers: BTreeMap<WorkerId, Worker>,
    leases: HashMap<u64, OpenLease>,
    /// Counts workers, wants and leases alike: a later lease of the same seat always has the higher fence.
    counter: u64,
    /// What workers at other processes play.
    elsewhere: BTreeSet<Profile>,
    /// Fences of leases that ended while their decision was still open, and of which the shared store must be told.
    ended: Vec<u64>,
    /// Fences of all leases that are over, whose rows in the shared store keep other processes from looking at the game.
    over: Vec<u64>,
}

impl Book {
    /// How many workers there are, how many leases they have, and how many they could have.
    pub(crate) fn counts(&self) -> (u64, u64, u64) {
        let capacity = self.workers.values().map(|worker| u64::from(worker.capacity)).sum();
        (self.workers.len() as u64, self.leases.len() as u64, capacity)
    }

    /// Replaces what a game wants; answers the leases that are void by that.
    pub(crate) fn wants(&mut self, game_id: &str, kind: &str, wanted: &[Wanted]) -> Taken {
        let mut void = Vec::new();
        let first = Key { game_id: game_id.to_owned(), seat: Seat::at(0) };
        let known: Vec<Key> =
            self.wants.range(first..).map(|(key, _)| key).take_while(|key| key.game_id == game_id).cloned().collect();
        for key in known {
            let want = &self.wants[&key];
            let same = |one: &Wanted| {
                one.seat == key.seat && one.standing.phase == want.phase && one.standing.revision == want.revision
            };
            if !wanted.iter().any(same) {
                let lease = want.lease;
                let answering = lease.is_some_and(|lease| self.leases.get(&lease).is_some_and(|open| open.answering));
                let closed = lease.and_then(|lease| self.close(lease));
                void.extend(closed.filter(|_| !answering));
                if let Some(want) = self.wants.remove(&key) {
                    self.queue.remove(&want.since);
                }
            }
        }
        for one in wanted {
            let key = Key { game_id: game_id.to_owned(), seat: one.seat };
            if self.wants.contains_key(&key) {
                continue;
            }
            let want = Want {
                profile: Profile { kind: kind.to_owned(), name: one.by.profile.clone(), level: one.by.level.clone() },
                phase: one.standing.phase,
                revision: one.standing.revision,
                since: self.count(),
                not_before: Millis::MIN,
                lease: None,
                barred: BTreeSet::new(),
            };
            self.queue.insert(want.since, key.clone());
            self.wants.insert(key, want);
        }
        void
    }

    /// A game left memory, and its decisions stay open: answers the leases that are void by that.
    pub(crate) fn forget(&mut self, game_id: &str) -> Taken {
        let first = Key { game_id: game_id.to_owned(), seat: Seat::at(0) };
        let wants = self.wants.range(first..).take_while(|(key, _)| key.game_id == game_id);
        let leases = wants.filter_map(|(_, want)| self.leases.get(&want.lease?));
        let fences: Vec<u64> = leases.filter(|lease| lease.fenced).map(|lease| lease.fence).collect();
        self.ended.extend(fences);
        self.wants(game_id, "", &[])
    }

    /// Forgets all games: answers the leases that are void by that.
    pub(crate) fn forget_all(&mut self) -> Taken {
        let games: BTreeSet<String> = self.wants.keys().map(|key| key.game_id.clone()).collect();
        games.iter().flat_map(|game_id| self.forget(game_id)).collect()
    }

    /// The fences of leases that ended too early since this was asked last.
    pub(crate) fn take_ended(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.ended)
    }

    /// The fences of all leases that are over since this was asked last.
    pub(crate) fn take_over(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.over)
    }

    /// Gives a lease the fencing number that the shared store gave it; says whether the lease is still there.
    pub(crate) fn fence(&mut self, lease: u64, fence: u64) -> bool {
        let open = self.leases.get_mut(&lease);
        match open {
            Some(open) => (open.fence, open.fenced) = (fence, true),
            // It ended in the meantime, maybe with its decision open.
            None => self.ended.push(fence),
        }
        self.leases.contains_key(&lease)
    }

    /// Everything that the workers here play.
    pub(crate) fn played(&self) -> BTreeSet<Profile> {
        self.workers.values().flat_map(|worker| worker.profiles.iter().cloned()).collect()
    }

    /// What workers at other processes play.
    pub(crate) fn played_elsewhere(&mut self, profiles: BTreeSet<Profile>) {
        self.elsewhere = profiles;
    }

    pub(crate) fn knows(&self, game_id: &str) -> bool {
        let first = Key { game_id: game_id.to_owned(), seat: Seat::at(0) };
        self.wants.range(first..).next().is_some_and(|(key, _)| key.game_id == game_id)
    }

    /// Whether a game wants something that no worker plays.
    pub(crate) fn is_missing(&self, game_id: &str) -> bool {
        let first = Key { game_id: game_id.to_owned(), seat: Seat::at(0) };
        let mut wants = self.wants.range(first..).take_while(|(key, _)| key.game_id == game_id);
        let played = |profile| {
            self.workers.values().any(|worker| worker.profiles.contains(profile)) || self.elsewhere.contains(profile)
        };
        wants.any(|(_, want)| !played(&want.profile))
    }

    pub(crate) fn hire(
        &mut self,
        player_id: &str,
        profiles: BTreeSet<Profile>,
        capacity: u32,
        mailbox: mpsc::Sender<WorkResponse>,
    ) -> WorkerId {
        let id = WorkerId(self.count());
        let worker = Worker { player_id: player_id.to_owned(), profiles, capacity, mailbox, leases: BTreeSet::new() };
        self.workers.insert(id, worker);
        id
    }

    /// Strikes a worker off; its leases wait for others.
    pub(crate) fn strike_off(&mut self, id: WorkerId) {
        let Some(worker) = self.workers.get(&id) else { return };
        for lease in worker.leases.clone() {
            self.reopen(lease, Millis::MIN);
        }
        self.workers.remove(&id);
        for want in self.wants.values_mut() {
            want.barred.remove(&id);
        }
    }

    /// Whether some worker could take more.
    pub(crate) fn has_time(&self) -> bool {
        self.workers.values().any(Worker::has_time)
    }

    /// Gives open wants to workers: the longest waiting first, each to the least busy worker who plays it.
    pub(crate) fn assign(&mut self, now: Millis, lease_time: Millis) -> Vec<Given> {
        let mut given = Vec::new();
        let mut seen = 0;
        while self.has_time()
            && let Some((&since, key)) = self.queue.range(seen + 1..).next()
        {
            seen = since;
            let want = &self.wants[key];
            if want.not_before > now {
                continue;
            }
            let able = self.workers.iter().filter(|(id, worker)| {
                worker.has_time() && worker.profiles.contains(&want.profile) && !want.barred.contains(id)
            });
            let Some(id) = able.min_by_key(|(_, worker)| worker.leases.len()).map(|(&id, _)| id) else { continue };
            given.push(self.lease(key.clone(), id, now + lease_time));
        }
        given
    }

    fn lease(&mut self, key: Key, id: WorkerId, expires: Millis) -> Given {
        let number = self.count();
        let want = self.wants.get_mut(&key).expect("a want that is given is in the book");
        want.lease = Some(number);
        self.queue.remove(&want.since);
        let (phase, revision) = (want.phase, want.revision);
        let worker = self.workers.get_mut(&id).expect("a worker who is given a lease is in the book");
        worker.leases.insert(number);
        let lease = LeaseRef { lease_id: number, fence: number };
        let open = OpenLease {
            key: key.clone(),
            worker: id,
            fence: number,
            fenced: false,
            phase,
            revision,
            expires,
            refused: 0,
            answering: false,
        };
        self.leases.insert(number, open);
        let (player_id, mailbox) = (worker.player_id.clone(), worker.mailbox.clone());
        Given { lease, key, worker: id, player_id, phase, revision, expires, mailbox }
    }

    /// The lease, if this worker holds it under this very fencing number.
    pub(crate) fn held(&self, id: WorkerId, lease: LeaseRef) -> Option<Held> {
        let open = self.leases.get(&lease.lease_id)?;
        if open.worker != id || open.fence != lease.fence {
            return None;
        }
        let player_id = self.workers.get(&id)?.player_id.clone();
        Some(Held { key: open.key.clone(), player_id, phase: open.phase, revision: open.revision })
    }

    /// The lease, if this worker holds it, whose answer is being taken from now on.
    pub(crate) fn begin_answer(&mut self, id: WorkerId, lease: LeaseRef) -> Option<Held> {
        let held = self.held(id, lease)?;
        self.leases.get_mut(&lease.lease_id)?.answering = true;
        Some(held)
    }

    pub(crate) fn renew(&mut self, id: WorkerId, lease: LeaseRef, expires: Millis) -> bool {
        if self.held(id, lease).is_none() {
            return false;
        }
        if let Some(open) = self.leases.get_mut(&lease.lease_id) {
            open.expires = expires;
        }
        true
    }

    /// An answer was accepted: the lease is over. What the game wants next it has said itself.
    pub(crate) fn answered(&mut self, lease: u64) {
        self.reopen(lease, Millis::MIN);
    }

    /// A lease is given back unanswered; nobody is asked before a time.
    pub(crate) fn give_back(&mut self, lease: u64, not_before: Millis) {
        self.reopen(lease, not_before);
    }

    /// Counts a refused answer; says how many more are allowed.
    pub(crate) fn refuse(&mut self, lease: u64, allowed: u32) -> u32 {
        self.leases.get_mut(&lease).map_or(0, |open| {
            open.refused += 1;
            open.answering = false;
            allowed.saturating_sub(open.refused)
        })
    }

    /// A worker may not see this seat.
    pub(crate) fn bar(&mut self, key: &Key, worker: WorkerId) {
        if let Some(want) = self.wants.get_mut(key) {
            want.barred.insert(worker);
        }
    }

    /// Takes the leases back whose time has run out.
    pub(crate) fn expire(&mut self, now: Millis) -> Taken {
        let expired: Vec<u64> =
            self.leases.iter().filter(|(_, open)| open.expires <= now).map(|(&number, _)| number).collect();
        expired.into_iter().filter_map(|lease| self.reopen(lease, Millis::MIN)).collect()
    }

    /// Ends a lease; its want waits for somebody again.
    fn reopen(&mut self, lease: u64, not_before: Millis) -> Option<(LeaseRef, mpsc::Sender<WorkResponse>)> {
        let key = self.leases.get(&lease)?.key.clone();
        if let Some(want) = self.wants.get_mut(&key).filter(|want| want.lease == Some(lease)) {
            want.lease = None;
            want.not_before = not_before;
            self.queue.insert(want.since, key);
            self.ended.extend(self.leases.get(&lease).filter(|open| open.fenced).map(|open| open.fence));
        }
        self.close(lease)
    }

    /// Strikes a lease out.
    fn close(&mut self, lease: u64) -> Option<(LeaseRef, mpsc::Sender<WorkResponse>)> {
        let open = self.leases.remove(&lease)?;
        self.over.extend(open.fenced.then_some(open.fence));
        let worker = self.workers.get_mut(&open.worker)?;
        worker.leases.remove(&lease);
        Some((LeaseRef { lease_id: lease, fence: open.fence }, worker.mailbox.clone()))
    }

    fn count(&mut self) -> u64 {
        self.counter += 1;
        self.counter
    }
}

impl Worker {
    fn has_time(&self) -> bool {
        self.leases.len() < self.capacity as usize
    }
}

#[cfg(test)]
mod tests {
    use heliopause_proto::v1::AutomatedSeat;
    use heliopause_table::Standing;

    use super::*;

    const LASTING: Millis = 1_000;

    fn wanted(seat: usize, profile: &str, revision: u64) -> Wanted {
        Wanted {
            seat: Seat::at(seat),
            by: AutomatedSeat { profile: profile.to_owned(), level: "standard".to_owned(), until: None },
            standing: Standing { phase: 1, revision, decision: None },
            memo: bytes::Bytes::new(),
            seed: Default::default(),
            may_write: false,
        }
    }

    fn hire(book: &mut Book, profile: &str, capacity: u32) -> (WorkerId, mpsc::Receiver<WorkResponse>) {
        let profile = Profile { kind: "k".to_owned(), name: profile.to_owned(), level: "standard".to_owned() };
        let (mailbox, messages) = mpsc::channel(8);
        (book.hire("somebody", [profile].into(), capacity, mailbox), messages)
    }

    /// Whose turn it is to be answered now, and the leases.
    fn assign(book: &mut Book, now: Millis) -> Vec<(String, u64)> {
        let given = book.assign(now, LASTING);
        for (since, key) in &book.queue {
            assert_eq!((book.wants[key].since, book.wants[key].lease), (*since, None));
        }
        assert_eq!(book.queue.len(), book.wants.values().filter(|want| want.lease.is_none()).count());
        given.into_iter().map(|given| (given.key.game_id, given.lease.lease_id)).collect()
    }

    fn games(given: &[(String, u64)]) -> Vec<&str> {
        given.iter().map(|(game_id, _)| game_id.as_str()).collect()
    }

    #[test]
    fn who_has_waited_longest_is_answered_first_and_nobody_gets_more_than_he_takes() {
        let mut book = Book::default();
        for game_id in ["c", "a", "b"] {
            assert!(book.wants(game_id, "k", &[wanted(0, "p", 0)]).is_empty());
        }
        assert!(assign(&mut book, 0).is_empty(), "nobody is there");
        let (_worker, _messages) = hire(&mut book, "p", 2);
        let first = assign(&mut book, 0);
        assert_eq!(games(&first), ["c", "a"]);
        assert!(assign(&mut book, 0).is_empty(), "the worker is busy");
        // What was answered is closed by the game, which wants something new now, and that waits behind the rest.
        assert_eq!(book.wants("c", "k", &[wanted(0, "p", 1)]).len(), 1, "the holder is told");
        book.answered(first[0].1);
        assert_eq!(games(&assign(&mut book, 0)), ["b"]);
        book.give_back(first[1].1, 0);
        assert_eq!(games(&assign(&mut book, 0)), ["a"], "it keeps the place that it had");
    }

    #[test]
    fn what_rests_or_cannot_be_played_keeps_nobody_else_waiting() {
        let mut book = Book::default();
        let (worker, _messages) = hire(&mut book, "p", 1);
        book.wants("unplayed", "k", &[wanted(0, "q", 0)]);
        book.wants("resting", "k", &[wanted(0, "p", 0)]);
        book.wants("barred", "k", &[wanted(0, "p", 0)]);
        let given = assign(&mut book, 0);
        assert_eq!(games(&given), ["resting"]);
        book.give_back(given[0].1, 500);
        book.bar(&Key { game_id: "barred".to_owned(), seat: Seat::at(0) }, worker);
        book.wants("later", "k", &[wanted(0, "p", 0)]);
        let given = assign(&mut book, 499);
        assert_eq!(games(&given), ["later"]);
        assert!(book.is_missing("unplayed") && !book.is_missing("later"));
        book.give_back(given[0].1, 2_000);
        assert_eq!(games(&assign(&mut book, 500)), ["resting"]);
    }

    #[test]
    fn what_is_over_is_not_waited_for() {
        let mut book = Book::default();
        let (worker, _messages) = hire(&mut book, "p", 3);
        book.wants("g", "k", &[wanted(0, "p", 0), wanted(1, "p", 0), wanted(2, "p", 0)]);
        let given = assign(&mut book, 0);
        assert_eq!(given.len(), 3);
        assert_eq!(book.wants("g", "k", &[wanted(1, "p", 0)]).len(), 2);
        assert!(assign(&mut book, 0).is_empty(), "the third is still being answered");
        assert_eq!(book.expire(LASTING).len(), 1);
        assert_eq!(games(&assign(&mut book, LASTING)), ["g"]);
        book.strike_off(worker);
        let (_other, _messages) = hire(&mut book, "p", 3);
        assert_eq!(games(&assign(&mut book, LASTING)), ["g"], "another takes over");
        assert_eq!(book.forget("g").len(), 1);
        assert!(assign(&mut book, LASTING).is_empty());
        assert!(book.queue.is_empty());
    }
}
