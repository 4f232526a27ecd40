//! A store with the failures of a database: late, lost or failed responses, and lost hints.
//! The store keeps everything that it acknowledged.

mod connection;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake};
use std::thread::Thread;
use std::time::Duration;

use bytes::Bytes;
use heliopause_engine::store::shared::{Hint, OpenDecision, Profile, ValidToken};
use heliopause_engine::store::sqlite::SqliteStore;
use heliopause_engine::store::{
    Account, Answer, Append, End, GameQuery, Member, Millis, Store, StoreError, TokenRow,
};
use tokio::sync::{Notify, broadcast};
use tokio::task::coop::unconstrained;
use tokio::time::{Instant, sleep};

pub use connection::StoreConnection;

use crate::chance::Rng;
use crate::environment;
use crate::net::{Net, Node, STORE};

/// The maximum time until an engine reads the store's clock again. It exceeds every timeout,
/// because a fault can block traffic for longer than a timeout.
const CLOCK_REFRESH_MAX: Duration = Duration::from_mins(2);

/// The contents of the store and its faults.
pub struct SimulatedStore {
    data: Mutex<Arc<SqliteStore>>,
    folder: Option<PathBuf>,
    is_shared: bool,
    net: Net,
    state: Mutex<State>,
    ahead: AtomicI64,
    cut: Notify,
    trouble: AtomicU64,
}

#[derive(Default)]
struct State {
    chance: Rng,
    slow_until: Option<(Instant, u64)>,
    full_until: Option<Instant>,
    /// The time until which responses are lost, and the number of losses per 1,000 responses.
    lossy_until: Option<(Instant, u64)>,
    /// The time until which the disk fails, and the number of failures per 1,000 operations.
    fails_until: Option<(Instant, u64)>,
    deaf_until: BTreeMap<Node, Instant>,
    dead_until: Option<Instant>,
    /// The time until which engines may still use an older clock, and the offset of that clock.
    was_ahead: Option<(Instant, Millis)>,
    hints_lost: u64,
    /// The tags of the ends of journals, which SQLite does not store.
    tags: BTreeMap<String, Option<i64>>,
    claims: BTreeMap<String, (Millis, Millis)>,
    leases: BTreeMap<(String, u32, u64), Lease>,
    fence: u64,
    fences: BTreeMap<u64, Node>,
    fence_violations: Vec<String>,
    played: BTreeMap<(Node, Profile), Millis>,
    reports: BTreeMap<Node, (Vec<u8>, Millis)>,
    tokens: BTreeMap<String, String>,
    hint_receivers: BTreeMap<Node, broadcast::Sender<Hint>>,
    appends: Vec<Watcher>,
}

/// The contents of a backup. Fences are excluded, because a rollback does not reset them.
pub struct Backup {
    data: SqliteStore,
    tags: BTreeMap<String, Option<i64>>,
    claims: BTreeMap<String, (Millis, Millis)>,
    leases: BTreeMap<(String, u32, u64), Lease>,
}

type Watcher = Box<dyn Fn(&Append, Millis) + Send>;

#[derive(Clone)]
struct Lease {
    at: (u64, u64),
    fence: u64,
    expires: Millis,
}

impl SimulatedStore {
    pub fn new(
        net: Net,
        chance: Rng,
        is_shared: bool,
        hints_lost: u64,
        folder: Option<PathBuf>,
    ) -> Arc<Self> {
        let state = State { chance, hints_lost, ..State::default() };
        Arc::new(Self {
            data: Mutex::new(opened(folder.as_deref())),
            folder,
            is_shared,
            net,
            state: Mutex::new(state),
            ahead: AtomicI64::new(0),
            cut: Notify::new(),
            trouble: AtomicU64::new(0),
        })
    }

    pub fn is_shared(&self) -> bool {
        self.is_shared
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn data(&self) -> Arc<SqliteStore> {
        Arc::clone(&self.data.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn open_again(&self) {
        if self.folder.is_some() {
            let mut data = self.data.lock().unwrap_or_else(PoisonError::into_inner);
            // Replace the old store first, so that its files are closed.
            *data = opened(None);
            *data = opened(self.folder.as_deref());
        }
    }

    pub fn now(&self) -> Millis {
        environment::now() + self.ahead.load(Ordering::Relaxed)
    }

    pub fn watch(&self, watcher: impl Fn(&Append, Millis) + Send + 'static) {
        self.state().appends.push(Box::new(watcher));
    }

    pub fn slow(&self, duration: Duration, millis: u64) {
        self.state().slow_until = Some((Instant::now() + duration, millis));
    }

    pub fn fill(&self, duration: Duration) {
        self.state().full_until = Some(Instant::now() + duration);
    }

    pub fn lose(&self, duration: Duration, in_1000: u64) {
        self.state().lossy_until = Some((Instant::now() + duration, in_1000));
    }

    pub fn fail(&self, duration: Duration, in_1000: u64) {
        self.state().fails_until = Some((Instant::now() + duration, in_1000));
    }

    /// Breaks all connections and fails over to a replica after `down`. The clock of the replica is
    /// ahead by `millis`, and the replica has all acknowledged data.
    pub fn fail_over(&self, down: Duration, millis: Millis) {
        let over = Instant::now() + down;
        let was = self.ahead.swap(millis, Ordering::Relaxed);
        let mut state = self.state();
        state.dead_until = Some(over);
        // An engine may still use the clock of the store before the last failover.
        let older = state.was_ahead.filter(|(until, _)| *until > Instant::now());
        let most = older.map_or(0, |(_, ahead)| ahead.max(0)) + was - millis;
        state.was_ahead = Some((over + CLOCK_REFRESH_MAX, most.max(was - millis)));
        drop(state);
        self.cut.notify_waiters();
    }

    pub fn backup(&self) -> Option<Backup> {
        if self.folder.is_some() {
            return None;
        }
        let data = SqliteStore::in_memory();
        self.data().copy_to(&data);
        let State { tags, claims, leases, .. } = &*self.state();
        let (tags, claims, leases) = (tags.clone(), claims.clone(), leases.clone());
        Some(Backup { data, tags, claims, leases })
    }

    /// Restores a backup under running engines. Without `breaks`, connections stay open.
    pub fn roll_back(&self, backup: &Backup, breaks: bool) {
        backup.data.copy_to(&self.data());
        let mut state = self.state();
        state.tags.clone_from(&backup.tags);
        state.claims.clone_from(&backup.claims);
        state.leases.clone_from(&backup.leases);
        drop(state);
        self.note_trouble();
        if breaks {
            self.cut.notify_waiters();
        }
    }

    pub fn is_full(&self, games: usize) -> bool {
        let query = GameQuery { limit: usize::MAX, ..GameQuery::default() };
        let rows = block_on(self.data().games(query)).unwrap_or_default();
        rows.len() == games && rows.iter().all(|row| row.open_seats == 0)
    }

    fn dead_until(&self) -> Option<Instant> {
        self.state().dead_until.filter(|until| *until > Instant::now())
    }

    /// Returns how far an engine that uses a former store's clock may be ahead.
    fn clock_lead(&self) -> Millis {
        let was = self.state().was_ahead.filter(|(until, _)| *until > Instant::now());
        was.map_or(0, |(_, ahead)| ahead.max(0))
    }

    pub fn block_hints(&self, node: Node, duration: Duration) {
        self.state().deaf_until.insert(node, Instant::now() + duration);
    }

    pub fn had_trouble(&self, within: Duration) -> bool {
        let last = self.trouble.load(Ordering::Relaxed);
        last > 0 && environment::elapsed().as_millis() as u64 - last < within.as_millis() as u64
    }

    pub fn was_full(&self, within: Duration) -> bool {
        self.state().full_until.is_some_and(|until| until + within > Instant::now())
    }

    fn note_trouble(&self) {
        self.trouble.store(environment::elapsed().as_millis() as u64, Ordering::Relaxed);
    }

    fn hint(&self, from: Node, hint: &Hint) {
        if !self.is_shared {
            return;
        }
        let mut state = self.state();
        let hint_receivers: Vec<(Node, broadcast::Sender<Hint>)> =
            state.hint_receivers.iter().map(|(node, sender)| (*node, sender.clone())).collect();
        for (node, sender) in hint_receivers {
            let lost = state.hints_lost;
            if node == from || state.chance.in_1000(lost) || state.is_deaf(node) {
                continue;
            }
            let (net, hint) = (self.net.clone(), hint.clone());
            let delay = state.chance.millis(1..60);
            tokio::spawn(async move {
                sleep(delay).await;
                if net.blocked(STORE, node).is_none() {
                    let _ = sender.send(hint);
                }
            });
        }
    }

    fn require_space(&self) -> Result<(), StoreError> {
        if self.state().full_until.is_some_and(|until| until > Instant::now()) {
            return Err(StoreError::Unavailable("the disk is full".to_owned()));
        }
        Ok(())
    }

    fn append(&self, append: &Append) -> Result<(), StoreError> {
        self.require_space()?;
        let (game_id, expected) = (&append.row.game_id, append.expected);
        let tag = self.state().tags.get(game_id).copied().flatten();
        let differs = tag.zip(append.tags.before).is_some_and(|(tag, before)| tag != before);
        if differs && self.head(game_id).is_ok_and(|actual| actual == expected) {
            return Err(StoreError::LostRace { expected, actual: expected });
        }
        let done = block_on(self.data().append(append.clone()));
        if done.is_ok() {
            self.state().tags.insert(game_id.clone(), append.tags.after);
            let now = self.now() + self.clock_lead();
            for watcher in &self.state().appends {
                watcher(append, now);
            }
        }
        done
    }
}

impl State {
    fn is_deaf(&self, node: Node) -> bool {
        self.deaf_until.get(&node).is_some_and(|until| *until > Instant::now())
    }
}

fn opened(folder: Option<&Path>) -> Arc<SqliteStore> {
    Arc::new(match folder {
        Some(folder) => SqliteStore::open(folder, None).expect("what a killed program left opens"),
        None => SqliteStore::in_memory(),
    })
}

/// Blocks until the store responds. SQLite has its own threads, but only one thread may run.
pub fn block_on<T>(answer: Answer<'_, T>) -> Result<T, StoreError> {
    struct ThreadWaker(Thread);
    impl Wake for ThreadWaker {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let mut answer = std::pin::pin!(unconstrained(answer));
    let waker = Arc::new(ThreadWaker(std::thread::current())).into();
    let mut context = Context::from_waker(&waker);
    loop {
        match answer.as_mut().poll(&mut context) {
            Poll::Ready(done) => return done,
            Poll::Pending => std::thread::park(),
        }
    }
}

impl SimulatedStore {
    pub fn open_account(&self, account: Account, token: TokenRow) -> Result<(), StoreError> {
        self.with_token(token.clone(), |store| block_on(store.open_account(account, token)))
    }

    /// Runs work that stores a token.
    fn with_token(
        &self,
        token: TokenRow,
        work: impl FnOnce(&SqliteStore) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        work(&self.data())?;
        self.state().tokens.insert(token.token_id, token.player_id);
        Ok(())
    }

    pub fn head(&self, game_id: &str) -> Result<u64, StoreError> {
        block_on(Box::pin(self.data().last(game_id)))
    }

    fn end(&self, game_id: &str) -> Result<End, StoreError> {
        let tag = self.state().tags.get(game_id).copied().flatten();
        self.head(game_id).map(|last| End { last, tag })
    }

    fn put_snapshot(&self, game_id: &str, at: End, snapshot: Bytes) -> Result<(), StoreError> {
        self.require_space()?;
        let end = self.end(game_id)?;
        let differs = at.tag.zip(end.tag).is_some_and(|(tag, actual)| tag != actual);
        if at.tag.is_some() && (at.last != end.last || differs) {
            return Err(StoreError::LostRace { expected: at.last, actual: end.last });
        }
        block_on(self.data().put_snapshot(game_id, at, snapshot))
    }

    pub fn seat_of(&self, game_id: &str, node: Node) -> Option<u32> {
        let account = block_on(self.data().account(&format!("p{node}"))).ok()?;
        let row = block_on(self.data().game(game_id)).ok()?;
        let mine = |one: &&Member| one.player_id == account.player_id && one.seat > 0;
        row.members.iter().find(mine).map(|one| one.seat)
    }

    pub fn is_settled(&self) -> bool {
        block_on(self.data().games_without_snapshot("", 1))
            .is_ok_and(|games_without_snapshot| games_without_snapshot.is_empty())
    }

    pub fn journal(&self, game_id: &str) -> Vec<Bytes> {
        block_on(self.data().entries(game_id, 0, usize::MAX, usize::MAX)).unwrap_or_default()
    }

    pub fn running_of(&self, player: &str) -> Vec<String> {
        let query = GameQuery {
            limit: usize::MAX,
            member: Some(player.to_owned()),
            running_only: true,
            ..GameQuery::default()
        };
        let rows = block_on(self.data().games(query)).unwrap_or_default();
        rows.into_iter().map(|row| row.game_id).collect()
    }

    fn claim(&self, due: &[(String, Millis)], duration: Duration) -> Vec<String> {
        let now = self.now();
        let until = now + duration.as_millis() as Millis;
        let mut state = self.state();
        let mut mine = Vec::new();
        for (game_id, due) in due {
            let held = state.claims.get(game_id);
            if held.is_none_or(|(claimed, until)| *until < now || claimed != due) {
                state.claims.insert(game_id.clone(), (*due, until));
                mine.push(game_id.clone());
            }
        }
        mine
    }

    fn lease(
        &self,
        node: Node,
        decisions: Vec<OpenDecision>,
        duration: Duration,
    ) -> Vec<Option<u64>> {
        let now = self.now();
        let expires = now + duration.as_millis() as Millis;
        let mut state = self.state();
        let mut lease = |decision: OpenDecision| {
            let at = (decision.phase, decision.revision);
            let key = (decision.game_id, decision.seat, decision.vote);
            let held = state.leases.get(&key);
            let free =
                held.is_none_or(|held| held.at < at || (held.at == at && held.expires < now));
            free.then(|| {
                state.fence += 1;
                let fence = state.fence;
                state.fences.insert(fence, node);
                state.leases.insert(key, Lease { at, fence, expires });
                fence
            })
        };
        decisions.into_iter().map(&mut lease).collect()
    }

    fn check_fences(&self, node: Node, fences: &[u64]) {
        let mut state = self.state();
        for fence in fences {
            let whose = state.fences.get(fence).copied();
            if whose != Some(node) {
                state
                    .fence_violations
                    .push(format!("engine {node} uses fence {fence} of {whose:?}"));
            }
        }
    }

    pub fn fence_violations(&self) -> Vec<String> {
        self.state().fence_violations.clone()
    }

    fn renew(&self, node: Node, fences: &[u64], duration: Duration) -> Vec<u64> {
        self.check_fences(node, fences);
        let now = self.now();
        let expires = now + duration.as_millis() as Millis;
        let mut state = self.state();
        let mine = state.leases.values_mut().filter(|lease| fences.contains(&lease.fence));
        let in_force = mine.filter(|lease| lease.expires > now);
        in_force
            .map(|lease| {
                lease.expires = expires;
                lease.fence
            })
            .collect()
    }

    fn give_back(&self, node: Node, fences: &[u64]) {
        self.check_fences(node, fences);
        let now = self.now();
        for lease in self.state().leases.values_mut() {
            if fences.contains(&lease.fence) && lease.expires > now {
                lease.expires = now - 1;
            }
        }
    }

    fn forget_leases(&self, game_id: &str) {
        self.state().leases.retain(|(of, _, _), _| of != game_id);
    }

    fn announce(&self, node: Node, profiles: Vec<Profile>, duration: Duration) -> Vec<Profile> {
        let now = self.now();
        let mut state = self.state();
        state.played.retain(|(teller, _), expires| *teller != node && *expires > now);
        let elsewhere = state.played.keys().map(|(_, profile)| profile.clone()).collect();
        let expires = now + duration.as_millis() as Millis;
        state.played.extend(profiles.into_iter().map(|profile| ((node, profile), expires)));
        elsewhere
    }

    fn report(&self, node: Node, record: Vec<u8>, duration: Duration) -> Vec<Vec<u8>> {
        let now = self.now();
        let mut state = self.state();
        state.reports.insert(node, (record, now + duration.as_millis() as Millis));
        let others = state.reports.iter().filter(|(teller, _)| **teller != node);
        others.filter(|(_, told)| told.1 > now).map(|(_, told)| told.0.clone()).collect()
    }

    fn valid(&self, token_ids: Vec<String>) -> Vec<ValidToken> {
        let mut valid = Vec::new();
        for token_id in token_ids {
            let player = self.state().tokens.get(&token_id).cloned();
            let account = player.and_then(|player| block_on(self.data().account(&player)).ok());
            if let Some(account) = account.filter(|account| !account.banned) {
                valid.push((token_id, account.role));
            }
        }
        valid
    }
}
