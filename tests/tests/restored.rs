//! Engines whose database goes back to an earlier state while they run: a restored backup, a
//! failover that loses the last transactions.

use std::time::{Duration, Instant};

use heliopause_proto::v1::stream_events_response::Part;
use heliopause_proto::v1::*;
use heliopause_tests::{Engine, Player, Postgres, reason, word};
use tokio::time::{sleep, timeout};
use tonic::{Code, Status, Streaming};

/// How long an engine may take to notice. It looks every five seconds; the rest is for a machine
/// that others use too.
const NOTICED: Duration = Duration::from_secs(30);
/// How long a call may take, whatever happens to the database.
const PROMPT: Duration = Duration::from_secs(15);

/// Two engines on one database.
struct Pair {
    postgres: Postgres,
    engines: [Engine; 2],
}

impl Pair {
    fn start() -> Option<Self> {
        let postgres = Postgres::start()?;
        let address = postgres.database("games");
        let arguments = ["--knock-limit", "0", "--metrics", "127.0.0.1:0"];
        let engines = [(); 2].map(|()| Engine::on_database(&address, &arguments));
        Some(Self { postgres, engines })
    }

    /// The same player at both engines.
    async fn at_both(&self, player: &Player) -> [Player; 2] {
        [player.on(self.engines[0].channel().await), player.on(self.engines[1].channel().await)]
    }

    /// Each engine has logged the loss of one game, once, and counted it.
    fn has_said_it_once(&self) {
        for engine in &self.engines {
            let log = engine.log();
            let said = log.matches("the database went back to an earlier state").count();
            assert_eq!(said, 1, "{log}");
            assert_eq!(engine.metric("heliopause_games_went_back_total").to_string(), "1");
            assert_eq!(engine.metric("heliopause_incidents_total").to_string(), "0");
        }
    }
}

/// A game of Ann and Bob that has begun.
async fn begun(ann: &Player, bob: &Player) -> String {
    let game = ann.create_with(1, |request| "diplomacy".clone_into(&mut request.kind)).await;
    bob.join(&game.game_id).await;
    game.game_id
}

async fn write(player: &Player, game: &str, text: &str) -> Result<(), Status> {
    let request = SendMessageRequest {
        game_id: game.to_owned(),
        to_all: true,
        text: text.to_owned(),
        ..SendMessageRequest::default()
    };
    let sent = timeout(PROMPT, async { player.games().send_message(request).await }).await;
    sent.unwrap_or_else(|_| panic!("{text:?} hangs")).map(drop)
}

/// Whether a call was refused in passing, as it may be while the database goes away or back.
fn is_passing(status: &Status) -> bool {
    ["JOURNAL_UNAVAILABLE", "LOST_RACE", "RATE_LIMITED"].contains(&&*reason(status))
}

/// Writes once the engine can.
async fn write_soon(player: &Player, game: &str, text: &str) {
    let begun = Instant::now();
    while let Err(status) = write(player, game, text).await {
        let passing = is_passing(&status);
        assert!(passing && begun.elapsed() < NOTICED, "{text:?}: {status:?}");
        sleep(Duration::from_millis(100)).await;
    }
}

async fn texts(player: &Player, game: &str) -> Vec<String> {
    let request =
        ListMessagesRequest { game_id: game.to_owned(), ..ListMessagesRequest::default() };
    let listed = player.games().list_messages(request).await.expect("messages").into_inner();
    listed.messages.into_iter().map(|message| message.text).collect()
}

async fn number(player: &Player, game: &str) -> u64 {
    player.view(game).await.cursor.expect("a cursor").number
}

/// A stream from now on that has said where it begins.
async fn listening(player: &Player, game: &str) -> Streaming<StreamEventsResponse> {
    let mut stream = player.events(game, None).await;
    while !matches!(stream.message().await.unwrap().unwrap().part, Some(Part::CaughtUp(_))) {}
    stream
}

/// How a stream ends.
async fn end(mut stream: Streaming<StreamEventsResponse>) -> Status {
    let ended = async {
        loop {
            match stream.message().await {
                Ok(Some(_)) => {}
                Ok(None) => panic!("the stream ends without a status"),
                Err(status) => return status,
            }
        }
    };
    timeout(NOTICED, ended).await.expect("the stream ends")
}

/// A stream that told what is lost ends, and says with which event its audience continues.
async fn starts_over(stream: Streaming<StreamEventsResponse>, next: Option<u64>) {
    let status = end(stream).await;
    assert_eq!((status.code(), &*reason(&status)), (Code::InvalidArgument, "CURSOR_INVALID"));
    assert_eq!(word(&status, "audience"), "seat 1");
    if let Some(next) = next {
        assert_eq!(word(&status, "next"), next.to_string());
    }
}

/// Why a stream and a history after a cursor are refused; empty if they are not.
async fn refusals(player: &Player, game: &str, after: Cursor) -> [String; 2] {
    let (game_id, after) = (game.to_owned(), Some(after));
    let request = StreamEventsRequest { game_id: game_id.clone(), after, ..Default::default() };
    let stream = player.games().stream_events(request).await;
    let request = GetHistoryRequest { game_id, after, ..Default::default() };
    let history = player.games().get_history(request).await;
    [stream.err(), history.err()].map(|refused| refused.as_ref().map_or_else(String::new, reason))
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_restored_backup_lost_is_served_by_no_engine() {
    let Some(pair) = Pair::start() else { return };
    let (ann, bob) = (pair.engines[0].player("Ann").await, pair.engines[0].player("Bob").await);
    let game = begun(&ann, &bob).await;
    let ann = pair.at_both(&ann).await;
    write(&ann[0], &game, "kept").await.unwrap();
    let kept = number(&ann[0], &game).await;
    let backup = pair.postgres.dump("games");

    write(&ann[0], &game, "lost one").await.unwrap();
    let seen = ann[0].all_events(&game).await.pop().expect("an event");
    let lost = Cursor { number: seen.number, time: seen.time, ..Cursor::default() };
    for text in ["lost two", "lost three"] {
        write(&ann[0], &game, text).await.unwrap();
    }
    let late = begun(&ann[0], &bob).await;
    let eve = pair.engines[1].player("Eve").await;
    let mut streams = Vec::new();
    for ann in &ann {
        assert_eq!(texts(ann, &game).await.len(), 4);
        streams.push((listening(ann, &game).await, listening(ann, &late).await));
    }
    pair.postgres.restore("games", &backup);

    // The first answer of each engine is right already: a read asks where the journal ends.
    for ann in &ann {
        assert_eq!(number(ann, &game).await, kept);
        assert_eq!(texts(ann, &game).await, ["kept"]);
        let request = GetViewRequest { game_id: late.clone(), ..GetViewRequest::default() };
        let gone = ann.games().get_view(request).await.unwrap_err();
        assert_eq!(reason(&gone), "GAME_NOT_FOUND");
    }
    for (of_game, of_late) in streams {
        starts_over(of_game, Some(kept + 1)).await;
        assert_eq!(reason(&end(of_late).await), "GAME_NOT_FOUND");
    }
    for (ann, text) in ann.iter().zip(["new one", "new two"]) {
        write(ann, &game, text).await.unwrap();
    }
    for ann in &ann {
        assert_eq!(texts(ann, &game).await, ["kept", "new one", "new two"]);
        // Whoever comes back late is not told the new events as if they followed the lost ones.
        assert_eq!(refusals(ann, &game, lost).await, ["CURSOR_INVALID"; 2]);
        let now = ann.view(&game).await.cursor.expect("a cursor");
        for after in [Cursor { time: None, ..lost }, now] {
            assert_eq!(refusals(ann, &game, after).await, [""; 2]);
        }
    }
    // An account that the backup does not know is out after a moment.
    let begun = Instant::now();
    while eve.players().get_me(GetMeRequest::default()).await.is_ok() {
        assert!(begun.elapsed() < NOTICED, "an account that is gone is let in");
        sleep(Duration::from_millis(100)).await;
    }
    let admin = pair.engines[0].admin().await;
    let proof = VerifyGameRequest { game_id: game.clone() };
    assert!(admin.games().verify_game(proof).await.unwrap().into_inner().valid);
    for engine in &pair.engines {
        // Both games, in one line: the second is counted, and left out of the log.
        assert_eq!(engine.metric("heliopause_games_went_back_total").to_string(), "2");
        assert_eq!(engine.log().matches("the database went back").count(), 1, "{}", engine.log());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_meets_a_lost_state_is_refused_at_once() {
    let Some(pair) = Pair::start() else { return };
    let (ann, bob) = (pair.engines[0].player("Ann").await, pair.engines[0].player("Bob").await);
    let game = begun(&ann, &bob).await;
    let ann = pair.at_both(&ann).await;
    let backup = pair.postgres.dump("games");
    write(&ann[0], &game, "lost").await.unwrap();
    assert_eq!(texts(&ann[1], &game).await, ["lost"]);
    pair.postgres.restore("games", &backup);

    // Nothing was read since, so the write itself finds it out.
    for (ann, text) in ann.iter().zip(["first", "second"]) {
        match write(ann, &game, text).await {
            // Or the engine had looked by itself just before.
            Ok(()) => {}
            Err(status) => {
                assert_eq!((status.code(), &*reason(&status)), (Code::Aborted, "LOST_RACE"));
                write(ann, &game, text).await.unwrap();
            }
        }
    }
    assert_eq!(texts(&ann[0], &game).await, ["first", "second"]);
    assert_eq!(texts(&ann[1], &game).await, ["first", "second"]);
    pair.has_said_it_once();
}

/// The journal is as long as an engine knows it, and has other entries.
#[tokio::test(flavor = "multi_thread")]
async fn another_history_of_the_same_length_is_told_apart() {
    for more in [0, 1] {
        let Some(pair) = Pair::start() else { return };
        let (ann, bob) = (pair.engines[0].player("Ann").await, pair.engines[0].player("Bob").await);
        let game = begun(&ann, &bob).await;
        let ann = pair.at_both(&ann).await;
        let backup = pair.postgres.dump("games");
        for text in ["lost one", "lost two"] {
            write(&ann[0], &game, text).await.unwrap();
        }
        let streams = [listening(&ann[0], &game).await, listening(&ann[1], &game).await];
        let freeze = |signal: &str| {
            let pid = pair.engines[0].pid().to_string();
            let done = std::process::Command::new("kill").args([signal, &pid]).status();
            assert!(done.unwrap().success());
        };
        freeze("-STOP");
        pair.postgres.restore("games", &backup);
        let new: Vec<String> = (0..2 + more).map(|number| format!("new {number}")).collect();
        for text in &new {
            write_soon(&ann[1], &game, text).await;
        }
        freeze("-CONT");
        for stream in streams {
            starts_over(stream, None).await;
        }
        for ann in &ann {
            assert_eq!(texts(ann, &game).await, new);
        }
        write_soon(&ann[0], &game, "last").await;
        assert_eq!(texts(&ann[1], &game).await.last().unwrap(), "last");
        let admin = pair.engines[0].admin().await;
        let proof = VerifyGameRequest { game_id: game.clone() };
        assert!(admin.games().verify_game(proof).await.unwrap().into_inner().valid);
        pair.has_said_it_once();
    }
}

/// As in point-in-time recovery: the server is stopped, and comes back with older files.
#[tokio::test(flavor = "multi_thread")]
async fn readers_and_writers_come_through_a_database_with_older_files() {
    let Some(mut pair) = Pair::start() else { return };
    let (ann, bob) = (pair.engines[0].player("Ann").await, pair.engines[0].player("Bob").await);
    let game = begun(&ann, &bob).await;
    let ann = pair.at_both(&ann).await;
    write(&ann[0], &game, "kept").await.unwrap();
    let kept = number(&ann[0], &game).await;
    pair.postgres.copy_aside();
    // The server was stopped for the copy: each engine comes back to it in its own time.
    for ann in &ann {
        write_soon(ann, &game, "lost").await;
    }
    let mut streams = Vec::new();
    let mut busy = Vec::new();
    for (at, ann) in ann.iter().enumerate() {
        streams.push(listening(ann, &game).await);
        let (ann, game) = (ann.clone(), game.clone());
        busy.push(tokio::spawn(async move {
            for round in 0.. {
                // Each call ends in time, and is at worst refused in passing.
                if let Err(status) = write(&ann, &game, &format!("{at} {round}")).await {
                    assert!(is_passing(&status), "{status:?}");
                }
                let request = GetViewRequest { game_id: game.clone(), ..GetViewRequest::default() };
                let read = timeout(PROMPT, async { ann.games().get_view(request).await }).await;
                if let Err(status) = read.expect("a read ends") {
                    assert!(is_passing(&status), "{status:?}");
                }
                sleep(Duration::from_millis(200)).await;
            }
        }));
    }
    sleep(Duration::from_secs(2)).await;
    let before = number(&ann[0], &game).await;
    assert!(before > kept + 1, "the writers write");
    pair.postgres.put_back();
    for stream in streams {
        starts_over(stream, None).await;
    }
    sleep(Duration::from_secs(2)).await;
    for task in busy {
        assert!(!task.is_finished(), "{:?}", task.await);
        task.abort();
    }
    let [one, other] = &ann;
    assert_eq!(texts(one, &game).await, texts(other, &game).await);
    assert_eq!(texts(one, &game).await[0], "kept");
    assert!(!texts(one, &game).await.contains(&"lost".to_owned()));
    write_soon(other, &game, "after").await;
    pair.has_said_it_once();
}

/// The first host hangs, and the second has an older state: a failover that loses the last
/// transactions.
#[tokio::test(flavor = "multi_thread")]
async fn a_failover_to_a_host_that_lags_behind_a_hung_one_is_followed() {
    let (Some(first), Some(second)) = (Postgres::start(), Postgres::start()) else { return };
    first.database("games");
    second.database("games");
    let hosts = format!("127.0.0.1:{},127.0.0.1:{}", first.port(), second.port());
    let address = format!("postgres://heliopause@{hosts}/games?target_session_attrs=read-write");
    let arguments = ["--knock-limit", "0", "--metrics", "127.0.0.1:0"];
    let engine = Engine::on_database(&address, &arguments);
    let (ann, bob) = (engine.player("Ann").await, engine.player("Bob").await);
    let game = begun(&ann, &bob).await;
    write(&ann, &game, "kept").await.unwrap();
    let kept = number(&ann, &game).await;
    second.restore("games", &first.dump("games"));
    write(&ann, &game, "lost").await.unwrap();
    let stream = listening(&ann, &game).await;
    first.freeze(true);

    write_soon(&ann, &game, "new").await;
    // With the new message or before it.
    starts_over(stream, None).await;
    assert_eq!(number(&ann, &game).await, kept + 1);
    assert_eq!(texts(&ann, &game).await, ["kept", "new"]);
    // An engine starts as well, while the first host hangs.
    let other = Engine::on_database(&address, &arguments);
    assert_eq!(texts(&ann.on(other.channel().await), &game).await, ["kept", "new"]);
}
