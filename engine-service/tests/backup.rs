//! Backups while games are running, and restores.

use crate::support;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use heliopause_engine::backup::{BackupError, backup, restore};
use heliopause_engine::config::Settings;
use heliopause_engine::store::sqlite::{DATABASE, OpenError, SqliteStore};
use heliopause_engine::store::{Append, GameQuery, GameRow, Store};
use heliopause_proto::v1::GetMeRequest;
use support::{in_memory, start};

fn step(game_id: &str, expected: u64) -> Append {
    let row = GameRow { progress: (expected + 1).to_string(), ..support::row(game_id) };
    support::append(row, expected, vec![expected as u8; 500])
}

#[tokio::test(flavor = "multi_thread")]
async fn backup_of_a_running_store_is_consistent() {
    let (data, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let store = Arc::new(SqliteStore::open(data.path(), None).unwrap());
    let stop = Arc::new(AtomicBool::new(false));
    for game in 0..8 {
        for number in 0..50 {
            store.append(step(&format!("g{game}"), number)).await.unwrap();
        }
    }
    let writers: Vec<_> = (0..8)
        .map(|game| {
            let (store, stop) = (Arc::clone(&store), Arc::clone(&stop));
            tokio::spawn(async move {
                let mut number = 50;
                while !stop.load(Ordering::Relaxed) {
                    store.append(step(&format!("g{game}"), number)).await.unwrap();
                    number += 1;
                }
                number
            })
        })
        .collect();

    let (from, to) = (data.path().to_owned(), elsewhere.path().join("games.backup"));
    let file = to.clone();
    tokio::task::spawn_blocking(move || backup(&from, &to)).await.unwrap().unwrap();
    stop.store(true, Ordering::Relaxed);
    let mut written = Vec::new();
    for writer in writers {
        written.push(writer.await.unwrap());
    }

    let restored = elsewhere.path().join("restored");
    restore(&file, &restored).unwrap();
    let copy = SqliteStore::open(&restored, None).unwrap();
    for (game, written) in written.into_iter().enumerate() {
        let id = format!("g{game}");
        let last = copy.load(&id).await.unwrap().last;
        assert!((50..=written).contains(&last), "{last} of {written}");
        assert_eq!(copy.game(&id).await.unwrap().progress, last.to_string());
        assert_eq!(copy.entries(&id, 0, 100_000, usize::MAX).await.unwrap().len() as u64, last);
        copy.append(step(&id, last)).await.expect("it goes on");
        assert_eq!(store.load(&id).await.unwrap().last, written, "the original is unchanged");
    }
}

fn on_disk(data: &Path) -> Settings {
    Settings { data: Some(data.to_owned()), ..in_memory() }
}

#[tokio::test]
async fn restore_keeps_player_tokens_and_renews_server_tokens() {
    let directory = tempfile::tempdir().unwrap();
    let (data, file) = (directory.path().join("data"), directory.path().join("backup"));
    let server = start(on_disk(&data)).await;
    let (ann, old_admin) = (server.register("Ann").await, server.token_file("admin.token"));
    backup(&data, &file).expect("while the engine runs");
    server.stop().await;

    let restored = directory.path().join("restored");
    restore(&file, &restored).unwrap();
    let server = start(on_disk(&restored)).await;
    server.player(&ann).get_me(GetMeRequest {}).await.expect("a player's token stays valid");
    let new_admin = server.token_file("admin.token");
    assert_ne!(new_admin, old_admin);
    server.player(&new_admin).get_me(GetMeRequest {}).await.unwrap();
    server
        .player(&old_admin)
        .get_me(GetMeRequest {})
        .await
        .expect_err("the lost file's token is revoked");
    server.stop().await;
}

#[cfg(unix)]
#[tokio::test]
async fn secret_files_are_readable_by_their_owner_only() {
    use std::os::unix::fs::PermissionsExt as _;
    let directory = tempfile::tempdir().unwrap();
    let (data, file) = (directory.path().join("data"), directory.path().join("backup"));
    let server = start(on_disk(&data)).await;
    backup(&data, &file).unwrap();
    let private: Vec<PathBuf> = ["admin.token", "worker.token", DATABASE]
        .iter()
        .map(|name| data.join(name))
        .chain([file])
        .collect();
    for path in private {
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{} is {mode:o}", path.display());
    }
    server.stop().await;
}

/// Security S6: after a killed restore, an engine silently started without games.
#[tokio::test(flavor = "multi_thread")]
async fn killed_restore_is_never_opened_as_an_empty_directory() {
    const GAMES: usize = 12;
    const KILLS: u32 = 24;
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    let store = SqliteStore::open(&at("data"), None).unwrap();
    for game in 0..GAMES {
        for number in 0..3 {
            let append = step(&format!("g{game}"), number);
            let entries = vec![Bytes::from(vec![number as u8; 300_000])];
            store.append(Append { entries, ..append }).await.unwrap();
        }
    }
    drop(store);
    backup(&at("data"), &at("backup")).unwrap();
    let restoring = |to: &Path| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_engine-service"));
        command.args(["restore", "--from"]).arg(at("backup")).arg("--data").arg(to);
        command.stderr(std::process::Stdio::null());
        command
    };
    let begun = std::time::Instant::now();
    assert!(restoring(&at("whole")).status().unwrap().success());
    let whole = begun.elapsed();
    let count = async |data: &Path| {
        let store = SqliteStore::open(data, None)?;
        let query = GameQuery { limit: 1_000, ..GameQuery::default() };
        Ok::<_, OpenError>(store.games(query).await.unwrap().len())
    };
    let mut cut_short = 0;
    for kill in 0..KILLS {
        let data = at(&format!("killed{kill}"));
        let mut child = restoring(&data).spawn().unwrap();
        std::thread::sleep(whole * kill / KILLS);
        child.kill().unwrap();
        child.wait().unwrap();
        if std::fs::read_dir(&data).map_or(0, Iterator::count) == 0 {
            continue;
        }
        match count(&data).await {
            Ok(found) => assert_eq!(found, GAMES, "kill {kill}"),
            Err(refused @ OpenError::Unfinished { .. }) => {
                cut_short += 1;
                assert!(refused.to_string().contains("engine-service restore"), "{refused}");
                assert!(restoring(&data).status().unwrap().success());
                assert_eq!(count(&data).await.unwrap(), GAMES);
            }
            Err(other) => panic!("kill {kill}: {other}"),
        }
        std::fs::remove_dir_all(&data).unwrap();
    }
    assert!(cut_short > 0, "no kill interrupted the restore, which took {whole:?}");
}

#[test]
fn backup_and_restore_overwrite_nothing_and_name_the_error() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    drop(SqliteStore::open(&at("data"), None).unwrap());
    assert!(matches!(backup(&at("nothing"), &at("b")), Err(BackupError::NoDatabase(_))));
    backup(&at("data"), &at("b")).unwrap();
    assert!(matches!(backup(&at("data"), &at("b")), Err(BackupError::Exists(_))));
    assert!(matches!(restore(&at("b"), &at("data")), Err(BackupError::NotEmpty(_))));
    assert!(matches!(restore(&at("missing"), &at("new")), Err(BackupError::Io { .. })));

    let mut bytes = std::fs::read(at("b")).unwrap();
    std::fs::write(at("empty"), b"").unwrap();
    assert!(restore(&at("empty"), &at("from-empty")).is_err());
    let middle = bytes.len() / 2;
    bytes[middle..].fill(0xff);
    std::fs::write(at("damaged"), bytes).unwrap();
    assert!(restore(&at("damaged"), &at("from-damaged")).is_err());
    assert!(!at("from-damaged").join(DATABASE).exists(), "no incomplete file is left");
}
