//! Limits on absences, resignations and erased accounts.

use super::*;

#[test]
fn games_without_delegation_reject_it() {
    for (rule, refused) in [
        (DelegationRule::None, true),
        (DelegationRule::Absence, true),
        (DelegationRule::Free, false),
    ] {
        let mut scene = Scene::new(Created {
            delegation: rule.into(),
            ..created("star-empires", &["ann", "bob"])
        });
        let to = Some(AutomatedSeat::default());
        let delegated = scene.apply("ann", Kind::Delegated(Delegated { seat: 1, to }));
        assert_eq!(delegated.is_err(), refused, "{rule:?}");
    }
}

#[test]
fn erasing_a_host_of_two_players_frees_only_their_seat() {
    let erase = |id: &str| Kind::PlayerErased(PlayerErased { player_id: id.to_owned() });
    let mut scene = Scene::new(hosted("star-empires", &["ann", "bob"]));
    scene.does("", erase("ann"));
    assert_eq!(scene.status(), GameStatus::Running, "Bob plays on");
    assert_eq!((scene.seen("").host.as_str(), scene.table.seat_of("ann")), ("", None));
    scene.does("", erase("bob"));
    let mut scene = Scene::new(Created {
        start_when_full: false,
        seats: vec![open(), taken("bob")],
        ..hosted("star-empires", &["host"])
    });
    scene.does("", erase("eve"));
    assert_eq!(scene.table.seat_of("bob").map(Seat::number), Some(2));
    scene.does("", erase("bob"));
    assert_eq!(scene.table.seat_of("bob"), None);
    assert_eq!(scene.status(), GameStatus::Forming);
    scene.does("", erase("host"));
    assert_eq!(scene.status(), GameStatus::Cancelled, "nobody is left");
    let text = "The game is canceled: its host's account was deleted.";
    assert!(scene.events.iter().any(|event| event.text == text), "{:?}", scene.events);
}

#[test]
fn finished_games_survive_erasure_or_ban_of_their_host() {
    let mut scene = Scene::new(Created {
        host: Some(person("gm")),
        ..created("star-empires", &["ann", "bob"])
    });
    let winners = vec![1];
    let declared = OutcomeDeclared { winners, ..OutcomeDeclared::default() };
    scene.does("gm", Kind::OutcomeDeclared(declared));
    scene.does("", Kind::PlayerErased(PlayerErased { player_id: "gm".to_owned() }));
    assert_eq!(scene.status(), GameStatus::Ended);
    let banned = Kind::HostBanned(HostBanned { player_id: "gm".to_owned() });
    assert_eq!(scene.refused("", banned), "WrongStatus");
}

#[test]
fn misses_are_excused_singly_and_not_inherited() {
    let mut scene = Scene::new(created("star-empires", &["ann", "bob"]));
    let excused = |seat| Kind::MissExcused(MissExcused { seat });
    assert_eq!(scene.refused("gm", excused(1)), "seat");
    scene.wait(DAY);
    scene.does("gm", excused(1));
    assert_eq!(scene.refused("gm", excused(1)), "seat");
    scene.ready("ann", 1);
    scene.wait(DAY);
    let given = |seat| Kind::SeatGiven(SeatGiven { seat, player: Some(person("cid")) });
    scene.does("gm", given(2));
    assert_eq!(scene.refused("gm", given(1)), "player", "a seat is kept for them already");
    scene.does("cid", Kind::Joined(Joined { player: Some(person("cid")), ..Joined::default() }));
    assert_eq!(scene.table.seat_of("cid").map(Seat::number), Some(2));
    assert_eq!(scene.refused("gm", excused(2)), "seat");
}

#[test]
fn erased_players_are_not_rated() {
    let mut scene =
        Scene::new(Created { anonymous: true, ..created("star-empires", &["ann", "bob"]) });
    scene.wait(DAY);
    assert!(scene.ratings.is_empty(), "nobody may know yet whose seat it is");
    scene.does("", Kind::PlayerErased(PlayerErased { player_id: "bob".to_owned() }));
    scene.does("gm", Kind::OutcomeDeclared(OutcomeDeclared::default()));
    let rated: Vec<&str> = scene.ratings.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(rated, ["ann"]);
}

#[test]
fn deserters_are_rated_until_their_account_is_erased() {
    let mut scene = Scene::new(created("star-empires", &["ann", "bob"]));
    let turn = |scene: &mut Scene| {
        scene.ready("ann", 1);
        scene.wait(DAY);
    };
    turn(&mut scene);
    turn(&mut scene);
    scene.does("gm", Kind::SeatGiven(SeatGiven { seat: 2, player: None }));
    let erase = |id: &str| Kind::PlayerErased(PlayerErased { player_id: id.to_owned() });
    scene.does("", erase("eve"));
    let before = scene.rated("bob");
    turn(&mut scene);
    assert_eq!(scene.rated("bob"), before - 3);
    scene.does("", erase("bob"));
    turn(&mut scene);
    assert_eq!(scene.rated("bob"), before - 3);
}

#[test]
fn games_are_notified_of_abandoned_seats() {
    let mut scene = Scene::new(created("star-empires", &["ann", "bob", "cid"]));
    let before = scene.table.view(Viewer::GameMaster);
    scene.does("bob", Kind::Resigned(Resigned { seat: 2 }));
    assert_ne!(scene.table.view(Viewer::GameMaster), before);
}

#[test]
fn unconditional_delegation_outlasts_a_vacation() {
    let pace = Some(Pace { vacation_days: 5, ..daily() });
    let mut scene = Scene::new(Created {
        pace,
        delegation: DelegationRule::Free.into(),
        ..created("star-empires", &["ann", "bob"])
    });
    let to = Some(AutomatedSeat::default());
    scene.does("ann", Kind::Delegated(Delegated { seat: 1, to }));
    for days in [2, 0] {
        scene.does("ann", Kind::VacationSet(VacationSet { seat: 1, days }));
    }
    assert!(scene.seen("ann").seats[0].stand_in.is_some());
}
