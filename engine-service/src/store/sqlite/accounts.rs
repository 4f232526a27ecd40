//! Accounts, tokens and invitations.

use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::writer::Session;
use super::{Invitation, to_i64};
use crate::store::{Account, StoreError, TokenRow, folded};

const ACCOUNT: &str = "a.player_id, a.name, a.role, a.dedication, a.banned, a.games_limit, a.created";

fn account_row(row: &Row<'_>) -> rusqlite::Result<Account> {
    Ok(Account {
        player_id: row.get(0)?,
        name: row.get(1)?,
        role: row.get(2)?,
        dedication: row.get(3)?,
        banned: row.get(4)?,
        games_limit: row.get(5)?,
        created: row.get(6)?,
    })
}

const TOKEN: &str = "t.token_id, t.player_id, t.name, t.hash, t.created";

/// Reads a token from the columns of [`TOKEN`], which begin at `first`.
fn token_row(row: &Row<'_>, first: usize) -> rusqlite::Result<TokenRow> {
    Ok(TokenRow {
        token_id: row.get(first)?,
        player_id: row.get(first + 1)?,
        name: row.get(first + 2)?,
        hash: row.get(first + 3)?,
        created: row.get(first + 4)?,
    })
}

/// An account by id, or else by name.
pub(super) fn account(connection: &Connection, id_or_name: &str) -> Result<Account, StoreError> {
    for column in ["player_id", "folded"] {
        let sql = format!("SELECT {ACCOUNT} FROM account a WHERE {column} = ?1");
        let wanted = if column == "folded" { folded(id_or_name) } else { id_or_name.to_owned() };
        if let Some(account) = connection.prepare_cached(&sql)?.query_row([wanted], account_row).optional()? {
            return Ok(account);
        }
    }
    Err(StoreError::NotFound)
}

/// All accounts and invitations.
pub(super) fn everybody(connection: &Connection) -> Result<(Vec<Account>, Vec<Invitation>), StoreError> {
    let mut statement = connection.prepare(&format!("SELECT {ACCOUNT} FROM account a ORDER BY created, player_id"))?;
    let accounts = statement.query_map([], account_row)?.collect::<Result<_, _>>()?;
    let mut statement = connection.prepare("SELECT hash, uses FROM invitation")?;
    let invitations = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
    Ok((accounts, invitations))
}

/// Accounts by name.
pub(super) fn accounts(
    connection: &Connection,
    after: &str,
    search: &str,
    limit: usize,
) -> Result<Vec<Account>, StoreError> {
    let sql =
        format!("SELECT {ACCOUNT} FROM account a WHERE folded > ?1 AND instr(folded, ?2) > 0 ORDER BY folded LIMIT ?3");
    let mut statement = connection.prepare_cached(&sql)?;
    let wanted = params![folded(after), folded(search), to_i64(limit as u64)];
    let accounts = statement.query_map(wanted, account_row)?;
    Ok(accounts.collect::<Result<_, _>>()?)
}

/// Opens an account with its first token, using up an invitation if one is given.
pub(super) fn open(
    session: &mut Session,
    account: &Account,
    token: &TokenRow,
    invitation: Option<&[u8; 32]>,
) -> Result<(), StoreError> {
    let connection = &session.connection;
    if let Some(invitation) = invitation {
        check_invitation(connection, invitation)?;
    }
    if exists(connection, "SELECT 1 FROM account WHERE player_id = ?1", &account.player_id)? {
        return Err(StoreError::Taken);
    }
    check_name(connection, account)?;
    check_token(connection, token)?;
    if let Some(invitation) = invitation {
        use_up(connection, invitation)?;
    }
    connection
        .prepare_cached(
            "INSERT INTO account (player_id, name, folded, role, dedication, banned, games_limit, created)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?
        .execute(params![
            account.player_id,
            account.name,
            unique(&account.name),
            account.role,
            account.dedication,
            account.banned,
            account.games_limit,
            account.created,
        ])?;
    insert_token(connection, token)
}

/// A name as it must be unique; erased accounts have none.
fn unique(name: &str) -> Option<String> {
    (!name.is_empty()).then(|| folded(name))
}

fn exists(connection: &Connection, sql: &str, value: &str) -> Result<bool, StoreError> {
    Ok(connection.prepare_cached(sql)?.exists([value])?)
}

fn check_name(connection: &Connection, account: &Account) -> Result<(), StoreError> {
    let sql = "SELECT 1 FROM account WHERE folded = ?1 AND player_id <> ?2";
    let taken = connection.prepare_cached(sql)?.exists(params![unique(&account.name), account.player_id])?;
    if taken { Err(StoreError::Taken) } else { Ok(()) }
}

fn check_token(connection: &Connection, token: &TokenRow) -> Result<(), StoreError> {
    let sql = "SELECT 1 FROM token WHERE hash = ?1 UNION ALL SELECT 1 FROM token WHERE token_id = ?2";
    let taken = connection.prepare_cached(sql)?.exists(params![token.hash, token.token_id])?;
    if taken { Err(StoreError::Taken) } else { Ok(()) }
}

fn check_invitation(connection: &Connection, hash: &[u8; 32]) -> Result<(), StoreError> {
    let valid = connection.prepare_cached("SELECT 1 FROM invitation WHERE hash = ?1 AND uses > 0")?.exists([hash])?;
    if valid { Ok(()) } else { Err(StoreError::NotFound) }
}

fn use_up(connection: &Connection, hash: &[u8; 32]) -> Result<(), StoreError> {
    connection.prepare_cached("UPDATE invitation SET uses = uses - 1 WHERE hash = ?1")?.execute([hash])?;
    connection.prepare_cached("DELETE FROM invitation WHERE hash = ?1 AND uses < 1")?.execute([hash])?;
    Ok(())
}

fn insert_token(connection: &Connection, token: &TokenRow) -> Result<(), StoreError> {
    connection
        .prepare_cached("INSERT INTO token (hash, token_id, player_id, name, created) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![token.hash, token.token_id, token.player_id, token.name, token.created])?;
    Ok(())
}

/// Replaces what an account says.
pub(super) fn put(session: &mut Session, account: &Account) -> Result<(), StoreError> {
    let connection = &session.connection;
    if !exists(connection, "SELECT 1 FROM account WHERE player_id = ?1", &account.player_id)? {
        return Err(StoreError::NotFound);
    }
    check_name(connection, account)?;
    connection
        .prepare_cached(
            "UPDATE account SET name = ?2, folded = ?3, role = ?4, banned = ?5, games_limit = ?6 WHERE player_id = ?1",
        )?
        .execute(params![
            account.player_id,
            account.name,
            unique(&account.name),
            account.role,
            account.banned,
            account.games_limit,
        ])?;
    Ok(())
}

/// Adds a token to an account.
pub(super) fn put_token(session: &mut Session, token: &TokenRow) -> Result<(), StoreError> {
    let connection = &session.connection;
    if !exists(connection, "SELECT 1 FROM account WHERE player_id = ?1", &token.player_id)? {
        return Err(StoreError::NotFound);
    }
    check_token(connection, token)?;
    insert_token(connection, token)
}

/// The token with this hash and its account.
pub(super) fn token(connection: &Connection, hash: &[u8; 32]) -> Result<(TokenRow, Account), StoreError> {
    let sql =
        format!("SELECT {ACCOUNT}, {TOKEN} FROM token t JOIN account a ON a.player_id = t.player_id WHERE t.hash = ?1");
    let mut statement = connection.prepare_cached(&sql)?;
    let found = statement.query_row([hash], |row| Ok((token_row(row, 7)?, account_row(row)?))).optional()?;
    found.ok_or(StoreError::NotFound)
}

/// A player's tokens, oldest first.
pub(super) fn tokens(connection: &Connection, player_id: &str) -> Result<Vec<TokenRow>, StoreError> {
    let sql = format!("SELECT {TOKEN} FROM token t WHERE player_id = ?1 ORDER BY created, token_id");
    let mut statement = connection.prepare_cached(&sql)?;
    let tokens = statement.query_map([player_id], |row| token_row(row, 0))?;
    Ok(tokens.collect::<Result<_, _>>()?)
}

/// Revokes tokens of a player: one, or all.
pub(super) fn revoke(
    session: &mut Session,
    player_id: &str,
    token_id: Option<&str>,
) -> Result<Vec<TokenRow>, StoreError> {
    let connection = &session.connection;
    let mut revoked = tokens(connection, player_id)?;
    revoked.retain(|token| token_id.is_none_or(|wanted| wanted == token.token_id));
    for token in &revoked {
        connection.prepare_cached("DELETE FROM token WHERE hash = ?1")?.execute([token.hash])?;
    }
    Ok(revoked)
}

/// Keeps an invitation.
pub(super) fn put_invitation(session: &mut Session, hash: &[u8; 32], uses: u32) -> Result<(), StoreError> {
    session
        .connection
        .prepare_cached("INSERT INTO invitation (hash, uses) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET uses = ?2")?
        .execute(params![hash, uses])?;
    Ok(())
}
