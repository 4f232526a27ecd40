//! Rule 4.4: bases move, settle, and take their owner along when they are lost (R22).

use heliopause_kernel::Seat;

use crate::board::{PLACES, Place, Places};
use crate::event::{MoveEvent, StandingEvent};
use crate::judge::{Verdict, refuse};
use crate::knowledge::Eyes;
use crate::markers::Marker;
use crate::pieces::{BaseId, BaseNumber, Piece};
use crate::referee::Referee;
use crate::table::Status;

/// R32: three turns of two hexes each bring a base this far before it must have settled.
const REACH: u8 = 6;

impl Eyes<'_> {
    /// 4.4, R31: a base moves one or two hexes, never into a Death Zone.
    pub(crate) fn judge_move_base(
        &self,
        base: BaseNumber,
        via: Option<Place>,
        to: Place,
    ) -> Verdict {
        self.may_act()?;
        let id = self.base_id(base);
        let Some(base) = self.table.base(id) else {
            return refuse("no-such-base", "4.4", "You have no such base.");
        };
        self.ready(Piece::Base(id))?;
        if base.done.moved_from.is_some() {
            return refuse("moved", "R3", "The base has moved this turn.");
        }
        let last_step_from = via.unwrap_or(base.at);
        let begins_well = via.is_none_or(|via| base.at.neighbours().contains(via));
        if !begins_well || !last_step_from.neighbours().contains(to) || to == base.at {
            return refuse(
                "no-path",
                "4.4",
                format!("That is no way of one or two hexes from {}.", base.at),
            );
        }
        if via.into_iter().chain([to]).any(|hex| self.table.zones.contains(hex)) {
            return refuse("death-zone", "R31", "A base may not enter a Death Zone.");
        }
        Ok(())
    }

    /// 4.4, R33: a base settles on a live planet that is its owner's, or unowned and Friendly.
    pub(crate) fn judge_settle(&self, base: BaseNumber) -> Verdict {
        self.may_act()?;
        let id = self.base_id(base);
        let at = self.ready(Piece::Base(id))?;
        if self.table.base(id).is_some_and(|base| !base.is_out()) {
            return refuse("settled", "4.4", "The base stands on its planet already.");
        }
        let marker = self.marker(at);
        if !marker.is_some_and(Marker::is_live) {
            return refuse(
                "no-live-planet",
                "4.4",
                format!("{at} is no live planet: it cannot host a base."),
            );
        }
        let host = |own: bool| {
            self.table.bases.iter().any(|other| {
                other.at == at && !other.is_out() && (other.id.owner == self.seat) == own
            })
        };
        if at == Place::EARTH && host(false) {
            let text = "A base may not settle on Earth while another player's base is there.";
            return refuse("leaving-is-final", "R33", text);
        }
        match self.owner(at) {
            Some(owner) if owner == self.seat => Ok(()),
            None if at == Place::EARTH && host(true) => refuse(
                "base-there",
                "R21",
                "Earth can be colonized only when no base is left on it.",
            ),
            Some(_) => refuse("not-yours", "4.4", "The planet is somebody else's: take it first."),
            None if marker == Some(Marker::Unfriendly) => refuse(
                "unfriendly",
                "4.2",
                "The planet is Unfriendly: take it by diplomacy or force first.",
            ),
            None => Ok(()),
        }
    }

    /// R12: the planets that an Exile's base must leave Earth for before the Exile's turn can end;
    /// none if it may stay.
    pub(crate) fn duty_to_leave(&self) -> Places {
        let Some(Status::Exiled { round }) = self.table.status(self.seat) else {
            return Places::NONE;
        };
        let id = self.base_id(BaseNumber::First);
        let can_leave = self.table.base(id).is_some_and(|base| {
            base.at == Place::EARTH
                && !base.is_out()
                && base.done.moved_from.is_none()
                && !base.done.withdrew
        });
        if self.table.round <= round || !can_leave {
            return Places::NONE;
        }
        let steps = self.steps_for_base(Place::EARTH);
        Place::all()
            .filter(|&place| {
                steps[place.index()].is_some_and(|steps| (1..=REACH).contains(&steps))
                    && self.is_haven(place)
            })
            .collect()
    }

    /// R12: a live planet of the player's own, or Friendly without anyone else's ownership marker.
    fn is_haven(&self, at: Place) -> bool {
        let Some(note) = self.note(at) else { return false };
        let own = note.owner == Some(self.seat) && note.marker.is_live();
        let free = note.marker == Marker::Friendly
            && note.owner.is_none()
            && !self.table.tokens[at.index()].has_others(self.seat);
        at != Place::EARTH && (own || free)
    }

    /// Steps from a hex to every other without entering a Death Zone.
    fn steps_for_base(&self, from: Place) -> [Option<u8>; PLACES] {
        let mut steps = [None; PLACES];
        steps[from.index()] = Some(0);
        let mut reached = vec![from];
        let mut next = 0;
        while let Some(&place) = reached.get(next) {
            next += 1;
            let onward = steps[place.index()].map(|steps: u8| steps + 1);
            for neighbour in place.neighbours().without(self.table.zones).iter() {
                if steps[neighbour.index()].is_none() {
                    steps[neighbour.index()] = onward;
                    reached.push(neighbour);
                }
            }
        }
        steps
    }

    /// The default of R12: the first one or two hexes of a shortest way to the nearest haven, ties
    /// lowest q, then r.
    pub(crate) fn way_out(&self) -> Option<(Option<Place>, Place)> {
        let from_earth = self.steps_for_base(Place::EARTH);
        let haven =
            self.duty_to_leave().iter().min_by_key(|place| (from_earth[place.index()], *place))?;
        let to_haven = self.steps_for_base(haven);
        let onward = |from: Place| {
            from.neighbours().without(self.table.zones).iter().min_by_key(|place| {
                (to_haven[place.index()].map_or(u8::MAX, |steps| steps), *place)
            })
        };
        let first = onward(Place::EARTH)?;
        if first == haven {
            return Some((None, first));
        }
        Some((Some(first), onward(first)?))
    }
}

impl Referee<'_> {
    /// 4.4: moves a base. Enemies at war in the first hex stop it there (R29).
    pub(crate) fn move_base(&mut self, base: BaseId, via: Option<Place>, to: Place) {
        let Some(from) = self.table().base(base).map(|base| base.at) else { return };
        let piece = Piece::Base(base);
        let stop = via.filter(|&via| self.table().next_met(base.owner, via).is_some());
        let (via, to) = match stop {
            Some(stop) => (None, stop),
            None => (via, to),
        };
        self.announce(MoveEvent::Moved { piece, from, via, to, warp: false });
        self.leave_alliance_without_base_on_earth(base.owner);
        self.see(base.owner, to);
        self.arrive(piece, to);
    }

    /// 4.4: settles a base; on an unowned Friendly planet that colonizes it.
    pub(crate) fn settle_base(&mut self, base: BaseId) {
        let Some(at) = self.table().base(base).map(|base| base.at) else { return };
        if self.game.secrets.owners[at.index()].is_none() {
            self.take_planet(at, base.owner);
        }
        self.announce(MoveEvent::Settled { base, at });
    }

    /// 7: who has no base on Earth any more is Independent.
    pub(crate) fn leave_alliance_without_base_on_earth(&mut self, seat: Seat) {
        let bound =
            matches!(self.table().status(seat), Some(Status::Alliance | Status::Exiled { .. }));
        let on_earth =
            self.table().bases_of(seat).any(|base| base.at == Place::EARTH && !base.is_out());
        if bound && !on_earth {
            self.announce(StandingEvent::StatusChanged { seat, status: Status::Independent });
        }
    }

    /// R11, R22: whoever has lost their last base is out.
    pub(crate) fn after_base_lost(&mut self, owner: Seat) {
        if self.table().bases_of(owner).next().is_none() {
            self.announce(StandingEvent::Eliminated { seat: owner });
        } else {
            self.leave_alliance_without_base_on_earth(owner);
        }
    }
}
