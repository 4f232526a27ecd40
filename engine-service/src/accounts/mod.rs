//! Accounts: authentication, tokens, roles and bans.

mod blocks;
pub(crate) mod codes;
pub(crate) mod counters;
mod follow;
mod guests;
mod invitations;
mod known;
mod names;
mod operator;
pub(crate) mod recovery;
mod secret;
mod sessions;
pub mod token_files;
mod uses;

use std::sync::Arc;
use std::time::{Duration, Instant};

use heliopause_proto::v1::{AccountRole, ErrorReason};
use serde::Deserialize;
use subtle::ConstantTimeEq as _;
use tokio::time::sleep;

pub use self::codes::{SignedIn, is_signed_in};
pub use self::guests::is_guest;
pub use self::secret::RetryKey;
pub use self::sessions::Sessions;

use self::known::CallerCache;
use self::uses::NotedUses;
use crate::Time;
use crate::caller::Caller;
use crate::failure::{Failure, Result};
use crate::store::shared::Shared;
use crate::store::{Account, Millis, Quota, Store, StoreError, TokenRow};

const CACHE_TIME: Duration = Duration::from_secs(30);
const CACHE_TIME_SHARED: Duration = Duration::from_secs(3);
const CONFIRM_TIMEOUT: Duration = Duration::from_secs(5);
const INVITATIONS_SENT_MAX: u32 = 100;
const INVITATIONS_TO_ONE_MAX: u32 = 20;
const INVITATIONS_RECEIVED_MAX: u32 = 100;
const TOKENS_MAX: usize = 32;

/// The policy on who may register an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Registration {
    /// Anyone
    Open,
    /// Players with an invitation
    Invite,
    /// Only admins, on behalf of players
    Closed,
}

/// The accounts of a store, with caches for authentication.
pub struct Accounts {
    store: Arc<dyn Store>,
    registration: Registration,
    games_limit: u32,
    time: Time,
    known: CallerCache,
    sessions: Sessions,
    uses: NotedUses,
}

/// The hash of a well-formed bearer token.
pub struct Bearer([u8; 32]);

impl Bearer {
    pub fn parse(secret: &str) -> Result<Self> {
        secret::token_hash(secret).map(Self).ok_or_else(invalid)
    }
}

/// Returns the same error for every invalid token, to hide the cause.
fn invalid() -> Failure {
    Failure::new(ErrorReason::TokenInvalid, "The token is malformed, unknown or revoked.")
}

fn now() -> Millis {
    jiff::Timestamp::now().as_millisecond()
}

impl Accounts {
    /// `games_limit` is the default limit on a player's unfinished games.
    pub fn new(
        store: Arc<dyn Store>,
        registration: Registration,
        games_limit: u32,
        time: Time,
    ) -> Self {
        let cache_time = if store.shared().is_some() { CACHE_TIME_SHARED } else { CACHE_TIME };
        let (known, sessions) = (CallerCache::new(cache_time), Sessions::default());
        let uses = NotedUses::default();
        Self { store, registration, games_limit, time, known, sessions, uses }
    }

    pub(crate) fn time(&self) -> &Time {
        &self.time
    }

    pub fn sessions(&self) -> &Sessions {
        &self.sessions
    }

    pub fn cached_caller(&self, bearer: &Bearer) -> Option<Caller> {
        self.known.find(&bearer.0, Instant::now()).ok()
    }

    pub async fn authenticate(&self, bearer: &Bearer) -> Result<Caller> {
        let asked = match self.known.find(&bearer.0, Instant::now()) {
            Ok(caller) => return Ok(caller),
            Err(asked) => asked,
        };
        let in_outage = |error: StoreError| {
            let known = self.known.find_in_outage(&bearer.0, Instant::now());
            known.ok_or_else(|| Failure::from(error))
        };
        // Avoid a query that would only time out.
        if let Some(Err(away)) = self.store.shared().map(Shared::require_available) {
            return in_outage(away);
        }
        let (token, account) = match self.store.token(bearer.0).await {
            Err(StoreError::NotFound) => return Err(invalid()),
            Err(error @ StoreError::Unavailable(_)) => return in_outage(error),
            found => found?,
        };
        if !bool::from(token.hash.ct_eq(&bearer.0)) {
            return Err(invalid());
        }
        check_banned(&account)?;
        let caller = Caller {
            role: role(&account),
            player_id: account.player_id.into(),
            name: account.name.into(),
            token_id: token.token_id.into(),
        };
        if self.known.remember(bearer.0, caller.clone(), &asked) {
            // This process may have ended the token's streams while the account was banned. Allow
            // new streams.
            self.sessions.revive([&*caller.token_id].into_iter());
        }
        Ok(caller)
    }

    /// Creates an account if the registration policy allows it, and returns the account with its
    /// first token. Without a name, creates a guest account. A retry with the same request id gets
    /// the same token.
    pub async fn register(
        &self,
        name: &str,
        invitation: &str,
        retry_key: Option<RetryKey<'_>>,
    ) -> Result<(Account, String)> {
        if !name.is_empty() {
            names::check(name)?;
        }
        let named = retry_key.map(|retry_key| retry_key.token(&["register", name, invitation]));
        if let Some(made) = self.created_before(named.as_deref()).await? {
            return Ok(made);
        }
        let opened = self.open_new(name, invitation, named, |token| token, |_| Vec::new()).await;
        opened.map(|(account, _, secret)| (account, secret))
    }

    fn not_invited(&self) -> Failure {
        let why = match self.registration {
            Registration::Closed => {
                "Registration is closed; ask the operator of this server for an account."
            }
            Registration::Open | Registration::Invite => {
                "Registration requires an invitation; yours is missing, wrong or used up."
            }
        };
        Failure::new(ErrorReason::InvitationRequired, why)
    }

    pub async fn find(&self, id_or_name: &str) -> Result<Account> {
        match self.store.account(id_or_name).await {
            Err(StoreError::NotFound) => Err(no_such("player", &format!(" {id_or_name:?}"))),
            found => Ok(found?),
        }
    }

    /// Returns an account that was not erased.
    pub(crate) async fn find_existing(&self, id_or_name: &str) -> Result<Account> {
        let account = self.find(id_or_name).await?;
        check_exists(&account)?;
        Ok(account)
    }

    /// Returns an account, or `None` if it does not exist or was erased.
    pub(crate) async fn find_named(&self, player_id: &str) -> Result<Option<Account>> {
        match self.store.account(player_id).await {
            Err(StoreError::NotFound) => Ok(None),
            found => Ok(Some(found?).filter(|account| !account.name.is_empty())),
        }
    }

    /// Changes an account, and returns it. Repeats `change` if the account has changed since it was
    /// read.
    async fn change(
        &self,
        player_id: &str,
        change: impl Fn(Account) -> Result<Account>,
    ) -> Result<Account> {
        loop {
            let before = self.find(player_id).await?;
            let after = change(before.clone())?;
            match self.store.change_account(before, after.clone()).await {
                Err(StoreError::LostRace { .. }) => {}
                changed => return Ok(changed.map(|()| after)?),
            }
        }
    }

    pub fn games_limit(&self, account: &Account) -> u32 {
        if account.games_limit == 0 { self.games_limit } else { account.games_limit }
    }

    pub async fn quota(&self, player_id: &str) -> Result<Quota> {
        let games = self.games_limit(&self.find(player_id).await?);
        Ok(Quota {
            player_id: player_id.to_owned(),
            games,
            sent: INVITATIONS_SENT_MAX,
            sent_to_one: INVITATIONS_TO_ONE_MAX,
            received: INVITATIONS_RECEIVED_MAX,
        })
    }

    pub fn registration(&self) -> Registration {
        self.registration
    }

    /// Returns the player's tokens, without sign-in codes.
    pub async fn tokens(&self, player_id: &str) -> Result<Vec<TokenRow>> {
        let mut tokens = self.store.tokens(player_id).await?;
        tokens.retain(|token| !codes::is_code(token));
        Ok(tokens)
    }

    pub(super) async fn created_before(
        &self,
        named: Option<&str>,
    ) -> Result<Option<(Account, String)>> {
        let Some(secret) = named else { return Ok(None) };
        match self.store.token(secret::hash(secret)).await {
            Ok((_, account)) => Ok(Some((account, secret.to_owned()))),
            Err(StoreError::NotFound) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Creates a further token, unless the player has `TOKENS_MAX` tokens. A retry with the same
    /// request id gets the same token and secret.
    pub async fn create_token(
        &self,
        player_id: &str,
        name: &str,
        retry_key: Option<RetryKey<'_>>,
    ) -> Result<(TokenRow, String)> {
        names::check_label(name)?;
        let mut tokens = self.tokens(player_id).await?;
        if let Some(retry_key) = retry_key {
            let secret = retry_key.token(&["create-token", name]);
            let made = tokens.iter().find(|token| token.token_id == retry_key.token_id());
            if let Some(made) = made {
                return if made.hash == secret::hash(&secret) {
                    Ok((made.clone(), secret))
                } else {
                    let text = "This request id was used for another request; choose a new one.";
                    Err(Failure::new(ErrorReason::RequestIdReused, text))
                };
            }
        }
        tokens.retain(|token| !is_signed_in(token));
        if tokens.len() >= TOKENS_MAX {
            let message =
                format!("You have {TOKENS_MAX} tokens, which is the limit; revoke one first.");
            let failure = Failure::new(ErrorReason::QuotaExceeded, message);
            return Err(failure.with("quota", "tokens").with("limit", TOKENS_MAX));
        }
        let (token, secret) = match retry_key {
            None => new_token(player_id, name),
            Some(retry_key) => {
                let secret = retry_key.token(&["create-token", name]);
                let token_id = retry_key.token_id();
                (TokenRow { token_id, ..token_of(player_id, name, &secret) }, secret)
            }
        };
        self.put_token(token, secret).await
    }

    async fn add_token(&self, player_id: &str, name: &str) -> Result<(TokenRow, String)> {
        let (token, secret) = new_token(player_id, name);
        self.put_token(token, secret).await
    }

    async fn put_token(&self, token: TokenRow, secret: String) -> Result<(TokenRow, String)> {
        let put = self.store.put_token(token.clone()).await;
        self.confirm_write(put, &token.hash).await?;
        Ok((token, secret))
    }

    /// Checks whether a new token was written although a shared store became unavailable. If the
    /// token was written, its owner must get the secret, or else an account or an invitation would
    /// be lost.
    async fn confirm_write(
        &self,
        written: Result<(), StoreError>,
        hash: &[u8; 32],
    ) -> Result<(), StoreError> {
        let Err(error @ StoreError::Unavailable(_)) = written else { return written };
        if self.store.shared().is_none() {
            return Err(error);
        }
        let begun = Instant::now();
        loop {
            match self.store.token(*hash).await {
                Ok(_) => return Ok(()),
                Err(StoreError::Unavailable(_)) if begun.elapsed() < CONFIRM_TIMEOUT => {
                    sleep(CONFIRM_TIMEOUT / 50).await;
                }
                Err(_) => return Err(error),
            }
        }
    }

    pub async fn revoke(&self, player_id: &str, token_id: &str) -> Result<()> {
        let revoked = self.revoke_tokens(player_id, Some(token_id)).await?;
        if revoked.is_empty() { Err(no_such("token", &format!(" {token_id:?}"))) } else { Ok(()) }
    }

    pub async fn rotate(&self, caller: &Caller) -> Result<(TokenRow, String)> {
        let tokens = self.store.tokens(&caller.player_id).await?;
        let old = tokens
            .into_iter()
            .find(|token| *token.token_id == *caller.token_id)
            .ok_or_else(invalid)?;
        let new = self.add_token(&caller.player_id, &old.name).await?;
        self.revoke(&caller.player_id, &old.token_id).await?;
        Ok(new)
    }

    /// Revokes one token of a player, or all of them. Returns the revoked ones.
    async fn revoke_tokens(
        &self,
        player_id: &str,
        token_id: Option<&str>,
    ) -> Result<Vec<TokenRow>> {
        let revoked = self.store.revoke(player_id, token_id).await?;
        self.end_tokens(&revoked);
        // The tokens are revoked even if this fails.
        if let Err(error) = self.forget_uses(&revoked).await {
            tracing::debug!(%error, "the uses of revoked tokens could not be removed");
        }
        Ok(revoked)
    }

    fn end_tokens(&self, tokens: &[TokenRow]) {
        self.known.invalidate(tokens.iter().map(|token| &token.hash));
        self.sessions.end(tokens.iter().map(|token| token.token_id.as_str()));
    }
}

fn no_such(what: &'static str, which: &str) -> Failure {
    let text = format!("The {what}{which} was not found.");
    Failure::new(ErrorReason::NotFound, text).with("what", what)
}

/// Checks that an account is not erased.
fn check_exists(account: &Account) -> Result<()> {
    if account.name.is_empty() {
        return Err(no_such("player", &format!(" {:?}", account.player_id)));
    }
    Ok(())
}

fn check_banned(account: &Account) -> Result<()> {
    if !account.banned {
        return Ok(());
    }
    Err(Failure::new(ErrorReason::Banned, "This account is banned; contact the operator."))
}

/// Returns an account's role. An unknown role from a newer version counts as `Player`.
pub fn role(account: &Account) -> AccountRole {
    AccountRole::try_from(account.role).unwrap_or(AccountRole::Player)
}

fn new_account(
    name: &str,
    role: AccountRole,
    secret: Option<String>,
) -> (Account, TokenRow, String) {
    let account = Account::new(secret::random_id('p'), name, role as i32, now());
    let secret = secret.unwrap_or_else(secret::new_token);
    let token = token_of(&account.player_id, "first", &secret);
    (account, token, secret)
}

pub(crate) fn forms(text: &str) -> (bool, bool) {
    (secret::token_hash(text).is_some(), secret::code_hash(text).is_some())
}

fn new_token(player_id: &str, name: &str) -> (TokenRow, String) {
    let secret = secret::new_token();
    (token_of(player_id, name, &secret), secret)
}

fn token_of(player_id: &str, name: &str, secret: &str) -> TokenRow {
    let (token_id, hash, created) = (secret::random_id('t'), secret::hash(secret), now());
    TokenRow { token_id, player_id: player_id.to_owned(), name: name.to_owned(), hash, created }
}
