//! Conformance of the stores that need no server.

use std::cell::RefCell;
use std::sync::Arc;

use heliopause_engine::store::conformance::conformance;
use heliopause_engine::store::sqlite::SqliteStore;

#[tokio::test(flavor = "multi_thread")]
async fn the_store_in_memory_conforms() {
    conformance(|| Arc::new(SqliteStore::in_memory())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_embedded_store_conforms() {
    let directories = RefCell::new(Vec::new());
    conformance(|| {
        let directory = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(directory.path(), None).unwrap();
        directories.borrow_mut().push(directory);
        Arc::new(store)
    })
    .await;
}
