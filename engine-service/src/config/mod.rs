//! The configuration. Flags override the environment, which overrides the file.

mod location;
mod notices;
mod settings;
mod sign_in;
mod tournaments;

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use ipnet::IpNet;
use serde::Deserialize;

pub use self::location::{Data, DatabaseUrl, data, without_passwords};
pub use self::notices::{MailSettings, NoticeSettings, SmtpUrl};
pub use self::settings::{Delay, LogFormat, Period, Settings};
pub use self::sign_in::{PageOrigin, ProviderSettings, SignInMethod, SignInSettings};
pub use self::tournaments::{TournamentHosts, TournamentSettings};

use crate::accounts::Registration;

/// The settings for connecting to a database, besides its URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseAccess {
    /// A PEM file with CA certificates, or `None` for the system's certificates.
    pub authority: Option<PathBuf>,
    pub connections: usize,
}

/// The users that may watch games as spectators. Private games cannot be watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Watch {
    /// Anyone, even without an account
    Public,
    /// Players with an account
    Players,
    /// Only participants in the game
    None,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tls {
    pub cert: PathBuf,
    pub key: PathBuf,
    /// A PEM file with the CA of client certificates. If set, workers must have a certificate.
    pub client_ca: Option<PathBuf>,
}

/// The limits for each player and for the whole server. 0 means no limit only where stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quotas {
    pub memory_bytes: usize,
    pub message_bytes: usize,
    /// Maximum calls per second for each player, or 0 for no limit.
    pub calls_per_second: u32,
    /// Maximum number of registrations and sign-ins per minute from one address, and of calls with
    /// a wrong token. 0 means no limit.
    pub auth_attempts_per_minute: u32,
    pub streams: u32,
    /// Maximum number of unfinished games that a player plays in or hosts.
    pub games: u32,
    pub connections: usize,
    /// Maximum number of concurrent calls per player, or 0 for no limit.
    pub account_calls: usize,
    /// Maximum number of connections from one address, or 0 for no limit. The limits on calls and
    /// streams per address are multiples of this number.
    pub address_connections: usize,
    /// Maximum number of bytes of unfinished requests and unsent responses.
    pub bytes_in_flight: usize,
    /// Number of games in memory above which idle games are evicted early.
    pub live_games: usize,
}

impl Quotas {
    #[cfg(test)]
    pub(crate) fn none() -> Self {
        Self {
            memory_bytes: 1 << 30,
            message_bytes: 4 << 20,
            calls_per_second: 0,
            auth_attempts_per_minute: 0,
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

/// The checked configuration of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    pub listen: SocketAddr,
    pub data: Data,
    pub database: DatabaseAccess,
    /// The directory of the token files, or `None` for a temporary directory.
    pub tokens: Option<PathBuf>,
    /// The size in bytes at which a database in a data directory rejects further writes.
    pub database_bytes: Option<u64>,
    pub metrics: Option<SocketAddr>,
    pub sandbox: bool,
    pub sandbox_lifetime: Duration,
    /// The time without viewers after which automation of a game is suspended, or `None` for never.
    pub unwatched_after: Option<Duration>,
    pub evict_after: Duration,
    pub tls: Option<Tls>,
    pub registration: Registration,
    pub web: bool,
    pub watch: Watch,
    pub cors_origins: Vec<String>,
    pub notices: NoticeSettings,
    pub sign_in: SignInSettings,
    pub tournaments: TournamentSettings,
    pub quotas: Quotas,
    pub trusted_proxies: Vec<IpNet>,
    /// Whether connections from trusted proxies start with the PROXY protocol.
    pub proxy_protocol: bool,
    /// The time for which a stopping server keeps serving, so that load balancers notice its health
    /// status.
    pub drain_delay: Duration,
    /// The maximum duration of the drain after `drain_delay`.
    pub drain_timeout: Duration,
    pub log_format: LogFormat,
}

#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("--config {} cannot be read: {error}", path.display())]
    Unreadable { path: PathBuf, error: std::io::Error },
    #[error("--config {}: line {line}: {key}: {error}", path.display())]
    Malformed {
        path: PathBuf,
        line: usize,
        key: String,
        /// The error without the rejected line, which may contain a password.
        error: String,
    },
    #[error(
        "--listen {0} is not a loopback address; without TLS, tokens would be sent unencrypted: \
         give --tls-cert and --tls-key, or --insecure-no-tls if something else (a proxy, a private \
         network) protects the tokens"
    )]
    NoTls(SocketAddr),
    #[error(
        "--listen {0} is not a loopback address; a sandbox lets every caller create games, script \
         dice and take any seat: add --sandbox-exposed to allow that"
    )]
    SandboxExposed(SocketAddr),
    #[error("--tls-cert and --tls-key go together: give both or neither")]
    HalfTls,
    #[error("--tls-client-ca requires --tls-cert and --tls-key")]
    ClientCaWithoutTls,
    #[error(
        "--data {scheme}:... is not supported: give a directory (DIR or sqlite:DIR), a database \
         (postgres://USER:PASSWORD@HOST/DATABASE), or :memory:"
    )]
    NoLocation { scheme: String },
    #[error("the home directory is unknown: give --data DIR (and --tokens DIR with a database)")]
    NoHome,
    #[error("--{flag} applies only to data in a {location}: remove the flag or change --data")]
    WrongLocation { flag: &'static str, location: &'static str },
    #[error("--database-connections {0} is too low; the minimum is {CONNECTIONS_MIN}")]
    TooFewConnections(u32),
    #[error(
        "--proxy-protocol requires --trusted-proxy: only trusted proxies can send the PROXY header"
    )]
    NoProxies,
    #[error("--notices-private-addresses requires --notices-webhooks")]
    NoWebhooks,
    // The error does not show the address, which may contain a password.
    #[error(
        "--notices-smtp must be the address of a mail server: smtps://USER:PASSWORD@HOST, \
         smtp://USER:PASSWORD@HOST?tls=required or smtp://HOST"
    )]
    NoMailServer,
    #[error("--notices-smtp and --notices-from go together: give both or neither")]
    HalfMail,
    #[error(
        "--notices-from {0:?} is not an email address; expected one such as \"Games \
         <games@example.org>\""
    )]
    NoSender(String),
    #[error(
        "--sign-in and --oidc-provider require --page-origin, for example https://play.example"
    )]
    NoPageOrigin,
    #[error("--sign-in mail requires --notices-smtp and --notices-from")]
    NoSignInMail,
    #[error(
        "--page-origin {0:?} is not an origin in lower case; expected one such as \
         https://play.example, or http://localhost:50051"
    )]
    PageOrigin(String),
    #[error(
        "--oidc-provider {0:?} is not a provider; expected one such as \
         Example=https://id.example,CLIENT or Example=https://id.example,CLIENT,FILE"
    )]
    Provider(String),
    #[error("--oidc-provider: the client's secret in {} cannot be read: {error}", path.display())]
    ProviderSecret { path: PathBuf, error: std::io::Error },
    #[error(
        "--memory-limit {found} is too low; the minimum with --message-limit-kb {kilobytes} is \
         {least}"
    )]
    TooLittleMemory { found: u32, least: usize, kilobytes: u32 },
    #[error("--bot-ladder {0} is too high; the maximum is {1}")]
    TooManyLadderGames(u32, u32),
    #[error("--{0} 0 is too low; the minimum is 1")]
    Zero(&'static str),
}

const CONNECTIONS_MIN: u32 = 8;

const LISTEN: SocketAddr = SocketAddr::new(IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 50_051);

impl Config {
    pub fn resolve(settings: Settings) -> Result<Self, ConfigError> {
        let sandbox = settings.sandbox.unwrap_or(false);
        let data = data(settings.data.clone())?;
        let listen = settings.listen.unwrap_or(LISTEN);
        // Without a proxy, only users of this machine can connect to loopback.
        let is_local = listen.ip().is_loopback() && settings.trusted_proxy.is_empty();
        let notices = NoticeSettings::of(&settings)?;
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
            web: settings.web.unwrap_or(is_local),
            watch: settings.watch.unwrap_or(if is_local { Watch::Public } else { Watch::Players }),
            sign_in: SignInSettings::of(&settings, &notices)?,
            notices,
            tournaments: TournamentSettings::of(&settings)?,
            quotas: quotas(&settings, sandbox)?,
            // On loopback there is no load balancer to wait for.
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
            let location =
                if of_database { "database (--data postgres://...)" } else { "directory" };
            return Err(ConfigError::WrongLocation { flag, location });
        }
    }
    match settings.database_connections.unwrap_or(16) {
        connections if connections < CONNECTIONS_MIN => {
            Err(ConfigError::TooFewConnections(connections))
        }
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

/// The divisors of the memory limit for bytes in flight and for games, and the estimated size of a
/// game in memory.
const IN_FLIGHT_DIVISOR: usize = 4;
const GAMES_DIVISOR: usize = 3;
const GAME_BYTES: usize = 24 << 10;
/// The bytes charged for each byte of a request, times the divisor for an account's share.
const REQUEST_MEMORY_FACTOR: usize = 4 * 4;
const MEMORY_MIN: usize = 128 << 20;

/// Derives the quotas from the settings. Fails if a limit is 0 that must not be, or if the memory
/// limit is too low. A sandbox server has no default limits on rates, concurrent calls, or
/// connections per address, because tests call as fast as possible.
fn quotas(settings: &Settings, sandbox: bool) -> Result<Quotas, ConfigError> {
    let at_least_one =
        |name, value: u32| if value == 0 { Err(ConfigError::Zero(name)) } else { Ok(value) };
    let kilobytes = at_least_one("message-limit-kb", settings.message_limit_kb.unwrap_or(4_096))?;
    let connections = at_least_one("connection-limit", settings.connection_limit.unwrap_or(4_096))?;
    let message_bytes = kilobytes as usize * 1_024;
    let found = settings.memory_limit.unwrap_or(768);
    let memory = (found as usize) << 20;
    let needed = MEMORY_MIN.max(message_bytes * REQUEST_MEMORY_FACTOR * IN_FLIGHT_DIVISOR);
    if memory < needed {
        let least = needed.div_ceil(1 << 20);
        return Err(ConfigError::TooLittleMemory { found, least, kilobytes });
    }
    Ok(Quotas {
        memory_bytes: memory,
        message_bytes,
        account_calls: settings.call_limit.unwrap_or(if sandbox { 0 } else { 64 }) as usize,
        address_connections: settings.address_limit.unwrap_or(if sandbox { 0 } else { 512 })
            as usize,
        bytes_in_flight: memory / IN_FLIGHT_DIVISOR,
        live_games: memory / GAMES_DIVISOR / GAME_BYTES,
        calls_per_second: settings.rate_limit.unwrap_or(if sandbox { 0 } else { 200 }),
        auth_attempts_per_minute: settings.auth_limit.unwrap_or(if sandbox { 0 } else { 60 }),
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

    /// Remote users may connect even on loopback, through a proxy on this machine.
    #[test]
    fn page_and_public_watching_default_to_on_only_for_local_users() {
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
