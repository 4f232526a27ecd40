//! Codes that sign a client in once, for a short time.
//!
//! A code is a row among its account's tokens, of another form: so it works at every engine of a
//! store, a hash is all that is kept of it, and whatever revokes an account's tokens revokes it
//! too. As a token it is worth nothing.

use std::time::Duration;

use heliopause_proto::v1::ErrorReason;
use subtle::ConstantTimeEq as _;

use super::secret::{self, Naming};
use super::{Accounts, names, no_such, token_of};
use crate::edge::errors::Failure;
use crate::store::{Account, Millis, StoreError, TokenRow};

/// How long a code is valid.
pub(crate) const VALID: Duration = Duration::from_mins(2);
/// How many codes of an account are valid at once; the latest are.
const CODES_MAX: usize = 8;
/// How many tokens that codes gave an account has at once; the oldest makes room.
const SIGNED_IN_MAX: usize = 16;
/// What a code's row is called, and a token that nobody named.
const CODE_NAME: &str = "sign-in code";
const PAGE_NAME: &str = "web page";

/// What the id of a row among the tokens begins with.
const CODE: &str = "c-";
const SIGNED_IN: &str = "s-";

/// Whether a row among the tokens is a code.
pub(super) fn is_code(row: &TokenRow) -> bool {
    row.token_id.starts_with(CODE)
}

/// Whether a code gave a token.
pub fn is_signed_in(row: &TokenRow) -> bool {
    row.token_id.starts_with(SIGNED_IN)
}

impl Accounts {
    /// Makes a code for an account, and answers until when it is valid.
    pub async fn create_code(&self, player_id: &str) -> Result<(String, Millis), Failure> {
        let now = self.time.now();
        let mut codes = self.store.tokens(player_id).await?;
        codes.retain(is_code);
        let too_many = (codes.len() + 1).saturating_sub(CODES_MAX);
        for (index, old) in codes.iter().enumerate() {
            if index < too_many || end(old) <= now {
                self.store.revoke(player_id, Some(&old.token_id)).await?;
            }
        }
        let code = secret::fresh_code();
        let row = TokenRow {
            token_id: secret::fresh_id('c'),
            created: now,
            ..token_of(player_id, CODE_NAME, &code)
        };
        let expires = end(&row);
        let (_, code) = self.put_token(row, code).await?;
        Ok((code, expires))
    }

    /// Gives a token for a code, which is used up by it. The token's id follows from the code, so
    /// of several who use it the store lets one in; and a retry of a request that has a name gets
    /// the same secret.
    pub async fn sign_in(
        &self,
        code: &str,
        name: &str,
        naming: Option<Naming<'_>>,
    ) -> Result<(Account, TokenRow, String), Failure> {
        let name = if name.is_empty() { PAGE_NAME } else { name };
        names::check_label(name)?;
        let hash = secret::code_hash(code).ok_or_else(wrong)?;
        let named = naming.map(|naming| naming.token(&["sign-in", name]));
        if let Some(secret) = &named {
            match self.store.token(secret::hash(secret)).await {
                Ok((token, account)) => return let_in(account, token, secret.clone()),
                Err(StoreError::NotFound) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let (row, account) = match self.store.token(hash).await {
            Err(StoreError::NotFound) => return Err(wrong()),
            found => found?,
        };
        if !bool::from(row.hash.ct_eq(&hash)) || !is_code(&row) || end(&row) <= self.time.now() {
            return Err(wrong());
        }
        let player_id = &account.player_id;
        let secret = named.unwrap_or_else(secret::fresh_token);
        let token = TokenRow {
            token_id: secret::id_of('s', code),
            created: self.time.now(),
            ..token_of(player_id, name, &secret)
        };
        let (account, token, secret) = let_in(account.clone(), token, secret)?;
        self.make_room(player_id).await?;
        let put = self.store.put_token(token.clone()).await;
        match self.found_out(put, &token.hash).await {
            Err(StoreError::Taken) => return Err(wrong()),
            put => put?,
        }
        // It opens nothing any more; so it does no harm if it stays a while.
        if let Err(error) = self.store.revoke(player_id, Some(&row.token_id)).await {
            tracing::debug!(%error, "a code that was used could not be removed");
        }
        Ok((account, token, secret))
    }

    /// Revokes the oldest tokens that codes gave, if there are as many as there may be.
    async fn make_room(&self, player_id: &str) -> Result<(), Failure> {
        let mut signed_in = self.store.tokens(player_id).await?;
        signed_in.retain(is_signed_in);
        let too_many = (signed_in.len() + 1).saturating_sub(SIGNED_IN_MAX);
        for old in &signed_in[..too_many] {
            let revoked = self.store.revoke(player_id, Some(&old.token_id)).await?;
            self.shut_out(&revoked);
        }
        Ok(())
    }
}

/// When a code ends.
fn end(code: &TokenRow) -> Millis {
    code.created + VALID.as_millis() as Millis
}

/// The same words for every code that is not valid: nobody learns why.
fn wrong() -> Failure {
    no_such("sign-in code")
}

fn let_in(
    account: Account,
    token: TokenRow,
    secret: String,
) -> Result<(Account, TokenRow, String), Failure> {
    if account.banned {
        let text = "this account is banned; write to the operator";
        return Err(Failure::new(ErrorReason::Banned, text));
    }
    Ok((account, token, secret))
}

#[cfg(test)]
mod tests;
