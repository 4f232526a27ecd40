//! The command line of `ai-client`.

use std::fs::File;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread::available_parallelism;

use anyhow::{Context as _, Result, bail};
use clap::{Args, Parser, Subcommand};
use heliopause_client::connect::dial::Tcp;
use heliopause_client::connect::{Address, Addresses};

use crate::bot::{Level, Stop};
use crate::games::{self, GameAdapter};
use crate::tournament::{Plan, Player, Progress, Sprt};
use crate::worker::{BotExecutor, Levels, Plays, Settings, Tls};

/// Play the automated seats of a Heliopause engine.
///
/// Without a command, the program connects to the engine, leases decisions of automated seats and
/// answers them, until Ctrl-C or SIGTERM. If the connection is lost, the program reconnects. Any
/// number of these processes can share the work of one engine.
#[derive(Debug, Parser)]
#[command(
    name = "ai-client",
    version,
    after_help = "Options can also be set as HELIOPAUSE_* environment variables, as shown."
)]
pub struct Cli {
    /// The subcommand. Without one, the program works for an engine.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Options of the worker.
    #[command(flatten)]
    pub work: WorkArgs,
}

/// The subcommands of `ai-client`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play games between levels and compare their results, with confidence intervals.
    ///
    /// Games are played in sets. The games of a set have the same board and dice, and each has a
    /// different rotation of the players through the seats. The report explains the score of the
    /// game. In games for one player, such as The Fate of Empire, each level plays every set alone,
    /// and a table shows the distribution of its points. The same seed gives the same results,
    /// except for times. Ctrl-C or SIGTERM stops the tournament: it prints the results of the
    /// complete sets and exits with status 1.
    Tournament(TournamentArgs),
    /// Play tournaments of all levels and exploits, and print a Markdown table for each game.
    Benchmark(BenchmarkArgs),
}

/// Options of the worker.
#[derive(Args, Debug)]
pub struct WorkArgs {
    /// URL of the engine: http://HOST:PORT or https://HOST:PORT. If several engines share a
    /// database, list all of them, separated by commas or by repeating the option. The worker
    /// connects to one of them and switches to another if that one becomes unavailable.
    #[arg(
        long = "engine",
        env = "HELIOPAUSE_ENGINE",
        value_name = "URL",
        value_delimiter = ',',
        default_value = "http://127.0.0.1:50051"
    )]
    pub engines: Vec<Address>,
    /// File with the worker's token. The engine writes it into its data directory [default:
    /// ~/.local/share/heliopause/worker.token].
    #[arg(long, env = "HELIOPAUSE_TOKEN_FILE", value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// Profiles to play, or GAME/PROFILE if several games have a profile of that name [default:
    /// all].
    #[arg(long, env = "HELIOPAUSE_PROFILES", value_name = "PROFILE", value_delimiter = ',')]
    pub profiles: Vec<String>,
    /// Levels to play. Other workers must play the other levels.
    #[arg(
        long,
        env = "HELIOPAUSE_LEVELS",
        value_name = "LEVEL",
        value_delimiter = ',',
        default_value = "random,standard,strong"
    )]
    pub levels: Vec<Level>,
    /// Number of decisions to work on at the same time, 1 to 256 [default: one per processor].
    #[arg(long, env = "HELIOPAUSE_CONCURRENCY", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub concurrency: Option<u16>,
    /// Name in the engine's logs [default: ai-client and the process id].
    #[arg(long, env = "HELIOPAUSE_NAME", value_name = "NAME")]
    pub name: Option<String>,
    /// For https: PEM file with the engine's certificate authority or self-signed certificate
    /// [default: the system's authorities].
    #[arg(long, env = "HELIOPAUSE_TLS_CA", value_name = "FILE")]
    pub tls_ca: Option<PathBuf>,
    /// For an engine that requires client certificates: PEM file with the certificate.
    #[arg(long, env = "HELIOPAUSE_TLS_CERT", value_name = "FILE", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,
    /// PEM file with the key of that certificate.
    #[arg(long, env = "HELIOPAUSE_TLS_KEY", value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
    /// Log filter: error, warn, info, debug or trace, or a filter like heliopause_ai=debug.
    #[arg(long, env = "HELIOPAUSE_LOG", value_name = "FILTER", default_value = "info")]
    pub log: String,
}

/// Options of a tournament.
#[derive(Args, Debug)]
pub struct TournamentArgs {
    /// Kind of game, for example starships-at-large.
    pub game: String,
    /// Players: levels, or exploits. They fill the seats in turn, repeatedly if needed. The
    /// exploits play badly, but try to gain by one trick: holder and betrayer propose agreements
    /// and hold or attack, drawer proposes a draw in each round, rusher attacks one neighbor.
    #[arg(
        long,
        value_name = "PLAYER",
        value_delimiter = ',',
        default_value = "strong,standard,random"
    )]
    pub players: Vec<Player>,
    /// Number of games [default: 60, or 10000 with --sprt]. The last set is always completed.
    #[arg(long, value_name = "N", conflicts_with = "set")]
    pub games: Option<usize>,
    /// End when it is decided whether the first of two players is better. The test compares an
    /// effect of 0 with an effect of at least EFFECT standard deviations of a set [default: 0.5].
    /// Each error has a probability of at most 5%.
    #[arg(
        long,
        value_name = "EFFECT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "0.5",
        value_parser = effect
    )]
    pub sprt: Option<f64>,
    /// Number of player seats [default: the number of levels, up to the game's maximum].
    #[arg(long, value_name = "N")]
    pub seats: Option<usize>,
    /// Level of seats that only automation plays, such as the Death Star.
    #[arg(long, value_name = "LEVEL", default_value_t = Level::Standard, visible_alias = "death-star")]
    pub automata: Level,
    /// Seed for boards, dice and bots.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// Play only this set, to repeat its games.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub set: Option<u32>,
    /// File to which a line of JSON is appended for each game, with its seed and set, when the game
    /// ends.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Maximum number of turns of a game of Star Empires [default: 40], or of years of a game of
    /// Diplomacy [default: 15].
    #[arg(long, value_name = "N")]
    pub turns: Option<u32>,
    /// Number of games to play at the same time [default: one per processor].
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Also print a line for each game: its seats, scores and rounds, and why it ended.
    #[arg(long)]
    pub each: bool,
    /// Print JSON, including each game.
    #[arg(long)]
    pub json: bool,
}

/// Options of a benchmark.
#[derive(Args, Debug)]
pub struct BenchmarkArgs {
    /// Kinds of games, for example diplomacy [default: all].
    pub games: Vec<String>,
    /// Number of games of each line-up.
    #[arg(long = "games", value_name = "N", default_value_t = 28)]
    pub count: usize,
    /// Seed for boards, dice and bots.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// Number of games to play at the same time [default: one per processor].
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
}

impl BenchmarkArgs {
    pub fn plan(&self, progress: fn(&Progress), stop: Stop) -> Plan {
        let (seed, threads) = (self.seed, self.threads.unwrap_or_else(processors));
        let plan = Plan::new(Vec::<Player>::new(), 1, self.count);
        Plan { seed, threads, progress, stop, ..plan }
    }

    pub fn adapters(&self) -> Result<Vec<&'static dyn GameAdapter>> {
        if self.games.is_empty() {
            return Ok(games::all().collect());
        }
        self.games.iter().map(|name| adapter(name)).collect()
    }
}

fn adapter(name: &str) -> Result<&'static dyn GameAdapter> {
    let known = || games::all().map(GameAdapter::kind).collect::<Vec<_>>().join(", ");
    games::find(name).with_context(|| format!("unknown game {name:?}; the games are {}", known()))
}

fn effect(text: &str) -> Result<f64> {
    let effect = text.parse::<f64>().ok().filter(|effect| (0.01..=10.0).contains(effect));
    effect.with_context(|| format!("{text} is not a number from 0.01 to 10"))
}

impl WorkArgs {
    pub fn settings(&self) -> Result<Settings> {
        Ok(Settings {
            engines: Addresses::new(self.engines.clone())?,
            token_file: self.token_file.clone().map_or_else(default_token_file, Ok)?,
            tls: Tls {
                ca: self.tls_ca.clone(),
                identity: self.tls_cert.clone().zip(self.tls_key.clone()),
            },
            name: self.name.clone().unwrap_or_else(|| format!("ai-client {}", std::process::id())),
            concurrency: self.concurrency.map_or_else(processors, usize::from),
            plays: plays(&self.profiles, self.levels.iter().copied().collect())?,
            dial: Arc::new(Tcp),
            executor: BotExecutor::BlockingPool,
        })
    }
}

impl TournamentArgs {
    pub fn plan(
        &self,
        progress: fn(&Progress),
        stop: Stop,
    ) -> Result<(&'static dyn GameAdapter, Plan)> {
        let adapter = adapter(&self.game)?;
        let seats = self.seats.unwrap_or(self.players.len().min(*adapter.players().end()));
        let usual = if self.sprt.is_some() { SPRT_GAMES } else { GAMES };
        let open = |path: &PathBuf| {
            let file = File::options().create(true).append(true).open(path);
            let file = file.with_context(|| format!("--out: cannot open {}", path.display()))?;
            anyhow::Ok(Arc::new(Mutex::new(file)))
        };
        let plan = Plan {
            first_set: self.set.map_or(0, |set| set as usize - 1),
            sprt: self.sprt.map(|effect| Sprt { effect }),
            automata: self.automata,
            seed: self.seed,
            turns: self.turns,
            threads: self.threads.unwrap_or_else(processors),
            progress,
            stop,
            out: self.out.as_ref().map(open).transpose()?,
            ..Plan::new(
                self.players.clone(),
                seats,
                if self.set.is_some() { 1 } else { self.games.unwrap_or(usual) },
            )
        };
        Ok((adapter, plan))
    }
}

const GAMES: usize = 60;
/// More games than any sequential test with a useful effect needs.
const SPRT_GAMES: usize = 10_000;

fn processors() -> usize {
    available_parallelism().map_or(1, usize::from)
}

fn default_token_file() -> Result<PathBuf> {
    let data =
        std::env::var_os("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let data = data.or_else(|| std::env::home_dir().map(|home| home.join(".local/share")));
    Ok(data
        .context("no home directory was found; specify the token file with --token-file")?
        .join("heliopause/worker.token"))
}

fn plays(names: &[String], levels: Levels) -> Result<Vec<Plays>> {
    let everything = || {
        games::all().flat_map(|adapter| {
            adapter.profiles().iter().map(move |&profile| Plays { adapter, profile, levels })
        })
    };
    for name in names {
        if !everything().any(|plays| goes_by(&plays, name)) {
            let known =
                everything().map(|plays| format!("{}/{}", plays.adapter.kind(), plays.profile));
            bail!(
                "unknown profile {name:?}; the profiles are {}",
                known.collect::<Vec<_>>().join(", ")
            );
        }
    }
    Ok(everything()
        .filter(|plays| names.is_empty() || names.iter().any(|name| goes_by(plays, name)))
        .collect())
}

fn goes_by(plays: &Plays, name: &str) -> bool {
    name == plays.profile || name.split_once('/') == Some((plays.adapter.kind(), plays.profile))
}
