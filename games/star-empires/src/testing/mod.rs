//! Small galaxies for tests, in the galactic frame, without randomness and with all empires in
//! contact.

mod cases;

use std::str::FromStr;
use std::sync::Arc;

use heliopause_kernel::{Actor, CloseCause, Dice, Emitted, Game, Seat, SeatChange, SeatSet};

use crate::class::{Class, stock};
use crate::empire::{Empire, Grant, Granted, Serials};
use crate::event::Event;
use crate::galaxy::Galaxy;
use crate::geometry::Sector;
use crate::hull::Ratings;
use crate::ids::{ClassId, Id, PortalId, ShipId, WorldId};
use crate::master::{Astronomics, MasterOrder};
use crate::name::Name;
use crate::objects::{Pattern, Portal, Siege, Storm, World};
use crate::options::Options;
use crate::order::Order;
use crate::phases::first_map;
use crate::position::StarEmpires;
use crate::ship::{Carrier, Ship};
use crate::text::{parse_master, parse_sheet};

pub(crate) use cases::{checked, scene};

pub(crate) fn name(text: &str) -> Name {
    Name::new(text).unwrap_or_else(|| panic!("{text} is no name"))
}

/// Reads a sector, such as `(1,-2)`.
pub(crate) fn at(text: &str) -> Sector {
    let (o, y) = text.trim_matches(['(', ')']).split_once(',').expect("a sector");
    Sector::new(number(o), number(y))
}

/// Returns the seat of A, B or C.
pub(crate) fn seat(empire: &str) -> Seat {
    let index = ["A", "B", "C"].iter().position(|letter| *letter == empire);
    Seat::at(index.unwrap_or_else(|| panic!("no empire {empire}")))
}

fn number<T: FromStr>(text: &str) -> T {
    text.parse().unwrap_or_else(|_| panic!("{text} is not a number that fits"))
}

fn astronomics(text: &str) -> Astronomics {
    match &parse_master(text).unwrap_or_else(|fault| panic!("{text}: {fault}"))[..] {
        [Order::Master(MasterOrder::Astronomics(order))] => order.clone(),
        other => panic!("{text}: {other:?}"),
    }
}

/// A game under test. The empires are named A, B and C. Each knows the stock classes and all other
/// empires, and is homeless until given a homeworld.
#[derive(Clone)]
pub(crate) struct Site {
    pub game: StarEmpires,
    pub dice: Dice,
}

impl Site {
    pub(crate) fn new() -> Self {
        let empires = 3;
        let mut dice = Dice::new([7; 32]);
        let mut galaxy = Galaxy { classes: stock().to_vec(), ..Galaxy::default() };
        let all = SeatSet::first(empires);
        for seat in Seat::first(empires) {
            let own = name(["A", "B", "C"][seat.index()]);
            let mut empire = Empire::new(own, &galaxy.empires, Serials::draw(seat, &mut dice));
            (empire.contacts, empire.known_empires) = (all.without(seat), all.without(seat));
            galaxy.empires.push(empire);
        }
        let options =
            Options { local_frames: false, portal_collapse_percent: 0, ..Options::default() };
        Self { game: StarEmpires::unseen(Arc::new(options), galaxy), dice }
    }

    /// Makes a site from lines such as `ships A probe (0,0) Eye`, separated by semicolons.
    pub(crate) fn of(lines: &str) -> Self {
        let mut site = Self::new();
        site.add(lines);
        site
    }

    pub(crate) fn add(&mut self, lines: &str) {
        for line in lines.split("; ") {
            self.add_line(&line.split_whitespace().collect::<Vec<_>>());
        }
    }

    #[expect(clippy::too_many_lines, reason = "a table of lines")]
    fn add_line(&mut self, words: &[&str]) {
        match *words {
            ["map"] => {
                self.galaxy().compact_ships();
                first_map(&mut self.game);
            }
            ["empire", empire, called, code] => {
                let empire = self.empire(empire);
                (empire.name, empire.code) = (name(called), code.parse().expect("a code"));
            }
            ["world", world, place, production, stockpile, ref owner @ ..] => {
                let (name, at, owner) = (name(world), at(place), owner.first().map(|it| seat(it)));
                let (production, stockpile) = (number(production), number(stockpile));
                let world = World { name, at, production, stockpile, owner, ..World::default() };
                self.galaxy().worlds.push(world);
            }
            ["home", world] => {
                let (id, world) = (self.world_id(world), *self.world_mut(world));
                let seat = world.owner.expect("a homeworld is owned");
                let empire = self.game.galaxy.empire_mut(seat);
                (empire.homeworld, empire.last_homeworld) = (Some(id), Some(world.at));
            }
            ["stock", world, stockpile] => self.world_mut(world).stockpile = number(stockpile),
            ["siege", world, siege] => self.world_mut(world).siege = siege_named(siege),
            ["seen", world, siege] => {
                let rows = &mut self.game.knowledge[0].chart.worlds;
                let row = rows.iter_mut().find(|row| row.name == name(world)).expect("a world");
                row.siege = Some(siege_named(siege));
            }
            ["portal", portal, place, ref exits @ ..] => {
                let (name, at) = (name(portal), at(place));
                let exits = exits.iter().map(|exit| self.portal_id(exit)).collect();
                self.galaxy().portals.push(Portal { name, at, exits, ..Portal::default() });
            }
            ["link", entry, exit] => {
                let (entry, exit) = (self.portal_id(entry), self.portal_id(exit));
                let exits = &mut self.galaxy().portals[entry.index()].exits;
                exits.push(exit);
                exits.sort_unstable();
            }
            ["storm", storm, place, rating, pattern] => {
                let random = pattern == "random";
                let pattern = if random { Pattern::Random } else { Pattern::Constant };
                let (name, at, rating) = (name(storm), at(place), number(rating));
                self.galaxy().storms.push(Storm { name, at, rating, initial: rating, pattern });
            }
            // A class that is too big for a design costs 50 RU.
            ["class", class, hull, guns, dp, engines, scan, racks, ref known_to @ ..] => {
                let (name, hull) = (name(class), hull.parse().expect("a hull"));
                let ratings = Ratings::of([guns, dp, engines, scan, racks].map(number));
                let huge = Class { name, hull, ratings, tonnage: 50, cost: 50, unbuildable: true };
                self.add_class(Class::sized(name, hull, ratings).unwrap_or(huge), known_to);
            }
            ["missile", class, guns, tonnage, ref known_to @ ..] => {
                let class = Class::missile(name(class), number(guns), number(tonnage));
                self.add_class(class.expect("not too big"), known_to);
            }
            ["ships", empire, class, place, ref ships @ ..] => {
                let dp = self.game.galaxy.class(self.class_id(class)).ratings.dp;
                for ship in ships {
                    self.add_ship(empire, class, place, ship, dp);
                }
            }
            ["hurt", empire, class, place, dp, ship] => {
                self.add_ship(empire, class, place, ship, number(dp));
            }
            ["dp", empire, ship, dp] => self.ship_mut(empire, ship).dp = number(dp),
            ["class-of", empire, ship, class] => {
                self.ship_mut(empire, ship).class = self.class_id(class);
            }
            ["public", empire, ship] => self.ship_mut(empire, ship).public = true,
            ["load", empire, carrier, ref cargo @ ..] => {
                let carrier = Carrier::new(self.id(empire, carrier));
                for it in cargo {
                    self.ship_mut(empire, it).carrier = Some(carrier);
                }
            }
            ["data", empire, ref portals @ ..] => {
                let portals = portals.iter().map(|portal| self.portal_id(portal)).collect();
                self.empire(empire).navigation = portals;
            }
            ["part", empire, other] => {
                let other = seat(other);
                self.empire(empire).contacts.remove(other);
            }
            ["meet", empire, ref others @ ..] => {
                let others = others.iter().map(|other| seat(other)).collect();
                let empire = self.empire(empire);
                (empire.contacts, empire.known_empires) = (others, others);
            }
            ["teach", empire, class] => {
                let class = self.class_id(class);
                self.empire(empire).classes.insert(class);
            }
            ["unteach", empire, class] => {
                let class = self.class_id(class);
                self.empire(empire).classes.remove(class);
            }
            ["grant", empire, to] => {
                let grant = Grant { to: seat(to), scans: Granted::All };
                self.empire(empire).grants = vec![grant];
            }
            ["seat", empire, change] => {
                let abandoned = change == "abandoned";
                let change = if abandoned { SeatChange::Abandoned } else { SeatChange::Taken };
                self.game.seat_changed(seat(empire), change);
            }
            _ => panic!("{words:?} is not a line of a site"),
        }
    }

    fn add_class(&mut self, class: Class, known_to: &[&str]) {
        let id = ClassId::at(self.game.galaxy.classes.len());
        self.galaxy().classes.push(class);
        for empire in known_to {
            self.empire(empire).classes.insert(id);
        }
    }

    fn add_ship(&mut self, empire: &str, class: &str, place: &str, ship: &str, dp: u16) {
        let (owner, class) = (seat(empire), self.class_id(class));
        let serial = self.galaxy().deal_serial(owner, |_| false);
        self.galaxy().ships.push(Ship::new(owner, serial, name(ship), class, dp, at(place)));
    }

    pub(crate) fn galaxy(&mut self) -> &mut Galaxy {
        &mut self.game.galaxy
    }

    pub(crate) fn empire(&mut self, empire: &str) -> &mut Empire {
        let seat = seat(empire);
        self.game.galaxy.empire_mut(seat)
    }

    fn class_id(&self, class: &str) -> ClassId {
        self.game.galaxy.class_named(name(class)).unwrap_or_else(|| panic!("no class {class}"))
    }

    fn world_id(&self, world: &str) -> WorldId {
        self.game.galaxy.world_named(name(world)).unwrap_or_else(|| panic!("no world {world}"))
    }

    fn world_mut(&mut self, world: &str) -> &mut World {
        let id = self.world_id(world);
        &mut self.game.galaxy.worlds[id.index()]
    }

    fn portal_id(&self, portal: &str) -> PortalId {
        self.game.galaxy.portal_named(name(portal)).unwrap_or_else(|| panic!("no portal {portal}"))
    }

    fn id(&self, empire: &str, ship: &str) -> ShipId {
        let owner = seat(empire);
        let is_it = |other: &Ship| other.owner == owner && other.handle() == name(ship);
        let place = self.game.galaxy.ships.iter().position(is_it);
        ShipId::at(place.unwrap_or_else(|| panic!("{empire} has no ship {ship}")))
    }

    fn ship_mut(&mut self, empire: &str, ship: &str) -> &mut Ship {
        let id = self.id(empire, ship);
        self.game.galaxy.ship_mut(id)
    }

    pub(crate) fn find(&self, empire: &str, ship: &str) -> Option<Ship> {
        let owner = seat(empire);
        let mut ships = self.game.galaxy.ships.iter();
        ships.find(|other| other.owner == owner && other.handle() == name(ship)).copied()
    }

    pub(crate) fn ship(&self, empire: &str, ship: &str) -> Ship {
        self.find(empire, ship).unwrap_or_else(|| panic!("{empire} has lost {ship}"))
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
        let seat = seat(empire);
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

fn siege_named(text: &str) -> Siege {
    match text {
        "blockaded" => Siege::Blockaded,
        "interdicted" => Siege::Interdicted,
        _ => panic!("{text} is not a siege"),
    }
}
