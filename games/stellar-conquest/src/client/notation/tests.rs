//! Tests that every form of the notation round-trips.

use heliopause_kernel::{Game, Seat, Viewer};

use crate::state::{Order, StellarConquest, View};
use crate::testing::Scene;

fn view() -> View {
    Scene::conquest(2).game.view(Viewer::Seat(Seat::at(0)))
}

/// Every form of an order in canonical notation.
pub(crate) const LINES: [&str; 51] = [
    "setup",
    "setup 1 corvette; 2 scouts; 5 into industry; 1 into cet",
    "commission 10 corvettes; 10 scouts; speed3; industry",
    "commission mb; cet",
    "standing fire ask stay ask scouts stay transports stay refuge ask scuttle ask",
    "standing fire spread stay while-more scouts leave transports stay refuge away scuttle \
     when-lost",
    "standing fire hold stay while-no-fewer scouts stay transports leave refuge ask scuttle never",
    "standing fire focus stay never scouts stay transports stay refuge ask scuttle ask",
    "watch Alcor 1 ask",
    "watch Alcor 3 always",
    "look 3",
    "pass 3",
    "recall #1-3,8",
    "move #7,1-4",
    "move #1-4,7 via P17 P16 to Sadir avoid Lupi Hydrae clouds lose",
    "move #2 via AA9",
    "move #2 to Wezen lose",
    "form #1-4 3",
    "form #1 loose",
    "post Lalande",
    "unpost Lalande",
    "end movement",
    "end turn",
    "fight P18",
    "aim 0>5 1>5",
    "hold",
    "withdraw 3 4 to Sadir",
    "withdraw 3",
    "withdraw to Sadir",
    "stay",
    "send Q19",
    "attack Sadir 1 2",
    "attack Sadir 1 Lupi 2",
    "break",
    "scuttle none",
    "scuttle Sadir 1 5 Sadir 2 1",
    "raze Sadir 1 5",
    "kill Sadir 1 3",
    "land #5-9 Sadir 1",
    "produce",
    "produce Alcor 1: emigrate 12+4; 1 fighter; 14 into deathstar | Sadir 2: evacuate | posts \
     Alcor Sadir | grant 5 into speed3",
    "produce posts none",
    "produce Alcor 1:",
    "produce Alcor 1: 2 factories; 1 missile-base; 3 advanced-bases; 1 shield; 1 death-star; 2 \
     transports",
    "raid Sadir 2 #3-4",
    "raid Sadir 2 #3-4 via P17 O16",
    "place P17 to Sadir",
    "place P17",
    "decree",
    "decree Alcor 2: spend 30; 1 shield; 2 fighters | Alcor 2: | posts Alcor Sadir",
    "decree posts none",
];

#[test]
fn every_form_round_trips() {
    let view = view();
    for line in LINES {
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
    view.table.stage = crate::state::table::Stage::Planets;
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
