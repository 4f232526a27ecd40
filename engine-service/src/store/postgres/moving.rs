//! The mark on a database that is the target of a move. The last step of the move removes the mark.
//! Engines refuse to serve a marked database, because it is incomplete.

use tokio_postgres::{Client, Transaction};

use super::connect::OpenError;
use crate::store::StoreError;

/// Marks an empty database before its schema is created. Otherwise an interrupted move could leave
/// an empty database that an engine would serve.
pub(super) async fn begin(client: &mut Client) -> Result<(), OpenError> {
    const IS_NEW: &str = "SELECT NOT (EXISTS (SELECT FROM account) OR \
        EXISTS (SELECT FROM invitation) OR EXISTS (SELECT FROM game))";
    const HAS_TABLES: &str = "SELECT to_regclass('account') IS NOT NULL";
    refuse(client).await?;
    let transaction = client.transaction().await?;
    let has_tables: bool = transaction.query_one(HAS_TABLES, &[]).await?.get(0);
    if has_tables && !transaction.query_one(IS_NEW, &[]).await?.get::<_, bool>(0) {
        return Err(OpenError::NotEmpty);
    }
    transaction.batch_execute("CREATE TABLE heliopause_moving ()").await?;
    Ok(transaction.commit().await?)
}

pub(super) async fn end(transaction: &Transaction<'_>) -> Result<(), StoreError> {
    Ok(transaction.batch_execute("DROP TABLE heliopause_moving").await?)
}

pub(super) async fn refuse(client: &Client) -> Result<(), OpenError> {
    let sql = "SELECT to_regclass('heliopause_moving') IS NOT NULL";
    if client.query_one(sql, &[]).await?.get(0) { Err(OpenError::MoveUnfinished) } else { Ok(()) }
}
