//! Warnings of omissions, reported by the engine and confirmed in clients.

use std::collections::BTreeSet;
use std::process::Stdio;

use heliopause_proto::v1::*;
use heliopause_tests::{Engine, Person, Player, STARSHIPS, Sandbox, reason};
use tonic::Status;

const DIPLOMACY: &str = "diplomacy";

async fn set_ready(sandbox: &Sandbox, request: SetReadyRequest) -> Result<Vec<Warning>, Status> {
    let phase = sandbox.view(request.seat.unwrap_or(1)).await.phase;
    let request = SetReadyRequest { game_id: sandbox.game_id.clone(), phase, ..request };
    Ok(sandbox.owner.call(request).await?.warnings)
}

fn dry() -> SetReadyRequest {
    SetReadyRequest { seat: Some(1), ready: true, dry_run: true, ..SetReadyRequest::default() }
}

fn codes(warnings: &[Warning]) -> Vec<&str> {
    warnings.iter().map(|warning| warning.code.as_str()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_ready_reports_omissions_and_changes_nothing() {
    let (_engine, [ann]) = Engine::with_players(["Ann"]).await;
    let sandbox = Sandbox::of(&ann, DIPLOMACY, |_| {}).await;
    let before = sandbox.view(1).await;
    let warnings = set_ready(&sandbox, dry()).await.expect("a dry run");
    assert_eq!(codes(&warnings), ["units-without-orders"]);
    let Warning { sentence, rule, fix: mend, .. } = &warnings[0];
    assert_eq!(rule, "D3");
    assert!(sentence.starts_with("Three units have no orders and hold: "), "{sentence}");
    let mend = mend.as_ref().expect("an offer would mend it");
    assert_eq!((mend.offers.len(), mend.offers[0].key.as_str()), (1, "move"));
    assert!(!mend.lists.is_empty() && !mend.values.is_empty(), "it stands alone: {mend:?}");
    assert_eq!(sandbox.view(1).await, before, "nothing has changed");
    let unready = SetReadyRequest { ready: false, ..dry() };
    assert_eq!(set_ready(&sandbox, unready).await.expect("a dry run"), []);

    sandbox.order(1, "A Vie - Gal").await.expect("an order");
    let told = SetReadyRequest { dry_run: false, ..dry() };
    let warnings = set_ready(&sandbox, told).await.expect("it is ready");
    assert!(warnings[0].sentence.starts_with("Two units have no orders"), "{warnings:?}");
    assert!(sandbox.view(1).await.decision.is_some_and(|decision| decision.ready));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_reports_omissions_after_the_orders() {
    let (_engine, [ann]) = Engine::with_players(["Ann"]).await;
    let sandbox = Sandbox::of(&ann, DIPLOMACY, |_| {}).await;
    let told = sandbox.validate(1, "A Vie - Gal\nA Bud - Gal\nF Tri H").await.unwrap();
    assert!(told.verdicts.iter().all(|verdict| verdict.accepted && verdict.warnings.is_empty()));
    assert_eq!(codes(&told.warnings), ["own-standoff"]);
    let told = sandbox.validate(1, "A Vie - Gal\nA Vie - Lon\nF Tri H\nA Bud - Ser").await.unwrap();
    assert!(!told.verdicts[1].accepted);
    assert_eq!(told.warnings, [], "what would be refused is left out");
    assert_eq!(codes(&sandbox.validate(1, "").await.unwrap().warnings), ["units-without-orders"]);
    let decision = sandbox.view(1).await.decision.expect("a decision");
    assert_eq!(decision.revision, Some(0), "nothing was ordered");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_verdict_warns_of_orders_that_are_resolved_at_once() {
    let engine = Engine::start();
    let sandbox = Sandbox::new(&engine.player("Ann").await, 2, &[]).await;
    let seat = sandbox.owner.game(&sandbox.game_id).await.on_turn.expect("a turn");
    let told = sandbox.validate(seat, "end").await.unwrap();
    assert_eq!(codes(&told.verdicts[0].warnings), ["starships-unmoved"]);
    assert_eq!(told.verdicts[0].warnings[0].rule, "3.4");
    assert_eq!(told.warnings, [], "there is no ready mark");
    let other = 3 - seat;
    let told = sandbox.validate(other, "end").await.unwrap();
    assert!(!told.verdicts[0].accepted && told.verdicts[0].warnings.is_empty());
    let told = SetReadyRequest { seat: Some(seat), ..dry() };
    assert_eq!(reason(&set_ready(&sandbox, told).await.unwrap_err()), "INVALID_FIELD");
}

#[tokio::test(flavor = "multi_thread")]
async fn warnings_are_visible_only_to_their_player() {
    let (_engine, [ann, bob, eve]) = Engine::with_players(["Ann", "Bob", "Eve"]).await;
    let game = ann.create_with(1, |request| "star-empires".clone_into(&mut request.kind)).await;
    bob.join(&game.game_id).await;
    let phase = bob.view(&game.game_id).await.phase;
    let ready = async |who: &Player, request: SetReadyRequest| {
        let request = SetReadyRequest { game_id: game.game_id.clone(), phase, ..request };
        who.games().set_ready(request).await.map(tonic::Response::into_inner)
    };
    let refused = ready(&eve, SetReadyRequest { seat: None, ..dry() }).await.unwrap_err();
    assert!(["GAME_NOT_FOUND", "NOT_YOUR_SEAT"].contains(&reason(&refused).as_str()), "{refused}");
    for dry_run in [true, false] {
        let refused = ready(&bob, SetReadyRequest { dry_run, ..dry() }).await.unwrap_err();
        assert_eq!(reason(&refused), "NOT_YOUR_SEAT");
    }
    let own = SetReadyRequest { seat: None, dry_run: false, request_id: "mine".into(), ..dry() };
    let told = ready(&bob, own.clone()).await.expect("it is ready").warnings;
    assert_eq!(codes(&told), ["ru-unspent"]);
    assert!(ready(&bob, SetReadyRequest { seat: Some(1), ..own }).await.is_err());
}

fn on_turn(person: &Person, game: &str) -> bool {
    person.does(&["show", game])["decision"].is_object()
}

#[test]
fn a_script_is_rejected_without_yes() {
    let (_engine, [ann, bob]) = Engine::with_people(["Ann", "Bob"]);
    let (ann, _, game) = ann.begins(bob, STARSHIPS);
    let told = ann.fails(&["orders", &game, "end"]);
    assert!(told.contains("NOT_CONFIRMED") && told.contains("--yes"), "{told}");
    assert!(told.contains("One starship has not moved") && told.contains("3.4"), "{told}");
    assert!(on_turn(&ann, &game), "nothing was done");
    let output = ann.program().args(["orders", &game, "end"]).stdin(Stdio::null()).output();
    assert_eq!(output.expect("it runs").status.code(), Some(1), "as other refusals");
    let (told, _) = ann.reads(&["validate", &game, "end"]);
    assert!(told.contains("Warnings") && told.contains("has not moved"), "{told}");
    ann.does(&["orders", &game, "end", "--yes"]);
    assert!(!on_turn(&ann, &game), "the turn is over");
}

#[test]
fn ready_asks_for_confirmation_too() {
    let (_engine, [ann, bob]) = Engine::with_people(["Ann", "Bob"]);
    let (ann, _, game) = ann.begins(bob, DIPLOMACY);
    let told = ann.fails(&["ready", &game]);
    assert!(told.contains("units have no orders") && told.contains("--yes"), "{told}");
    let ready = |ann: &Person| ann.does(&["show", &game])["decision"]["ready"] == true;
    assert!(!ready(&ann));
    ann.does(&["ready", &game, "--off"]);
    let units = ann.does(&["options", &game])["list"].clone();
    let holds: Vec<&str> = units
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|line| line["notation"].as_str())
        .filter(|line| line.ends_with(" H"))
        .collect();
    let one = [&["orders", game.as_str(), "--ready"][..], &holds[..1]].concat();
    assert!(ann.fails(&one).contains("no order"), "the others have none");
    ann.does(&[&["orders", game.as_str(), "--ready"][..], &holds].concat());
}

/// Returns the seats in the prompts, in any order: dice decide which starts.
fn seats_asked(told: &str) -> BTreeSet<&str> {
    told.lines().filter_map(|line| line.split_once("> ")).map(|(seat, _)| seat).collect()
}

#[test]
fn play_asks_for_confirmation_before_a_turn_ends_with_omissions() {
    let (_engine, [ann]) = Engine::with_people(["Ann"]);
    let both = [STARSHIPS, "--own", "2", "--opponents", "0"];
    let told = ann.plays(&both, "end\n\nend\nno\nend\n7\n\nquit\n");
    assert!(told.contains("Before you continue") && told.contains("has not moved: "), "{told}");
    assert_eq!(told.matches("Canceled.").count(), 3, "{told}");
    assert!(told.contains("Warning 7 "), "{told}");
    assert_eq!(seats_asked(&told).len(), 1, "the turn goes on: {told}");

    let told = ann.plays(&both, "end\nmap\nend\nfoo\nquit\n");
    assert!(told.contains("Canceled. Next: map"), "{told}");
    assert!(told.contains("1 | foo\n  | ^") && told.contains("`help` lists"), "{told}");
    assert_eq!(seats_asked(&told).len(), 1, "the turn goes on: {told}");

    let told = ann.plays(&both, "end\n1\n1\nquit\n");
    assert!(told.contains("Which?") && told.contains(" moves from (0,0) to "), "{told}");

    let told = ann.plays(&both, "end\nyes\nquit\n");
    assert!(told.contains("Before you continue") && seats_asked(&told).len() == 2, "{told}");
    let told = ann.plays(&[&both[..], &["--yes"]].concat(), "end\nquit\n");
    assert!(!told.contains("Before you continue") && seats_asked(&told).len() == 2, "{told}");
}

#[test]
fn unreadable_orders_are_reported_alike_in_all_games() {
    let (_engine, [ann]) = Engine::with_people(["Ann"]);
    let kinds = ann.does(&["kinds"]);
    for kind in kinds["kinds"].as_array().expect("kinds") {
        let (name, players) = (kind["kind"].as_str().unwrap(), kind["playersUsual"].as_u64());
        let own = players.unwrap_or(1).to_string();
        let told = ann.plays(&[name, "--own", &own, "--opponents", "0"], "foo bar\nquit\n");
        assert!(told.contains("\n1 | foo bar\n  | ^\n"), "{name}: {told}");
        assert!(!told.contains("line 1, column"), "{name}: {told}");
        assert!(told.contains("`help` lists the commands"), "{name}: {told}");
    }
}
