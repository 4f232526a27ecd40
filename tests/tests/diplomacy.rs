//! Diplomacy and "...It Came From Outer Space!": whole games, secrecy, reports and adjudication.

use std::path::{Path, PathBuf};
use std::process::Command;

use heliopause_proto::diplomacy::v1::adjudication_service_client::AdjudicationServiceClient;
use heliopause_proto::diplomacy::v1::{
    AdjudicateRequest, MovementPhase, Power, PowerOrders, Situation, Unit, UnitKind, situation,
};
use heliopause_tests::{Engine, binary, reason};

#[tokio::test(flavor = "multi_thread")]
async fn phases_are_adjudicated_without_a_game() {
    let (engine, [ann]) = Engine::with_players(["Ann"]).await;
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
