//! Random steps in games of all kinds. No step panics, a refused one changes nothing, and the
//! journal can be replayed and verified.

use heliopause_kernel::{Seat, Viewer};
use heliopause_proto::store::v1::*;
use heliopause_proto::v1::{AutomatedSeat, Pace, PhasePace, VoteSubject};
use heliopause_table::{Table, chain, verify::Verifier};
use proptest::prelude::*;
use prost::Message as _;
use prost_types::Duration;
use step::Kind;

use crate::scene::{SECRET, Scene, created, millis, person};

const PEOPLE: [&str; 5] = ["ann", "bob", "cid", "gm", ""];

fn create(anonymous: bool) -> Scene {
    let interval = millis(60_000);
    let standard = Some(PhasePace { interval, grace: interval, ..PhasePace::default() });
    let pace =
        Pace { standard, vacation_days: 3, automate_after_misses: Some(2), ..Pace::default() };
    let mut created = created("starships-at-large", &["ann", "bob"]);
    created.seats.push(PlannedSeat::default());
    Scene::new(Created { pace: Some(pace), anonymous, ..created })
}

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
    // Orders usually come from the seat's holder. Otherwise the game would never progress.
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

fn orders(table: &Table, number: u32) -> OrdersGiven {
    let asked = Seat::first(4).filter(|&seat| seat.index() < 4 && table.game().is_some());
    let asked = asked.into_iter().find(|&seat| table.decision_state(seat).decision.is_some());
    let Some(seat) = asked else { return OrdersGiven { seat: 1, ..OrdersGiven::default() } };
    let decision_state = table.decision_state(seat);
    let lines: Vec<String> =
        table.offers(seat).iter().flat_map(|offers| offers.lines(100)).collect();
    let list = table.parse(Some(seat), &lines.join("\n")).expect("what is offered is read");
    // Also give lists in which later orders may be refused or belong to another decision.
    let several = list
        .iter()
        .cycle()
        .skip(number as usize % list.len().max(1))
        .take(list.len().min(1 + number as usize % 3));
    OrdersGiven {
        seat: seat.number(),
        phase: decision_state.phase,
        revision: decision_state.revision,
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
    fn steps_of_all_kinds_keep_invariants(
        anonymous: bool,
        steps in prop::collection::vec((any::<u8>(), any::<u8>(), 0_u32..1000, "[a-z ]{0,8}"), 1..160),
    ) {
        let mut scene = create(anonymous);
        for (kind, who, number, text) in steps {
            scene.now += i64::from(number) * 97;
            let step = step_of(&scene.table, kind, who, number, &text);
            let before = scene.table.snapshot();
            if scene.apply_step(step).is_err() {
                prop_assert!(before == scene.table.snapshot(), "a refused step has changed something");
            }
        }
        scene.verify();
        let viewers = [Viewer::Spectator, Viewer::GameMaster].into_iter().chain(Seat::first(4).map(Viewer::Seat));
        for viewer in viewers {
            let numbers: Vec<u64> =
                scene.entries.iter().flat_map(|entry| Table::events_for(entry, viewer)).map(|event| event.number).collect();
            prop_assert!(numbers.iter().copied().eq(1..=scene.table.event_count(viewer)), "{:?} received the numbers {:?}", viewer, numbers);
        }
    }
}

#[test]
fn changed_journals_are_detected() {
    let mut scene = create(false);
    scene.does("cid", Kind::Joined(Joined { player: Some(person("cid")), ..Joined::default() }));
    let [first, second] = scene.entries.try_into().expect("two entries");
    let report = |entries: &[Entry], secret: [u8; 32]| {
        let mut verifier = Verifier::new(secret);
        for entry in entries {
            verifier.entry(&entry.encode_to_vec());
        }
        verifier.finish()
    };
    assert_eq!(report(&[first.clone(), second.clone()], SECRET).fault, None);
    assert!(
        report(std::slice::from_ref(&second), SECRET)
            .fault
            .unwrap()
            .contains("expected entry 1, found entry 2")
    );
    assert!(
        report(&[first.clone(), second.clone()], [9; 32]).fault.unwrap().contains("hash"),
        "another seed"
    );
    let mut touched = second.clone();
    touched.rolls[0].value = touched.rolls[0].value % 6 + 1;
    assert!(report(&[first.clone(), touched.clone()], SECRET).fault.unwrap().contains("hash"));
    // If the chain is forged too, the dice reveal the change.
    touched.hash = bytes::Bytes::new();
    touched.hash = chain::entry_hash(&SECRET, &first.hash, &touched).to_vec().into();
    assert!(report(&[first, touched], SECRET).fault.unwrap().contains("seed"));
}
