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
    ) -> Result<(Account, TokenRow, String)> {
        let name = if name.is_empty() { PAGE_NAME } else { name };
        names::check_label(name)?;
        let hash = secret::code_hash(code).ok_or_else(invalid_code)?;
        let named = retry_key.map(|retry_key| retry_key.token(&["sign-in", name]));
        if let Some(secret) = &named {
            match self.store.token(secret::hash(secret)).await {
                Ok((token, account)) => {
                    check_banned(&account)?;
                    return Ok((account, token, secret.clone()));
                }
                Err(StoreError::NotFound) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let (row, account) = match self.store.token(hash).await {
            Err(StoreError::NotFound) => return Err(invalid_code()),
            found => found?,
        };
        if !bool::from(row.hash.ct_eq(&hash)) || !is_code(&row) || end(&row) <= self.time.now() {
            return Err(invalid_code());
        }
        let player_id = &account.player_id;
        let secret = named.unwrap_or_else(secret::new_token);
        let token = TokenRow {
            token_id: secret::id_of('s', code),
            created: self.time.now(),
            ..token_of(player_id, name, &secret)
        };
        check_banned(&account)?;
        self.revoke_oldest(player_id).await?;
        let put = self.store.put_token(token.clone()).await;
        match self.confirm_write(put, &token.hash).await {
            Err(StoreError::Taken) => return Err(invalid_code()),
            put => put?,
        }
        // A used code is harmless, so failing to remove it is not an error.
        if let Err(error) = self.store.revoke(player_id, Some(&row.token_id)).await {
            tracing::debug!(%error, "a used code could not be removed");
        }
        Ok((account, token, secret))
    }

    async fn revoke_oldest(&self, player_id: &str) -> Result<()> {
        let mut signed_in = self.store.tokens(player_id).await?;
        signed_in.retain(is_signed_in);
        let too_many = (signed_in.len() + 1).saturating_sub(SIGNED_IN_MAX);
        for old in &signed_in[..too_many] {
            let revoked = self.store.revoke(player_id, Some(&old.token_id)).await?;
            self.end_tokens(&revoked);
        }
        Ok(())
    }
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
