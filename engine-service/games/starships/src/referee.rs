//! One step of the game being resolved: the game, its dice, and what was told so far.

use heliopause_kernel::{Audience, Dice, Draw, Emitted, Seat, SeatSet};

use crate::board::Place;
use crate::event::{Cause, Event, MoveEvent, PlanetEvent, TurnEvent};
use crate::game::Starships;
use crate::pieces::Piece;
use crate::table::{Resume, Stage, Table};

/// Resolves one order or one default. The rules of each chapter are methods of it, in the module of
/// that chapter.
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

    /// Tells an audience of an event. The game changes by what the game master is told, and by
    /// nothing else.
    fn tell(&mut self, audience: Audience, event: impl Into<Event>) {
        let event = event.into();
        if audience.game_master {
            self.game.apply(&event);
        }
        self.told.tell(audience, event);
    }

    /// Tells everybody.
    pub(crate) fn announce(&mut self, event: impl Into<Event>) {
        self.tell(Audience::everyone(), event);
    }

    /// Tells one seat, and the game master.
    pub(crate) fn whisper(&mut self, seat: Seat, event: impl Into<Event>) {
        self.tell(Audience::seat(seat), event);
    }

    /// Tells some seats, and the game master.
    pub(crate) fn confide(&mut self, seats: SeatSet, event: impl Into<Event>) {
        self.tell(Audience::seats(seats), event);
    }

    /// Tells only the game master.
    pub(crate) fn record(&mut self, event: impl Into<Event>) {
        self.tell(Audience::game_master(), event);
    }

    /// A roll for a piece, named by the player-turn so that nothing that other seats do can change
    /// it.
    pub(crate) fn roll(&mut self, purpose: &'static str, piece: Piece, nth: u32) -> u8 {
        let turn = self.table().turn_number();
        self.dice.d6(Draw::new(purpose).at(turn).of(piece.key()).nth(nth))
    }

    /// Moves to another stage, if it is another.
    pub(crate) fn enter(&mut self, stage: Stage) {
        if self.table().stage != stage {
            self.announce(TurnEvent::StageChanged { stage });
        }
    }

    /// A seat sees what a hex holds and whose it is (3.6), if that is news to it.
    pub(crate) fn see(&mut self, seat: Seat, at: Place) {
        let truth = self.game.secrets.note(at);
        let known = self.table().shown[at.index()]
            .or(self.game.secrets.own[seat.index()].notes[at.index()]);
        if known != Some(truth) {
            self.whisper(
                seat,
                PlanetEvent::Noted { seat, at, marker: truth.marker, owner: truth.owner },
            );
        }
    }

    /// Removes a piece for a reason that everybody may know; a base takes what hangs on it along
    /// (R22).
    pub(crate) fn lose(&mut self, piece: Piece, cause: Cause) {
        let Some(at) = self.table().place_of(piece) else { return };
        self.announce(MoveEvent::Lost { piece, at, cause: Some(cause) });
        self.after_loss(piece);
    }

    /// Removes a piece for a reason that only these seats may know (R25).
    pub(crate) fn lose_secretly(&mut self, piece: Piece, cause: Cause, to: SeatSet) {
        let Some(at) = self.table().place_of(piece) else { return };
        self.confide(to, MoveEvent::Lost { piece, at, cause: Some(cause) });
        self.told.tell(Audience::others(to), MoveEvent::Lost { piece, at, cause: None }.into());
        self.after_loss(piece);
    }

    fn after_loss(&mut self, piece: Piece) {
        if let Piece::Base(base) = piece {
            self.after_base_lost(base.owner);
        }
    }

    /// Puts the game in order after an action: its end, a player on turn who is out, broken words.
    pub(crate) fn settle(&mut self) {
        if self.has_ended() {
            return;
        }
        let table = self.table();
        let active = table.active;
        let acting = matches!(table.stage, Stage::Turn | Stage::Battle(_));
        if acting && !table.is_alive(active) {
            self.end_turn_of_the_lost();
        } else if table.stage == Stage::Turn
            && !table.broken.is_empty()
            && self.game.secrets.own[active.index()].owes.is_none()
        {
            self.make_good(Resume::Turn);
        }
    }
}
