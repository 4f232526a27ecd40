//! One game in memory, as everybody but its actor knows it.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use heliopause_kernel::Seat;
use heliopause_proto::store::v1::{Entry, Step};
use heliopause_proto::v1::{ErrorReason, Event};
use heliopause_table::rehearsal::bound;
use heliopause_table::{Fault, Standing, Subscriber, Table, Taken};
use prost::Message as _;
use tokio::sync::{RwLock, RwLockReadGuard, broadcast, mpsc, oneshot};

use super::actor::Actor;
use super::published::Published;
use super::round::Waiting;
use super::{Host, loading, store_fault};
use crate::store::{End, Quota, StoreError};

/// How many steps wait for one game before callers wait themselves.
const MAILBOX: usize = 256;
/// How many entries a subscriber may lag behind before it is caught up from the journal.
const PUBLISHED_KEPT: usize = bound(64, 4);
/// How much of the journal to read at once for a page of events.
pub(super) const EVENTS_PAGE: usize = 256;
pub(super) const EVENTS_PAGE_BYTES: usize = 1 << 20;

/// How large a usual game is, and how many times its snapshot a game takes in memory.
const USUAL_BYTES: usize = 24 << 10;
const OF_SNAPSHOT: usize = 5;
/// A game that takes the memory of this many usual ones is large, and one that will have so many
/// seats: a step of it can take as long as hundreds of usual calls.
const LARGE: usize = 6;
pub(super) const LARGE_SEATS: usize = 20;
/// A game that is created from a position of so many bytes is large.
pub(super) const LARGE_POSITION: usize = 16 << 10;

/// The memory that games take, counted in usual ones: a large galaxy takes as much as hundreds of
/// them.
#[derive(Debug, Default)]
pub(super) struct Room(Arc<AtomicUsize>);

impl Room {
    /// How many usual games are in memory, or would take as much.
    pub(super) fn taken(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    /// Says that there is no room at all: followed games stay in memory, and together they take
    /// half as much again as games may take before they leave early.
    pub(super) fn refuse_when_full(&self, most: usize) -> Result<(), Fault> {
        if self.taken() <= most.saturating_add(most / 2) {
            return Ok(());
        }
        Err(Fault::new(
            ErrorReason::Overloaded,
            "The server has as many games in memory as it takes; try again in a moment.",
        ))
    }

    /// Takes the room for a game with such a snapshot until the place is dropped.
    pub(super) fn take(&self, snapshot: usize) -> Place {
        let games = (snapshot * OF_SNAPSHOT).div_ceil(USUAL_BYTES).max(1);
        self.0.fetch_add(games, Ordering::Relaxed);
        Place { room: Arc::clone(&self.0), games }
    }
}

/// One game's share of the room.
#[derive(Debug)]
pub(crate) struct Place {
    room: Arc<AtomicUsize>,
    games: usize,
}

impl Place {
    fn is_large(&self) -> bool {
        self.games >= LARGE
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let taken = self.room.fetch_sub(self.games, Ordering::Relaxed);
        debug_assert!(taken >= self.games, "a place is given back once");
    }
}

/// A step that was taken and is durable.
#[derive(Clone, Debug)]
pub struct Done {
    /// The entry that it made, now or, for a retry, the first time.
    pub entry: Arc<Entry>,
    /// Each seat's standing after it.
    pub standings: Arc<[Standing]>,
    /// The standing of the request's seat after it; for retries of requests.
    pub first: Option<heliopause_table::Answered>,
}

impl Done {
    /// A seat's standing after the step.
    pub fn standing(&self, seat: Seat) -> Standing {
        self.standings.get(seat.index()).cloned().unwrap_or_default()
    }
}

/// One game in memory.
pub(crate) struct Live {
    game_id: String,
    pub(super) table: RwLock<Table>,
    /// The table is not what the journal has, and leaves memory. Set before a lock ends under which
    /// it came to be so.
    astray: AtomicBool,
    /// The shared store lost entries that the table has.
    history_lost: AtomicBool,
    /// Where the journal ended when the table was last known to match it. Reading it never waits
    /// for the table.
    end: Mutex<End>,
    /// A sandbox game may be removed by any process at the end of its time.
    is_sandbox: bool,
    mailbox: mpsc::Sender<Job>,
    /// The channel of new entries. The actor owns it, so a listener learns when that ends.
    published: broadcast::WeakSender<Arc<Published>>,
    /// Its share of the memory for games, by its size when it was loaded.
    _place: Place,
}

pub(super) enum Job {
    /// Boxed, because the mailbox of every live game has room for many.
    Take(Box<Waiting>),
    /// Other processes' entries are there, up to this one at least. Readers here wait for them.
    CatchUp(u64, Option<oneshot::Sender<()>>),
    PutAway(oneshot::Sender<()>),
}

impl Live {
    pub(crate) fn spawn(
        host: Arc<Host>,
        game_id: &str,
        table: Table,
        place: Place,
        idle: Duration,
    ) -> Arc<Self> {
        let large = place.is_large() || table.listing().seats as usize >= LARGE_SEATS;
        let threads = host.settings().steps.clone().filter(|_| large);
        let (mailbox, jobs) = mpsc::channel(MAILBOX);
        let published = broadcast::Sender::new(PUBLISHED_KEPT);
        let live = Arc::new(Self {
            game_id: game_id.to_owned(),
            end: Mutex::new(end_of(&table)),
            is_sandbox: table.is_sandbox(),
            table: RwLock::new(table),
            astray: AtomicBool::new(false),
            history_lost: AtomicBool::new(false),
            mailbox,
            published: published.downgrade(),
            _place: place,
        });
        metrics::gauge!("heliopause_live_games").increment(1.0);
        let steps = Actor { host, live: live.clone(), jobs, published, idle }.run();
        match threads {
            Some(threads) => crate::lasting::spawn_on(&threads, steps),
            None => crate::lasting::spawn(steps),
        };
        live
    }

    pub(crate) fn game_id(&self) -> &str {
        &self.game_id
    }

    /// The table, as the journal has it.
    pub(crate) async fn read(&self) -> Result<RwLockReadGuard<'_, Table>, Fault> {
        let table = self.table.read().await;
        if self.is_history_lost() {
            return Err(history_lost());
        }
        if self.is_astray() {
            let why = "a step was not kept, and cannot be taken back";
            return Err(store_fault(StoreError::Unavailable(why.to_owned())));
        }
        Ok(table)
    }

    /// Nobody is to read the table any more.
    pub(super) fn go_astray(&self) -> Astray {
        self.astray.store(true, Ordering::Release);
        Astray(())
    }

    pub(super) fn is_astray(&self) -> bool {
        self.astray.load(Ordering::Acquire)
    }

    /// Marks that the shared store lost entries that the table has; returns whether this is new.
    pub(super) fn lose_history(&self) -> bool {
        let is_new = !self.history_lost.swap(true, Ordering::AcqRel);
        self.go_astray();
        is_new
    }

    /// Whether the shared store lost entries that the table has.
    pub(super) fn is_history_lost(&self) -> bool {
        self.history_lost.load(Ordering::Acquire)
    }

    pub(super) fn is_sandbox(&self) -> bool {
        self.is_sandbox
    }

    /// Takes a step; `None` if the game was put away before.
    pub(crate) async fn take(
        &self,
        step: Arc<Step>,
        quota: Option<Quota>,
    ) -> Option<Result<Done, Fault>> {
        let (reply, answer) = oneshot::channel();
        self.mailbox.send(Job::Take(Box::new(Waiting { step, reply, quota }))).await.ok()?;
        answer.await.ok()
    }

    /// Catches up with other processes, up to an entry at least; returns when that is done or
    /// impossible.
    pub(crate) async fn catch_up(&self, until: u64) {
        let (reply, done) = oneshot::channel();
        if self.mailbox.send(Job::CatchUp(until, Some(reply))).await.is_ok() {
            drop(done.await);
        }
    }

    /// Says that other processes appended something. If the game is too busy to hear it, it will be
    /// said again.
    pub(crate) fn hint(&self, until: u64) {
        drop(self.mailbox.try_send(Job::CatchUp(until, None)));
    }

    /// The number of the last entry.
    pub(crate) fn last(&self) -> u64 {
        self.end().last
    }

    /// The end of the journal as the table has it.
    pub(super) fn end(&self) -> End {
        *self.lock_end()
    }

    /// The table has another last entry now.
    pub(super) fn moved_to(&self, end: End) {
        *self.lock_end() = end;
    }

    fn lock_end(&self) -> MutexGuard<'_, End> {
        self.end.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts the game away with a snapshot.
    pub(crate) async fn put_away(&self) {
        let (reply, done) = oneshot::channel();
        if self.mailbox.send(Job::PutAway(reply)).await.is_ok() {
            // An actor that ended on its own has put the game away too.
            drop(done.await);
        }
    }

    /// Listens. If the game has left memory there is nothing to hear, and the receiver says so at
    /// once.
    pub(crate) fn subscribe(&self) -> broadcast::Receiver<Arc<Published>> {
        self.published.upgrade().unwrap_or_else(|| broadcast::Sender::new(1)).subscribe()
    }

    /// The answer to the maker of a table.
    pub(crate) async fn opened(&self, taken: Taken) -> Result<Done, Fault> {
        let table = self.read().await?;
        Ok(Done { entry: Arc::new(taken.entry), standings: standings(&table), first: None })
    }
}

/// The end of the journal that made a table.
pub(super) fn end_of(table: &Table) -> End {
    End::of(table.entry(), table.hash())
}

/// The refusal of a call that met a game whose last entries the store lost.
pub(crate) fn history_lost() -> Fault {
    Fault::new(
        ErrorReason::LostRace,
        "The database went back to an earlier state of this game; look at the game, then try again.",
    )
}

/// A table in memory does not match the journal, and nobody reads it any more.
#[derive(Debug)]
pub(super) struct Astray(());

/// One entry of a game's journal.
pub(crate) async fn stored_entry(host: &Host, game_id: &str, number: u64) -> Result<Entry, Fault> {
    let entries = stored_entries(host, game_id, number - 1, 1).await?;
    entries.into_iter().next().ok_or_else(history_lost)
}

/// Entries after a number, as many as fit into a page, and one at least if there is one.
pub(super) async fn stored_entries(
    host: &Host,
    game_id: &str,
    after: u64,
    count: usize,
) -> Result<Vec<Entry>, Fault> {
    let page =
        host.store.entries(game_id, after, count, EVENTS_PAGE_BYTES).await.map_err(store_fault)?;
    page.into_iter().map(|stored| Entry::decode(stored).map_err(|_| unreadable())).collect()
}

pub(crate) fn unreadable() -> Fault {
    Fault::new(ErrorReason::Internal, "An entry of the journal cannot be read.")
}

/// The events of one audience after a number, from the journal after an entry.
pub(crate) async fn events_after(
    host: &Host,
    game_id: &str,
    reader: &Subscriber,
    mut entry: u64,
    after: u64,
    limit: usize,
) -> Result<Vec<Event>, Fault> {
    let mut events = Vec::new();
    while events.len() < limit {
        let page = stored_entries(host, game_id, entry, EVENTS_PAGE).await?;
        let Some(last) = page.last() else { break };
        entry = last.number;
        let told = page.iter().flat_map(|read| reader.events_of(read));
        events.extend(told.filter(|event| event.number > after));
    }
    events.truncate(limit);
    Ok(events)
}

/// How many of an audience's newest events, and how large together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Newest {
    pub events: usize,
    pub bytes: usize,
}

/// How many entries are read back at once for the newest events: few at first, for the entries of
/// large games are many times as large as what one seat hears.
const STRIDE: u64 = 8;
const STRIDE_MAX: u64 = 64;

/// The newest events of one audience until an entry, newest last.
pub(super) async fn newest_events(
    host: &Host,
    game_id: &str,
    reader: &Subscriber,
    mut last: u64,
    within: Newest,
) -> Result<Vec<Event>, Fault> {
    let mut newest = VecDeque::new();
    let mut room = within.bytes;
    let mut stride = STRIDE;
    'back: while last > 0 {
        let before = last.saturating_sub(stride);
        let entries = loading::entries(&*host.store, game_id, before, last).await?;
        for stored in entries.into_iter().rev() {
            let entry = Entry::decode(stored).map_err(|_| unreadable())?;
            let told: Vec<Event> = reader.events_of(&entry).collect();
            for event in told.into_iter().rev() {
                let bytes = event.encoded_len();
                if newest.len() == within.events || bytes > room {
                    break 'back;
                }
                room -= bytes;
                newest.push_front(event);
            }
            if reader.told_before(&entry) == 0 {
                break 'back;
            }
        }
        last = before;
        stride = STRIDE_MAX.min(stride * 2);
    }
    Ok(newest.into())
}

pub(super) fn standings(table: &Table) -> Arc<[Standing]> {
    table.standings().into()
}

#[cfg(test)]
mod tests {
    use super::Room;

    #[test]
    fn a_large_game_takes_the_room_of_many() {
        let room = Room::default();
        let small = room.take(3_000);
        assert_eq!(room.taken(), 1);
        let galaxy = room.take(2 << 20);
        assert_eq!(room.taken(), 1 + 427);
        room.refuse_when_full(300).expect("half as much again");
        assert_eq!(
            room.refuse_when_full(170).unwrap_err().reason,
            heliopause_proto::v1::ErrorReason::Overloaded
        );
        drop(galaxy);
        drop(small);
        assert_eq!(room.taken(), 0);
    }
}
