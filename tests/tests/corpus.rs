//! Stored games are replayed against every change, and a journal of an older format goes on.

use std::path::{Path, PathBuf};

use bytes::Bytes;
use heliopause_engine::store::sqlite::SqliteStore;
use heliopause_engine::store::{Append, GameRow, Member, Store as _, Tags};
use heliopause_proto::json;
use heliopause_proto::store::v1::{Entry, TableState};
use heliopause_proto::v1::export_game_response::Part;
use heliopause_proto::v1::*;
use heliopause_table::{chain, verify};
use heliopause_tests::{AiClient, Engine, EngineOptions, Sandbox};
use prost::Message as _;

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// Every game in `tests/corpus` is an export of a finished game:
/// `cli-client export GAME --output FILE`.
#[test]
fn stored_games_replay_to_the_same_hashes() {
    let mut games = 0;
    for file in std::fs::read_dir(corpus()).expect("the corpus is beside the tests") {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "jsonl") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let mut parts = text
            .lines()
            .map(|line| json::from_text::<ExportGameResponse>(line).unwrap().part.unwrap());
        let Some(Part::Header(header)) = parts.next() else {
            panic!("{}: a header comes first", path.display())
        };
        let mut verifier = verify::Verifier::new(header.seed.as_ref().try_into().unwrap());
        for part in parts {
            let Part::Entry(entry) = part else {
                panic!("{}: only whole journals", path.display())
            };
            verifier.entry(&entry);
        }
        let report = verifier.finish();
        assert_eq!(report.fault, None, "{}", path.display());
        assert_eq!(report.replayed, report.entries, "{}", path.display());
        assert_eq!(report.head, header.chain_head, "{}", path.display());
        games += 1;
    }
    assert_eq!(games, RECORDED.len(), "the corpus has its games");
}

/// The games that the corpus holds: kind, seats, the level of all, the number of the file.
const RECORDED: [(&str, usize, &str); 12] = [
    ("starships-at-large", 1, "random"),
    ("starships-at-large", 2, "standard"),
    ("starships-at-large", 4, "strong"),
    ("starships-at-large", 6, "random"),
    ("stellar-conquest", 2, "standard"),
    ("stellar-conquest", 3, "random"),
    ("alone-in-outer-space", 4, "standard"),
    ("fate-of-empire", 1, "standard"),
    ("diplomacy", 7, "standard"),
    ("it-came-from-outer-space", 12, "standard"),
    ("star-empires", 3, "standard"),
    ("star-empires", 5, "random"),
];

/// Options that end the longer games early: the corpus is read at every change.
fn short(kind: &str) -> Option<GameOptions> {
    use heliopause_proto::{diplomacy::v1 as diplomacy, star_empires::v1 as empires};
    let game = match kind {
        "diplomacy" | "it-came-from-outer-space" => {
            game_options::Game::Diplomacy(diplomacy::Options {
                last_year: Some(1907),
                ..Default::default()
            })
        }
        "star-empires" => game_options::Game::StarEmpires(empires::Options {
            last_turn: Some(12),
            ..Default::default()
        }),
        _ => return None,
    };
    Some(GameOptions { game: Some(game) })
}

/// Plays the corpus anew, where rules changed so that stored games may break: the CHANGELOG says so
/// then.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "writes the corpus; only needed if stored games may break"]
async fn make_the_corpus() {
    let engine = Engine::start();
    let _ai = AiClient::start(&engine);
    let ann = engine.player("Ann").await;
    for (number, (kind, seats, level)) in RECORDED.into_iter().enumerate() {
        let game = ann.watch_new(kind, seats, level, short(kind)).await.game_id;
        ann.ended(&game).await;
        let request = ExportGameRequest { game_id: game, ..ExportGameRequest::default() };
        let mut parts =
            ann.games().export_game(request).await.expect("an ended game is public").into_inner();
        let mut text = String::new();
        while let Some(part) = parts.message().await.expect("the export goes on to its end") {
            text += &json::to_line(&part);
            text.push('\n');
        }
        std::fs::write(corpus().join(format!("{kind}-{}.jsonl", number + 1)), text)
            .expect("the corpus can be written");
    }
}

/// A journal of format 1 and of rules version 0, in the middle of a game.
#[derive(Debug)]
struct Older {
    secret: [u8; 32],
    entries: Vec<Bytes>,
    snapshot: Bytes,
}

fn older_file() -> PathBuf {
    corpus().join("format-1.json")
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string takes everything");
        text
    })
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap())
        .collect()
}

impl Older {
    fn read() -> Self {
        let json: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(older_file()).unwrap()).unwrap();
        let bytes = |value: &serde_json::Value| unhex(value.as_str().unwrap());
        Self {
            secret: bytes(&json["secret"]).try_into().unwrap(),
            entries: json["entries"]
                .as_array()
                .unwrap()
                .iter()
                .map(|entry| bytes(entry).into())
                .collect(),
            snapshot: bytes(&json["snapshot"]).into(),
        }
    }

    fn write(&self) {
        let entries: Vec<String> = self.entries.iter().map(|entry| hex(entry)).collect();
        let json = serde_json::json!({
            "about": "a game in progress, as format 1 under rules version 0 kept it",
            "secret": hex(&self.secret), "entries": entries, "snapshot": hex(&self.snapshot),
        });
        std::fs::write(older_file(), serde_json::to_string_pretty(&json).unwrap()).unwrap();
    }

    fn state(&self) -> TableState {
        TableState::decode(self.snapshot.clone()).unwrap()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_journal_of_an_older_format_goes_on_from_its_snapshot() {
    let older = Older::read();
    let state = older.state();
    assert_eq!(
        (state.format, state.rules_version),
        (1, 0),
        "the fixture is of an older format and older rules"
    );
    let game_id = state.created.as_ref().unwrap().game_id.clone();

    // An engine makes the data directory and an account; then the older game is put into it as an
    // older engine left it.
    let mut engine = Engine::start();
    let owner = engine.player("Ann").await;
    engine.terminate();
    {
        let store =
            SqliteStore::open(engine.data(), None).expect("the engine has let go of its data");
        let row = GameRow {
            game_id: game_id.clone(),
            kind: "starships-at-large".to_owned(),
            status: state.status,
            seats: 2,
            due: state.deadline.map(|due| due.seconds * 1000),
            members: vec![Member {
                player_id: owner.id.clone(),
                seat: 1,
                invited: false,
                your_decision: true,
                deadline: None,
            }],
            ..GameRow::default()
        };
        let append = Append {
            expected: 0,
            entries: older.entries.clone(),
            row,
            secret: Some(older.secret),
            snapshot: Some(older.snapshot.clone()),
            ratings: Vec::new(),
            quotas: Vec::new(),
            notices: Vec::new(),
            tags: Tags::default(),
        };
        store.append(append).await.expect("the older game is stored");
    }
    let engine = Engine::on(
        engine.data_directory(),
        EngineOptions { arguments: vec!["--sandbox".to_owned()], ..EngineOptions::default() },
    );
    // A spectator may look: the older game is public.
    let eve = engine.player("Eve").await;
    let game = eve.game(&game_id).await;
    assert_eq!(game.status(), GameStatus::Running);
    let admin = engine.admin().await;
    let listed = admin
        .admin()
        .list_all_games(ListAllGamesRequest::default())
        .await
        .unwrap()
        .into_inner()
        .games;
    let mut games = listed.iter().filter_map(|listed| listed.game.as_ref());
    assert!(games.any(|game| game.game_id == game_id));
    // The deadline that the older engine had set has long passed: the turn ends, and the past is as
    // it was told.
    loop {
        let told = eve.all_events(&game_id).await.len() as u64;
        assert!(told >= state.told[0]);
        if told > state.told[0] {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    admin.verified(&game_id).await;
}

/// Makes `format-1.json` anew: a game of today, told as format 1 under rules version 0 would have
/// kept it.
#[test]
#[ignore = "writes the fixture; only needed if the fixture itself must change"]
fn make_the_older_fixture() {
    use heliopause_proto::store::v1::{
        Created, OrdersGiven, Person, PlannedSeat, Step, Taken, planned_seat, step,
    };
    let secret = [5; 32];
    let person = |id: &str| Person { player_id: id.to_owned(), name: id.to_owned() };
    let seat = |id: &str| PlannedSeat {
        plan: Some(planned_seat::Plan::Taken(Taken {
            player: Some(person(id)),
            ..Taken::default()
        })),
    };
    let hour = Some(prost_types::Duration { seconds: 3600, nanos: 0 });
    let created = Created {
        kind: "starships-at-large".to_owned(),
        name: "An older game".to_owned(),
        seats: vec![seat("ann"), seat("bob")],
        pace: Some(Pace {
            standard: Some(PhasePace { interval: hour, ..PhasePace::default() }),
            ..Pace::default()
        }),
        seed_commitment: chain::commitment(&secret).to_vec().into(),
        start_when_full: true,
        host: Some(person("ann")),
        game_id: "0lder0lder00".to_owned(),
        ..Created::default()
    };
    let (mut table, first) =
        heliopause_table::Table::lay(created, secret, "ann", 1_700_000_000_000).unwrap();
    let mut entries = vec![first.entry];
    for turn in 0..5 {
        let game = table.game().unwrap();
        let seat = game.on_turn().unwrap();
        let standing = table.standing(seat);
        let text = if turn == 0 { "mark (0,0)" } else { "end" };
        let given = OrdersGiven {
            seat: seat.number(),
            phase: standing.phase,
            revision: standing.revision,
            orders: table.parse(Some(seat), text).unwrap(),
            ..OrdersGiven::default()
        };
        let by = if seat.number() == 1 { "ann" } else { "bob" };
        let kind = Some(step::Kind::OrdersGiven(given));
        let step = Step { by: by.to_owned(), kind, ..Step::default() };
        entries.push(table.take(step, 1_700_000_060_000 + turn * 60_000).unwrap().entry);
    }
    let mut head = Bytes::new();
    for entry in &mut entries {
        entry.rules_version = 0;
        entry.hash = Bytes::new();
        entry.hash = chain::entry_hash(&secret, &head, entry).to_vec().into();
        head = entry.hash.clone();
    }
    let mut state = TableState::decode(table.snapshot().as_slice()).unwrap();
    state.format = 1;
    state.rules_version = 0;
    state.hash = head;
    for key in state.seats.iter_mut().flat_map(|seat| &mut seat.asked) {
        key.prompt.clear();
    }
    let entries = entries.iter().map(|entry: &Entry| entry.encode_to_vec().into()).collect();
    Older { secret, entries, snapshot: state.encode_to_vec().into() }.write();
}

/// The position of a game in progress starts another game: exporting and importing is the identity.
#[tokio::test(flavor = "multi_thread")]
async fn a_position_that_is_exported_and_imported_is_the_same() {
    let engine = Engine::start();
    let owner = engine.player("Ann").await;
    let sandbox = Sandbox::new(&owner, 3, &[]).await;
    for _ in 0..4 {
        let turn = owner.game(&sandbox.game_id).await.on_turn.expect("a turn");
        sandbox.order(turn, "end").await.unwrap();
    }
    let position = |game_id: String| {
        let owner = owner.clone();
        async move {
            owner
                .sandboxes()
                .get_position(GetPositionRequest { game_id })
                .await
                .unwrap()
                .into_inner()
                .position
        }
    };
    let exported = position(sandbox.game_id.clone()).await;
    let request = CreateSandboxGameRequest {
        kind: "starships-at-large".to_owned(),
        position: exported.clone(),
        ..CreateSandboxGameRequest::default()
    };
    let again = Sandbox::create(&owner, request).await.unwrap();
    assert_eq!(position(again.game_id.clone()).await, exported);
    assert_eq!(again.view(1).await.view, sandbox.view(1).await.view);
}
