//! The settings. Each can be set by a flag, an environment variable, or a key in the file.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{ArgMatches, FromArgMatches as _};
use ipnet::IpNet;
use serde::{Deserialize, Deserializer};

use super::notices::SmtpUrl;
use super::{ConfigError, SignInMethod, TournamentHosts, Watch};
use crate::accounts::Registration;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum LogFormat {
    /// Readable lines
    Text,
    /// One JSON object per line
    Json,
}

/// A positive duration, written as "90s", "10m" or "1d 12h".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Period(pub Duration);

impl FromStr for Period {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Delay(duration) = text.parse()?;
        if duration.is_zero() {
            return Err(format!("{text:?} is too short; the duration must be more than 0s"));
        }
        Ok(Self(duration))
    }
}

/// A duration that may be 0, written as "5s", "0s" or "0".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Delay(pub Duration);

impl FromStr for Delay {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "0" {
            return Ok(Self(Duration::ZERO));
        }
        let signed: jiff::SignedDuration = text.parse().map_err(|_| invalid_duration(text))?;
        let negative = || format!("{text:?} is too short; the minimum is 0s");
        Duration::try_from(signed).map(Self).map_err(|_| negative())
    }
}

fn invalid_duration(text: &str) -> String {
    format!("{text:?} is not a duration; expected one like \"90s\", \"10m\" or \"24h\"")
}

impl TryFrom<String> for Delay {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl TryFrom<String> for Period {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

/// Parses an address with a port. The only accepted host name is localhost, because other names can
/// change their address.
fn socket(text: &str) -> Result<SocketAddr, String> {
    let home = |port: &str| Some(SocketAddr::from((Ipv4Addr::LOCALHOST, port.parse().ok()?)));
    let localhost = text.strip_prefix("localhost:").and_then(home);
    text.parse().ok().or(localhost).ok_or_else(|| {
        format!(
            "{text:?} is not an address with a port; expected one like localhost:50051, \
             127.0.0.1:50051, [::1]:50051 or 0.0.0.0:50051"
        )
    })
}

fn socket_in_file<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<SocketAddr>, D::Error> {
    let text = String::deserialize(deserializer)?;
    socket(&text).map(Some).map_err(serde::de::Error::custom)
}

fn network(text: &str) -> Result<IpNet, String> {
    let address = || text.parse::<IpAddr>().map(IpNet::from);
    text.parse().or_else(|_| address()).map_err(|_| {
        format!(
            "{text:?} is not an address or a network; expected one like \"10.0.0.1\" or \
                 \"10.0.0.0/8\""
        )
    })
}

fn networks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<IpNet>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    texts.iter().map(|text| network(text).map_err(serde::de::Error::custom)).collect()
}

/// All settings. `None` means that this source does not set the value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, clap::Args)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Settings {
    /// TOML file with settings: the same names without the leading dashes, for example
    /// `listen = "..."`
    #[arg(long, env = "HELIOPAUSE_CONFIG", value_name = "FILE")]
    #[serde(skip)]
    pub config: Option<PathBuf>,

    /// Address to serve gRPC on; port 0 picks a free one [default: 127.0.0.1:50051]
    #[arg(long, env = "HELIOPAUSE_LISTEN", value_name = "ADDR", value_parser = socket)]
    #[serde(deserialize_with = "socket_in_file")]
    pub listen: Option<SocketAddr>,

    /// Location of games and accounts: a directory, created if missing; a PostgreSQL database,
    /// written postgres://USER:PASSWORD@HOST/DATABASE, which several engines may share; or
    /// ":memory:", which stores nothing permanently
    /// [default: ~/.local/share/heliopause]
    #[arg(long, env = "HELIOPAUSE_DATA", hide_env_values = true, value_name = "DIR|URL")]
    pub data: Option<PathBuf>,

    /// CA certificates (PEM) for the database's TLS; the same as sslrootcert in its URL. The URL's
    /// sslmode sets the TLS checks: disable, prefer (the default without this file), require (the
    /// default with it), verify-ca, verify-full
    /// [default: the system's]
    #[arg(long, env = "HELIOPAUSE_DATABASE_CA", value_name = "FILE")]
    pub database_ca: Option<PathBuf>,

    /// Maximum number of database connections, besides one for notifications; at least 8
    /// [default: 16]
    #[arg(long, env = "HELIOPAUSE_DATABASE_CONNECTIONS", value_name = "N")]
    pub database_connections: Option<u32>,

    /// Directory for admin.token and worker.token, created if missing
    /// [default: the data directory; with a database ~/.local/share/heliopause]
    #[arg(long, env = "HELIOPAUSE_TOKENS", value_name = "DIR")]
    pub tokens: Option<PathBuf>,

    /// Size in megabytes at which the database rejects further writes
    #[arg(long, env = "HELIOPAUSE_DATABASE_LIMIT_MB", value_name = "MB")]
    pub database_limit_mb: Option<u64>,

    /// Address to serve Prometheus metrics on [default: off]
    #[arg(long, env = "HELIOPAUSE_METRICS", value_name = "ADDR", value_parser = socket)]
    #[serde(deserialize_with = "socket_in_file")]
    pub metrics: Option<SocketAddr>,

    /// Who may register an account [default: open]
    #[arg(long, env = "HELIOPAUSE_REGISTRATION", value_name = "WHO", help_heading = "Access")]
    pub registration: Option<Registration>,

    /// Serve the web page at / on the same port [default: true on loopback without
    /// --trusted-proxy, else false]
    #[arg(long, env = "HELIOPAUSE_WEB", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_name = "BOOL", hide_possible_values = true, help_heading = "Access")]
    pub web: Option<bool>,

    /// Who may watch games as a spectator, except private games
    /// [default: public on loopback without --trusted-proxy, else players]
    #[arg(long, env = "HELIOPAUSE_WATCH", value_name = "WHO", help_heading = "Access")]
    pub watch: Option<Watch>,

    /// Origin whose web pages may make gRPC-Web calls, like "scheme://host"; repeat for more.
    /// An engine on loopback also accepts the host names of these origins
    #[arg(
        long,
        env = "HELIOPAUSE_CORS_ORIGIN",
        value_name = "ORIGIN",
        value_delimiter = ',',
        help_heading = "Access"
    )]
    pub cors_origin: Vec<String>,

    /// Certificate chain (PEM) to serve TLS with
    #[arg(long, env = "HELIOPAUSE_TLS_CERT", value_name = "FILE", help_heading = "Access")]
    pub tls_cert: Option<PathBuf>,

    /// Private key (PEM) of the certificate
    #[arg(long, env = "HELIOPAUSE_TLS_KEY", value_name = "FILE", help_heading = "Access")]
    pub tls_key: Option<PathBuf>,

    /// CA (PEM) of AI workers' client certificates. If set, workers must have one; players need
    /// none
    #[arg(long, env = "HELIOPAUSE_TLS_CLIENT_CA", value_name = "FILE", help_heading = "Access")]
    pub tls_client_ca: Option<PathBuf>,

    /// Serve without TLS on addresses other than loopback. Use this only if something else protects
    /// the connections
    #[arg(long, env = "HELIOPAUSE_INSECURE_NO_TLS", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_name = "BOOL", hide_possible_values = true, help_heading = "Access")]
    pub insecure_no_tls: Option<bool>,

    /// Proxy whose x-forwarded-for header is trusted: an address, or a network like 10.0.0.0/8;
    /// repeat for more. Without it, all clients of a proxy share the limits of one address
    #[arg(long, env = "HELIOPAUSE_TRUSTED_PROXY", value_name = "ADDR|NET", value_delimiter = ',', value_parser = network,
          help_heading = "Access")]
    #[serde(deserialize_with = "networks")]
    pub trusted_proxy: Vec<IpNet>,

    /// Require the PROXY protocol, version 1 or 2, on connections from trusted proxies
    #[arg(long, env = "HELIOPAUSE_PROXY_PROTOCOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_name = "BOOL", hide_possible_values = true, help_heading = "Access")]
    pub proxy_protocol: Option<bool>,

    /// Let callers create sandbox games, with scripted dice and their own clock, for integration
    /// tests; also lifts the rate limits
    #[arg(long, env = "HELIOPAUSE_SANDBOX", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_name = "BOOL", hide_possible_values = true, help_heading = "Games")]
    pub sandbox: Option<bool>,

    /// Allow --sandbox on addresses other than loopback
    #[arg(long, env = "HELIOPAUSE_SANDBOX_EXPOSED", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_name = "BOOL", hide_possible_values = true, help_heading = "Games")]
    pub sandbox_exposed: Option<bool>,

    /// Time to keep a sandbox game after its last change [default: 24h]
    #[arg(long, env = "HELIOPAUSE_SANDBOX_LIFETIME", value_name = "TIME", help_heading = "Games")]
    pub sandbox_lifetime: Option<Period>,

    /// Idle time after which a game is evicted from memory; the next access reloads the game
    /// [default: 10m]
    #[arg(long, env = "HELIOPAUSE_EVICT_AFTER", value_name = "TIME", help_heading = "Games")]
    pub evict_after: Option<Period>,

    /// Time without viewers after which automation of a game is suspended, until a person views the
    /// game again; 0 for never
    /// [default: 1h]
    #[arg(long, env = "HELIOPAUSE_UNWATCHED_AFTER", value_name = "TIME", help_heading = "Games")]
    pub unwatched_after: Option<Delay>,

    /// Who may create tournaments [default: players]
    #[arg(long, env = "HELIOPAUSE_TOURNAMENTS", value_name = "WHO", help_heading = "Games")]
    pub tournaments: Option<TournamentHosts>,

    /// Rated games per hour between bots that workers have registered; 0 for none
    /// [default: 0]
    #[arg(long, env = "HELIOPAUSE_BOT_LADDER", value_name = "N", help_heading = "Games")]
    pub bot_ladder: Option<u32>,

    /// Send notices of games to players' webhooks, at public addresses and over https
    #[arg(long, env = "HELIOPAUSE_NOTICES_WEBHOOKS", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_name = "BOOL", hide_possible_values = true, help_heading = "Notices")]
    pub notices_webhooks: Option<bool>,

    /// Also allow webhooks at private addresses and over http: every account can then make this
    /// machine send requests to any address that it can reach
    #[arg(long, env = "HELIOPAUSE_NOTICES_PRIVATE_ADDRESSES", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_name = "BOOL", hide_possible_values = true, help_heading = "Notices")]
    pub notices_private_addresses: Option<bool>,

    /// Mail server for sending notices of games to players' email addresses, written
    /// smtps://USER:PASSWORD@HOST, smtp://USER:PASSWORD@HOST?tls=required or smtp://HOST
    #[arg(
        long,
        env = "HELIOPAUSE_NOTICES_SMTP",
        hide_env_values = true,
        value_name = "URL",
        help_heading = "Notices"
    )]
    pub notices_smtp: Option<SmtpUrl>,

    /// Sender of the emails, such as "Games <games@example.org>"
    #[arg(long, env = "HELIOPAUSE_NOTICES_FROM", value_name = "ADDRESS", help_heading = "Notices")]
    pub notices_from: Option<String>,

    /// Ways in which people can sign in, besides tokens; repeat for more. They need --page-origin,
    /// and `mail` also needs --notices-smtp [default: none]
    #[arg(
        long,
        env = "HELIOPAUSE_SIGN_IN",
        value_name = "METHOD",
        value_delimiter = ',',
        help_heading = "Sign-in"
    )]
    pub sign_in: Vec<SignInMethod>,

    /// Origin of the web page, like `https://play.example`, for passkeys and for links to the page.
    /// Passkeys belong to its host name, so a new name makes them useless
    #[arg(long, env = "HELIOPAUSE_PAGE_ORIGIN", value_name = "ORIGIN", help_heading = "Sign-in")]
    pub page_origin: Option<String>,

    /// Provider of OpenID Connect with whose accounts people can sign in; repeat for more. FILE
    /// contains the client's secret. Its redirect address is ORIGIN/sign-in
    #[arg(
        long,
        env = "HELIOPAUSE_OIDC_PROVIDER",
        value_name = "NAME=ISSUER,CLIENT[,FILE]",
        value_delimiter = ';',
        help_heading = "Sign-in"
    )]
    pub oidc_provider: Vec<String>,

    /// Maximum number of unfinished games that a player may play in or host; admins can change it
    /// for each player [default: 100]
    #[arg(long, env = "HELIOPAUSE_GAMES_LIMIT", value_name = "N", help_heading = "Limits")]
    pub games_limit: Option<u32>,

    /// Maximum number of open streams per player [default: 64]
    #[arg(long, env = "HELIOPAUSE_STREAM_LIMIT", value_name = "N", help_heading = "Limits")]
    pub stream_limit: Option<u32>,

    /// Calls per second from one player, on average; 0 for no limit
    /// [default: 200; 0 with --sandbox]
    #[arg(long, env = "HELIOPAUSE_RATE_LIMIT", value_name = "N", help_heading = "Limits")]
    pub rate_limit: Option<u32>,

    /// Registrations and sign-ins, and calls with a wrong token, per minute from one address; 0 for
    /// no limit
    /// [default: 60; 0 with --sandbox]
    #[arg(long, env = "HELIOPAUSE_AUTH_LIMIT", value_name = "N", help_heading = "Limits")]
    pub auth_limit: Option<u32>,

    /// Concurrent calls from one player; 0 for no limit
    /// [default: 64; 0 with --sandbox]
    #[arg(long, env = "HELIOPAUSE_CALL_LIMIT", value_name = "N", help_heading = "Limits")]
    pub call_limit: Option<u32>,

    /// Connections from one address (one /64 network for IPv6), except trusted proxies; an address
    /// may have 4 times as many calls and 8 times as many streams. 0 for no limit
    /// [default: 512; 0 with --sandbox]
    #[arg(long, env = "HELIOPAUSE_ADDRESS_LIMIT", value_name = "N", help_heading = "Limits")]
    pub address_limit: Option<u32>,

    /// Memory limit of the process, in megabytes: calls are rejected when requests and responses
    /// use a quarter of it; idle games are evicted early when games use a third
    /// [default: 768, for a machine of 1 GiB]
    #[arg(long, env = "HELIOPAUSE_MEMORY_LIMIT", value_name = "MB", help_heading = "Limits")]
    pub memory_limit: Option<u32>,

    /// Maximum size of a request message in kilobytes [default: 4096]
    #[arg(long, env = "HELIOPAUSE_MESSAGE_LIMIT_KB", value_name = "KB", help_heading = "Limits")]
    pub message_limit_kb: Option<u32>,

    /// Maximum number of connections; further ones wait [default: 4096]
    #[arg(long, env = "HELIOPAUSE_CONNECTION_LIMIT", value_name = "N", help_heading = "Limits")]
    pub connection_limit: Option<u32>,

    /// Time to keep serving after SIGTERM while the health status is NOT_SERVING, so that load
    /// balancers stop sending clients
    /// [default: 0s on loopback, else 5s]
    #[arg(long, env = "HELIOPAUSE_DRAIN_DELAY", value_name = "TIME", help_heading = "Limits")]
    pub drain_delay: Option<Delay>,

    /// Time limit of a graceful shutdown after the drain delay [default: 20s]
    #[arg(long, env = "HELIOPAUSE_DRAIN_TIMEOUT", value_name = "TIME", help_heading = "Limits")]
    pub drain_timeout: Option<Period>,

    /// Format of the log on stderr; HELIOPAUSE_LOG sets the level, for example "info" or "debug"
    /// [default: text]
    #[arg(long, env = "HELIOPAUSE_LOG_FORMAT", value_name = "FORMAT")]
    pub log_format: Option<LogFormat>,
}

impl Settings {
    /// Adds the settings from the file given with `--config`, if any. The arguments take
    /// precedence. Fails if the file cannot be read or has an invalid setting.
    pub fn merged_with_file(self, arguments: &ArgMatches) -> Result<Self, ConfigError> {
        let Some(path) = self.config.clone() else { return Ok(self) };
        let text = match std::fs::read_to_string(&path) {
            Err(error) => return Err(ConfigError::Unreadable { path, error }),
            Ok(text) => text,
        };
        match toml::from_str::<Self>(&text) {
            Err(error) => {
                let before = error.span().and_then(|span| text.get(..span.start));
                let number = before.unwrap_or_default().matches('\n').count();
                let line = text.lines().nth(number).unwrap_or_default();
                let key = line.split_once('=').map_or("", |(key, _)| key.trim()).to_owned();
                let error = error.message().to_owned();
                Err(ConfigError::Malformed { path, line: number + 1, key, error })
            }
            Ok(mut settings) => {
                let updated = settings.update_from_arg_matches(arguments);
                updated.expect("the arguments were parsed before");
                Ok(settings)
            }
        }
    }
}
