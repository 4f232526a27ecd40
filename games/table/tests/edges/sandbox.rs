//! Limits on sandboxes.

use heliopause_proto::v1::AnalysisOrigin;

use super::*;

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
fn owners_name_a_seat() {
    let guests = vec![SandboxGuest { seat: 2, player: Some(person("bob")) }];
    let guests = Sandbox { guests, ..Sandbox::default() };
    let sandbox = |kind: &str| Scene::new(in_sandbox(kind, 2, guests.clone())).table;
    let table = sandbox("star-empires");
    let fault = table.acting_seat("ann", None).expect_err("which seat?");
    assert_eq!(fault.field.as_deref(), Some("seat"));
    assert_eq!(table.acting_seat("ann", Some(2)).map(Seat::number), Ok(2));
    let table = sandbox("starships-at-large");
    assert_eq!(
        table.acting_seat("ann", None).ok(),
        table.game().and_then(registry::AnyGame::on_turn)
    );
}

#[test]
fn the_owner_of_a_branch_plays_the_seat_of_the_branch() {
    let origin = AnalysisOrigin { seat: Some(2), ..AnalysisOrigin::default() };
    let branch = Sandbox { origin: Some(origin), ..Sandbox::default() };
    let table = Scene::new(in_sandbox("star-empires", 2, branch)).table;
    let seat = Seat::at(1);
    assert_eq!(table.acting_seat("ann", None), Ok(seat));
    assert_eq!(table.viewer("ann", None, false), Ok(Viewer::Seat(seat)));
    assert_eq!(table.viewer("ann", None, true), Ok(Viewer::Spectator));
    assert_eq!(table.viewer("ann", Some(1), false), Ok(Viewer::Seat(Seat::at(0))));
    assert!(table.acting_seat("bob", None).is_err());
}
