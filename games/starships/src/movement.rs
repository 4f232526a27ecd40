//! Rule 4: movement and discovery of starships.

use heliopause_kernel::{Refusal, Seat, SeatSet};

use crate::board::Place;
use crate::event::{Cause, MoveEvent};
use crate::judge::{Verdict, refuse};
use crate::knowledge::SeatView;
use crate::markers::Marker;
use crate::order::Promise;
use crate::pieces::{Piece, Ship, ShipId};
use crate::referee::Referee;
use crate::table::DeathStar;

impl SeatView<'_> {
    /// Returns a starship of this seat that can move or warp now (rule 4). Refuses a starship that
    /// is Disrupted or has already moved (R3).
    pub(crate) fn movable(&self, ship: ShipId) -> Result<&Ship, Refusal> {
        self.may_act()?;
        let ship = self.own_ship(ship)?;
        self.ready(Piece::Ship(ship.id))?;
        if ship.done.moved_from.is_some() {
            return refuse("moved", "R3", format!("{} has already moved this turn.", ship.id));
        }
        if ship.condition.is_disrupted() {
            return refuse("disrupted", "4", format!("{} is Disrupted and cannot move.", ship.id));
        }
        Ok(ship)
    }

    pub(crate) fn judge_move(&self, ship: ShipId, to: Place) -> Verdict {
        let ship = self.movable(ship)?;
        if !ship.at.neighbors().contains(to) {
            return refuse("too-far", "4", format!("{to} is not next to {}.", ship.at));
        }
        Ok(())
    }

    pub(crate) fn judge_warp(&self, ship: ShipId, via: Place, to: Place) -> Verdict {
        let ship = self.movable(ship)?;
        if !ship.at.neighbors().contains(via) || !via.neighbors().contains(to) {
            return refuse(
                "no-path",
                "4",
                format!("{via} and {to} do not form a path from {}.", ship.at),
            );
        }
        if !ship.at.two_away().contains(to) {
            return refuse("not-two-away", "4", format!("{to} is not two hexes from {}.", ship.at));
        }
        Ok(())
    }
}

impl Referee<'_> {
    /// Moves a starship one hex (rule 4). The effects follow in the order of R28.
    pub(crate) fn move_ship(&mut self, ship: ShipId, to: Place) {
        let Some(from) = self.table().ship(ship).map(|ship| ship.at) else { return };
        let piece = Piece::Ship(ship);
        self.publish_to_all(MoveEvent::Moved { piece, from, via: None, to, warp: false });
        self.break_keep_out(ship.owner, to);
        if self.table().zones.contains(to) {
            self.publish_to_all(MoveEvent::ZoneCleared { at: to });
        }
        if self.game.secrets.markers[to.index()] == Marker::Asteroids {
            self.enter_asteroids(ship);
        }
        self.see(ship.owner, to);
        self.arrive(piece, to);
    }

    /// Rolls for entering Asteroids at normal speed, which Disrupts on 1 to 3 (R6). Only the mover
    /// sees the roll (R25), but the Disruption is public.
    fn enter_asteroids(&mut self, ship: ShipId) {
        let die = self.roll("asteroids", Piece::Ship(ship), 0);
        self.publish_to_seat(ship.owner, MoveEvent::AsteroidsRolled { ship, die });
        if die <= 3 {
            self.publish_to_all(MoveEvent::Disrupted { ship });
        }
    }

    /// Warps a starship (rule 4). Asteroids or a Death Zone in either hex destroy the starship
    /// (R4). Enemies in the first hex stop the starship there without a warp roll (R29).
    pub(crate) fn warp_ship(&mut self, ship: ShipId, via: Place, to: Place) {
        let Some(from) = self.table().ship(ship).map(|ship| ship.at) else { return };
        let piece = Piece::Ship(ship);
        let stopped = self.is_deadly(via) || self.table().next_enemy(ship.owner, via).is_some();
        if stopped {
            self.publish_to_all(MoveEvent::Moved { piece, from, via: None, to: via, warp: true });
        } else {
            self.publish_to_all(MoveEvent::Moved { piece, from, via: Some(via), to, warp: true });
        }
        self.break_keep_out(ship.owner, via);
        if !stopped {
            self.break_keep_out(ship.owner, to);
        }
        let at = if stopped { via } else { to };
        if self.is_deadly(at) {
            return self.wreck(ship, at);
        }
        if !stopped {
            let die = self.roll("warp", piece, 0);
            self.publish_to_all(MoveEvent::WarpRolled { ship, die });
            if die <= 3 {
                self.publish_to_all(MoveEvent::Disrupted { ship });
            }
        }
        self.see(ship.owner, at);
        self.arrive(piece, at);
    }

    fn is_deadly(&self, at: Place) -> bool {
        self.table().zones.contains(at)
            || self.game.secrets.markers[at.index()] == Marker::Asteroids
    }

    /// Destroys a starship at warp speed (R4). Only the owner is shown that Asteroids were the
    /// cause.
    fn wreck(&mut self, ship: ShipId, at: Place) {
        let piece = Piece::Ship(ship);
        if self.table().zones.contains(at) {
            self.lose(piece, Cause::DeathZone);
        } else {
            self.see(ship.owner, at);
            self.lose_secretly(piece, Cause::Asteroids, SeatSet::one(ship.owner));
        }
    }

    /// Meets the undisturbed Death Star in the hex, or fights the enemies there (last step of R28).
    pub(crate) fn arrive(&mut self, piece: Piece, at: Place) {
        let star_here = self.game.secrets.markers[at.index()] == Marker::DeathStar;
        if star_here && self.table().death_star == DeathStar::Undisturbed {
            self.ambush(piece);
        } else {
            self.meet(piece);
        }
    }

    fn break_keep_out(&mut self, mover: Seat, at: Place) {
        self.break_pledges(mover, None, |promise| promise == Promise::KeepOut(at));
    }
}
