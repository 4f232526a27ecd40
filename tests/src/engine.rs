//! The engine, started as a process.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use heliopause_proto::v1::{AccountRole, GrantRoleRequest};
use rcgen::{CertificateParams, KeyPair};
use tempfile::TempDir;
use tonic::transport::{Channel, Endpoint};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use crate::{Person, Player, wait_until};

/// Returns the path of a program of this workspace.
pub fn binary(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its own path");
    let profile = test.ancestors().find(|folder| folder.join(name).is_file());
    profile
        .unwrap_or_else(|| {
            panic!("{name} is not built: run `cargo build --workspace --bins` first")
        })
        .join(name)
}

/// The options of an engine, besides its data directory and port.
#[derive(Clone, Debug, Default)]
pub struct EngineOptions {
    pub arguments: Vec<String>,
    /// Store everything in memory instead of the data directory.
    pub memory: bool,
    /// Use the database at this address. The data directory has only the tokens.
    pub database: Option<String>,
    /// The port, or 0 for a free one.
    pub port: u16,
}

/// A running engine. Dropping it kills the process.
pub struct Engine {
    child: Child,
    address: String,
    metrics: Option<String>,
    data: Arc<TempDir>,
    options: EngineOptions,
    log: Arc<Mutex<String>>,
}

impl Engine {
    pub fn start() -> Self {
        Self::with(&["--sandbox"])
    }

    pub fn with(arguments: &[&str]) -> Self {
        Self::on(Self::directory(), Self::options(arguments))
    }

    /// Starts an engine with the sandbox, and registers players.
    pub async fn with_players<const COUNT: usize>(names: [&str; COUNT]) -> (Self, [Player; COUNT]) {
        let engine = Self::start();
        let players = engine.players(names).await;
        (engine, players)
    }

    /// Starts an engine with the sandbox, and registers users of the command line.
    pub fn with_people<const COUNT: usize>(names: [&str; COUNT]) -> (Self, [Person; COUNT]) {
        let engine = Self::start();
        let people = engine.people(names);
        (engine, people)
    }

    pub fn in_memory(arguments: &[&str]) -> Self {
        Self::on(Self::directory(), EngineOptions { memory: true, ..Self::options(arguments) })
    }

    pub fn directory() -> Arc<TempDir> {
        Arc::new(tempfile::tempdir().expect("a temporary directory"))
    }

    fn options(arguments: &[&str]) -> EngineOptions {
        let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
        EngineOptions { arguments, ..EngineOptions::default() }
    }

    pub fn on_database(address: &str, arguments: &[&str]) -> Self {
        let database = Some(address.to_owned());
        Self::on(Self::directory(), EngineOptions { database, ..Self::options(arguments) })
    }

    pub fn on(data: Arc<TempDir>, options: EngineOptions) -> Self {
        Self::try_on(data, options)
            .unwrap_or_else(|log| panic!("the engine does not start:\n{log}"))
    }

    pub fn try_on(data: Arc<TempDir>, options: EngineOptions) -> Result<Self, String> {
        let mut command = Command::new(binary("engine-service"));
        let place = options.database.as_ref().map(Path::new);
        let place = place
            .unwrap_or_else(|| if options.memory { Path::new(":memory:") } else { data.path() });
        command.args(["--listen", &format!("127.0.0.1:{}", options.port), "--data"]).arg(place);
        if options.database.is_some() {
            command.arg("--tokens").arg(data.path());
        }
        command.args(&options.arguments);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the engine can be started");
        let log = Arc::new(Mutex::new(String::new()));
        let mut stderr = child.stderr.take().expect("stderr is piped");
        let sink = log.clone();
        std::thread::spawn(move || {
            let mut chunk = [0; 4096];
            while let Ok(read @ 1..) = stderr.read(&mut chunk) {
                sink.lock().unwrap().push_str(&String::from_utf8_lossy(&chunk[..read]));
            }
        });
        let mut ready = String::new();
        BufReader::new(child.stdout.take().expect("stdout is piped"))
            .read_line(&mut ready)
            .expect("stdout is text");
        let word = |name: &str| {
            let words = ready.split_whitespace();
            words
                .filter_map(|word| word.split_once('='))
                .find(|(key, _)| *key == name)
                .map(|(_, value)| value.to_owned())
        };
        if let Some(address) = word("grpc") {
            return Ok(Self { child, address, metrics: word("metrics"), data, options, log });
        }
        let _ = child.wait();
        // The thread that collects the log may still be reading.
        std::thread::sleep(Duration::from_millis(100));
        Err(log.lock().unwrap().clone())
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn address(&self) -> &str {
        &self.address
    }

    pub fn port(&self) -> u16 {
        let port = self.address.rsplit(':').next().and_then(|port| port.parse().ok());
        port.expect("an address has a port")
    }

    /// Returns whether the engine reports that it serves calls.
    pub async fn is_serving(&self) -> bool {
        let mut health = HealthClient::new(self.channel().await);
        let answer = health.check(HealthCheckRequest::default()).await;
        answer.expect("health is always told").get_ref().status() == ServingStatus::Serving
    }

    pub fn metric(&self, name: &str) -> f64 {
        let of = |line: &str| {
            let (told, value) = line.rsplit_once(' ')?;
            (told.split('{').next() == Some(name)).then(|| value.parse::<f64>().ok()).flatten()
        };
        self.metrics().lines().filter_map(of).sum()
    }

    pub fn metrics(&self) -> String {
        use std::io::Write as _;
        let address = self.metrics.as_ref().expect("started with --metrics");
        let mut stream = std::net::TcpStream::connect(address).expect("the metrics port is open");
        write!(stream, "GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            .unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("metrics are text");
        text
    }

    pub fn data(&self) -> &Path {
        self.data.path()
    }

    pub fn data_directory(&self) -> Arc<TempDir> {
        self.data.clone()
    }

    pub fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    pub fn wait_for_log(&self, text: &str) {
        wait_until(&format!("the log says {text:?}"), || self.log().contains(text));
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    #[must_use]
    pub fn kill_and_restart(mut self) -> Self {
        self.kill();
        Self::on(self.data.clone(), self.options.clone())
    }

    pub fn kill(&mut self) {
        self.child.kill().expect("a running process can be killed");
        self.child.wait().expect("a killed process ends");
    }

    pub fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &pid]).status().expect("kill runs").success());
    }

    pub fn terminate(&mut self) -> ExitStatus {
        self.signal("-TERM");
        self.child.wait().expect("a process ends")
    }

    pub fn runs(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    pub async fn channel(&self) -> Channel {
        let endpoint = Endpoint::from_shared(self.url()).expect("an address");
        endpoint.connect().await.expect("the engine listens")
    }

    pub async fn player(&self, name: &str) -> Player {
        Player::register(self.channel().await, name).await
    }

    pub async fn players<const COUNT: usize>(&self, names: [&str; COUNT]) -> [Player; COUNT] {
        let mut players = Vec::new();
        for name in names {
            players.push(self.player(name).await);
        }
        players.try_into().unwrap_or_else(|_| unreachable!("a player for each name"))
    }

    pub fn people<const COUNT: usize>(&self, names: [&str; COUNT]) -> [Person; COUNT] {
        names.map(|name| Person::registered(&self.url(), name))
    }

    pub async fn admin(&self) -> Player {
        self.holder_of("admin.token").await
    }

    pub async fn worker_account(&self) -> Player {
        self.holder_of("worker.token").await
    }

    /// Gives an account, known or new, the role of a worker.
    pub async fn worker_named(&self, name: &str) -> Player {
        let role = AccountRole::Worker.into();
        let grant = GrantRoleRequest { name: name.to_owned(), role, ..GrantRoleRequest::default() };
        let token = self.admin().await.does(grant).await.token;
        Player::with_token(self.channel().await, &token)
    }

    async fn holder_of(&self, file: &str) -> Player {
        let path = self.data().join(file);
        let token = std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Player::with_token(self.channel().await, token.trim())
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Writes a self-signed certificate for a host and its key. Returns the paths of both.
pub fn certificate(folder: &Path, host: &str) -> [String; 2] {
    let key = KeyPair::generate().expect("a key");
    let parameters = CertificateParams::new(vec![host.to_owned()]).expect("a host's name");
    let certificate = parameters.self_signed(&key).expect("a certificate");
    [("cert", certificate.pem()), ("key", key.serialize_pem())].map(|(kind, pem)| {
        let path = folder.join(format!("{host}.{kind}"));
        std::fs::write(&path, pem).expect("a file");
        path.display().to_string()
    })
}

/// Returns the resident memory of a process in bytes.
pub fn memory_of(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status"))
        .expect("Linux tells about a running process");
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS:"))
        .expect("a running process has memory");
    let kilobytes: u64 =
        line.split_whitespace().nth(1).and_then(|word| word.parse().ok()).expect("a number");
    kilobytes * 1024
}
