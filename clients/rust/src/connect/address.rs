//! Parsed addresses of engines, and the TLS settings for them.

use std::fmt::{Display, Formatter};
use std::net::IpAddr;
use std::str::FromStr;

use tonic::transport::{Certificate, ClientTlsConfig, Endpoint, Error, Uri};

/// The address of an engine: `http://HOST:PORT` or `https://HOST:PORT`. The default scheme is
/// `http`.
///
/// ```
/// use heliopause_client::connect::Address;
///
/// assert_eq!("games.example:50051".parse(), "http://games.example:50051/".parse::<Address>());
/// assert_eq!("http://".parse::<Address>().unwrap_err().to_string(), "it has no host");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address(Uri);

/// The error when a string is not the address of an engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    #[error("it has no host")]
    NoHost,
    #[error("it must start with http:// or https://")]
    ForeignScheme,
    #[error("the port must be a number from 1 to 65535")]
    NoPort,
    #[error("{0}")]
    Unreadable(String),
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let text = text.trim();
        let (scheme, rest) = text.split_once("://").unwrap_or(("http", text));
        if rest.trim_start_matches('/').is_empty() {
            return Err(AddressError::NoHost);
        }
        let uri: Uri = format!("{scheme}://{rest}")
            .parse()
            .map_err(|error: <Uri as FromStr>::Err| AddressError::Unreadable(error.to_string()))?;
        if !matches!(uri.scheme_str(), Some("http" | "https")) {
            return Err(AddressError::ForeignScheme);
        }
        let Some(authority) = uri.authority().filter(|authority| !authority.host().is_empty())
        else {
            return Err(AddressError::NoHost);
        };
        let after_host = authority.as_str().rsplit_once(authority.host()).map(|(_, after)| after);
        let has_port = after_host.is_some_and(|after| !after.is_empty());
        if has_port && authority.port_u16().is_none_or(|port| port == 0) {
            return Err(AddressError::NoPort);
        }
        Ok(Self(uri))
    }
}

impl Address {
    fn is_protected(&self) -> bool {
        self.0.scheme_str() == Some("https")
    }

    /// Returns whether others on the network could read requests, which may contain a token. They
    /// can if the address uses plain http to another machine.
    ///
    /// ```
    /// use heliopause_client::connect::Address;
    ///
    /// let is_exposed = |text: &str| text.parse::<Address>().unwrap().is_exposed();
    /// assert!(is_exposed("http://games.example:50051") && is_exposed("192.0.2.1:50051"));
    /// assert!(!is_exposed("https://games.example") && !is_exposed("http://localhost:50051"));
    /// assert!(!is_exposed("127.0.0.2:50051") && !is_exposed("http://[::1]:50051"));
    /// ```
    pub fn is_exposed(&self) -> bool {
        let host = self.0.host().unwrap_or_default().to_ascii_lowercase();
        let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        let here = address.map_or_else(
            |_| host == "localhost" || host.ends_with(".localhost"),
            |address| address.is_loopback(),
        );
        !self.is_protected() && !here
    }
}

impl Display for Address {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.to_string().trim_end_matches('/'))
    }
}

/// The addresses of one or more engines that share their games. Either all use https, or none do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addresses(Vec<Address>);

/// The error when addresses cannot be used together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressesError {
    #[error("no engine address given")]
    Empty,
    #[error("all engines must use https, or all http")]
    MixedSchemes,
}

impl Addresses {
    pub fn new(addresses: Vec<Address>) -> Result<Self, AddressesError> {
        let protected = addresses.iter().filter(|address| address.is_protected()).count();
        match protected {
            _ if addresses.is_empty() => Err(AddressesError::Empty),
            some if some != 0 && some != addresses.len() => Err(AddressesError::MixedSchemes),
            _ => Ok(Self(addresses)),
        }
    }

    pub fn are_protected(&self) -> bool {
        self.0.iter().all(Address::is_protected)
    }

    pub fn exposed(&self) -> Option<&Address> {
        self.0.iter().find(|address| address.is_exposed())
    }

    /// Returns whether there are several addresses, as failover requires.
    pub fn are_several(&self) -> bool {
        self.0.len() > 1
    }

    pub fn endpoints(&self, tls: Option<&ClientTlsConfig>) -> Result<Vec<Endpoint>, Error> {
        let endpoint = |address: &Address| {
            let endpoint = Endpoint::from(address.0.clone());
            match tls {
                Some(tls) => endpoint.tls_config(tls.clone()),
                None => Ok(endpoint),
            }
        };
        self.0.iter().map(endpoint).collect()
    }
}

impl Display for Addresses {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        for (index, address) in self.0.iter().enumerate() {
            write!(f, "{}{address}", if index == 0 { "" } else { " or " })?;
        }
        Ok(())
    }
}

/// Returns TLS settings that trust a certificate authority or server certificate in PEM. Without
/// one, they trust the system's authorities.
pub fn trust(authority: Option<Vec<u8>>) -> ClientTlsConfig {
    match authority {
        Some(pem) => ClientTlsConfig::new().ca_certificate(Certificate::from_pem(pem)),
        None => ClientTlsConfig::new().with_native_roots(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, AddressError> {
        text.parse().map(|address: Address| address.to_string())
    }

    #[test]
    fn common_notations_of_addresses_are_accepted() {
        for (written, meant) in [
            ("http://127.0.0.1:50051", "http://127.0.0.1:50051"),
            (" https://games.example/ ", "https://games.example"),
            ("games.example", "http://games.example"),
            ("127.0.0.1:1", "http://127.0.0.1:1"),
            ("[::1]:50051", "http://[::1]:50051"),
            ("http://[::1]", "http://[::1]"),
        ] {
            assert_eq!(read(written).as_deref(), Ok(meant), "{written}");
        }
    }

    #[test]
    fn invalid_addresses_are_rejected_with_a_reason() {
        for nobody in ["", " ", "http://", "https:///", "://"] {
            assert_eq!(read(nobody), Err(AddressError::NoHost), "{nobody:?}");
        }
        for foreign in ["ftp://games.example", "postgres://here"] {
            assert_eq!(read(foreign), Err(AddressError::ForeignScheme), "{foreign}");
        }
        for port in ["http://a:99999", "http://a:", "a:0", "a:b", "[::1]:65536"] {
            assert_eq!(read(port), Err(AddressError::NoPort), "{port}");
        }
        for unreadable in ["http://a b", "http://[::1", "http://\u{e9}"] {
            assert!(matches!(read(unreadable), Err(AddressError::Unreadable(_))), "{unreadable}");
        }
    }

    #[test]
    fn addresses_use_https_for_all_or_none() {
        let engines = |written: &[&str]| {
            Addresses::new(written.iter().map(|one| one.parse().unwrap()).collect())
        };
        assert_eq!(engines(&[]), Err(AddressesError::Empty));
        assert_eq!(engines(&["https://a", "b"]), Err(AddressesError::MixedSchemes));
        let plain = engines(&["a:1", "http://b:2"]).unwrap();
        assert!(!plain.are_protected() && plain.are_several());
        assert_eq!(plain.to_string(), "http://a:1 or http://b:2");
        assert_eq!(plain.endpoints(None).unwrap().len(), 2);
        assert!(engines(&["https://a", "https://b"]).unwrap().are_protected());
    }
}
