//! New accounts, with a name or as guests, and the renaming of accounts.

use heliopause_proto::text::looks;
use heliopause_proto::v1::{AccountRole, ErrorReason};

use super::{Accounts, Registration, check_exists, names, new_account};
use crate::failure::Result;
use crate::random;
use crate::store::{Account, RecordChange, StoreError, TokenRow};

/// The number of attempts to find a free name for a guest.
const NAMES_TRIED: u32 = 12;

impl Accounts {
    /// Opens an account together with changes of records that depend on its id, if the registration
    /// policy allows it. Without a name, opens a guest account. `adjust` completes its first token.
    pub(crate) async fn open_new(
        &self,
        name: &str,
        invitation: &str,
        secret: Option<String>,
        adjust: impl Fn(TokenRow) -> TokenRow,
        changes: impl Fn(&str) -> Vec<RecordChange>,
    ) -> Result<(Account, TokenRow, String)> {
        let mut tried = 0;
        loop {
            let guest = guest_name(tried);
            let name = if name.is_empty() { guest.as_str() } else { name };
            let (account, token, secret) = new_account(name, AccountRole::Player, secret.clone());
            let (token, changes) = (adjust(token), changes(&account.player_id));
            match self.open_if_allowed(&account, &token, invitation, changes).await {
                Err(failure)
                    if failure.reason() == ErrorReason::NameTaken
                        && name == guest
                        && tried < NAMES_TRIED =>
                {
                    tried += 1;
                }
                opened => return opened.map(|()| (account, token, secret)),
            }
        }
    }

    async fn open_if_allowed(
        &self,
        account: &Account,
        token: &TokenRow,
        invitation: &str,
        changes: Vec<RecordChange>,
    ) -> Result<()> {
        let opened = match self.registration {
            Registration::Open => {
                self.store.open_account_with(account.clone(), token.clone(), changes).await
            }
            Registration::Invite => self.open_invited(account, token, invitation, changes).await,
            Registration::Closed => Err(StoreError::NotFound),
        };
        match self.confirm_write(opened, &token.hash).await {
            Err(StoreError::NotFound) => Err(self.not_invited()),
            opened => Ok(opened?),
        }
    }

    /// Gives an account another name, unless it is erased. Its tokens and streams stay valid.
    pub async fn rename(&self, player_id: &str, name: &str) -> Result<Account> {
        names::check(name)?;
        let renamed = |account: Account| -> Result<Account> {
            check_exists(&account)?;
            Ok(Account { name: name.to_owned(), looks: looks(name), ..account })
        };
        let account = self.change(player_id, renamed).await?;
        let tokens = self.store.tokens(&account.player_id).await?;
        self.known.invalidate(tokens.iter().map(|token| &token.hash));
        Ok(account)
    }
}

/// Returns whether the server chose the account's name.
pub fn is_guest(account: &Account) -> bool {
    names::is_of_guest(&account.name)
}

/// Returns a name with 4 digits, and with more digits after several attempts.
fn guest_name(tried: u32) -> String {
    let digits = 10_u32.pow(3 + tried.min(NAMES_TRIED) / 3);
    let number = u32::from_le_bytes(random::bytes()) % (digits * 9) + digits;
    format!("Guest {number}")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::Time;
    use crate::store::sqlite::SqliteStore;

    #[tokio::test]
    async fn a_rename_undoes_neither_a_ban_nor_a_deletion() {
        let store = Arc::new(SqliteStore::in_memory());
        let accounts = Accounts::new(store, Registration::Open, 1, Time::default());
        for number in 0..20 {
            let (before, after) = (format!("Ann {number}"), format!("Bob {number}"));
            let (account, _) = accounts.register(&before, "", None).await.unwrap();
            let player_id = account.player_id.as_str();
            let (renamed, banned, limited) = tokio::join!(
                accounts.rename(player_id, &after),
                accounts.set_banned(player_id, true),
                accounts.set_games_limit(player_id, 7),
            );
            renamed.unwrap();
            banned.unwrap();
            limited.unwrap();
            let stored = accounts.find(player_id).await.unwrap();
            assert_eq!((stored.name, stored.banned, stored.games_limit), (after, true, 7));

            let (_, erased) =
                tokio::join!(accounts.rename(player_id, &before), accounts.erase(player_id));
            erased.unwrap();
            assert_eq!(accounts.find(player_id).await.unwrap().name, "");
            let again = accounts.rename(player_id, &before).await.unwrap_err();
            assert_eq!(again.reason(), ErrorReason::NotFound);
        }
    }

    #[test]
    fn guests_names_get_longer() {
        for tried in 0..=NAMES_TRIED {
            let name = guest_name(tried);
            let digits = name.strip_prefix("Guest ").unwrap().len();
            assert_eq!(digits as u32, 4 + tried / 3, "{name}");
            assert!(names::is_of_guest(&name));
        }
    }
}
