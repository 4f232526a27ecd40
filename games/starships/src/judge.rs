//! The legality of orders. A verdict depends only on what is visible to the seat.

use heliopause_kernel::{Refusal, Seat};

use crate::board::Place;
use crate::describe::subject;
use crate::knowledge::{Owed, SeatView};
use crate::order::Order;
use crate::pieces::{BaseId, BaseNumber, Piece, Ship, ShipId, letter};
use crate::table::{Stage, Status};

pub(crate) type Verdict = Result<(), Refusal>;

pub(crate) fn refuse<T>(
    reason: &'static str,
    rule: &'static str,
    message: impl Into<String>,
) -> Result<T, Refusal> {
    Err(Refusal::new(reason, rule, message))
}

impl SeatView<'_> {
    pub(crate) fn judge(&self, order: &Order) -> Verdict {
        if self.table.is_over() {
            return refuse("game-over", "9", "The game is over.");
        }
        if self.table.status(self.seat) == Some(Status::Eliminated) {
            return refuse("out-of-the-game", "R22", "You are out of the game.");
        }
        match *order {
            Order::Build { count, base } => self.judge_build(count, base),
            Order::Move { ship, to } => self.judge_move(ship, to),
            Order::Warp { ship, via, to } => self.judge_warp(ship, via, to),
            Order::MoveBase { base, via, to } => self.judge_move_base(base, via, to),
            Order::Settle { base } => self.judge_settle(base),
            Order::Attempt { piece, means } => self.judge_attempt(piece, means),
            Order::Attack { piece, target } => self.judge_attack(piece, target),
            Order::FightOn | Order::Withdraw => self.judge_battle(),
            Order::Fire | Order::HoldFire => self.judge_fire(),
            Order::FaceUp { at } => self.judge_face_up(at),
            Order::Mark { at } => self.judge_mark(at),
            Order::Unmark { at } => self.judge_unmark(at),
            Order::Give { at, to } => self.judge_give(at, to),
            Order::End => self.judge_end(),
            Order::Vote { against, withdrawn } => self.judge_vote(against, withdrawn),
            Order::Offer { to, agreement } => self.judge_offer(to, agreement),
            Order::Accept { from, agreement } => self.judge_accept(from, agreement),
            Order::Retract { to, agreement } => self.judge_retract(to, agreement),
            Order::EndPartnership => self.judge_end_partnership(),
            Order::Pledge { to, promise, until } => self.judge_pledge(to, promise, until),
            Order::Sacrifice { ship } => self.judge_sacrifice(ship),
            Order::ChooseShip { ship } => self.judge_choose_ship(ship),
            Order::ChoosePlanet { at } => self.judge_choose_planet(at),
            Order::Zone { at } => self.judge_zone(at),
            Order::Grow { from, to } => self.judge_grow(from, to),
            Order::Stop => self.judge_stop(),
        }
    }

    pub(crate) fn may_act(&self) -> Verdict {
        if self.table.active != self.seat {
            return refuse("not-your-turn", "3.5", "It is not your turn.");
        }
        if self.own.owes.is_some() {
            return refuse("decision-open", "3.2", "Make your pending decision first.");
        }
        match self.table.stage {
            Stage::Turn => Ok(()),
            Stage::Battle(_) => refuse("battle-open", "3.2", "Fight on or withdraw first."),
            Stage::Zones { .. } | Stage::Growth => {
                refuse("death-star-acts", "8", "Wait for the Death Star's decision.")
            }
            Stage::Breach { .. } => {
                refuse("word-open", "R13", "Wait for the choice of the penalty for a broken word.")
            }
            Stage::Over(_) => refuse("game-over", "9", "The game is over."),
        }
    }

    pub(crate) fn may_negotiate(&self) -> Verdict {
        if !self.table.is_alive(self.seat) {
            return refuse("not-a-player", "3.5", "Only players can negotiate.");
        }
        if self.table.active == self.seat {
            return refuse("own-turn", "3.5", "You cannot negotiate in your own turn.");
        }
        Ok(())
    }

    pub(crate) fn other_player(&self, seat: Seat) -> Verdict {
        if seat == self.seat {
            return refuse("no-such-player", "2", "Choose another player instead of yourself.");
        }
        if !self.table.is_alive(seat) {
            let name = letter(seat);
            let text = format!("{name} is not a player in the game: choose a player who is.");
            return refuse("no-such-player", "2", text);
        }
        Ok(())
    }

    pub(crate) fn own_ship(&self, id: ShipId) -> Result<&Ship, Refusal> {
        match self.table.ship(id) {
            Some(ship) if id.owner == self.seat => Ok(ship),
            _ => refuse("no-such-starship", "2", format!("You have no starship {id}.")),
        }
    }

    pub(crate) fn base_id(&self, number: BaseNumber) -> BaseId {
        BaseId { owner: self.seat, number }
    }

    /// Returns the place of a piece. Refuses a piece of another player, and a piece that withdrew
    /// from a battle this turn (3.4).
    pub(crate) fn ready(&self, piece: Piece) -> Result<Place, Refusal> {
        let (Some(at), Some(done)) = (self.table.place_of(piece), self.table.done(piece)) else {
            return refuse(
                "no-such-piece",
                "2",
                format!("{} is not on the board.", subject(piece)),
            );
        };
        if piece.owner() != self.seat {
            return refuse("not-yours", "2", format!("{} is not yours.", subject(piece)));
        }
        if done.withdrew {
            return refuse(
                "withdrew",
                "R3",
                format!(
                    "{} cannot act again this turn, because it withdrew from a battle.",
                    subject(piece)
                ),
            );
        }
        Ok(at)
    }

    /// Returns what `pick` selects from the pending decision outside the normal turn. Refuses if
    /// there is no such decision, or if `pick` selects nothing.
    pub(crate) fn owed<T>(&self, pick: impl Fn(Owed) -> Option<T>) -> Result<T, Refusal> {
        match self.own.owes.and_then(pick) {
            Some(what) => Ok(what),
            None => refuse("nothing-asked", "3.5", "You do not have that decision to make now."),
        }
    }
}
