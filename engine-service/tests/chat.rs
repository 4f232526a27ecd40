//! Chat: who reads and writes which channel, on one engine and on two, and how operators act on
//! reports.

use crate::support;

use std::path::PathBuf;
use std::time::Duration;

use heliopause_engine::config::Settings;
use heliopause_proto::diplomacy::v1 as diplomacy;
use heliopause_proto::v1::chat_service_client::ChatServiceClient;
use heliopause_proto::v1::game_service_client::GameServiceClient;
use heliopause_proto::v1::mute_player_request::Who;
use heliopause_proto::v1::report_abuse_request::What;
use heliopause_proto::v1::stream_events_response::Part;
use heliopause_proto::v1::unmute_player_request::Who as Unmuted;
use heliopause_proto::v1::*;
use heliopause_test_database::Postgres;
use support::{Authorized, PATIENCE, TestServer, in_memory, reason, refusal, start};
use tempfile::TempDir;
use tokio::time::timeout;
use tonic::{Status, Streaming};
use tonic_types::StatusExt as _;

const TABLE: ChatChannel = ChatChannel::Table;
const SPECTATORS: ChatChannel = ChatChannel::Spectators;
/// Long enough for a line to arrive that must not.
const ABSENT: Duration = Duration::from_millis(400);

/// One engine with the embedded store, or two engines on one database.
struct Engines {
    one: TestServer,
    two: Option<TestServer>,
    _tokens: Vec<TempDir>,
    _postgres: Option<Postgres>,
}

impl Engines {
    fn two(&self) -> &TestServer {
        self.two.as_ref().unwrap_or(&self.one)
    }

    async fn register(&self, name: &str) -> String {
        self.one.register(name).await
    }
}

/// Returns one engine, and two engines if PostgreSQL is installed.
async fn engines(database: &str) -> Vec<Engines> {
    let mut all = vec![Engines {
        one: start(in_memory()).await,
        two: None,
        _tokens: Vec::new(),
        _postgres: None,
    }];
    if let Some(postgres) = Postgres::shared() {
        let address = postgres.database(database);
        let tokens = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let settings = |tokens: &TempDir| Settings {
            data: Some(PathBuf::from(&address)),
            tokens: Some(tokens.path().to_owned()),
            ..in_memory()
        };
        let one = start(settings(&tokens[0])).await;
        let two = start(settings(&tokens[1])).await;
        let (two, tokens) = (Some(two), tokens.into());
        all.push(Engines { one, two, _tokens: tokens, _postgres: Some(postgres) });
    }
    all
}

fn chat(server: &TestServer, token: &str) -> ChatServiceClient<Authorized> {
    ChatServiceClient::new(server.authorized(token))
}

fn games(server: &TestServer, token: &str) -> GameServiceClient<Authorized> {
    GameServiceClient::new(server.authorized(token))
}

fn game_of(kind: &str, seats: usize) -> CreateGameRequest {
    CreateGameRequest {
        kind: kind.to_owned(),
        seats: vec![SeatPlan::default(); seats],
        seats_in_order: true,
        start_when_full: true,
        ..CreateGameRequest::default()
    }
}

/// Creates a game. The owners of the tokens take its seats in this order.
async fn seated(server: &TestServer, request: CreateGameRequest, tokens: &[&str]) -> String {
    let created = games(server, tokens[0]).create_game(request).await.unwrap().into_inner();
    let game_id = created.game.unwrap().game_id;
    for token in &tokens[1..] {
        join(server, token, &game_id).await;
    }
    game_id
}

async fn join(server: &TestServer, token: &str, game_id: &str) {
    let request = JoinGameRequest { game_id: game_id.to_owned(), ..JoinGameRequest::default() };
    games(server, token).join_game(request).await.unwrap();
}

/// Ends a game of two players as a draw.
async fn draw(server: &TestServer, game_id: &str, tokens: [&str; 2]) {
    let request = ProposeVoteRequest {
        game_id: game_id.to_owned(),
        subject: VoteSubject::Draw.into(),
        ..ProposeVoteRequest::default()
    };
    let vote = games(server, tokens[0]).propose_vote(request).await.unwrap().into_inner().vote;
    let request = CastVoteRequest {
        game_id: game_id.to_owned(),
        vote: vote.unwrap().number,
        yes: true,
        ..CastVoteRequest::default()
    };
    games(server, tokens[1]).cast_vote(request).await.unwrap();
}

fn line(game_id: &str, channel: ChatChannel, text: &str) -> WriteChatRequest {
    WriteChatRequest {
        game_id: game_id.to_owned(),
        channel: channel.into(),
        text: text.to_owned(),
        ..WriteChatRequest::default()
    }
}

async fn write(
    server: &TestServer,
    token: &str,
    game_id: &str,
    channel: ChatChannel,
    text: &str,
) -> Result<ChatLine, Status> {
    let written = chat(server, token).write_chat(line(game_id, channel, text)).await?;
    Ok(written.into_inner().line.expect("the author sees the line"))
}

async fn listed(
    server: &TestServer,
    token: &str,
    game_id: &str,
    channel: ChatChannel,
) -> ListChatResponse {
    let request = ListChatRequest {
        game_id: game_id.to_owned(),
        channel: channel.into(),
        ..ListChatRequest::default()
    };
    chat(server, token).list_chat(request).await.unwrap().into_inner()
}

/// Returns the texts of a channel, oldest first.
async fn texts(
    server: &TestServer,
    token: &str,
    game_id: &str,
    channel: ChatChannel,
) -> Vec<String> {
    let lines = listed(server, token, game_id, channel).await.lines;
    lines.into_iter().rev().map(|line| line.text).collect()
}

/// Opens a stream of events with chat lines, up to the newest event.
async fn follow(
    server: &TestServer,
    token: &str,
    game_id: &str,
) -> Streaming<StreamEventsResponse> {
    let request = StreamEventsRequest {
        game_id: game_id.to_owned(),
        chat: true,
        ..StreamEventsRequest::default()
    };
    let mut stream = games(server, token).stream_events(request).await.unwrap().into_inner();
    loop {
        let part = stream.message().await.unwrap().unwrap().part;
        if matches!(part, Some(Part::CaughtUp(_))) {
            return stream;
        }
    }
}

async fn heard(stream: &mut Streaming<StreamEventsResponse>) -> ChatLine {
    let next = async {
        loop {
            let part = stream.message().await.expect("the stream goes on").unwrap().part;
            if let Some(Part::Chat(line)) = part {
                return line;
            }
        }
    };
    timeout(PATIENCE, next).await.expect("a line arrives")
}

async fn hears_nothing(stream: &mut Streaming<StreamEventsResponse>) {
    let heard = timeout(ABSENT, async {
        loop {
            match stream.message().await {
                Ok(Some(StreamEventsResponse { part: Some(Part::Chat(line)) })) => return line,
                Ok(Some(_)) => {}
                // The stream has ended, for example because the caller took a seat.
                Ok(None) | Err(_) => std::future::pending().await,
            }
        }
    });
    assert!(heard.await.is_err(), "no line arrives");
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_reach_only_the_readers_of_their_channel() {
    for engines in engines("chatchannels").await {
        let (one, two) = (&engines.one, engines.two());
        let [ann, bob, carl, dora] = [
            engines.register("Ann").await,
            engines.register("Bob").await,
            engines.register("Carl").await,
            engines.register("Dora").await,
        ];
        let game = seated(one, game_of("stellar-conquest", 2), &[&ann, &bob]).await;
        let mut to_bob = follow(two, &bob, &game).await;
        let mut to_dora = follow(two, &dora, &game).await;

        let hello = write(one, &ann, &game, TABLE, "hello").await.unwrap();
        assert_eq!((hello.number, hello.seat, hello.author.as_str()), (1, Some(1), "Ann"));
        assert_eq!(heard(&mut to_bob).await, hello);
        let comment = write(one, &carl, &game, SPECTATORS, "Ann wins").await.unwrap();
        assert_eq!((comment.seat, comment.author.as_str()), (None, "Carl"));
        assert_eq!(heard(&mut to_dora).await, comment);
        hears_nothing(&mut to_bob).await;
        hears_nothing(&mut to_dora).await;

        for (token, channel, lines) in [
            (&ann, TABLE, 1),
            (&bob, TABLE, 2),
            (&carl, TABLE, 0),
            (&ann, SPECTATORS, 0),
            (&carl, SPECTATORS, 1),
        ] {
            let (found, reads) = (listed(two, token, &game, channel).await, lines > 0);
            assert_eq!((found.can_read, found.can_write), (reads, reads), "{channel:?}");
            assert_eq!(found.lines.len(), lines, "{channel:?}");
            let written = write(two, token, &game, channel, "and?").await;
            assert_eq!(written.is_ok(), reads, "{channel:?}");
        }
        let mut anonymous = ChatServiceClient::new(two.channel());
        let request = |channel: ChatChannel| ListChatRequest {
            game_id: game.clone(),
            channel: channel.into(),
            ..ListChatRequest::default()
        };
        for channel in [TABLE, SPECTATORS] {
            let found = anonymous.list_chat(request(channel)).await.unwrap().into_inner();
            assert!(!found.can_read && !found.can_write && found.lines.is_empty());
        }

        draw(one, &game, [&ann, &bob]).await;
        assert_eq!(texts(two, &bob, &game, SPECTATORS).await, ["Ann wins", "and?"]);
        assert_eq!(texts(two, &dora, &game, TABLE).await, ["hello", "and?", "and?"]);
        let found = anonymous.list_chat(request(SPECTATORS)).await.unwrap().into_inner();
        assert!(found.can_read && !found.can_write && found.lines.len() == 2);
        write(two, &bob, &game, SPECTATORS, "thank you").await.unwrap();
        assert_eq!(heard(&mut to_bob).await.text, "and?", "what Ann wrote later");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_spectator_who_takes_a_seat_stops_reading_comments() {
    for engines in engines("chatseats").await {
        let (one, two) = (&engines.one, engines.two());
        let [ann, bob, carl] = [
            engines.register("Ann").await,
            engines.register("Bob").await,
            engines.register("Carl").await,
        ];
        let game = seated(one, game_of("stellar-conquest", 2), &[&ann]).await;
        let mut to_bob = follow(two, &bob, &game).await;
        write(one, &carl, &game, SPECTATORS, "before").await.unwrap();
        assert_eq!(heard(&mut to_bob).await.text, "before");
        join(two, &bob, &game).await;
        write(one, &carl, &game, SPECTATORS, "after").await.unwrap();
        hears_nothing(&mut to_bob).await;
        assert!(!listed(one, &bob, &game, SPECTATORS).await.can_read);
        let refused = write(two, &bob, &game, SPECTATORS, "advice").await.unwrap_err();
        assert_eq!(reason(&refused), ErrorReason::MessageRefused);

        // A player who has left knows the secrets of a seat, and could take it again.
        let resign = ResignRequest { game_id: game.clone(), ..ResignRequest::default() };
        games(one, &bob).resign(resign).await.unwrap();
        for channel in [TABLE, SPECTATORS] {
            let found = listed(two, &bob, &game, channel).await;
            assert!(!found.can_read && !found.can_write, "{channel:?}");
        }
    }
}

#[tokio::test]
async fn a_reserved_seat_excludes_from_the_comments() {
    let server = start(in_memory()).await;
    let [ann, bob, carl] =
        [server.register("Ann").await, server.register("Bob").await, server.register("Carl").await];
    let mut request = game_of("stellar-conquest", 2);
    request.seats[1].plan = Some(seat_plan::Plan::ReservedFor("Bob".to_owned()));
    let game = seated(&server, request, &[&ann]).await;
    assert!(!listed(&server, &bob, &game, SPECTATORS).await.can_read);
    assert!(listed(&server, &carl, &game, SPECTATORS).await.can_read);
}

#[tokio::test]
async fn d9_chat_at_the_table_respects_the_press_of_diplomacy() {
    let server = start(in_memory()).await;
    let (ann, bob) = (server.register("Ann").await, server.register("Bob").await);
    for (press, allowed) in [
        (diplomacy::PressRule::None, false),
        (diplomacy::PressRule::Public, true),
        (diplomacy::PressRule::Full, true),
    ] {
        let options = diplomacy::Options { press: press.into(), ..diplomacy::Options::default() };
        let game = Some(game_options::Game::Diplomacy(options));
        let request =
            CreateGameRequest { options: Some(GameOptions { game }), ..game_of("diplomacy", 2) };
        let game = seated(&server, request, &[&ann]).await;
        write(&server, &ann, &game, TABLE, "before the start").await.unwrap();
        join(&server, &bob, &game).await;
        assert_eq!(listed(&server, &ann, &game, TABLE).await.can_write, allowed, "{press:?}");
        let written = write(&server, &ann, &game, TABLE, "psst").await;
        assert_eq!(written.is_ok(), allowed, "{press:?}");
        if let Err(status) = written {
            let metadata = status.get_details_error_info().unwrap().metadata;
            assert_eq!(
                (metadata["refusal"].as_str(), metadata["rule"].as_str()),
                ("no-press", "D9")
            );
        }
    }
}

#[tokio::test]
async fn starships_3_5_the_player_on_turn_does_not_take_part() {
    let server = start(in_memory()).await;
    let tokens = [server.register("Ann").await, server.register("Bob").await];
    let game = seated(&server, game_of("starships-at-large", 2), &[&tokens[0], &tokens[1]]).await;
    let mut active = None;
    for (index, token) in tokens.iter().enumerate() {
        let request = GetGameRequest { game_id: game.clone(), ..GetGameRequest::default() };
        let found = games(&server, token).get_game(request).await.unwrap().into_inner();
        if found.decision.is_some() {
            active = Some(index);
        }
    }
    let active = active.expect("a player is on turn");
    let (active, other) = (&tokens[active], &tokens[1 - active]);
    let refused = write(&server, active, &game, TABLE, "wait").await.unwrap_err();
    let metadata = refused.get_details_error_info().unwrap().metadata;
    assert_eq!((metadata["refusal"].as_str(), metadata["rule"].as_str()), ("own-turn", "3.5"));
    let mut to_active = follow(&server, active, &game).await;
    write(&server, other, &game, TABLE, "a secret plan").await.unwrap();
    hears_nothing(&mut to_active).await;
    assert!(texts(&server, active, &game, TABLE).await.is_empty());
    assert_eq!(texts(&server, other, &game, TABLE).await, ["a secret plan"]);
    draw(&server, &game, [&tokens[0], &tokens[1]]).await;
    assert_eq!(heard(&mut to_active).await.text, "a secret plan");
}

#[tokio::test]
async fn empires_without_contact_cannot_chat() {
    let server = start(in_memory()).await;
    let (ann, bob) = (server.register("Ann").await, server.register("Bob").await);
    let game = seated(&server, game_of("star-empires", 2), &[&ann, &bob]).await;
    let refused = write(&server, &ann, &game, TABLE, "is anybody there").await.unwrap_err();
    assert_eq!(refused.get_details_error_info().unwrap().metadata["refusal"], "no-contact");
}

async fn spectators(server: &TestServer, token: &str, game_id: &str) -> ListSpectatorsResponse {
    let request = ListSpectatorsRequest { game_id: game_id.to_owned() };
    chat(server, token).list_spectators(request).await.unwrap().into_inner()
}

fn by_seat(game_id: &str, seat: u32) -> MutePlayerRequest {
    MutePlayerRequest { who: Some(Who::Seat(ChatSeat { game_id: game_id.to_owned(), seat })) }
}

fn by_name(player: &str) -> MutePlayerRequest {
    MutePlayerRequest { who: Some(Who::Player(player.to_owned())) }
}

async fn mutes(server: &TestServer, token: &str, game_id: &str) -> (Vec<String>, Vec<u32>) {
    let request = ListMutesRequest { game_id: game_id.to_owned() };
    let found = chat(server, token).list_mutes(request).await.unwrap().into_inner();
    (found.players.into_iter().map(|player| player.name).collect(), found.seats)
}

/// Muting must not be a way to find out who has which seat.
#[tokio::test]
async fn an_anonymous_game_reveals_no_names() {
    let server = start(in_memory()).await;
    let [ann, bob, carl] =
        [server.register("Ann").await, server.register("Bob").await, server.register("Carl").await];
    let request = CreateGameRequest { anonymous: true, ..game_of("stellar-conquest", 2) };
    let game = seated(&server, request, &[&ann, &bob]).await;
    let _watching = follow(&server, &carl, &game).await;
    for token in [&ann, &carl] {
        assert_eq!(spectators(&server, token, &game).await, ListSpectatorsResponse::default());
    }
    write(&server, &bob, &game, TABLE, "guess who").await.unwrap();
    let seen = listed(&server, &ann, &game, TABLE).await.lines.remove(0);
    assert_eq!((seen.player_id.as_str(), seen.seat), ("", Some(2)));
    assert!(!seen.author.contains("Bob") && !seen.author.is_empty(), "{seen:?}");

    chat(&server, &ann).mute_player(by_name("Bob")).await.unwrap();
    assert_eq!(texts(&server, &ann, &game, TABLE).await, ["guess who"], "a gap would be a name");
    assert_eq!(mutes(&server, &ann, &game).await, (vec!["Bob".to_owned()], vec![]));
    let unmuted = Some(Unmuted::Player("Bob".to_owned()));
    chat(&server, &ann).unmute_player(UnmutePlayerRequest { who: unmuted }).await.unwrap();

    chat(&server, &ann).mute_player(by_seat(&game, 2)).await.unwrap();
    assert!(texts(&server, &ann, &game, TABLE).await.is_empty());
    assert_eq!(mutes(&server, &ann, &game).await, (vec![], vec![2]), "the name stays hidden");

    // The operator learns the name, the reporter does not.
    let seat = ChatLineRef { game_id: game.clone(), channel: TABLE.into(), number: 1 };
    let report = ReportAbuseRequest {
        what: Some(What::Line(seat)),
        reason: AbuseReason::Insult.into(),
        comment: String::new(),
    };
    chat(&server, &ann).report_abuse(report).await.unwrap();
    let found = server.admin().list_reports(ListReportsRequest::default()).await.unwrap();
    assert_eq!(found.into_inner().reports[0].player, "Bob");

    draw(&server, &game, [&ann, &bob]).await;
    let seat = Some(Unmuted::Seat(ChatSeat { game_id: game.clone(), seat: 2 }));
    chat(&server, &ann).unmute_player(UnmutePlayerRequest { who: seat }).await.unwrap();
    let seen = listed(&server, &ann, &game, TABLE).await.lines.remove(0);
    assert_eq!(seen.author, "Bob", "the names are public after the game");
}

#[tokio::test(flavor = "multi_thread")]
async fn spectators_are_listed_where_the_game_allows_it() {
    for engines in engines("chatspectators").await {
        let (one, two) = (&engines.one, engines.two());
        let [ann, bob, carl, dora] = [
            engines.register("Ann").await,
            engines.register("Bob").await,
            engines.register("Carl").await,
            engines.register("Dora").await,
        ];
        let game = seated(one, game_of("stellar-conquest", 2), &[&ann]).await;
        let privacy = Some(Privacy { hide_watching: true, ..Privacy::default() });
        one.profiles(&dora).set_privacy(SetPrivacyRequest { privacy }).await.unwrap();
        let mut open = vec![
            follow(one, &carl, &game).await,
            follow(one, &carl, &game).await,
            follow(one, &dora, &game).await,
            follow(one, &ann, &game).await,
            follow(one, &bob, &game).await,
        ];
        let names = |found: ListSpectatorsResponse| {
            let names = found.spectators.into_iter().map(|spectator| spectator.name);
            (names.collect::<Vec<_>>(), found.others, found.listed)
        };
        let of = |names: &[&str], others| {
            (names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>(), others, true)
        };
        assert_eq!(names(spectators(one, &ann, &game).await), of(&["Bob", "Carl"], 1));
        // The other engine learns it from the next status report, which an operator can request.
        for server in [one, two] {
            server.admin().list_engines(ListEnginesRequest::default()).await.unwrap();
        }
        assert_eq!(names(spectators(two, &ann, &game).await), of(&["Bob", "Carl"], 1));
        // Names and settings apply to open streams, too.
        let rename = RenameMeRequest { name: "Carla".to_owned() };
        one.profiles(&carl).rename_me(rename).await.unwrap();
        let set = |hide_watching| {
            let privacy = Some(Privacy { hide_watching, ..Privacy::default() });
            SetPrivacyRequest { privacy }
        };
        one.profiles(&bob).set_privacy(set(true)).await.unwrap();
        one.profiles(&dora).set_privacy(set(false)).await.unwrap();
        for server in [one, two] {
            assert_eq!(names(spectators(server, &ann, &game).await), of(&["Carla", "Dora"], 1));
        }
        one.profiles(&dora).set_privacy(set(true)).await.unwrap();
        join(one, &bob, &game).await;
        for server in [one, two] {
            assert_eq!(names(spectators(server, &ann, &game).await), of(&["Carla"], 1));
        }
        open.clear();
        for _ in 0..100 {
            if names(spectators(one, &ann, &game).await) == of(&[], 0) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert_eq!(names(spectators(one, &ann, &game).await), of(&[], 0));

        let hidden = CreateGameRequest { is_private: true, ..game_of("stellar-conquest", 2) };
        let hidden = seated(one, hidden, &[&ann]).await;
        assert_eq!(spectators(one, &ann, &hidden).await, ListSpectatorsResponse::default());
        let request = ListSpectatorsRequest { game_id: hidden.clone() };
        let refused = chat(one, &carl).list_spectators(request).await;
        assert_eq!(refusal(refused), ErrorReason::GameNotFound);
        let refused = write(one, &carl, &hidden, SPECTATORS, "let me in").await;
        assert_eq!(refusal(refused), ErrorReason::GameNotFound);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn muted_players_are_hidden_from_their_muter_only() {
    for engines in engines("chatmutes").await {
        let (one, two) = (&engines.one, engines.two());
        let [ann, bob, carl] = [
            engines.register("Ann").await,
            engines.register("Bob").await,
            engines.register("Carl").await,
        ];
        let game = seated(one, game_of("stellar-conquest", 3), &[&ann, &bob, &carl]).await;
        chat(one, &ann).mute_player(by_seat(&game, 2)).await.unwrap();
        assert_eq!(mutes(two, &ann, &game).await, (vec!["Bob".to_owned()], vec![2]));
        let mut to_ann = follow(one, &ann, &game).await;
        let mut to_carl = follow(two, &carl, &game).await;
        write(two, &bob, &game, TABLE, "noise").await.unwrap();
        write(one, &carl, &game, TABLE, "signal").await.unwrap();
        assert_eq!(heard(&mut to_ann).await.text, "signal");
        assert_eq!(heard(&mut to_carl).await.text, "noise");
        assert_eq!(texts(one, &ann, &game, TABLE).await, ["signal"]);
        assert_eq!(texts(two, &bob, &game, TABLE).await, ["noise", "signal"], "Bob learns nothing");
        let seat = Some(Unmuted::Seat(ChatSeat { game_id: game.clone(), seat: 2 }));
        chat(one, &ann).unmute_player(UnmutePlayerRequest { who: seat }).await.unwrap();
        assert_eq!(texts(one, &ann, &game, TABLE).await, ["noise", "signal"]);
        let myself = chat(one, &ann).mute_player(by_name("Ann")).await;
        assert_eq!(refusal(myself), ErrorReason::InvalidField);
        let empty = chat(one, &ann).mute_player(by_seat(&game, 9)).await;
        assert_eq!(refusal(empty), ErrorReason::InvalidField);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_retry_returns_the_first_line_and_floods_are_limited() {
    for engines in engines("chatretries").await {
        let (one, two) = (&engines.one, engines.two());
        let (ann, bob) = (engines.register("Ann").await, engines.register("Bob").await);
        let game = seated(one, game_of("stellar-conquest", 2), &[&ann, &bob]).await;
        let request = |text: &str| WriteChatRequest {
            request_id: "0123456789abcdef".to_owned(),
            ..line(&game, TABLE, text)
        };
        let first = chat(one, &ann).write_chat(request("once")).await.unwrap().into_inner();
        let again = chat(two, &ann).write_chat(request("once")).await.unwrap().into_inner();
        assert_eq!(again, first);
        let other = chat(two, &ann).write_chat(request("twice")).await;
        assert_eq!(refusal(other), ErrorReason::RequestIdReused);
        // Both engines write at the same time.
        let writing = (0..10).flat_map(|number| {
            let text = number.to_string();
            let [mut here, mut there] = [chat(one, &ann), chat(two, &bob)];
            let [one, other] = [line(&game, TABLE, &text), line(&game, TABLE, &text)];
            [
                tokio::spawn(async move { here.write_chat(one).await }),
                tokio::spawn(async move { there.write_chat(other).await }),
            ]
        });
        for written in writing.collect::<Vec<_>>() {
            written.await.unwrap().unwrap();
        }
        let lines = listed(two, &bob, &game, TABLE).await.lines;
        let numbers: Vec<u64> = lines.iter().rev().map(|line| line.number).collect();
        assert_eq!(numbers, (1..=21).collect::<Vec<u64>>());

        let mut flood = Vec::new();
        for number in 0..40 {
            flood.push(write(one, &ann, &game, TABLE, &format!("flood {number}")).await);
        }
        let refused: Vec<_> = flood.into_iter().filter_map(Result::err).collect();
        assert!(refused.len() >= 20, "{}", refused.len());
        assert_eq!(reason(&refused[0]), ErrorReason::RateLimited);
        let there = write(two, &ann, &game, TABLE, "on the other engine").await;
        assert_eq!(refusal(there), ErrorReason::RateLimited);
        write(two, &bob, &game, TABLE, "still here").await.expect("others can write");
    }
}

#[tokio::test]
async fn lines_that_forge_output_are_refused() {
    let server = start(in_memory()).await;
    let (ann, bob) = (server.register("Ann").await, server.register("Bob").await);
    let game = seated(&server, game_of("stellar-conquest", 2), &[&ann, &bob]).await;
    for text in [
        "",
        "  ",
        "two\nlines",
        "two\r\nlines",
        "\u{1b}[2Jcleared",
        "a\u{202e}b",
        "a\u{200b}b",
        "a\u{2028}b",
        "\u{7}",
        &"x".repeat(301),
    ] {
        let refused = write(&server, &ann, &game, TABLE, text).await;
        assert_eq!(refusal(refused), ErrorReason::InvalidField, "{text:?}");
    }
    for (channel, reason) in [(0, ErrorReason::InvalidField), (7, ErrorReason::InvalidField)] {
        let request = WriteChatRequest { channel, ..line(&game, TABLE, "x") };
        assert_eq!(refusal(chat(&server, &ann).write_chat(request).await), reason);
    }
    let html = "<b>Bob</b> & <script>alert(1)</script>";
    write(&server, &ann, &game, TABLE, html).await.unwrap();
    assert_eq!(texts(&server, &bob, &game, TABLE).await, [html], "clients escape it");
}

#[tokio::test]
async fn guests_workers_and_admins_do_not_comment() {
    let server = start(in_memory()).await;
    let (ann, guest) = (server.register("Ann").await, server.register("").await);
    let game = seated(&server, game_of("stellar-conquest", 2), &[&ann]).await;
    assert!(!listed(&server, &guest, &game, SPECTATORS).await.can_write);
    let refused = write(&server, &guest, &game, SPECTATORS, "hi").await.unwrap_err();
    assert_eq!(refused.get_details_error_info().unwrap().metadata["refusal"], "guest");
    for name in ["admin.token", "worker.token"] {
        let token = server.token_file(name);
        let refused = write(&server, &token, &game, SPECTATORS, "hi").await;
        assert_eq!(refusal(refused), ErrorReason::RoleConflict);
    }
    join(&server, &guest, &game).await;
    write(&server, &guest, &game, TABLE, "hi").await.expect("guests can talk at their table");
}

fn letter(game_id: &str, text: &str) -> SendMessageRequest {
    SendMessageRequest {
        game_id: game_id.to_owned(),
        to_all: true,
        text: text.to_owned(),
        request_id: format!("letter-{text}-0123456789"),
        ..SendMessageRequest::default()
    }
}

fn report(what: What, comment: &str) -> ReportAbuseRequest {
    let reason = AbuseReason::Insult.into();
    ReportAbuseRequest { what: Some(what), reason, comment: comment.to_owned() }
}

#[tokio::test(flavor = "multi_thread")]
#[expect(clippy::too_many_lines, reason = "one story")]
async fn operators_resolve_reports_and_silence_players() {
    for engines in engines("chatreports").await {
        let (one, two) = (&engines.one, engines.two());
        let [ann, bob, carl] = [
            engines.register("Ann").await,
            engines.register("Bob").await,
            engines.register("Carl").await,
        ];
        let game = seated(one, game_of("stellar-conquest", 2), &[&ann, &bob]).await;
        for text in ["hello", "you fool", "sorry"] {
            write(one, &bob, &game, TABLE, text).await.unwrap();
        }
        games(one, &bob).send_message(letter(&game, "fool")).await.unwrap();
        let the_line =
            || What::Line(ChatLineRef { game_id: game.clone(), channel: TABLE.into(), number: 2 });
        let the_letter =
            || What::Message(MessageRef { game_id: game.clone(), seat: None, number: 1 });
        for _ in 0..2 {
            chat(two, &ann).report_abuse(report(the_line(), "he insults")).await.unwrap();
        }
        chat(two, &ann).report_abuse(report(the_letter(), "")).await.unwrap();
        chat(two, &ann).report_abuse(report(What::Player("Carl".into()), "")).await.unwrap();
        // Nobody can report what they cannot read.
        let secret = chat(two, &carl).report_abuse(report(the_line(), "")).await;
        assert_eq!(refusal(secret), ErrorReason::NotFound);
        let secret = chat(two, &carl).report_abuse(report(the_letter(), "")).await;
        assert_eq!(refusal(secret), ErrorReason::NotYourSeat);
        let own = chat(two, &bob).report_abuse(report(the_line(), "")).await;
        assert_eq!(refusal(own), ErrorReason::InvalidField);

        let mut admin = two.admin();
        let open = ListReportsRequest::default();
        let reports = admin.list_reports(open.clone()).await.unwrap().into_inner().reports;
        let seen: Vec<_> =
            reports.iter().map(|one| (one.player.as_str(), one.text.as_str())).collect();
        assert_eq!(seen, [("Bob", "you fool"), ("Bob", "fool"), ("Carl", "Carl")]);
        let first = &reports[0];
        assert_eq!((first.reporter.as_str(), first.comment.as_str()), ("Ann", "he insults"));
        let context: Vec<_> = first.context.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(context, ["hello", "you fool", "sorry"]);
        let paged = ListReportsRequest { page_size: 2, ..ListReportsRequest::default() };
        let page = admin.list_reports(paged.clone()).await.unwrap().into_inner();
        let rest = ListReportsRequest { page_token: page.next_page_token, ..paged };
        let rest = admin.list_reports(rest).await.unwrap().into_inner();
        assert_eq!((page.reports.len(), rest.reports.len()), (2, 1));

        let resolve = ResolveReportRequest {
            report_id: first.report_id.clone(),
            note: "warned".to_owned(),
            remove_line: true,
        };
        let refused = chat_admin(two, &ann).resolve_report(resolve.clone()).await;
        assert_eq!(refusal(refused), ErrorReason::RoleRequired);
        admin.resolve_report(resolve.clone()).await.unwrap();
        let again = admin.resolve_report(resolve).await;
        assert_eq!(refusal(again), ErrorReason::NotFound);
        assert_eq!(texts(one, &ann, &game, TABLE).await, ["hello", "", "sorry"]);
        let resolved = ListReportsRequest { resolved: true, ..ListReportsRequest::default() };
        let resolved = admin.list_reports(resolved).await.unwrap().into_inner().reports;
        assert_eq!((resolved.len(), resolved[0].resolver.as_str()), (1, "admin"));
        assert_eq!((resolved[0].note.as_str(), resolved[0].text.as_str()), ("warned", "you fool"));
        assert_eq!(admin.list_reports(open).await.unwrap().into_inner().reports.len(), 2);

        let silence = |seconds| SilencePlayerRequest {
            player: "Bob".to_owned(),
            duration: Some(prost_types::Duration { seconds, nanos: 0 }),
            why: "insults".to_owned(),
        };
        for seconds in [0, -1, 367 * 24 * 60 * 60] {
            assert_eq!(
                refusal(admin.silence_player(silence(seconds)).await),
                ErrorReason::InvalidField
            );
        }
        let end = admin.silence_player(silence(3_600)).await.unwrap().into_inner().end_time;
        assert!(end.is_some());
        let refused = write(one, &bob, &game, TABLE, "but").await.unwrap_err();
        assert_eq!(reason(&refused), ErrorReason::Silenced);
        assert!(refused.message().contains("insults"), "{refused:?}");
        let metadata = refused.get_details_error_info().unwrap().metadata;
        let named: jiff::Timestamp = metadata["end_time"].parse().unwrap();
        assert_eq!(named.as_second(), end.unwrap().seconds);
        let refused = games(one, &bob).send_message(letter(&game, "but")).await;
        assert_eq!(refusal(refused), ErrorReason::Silenced);
        games(one, &bob).send_message(letter(&game, "fool")).await.expect("a retry");
        let players = ListPlayersRequest { search: "Bob".to_owned(), ..<_>::default() };
        let players = admin.list_players(players).await.unwrap().into_inner().players;
        assert_eq!(players[0].silence_end_time, end);
        draw(one, &game, [&ann, &bob]).await;
        let lifted = SilencePlayerRequest { duration: None, ..silence(1) };
        admin.silence_player(lifted).await.unwrap();
        write(one, &bob, &game, TABLE, "good game").await.unwrap();
    }
}

fn chat_admin(
    server: &TestServer,
    token: &str,
) -> admin_service_client::AdminServiceClient<Authorized> {
    admin_service_client::AdminServiceClient::new(server.authorized(token))
}

#[tokio::test]
async fn reports_are_limited() {
    let server = start(in_memory()).await;
    let ann = server.register("Ann").await;
    let mut refused = 0;
    for number in 0..25 {
        let name = format!("Bob {number}");
        server.register(&name).await;
        let reported = chat(&server, &ann).report_abuse(report(What::Player(name), "")).await;
        refused += usize::from(reported.is_err_and(|status| {
            assert_eq!(reason(&status), ErrorReason::RateLimited);
            true
        }));
    }
    assert_eq!(refused, 5);
}

/// Returns the lines of an account's export that have this key.
async fn exported(server: &TestServer, token: &str, key: &str) -> Vec<String> {
    let mut stream =
        server.profiles(token).export_my_data(ExportMyDataRequest {}).await.unwrap().into_inner();
    let mut lines = Vec::new();
    while let Some(part) = stream.message().await.unwrap() {
        lines.extend(part.line.starts_with(&format!("{{\"{key}\"")).then_some(part.line));
    }
    lines
}

#[tokio::test]
async fn a_deleted_account_leaves_no_lines() {
    let server = start(in_memory()).await;
    let [ann, bob, carl] =
        [server.register("Ann").await, server.register("Bob").await, server.register("Carl").await];
    let game = seated(&server, game_of("stellar-conquest", 2), &[&ann, &bob]).await;
    for token in [&carl, &carl] {
        write(&server, token, &game, SPECTATORS, "mine").await.unwrap();
    }
    chat(&server, &carl).mute_player(by_name("Bob")).await.unwrap();
    let lines = exported(&server, &carl, "chatLine").await;
    assert!(lines.len() == 2 && lines[0].contains("mine"), "{lines:?}");
    assert_eq!(exported(&server, &carl, "muted").await.len(), 1);
    let reported = report(What::Player("Bob".to_owned()), "he insults");
    chat(&server, &carl).report_abuse(reported).await.unwrap();
    let reports = exported(&server, &carl, "report").await;
    assert!(reports.len() == 1 && reports[0].contains("he insults"), "{reports:?}");
    let dora = server.register("Dora").await;
    write(&server, &dora, &game, SPECTATORS, "hers").await.unwrap();
    server.profiles(&carl).delete_me(DeleteMeRequest { name: "Carl".to_owned() }).await.unwrap();
    assert_eq!(texts(&server, &dora, &game, SPECTATORS).await, ["hers"]);
    let written = write(&server, &dora, &game, SPECTATORS, "more").await.unwrap();
    assert_eq!(written.number, 4, "numbers are not used again");
    let open = server.admin().list_reports(ListReportsRequest::default()).await.unwrap();
    assert_eq!(open.into_inner().reports[0].comment, "");
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_of_other_sessions_do_not_survive_a_deletion() {
    let server = start(in_memory()).await;
    let [ann, bob, carl] =
        [server.register("Ann").await, server.register("Bob").await, server.register("Carl").await];
    let game = seated(&server, game_of("stellar-conquest", 2), &[&ann, &bob]).await;
    let other = CreateTokenRequest { name: "other".to_owned(), ..CreateTokenRequest::default() };
    let other = server.player(&carl).create_token(other).await.unwrap().into_inner().secret;
    let (mut writer, late) = (chat(&server, &other), line(&game, SPECTATORS, "late"));
    let writing = tokio::spawn(async move {
        loop {
            let written = writer.write_chat(late.clone()).await;
            if written.is_err_and(|status| reason(&status) == ErrorReason::TokenInvalid) {
                return;
            }
        }
    });
    server.profiles(&carl).delete_me(DeleteMeRequest { name: "Carl".to_owned() }).await.unwrap();
    timeout(PATIENCE, writing).await.expect("the other session is revoked").unwrap();
    let dora = server.register("Dora").await;
    assert_eq!(texts(&server, &dora, &game, SPECTATORS).await, [""; 0]);
    let refused = server.player(&carl).get_me(GetMeRequest {}).await;
    assert_eq!(refusal(refused), ErrorReason::TokenInvalid);
}

#[tokio::test]
async fn sandbox_games_have_no_chat() {
    let server = start(Settings { sandbox: Some(true), ..in_memory() }).await;
    let ann = server.register("Ann").await;
    let mut sandboxes = sandbox_service_client::SandboxServiceClient::new(server.authorized(&ann));
    let request = CreateSandboxGameRequest {
        kind: "diplomacy".to_owned(),
        ..CreateSandboxGameRequest::default()
    };
    let made = sandboxes.create_sandbox_game(request).await.unwrap().into_inner();
    let game = made.game.unwrap().game_id;
    for channel in [TABLE, SPECTATORS] {
        let found = listed(&server, &ann, &game, channel).await;
        assert!(!found.can_read && !found.can_write);
        let refused = write(&server, &ann, &game, channel, "hello me").await.unwrap_err();
        assert_eq!(refused.get_details_error_info().unwrap().metadata["refusal"], "sandbox");
    }
}
