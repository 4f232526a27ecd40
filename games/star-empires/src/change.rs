//! Differences between two states. An update publishes differences instead of whole states.

use std::cmp::Ordering;

use heliopause_kernel::Seat;

use crate::chart::ChartChange;
use crate::class::Class;
use crate::event::{GalaxyChange, ShipRow};
use crate::galaxy::Galaxy;
use crate::name::Name;
use crate::own::OwnView;
use crate::position::StarEmpires;
use crate::ship::{Carrier, Serial, Ship};
use crate::view::{ClassTable, EmpireView, KnownChange, NavigationTable, OwnShip};

impl StarEmpires {
    /// Returns the change of an empire's knowledge since galaxy `before`. `chart` is the change of
    /// the empire's map. Both galaxies must be between updates.
    pub(crate) fn known_change(
        &self,
        seat: Seat,
        before: &Galaxy,
        chart: ChartChange,
    ) -> KnownChange {
        let (old, new) = (OwnView { galaxy: before, seat }, OwnView { galaxy: &self.galaxy, seat });
        let (ships, ships_gone) = ship_changes(old, new);
        let (classes, classes_gone) = class_changes(old, new);
        let navigation = new.navigation();
        let allies = self.allies(seat);
        let status = new.status(allies);
        let met: Vec<_> = old.empires().collect();
        let flown = new.flown();
        KnownChange {
            chart,
            ships,
            ships_gone,
            classes,
            classes_gone,
            empires: new.empires().filter(|seen| !met.contains(seen)).collect(),
            navigation: (navigation != old.navigation())
                .then_some(NavigationTable { portals: navigation }),
            status: (status != old.status(allies)).then_some(status),
            unknown_own_classes: (flown != old.flown()).then_some(ClassTable { classes: flown }),
        }
    }
}

/// Returns changed ships, and the serial numbers of lost ones, both sorted by serial number.
fn ship_changes(old: OwnView<'_>, new: OwnView<'_>) -> (Vec<OwnShip>, Vec<Serial>) {
    let (mut changed, mut gone) = (Vec::new(), Vec::new());
    let mut before = old.galaxy.ships_of(old.seat).iter().peekable();
    for ship in new.galaxy.ships_of(new.seat) {
        while let Some(lost) = before.next_if(|other| other.serial < ship.serial) {
            gone.push(lost.serial);
        }
        let former = before.next_if(|other| other.serial == ship.serial);
        if former
            .is_none_or(|former| ShipRow::of(old.galaxy, former) != ShipRow::of(new.galaxy, ship))
        {
            changed.push(new.ship(ship));
        }
    }
    gone.extend(before.map(|lost| lost.serial));
    (changed, gone)
}

fn class_changes(old: OwnView<'_>, new: OwnView<'_>) -> (Vec<Class>, Vec<Name>) {
    if old.galaxy.empire(old.seat).classes == new.galaxy.empire(new.seat).classes {
        return (Vec::new(), Vec::new());
    }
    let (before, now) = (old.classes(), new.classes());
    let gone = before.iter().filter(|class| !now.contains(class)).map(|class| class.name).collect();
    (now.iter().filter(|class| !before.contains(class)).copied().collect(), gone)
}

impl EmpireView {
    pub(crate) fn apply(&mut self, change: &KnownChange) {
        self.chart.apply(&change.chart);
        merge(&mut self.ships, &change.ships, |ship| ship.serial);
        self.ships.retain(|ship| change.ships_gone.binary_search(&ship.serial).is_err());
        merge(&mut self.classes, &change.classes, |class| class.name);
        self.classes.retain(|class| !change.classes_gone.contains(&class.name));
        merge(&mut self.empires, &change.empires, |empire| empire.seat);
        if let Some(navigation) = &change.navigation {
            self.navigation.clone_from(&navigation.portals);
        }
        if let Some(status) = &change.status {
            self.status.clone_from(status);
        }
        if let Some(flown) = &change.unknown_own_classes {
            self.unknown_own_classes.clone_from(&flown.classes);
        }
    }
}

/// Inserts or replaces rows. Both lists must be sorted by the key.
fn merge<R: Copy, K: Ord>(table: &mut Vec<R>, set: &[R], key: impl Fn(&R) -> K) {
    if set.is_empty() {
        return;
    }
    let mut merged = Vec::with_capacity(table.len() + set.len());
    let (mut old, mut new) = (table.iter().peekable(), set.iter().peekable());
    while let (Some(one), Some(other)) = (old.peek(), new.peek()) {
        match key(one).cmp(&key(other)) {
            Ordering::Less => merged.extend(old.next()),
            Ordering::Greater => merged.extend(new.next()),
            Ordering::Equal => {
                old.next();
                merged.extend(new.next());
            }
        }
    }
    merged.extend(old);
    merged.extend(new);
    *table = merged;
}

impl ShipRow {
    fn of(galaxy: &Galaxy, ship: &Ship) -> Self {
        let carrier = ship.carrier.map(|carrier| galaxy.ship(carrier.id()).serial);
        Self { ship: Ship { carrier: None, ..*ship }, carrier }
    }

    fn key(&self) -> (Seat, Serial) {
        self.ship.sort_key()
    }
}

impl Galaxy {
    pub(crate) fn rows(&self) -> impl Iterator<Item = ShipRow> + '_ {
        self.ships.iter().map(|ship| ShipRow::of(self, ship))
    }

    fn without_ships(&self) -> Self {
        Self {
            empires: self.empires.clone(),
            classes: self.classes.clone(),
            worlds: self.worlds.clone(),
            portals: self.portals.clone(),
            storms: self.storms.clone(),
            ships: Vec::new(),
        }
    }

    /// Returns the change that turns this galaxy into `new`. Both galaxies must be between updates.
    pub(crate) fn change_to(&self, new: &Self) -> GalaxyChange {
        let (mut ships, mut gone) = (Vec::new(), Vec::new());
        let mut before = self.rows().peekable();
        for row in new.rows() {
            while let Some(lost) = before.next_if(|other| other.key() < row.key()) {
                gone.push(lost.key());
            }
            if before.next_if(|other| other.key() == row.key()) != Some(row) {
                ships.push(row);
            }
        }
        gone.extend(before.map(|lost| lost.key()));
        GalaxyChange { galaxy: new.without_ships(), ships, gone }
    }

    pub(crate) fn apply(&mut self, change: &GalaxyChange) {
        let mut rows: Vec<ShipRow> = self.rows().collect();
        merge(&mut rows, &change.ships, ShipRow::key);
        rows.retain(|row| change.gone.binary_search(&row.key()).is_err());
        *self = change.galaxy.clone();
        self.put_ships(&rows);
    }

    /// Replaces all ships. The rows must be sorted. Returns `false` if a carrier is missing.
    pub(crate) fn put_ships(&mut self, rows: &[ShipRow]) -> bool {
        self.ships = rows.iter().map(|row| row.ship).collect();
        for (index, row) in rows.iter().enumerate() {
            let carrier =
                row.carrier.and_then(|carrier| self.ship_numbered(row.ship.owner, carrier));
            self.ships[index].carrier = carrier.map(Carrier::new);
        }
        rows.iter().zip(&self.ships).all(|(row, ship)| row.carrier.is_some() == ship.is_loaded())
    }
}
