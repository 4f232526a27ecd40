//! Every choice that is offered is accepted, whatever the game has come to.

mod play;

use heliopause_kernel::{Actor, Game, Seat};
use heliopause_star_empires::{
    Amount, Choices, Coord, Crews, Design, Event, Hull, HullChoices, Line, Name, Names, Naming, Options, Order, Scans,
    Selection, Sense, Sheet, ShipChoices, Spot, StarEmpires, Verdict, WorldChoices,
};
use play::{Chance, Watched, name, options};
use proptest::prelude::*;

/// The lines that are made of what a ship is offered, each a sheet of its own.
fn ship_sheets(ship: &ShipChoices, payers: &Names) -> Vec<Vec<Line>> {
    let own = ship.ship.to_name();
    let these = || Selection::Ships(vec![own]);
    let mut sheets = Vec::new();
    if ship.unload {
        sheets.push(vec![Line::Unload { ships: vec![own] }]);
    }
    let load = |carrier: &heliopause_star_empires::Serial| Line::Load { ships: vec![own], carrier: carrier.to_name() };
    sheets.extend(ship.carriers.iter().map(|carrier| vec![load(carrier)]));
    if ship.destruct {
        sheets.push(vec![Line::Destruct { ships: these() }]);
    }
    for &target in &ship.targets {
        for sense in [Sense::Ascending, Sense::Descending] {
            sheets.push(vec![Line::Fire { sense, ships: these(), at: vec![target] }]);
        }
    }
    if ship.range > 0 {
        let range = ship.range.cast_signed();
        for (o, y) in [(0, range), (range, 0), (-range, -range), (0, 0)] {
            let to = Spot::At(Coord::new(ship.at.o + o, ship.at.y + y));
            sheets.push(vec![Line::Move { ships: these(), to }]);
        }
    }
    for &portal in &ship.portals {
        let to = Spot::Object(portal);
        let pass = Line::Traverse { ships: these(), entry: portal, exit: None };
        sheets.push(vec![Line::Move { ships: these(), to }, pass]);
    }
    if ship.damage > 0 && !payers.is_empty() {
        let dp = Amount::Number(u32::from(ship.damage));
        sheets.push(vec![Line::Repair { ship: own, dp, worlds: payers.clone() }]);
    }
    let crews = || Crews::Some { ships: vec![own], classes: Names::new() };
    sheets.push(vec![Line::Toggle { public: true, ships: crews() }]);
    sheets
}

/// The same for a world.
fn world_sheets(world: &WorldChoices, others: &Names) -> Vec<Vec<Line>> {
    let mut sheets = Vec::new();
    for &(class, most) in &world.build {
        let count = Amount::Number(most);
        sheets.push(vec![Line::Build { world: world.world, count, class, naming: Naming::Listed(Names::new()) }]);
    }
    if world.ship && world.stockpile > 0 {
        let amount = Amount::Number(world.stockpile);
        let to = others.iter().filter(|&&to| to != world.world);
        sheets.extend(to.map(|&to| vec![Line::Transfer { from: world.world, amount, to, recipient: None }]));
    }
    sheets
}

/// The same for a hull: the designs with its least and with its highest ratings, where they are not too big for a ship.
fn designs(hull: &HullChoices, world: Name, fresh: Name) -> Vec<Vec<Line>> {
    let design = |ratings: heliopause_star_empires::Ratings| match hull.hull {
        Hull::Missile => Design::Missile { guns: ratings.guns, tonnage: 1 },
        hull => Design::Ship(hull, ratings),
    };
    let line = |design| vec![Line::Design { world, class: fresh, design }];
    let most = design(hull.most);
    std::iter::once(line(design(hull.least))).chain(most.class(fresh).is_ok().then(|| line(most))).collect()
}

/// The same for what goes to contacts.
fn sheets_to_contacts(choices: &Choices) -> Vec<Vec<Line>> {
    let mut sheets = Vec::new();
    for &contact in &choices.contacts {
        let to = || vec![contact];
        sheets.extend(choices.transmit.iter().map(|&portal| vec![Line::Transmit { portals: vec![portal], to: to() }]));
        sheets.extend(choices.give.iter().map(|&class| vec![Line::Give { classes: vec![class], to: to() }]));
        sheets.push(vec![Line::Authorize { scans: Scans::All, to: to() }]);
        sheets.push(vec![Line::Conceal { ships: Crews::All, from: to() }]);
        sheets.push(vec![Line::Identify { ships: Crews::All, to: to() }]);
    }
    sheets
}

fn offered(choices: &Choices) -> Vec<Vec<Line>> {
    let worlds: Names = choices.worlds.iter().map(|world| world.world).collect();
    let mut sheets: Vec<Vec<Line>> = choices.ships.iter().flat_map(|ship| ship_sheets(ship, &worlds)).collect();
    sheets.extend(choices.worlds.iter().flat_map(|world| world_sheets(world, &worlds)));
    sheets.extend(sheets_to_contacts(choices));
    if let Some(&world) = worlds.first() {
        sheets.extend(choices.hulls.iter().flat_map(|hull| designs(hull, world, name("brand_new"))));
    }
    sheets
}

/// Judges sheets one by one: none is refused, and no line is rejected.
fn all_are_accepted(game: &StarEmpires, seat: Seat, sheets: Vec<Vec<Line>>) {
    for lines in sheets {
        let order = Order::Sheet(Sheet::of(lines));
        assert_eq!(game.judge(Actor::Seat(seat), &order), Ok(()), "{order:?}");
        let Some(Event::SheetStored { sheet, checks }) = game.foretell(Actor::Seat(seat), &order) else {
            panic!("nothing is foretold of {order:?}");
        };
        assert_eq!(Order::Sheet(sheet), order);
        assert!(checks.iter().all(|check| check.verdict != Verdict::Rejected), "{order:?}: {checks:?}");
    }
}

proptest! {
    #![proptest_config(heliopause_kernel::testing::cases(16))]

    #[test]
    fn every_offered_choice_is_accepted(number in any::<u64>(), empires in 2_usize..=5) {
        let mut chance = Chance(number);
        let options = Options { automatic_victory: None, last_turn: None, ..options(&mut chance) };
        let mut watched = Watched::new(number, empires, options);
        for _ in 0..6 {
            let seat = Seat::at(chance.below(empires));
            let sheets = offered(&watched.game.choices(seat));
            all_are_accepted(&watched.game, seat, sheets);
            watched.turn(&mut chance);
        }
    }
}
