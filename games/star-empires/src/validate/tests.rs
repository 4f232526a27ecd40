//! Notes 4.1 to 4.3: tests of the check at submission. Empire 1 is KRATOS, in contact with
//! CULTURE, whose ships are near the portal Charon. KRATOS has not heard of HIDDEN.

use heliopause_kernel::{Actor, Dice, Game, Seat, SeatSet};

use crate::class::Class;
use crate::master::MasterOrder;
use crate::order::{Line, Order, Sheet};
use crate::position::StarEmpires;
use crate::reason::{Reason, Verdict};
use crate::ship::Ship;
use crate::testing::{checked, name, scene};
use crate::text::parse_sheet;

const KRATOS: usize = 0;

fn game() -> StarEmpires {
    let game = scene("KRATOS").game;
    assert_eq!(game.integrity(), Ok(()));
    game
}

fn ship<'a>(game: &'a mut StarEmpires, ship: &str) -> &'a mut Ship {
    game.galaxy.ships.iter_mut().find(|other| other.name == name(ship)).unwrap()
}

#[test]
fn handles_are_own_live_ships_by_name_or_serial_number_in_any_case() {
    let mut game = game();
    let mut serial = |name: &str| ship(&mut game, name).serial;
    let (own, wolf, ghost) = (serial("Lion"), serial("Wolf"), serial("Ghost"));
    let own = own.as_str().to_lowercase();
    let told = checked(&game, &format!("MOVE {own} TO (1,0); UNLOAD {wolf}; UNLOAD {ghost}"));
    assert_eq!(told, ["+", &format!("!{wolf} not-yours"), &format!("!{ghost} unknown-name")]);
}

#[test]
fn a_sheet_without_valid_lines_is_refused_and_erases_nothing() {
    let mut game = game();
    let submit = |game: &mut StarEmpires, text: &str| {
        let order = Order::Sheet(parse_sheet(text).unwrap());
        game.submit(Actor::Seat(Seat::at(KRATOS)), order, &mut Dice::new([0; 32]))
    };
    submit(&mut game, "UNLOAD Nobody\nMOVE Lion TO (1,0)").unwrap();
    let stored = game.sheets[KRATOS].clone().unwrap();
    assert!(matches!(stored.lines[..], [Line::Move { .. }]));
    let refusal = submit(&mut game, "UNLOAD Nobody\nUNLOAD Wolf").unwrap_err();
    assert_eq!((refusal.reason.as_ref(), refusal.rule.as_ref()), ("unknown-name", "6.2.1"));
    assert_eq!(game.sheets[KRATOS].as_ref(), Some(&stored));
    submit(&mut game, "").unwrap();
    assert_eq!(game.sheets[KRATOS].as_ref().unwrap().lines, []);
}

#[test]
fn notes_4_1_only_the_unreadable_line_is_rejected() {
    let game = game();
    let seat = Seat::at(KRATOS);
    let sheet = |text: &str| parse_sheet(text).unwrap();
    let text = "FIRE Lion\nMOVE Lion TO (1,0)\nMOVE Nobody TO (1,0)\nPOOL\nPOOL Alpha";
    let (stored, checks) = game.check_sheet(seat, &sheet(text)).unwrap();
    assert_eq!((stored.lines.len(), stored.unreadable_lines.len()), (2, 0));
    let verdicts: Vec<_> =
        checks.iter().map(|check| (check.line, check.verdict, check.fault.is_some())).collect();
    let (good, bad) = (Verdict::Accepted, Verdict::Rejected);
    assert_eq!(
        verdicts,
        [(0, bad, true), (1, good, false), (2, bad, false), (3, bad, true), (4, good, false)]
    );
    let fault = checks[3].fault.as_ref().unwrap();
    assert_eq!((fault.line, fault.column, checks[3].remarks[0].reason), (4, 5, Reason::Syntax));
    let refused = |text: &str| game.check_sheet(seat, &sheet(text)).unwrap_err();
    let strict = refused(&format!("{text}\nSTRICT"));
    assert_eq!(
        (strict.reason.as_ref(), strict.message.contains("line 1, column")),
        ("syntax", true),
        "{strict:?}"
    );
    let strict = refused("STRICT\nMOVE Lion TO (1,0)\nMOVE Nobody TO (1,0)");
    assert_eq!(strict.reason, "unknown-name");
    assert!(game.check_sheet(seat, &sheet("STRICT\nPOOL Alpha")).is_ok());
}

#[test]
fn keywords_are_allowed_as_ship_names() {
    let mut game = game();
    ship(&mut game, "Lion").name = name("TO");
    ship(&mut game, "Tiger").name = name("7");
    game.galaxy.compact_ships();
    let text = "MOVE \"TO\" 7 TO (1,0)\nREPAIR \"TO\" 3 Alpha\nREPAIR 7 3 Alpha";
    let sheet = parse_sheet(text).unwrap();
    assert_eq!(sheet.to_string(), text);
    assert_eq!(checked(&game, text), ["+", "?TO no-damage", "?7 no-damage"]);
}

#[test]
fn hidden_state_changes_no_answer_and_no_offer() {
    let game = game();
    let mut other = game.clone();
    // The other galaxy differs only in facts that KRATOS does not know.
    other.galaxy.portals[2].name = name("Elsewhere");
    other.galaxy.empires[2].name = name("SHADOW");
    ship(&mut other, "Ghost").name = name("Spectre");
    other.galaxy.ships.retain(|ship| ship.name != name("Spectre"));
    other
        .galaxy
        .classes
        .push(Class { name: name("dread"), ..*game.galaxy.class(crate::ids::ClassId(1)) });
    let lines = "MOVE Lion TO Secret; MOVE Lion TO Elsewhere; FIRE Lion AT HIDDEN; FIRE Lion AT SHADOW; \
        UNLOAD Ghost; BUILD Alpha 1 dread; GIVE dread TO CU; DESIGN Alpha dread scout 1 1 3 3 0; \
        TRAVERSE Dove THROUGH Charon Secret; MOVE Lion TO (9,9); DESTRUCT (9,9)";
    assert_eq!(checked(&game, lines), checked(&other, lines));
    assert_eq!(game.offers_of(Seat::at(KRATOS)), other.offers_of(Seat::at(KRATOS)));
}

#[test]
fn nothing_is_offered_when_the_game_is_over() {
    let mut game = game();
    assert!(game.offers_of(Seat::at(63)).list.is_empty());
    game.ending = Some(crate::position::Ending { winners: SeatSet::EMPTY, last_turn: true });
    assert!(game.offers_of(Seat::at(KRATOS)).list.is_empty());
}

#[test]
fn dry_runs_exclude_game_master_orders_and_other_empires() {
    let game = game();
    let (sheet, apply) = (Order::Sheet(Sheet::default()), Order::Master(MasterOrder::ApplyNow));
    for (by, order) in [
        (Actor::GameMaster, &apply),
        (Actor::GameMaster, &sheet),
        (Actor::Seat(Seat::at(7)), &sheet),
        (Actor::Seat(Seat::at(KRATOS)), &apply),
    ] {
        assert_eq!(game.preview(by, order), None);
    }
}
