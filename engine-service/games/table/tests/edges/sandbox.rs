//! Sandboxes.

use super::*;

#[test]
fn dice_are_scripted_up_to_ten_thousand_and_the_clock_is_set_forward_up_to_ten_years() {
    let sandbox = Sandbox { owner: Some(person("ann")), ..Sandbox::default() };
    let lay = || {
        Scene::new(Created {
            sandbox: Some(sandbox.clone()),
            game_master: None,
            ..created("starships-at-large", &["ann", "ann"])
        })
    };
    let script = |dice: Vec<u32>, replace| Kind::DiceScripted(DiceScripted { dice, replace });
    let mut scene = lay();
    scene.does("ann", script(vec![1; 6_000], false));
    assert_eq!(scene.refused("ann", script(vec![1; 4_001], false)), "dice");
    scene.does("ann", script(vec![1; 4_000], false));
    assert_eq!(scene.table.scripted_dice().len(), 10_000);
    scene.does("ann", script(vec![2; 10_000], true));
    assert_eq!(scene.refused("ann", script(vec![0], true)), "dice");
    let forward = |by| Kind::ClockAdvanced(ClockAdvanced { by: millis(by) });
    let mut scene = lay();
    assert_eq!(scene.refused("ann", forward(999)), "by");
    scene.does("ann", forward(1_000));
    assert_eq!(scene.seen("ann").status(), GameStatus::Running);
    let most = 3_650 * DAY;
    assert_eq!(scene.refused("ann", forward(most)), "by");
    scene.does("ann", forward(most - 1_000));
}

#[test]
fn a_sandbox_has_the_seats_that_it_names() {
    let lay = |sandbox: Sandbox| {
        let owner = Some(person("ann"));
        let created = Created {
            sandbox: Some(Sandbox { owner, ..sandbox }),
            game_master: None,
            ..created("star-empires", &["ann", "ann"])
        };
        Table::lay(created, SECRET, "ann", 0).map(|(table, _)| table).map_err(|fault| fault.field)
    };
    let automated = |seat| Sandbox {
        automated: vec![SandboxAutomation { seat, ..SandboxAutomation::default() }],
        ..Sandbox::default()
    };
    let guest = |seat| Sandbox {
        guests: vec![SandboxGuest { seat, player: Some(person("bob")) }],
        ..Sandbox::default()
    };
    assert!(lay(automated(2)).is_ok() && lay(guest(2)).is_ok());
    let fault = |sandbox| lay(sandbox).err().flatten().unwrap_or_default();
    assert_eq!(fault(automated(3)), "automated[0].seat");
    assert_eq!(fault(automated(0)), "automated[0].seat");
    assert_eq!(fault(guest(3)), "guests[0].seat");
    let unfit = Sandbox { dice: vec![999], ..Sandbox::default() };
    let starships = Created {
        sandbox: Some(Sandbox { owner: Some(person("ann")), ..unfit }),
        game_master: None,
        ..created("starships-at-large", &["ann", "ann"])
    };
    let laid = Table::lay(starships, SECRET, "ann", 0).map(|_| ()).map_err(|fault| fault.field);
    assert_eq!(laid, Err(Some("dice".to_owned())));
}

#[test]
fn a_sandbox_is_joined_by_its_guests_alone_and_its_owner_names_a_seat_if_several_are_asked() {
    let sandbox = |kind: &str| {
        let guests = vec![SandboxGuest { seat: 2, player: Some(person("bob")) }];
        let owner = Some(person("ann"));
        Scene::new(Created {
            sandbox: Some(Sandbox { owner, guests, ..Sandbox::default() }),
            game_master: None,
            ..created(kind, &["ann", "ann"])
        })
    };
    let join = |id: &str| Kind::Joined(Joined { player: Some(person(id)), ..Joined::default() });
    let mut scene = sandbox("star-empires");
    assert_eq!(
        scene.table.acting_seat("ann", None).err().and_then(|fault| fault.field).as_deref(),
        Some("seat")
    );
    assert_eq!(scene.table.acting_seat("ann", Some(2)).map(Seat::number), Ok(2));
    assert_eq!(scene.refused("eve", join("eve")), "NoOpenSeat");
    scene.does("bob", join("bob"));
    assert_eq!(scene.table.seat_of("bob").map(Seat::number), Some(2));
    let mut scene = sandbox("starships-at-large");
    assert_eq!(scene.table.acting_seat("ann", None), Ok(scene.on_turn()));
    scene.does("bob", Kind::InvitationDeclined(InvitationDeclined {}));
    let text = "The player for whom seat 2 was kept declined; its owner holds it.";
    assert!(scene.told.iter().any(|event| event.text == text));
}

#[test]
fn a_sandbox_notes_by_seat_what_ratings_would_become() {
    let owner = Some(person("ann"));
    let mut scene = Scene::new(Created {
        sandbox: Some(Sandbox { owner, ..Sandbox::default() }),
        game_master: None,
        ..created("star-empires", &["ann", "ann"])
    });
    scene.wait(2 * DAY);
    let noted: Vec<(u32, i32)> =
        scene.table.sandbox_ratings().iter().map(|one| (one.seat, one.change)).collect();
    assert_eq!(noted, [(1, -6), (2, -6)]);
}

#[test]
fn a_guest_who_is_erased_leaves_their_seat_to_the_owner_of_the_sandbox() {
    let guests = vec![SandboxGuest { seat: 2, player: Some(person("bob")) }];
    let sandbox = Sandbox { owner: Some(person("ann")), guests, ..Sandbox::default() };
    let mut scene = Scene::new(Created {
        sandbox: Some(sandbox),
        game_master: None,
        ..created("star-empires", &["ann", "ann"])
    });
    scene.does("", Kind::PlayerErased(PlayerErased { player_id: "eve".to_owned() }));
    assert!(scene.told.is_empty());
    scene.does("", Kind::PlayerErased(PlayerErased { player_id: "bob".to_owned() }));
    let text = "The player for whom seat 2 was kept declined; its owner holds it.";
    assert!(scene.told.iter().any(|event| event.text == text), "{:?}", scene.told);
    assert_eq!((scene.status(), scene.table.owed_by("ann").len()), (GameStatus::Running, 2));
}
