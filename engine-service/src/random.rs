//! Random seeds, ids and codes from the operating system.

use heliopause_table::chain;

/// 32 characters that do not look alike. A random byte selects one without bias.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

pub(crate) fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system has random bytes");
    bytes
}

pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a string cannot fail");
        text
    })
}

/// Returns a short id that a user can read out to the operator.
pub(crate) fn incident() -> String {
    hexadecimal(&bytes::<6>())
}

fn characters<const N: usize>() -> String {
    bytes::<N>().iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect()
}

pub(crate) fn hash_seeds() -> [u64; 2] {
    [u64::from_le_bytes(bytes()), u64::from_le_bytes(bytes())]
}

pub(crate) fn seed() -> [u8; 32] {
    bytes()
}

pub(crate) fn salt() -> [u8; 16] {
    bytes()
}

/// Returns an id that is short enough to type and too long to guess.
pub(crate) fn game_id() -> String {
    characters::<12>()
}

/// Derives the id of the game that a request creates. Every retry gets the same id, on any engine.
pub(crate) fn game_id_of(player_id: &str, request_id: &str) -> String {
    let length = (player_id.len() as u64).to_be_bytes();
    let hash =
        chain::sha256(&[b"heliopause game", &length, player_id.as_bytes(), request_id.as_bytes()]);
    hash[..12].iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect()
}

/// Derives the id of the rematch of a game. It is the same for all players, on any engine.
pub(crate) fn rematch_id(game_id: &str) -> String {
    // No player has this id.
    game_id_of("rematch", game_id)
}

pub(crate) fn byte() -> u8 {
    bytes::<1>()[0]
}

/// Returns a name that distinguishes a process from others that use the same store.
pub(crate) fn process() -> String {
    characters::<12>()
}

pub(crate) fn invite_code() -> String {
    characters::<16>()
}

pub(crate) fn channel_id() -> String {
    format!("c-{}", characters::<24>())
}

pub(crate) fn webhook_secret() -> String {
    format!("hw_{}", characters::<52>())
}

/// Returns a code of 60 random bits. Rate limits prevent guessing.
pub(crate) fn mail_code() -> String {
    characters::<12>()
}

/// Returns a code of 80 random bits, in groups that are easy to copy by hand.
pub(crate) fn recovery_code() -> String {
    [(); 4].map(|()| characters::<4>()).join("-")
}

/// Returns a code of six digits. The number of attempts must be limited.
pub(crate) fn digits() -> String {
    // The bias of the remainder is less than 1 in 10^13.
    format!("{:06}", u64::from_le_bytes(bytes()) % 1_000_000)
}

/// Returns a secret of 160 random bits.
pub(crate) fn long_secret() -> String {
    characters::<32>()
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
