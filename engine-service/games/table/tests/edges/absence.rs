//! Who is away, leaves or is erased.

use super::*;

#[test]
fn a_game_that_may_not_be_delegated_refuses_it() {
    use heliopause_proto::v1::DelegationRule;
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
        let delegated = scene.take("ann", Kind::Delegated(Delegated { seat: 1, to }));
        assert_eq!(delegated.is_err(), refused, "{rule:?}");
    }
}

#[test]
fn who_hosts_two_players_and_is_erased_takes_only_their_own_with_them() {
    let host = |id: &str| Created {
        host: Some(person(id)),
        game_master: None,
        ..created("star-empires", &["ann", "bob"])
    };
    let erase = |id: &str| Kind::PlayerErased(PlayerErased { player_id: id.to_owned() });
    let mut scene = Scene::new(host("ann"));
    scene.does("", erase("ann"));
    assert_eq!(scene.status(), GameStatus::Running, "Bob plays on");
    assert_eq!((scene.seen("").host.as_str(), scene.table.seat_of("ann")), ("", None));
    scene.does("", erase("bob"));
    let mut scene = Scene::new(Created {
        host: Some(person("host")),
        game_master: None,
        start_when_full: false,
        seats: vec![planned(Plan::Open(OpenSeat {})), taken("bob")],
        ..created("star-empires", &[])
    });
    scene.does("", erase("eve"));
    assert_eq!(scene.table.seat_of("bob").map(Seat::number), Some(2));
    scene.does("", erase("bob"));
    assert_eq!(scene.table.seat_of("bob"), None);
    assert_eq!(scene.status(), GameStatus::Forming);
    scene.does("", erase("host"));
    assert_eq!(scene.status(), GameStatus::Cancelled, "nobody is left");
    let text = "The game is cancelled: its host's account is deleted.";
    assert!(scene.told.iter().any(|event| event.text == text), "{:?}", scene.told);
}

#[test]
fn a_game_that_is_over_stays_as_it_is_when_its_host_is_erased_or_banned() {
    let mut scene = Scene::new(Created {
        host: Some(person("gm")),
        ..created("star-empires", &["ann", "bob"])
    });
    let winners = vec![1];
    scene.does(
        "gm",
        Kind::OutcomeDeclared(OutcomeDeclared { winners, ..OutcomeDeclared::default() }),
    );
    scene.does("", Kind::PlayerErased(PlayerErased { player_id: "gm".to_owned() }));
    assert_eq!(scene.status(), GameStatus::Ended);
    let banned = Kind::HostBanned(HostBanned { player_id: "gm".to_owned() });
    assert_eq!(scene.refused("", banned), "WrongStatus");
}

#[test]
fn misses_are_excused_one_by_one_and_are_not_those_of_the_next_player() {
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
fn who_is_erased_is_rated_no_more() {
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
fn who_left_a_seat_is_rated_for_it_until_their_own_account_is_erased() {
    let mut scene = Scene::new(created("star-empires", &["ann", "bob"]));
    let of_bob = |scene: &Scene| {
        let changes = scene.ratings.iter().filter(|(id, _)| id == "bob");
        changes.map(|(_, change)| change).sum::<i32>()
    };
    let turn = |scene: &mut Scene| {
        scene.ready("ann", 1);
        scene.wait(DAY);
    };
    turn(&mut scene);
    turn(&mut scene);
    scene.does("gm", Kind::SeatGiven(SeatGiven { seat: 2, player: None }));
    let erase = |id: &str| Kind::PlayerErased(PlayerErased { player_id: id.to_owned() });
    scene.does("", erase("eve"));
    let before = of_bob(&scene);
    turn(&mut scene);
    assert_eq!(of_bob(&scene), before - 3);
    scene.does("", erase("bob"));
    turn(&mut scene);
    assert_eq!(of_bob(&scene), before - 3);
}

#[test]
fn a_game_is_told_of_a_seat_that_nobody_plays_any_more() {
    let mut scene = Scene::new(created("star-empires", &["ann", "bob", "cid"]));
    let before = scene.table.view(Viewer::GameMaster);
    scene.does("bob", Kind::Resigned(Resigned { seat: 2 }));
    assert_ne!(scene.table.view(Viewer::GameMaster), before);
}

#[test]
fn a_delegation_that_needs_no_absence_outlasts_one() {
    use heliopause_proto::v1::DelegationRule;
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
