//! Tests that every form of the notation round-trips. The file `forms.txt` lists the forms in
//! canonical notation.

use heliopause_kernel::{Game, Seat, Viewer};

use crate::state::{Order, Stage, StellarConquest, View};
use crate::testing::Scene;

fn view() -> View {
    Scene::conquest(2).game.view(Viewer::Seat(Seat::at(0)))
}

#[test]
fn every_form_round_trips() {
    let view = view();
    for line in include_str!("forms.txt").lines() {
        let orders =
            StellarConquest::parse(&view, line).unwrap_or_else(|fault| panic!("{line}: {fault}"));
        let [order] = &orders[..] else { panic!("{line}: one order") };
        assert_eq!(StellarConquest::notate(order), line);
        let loud = format!("\n   {}  // why\n\n", line.to_uppercase());
        assert_eq!(StellarConquest::parse(&view, &loud).as_ref(), Ok(&orders), "{loud}");
    }
}

#[test]
fn end_means_the_current_step() {
    let mut view = view();
    assert_eq!(StellarConquest::parse(&view, "end"), Ok(vec![Order::EndMovement]));
    view.table.stage = Stage::Planets;
    assert_eq!(StellarConquest::parse(&view, "end"), Ok(vec![Order::EndTurn]));
}

#[test]
fn errors_give_line_and_column() {
    let view = view();
    for (text, line, column) in [
        ("end turn\nmove 1 to Sadir", 2, 6),
        ("move #1 to Sol", 1, 12),
        ("move #0", 1, 6),
        ("move #4-1", 1, 6),
        ("move #1-4000000000", 1, 6),
        ("fight P99", 1, 7),
        ("attack Sadir 4", 1, 14),
        ("attack Sadir", 1, 13),
        ("aim 0>70000", 1, 5),
        ("land #1 Sadir 1 2", 1, 17),
        ("form #1 16", 1, 9),
        ("produce Alcor 1 emigrate 2", 1, 17),
        ("produce Alcor 1: 3 into warp", 1, 25),
        ("setup 3 factories", 1, 9),
        ("commission speed3", 1, 18),
        ("dance", 1, 1),
    ] {
        let fault = StellarConquest::parse(&view, text).unwrap_err();
        assert_eq!((fault.line, fault.column), (line, column), "{text}: {fault}");
    }
}

#[test]
fn alternative_notations_are_equivalent() {
    let view = view();
    let read = |text: &str| {
        StellarConquest::parse(&view, text).unwrap_or_else(|fault| panic!("{text}: {fault}"))
    };
    for (other, usual) in [
        ("recall #1,#2,#3", "recall #1-3"),
        ("aim 0,1,4>5,6,5", "aim 0>5 1>6 4>5"),
        ("withdraw 3 to Sadir; 4 stay; 5 to Lupi", "withdraw 3 to Sadir; 5 to Lupi"),
        ("withdraw 3 stay; 4 5 stay", "stay"),
        ("produce Alcor 1: 2 scout-pairs; 1 scout", "produce Alcor 1: 4 scouts; 1 scout"),
        ("setup 1 scout-pair; 3 corvettes", "setup 3 corvettes; 2 scouts"),
        (
            "decree Alcor 1: spend 30\ndecree posts none\ndecree Sadir 2: 1 fighter",
            "decree Alcor 1: spend 30 | Sadir 2: 1 fighter | posts none",
        ),
        (
            "produce Alcor 1: 5 into cet\nproduce Sadir 2: evacuate\nproduce Alcor 1: emigrate \
             6+2\nproduce Alcor 1: 1 fighter\nproduce grant 3 into cet",
            "produce Alcor 1: emigrate 6+2; 5 into cet; 1 fighter | Sadir 2: evacuate | grant 3 \
             into cet",
        ),
    ] {
        assert_eq!(read(other), read(usual), "{other}");
    }
    assert_eq!(read("produce Alcor 1: 1 scout\nend movement\nproduce Alcor 1: 1 fighter").len(), 2);
}

#[test]
fn repeated_sheet_entries_are_rejected() {
    let view = view();
    for text in [
        "produce posts none\nproduce posts Alcor",
        "decree posts none\ndecree posts none",
        "produce Alcor 1: emigrate 6\nproduce Alcor 1: emigrate 3+1",
    ] {
        let fault = StellarConquest::parse(&view, text).unwrap_err();
        assert_eq!((fault.line, fault.column), (2, 1), "{text}: {fault}");
    }
    assert_eq!(StellarConquest::parse(&view, "aim 0,1>5").unwrap_err().column, 5);
}
