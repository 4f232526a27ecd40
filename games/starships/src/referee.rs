//! The resolution of one step of the game.

use heliopause_kernel::{Audience, Dice, Draw, Emitted, Seat, SeatSet};

use crate::board::Place;
use crate::event::{Cause, Event, MoveEvent, PlanetEvent, TurnEvent};
use crate::game::Starships;
use crate::pieces::Piece;
use crate::table::{Resume, Stage, Table};

/// Resolves one order or default. The modules of the chapters implement most of its methods.
pub(crate) struct Referee<'a> {
    pub(crate) game: &'a mut Starships,
    pub(crate) dice: &'a mut Dice,
    pub(crate) told: Emitted<Event>,
}

impl<'a> Referee<'a> {
    pub(crate) fn new(game: &'a mut Starships, dice: &'a mut Dice) -> Self {
        Self { game, dice, told: Emitted::new() }
    }

    pub(crate) fn table(&self) -> &Table {
        &self.game.table
    }

    /// Publishes an event, and applies it to the game if the game master receives it.
    fn publish(&mut self, audience: Audience, event: impl Into<Event>) {
        let event = event.into();
        if audience.game_master {
            self.game.apply(&event);
        }
        self.told.publish(audience, event);
    }

    pub(crate) fn publish_to_all(&mut self, event: impl Into<Event>) {
        self.publish(Audience::everyone(), event);
    }

    pub(crate) fn publish_to_seat(&mut self, seat: Seat, event: impl Into<Event>) {
        self.publish(Audience::seat(seat), event);
    }

    pub(crate) fn publish_to_seats(&mut self, seats: SeatSet, event: impl Into<Event>) {
        self.publish(Audience::seats(seats), event);
    }

    pub(crate) fn publish_to_game_master(&mut self, event: impl Into<Event>) {
        self.publish(Audience::game_master(), event);
    }

    /// Rolls a die for a piece. The name of the roll has the player-turn instead of a running
    /// number, so orders of other seats cannot change the result.
    pub(crate) fn roll(&mut self, purpose: &'static str, piece: Piece, nth: u32) -> u8 {
        let turn = self.table().turn_number();
        self.dice.d6(Draw::new(purpose).at(turn).of(piece.key()).nth(nth))
    }

    pub(crate) fn enter(&mut self, stage: Stage) {
        if self.table().stage != stage {
            self.publish_to_all(TurnEvent::StageChanged { stage });
        }
    }

    /// Shows a seat the contents and owner of a hex (3.6), if they are new to the seat.
    pub(crate) fn see(&mut self, seat: Seat, at: Place) {
        let truth = self.game.secrets.note(at);
        let known = self.table().shown[at.index()]
            .or(self.game.secrets.own[seat.index()].notes[at.index()]);
        if known != Some(truth) {
            self.publish_to_seat(
                seat,
                PlanetEvent::HexRevealed { seat, at, marker: truth.marker, owner: truth.owner },
            );
        }
    }

    /// Removes a piece for a public reason. The loss of its last base eliminates the owner (R22).
    pub(crate) fn lose(&mut self, piece: Piece, cause: Cause) {
        let Some(at) = self.table().place_of(piece) else { return };
        self.publish_to_all(MoveEvent::Lost { piece, at, cause: Some(cause) });
        self.after_loss(piece);
    }

    /// Removes a piece, and shows the reason only to the seats in `to` (R25).
    pub(crate) fn lose_secretly(&mut self, piece: Piece, cause: Cause, to: SeatSet) {
        let Some(at) = self.table().place_of(piece) else { return };
        self.publish_to_seats(to, MoveEvent::Lost { piece, at, cause: Some(cause) });
        self.told.publish(Audience::others(to), MoveEvent::Lost { piece, at, cause: None }.into());
        self.after_loss(piece);
    }

    fn after_loss(&mut self, piece: Piece) {
        if let Piece::Base(base) = piece {
            self.after_base_lost(base.owner);
        }
    }

    /// Applies the consequences of a step: ends the game, ends the turn of an eliminated player, or
    /// settles broken pledges.
    pub(crate) fn settle(&mut self) {
        if self.has_ended() {
            return;
        }
        let table = self.table();
        let active = table.active;
        let acting = matches!(table.stage, Stage::Turn | Stage::Battle(_));
        if acting && !table.is_alive(active) {
            self.end_turn_of_eliminated();
        } else if table.stage == Stage::Turn
            && !table.broken.is_empty()
            && self.game.secrets.own[active.index()].owes.is_none()
        {
            self.settle_breaches(Resume::Turn);
        }
    }
}
