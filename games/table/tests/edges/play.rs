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
fn unready_seats_have_submitted_only_with_orders() {
    let rated = |orders: bool, by_hand: bool| {
        let mut scene = Scene::new(created("star-empires", &["ann", "bob"]));
        if orders {
            let orders = scene.table.parse(Some(Seat::at(0)), "").expect("an empty sheet");
            let given = OrdersGiven { seat: 1, phase: 1, orders, ..OrdersGiven::default() };
            scene.does("ann", Kind::OrdersGiven(given));
        }
        for ready in [true, false] {
            let ready = Some(ready);
            scene.does("ann", Kind::FlagSet(FlagSet { seat: 1, phase: 1, ready, wait: None }));
        }
        if by_hand {
            scene.does("gm", Kind::PhaseClosed(PhaseClosed {}));
        } else {
            scene.wait(DAY);
        }
        scene.rated("ann")
    };
    assert_eq!((rated(false, false), rated(true, false)), (-3, 1));
    assert_eq!((rated(false, true), rated(true, true)), (0, 1), "nobody has missed a deadline");
}

#[test]
fn solo_games_report_the_score_of_their_player() {
    let kind = registry::KINDS.iter().find(|kind| {
        let options = kind.rules.options(None).expect("the default options are valid");
        *options.1.end() == 1
    });
    let kind = kind.expect("there are games for one");
    let laid = Table::create(created(kind.id, &["ann", "bob"]), SECRET, "gm", 0);
    let text = laid.err().map(|fault| fault.message).unwrap_or_default();
    assert_eq!(text, "This game takes exactly 1 player, not 2.");
    let mut scene = Scene::new(created(kind.id, &["ann"]));
    scene.wait(300 * DAY);
    let outcome = scene.table.outcome().expect("it is over");
    assert!(!outcome.declared && !outcome.level.is_empty(), "{outcome:?}");
}

#[test]
fn defaults_close_final_decisions_and_ready_sheets() {
    let defaulted = |scene: &Scene, seat: Seat| {
        let (phase, seat) = (scene.phase(seat.number()), seat.number());
        Kind::DecisionDefaulted(DecisionDefaulted { seat, phase, revision: 0 })
    };
    let seats = vec![taken("ann"), automated()];
    let mut scene = Scene::new(Created { seats, ..created("star-empires", &[]) });
    let of_bot = defaulted(&scene, Seat::at(1));
    scene.does("", of_bot);
    assert_eq!(scene.phase(1), 1);
    scene.ready("ann", 1);
    assert_eq!(scene.phase(1), 2, "nobody waits for the bot");
    let of_ann = defaulted(&scene, Seat::at(0));
    assert_eq!(scene.refused("", of_ann), "LeaseLost");
    let seats = vec![automated(), automated()];
    let mut scene = Scene::new(Created { seats, ..created("starships-at-large", &[]) });
    let first = scene.on_turn();
    let other = Seat::at(1 - first.index());
    let of_other = defaulted(&scene, other);
    assert_eq!(scene.refused("", of_other), "LeaseLost", "it is not asked");
    let of_first = defaulted(&scene, first);
    scene.does("", of_first);
    assert_ne!(scene.on_turn(), first);
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
