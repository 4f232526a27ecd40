//! The part of an entry that its hash does not cover, because only some readers may see it.
//!
//! An export omits the data that its reader may not see. The rest can still be verified. The hash
//! covers commitments to the texts of messages, so that the texts cannot be changed.
//!
//! The salt of a commitment is random and stored beside the text. A salt derived from the game's
//! secret would become public when the game ends. Digests of requests are not hashed either,
//! because guesses of the text could be tested against them. `RulesChanged` contains the state
//! without responses, memos and texts.

use bytes::Bytes;
use heliopause_proto::store::v1::{
    Entry, MessageSent, MessageText, PublishedEvent, Step, Unhashed, step::Kind,
};
use heliopause_proto::v1::{Event, event};

use crate::chain;

#[derive(Clone, Debug, Default)]
pub(crate) struct Texts {
    commitments: Vec<Bytes>,
    known: Vec<MessageText>,
}

impl Texts {
    pub(crate) fn of(step: &Step) -> Self {
        let mut texts = Self::default();
        for sent in step.kind.as_ref().map_or(&[][..], messages) {
            texts.add(&sent.salt, &sent.text, &sent.text_commitment);
        }
        texts
    }

    pub(crate) fn add(&mut self, salt: &Bytes, text: &str, commitment: &Bytes) -> u32 {
        let number = u32::try_from(self.commitments.len() + 1).expect("messages are limited");
        if text.is_empty() {
            self.commitments.push(commitment.clone());
            return number;
        }
        self.commitments.push(Bytes::copy_from_slice(&chain::text_commitment(salt, text)));
        self.known.push(MessageText { number, salt: salt.clone(), text: text.to_owned() });
        number
    }

    pub(crate) fn commitment(&self, number: u32) -> Bytes {
        self.commitments[number as usize - 1].clone()
    }
}

fn messages(kind: &Kind) -> &[MessageSent] {
    match kind {
        Kind::MessageSent(sent) => std::slice::from_ref(sent),
        Kind::OrdersGiven(given) => &given.messages,
        _ => &[],
    }
}

fn messages_mut(kind: &mut Kind) -> &mut [MessageSent] {
    match kind {
        Kind::MessageSent(sent) => std::slice::from_mut(sent),
        Kind::OrdersGiven(given) => &mut given.messages,
        _ => &mut [],
    }
}

fn invite_code(kind: &mut Kind) -> Option<&mut String> {
    match kind {
        Kind::Created(created) => Some(&mut created.invite_code),
        Kind::Joined(joined) => Some(&mut joined.invite_code),
        Kind::RulesChanged(changed) => {
            Some(&mut changed.state.as_mut()?.created.as_mut()?.invite_code)
        }
        _ => None,
    }
}

/// Sets a random salt for every message of a step that has no salt.
pub fn salt(step: &mut Step, fresh: impl Fn() -> [u8; 16]) {
    for sent in step.kind.as_mut().map_or(&mut [][..], messages_mut) {
        if sent.salt.is_empty() {
            sent.salt = Bytes::copy_from_slice(&fresh());
        }
    }
}

pub(crate) fn without_salts(step: &Step) -> Step {
    let mut bare = step.clone();
    for sent in bare.kind.as_mut().map_or(&mut [][..], messages_mut) {
        sent.salt.clear();
    }
    bare
}

pub(crate) fn extract_unhashed(step: &mut Step, texts: Texts) -> (Vec<Bytes>, Option<Unhashed>) {
    let Texts { commitments, known } = texts;
    let mut apart = Unhashed {
        texts: known,
        request_id: std::mem::take(&mut step.request_id),
        request_digest: std::mem::take(&mut step.request_digest),
        ..Unhashed::default()
    };
    if let Some(kind) = &mut step.kind {
        for sent in messages_mut(kind) {
            sent.text.clear();
            sent.salt.clear();
            sent.text_commitment.clear();
        }
        if let Kind::OrdersGiven(given) = kind {
            apart.memo = given.memo.take();
        }
        if let Some(code) = invite_code(kind) {
            apart.invite_code = std::mem::take(code);
        }
    }
    (commitments, Some(apart).filter(|apart| *apart != Unhashed::default()))
}

/// Returns the original step of an entry, with the unhashed data that the entry still has. Returns
/// `None` if the entry has no step.
pub fn restored_step(entry: &Entry) -> Option<Step> {
    let mut step = entry.step.clone()?;
    let apart = entry.unhashed.clone().unwrap_or_default();
    step.request_id = apart.request_id;
    step.request_digest = apart.request_digest;
    if let Some(kind) = &mut step.kind {
        for (sent, number) in messages_mut(kind).iter_mut().zip(1..) {
            let commitment = entry.text_commitments.get(number as usize - 1);
            sent.text_commitment = commitment.cloned().unwrap_or_default();
            if let Some(known) = apart.texts.iter().find(|text| text.number == number) {
                sent.text.clone_from(&known.text);
                sent.salt.clone_from(&known.salt);
            }
        }
        if let Kind::OrdersGiven(given) = kind {
            given.memo = apart.memo;
        }
        if let Some(code) = invite_code(kind) {
            *code = apart.invite_code;
        }
    }
    Some(step)
}

/// Returns the text of an event's message, if the entry has it.
pub fn text_of<'a>(entry: &'a Entry, published: &PublishedEvent) -> Option<&'a str> {
    let texts = &entry.unhashed.as_ref()?.texts;
    let text = texts.iter().find(|text| text.number == published.message_text)?;
    Some(&text.text)
}

/// Returns an event of an entry with its text restored, without its number.
pub fn restored_event(entry: &Entry, published: &PublishedEvent) -> Option<Event> {
    let mut event = published.event.clone()?;
    if let Some(event::Body::Message(message)) = &mut event.body
        && let Some(text) = text_of(entry, published)
    {
        message.text.push_str(text);
        event.text.push_str(text);
    }
    Some(event)
}

/// Checks the texts of an entry against its commitments.
pub fn check_texts(entry: &Entry) -> Result<(), String> {
    for text in entry.unhashed.iter().flat_map(|apart| &apart.texts) {
        let commitment = (text.number as usize)
            .checked_sub(1)
            .and_then(|index| entry.text_commitments.get(index));
        let own = chain::text_commitment(&text.salt, &text.text);
        if commitment.is_none_or(|commitment| *commitment != own.as_slice()) {
            return Err(format!("a message's text in entry {} was changed", entry.number));
        }
    }
    Ok(())
}
