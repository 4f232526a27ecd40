//! The book of wants, workers and leases: pure data, without clock, network or game.

mod listed;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use heliopause_kernel::Seat;
use heliopause_proto::v1::{LeaseRef, WorkResponse};
use heliopause_table::rehearsal::{Planted, on};
use heliopause_table::{Asked, Wanted};
use tokio::sync::mpsc;

use super::queue::{Place, Queue};
use crate::store::Millis;
use crate::store::shared::Profile;
use crate::time::Moment;

pub(crate) use self::listed::{LeaseListed, WorkerListed};

/// How many answers of one account may fail before its workers are asked no more.
pub(crate) const FAILURES_MAX: u32 = 5;

/// For how long workers who let a decision run out are not asked for it again: other engines, at
/// which there are others, look for it every three seconds.
const OTHERS_FIRST: Millis = 5_000;

/// A worker in the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct WorkerId(u64);

/// A question to a seat of a game.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key {
    pub(crate) game_id: String,
    pub(crate) seat: Seat,
    /// The number of the vote that asks for its voice; 0 for its decision.
    pub(crate) vote: u64,
}

/// A decision or a voice that waits for an answer.
#[derive(Debug)]
struct Want {
    place: Place,
    phase: u64,
    revision: u64,
    state: State,
    /// Workers who may not see this seat.
    barred: BTreeSet<WorkerId>,
    tried: Tried,
    /// How many answers of each account failed.
    failures: BTreeMap<String, u32>,
    /// Why the last of them did.
    why: String,
}

/// Workers who let a lease of a decision run out: the book asks them last.
#[derive(Clone, Debug)]
struct Tried {
    by: BTreeSet<WorkerId>,
    /// They are not asked before this.
    others_first: Moment,
}

impl Default for Tried {
    fn default() -> Self {
        Self { by: BTreeSet::new(), others_first: Moment::FIRST }
    }
}

/// The fate of a want.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It is in the queue.
    Waiting,
    /// Nobody is asked before this.
    Resting(Moment),
    /// It is being answered under this lease.
    Leased(u64),
    /// Nobody who is here can answer it, since then.
    Parked(Millis),
}

struct Worker {
    player_id: String,
    profiles: BTreeSet<Profile>,
    capacity: u32,
    mailbox: mpsc::Sender<WorkResponse>,
    leases: BTreeSet<u64>,
    /// When it came.
    since: Millis,
    /// It is given nothing before this.
    rests_until: Moment,
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
    expires: Moment,
    /// It cannot be renewed beyond this.
    ends: Moment,
    /// Its answer is being taken. If the game changes now, the answer caused it, or the answer will
    /// learn of it. Till then the answer counts as work of its worker, so that no lease overtakes
    /// the result of this one.
    answering: bool,
}

/// How long leases last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lasting {
    /// Without being renewed.
    pub(crate) unrenewed: Millis,
    /// However often they are renewed.
    pub(crate) longest: Millis,
}

/// A lease that was just given and must be sent.
pub(crate) struct Given {
    pub(crate) lease: LeaseRef,
    pub(crate) key: Key,
    pub(crate) worker: WorkerId,
    pub(crate) player_id: String,
    pub(crate) phase: u64,
    pub(crate) revision: u64,
    pub(crate) expires: Moment,
    pub(crate) mailbox: mpsc::Sender<WorkResponse>,
}

/// A lease as its holder answers it.
pub(crate) struct Held {
    pub(crate) key: Key,
    pub(crate) player_id: String,
    pub(crate) phase: u64,
    pub(crate) revision: u64,
}

/// The fate of a decision whose answer failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failed {
    /// The lease stays, and its worker may try again so often.
    Stays(u32),
    /// Its worker's account has failed too often; workers of others are asked.
    Offered,
    /// There are no others: the book asks nobody any more.
    Parked,
    /// It is not asked any more.
    Gone,
}

/// A decision that nobody here can answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parked {
    pub(crate) key: Key,
    pub(crate) profile: Profile,
    pub(crate) phase: u64,
    pub(crate) revision: u64,
    pub(crate) failures: u32,
    pub(crate) why: String,
    pub(crate) since: Millis,
}

/// The leases taken from their holders, with the channels that can tell them.
pub(crate) type Taken = Vec<(LeaseRef, mpsc::Sender<WorkResponse>)>;

/// Who waits for whom.
#[derive(Default)]
pub(crate) struct Book {
    wants: BTreeMap<Key, Want>,
    /// The wants that can be given.
    queue: Queue,
    /// The wants that rest, by when they can be given again.
    resting: BTreeSet<(Moment, Key)>,
    workers: BTreeMap<WorkerId, Worker>,
    leases: HashMap<u64, OpenLease>,
    /// Who let decisions run out whose games left memory since, by phase and revision: such a game
    /// may be back at once, and they would be asked first again.
    left: BTreeMap<Key, ((u64, u64), Tried)>,
    /// Counts workers, wants and leases alike: a later lease of the same seat always has the higher
    /// fence.
    counter: u64,
    /// The profiles of workers at other processes.
    elsewhere: BTreeSet<Profile>,
    /// Fences of leases that ended while their decision was still open; the shared store must learn
    /// of them.
    ended: Vec<u64>,
    /// Fences of all ended leases, whose rows in the shared store keep other processes from looking
    /// at the game.
    over: Vec<u64>,
}

impl Key {
    fn of(game_id: &str, wanted: &Wanted) -> Self {
        let vote = match &wanted.asked {
            Asked::Decision(_) => 0,
            Asked::Vote(vote) => vote.number,
        };
        Self { game_id: game_id.to_owned(), seat: wanted.seat, vote }
    }

    fn first_of(game_id: &str) -> Self {
        Self { game_id: game_id.to_owned(), seat: Seat::at(0), vote: 0 }
    }

    /// Whether this is what is wanted.
    pub(crate) fn asks(&self, wanted: &Wanted) -> bool {
        let vote = matches!(&wanted.asked, Asked::Vote(vote) if vote.number == self.vote);
        wanted.seat == self.seat
            && (vote || self.vote == 0 && matches!(wanted.asked, Asked::Decision(_)))
    }
}

/// The phase and revision of the decision. A vote has none: its seat answers once.
pub(crate) fn stands_at(wanted: &Wanted) -> (u64, u64) {
    match &wanted.asked {
        Asked::Decision(standing) => (standing.phase, standing.revision),
        Asked::Vote(_) => (0, 0),
    }
}

impl Book {
    /// How many workers there are, how many leases they have, and how many they could have.
    pub(crate) fn counts(&self) -> (u64, u64, u64) {
        let capacity = self.workers.values().map(|worker| u64::from(worker.capacity)).sum();
        (self.workers.len() as u64, self.leases.len() as u64, capacity)
    }

    /// Replaces the wants of a host's game; answers the leases that this makes void.
    pub(crate) fn wants(
        &mut self,
        game_id: &str,
        host: &str,
        kind: &str,
        wanted: &[Wanted],
    ) -> Taken {
        // A game of nobody takes its own turns.
        let host = if host.is_empty() { game_id } else { host };
        let mut gone = Vec::new();
        for (key, want) in self.wants_of(game_id) {
            let same =
                |one: &Wanted| key.asks(one) && stands_at(one) == (want.phase, want.revision);
            if !wanted.iter().any(same) {
                gone.push(key.clone());
            }
        }
        let gone: Vec<(Key, Want)> =
            gone.into_iter().filter_map(|key| self.wants.remove_entry(&key)).collect();
        let void = gone.iter().filter_map(|(key, want)| self.withdraw(key, want)).collect();
        for one in wanted {
            let key = Key::of(game_id, one);
            if !self.wants.contains_key(&key) {
                let (name, level) = (one.by.profile.clone(), one.by.level.clone());
                let profile = Profile { kind: kind.to_owned(), name, level };
                self.enter(
                    key,
                    Place { profile, host: host.to_owned(), since: self.counter + 1 },
                    stands_at(one),
                );
            }
        }
        // Not before what came has entered: who still wants something keeps their turn.
        for (key, want) in &gone {
            self.queue.leave(&want.place.host, &key.game_id);
        }
        void
    }

    fn enter(&mut self, key: Key, place: Place, (phase, revision): (u64, u64)) {
        self.count();
        self.queue.enter(&place.host, &key.game_id);
        self.queue.push(&place, key.clone());
        let left = self.left.remove(&key).filter(|(stood, _)| *stood == (phase, revision));
        let tried = left.map(|(_, tried)| tried).unwrap_or_default();
        let want = Want {
            place,
            phase,
            revision,
            state: State::Waiting,
            barred: BTreeSet::new(),
            tried,
            failures: BTreeMap::new(),
            why: String::new(),
        };
        self.wants.insert(key, want);
    }

    /// Ends all work on a want; answers the lease that this makes void.
    fn withdraw(
        &mut self,
        key: &Key,
        want: &Want,
    ) -> Option<(LeaseRef, mpsc::Sender<WorkResponse>)> {
        match want.state {
            State::Waiting => {
                self.queue.remove(&want.place, key);
                None
            }
            State::Resting(until) => {
                self.resting.remove(&(until, key.clone()));
                None
            }
            State::Parked(_) => None,
            State::Leased(lease) => {
                let answering = self.leases.get(&lease).is_some_and(|open| open.answering);
                if answering { None } else { self.close(lease) }
            }
        }
    }

    fn wants_of(&self, game_id: &str) -> impl Iterator<Item = (&Key, &Want)> {
        let from_here = self.wants.range(Key::first_of(game_id)..);
        from_here.take_while(move |(key, _)| key.game_id == game_id)
    }

    /// Whether a decision of a game is leased.
    pub(crate) fn is_leased(&self, game_id: &str) -> bool {
        self.wants_of(game_id).any(|(_, want)| matches!(want.state, State::Leased(_)))
    }

    /// A game left memory, and its decisions stay open: answers the leases that are void by that.
    pub(crate) fn forget(&mut self, game_id: &str) -> Taken {
        let tried = self.wants_of(game_id).filter(|(_, want)| !want.tried.by.is_empty());
        let tried: Vec<_> = tried
            .map(|(key, want)| (key.clone(), ((want.phase, want.revision), want.tried.clone())))
            .collect();
        self.left.extend(tried);
        let leases = self.wants_of(game_id).filter_map(|(_, want)| match want.state {
            State::Leased(lease) => self.leases.get(&lease),
            State::Waiting | State::Resting(_) | State::Parked(_) => None,
        });
        let fences: Vec<u64> =
            leases.filter(|lease| lease.fenced).map(|lease| lease.fence).collect();
        self.ended.extend(fences);
        self.wants(game_id, "", "", &[])
    }

    /// Forgets all games: answers the leases that are void by that.
    pub(crate) fn forget_all(&mut self) -> Taken {
        self.games().iter().flat_map(|game_id| self.forget(game_id)).collect()
    }

    /// The games that want something.
    pub(crate) fn games(&self) -> BTreeSet<String> {
        self.wants.keys().map(|key| key.game_id.clone()).collect()
    }

    /// The fences of leases that ended too early since this was asked last.
    pub(crate) fn take_ended(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.ended)
    }

    /// The fences of all leases that are over since this was asked last.
    pub(crate) fn take_over(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.over)
    }

    /// Gives a lease the shared store's fencing number; says whether the lease is still there.
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

    /// The profiles of workers at other processes.
    pub(crate) fn played_elsewhere(&mut self, profiles: BTreeSet<Profile>) {
        self.elsewhere = profiles;
    }

    pub(crate) fn knows(&self, game_id: &str) -> bool {
        self.wants_of(game_id).next().is_some()
    }

    /// Whether a game wants something that no worker plays.
    pub(crate) fn is_missing(&self, game_id: &str) -> bool {
        self.wants_of(game_id).any(|(_, want)| !self.is_played(&want.place.profile))
    }

    /// Whether a worker plays a profile, here or at another process.
    pub(crate) fn is_played(&self, profile: &Profile) -> bool {
        self.workers.values().any(|worker| worker.profiles.contains(profile))
            || self.elsewhere.contains(profile)
    }

    pub(crate) fn hire(
        &mut self,
        player_id: &str,
        profiles: BTreeSet<Profile>,
        capacity: u32,
        mailbox: mpsc::Sender<WorkResponse>,
        since: Millis,
    ) -> WorkerId {
        let id = WorkerId(self.count());
        let (player_id, leases) = (player_id.to_owned(), BTreeSet::new());
        let rests_until = Moment::FIRST;
        let worker = Worker { player_id, profiles, capacity, mailbox, leases, since, rests_until };
        self.workers.insert(id, worker);
        self.offer_parked(id);
        id
    }

    /// Offers a new worker the decisions that were parked before its account could try them.
    fn offer_parked(&mut self, id: WorkerId) {
        let Some(worker) = self.workers.get(&id) else { return };
        let offered =
            |want: &Want| matches!(want.state, State::Parked(_)) && want.suits(id, worker);
        let keys: Vec<Key> = self
            .wants
            .iter()
            .filter(|(_, want)| offered(want))
            .map(|(key, _)| key.clone())
            .collect();
        for key in keys {
            self.wait(&key);
        }
    }

    /// Strikes a worker off; its leases wait for others. Decisions that it alone could have
    /// answered are parked.
    pub(crate) fn strike_off(&mut self, id: WorkerId, now: Millis) {
        let Some(worker) = self.workers.get(&id) else { return };
        for lease in worker.leases.clone() {
            self.reopen(lease, Moment::FIRST);
        }
        self.workers.remove(&id);
        for want in self.wants.values_mut() {
            want.barred.remove(&id);
            want.tried.by.remove(&id);
        }
        let failed: Vec<Key> = self
            .wants
            .iter()
            .filter(|(_, want)| !want.failures.is_empty())
            .map(|(key, _)| key.clone())
            .collect();
        for key in failed {
            self.park(&key, now);
        }
    }

    /// Whether some worker is here.
    pub(crate) fn has_workers(&self) -> bool {
        !self.workers.is_empty()
    }

    /// Whether some worker could take more.
    pub(crate) fn has_time(&self, now: Moment) -> bool {
        self.workers.values().any(|worker| worker.has_time(now))
    }

    /// Gives open wants to workers, in turns: each to the least busy worker who plays it.
    pub(crate) fn assign(&mut self, now: Moment, lasting: Lasting) -> Vec<Given> {
        self.wake(now);
        let mut given = Vec::new();
        while let Some((key, id)) = self.next(now) {
            given.push(self.lease(key, id, now, lasting));
        }
        debug_assert!(
            self.leases.iter().all(|(number, open)| self.is_kept(*number, open)),
            "every lease is of a seat that wants it, and of a worker who has it"
        );
        given
    }

    /// Whether both sides of a lease know of it; the seat may want something else by now if the
    /// answer is being taken.
    fn is_kept(&self, number: u64, open: &OpenLease) -> bool {
        let worker = self.workers.get(&open.worker);
        let want = self.wants.get(&open.key);
        worker.is_some_and(|worker| worker.leases.contains(&number))
            && (open.answering || want.is_some_and(|want| want.state == State::Leased(number)))
    }

    /// Queues the wants that have rested long enough.
    fn wake(&mut self, now: Moment) {
        while let Some((_, key)) = self.resting.first().filter(|(until, _)| *until <= now).cloned()
        {
            self.resting.pop_first();
            self.wait(&key);
        }
    }

    fn wait(&mut self, key: &Key) {
        if let Some(want) = self.wants.get_mut(key) {
            want.state = State::Waiting;
            self.queue.push(&want.place, key.clone());
        }
    }

    /// The next want, and the worker for it.
    fn next(&self, now: Moment) -> Option<(Key, WorkerId)> {
        let free = || self.workers.iter().filter(|(_, worker)| worker.has_time(now));
        let takes = |profile: &Profile, key: &Key| {
            let want = &self.wants[key];
            let able = free().filter(|(id, worker)| {
                worker.profiles.contains(profile)
                    && want.suits(**id, worker)
                    && (want.tried.others_first <= now || !want.tried.by.contains(id))
            });
            able.min_by_key(|(id, worker)| (want.tried.by.contains(id), worker.leases.len()))
                .map(|(&id, _)| id)
        };
        self.queue
            .next(takes, |profile| free().any(|(_, worker)| worker.profiles.contains(profile)))
    }

    fn lease(&mut self, key: Key, id: WorkerId, now: Moment, lasting: Lasting) -> Given {
        let number = self.count();
        let want = self.wants.get_mut(&key).expect("a want that is given is in the book");
        assert_eq!(want.state, State::Waiting, "only what waits is given to a worker");
        assert!(lasting.unrenewed <= lasting.longest, "a lease ends no earlier than it runs out");
        want.state = State::Leased(number);
        self.queue.serve(&want.place, &key);
        let (phase, revision) = (want.phase, want.revision);
        let worker =
            self.workers.get_mut(&id).expect("a worker who is given a lease is in the book");
        assert!(
            worker.leases.len() < worker.capacity as usize,
            "nobody is given more than they said they can do"
        );
        worker.leases.insert(number);
        let lease = LeaseRef { lease_id: number, fence: number };
        let expires = now + lasting.unrenewed;
        let open = OpenLease {
            key: key.clone(),
            worker: id,
            fence: number,
            fenced: false,
            phase,
            revision,
            expires,
            ends: now + lasting.longest,
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

    /// Prolongs a lease, and answers until when; takes a lease of the longest possible time from
    /// its holder.
    pub(crate) fn renew(
        &mut self,
        id: WorkerId,
        lease: LeaseRef,
        now: Moment,
        lasting: Lasting,
    ) -> Option<Moment> {
        self.held(id, lease)?;
        let open = self.leases.get_mut(&lease.lease_id)?;
        open.expires = open.ends.min(now + lasting.unrenewed);
        let expires = open.expires;
        if expires <= now {
            self.run_out(lease.lease_id, now);
            return None;
        }
        Some(expires)
    }

    /// An answer was accepted, and its worker told so: the lease is over. The game itself has said
    /// what it wants next.
    pub(crate) fn answered(&mut self, lease: u64) {
        self.reopen(lease, Moment::FIRST);
    }

    /// A worker has more than it can do: it is given nothing before a time.
    pub(crate) fn rest(&mut self, id: WorkerId, until: Moment) {
        if let Some(worker) = self.workers.get_mut(&id) {
            worker.rests_until = until;
        }
    }

    /// A lease is given back unanswered; the book asks nobody before a time.
    pub(crate) fn give_back(&mut self, lease: u64, not_before: Moment) {
        self.reopen(lease, not_before);
    }

    /// An answer was refused, or its worker says that it cannot answer. After too many failures of
    /// one account the lease is taken back, and workers of other accounts are asked.
    pub(crate) fn fail(&mut self, lease: u64, why: &str, now: Millis) -> Failed {
        let Some(open) = self.leases.get_mut(&lease) else { return Failed::Gone };
        open.answering = false;
        let (key, worker) = (open.key.clone(), open.worker);
        let Some(account) = self.workers.get(&worker).map(|worker| worker.player_id.clone()) else {
            return Failed::Gone;
        };
        let Some(want) = self.wants.get_mut(&key).filter(|want| want.state == State::Leased(lease))
        else {
            return Failed::Gone;
        };
        why.clone_into(&mut want.why);
        let failures = want.failures.entry(account).or_default();
        *failures += 1;
        let left = FAILURES_MAX.saturating_sub(*failures);
        if left > 0 {
            return Failed::Stays(left);
        }
        self.reopen(lease, Moment::FIRST);
        if self.park(&key, now) { Failed::Parked } else { Failed::Offered }
    }

    /// Parks a decision that nobody here can answer any more; says whether it is parked.
    fn park(&mut self, key: &Key, now: Millis) -> bool {
        let Some(want) = self.wants.get(key) else { return false };
        let has_failed = want.failures.values().any(|failures| *failures >= FAILURES_MAX);
        if !has_failed || self.workers.iter().any(|(id, worker)| want.suits(*id, worker)) {
            return false;
        }
        match want.state {
            State::Waiting => self.queue.remove(&want.place, key),
            State::Resting(until) => {
                self.resting.remove(&(until, key.clone()));
            }
            State::Leased(_) | State::Parked(_) => return false,
        }
        if let Some(want) = self.wants.get_mut(key) {
            want.state = State::Parked(now);
        }
        true
    }

    /// The wants that nobody here can answer, oldest first.
    pub(crate) fn parked(&self) -> Vec<Parked> {
        let mut parked: Vec<Parked> = self
            .wants
            .iter()
            .filter_map(|(key, want)| {
                let State::Parked(since) = want.state else { return None };
                Some(Parked {
                    key: key.clone(),
                    profile: want.place.profile.clone(),
                    phase: want.phase,
                    revision: want.revision,
                    failures: want.failures.values().sum(),
                    why: want.why.clone(),
                    since,
                })
            })
            .collect();
        parked.sort_by(|one, other| (one.since, &one.key).cmp(&(other.since, &other.key)));
        parked
    }

    /// How many decisions are parked.
    pub(crate) fn count_parked(&self) -> u64 {
        self.wants.values().filter(|want| matches!(want.state, State::Parked(_))).count() as u64
    }

    /// Whether all wants of a game are parked, so that nobody will move it.
    pub(crate) fn is_stuck(&self, game_id: &str) -> bool {
        let mut wants = self
            .wants
            .range(Key::first_of(game_id)..)
            .take_while(|(key, _)| key.game_id == game_id);
        wants.all(|(key, want)| key.vote > 0 || matches!(want.state, State::Parked(_)))
    }

    /// Has all workers asked again about a parked decision; says whether it was parked.
    pub(crate) fn retry(&mut self, key: &Key) -> bool {
        let Some(want) =
            self.wants.get_mut(key).filter(|want| matches!(want.state, State::Parked(_)))
        else {
            return false;
        };
        want.failures.clear();
        self.wait(key);
        true
    }

    /// A worker may not see this seat.
    pub(crate) fn bar(&mut self, key: &Key, worker: WorkerId) {
        if let Some(want) = self.wants.get_mut(key) {
            want.barred.insert(worker);
        }
    }

    /// Takes the leases back whose time has run out.
    pub(crate) fn expire(&mut self, now: Moment) -> Taken {
        self.left.retain(|_, (_, tried)| tried.others_first > now);
        let expired: Vec<u64> = self
            .leases
            .iter()
            .filter(|(_, open)| open.expires <= now)
            .map(|(&number, _)| number)
            .collect();
        expired.into_iter().filter_map(|lease| self.run_out(lease, now)).collect()
    }

    /// Ends a lease whose time is over. Now others come first, here and at other engines.
    fn run_out(
        &mut self,
        lease: u64,
        now: Moment,
    ) -> Option<(LeaseRef, mpsc::Sender<WorkResponse>)> {
        let open = self.leases.get(&lease)?;
        if let Some(want) = self.wants.get_mut(&open.key) {
            want.tried.by.insert(open.worker);
            if !on(Planted::SameFirst) {
                want.tried.others_first = now + OTHERS_FIRST;
            }
        }
        self.reopen(lease, Moment::FIRST)
    }

    /// Ends a lease; its want waits for a worker again.
    fn reopen(
        &mut self,
        lease: u64,
        not_before: Moment,
    ) -> Option<(LeaseRef, mpsc::Sender<WorkResponse>)> {
        let key = self.leases.get(&lease)?.key.clone();
        if let Some(want) =
            self.wants.get_mut(&key).filter(|want| want.state == State::Leased(lease))
        {
            want.state = State::Resting(not_before);
            self.resting.insert((not_before, key));
            self.ended
                .extend(self.leases.get(&lease).filter(|open| open.fenced).map(|open| open.fence));
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

impl Want {
    /// Whether to ask a worker: it plays this profile, may see the seat, and its account has not
    /// failed too often.
    fn suits(&self, id: WorkerId, worker: &Worker) -> bool {
        let failures = self.failures.get(&worker.player_id).copied().unwrap_or_default();
        worker.profiles.contains(&self.place.profile)
            && !self.barred.contains(&id)
            && failures < FAILURES_MAX
    }
}

impl Worker {
    fn has_time(&self, now: Moment) -> bool {
        self.rests_until <= now && self.leases.len() < self.capacity as usize
    }
}

#[cfg(test)]
mod tests;
