//! Database addresses, with `sslmode` and `sslrootcert` as in PostgreSQL's own programs.

use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

use super::OpenError;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mode {
    Disable,
    Prefer,
    Require,
    VerifyCa,
    VerifyFull,
}

/// The accepted certificates: any, or only trusted ones. If `named`, a certificate must also name
/// the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    AnyCertificate,
    Verified { authority: Option<PathBuf>, named: bool },
}

pub(super) struct Address {
    pub(super) config: Config,
    pub(super) trust: Trust,
}

impl Address {
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
                "the password has an @ before {after:?}; write %40 for each @ in user and password"
            )));
        }
        let of_system = authority.is_none() && asked.authority.as_deref() == Some("system");
        let authority = authority
            .map(Path::to_owned)
            .or_else(|| asked.authority.filter(|_| !of_system).map(PathBuf::from));
        let mode = match asked.mode.as_deref() {
            None if of_system => Mode::VerifyFull,
            None if authority.is_some() => Mode::Require,
            None | Some("allow" | "prefer") => Mode::Prefer,
            Some("disable") => Mode::Disable,
            Some("require") => Mode::Require,
            Some("verify-ca") => Mode::VerifyCa,
            Some("verify-full") => Mode::VerifyFull,
            Some(other) => {
                return Err(OpenError::Address(format!(
                    "sslmode={other} is unknown; expected disable, allow, prefer, require, \
                     verify-ca or verify-full"
                )));
            }
        };
        if of_system && mode != Mode::VerifyFull {
            return Err(OpenError::Address(format!(
                "sslrootcert=system requires sslmode=verify-full, not sslmode={}",
                asked.mode.unwrap_or_default()
            )));
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
            trust: if is_verified {
                Trust::Verified { authority, named }
            } else {
                Trust::AnyCertificate
            },
        })
    }

    pub(super) fn tls(&self) -> &'static str {
        match (self.config.get_ssl_mode(), &self.trust) {
            (SslMode::Disable, _) => "none",
            (SslMode::Prefer, Trust::AnyCertificate) => {
                "if the database supports it; the certificate is not checked"
            }
            (SslMode::Prefer, Trust::Verified { .. }) => {
                "if the database supports it; the certificate must be trusted"
            }
            (_, Trust::AnyCertificate) => "required; the certificate is not checked",
            (_, Trust::Verified { named: false, .. }) => {
                "required; the certificate must be trusted"
            }
            (_, Trust::Verified { named: true, .. }) => {
                "required; the certificate must be trusted and name the host"
            }
        }
    }
}

#[derive(Default)]
struct TlsParameters {
    mode: Option<String>,
    authority: Option<String>,
}

/// Returns an address without its TLS parameters, and the parameters. The library's parser does not
/// support all of them.
fn without_tls(address: &str) -> (String, TlsParameters) {
    let (scheme, rest) = address.split_once("://").unwrap_or(("", address));
    let scheme = scheme.to_ascii_lowercase();
    // A password may contain a question mark.
    let place = rest.find('@').map_or(0, |at| at + 1);
    let Some(mark) = rest[place..].find('?').map(|mark| place + mark) else {
        return (format!("{scheme}://{rest}"), TlsParameters::default());
    };
    let mut asked = TlsParameters::default();
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

    fn verified(authority: Option<&str>, named: bool) -> Trust {
        Trust::Verified { authority: authority.map(PathBuf::from), named }
    }

    #[test]
    fn sslmode_means_the_same_as_in_postgresql_programs() {
        let ca = Some("/ca.pem");
        for (query, authority, mode, trust) in [
            ("", None, SslMode::Prefer, Trust::AnyCertificate),
            ("", ca, SslMode::Require, verified(ca, false)),
            ("?sslmode=disable", None, SslMode::Disable, Trust::AnyCertificate),
            ("?sslmode=disable", ca, SslMode::Disable, Trust::AnyCertificate),
            ("?sslmode=allow", None, SslMode::Prefer, Trust::AnyCertificate),
            ("?sslmode=prefer", None, SslMode::Prefer, Trust::AnyCertificate),
            ("?sslmode=prefer", ca, SslMode::Prefer, verified(ca, false)),
            ("?sslmode=require", None, SslMode::Require, Trust::AnyCertificate),
            ("?sslmode=require", ca, SslMode::Require, verified(ca, false)),
            ("?sslmode=verify-ca", None, SslMode::Require, verified(None, false)),
            ("?sslmode=verify-full", None, SslMode::Require, verified(None, true)),
            ("?sslmode=verify-full", ca, SslMode::Require, verified(ca, true)),
            ("?sslrootcert=%2Fca.pem", None, SslMode::Require, verified(ca, false)),
            ("?sslrootcert=/other.pem", ca, SslMode::Require, verified(ca, false)),
            ("?sslrootcert=system", None, SslMode::Require, verified(None, true)),
            (
                "?application_name=x&sslmode=verify-ca&sslrootcert=/ca.pem",
                None,
                SslMode::Require,
                verified(ca, false),
            ),
        ] {
            assert_eq!(read(query, authority), (mode, trust), "{query} with {authority:?}");
        }
    }

    #[test]
    fn invalid_addresses_are_rejected_with_a_reason() {
        for (query, word) in [
            ("?sslmode=often", "sslmode=often"),
            ("?sslmode=require&sslrootcert=system", "verify-full"),
            ("?sslcrl=x", "sslcrl"),
        ] {
            let error = Address::read(&format!("postgres://h/d{query}"), None)
                .err()
                .expect("the address is rejected");
            assert!(error.to_string().contains(word), "{query}: {error}");
        }
    }
}
