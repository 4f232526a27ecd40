//! The embedded store beyond conformance: group commits, full disks, reopening, and locking.

use std::path::Path;
use std::sync::Arc;

use heliopause_engine::store::sqlite::{DATABASE, HEADS, OpenError, SqliteStore};
use heliopause_engine::store::{Append, GameQuery, GameRow, Member, Store, StoreError};
use rusqlite::Connection;

use crate::support::{append, row};

fn open(directory: &Path) -> Arc<SqliteStore> {
    Arc::new(SqliteStore::open(directory, None).unwrap())
}

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
                        .append(append(
                            row(&format!("g{game}")),
                            u64::from(number),
                            vec![game; 200],
                        ))
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
async fn reopened_store_contains_everything() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    store.append(append(row("g"), 0, vec![1])).await.unwrap();
    let members = vec![Member {
        player_id: "p".to_owned(),
        seat: 1,
        invited: false,
        your_decision: true,
        deadline: Some(4),
    }];
    let changed = GameRow { members, due: Some(4), ..row("g") };
    store.append(Append { row: changed.clone(), ..append(row("g"), 1, vec![2]) }).await.unwrap();
    drop(store);

    let store = open(directory.path());
    assert_eq!(store.game("g").await.unwrap(), changed);
    assert_eq!(store.load("g").await.unwrap().last, 2);
    assert!(matches!(
        store.append(append(row("g"), 1, vec![3])).await,
        Err(StoreError::LostRace { expected: 1, actual: 2 })
    ));
    // The writer reads the stored row first, so it notices that the new row differs.
    store.append(append(row("g"), 2, vec![3])).await.unwrap();
    assert_eq!(store.game("g").await.unwrap(), row("g"));
}

#[tokio::test(flavor = "multi_thread")]
async fn full_disk_rejects_writes_and_loses_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(directory.path(), Some(1 << 20)).unwrap();
    store.append(append(row("ballast"), 0, vec![0; 300_000])).await.unwrap();
    let mut acknowledged = 0;
    let refusal = loop {
        match store.append(append(row("g"), acknowledged, vec![7; 20_000])).await {
            Ok(()) => acknowledged += 1,
            Err(error) => break error,
        }
        assert!(acknowledged < 1_000, "the size limit has no effect");
    };
    assert!(matches!(refusal, StoreError::Unavailable(_)), "{refusal}");
    assert!(acknowledged > 10, "only {acknowledged} entries fitted");

    // Reads work, no append is partly written, and further writes fail in the same way.
    assert_eq!(store.load("g").await.unwrap().last, acknowledged);
    assert_eq!(
        store.games(GameQuery { limit: 10, ..GameQuery::default() }).await.unwrap().len(),
        2
    );
    let again = (0..4).map(|game| {
        let (id, expected) = if game == 0 { ("g", acknowledged) } else { ("new", 0) };
        store.append(append(row(id), expected, vec![7; 20_000]))
    });
    // All jobs of a failed batch fail, and the next batch does not find their games in memory.
    for again in futures_util::future::join_all(again).await {
        assert!(matches!(again, Err(StoreError::Unavailable(_))), "{again:?}");
    }
    let later = store.append(append(row("new"), 1, vec![0])).await;
    assert!(matches!(later, Err(StoreError::NotFound)), "{later:?}");

    store.remove_games(vec!["ballast".to_owned()]).await.unwrap();
    store.append(append(row("g"), acknowledged, vec![7; 20_000])).await.unwrap();
    assert_eq!(store.load("g").await.unwrap().last, acknowledged + 1);
}

#[test]
fn schema_of_another_version_is_rejected_unchanged() {
    let directory = tempfile::tempdir().unwrap();
    drop(open(directory.path()));
    let file = directory.path().join(DATABASE);
    for version in [99, 1] {
        Connection::open(&file).unwrap().pragma_update(None, "user_version", version).unwrap();
        let before = std::fs::read(&file).unwrap();
        let refused = SqliteStore::open(directory.path(), None).err().expect("another version");
        match refused {
            OpenError::Newer { found, .. } if version == 99 => assert_eq!(found, version),
            OpenError::Older { found, .. } if version == 1 => assert_eq!(found, version),
            other => panic!("{other}"),
        }
        assert_eq!(std::fs::read(&file).unwrap(), before);
    }
}

#[test]
fn database_of_another_program_is_rejected() {
    let directory = tempfile::tempdir().unwrap();
    let other = Connection::open(directory.path().join(DATABASE)).unwrap();
    other.execute_batch("CREATE TABLE recipes (name TEXT)").unwrap();
    drop(other);
    let refused = SqliteStore::open(directory.path(), None)
        .err()
        .expect("the database belongs to another program");
    assert!(matches!(refused, OpenError::Foreign { .. }), "{refused}");
}

#[test]
fn file_that_is_not_a_database_is_rejected() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join(DATABASE), [b'x'; 4096]).unwrap();
    let refused =
        SqliteStore::open(directory.path(), None).err().expect("the file is not a database");
    assert!(matches!(refused, OpenError::Database(_)), "{refused}");
}

#[test]
fn full_disk_error_blames_no_file() {
    let directory = tempfile::tempdir().unwrap();
    let refused = SqliteStore::open(directory.path(), Some(32 << 10))
        .err()
        .expect("the schema alone takes more");
    assert!(matches!(refused, OpenError::Full { .. }), "{refused}");
    assert!(refused.to_string().contains("is full: free space"), "{refused}");
    open(directory.path());
}

#[tokio::test(flavor = "multi_thread")]
async fn full_disk_is_retried_with_backoff() {
    let directory = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(directory.path(), Some(1 << 20)).unwrap();
    let begun = std::time::Instant::now();
    let mut refused: u32 = 0;
    for game in 0.. {
        let filling = store.append(append(row(&format!("g{game}")), 0, vec![0; 400_000])).await;
        refused += u32::from(filling.is_err());
        if begun.elapsed() > std::time::Duration::from_secs(2) {
            break;
        }
    }
    assert!((2..=8).contains(&refused), "{refused} failed commits in two seconds");
}

#[test]
fn missing_heads_file_is_recreated() {
    let directory = tempfile::tempdir().unwrap();
    drop(open(directory.path()));
    std::fs::remove_file(directory.path().join(HEADS)).unwrap();
    drop(open(directory.path()));
    assert!(directory.path().join(HEADS).is_file());
}
