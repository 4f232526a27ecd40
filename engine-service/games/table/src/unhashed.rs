//! The part of an entry that its hash does not cover: what only some may read.
//!
//! An export leaves out what its reader may not read, and the rest still proves itself. The hash
//! covers commitments to the texts of messages, so a text that is there cannot have been changed.

use bytes::{Buf as _, Bytes};
use heliopause_proto::store::v1::{
    Entry, MessageSent, MessageText, Step, ToldEvent, Unhashed, step::Kind,
};
use heliopause_proto::v1::{Event, event};
use prost::Message as _;
use prost::encoding::{self, DecodeContext};

use crate::chain;
use crate::lots::Subscriber;
use crate::telling::told_to;

/// The number of the unhashed part among an entry's fields. It follows all fields that are hashed.
pub(crate) const FIELD: u32 = 16;

/// The texts of the messages that an entry tells of: the commitments to all, and those known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Texts {
    commitments: Vec<Bytes>,
    known: Vec<MessageText>,
}

impl Texts {
    /// The texts of a step's messages, in their order.
    pub(crate) fn of(step: &Step) -> Self {
        let mut texts = Self::default();
        for sent in step.kind.as_ref().map_or(&[][..], messages) {
            texts.add(&sent.salt, &sent.text, &sent.text_commitment);
        }
        texts
    }

    /// Adds a text, or its commitment if the text is not known, and returns its number.
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

    /// The commitment to a text.
    pub(crate) fn commitment(&self, number: u32) -> Bytes {
        self.commitments[number as usize - 1].clone()
    }
}

/// The messages that a step sends.
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

/// Gives a fresh salt to every text of a step that has none.
pub fn salt(step: &mut Step, fresh: impl Fn() -> [u8; 16]) {
    for sent in step.kind.as_mut().map_or(&mut [][..], messages_mut) {
        if sent.salt.is_empty() {
            sent.salt = Bytes::copy_from_slice(&fresh());
        }
    }
}

/// The step without the salts of its texts: they are not part of a request.
pub(crate) fn without_salts(step: &Step) -> Step {
    let mut bare = step.clone();
    for sent in bare.kind.as_mut().map_or(&mut [][..], messages_mut) {
        sent.salt.clear();
    }
    bare
}

/// Moves what the hash does not cover out of a step. Returns the commitments to the texts and the
/// unhashed part, if there is one.
pub(crate) fn set_apart(step: &mut Step, texts: Texts) -> (Vec<Bytes>, Option<Unhashed>) {
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

/// The step of an entry as it was taken, as far as the entry has its unhashed part.
pub fn whole_step(entry: &Entry) -> Option<Step> {
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

/// The text of the message that an event tells of, if there is one and the entry has it.
pub fn text_of<'a>(entry: &'a Entry, told: &ToldEvent) -> Option<&'a str> {
    let texts = &entry.unhashed.as_ref()?.texts;
    let text = texts.iter().find(|text| text.number == told.message_text)?;
    Some(&text.text)
}

/// An event of an entry as its audience is told, without its number.
pub fn whole_event(entry: &Entry, told: &ToldEvent) -> Option<Event> {
    let mut event = told.event.clone()?;
    if let Some(event::Body::Message(message)) = &mut event.body
        && let Some(text) = text_of(entry, told)
    {
        message.text.push_str(text);
        event.text.push_str(text);
    }
    Some(event)
}

/// Checks that the texts of an entry are those that it commits to.
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

/// A stored entry as it is exported: of what its hash does not cover, only the texts of the
/// messages that the reader was told of, or of all messages if they read `all`.
pub fn exported(
    stored: Bytes,
    reader: &Subscriber,
    all: bool,
) -> Result<Bytes, prost::DecodeError> {
    let Some(at) = unhashed_at(&stored)? else { return Ok(stored) };
    let entry = Entry::decode(stored.clone())?;
    let told: Vec<u32> = entry
        .events
        .iter()
        .filter(|told| told_to(told, reader.at(&entry)))
        .map(|told| told.message_text)
        .collect();
    let mut texts = entry.unhashed.unwrap_or_default().texts;
    texts.retain(|text| all || told.contains(&text.number));
    if texts.is_empty() {
        return Ok(stored.slice(..at));
    }
    let mut exported = Vec::from(&stored[..at]);
    encoding::message::encode(FIELD, &Unhashed { texts, ..Unhashed::default() }, &mut exported);
    Ok(exported.into())
}

/// Where the unhashed part of an encoded entry begins.
fn unhashed_at(stored: &Bytes) -> Result<Option<usize>, prost::DecodeError> {
    let mut rest = stored.clone();
    while rest.has_remaining() {
        let at = stored.len() - rest.remaining();
        let (field, wire) = encoding::decode_key(&mut rest)?;
        if field == FIELD {
            return Ok(Some(at));
        }
        encoding::skip_field(wire, field, &mut rest, DecodeContext::default())?;
    }
    Ok(None)
}
