//! Which addresses of the network a webhook may have.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::LazyLock;

use ipnet::IpNet;
use tokio::sync::Semaphore;

/// Addresses of version 4 that are not public, by the registry of special-purpose addresses; and
/// one that is, by which a cloud tells its machines their secrets.
const NOT_PUBLIC_V4: [&str; 17] = [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "168.63.129.16/32",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.31.196.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
];
/// Where the public addresses of version 6 are. Mapped and translated addresses of version 4,
/// loopback, local ones and groups all lie elsewhere.
const PUBLIC_V6: &str = "2000::/3";
/// What lies among them and is not public: protocols (Teredo), examples, 6to4, examples.
const NOT_PUBLIC_V6: [&str; 4] = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

static NOT_PUBLIC: LazyLock<Vec<IpNet>> =
    LazyLock::new(|| NOT_PUBLIC_V4.iter().chain(&NOT_PUBLIC_V6).map(|text| net(text)).collect());
static PUBLIC: LazyLock<IpNet> = LazyLock::new(|| net(PUBLIC_V6));

fn net(text: &str) -> IpNet {
    text.parse().expect("a network")
}

/// Whether everybody can reach an address, so that it says nothing about this machine's network.
pub(super) fn is_public(address: IpAddr) -> bool {
    (address.is_ipv4() || PUBLIC.contains(&address))
        && !NOT_PUBLIC.iter().any(|net| net.contains(&address))
}

/// Why there is no address to connect to.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoAddress {
    /// The same words for names without an address and for those inside the operator's network:
    /// the answer must not tell which names there are.
    #[error("its host has no public address, and the operator allows no others")]
    NotPublic,
    #[error("its host has no address")]
    None,
}

/// The addresses of a host. Whoever connects takes one of these and asks no second time: a name
/// that is asked twice can answer twice.
pub(super) async fn resolve(
    host: &str,
    port: u16,
    private: bool,
) -> Result<Vec<SocketAddr>, NoAddress> {
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    let found = look_up(bare.to_owned(), port).await.unwrap_or_else(|error| {
        tracing::debug!(%error, "a host was not found");
        Vec::new()
    });
    match (private, found.is_empty()) {
        (true, true) => Err(NoAddress::None),
        (true, false) => Ok(found),
        (false, false) if found.iter().all(|address| is_public(address.ip())) => Ok(found),
        (false, _) => Err(NoAddress::NotPublic),
    }
}

/// Asks the system. Its answer cannot be given up, only not waited for, and its threads are not for
/// this alone: so a question keeps its place until it is answered.
async fn look_up(host: String, port: u16) -> io::Result<Vec<SocketAddr>> {
    let place = QUESTIONS.acquire().await.map_err(io::Error::other)?;
    let asked = tokio::spawn(async move {
        let _place = place;
        tokio::net::lookup_host((host, port)).await.map(Iterator::collect)
    });
    asked.await.map_err(io::Error::other)?
}

/// How many questions the system is asked at once.
static QUESTIONS: Semaphore = Semaphore::const_new(64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_public_or_not() {
        let public = [
            "1.1.1.1",
            "8.8.8.8",
            "172.15.255.255",
            "172.32.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "192.0.1.0",
            "223.255.255.255",
            "2606:4700::1111",
            "2a00:1450::8a",
            "2001:200::1",
        ];
        let private = [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "100.64.0.1",
            "100.100.100.200",
            "127.0.0.1",
            "127.255.255.255",
            "168.63.129.16",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.192",
            "192.0.2.1",
            "192.168.1.1",
            "198.19.0.1",
            "224.0.0.1",
            "239.255.255.250",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "64:ff9b::7f00:1",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::1",
            "3fff::1",
            "5f00::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ];
        let judged = |texts: &[&str], wanted| {
            let wrong: Vec<_> =
                texts.iter().filter(|text| is_public(text.parse().unwrap()) != wanted).collect();
            assert!(wrong.is_empty(), "{wrong:?}");
        };
        judged(&public, true);
        judged(&private, false);
    }

    #[tokio::test]
    async fn no_spelling_leads_home() {
        for host in [
            "localhost",
            "127.1",
            "0x7f.1",
            "0177.0.0.1",
            "2130706433",
            "0",
            "[::1]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
        ] {
            let resolved = resolve(host, 80, false).await;
            assert!(resolved.is_err(), "{host}: {resolved:?}");
        }
        assert!(resolve("127.0.0.1", 80, true).await.is_ok());
    }

    /// Security S13: the words told which names there are inside.
    #[tokio::test]
    async fn a_name_inside_and_one_that_is_not_there_are_refused_in_the_same_words() {
        let inside = resolve("localhost", 80, false).await.unwrap_err().to_string();
        let nowhere = resolve("nowhere.invalid", 80, false).await.unwrap_err().to_string();
        assert_eq!(inside, nowhere);
    }
}
