//! Visibility of messages: no call reveals more than `GetHistory` shows to the caller.

use crate::support;

use std::collections::BTreeSet;
use std::time::Duration;

use bytes::{Buf as _, BufMut as _, Bytes};
use heliopause_engine::config::Settings;
use heliopause_proto::diplomacy::v1 as diplomacy;
use heliopause_proto::v1::automation_service_client::AutomationServiceClient;
use heliopause_proto::v1::export_game_response::Part;
use heliopause_proto::v1::game_master_service_client::GameMasterServiceClient;
use heliopause_proto::v1::game_service_client::GameServiceClient;
use heliopause_proto::v1::sandbox_service_client::SandboxServiceClient;
use heliopause_proto::v1::work_request::Message as Said;
use heliopause_proto::v1::work_response::Message as Say;
use heliopause_proto::v1::*;
use heliopause_proto::{POOL, star_empires};
use heliopause_table::verify::Verifier;
use prost::Message as _;
use prost_reflect::{DynamicMessage, MethodDescriptor, Value};
use tonic::client::Grpc;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::transport::Channel;
use tonic::{Request, Status};

use support::{Authorized, TestServer, in_memory, start};

/// Modifying calls that take a game id but no request id.
const CHANGING: [&str; 3] = ["MuteGame", "UnmuteGame", "ReleaseParkedDecision"];
/// Calls that take a request id and also return a game's data.
const READING: [&str; 1] = ["ExportPosition"];
/// Calls without a game id that return data about games.
const OVERVIEWS: [&str; 5] =
    ["ListGames", "ListMyGames", "ListMyDecisions", "ListAllGames", "StreamMyGames"];
/// The prefix of every secret text. The tests search the responses for this prefix.
const MARK: &str = "SECRET-";

#[derive(Clone, Copy, Default)]
struct RawCodec;

impl Codec for RawCodec {
    type Encode = Bytes;
    type Decode = Bytes;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        Self
    }

    fn decoder(&mut self) -> Self {
        Self
    }
}

impl Encoder for RawCodec {
    type Item = Bytes;
    type Error = Status;

    fn encode(&mut self, item: Bytes, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        buffer.put(item);
        Ok(())
    }
}

impl Decoder for RawCodec {
    type Item = Bytes;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<Bytes>, Status> {
        Ok(Some(buffer.copy_to_bytes(buffer.remaining())))
    }
}

struct Reader {
    name: &'static str,
    token: Option<String>,
    channel: Channel,
}

async fn answer(reader: &Reader, (method, message): &Call) -> Vec<u8> {
    let mut grpc = Grpc::new(reader.channel.clone());
    grpc.ready().await.expect("the server listens");
    let mut request = Request::new(Bytes::from(message.encode_to_vec()));
    if let Some(token) = &reader.token {
        let bearer = format!("Bearer {token}").parse().expect("a header");
        request.metadata_mut().insert("authorization", bearer);
    }
    let path = format!("/{}/{}", method.parent_service().full_name(), method.name());
    let path = path.parse().expect("a path");
    let refused = |status: Status| [status.message().as_bytes(), status.details()].concat();
    let mut stream = match grpc.server_streaming(request, path, RawCodec).await {
        Ok(stream) => stream.into_inner(),
        Err(status) => return refused(status),
    };
    let mut answered = Vec::new();
    loop {
        match stream.message().await {
            Ok(Some(message)) => {
                answered.extend_from_slice(&message);
                // These streams never end.
                let is_over = match method.name() {
                    "StreamEvents" => StreamEventsResponse::decode(message).is_ok_and(|it| {
                        matches!(it.part, Some(stream_events_response::Part::CaughtUp(_)))
                    }),
                    "StreamMyGames" => StreamMyGamesResponse::decode(message).is_ok_and(|it| {
                        matches!(it.notice, Some(stream_my_games_response::Notice::CaughtUp(_)))
                    }),
                    _ => false,
                };
                if is_over {
                    return answered;
                }
            }
            Ok(None) => return answered,
            Err(status) => return [answered, refused(status)].concat(),
        }
    }
}

type Call = (MethodDescriptor, DynamicMessage);

fn read_calls(game_id: &str) -> Vec<Call> {
    let mut calls = Vec::new();
    for method in POOL.services().flat_map(|service| service.methods().collect::<Vec<_>>()) {
        let input = method.input();
        let has = |field: &str| input.get_field_by_name(field).is_some();
        let mut bare = DynamicMessage::new(input.clone());
        if OVERVIEWS.contains(&method.name()) {
            calls.push((method.clone(), bare));
            continue;
        }
        let changes = has("request_id") && !READING.contains(&method.name());
        if !has("game_id") || changes || CHANGING.contains(&method.name()) {
            continue;
        }
        bare.set_field_by_name("game_id", Value::String(game_id.to_owned()));
        if has("page_size") {
            bare.set_field_by_name("page_size", Value::U32(200));
        }
        if has("after") {
            let cursor = Cursor::default().encode_to_vec();
            let kind = POOL.get_message_by_name("heliopause.v1.Cursor").expect("a cursor");
            let cursor = DynamicMessage::decode(kind, cursor.as_slice()).expect("a cursor");
            bare.set_field_by_name("after", Value::Message(cursor));
        }
        // Set one option at a time, and also combine `revealed` with an earlier phase.
        let flag = |field: &'static str| (field, Value::Bool(true));
        let phase = |number: u64| ("at_phase", Value::U64(number));
        let mut ways = vec![vec![], vec![flag("full")], vec![flag("as_spectator")]];
        ways.extend((1..=3).map(|seat| vec![("seat", Value::U32(seat))]));
        ways.extend((1..=24).map(|event| vec![("event", Value::U64(event))]));
        ways.extend([0, 1].map(|number| vec![phase(number)]));
        ways.extend([vec![flag("revealed")], vec![flag("revealed"), phase(1)]]);
        for way in ways.iter().filter(|way| way.iter().all(|(field, _)| has(field))) {
            let mut request = bare.clone();
            for (field, value) in way {
                request.set_field_by_name(field, value.clone());
            }
            calls.push((method.clone(), request));
        }
    }
    let names: BTreeSet<&str> = calls.iter().map(|(method, _)| method.name()).collect();
    assert!(names.len() >= 20, "most calls read: {names:?}");
    calls
}

fn secrets(bytes: &[u8]) -> BTreeSet<String> {
    let text = String::from_utf8_lossy(bytes);
    let word = |rest: &str| rest.chars().take_while(char::is_ascii_lowercase).collect();
    text.split(MARK).skip(1).map(word).collect()
}

struct Scene {
    server: TestServer,
    readers: Vec<Reader>,
}

impl Scene {
    async fn new() -> Self {
        let server =
            start(Settings { rate_limit: Some(0), sandbox: Some(true), ..in_memory() }).await;
        let mut readers = Vec::new();
        for name in ["Ann", "Bob", "Cid", "Gil", "Eve", "admin", "worker", "nobody"] {
            let token = match name {
                "admin" | "worker" => Some(server.token_file(&format!("{name}.token"))),
                "nobody" => None,
                _ => Some(server.register(name).await),
            };
            readers.push(Reader { name, token, channel: server.channel() });
        }
        Self { server, readers }
    }

    fn line(&self, name: &str) -> Authorized {
        let reader = self.readers.iter().find(|reader| reader.name == name).expect("a reader");
        self.server.authorized(reader.token.as_ref().expect("an account"))
    }

    fn games(&self, name: &str) -> GameServiceClient<Authorized> {
        GameServiceClient::new(self.line(name))
    }

    fn master(&self, name: &str) -> GameMasterServiceClient<Authorized> {
        GameMasterServiceClient::new(self.line(name))
    }

    /// Creates a game as Gil. Ann, Bob and Cid take the first seats.
    async fn game(&self, request: CreateGameRequest) -> String {
        let open =
            || SeatPlan { plan: Some(seat_plan::Plan::Open(OpenSeat {})), ..SeatPlan::default() };
        let mut seats = vec![open(), open(), open()];
        seats.extend(request.seats);
        let request_id = format!("{MARK}creation-{}", request.name);
        let request = CreateGameRequest {
            seats,
            seats_in_order: true,
            start_when_full: true,
            request_id,
            ..request
        };
        let made = self.games("Gil").create_game(request).await.expect("a game").into_inner();
        let game = made.game.expect("a game");
        for (name, seat) in [("Ann", 1), ("Bob", 2), ("Cid", 3)] {
            let request = JoinGameRequest {
                game_id: game.game_id.clone(),
                seat: Some(seat),
                invite_code: game.invite_code.clone(),
                request_id: format!("{MARK}joining"),
                ..JoinGameRequest::default()
            };
            self.games(name).join_game(request).await.expect("a seat");
        }
        game.game_id
    }

    async fn write(&self, name: &str, game_id: &str, secret: &str, to: &[u32]) -> bool {
        self.write_as(name, game_id, secret, to, |_| {}).await
    }

    async fn write_as(
        &self,
        name: &str,
        game_id: &str,
        secret: &str,
        to: &[u32],
        change: impl FnOnce(&mut SendMessageRequest),
    ) -> bool {
        let mut request = SendMessageRequest {
            game_id: game_id.to_owned(),
            to_seats: to.to_vec(),
            text: format!("{MARK}{secret}."),
            request_id: format!("{MARK}request-{secret}"),
            ..SendMessageRequest::default()
        };
        change(&mut request);
        self.games(name).send_message(request).await.is_ok()
    }

    /// Compares all responses to each reader with `GetHistory`, and `GetHistory` with the expected
    /// messages.
    async fn check(&self, game_id: &str, moment: &str, reads: impl Fn(&str) -> &'static str) {
        for reader in &self.readers {
            let mut shown = BTreeSet::new();
            let mut others = Vec::new();
            for call in read_calls(game_id) {
                let found = secrets(&answer(reader, &call).await);
                if call.0.name() == "GetHistory" {
                    shown.extend(found);
                } else if !found.is_empty() {
                    others.push((call, found));
                }
            }
            let who = format!("{}, {moment}", reader.name);
            let expected: BTreeSet<String> =
                reads(reader.name).split_whitespace().map(str::to_owned).collect();
            assert_eq!(shown, expected, "GetHistory shows {who}");
            for ((method, request), found) in others {
                assert!(found.is_subset(&shown), "{who}: {} {request:?}: {found:?}", method.name());
            }
        }
    }

    async fn check_exports(&self, game_id: &str, reads: impl Fn(&str) -> &'static str) {
        for reader in &self.readers {
            let method = POOL
                .get_service_by_name("heliopause.v1.GameService")
                .and_then(|service| service.methods().find(|it| it.name() == "ExportGame"))
                .expect("ExportGame");
            let mut request = DynamicMessage::new(method.input());
            request.set_field_by_name("game_id", Value::String(game_id.to_owned()));
            let found = secrets(&answer(reader, &(method, request)).await);
            let expected: BTreeSet<String> =
                reads(reader.name).split_whitespace().map(str::to_owned).collect();
            assert_eq!(found, expected, "the export of {}", reader.name);
        }
        let mut reports = Vec::new();
        for name in ["Ann", "Bob", "Cid", "Gil", "Eve"] {
            let request = ExportGameRequest { game_id: game_id.to_owned(), full: false };
            let Ok(parts) = self.games(name).export_game(request).await else { continue };
            let mut parts = parts.into_inner();
            let first = parts.message().await.expect("a stream").and_then(|first| first.part);
            let Some(Part::Header(header)) = first else { panic!("{first:?}") };
            assert!(header.complete && header.format == 2, "{header:?}");
            let mut verifier = Verifier::new(header.seed.as_ref().try_into().expect("a seed"));
            while let Some(part) = parts.message().await.expect("a stream") {
                let Some(Part::Entry(entry)) = part.part else { panic!("{part:?}") };
                verifier.entry(&entry);
            }
            let report = verifier.finish();
            assert_eq!(
                (report.fault.as_deref(), &report.head),
                (None, &header.chain_head),
                "{name}"
            );
            assert_eq!(report.replayed, report.entries, "{name}");
            reports.push(report);
        }
        assert!(reports.len() >= 4, "the players can export a finished game");
        assert!(reports.windows(2).all(|pair| pair[0] == pair[1]));
    }

    async fn ended(&self, game_id: &str) {
        let request = DeclareOutcomeRequest {
            game_id: game_id.to_owned(),
            winners: vec![1],
            ..DeclareOutcomeRequest::default()
        };
        self.master("Gil")
            .declare_outcome(request)
            .await
            .expect("the game master can end the game");
    }

    async fn check_to_the_end(&self, game_id: &str, reads: impl Fn(&str) -> &'static str + Copy) {
        self.check(game_id, "while it runs", reads).await;
        self.ended(game_id).await;
        self.check(game_id, "when it is over", reads).await;
        self.check_exports(game_id, reads).await;
    }

    /// Answers leased decisions until an answer with a message is accepted. Returns the leases.
    async fn work(&self, profile: &str, kind: &str, secret: &str, to: u32) -> Vec<Lease> {
        let (says, requests) = tokio::sync::mpsc::channel(8);
        let profile = WorkerProfile {
            kind: kind.to_owned(),
            profile: profile.to_owned(),
            levels: vec!["standard".to_owned()],
        };
        let hello = Hello { worker: "w".to_owned(), profiles: vec![profile], capacity: 1 };
        let say = |message| WorkRequest { message: Some(message) };
        says.send(say(Said::Hello(hello))).await.expect("room");
        let requests = tokio_stream::wrappers::ReceiverStream::new(requests);
        let mut work = AutomationServiceClient::new(self.line("worker"));
        let mut hears = work.work(requests).await.expect("a worker").into_inner();
        let mut leases = Vec::new();
        loop {
            let next = tokio::time::timeout(Duration::from_mins(1), hears.message());
            let next = next.await.expect("an answer").expect("a stream");
            match next.and_then(|it| it.message) {
                Some(Say::Lease(lease)) => {
                    let reference = lease.lease;
                    leases.push(lease);
                    let answer = Answer {
                        lease: reference,
                        ready: true,
                        memo: Some(format!("{MARK}memo").into()),
                        messages: vec![SeatMessage {
                            to_seats: vec![to],
                            text: format!("{MARK}{secret}."),
                        }],
                        ..Answer::default()
                    };
                    says.send(say(Said::Answer(answer))).await.expect("room");
                }
                Some(Say::Accepted(_)) => return leases,
                Some(Say::Refused(refused)) => panic!("{refused:?}"),
                _ => {}
            }
        }
    }
}

fn automated(count: usize) -> Vec<SeatPlan> {
    let by = || SeatPlan {
        plan: Some(seat_plan::Plan::Automated(AutomatedSeat::default())),
        ..SeatPlan::default()
    };
    std::iter::repeat_with(by).take(count).collect()
}

fn press(options: diplomacy::Options) -> GameOptions {
    GameOptions { game: Some(game_options::Game::Diplomacy(options)) }
}

#[tokio::test(flavor = "multi_thread")]
async fn diplomacy_with_game_master_anonymous_messages_and_a_worker() {
    let scene = Scene::new().await;
    let options = diplomacy::Options { anonymous_press: Some(true), ..Default::default() };
    let game = scene
        .game(CreateGameRequest {
            kind: "diplomacy".to_owned(),
            seats: automated(4),
            options: Some(press(options)),
            game_master: true,
            is_private: false,
            ..CreateGameRequest::default()
        })
        .await;
    let reads = |name: &str| match name {
        "Ann" => "plan all answer",
        "Bob" => "plan nameless all",
        "Cid" => "nameless all master",
        "Gil" => "plan nameless all master answer auto",
        _ => "",
    };
    assert!(scene.write("Ann", &game, "plan", &[2]).await);
    assert!(scene.write_as("Cid", &game, "nameless", &[2], |it| it.anonymous = true).await);
    assert!(scene.write_as("Gil", &game, "all", &[], |it| it.to_all = true).await);
    assert!(scene.write_as("Cid", &game, "master", &[], |it| it.to_game_master = true).await);
    assert!(scene.write_as("Gil", &game, "auto", &[4], |_| {}).await);
    let leases = scene.work("power", "diplomacy", "answer", 1).await;
    let leased: BTreeSet<String> =
        leases.iter().flat_map(|lease| secrets(&lease.encode_to_vec())).collect();
    let of_seat = |seat: u32| if seat == 4 { vec!["all", "auto"] } else { vec!["all"] };
    let expected: BTreeSet<String> =
        leases.iter().flat_map(|lease| of_seat(lease.seat)).map(str::to_owned).collect();
    assert_eq!(leased, expected);
    scene.check_to_the_end(&game, reads).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn watching_host_reads_nothing_and_a_draw_reveals_nothing() {
    let scene = Scene::new().await;
    let game = scene
        .game(CreateGameRequest {
            kind: "stellar-conquest".to_owned(),
            spectate: true,
            anonymous: true,
            ..CreateGameRequest::default()
        })
        .await;
    assert!(scene.write("Ann", &game, "plan", &[2]).await);
    assert!(scene.write_as("Cid", &game, "all", &[], |it| it.to_all = true).await);
    let reads = |name: &str| match name {
        "Ann" | "Bob" => "plan all",
        "Cid" => "all",
        _ => "",
    };
    scene.check(&game, "while it runs", reads).await;
    let (game_id, subject) = (game.clone(), VoteSubject::Draw.into());
    let draw = ProposeVoteRequest { game_id, subject, ..ProposeVoteRequest::default() };
    scene.games("Ann").propose_vote(draw).await.expect("a vote");
    for name in ["Bob", "Cid"] {
        let game_id = game.clone();
        let yes = CastVoteRequest { game_id, vote: 1, yes: true, ..CastVoteRequest::default() };
        scene.games(name).cast_vote(yes).await.expect("a voice");
    }
    scene.check(&game, "when it is over", reads).await;
    scene.check_exports(&game, reads).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn open_messages_are_revealed_at_the_end_but_not_if_canceled() {
    let scene = Scene::new().await;
    let own = |name: &str| match name {
        "Ann" | "Bob" | "Gil" => "plan",
        _ => "",
    };
    for is_canceled in [false, true] {
        let game = scene
            .game(CreateGameRequest {
                kind: "diplomacy".to_owned(),
                seats: automated(4),
                open_messages: true,
                game_master: true,
                name: format!("Canceled {is_canceled}"),
                ..CreateGameRequest::default()
            })
            .await;
        assert!(scene.write("Ann", &game, "plan", &[2]).await);
        if is_canceled {
            let game_id = game.clone();
            let request = CancelGameRequest { game_id, ..CancelGameRequest::default() };
            scene.master("Gil").cancel_game(request).await.expect("the game master can cancel");
            scene.check(&game, "when the game master can cancel", own).await;
        } else {
            scene.ended(&game).await;
            scene.check(&game, "when it is over", |_| "plan").await;
            scene.check_exports(&game, |_| "plan").await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn private_star_empires_game() {
    use star_empires::v1::{EmpireNames, Options};
    let scene = Scene::new().await;
    let named = |empire: &str| EmpireNames { empire: empire.to_owned(), ..EmpireNames::default() };
    let empires = ["ANTARES", "BELLONA", "CASTOR"].map(named).into();
    let options = game_options::Game::StarEmpires(Options { empires, ..Options::default() });
    let game = scene
        .game(CreateGameRequest {
            kind: "star-empires".to_owned(),
            options: Some(GameOptions { game: Some(options) }),
            game_master: true,
            is_private: true,
            ..CreateGameRequest::default()
        })
        .await;
    assert!(!scene.write("Ann", &game, "early", &[2]).await, "they have not met");
    let text = "ADDKNOWN contact ANTARES TO BELLONA\nADDKNOWN contact BELLONA TO ANTARES\n\
                APPLY NOW";
    let known = SubmitMasterOrdersRequest {
        game_id: game.clone(),
        text: text.to_owned(),
        request_id: format!("{MARK}orders"),
        ..SubmitMasterOrdersRequest::default()
    };
    scene.master("Gil").submit_master_orders(known).await.expect("they may");
    assert!(scene.write("Ann", &game, "plan", &[2]).await);
    assert!(scene.write("Bob", &game, "answer", &[1]).await);
    let reads = |name: &str| match name {
        "Ann" | "Bob" | "Gil" => "plan answer",
        _ => "",
    };
    scene.check_to_the_end(&game, reads).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn starships_with_delayed_messages_and_a_sandbox_with_a_guest() {
    let scene = Scene::new().await;
    let game = scene
        .game(CreateGameRequest {
            kind: "starships-at-large".to_owned(),
            game_master: true,
            ..CreateGameRequest::default()
        })
        .await;
    let get = GetGameRequest { game_id: game.clone(), ..GetGameRequest::default() };
    let found = scene.games("Ann").get_game(get).await.expect("a game").into_inner();
    let on_turn = found.game.expect("a game").on_turn.expect("a turn") as usize - 1;
    let names = ["Ann", "Bob", "Cid"];
    let [turn, writer, third] = [0, 1, 2].map(|after| (on_turn + after) % 3);
    assert!(scene.write(names[writer], &game, "waits", &[turn as u32 + 1]).await);
    assert!(scene.write(names[writer], &game, "plan", &[third as u32 + 1]).await);
    let reads = |is_over: bool| {
        move |name: &str| match name {
            "Gil" => "waits plan",
            name if name == names[writer] => "waits plan",
            name if name == names[third] => "plan",
            name if name == names[turn] && is_over => "waits",
            _ => "",
        }
    };
    scene.check(&game, "while it runs", reads(false)).await;
    scene.ended(&game).await;
    scene.check(&game, "when it is over", reads(true)).await;
    scene.check_exports(&game, reads(true)).await;

    let request = CreateSandboxGameRequest {
        kind: "starships-at-large".to_owned(),
        players: Some(3),
        guests: vec![SandboxGuest { seat: 2, player: "Bob".to_owned() }],
        ..CreateSandboxGameRequest::default()
    };
    let mut sandboxes = SandboxServiceClient::new(scene.line("Ann"));
    let made = sandboxes.create_sandbox_game(request).await.expect("a sandbox").into_inner();
    let game = made.game.expect("a game").game_id;
    let join = JoinGameRequest { game_id: game.clone(), ..JoinGameRequest::default() };
    scene.games("Bob").join_game(join).await.expect("a seat is kept");
    let mut written = Vec::new();
    for from in 1..=3u32 {
        let to = from % 3 + 1;
        let secret = ["one", "two", "three"][from as usize - 1];
        let seat = |it: &mut SendMessageRequest| it.seat = Some(from);
        if scene.write_as("Ann", &game, secret, &[to], seat).await {
            written.push((secret, from, to));
        }
    }
    let all = |reads: &dyn Fn(u32, u32) -> bool| -> &'static str {
        let read = written.iter().filter(|(_, from, to)| reads(*from, *to));
        let read: Vec<&str> = read.map(|(secret, ..)| *secret).collect();
        Box::leak(read.join(" ").into_boxed_str())
    };
    assert!(written.len() >= 2, "only the seat on turn does not write");
    let request = DeclareOutcomeRequest {
        game_id: game.clone(),
        winners: vec![1],
        ..DeclareOutcomeRequest::default()
    };
    scene.master("Ann").declare_outcome(request).await.expect("the owner can end the game");
    let reads = |name: &str| match name {
        "Ann" => all(&|_, _| true),
        "Bob" => all(&|from, to| from == 2 || to == 2),
        _ => "",
    };
    scene.check(&game, "in a sandbox that is over", reads).await;
}
