use heliopause_proto::v1::{AutomatedSeat, Vote};
use heliopause_table::DecisionState;

use super::*;

const LASTING: LeaseDurations = LeaseDurations { unrenewed: 1_000, longest: 20_000 };

fn wanted(seat: usize, profile: &str, revision: u64) -> AutomationTask {
    AutomationTask {
        seat: Seat::at(seat),
        by: AutomatedSeat {
            profile: profile.to_owned(),
            level: "standard".to_owned(),
            end_time: None,
        },
        kind: TaskKind::Decision(DecisionState { phase: 1, revision, decision: None }),
        memo: bytes::Bytes::new(),
        seed: Default::default(),
        may_write: false,
    }
}

fn wanted_vote(seat: usize, profile: &str, number: u64) -> AutomationTask {
    AutomationTask {
        kind: TaskKind::Vote(Vote { number, ..Vote::default() }),
        ..wanted(seat, profile, 0)
    }
}

fn demands(table: &mut LeaseTable, game_id: &str, wanted: &[AutomationTask]) -> RevokedLeases {
    table.demands(game_id, "", "k", wanted)
}

fn add_worker(
    table: &mut LeaseTable,
    profile: &str,
    capacity: u32,
) -> (WorkerId, mpsc::Receiver<WorkResponse>) {
    add_worker_of(table, "somebody", profile, capacity)
}

fn add_worker_of(
    table: &mut LeaseTable,
    account: &str,
    profile: &str,
    capacity: u32,
) -> (WorkerId, mpsc::Receiver<WorkResponse>) {
    let profile =
        Profile { kind: "k".to_owned(), name: profile.to_owned(), level: "standard".to_owned() };
    let (mailbox, messages) = mpsc::channel(8);
    (table.add_worker(account, [profile].into(), capacity, mailbox, 0), messages)
}

fn at(millis: Millis) -> Moment {
    Moment::FIRST + millis
}

fn give(table: &mut LeaseTable, now: Millis) -> Vec<NewLease> {
    let given = table.assign(at(now), LASTING);
    let waiting = table.demands.values().filter(|want| want.state == State::Waiting).count();
    assert_eq!(table.queue.len(), waiting);
    let resting =
        table.demands.values().filter(|want| matches!(want.state, State::Resting(_))).count();
    assert_eq!(table.resting.len(), resting);
    given
}

fn assign(table: &mut LeaseTable, now: Millis) -> Vec<(String, u64)> {
    give(table, now)
        .into_iter()
        .map(|given| (given.held.key.game_id, given.lease.lease_id))
        .collect()
}

fn games(given: &[(String, u64)]) -> Vec<&str> {
    given.iter().map(|(game_id, _)| game_id.as_str()).collect()
}

#[test]
fn the_longest_waiting_demand_is_leased_first_within_capacity() {
    let mut table = LeaseTable::default();
    for game_id in ["c", "a", "b"] {
        assert!(demands(&mut table, game_id, &[wanted(0, "p", 0)]).is_empty());
    }
    assert!(assign(&mut table, 0).is_empty(), "no worker is connected");
    let (_worker, _messages) = add_worker(&mut table, "p", 2);
    let first = assign(&mut table, 0);
    assert_eq!(games(&first), ["c", "a"]);
    assert!(assign(&mut table, 0).is_empty(), "the worker is busy");
    // The answer closes its demand. The game adds a new demand, which queues behind the others.
    assert_eq!(demands(&mut table, "c", &[wanted(0, "p", 1)]).len(), 1);
    table.answered(first[0].1);
    assert_eq!(games(&assign(&mut table, 0)), ["b"]);
    table.give_back(first[1].1, at(0));
    assert_eq!(games(&assign(&mut table, 0)), ["c"]);
}

#[test]
fn resting_and_unplayable_demands_do_not_block_others() {
    let mut table = LeaseTable::default();
    let (worker, _messages) = add_worker(&mut table, "p", 1);
    demands(&mut table, "unplayed", &[wanted(0, "q", 0)]);
    demands(&mut table, "resting", &[wanted(0, "p", 0)]);
    demands(&mut table, "barred", &[wanted(0, "p", 0)]);
    let given = assign(&mut table, 0);
    assert_eq!(games(&given), ["resting"]);
    table.give_back(given[0].1, at(500));
    table.exclude(&Key::of("barred", &wanted(0, "p", 0)), worker);
    demands(&mut table, "later", &[wanted(0, "p", 0)]);
    let given = assign(&mut table, 499);
    assert_eq!(games(&given), ["later"]);
    assert!(table.is_missing("unplayed") && !table.is_missing("later"));
    table.give_back(given[0].1, at(2_000));
    assert_eq!(games(&assign(&mut table, 500)), ["resting"]);
}

#[test]
fn closed_decisions_are_removed() {
    let mut table = LeaseTable::default();
    let (worker, _messages) = add_worker(&mut table, "p", 3);
    demands(&mut table, "g", &[wanted(0, "p", 0), wanted(1, "p", 0), wanted(2, "p", 0)]);
    let given = assign(&mut table, 0);
    assert_eq!(given.len(), 3);
    assert_eq!(demands(&mut table, "g", &[wanted(1, "p", 0)]).len(), 2);
    assert!(assign(&mut table, 0).is_empty(), "the third decision is still leased");
    assert_eq!(table.expire(at(1_000)).len(), 1);
    let others_had_time = 1_000 + SKIPPED_FOR;
    assert!(assign(&mut table, others_had_time - 1).is_empty(), "other engines come first");
    assert_eq!(games(&assign(&mut table, others_had_time)), ["g"]);
    table.remove_worker(worker, 0);
    let (_other, _messages) = add_worker(&mut table, "p", 3);
    assert_eq!(games(&assign(&mut table, 1_000)), ["g"], "another worker gets the demand");
    assert_eq!(table.forget("g").len(), 1);
    assert!(assign(&mut table, 1_000).is_empty());
    assert_eq!(table.queue.len(), 0);
}

#[test]
fn an_expired_worker_stays_last_after_its_game_is_evicted() {
    let mut table = LeaseTable::default();
    let (_worker, _messages) = add_worker(&mut table, "p", 3);
    demands(&mut table, "g", &[wanted(0, "p", 0)]);
    assert_eq!(assign(&mut table, 0).len(), 1);
    assert_eq!(table.expire(at(1_000)).len(), 1);
    table.forget("g");
    demands(&mut table, "g", &[wanted(0, "p", 0)]);
    let others_had_time = 1_000 + SKIPPED_FOR;
    assert!(assign(&mut table, others_had_time - 1).is_empty(), "other engines come first");
    table.forget("g");
    demands(&mut table, "g", &[wanted(0, "p", 0)]);
    assert_eq!(games(&assign(&mut table, others_had_time)), ["g"]);

    table.forget("g");
    demands(&mut table, "g", &[wanted(0, "p", 1)]);
    assert_eq!(games(&assign(&mut table, 1_000)), ["g"], "the decision is another one");
    assert_eq!(table.expire(at(2_000)).len(), 1);
    table.forget("g");
    assert_eq!(table.left.len(), 1);
    table.expire(at(2_000 + SKIPPED_FOR));
    assert!(table.left.is_empty(), "outdated records are removed");
}

#[test]
fn decisions_and_votes_of_a_seat_have_separate_leases() {
    let mut table = LeaseTable::default();
    let (_worker, _messages) = add_worker(&mut table, "p", 4);
    let all = [wanted(0, "p", 0), wanted_vote(0, "p", 7), wanted_vote(0, "p", 8)];
    demands(&mut table, "g", &all);
    let given = give(&mut table, 0);
    assert_eq!(given.iter().map(|given| given.held.key.vote).collect::<Vec<_>>(), [0, 7, 8]);
    assert_eq!(demands(&mut table, "g", &[wanted(0, "p", 1), wanted_vote(0, "p", 8)]).len(), 2);
    assert_eq!(
        give(&mut table, 0).len(),
        1,
        "only the new decision; the second vote is still leased"
    );
}

/// Security D9: decisions are pending in 60 games with 59 automated seats each, all hosted by one
/// account. A worker answers 100 decisions per second.
#[test]
fn security_d9_a_host_with_thousands_of_decisions_delays_no_other() {
    const ANSWER_TAKES: Millis = 10;
    let mut table = LeaseTable::default();
    for game in 0..60 {
        let seats: Vec<AutomationTask> = (0..59).map(|seat| wanted(seat, "p", 0)).collect();
        table.demands(&format!("many-{game}"), "busy", "k", &seats);
    }
    let (_worker, _messages) = add_worker(&mut table, "p", 1);
    let (mut now, mut first, mut shares) = (0, None, BTreeMap::<String, usize>::new());
    for turn in 0..600 {
        if turn == 200 {
            table.demands("single", "other", "k", &[wanted(0, "p", 0)]);
        }
        let given = give(&mut table, now);
        let [given] = given.as_slice() else { panic!("one at a time") };
        if given.held.key.game_id == "single" {
            first.get_or_insert(now - 200 * ANSWER_TAKES);
        }
        *shares.entry(given.held.key.game_id.clone()).or_default() += 1;
        now += ANSWER_TAKES;
        let (game_id, host) = (
            given.held.key.game_id.clone(),
            if given.held.key.game_id == "single" { "other" } else { "busy" },
        );
        let again: Vec<AutomationTask> = match host {
            "other" => vec![wanted(0, "p", turn + 1)],
            _ => (0..59)
                .map(|seat| {
                    wanted(
                        seat,
                        "p",
                        if Seat::at(seat) == given.held.key.seat { turn + 1 } else { 0 },
                    )
                })
                .collect(),
        };
        table.begin_answer(given.worker, given.lease).expect("the worker has the lease");
        table.demands(&game_id, host, "k", &again);
        table.answered(given.lease.lease_id);
    }
    assert!(first.expect("the single game got a lease") <= 2 * ANSWER_TAKES, "{first:?} ms");
    assert_eq!(shares["single"], 200, "afterwards, the two hosts take turns");
    let of_many =
        shares.iter().filter(|(game_id, _)| *game_id != "single").map(|(_, count)| *count);
    assert!(
        of_many.clone().max() <= of_many.min().map(|least| least + 1),
        "the games of a host take turns too: {shares:?}"
    );
}

/// Contract 14: the engine reports the result of an answer before it uses the worker's capacity for
/// another lease.
#[test]
fn capacity_is_freed_only_after_an_answer_is_accepted() {
    let mut table = LeaseTable::default();
    let (worker, _messages) = add_worker(&mut table, "p", 1);
    demands(&mut table, "g", &[wanted(0, "p", 0)]);
    let given = give(&mut table, 0);
    table.begin_answer(worker, given[0].lease).expect("the worker has the lease");
    assert!(demands(&mut table, "g", &[wanted(0, "p", 1)]).is_empty());
    assert!(
        give(&mut table, 0).is_empty(),
        "the worker does not know yet that the answer was accepted"
    );
    table.answered(given[0].lease.lease_id);
    assert_eq!(give(&mut table, 0)[0].held.revision, 1);
    assert_eq!(table.counts(), (1, 1, 1));
}

#[test]
fn a_rejected_answer_to_a_closed_decision_loses_its_lease() {
    let mut table = LeaseTable::default();
    let (worker, _messages) = add_worker(&mut table, "p", 1);
    demands(&mut table, "g", &[wanted(0, "p", 0)]);
    let given = give(&mut table, 0);
    table.begin_answer(worker, given[0].lease).expect("the worker has the lease");
    assert_eq!(table.fail(given[0].lease.lease_id, "", 0), Failed::Stays(4));
    table.begin_answer(worker, given[0].lease).expect("the worker still has the lease");
    demands(&mut table, "g", &[]);
    assert_eq!(table.fail(given[0].lease.lease_id, "", 0), Failed::Gone);
}

#[test]
fn a_busy_worker_rests_but_the_decision_does_not() {
    let mut table = LeaseTable::default();
    let (busy, _messages) = add_worker(&mut table, "p", 1);
    demands(&mut table, "g", &[wanted(0, "p", 0)]);
    let given = give(&mut table, 0);
    table.rest(busy, at(500));
    table.give_back(given[0].lease.lease_id, Moment::FIRST);
    assert!(give(&mut table, 0).is_empty() && !table.has_time(at(0)));
    let (other, _messages) = add_worker(&mut table, "p", 1);
    let given = give(&mut table, 0);
    assert_eq!(given[0].worker, other, "another worker gets the demand immediately");
    table.remove_worker(other, 0);
    assert_eq!(give(&mut table, 500)[0].worker, busy);
}

/// Security D10: a worker could renew its lease without limit.
#[test]
fn security_d10_renewal_is_limited_and_then_others_come_first() {
    let mut table = LeaseTable::default();
    let (slow, _messages) = add_worker(&mut table, "p", 1);
    demands(&mut table, "g", &[wanted(0, "p", 0)]);
    let lease = give(&mut table, 0)[0].lease;
    let mut now = 0;
    while table.renew(slow, lease, at(now), LASTING).is_some() {
        assert!(table.expire(at(now)).is_empty(), "the lease was renewed in time");
        now += LASTING.unrenewed / 2;
        assert!(now <= LASTING.longest, "the lease reaches its limit");
    }
    assert_eq!(now, LASTING.longest);
    assert!(table.held(slow, lease).is_none());
    let (other, _messages) = add_worker(&mut table, "p", 1);
    assert_eq!(give(&mut table, now)[0].worker, other, "the slow worker is last");
}

fn fail(table: &mut LeaseTable, lease: u64, now: Millis) -> Failed {
    for left in (1..FAILURES_MAX).rev() {
        assert_eq!(table.fail(lease, "wrong", now), Failed::Stays(left));
    }
    table.fail(lease, "wrong again", now)
}

#[test]
fn a_failed_decision_goes_to_other_accounts_and_is_then_parked() {
    let mut table = LeaseTable::default();
    let (_first, _messages) = add_worker_of(&mut table, "one", "p", 4);
    let (_same, _more) = add_worker_of(&mut table, "one", "p", 4);
    demands(&mut table, "g", &[wanted(0, "p", 0)]);
    demands(&mut table, "h", &[wanted(0, "q", 0)]);
    let (other, _others) = add_worker_of(&mut table, "other", "p", 4);
    let lease = give(&mut table, 0)[0].lease.lease_id;
    assert_eq!(fail(&mut table, lease, 1), Failed::Offered, "by the other account");
    let given = give(&mut table, 1);
    assert_eq!((given.len(), given[0].worker), (1, other));
    assert_eq!(fail(&mut table, given[0].lease.lease_id, 2), Failed::Parked);
    assert!(give(&mut table, 1_000_000).is_empty(), "a parked demand is not leased");
    let parked = table.parked();
    assert_eq!((parked.len(), parked[0].failures, parked[0].since), (1, 2 * FAILURES_MAX, 2));
    assert_eq!((parked[0].why.as_str(), table.count_parked()), ("wrong again", 1));
    assert!(
        table.is_stuck("g") && !table.is_stuck("h"),
        "a demand without workers for its profile is not parked"
    );
    let (_again, _back) = add_worker_of(&mut table, "one", "p", 4);
    assert!(give(&mut table, 3).is_empty());
    let (third, _third) = add_worker_of(&mut table, "third", "p", 4);
    assert_eq!(give(&mut table, 3)[0].worker, third);
    table.remove_worker(third, 4);
    assert_eq!(table.count_parked(), 1, "only accounts that failed are left");
    let key = table.parked()[0].key.clone();
    assert!(table.retry(&key) && !table.retry(&key), "once");
    assert_eq!(give(&mut table, 5).len(), 1, "the demand is leased again");
}

#[test]
fn a_parked_demand_is_removed_with_its_decision() {
    let mut table = LeaseTable::default();
    let (_worker, _messages) = add_worker(&mut table, "p", 4);
    demands(&mut table, "g", &[wanted(0, "p", 0), wanted_vote(1, "p", 1)]);
    let leases: Vec<u64> = give(&mut table, 0).iter().map(|given| given.lease.lease_id).collect();
    for lease in leases {
        assert_eq!(fail(&mut table, lease, 0), Failed::Parked);
    }
    assert_eq!(table.count_parked(), 2);
    assert!(demands(&mut table, "g", &[wanted(0, "p", 0)]).is_empty(), "the vote is over");
    assert_eq!(table.count_parked(), 1);
    assert!(demands(&mut table, "g", &[wanted(0, "p", 1)]).is_empty());
    assert_eq!((table.count_parked(), give(&mut table, 0).len()), (0, 1));
}
