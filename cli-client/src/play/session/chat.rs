//! Chat, muting and reports at the prompt.

use heliopause_proto::v1::report_abuse_request::What;
use heliopause_proto::v1::{ChatLine, ChatLineRef, Message};

use super::Session;
use crate::commands::chat::{self, Muted, Reason, Why};
use crate::failure::Failure;

impl Session<'_> {
    /// Prints a new line of the chat.
    pub(super) fn hear_chat(&mut self, line: &ChatLine) {
        let shown = chat::line(&self.screen.style, line);
        self.screen.print(&shown);
    }

    /// Writes a line, or shows the latest lines. The stream shows the written line.
    pub(super) async fn chat(&mut self, text: String) -> Result<(), Failure> {
        if text.is_empty() {
            let latest = chat::latest(&self.screen.style, &self.engine, &self.game).await?;
            self.screen.print(&latest);
            return Ok(());
        }
        let channel = chat::own_channel(&self.game);
        chat::say(&self.engine, &self.table.game, channel, text).await?;
        Ok(())
    }

    /// Mutes or unmutes a seat, or a player by name.
    pub(super) async fn mute(&mut self, who: &str, mutes: bool) -> Result<(), Failure> {
        let whom = match self.seat_of(who) {
            Ok(seat) => Muted { player: self.table.game.clone(), seat: Some(seat) },
            Err(_) => Muted { player: who.to_owned(), seat: None },
        };
        let told = if mutes {
            chat::mute(&self.engine, whom).await?;
            "The player is muted."
        } else {
            chat::unmute(&self.engine, whom).await?
        };
        self.load_mutes().await;
        self.screen.print(told);
        Ok(())
    }

    /// Reports a chat line.
    pub(super) async fn complain(&mut self, number: u64, comment: String) -> Result<(), Failure> {
        let channel = chat::own_channel(&self.game).into();
        let what = What::Line(ChatLineRef { game_id: self.table.game.clone(), channel, number });
        chat::complain(&self.engine, what, Why { reason: Reason::Other, comment }).await?;
        self.screen.print("The operator will see your report.");
        Ok(())
    }

    /// Loads the seats whose messages are hidden. If that fails, keeps the known ones.
    pub(super) async fn load_mutes(&mut self) {
        if let Ok(seats) = chat::muted_seats(&self.engine, &self.table.game).await {
            self.muted = seats;
        }
    }

    pub(super) fn is_muted(&self, letter: &Message) -> bool {
        letter.from_seat.is_some_and(|seat| self.muted.contains(&seat))
    }
}
