//! Flipped bits in databases, logs and backups cause errors, but no wrong results and no panics.

use std::fmt::Debug;
use std::path::Path;
use std::process::Command;

use bytes::Bytes;
use heliopause_engine::backup::{BackupError, backup, restore};
use heliopause_engine::store::sqlite::{DATABASE, HEADS, OpenError, SqliteStore};
use heliopause_engine::store::{
    Account, Append, GameQuery, GameRow, Member, RecordChange, Store, StoreError, TokenRow,
};
use heliopause_engine::verify;
use heliopause_proto::store::v1::Entry;
use heliopause_proto::v1::GameStatus;
use heliopause_table::chain;
use prost::Message as _;
use rusqlite::Connection;

use crate::support::{self, append};

const GAMES: u64 = 12;
const STEPS: u64 = 12;
const PLAYERS: u8 = 6;
const SECRET: [u8; 32] = [7; 32];
const LOG: &str = "heliopause.db-wal";

struct Rng(u64);

impl Rng {
    fn below(&mut self, bound: usize) -> usize {
        // Knuth's MMIX generator. Only its upper bits are random enough.
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }

    fn flip(&mut self, bytes: &mut [u8]) -> usize {
        let place = self.below(bytes.len());
        bytes[place] ^= 1 << self.below(8);
        place
    }
}

fn row(game: u64, number: u64) -> GameRow {
    let member = |seat: u32| Member {
        player_id: format!("p-{}", (game + u64::from(seat)) % u64::from(PLAYERS)),
        seat,
        invited: seat == 3,
        your_decision: number % 2 == u64::from(seat) % 2,
        deadline: Some(1_000 * number.cast_signed()),
    };
    GameRow {
        game_id: format!("g{game:02}"),
        kind: ["chess", "go"][usize::try_from(game).unwrap() % 2].to_owned(),
        name: format!("The game number {game}"),
        status: if game == 5 { GameStatus::Ended } else { GameStatus::Running } as i32,
        private: game.is_multiple_of(3),
        sandbox: game == 7,
        seats: 3,
        open_seats: u32::from(game.is_multiple_of(4)),
        created: (game / 2).cast_signed(),
        due: (game.is_multiple_of(2)).then_some(2_000 + number.cast_signed()),
        wants_automation: game.is_multiple_of(5),
        progress: format!("turn {number}"),
        host: format!("p-{}", game % 3),
        asleep_since: (game % 6 == 1).then_some(1_500),
        ended: (game == 5).then_some(1_700),
        rated: game == 5,
        names_hidden: game == 6,
        members: (1..=3).map(member).collect(),
    }
}

fn entry(number: u64, previous: &Bytes) -> (Bytes, Bytes) {
    let mut entry = Entry {
        number,
        rules_version: 1,
        published_before: (1_000..1_150).collect(),
        ..Entry::default()
    };
    entry.hash = Bytes::copy_from_slice(&chain::entry_hash(&SECRET, previous, &entry));
    (Bytes::from(entry.encode_to_vec()), entry.hash)
}

fn account(player: u8) -> Account {
    Account { dedication: 3, created: player.into(), ..support::account(&format!("p-{player}"), 1) }
}

fn token(player: u8) -> TokenRow {
    support::token(&account(player), &format!("t-{player}"), [player + 1; 32])
}

async fn fill(store: &SqliteStore) {
    for player in 0..PLAYERS {
        store.open_account(account(player), token(player)).await.unwrap();
    }
    let record = RecordChange::create("invitation", "code", "", b"3".as_slice());
    store.change_records(vec![record]).await.unwrap();
    let mut hashes = vec![Bytes::new(); usize::try_from(GAMES).unwrap()];
    for number in 1..=STEPS {
        for game in 0..GAMES {
            let hash = &mut hashes[usize::try_from(game).unwrap()];
            let (stored, next) = entry(number, hash);
            *hash = next;
            let append = Append {
                snapshot: (number == 6).then(|| Bytes::from(vec![game as u8; 500])),
                ratings: (number == 3).then(|| ("p-1".to_owned(), 2)).into_iter().collect(),
                ..append(row(game, number), number - 1, stored)
            };
            store.append(append).await.unwrap();
        }
    }
}

type Answers = Vec<Result<String, StoreError>>;

fn note<T: Debug>(answers: &mut Answers, answer: Result<T, StoreError>) {
    answers.push(answer.map(|told| format!("{told:?}")));
}

async fn query_journals(store: &SqliteStore) -> Answers {
    let mut answers = Answers::new();
    for game in 0..GAMES {
        let id = row(game, 0).game_id;
        note(&mut answers, store.load(&id).await);
        note(&mut answers, store.entries(&id, 0, 1_000, usize::MAX).await);
        note(&mut answers, store.entries(&id, 7, 3, usize::MAX).await);
    }
    answers
}

async fn query_all(store: &SqliteStore) -> Answers {
    let mut answers = query_journals(store).await;
    for game in 0..GAMES {
        note(&mut answers, store.game(&row(game, 0).game_id).await);
    }
    let all = || GameQuery { limit: 100, ..GameQuery::default() };
    let to_p1 = || GameQuery { visible_to: Some("p-1".to_owned()), ..all() };
    for query in [
        all(),
        to_p1(),
        GameQuery { kind: Some("go".to_owned()), ..all() },
        GameQuery { status: Some(GameStatus::Running as i32), ..all() },
        GameQuery { joinable: true, ..to_p1() },
        GameQuery { member: Some("p-2".to_owned()), running_only: true, ..all() },
        GameQuery { search: Some("number 1".to_owned()), ..to_p1() },
    ] {
        note(&mut answers, store.games(query).await);
    }
    note(&mut answers, store.game_ids("", 100).await);
    note(&mut answers, store.due(100).await);
    note(&mut answers, store.waiting_for_automation("", 100).await);
    note(&mut answers, store.sandboxes_before(100, 100).await);
    note(&mut answers, store.counts().await);
    note(&mut answers, store.accounts("", "", 100).await);
    note(&mut answers, store.all_accounts().await);
    for player in 0..PLAYERS {
        let Account { player_id, name, .. } = account(player);
        note(&mut answers, store.account(&player_id).await);
        note(&mut answers, store.account(&name).await);
        note(&mut answers, store.tokens(&player_id).await);
        note(&mut answers, store.token(token(player).hash).await);
        note(&mut answers, store.games_counted(&player_id).await);
    }
    answers
}

fn without_snapshot(told: &str) -> Option<String> {
    told.split_once("snapshot: Some(").map(|(before, _)| format!("{before}snapshot: None }}"))
}

fn compare(answers: Answers, right: &[String], what: &str) -> usize {
    assert_eq!(answers.len(), right.len());
    let mut errors = 0;
    for (answer, right) in answers.into_iter().zip(right) {
        match answer {
            // A snapshot with a damaged key counts as missing. The game is loaded from its journal.
            Ok(told) if Some(&told) == without_snapshot(right).as_ref() => {}
            Ok(told) => assert_eq!(told, *right, "{what}: a wrong answer without an error"),
            Err(StoreError::Damaged(_)) => errors += 1,
            Err(StoreError::Unavailable(why)) => {
                assert!(!why.contains("was interrupted"), "{what}: a panic");
                errors += 1;
            }
            Err(other) => panic!("{what}: {other}, which reports no damage, instead of {right}"),
        }
    }
    errors
}

fn files(directory: &Path, names: &[&str]) -> Vec<(String, Vec<u8>)> {
    let read = |name: &&str| ((*name).to_owned(), std::fs::read(directory.join(name)).unwrap());
    names.iter().map(read).collect()
}

fn directory_of(files: &[(String, Vec<u8>)]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        std::fs::write(directory.path().join(name), bytes).unwrap();
    }
    directory
}

/// Flips a random bit of the first file, `flips` times, each time in a new copy. Returns the number
/// of reported flips.
async fn flip(flips: usize, seed: u64, files: &[(String, Vec<u8>)], right: &[String]) -> usize {
    let mut rng = Rng(seed);
    let mut told = 0;
    for _ in 0..flips {
        let mut files = files.to_vec();
        let place = rng.flip(&mut files[0].1);
        let what = format!("byte {place} of {}", files[0].0);
        let directory = directory_of(&files);
        match SqliteStore::open(directory.path(), None) {
            Err(error) => {
                assert!(!error.to_string().is_empty());
                told += 1;
            }
            Ok(store) => told += usize::from(compare(query_all(&store).await, right, &what) > 0),
        }
    }
    told
}

/// Creates a store. Returns the directory of the closed store, the files of the open store, and the
/// expected results.
async fn data() -> (tempfile::TempDir, Vec<(String, Vec<u8>)>, Vec<String>) {
    let directory = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(directory.path(), None).unwrap();
    fill(&store).await;
    let right = query_all(&store)
        .await
        .into_iter()
        .map(|answer| answer.expect("the data is undamaged"))
        .collect();
    let open = files(directory.path(), &[LOG, DATABASE, HEADS]);
    drop(store);
    (directory, open, right)
}

#[tokio::test(flavor = "multi_thread")]
async fn none_of_500_flipped_bits_gives_a_wrong_answer() {
    let (directory, open, right) = data().await;
    let at_rest = files(directory.path(), &[DATABASE, HEADS]);
    let in_database = flip(250, 1, &at_rest, &right).await;
    assert!(in_database > 50, "only {in_database} of 250 flips were reported");

    let in_log = flip(125, 2, &open, &right).await;
    assert!(
        in_log > 100,
        "only {in_log} of 125 flips were reported, but most bits of a log are in valid frames"
    );

    let file = directory.path().join("backup");
    backup(directory.path(), &file).unwrap();
    let sound = std::fs::read(&file).unwrap();
    let mut rng = Rng(3);
    for number in 0..125 {
        let mut bytes = sound.clone();
        let place = rng.flip(&mut bytes);
        std::fs::write(&file, bytes).unwrap();
        let restored = directory.path().join(format!("restored-{number}"));
        let refused = restore(&file, &restored).expect_err("a damaged backup");
        assert!(matches!(refused, BackupError::Damaged { .. }), "byte {place}: {refused}");
        assert!(!restored.join(DATABASE).exists(), "no incomplete file is left");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bit_flipped_under_a_running_engine_changes_no_journal() {
    let (directory, _, _) = data().await;
    let at_rest = files(directory.path(), &[DATABASE, HEADS]);
    let mut rng = Rng(4);
    let mut told = 0;
    for _ in 0..100 {
        let directory = directory_of(&at_rest);
        let store = SqliteStore::open(directory.path(), None).unwrap();
        let right: Vec<String> =
            query_journals(&SqliteStore::open(directory_of(&at_rest).path(), None).unwrap())
                .await
                .into_iter()
                .map(Result::unwrap)
                .collect();
        let mut bytes = at_rest[0].1.clone();
        let place = rng.flip(&mut bytes);
        std::fs::write(directory.path().join(DATABASE), bytes).unwrap();
        let answers = query_journals(&store).await;
        // A damaged index may hide a game, because only opening a store checks indexes.
        let answers = answers.into_iter().map(|answer| match answer {
            Err(StoreError::NotFound) => Err(StoreError::Damaged("hidden".to_owned())),
            other => other,
        });
        told += usize::from(compare(answers.collect(), &right, &format!("byte {place}")) > 0);
    }
    assert!(told > 20, "only {told} of 100 flips were reported");
}

#[tokio::test(flavor = "multi_thread")]
async fn lost_end_of_a_log_is_reported_until_accepted() {
    let (_, mut open, _) = data().await;
    let bytes = open[0].1.len();
    open[0].1[bytes - 5_000] ^= 1;
    let directory = directory_of(&open);
    for _ in 0..2 {
        let refused = SqliteStore::open(directory.path(), None).err().expect("entries are lost");
        assert!(matches!(refused, OpenError::Lost { .. }), "{refused}");
        assert!(
            refused.to_string().contains("g11") && refused.to_string().contains(HEADS),
            "{refused}"
        );
    }
    let (_, damage) = SqliteStore::open_to_verify(directory.path()).unwrap();
    assert!(damage.iter().any(|what| what.starts_with("lost: game \"g11\"")), "{damage:?}");
    std::fs::remove_file(directory.path().join(HEADS)).unwrap();
    let store = SqliteStore::open(directory.path(), None).expect("the loss is accepted");
    assert_eq!(store.load("g11").await.unwrap().last, STEPS - 1);
    drop(store);
    assert_eq!(verify::directory(directory.path(), &|_, _| ()).await.unwrap().damage, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn truncated_journal_rejects_appends_and_names_the_game() {
    let (directory, ..) = data().await;
    let store = SqliteStore::open(directory.path(), None).unwrap();
    let database = Connection::open(directory.path().join(DATABASE)).unwrap();
    database.execute("DELETE FROM entry WHERE game = 4 AND number = 12", []).unwrap();
    let refused = store.append(append(row(3, 12), 11, "again")).await.unwrap_err();
    let StoreError::Damaged(what) = &refused else { panic!("{refused}") };
    assert!(what.contains("g03") && what.contains("entry 12"), "{refused}");
    store.append(append(row(2, 13), 12, "on")).await.expect("other games continue");
}

#[tokio::test(flavor = "multi_thread")]
async fn verify_names_what_is_damaged_and_fails() {
    let (directory, ..) = data().await;
    let verify = || {
        let mut program = Command::new(env!("CARGO_BIN_EXE_engine-service"));
        program.args(["verify", "--data"]).arg(directory.path()).output().unwrap()
    };
    let sound = verify();
    assert!(sound.status.success(), "{}", String::from_utf8_lossy(&sound.stderr));
    assert!(sound.stdout.is_empty());

    let database = Connection::open(directory.path().join(DATABASE)).unwrap();
    let flip = "UPDATE entry SET body = zeroblob(length(body)) WHERE game = 4 AND number = 5";
    assert_eq!(database.execute(flip, []).unwrap(), 1);
    database.execute("UPDATE game SET name = 'other' WHERE game_id = 'g09'", []).unwrap();
    drop(database);
    let damaged = verify();
    let told = String::from_utf8(damaged.stdout).unwrap();
    assert_eq!(damaged.status.code(), Some(1), "{told}");
    assert!(
        told.contains("game \"g03\": entry 5") && told.contains("game \"g09\": its row"),
        "{told}"
    );
    assert!(!told.contains("g04"), "{told}");

    let refused = backup(directory.path(), &directory.path().join("backup")).unwrap_err();
    assert!(matches!(refused, BackupError::Source { .. }), "{refused}");
    assert!(!directory.path().join("backup").exists());
}
