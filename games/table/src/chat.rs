//! Who can use a game's chat. The lines themselves are not part of the table.

use heliopause_kernel::{Press, Seat, SeatSet};
use heliopause_proto::store::v1::{Person, SeatState, entrant, seat_state};
use heliopause_proto::v1::{ChatChannel, ErrorReason, GameStatus};

use crate::time::{DAY, Millis, at};
use crate::{Fault, Table};

/// The time after the end of a game for which its chat stays open.
const OPEN_AFTER_END: Millis = 7 * DAY;

/// An account's place at a table, which determines its channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChatPlace {
    Seat(Seat),
    GameMaster,
    /// An account that had a seat after the start, or for which a seat is reserved. It may know
    /// secrets of the table, or take a seat later.
    NearTable,
    Spectator,
    /// A spectator without an account. Players could easily sign out, so it cannot read the comments
    /// of spectators during the game.
    Anonymous,
}

impl ChatPlace {
    /// Returns the refusal of a comment by a guest, which could be a player in disguise.
    pub fn refusal_to_guests() -> Fault {
        refused("guest", "Guests cannot write comments; choose a name for your account first.")
    }
}

impl Table {
    pub fn chat_place(&self, player_id: &str) -> ChatPlace {
        if player_id.is_empty() {
            return ChatPlace::Anonymous;
        }
        if let Some(seat) = self.seat_of(player_id) {
            return ChatPlace::Seat(seat);
        }
        if self.is_game_master(player_id) {
            return ChatPlace::GameMaster;
        }
        let is_near = self.state.former_players.iter().any(|former| former == player_id)
            || Seat::first(self.state.seats.len()).any(|seat| self.is_kept_for(seat, player_id));
        if is_near { ChatPlace::NearTable } else { ChatPlace::Spectator }
    }

    /// Returns whether an account in this place can read a channel now.
    pub fn can_read_chat(&self, place: ChatPlace, channel: ChatChannel) -> bool {
        if self.is_sandbox() {
            return false;
        }
        match (place, channel) {
            (_, ChatChannel::Unspecified) => false,
            _ if self.is_over() => true,
            (ChatPlace::GameMaster, _)
            | (ChatPlace::Seat(_), ChatChannel::Table)
            | (ChatPlace::Spectator, ChatChannel::Spectators) => true,
            (ChatPlace::Seat(_), ChatChannel::Spectators)
            | (ChatPlace::Spectator, ChatChannel::Table)
            | (ChatPlace::NearTable | ChatPlace::Anonymous, _) => false,
        }
    }

    /// Checks that an account in this place can write to a channel now. Returns the seats that
    /// receive the line later.
    pub fn check_chat(
        &self,
        place: ChatPlace,
        channel: ChatChannel,
        now: Millis,
    ) -> Result<SeatSet, Fault> {
        if self.is_sandbox() {
            return Err(refused("sandbox", "Sandbox games have no chat."));
        }
        let ended = at(self.state.ended_at.as_ref()).filter(|_| self.is_over());
        if ended.is_some_and(|ended| now - ended > OPEN_AFTER_END) {
            return Err(refused("closed", "The chat closed seven days after the end of the game."));
        }
        match (place, channel) {
            (_, ChatChannel::Unspecified) => {
                Err(Fault::field("channel", "Choose the table or the spectators."))
            }
            (ChatPlace::Seat(seat), ChatChannel::Table) => self.held_from(seat),
            (ChatPlace::GameMaster, ChatChannel::Table)
            | (ChatPlace::Spectator, ChatChannel::Spectators) => Ok(SeatSet::default()),
            (_, ChatChannel::Table) => {
                let text = "Only seated players and the game master can write at the table.";
                Err(refused("not-seated", text))
            }
            (ChatPlace::Seat(_) | ChatPlace::GameMaster | ChatPlace::NearTable, _)
                if self.is_over() =>
            {
                Ok(SeatSet::default())
            }
            (_, ChatChannel::Spectators) => {
                let text = "Only spectators with an account can comment until the game is over.";
                Err(refused("not-a-spectator", text))
            }
        }
    }

    /// Returns the seats that receive a line of this seat later. Fails unless the game lets the seat
    /// write to every other player.
    fn held_from(&self, from: Seat) -> Result<SeatSet, Fault> {
        let mut held = SeatSet::default();
        let is_player = |seat: Seat| {
            matches!(self.state.seats[seat.index()].occupant, Some(seat_state::Occupant::Player(_)))
        };
        let others = Seat::first(self.players().min(self.state.seats.len()));
        for to in others.filter(|&to| to != from && is_player(to)) {
            if self.press(Some(from), to, false)? == Press::Held {
                held.insert(to);
            }
        }
        Ok(held)
    }

    /// Returns whether a reader in this place must not see a line yet that is held from these seats.
    pub fn is_chat_held(&self, place: ChatPlace, held: SeatSet) -> bool {
        let in_play = matches!(self.status(), GameStatus::Running | GameStatus::Paused);
        let ChatPlace::Seat(seat) = place else { return false };
        in_play
            && held.contains(seat)
            && self.game.as_ref().is_some_and(|game| !game.can_receive(seat))
    }

    /// Returns whether the names of players are hidden now.
    pub fn hides_players(&self) -> bool {
        self.hides_names()
    }

    /// Returns the displayed name of a seat, without its player if the game hides names.
    pub fn seat_name(&self, number: u32) -> String {
        match self.seat_numbered(number) {
            Ok(seat) => self.name(seat),
            Err(_) => String::new(),
        }
    }

    /// Returns the id of the player in a seat.
    pub fn player_in(&self, number: u32) -> Option<&str> {
        let seat = self.seat_numbered(number).ok()?;
        match &self.state.seats[seat.index()].occupant {
            Some(seat_state::Occupant::Player(person)) => Some(&person.player_id),
            _ => None,
        }
    }

    /// Returns the seat of a line's author. Lots may have moved the author since the line was written
    /// from the seat `written`.
    pub fn author_seat(&self, author: &str, written: u32) -> u32 {
        let is_author =
            |state: &SeatState| entrant(state).is_some_and(|person| person.player_id == author);
        let started = (1..).zip(&self.state.seats).find(|(_, state)| is_author(state));
        match self.seat_of(author) {
            Some(seat) => seat.number(),
            None => started.map_or(written, |(number, _)| number),
        }
    }

    /// Returns the numbers of the seats that players hold, with the ids of the players.
    pub fn seated(&self) -> impl Iterator<Item = (u32, &str)> {
        (1..).zip(&self.state.seats).filter_map(|(number, state)| match &state.occupant {
            Some(seat_state::Occupant::Player(person)) => Some((number, person.player_id.as_str())),
            _ => None,
        })
    }

    /// Returns whether the game shows its spectators. The spectators of an anonymous game would hint
    /// at its players, who are not among them.
    pub fn shows_spectators(&self) -> bool {
        let created = self.created();
        !created.is_private && !created.anonymous && !self.is_sandbox()
    }
}

/// Returns the player who had a seat at the start.
fn entrant(state: &SeatState) -> Option<&Person> {
    match &state.entrant.as_ref()?.who {
        Some(entrant::Who::Player(person)) => Some(person),
        _ => None,
    }
}

fn refused(refusal: &'static str, text: &str) -> Fault {
    Fault::new(ErrorReason::MessageRefused, text).with("refusal", refusal)
}
