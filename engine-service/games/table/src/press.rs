//! Messages between seats and the game master.

use heliopause_kernel::{Audience, Press, Seat, SeatSet};
use heliopause_proto::store::v1::{HeldMessage, MessageSent, OrdersGiven, seat_state};
use heliopause_proto::v1::{ErrorReason, GameStatus, Message};

use crate::telling::Telling;
use crate::time::stamp;
use crate::{Fault, Table};

const TEXT_CHARS_MAX: usize = 4_000;
/// The longest message of automation, and the most messages of one answer.
const AUTOMATED_TEXT_CHARS_MAX: usize = 500;
const AUTOMATED_MESSAGES_MAX: usize = 8;
/// How many messages a seat may have sent and received in one game.
const MESSAGES_MAX: usize = 10_000;
/// How many messages may wait at one table until their receivers may hear them.
const HELD_MAX: usize = 200;

impl Table {
    pub(crate) fn send(
        &mut self,
        by: &str,
        sent: &MessageSent,
        telling: &mut Telling,
    ) -> Result<(), Fault> {
        check_text(sent)?;
        let from = self.sender(by, sent)?;
        let to = self.addressed(from, sent, 1)?;
        self.post(from, &to, sent, 1, telling);
        Ok(())
    }

    /// Automation's messages for its seat: ready to be posted, or the reason against it, and then
    /// nothing has happened.
    pub(crate) fn letters(&self, seat: Seat, given: &OrdersGiven) -> Result<Vec<Letter>, Fault> {
        let written = given.messages.as_slice();
        if written.is_empty() {
            return Ok(Vec::new());
        }
        let at_fault = |fault: Fault| Fault { field: Some("messages".to_owned()), ..fault };
        if given.automation.is_empty() || !self.may_write(seat) {
            let text = "Automation that stands in for a player does not write for them.";
            return Err(at_fault(Fault::new(ErrorReason::PressRefused, text)));
        }
        if written.len() > AUTOMATED_MESSAGES_MAX {
            let text = format!("An answer carries at most {AUTOMATED_MESSAGES_MAX} messages.");
            return Err(Fault::field("messages", text));
        }
        let letter = |sent: &MessageSent| {
            check_text(sent)?;
            if sent.text.chars().count() > AUTOMATED_TEXT_CHARS_MAX {
                let text = format!(
                    "What automation writes has at most {AUTOMATED_TEXT_CHARS_MAX} characters."
                );
                return Err(Fault::field("messages", text));
            }
            let to = self.addressed(Some(seat), sent, written.len())?;
            Ok(Letter { to, sent: sent.clone() })
        };
        written.iter().map(letter).collect::<Result<_, Fault>>().map_err(at_fault)
    }

    /// Whether automation may write for a seat: not if it only stands in for a player.
    pub(crate) fn may_write(&self, seat: Seat) -> bool {
        matches!(self.state.seats[seat.index()].occupant, Some(seat_state::Occupant::Automated(_)))
    }

    /// Posts what was found good before.
    pub(crate) fn post_letters(&mut self, seat: Seat, letters: &[Letter], telling: &mut Telling) {
        for (letter, text) in letters.iter().zip(1..) {
            self.post(Some(seat), &letter.to, &letter.sent, text, telling);
        }
    }

    /// The receivers of a message, if all of them may get it and so many messages more find room.
    fn addressed(
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
            let text = format!("A seat has sent or received {MESSAGES_MAX} messages already.");
            return Err(Fault::new(ErrorReason::QuotaExceeded, text)
                .with("quota", "messages")
                .with("limit", MESSAGES_MAX));
        }
        if !to.held.is_empty() && self.state.held.len() + more > HELD_MAX {
            let text = "Too many messages are waiting for seats that may not hear them now.";
            return Err(Fault::new(ErrorReason::QuotaExceeded, text)
                .with("quota", "held")
                .with("limit", HELD_MAX));
        }
        Ok(to)
    }

    /// Posts a message, whose text has this number among the texts.
    fn post(
        &mut self,
        from: Option<Seat>,
        to: &Receivers,
        sent: &MessageSent,
        text: u32,
        telling: &mut Telling,
    ) {
        let message = Message {
            number: 0,
            send_time: Some(stamp(telling.now)),
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
            self.tell_message(from, own, text, telling);
        }
        self.tell_game_master(message.clone(), text, telling);
        self.hand_over(from, to.at_once, &message, text, telling);
        if !to.held.is_empty() {
            self.state.held.push(HeldMessage {
                message: Some(message),
                from_seat: from.map_or(0, Seat::number),
                waiting: to.held.bits(),
                text_commitment: telling.texts.commitment(text),
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
            let text = "In this game players write to all, or to nobody.";
            return Err(Fault::new(ErrorReason::PressRefused, text).with("refusal", "public-only"));
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
                return Err(Fault::field("to_seats", "A message to yourself goes nowhere."));
            }
            receivers.add(to, self.press(from, to, sent.anonymous)?);
        }
        if sent.to_game_master && self.created().game_master.is_none() && !self.is_sandbox() {
            return Err(Fault::field("to_game_master", "This game has no game master."));
        }
        if receivers.at_once.is_empty() && receivers.held.is_empty() && !sent.to_game_master {
            if !sent.to_all {
                return Err(Fault::field("to_seats", "Name at least one receiver."));
            }
            // The game refused all of them: say why, by the rule that refused the first.
            let first = Seat::first(self.players()).find(|&to| Some(to) != from);
            let nobody = "There is nobody whom this message can reach";
            first.map_or(Ok(Press::AtOnce), |to| self.press(from, to, sent.anonymous)).map_err(
                |fault| {
                    let message = format!(
                        "{nobody}: for each of the others it is refused. {}",
                        fault.message
                    );
                    Fault { message, ..fault }
                },
            )?;
            return Err(Fault::new(ErrorReason::PressRefused, format!("{nobody}.")));
        }
        Ok(receivers)
    }

    /// Whether the game lets players write only messages that everybody reads.
    fn only_public_press(&self) -> bool {
        let in_play = matches!(self.status(), GameStatus::Running | GameStatus::Paused);
        in_play && self.game.as_ref().is_some_and(|game| game.only_public_press())
    }

    /// The game's verdict on a message; the game master may always write, and so may everybody
    /// outside of play.
    fn press(&self, from: Option<Seat>, to: Seat, anonymous: bool) -> Result<Press, Fault> {
        let in_play = matches!(self.status(), GameStatus::Running | GameStatus::Paused);
        let game = self.game.as_ref().filter(|_| in_play);
        let (Some(from), Some(game)) = (from, game) else {
            if anonymous {
                return Err(Fault::field("anonymous", "Only a seat in play can hide its name."));
            }
            return Ok(Press::AtOnce);
        };
        game.press(from, to, anonymous).map_err(|refusal| {
            Fault::new(ErrorReason::PressRefused, refusal.to_string())
                .with("refusal", &refusal.reason)
                .with("rule", &refusal.rule)
        })
    }

    fn hand_over(
        &mut self,
        from: Option<Seat>,
        to: SeatSet,
        message: &Message,
        text: u32,
        telling: &mut Telling,
    ) {
        let shown = if message.anonymous {
            Message { from_seat: None, ..message.clone() }
        } else {
            message.clone()
        };
        for seat in to.iter() {
            let own = if message.anonymous { vec![seat.number()] } else { shown.to_seats.clone() };
            self.tell_message(seat, Message { to_seats: own, ..shown.clone() }, text, telling);
            if let Some(from) = from {
                self.note_contact(from, seat, message.anonymous, telling);
            }
        }
    }

    fn note_contact(&mut self, from: Seat, to: Seat, anonymous: bool, telling: &mut Telling) {
        let names = self.all_names();
        if let Some(game) = self.game.as_mut() {
            telling.game(game.messaged(from, to, anonymous, &|seat| names[seat.index()].clone()));
        }
    }

    fn tell_message(&mut self, seat: Seat, message: Message, text: u32, telling: &mut Telling) {
        let entry = self.state.entry + 1;
        let list = &mut self.state.seats[seat.index()].message_entries;
        list.push(entry);
        let message = Message { number: list.len() as u64, ..message };
        let sentence = self.letter(Some(seat), &message);
        let audience = Audience { game_master: false, ..Audience::seat(seat) };
        telling.message(audience, sentence, message, text);
    }

    /// A message as a sentence for a seat, or for the game master: whose it is and who reads it. Its
    /// text ends the sentence.
    fn letter(&self, reader: Option<Seat>, message: &Message) -> String {
        let is_reader = |seat: u32| reader.is_some_and(|reader| reader.number() == seat);
        let name = |&seat: &u32| match Seat::numbered(seat) {
            Some(_) if is_reader(seat) => "you".to_owned(),
            Some(seat) => self.name(seat),
            None => "somebody".to_owned(),
        };
        let says = match message.from_seat {
            Some(from) if is_reader(from) => "You write".to_owned(),
            Some(from) => format!("{} writes", name(&from)),
            None if message.from_game_master => "The game master writes".to_owned(),
            None => "Somebody writes".to_owned(),
        };
        let others = self.players() - usize::from(message.from_seat.is_some());
        let mut to: Vec<String> = match message.to_seats.len() {
            all if all > 1 && all == others => vec!["everybody".to_owned()],
            _ => message.to_seats.iter().map(name).collect(),
        };
        if message.to_game_master {
            to.push("the game master".to_owned());
        }
        format!("{says} to {}: ", to.join(", "))
    }

    fn tell_game_master(&mut self, message: Message, text: u32, telling: &mut Telling) {
        let entry = self.state.entry + 1;
        self.state.message_entries.push(entry);
        let message = Message { number: self.state.message_entries.len() as u64, ..message };
        let sentence = self.letter(None, &message);
        telling.message(Audience::game_master(), sentence, message, text);
    }

    /// Delivers waiting messages to those who may hear them now.
    pub(crate) fn deliver_held(&mut self, telling: &mut Telling) {
        if self.state.held.is_empty() {
            return;
        }
        let game = self.game.as_ref();
        let hears: SeatSet = Seat::first(self.state.seats.len())
            .filter(|&seat| game.is_none_or(|game| game.hears(seat)))
            .collect();
        self.hand_over_held(hears, telling);
    }

    /// The game is over: everybody may hear all messages that waited for them.
    pub(crate) fn release_held(&mut self, telling: &mut Telling) {
        self.hand_over_held(SeatSet::from_bits(u64::MAX), telling);
    }

    fn hand_over_held(&mut self, hears: SeatSet, telling: &mut Telling) {
        for mut held in std::mem::take(&mut self.state.held) {
            let waiting = SeatSet::from_bits(held.waiting);
            let message = held.message.clone().unwrap_or_default();
            let receivers = waiting.intersection(hears);
            if !receivers.is_empty() {
                let text = telling.texts.add(&held.salt, &held.text, &held.text_commitment);
                let from = Seat::numbered(held.from_seat);
                self.hand_over(from, receivers, &message, text, telling);
            }
            held.waiting = waiting.difference(hears).bits();
            if held.waiting != 0 {
                self.state.held.push(held);
            }
        }
    }

    /// The entries that told a seat (or, without one, the game master) of each of its messages,
    /// oldest first.
    pub fn message_entries(&self, seat: Option<Seat>) -> &[u64] {
        match seat {
            Some(seat) => &self.state.seats[seat.index()].message_entries,
            None => &self.state.message_entries,
        }
    }
}

/// A message of automation that may be sent.
pub(crate) struct Letter {
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

/// Checks a message's text. A journal without it is replayed by its commitment.
fn check_text(sent: &MessageSent) -> Result<(), Fault> {
    let text = &sent.text;
    if text.is_empty() && !sent.text_commitment.is_empty() {
        return Ok(());
    }
    if text.trim().is_empty() || text.chars().count() > TEXT_CHARS_MAX {
        return Err(Fault::field(
            "text",
            format!("A message has 1 to {TEXT_CHARS_MAX} characters."),
        ));
    }
    if text.chars().any(|char| char.is_control() && char != '\n' && char != '\t') {
        return Err(Fault::field(
            "text",
            "A message has no control characters but line breaks and tabs.",
        ));
    }
    Ok(())
}
