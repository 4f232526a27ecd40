//! What admins do to accounts.

use heliopause_proto::v1::AccountRole;

use super::{Accounts, Naming, fresh_account, names, secret, token_of};
use crate::edge::errors::Failure;
use crate::store::{Account, StoreError};

impl Accounts {
    /// Accounts by name.
    pub async fn list(
        &self,
        after: &str,
        search: &str,
        limit: usize,
    ) -> Result<Vec<Account>, Failure> {
        Ok(self.store.accounts(after, search, limit).await?)
    }

    /// Makes an invitation for so many accounts.
    pub async fn invite(&self, uses: u32) -> Result<String, Failure> {
        let code = secret::fresh_invitation();
        self.store.put_invitation(secret::hash(&code), uses.max(1)).await?;
        Ok(code)
    }

    /// Revokes all tokens of a player, and answers how many.
    pub async fn revoke_all(&self, player_id: &str) -> Result<usize, Failure> {
        let revoked = self.store.revoke(player_id, None).await?;
        self.shut_out(&revoked);
        Ok(revoked.len())
    }

    /// Bans a player, or lifts the ban.
    pub async fn set_banned(&self, account: Account, banned: bool) -> Result<(), Failure> {
        let player_id = account.player_id.clone();
        self.store.put_account(Account { banned, ..account }).await?;
        let tokens = self.store.tokens(&player_id).await?;
        self.shut_out(&tokens);
        if !banned {
            self.sessions.revive(tokens.iter().map(|token| token.token_id.as_str()));
        }
        Ok(())
    }

    /// Sets in how many running games a player may hold seats; 0 takes the server's default.
    pub async fn set_games_limit(&self, account: Account, games_limit: u32) -> Result<(), Failure> {
        Ok(self.store.put_account(Account { games_limit, ..account }).await?)
    }

    /// Erases an account's name and tokens. The id stays, because journals name it.
    pub async fn erase(&self, account: Account) -> Result<(), Failure> {
        let player_id = account.player_id.clone();
        let (name, looks) = Default::default();
        self.store
            .put_account(Account { name, looks, role: AccountRole::Player as i32, ..account })
            .await?;
        self.revoke_all(&player_id).await?;
        Ok(())
    }

    /// Gives an account a role, or makes one with it; answers a token for it: the same one at every
    /// retry of a request that has a name.
    pub async fn grant(
        &self,
        name: &str,
        role: AccountRole,
        naming: Option<Naming<'_>>,
    ) -> Result<(Account, String), Failure> {
        let named = naming.map(|naming| naming.token(&["grant", name, role.as_str_name()]));
        if let Some(made) = self.made_before(named.as_deref()).await? {
            return Ok(made);
        }
        match self.store.account(name).await {
            Ok(account) => {
                let account = self.change_role(account, role).await?;
                let secret = named.unwrap_or_else(secret::fresh_token);
                let token = token_of(&account.player_id, "granted", &secret);
                let (_, secret) = self.put_token(token, secret).await?;
                Ok((account, secret))
            }
            Err(StoreError::NotFound) => self.open(name, role, named).await,
            Err(error) => Err(error.into()),
        }
    }

    pub(super) async fn make(
        &self,
        name: &str,
        role: AccountRole,
    ) -> Result<(Account, String), Failure> {
        self.open(name, role, None).await
    }

    async fn open(
        &self,
        name: &str,
        role: AccountRole,
        named: Option<String>,
    ) -> Result<(Account, String), Failure> {
        names::check(name)?;
        let (account, token, secret) = fresh_account(name, role, named);
        let hash = token.hash;
        let opened = self.store.open_account(account.clone(), token).await;
        self.found_out(opened, &hash).await?;
        Ok((account, secret))
    }

    /// Streams that go on under the old role end; their tokens stay valid.
    async fn change_role(&self, account: Account, role: AccountRole) -> Result<Account, Failure> {
        let account = Account { role: role as i32, ..account };
        self.store.put_account(account.clone()).await?;
        let tokens = self.store.tokens(&account.player_id).await?;
        self.shut_out(&tokens);
        if !account.banned {
            self.sessions.revive(tokens.iter().map(|token| token.token_id.as_str()));
        }
        Ok(account)
    }
}
