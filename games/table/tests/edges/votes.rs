//! Limits on votes.

use super::*;

fn propose(subject: VoteSubject, target_seat: u32) -> Kind {
    let subject = subject.into();
    Kind::VoteProposed(VoteProposed { seat: 1, subject, target_seat, extension: None })
}

fn cast(seat: u32, vote: u64, yes: bool) -> Kind {
    Kind::VoteCast(VoteCast { seat, vote, yes, automation: String::new() })
}

#[test]
fn votes_count_yes_and_no_against_the_needed_number() {
    let mut scene = Scene::new(created("star-empires", &["ann", "bob", "cid"]));
    scene.does("ann", propose(VoteSubject::Draw, 0));
    scene.does("bob", cast(2, 1, true));
    scene.does("bob", cast(2, 1, false));
    let vote = scene.table.votes().last().expect("a vote").clone();
    assert_eq!((vote.yes, vote.no), (vec![1], vec![2]));
    assert_eq!(vote.state, i32::from(heliopause_proto::v1::VoteState::Failed));
    scene.does("ann", propose(VoteSubject::Replace, 3));
    assert_eq!(scene.table.votes().last().expect("a vote").needed, 2);
    scene.does("ann", propose(VoteSubject::Draw, 0));
    for seat in 2..=3 {
        scene.does(["", "", "bob", "cid"][seat as usize], cast(seat, 3, true));
    }
    let outcome = scene.table.outcome().expect("it is over");
    assert!(outcome.draw && outcome.declared);
    assert_eq!(outcome.summary, "The players agreed on a draw.");
}

#[test]
fn changed_votes_count_once_and_extensions_move_deadlines() {
    let mut scene = Scene::new(created("star-empires", &["ann", "bob", "cid"]));
    let (subject, extension) = (VoteSubject::Extend.into(), millis(2 * HOUR));
    let extend = VoteProposed { seat: 1, subject, target_seat: 0, extension };
    scene.does("ann", Kind::VoteProposed(extend));
    scene.does("bob", cast(2, 1, false));
    scene.does("bob", cast(2, 1, true));
    let vote = scene.table.votes().last().expect("a vote").clone();
    assert_eq!((vote.yes, vote.no), (vec![1, 2], vec![]));
    assert_eq!(scene.table.due(), Some(DAY + 2 * HOUR));
}
