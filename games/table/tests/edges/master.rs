//! Actions of game masters and operators, and their public events.

use super::*;

#[test]
fn written_texts_are_accepted_up_to_their_limit() {
    let mut scene = Scene::new(created("star-empires", &["ann", "bob"]));
    let written = |length: usize| Kind::MessageSent(message(0, &[1], &"x".repeat(length)));
    scene.does("gm", written(4_000));
    assert_eq!(scene.refused("gm", written(4_001)), "text");
    assert_eq!(scene.refused("gm", written(0)), "text");
    let paused = |why: &str| {
        let act = OperatorAct::Paused.into();
        Kind::OperatorActed(OperatorActed { act, why: why.to_owned() })
    };
    assert_eq!(scene.refused("", paused(&"x".repeat(501))), "why");
    assert_eq!(scene.refused("", paused("two\nlines")), "why");
    assert_eq!(scene.refused("", paused(" ")), "why");
    scene.does("", paused(&"x".repeat(500)));
    let declared = |reason: &str| {
        let (winners, reason) = (vec![1], reason.to_owned());
        Kind::OutcomeDeclared(OutcomeDeclared { winners, reason })
    };
    assert_eq!(scene.refused("gm", declared(&"x".repeat(501))), "reason");
    assert_eq!(scene.refused("gm", declared("two\nlines")), "reason");
    scene.does("gm", declared(&"x".repeat(500)));
    assert_eq!(scene.status(), GameStatus::Ended);
    let outcome = scene.table.outcome().expect("it is over");
    assert!(outcome.declared && !outcome.draw);
    assert_eq!(outcome.winners, [1]);
}

#[test]
fn bans_apply_only_to_the_named_host() {
    for (named, cancelled) in [("host", true), ("", false), ("eve", false)] {
        let mut scene = Scene::new(Created {
            start_when_full: false,
            seats: vec![open(); 2],
            ..hosted("star-empires", &["host"])
        });
        let banned = Kind::HostBanned(HostBanned { player_id: named.to_owned() });
        assert_eq!(scene.apply("", banned).is_ok(), cancelled, "{named}");
        assert_eq!(scene.status() == GameStatus::Cancelled, cancelled, "{named}");
    }
    let mut scene =
        Scene::new(Created { game_master: None, ..created("star-empires", &["ann", "bob"]) });
    scene.does("", Kind::PlayerErased(PlayerErased { player_id: "ann".to_owned() }));
    scene.does("", Kind::PlayerErased(PlayerErased { player_id: "bob".to_owned() }));
    let nobody = Kind::HostBanned(HostBanned { player_id: String::new() });
    assert_eq!(scene.refused("", nobody), "WrongStatus");
    assert_eq!(scene.status(), GameStatus::Running);
}

#[test]
fn exports_are_published_and_denied_to_players() {
    let exported = |created: Created, by: &str, position_only| {
        let mut scene = Scene::new(created);
        let exported = scene.apply(by, Kind::GameExported(GameExported { position_only }));
        exported.map(|()| scene.events.remove(0)).map_err(|fault| fault.reason)
    };
    let game = || created("starships-at-large", &["ann", "bob"]);
    let event = exported(game(), "gm", true).expect("they may");
    assert_eq!(event.text, "The game master exported the complete position.");
    let by = "the game master".to_owned();
    assert_eq!(event.body, Some(event::Body::Exported(Exported { by, position_only: true })));
    assert_eq!(exported(game(), "ann", true).err(), Some(ErrorReason::RoleRequired));
    let own =
        |automated| in_sandbox("star-empires", 2, Sandbox { automated, ..Sandbox::default() });
    let by = |exported: Result<Event, ErrorReason>| match exported.expect("they may").body {
        Some(event::Body::Exported(exported)) => exported.by,
        other => panic!("{other:?}"),
    };
    assert_eq!(by(exported(own(Vec::new()), "ann", false)), "Empire 1");
    let all = [1, 2].map(|seat| SandboxAutomation { seat, ..SandboxAutomation::default() });
    assert_eq!(by(exported(own(all.into()), "ann", false)), "its owner");
}

#[test]
fn only_the_operator_resumes_an_operator_pause() {
    let mut scene = Scene::new(created("star-empires", &["ann", "bob"]));
    let act = |act: OperatorAct, why: &str| {
        Kind::OperatorActed(OperatorActed { act: act.into(), why: why.to_owned() })
    };
    let resume = Kind::PauseSet(PauseSet { paused: false });
    scene.does("", act(OperatorAct::Paused, "a repair"));
    assert_eq!(scene.refused("gm", resume.clone()), "WrongStatus");
    scene.does("", act(OperatorAct::Resumed, ""));
    scene.does("gm", Kind::PauseSet(PauseSet { paused: true }));
    scene.does("gm", resume);
    assert_eq!(scene.status(), GameStatus::Running);
}
