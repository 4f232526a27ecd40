//! Limits on orders, and on queries to a table in play.

use super::*;

#[test]
fn answers_are_accepted_up_to_their_limit() {
    let mut scene = Scene::new(created("star-empires", &["ann", "bob"]));
    let order = scene.table.parse(Some(Seat::at(0)), "MOVE A TO (1,1)").expect("an order");
    let given = |orders: usize, memo: usize| {
        let phase = scene.phase(1);
        Kind::OrdersGiven(OrdersGiven {
            seat: 1,
            phase,
            orders: order.iter().cycle().take(orders).cloned().collect(),
            memo: Some(vec![0; memo].into()),
            ..OrdersGiven::default()
        })
    };
    let (many, big) = (given(5_001, 0), given(1, 64 * 1024 + 1));
    let (largest, most) = (given(1, 64 * 1024), given(5_000, 0));
    assert_eq!(scene.refused("ann", many), "orders");
    assert_eq!(scene.refused("ann", big), "memo");
    assert_eq!(scene.refused("ann", largest), "sheet.lines[0]", "its orders are looked at");
    assert_eq!(scene.refused("ann", most), "sheet.lines[0]");
}

#[test]
fn answers_of_players_count_as_activity() {
    let look = |kind| is_look(&Step { kind: Some(kind), ..Step::default() });
    let by = |automation: &str| automation.to_owned();
    let given = |automation| {
        Kind::OrdersGiven(OrdersGiven { automation: by(automation), ..OrdersGiven::default() })
    };
    let cast =
        |automation| Kind::VoteCast(VoteCast { automation: by(automation), ..VoteCast::default() });
    assert!(look(given("")) && look(cast("")));
    assert!(!look(given("captain (standard)")) && !look(cast("captain (standard)")));
    assert!(look(Kind::AutomationResumed(AutomationResumed {})));
    assert!(!look(Kind::Ticked(Ticked {})));
}

#[test]
fn rules_are_available_without_a_game() {
    let scene = Scene::new(created("starships-at-large", &["ann", "bob", "cid"]));
    let kind = registry::kind("starships-at-large").expect("it is a game");
    let viewer = Viewer::Seat(Seat::at(0));
    let (view, goals) = scene.table.view_and_goals(viewer).expect("it runs");
    assert_eq!(heliopause_table::goals(kind, &view).expect("a view"), goals);
    assert!(!goals.is_empty());
}

#[test]
fn orders_are_judged_and_predicted_in_advance() {
    let scene = Scene::new(created("star-empires", &["ann", "bob"]));
    let seat = Seat::at(0);
    let order = |text: &str| scene.table.parse(Some(seat), text).expect("it is read").remove(0);
    let (nobody, nothing) = (order("MOVE nobody TO (1,1)"), order(""));
    let fault = scene.table.judge(seat, &nobody).expect_err("there is no such ship");
    assert_eq!(fault.field.as_deref(), Some("sheet.lines[0]"));
    assert_eq!(scene.table.judge(seat, &nothing), Ok(()));
    assert!(scene.table.preview(seat, &nobody).expect("it runs").is_some());
}

#[test]
fn views_are_updated_by_their_events() {
    let mut scene = Scene::new(created("star-empires", &["ann", "bob"]));
    let kind = registry::kind("star-empires").expect("it is a game");
    let viewer = Viewer::Seat(Seat::at(0));
    let before = scene.table.view(viewer).expect("it runs");
    for (by, seat) in [("ann", 1), ("bob", 2)] {
        scene.ready(by, seat);
    }
    let after = scene.table.view(viewer).expect("it runs");
    assert_ne!(before, after);
    let mut events = scene.game_events_of(viewer).into_iter();
    assert_eq!(kind.rules.fold(before, &mut events).expect("they are its own"), after);
    assert!(kind.rules.rule("6.3").is_some_and(|text| text.len() > 20));
    assert_eq!(kind.rules.rule("99.9"), None);
}

#[test]
fn stored_positions_show_past_views() {
    let mut scene = Scene::new(created("starships-at-large", &["ann", "bob"]));
    let step = scene.table.position_to_keep().expect("a game begins with one");
    let entry = scene.table.apply(step, 0).expect("it is its own").entry;
    let kind = registry::kind("starships-at-large").expect("it is a game");
    for viewer in [Viewer::Spectator, Viewer::Seat(Seat::at(1))] {
        let kept = Table::stored_view(kind, &entry, viewer).expect("it keeps one");
        assert_eq!(Some(kept), scene.table.view(viewer));
    }
    let fault = scene.table.entries_of(99).expect_err("there is no such phase");
    assert_eq!(fault.field.as_deref(), Some("at_phase"));
    assert_eq!(scene.table.secret(), &SECRET);
}

#[test]
fn withdrawals_with_a_request_id_belong_to_the_seat() {
    let mut scene = Scene::new(created("star-empires", &["ann", "bob"]));
    let (seat, phase) = (1, scene.phase(1));
    let orders = scene.table.parse(Some(Seat::at(0)), "").expect("an empty sheet");
    let given = OrdersGiven { seat, phase, orders, ..OrdersGiven::default() };
    scene.does("ann", Kind::OrdersGiven(given));
    let step = Step {
        by: "ann".to_owned(),
        request_id: "back".to_owned(),
        kind: Some(Kind::OrdersWithdrawn(OrdersWithdrawn { seat, phase })),
        ..Step::default()
    };
    scene.table.apply(step, 1).expect("they are the seat's");
    assert!(scene.table.was_requested(Some(Seat::at(0)), "back"));
    assert!(!scene.table.was_requested_by("ann", "back"));
}

#[test]
fn paused_games_give_no_warnings() {
    let mut scene = Scene::new(created("diplomacy", &["ann", "bob", "cid", "dan"]));
    let seat = Seat::at(0);
    assert!(!scene.table.warnings_after(seat, &[]).expect("it runs").is_empty());
    scene.does("gm", Kind::PauseSet(PauseSet { paused: true }));
    assert_eq!(scene.table.warnings_after(seat, &[]), Ok(Vec::new()));
}

#[test]
fn games_are_notified_of_abandoned_seats() {
    let mut scene = Scene::new(created("star-empires", &["ann", "bob", "cid"]));
    let before = scene.table.view(Viewer::GameMaster);
    scene.does("bob", Kind::Resigned(Resigned { seat: 2 }));
    assert_ne!(scene.table.view(Viewer::GameMaster), before);
}

#[test]
fn section_6_0_turns_count_once_at_their_end() {
    let mut scene = Scene::new(created("stellar-conquest", &["ann", "bob"]));
    scene.orders("ann", 1, "", true);
    scene.orders("bob", 2, "", true);
    assert!(scene.ratings.is_empty(), "the setup is no turn");
    let own = |scene: &Scene| scene.table.game().unwrap().on_turn().unwrap();
    let first = own(&scene);
    let name = ["ann", "bob"][first.index()];
    // Ships off the board must enter it first (rule 5.2 of Stellar Conquest).
    scene.orders(name, first.number(), "move #1-45 to Sadir", false);
    while own(&scene) == first {
        assert_eq!(scene.rated(name), 0, "the turn is not over");
        let lines: Vec<String> = scene.table.offers(first).expect("offers").lines(100).collect();
        let end = lines.iter().find(|line| line.starts_with("end"));
        // A step with too many options to list can be ended with the word "end".
        let notation = end.or(lines.first()).map_or_else(|| "end".to_owned(), Clone::clone);
        scene.orders(name, first.number(), &notation, false);
    }
    assert_eq!(scene.rated(name), 1, "of however many parts it was");
}

#[test]
fn revisable_orders_are_withdrawn_in_one_step() {
    let mut scene = Scene::new(hosted("diplomacy", &["ann", "bob"]));
    let ann = Seat::at(0);
    let opened = scene.table.view(Viewer::Seat(ann));
    scene.orders("ann", 1, "A Vie - Gal", false);
    scene.orders("ann", 1, "A Bud - Ser", false);
    assert_eq!(scene.table.standing_orders(ann), ["A Vie - Gal", "A Bud - Ser"]);
    assert!(scene.table.standing_orders(Seat::at(1)).is_empty(), "these are no others'");
    scene.ready("ann", 1);
    let before = scene.table.decision_state(ann);
    scene.does("ann", Kind::OrdersWithdrawn(OrdersWithdrawn { seat: 1, phase: before.phase }));
    assert!(scene.table.standing_orders(ann).is_empty());
    let after = scene.table.decision_state(ann);
    assert_eq!((after.phase, after.revision), (before.phase, before.revision + 1));
    assert!(!after.decision.expect("it is open").ready);
    let shown = &scene.seen("bob").pending_seats[0];
    assert_eq!((shown.seat, shown.ready, shown.ordered), (1, Some(false), Some(false)));
    assert_eq!(scene.table.view(Viewer::Seat(ann)), opened);
    let entry = scene.entries.last().expect("the withdrawal");
    let accepted = Table::events_for(entry, Viewer::Seat(ann)).find_map(|event| match event.body {
        Some(event::Body::OrdersAccepted(accepted)) => Some(accepted),
        _ => None,
    });
    let accepted = accepted.expect("the seat receives the event");
    assert_eq!((accepted.revision, accepted.notation.len()), (after.revision, 0));
}
