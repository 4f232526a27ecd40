//! Clocks, ratings, hosts and votes are fair.

use crate::promise;

use heliopause_kernel::Seat;
use heliopause_proto::store::v1::*;
use heliopause_proto::v1::{
    AutomatedSeat, DeadlineReason, ErrorReason, GameStatus, MissedDeadline, Pace, PhasePace,
    VoteState, VoteSubject, event,
};
use heliopause_table::{Fault, Reader, Table, Taken as TakenStep, chain};
use prost_types::{Duration, Timestamp};
use step::Kind;

const SECRET: [u8; 32] = [5; 32];
const HOUR: i64 = 60 * 60 * 1000;
const DAY: i64 = 24 * HOUR;
/// A worker's account.
const WORKER: &str = "worker";

fn person(id: &str) -> Person {
    Person { player_id: id.to_owned(), name: id.to_uppercase() }
}

#[expect(clippy::unnecessary_wraps, reason = "fields of messages are optional")]
fn hours(hours: i64) -> Option<Duration> {
    Some(Duration { seconds: hours * 3600, nanos: 0 })
}

/// Every phase has a day.
fn daily() -> Pace {
    Pace {
        standard: Some(PhasePace { interval: hours(24), ..PhasePace::default() }),
        ..Pace::default()
    }
}

fn stamp(millis: i64) -> Timestamp {
    Timestamp { seconds: millis / 1000, nanos: (millis % 1000 * 1_000_000) as i32 }
}

/// A table, what time it is there, and what was rated so far.
struct Session {
    table: Table,
    now: i64,
    ratings: Vec<(String, i32)>,
    events: Vec<event::Body>,
}

impl Session {
    fn new(kind: &str, players: &[&str], change: impl FnOnce(&mut Created)) -> Self {
        let seat = |id: &&str| {
            let taken =
                planned_seat::Plan::Taken(Taken { player: Some(person(id)), ..Taken::default() });
            PlannedSeat { plan: Some(taken) }
        };
        let mut created = Created {
            kind: kind.to_owned(),
            seats: players.iter().map(seat).collect(),
            pace: Some(daily()),
            host: Some(person(players[0])),
            seed_commitment: chain::commitment(&SECRET).to_vec().into(),
            game_id: "table".to_owned(),
            start_when_full: true,
            ..Created::default()
        };
        change(&mut created);
        let (table, taken) = Table::lay(created, SECRET, players[0], 0).expect("a table");
        let mut session = Self { table, now: 0, ratings: Vec::new(), events: Vec::new() };
        session.note(&taken);
        session
    }

    /// Two empires, led by a game master.
    fn empires(change: impl FnOnce(&mut Created)) -> Self {
        Self::new("star-empires", &["ann", "bob"], |created| {
            created.host = None;
            created.game_master = Some(person("gm"));
            change(created);
        })
    }

    fn note(&mut self, taken: &TakenStep) {
        self.ratings.extend(taken.ratings.iter().cloned());
        self.events
            .extend(taken.entry.events.iter().filter_map(|told| told.event.as_ref()?.body.clone()));
    }

    fn take(&mut self, by: &str, kind: Kind) -> Result<(), Fault> {
        let before = self.table.snapshot();
        let step = Step { by: by.to_owned(), kind: Some(kind), ..Step::default() };
        match self.table.take(step, self.now) {
            Ok(taken) => {
                self.note(&taken);
                Ok(())
            }
            Err(fault) => {
                assert!(
                    before == self.table.snapshot(),
                    "a refused step has changed something: {fault}"
                );
                Err(fault)
            }
        }
    }

    fn does(&mut self, by: &str, kind: Kind) {
        self.take(by, kind).unwrap_or_else(|fault| panic!("{by}: {fault}"));
    }

    /// Lets time pass, and whatever falls due in it happen when it does.
    fn wait(&mut self, millis: i64) {
        let until = self.now + millis;
        while let Some(due) = self.table.due().filter(|due| *due <= until) {
            self.now = self.now.max(due);
            self.does("", Kind::Ticked(Ticked {}));
        }
        self.now = until;
    }

    fn given(&self, seat: u32, text: &str, ready: bool) -> Kind {
        let place = Seat::numbered(seat).expect("a seat");
        let standing = self.table.standing(place);
        let orders = if text.is_empty() {
            Vec::new()
        } else {
            self.table.parse(Some(place), text).expect("orders")
        };
        let (phase, revision) = (standing.phase, standing.revision);
        Kind::OrdersGiven(OrdersGiven {
            seat,
            phase,
            revision,
            orders,
            ready,
            ..OrdersGiven::default()
        })
    }

    /// A seat's player gives orders.
    fn orders(&mut self, by: &str, seat: u32, text: &str, ready: bool) {
        let given = self.given(seat, text, ready);
        self.does(by, given);
    }

    fn round(&self) -> u64 {
        self.table.game().expect("it has started").round()
    }

    fn rated(&self, id: &str) -> i32 {
        self.ratings.iter().filter(|(player, _)| player == id).map(|(_, change)| change).sum()
    }

    fn asked(&self, seat: u32) -> Option<String> {
        self.table.standing(Seat::numbered(seat)?).decision.map(|decision| decision.kind)
    }

    /// Why the deadline changed last, as everybody is told.
    fn deadline_changed(&self) -> Option<DeadlineReason> {
        self.events.iter().rev().find_map(|body| match body {
            event::Body::DeadlineChanged(changed) => Some(changed.reason()),
            _ => None,
        })
    }

    /// The public deadline, in milliseconds from now.
    fn left(&self) -> Option<i64> {
        let deadline = self.table.describe(Reader { player_id: "" }).due_time?;
        Some(deadline.seconds * 1000 + i64::from(deadline.nanos / 1_000_000) - self.now)
    }
}

// The pace closes early by default.

#[test]
fn a_pace_that_says_nothing_of_it_closes_as_soon_as_all_are_ready() {
    let mut session = Session::empires(|_| {});
    session.orders("ann", 1, "", true);
    assert_eq!(session.round(), 0);
    session.orders("bob", 2, "", true);
    assert_eq!(session.round(), 1, "all are ready");
}

#[test]
fn a_pace_that_says_no_lasts_its_whole_deadline_though_all_be_ready() {
    let mut session =
        Session::empires(|created| created.pace = Some(Pace { early: Some(false), ..daily() }));
    session.orders("ann", 1, "", true);
    session.orders("bob", 2, "", true);
    session.wait(DAY - 1);
    assert_eq!(session.round(), 0, "the deadline has not come");
    session.wait(1);
    assert_eq!(session.round(), 1);
}

// 6.0 and 8.0 of Star Empires: dedication.

#[test]
fn section_6_0_who_submitted_gains_one_however_the_turn_is_closed() {
    let mut session = Session::empires(|_| {});
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
fn section_6_0_a_turn_counts_once_and_not_before_it_is_over() {
    let mut session = Session::new("stellar-conquest", &["ann", "bob"], |_| {});
    session.orders("ann", 1, "", true);
    session.orders("bob", 2, "", true);
    assert!(session.ratings.is_empty(), "the setup is no turn");
    let own = |session: &Session| session.table.game().unwrap().on_turn().unwrap();
    let first = own(&session);
    let name = ["ann", "bob"][first.index()];
    // Ships that wait beside the board must enter it first (rule 5.2 of that game).
    session.orders(name, first.number(), "move #1-45 to Sadir", false);
    while own(&session) == first {
        assert_eq!(session.rated(name), 0, "the turn is not over");
        let lines: Vec<String> = session.table.offers(first).expect("offers").lines(100).collect();
        let end = lines.iter().find(|line| line.starts_with("end"));
        // A step with more ways than can be listed is ended by the word alone.
        let notation = end.or(lines.first()).map_or_else(|| "end".to_owned(), Clone::clone);
        session.orders(name, first.number(), &notation, false);
    }
    assert_eq!(session.rated(name), 1, "of however many parts it was");
}

#[test]
fn section_8_0_who_abandons_a_seat_loses_each_turn_until_they_return() {
    let missed = MissedDeadline::Automate.into();
    let mut session = Session::empires(|created| created.pace = Some(Pace { missed, ..daily() }));
    session.orders("ann", 1, "", true);
    session.wait(DAY);
    assert_eq!((session.round(), session.rated("bob")), (0, -3), "automation takes the seat");
    for turn in 1..=3 {
        let standing = session.table.standing(Seat::at(1));
        let answer = OrdersGiven {
            seat: 2,
            phase: standing.phase,
            revision: standing.revision,
            ready: true,
            automation: "emperor (standard)".to_owned(),
            ..OrdersGiven::default()
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
fn section_8_0_who_is_gone_loses_until_a_replacement_is_found_but_not_who_resigned() {
    let mut session = Session::empires(|_| {});
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
fn misses_are_in_a_row_only_if_nothing_was_submitted_in_between() {
    let mut session = Session::empires(|created| {
        created.pace = Some(Pace { automate_after_misses: Some(2), ..daily() });
    });
    let stands_in = |session: &Session| {
        session.table.describe(Reader { player_id: "" }).seats[1].stand_in.is_some()
    };
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
fn an_excused_miss_is_given_back() {
    let mut session = Session::empires(|_| {});
    session.wait(DAY);
    session.does("gm", Kind::MissExcused(MissExcused { seat: 2 }));
    assert_eq!((session.rated("ann"), session.rated("bob")), (-3, 0));
}

// Ratings of anonymous games.

#[test]
fn in_an_anonymous_game_ratings_count_when_it_ends() {
    for end in
        [Kind::OutcomeDeclared(OutcomeDeclared::default()), Kind::GameCancelled(GameCancelled {})]
    {
        let mut session = Session::empires(|created| created.anonymous = true);
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
        session.table =
            Table::load(&session.table.snapshot(), SECRET).expect("what is held back is stored");
        session.does("gm", end);
        assert_eq!((session.rated("ann"), session.rated("bob")), (2, -2));
    }
}

// The clock of a turn stands while another seat must answer.

/// Ann has promised Cid to keep out of (1,0), and is on turn again; the owner of the sandbox plays
/// for all.
fn promise() -> Session {
    let mut session = Session::new("starships-at-large", &["ann", "ann", "ann"], |created| {
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
fn the_clock_of_a_turn_stands_while_another_seat_must_answer() {
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
fn a_clock_that_stands_is_stored_and_no_grace_is_given_twice() {
    let mut session = promise();
    let before = session.left();
    session.wait(HOUR);
    session.orders("ann", 1, "move A1 to (1,0)", false);
    session.table = Table::load(&session.table.snapshot(), SECRET).expect("a snapshot loads");
    session.wait(DAY);
    assert_eq!(session.asked(1).as_deref(), Some("turn"), "Cid missed their own deadline, not Ann");
    assert_eq!(session.left(), before.map(|left| left - HOUR));
}

// Hosts and votes.

fn refused(session: &mut Session, by: &str, kind: Kind) -> Fault {
    session.take(by, kind).expect_err("it is not allowed")
}

fn give(seat: u32, to: Option<&str>) -> Kind {
    Kind::SeatGiven(SeatGiven { seat, player: to.map(person) })
}

#[test]
fn a_host_replaces_nobody_who_is_there() {
    let mut session = Session::new("star-empires", &["ann", "bob", "cid"], |_| {});
    for to in [None, Some("friend-of-ann")] {
        let fault = refused(&mut session, "ann", give(2, to));
        assert_eq!(fault.reason, ErrorReason::RoleRequired, "{fault}");
    }
    session.wait(DAY);
    assert_eq!(
        refused(&mut session, "ann", give(2, None)).reason,
        ErrorReason::RoleRequired,
        "one miss is no absence"
    );
    session.wait(DAY);
    session.does("ann", give(2, None));
    assert!(session.table.describe(Reader { player_id: "" }).seats[1].vacant);
    session.does("ann", give(2, Some("dan")));
}

#[test]
fn a_host_who_only_watches_may_play_by_another_account_and_replaces_nobody_either() {
    let mut session = Session::new("star-empires", &["ann", "bob"], |created| {
        created.host = Some(person("host"));
    });
    assert_eq!(refused(&mut session, "host", give(2, None)).reason, ErrorReason::RoleRequired);
    session.does("bob", Kind::Resigned(Resigned { seat: 2 }));
    session.does("host", give(2, Some("dan")));
}

#[test]
fn a_game_master_replaces_whom_they_like() {
    let mut session = Session::empires(|_| {});
    session.does("gm", give(2, Some("dan")));
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
fn nobody_alone_votes_out_a_player_who_is_there() {
    let mut session = Session::new("star-empires", &["ann", "bob"], |_| {});
    let fault = refused(&mut session, "ann", propose(1, VoteSubject::Replace, 2));
    assert_eq!(fault.field.as_deref(), Some("target_seat"), "{fault}");
    session.wait(2 * DAY);
    session.does("ann", propose(1, VoteSubject::Replace, 2));
    assert!(
        session.table.describe(Reader { player_id: "" }).seats[1].vacant,
        "whoever is gone is no reason to wait"
    );
}

#[test]
fn two_may_vote_out_a_third_and_not_one_of_them_when_the_other_is_gone() {
    let trio = || Session::new("star-empires", &["ann", "bob", "cid"], |_| {});
    let vacant =
        |session: &Session| session.table.describe(Reader { player_id: "" }).seats[2].vacant;
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
fn a_vote_fails_when_whoever_proposed_it_has_a_player_replaced() {
    let mut session = Session::new("star-empires", &["ann", "bob", "cid"], |_| {});
    session.orders("cid", 3, "", false);
    session.wait(DAY);
    session.orders("cid", 3, "", false);
    session.wait(DAY);
    session.does("ann", propose(1, VoteSubject::Cancel, 0));
    session.does("ann", give(2, None));
    assert_eq!(session.table.votes()[0].state(), VoteState::Failed);
    assert_eq!(session.table.status(), GameStatus::Running);
}

// The pace of a host.

fn set_pace(pace: Pace) -> Kind {
    Kind::PaceSet(PaceSet { pace: Some(pace) })
}

fn interval(seconds: i64) -> Pace {
    let interval = Some(Duration { seconds, nanos: 0 });
    Pace { standard: Some(PhasePace { interval, ..PhasePace::default() }), ..Pace::default() }
}

#[test]
fn a_host_sets_no_interval_below_what_the_game_was_created_with() {
    let mut session = Session::new("star-empires", &["ann", "bob"], |_| {});
    let fault = refused(&mut session, "ann", set_pace(interval(1)));
    assert_eq!(fault.field.as_deref(), Some("pace.standard.interval"), "{fault}");
    let by_kind =
        Pace { by_kind: [("orders".to_owned(), interval(1).standard.unwrap())].into(), ..daily() };
    let fault = refused(&mut session, "ann", set_pace(by_kind));
    assert_eq!(fault.field.as_deref(), Some("pace.by_kind[orders].interval"), "{fault}");
    let fault = refused(&mut session, "ann", set_pace(Pace { shortest: hours(1), ..daily() }));
    assert_eq!(fault.field.as_deref(), Some("pace.shortest"), "{fault}");
    let mut free = Session::new("star-empires", &["ann", "bob"], |created| created.pace = None);
    let fault = refused(&mut free, "ann", set_pace(interval(3600)));
    assert_eq!(
        fault.field.as_deref(),
        Some("pace.standard.interval"),
        "a game without deadlines: a day"
    );
    let shortest =
        |created: &mut Created| created.pace = Some(Pace { shortest: hours(1), ..daily() });
    let mut hasty = Session::new("star-empires", &["ann", "bob"], shortest);
    hasty.does("ann", set_pace(interval(3600)));
    refused(&mut hasty, "ann", set_pace(interval(3599)));
}

#[test]
fn a_hosts_pace_holds_after_all_could_see_it_and_not_before() {
    let shortest =
        |created: &mut Created| created.pace = Some(Pace { shortest: hours(1), ..daily() });
    let mut session = Session::new("star-empires", &["ann", "bob"], shortest);
    session.does("ann", set_pace(interval(3600)));
    assert_eq!(session.left(), Some(DAY), "the open deadline stays");
    session.orders("ann", 1, "", true);
    session.orders("bob", 2, "", true);
    assert_eq!((session.round(), session.left()), (1, Some(DAY)), "Bob may not have looked yet");
    let game = session.table.describe(Reader { player_id: "bob" });
    assert_eq!(
        (game.pace.unwrap().standard, game.next_pace.unwrap().standard),
        (daily().standard, interval(3600).standard)
    );
    session.wait(DAY);
    assert_eq!((session.round(), session.left()), (2, Some(HOUR)), "a day has passed");
    assert!(session.table.describe(Reader { player_id: "bob" }).next_pace.is_none());
    let told =
        session.events.iter().filter(|body| matches!(body, event::Body::PaceChanged(_))).count();
    assert_eq!(told, 2, "when it was set, and when it held");
}

#[test]
fn a_game_masters_pace_holds_from_the_next_turn_on_and_not_before() {
    let mut session = Session::empires(|_| {});
    session.does("gm", set_pace(Pace { early: Some(false), ..interval(60) }));
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
fn before_the_start_a_pace_holds_at_once() {
    let mut session =
        Session::new("star-empires", &["ann", "bob"], |created| created.start_when_full = false);
    session.does("ann", set_pace(interval(2 * 24 * 3600)));
    session.does("ann", Kind::StartCalled(StartCalled::default()));
    assert_eq!(session.left(), Some(2 * DAY));
}

// A clock that was wrong.

const YEARS: i64 = 110 * 365 * DAY;

/// The engine's clock jumped forward by many years, the phase was closed by it, and it has jumped
/// back.
fn after_a_jump(mut session: Session) -> Session {
    session.wait(HOUR);
    session.now += YEARS;
    session.wait(0);
    assert_eq!(session.round(), 1, "what was due has passed");
    session.now = 2 * HOUR;
    session
}

fn deadline(millis: i64) -> Kind {
    Kind::DeadlineSet(DeadlineSet { deadline: Some(stamp(millis)) })
}

#[test]
fn a_deadline_that_a_wrong_clock_set_is_mended_by_the_host() {
    let mut session = after_a_jump(Session::new("star-empires", &["ann", "bob"], |_| {}));
    session.wait(100 * DAY);
    assert_eq!(session.round(), 1, "it would wait for more than a century");
    assert!(session.table.ahead_of(session.now) > 100 * 365 * DAY);
    let now = session.now;
    let fault = refused(&mut session, "ann", deadline(now + DAY - 1));
    assert_eq!(fault.field.as_deref(), Some("due_time"), "not less than the whole phase: {fault}");
    refused(&mut session, "bob", deadline(now + DAY));
    session.does("ann", deadline(now + DAY));
    assert_eq!((session.left(), session.table.ahead_of(now)), (Some(DAY), 0));
    assert_eq!(session.deadline_changed(), Some(DeadlineReason::ClockMended));
    session.wait(DAY);
    assert_eq!((session.round(), session.left()), (2, Some(DAY)), "and goes on from there");
    assert_eq!(
        refused(&mut session, "ann", deadline(now + 3 * DAY)).reason,
        ErrorReason::RoleRequired,
        "it is mended"
    );
}

#[test]
fn whatever_a_wrong_clock_counted_from_its_time_is_set_back_with_it() {
    let mut session =
        Session::empires(|created| created.pace = Some(Pace { vacation_days: 9, ..daily() }));
    session.wait(HOUR);
    session.now += YEARS;
    session.wait(0);
    session.does("ann", propose(1, VoteSubject::Pause, 0));
    session.does("ann", Kind::VacationSet(VacationSet { seat: 1, days: 2 }));
    session.now -= YEARS;
    let now = session.now;
    session.does("gm", deadline(now + 9 * DAY));
    assert_eq!(session.deadline_changed(), Some(DeadlineReason::ClockMended));
    session.does("gm", deadline(now + 9 * DAY - 1));
    assert_eq!(session.deadline_changed(), Some(DeadlineReason::GameMaster), "it is mended");
    session.does("gm", deadline(now + 9 * DAY));
    session.wait(2 * DAY);
    assert!(
        !session.table.describe(Reader { player_id: "" }).seats[0].on_vacation,
        "the vacation is over"
    );
    session.wait(DAY);
    assert_eq!(session.table.votes()[0].state(), VoteState::Lapsed);
    assert_eq!(session.left(), Some(6 * DAY));
}

#[test]
fn automation_that_was_asked_for_submits_for_nobody() {
    let rule = heliopause_proto::v1::DelegationRule::Free.into();
    let mut session = Session::empires(|created| created.delegation = rule);
    session.does("bob", Kind::Delegated(Delegated { seat: 2, to: Some(AutomatedSeat::default()) }));
    let Kind::OrdersGiven(given) = session.given(2, "", false) else { unreachable!() };
    session.does(
        WORKER,
        Kind::OrdersGiven(OrdersGiven { automation: "emperor (standard)".to_owned(), ..given }),
    );
    session.does("bob", Kind::Delegated(Delegated { seat: 2, to: None }));
    session.does("gm", Kind::PhaseClosed(PhaseClosed {}));
    assert_eq!(session.rated("bob"), 0);
}

#[test]
fn who_plays_alone_delegates_whenever_they_like() {
    let to = || Some(AutomatedSeat::default());
    let mut session = Session::new("fate-of-empire", &["ann"], |_| {});
    session.does("ann", Kind::Delegated(Delegated { seat: 1, to: to() }));

    let mut session = Session::empires(|_| {});
    let refused = session.take("bob", Kind::Delegated(Delegated { seat: 2, to: to() }));
    assert_eq!(refused.unwrap_err().reason, ErrorReason::WrongStatus, "ann waits for bob");
}
