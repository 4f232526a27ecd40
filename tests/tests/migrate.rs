//! Migration from the embedded database to a shared one.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Instant;

use heliopause_engine::store::postgres::PostgresStore;
use heliopause_engine::store::sqlite::SqliteStore;
use heliopause_proto::v1::*;
use heliopause_tests::{Engine, EngineOptions, Postgres, Sandbox, binary, wait_until};

fn migration(from: &Path, to: &str) -> Command {
    let mut command = Command::new(binary("engine-service"));
    command
        .args(["migrate", "--from", &format!("sqlite:{}", from.display())])
        .env("HELIOPAUSE_TO", to);
    command
}

fn migrate(from: &Path, to: &str) -> Output {
    migration(from, to).output().expect("the engine can be started")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_is_migrated_and_games_continue() {
    let Some(postgres) = Postgres::shared() else { return };
    let (mut engine, [ada, bob]) = Engine::with_players(["Ada", "Bob"]).await;
    let gone = engine.player("Gone").await;
    let (admin, player) = (engine.admin().await, gone.name.clone());
    admin.does(DeletePlayerRequest { player }).await;
    let sandbox = Sandbox::new(&ada, 1, &[]).await;
    for _ in 0..300 {
        sandbox.order(1, "mark (0,0)\ntake up (0,0)").await.unwrap();
    }
    let table = ada.create(1).await;
    bob.join(&table.game_id).await;
    let before = (ada.all_events(&sandbox.game_id).await, bob.all_events(&table.game_id).await);

    let address = postgres.database("games");
    let refused = migrate(engine.data(), &address);
    assert!(!refused.status.success(), "the engine still runs");
    assert!(said(&refused).contains("stop it first"), "{refused:?}");
    assert!(engine.terminate().success());
    let moved = migrate(engine.data(), &format!("{address}?password=SECRET"));
    assert!(moved.status.success(), "{moved:?}");
    assert!(
        said(&moved).contains("moved: games 2,") && !said(&moved).contains("SECRET"),
        "{moved:?}"
    );
    let again = migrate(engine.data(), &address);
    assert!(said(&again).contains("not empty"), "{again:?}");

    let engine = Engine::on_database(&address, &["--sandbox"]);
    let (ada, bob) = (ada.on(engine.channel().await), bob.on(engine.channel().await));
    assert_eq!(
        (ada.all_events(&sandbox.game_id).await, bob.all_events(&table.game_id).await),
        before
    );
    let there = sandbox.at(ada.clone());
    there.order(1, "mark (0,0)").await.expect("the game goes on");
    ada.verified(&there.game_id).await;
    let erased = ada.does(GetPlayerRequest { player: gone.id }).await;
    assert_eq!(erased.player.unwrap().name, "");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_migration_is_not_served_and_can_be_repeated() {
    let Some(mut postgres) = Postgres::start() else { return };
    let (mut engine, [ada]) = Engine::with_players(["Ada"]).await;
    let mut games = Vec::new();
    for _ in 0..3 {
        let sandbox = Sandbox::new(&ada, 1, &[]).await;
        for _ in 0..60 {
            sandbox.order(1, "mark (0,0)\ntake up (0,0)").await.unwrap();
        }
        games.push((sandbox.game_id.clone(), ada.all_events(&sandbox.game_id).await));
    }
    assert!(engine.terminate().success());
    let nothing = tempfile::tempdir().unwrap();
    drop(SqliteStore::open(nothing.path(), None).unwrap());

    // For each table, a lock stops the migration before it writes to that table.
    for table in ["game", "entry", "snapshot", "account", "token"] {
        let name = format!("cut_at_{table}");
        let address = postgres.database(&name);
        assert!(migrate(nothing.path(), &address).status.success());
        let lock = format!("BEGIN; LOCK TABLE {table} IN SHARE MODE; SELECT pg_sleep(600)");
        let mut keeper = Command::new("psql");
        keeper.args(["-X", "-c", &lock, &address]).stdout(Stdio::null());
        let mut keeper = keeper.spawn().expect("psql can be started");
        until(
            &postgres,
            &name,
            "EXISTS (SELECT FROM pg_locks WHERE mode = 'ShareLock' AND granted)",
        );
        let mut moving = migration(engine.data(), &address);
        let mut moving = moving.stderr(Stdio::null()).spawn().expect("the engine can be started");
        until(&postgres, &name, "EXISTS (SELECT FROM pg_locks WHERE NOT granted)");
        if table == "snapshot" {
            postgres.kill_server();
            assert!(!moving.wait().unwrap().success());
            postgres.restart();
        } else {
            moving.kill().unwrap();
            moving.wait().unwrap();
        }
        keeper.kill().unwrap();
        keeper.wait().unwrap();
        postgres.execute(&name, END_KEEPER);
        until(&postgres, &name, ALONE);

        let accounts = postgres.execute(&name, "SELECT count(*) FROM account");
        assert_eq!(accounts, "0", "cut short at {table}");
        let again = migrate(engine.data(), &address);
        assert!(said(&again).contains("interrupted"), "at {table}: {again:?}");
        let database = EngineOptions { database: Some(address), ..EngineOptions::default() };
        let refused = Engine::try_on(Engine::directory(), database).err();
        assert!(refused.is_some_and(|why| why.contains("interrupted")), "at {table}");
    }

    let address = postgres.database("whole");
    assert!(migrate(engine.data(), &address).status.success());
    let engine = Engine::on_database(&address, &["--sandbox"]);
    let ada = ada.on(engine.channel().await);
    for (game_id, before) in games {
        assert_eq!(ada.all_events(&game_id).await, before);
    }
}

/// Security S6: after 3 of 24 kills of the migration, an engine accepted a database without games.
#[tokio::test(flavor = "multi_thread")]
async fn a_killed_migration_leaves_no_empty_database_to_engines() {
    const KILLS: u32 = 24;
    let Some(postgres) = Postgres::shared() else { return };
    let (mut engine, [ada]) = Engine::with_players(["Ada"]).await;
    for _ in 0..20 {
        Sandbox::new(&ada, 1, &[]).await;
    }
    assert!(engine.terminate().success());
    let address = postgres.database("whole");
    let begun = Instant::now();
    assert!(migrate(engine.data(), &address).status.success());
    let whole = begun.elapsed();
    let mut cut_short = 0;
    for kill in 0..KILLS {
        let name = format!("killed{kill}");
        let address = postgres.database(&name);
        let mut moving = migration(engine.data(), &address);
        let mut moving = moving.stderr(Stdio::null()).spawn().expect("the engine can be started");
        sleep(whole * kill / KILLS);
        moving.kill().unwrap();
        moving.wait().unwrap();
        until(&postgres, &name, ALONE);
        let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'";
        if postgres.execute(&name, tables) == "0" {
            continue;
        }
        if let Err(refused) = PostgresStore::open(&address, 8, None).await {
            assert!(refused.to_string().contains("interrupted"), "kill {kill}: {refused}");
            cut_short += 1;
        } else {
            let games = postgres.execute(&name, "SELECT count(*) FROM game");
            assert_eq!(games, "20", "kill {kill}");
        }
    }
    assert!(cut_short > 0, "no kill met the move, which took {whole:?}");
}

const END_KEEPER: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
    WHERE query LIKE 'BEGIN; LOCK TABLE%'";
const ALONE: &str = "NOT EXISTS (SELECT FROM pg_stat_activity \
    WHERE datname = current_database() AND pid <> pg_backend_pid())";

fn until(postgres: &Postgres, database: &str, what: &str) {
    wait_until(what, || postgres.execute(database, &format!("SELECT {what}")) == "t");
}

#[test]
fn data_that_cannot_be_migrated_is_named() {
    let empty = tempfile::tempdir().unwrap();
    let refused = migrate(empty.path(), "sqlite:nowhere");
    assert!(said(&refused).contains("--to must be a database"), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_game_is_named_and_no_account_is_migrated() {
    let Some(postgres) = Postgres::shared() else { return };
    let (mut engine, [ada]) = Engine::with_players(["Ada"]).await;
    let sandbox = Sandbox::new(&ada, 1, &[]).await;
    for _ in 0..10 {
        sandbox.order(1, "mark (0,0)\ntake up (0,0)").await.unwrap();
    }
    assert!(engine.terminate().success());
    let damages = [
        (
            "it ends with entry 11",
            "DELETE FROM entry WHERE number = (SELECT max(number) FROM entry)",
        ),
        (
            "the checksum does not match",
            "UPDATE entry SET body = (SELECT body FROM entry WHERE number = 4) WHERE number = 3",
        ),
        ("expected entry 2, found entry 3", "DELETE FROM entry WHERE number = 2"),
    ];
    for (number, (fault, damage)) in damages.into_iter().enumerate() {
        let source = copy_of(engine.data());
        let database = rusqlite::Connection::open(source.path().join("heliopause.db")).unwrap();
        assert_eq!(database.execute(damage, []).unwrap(), 1);
        drop(database);
        let name = format!("games{number}");
        let address = postgres.database(&name);
        let refused = migrate(source.path(), &address);
        assert!(!refused.status.success(), "{damage}: {refused:?}");
        assert!(
            said(&refused).contains(&sandbox.game_id) && said(&refused).contains(fault),
            "{damage}: {refused:?}"
        );
        // Some damage is found before the target is opened.
        let schema = "SELECT count(*) FROM pg_tables WHERE tablename = 'account'";
        let nobody = postgres.execute(&name, schema) == "0"
            || postgres.execute(&name, "SELECT count(*) FROM account") == "0";
        assert!(nobody, "{damage}");
        assert!(
            !migrate(source.path(), &address).status.success(),
            "{damage}: the second time it moves"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_documented_database_rights_suffice() {
    let Some(postgres) = Postgres::start() else { return };
    // Replace the guide's role name, which is also the name of the test's own user.
    let roles = include_str!("../../deploy/roles.sql").replace("heliopause", "games");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("roles.sql");
    std::fs::write(&file, roles).unwrap();
    let mut psql = Command::new("psql");
    psql.args("-X -q -v ON_ERROR_STOP=1 -v owner_password=one -v password=other -f".split(' '));
    let made =
        psql.arg(&file).arg(postgres.address("postgres")).output().expect("psql can be started");
    assert!(made.status.success(), "{made:?}");

    let address = |user: &str| format!("postgres://{user}@127.0.0.1:{}/games", postgres.port());
    let database = |user: &str| EngineOptions {
        arguments: vec!["--sandbox".to_owned()],
        database: Some(address(user)),
        ..EngineOptions::default()
    };
    let early = Engine::try_on(Engine::directory(), database("games"))
        .err()
        .expect("it may not make the schema");
    assert!(early.contains("permission denied"), "{early}");
    assert!(Engine::on(Engine::directory(), database("games_owner")).terminate().success());
    let engine = Engine::on(Engine::directory(), database("games"));
    let ada = engine.player("Ada").await;
    Sandbox::new(&ada, 1, &[])
        .await
        .order(1, "mark (0,0)")
        .await
        .expect("it has the rights for that");
    let refused = Command::new("psql")
        .args(["-X", "-c", "CREATE TABLE more ()", &address("games")])
        .output()
        .unwrap();
    assert!(said(&refused).contains("permission denied"), "{refused:?}");
}

fn copy_of(directory: &Path) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    for file in std::fs::read_dir(directory).unwrap().map(Result::unwrap) {
        std::fs::copy(file.path(), copy.path().join(file.file_name())).unwrap();
    }
    copy
}
