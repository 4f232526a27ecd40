//! A dry run tells what becomes of each line, and changes nothing.

use crate::play;

use heliopause_kernel::{Actor, Game, Seat, Viewer};
use heliopause_star_empires::{
    Check, Event, Line, MasterOrder, Options, Order, Reason, Selection, Sheet, Spot, StarEmpires,
    Verdict,
};
use play::{Chance, Watched, name, options, sheet};
use proptest::prelude::*;

fn game() -> Watched {
    Watched::new(3, 2, Options::default())
}

/// What is foretold of the lines that this text holds, for seat 1.
fn foretold(game: &StarEmpires, text: &str) -> (Sheet, Vec<Check>) {
    let seat = Seat::at(0);
    let orders = StarEmpires::parse(&game.view(Viewer::Seat(seat)), text).expect("it can be read");
    match game.foretell(Actor::Seat(seat), &orders[0]) {
        Some(Event::SheetStored { sheet, checks }) => (sheet, checks),
        other => panic!("{other:?} is foretold of {text}"),
    }
}

#[test]
fn each_line_is_told_whether_it_is_accepted_warned_of_or_rejected_and_why() {
    let watched = game();
    let own = watched.own(Seat::at(0));
    let (home, base) =
        (own.status.homeworld.expect("an empire starts with one"), own.ships[0].serial);
    let text = format!(
        "BUILD {home} 1 probe eye1\nBUILD {home} 99 battleship\nDESTRUCT {base}\nMOVE nobody TO \
         (1,1)"
    );
    let (sheet, checks) = foretold(&watched.game, &text);
    let verdicts: Vec<Verdict> = checks.iter().map(|check| check.verdict).collect();
    assert_eq!(
        verdicts,
        [Verdict::Accepted, Verdict::Warned, Verdict::Rejected, Verdict::Rejected]
    );
    assert_eq!(checks.iter().map(|check| check.line).collect::<Vec<_>>(), [0, 1, 2, 3]);
    let reasons: Vec<Vec<Reason>> = checks
        .iter()
        .map(|check| check.remarks.iter().map(|remark| remark.reason).collect())
        .collect();
    assert_eq!(
        reasons,
        [vec![], vec![Reason::NoFunds], vec![Reason::IsStarbase], vec![Reason::UnknownName]]
    );
    assert_eq!(sheet.lines.len(), 2, "what is rejected is on no sheet");
}

#[test]
fn a_sheet_that_is_refused_as_a_whole_is_foretold_line_by_line_too() {
    let watched = game();
    let nobody = Selection::Ships(vec![name("nobody")]);
    let line = Line::Move { ships: nobody, to: Spot::Object(name("nowhere")) };
    let order = Order::Sheet(Sheet::of(vec![line; 3]));
    let actor = Actor::Seat(Seat::at(0));
    assert!(watched.game.judge(actor, &order).is_err());
    let Some(Event::SheetStored { sheet, checks }) = watched.game.foretell(actor, &order) else {
        panic!("nothing is foretold");
    };
    assert!(sheet.lines.is_empty());
    assert_eq!(checks.len(), 3);
    assert!(
        checks.iter().all(|check| check.verdict == Verdict::Rejected && !check.remarks.is_empty())
    );
}

#[test]
fn nothing_is_foretold_of_the_game_masters_orders_nor_to_one_for_another() {
    let watched = game();
    let sheet = Order::Sheet(Sheet::default());
    assert_eq!(
        watched.game.foretell(Actor::GameMaster, &Order::Master(MasterOrder::ApplyNow)),
        None
    );
    assert_eq!(watched.game.foretell(Actor::GameMaster, &sheet), None);
    assert_eq!(watched.game.foretell(Actor::Seat(Seat::at(7)), &sheet), None);
    assert_eq!(
        watched.game.foretell(Actor::Seat(Seat::at(0)), &Order::Master(MasterOrder::ApplyNow)),
        None
    );
}

proptest! {
    #![proptest_config(heliopause_testing::cases(12))]

    /// What is foretold is what is told when the order is given, and asking for it leaves the game
    /// as it is.
    #[test]
    fn what_is_foretold_comes_true(number in any::<u64>(), empires in 2_usize..=4) {
        let mut chance = Chance(number);
        let options = options(&mut chance);
        let mut watched = Watched::new(number, empires, options);
        for _ in 0..5 {
            if watched.game.outcome().is_some() {
                break;
            }
            for seat in Seat::first(empires) {
                let order = Order::Sheet(sheet(&mut chance, watched.own(seat)));
                let before = watched.game.clone();
                let foretold = watched.game.foretell(Actor::Seat(seat), &order);
                prop_assert!(foretold.is_some() && before == watched.game);
                let mut game = before;
                if let Ok(told) = game.submit(Actor::Seat(seat), order, &mut watched.dice) {
                    let told: Vec<&Event> = told.to(Viewer::Seat(seat)).collect();
                    prop_assert_eq!(told, foretold.iter().collect::<Vec<_>>());
                }
            }
            watched.turn(&mut chance);
        }
    }
}
