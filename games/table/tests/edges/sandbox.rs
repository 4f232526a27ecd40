//! Limits on sandboxes.

use super::*;

fn guest(seat: u32) -> Sandbox {
    let guests = vec![SandboxGuest { seat, player: Some(person("bob")) }];
    Sandbox { guests, ..Sandbox::default() }
}

#[test]
fn scripted_dice_and_the_clock_offset_are_limited() {
    let create = || Scene::new(in_sandbox("starships-at-large", 2, Sandbox::default()));
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
    let fault = |kind: &str, sandbox: Sandbox| {
        let laid = Scene::with(SECRET, in_sandbox(kind, 2, sandbox));
        laid.err().map(|fault| fault.field.unwrap_or_default())
    };
    let field = |name: &str| Some(name.to_owned());
    let automated = |seat| Sandbox {
        automated: vec![SandboxAutomation { seat, ..SandboxAutomation::default() }],
        ..Sandbox::default()
    };
    for (sandbox, refused) in [
        (automated(2), None),
        (guest(2), None),
        (automated(3), field("automated[0].seat")),
        (automated(0), field("automated[0].seat")),
        (guest(3), field("guests[0].seat")),
    ] {
        assert_eq!(fault("star-empires", sandbox), refused);
    }
    let unfit = Sandbox { dice: vec![999], ..Sandbox::default() };
    assert_eq!(fault("starships-at-large", unfit), field("dice"));
}

#[test]
fn only_guests_join_sandboxes_and_owners_name_a_seat() {
    let sandbox = |kind: &str| Scene::new(in_sandbox(kind, 2, guest(2)));
    let join = |id: &str| Kind::Joined(Joined { player: Some(person(id)), ..Joined::default() });
    let mut scene = sandbox("star-empires");
    let fault = scene.table.acting_seat("ann", None).expect_err("which seat?");
    assert_eq!(fault.field.as_deref(), Some("seat"));
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
    let mut scene = Scene::new(in_sandbox("star-empires", 2, Sandbox::default()));
    scene.wait(2 * DAY);
    let noted: Vec<(u32, i32)> =
        scene.table.sandbox_ratings().iter().map(|one| (one.seat, one.change)).collect();
    assert_eq!(noted, [(1, -6), (2, -6)]);
}

#[test]
fn seats_of_erased_guests_return_to_the_owner() {
    let mut scene = Scene::new(in_sandbox("star-empires", 2, guest(2)));
    scene.does("", Kind::PlayerErased(PlayerErased { player_id: "eve".to_owned() }));
    assert!(scene.events.is_empty());
    scene.does("", Kind::PlayerErased(PlayerErased { player_id: "bob".to_owned() }));
    let text = "The player invited to seat 2 declined; the owner controls it.";
    assert!(scene.events.iter().any(|event| event.text == text), "{:?}", scene.events);
    assert_eq!((scene.status(), scene.table.owed_by("ann").len()), (GameStatus::Running, 2));
}
