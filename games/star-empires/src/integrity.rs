//! Invariants of a game state, checked after every step in tests and for every imported position.

use std::fmt::Display;

use heliopause_kernel::{Malformed, Seat, SeatSet};

use crate::class::{SIZE_MAX, STOCK, stock};
use crate::empire::{Empire, Granted};
use crate::finish::{empires_in_item, empires_on_chart};
use crate::galaxy::Galaxy;
use crate::geometry::{FARTHEST, Sector};
use crate::hull::RATING_MAX;
use crate::ids::{ClassId, EMPIRES, Id, PortalId, ShipId};
use crate::master::WAITING_MAX;
use crate::name::Name;
use crate::objects::{
    COLLAPSE_MAX, Pattern, Portal, RU_MAX, STEPS_MAX, STORM_MAX, Siege, Storm, World,
};
use crate::order::LINES_MAX;
use crate::position::{Knowledge, StarEmpires};
use crate::ship::{Serial, Ship};

type Check = Result<(), Malformed>;

fn require(holds: bool, field: impl Fn() -> String, message: impl Display) -> Check {
    if holds { Ok(()) } else { Err(Malformed::field(field(), message.to_string())) }
}

fn in_bounds(at: Sector, field: impl Fn() -> String, what: &str) -> Check {
    require(
        at.is_in_bounds(),
        field,
        format_args!(
            "{what} {at} is too far out; the maximum distance from the center is {FARTHEST} sectors"
        ),
    )
}

fn is_strictly_ascending<T: Ord>(list: &[T]) -> bool {
    list.windows(2).all(|pair| pair[0] < pair[1])
}

fn all_differ<T: Ord>(items: impl Iterator<Item = T>) -> bool {
    let mut list: Vec<T> = items.collect();
    list.sort_unstable();
    is_strictly_ascending(&list)
}

/// Limit that prevents overflow in long games.
const TURNS_MAX: u32 = 1_000_000;

impl StarEmpires {
    /// Checks every invariant of a game. The error names the invalid field of the position.
    pub(crate) fn integrity(&self) -> Check {
        self.options.validate().map_err(|fault| {
            let field = format!("options.{}", fault.field);
            Malformed::field(field, fault.message)
        })?;
        require(
            self.turn <= TURNS_MAX,
            || "turn".into(),
            format_args!("{} is too high; the maximum is {TURNS_MAX}", self.turn),
        )?;
        self.galaxy.integrity().map_err(|fault| {
            let field = format!("galaxy.{}", fault.field);
            Malformed::field(field, fault.message)
        })?;
        let empires = self.galaxy.empires.len();
        require(
            self.knowledge.len() == empires,
            || "knowledge".into(),
            format_args!("expected {empires}, one for each empire, found {}", self.knowledge.len()),
        )?;
        for (index, knowledge) in self.knowledge.iter().enumerate() {
            self.check_knowledge(index, knowledge)?;
        }
        self.check_orders()?;
        self.check_alliances()
    }

    fn check_knowledge(&self, index: usize, knowledge: &Knowledge) -> Check {
        let name = |part: &'static str| move || format!("knowledge[{index}].{part}");
        require(knowledge.chart.is_sorted(), name("chart"), "expected rows sorted by sector")?;
        let known = |row: crate::geometry::Coord| knowledge.chart.sector(row).is_some();
        let chart = &knowledge.chart;
        require(
            all_differ(chart.sectors.iter().map(|row| row.at)),
            name("chart.sectors"),
            "expected at most one row for each sector",
        )?;
        let worlds = all_differ(chart.worlds.iter().map(|row| row.at))
            && chart.worlds.iter().all(|row| known(row.at));
        require(
            worlds,
            name("chart.worlds"),
            "each world must have its own sector, which must be in chart.sectors",
        )?;
        let portals = chart.portals.iter().all(|row| known(row.at));
        require(portals, name("chart.portals"), "the sector must be in chart.sectors")?;
        let storms = chart.storms.iter().all(|row| known(row.at));
        require(storms, name("chart.storms"), "the sector must be in chart.sectors")?;
        let ships = chart
            .fleets
            .iter()
            .map(|row| row.at)
            .chain(chart.ships.iter().map(|row| row.at))
            .all(known);
        require(ships, name("chart.ships"), "the sector must be in chart.sectors")?;
        let past = chart.sectors.iter().all(|row| row.scanned.is_none_or(|turn| turn <= self.turn));
        require(
            past,
            name("chart.sectors.scanned_turn"),
            format_args!("must not be later than {}, the turn of the game", self.turn),
        )?;
        let empires = self.galaxy.empires.len();
        let strangers = |named: SeatSet| named.difference(SeatSet::first(empires));
        require(
            strangers(empires_on_chart(chart)).is_empty(),
            name("chart"),
            format_args!("names an empire that does not exist; the game has {empires} empires"),
        )?;
        let report = &knowledge.report;
        let pictured = report.last_scans.iter().map(|picture| empires_on_chart(&picture.seen));
        let told = report.news.iter().map(|news| empires_in_item(&news.item)).chain(pictured);
        require(
            told.map(strangers).all(SeatSet::is_empty),
            name("report"),
            format_args!("names an empire that does not exist; the game has {empires} empires"),
        )?;
        require(
            report.turn <= self.turn,
            name("report.turn"),
            format_args!(
                "{} must not be later than {}, the turn of the game",
                report.turn, self.turn
            ),
        )
    }

    fn check_orders(&self) -> Check {
        let empires = self.galaxy.empires.len();
        require(
            self.sheets.len() == empires,
            || "sheets".into(),
            format_args!("expected {empires}, one for each empire, found {}", self.sheets.len()),
        )?;
        let most = self.sheets.iter().flatten().map(|sheet| sheet.lines.len()).max().unwrap_or(0);
        require(
            most <= LINES_MAX,
            || "sheets".into(),
            format_args!("a sheet has {most} lines; the maximum is {LINES_MAX}"),
        )?;
        require(
            self.waiting.len() <= WAITING_MAX,
            || "master_orders".into(),
            format_args!(
                "{} orders are too many; the maximum is {WAITING_MAX}",
                self.waiting.len()
            ),
        )
    }

    fn check_alliances(&self) -> Check {
        let name = || "alliances".to_owned();
        let all = SeatSet::first(self.galaxy.empires.len());
        let mut seen = SeatSet::EMPTY;
        for &alliance in &self.alliances {
            require(
                alliance.len() >= 2,
                name,
                format_args!("an alliance must have at least 2 members, not {}", alliance.len()),
            )?;
            require(alliance.difference(all).is_empty(), name, absent(all))?;
            require(
                alliance.intersection(seen).is_empty(),
                name,
                "an empire can be in only one alliance",
            )?;
            seen = seen.union(alliance);
        }
        let winners = self.ending.is_none_or(|ending| ending.winners.difference(all).is_empty());
        require(winners, || "ending.winners".into(), absent(all))
    }
}

fn absent(empires: SeatSet) -> String {
    format!("names an empire that does not exist; the game has {} empires", empires.len())
}

impl Galaxy {
    pub(crate) fn integrity(&self) -> Check {
        let count = self.empires.len();
        require(
            EMPIRES.contains(&count),
            || "empires".into(),
            format_args!(
                "expected {} to {} empires, found {count}",
                EMPIRES.start(),
                EMPIRES.end()
            ),
        )?;
        self.check_classes()?;
        self.check_names()?;
        self.worlds.iter().try_for_each(|world| self.check_world(world))?;
        require(
            all_differ(self.worlds.iter().map(|world| world.at)),
            || "worlds".into(),
            "two worlds are in the same sector",
        )?;
        let mut portals = self.portals.iter().enumerate();
        portals.try_for_each(|(index, portal)| self.check_portal(PortalId::at(index), portal))?;
        self.storms.iter().try_for_each(check_storm)?;
        self.seats().try_for_each(|seat| self.check_empire(seat, self.empire(seat)))?;
        self.check_ships()
    }

    fn check_classes(&self) -> Check {
        let name = || "classes".to_owned();
        let count = self.classes.len();
        require(
            u16::try_from(count).is_ok(),
            name,
            format_args!("{count} classes are too many; the maximum is {}", u16::MAX),
        )?;
        require(
            self.classes.starts_with(&stock()),
            name,
            "the stock classes must come first, unchanged",
        )?;
        require(
            all_differ(self.classes.iter().map(|class| class.name)),
            name,
            "two classes have the same name",
        )?;
        for class in &self.classes[STOCK..] {
            let name = || format!("classes.{}", class.name);
            require(!class.name.is_none(), name, "a class must have a name")?;
            let sizes = (1..=SIZE_MAX).contains(&class.tonnage) && class.cost <= SIZE_MAX;
            require(
                sizes && (class.cost > 0 || class.unbuildable),
                name,
                format_args!(
                    "tonnage {} and cost {} must be 1 to {SIZE_MAX}; the cost of an unbuildable \
                     class may be 0",
                    class.tonnage, class.cost
                ),
            )?;
            let small = class.ratings.list().into_iter().all(|rating| rating <= RATING_MAX);
            let armed = class.ratings.guns > 0 && class.ratings.dp > 0;
            require(
                small && armed,
                name,
                format_args!(
                    "guns and damage points must be 1 to {RATING_MAX}, the other ratings 0 to \
                     {RATING_MAX}"
                ),
            )?;
        }
        Ok(())
    }

    fn check_names(&self) -> Check {
        let named = |name: &Name| !name.is_none();
        let empires = self.empires.iter().map(|empire| empire.name);
        let both = empires.clone().all(|name| named(&name)) && all_differ(empires);
        require(both, || "empires.name".into(), "every empire must have a unique name")?;
        let codes = all_differ(self.empires.iter().map(|empire| empire.code));
        require(codes, || "empires.code".into(), "every empire must have a unique code")?;
        let worlds = self.worlds.iter().map(|world| world.name);
        let portals = self.portals.iter().map(|portal| portal.name);
        let objects = worlds.chain(portals).chain(self.storms.iter().map(|storm| storm.name));
        require(
            objects.clone().all(|name| named(&name)),
            || "worlds".into(),
            "every world, portal and storm must have a name",
        )?;
        require(
            all_differ(objects),
            || "worlds".into(),
            "every world, portal and storm must have a unique name",
        )
    }

    fn has(&self, seat: Seat) -> bool {
        seat.index() < self.empires.len()
    }

    fn check_world(&self, world: &World) -> Check {
        let name = || format!("worlds.{}", world.name);
        in_bounds(world.at, name, "sector")?;
        require(
            world.production <= RU_MAX,
            name,
            format_args!("production {} is too high; the maximum is {RU_MAX}", world.production),
        )?;
        require(
            world.owner.is_none_or(|owner| self.has(owner)),
            name,
            format_args!("the owner does not exist; the game has {} empires", self.empires.len()),
        )?;
        require(
            world.owner.is_some() || world.siege == Siege::None,
            name,
            "a world without an owner cannot be blockaded or interdicted",
        )
    }

    fn check_portal(&self, id: PortalId, portal: &Portal) -> Check {
        let name = || format!("portals.{}", portal.name);
        in_bounds(portal.at, name, "sector")?;
        let exits = is_strictly_ascending(&portal.exits)
            && portal.exits.iter().all(|exit| exit.index() < self.portals.len());
        require(
            exits && !portal.exits.contains(&id),
            name,
            "exits must be other portals, in ascending order and without duplicates",
        )?;
        require(
            portal.collapse_turns <= COLLAPSE_MAX,
            name,
            format_args!(
                "collapse_turns {} is too high; the maximum is {COLLAPSE_MAX}",
                portal.collapse_turns
            ),
        )
    }

    fn check_empire(&self, seat: Seat, empire: &Empire) -> Check {
        let name = || format!("empires[{}]", seat.index());
        let others = SeatSet::first(self.empires.len()).without(seat);
        in_bounds(empire.frame.origin, name, "the origin of the frame")?;
        require(
            empire.frame.rotation < 6,
            name,
            format_args!("the rotation of the frame must be 0 to 5, not {}", empire.frame.rotation),
        )?;
        let home = empire.homeworld.is_none_or(|world| world.index() < self.worlds.len());
        require(home, name, "the homeworld does not exist")?;
        if let Some(last) = empire.last_homeworld {
            in_bounds(last, name, "the sector of the last homeworld")?;
        }
        require(
            empire.contacts.difference(empire.known_empires).is_empty(),
            name,
            "every contact must also be a known empire",
        )?;
        require(
            empire.known_empires.difference(others).is_empty(),
            name,
            "the known empires must be other empires of the game",
        )?;
        require(
            empire.attacked_by.difference(others).is_empty(),
            name,
            "the attackers must be other empires of the game",
        )?;
        let classes = empire.classes.iter().all(|class| class.index() < self.classes.len());
        require(classes, name, "a known class does not exist")?;
        let portals = empire.navigation.iter().all(|portal| portal.index() < self.portals.len());
        require(portals, name, "a portal with known navigation data does not exist")?;
        self.check_grants(seat, empire)
    }

    fn check_grants(&self, seat: Seat, empire: &Empire) -> Check {
        let name = || format!("empires[{}].grants", seat.index());
        let recipients: Vec<Seat> = empire.grants.iter().map(|grant| grant.to).collect();
        let others = recipients.iter().all(|&to| to != seat && self.has(to));
        require(
            is_strictly_ascending(&recipients) && others,
            name,
            "the recipients must be other empires, in seat order and without duplicates",
        )?;
        for grant in &empire.grants {
            let Granted::Some { sectors, ships, classes } = &grant.scans else { continue };
            let some = !(sectors.is_empty() && ships.is_empty() && classes.is_empty());
            require(some, name, "a grant must have at least one sector, ship or class")?;
            require(
                is_strictly_ascending(sectors)
                    && is_strictly_ascending(ships)
                    && is_strictly_ascending(classes),
                name,
                "the sectors, ships and classes of a grant must be sorted, without duplicates",
            )?;
            let known = |class: &ClassId| class.index() < self.classes.len();
            require(classes.iter().all(known), name, "a class of a grant does not exist")?;
            let own = ships.iter().all(|&serial| self.ship_numbered(seat, serial).is_some());
            require(own, name, "an empire can share only the scans of its own ships")?;
        }
        Ok(())
    }

    fn check_ships(&self) -> Check {
        let sorted = self.ships.windows(2).all(|pair| pair[0].sort_key() < pair[1].sort_key());
        require(sorted, || "ships".into(), "ships must be sorted and have unique serial numbers")?;
        let named = self.ships.iter().filter(|ship| !ship.name.is_none());
        let names = all_differ(named.map(|ship| (ship.owner, ship.name)));
        require(names, || "ships.name".into(), "two ships of one empire have the same name")?;
        let mut used = vec![0_u64; self.ships.len()];
        for ship in &self.ships {
            self.check_ship(ship)?;
            if let Some(carrier) = ship.carrier {
                self.check_cargo(ship, carrier.id())?;
                used[carrier.id().index()] += u64::from(self.class_of(ship).tonnage);
            }
        }
        let room =
            |(ship, &used): (&Ship, &u64)| u64::from(self.class_of(ship).ratings.racks) >= used;
        let fits = self.ships.iter().zip(&used).all(room);
        require(fits, || "ships.carrier".into(), "a carrier has too few racks for its cargo")
    }

    fn check_ship(&self, ship: &Ship) -> Check {
        let name = || format!("ships.{}", ship.serial);
        require(
            self.has(ship.owner),
            name,
            format_args!("the owner does not exist; the game has {} empires", self.empires.len()),
        )?;
        require(ship.class.index() < self.classes.len(), name, "the class does not exist")?;
        let code = ship.serial.code() == self.empire(ship.owner).code;
        require(
            code,
            name,
            format_args!(
                "the serial number must begin with {}, the owner's code",
                self.empire(ship.owner).code
            ),
        )?;
        let like_serial = ship
            .name
            .as_str()
            .parse::<Serial>()
            .ok()
            .is_some_and(|serial| serial.code() == ship.serial.code());
        require(
            !like_serial,
            name,
            format_args!("the name {} must not look like a serial number", ship.name),
        )?;
        let most = self.class_of(ship).ratings.dp;
        require(
            (1..=most).contains(&ship.dp),
            name,
            format_args!("damage points must be 1 to {most}, not {}", ship.dp),
        )?;
        in_bounds(ship.at, name, "sector")?;
        let others = SeatSet::first(self.empires.len()).without(ship.owner);
        let apart = ship.identified.intersection(ship.concealed).is_empty();
        let both = ship.identified.union(ship.concealed).difference(others).is_empty();
        require(
            apart && both,
            name,
            "the empires to which the ship is identified or from which it is concealed must be other \
             empires, and none of them may be in both lists",
        )
    }

    fn check_cargo(&self, ship: &Ship, carrier: ShipId) -> Check {
        let name = || format!("ships.{}", ship.serial);
        let Some(carrier) = self.ships.get(carrier.index()) else {
            return require(false, name, "the carrier does not exist");
        };
        let along = carrier.owner == ship.owner && carrier.at == ship.at;
        require(along, name, "the carrier must have the same owner and sector as the ship")?;
        require(!carrier.is_loaded(), name, "the carrier must not be on board another ship")
    }
}

fn check_storm(storm: &Storm) -> Check {
    let name = || format!("storms.{}", storm.name);
    in_bounds(storm.at, name, "sector")?;
    let rating = storm.rating.max(storm.initial);
    require(
        rating <= STORM_MAX,
        name,
        format_args!("rating {rating} is too high; the maximum is {STORM_MAX}"),
    )?;
    let Pattern::Cyclic(steps) = &storm.pattern else { return Ok(()) };
    require(
        (1..=STEPS_MAX).contains(&steps.len()),
        name,
        format_args!("a cyclic storm must have 1 to {STEPS_MAX} steps, not {}", steps.len()),
    )?;
    require(
        steps.iter().all(|step| step.unsigned_abs() <= STORM_MAX),
        name,
        format_args!("a step must be -{STORM_MAX} to {STORM_MAX}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;
    use crate::ship::Carrier;
    use heliopause_kernel::{Dice, Setup};

    fn fault(change: impl Fn(&mut StarEmpires)) -> String {
        let setup = Setup { options: Options::default(), players: 3 };
        let mut game = crate::setup::set_up(&setup, &mut Dice::new([6; 32])).unwrap();
        change(&mut game);
        game.integrity().unwrap_err().field.into_owned()
    }

    #[test]
    fn each_violated_invariant_names_its_field() {
        let two = Seat::at(1);
        let beyond = SeatSet::one(Seat::at(5));
        assert_eq!(fault(|game| game.galaxy.empires[0].name = Name::NONE), "galaxy.empires.name");
        assert_eq!(
            fault(|game| game.galaxy.empires[0].code = game.galaxy.empires[1].code),
            "galaxy.empires.code"
        );
        assert_eq!(
            fault(|game| game.galaxy.empires[1].contacts = SeatSet::one(two)),
            "galaxy.empires[1]"
        );
        assert_eq!(fault(|game| game.galaxy.empires[1].frame.rotation = 6), "galaxy.empires[1]");
        assert_eq!(
            fault(|game| game.galaxy.worlds[1].at = game.galaxy.worlds[0].at),
            "galaxy.worlds"
        );
        assert_eq!(
            fault(|game| game.galaxy.worlds[1].name = game.galaxy.worlds[0].name),
            "galaxy.worlds"
        );
        assert_eq!(fault(|game| game.galaxy.classes[0].cost = 1), "galaxy.classes");
        assert_eq!(fault(|game| game.galaxy.ships.swap(0, 1)), "galaxy.ships");
        assert_eq!(fault(|game| game.alliances = vec![SeatSet::one(two)]), "alliances");
        assert_eq!(fault(|game| game.alliances = vec![beyond.with(two)]), "alliances");
        assert_eq!(fault(|game| game.sheets.clear()), "sheets");
        assert_eq!(fault(|game| game.knowledge.clear()), "knowledge");
        let stranger =
            |game: &mut StarEmpires| game.knowledge[1].chart.worlds[0].owner = Some(Seat::at(40));
        assert_eq!(fault(stranger), "knowledge[1].chart");
    }

    #[test]
    fn ships_must_match_their_classes_owners_and_carriers() {
        let broken = |change: &dyn Fn(&mut Ship)| {
            let field = fault(|game| change(&mut game.galaxy.ships[0]));
            field.starts_with("galaxy.ships")
        };
        assert!(broken(&|ship| ship.dp = 0));
        assert!(broken(&|ship| ship.dp = 201));
        assert!(broken(&|ship| ship.owner = Seat::at(1)));
        assert!(broken(&|ship| ship.at = Sector::new(10_000, -10_000)));
        assert!(broken(&|ship| ship.name = ship.serial.to_name()));
        assert!(broken(&|ship| ship.identified = SeatSet::one(ship.owner)));
        assert!(broken(&|ship| ship.carrier = Some(Carrier::new(ShipId(1)))));
        assert!(broken(&|ship| ship.carrier = Some(Carrier::new(ShipId(99)))));
    }
}
