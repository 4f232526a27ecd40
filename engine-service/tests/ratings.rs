//! Ratings and profiles: the job on both stores, its recalculation, and the calls.

use crate::support;

use std::sync::Arc;
use std::time::Duration;

use heliopause_engine::Time;
use heliopause_engine::host::{Host, HostSettings};
use heliopause_engine::ratings::Ratings;
use heliopause_engine::store::postgres::PostgresStore;
use heliopause_engine::store::sqlite::SqliteStore;
use heliopause_engine::store::{Record, RecordChange, RecordQuery, Store};
use heliopause_kernel::Seat;
use heliopause_proto::star_empires::v1::Options;
use heliopause_proto::store::v1::planned_seat::Plan;
use heliopause_proto::store::v1::{
    Created, DecisionDefaulted, FlagSet, Lots, Person, PlannedSeat, PlayedGames, RatingCursor,
    RatingPoint, Resigned, Step, StoredRating, Taken, step,
};
use heliopause_proto::v1::game_service_client::GameServiceClient;
use heliopause_proto::v1::leaderboard_entry::Who;
use heliopause_proto::v1::sign_in_service_client::SignInServiceClient;
use heliopause_proto::v1::*;
use heliopause_table::chain;
use heliopause_test_database::Postgres;
use prost::Message as _;
use support::{Authorized, TestServer, in_memory, refusal, start};

const SECRET: [u8; 32] = [7; 32];
const KIND: &str = "star-empires";

fn short() -> GameOptions {
    let options = Options { last_turn: Some(1), ..Options::default() };
    GameOptions { game: Some(game_options::Game::StarEmpires(options)) }
}

fn ratings(store: &Arc<dyn Store>) -> Ratings {
    Ratings::new(Arc::clone(store), Time::default()).without_delay()
}

async fn open_accounts(store: &dyn Store, players: &[&str]) {
    for (number, player) in (1..).zip(players) {
        let account = support::account(player, 1);
        let token = support::token(&account, &format!("t-{player}"), [number; 32]);
        store.open_account(account, token).await.unwrap();
    }
}

/// Plays a game to its end. `resigns` leaves it before.
async fn play(host: &Host, game_id: &str, players: &[&str], rated: bool, resigns: Option<&str>) {
    let seat = |player: &&str| {
        let (player_id, name) = ((*player).to_owned(), (*player).to_owned());
        let player = Some(Person { player_id, name });
        PlannedSeat { plan: Some(Plan::Taken(Taken { player, ..Taken::default() })) }
    };
    let created = Created {
        kind: KIND.to_owned(),
        options: Some(short()),
        seats: players.iter().map(seat).collect(),
        seed_commitment: chain::commitment(&SECRET).to_vec().into(),
        game_id: game_id.to_owned(),
        start_when_full: true,
        lots: Some(Lots { chosen: vec![0; players.len()] }),
        rated,
        ..Created::default()
    };
    Box::pin(host.create(created, SECRET, players[0])).await.unwrap();
    let take = |by: &str, kind: step::Kind| {
        host.take(game_id, Step { by: by.to_owned(), kind: Some(kind), ..Step::default() })
    };
    let members = || host.read(game_id, |table| table.listing().members);
    if let Some(leaver) = resigns {
        let members = members().await.unwrap();
        let seat = members.iter().find(|one| one.player_id == leaver && one.seat > 0).unwrap().seat;
        take(leaver, step::Kind::Resigned(Resigned { seat })).await.unwrap();
    }
    for _ in 0..100 {
        let (status, states) =
            host.read(game_id, |table| (table.status(), table.decision_states())).await.unwrap();
        if status == GameStatus::Ended {
            return;
        }
        let members = members().await.unwrap();
        for (index, state) in states.iter().enumerate().filter(|(_, one)| one.decision.is_some()) {
            let (seat, phase) = (Seat::at(index).number(), state.phase);
            let of_seat = members.iter().find(|member| member.seat == seat);
            let kind = if of_seat.is_some() {
                step::Kind::FlagSet(FlagSet { seat, phase, ready: Some(true), wait: None })
            } else {
                let revision = state.revision;
                step::Kind::DecisionDefaulted(DecisionDefaulted { seat, phase, revision })
            };
            let by = of_seat.map_or("", |member| member.player_id.as_str());
            // The phase may have closed with the decision of another seat.
            drop(take(by, kind).await);
        }
    }
    panic!("{game_id} does not end");
}

type Stored = (String, String, String, Vec<u8>);

async fn stored(store: &dyn Store) -> Vec<Stored> {
    let mut all = Vec::new();
    for space in ["rating", "played"] {
        let query = RecordQuery { space: space.to_owned(), limit: 1_000, ..RecordQuery::default() };
        let records = store.records(query).await.unwrap();
        all.extend(
            records
                .into_iter()
                .map(|Record { space, id, key, body, .. }| (space, id, key, body.to_vec())),
        );
    }
    all.sort();
    all
}

async fn rating(store: &dyn Store, ladder: &str, entity: &str) -> Option<StoredRating> {
    let found = store.record("rating", &format!("{ladder} {entity}")).await.unwrap()?;
    Some(StoredRating::decode(found.body).unwrap())
}

async fn played(store: &dyn Store, player: &str) -> PlayedGames {
    let found = store.record("played", player).await.unwrap().expect("the player has finished");
    PlayedGames::decode(found.body).unwrap()
}

async fn play_some(store: &Arc<dyn Store>) {
    open_accounts(&**store, &["ann", "bob", "cid"]).await;
    let host = Host::new(Arc::clone(store), HostSettings::default());
    play(&host, "g1", &["ann", "bob"], true, None).await;
    play(&host, "g2", &["bob", "cid"], false, None).await;
    play(&host, "g3", &["ann", "bob", "cid"], true, None).await;
    play(&host, "g4", &["ann", "cid"], true, Some("cid")).await;
    play(&host, "g5", &["cid", "bob", "ann"], true, Some("ann")).await;
    host.drain().await;
}

async fn recalculation_gives_the_same(store: Arc<dyn Store>) {
    play_some(&store).await;
    let ratings = ratings(&store);
    assert_eq!(ratings.catch_up().await.unwrap(), 5);
    assert_eq!(ratings.catch_up().await.unwrap(), 0, "every game is added once");
    let before = stored(&*store).await;

    let two = "star-empires/2";
    let ann = rating(&*store, two, "ann").await.unwrap();
    assert_eq!((ann.games, ann.history.len()), (2, 2));
    let cid = rating(&*store, two, "cid").await.unwrap();
    assert_eq!(cid.games, 1, "the unrated game does not count");
    let points = |rating: &StoredRating| rating.current.unwrap().rating;
    assert!(points(&cid) < 1_500_000, "a player who leaves has lost: {cid:?}");
    assert!(points(&ann) > points(&cid));
    assert_eq!(rating(&*store, "star-empires/3+", "bob").await.unwrap().games, 2);

    let cid = played(&*store, "cid").await;
    let ladder = |name: &str| cid.ladders.iter().find(|one| one.ladder == name).unwrap();
    let found = ladder(two);
    assert_eq!((found.rated, found.abandoned), (1, 1));
    assert_eq!(found.won + found.drawn + found.lost, 1, "the unrated game is a result");
    assert_eq!(cid.opponents.len(), 2);
    assert!(cid.answered > 0 && cid.missed == 0 && !cid.decision_seconds.is_empty());

    assert_eq!(ratings.recalculate().await.unwrap(), 5);
    assert_eq!(stored(&*store).await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn recalculation_gives_the_same_in_the_embedded_store() {
    recalculation_gives_the_same(Arc::new(SqliteStore::in_memory())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn recalculation_gives_the_same_in_postgres() {
    let Some(postgres) = Postgres::shared() else { return };
    let store = PostgresStore::open(&postgres.database("ratings"), 8, None).await.unwrap();
    recalculation_gives_the_same(Arc::new(store)).await;
}

async fn engines_share_the_work(stores: [Arc<dyn Store>; 2]) {
    play_some(&stores[0]).await;
    let engines = stores.iter().map(|store| {
        let ratings = ratings(store);
        tokio::spawn(async move { ratings.catch_up().await.unwrap() })
    });
    let mut games = 0;
    for engine in engines.collect::<Vec<_>>() {
        games += engine.await.unwrap();
    }
    assert_eq!(games, 5, "every game is added once");
    let before = stored(&*stores[0]).await;
    ratings(&stores[1]).recalculate().await.unwrap();
    assert_eq!(stored(&*stores[0]).await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn engines_add_each_game_once() {
    let store: Arc<dyn Store> = Arc::new(SqliteStore::in_memory());
    engines_share_the_work([Arc::clone(&store), store]).await;
    let Some(postgres) = Postgres::shared() else { return };
    let address = postgres.database("ratingengines");
    let first = PostgresStore::open(&address, 8, None).await.unwrap();
    let second = PostgresStore::open(&address, 8, None).await.unwrap();
    engines_share_the_work([Arc::new(first), Arc::new(second)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_recalculation_can_be_started_again() {
    let store: Arc<dyn Store> = Arc::new(SqliteStore::in_memory());
    play_some(&store).await;
    let ratings = ratings(&store);
    ratings.catch_up().await.unwrap();
    let before = stored(&*store).await;
    let cursor = store.record("rating-cursor", "rating-cursor").await.unwrap().unwrap();
    let resetting = RatingCursor { resetting: true, ..RatingCursor::default() };
    let gone = store.record("played", "ann").await.unwrap().unwrap().removed();
    let changes: Vec<RecordChange> = vec![cursor.with_body(resetting.encode_to_vec()), gone];
    store.change_records(changes).await.unwrap();
    assert_eq!(ratings.catch_up().await.unwrap(), 0, "no game is added meanwhile");
    assert_eq!(ratings.recalculate().await.unwrap(), 5);
    assert_eq!(stored(&*store).await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_game_does_not_stop_the_ratings() {
    let store: Arc<dyn Store> = Arc::new(SqliteStore::in_memory());
    play_some(&store).await;
    let row = store.game("g1").await.unwrap();
    let row = heliopause_engine::store::GameRow { game_id: "g0".to_owned(), ..row };
    store.append(support::append(row, 0, "unreadable")).await.unwrap();
    assert_eq!(ratings(&store).catch_up().await.unwrap(), 6);
    assert_eq!(rating(&*store, "star-empires/2", "ann").await.unwrap().games, 2);
}

fn games(server: &TestServer, token: &str) -> GameServiceClient<Authorized> {
    GameServiceClient::new(server.authorized(token))
}

async fn profile(server: &TestServer, token: &str, player: &str) -> Profile {
    let request = GetProfileRequest { player: player.to_owned() };
    let response = server.profiles(token).get_profile(request).await.unwrap();
    response.into_inner().profile.unwrap()
}

pub(crate) fn rated_game() -> CreateGameRequest {
    CreateGameRequest {
        kind: KIND.to_owned(),
        options: Some(short()),
        seats: vec![SeatPlan::default(); 2],
        start_when_full: true,
        rated: true,
        ..CreateGameRequest::default()
    }
}

/// Plays a rated game of the owners of two tokens to its end.
pub(crate) async fn play_rated(server: &TestServer, tokens: [&str; 2]) -> String {
    let created = games(server, tokens[0]).create_game(rated_game()).await.unwrap();
    let game = created.into_inner().game.unwrap();
    assert!(game.rated);
    let game_id = game.game_id;
    let join = JoinGameRequest { game_id: game_id.clone(), ..JoinGameRequest::default() };
    games(server, tokens[1]).join_game(join).await.unwrap();
    for turn in 0..100 {
        let token = tokens[turn % 2];
        let get = GetGameRequest { game_id: game_id.clone(), ..GetGameRequest::default() };
        let found = games(server, token).get_game(get).await.unwrap().into_inner();
        if found.game.unwrap().status() == GameStatus::Ended {
            return game_id;
        }
        let Some(decision) = found.decision.filter(|decision| !decision.ready) else { continue };
        let ready = SetReadyRequest {
            game_id: game_id.clone(),
            phase: decision.phase,
            ready: true,
            ..SetReadyRequest::default()
        };
        games(server, token).set_ready(ready).await.unwrap();
    }
    panic!("{game_id} does not end");
}

async fn with_results(server: &TestServer, token: &str) -> Profile {
    for _ in 0..200 {
        let profile = profile(server, token, "").await;
        if !profile.results.is_empty() {
            return profile;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the game is not rated");
}

#[tokio::test]
async fn profiles_show_what_their_players_allow() {
    let server = start(in_memory()).await;
    let (ann, bob) = (server.register("Ann").await, server.register("Bob").await);
    let empty = profile(&server, &ann, "").await;
    assert_eq!((empty.results.len(), empty.privacy), (0, Some(Privacy::default())));
    play_rated(&server, [&ann, &bob]).await;
    let own = with_results(&server, &ann).await;
    let result = &own.results[0];
    assert_eq!((result.kind.as_str(), result.size()), (KIND, LadderSize::Two));
    assert_eq!(result.won + result.drawn + result.lost, 1);
    let rating = result.rating.unwrap();
    assert!(rating.provisional && rating.games == 1, "{rating:?}");
    assert_eq!(result.history.len(), 1);
    assert!(own.reliability.unwrap().answered > 0);
    assert_eq!(own.head_to_head, None);

    let seen = profile(&server, &bob, "Ann").await;
    let between = seen.head_to_head.unwrap();
    assert_eq!(between.won + between.drawn + between.lost, 1);
    assert_eq!(seen.privacy, None, "only the player sees the settings");
    assert_eq!(seen.results, own.results);

    let hide = |hide_results, hide_ratings| {
        let privacy = Some(Privacy { hide_results, hide_ratings, ..Privacy::default() });
        let mut profiles = server.profiles(&ann);
        async move { profiles.set_privacy(SetPrivacyRequest { privacy }).await.unwrap() }
    };
    hide(false, true).await;
    let seen = profile(&server, &bob, "Ann").await;
    assert_eq!((seen.results[0].rating, seen.results[0].history.len()), (None, 0));
    assert!(profile(&server, &ann, "").await.results[0].rating.is_some());
    hide(true, false).await;
    let seen = profile(&server, &bob, "Ann").await;
    assert_eq!((seen.results[0].drawn, seen.reliability), (0, None));
    assert!(seen.results[0].rating.is_some() && seen.head_to_head.is_some());
    hide(true, true).await;
    assert!(profile(&server, &bob, "Ann").await.results.is_empty());

    let nobody = GetProfileRequest { player: "Nobody".to_owned() };
    let refused = server.profiles(&ann).get_profile(nobody).await;
    assert_eq!(refusal(refused), ErrorReason::NotFound);
}

#[tokio::test]
async fn rated_games_need_equal_conditions() {
    let server = start(in_memory()).await;
    let ann = server.register("Ann").await;
    let refused = |change: fn(&mut CreateGameRequest)| {
        let mut request = rated_game();
        change(&mut request);
        let mut games = games(&server, &ann);
        async move {
            let status = games.create_game(request).await.unwrap_err();
            let details = tonic_types::StatusExt::get_details_bad_request(&status).unwrap();
            details.field_violations[0].field.clone()
        }
    };
    assert_eq!(refused(|request| request.game_master = true).await, "rated");
    assert_eq!(refused(|request| request.seats_in_order = true).await, "rated");
    assert_eq!(refused(|request| request.seats[1].seat = Some(1)).await, "rated");
    assert_eq!(refused(|request| request.set_delegation(DelegationRule::Free)).await, "rated");
    let alone = |request: &mut CreateGameRequest| {
        request.kind = "starships-at-large".to_owned();
        request.options = None;
        request.seats.truncate(1);
    };
    assert_eq!(refused(alone).await, "rated");

    let request = CreateGameRequest {
        kind: "diplomacy".to_owned(),
        options: None,
        seats: vec![SeatPlan::default(); 7],
        ..rated_game()
    };
    let created = games(&server, &ann).create_game(request).await.unwrap().into_inner();
    let game_id = created.game.unwrap().game_id;
    let bob = server.register("Bob").await;
    let join =
        |seat| JoinGameRequest { game_id: game_id.clone(), seat, ..JoinGameRequest::default() };
    let chosen = games(&server, &bob).join_game(join(Some(3))).await;
    assert_eq!(refusal(chosen), ErrorReason::InvalidField);
    games(&server, &bob).join_game(join(None)).await.unwrap();
}

/// Returns a change that stores a rating in thousandths.
fn rated(entity: &str, rating: i64, deviation: i64) -> RecordChange {
    let ladder = "star-empires/2";
    let stored = StoredRating {
        ladder: ladder.to_owned(),
        entity: entity.to_owned(),
        current: Some(RatingPoint { time: 0, rating, deviation }),
        games: 9,
        ..StoredRating::default()
    };
    let rank =
        if deviation > 110_000 { "~".to_owned() } else { format!("{:08}", 99_999_999 - rating) };
    let (id, key) = (format!("{ladder} {entity}"), format!("{ladder} {rank}"));
    RecordChange::create("rating", &id, &key, stored.encode_to_vec())
}

#[tokio::test]
async fn leaderboards_list_certain_ratings() {
    let directory = tempfile::tempdir().unwrap();
    let settings = || heliopause_engine::config::Settings {
        data: Some(directory.path().to_owned()),
        ..in_memory()
    };
    let server = start(settings()).await;
    let mut ids = Vec::new();
    let mut tokens = Vec::new();
    for name in ["Ann", "Bob", "Cid"] {
        let token = server.register(name).await;
        ids.push(profile(&server, &token, "").await.player.unwrap().player_id);
        tokens.push(token);
    }
    server.stop().await;
    let store = SqliteStore::open(directory.path(), None).unwrap();
    let changes = vec![
        rated(&ids[0], 1_600_000, 80_000),
        rated(&ids[1], 1_700_000, 90_000),
        rated(&ids[2], 1_900_000, 200_000),
        rated("bot:emperor/strong", 1_650_000, 50_000),
    ];
    store.change_records(changes).await.unwrap();
    drop(store);

    let server = start(settings()).await;
    let list = |kind: &str, size: LadderSize, page_size, page_token: &str| {
        let (kind, page_token) = (kind.to_owned(), page_token.to_owned());
        let request = ListLeaderboardRequest { kind, size: size.into(), page_size, page_token };
        let mut profiles = server.profiles(&tokens[0]);
        async move { profiles.list_leaderboard(request).await.map(tonic::Response::into_inner) }
    };
    let names = |response: &ListLeaderboardResponse| {
        let name = |entry: &LeaderboardEntry| match entry.who.as_ref().unwrap() {
            Who::Player(player) => player.name.clone(),
            Who::Automated(by) => format!("{}/{}", by.profile, by.level),
        };
        response.entries.iter().map(name).collect::<Vec<_>>()
    };
    let all = list(KIND, LadderSize::Two, 0, "").await.unwrap();
    assert_eq!(names(&all), ["Bob", "emperor/strong", "Ann"], "Cid's rating is provisional");
    assert!((all.entries[0].rating.unwrap().value - 1_700.0).abs() < 0.001);
    let first = list(KIND, LadderSize::Two, 2, "").await.unwrap();
    assert_eq!(names(&first), ["Bob", "emperor/strong"]);
    let rest = list(KIND, LadderSize::Two, 2, &first.next_page_token).await.unwrap();
    assert_eq!((names(&rest), rest.next_page_token.as_str()), (vec!["Ann".to_owned()], ""));
    assert_eq!(names(&list(KIND, LadderSize::Several, 0, "").await.unwrap()), [""; 0]);
    for (kind, size) in
        [("chess", LadderSize::Two), (KIND, LadderSize::One), (KIND, LadderSize::Unspecified)]
    {
        let refused = list(kind, size, 0, "").await;
        assert_eq!(refusal(refused), ErrorReason::InvalidField, "{kind} {size:?}");
    }
    let privacy = Some(Privacy { hide_ratings: true, ..Privacy::default() });
    server.profiles(&tokens[1]).set_privacy(SetPrivacyRequest { privacy }).await.unwrap();
    let hidden = list(KIND, LadderSize::Two, 0, "").await.unwrap();
    assert_eq!(names(&hidden), ["emperor/strong", "Ann"]);
    server.stop().await;
}

#[tokio::test]
async fn players_rename_themselves_once_a_day() {
    let server = start(in_memory()).await;
    let (ann, _bob) = (server.register("Ann").await, server.register("Bob").await);
    let rename = |name: &str| {
        let request = RenameMeRequest { name: name.to_owned() };
        let mut profiles = server.profiles(&ann);
        async move { profiles.rename_me(request).await }
    };
    assert_eq!(refusal(rename("bob").await), ErrorReason::NameTaken);
    assert_eq!(refusal(rename("!").await), ErrorReason::InvalidField);
    let both = tokio::join!(rename("Anna"), rename("anna"));
    let (renamed, refused) = match both {
        (Ok(renamed), refused) => (renamed, refused),
        (refused, renamed) => (renamed.unwrap(), refused),
    };
    assert_eq!(refusal(refused), ErrorReason::QuotaExceeded);
    let name = renamed.into_inner().player.unwrap().name;
    let me = server.player(&ann).get_me(GetMeRequest {}).await.unwrap().into_inner();
    assert_eq!(me.player.unwrap().name, name);
    let same = rename(&name).await.unwrap();
    assert_eq!(same.into_inner().player.unwrap().name, name);
    assert_eq!(refusal(rename("Annabel").await), ErrorReason::QuotaExceeded);
    server.register("Ann").await;

    let request = |player: &str, name: &str| {
        let (player, name) = (player.to_owned(), name.to_owned());
        RenamePlayerRequest { player, name }
    };
    let taken = server.admin().rename_player(request("Anna", "Bob")).await;
    assert_eq!(refusal(taken), ErrorReason::NameTaken);
    let renamed = server.admin().rename_player(request("Anna", "Player 7")).await.unwrap();
    assert_eq!(renamed.into_inner().player.unwrap().name, "Player 7");
    let denied = server.admin().rename_player(request("Nobody", "Player 8")).await;
    assert_eq!(refusal(denied), ErrorReason::NotFound);
}

#[tokio::test]
async fn a_deleted_account_leaves_only_a_number() {
    let directory = tempfile::tempdir().unwrap();
    let settings = heliopause_engine::config::Settings {
        data: Some(directory.path().to_owned()),
        ..in_memory()
    };
    let server = start(settings).await;
    let (ann, bob) = (server.register("Ann").await, server.register("Bob").await);
    let id = profile(&server, &ann, "").await.player.unwrap().player_id;
    play_rated(&server, [&ann, &bob]).await;
    with_results(&server, &ann).await;
    let block = BlockPlayerRequest { player: "Bob".to_owned() };
    server.player(&ann).block_player(block).await.unwrap();
    let delete = |name: &str| {
        let request = DeleteMeRequest { name: name.to_owned() };
        let mut profiles = server.profiles(&ann);
        async move { profiles.delete_me(request).await }
    };
    let mut ways_back = SignInServiceClient::new(server.authorized(&ann));
    ways_back.create_recovery_codes(CreateRecoveryCodesRequest {}).await.unwrap();
    for wrong in ["Bob", "ann", ""] {
        assert_eq!(refusal(delete(wrong).await), ErrorReason::InvalidField, "{wrong:?}");
    }
    let admin = server.token_file("admin.token");
    let request = DeleteMeRequest { name: "admin".to_owned() };
    let refused = server.profiles(&admin).delete_me(request).await;
    assert_eq!(refusal(refused), ErrorReason::RoleConflict);
    delete("Ann").await.unwrap();
    server.register("Ann").await;
    let gone = server.player(&ann).get_me(GetMeRequest {}).await;
    assert_eq!(refusal(gone), ErrorReason::TokenInvalid);
    let request = GetProfileRequest { player: id.clone() };
    let gone = server.profiles(&bob).get_profile(request).await;
    assert_eq!(refusal(gone), ErrorReason::NotFound);
    server.stop().await;

    let store: Arc<dyn Store> = Arc::new(SqliteStore::open(directory.path(), None).unwrap());
    assert_eq!(store.record("played", &id).await.unwrap(), None);
    for space in ["block", "recovery"] {
        let left = store.records(RecordQuery::with_key(space, &id, 9)).await.unwrap();
        assert!(left.is_empty(), "{space}");
    }
    let left = rating(&*store, "star-empires/2", &id).await.unwrap();
    assert_eq!((left.games, left.history.len()), (1, 0));
    let before = stored(&*store).await;
    ratings(&store).recalculate().await.unwrap();
    assert_eq!(stored(&*store).await, before);
}

#[tokio::test]
async fn an_export_contains_all_data_of_the_caller() {
    let server = start(in_memory()).await;
    let (ann, bob) = (server.register("Ann").await, server.register("Bob").await);
    let game_id = play_rated(&server, [&ann, &bob]).await;
    let open = CreateGameRequest { kind: "diplomacy".to_owned(), options: None, ..rated_game() };
    let running = games(&server, &ann).create_game(open).await.unwrap().into_inner();
    let running = running.game.unwrap().game_id;
    let join = JoinGameRequest { game_id: running.clone(), ..JoinGameRequest::default() };
    games(&server, &bob).join_game(join).await.unwrap();
    let message = SendMessageRequest {
        game_id: running.clone(),
        to_all: true,
        text: "Hello \"Bob\"".to_owned(),
        ..SendMessageRequest::default()
    };
    games(&server, &ann).send_message(message).await.unwrap();
    let block = BlockPlayerRequest { player: "Bob".to_owned() };
    server.player(&ann).block_player(block).await.unwrap();
    let mut ways_back = SignInServiceClient::new(server.authorized(&ann));
    ways_back.create_recovery_codes(CreateRecoveryCodesRequest {}).await.unwrap();
    let export = |token: &str| {
        let mut profiles = server.profiles(token);
        async move {
            let mut lines =
                profiles.export_my_data(ExportMyDataRequest {}).await.unwrap().into_inner();
            let mut all = Vec::new();
            while let Some(part) = lines.message().await.unwrap() {
                all.push(serde_json::from_str::<serde_json::Value>(&part.line).expect("JSON"));
            }
            all
        }
    };
    let lines = export(&ann).await;
    let of = |key: &str| lines.iter().filter_map(|line| line.get(key)).collect::<Vec<_>>();
    assert_eq!(of("profile")[0]["player"]["name"], "Ann");
    assert_eq!(of("token").len(), 1);
    assert!(of("token")[0].get("hash").is_none());
    assert_eq!(of("waysBack")[0]["recoveryCodesLeft"], 10);
    assert_eq!(of("blocked")[0]["name"], "Bob");
    assert_eq!(of("notices").len(), 1);
    let ids: Vec<_> = of("game").iter().map(|game| game["gameId"].as_str().unwrap()).collect();
    assert!(ids.contains(&game_id.as_str()) && ids.contains(&running.as_str()), "{ids:?}");
    assert_eq!(of("message")[0]["message"]["text"], "Hello \"Bob\"");
    assert_eq!(of("message")[0]["gameId"], running.as_str());
    let others = export(&bob).await;
    assert!(others.iter().all(|line| line.get("blocked").is_none()), "blocks are private");
}
