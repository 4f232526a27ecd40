//! Paged lists of games over the wire: a player's own games, and all games for admins.

use crate::support;

use heliopause_engine::config::Settings;
use heliopause_engine::store::sqlite::SqliteStore;
use heliopause_engine::store::{GameRow, Member, Store};
use heliopause_proto::v1::{
    ErrorReason, GameStatus, GetMeRequest, ListAllGamesRequest, ListMyGamesRequest, MyGame,
};
use support::{TestServer, append, in_memory, refusal, start};

const GAMES: usize = 7;

fn game(number: usize, player_id: &str) -> GameRow {
    let seat = u32::try_from(number % 3).unwrap();
    let status = if number == 0 { GameStatus::Ended } else { GameStatus::Running };
    GameRow {
        game_id: format!("game-{number}"),
        kind: "starships-at-large".to_owned(),
        name: format!("Game {number}"),
        status: status as i32,
        private: number.is_multiple_of(2),
        created: 1_000 + i64::try_from(number).unwrap(),
        progress: format!("round {number}"),
        members: vec![Member {
            player_id: player_id.to_owned(),
            seat,
            invited: false,
            your_decision: number == 1,
            deadline: (number == 1).then_some(1_500),
        }],
        ..GameRow::default()
    }
}

async fn server() -> (TestServer, String, tempfile::TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let settings = Settings { data: Some(directory.path().to_owned()), ..in_memory() };
    let first = start(settings.clone()).await;
    let token = first.register("Ann").await;
    first.register("Bob").await;
    let me =
        first.player(&token).get_me(GetMeRequest {}).await.unwrap().into_inner().player.unwrap();
    first.stop().await;

    let store = SqliteStore::open(directory.path(), None).unwrap();
    for number in 0..GAMES {
        store.append(append(game(number, &me.player_id), 0, "created")).await.unwrap();
    }
    drop(store);
    (start(settings).await, token, directory)
}

#[tokio::test]
async fn my_games_come_newest_first_in_pages() {
    let (server, token, _directory) = server().await;
    let mut ann = server.player(&token);
    let mut games: Vec<MyGame> = Vec::new();
    let mut page_token = String::new();
    loop {
        let request =
            ListMyGamesRequest { page_size: 3, page_token, ..ListMyGamesRequest::default() };
        let page = ann.list_my_games(request).await.unwrap().into_inner();
        assert!(!page.games.is_empty() && page.games.len() <= 3);
        games.extend(page.games);
        page_token = page.next_page_token;
        if page_token.is_empty() {
            break;
        }
    }
    let names: Vec<_> = games.iter().map(|game| game.name.as_str()).collect();
    assert_eq!(names, ["Game 6", "Game 5", "Game 4", "Game 3", "Game 2", "Game 1", "Game 0"]);
    let waiting = &games[5];
    assert_eq!((waiting.seat, waiting.your_decision, waiting.over), (Some(1), true, false));
    assert_eq!(waiting.due_time.as_ref().map(|at| (at.seconds, at.nanos)), Some((1, 500_000_000)));
    assert!(games[6].over && !games[6].your_decision && games[6].due_time.is_none());

    let running = ListMyGamesRequest { running_only: true, ..ListMyGamesRequest::default() };
    let running = ann.list_my_games(running).await.unwrap().into_inner();
    assert_eq!((running.games.len(), running.next_page_token.as_str()), (GAMES - 1, ""));
    let forged =
        ListMyGamesRequest { page_token: "pAnn".to_owned(), ..ListMyGamesRequest::default() };
    assert_eq!(refusal(ann.list_my_games(forged).await), ErrorReason::InvalidField);
    server.stop().await;
}

#[tokio::test]
async fn admins_find_every_game() {
    let (server, _, _directory) = server().await;
    let search = |text: &str| ListAllGamesRequest {
        search: text.to_owned(),
        ..ListAllGamesRequest::default()
    };
    let found = async |text: &str| {
        let page = server.admin().list_all_games(search(text)).await.unwrap().into_inner();
        page.games
            .into_iter()
            .filter_map(|record| record.game)
            .map(|game| (game.game_id, game.is_private))
            .collect::<Vec<_>>()
    };
    assert_eq!(found("").await.len(), GAMES);
    assert_eq!(found("GAME-4").await, [("game-4".to_owned(), true)]);
    assert_eq!(found("game 3").await, [("game-3".to_owned(), false)]);
    assert_eq!(found("nowhere").await, []);
    let page = ListAllGamesRequest { page_size: GAMES as u32, ..ListAllGamesRequest::default() };
    assert_eq!(server.admin().list_all_games(page).await.unwrap().into_inner().next_page_token, "");
    server.stop().await;
}
