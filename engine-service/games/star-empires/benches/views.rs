//! What it takes to see: views of all empires, the scans and reports of an update without orders, and the memory of a game.
//!
//! The galaxy is that of the specification: 12 empires, 600 worlds, 3,000 ships; and a curve up to 60 empires with 60,000.

use std::sync::Arc;

use divan::{AllocProfiler, Bencher};
use heliopause_kernel::{Dice, Game, Seat, SeatSet, Setup, Viewer, Why};
use heliopause_star_empires::{
    ClassId, Granted, Id, Name, Options, Scenario, Sector, Serial, Ship, Siege, StarEmpires, World,
};

#[global_allocator]
static ALLOC: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

/// Empires, worlds, ships.
const SIZES: [(usize, usize, usize); 4] =
    [(12, 600, 3_000), (24, 1_200, 12_000), (48, 2_400, 36_000), (60, 3_000, 60_000)];

/// A small generator, so that every run measures the same galaxy.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % limit as u64) as usize
    }
}

/// A galaxy in the middle of a war: worlds all over the disc, ships in fleets near their homes and abroad.
fn game((empires, worlds, ships): (usize, usize, usize)) -> (StarEmpires, Dice) {
    let mut dice = Dice::new([empires as u8; 32]);
    let mut options = Options::default();
    options.generator.radius = Some(if empires > 12 { 50 } else { 20 });
    let setup = Setup { options, players: empires };
    let (blank, _) = StarEmpires::new(&setup, &mut dice).expect("the options can be played");
    let mut galaxy = blank.galaxy().clone();
    let mut chance = Chance(empires as u64);
    let radius = setup.options.generator.radius.unwrap_or(10);
    let free: Vec<Sector> = Sector::CENTRE.within(radius).filter(|&at| galaxy.world_at(at).is_none()).collect();
    let wanted = worlds.saturating_sub(galaxy.worlds.len()).min(free.len());
    for number in 0..wanted {
        let at = free[number * free.len() / wanted];
        let name = Name::new(&format!("w{number}")).unwrap_or_default();
        let world = World { name, at, production: 5, stockpile: 40, owner: None, siege: Siege::None };
        if galaxy.is_free(name) {
            galaxy.worlds.push(world);
        }
    }
    let homes: Vec<Sector> = galaxy.worlds[..empires].iter().map(|world| world.at).collect();
    for number in 0..ships {
        let owner = Seat::at(number % empires);
        let class = ClassId::at(1 + chance.below(7));
        let serial = Serial::new(galaxy.empire(owner).code, (number / empires) as u32 * 7 + 1);
        let place =
            if number % 3 == 0 { homes[owner.index()] } else { galaxy.worlds[chance.below(galaxy.worlds.len())].at };
        let public = chance.below(4) == 0;
        let (identified, concealed) = (SeatSet::EMPTY, SeatSet::EMPTY);
        let dp = galaxy.class(class).ratings.dp;
        let ship = Ship {
            identified,
            concealed,
            at: place,
            carrier: None,
            class,
            dp,
            owner,
            public,
            serial,
            name: Name::NONE,
        };
        galaxy.ships.push(ship);
    }
    galaxy.ships.sort_by_key(|ship| (ship.owner, ship.serial));
    galaxy.ships.dedup_by_key(|ship| (ship.owner, ship.serial));
    for seat in galaxy.seats() {
        let to = Seat::at((seat.index() + 1) % empires);
        galaxy.empires[seat.index()].grants = vec![heliopause_star_empires::Grant { to, scans: Granted::All }];
    }
    let scenario = Some(Arc::new(Scenario { galaxy, framed: SeatSet::EMPTY }));
    let setup = Setup { options: Options { scenario, ..Options::default() }, players: empires };
    let (mut game, _) = StarEmpires::new(&setup, &mut dice).expect("the scenario can be played");
    game.close(Why::Deadline, &mut dice);
    (game, dice)
}

#[divan::bench(args = SIZES)]
fn views_of_all_empires(bencher: Bencher<'_, '_>, size: (usize, usize, usize)) {
    let (game, _) = game(size);
    bencher.bench_local(|| {
        for seat in Seat::first(size.0) {
            divan::black_box(game.view(Viewer::Seat(seat)));
        }
    });
}

#[divan::bench(args = SIZES)]
fn scans_and_reports_of_an_update(bencher: Bencher<'_, '_>, size: (usize, usize, usize)) {
    let (game, dice) = game(size);
    bencher
        .with_inputs(|| (game.clone(), dice.clone()))
        .bench_local_refs(|(game, dice)| game.close(Why::Deadline, dice));
}

/// What a clone allocates is what a game takes; beside it stands what its position takes on the wire.
#[divan::bench(args = SIZES)]
fn memory_of_a_game(bencher: Bencher<'_, '_>, size: (usize, usize, usize)) {
    let (game, _) = game(size);
    bencher.bench_local(|| game.clone());
}
