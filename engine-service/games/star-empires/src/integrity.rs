//! Whether a state holds together: after every step in tests, and for every position that comes
//! from outside.

use heliopause_kernel::{Malformed, Seat, SeatSet};

use crate::class::{SIZE_MAX, STOCK, stock};
use crate::empire::{Empire, Granted};
use crate::finish::{named_by, named_in};
use crate::galaxy::Galaxy;
use crate::hull::RATING_MAX;
use crate::ids::{ClassId, Id, PortalId, ShipId};
use crate::master::WAITING_MAX;
use crate::name::Name;
use crate::objects::{
    COLLAPSE_MAX, Pattern, Portal, RU_MAX, STEPS_MAX, STORM_MAX, Siege, Storm, World,
};
use crate::options::EMPIRES;
use crate::order::LINES_MAX;
use crate::position::{Knowledge, StarEmpires};
use crate::ship::{Serial, Ship};

type Check = Result<(), Malformed>;

fn require(holds: bool, field: impl Fn() -> String, message: &str) -> Check {
    if holds { Ok(()) } else { Err(Malformed::field(field(), message.to_owned())) }
}

/// Whether a sorted list has no two that are alike.
fn rises<T: Ord>(list: &[T]) -> bool {
    list.windows(2).all(|pair| pair[0] < pair[1])
}

fn all_differ<T: Ord>(items: impl Iterator<Item = T>) -> bool {
    let mut list: Vec<T> = items.collect();
    list.sort_unstable();
    rises(&list)
}

/// So that nothing overflows however long a game goes on.
const TURNS_MAX: u32 = 1_000_000;

impl StarEmpires {
    /// Every invariant of a state; names the field of the position that breaks one.
    pub(crate) fn integrity(&self) -> Check {
        self.options.validate().map_err(|fault| {
            let field = format!("options.{}", fault.field);
            Malformed::field(field, fault.message)
        })?;
        require(self.turn <= TURNS_MAX, || "turn".into(), "it is too high")?;
        self.galaxy.integrity().map_err(|fault| {
            let field = format!("galaxy.{}", fault.field);
            Malformed::field(field, fault.message)
        })?;
        let empires = self.galaxy.empires.len();
        require(
            self.knowledge.len() == empires,
            || "knowledge".into(),
            "every empire knows something",
        )?;
        for (index, knowledge) in self.knowledge.iter().enumerate() {
            self.check_knowledge(index, knowledge)?;
        }
        self.check_orders()?;
        self.check_alliances()
    }

    fn check_knowledge(&self, index: usize, knowledge: &Knowledge) -> Check {
        let name = |part: &'static str| move || format!("knowledge[{index}].{part}");
        require(knowledge.chart.is_sorted(), name("chart"), "its rows are sorted by sector")?;
        let known = |row: crate::geometry::Coord| knowledge.chart.sector(row).is_some();
        let chart = &knowledge.chart;
        require(
            all_differ(chart.sectors.iter().map(|row| row.at)),
            name("chart.sectors"),
            "a sector has one row",
        )?;
        let worlds = all_differ(chart.worlds.iter().map(|row| row.at))
            && chart.worlds.iter().all(|row| known(row.at));
        require(worlds, name("chart.worlds"), "a sector that is on the map has at most one world")?;
        let portals = chart.portals.iter().all(|row| known(row.at));
        require(portals, name("chart.portals"), "they are in sectors that are on the map")?;
        let storms = chart.storms.iter().all(|row| known(row.at));
        require(storms, name("chart.storms"), "they are in sectors that are on the map")?;
        let ships = chart
            .fleets
            .iter()
            .map(|row| row.at)
            .chain(chart.ships.iter().map(|row| row.at))
            .all(known);
        require(ships, name("chart.ships"), "they are in sectors that are on the map")?;
        let past = chart.sectors.iter().all(|row| row.scanned.is_none_or(|turn| turn <= self.turn));
        require(past, name("chart.sectors.scanned_turn"), "it is still to come")?;
        let strangers =
            |named: SeatSet| named.difference(SeatSet::first(self.galaxy.empires.len()));
        require(
            strangers(named_in(chart)).is_empty(),
            name("chart"),
            "it names empires of the game alone",
        )?;
        let report = &knowledge.report;
        let pictured = report.pictures.iter().map(|picture| named_in(&picture.seen));
        let told = report.news.iter().map(|news| named_by(&news.item)).chain(pictured);
        require(
            told.map(strangers).all(SeatSet::is_empty),
            name("report"),
            "it names empires of the game alone",
        )?;
        require(knowledge.report.turn <= self.turn, name("report.turn"), "it is still to come")
    }

    fn check_orders(&self) -> Check {
        let empires = self.galaxy.empires.len();
        require(self.sheets.len() == empires, || "sheets".into(), "every empire has at most one")?;
        let short = self.sheets.iter().flatten().all(|sheet| sheet.lines.len() <= LINES_MAX);
        require(short, || "sheets".into(), "a sheet has too many lines")?;
        require(self.waiting.len() <= WAITING_MAX, || "master_orders".into(), "there are too many")
    }

    fn check_alliances(&self) -> Check {
        let name = || "alliances".to_owned();
        let all = SeatSet::first(self.galaxy.empires.len());
        let mut seen = SeatSet::EMPTY;
        for &alliance in &self.alliances {
            require(alliance.len() >= 2, name, "an alliance has at least two members")?;
            require(alliance.difference(all).is_empty(), name, "there is no such empire")?;
            require(
                alliance.intersection(seen).is_empty(),
                name,
                "an empire is in one alliance at most",
            )?;
            seen = seen.union(alliance);
        }
        let winners = self.ending.is_none_or(|ending| ending.winners.difference(all).is_empty());
        require(winners, || "ending.winners".into(), "there is no such empire")
    }
}

impl Galaxy {
    /// Every invariant of a galaxy between updates.
    pub(crate) fn integrity(&self) -> Check {
        let count = EMPIRES.contains(&self.empires.len());
        require(count, || "empires".into(), "there are 2 to 60 empires")?;
        self.check_classes()?;
        self.check_names()?;
        self.worlds.iter().try_for_each(|world| self.check_world(world))?;
        require(
            all_differ(self.worlds.iter().map(|world| world.at)),
            || "worlds".into(),
            "two are in one sector",
        )?;
        let mut portals = self.portals.iter().enumerate();
        portals.try_for_each(|(index, portal)| self.check_portal(PortalId::at(index), portal))?;
        self.storms.iter().try_for_each(check_storm)?;
        self.seats().try_for_each(|seat| self.check_empire(seat, self.empire(seat)))?;
        self.check_ships()
    }

    fn check_classes(&self) -> Check {
        let name = || "classes".to_owned();
        require(u16::try_from(self.classes.len()).is_ok(), name, "there are too many")?;
        require(
            self.classes.starts_with(&stock()),
            name,
            "the stock classes come first, as they are",
        )?;
        require(
            all_differ(self.classes.iter().map(|class| class.name)),
            name,
            "two have one name",
        )?;
        for class in &self.classes[STOCK..] {
            let name = || format!("classes.{}", class.name);
            require(!class.name.is_none(), name, "a class has a name")?;
            let sizes = (1..=SIZE_MAX).contains(&class.tonnage) && class.cost <= SIZE_MAX;
            require(
                sizes && (class.cost > 0 || class.unbuildable),
                name,
                "its tonnage or cost is out of range",
            )?;
            let small = class.ratings.list().into_iter().all(|rating| rating <= RATING_MAX);
            let armed = class.ratings.guns > 0 && class.ratings.dp > 0;
            require(small && armed, name, "its ratings are out of range")?;
        }
        Ok(())
    }

    /// Empires by names and codes, worlds, portals and storms by names: none twice.
    fn check_names(&self) -> Check {
        let named = |name: &Name| !name.is_none();
        let empires = self.empires.iter().map(|empire| empire.name);
        let both = empires.clone().all(|name| named(&name)) && all_differ(empires);
        require(both, || "empires.name".into(), "every empire has a name of its own")?;
        let codes = all_differ(self.empires.iter().map(|empire| empire.code));
        require(codes, || "empires.code".into(), "every empire has a code of its own")?;
        let worlds = self.worlds.iter().map(|world| world.name);
        let portals = self.portals.iter().map(|portal| portal.name);
        let objects = worlds.chain(portals).chain(self.storms.iter().map(|storm| storm.name));
        require(
            objects.clone().all(|name| named(&name)),
            || "worlds".into(),
            "everything on the map has a name",
        )?;
        require(
            all_differ(objects),
            || "worlds".into(),
            "everything on the map has a name of its own",
        )
    }

    fn has(&self, seat: Seat) -> bool {
        seat.index() < self.empires.len()
    }

    fn check_world(&self, world: &World) -> Check {
        let name = || format!("worlds.{}", world.name);
        require(world.at.is_in_bounds(), name, "it is too far out")?;
        require(world.production <= RU_MAX, name, "it produces too much")?;
        require(world.owner.is_none_or(|owner| self.has(owner)), name, "there is no such owner")?;
        require(
            world.owner.is_some() || world.siege == Siege::None,
            name,
            "only owned worlds are blockaded",
        )
    }

    fn check_portal(&self, id: PortalId, portal: &Portal) -> Check {
        let name = || format!("portals.{}", portal.name);
        require(portal.at.is_in_bounds(), name, "it is too far out")?;
        let exits = rises(&portal.exits)
            && portal.exits.iter().all(|exit| exit.index() < self.portals.len());
        require(
            exits && !portal.exits.contains(&id),
            name,
            "its exits are other portals, each once",
        )?;
        require(portal.collapse_turns <= COLLAPSE_MAX, name, "it collapses for too long")
    }

    fn check_empire(&self, seat: Seat, empire: &Empire) -> Check {
        let name = || format!("empires[{}]", seat.index());
        let others = SeatSet::first(self.empires.len()).without(seat);
        require(empire.frame.origin.is_in_bounds(), name, "its frame is too far out")?;
        require(empire.frame.rotation < 6, name, "its frame is turned 0 to 5 times")?;
        let home = empire.homeworld.is_none_or(|world| world.index() < self.worlds.len());
        require(home, name, "there is no such homeworld")?;
        let last = empire.last_homeworld.is_none_or(crate::geometry::Sector::is_in_bounds);
        require(last, name, "its last homeworld is too far out")?;
        require(
            empire.contacts.difference(empire.heard_of).is_empty(),
            name,
            "it has heard of its contacts",
        )?;
        require(
            empire.heard_of.difference(others).is_empty(),
            name,
            "it has heard of other empires",
        )?;
        require(
            empire.shot_by.difference(others).is_empty(),
            name,
            "it was shot by other empires",
        )?;
        let classes = empire.classes.iter().all(|class| class.index() < self.classes.len());
        require(classes, name, "it knows classes that there are")?;
        let portals = empire.navigation.iter().all(|portal| portal.index() < self.portals.len());
        require(portals, name, "it has data of portals that there are")?;
        self.check_grants(seat, empire)
    }

    fn check_grants(&self, seat: Seat, empire: &Empire) -> Check {
        let name = || format!("empires[{}].grants", seat.index());
        let recipients: Vec<Seat> = empire.grants.iter().map(|grant| grant.to).collect();
        let others = recipients.iter().all(|&to| to != seat && self.has(to));
        require(rises(&recipients) && others, name, "they are to other empires, in seat order")?;
        for grant in &empire.grants {
            let Granted::Some { sectors, ships, classes } = &grant.scans else { continue };
            let some = !(sectors.is_empty() && ships.is_empty() && classes.is_empty());
            require(some, name, "each is of something")?;
            require(
                rises(sectors) && rises(ships) && rises(classes),
                name,
                "their lists are sorted",
            )?;
            let known = |class: &ClassId| class.index() < self.classes.len();
            require(classes.iter().all(known), name, "they are of classes that there are")?;
            let own = ships.iter().all(|&serial| self.ship_numbered(seat, serial).is_some());
            require(own, name, "they are of own ships")?;
        }
        Ok(())
    }

    fn check_ships(&self) -> Check {
        let sorted = self.ships.windows(2).all(|pair| pair[0].sort_key() < pair[1].sort_key());
        require(sorted, || "ships".into(), "they are sorted, and no two have one serial number")?;
        let named = self.ships.iter().filter(|ship| !ship.name.is_none());
        let names = all_differ(named.map(|ship| (ship.owner, ship.name)));
        require(names, || "ships.name".into(), "two of one empire have one name")?;
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
        require(fits, || "ships.carrier".into(), "a carrier has racks for its cargo")
    }

    fn check_ship(&self, ship: &Ship) -> Check {
        let name = || format!("ships.{}", ship.serial);
        require(self.has(ship.owner), name, "there is no such owner")?;
        require(ship.class.index() < self.classes.len(), name, "there is no such class")?;
        let code = ship.serial.code() == self.empire(ship.owner).code;
        require(code, name, "its serial number begins with its owner's code")?;
        let like_serial = ship
            .name
            .as_str()
            .parse::<Serial>()
            .ok()
            .is_some_and(|serial| serial.code() == ship.serial.code());
        require(!like_serial, name, "its name looks like a serial number")?;
        let dp = (1..=self.class_of(ship).ratings.dp).contains(&ship.dp);
        require(dp, name, "its damage points are 1 to those of its class")?;
        require(ship.at.is_in_bounds(), name, "it is too far out")?;
        let others = SeatSet::first(self.empires.len()).without(ship.owner);
        let apart = ship.identified.intersection(ship.concealed).is_empty();
        let both = ship.identified.union(ship.concealed).difference(others).is_empty();
        require(apart && both, name, "it identifies itself to, or is concealed from, other empires")
    }

    fn check_cargo(&self, ship: &Ship, carrier: ShipId) -> Check {
        let name = || format!("ships.{}", ship.serial);
        let Some(carrier) = self.ships.get(carrier.index()) else {
            return require(false, name, "there is no such carrier");
        };
        let along = carrier.owner == ship.owner && carrier.at == ship.at;
        require(along, name, "a carrier is its owner's and where its cargo is")?;
        require(!carrier.is_loaded(), name, "a carrier is not loaded itself")
    }
}

fn check_storm(storm: &Storm) -> Check {
    let name = || format!("storms.{}", storm.name);
    require(storm.at.is_in_bounds(), name, "it is too far out")?;
    require(storm.rating.max(storm.initial) <= STORM_MAX, name, "its rating is too high")?;
    let Pattern::Cyclic(steps) = &storm.pattern else { return Ok(()) };
    require((1..=STEPS_MAX).contains(&steps.len()), name, "a cyclic storm has 1 to 100 steps")?;
    require(steps.iter().all(|step| step.unsigned_abs() <= STORM_MAX), name, "a step is too high")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Sector;
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
    fn each_broken_invariant_names_its_field() {
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
    fn ships_keep_to_their_classes_owners_and_carriers() {
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
