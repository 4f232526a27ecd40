//! Writes messages, and shows messages by thread.

use heliopause_proto::v1::{Message, SendMessageRequest};

use super::Session;
use crate::commands::talk;
use crate::engine::{once, request_id};
use crate::failure::Failure;
use crate::render;
use crate::style::{Ink, Style};
use crate::wording;
use crate::words::{Number, say};

const LATEST: usize = 3;

struct Thread<'a> {
    partners: String,
    messages: Vec<&'a Message>,
}

impl Session<'_> {
    pub(super) fn seat_of(&self, name: &str) -> Result<u32, Failure> {
        let view = self.view.view.as_ref();
        talk::find_seat(&self.game, name)
            .or_else(|| render::seat_named(view?, name))
            .ok_or_else(|| talk::unknown_name(name).advise(say!("play-table-shows-seats")))
    }

    pub(super) async fn say(&mut self, receivers: &[String], text: String) -> Result<(), Failure> {
        let to_seats = receivers
            .iter()
            .map(|name| self.seat_of(name))
            .collect::<Result<Vec<u32>, Failure>>()?;
        let request = SendMessageRequest {
            game_id: self.table.game.clone(),
            seat: self.table.seat,
            to_all: to_seats.is_empty(),
            to_seats,
            text,
            request_id: request_id()?,
            ..SendMessageRequest::default()
        };
        let engine = &self.engine;
        let sent =
            once(request, async |request| engine.games().send_message(request).await).await?;
        if let Some(letter) = sent.message {
            self.screen.print(&wording::message(&self.screen.style, &self.game, &letter));
        }
        Ok(())
    }

    pub(super) async fn inbox(&mut self, who: &str) -> Result<(), Failure> {
        let messages = talk::messages(&self.engine, &self.table).await?;
        let style = self.screen.style;
        if !who.is_empty() {
            let seat = self.seat_of(who)?;
            let with = |letter: &&Message| {
                letter.from_seat == Some(seat) || letter.to_seats.contains(&seat)
            };
            let messages = messages.iter().filter(with).collect();
            let partners = wording::seat_name(&self.game, seat);
            let text = self.thread(&style, &Thread { partners, messages }, usize::MAX);
            self.screen.print(&text);
            return Ok(());
        }
        let threads = threads(&self.game, self.game.your_seat, &messages);
        let shown = |thread: &Thread<'_>| self.thread(&style, thread, LATEST);
        let text = threads.iter().map(shown).collect::<Vec<_>>().join("\n");
        self.seen.letter = messages.iter().map(|letter| letter.number).max().unwrap_or(0);
        self.keep_seen();
        let none = || say!("play-no-messages");
        self.screen.print(&if messages.is_empty() { none() } else { text });
        Ok(())
    }

    fn thread(&self, style: &Style, thread: &Thread<'_>, latest: usize) -> String {
        let new = thread.messages.iter().filter(|letter| self.is_unread(letter)).count();
        let first_new = thread.messages.iter().position(|letter| self.is_unread(letter));
        let heading = if new > 0 {
            say!(
                "play-new",
                partners = thread.partners,
                count = Number(thread.messages.len()),
                new = new
            )
        } else {
            say!("play-thread", partners = thread.partners, count = Number(thread.messages.len()))
        };
        let mut lines = vec![style.paint(heading, Ink::Heading)];
        let from = thread.messages.len().saturating_sub(latest);
        let from = first_new.map_or(from, |first| from.min(first));
        let line = |letter: &&Message| wording::dated_message(style, &self.game, letter);
        lines.extend(thread.messages[from..].iter().map(line));
        lines.join("\n")
    }

    fn is_unread(&self, letter: &Message) -> bool {
        letter.number > self.seen.letter && letter.from_seat != self.game.your_seat
    }
}

fn threads<'a>(
    game: &heliopause_proto::v1::Game,
    own: Option<u32>,
    messages: &'a [Message],
) -> Vec<Thread<'a>> {
    let mut threads: Vec<Thread<'a>> = Vec::new();
    for letter in messages {
        let partners = wording::partners(game, own, letter);
        match threads.iter_mut().find(|thread| thread.partners == partners) {
            Some(thread) => thread.messages.push(letter),
            None => threads.push(Thread { partners, messages: vec![letter] }),
        }
    }
    threads
}

#[cfg(test)]
mod tests {
    use heliopause_proto::v1::{Game, Seat};

    use super::*;

    #[test]
    fn messages_are_grouped_by_partner() {
        let seat = |number, role: &str| Seat { number, role: role.into(), ..Seat::default() };
        let game = Game {
            seats: vec![seat(1, "Austria"), seat(2, "England"), seat(3, "France")],
            ..Game::default()
        };
        let letter = |from: u32, to: &[u32]| Message {
            from_seat: Some(from),
            to_seats: to.to_vec(),
            ..Message::default()
        };
        let messages = [letter(1, &[2]), letter(2, &[1]), letter(3, &[1, 2]), letter(1, &[2, 3])];
        let found: Vec<(String, usize)> = threads(&game, Some(1), &messages)
            .into_iter()
            .map(|thread| (thread.partners, thread.messages.len()))
            .collect();
        assert_eq!(found, [("England".to_owned(), 2), ("everyone".to_owned(), 2)]);
    }
}
