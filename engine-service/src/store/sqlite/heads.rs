//! A second record of the ends of journals, in a file beside the database. The loss of the
//! write-ahead log does not affect this file.
//!
//! SQLite reads a log up to the first incomplete frame and silently drops the rest. So a flipped
//! bit can leave a journal that is shorter but valid. To detect this, the ends of the journals in
//! each commit are written to a separate file after the commit, one slot for each game. The file is
//! not flushed for each commit, but once a second. If the process is killed, the file is still
//! exact. After a power failure, the file may lack the slots of the last second. This weakens only
//! the check and loses no entries.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::log_throttle::throttled;
use crate::store::{StoreError, checksums};

/// The file's name in the data directory.
pub const HEADS: &str = "heads";
const SLOT_BYTES: usize = 16;
/// The slot for the number of account changes. No game has this key.
const ACCOUNTS: i64 = 0;
const FLUSH_EVERY: Duration = Duration::from_secs(1);

pub(super) struct Heads {
    slots: Arc<Slots>,
    stop: Option<Sender<()>>,
    flusher: Option<JoinHandle<()>>,
}

pub(super) struct Slots {
    /// `None` if nothing is recorded outside the database.
    file: Option<File>,
    is_dirty: AtomicBool,
}

#[derive(Default)]
pub(super) struct PendingEnds {
    ends: Vec<(i64, String, u64)>,
    gone: Vec<i64>,
    account_changes: Option<u64>,
}

impl PendingEnds {
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

    /// Clears the slots of removed games before the commit, so that the games do not count as lost.
    /// If the commit fails, the games remain but have no recorded end.
    pub(super) fn before_commit(&mut self, slots: &Slots) {
        for key in self.gone.drain(..) {
            slots.forget(key);
        }
    }

    pub(super) fn after_commit(&mut self, slots: &Slots) {
        for (key, game_id, last) in self.ends.drain(..) {
            slots.record(key, &game_id, last);
        }
        if let Some(changes) = self.account_changes.take() {
            slots.record_account_changes(changes);
        }
    }
}

impl Heads {
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
    pub(super) fn unknown() -> Self {
        Self { file: None, is_dirty: AtomicBool::new(false) }
    }

    pub(super) fn count(&self) -> i64 {
        let bytes =
            self.file.as_ref().and_then(|file| file.metadata().ok()).map_or(0, |about| about.len());
        (bytes / SLOT_BYTES as u64).cast_signed()
    }

    /// Returns the recorded end of a game's journal. Ignores a damaged slot and the slot of an
    /// earlier game with the same key.
    pub(super) fn recorded(&self, key: i64, game_id: &str) -> Option<u64> {
        let (last, sum) = self.slot(key)?;
        (sum == checksums::head(game_id, last)).then_some(last)
    }

    pub(super) fn slot(&self, key: i64) -> Option<(u64, checksums::Checksum)> {
        let mut slot = [0; SLOT_BYTES];
        self.file.as_ref()?.read_exact_at(&mut slot, place(key)?).ok()?;
        let (last, sum) = slot.split_at(SLOT_BYTES / 2);
        let last = u64::from_le_bytes(last.try_into().ok()?);
        Some((last, i64::from_le_bytes(sum.try_into().ok()?))).filter(|_| slot != [0; SLOT_BYTES])
    }

    pub(super) fn record(&self, key: i64, game_id: &str, last: u64) {
        let mut slot = [0; SLOT_BYTES];
        let (number, sum) = slot.split_at_mut(SLOT_BYTES / 2);
        number.copy_from_slice(&last.to_le_bytes());
        sum.copy_from_slice(&checksums::head(game_id, last).to_le_bytes());
        self.write(key, slot);
    }

    pub(super) fn forget(&self, key: i64) {
        self.write(key, [0; SLOT_BYTES]);
    }

    pub(super) fn account_changes(&self) -> Option<u64> {
        self.recorded(ACCOUNTS, "")
    }

    pub(super) fn record_account_changes(&self, changes: u64) {
        self.record(ACCOUNTS, "", changes);
    }

    /// Writes a slot. Only logs a failure, because the failure loses only the record and must not
    /// make a durable write fail.
    fn write(&self, key: i64, slot: [u8; SLOT_BYTES]) {
        let Some((place, file)) = place(key).zip(self.file.as_ref()) else { return };
        match file.write_all_at(&slot, place) {
            Ok(()) => self.is_dirty.store(true, Ordering::Release),
            Err(error) => throttled!(warn, %error, "the ends of journals cannot be recorded"),
        }
    }

    fn flush(&self) {
        let Some(file) = &self.file else { return };
        if self.is_dirty.swap(false, Ordering::AcqRel) && file.sync_data().is_err() {
            self.is_dirty.store(true, Ordering::Release);
        }
    }
}

pub(super) fn check_end(game_id: &str, last: u64, recorded: u64) -> Result<(), StoreError> {
    if last >= recorded {
        return Ok(());
    }
    Err(StoreError::Damaged(format!(
        "game {game_id:?}: its journal ends with entry {last}, but entry {recorded} was written"
    )))
}

fn place(key: i64) -> Option<u64> {
    u64::try_from(key).ok()?.checked_mul(SLOT_BYTES as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_valid_only_if_intact_and_of_that_game() {
        let directory = tempfile::tempdir().unwrap();
        let heads = Heads::open(directory.path()).unwrap();
        let slots = heads.slots();
        assert_eq!(slots.count(), 0);
        slots.record(7, "g", 12);
        assert_eq!(
            (
                slots.recorded(7, "g"),
                slots.recorded(7, "h"),
                slots.recorded(6, "g"),
                slots.recorded(8, "g")
            ),
            (Some(12), None, None, None)
        );
        slots.file.as_ref().unwrap().write_all_at(&[13], 7 * SLOT_BYTES as u64).unwrap();
        assert_eq!(slots.recorded(7, "g"), None, "a flipped bit");
        slots.record(7, "g", 13);
        drop((slots, heads));
        let heads = Heads::open(directory.path()).unwrap();
        assert_eq!(heads.slots().recorded(7, "g"), Some(13));
        heads.slots().forget(7);
        assert_eq!(heads.slots().slot(7), None);
    }
}
