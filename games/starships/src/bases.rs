//! Rule 4.4: movement and settling of bases, and the loss of a player's last base (R22).

use heliopause_kernel::Seat;

use crate::board::{PLACES, Place, Places};
use crate::event::{MoveEvent, StandingEvent};
use crate::judge::{Verdict, refuse};
use crate::knowledge::SeatView;
use crate::markers::Marker;
use crate::pieces::{BaseId, BaseNumber, Piece, letter};
use crate::referee::Referee;
use crate::table::Status;

/// The distance that a base can move before it must settle, in three turns of two hexes each (R32).
const REACH: u8 = 6;

impl SeatView<'_> {
    /// Judges the move of a base (rule 4.4, R31). A base moves one or two hexes, never into a Death
    /// Zone.
    pub(crate) fn judge_move_base(
        &self,
        base: BaseNumber,
        via: Option<Place>,
        to: Place,
    ) -> Verdict {
        self.may_act()?;
        let id = self.base_id(base);
        let Some(base) = self.table.base(id) else {
            return refuse(
                "no-such-base",
                "4.4",
                format!("You have no base {}.", id.number.number()),
            );
        };
        self.ready(Piece::Base(id))?;
        if base.done.moved_from.is_some() {
            return refuse("moved", "R3", "The base has already moved this turn.");
        }
        if to == base.at {
            let text = format!("The base is already in {to}: choose another hex.");
            return refuse("no-path", "4.4", text);
        }
        let path = match via {
            Some(via) if !base.at.neighbors().contains(via) || !via.neighbors().contains(to) => {
                Err(format!("{via} and {to} do not form a path from {}.", base.at))
            }
            None if !base.at.neighbors().contains(to) => Err(format!(
                "{to} is not next to {}: to move two hexes, name the first one after `via`.",
                base.at
            )),
            Some(_) | None => Ok(()),
        };
        if let Err(text) = path {
            return refuse("no-path", "4.4", text);
        }
        if let Some(zone) = via.into_iter().chain([to]).find(|hex| self.table.zones.contains(*hex))
        {
            let text = format!("A base cannot enter the Death Zone in {zone}.");
            return refuse("death-zone", "R31", text);
        }
        Ok(())
    }

    /// Judges the settling of a base (rule 4.4, R33). A base settles on a live planet of its owner,
    /// or on an unowned Friendly planet.
    pub(crate) fn judge_settle(&self, base: BaseNumber) -> Verdict {
        self.may_act()?;
        let id = self.base_id(base);
        let at = self.ready(Piece::Base(id))?;
        if self.table.base(id).is_some_and(|base| !base.is_out()) {
            return refuse("settled", "4.4", format!("The base is already settled in {at}."));
        }
        let marker = self.marker(at);
        if !marker.is_some_and(Marker::is_live) {
            return refuse(
                "no-live-planet",
                "4.4",
                format!("{at} is not a live planet, so no base can settle there."),
            );
        }
        let host = |own: bool| {
            self.table.bases.iter().any(|other| {
                other.at == at && !other.is_out() && (other.id.owner == self.seat) == own
            })
        };
        if at == Place::EARTH && host(false) {
            let text = "A base cannot settle on Earth while another player's base is there.";
            return refuse("leaving-is-final", "R33", text);
        }
        match self.owner(at) {
            Some(owner) if owner == self.seat => Ok(()),
            None if at == Place::EARTH && host(true) => refuse(
                "base-there",
                "R21",
                "Earth can be colonized only when no base is on it: your other base is there.",
            ),
            Some(owner) => refuse(
                "not-yours",
                "4.4",
                format!("{at} belongs to player {}: take the planet first.", letter(owner)),
            ),
            None if marker == Some(Marker::Unfriendly) => refuse(
                "unfriendly",
                "4.2",
                format!("{at} is an Unfriendly planet: take it by diplomacy or force first."),
            ),
            None => Ok(()),
        }
    }

    /// Returns the planets that oblige an Exile's base to leave Earth in this turn (R12). Empty if
    /// the player is not an Exile from an earlier round, or if the base cannot move.
    pub(crate) fn must_leave_for(&self) -> Places {
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

    fn is_haven(&self, at: Place) -> bool {
        let Some(note) = self.note(at) else { return false };
        let own = note.owner == Some(self.seat) && note.marker.is_live();
        let free = note.marker == Marker::Friendly
            && note.owner.is_none()
            && !self.table.tokens[at.index()].has_others(self.seat);
        at != Place::EARTH && (own || free)
    }

    /// Returns the distance to every hex on paths without Death Zones. `None` if there is no path.
    fn steps_for_base(&self, from: Place) -> [Option<u8>; PLACES] {
        let mut steps = [None; PLACES];
        steps[from.index()] = Some(0);
        let mut reached = vec![from];
        let mut next = 0;
        while let Some(&place) = reached.get(next) {
            next += 1;
            let onward = steps[place.index()].map(|steps: u8| steps + 1);
            for neighbor in place.neighbors().without(self.table.zones).iter() {
                if steps[neighbor.index()].is_none() {
                    steps[neighbor.index()] = onward;
                    reached.push(neighbor);
                }
            }
        }
        steps
    }

    /// Returns the default move of a base that must leave Earth, or `None` if the base need not
    /// leave (R12). The base moves one or two hexes on a shortest path to the nearest planet. Ties
    /// are broken by lowest q, then r.
    pub(crate) fn default_way_out(&self) -> Option<(Option<Place>, Place)> {
        let from_earth = self.steps_for_base(Place::EARTH);
        let haven =
            self.must_leave_for().iter().min_by_key(|place| (from_earth[place.index()], *place))?;
        let to_haven = self.steps_for_base(haven);
        let onward = |from: Place| {
            from.neighbors().without(self.table.zones).iter().min_by_key(|place| {
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
    /// Moves a base (rule 4.4). Enemies at war in the first hex stop it there (R29).
    pub(crate) fn move_base(&mut self, base: BaseId, via: Option<Place>, to: Place) {
        let Some(from) = self.table().base(base).map(|base| base.at) else { return };
        let piece = Piece::Base(base);
        let stop = via.filter(|&via| self.table().next_enemy(base.owner, via).is_some());
        let (via, to) = match stop {
            Some(stop) => (None, stop),
            None => (via, to),
        };
        self.publish_to_all(MoveEvent::Moved { piece, from, via, to, warp: false });
        self.leave_alliance_without_base_on_earth(base.owner);
        self.see(base.owner, to);
        self.arrive(piece, to);
    }

    pub(crate) fn settle_base(&mut self, base: BaseId) {
        let Some(at) = self.table().base(base).map(|base| base.at) else { return };
        if self.game.secrets.owners[at.index()].is_none() {
            self.take_planet(at, base.owner);
        }
        self.publish_to_all(MoveEvent::Settled { base, at });
    }

    pub(crate) fn leave_alliance_without_base_on_earth(&mut self, seat: Seat) {
        let bound =
            matches!(self.table().status(seat), Some(Status::Alliance | Status::Exiled { .. }));
        let on_earth =
            self.table().bases_of(seat).any(|base| base.at == Place::EARTH && !base.is_out());
        if bound && !on_earth {
            self.publish_to_all(StandingEvent::StatusChanged { seat, status: Status::Independent });
        }
    }

    /// Eliminates a player who has lost every base (R11, R22). A player without a base on Earth
    /// leaves the Alliance.
    pub(crate) fn after_base_lost(&mut self, owner: Seat) {
        if self.table().bases_of(owner).next().is_none() {
            self.publish_to_all(StandingEvent::Eliminated { seat: owner });
        } else {
            self.leave_alliance_without_base_on_earth(owner);
        }
    }
}
