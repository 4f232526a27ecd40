//! A sandbox engine of one's own, for as long as the scenarios run.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use std::{env, fs};

use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::timeout;

use heliopause_client::failure::Failure;

/// How long an engine may take to be ready.
const READY_TIMEOUT: Duration = Duration::from_secs(30);

/// An engine that ends, with its data, when this is dropped.
#[derive(Debug)]
pub struct OwnEngine {
    /// Where it listens.
    pub url: String,
    // Dropped in this order: the processes are killed before their directory goes.
    automation: Option<OwnWorker>,
    _process: Child,
    data: TempDir,
}

/// An AI client that ends when this is dropped.
#[derive(Debug)]
pub struct OwnWorker {
    _process: Child,
}

impl OwnWorker {
    /// Starts an AI client that plays all automated seats of an engine, as the account whose token
    /// is in a file; without one where an AI client looks for its token.
    pub fn start(url: &str, token: Option<&Path>, log: Stdio) -> Result<Self, Failure> {
        let program = find("HELIOPAUSE_AI_BIN", "ai-client")?;
        let token =
            token.into_iter().flat_map(|path| [OsStr::new("--token-file"), path.as_os_str()]);
        let process = Command::new(&program)
            .args(["--engine", url])
            .args(token)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| {
                Failure::failed(format!("{} does not start: {error}.", program.display()))
            })?;
        Ok(Self { _process: process })
    }
}

impl OwnEngine {
    /// Starts an engine with --sandbox on a free port and an empty data directory.
    pub async fn start() -> Result<Self, Failure> {
        let program = find("HELIOPAUSE_ENGINE_BIN", "engine-service")?;
        let data = tempfile::Builder::new().prefix("heliopause-scenario-").tempdir()?;
        let log = data.path().join("engine.log");
        let mut process = Command::new(&program)
            .args(["--listen", "127.0.0.1:0", "--sandbox", "--data"])
            .arg(data.path().join("data"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(fs::File::create(&log)?)
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| {
                Failure::failed(format!("{} does not start: {error}.", program.display()))
            })?;
        let Some(stdout) = process.stdout.take() else { return Err(not_ready(&log)) };
        let mut lines = BufReader::new(stdout).lines();
        let ready = timeout(READY_TIMEOUT, address(&mut lines)).await;
        let address = ready.ok().flatten().ok_or_else(|| not_ready(&log))?;
        // Somebody must go on reading, or a talkative engine would block on a full pipe.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        let url = format!("http://{address}");
        Ok(Self { url, automation: None, _process: process, data })
    }

    /// Starts an AI client that plays all automated seats.
    pub fn automate(&mut self) -> Result<(), Failure> {
        if self.automation.is_some() {
            return Ok(());
        }
        let log = fs::File::create(self.data.path().join("ai.log"))?;
        let token = self.data.path().join("data/worker.token");
        self.automation = Some(OwnWorker::start(&self.url, Some(&token), log.into())?);
        Ok(())
    }
}

/// The address in the line `heliopause ready grpc=ADDR ...`.
async fn address(lines: &mut Lines<BufReader<ChildStdout>>) -> Option<String> {
    while let Ok(Some(line)) = lines.next_line().await {
        if let Some(rest) = line.strip_prefix("heliopause ready ") {
            return rest
                .split_whitespace()
                .find_map(|word| word.strip_prefix("grpc="))
                .map(str::to_owned);
        }
    }
    None
}

fn not_ready(log: &Path) -> Failure {
    let log = fs::read_to_string(log).unwrap_or_default();
    let last: Vec<&str> = log.lines().rev().take(5).collect();
    let last: Vec<&str> = last.into_iter().rev().collect();
    Failure::failed(format!("The engine did not become ready. Its last words: {}", last.join("\n")))
        .advise("Start one yourself with `engine-service --sandbox` and name it with --engine URL.")
}

/// A program of this project: named by a variable, beside this one, or on the PATH.
fn find(variable: &str, program: &str) -> Result<PathBuf, Failure> {
    if let Some(named) = env::var_os(variable) {
        return Ok(PathBuf::from(named));
    }
    let name = format!("{program}{}", env::consts::EXE_SUFFIX);
    let beside = env::current_exe()
        .ok()
        .and_then(|program| program.parent().map(|folder| folder.join(&name)));
    let paths = env::var_os("PATH").unwrap_or_default();
    let on_path = env::split_paths(&paths).map(|folder| folder.join(&name));
    beside.into_iter().chain(on_path).find(|program| program.is_file()).ok_or_else(|| {
        Failure::failed(format!("There is no {program} beside this program or on the PATH."))
            .advise(format!(
                "Set {variable}, or start one yourself and name its engine with --engine URL."
            ))
    })
}
