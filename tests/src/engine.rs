//! The engine as a process.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use tonic::transport::{Channel, Endpoint};

use crate::Player;

/// How long a program may take to start before the test gives up on it. Not a bound that a test
/// measures.
const PATIENCE: Duration = Duration::from_mins(1);

/// A program of this workspace, built beside the test.
pub fn binary(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its own path");
    let profile = test.ancestors().find(|folder| folder.join(name).is_file());
    profile
        .unwrap_or_else(|| {
            panic!("{name} is not built: run `cargo build --workspace --bins` first")
        })
        .join(name)
}

/// What an engine is started with, besides its data directory and a free port.
#[derive(Clone, Debug, Default)]
pub struct EngineOptions {
    /// More arguments.
    pub arguments: Vec<String>,
    /// Keep nothing: the data directory is not used.
    pub memory: bool,
    /// Keep everything in the database at this address; the data directory holds only the tokens.
    pub database: Option<String>,
    /// Listen on this port instead of a free one.
    pub port: u16,
}

/// A running engine. Killed when dropped.
pub struct Engine {
    child: Child,
    address: String,
    metrics: Option<String>,
    data: Arc<TempDir>,
    options: EngineOptions,
    log: Arc<Mutex<String>>,
}

impl Engine {
    /// An engine on a fresh data directory, with a sandbox.
    pub fn start() -> Self {
        Self::with(&["--sandbox"])
    }

    /// An engine on a fresh data directory, with these arguments.
    pub fn with(arguments: &[&str]) -> Self {
        Self::on(Self::directory(), Self::options(arguments))
    }

    /// An engine that keeps nothing, with these arguments.
    pub fn in_memory(arguments: &[&str]) -> Self {
        Self::on(Self::directory(), EngineOptions { memory: true, ..Self::options(arguments) })
    }

    /// A fresh data directory.
    pub fn directory() -> Arc<TempDir> {
        Arc::new(tempfile::tempdir().expect("a temporary directory"))
    }

    fn options(arguments: &[&str]) -> EngineOptions {
        let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
        EngineOptions { arguments, ..EngineOptions::default() }
    }

    /// An engine on a database, with these arguments.
    pub fn on_database(address: &str, arguments: &[&str]) -> Self {
        let database = Some(address.to_owned());
        Self::on(Self::directory(), EngineOptions { database, ..Self::options(arguments) })
    }

    /// An engine on a data directory that may hold something.
    pub fn on(data: Arc<TempDir>, options: EngineOptions) -> Self {
        Self::try_on(data, options)
            .unwrap_or_else(|log| panic!("the engine does not start:\n{log}"))
    }

    /// Starts an engine, or tells what it said before it ended.
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
        // The thread that gathers the log may still be at it.
        std::thread::sleep(Duration::from_millis(100));
        Err(log.lock().unwrap().clone())
    }

    /// The address as `http://...`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The host and port.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The sum of a metric over its labels; 0 if it was never told.
    pub fn metric(&self, name: &str) -> f64 {
        let of = |line: &str| {
            let (told, value) = line.rsplit_once(' ')?;
            (told.split('{').next() == Some(name)).then(|| value.parse::<f64>().ok()).flatten()
        };
        self.metrics().lines().filter_map(of).sum()
    }

    /// The metrics as text.
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

    /// The data directory.
    pub fn data(&self) -> &Path {
        self.data.path()
    }

    /// The data directory, to start another engine on it later.
    pub fn data_directory(&self) -> Arc<TempDir> {
        self.data.clone()
    }

    /// What the engine has logged so far.
    pub fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    /// Waits until the log says something.
    pub fn wait_for_log(&self, text: &str) {
        let begun = Instant::now();
        while !self.log().contains(text) {
            assert!(begun.elapsed() < PATIENCE, "the log never says {text:?}:\n{}", self.log());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Kills it, as a power cut would, and starts it again on the same data.
    #[must_use]
    pub fn kill_and_restart(mut self) -> Self {
        self.kill();
        Self::on(self.data.clone(), self.options.clone())
    }

    /// Kills it, as a power cut would.
    pub fn kill(&mut self) {
        self.child.kill().expect("a running process can be killed");
        self.child.wait().expect("a killed process ends");
    }

    /// Asks it to stop, and waits until it has.
    pub fn terminate(&mut self) -> ExitStatus {
        let pid = self.child.id().to_string();
        let killed = Command::new("kill").args(["-TERM", &pid]).status().expect("kill runs");
        assert!(killed.success());
        self.child.wait().expect("a process ends")
    }

    /// Whether it runs.
    pub fn runs(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// A connection of its own.
    pub async fn channel(&self) -> Channel {
        let endpoint = Endpoint::from_shared(self.url()).expect("an address");
        endpoint.connect().await.expect("the engine listens")
    }

    /// A player with a fresh account.
    pub async fn player(&self, name: &str) -> Player {
        Player::register(self.channel().await, name).await
    }

    /// The operator.
    pub async fn admin(&self) -> Player {
        self.holder_of("admin.token").await
    }

    /// The account of automation workers.
    pub async fn worker_account(&self) -> Player {
        self.holder_of("worker.token").await
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
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// How much memory a process has resident, in bytes.
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
