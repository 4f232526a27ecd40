//! Secrets that are shown once and stored as hashes.

use sha2::{Digest as _, Sha256};

use crate::failure::Failure;
use crate::random::{bytes, hexadecimal};

/// Makes tokens recognizable to people and to scanners for leaked secrets.
const TOKEN_PREFIX: &str = "hp_";
const INVITATION_PREFIX: &str = "hi_";
const CODE_PREFIX: &str = "hc_";
const CODE_DIGITS: usize = 32;
const TOKEN_DIGITS: usize = 64;

/// Returns a random id. It is longer than any player name, so it cannot be mistaken for one.
pub(super) fn random_id(letter: char) -> String {
    format!("{letter}-{}", hexadecimal(&bytes::<16>()))
}

pub(super) fn new_token() -> String {
    format!("{TOKEN_PREFIX}{}", hexadecimal(&bytes::<32>()))
}

/// The length of a request id. An attacker who guesses an id can compute the secrets derived from
/// it, so a short id is not safe.
const REQUEST_ID_CHARS: std::ops::RangeInclusive<usize> = 16..=64;

/// The key from which every retry of a request derives the same new secret.
#[derive(Clone, Copy, Debug)]
pub struct RetryKey<'a> {
    request_id: &'a str,
    caller_secret: &'a str,
}

impl<'a> RetryKey<'a> {
    /// Returns `None` for an empty `request_id`. `caller_secret` is the caller's token or sign-in
    /// code, or empty. It is never stored, so derived secrets cannot be computed from the store.
    pub fn new(request_id: &'a str, caller_secret: &'a str) -> Result<Option<Self>, Failure> {
        if request_id.is_empty() {
            return Ok(None);
        }
        let found = request_id.chars().count();
        if !REQUEST_ID_CHARS.contains(&found) {
            let (least, most) = (REQUEST_ID_CHARS.start(), REQUEST_ID_CHARS.end());
            let text = format!(
                "The id of a request that creates a secret must have {least} to {most} random \
                 characters, not {found}."
            );
            return Err(Failure::field("request_id", text));
        }
        Ok(Some(Self { request_id, caller_secret }))
    }

    pub(crate) fn token(&self, words: &[&str]) -> String {
        format!("{TOKEN_PREFIX}{}", hexadecimal(&self.derived("secret", words)))
    }

    pub(super) fn token_id(&self) -> String {
        format!("t-{}", hexadecimal(&self.derived("id", &[])[..16]))
    }

    fn derived(&self, purpose: &str, words: &[&str]) -> [u8; 32] {
        let mut inner = Sha256::new();
        for word in
            [purpose, self.caller_secret, self.request_id].into_iter().chain(words.iter().copied())
        {
            inner.update((word.len() as u64).to_be_bytes());
            inner.update(word);
        }
        // Hashed twice, to prevent length extension.
        Sha256::digest(inner.finalize()).into()
    }
}

pub(super) fn new_invitation() -> String {
    format!("{INVITATION_PREFIX}{}", hexadecimal(&bytes::<16>()))
}

pub(super) fn new_code() -> String {
    format!("{CODE_PREFIX}{}", hexadecimal(&bytes::<16>()))
}

pub(super) fn token_hash(secret: &str) -> Option<[u8; 32]> {
    hash_of_form(secret, TOKEN_PREFIX, TOKEN_DIGITS)
}

pub(super) fn code_hash(code: &str) -> Option<[u8; 32]> {
    hash_of_form(code, CODE_PREFIX, CODE_DIGITS)
}

fn hash_of_form(secret: &str, prefix: &str, length: usize) -> Option<[u8; 32]> {
    let digits = secret.strip_prefix(prefix)?;
    let well_formed =
        digits.len() == length && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    well_formed.then(|| hash(secret))
}

pub(super) fn id_of(letter: char, secret: &str) -> String {
    let id = Sha256::new().chain_update("heliopause id ").chain_update(secret).finalize();
    format!("{letter}-{}", hexadecimal(&id[..16]))
}

/// Hashes a secret. A plain hash is enough for secrets with 128 random bits or more.
pub(super) fn hash(secret: &str) -> [u8; 32] {
    Sha256::digest(secret).into()
}

#[cfg(test)]
mod tests {
    use super::{RetryKey, code_hash, id_of, new_code, new_token, token_hash};

    #[test]
    fn only_well_formed_tokens_are_hashed() {
        let token = new_token();
        assert!(token_hash(&token).is_some());
        for wrong in [
            "",
            "hp_",
            &token[1..],
            &token[..66],
            &format!("{token}0"),
            &token.replace("hp_", "hp-"),
        ] {
            assert_eq!(token_hash(wrong), None, "{wrong}");
        }
        assert_eq!(token_hash(&format!("hp_{}", "g".repeat(64))), None);
    }

    #[test]
    fn codes_and_tokens_are_not_interchangeable() {
        let (code, token) = (new_code(), new_token());
        assert!(code_hash(&code).is_some() && token_hash(&code).is_none());
        assert!(code_hash(&token).is_none());
        assert_eq!(id_of('s', &code), id_of('s', &code));
        assert_ne!(id_of('s', &code), id_of('s', &new_code()));
    }

    #[test]
    fn derived_secret_is_stable_and_depends_on_every_input() {
        let named = |id, known| RetryKey::new(id, known).unwrap().unwrap();
        let (id, other) = ("0123456789abcdef", "0123456789abcdeg");
        let secret = named(id, "hp_1").token(&["bot"]);
        assert!(token_hash(&secret).is_some());
        assert_eq!(secret, named(id, "hp_1").token(&["bot"]));
        let differ = [named(other, "hp_1").token(&["bot"]), named(id, "hp_2").token(&["bot"])];
        for another in differ
            .into_iter()
            .chain([named(id, "hp_1").token(&["bo", "t"]), named(id, "hp_1").token(&[])])
        {
            assert_ne!(secret, another);
        }
        assert_eq!(named(id, "hp_1").token_id(), named(id, "hp_1").token_id());
        assert!(RetryKey::new("", "hp_1").unwrap().is_none());
        for wrong in ["short", &"x".repeat(65)] {
            assert!(RetryKey::new(wrong, "hp_1").is_err(), "{wrong}");
        }
    }

    #[test]
    fn tokens_differ() {
        assert_ne!(new_token(), new_token());
    }
}
