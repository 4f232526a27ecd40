//! The engine service's command line.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, Parser, Subcommand};
use heliopause_engine::backup;
use heliopause_engine::config::{self, Config, Data, LogFormat, Settings};
use heliopause_engine::edge::drain::Drain;
use heliopause_engine::edge::serve;
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

/// A server makes and drops many small things on many threads; the system's allocator takes a fifth of its time for that.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Heliopause: a server for games of strategy in space, spoken to by gRPC.
///
/// Without a command it serves. It starts without any configuration, listens on this machine only, and keeps everything in
/// one directory. When it is ready it prints one line with its addresses; its log goes to stderr.
#[derive(Parser)]
#[command(name = "engine-service", version, about, after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    settings: Settings,
}

#[derive(Subcommand)]
enum Command {
    /// Copy the data of an engine, running or not, into one file
    Backup(BackupArgs),
    /// Make a data directory from a backup
    Restore(RestoreArgs),
}

#[derive(Args)]
struct BackupArgs {
    /// The engine's data directory [default: ~/.local/share/heliopause]
    #[arg(long, env = "HELIOPAUSE_DATA", value_name = "DIR")]
    data: Option<PathBuf>,
    /// The file to write; it must not exist
    #[arg(long, value_name = "FILE")]
    to: PathBuf,
}

#[derive(Args)]
struct RestoreArgs {
    /// The backup
    #[arg(long, value_name = "FILE")]
    from: PathBuf,
    /// The directory to make; it must be missing or empty [default: ~/.local/share/heliopause]
    #[arg(long, env = "HELIOPAUSE_DATA", value_name = "DIR")]
    data: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  engine-service
      Serves this machine on port 50051. The admin's and the AI workers' tokens are in
      ~/.local/share/heliopause/admin.token and worker.token.
  engine-service --listen 127.0.0.1:0 --data :memory: --sandbox
      For integration tests: a free port, nothing kept, scripted dice.
  engine-service --listen 0.0.0.0:50051 --tls-cert cert.pem --tls-key key.pem --registration invite
      Serves the network, by TLS, to invited players.
  engine-service backup --to games.backup
      Copies everything while the engine goes on. Token files are not copied: the first start on a
      restored directory writes new ones, and players' tokens stay valid.

Every flag can be set by an environment variable (HELIOPAUSE_LISTEN) or in a TOML file (listen = \"...\") given with
--config. A flag wins over the environment, the environment over the file.";

fn main() -> ExitCode {
    let done = match Cli::parse() {
        Cli { command: Some(Command::Backup(args)), .. } => back_up(args),
        Cli { command: Some(Command::Restore(args)), .. } => restore(args),
        Cli { command: None, settings } => serve(settings),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("engine-service: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn serve(settings: Settings) -> anyhow::Result<()> {
    let config = Config::resolve(settings)?;
    log_to_stderr(config.log_format);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("no threads to run on")?;
    runtime.block_on(async {
        let server = serve::start(&config).await?;
        tokio::spawn(drain_on_signal(server.drain())?);
        announce(&server.ready_line()).context("the ready line could not be printed")?;
        Ok(server.finish().await?)
    })
}

fn log_to_stderr(format: LogFormat) {
    let filter = EnvFilter::try_from_env("HELIOPAUSE_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    match format {
        LogFormat::Text => log.with_ansi(io::IsTerminal::is_terminal(&io::stderr())).init(),
        LogFormat::Json => log.json().init(),
    }
}

/// Drains at the first SIGTERM or SIGINT; a second one ends the process at once.
fn drain_on_signal(drain: Drain) -> io::Result<impl Future<Output = ()>> {
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        loop {
            tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
            if drain.has_begun() {
                std::process::exit(1);
            }
            drain.begin();
        }
    })
}

fn announce(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}

fn back_up(args: BackupArgs) -> anyhow::Result<()> {
    backup::backup(&directory(args.data)?, &args.to)?;
    eprintln!("wrote {}", args.to.display());
    Ok(())
}

fn restore(args: RestoreArgs) -> anyhow::Result<()> {
    let data = directory(args.data)?;
    backup::restore(&args.from, &data)?;
    eprintln!("restored {}; start it with: engine-service --data {}", data.display(), data.display());
    Ok(())
}

fn directory(wanted: Option<PathBuf>) -> anyhow::Result<PathBuf> {
    match config::data(wanted)? {
        Data::Directory(directory) => Ok(directory),
        Data::Memory => anyhow::bail!("--data :memory: keeps nothing; name a directory"),
    }
}
