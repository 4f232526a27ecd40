//! Votes in games with automated seats. All players vote on how a game ends, only people on how it
//! is run.

use heliopause_kernel::Viewer;
use heliopause_proto::store::v1::*;
use heliopause_proto::v1::{
    AutomatedSeat, DelegationRule, ErrorReason, GameStatus, Pace, Vote, VoteState, VoteSubject,
    event,
};
use heliopause_table::{Fault, Table, TaskKind};
use step::Kind;

use crate::scene::{DAY, HOUR, Scene, WORKER, automated, hosted, millis, paced};

/// Creates a game in which automated seats follow those of people. The last seat is the Death Star.
fn game(people: &[&str], bots: usize) -> Scene {
    let mut created = hosted("starships-at-large", people);
    created.seats.extend((0..bots).map(|_| automated()));
    created.pace = Some(Pace { vacation_days: 9, ..paced(30 * DAY) });
    created.delegation = DelegationRule::Free.into();
    Scene::with([5; 32], created).expect("a table")
}

impl Scene {
    fn propose(&mut self, by: &str, seat: u32, subject: VoteSubject) {
        let subject = subject.into();
        let proposed = VoteProposed { seat, subject, ..VoteProposed::default() };
        self.does(by, Kind::VoteProposed(proposed));
    }

    fn person_says(&mut self, by: &str, seat: u32, vote: u64, yes: bool) -> Result<(), Fault> {
        self.apply(by, Kind::VoteCast(VoteCast { seat, vote, yes, automation: String::new() }))
    }

    fn automation_says(&mut self, by: &str, seat: u32, vote: u64, yes: bool) -> Result<(), Fault> {
        let automation = "captain (standard)".to_owned();
        self.apply(by, Kind::VoteCast(VoteCast { seat, vote, yes, automation }))
    }

    fn automation_refused(&mut self, by: &str, seat: u32, vote: u64) -> ErrorReason {
        self.automation_says(by, seat, vote, true).expect_err("it may not vote").reason
    }

    fn voices(&self) -> Vec<u32> {
        let voices = self
            .table
            .wanted()
            .into_iter()
            .filter(|wanted| matches!(wanted.kind, TaskKind::Vote(_)));
        voices.map(|wanted| wanted.seat.number()).collect()
    }

    fn vote(&self) -> &Vote {
        self.table.votes().last().expect("a vote")
    }
}

#[test]
fn rule_5_draws_wait_for_votes_of_automated_seats() {
    let mut scene = game(&["ann"], 2);
    scene.propose("ann", 1, VoteSubject::Draw);
    let (state, needed) = (scene.vote().state(), scene.vote().needed);
    assert_eq!((state, needed), (VoteState::Open, 3), "their own voice is not enough");
    assert_eq!(scene.voices(), [2, 3], "the Death Star has no voice");
    assert!(scene.table.listing().wants_automation);
    scene.automation_says(WORKER, 2, 1, true).expect("it votes");
    assert_eq!(scene.vote().state(), VoteState::Open);
    assert_eq!(scene.voices(), [3], "each is asked once");
    assert_eq!(scene.automation_refused(WORKER, 2, 1), ErrorReason::LeaseLost);
    scene.automation_says(WORKER, 3, 1, true).expect("it votes");
    assert_eq!((scene.vote().state(), scene.status()), (VoteState::Passed, GameStatus::Ended));
    scene.verify();
}

#[test]
fn rule_5_draws_are_reported_between_players_only() {
    let mut scene = game(&["ann", "bob"], 0);
    scene.propose("ann", 1, VoteSubject::Draw);
    scene.person_says("bob", 2, 1, true).expect("they agree");
    let outcome = scene.table.outcome().expect("the game ended");
    assert!(outcome.draw && outcome.declared);
    assert_eq!(outcome.winners, [1, 2], "the Death Star shares no draw");
}

#[test]
fn rule_5_one_automated_no_vote_blocks_a_draw() {
    let mut scene = game(&["ann"], 2);
    for subject in [VoteSubject::Draw, VoteSubject::Cancel] {
        scene.propose("ann", 1, subject);
        let number = scene.vote().number;
        scene.automation_says(WORKER, 3, number, false).expect("it votes");
        let state = scene.vote().state();
        assert_eq!((state, scene.status()), (VoteState::Failed, GameStatus::Running));
        assert!(scene.voices().is_empty(), "nobody need say more");
    }
}

#[test]
fn rule_5_missing_votes_count_as_no() {
    let mut scene = game(&["ann"], 1);
    scene.propose("ann", 1, VoteSubject::Draw);
    let due = scene.table.due().expect("the vote has an end");
    assert!(due <= 3 * DAY);
    scene.wait(due);
    assert_eq!((scene.vote().state(), scene.status()), (VoteState::Expired, GameStatus::Running));
    assert!(scene.voices().is_empty());
    assert_eq!(scene.automation_refused(WORKER, 2, 1), ErrorReason::WrongStatus);
    scene.verify();
}

#[test]
fn votes_on_running_a_game_do_not_wait_for_workers() {
    let mut scene = game(&["ann"], 3);
    scene.propose("ann", 1, VoteSubject::Pause);
    assert_eq!((scene.vote().state(), scene.status()), (VoteState::Passed, GameStatus::Paused));
    // Automation still votes on the end of a paused game.
    scene.propose("ann", 1, VoteSubject::Cancel);
    assert_eq!(scene.voices(), [2, 3, 4]);
    scene.propose("ann", 1, VoteSubject::Resume);
    assert_eq!(scene.status(), GameStatus::Running);
    assert_eq!(scene.automation_refused(WORKER, 2, 1), ErrorReason::WrongStatus);
    let extension = millis(HOUR);
    let extend =
        VoteProposed { seat: 1, subject: VoteSubject::Extend.into(), target_seat: 0, extension };
    scene.apply("ann", Kind::VoteProposed(extend)).expect("they may");
    assert_eq!(scene.vote().state(), VoteState::Passed);
    scene.verify();
}

#[test]
fn rule_5_stand_ins_do_not_vote() {
    let mut scene = game(&["ann", "bob"], 0);
    let to = Some(AutomatedSeat::default());
    scene.apply("bob", Kind::Delegated(Delegated { seat: 2, to })).expect("they may");
    scene.propose("ann", 1, VoteSubject::Draw);
    assert_eq!((scene.vote().needed, scene.voices()), (2, vec![]));
    assert_eq!(scene.automation_refused(WORKER, 2, 1), ErrorReason::LeaseLost);
    scene.person_says("bob", 2, 1, true).expect("the voice stayed their own");
    assert_eq!(scene.status(), GameStatus::Ended);
}

#[test]
fn automation_votes_for_resigned_seats() {
    let mut scene = game(&["ann", "bob"], 0);
    scene.propose("ann", 1, VoteSubject::Draw);
    scene.apply("bob", Kind::Resigned(Resigned { seat: 2 })).expect("they may");
    assert_eq!(scene.voices(), [2]);
    scene.automation_says(WORKER, 2, 1, true).expect("it votes");
    assert_eq!(scene.status(), GameStatus::Ended);
}

#[test]
fn only_workers_vote_for_automated_seats() {
    let mut scene = game(&["ann", "bob"], 1);
    scene.propose("ann", 1, VoteSubject::Draw);
    for (by, seat, vote, reason) in [
        ("bob", 3, 1, ErrorReason::RoleConflict),
        (WORKER, 2, 1, ErrorReason::LeaseLost),
        (WORKER, 4, 1, ErrorReason::NotYourSeat),
        (WORKER, 99, 1, ErrorReason::InvalidField),
        (WORKER, 3, 9, ErrorReason::NotFound),
    ] {
        assert_eq!(scene.automation_refused(by, seat, vote), reason, "{by} {seat} {vote}");
    }
    assert_eq!(scene.person_says("bob", 3, 1, true).unwrap_err().reason, ErrorReason::NotYourSeat);
}

#[test]
fn votes_close_when_the_game_ends() {
    let mut scene = game(&["ann", "bob"], 0);
    scene.propose("ann", 1, VoteSubject::Pause);
    scene.propose("ann", 1, VoteSubject::Draw);
    scene.person_says("bob", 2, 2, true).expect("they agree");
    let states: Vec<VoteState> = scene.table.votes().iter().map(Vote::state).collect();
    assert_eq!(states, [VoteState::Expired, VoteState::Passed]);
    assert_eq!(scene.table.due(), None, "nothing is published after the end");
    let last = scene.entries.last().unwrap();
    let last = Table::events_for(last, Viewer::Spectator).last().expect("events");
    assert!(matches!(last.body, Some(event::Body::GameEnded(_))), "the end is the last event");
}
