//! Diplomacy and "...It Came From Outer Space!": whole games, secrecy, reports and adjudication.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use heliopause_proto::diplomacy::v1::adjudication_service_client::AdjudicationServiceClient;
use heliopause_proto::diplomacy::v1::{
    AdjudicateRequest, MovementPhase, Options, Phase, Power, PowerOrders, Situation, Table, Unit,
    UnitKind, event as happened, situation,
};
use heliopause_proto::v1::*;
use heliopause_tests::{AiClient, Engine, Player, binary, reason, word};

const STANDARD: &str = "diplomacy";
const SPACE: &str = "it-came-from-outer-space";

async fn table(player: &Player, game: &str) -> Table {
    let view = player.view(game).await.view.and_then(|view| view.game);
    let Some(game_view::Game::Diplomacy(view)) = view else { panic!("a view of this game") };
    view.table.expect("a table")
}

async fn order(player: &Player, game: &str, lines: &[&str]) {
    player.submit(game, &lines.join("\n"), true).await;
}

async fn turn(game: &str, players: [&Player; 2], orders: [&[&str]; 2]) {
    for (player, lines) in players.into_iter().zip(orders) {
        order(player, game, lines).await;
    }
}

fn units(table: &Table, seat: usize) -> Vec<String> {
    let letter = |unit: &Unit| if unit.kind() == UnitKind::Army { 'A' } else { 'F' };
    let units =
        table.powers[seat - 1].units.iter().map(|unit| format!("{} {}", letter(unit), unit.at));
    units.collect::<BTreeSet<_>>().into_iter().collect()
}

async fn agree_on_a_draw(game: &str, players: [&Player; 2]) {
    let vote = players[0].propose(game, VoteSubject::Draw).await;
    players[1].agree(game, vote.number).await;
}

async fn new_game(
    ann: &Player,
    bob: &Player,
    kind: &str,
    change: impl FnOnce(&mut CreateGameRequest),
) -> String {
    let game = ann.create_with(1, |request| {
        kind.clone_into(&mut request.kind);
        change(request);
    });
    let id = game.await.game_id;
    assert_eq!(bob.join(&id).await.status(), GameStatus::Running);
    id
}

#[tokio::test(flavor = "multi_thread")]
async fn empires_land_colonize_fight_retreat_build_and_agree_on_a_draw() {
    let mut engine = Engine::start();
    let [mut ann, mut bob] = engine.players(["Ann", "Bob"]).await;
    let game = new_game(&ann, &bob, SPACE, |_| {}).await;
    let id = game.as_str();
    turn(
        id,
        [&ann, &bob],
        [
            &["A ORB - Par", "A ORB - Pic", "A ORB - Bel"],
            &["A ORB - Mun", "A ORB - Ber", "A ORB - Kie"],
        ],
    )
    .await;
    turn(
        id,
        [&ann, &bob],
        [&["A Par COL", "A Pic - Bre", "A Bel COL"], &["A Mun COL", "A Ber COL", "A Kie COL"]],
    )
    .await;
    let after = table(&ann, id).await;
    assert_eq!(
        (after.year, after.phase()),
        (1902, Phase::SpringMovement),
        "as many units as centers: no winter"
    );
    assert_eq!(after.powers[0].centers, ["Bel", "Bre", "Par"]);

    order(&ann, id, &["A Bre - Pic"]).await;
    engine = engine.kill_and_restart();
    let channel = engine.channel().await;
    (ann, bob) = (ann.on(channel.clone()), bob.on(channel));
    order(&bob, id, &["A Mun - Ruh", "A Kie - Hol", "A Ber - Kie"]).await;
    assert_eq!(units(&table(&ann, id).await, 1), ["A Bel", "A Par", "A Pic"]);

    turn(id, [&ann, &bob], [&["A Bel H"], &["A Hol - Bel", "A Ruh S A Hol - Bel", "A Kie COL"]])
        .await;
    let driven = table(&bob, id).await;
    assert_eq!(
        (driven.phase(), driven.dislodged[0].retreats.as_slice()),
        (Phase::FallRetreat, &["ORB".to_owned()][..])
    );
    assert!(bob.view(id).await.decision.is_none(), "only who was dislodged is asked");
    order(&ann, id, &["A Bel R ORB"]).await;

    let winter = table(&ann, id).await;
    assert_eq!((winter.phase(), winter.powers[0].orbit), (Phase::Winter, 1));
    let illegal =
        bob.order(id, "BUILD A Bel", "illegal").await.expect_err("no colony of the builder");
    assert_eq!(
        (reason(&illegal), word(&illegal, "refusal")),
        ("ORDER_REFUSED".into(), "not-a-colony".into())
    );
    turn(id, [&ann, &bob], [&["REMOVE A ORB"], &["BUILD A Mun"]]).await;
    let spring = table(&bob, id).await;
    assert_eq!(
        (units(&spring, 1), spring.powers[0].orbit),
        (vec!["A Par".into(), "A Pic".into()], 0)
    );
    assert_eq!(units(&spring, 2), ["A Bel", "A Kie", "A Mun", "A Ruh"]);

    agree_on_a_draw(id, [&ann, &bob]).await;
    let over = ann.game(id).await;
    let outcome = over.outcome.expect("the game is over");
    assert_eq!(
        (over.status, outcome.winners, outcome.points),
        (GameStatus::Ended.into(), vec![1, 2], vec![50, 50])
    );
    ann.verified(id).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_seven_and_thirty_automated_empires_play_to_the_last_year() {
    let engine = Engine::start();
    let _ai = AiClient::start(&engine);
    let eve = engine.player("Eve").await;
    let options = Options { last_year: Some(1903), ..Options::default() };
    for empires in [2, 7, 30] {
        let options = GameOptions { game: Some(game_options::Game::Diplomacy(options.clone())) };
        let id = eve.create_automated(SPACE, empires, "random", Some(options)).await.game_id;
        let over = eve.ended(&id).await;
        eve.verified(&id).await;
        let table = table(&eve, &id).await;
        assert_eq!(table.powers.len(), empires);
        assert!(over.outcome.is_some_and(|outcome| !outcome.winners.is_empty()));
        let held: Vec<&String> = table.powers.iter().flat_map(|power| &power.centers).collect();
        assert_eq!(
            held.iter().collect::<BTreeSet<_>>().len(),
            held.len(),
            "a center has one holder"
        );
    }
}

async fn visible_text(player: &Player, id: &str) -> String {
    format!(
        "{:?} {:?} {:?}",
        player.game(id).await,
        player.view(id).await,
        player.all_events(id).await
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_are_secret_until_all_are_in() {
    let engine = Engine::start();
    let [ann, bob, eve] = engine.players(["Ann", "Bob", "Eve"]).await;
    let game = new_game(&ann, &bob, STANDARD, |request| request.hide_ready = true).await;
    let id = game.as_str();
    let before = (visible_text(&bob, id).await, bob.offers(id).await);
    ann.order(id, "A Vie - Tyr\nF Tri - Alb", "1").await.expect("legal orders");
    let after = (visible_text(&bob, id).await, bob.offers(id).await);
    assert_eq!(before, after, "nothing that another seat sees has changed");
    let watched = eve.all_events(id).await;
    let ordered = |event: &Event| match &event.body {
        Some(event::Body::Game(GameEvent { game: Some(game_event::Game::Diplomacy(event)) })) => {
            matches!(event.kind, Some(happened::Kind::Ordered(_)))
        }
        _ => false,
    };
    assert!(!watched.iter().any(ordered));
    assert_eq!(ann.all_events(id).await.iter().filter(|event| ordered(event)).count(), 2);

    order(&ann, id, &["A Vie - Gal"]).await;
    order(&bob, id, &["F Lon - NTH", "A Lvp - Yor"]).await;
    let moved = table(&bob, id).await;
    assert_eq!(units(&moved, 1), ["A Bud", "A Gal", "F Alb"]);
    assert_eq!(units(&moved, 3).len(), 3, "powers without a player hold");
    assert!(
        eve.all_events(id)
            .await
            .iter()
            .any(|event| event.text.contains("Austria: A Vie - Gal: succeeds"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_report_shows_the_last_movement_with_reasons() {
    let engine = Engine::start();
    let [ann, bob] = engine.players(["Ann", "Bob"]).await;
    let id = new_game(&ann, &bob, SPACE, |_| {}).await;
    turn(&id, [&ann, &bob], [&["A ORB - Par", "A ORB - Pic"], &["A ORB - Par"]]).await;
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(binary("cli-client"));
    command.args(["--engine", &engine.url(), "report", &id]);
    command.env("HELIOPAUSE_CONFIG_DIR", folder.path()).env("HELIOPAUSE_TOKEN", &ann.token);
    let output = command.output().expect("the command line starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("THE LAST MOVEMENT") && text.contains("bounced: 1 against 1"), "{text}");
}

/// D8.6: powers without a player have no seat, but the fate of their units is still reported.
#[tokio::test(flavor = "multi_thread")]
async fn d8_6_a_power_in_civil_disorder_is_dislodged() {
    let engine = Engine::start();
    let [ann, bob] = engine.players(["Ann", "Bob"]).await;
    let game = new_game(&ann, &bob, STANDARD, |_| {}).await;
    let id = game.as_str();
    turn(
        id,
        [&ann, &bob],
        [&["A Vie - Tyr", "A Bud - Ser", "F Tri - ADR"], &["F Lon - NTH", "A Lvp - Yor"]],
    )
    .await;
    turn(
        id,
        [&ann, &bob],
        [&["A Tyr - Ven", "F ADR S A Tyr - Ven"], &["F NTH C A Yor - Nwy", "A Yor - Nwy"]],
    )
    .await;
    let winter = table(&ann, id).await;
    assert_eq!(
        (winter.phase(), units(&winter, 5)),
        (Phase::Winter, vec!["A Rom".into(), "F Nap".into()])
    );
    let events = ann.all_events(id).await;
    assert!(
        events.iter().any(|event| event
            .text
            .contains("Italy's A Ven has no retreat order and is disbanded")),
        "{events:?}"
    );
    turn(id, [&ann, &bob], [&["BUILD A Vie", "BUILD F Tri"], &["BUILD F Lon"]]).await;
    assert_eq!(table(&bob, id).await.year, 1902);
}

#[tokio::test(flavor = "multi_thread")]
async fn phases_are_adjudicated_without_a_game() {
    let engine = Engine::start();
    let ann = engine.player("Ann").await;
    let army = |seat, at: &str| Power {
        seat,
        units: vec![Unit { kind: UnitKind::Army.into(), at: at.into() }],
        ..Power::default()
    };
    let orders = |seat, line: &str| PowerOrders { seat, lines: vec![line.into()] };
    let movement =
        MovementPhase { orders: vec![orders(3, "A Par - Bur"), orders(4, "A Mun - Bur")] };
    let phase = Some(situation::Phase::Movement(movement));
    let situation =
        Situation { powers: vec![army(3, "Par"), army(4, "Mun")], phase, ..Situation::default() };
    let request = |token: &str, count: usize| {
        let situations = vec![situation.clone(); count];
        let mut request = tonic::Request::new(AdjudicateRequest { situations });
        request
            .metadata_mut()
            .insert("authorization", format!("Bearer {token}").parse().expect("ASCII"));
        request
    };
    let mut service = AdjudicationServiceClient::new(engine.channel().await);
    let found = service
        .adjudicate(request(&ann.token, 2))
        .await
        .expect("an account is all it takes")
        .into_inner();
    assert_eq!(found.resolutions.len(), 2);
    assert_eq!(found.resolutions[1].lines[1].text, "bounced: 1 against 1 from Par");
    let refused = service.adjudicate(request(&ann.token, 101)).await.expect_err("too many");
    assert_eq!(reason(&refused), "INVALID_FIELD");
    let anonymous = service
        .adjudicate(request("hp_nobody", 1))
        .await
        .expect_err("nobody comes in without a token");
    assert_eq!(reason(&anonymous), "TOKEN_INVALID");
}

fn cases(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/diplomacy/tests/data").join(file)
}

fn run_cases(files: &[PathBuf]) -> (bool, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(binary("cli-client"));
    command.args(["scenario", "--keep-going"]).args(files);
    command
        .env("HELIOPAUSE_ENGINE_BIN", binary("engine-service"))
        .env("HELIOPAUSE_CONFIG_DIR", folder.path());
    let output = command.output().expect("the command line starts");
    (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn recorded_cases_pass_through_the_command_line() {
    let files = ["cases.jsonl", "phases-1000.jsonl", "paradox-100.jsonl", "worked.jsonl"];
    let (passed, output) = run_cases(&files.map(cases));
    let last = output.trim_end().lines().last().unwrap_or_default();
    assert!(passed && last == "1261 scenarios passed.", "{last}");
}

#[test]
fn a_case_that_differs_is_reported_and_fails_the_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("wrong.json");
    let case = r#"{ "cases": [
        { "id": "right", "units": { "France": ["A Par"] }, "steps": [{ "phase": "movement",
          "orders": { "France": ["A Par - Bur"] }, "expect": { "units": { "France": ["A Bur"] } } }] },
        { "id": "wrong", "units": { "France": ["A Par"] }, "steps": [{ "phase": "movement",
          "orders": { "France": ["A Par - Bur"] }, "expect": { "units": { "France": ["A Par"] } } }] },
        { "id": "no position", "units": { "France": ["A NTH"] }, "steps": [{ "phase": "movement", "expect": {} }] }] }"#;
    std::fs::write(&file, case).expect("the folder can be written");
    let (passed, output) = run_cases(&[file]);
    assert!(!passed);
    let (pass, fail) = (output.matches("pass ").count(), output.matches("FAIL ").count());
    assert_eq!((pass, fail), (1, 2), "{output}");
    assert!(output.contains("step 1 (line 4), movement"), "{output}");
    assert!(output.contains("units: expected France A Par, found France A Bur"), "{output}");
}
