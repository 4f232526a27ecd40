//! Limits on deadlines and phases.

use super::*;

fn paced(change: impl Fn(&mut Pace)) -> Option<String> {
    let mut pace = daily();
    change(&mut pace);
    let created = Created { pace: Some(pace), ..created("star-empires", &["ann", "bob"]) };
    let laid = Table::create(created, SECRET, "gm", 0);
    laid.err().map(|fault| fault.field.unwrap_or_default())
}

fn phased(change: impl Fn(&mut PhasePace)) -> Option<String> {
    paced(|pace| change(pace.standard.as_mut().expect("it is set")))
}

#[test]
fn paces_out_of_bounds_are_rejected_by_field() {
    let field = |name: &str| Some(format!("pace.{name}"));
    let long = 3_650 * DAY;
    assert_eq!(phased(|phase| phase.interval = millis(1_000)), None);
    assert_eq!(phased(|phase| phase.interval = millis(999)), field("standard.interval"));
    assert_eq!(phased(|phase| phase.interval = millis(long)), None);
    assert_eq!(phased(|phase| phase.interval = millis(long + 1)), field("standard.interval"));
    assert_eq!(phased(|phase| phase.minimum = millis(0)), None);
    assert_eq!(phased(|phase| phase.minimum = millis(-1)), field("standard.minimum"));
    assert_eq!(phased(|phase| phase.grace = millis(long + 1)), field("standard.grace"));
    assert_eq!(phased(|phase| phase.late_delay = millis(-1)), field("standard.late_delay"));
    assert_eq!(phased(|phase| phase.at_minute = Some(1_439)), None);
    assert_eq!(phased(|phase| phase.at_minute = Some(1_440)), field("standard.at_minute"));
    assert_eq!(phased(|phase| phase.weekdays = vec![1, 7]), None);
    assert_eq!(phased(|phase| phase.weekdays = vec![0]), field("standard.weekdays"));
    assert_eq!(phased(|phase| phase.weekdays = vec![8]), field("standard.weekdays"));
    assert_eq!(paced(|pace| pace.vacation_days = 366), None);
    assert_eq!(paced(|pace| pace.vacation_days = 367), field("vacation_days"));
    assert_eq!(paced(|pace| pace.utc_offset_minutes = -840), None);
    assert_eq!(paced(|pace| pace.utc_offset_minutes = 841), field("utc_offset_minutes"));
    assert_eq!(paced(|pace| pace.automate_after_misses = Some(1)), None);
    assert_eq!(paced(|pace| pace.automate_after_misses = Some(0)), field("automate_after_misses"));
    assert_eq!(paced(|pace| pace.shortest = millis(1_000)), None);
    assert_eq!(paced(|pace| pace.shortest = millis(999)), field("shortest"));
    let odd = |kind: &str| {
        let phase = PhasePace { interval: millis(0), ..PhasePace::default() };
        paced(|pace| drop(pace.by_kind.insert(kind.to_owned(), phase.clone())))
    };
    assert_eq!(odd("orders"), field("by_kind[orders].interval"));
    assert_eq!(odd("nonsense"), field("by_kind"));
}

#[test]
fn clock_times_use_the_offset_of_the_pace() {
    let due = |hours: i64, at: u32, offset: i32| {
        let standard = PhasePace {
            interval: millis(hours * HOUR),
            at_minute: Some(at * 60),
            ..PhasePace::default()
        };
        let pace = Pace { standard: Some(standard), utc_offset_minutes: offset, ..Pace::default() };
        let table =
            Scene::new(Created { pace: Some(pace), ..created("star-empires", &["ann", "bob"]) });
        table.seen("").due_time.expect("a deadline").seconds / 3600
    };
    assert_eq!([0, 120, -60].map(|offset| due(1, 18, offset)), [18, 16, 19]);
    assert_eq!(due(21, 22, 120), 44, "it is 23:00 there by then");
}

#[test]
fn phases_last_their_minimum_even_if_all_are_ready() {
    let standard =
        PhasePace { interval: millis(DAY), minimum: millis(HOUR), ..PhasePace::default() };
    let pace = Some(Pace { standard: Some(standard), ..Pace::default() });
    let mut scene = Scene::new(Created { pace, ..created("star-empires", &["ann", "bob"]) });
    scene.ready("ann", 1);
    assert_eq!(scene.table.due(), Some(DAY), "one of them is not ready");
    scene.ready("bob", 2);
    assert_eq!(scene.table.due(), Some(HOUR));
    scene.wait(HOUR - 1);
    assert_eq!(scene.phase(1), 1);
    scene.wait(1);
    assert_eq!(scene.phase(1), 2);
}

#[test]
fn phases_do_not_close_early_while_a_seat_waits() {
    let mut scene = Scene::new(created("star-empires", &["ann", "bob"]));
    let wait =
        |wait| Kind::FlagSet(FlagSet { seat: 1, phase: 1, ready: Some(true), wait: Some(wait) });
    scene.does("ann", wait(true));
    scene.ready("bob", 2);
    assert_eq!(scene.phase(1), 1);
    scene.does("ann", wait(false));
    assert_eq!(scene.phase(1), 2);
}

#[test]
fn phases_are_extended_once_and_held_ones_wait() {
    for (missed, reasons, phases) in [
        (MissedDeadline::Extend, [Some(DeadlineReason::Extended), None], [1, 2]),
        (MissedDeadline::Hold, [Some(DeadlineReason::Held), None], [1, 1]),
        (MissedDeadline::Defaults, [None, None], [2, 3]),
    ] {
        let pace = Some(Pace { missed: missed.into(), ..daily() });
        let mut scene = Scene::new(Created { pace, ..created("star-empires", &["ann", "bob"]) });
        for (reason, phase) in reasons.into_iter().zip(phases) {
            scene.events.clear();
            scene.wait(DAY);
            let changed = scene.events.iter().find_map(|event| match &event.body {
                Some(event::Body::DeadlineChanged(changed)) => Some(changed.reason()),
                _ => None,
            });
            let is_new_phase = changed == Some(DeadlineReason::PhaseOpened);
            assert_eq!(changed.filter(|_| !is_new_phase), reason, "{missed:?}");
            assert_eq!(scene.phase(1), phase, "{missed:?}");
        }
    }
}

#[test]
fn deadlines_range_from_now_to_ten_years() {
    let mut scene = Scene::new(created("star-empires", &["ann", "bob"]));
    scene.now = 5_000;
    let at = |millis: i64| {
        let deadline = Some(Timestamp { seconds: millis.div_euclid(1000), nanos: 0 });
        Kind::DeadlineSet(DeadlineSet { deadline })
    };
    assert_eq!(scene.refused("gm", at(4_000)), "due_time");
    assert_eq!(scene.refused("gm", at(6_000 + 3_650 * DAY)), "due_time");
    scene.does("gm", at(5_000 + 3_650 * DAY));
    scene.does("gm", at(5_000));
    assert_eq!(scene.table.due(), Some(5_000));
}

#[test]
fn late_orders_delay_the_next_phase() {
    let standard = PhasePace {
        interval: millis(DAY),
        grace: millis(2 * HOUR),
        late_delay: millis(3 * HOUR),
        ..PhasePace::default()
    };
    let pace = Some(Pace { standard: Some(standard), ..Pace::default() });
    let mut scene = Scene::new(Created { pace, ..created("star-empires", &["ann", "bob"]) });
    scene.ready("ann", 1);
    scene.wait(DAY + HOUR);
    let orders = scene.table.parse(Some(Seat::at(1)), "").expect("an empty sheet");
    let given = OrdersGiven { seat: 2, phase: 1, orders, ready: true, ..OrdersGiven::default() };
    scene.does("bob", Kind::OrdersGiven(given));
    assert_eq!(scene.phase(1), 2);
    assert_eq!(scene.table.due(), Some(scene.now + DAY + 3 * HOUR));
}

#[test]
fn game_time_is_that_of_the_last_entry_until_repaired() {
    let mut scene = Scene::new(created("star-empires", &["ann", "bob"]));
    let last = 10 * 60_000;
    scene.now = last;
    scene.does("", Kind::Ticked(Ticked {}));
    assert_eq!(scene.table.clock_error(last - 60_000), 0, "a minute is too little to be mended");
    assert_eq!(scene.table.clock_error(last - 60_001), 60_001);
    let time = |scene: &mut Scene, now, kind| {
        let step = Step { by: "gm".to_owned(), kind: Some(kind), ..Step::default() };
        let entry = scene.table.apply(step, now).expect("it is taken").entry;
        entry.time.expect("a time").seconds * 1000
    };
    assert_eq!(time(&mut scene, 0, Kind::Ticked(Ticked {})), last);
    let deadline = Some(Timestamp { seconds: 7_200, nanos: 0 });
    let set = Kind::DeadlineSet(DeadlineSet { deadline });
    assert_eq!(time(&mut scene, last - 30_000, set.clone()), last);
    assert_eq!(time(&mut scene, last - 90_000, set), last - 90_000);
}

#[test]
fn waking_automation_keeps_deadlines_of_people() {
    let bot = automated();
    let mut scene =
        Scene::new(Created { seats: vec![taken("ann"), bot], ..created("star-empires", &[]) });
    scene.does("", Kind::AutomationSuspended(AutomationSuspended {}));
    assert_eq!(scene.table.due(), Some(DAY), "Ann's clock runs");
    scene.wait(5 * HOUR);
    scene.does("", Kind::AutomationResumed(AutomationResumed {}));
    assert_eq!(scene.table.due(), Some(DAY));
    scene.does("", Kind::AutomationSuspended(AutomationSuspended {}));
    scene.ready("ann", 1);
    assert_eq!(scene.table.due(), Some(DAY), "she is asked until the phase closes");
}

#[test]
fn automation_missing_a_deadline_does_not_hold_the_game() {
    let pace = Some(Pace { missed: MissedDeadline::Hold.into(), ..daily() });
    let seats = vec![taken("ann"), automated()];
    let mut scene = Scene::new(Created { pace, seats, ..created("star-empires", &[]) });
    scene.ready("ann", 1);
    scene.wait(DAY);
    assert_eq!(scene.phase(1), 2);
}
