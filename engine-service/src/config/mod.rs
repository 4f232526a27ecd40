//! One configuration from flags, environment and a file: a flag wins over the environment, the
//! environment over the file, the file over the default.

mod notices;
mod place;
mod settings;

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use ipnet::IpNet;
use serde::Deserialize;

pub use self::notices::{MailSettings, NoticeSettings, SmtpUrl};
pub use self::place::{Data, DatabaseUrl, data, without_passwords};
pub use self::settings::{Delay, LogFormat, Period, Settings};

use crate::accounts::Registration;

/// How to reach a database, besides its address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseAccess {
    /// The certificates that vouch for it, PEM; `None` for the system's.
    pub authority: Option<PathBuf>,
    /// Connections at most.
    pub connections: usize,
}

/// Who may watch games in which they have no part. Nobody watches a private one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Watch {
    /// Everybody, also without an account.
    Public,
    /// Whoever has an account.
    Players,
    /// Nobody.
    None,
}

/// Files for TLS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tls {
    /// The certificate chain, PEM.
    pub cert: PathBuf,
    /// Its private key, PEM.
    pub key: PathBuf,
    /// The authority that signs workers' certificates, PEM. With it, workers need one.
    pub client_ca: Option<PathBuf>,
}

/// What one player, or all together, may use. 0 means without limit where it says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quotas {
    /// How much memory the process may take, in bytes.
    pub memory_bytes: usize,
    /// The size of a message in bytes.
    pub message_bytes: usize,
    /// Calls of a player in a second; 0: without limit.
    pub calls_per_second: u32,
    /// Registrations, and calls with a wrong token, from one address in a minute; 0: without limit.
    pub knocks_per_minute: u32,
    /// Open streams of a player.
    pub streams: u32,
    /// Games that go on and count for a player: they play in them or host them.
    pub games: u32,
    /// Connections to the server.
    pub connections: usize,
    /// Calls of a player that may be under way at once; 0: without limit.
    pub account_calls: usize,
    /// Connections from one address; 0: without limit. It may have some times as many calls and
    /// streams.
    pub address_connections: usize,
    /// Bytes of requests that are read or worked on, and of answers that are not sent yet.
    pub bytes_in_flight: usize,
    /// Games in memory, before idle ones are put away early.
    pub live_games: usize,
}

impl Quotas {
    /// No limits where there may be none, and much room elsewhere.
    #[cfg(test)]
    pub(crate) fn none() -> Self {
        Self {
            memory_bytes: 1 << 30,
            message_bytes: 4 << 20,
            calls_per_second: 0,
            knocks_per_minute: 0,
            streams: 1_000,
            games: 1_000,
            connections: 1_000,
            account_calls: 0,
            address_connections: 0,
            bytes_in_flight: 1 << 30,
            live_games: 1_000,
        }
    }
}

/// The configuration, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Where gRPC is served.
    pub listen: SocketAddr,
    /// Where everything is kept.
    pub data: Data,
    /// How to reach a database, if that is where.
    pub database: DatabaseAccess,
    /// Where the token files are; `None` for a directory that ends with the process.
    pub tokens: Option<PathBuf>,
    /// The limit on the size of a database in a directory, in bytes.
    pub database_bytes: Option<u64>,
    /// Where metrics are served.
    pub metrics: Option<SocketAddr>,
    /// Whether sandbox games may be made.
    pub sandbox: bool,
    /// How long a sandbox game is kept.
    pub sandbox_lifetime: Duration,
    /// After how long without a person's look automation sleeps in a game; `None` for never.
    pub unwatched_after: Option<Duration>,
    /// After how long without a touch a game leaves the memory.
    pub evict_after: Duration,
    /// TLS, if it is on.
    pub tls: Option<Tls>,
    /// Who may open an account.
    pub registration: Registration,
    /// Whether the web page is served.
    pub web: bool,
    /// Who may watch.
    pub watch: Watch,
    /// Web pages from these origins may call by gRPC-Web.
    pub cors_origins: Vec<String>,
    /// Notices that leave the engine.
    pub notices: NoticeSettings,
    /// Limits.
    pub quotas: Quotas,
    /// Proxies that say whose calls they pass on.
    pub trusted_proxies: Vec<IpNet>,
    /// Whether their connections begin with the PROXY protocol.
    pub proxy_protocol: bool,
    /// How long a server that is about to stop serves on, so that balancers see its health first.
    pub drain_delay: Duration,
    /// How long a drain may take after that.
    pub drain_timeout: Duration,
    /// How the log is written.
    pub log_format: LogFormat,
}

/// Why the server does not start with this configuration: what is wrong, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("--config {}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the file system said.
        error: std::io::Error,
    },
    /// The file makes no sense.
    #[error("--config {}: line {line}: {key}: {error}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        line: usize,
        /// The setting there.
        key: String,
        /// What is wrong there. The line itself may hold a password.
        error: String,
    },
    /// An address off loopback without TLS.
    #[error(
        "{0} is not a loopback address, and without TLS tokens would cross the network in the \
         clear: give --tls-cert and \
         --tls-key, or --insecure-no-tls if something else (a proxy, a private network) protects \
         them"
    )]
    NoTls(SocketAddr),
    /// A sandbox off loopback.
    #[error(
        "{0} is not a loopback address, and a sandbox lets every caller make games, script dice \
         and hold every seat: add \
         --sandbox-exposed if that is meant"
    )]
    SandboxExposed(SocketAddr),
    /// Half of a pair.
    #[error("--tls-cert and --tls-key go together: give both or neither")]
    HalfTls,
    /// A client authority without TLS.
    #[error("--tls-client-ca needs --tls-cert and --tls-key")]
    ClientCaWithoutTls,
    /// A place that is none; what it begins with.
    #[error(
        "--data {scheme}:... is no place for data: give a directory (DIR or sqlite:DIR), a \
         database \
         (postgres://USER:PASSWORD@HOST/DATABASE), or :memory:"
    )]
    NoPlace {
        /// Its first word.
        scheme: String,
    },
    /// No place for the data.
    #[error(
        "there is no home directory to keep data in: say where with --data DIR (and --tokens DIR \
         with a database)"
    )]
    NoHome,
    /// A setting for another place of the data.
    #[error("--{flag} is for data in a {place}")]
    OtherPlace {
        /// The setting.
        flag: &'static str,
        /// Where the data would have to be.
        place: &'static str,
    },
    /// Some are kept for signs of life, some for lists.
    #[error("--database-connections must be at least {CONNECTIONS_MIN}")]
    TooFewConnections,
    /// The PROXY protocol of nobody.
    #[error("--proxy-protocol needs --trusted-proxy: it is read from trusted proxies only")]
    NoProxies,
    /// Private addresses of nothing.
    #[error("--notices-private-addresses needs --notices-webhooks")]
    NoWebhooks,
    /// The address of a mail server that is none. It may hold a password, so it is not shown.
    #[error(
        "--notices-smtp is not the address of a mail server: write smtps://USER:PASSWORD@HOST, \
         smtp://USER:PASSWORD@HOST?tls=required or smtp://HOST"
    )]
    NoMailServer,
    /// Half of a pair.
    #[error("--notices-smtp and --notices-from go together: give both or neither")]
    HalfMail,
    /// A sender who is none.
    #[error("--notices-from {0:?} is no mail address, such as \"Games <games@example.org>\"")]
    NoSender(String),
    #[error("--memory-limit must be at least {0} (MB), with --message-limit-kb as it is")]
    TooLittleMemory(usize),
    /// A limit that would lock everybody out.
    #[error("--{0} must be at least 1")]
    Zero(&'static str),
}

/// How many connections to a database an engine needs.
const CONNECTIONS_MIN: u32 = 8;

const LISTEN: SocketAddr = SocketAddr::new(IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 50_051);

impl Config {
    /// The configuration that the settings ask for, with the file they name and the defaults.
    pub fn resolve(settings: Settings) -> Result<Self, ConfigError> {
        let settings = settings.with_file()?;
        let sandbox = settings.sandbox.unwrap_or(false);
        let data = data(settings.data.clone())?;
        let listen = settings.listen.unwrap_or(LISTEN);
        // Nobody comes but the people of this machine.
        let at_home = listen.ip().is_loopback() && settings.trusted_proxy.is_empty();
        let config = Self {
            listen,
            database: database(&settings, &data)?,
            tokens: tokens(&settings, &data)?,
            data,
            database_bytes: settings.database_limit_mb.map(|megabytes| megabytes << 20),
            metrics: settings.metrics,
            sandbox,
            sandbox_lifetime: duration(settings.sandbox_lifetime, 24 * 60 * 60),
            unwatched_after: Some(
                settings.unwatched_after.map_or(Duration::from_hours(1), |Delay(after)| after),
            )
            .filter(|after| !after.is_zero()),
            evict_after: duration(settings.evict_after, 10 * 60),
            tls: tls(&settings)?,
            registration: settings.registration.unwrap_or(Registration::Open),
            web: settings.web.unwrap_or(at_home),
            watch: settings.watch.unwrap_or(if at_home { Watch::Public } else { Watch::Players }),
            notices: NoticeSettings::of(&settings)?,
            quotas: quotas(&settings, sandbox)?,
            // On loopback there is no balancer that would have to be told.
            drain_delay: settings.drain_delay.map_or_else(
                || Duration::from_secs(if listen.ip().is_loopback() { 0 } else { 5 }),
                |Delay(delay)| delay,
            ),
            drain_timeout: duration(settings.drain_timeout, 20),
            log_format: settings.log_format.unwrap_or(LogFormat::Text),
            cors_origins: settings.cors_origin,
            trusted_proxies: settings.trusted_proxy,
            proxy_protocol: settings.proxy_protocol.unwrap_or(false),
        };
        if config.proxy_protocol && config.trusted_proxies.is_empty() {
            return Err(ConfigError::NoProxies);
        }
        let protected = config.tls.is_some() || settings.insecure_no_tls.unwrap_or(false);
        if !config.listen.ip().is_loopback() && !protected {
            return Err(ConfigError::NoTls(config.listen));
        }
        if sandbox
            && !config.listen.ip().is_loopback()
            && !settings.sandbox_exposed.unwrap_or(false)
        {
            return Err(ConfigError::SandboxExposed(config.listen));
        }
        Ok(config)
    }
}

fn duration(period: Option<Period>, default_seconds: u64) -> Duration {
    period.map_or(Duration::from_secs(default_seconds), |Period(duration)| duration)
}

fn database(settings: &Settings, data: &Data) -> Result<DatabaseAccess, ConfigError> {
    let in_database = matches!(data, Data::Database(_));
    let given = [
        ("database-ca", settings.database_ca.is_some(), true),
        ("database-connections", settings.database_connections.is_some(), true),
        ("database-limit-mb", settings.database_limit_mb.is_some(), false),
    ];
    for (flag, given, of_database) in given {
        if given && of_database != in_database {
            let place = if of_database { "database (--data postgres://...)" } else { "directory" };
            return Err(ConfigError::OtherPlace { flag, place });
        }
    }
    match settings.database_connections.unwrap_or(16) {
        connections if connections < CONNECTIONS_MIN => Err(ConfigError::TooFewConnections),
        connections => Ok(DatabaseAccess {
            authority: settings.database_ca.clone(),
            connections: connections as usize,
        }),
    }
}

fn tokens(settings: &Settings, data: &Data) -> Result<Option<PathBuf>, ConfigError> {
    match (&settings.tokens, data) {
        (Some(tokens), _) => Ok(Some(tokens.clone())),
        (None, Data::Directory(directory)) => Ok(Some(directory.clone())),
        (None, Data::Database(_)) => default_directory().map(Some).ok_or(ConfigError::NoHome),
        (None, Data::Memory) => Ok(None),
    }
}

fn default_directory() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = set("XDG_DATA_HOME").or_else(|| set("HOME").map(|home| home.join(".local/share")));
    data.map(|data| data.join("heliopause"))
}

fn tls(settings: &Settings) -> Result<Option<Tls>, ConfigError> {
    match (&settings.tls_cert, &settings.tls_key, &settings.tls_client_ca) {
        (Some(cert), Some(key), client_ca) => {
            Ok(Some(Tls { cert: cert.clone(), key: key.clone(), client_ca: client_ca.clone() }))
        }
        (None, None, None) => Ok(None),
        (None, None, Some(_)) => Err(ConfigError::ClientCaWithoutTls),
        _ => Err(ConfigError::HalfTls),
    }
}

/// What part of the memory may be taken by bytes in flight; and what part by games, of which one
/// takes about so much.
const PART_IN_FLIGHT: usize = 4;
const PART_OF_GAMES: usize = 3;
const GAME_BYTES: usize = 24 << 10;
/// How many times its size a request may count for, and what part of what is in flight may be one
/// account's.
const LARGEST_REQUEST: usize = 4 * 4;
/// The least that an engine can work with.
const MEMORY_MIN: usize = 128 << 20;

/// A sandbox is there for tests, which call as fast as they can: it has no rate limits unless they
/// are asked for.
fn quotas(settings: &Settings, sandbox: bool) -> Result<Quotas, ConfigError> {
    let at_least_one =
        |name, value: u32| if value == 0 { Err(ConfigError::Zero(name)) } else { Ok(value) };
    let kilobytes = at_least_one("message-limit-kb", settings.message_limit_kb.unwrap_or(4_096))?;
    let connections = at_least_one("connection-limit", settings.connection_limit.unwrap_or(4_096))?;
    let message_bytes = kilobytes as usize * 1_024;
    let memory = (settings.memory_limit.unwrap_or(768) as usize) << 20;
    let needed = MEMORY_MIN.max(message_bytes * LARGEST_REQUEST * PART_IN_FLIGHT);
    if memory < needed {
        return Err(ConfigError::TooLittleMemory(needed.div_ceil(1 << 20)));
    }
    Ok(Quotas {
        memory_bytes: memory,
        message_bytes,
        account_calls: settings.call_limit.unwrap_or(if sandbox { 0 } else { 64 }) as usize,
        address_connections: settings.address_limit.unwrap_or(if sandbox { 0 } else { 512 })
            as usize,
        bytes_in_flight: memory / PART_IN_FLIGHT,
        live_games: memory / PART_OF_GAMES / GAME_BYTES,
        calls_per_second: settings.rate_limit.unwrap_or(if sandbox { 0 } else { 200 }),
        knocks_per_minute: settings.knock_limit.unwrap_or(if sandbox { 0 } else { 60 }),
        streams: at_least_one("stream-limit", settings.stream_limit.unwrap_or(64))?,
        games: at_least_one("games-limit", settings.games_limit.unwrap_or(100))?,
        connections: connections as usize,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(settings: Settings) -> (bool, Watch) {
        let data = Some(":memory:".into());
        let config = Config::resolve(Settings { data, ..settings }).expect("good settings");
        (config.web, config.watch)
    }

    /// Whoever comes from elsewhere, also by a proxy on this machine, gets what the operator names.
    #[test]
    fn the_page_and_watchers_are_there_by_themselves_for_the_people_of_this_machine_alone() {
        let listen = |address: &str| Some(address.parse().unwrap());
        let proxy = vec!["127.0.0.1/32".parse().unwrap()];
        let home = Settings { listen: listen("127.0.0.1:0"), ..Settings::default() };
        let behind = Settings { trusted_proxy: proxy, ..home.clone() };
        let insecure_no_tls = Some(true);
        let outside = Settings { listen: listen("0.0.0.0:0"), insecure_no_tls, ..home.clone() };
        assert_eq!(resolved(home.clone()), (true, Watch::Public));
        assert_eq!(resolved(behind), (false, Watch::Players));
        assert_eq!(resolved(outside.clone()), (false, Watch::Players));
        let named = Settings { web: Some(true), watch: Some(Watch::Public), ..outside };
        assert_eq!(resolved(named), (true, Watch::Public));
        let refused = Settings { web: Some(false), watch: Some(Watch::None), ..home };
        assert_eq!(resolved(refused), (false, Watch::None));
    }
}
