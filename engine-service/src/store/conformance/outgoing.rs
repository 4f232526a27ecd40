//! Conformance of outgoing notices and notice settings.

use std::sync::Arc;

use bytes::Bytes;

use super::{assert_lost, creation, race, row, step};
use crate::store::{Append, NoticeBook, Outgoing, Store};

pub(super) async fn all(make: &impl Fn() -> Arc<dyn Store>) {
    settings_are_replaced_only_at_the_expected_version(&*make()).await;
    of_racing_changes_one_wins(make()).await;
    an_append_stores_notices_for_enabled_players_only(&*make()).await;
    a_claimed_notice_becomes_due_again_unless_removed(&*make()).await;
    removing_the_settings_removes_pending_notices(&*make()).await;
    racing_claims_never_share_a_notice(make()).await;
}

fn book(version: u64, listens: bool) -> NoticeBook {
    NoticeBook { version, listens, body: Bytes::from(format!("book {version}")) }
}

fn notice(id: &str, player_id: &str, due: i64) -> Outgoing {
    Outgoing {
        id: id.to_owned(),
        player_id: player_id.to_owned(),
        channel_id: String::new(),
        due,
        attempts: 0,
        body: Bytes::from_static(b"news"),
    }
}

fn ids(notices: &[Outgoing]) -> Vec<&str> {
    let mut ids: Vec<&str> = notices.iter().map(|notice| notice.id.as_str()).collect();
    ids.sort_unstable();
    ids
}

async fn settings_are_replaced_only_at_the_expected_version(store: &dyn Store) {
    assert_eq!(store.notice_book("p").await.unwrap(), None);
    assert_lost(&store.put_notice_book("p", 3, Some(book(4, true))).await, 0);
    store.put_notice_book("p", 0, Some(book(1, true))).await.unwrap();
    assert_lost(&store.put_notice_book("p", 0, Some(book(1, false))).await, 1);
    store.put_notice_book("p", 1, Some(book(2, false))).await.unwrap();
    assert_lost(&store.put_notice_book("p", 1, None).await, 2);
    assert_eq!(store.notice_book("p").await.unwrap(), Some(book(2, false)));
    assert_eq!(store.notice_book("q").await.unwrap(), None);
    store.put_notice_book("p", 2, None).await.unwrap();
    assert_eq!(store.notice_book("p").await.unwrap(), None);
    store.put_notice_book("p", 0, None).await.unwrap();
}

async fn of_racing_changes_one_wins(store: Arc<dyn Store>) {
    for expected in 0..3 {
        let changes = race(&store, 8, move |store, _| async move {
            store.put_notice_book("p", expected, Some(book(expected + 1, true))).await
        });
        let won = changes.await.iter().filter(|change| change.is_ok()).count();
        assert_eq!(won, 1, "at version {expected}");
    }
}

async fn an_append_stores_notices_for_enabled_players_only(store: &dyn Store) {
    store.put_notice_book("listens", 0, Some(book(1, true))).await.unwrap();
    store.put_notice_book("deaf", 0, Some(book(1, false))).await.unwrap();
    let notices = vec![notice("a", "listens", 5), notice("b", "deaf", 5), notice("c", "none", 5)];
    store.append(Append { notices, ..creation(row("g", 1)) }).await.unwrap();
    assert_eq!(store.outgoing().await.unwrap(), (1, Some(5)));
    let late = Append { notices: vec![notice("d", "listens", 4)], ..step(row("g", 1), 9, "late") };
    assert_lost(&store.append(late).await, 1);
    assert_eq!(store.outgoing().await.unwrap(), (1, Some(5)), "a lost append stores no notices");
    assert_eq!(store.claim_outgoing(4, 50, 9).await.unwrap(), []);
    let claimed = store.claim_outgoing(5, 50, 9).await.unwrap();
    assert_eq!(claimed, [notice("a", "listens", 50)]);
}

async fn a_claimed_notice_becomes_due_again_unless_removed(store: &dyn Store) {
    let put = vec![notice("a", "p", 3), notice("b", "p", 1), notice("c", "p", 2)];
    store.update_outgoing(Vec::new(), put).await.unwrap();
    assert_eq!(ids(&store.claim_outgoing(9, 20, 2).await.unwrap()), ["b", "c"], "earliest first");
    assert_eq!(ids(&store.claim_outgoing(9, 20, 2).await.unwrap()), ["a"]);
    assert_eq!(store.claim_outgoing(19, 30, 9).await.unwrap(), []);
    let again = Outgoing { attempts: 3, ..notice("b", "p", 40) };
    let to_channel = Outgoing { channel_id: "x".to_owned(), ..notice("a", "p", 41) };
    let gone = vec![("a".to_owned(), String::new()), ("none".to_owned(), "x".to_owned())];
    store.update_outgoing(gone, vec![again.clone(), to_channel]).await.unwrap();
    assert_eq!(store.outgoing().await.unwrap(), (3, Some(20)));
    assert_eq!(ids(&store.claim_outgoing(20, 60, 9).await.unwrap()), ["c"]);
    let due = store.claim_outgoing(41, 60, 9).await.unwrap();
    assert_eq!(ids(&due), ["a", "b"]);
    assert!(due.contains(&Outgoing { due: 60, ..again }), "{due:?}");
    store.update_outgoing(vec![("a".to_owned(), String::new())], Vec::new()).await.unwrap();
    assert_eq!(store.outgoing().await.unwrap().0, 3, "the id and the channel identify a notice");
}

async fn removing_the_settings_removes_pending_notices(store: &dyn Store) {
    store.put_notice_book("p", 0, Some(book(1, true))).await.unwrap();
    let put = vec![notice("a", "p", 1), notice("b", "q", 1)];
    store.update_outgoing(Vec::new(), put).await.unwrap();
    store.put_notice_book("p", 1, None).await.unwrap();
    assert_eq!(ids(&store.claim_outgoing(9, 20, 9).await.unwrap()), ["b"]);
}

async fn racing_claims_never_share_a_notice(store: Arc<dyn Store>) {
    let all: Vec<String> = (0..60).map(|number| format!("n{number:02}")).collect();
    let put = all.iter().map(|id| notice(id, "p", 1)).collect();
    store.update_outgoing(Vec::new(), put).await.unwrap();
    let mut got = Vec::new();
    while got.len() < all.len() {
        let before = got.len();
        let claims =
            race(
                &store,
                6,
                |store, _| async move { store.claim_outgoing(9, 99, 7).await.unwrap() },
            );
        got.extend(claims.await.into_iter().flatten().map(|notice| notice.id));
        assert!(got.len() > before, "one of the racers gets notices");
    }
    got.sort_unstable();
    assert_eq!(got, all);
}
