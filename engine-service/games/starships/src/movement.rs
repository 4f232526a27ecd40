//! Rule 4: movement and discovery of starships.

use heliopause_kernel::{Refusal, Seat, SeatSet};

use crate::board::Place;
use crate::event::{Cause, MoveEvent};
use crate::judge::{Verdict, refuse};
use crate::knowledge::Eyes;
use crate::markers::Marker;
use crate::order::Promise;
use crate::pieces::{Piece, Ship, ShipId};
use crate::referee::Referee;
use crate::table::DeathStar;

impl Eyes<'_> {
    /// 4: a starship that can move or warp now: undisrupted, and not moved yet (R3).
    pub(crate) fn movable(&self, ship: ShipId) -> Result<&Ship, Refusal> {
        self.may_act()?;
        let ship = self.own_ship(ship)?;
        self.ready(Piece::Ship(ship.id))?;
        if ship.done.moved_from.is_some() {
            return refuse("moved", "R3", format!("{} has moved this turn.", ship.id));
        }
        if ship.condition.is_disrupted() {
            return refuse("disrupted", "4", format!("{} is Disrupted and cannot move.", ship.id));
        }
        Ok(ship)
    }

    /// 4: normal movement is one hex.
    pub(crate) fn judge_move(&self, ship: ShipId, to: Place) -> Verdict {
        let ship = self.movable(ship)?;
        if !ship.at.neighbours().contains(to) {
            return refuse("too-far", "4", format!("{to} is not next to {}.", ship.at));
        }
        Ok(())
    }

    /// 4: a warp names two hexes, the second two away from the start.
    pub(crate) fn judge_warp(&self, ship: ShipId, via: Place, to: Place) -> Verdict {
        let ship = self.movable(ship)?;
        if !ship.at.neighbours().contains(via) || !via.neighbours().contains(to) {
            return refuse("no-path", "4", format!("{via} and {to} are no path from {}.", ship.at));
        }
        if !ship.at.two_away().contains(to) {
            return refuse("not-two-away", "4", format!("{to} is not two hexes from {}.", ship.at));
        }
        Ok(())
    }
}

impl Referee<'_> {
    /// 4: moves a starship one hex, in the order of R28.
    pub(crate) fn move_ship(&mut self, ship: ShipId, to: Place) {
        let Some(from) = self.table().ship(ship).map(|ship| ship.at) else { return };
        let piece = Piece::Ship(ship);
        self.announce(MoveEvent::Moved { piece, from, via: None, to, warp: false });
        self.break_keep_out(ship.owner, to);
        if self.table().zones.contains(to) {
            self.announce(MoveEvent::ZoneCleared { at: to });
        }
        if self.game.secrets.markers[to.index()] == Marker::Asteroids {
            self.enter_asteroids(ship);
        }
        self.see(ship.owner, to);
        self.arrive(piece, to);
    }

    /// R6: every entry at normal speed disrupts on 1 to 3. The roll is the mover's secret (R25),
    /// the counter is not.
    fn enter_asteroids(&mut self, ship: ShipId) {
        let die = self.roll("asteroids", Piece::Ship(ship), 0);
        self.whisper(ship.owner, MoveEvent::AsteroidsRolled { ship, die });
        if die <= 3 {
            self.announce(MoveEvent::Disrupted { ship });
        }
    }

    /// 4: warps a starship. Asteroids or a Death Zone in either hex destroy it (R4); enemies in the
    /// first hex stop it there (R29), without a warp roll.
    pub(crate) fn warp_ship(&mut self, ship: ShipId, via: Place, to: Place) {
        let Some(from) = self.table().ship(ship).map(|ship| ship.at) else { return };
        let piece = Piece::Ship(ship);
        let stopped = self.is_deadly(via) || self.table().next_met(ship.owner, via).is_some();
        if stopped {
            self.announce(MoveEvent::Moved { piece, from, via: None, to: via, warp: true });
        } else {
            self.announce(MoveEvent::Moved { piece, from, via: Some(via), to, warp: true });
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
            self.announce(MoveEvent::WarpRolled { ship, die });
            if die <= 3 {
                self.announce(MoveEvent::Disrupted { ship });
            }
        }
        self.see(ship.owner, at);
        self.arrive(piece, at);
    }

    fn is_deadly(&self, at: Place) -> bool {
        self.table().zones.contains(at)
            || self.game.secrets.markers[at.index()] == Marker::Asteroids
    }

    /// R4: the starship is lost; Asteroids become known to its owner, who alone is told of them.
    fn wreck(&mut self, ship: ShipId, at: Place) {
        let piece = Piece::Ship(ship);
        if self.table().zones.contains(at) {
            self.lose(piece, Cause::DeathZone);
        } else {
            self.see(ship.owner, at);
            self.lose_secretly(piece, Cause::Asteroids, SeatSet::one(ship.owner));
        }
    }

    /// R28, last: the undisturbed Death Star's battle, and battle with those at war there.
    pub(crate) fn arrive(&mut self, piece: Piece, at: Place) {
        let star_here = self.game.secrets.markers[at.index()] == Marker::DeathStar;
        if star_here && self.table().death_star == DeathStar::Undisturbed {
            self.ambush(piece);
        } else {
            self.meet(piece);
        }
    }

    /// R13: a starship that passes or enters a hex may break its owner's word to keep out.
    fn break_keep_out(&mut self, mover: Seat, at: Place) {
        self.break_pledges(mover, None, |promise| promise == Promise::KeepOut(at));
    }
}
