//! The tokens of the server's own accounts, in files that only their owner can read.
//!
//! Anyone who can read the data directory can operate the server. Programs read these files with
//! `--token-file`. A missing file is written with a new token, and the token of the lost file is
//! revoked. That happens at the first start, after a restore (a backup has no token files), and
//! when an operator deletes a file to replace a leaked token.
//!
//! A file whose token is not in the store is useless. In the data directory, the engine itself
//! wrote the file and therefore replaces it. Elsewhere, the file may belong to another engine, so
//! the engine does not start.
//!
//! If several servers share a store, each host and directory has separate tokens. No server revokes
//! the tokens of another one.

use std::fs::{DirBuilder, File};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use heliopause_proto::v1::{AccountRole, ErrorReason};

use super::{Accounts, Bearer};
use crate::failure::{Failure, Result};
use crate::random;
use crate::store::{Account, StoreError};

const OWN_ACCOUNTS: [(&str, &str, AccountRole); 2] =
    [("admin.token", "admin", AccountRole::Admin), ("worker.token", "worker", AccountRole::Worker)];
const TOKEN_NAME: &str = "token file";
/// The lock file. Servers that start in one directory must not revoke each other's tokens.
const LOCK: &str = "tokens.lock";

/// The owner of the token files in a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// This store. The directory is its data directory, or was created for this engine.
    Store,
    /// Possibly another store.
    Other,
}

#[derive(Debug, thiserror::Error)]
pub enum TokenFileError {
    #[error("{}: {error}: check that this user can read and write it", path.display())]
    Io { path: PathBuf, error: io::Error },
    #[error(
        "the token in {} is not {} {role}'s token in this database: if the file belongs to another \
         database, give another directory with --tokens; otherwise remove the file, and the next \
         start writes a new one",
        path.display(),
        if *role == "admin" { "an" } else { "a" }
    )]
    Unknown { path: PathBuf, role: &'static str },
    #[error("the token for {} could not be created or checked: {}", path.display(), error.for_operator())]
    Account { path: PathBuf, error: Box<Failure> },
}

/// Writes missing token files, and rewrites the store's own files whose tokens are unknown. Fails
/// for a file with an unknown token that may belong to another store.
pub async fn write_missing(
    accounts: &Accounts,
    directory: &Path,
    owner: Owner,
) -> Result<(), TokenFileError> {
    let label = label(accounts, directory);
    let _held = lock(directory)
        .await
        .map_err(|error| TokenFileError::Io { path: directory.join(LOCK), error })?;
    for (file, name, role) in OWN_ACCOUNTS {
        let path = directory.join(file);
        if path.exists() {
            warn_if_open(&path);
            if is_known(accounts, &path, role).await? {
                continue;
            }
            if owner == Owner::Other {
                return Err(TokenFileError::Unknown { path, role: name });
            }
            tracing::warn!(path = %path.display(), "the token in this file is unknown or revoked; \
                writing a new one");
        }
        match new_token(accounts, name, role, &label).await {
            Ok(secret) => {
                tracing::info!(path = %path.display(), role = name, "token file written");
                write(&path, &secret).map_err(|error| TokenFileError::Io { path, error })?;
            }
            Err(error) => return Err(TokenFileError::Account { path, error: Box::new(error) }),
        }
    }
    Ok(())
}

async fn is_known(
    accounts: &Accounts,
    path: &Path,
    role: AccountRole,
) -> Result<bool, TokenFileError> {
    let content =
        std::fs::read(path).map_err(|error| TokenFileError::Io { path: path.to_owned(), error })?;
    let content = String::from_utf8_lossy(&content);
    let Ok(bearer) = Bearer::parse(content.trim()) else { return Ok(false) };
    match accounts.authenticate(&bearer).await {
        Ok(caller) => Ok(caller.role == role),
        Err(failure) if failure.reason() == ErrorReason::TokenInvalid => Ok(false),
        // The token of a banned account is still known.
        Err(failure) if failure.reason() == ErrorReason::Banned => Ok(true),
        Err(failure) => {
            Err(TokenFileError::Account { path: path.to_owned(), error: Box::new(failure) })
        }
    }
}

pub(crate) fn warn_if_open(path: &Path) {
    let mode = std::fs::metadata(path).map_or(0, |data| data.permissions().mode() & 0o777);
    if mode & 0o077 != 0 {
        let (path, mode) = (path.display(), format!("{mode:03o}"));
        tracing::warn!(%path, mode, "other users can read or change this secret file; set its mode \
            to 600");
    }
}

/// Creates a private directory for the token files of a server that stores nothing else.
pub fn private_directory() -> Result<PathBuf, TokenFileError> {
    let path = std::env::temp_dir().join(format!("heliopause-{}", random::incident()));
    match DirBuilder::new().mode(0o700).create(&path) {
        Ok(()) => Ok(path),
        Err(error) => Err(TokenFileError::Io { path, error }),
    }
}

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

fn label(accounts: &Accounts, directory: &Path) -> String {
    if accounts.store.shared().is_none() {
        return TOKEN_NAME.to_owned();
    }
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let directory = std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned());
    format!("{TOKEN_NAME} {host}:{}", directory.display())
}

/// Returns the server's own account, creating it if necessary. Fails if the account has another
/// role.
async fn own_account(accounts: &Accounts, name: &str, role: AccountRole) -> Result<Account> {
    let found = match accounts.store.account(name).await {
        Err(StoreError::NotFound) => match accounts.open(name, role, None).await {
            Ok((account, _)) => return Ok(account),
            // Another server created the account at the same time.
            Err(failure) if failure.reason() == ErrorReason::NameTaken => {
                accounts.store.account(name).await
            }
            Err(failure) => return Err(failure),
        },
        found => found,
    };
    let account = found?;
    let found = super::role(&account);
    if found == role {
        return Ok(account);
    }
    let text = format!("the account {name:?} has the role {found:?} instead of {role:?}");
    Err(Failure::new(ErrorReason::NameTaken, text))
}

async fn new_token(
    accounts: &Accounts,
    name: &str,
    role: AccountRole,
    label: &str,
) -> Result<String> {
    let account = own_account(accounts, name, role).await?;
    let tokens = accounts.store.tokens(&account.player_id).await?;
    // The first token of an account created here was never given to anyone.
    for lost in tokens.iter().filter(|token| token.name == label || token.name == "first") {
        match accounts.revoke(&account.player_id, &lost.token_id).await {
            // Another server revoked the token at the same time.
            Err(failure) if failure.reason() == ErrorReason::NotFound => {}
            revoked => revoked?,
        }
    }
    Ok(accounts.add_token(&account.player_id, label).await?.1)
}

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
