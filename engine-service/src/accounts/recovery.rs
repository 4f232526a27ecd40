//! Ways back into an account that has lost its tokens: sign-in methods and recovery codes.

use bytes::Bytes;
use heliopause_proto::store::v1::{RecoveryCodes, StoredSignInMethod};
use heliopause_proto::v1::{ErrorReason, SignInMethod};
use prost::Message as _;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

use super::{Accounts, RetryKey, SignedIn, no_such, secret};
use crate::failure::{Failure, Result};
use crate::random;
use crate::store::{Millis, Record, RecordChange, RecordQuery, StoreError};

/// The space of sign-in methods. The key is the player's id.
pub(crate) const METHODS: &str = "sign-in";
const RECOVERY: &str = "recovery";
pub(crate) const METHODS_MAX: usize = 16;
const CODES: usize = 10;
/// The maximum number of wrong codes in a period, for an account or an email address.
pub(crate) const WRONG_CODES_MAX: u32 = 10;
pub(crate) const HOUR: Millis = 60 * 60 * 1_000;

impl Accounts {
    /// Replaces an account's recovery codes.
    pub async fn create_recovery_codes(&self, player_id: &str) -> Result<Vec<String>> {
        let salt = random::salt();
        let codes: Vec<String> = (0..CODES).map(|_| random::recovery_code()).collect();
        let hashes = codes.iter().map(|code| hash(&salt, &plain(code))).collect();
        let codes_stored = RecoveryCodes { salt: Bytes::copy_from_slice(&salt), hashes };
        let body = Bytes::from(codes_stored.encode_to_vec());
        loop {
            let change = match self.store.record(RECOVERY, player_id).await? {
                Some(found) => found.with_body(body.clone()),
                None => RecordChange::create(RECOVERY, player_id, player_id, body.clone()),
            };
            match self.store.change_records(vec![change]).await {
                Err(StoreError::LostRace { .. }) => {}
                changed => return Ok(changed.map(|()| codes)?),
            }
        }
    }

    pub async fn recovery_codes_left(&self, player_id: &str) -> Result<usize> {
        let found = self.store.record(RECOVERY, player_id).await?;
        let codes = found.map(|record| record.message::<RecoveryCodes>()).transpose()?;
        Ok(codes.map_or(0, |codes| codes.hashes.len()))
    }

    /// Exchanges a recovery code for a token. Returns also the number of codes that still work. A
    /// retry with the same request id gets the same secret.
    pub async fn sign_in_with_recovery_code(
        &self,
        player: &str,
        code: &str,
        name: &str,
        retry_key: Option<RetryKey<'_>>,
    ) -> Result<(SignedIn, usize)> {
        let secret = retry_key.map(|retry_key| retry_key.token(&["recovery", player, name]));
        if let Some(made) = self.signed_in_before(secret.as_deref()).await? {
            let left = self.recovery_codes_left(&made.account.player_id).await?;
            return Ok((made, left));
        }
        let account = self.find_named(player).await?.ok_or_else(invalid)?;
        let player_id = account.player_id.clone();
        let tries = format!("recovery {player_id}");
        // Counted before the check, so that parallel calls cannot exceed the limit.
        self.count(&tries, WRONG_CODES_MAX, HOUR).await?;
        let code = plain(code);
        let left = self.use_recovery_code(&player_id, &code).await?.ok_or_else(invalid)?;
        self.reset_count(&tries).await?;
        let once = format!("recovery {player_id} {code}");
        Ok((self.put_signed_in(account, &once, name, secret, invalid).await?, left))
    }

    /// Removes a code. Returns the number of codes that are left, or `None` for a wrong code.
    async fn use_recovery_code(&self, player_id: &str, code: &str) -> Result<Option<usize>> {
        loop {
            let Some(found) = self.store.record(RECOVERY, player_id).await? else {
                return Ok(None);
            };
            let mut codes: RecoveryCodes = found.message()?;
            let given = hash(&codes.salt, code);
            let before = codes.hashes.len();
            codes.hashes.retain(|stored| !bool::from(stored.ct_eq(&given)));
            let left = codes.hashes.len();
            if left == before {
                return Ok(None);
            }
            match self.store.change_records(vec![found.with_body(codes.encode_to_vec())]).await {
                Err(StoreError::LostRace { .. }) => {}
                changed => return Ok(changed.map(|()| Some(left))?),
            }
        }
    }

    /// Returns the records of an account's sign-in methods, oldest first.
    pub(crate) async fn methods(&self, player_id: &str) -> Result<Vec<(Record, SignInMethod)>> {
        let query = RecordQuery::with_key(METHODS, player_id, METHODS_MAX + 1);
        let mut methods = Vec::new();
        for record in self.store.records(query).await? {
            let method = record.message::<StoredSignInMethod>()?.method.unwrap_or_default();
            methods.push((record, method));
        }
        methods.sort_by_key(|(_, method)| {
            method.create_time.as_ref().map_or((0, 0), |time| (time.seconds, time.nanos))
        });
        Ok(methods)
    }

    pub async fn has_way_back(&self, player_id: &str) -> Result<bool> {
        let methods = self.store.records(RecordQuery::with_key(METHODS, player_id, 1)).await?;
        Ok(!methods.is_empty() || self.recovery_codes_left(player_id).await? > 0)
    }

    /// Removes a sign-in method. Fails if only tokens would remain, unless the player confirms it.
    pub async fn remove_method(
        &self,
        player_id: &str,
        method_id: &str,
        confirmed: bool,
    ) -> Result<()> {
        let methods = self.methods(player_id).await?;
        let is_last = methods.len() == 1;
        let found = methods.into_iter().find(|(_, method)| method.method_id == method_id);
        let (record, _) = found.ok_or_else(|| no_such("sign-in method", ""))?;
        if is_last && !confirmed && self.recovery_codes_left(player_id).await? == 0 {
            let text = "This is the last sign-in method, and there are no recovery codes. Create \
                        recovery codes first, or confirm that only your tokens remain.";
            return Err(Failure::new(ErrorReason::NoWayBack, text));
        }
        Ok(self.store.change_records(vec![record.removed()]).await?)
    }

    /// Removes the sign-in methods and recovery codes of an account.
    pub(super) async fn forget_ways_back(&self, player_id: &str) -> Result<()> {
        for space in [METHODS, RECOVERY] {
            self.remove_all(space, player_id).await?;
        }
        Ok(())
    }
}

/// Returns the same error for an unknown name and a wrong code, to hide the cause.
fn invalid() -> Failure {
    no_such("player or recovery code", "")
}

/// Hashes a code. A plain hash with a salt is enough for codes with 80 random bits.
fn hash(salt: &[u8], code: &str) -> Bytes {
    Bytes::copy_from_slice(&Sha256::new().chain_update(salt).chain_update(code).finalize())
}

/// Removes separators from a code that a person has typed, and replaces letters that codes do not
/// contain because they look like digits.
fn plain(code: &str) -> String {
    let letters = code.chars().filter(|letter| !matches!(letter, ' ' | '-'));
    let digit = |letter: char| match letter.to_ascii_lowercase() {
        'o' => '0',
        'i' | 'l' => '1',
        letter => letter,
    };
    letters.map(digit).collect()
}

/// Returns the id of a sign-in method, which does not reveal the id of its record.
pub(crate) fn method_id(record_id: &str) -> String {
    secret::id_of('m', record_id)
}
