//! Messages that bots receive and send.

use std::collections::BTreeMap;

use heliopause_kernel::{Seat, SeatSet};

use crate::bot::{ReceivedMessage, Reply};

pub(super) const MESSAGES_MAX: usize = 8;

/// Returns the messages of these senders that came after the last answered one. Then counts all
/// messages as answered.
pub(super) fn unanswered<'m>(
    incoming: &'m [ReceivedMessage],
    last_answered: &mut u64,
    senders: SeatSet,
) -> Vec<(Seat, &'m str)> {
    let last = *last_answered;
    *last_answered = incoming.iter().map(|letter| letter.number).fold(last, u64::max);
    let new = incoming.iter().filter(|letter| letter.number > last);
    let from = |letter: &'m ReceivedMessage| Some((letter.from?, letter.text.as_str()));
    new.filter_map(from).filter(|(from, _)| senders.contains(*from)).collect()
}

/// Writes one message to each seat. Each message has one recipient, so that no seat learns of the
/// others.
pub(super) fn replies(said: &BTreeMap<Seat, Vec<&'static str>>) -> Vec<Reply> {
    said.iter().take(MESSAGES_MAX).map(|(&seat, lines)| Reply::of(seat, lines)).collect()
}
