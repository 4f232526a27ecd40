//! Messages that bots receive and send.

use std::collections::BTreeMap;

use bytes::Buf as _;
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

const DECLINED: &str = "We make no agreements in this game. We attack where we gain most.";

/// Answers messages for a bot that makes no agreements: each question, and the first message of
/// each seat. Returns the bot's new memo and the answers.
pub(super) fn decline(
    mut memo: &[u8],
    incoming: &[ReceivedMessage],
    senders: SeatSet,
) -> (Vec<u8>, Vec<Reply>) {
    let mut last_answered = memo.try_get_u64_le().unwrap_or(0);
    let mut answered = SeatSet::from_bits(memo.try_get_u64_le().unwrap_or(0));
    let mut said = BTreeMap::new();
    for (from, text) in unanswered(incoming, &mut last_answered, senders) {
        let asks = text.lines().any(|line| line.trim_end().ends_with('?'));
        if answered.insert(from) || asks {
            said.insert(from, vec![DECLINED]);
        }
    }
    ([last_answered, answered.bits()].map(u64::to_le_bytes).concat(), replies(&said))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_messages_and_questions_are_answered_once() {
        let others: SeatSet = [Seat::at(1), Seat::at(2)].into_iter().collect();
        let mut memo = Vec::new();
        let mut answers = |messages: &[(u64, usize, &str)]| {
            let message = |&(number, from, text): &(u64, usize, &str)| {
                let from = Some(Seat::at(from));
                ReceivedMessage { number, from, text: text.to_owned() }
            };
            let incoming: Vec<ReceivedMessage> = messages.iter().map(message).collect();
            let (next, replies) = decline(&memo, &incoming, others);
            memo = next;
            replies.into_iter().map(|reply| reply.to[0].index()).collect::<Vec<_>>()
        };
        let first = [(1, 1, "Hello."), (2, 3, "not a player"), (3, 1, "peace?")];
        assert_eq!(answers(&first), [1], "one answer to several messages");
        assert_eq!(answers(&first), [0; 0], "the same messages again");
        assert_eq!(answers(&[(4, 1, "Well."), (5, 2, "Well.")]), [2]);
        assert_eq!(answers(&[(6, 2, "Hm.\nalliance? \nYours")]), [2]);
        assert!(decline(&[0xff; 3], &[], others).1.is_empty());
    }
}
