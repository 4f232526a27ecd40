//! Which orders are legal, by what their seat may know. The rule of each order is judged in the
//! module of its chapter.

use heliopause_kernel::{Refusal, Seat};

use crate::board::Place;
use crate::knowledge::{Eyes, Owed};
use crate::order::Order;
use crate::pieces::{BaseId, BaseNumber, Piece, Ship, ShipId};
use crate::table::{Stage, Status};

/// What judging says.
pub(crate) type Verdict = Result<(), Refusal>;

/// A refusal.
pub(crate) fn refuse<T>(
    reason: &'static str,
    rule: &'static str,
    message: impl Into<String>,
) -> Result<T, Refusal> {
    Err(Refusal::new(reason, rule, message))
}

impl Eyes<'_> {
    /// Judges an order.
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

    /// Whether the seat may act in its turn now (3.2, 3.5).
    pub(crate) fn may_act(&self) -> Verdict {
        if self.table.active != self.seat {
            return refuse("not-your-turn", "3.5", "It is not your turn.");
        }
        if self.own.owes.is_some() {
            return refuse("decision-open", "3.2", "You owe another decision first.");
        }
        match self.table.stage {
            Stage::Turn => Ok(()),
            Stage::Battle(_) => refuse("battle-open", "3.2", "Fight on or withdraw first."),
            Stage::Zones { .. } | Stage::Growth => {
                refuse("death-star-acts", "8", "The Death Star decides first.")
            }
            Stage::Word { .. } => {
                refuse("word-open", "R13", "A broken word must be made good first.")
            }
            Stage::Over(_) => refuse("game-over", "9", "The game is over."),
        }
    }

    /// Whether the seat is a player who may negotiate now, outside their own turn (3.5).
    pub(crate) fn may_negotiate(&self) -> Verdict {
        if !self.table.is_alive(self.seat) {
            return refuse("not-a-player", "3.5", "Only players negotiate.");
        }
        if self.table.active == self.seat {
            return refuse("own-turn", "3.5", "You may not negotiate in your own turn.");
        }
        Ok(())
    }

    /// Another player still in the game.
    pub(crate) fn other_player(&self, seat: Seat) -> Verdict {
        if seat == self.seat || !self.table.is_alive(seat) {
            return refuse("no-such-player", "2", "Name another player who is still in the game.");
        }
        Ok(())
    }

    /// A starship of this seat.
    pub(crate) fn own_ship(&self, id: ShipId) -> Result<&Ship, Refusal> {
        match self.table.ship(id) {
            Some(ship) if id.owner == self.seat => Ok(ship),
            _ => refuse("no-such-starship", "2", format!("You have no starship {id}.")),
        }
    }

    /// The name of one of this seat's bases.
    pub(crate) fn base_id(&self, number: BaseNumber) -> BaseId {
        BaseId { owner: self.seat, number }
    }

    /// Where a piece of this seat is that may still act this turn (3.4).
    pub(crate) fn ready(&self, piece: Piece) -> Result<Place, Refusal> {
        let (Some(at), Some(done)) = (self.table.place_of(piece), self.table.done(piece)) else {
            return refuse("no-such-piece", "2", format!("There is no {piece}."));
        };
        if piece.owner() != self.seat {
            return refuse("not-yours", "2", format!("{piece} is not yours."));
        }
        if done.withdrew {
            return refuse(
                "withdrew",
                "R3",
                format!("{piece} withdrew and does nothing more this turn."),
            );
        }
        Ok(at)
    }

    /// A decision owed beside the turn.
    pub(crate) fn owed<T>(&self, pick: impl Fn(Owed) -> Option<T>) -> Result<T, Refusal> {
        match self.own.owes.and_then(pick) {
            Some(what) => Ok(what),
            None => refuse("nothing-asked", "3.5", "Nobody has asked you for that."),
        }
    }
}
