//! The galaxy of the benchmarks: a war after three turns, with any number of empires and ships.
//!
//! The map, worlds and names are from the generator, with 50 worlds per empire. A world belongs to
//! the empire with the nearest homeworld. A fifth of the ships are garrisons. The others form
//! squadrons of eight. One squadron in six starts at the nearest foreign squadrons and fights
//! there. The rest start at their own worlds. Empires share all their scans in pairs. Three turns
//! are played first, so that maps contain stale data and some squadrons are in open space.

use std::sync::Arc;

use heliopause_kernel::{
    Actor, CloseCause, Dice, Emitted, Game, Seat, SeatSet, Setup, Viewer, Wire,
};
use heliopause_star_empires::{
    Amount, Carrier, ClassId, Coord, EmpireView, Event, Galaxy, Generator, Grant, Granted, Id,
    Line, Name, Naming, Options, Order, OwnShip, Scenario, Sector, Selection, Sense, Serial, Sheet,
    Ship, ShipId, Spot, StarEmpires, View, WorldId,
};

/// Worlds per empire.
pub const WORLDS: usize = 50;

const BATTLESHIP: ClassId = ClassId(1);
const GUNSHIP: ClassId = ClassId(2);
const CARRIER: ClassId = ClassId(5);
const PROBE: ClassId = ClassId(6);
const FIGHTER: ClassId = ClassId(7);

/// The classes of a squadron. The last ship is loaded on the one before it.
const SQUADRON: [ClassId; 8] =
    [BATTLESHIP, BATTLESHIP, GUNSHIP, GUNSHIP, PROBE, PROBE, CARRIER, FIGHTER];

/// The distribution of ships and scans.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    War,
    /// The worst case: ships of all empires everywhere, and all scans shared with all.
    NoFog,
}

/// A benchmark game after three turns, with its dice.
pub struct War {
    pub game: StarEmpires,
    pub dice: Dice,
}

/// A small deterministic generator, so that every run measures the same galaxy.
struct Rng(u64);

impl Rng {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % limit as u64) as usize
    }
}

fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

impl War {
    pub fn new(kind: Kind, empires: usize, ships: usize) -> Self {
        let galaxy = galaxy(kind, empires, ships);
        let options = Options {
            scenario: Some(Arc::new(Scenario { galaxy, framed: SeatSet::EMPTY })),
            ..options(empires)
        };
        let mut dice = Dice::new([2; 32]);
        let (game, _) = StarEmpires::new(&Setup { options, players: empires }, &mut dice)
            .expect("it can be played");
        // Exclude the initial galaxy from the measurement.
        let mut position = game.write_position();
        position.options.as_mut().expect("they are written").scenario = None;
        let game = StarEmpires::read_position(&position).expect("an own position reads back");
        let mut war = Self { game, dice };
        for turn in 0..3 {
            war.order(&mut Rng(turn), false);
            war.close();
        }
        war
    }

    /// Returns the war with the orders of its turn: 60 of 100 ships move, and 10 fire.
    pub fn ordered(kind: Kind, empires: usize, ships: usize) -> Self {
        let mut war = Self::new(kind, empires, ships);
        war.order(&mut Rng(99), true);
        war
    }

    pub fn close(&mut self) -> Emitted<Event> {
        self.game.close(CloseCause::AllReady, &mut self.dice)
    }

    pub fn view(&self, seat: Seat) -> View {
        self.game.view(Viewer::Seat(seat))
    }

    pub fn sheets(&self) -> Vec<Sheet> {
        let mut chance = Rng(99);
        self.game
            .galaxy()
            .seats()
            .map(|seat| sheet(own(&self.view(seat)), &mut chance, true))
            .collect()
    }

    /// Submits the orders of all seats. Asserts that no line is rejected and that few have remarks.
    fn order(&mut self, chance: &mut Rng, fire: bool) {
        let (mut lines, mut doubts) = (0, 0);
        for seat in self.game.galaxy().seats() {
            let sheet = sheet(own(&self.view(seat)), chance, fire);
            let given = sheet.lines.len();
            let emitted = self
                .game
                .submit(Actor::Seat(seat), Order::Sheet(sheet), &mut self.dice)
                .expect("it is in order");
            let Some(Event::SheetStored { sheet, checks }) = emitted.to(Viewer::Seat(seat)).next()
            else {
                panic!("a sheet is answered")
            };
            assert_eq!(sheet.lines.len(), given, "of {seat} lines are rejected");
            lines += given;
            doubts += checks.iter().filter(|check| !check.remarks.is_empty()).count();
        }
        assert!(doubts * 20 <= lines, "{doubts} of {lines} lines are doubted");
    }
}

fn own(view: &View) -> &EmpireView {
    view.own().expect("it is an empire's")
}

fn options(empires: usize) -> Options {
    // A disc has about 3 r² sectors, of which one in ten has a world.
    let radius = (empires * WORLDS * 10 / 3).isqrt() as u16;
    Options {
        generator: Generator { radius: Some(radius), ..Generator::default() },
        ..Options::default()
    }
}

fn galaxy(kind: Kind, empires: usize, ships: usize) -> Galaxy {
    let setup = Setup { options: options(empires), players: empires };
    let (game, _) =
        StarEmpires::new(&setup, &mut Dice::new([1; 32])).expect("the options can be played");
    let mut galaxy = game.galaxy().clone();
    let homes: Vec<Sector> = galaxy.worlds[..empires].iter().map(|world| world.at).collect();
    for world in &mut galaxy.worlds {
        let nearest = (0..empires)
            .min_by_key(|&empire| homes[empire].distance(world.at))
            .expect("there are empires");
        (world.owner, world.stockpile) = (Some(Seat::at(nearest)), 40);
    }
    let all = SeatSet::first(empires);
    for seat in galaxy.seats() {
        let neighbor = Seat::at(if seat.index().is_multiple_of(2) {
            seat.index() + 1
        } else {
            seat.index() - 1
        });
        let empire = &mut galaxy.empires[seat.index()];
        (empire.contacts, empire.known_empires) = (all.without(seat), all.without(seat));
        let shares = |&to: &Seat| to != seat && (kind == Kind::NoFog || to == neighbor);
        empire.grants =
            all.iter().filter(shares).map(|to| Grant { to, scans: Granted::All }).collect();
    }
    add_fleets(&mut galaxy, kind, ships);
    galaxy
}

fn add_fleets(galaxy: &mut Galaxy, kind: Kind, ships: usize) {
    let mut chance = Rng(7);
    let mut squadrons: Vec<(Seat, Sector)> = Vec::new();
    let mut fleets: Vec<Vec<Ship>> = galaxy.seats().map(|_| Vec::new()).collect();
    for seat in galaxy.seats() {
        let own: Vec<Sector> = galaxy.worlds_of(seat).map(|(_, world)| world.at).collect();
        let (garrisons, count) = (ships / 5, (ships - ships / 5) / SQUADRON.len());
        for index in 0..garrisons {
            let at = own[index % own.len()];
            fleets[seat.index()].push(ship(galaxy, seat, GUNSHIP, at, Name::NONE));
        }
        for _ in 0..count - count / 6 {
            let at = match kind {
                Kind::War => own[chance.below(own.len())],
                Kind::NoFog => galaxy.world(WorldId::at(chance.below(galaxy.worlds.len()))).at,
            };
            squadrons.push((seat, at));
        }
    }
    let settled = squadrons.clone();
    for (seat, home) in galaxy.worlds[..fleets.len()]
        .iter()
        .enumerate()
        .map(|(seat, world)| (Seat::at(seat), world.at))
    {
        let mut foreign: Vec<_> =
            settled.iter().filter(|other| other.0 != seat).map(|other| other.1).collect();
        foreign.sort_by_key(|at| (at.distance(home), *at));
        foreign.dedup();
        let count = (ships - ships / 5) / SQUADRON.len() / 6;
        squadrons.extend((0..count).map(|index| (seat, foreign[index % foreign.len()])));
    }
    for (number, (seat, at)) in squadrons.into_iter().enumerate() {
        for (place, class) in SQUADRON.into_iter().enumerate() {
            let name = name(&format!("Hawk{number}{}", char::from(b'a' + place as u8)));
            fleets[seat.index()].push(ship(galaxy, seat, class, at, name));
        }
    }
    for ship in fleets.into_iter().flatten() {
        galaxy.ships.push(ship);
    }
    number_ships(galaxy);
}

fn ship(galaxy: &Galaxy, owner: Seat, class: ClassId, at: Sector, name: Name) -> Ship {
    let serial = Serial::new(galaxy.empire(owner).code, 0);
    let (identified, concealed) = (SeatSet::EMPTY, SeatSet::EMPTY);
    let (dp, public) = (galaxy.class(class).ratings.dp, class == CARRIER);
    Ship { identified, concealed, at, carrier: None, class, dp, owner, public, serial, name }
}

fn number_ships(galaxy: &mut Galaxy) {
    for (index, ship) in galaxy.ships.iter_mut().enumerate() {
        // Multiplying by an odd factor permutes the 20-bit numbers.
        ship.serial =
            Serial::new(ship.serial.code(), (index as u32).wrapping_mul(641_117) & 0xf_ffff);
    }
    galaxy.ships.sort_by_key(|ship| (ship.owner, ship.serial));
    let mut carriers: Vec<(Name, ShipId)> = Vec::new();
    for (index, ship) in galaxy.ships.iter().enumerate().filter(|(_, ship)| ship.class == CARRIER) {
        carriers.push((ship.name, ShipId::at(index)));
    }
    carriers.sort_unstable();
    for ship in galaxy.ships.iter_mut().filter(|ship| ship.class == FIGHTER) {
        let carrier = name(&ship.name.as_str().replace('h', "g"));
        let place = carriers
            .binary_search_by_key(&carrier, |entry| entry.0)
            .expect("every fighter has a carrier");
        ship.carrier = Some(Carrier::new(carriers[place].1));
    }
}

/// Returns the order sheet of an empire. With `fire`, ships at the front fire, and worlds build and
/// transfer RU. Otherwise, ships at the front stay.
fn sheet(own: &EmpireView, chance: &mut Rng, fire: bool) -> Sheet {
    let mut lines = Vec::new();
    let mut squadrons: Vec<&OwnShip> =
        own.ships.iter().filter(|ship| !ship.name.is_none()).collect();
    squadrons.sort_by_key(|ship| (ship.at, ship.serial));
    let mut shots = own.ships.len() / 10;
    for group in squadrons.chunk_by(|one, other| one.at == other.at) {
        let at = group[0].at;
        let step = Coord::new(at.o + chance.below(3) as i16 - 1, at.y + chance.below(3) as i16 - 1);
        let to = if at.distance(step) > 1 { Coord::new(at.o, step.y) } else { step };
        let foes: Vec<Seat> = own
            .chart
            .ships
            .iter()
            .filter(|row| row.at == at && !row.wreck)
            .map(|row| row.owner)
            .collect();
        for ship in group.iter().filter(|ship| ship.carrier.is_none()) {
            let ships = Selection::Ships(vec![handle(ship)]);
            match foes.first() {
                Some(&foe) if fire && shots > 0 => {
                    shots -= 1;
                    let foe =
                        own.empires.iter().find(|seen| seen.seat == foe).expect("it was heard of");
                    lines.push(Line::Fire { sense: Sense::Descending, ships, at: vec![foe.name] });
                }
                Some(_) if !fire => (),
                _ => lines.push(Line::Move { ships, to: Spot::At(to) }),
            }
        }
    }
    if fire {
        lines.extend(build_and_transfer(own));
    }
    Sheet::of(lines)
}

fn handle(ship: &OwnShip) -> Name {
    if ship.name.is_none() { ship.serial.to_name() } else { ship.name }
}

fn build_and_transfer(own: &EmpireView) -> Vec<Line> {
    let rows = own.chart.worlds.iter().filter(|row| row.owner == Some(own.status.seat));
    let worlds: Vec<Name> =
        rows.filter(|row| row.stockpile > Some(20)).map(|row| row.name).collect();
    let line = |index: usize| {
        let (world, next) = (worlds[index % worlds.len()], worlds[(index + 1) % worlds.len()]);
        let count = Amount::Number(1);
        if index.is_multiple_of(2) || world == next {
            Line::Build { world, count, class: name("probe"), naming: Naming::Listed(Vec::new()) }
        } else {
            Line::Transfer { from: world, amount: count, to: next, recipient: None }
        }
    };
    if worlds.is_empty() { Vec::new() } else { (0..own.ships.len() / 7).map(line).collect() }
}
