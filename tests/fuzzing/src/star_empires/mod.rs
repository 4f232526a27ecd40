//! Compares Star Empires' update with a slow second implementation that follows the text of the
//! rules. Storms, portals and production are not covered.

mod naive;

use heliopause_kernel::{CloseCause, Dice, Game as _, Viewer, Wire as _};
use heliopause_proto::star_empires::v1 as proto;
use heliopause_star_empires::StarEmpires;
use naive::{Battle, CLASSES, Line, Selected, Ship, World};

use crate::source::Source;

/// The names of empires in order of registration, which the rules use.
pub(crate) const EMPIRES: [&str; 4] = ["Arda", "Bree", "Cair", "Doria"];

/// Fuzzes the update. Both implementations resolve the same battle.
pub fn star_empires(data: &[u8]) {
    let mut source = Source::new(data);
    let mut battle = draw(&mut source);
    let position = written(&battle);
    let mut game = match StarEmpires::read_position(&position) {
        Ok(game) => game,
        Err(fault) => panic!("a battle is a position: {fault}"),
    };
    game.close(CloseCause::Deadline, &mut Dice::new([3; 32]));
    assert_eq!(game.check(), Ok(()));
    for viewer in crate::wire::viewers(&game) {
        if viewer != Viewer::GameMaster {
            game.view(viewer);
        }
    }
    let after = game.write_position();
    let empires = after.galaxy.iter().flat_map(|galaxy| &galaxy.empires);
    let drawn: Vec<Option<usize>> = empires
        .map(|empire| battle.worlds.iter().position(|world| world.name == empire.homeworld))
        .collect();
    battle.update(&drawn);
    compare(&battle, &after, &position);
}

fn sector(source: &mut Source<'_>) -> (i32, i32) {
    // There are few places, so that fleets meet. Some places are out of range of most ships.
    const PLACES: [(i32, i32); 9] =
        [(0, 0), (0, 0), (0, 0), (0, 0), (1, 0), (1, 1), (0, 2), (3, 0), (-4, 1)];
    PLACES[source.below(PLACES.len())]
}

fn draw(source: &mut Source<'_>) -> Battle {
    let empires = 2 + source.below(3);
    let mut battle = Battle::new(empires);
    let worlds = 1 + source.below(5);
    for (number, at) in
        [(0, 0), (1, 0), (1, 1), (0, 2), (3, 0)].into_iter().take(worlds).enumerate()
    {
        let owner = source.below(empires + 1).checked_sub(1);
        let production = 1 + u32::from(source.byte() % 4);
        battle.worlds.push(World::new(format!("W{number}"), at, owner, production));
        if let Some(owner) = owner
            && battle.homes[owner].is_none()
            && !source.byte().is_multiple_of(4)
        {
            battle.homes[owner] = Some(number);
            battle.last_homes[owner] = Some(at);
        }
    }
    for owner in 0..empires {
        let ships = 1 + source.below(8);
        for number in 0..ships {
            let class = source.below(CLASSES.len());
            let most = CLASSES[class].dp;
            let dp = match source.byte() {
                whole @ 0..=127 => most.saturating_sub(u32::from(whole) / 126),
                part => 1 + u32::from(part) % most,
            };
            // Handles repeat across empires, so that names alone do not break ties.
            let name = format!("{}{number}", ["F", "f", "Zed", "a_"][source.below(4)]);
            let at = sector(source);
            battle.ships.push(Ship::new(owner, name, class, dp.max(1), at));
        }
    }
    load(&mut battle, source);
    for owner in 0..empires {
        for _ in 0..source.below(6) {
            let line = line(&battle, owner, source);
            battle.lines[owner].push(line);
        }
    }
    battle
}

fn load(battle: &mut Battle, source: &mut Source<'_>) {
    for cargo in 0..battle.ships.len() {
        if source.yes() {
            continue;
        }
        let carries = |id: usize| battle.cargo(id).next().is_some();
        let has_room = |&carrier: &usize| {
            let aboard: u32 = battle.cargo(carrier).map(|id| battle.class(id).tonnage).sum();
            carrier != cargo
                && battle.ships[carrier].owner == battle.ships[cargo].owner
                && battle.ships[carrier].carrier.is_none()
                && aboard + battle.class(cargo).tonnage <= battle.class(carrier).racks
        };
        let carriers: Vec<usize> = (0..battle.ships.len()).filter(has_room).collect();
        let carrier = source.pick(&carriers).copied().filter(|_| !carries(cargo));
        if let Some(carrier) = carrier {
            battle.ships[cargo].carrier = Some(carrier);
            battle.ships[cargo].at = battle.ships[carrier].at;
        }
    }
}

fn selected(battle: &Battle, owner: usize, source: &mut Source<'_>) -> Selected {
    let own: Vec<&Ship> = battle.ships.iter().filter(|ship| ship.owner == owner).collect();
    let names = |source: &mut Source<'_>| {
        (0..=source.below(5))
            .filter_map(|_| source.pick(&own))
            .map(|ship| ship.name.clone())
            .collect()
    };
    match source.byte() % 4 {
        0 => {
            let except = if source.yes() { names(source) } else { Vec::new() };
            Selected::At(sector(source), except)
        }
        // Select all ships, so that guns and missiles fire at the same targets.
        1 => Selected::Named(own.iter().map(|ship| ship.name.clone()).collect()),
        _ => Selected::Named(names(source)),
    }
}

fn line(battle: &Battle, owner: usize, source: &mut Source<'_>) -> Line {
    match source.byte() % 8 {
        0..=3 => {
            let ascending = source.yes();
            let ships = selected(battle, owner, source);
            let at = (0..=source.below(2)).map(|_| source.below(battle.lines.len())).collect();
            Line::Fire { ascending, ships, at }
        }
        4 => Line::Destruct { ships: selected(battle, owner, source) },
        _ => Line::Move { ships: selected(battle, owner, source), to: sector(source) },
    }
}

#[expect(clippy::unnecessary_wraps, reason = "messages hold it so")]
fn place((oblique, y): (i32, i32)) -> Option<proto::Sector> {
    Some(proto::Sector { oblique, y })
}

#[expect(clippy::unnecessary_wraps, reason = "messages hold it so")]
fn selection(selected: &Selected) -> Option<proto::Selection> {
    let selection = match selected {
        Selected::Named(ships) => {
            proto::Selection { ships: ships.clone(), ..proto::Selection::default() }
        }
        Selected::At(at, except) => proto::Selection {
            ships: Vec::new(),
            at: Some(proto::Spot { kind: place(*at).map(proto::spot::Kind::Sector) }),
            excepted: except.clone(),
        },
    };
    Some(selection)
}

#[expect(clippy::too_many_lines, reason = "one literal of a whole position")]
fn written(battle: &Battle) -> proto::Position {
    let seat = |index: usize| index as u32 + 1;
    let serial = |index: usize| {
        let ship = &battle.ships[index];
        format!("{}{index:05X}", naive::CODES[ship.owner])
    };
    let empires = battle.homes.iter().enumerate().map(|(index, home)| proto::Empire {
        name: EMPIRES[index].to_owned(),
        code: naive::CODES[index].to_owned(),
        frame: Some(proto::Frame { origin: place((0, 0)), ..proto::Frame::default() }),
        homeworld: home.map_or(String::new(), |home| battle.worlds[home].name.clone()),
        last_homeworld: battle.last_homes[index].and_then(place),
        contacts: (0..battle.homes.len()).filter(|other| *other != index).map(seat).collect(),
        known_empires: (0..battle.homes.len()).filter(|other| *other != index).map(seat).collect(),
        classes: naive::STOCK.iter().map(|name| (*name).to_owned()).collect(),
        ..proto::Empire::default()
    });
    let classes = CLASSES.iter().filter(|class| !naive::STOCK.contains(&class.name));
    let classes = classes.map(|class| proto::ShipClass {
        name: class.name.to_owned(),
        hull: class.hull.into(),
        ratings: Some(proto::Ratings {
            guns: class.guns,
            dp: class.dp,
            engines: class.engines,
            scan: class.scan,
            racks: class.racks,
        }),
        tonnage: class.tonnage,
        cost: class.cost,
        unbuildable: false,
    });
    let ships = battle.ships.iter().enumerate().map(|(index, ship)| proto::Ship {
        owner: seat(ship.owner),
        serial: serial(index),
        name: ship.name.clone(),
        ship_class: CLASSES[ship.class].name.to_owned(),
        at: place(ship.at),
        dp: ship.dp as u32,
        carrier: ship.carrier.map_or(String::new(), serial),
        ..proto::Ship::default()
    });
    let worlds = battle.worlds.iter().map(|world| proto::World {
        name: world.name.clone(),
        at: place(world.at),
        production: world.production,
        stockpile: world.stockpile,
        owner: world.owner.map_or(0, seat),
        siege: proto::Siege::None.into(),
    });
    let line = |line: &Line| {
        let kind = match line {
            Line::Fire { ascending, ships, at } => proto::line::Kind::Fire(proto::Fire {
                sense: if *ascending { proto::Sense::Ascending } else { proto::Sense::Descending }
                    .into(),
                ships: selection(ships),
                at: at.iter().map(|&index| EMPIRES[index].to_owned()).collect(),
            }),
            Line::Destruct { ships } => {
                proto::line::Kind::Destruct(proto::Destruct { ships: selection(ships) })
            }
            Line::Move { ships, to } => proto::line::Kind::Move(proto::Move {
                ships: selection(ships),
                to: Some(proto::Spot { kind: place(*to).map(proto::spot::Kind::Sector) }),
            }),
        };
        proto::Line { kind: Some(kind) }
    };
    let sheets = battle.lines.iter().enumerate().map(|(index, lines)| proto::StoredSheet {
        empire: seat(index),
        sheet: Some(proto::Sheet {
            lines: lines.iter().map(line).collect(),
            ..proto::Sheet::default()
        }),
    });
    proto::Position {
        turn: 3,
        options: Some(proto::Options {
            local_frames: Some(false),
            portal_collapse_percent: Some(0),
            automatic_victory: Some(false),
            ..proto::Options::default()
        }),
        galaxy: Some(proto::Galaxy {
            empires: empires.collect(),
            classes: classes.collect(),
            worlds: worlds.collect(),
            ships: ships.collect(),
            ..proto::Galaxy::default()
        }),
        sheets: sheets.collect(),
        ..proto::Position::default()
    }
}

fn compare(battle: &Battle, after: &proto::Position, before: &proto::Position) {
    let galaxy = after.galaxy.as_ref().expect("there is a galaxy");
    let sector = |at: &Option<proto::Sector>| at.as_ref().map(|at| (at.oblique, at.y));
    let lines = || format!("{:#?}\nof {before:#?}", battle.lines);
    let name_of = |serial: &str| {
        let found = galaxy.ships.iter().find(|ship| ship.serial == serial);
        found.map(|ship| ship.name.clone()).unwrap_or_default()
    };
    let mut game: Vec<String> = galaxy
        .ships
        .iter()
        .map(|ship| {
            let (at, carrier) = (sector(&ship.at).unwrap_or_default(), name_of(&ship.carrier));
            format!(
                "{} {} {} {at:?} {} on {carrier:?}",
                ship.owner, ship.name, ship.ship_class, ship.dp
            )
        })
        .collect();
    game.sort();
    let mut naive: Vec<String> = battle
        .ships
        .iter()
        .filter(|ship| ship.live)
        .map(|ship| {
            let carrier = ship.carrier.map(|id| battle.ships[id].name.clone()).unwrap_or_default();
            let class = CLASSES[ship.class].name;
            let (owner, name, at, dp) = (ship.owner + 1, &ship.name, ship.at, ship.dp);
            format!("{owner} {name} {class} {at:?} {dp} on {carrier:?}")
        })
        .collect();
    naive.sort();
    assert_eq!(game, naive, "ships after {}", lines());
    for (world, own) in galaxy.worlds.iter().zip(&battle.worlds) {
        assert_eq!(world.name, own.name, "worlds keep their order");
        let owner = own.owner.map_or(0, |owner| owner as u32 + 1);
        let found = (world.owner, world.siege(), world.stockpile);
        assert_eq!(found, (owner, own.siege, own.stockpile), "{} after {}", own.name, lines());
    }
    for (index, empire) in galaxy.empires.iter().enumerate() {
        let home = battle.homes[index].map(|home| battle.worlds[home].name.as_str());
        assert_eq!(empire.homeworld, home.unwrap_or_default(), "a homeworld after {}", lines());
        let shot_by: Vec<u32> = battle.shot_by[index].iter().map(|by| *by as u32 + 1).collect();
        assert_eq!(empire.attacked_by, shot_by, "who shot at {} in {}", empire.name, lines());
        let mut classes = empire.classes.clone();
        classes.sort();
        let mut known: Vec<String> =
            battle.known[index].iter().map(|&name| name.to_owned()).collect();
        known.sort();
        assert_eq!(classes, known, "what {} salvaged in {}", empire.name, lines());
    }
}
