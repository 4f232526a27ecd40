//! 6.4.1, 6.4.3, 6.4.4, notes 9: portals and navigation data.

use heliopause_kernel::{Draw, Seat, SeatSet};

use crate::chart::{PortalSeen, SectorSeen};
use crate::ids::{Id, IdSet, PortalId, ShipId};
use crate::ledger::{LineId, Orders};
use crate::name::Name;
use crate::news::What;
use crate::order::{Line, Phase};
use crate::reason::Reason;
use crate::report::Deed;
use crate::section::Section;
use crate::update::Update;

type Journey = (Seat, PortalId, PortalId);

impl Update<'_> {
    /// 6.4.1: runs the TRANSMIT lines. Only data available at the start of the phase is sent (R49).
    pub(crate) fn transmit_navigation_data(&mut self, orders: &Orders) {
        let section = Section::from(Phase::Transmit);
        let mut gifts: Vec<(Seat, Seat, PortalId)> = Vec::new();
        let mut missing: Vec<(LineId, Seat, PortalId)> = Vec::new();
        for (line, seat, it) in orders.of(Phase::Transmit) {
            let Line::Transmit { portals, to } = it else { continue };
            let recipients = self.contacts_among(line, seat, to);
            for &name in portals {
                let Some(portal) = self.names.portal(name) else {
                    self.ledger.failed(line, name, Reason::Vanished);
                    continue;
                };
                if self.galaxy().empire(seat).navigation.contains(portal) {
                    gifts.extend(recipients.iter().map(|&recipient| (seat, recipient, portal)));
                    for _ in &recipients {
                        self.ledger.done(line);
                    }
                } else {
                    missing.push((line, seat, portal));
                }
            }
        }
        let received: std::collections::BTreeSet<(Seat, PortalId)> =
            gifts.iter().map(|&(_, recipient, portal)| (recipient, portal)).collect();
        for (line, seat, portal) in missing {
            let reason = if received.contains(&(seat, portal)) {
                Reason::NavDataNew
            } else {
                Reason::NoNavData
            };
            self.ledger.failed(line, self.galaxy().portal(portal).name, reason);
        }
        for (from, to, portal) in gifts {
            self.meet(section, to, from);
            self.learn_portal(section, to, portal, Some(from));
        }
    }

    pub(crate) fn contacts_among(&mut self, line: LineId, seat: Seat, names: &[Name]) -> Vec<Seat> {
        self.others_among(line, seat, names, self.galaxy().empire(seat).contacts, Reason::NoContact)
    }

    pub(crate) fn known_among(&mut self, line: LineId, seat: Seat, names: &[Name]) -> Vec<Seat> {
        let empire = self.galaxy().empire(seat);
        let known = empire.contacts.union(empire.known_empires);
        self.others_among(line, seat, names, known, Reason::UnknownName)
    }

    /// Returns the empires with these names. Records the ordering empire, and empires not among the
    /// given ones, as failed.
    pub(crate) fn others_among(
        &mut self,
        line: LineId,
        seat: Seat,
        names: &[Name],
        among: SeatSet,
        otherwise: Reason,
    ) -> Vec<Seat> {
        let mut others = Vec::with_capacity(names.len());
        for &name in names {
            match self.names.empire(name) {
                Some(other) if other == seat => self.ledger.failed(line, name, Reason::OwnEmpire),
                Some(other) if among.contains(other) => others.push(other),
                _ => self.ledger.failed(line, name, otherwise),
            }
        }
        others.sort_unstable();
        others.dedup();
        others
    }

    pub(crate) fn learn_portal(
        &mut self,
        section: Section,
        seat: Seat,
        portal: PortalId,
        from: Option<Seat>,
    ) {
        if self.game.galaxy.empire_mut(seat).navigation.insert(portal) {
            self.add_news(section, None, SeatSet::one(seat), What::Navigation { portal, from });
        }
        let galaxy = self.galaxy();
        let (name, at) =
            (galaxy.portal(portal).name, galaxy.empire(seat).frame.local(galaxy.portal(portal).at));
        let chart = &self.game.knowledge[seat.index()].chart;
        if chart.portals.iter().any(|row| row.at == at && row.name == name) {
            return;
        }
        let chart = self.edit_chart(seat);
        if let Err(place) = chart.sectors.binary_search_by_key(&at, |row| row.at) {
            chart.sectors.insert(place, SectorSeen { at, ..SectorSeen::default() });
        }
        let place = chart.portals.partition_point(|row| (row.at, row.name) < (at, name));
        chart.portals.insert(place, PortalSeen { at, name, collapsed: None });
    }

    /// 6.4.3: runs the TRAVERSE lines, after all moves. Returns the traversed connections.
    pub(crate) fn traverse_portals(&mut self, orders: &Orders) -> Vec<Journey> {
        let section = Section::from(Phase::Traverse);
        let (mut journeys, mut arrived) = (Vec::new(), Vec::new());
        let (mut last, mut nth) = (None, 0);
        for (line, seat, it) in orders.of(Phase::Traverse) {
            let Line::Traverse { ships, entry, exit } = it else { continue };
            nth = if last == Some(seat) { nth + 1 } else { 0 };
            last = Some(seat);
            let Some(entry) = self.names.portal(*entry) else {
                self.ledger.failed(line, *entry, Reason::Vanished);
                continue;
            };
            let selected = self.select_live(line, seat, ships);
            let mut kept = Vec::with_capacity(selected.ships.len());
            for id in selected.ships {
                if !selected.named && self.is_immobile(id) {
                    continue;
                }
                match self.cannot_traverse(id, entry) {
                    Some(reason) => self.ship_failed(line, id, reason),
                    None => kept.push(id),
                }
            }
            if kept.is_empty() {
                continue;
            }
            match self.choose_exit(seat, nth, entry, *exit) {
                Err(reason) => kept.iter().for_each(|&id| self.ship_failed(line, id, reason)),
                Ok(exit) => {
                    journeys.push((seat, entry, exit));
                    for id in kept {
                        self.ledger.done(line);
                        self.pass(section, id, exit);
                        arrived.push(id);
                    }
                }
            }
        }
        self.arrive(section, arrived, Deed::LeftPortal);
        journeys
    }

    fn cannot_traverse(&self, id: ShipId, entry: PortalId) -> Option<Reason> {
        let (ship, turn) = (self.galaxy().ship(id), &self.ships[id.index()]);
        if ship.is_loaded() {
            Some(Reason::Loaded)
        } else if turn.fired > 0 {
            Some(Reason::Fired)
        } else if turn.traversed {
            Some(Reason::AlreadyTraversed)
        } else if self.galaxy().engines(ship) == 0 {
            Some(Reason::NoEngines)
        } else {
            (ship.at != self.galaxy().portal(entry).at).then_some(Reason::NotAtPortal)
        }
    }

    /// Notes 9, R47: returns the exit of a line, or why the line fails. An empire with navigation
    /// data for both ends gets the chosen exit. Otherwise the exit is random.
    fn choose_exit(
        &mut self,
        seat: Seat,
        nth: u32,
        entry: PortalId,
        exit: Option<Name>,
    ) -> Result<PortalId, Reason> {
        let portal = self.galaxy().portal(entry);
        if portal.collapsed {
            return Err(Reason::Collapsed);
        }
        if portal.exits.is_empty() {
            return Err(Reason::NoExit);
        }
        let known: &IdSet<PortalId> = &self.galaxy().empire(seat).navigation;
        let chosen = exit.and_then(|name| self.names.portal(name));
        if let Some(exit) = chosen.filter(|&exit| known.contains(entry) && known.contains(exit)) {
            return match portal.exits.binary_search(&exit) {
                Err(_) => Err(Reason::NotConnected),
                Ok(_) if self.galaxy().portal(exit).collapsed => Err(Reason::Collapsed),
                Ok(_) => Ok(exit),
            };
        }
        let open =
            portal.exits.iter().copied().filter(|&exit| !self.galaxy().portal(exit).collapsed);
        match open.collect::<Vec<_>>().as_slice() {
            [] => Err(Reason::NoExit),
            &[exit] => Ok(exit),
            open => {
                let draw = Draw::new("portal-exit")
                    .at(u64::from(self.turn()))
                    .of(u64::from(seat.number()))
                    .nth(nth);
                Ok(open[self.dice.roll(draw, open.len() as u32) as usize - 1])
            }
        }
    }

    fn pass(&mut self, section: Section, id: ShipId, exit: PortalId) {
        self.add_ship_news(section, id, Deed::EnteredPortal, 0);
        self.move_with_cargo(id, self.galaxy().portal(exit).at);
        self.ships[id.index()].traversed = true;
    }

    /// 6.4.4: gives each empire that traversed a portal the navigation data for both ends.
    pub(crate) fn acquire_navigation_data(&mut self, journeys: &[Journey]) {
        let section = Section::of("6.4.4");
        for &(seat, entry, exit) in journeys {
            self.learn_portal(section, seat, entry, None);
            self.learn_portal(section, seat, exit, None);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{Site, at, scene};

    fn site() -> Site {
        scene("P leads to Q and R, and Q to P. R is exit-only. A has a probe at P")
    }

    #[test]
    fn situation_43_data_for_both_ends_allows_choosing_the_exit() {
        let mut ends = Vec::new();
        for seed in 0..20 {
            let mut site = site();
            site.dice = heliopause_kernel::Dice::new([seed; 32]);
            site.add("data A P Q");
            let mut blind = site.clone();
            site.orders("A", ["TRAVERSE S THROUGH P Q"]).close();
            assert_eq!(site.ship("A", "S").at, at("(9,0)"));
            blind.add("data A Q");
            blind.orders("A", ["TRAVERSE S THROUGH P Q"]).close();
            ends.push(blind.ship("A", "S").at);
            assert!(blind.empire("A").navigation.contains(crate::PortalId(0)), "6.4.4");
        }
        assert!(ends.contains(&at("(9,0)")) && ends.contains(&at("(0,9)")));
    }

    #[test]
    fn r47_each_line_draws_its_exit_separately() {
        let mut apart = [0, 0];
        for seed in 0..20 {
            let mut site = site();
            site.dice = heliopause_kernel::Dice::new([seed; 32]);
            site.add("ships A probe (0,0) T U");
            let lines = ["S", "T", "U"].map(|ship| format!("TRAVERSE {ship} THROUGH P"));
            site.orders("A", lines).close();
            let ends = ["S", "T", "U"].map(|ship| site.ship("A", ship).at);
            for (pair, count) in ends.windows(2).zip(&mut apart) {
                *count += i32::from(pair[0] != pair[1]);
            }
        }
        assert!(apart.iter().all(|count| (4..=16).contains(count)), "{apart:?} of 20 went apart");
    }
}
