//! Connections to the database: TLS as set in the address, and the errors of failed connections.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use heliopause_engine::Time;
use heliopause_engine::accounts::token_files::{Owner, write_missing};
use heliopause_engine::accounts::{Accounts, Registration};
use heliopause_engine::store::postgres::{OpenError, PostgresStore};
use heliopause_engine::store::{Shared as _, Store as _, StoreError};
use heliopause_test_database::Postgres;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};

use crate::support::{self, PATIENCE, append, becomes, program, row};

struct Identity {
    certificate: String,
    key: String,
}

fn params(names: &[&str], common_name: &str) -> CertificateParams {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let mut params = CertificateParams::new(names).expect("good names");
    params.distinguished_name.push(DnType::CommonName, common_name);
    params
}

fn self_signed_identity(params: &CertificateParams) -> Identity {
    let key = KeyPair::generate().expect("a key");
    Identity {
        certificate: params.self_signed(&key).expect("a certificate").pem(),
        key: key.serialize_pem(),
    }
}

struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    fn new(name: &str) -> Self {
        let mut params = params(&[], name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self(
            CertifiedIssuer::self_signed(params, KeyPair::generate().expect("a key"))
                .expect("an authority"),
        )
    }

    fn sign(&self, params: &CertificateParams) -> Identity {
        let key = KeyPair::generate().expect("a key");
        let certificate = params.signed_by(&key, &self.0).expect("a certificate").pem();
        Identity { certificate, key: key.serialize_pem() }
    }
}

fn enable_tls(postgres: &mut Postgres, identity: &Identity) {
    let data = PathBuf::from(postgres.execute("postgres", "SHOW data_directory"));
    for (name, text) in [("server.crt", &identity.certificate), ("server.key", &identity.key)] {
        let file = data.join(name);
        std::fs::write(&file, text).expect("the data directory can be written");
        run(Command::new("chmod").arg("600").arg(&file));
        run(Command::new("chown").arg(format!("--reference={}", data.display())).arg(&file));
    }
    postgres.execute("postgres", "ALTER SYSTEM SET ssl = on");
    postgres.kill_server();
    postgres.restart();
}

fn run(command: &mut Command) {
    assert!(command.status().expect("a program of the system").success(), "{command:?}");
}

async fn encrypted(
    postgres: &Postgres,
    address: &str,
    authority: Option<&Path>,
) -> Result<bool, String> {
    let store = PostgresStore::open(address, 8, authority).await.map_err(|error| {
        assert!(matches!(error, OpenError::Tls(_) | OpenError::NoAuthorities), "{error:?}");
        error.to_string()
    })?;
    store.counts().await.expect("it answers");
    let sql = "SELECT bool_and(s.ssl) FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid)
               WHERE a.application_name = 'heliopause' AND a.state IS NOT NULL";
    let told = postgres.execute("postgres", sql);
    drop(store);
    // Wait until the connections have ended, so that the next test case does not count them.
    let gone = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE \
        application_name = 'heliopause'";
    while postgres.execute("postgres", gone) != "0" {
        sleep(Duration::from_millis(20)).await;
    }
    Ok(told == "t")
}

fn file(directory: &tempfile::TempDir, name: &str, text: &str) -> PathBuf {
    let file = directory.path().join(name);
    std::fs::write(&file, text).expect("a temporary directory");
    file
}

#[tokio::test(flavor = "multi_thread")]
async fn tls_is_used_if_available_and_verified_on_request() {
    let Some(mut postgres) = Postgres::start() else { return };
    let plain = postgres.database("tls");
    let refused =
        encrypted(&postgres, &format!("{plain}?sslmode=require"), None).await.unwrap_err();
    assert!(refused.contains("does not support TLS"), "{refused}");
    assert_eq!(encrypted(&postgres, &plain, None).await, Ok(false), "there is none yet");

    let snakeoil = self_signed_identity(&params(&[], "some-machine"));
    enable_tls(&mut postgres, &snakeoil);
    for (mode, expected) in [
        ("", true),
        ("?sslmode=prefer", true),
        ("?sslmode=require", true),
        ("?sslmode=disable", false),
    ] {
        assert_eq!(
            encrypted(&postgres, &format!("{plain}{mode}"), None).await,
            Ok(expected),
            "{mode}"
        );
    }
    for mode in ["verify-ca", "verify-full"] {
        let refused =
            encrypted(&postgres, &format!("{plain}?sslmode={mode}"), None).await.unwrap_err();
        assert!(
            refused.contains("certificate") && refused.contains("--database-ca"),
            "{mode}: {refused}"
        );
    }

    let directory = tempfile::tempdir().unwrap();
    let own = file(&directory, "own.pem", &snakeoil.certificate);
    let with_own = |mode: &str| format!("{plain}?sslrootcert={}{mode}", own.display());
    assert_eq!(encrypted(&postgres, &with_own(""), None).await, Ok(true));
    assert_eq!(encrypted(&postgres, &with_own("&sslmode=verify-ca"), None).await, Ok(true));
    let misnamed = encrypted(&postgres, &with_own("&sslmode=verify-full"), None).await.unwrap_err();
    assert!(misnamed.contains("not valid for name"), "{misnamed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn certificate_is_accepted_if_the_given_ca_signed_it() {
    let Some(mut postgres) = Postgres::start() else { return };
    let directory = tempfile::tempdir().unwrap();
    let (authority, other) = (Authority::new("ours"), Authority::new("theirs"));
    let ca = file(&directory, "ca.pem", &authority.0.pem());
    let wrong = file(&directory, "wrong.pem", &other.0.pem());
    let none = file(&directory, "none.pem", "nothing\n");
    let plain = postgres.database("signed");
    let full = format!("{plain}?sslmode=verify-full");

    enable_tls(&mut postgres, &authority.sign(&params(&["127.0.0.1"], "database")));
    for mode in
        ["", "?sslmode=prefer", "?sslmode=require", "?sslmode=verify-ca", "?sslmode=verify-full"]
    {
        let address = format!("{plain}{mode}");
        assert_eq!(encrypted(&postgres, &address, Some(&ca)).await, Ok(true), "{mode}");
        let refused = encrypted(&postgres, &address, Some(&wrong)).await.unwrap_err();
        assert!(refused.contains("certificate"), "{mode}: {refused}");
    }
    let empty = PostgresStore::open(&full, 8, Some(&none)).await.err().expect("no CA is trusted");
    assert!(empty.to_string().contains("none.pem"), "{empty}");

    enable_tls(&mut postgres, &authority.sign(&params(&["elsewhere.example"], "127.0.0.1")));
    assert_eq!(
        encrypted(&postgres, &format!("{plain}?sslmode=verify-ca"), Some(&ca)).await,
        Ok(true)
    );
    let misnamed = encrypted(&postgres, &full, Some(&ca)).await.unwrap_err();
    assert!(misnamed.contains("elsewhere.example"), "{misnamed}");

    // The command in PostgreSQL's manual creates a self-signed CA certificate that names the host
    // only in its common name.
    let mut manual = params(&[], "localhost");
    manual.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let manual = self_signed_identity(&manual);
    enable_tls(&mut postgres, &manual);
    let own = file(&directory, "manual.pem", &manual.certificate);
    let by_name = full.replace("127.0.0.1", "localhost");
    assert_eq!(encrypted(&postgres, &by_name, Some(&own)).await, Ok(true));
    assert!(encrypted(&postgres, &full, Some(&own)).await.is_err());
}

fn refused(address: &str) -> String {
    let tokens = tempfile::tempdir().expect("a temporary directory");
    let mut program = program();
    program.args(["--listen", "127.0.0.1:0", "--tokens"]).arg(tokens.path());
    let said = support::refused(program.env("HELIOPAUSE_DATA", address));
    assert!(!said.contains("SECRET"), "{said}");
    said
}

#[tokio::test(flavor = "multi_thread")]
async fn connection_errors_are_distinct_and_hide_passwords() {
    let Some(mut postgres) = Postgres::start() else { return };
    let address = postgres.database("home");
    let as_user = |user: &str| address.replace("heliopause@", &format!("{user}:SECRET@"));
    postgres.execute(
        "home",
        "CREATE ROLE guest LOGIN PASSWORD 'other'; CREATE ROLE player LOGIN; REVOKE CREATE ON \
         SCHEMA public FROM PUBLIC",
    );
    assert!(refused(&as_user("player")).contains("the database user lacks privileges"));
    drop(PostgresStore::open(&address, 8, None).await.expect("the owner has the privileges"));
    assert!(refused(&as_user("player")).contains("the database user lacks privileges"));

    assert!(refused("postgres://u:SECRET@127.0.0.1:1/d").contains("does not respond"));
    assert!(refused("postgres://u:SECRET@nowhere.invalid/d").contains("does not respond"));
    assert!(
        refused(&as_user("heliopause").replace("/home", "/away"))
            .contains("\"away\" does not exist")
    );
    assert!(refused(&format!("{}?ssl=SECRET", as_user("heliopause"))).contains("is invalid"));
    assert!(refused("postgres:///d?password=SECRET").contains("host"));
    assert!(refused("mysql://u:SECRET@h/d").contains("postgres://USER"));
    assert!(refused(&as_user("nobody")).contains("rejected the login"));

    let hba = postgres.execute("home", "SHOW hba_file");
    std::fs::write(
        &hba,
        "host all guest 127.0.0.1/32 scram-sha-256\nhost all heliopause 127.0.0.1/32 trust\n",
    )
    .unwrap();
    postgres.kill_server();
    postgres.restart();
    assert!(refused(&as_user("guest")).contains("password authentication failed"));
    assert!(refused(&as_user("stranger")).contains("pg_hba.conf"));

    postgres.execute("home", "UPDATE heliopause_schema SET version = 99");
    assert!(refused(&as_user("heliopause")).contains("schema 99"));
}

#[test]
fn help_shows_no_password() {
    let mut program = program();
    let help =
        program.arg("--help").env("HELIOPAUSE_DATA", "postgres://u:SECRET@h/d").output().unwrap();
    assert!(help.status.success() && !String::from_utf8_lossy(&help.stdout).contains("SECRET"));
}

#[tokio::test(flavor = "multi_thread")]
async fn read_only_database_is_unavailable_until_writable() {
    let Some(postgres) = Postgres::start() else { return };
    let address = postgres.database("frozen");
    let owner = PostgresStore::open(&address, 8, None).await.unwrap();
    postgres.execute(
        "frozen",
        "CREATE ROLE player LOGIN; GRANT ALL ON ALL TABLES IN SCHEMA public TO player",
    );
    let store =
        PostgresStore::open(&address.replace("heliopause@", "player@"), 8, None).await.unwrap();
    store.append(append(row("g"), 0, "entry")).await.unwrap();

    let only_read = |only: &str| {
        postgres.execute(
            "frozen",
            &format!("ALTER ROLE player SET default_transaction_read_only = {only}"),
        );
        postgres.execute(
            "frozen",
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'player'",
        );
    };
    only_read("on");
    becomes(&store, false).await;
    assert!(matches!(
        store.append(append(row("g"), 1, "entry")).await,
        Err(StoreError::Unavailable(_))
    ));
    assert_eq!(store.load("g").await.unwrap().last, 1, "reads continue");
    only_read("off");
    becomes(&store, true).await;

    // Like a server with a full disk, this server rejects writes but does not report itself as
    // read-only.
    postgres.execute("frozen", "REVOKE INSERT, UPDATE ON ALL TABLES IN SCHEMA public FROM player");
    for _ in 0..3 {
        assert!(matches!(
            store.append(append(row("g"), 1, "entry")).await,
            Err(StoreError::Unavailable(_))
        ));
    }
    becomes(&store, false).await;
    postgres.execute("frozen", "GRANT INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO player");
    becomes(&store, true).await;
    store.append(append(row("g"), 1, "entry")).await.unwrap();
    assert_eq!(owner.load("g").await.unwrap().last, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn hints_count_as_received_only_after_the_first_one() {
    let Some(postgres) = Postgres::start() else { return };
    let address = postgres.database("deaf");
    drop(PostgresStore::open(&address, 8, None).await.unwrap());
    // LISTEN is allowed, but no notification arrives, as with some poolers.
    postgres.execute(
        "deaf",
        "CREATE ROLE player LOGIN; GRANT ALL ON ALL TABLES IN SCHEMA public TO player;
         REVOKE EXECUTE ON FUNCTION pg_notify FROM PUBLIC",
    );
    let store =
        PostgresStore::open(&address.replace("heliopause@", "player@"), 8, None).await.unwrap();
    for _ in 0..20 {
        sleep(Duration::from_millis(100)).await;
        assert!(!store.receives_hints(), "no hint was sent");
    }
    postgres.execute("deaf", "GRANT EXECUTE ON FUNCTION pg_notify TO player");
    timeout(PATIENCE, async {
        while !store.receives_hints() {
            sleep(Duration::from_millis(20)).await;
        }
    })
    .await
    .expect("the engine receives its own notification");
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_lists_block_neither_orders_nor_heartbeats() {
    let Some(postgres) = Postgres::shared() else { return };
    let postgres = Arc::new(postgres);
    let store = Arc::new(PostgresStore::open(&postgres.database("slow"), 8, None).await.unwrap());
    let holder = tokio::task::spawn_blocking({
        let postgres = postgres.clone();
        move || postgres.execute("slow", "BEGIN; LOCK TABLE account; SELECT pg_sleep(8); COMMIT")
    });
    let is_locked = "SELECT count(*) FROM pg_locks WHERE relation = 'account'::regclass AND mode = \
        'AccessExclusiveLock'";
    while postgres.execute("slow", is_locked) == "0" {
        sleep(Duration::from_millis(20)).await;
    }
    let lists: Vec<_> = (0..32)
        .map(|_| {
            let store = store.clone();
            tokio::spawn(async move { store.accounts("", "x", 10).await })
        })
        .collect();
    for game in 0..20 {
        let written = timeout(
            Duration::from_secs(3),
            store.append(append(row(&format!("g{game}")), 0, "entry")),
        )
        .await;
        written.expect("orders do not wait for lists").unwrap();
        sleep(Duration::from_millis(100)).await;
        assert!(store.is_available(), "the database is alive");
    }
    for list in lists {
        assert!(matches!(list.await.unwrap(), Err(StoreError::Unavailable(_))));
    }
    let running = "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%FROM account%strpos%'
                   AND datname = current_database() AND pid <> pg_backend_pid()";
    let given_up = async {
        while postgres.execute("slow", running) != "0" {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(PATIENCE, given_up).await.expect("the database aborted the queries too");
    holder.await.unwrap();
    assert_eq!(store.accounts("", "x", 10).await.unwrap(), []);
}

fn silent() -> std::net::TcpListener {
    std::net::TcpListener::bind("127.0.0.1:0").expect("a free port")
}

/// A host that drops packets because its connection queue is full.
struct Dropping {
    listener: tokio::net::TcpListener,
    _waiting: Vec<tokio::task::JoinHandle<()>>,
}

impl Dropping {
    async fn start() -> Self {
        let socket = tokio::net::TcpSocket::new_v4().expect("a socket");
        socket.bind("127.0.0.1:0".parse().unwrap()).expect("a free port");
        let listener = socket.listen(1).expect("it listens");
        let address = listener.local_addr().unwrap();
        let wait = move || async move {
            let _held = TcpStream::connect(address).await;
            std::future::pending::<()>().await;
        };
        let waiting = (0..8).map(|_| tokio::spawn(wait())).collect();
        loop {
            let connecting = TcpStream::connect(address);
            if timeout(Duration::from_millis(500), connecting).await.is_err() {
                return Self { listener, _waiting: waiting };
            }
        }
    }

    fn port(&self) -> u16 {
        self.listener.local_addr().unwrap().port()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn unresponsive_hosts_do_not_block_a_responsive_one() {
    let Some(postgres) = Postgres::shared() else { return };
    let name = postgres.name("games");
    postgres.database("games");
    let (silent, dropping) = (silent(), Dropping::start().await);
    let silent = silent.local_addr().unwrap().port();
    let (dropping, port) = (dropping.port(), postgres.port());
    for ports in [vec![silent, port], vec![dropping, port], vec![silent, dropping, port]] {
        for attributes in ["any", "read-write"] {
            let hosts: Vec<String> = ports.iter().map(|port| format!("127.0.0.1:{port}")).collect();
            let address = format!(
                "postgres://heliopause@{}/{name}?target_session_attrs={attributes}",
                hosts.join(",")
            );
            let store = PostgresStore::open(&address, 8, None).await.expect("one host answers");
            // Each lookup needs its own connection, and the pool must open all of them in time.
            for done in futures_util::future::join_all((0..6).map(|_| store.head("none"))).await {
                assert!(matches!(done, Err(StoreError::NotFound)), "{done:?}");
            }
            store.counts().await.expect("a list");
            assert!(store.is_available(), "the health checks reach the database");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn error_names_the_most_useful_reason_if_no_host_answers() {
    let (silent, dropping) = (silent(), Dropping::start().await);
    let silent = silent.local_addr().unwrap().port();
    let refusing = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let hosts = |ports: &[u16]| {
        let hosts: Vec<String> = ports.iter().map(|port| format!("127.0.0.1:{port}")).collect();
        format!("postgres://heliopause@{}/games?connect_timeout=1", hosts.join(","))
    };
    let mut told = Vec::new();
    for address in [hosts(&[silent]), hosts(&[silent, dropping.port()]), hosts(&[silent, refusing])]
    {
        let opened = timeout(Duration::from_mins(1), PostgresStore::open(&address, 8, None)).await;
        let error = opened.expect("the connection attempt fails").err().expect("no host responds");
        assert!(matches!(error, OpenError::Unreachable(_)), "{error:?}");
        told.push(error.to_string());
    }
    assert!(told[0].contains("no host responded within 1 s"), "{}", told[0]);
    assert!(told[1].contains("no host responded within 1 s"), "{}", told[1]);
    assert!(told[2].contains("refused"), "{}", told[2]);
}

#[tokio::test(flavor = "multi_thread")]
async fn unescaped_at_sign_in_a_password_is_explained() {
    let address = "postgres://heliopause:p@ss@db.example/games";
    let error = PostgresStore::open(address, 8, None).await.err().expect("the address is invalid");
    assert!(matches!(error, OpenError::Address(_)), "{error:?}");
    let told = error.to_string();
    assert!(told.contains("write %40 for each @") && told.contains("\"db.example\""), "{told}");
    assert!(!told.contains("ss@"), "the error contains a part of the password: {told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn newer_schema_is_reported_to_a_user_with_few_rights() {
    let Some(postgres) = Postgres::start() else { return };
    let address = postgres.database("games");
    drop(PostgresStore::open(&address, 8, None).await.expect("it is made"));
    postgres.execute(
        "games",
        "CREATE ROLE low LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO low;
         UPDATE heliopause_schema SET version = version + 1",
    );
    let low = address.replace("heliopause@", "low@");
    let error = PostgresStore::open(&low, 8, None).await.err().expect("the schema is newer");
    assert!(matches!(error, OpenError::Newer { .. }), "{error:?}");
    postgres.execute("games", "UPDATE heliopause_schema SET version = 1");
    let error = PostgresStore::open(&low, 8, None).await.err().expect("the schema is older");
    assert!(matches!(error, OpenError::Older { found: 1 }), "{error:?}");
}

/// A pooler in front of a database, like PgBouncer. With `by_transaction`, the pooler distributes
/// the transactions of a client over two connections.
struct Pooler {
    port: u16,
    by_transaction: Arc<AtomicBool>,
}

impl Pooler {
    async fn start(database: u16) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().unwrap().port();
        let by_transaction = Arc::new(AtomicBool::new(false));
        let switch = Arc::clone(&by_transaction);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(pooled(client, database, Arc::clone(&switch)));
            }
        });
        Self { port, by_transaction }
    }
}

async fn message(from: &mut (impl AsyncRead + Unpin)) -> Option<Vec<u8>> {
    let kind = from.read_u8().await.ok()?;
    let length = from.read_u32().await.ok()?;
    let mut message = [&[kind][..], &length.to_be_bytes()].concat();
    message.resize(length as usize + 1, 0);
    from.read_exact(&mut message[5..]).await.ok()?;
    Some(message)
}

fn messages(mut from: impl AsyncRead + Send + Unpin + 'static, to: mpsc::Sender<Vec<u8>>) {
    tokio::spawn(async move {
        while let Some(message) = message(&mut from).await {
            if to.send(message).await.is_err() {
                return;
            }
        }
    });
}

async fn pooled(client: TcpStream, database: u16, by_transaction: Arc<AtomicBool>) -> Option<()> {
    let (mut from, mut to) = client.into_split();
    let length = from.read_u32().await.ok()?;
    let mut start = length.to_be_bytes().to_vec();
    start.resize(length as usize, 0);
    from.read_exact(&mut start[4..]).await.ok()?;
    let (answers, mut answered) = mpsc::channel(64);
    let mut servers = Vec::new();
    for first in [true, false] {
        let mut server = TcpStream::connect(("127.0.0.1", database)).await.ok()?;
        server.write_all(&start).await.ok()?;
        loop {
            let greeting = message(&mut server).await?;
            if first {
                to.write_all(&greeting).await.ok()?;
            }
            if greeting[0] == b'Z' {
                break;
            }
        }
        let (read, write) = server.into_split();
        messages(read, answers.clone());
        servers.push(write);
    }
    let (asks, mut asked) = mpsc::channel(64);
    messages(from, asks);
    let (mut current, mut open, mut at_rest) = (0, 0, true);
    loop {
        tokio::select! {
            ask = asked.recv() => {
                let ask = ask?;
                if at_rest && by_transaction.load(Ordering::Relaxed) {
                    current = 1 - current;
                }
                at_rest = false;
                open += u32::from(matches!(ask[0], b'Q' | b'S'));
                servers[current].write_all(&ask).await.ok()?;
            }
            answer = answered.recv() => {
                let answer = answer?;
                if answer[0] == b'Z' {
                    open -= 1;
                    at_rest = open == 0 && answer[5] == b'I';
                }
                to.write_all(&answer).await.ok()?;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn transaction_pooler_is_reported_with_what_to_do() {
    let Some(postgres) = Postgres::shared() else { return };
    let address = postgres.database("games");
    let pooler = Pooler::start(postgres.port()).await;
    let port = |port: u16| format!(":{port}/");
    let address = address.replace(&port(postgres.port()), &port(pooler.port)) + "?sslmode=disable";
    let store =
        PostgresStore::open(&address, 8, None).await.expect("the pooler preserves sessions");
    let directory = tempfile::tempdir().unwrap();
    let accounts = Accounts::new(Arc::new(store), Registration::Open, 5, Time::default());
    write_missing(&accounts, directory.path(), Owner::Store)
        .await
        .expect("the pooler preserves sessions");

    pooler.by_transaction.store(true, Ordering::Relaxed);
    let opened = PostgresStore::open(&address, 8, None)
        .await
        .err()
        .expect("the pooler does not preserve sessions");
    std::fs::remove_file(directory.path().join("worker.token")).unwrap();
    let is_named = |told: &str| told.contains("prepared statement") && told.contains("pool_mode");
    assert!(is_named(&opened.to_string()), "{opened}");
    let written = async {
        // On a slow machine, the first errors may only report that the database is slow.
        loop {
            let written = write_missing(&accounts, directory.path(), Owner::Store).await;
            if is_named(&written.expect_err("the pooler does not preserve sessions").to_string()) {
                return;
            }
            sleep(Duration::from_millis(100)).await;
        }
    };
    timeout(PATIENCE, written).await.expect("the reason is named");
}
