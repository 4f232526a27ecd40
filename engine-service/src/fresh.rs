//! Fresh seeds, ids and codes from the operating system's randomness.

use heliopause_table::chain;

/// Letters and digits that nobody mixes up when reading them out: 32 of them, so a byte picks one
/// without bias.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system has random bytes");
    bytes
}

fn letters<const N: usize>() -> String {
    random::<N>().iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect()
}

/// What the process's maps are seeded with.
pub(crate) fn hash_seeds() -> [u64; 2] {
    [u64::from_le_bytes(random()), u64::from_le_bytes(random())]
}

/// A secret seed.
pub(crate) fn seed() -> [u8; 32] {
    random()
}

/// The salt of a message's commitment.
pub(crate) fn salt() -> [u8; 16] {
    random()
}

/// A game's id: short enough to be typed, and too rare to be guessed.
pub(crate) fn game_id() -> String {
    letters::<12>()
}

/// The id of the game that a request makes: the same at every retry, wherever it is heard, and
/// another for every request.
pub(crate) fn game_id_of(player_id: &str, request_id: &str) -> String {
    let length = (player_id.len() as u64).to_be_bytes();
    let hash =
        chain::sha256(&[b"heliopause game", &length, player_id.as_bytes(), request_id.as_bytes()]);
    hash[..12].iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect()
}

/// A number by chance.
pub(crate) fn byte() -> u8 {
    random::<1>()[0]
}

/// A name for this process among those that share a store.
pub(crate) fn process() -> String {
    letters::<12>()
}

/// A private game's invite code.
pub(crate) fn invite_code() -> String {
    letters::<16>()
}

/// The id of a channel for notices.
pub(crate) fn channel_id() -> String {
    format!("c-{}", letters::<24>())
}

/// The secret that signs what a webhook is sent.
pub(crate) fn webhook_secret() -> String {
    format!("hw_{}", letters::<52>())
}

/// The code that confirms a mail address: 60 bits, which nobody guesses at the rate of calls.
pub(crate) fn mail_code() -> String {
    letters::<12>()
}

#[cfg(test)]
mod tests {
    #[test]
    fn ids_are_readable_and_differ() {
        let id = super::game_id();
        assert_eq!(id.len(), 12);
        assert!(id.bytes().all(|byte| super::ALPHABET.contains(&byte)));
        assert_ne!(id, super::game_id());
        let made = super::game_id_of("p-1", "once");
        assert_eq!((made.len(), &made), (12, &super::game_id_of("p-1", "once")));
        assert_ne!(made, super::game_id_of("p-1", "twice"));
        assert_ne!(made, super::game_id_of("p-1o", "nce"));
    }
}
