//! The seats that the game waits for, and withdrawn orders.

use heliopause_kernel::Seat;
use heliopause_proto::store::v1::*;
use heliopause_proto::v1::{ErrorReason, Event, PendingSeat, event};
use heliopause_table::{Fault, Reader, Table};
use step::Kind as Does;

use crate::scene::{SECRET, Scene, hosted, step};

fn create(kind: &str, hide_ready: bool) -> Table {
    let mut scene = Scene::new(Created {
        hide_ready,
        pace: None,
        start_when_full: false,
        ..hosted(kind, &["ann", "bob"])
    });
    scene.now = 1_000;
    scene.start("ann", None);
    scene.table
}

fn apply(table: &mut Table, by: &str, kind: Does, now: i64) -> Result<Vec<Event>, Fault> {
    let taken = table.apply(step(by, kind), now)?;
    let viewer = table.viewer(by, None, false)?;
    Ok(Table::events_for(&taken.entry, viewer).collect())
}

fn order(table: &mut Table, by: &str, seat: Seat, line: &str) {
    let decision_state = table.decision_state(seat);
    let given = OrdersGiven {
        seat: seat.number(),
        phase: decision_state.phase,
        revision: decision_state.revision,
        orders: table.parse(Some(seat), line).expect("an order"),
        ..OrdersGiven::default()
    };
    apply(table, by, Does::OrdersGiven(given), 2_000).expect("it is taken");
}

fn ready(table: &mut Table, by: &str, seat: Seat, now: i64) {
    let phase = table.decision_state(seat).phase;
    let flag = FlagSet { seat: seat.number(), phase, ready: Some(true), wait: None };
    apply(table, by, Does::FlagSet(flag), now).expect("it is set");
}

fn take_back(table: &mut Table, by: &str, seat: Seat) -> Result<Vec<Event>, Fault> {
    let taken = OrdersWithdrawn { seat: seat.number(), phase: table.decision_state(seat).phase };
    apply(table, by, Does::OrdersWithdrawn(taken), 3_000)
}

fn waiting(table: &Table) -> Vec<PendingSeat> {
    let seen =
        ["ann", "bob", "carl"].map(|player_id| table.describe(Reader { player_id }).pending_seats);
    assert!(seen.iter().all(|one| *one == seen[0]), "all viewers see the same list: {seen:?}");
    seen[0].clone()
}

fn marks(table: &Table) -> Vec<(u32, Option<bool>, Option<bool>)> {
    waiting(table).iter().map(|one| (one.seat, one.ready, one.ordered)).collect()
}

fn since(table: &Table) -> Vec<Option<i64>> {
    waiting(table).iter().map(|one| one.wait_start_time.as_ref().map(|time| time.seconds)).collect()
}

fn ann() -> Seat {
    Seat::at(0)
}

fn bob() -> Seat {
    Seat::at(1)
}

#[test]
fn order_and_ready_marks_are_public() {
    let mut table = create("diplomacy", false);
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
fn ready_marks_can_be_hidden() {
    let mut table = create("diplomacy", true);
    ready(&mut table, "ann", ann(), 4_000);
    assert!(table.describe(Reader { player_id: "bob" }).hide_ready);
    assert_eq!(marks(&table), [(1, None, None), (2, None, None)]);
}

#[test]
fn orders_that_resolve_at_once_have_no_marks() {
    let table = create("starships-at-large", false);
    let on_turn = table.describe(Reader { player_id: "ann" }).on_turn.expect("somebody's turn");
    assert_eq!(marks(&table), [(on_turn, None, None)]);
    assert_eq!(since(&table), [Some(1)]);
}

#[test]
fn revisable_orders_are_withdrawn_in_one_step() {
    let mut table = create("diplomacy", false);
    let opened = table.view(heliopause_kernel::Viewer::Seat(ann()));
    order(&mut table, "ann", ann(), "A Vie - Gal");
    order(&mut table, "ann", ann(), "A Bud - Ser");
    assert_eq!(table.standing_orders(ann()), ["A Vie - Gal", "A Bud - Ser"]);
    assert!(table.standing_orders(bob()).is_empty(), "these are no others'");
    ready(&mut table, "ann", ann(), 3_000);
    let before = table.decision_state(ann());
    let events = take_back(&mut table, "ann", ann()).expect("they are kept");
    assert!(table.standing_orders(ann()).is_empty());
    let after = table.decision_state(ann());
    assert_eq!((after.phase, after.revision), (before.phase, before.revision + 1));
    assert!(!after.decision.expect("it is open").ready);
    assert_eq!(marks(&table)[0], (1, Some(false), Some(false)));
    assert_eq!(table.view(heliopause_kernel::Viewer::Seat(ann())), opened);
    let accepted = events.iter().find_map(|event| match &event.body {
        Some(event::Body::OrdersAccepted(accepted)) => Some(accepted),
        _ => None,
    });
    let accepted = accepted.expect("the seat receives the event");
    assert_eq!((accepted.revision, accepted.notation.len()), (after.revision, 0));

    assert_eq!(take_back(&mut table, "bob", ann()).unwrap_err().reason, ErrorReason::NotYourSeat);
    ready(&mut table, "ann", ann(), 4_000);
    let stale = OrdersWithdrawn { seat: 1, phase: after.phase };
    ready(&mut table, "bob", bob(), 5_000);
    let fault = apply(&mut table, "ann", Does::OrdersWithdrawn(stale), 6_000).unwrap_err();
    assert_eq!(fault.reason, ErrorReason::PhaseClosed);
}

#[test]
fn resolved_orders_cannot_be_withdrawn() {
    let mut table = create("starships-at-large", false);
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
