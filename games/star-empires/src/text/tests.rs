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
pub(crate) const LINES: &str = include_str!("examples.txt");

/// The examples of notes 12.1, and the other forms of the same orders.
pub(crate) const MASTER_LINES: &str = include_str!("master_examples.txt");

#[test]
fn every_form_of_a_line_round_trips() {
    for text in LINES.lines() {
        assert_eq!(line(text).to_string(), text);
    }
    assert_eq!(parse_sheet(LINES).unwrap().to_string(), LINES.trim_end());
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
    for case in include_str!("faults.txt").lines() {
        let parts: Vec<&str> = case.splitn(3, '|').collect();
        let [column, expected, text] = parts[..] else { panic!("{case}") };
        let sheet = parse_sheet(&format!("UNLOAD Lion\n\n{text}")).expect("the other line counts");
        let fault = &sheet.unreadable_lines[0].fault;
        assert_eq!((sheet.lines.len(), sheet.unreadable_lines.len()), (1, 1), "{text}");
        assert_eq!((fault.line, fault.column.to_string().as_str()), (3, column), "{text}: {fault}");
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
    for text in MASTER_LINES.lines() {
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
