use std::sync::Arc;

use heliopause_proto::v1::ErrorReason;

use super::*;
use crate::accounts::Registration;
use crate::store::Store;
use crate::store::sqlite::SqliteStore;

fn reason<T>(answer: Result<T, Failure>) -> ErrorReason {
    answer.err().expect("it is refused").reason()
}

async fn registered() -> (Arc<dyn Store>, Accounts, Account) {
    let store: Arc<dyn Store> = Arc::new(SqliteStore::in_memory());
    let accounts = Accounts::new(Arc::clone(&store), Registration::Open, 1, crate::Time::default());
    let (account, _) = accounts.register("Ann", "", None).await.unwrap();
    (store, accounts, account)
}

#[tokio::test]
async fn code_expires() {
    let (store, accounts, account) = registered().await;
    let aged = async |age: Millis| {
        let code = secret::new_code();
        let row = TokenRow {
            token_id: secret::random_id('c'),
            created: accounts.time().now() - age,
            ..token_of(&account.player_id, CODE_NAME, &code)
        };
        store.put_token(row).await.unwrap();
        code
    };
    let valid = VALID.as_millis() as Millis;
    let (old, young) = (aged(valid).await, aged(valid - 60_000).await);
    assert_eq!(reason(accounts.sign_in(&old, "", None).await), ErrorReason::NotFound);
    accounts.sign_in(&young, "", None).await.expect("it has a minute left");
    accounts.create_code(&account.player_id).await.unwrap();
    let codes = store.tokens(&account.player_id).await.unwrap();
    assert_eq!(codes.iter().filter(|row| is_code(row)).count(), 1, "the old one is forgotten");
}

#[tokio::test]
async fn banned_account_cannot_sign_in() {
    let (_store, accounts, account) = registered().await;
    let (code, _) = accounts.create_code(&account.player_id).await.unwrap();
    accounts.set_banned(&account.player_id, true).await.unwrap();
    assert_eq!(reason(accounts.sign_in(&code, "", None).await), ErrorReason::Banned);
    accounts.set_banned(&account.player_id, false).await.unwrap();
    accounts.sign_in(&code, "", None).await.expect("the code was not used up");
}

/// A used code is rejected even if its row was not removed, because the token's id is taken.
#[tokio::test]
async fn used_code_that_was_not_removed_is_rejected() {
    let (store, accounts, account) = registered().await;
    let (code, _) = accounts.create_code(&account.player_id).await.unwrap();
    let row = store.tokens(&account.player_id).await.unwrap().into_iter().find(is_code).unwrap();
    accounts.sign_in(&code, "", None).await.unwrap();
    store.put_token(row).await.unwrap();
    assert_eq!(reason(accounts.sign_in(&code, "", None).await), ErrorReason::NotFound);
}
