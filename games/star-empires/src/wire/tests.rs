//! Tests that written messages can be read back, and that invalid input causes no panic.

use heliopause_kernel::wire::{Read, Write};
use heliopause_kernel::{Dice, Setup, Wire};
use heliopause_proto::star_empires::v1 as proto;
use std::sync::Arc;

use proptest::prelude::*;

use crate::fields;
use crate::geometry::Coord;
use crate::name::Name;
use crate::options::{Options, Scenario};
use crate::order::{Line, Order, Selection, Sheet, Spot};
use crate::position::StarEmpires;
use crate::reason::Reason;
use crate::ship::{Code, Serial};
use crate::text::tests::{LINES, MASTER_LINES};
use crate::text::{parse_master, parse_sheet};
use crate::view::KnownChange;
use heliopause_kernel::{Seat, SeatSet};

fn game() -> StarEmpires {
    let setup = Setup { options: Options::default(), players: 3 };
    crate::setup::set_up(&setup, &mut Dice::new([8; 32])).unwrap()
}

fn name(text: &str) -> Name {
    Name::new(text).unwrap()
}

#[test]
fn a_position_reads_back_with_sheets_and_alliances() {
    let mut game = game();
    let sheet = Sheet::of(vec![Line::Unload { ships: vec![name("Lion")] }]);
    game.sheets[1] = Some(sheet);
    game.alliances = vec![SeatSet::first(2)];
    game.galaxy.empires[0].contacts = SeatSet::one(Seat::at(2));
    game.galaxy.empires[0].known_empires = SeatSet::one(Seat::at(2));
    let read = StarEmpires::read_position(&game.write_position()).unwrap();
    assert_eq!(read.galaxy, game.galaxy);
    assert_eq!((read.sheets, read.alliances), (game.sheets, game.alliances));
}

#[test]
fn a_position_may_omit_derivable_fields() {
    let mut message = game().write_position();
    let galaxy = message.galaxy.as_mut().unwrap();
    galaxy.classes.clear();
    for empire in &mut galaxy.empires {
        (empire.name, empire.code) = (String::new(), String::new());
        (empire.serial_key, empire.serials) = (0, 0);
        empire.classes.clear();
    }
    for ship in &mut galaxy.ships {
        (ship.serial, ship.dp) = (String::new(), 0);
    }
    message.knowledge.clear();
    let read = StarEmpires::read_position(&message).unwrap();
    assert_eq!(read.integrity(), Ok(()));
    assert_eq!(read.galaxy.ships.len(), game().galaxy.ships.len());
    assert!(read.galaxy.ships.iter().all(|ship| ship.dp == 200));
    assert_eq!(read.galaxy.empires[0].classes.len(), 8);
    assert_eq!(StarEmpires::read_position(&message).unwrap(), read, "reading has one result");
    assert_eq!(StarEmpires::read_position(&read.write_position()).unwrap(), read);
}

#[test]
fn position_errors_name_their_field() {
    type Change = fn(&mut proto::Position);
    fn ships(position: &mut proto::Position) -> &mut Vec<proto::Ship> {
        &mut position.galaxy.as_mut().unwrap().ships
    }
    fn stored(line: proto::line::Kind) -> proto::StoredSheet {
        let lines = vec![proto::Line { kind: Some(line) }];
        proto::StoredSheet { empire: 1, sheet: Some(proto::Sheet { lines, ..Default::default() }) }
    }
    let changes: [(&str, Change); 11] = [
        ("version", |position| position.version = 2),
        ("galaxy", |position| position.galaxy = None),
        ("galaxy.ships[1].owner", |position| ships(position)[1].owner = 9),
        ("galaxy.ships[1].ship_class", |position| ships(position)[1].ship_class = "tug".into()),
        ("galaxy.ships", |position| ships(position)[1].carrier = "ZZ00000".into()),
        ("galaxy.ships[1].at", |position| ships(position)[1].at = None),
        ("galaxy.ships[1].name", |position| ships(position)[1].name = "a b-c".into()),
        // Two ships have one serial number.
        ("galaxy.ships", |position| ships(position)[1] = ships(position)[0].clone()),
        ("options.world_percent", |position| {
            position.options.as_mut().unwrap().world_percent = Some(101);
        }),
        ("sheets[0].sheet.lines[0].unload.ships", |position| {
            position.sheets = vec![stored(proto::line::Kind::Unload(proto::Unload::default()))];
        }),
        ("sheets[1]", |position| {
            let twice = proto::StoredSheet { empire: 1, sheet: Some(proto::Sheet::default()) };
            position.sheets = vec![twice.clone(), twice];
        }),
    ];
    for (field, change) in changes {
        let mut message = game().write_position();
        change(&mut message);
        assert_eq!(StarEmpires::read_position(&message).unwrap_err().field, field);
    }
}

#[test]
fn options_round_trip_with_a_scenario_without_frames() {
    let mut galaxy = game().galaxy;
    galaxy.empires[1].frame = crate::geometry::Frame::GALACTIC;
    let framed = SeatSet::first(3).without(Seat::at(1));
    let options = Options {
        scenario: Some(Arc::new(Scenario { galaxy, framed })),
        last_turn: Some(12),
        automatic_victory: Some(true),
        ..Options::default()
    };
    let message = StarEmpires::write_options(&options);
    assert_eq!(StarEmpires::read_options(&message).unwrap(), options);
    assert_eq!(StarEmpires::read_options(&proto::Options::default()).unwrap(), Options::default());
}

#[test]
fn sheets_have_limits() {
    let line = |count: usize| {
        let ships = vec!["a".to_owned(); count];
        proto::Line { kind: Some(proto::line::Kind::Unload(proto::Unload { ships })) }
    };
    let read = |lines: Vec<proto::Line>| {
        let kind = proto::order::Kind::Sheet(proto::Sheet { lines, ..proto::Sheet::default() });
        StarEmpires::read_order(&proto::Order { kind: Some(kind) })
    };
    assert!(read(vec![line(1); 5_000]).is_ok());
    assert_eq!(read(vec![line(1); 5_001]).unwrap_err().field, "sheet.lines");
    assert_eq!(read(vec![line(10_001); 5]).unwrap_err().field, "sheet");
    assert_eq!(read(vec![line(0)]).unwrap_err().field, "sheet.lines[0].unload.ships");
    let far = proto::Sector { oblique: 0, y: i32::MIN };
    let at = proto::Spot { kind: Some(proto::spot::Kind::Sector(far)) };
    let ships = proto::Selection { ships: vec!["a".into()], ..proto::Selection::default() };
    let fly = proto::line::Kind::Move(proto::Move { ships: Some(ships), to: Some(at) });
    assert_eq!(
        read(vec![proto::Line { kind: Some(fly) }]).unwrap_err().field,
        "sheet.lines[0].move.to.sector.y"
    );
}

#[test]
fn a_selection_is_ships_or_a_place_and_never_empty() {
    let order = Order::Sheet(Sheet::of(vec![Line::Destruct {
        ships: Selection::All { at: Spot::At(Coord::new(-3, 4)), except: vec![name("Mule")] },
    }]));
    let message = StarEmpires::write_order(&order);
    assert_eq!(StarEmpires::read_order(&message), Ok(order));
    let mut broken = message;
    let Some(proto::order::Kind::Sheet(sheet)) = &mut broken.kind else { panic!("it is a sheet") };
    let Some(proto::line::Kind::Destruct(line)) = &mut sheet.lines[0].kind else {
        panic!("it is this line")
    };
    line.ships.as_mut().unwrap().ships.push("Lion".into());
    assert_eq!(
        StarEmpires::read_order(&broken).unwrap_err().field,
        "sheet.lines[0].destruct.ships"
    );
}

#[test]
fn every_reason_has_the_same_name_on_both_sides() {
    for reason in Reason::ALL {
        let number = reason.write();
        let theirs = proto::Reason::try_from(number).unwrap().as_str_name();
        assert_eq!(
            theirs,
            format!("REASON_{}", reason.as_str().to_ascii_uppercase().replace('-', "_"))
        );
        assert_eq!(Reason::read(&number), Ok(reason));
    }
    assert!(Reason::read(&0).is_err() && Reason::read(&55).is_err() && Reason::read(&-1).is_err());
}

#[test]
fn lists_and_entries_name_the_field_at_fault() {
    let list = ["a".to_owned(), "b-c".to_owned()];
    assert_eq!(fields::some_names::read(&list).unwrap_err().field, "[1]");
    assert_eq!(fields::some_names::read(&[]).unwrap_err().message, "expected at least one name");
    let far = proto::Sector { oblique: 40_000, y: 0 };
    assert_eq!(
        Coord::read(&far).unwrap_err().to_string(),
        "oblique: 40000 is too far out; the maximum distance from the center is 10000 sectors"
    );
    assert!(fields::seats::read(&[1; 61]).is_err());
    assert_eq!(
        fields::seats::read(&[1, 61]).unwrap_err().to_string(),
        "[1]: expected an empire from 1 to 60, found 61"
    );
}

/// The lists of maps, views and galaxies may be longer than other lists.
#[test]
fn the_largest_galaxy_reads_back() {
    let sectors = (0..20_000).map(|at| proto::Sector { oblique: at % 200, y: at / 200 });
    let seen = |at| proto::SectorSeen { at: Some(at), status: 1, ..proto::SectorSeen::default() };
    let set =
        proto::Chart { sectors: sectors.clone().map(seen).collect(), ..proto::Chart::default() };
    let chart = Some(proto::ChartChange { changed: sectors.collect(), set: Some(set) });
    let ships_gone = (0..20_000)
        .map(|number| Serial::new("KR".parse::<Code>().unwrap(), number).write())
        .collect();
    let change = proto::KnownChange { chart, ships_gone, ..proto::KnownChange::default() };
    let read = KnownChange::read(&change).unwrap();
    assert_eq!(
        (read.chart.changed.len(), read.chart.set.sectors.len(), read.ships_gone.len()),
        (20_000, 20_000, 20_000)
    );
    let line = proto::line::Kind::Unload(proto::Unload { ships: vec!["a".into(); 20_000] });
    assert!(Line::read(&proto::Line { kind: Some(line) }).is_ok());
}

fn orders() -> Vec<Order> {
    let mut orders = parse_master(MASTER_LINES).unwrap();
    orders.push(Order::Sheet(parse_sheet(LINES).unwrap()));
    orders
}

#[test]
fn every_order_reads_back() {
    for order in orders() {
        assert_eq!(StarEmpires::read_order(&StarEmpires::write_order(&order)), Ok(order));
    }
}

/// Changes bytes of an encoded message and decodes it again. Returns `None` if decoding fails.
fn mangled<M: prost::Message + Default>(message: &M, changes: &[(usize, u8)]) -> Option<M> {
    let mut bytes = message.encode_to_vec();
    for &(at, byte) in changes {
        let length = bytes.len();
        bytes[at % length] = byte;
    }
    M::decode(bytes.as_slice()).ok()
}

proptest! {
    #![proptest_config(heliopause_testing::cases(400))]

    /// `tests/fuzzing` covers messages of every kind. This test also writes orders as text.
    #[test]
    fn any_valid_order_message_round_trips_as_text(changes in prop::collection::vec((any::<usize>(), any::<u8>()), 1..4)) {
        for order in orders() {
            if let Some(message) = mangled(&StarEmpires::write_order(&order), &changes)
                && let Ok(mut read) = StarEmpires::read_order(&message)
            {
                if let Order::Sheet(sheet) = &mut read {
                    sheet.unreadable_lines.clear();
                }
                let text = crate::text::notate(&read);
                let again = match read {
                    Order::Sheet(_) => parse_sheet(&text).map(Order::Sheet),
                    Order::Master(_) => parse_master(&text).map(|mut orders| orders.remove(0)),
                };
                prop_assert_eq!(again, Ok(read), "{}", text);
            }
        }
    }
}
