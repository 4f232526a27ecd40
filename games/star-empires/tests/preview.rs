//! Tests that a dry run checks each line and changes nothing.

use crate::play;

use heliopause_kernel::{Actor, Game, Seat, Viewer};
use heliopause_star_empires::{
    Check, Event, Line, MasterOrder, Options, Order, Reason, Selection, Sheet, Spot, StarEmpires,
    Verdict,
};
use play::{Watched, begin, name, own};

fn game() -> Watched {
    begin(3, 2, Options::default())
}

fn previewed(game: &StarEmpires, text: &str) -> (Sheet, Vec<Check>) {
    let seat = Seat::at(0);
    let orders = StarEmpires::parse(&game.view(Viewer::Seat(seat)), text).expect("it can be read");
    match game.preview(Actor::Seat(seat), &orders[0]) {
        Some(Event::SheetStored { sheet, checks }) => (sheet, checks),
        other => panic!("{other:?} is foretold of {text}"),
    }
}

#[test]
fn a_dry_run_returns_the_verdict_and_reasons_of_each_line() {
    let watched = game();
    let own = own(&watched, Seat::at(0));
    let (home, base) =
        (own.status.homeworld.expect("an empire starts with one"), own.ships[0].serial);
    let text = format!(
        "BUILD {home} 1 probe eye1\nBUILD {home} 99 battleship\nDESTRUCT {base}\nMOVE nobody TO \
         (1,1)"
    );
    let (sheet, checks) = previewed(&watched.game, &text);
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
fn a_dry_run_of_a_refused_sheet_checks_each_line_too() {
    let watched = game();
    let nobody = Selection::Ships(vec![name("nobody")]);
    let line = Line::Move { ships: nobody, to: Spot::Object(name("nowhere")) };
    let order = Order::Sheet(Sheet::of(vec![line; 3]));
    let actor = Actor::Seat(Seat::at(0));
    assert!(watched.game.judge(actor, &order).is_err());
    let Some(Event::SheetStored { sheet, checks }) = watched.game.preview(actor, &order) else {
        panic!("nothing is foretold");
    };
    assert!(sheet.lines.is_empty());
    assert_eq!(checks.len(), 3);
    assert!(
        checks.iter().all(|check| check.verdict == Verdict::Rejected && !check.remarks.is_empty())
    );
}

#[test]
fn dry_runs_exclude_game_master_orders_and_other_empires() {
    let watched = game();
    let sheet = Order::Sheet(Sheet::default());
    assert_eq!(
        watched.game.preview(Actor::GameMaster, &Order::Master(MasterOrder::ApplyNow)),
        None
    );
    assert_eq!(watched.game.preview(Actor::GameMaster, &sheet), None);
    assert_eq!(watched.game.preview(Actor::Seat(Seat::at(7)), &sheet), None);
    assert_eq!(
        watched.game.preview(Actor::Seat(Seat::at(0)), &Order::Master(MasterOrder::ApplyNow)),
        None
    );
}
