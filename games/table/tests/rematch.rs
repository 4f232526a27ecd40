//! Rematches: the plan of a game with rotated seats.

use heliopause_proto::store::v1::*;
use heliopause_proto::v1::{AutomatedSeat, ErrorReason, GameStatus, VoteSubject};
use heliopause_table::Fault;
use planned_seat::Plan;
use step::Kind;

use crate::scene::{Scene, created, hosted, in_sandbox, person, planned, taken};

fn declared_over(game: Created) -> Scene {
    let mut scene = Scene::new(game);
    scene.does("gm", Kind::OutcomeDeclared(OutcomeDeclared::default()));
    assert_eq!(scene.status(), GameStatus::Ended);
    scene
}

fn who(created: &Created) -> Vec<String> {
    let plan = |seat: &PlannedSeat| match &seat.plan {
        Some(Plan::Taken(taken)) => format!("{} plays", taken.player.clone().unwrap().player_id),
        Some(Plan::ReservedFor(person)) => person.player_id.clone(),
        Some(Plan::Automated(by)) => by.level.clone(),
        other => format!("{other:?}"),
    };
    created.seats.iter().map(plan).collect()
}

#[test]
fn seats_rotate_by_one_and_the_caller_hosts() {
    let strong = AutomatedSeat { level: "strong".to_owned(), ..AutomatedSeat::default() };
    let game = Created {
        seats: vec![taken("ann"), taken("bob"), planned(Plan::Automated(strong))],
        is_private: true,
        invite_code: "code".to_owned(),
        hide_ready: true,
        ..created("star-empires", &[])
    };
    let scene = declared_over(game.clone());
    let rematch = scene.table.rematch("bob").expect("a rematch");
    assert_eq!(who(&rematch), ["strong", "ann", "bob plays"]);
    assert_eq!((rematch.host, rematch.game_master), (Some(person("bob")), None));
    assert!(rematch.is_private && rematch.hide_ready && rematch.start_when_full);
    assert_eq!((rematch.invite_code.as_str(), rematch.pace), ("", game.pace));
    assert_eq!((rematch.rematch_of.as_str(), rematch.game_id.as_str()), ("table", ""));
    let other = scene.table.rematch("ann").expect("a rematch");
    assert_eq!(who(&other), ["strong", "ann plays", "bob"], "the same for every caller");
}

#[test]
fn a_rematch_of_an_anonymous_game_draws_lots_and_is_no_game_of_the_tournament() {
    let game = Created {
        anonymous: true,
        tournament_id: "cup".to_owned(),
        ..created("star-empires", &["ann", "bob"])
    };
    let rematch = declared_over(game).table.rematch("ann").expect("a rematch");
    assert_eq!(rematch.lots, Some(Lots { chosen: vec![0, 0] }));
    assert_eq!(rematch.tournament_id, "");
}

#[test]
fn rematches_rotate_on() {
    let first = declared_over(created("star-empires", &["ann", "bob", "cid"]));
    let rematch = first.table.rematch("ann").unwrap();
    assert_eq!(who(&rematch), ["cid", "ann plays", "bob"]);
    let seats = ["cid", "ann", "bob"].map(taken).to_vec();
    let again =
        Created { seats, game_master: Some(person("gm")), game_id: "b".to_owned(), ..rematch };
    let again = declared_over(again);
    assert_eq!(who(&again.table.rematch("ann").unwrap()), ["bob", "cid", "ann plays"]);
}

/// A rematch is rated without lots, because all players change their seats.
#[test]
fn the_rematch_of_a_rated_game_is_rated() {
    let rated = Created {
        rated: true,
        lots: Some(Lots { chosen: vec![0; 2] }),
        ..hosted("star-empires", &["ann", "bob"])
    };
    let mut scene = Scene::new(rated);
    let (seat, subject) = (scene.seat_of("ann"), VoteSubject::Draw.into());
    scene.does("ann", Kind::VoteProposed(VoteProposed { seat, subject, ..Default::default() }));
    let seat = scene.seat_of("bob");
    scene.does("bob", Kind::VoteCast(VoteCast { seat, vote: 1, yes: true, ..Default::default() }));
    let rematch = scene.table.rematch("bob").expect("a rematch");
    let expected = if seat == 1 { ["ann", "bob plays"] } else { ["bob plays", "ann"] };
    assert_eq!(who(&rematch), expected);
    let again = Scene::new(Created { game_id: "again".to_owned(), ..rematch.clone() });
    assert_eq!(again.status(), GameStatus::Forming, "it waits for Ann");
    assert!(again.seen("bob").rated);

    let no_lots = Created { rematch_of: String::new(), ..rematch.clone() };
    let led = Created { game_master: Some(person("gm")), ..rematch };
    for unequal in [no_lots, led] {
        let refused = Scene::with([1; 32], unequal).map(drop).expect_err("unequal conditions");
        assert_eq!(refused.field.as_deref(), Some("rated"));
    }
}

#[test]
fn only_players_of_a_finished_game_get_a_rematch() {
    let reason = |fault: Fault| fault.reason;
    let asks = |scene: &Scene, who| scene.table.rematch(who).map(drop).map_err(reason);
    let over = declared_over(created("star-empires", &["ann", "bob"]));
    for other in ["cid", "gm", ""] {
        assert_eq!(asks(&over, other), Err(ErrorReason::NotYourSeat));
    }
    let running = Scene::new(hosted("star-empires", &["ann", "bob"]));
    assert_eq!(asks(&running, "ann"), Err(ErrorReason::WrongStatus));
    let sandbox = Scene::new(in_sandbox("star-empires", 2, Sandbox::default()));
    assert_eq!(asks(&sandbox, "ann"), Err(ErrorReason::WrongStatus));
}
