//! Conformance of the PostgreSQL store, and its features for several engines.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use bytes::Bytes;
use heliopause_engine::accounts::{Accounts, Bearer, Registration, token_files};
use heliopause_engine::config::{Config, ConfigError, Data, Settings};
use heliopause_engine::store::conformance::conformance;
use heliopause_engine::store::postgres::PostgresStore;
use heliopause_engine::store::shared::{Hint, OpenDecision, Profile};
use heliopause_engine::store::{
    Account, Append, End, GameQuery, GameRow, Member, Quota, Shared, Store, StoreError,
};
use heliopause_test_database::Postgres;
use tokio::time::timeout;

use crate::support::{PATIENCE, account, append, becomes, row, token};

async fn open(address: &str) -> Arc<PostgresStore> {
    Arc::new(PostgresStore::open(address, 8, None).await.expect("the database is there"))
}

/// Opens the store of a new database in two engines.
async fn two(postgres: &Postgres, database: &str) -> [Arc<PostgresStore>; 2] {
    let address = postgres.database(database);
    [open(&address).await, open(&address).await]
}

fn decision(game_id: &str, phase: u64, revision: u64, vote: u64) -> OpenDecision {
    OpenDecision { game_id: game_id.to_owned(), seat: 1, phase, revision, vote }
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres_store_conforms() {
    let Some(postgres) = Postgres::shared() else { return };
    let count = AtomicU32::new(0);
    conformance(|| {
        let address = postgres.database(&format!("c{}", count.fetch_add(1, Ordering::Relaxed)));
        tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(open(&address)))
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rule_7_concurrent_game_creation_never_exceeds_the_quota() {
    let Some(postgres) = Postgres::shared() else { return };
    let engines = two(&postgres, "quota").await;
    let lay = |number: usize| {
        let (store, game_id) = (engines[number % 2].clone(), format!("g{number:03}"));
        let quota =
            Quota { player_id: "p".to_owned(), games: 7, sent: 1, sent_to_one: 1, received: 1 };
        let created = append(GameRow { host: "p".to_owned(), ..row(&game_id) }, 0, "created");
        tokio::spawn(async move { store.append(Append { quotas: vec![quota], ..created }).await })
    };
    let laying: Vec<_> = (0..200).map(lay).collect();
    let mut laid = 0;
    for game in laying {
        match game.await.unwrap() {
            Ok(()) => laid += 1,
            Err(StoreError::OverQuota(excess)) => assert_eq!(excess.limit, 7),
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!((laid, engines[0].games_counted("p").await.unwrap()), (7, 7));
}

#[tokio::test(flavor = "multi_thread")]
async fn engines_starting_together_create_one_schema() {
    let Some(postgres) = Postgres::shared() else { return };
    let address = postgres.database("fresh");
    let starts: Vec<_> = (0..8)
        .map(|_| {
            let address = address.clone();
            tokio::spawn(async move { open(&address).await })
        })
        .collect();
    for start in starts {
        start.await.expect("every engine starts");
    }
    assert_eq!(postgres.execute("fresh", "SELECT version FROM heliopause_schema"), "9");
}

#[tokio::test(flavor = "multi_thread")]
async fn engine_needs_few_rights_once_the_schema_exists() {
    let Some(postgres) = Postgres::start() else { return };
    open(&postgres.database("least")).await;
    postgres.execute(
        "least",
        "CREATE ROLE player LOGIN; GRANT USAGE ON SCHEMA public TO player;
         GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO player;
         GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO player",
    );
    let store = open(&postgres.address("least").replace("heliopause@", "player@")).await;
    store.append(append(row("g"), 0, "created")).await.unwrap();
    assert_eq!(store.head("g").await.unwrap(), End::at(1));
    assert!(store.lease(vec![decision("g", 1, 0, 0)], PATIENCE).await.unwrap()[0].is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_concurrent_appends_wins_and_none_harms_another() {
    const GAMES: usize = 20;
    const STEPS: u64 = 25;
    let Some(postgres) = Postgres::shared() else { return };
    let address = postgres.database("races");
    let stores = [open(&address).await, open(&address).await, open(&address).await];
    for game in 0..GAMES {
        let row = GameRow { members: vec![member("p", game)], ..row(&format!("g{game}")) };
        stores[0].append(append(row, 0, "created")).await.unwrap();
    }
    let racers: Vec<_> = (0..GAMES * stores.len())
        .map(|racer| {
            let (store, game) = (stores[racer % stores.len()].clone(), racer / stores.len());
            tokio::spawn(async move {
                let (mut last, mut won) = (1, Vec::new());
                while last <= STEPS {
                    let row =
                        GameRow { members: vec![member("p", game)], ..row(&format!("g{game}")) };
                    let text = format!("{racer} {last}");
                    match store.append(append(row, last, text.as_str())).await {
                        Ok(()) => {
                            last += 1;
                            won.push((last, text));
                        }
                        Err(StoreError::LostRace { expected, actual }) => {
                            assert!(
                                expected == last && actual > last,
                                "lost at {actual} with {expected}"
                            );
                            last = actual;
                        }
                        Err(error) => panic!("{error}"),
                    }
                }
                (game, won)
            })
        })
        .collect();
    let mut written = vec![vec![String::new(); STEPS as usize + 2]; GAMES];
    for racer in racers {
        let (game, won) = racer.await.unwrap();
        for (number, text) in won {
            assert!(
                written[game][number as usize].is_empty(),
                "two appends of entry {number} succeeded"
            );
            written[game][number as usize] = text;
        }
    }
    for (game, written) in written.iter().enumerate() {
        let entries = stores[1].entries(&format!("g{game}"), 1, 1_000, usize::MAX).await.unwrap();
        let texts: Vec<_> =
            entries.iter().map(|entry| String::from_utf8_lossy(entry).into_owned()).collect();
        assert_eq!(texts, written[2..]);
    }
}

fn member(player: &str, seat: usize) -> Member {
    let (player_id, seat) = (player.to_owned(), seat as u32 + 1);
    Member { player_id, seat, invited: false, your_decision: false, deadline: None }
}

#[tokio::test(flavor = "multi_thread")]
async fn other_engines_are_notified_of_changes() {
    let Some(postgres) = Postgres::shared() else { return };
    let [one, other] = two(&postgres, "hints").await;
    let (mut own, mut hints) = (one.hints(), other.hints());
    for store in [&one, &other] {
        while !store.receives_hints() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
    one.append(append(row("g"), 0, "created")).await.unwrap();
    one.revoke("nobody", None).await.unwrap();
    one.tell(Hint::Workers);
    let mut heard = Vec::new();
    while heard.last() != Some(&Hint::Workers) {
        heard.push(timeout(PATIENCE, hints.recv()).await.expect("a hint").unwrap());
    }
    heard.retain(|hint| *hint != Hint::Everything);
    assert_eq!(heard, [Hint::Game("g".to_owned(), 1), Hint::Accounts, Hint::Workers]);
    other.tell(Hint::Workers);
    while timeout(PATIENCE, own.recv()).await.expect("a hint").unwrap() != Hint::Workers {}
    assert!(own.try_recv().is_err(), "an engine gets no hints about its own changes");
}

#[tokio::test(flavor = "multi_thread")]
async fn heads_are_listed_by_game_and_by_player() {
    let Some(postgres) = Postgres::shared() else { return };
    let store = &*open(&postgres.database("heads")).await;
    assert!(store.shared().is_some());
    let status = heliopause_proto::v1::GameStatus::Ended as i32;
    let running = GameRow { members: vec![member("p", 0)], ..row("a") };
    let ended = GameRow { status, members: vec![member("p", 0)], ..row("c") };
    for (row, expected) in [(running, 0), (row("b"), 0), (row("b"), 1), (ended, 0)] {
        store.append(append(row, expected, "x")).await.unwrap();
    }
    let heads = async |games: &[&str], players: &[&str]| {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        let heads = store.heads(owned(games), owned(players)).await.unwrap();
        let mut heads: Vec<_> = heads.into_iter().map(|(game, end)| (game, end.last)).collect();
        heads.sort();
        heads
    };
    assert_eq!(heads(&["b", "none"], &[]).await, [("b".to_owned(), 2)]);
    assert_eq!(heads(&["a", "b"], &["p"]).await, [("a".to_owned(), 1), ("b".to_owned(), 2)]);
    assert_eq!(heads(&[], &["p"]).await, [("a".to_owned(), 1)]);
    assert!(matches!(store.head("none").await, Err(StoreError::NotFound)));
    assert!(matches!(store.head("n\0ne").await, Err(StoreError::NotFound)));
    assert!(matches!(store.game("n\0ne").await, Err(StoreError::NotFound)));
}

#[tokio::test(flavor = "multi_thread")]
async fn due_games_are_claimed_by_one_engine() {
    let Some(postgres) = Postgres::shared() else { return };
    let [one, other] = two(&postgres, "claims").await;
    let due = |time| vec![("a".to_owned(), time), ("b".to_owned(), time)];
    let (first, second) = tokio::join!(one.claim(due(5), PATIENCE), other.claim(due(5), PATIENCE));
    let (first, second) = (first.unwrap(), second.unwrap());
    assert_eq!(first.len() + second.len(), 2, "{first:?} and {second:?}");
    assert_eq!(one.claim(due(5), PATIENCE).await.unwrap(), [""; 0]);
    assert_eq!(other.claim(due(6), Duration::from_millis(1)).await.unwrap().len(), 2);
    tokio::time::sleep(Duration::from_millis(20)).await;
    assert_eq!(one.claim(due(6), PATIENCE).await.unwrap().len(), 2, "a claim passes");
}

#[tokio::test(flavor = "multi_thread")]
async fn decision_is_leased_once_and_fences_increase() {
    let Some(postgres) = Postgres::shared() else { return };
    let stores = two(&postgres, "leases").await;
    let lease = async |store: usize, phase, revision, lasting: Duration| {
        let asked = decision("g", phase, revision, 0);
        stores[store].lease(vec![asked], lasting).await.unwrap()[0]
    };
    let first = lease(0, 3, 1, PATIENCE).await.expect("no other engine has the lease");
    assert_eq!(lease(1, 3, 1, PATIENCE).await, None, "it is leased");
    assert_eq!(lease(1, 3, 0, PATIENCE).await, None, "the older decision is closed");
    let second = lease(1, 3, 2, Duration::from_millis(1)).await.expect("a newer decision");
    assert!(second > first);
    assert_eq!(stores[0].renew(vec![first], PATIENCE).await.unwrap(), [0; 0]);
    tokio::time::sleep(Duration::from_millis(20)).await;
    assert_eq!(stores[1].renew(vec![second], PATIENCE).await.unwrap(), [0; 0]);
    let third = lease(0, 3, 2, PATIENCE).await.expect("a lease passes");
    assert!(third > second);
    assert_eq!(stores[0].renew(vec![third], PATIENCE).await.unwrap(), [third]);
    stores[0].give_back(vec![third]).await.unwrap();
    assert!(lease(1, 3, 2, PATIENCE).await.is_some(), "it was given back");
}

#[tokio::test(flavor = "multi_thread")]
async fn decision_and_votes_of_a_seat_are_leased_once_each() {
    let Some(postgres) = Postgres::shared() else { return };
    let stores = two(&postgres, "votes").await;
    let all = || vec![decision("g", 3, 0, 0), decision("g", 0, 0, 1), decision("g", 0, 0, 2)];
    let here = stores[0].lease(all(), PATIENCE).await.unwrap();
    assert!(here.iter().all(Option::is_some), "{here:?}");
    assert_eq!(stores[1].lease(all(), PATIENCE).await.unwrap(), [None; 3]);
    stores[0].give_back(vec![here[1].unwrap()]).await.unwrap();
    let there = stores[1].lease(all(), PATIENCE).await.unwrap();
    assert_eq!([there[0], there[2]], [None; 2]);
    assert!(there[1] > here[1], "a released decision is leased again");
}

#[tokio::test(flavor = "multi_thread")]
async fn old_leases_are_removed() {
    let Some(postgres) = Postgres::shared() else { return };
    let store = open(&postgres.database("leases")).await;
    let decisions = ["ended", "lasting", "recent"].map(|game| decision(game, 1, 0, 0));
    store.lease(decisions.to_vec(), PATIENCE).await.unwrap();
    for (game, ago) in [("ended", "11 minutes"), ("recent", "1 minute")] {
        let sql =
            format!("UPDATE lease SET expires = now() - interval '{ago}' WHERE game_id = '{game}'");
        postgres.execute("leases", &sql);
    }
    store.announce(vec![], PATIENCE).await.unwrap();
    assert_eq!(
        postgres.execute("leases", "SELECT game_id FROM lease ORDER BY game_id"),
        "lasting\nrecent"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn newer_decision_of_concurrent_leases_has_the_higher_fence() {
    const REVISIONS: u64 = 24;
    let Some(postgres) = Postgres::shared() else { return };
    let stores = two(&postgres, "fences").await;
    for round in 0..10 {
        let leases: Vec<_> = (1..=REVISIONS)
            .map(|revision| {
                let store = stores[revision as usize % 2].clone();
                let decision = decision(&format!("g{round}"), 1, revision, 0);
                tokio::spawn(async move { store.lease(vec![decision], PATIENCE).await.unwrap()[0] })
            })
            .collect();
        let mut fences = Vec::new();
        for lease in leases {
            fences.extend(lease.await.unwrap());
        }
        assert!(
            !fences.is_empty() && fences.is_sorted_by(|older, newer| older < newer),
            "{fences:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn engines_exchange_the_profiles_of_their_workers() {
    let Some(postgres) = Postgres::shared() else { return };
    let [one, other] = two(&postgres, "played").await;
    let profile = |name: &str| {
        let (kind, level) = ("k".to_owned(), "strong".to_owned());
        Profile { kind, name: name.to_owned(), level }
    };
    assert_eq!(one.announce(vec![profile("a"), profile("b")], PATIENCE).await.unwrap(), []);
    let mut heard = other.announce(vec![profile("c")], PATIENCE).await.unwrap();
    heard.sort();
    assert_eq!(heard, [profile("a"), profile("b")]);
    assert_eq!(
        one.announce(vec![profile("b")], Duration::from_millis(1)).await.unwrap(),
        [profile("c")]
    );
    tokio::time::sleep(Duration::from_millis(20)).await;
    assert_eq!(other.announce(vec![], PATIENCE).await.unwrap(), [], "announcements pass");
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_are_valid_until_they_are_revoked_or_their_account_is_banned() {
    let Some(postgres) = Postgres::shared() else { return };
    let store = open(&postgres.database("tokens")).await;
    for (id, role) in [("a", 1), ("b", 3)] {
        let account = account(id, role);
        let token = token(&account, &format!("t-{id}"), [id.as_bytes()[0]; 32]);
        store.open_account(account, token).await.unwrap();
    }
    let valid = async || {
        let mut valid =
            store.valid(vec!["t-a".to_owned(), "t-b".to_owned(), "none".to_owned()]).await.unwrap();
        valid.sort();
        valid
    };
    assert_eq!(valid().await, [("t-a".to_owned(), 1), ("t-b".to_owned(), 3)]);
    let banned = Account { banned: true, ..account("a", 1) };
    store.change_account(account("a", 1), banned).await.unwrap();
    assert_eq!(valid().await, [("t-b".to_owned(), 3)]);
    store.revoke("b", None).await.unwrap();
    assert_eq!(valid().await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn database_outage_is_noticed_and_recovery_is_used() {
    let Some(mut postgres) = Postgres::start() else { return };
    let store = open(&postgres.database("away")).await;
    store.append(append(row("g"), 0, "created")).await.unwrap();
    postgres.kill_server();
    becomes(&*store, false).await;
    assert!(matches!(
        store.append(append(row("g"), 1, "lost")).await,
        Err(StoreError::Unavailable(_))
    ));
    assert!(matches!(store.head("g").await, Err(StoreError::Unavailable(_))));
    postgres.restart();
    becomes(&*store, true).await;
    assert_eq!(
        store.head("g").await.unwrap(),
        End::at(1),
        "the acknowledged entries are stored, and no others"
    );
    store.append(append(row("g"), 1, "second")).await.unwrap();
}

fn on(data: &str) -> Settings {
    Settings {
        data: Some(PathBuf::from(data)),
        tokens: Some(PathBuf::from("/nowhere")),
        ..Settings::default()
    }
}

#[test]
fn database_address_rejects_settings_of_directories() {
    let config = Config::resolve(on("postgresql://u:p@host/db")).expect("good settings");
    let Data::Database(address) = &config.data else { panic!("{:?}", config.data) };
    assert_eq!(address.reveal(), "postgresql://u:p@host/db");
    assert!(!format!("{config:?}").contains(":p@"), "no log tells a password");
    assert_eq!((config.database.connections, config.tokens), (16, Some(PathBuf::from("/nowhere"))));
    assert_eq!(
        Config::resolve(on("postgres")).unwrap().data,
        Data::Directory(PathBuf::from("postgres"))
    );

    let limited = Settings { database_limit_mb: Some(1), ..on("postgres://host/db") };
    assert!(matches!(
        Config::resolve(limited),
        Err(ConfigError::WrongLocation { flag: "database-limit-mb", .. })
    ));
    let pooled = Settings { database_connections: Some(4), ..on("directory") };
    assert!(matches!(
        Config::resolve(pooled),
        Err(ConfigError::WrongLocation { flag: "database-connections", .. })
    ));
    let starved = Settings { database_connections: Some(7), ..on("postgres://host/db") };
    assert!(matches!(Config::resolve(starved), Err(ConfigError::TooFewConnections(_))));
}

#[tokio::test(flavor = "multi_thread")]
async fn token_files_are_shared_per_directory() {
    let Some(postgres) = Postgres::shared() else { return };
    let store = open(&postgres.database("owners")).await;
    let accounts = Arc::new(Accounts::new(
        store.clone(),
        Registration::Open,
        10,
        heliopause_engine::Time::default(),
    ));
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let starts: Vec<_> = [&here, &here, &there, &here]
        .map(|directory| {
            let (accounts, directory) = (accounts.clone(), directory.path().to_owned());
            tokio::spawn(async move {
                token_files::write_missing(&accounts, &directory, token_files::Owner::Other).await
            })
        })
        .into_iter()
        .collect();
    for start in starts {
        start.await.unwrap().expect("every engine starts");
    }
    for directory in [&here, &there] {
        for file in ["admin.token", "worker.token"] {
            let token = std::fs::read_to_string(directory.path().join(file)).unwrap();
            let bearer = Bearer::parse(token.trim()).unwrap();
            accounts
                .authenticate(&bearer)
                .await
                .unwrap_or_else(|failure| panic!("{file}: {failure}"));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_rows_are_errors() {
    let Some(postgres) = Postgres::shared() else { return };
    let store = open(&postgres.database("damaged")).await;
    for game in ["body", "number", "end", "snapshot", "secret", "row", "member", "sound"] {
        let members = vec![member("p", 1), member("q", 2)];
        let first =
            Append { snapshot: Some(Bytes::from_static(b"s")), ..append(row(game), 0, "one") };
        store.append(Append { row: GameRow { members, ..row(game) }, ..first }).await.unwrap();
        let members = vec![member("p", 1), member("q", 2)];
        store.append(append(GameRow { members, ..row(game) }, 1, "two")).await.unwrap();
    }
    for sql in [
        "UPDATE entry SET body = 'twp' WHERE game_id = 'body' AND number = 2",
        "UPDATE entry SET number = 6 WHERE game_id = 'number' AND number = 2",
        "DELETE FROM entry WHERE game_id = 'end' AND number = 2",
        "UPDATE snapshot SET body = 'r' WHERE game_id = 'snapshot'",
        "UPDATE game SET secret = set_byte(secret, 3, 9) WHERE game_id = 'secret'",
        "UPDATE game SET private = NOT private WHERE game_id = 'row'",
        "DELETE FROM member WHERE game_id = 'member' AND player_id = 'q'",
    ] {
        postgres.execute("damaged", sql);
    }
    let names = |game: &str, error: &StoreError| matches!(error, StoreError::Damaged(what) if what.contains(game));
    for game in ["body", "number", "end"] {
        let error = store.entries(game, 0, 10, 1_000).await.unwrap_err();
        assert!(names(game, &error), "{game}: {error}");
        assert_eq!(
            store.entries(game, 0, 1, 1_000).await.unwrap().len(),
            1,
            "{game}: undamaged data is readable"
        );
    }
    for game in ["number", "end", "snapshot", "secret"] {
        let error = store.load(game).await.unwrap_err();
        assert!(names(game, &error), "{game}: {error}");
    }
    for game in ["row", "member"] {
        let error = store.game(game).await.unwrap_err();
        assert!(names(game, &error), "{game}: {error}");
    }
    let query = GameQuery { limit: 100, ..GameQuery::default() };
    assert!(matches!(store.games(query).await, Err(StoreError::Damaged(_))));
    let damage = heliopause_engine::verify::check_store(&*store, &|_, _| ()).await.damage;
    for game in ["body", "number", "end", "snapshot", "secret", "row", "member"] {
        assert!(
            damage.iter().any(|what| what.contains(&format!("{game:?}"))),
            "{game}: {damage:?}"
        );
    }
}
