//! Tests of the reader and writer of orders.

use proptest::prelude::*;

use heliopause_kernel::Wire as _;

use super::{notate, parse_master, parse_sheet};
use crate::geometry::Coord;
use crate::name::Name;
use crate::order::{Amount, Crews, Line, Naming, Order, Scans, Selection, Sense, Spot};
use crate::position::StarEmpires;
use heliopause_testing::cases;

fn name(text: &str) -> Name {
    Name::new(text).unwrap()
}

fn line(text: &str) -> Line {
    parse_sheet(text).unwrap().lines.remove(0)
}

/// The examples of notes 4.3, and the other forms of the same orders.
pub(crate) const LINES: [&str; 42] = [
    "UNLOAD Hawk1 Hawk2",
    "LOAD Hawk1 nuke3 ONTO Mule",
    "DESTRUCT (2,-1) EXCEPT Mule",
    "DESTRUCT @Ember",
    "DESTRUCT Lion",
    "FIRE ASC Lion nuke3 AT KRATOS",
    "FIRE Lion AT KRATOS CU",
    "FIRE (0,0) AT KRATOS",
    "TRANSMIT Charon Styx TO KRATOS",
    "MOVE @Ember EXCEPT Lion TO (3,1)",
    "MOVE Lion Tiger TO @Ember",
    "TRAVERSE Dove THROUGH Charon Styx",
    "TRAVERSE (1,-1) THROUGH Charon",
    "DESIGN Alpha frigate gunship 20 15 4 2 0",
    "DESIGN Alpha lance missile 20 3",
    "GIVE frigate lance TO KRATOS CU",
    "BUILD Alpha 3 frigate fox*",
    "BUILD Alpha MAX frigate",
    "BUILD Alpha 2 frigate Lion Tiger",
    "REPAIR Lion 12 Alpha Beta",
    "REPAIR Lion MAX Alpha",
    "TOGGLE PUBLIC @probe",
    "TOGGLE PRIVATE ALL",
    "CONCEAL ALL FROM KRATOS",
    "CONCEAL Lion FROM KRATOS",
    "IDENTIFY Lion @probe TO KRATOS",
    "POOL Alpha EXCEPT Beta",
    "POOL Alpha",
    "TRANSFER Alpha 6 Gamma KRATOS",
    "TRANSFER Alpha MAX Gamma",
    "DENY ALL TO KRATOS",
    "DENY (1,2) @Ember TO KRATOS",
    "AUTHORIZE CLASS probe TO KRATOS",
    "AUTHORIZE Lion Tiger TO KRATOS",
    "AUTHORIZE (1,2) (-3,-4) TO KRATOS",
    "LOAD \"onto\" Ant ONTO \"ONTO\"",
    "FIRE \"asc\" 12 AT \"at\"",
    "TOGGLE PUBLIC \"ALL\"",
    "DENY \"class\" TO KRATOS",
    "REPAIR \"MAX\" MAX \"max\"",
    "BUILD 7 3 gunship \"to\"*",
    "UNLOAD move KRa1b2c",
];

/// The examples of notes 12.1, and the other forms of the same orders.
pub(crate) const MASTER_LINES: [&str; 32] = [
    "REMOVEOBJECT world Alpha Beta",
    "REMOVEOBJECT portal Styx",
    "REMOVESHIP KRATOS Lion Tiger",
    "REMOVECONNECTION Charon Styx",
    "RELOCATEOBJECT storm Foo (3,-2)",
    "RELOCATESHIP KRATOS Lion TO (0,0)",
    "ADDWORLD (1,2) Gamma 5 10 KRATOS",
    "ADDWORLD (1,2) Gamma 5 10",
    "ADDPORTAL (1,2) Styx COLLAPSED 3",
    "ADDPORTAL (1,2) Styx",
    "ADDCONNECTION Charon Styx",
    "ADDSTORM (1,2) Foo 5 CYCLE -3 -2 2 3",
    "ADDSTORM (1,2) Foo 5 RANDOM",
    "ADDSTORM (1,2) Foo 0 CONSTANT",
    "ADDSHIP (1,2) KRATOS 2 gunship 10 PUBLIC a b",
    "ADDSHIP (1,2) KRATOS 2 gunship 10 PRIVATE fox*",
    "ADDSHIPCLASS dread orbital 1 2 3 4 5 TONNAGE 6 COST 7 UNBUILDABLE",
    "ADDSHIPCLASS dread capital_ship 1 2 3 4 5",
    "MODIFYWORLD Alpha 5 6 NONE",
    "MODIFYWORLD Alpha 5 6 \"NONE\"",
    "MODIFYWORLD Alpha 5 6",
    "MODIFYSTORM Foo 5",
    "MODIFYSTORM Foo 5 CONSTANT",
    "MODIFYSHIP KRATOS Lion 3 PRIVATE",
    "COLLAPSE Styx 2",
    "REMOVEKNOWN navdata Styx FROM KRATOS CU",
    "ADDKNOWN shipclass frigate TO KRATOS",
    "ADDKNOWN contact CU TO KRATOS",
    "WITHDRAW 2",
    "APPLY NOW",
    "ALLIANCES KRATOS CU / AB CD",
    "ALLIANCES",
];

#[test]
fn every_form_of_a_line_round_trips() {
    for text in LINES {
        assert_eq!(line(text).to_string(), text);
    }
    let all = LINES.join("\n");
    assert_eq!(parse_sheet(&all).unwrap().to_string(), all);
}

#[test]
fn case_blanks_and_comments_are_ignored() {
    let sheet = parse_sheet(
        "# turn 3\r\n\r\n  move  Lion to ( 3 , -1 )# home\n\tmove Lion TO 3,-1\nMoVe \
            Lion tO (+3,-1)",
    )
    .unwrap();
    let expected =
        Line::Move { ships: Selection::Ships(vec![name("lion")]), to: Spot::At(Coord::new(3, -1)) };
    assert_eq!(sheet.lines, vec![expected; 3]);
    assert_eq!(parse_sheet("").unwrap().lines, []);
    assert_eq!(line("move Lion to Ember"), line("MOVE Lion TO @Ember"));
    assert_eq!(line("unload \"The Ant\""), line("UNLOAD The_Ant"));
}

#[test]
fn lines_parse_to_the_expected_orders() {
    let lion = || Selection::Ships(vec![name("Lion")]);
    assert_eq!(
        line("fire desc Lion at CU"),
        Line::Fire { sense: Sense::Descending, ships: lion(), at: vec![name("CU")] }
    );
    assert_eq!(
        line("build Alpha max gunship a b"),
        Line::Build {
            world: name("Alpha"),
            count: Amount::Max,
            class: name("gunship"),
            naming: Naming::Listed(vec![name("a"), name("b")]),
        }
    );
    let crews = Crews::Some { ships: vec![name("Lion")], classes: vec![name("probe")] };
    assert_eq!(
        line("identify @probe Lion to CU"),
        Line::Identify { ships: crews, to: vec![name("CU")] }
    );
    let scans = Scans::Places(vec![Spot::At(Coord::new(-1, 2)), Spot::Object(name("Ember"))]);
    assert_eq!(
        line("authorize -1,2 @Ember to CU"),
        Line::Authorize { scans, to: vec![name("CU")] }
    );
}

#[test]
fn errors_have_line_column_and_expectation() {
    let cases = [
        ("MOVE Lion (3,1)", 11, "TO"),
        ("MOVE Lion TO", 13, "a sector, world"),
        ("MOVE TO (3,1)", 6, "a sector, an object"),
        ("MOVE Lion TO (3 1)", 17, "a comma"),
        ("MOVE Lion TO (3,1", 18, "a closing parenthesis"),
        ("MOVE Lion TO (40000,1)", 21, "coordinates from"),
        ("MOVE Lion TO (3,1) now", 20, "the end of the line"),
        ("FLY Lion TO (3,1)", 1, "an order: UNLOAD"),
        ("LOAD Lion", 10, "a ship or ONTO"),
        ("LOAD Lion ONTO", 15, "a carrier"),
        ("FIRE Lion TO KRATOS", 11, "AT"),
        ("BUILD Alpha 0 frigate", 13, "a number of 1 or more"),
        ("BUILD Alpha three frigate", 13, "a number or MAX"),
        ("DESIGN Alpha x cruiser 1 1 1 1 1", 16, "a hull"),
        ("DESIGN Alpha x gunship 1 1 1 1", 31, "racks"),
        ("DESIGN Alpha x gunship 70000 1 1 1 1", 24, "guns up to 65535"),
        ("TOGGLE Lion", 8, "PUBLIC or PRIVATE"),
        ("TOGGLE PUBLIC", 14, "ALL, ship names"),
        ("UNLOAD abcdefghijklmnopqrstuvwxyz", 8, "1 to 25 letters"),
        ("UNLOAD \"Lion", 8, "a closing"),
        ("UNLOAD Lï", 9, "a name, a number or a sector"),
        ("UNLOAD", 7, "a ship"),
        ("é", 1, "a name, a number or a sector"),
    ];
    for (text, column, expected) in cases {
        let sheet = parse_sheet(&format!("UNLOAD Lion\n\n{text}")).expect("the other line counts");
        let fault = &sheet.unreadable_lines[0].fault;
        assert_eq!((sheet.lines.len(), sheet.unreadable_lines.len()), (1, 1), "{text}");
        assert_eq!((fault.line, fault.column), (3, column), "{text}: {fault}");
        assert!(fault.message.contains(expected), "{text}: {fault}");
    }
}

#[test]
fn a_text_has_the_limits_of_a_sheet() {
    assert!(parse_sheet(&"UNLOAD a\n".repeat(5_000)).is_ok());
    assert_eq!(parse_sheet(&"UNLOAD a\n".repeat(5_001)).unwrap_err().line, 5_001);
    let long = format!("UNLOAD{}\n", " a".repeat(25_000));
    assert_eq!(parse_sheet(&long.repeat(3)).unwrap_err().line, 3);
}

#[test]
fn notes_12_game_master_orders_round_trip() {
    for text in MASTER_LINES {
        let read = parse_master(text).unwrap();
        assert_eq!(notate(&read[0]), text);
    }
    let slips = [
        ("WITHDRAW 0", 10, "1 or more"),
        ("ADDWORLD (20000,0) x 1 1", 10, "at most 10000"),
        ("ADDSTORM (1,2) Foo 5 CYCLE", 27, "1 to 100 steps"),
        ("ALLIANCES a /", 14, "an empire"),
        ("MOVE Lion TO (1,1)", 1, "an order of the game master"),
        ("REMOVEOBJECT ship Lion", 14, "world, portal or storm"),
    ];
    for (text, column, expected) in slips {
        let fault = parse_master(text).unwrap_err();
        assert_eq!((fault.line, fault.column), (1, column), "{text}: {fault}");
        assert!(fault.message.contains(expected), "{text}: {fault}");
    }
}

#[test]
fn notes_4_1_unreadable_lines_are_recorded_and_the_others_count() {
    let sheet = parse_sheet("UNLOAD Hawk\n\nMOVE Lion TO\nPOOL Alpha # all of it\nDANCE").unwrap();
    assert_eq!(sheet.lines.len(), 2);
    let places: Vec<_> = sheet
        .unreadable_lines
        .iter()
        .map(|unread| (unread.readable_before, unread.fault.line, unread.fault.column))
        .collect();
    assert_eq!(places, [(1, 3, 13), (2, 5, 1)]);
    assert!(
        sheet.unreadable_lines[0].fault.message.starts_with("expected a sector"),
        "{:?}",
        sheet.unreadable_lines
    );
    let order = Order::Sheet(sheet);
    assert_eq!(StarEmpires::read_order(&StarEmpires::write_order(&order)), Ok(order));
    let fault = parse_sheet("MOVE Lion TO\nDANCE").unwrap_err();
    assert_eq!((fault.line, fault.column), (1, 13), "of nothing that can be read no sheet is made");
}

#[test]
fn a_strict_sheet_round_trips() {
    let sheet = parse_sheet("POOL Alpha\nstrict").unwrap();
    assert!(sheet.strict && sheet.lines.len() == 1);
    assert_eq!(sheet.to_string(), "STRICT\nPOOL Alpha");
    assert!(!parse_sheet("POOL Strict").unwrap().strict, "elsewhere it is a name");
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC{0,80}") {
        let _ = parse_sheet(&text);
        let _ = parse_master(&text);
    }

    #[test]
    fn orders_read_from_shuffled_words_round_trip(
        words in prop::collection::vec(prop::sample::select(vec![
            "MOVE", "FIRE", "LOAD", "BUILD", "DENY", "TOGGLE", "ADDSTORM", "ADDKNOWN", "TO", "AT", "ONTO", "EXCEPT", "ALL",
            "CLASS", "MAX", "(1,-2)", "3,4", "@Ember", "Lion", "\"to\"", "*", "/", "12", "-3", "world", "CYCLE", "NONE",
        ]), 0..10),
    ) {
        let text = words.join(" ");
        if let Ok(sheet) = parse_sheet(&text) {
            prop_assert_eq!(parse_sheet(&sheet.to_string()), Ok(sheet));
        }
        for order in parse_master(&text).unwrap_or_default() {
            prop_assert_eq!(parse_master(&notate(&order)), Ok(vec![order]));
        }
    }
}
