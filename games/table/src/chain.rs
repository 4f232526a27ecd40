//! The hash chain over a game's journal, and the commitments that prove its dice.
//!
//! All hashes are SHA-256, so anyone can check them with standard tools once the secret seed is
//! revealed.
//!
//! The engine draws a 256-bit secret when a game is created and publishes its SHA-256. Players may
//! commit to entropy when they join and reveal it at the start. The dice seed is the SHA-256 of the
//! secret and all revealed entropy, in the order of seats before the lots are drawn. Entropy that a
//! player does not reveal is left out. Players do not know the secret, so they gain nothing by not
//! revealing. The secret is published at the end. This proves that the dice were not changed. It
//! does not prove that an operator never looked at the secret.
//!
//! `hash = SHA-256(previous, salt, SHA-256(entry))`, where the salt is SHA-256 of the secret and
//! the entry's number. So a hash reveals nothing about a secret order, and no salt is stored.

use bytes::Bytes;
use heliopause_proto::store::v1::Entry;
use prost::Message as _;
use sha2::{Digest as _, Sha256};

/// A SHA-256 hash.
pub type Hash = [u8; 32];

/// Hashes the concatenation of `parts`.
pub fn sha256(parts: &[&[u8]]) -> Hash {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}

/// Returns the commitment to a secret seed, published when a game is created.
///
/// ```
/// use heliopause_table::chain::{commitment, sha256};
///
/// let secret = [7; 32];
/// assert_eq!(commitment(&secret), sha256(&[&secret]));
/// assert_ne!(commitment(&secret), commitment(&[8; 32]));
/// ```
pub fn commitment(secret: &Hash) -> Hash {
    sha256(&[secret])
}

/// Returns the seed of the dice: a hash of the secret and all revealed entropy, in this order.
pub fn dice_seed<'a>(secret: &Hash, entropy: impl IntoIterator<Item = &'a [u8]>) -> Hash {
    let mut hasher = Sha256::new();
    hasher.update(b"heliopause dice");
    hasher.update(secret);
    for revealed in entropy {
        hasher.update(Sha256::digest(revealed));
    }
    hasher.finalize().into()
}

/// Returns the seed of a lease: a seat's private randomness for one decision.
pub fn lease_seed(secret: &Hash, seat: u32, phase: u64, revision: u64) -> Hash {
    let (seat, phase, revision) = (seat.to_be_bytes(), phase.to_be_bytes(), revision.to_be_bytes());
    sha256(&[b"heliopause lease", secret, &seat, &phase, &revision])
}

/// Returns the seed of a vote's lease. It is the same for every lease of one seat's vote.
pub fn vote_seed(secret: &Hash, seat: u32, vote: u64) -> Hash {
    sha256(&[b"heliopause vote", secret, &seat.to_be_bytes(), &vote.to_be_bytes()])
}

/// Returns the salt of an entry's hash, which prevents testing guesses of a secret order.
fn salt(secret: &Hash, number: u64) -> Hash {
    sha256(&[b"heliopause salt", secret, &number.to_be_bytes()])
}

/// The field number of an entry's hash. Must be greater than the numbers of all hashed fields, so
/// that those are encoded first.
const HASH_FIELD: u32 = 15;

/// The field number of an entry's unhashed part, which is encoded after all other fields.
pub(crate) const UNHASHED_FIELD: u32 = 16;

/// Returns the commitment to a message's text. The salt prevents testing guesses of the text. It is
/// not derived from the game's secret, because the secret is published at the end.
pub fn text_commitment(salt: &[u8], text: &str) -> Hash {
    sha256(&[b"heliopause message", salt, &sha256(&[text.as_bytes()])])
}

/// Returns the hash of an entry. Ignores the entry's stored hash and its unhashed part.
pub fn entry_hash(secret: &Hash, previous: &[u8], entry: &Entry) -> Hash {
    let hashed = Entry { hash: Bytes::new(), unhashed: None, ..entry.clone() };
    encoded_hash(secret, previous, entry.number, &hashed.encode_to_vec())
}

pub(crate) fn seal(secret: &Hash, previous: &[u8], entry: &mut Entry) -> Bytes {
    assert!(entry.hash.is_empty(), "an entry is hashed without its hash");
    assert!(entry.number > 0, "entries count from 1");
    let mut encoded = Vec::with_capacity(entry.encoded_len() + 2 + size_of::<Hash>());
    let unhashed = entry.unhashed.take();
    entry.encode_raw(&mut encoded);
    entry.hash = Bytes::copy_from_slice(&encoded_hash(secret, previous, entry.number, &encoded));
    prost::encoding::bytes::encode(HASH_FIELD, &entry.hash, &mut encoded);
    if let Some(unhashed) = &unhashed {
        prost::encoding::message::encode(UNHASHED_FIELD, unhashed, &mut encoded);
    }
    entry.unhashed = unhashed;
    encoded.into()
}

fn encoded_hash(secret: &Hash, previous: &[u8], number: u64, encoded: &[u8]) -> Hash {
    sha256(&[previous, &salt(secret, number), &sha256(&[encoded])])
}

#[cfg(test)]
mod tests {
    use heliopause_proto::store::v1::Unhashed;

    use super::*;

    #[test]
    fn sealed_entries_equal_their_encoding() {
        let unhashed = Unhashed { request_id: "once".to_owned(), ..Unhashed::default() };
        let mut entry = Entry {
            number: 7,
            rules_version: 3,
            published_before: vec![1, 2, 300],
            unhashed: Some(unhashed),
            ..Entry::default()
        };
        let hash = entry_hash(&[1; 32], &[2; 32], &entry);
        let stored = seal(&[1; 32], &[2; 32], &mut entry);
        assert_eq!(entry.hash, hash.as_slice());
        assert_eq!(stored, entry.encode_to_vec());
    }

    #[test]
    fn text_commitments_depend_on_salt_and_text() {
        let commitments =
            [(&b"salt"[..], "text"), (b"salt", "tex"), (b"sal", "ttext"), (b"", "salttext")];
        let distinct: std::collections::BTreeSet<Hash> =
            commitments.iter().map(|(salt, text)| text_commitment(salt, text)).collect();
        assert_eq!(distinct.len(), commitments.len());
    }

    #[test]
    fn each_automation_decision_has_its_own_seed() {
        let votes = [([1; 32], 1, 1), ([1; 32], 1, 2), ([1; 32], 2, 1), ([2; 32], 1, 1)];
        let seeds: std::collections::BTreeSet<Hash> =
            votes.iter().map(|(secret, seat, vote)| vote_seed(secret, *seat, *vote)).collect();
        assert_eq!(seeds.len(), votes.len());
        assert!(!seeds.contains(&lease_seed(&[1; 32], 1, 1, 0)));
    }
}
