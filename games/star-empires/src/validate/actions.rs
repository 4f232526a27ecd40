//! Checks of the lines of 6.2 to 6.4: loading, fighting and moving.

use super::LineCheck;
use crate::class::STARBASE;
use crate::geometry::Coord;
use crate::name::Name;
use crate::order::{Selection, Spot};
use crate::reason::Reason;

impl LineCheck<'_> {
    pub(super) fn check_unload(&mut self, ships: &[Name]) {
        for (name, index) in self.own_ships(ships) {
            if !self.lookup.ships[index].is_loaded() {
                self.found.warn(name, Reason::NotLoaded);
            }
        }
    }

    pub(super) fn check_load(&mut self, ships: &[Name], carrier: Name) {
        let lookup = self.lookup;
        let cargo = self.own_ships(ships);
        let Some(onto) = lookup.ship(carrier) else {
            return self.found.reject(carrier, lookup.no_ship(carrier));
        };
        if lookup.ships[onto].is_loaded() && !self.plan.unloaded[onto] {
            self.found.warn(carrier, Reason::NestedLoad);
        }
        let staying = |index: &usize| {
            lookup.carrier(&lookup.ships[*index]) == Some(onto) && self.plan.unloaded[*index]
        };
        let leaving: u32 = match lookup.cargo[onto] {
            0 => 0,
            _ => (0..lookup.ships.len())
                .filter(staying)
                .map(|index| lookup.class(&lookup.ships[index]).tonnage)
                .sum(),
        };
        let racks = u32::from(lookup.class(&lookup.ships[onto]).ratings.racks);
        for (name, index) in cargo {
            let ship = &lookup.ships[index];
            let tonnage = lookup.class(ship).tonnage;
            if index == onto {
                self.found.reject(name, Reason::SelfLoad);
            } else if ship.is_loaded() && !self.plan.unloaded[index] {
                self.found.warn(name, Reason::AlreadyLoaded);
            } else if ship.at != lookup.ships[onto].at {
                self.found.warn(name, Reason::WrongSector);
            } else if lookup.cargo[index] > 0 {
                self.found.warn(name, Reason::NestedLoad);
            } else if lookup.cargo[onto] - leaving + self.plan.loaded_tonnage[onto] + tonnage
                > racks
            {
                self.found.warn(name, Reason::NoRacks);
            } else {
                self.plan.loaded_tonnage[onto] += tonnage;
            }
        }
    }

    pub(super) fn check_destruct(&mut self, ships: &Selection) {
        for (name, index) in self.check_selection(ships) {
            if self.lookup.ships[index].class == STARBASE {
                self.found.reject(name, Reason::IsStarbase);
            }
            self.warn_loaded(name, index);
        }
    }

    pub(super) fn check_fire(&mut self, ships: &Selection, at: &[Name]) {
        let lookup = self.lookup;
        let attackers = self.check_selection(ships);
        self.check_same_sector(&attackers);
        let targets = self.others(at);
        for &(name, index) in &attackers {
            let ship = &lookup.ships[index];
            let missile = lookup.class(ship).is_missile();
            if self.plan.destructed[index] {
                self.found.warn(name, Reason::SelfDestructing);
            } else if missile && !ship.is_loaded() && !self.plan.loaded[index] {
                self.found.warn(name, Reason::MissileNotReady);
            } else if !missile && ship.is_loaded() && !self.plan.unloaded[index] {
                self.found.warn(name, Reason::Loaded);
            } else if lookup.game.galaxy.guns(ship) == 0 {
                self.found.warn(name, Reason::NoGuns);
            }
        }
        let sector = match ships {
            Selection::Ships(_) => {
                attackers.first().map(|&(_, index)| lookup.at(&lookup.ships[index]))
            }
            Selection::All { at, .. } => lookup.spot(*at),
        };
        let seen = |at: Coord| {
            crate::chart::rows_at(&lookup.chart.ships, at).iter().filter(|row| !row.wreck)
        };
        if sector.is_some_and(|at| {
            !seen(at).any(|row| targets.iter().any(|&(_, seat)| seat == row.owner))
        }) {
            self.found.warn(Name::NONE, Reason::NoTargets);
        }
    }

    pub(super) fn check_transmit(&mut self, portals: &[Name], to: &[Name]) {
        let lookup = self.lookup;
        self.contacts(to);
        for &name in portals {
            if !lookup.knows_portal(name) {
                self.found.reject(name, Reason::UnknownName);
            } else if lookup.navigation(name).is_none() {
                self.found.warn(name, Reason::NoNavData);
            }
        }
        self.require_some(portals);
    }

    /// 6.4.2: checks a move. The bounds of space are secret, so a sector beyond them gives the same
    /// warning as any sector out of range (R44).
    pub(super) fn check_move(&mut self, ships: &Selection, to: Spot) {
        let lookup = self.lookup;
        let movers = self.check_selection(ships);
        self.check_same_sector(&movers);
        let to = lookup.spot(to).or_else(|| {
            if let Spot::Object(name) = to {
                self.found.reject(name, Reason::UnknownName);
            }
            None
        });
        for (name, index) in movers {
            let ship = &lookup.ships[index];
            let engines = lookup.engines_after_repair(ship);
            let distance = to.map_or(0, |to| lookup.at(ship).distance(to));
            if std::mem::replace(&mut self.plan.moved[index], true) {
                self.found.warn(name, Reason::AlreadyMoved);
            }
            self.warn_loaded(name, index);
            if self.plan.fires[index] {
                self.found.warn(name, Reason::Fired);
            }
            if engines == 0 {
                self.found.warn(name, Reason::NoEngines);
            } else if distance > u32::from(engines) {
                self.found.warn(name, Reason::TooFar);
            }
        }
    }

    /// 6.4.3: checks a traversal. The exit is contingent: a warning says that the empire has no
    /// navigation data for the exit now, but does not reveal whether such a portal exists.
    pub(super) fn check_traverse(&mut self, ships: &Selection, entry: Name, exit: Option<Name>) {
        let lookup = self.lookup;
        if !lookup.knows_portal(entry) {
            self.found.reject(entry, Reason::UnknownName);
        }
        let gate = lookup.chart.portals.iter().find(|row| row.name == entry).map(|row| row.at);
        for (name, index) in self.check_selection(ships) {
            let ship = &lookup.ships[index];
            self.warn_loaded(name, index);
            if lookup.engines_after_repair(ship) == 0 {
                self.found.warn(name, Reason::NoEngines);
            }
            let ends = self.plan.moves[index].unwrap_or_else(|| lookup.at(ship));
            if gate.is_some_and(|gate| gate != ends) {
                self.found.warn(name, Reason::NotAtPortal);
            }
        }
        let Some(exit) = exit else { return };
        match (lookup.navigation(entry), lookup.navigation(exit)) {
            (Some(entry), Some(leave)) => {
                if !lookup.game.galaxy.portal(entry).exits.contains(&leave) {
                    self.found.warn(exit, Reason::NotConnected);
                }
            }
            (Some(_), None) => self.found.warn(exit, Reason::NoNavData),
            (None, _) => self.found.warn(entry, Reason::NoNavData),
        }
    }

    /// Returns the named ships of a selection. Ships selected by place are determined only when the
    /// line runs (R12).
    fn check_selection(&mut self, selection: &Selection) -> Vec<(Name, usize)> {
        match selection {
            Selection::Ships(names) => self.own_ships(names),
            Selection::All { at, except } => {
                if let (Spot::Object(name), None) = (*at, self.lookup.spot(*at)) {
                    self.found.reject(name, Reason::UnknownName);
                }
                if !except.is_empty() {
                    self.own_ships(except);
                }
                Vec::new()
            }
        }
    }

    /// Notes 4.3: checks that all ships that fire or move by one line are in one sector.
    fn check_same_sector(&mut self, ships: &[(Name, usize)]) {
        let lookup = self.lookup;
        let Some(&(_, first)) = ships.first() else { return };
        for &(name, index) in ships {
            if lookup.ships[index].at != lookup.ships[first].at {
                self.found.reject(name, Reason::WrongSector);
            }
        }
    }

    fn warn_loaded(&mut self, name: Name, index: usize) {
        let stays = self.lookup.ships[index].is_loaded() && !self.plan.unloaded[index];
        if stays || self.plan.loaded[index] {
            self.found.warn(name, Reason::Loaded);
        }
    }
}
