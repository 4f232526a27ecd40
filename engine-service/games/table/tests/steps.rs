//! Random steps of all kinds at a table: none panics, a refused one changes nothing, and the
//! journal replays and verifies.

use heliopause_kernel::{Seat, Viewer};
use heliopause_proto::store::v1::*;
use heliopause_proto::v1::{AutomatedSeat, Pace, PhasePace, VoteSubject};
use heliopause_table::{Table, chain, verify::Verifier};
use proptest::prelude::*;
use prost::Message as _;
use prost_types::Duration;
use step::Kind;

const SECRET: [u8; 32] = [9; 32];
const PEOPLE: [&str; 5] = ["ann", "bob", "cid", "gm", ""];

fn person(id: &str) -> Person {
    Person { player_id: id.to_owned(), name: id.to_uppercase() }
}

fn seat(id: &str) -> PlannedSeat {
    let taken = Taken { player: Some(person(id)), ..Taken::default() };
    PlannedSeat { plan: Some(planned_seat::Plan::Taken(taken)) }
}

fn lay(anonymous: bool) -> (Table, Entry) {
    let interval = Some(Duration { seconds: 60, nanos: 0 });
    let standard = Some(PhasePace { interval, grace: interval, ..PhasePace::default() });
    let created = Created {
        kind: "starships-at-large".to_owned(),
        seats: vec![seat("ann"), seat("bob"), PlannedSeat::default()],
        pace: Some(Pace {
            standard,
            vacation_days: 3,
            automate_after_misses: Some(2),
            ..Pace::default()
        }),
        game_master: Some(person("gm")),
        seed_commitment: chain::commitment(&SECRET).to_vec().into(),
        game_id: "table".to_owned(),
        start_when_full: true,
        anonymous,
        ..Created::default()
    };
    let (table, taken) = Table::lay(created, SECRET, "gm", 0).expect("a table");
    (table, taken.entry)
}

/// A step of some kind; most are legal at some moment, many are not.
#[expect(clippy::too_many_lines, reason = "one arm for each step")]
fn step_of(table: &Table, kind: u8, who: u8, number: u32, text: &str) -> Step {
    let by = PEOPLE[usize::from(who) % PEOPLE.len()];
    let seat_number = number % 5;
    let own = Seat::numbered(seat_number).filter(|seat| seat.index() < 4);
    let kind = match kind % 20 {
        0..=5 => Kind::OrdersGiven(orders(table, number)),
        6 => Kind::Joined(Joined {
            player: Some(person("cid")),
            seat: number % 4,
            ..Joined::default()
        }),
        7 => Kind::FlagSet(FlagSet { seat: seat_number, phase: 1, ready: Some(true), wait: None }),
        8 | 9 => Kind::Ticked(Ticked {}),
        10 => Kind::MessageSent(MessageSent {
            from_seat: seat_number,
            to_all: number.is_multiple_of(2),
            to_seats: vec![number % 7],
            to_game_master: number.is_multiple_of(3),
            text: text.to_owned(),
            ..MessageSent::default()
        }),
        11 => {
            let subjects =
                [VoteSubject::Draw, VoteSubject::Pause, VoteSubject::Resume, VoteSubject::Extend];
            let subject = subjects[number as usize % 4].into();
            let extension = Some(Duration { seconds: i64::from(number), nanos: 0 });
            Kind::VoteProposed(VoteProposed {
                seat: seat_number,
                subject,
                extension,
                ..VoteProposed::default()
            })
        }
        12 => Kind::VoteCast(VoteCast {
            seat: seat_number,
            vote: u64::from(number % 4),
            yes: number.is_multiple_of(3),
            automation: String::new(),
        }),
        13 => Kind::PauseSet(PauseSet { paused: number.is_multiple_of(2) }),
        14 => Kind::SeatGiven(SeatGiven {
            seat: seat_number,
            player: number.is_multiple_of(2).then(|| person("cid")),
        }),
        15 => {
            let by = number.is_multiple_of(2).then(AutomatedSeat::default);
            Kind::SeatAutomated(SeatAutomated { seat: seat_number, by })
        }
        16 => Kind::VacationSet(VacationSet { seat: seat_number, days: number % 5 }),
        17 => Kind::Delegated(Delegated {
            seat: seat_number,
            to: number.is_multiple_of(2).then(AutomatedSeat::default),
        }),
        18 => Kind::DiceScripted(DiceScripted { dice: vec![number], replace: false }),
        _ if number.is_multiple_of(50) => Kind::Resigned(Resigned { seat: seat_number }),
        _ => Kind::MissExcused(MissExcused { seat: seat_number }),
    };
    // Orders come from whoever holds the seat most of the time, or the game would never move.
    let holder = own.and_then(|seat| PEOPLE.iter().find(|id| table.seat_of(id) == Some(seat)));
    let by = match (&kind, holder) {
        (Kind::OrdersGiven(given), _) => PEOPLE
            .iter()
            .find(|id| table.seat_of(id).map(Seat::number) == Some(given.seat))
            .filter(|_| !who.is_multiple_of(4))
            .unwrap_or(&by),
        (_, Some(holder)) if !who.is_multiple_of(3) => holder,
        _ => by,
    };
    Step {
        by: by.to_owned(),
        kind: Some(kind),
        request_id: if who.is_multiple_of(2) { format!("r{number}") } else { String::new() },
        ..Step::default()
    }
}

/// An order that is offered to a seat that is asked, or the end of its turn.
fn orders(table: &Table, number: u32) -> OrdersGiven {
    let asked = Seat::first(4).filter(|&seat| seat.index() < 4 && table.game().is_some());
    let asked = asked.into_iter().find(|&seat| table.standing(seat).decision.is_some());
    let Some(seat) = asked else { return OrdersGiven { seat: 1, ..OrdersGiven::default() } };
    let standing = table.standing(seat);
    let lines: Vec<String> =
        table.offers(seat).iter().flat_map(|offers| offers.lines(100)).collect();
    let list = table.parse(Some(seat), &lines.join("\n")).expect("what is offered is read");
    // Lists too, whose later orders may be refused, or belong to another decision.
    let several = list
        .iter()
        .cycle()
        .skip(number as usize % list.len().max(1))
        .take(list.len().min(1 + number as usize % 3));
    OrdersGiven {
        seat: seat.number(),
        phase: standing.phase,
        revision: standing.revision,
        orders: several.cloned().collect(),
        automation: if number.is_multiple_of(9) {
            "captain (standard)".to_owned()
        } else {
            String::new()
        },
        ..OrdersGiven::default()
    }
}

proptest! {
    #![proptest_config(heliopause_testing::cases(24))]

    #[test]
    fn steps_of_all_kinds_keep_the_table_whole(
        anonymous: bool,
        steps in prop::collection::vec((any::<u8>(), any::<u8>(), 0_u32..1000, "[a-z ]{0,8}"), 1..160),
    ) {
        let (mut table, first) = lay(anonymous);
        let mut entries = vec![first];
        let mut now = 0;
        for (kind, who, number, text) in steps {
            now += i64::from(number) * 97;
            let step = step_of(&table, kind, who, number, &text);
            let before = table.snapshot();
            match table.take(step, now) {
                Ok(taken) => entries.push(taken.entry),
                Err(_) => prop_assert!(before == table.snapshot(), "a refused step has changed \
                    something"),
            }
        }
        // A snapshot loads to the same table.
        let again = Table::load(&table.snapshot(), SECRET).expect("a snapshot loads");
        prop_assert!(again.snapshot() == table.snapshot());
        // The journal verifies and replays.
        let mut verifier = Verifier::new(SECRET);
        for entry in &entries {
            verifier.entry(&entry.encode_to_vec());
        }
        let report = verifier.finish();
        prop_assert_eq!(report.fault, None);
        prop_assert_eq!(report.replayed, entries.len() as u64);
        // Every audience's numbers are dense.
        let viewers = [Viewer::Spectator, Viewer::GameMaster].into_iter().chain(Seat::first(4).map(Viewer::Seat));
        for viewer in viewers {
            let numbers: Vec<u64> =
                entries.iter().flat_map(|entry| Table::events_for(entry, viewer)).map(|event| event.number).collect();
            prop_assert!(numbers.iter().copied().eq(1..=table.told(viewer)), "{:?} is told {:?}", viewer, numbers);
        }
    }
}

#[test]
fn a_journal_that_was_touched_is_found_out() {
    let (mut table, first) = lay(false);
    let joined = Kind::Joined(Joined { player: Some(person("cid")), ..Joined::default() });
    let step = Step { by: "cid".to_owned(), kind: Some(joined), ..Step::default() };
    let second = table.take(step, 5).expect("a seat is open").entry;
    let report = |entries: &[Entry], secret| {
        let mut verifier = Verifier::new(secret);
        for entry in entries {
            verifier.entry(&entry.encode_to_vec());
        }
        verifier.finish()
    };
    assert_eq!(report(&[first.clone(), second.clone()], SECRET).fault, None);
    assert!(report(std::slice::from_ref(&second), SECRET).fault.unwrap().contains("follows"));
    assert!(
        report(&[first.clone(), second.clone()], [8; 32]).fault.unwrap().contains("hash"),
        "another seed"
    );
    let mut touched = second.clone();
    touched.rolls[0].value = touched.rolls[0].value % 6 + 1;
    assert!(report(&[first.clone(), touched.clone()], SECRET).fault.unwrap().contains("hash"));
    // Whoever forges the chain too is betrayed by the dice.
    touched.hash = bytes::Bytes::new();
    touched.hash = chain::entry_hash(&SECRET, &first.hash, &touched).to_vec().into();
    assert!(report(&[first, touched], SECRET).fault.unwrap().contains("seed"));
}
