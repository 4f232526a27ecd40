//! Fairness of clocks, ratings, hosts and votes.

use heliopause_proto::store::v1::*;
use heliopause_proto::v1::{
    AutomatedSeat, DeadlineReason, GameStatus, MissedDeadline, Pace, VoteState, VoteSubject, event,
};
use prost_types::Timestamp;
use step::Kind;

use crate::promise;
use crate::scene::{DAY, HOUR, Scene, WORKER, daily, hosted, millis, paced, person};

fn game(kind: &str, players: &[&str], change: impl FnOnce(&mut Created)) -> Scene {
    let mut created = hosted(kind, players);
    change(&mut created);
    Scene::with([5; 32], created).expect("a table")
}

fn empires(change: impl FnOnce(&mut Created)) -> Scene {
    game("star-empires", &["ann", "bob"], |created| {
        created.host = None;
        created.game_master = Some(person("gm"));
        change(created);
    })
}

fn deadline_changed(session: &Scene) -> Option<DeadlineReason> {
    session.bodies().rev().find_map(|body| match body {
        event::Body::DeadlineChanged(changed) => Some(changed.reason()),
        _ => None,
    })
}

#[test]
fn phases_without_early_close_last_until_the_deadline() {
    let mut session =
        empires(|created| created.pace = Some(Pace { close_early: Some(false), ..daily() }));
    session.orders("ann", 1, "", true);
    session.orders("bob", 2, "", true);
    session.wait(DAY - 1);
    assert_eq!(session.round(), 0, "the deadline has not come");
    session.wait(1);
    assert_eq!(session.round(), 1);
}

// Rules 6.0 and 8.0 of Star Empires: dedication.

#[test]
fn section_6_0_submitting_gains_one_whatever_closes_the_turn() {
    let mut session = empires(|_| {});
    session.orders("ann", 1, "", false);
    session.wait(DAY);
    assert_eq!((session.rated("ann"), session.rated("bob")), (1, -3), "the deadline closed it");
    session.orders("ann", 1, "", false);
    session.does("gm", Kind::PhaseClosed(PhaseClosed {}));
    assert_eq!(
        (session.rated("ann"), session.rated("bob")),
        (2, -3),
        "the game master closed it, before the deadline"
    );
    session.orders("ann", 1, "", true);
    session.orders("bob", 2, "", true);
    assert_eq!((session.rated("ann"), session.rated("bob")), (3, -2), "all were ready");
}

#[test]
fn section_6_0_turns_count_once_at_their_end() {
    let mut session = game("stellar-conquest", &["ann", "bob"], |_| {});
    session.orders("ann", 1, "", true);
    session.orders("bob", 2, "", true);
    assert!(session.ratings.is_empty(), "the setup is no turn");
    let own = |session: &Scene| session.table.game().unwrap().on_turn().unwrap();
    let first = own(&session);
    let name = ["ann", "bob"][first.index()];
    // Ships off the board must enter it first (rule 5.2 of Stellar Conquest).
    session.orders(name, first.number(), "move #1-45 to Sadir", false);
    while own(&session) == first {
        assert_eq!(session.rated(name), 0, "the turn is not over");
        let lines: Vec<String> = session.table.offers(first).expect("offers").lines(100).collect();
        let end = lines.iter().find(|line| line.starts_with("end"));
        // A step with too many options to list can be ended with the word "end".
        let notation = end.or(lines.first()).map_or_else(|| "end".to_owned(), Clone::clone);
        session.orders(name, first.number(), &notation, false);
    }
    assert_eq!(session.rated(name), 1, "of however many parts it was");
}

#[test]
fn section_8_0_deserters_lose_each_turn_until_they_return() {
    let missed = MissedDeadline::Automate.into();
    let mut session = empires(|created| created.pace = Some(Pace { missed, ..daily() }));
    session.orders("ann", 1, "", true);
    session.wait(DAY);
    assert_eq!((session.round(), session.rated("bob")), (0, -3), "automation takes the seat");
    for turn in 1..=3 {
        let answer = OrdersGiven {
            automation: "emperor (standard)".to_owned(),
            ..session.given(2, "", true)
        };
        session.does(WORKER, Kind::OrdersGiven(answer));
        assert_eq!(
            (session.round(), session.rated("bob")),
            (turn, -3 * turn as i32),
            "the turn of the miss counts once"
        );
        session.orders("ann", 1, "", true);
    }
    session.orders("bob", 2, "", true);
    assert_eq!((session.round(), session.rated("bob")), (4, -8), "they have returned");
    assert_eq!(session.rated("ann"), 4);
}

#[test]
fn section_8_0_deserters_lose_until_replaced_unless_they_resigned() {
    let mut session = empires(|_| {});
    session.orders("ann", 1, "", true);
    session.wait(DAY);
    session.does("gm", Kind::SeatGiven(SeatGiven { seat: 2, player: None }));
    assert_eq!(session.rated("bob"), -3);
    for loss in [-6, -9] {
        session.orders("ann", 1, "", true);
        session.does("gm", Kind::PhaseClosed(PhaseClosed {}));
        assert_eq!(session.rated("bob"), loss);
    }
    session.does("cid", Kind::Joined(Joined { player: Some(person("cid")), ..Joined::default() }));
    session.orders("cid", 2, "", true);
    session.orders("ann", 1, "", true);
    assert_eq!((session.rated("bob"), session.rated("cid")), (-9, 1), "a replacement is found");
    session.does("cid", Kind::Resigned(Resigned { seat: 2 }));
    session.orders("ann", 1, "", true);
    session.does("gm", Kind::PhaseClosed(PhaseClosed {}));
    assert_eq!(session.rated("cid"), 1, "whoever resigns has said so");
}

#[test]
fn submitting_interrupts_a_row_of_misses() {
    let mut session = empires(|created| {
        created.pace = Some(Pace { automate_after_misses: Some(2), ..daily() });
    });
    let stands_in = |session: &Scene| session.seen("").seats[1].stand_in.is_some();
    for submits in [false, true, false] {
        session.orders("ann", 1, "", false);
        if submits {
            session.orders("bob", 2, "", false);
        }
        session.wait(DAY);
    }
    assert_eq!(session.round(), 3);
    assert!(
        !stands_in(&session),
        "the deadline closed the turn in between, in which bob had submitted"
    );
    session.orders("ann", 1, "", false);
    session.wait(DAY);
    assert!(stands_in(&session), "two in a row");
}

#[test]
fn excused_misses_are_refunded() {
    let mut session = empires(|_| {});
    session.wait(DAY);
    session.does("gm", Kind::MissExcused(MissExcused { seat: 2 }));
    assert_eq!((session.rated("ann"), session.rated("bob")), (-3, 0));
}

#[test]
fn anonymous_games_apply_ratings_at_the_end() {
    for end in
        [Kind::OutcomeDeclared(OutcomeDeclared::default()), Kind::GameCancelled(GameCancelled {})]
    {
        let mut session = empires(|created| created.anonymous = true);
        session.orders("ann", 1, "", false);
        session.wait(DAY);
        session.orders("ann", 1, "", true);
        session.orders("bob", 2, "", true);
        assert_eq!(session.round(), 2);
        assert!(
            session.ratings.is_empty(),
            "they would tell who sits where: {:?}",
            session.ratings
        );
        session.reload();
        session.does("gm", end);
        assert_eq!((session.rated("ann"), session.rated("bob")), (2, -2));
    }
}

/// Creates a sandbox in which seat 1 has promised seat 3 to keep out of (1,0) and is on turn again.
fn promise() -> Scene {
    let mut session = game("starships-at-large", &["ann", "ann", "ann"], |created| {
        created.host = None;
        let sandbox = Sandbox {
            owner: Some(person("ann")),
            position: Some(promise::position()),
            ..Sandbox::default()
        };
        created.sandbox = Some(sandbox);
    });
    session.orders("ann", 1, "pledge keep-out (1,0) to C until 9", false);
    session.orders("ann", 2, "end", false);
    session.orders("ann", 3, "end", false);
    session
}

#[test]
fn turn_clocks_stop_while_another_seat_must_answer() {
    let mut session = promise();
    session.wait(20 * HOUR);
    session.orders("ann", 1, "move A1 to (1,0)", false);
    assert_eq!(
        session.asked(3).as_deref(),
        Some("word"),
        "Cid chooses a starship for the broken word"
    );
    assert_eq!(session.left(), Some(24 * HOUR), "Cid has a day of their own");
    session.wait(23 * HOUR);
    session.orders("ann", 3, "choose A2", false);
    assert_eq!(session.asked(1).as_deref(), Some("turn"), "Ann's turn goes on");
    assert_eq!(session.left(), Some(4 * HOUR), "with what was left of it");
    session.wait(4 * HOUR - 1);
    assert_eq!(session.asked(1).as_deref(), Some("turn"));
    session.wait(1);
    assert_eq!(session.asked(1), None, "then it is over");
}

#[test]
fn stopped_clocks_are_stored_and_grace_is_given_once() {
    let mut session = promise();
    let before = session.left();
    session.wait(HOUR);
    session.orders("ann", 1, "move A1 to (1,0)", false);
    session.reload();
    session.wait(DAY);
    assert_eq!(session.asked(1).as_deref(), Some("turn"), "Cid missed their own deadline, not Ann");
    assert_eq!(session.left(), before.map(|left| left - HOUR));
}

fn give(seat: u32, to: Option<&str>) -> Kind {
    Kind::SeatGiven(SeatGiven { seat, player: to.map(person) })
}

#[test]
fn hosts_cannot_replace_active_players() {
    let mut session = game("star-empires", &["ann", "bob", "cid"], |_| {});
    for to in [None, Some("friend-of-ann")] {
        assert_eq!(session.refused("ann", give(2, to)), "RoleRequired");
    }
    session.wait(DAY);
    assert_eq!(session.refused("ann", give(2, None)), "RoleRequired", "one miss is no absence");
    session.wait(DAY);
    session.does("ann", give(2, None));
    assert!(session.seen("").seats[1].vacant);
    session.does("ann", give(2, Some("dan")));
}

#[test]
fn watching_hosts_cannot_replace_active_players() {
    let mut session = game("star-empires", &["ann", "bob"], |created| {
        created.host = Some(person("host"));
    });
    assert_eq!(session.refused("host", give(2, None)), "RoleRequired");
    session.does("bob", Kind::Resigned(Resigned { seat: 2 }));
    session.does("host", give(2, Some("dan")));
}

fn propose(seat: u32, subject: VoteSubject, target_seat: u32) -> Kind {
    Kind::VoteProposed(VoteProposed {
        seat,
        subject: subject.into(),
        target_seat,
        ..VoteProposed::default()
    })
}

#[test]
fn one_vote_cannot_remove_an_active_player() {
    let mut session = game("star-empires", &["ann", "bob"], |_| {});
    assert_eq!(session.refused("ann", propose(1, VoteSubject::Replace, 2)), "target_seat");
    session.wait(2 * DAY);
    session.does("ann", propose(1, VoteSubject::Replace, 2));
    assert!(session.seen("").seats[1].vacant, "whoever is gone is no reason to wait");
}

#[test]
fn removing_an_active_player_needs_two_votes() {
    let trio = || game("star-empires", &["ann", "bob", "cid"], |_| {});
    let vacant = |session: &Scene| session.seen("").seats[2].vacant;
    let cast = |seat| Kind::VoteCast(VoteCast { seat, vote: 1, yes: true, ..VoteCast::default() });
    let mut session = trio();
    session.does("ann", propose(1, VoteSubject::Replace, 3));
    assert!(!vacant(&session));
    session.does("bob", cast(2));
    assert!(vacant(&session));
    let mut session = trio();
    session.does("ann", propose(1, VoteSubject::Replace, 3));
    session.does("bob", Kind::Resigned(Resigned { seat: 2 }));
    session.does("ann", cast(1));
    assert!(!vacant(&session), "Ann alone is not enough");
}

#[test]
fn votes_fail_when_their_proposer_has_a_player_replaced() {
    let mut session = game("star-empires", &["ann", "bob", "cid"], |_| {});
    session.orders("cid", 3, "", false);
    session.wait(DAY);
    session.orders("cid", 3, "", false);
    session.wait(DAY);
    session.does("ann", propose(1, VoteSubject::Cancel, 0));
    session.does("ann", give(2, None));
    assert_eq!(session.table.votes()[0].state(), VoteState::Failed);
    assert_eq!(session.table.status(), GameStatus::Running);
}

fn set_pace(pace: Pace) -> Kind {
    Kind::PaceSet(PaceSet { pace: Some(pace) })
}

#[test]
fn hosts_cannot_shorten_the_created_interval() {
    let mut session = game("star-empires", &["ann", "bob"], |_| {});
    assert_eq!(session.refused("ann", set_pace(paced(1_000))), "pace.standard.interval");
    let by_kind =
        Pace { by_kind: [("orders".to_owned(), paced(1_000).standard.unwrap())].into(), ..daily() };
    assert_eq!(session.refused("ann", set_pace(by_kind)), "pace.by_kind[orders].interval");
    assert_eq!(
        session.refused("ann", set_pace(Pace { shortest: millis(HOUR), ..daily() })),
        "pace.shortest"
    );
    let mut free = game("star-empires", &["ann", "bob"], |created| created.pace = None);
    let fault = free.fault("ann", set_pace(paced(HOUR)));
    assert_eq!(
        fault.field.as_deref(),
        Some("pace.standard.interval"),
        "a game without deadlines: a day"
    );
    let shortest =
        |created: &mut Created| created.pace = Some(Pace { shortest: millis(HOUR), ..daily() });
    let mut hasty = game("star-empires", &["ann", "bob"], shortest);
    hasty.does("ann", set_pace(paced(HOUR)));
    hasty.fault("ann", set_pace(paced(3_599_000)));
}

#[test]
fn paces_of_hosts_apply_after_all_could_see_them() {
    let shortest =
        |created: &mut Created| created.pace = Some(Pace { shortest: millis(HOUR), ..daily() });
    let mut session = game("star-empires", &["ann", "bob"], shortest);
    session.does("ann", set_pace(paced(HOUR)));
    assert_eq!(session.left(), Some(DAY), "the open deadline stays");
    session.orders("ann", 1, "", true);
    session.orders("bob", 2, "", true);
    assert_eq!((session.round(), session.left()), (1, Some(DAY)), "Bob may not have looked yet");
    let game = session.seen("bob");
    assert_eq!(
        (game.pace.unwrap().standard, game.next_pace.unwrap().standard),
        (daily().standard, paced(HOUR).standard)
    );
    session.wait(DAY);
    assert_eq!((session.round(), session.left()), (2, Some(HOUR)), "a day has passed");
    assert!(session.seen("bob").next_pace.is_none());
    let changes =
        session.bodies().filter(|body| matches!(body, event::Body::PaceChanged(_))).count();
    assert_eq!(changes, 2, "when it was set, and when it held");
}

#[test]
fn paces_of_game_masters_apply_from_the_next_turn() {
    let mut session = empires(|_| {});
    session.does("gm", set_pace(Pace { close_early: Some(false), ..paced(60_000) }));
    assert_eq!(session.left(), Some(DAY), "the open deadline stays");
    session.orders("ann", 1, "", true);
    session.orders("bob", 2, "", true);
    assert_eq!(
        (session.round(), session.left()),
        (1, Some(60_000)),
        "what was open closed as it was announced"
    );
    session.orders("ann", 1, "", true);
    session.orders("bob", 2, "", true);
    assert_eq!(session.round(), 1, "from here on it lasts its whole deadline");
}

#[test]
fn paces_apply_at_once_before_the_start() {
    let mut session =
        game("star-empires", &["ann", "bob"], |created| created.start_when_full = false);
    session.does("ann", set_pace(paced(2 * DAY)));
    session.does("ann", Kind::StartCalled(StartCalled::default()));
    assert_eq!(session.left(), Some(2 * DAY));
}

const YEARS: i64 = 110 * 365 * DAY;

fn after_a_jump(mut session: Scene) -> Scene {
    session.wait(HOUR);
    session.now += YEARS;
    session.wait(0);
    assert_eq!(session.round(), 1, "what was due has passed");
    session.now = 2 * HOUR;
    session
}

fn deadline(at: i64) -> Kind {
    let deadline = Timestamp { seconds: at / 1000, nanos: (at % 1000 * 1_000_000) as i32 };
    Kind::DeadlineSet(DeadlineSet { deadline: Some(deadline) })
}

#[test]
fn hosts_repair_deadlines_set_by_a_wrong_clock() {
    let mut session = after_a_jump(game("star-empires", &["ann", "bob"], |_| {}));
    session.wait(100 * DAY);
    assert_eq!(session.round(), 1, "it would wait for more than a century");
    assert!(session.table.clock_error(session.now) > 100 * 365 * DAY);
    let now = session.now;
    assert_eq!(
        session.refused("ann", deadline(now + DAY - 1)),
        "due_time",
        "not less than the whole phase"
    );
    session.fault("bob", deadline(now + DAY));
    session.does("ann", deadline(now + DAY));
    assert_eq!((session.left(), session.table.clock_error(now)), (Some(DAY), 0));
    assert_eq!(deadline_changed(&session), Some(DeadlineReason::ClockCorrected));
    session.wait(DAY);
    assert_eq!((session.round(), session.left()), (2, Some(DAY)), "and goes on from there");
    assert_eq!(session.refused("ann", deadline(now + 3 * DAY)), "RoleRequired", "it is mended");
}

#[test]
fn repairing_a_deadline_corrects_other_times() {
    let mut session = empires(|created| created.pace = Some(Pace { vacation_days: 9, ..daily() }));
    session.wait(HOUR);
    session.now += YEARS;
    session.wait(0);
    session.does("ann", propose(1, VoteSubject::Pause, 0));
    session.does("ann", Kind::VacationSet(VacationSet { seat: 1, days: 2 }));
    session.now -= YEARS;
    let now = session.now;
    session.does("gm", deadline(now + 9 * DAY));
    assert_eq!(deadline_changed(&session), Some(DeadlineReason::ClockCorrected));
    session.does("gm", deadline(now + 9 * DAY - 1));
    assert_eq!(deadline_changed(&session), Some(DeadlineReason::GameMaster), "it is mended");
    session.does("gm", deadline(now + 9 * DAY));
    session.wait(2 * DAY);
    assert!(!session.seen("").seats[0].on_vacation, "the vacation is over");
    session.wait(DAY);
    assert_eq!(session.table.votes()[0].state(), VoteState::Expired);
    assert_eq!(session.left(), Some(6 * DAY));
}

#[test]
fn orders_of_requested_automation_earn_no_rating() {
    let rule = heliopause_proto::v1::DelegationRule::Free.into();
    let mut session = empires(|created| created.delegation = rule);
    session.does("bob", Kind::Delegated(Delegated { seat: 2, to: Some(AutomatedSeat::default()) }));
    let given = session.given(2, "", false);
    session.does(
        WORKER,
        Kind::OrdersGiven(OrdersGiven { automation: "emperor (standard)".to_owned(), ..given }),
    );
    session.does("bob", Kind::Delegated(Delegated { seat: 2, to: None }));
    session.does("gm", Kind::PhaseClosed(PhaseClosed {}));
    assert_eq!(session.rated("bob"), 0);
}

#[test]
fn solo_players_delegate_at_any_time() {
    let to = || Some(AutomatedSeat::default());
    let mut session = game("fate-of-empire", &["ann"], |_| {});
    session.does("ann", Kind::Delegated(Delegated { seat: 1, to: to() }));

    let mut session = empires(|_| {});
    assert_eq!(
        session.refused("bob", Kind::Delegated(Delegated { seat: 2, to: to() })),
        "WrongStatus",
        "ann waits for bob"
    );
}
