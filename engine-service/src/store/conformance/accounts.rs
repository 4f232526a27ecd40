//! Conformance of accounts and tokens.

use std::sync::Arc;

use super::{assert_lost, assert_not_found, assert_taken, race};
use crate::store::{Account, Store, TokenRow};

pub(super) async fn all(make: &impl Fn() -> Arc<dyn Store>) {
    names_are_unique_without_regard_to_case(&*make()).await;
    names_that_look_the_same_are_rejected(&*make()).await;
    of_racing_names_one_wins(make()).await;
    accounts_are_listed_by_name(&*make()).await;
    changes_keep_id_creation_time_and_dedication(&*make()).await;
    of_racing_changes_one_wins(make()).await;
    an_erased_account_frees_its_name(&*make()).await;
    tokens_are_found_by_hash_until_revoked(&*make()).await;
}

pub(super) fn account(player_id: &str, name: &str) -> Account {
    Account::new(player_id.to_owned(), name, 1, 17)
}

pub(super) fn token(player_id: &str, number: u8) -> TokenRow {
    let mut hash = [number; 32];
    hash[..player_id.len()].copy_from_slice(player_id.as_bytes());
    let (token_id, name) = (format!("{player_id}-{number}"), "first".to_owned());
    let (player_id, created) = (player_id.to_owned(), i64::from(number));
    TokenRow { token_id, player_id, name, hash, created }
}

pub(super) async fn open(store: &dyn Store, player_id: &str, name: &str) {
    store
        .open_account(account(player_id, name), token(player_id, 1))
        .await
        .expect("a new account can be opened");
}

async fn names_are_unique_without_regard_to_case(store: &dyn Store) {
    assert_not_found(&store.account("Ann").await);
    open(store, "p", "Ann").await;
    assert_taken(&store.open_account(account("q", "aNN"), token("q", 1)).await);
    assert_taken(&store.open_account(account("p", "Bob"), token("q", 1)).await);
    assert_taken(&store.open_account(account("q", "Bob"), token("p", 1)).await);
    assert_not_found(&store.account("q").await);
    assert_not_found(&store.token(token("q", 1).hash).await);
    for known in ["p", "Ann", "ANN"] {
        assert_eq!(store.account(known).await.unwrap(), account("p", "Ann"));
    }
    assert_not_found(&store.account("P").await);
    assert_not_found(&store.account("").await);
    assert_eq!(store.counts().await.unwrap().players, 1);
}

async fn names_that_look_the_same_are_rejected(store: &dyn Store) {
    open(store, "p", "Bobl").await;
    assert_taken(&store.open_account(account("q", "Bob1"), token("q", 1)).await);
    open(store, "q", "\u{441}\u{43e}\u{441}\u{43e}").await;
    assert_taken(&store.open_account(account("r", "Coco"), token("r", 1)).await);
    assert_not_found(&store.account("coco").await);
    assert_eq!(store.account("СОСО").await.unwrap().player_id, "q");

    open(store, "r", "Cid").await;
    assert_taken(&store.change_account(account("r", "Cid"), account("r", "BobI")).await);
    let banned = Account { banned: true, ..account("p", "Bobl") };
    store.change_account(account("p", "Bobl"), banned.clone()).await.unwrap();
    assert_taken(&store.open_account(account("s", "Bob1"), token("s", 1)).await);
    store.change_account(banned, account("p", "Ann")).await.unwrap();
    open(store, "s", "Bob1").await;
    let q = store.account("q").await.unwrap();
    store.change_account(q, account("q", "")).await.unwrap();
    store.change_account(account("r", "Cid"), account("r", "coco")).await.unwrap();
    assert_eq!(store.account("r").await.unwrap(), account("r", "coco"));

    let unclaimed = |id: &str, name: &str| Account { looks: String::new(), ..account(id, name) };
    for (id, name) in [("t", "tit"), ("u", "tlt")] {
        store
            .open_account(unclaimed(id, name), token(id, 1))
            .await
            .expect("empty looks claim nothing");
        assert_eq!(store.account(name).await.unwrap(), unclaimed(id, name));
    }
    open(store, "v", "e\u{301}").await;
    assert_eq!(store.account("\u{c9}").await.unwrap().player_id, "v");
}

async fn of_racing_names_one_wins(store: Arc<dyn Store>) {
    let opened = race(&store, 20, move |store, racer| async move {
        let id = format!("p{racer:02}");
        store.open_account(account(&id, "Ann"), token(&id, 1)).await.is_ok()
    });
    assert_eq!(opened.await.into_iter().filter(|won| *won).count(), 1);
}

async fn accounts_are_listed_by_name(store: &dyn Store) {
    for (id, name) in [("1", "delta"), ("2", "Alpha"), ("3", "charlie"), ("4", "Bravo")] {
        open(store, id, name).await;
    }
    let list = async |after: &str, search: &str, limit| {
        let accounts = store.accounts(after, search, limit).await.unwrap();
        accounts.into_iter().map(|account| account.name).collect::<Vec<_>>()
    };
    assert_eq!(list("", "", 10).await, ["Alpha", "Bravo", "charlie", "delta"]);
    assert_eq!(list("", "", 2).await, ["Alpha", "Bravo"]);
    assert_eq!(list("bravo", "", 2).await, ["charlie", "delta"]);
    assert_eq!(list("", "LT", 10).await, ["delta"]);
    assert_eq!(list("", "%", 10).await, [""; 0]);
}

async fn changes_keep_id_creation_time_and_dedication(store: &dyn Store) {
    open(store, "p", "Ann").await;
    open(store, "q", "Bob").await;
    let ann = || account("p", "Ann");
    assert_taken(&store.change_account(ann(), account("p", "BOB")).await);
    assert_not_found(&store.change_account(account("r", "Cid"), account("r", "Cid")).await);
    assert_eq!(store.account("p").await.unwrap(), ann());

    let changed = Account { role: 3, banned: true, games_limit: 9, ..account("p", "ann") };
    let before = Account { dedication: 7, ..ann() };
    let after = Account { created: 0, dedication: 50, ..changed.clone() };
    store.change_account(before, after).await.unwrap();
    let stale = [
        ann(),
        Account { role: 1, ..changed.clone() },
        Account { banned: false, ..changed.clone() },
        Account { games_limit: 0, ..changed.clone() },
    ];
    for before in stale {
        assert_lost(&store.change_account(before, ann()).await, 0);
    }
    assert_eq!(store.account("p").await.unwrap(), changed);
    assert_eq!(store.token(token("p", 1).hash).await.unwrap().1, changed);
}

async fn of_racing_changes_one_wins(store: Arc<dyn Store>) {
    open(&*store, "p", "Ann").await;
    let changed = race(&store, 20, move |store, racer| async move {
        let after = Account { games_limit: racer as u32 + 1, ..account("p", "Ann") };
        store.change_account(account("p", "Ann"), after).await.is_ok()
    });
    assert_eq!(changed.await.into_iter().filter(|won| *won).count(), 1);
}

async fn an_erased_account_frees_its_name(store: &dyn Store) {
    open(store, "p", "Ann").await;
    open(store, "q", "Bob").await;
    for (erased, name) in [("p", "Ann"), ("q", "Bob")] {
        store.change_account(account(erased, name), account(erased, "")).await.unwrap();
        assert_eq!(store.account(erased).await.unwrap().name, "");
    }
    assert_not_found(&store.account("Ann").await);
    assert_not_found(&store.account("").await);
    assert_eq!(store.counts().await.unwrap().players, 0);
    assert_eq!(store.accounts("", "", 10).await.unwrap(), []);
    open(store, "r", "ann").await;
    assert_eq!(store.account("Ann").await.unwrap().player_id, "r");
}

async fn tokens_are_found_by_hash_until_revoked(store: &dyn Store) {
    open(store, "p", "Ann").await;
    open(store, "q", "Bob").await;
    for number in [3, 2] {
        store.put_token(token("p", number)).await.unwrap();
    }
    assert_taken(&store.put_token(token("p", 2)).await);
    assert_taken(&store.put_token(TokenRow { hash: [9; 32], ..token("p", 2) }).await);
    assert_taken(&store.put_token(TokenRow { token_id: "new".to_owned(), ..token("p", 2) }).await);
    assert_not_found(&store.put_token(token("nobody", 1)).await);
    assert_not_found(&store.token([0; 32]).await);
    assert_eq!(
        store.token(token("p", 3).hash).await.unwrap(),
        (token("p", 3), account("p", "Ann"))
    );
    assert_eq!(store.tokens("p").await.unwrap(), [token("p", 1), token("p", 2), token("p", 3)]);

    assert_eq!(store.revoke("q", Some("p-2")).await.unwrap(), [], "another player's token stays");
    assert_eq!(store.revoke("p", Some("p-2")).await.unwrap(), [token("p", 2)]);
    assert_not_found(&store.token(token("p", 2).hash).await);
    assert_eq!(store.revoke("p", Some("p-2")).await.unwrap(), []);
    assert_eq!(store.revoke("p", None).await.unwrap(), [token("p", 1), token("p", 3)]);
    assert_eq!(store.tokens("p").await.unwrap(), []);
    assert_eq!(store.tokens("q").await.unwrap(), [token("q", 1)]);
}
