//! Messages between seats and the game master.
//!
//! The state holds no messages. The engine reads message lists from the journal by entry number.

use heliopause_kernel::{Audience, Press, Seat, SeatSet};
use heliopause_proto::store::v1::{HeldMessage, MessageSent, OrdersGiven, seat_state};
use heliopause_proto::v1::{ErrorReason, GameStatus, Message};

use crate::effects::Effects;
use crate::time::stamp;
use crate::{Fault, Table};

const TEXT_CHARS_MAX: usize = 4_000;
const AUTOMATED_TEXT_CHARS_MAX: usize = 500;
const AUTOMATED_MESSAGES_MAX: usize = 8;
const MESSAGES_MAX: usize = 10_000;
const HELD_MAX: usize = 200;

impl Table {
    pub(crate) fn send(
        &mut self,
        by: &str,
        sent: &MessageSent,
        effects: &mut Effects,
    ) -> Result<(), Fault> {
        check_text(sent)?;
        let from = self.sender(by, sent)?;
        let to = self.checked_receivers(from, sent, 1)?;
        self.post(from, &to, sent, 1, effects);
        Ok(())
    }

    /// Checks the messages in an automated answer. Returns the messages with their receivers.
    pub(crate) fn checked_messages(
        &self,
        seat: Seat,
        given: &OrdersGiven,
    ) -> Result<Vec<CheckedMessage>, Fault> {
        let written = given.messages.as_slice();
        if written.is_empty() {
            return Ok(Vec::new());
        }
        let at_fault = |fault: Fault| Fault { field: Some("messages".to_owned()), ..fault };
        if given.automation.is_empty() || !self.may_write(seat) {
            let text = "Automation that plays for a player cannot write messages.";
            return Err(at_fault(Fault::new(ErrorReason::MessageRefused, text)));
        }
        if written.len() > AUTOMATED_MESSAGES_MAX {
            let text = format!(
                "An answer can have at most {AUTOMATED_MESSAGES_MAX} messages, not {}.",
                written.len()
            );
            return Err(Fault::field("messages", text));
        }
        let letter = |sent: &MessageSent| {
            check_text(sent)?;
            let found = sent.text.chars().count();
            if found > AUTOMATED_TEXT_CHARS_MAX {
                let text = format!(
                    "A message by automation can have at most {AUTOMATED_TEXT_CHARS_MAX} \
                     characters, not {found}."
                );
                return Err(Fault::field("messages", text));
            }
            let to = self.checked_receivers(Some(seat), sent, written.len())?;
            Ok(CheckedMessage { to, sent: sent.clone() })
        };
        written.iter().map(letter).collect::<Result<_, Fault>>().map_err(at_fault)
    }

    /// Returns whether automation in this seat may write messages. A stand-in for a player may not.
    pub(crate) fn may_write(&self, seat: Seat) -> bool {
        matches!(self.state.seats[seat.index()].occupant, Some(seat_state::Occupant::Automated(_)))
    }

    pub(crate) fn post_messages(
        &mut self,
        seat: Seat,
        checked_messages: &[CheckedMessage],
        effects: &mut Effects,
    ) {
        for (letter, text) in checked_messages.iter().zip(1..) {
            self.post(Some(seat), &letter.to, &letter.sent, text, effects);
        }
    }

    fn checked_receivers(
        &self,
        from: Option<Seat>,
        sent: &MessageSent,
        more: usize,
    ) -> Result<Receivers, Fault> {
        let to = self.receivers(from, sent)?;
        let readers = to.at_once.union(to.held).union(from.map(SeatSet::one).unwrap_or_default());
        let is_full =
            |seat: Seat| self.state.seats[seat.index()].message_entries.len() + more > MESSAGES_MAX;
        if readers.iter().any(is_full) {
            let text = format!(
                "The sender or a recipient has reached the limit of {MESSAGES_MAX} messages."
            );
            return Err(Fault::new(ErrorReason::QuotaExceeded, text)
                .with("quota", "messages")
                .with("limit", MESSAGES_MAX));
        }
        if !to.held.is_empty() && self.state.held.len() + more > HELD_MAX {
            let text = format!(
                "At most {HELD_MAX} messages of a game can wait for delivery; try again later."
            );
            return Err(Fault::new(ErrorReason::QuotaExceeded, text)
                .with("quota", "held")
                .with("limit", HELD_MAX));
        }
        Ok(to)
    }

    fn post(
        &mut self,
        from: Option<Seat>,
        to: &Receivers,
        sent: &MessageSent,
        text: u32,
        effects: &mut Effects,
    ) {
        let message = Message {
            number: 0,
            send_time: Some(stamp(effects.now)),
            from_seat: from.map(Seat::number),
            from_game_master: from.is_none(),
            anonymous: sent.anonymous,
            to_seats: to.at_once.union(to.held).iter().map(Seat::number).collect(),
            to_game_master: sent.to_game_master,
            text: String::new(),
            held: false,
        };
        if let Some(from) = from {
            let own = Message { held: !to.held.is_empty(), ..message.clone() };
            self.publish_message(from, own, text, effects);
        }
        self.publish_to_game_master(message.clone(), text, effects);
        self.deliver(from, to.at_once, &message, text, effects);
        if !to.held.is_empty() {
            self.state.held.push(HeldMessage {
                message: Some(message),
                from_seat: from.map_or(0, Seat::number),
                waiting: to.held.bits(),
                text_commitment: effects.texts.commitment(text),
                salt: sent.salt.clone(),
                text: sent.text.clone(),
            });
        }
    }

    fn sender(&self, by: &str, sent: &MessageSent) -> Result<Option<Seat>, Fault> {
        if sent.from_seat == 0 {
            self.require_game_master(by, "write as the game master")?;
            return Ok(None);
        }
        let seat = self.seat_numbered(sent.from_seat)?;
        self.require_seat(by, seat)?;
        Ok(Some(seat))
    }

    fn receivers(&self, from: Option<Seat>, sent: &MessageSent) -> Result<Receivers, Fault> {
        let mut receivers = Receivers::default();
        if from.is_some() && !sent.to_seats.is_empty() && self.only_public_press() {
            let text = "In this game players can write only to everyone.";
            return Err(
                Fault::new(ErrorReason::MessageRefused, text).with("refusal", "public-only")
            );
        }
        if sent.to_all {
            for to in Seat::first(self.players()).filter(|&to| Some(to) != from) {
                if let Ok(press) = self.press(from, to, sent.anonymous) {
                    receivers.add(to, press);
                }
            }
        }
        for &number in &sent.to_seats {
            let to = self.seat_numbered(number)?;
            if Some(to) == from {
                return Err(Fault::field("to_seats", "You cannot write to yourself."));
            }
            receivers.add(to, self.press(from, to, sent.anonymous)?);
        }
        if sent.to_game_master && self.created().game_master.is_none() && !self.is_sandbox() {
            return Err(Fault::field("to_game_master", "This game has no game master."));
        }
        if receivers.at_once.is_empty() && receivers.held.is_empty() && !sent.to_game_master {
            if !sent.to_all {
                return Err(Fault::field("to_seats", "Choose at least one recipient."));
            }
            // The game refused every receiver: report the reason for the first.
            let first = Seat::first(self.players()).find(|&to| Some(to) != from);
            let nobody = "No player can receive this message";
            first.map_or(Ok(Press::AtOnce), |to| self.press(from, to, sent.anonymous)).map_err(
                |fault| {
                    let message = format!("{nobody}. {}", fault.message);
                    Fault { message, ..fault }
                },
            )?;
            return Err(Fault::new(ErrorReason::MessageRefused, format!("{nobody}.")));
        }
        Ok(receivers)
    }

    fn only_public_press(&self) -> bool {
        let in_play = matches!(self.status(), GameStatus::Running | GameStatus::Paused);
        in_play && self.game.as_ref().is_some_and(|game| game.only_public_press())
    }

    /// Returns when a message would arrive, or the reason why it is refused. The game master may
    /// always write, and before and after play every seat may.
    pub(crate) fn press(
        &self,
        from: Option<Seat>,
        to: Seat,
        anonymous: bool,
    ) -> Result<Press, Fault> {
        let in_play = matches!(self.status(), GameStatus::Running | GameStatus::Paused);
        let game = self.game.as_ref().filter(|_| in_play);
        let (Some(from), Some(game)) = (from, game) else {
            if anonymous {
                let text = "Only seats can send anonymous messages, and only during the game.";
                return Err(Fault::field("anonymous", text));
            }
            return Ok(Press::AtOnce);
        };
        game.press(from, to, anonymous).map_err(|refusal| {
            Fault::new(ErrorReason::MessageRefused, refusal.to_string())
                .with("refusal", &refusal.reason)
                .with("rule", &refusal.rule)
        })
    }

    fn deliver(
        &mut self,
        from: Option<Seat>,
        to: SeatSet,
        message: &Message,
        text: u32,
        effects: &mut Effects,
    ) {
        let shown = if message.anonymous {
            Message { from_seat: None, ..message.clone() }
        } else {
            message.clone()
        };
        for seat in to.iter() {
            let own = if message.anonymous { vec![seat.number()] } else { shown.to_seats.clone() };
            self.publish_message(seat, Message { to_seats: own, ..shown.clone() }, text, effects);
            if let Some(from) = from {
                self.note_contact(from, seat, message.anonymous, effects);
            }
        }
    }

    fn note_contact(&mut self, from: Seat, to: Seat, anonymous: bool, effects: &mut Effects) {
        let names = self.all_names();
        if let Some(game) = self.game.as_mut() {
            effects.game(game.message_delivered(from, to, anonymous, &names));
        }
    }

    fn publish_message(&mut self, seat: Seat, message: Message, text: u32, effects: &mut Effects) {
        let entry = self.state.entry + 1;
        let list = &mut self.state.seats[seat.index()].message_entries;
        list.push(entry);
        let message = Message { number: list.len() as u64, ..message };
        let sentence = self.letter(Some(seat), &message);
        let audience = Audience { game_master: false, ..Audience::seat(seat) };
        effects.message(audience, sentence, message, text);
    }

    fn letter(&self, reader: Option<Seat>, message: &Message) -> String {
        let is_reader = |seat: u32| reader.is_some_and(|reader| reader.number() == seat);
        let name = |&seat: &u32| match Seat::numbered(seat) {
            Some(_) if is_reader(seat) => "you".to_owned(),
            Some(seat) => self.name(seat),
            None => "a player".to_owned(),
        };
        let says = match message.from_seat {
            Some(from) if is_reader(from) => "You write".to_owned(),
            Some(from) => format!("{} writes", name(&from)),
            None if message.from_game_master => "The game master writes".to_owned(),
            None => "A player writes".to_owned(),
        };
        let others = self.players() - usize::from(message.from_seat.is_some());
        let mut to: Vec<String> = match message.to_seats.len() {
            all if all > 1 && all == others => vec!["everyone".to_owned()],
            _ => message.to_seats.iter().map(name).collect(),
        };
        if message.to_game_master {
            to.push("the game master".to_owned());
        }
        format!("{says} to {}: ", to.join(", "))
    }

    fn publish_to_game_master(&mut self, message: Message, text: u32, effects: &mut Effects) {
        let entry = self.state.entry + 1;
        self.state.message_entries.push(entry);
        let message = Message { number: self.state.message_entries.len() as u64, ..message };
        let sentence = self.letter(None, &message);
        effects.message(Audience::game_master(), sentence, message, text);
    }

    pub(crate) fn deliver_held(&mut self, effects: &mut Effects) {
        if self.state.held.is_empty() {
            return;
        }
        let game = self.game.as_ref();
        let can_receive: SeatSet = Seat::first(self.state.seats.len())
            .filter(|&seat| game.is_none_or(|game| game.can_receive(seat)))
            .collect();
        self.deliver_held_to(can_receive, effects);
    }

    pub(crate) fn release_held(&mut self, effects: &mut Effects) {
        self.deliver_held_to(SeatSet::from_bits(u64::MAX), effects);
    }

    fn deliver_held_to(&mut self, can_receive: SeatSet, effects: &mut Effects) {
        for mut held in std::mem::take(&mut self.state.held) {
            let waiting = SeatSet::from_bits(held.waiting);
            let message = held.message.clone().unwrap_or_default();
            let receivers = waiting.intersection(can_receive);
            if !receivers.is_empty() {
                let text = effects.texts.add(&held.salt, &held.text, &held.text_commitment);
                let from = Seat::numbered(held.from_seat);
                self.deliver(from, receivers, &message, text, effects);
            }
            held.waiting = waiting.difference(can_receive).bits();
            if held.waiting != 0 {
                self.state.held.push(held);
            }
        }
    }

    /// Returns the numbers of the entries with messages of a seat (`None`: the game master), oldest
    /// first.
    pub fn message_entries(&self, seat: Option<Seat>) -> &[u64] {
        match seat {
            Some(seat) => &self.state.seats[seat.index()].message_entries,
            None => &self.state.message_entries,
        }
    }
}

pub(crate) struct CheckedMessage {
    to: Receivers,
    sent: MessageSent,
}

#[derive(Default)]
struct Receivers {
    at_once: SeatSet,
    held: SeatSet,
}

impl Receivers {
    fn add(&mut self, seat: Seat, press: Press) {
        match press {
            Press::AtOnce => self.at_once.insert(seat),
            Press::Held => self.held.insert(seat),
        };
    }
}

/// Checks a message's text. In an export, the text may be missing if there is a commitment to it.
fn check_text(sent: &MessageSent) -> Result<(), Fault> {
    let text = &sent.text;
    if text.is_empty() && !sent.text_commitment.is_empty() {
        return Ok(());
    }
    if text.trim().is_empty() {
        return Err(Fault::field("text", "A message cannot be blank."));
    }
    let length = text.chars().count();
    if length > TEXT_CHARS_MAX {
        let text = format!("The message has {length} characters; the maximum is {TEXT_CHARS_MAX}.");
        return Err(Fault::field("text", text));
    }
    if text.chars().any(|char| char.is_control() && char != '\n' && char != '\t') {
        let text = "A message can contain no control characters except line breaks and tabs.";
        return Err(Fault::field("text", text));
    }
    Ok(())
}
