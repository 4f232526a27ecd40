//! The address of a database, and what it asks of TLS: `sslmode` and `sslrootcert`, with the
//! meaning that PostgreSQL's own programs give them.

use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

use super::OpenError;

/// What is asked of TLS to the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mode {
    Disable,
    Prefer,
    Require,
    VerifyCa,
    VerifyFull,
}

/// Who vouches for the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// Whoever answers is believed: it is only not overheard.
    Anybody,
    /// The certificates of the system, or those in a file; and whether the certificate must also
    /// name the host.
    Vouched { authority: Option<PathBuf>, named: bool },
}

/// An address that was read.
pub(super) struct Address {
    pub(super) config: Config,
    pub(super) trust: Trust,
}

impl Address {
    /// Reads a `postgres://` address. `authority` is a file with certificates, which wins over the
    /// address's own.
    pub(super) fn read(address: &str, authority: Option<&Path>) -> Result<Self, OpenError> {
        let (bare, asked) = without_tls(address);
        let mut config: Config = bare.parse().map_err(|error: tokio_postgres::Error| {
            OpenError::Address(super::connect::innermost(&error))
        })?;
        if let Some(Host::Tcp(host)) = config
            .get_hosts()
            .iter()
            .find(|host| matches!(host, Host::Tcp(name) if name.contains('@')))
        {
            let after = host.rsplit('@').next().unwrap_or_default();
            return Err(OpenError::Address(format!(
                "the password has an @ in front of {after:?}; write %40 for each @ in user and \
                 password"
            )));
        }
        let of_system = authority.is_none() && asked.authority.as_deref() == Some("system");
        let authority = authority
            .map(Path::to_owned)
            .or_else(|| asked.authority.filter(|_| !of_system).map(PathBuf::from));
        let mode = match asked.mode.as_deref() {
            None if of_system => Mode::VerifyFull,
            // Whoever says who vouches for the database does not want to be talked out of TLS.
            None if authority.is_some() => Mode::Require,
            None | Some("allow" | "prefer") => Mode::Prefer,
            Some("disable") => Mode::Disable,
            Some("require") => Mode::Require,
            Some("verify-ca") => Mode::VerifyCa,
            Some("verify-full") => Mode::VerifyFull,
            Some(other) => {
                return Err(OpenError::Address(format!(
                    "sslmode={other} is none of disable, allow, prefer, require, verify-ca, \
                     verify-full"
                )));
            }
        };
        if of_system && mode != Mode::VerifyFull {
            return Err(OpenError::Address(
                "sslrootcert=system goes with sslmode=verify-full only".to_owned(),
            ));
        }
        config.ssl_mode(match mode {
            Mode::Disable => SslMode::Disable,
            Mode::Prefer => SslMode::Prefer,
            Mode::Require | Mode::VerifyCa | Mode::VerifyFull => SslMode::Require,
        });
        let is_verified = mode >= Mode::VerifyCa || authority.is_some() && mode > Mode::Disable;
        let named = mode == Mode::VerifyFull;
        Ok(Self {
            config,
            trust: if is_verified { Trust::Vouched { authority, named } } else { Trust::Anybody },
        })
    }

    /// What of TLS holds, for the log.
    pub(super) fn tls(&self) -> &'static str {
        match (self.config.get_ssl_mode(), &self.trust) {
            (SslMode::Disable, _) => "none",
            (SslMode::Prefer, Trust::Anybody) => {
                "if the database has it; its certificate is not checked"
            }
            (SslMode::Prefer, Trust::Vouched { .. }) => {
                "if the database has it; its certificate must be vouched for"
            }
            (_, Trust::Anybody) => "required; its certificate is not checked",
            (_, Trust::Vouched { named: false, .. }) => {
                "required; its certificate must be vouched for"
            }
            (_, Trust::Vouched { named: true, .. }) => {
                "required; its certificate must be vouched for and name the host"
            }
        }
    }
}

/// What an address says of TLS, in its own words.
#[derive(Default)]
struct Asked {
    mode: Option<String>,
    authority: Option<String>,
}

/// Takes what is said of TLS out of an address: the library that reads the rest knows too little of
/// it.
fn without_tls(address: &str) -> (String, Asked) {
    let (scheme, rest) = address.split_once("://").unwrap_or(("", address));
    let scheme = scheme.to_ascii_lowercase();
    // A password may hold a question mark.
    let place = rest.find('@').map_or(0, |at| at + 1);
    let Some(mark) = rest[place..].find('?').map(|mark| place + mark) else {
        return (format!("{scheme}://{rest}"), Asked::default());
    };
    let mut asked = Asked::default();
    let mut others = Vec::new();
    for pair in rest[mark + 1..].split('&') {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let value = || {
            Some(percent_decode_str(value).decode_utf8_lossy().into_owned())
                .filter(|text| !text.is_empty())
        };
        match key {
            "sslmode" => asked.mode = value(),
            "sslrootcert" => asked.authority = value(),
            _ => others.push(pair),
        }
    }
    let query = if others.is_empty() { String::new() } else { format!("?{}", others.join("&")) };
    (format!("{scheme}://{}{query}", &rest[..mark]), asked)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str, authority: Option<&str>) -> (SslMode, Trust) {
        let address = format!("Postgres://u:p%3F?@h/d{query}");
        let address = Address::read(&address, authority.map(Path::new))
            .unwrap_or_else(|error| panic!("{query}: {error}"));
        (address.config.get_ssl_mode(), address.trust)
    }

    fn vouched(authority: Option<&str>, named: bool) -> Trust {
        Trust::Vouched { authority: authority.map(PathBuf::from), named }
    }

    #[test]
    fn tls_is_asked_for_as_by_other_programs() {
        let ca = Some("/ca.pem");
        for (query, authority, mode, trust) in [
            ("", None, SslMode::Prefer, Trust::Anybody),
            ("", ca, SslMode::Require, vouched(ca, false)),
            ("?sslmode=disable", None, SslMode::Disable, Trust::Anybody),
            ("?sslmode=disable", ca, SslMode::Disable, Trust::Anybody),
            ("?sslmode=allow", None, SslMode::Prefer, Trust::Anybody),
            ("?sslmode=prefer", None, SslMode::Prefer, Trust::Anybody),
            ("?sslmode=prefer", ca, SslMode::Prefer, vouched(ca, false)),
            ("?sslmode=require", None, SslMode::Require, Trust::Anybody),
            ("?sslmode=require", ca, SslMode::Require, vouched(ca, false)),
            ("?sslmode=verify-ca", None, SslMode::Require, vouched(None, false)),
            ("?sslmode=verify-full", None, SslMode::Require, vouched(None, true)),
            ("?sslmode=verify-full", ca, SslMode::Require, vouched(ca, true)),
            ("?sslrootcert=%2Fca.pem", None, SslMode::Require, vouched(ca, false)),
            ("?sslrootcert=/other.pem", ca, SslMode::Require, vouched(ca, false)),
            ("?sslrootcert=system", None, SslMode::Require, vouched(None, true)),
            (
                "?application_name=x&sslmode=verify-ca&sslrootcert=/ca.pem",
                None,
                SslMode::Require,
                vouched(ca, false),
            ),
        ] {
            assert_eq!(read(query, authority), (mode, trust), "{query} with {authority:?}");
        }
    }

    #[test]
    fn what_an_address_cannot_mean_is_named() {
        for (query, word) in [
            ("?sslmode=often", "sslmode=often"),
            ("?sslmode=require&sslrootcert=system", "verify-full"),
            ("?sslcrl=x", "sslcrl"),
        ] {
            let error = Address::read(&format!("postgres://h/d{query}"), None)
                .err()
                .expect("it makes no sense");
            assert!(error.to_string().contains(word), "{query}: {error}");
        }
    }
}
