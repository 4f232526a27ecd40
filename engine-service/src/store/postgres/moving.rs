//! The mark of a database into which everything is being moved from elsewhere. Its last step takes
//! the mark away; a database that still has it holds a part, so no engine serves it.

use tokio_postgres::{Client, Transaction};

use super::connect::OpenError;
use crate::store::StoreError;

/// Marks a database that holds nothing yet; answers whether it held nothing.
pub(super) async fn begin(client: &mut Client) -> Result<bool, StoreError> {
    const IS_NEW: &str = "SELECT NOT (EXISTS (SELECT FROM account) OR \
        EXISTS (SELECT FROM invitation) OR EXISTS (SELECT FROM game))";
    let transaction = client.transaction().await?;
    if !transaction.query_one(IS_NEW, &[]).await?.get::<_, bool>(0) {
        return Ok(false);
    }
    transaction.batch_execute("CREATE TABLE heliopause_moving ()").await?;
    transaction.commit().await?;
    Ok(true)
}

/// Takes the mark away, with whatever is written last.
pub(super) async fn end(transaction: &Transaction<'_>) -> Result<(), StoreError> {
    Ok(transaction.batch_execute("DROP TABLE heliopause_moving").await?)
}

/// Refuses a database that has the mark.
pub(super) async fn refuse(client: &Client) -> Result<(), OpenError> {
    let sql = "SELECT to_regclass('heliopause_moving') IS NOT NULL";
    if client.query_one(sql, &[]).await?.get(0) { Err(OpenError::HalfMoved) } else { Ok(()) }
}
