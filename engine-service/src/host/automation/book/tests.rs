use heliopause_proto::v1::{AutomatedSeat, Vote};
use heliopause_table::Standing;

use super::*;

const LASTING: Lasting = Lasting { unrenewed: 1_000, longest: 20_000 };

fn wanted(seat: usize, profile: &str, revision: u64) -> Wanted {
    Wanted {
        seat: Seat::at(seat),
        by: AutomatedSeat {
            profile: profile.to_owned(),
            level: "standard".to_owned(),
            end_time: None,
        },
        asked: Asked::Decision(Standing { phase: 1, revision, decision: None }),
        memo: bytes::Bytes::new(),
        seed: Default::default(),
        may_write: false,
    }
}

fn wanted_voice(seat: usize, profile: &str, number: u64) -> Wanted {
    Wanted { asked: Asked::Vote(Vote { number, ..Vote::default() }), ..wanted(seat, profile, 0) }
}

/// Wants of games without a host: each takes its own turns.
fn wants(book: &mut Book, game_id: &str, wanted: &[Wanted]) -> Taken {
    book.wants(game_id, "", "k", wanted)
}

fn hire(book: &mut Book, profile: &str, capacity: u32) -> (WorkerId, mpsc::Receiver<WorkResponse>) {
    hire_of(book, "somebody", profile, capacity)
}

/// Hires a worker of an account.
fn hire_of(
    book: &mut Book,
    account: &str,
    profile: &str,
    capacity: u32,
) -> (WorkerId, mpsc::Receiver<WorkResponse>) {
    let profile =
        Profile { kind: "k".to_owned(), name: profile.to_owned(), level: "standard".to_owned() };
    let (mailbox, messages) = mpsc::channel(8);
    (book.hire(account, [profile].into(), capacity, mailbox, 0), messages)
}

/// So long after the beginning.
fn at(millis: Millis) -> Moment {
    Moment::FIRST + millis
}

/// What is given to be answered now.
fn give(book: &mut Book, now: Millis) -> Vec<Given> {
    let given = book.assign(at(now), LASTING);
    let waiting = book.wants.values().filter(|want| want.state == State::Waiting).count();
    assert_eq!(book.queue.len(), waiting);
    let resting =
        book.wants.values().filter(|want| matches!(want.state, State::Resting(_))).count();
    assert_eq!(book.resting.len(), resting);
    given
}

/// Whose turn it is to be answered now, and the leases.
fn assign(book: &mut Book, now: Millis) -> Vec<(String, u64)> {
    give(book, now).into_iter().map(|given| (given.key.game_id, given.lease.lease_id)).collect()
}

fn games(given: &[(String, u64)]) -> Vec<&str> {
    given.iter().map(|(game_id, _)| game_id.as_str()).collect()
}

#[test]
fn who_has_waited_longest_is_answered_first_and_nobody_gets_more_than_they_take() {
    let mut book = Book::default();
    for game_id in ["c", "a", "b"] {
        assert!(wants(&mut book, game_id, &[wanted(0, "p", 0)]).is_empty());
    }
    assert!(assign(&mut book, 0).is_empty(), "nobody is there");
    let (_worker, _messages) = hire(&mut book, "p", 2);
    let first = assign(&mut book, 0);
    assert_eq!(games(&first), ["c", "a"]);
    assert!(assign(&mut book, 0).is_empty(), "the worker is busy");
    // What was answered is closed by the game, which wants something new now, and that waits behind
    // the rest.
    assert_eq!(wants(&mut book, "c", &[wanted(0, "p", 1)]).len(), 1, "the holder is told");
    book.answered(first[0].1);
    assert_eq!(games(&assign(&mut book, 0)), ["b"]);
    book.give_back(first[1].1, at(0));
    assert_eq!(games(&assign(&mut book, 0)), ["c"], "who was given back had their turn");
}

#[test]
fn what_rests_or_cannot_be_played_keeps_nobody_else_waiting() {
    let mut book = Book::default();
    let (worker, _messages) = hire(&mut book, "p", 1);
    wants(&mut book, "unplayed", &[wanted(0, "q", 0)]);
    wants(&mut book, "resting", &[wanted(0, "p", 0)]);
    wants(&mut book, "barred", &[wanted(0, "p", 0)]);
    let given = assign(&mut book, 0);
    assert_eq!(games(&given), ["resting"]);
    book.give_back(given[0].1, at(500));
    book.bar(&Key::of("barred", &wanted(0, "p", 0)), worker);
    wants(&mut book, "later", &[wanted(0, "p", 0)]);
    let given = assign(&mut book, 499);
    assert_eq!(games(&given), ["later"]);
    assert!(book.is_missing("unplayed") && !book.is_missing("later"));
    book.give_back(given[0].1, at(2_000));
    assert_eq!(games(&assign(&mut book, 500)), ["resting"]);
}

#[test]
fn what_is_over_is_not_waited_for() {
    let mut book = Book::default();
    let (worker, _messages) = hire(&mut book, "p", 3);
    wants(&mut book, "g", &[wanted(0, "p", 0), wanted(1, "p", 0), wanted(2, "p", 0)]);
    let given = assign(&mut book, 0);
    assert_eq!(given.len(), 3);
    assert_eq!(wants(&mut book, "g", &[wanted(1, "p", 0)]).len(), 2);
    assert!(assign(&mut book, 0).is_empty(), "the third is still being answered");
    assert_eq!(book.expire(at(1_000)).len(), 1);
    let others_had_time = 1_000 + OTHERS_FIRST;
    assert!(assign(&mut book, others_had_time - 1).is_empty(), "other engines come first");
    assert_eq!(games(&assign(&mut book, others_had_time)), ["g"]);
    book.strike_off(worker, 0);
    let (_other, _messages) = hire(&mut book, "p", 3);
    assert_eq!(games(&assign(&mut book, 1_000)), ["g"], "another takes over");
    assert_eq!(book.forget("g").len(), 1);
    assert!(assign(&mut book, 1_000).is_empty());
    assert_eq!(book.queue.len(), 0);
}

#[test]
fn who_let_a_decision_run_out_is_not_asked_first_because_its_game_left_memory() {
    let mut book = Book::default();
    let (_worker, _messages) = hire(&mut book, "p", 3);
    wants(&mut book, "g", &[wanted(0, "p", 0)]);
    assert_eq!(assign(&mut book, 0).len(), 1);
    assert_eq!(book.expire(at(1_000)).len(), 1);
    book.forget("g");
    wants(&mut book, "g", &[wanted(0, "p", 0)]);
    let others_had_time = 1_000 + OTHERS_FIRST;
    assert!(assign(&mut book, others_had_time - 1).is_empty(), "other engines come first");
    book.forget("g");
    wants(&mut book, "g", &[wanted(0, "p", 0)]);
    assert_eq!(games(&assign(&mut book, others_had_time)), ["g"]);

    book.forget("g");
    wants(&mut book, "g", &[wanted(0, "p", 1)]);
    assert_eq!(games(&assign(&mut book, 1_000)), ["g"], "it is another decision");
    assert_eq!(book.expire(at(2_000)).len(), 1);
    book.forget("g");
    assert_eq!(book.left.len(), 1);
    book.expire(at(2_000 + OTHERS_FIRST));
    assert!(book.left.is_empty(), "nothing is kept for longer than it counts");
}

#[test]
fn a_seat_is_asked_for_its_decision_and_for_its_voice_by_leases_of_their_own() {
    let mut book = Book::default();
    let (_worker, _messages) = hire(&mut book, "p", 4);
    let all = [wanted(0, "p", 0), wanted_voice(0, "p", 7), wanted_voice(0, "p", 8)];
    wants(&mut book, "g", &all);
    let given = give(&mut book, 0);
    assert_eq!(given.iter().map(|given| given.key.vote).collect::<Vec<_>>(), [0, 7, 8]);
    // The decision goes on while the votes are the same; one is over.
    assert_eq!(wants(&mut book, "g", &[wanted(0, "p", 1), wanted_voice(0, "p", 8)]).len(), 2);
    assert_eq!(
        give(&mut book, 0).len(),
        1,
        "the new decision; the second voice is being asked for"
    );
}

/// Security D9: 60 games of 59 automated seats of one account wait, and a worker answers 100 a
/// second.
#[test]
fn nobody_waits_for_another_hosts_thousands_of_decisions() {
    const ANSWER_TAKES: Millis = 10;
    let mut book = Book::default();
    for game in 0..60 {
        let seats: Vec<Wanted> = (0..59).map(|seat| wanted(seat, "p", 0)).collect();
        book.wants(&format!("many-{game}"), "busy", "k", &seats);
    }
    let (_worker, _messages) = hire(&mut book, "p", 1);
    let (mut now, mut first, mut shares) = (0, None, BTreeMap::<String, usize>::new());
    for turn in 0..600 {
        if turn == 200 {
            book.wants("single", "other", "k", &[wanted(0, "p", 0)]);
        }
        let given = give(&mut book, now);
        let [given] = given.as_slice() else { panic!("one at a time") };
        if given.key.game_id == "single" {
            first.get_or_insert(now - 200 * ANSWER_TAKES);
        }
        *shares.entry(given.key.game_id.clone()).or_default() += 1;
        now += ANSWER_TAKES;
        let (game_id, host) = (
            given.key.game_id.clone(),
            if given.key.game_id == "single" { "other" } else { "busy" },
        );
        // The seat is asked again at once, as in a game that nobody but automation plays.
        let again: Vec<Wanted> = match host {
            "other" => vec![wanted(0, "p", turn + 1)],
            _ => (0..59)
                .map(|seat| {
                    wanted(seat, "p", if Seat::at(seat) == given.key.seat { turn + 1 } else { 0 })
                })
                .collect(),
        };
        book.begin_answer(given.worker, given.lease).expect("it is held");
        book.wants(&game_id, host, "k", &again);
        book.answered(given.lease.lease_id);
    }
    assert!(first.expect("it had its turn") <= 2 * ANSWER_TAKES, "{first:?} ms");
    assert_eq!(shares["single"], 200, "from then on the two hosts take turns");
    let of_many =
        shares.iter().filter(|(game_id, _)| *game_id != "single").map(|(_, count)| *count);
    assert!(
        of_many.clone().max() <= of_many.min().map(|least| least + 1),
        "so do the games of a host: {shares:?}"
    );
}

/// Contract 14: the engine tells an answer's result before it gives its room to another lease.
#[test]
fn a_worker_has_room_for_the_next_lease_only_when_its_answer_is_accepted() {
    let mut book = Book::default();
    let (worker, _messages) = hire(&mut book, "p", 1);
    wants(&mut book, "g", &[wanted(0, "p", 0)]);
    let given = give(&mut book, 0);
    book.begin_answer(worker, given[0].lease).expect("it is held");
    assert!(wants(&mut book, "g", &[wanted(0, "p", 1)]).is_empty(), "its answer did that");
    assert!(give(&mut book, 0).is_empty(), "it has not been told that the answer was accepted");
    book.answered(given[0].lease.lease_id);
    assert_eq!(give(&mut book, 0)[0].revision, 1);
    assert_eq!(book.counts(), (1, 1, 1));
}

#[test]
fn an_answer_that_is_refused_when_nothing_is_asked_any_more_has_lost_its_lease() {
    let mut book = Book::default();
    let (worker, _messages) = hire(&mut book, "p", 1);
    wants(&mut book, "g", &[wanted(0, "p", 0)]);
    let given = give(&mut book, 0);
    book.begin_answer(worker, given[0].lease).expect("it is held");
    assert_eq!(book.fail(given[0].lease.lease_id, "", 0), Failed::Stays(4));
    book.begin_answer(worker, given[0].lease).expect("it is still held");
    wants(&mut book, "g", &[]);
    assert_eq!(book.fail(given[0].lease.lease_id, "", 0), Failed::Gone);
}

#[test]
fn a_worker_that_is_busy_rests_and_the_decision_does_not() {
    let mut book = Book::default();
    let (busy, _messages) = hire(&mut book, "p", 1);
    wants(&mut book, "g", &[wanted(0, "p", 0)]);
    let given = give(&mut book, 0);
    book.rest(busy, at(500));
    book.give_back(given[0].lease.lease_id, Moment::FIRST);
    assert!(give(&mut book, 0).is_empty() && !book.has_time(at(0)));
    let (other, _messages) = hire(&mut book, "p", 1);
    let given = give(&mut book, 0);
    assert_eq!(given[0].worker, other, "another is asked at once");
    book.strike_off(other, 0);
    assert_eq!(give(&mut book, 500)[0].worker, busy);
}

/// Security D10: a worker that renews for ever.
#[test]
fn a_lease_is_not_renewed_for_ever_and_others_are_asked_first_then() {
    let mut book = Book::default();
    let (slow, _messages) = hire(&mut book, "p", 1);
    wants(&mut book, "g", &[wanted(0, "p", 0)]);
    let lease = give(&mut book, 0)[0].lease;
    let mut now = 0;
    while book.renew(slow, lease, at(now), LASTING).is_some() {
        assert!(book.expire(at(now)).is_empty(), "it was renewed in time");
        now += LASTING.unrenewed / 2;
        assert!(now <= LASTING.longest, "it ends");
    }
    assert_eq!(now, LASTING.longest);
    assert!(book.held(slow, lease).is_none());
    let (other, _messages) = hire(&mut book, "p", 1);
    assert_eq!(give(&mut book, now)[0].worker, other, "not who had it so long");
}

/// Fails at a lease as often as it may.
fn fail(book: &mut Book, lease: u64, now: Millis) -> Failed {
    for left in (1..FAILURES_MAX).rev() {
        assert_eq!(book.fail(lease, "wrong", now), Failed::Stays(left));
    }
    book.fail(lease, "wrong again", now)
}

#[test]
fn what_one_account_cannot_answer_others_are_asked_and_then_nobody() {
    let mut book = Book::default();
    let (_first, _messages) = hire_of(&mut book, "one", "p", 4);
    let (_same, _more) = hire_of(&mut book, "one", "p", 4);
    wants(&mut book, "g", &[wanted(0, "p", 0)]);
    wants(&mut book, "h", &[wanted(0, "q", 0)]);
    let (other, _others) = hire_of(&mut book, "other", "p", 4);
    let lease = give(&mut book, 0)[0].lease.lease_id;
    assert_eq!(fail(&mut book, lease, 1), Failed::Offered, "by the other account");
    let given = give(&mut book, 1);
    assert_eq!((given.len(), given[0].worker), (1, other));
    assert_eq!(fail(&mut book, given[0].lease.lease_id, 2), Failed::Parked);
    assert!(give(&mut book, 1_000_000).is_empty(), "nobody is asked, however long it waits");
    let parked = book.parked();
    assert_eq!((parked.len(), parked[0].failures, parked[0].since), (1, 2 * FAILURES_MAX, 2));
    assert_eq!((parked[0].why.as_str(), book.count_parked()), ("wrong again", 1));
    assert!(
        book.is_stuck("g") && !book.is_stuck("h"),
        "that nobody plays a profile is something else"
    );
    // Whoever comes and has not failed is asked; whoever has is not.
    let (_again, _back) = hire_of(&mut book, "one", "p", 4);
    assert!(give(&mut book, 3).is_empty());
    let (third, _third) = hire_of(&mut book, "third", "p", 4);
    assert_eq!(give(&mut book, 3)[0].worker, third);
    book.strike_off(third, 4);
    assert_eq!(book.count_parked(), 1, "only those are left who failed");
    let key = book.parked()[0].key.clone();
    assert!(book.retry(&key) && !book.retry(&key), "once");
    assert_eq!(give(&mut book, 5).len(), 1, "all are asked again");
}

#[test]
fn what_is_parked_is_gone_with_its_decision() {
    let mut book = Book::default();
    let (_worker, _messages) = hire(&mut book, "p", 4);
    wants(&mut book, "g", &[wanted(0, "p", 0), wanted_voice(1, "p", 1)]);
    let leases: Vec<u64> = give(&mut book, 0).iter().map(|given| given.lease.lease_id).collect();
    for lease in leases {
        assert_eq!(fail(&mut book, lease, 0), Failed::Parked);
    }
    assert_eq!(book.count_parked(), 2);
    assert!(wants(&mut book, "g", &[wanted(0, "p", 0)]).is_empty(), "the vote is over");
    assert_eq!(book.count_parked(), 1);
    assert!(wants(&mut book, "g", &[wanted(0, "p", 1)]).is_empty());
    assert_eq!(
        (book.count_parked(), give(&mut book, 0).len()),
        (0, 1),
        "another revision is asked anew"
    );
}
