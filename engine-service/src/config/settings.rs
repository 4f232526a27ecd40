//! What may be set, the same by flag, environment and file.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use ipnet::IpNet;
use serde::{Deserialize, Deserializer};

use super::notices::SmtpUrl;
use super::{ConfigError, Watch};
use crate::accounts::Registration;

/// How the log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum LogFormat {
    /// Lines for people.
    Text,
    /// One JSON object a line, for programs.
    Json,
}

/// A length of time, written like "90s", "10m" or "1d 12h".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Period(pub Duration);

impl FromStr for Period {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Delay(duration) = text.parse()?;
        if duration.is_zero() { Err(no_length(text)) } else { Ok(Self(duration)) }
    }
}

/// A length of time that may be none, written like "5s" or "0s".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Delay(pub Duration);

impl FromStr for Delay {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "0" {
            return Ok(Self(Duration::ZERO));
        }
        let signed: jiff::SignedDuration = text.parse().map_err(|_| no_length(text))?;
        Duration::try_from(signed).map(Self).map_err(|_| no_length(text))
    }
}

fn no_length(text: &str) -> String {
    format!("{text:?} is not a length of time like \"90s\", \"10m\" or \"24h\"")
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

/// Reads an address and its port. Of names only localhost is read: what other names stand for can
/// change.
fn socket(text: &str) -> Result<SocketAddr, String> {
    let home = |port: &str| Some(SocketAddr::from((Ipv4Addr::LOCALHOST, port.parse().ok()?)));
    let localhost = text.strip_prefix("localhost:").and_then(home);
    text.parse().ok().or(localhost).ok_or_else(|| {
        format!(
            "{text:?} is not an address with a port: write localhost:50051, 127.0.0.1:50051, \
             [::1]:50051 or 0.0.0.0:50051"
        )
    })
}

fn socket_in_file<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<SocketAddr>, D::Error> {
    let text = String::deserialize(deserializer)?;
    socket(&text).map(Some).map_err(serde::de::Error::custom)
}

/// Reads a network, or one address.
fn network(text: &str) -> Result<IpNet, String> {
    let address = || text.parse::<IpAddr>().map(IpNet::from);
    text.parse()
        .or_else(|_| address())
        .map_err(|_| format!("{text:?} is no address, and no network like \"10.0.0.0/8\""))
}

fn networks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<IpNet>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    texts.iter().map(|text| network(text).map_err(serde::de::Error::custom)).collect()
}

/// What may be set. What is absent is not set here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, clap::Args)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Settings {
    /// Read settings from this TOML file: the same names without the dashes in front, for example
    /// `listen = "..."`
    #[arg(long, env = "HELIOPAUSE_CONFIG", value_name = "FILE")]
    #[serde(skip)]
    pub config: Option<PathBuf>,

    /// Address to serve gRPC on; port 0 takes a free one [default: 127.0.0.1:50051]
    #[arg(long, env = "HELIOPAUSE_LISTEN", value_name = "ADDR", value_parser = socket)]
    #[serde(deserialize_with = "socket_in_file")]
    pub listen: Option<SocketAddr>,

    /// Where games and accounts are kept: a directory, created if missing; the address of a
    /// PostgreSQL database, written postgres://USER:PASSWORD@HOST/DATABASE, which several engines
    /// may share; or ":memory:", which keeps nothing
    /// [default: ~/.local/share/heliopause]
    #[arg(long, env = "HELIOPAUSE_DATA", hide_env_values = true, value_name = "DIR|URL")]
    pub data: Option<PathBuf>,

    /// Certificates (PEM) that vouch for the database; the same as sslrootcert in its address,
    /// whose sslmode says what is asked of TLS: disable, prefer (the default without this file),
    /// require (the default with it), verify-ca, verify-full
    /// [default: the system's]
    #[arg(long, env = "HELIOPAUSE_DATABASE_CA", value_name = "FILE")]
    pub database_ca: Option<PathBuf>,

    /// Connections to the database at most, besides one that listens; at least 8 [default: 16]
    #[arg(long, env = "HELIOPAUSE_DATABASE_CONNECTIONS", value_name = "N")]
    pub database_connections: Option<u32>,

    /// Directory for the token files of this server's own accounts, created if missing
    /// [default: the data directory; with a database ~/.local/share/heliopause]
    #[arg(long, env = "HELIOPAUSE_TOKENS", value_name = "DIR")]
    pub tokens: Option<PathBuf>,

    /// Refuse writes when the database has grown to this many megabytes
    #[arg(long, env = "HELIOPAUSE_DATABASE_LIMIT_MB", value_name = "MB")]
    pub database_limit_mb: Option<u64>,

    /// Address to serve Prometheus metrics on [default: off]
    #[arg(long, env = "HELIOPAUSE_METRICS", value_name = "ADDR", value_parser = socket)]
    #[serde(deserialize_with = "socket_in_file")]
    pub metrics: Option<SocketAddr>,

    /// Who may open an account [default: open]
    #[arg(long, env = "HELIOPAUSE_REGISTRATION", value_name = "WHO", help_heading = "Access")]
    pub registration: Option<Registration>,

    /// Serve the web page at / of the same port [default: true on loopback without
    /// --trusted-proxy, else false]
    #[arg(long, env = "HELIOPAUSE_WEB", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_name = "BOOL", hide_possible_values = true, help_heading = "Access")]
    pub web: Option<bool>,

    /// Who may watch games in which they have no part, as far as these are not private
    /// [default: public on loopback without --trusted-proxy, else players]
    #[arg(long, env = "HELIOPAUSE_WATCH", value_name = "WHO", help_heading = "Access")]
    pub watch: Option<Watch>,

    /// Allow web pages of this origin to call by gRPC-Web, written like "scheme://host"; may be
    /// repeated. An engine on loopback is also served under the names of these origins
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

    /// Require of AI workers a client certificate that is signed by this authority (PEM); players
    /// need none
    #[arg(long, env = "HELIOPAUSE_TLS_CLIENT_CA", value_name = "FILE", help_heading = "Access")]
    pub tls_client_ca: Option<PathBuf>,

    /// Serve other addresses than loopback without TLS, because something else protects the
    /// connections
    #[arg(long, env = "HELIOPAUSE_INSECURE_NO_TLS", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_name = "BOOL", hide_possible_values = true, help_heading = "Access")]
    pub insecure_no_tls: Option<bool>,

    /// Believe this proxy, an address or a network like 10.0.0.0/8, when it says by x-forwarded-for
    /// whose calls it passes on; may be repeated. Without it all who come by a proxy share the
    /// limits of its address
    #[arg(long, env = "HELIOPAUSE_TRUSTED_PROXY", value_name = "ADDR|NET", value_delimiter = ',', value_parser = network,
          help_heading = "Access")]
    #[serde(deserialize_with = "networks")]
    pub trusted_proxy: Vec<IpNet>,

    /// Trusted proxies begin their connections with the PROXY protocol, version 1 or 2
    #[arg(long, env = "HELIOPAUSE_PROXY_PROTOCOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_name = "BOOL", hide_possible_values = true, help_heading = "Access")]
    pub proxy_protocol: Option<bool>,

    /// Let callers make sandbox games, with scripted dice and a clock of their own, for integration
    /// tests; also lifts the rate limits
    #[arg(long, env = "HELIOPAUSE_SANDBOX", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_name = "BOOL", hide_possible_values = true, help_heading = "Games")]
    pub sandbox: Option<bool>,

    /// Allow --sandbox on other addresses than loopback
    #[arg(long, env = "HELIOPAUSE_SANDBOX_EXPOSED", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_name = "BOOL", hide_possible_values = true, help_heading = "Games")]
    pub sandbox_exposed: Option<bool>,

    /// How long a sandbox game is kept after its last change [default: 24h]
    #[arg(long, env = "HELIOPAUSE_SANDBOX_LIFETIME", value_name = "TIME", help_heading = "Games")]
    pub sandbox_lifetime: Option<Period>,

    /// Drop a game from memory after this time without a touch; the next touch brings it back
    /// [default: 10m]
    #[arg(long, env = "HELIOPAUSE_EVICT_AFTER", value_name = "TIME", help_heading = "Games")]
    pub evict_after: Option<Period>,

    /// Automation sleeps in a game after this time without a look of a person, until somebody looks
    /// again; 0 for never
    /// [default: 1h]
    #[arg(long, env = "HELIOPAUSE_UNWATCHED_AFTER", value_name = "TIME", help_heading = "Games")]
    pub unwatched_after: Option<Delay>,

    /// Send notices of games to players' webhooks, at public addresses and by https
    #[arg(long, env = "HELIOPAUSE_NOTICES_WEBHOOKS", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_name = "BOOL", hide_possible_values = true, help_heading = "Notices")]
    pub notices_webhooks: Option<bool>,

    /// Let webhooks have private addresses too, and http: whoever has an account then reaches what
    /// this machine reaches
    #[arg(long, env = "HELIOPAUSE_NOTICES_PRIVATE_ADDRESSES", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_name = "BOOL", hide_possible_values = true, help_heading = "Notices")]
    pub notices_private_addresses: Option<bool>,

    /// Send notices of games to players' mail addresses by this mail server, written
    /// smtps://USER:PASSWORD@HOST, smtp://USER:PASSWORD@HOST?tls=required or smtp://HOST
    #[arg(
        long,
        env = "HELIOPAUSE_NOTICES_SMTP",
        hide_env_values = true,
        value_name = "URL",
        help_heading = "Notices"
    )]
    pub notices_smtp: Option<SmtpUrl>,

    /// The sender of these mails, such as "Games <games@example.org>"
    #[arg(long, env = "HELIOPAUSE_NOTICES_FROM", value_name = "ADDRESS", help_heading = "Notices")]
    pub notices_from: Option<String>,

    /// How many games that are not over a player may play in or host; admins can set it for each
    /// player [default: 100]
    #[arg(long, env = "HELIOPAUSE_GAMES_LIMIT", value_name = "N", help_heading = "Limits")]
    pub games_limit: Option<u32>,

    /// How many streams a player may have open [default: 64]
    #[arg(long, env = "HELIOPAUSE_STREAM_LIMIT", value_name = "N", help_heading = "Limits")]
    pub stream_limit: Option<u32>,

    /// Calls of a player in a second, in the long run; 0 for no limit
    /// [default: 200; with --sandbox 0]
    #[arg(long, env = "HELIOPAUSE_RATE_LIMIT", value_name = "N", help_heading = "Limits")]
    pub rate_limit: Option<u32>,

    /// Registrations, and calls with a wrong token, from one address in a minute; 0 for no limit
    /// [default: 60; with --sandbox 0]
    #[arg(long, env = "HELIOPAUSE_KNOCK_LIMIT", value_name = "N", help_heading = "Limits")]
    pub knock_limit: Option<u32>,

    /// Calls of a player that may be under way at once; 0 for no limit
    /// [default: 64; with --sandbox 0]
    #[arg(long, env = "HELIOPAUSE_CALL_LIMIT", value_name = "N", help_heading = "Limits")]
    pub call_limit: Option<u32>,

    /// Connections from one address, or IPv6 network of 64 bits, trusted proxies not counted; it
    /// may have 4 times as many calls and 8 times as many streams. 0 for no limit
    /// [default: 512; with --sandbox 0]
    #[arg(long, env = "HELIOPAUSE_ADDRESS_LIMIT", value_name = "N", help_heading = "Limits")]
    pub address_limit: Option<u32>,

    /// Memory that the process may take, in megabytes: requests and answers take a quarter of it at
    /// most, then callers are refused; games in memory are put away early once they take a third
    /// [default: 768, for a machine of 1 GiB]
    #[arg(long, env = "HELIOPAUSE_MEMORY_LIMIT", value_name = "MB", help_heading = "Limits")]
    pub memory_limit: Option<u32>,

    /// Size of a message in kilobytes [default: 4096]
    #[arg(long, env = "HELIOPAUSE_MESSAGE_LIMIT_KB", value_name = "KB", help_heading = "Limits")]
    pub message_limit_kb: Option<u32>,

    /// Connections at once; more wait [default: 4096]
    #[arg(long, env = "HELIOPAUSE_CONNECTION_LIMIT", value_name = "N", help_heading = "Limits")]
    pub connection_limit: Option<u32>,

    /// How long the engine serves on after SIGTERM while its health says NOT_SERVING, so that
    /// balancers send nobody any more
    /// [default: 0s on loopback, else 5s]
    #[arg(long, env = "HELIOPAUSE_DRAIN_DELAY", value_name = "TIME", help_heading = "Limits")]
    pub drain_delay: Option<Delay>,

    /// How long a graceful stop may take after that, before it is cut short [default: 20s]
    #[arg(long, env = "HELIOPAUSE_DRAIN_TIMEOUT", value_name = "TIME", help_heading = "Limits")]
    pub drain_timeout: Option<Period>,

    /// How the log on stderr is written; HELIOPAUSE_LOG says what, for example "info" or "debug"
    /// [default: text]
    #[arg(long, env = "HELIOPAUSE_LOG_FORMAT", value_name = "FORMAT")]
    pub log_format: Option<LogFormat>,
}

impl Settings {
    /// These settings, and for what they leave open those of the file that they name.
    pub(super) fn with_file(self) -> Result<Self, ConfigError> {
        let Some(path) = self.config.clone() else { return Ok(self) };
        match std::fs::read_to_string(&path) {
            Err(error) => Err(ConfigError::Unreadable { path, error }),
            Ok(text) => match toml::from_str(&text) {
                Err(error) => {
                    let before = error.span().and_then(|span| text.get(..span.start));
                    let number = before.unwrap_or_default().matches('\n').count();
                    let line = text.lines().nth(number).unwrap_or_default();
                    let key = line.split_once('=').map_or("", |(key, _)| key.trim()).to_owned();
                    let error = error.message().to_owned();
                    Err(ConfigError::Malformed { path, line: number + 1, key, error })
                }
                Ok(file) => Ok(self.or(file)),
            },
        }
    }

    fn or(self, file: Self) -> Self {
        let cors_origin =
            if self.cors_origin.is_empty() { file.cors_origin } else { self.cors_origin };
        Self {
            config: self.config,
            listen: self.listen.or(file.listen),
            data: self.data.or(file.data),
            database_ca: self.database_ca.or(file.database_ca),
            database_connections: self.database_connections.or(file.database_connections),
            tokens: self.tokens.or(file.tokens),
            database_limit_mb: self.database_limit_mb.or(file.database_limit_mb),
            metrics: self.metrics.or(file.metrics),
            registration: self.registration.or(file.registration),
            web: self.web.or(file.web),
            watch: self.watch.or(file.watch),
            cors_origin,
            tls_cert: self.tls_cert.or(file.tls_cert),
            tls_key: self.tls_key.or(file.tls_key),
            tls_client_ca: self.tls_client_ca.or(file.tls_client_ca),
            trusted_proxy: if self.trusted_proxy.is_empty() {
                file.trusted_proxy
            } else {
                self.trusted_proxy
            },
            proxy_protocol: self.proxy_protocol.or(file.proxy_protocol),
            insecure_no_tls: self.insecure_no_tls.or(file.insecure_no_tls),
            sandbox: self.sandbox.or(file.sandbox),
            sandbox_exposed: self.sandbox_exposed.or(file.sandbox_exposed),
            sandbox_lifetime: self.sandbox_lifetime.or(file.sandbox_lifetime),
            evict_after: self.evict_after.or(file.evict_after),
            unwatched_after: self.unwatched_after.or(file.unwatched_after),
            notices_webhooks: self.notices_webhooks.or(file.notices_webhooks),
            notices_private_addresses: self
                .notices_private_addresses
                .or(file.notices_private_addresses),
            notices_smtp: self.notices_smtp.or(file.notices_smtp),
            notices_from: self.notices_from.or(file.notices_from),
            games_limit: self.games_limit.or(file.games_limit),
            stream_limit: self.stream_limit.or(file.stream_limit),
            rate_limit: self.rate_limit.or(file.rate_limit),
            knock_limit: self.knock_limit.or(file.knock_limit),
            call_limit: self.call_limit.or(file.call_limit),
            address_limit: self.address_limit.or(file.address_limit),
            memory_limit: self.memory_limit.or(file.memory_limit),
            message_limit_kb: self.message_limit_kb.or(file.message_limit_kb),
            connection_limit: self.connection_limit.or(file.connection_limit),
            drain_delay: self.drain_delay.or(file.drain_delay),
            drain_timeout: self.drain_timeout.or(file.drain_timeout),
            log_format: self.log_format.or(file.log_format),
        }
    }
}
