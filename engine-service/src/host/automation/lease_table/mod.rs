//! The lease table: demands, workers and leases, as pure data without clock or network.

mod listed;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use heliopause_kernel::Seat;
use heliopause_proto::v1::{LeaseRef, WorkResponse};
use heliopause_table::{AutomationTask, TaskKind};
use tokio::sync::mpsc;

use super::queue::{Place, Queue};
use crate::store::Millis;
use crate::store::shared::Profile;
use crate::time::Moment;

/// The number of failed answers after which an account's workers get no more leases of a demand.
pub(crate) const FAILURES_MAX: u32 = 5;

/// The time for which workers that let a lease of a demand expire get no new lease of the demand.
/// It exceeds `LEASED_ELSEWHERE_FOR`, so that engines with other workers can lease the demand
/// first.
const SKIPPED_FOR: Millis = 5_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct WorkerId(u64);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key {
    pub(crate) game_id: String,
    pub(crate) seat: Seat,
    /// The number of the vote, or 0 for a decision.
    pub(crate) vote: u64,
}

#[derive(Debug)]
struct Demand {
    place: Place,
    phase: u64,
    revision: u64,
    state: State,
    excluded: BTreeSet<WorkerId>,
    tried: TimedOut,
    failures: BTreeMap<String, u32>,
    why: String,
}

/// The workers that let a lease of the demand expire. They are tried last.
#[derive(Clone, Debug)]
struct TimedOut {
    by: BTreeSet<WorkerId>,
    skipped_until: Moment,
}

impl Default for TimedOut {
    fn default() -> Self {
        Self { by: BTreeSet::new(), skipped_until: Moment::FIRST }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Waiting,
    Resting(Moment),
    Leased(u64),
    Parked(Millis),
}

struct Worker {
    player_id: String,
    profiles: BTreeSet<Profile>,
    capacity: u32,
    mailbox: mpsc::Sender<WorkResponse>,
    leases: BTreeSet<u64>,
    since: Millis,
    rests_until: Moment,
}

#[derive(Debug)]
struct OpenLease {
    held: Held,
    worker: WorkerId,
    fence: u64,
    /// Whether the shared store issued the fence. If so, the store must be notified when the lease
    /// ends early.
    fenced: bool,
    expires: Moment,
    /// The time at which the lease ends even if it is renewed.
    ends: Moment,
    /// Whether an answer is being applied. The lease occupies the worker's capacity until the
    /// result is known, so that no new lease overtakes the result.
    answering: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct LeaseDurations {
    pub(crate) unrenewed: Millis,
    pub(crate) longest: Millis,
}

pub(crate) struct NewLease {
    pub(crate) lease: LeaseRef,
    pub(crate) held: Held,
    pub(crate) worker: WorkerId,
    pub(crate) expires: Moment,
    pub(crate) mailbox: mpsc::Sender<WorkResponse>,
}

/// A leased demand, and the account of the worker that has the lease.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    pub(crate) key: Key,
    pub(crate) player_id: String,
    pub(crate) phase: u64,
    pub(crate) revision: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failed {
    Stays(u32),
    Offered,
    Parked,
    Gone,
}

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

type RevokedLease = (LeaseRef, mpsc::Sender<WorkResponse>);
pub(crate) type RevokedLeases = Vec<RevokedLease>;

#[derive(Default)]
pub(crate) struct LeaseTable {
    demands: BTreeMap<Key, Demand>,
    queue: Queue,
    resting: BTreeSet<(Moment, Key)>,
    workers: BTreeMap<WorkerId, Worker>,
    leases: HashMap<u64, OpenLease>,
    /// The workers that let leases expire, by demand, phase and revision. Contains only demands of
    /// evicted games. Without this map, the same workers would be tried first if a game is reloaded
    /// immediately.
    left: BTreeMap<Key, ((u64, u64), TimedOut)>,
    /// The last number used for workers, demands and leases. Numbers only grow, so that a later
    /// lease of a seat always has a higher fence.
    counter: u64,
    elsewhere: BTreeSet<Profile>,
    /// Fences of leases that ended while their demand was still open. The shared store must release
    /// them immediately.
    ended: Vec<u64>,
    /// Fences of all ended leases. The shared store must release them, because other processes do
    /// not load a game that has an unexpired lease.
    over: Vec<u64>,
}

impl Key {
    fn of(game_id: &str, wanted: &AutomationTask) -> Self {
        let vote = match &wanted.kind {
            TaskKind::Decision(_) => 0,
            TaskKind::Vote(vote) => vote.number,
        };
        Self { game_id: game_id.to_owned(), seat: wanted.seat, vote }
    }

    fn first_of(game_id: &str) -> Self {
        Self { game_id: game_id.to_owned(), seat: Seat::at(0), vote: 0 }
    }

    pub(crate) fn asks(&self, wanted: &AutomationTask) -> bool {
        let vote = matches!(&wanted.kind, TaskKind::Vote(vote) if vote.number == self.vote);
        wanted.seat == self.seat
            && (vote || self.vote == 0 && matches!(wanted.kind, TaskKind::Decision(_)))
    }
}

/// Returns the phase and revision of a decision, or zeros for a vote, because a seat votes only
/// once.
pub(crate) fn phase_and_revision(wanted: &AutomationTask) -> (u64, u64) {
    match &wanted.kind {
        TaskKind::Decision(decision_state) => (decision_state.phase, decision_state.revision),
        TaskKind::Vote(_) => (0, 0),
    }
}

impl LeaseTable {
    pub(crate) fn counts(&self) -> (u64, u64, u64) {
        let capacity = self.workers.values().map(|worker| u64::from(worker.capacity)).sum();
        (self.workers.len() as u64, self.leases.len() as u64, capacity)
    }

    pub(crate) fn demands(
        &mut self,
        game_id: &str,
        host: &str,
        kind: &str,
        wanted: &[AutomationTask],
    ) -> RevokedLeases {
        let host = if host.is_empty() { game_id } else { host };
        let mut gone = Vec::new();
        for (key, want) in self.demands_of(game_id) {
            let same = |one: &AutomationTask| {
                key.asks(one) && phase_and_revision(one) == (want.phase, want.revision)
            };
            if !wanted.iter().any(same) {
                gone.push(key.clone());
            }
        }
        let gone: Vec<(Key, Demand)> =
            gone.into_iter().filter_map(|key| self.demands.remove_entry(&key)).collect();
        let void = gone.iter().filter_map(|(key, want)| self.clear(key, want)).collect();
        for one in wanted {
            let key = Key::of(game_id, one);
            if !self.demands.contains_key(&key) {
                let (name, level) = (one.by.profile.clone(), one.by.level.clone());
                let profile = Profile { kind: kind.to_owned(), name, level };
                self.enter(
                    key,
                    Place { profile, host: host.to_owned(), since: self.counter + 1 },
                    phase_and_revision(one),
                );
            }
        }
        // Leave only after the new demands are added, so that a host or game with further demands
        // keeps its turn.
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
        let want = Demand {
            place,
            phase,
            revision,
            state: State::Waiting,
            excluded: BTreeSet::new(),
            tried,
            failures: BTreeMap::new(),
            why: String::new(),
        };
        self.demands.insert(key, want);
    }

    fn clear(&mut self, key: &Key, want: &Demand) -> Option<RevokedLease> {
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

    fn demands_of(&self, game_id: &str) -> impl Iterator<Item = (&Key, &Demand)> {
        let from_here = self.demands.range(Key::first_of(game_id)..);
        from_here.take_while(move |(key, _)| key.game_id == game_id)
    }

    fn keys_of(&self, wanted: impl Fn(&Demand) -> bool) -> Vec<Key> {
        let demands = self.demands.iter().filter(|(_, want)| wanted(want));
        demands.map(|(key, _)| key.clone()).collect()
    }

    pub(crate) fn is_leased(&self, game_id: &str) -> bool {
        self.demands_of(game_id).any(|(_, want)| matches!(want.state, State::Leased(_)))
    }

    /// Removes the demands of an evicted game, although they are still open. Returns their leases,
    /// which must be revoked.
    pub(crate) fn forget(&mut self, game_id: &str) -> RevokedLeases {
        let tried = self.demands_of(game_id).filter(|(_, want)| !want.tried.by.is_empty());
        let tried: Vec<_> = tried
            .map(|(key, want)| (key.clone(), ((want.phase, want.revision), want.tried.clone())))
            .collect();
        self.left.extend(tried);
        let leases = self.demands_of(game_id).filter_map(|(_, want)| match want.state {
            State::Leased(lease) => self.leases.get(&lease),
            State::Waiting | State::Resting(_) | State::Parked(_) => None,
        });
        let fences: Vec<u64> =
            leases.filter(|lease| lease.fenced).map(|lease| lease.fence).collect();
        self.ended.extend(fences);
        self.demands(game_id, "", "", &[])
    }

    pub(crate) fn forget_all(&mut self) -> RevokedLeases {
        self.games().iter().flat_map(|game_id| self.forget(game_id)).collect()
    }

    pub(crate) fn games(&self) -> BTreeSet<String> {
        self.demands.keys().map(|key| key.game_id.clone()).collect()
    }

    pub(crate) fn take_ended(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.ended)
    }

    pub(crate) fn take_over(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.over)
    }

    /// Sets a fence from the shared store. Returns whether the lease still exists.
    pub(crate) fn fence(&mut self, lease: u64, fence: u64) -> bool {
        let open = self.leases.get_mut(&lease);
        match open {
            Some(open) => (open.fence, open.fenced) = (fence, true),
            // The lease has ended, but its demand may still be open.
            None => self.ended.push(fence),
        }
        self.leases.contains_key(&lease)
    }

    pub(crate) fn played(&self) -> BTreeSet<Profile> {
        self.workers.values().flat_map(|worker| worker.profiles.iter().cloned()).collect()
    }

    pub(crate) fn played_elsewhere(&mut self, profiles: BTreeSet<Profile>) {
        self.elsewhere = profiles;
    }

    pub(crate) fn knows(&self, game_id: &str) -> bool {
        self.demands_of(game_id).next().is_some()
    }

    pub(crate) fn is_missing(&self, game_id: &str) -> bool {
        self.demands_of(game_id).any(|(_, want)| !self.is_played(&want.place.profile))
    }

    pub(crate) fn is_played(&self, profile: &Profile) -> bool {
        self.workers.values().any(|worker| worker.profiles.contains(profile))
            || self.elsewhere.contains(profile)
    }

    pub(crate) fn add_worker(
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

    fn offer_parked(&mut self, id: WorkerId) {
        let Some(worker) = self.workers.get(&id) else { return };
        let offered =
            |want: &Demand| matches!(want.state, State::Parked(_)) && want.suits(id, worker);
        for key in self.keys_of(offered) {
            self.wait(&key);
        }
    }

    pub(crate) fn remove_worker(&mut self, id: WorkerId, now: Millis) {
        let Some(worker) = self.workers.get(&id) else { return };
        for lease in worker.leases.clone() {
            self.reopen(lease, Moment::FIRST);
        }
        self.workers.remove(&id);
        for want in self.demands.values_mut() {
            want.excluded.remove(&id);
            want.tried.by.remove(&id);
        }
        for key in self.keys_of(|want| !want.failures.is_empty()) {
            self.park(&key, now);
        }
    }

    pub(crate) fn has_workers(&self) -> bool {
        !self.workers.is_empty()
    }

    pub(crate) fn has_time(&self, now: Moment) -> bool {
        self.workers.values().any(|worker| worker.has_time(now))
    }

    /// Leases demands in turn, each to the least busy worker that plays the demand's profile.
    pub(crate) fn assign(&mut self, now: Moment, durations: LeaseDurations) -> Vec<NewLease> {
        self.wake(now);
        let mut given = Vec::new();
        while let Some((key, id)) = self.next(now) {
            given.push(self.lease(key, id, now, durations));
        }
        debug_assert!(
            self.leases.iter().all(|(number, open)| self.is_kept(*number, open)),
            "every lease matches its worker and its demand"
        );
        given
    }

    /// Returns whether a lease is consistent with its worker and its demand. The demand may be gone
    /// while an answer is being applied.
    fn is_kept(&self, number: u64, open: &OpenLease) -> bool {
        let worker = self.workers.get(&open.worker);
        let want = self.demands.get(&open.held.key);
        worker.is_some_and(|worker| worker.leases.contains(&number))
            && (open.answering || want.is_some_and(|want| want.state == State::Leased(number)))
    }

    fn wake(&mut self, now: Moment) {
        while let Some((_, key)) = self.resting.first().filter(|(until, _)| *until <= now).cloned()
        {
            self.resting.pop_first();
            self.wait(&key);
        }
    }

    fn wait(&mut self, key: &Key) {
        if let Some(want) = self.demands.get_mut(key) {
            want.state = State::Waiting;
            self.queue.push(&want.place, key.clone());
        }
    }

    fn next(&self, now: Moment) -> Option<(Key, WorkerId)> {
        let free = || self.workers.iter().filter(|(_, worker)| worker.has_time(now));
        let takes = |profile: &Profile, key: &Key| {
            let want = &self.demands[key];
            let able = free().filter(|(id, worker)| {
                worker.profiles.contains(profile)
                    && want.suits(**id, worker)
                    && (want.tried.skipped_until <= now || !want.tried.by.contains(id))
            });
            able.min_by_key(|(id, worker)| (want.tried.by.contains(id), worker.leases.len()))
                .map(|(&id, _)| id)
        };
        self.queue
            .next(takes, |profile| free().any(|(_, worker)| worker.profiles.contains(profile)))
    }

    fn lease(
        &mut self,
        key: Key,
        id: WorkerId,
        now: Moment,
        durations: LeaseDurations,
    ) -> NewLease {
        let number = self.count();
        let want = self.demands.get_mut(&key).expect("a demand to lease is in the table");
        assert_eq!(want.state, State::Waiting, "only waiting demands are leased");
        assert!(
            durations.unrenewed <= durations.longest,
            "a lease expires no later than its limit"
        );
        want.state = State::Leased(number);
        self.queue.serve(&want.place, &key);
        let worker = self.workers.get_mut(&id).expect("a worker that gets a lease is in the table");
        assert!(
            worker.leases.len() < worker.capacity as usize,
            "a worker has no more leases than its capacity"
        );
        worker.leases.insert(number);
        let lease = LeaseRef { lease_id: number, fence: number };
        let expires = now + durations.unrenewed;
        let player_id = worker.player_id.clone();
        let held = Held { key, player_id, phase: want.phase, revision: want.revision };
        let open = OpenLease {
            held: held.clone(),
            worker: id,
            fence: number,
            fenced: false,
            expires,
            ends: now + durations.longest,
            answering: false,
        };
        self.leases.insert(number, open);
        NewLease { lease, held, worker: id, expires, mailbox: worker.mailbox.clone() }
    }

    pub(crate) fn held(&self, id: WorkerId, lease: LeaseRef) -> Option<Held> {
        let open = self.leases.get(&lease.lease_id)?;
        (open.worker == id && open.fence == lease.fence).then(|| open.held.clone())
    }

    pub(crate) fn begin_answer(&mut self, id: WorkerId, lease: LeaseRef) -> Option<Held> {
        let held = self.held(id, lease)?;
        self.leases.get_mut(&lease.lease_id)?.answering = true;
        Some(held)
    }

    /// Extends a lease and returns its new expiry. Returns `None` if the worker does not have the
    /// lease, or if the lease has reached its limit and therefore ends.
    pub(crate) fn renew(
        &mut self,
        id: WorkerId,
        lease: LeaseRef,
        now: Moment,
        durations: LeaseDurations,
    ) -> Option<Moment> {
        self.held(id, lease)?;
        let open = self.leases.get_mut(&lease.lease_id)?;
        open.expires = open.ends.min(now + durations.unrenewed);
        let expires = open.expires;
        if expires <= now {
            self.run_out(lease.lease_id, now);
            return None;
        }
        Some(expires)
    }

    /// Ends a lease whose answer was accepted. The game has already replaced the demand.
    pub(crate) fn answered(&mut self, lease: u64) {
        self.reopen(lease, Moment::FIRST);
    }

    pub(crate) fn rest(&mut self, id: WorkerId, until: Moment) {
        if let Some(worker) = self.workers.get_mut(&id) {
            worker.rests_until = until;
        }
    }

    pub(crate) fn give_back(&mut self, lease: u64, not_before: Moment) {
        self.reopen(lease, not_before);
    }

    /// Counts a rejected answer, or a worker's report that it cannot answer. After too many
    /// failures of an account, the demand is leased to workers of other accounts, or parked if
    /// there are none.
    pub(crate) fn fail(&mut self, lease: u64, why: &str, now: Millis) -> Failed {
        let Some(open) = self.leases.get_mut(&lease) else { return Failed::Gone };
        open.answering = false;
        let Held { key, player_id: account, .. } = open.held.clone();
        let Some(want) =
            self.demands.get_mut(&key).filter(|want| want.state == State::Leased(lease))
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

    fn park(&mut self, key: &Key, now: Millis) -> bool {
        let Some(want) = self.demands.get(key) else { return false };
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
        if let Some(want) = self.demands.get_mut(key) {
            want.state = State::Parked(now);
        }
        true
    }

    /// Returns the decisions that no connected worker can answer, oldest first.
    pub(crate) fn parked(&self) -> Vec<Parked> {
        let mut parked: Vec<Parked> = self
            .demands
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

    pub(crate) fn count_parked(&self) -> u64 {
        self.demands.values().filter(|want| matches!(want.state, State::Parked(_))).count() as u64
    }

    /// Returns whether all pending decisions of a game are parked. If so, no worker will advance
    /// the game.
    pub(crate) fn is_stuck(&self, game_id: &str) -> bool {
        self.demands_of(game_id)
            .all(|(key, want)| key.vote > 0 || matches!(want.state, State::Parked(_)))
    }

    pub(crate) fn retry(&mut self, key: &Key) -> bool {
        let Some(want) =
            self.demands.get_mut(key).filter(|want| matches!(want.state, State::Parked(_)))
        else {
            return false;
        };
        want.failures.clear();
        self.wait(key);
        true
    }

    pub(crate) fn exclude(&mut self, key: &Key, worker: WorkerId) {
        if let Some(want) = self.demands.get_mut(key) {
            want.excluded.insert(worker);
        }
    }

    pub(crate) fn expire(&mut self, now: Moment) -> RevokedLeases {
        self.left.retain(|_, (_, tried)| tried.skipped_until > now);
        let expired = self.leases.iter().filter(|(_, open)| open.expires <= now);
        let expired: Vec<u64> = expired.map(|(&number, _)| number).collect();
        expired.into_iter().filter_map(|lease| self.run_out(lease, now)).collect()
    }

    /// Ends an expired lease. For [`SKIPPED_FOR`], only other workers of this engine and of other
    /// engines get the demand.
    fn run_out(&mut self, lease: u64, now: Moment) -> Option<RevokedLease> {
        let open = self.leases.get(&lease)?;
        if let Some(want) = self.demands.get_mut(&open.held.key) {
            want.tried.by.insert(open.worker);
            want.tried.skipped_until = now + SKIPPED_FOR;
        }
        self.reopen(lease, Moment::FIRST)
    }

    fn reopen(&mut self, lease: u64, not_before: Moment) -> Option<RevokedLease> {
        let key = self.leases.get(&lease)?.held.key.clone();
        if let Some(want) =
            self.demands.get_mut(&key).filter(|want| want.state == State::Leased(lease))
        {
            want.state = State::Resting(not_before);
            self.resting.insert((not_before, key));
            self.ended
                .extend(self.leases.get(&lease).filter(|open| open.fenced).map(|open| open.fence));
        }
        self.close(lease)
    }

    fn close(&mut self, lease: u64) -> Option<RevokedLease> {
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

impl Demand {
    fn suits(&self, id: WorkerId, worker: &Worker) -> bool {
        let failures = self.failures.get(&worker.player_id).copied().unwrap_or_default();
        worker.profiles.contains(&self.place.profile)
            && !self.excluded.contains(&id)
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
