//! Conformance of records.

use std::sync::Arc;

use super::accounts::{account, open, token};
use super::{assert_lost, assert_not_found, assert_taken, race};
use crate::store::{Record, RecordChange, RecordQuery, Store};

pub(super) async fn all(make: &impl Fn() -> Arc<dyn Store>) {
    each_change_increments_the_version(&*make()).await;
    lists_are_sorted_by_key_and_id(&*make()).await;
    changes_are_made_together_or_not_at_all(&*make()).await;
    accounts_are_opened_together_with_changes(&*make()).await;
    of_racing_changes_one_wins(make()).await;
    opposite_orders_of_changes_do_not_block_each_other(make()).await;
}

fn create(id: &str, key: &str) -> RecordChange {
    RecordChange::create("space", id, key, format!("body of {id}"))
}

async fn read(store: &dyn Store, id: &str) -> Option<Record> {
    store.record("space", id).await.expect("records can be read")
}

async fn each_change_increments_the_version(store: &dyn Store) {
    assert_eq!(read(store, "a").await, None);
    assert_eq!(read(store, "a\0").await, None);
    store.change_records(vec![create("a", "k")]).await.unwrap();
    let first = read(store, "a").await.unwrap();
    assert_eq!((first.version, &*first.key, &*first.body), (1, "k", b"body of a".as_slice()));
    assert_eq!(store.record("elsewhere", "a").await.unwrap(), None);
    assert_lost(&store.change_records(vec![create("a", "k")]).await, 1);

    store.change_records(vec![first.clone().with_body("new")]).await.unwrap();
    let second = read(store, "a").await.unwrap();
    assert_eq!((second.version, &*second.key, &*second.body), (2, "k", b"new".as_slice()));
    assert_lost(&store.change_records(vec![first.clone().with_body("newer")]).await, 2);
    assert_lost(&store.change_records(vec![first.clone().removed()]).await, 2);

    store.change_records(vec![second.clone().removed()]).await.unwrap();
    assert_eq!(read(store, "a").await, None);
    assert_lost(&store.change_records(vec![second.clone().removed()]).await, 0);
    assert_lost(&store.change_records(vec![second.with_body("again")]).await, 0);
    store.change_records(vec![create("a", "k")]).await.unwrap();
    assert_eq!(read(store, "a").await, Some(first));
}

async fn lists_are_sorted_by_key_and_id(store: &dyn Store) {
    for (id, key) in [("d", "1"), ("c", "2"), ("b", "2"), ("a", "3"), ("e", "É"), ("f", "")] {
        store.change_records(vec![create(id, key)]).await.unwrap();
    }
    let other = RecordChange::create("another space", "g", "2", "");
    store.change_records(vec![other]).await.unwrap();
    let list = async |after: (&str, &str), until: Option<&str>, limit| {
        let after = (after.0.to_owned(), after.1.to_owned());
        let until = until.map(str::to_owned);
        let query = RecordQuery { space: "space".to_owned(), after, until, limit };
        let found = store.records(query).await.unwrap();
        found.into_iter().map(|record| record.id).collect::<String>()
    };
    assert_eq!(list(("", ""), None, 10).await, "fdbcae");
    assert_eq!(list(("", ""), None, 2).await, "fd");
    assert_eq!(list(("1", ""), Some("2"), 10).await, "dbc");
    assert_eq!(list(("2", "b"), None, 10).await, "cae");
    assert_eq!(list(("2", "c"), Some("2"), 10).await, "");
    assert_eq!(list(("9", ""), None, 10).await, "e");
    let exact = store.records(RecordQuery::with_key("space", "2", 10)).await.unwrap();
    assert_eq!(exact, [read(store, "b").await.unwrap(), read(store, "c").await.unwrap()]);

    let moved = RecordChange { expected: 1, ..create("d", "4") };
    store.change_records(vec![moved]).await.unwrap();
    assert_eq!(list(("", ""), None, 10).await, "fbcade");
}

async fn changes_are_made_together_or_not_at_all(store: &dyn Store) {
    store.change_records(vec![create("a", ""), create("b", "")]).await.unwrap();
    let changes = |id| vec![create(id, ""), create("a", "")];
    assert_lost(&store.change_records(changes("c")).await, 1);
    assert_lost(&store.change_records(changes("0")).await, 1);
    for id in ["c", "0"] {
        assert_eq!(read(store, id).await, None);
    }
    store.change_records(Vec::new()).await.unwrap();
}

async fn accounts_are_opened_together_with_changes(store: &dyn Store) {
    let open_with = |id: &str, name: &str, record| {
        store.open_account_with(account(id, name), token(id, 1), vec![create(record, "")])
    };
    open_with("p", "Ann", "a").await.unwrap();
    assert_taken(&open_with("q", "Ann", "b").await);
    assert_eq!(read(store, "b").await, None);
    assert_lost(&open_with("q", "Bob", "a").await, 1);
    assert_not_found(&store.account("q").await);
    open(store, "q", "Bob").await;
    assert_eq!(read(store, "a").await.unwrap().version, 1);
}

async fn of_racing_changes_one_wins(store: Arc<dyn Store>) {
    let created = race(&store, 20, move |store, _| async move {
        store.change_records(vec![create("a", "")]).await.is_ok()
    });
    assert_eq!(created.await.into_iter().filter(|won| *won).count(), 1);
    let found = read(&*store, "a").await.unwrap();
    let changed = race(&store, 20, move |store, racer| {
        let change = found.clone().with_body(format!("{racer}"));
        async move { store.change_records(vec![change]).await.is_ok() }
    });
    assert_eq!(changed.await.into_iter().filter(|won| *won).count(), 1);
    assert_eq!(read(&*store, "a").await.unwrap().version, 2);
}

async fn opposite_orders_of_changes_do_not_block_each_other(store: Arc<dyn Store>) {
    let ids = ["a", "b", "c", "d"];
    store.change_records(ids.map(|id| create(id, "")).to_vec()).await.unwrap();
    let changed = race(&store, 20, move |store, racer| async move {
        loop {
            let mut changes = Vec::new();
            for id in ids {
                changes.push(read(&*store, id).await.unwrap().with_body("changed"));
            }
            if racer % 2 == 0 {
                changes.reverse();
            }
            if store.change_records(changes).await.is_ok() {
                break;
            }
        }
    });
    changed.await;
    for id in ids {
        assert_eq!(read(&*store, id).await.unwrap().version, 21);
    }
}
