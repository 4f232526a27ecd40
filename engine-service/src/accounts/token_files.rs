//! The tokens of the server's own accounts, in files that only their owner may read.
//!
//! Whoever may read the data directory operates the server; programs read these files with
//! `--token-file`. A file that is missing is written with a new token, and the token that the lost
//! one held is revoked: so it is on the first start, so it is after a restore (a backup holds no
//! secrets), and so an operator replaces a token that leaked.
//!
//! A file whose token the store does not know opens nothing. In the data directory the engine wrote
//! it, so the engine replaces it. Elsewhere it may be another engine's, so the engine does not start.
//!
//! Where several servers share a store, each host and directory has tokens of its own: no server
//! revokes another's.

use std::fs::{DirBuilder, File};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use heliopause_proto::v1::{AccountRole, ErrorReason};

use super::{Accounts, Bearer, secret};
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

/// Whose token files are in a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// This store's: it is the data directory.
    Store,
    /// Another store's, perhaps.
    Anybody,
}

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
    /// The token in it is another database's, or was revoked.
    #[error(
        "the database does not know the token in {} as {} {role}'s: if the file belongs to another \
         database, name another directory with --tokens; otherwise remove the file, and the next \
         start writes a new one",
        path.display(),
        if *role == "admin" { "an" } else { "a" }
    )]
    Unknown {
        /// The file.
        path: PathBuf,
        /// The role that its token should have.
        role: &'static str,
    },
    /// The store would not.
    #[error("no token for {}: {}", path.display(), error.for_operator())]
    Account {
        /// The file.
        path: PathBuf,
        /// What it said.
        error: Box<Failure>,
    },
}

/// Writes the token files that are missing, and replaces those of the store that it does not know.
pub async fn write_missing(
    accounts: &Accounts,
    directory: &Path,
    owner: Owner,
) -> Result<(), TokenFileError> {
    let label = label(accounts, directory);
    let _held = lock(directory)
        .await
        .map_err(|error| TokenFileError::Io { path: directory.join(LOCK), error })?;
    for (file, name, role) in OWN {
        let path = directory.join(file);
        if path.exists() {
            warn_if_open(&path);
            let known = is_known(accounts, &path, role).await;
            if known.map_err(|why| why.of(&path))? {
                continue;
            }
            if owner == Owner::Anybody {
                return Err(TokenFileError::Unknown { path, role: name });
            }
            tracing::warn!(path = %path.display(), "the database does not know the token in this \
                file, or the token was revoked: the file gets a new one");
        }
        match fresh_token(accounts, name, role, &label).await {
            Ok(secret) => {
                tracing::info!(path = %path.display(), role = name, "a token file was written");
                write(&path, &secret).map_err(|error| TokenFileError::Io { path, error })?;
            }
            Err(error) => return Err(TokenFileError::Account { path, error: Box::new(error) }),
        }
    }
    Ok(())
}

/// Why it is not known whether a file's token is valid.
enum Unclear {
    File(io::Error),
    Store(Failure),
}

impl Unclear {
    fn of(self, path: &Path) -> TokenFileError {
        let path = path.to_owned();
        match self {
            Self::File(error) => TokenFileError::Io { path, error },
            Self::Store(error) => TokenFileError::Account { path, error: Box::new(error) },
        }
    }
}

/// Whether the token in a file is an account's with this role.
async fn is_known(accounts: &Accounts, path: &Path, role: AccountRole) -> Result<bool, Unclear> {
    let content = std::fs::read(path).map_err(Unclear::File)?;
    let content = String::from_utf8_lossy(&content);
    let Ok(bearer) = Bearer::parse(content.trim()) else { return Ok(false) };
    match accounts.authenticate(&bearer).await {
        Ok(caller) => Ok(caller.role == role),
        Err(failure) if failure.reason() == ErrorReason::TokenInvalid => Ok(false),
        // The token is known.
        Err(failure) if failure.reason() == ErrorReason::Banned => Ok(true),
        Err(failure) => Err(Unclear::Store(failure)),
    }
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
