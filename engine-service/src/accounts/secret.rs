//! Secrets that are shown once, of which only hashes are kept.

use sha2::{Digest as _, Sha256};

/// What a token begins with, so that people, and programs that look for leaked secrets, know what it is.
const TOKEN_PREFIX: &str = "hp_";
/// What an invitation begins with.
const INVITATION_PREFIX: &str = "hi_";
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

/// A fresh id: a letter that tells what it is of, and 128 random bits. It is longer than any name, so no name is an id.
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

/// A fresh invitation's code.
pub(super) fn fresh_invitation() -> String {
    format!("{INVITATION_PREFIX}{}", hexadecimal(&random::<16>()))
}

/// The hash of a token, if it has the form of one.
pub(super) fn token_hash(secret: &str) -> Option<[u8; 32]> {
    let digits = secret.strip_prefix(TOKEN_PREFIX)?;
    let well_formed = digits.len() == TOKEN_DIGITS && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    well_formed.then(|| hash(secret))
}

/// What is kept of a secret. A plain hash is enough, because nobody can guess 128 random bits or more.
pub(super) fn hash(secret: &str) -> [u8; 32] {
    Sha256::digest(secret).into()
}

#[cfg(test)]
mod tests {
    use super::{fresh_token, token_hash};

    #[test]
    fn only_what_looks_like_a_token_is_hashed() {
        let token = fresh_token();
        assert!(token_hash(&token).is_some());
        for wrong in ["", "hp_", &token[1..], &token[..66], &format!("{token}0"), &token.replace("hp_", "hp-")] {
            assert_eq!(token_hash(wrong), None, "{wrong}");
        }
        assert_eq!(token_hash(&format!("hp_{}", "g".repeat(64))), None);
    }

    #[test]
    fn tokens_differ() {
        assert_ne!(fresh_token(), fresh_token());
    }
}
