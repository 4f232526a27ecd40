//! Limits before a game starts.

use super::*;

#[test]
fn entropy_has_1_to_64_bytes() {
    let entropy = |length: usize| vec![7; length];
    for (length, fits) in [(0, false), (1, true), (64, true), (65, false)] {
        let entropy_commitment = chain::sha256(&[&entropy(length)]).to_vec().into();
        let player = Some(person("ann"));
        let ann = Plan::Taken(Taken { player, entropy_commitment, ..Taken::default() });
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
