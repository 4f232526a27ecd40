//! What a bot makes of its view: own ships with what they can do, and the strength of the others as
//! far as it shows.

use std::collections::BTreeMap;

use heliopause_kernel::{Seat, SeatSet};
use heliopause_star_empires::{
    Class, Coord, EmpireView, Hull, Name, OwnShip, PortalSeen, Ratings, Serial, ShipSeen, Siege,
    Strength, View, WorldSeen, handle,
};

use super::strength::{Force, guessed};

/// A ship as the rules of combat see it, own or foreign. What is not known of a foreign one is
/// guessed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    pub(super) owner: Seat,
    /// Its serial number.
    pub(super) serial: Serial,
    /// By what it is sorted (4.4).
    pub(super) handle: Name,
    pub(super) at: Coord,
    pub(super) class: Class,
    /// Its damage points.
    pub(super) dp: u16,
    /// Its guns as it stands.
    pub(super) guns: u16,
    /// Its carrier, if it is loaded.
    pub(super) carrier: Option<Serial>,
}

impl Unit {
    /// Its guns as it stands.
    pub(super) fn guns(&self) -> u16 {
        self.guns
    }

    /// How many sectors it moves as it stands.
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

    /// Whether it can hold a world and shoot by itself, once it is loose (R8).
    pub(super) fn is_armed(&self) -> bool {
        !self.is_missile() && self.guns() > 0
    }

    /// Its name in orders: serial numbers are never ambiguous.
    pub(super) fn name(&self) -> Name {
        self.serial.to_name()
    }
}

/// A view, read once for a decision.
pub(super) struct Survey<'a> {
    pub(super) view: &'a View,
    pub(super) own: &'a EmpireView,
    pub(super) me: Seat,
    /// Own ships, by serial number.
    pub(super) units: Vec<Unit>,
    /// Own loose ships by sector: places in `units`.
    pub(super) loose: BTreeMap<Coord, Vec<usize>>,
    /// Own loaded ships by carrier: places in `units`.
    pub(super) cargo: BTreeMap<Serial, Vec<usize>>,
    /// Foreign loose ships on short-range scans, by sector.
    pub(super) foreign: BTreeMap<Coord, Vec<Unit>>,
    /// The class of starbases.
    pub(super) starbase: Name,
    /// Empires with which peace was agreed.
    pub(super) friends: SeatSet,
}

impl<'a> Survey<'a> {
    /// Reads an empire's view; `None` for a viewer who has no seat.
    pub(super) fn new(view: &'a View) -> Option<Self> {
        let own = view.own()?;
        let me = own.status.seat;
        let known = own.classes.iter().chain(&own.flown);
        let classes: BTreeMap<Name, Class> = known.map(|class| (class.name, *class)).collect();
        let told: BTreeMap<(Seat, Serial), Strength> =
            own.strengths.iter().map(|told| ((told.owner, told.serial), *told)).collect();
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
            let told = told.get(&(ship.owner, ship.serial));
            foreign.entry(ship.at).or_default().push(foreign_unit(ship, &classes, told));
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

    /// Own loose ships in a sector.
    pub(super) fn loose_at(&self, at: Coord) -> impl Iterator<Item = &Unit> + Clone {
        self.loose.get(&at).into_iter().flatten().map(|&index| &self.units[index])
    }

    /// What is loaded on a ship.
    pub(super) fn cargo_of(&self, carrier: Serial) -> impl Iterator<Item = &Unit> + Clone {
        self.cargo.get(&carrier).into_iter().flatten().map(|&index| &self.units[index])
    }

    /// Own loaded ships in a sector.
    pub(super) fn loaded_at(&self, at: Coord) -> impl Iterator<Item = &Unit> {
        self.loose_at(at).flat_map(|carrier| self.cargo_of(carrier.serial))
    }

    /// Foreign loose ships on short-range scan in a sector.
    pub(super) fn foreign_at(&self, at: Coord) -> &[Unit] {
        self.foreign.get(&at).map_or(&[], Vec::as_slice)
    }

    /// The racks of a ship that are free.
    pub(super) fn free_racks(&self, carrier: &Unit) -> u32 {
        let used: u32 = self.cargo_of(carrier.serial).map(|unit| unit.class.tonnage).sum();
        u32::from(carrier.class.ratings.racks).saturating_sub(used)
    }

    /// Own worlds, by sector.
    pub(super) fn own_worlds(&self) -> impl Iterator<Item = &'a WorldSeen> + Clone + use<'a> {
        let me = self.me;
        self.own.chart.worlds.iter().filter(move |world| world.owner == Some(me))
    }

    /// Whether an own world can design, build and repair, as the map shows it (6.4.9).
    pub(super) fn can_work(world: &WorldSeen) -> bool {
        world.siege != Some(Siege::Interdicted)
    }

    /// Whether RU can leave an own world, as the map shows it (6.4.10).
    pub(super) fn can_ship(world: &WorldSeen) -> bool {
        matches!(world.siege, None | Some(Siege::None))
    }

    /// The other empires that are recorded as allies.
    pub(super) fn allies(&self) -> SeatSet {
        self.own.status.allies.without(self.me)
    }

    /// Whether an empire could attack: every one that is not recorded as an ally.
    pub(super) fn is_danger(&self, owner: Seat) -> bool {
        owner != self.me && !self.allies().contains(owner)
    }

    /// Whether an empire is to be fought where it is met.
    pub(super) fn is_hostile(&self, owner: Seat) -> bool {
        owner != self.me && !self.allies().union(self.friends).contains(owner)
    }

    /// The name of an empire that was come across.
    pub(super) fn empire_name(&self, seat: Seat) -> Option<Name> {
        self.own.empires.iter().find(|empire| empire.seat == seat).map(|empire| empire.name)
    }

    /// The names of the contacts among some empires.
    pub(super) fn contacts(&self, among: impl Fn(Seat) -> bool) -> Vec<Name> {
        let wanted =
            self.own.empires.iter().filter(|empire| empire.contact && empire.seat != self.me);
        wanted.filter(|empire| among(empire.seat)).map(|empire| empire.name).collect()
    }

    /// The portal that the map shows under a name.
    pub(super) fn portal(&self, name: Name) -> Option<&'a PortalSeen> {
        self.own.chart.portals.iter().find(|portal| portal.name == name)
    }

    /// The own situation in a sector (notes 1): damage points of own conquering ships.
    pub(super) fn friendly_dp(&self, at: Coord) -> u32 {
        self.loose_at(at).filter(|unit| unit.is_armed()).map(|unit| u32::from(unit.dp)).sum()
    }

    /// The own situation in a sector (notes 1): guns of foreign conquering ships, allies' too.
    pub(super) fn foreign_guns(&self, at: Coord) -> u32 {
        Force::of(self.foreign_at(at)).guns
    }
}

fn own_unit(ship: &OwnShip, me: Seat, classes: &BTreeMap<Name, Class>) -> Unit {
    // A message may leave a class out: its ships are taken for hulks.
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

/// A foreign ship: by its class, else by what default orders are told (R67), else by a guess.
fn foreign_unit(ship: &ShipSeen, classes: &BTreeMap<Name, Class>, told: Option<&Strength>) -> Unit {
    let unknown = || match told {
        Some(told) => met(ship, told),
        None => guessed(ship.class, ship.tonnage),
    };
    let class = classes.get(&ship.class).copied().unwrap_or_else(unknown);
    // The operational rating is the root of the part of damage points that is left.
    let squared = u32::from(ship.permille) * u32::from(ship.permille);
    let left = (u64::from(class.ratings.dp) * u64::from(squared)).div_ceil(1_000_000) as u16;
    let dp = told.map(|told| told.dp).or(ship.dp).unwrap_or(left).max(1);
    let guns =
        told.map_or_else(|| class.damage(dp).operational(class.ratings.guns), |told| told.guns);
    let (handle, carrier) = (handle(ship.name, ship.serial), None);
    Unit { owner: ship.owner, serial: ship.serial, handle, at: ship.at, class, dp, guns, carrier }
}

/// The class of a ship whose strength is told and whose ratings are not: they follow from its
/// operational rating.
fn met(ship: &ShipSeen, told: &Strength) -> Class {
    let permille = u64::from(ship.permille.max(1));
    let whole = |part: u64| part.clamp(1, u64::from(u16::MAX)) as u16;
    let guns = whole(u64::from(told.guns) * 1_000 / permille);
    let dp = whole((u64::from(told.dp) * 1_000_000).div_ceil(permille * permille));
    let ratings = Ratings::new(guns, dp, 0, 0, 0);
    Class { ratings, hull: told.hull, ..guessed(ship.class, ship.tonnage) }
}
