//! 6.0: an update: all orders of all empires, one phase at a time.

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
use crate::news::{Happening, What};
use crate::order::{Selection, Spot};
use crate::position::StarEmpires;
use crate::reason::Reason;
use crate::report::{Deed, Picture};
use crate::scan::Frozen;
use crate::section::Section;
use crate::ship::{SHIPS_MAX, Serial, Ship};

/// An update under way. The phases are its methods, one module a chapter.
pub(crate) struct Update<'a> {
    /// The game. Its turn is that of the new map from the start.
    pub game: &'a mut StarEmpires,
    pub dice: &'a mut Dice,
    /// What has happened to each ship this turn, by id.
    pub ships: Vec<ShipTurn>,
    /// What has happened to each world this turn, by id. Made anew when 6.1 is done, before which
    /// nothing is noted.
    pub worlds: Vec<WorldTurn>,
    /// Ships lost this turn, in the order of their loss (6.3.4, 6.4.6).
    pub wrecks: Vec<Wreck>,
    /// Who is where. See [`Update::index_ships`].
    pub index: ShipIndex,
    /// What lies where.
    pub objects: ObjectIndex,
    /// What bears which name.
    pub names: Directory,
    /// What becomes of each line.
    pub ledger: Ledger,
    /// What becomes of the game master's orders.
    pub master: Ledger,
    /// What has happened.
    pub news: Vec<Happening>,
    /// What lost ships last saw, in the order of their loss (6.3.4, 6.4.6).
    pub pictures: Vec<Frozen>,
    /// The same as each empire gets it, by seat. Filled in 6.8.5.
    pub last_seen: Vec<Vec<Picture>>,
    /// The empires whose guns or missiles hit each empire, by the seat that was hit.
    pub shot_by: Vec<SeatSet>,
    /// How the map of each empire changed in this update, by seat.
    charts: Vec<ChartHistory>,
    /// How many ships there were at the start: those are sorted by owner, later ones follow them.
    first_new: usize,
    /// How many ships each empire has, those lost in this update included.
    fleets: Vec<u32>,
    /// Where the map of each empire shows what, once it was asked for.
    places: Vec<OnceCell<Map<Name, Coord>>>,
}

/// How the map of an empire changed in an update.
#[derive(Clone, Default)]
struct ChartHistory {
    /// The map with which the update began; `None` while it is untouched.
    original: Option<Chart>,
    /// How the map differs from the original, if that was noted when it was drawn. Edits (6.1.5,
    /// 6.1.6, 6.4.1, 6.4.4) are not noted.
    change: Option<ChartChange>,
}

/// What has happened to a ship this turn.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct ShipTurn {
    /// Guns fired (6.3.2).
    pub fired: u16,
    /// It was unloaded in 6.2.1.
    pub unloaded: bool,
    /// It destroys itself, or is cargo of a ship that does (6.3.1).
    pub self_destructing: bool,
    /// A missile that was fired (6.3.2.2).
    pub expended: bool,
    /// It was moved by an order (6.4.2).
    pub moved: bool,
    /// It traversed a portal (6.4.3).
    pub traversed: bool,
    /// It is a wreck (6.3.4, 6.4.6).
    pub lost: bool,
    /// The game master took it out (6.1.1).
    pub removed: bool,
}

/// What has happened to a world this turn.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WorldTurn {
    /// It came to its present owner in 6.3.6 or 6.4.7 (R33).
    pub taken: bool,
    /// The empires that lost it in 6.3.6 or 6.4.7 (R36).
    pub lost_by: SeatSet,
    /// It was made a homeworld in 6.4.8, and produces double.
    pub doubled: bool,
}

/// A ship lost in this update. The ship itself stays in its place, with no damage points, until the
/// update ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wreck {
    pub ship: ShipId,
    /// R27: it destroyed itself or was cargo of a ship that did, so nobody can salvage it.
    pub self_destructed: bool,
    /// It was a missile that was fired, so nobody can salvage it.
    pub expended: bool,
    /// It was lost as cargo of another.
    pub cargo: bool,
}

/// What a selection comes to when its line runs.
pub(crate) struct Selected {
    /// Own ships, each once, in the order of the list or by id. Named ships may be lost or loaded
    /// by now; those of a place are loose and live.
    pub ships: Vec<ShipId>,
    /// Names that are no ship of the empire.
    pub unknown: Vec<Name>,
    /// Whether the ships were named. What was not named leaves out silently what can never obey
    /// (notes 4.3).
    pub named: bool,
}

/// Runs an update: closes the turn, and makes the next map.
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
    /// An update at its start, with its indices.
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
            first_new: galaxy.ships.len(),
            fleets: count_fleets(galaxy),
            places: vec![OnceCell::new(); galaxy.empires.len()],
            game,
            dice,
        }
    }

    /// 6.1 to 6.8, in their order.
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

    /// The truth.
    pub(crate) fn galaxy(&self) -> &Galaxy {
        &self.game.galaxy
    }

    /// The number of this update, which is that of the new map.
    pub(crate) fn turn(&self) -> u32 {
        self.game.turn
    }

    /// The map of an empire, for the game master to edit. What the empire is told in the end is the
    /// difference to the map that it had before.
    pub(crate) fn edit_chart(&mut self, seat: Seat) -> &mut Chart {
        self.places[seat.index()] = OnceCell::new();
        let chart = &mut self.game.knowledge[seat.index()].chart;
        let history = &mut self.charts[seat.index()];
        history.original.get_or_insert_with(|| chart.clone());
        history.change = None;
        chart
    }

    /// 6.8.5: an empire gets a new map; `change` is how it differs from the one before.
    pub(crate) fn redraw_chart(&mut self, seat: Seat, new: Chart, change: ChartChange) {
        let old = std::mem::replace(&mut self.game.knowledge[seat.index()].chart, new);
        let history = &mut self.charts[seat.index()];
        // A map that was edited before differs from the original by more.
        history.change = history.original.is_none().then_some(change);
        history.original.get_or_insert(old);
    }

    /// How the map of an empire differs from the one that it had when the update began.
    pub(crate) fn chart_change(&mut self, seat: Seat) -> ChartChange {
        let now = &self.game.knowledge[seat.index()].chart;
        let ChartHistory { original, change } = std::mem::take(&mut self.charts[seat.index()]);
        let compared = || {
            original.as_ref().map_or_else(ChartChange::default, |original| original.change_to(now))
        };
        debug_assert!(
            change.as_ref().is_none_or(|change| *change == compared()),
            "what was noted is what differs"
        );
        change.unwrap_or_else(compared)
    }

    /// Builds the index of ships anew. To be called by every phase that moved, loaded, unloaded,
    /// built or removed any ship, at its end; phases trust it at their start.
    pub(crate) fn index_ships(&mut self) {
        self.index = ShipIndex::build(&self.game.galaxy);
    }

    /// A ship comes into the game (6.1.3, 6.6.1), with the next serial number of its owner; `None`
    /// if the owner has too many.
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

    /// All live ships of an empire.
    pub(crate) fn fleet(&self, owner: Seat) -> Vec<ShipId> {
        let (old, new) = self.galaxy().ships.split_at(self.first_new);
        let start = old.partition_point(|ship| ship.owner < owner);
        let end = old.partition_point(|ship| ship.owner <= owner);
        let own = (start..end).chain(self.first_new..self.first_new + new.len()).map(ShipId::at);
        own.filter(|&id| self.galaxy().ship(id).owner == owner && self.galaxy().ship(id).is_live())
            .collect()
    }

    /// Brings a ship into a sector, with its cargo.
    pub(crate) fn carry(&mut self, id: ShipId, to: Sector) {
        let galaxy = &mut self.game.galaxy;
        galaxy.ship_mut(id).at = to;
        for cargo in self.index.cargo_of(id) {
            let cargo = galaxy.ship_mut(cargo);
            if cargo.carrier.is_some_and(|carrier| carrier.id() == id) {
                cargo.at = to;
            }
        }
    }

    /// Why a ship is no more; `None` if it lives.
    pub(crate) fn loss(&self, id: ShipId) -> Option<Reason> {
        match (self.galaxy().ship(id).is_live(), self.ships[id.index()].removed) {
            (true, _) => None,
            (false, true) => Some(Reason::Vanished),
            (false, false) => Some(Reason::Destroyed),
        }
    }

    /// The sector that an empire means. An object is where its map showed it when the update began
    /// (R60).
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

    /// What a selection of own ships comes to now (R12).
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

    /// The live ships that a line means. Those that are lost or gone fail, and the whole line if it
    /// means a place and nobody there can ever obey it, or the place itself is gone (notes 4.1).
    pub(crate) fn muster(&mut self, line: LineId, seat: Seat, selection: &Selection) -> Selected {
        if matches!(selection, Selection::All { .. }) {
            self.ledger.by_place(line);
        }
        let mut selected = self.select(seat, selection);
        for &name in &selected.unknown {
            self.ledger.failed(line, name, Reason::Vanished);
        }
        selected.ships.retain(|&id| self.lives(line, id));
        selected
    }

    /// The live ships that a line names. Those that are lost or gone fail.
    pub(crate) fn muster_named(&mut self, line: LineId, seat: Seat, names: &[Name]) -> Vec<ShipId> {
        let (mut ships, unknown) = self.named(seat, names);
        for name in unknown {
            self.ledger.failed(line, name, Reason::Vanished);
        }
        ships.retain(|&id| self.lives(line, id));
        ships
    }

    /// Whether a ship lives; if not, its part of the line fails.
    fn lives(&mut self, line: LineId, id: ShipId) -> bool {
        let loss = self.loss(id);
        if let Some(reason) = loss {
            self.ledger.failed(line, self.galaxy().ship(id).handle(), reason);
        }
        loss.is_none()
    }

    /// A ship's part of a line fails.
    pub(crate) fn ship_failed(&mut self, line: LineId, id: ShipId, reason: Reason) {
        let handle = self.galaxy().ship(id).handle();
        self.ledger.failed(line, handle, reason);
    }

    /// Own ships by their handles, each once, and the names that are none.
    pub(crate) fn named(&self, seat: Seat, names: &[Name]) -> (Vec<ShipId>, Vec<Name>) {
        let (mut found, mut unknown) = (Vec::with_capacity(names.len()), Vec::new());
        for (place, &name) in names.iter().enumerate() {
            match self.names.ship(seat, name) {
                Some(id) => found.push((id, place)),
                None => unknown.push(name),
            }
        }
        // The first mention of each ship stays, in the order of the list.
        found.sort_unstable();
        found.dedup_by_key(|&mut (id, _)| id);
        found.sort_unstable_by_key(|&(_, place)| place);
        (found.into_iter().map(|(id, _)| id).collect(), unknown)
    }

    /// Tells some empires.
    pub(crate) fn tell(
        &mut self,
        section: Section,
        at: Option<Sector>,
        readers: SeatSet,
        what: What,
    ) {
        debug_assert!(
            readers.difference(self.galaxy().seats().collect()).is_empty(),
            "news are for empires of the game"
        );
        self.news.push(Happening { section, at, readers, what });
    }

    /// Tells a ship's part to all who are present in its sector, and to its owner.
    pub(crate) fn tell_of_ship(&mut self, section: Section, ship: ShipId, deed: Deed, amount: u32) {
        let (at, owner) = (self.galaxy().ship(ship).at, self.galaxy().ship(ship).owner);
        let readers = self.index.present(at).with(owner);
        self.tell_of_ship_to(readers, section, ship, deed, amount);
    }

    /// Tells a ship's part to its owner, because nobody else can see it.
    pub(crate) fn tell_owner(&mut self, section: Section, ship: ShipId, deed: Deed, amount: u32) {
        let readers = SeatSet::one(self.galaxy().ship(ship).owner);
        self.tell_of_ship_to(readers, section, ship, deed, amount);
    }

    /// Tells of repairs: to all who are present, unless the ship is loaded and so out of sight.
    pub(crate) fn tell_of_repair(&mut self, section: Section, ship: ShipId, deed: Deed, dp: u16) {
        if self.galaxy().ship(ship).is_loaded() {
            self.tell_owner(section, ship, deed, u32::from(dp));
        } else {
            self.tell_of_ship(section, ship, deed, u32::from(dp));
        }
    }

    fn tell_of_ship_to(
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
        self.tell(section, Some(at), readers, What::Ship { ship, deed, amount, damage });
    }

    /// An empire meets another that gave it something under its name (notes 13).
    pub(crate) fn meet(&mut self, section: Section, seat: Seat, other: Seat) {
        if self.game.galaxy.empire_mut(seat).meet(other) {
            self.tell(section, None, SeatSet::one(seat), What::Contact(other));
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

#[cfg(test)]
mod tests;
