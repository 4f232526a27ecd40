//! Checks of the lines of 6.2 to 6.4: loading, fighting and moving.

use super::Finding;
use super::lookup::EmpireLookup;
use super::plan::Plan;
use crate::class::STARBASE;
use crate::geometry::Coord;
use crate::name::Name;
use crate::order::{Selection, Spot};
use crate::reason::Reason;
use crate::ship::Ship;

impl EmpireLookup<'_> {
    pub(super) fn check_unload(&self, found: &mut Finding, ships: &[Name]) {
        for (name, index) in self.own_ships(found, ships) {
            if !self.ships[index].is_loaded() {
                found.warn(name, Reason::NotLoaded);
            }
        }
    }

    pub(super) fn check_load(
        &self,
        found: &mut Finding,
        plan: &mut Plan,
        ships: &[Name],
        carrier: Name,
    ) {
        let cargo = self.own_ships(found, ships);
        let Some(onto) = self.ship(carrier) else {
            return found.reject(carrier, self.no_ship(carrier));
        };
        if self.ships[onto].is_loaded() && !plan.unloaded[onto] {
            found.warn(carrier, Reason::NestedLoad);
        }
        let staying = |index: &usize| {
            self.carrier(&self.ships[*index]) == Some(onto) && plan.unloaded[*index]
        };
        let leaving: u32 = match self.cargo[onto] {
            0 => 0,
            _ => (0..self.ships.len())
                .filter(staying)
                .map(|index| self.class(&self.ships[index]).tonnage)
                .sum(),
        };
        let racks = u32::from(self.class(&self.ships[onto]).ratings.racks);
        for (name, index) in cargo {
            let ship = &self.ships[index];
            let tonnage = self.class(ship).tonnage;
            if index == onto {
                found.reject(name, Reason::SelfLoad);
            } else if ship.is_loaded() && !plan.unloaded[index] {
                found.warn(name, Reason::AlreadyLoaded);
            } else if ship.at != self.ships[onto].at {
                found.warn(name, Reason::WrongSector);
            } else if self.cargo[index] > 0 {
                found.warn(name, Reason::NestedLoad);
            } else if self.cargo[onto] - leaving + plan.loaded_tonnage[onto] + tonnage > racks {
                found.warn(name, Reason::NoRacks);
            } else {
                plan.loaded_tonnage[onto] += tonnage;
            }
        }
    }

    pub(super) fn check_destruct(&self, found: &mut Finding, plan: &Plan, ships: &Selection) {
        for (name, index) in self.check_selection(found, ships) {
            if self.ships[index].class == STARBASE {
                found.reject(name, Reason::IsStarbase);
            }
            self.warn_loaded(found, plan, name, index);
        }
    }

    pub(super) fn check_fire(
        &self,
        found: &mut Finding,
        plan: &Plan,
        ships: &Selection,
        at: &[Name],
    ) {
        let attackers = self.check_selection(found, ships);
        self.check_same_sector(found, &attackers);
        let mut targets = Vec::new();
        for &name in at {
            match self.empire_named(name) {
                None => found.reject(name, Reason::UnknownName),
                Some(seat) if seat == self.seat => found.reject(name, Reason::OwnEmpire),
                Some(seat) => targets.push(seat),
            }
        }
        if at.is_empty() {
            found.reject(Name::NONE, Reason::Syntax);
        }
        for &(name, index) in &attackers {
            let ship = &self.ships[index];
            let missile = self.class(ship).is_missile();
            if plan.destructed[index] {
                found.warn(name, Reason::SelfDestructing);
            } else if missile && !ship.is_loaded() && !plan.loaded[index] {
                found.warn(name, Reason::MissileNotReady);
            } else if !missile && ship.is_loaded() && !plan.unloaded[index] {
                found.warn(name, Reason::Loaded);
            } else if self.game.galaxy.guns(ship) == 0 {
                found.warn(name, Reason::NoGuns);
            }
        }
        let sector = match ships {
            Selection::Ships(_) => attackers.first().map(|&(_, index)| self.at(&self.ships[index])),
            Selection::All { at, .. } => self.spot(*at),
        };
        let seen = |at: Coord| {
            crate::chart::rows_at(&self.chart.ships, at).iter().filter(|row| !row.wreck)
        };
        if sector.is_some_and(|at| !seen(at).any(|row| targets.contains(&row.owner))) {
            found.warn(Name::NONE, Reason::NoTargets);
        }
    }

    pub(super) fn check_transmit(&self, found: &mut Finding, portals: &[Name], to: &[Name]) {
        self.contacts(found, to);
        for &name in portals {
            if !self.knows_portal(name) {
                found.reject(name, Reason::UnknownName);
            } else if self.navigation(name).is_none() {
                found.warn(name, Reason::NoNavData);
            }
        }
        if portals.is_empty() {
            found.reject(Name::NONE, Reason::Syntax);
        }
    }

    /// 6.4.2: checks a move. The bounds of space are secret, so a sector beyond them gives the same
    /// warning as any sector out of range (R44).
    pub(super) fn check_move(
        &self,
        found: &mut Finding,
        plan: &mut Plan,
        ships: &Selection,
        to: Spot,
    ) {
        let movers = self.check_selection(found, ships);
        self.check_same_sector(found, &movers);
        let to = self.spot(to).or_else(|| {
            if let Spot::Object(name) = to {
                found.reject(name, Reason::UnknownName);
            }
            None
        });
        for (name, index) in movers {
            let ship = &self.ships[index];
            let engines = self.engines_after_repair(ship);
            let distance = to.map_or(0, |to| self.at(ship).distance(to));
            if std::mem::replace(&mut plan.moved[index], true) {
                found.warn(name, Reason::AlreadyMoved);
            }
            self.warn_loaded(found, plan, name, index);
            if plan.fires[index] {
                found.warn(name, Reason::Fired);
            }
            if engines == 0 {
                found.warn(name, Reason::NoEngines);
            } else if distance > u32::from(engines) {
                found.warn(name, Reason::TooFar);
            }
        }
    }

    /// 6.4.3: checks a traversal. The exit is contingent: a warning says that the empire has no
    /// navigation data for the exit now, but does not reveal whether such a portal exists.
    pub(super) fn check_traverse(
        &self,
        found: &mut Finding,
        plan: &Plan,
        ships: &Selection,
        entry: Name,
        exit: Option<Name>,
    ) {
        if !self.knows_portal(entry) {
            found.reject(entry, Reason::UnknownName);
        }
        let gate = self.chart.portals.iter().find(|row| row.name == entry).map(|row| row.at);
        for (name, index) in self.check_selection(found, ships) {
            let ship = &self.ships[index];
            self.warn_loaded(found, plan, name, index);
            if self.engines_after_repair(ship) == 0 {
                found.warn(name, Reason::NoEngines);
            }
            let ends = plan.moves[index].unwrap_or_else(|| self.at(ship));
            if gate.is_some_and(|gate| gate != ends) {
                found.warn(name, Reason::NotAtPortal);
            }
        }
        let Some(exit) = exit else { return };
        match (self.navigation(entry), self.navigation(exit)) {
            (Some(entry), Some(leave)) => {
                if !self.game.galaxy.portal(entry).exits.contains(&leave) {
                    found.warn(exit, Reason::NotConnected);
                }
            }
            (Some(_), None) => found.warn(exit, Reason::NoNavData),
            (None, _) => found.warn(entry, Reason::NoNavData),
        }
    }

    /// Returns the named ships of a selection. Ships selected by place are determined only when the
    /// line runs (R12).
    fn check_selection(&self, found: &mut Finding, selection: &Selection) -> Vec<(Name, usize)> {
        match selection {
            Selection::Ships(names) => self.own_ships(found, names),
            Selection::All { at, except } => {
                if let (Spot::Object(name), None) = (*at, self.spot(*at)) {
                    found.reject(name, Reason::UnknownName);
                }
                if !except.is_empty() {
                    self.own_ships(found, except);
                }
                Vec::new()
            }
        }
    }

    /// Notes 4.3: checks that all ships that fire or move by one line are in one sector.
    fn check_same_sector(&self, found: &mut Finding, ships: &[(Name, usize)]) {
        let Some(&(_, first)) = ships.first() else { return };
        for &(name, index) in ships {
            if self.ships[index].at != self.ships[first].at {
                found.reject(name, Reason::WrongSector);
            }
        }
    }

    fn warn_loaded(&self, found: &mut Finding, plan: &Plan, name: Name, index: usize) {
        let stays = self.ships[index].is_loaded() && !plan.unloaded[index];
        if stays || plan.loaded[index] {
            found.warn(name, Reason::Loaded);
        }
    }

    /// Returns the operational engines after the automatic repair (6.3.5), assuming that the ship
    /// is not damaged in combat.
    pub(crate) fn engines_after_repair(&self, ship: &Ship) -> u16 {
        let class = self.class(ship);
        let dp = ship.dp.saturating_add(class.auto_repair()).min(class.ratings.dp);
        class.damage(dp).operational(class.ratings.engines)
    }
}
