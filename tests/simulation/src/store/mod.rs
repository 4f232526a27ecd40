//! A store that does what a database may do: it answers late or not at all, does what it did not
//! answer, is away, is slow, is full; and between several engines it tells hints that come late or
//! never. What it has acknowledged it keeps.

mod reached;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake};
use std::thread::Thread;
use std::time::Duration;

use bytes::Bytes;
use heliopause_engine::store::memory::MemoryStore;
use heliopause_engine::store::shared::{Hint, OpenDecision, Profile, ValidToken};
use heliopause_engine::store::sqlite::SqliteStore;
use heliopause_engine::store::{
    Account, Answer, Append, End, GameQuery, Member, Millis, Store, StoreError, TokenRow,
};
use tokio::sync::{Notify, broadcast};
use tokio::task::coop::unconstrained;
use tokio::time::{Instant, sleep};

pub use reached::Reached;

use crate::chance::Chance;
use crate::ground;
use crate::net::{Net, Node, STORE};

/// Within what time an engine looks at the store's clock again, be it a replica's: it may be cut off
/// for longer than all patience.
const CLOCK_LOOKED_AT: Duration = Duration::from_mins(2);

/// What is in the store, and what goes wrong there.
pub struct World {
    /// What is there, as it was opened last.
    data: Mutex<Arc<dyn Store>>,
    /// The same, if it is in memory.
    memory: Option<Arc<MemoryStore>>,
    /// Where SQLite keeps it, if it does.
    folder: Option<PathBuf>,
    /// Whether several engines share it.
    is_shared: bool,
    net: Net,
    state: Mutex<State>,
    /// The store's clock: how far it is ahead of the right time.
    ahead: AtomicI64,
    /// Breaks all lines to it.
    cut: Notify,
    /// When an engine last had trouble with it, in milliseconds of the run.
    trouble: AtomicU64,
}

struct State {
    chance: Chance,
    slow_until: Option<(Instant, u64)>,
    full_until: Option<Instant>,
    /// Until when answers get lost, and how many in a thousand.
    lossy_until: Option<(Instant, u64)>,
    /// Until when it neither reads nor writes, and how many times in a thousand.
    fails_until: Option<(Instant, u64)>,
    deaf_until: BTreeMap<Node, Instant>,
    /// Until when it is dead, and its replica has not taken over.
    dead_until: Option<Instant>,
    /// Until when clocks may still go by a clock that it had, and how far that is ahead.
    was_ahead: Option<(Instant, Millis)>,
    /// How many hints in a thousand get lost.
    hints_lost: u64,
    claims: BTreeMap<String, (Millis, Millis)>,
    leases: BTreeMap<(String, u32, u64), Lease>,
    fence: u64,
    /// To whom each fence was given.
    fences: BTreeMap<u64, Node>,
    /// What engines said of fences that they do not have.
    strange: Vec<String>,
    played: BTreeMap<(Node, Profile), Millis>,
    reports: BTreeMap<Node, (Vec<u8>, Millis)>,
    tokens: BTreeMap<String, String>,
    hearers: BTreeMap<Node, broadcast::Sender<Hint>>,
    appends: Vec<Watcher>,
}

/// What a backup of the store holds. Fences are not in it: a database draws them from a sequence,
/// and the simulated one does not give a number twice, so that it can tell whose each is.
pub struct Backup {
    data: MemoryStore,
    claims: BTreeMap<String, (Millis, Millis)>,
    leases: BTreeMap<(String, u32, u64), Lease>,
}

/// Is told of every append that is done.
type Watcher = Box<dyn Fn(&Append, Millis) + Send>;

#[derive(Clone)]
struct Lease {
    at: (u64, u64),
    fence: u64,
    expires: Millis,
}

impl World {
    /// An empty store.
    pub fn new(
        net: Net,
        chance: Chance,
        is_shared: bool,
        hints_lost: u64,
        folder: Option<PathBuf>,
    ) -> Arc<Self> {
        let state = State {
            chance,
            slow_until: None,
            full_until: None,
            lossy_until: None,
            fails_until: None,
            deaf_until: BTreeMap::new(),
            dead_until: None,
            was_ahead: None,
            hints_lost,
            claims: BTreeMap::new(),
            leases: BTreeMap::new(),
            fence: 0,
            fences: BTreeMap::new(),
            strange: Vec::new(),
            played: BTreeMap::new(),
            reports: BTreeMap::new(),
            tokens: BTreeMap::new(),
            hearers: BTreeMap::new(),
            appends: Vec::new(),
        };
        let memory = folder.is_none().then(Arc::<MemoryStore>::default);
        let data: Arc<dyn Store> = match &memory {
            Some(memory) => Arc::clone(memory) as Arc<dyn Store>,
            None => opened(folder.as_deref()),
        };
        Arc::new(Self {
            data: Mutex::new(data),
            memory,
            folder,
            is_shared,
            net,
            state: Mutex::new(state),
            ahead: AtomicI64::new(0),
            cut: Notify::new(),
            trouble: AtomicU64::new(0),
        })
    }

    /// Whether several engines may share it.
    pub fn is_shared(&self) -> bool {
        self.is_shared
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is there.
    pub fn data(&self) -> Arc<dyn Store> {
        Arc::clone(&self.data.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A program that was killed is started again, and opens what it left.
    pub fn open_again(&self) {
        if self.folder.is_some() {
            let mut data = self.data.lock().unwrap_or_else(PoisonError::into_inner);
            // Its files are let go of first.
            *data = Arc::new(MemoryStore::default());
            *data = opened(self.folder.as_deref());
        }
    }

    /// What time it is by its clock.
    pub fn now(&self) -> Millis {
        ground::now() + self.ahead.load(Ordering::Relaxed)
    }

    /// Tells somebody of every append.
    pub fn watch(&self, watcher: impl Fn(&Append, Millis) + Send + 'static) {
        self.state().appends.push(Box::new(watcher));
    }

    /// It is slow for a while.
    pub fn slow(&self, lasting: Duration, millis: u64) {
        self.state().slow_until = Some((Instant::now() + lasting, millis));
    }

    /// It is full for a while.
    pub fn fill(&self, lasting: Duration) {
        self.state().full_until = Some(Instant::now() + lasting);
    }

    /// Answers get lost for a while.
    pub fn lose(&self, lasting: Duration, in_1000: u64) {
        self.state().lossy_until = Some((Instant::now() + lasting, in_1000));
    }

    /// It neither reads nor writes for a while, so many times in a thousand.
    pub fn fail(&self, lasting: Duration, in_1000: u64) {
        self.state().fails_until = Some((Instant::now() + lasting, in_1000));
    }

    /// It dies: all lines to it break, whatever was under way. When its replica takes over, that
    /// has all that was acknowledged, and a clock of its own.
    pub fn fail_over(&self, down: Duration, millis: Millis) {
        let over = Instant::now() + down;
        let was = self.ahead.swap(millis, Ordering::Relaxed);
        let mut state = self.state();
        state.dead_until = Some(over);
        // An engine may go by an even older clock still.
        let older = state.was_ahead.filter(|(until, _)| *until > Instant::now());
        let most = older.map_or(0, |(_, ahead)| ahead.max(0)) + was - millis;
        state.was_ahead = Some((over + CLOCK_LOOKED_AT, most.max(was - millis)));
        drop(state);
        self.cut.notify_waiters();
    }

    /// A backup, if it is in memory.
    pub fn backup(&self) -> Option<Backup> {
        let data = self.memory.as_ref()?.copy();
        let state = self.state();
        Some(Backup { data, claims: state.claims.clone(), leases: state.leases.clone() })
    }

    /// It goes back to a backup, under running engines. All lines to it break, unless it is
    /// replaced in one transaction.
    pub fn go_back(&self, backup: &Backup, breaks: bool) {
        if let Some(memory) = &self.memory {
            memory.restore(&backup.data);
        }
        let mut state = self.state();
        state.claims.clone_from(&backup.claims);
        state.leases.clone_from(&backup.leases);
        drop(state);
        self.note_trouble();
        if breaks {
            self.cut.notify_waiters();
        }
    }

    /// Whether there are so many games, and no seat of them is open.
    pub fn is_full(&self, games: usize) -> bool {
        let query = GameQuery { limit: usize::MAX, ..GameQuery::default() };
        let rows = at_once(self.data().games(query)).unwrap_or_default();
        rows.len() == games && rows.iter().all(|row| row.open_seats == 0)
    }

    /// Until when it is dead, if it is.
    fn dead_until(&self) -> Option<Instant> {
        self.state().dead_until.filter(|until| *until > Instant::now())
    }

    /// How far an engine may be ahead of it, for it goes still by the clock of a store that died.
    fn lagged(&self) -> Millis {
        let was = self.state().was_ahead.filter(|(until, _)| *until > Instant::now());
        was.map_or(0, |(_, ahead)| ahead.max(0))
    }

    /// An engine hears no hints for a while, and knows it.
    pub fn deafen(&self, node: Node, lasting: Duration) {
        self.state().deaf_until.insert(node, Instant::now() + lasting);
    }

    /// Whether an engine had trouble with it in the last seconds.
    pub fn had_trouble(&self, within: Duration) -> bool {
        let last = self.trouble.load(Ordering::Relaxed);
        last > 0 && ground::elapsed().as_millis() as u64 - last < within.as_millis() as u64
    }

    /// Whether it was full in the last seconds.
    pub fn was_full(&self, within: Duration) -> bool {
        self.state().full_until.is_some_and(|until| until + within > Instant::now())
    }

    fn note_trouble(&self) {
        self.trouble.store(ground::elapsed().as_millis() as u64, Ordering::Relaxed);
    }

    fn hint(&self, from: Node, hint: &Hint) {
        if !self.is_shared {
            return;
        }
        let mut state = self.state();
        let hearers: Vec<(Node, broadcast::Sender<Hint>)> =
            state.hearers.iter().map(|(node, sender)| (*node, sender.clone())).collect();
        for (node, sender) in hearers {
            let lost = state.hints_lost;
            if node == from || state.chance.in_1000(lost) || state.is_deaf(node) {
                continue;
            }
            let (net, hint) = (self.net.clone(), hint.clone());
            let delay = state.chance.millis(1..60);
            tokio::spawn(async move {
                sleep(delay).await;
                if net.blocked(STORE, node).is_none() {
                    // Nobody may listen.
                    let _ = sender.send(hint);
                }
            });
        }
    }

    fn append(&self, append: &Append) -> Result<(), StoreError> {
        if self.state().full_until.is_some_and(|until| until > Instant::now()) {
            return Err(StoreError::Unavailable("the disk is full".to_owned()));
        }
        // The answer of a store in memory is there at once.
        let done = at_once(self.data().append(append.clone()));
        if done.is_ok() {
            let now = self.now() + self.lagged();
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

fn opened(folder: Option<&Path>) -> Arc<dyn Store> {
    match folder {
        Some(folder) => {
            Arc::new(SqliteStore::open(folder, None).expect("what a killed program left opens"))
        }
        None => Arc::new(MemoryStore::default()),
    }
}

/// A store's answer, for which the whole world stands still: SQLite has threads of its own, and of
/// them one at a time works.
pub fn at_once<T>(answer: Answer<'_, T>) -> Result<T, StoreError> {
    struct Awake(Thread);
    impl Wake for Awake {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let mut answer = std::pin::pin!(unconstrained(answer));
    let waker = Arc::new(Awake(std::thread::current())).into();
    let mut context = Context::from_waker(&waker);
    loop {
        match answer.as_mut().poll(&mut context) {
            Poll::Ready(done) => return done,
            Poll::Pending => std::thread::park(),
        }
    }
}

impl World {
    /// Opens an account without an engine.
    pub fn open_account(&self, account: Account, token: TokenRow) -> Result<(), StoreError> {
        let known = (token.token_id.clone(), token.player_id.clone());
        at_once(self.data().open_account(account, token))?;
        self.state().tokens.insert(known.0, known.1);
        Ok(())
    }

    /// The number of a game's last entry.
    pub fn head(&self, game_id: &str) -> Result<u64, StoreError> {
        at_once(self.data().load(game_id)).map(|loaded| loaded.last)
    }

    /// The end of a game's journal.
    fn end(&self, game_id: &str) -> Result<End, StoreError> {
        match &self.memory {
            Some(memory) => memory.end(game_id),
            None => self.head(game_id).map(End::at),
        }
    }

    /// The seat that somebody holds, as the directory has it.
    pub fn seat_of(&self, game_id: &str, node: Node) -> Option<u32> {
        let account = at_once(self.data().account(&format!("p{node}"))).ok()?;
        let row = at_once(self.data().game(game_id)).ok()?;
        let mine = |one: &&Member| one.player_id == account.player_id && one.seat > 0;
        row.members.iter().find(mine).map(|one| one.seat)
    }

    /// Whether each game has a snapshot of its last entry.
    pub fn is_settled(&self) -> bool {
        at_once(self.data().unsettled("", 1)).is_ok_and(|unsettled| unsettled.is_empty())
    }

    /// All entries of a game.
    pub fn journal(&self, game_id: &str) -> Vec<Bytes> {
        at_once(self.data().entries(game_id, 0, usize::MAX, usize::MAX)).unwrap_or_default()
    }

    fn running_of(&self, player: &str) -> Vec<String> {
        let query = GameQuery {
            limit: usize::MAX,
            member: Some(player.to_owned()),
            running_only: true,
            ..GameQuery::default()
        };
        let rows = at_once(self.data().games(query)).unwrap_or_default();
        rows.into_iter().map(|row| row.game_id).collect()
    }

    fn claim(&self, due: &[(String, Millis)], lasting: Duration) -> Vec<String> {
        let now = self.now();
        let until = now + lasting.as_millis() as Millis;
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
        lasting: Duration,
    ) -> Vec<Option<u64>> {
        let now = self.now();
        let expires = now + lasting.as_millis() as Millis;
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

    /// Notes fences that an engine does not have.
    fn look_at_fences(&self, node: Node, fences: &[u64]) {
        let mut state = self.state();
        for fence in fences {
            let whose = state.fences.get(fence).copied();
            if whose != Some(node) {
                state.strange.push(format!("engine {node} speaks of fence {fence} of {whose:?}"));
            }
        }
    }

    /// What engines said that cannot be.
    pub fn strange(&self) -> Vec<String> {
        self.state().strange.clone()
    }

    fn renew(&self, node: Node, fences: &[u64], lasting: Duration) -> Vec<u64> {
        self.look_at_fences(node, fences);
        let now = self.now();
        let expires = now + lasting.as_millis() as Millis;
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
        self.look_at_fences(node, fences);
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

    fn announce(&self, node: Node, profiles: Vec<Profile>, lasting: Duration) -> Vec<Profile> {
        let now = self.now();
        let mut state = self.state();
        state.played.retain(|(teller, _), expires| *teller != node && *expires > now);
        let elsewhere = state.played.keys().map(|(_, profile)| profile.clone()).collect();
        let expires = now + lasting.as_millis() as Millis;
        state.played.extend(profiles.into_iter().map(|profile| ((node, profile), expires)));
        elsewhere
    }

    fn report(&self, node: Node, record: Vec<u8>, lasting: Duration) -> Vec<Vec<u8>> {
        let now = self.now();
        let mut state = self.state();
        state.reports.insert(node, (record, now + lasting.as_millis() as Millis));
        let others = state.reports.iter().filter(|(teller, _)| **teller != node);
        others.filter(|(_, told)| told.1 > now).map(|(_, told)| told.0.clone()).collect()
    }

    fn valid(&self, token_ids: Vec<String>) -> Vec<ValidToken> {
        let mut valid = Vec::new();
        for token_id in token_ids {
            let player = self.state().tokens.get(&token_id).cloned();
            let account = player.and_then(|player| at_once(self.data().account(&player)).ok());
            if let Some(account) = account.filter(|account| !account.banned) {
                valid.push((token_id, account.role));
            }
        }
        valid
    }
}
