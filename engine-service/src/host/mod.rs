//! Tables in memory: actors, streams, deadlines, automation.
//!
//! **Invariant.** The store decides. An answered step is durable, and the loser of an append takes
//! over the entries in between; so several processes may host the same games.
//!
//! On a store that several processes share, `follow` brings the acts of the others, and every read
//! asks first whether it is up to date. A process with its own store pays nothing for that.
//!
//! **Invariant.** Memory follows the live games: an idle one is put away and comes back on the next
//! touch, and no game is loaded at start-up.

mod actor;
mod append;
mod automation;
mod clock;
mod follow;
mod live;
mod loading;
mod looks;
mod news;
mod notices;
mod past;
mod published;
mod round;
mod stream;
mod turn;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::available_parallelism;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt as _, stream as futures};
use heliopause_kernel::Viewer;
use heliopause_proto::store::v1::{
    AutomationWoken, Created, Entry, HostBanned, PlayerErased, Step, step,
};
use heliopause_proto::v1::{Cursor, ErrorReason, Event};
use heliopause_table::rehearsal::{self, Planted, mark, on};
use heliopause_table::{Fault, Table, Taken};
use prost::Message as _;
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, sleep};

pub use automation::{Automation, WorkerPass};
pub(crate) use automation::{LeaseListed, Parked, WorkerListed};
pub use live::Done;
pub(crate) use live::{history_lost, unreadable};
pub(crate) use news::id_of;
pub use news::standing_notice;
pub use notices::NoticeStream;
pub(crate) use past::Past;
pub(crate) use stream::check_cursor;
pub use stream::{Feed, FeedStart, timestamp};

use crate::Time;
use crate::maps::Map;
use crate::seldom::{self, seldom};
use crate::store::{
    Append, Counted, End, GameQuery, GameRow, Millis, Outgoing, Quota, Shared, Store, StoreError,
};
use crate::time::Moment;
use live::{Astray, Live, end_of};

/// How long, and how often, a read asks a shared store that fails to say whether the game is up to
/// date, before the read is refused. It does not wait for a store known to be away by then.
const HEAD_TIME: Duration = Duration::from_secs(4);
const HEAD_AGAIN: Duration = Duration::from_millis(50);

/// How many games are put away at once when the server stops.
const PUT_AWAY_TOGETHER: usize = 64;
/// How many games without a snapshot are asked for at once.
const UNSETTLED_PAGE: usize = 256;

/// What a host is told.
#[derive(Clone, Debug)]
pub struct HostSettings {
    /// Whether sandbox games may be created.
    pub sandbox: bool,
    /// How long a sandbox game is kept.
    pub sandbox_lifetime: Duration,
    /// How long an untouched game stays in memory.
    pub evict_after: Duration,
    /// How many games may be in memory before idle ones are put away early; a large one counts as
    /// several.
    pub live_max: usize,
    /// How long a lease lasts without being renewed.
    pub lease_time: Duration,
    /// How long automation goes on without a person's look; `None` for ever.
    pub unwatched_after: Option<Duration>,
    /// Whether notices of games leave the engine.
    pub notices_leave: bool,
    /// The time that it goes by.
    pub time: Time,
    /// How many turns there are to write what workers need, which takes time: half of the cores
    /// stay with the players.
    pub writers: usize,
    /// The threads on which large games take their steps; `None` for those of all games.
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
            notices_leave: false,
            time: Time::default(),
            writers: (available_parallelism().map_or(1, std::num::NonZero::get) / 2).max(1),
            steps: None,
        }
    }
}

/// How the host is doing.
#[derive(Clone, Copy, Debug, Default)]
pub struct HostStatus {
    /// Games in memory.
    pub live_games: u64,
    /// Open event streams.
    pub streams: u64,
    /// Workers connected.
    pub workers: u64,
    /// Decisions leased to workers.
    pub leases: u64,
    /// Decisions that the workers take at once, together.
    pub capacity: u64,
    /// Decisions that no worker can answer.
    pub parked: u64,
}

/// Hosts tables.
pub struct Host {
    me: Weak<Self>,
    store: Arc<dyn Store>,
    settings: HostSettings,
    /// The games in memory or being loaded. An empty cell is a game being loaded.
    live: Mutex<Map<String, Arc<Slot>>>,
    room: live::Room,
    automation: Automation,
    notices: notices::Notices,
    /// Wakes whoever sends notices out of the engine.
    leaving: Notify,
    looks: Arc<looks::Looks>,
    clock: clock::Clock,
    streams: Arc<()>,
    draining: watch::Sender<bool>,
}

impl Host {
    /// A host on a store. Its deadlines begin to run at once.
    pub fn new(store: Arc<dyn Store>, settings: HostSettings) -> Arc<Self> {
        let shared = store.shared().is_some();
        let host = Arc::new_cyclic(|me| Self {
            me: me.clone(),
            store,
            automation: Automation::new(me.clone(), settings.lease_time, settings.writers),
            looks: looks::Looks::new(settings.unwatched_after, settings.time.clone()),
            settings,
            live: Mutex::new(Map::default()),
            room: live::Room::default(),
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

    /// The store.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// What the host was told.
    pub fn settings(&self) -> &HostSettings {
        &self.settings
    }

    /// Automated play.
    pub fn automation(&self) -> &Automation {
        &self.automation
    }

    /// The time: this machine's, or the store's if several processes share it.
    pub fn now(&self) -> Millis {
        self.settings.time.now()
    }

    /// This moment in the engine's life, by which it waits.
    pub(crate) fn moment(&self) -> Moment {
        self.settings.time.moment()
    }

    /// The clocks behind it.
    pub(crate) fn time(&self) -> &Time {
        &self.settings.time
    }

    /// How the host is doing.
    pub fn status(&self) -> HostStatus {
        let live_games =
            self.games_in_memory().values().filter(|cell| cell.initialized()).count() as u64;
        let streams = Arc::strong_count(&self.streams) as u64 - 1;
        let (workers, leases, capacity) = self.automation.counts();
        HostStatus {
            live_games,
            streams,
            workers,
            leases,
            capacity,
            parked: self.automation.count_parked(),
        }
    }

    /// Lays a table.
    pub async fn create(
        &self,
        created: Created,
        secret: [u8; 32],
        by: &str,
    ) -> Result<Done, Fault> {
        self.create_within(created, secret, Step { by: by.to_owned(), ..Step::default() }, None)
            .await
    }

    /// Lays a table for a request, if its maker may have one more. `asked` names the asker and the
    /// request.
    pub async fn create_within(
        &self,
        created: Created,
        secret: [u8; 32],
        asked: Step,
        quota: Option<Quota>,
    ) -> Result<Done, Fault> {
        self.refuse_when_draining()?;
        self.room.refuse_when_full(self.settings.live_max)?;
        self.know_time().await?;
        let game_id = created.game_id.clone();
        let (table, taken) = Box::pin(self.lay(created, secret, asked)).await?;
        let row = append::row_of(table.listing());
        let append = append::append_of(
            &table,
            row.clone(),
            End::at(0),
            Some(secret),
            std::slice::from_ref(&taken),
        );
        let quotas = quota.into_iter().collect();
        let notices = self.outgoing(&row, std::iter::once(&taken.entry));
        // Whoever finds the game in the store before it is in memory waits for it, and loads none
        // of their own.
        let loading = Loading::of(self, &game_id);
        let mut is_new = false;
        let laying = Box::pin(async {
            is_new = true;
            self.append(Append { quotas, notices, ..append }).await.map_err(store_fault)?;
            // Whoever makes a game looks at it.
            self.looks.note(&game_id);
            self.notices.note(&row, &taken.entry);
            Ok::<_, Fault>(self.spawn(&game_id, table))
        });
        let live = loading.cell.get_or_try_init(|| laying).await?.clone();
        if !is_new {
            let actual = live.last();
            return Err(store_fault(StoreError::LostRace { expected: 0, actual }));
        }
        let opened = live.opened(taken).await?;
        self.put_away_when_draining(&live).await;
        Ok(opened)
    }

    /// Lays a table in memory: a large one where large games take their steps.
    async fn lay(
        &self,
        created: Created,
        secret: [u8; 32],
        asked: Step,
    ) -> Result<(Table, Taken), Fault> {
        let now = self.now();
        let large = created.seats.len() >= live::LARGE_SEATS
            || created.encoded_len() >= live::LARGE_POSITION;
        match self.settings.steps.as_ref().filter(|_| large) {
            None => Table::lay_for(created, secret, asked, now),
            Some(threads) => {
                let laying = async move { Table::lay_for(created, secret, asked, now) };
                match crate::lasting::spawn_on(threads, laying).await {
                    Ok(laid) => laid,
                    Err(ended) if ended.is_panic() => std::panic::resume_unwind(ended.into_panic()),
                    // The engine stops.
                    Err(_) => std::future::pending().await,
                }
            }
        }
    }

    /// Reads a table as it is: nothing is answered that is not durable.
    pub async fn read<T>(&self, game_id: &str, read: impl FnOnce(&Table) -> T) -> Result<T, Fault> {
        let live = self.live_now(game_id).await?;
        let table = live.read().await?;
        Ok(read(&table))
    }

    /// Reads a table as it is in memory here: another process that shares the store may have moved
    /// it on.
    pub async fn peek<T>(&self, game_id: &str, read: impl FnOnce(&Table) -> T) -> Result<T, Fault> {
        let live = self.live(game_id).await?;
        let table = live.read().await?;
        Ok(read(&table))
    }

    /// Takes a step at a table; answers when it is durable.
    pub async fn take(&self, game_id: &str, step: Step) -> Result<Done, Fault> {
        self.take_within(game_id, step, None).await
    }

    /// Takes a step at a table, if its taker's quota allows the result.
    pub async fn take_within(
        &self,
        game_id: &str,
        step: Step,
        quota: Option<Quota>,
    ) -> Result<Done, Fault> {
        self.refuse_when_draining()?;
        let step = Arc::new(step);
        // An actor may put its game away just as the step is on its way to it: then the game is
        // loaded anew.
        for _ in 0..8 {
            let live = self.live(game_id).await?;
            if let Some(answer) = live.take(Arc::clone(&step), quota.clone()).await {
                return answer;
            }
            mark("a step met a game that was being put away");
            self.forget(&live);
        }
        Err(Fault::new(
            ErrorReason::LostRace,
            "The game is moving between memory and disk; try again.",
        ))
    }

    /// One entry of a game's journal.
    pub async fn entry(&self, game_id: &str, number: u64) -> Result<Entry, Fault> {
        live::stored_entry(self, game_id, number).await
    }

    /// A page of one audience's events after a number; the last entry is the present end of the
    /// journal.
    pub async fn events(
        &self,
        game_id: &str,
        viewer: Viewer,
        after: u64,
        last: u64,
        limit: usize,
    ) -> Result<Vec<Event>, Fault> {
        let reader = self.peek(game_id, |table| table.subscriber(viewer)).await?;
        let entry = stream::entry_before(self, game_id, &reader, after, last).await?;
        live::events_after(self, game_id, &reader, entry, after, limit).await
    }

    /// Refuses a cursor whose last event the database lost.
    pub async fn check_history(
        &self,
        game_id: &str,
        viewer: Viewer,
        after: &Cursor,
        head: &Cursor,
        last: u64,
    ) -> Result<(), Fault> {
        let reader = self.peek(game_id, |table| table.subscriber(viewer)).await?;
        stream::place_of(self, game_id, &reader, after, head, last).await.map(drop)
    }

    /// The entry that told an audience of an event.
    pub async fn entry_of(
        &self,
        game_id: &str,
        viewer: Viewer,
        event: u64,
        last: u64,
    ) -> Result<Entry, Fault> {
        let reader = self.peek(game_id, |table| table.subscriber(viewer)).await?;
        let before =
            stream::entry_before(self, game_id, &reader, event.saturating_sub(1), last).await?;
        self.entry(game_id, before + 1).await
    }

    /// Follows the events of one audience.
    pub async fn feed(&self, start: FeedStart) -> Result<Feed, Fault> {
        let live = self.live_now(&start.game_id).await?;
        // What comes later may be known by the time at which the cursor is judged, or only then.
        let known = live.last();
        let me = self.me.upgrade().expect("the host is alive");
        match Feed::open(me, live.clone(), start).await {
            Err(fault) => Err(self.of_its_time(live.game_id(), known, fault).await),
            // They may have taken a seat elsewhere, and would watch a game that they play.
            Ok(feed) if feed.is_for_want_of_a_seat() && self.away().is_some() => Err(behind()),
            opened => opened,
        }
    }

    /// The refusal of a cursor by a table up to an entry. The cursor may point at what another
    /// process told and this one did not know.
    pub(crate) async fn of_its_time(&self, game_id: &str, known: u64, fault: Fault) -> Fault {
        if fault.reason == ErrorReason::CursorInvalid && !self.is_the_end(game_id, known).await {
            return behind();
        }
        self.while_away(fault)
    }

    /// A refusal, if it stands while the store is away: who has a part in a game may have changed
    /// elsewhere.
    pub(crate) fn while_away(&self, fault: Fault) -> Fault {
        use ErrorReason::{GameNotFound, NotYourSeat, WatchingOff};
        let may_have_changed = matches!(fault.reason, GameNotFound | NotYourSeat | WatchingOff);
        if may_have_changed { self.away().unwrap_or(fault) } else { fault }
    }

    /// The notices of entries that leave the engine, for a game that stands like this after them.
    fn outgoing<'a>(
        &self,
        row: &GameRow,
        entries: impl Iterator<Item = &'a Entry>,
    ) -> Vec<Outgoing> {
        if self.settings.notices_leave {
            news::outgoing(row, entries, self.now())
        } else {
            Vec::new()
        }
    }

    /// Resolves when notices may wait to leave the engine, since it was asked last.
    pub(crate) fn leaving(&self) -> &Notify {
        &self.leaving
    }

    /// Follows the notices of a player.
    pub async fn notices(&self, player_id: &str) -> NoticeStream {
        let notices = self.notices.subscribe(player_id);
        if let Some(shared) = self.store.shared() {
            match shared.heads(Vec::new(), vec![player_id.to_owned()]).await {
                Ok(heads) => {
                    let heads = heads.into_iter().map(|(game_id, end)| (game_id, end.last));
                    self.notices.begin(heads);
                }
                // Then the first look tells of more rather than of less.
                Err(error) => seldom!(warn, %error, "where a player's games stand cannot be read"),
            }
        }
        notices
    }

    /// A person looks at a game; automation that sleeps there wakes.
    pub fn saw(&self, game_id: &str, asleep: bool) {
        self.looks.note(game_id);
        if asleep {
            self.take_soon(game_id, step::Kind::AutomationWoken(AutomationWoken {}));
        }
    }

    /// When a person looked at a game last, as far as this process knows.
    pub fn last_look(&self, game_id: &str) -> Option<Millis> {
        self.looks.last(game_id).map(|at| self.time().at(at))
    }

    /// Takes a step of the server's own, for which nobody waits.
    fn take_soon(&self, game_id: &str, kind: step::Kind) {
        let Some(host) = self.me.upgrade() else { return };
        let game_id = game_id.to_owned();
        crate::lasting::spawn(async move {
            let step = Step { kind: Some(kind), ..Step::default() };
            if let Err(fault) = host.take(&game_id, step).await {
                // Somebody else may have taken it, or the game is over.
                tracing::debug!(game_id, %fault, "a step of the server's own is not taken");
            }
        });
    }

    /// Removes a player whose account is deleted from every table. Cancels games that they led and
    /// nobody else plays.
    pub async fn erase_player(&self, player_id: &str) -> Result<(), Fault> {
        let erased = PlayerErased { player_id: player_id.to_owned() };
        self.take_wherever(player_id, &step::Kind::PlayerErased(erased)).await
    }

    /// Cancels the games that a banned player leads and nobody else plays.
    pub async fn host_banned(&self, player_id: &str) -> Result<(), Fault> {
        let banned = HostBanned { player_id: player_id.to_owned() };
        self.take_wherever(player_id, &step::Kind::HostBanned(banned)).await
    }

    /// Takes a step at every running table of a player, if it fits.
    async fn take_wherever(&self, player_id: &str, kind: &step::Kind) -> Result<(), Fault> {
        let mut after = None;
        loop {
            let member = Some(player_id.to_owned());
            let query =
                GameQuery { limit: 100, after, member, running_only: true, ..GameQuery::default() };
            let rows = self.store.games(query).await.map_err(store_fault)?;
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

    /// Ends streams, refuses new work, and puts every game away with a snapshot.
    pub async fn drain(&self) {
        self.draining.send_replace(true);
        // First of all, for others wait for it.
        self.automation.settle().await;
        let cells: Vec<_> = self.games_in_memory().values().cloned().collect();
        let live = cells.iter().filter_map(|cell| cell.get());
        futures::iter(live).for_each_concurrent(PUT_AWAY_TOGETHER, |live| live.put_away()).await;
        if let Err(fault) = self.settle().await {
            tracing::warn!(%fault, "not every game has a snapshot; it needs one only where another \
                version of the rules comes next: then start this engine and stop it once more");
        }
    }

    /// Leaves a snapshot of each game that has none of its last entry: its engine was killed.
    /// Another version of the rules goes on from snapshots alone.
    async fn settle(&self) -> Result<(), Fault> {
        if on(Planted::OthersNotSettled) {
            return Ok(());
        }
        let mut after = String::new();
        loop {
            let page = self.store.unsettled(&after, UNSETTLED_PAGE).await.map_err(store_fault)?;
            let Some(last) = page.last() else { return Ok(()) };
            after.clone_from(last);
            for game_id in &page {
                self.settle_game(game_id).await?;
            }
        }
    }

    async fn settle_game(&self, game_id: &str) -> Result<(), Fault> {
        let table = match loading::load(self, game_id).await {
            Ok(table) => table,
            // A damaged game, or one of other rules, is told in the log as it fails to load.
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
            Err(error) => Err(store_fault(error)),
        }
    }

    /// Resolves when the host drains.
    pub async fn drained(&self) {
        let mut draining = self.draining.subscribe();
        // The sender lives in `self`, so this can only end by the flag.
        drop(draining.wait_for(|&draining| draining).await);
    }

    fn refuse_when_draining(&self) -> Result<(), Fault> {
        if *self.draining.borrow() {
            return Err(Fault::new(
                ErrorReason::Draining,
                "The server is about to stop; connect anew.",
            ));
        }
        Ok(())
    }

    /// The game in memory, as up to date as the store can tell: a player who wrote through another
    /// process reads it here.
    async fn live_now(&self, game_id: &str) -> Result<Arc<Live>, Fault> {
        let live = self.live(game_id).await?;
        match self.store.shared().filter(|_| !on(Planted::ReadIsOld)) {
            None => Ok(live),
            Some(shared) => Box::pin(self.as_now(game_id, live, shared)).await,
        }
    }

    /// A game in memory, once it has caught up with what other processes did to it.
    async fn as_now(
        &self,
        game_id: &str,
        live: Arc<Live>,
        shared: &dyn Shared,
    ) -> Result<Arc<Live>, Fault> {
        if !shared.is_available() {
            return Ok(live);
        }
        let mut available = shared.available();
        // Read before the store is asked: what is known by then is durable.
        let known = live.end();
        let head = tokio::select! {
            head = self.head(shared, game_id) => head,
            // A store that is away keeps nobody from reading what is in memory, and readiness says
            // so.
            Ok(_) = available.wait_for(Result::is_err) => return Ok(live),
        };
        match head {
            Ok(head) if known.is_lost(head) && !on(Planted::LossNotSeen) => {
                self.lose_history(&live, known, Some(head.last));
                live.put_away().await;
                self.live(game_id).await
            }
            Ok(head) if live.last() < head.last => {
                mark("a read waited for what another engine did");
                live.catch_up(head.last).await;
                // It may have left memory instead.
                let live = self.live(game_id).await?;
                if live.last() < head.last { Err(behind()) } else { Ok(live) }
            }
            Ok(_) => Ok(live),
            Err(StoreError::NotFound) => {
                self.lose_game(&live);
                live.put_away().await;
                Err(store_fault(StoreError::NotFound))
            }
            Err(error) => Err(store_fault(error)),
        }
    }

    /// Marks that the shared store lost entries that a game in memory has, and says so once. The
    /// game must leave memory: its streams end, and the next touch loads what the store has.
    fn lose_history(&self, live: &Live, known: End, found: Option<u64>) -> Astray {
        if live.lose_history() {
            let game_id = live.game_id();
            rehearsal::went_back(game_id);
            metrics::counter!("heliopause_games_went_back_total").increment(1);
            seldom!(
                error,
                game_id,
                known = known.last,
                found,
                "the database went back to an earlier state: entries of this game that were \
                 acknowledged are lost; the engine continues with what the database has, and ends \
                 the game's streams"
            );
            self.notices.went_back(game_id, found);
            self.forget_leases(game_id);
        }
        live.go_astray()
    }

    /// The same for a game that is not in the store any more. Sandbox games are removed at the end
    /// of their time.
    fn lose_game(&self, live: &Live) -> Astray {
        if live.is_sandbox() { live.go_astray() } else { self.lose_history(live, live.end(), None) }
    }

    /// Removes the leases of a game whose journal went back. They may be of decisions later than
    /// the open ones, and the store leases no earlier decision.
    fn forget_leases(&self, game_id: &str) {
        let (store, game_id) = (Arc::clone(&self.store), game_id.to_owned());
        crate::lasting::spawn(async move {
            let Some(shared) = store.shared() else { return };
            if let Err(error) = shared.forget_leases(&game_id).await {
                tracing::debug!(game_id, %error, "leases of lost decisions expire by themselves");
            }
        });
    }

    /// Whether a journal still has the entry at which it was known to end; `None` if that cannot be
    /// read.
    async fn is_continued(&self, game_id: &str, known: End) -> Option<bool> {
        if known.last == 0 || on(Planted::LossNotSeen) {
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

    /// The end of a game's journal, asked again for a while if the store cannot tell it.
    async fn head(&self, shared: &dyn Shared, game_id: &str) -> Result<End, StoreError> {
        let begun = Instant::now();
        loop {
            match shared.head(game_id).await {
                Err(StoreError::Unavailable(_)) if begun.elapsed() < HEAD_TIME => {
                    sleep(HEAD_AGAIN).await;
                }
                head => return head,
            }
        }
    }

    /// Whether the journal is known to end with an entry.
    async fn is_the_end(&self, game_id: &str, entry: u64) -> bool {
        let Some(shared) = self.store.shared() else { return true };
        shared.head(game_id).await.is_ok_and(|head| entry >= head.last)
    }

    /// Makes sure that the time is known: on a shared store no step is taken by this machine's clock
    /// alone.
    async fn know_time(&self) -> Result<(), Fault> {
        match self.store.shared() {
            Some(shared) if self.time().reckoned().is_none() => {
                clock::compare(self.time(), shared).await.map_err(store_fault)
            }
            _ => Ok(()),
        }
    }

    /// Why no question to the store makes sense: it is known to be away, and would only take its
    /// time to say so again.
    fn away(&self) -> Option<Fault> {
        self.store.shared()?.require_available().err().map(store_fault)
    }

    /// The game in memory, loaded if it is not there.
    async fn live(&self, game_id: &str) -> Result<Arc<Live>, Fault> {
        let known = self.games_in_memory().get(game_id).and_then(|cell| cell.get().cloned());
        match known {
            Some(live) => Ok(live),
            // It is rare, and would make every call larger that waits for a game.
            None => Box::pin(self.load(game_id)).await,
        }
    }

    async fn load(&self, game_id: &str) -> Result<Arc<Live>, Fault> {
        let loading = Loading::of(self, game_id);
        let loaded = loading.cell.get_or_try_init(|| async {
            if let Some(fault) = self.away() {
                return Err(fault);
            }
            self.room.refuse_when_full(self.settings.live_max)?;
            let table = loading::load(self, game_id).await?;
            if !loading.is_in(&self.games_in_memory()) {
                mark("a game was loaded beside its place");
            }
            Ok::<_, Fault>(self.spawn(game_id, table))
        });
        let live = loaded.await?.clone();
        self.put_away_when_draining(&live).await;
        self.refuse_when_draining()?;
        Ok(live)
    }

    /// A host that drains may have looked for games in memory before this one was there.
    async fn put_away_when_draining(&self, live: &Live) {
        if self.refuse_when_draining().is_err() {
            live.put_away().await;
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
        // Before anybody can move it: else this could overtake what it wants then.
        self.automation.wants(game_id, table.led_by(), table.kind().id, &table.wanted());
        Live::spawn(host, game_id, table, place, idle)
    }

    /// Forgets a game that was put away, so that the next touch loads it.
    fn forget(&self, live: &Arc<Live>) {
        let mut games = self.games_in_memory();
        let same = |cell: &Arc<Slot>| cell.get().is_some_and(|kept| Arc::ptr_eq(kept, live));
        if games.get(live.game_id()).is_some_and(same) {
            games.remove(live.game_id());
        }
        // A map never gives memory back by itself; without this it would stay as large as the
        // busiest hour made it.
        if games.capacity() > 1024 && games.len() < games.capacity() / 8 {
            games.shrink_to_fit();
        }
    }

    fn games_in_memory(&self) -> MutexGuard<'_, Map<String, Arc<Slot>>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A game's place in memory, which is empty while it is loaded.
type Slot = tokio::sync::OnceCell<Arc<Live>>;

/// One of those who wait for a game that is loaded. If it cannot be loaded, the next of them tries
/// it; nothing is kept once all have given up, or strangers could fill the memory with names. As
/// long as one waits the place is kept, or the game would be in memory twice, and those who listen
/// to the first would hear nothing.
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

    /// Whether the place for which it waits is the game's.
    fn is_in(&self, games: &Map<String, Arc<Slot>>) -> bool {
        games.get(self.game_id).is_some_and(|kept| Arc::ptr_eq(kept, &self.cell))
    }
}

impl Drop for Loading<'_> {
    fn drop(&mut self) {
        let mut games = self.host.games_in_memory();
        // Nobody else begins or ends to wait as long as the list is locked.
        let is_mine = self.is_in(&games);
        let mine = std::mem::take(&mut self.cell);
        // The list has it, and this one.
        let waits = Arc::strong_count(&mine) > 2 && !on(Planted::LoadedTwice);
        if is_mine && !waits && !mine.initialized() {
            games.remove(self.game_id);
        }
    }
}

/// The state in memory is known to be old, and cannot be brought up to date.
fn behind() -> Fault {
    store_fault(StoreError::Unavailable("what other processes did cannot be read".to_owned()))
}

/// The refusal of a player who would have more than they may. For a player who takes no more
/// invitations it does not say why.
pub fn over_quota(of: Counted, limit: u32) -> Fault {
    let (quota, text) = match of {
        Counted::Games => (
            "games",
            format!("You host or play in {limit} games that are not over, which is your limit."),
        ),
        Counted::Sent => {
            ("invitations", format!("You have {limit} open invitations, which is the limit."))
        }
        Counted::Received => (
            "invitations",
            "This player takes no further invitations from you at present.".to_owned(),
        ),
    };
    Fault::new(ErrorReason::QuotaExceeded, text).with("quota", quota).with("limit", limit)
}

/// A store's error as a fault of the call that met it.
pub fn store_fault(error: StoreError) -> Fault {
    match error {
        StoreError::NotFound => Fault::new(ErrorReason::GameNotFound, "There is no such game."),
        StoreError::OverQuota(excess) => over_quota(excess.of, excess.limit),
        StoreError::LostRace { .. } | StoreError::Taken => Fault::new(
            ErrorReason::LostRace,
            "Another process advanced the game at the same moment; try again.",
        ),
        StoreError::Unavailable(why) => {
            seldom!(error, %why, "the journal is unavailable");
            let text = "The journal cannot be reached now; ask again with the same request id.";
            Fault::new(ErrorReason::JournalUnavailable, text)
        }
        StoreError::Damaged(why) => {
            metrics::counter!("heliopause_damage_found_total").increment(1);
            let incident = seldom::incident(&format!("what is stored is damaged: {why}"));
            let text = format!(
                "What is stored of this is damaged; the operator finds it in the log as {incident}."
            );
            Fault::new(ErrorReason::Internal, text).with("incident", incident)
        }
    }
}
