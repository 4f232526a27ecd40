//! The handle of a loaded game. It passes steps to the game's actor.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use heliopause_kernel::Seat;
use heliopause_proto::store::v1::{Entry, Step};
use heliopause_proto::v1::ErrorReason;
use heliopause_table::{AppliedStep, DecisionState, Fault, Table};
use tokio::sync::{RwLock, RwLockReadGuard, broadcast, mpsc, oneshot};

use super::Result;
use super::published::Published;
use crate::store::{End, Quota, StoreError};

/// The memory of a typical game, and the ratio of a game's memory to the size of its snapshot.
const USUAL_BYTES: usize = 24 << 10;
const SNAPSHOT_FACTOR: usize = 5;
/// The thresholds of a large game: its memory in units of typical games, and its number of seats. A
/// step of a large game can take as long as hundreds of typical calls.
const LARGE_GAMES: usize = 6;
pub(super) const LARGE_SEATS: usize = 20;
/// The minimum size of a starting position in bytes that makes its game large.
pub(super) const LARGE_POSITION: usize = 16 << 10;

/// The memory used by games, in units of typical games. A large galaxy takes hundreds of units.
#[derive(Debug, Default)]
pub(super) struct MemoryBudget(Arc<AtomicUsize>);

impl MemoryBudget {
    pub(super) fn taken(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    /// Returns an error above one and a half times `most` units. Idle games are evicted above
    /// `most`, but games with subscribers stay loaded.
    pub(super) fn check_memory(&self, most: usize) -> Result<()> {
        if self.taken() <= most.saturating_add(most / 2) {
            return Ok(());
        }
        Err(Fault::new(
            ErrorReason::Overloaded,
            "The server has reached its limit of games in memory; try again soon.",
        ))
    }

    pub(super) fn take(&self, snapshot: usize) -> MemoryShare {
        let games = (snapshot * SNAPSHOT_FACTOR).div_ceil(USUAL_BYTES).max(1);
        self.0.fetch_add(games, Ordering::Relaxed);
        MemoryShare { room: Arc::clone(&self.0), games }
    }
}

#[derive(Debug)]
pub(crate) struct MemoryShare {
    room: Arc<AtomicUsize>,
    games: usize,
}

impl MemoryShare {
    pub(super) fn is_large(&self) -> bool {
        self.games >= LARGE_GAMES
    }
}

impl Drop for MemoryShare {
    fn drop(&mut self) {
        let taken = self.room.fetch_sub(self.games, Ordering::Relaxed);
        debug_assert!(taken >= self.games, "each share is released once");
    }
}

/// A durable step and its result.
#[derive(Clone, Debug)]
pub struct Done {
    pub entry: Arc<Entry>,
    pub decision_states: Arc<[DecisionState]>,
    /// The result of the first attempt, if the request is a retry.
    pub first: Option<heliopause_table::Answered>,
}

impl Done {
    pub fn decision_state(&self, seat: Seat) -> DecisionState {
        self.decision_states.get(seat.index()).cloned().unwrap_or_default()
    }
}

pub(crate) struct Live {
    game_id: String,
    pub(super) table: RwLock<Table>,
    /// Whether the table has diverged from the journal. Set before the table is unlocked.
    diverged: AtomicBool,
    history_lost: AtomicBool,
    /// The end of the journal that the table includes, readable without locking the table.
    end: Mutex<End>,
    is_sandbox: bool,
    mailbox: mpsc::Sender<Job>,
    /// The actor owns the sender, so the channel closes when the actor ends.
    published: broadcast::WeakSender<Arc<Published>>,
    _place: MemoryShare,
}

pub(super) type Reply = oneshot::Sender<Result<Done>>;

pub(super) struct QueuedStep {
    /// The caller keeps a reference, to send the step again if the game is evicted first.
    pub(super) step: Arc<Step>,
    pub(super) reply: Reply,
    pub(super) quota: Option<Quota>,
}

pub(super) enum Job {
    Take(Box<QueuedStep>),
    /// Apply other processes' entries up to at least this one, and then notify the reader.
    CatchUp(u64, Option<oneshot::Sender<()>>),
    Evict(oneshot::Sender<()>),
}

impl Live {
    pub(super) fn new(
        game_id: &str,
        table: Table,
        mailbox: mpsc::Sender<Job>,
        published: &broadcast::Sender<Arc<Published>>,
        place: MemoryShare,
    ) -> Arc<Self> {
        Arc::new(Self {
            game_id: game_id.to_owned(),
            end: Mutex::new(end_of(&table)),
            is_sandbox: table.is_sandbox(),
            table: RwLock::new(table),
            diverged: AtomicBool::new(false),
            history_lost: AtomicBool::new(false),
            mailbox,
            published: published.downgrade(),
            _place: place,
        })
    }

    pub(crate) fn game_id(&self) -> &str {
        &self.game_id
    }

    pub(crate) async fn read(&self) -> Result<RwLockReadGuard<'_, Table>> {
        let table = self.table.read().await;
        if self.is_history_lost() {
            return Err(history_lost());
        }
        if self.is_diverged() {
            let why = "a step was not stored and cannot be undone";
            return Err(Fault::from(StoreError::Unavailable(why.to_owned())));
        }
        Ok(table)
    }

    pub(super) fn mark_diverged(&self) -> Diverged {
        self.diverged.store(true, Ordering::Release);
        Diverged(())
    }

    pub(super) fn is_diverged(&self) -> bool {
        self.diverged.load(Ordering::Acquire)
    }

    pub(super) fn lose_history(&self) -> bool {
        let is_new = !self.history_lost.swap(true, Ordering::AcqRel);
        self.mark_diverged();
        is_new
    }

    pub(super) fn is_history_lost(&self) -> bool {
        self.history_lost.load(Ordering::Acquire)
    }

    pub(super) fn is_sandbox(&self) -> bool {
        self.is_sandbox
    }

    /// Applies a step and returns its result. Returns `None` if the game is evicted first.
    pub(crate) async fn take(&self, step: Arc<Step>, quota: Option<Quota>) -> Option<Result<Done>> {
        let (reply, answer) = oneshot::channel();
        self.mailbox.send(Job::Take(Box::new(QueuedStep { step, reply, quota }))).await.ok()?;
        answer.await.ok()
    }

    /// Waits until the entries up to at least `until` are applied, or until this is impossible.
    pub(crate) async fn catch_up(&self, until: u64) {
        let (reply, done) = oneshot::channel();
        if self.mailbox.send(Job::CatchUp(until, Some(reply))).await.is_ok() {
            drop(done.await);
        }
    }

    /// Sends a hint to the actor. Drops the hint if the mailbox is full, because hints are
    /// repeated.
    pub(crate) fn hint(&self, until: u64) {
        drop(self.mailbox.try_send(Job::CatchUp(until, None)));
    }

    pub(crate) fn last(&self) -> u64 {
        self.end().last
    }

    pub(super) fn end(&self) -> End {
        *self.lock_end()
    }

    pub(super) fn set_end(&self, end: End) {
        *self.lock_end() = end;
    }

    fn lock_end(&self) -> MutexGuard<'_, End> {
        self.end.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) async fn evict(&self) {
        let (reply, done) = oneshot::channel();
        if self.mailbox.send(Job::Evict(reply)).await.is_ok() {
            // If the actor has already stopped, the game is evicted.
            drop(done.await);
        }
    }

    /// Returns a receiver of the published entries. The receiver is closed if the game is no longer
    /// loaded.
    pub(crate) fn subscribe(&self) -> broadcast::Receiver<Arc<Published>> {
        self.published.upgrade().unwrap_or_else(|| broadcast::Sender::new(1)).subscribe()
    }

    pub(crate) async fn opened(&self, taken: AppliedStep) -> Result<Done> {
        let table = self.read().await?;
        Ok(Done {
            entry: Arc::new(taken.entry),
            decision_states: decision_states(&table),
            first: None,
        })
    }
}

pub(super) fn end_of(table: &Table) -> End {
    End::of(table.entry(), table.hash())
}

pub(crate) fn history_lost() -> Fault {
    Fault::new(
        ErrorReason::LostRace,
        "The database was reset to an earlier state of this game; read the game, then try again.",
    )
}

/// The error of a table that has diverged from the journal and must not be read.
#[derive(Debug)]
pub(super) struct Diverged(());

pub(super) fn decision_states(table: &Table) -> Arc<[DecisionState]> {
    table.decision_states().into()
}

#[cfg(test)]
mod tests {
    use super::MemoryBudget;

    #[test]
    fn a_large_game_counts_as_several() {
        let room = MemoryBudget::default();
        let small = room.take(3_000);
        assert_eq!(room.taken(), 1);
        let galaxy = room.take(2 << 20);
        assert_eq!(room.taken(), 1 + 427);
        room.check_memory(300).expect("1.5 times the limit is allowed");
        assert_eq!(
            room.check_memory(170).unwrap_err().reason,
            heliopause_proto::v1::ErrorReason::Overloaded
        );
        drop(galaxy);
        drop(small);
        assert_eq!(room.taken(), 0);
    }
}
