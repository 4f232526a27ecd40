//! Client addresses behind trusted proxies: `x-forwarded-for` and the PROXY protocol.

use std::io;
use std::net::IpAddr;
use std::time::Duration;

use http::HeaderMap;
use ipnet::IpNet;
use ppp::{HeaderResult, PartialResult as _, v1, v2};
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpStream;

const FORWARDED_FOR: &str = "x-forwarded-for";
/// The maximum size of a PROXY header, with room for some extensions of version 2.
const PROXY_HEADER_MAX: usize = 1_024;
/// The timeout for a PROXY header, and the poll interval.
const PROXY_HEADER_TIMEOUT: Duration = Duration::from_secs(5);
const PROXY_HEADER_POLL: Duration = Duration::from_millis(5);

#[derive(Debug, Default)]
pub(crate) struct Proxies {
    networks: Vec<IpNet>,
    /// Whether connections from the proxies start with a PROXY protocol header.
    uses_proxy_protocol: bool,
}

impl Proxies {
    pub(crate) fn new(networks: &[IpNet], uses_proxy_protocol: bool) -> Self {
        Self { networks: networks.to_vec(), uses_proxy_protocol }
    }

    pub(crate) fn trust(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.networks.iter().any(|network| network.contains(&address))
    }

    pub(crate) fn uses_proxy_protocol(&self, address: IpAddr) -> bool {
        self.uses_proxy_protocol && self.trust(address)
    }

    /// Returns the client's address: the peer's, or behind a trusted proxy the last forwarded
    /// address that is not a trusted proxy. Earlier addresses may be forged.
    pub(crate) fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        if !self.trust(peer) {
            return peer;
        }
        let values =
            headers.get_all(FORWARDED_FOR).into_iter().filter_map(|value| value.to_str().ok());
        let passed: Vec<&str> = values.flat_map(|value| value.split(',')).collect();
        let mut client = peer;
        for address in passed.into_iter().rev() {
            let Ok(address) = address.trim().parse::<IpAddr>() else { break };
            client = address;
            if !self.trust(address) {
                break;
            }
        }
        client
    }
}

/// Reads the PROXY header. Returns the client's address, or `None` for the proxy's own connection.
pub(crate) async fn proxy_header(stream: &mut TcpStream) -> io::Result<Option<IpAddr>> {
    tokio::time::timeout(PROXY_HEADER_TIMEOUT, read_proxy_header(stream)).await?
}

async fn read_proxy_header(stream: &mut TcpStream) -> io::Result<Option<IpAddr>> {
    let mut buffer = [0; PROXY_HEADER_MAX];
    loop {
        let length = stream.peek(&mut buffer).await?;
        let parsed = HeaderResult::parse(&buffer[..length]);
        // A header of version 1 is complete at its line break, even if the parser expects more.
        let ended = matches!(parsed, HeaderResult::V1(_)) && buffer[..length].contains(&b'\n');
        if length > 0 && length < buffer.len() && parsed.is_incomplete() && !ended {
            tokio::time::sleep(PROXY_HEADER_POLL).await;
            continue;
        }
        let Some((size, client)) = client_of_header(&parsed) else {
            return Err(io::ErrorKind::InvalidData.into());
        };
        stream.read_exact(&mut buffer[..size]).await?;
        return Ok(client);
    }
}

fn client_of_header(parsed: &HeaderResult<'_>) -> Option<(usize, Option<IpAddr>)> {
    match parsed {
        HeaderResult::V1(Ok(header)) => Some((
            header.header.len(),
            match header.addresses {
                v1::Addresses::Tcp4(addresses) => Some(addresses.source_address.into()),
                v1::Addresses::Tcp6(addresses) => Some(addresses.source_address.into()),
                v1::Addresses::Unknown => None,
            },
        )),
        HeaderResult::V2(Ok(header)) => Some((
            header.len(),
            match header.addresses {
                _ if header.command == v2::Command::Local => None,
                v2::Addresses::IPv4(addresses) => Some(addresses.source_address.into()),
                v2::Addresses::IPv6(addresses) => Some(addresses.source_address.into()),
                v2::Addresses::Unspecified | v2::Addresses::Unix(_) => None,
            },
        )),
        HeaderResult::V1(Err(_)) | HeaderResult::V2(Err(_)) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{Ipv4Addr, SocketAddr};
    use tokio::io::AsyncWriteExt as _;
    use tokio::net::TcpListener;

    fn proxies() -> Proxies {
        Proxies::new(&["10.0.0.0/8".parse().unwrap(), "2001:db8::/32".parse().unwrap()], true)
    }

    fn client(peer: &str, passed: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for value in passed {
            headers.append(FORWARDED_FOR, value.parse().unwrap());
        }
        proxies().client(peer.parse().unwrap(), &headers).to_string()
    }

    #[test]
    fn only_trusted_proxies_set_the_client_address() {
        assert_eq!(client("192.0.2.1", &["198.51.100.7"]), "192.0.2.1", "anybody can write that");
        assert_eq!(client("10.0.0.1", &["198.51.100.7"]), "198.51.100.7");
        assert_eq!(client("2001:db8::1", &["198.51.100.7"]), "198.51.100.7");
        assert_eq!(client("::ffff:10.0.0.1", &["198.51.100.7"]), "198.51.100.7");
        assert_eq!(client("10.0.0.1", &[]), "10.0.0.1", "it calls for itself");
    }

    #[test]
    fn forged_forwarded_addresses_are_ignored() {
        assert_eq!(client("10.0.0.1", &["203.0.113.9, 198.51.100.7"]), "198.51.100.7");
        assert_eq!(
            client("10.0.0.1", &["203.0.113.9", "198.51.100.7, 10.0.0.2"]),
            "198.51.100.7",
            "a chain of ours"
        );
        assert_eq!(client("10.0.0.1", &["198.51.100.7, nonsense"]), "10.0.0.1");
    }

    async fn greeted(said: &[u8], then: &[u8]) -> io::Result<(Option<IpAddr>, Vec<u8>)> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut proxy = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (mut stream, _) = listener.accept().await.unwrap();
        let (first, second) = said.split_at(said.len() / 2);
        proxy.write_all(first).await.unwrap();
        let reading =
            tokio::spawn(
                async move { proxy_header(&mut stream).await.map(|client| (client, stream)) },
            );
        tokio::time::sleep(Duration::from_millis(20)).await;
        // The connection may already be closed if the first half was invalid.
        drop(proxy.write_all(&[second, then].concat()).await);
        drop(proxy);
        let (client, mut stream) = reading.await.unwrap()?;
        let mut rest = Vec::new();
        stream.read_to_end(&mut rest).await?;
        Ok((client, rest))
    }

    #[tokio::test]
    async fn proxy_header_names_the_client_and_leaves_the_rest_unread() {
        let client = Some(IpAddr::from([198, 51, 100, 7]));
        let one = b"PROXY TCP4 198.51.100.7 192.0.2.1 5000 443\r\n";
        assert_eq!(greeted(one, b"rest").await.unwrap(), (client, b"rest".to_vec()));
        let pair: (SocketAddr, SocketAddr) = (
            (Ipv4Addr::new(198, 51, 100, 7), 5_000).into(),
            (Ipv4Addr::new(192, 0, 2, 1), 443).into(),
        );
        let proxy = v2::Builder::with_addresses(
            v2::Version::Two | v2::Command::Proxy,
            v2::Protocol::Stream,
            pair,
        );
        assert_eq!(
            greeted(&proxy.build().unwrap(), b"rest").await.unwrap(),
            (client, b"rest".to_vec())
        );
        let local = v2::Builder::with_addresses(
            v2::Version::Two | v2::Command::Local,
            v2::Protocol::Stream,
            pair,
        );
        assert_eq!(greeted(&local.build().unwrap(), b"").await.unwrap(), (None, Vec::new()));
        assert_eq!(greeted(b"PROXY UNKNOWN\r\n", b"x").await.unwrap(), (None, b"x".to_vec()));
    }

    #[tokio::test]
    async fn invalid_proxy_header_closes_the_connection() {
        for wrong in [b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".as_slice(), b"PROXY TCP4 nonsense\r\n"] {
            assert_eq!(greeted(wrong, b"").await.unwrap_err().kind(), io::ErrorKind::InvalidData);
        }
    }
}
