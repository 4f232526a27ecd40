//! The network addresses to which a webhook may connect.
//!
//! A name is resolved once for each attempt. An HTTP client library would resolve the name again,
//! and could get an unchecked address.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::LazyLock;

use ipnet::IpNet;
use tokio::sync::Semaphore;

/// The networks in IANA's registry of special-purpose addresses, and 168.63.129.16. Azure serves
/// secrets to its machines at that address.
const NOT_PUBLIC_V4: &str = "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 \
    169.254.0.0/16 172.16.0.0/12 \
    192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 \
    198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4";
/// The global unicast addresses. The range excludes IPv4-mapped, IPv4-translated, loopback, local
/// and multicast addresses.
const PUBLIC_V6: &str = "2000::/3";
/// The networks of IETF protocols such as Teredo, of 6to4, and of documentation.
const NOT_PUBLIC_V6: &str = "2001::/23 2001:db8::/32 2002::/16 3fff::/20";

static NOT_PUBLIC: LazyLock<Vec<IpNet>> = LazyLock::new(|| {
    NOT_PUBLIC_V4.split_whitespace().chain(NOT_PUBLIC_V6.split_whitespace()).map(net).collect()
});
static PUBLIC: LazyLock<IpNet> = LazyLock::new(|| net(PUBLIC_V6));

fn net(text: &str) -> IpNet {
    text.parse().expect("a network")
}

pub(super) fn is_public(address: IpAddr) -> bool {
    (address.is_ipv4() || PUBLIC.contains(&address))
        && !NOT_PUBLIC.iter().any(|net| net.contains(&address))
}

#[derive(Debug, thiserror::Error)]
pub(super) enum NoAddress {
    /// The name does not exist, or one of its addresses is private. The same error for both cases
    /// hides which names exist in the operator's network.
    #[error(
        "the host does not exist or has a private address; this server allows only public addresses"
    )]
    NotPublic,
    #[error("the host has no address; check its name")]
    None,
}

/// Resolves a host. Returns an error if it has no address, or if `private` is false and one of its
/// addresses is private. The caller must connect to the returned addresses, because a second query
/// can return others.
pub(super) async fn resolve(
    host: &str,
    port: u16,
    private: bool,
) -> Result<Vec<SocketAddr>, NoAddress> {
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    let found = look_up(bare.to_owned(), port).await.unwrap_or_else(|error| {
        tracing::debug!(host, %error, "the host of a webhook cannot be resolved");
        Vec::new()
    });
    match (private, found.is_empty()) {
        (true, true) => Err(NoAddress::None),
        (true, false) => Ok(found),
        (false, false) if found.iter().all(|address| is_public(address.ip())) => Ok(found),
        (false, _) => Err(NoAddress::NotPublic),
    }
}

/// Queries the system's resolver. A query cannot be canceled. It runs in its own task, which keeps
/// the permit until the query completes.
async fn look_up(host: String, port: u16) -> io::Result<Vec<SocketAddr>> {
    let place = LOOKUPS.acquire().await.map_err(io::Error::other)?;
    let asked = tokio::spawn(async move {
        let _place = place;
        tokio::net::lookup_host((host, port)).await.map(Iterator::collect)
    });
    asked.await.map_err(io::Error::other)?
}

static LOOKUPS: Semaphore = Semaphore::const_new(64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_public_or_not() {
        let public = "\
            1.1.1.1 8.8.8.8 172.15.255.255 172.32.0.0 100.63.255.255 100.128.0.0 192.0.1.0 \
            223.255.255.255 2606:4700::1111 2a00:1450::8a 2001:200::1";
        let private = "\
            0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.100.100.200 127.0.0.1 127.255.255.255 \
            168.63.129.16 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.192 192.0.2.1 \
            192.168.1.1 198.19.0.1 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255 :: ::1 \
            ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 64:ff9b::7f00:1 64:ff9b:1::1 100::1 \
            2001::1 2001:db8::1 2002:7f00:1::1 3fff::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 \
            fec0::1 ff02::1";
        for (addresses, expected) in [(public, true), (private, false)] {
            for address in addresses.split_whitespace() {
                assert_eq!(is_public(address.parse().unwrap()), expected, "{address}");
            }
        }
    }

    #[tokio::test]
    async fn no_spelling_reaches_loopback() {
        let spellings = "\
            localhost 127.1 0x7f.1 0177.0.0.1 2130706433 0 [::1] [::ffff:127.0.0.1] \
            [::ffff:7f00:1]";
        for host in spellings.split_whitespace() {
            let resolved = resolve(host, 80, false).await;
            assert!(resolved.is_err(), "{host}: {resolved:?}");
        }
        assert!(resolve("127.0.0.1", 80, true).await.is_ok());
    }

    /// Security S13: the error revealed which names exist in the operator's network.
    #[tokio::test]
    async fn internal_and_missing_names_give_the_same_error() {
        let inside = resolve("localhost", 80, false).await.unwrap_err().to_string();
        let nowhere = resolve("nowhere.invalid", 80, false).await.unwrap_err().to_string();
        assert_eq!(inside, nowhere);
    }
}
