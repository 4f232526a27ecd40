//! The tokens of the server's own accounts, in files that only their owner may read.
//!
//! Whoever may read the data directory operates the server; programs read these files with
//! `--token-file`. A file that is missing is written with a new token, and the token that the lost
//! one held is revoked: so it is on the first start, so it is after a restore (a backup holds no
//! secrets), and so an operator replaces a token that leaked.
//!
//! Where several servers share a store, each host and directory has tokens of its own: no server
//! revokes another's.

use std::fs::{DirBuilder, File};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use heliopause_proto::v1::{AccountRole, ErrorReason};

use super::{Accounts, secret};
use crate::edge::errors::Failure;
use crate::store::{Account, StoreError};

/// The server's own accounts: the file, the account's name, and what it may do.
const OWN: [(&str, &str, AccountRole); 2] =
    [("admin.token", "admin", AccountRole::Admin), ("worker.token", "worker", AccountRole::Worker)];
/// What the tokens in the files are called.
const LABEL: &str = "token file";
/// Held while files are written: servers that start together in one directory must not revoke each
/// other's tokens.
const LOCK: &str = "tokens.lock";

/// Why a token file could not be written.
#[derive(Debug, thiserror::Error)]
pub enum TokenFileError {
    /// The file system would not.
    #[error("{}: {error}: check that this user may write there", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        error: io::Error,
    },
    /// The store would not.
    #[error("no token for {}: {error}", path.display())]
    Account {
        /// The file.
        path: PathBuf,
        /// What it said.
        error: Failure,
    },
}

/// Writes the token files that are missing.
pub async fn write_missing(accounts: &Accounts, directory: &Path) -> Result<(), TokenFileError> {
    let label = label(accounts, directory);
    let _held = lock(directory)
        .await
        .map_err(|error| TokenFileError::Io { path: directory.join(LOCK), error })?;
    for (file, name, role) in OWN {
        let path = directory.join(file);
        if path.exists() {
            warn_if_open(&path);
            continue;
        }
        match fresh_token(accounts, name, role, &label).await {
            Ok(secret) => {
                write(&path, &secret).map_err(|error| TokenFileError::Io { path, error })?;
            }
            Err(error) => return Err(TokenFileError::Account { path, error }),
        }
    }
    Ok(())
}

/// Says so in the log if a file with a secret may be read by others than its owner.
pub(crate) fn warn_if_open(path: &Path) {
    let mode = std::fs::metadata(path).map_or(0, |data| data.permissions().mode() & 0o777);
    if mode & 0o077 != 0 {
        let (path, mode) = (path.display(), format!("{mode:03o}"));
        tracing::warn!(%path, mode, "others than its owner may read this secret, or change it: \
            make its mode 600");
    }
}

/// A directory of its own for the token files of a server that keeps nothing else.
pub fn private_directory() -> Result<PathBuf, TokenFileError> {
    let path = std::env::temp_dir().join(format!("heliopause-{}", secret::incident()));
    match DirBuilder::new().mode(0o700).create(&path) {
        Ok(()) => Ok(path),
        Err(error) => Err(TokenFileError::Io { path, error }),
    }
}

/// Locks a directory, which is made if it is missing.
async fn lock(directory: &Path) -> io::Result<File> {
    let directory = directory.to_owned();
    let locked = tokio::task::spawn_blocking(move || {
        DirBuilder::new().recursive(true).mode(0o700).create(&directory)?;
        let file = File::options()
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(directory.join(LOCK))?;
        file.lock()?;
        Ok(file)
    });
    locked.await.map_err(io::Error::other)?
}

/// What the tokens in a directory's files are called.
fn label(accounts: &Accounts, directory: &Path) -> String {
    if accounts.store.shared().is_none() {
        return LABEL.to_owned();
    }
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let directory = std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned());
    format!("{LABEL} {host}:{}", directory.display())
}

/// The server's own account of this name, made if it is missing.
async fn own_account(
    accounts: &Accounts,
    name: &str,
    role: AccountRole,
) -> Result<Account, Failure> {
    let found = match accounts.store.account(name).await {
        Err(StoreError::NotFound) => match accounts.make(name, role).await {
            Ok((account, _)) => return Ok(account),
            // Another server made it at the same moment.
            Err(failure) if failure.reason() == ErrorReason::NameTaken => {
                accounts.store.account(name).await
            }
            Err(failure) => return Err(failure),
        },
        found => found,
    };
    let account = found?;
    if super::role(&account) == role {
        return Ok(account);
    }
    Err(Failure::new(ErrorReason::NameTaken, format!("{name:?} is an account of another role")))
}

async fn fresh_token(
    accounts: &Accounts,
    name: &str,
    role: AccountRole,
    label: &str,
) -> Result<String, Failure> {
    let account = own_account(accounts, name, role).await?;
    let tokens = accounts.store.tokens(&account.player_id).await?;
    // The first token of an account made here was shown to nobody.
    for lost in tokens.iter().filter(|token| token.name == label || token.name == "first") {
        match accounts.revoke(&account.player_id, &lost.token_id).await {
            // Another server did it at the same moment.
            Err(failure) if failure.reason() == ErrorReason::NotFound => {}
            revoked => revoked?,
        }
    }
    Ok(accounts.add_token(&account.player_id, label).await?.1)
}

/// Writes a secret for its owner's eyes only: whole, or not at all.
fn write(path: &Path, secret: &str) -> io::Result<()> {
    let unfinished = path.with_extension("token.new");
    match std::fs::remove_file(&unfinished) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = File::options().write(true).create_new(true).mode(0o600).open(&unfinished)?;
    writeln!(file, "{secret}")?;
    file.sync_all()?;
    std::fs::rename(unfinished, path)
}
