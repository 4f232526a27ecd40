//! Searches for games, on both stores: filters, pages, and what they keep secret.

use crate::support;

use std::path::PathBuf;
use std::slice::from_ref;

use heliopause_engine::config::Settings;
use heliopause_proto::v1::game_service_client::GameServiceClient;
use heliopause_proto::v1::*;
use heliopause_test_database::Postgres;
use prost_types::Timestamp;
use support::{Authorized, TestServer, in_memory, refusal, start};

use crate::ratings::{play_rated, rated_game};

fn games(server: &TestServer, token: &str) -> GameServiceClient<Authorized> {
    GameServiceClient::new(server.authorized(token))
}

async fn found(server: &TestServer, token: &str, request: ListGamesRequest) -> Vec<String> {
    let page = games(server, token).list_games(request).await.unwrap().into_inner();
    page.games.into_iter().map(|game| game.game_id).collect()
}

fn of(player: &str) -> ListGamesRequest {
    ListGamesRequest { player: player.to_owned(), ..ListGamesRequest::default() }
}

/// Creates a game of the owners of two tokens, which starts.
async fn begin(
    server: &TestServer,
    tokens: [&str; 2],
    change: impl FnOnce(&mut CreateGameRequest),
) -> String {
    let mut request = rated_game();
    change(&mut request);
    let created = games(server, tokens[0]).create_game(request).await.unwrap().into_inner();
    let Game { game_id, invite_code, .. } = created.game.unwrap();
    let join =
        JoinGameRequest { game_id: game_id.clone(), invite_code, ..JoinGameRequest::default() };
    games(server, tokens[1]).join_game(join).await.unwrap();
    game_id
}

async fn searches_find_only_what_players_show(server: &TestServer) {
    let (ann, bob) = (server.register("Ann").await, server.register("Bob").await);
    let eve = server.register("Eve").await;
    let tokens = [ann.as_str(), bob.as_str()];
    let rated = begin(server, tokens, |_| {}).await;
    let masked = begin(server, tokens, |request| {
        (request.anonymous, request.rated) = (true, false);
    });
    let masked = masked.await;
    let private = begin(server, tokens, |request| request.is_private = true).await;

    assert_eq!(found(server, &eve, of("ann")).await, from_ref(&rated), "by name, ignoring case");
    let ann_id = server.player(&ann).get_me(GetMeRequest {}).await.unwrap().into_inner();
    let ann_id = ann_id.player.unwrap().player_id;
    assert_eq!(found(server, &eve, of(&ann_id)).await, from_ref(&rated));
    let anonymous = GameServiceClient::new(server.channel()).list_games(of("Ann")).await.unwrap();
    assert_eq!(anonymous.into_inner().games.len(), 1);
    let own = found(server, &ann, of("Ann")).await;
    assert_eq!(own, [private.clone(), masked.clone(), rated.clone()]);
    let shared = found(server, &bob, of("Ann")).await;
    assert_eq!(shared, [private, rated.clone()], "Bob knows no names in the anonymous game");
    assert!(found(server, &eve, of("Eve")).await.is_empty());

    let unrated = ListGamesRequest { rated: Some(false), ..ListGamesRequest::default() };
    assert_eq!(found(server, &eve, unrated).await, [masked]);
    let by_rated = ListGamesRequest { rated: Some(true), ..of("Bob") };
    assert_eq!(found(server, &eve, by_rated).await, from_ref(&rated));
    let other = ListGamesRequest { kind: "diplomacy".to_owned(), ..of("Ann") };
    assert!(found(server, &eve, other).await.is_empty());
    let forming = ListGamesRequest { status: GameStatus::Forming.into(), ..of("Ann") };
    assert!(found(server, &eve, forming).await.is_empty());

    let refused = games(server, &eve).list_games(of("Nobody")).await;
    assert_eq!(refusal(refused), ErrorReason::NotFound);
    for privacy in [
        Privacy { hide_games: true, ..Privacy::default() },
        Privacy { hide_results: true, ..Privacy::default() },
    ] {
        let privacy = Some(privacy);
        server.profiles(&ann).set_privacy(SetPrivacyRequest { privacy }).await.unwrap();
        assert!(found(server, &eve, of("Ann")).await.is_empty(), "{privacy:?}");
        assert_eq!(found(server, &ann, of("Ann")).await.len(), 3);
        assert_eq!(found(server, &eve, of("Bob")).await, from_ref(&rated));
    }
}

async fn searches_find_times_in_pages(server: &TestServer) {
    let (ann, bob) = (server.register("Cid").await, server.register("Dan").await);
    let eve = server.register("Fay").await;
    let mut ended = Vec::new();
    for _ in 0..3 {
        ended.insert(0, play_rated(server, [&ann, &bob]).await);
    }
    let running = begin(server, [&ann, &bob], |_| {}).await;
    let since = Some(Timestamp { seconds: 0, nanos: 0 });
    let finished = || ListGamesRequest { ended_from_time: since, ..of("Dan") };
    assert_eq!(found(server, &eve, finished()).await, ended, "the latest end first");
    let mut pages = Vec::new();
    let mut request = ListGamesRequest { page_size: 1, ..finished() };
    loop {
        let page = games(server, &eve).list_games(request.clone()).await.unwrap().into_inner();
        pages.extend(page.games.into_iter().map(|game| game.game_id));
        request.page_token = page.next_page_token;
        if request.page_token.is_empty() {
            break;
        }
    }
    assert_eq!(pages, ended);
    let none = ListGamesRequest { ended_before_time: since, ..of("Dan") };
    assert!(found(server, &eve, none).await.is_empty());
    let none = ListGamesRequest { created_before_time: since, ..of("Dan") };
    assert!(found(server, &eve, none).await.is_empty());
    let all = ListGamesRequest { created_from_time: since, ..of("Dan") };
    assert_eq!(found(server, &eve, all).await[0], running);

    let reversed = ListGamesRequest {
        ended_from_time: Some(Timestamp { seconds: 9, nanos: 0 }),
        ended_before_time: since,
        ..ListGamesRequest::default()
    };
    let refused = games(server, &eve).list_games(reversed).await.unwrap_err();
    let details = tonic_types::StatusExt::get_details_bad_request(&refused).unwrap();
    assert_eq!(details.field_violations[0].field, "ended_before_time");
}

#[tokio::test]
async fn searches_keep_secrets_in_the_embedded_store() {
    let server = start(in_memory()).await;
    searches_find_only_what_players_show(&server).await;
    searches_find_times_in_pages(&server).await;
}

#[tokio::test]
async fn searches_keep_secrets_in_postgres() {
    let Some(postgres) = Postgres::shared() else { return };
    let tokens = tempfile::tempdir().unwrap();
    let server = start(Settings {
        data: Some(PathBuf::from(postgres.database("searches"))),
        tokens: Some(tokens.path().to_owned()),
        ..in_memory()
    });
    let server = server.await;
    searches_find_only_what_players_show(&server).await;
    searches_find_times_in_pages(&server).await;
}
