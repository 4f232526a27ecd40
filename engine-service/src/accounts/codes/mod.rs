//! Sign-in codes: valid for a short time, usable once.
//!
//! A code is stored as a row among its account's tokens, with a different prefix. Every engine that
//! uses the store therefore accepts the code. Revoking the account's tokens also revokes the code.
//! The store contains only the hash of the code. A code is not valid as a token.
//!
//! The id of the token that a code creates is derived from the code, so the store's unique key
//! rejects a second use.

use std::time::Duration;

use subtle::ConstantTimeEq as _;

use super::secret::{self, RetryKey};
use super::{Accounts, check_banned, names, no_such, token_of};
use crate::failure::{Failure, Result};
use crate::store::{Account, Millis, StoreError, TokenRow};

pub(crate) const VALID: Duration = Duration::from_mins(2);
const CODES_MAX: usize = 8;
const SIGNED_IN_MAX: usize = 16;
const CODE_NAME: &str = "sign-in code";
const PAGE_NAME: &str = "web page";

const CODE_ID_PREFIX: &str = "c-";
const SIGNED_IN_ID_PREFIX: &str = "s-";

pub(super) fn is_code(row: &TokenRow) -> bool {
    row.token_id.starts_with(CODE_ID_PREFIX)
}

/// Returns whether a token was created from a code.
pub fn is_signed_in(row: &TokenRow) -> bool {
    row.token_id.starts_with(SIGNED_IN_ID_PREFIX)
}

/// A signed-in account, with its new token and the token's secret.
#[derive(Debug)]
pub struct SignedIn {
    pub account: Account,
    pub token: TokenRow,
    pub secret: String,
}

impl Accounts {
    pub async fn create_code(&self, player_id: &str) -> Result<(String, Millis)> {
        let now = self.time.now();
        let mut codes = self.store.tokens(player_id).await?;
        codes.retain(is_code);
        let too_many = (codes.len() + 1).saturating_sub(CODES_MAX);
        for (index, old) in codes.iter().enumerate() {
            if index < too_many || end(old) <= now {
                self.store.revoke(player_id, Some(&old.token_id)).await?;
            }
        }
        let code = secret::new_code();
        let row = TokenRow {
            token_id: secret::random_id('c'),
            created: now,
            ..token_of(player_id, CODE_NAME, &code)
        };
        let expires = end(&row);
        let (_, code) = self.put_token(row, code).await?;
        Ok((code, expires))
    }

    /// Exchanges a code for a token. A retry with the same request id gets the same secret.
    pub async fn sign_in(
        &self,
        code: &str,
        name: &str,
        retry_key: Option<RetryKey<'_>>,
    ) -> Result<SignedIn> {
        let hash = secret::code_hash(code).ok_or_else(invalid_code)?;
        let named = retry_key.map(|retry_key| retry_key.token(&["sign-in", name]));
        if let Some(made) = self.signed_in_before(named.as_deref()).await? {
            return Ok(made);
        }
        let (row, account) = match self.store.token(hash).await {
            Err(StoreError::NotFound) => return Err(invalid_code()),
            found => found?,
        };
        if !bool::from(row.hash.ct_eq(&hash)) || !is_code(&row) || end(&row) <= self.time.now() {
            return Err(invalid_code());
        }
        let signed_in = self.put_signed_in(account, code, name, named, invalid_code).await?;
        // A used code is harmless, so failing to remove it is not an error.
        let player_id = &signed_in.account.player_id;
        if let Err(error) = self.store.revoke(player_id, Some(&row.token_id)).await {
            tracing::debug!(%error, "a used code could not be removed");
        }
        Ok(signed_in)
    }

    /// Returns the earlier result of a retried sign-in. `secret` derives from its request id.
    pub(crate) async fn signed_in_before(&self, secret: Option<&str>) -> Result<Option<SignedIn>> {
        let Some(secret) = secret else { return Ok(None) };
        match self.store.token(secret::hash(secret)).await {
            Ok((token, account)) => {
                check_banned(&account)?;
                Ok(Some(SignedIn { account, token, secret: secret.to_owned() }))
            }
            Err(StoreError::NotFound) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Creates the token of a sign-in, which can happen once for the secret `once`. A second time
    /// fails with `used`. The oldest such token is revoked if there are too many.
    pub(crate) async fn put_signed_in(
        &self,
        account: Account,
        once: &str,
        name: &str,
        secret: Option<String>,
        used: fn() -> Failure,
    ) -> Result<SignedIn> {
        check_banned(&account)?;
        let secret = secret.unwrap_or_else(secret::new_token);
        let token = signed_in_token(token_of(&account.player_id, "", &secret), once, name);
        let token = TokenRow { created: self.time.now(), ..token };
        names::check_label(&token.name)?;
        self.revoke_oldest(&account.player_id).await?;
        let put = self.store.put_token(token.clone()).await;
        match self.confirm_write(put, &token.hash).await {
            Err(StoreError::Taken) => Err(used()),
            put => Ok(put.map(|()| SignedIn { account, token, secret })?),
        }
    }

    async fn revoke_oldest(&self, player_id: &str) -> Result<()> {
        let mut signed_in = self.store.tokens(player_id).await?;
        signed_in.retain(is_signed_in);
        let too_many = (signed_in.len() + 1).saturating_sub(SIGNED_IN_MAX);
        for old in &signed_in[..too_many] {
            self.revoke_tokens(player_id, Some(&old.token_id)).await?;
        }
        Ok(())
    }
}

/// Turns a token into that of a sign-in. Its id derives from the secret `once`, so the store's
/// unique key rejects a second use. Without a name, it is named after the page.
pub(crate) fn signed_in_token(token: TokenRow, once: &str, name: &str) -> TokenRow {
    let name = if name.is_empty() { PAGE_NAME } else { name };
    TokenRow { token_id: secret::id_of('s', once), name: name.to_owned(), ..token }
}

fn end(code: &TokenRow) -> Millis {
    code.created + VALID.as_millis() as Millis
}

/// Returns the same error for every invalid code, to hide the cause.
fn invalid_code() -> Failure {
    no_such("sign-in code", "")
}

#[cfg(test)]
mod tests;
