//! A private sandbox engine for the duration of a run.

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

const READY_TIMEOUT: Duration = Duration::from_secs(30);

/// A private engine. Dropping it stops the engine and deletes its data.
#[derive(Debug)]
pub struct PrivateEngine {
    pub url: String,
    // Dropped in this order: the processes are killed before their directory is deleted.
    automation: Option<PrivateWorker>,
    _process: Child,
    data: TempDir,
}

/// An AI client. Dropping it stops the process.
#[derive(Debug)]
pub struct PrivateWorker {
    _process: Child,
}

impl PrivateWorker {
    /// Starts an AI client for all automated seats. `token` is its token file, if not the default.
    pub fn start(url: &str, token: Option<&Path>, log: Stdio) -> Result<Self, Failure> {
        let program = find("HELIOPAUSE_AI_BIN", "ai-client")?;
        let token =
            token.into_iter().flat_map(|path| [OsStr::new("--token-file"), path.as_os_str()]);
        let args = [OsStr::new("--engine"), OsStr::new(url)].into_iter().chain(token);
        Ok(Self { _process: spawn(&program, args, Stdio::null(), log)? })
    }
}

impl PrivateEngine {
    pub async fn start() -> Result<Self, Failure> {
        let program = find("HELIOPAUSE_ENGINE_BIN", "engine-service")?;
        let data = tempfile::Builder::new().prefix("heliopause-scenario-").tempdir()?;
        let log = data.path().join("engine.log");
        let args = ["--listen", "127.0.0.1:0", "--sandbox", "--data"].map(OsStr::new);
        let own = data.path().join("data");
        let args = args.into_iter().chain([own.as_os_str()]);
        let errors = fs::File::create(&log)?.into();
        let mut process = spawn(&program, args, Stdio::piped(), errors)?;
        let Some(stdout) = process.stdout.take() else { return Err(not_ready(&log)) };
        let mut lines = BufReader::new(stdout).lines();
        let ready = timeout(READY_TIMEOUT, address(&mut lines)).await;
        let address = ready.ok().flatten().ok_or_else(|| not_ready(&log))?;
        // Keep reading: an engine blocks when the pipe is full.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        let url = format!("http://{address}");
        Ok(Self { url, automation: None, _process: process, data })
    }

    pub fn automate(&mut self) -> Result<(), Failure> {
        if self.automation.is_some() {
            return Ok(());
        }
        let log = fs::File::create(self.data.path().join("ai.log"))?;
        let token = self.data.path().join("data/worker.token");
        self.automation = Some(PrivateWorker::start(&self.url, Some(&token), log.into())?);
        Ok(())
    }
}

fn spawn<'a>(
    program: &Path,
    args: impl Iterator<Item = &'a OsStr>,
    output: Stdio,
    errors: Stdio,
) -> Result<Child, Failure> {
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null()).stdout(output).stderr(errors).kill_on_drop(true);
    command
        .spawn()
        .map_err(|error| Failure::failed(format!("Cannot start {}: {error}.", program.display())))
}

/// Waits for the line `heliopause ready grpc=ADDR ...` and returns the address. Returns `None` if
/// the output ends first.
async fn address(lines: &mut Lines<BufReader<ChildStdout>>) -> Option<String> {
    while let Ok(Some(line)) = lines.next_line().await {
        if let Some(rest) = line.strip_prefix("heliopause ready ") {
            let mut words = rest.split_whitespace();
            return words.find_map(|word| word.strip_prefix("grpc=")).map(str::to_owned);
        }
    }
    None
}

fn not_ready(log: &Path) -> Failure {
    let log = fs::read_to_string(log).unwrap_or_default();
    let last: Vec<&str> = log.lines().rev().take(5).collect();
    let last: Vec<&str> = last.into_iter().rev().collect();
    Failure::failed(format!("The engine did not start. The end of its log:\n{}", last.join("\n")))
        .advise(
            "Start an engine with `engine-service --sandbox`, and pass its address with --engine \
             URL.",
        )
}

/// Returns a program's path: from an environment variable, next to this program, or on the PATH.
/// Returns an error if the program is in none of these places.
fn find(variable: &str, program: &str) -> Result<PathBuf, Failure> {
    if let Some(named) = env::var_os(variable) {
        return Ok(PathBuf::from(named));
    }
    let name = format!("{program}{}", env::consts::EXE_SUFFIX);
    let own = env::current_exe().ok();
    let beside = own.and_then(|program| program.parent().map(|folder| folder.join(&name)));
    let paths = env::var_os("PATH").unwrap_or_default();
    let on_path = env::split_paths(&paths).map(|folder| folder.join(&name));
    beside.into_iter().chain(on_path).find(|program| program.is_file()).ok_or_else(|| {
        Failure::failed(format!("{program} is neither next to this program nor on the PATH."))
            .advise(format!(
                "Set {variable} to the path of {program}, or start an engine with its AI client and \
                 pass --engine URL."
            ))
    })
}
