//! The seats that the game waits for, and withdrawn orders.

use heliopause_kernel::{Seat, Viewer};
use heliopause_proto::store::v1::*;
use heliopause_proto::v1::{ErrorReason, PendingSeat, event};
use heliopause_table::Table;
use step::Kind;

use crate::scene::{Scene, hosted};

const PLAYERS: [&str; 2] = ["ann", "bob"];

fn create(kind: &str, hide_ready: bool) -> Scene {
    let hosted = hosted(kind, &PLAYERS);
    let created = Created { hide_ready, pace: None, start_when_full: false, ..hosted };
    let mut scene = Scene::new(created);
    scene.now = 1_000;
    scene.start("ann", None);
    scene
}

fn take_back(scene: &Scene, seat: u32) -> Kind {
    Kind::OrdersWithdrawn(OrdersWithdrawn { seat, phase: scene.phase(seat) })
}

fn waiting(scene: &Scene) -> Vec<PendingSeat> {
    let seen = ["ann", "bob", "carl"].map(|player_id| scene.seen(player_id).pending_seats);
    assert!(seen.iter().all(|one| *one == seen[0]), "all viewers see the same list: {seen:?}");
    seen[0].clone()
}

fn marks(scene: &Scene) -> Vec<(u32, Option<bool>, Option<bool>)> {
    waiting(scene).iter().map(|one| (one.seat, one.ready, one.ordered)).collect()
}

fn since(scene: &Scene) -> Vec<Option<i64>> {
    waiting(scene).iter().map(|one| one.wait_start_time.as_ref().map(|time| time.seconds)).collect()
}

#[test]
fn order_and_ready_marks_are_public() {
    let mut scene = create("diplomacy", false);
    let nothing = (Some(false), Some(false));
    assert_eq!(marks(&scene), [(1, nothing.0, nothing.1), (2, nothing.0, nothing.1)]);
    assert_eq!(since(&scene), [Some(1), Some(1)]);
    scene.now = 4_000;
    scene.orders("ann", 1, "A Vie - Gal", false);
    assert_eq!(marks(&scene)[0], (1, Some(false), Some(true)));
    scene.ready("ann", 1);
    assert_eq!(marks(&scene)[0], (1, Some(true), Some(true)));
    assert_eq!(since(&scene), [Some(1), Some(1)], "orders do not begin the wait anew");
    scene.now = 5_000;
    scene.ready("bob", 2);
    assert_eq!(marks(&scene)[0], (1, nothing.0, nothing.1), "the next phase begins anew");
    assert_eq!(since(&scene), [Some(5), Some(5)]);
    let before = waiting(&scene);
    scene.reload();
    assert_eq!(waiting(&scene), before);
}

#[test]
fn ready_marks_can_be_hidden() {
    let mut scene = create("diplomacy", true);
    scene.ready("ann", 1);
    assert!(scene.seen("bob").hide_ready);
    assert_eq!(marks(&scene), [(1, None, None), (2, None, None)]);
}

#[test]
fn orders_that_resolve_at_once_have_no_marks() {
    let scene = create("starships-at-large", false);
    assert_eq!(marks(&scene), [(scene.on_turn().number(), None, None)]);
    assert_eq!(since(&scene), [Some(1)]);
}

#[test]
fn revisable_orders_are_withdrawn_in_one_step() {
    let mut scene = create("diplomacy", false);
    let ann = Seat::at(0);
    let opened = scene.table.view(Viewer::Seat(ann));
    scene.orders("ann", 1, "A Vie - Gal", false);
    scene.orders("ann", 1, "A Bud - Ser", false);
    assert_eq!(scene.table.standing_orders(ann), ["A Vie - Gal", "A Bud - Ser"]);
    assert!(scene.table.standing_orders(Seat::at(1)).is_empty(), "these are no others'");
    scene.ready("ann", 1);
    let before = scene.table.decision_state(ann);
    let back = take_back(&scene, 1);
    scene.does("ann", back);
    assert!(scene.table.standing_orders(ann).is_empty());
    let after = scene.table.decision_state(ann);
    assert_eq!((after.phase, after.revision), (before.phase, before.revision + 1));
    assert!(!after.decision.expect("it is open").ready);
    assert_eq!(marks(&scene)[0], (1, Some(false), Some(false)));
    assert_eq!(scene.table.view(Viewer::Seat(ann)), opened);
    let entry = scene.entries.last().expect("the withdrawal");
    let accepted = Table::events_for(entry, Viewer::Seat(ann)).find_map(|event| match event.body {
        Some(event::Body::OrdersAccepted(accepted)) => Some(accepted),
        _ => None,
    });
    let accepted = accepted.expect("the seat receives the event");
    assert_eq!((accepted.revision, accepted.notation.len()), (after.revision, 0));

    let back = take_back(&scene, 1);
    assert_eq!(scene.refused("bob", back), "NotYourSeat");
    scene.ready("ann", 1);
    let stale = take_back(&scene, 1);
    scene.ready("bob", 2);
    assert_eq!(scene.refused("ann", stale), "PhaseClosed");
}

#[test]
fn resolved_orders_cannot_be_withdrawn() {
    let mut scene = create("starships-at-large", false);
    let on_turn = scene.on_turn().index();
    for (seat, word) in [(on_turn, "at once"), (1 - on_turn, "")] {
        let back = take_back(&scene, seat as u32 + 1);
        let fault = scene.fault(PLAYERS[seat], back);
        assert_eq!(fault.reason, ErrorReason::OrderRefused);
        assert!(fault.message.contains(word), "{}", fault.message);
    }
}
