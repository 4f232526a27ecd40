//! Small galaxies for tests, in the galactic frame, without randomness and with all empires in
//! contact.

use std::sync::Arc;

use heliopause_kernel::{Actor, CloseCause, Dice, Emitted, Game, Seat, SeatSet};

use crate::class::{Class, stock};
use crate::empire::{Empire, Serials, code_for};
use crate::event::Event;
use crate::galaxy::Galaxy;
use crate::generator::stock_class_ids;
use crate::geometry::{Frame, Sector};
use crate::hull::{Hull, Ratings};
use crate::ids::{ClassId, Id, IdSet, PortalId, ShipId, WorldId};
use crate::ledger::{Ledger, Orders};
use crate::master::{Astronomics, MasterOrder};
use crate::name::Name;
use crate::news::{NewsRecord, What};
use crate::objects::{Pattern, Portal, Siege, Storm, World};
use crate::options::Options;
use crate::order::Order;
use crate::position::StarEmpires;
use crate::reason::{Fate, Reason};
use crate::report::{Deed, LineResult};
use crate::ship::{Carrier, Ship};
use crate::text::{parse_master, parse_sheet};
use crate::update::{Update, Wreck};

pub(crate) fn name(text: &str) -> Name {
    Name::new(text).unwrap_or_else(|| panic!("{text} is no name"))
}

pub(crate) fn at((o, y): (i16, i16)) -> Sector {
    Sector::new(o, y)
}

fn astronomics(text: &str) -> Astronomics {
    match &parse_master(text).unwrap_or_else(|fault| panic!("{text}: {fault}"))[..] {
        [Order::Master(MasterOrder::Astronomics(order))] => order.clone(),
        other => panic!("{text}: {other:?}"),
    }
}

/// A game under test. Empires are named A, B, C, …. Each knows the stock classes and all other
/// empires, and is homeless until given a homeworld.
#[derive(Clone)]
pub(crate) struct Site {
    pub game: StarEmpires,
    pub dice: Dice,
}

pub(crate) struct Played {
    pub results: Vec<Vec<LineResult>>,
    pub master: Vec<(Fate, Vec<Reason>)>,
    pub news: Vec<NewsRecord>,
    pub wrecks: Vec<(Ship, Wreck)>,
    ships: Vec<Ship>,
}

impl Site {
    pub(crate) fn new(empires: usize) -> Self {
        let mut dice = Dice::new([7; 32]);
        let mut galaxy = Galaxy { classes: stock().to_vec(), ..Galaxy::default() };
        let all = SeatSet::first(empires);
        for seat in Seat::first(empires) {
            let own = Name::new(&char::from(b'A' + seat.index() as u8).to_string())
                .expect("a letter is a valid name");
            let taken: Vec<_> = galaxy.empires.iter().map(|empire| empire.code).collect();
            galaxy.empires.push(Empire {
                name: own,
                code: code_for(own, &taken),
                frame: Frame::GALACTIC,
                homeworld: None,
                last_homeworld: None,
                contacts: all.without(seat),
                known_empires: all.without(seat),
                classes: stock_class_ids(),
                navigation: IdSet::default(),
                grants: Vec::new(),
                abandoned_turns: 0,
                attacked_by: SeatSet::EMPTY,
                serials: Serials::draw(seat, &mut dice),
            });
        }
        let options =
            Options { local_frames: false, portal_collapse_percent: 0, ..Options::default() };
        Self { game: StarEmpires::unseen(Arc::new(options), galaxy), dice }
    }

    pub(crate) fn galaxy(&mut self) -> &mut Galaxy {
        &mut self.game.galaxy
    }

    pub(crate) fn seat(&self, empire: &str) -> Seat {
        self.game.galaxy.empire_named(name(empire)).unwrap_or_else(|| panic!("no empire {empire}"))
    }

    pub(crate) fn empire(&mut self, empire: &str) -> &mut Empire {
        let seat = self.seat(empire);
        self.game.galaxy.empire_mut(seat)
    }

    /// Adds a world. `owner` is an empire's letter, or empty for no owner.
    pub(crate) fn world(
        &mut self,
        world: &str,
        place: (i16, i16),
        owner: &str,
        production: u32,
        stockpile: u32,
    ) {
        let owner = (!owner.is_empty()).then(|| self.seat(owner));
        let (name, at) = (name(world), at(place));
        self.galaxy().worlds.push(World {
            name,
            at,
            production,
            stockpile,
            owner,
            siege: Siege::None,
        });
    }

    pub(crate) fn homeworld(&mut self, world: &str) {
        let id = self.world_id(world);
        let world = *self.game.galaxy.world(id);
        let empire = self.game.galaxy.empire_mut(world.owner.expect("a homeworld is owned"));
        (empire.homeworld, empire.last_homeworld) = (Some(id), Some(world.at));
    }

    pub(crate) fn portal(&mut self, portal: &str, place: (i16, i16)) {
        let (name, at) = (name(portal), at(place));
        self.galaxy().portals.push(Portal {
            name,
            at,
            exits: Vec::new(),
            collapsed: false,
            collapse_turns: 0,
        });
    }

    pub(crate) fn connect(&mut self, entry: &str, exit: &str) {
        let (entry, exit) = (self.portal_id(entry), self.portal_id(exit));
        let exits = &mut self.galaxy().portals[entry.index()].exits;
        exits.push(exit);
        exits.sort_unstable();
    }

    pub(crate) fn navigation(&mut self, empire: &str, portals: &str) {
        for portal in portals.split_whitespace() {
            let id = self.portal_id(portal);
            self.empire(empire).navigation.insert(id);
        }
    }

    pub(crate) fn storm(&mut self, storm: &str, place: (i16, i16), rating: u32, pattern: Pattern) {
        let (name, at) = (name(storm), at(place));
        self.galaxy().storms.push(Storm { name, at, rating, initial: rating, pattern });
    }

    /// Adds a class known to these empires. A class that is too big for a design costs 50 RU.
    pub(crate) fn class(
        &mut self,
        class: &str,
        hull: Hull,
        ratings: [u16; 5],
        known_to: &str,
    ) -> ClassId {
        let [guns, dp, engines, scan, racks] = ratings;
        let (name, ratings) = (name(class), Ratings { guns, dp, engines, scan, racks });
        let huge = Class { name, hull, ratings, tonnage: 50, cost: 50, unbuildable: true };
        let class = Class::sized(name, hull, ratings).unwrap_or(huge);
        self.add_class(class, known_to)
    }

    pub(crate) fn missile(
        &mut self,
        class: &str,
        guns: u16,
        tonnage: u32,
        known_to: &str,
    ) -> ClassId {
        let class = Class::missile(name(class), guns, tonnage).expect("not too big");
        self.add_class(class, known_to)
    }

    fn add_class(&mut self, class: Class, known_to: &str) -> ClassId {
        let id = ClassId::at(self.game.galaxy.classes.len());
        self.galaxy().classes.push(class);
        for empire in known_to.split_whitespace() {
            self.empire(empire).classes.insert(id);
        }
        id
    }

    pub(crate) fn ships(&mut self, empire: &str, ships: &str, class: &str, place: (i16, i16)) {
        let dp = self.game.galaxy.class(self.class_id(class)).ratings.dp;
        for ship in ships.split_whitespace() {
            self.damaged(empire, ship, class, place, dp);
        }
    }

    pub(crate) fn damaged(
        &mut self,
        empire: &str,
        ship: &str,
        class: &str,
        place: (i16, i16),
        dp: u16,
    ) {
        let (owner, class) = (self.seat(empire), self.class_id(class));
        let serial = self.galaxy().deal_serial(owner, |_| false);
        self.galaxy().ships.push(Ship::new(owner, serial, name(ship), class, dp, at(place)));
    }

    pub(crate) fn load(&mut self, empire: &str, cargo: &str, carrier: &str) {
        let carrier = self.id(empire, carrier);
        for ship in cargo.split_whitespace() {
            let id = self.id(empire, ship);
            self.game.galaxy.ship_mut(id).carrier = Some(Carrier::new(carrier));
        }
    }

    fn id(&self, empire: &str, ship: &str) -> ShipId {
        let owner = self.seat(empire);
        let is_it = |other: &Ship| other.owner == owner && other.handle() == name(ship);
        let place = self.game.galaxy.ships.iter().position(is_it);
        ShipId::at(place.unwrap_or_else(|| panic!("{empire} has no ship {ship}")))
    }

    pub(crate) fn class_id(&self, class: &str) -> ClassId {
        self.game.galaxy.class_named(name(class)).unwrap_or_else(|| panic!("no class {class}"))
    }

    pub(crate) fn world_id(&self, world: &str) -> WorldId {
        self.game.galaxy.world_named(name(world)).unwrap_or_else(|| panic!("no world {world}"))
    }

    pub(crate) fn portal_id(&self, portal: &str) -> PortalId {
        self.game.galaxy.portal_named(name(portal)).unwrap_or_else(|| panic!("no portal {portal}"))
    }

    pub(crate) fn see(&self, world: &str) -> World {
        *self.game.galaxy.world(self.world_id(world))
    }

    pub(crate) fn owner(&self, world: &str) -> String {
        self.see(world)
            .owner
            .map_or(String::new(), |owner| self.game.galaxy.empire(owner).name.to_string())
    }

    pub(crate) fn find(&self, empire: &str, ship: &str) -> Option<Ship> {
        let owner = self.seat(empire);
        let mut ships = self.game.galaxy.ships.iter();
        ships.find(|other| other.owner == owner && other.handle() == name(ship)).copied()
    }

    pub(crate) fn ship(&self, empire: &str, ship: &str) -> Ship {
        self.find(empire, ship).unwrap_or_else(|| panic!("{empire} has lost {ship}"))
    }

    pub(crate) fn dp(&self, empire: &str, ship: &str) -> u16 {
        self.find(empire, ship).map_or(0, |ship| ship.dp)
    }

    pub(crate) fn carrier(&self, empire: &str, ship: &str) -> String {
        let carrier = self.ship(empire, ship).carrier;
        carrier.map_or(String::new(), |carrier| {
            self.game.galaxy.ship(carrier.id()).handle().to_string()
        })
    }

    /// Stores an empire's lines for the next update, skipping the check at submission.
    pub(crate) fn orders<L: AsRef<str>>(
        &mut self,
        empire: &str,
        lines: impl IntoIterator<Item = L>,
    ) -> &mut Self {
        let lines: Vec<L> = lines.into_iter().collect();
        let text = lines.iter().map(AsRef::as_ref).collect::<Vec<&str>>().join("\n");
        let sheet = parse_sheet(&text).unwrap_or_else(|fault| panic!("{text}: {fault}"));
        assert_eq!(sheet.unreadable_lines, [], "{text}");
        let seat = self.seat(empire);
        self.game.sheets[seat.index()] = Some(sheet);
        self
    }

    pub(crate) fn master<L: AsRef<str>>(
        &mut self,
        orders: impl IntoIterator<Item = L>,
    ) -> &mut Self {
        self.game.waiting.extend(orders.into_iter().map(|order| astronomics(order.as_ref())));
        self
    }

    /// Runs the phases of an update and removes lost ships, without publishing events.
    pub(crate) fn play(&mut self) -> Played {
        let game = &mut self.game;
        game.galaxy.compact_ships();
        game.turn += 1;
        let empires = game.galaxy.empires.len();
        let orders = Orders::new(std::mem::replace(&mut game.sheets, vec![None; empires]));
        let waiting = std::mem::take(&mut game.waiting);
        let (ledger, master) = (Ledger::new(orders.len()), Ledger::new(waiting.len()));
        let mut update = Update::begin(game, &mut self.dice, ledger, master);
        update.phases(&orders, &waiting);
        let Update { ledger, master, news, wrecks, game, .. } = update;
        let reasons = |remarks: Vec<crate::reason::Remark>| {
            remarks.iter().map(|remark| remark.reason).collect()
        };
        let played = Played {
            results: orders.results(ledger, empires),
            master: master.close().map(|(fate, remarks)| (fate, reasons(remarks))).collect(),
            wrecks: wrecks.iter().map(|&wreck| (*game.galaxy.ship(wreck.ship), wreck)).collect(),
            news,
            ships: game.galaxy.ships.clone(),
        };
        game.galaxy.compact_ships();
        game.galaxy.integrity().expect("the position is valid");
        played
    }

    pub(crate) fn close(&mut self) -> Emitted<Event> {
        self.game.galaxy.compact_ships();
        self.game.close(CloseCause::AllReady, &mut self.dice)
    }

    pub(crate) fn submit(
        &mut self,
        by: Actor,
        order: Order,
    ) -> Result<Emitted<Event>, heliopause_kernel::Refusal> {
        self.game.galaxy.compact_ships();
        self.game.submit(by, order, &mut self.dice)
    }
}

impl Played {
    pub(crate) fn fate(&self, empire: &str, line: usize) -> Fate {
        self.results[usize::from(empire.as_bytes()[0] - b'A')][line].fate
    }

    /// Returns the item and reason of each remark. The item is empty for the whole line.
    pub(crate) fn remarks(&self, empire: &str, line: usize) -> Vec<(String, Reason)> {
        let result = &self.results[usize::from(empire.as_bytes()[0] - b'A')][line];
        result.remarks.iter().map(|remark| (remark.item.to_string(), remark.reason)).collect()
    }

    pub(crate) fn remarks_text(&self, empire: &str, line: usize) -> String {
        let remarks = self.remarks(empire, line).into_iter();
        let texts: Vec<String> =
            remarks.map(|(item, reason)| format!("{item} {reason}").trim().to_owned()).collect();
        texts.join(", ")
    }

    /// Returns the fate and remarks of a line as text, for example `partly: F3 no-racks`.
    pub(crate) fn told(&self, empire: &str, line: usize) -> String {
        let fate = format!("{:?}", self.fate(empire, line)).to_lowercase();
        let remarks_text = self.remarks_text(empire, line);
        if remarks_text.is_empty() { fate } else { format!("{fate}: {remarks_text}") }
    }

    pub(crate) fn lines(&self, empire: &str) -> Vec<String> {
        let results = &self.results[usize::from(empire.as_bytes()[0] - b'A')];
        (0..results.len()).map(|line| self.told(empire, line)).collect()
    }

    pub(crate) fn master_results(&self) -> Vec<String> {
        let told = |(fate, reasons): &(Fate, Vec<Reason>)| {
            let fate = format!("{fate:?}").to_lowercase();
            let reasons: Vec<&str> = reasons.iter().map(|reason| reason.as_str()).collect();
            if reasons.is_empty() { fate } else { format!("{fate}: {}", reasons.join(", ")) }
        };
        self.master.iter().map(told).collect()
    }

    /// Returns the handle of each ship with this deed, and the amount, in news order.
    pub(crate) fn deeds(&self, deed: Deed) -> Vec<(String, u32)> {
        let amount = |record: &NewsRecord| match record.what {
            What::Ship { ship, deed: other, amount, .. } if other == deed => {
                Some((self.ships[ship.index()].handle().to_string(), amount))
            }
            _ => None,
        };
        self.news.iter().filter_map(amount).collect()
    }
}
