//! Analysis of a view: own ships and their abilities, and the visible strength of other empires.

use std::collections::BTreeMap;

use heliopause_kernel::{Seat, SeatSet};
use heliopause_star_empires::{
    Class, Coord, EmpireView, Hull, Name, OwnShip, PortalSeen, Ratings, Serial, ShipSeen, Siege,
    Strength, View, WorldSeen, handle,
};

use super::strength::{Force, guessed};

#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    pub(super) owner: Seat,
    pub(super) serial: Serial,
    /// The name by which ships are sorted (4.4).
    pub(super) handle: Name,
    pub(super) at: Coord,
    pub(super) class: Class,
    pub(super) dp: u16,
    pub(super) guns: u16,
    pub(super) carrier: Option<Serial>,
}

impl Unit {
    pub(super) fn guns(&self) -> u16 {
        self.guns
    }

    pub(super) fn engines(&self) -> u16 {
        self.class.damage(self.dp).operational(self.class.ratings.engines)
    }

    pub(super) fn is_loose(&self) -> bool {
        self.carrier.is_none()
    }

    pub(super) fn is_missile(&self) -> bool {
        self.class.hull == Hull::Missile
    }

    pub(super) fn is_wing(&self) -> bool {
        self.class.hull == Hull::Wing
    }

    /// Returns whether the ship can hold a world and, while loose, fire (R8).
    pub(super) fn is_armed(&self) -> bool {
        !self.is_missile() && self.guns() > 0
    }

    /// Returns the serial number, which is never ambiguous in orders.
    pub(super) fn name(&self) -> Name {
        self.serial.to_name()
    }
}

pub(super) struct Survey<'a> {
    pub(super) view: &'a View,
    pub(super) own: &'a EmpireView,
    pub(super) me: Seat,
    pub(super) units: Vec<Unit>,
    /// Loose ships by sector, as indices of `units`.
    pub(super) loose: BTreeMap<Coord, Vec<usize>>,
    pub(super) cargo: BTreeMap<Serial, Vec<usize>>,
    /// Foreign loose ships on short-range scans, by sector.
    pub(super) foreign: BTreeMap<Coord, Vec<Unit>>,
    pub(super) starbase: Name,
    pub(super) friends: SeatSet,
}

impl<'a> Survey<'a> {
    pub(super) fn new(view: &'a View) -> Option<Self> {
        let own = view.own()?;
        let me = own.status.seat;
        let known = own.classes.iter().chain(&own.unknown_own_classes);
        let classes: BTreeMap<Name, Class> = known.map(|class| (class.name, *class)).collect();
        let strengths: BTreeMap<(Seat, Serial), Strength> = own
            .strengths
            .iter()
            .map(|strength| ((strength.owner, strength.serial), *strength))
            .collect();
        let units: Vec<Unit> = own.ships.iter().map(|ship| own_unit(ship, me, &classes)).collect();
        let (mut loose, mut cargo) =
            (BTreeMap::<_, Vec<usize>>::new(), BTreeMap::<_, Vec<usize>>::new());
        for (index, unit) in units.iter().enumerate() {
            match unit.carrier {
                None => loose.entry(unit.at).or_default().push(index),
                Some(carrier) => cargo.entry(carrier).or_default().push(index),
            }
        }
        let mut foreign = BTreeMap::<_, Vec<Unit>>::new();
        for ship in own.chart.ships.iter().filter(|ship| !ship.wreck && ship.owner != me) {
            let strength = strengths.get(&(ship.owner, ship.serial));
            foreign.entry(ship.at).or_default().push(foreign_unit(ship, &classes, strength));
        }
        let starbase = Name::new("starbase").unwrap_or_default();
        Some(Self {
            view,
            own,
            me,
            units,
            loose,
            cargo,
            foreign,
            starbase,
            friends: SeatSet::EMPTY,
        })
    }

    pub(super) fn loose_at(&self, at: Coord) -> impl Iterator<Item = &Unit> + Clone {
        self.loose.get(&at).into_iter().flatten().map(|&index| &self.units[index])
    }

    pub(super) fn cargo_of(&self, carrier: Serial) -> impl Iterator<Item = &Unit> + Clone {
        self.cargo.get(&carrier).into_iter().flatten().map(|&index| &self.units[index])
    }

    pub(super) fn loaded_at(&self, at: Coord) -> impl Iterator<Item = &Unit> {
        self.loose_at(at).flat_map(|carrier| self.cargo_of(carrier.serial))
    }

    pub(super) fn foreign_at(&self, at: Coord) -> &[Unit] {
        self.foreign.get(&at).map_or(&[], Vec::as_slice)
    }

    pub(super) fn free_racks(&self, carrier: &Unit) -> u32 {
        let used: u32 = self.cargo_of(carrier.serial).map(|unit| unit.class.tonnage).sum();
        u32::from(carrier.class.ratings.racks).saturating_sub(used)
    }

    pub(super) fn own_worlds(&self) -> impl Iterator<Item = &'a WorldSeen> + Clone + use<'a> {
        let me = self.me;
        self.own.chart.worlds.iter().filter(move |world| world.owner == Some(me))
    }

    /// Returns whether the world can design, build and repair (6.4.9).
    pub(super) fn can_work(world: &WorldSeen) -> bool {
        world.siege != Some(Siege::Interdicted)
    }

    /// Returns whether RU can leave the world (6.4.10).
    pub(super) fn can_ship(world: &WorldSeen) -> bool {
        matches!(world.siege, None | Some(Siege::None))
    }

    pub(super) fn allies(&self) -> SeatSet {
        self.own.status.allies.without(self.me)
    }

    /// Returns whether an empire is neither the viewer nor a recorded ally.
    pub(super) fn is_danger(&self, owner: Seat) -> bool {
        owner != self.me && !self.allies().contains(owner)
    }

    pub(super) fn is_hostile(&self, owner: Seat) -> bool {
        owner != self.me && !self.allies().union(self.friends).contains(owner)
    }

    pub(super) fn empire_name(&self, seat: Seat) -> Option<Name> {
        self.own.empires.iter().find(|empire| empire.seat == seat).map(|empire| empire.name)
    }

    pub(super) fn contacts(&self, among: impl Fn(Seat) -> bool) -> Vec<Name> {
        let wanted =
            self.own.empires.iter().filter(|empire| empire.contact && empire.seat != self.me);
        wanted.filter(|empire| among(empire.seat)).map(|empire| empire.name).collect()
    }

    pub(super) fn portal(&self, name: Name) -> Option<&'a PortalSeen> {
        self.own.chart.portals.iter().find(|portal| portal.name == name)
    }

    /// Returns the damage points of the viewer's conquering ships (notes 1).
    pub(super) fn friendly_dp(&self, at: Coord) -> u32 {
        self.loose_at(at).filter(|unit| unit.is_armed()).map(|unit| u32::from(unit.dp)).sum()
    }

    /// Returns the guns of foreign conquering ships, including those of allies (notes 1).
    pub(super) fn foreign_guns(&self, at: Coord) -> u32 {
        Force::of(self.foreign_at(at)).guns
    }
}

fn own_unit(ship: &OwnShip, me: Seat, classes: &BTreeMap<Name, Class>) -> Unit {
    // A ship of an unknown class counts as a hulk.
    let hulk = || Class {
        name: ship.class,
        hull: Hull::CapitalShip,
        ratings: Ratings::new(1, ship.dp.max(1), 1, 0, 0),
        tonnage: 1,
        cost: 1,
        unbuildable: true,
    };
    let class = classes.get(&ship.class).copied().unwrap_or_else(hulk);
    Unit {
        owner: me,
        serial: ship.serial,
        handle: handle(ship.name, ship.serial),
        at: ship.at,
        class,
        dp: ship.dp,
        guns: class.damage(ship.dp).operational(class.ratings.guns),
        carrier: ship.carrier,
    }
}

/// Converts a foreign ship. Uses its class if known, else the strength given for default orders
/// (R67), else an estimate.
fn foreign_unit(
    ship: &ShipSeen,
    classes: &BTreeMap<Name, Class>,
    strength: Option<&Strength>,
) -> Unit {
    let unknown = || match strength {
        Some(strength) => class_from_strength(ship, strength),
        None => guessed(ship.class, ship.tonnage),
    };
    let class = classes.get(&ship.class).copied().unwrap_or_else(unknown);
    // The operational rating is the square root of the remaining fraction of damage points.
    let squared = u32::from(ship.permille) * u32::from(ship.permille);
    let left = (u64::from(class.ratings.dp) * u64::from(squared)).div_ceil(1_000_000) as u16;
    let dp = strength.map(|strength| strength.dp).or(ship.dp).unwrap_or(left).max(1);
    let guns = strength
        .map_or_else(|| class.damage(dp).operational(class.ratings.guns), |strength| strength.guns);
    let (handle, carrier) = (handle(ship.name, ship.serial), None);
    Unit { owner: ship.owner, serial: ship.serial, handle, at: ship.at, class, dp, guns, carrier }
}

fn class_from_strength(ship: &ShipSeen, strength: &Strength) -> Class {
    let permille = u64::from(ship.permille.max(1));
    let whole = |part: u64| part.clamp(1, u64::from(u16::MAX)) as u16;
    let guns = whole(u64::from(strength.guns) * 1_000 / permille);
    let dp = whole((u64::from(strength.dp) * 1_000_000).div_ceil(permille * permille));
    let ratings = Ratings::new(guns, dp, 0, 0, 0);
    Class { ratings, hull: strength.hull, ..guessed(ship.class, ship.tonnage) }
}
