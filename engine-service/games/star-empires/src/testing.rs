//! Small galaxies for tests: a few empires, worlds and ships in the galactic frame, no chance,
//! everybody in contact.
//!
//! [`Site`] sets one up by names; the functions of [`line`] write order lines as orders are read.

use std::sync::Arc;

use heliopause_kernel::{Actor, Dice, Emitted, Game, Seat, SeatSet, Why};

use crate::class::{Class, stock};
use crate::empire::{Empire, Serials, code_for};
use crate::event::Event;
use crate::galaxy::Galaxy;
use crate::generator::stock_known;
use crate::geometry::{Frame, Sector};
use crate::hull::{Hull, Ratings};
use crate::ids::{ClassId, Id, IdSet, PortalId, ShipId, WorldId};
use crate::ledger::{Ledger, Orders};
use crate::master::Astronomics;
use crate::name::Name;
use crate::news::{Happening, What};
use crate::objects::{Pattern, Portal, Siege, Storm, World};
use crate::options::Options;
use crate::order::{Line, Names, Order, Sheet};
use crate::position::StarEmpires;
use crate::reason::{Fate, Reason};
use crate::report::{Deed, LineResult};
use crate::ship::{Carrier, Ship};
use crate::update::{Update, Wreck};

/// A name.
pub(crate) fn name(text: &str) -> Name {
    Name::new(text).unwrap_or_else(|| panic!("{text} is no name"))
}

/// Names with blanks between them.
pub(crate) fn names(text: &str) -> Names {
    text.split_whitespace().map(name).collect()
}

/// A sector.
pub(crate) fn at((o, y): (i16, i16)) -> Sector {
    Sector::new(o, y)
}

/// A game being set up and played. Empires are called A, B, C, …; each knows the stock classes and
/// all other empires, and is homeless until it is given a homeworld.
#[derive(Clone)]
pub(crate) struct Site {
    pub game: StarEmpires,
    pub dice: Dice,
}

/// What an update made of the orders, before it was told to anybody.
pub(crate) struct Played {
    pub results: Vec<Vec<LineResult>>,
    pub master: Vec<(Fate, Vec<Reason>)>,
    pub news: Vec<Happening>,
    pub wrecks: Vec<(Ship, Wreck)>,
    pub shot_by: Vec<SeatSet>,
    /// Ships by id as they were when the update ended, wrecks included.
    ships: Vec<Ship>,
}

impl Site {
    /// So many empires and nothing else.
    pub(crate) fn new(empires: usize) -> Self {
        let mut dice = Dice::new([7; 32]);
        let mut galaxy = Galaxy { classes: stock().to_vec(), ..Galaxy::default() };
        let all = SeatSet::first(empires);
        for seat in Seat::first(empires) {
            let own = Name::new(&char::from(b'A' + seat.index() as u8).to_string())
                .expect("a letter is a name");
            let taken: Vec<_> = galaxy.empires.iter().map(|empire| empire.code).collect();
            galaxy.empires.push(Empire {
                name: own,
                code: code_for(own, &taken),
                frame: Frame::GALACTIC,
                homeworld: None,
                last_homeworld: None,
                contacts: all.without(seat),
                heard_of: all.without(seat),
                classes: stock_known(),
                navigation: IdSet::default(),
                grants: Vec::new(),
                abandoned_turns: 0,
                shot_by: SeatSet::EMPTY,
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

    /// The seat of an empire by its letter.
    pub(crate) fn seat(&self, empire: &str) -> Seat {
        self.game.galaxy.empire_named(name(empire)).unwrap_or_else(|| panic!("no empire {empire}"))
    }

    pub(crate) fn empire(&mut self, empire: &str) -> &mut Empire {
        let seat = self.seat(empire);
        self.game.galaxy.empire_mut(seat)
    }

    /// A world; `owner` is a letter, or empty.
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

    /// Makes a world the homeworld of its owner.
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

    /// A connection in one direction.
    pub(crate) fn connect(&mut self, entry: &str, exit: &str) {
        let (entry, exit) = (self.portal_id(entry), self.portal_id(exit));
        let exits = &mut self.galaxy().portals[entry.index()].exits;
        exits.push(exit);
        exits.sort_unstable();
    }

    /// Navigation data for portals.
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

    /// A class that these empires know; 50 tonnes and RU if it is too big for a design.
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

    /// A missile class that these empires know.
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

    /// The frigate of the notes, which all know.
    pub(crate) fn frigate(&mut self) {
        let all: Vec<String> =
            self.game.galaxy.empires.iter().map(|empire| empire.name.to_string()).collect();
        self.class("frigate", Hull::Gunship, [20, 15, 4, 2, 0], &all.join(" "));
    }

    /// Undamaged ships of one class, by names.
    pub(crate) fn ships(&mut self, empire: &str, ships: &str, class: &str, place: (i16, i16)) {
        let dp = self.game.galaxy.class(self.class_id(class)).ratings.dp;
        for ship in ships.split_whitespace() {
            self.damaged(empire, ship, class, place, dp);
        }
    }

    /// A ship with so many damage points.
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

    /// Loads ships onto a carrier.
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

    /// A world as it is.
    pub(crate) fn see(&self, world: &str) -> World {
        *self.game.galaxy.world(self.world_id(world))
    }

    /// The letter of a world's owner, or nothing.
    pub(crate) fn owner(&self, world: &str) -> String {
        self.see(world)
            .owner
            .map_or(String::new(), |owner| self.game.galaxy.empire(owner).name.to_string())
    }

    /// A ship as it is; `None` if it is lost.
    pub(crate) fn find(&self, empire: &str, ship: &str) -> Option<Ship> {
        let owner = self.seat(empire);
        let mut ships = self.game.galaxy.ships.iter();
        ships.find(|other| other.owner == owner && other.handle() == name(ship)).copied()
    }

    /// A ship that lives.
    pub(crate) fn ship(&self, empire: &str, ship: &str) -> Ship {
        self.find(empire, ship).unwrap_or_else(|| panic!("{empire} has lost {ship}"))
    }

    /// The damage points of a ship; 0 if it is lost.
    pub(crate) fn dp(&self, empire: &str, ship: &str) -> u16 {
        self.find(empire, ship).map_or(0, |ship| ship.dp)
    }

    /// The handle of a ship's carrier, or nothing.
    pub(crate) fn carrier(&self, empire: &str, ship: &str) -> String {
        let carrier = self.ship(empire, ship).carrier;
        carrier.map_or(String::new(), |carrier| {
            self.game.galaxy.ship(carrier.id()).handle().to_string()
        })
    }

    /// Gives an empire its lines for the next update, without the check of submission.
    pub(crate) fn orders(
        &mut self,
        empire: &str,
        lines: impl IntoIterator<Item = Line>,
    ) -> &mut Self {
        let seat = self.seat(empire);
        self.game.sheets[seat.index()] = Some(Sheet::of(lines.into_iter().collect()));
        self
    }

    /// Lets orders of the game master wait for the next update, without the check of submission.
    pub(crate) fn master(&mut self, orders: impl IntoIterator<Item = Astronomics>) -> &mut Self {
        self.game.waiting.extend(orders);
        self
    }

    /// Runs the phases of an update and settles the ships, without telling anybody.
    pub(crate) fn play(&mut self) -> Played {
        let game = &mut self.game;
        game.galaxy.settle_ships();
        game.turn += 1;
        let empires = game.galaxy.empires.len();
        let orders = Orders::new(std::mem::replace(&mut game.sheets, vec![None; empires]));
        let waiting = std::mem::take(&mut game.waiting);
        let (ledger, master) = (Ledger::new(orders.len()), Ledger::new(waiting.len()));
        let mut update = Update::begin(game, &mut self.dice, ledger, master);
        update.phases(&orders, &waiting);
        let Update { ledger, master, news, wrecks, shot_by, game, .. } = update;
        let reasons = |remarks: Vec<crate::reason::Remark>| {
            remarks.iter().map(|remark| remark.reason).collect()
        };
        let played = Played {
            results: orders.results(ledger, empires),
            master: master.close().map(|(fate, remarks)| (fate, reasons(remarks))).collect(),
            wrecks: wrecks.iter().map(|&wreck| (*game.galaxy.ship(wreck.ship), wreck)).collect(),
            news,
            shot_by,
            ships: game.galaxy.ships.clone(),
        };
        game.galaxy.settle_ships();
        game.galaxy.integrity().expect("the galaxy holds together");
        played
    }

    /// Runs a whole update.
    pub(crate) fn close(&mut self) -> Emitted<Event> {
        self.game.galaxy.settle_ships();
        self.game.close(Why::AllReady, &mut self.dice)
    }

    /// Sends an order as the service does.
    pub(crate) fn submit(
        &mut self,
        by: Actor,
        order: Order,
    ) -> Result<Emitted<Event>, heliopause_kernel::Refusal> {
        self.game.galaxy.settle_ships();
        self.game.submit(by, order, &mut self.dice)
    }
}

impl Played {
    /// What became of a line, by the letter of the empire and the line's place.
    pub(crate) fn fate(&self, empire: &str, line: usize) -> Fate {
        self.results[usize::from(empire.as_bytes()[0] - b'A')][line].fate
    }

    /// The remarks on a line: items by name (empty for the whole line), and reasons.
    pub(crate) fn remarks(&self, empire: &str, line: usize) -> Vec<(String, Reason)> {
        let result = &self.results[usize::from(empire.as_bytes()[0] - b'A')][line];
        result.remarks.iter().map(|remark| (remark.item.to_string(), remark.reason)).collect()
    }

    /// The remarks on a line as text, for example `F3 no-racks`.
    pub(crate) fn said(&self, empire: &str, line: usize) -> String {
        let remarks = self.remarks(empire, line).into_iter();
        let texts: Vec<String> =
            remarks.map(|(item, reason)| format!("{item} {reason}").trim().to_owned()).collect();
        texts.join(", ")
    }

    /// Handles of the ships that had a part, with its amount, in the order of the news.
    pub(crate) fn deeds(&self, deed: Deed) -> Vec<(String, u32)> {
        let amount = |happening: &Happening| match happening.what {
            What::Ship { ship, deed: other, amount, .. } if other == deed => {
                Some((self.ships[ship.index()].handle().to_string(), amount))
            }
            _ => None,
        };
        self.news.iter().filter_map(amount).collect()
    }
}

/// Order lines.
pub(crate) mod line {
    use super::{name, names};
    use crate::class::Design;
    use crate::geometry::Coord;
    use crate::hull::{Hull, Ratings};
    use crate::order::{Amount, Crews, Line, Naming, Scans, Selection, Sense, Spot};

    fn amount(text: &str) -> Amount {
        text.parse().map_or(Amount::Max, Amount::Number)
    }

    /// Sector `(o,y)` of the map.
    pub(crate) fn spot((o, y): (i16, i16)) -> Spot {
        Spot::At(Coord::new(o, y))
    }

    /// Named ships.
    pub(crate) fn these(ships: &str) -> Selection {
        Selection::Ships(names(ships))
    }

    /// All ships in a sector but some.
    pub(crate) fn all_at(place: (i16, i16), except: &str) -> Selection {
        Selection::All { at: spot(place), except: names(except) }
    }

    pub(crate) fn unload(ships: &str) -> Line {
        Line::Unload { ships: names(ships) }
    }

    pub(crate) fn load(ships: &str, carrier: &str) -> Line {
        Line::Load { ships: names(ships), carrier: name(carrier) }
    }

    pub(crate) fn destruct(ships: &str) -> Line {
        Line::Destruct { ships: these(ships) }
    }

    pub(crate) fn fire(ships: &str, at: &str) -> Line {
        Line::Fire { sense: Sense::Descending, ships: these(ships), at: names(at) }
    }

    pub(crate) fn fire_ascending(ships: &str, at: &str) -> Line {
        Line::Fire { sense: Sense::Ascending, ships: these(ships), at: names(at) }
    }

    pub(crate) fn transmit(portals: &str, to: &str) -> Line {
        Line::Transmit { portals: names(portals), to: names(to) }
    }

    pub(crate) fn go(ships: &str, to: (i16, i16)) -> Line {
        Line::Move { ships: these(ships), to: spot(to) }
    }

    /// An empty exit leaves it to chance.
    pub(crate) fn traverse(ships: &str, entry: &str, exit: &str) -> Line {
        let exit = (!exit.is_empty()).then(|| name(exit));
        Line::Traverse { ships: these(ships), entry: name(entry), exit }
    }

    pub(crate) fn design(world: &str, class: &str, hull: Hull, ratings: [u16; 5]) -> Line {
        let [guns, dp, engines, scan, racks] = ratings;
        let design = Design::Ship(hull, Ratings { guns, dp, engines, scan, racks });
        Line::Design { world: name(world), class: name(class), design }
    }

    pub(crate) fn design_missile(world: &str, class: &str, guns: u16, tonnage: u32) -> Line {
        Line::Design {
            world: name(world),
            class: name(class),
            design: Design::Missile { guns, tonnage },
        }
    }

    pub(crate) fn give(classes: &str, to: &str) -> Line {
        Line::Give { classes: names(classes), to: names(to) }
    }

    /// A number or `MAX`; names, or a base with a star behind it.
    pub(crate) fn build(world: &str, count: &str, class: &str, naming: &str) -> Line {
        let naming = match naming.strip_suffix('*') {
            Some(base) => Naming::Numbered(name(base)),
            None => Naming::Listed(names(naming)),
        };
        Line::Build { world: name(world), count: amount(count), class: name(class), naming }
    }

    pub(crate) fn repair(ship: &str, dp: &str, worlds: &str) -> Line {
        Line::Repair { ship: name(ship), dp: amount(dp), worlds: names(worlds) }
    }

    fn crews(ships: &str) -> Crews {
        if ships == "ALL" {
            return Crews::All;
        }
        let (classes, ships): (Vec<&str>, Vec<&str>) =
            ships.split_whitespace().partition(|word| word.starts_with('@'));
        let classes = classes.into_iter().map(|class| name(&class[1..])).collect();
        Crews::Some { ships: ships.into_iter().map(name).collect(), classes }
    }

    /// `ALL`, or ships and `@classes`.
    pub(crate) fn toggle(public: bool, ships: &str) -> Line {
        Line::Toggle { public, ships: crews(ships) }
    }

    pub(crate) fn conceal(ships: &str, from: &str) -> Line {
        Line::Conceal { ships: crews(ships), from: names(from) }
    }

    pub(crate) fn identify(ships: &str, to: &str) -> Line {
        Line::Identify { ships: crews(ships), to: names(to) }
    }

    pub(crate) fn pool(world: &str, except: &str) -> Line {
        Line::Pool { world: name(world), except: names(except) }
    }

    /// An empty recipient is the sender.
    pub(crate) fn transfer(from: &str, ru: &str, to: &str, recipient: &str) -> Line {
        let recipient = (!recipient.is_empty()).then(|| name(recipient));
        Line::Transfer { from: name(from), amount: amount(ru), to: name(to), recipient }
    }

    pub(crate) fn deny(scans: Scans, to: &str) -> Line {
        Line::Deny { scans, to: names(to) }
    }

    pub(crate) fn authorize(scans: Scans, to: &str) -> Line {
        Line::Authorize { scans, to: names(to) }
    }
}
