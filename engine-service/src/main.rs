//! The engine service's command line.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, Parser, Subcommand};
use heliopause_engine::backup;
use heliopause_engine::config::{self, Config, Data, DatabaseUrl, LogFormat, Settings};
use heliopause_engine::edge::drain::Drain;
use heliopause_engine::edge::serve;
use heliopause_engine::migrate::{self, Moved};
use heliopause_engine::store::postgres::PostgresStore;
use heliopause_engine::store::sqlite::DATABASE;
use heliopause_engine::verify::{self, Verified};
use indicatif::{ProgressBar, ProgressStyle};
use tokio::runtime::Runtime;
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

/// A server makes and drops many small things on many threads; the system's allocator takes a fifth
/// of its time for that. Sanitizers know no other.
#[cfg(not(feature = "system-allocator"))]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Heliopause: a server for games of strategy in space, spoken to by gRPC.
///
/// Without a command it serves. It starts without any configuration, listens on this machine only,
/// and keeps everything in one directory. When it is ready it prints one line with its addresses;
/// its log goes to stderr.
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
    /// Look for damage in everything that a stopped engine keeps: every row, every journal, the
    /// directory
    Verify(VerifyArgs),
    /// Move all games and accounts of a stopped engine into a new PostgreSQL database, and check
    /// that they are the same
    Migrate(MigrateArgs),
}

#[derive(Args)]
struct MigrateArgs {
    /// The data directory of the stopped engine
    #[arg(long, value_name = "sqlite:DIR")]
    from: String,
    /// The database, which must be empty: postgres://USER:PASSWORD@HOST/DATABASE
    #[arg(long, env = "HELIOPAUSE_TO", hide_env_values = true, value_name = "URL")]
    to: String,
    /// Certificates (PEM) that vouch for the database [default: the system's]
    #[arg(long, env = "HELIOPAUSE_DATABASE_CA", value_name = "FILE")]
    database_ca: Option<PathBuf>,
}

#[derive(Args)]
struct VerifyArgs {
    /// The engine's data directory, or its database postgres://...
    /// [default: ~/.local/share/heliopause]
    #[arg(long, env = "HELIOPAUSE_DATA", hide_env_values = true, value_name = "DIR|URL")]
    data: Option<PathBuf>,
    /// Certificates (PEM) that vouch for the database [default: the system's]
    #[arg(long, env = "HELIOPAUSE_DATABASE_CA", value_name = "FILE")]
    database_ca: Option<PathBuf>,
}

#[derive(Args)]
struct BackupArgs {
    /// The engine's data directory [default: ~/.local/share/heliopause]
    #[arg(long, env = "HELIOPAUSE_DATA", hide_env_values = true, value_name = "DIR")]
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
    #[arg(long, env = "HELIOPAUSE_DATA", hide_env_values = true, value_name = "DIR")]
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
  engine-service --data postgres://heliopause@db.example/heliopause --listen 0.0.0.0:50051 ...
      One of any number of engines on one database; each serves every game.
  engine-service backup --to games.backup
      Copies everything while the engine goes on. Token files are not copied: the first start on a
      restored directory writes new ones, and players' tokens stay valid.

Exit codes: 0 if it was stopped, or the command is done; 1 if it cannot start, the command failed or \
verify found
damage; 2 if the arguments are wrong. The last line on stderr says why.

Every flag can be set by an environment variable (HELIOPAUSE_LISTEN) or in a TOML file (listen = \"...\") given with
--config. A flag wins over the environment, the environment over the file.";

fn main() -> ExitCode {
    let done = match Cli::try_parse().unwrap_or_else(|error| refuse_arguments(&error)) {
        Cli { command: Some(Command::Backup(args)), .. } => back_up(args),
        Cli { command: Some(Command::Restore(args)), .. } => restore(args),
        Cli { command: Some(Command::Migrate(args)), .. } => move_over(&args),
        Cli { command: Some(Command::Verify(args)), .. } => look_through(args),
        Cli { command: None, settings } => serve(settings),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("engine-service: {}", config::without_passwords(&format!("{error:#}")));
            ExitCode::FAILURE
        }
    }
}

/// Ends the program as clap does. What was written wrongly may be an address with its password, so
/// passwords are left out.
fn refuse_arguments(error: &clap::Error) -> ! {
    if !error.use_stderr() {
        // It was asked for help.
        error.exit();
    }
    let told = error.to_string();
    let shown = config::without_passwords(&told);
    if shown == told {
        error.exit();
    }
    eprint!("{shown}");
    std::process::exit(error.exit_code());
}

fn serve(settings: Settings) -> anyhow::Result<()> {
    let config = Config::resolve(settings)?;
    log_to_stderr(config.log_format);
    runtime()?.block_on(async {
        let server = serve::start(&config).await?;
        tokio::spawn(drain_on_signal(server.drain())?);
        announce(&server.ready_line()).context("the ready line could not be printed")?;
        Ok(server.finish().await?)
    })
}

fn runtime() -> anyhow::Result<Runtime> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().context("no threads to run on")
}

/// What is logged unless HELIOPAUSE_LOG says it. The HTTP/2 library warns of what a client does
/// wrong, as often as the client likes.
const LOGGED: &str = "info,h2=error";

fn log_to_stderr(format: LogFormat) {
    let filter =
        EnvFilter::try_from_env("HELIOPAUSE_LOG").unwrap_or_else(|_| EnvFilter::new(LOGGED));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    match format {
        LogFormat::Text => log.with_ansi(io::IsTerminal::is_terminal(&io::stderr())).init(),
        LogFormat::Json => log.json().init(),
    }
}

/// Drains at the first SIGTERM or SIGINT; a second one ends the process at once.
fn drain_on_signal(drain: Drain) -> io::Result<impl Future<Output = ()>> {
    let (mut terminate, mut interrupt) =
        (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
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
    eprintln!(
        "restored {}; start it with: engine-service --data {}",
        data.display(),
        data.display()
    );
    Ok(())
}

/// Connections for a move: an engine's default.
const CONNECTIONS: usize = 16;

fn move_over(args: &MigrateArgs) -> anyhow::Result<()> {
    let from =
        args.from.strip_prefix("sqlite:").context("--from names a data directory as sqlite:DIR")?;
    let url = DatabaseUrl::of(&args.to)
        .context("--to names a database as postgres://USER:PASSWORD@HOST/DATABASE")?;
    runtime()?.block_on(async {
        let authority = args.database_ca.as_deref();
        let to = Box::pin(PostgresStore::open_to_move(url.reveal(), CONNECTIONS, authority));
        let Moved { accounts, games, entries } = migrate::migrate(Path::new(from), to).await?;
        eprintln!(
            "moved: games {games}, entries {entries}, accounts {accounts}; every journal is the \
             same there"
        );
        eprintln!("start engines with --data {url} and leave {from} as it is for a while");
        Ok(())
    })
}

/// Names what is damaged on standard output, a line each, and fails if there is any.
fn look_through(args: VerifyArgs) -> anyhow::Result<()> {
    let data = config::data(args.data)?;
    let bar = ProgressBar::new(0)
        .with_style(ProgressStyle::with_template("{bar:40} {pos}/{len} games, {eta} left")?);
    let progress = |done, all| {
        bar.set_length(all);
        bar.set_position(done);
    };
    let verified = runtime()?.block_on(async {
        Ok::<_, anyhow::Error>(match data {
            Data::Memory => anyhow::bail!("--data :memory: keeps nothing"),
            Data::Directory(data) => {
                anyhow::ensure!(
                    data.join(DATABASE).is_file(),
                    "{} holds no database",
                    data.display()
                );
                verify::directory(&data, &progress).await?
            }
            Data::Database(url) => {
                let store =
                    PostgresStore::open(url.reveal(), CONNECTIONS, args.database_ca.as_deref())
                        .await?;
                verify::store_of(&store, &progress).await
            }
        })
    })?;
    bar.finish_and_clear();
    for what in &verified.damage {
        println!("{what}");
    }
    let Verified { games, entries, damage } = verified;
    anyhow::ensure!(
        damage.is_empty(),
        "damaged: {}, see above; games: {games}. Restore a backup",
        damage.len()
    );
    eprintln!(
        "everything is as it was written: games {games}, entries {entries}, and all accounts"
    );
    Ok(())
}

fn directory(wanted: Option<PathBuf>) -> anyhow::Result<PathBuf> {
    match config::data(wanted)? {
        Data::Directory(directory) => Ok(directory),
        Data::Memory => anyhow::bail!("--data :memory: keeps nothing; name a directory"),
        Data::Database(_) => anyhow::bail!(
            "a database is copied by its own tools, such as pg_dump and pg_basebackup"
        ),
    }
}
