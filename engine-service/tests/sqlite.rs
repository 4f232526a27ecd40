//! What the embedded store does beyond what every store must: it shares commits, meets full disks,
//! comes back, and keeps others out.

use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use heliopause_engine::store::sqlite::{DATABASE, HEADS, OpenError, SqliteStore};
use heliopause_engine::store::{Append, GameQuery, GameRow, Member, Store, StoreError, Tags};
use rusqlite::Connection;

fn row(game_id: &str) -> GameRow {
    GameRow {
        game_id: game_id.to_owned(),
        kind: "chess".to_owned(),
        status: 3,
        created: 1,
        ..GameRow::default()
    }
}

fn append(game_id: &str, expected: u64, body: Vec<u8>) -> Append {
    Append {
        expected,
        entries: vec![Bytes::from(body)],
        row: row(game_id),
        secret: (expected == 0).then_some([1; 32]),
        snapshot: None,
        ratings: Vec::new(),
        quotas: Vec::new(),
        notices: Vec::new(),
        tags: Tags::default(),
    }
}

fn open(directory: &Path) -> Arc<SqliteStore> {
    Arc::new(SqliteStore::open(directory, None).unwrap())
}

/// How many entries there are, and how many of a game's numbers are there without the one before.
fn entries_and_gaps(directory: &Path) -> (i64, i64) {
    let connection = Connection::open(directory.join(DATABASE)).unwrap();
    let gaps = "SELECT count(*) FROM entry e WHERE number > 1
                AND NOT EXISTS (SELECT 1 FROM entry p WHERE p.game = e.game AND p.number = e.number - 1)";
    let one = |sql: &str| connection.query_row(sql, [], |row| row.get(0)).unwrap();
    (one("SELECT count(*) FROM entry"), one(gaps))
}

#[tokio::test(flavor = "multi_thread")]
async fn many_appenders_share_commits_and_lose_nothing() {
    const GAMES: u8 = 64;
    const STEPS: u8 = 100;
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    let appenders: Vec<_> = (0..GAMES)
        .map(|game| {
            let store = Arc::clone(&store);
            tokio::spawn(async move {
                for number in 0..STEPS {
                    store
                        .append(append(&format!("g{game}"), u64::from(number), vec![game; 200]))
                        .await
                        .unwrap();
                }
            })
        })
        .collect();
    for appender in appenders {
        appender.await.unwrap();
    }
    drop(store);
    assert_eq!(entries_and_gaps(directory.path()), (i64::from(GAMES) * i64::from(STEPS), 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_is_there_after_opening_again() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    store.append(append("g", 0, vec![1])).await.unwrap();
    let members = vec![Member {
        player_id: "p".to_owned(),
        seat: 1,
        invited: false,
        your_decision: true,
        deadline: Some(4),
    }];
    let changed = GameRow { members, due: Some(4), ..row("g") };
    store.append(Append { row: changed.clone(), ..append("g", 1, vec![2]) }).await.unwrap();
    drop(store);

    let store = open(directory.path());
    assert_eq!(store.game("g").await.unwrap(), changed);
    assert_eq!(store.load("g").await.unwrap().last, 2);
    assert!(matches!(
        store.append(append("g", 1, vec![3])).await,
        Err(StoreError::LostRace { expected: 1, actual: 2 })
    ));
    // The writer read the row from the database: a change back to what it was is a change all the
    // same.
    store.append(append("g", 2, vec![3])).await.unwrap();
    assert_eq!(store.game("g").await.unwrap(), row("g"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_refuses_writes_and_loses_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(directory.path(), Some(1 << 20)).unwrap();
    store.append(append("ballast", 0, vec![0; 300_000])).await.unwrap();
    let mut acknowledged = 0;
    let refusal = loop {
        match store.append(append("g", acknowledged, vec![7; 20_000])).await {
            Ok(()) => acknowledged += 1,
            Err(error) => break error,
        }
        assert!(acknowledged < 1_000, "the limit does not hold");
    };
    assert!(matches!(refusal, StoreError::Unavailable(_)), "{refusal}");
    assert!(acknowledged > 10, "only {acknowledged} entries fitted");

    // Reads still work, nothing half-done is there, and more is refused as before.
    assert_eq!(store.load("g").await.unwrap().last, acknowledged);
    assert_eq!(
        store.games(GameQuery { limit: 10, ..GameQuery::default() }).await.unwrap().len(),
        2
    );
    let again = store.append(append("g", acknowledged, vec![7; 20_000])).await;
    assert!(matches!(again, Err(StoreError::Unavailable(_))), "{again:?}");

    // Once there is room, it goes on where it was.
    store.remove_games(vec!["ballast".to_owned()]).await.unwrap();
    store.append(append("g", acknowledged, vec![7; 20_000])).await.unwrap();
    assert_eq!(store.load("g").await.unwrap().last, acknowledged + 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_engine_is_kept_out_until_the_first_is_gone() {
    let directory = tempfile::tempdir().unwrap();
    let first = open(directory.path());
    let second = SqliteStore::open(directory.path(), None).err().expect("the lock holds");
    assert!(matches!(second, OpenError::Locked { .. }), "{second}");
    assert!(second.to_string().contains("--data"), "it says what to do: {second}");
    drop(first);
    open(directory.path());
}

#[test]
fn a_newer_schema_is_refused_untouched() {
    let directory = tempfile::tempdir().unwrap();
    drop(open(directory.path()));
    let file = directory.path().join(DATABASE);
    Connection::open(&file).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let before = std::fs::read(&file).unwrap();
    let refused = SqliteStore::open(directory.path(), None).err().expect("it is newer");
    assert!(matches!(refused, OpenError::Newer { found: 99, .. }), "{refused}");
    assert_eq!(std::fs::read(&file).unwrap(), before);
}

#[test]
fn a_database_of_another_program_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let other = Connection::open(directory.path().join(DATABASE)).unwrap();
    other.execute_batch("CREATE TABLE recipes (name TEXT)").unwrap();
    drop(other);
    let refused = SqliteStore::open(directory.path(), None).err().expect("it is not ours");
    assert!(matches!(refused, OpenError::Foreign { .. }), "{refused}");
}

#[test]
fn a_file_that_is_no_database_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join(DATABASE), [b'x'; 4096]).unwrap();
    let refused = SqliteStore::open(directory.path(), None).err().expect("it is no database");
    assert!(matches!(refused, OpenError::Database(_)), "{refused}");
}

#[test]
fn a_disk_without_room_is_called_full_and_no_file_is_blamed() {
    let directory = tempfile::tempdir().unwrap();
    let refused = SqliteStore::open(directory.path(), Some(32 << 10))
        .err()
        .expect("the schema alone takes more");
    assert!(matches!(refused, OpenError::Full { .. }), "{refused}");
    assert!(refused.to_string().contains("is full: make room"), "{refused}");
    open(directory.path());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_is_tried_less_and_less_often() {
    let directory = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(directory.path(), Some(1 << 20)).unwrap();
    let begun = std::time::Instant::now();
    let mut refused: u32 = 0;
    for game in 0.. {
        let filling = store.append(append(&format!("g{game}"), 0, vec![0; 400_000])).await;
        refused += u32::from(filling.is_err());
        if begun.elapsed() > std::time::Duration::from_secs(2) {
            break;
        }
    }
    assert!((2..=8).contains(&refused), "{refused} failed commits in two seconds");
}

#[test]
fn a_missing_note_of_ends_is_made_anew() {
    let directory = tempfile::tempdir().unwrap();
    drop(open(directory.path()));
    std::fs::remove_file(directory.path().join(HEADS)).unwrap();
    drop(open(directory.path()));
    assert!(directory.path().join(HEADS).is_file());
}
