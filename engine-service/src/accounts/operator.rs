//! Admins' actions on accounts.

use heliopause_proto::v1::AccountRole;

use super::{Accounts, RetryKey, check_exists, names, new_account, secret, token_of};
use crate::failure::Result;
use crate::store::{Account, StoreError};

impl Accounts {
    pub async fn list(&self, after: &str, search: &str, limit: usize) -> Result<Vec<Account>> {
        Ok(self.store.accounts(after, search, limit).await?)
    }

    pub async fn revoke_all(&self, player_id: &str) -> Result<usize> {
        Ok(self.revoke_tokens(player_id, None).await?.len())
    }

    /// Revokes the tokens and codes of a player except one token.
    pub(crate) async fn revoke_others(&self, player_id: &str, token_id: &str) -> Result<()> {
        for token in self.store.tokens(player_id).await? {
            if token.token_id != token_id {
                self.revoke_tokens(player_id, Some(&token.token_id)).await?;
            }
        }
        Ok(())
    }

    pub async fn set_banned(&self, player_id: &str, banned: bool) -> Result<()> {
        let account = self.change(player_id, |account| Ok(Account { banned, ..account })).await?;
        self.end_streams(&account).await
    }

    /// Ends the open streams of an account. Its tokens stay valid unless it is banned.
    async fn end_streams(&self, account: &Account) -> Result<()> {
        let tokens = self.store.tokens(&account.player_id).await?;
        self.end_tokens(&tokens);
        if !account.banned {
            self.sessions.revive(tokens.iter().map(|token| token.token_id.as_str()));
        }
        Ok(())
    }

    /// Sets the limit on a player's unfinished games. 0 restores the default.
    pub async fn set_games_limit(&self, player_id: &str, games_limit: u32) -> Result<()> {
        self.change(player_id, |account| Ok(Account { games_limit, ..account })).await?;
        Ok(())
    }

    /// Erases an account's name, role, blocked players, sign-in methods and recovery codes. The
    /// account's id stays, because journals contain it. Does not revoke the tokens.
    pub async fn erase(&self, player_id: &str) -> Result<()> {
        let erased = |account: Account| -> Result<Account> {
            let (name, looks) = Default::default();
            Ok(Account { name, looks, role: AccountRole::Player as i32, ..account })
        };
        self.change(player_id, erased).await?;
        self.unblock_all(player_id).await?;
        self.forget_ways_back(player_id).await
    }

    /// Sets the role of an account, creating the account if necessary, and returns a new token. A
    /// retry with the same request id gets the same token.
    pub async fn grant(
        &self,
        name: &str,
        role: AccountRole,
        retry_key: Option<RetryKey<'_>>,
    ) -> Result<(Account, String)> {
        let named =
            retry_key.map(|retry_key| retry_key.token(&["grant", name, role.as_str_name()]));
        if let Some(made) = self.created_before(named.as_deref()).await? {
            return Ok(made);
        }
        match self.store.account(name).await {
            Ok(account) => {
                let granted = |account: Account| -> Result<Account> {
                    check_exists(&account)?;
                    Ok(Account { role: role as i32, ..account })
                };
                let account = self.change(&account.player_id, granted).await?;
                self.end_streams(&account).await?;
                let secret = named.unwrap_or_else(secret::new_token);
                let token = token_of(&account.player_id, "granted", &secret);
                let (_, secret) = self.put_token(token, secret).await?;
                Ok((account, secret))
            }
            Err(StoreError::NotFound) => self.open(name, role, named).await,
            Err(error) => Err(error.into()),
        }
    }

    pub(super) async fn open(
        &self,
        name: &str,
        role: AccountRole,
        named: Option<String>,
    ) -> Result<(Account, String)> {
        names::check(name)?;
        let (account, token, secret) = new_account(name, role, named);
        let hash = token.hash;
        let opened = self.store.open_account(account.clone(), token).await;
        self.confirm_write(opened, &hash).await?;
        Ok((account, secret))
    }
}
