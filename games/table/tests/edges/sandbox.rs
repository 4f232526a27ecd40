//! Limits on sandboxes.

use super::*;

#[test]
fn scripted_dice_and_the_clock_offset_are_limited() {
    let sandbox = Sandbox { owner: Some(person("ann")), ..Sandbox::default() };
    let create = || {
        Scene::new(Created {
            sandbox: Some(sandbox.clone()),
            game_master: None,
            ..created("starships-at-large", &["ann", "ann"])
        })
    };
    let script = |dice: Vec<u32>, replace| Kind::DiceScripted(DiceScripted { dice, replace });
    let mut scene = create();
    scene.does("ann", script(vec![1; 6_000], false));
    assert_eq!(scene.refused("ann", script(vec![1; 4_001], false)), "dice");
    scene.does("ann", script(vec![1; 4_000], false));
    assert_eq!(scene.table.scripted_dice().len(), 10_000);
    scene.does("ann", script(vec![2; 10_000], true));
    assert_eq!(scene.refused("ann", script(vec![0], true)), "dice");
    let forward = |by| Kind::ClockAdvanced(ClockAdvanced { by: millis(by) });
    let mut scene = create();
    assert_eq!(scene.refused("ann", forward(999)), "by");
    scene.does("ann", forward(1_000));
    assert_eq!(scene.seen("ann").status(), GameStatus::Running);
    let most = 3_650 * DAY;
    assert_eq!(scene.refused("ann", forward(most)), "by");
    scene.does("ann", forward(most - 1_000));
}

#[test]
fn sandboxes_have_the_named_seats() {
    let create = |sandbox: Sandbox| {
        let owner = Some(person("ann"));
        let created = Created {
            sandbox: Some(Sandbox { owner, ..sandbox }),
            game_master: None,
            ..created("star-empires", &["ann", "ann"])
        };
        Table::create(created, SECRET, "ann", 0)
            .map(|(table, _)| table)
            .map_err(|fault| fault.field)
    };
    let automated = |seat| Sandbox {
        automated: vec![SandboxAutomation { seat, ..SandboxAutomation::default() }],
        ..Sandbox::default()
    };
    let guest = |seat| Sandbox {
        guests: vec![SandboxGuest { seat, player: Some(person("bob")) }],
        ..Sandbox::default()
    };
    assert!(create(automated(2)).is_ok() && create(guest(2)).is_ok());
    let fault = |sandbox| create(sandbox).err().flatten().unwrap_or_default();
    assert_eq!(fault(automated(3)), "automated[0].seat");
    assert_eq!(fault(automated(0)), "automated[0].seat");
    assert_eq!(fault(guest(3)), "guests[0].seat");
    let unfit = Sandbox { dice: vec![999], ..Sandbox::default() };
    let starships = Created {
        sandbox: Some(Sandbox { owner: Some(person("ann")), ..unfit }),
        game_master: None,
        ..created("starships-at-large", &["ann", "ann"])
    };
    let laid = Table::create(starships, SECRET, "ann", 0).map(|_| ()).map_err(|fault| fault.field);
    assert_eq!(laid, Err(Some("dice".to_owned())));
}

#[test]
fn only_guests_join_sandboxes_and_owners_name_a_seat() {
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
    let text = "The player invited to seat 2 declined; the owner controls it.";
    assert!(scene.events.iter().any(|event| event.text == text));
}

#[test]
fn sandboxes_record_rating_changes_by_seat() {
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
fn seats_of_erased_guests_return_to_the_owner() {
    let guests = vec![SandboxGuest { seat: 2, player: Some(person("bob")) }];
    let sandbox = Sandbox { owner: Some(person("ann")), guests, ..Sandbox::default() };
    let mut scene = Scene::new(Created {
        sandbox: Some(sandbox),
        game_master: None,
        ..created("star-empires", &["ann", "ann"])
    });
    scene.does("", Kind::PlayerErased(PlayerErased { player_id: "eve".to_owned() }));
    assert!(scene.events.is_empty());
    scene.does("", Kind::PlayerErased(PlayerErased { player_id: "bob".to_owned() }));
    let text = "The player invited to seat 2 declined; the owner controls it.";
    assert!(scene.events.iter().any(|event| event.text == text), "{:?}", scene.events);
    assert_eq!((scene.status(), scene.table.owed_by("ann").len()), (GameStatus::Running, 2));
}
