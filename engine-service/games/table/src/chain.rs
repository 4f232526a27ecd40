//! The hash chain over a game's journal, and the commitments that prove its dice.
//!
//! All of it is SHA-256, so that an outsider can check it with stock tools once the secret seed is
//! revealed.

use bytes::Bytes;
use heliopause_proto::store::v1::Entry;
use prost::Message as _;
use sha2::{Digest as _, Sha256};

use crate::unhashed;

/// A SHA-256 hash.
pub type Hash = [u8; 32];

/// SHA-256 over parts, one after the other.
pub fn sha256(parts: &[&[u8]]) -> Hash {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}

/// The commitment to a secret seed, published when a game is created.
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

/// The seed of the dice: the server's secret and all entropy that players revealed, in seat order.
pub fn dice_seed<'a>(secret: &Hash, entropy: impl IntoIterator<Item = &'a [u8]>) -> Hash {
    let mut hasher = Sha256::new();
    hasher.update(b"heliopause dice");
    hasher.update(secret);
    for revealed in entropy {
        hasher.update(Sha256::digest(revealed));
    }
    hasher.finalize().into()
}

/// The seed of a lease: an automated seat's own randomness for one decision, unknown to its
/// opponents.
pub fn lease_seed(secret: &Hash, seat: u32, phase: u64, revision: u64) -> Hash {
    let (seat, phase, revision) = (seat.to_be_bytes(), phase.to_be_bytes(), revision.to_be_bytes());
    sha256(&[b"heliopause lease", secret, &seat, &phase, &revision])
}

/// The seed of a lease of a vote: the same for one seat's voice in one vote.
pub fn vote_seed(secret: &Hash, seat: u32, vote: u64) -> Hash {
    sha256(&[b"heliopause vote", secret, &seat.to_be_bytes(), &vote.to_be_bytes()])
}

/// The salt of one entry: it keeps anybody from testing a guess of a secret order against a hash.
fn salt(secret: &Hash, number: u64) -> Hash {
    sha256(&[b"heliopause salt", secret, &number.to_be_bytes()])
}

/// The number of an entry's hash among its fields. It is higher than those of all fields that the
/// hash covers, so that they are encoded before it.
const HASH_FIELD: u32 = 15;

/// The commitment to the text of a message. The salt keeps anybody from testing a guess of the
/// text. The game's secret does not make it, because the secret is published at the end.
pub fn text_commitment(salt: &[u8], text: &str) -> Hash {
    sha256(&[b"heliopause message", salt, &sha256(&[text.as_bytes()])])
}

/// The hash of an entry, whether it has one yet or not.
pub fn entry_hash(secret: &Hash, previous: &[u8], entry: &Entry) -> Hash {
    let hashed = Entry { hash: Bytes::new(), unhashed: None, ..entry.clone() };
    encoded_hash(secret, previous, entry.number, &hashed.encode_to_vec())
}

/// Puts its hash into an entry, and returns the entry as it is stored. It is encoded only once.
pub(crate) fn seal(secret: &Hash, previous: &[u8], entry: &mut Entry) -> Bytes {
    assert!(entry.hash.is_empty(), "an entry is hashed without its hash");
    assert!(entry.number > 0, "entries count from 1");
    let mut encoded = Vec::with_capacity(entry.encoded_len() + 2 + size_of::<Hash>());
    let unhashed = entry.unhashed.take();
    entry.encode_raw(&mut encoded);
    entry.hash = Bytes::copy_from_slice(&encoded_hash(secret, previous, entry.number, &encoded));
    prost::encoding::bytes::encode(HASH_FIELD, &entry.hash, &mut encoded);
    if let Some(unhashed) = &unhashed {
        prost::encoding::message::encode(unhashed::FIELD, unhashed, &mut encoded);
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
    fn a_sealed_entry_is_stored_as_it_would_be_encoded() {
        let unhashed = Unhashed { request_id: "once".to_owned(), ..Unhashed::default() };
        let mut entry = Entry {
            number: 7,
            rules_version: 3,
            told_before: vec![1, 2, 300],
            unhashed: Some(unhashed),
            ..Entry::default()
        };
        let hash = entry_hash(&[1; 32], &[2; 32], &entry);
        let stored = seal(&[1; 32], &[2; 32], &mut entry);
        assert_eq!(entry.hash, hash.as_slice());
        assert_eq!(stored, entry.encode_to_vec());
    }

    #[test]
    fn a_commitment_fits_one_salt_and_one_text() {
        let commitments =
            [(&b"salt"[..], "text"), (b"salt", "tex"), (b"sal", "ttext"), (b"", "salttext")];
        let distinct: std::collections::BTreeSet<Hash> =
            commitments.iter().map(|(salt, text)| text_commitment(salt, text)).collect();
        assert_eq!(distinct.len(), commitments.len());
    }

    #[test]
    fn each_question_to_automation_has_a_chance_of_its_own() {
        let votes = [([1; 32], 1, 1), ([1; 32], 1, 2), ([1; 32], 2, 1), ([2; 32], 1, 1)];
        let seeds: std::collections::BTreeSet<Hash> =
            votes.iter().map(|(secret, seat, vote)| vote_seed(secret, *seat, *vote)).collect();
        assert_eq!(seeds.len(), votes.len());
        assert!(!seeds.contains(&lease_seed(&[1; 32], 1, 1, 0)));
    }
}
