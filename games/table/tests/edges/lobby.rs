//! Limits before a game starts.

use super::*;

#[test]
fn names_are_printable_and_at_most_64_characters() {
    let named = |name: &str| {
        let created = Created { name: name.to_owned(), ..created("star-empires", &["ann", "bob"]) };
        Table::create(created, SECRET, "gm", 0).err().and_then(|fault| fault.field)
    };
    assert_eq!(named(&"x".repeat(64)), None);
    assert_eq!(named(&"x".repeat(65)), Some("name".to_owned()));
    assert_eq!(named("two\nlines"), Some("name".to_owned()));
}

#[test]
fn automation_requires_a_known_level_and_profile() {
    let scene = Scene::new(created("star-empires", &["ann", "bob"]));
    let fault = |level: &str, profile: &str| {
        let asked = AutomatedSeat {
            level: level.to_owned(),
            profile: profile.to_owned(),
            ..AutomatedSeat::default()
        };
        scene.table.check_automation(&asked, "fill").err().and_then(|fault| fault.field)
    };
    assert_eq!((fault("", ""), fault("strong", "")), (None, None));
    assert_eq!(fault("nonsense", ""), Some("fill.level".to_owned()));
    assert_eq!(fault("", "nonsense"), Some("fill.profile".to_owned()));
}

#[test]
fn game_masters_do_not_play_in_their_game() {
    let seats = vec![taken("ann"), open()];
    let mut scene = Scene::new(Created { seats, ..created("star-empires", &[]) });
    let joined = Joined { player: Some(person("gm")), ..Joined::default() };
    assert_eq!(scene.fault("gm", Kind::Joined(joined)).reason, ErrorReason::RoleConflict);
}

#[test]
fn entropy_has_1_to_64_bytes() {
    let entropy = |length: usize| vec![7; length];
    for (length, fits) in [(0, false), (1, true), (64, true), (65, false)] {
        let entropy_commitment = chain::sha256(&[&entropy(length)]).to_vec().into();
        let ann = Plan::Taken(Taken { player: Some(person("ann")), entropy_commitment });
        let seats = vec![planned(ann), taken("bob")];
        let mut scene = Scene::new(Created { seats, ..created("star-empires", &[]) });
        assert_eq!(scene.status(), GameStatus::Revealing);
        let revealed = EntropyRevealed { entropy: entropy(length).into() };
        let revealed = scene.apply("ann", Kind::EntropyRevealed(revealed));
        assert_eq!(revealed.is_ok(), fits, "{length} bytes");
        scene.now = 3_650 * DAY;
        scene.does("", Kind::Ticked(Ticked {}));
        assert_eq!(scene.status(), GameStatus::Running, "it begins without it");
    }
}

#[test]
fn steps_invite_players_with_kept_seats() {
    let step = |kind| Step { kind: Some(kind), ..Step::default() };
    let guest = SandboxGuest { seat: 1, player: Some(person("guest")) };
    let sandbox = Sandbox { guests: vec![guest], ..Sandbox::default() };
    let seats = vec![taken("ann"), reserved("bob"), reserved("cid")];
    let laid = Created { seats, sandbox: Some(sandbox), ..Created::default() };
    let laid = step(Kind::Created(Box::new(laid)));
    assert_eq!(invited(&laid).collect::<Vec<_>>(), ["bob", "cid", "guest"]);
    let given = step(Kind::SeatGiven(SeatGiven { seat: 2, player: Some(person("dan")) }));
    assert_eq!(invited(&given).collect::<Vec<_>>(), ["dan"]);
    assert_eq!(invited(&step(Kind::Ticked(Ticked {}))).count(), 0);
}

#[test]
fn unknown_levels_are_rejected_by_field() {
    let options = starships::Options { rounds: Some(2), ..starships::Options::default() };
    let options = Some(GameOptions { game: Some(game_options::Game::StarshipsAtLarge(options)) });
    let leveled = |level: &str| {
        let created = Created {
            automaton_level: level.to_owned(),
            options: options.clone(),
            ..created("starships-at-large", &["ann", "bob"])
        };
        Scene::with(SECRET, created).map_err(|fault| fault.field)
    };
    assert_eq!(leveled("nonsense").err(), Some(Some("automaton_level.level".to_owned())));
    let game = leveled("random").expect("a level").seen("");
    match game.seats.last().and_then(|seat| seat.occupant.clone()) {
        Some(seat::Occupant::Automated(own)) => assert_eq!(own.level, "random"),
        other => panic!("the game's own seat is {other:?}"),
    }
}

#[test]
fn players_cannot_hold_two_seats() {
    for seats in [
        vec![taken("ann"), taken("ann")],
        vec![taken("ann"), reserved("ann")],
        vec![reserved("bob"), reserved("bob")],
    ] {
        let created = Created { seats, ..created("star-empires", &[]) };
        assert!(Table::create(created, SECRET, "gm", 0).is_err());
    }
    Scene::new(Created { seats: vec![open(); 2], ..created("star-empires", &[]) });
}

#[test]
fn hosts_cancel_only_games_that_have_not_started() {
    for (start_when_full, refused) in [(false, false), (true, true)] {
        let hosted = hosted("star-empires", &["ann", "bob"]);
        let mut scene = Scene::new(Created { start_when_full, ..hosted });
        let cancelled = scene.apply("ann", Kind::GameCancelled(GameCancelled {}));
        assert_eq!(cancelled.is_err(), refused);
    }
}

#[test]
fn leaving_before_the_start_opens_the_seat() {
    let mut scene =
        Scene::new(Created { start_when_full: false, ..created("star-empires", &["ann", "bob"]) });
    scene.does("bob", Kind::Left(Left {}));
    let open = scene.seen("").seats[1].occupant.clone();
    assert!(matches!(open, Some(seat::Occupant::Open(_))), "{open:?}");
    scene.does("cid", Kind::Joined(Joined { player: Some(person("cid")), ..Joined::default() }));
    assert_eq!(scene.table.seat_of("cid").map(Seat::number), Some(2));
}
