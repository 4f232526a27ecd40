//! Secrets that are shown once, of which only hashes are kept.

use sha2::{Digest as _, Sha256};

use crate::edge::errors::Failure;

/// What a token begins with, so that people, and programs that look for leaked secrets, know what
/// it is.
const TOKEN_PREFIX: &str = "hp_";
/// What an invitation begins with.
const INVITATION_PREFIX: &str = "hi_";
/// What a code that signs in once begins with.
const CODE_PREFIX: &str = "hc_";
/// The length of its random part in hexadecimal digits: 16 bytes.
const CODE_DIGITS: usize = 32;
/// The length of a token's random part in hexadecimal digits: 32 bytes.
const TOKEN_DIGITS: usize = 64;

/// Random bytes from the operating system.
fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system has random bytes");
    bytes
}

fn hexadecimal(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string takes everything");
        text
    })
}

/// A fresh id: a letter that tells what it is of, and 128 random bits. It is longer than any name,
/// so no name is an id.
pub(super) fn fresh_id(letter: char) -> String {
    format!("{letter}-{}", hexadecimal(&random::<16>()))
}

/// A short id for a fault, which a person can read out to the operator.
pub(crate) fn incident() -> String {
    hexadecimal(&random::<6>())
}

/// A fresh token's secret.
pub(super) fn fresh_token() -> String {
    format!("{TOKEN_PREFIX}{}", hexadecimal(&random::<32>()))
}

/// How long the name of a request is that makes a secret. Nobody may guess it.
const NAME_CHARS: std::ops::RangeInclusive<usize> = 16..=64;

/// What makes a secret the same at every retry of a request: its name, and who makes it, as only
/// they know it.
#[derive(Clone, Copy, Debug)]
pub struct Naming<'a> {
    request_id: &'a str,
    known_to_caller: &'a str,
}

impl<'a> Naming<'a> {
    /// The naming of a request, if it has a name. `known_to_caller` is what nobody else knows, if
    /// the caller has such a thing: the secret of their token. It is never stored, so nobody learns
    /// from the store what follows from it.
    pub fn new(request_id: &'a str, known_to_caller: &'a str) -> Result<Option<Self>, Failure> {
        if request_id.is_empty() {
            return Ok(None);
        }
        if !NAME_CHARS.contains(&request_id.chars().count()) {
            let (least, most) = (NAME_CHARS.start(), NAME_CHARS.end());
            let text = format!(
                "The id of a request that makes a secret has {least} to {most} characters by \
                 chance."
            );
            return Err(Failure::field("request_id", text));
        }
        Ok(Some(Self { request_id, known_to_caller }))
    }

    /// The secret of a token that a request with these words makes.
    pub(super) fn token(&self, words: &[&str]) -> String {
        format!("{TOKEN_PREFIX}{}", hexadecimal(&self.derived("secret", words)))
    }

    /// The id of that token, whatever the words.
    pub(super) fn token_id(&self) -> String {
        format!("t-{}", hexadecimal(&self.derived("id", &[])[..16]))
    }

    fn derived(&self, purpose: &str, words: &[&str]) -> [u8; 32] {
        let mut inner = Sha256::new();
        for word in [purpose, self.known_to_caller, self.request_id]
            .into_iter()
            .chain(words.iter().copied())
        {
            inner.update((word.len() as u64).to_be_bytes());
            inner.update(word);
        }
        // Twice, so that nobody goes on from what they know.
        Sha256::digest(inner.finalize()).into()
    }
}

/// A fresh invitation's code.
pub(super) fn fresh_invitation() -> String {
    format!("{INVITATION_PREFIX}{}", hexadecimal(&random::<16>()))
}

/// A fresh code that signs in once.
pub(super) fn fresh_code() -> String {
    format!("{CODE_PREFIX}{}", hexadecimal(&random::<16>()))
}

/// The hash of a token, if it has the form of one.
pub(super) fn token_hash(secret: &str) -> Option<[u8; 32]> {
    hash_of_form(secret, TOKEN_PREFIX, TOKEN_DIGITS)
}

/// The hash of a code, if it has the form of one.
pub(super) fn code_hash(code: &str) -> Option<[u8; 32]> {
    hash_of_form(code, CODE_PREFIX, CODE_DIGITS)
}

fn hash_of_form(secret: &str, prefix: &str, length: usize) -> Option<[u8; 32]> {
    let digits = secret.strip_prefix(prefix)?;
    let well_formed =
        digits.len() == length && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    well_formed.then(|| hash(secret))
}

/// The id of what a secret gives once: always the same.
pub(super) fn id_of(letter: char, secret: &str) -> String {
    let id = Sha256::new().chain_update("heliopause id ").chain_update(secret).finalize();
    format!("{letter}-{}", hexadecimal(&id[..16]))
}

/// What is kept of a secret. A plain hash is enough, because nobody can guess 128 random bits or
/// more.
pub(super) fn hash(secret: &str) -> [u8; 32] {
    Sha256::digest(secret).into()
}

#[cfg(test)]
mod tests {
    use super::{Naming, code_hash, fresh_code, fresh_token, id_of, token_hash};

    #[test]
    fn only_what_looks_like_a_token_is_hashed() {
        let token = fresh_token();
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
    fn a_code_is_no_token_and_a_token_no_code() {
        let (code, token) = (fresh_code(), fresh_token());
        assert!(code_hash(&code).is_some() && token_hash(&code).is_none());
        assert!(code_hash(&token).is_none());
        assert_eq!(id_of('s', &code), id_of('s', &code));
        assert_ne!(id_of('s', &code), id_of('s', &fresh_code()));
    }

    #[test]
    fn a_named_secret_is_the_same_at_every_retry_and_another_for_whatever_differs() {
        let named = |id, known| Naming::new(id, known).unwrap().unwrap();
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
        assert!(Naming::new("", "hp_1").unwrap().is_none());
        for wrong in ["short", &"x".repeat(65)] {
            assert!(Naming::new(wrong, "hp_1").is_err(), "{wrong}");
        }
    }

    #[test]
    fn tokens_differ() {
        assert_ne!(fresh_token(), fresh_token());
    }
}
