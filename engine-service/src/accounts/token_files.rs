//! The tokens of the server's own accounts, in files that only their owner may read.
//!
//! Whoever may read the data directory operates the server; programs read these files with `--token-file`. A file that is
//! missing is written with a new token, and the token that the lost one held is revoked: so it is on the first start, so it
//! is after a restore (a backup holds no secrets), and so an operator replaces a token that leaked.

use std::fs::{DirBuilder, File};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use heliopause_proto::v1::{AccountRole, ErrorReason};

use super::{Accounts, secret};
use crate::edge::errors::Failure;
use crate::store::StoreError;

/// The server's own accounts: the file, the account's name, and what it may do.
const OWN: [(&str, &str, AccountRole); 2] =
    [("admin.token", "admin", AccountRole::Admin), ("worker.token", "worker", AccountRole::Worker)];
/// What the tokens in the files are called.
const LABEL: &str = "token file";

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
    for (file, name, role) in OWN {
        let path = directory.join(file);
        if path.exists() {
            continue;
        }
        match fresh_token(accounts, name, role).await {
            Ok(secret) => write(&path, &secret).map_err(|error| TokenFileError::Io { path, error })?,
            Err(error) => return Err(TokenFileError::Account { path, error }),
        }
    }
    Ok(())
}

/// A directory of its own for the token files of a server that keeps nothing else.
pub fn private_directory() -> Result<PathBuf, TokenFileError> {
    let path = std::env::temp_dir().join(format!("heliopause-{}", secret::incident()));
    match DirBuilder::new().mode(0o700).create(&path) {
        Ok(()) => Ok(path),
        Err(error) => Err(TokenFileError::Io { path, error }),
    }
}

async fn fresh_token(accounts: &Accounts, name: &str, role: AccountRole) -> Result<String, Failure> {
    let account = match accounts.store.account(name).await {
        Ok(account) if super::role(&account) == role => account,
        Ok(_) => return Err(Failure::new(ErrorReason::NameTaken, format!("{name:?} is an account of another role"))),
        Err(StoreError::NotFound) => accounts.make(name, role).await?.0,
        Err(error) => return Err(error.into()),
    };
    let tokens = accounts.store.tokens(&account.player_id).await?;
    // The first token of an account made here was shown to nobody.
    for lost in tokens.iter().filter(|token| token.name == LABEL || token.name == "first") {
        accounts.revoke(&account.player_id, &lost.token_id).await?;
    }
    Ok(accounts.add_token(&account.player_id, LABEL).await?.1)
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
