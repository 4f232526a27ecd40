//! 6.6 maintenance: building ships and setting transponders. Repairs are in `repair`.

use heliopause_kernel::{Seat, SeatSet};

use crate::ids::{ClassId, ShipId, WorldId};
use crate::index::Map;
use crate::ledger::{LineId, Orders};
use crate::name::Name;
use crate::order::{Amount, Crews, Line, Naming, Phase};
use crate::reason::Reason;
use crate::report::Deed;
use crate::section::Section;
use crate::ship::Ship;
use crate::update::Update;

/// The highest number in use for each base of numbered names, among an empire's live ships.
pub(crate) type Numbers = Map<Name, u32>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum TransponderSet {
    Concealed,
    Identified,
}

impl Update<'_> {
    pub(crate) fn maintenance(&mut self, orders: &Orders) {
        self.build_ships(orders);
        self.repair_ships(orders);
        self.toggle_transponders(orders);
        self.set_identities(orders);
        self.hide_abandoned_ships();
    }

    pub(crate) fn abandoned(&self) -> impl Iterator<Item = Seat> {
        self.galaxy().seats().filter(|&seat| self.galaxy().empire(seat).abandoned_turns > 0)
    }

    /// 6.6.4, notes 15: makes the ships of abandoned empires private, identified to no empire, and
    /// concealed from all others. Empires that meet the abandoned one later are included.
    fn hide_abandoned_ships(&mut self) {
        let everybody: SeatSet = self.galaxy().seats().collect();
        for seat in self.abandoned().collect::<Vec<_>>() {
            for id in self.fleet(seat) {
                let ship = self.game.galaxy.ship_mut(id);
                ship.public = false;
                ship.identified = SeatSet::EMPTY;
                ship.concealed = everybody.without(seat);
            }
        }
    }

    fn build_ships(&mut self, orders: &Orders) {
        let before = self.galaxy().ships.len();
        let mut numbers: Option<(Seat, Numbers)> = None;
        for (line, seat, it) in orders.of(Phase::Build) {
            let Line::Build { world, count, class, naming } = it else { continue };
            if matches!(naming, Naming::Numbered(_))
                && numbers.as_ref().is_none_or(|&(other, _)| other != seat)
            {
                numbers = Some((seat, self.numbers_in_use(seat)));
            }
            let own = numbers.as_mut().filter(|&&mut (other, _)| other == seat).map(|(_, own)| own);
            match self.resolve_build(seat, *world, *class) {
                Ok(site) => {
                    self.build(line, seat, site, *count, &mut ShipNames::new(naming, own));
                }
                Err((item, reason)) => self.ledger.failed(line, item, reason),
            }
        }
        if self.galaxy().ships.len() > before {
            self.index_ships();
        }
    }

    fn resolve_build(
        &self,
        seat: Seat,
        world: Name,
        name: Name,
    ) -> Result<(WorldId, ClassId), (Name, Reason)> {
        let world = self.usable_world(seat, world).map_err(|reason| (world, reason))?;
        let known = |&class: &ClassId| self.galaxy().empire(seat).classes.contains(class);
        let class = self.names.class(name).filter(known).ok_or((name, Reason::UnknownClass))?;
        if self.galaxy().class(class).unbuildable {
            return Err((name, Reason::NotBuildable));
        }
        Ok((world, class))
    }

    /// R40: builds ships one by one while RU last.
    fn build(
        &mut self,
        line: LineId,
        seat: Seat,
        (world, class): (WorldId, ClassId),
        count: Amount,
        names: &mut ShipNames<'_>,
    ) {
        let section = Section::from(Phase::Build);
        let (cost, dp) = (self.galaxy().class(class).cost, self.galaxy().class(class).ratings.dp);
        let name = self.galaxy().world(world).name;
        let wanted = match count {
            Amount::Number(number) => number,
            Amount::Max => (self.galaxy().world(world).stockpile / cost.max(1)).max(1),
        };
        for _ in 0..wanted {
            let site = *self.galaxy().world(world);
            let Some(left) = site.stockpile.checked_sub(cost) else {
                self.ledger.failed(line, name, Reason::NoFunds);
                break;
            };
            let named = self.next_ship_name(seat, names).unwrap_or_else(|(item, reason)| {
                self.ledger.note(line, item, reason);
                Name::NONE
            });
            let new = |serial| Ship::new(seat, serial, named, class, dp, site.at);
            let Some(id) = self.add_ship(seat, new) else {
                self.ledger.refused(line, Reason::TooManyShips);
                break;
            };
            self.game.galaxy.world_mut(world).stockpile = left;
            self.ledger.done(line);
            self.add_ship_news(section, id, Deed::Built, 0);
        }
    }

    /// Returns the name of the next ship, or an empty name if the order names no further ships.
    /// Returns the rejected name and the reason if the name cannot be used.
    pub(crate) fn next_ship_name(
        &self,
        seat: Seat,
        names: &mut ShipNames<'_>,
    ) -> Result<Name, (Name, Reason)> {
        let Some(name) = names.next() else { return Ok(Name::NONE) };
        let code = self.galaxy().empire(seat).code;
        if name.is_none() {
            Err((names.base(), Reason::BadName))
        } else if code.begins_serial(name) {
            Err((name, Reason::BadName))
        } else if self.names.ship(seat, name).is_some_and(|id| self.galaxy().ship(id).is_live()) {
            Err((name, Reason::NameTaken))
        } else {
            Ok(name)
        }
    }

    /// Returns the highest number in use for each base. `Lion12` uses 12 of the base `Lion`, and 2
    /// of the base `Lion1`.
    pub(crate) fn numbers_in_use(&self, seat: Seat) -> Numbers {
        let mut numbers = Numbers::default();
        for id in self.fleet(seat) {
            let name = self.galaxy().ship(id).name;
            let text = name.as_str();
            let letters = text.trim_end_matches(|digit: char| digit.is_ascii_digit()).len();
            for split in letters.max(1)..text.len() {
                let (Some(base), Ok(number)) =
                    (Name::new(&text[..split]), text[split..].parse::<u32>())
                else {
                    continue;
                };
                let highest = numbers.entry(base).or_default();
                *highest = number.max(*highest);
            }
        }
        numbers
    }

    /// 6.6.3: runs the TOGGLE lines. The concealed and identified sets do not change (R79).
    fn toggle_transponders(&mut self, orders: &Orders) {
        let section = Section::from(Phase::Toggle);
        for (line, seat, it) in orders.of(Phase::Toggle) {
            let Line::Toggle { public, ships } = it else { continue };
            for id in self.crews(line, seat, ships) {
                self.ledger.done(line);
                let ship = self.game.galaxy.ship_mut(id);
                if ship.public != *public {
                    ship.public = *public;
                    self.add_owner_news(section, id, Deed::Toggled, 0);
                }
            }
        }
    }

    /// 6.6.4, 6.6.5: runs the CONCEAL lines, then the IDENTIFY lines, which so take precedence.
    fn set_identities(&mut self, orders: &Orders) {
        for (line, seat, it) in orders.of(Phase::Conceal) {
            let Line::Conceal { ships, from } = it else { continue };
            let others = self.known_among(line, seat, from);
            self.set_transponders(line, seat, ships, others, TransponderSet::Concealed);
        }
        for (line, seat, it) in orders.of(Phase::Identify) {
            let Line::Identify { ships, to } = it else { continue };
            let others = self.contacts_among(line, seat, to);
            self.set_transponders(line, seat, ships, others, TransponderSet::Identified);
        }
    }

    fn set_transponders(
        &mut self,
        line: LineId,
        seat: Seat,
        ships: &Crews,
        others: Vec<Seat>,
        towards: TransponderSet,
    ) {
        let others: SeatSet = others.into_iter().collect();
        if others.is_empty() {
            return;
        }
        for id in self.crews(line, seat, ships) {
            let ship = self.game.galaxy.ship_mut(id);
            if ship.public {
                self.ship_failed(line, id, Reason::TransponderPublic);
                continue;
            }
            let (into, out_of) = match towards {
                TransponderSet::Concealed => (&mut ship.concealed, &mut ship.identified),
                TransponderSet::Identified => (&mut ship.identified, &mut ship.concealed),
            };
            (*into, *out_of) = (into.union(others), out_of.difference(others));
            self.ledger.done(line);
        }
    }

    fn crews(&mut self, line: LineId, seat: Seat, crews: &Crews) -> Vec<ShipId> {
        let Crews::Some { ships, classes } = crews else { return self.fleet(seat) };
        let mut meant = self.select_live_named(line, seat, ships);
        if classes.is_empty() {
            return meant;
        }
        let fleet = self.fleet(seat);
        for &name in classes {
            let of_class =
                |&id: &ShipId| Some(self.galaxy().ship(id).class) == self.names.class(name);
            let before = meant.len();
            meant.extend(fleet.iter().copied().filter(of_class));
            let known = self
                .names
                .class(name)
                .is_some_and(|id| self.galaxy().empire(seat).classes.contains(id));
            if meant.len() == before && !known {
                self.ledger.failed(line, name, Reason::UnknownClass);
            }
        }
        meant.sort_unstable();
        meant.dedup();
        meant
    }
}

pub(crate) struct ShipNames<'a> {
    naming: &'a Naming,
    numbers: Option<&'a mut Numbers>,
    given: usize,
}

impl<'a> ShipNames<'a> {
    /// Creates an iterator over the names of new ships. Only numbered names need `numbers`.
    pub(crate) fn new(naming: &'a Naming, numbers: Option<&'a mut Numbers>) -> Self {
        Self { naming, numbers, given: 0 }
    }

    /// Returns the name of the next ship, `None` if the ship is unnamed, or an empty name if the
    /// base is too long for a number.
    fn next(&mut self) -> Option<Name> {
        match self.naming {
            Naming::Listed(names) => {
                self.given += 1;
                names.get(self.given - 1).copied()
            }
            Naming::Numbered(base) => {
                let highest = self.numbers.as_mut()?.entry(*base).or_default();
                *highest = highest.saturating_add(1);
                Some(base.numbered(*highest).unwrap_or(Name::NONE))
            }
        }
    }

    fn base(&self) -> Name {
        match self.naming {
            Naming::Listed(_) => Name::NONE,
            Naming::Numbered(base) => *base,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::scene;

    #[test]
    fn serial_numbers_of_built_ships_never_collide() {
        let mut site = scene("A world with a shipyard and 100 RU");
        site.galaxy().worlds[0].stockpile = 1_000_000;
        // The next number to be dealt is already in use.
        let mut next = site.empire("A").serials;
        let serial = crate::Serial::new(site.empire("A").code, next.deal());
        site.galaxy().ships[0].serial = serial;
        site.orders("A", ["BUILD Alpha 5000 probe"]).close();
        assert_eq!(site.game.galaxy.ships.len(), 5_001);
        assert_eq!(site.game.galaxy.integrity(), Ok(()));
    }
}
