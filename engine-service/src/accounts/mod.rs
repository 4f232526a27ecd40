//! Accounts: who may come in, as whom, and for how long.
//!
//! | module | holds |
//! | --- | --- |
//! | `secret` | tokens and invitations, of which only hashes are kept |
//! | `names` | what players may be called |
//! | `blocks` | who takes no invitations from whom |
//! | `codes` | codes that sign a client in once |
//! | `known` | callers that were let in lately |
//! | `sessions` | ending streams whose token is revoked |
//! | `follow` | hearing of what other processes did to accounts |
//! | `operator` | what admins do to accounts |
//! | `token_files` | the tokens of the server's own accounts in the data directory |

mod blocks;
mod codes;
mod follow;
mod known;
mod names;
mod operator;
pub(crate) mod secret;
mod sessions;
pub mod token_files;

use std::sync::Arc;
use std::time::{Duration, Instant};

use heliopause_proto::v1::{AccountRole, ErrorReason};
use serde::Deserialize;
use subtle::ConstantTimeEq as _;
use tokio::time::sleep;

pub use self::codes::is_signed_in;
pub use self::secret::Naming;
pub use self::sessions::Sessions;

use self::known::KnownCallers;
use crate::Time;
use crate::edge::Caller;
use crate::edge::errors::Failure;
use crate::store::shared::Shared;
use crate::store::{Account, Millis, Quota, Store, StoreError, TokenRow};

/// How long a caller who was let in is believed without asking the store: where no other process
/// writes to it, and where one may.
const BELIEVED: Duration = Duration::from_secs(30);
const BELIEVED_SHARED: Duration = Duration::from_secs(3);
/// How long it is asked what came of a write that a shared store did not answer.
const FOUND_OUT: Duration = Duration::from_secs(5);
/// How many open invitations a player may have sent, in all and to one other; and how many one may
/// have who gets more.
const INVITATIONS_SENT_MAX: u32 = 100;
const INVITATIONS_TO_ONE_MAX: u32 = 20;
const INVITATIONS_RECEIVED_MAX: u32 = 100;
/// How many tokens a player may have.
const TOKENS_MAX: usize = 32;

/// Who may open an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Registration {
    /// Everybody.
    Open,
    /// Whoever has an invitation.
    Invite,
    /// Nobody; admins make accounts.
    Closed,
}

/// The accounts of the server.
pub struct Accounts {
    store: Arc<dyn Store>,
    registration: Registration,
    games_limit: u32,
    time: Time,
    known: KnownCallers,
    sessions: Sessions,
}

/// A bearer token that has the form of one.
pub struct Bearer([u8; 32]);

impl Bearer {
    /// Reads a token.
    pub fn parse(secret: &str) -> Result<Self, Failure> {
        secret::token_hash(secret).map(Self).ok_or_else(invalid)
    }
}

/// The same words for every token that is not valid: nobody learns why.
fn invalid() -> Failure {
    Failure::new(ErrorReason::TokenInvalid, "the token is malformed, unknown or revoked")
}

/// Now, by the system's clock.
fn now() -> Millis {
    jiff::Timestamp::now().as_millisecond()
}

impl Accounts {
    /// The accounts in a store. `games_limit` is how many games that go on may count for a player
    /// by default.
    pub fn new(
        store: Arc<dyn Store>,
        registration: Registration,
        games_limit: u32,
        time: Time,
    ) -> Self {
        let believed = if store.shared().is_some() { BELIEVED_SHARED } else { BELIEVED };
        let (known, sessions) = (KnownCallers::new(believed), Sessions::default());
        Self { store, registration, games_limit, time, known, sessions }
    }

    /// The time that they go by.
    pub(crate) fn time(&self) -> &Time {
        &self.time
    }

    /// Ends streams whose token is revoked.
    pub fn sessions(&self) -> &Sessions {
        &self.sessions
    }

    /// The caller with this token, if they were let in lately.
    pub fn recall(&self, bearer: &Bearer) -> Option<Caller> {
        self.known.find(&bearer.0, Instant::now()).ok()
    }

    /// The caller with this token.
    pub async fn authenticate(&self, bearer: &Bearer) -> Result<Caller, Failure> {
        let asked = match self.known.find(&bearer.0, Instant::now()) {
            Ok(caller) => return Ok(caller),
            Err(asked) => asked,
        };
        let in_need = |error: StoreError| {
            let known = self.known.find_in_need(&bearer.0, Instant::now());
            known.ok_or_else(|| Failure::from(error))
        };
        // A store that is away would only take its time to say so again.
        if let Some(Err(away)) = self.store.shared().map(Shared::require_available) {
            return in_need(away);
        }
        let (token, account) = match self.store.token(bearer.0).await {
            Err(StoreError::NotFound) => return Err(invalid()),
            Err(error @ StoreError::Unavailable(_)) => return in_need(error),
            found => found?,
        };
        if !bool::from(token.hash.ct_eq(&bearer.0)) {
            return Err(invalid());
        }
        if account.banned {
            return Err(Failure::new(
                ErrorReason::Banned,
                "this account is banned; write to the operator",
            ));
        }
        let caller = Caller {
            role: role(&account),
            player_id: account.player_id.into(),
            name: account.name.into(),
            token_id: token.token_id.into(),
        };
        if self.known.remember(bearer.0, caller.clone(), &asked) {
            // It may have been invalid for a while, by another process's doing.
            self.sessions.revive([&*caller.token_id].into_iter());
        }
        Ok(caller)
    }

    /// Opens an account for whoever asks, as far as registration allows, and answers its first
    /// token: the same one at every retry of a request that has a name.
    pub async fn register(
        &self,
        name: &str,
        invitation: &str,
        naming: Option<Naming<'_>>,
    ) -> Result<(Account, String), Failure> {
        names::check(name)?;
        let named = naming.map(|naming| naming.token(&["register", name, invitation]));
        if let Some(made) = self.made_before(named.as_deref()).await? {
            return Ok(made);
        }
        let (account, token, secret) = fresh_account(name, AccountRole::Player, named);
        let token_hash = token.hash;
        let opened = match self.registration {
            Registration::Open => self.store.open_account(account.clone(), token).await,
            Registration::Invite => {
                self.store.open_invited(account.clone(), token, secret::hash(invitation)).await
            }
            Registration::Closed => Err(StoreError::NotFound),
        };
        match self.found_out(opened, &token_hash).await {
            Ok(()) => Ok((account, secret)),
            Err(StoreError::NotFound) => Err(self.not_invited()),
            Err(error) => Err(error.into()),
        }
    }

    fn not_invited(&self) -> Failure {
        let why = match self.registration {
            Registration::Closed => {
                "this server takes no registrations; ask its operator for an account"
            }
            Registration::Open | Registration::Invite => {
                "an invitation is needed, and this one is missing, wrong or used up"
            }
        };
        Failure::new(ErrorReason::InvitationRequired, why)
    }

    /// An account by id or name.
    pub async fn find(&self, id_or_name: &str) -> Result<Account, Failure> {
        match self.store.account(id_or_name).await {
            Err(StoreError::NotFound) => Err(no_such("player")),
            found => Ok(found?),
        }
    }

    /// How many games that go on may count for a player.
    pub fn games_limit(&self, account: &Account) -> u32 {
        if account.games_limit == 0 { self.games_limit } else { account.games_limit }
    }

    /// What a player may have: games that go on, and open invitations.
    pub async fn quota(&self, player_id: &str) -> Result<Quota, Failure> {
        let games = self.games_limit(&self.find(player_id).await?);
        Ok(Quota {
            player_id: player_id.to_owned(),
            games,
            sent: INVITATIONS_SENT_MAX,
            sent_to_one: INVITATIONS_TO_ONE_MAX,
            received: INVITATIONS_RECEIVED_MAX,
        })
    }

    /// Who may open an account.
    pub fn registration(&self) -> Registration {
        self.registration
    }

    /// A player's tokens, oldest first.
    pub async fn tokens(&self, player_id: &str) -> Result<Vec<TokenRow>, Failure> {
        let mut tokens = self.store.tokens(player_id).await?;
        tokens.retain(|token| !codes::is_code(token));
        Ok(tokens)
    }

    /// The account and the secret of a token that a request with a name made before.
    pub(super) async fn made_before(
        &self,
        named: Option<&str>,
    ) -> Result<Option<(Account, String)>, Failure> {
        let Some(secret) = named else { return Ok(None) };
        match self.store.token(secret::hash(secret)).await {
            Ok((_, account)) => Ok(Some((account, secret.to_owned()))),
            Err(StoreError::NotFound) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Makes a further token, and answers it with its secret: the same one at every retry of a
    /// request that has a name.
    pub async fn create_token(
        &self,
        player_id: &str,
        name: &str,
        naming: Option<Naming<'_>>,
    ) -> Result<(TokenRow, String), Failure> {
        names::check_label(name)?;
        let mut tokens = self.tokens(player_id).await?;
        if let Some(naming) = naming {
            let secret = naming.token(&["create-token", name]);
            let made = tokens.iter().find(|token| token.token_id == naming.token_id());
            if let Some(made) = made {
                return if made.hash == secret::hash(&secret) {
                    Ok((made.clone(), secret))
                } else {
                    let text =
                        "this request id was used for something else before; choose a fresh one";
                    Err(Failure::new(ErrorReason::RequestIdReused, text))
                };
            }
        }
        tokens.retain(|token| !is_signed_in(token));
        if tokens.len() >= TOKENS_MAX {
            let message = format!("you have {TOKENS_MAX} tokens; revoke one first");
            let failure = Failure::new(ErrorReason::QuotaExceeded, message);
            return Err(failure.with("quota", "tokens").with("limit", TOKENS_MAX));
        }
        let (token, secret) = match naming {
            None => fresh_token(player_id, name),
            Some(naming) => {
                let secret = naming.token(&["create-token", name]);
                (
                    TokenRow { token_id: naming.token_id(), ..token_of(player_id, name, &secret) },
                    secret,
                )
            }
        };
        self.put_token(token, secret).await
    }

    async fn add_token(&self, player_id: &str, name: &str) -> Result<(TokenRow, String), Failure> {
        let (token, secret) = fresh_token(player_id, name);
        self.put_token(token, secret).await
    }

    async fn put_token(
        &self,
        token: TokenRow,
        secret: String,
    ) -> Result<(TokenRow, String), Failure> {
        let put = self.store.put_token(token.clone()).await;
        self.found_out(put, &token.hash).await?;
        Ok((token, secret))
    }

    /// What came of writing a new token, if a shared store went away before it said so: whoever
    /// asked must not be left with an account, or a used invitation, whose secret nobody told them.
    async fn found_out(
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
                Err(StoreError::Unavailable(_)) if begun.elapsed() < FOUND_OUT => {
                    sleep(FOUND_OUT / 50).await;
                }
                Err(_) => return Err(error),
            }
        }
    }

    /// Revokes one of a player's tokens: calls with it fail, and streams opened with it end.
    pub async fn revoke(&self, player_id: &str, token_id: &str) -> Result<(), Failure> {
        let revoked = self.store.revoke(player_id, Some(token_id)).await?;
        self.shut_out(&revoked);
        if revoked.is_empty() { Err(no_such("token")) } else { Ok(()) }
    }

    /// Replaces the token of a call by a new one of the same name.
    pub async fn rotate(&self, caller: &Caller) -> Result<(TokenRow, String), Failure> {
        let tokens = self.store.tokens(&caller.player_id).await?;
        let old = tokens
            .into_iter()
            .find(|token| *token.token_id == *caller.token_id)
            .ok_or_else(invalid)?;
        let new = self.add_token(&caller.player_id, &old.name).await?;
        self.revoke(&caller.player_id, &old.token_id).await?;
        Ok(new)
    }

    /// Ends everything under tokens that are valid no longer.
    fn shut_out(&self, tokens: &[TokenRow]) {
        self.known.forget(tokens.iter().map(|token| &token.hash));
        self.sessions.end(tokens.iter().map(|token| token.token_id.as_str()));
    }
}

/// There is no such thing.
fn no_such(what: &'static str) -> Failure {
    Failure::new(ErrorReason::NotFound, format!("there is no such {what}")).with("what", what)
}

/// An account's role. An unknown one, of a newer version, gives no rights beyond playing.
pub fn role(account: &Account) -> AccountRole {
    AccountRole::try_from(account.role).unwrap_or(AccountRole::Player)
}

/// A new account with its first token and the token's secret, a fresh one if none is given.
fn fresh_account(
    name: &str,
    role: AccountRole,
    secret: Option<String>,
) -> (Account, TokenRow, String) {
    let account = Account {
        player_id: secret::fresh_id('p'),
        name: name.to_owned(),
        looks: heliopause_text::looks(name),
        role: role as i32,
        dedication: 0,
        banned: false,
        games_limit: 0,
        created: now(),
    };
    let secret = secret.unwrap_or_else(secret::fresh_token);
    let token = token_of(&account.player_id, "first", &secret);
    (account, token, secret)
}

/// Whether a text has the form of a token, and whether it has that of a sign-in code.
pub(crate) fn forms(text: &str) -> (bool, bool) {
    (secret::token_hash(text).is_some(), secret::code_hash(text).is_some())
}

fn fresh_token(player_id: &str, name: &str) -> (TokenRow, String) {
    let secret = secret::fresh_token();
    (token_of(player_id, name, &secret), secret)
}

fn token_of(player_id: &str, name: &str, secret: &str) -> TokenRow {
    TokenRow {
        token_id: secret::fresh_id('t'),
        player_id: player_id.to_owned(),
        name: name.to_owned(),
        hash: secret::hash(secret),
        created: now(),
    }
}
