//! Reads and writes of accounts and tokens. Unique indexes detect taken names.

use deadpool_postgres::{ClientWrapper as Client, GenericClient, Object};
use tokio_postgres::Row;

use super::{records, row, schema, to_i64, to_u32};
use crate::store::{
    Account, RecordChange, Result, StoreError, TokenRow, checksums, claim, folded, unique,
};

const ACCOUNT: &str = "a.player_id, a.name, a.role, a.dedication, a.banned, a.games_limit, \
    a.created, a.sum, \
                       a.dedication_negated, a.looks";

fn account_row(row: &Row) -> Result<Account> {
    let account = Account {
        player_id: row.get(0),
        name: row.get(1),
        looks: row.get::<_, Option<String>>(9).unwrap_or_default(),
        role: row.get(2),
        dedication: row.get(3),
        banned: row.get(4),
        games_limit: to_u32(row.get(5)),
        created: row.get(6),
    };
    checksums::check_account(&account, row.get(7), i64::from(row.get::<_, i32>(8)))?;
    Ok(account)
}

const TOKEN: &str = "t.token_id, t.player_id, t.name, t.hash, t.created, t.sum";

fn token_row(row: &Row, first: usize) -> Result<TokenRow> {
    let hash: Vec<u8> = row.get(first + 3);
    let token = TokenRow {
        token_id: row.get(first),
        player_id: row.get(first + 1),
        name: row.get(first + 2),
        hash: hash.try_into().map_err(|hash: Vec<u8>| {
            let (token_id, bytes) = (row.get::<_, &str>(first), hash.len());
            StoreError::Damaged(format!(
                "token {token_id:?}: its hash has {bytes} bytes instead of 32"
            ))
        })?,
        created: row.get(first + 4),
    };
    checksums::check_token(&token, row.get(first + 5))?;
    Ok(token)
}

/// Returns whether a row can contain a text. PostgreSQL cannot store NUL.
pub(super) fn can_be(text: &str) -> bool {
    !text.contains('\0')
}

pub(super) async fn account(client: &Client, id_or_name: &str) -> Result<Account> {
    if !can_be(id_or_name) {
        return Err(StoreError::NotFound);
    }
    let sql = format!(
        "SELECT {ACCOUNT} FROM account a WHERE player_id = $1 OR folded = $2 ORDER BY player_id = \
         $1 DESC LIMIT 1"
    );
    let found = row(client, &sql, &[&id_or_name, &folded(id_or_name)]).await?;
    found.as_ref().map_or(Err(StoreError::NotFound), account_row)
}

pub(super) async fn accounts(
    client: &Client,
    after: &str,
    search: &str,
    limit: usize,
) -> Result<Vec<Account>> {
    if !can_be(after) || !can_be(search) {
        return Ok(Vec::new());
    }
    let sql = format!(
        "SELECT {ACCOUNT} FROM account a WHERE folded > $1 AND strpos(folded, $2) > 0 ORDER BY \
         folded LIMIT $3"
    );
    let rows =
        client.query(&sql, &[&folded(after), &folded(search), &to_i64(limit as u64)]).await?;
    rows.iter().map(account_row).collect()
}

pub(super) async fn open(
    client: &mut Client,
    account: &Account,
    token: &TokenRow,
    changes: &[RecordChange],
) -> Result<()> {
    let transaction = client.transaction().await?;
    records::write(&transaction, changes).await?;
    insert_account(&transaction, account).await?;
    insert_token(&transaction, token).await?;
    Ok(transaction.commit().await?)
}

async fn insert_account(client: &impl GenericClient, account: &Account) -> Result<()> {
    let sql = "INSERT INTO account (player_id, name, folded, role, dedication, banned, games_limit, created, sum,
                                    dedication_negated, looks)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    client
        .execute(
            sql,
            &[
                &account.player_id,
                &account.name,
                &unique(&account.name),
                &account.role,
                &account.dedication,
                &account.banned,
                &i64::from(account.games_limit),
                &account.created,
                &checksums::account(account),
                &-account.dedication,
                &claim(&account.looks),
            ],
        )
        .await?;
    Ok(())
}

async fn insert_token(client: &impl GenericClient, token: &TokenRow) -> Result<()> {
    let sql = "INSERT INTO token (hash, token_id, player_id, name, created, sum)
               SELECT $1, $2, player_id, $4, $5, $6 FROM account WHERE player_id = $3";
    let (hash, sum) = (token.hash.as_slice(), checksums::token(token));
    let inserted = client
        .execute(
            sql,
            &[&hash, &token.token_id, &token.player_id, &token.name, &token.created, &sum],
        )
        .await?;
    if inserted == 0 { Err(StoreError::NotFound) } else { Ok(()) }
}

pub(super) async fn change(client: &mut Client, before: &Account, after: &Account) -> Result<()> {
    let transaction = client.transaction().await?;
    let sql = format!("SELECT {ACCOUNT} FROM account a WHERE player_id = $1 FOR UPDATE");
    let row =
        transaction.query_opt(&sql, &[&after.player_id]).await?.ok_or(StoreError::NotFound)?;
    let stored = account_row(&row)?;
    before.check_stored(&stored)?;
    let account = Account { created: stored.created, ..after.clone() };
    let sql =
        "UPDATE account SET name = $2, folded = $3, role = $4, banned = $5, games_limit = $6, sum = $7, looks = $8
               WHERE player_id = $1";
    transaction
        .execute(
            sql,
            &[
                &account.player_id,
                &account.name,
                &unique(&account.name),
                &account.role,
                &account.banned,
                &i64::from(account.games_limit),
                &checksums::account(&account),
                &claim(&account.looks),
            ],
        )
        .await?;
    Ok(transaction.commit().await?)
}

pub(super) async fn put_token(client: &Object, token: &TokenRow) -> Result<()> {
    insert_token(client, token).await
}

pub(super) async fn token(client: &Client, hash: &[u8; 32]) -> Result<(TokenRow, Account)> {
    let sql = format!(
        "SELECT {ACCOUNT}, {TOKEN} FROM token t JOIN account a ON a.player_id = t.player_id WHERE \
         t.hash = $1"
    );
    let row = row(client, &sql, &[&hash.as_slice()]).await?.ok_or(StoreError::NotFound)?;
    Ok((token_row(&row, 10)?, account_row(&row)?))
}

pub(super) async fn tokens(client: &Client, player_id: &str) -> Result<Vec<TokenRow>> {
    let sql =
        format!("SELECT {TOKEN} FROM token t WHERE player_id = $1 ORDER BY created, token_id");
    client.query(&sql, &[&player_id]).await?.iter().map(|row| token_row(row, 0)).collect()
}

pub(super) async fn revoke(
    client: &Client,
    player_id: &str,
    token_id: Option<&str>,
) -> Result<Vec<TokenRow>> {
    let sql = format!(
        "WITH t AS (DELETE FROM token WHERE player_id = $1 AND ($2::text IS NULL OR token_id = $2) RETURNING *)
         SELECT {TOKEN} FROM t ORDER BY created, token_id"
    );
    client
        .query(&sql, &[&player_id, &token_id])
        .await?
        .iter()
        .map(|row| token_row(row, 0))
        .collect()
}

pub(super) async fn take_over(
    client: &mut Client,
    accounts: &[(Account, Vec<TokenRow>)],
) -> Result<()> {
    let transaction = client.transaction().await?;
    for (account, tokens) in accounts {
        insert_account(&transaction, account).await?;
        for token in tokens {
            insert_token(&transaction, token).await?;
        }
    }
    schema::end_move(&transaction).await?;
    Ok(transaction.commit().await?)
}
