//! An in-memory shared store whose responses arrive late or never, and hosts that use it.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use heliopause_engine::host::{Done, Host, HostSettings};
use heliopause_engine::store::shared::{Hint, OpenDecision, Profile, ValidToken};
use heliopause_engine::store::sqlite::SqliteStore;
use heliopause_engine::store::{
    Account, Answer, Append, Counts, End, GameQuery, GameRow, Loaded, Millis, NoticeBook, Outgoing,
    Record, RecordChange, RecordQuery, Shared, Size, Store, StoreError, TokenRow,
};
use heliopause_proto::store::v1::{Created, Person, PlannedSeat, Taken, planned_seat};
use heliopause_proto::v1::{OpenSeat, Pace, PhasePace};
use heliopause_table::{Fault, chain};
use tokio::sync::{broadcast, watch};
use tokio::time::sleep;

pub const PATIENCE: Duration = Duration::from_secs(20);
pub const GAME: &str = "game";
const SECRET: [u8; 32] = [9; 32];

#[derive(Clone, Copy)]
pub enum Fate {
    /// The write succeeds, but is never confirmed.
    Unconfirmed,
    /// The write is reported as failed, but succeeds after this many milliseconds.
    Later(u64),
    /// The write succeeds and is confirmed after this many milliseconds.
    Slow(u64),
    /// The write succeeds immediately, but is confirmed only after this many milliseconds.
    ConfirmedLate(u64),
    /// The write fails after this many milliseconds.
    Failed(u64),
}

pub struct UnreliableStore {
    inner: Arc<SqliteStore>,
    is_shared: bool,
    fates: Mutex<VecDeque<Fate>>,
    pub writes_fail: AtomicBool,
    /// The number of appends and changes of records before all fail.
    pub writes_left: AtomicI64,
    pub entries_fail: AtomicBool,
    pub entries_damaged: AtomicBool,
    pub heads_gone: AtomicBool,
    /// The delay before a journal's end is returned, in milliseconds.
    pub heads_delay: AtomicU64,
    pub ahead: AtomicI64,
    pub time_fails: AtomicBool,
    available: watch::Sender<Result<(), String>>,
    pub hints: broadcast::Sender<Hint>,
}

impl UnreliableStore {
    pub fn new() -> Arc<Self> {
        Self::shared_or_not(true)
    }

    pub fn alone() -> Arc<Self> {
        Self::shared_or_not(false)
    }

    fn shared_or_not(is_shared: bool) -> Arc<Self> {
        Arc::new(Self {
            inner: Arc::new(SqliteStore::in_memory()),
            is_shared,
            fates: Mutex::default(),
            writes_fail: AtomicBool::new(false),
            writes_left: AtomicI64::new(i64::MAX),
            entries_fail: AtomicBool::new(false),
            entries_damaged: AtomicBool::new(false),
            heads_gone: AtomicBool::new(false),
            heads_delay: AtomicU64::new(0),
            ahead: AtomicI64::new(0),
            time_fails: AtomicBool::new(false),
            available: watch::Sender::new(Ok(())),
            hints: broadcast::Sender::new(16),
        })
    }

    pub fn set_available(&self, available: bool) {
        let away = || "it is away".to_owned();
        drop(self.available.send_replace(available.then_some(()).ok_or_else(away)));
    }

    async fn end(&self, game_id: &str) -> Result<End, StoreError> {
        self.inner.last(game_id).await.map(End::at)
    }

    fn is_cut_off(&self) -> bool {
        self.writes_left.fetch_sub(1, Ordering::Relaxed) <= 0
    }

    pub fn inject(&self, fates: impl IntoIterator<Item = Fate>) {
        self.fates.lock().unwrap().extend(fates);
    }
}

fn broken<T>() -> Result<T, StoreError> {
    Err(StoreError::Unavailable("the line broke".to_owned()))
}

macro_rules! passed_on {
    ($(fn $name:ident($($argument:ident: $kind:ty),*) -> $answer:ty;)*) => {
        $(fn $name(&self, $($argument: $kind),*) -> Answer<'_, $answer> { self.inner.$name($($argument),*) })*
    };
}

/// Defines methods that return the same value in every state of the store.
macro_rules! answered {
    ($(fn $name:ident($($argument:ident: $kind:ty),*) -> $answer:ty = $value:expr;)*) => {
        $(fn $name(&self, $($argument: $kind),*) -> Answer<'_, $answer> {
            Box::pin(std::future::ready(Ok($value)))
        })*
    };
}

impl Store for UnreliableStore {
    fn shared(&self) -> Option<&dyn Shared> {
        self.is_shared.then_some(self)
    }

    fn append(&self, append: Append) -> Answer<'_, ()> {
        let fate = self.fates.lock().unwrap().pop_front();
        let inner = self.inner.clone();
        Box::pin(async move {
            match fate {
                _ if self.writes_fail.load(Ordering::Relaxed) || self.is_cut_off() => broken(),
                None => inner.append(append).await,
                Some(Fate::Unconfirmed) => inner.append(append).await.and_then(|()| broken()),
                Some(Fate::Later(millis)) => {
                    tokio::spawn(async move {
                        sleep(Duration::from_millis(millis)).await;
                        inner.append(append).await
                    });
                    broken()
                }
                Some(Fate::Slow(millis)) => {
                    sleep(Duration::from_millis(millis)).await;
                    inner.append(append).await
                }
                Some(Fate::Failed(millis)) => {
                    sleep(Duration::from_millis(millis)).await;
                    broken()
                }
                Some(Fate::ConfirmedLate(millis)) => {
                    let done = inner.append(append).await;
                    sleep(Duration::from_millis(millis)).await;
                    done
                }
            }
        })
    }

    fn entries(
        &self,
        game_id: &str,
        after: u64,
        limit: usize,
        bytes_max: usize,
    ) -> Answer<'_, Vec<Bytes>> {
        if self.entries_fail.load(Ordering::Relaxed) {
            return Box::pin(async { broken() });
        }
        if self.entries_damaged.load(Ordering::Relaxed) {
            return Box::pin(async { Ok(vec![Bytes::from_static(&[0xff; 8])]) });
        }
        self.inner.entries(game_id, after, limit, bytes_max)
    }

    fn open_account(&self, account: Account, token: TokenRow) -> Answer<'_, ()> {
        let opened = self.inner.open_account(account, token);
        let unheard = self.fates.lock().unwrap().pop_front().is_some();
        Box::pin(async move { opened.await.and_then(|()| if unheard { broken() } else { Ok(()) }) })
    }

    fn change_records(&self, changes: Vec<RecordChange>) -> Answer<'_, ()> {
        if self.is_cut_off() {
            return Box::pin(async { broken() });
        }
        self.inner.change_records(changes)
    }

    passed_on! {
        fn load(game_id: &str) -> Loaded;
        fn put_snapshot(game_id: &str, at: End, snapshot: Bytes) -> ();
        fn game(game_id: &str) -> GameRow;
        fn games(query: GameQuery) -> Vec<GameRow>;
        fn due(limit: usize) -> Vec<(String, Millis)>;
        fn waiting_for_automation(after: &str, limit: usize) -> Vec<String>;
        fn games_without_snapshot(after: &str, limit: usize) -> Vec<String>;
        fn games_counted(player_id: &str) -> u32;
        fn sizes(game_ids: Vec<String>) -> Vec<Size>;
        fn sandboxes_before(time: Millis, limit: usize) -> Vec<String>;
        fn remove_games(game_ids: Vec<String>) -> ();
        fn game_ids(after: &str, limit: usize) -> Vec<String>;
        fn counts() -> Counts;
        fn open_account_with(account: Account, token: TokenRow, changes: Vec<RecordChange>) -> ();
        fn account(id_or_name: &str) -> Account;
        fn accounts(after: &str, search: &str, limit: usize) -> Vec<Account>;
        fn change_account(before: Account, after: Account) -> ();
        fn put_token(token: TokenRow) -> ();
        fn token(hash: [u8; 32]) -> (TokenRow, Account);
        fn tokens(player_id: &str) -> Vec<TokenRow>;
        fn revoke(player_id: &str, token_id: Option<&str>) -> Vec<TokenRow>;
        fn record(space: &str, id: &str) -> Option<Record>;
        fn records(query: RecordQuery) -> Vec<Record>;
        fn notice_book(player_id: &str) -> Option<NoticeBook>;
        fn put_notice_book(player_id: &str, expected: u64, book: Option<NoticeBook>) -> ();
        fn claim_outgoing(now: Millis, until: Millis, limit: usize) -> Vec<Outgoing>;
        fn update_outgoing(gone: Vec<(String, String)>, put: Vec<Outgoing>) -> ();
        fn outgoing() -> (u64, Option<Millis>);
    }
}

impl Shared for UnreliableStore {
    fn hints(&self) -> broadcast::Receiver<Hint> {
        self.hints.subscribe()
    }

    fn tell(&self, _: Hint) {}

    fn receives_hints(&self) -> bool {
        true
    }

    fn available(&self) -> watch::Receiver<Result<(), String>> {
        self.available.subscribe()
    }

    fn time(&self) -> Answer<'_, Millis> {
        Box::pin(async {
            if self.time_fails.load(Ordering::Relaxed) {
                return broken();
            }
            Ok(machine_time() + self.ahead.load(Ordering::Relaxed))
        })
    }

    fn head(&self, game_id: &str) -> Answer<'_, End> {
        let game_id = game_id.to_owned();
        let gone = self.heads_gone.load(Ordering::Relaxed);
        let takes = Duration::from_millis(self.heads_delay.load(Ordering::Relaxed));
        Box::pin(async move {
            sleep(takes).await;
            if gone { Err(StoreError::NotFound) } else { self.end(&game_id).await }
        })
    }

    fn heads(&self, games: Vec<String>, _: Vec<String>) -> Answer<'_, Vec<(String, End)>> {
        Box::pin(async move {
            let mut heads = Vec::new();
            for game_id in games {
                if let Ok(end) = self.end(&game_id).await {
                    heads.push((game_id, end));
                }
            }
            Ok(heads)
        })
    }

    fn heads_among(
        &self,
        games: Vec<String>,
        players: Vec<String>,
    ) -> Answer<'_, Vec<(String, End)>> {
        self.heads(games, players)
    }

    answered! {
        fn claim(due: Vec<(String, Millis)>, _lasting: Duration) -> Vec<String> =
            due.into_iter().map(|(game_id, _)| game_id).collect();
        fn lease(decisions: Vec<OpenDecision>, _lasting: Duration) -> Vec<Option<u64>> =
            vec![None; decisions.len()];
        fn renew(fences: Vec<u64>, _lasting: Duration) -> Vec<u64> = fences;
        fn give_back(_fences: Vec<u64>) -> () = ();
        fn forget_leases(_game_id: &str) -> () = ();
        fn announce(_profiles: Vec<Profile>, _lasting: Duration) -> Vec<Profile> = Vec::new();
        fn report(_record: Vec<u8>, _lasting: Duration) -> Vec<Vec<u8>> = Vec::new();
        fn valid(_token_ids: Vec<String>) -> Vec<ValidToken> = Vec::new();
    }
}

pub fn machine_time() -> Millis {
    SystemTime::UNIX_EPOCH.elapsed().unwrap().as_millis() as Millis
}

pub fn person(id: &str) -> Person {
    Person { player_id: id.to_owned(), name: id.to_uppercase() }
}

fn seat(plan: planned_seat::Plan) -> PlannedSeat {
    PlannedSeat { plan: Some(plan) }
}

fn taken(id: &str) -> PlannedSeat {
    seat(planned_seat::Plan::Taken(Taken { player: Some(person(id)), ..Taken::default() }))
}

async fn create(
    host: &Host,
    game_id: &str,
    second: PlannedSeat,
    pace: Option<Pace>,
) -> Result<Done, Fault> {
    let created = Created {
        kind: "starships-at-large".to_owned(),
        seats: vec![taken("ann"), second],
        pace,
        host: Some(person("ann")),
        seed_commitment: chain::commitment(&SECRET).to_vec().into(),
        game_id: game_id.to_owned(),
        start_when_full: true,
        ..Created::default()
    };
    Box::pin(host.create(created, SECRET, "ann")).await
}

pub async fn created(host: &Host) -> Result<Done, Fault> {
    create(host, GAME, seat(planned_seat::Plan::Open(OpenSeat::default())), None).await
}

/// Creates a game without orders, with a deadline every second.
pub async fn fast_game(host: &Host, game_id: &str) -> Result<Done, Fault> {
    let interval = Some(prost_types::Duration { seconds: 1, nanos: 0 });
    let standard = Some(PhasePace { interval, ..PhasePace::default() });
    create(host, game_id, taken("bob"), Some(Pace { standard, ..Pace::default() })).await
}

pub fn host(store: &Arc<UnreliableStore>) -> Arc<Host> {
    Host::new(store.clone(), HostSettings::default())
}
