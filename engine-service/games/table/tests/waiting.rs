//! For whom the game waits, and orders that are taken back.

use heliopause_kernel::Seat;
use heliopause_proto::store::v1::*;
use heliopause_proto::v1::{ErrorReason, Event, Waiting, event};
use heliopause_table::{Fault, Reader, Table, chain};
use step::Kind as Does;

const SECRET: [u8; 32] = [7; 32];

/// A game of Ann and Bob, that runs.
fn lay(kind: &str, hide_ready: bool) -> Table {
    let seat = |name: &str| {
        let player = Some(Person { player_id: name.to_lowercase(), name: name.to_owned() });
        let taken = Taken { player, ..Default::default() };
        PlannedSeat { plan: Some(planned_seat::Plan::Taken(taken)) }
    };
    let created = Created {
        kind: kind.to_owned(),
        seats: ["Ann", "Bob"].map(seat).to_vec(),
        host: Some(Person { player_id: "ann".to_owned(), name: "Ann".to_owned() }),
        seed_commitment: chain::commitment(&SECRET).to_vec().into(),
        game_id: "g".to_owned(),
        hide_ready,
        ..Created::default()
    };
    let (mut table, _) = Table::lay(created, SECRET, "ann", 0).expect("a table");
    take(&mut table, "ann", Does::StartCalled(StartCalled::default()), 1_000).expect("it starts");
    table
}

fn take(table: &mut Table, by: &str, kind: Does, now: i64) -> Result<Vec<Event>, Fault> {
    let step = Step { by: by.to_owned(), kind: Some(kind), ..Step::default() };
    let taken = table.take(step, now)?;
    let viewer = table.viewer(by, None, false)?;
    Ok(Table::events_for(&taken.entry, viewer).collect())
}

fn order(table: &mut Table, by: &str, seat: Seat, line: &str) {
    let standing = table.standing(seat);
    let given = OrdersGiven {
        seat: seat.number(),
        phase: standing.phase,
        revision: standing.revision,
        orders: table.parse(Some(seat), line).expect("an order"),
        ..OrdersGiven::default()
    };
    take(table, by, Does::OrdersGiven(given), 2_000).expect("it is taken");
}

fn ready(table: &mut Table, by: &str, seat: Seat, now: i64) {
    let phase = table.standing(seat).phase;
    let flag = FlagSet { seat: seat.number(), phase, ready: Some(true), wait: None };
    take(table, by, Does::FlagSet(flag), now).expect("it is set");
}

fn take_back(table: &mut Table, by: &str, seat: Seat) -> Result<Vec<Event>, Fault> {
    let taken = OrdersTakenBack { seat: seat.number(), phase: table.standing(seat).phase };
    take(table, by, Does::OrdersTakenBack(taken), 3_000)
}

fn waiting(table: &Table) -> Vec<Waiting> {
    let seen = ["ann", "bob", "carl"].map(|player_id| table.describe(Reader { player_id }).waiting);
    assert!(seen.iter().all(|one| *one == seen[0]), "everybody is told the same: {seen:?}");
    seen[0].clone()
}

/// Seat, ready and ordered.
fn marks(table: &Table) -> Vec<(u32, Option<bool>, Option<bool>)> {
    waiting(table).iter().map(|one| (one.seat, one.ready, one.ordered)).collect()
}

fn since(table: &Table) -> Vec<Option<i64>> {
    waiting(table).iter().map(|one| one.asked_time.as_ref().map(|time| time.seconds)).collect()
}

fn ann() -> Seat {
    Seat::at(0)
}

fn bob() -> Seat {
    Seat::at(1)
}

#[test]
fn all_are_told_who_has_ordered_and_who_is_ready() {
    let mut table = lay("diplomacy", false);
    let nothing = (Some(false), Some(false));
    assert_eq!(marks(&table), [(1, nothing.0, nothing.1), (2, nothing.0, nothing.1)]);
    assert_eq!(since(&table), [Some(1), Some(1)]);
    order(&mut table, "ann", ann(), "A Vie - Gal");
    assert_eq!(marks(&table)[0], (1, Some(false), Some(true)));
    ready(&mut table, "ann", ann(), 4_000);
    assert_eq!(marks(&table)[0], (1, Some(true), Some(true)));
    assert_eq!(since(&table), [Some(1), Some(1)], "orders do not begin the wait anew");
    ready(&mut table, "bob", bob(), 5_000);
    assert_eq!(marks(&table)[0], (1, nothing.0, nothing.1), "the next phase begins anew");
    assert_eq!(since(&table), [Some(5), Some(5)]);
    let restored = Table::load(&table.snapshot(), SECRET).expect("a table");
    assert_eq!(waiting(&restored), waiting(&table));
}

#[test]
fn a_game_may_hide_who_is_ready() {
    let mut table = lay("diplomacy", true);
    ready(&mut table, "ann", ann(), 4_000);
    assert!(table.describe(Reader { player_id: "bob" }).hide_ready);
    assert_eq!(marks(&table), [(1, None, None), (2, None, None)]);
}

#[test]
fn orders_that_resolve_at_once_have_no_marks() {
    let table = lay("starships-at-large", false);
    let on_turn = table.describe(Reader { player_id: "ann" }).on_turn.expect("somebody's turn");
    assert_eq!(marks(&table), [(on_turn, None, None)]);
    assert_eq!(since(&table), [Some(1)]);
}

#[test]
fn kept_orders_are_taken_back_in_one_step() {
    let mut table = lay("diplomacy", false);
    let opened = table.view(heliopause_kernel::Viewer::Seat(ann()));
    order(&mut table, "ann", ann(), "A Vie - Gal");
    order(&mut table, "ann", ann(), "A Bud - Ser");
    assert_eq!(table.standing_orders(ann()), ["A Vie - Gal", "A Bud - Ser"]);
    assert!(table.standing_orders(bob()).is_empty(), "these are no others'");
    ready(&mut table, "ann", ann(), 3_000);
    let before = table.standing(ann());
    let told = take_back(&mut table, "ann", ann()).expect("they are kept");
    assert!(table.standing_orders(ann()).is_empty());
    let after = table.standing(ann());
    assert_eq!((after.phase, after.revision), (before.phase, before.revision + 1));
    assert!(!after.decision.expect("it is open").ready);
    assert_eq!(marks(&table)[0], (1, Some(false), Some(false)));
    assert_eq!(table.view(heliopause_kernel::Viewer::Seat(ann())), opened);
    let accepted = told.iter().find_map(|event| match &event.body {
        Some(event::Body::OrdersAccepted(accepted)) => Some(accepted),
        _ => None,
    });
    let accepted = accepted.expect("the seat is told");
    assert_eq!((accepted.revision, accepted.notation.len()), (after.revision, 0));

    assert_eq!(take_back(&mut table, "bob", ann()).unwrap_err().reason, ErrorReason::NotYourSeat);
    ready(&mut table, "ann", ann(), 4_000);
    let stale = OrdersTakenBack { seat: 1, phase: after.phase };
    ready(&mut table, "bob", bob(), 5_000);
    let fault = take(&mut table, "ann", Does::OrdersTakenBack(stale), 6_000).unwrap_err();
    assert_eq!(fault.reason, ErrorReason::PhaseClosed);
}

#[test]
fn orders_that_resolve_at_once_stay() {
    let mut table = lay("starships-at-large", false);
    let on_turn = table.describe(Reader { player_id: "ann" }).on_turn.expect("somebody's turn");
    let players = [("ann", ann()), ("bob", bob())];
    let number = on_turn as usize - 1;
    let (by, seat) = players[number];
    let fault = take_back(&mut table, by, seat).unwrap_err();
    assert_eq!(fault.reason, ErrorReason::OrderRefused);
    assert!(fault.message.contains("at once"), "{}", fault.message);
    let (by, seat) = players[1 - number];
    let fault = take_back(&mut table, by, seat).unwrap_err();
    assert_eq!(fault.reason, ErrorReason::OrderRefused);
}
