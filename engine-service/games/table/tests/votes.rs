//! Votes in games with automated seats: how a game ends is for all who play it, how it is run for
//! people.

use heliopause_kernel::{Seat, Viewer};
use heliopause_proto::store::v1::*;
use heliopause_proto::v1::{
    AutomatedSeat, DelegationRule, ErrorReason, GameStatus, Pace, PhasePace, Vote, VoteState,
    VoteSubject, event,
};
use heliopause_table::{Asked, Fault, Millis, Table, chain, verify::Verifier};
use prost::Message as _;
use prost_types::Duration;
use step::Kind;

const SECRET: [u8; 32] = [5; 32];
/// A worker's account, which plays no seat of its own.
const WORKER: &str = "worker";
const DAY: Millis = 24 * 60 * 60 * 1000;

/// A table with its journal.
struct Scene {
    table: Table,
    journal: Vec<Entry>,
    now: Millis,
}

fn person(id: &str) -> Person {
    Person { player_id: id.to_owned(), name: id.to_uppercase() }
}

impl Scene {
    /// A running game of these people and so many automated seats after them, with the game's own
    /// Death Star.
    fn new(people: &[&str], automated: usize) -> Self {
        let taken = |id: &&str| {
            planned_seat::Plan::Taken(Taken { player: Some(person(id)), ..Taken::default() })
        };
        let bots = (0..automated).map(|_| planned_seat::Plan::Automated(AutomatedSeat::default()));
        let seats =
            people.iter().map(taken).chain(bots).map(|plan| PlannedSeat { plan: Some(plan) });
        let interval = Some(Duration { seconds: 30 * 24 * 3600, nanos: 0 });
        let standard = Some(PhasePace { interval, ..PhasePace::default() });
        let created = Created {
            kind: "starships-at-large".to_owned(),
            seats: seats.collect(),
            pace: Some(Pace { standard, vacation_days: 9, ..Pace::default() }),
            host: Some(person(people[0])),
            delegation: DelegationRule::Free.into(),
            seed_commitment: chain::commitment(&SECRET).to_vec().into(),
            game_id: "table".to_owned(),
            start_when_full: true,
            ..Created::default()
        };
        let (table, taken) = Table::lay(created, SECRET, people[0], 0).expect("a table");
        Self { table, journal: vec![taken.entry], now: 0 }
    }

    fn take(&mut self, by: &str, kind: Kind) -> Result<(), Fault> {
        self.now += 1;
        let step = Step { by: by.to_owned(), kind: Some(kind), ..Step::default() };
        let before = self.table.snapshot();
        match self.table.take(step, self.now) {
            Ok(taken) => self.journal.push(taken.entry),
            Err(fault) => {
                assert_eq!(self.table.snapshot(), before, "a refused step has changed nothing");
                return Err(fault);
            }
        }
        Ok(())
    }

    fn propose(
        &mut self,
        by: &str,
        seat: u32,
        subject: VoteSubject,
        target_seat: u32,
    ) -> Result<(), Fault> {
        self.take(
            by,
            Kind::VoteProposed(VoteProposed {
                seat,
                subject: subject.into(),
                target_seat,
                extension: None,
            }),
        )
    }

    fn person_says(&mut self, by: &str, seat: u32, vote: u64, yes: bool) -> Result<(), Fault> {
        self.take(by, Kind::VoteCast(VoteCast { seat, vote, yes, automation: String::new() }))
    }

    fn automation_says(&mut self, by: &str, seat: u32, vote: u64, yes: bool) -> Result<(), Fault> {
        self.take(
            by,
            Kind::VoteCast(VoteCast {
                seat,
                vote,
                yes,
                automation: "captain (standard)".to_owned(),
            }),
        )
    }

    /// The seats whose voices automation is asked for.
    fn asked(&self) -> Vec<u32> {
        let voices =
            self.table.wanted().into_iter().filter(|wanted| matches!(wanted.asked, Asked::Vote(_)));
        voices.map(|wanted| wanted.seat.number()).collect()
    }

    fn vote(&self) -> &Vote {
        self.table.votes().last().expect("a vote")
    }

    fn verify(&self) {
        let mut verifier = Verifier::new(SECRET);
        for entry in &self.journal {
            verifier.entry(&entry.encode_to_vec());
        }
        let report = verifier.finish();
        assert_eq!((report.fault, report.replayed), (None, self.journal.len() as u64));
    }
}

#[test]
fn rule_5_a_draw_waits_for_the_voices_of_automated_seats() {
    let mut scene = Scene::new(&["ann"], 2);
    scene.propose("ann", 1, VoteSubject::Draw, 0).expect("they may");
    assert_eq!(
        (scene.vote().state(), scene.vote().needed),
        (VoteState::Open, 3),
        "their own voice is not enough"
    );
    assert_eq!(scene.asked(), [2, 3], "the Death Star has no voice");
    assert!(scene.table.listing().wants_automation);
    scene.automation_says(WORKER, 2, 1, true).expect("it votes");
    assert_eq!(
        (scene.vote().state(), scene.asked()),
        (VoteState::Open, vec![3]),
        "each is asked once"
    );
    assert_eq!(
        scene.automation_says(WORKER, 2, 1, false).unwrap_err().reason,
        ErrorReason::LeaseLost
    );
    scene.automation_says(WORKER, 3, 1, true).expect("it votes");
    assert_eq!(
        (scene.vote().state(), scene.table.status()),
        (VoteState::Passed, GameStatus::Ended)
    );
    scene.verify();
}

#[test]
fn rule_5_a_draw_is_told_as_a_draw_between_the_players_alone() {
    let mut scene = Scene::new(&["ann", "bob"], 0);
    scene.propose("ann", 1, VoteSubject::Draw, 0).expect("they may");
    scene.person_says("bob", 2, 1, true).expect("they agree");
    let ended = scene.journal.last().unwrap().events.iter().find_map(|told| {
        match &told.event.as_ref()?.body {
            Some(event::Body::GameEnded(ended)) => ended.outcome.clone(),
            _ => None,
        }
    });
    let outcome = ended.expect("the game ended");
    assert!(outcome.draw && outcome.declared);
    assert_eq!(outcome.winners, [1, 2], "the Death Star shares no draw");
}

#[test]
fn rule_5_one_automated_seat_that_says_no_is_enough_to_go_on() {
    let mut scene = Scene::new(&["ann"], 2);
    for subject in [VoteSubject::Draw, VoteSubject::Cancel] {
        scene.propose("ann", 1, subject, 0).expect("they may");
        let number = scene.vote().number;
        scene.automation_says(WORKER, 3, number, false).expect("it votes");
        assert_eq!(
            (scene.vote().state(), scene.table.status()),
            (VoteState::Failed, GameStatus::Running)
        );
        assert!(scene.asked().is_empty(), "nobody need say more");
    }
}

#[test]
fn rule_5_who_never_answers_counts_as_no() {
    let mut scene = Scene::new(&["ann"], 1);
    scene.propose("ann", 1, VoteSubject::Draw, 0).expect("they may");
    let due = scene.table.due().expect("the vote has an end");
    assert!(due <= 3 * DAY + scene.now);
    scene.now = due;
    scene.take("", Kind::Ticked(Ticked {})).expect("time passes");
    assert_eq!(
        (scene.vote().state(), scene.table.status()),
        (VoteState::Lapsed, GameStatus::Running)
    );
    assert!(scene.asked().is_empty());
    assert_eq!(
        scene.automation_says(WORKER, 2, 1, true).unwrap_err().reason,
        ErrorReason::WrongStatus
    );
    scene.verify();
}

#[test]
fn how_a_game_is_run_is_for_people_and_waits_for_no_worker() {
    let mut scene = Scene::new(&["ann"], 3);
    scene.propose("ann", 1, VoteSubject::Pause, 0).expect("they may");
    assert_eq!(
        (scene.vote().state(), scene.table.status()),
        (VoteState::Passed, GameStatus::Paused)
    );
    // Also a game that rests is asked about its end.
    scene.propose("ann", 1, VoteSubject::Cancel, 0).expect("they may");
    assert_eq!(scene.asked(), [2, 3, 4]);
    scene.propose("ann", 1, VoteSubject::Resume, 0).expect("they may");
    assert_eq!(scene.table.status(), GameStatus::Running);
    assert_eq!(
        scene.automation_says(WORKER, 2, 1, true).unwrap_err().reason,
        ErrorReason::WrongStatus
    );
    let extension = Some(Duration { seconds: 3600, nanos: 0 });
    let extend =
        VoteProposed { seat: 1, subject: VoteSubject::Extend.into(), target_seat: 0, extension };
    scene.take("ann", Kind::VoteProposed(extend)).expect("they may");
    assert_eq!(scene.vote().state(), VoteState::Passed);
    scene.verify();
}

#[test]
fn rule_5_who_stands_in_for_a_player_does_not_vote_for_the_player() {
    let mut scene = Scene::new(&["ann", "bob"], 0);
    let to = Some(AutomatedSeat::default());
    scene.take("bob", Kind::Delegated(Delegated { seat: 2, to })).expect("they may");
    scene.propose("ann", 1, VoteSubject::Draw, 0).expect("they may");
    assert_eq!((scene.vote().needed, scene.asked()), (2, vec![]));
    assert_eq!(
        scene.automation_says(WORKER, 2, 1, true).unwrap_err().reason,
        ErrorReason::LeaseLost
    );
    scene.person_says("bob", 2, 1, true).expect("the voice stayed their own");
    assert_eq!(scene.table.status(), GameStatus::Ended);
}

#[test]
fn a_seat_whose_player_resigned_is_asked_through_automation() {
    let mut scene = Scene::new(&["ann", "bob"], 0);
    scene.propose("ann", 1, VoteSubject::Draw, 0).expect("they may");
    scene.take("bob", Kind::Resigned(Resigned { seat: 2 })).expect("they may");
    assert_eq!(scene.asked(), [2]);
    scene.automation_says(WORKER, 2, 1, true).expect("it votes");
    assert_eq!(scene.table.status(), GameStatus::Ended);
}

#[test]
fn nobody_raises_an_automated_seats_voice_but_a_worker() {
    let mut scene = Scene::new(&["ann", "bob"], 1);
    scene.propose("ann", 1, VoteSubject::Draw, 0).expect("they may");
    assert_eq!(
        scene.automation_says("bob", 3, 1, true).unwrap_err().reason,
        ErrorReason::SeesTooMuch
    );
    assert_eq!(
        scene.automation_says(WORKER, 2, 1, true).unwrap_err().reason,
        ErrorReason::LeaseLost
    );
    assert_eq!(
        scene.automation_says(WORKER, 4, 1, true).unwrap_err().reason,
        ErrorReason::NotYourSeat
    );
    assert_eq!(scene.person_says("bob", 3, 1, true).unwrap_err().reason, ErrorReason::NotYourSeat);
    assert!(scene.automation_says(WORKER, 99, 1, true).is_err());
    assert_eq!(
        scene.automation_says(WORKER, 3, 9, true).unwrap_err().reason,
        ErrorReason::NotFound
    );
}

#[test]
fn rule_6_no_single_player_replaces_an_opponent_who_is_there() {
    let mut scene = Scene::new(&["ann", "bob"], 2);
    let refused = scene.propose("ann", 1, VoteSubject::Replace, 2).unwrap_err();
    assert_eq!(refused.field.as_deref(), Some("target_seat"));
    // Whoever moves first has missed a deadline of 30 days then.
    let on_turn = scene
        .table
        .game()
        .and_then(heliopause_table::registry::AnyGame::on_turn)
        .expect("somebody's turn");
    scene.now = scene.table.due().expect("a deadline");
    scene.take("", Kind::Ticked(Ticked {})).expect("time passes");
    let proposer = if on_turn == Seat::at(0) { ("bob", 2) } else { ("ann", 1) };
    let proposed = scene.propose(proposer.0, proposer.1, VoteSubject::Replace, on_turn.number());
    if on_turn.index() < 2 {
        proposed.expect("one voice is enough then");
        assert_eq!(scene.vote().state(), VoteState::Passed);
    }
    let mut scene = Scene::new(&["ann", "bob", "cid"], 0);
    scene.propose("ann", 1, VoteSubject::Replace, 2).expect("they may");
    assert_eq!((scene.vote().needed, scene.vote().state()), (2, VoteState::Open));
    scene.person_says("cid", 3, 1, true).expect("they agree");
    assert_eq!(scene.vote().state(), VoteState::Passed);
}

#[test]
fn a_game_that_is_over_leaves_no_vote_open() {
    let mut scene = Scene::new(&["ann", "bob"], 0);
    scene.propose("ann", 1, VoteSubject::Pause, 0).expect("they may");
    scene.propose("ann", 1, VoteSubject::Draw, 0).expect("they may");
    scene.person_says("bob", 2, 2, true).expect("they agree");
    let states: Vec<VoteState> = scene.table.votes().iter().map(Vote::state).collect();
    assert_eq!(states, [VoteState::Lapsed, VoteState::Passed]);
    assert_eq!(scene.table.due(), None, "nothing is told after the end");
    let last = scene.journal.last().unwrap();
    let last = Table::events_for(last, Viewer::Spectator).last().expect("events");
    assert!(
        matches!(last.body, Some(event::Body::GameEnded(_))),
        "the end is the last thing that is told"
    );
}
