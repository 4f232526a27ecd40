//! Where journals end, once more: beside the database, where the loss of its write-ahead log does
//! not reach.
//!
//! SQLite takes a log up to the first frame that is not whole, and drops the rest without a word:
//! what a flipped bit cuts off is a journal that is shorter and valid. So after each commit the
//! ends of its journals are written to a file of their own, one slot for each game. That costs no
//! flush of its own: the file is flushed once a second. What a process leaves behind when it is
//! killed is therefore known exactly; a machine that loses power may lose the slots of its last
//! second, and with them the knowledge, not the entries.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::seldom::seldom;
use crate::store::sums;

/// The file's name in the data directory.
pub const HEADS: &str = "heads";
/// A number and its checksum.
const SLOT_BYTES: usize = 16;
/// The slot that counts what was done to accounts; no game has this key.
const ACCOUNTS: i64 = 0;
const FLUSH_EVERY: Duration = Duration::from_secs(1);

/// The file, and the thread that flushes it.
pub(super) struct Heads {
    slots: Arc<Slots>,
    stop: Option<Sender<()>>,
    flusher: Option<JoinHandle<()>>,
}

/// The file's slots.
pub(super) struct Slots {
    /// `None` where nothing is known of a database but what it says itself.
    file: Option<File>,
    is_dirty: AtomicBool,
}

/// What a batch of writes will have moved once it is durable.
#[derive(Default)]
pub(super) struct Moves {
    ends: Vec<(i64, String, u64)>,
    gone: Vec<i64>,
    account_changes: Option<u64>,
}

impl Moves {
    pub(super) fn moved(&mut self, key: i64, game_id: &str, last: u64) {
        self.ends.push((key, game_id.to_owned(), last));
    }

    pub(super) fn gone(&mut self, key: i64) {
        self.ends.retain(|(moved, ..)| *moved != key);
        self.gone.push(key);
    }

    pub(super) fn accounts_changed(&mut self, changes: u64) {
        self.account_changes = Some(changes);
    }

    /// Before the commit: what may be gone is not to be missed. If the commit fails, it is unknown
    /// where those journals end.
    pub(super) fn begin(&mut self, slots: &Slots) {
        for key in self.gone.drain(..) {
            slots.forget(key);
        }
    }

    /// After the commit.
    pub(super) fn finish(&mut self, slots: &Slots) {
        for (key, game_id, last) in self.ends.drain(..) {
            slots.tell(key, &game_id, last);
        }
        if let Some(changes) = self.account_changes.take() {
            slots.tell_account_changes(changes);
        }
    }
}

impl Heads {
    /// Opens the file; makes it if it is missing.
    pub(super) fn open(directory: &Path) -> io::Result<Self> {
        let path = directory.join(HEADS);
        super::create_private(&path)?;
        let file = File::options().read(true).write(true).open(path)?;
        let slots = Arc::new(Slots { file: Some(file), is_dirty: AtomicBool::new(false) });
        let (stop, stopped) = channel();
        let flushed = Arc::clone(&slots);
        let flusher = std::thread::Builder::new().name("heads".to_owned()).spawn(move || {
            while stopped.recv_timeout(FLUSH_EVERY) == Err(RecvTimeoutError::Timeout) {
                flushed.flush();
            }
            flushed.flush();
        })?;
        Ok(Self { slots, stop: Some(stop), flusher: Some(flusher) })
    }

    pub(super) fn slots(&self) -> Arc<Slots> {
        Arc::clone(&self.slots)
    }
}

impl Drop for Heads {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(flusher) = self.flusher.take() {
            let _ = flusher.join();
        }
    }
}

impl Slots {
    /// Slots that hold nothing.
    pub(super) fn unknown() -> Self {
        Self { file: None, is_dirty: AtomicBool::new(false) }
    }

    /// How many slots there may be; none if nothing was ever noted.
    pub(super) fn count(&self) -> i64 {
        let bytes =
            self.file.as_ref().and_then(|file| file.metadata().ok()).map_or(0, |about| about.len());
        (bytes / SLOT_BYTES as u64).cast_signed()
    }

    /// The end of a game's journal, if it is known. A slot of a game that had the same key before
    /// is nobody's.
    pub(super) fn told(&self, key: i64, game_id: &str) -> Option<u64> {
        let (last, sum) = self.slot(key)?;
        (sum == sums::head(game_id, last)).then_some(last)
    }

    /// What a slot holds, whosever it is.
    pub(super) fn slot(&self, key: i64) -> Option<(u64, sums::Sum)> {
        let mut slot = [0; SLOT_BYTES];
        self.file.as_ref()?.read_exact_at(&mut slot, place(key)?).ok()?;
        let (last, sum) = slot.split_at(SLOT_BYTES / 2);
        let last = u64::from_le_bytes(last.try_into().ok()?);
        Some((last, i64::from_le_bytes(sum.try_into().ok()?))).filter(|_| slot != [0; SLOT_BYTES])
    }

    /// Notes where a journal ends.
    pub(super) fn tell(&self, key: i64, game_id: &str, last: u64) {
        let mut slot = [0; SLOT_BYTES];
        let (number, sum) = slot.split_at_mut(SLOT_BYTES / 2);
        number.copy_from_slice(&last.to_le_bytes());
        sum.copy_from_slice(&sums::head(game_id, last).to_le_bytes());
        self.write(key, slot);
    }

    /// Notes that a game is gone.
    pub(super) fn forget(&self, key: i64) {
        self.write(key, [0; SLOT_BYTES]);
    }

    /// How often accounts were changed, if it is known.
    pub(super) fn account_changes(&self) -> Option<u64> {
        self.told(ACCOUNTS, "")
    }

    pub(super) fn tell_account_changes(&self, changes: u64) {
        self.tell(ACCOUNTS, "", changes);
    }

    /// What cannot be noted is unknown later: no reason to refuse what is durable already.
    fn write(&self, key: i64, slot: [u8; SLOT_BYTES]) {
        let Some((place, file)) = place(key).zip(self.file.as_ref()) else { return };
        match file.write_all_at(&slot, place) {
            Ok(()) => self.is_dirty.store(true, Ordering::Release),
            Err(error) => seldom!(warn, %error, "the ends of journals cannot be noted"),
        }
    }

    fn flush(&self) {
        let Some(file) = &self.file else { return };
        if self.is_dirty.swap(false, Ordering::AcqRel) && file.sync_data().is_err() {
            self.is_dirty.store(true, Ordering::Release);
        }
    }
}

fn place(key: i64) -> Option<u64> {
    u64::try_from(key).ok()?.checked_mul(SLOT_BYTES as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_believed_if_it_is_whole_and_of_that_game() {
        let directory = tempfile::tempdir().unwrap();
        let heads = Heads::open(directory.path()).unwrap();
        let slots = heads.slots();
        assert_eq!(slots.count(), 0);
        slots.tell(7, "g", 12);
        assert_eq!(
            (slots.told(7, "g"), slots.told(7, "h"), slots.told(6, "g"), slots.told(8, "g")),
            (Some(12), None, None, None)
        );
        slots.file.as_ref().unwrap().write_all_at(&[13], 7 * SLOT_BYTES as u64).unwrap();
        assert_eq!(slots.told(7, "g"), None, "a flipped bit");
        slots.tell(7, "g", 13);
        drop((slots, heads));
        let heads = Heads::open(directory.path()).unwrap();
        assert_eq!(heads.slots().told(7, "g"), Some(13));
        heads.slots().forget(7);
        assert_eq!(heads.slots().slot(7), None);
    }
}
