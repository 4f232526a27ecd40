//! Databases that return to an earlier state under running engines.

use std::time::{Duration, Instant};

use heliopause_proto::v1::stream_events_response::Part;
use heliopause_proto::v1::*;
use heliopause_tests::{Engine, OfGame as _, Pair, Player, Postgres, end_of, reason, until, word};
use tokio::time::{sleep, timeout};
use tonic::{Status, Streaming};

/// The engine checks for a rollback every five seconds. The rest is for a loaded machine.
const DETECTION_TIMEOUT: Duration = Duration::from_secs(30);
const CALL_TIMEOUT: Duration = Duration::from_secs(15);

const ARGUMENTS: [&str; 4] = ["--auth-limit", "0", "--metrics", "127.0.0.1:0"];

async fn at_both(pair: &Pair, player: &Player) -> [Player; 2] {
    [player.clone(), pair.there(player).await]
}

fn assert_logged_once(pair: &Pair) {
    for engine in pair.engines.iter().flatten() {
        let log = engine.log();
        let said = log.matches("the database was reset to an earlier state").count();
        assert_eq!(said, 1, "{log}");
        assert_eq!(engine.metric("heliopause_games_went_back_total").to_string(), "1");
        assert_eq!(engine.metric("heliopause_incidents_total").to_string(), "0");
    }
}

async fn begun(ann: &Player, bob: &Player) -> String {
    let game = ann.create_with(1, |request| "diplomacy".clone_into(&mut request.kind)).await;
    bob.join(&game.game_id).await;
    game.game_id
}

async fn write(player: &Player, game: &str, text: &str) -> Result<(), Status> {
    let request =
        SendMessageRequest { to_all: true, text: text.to_owned(), ..SendMessageRequest::of(game) };
    let sent = timeout(CALL_TIMEOUT, async { player.games().send_message(request).await }).await;
    sent.unwrap_or_else(|_| panic!("{text:?} hangs")).map(drop)
}

fn is_passing(status: &Status) -> bool {
    ["JOURNAL_UNAVAILABLE", "LOST_RACE", "RATE_LIMITED"].contains(&&*reason(status))
}

async fn write_soon(player: &Player, game: &str, text: &str) {
    let begun = Instant::now();
    while let Err(status) = write(player, game, text).await {
        let passing = is_passing(&status);
        assert!(passing && begun.elapsed() < DETECTION_TIMEOUT, "{text:?}: {status:?}");
        sleep(Duration::from_millis(100)).await;
    }
}

async fn texts(player: &Player, game: &str) -> Vec<String> {
    let listed = player.does(ListMessagesRequest::of(game)).await;
    listed.messages.into_iter().map(|message| message.text).collect()
}

async fn number(player: &Player, game: &str) -> u64 {
    player.view(game).await.cursor.expect("a cursor").number
}

async fn listening(player: &Player, game: &str) -> Streaming<StreamEventsResponse> {
    let mut stream = player.events(game, None).await;
    while !matches!(stream.message().await.unwrap().unwrap().part, Some(Part::CaughtUp(_))) {}
    stream
}

async fn end(mut stream: Streaming<StreamEventsResponse>) -> Status {
    timeout(DETECTION_TIMEOUT, end_of(&mut stream)).await.expect("the stream ends")
}

async fn starts_over(stream: Streaming<StreamEventsResponse>, next: Option<u64>) {
    let status = end(stream).await;
    assert_eq!(reason(&status), "CURSOR_INVALID");
    assert_eq!(word(&status, "audience"), "seat 1");
    if let Some(next) = next {
        assert_eq!(word(&status, "next"), next.to_string());
    }
}

async fn refusals(player: &Player, game: &str, after: Cursor) -> [String; 2] {
    let (game_id, after) = (game.to_owned(), Some(after));
    let request = StreamEventsRequest { after, ..StreamEventsRequest::of(&game_id) };
    let stream = player.games().stream_events(request).await;
    let request = GetHistoryRequest { after, ..GetHistoryRequest::of(&game_id) };
    let history = player.games().get_history(request).await;
    [stream.err(), history.err()].map(|refused| refused.as_ref().map_or_else(String::new, reason))
}

#[tokio::test(flavor = "multi_thread")]
async fn no_engine_serves_entries_lost_by_a_restore() {
    let Some(pair) = Pair::start(&ARGUMENTS) else { return };
    let [ann, bob] = pair.engine(0).players(["Ann", "Bob"]).await;
    let game = begun(&ann, &bob).await;
    let ann = at_both(&pair, &ann).await;
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
    let eve = pair.engine(1).player("Eve").await;
    let mut streams = Vec::new();
    for ann in &ann {
        assert_eq!(texts(ann, &game).await.len(), 4);
        streams.push((listening(ann, &game).await, listening(ann, &late).await));
    }
    pair.postgres.restore("games", &backup);

    // The first response of each engine is already correct: a read checks the end of the journal.
    for ann in &ann {
        assert_eq!(number(ann, &game).await, kept);
        assert_eq!(texts(ann, &game).await, ["kept"]);
        let gone = ann.refused(GetViewRequest::of(&late)).await;
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
        // A stale cursor must not deliver new events as if they followed the lost events.
        assert_eq!(refusals(ann, &game, lost).await, ["CURSOR_INVALID"; 2]);
        let now = ann.view(&game).await.cursor.expect("a cursor");
        for after in [Cursor { time: None, ..lost }, now] {
            assert_eq!(refusals(ann, &game, after).await, [""; 2]);
        }
    }
    // An account that is not in the backup soon loses access.
    until("it is refused", async || eve.call(GetMeRequest::default()).await.is_err()).await;
    let admin = pair.engine(0).admin().await;
    admin.verified(&game).await;
    for engine in pair.engines.iter().flatten() {
        // The log message is throttled: the loss of the second game is counted but not logged.
        assert_eq!(engine.metric("heliopause_games_went_back_total").to_string(), "2");
        assert_eq!(engine.log().matches("the database was reset").count(), 1, "{}", engine.log());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_on_a_lost_state_is_rejected_at_once() {
    let Some(pair) = Pair::start(&ARGUMENTS) else { return };
    let [ann, bob] = pair.engine(0).players(["Ann", "Bob"]).await;
    let game = begun(&ann, &bob).await;
    let ann = at_both(&pair, &ann).await;
    let backup = pair.postgres.dump("games");
    write(&ann[0], &game, "lost").await.unwrap();
    assert_eq!(texts(&ann[1], &game).await, ["lost"]);
    pair.postgres.restore("games", &backup);

    // There was no read since the restore, so the write itself detects the rollback.
    for (ann, text) in ann.iter().zip(["first", "second"]) {
        match write(ann, &game, text).await {
            // The engine's periodic check may have found the rollback just before the write.
            Ok(()) => {}
            Err(status) => {
                assert_eq!(reason(&status), "LOST_RACE");
                write(ann, &game, text).await.unwrap();
            }
        }
    }
    assert_eq!(texts(&ann[0], &game).await, ["first", "second"]);
    assert_eq!(texts(&ann[1], &game).await, ["first", "second"]);
    assert_logged_once(&pair);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_history_of_the_same_length_is_detected() {
    for more in [0, 1] {
        let Some(pair) = Pair::start(&ARGUMENTS) else { return };
        let [ann, bob] = pair.engine(0).players(["Ann", "Bob"]).await;
        let game = begun(&ann, &bob).await;
        let ann = at_both(&pair, &ann).await;
        let backup = pair.postgres.dump("games");
        for text in ["lost one", "lost two"] {
            write(&ann[0], &game, text).await.unwrap();
        }
        let streams = [listening(&ann[0], &game).await, listening(&ann[1], &game).await];
        pair.engine(0).signal("-STOP");
        pair.postgres.restore("games", &backup);
        let new: Vec<String> = (0..2 + more).map(|number| format!("new {number}")).collect();
        for text in &new {
            write_soon(&ann[1], &game, text).await;
        }
        pair.engine(0).signal("-CONT");
        for stream in streams {
            starts_over(stream, None).await;
        }
        for ann in &ann {
            assert_eq!(texts(ann, &game).await, new);
        }
        write_soon(&ann[0], &game, "last").await;
        assert_eq!(texts(&ann[1], &game).await.last().unwrap(), "last");
        let admin = pair.engine(0).admin().await;
        admin.verified(&game).await;
        assert_logged_once(&pair);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn readers_and_writers_survive_a_database_with_older_files() {
    let Some(postgres) = Postgres::start() else { return };
    let mut pair = Pair::on(postgres, &ARGUMENTS);
    let [ann, bob] = pair.engine(0).players(["Ann", "Bob"]).await;
    let game = begun(&ann, &bob).await;
    let ann = at_both(&pair, &ann).await;
    write(&ann[0], &game, "kept").await.unwrap();
    let kept = number(&ann[0], &game).await;
    pair.postgres.save_copy();
    // The server was stopped for the copy. Each engine reconnects after a while.
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
                // Every call ends before the timeout, at worst with a transient error.
                if let Err(status) = write(&ann, &game, &format!("{at} {round}")).await {
                    assert!(is_passing(&status), "{status:?}");
                }
                let request = GetViewRequest::of(&game);
                let read =
                    timeout(CALL_TIMEOUT, async { ann.games().get_view(request).await }).await;
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
    pair.postgres.restore_copy();
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
    assert_logged_once(&pair);
}

/// The first host hangs and the second lacks the last transactions.
#[tokio::test(flavor = "multi_thread")]
async fn a_failover_to_a_lagging_host_is_followed() {
    let (Some(first), Some(second)) = (Postgres::start(), Postgres::start()) else { return };
    first.database("games");
    second.database("games");
    let hosts = format!("127.0.0.1:{},127.0.0.1:{}", first.port(), second.port());
    let address = format!("postgres://heliopause@{hosts}/games?target_session_attrs=read-write");
    let engine = Engine::on_database(&address, &ARGUMENTS);
    let [ann, bob] = engine.players(["Ann", "Bob"]).await;
    let game = begun(&ann, &bob).await;
    write(&ann, &game, "kept").await.unwrap();
    let kept = number(&ann, &game).await;
    second.restore("games", &first.dump("games"));
    write(&ann, &game, "lost").await.unwrap();
    let stream = listening(&ann, &game).await;
    first.freeze(true);

    write_soon(&ann, &game, "new").await;
    // The number of the next event may or may not count the new message.
    starts_over(stream, None).await;
    assert_eq!(number(&ann, &game).await, kept + 1);
    assert_eq!(texts(&ann, &game).await, ["kept", "new"]);
    let other = Engine::on_database(&address, &ARGUMENTS);
    assert_eq!(texts(&ann.on(other.channel().await), &game).await, ["kept", "new"]);
}
