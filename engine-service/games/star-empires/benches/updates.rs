//! How long one turn takes: 50 worlds, 250 ships and about 210 orders an empire; 60 in 100 ships move, 10 fire.
//!
//! The figure to keep: 12 empires (600 worlds, 3,000 ships, 2,500 orders) under 5 ms. The curve goes on to 60 empires with
//! 60,000 ships, and must be near-linear in the ships.

use std::sync::Arc;

use heliopause_kernel::{Actor, Dice, Game, Seat, SeatSet, Setup, Why};
use heliopause_star_empires::{
    ClassId, Coord, Galaxy, Generator, Line, Name, Options, Order, Scenario, Sector, Selection, Sense, Serial, Sheet,
    Ship, Spot, StarEmpires, World,
};

fn main() {
    divan::main();
}

/// Empires and ships of each.
const SIZES: [(usize, usize); 5] = [(12, 250), (12, 1000), (30, 250), (60, 250), (60, 1000)];

fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

fn handle(ship: usize) -> Name {
    name(&format!("s{ship}"))
}

/// The worlds lie in bands, one an empire, 50 each; ships are spread over them, and at the border stand side by side.
fn place(empire: usize, spot: usize) -> Sector {
    Sector::new((spot % 50) as i16 - 25, empire as i16 * 2 - 60)
}

fn galaxy(empires: usize, ships: usize) -> Galaxy {
    let options = Options { generator: Generator { world_percent: 0, ..Generator::default() }, ..Options::default() };
    let setup = Setup { options, players: empires };
    let (game, _) = StarEmpires::new(&setup, &mut Dice::new([1; 32])).expect("the defaults can be played");
    let mut galaxy = game.galaxy().clone();
    galaxy.worlds.clear();
    galaxy.ships.clear();
    galaxy.storms.clear();
    for empire in 0..empires {
        let seat = Seat::at(empire);
        galaxy.empires[empire].homeworld = None;
        galaxy.empires[empire].contacts = SeatSet::first(empires).without(seat);
        galaxy.empires[empire].heard_of = SeatSet::first(empires).without(seat);
        for spot in 0..50 {
            let (name, at) = (name(&format!("w{empire}x{spot}")), place(empire, spot));
            let siege = heliopause_star_empires::Siege::None;
            galaxy.worlds.push(World { name, at, production: 5, stockpile: 20, owner: Some(seat), siege });
        }
        for ship in 0..ships {
            let serial = Serial::new(galaxy.empires[empire].code, ship as u32);
            // Every tenth ship stands at the next empire's world, and shoots.
            let at = place(if ship % 10 == 0 { (empire + 1) % empires } else { empire }, ship / 10);
            let class = ClassId(1);
            let dp = galaxy.classes[1].ratings.dp;
            galaxy.ships.push(Ship {
                identified: SeatSet::EMPTY,
                concealed: SeatSet::EMPTY,
                at,
                carrier: None,
                class,
                dp,
                owner: seat,
                public: false,
                serial,
                name: handle(ship),
            });
        }
    }
    galaxy.ships.sort_by_key(|ship| (ship.owner, ship.serial));
    galaxy
}

/// 60 in 100 ships move, mostly alone; 10 in 100 fire; the rest of the lines build.
fn sheet(empire: usize, empires: usize, ships: usize) -> Sheet {
    let mut lines = Vec::new();
    let target = name(&format!("E{}", (empire + 1) % empires));
    for ship in 0..ships {
        let own = Selection::Ships(vec![handle(ship)]);
        match ship % 10 {
            0 => lines.push(Line::Fire { sense: Sense::Descending, ships: own, at: vec![target] }),
            1..=6 => {
                let at = place(empire, ship / 10);
                lines.push(Line::Move { ships: own, to: Spot::At(Coord::new(at.o + 1, at.y)) });
            }
            _ => (),
        }
    }
    for world in 0..35 {
        let world = name(&format!("w{empire}x{world}"));
        let (count, naming) =
            (heliopause_star_empires::Amount::Number(1), heliopause_star_empires::Naming::Listed(Vec::new()));
        lines.push(Line::Build { world, count, class: name("probe"), naming });
    }
    Sheet { lines }
}

/// A game before the update of its second turn, so that every empire has a map.
fn game(empires: usize, ships: usize) -> (StarEmpires, Dice) {
    let mut galaxy = galaxy(empires, ships);
    for (index, empire) in galaxy.empires.iter_mut().enumerate() {
        empire.name = name(&format!("E{index}"));
    }
    let scenario = Some(Arc::new(Scenario { galaxy, framed: SeatSet::EMPTY }));
    let setup = Setup { options: Options { scenario, local_frames: false, ..Options::default() }, players: empires };
    let mut dice = Dice::new([2; 32]);
    let (mut game, _) = StarEmpires::new(&setup, &mut dice).expect("the scenario can be played");
    for empire in 0..empires {
        let order = Order::Sheet(sheet(empire, empires, ships));
        game.submit(Actor::Seat(Seat::at(empire)), order, &mut dice).expect("the orders can be given");
    }
    (game, dice)
}

#[divan::bench(args = SIZES, sample_count = 20)]
fn update(bencher: divan::Bencher<'_, '_>, (empires, ships): (usize, usize)) {
    let (game, dice) = game(empires, ships);
    bencher
        .counter(divan::counter::ItemsCount::new(empires * ships))
        .with_inputs(|| (game.clone(), dice.clone()))
        .bench_local_values(|(mut game, mut dice)| game.close(Why::AllReady, &mut dice));
}
