//! The host of games. It loads and evicts games, applies their steps, and streams their events.
//!
//! **Invariant.** The store decides the order of steps. An acknowledged step is durable. A process
//! that loses a race applies the winner's entries before it tries again. Several processes may
//! therefore host the same games.
//!
//! **Invariant.** Only active games take up memory. Idle games are evicted and loaded again on the
//! next access. No game is loaded at start-up.
//!
//! With a shared store, a rejection is final only after the store confirms that no entry was added
//! in the meantime. An accepted step needs no such check, because its append loses the race if an
//! entry was added.
//!
//! If the store has lost entries of a loaded game, the game is unloaded, its streams end, and the
//! next call loads what the store has.

mod activity;
mod actor;
mod append;
mod automation;
mod clock;
mod follow;
mod live;
mod loading;
mod news;
mod notices;
mod past;
mod published;
mod round;
mod stream;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::available_parallelism;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt as _, stream as futures};
use heliopause_kernel::Viewer;
use heliopause_proto::store::v1::{
    AutomationResumed, Created, Entry, HostBanned, PlayerErased, Step, step,
};
use heliopause_proto::v1::{Cursor, ErrorReason, Event};
use heliopause_table::{AppliedStep, Fault, Table};
use prost::Message as _;
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, sleep};

pub(crate) use automation::Parked;
pub use automation::{Automation, WorkerPass};
pub use live::Done;
pub(crate) use live::history_lost;
pub(crate) use loading::{load_from, unreadable};
pub(crate) use news::id_of;
pub use news::pending_notice;
pub use notices::NoticeStream;
pub(crate) use past::Past;
pub(crate) use published::encoded;
pub(crate) use stream::check_cursor;
pub use stream::{EventStream, EventStreamStart, timestamp};

use crate::Time;
use crate::failure::{draining, over_quota};
use crate::log_throttle::{self, throttled};
use crate::maps::Map;
use crate::store::{
    Append, End, GameQuery, GameRow, Millis, Outgoing, Quota, Shared, Store, StoreError,
};
use crate::time::Moment;
use live::{Diverged, Live, end_of};

/// The result of an operation on a game.
pub type Result<T, E = Fault> = std::result::Result<T, E>;

/// The maximum time and the interval of retries while a shared store does not return the end of a
/// game's journal.
const HEAD_RETRY_FOR: Duration = Duration::from_secs(4);
const HEAD_RETRY_AFTER: Duration = Duration::from_millis(50);

pub(crate) const RARE: &str = "heliopause::rare";

const CONCURRENT_EVICTIONS_MAX: usize = 64;
const UNSETTLED_PAGE: usize = 256;

#[derive(Clone, Debug)]
pub struct HostSettings {
    pub sandbox: bool,
    pub sandbox_lifetime: Duration,
    pub evict_after: Duration,
    /// The number of loaded games above which idle games are evicted early. A large game counts as
    /// several.
    pub live_max: usize,
    /// The duration of a lease without renewal.
    pub lease_time: Duration,
    /// The time that automation continues without activity, or `None` for no limit.
    pub unwatched_after: Option<Duration>,
    pub send_notices: bool,
    pub time: Time,
    /// The maximum number of leases that are created concurrently. The default leaves half of the
    /// cores to players.
    pub writers: usize,
    /// The number of entries between stored snapshots.
    pub snapshot_every: u64,
    /// The number of entries that a stream may lag behind before it reads the journal.
    pub published_buffer: usize,
    /// The runtime that applies the steps of large games, or `None` for no separate runtime.
    pub steps: Option<tokio::runtime::Handle>,
}

impl Default for HostSettings {
    fn default() -> Self {
        Self {
            sandbox: false,
            sandbox_lifetime: Duration::from_hours(24),
            evict_after: Duration::from_secs(30),
            live_max: 20_000,
            lease_time: Duration::from_secs(30),
            unwatched_after: Some(Duration::from_hours(1)),
            send_notices: false,
            time: Time::default(),
            writers: (available_parallelism().map_or(1, std::num::NonZero::get) / 2).max(1),
            snapshot_every: 256,
            published_buffer: 64,
            steps: None,
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub struct HostStatus {
    pub live_games: u64,
    pub streams: u64,
    pub workers: u64,
    pub leases: u64,
    pub capacity: u64,
    pub parked: u64,
}

pub struct Host {
    me: Weak<Self>,
    store: Arc<dyn Store>,
    settings: HostSettings,
    /// The cell of a game that is being loaded is empty.
    live: Mutex<Map<String, Arc<Slot>>>,
    room: live::MemoryBudget,
    automation: Automation,
    notices: notices::Notices,
    leaving: Notify,
    activity: Arc<activity::Activity>,
    clock: clock::Clock,
    streams: Arc<()>,
    draining: watch::Sender<bool>,
}

impl Host {
    pub fn new(store: Arc<dyn Store>, settings: HostSettings) -> Arc<Self> {
        let shared = store.shared().is_some();
        let host = Arc::new_cyclic(|me| Self {
            me: me.clone(),
            store,
            automation: Automation::new(me.clone(), settings.lease_time, settings.writers),
            activity: activity::Activity::new(settings.unwatched_after, settings.time.clone()),
            settings,
            live: Mutex::new(Map::default()),
            room: live::MemoryBudget::default(),
            notices: notices::Notices::new(shared),
            leaving: Notify::new(),
            clock: clock::Clock::default(),
            streams: Arc::new(()),
            draining: watch::Sender::new(false),
        });
        clock::start(&host);
        follow::start(&host);
        host.automation.start();
        host
    }

    pub fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    pub fn settings(&self) -> &HostSettings {
        &self.settings
    }

    pub fn automation(&self) -> &Automation {
        &self.automation
    }

    /// Returns the current time, by the store's clock if the store is shared.
    pub fn now(&self) -> Millis {
        self.settings.time.now()
    }

    pub(crate) fn moment(&self) -> Moment {
        self.settings.time.moment()
    }

    pub(crate) fn time(&self) -> &Time {
        &self.settings.time
    }

    pub fn status(&self) -> HostStatus {
        let live_games =
            self.games_in_memory().values().filter(|cell| cell.initialized()).count() as u64;
        let streams = Arc::strong_count(&self.streams) as u64 - 1;
        let (workers, leases, capacity) = self.automation.lease_table().counts();
        HostStatus {
            live_games,
            streams,
            workers,
            leases,
            capacity,
            parked: self.automation.lease_table().count_parked(),
        }
    }

    pub async fn create(&self, created: Created, secret: [u8; 32], by: &str) -> Result<Done> {
        self.create_with_quota(created, secret, Step { by: by.to_owned(), ..Step::default() }, None)
            .await
    }

    pub async fn create_with_quota(
        &self,
        created: Created,
        secret: [u8; 32],
        asked: Step,
        quota: Option<Quota>,
    ) -> Result<Done> {
        self.check_draining()?;
        self.room.check_memory(self.settings.live_max)?;
        self.ensure_time().await?;
        let game_id = created.game_id.clone();
        let (table, taken) = Box::pin(self.create_table(created, secret, asked)).await?;
        let row = append::row_of(table.listing());
        let append = append::append_of(
            &table,
            row.clone(),
            End::at(0),
            Some(secret),
            std::slice::from_ref(&taken),
            self.settings.snapshot_every,
        );
        let quotas = quota.into_iter().collect();
        let notices = self.outgoing(&row, std::iter::once(&taken.entry));
        // A caller who finds the game in the store before it is loaded waits for this cell.
        let loading = Loading::of(self, &game_id);
        let mut is_new = false;
        let laying = Box::pin(async {
            is_new = true;
            self.append(Append { quotas, notices, ..append }).await?;
            self.activity.note(&game_id);
            self.notices.note(&row, &taken.entry);
            // A game that starts at once has a deadline.
            self.clock.wake_at(row.due);
            Ok::<_, Fault>(self.spawn(&game_id, table))
        });
        let live = loading.cell.get_or_try_init(|| laying).await?.clone();
        if !is_new {
            let actual = live.last();
            return Err(Fault::from(StoreError::LostRace { expected: 0, actual }));
        }
        let opened = live.opened(taken).await?;
        self.evict_when_draining(&live).await;
        Ok(opened)
    }

    async fn create_table(
        &self,
        created: Created,
        secret: [u8; 32],
        asked: Step,
    ) -> Result<(Table, AppliedStep)> {
        let now = self.now();
        let large = created.seats.len() >= live::LARGE_SEATS
            || created.encoded_len() >= live::LARGE_POSITION;
        match self.settings.steps.as_ref().filter(|_| large) {
            None => Table::create_for(created, secret, asked, now),
            Some(threads) => {
                let laying = async move { Table::create_for(created, secret, asked, now) };
                match crate::background::spawn_on(threads, laying).await {
                    Ok(laid) => laid,
                    Err(ended) if ended.is_panic() => std::panic::resume_unwind(ended.into_panic()),
                    // The runtime has stopped because the engine is stopping.
                    Err(_) => std::future::pending().await,
                }
            }
        }
    }

    /// Reads a table after bringing it up to date with the store, if the store is available.
    pub async fn read<T>(&self, game_id: &str, read: impl FnOnce(&Table) -> T) -> Result<T> {
        let live = self.live_current(game_id).await?;
        let table = live.read().await?;
        Ok(read(&table))
    }

    /// Reads a table that may lag behind other processes on a shared store.
    pub async fn peek<T>(&self, game_id: &str, read: impl FnOnce(&Table) -> T) -> Result<T> {
        let live = self.live(game_id).await?;
        let table = live.read().await?;
        Ok(read(&table))
    }

    pub async fn take(&self, game_id: &str, step: Step) -> Result<Done> {
        self.take_with_quota(game_id, step, None).await
    }

    pub async fn take_with_quota(
        &self,
        game_id: &str,
        step: Step,
        quota: Option<Quota>,
    ) -> Result<Done> {
        self.check_draining()?;
        let step = Arc::new(step);
        // Load the game again if its actor evicts it before the step arrives.
        for _ in 0..8 {
            let live = self.live(game_id).await?;
            if let Some(answer) = live.take(Arc::clone(&step), quota.clone()).await {
                return answer;
            }
            tracing::trace!(target: RARE, "a step reached a game that was being evicted");
            self.forget(&live);
        }
        Err(Fault::new(
            ErrorReason::LostRace,
            "The game was unloaded several times before the call was applied; try again.",
        ))
    }

    pub async fn entry(&self, game_id: &str, number: u64) -> Result<Entry> {
        loading::stored_entry(self, game_id, number).await
    }

    /// Returns up to `limit` of a viewer's events after the event `after`. `last` is the last entry
    /// of the journal.
    pub async fn events(
        &self,
        game_id: &str,
        viewer: Viewer,
        after: u64,
        last: u64,
        limit: usize,
    ) -> Result<Vec<Event>> {
        let reader = self.peek(game_id, |table| table.subscriber(viewer)).await?;
        let entry = stream::entry_before(self, game_id, &reader, after, last).await?;
        loading::events_after(self, game_id, &reader, entry, after, limit).await
    }

    pub async fn check_history(
        &self,
        game_id: &str,
        viewer: Viewer,
        after: &Cursor,
        head: &Cursor,
        last: u64,
    ) -> Result<()> {
        let reader = self.peek(game_id, |table| table.subscriber(viewer)).await?;
        stream::last_entry_read(self, game_id, &reader, after, head, last).await.map(drop)
    }

    pub async fn entry_of(
        &self,
        game_id: &str,
        viewer: Viewer,
        event: u64,
        last: u64,
    ) -> Result<Entry> {
        let reader = self.peek(game_id, |table| table.subscriber(viewer)).await?;
        let before =
            stream::entry_before(self, game_id, &reader, event.saturating_sub(1), last).await?;
        self.entry(game_id, before + 1).await
    }

    pub async fn feed(&self, start: EventStreamStart) -> Result<EventStream> {
        let live = self.live_current(&start.game_id).await?;
        // Later entries may be loaded before the cursor is checked.
        let known = live.last();
        let me = self.me.upgrade().expect("the host is alive");
        match EventStream::open(me, live.clone(), start).await {
            Err(fault) => Err(self.unless_outdated(live.game_id(), known, fault).await),
            // The player may have taken a seat in another process. Without this error, they would
            // watch their own game as a spectator.
            Ok(feed) if feed.is_seatless() && self.unavailable_fault().is_some() => Err(outdated()),
            opened => opened,
        }
    }

    /// Replaces the error for a rejected cursor with a retryable error if the table at entry
    /// `known` is outdated, because the cursor may refer to events of another process that have not
    /// arrived here. Passes other errors to [`Self::unless_unavailable`].
    pub(crate) async fn unless_outdated(&self, game_id: &str, known: u64, fault: Fault) -> Fault {
        if fault.reason == ErrorReason::CursorInvalid && !self.is_the_end(game_id, known).await {
            return outdated();
        }
        self.unless_unavailable(fault)
    }

    /// Replaces an error about membership with the store's error while the store is unavailable,
    /// because the membership in memory may be outdated. Returns other errors unchanged.
    pub(crate) fn unless_unavailable(&self, fault: Fault) -> Fault {
        use ErrorReason::{GameNotFound, NotYourSeat, WatchingOff};
        let may_have_changed = matches!(fault.reason, GameNotFound | NotYourSeat | WatchingOff);
        if may_have_changed { self.unavailable_fault().unwrap_or(fault) } else { fault }
    }

    fn outgoing<'a>(
        &self,
        row: &GameRow,
        entries: impl Iterator<Item = &'a Entry>,
    ) -> Vec<Outgoing> {
        if self.settings.send_notices {
            news::outgoing(row, entries, self.now())
        } else {
            Vec::new()
        }
    }

    pub(crate) fn leaving(&self) -> &Notify {
        &self.leaving
    }

    pub async fn notices(&self, player_id: &str) -> NoticeStream {
        let notices = self.notices.subscribe(player_id);
        if let Some(shared) = self.store.shared() {
            match shared.heads(Vec::new(), vec![player_id.to_owned()]).await {
                Ok(heads) => {
                    let heads = heads.into_iter().map(|(game_id, end)| (game_id, end.last));
                    self.notices.begin(heads);
                }
                // Without the ends, the first check reports too many notices rather than too few.
                Err(error) => {
                    throttled!(warn, %error, "the positions of a player's games cannot be read");
                }
            }
        }
        notices
    }

    pub fn record_activity(&self, game_id: &str, asleep: bool) {
        self.activity.note(game_id);
        if asleep {
            self.take_in_background(game_id, step::Kind::AutomationResumed(AutomationResumed {}));
        }
    }

    pub fn last_activity(&self, game_id: &str) -> Option<Millis> {
        self.activity.last(game_id).map(|at| self.time().at(at))
    }

    fn take_in_background(&self, game_id: &str, kind: step::Kind) {
        let Some(host) = self.me.upgrade() else { return };
        let game_id = game_id.to_owned();
        crate::background::spawn(async move {
            let step = Step { kind: Some(kind), ..Step::default() };
            if let Err(fault) = host.take(&game_id, step).await {
                // Another process may have applied the step already, or the game may have ended.
                tracing::debug!(game_id, %fault, "a step by the server was rejected");
            }
        });
    }

    /// Removes the player of a deleted account from every unfinished game. Passes a forming game that
    /// the player leads to another player. Cancels a game that has no other players.
    pub async fn erase_player(&self, player_id: &str) -> Result<()> {
        let erased = PlayerErased { player_id: player_id.to_owned() };
        self.take_in_all_games(player_id, &step::Kind::PlayerErased(erased)).await
    }

    /// Passes the forming games of a banned player to another player. Cancels the games that a banned
    /// player leads and that have no other players.
    pub async fn host_banned(&self, player_id: &str) -> Result<()> {
        let banned = HostBanned { player_id: player_id.to_owned() };
        self.take_in_all_games(player_id, &step::Kind::HostBanned(banned)).await
    }

    /// Applies a step to each of a player's running games. Skips games in which the step is not
    /// valid.
    async fn take_in_all_games(&self, player_id: &str, kind: &step::Kind) -> Result<()> {
        let mut after = None;
        loop {
            let member = Some(player_id.to_owned());
            let query =
                GameQuery { limit: 100, after, member, running_only: true, ..GameQuery::default() };
            let rows = self.store.games(query).await?;
            let Some(last) = rows.last() else { return Ok(()) };
            after = Some((last.created, last.game_id.clone()));
            for row in rows {
                let step = Step { kind: Some(kind.clone()), ..Step::default() };
                match self.take(&row.game_id, step).await {
                    Err(fault) if fault.reason != ErrorReason::WrongStatus => return Err(fault),
                    _ => {}
                }
            }
        }
    }

    /// Ends streams, rejects new work, and evicts every game after storing its snapshot.
    pub async fn drain(&self) {
        self.draining.send_replace(true);
        // Revoke the leases first, because other processes wait for them.
        self.automation.settle().await;
        let cells: Vec<_> = self.games_in_memory().values().cloned().collect();
        let live = cells.iter().filter_map(|cell| cell.get());
        futures::iter(live)
            .for_each_concurrent(CONCURRENT_EVICTIONS_MAX, |live| live.evict())
            .await;
        if let Err(fault) = self.settle().await {
            tracing::warn!(%fault, "some games have no snapshot. They need one only before an \
                upgrade of the rules: in that case start and stop this engine once more");
        }
    }

    /// Stores the snapshots that are missing because an engine was killed. Another version of the
    /// rules can continue only from snapshots.
    async fn settle(&self) -> Result<()> {
        let mut after = String::new();
        loop {
            let page = self.store.games_without_snapshot(&after, UNSETTLED_PAGE).await?;
            let Some(last) = page.last() else { return Ok(()) };
            after.clone_from(last);
            for game_id in &page {
                self.settle_game(game_id).await?;
            }
        }
    }

    async fn settle_game(&self, game_id: &str) -> Result<()> {
        let table = match loading::load(self, game_id).await {
            Ok(table) => table,
            // Loading has already logged that the game is damaged or uses other rules.
            Err(fault)
                if matches!(fault.reason, ErrorReason::Internal | ErrorReason::GameNotFound) =>
            {
                return Ok(());
            }
            Err(fault) => return Err(fault),
        };
        let snapshot = Bytes::from(table.snapshot());
        match self.store.put_snapshot(game_id, end_of(&table), snapshot).await {
            Ok(()) | Err(StoreError::NotFound | StoreError::LostRace { .. }) => Ok(()),
            Err(error) => Err(Fault::from(error)),
        }
    }

    /// Resolves when the host starts to drain.
    pub async fn drained(&self) {
        let mut draining = self.draining.subscribe();
        // `self` owns the sender, so the wait can end only because of the flag.
        drop(draining.wait_for(|&draining| draining).await);
    }

    fn check_draining(&self) -> Result<()> {
        if *self.draining.borrow() { Err(draining()) } else { Ok(()) }
    }

    /// Returns a game, brought up to date with the store if the store is available. Players must
    /// see the changes that they made through other processes.
    async fn live_current(&self, game_id: &str) -> Result<Arc<Live>> {
        let live = self.live(game_id).await?;
        match self.store.shared() {
            None => Ok(live),
            Some(shared) => Box::pin(self.caught_up_live(game_id, live, shared)).await,
        }
    }

    async fn caught_up_live(
        &self,
        game_id: &str,
        live: Arc<Live>,
        shared: &dyn Shared,
    ) -> Result<Arc<Live>> {
        if !shared.is_available() {
            return Ok(live);
        }
        let mut available = shared.available();
        // Read the game's end before the store's end. If the store's end is then earlier, the store
        // has lost entries.
        let known = live.end();
        let head = tokio::select! {
            head = self.head(shared, game_id) => head,
            // Serve reads from memory. The readiness check reports the outage.
            Ok(_) = available.wait_for(Result::is_err) => return Ok(live),
        };
        match head {
            Ok(head) if known.is_lost(head) => {
                self.lose_history(&live, known, Some(head.last));
                live.evict().await;
                self.live(game_id).await
            }
            Ok(head) if live.last() < head.last => {
                tracing::trace!(target: RARE, "a read waited for an entry of another engine");
                live.catch_up(head.last).await;
                // Get the game again, because it may have been evicted instead of updated.
                let live = self.live(game_id).await?;
                if live.last() < head.last { Err(outdated()) } else { Ok(live) }
            }
            Ok(_) => Ok(live),
            Err(StoreError::NotFound) => {
                self.lose_game(&live);
                live.evict().await;
                Err(Fault::from(StoreError::NotFound))
            }
            Err(error) => Err(Fault::from(error)),
        }
    }

    /// Marks a game that has lost entries, and logs the loss once. The caller must unload the game.
    fn lose_history(&self, live: &Live, known: End, found: Option<u64>) -> Diverged {
        if live.lose_history() {
            let game_id = live.game_id();
            tracing::trace!(target: RARE, game_id, "a store was rolled back");
            metrics::counter!("heliopause_games_went_back_total").increment(1);
            throttled!(
                error,
                game_id,
                known = known.last,
                found,
                "the database was reset to an earlier state: acknowledged entries of this game are \
                 lost; the engine continues with the database's state and closes the game's streams"
            );
            self.notices.reset_to(game_id, found);
            self.forget_leases(game_id);
        }
        live.mark_diverged()
    }

    /// Marks a game that is gone from the store. Logs a loss unless the game is a sandbox game,
    /// because old sandbox games are removed regularly.
    fn lose_game(&self, live: &Live) -> Diverged {
        if live.is_sandbox() {
            live.mark_diverged()
        } else {
            self.lose_history(live, live.end(), None)
        }
    }

    /// Removes the leases of a game that has lost entries. Otherwise the store would not lease the
    /// open decisions, because they are earlier than the leased ones.
    fn forget_leases(&self, game_id: &str) {
        let (store, game_id) = (Arc::clone(&self.store), game_id.to_owned());
        crate::background::spawn(async move {
            let Some(shared) = store.shared() else { return };
            if let Err(error) = shared.forget_leases(&game_id).await {
                tracing::debug!(game_id, %error, "leases of lost decisions could not be removed; \
                    they will expire");
            }
        });
    }

    /// Returns whether a journal still contains the end `known`, or `None` if it cannot be read.
    async fn is_continued(&self, game_id: &str, known: End) -> Option<bool> {
        if known.last == 0 {
            return Some(true);
        }
        match self.store.entries(game_id, known.last - 1, 1, usize::MAX).await {
            Ok(page) => Some(page.first().is_some_and(|stored| {
                let hash =
                    Entry::decode(stored.clone()).map_or_else(|_| Bytes::new(), |entry| entry.hash);
                !known.is_lost(End::of(known.last, &hash))
            })),
            Err(StoreError::NotFound) => Some(false),
            Err(_) => None,
        }
    }

    async fn head(&self, shared: &dyn Shared, game_id: &str) -> Result<End, StoreError> {
        let begun = Instant::now();
        loop {
            match shared.head(game_id).await {
                Err(StoreError::Unavailable(_)) if begun.elapsed() < HEAD_RETRY_FOR => {
                    sleep(HEAD_RETRY_AFTER).await;
                }
                head => return head,
            }
        }
    }

    async fn is_the_end(&self, game_id: &str, entry: u64) -> bool {
        let Some(shared) = self.store.shared() else { return true };
        shared.head(game_id).await.is_ok_and(|head| entry >= head.last)
    }

    /// Compares the clock with the clock of a shared store, unless this has been done before. Steps
    /// must not rely on this machine's clock alone.
    /// Reads the clock of a shared store, unless it is known.
    pub(crate) async fn ensure_time(&self) -> Result<()> {
        match self.store.shared() {
            Some(shared) if self.time().store_time().is_none() => {
                clock::compare(self.time(), shared).await.map_err(Fault::from)
            }
            _ => Ok(()),
        }
    }

    /// Returns an error if the store is known to be unavailable, so that callers need not wait.
    fn unavailable_fault(&self) -> Option<Fault> {
        self.store.shared()?.require_available().err().map(Fault::from)
    }

    async fn live(&self, game_id: &str) -> Result<Arc<Live>> {
        let known = self.games_in_memory().get(game_id).and_then(|cell| cell.get().cloned());
        match known {
            Some(live) => Ok(live),
            // Boxed, because loading is rare and would enlarge the future of every call.
            None => Box::pin(self.load(game_id)).await,
        }
    }

    async fn load(&self, game_id: &str) -> Result<Arc<Live>> {
        let loading = Loading::of(self, game_id);
        let loaded = loading.cell.get_or_try_init(|| async {
            if let Some(fault) = self.unavailable_fault() {
                return Err(fault);
            }
            self.room.check_memory(self.settings.live_max)?;
            let table = loading::load(self, game_id).await?;
            if !loading.is_in(&self.games_in_memory()) {
                tracing::trace!(target: RARE, "a game was loaded outside its slot");
            }
            Ok::<_, Fault>(self.spawn(game_id, table))
        });
        let live = loaded.await?.clone();
        self.evict_when_draining(&live).await;
        self.check_draining()?;
        Ok(live)
    }

    async fn evict_when_draining(&self, live: &Live) {
        if self.check_draining().is_err() {
            live.evict().await;
        }
    }

    fn spawn(&self, game_id: &str, table: Table) -> Arc<Live> {
        let host = self.me.upgrade().expect("the host is alive while it is used");
        let place = self.room.take(table.snapshot().len());
        let crowded = self.room.taken() > self.settings.live_max;
        let idle = if crowded {
            Duration::from_secs(1).min(self.settings.evict_after)
        } else {
            self.settings.evict_after
        };
        // Add the demands before any step is applied. Later, they would overwrite the step's
        // demands.
        self.automation.demands(game_id, table.leader_id(), table.kind().id, &table.wanted());
        actor::start(host, game_id, table, place, idle)
    }

    fn forget(&self, live: &Arc<Live>) {
        let mut games = self.games_in_memory();
        let same = |cell: &Arc<Slot>| cell.get().is_some_and(|kept| Arc::ptr_eq(kept, live));
        if games.get(live.game_id()).is_some_and(same) {
            games.remove(live.game_id());
        }
        // A map does not shrink automatically, and would keep its peak size.
        if games.capacity() > 1024 && games.len() < games.capacity() / 8 {
            games.shrink_to_fit();
        }
    }

    fn games_in_memory(&self) -> MutexGuard<'_, Map<String, Arc<Slot>>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

type Slot = tokio::sync::OnceCell<Arc<Live>>;

/// A caller waiting for a game to be loaded. If loading fails, the next caller tries again.
///
/// While callers wait, the cell is kept, so that the game is loaded only once. When no caller
/// waits, the cell of a game that could not be loaded is removed, so that anonymous requests cannot
/// fill the memory with ids.
struct Loading<'a> {
    host: &'a Host,
    game_id: &'a str,
    cell: Arc<Slot>,
}

impl<'a> Loading<'a> {
    fn of(host: &'a Host, game_id: &'a str) -> Self {
        let cell = host.games_in_memory().entry(game_id.to_owned()).or_default().clone();
        Self { host, game_id, cell }
    }

    fn is_in(&self, games: &Map<String, Arc<Slot>>) -> bool {
        games.get(self.game_id).is_some_and(|kept| Arc::ptr_eq(kept, &self.cell))
    }
}

impl Drop for Loading<'_> {
    fn drop(&mut self) {
        let mut games = self.host.games_in_memory();
        // No other caller can start or stop waiting while the map is locked.
        let is_mine = self.is_in(&games);
        let mine = std::mem::take(&mut self.cell);
        // The map has one reference, and this caller has another.
        let waits = Arc::strong_count(&mine) > 2;
        if is_mine && !waits && !mine.initialized() {
            games.remove(self.game_id);
        }
    }
}

fn outdated() -> Fault {
    Fault::from(StoreError::Unavailable("changes of other processes cannot be read".to_owned()))
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NotFound => Self::new(ErrorReason::GameNotFound, "The game was not found."),
            StoreError::OverQuota(excess) => over_quota(excess.of, excess.limit),
            StoreError::LostRace { .. } | StoreError::Taken => Self::new(
                ErrorReason::LostRace,
                "Another process advanced the game at the same moment; try again.",
            ),
            StoreError::Unavailable(why) => {
                throttled!(error, %why, "the journal is unavailable");
                let text =
                    "The journal is unreachable now; repeat the call with the same request id.";
                Self::new(ErrorReason::JournalUnavailable, text)
            }
            StoreError::Damaged(why) => {
                metrics::counter!("heliopause_damage_found_total").increment(1);
                let incident = log_throttle::incident(&format!("stored data is damaged: {why}"));
                let text = format!(
                    "The stored data is damaged; the operator can find it in the log as {incident}."
                );
                Self::new(ErrorReason::Internal, text).with("incident", incident)
            }
        }
    }
}
