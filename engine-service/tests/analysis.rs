//! Branches of games, on both stores.

use crate::support;

use std::path::PathBuf;
use std::slice::from_ref;
use std::sync::Arc;

use heliopause_engine::config::Settings;
use heliopause_engine::host::{Host, HostSettings};
use heliopause_engine::store::postgres::PostgresStore;
use heliopause_engine::store::sqlite::SqliteStore;
use heliopause_engine::store::{RecordChange, RecordQuery, Store};
use heliopause_kernel::{Seat, Viewer};
use heliopause_proto::star_empires::v1::Options;
use heliopause_proto::store::v1::planned_seat::Plan;
use heliopause_proto::store::v1::{
    Created, OrdersGiven, Person, PlannedSeat, Step, StoredAnalysis, Taken, step,
};
use heliopause_proto::v1::game_service_client::GameServiceClient;
use heliopause_proto::v1::profile_service_client::ProfileServiceClient;
use heliopause_proto::v1::sandbox_service_client::SandboxServiceClient;
use heliopause_proto::v1::*;
use heliopause_table::{Table, chain};
use heliopause_test_database::Postgres;
use prost::Message as _;
use support::{Authorized, TestServer, in_memory, refusal, start};
use tempfile::TempDir;
use tonic_types::StatusExt as _;

const SEED: [u8; 32] = [9; 32];

/// The data of a server that is stopped and started again.
enum Data {
    Folder(TempDir),
    /// Dropping the server removes the database.
    Postgres {
        _server: Postgres,
        address: String,
        tokens: TempDir,
    },
}

impl Data {
    fn all(name: &str) -> Vec<Self> {
        let postgres = Postgres::shared().map(|server| {
            let address = server.database(name);
            let tokens = tempfile::tempdir().expect("a folder");
            Self::Postgres { _server: server, address, tokens }
        });
        let folder = Self::Folder(tempfile::tempdir().expect("a folder"));
        [folder].into_iter().chain(postgres).collect()
    }

    async fn store(&self) -> Arc<dyn Store> {
        match self {
            Self::Folder(folder) => Arc::new(SqliteStore::open(folder.path(), None).unwrap()),
            Self::Postgres { address, .. } => {
                Arc::new(PostgresStore::open(address, 8, None).await.unwrap())
            }
        }
    }

    async fn serve(&self) -> TestServer {
        let (data, tokens) = match self {
            Self::Folder(folder) => (folder.path().to_owned(), folder),
            Self::Postgres { address, tokens, .. } => (PathBuf::from(address), tokens),
        };
        let tokens = Some(tokens.path().to_owned());
        start(Settings { data: Some(data), tokens, ..in_memory() }).await
    }
}

fn games(server: &TestServer, token: &str) -> GameServiceClient<Authorized> {
    GameServiceClient::new(server.authorized(token))
}

fn sandbox(server: &TestServer, token: &str) -> SandboxServiceClient<Authorized> {
    SandboxServiceClient::new(server.authorized(token))
}

async fn person(server: &TestServer, token: &str) -> Person {
    let me = server.player(token).get_me(GetMeRequest {}).await.unwrap().into_inner();
    let me = me.player.expect("a player");
    Person { player_id: me.player_id, name: me.name }
}

fn request(game_id: &str) -> CreateAnalysisRequest {
    let (game_id, seed) = (game_id.to_owned(), SEED.to_vec().into());
    CreateAnalysisRequest { game_id, seed, ..CreateAnalysisRequest::default() }
}

async fn branch(
    server: &TestServer,
    token: &str,
    request: CreateAnalysisRequest,
) -> Result<CreateAnalysisResponse, tonic::Status> {
    Ok(server.analyses(token).create_analysis(request).await?.into_inner())
}

async fn branches(server: &TestServer, token: &str, game_id: &str) -> Vec<Analysis> {
    let request = ListAnalysesRequest { game_id: game_id.to_owned() };
    server.analyses(token).list_analyses(request).await.unwrap().into_inner().analyses
}

async fn position(server: &TestServer, token: &str, game_id: &str) -> GetPositionResponse {
    let request = GetPositionRequest { game_id: game_id.to_owned() };
    sandbox(server, token).get_position(request).await.unwrap().into_inner()
}

async fn scene(server: &TestServer, token: &str, request: GetSceneRequest) -> Scene {
    games(server, token).get_scene(request).await.unwrap().into_inner().scene.unwrap()
}

/// Returns the titles of what a scene marks as a guess.
fn guessed(scene: &Scene) -> Vec<String> {
    let is_guess = |states: &[String]| states.iter().any(|state| state == "guess");
    let pieces = scene.pieces.iter().filter(|piece| is_guess(&piece.states));
    let places = scene.places.iter().filter(|place| is_guess(&place.states));
    pieces.map(|piece| piece.title.clone()).chain(places.map(|place| place.title.clone())).collect()
}

fn planned(players: &[Person]) -> Vec<PlannedSeat> {
    let seat = |person: &Person| PlannedSeat {
        plan: Some(Plan::Taken(Taken { player: Some(person.clone()), ..Taken::default() })),
    };
    players.iter().map(seat).collect()
}

/// Creates a game whose first two players are these, with a secret seed.
async fn play(host: &Host, kind: &str, game_id: &str, players: &[Person], secret: u8) {
    let secret = [secret; 32];
    let mut players = players.to_vec();
    if kind == "diplomacy" {
        let more = (3..=7).map(|number| Person {
            player_id: format!("p-{number}"),
            name: format!("Player {number}"),
        });
        players.extend(more);
    }
    let created = Created {
        kind: kind.to_owned(),
        seats: planned(&players),
        seed_commitment: chain::commitment(&secret).to_vec().into(),
        game_id: game_id.to_owned(),
        start_when_full: true,
        ..Created::default()
    };
    Box::pin(host.create(created, secret, &players[0].player_id)).await.unwrap();
}

async fn order(host: &Host, game_id: &str, seat: u32, by: &Person, text: &str) {
    let given = |table: &Table| {
        let seat = Seat::numbered(seat).unwrap();
        let state = table.decision_state(seat);
        OrdersGiven {
            seat: seat.number(),
            phase: state.phase,
            revision: state.revision,
            orders: table.parse(Some(seat), text).unwrap(),
            ..OrdersGiven::default()
        }
    };
    let kind = Some(step::Kind::OrdersGiven(host.read(game_id, given).await.unwrap()));
    let step = Step { by: by.player_id.clone(), kind, ..Step::default() };
    host.take(game_id, step).await.unwrap();
}

/// Creates two games of each kind that look the same to the first seat but differ. Returns their
/// ids.
async fn twins(host: &Host, players: &[Person]) -> Vec<[String; 2]> {
    let mut all = Vec::new();
    for (kind, hidden) in [
        ("diplomacy", Some("F Lon - NTH")),
        ("star-empires", Some("TOGGLE PUBLIC ALL")),
        ("stellar-conquest", None),
        ("starships-at-large", None),
    ] {
        let one = format!("{kind}-one");
        Box::pin(play(host, kind, &one, players, 1)).await;
        let seen = |table: &Table| {
            (table.view(Viewer::Seat(Seat::at(0))), table.position().unwrap().encode_to_vec())
        };
        let (view, truth) = host.read(&one, seen).await.unwrap();
        for secret in 1..200 {
            let other = format!("{kind}-{secret}");
            let secret = if hidden.is_some() { 1 } else { secret };
            Box::pin(play(host, kind, &other, players, secret)).await;
            if let Some(text) = hidden {
                order(host, &other, 2, &players[1], text).await;
            }
            let (same, hidden) = host.read(&other, seen).await.unwrap();
            if same == view && hidden != truth {
                all.push([one, other]);
                break;
            }
        }
    }
    assert_eq!(all.len(), 4, "{all:?}");
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn games_that_look_the_same_to_a_seat_give_equal_branches() {
    for data in Data::all("branchsecrets") {
        let server = data.serve().await;
        let (ann, bob) = (server.register("Ann").await, server.register("Bob").await);
        let players = [person(&server, &ann).await, person(&server, &bob).await];
        server.stop().await;
        let host = Host::new(data.store().await, HostSettings::default());
        let twins = Box::pin(twins(&host, &players)).await;
        host.drain().await;
        drop(host);

        let server = data.serve().await;
        for [one, other] in twins {
            let mut stored = Vec::new();
            for game_id in [&one, &other] {
                let made = branch(&server, &ann, request(game_id)).await.unwrap();
                let game = made.game.unwrap();
                let found = position(&server, &ann, &game.game_id).await;
                let origin = AnalysisOrigin { game_id: String::new(), ..game.analysis.unwrap() };
                stored.push((found.position.unwrap().encode_to_vec(), origin.encode_to_vec()));
            }
            assert!(stored[0] == stored[1], "{one}");
            // The seat with the hidden difference has other branches.
            let mut theirs = Vec::new();
            for game_id in [&one, &other] {
                let made = branch(&server, &bob, request(game_id)).await.unwrap();
                let game_id = made.game.unwrap().game_id;
                theirs.push(position(&server, &bob, &game_id).await.position.unwrap());
            }
            let is_own_secret = one.starts_with("diplomacy") || one.starts_with("star-empires");
            assert!(!is_own_secret || theirs[0] != theirs[1], "{one}");
        }
        server.stop().await;
    }
}

/// Starts a game of two players whose seats are in order.
async fn begin(
    server: &TestServer,
    [ann, bob]: [&str; 2],
    change: impl FnOnce(&mut CreateGameRequest),
) -> String {
    let mut request = CreateGameRequest {
        kind: "star-empires".to_owned(),
        seats: vec![SeatPlan::default(); 2],
        start_when_full: true,
        seats_in_order: true,
        ..CreateGameRequest::default()
    };
    change(&mut request);
    let game = games(server, ann).create_game(request).await.unwrap().into_inner().game.unwrap();
    let join = JoinGameRequest { game_id: game.game_id.clone(), ..JoinGameRequest::default() };
    games(server, bob).join_game(join).await.unwrap();
    game.game_id
}

fn short(turns: u32) -> GameOptions {
    let options = Options { last_turn: Some(turns), ..Options::default() };
    GameOptions { game: Some(game_options::Game::StarEmpires(options)) }
}

async fn ready(server: &TestServer, token: &str, game_id: &str, seat: Option<u32>) {
    let view = GetViewRequest { game_id: game_id.to_owned(), seat, ..GetViewRequest::default() };
    let phase = games(server, token).get_view(view).await.unwrap().into_inner().phase;
    let game_id = game_id.to_owned();
    let ready = SetReadyRequest { game_id, seat, phase, ready: true, ..SetReadyRequest::default() };
    games(server, token).set_ready(ready).await.unwrap();
}

/// Marks all seats of a game ready until it is over.
async fn finish(server: &TestServer, tokens: [&str; 2], game_id: &str) {
    for turn in 0..100 {
        let get = GetGameRequest { game_id: game_id.to_owned(), ..GetGameRequest::default() };
        let token = tokens[turn % 2];
        let found = games(server, token).get_game(get).await.unwrap().into_inner();
        if found.game.unwrap().status() == GameStatus::Ended {
            return;
        }
        if found.decision.is_some_and(|decision| !decision.ready) {
            ready(server, token, game_id, None).await;
        }
    }
    panic!("{game_id} does not end");
}

/// Returns what a player sees of a game, without the time.
async fn seen(server: &TestServer, token: &str, game_id: &str) -> Vec<Vec<u8>> {
    let mut games = games(server, token);
    let game_id = game_id.to_owned();
    let view = GetViewRequest { game_id: game_id.clone(), ..GetViewRequest::default() };
    let game = GetGameRequest { game_id: game_id.clone(), ..GetGameRequest::default() };
    let history = GetHistoryRequest { game_id, page_size: 200, ..GetHistoryRequest::default() };
    vec![
        games.get_view(view).await.unwrap().into_inner().encode_to_vec(),
        games.get_game(game).await.unwrap().into_inner().encode_to_vec(),
        games.get_history(history).await.unwrap().into_inner().encode_to_vec(),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_branch_is_played_without_changing_its_game() {
    for data in Data::all("branchplay") {
        let server = data.serve().await;
        let (ann, bob) = (server.register("Ann").await, server.register("Bob").await);
        let game_id = begin(&server, [&ann, &bob], |_| {}).await;
        ready(&server, &ann, &game_id, None).await;
        ready(&server, &bob, &game_id, None).await;
        let before = [seen(&server, &ann, &game_id).await, seen(&server, &bob, &game_id).await];

        let past = CreateAnalysisRequest {
            at_phase: Some(1),
            name: " Attack ".to_owned(),
            ..request(&game_id)
        };
        let made = branch(&server, &ann, past).await.unwrap();
        let (analysis, game) = (made.analysis.unwrap(), made.game.unwrap());
        assert_eq!((analysis.name.as_str(), &analysis.game_id), ("Attack", &game.game_id));
        let origin = game.analysis.clone().unwrap();
        assert_eq!((&origin.game_id, origin.at_phase, origin.seat), (&game_id, Some(1), Some(1)));
        assert!(game.sandbox && !origin.revealed && origin.guesses.is_some());
        for seat in [1, 2] {
            ready(&server, &ann, &game.game_id, Some(seat)).await;
        }
        let close = CloseSandboxPhaseRequest {
            game_id: game.game_id.clone(),
            ..CloseSandboxPhaseRequest::default()
        };
        let closed = sandbox(&server, &ann).close_sandbox_phase(close).await.unwrap().into_inner();
        assert_ne!(closed.game.unwrap().progress, game.progress);

        let after = [seen(&server, &ann, &game_id).await, seen(&server, &bob, &game_id).await];
        assert!(before == after, "the game is unchanged");
        // Other players cannot find the branch, and lists of games omit it.
        let look = GetGameRequest { game_id: game.game_id.clone(), ..GetGameRequest::default() };
        assert_eq!(refusal(games(&server, &bob).get_game(look).await), ErrorReason::GameNotFound);
        assert!(branches(&server, &bob, &game_id).await.is_empty());
        let mine = ListMyGamesRequest::default();
        let mine = server.player(&ann).list_my_games(mine).await.unwrap().into_inner().games;
        assert_eq!(mine.len(), 1);
        let mut client = games(&server, &ann);
        let owed = client.list_my_decisions(ListMyDecisionsRequest::default()).await;
        let owed = owed.unwrap().into_inner().decisions;
        assert!(owed.iter().all(|decision| decision.game_id == game_id), "{owed:?}");

        // A branch outlives its engine.
        server.stop().await;
        let server = data.serve().await;
        assert_eq!(branches(&server, &ann, &game_id).await, from_ref(&analysis));
        assert_eq!(branches(&server, &ann, &game.game_id).await, [analysis]);
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn owners_rename_and_delete_their_branches() {
    for data in Data::all("branchlists") {
        let server = data.serve().await;
        let (ann, bob) = (server.register("Ann").await, server.register("Bob").await);
        let game_id = begin(&server, [&ann, &bob], |_| {}).await;
        let once = CreateAnalysisRequest { request_id: "once".to_owned(), ..request(&game_id) };
        let made = branch(&server, &ann, once.clone()).await.unwrap();
        assert_eq!(branch(&server, &ann, once).await.unwrap().analysis, made.analysis);
        let first = made.analysis.unwrap().game_id;
        for _ in 1..19 {
            branch(&server, &ann, request(&game_id)).await.unwrap();
        }
        // Calls at the same time do not exceed the limit.
        let last = (0..2).map(|_| branch(&server, &ann, request(&game_id)));
        let last = futures_util::future::join_all(last).await;
        assert_eq!(last.iter().filter(|made| made.is_ok()).count(), 1, "{last:?}");
        let full = branch(&server, &ann, request(&game_id)).await.unwrap_err();
        assert_eq!(support::reason(&full), ErrorReason::QuotaExceeded);
        let details = full.get_details_error_info().unwrap().metadata;
        assert_eq!((details["quota"].as_str(), details["limit"].as_str()), ("analyses", "20"));
        assert_eq!(branches(&server, &ann, &game_id).await.len(), 20);
        branch(&server, &bob, request(&game_id)).await.unwrap();

        let rename =
            |name: &str| RenameAnalysisRequest { game_id: first.clone(), name: name.to_owned() };
        let renamed = server.analyses(&ann).rename_analysis(rename("Defense")).await.unwrap();
        assert_eq!(renamed.into_inner().analysis.unwrap().name, "Defense");
        assert_eq!(branches(&server, &ann, &game_id).await[0].name, "Defense");
        for wrong in ["", " ", &"x".repeat(65)] {
            let refused = server.analyses(&ann).rename_analysis(rename(wrong)).await;
            assert_eq!(refusal(refused), ErrorReason::InvalidField, "{wrong:?}");
        }
        let refused = server.analyses(&bob).rename_analysis(rename("Mine")).await;
        assert_eq!(refusal(refused), ErrorReason::NotFound);
        let delete = |game_id: &str| DeleteAnalysisRequest { game_id: game_id.to_owned() };
        let refused = server.analyses(&bob).delete_analysis(delete(&first)).await;
        assert_eq!(refusal(refused), ErrorReason::NotFound);
        let refused = server.analyses(&ann).delete_analysis(delete(&game_id)).await;
        assert_eq!(refusal(refused), ErrorReason::NotFound);

        server.analyses(&ann).delete_analysis(delete(&first)).await.unwrap();
        let again = server.analyses(&ann).delete_analysis(delete(&first)).await;
        assert_eq!(refusal(again), ErrorReason::NotFound);
        let look = GetGameRequest { game_id: first.clone(), ..GetGameRequest::default() };
        assert_eq!(refusal(games(&server, &ann).get_game(look).await), ErrorReason::GameNotFound);
        assert_eq!(branches(&server, &ann, &game_id).await.len(), 19);

        // Deleting the account deletes its branches, and no others.
        let last = branches(&server, &ann, &game_id).await[0].game_id.clone();
        let mut profiles = ProfileServiceClient::new(server.authorized(&ann));
        profiles.delete_me(DeleteMeRequest { name: "Ann".to_owned() }).await.unwrap();
        assert_eq!(branches(&server, &bob, &game_id).await.len(), 1);
        server.stop().await;
        let store = data.store().await;
        assert!(store.game(&last).await.is_err(), "the game is removed");
        let query = RecordQuery { space: "analysis".to_owned(), limit: 50, ..Default::default() };
        assert_eq!(store.records(query).await.unwrap().len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_without_its_game_is_removed() {
    for data in Data::all("branchorphans") {
        let server = data.serve().await;
        let (ann, bob) = (server.register("Ann").await, server.register("Bob").await);
        let game_id = begin(&server, [&ann, &bob], |_| {}).await;
        let player_id = person(&server, &ann).await.player_id;
        server.stop().await;
        let store = data.store().await;
        let stored = StoredAnalysis { player_id: player_id.clone(), ..StoredAnalysis::default() };
        let (key, body) = (format!("{player_id} {game_id}"), stored.encode_to_vec());
        let lost = RecordChange::create("analysis", "lost", &key, body);
        store.change_records(vec![lost]).await.unwrap();
        drop(store);
        let server = data.serve().await;
        assert_eq!(branches(&server, &ann, &game_id).await, []);
        server.stop().await;
        assert_eq!(data.store().await.record("analysis", "lost").await.unwrap(), None);
    }
}

#[tokio::test]
async fn only_players_branch_a_running_game_and_only_what_they_see() {
    let server = start(in_memory()).await;
    let (ann, bob) = (server.register("Ann").await, server.register("Bob").await);
    let eve = server.register("Eve").await;
    let game_id = begin(&server, [&ann, &bob], |request| request.options = Some(short(1))).await;
    let reason = async |token: &str, request| refusal(branch(&server, token, request).await);
    assert_eq!(reason(&eve, request(&game_id)).await, ErrorReason::NotYourSeat);
    let other = CreateAnalysisRequest { seat: Some(2), ..request(&game_id) };
    assert_eq!(reason(&ann, other).await, ErrorReason::NotYourSeat);
    let revealed = CreateAnalysisRequest { revealed: true, ..request(&game_id) };
    assert_eq!(reason(&ann, revealed.clone()).await, ErrorReason::RoleConflict);
    let phase = CreateAnalysisRequest { at_phase: Some(7), ..request(&game_id) };
    assert_eq!(reason(&ann, phase).await, ErrorReason::NotFound);
    let seed = CreateAnalysisRequest { seed: vec![1].into(), ..request(&game_id) };
    assert_eq!(reason(&ann, seed).await, ErrorReason::InvalidField);
    let level = |level: &str| CreateAnalysisRequest {
        automation_level: level.to_owned(),
        ..request(&game_id)
    };
    assert_eq!(reason(&ann, level("divine")).await, ErrorReason::InvalidField);
    assert_eq!(reason(&ann, request("nowhere")).await, ErrorReason::GameNotFound);

    let made = branch(&server, &ann, level("random")).await.unwrap().game.unwrap();
    let automated =
        |number: usize| matches!(made.seats[number].occupant, Some(seat::Occupant::Automated(_)));
    assert!(!automated(0) && automated(1));

    finish(&server, [&ann, &bob], &game_id).await;
    // The game is over: everyone may branch the true state before its end.
    let end = CreateAnalysisRequest { seat: Some(2), ..revealed.clone() };
    assert_eq!(reason(&eve, end.clone()).await, ErrorReason::InvalidField);
    let setup = CreateAnalysisRequest { at_phase: Some(0), ..end };
    let made = branch(&server, &eve, setup).await.unwrap().game.unwrap();
    let origin = made.analysis.unwrap();
    assert_eq!((origin.revealed, origin.seat, origin.guesses), (true, Some(2), None));
    let scene = GetSceneRequest { game_id: made.game_id, revealed: true, ..Default::default() };
    assert_eq!(guessed(&self::scene(&server, &eve, scene).await), [""; 0]);
    let guess = CreateAnalysisRequest { at_phase: Some(0), ..request(&game_id) };
    assert!(
        branch(&server, &ann, guess)
            .await
            .unwrap()
            .game
            .unwrap()
            .analysis
            .unwrap()
            .guesses
            .is_some()
    );
}

#[tokio::test]
async fn the_option_forbids_branches_before_the_end() {
    let server = start(in_memory()).await;
    let (ann, bob) = (server.register("Ann").await, server.register("Bob").await);
    let game_id = begin(&server, [&ann, &bob], |request| {
        request.options = Some(short(1));
        request.no_analysis = true;
    })
    .await;
    let refused = branch(&server, &ann, request(&game_id)).await.unwrap_err();
    assert_eq!(support::reason(&refused), ErrorReason::AnalysisOff);
    assert_eq!(refused.get_details_error_info().unwrap().metadata["option"], "no_analysis");
    assert_eq!(branches(&server, &ann, &game_id).await, []);
    finish(&server, [&ann, &bob], &game_id).await;
    let setup = CreateAnalysisRequest { at_phase: Some(0), ..request(&game_id) };
    branch(&server, &ann, setup).await.unwrap();
}

#[tokio::test]
async fn guesses_are_marked_on_the_board() {
    let server = start(in_memory()).await;
    let (ann, bob) = (server.register("Ann").await, server.register("Bob").await);
    for kind in ["star-empires", "stellar-conquest", "starships-at-large"] {
        let game_id =
            begin(&server, [&ann, &bob], |request| kind.clone_into(&mut request.kind)).await;
        if kind == "stellar-conquest" {
            // Until both players have bought ships, the board hides nothing.
            for token in [&ann, &bob] {
                ready(&server, token, &game_id, None).await;
            }
        }
        let made = branch(&server, &ann, request(&game_id)).await.unwrap().game.unwrap();
        let all = GetSceneRequest {
            game_id: made.game_id.clone(),
            revealed: true,
            ..GetSceneRequest::default()
        };
        let marked = guessed(&scene(&server, &ann, all.clone()).await);
        assert!(!marked.is_empty(), "{kind}");
        assert!(marked.iter().all(|title| title.ends_with("(a guess)")), "{marked:?}");
        let own = GetSceneRequest { seat: Some(1), revealed: false, ..all };
        assert_eq!(
            guessed(&scene(&server, &ann, own).await),
            [""; 0],
            "{kind}: the seat sees none"
        );
        let map = DrawMapRequest {
            game_id: made.game_id.clone(),
            revealed: true,
            format: MapFormat::List.into(),
            ..DrawMapRequest::default()
        };
        let map = games(&server, &ann).draw_map(map).await.unwrap().into_inner().map;
        let words = map.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("(a guess)"), "{kind}: {map}");
        // A branch of a branch has the same guesses.
        let again = branch(&server, &ann, request(&made.game_id)).await.unwrap().game.unwrap();
        let (first, second) = (made.analysis.unwrap(), again.analysis.unwrap());
        assert_eq!((&second.game_id, &second.parent_id), (&game_id, &made.game_id));
        assert_eq!((second.guesses, second.seat), (first.guesses, first.seat));
    }
}

#[tokio::test]
async fn boards_without_hidden_parts_have_no_guesses() {
    let server = start(in_memory()).await;
    let ann = server.register("Ann").await;
    let request_game = CreateGameRequest {
        kind: "diplomacy".to_owned(),
        seats: [vec![SeatPlan::default()], vec![automated(); 6]].concat(),
        start_when_full: true,
        seats_in_order: true,
        ..CreateGameRequest::default()
    };
    let game = games(&server, &ann).create_game(request_game).await.unwrap().into_inner().game;
    let made = branch(&server, &ann, request(&game.unwrap().game_id)).await.unwrap().game.unwrap();
    assert_eq!(made.analysis.unwrap().guesses, None);
    let game_id = made.game_id;
    let sandbox = CreateSandboxGameRequest { kind: "diplomacy".to_owned(), ..Default::default() };
    let refused = self::sandbox(&server, &ann).create_sandbox_game(sandbox).await;
    assert_eq!(refusal(refused), ErrorReason::NotSandbox, "branches need no --sandbox");
    let copy = CloneSandboxGameRequest { game_id, ..Default::default() };
    let refused = self::sandbox(&server, &ann).clone_sandbox_game(copy).await;
    assert_eq!(refusal(refused), ErrorReason::NotSandbox, "copies count towards no quota");
}

fn automated() -> SeatPlan {
    let plan = seat_plan::Plan::Automated(AutomatedSeat::default());
    SeatPlan { plan: Some(plan), ..SeatPlan::default() }
}
