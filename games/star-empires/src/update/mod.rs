//! 6.0: the update, which executes the orders of all empires phase by phase.

use std::cell::OnceCell;

use heliopause_kernel::{Dice, Emitted, Seat, SeatSet};

use crate::chart::{Chart, ChartChange};
use crate::event::Event;
use crate::galaxy::Galaxy;
use crate::geometry::{Coord, Sector};
use crate::ids::{Id, ShipId};
use crate::index::{Directory, Map, ObjectIndex, ShipIndex};
use crate::ledger::{Ledger, LineId, Orders};
use crate::master::Astronomics;
use crate::name::Name;
use crate::news::{NewsRecord, What};
use crate::order::{Selection, Spot};
use crate::position::StarEmpires;
use crate::reason::Reason;
use crate::report::{Deed, Picture};
use crate::scan::SectorSnapshot;
use crate::section::Section;
use crate::ship::{SHIPS_MAX, Serial, Ship};

pub(crate) struct Update<'a> {
    /// The game. The turn is already that of the new map.
    pub game: &'a mut StarEmpires,
    pub dice: &'a mut Dice,
    pub ships: Vec<ShipTurn>,
    /// Facts about each world this turn, by id. Not used before 6.1 rebuilds the list.
    pub worlds: Vec<WorldTurn>,
    /// Ships lost this turn, in the order of loss (6.3.4, 6.4.6).
    pub wrecks: Vec<Wreck>,
    pub index: ShipIndex,
    pub objects: ObjectIndex,
    pub names: Directory,
    pub ledger: Ledger,
    pub master: Ledger,
    pub news: Vec<NewsRecord>,
    /// The last views of lost ships, in the order of loss (6.3.4, 6.4.6).
    pub pictures: Vec<SectorSnapshot>,
    /// The pictures that each empire receives, by seat. Filled in 6.8.5.
    pub last_seen: Vec<Vec<Picture>>,
    pub shot_by: Vec<SeatSet>,
    charts: Vec<ChartHistory>,
    /// Number of ships at the start. These ships are sorted by owner and precede new ships.
    initial_ship_count: usize,
    /// Number of ships of each empire, including those lost in this update.
    fleets: Vec<u32>,
    places: Vec<OnceCell<Map<Name, Coord>>>,
}

#[derive(Clone, Default)]
struct ChartHistory {
    /// The map at the start of the update. `None` if it is unchanged.
    original: Option<Chart>,
    /// The difference from the original, if known. Edits (6.1.5, 6.1.6, 6.4.1, 6.4.4) reset it.
    change: Option<ChartChange>,
}

#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "the facts are independent")]
pub(crate) struct ShipTurn {
    pub fired: u16,
    pub unloaded: bool,
    /// Whether the ship destroys itself or is cargo of a ship that does (6.3.1).
    pub self_destructing: bool,
    /// Whether the ship is a missile that was fired (6.3.2.2).
    pub expended: bool,
    pub moved: bool,
    pub traversed: bool,
    /// Whether the ship is a wreck (6.3.4, 6.4.6).
    pub lost: bool,
    /// Whether the game master removed the ship (6.1.1).
    pub removed: bool,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WorldTurn {
    /// Whether the current owner took the world in 6.3.6 or 6.4.7 (R33).
    pub taken: bool,
    /// Empires that lost the world in 6.3.6 or 6.4.7 (R36).
    pub lost_by: SeatSet,
    /// Whether the world became a homeworld in 6.4.8 and produces double.
    pub doubled: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Wreck {
    pub ship: ShipId,
    /// R27: whether the ship or its carrier self-destructed. Prevents salvage.
    pub self_destructed: bool,
    pub expended: bool,
    pub cargo: bool,
}

pub(crate) struct Selected {
    /// The empire's ships without duplicates, in list order or by id. Named ships may be lost or
    /// loaded. Ships selected by place are loose and live.
    pub ships: Vec<ShipId>,
    pub unknown: Vec<Name>,
    /// Whether the line names the ships. Otherwise it selects them by place, and ships that can
    /// never obey are left out without a remark (notes 4.3).
    pub named: bool,
}

pub(crate) fn run(game: &mut StarEmpires, dice: &mut Dice) -> Emitted<Event> {
    let before = game.galaxy.clone();
    let empires = game.galaxy.empires.len();
    let orders = Orders::new(std::mem::replace(&mut game.sheets, vec![None; empires]));
    let waiting = std::mem::take(&mut game.waiting);
    game.turn += 1;
    let mut update =
        Update::begin(game, dice, Ledger::new(orders.len()), Ledger::new(waiting.len()));
    update.phases(&orders, &waiting);
    update.finish(orders, waiting, &before)
}

impl<'a> Update<'a> {
    pub(crate) fn begin(
        game: &'a mut StarEmpires,
        dice: &'a mut Dice,
        ledger: Ledger,
        master: Ledger,
    ) -> Self {
        let galaxy = &game.galaxy;
        Self {
            ships: vec![ShipTurn::default(); galaxy.ships.len()],
            worlds: vec![WorldTurn::default(); galaxy.worlds.len()],
            wrecks: Vec::new(),
            index: ShipIndex::build(galaxy),
            objects: ObjectIndex::build(galaxy),
            names: Directory::build(galaxy),
            ledger,
            master,
            news: Vec::new(),
            pictures: Vec::new(),
            last_seen: vec![Vec::new(); galaxy.empires.len()],
            shot_by: vec![SeatSet::EMPTY; galaxy.empires.len()],
            charts: vec![ChartHistory::default(); galaxy.empires.len()],
            initial_ship_count: galaxy.ships.len(),
            fleets: count_fleets(galaxy),
            places: vec![OnceCell::new(); galaxy.empires.len()],
            game,
            dice,
        }
    }

    pub(crate) fn phases(&mut self, orders: &Orders, waiting: &[Astronomics]) {
        self.astronomics(waiting);
        self.logistics(orders);
        self.combat(orders);
        self.movement(orders);
        self.research(orders);
        self.maintenance(orders);
        self.income(orders);
        self.knowledge(orders);
    }

    pub(crate) fn galaxy(&self) -> &Galaxy {
        &self.game.galaxy
    }

    pub(crate) fn turn(&self) -> u32 {
        self.game.turn
    }

    /// Returns an empire's map for editing. Keeps the original to compute the difference later.
    pub(crate) fn edit_chart(&mut self, seat: Seat) -> &mut Chart {
        self.places[seat.index()] = OnceCell::new();
        let chart = &mut self.game.knowledge[seat.index()].chart;
        let history = &mut self.charts[seat.index()];
        history.original.get_or_insert_with(|| chart.clone());
        history.change = None;
        chart
    }

    /// 6.8.5: replaces an empire's map. `change` is the difference from the current map.
    pub(crate) fn redraw_chart(&mut self, seat: Seat, new: Chart, change: ChartChange) {
        let old = std::mem::replace(&mut self.game.knowledge[seat.index()].chart, new);
        let history = &mut self.charts[seat.index()];
        // If the map was edited before, `change` is not the whole difference.
        history.change = history.original.is_none().then_some(change);
        history.original.get_or_insert(old);
    }

    pub(crate) fn chart_change(&mut self, seat: Seat) -> ChartChange {
        let now = &self.game.knowledge[seat.index()].chart;
        let ChartHistory { original, change } = std::mem::take(&mut self.charts[seat.index()]);
        let compared = || {
            original.as_ref().map_or_else(ChartChange::default, |original| original.change_to(now))
        };
        debug_assert!(
            change.as_ref().is_none_or(|change| *change == compared()),
            "the recorded change is the difference of the maps"
        );
        change.unwrap_or_else(compared)
    }

    /// Rebuilds the index of ships. Must be called at the end of every phase that moves, loads,
    /// unloads, builds or removes ships, because the next phase relies on the index.
    pub(crate) fn index_ships(&mut self) {
        self.index = ShipIndex::build(&self.game.galaxy);
    }

    /// Adds a ship (6.1.3, 6.6.1). Returns `None` if the owner already has [`SHIPS_MAX`] ships,
    /// including those lost in this update.
    pub(crate) fn add_ship(
        &mut self,
        owner: Seat,
        ship: impl FnOnce(Serial) -> Ship,
    ) -> Option<ShipId> {
        let fleet = &mut self.fleets[owner.index()];
        if *fleet >= SHIPS_MAX {
            return None;
        }
        *fleet += 1;
        let names = &self.names;
        let serial = self
            .game
            .galaxy
            .deal_serial(owner, |serial| names.ship(owner, serial.to_name()).is_some());
        let id = ShipId::at(self.game.galaxy.ships.len());
        let ship = ship(serial);
        self.names.add_ship(id, &ship);
        self.game.galaxy.ships.push(ship);
        self.ships.push(ShipTurn::default());
        Some(id)
    }

    pub(crate) fn fleet(&self, owner: Seat) -> Vec<ShipId> {
        let (old, new) = self.galaxy().ships.split_at(self.initial_ship_count);
        let start = old.partition_point(|ship| ship.owner < owner);
        let end = old.partition_point(|ship| ship.owner <= owner);
        let own = (start..end)
            .chain(self.initial_ship_count..self.initial_ship_count + new.len())
            .map(ShipId::at);
        own.filter(|&id| self.galaxy().ship(id).owner == owner && self.galaxy().ship(id).is_live())
            .collect()
    }

    pub(crate) fn move_with_cargo(&mut self, id: ShipId, to: Sector) {
        let galaxy = &mut self.game.galaxy;
        galaxy.ship_mut(id).at = to;
        for cargo in self.index.cargo_of(id) {
            let cargo = galaxy.ship_mut(cargo);
            if cargo.carrier.is_some_and(|carrier| carrier.id() == id) {
                cargo.at = to;
            }
        }
    }

    pub(crate) fn loss(&self, id: ShipId) -> Option<Reason> {
        match (self.galaxy().ship(id).is_live(), self.ships[id.index()].removed) {
            (true, _) => None,
            (false, true) => Some(Reason::Vanished),
            (false, false) => Some(Reason::Destroyed),
        }
    }

    /// Resolves a place. Objects are where the empire's map showed them before the update (R60).
    /// Returns `None` if the map does not show the object, or the sector is out of bounds.
    pub(crate) fn spot(&self, seat: Seat, spot: Spot) -> Option<Sector> {
        let coord = match spot {
            Spot::At(coord) => coord,
            Spot::Object(name) => {
                let places = || self.game.knowledge[seat.index()].chart.places();
                *self.places[seat.index()].get_or_init(places).get(&name)?
            }
        };
        self.galaxy().empire(seat).frame.galactic(coord)
    }

    /// Resolves a selection of the empire's ships in the current state (R12).
    pub(crate) fn select(&self, seat: Seat, selection: &Selection) -> Selected {
        match selection {
            Selection::Ships(names) => {
                let (ships, unknown) = self.named(seat, names);
                Selected { ships, unknown, named: true }
            }
            Selection::All { at, except } => {
                let (mut excepted, _) = self.named(seat, except);
                excepted.sort_unstable();
                let at = self.spot(seat, *at);
                let is_meant = |&id: &ShipId| {
                    let ship = self.galaxy().ship(id);
                    ship.owner == seat
                        && ship.is_loose()
                        && Some(ship.at) == at
                        && excepted.binary_search(&id).is_err()
                };
                let there = at.into_iter().flat_map(|at| self.index.in_sector(at));
                Selected {
                    ships: there.filter(is_meant).collect(),
                    unknown: Vec::new(),
                    named: false,
                }
            }
        }
    }

    /// Returns the live ships selected by a line. Records lost ships as failed. The whole line
    /// fails if its place is gone or has no ship that could ever obey (notes 4.1).
    pub(crate) fn select_live(
        &mut self,
        line: LineId,
        seat: Seat,
        selection: &Selection,
    ) -> Selected {
        if matches!(selection, Selection::All { .. }) {
            self.ledger.by_place(line);
        }
        let mut selected = self.select(seat, selection);
        let unknown = std::mem::take(&mut selected.unknown);
        self.require_live(line, &mut selected.ships, unknown);
        selected
    }

    /// Returns the live ships that a line names. Records the other names as failed.
    pub(crate) fn select_live_named(
        &mut self,
        line: LineId,
        seat: Seat,
        names: &[Name],
    ) -> Vec<ShipId> {
        let (mut ships, unknown) = self.named(seat, names);
        self.require_live(line, &mut ships, unknown);
        ships
    }

    /// Records unknown names as failed, and removes lost ships, which also fail.
    fn require_live(&mut self, line: LineId, ships: &mut Vec<ShipId>, unknown: Vec<Name>) {
        for name in unknown {
            self.ledger.failed(line, name, Reason::Vanished);
        }
        ships.retain(|&id| {
            let loss = self.loss(id);
            loss.inspect(|&reason| self.ship_failed(line, id, reason)).is_none()
        });
    }

    pub(crate) fn ship_failed(&mut self, line: LineId, id: ShipId, reason: Reason) {
        let handle = self.galaxy().ship(id).handle();
        self.ledger.failed(line, handle, reason);
    }

    /// Resolves handles, without duplicates. Returns unknown names separately.
    pub(crate) fn named(&self, seat: Seat, names: &[Name]) -> (Vec<ShipId>, Vec<Name>) {
        let (mut found, mut unknown) = (Vec::with_capacity(names.len()), Vec::new());
        for (place, &name) in names.iter().enumerate() {
            match self.names.ship(seat, name) {
                Some(id) => found.push((id, place)),
                None => unknown.push(name),
            }
        }
        // Keep the first mention of each ship, in list order.
        found.sort_unstable();
        found.dedup_by_key(|&mut (id, _)| id);
        found.sort_unstable_by_key(|&(_, place)| place);
        (found.into_iter().map(|(id, _)| id).collect(), unknown)
    }

    pub(crate) fn add_news(
        &mut self,
        section: Section,
        at: Option<Sector>,
        readers: SeatSet,
        what: What,
    ) {
        debug_assert!(
            readers.difference(self.galaxy().seats().collect()).is_empty(),
            "the readers of news are empires of the game"
        );
        self.news.push(NewsRecord { section, at, readers, what });
    }

    /// Adds news of a ship for its owner and all empires present in its sector.
    pub(crate) fn add_ship_news(
        &mut self,
        section: Section,
        ship: ShipId,
        deed: Deed,
        amount: u32,
    ) {
        let (at, owner) = (self.galaxy().ship(ship).at, self.galaxy().ship(ship).owner);
        let readers = self.index.present(at).with(owner);
        self.add_ship_news_for(readers, section, ship, deed, amount);
    }

    pub(crate) fn add_owner_news(
        &mut self,
        section: Section,
        ship: ShipId,
        deed: Deed,
        amount: u32,
    ) {
        let readers = SeatSet::one(self.galaxy().ship(ship).owner);
        self.add_ship_news_for(readers, section, ship, deed, amount);
    }

    /// Adds news of a repair. If the ship is loaded, other empires cannot see it and get no news.
    pub(crate) fn add_repair_news(&mut self, section: Section, ship: ShipId, deed: Deed, dp: u16) {
        if self.galaxy().ship(ship).is_loaded() {
            self.add_owner_news(section, ship, deed, u32::from(dp));
        } else {
            self.add_ship_news(section, ship, deed, u32::from(dp));
        }
    }

    fn add_ship_news_for(
        &mut self,
        readers: SeatSet,
        section: Section,
        ship: ShipId,
        deed: Deed,
        amount: u32,
    ) {
        let galaxy = &self.game.galaxy;
        let at = galaxy.ship(ship).at;
        let damage = galaxy.damage(galaxy.ship(ship));
        self.add_news(section, Some(at), readers, What::Ship { ship, deed, amount, damage });
    }

    /// Makes `other` a contact of `seat`, because `other` has revealed its name (notes 13).
    pub(crate) fn meet(&mut self, section: Section, seat: Seat, other: Seat) {
        if self.game.galaxy.empire_mut(seat).meet(other) {
            self.add_news(section, None, SeatSet::one(seat), What::Contact(other));
        }
    }
}

fn count_fleets(galaxy: &Galaxy) -> Vec<u32> {
    let mut fleets = vec![0; galaxy.empires.len()];
    for ship in &galaxy.ships {
        fleets[ship.owner.index()] += 1;
    }
    fleets
}
