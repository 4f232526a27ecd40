//! The command line.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread::available_parallelism;

use anyhow::{Context as _, Result, bail};
use clap::{Args, Parser, Subcommand};
use heliopause_connect::dial::Tcp;
use heliopause_connect::{Address, Addresses};

use crate::bot::{Level, Stop};
use crate::games::{self, Kit};
use crate::tournament::Plan;
use crate::worker::{Levels, Plays, Settings, Thinks, Tls};

/// Plays the automated seats of a Heliopause engine.
///
/// Without a command it connects to the engine, is leased the decisions of automated seats, and
/// answers them, until it is stopped with Ctrl-C or SIGTERM. A lost engine is waited for. Any
/// number of these processes share the work of one engine.
#[derive(Debug, Parser)]
#[command(
    name = "ai-client",
    version,
    after_help = "Options can also be set as HELIOPAUSE_* environment variables, as shown."
)]
pub struct Cli {
    /// What to do instead of working for an engine.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// How to work for an engine.
    #[command(flatten)]
    pub work: WorkArgs,
}

/// Commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Lets bots play against each other in this process, and prints who is better and how sure
    /// that is.
    ///
    /// Games come in sets: the same board and dice, once for every rotation of the players round
    /// the table. The score is in Starships at Large the points plus a tenth of own planets less
    /// the mean of the others', capped at 0.49; in Star Empires the share of the galaxy's
    /// production, in Stellar Conquest the points less the mean of the others', in Diplomacy the
    /// share of all supply centers. In a game for one player, like The Fate of Empire, each level
    /// plays every set alone, and the table shows how its points are distributed. The same seed
    /// prints the same tables, but for times. Ctrl-C or SIGTERM ends a tournament early: it prints
    /// what the complete sets show, and exits with status 1.
    Tournament(TournamentArgs),
}

/// How to work for an engine.
#[derive(Args, Debug)]
pub struct WorkArgs {
    /// The engine's address: http://HOST:PORT or https://HOST:PORT. Of several engines that share
    /// their games name all, with commas or by repeating this; the worker goes to one that answers,
    /// and to another when that goes away.
    #[arg(
        long = "engine",
        env = "HELIOPAUSE_ENGINE",
        value_name = "URL",
        value_delimiter = ',',
        default_value = "http://127.0.0.1:50051"
    )]
    pub engines: Vec<Address>,
    /// The file with the worker's token, as the engine wrote it into its data directory
    /// [default: ~/.local/share/heliopause/worker.token].
    #[arg(long, env = "HELIOPAUSE_TOKEN_FILE", value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// What to play: profiles, or GAME/PROFILE where several games share a name
    /// [default: everything].
    #[arg(long, env = "HELIOPAUSE_PROFILES", value_name = "PROFILE", value_delimiter = ',')]
    pub profiles: Vec<String>,
    /// How well to play: decisions of other levels are left to other workers.
    #[arg(
        long,
        env = "HELIOPAUSE_LEVELS",
        value_name = "LEVEL",
        value_delimiter = ',',
        default_value = "random,standard,strong"
    )]
    pub levels: Vec<Level>,
    /// How many decisions to take at once, 1 to 256 [default: one a processor].
    #[arg(long, env = "HELIOPAUSE_CONCURRENCY", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub concurrency: Option<u16>,
    /// A name for the engine's logs [default: ai-client and the process id].
    #[arg(long, env = "HELIOPAUSE_NAME", value_name = "NAME")]
    pub name: Option<String>,
    /// For https: PEM file with the authority (or the self-signed certificate) of the engine
    /// [default: the system's authorities].
    #[arg(long, env = "HELIOPAUSE_TLS_CA", value_name = "FILE")]
    pub tls_ca: Option<PathBuf>,
    /// For an engine that asks workers for a certificate: PEM file with it.
    #[arg(long, env = "HELIOPAUSE_TLS_CERT", value_name = "FILE", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,
    /// PEM file with the key of that certificate.
    #[arg(long, env = "HELIOPAUSE_TLS_KEY", value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
    /// What to log: error, warn, info, debug or trace, or a filter like heliopause_ai=debug.
    #[arg(long, env = "HELIOPAUSE_LOG", value_name = "FILTER", default_value = "info")]
    pub log: String,
}

/// What to play in a tournament.
#[derive(Args, Debug)]
pub struct TournamentArgs {
    /// The game, for example starships-at-large.
    pub game: String,
    /// The levels that play, filling the seats in turn as often as needed.
    #[arg(
        long,
        value_name = "LEVEL",
        value_delimiter = ',',
        default_value = "strong,standard,random"
    )]
    pub players: Vec<Level>,
    /// How many games; a last set is played to its end.
    #[arg(long, value_name = "N", default_value_t = 60)]
    pub games: usize,
    /// How many players' seats [default: as many as players are named, or as the game has].
    #[arg(long, value_name = "N")]
    pub seats: Option<usize>,
    /// The level of seats that only automation plays: the Death Star.
    #[arg(long, value_name = "LEVEL", default_value_t = Level::Standard, visible_alias = "death-star")]
    pub automata: Level,
    /// The seed of boards, dice and bots.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// How many turns a game of Star Empires lasts at most [default: 40], or years one of Diplomacy
    /// [default: 15].
    #[arg(long, value_name = "N")]
    pub turns: Option<u32>,
    /// How many games at once [default: one a processor].
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Print a line for each game as well: its seats, scores and rounds, and why it ended.
    #[arg(long)]
    pub each: bool,
    /// Print JSON, each game included.
    #[arg(long)]
    pub json: bool,
}

impl WorkArgs {
    /// The settings of a worker.
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
            thinks: Thinks::Apart,
        })
    }
}

impl TournamentArgs {
    /// The game and the plan.
    pub fn plan(&self, progress: fn(usize, usize), stop: Stop) -> Result<(&'static dyn Kit, Plan)> {
        let known = || games::all().map(Kit::kind).collect::<Vec<_>>().join(", ");
        let kit = games::find(&self.game)
            .with_context(|| format!("there is no game {:?}; there is {}", self.game, known()))?;
        let plan = Plan {
            players: self.players.clone(),
            seats: self.seats.unwrap_or(self.players.len().min(*kit.players().end())),
            games: self.games,
            automata: self.automata,
            seed: self.seed,
            turns: self.turns,
            threads: self.threads.unwrap_or_else(processors),
            progress,
            stop,
        };
        Ok((kit, plan))
    }
}

fn processors() -> usize {
    available_parallelism().map_or(1, usize::from)
}

/// Where an engine without configuration writes the worker's token.
fn default_token_file() -> Result<PathBuf> {
    let data =
        std::env::var_os("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let data = data.or_else(|| std::env::home_dir().map(|home| home.join(".local/share")));
    Ok(data
        .context("there is no home directory: name the token file with --token-file")?
        .join("heliopause/worker.token"))
}

/// What is played under these names; everything if there are none.
fn plays(names: &[String], levels: Levels) -> Result<Vec<Plays>> {
    let everything = || {
        games::all().flat_map(|kit| {
            kit.profiles().iter().map(move |&profile| Plays { kit, profile, levels })
        })
    };
    for name in names {
        if !everything().any(|plays| goes_by(&plays, name)) {
            let known = everything().map(|plays| format!("{}/{}", plays.kit.kind(), plays.profile));
            bail!(
                "there is no profile {name:?}; there are {}",
                known.collect::<Vec<_>>().join(", ")
            );
        }
    }
    Ok(everything()
        .filter(|plays| names.is_empty() || names.iter().any(|name| goes_by(plays, name)))
        .collect())
}

fn goes_by(plays: &Plays, name: &str) -> bool {
    name == plays.profile || name.split_once('/') == Some((plays.kit.kind(), plays.profile))
}
