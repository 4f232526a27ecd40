//! Backups of a data directory, also while an engine runs on it.
//!
//! A backup is one file: the database, and a last line with the SHA-256 of all before it. It is
//! made only of what is as it was written, and restored only if it still is. It has every game,
//! account and hash of a token. It holds no secret in the clear, so not the token files; the first
//! start on a restored directory writes new ones. Players' tokens go on being valid.

use std::ffi::OsStr;
use std::fs::{DirBuilder, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};
use sha2::{Digest as _, Sha256};

use crate::store::sqlite::{self, DATABASE, OpenError, UNFINISHED};

/// How many pages are copied at a time.
const PAGES: i32 = 1_000;
/// How long to wait when the database is locked for a moment.
const BUSY: Duration = Duration::from_millis(20);

/// Why there is no backup, or no restored directory: what is wrong, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// There is nothing to copy.
    #[error("{} holds no database: say with --data where the engine keeps it", .0.display())]
    NoDatabase(PathBuf),
    /// There is something already.
    #[error("{} exists: choose another name, backups are not overwritten", .0.display())]
    Exists(PathBuf),
    /// There is something already.
    #[error("{} is not empty: restore into a new directory", .0.display())]
    NotEmpty(PathBuf),
    /// It is no backup of ours.
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("{} is damaged ({found}): use another backup", file.display())]
    Damaged {
        /// The backup.
        file: PathBuf,
        found: String,
    },
    /// What was to be copied is damaged.
    #[error(
        "{} holds damage ({found}), so this would be no backup: `engine-service verify` names all \
         of it; restore an \
         earlier backup",
        data.display()
    )]
    Source {
        /// The data directory.
        data: PathBuf,
        found: String,
    },
    /// The database would not.
    #[error("{0}")]
    Database(#[from] rusqlite::Error),
    /// The file system would not.
    #[error("{}: {error}", path.display())]
    Io {
        /// What was to be read or written.
        path: PathBuf,
        /// What it said.
        error: io::Error,
    },
}

/// Copies the database of a data directory into a file, while the engine may go on writing.
pub fn backup(data: &Path, to: &Path) -> Result<(), BackupError> {
    let database = data.join(DATABASE);
    if !database.is_file() {
        return Err(BackupError::NoDatabase(data.to_owned()));
    }
    if to.exists() {
        return Err(BackupError::Exists(to.to_owned()));
    }
    let from = open_existing(&database)?;
    sqlite::check_schema(&from, &database)?;
    write_whole(to, |unfinished| {
        let copied = copy(&from, unfinished)?;
        sqlite::check_copy(&copied).map_err(|error| BackupError::Source {
            data: data.to_owned(),
            found: error.to_string(),
        })?;
        drop(copied);
        seal(unfinished).map_err(|error| BackupError::Io { path: to.to_owned(), error })
    })
}

/// Makes a data directory from a backup.
pub fn restore(from: &Path, data: &Path) -> Result<(), BackupError> {
    if !from.is_file() {
        let error = io::ErrorKind::NotFound.into();
        return Err(BackupError::Io { path: from.to_owned(), error });
    }
    let io = |error| BackupError::Io { path: data.to_owned(), error };
    DirBuilder::new().recursive(true).mode(0o700).create(data).map_err(io)?;
    // What a restore that was cut short has left is written again.
    let is_left = |name: &OsStr| {
        name.to_str().is_some_and(|name| name.starts_with(&format!("{DATABASE}{UNFINISHED}")))
    };
    for entry in std::fs::read_dir(data).map_err(io)? {
        if !is_left(&entry.map_err(io)?.file_name()) {
            return Err(BackupError::NotEmpty(data.to_owned()));
        }
    }
    write_whole(&data.join(DATABASE), |unfinished| {
        unseal(from, unfinished)?;
        sqlite::check_schema(&open_existing(unfinished)?, from)?;
        Ok(())
    })
}

/// The last line of a backup, after everything else: this, and 64 digits.
const SEAL: &[u8] = b"\nheliopause backup sha256 ";
const SEAL_BYTES: usize = SEAL.len() + 64 + 1;

fn seal_of(hash: Sha256) -> Vec<u8> {
    let mut line = SEAL.to_vec();
    for byte in hash.finalize() {
        line.extend(format!("{byte:02x}").into_bytes());
    }
    line.push(b'\n');
    line
}

/// Copies, and answers the hash of what went through.
fn pour(from: &mut impl Read, to: &mut impl Write) -> io::Result<Sha256> {
    let (mut hash, mut buffer) = (Sha256::new(), vec![0; 1 << 20]);
    loop {
        let read = from.read(&mut buffer)?;
        if read == 0 {
            return Ok(hash);
        }
        hash.update(&buffer[..read]);
        to.write_all(&buffer[..read])?;
    }
}

/// Adds the last line to a copy.
fn seal(file: &Path) -> io::Result<()> {
    let hash = pour(&mut File::open(file)?, &mut io::sink())?;
    File::options().append(true).open(file)?.write_all(&seal_of(hash))
}

/// Copies what is before the last line, if it is what was sealed.
fn unseal(from: &Path, to: &Path) -> Result<(), BackupError> {
    let io = |error| BackupError::Io { path: from.to_owned(), error };
    let damaged =
        |found: &str| BackupError::Damaged { file: from.to_owned(), found: found.to_owned() };
    let sealed = File::open(from).map_err(io)?;
    let bytes = sealed.metadata().map_err(io)?.len().checked_sub(SEAL_BYTES as u64);
    let mut content = Read::take(&sealed, bytes.ok_or_else(|| damaged("it is too short"))?);
    let mut copy = File::options().write(true).truncate(true).open(to).map_err(io)?;
    let hash = pour(&mut content, &mut copy).map_err(io)?;
    let mut line = Vec::new();
    (&sealed).read_to_end(&mut line).map_err(io)?;
    if line == seal_of(hash) {
        Ok(())
    } else {
        Err(damaged("its last line does not fit what is before it"))
    }
}

fn open_existing(file: &Path) -> Result<Connection, rusqlite::Error> {
    // Not read-only: a reader of a write-ahead log must write to its shared index.
    Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_WRITE)
}

/// Writes a file under another name first, so that what has the right name is whole.
fn write_whole(
    path: &Path,
    write: impl FnOnce(&Path) -> Result<(), BackupError>,
) -> Result<(), BackupError> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(UNFINISHED);
    let unfinished = PathBuf::from(unfinished);
    let io = |error| BackupError::Io { path: path.to_owned(), error };
    match std::fs::remove_file(&unfinished) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(io(error)),
        _ => {}
    }
    sqlite::create_private(&unfinished).map_err(io)?;
    if let Err(error) = write(&unfinished) {
        // What went wrong is worth more than whether this goes wrong too.
        let _ = std::fs::remove_file(&unfinished);
        return Err(error);
    }
    File::open(&unfinished).and_then(|file| file.sync_all()).map_err(io)?;
    std::fs::rename(&unfinished, path).map_err(io)?;
    // Until its folder is flushed too, a power cut may take the name away again.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all()).map_err(io)
}

/// Copies a database as it is at one moment: a transaction holds that moment, however long the copy
/// takes.
fn copy(from: &Connection, to: &Path) -> Result<Connection, BackupError> {
    let mut to = Connection::open(to)?;
    from.execute_batch("BEGIN; SELECT count(*) FROM sqlite_schema")?;
    let copying = Backup::new(from, &mut to)?;
    while copying.step(PAGES)? != StepResult::Done {
        std::thread::sleep(BUSY);
    }
    drop(copying);
    from.execute_batch("COMMIT")?;
    // A file of its own, without a write-ahead log beside it.
    to.pragma_update(None, "journal_mode", "DELETE")?;
    Ok(to)
}
