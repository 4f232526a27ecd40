//! Backups of a data directory, even while an engine uses it.
//!
//! A backup is one file: the database, then a line with the SHA-256 of everything before it. Only
//! undamaged data is backed up, and only an unchanged backup is restored. A backup contains every
//! game, account and token hash. It contains no tokens and therefore no token files: the first
//! start after a restore writes new token files. Players' tokens stay valid.

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

const PAGES: i32 = 1_000;
const BUSY: Duration = Duration::from_millis(20);

#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error("{} contains no database: give the engine's directory with --data", .0.display())]
    NoDatabase(PathBuf),
    #[error("{} already exists: choose another name; backups are never overwritten", .0.display())]
    Exists(PathBuf),
    #[error("{} is not empty: restore into a new directory", .0.display())]
    NotEmpty(PathBuf),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("{} is damaged ({found}): use another backup", file.display())]
    Damaged { file: PathBuf, found: String },
    #[error(
        "{} is damaged ({found}) and cannot be backed up: `engine-service verify` lists the \
         damage; restore an earlier backup",
        data.display()
    )]
    Source { data: PathBuf, found: String },
    #[error("the database could not be opened or copied: {0}")]
    Database(#[from] rusqlite::Error),
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
}

/// Copies the database of a data directory into a file. The engine may be running.
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
    write_atomically(to, |unfinished| {
        let copied = copy(&from, unfinished)?;
        sqlite::check_copy(&copied).map_err(|error| BackupError::Source {
            data: data.to_owned(),
            found: error.to_string(),
        })?;
        drop(copied);
        seal(unfinished).map_err(|error| BackupError::Io { path: to.to_owned(), error })
    })
}

/// Creates a data directory from a backup. An existing directory must be empty.
pub fn restore(from: &Path, data: &Path) -> Result<(), BackupError> {
    if !from.is_file() {
        let error = io::ErrorKind::NotFound.into();
        return Err(BackupError::Io { path: from.to_owned(), error });
    }
    let io = |error| BackupError::Io { path: data.to_owned(), error };
    DirBuilder::new().recursive(true).mode(0o700).create(data).map_err(io)?;
    // A directory with only the files of an interrupted restore counts as empty.
    let is_leftover = |name: &OsStr| {
        name.to_str().is_some_and(|name| name.starts_with(&format!("{DATABASE}{UNFINISHED}")))
    };
    for entry in std::fs::read_dir(data).map_err(io)? {
        if !is_leftover(&entry.map_err(io)?.file_name()) {
            return Err(BackupError::NotEmpty(data.to_owned()));
        }
    }
    write_atomically(&data.join(DATABASE), |unfinished| {
        unseal(from, unfinished)?;
        sqlite::check_schema(&open_existing(unfinished)?, from)?;
        Ok(())
    })
}

/// The start of the last line. 64 hexadecimal digits and a line break follow.
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

fn copy_and_hash(from: &mut impl Read, to: &mut impl Write) -> io::Result<Sha256> {
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

fn seal(file: &Path) -> io::Result<()> {
    let hash = copy_and_hash(&mut File::open(file)?, &mut io::sink())?;
    File::options().append(true).open(file)?.write_all(&seal_of(hash))
}

fn unseal(from: &Path, to: &Path) -> Result<(), BackupError> {
    let io = |error| BackupError::Io { path: from.to_owned(), error };
    let damaged =
        |found: &str| BackupError::Damaged { file: from.to_owned(), found: found.to_owned() };
    let sealed = File::open(from).map_err(io)?;
    let bytes = sealed.metadata().map_err(io)?.len().checked_sub(SEAL_BYTES as u64);
    let mut content = Read::take(&sealed, bytes.ok_or_else(|| damaged("it is too short"))?);
    let mut copy = File::options().write(true).truncate(true).open(to).map_err(io)?;
    let hash = copy_and_hash(&mut content, &mut copy).map_err(io)?;
    let mut line = Vec::new();
    (&sealed).read_to_end(&mut line).map_err(io)?;
    if line == seal_of(hash) { Ok(()) } else { Err(damaged("its checksum does not match")) }
}

fn open_existing(file: &Path) -> Result<Connection, rusqlite::Error> {
    // Not read-only: reading a write-ahead log needs write access to its shared-memory index.
    Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_WRITE)
}

/// Writes a file under a temporary name and then renames it, so that the file at `path` is always
/// complete. Removes the temporary file if writing fails.
fn write_atomically(
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
        let _ = std::fs::remove_file(&unfinished);
        return Err(error);
    }
    File::open(&unfinished).and_then(|file| file.sync_all()).map_err(io)?;
    std::fs::rename(&unfinished, path).map_err(io)?;
    // Until the directory is flushed, a power failure can undo the rename.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all()).map_err(io)
}

/// Copies a database to a file. An open transaction ensures that the copy is consistent.
fn copy(from: &Connection, to: &Path) -> Result<Connection, BackupError> {
    let mut to = Connection::open(to)?;
    from.execute_batch("BEGIN; SELECT count(*) FROM sqlite_schema")?;
    let copying = Backup::new(from, &mut to)?;
    while copying.step(PAGES)? != StepResult::Done {
        std::thread::sleep(BUSY);
    }
    drop(copying);
    from.execute_batch("COMMIT")?;
    to.pragma_update(None, "journal_mode", "DELETE")?;
    Ok(to)
}
