//! The engine service's command line.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use heliopause_engine::Time;
use heliopause_engine::backup;
use heliopause_engine::config::{self, Config, Data, DatabaseUrl, LogFormat, Settings};
use heliopause_engine::edge::drain::Drain;
use heliopause_engine::edge::serve;
use heliopause_engine::migrate::{self, Migrated};
use heliopause_engine::ratings::Ratings;
use heliopause_engine::store::Store;
use heliopause_engine::store::postgres::PostgresStore;
use heliopause_engine::store::sqlite::{DATABASE, SqliteStore};
use heliopause_engine::verify::{self, Verified};
use indicatif::{ProgressBar, ProgressStyle};
use tokio::runtime::Runtime;
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

/// The server makes many small allocations on many threads. With the system allocator, they take a
/// fifth of the server's time. Sanitizers require the system allocator.
#[cfg(not(feature = "system-allocator"))]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Heliopause: a gRPC server for space strategy games.
///
/// Without a command, the program starts the server. The server needs no configuration, listens
/// only on this machine, and keeps all data in one directory. When the server is ready, it prints
/// one line with its addresses to stdout. The log goes to stderr.
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
    Backup {
        /// Data directory of the engine [default: ~/.local/share/heliopause]
        #[arg(long, env = "HELIOPAUSE_DATA", hide_env_values = true, value_name = "DIR")]
        data: Option<PathBuf>,
        /// File to write; it must not exist
        #[arg(long, value_name = "FILE")]
        to: PathBuf,
    },
    /// Create a data directory from a backup
    Restore {
        /// Backup file
        #[arg(long, value_name = "FILE")]
        from: PathBuf,
        /// Directory to create; it must be missing or empty [default: ~/.local/share/heliopause]
        #[arg(long, env = "HELIOPAUSE_DATA", hide_env_values = true, value_name = "DIR")]
        data: Option<PathBuf>,
    },
    /// Check all data of a stopped engine for damage: every row, every journal, the list of games
    Verify {
        /// Data directory of the engine, or its database postgres://...
        /// [default: ~/.local/share/heliopause]
        #[arg(long, env = "HELIOPAUSE_DATA", hide_env_values = true, value_name = "DIR|URL")]
        data: Option<PathBuf>,
        /// CA certificates (PEM) for the database's TLS [default: the system's]
        #[arg(long, env = "HELIOPAUSE_DATABASE_CA", value_name = "FILE")]
        database_ca: Option<PathBuf>,
    },
    /// Calculate the ratings and statistics of all players again from the journals
    ///
    /// With a data directory, the engine must be stopped. With a database, engines may run.
    Ratings {
        /// Remove all ratings and statistics first; required
        #[arg(long, required = true)]
        recompute: bool,
        /// Data directory of the engine, or its database postgres://...
        /// [default: ~/.local/share/heliopause]
        #[arg(long, env = "HELIOPAUSE_DATA", hide_env_values = true, value_name = "DIR|URL")]
        data: Option<PathBuf>,
        /// CA certificates (PEM) for the database's TLS [default: the system's]
        #[arg(long, env = "HELIOPAUSE_DATABASE_CA", value_name = "FILE")]
        database_ca: Option<PathBuf>,
    },
    /// Move all games and accounts of a stopped engine into a new PostgreSQL database, and verify
    /// the copy
    Migrate {
        /// Data directory of the stopped engine
        #[arg(long, value_name = "sqlite:DIR")]
        from: String,
        /// Empty database to move to: postgres://USER:PASSWORD@HOST/DATABASE
        #[arg(long, env = "HELIOPAUSE_TO", hide_env_values = true, value_name = "URL")]
        to: String,
        /// CA certificates (PEM) for the database's TLS [default: the system's]
        #[arg(long, env = "HELIOPAUSE_DATABASE_CA", value_name = "FILE")]
        database_ca: Option<PathBuf>,
    },
}

const EXAMPLES: &str = include_str!("examples.txt");

fn main() -> ExitCode {
    let arguments = Cli::command().try_get_matches();
    let arguments = arguments.unwrap_or_else(|error| refuse_arguments(&error));
    let cli = Cli::from_arg_matches(&arguments).unwrap_or_else(|error| refuse_arguments(&error));
    let done = match cli.command {
        Some(Command::Backup { data, to }) => back_up(data, &to),
        Some(Command::Restore { from, data }) => restore(&from, data),
        Some(Command::Migrate { from, to, database_ca }) => {
            migrate_data(&from, &to, database_ca.as_deref())
        }
        Some(Command::Verify { data, database_ca }) => verify_data(data, database_ca.as_deref()),
        Some(Command::Ratings { recompute: _, data, database_ca }) => {
            recompute(data, database_ca.as_deref())
        }
        None => serve(cli.settings, &arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("engine-service: {}", config::without_passwords(&format!("{error:#}")));
            ExitCode::FAILURE
        }
    }
}

/// Exits like clap, but hides passwords: an invalid argument may be a URL with a password.
fn refuse_arguments(error: &clap::Error) -> ! {
    if !error.use_stderr() {
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

fn serve(settings: Settings, arguments: &ArgMatches) -> anyhow::Result<()> {
    let config = Config::resolve(settings.merged_with_file(arguments)?)?;
    log_to_stderr(config.log_format);
    runtime()?.block_on(async {
        let server = serve::start(&config).await?;
        tokio::spawn(drain_on_signal(server.drain())?);
        announce(&server.ready_line()).context("the ready line could not be printed to stdout")?;
        Ok(server.finish().await?)
    })
}

fn runtime() -> anyhow::Result<Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("the worker threads could not be started")
}

/// The HTTP/2 library logs a warning for each client error. Clients could fill the log with these
/// warnings.
const DEFAULT_LOG_FILTER: &str = "info,h2=error";

fn log_to_stderr(format: LogFormat) {
    let filter = EnvFilter::try_from_env("HELIOPAUSE_LOG")
        .unwrap_or_else(|_| EnvFilter::new(DEFAULT_LOG_FILTER));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    match format {
        LogFormat::Text => log.with_ansi(io::IsTerminal::is_terminal(&io::stderr())).init(),
        LogFormat::Json => log.json().init(),
    }
}

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

fn back_up(data: Option<PathBuf>, to: &Path) -> anyhow::Result<()> {
    backup::backup(&directory(data)?, to)?;
    eprintln!("wrote the backup to {}", to.display());
    Ok(())
}

fn restore(from: &Path, data: Option<PathBuf>) -> anyhow::Result<()> {
    let data = directory(data)?;
    backup::restore(from, &data)?;
    eprintln!(
        "restored {}; start it with: engine-service --data {}",
        data.display(),
        data.display()
    );
    Ok(())
}

const CONNECTIONS: usize = 16;

fn migrate_data(from: &str, to: &str, authority: Option<&Path>) -> anyhow::Result<()> {
    let from = from
        .strip_prefix("sqlite:")
        .with_context(|| format!("--from {from} is not a data directory: give sqlite:DIR"))?;
    let url = DatabaseUrl::of(to)
        .context("--to must be a database: postgres://USER:PASSWORD@HOST/DATABASE")?;
    runtime()?.block_on(async {
        let to = Box::pin(PostgresStore::open_to_move(url.reveal(), CONNECTIONS, authority));
        let Migrated { accounts, games, entries } = migrate::migrate(Path::new(from), to).await?;
        eprintln!(
            "moved: games {games}, entries {entries}, accounts {accounts}; every journal is \
             identical"
        );
        eprintln!("start engines with --data {url}; keep {from} as a backup");
        Ok(())
    })
}

fn verify_data(data: Option<PathBuf>, authority: Option<&Path>) -> anyhow::Result<()> {
    let data = config::data(data)?;
    let bar = ProgressBar::new(0)
        .with_style(ProgressStyle::with_template("{bar:40} {pos}/{len} games, {eta} left")?);
    let progress = |done, all| {
        bar.set_length(all);
        bar.set_position(done);
    };
    let verified = runtime()?.block_on(async {
        Ok::<_, anyhow::Error>(match data {
            Data::Memory => {
                anyhow::bail!("--data :memory: stores nothing; give a directory or a database")
            }
            Data::Directory(data) => {
                check_database(&data)?;
                verify::directory(&data, &progress).await?
            }
            Data::Database(url) => {
                let store = PostgresStore::open(url.reveal(), CONNECTIONS, authority).await?;
                verify::check_store(&store, &progress).await
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
        "found damage, listed above: findings {}, games checked {games}; restore a backup",
        damage.len()
    );
    eprintln!("found no damage; checked: games {games}, entries {entries}, all accounts");
    Ok(())
}

fn recompute(data: Option<PathBuf>, authority: Option<&Path>) -> anyhow::Result<()> {
    let data = config::data(data)?;
    let games = runtime()?.block_on(async {
        let store: Arc<dyn Store> = match &data {
            Data::Memory => {
                anyhow::bail!("--data :memory: stores nothing; give a directory or a database")
            }
            Data::Directory(data) => {
                check_database(data)?;
                Arc::new(SqliteStore::open(data, None)?)
            }
            Data::Database(url) => {
                Arc::new(PostgresStore::open(url.reveal(), CONNECTIONS, authority).await?)
            }
        };
        Ok::<_, anyhow::Error>(Ratings::new(store, Time::default()).recalculate().await?)
    })?;
    eprintln!("calculated the ratings; games: {games}");
    Ok(())
}

fn check_database(data: &Path) -> anyhow::Result<()> {
    anyhow::ensure!(
        data.join(DATABASE).is_file(),
        "{} contains no database: give the engine's directory with --data",
        data.display()
    );
    Ok(())
}

fn directory(wanted: Option<PathBuf>) -> anyhow::Result<PathBuf> {
    match config::data(wanted)? {
        Data::Directory(directory) => Ok(directory),
        Data::Memory => anyhow::bail!("--data :memory: stores nothing; give a directory"),
        Data::Database(url) => anyhow::bail!(
            "--data {url} is a database: back it up and restore it with its own tools, such as \
             pg_dump and pg_basebackup"
        ),
    }
}
