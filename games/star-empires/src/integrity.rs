//! Invariants of a game state, checked after every step in tests and for every imported position.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::LazyLock;

use heliopause_kernel::wire::inside;
use heliopause_kernel::{Malformed, Seat, SeatSet};

use crate::class::{SIZE_MAX, STOCK, stock};
use crate::describe::phrases;
use crate::empire::{Empire, Granted};
use crate::finish::{empires_in_item, empires_on_chart};
use crate::galaxy::Galaxy;
use crate::geometry::{Coord, FARTHEST};
use crate::hull::RATING_MAX;
use crate::ids::{ClassId, EMPIRES, Id, PortalId};
use crate::master::WAITING_MAX;
use crate::name::Name;
use crate::objects::{
    COLLAPSE_MAX, Pattern, Portal, RU_MAX, STEPS_MAX, STORM_MAX, Siege, Storm, World,
};
use crate::order::LINES_MAX;
use crate::position::{Knowledge, StarEmpires};
use crate::ship::Ship;

type Check = Result<(), Malformed>;

/// The messages of `integrity.txt` by invariant. Braces are places for values.
static MESSAGES: LazyLock<BTreeMap<&str, &str>> =
    LazyLock::new(|| phrases(include_str!("integrity.txt")));

/// An invariant, whether it holds, and the values of its message.
type Invariant<'a> = (&'static str, bool, &'a [&'a dyn Display]);

/// The path of a field.
struct Field<'a>(&'a dyn Display);

impl Field<'_> {
    /// Returns an error about the first violated invariant.
    fn require(&self, invariants: &[Invariant<'_>]) -> Check {
        debug_assert!(invariants.iter().all(|(name, ..)| MESSAGES.contains_key(name)));
        let Some((name, _, values)) = invariants.iter().find(|(_, holds, _)| !holds) else {
            return Ok(());
        };
        let with = |text: String, value: &&dyn Display| text.replacen("{}", &value.to_string(), 1);
        let message = MESSAGES.get(name).copied().unwrap_or(name).to_owned();
        Err(Malformed::field(self.0.to_string(), values.iter().fold(message, with)))
    }
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
        inside("options", self.options.validate())?;
        let turn = self.turn;
        Field(&"turn").require(&[("turn", turn <= TURNS_MAX, &[&turn, &TURNS_MAX])])?;
        inside("galaxy", self.galaxy.integrity())?;
        let (empires, found) = (self.galaxy.empires.len(), self.knowledge.len());
        Field(&"knowledge").require(&[("list", found == empires, &[&empires, &found])])?;
        for (index, knowledge) in self.knowledge.iter().enumerate() {
            inside(&format!("knowledge[{index}]"), self.check_knowledge(knowledge))?;
        }
        self.check_orders()?;
        self.check_alliances()
    }

    fn check_knowledge(&self, Knowledge { chart, report }: &Knowledge) -> Check {
        let (turn, empires) = (self.turn, self.galaxy.empires.len());
        Field(&"chart").require(&[("chart", chart.is_sorted(), &[])])?;
        let known = |at: Coord| chart.sector(at).is_some();
        let sectors = all_differ(chart.sectors.iter().map(|row| row.at));
        Field(&"chart.sectors").require(&[("chart.sectors", sectors, &[])])?;
        let worlds = || chart.worlds.iter().map(|row| row.at);
        let apart = all_differ(worlds()) && worlds().all(known);
        Field(&"chart.worlds").require(&[("chart.worlds", apart, &[])])?;
        let shown = [
            ("chart.portals", chart.portals.iter().all(|row| known(row.at))),
            ("chart.storms", chart.storms.iter().all(|row| known(row.at))),
            ("chart.ships", chart.fleets.iter().all(|row| known(row.at))),
            ("chart.ships", chart.ships.iter().all(|row| known(row.at))),
        ];
        for (field, holds) in shown {
            Field(&field).require(&[("chart.shown", holds, &[])])?;
        }
        let past =
            chart.sectors.iter().all(|row| row.scanned.is_none_or(|scanned| scanned <= turn));
        Field(&"chart.sectors.scanned_turn").require(&[("chart.scanned", past, &[&turn])])?;
        let all = SeatSet::first(empires);
        let own = |named: SeatSet| named.difference(all).is_empty();
        let charted = own(empires_on_chart(chart));
        Field(&"chart").require(&[("chart.empires", charted, &[&empires])])?;
        let pictured = report.last_scans.iter().map(|picture| empires_on_chart(&picture.seen));
        let told =
            report.news.iter().map(|news| empires_in_item(&news.item)).chain(pictured).all(own);
        Field(&"report").require(&[("chart.empires", told, &[&empires])])?;
        let last = report.turn;
        Field(&"report.turn").require(&[("report.turn", last <= turn, &[&last, &turn])])
    }

    fn check_orders(&self) -> Check {
        let (empires, found) = (self.galaxy.empires.len(), self.sheets.len());
        let most = self.sheets.iter().flatten().map(|sheet| sheet.lines.len()).max().unwrap_or(0);
        Field(&"sheets").require(&[
            ("list", found == empires, &[&empires, &found]),
            ("sheets", most <= LINES_MAX, &[&most, &LINES_MAX]),
        ])?;
        let waiting = self.waiting.len();
        let few = waiting <= WAITING_MAX;
        Field(&"master_orders").require(&[("orders", few, &[&waiting, &WAITING_MAX])])
    }

    fn check_alliances(&self) -> Check {
        let empires = self.galaxy.empires.len();
        let exist = |seats: SeatSet| seats.difference(SeatSet::first(empires)).is_empty();
        let mut seen = SeatSet::EMPTY;
        for &alliance in &self.alliances {
            Field(&"alliances").require(&[
                ("alliance.members", alliance.len() >= 2, &[&alliance.len()]),
                ("alliance.absent", exist(alliance), &[&empires]),
                ("alliance.twice", alliance.intersection(seen).is_empty(), &[]),
            ])?;
            seen = seen.union(alliance);
        }
        let winners = self.ending.is_none_or(|ending| exist(ending.winners));
        Field(&"ending.winners").require(&[("alliance.absent", winners, &[&empires])])
    }
}

impl Galaxy {
    pub(crate) fn integrity(&self) -> Check {
        let (count, least, most) = (self.empires.len(), EMPIRES.start(), EMPIRES.end());
        let fits = EMPIRES.contains(&count);
        Field(&"empires").require(&[("empires", fits, &[least, most, &count])])?;
        self.check_classes()?;
        self.check_names()?;
        self.worlds.iter().try_for_each(|world| self.check_world(world))?;
        let apart = all_differ(self.worlds.iter().map(|world| world.at));
        Field(&"worlds").require(&[("worlds", apart, &[])])?;
        let mut portals = self.portals.iter().enumerate();
        portals.try_for_each(|(index, portal)| self.check_portal(PortalId::at(index), portal))?;
        self.storms.iter().try_for_each(check_storm)?;
        self.seats().try_for_each(|seat| self.check_empire(seat, self.empire(seat)))?;
        self.check_ships()
    }

    fn check_classes(&self) -> Check {
        let count = self.classes.len();
        let names = all_differ(self.classes.iter().map(|class| class.name));
        Field(&"classes").require(&[
            ("classes", u16::try_from(count).is_ok(), &[&count, &u16::MAX]),
            ("classes.stock", self.classes.starts_with(&stock()), &[]),
            ("classes.names", names, &[]),
        ])?;
        for class in &self.classes[STOCK..] {
            let (tonnage, cost) = (class.tonnage, class.cost);
            let sizes = (1..=SIZE_MAX).contains(&tonnage) && cost <= SIZE_MAX;
            let size = sizes && (cost > 0 || class.unbuildable);
            let small = class.ratings.list().into_iter().all(|rating| rating <= RATING_MAX);
            let ratings = small && class.ratings.guns > 0 && class.ratings.dp > 0;
            Field(&format_args!("classes.{}", class.name)).require(&[
                ("class.name", !class.name.is_none(), &[]),
                ("class.size", size, &[&tonnage, &cost, &SIZE_MAX]),
                ("class.ratings", ratings, &[&RATING_MAX, &RATING_MAX]),
            ])?;
        }
        Ok(())
    }

    fn check_names(&self) -> Check {
        let named = |name: Name| !name.is_none();
        let names = || self.empires.iter().map(|empire| empire.name);
        let both = names().all(named) && all_differ(names());
        Field(&"empires.name").require(&[("empires.names", both, &[])])?;
        let codes = all_differ(self.empires.iter().map(|empire| empire.code));
        Field(&"empires.code").require(&[("empires.codes", codes, &[])])?;
        let objects = || self.objects().map(|(name, _)| name);
        Field(&"worlds").require(&[
            ("objects.names", objects().all(named), &[]),
            ("objects.unique", all_differ(objects()), &[]),
        ])
    }

    fn has(&self, seat: Seat) -> bool {
        seat.index() < self.empires.len()
    }

    fn check_world(&self, world: &World) -> Check {
        let (owner, production) = (world.owner, world.production);
        Field(&format_args!("worlds.{}", world.name)).require(&[
            ("sector", world.at.is_in_bounds(), &[&world.at, &FARTHEST]),
            ("world.production", production <= RU_MAX, &[&production, &RU_MAX]),
            ("owner", owner.is_none_or(|owner| self.has(owner)), &[&self.empires.len()]),
            ("world.siege", owner.is_some() || world.siege == Siege::None, &[]),
        ])
    }

    fn check_portal(&self, id: PortalId, portal: &Portal) -> Check {
        let (at, turns) = (portal.at, portal.collapse_turns);
        let exits = is_strictly_ascending(&portal.exits)
            && portal.exits.iter().all(|&exit| exit != id && exit.index() < self.portals.len());
        Field(&format_args!("portals.{}", portal.name)).require(&[
            ("sector", at.is_in_bounds(), &[&at, &FARTHEST]),
            ("portal.exits", exits, &[]),
            ("portal.collapse", turns <= COLLAPSE_MAX, &[&turns, &COLLAPSE_MAX]),
        ])
    }

    fn check_empire(&self, seat: Seat, empire: &Empire) -> Check {
        let others = SeatSet::first(self.empires.len()).without(seat);
        let among = |seats: SeatSet, all: SeatSet| seats.difference(all).is_empty();
        let (origin, rotation) = (empire.frame.origin, empire.frame.rotation);
        let home = empire.homeworld.is_none_or(|world| world.index() < self.worlds.len());
        let last = empire.last_homeworld.unwrap_or_default();
        let classes = empire.classes.iter().all(|class| class.index() < self.classes.len());
        let portals = empire.navigation.iter().all(|portal| portal.index() < self.portals.len());
        Field(&format_args!("empires[{}]", seat.index())).require(&[
            ("empire.origin", origin.is_in_bounds(), &[&origin, &FARTHEST]),
            ("empire.rotation", rotation < 6, &[&rotation]),
            ("empire.homeworld", home, &[]),
            ("empire.last-homeworld", last.is_in_bounds(), &[&last, &FARTHEST]),
            ("empire.contacts", among(empire.contacts, empire.known_empires), &[]),
            ("empire.known", among(empire.known_empires, others), &[]),
            ("empire.attackers", among(empire.attacked_by, others), &[]),
            ("empire.classes", classes, &[]),
            ("empire.navigation", portals, &[]),
        ])?;
        inside(&format!("empires[{}].grants", seat.index()), self.check_grants(seat, empire))
    }

    fn check_grants(&self, seat: Seat, empire: &Empire) -> Check {
        let recipients: Vec<Seat> = empire.grants.iter().map(|grant| grant.to).collect();
        let others = is_strictly_ascending(&recipients)
            && recipients.iter().all(|&to| to != seat && self.has(to));
        Field(&"").require(&[("grant.recipients", others, &[])])?;
        for grant in &empire.grants {
            let Granted::Some { sectors, ships, classes } = &grant.scans else { continue };
            let is_empty = sectors.is_empty() && ships.is_empty() && classes.is_empty();
            let sorted = is_strictly_ascending(sectors)
                && is_strictly_ascending(ships)
                && is_strictly_ascending(classes);
            let known = |class: &ClassId| class.index() < self.classes.len();
            let own = ships.iter().all(|&serial| self.ship_numbered(seat, serial).is_some());
            Field(&"").require(&[
                ("grant.empty", !is_empty, &[]),
                ("grant.sorted", sorted, &[]),
                ("grant.classes", classes.iter().all(known), &[]),
                ("grant.ships", own, &[]),
            ])?;
        }
        Ok(())
    }

    fn check_ships(&self) -> Check {
        let sorted = self.ships.windows(2).all(|pair| pair[0].sort_key() < pair[1].sort_key());
        Field(&"ships").require(&[("ships.sorted", sorted, &[])])?;
        let named = self.ships.iter().filter(|ship| !ship.name.is_none());
        let names = all_differ(named.map(|ship| (ship.owner, ship.name)));
        Field(&"ships.name").require(&[("ships.names", names, &[])])?;
        let mut used = vec![0_u64; self.ships.len()];
        for ship in &self.ships {
            let named = |fault| inside(&format!("ships.{}", ship.serial), Err(fault));
            self.check_ship(ship).or_else(named)?;
            if let Some(carrier) = ship.carrier {
                used[carrier.id().index()] += u64::from(self.class_of(ship).tonnage);
            }
        }
        let room =
            |(ship, &used): (&Ship, &u64)| u64::from(self.class_of(ship).ratings.racks) >= used;
        let fits = self.ships.iter().zip(&used).all(room);
        Field(&"ships.carrier").require(&[("ships.racks", fits, &[])])
    }

    fn check_ship(&self, ship: &Ship) -> Check {
        Field(&"").require(&[
            ("owner", self.has(ship.owner), &[&self.empires.len()]),
            ("ship.class", ship.class.index() < self.classes.len(), &[]),
        ])?;
        let (code, at, dp) = (self.empire(ship.owner).code, ship.at, ship.dp);
        let most = self.class_of(ship).ratings.dp;
        let others = SeatSet::first(self.empires.len()).without(ship.owner);
        let apart = ship.identified.intersection(ship.concealed).is_empty();
        let both = ship.identified.union(ship.concealed).difference(others).is_empty();
        Field(&"").require(&[
            ("ship.code", ship.serial.code() == code, &[&code]),
            ("ship.name", !code.begins_serial(ship.name), &[&ship.name]),
            ("ship.dp", (1..=most).contains(&dp), &[&most, &dp]),
            ("sector", at.is_in_bounds(), &[&at, &FARTHEST]),
            ("ship.transponder", apart && both, &[]),
        ])?;
        let Some(carrier) = ship.carrier else { return Ok(()) };
        let Some(carrier) = self.ships.get(carrier.id().index()) else {
            return Field(&"").require(&[("ship.carrier", false, &[])]);
        };
        Field(&"").require(&[
            ("ship.along", carrier.owner == ship.owner && carrier.at == ship.at, &[]),
            ("ship.loaded", !carrier.is_loaded(), &[]),
        ])
    }
}

fn check_storm(storm: &Storm) -> Check {
    let rating = storm.rating.max(storm.initial);
    let steps = if let Pattern::Cyclic(steps) = &storm.pattern { &**steps } else { &[0] };
    let (few, count) = ((1..=STEPS_MAX).contains(&steps.len()), steps.len());
    let small = steps.iter().all(|step| step.unsigned_abs() <= STORM_MAX);
    Field(&format_args!("storms.{}", storm.name)).require(&[
        ("sector", storm.at.is_in_bounds(), &[&storm.at, &FARTHEST]),
        ("storm.rating", rating <= STORM_MAX, &[&rating, &STORM_MAX]),
        ("storm.steps", few, &[&STEPS_MAX, &count]),
        ("storm.large", small, &[&STORM_MAX, &STORM_MAX]),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Sector;
    use crate::ids::ShipId;
    use crate::options::Options;
    use crate::ship::Carrier;
    use heliopause_kernel::{Dice, Setup};

    #[test]
    fn each_violated_invariant_names_its_field() {
        type Change<'a> = &'a dyn Fn(&mut StarEmpires);
        let two = Seat::at(1);
        let cases: [(&str, Change<'_>); 21] = [
            ("galaxy.empires.name", &|game| game.galaxy.empires[0].name = Name::NONE),
            ("galaxy.empires.code", &|game| {
                game.galaxy.empires[0].code = game.galaxy.empires[1].code;
            }),
            ("galaxy.empires[1]", &|game| game.galaxy.empires[1].contacts = SeatSet::one(two)),
            ("galaxy.empires[1]", &|game| game.galaxy.empires[1].frame.rotation = 6),
            ("galaxy.worlds", &|game| game.galaxy.worlds[1].at = game.galaxy.worlds[0].at),
            ("galaxy.worlds", &|game| game.galaxy.worlds[1].name = game.galaxy.worlds[0].name),
            ("galaxy.classes", &|game| game.galaxy.classes[0].cost = 1),
            ("galaxy.ships", &|game| game.galaxy.ships.swap(0, 1)),
            ("alliances", &|game| game.alliances = vec![SeatSet::one(two)]),
            ("alliances", &|game| game.alliances = vec![SeatSet::one(Seat::at(5)).with(two)]),
            ("sheets", &|game| game.sheets.clear()),
            ("knowledge", &|game| game.knowledge.clear()),
            ("knowledge[1].chart", &|game| {
                game.knowledge[1].chart.worlds[0].owner = Some(Seat::at(40));
            }),
            ("a ship", &|game| game.galaxy.ships[0].dp = 0),
            ("a ship", &|game| game.galaxy.ships[0].dp = 201),
            ("galaxy.ships", &|game| game.galaxy.ships[0].owner = two),
            ("a ship", &|game| game.galaxy.ships[0].at = Sector::new(10_000, -10_000)),
            ("a ship", &|game| {
                game.galaxy.ships[0].name = game.galaxy.ships[0].serial.to_name();
            }),
            ("a ship", &|game| game.galaxy.ships[0].identified = SeatSet::one(Seat::at(0))),
            ("a ship", &|game| game.galaxy.ships[0].carrier = Some(Carrier::new(ShipId(1)))),
            ("a ship", &|game| game.galaxy.ships[0].carrier = Some(Carrier::new(ShipId(99)))),
        ];
        for (nth, (field, change)) in cases.into_iter().enumerate() {
            let setup = Setup { options: Options::default(), players: 3 };
            let mut game = crate::setup::set_up(&setup, &mut Dice::new([6; 32])).unwrap();
            let ship = format!("galaxy.ships.{}", game.galaxy.ships[0].serial);
            change(&mut game);
            let found = game.integrity().unwrap_err();
            assert_eq!(found.field, if field == "a ship" { &*ship } else { field }, "{nth}");
            assert!(found.message.contains(' ') && !found.message.contains('{'), "{found}");
        }
    }
}
