//! Detection of clients that speak TLS to a plain port or the reverse. The server sends them an
//! error, because the clients' own error messages do not help.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PortProtocol {
    Plain,
    Tls,
}

/// The first byte of a TLS handshake. HTTP never starts with it.
const HANDSHAKE: u8 = 0x16;
const PREFACE: &[u8] = b"PRI * HTTP/2.0";
// HTTP/2 frame types (RFC 9113, section 6) and error code (section 7).
const SETTINGS: u8 = 4;
const GO_AWAY: u8 = 7;
const INADEQUATE_SECURITY: u32 = 12;

impl PortProtocol {
    pub(crate) fn error_for(self, first: &[u8]) -> Option<Vec<u8>> {
        let is_tls = *first.first()? == HANDSHAKE;
        match self {
            Self::Tls if is_tls => None,
            Self::Tls if PREFACE.starts_with(first) || first.starts_with(PREFACE) => {
                Some(go_away("this port serves https"))
            }
            Self::Tls => Some(bad_request("this port serves https")),
            Self::Plain => is_tls.then(|| bad_request("this port serves http")),
        }
    }
}

fn bad_request(why: &str) -> Vec<u8> {
    let head = "HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain\r\nconnection: close";
    format!("{head}\r\ncontent-length: {}\r\n\r\n{why}\n", why.len() + 1).into_bytes()
}

fn go_away(why: &str) -> Vec<u8> {
    let body = [&0_u32.to_be_bytes(), &INADEQUATE_SECURITY.to_be_bytes(), why.as_bytes()].concat();
    [frame(SETTINGS, &[]), frame(GO_AWAY, &body)].concat()
}

fn frame(kind: u8, body: &[u8]) -> Vec<u8> {
    let [_, length @ ..] = (body.len() as u32).to_be_bytes();
    [&length[..], &[kind, 0, 0, 0, 0, 0], body].concat()
}

#[cfg(test)]
mod tests {
    use super::PortProtocol;

    #[test]
    fn matching_protocol_gets_no_error() {
        for (speaks, first) in [
            (PortProtocol::Tls, &b"\x16\x03\x01"[..]),
            (PortProtocol::Plain, b"PRI * HTTP/2.0\r\n\r\n"),
            (PortProtocol::Plain, b"GET / HTTP/1.1"),
            (PortProtocol::Tls, b""),
        ] {
            assert_eq!(speaks.error_for(first), None, "{first:?}");
        }
    }

    /// Security T1: clients showed only "h2 protocol error".
    #[test]
    fn other_protocols_get_an_error_in_their_own_format() {
        let told = |speaks: PortProtocol, first: &[u8]| {
            String::from_utf8_lossy(&speaks.error_for(first).unwrap()).into_owned()
        };
        assert!(
            told(PortProtocol::Tls, b"GET / HTTP/1.1\r\n")
                .ends_with("content-length: 23\r\n\r\nthis port serves https\n")
        );
        assert!(told(PortProtocol::Plain, b"\x16\x03\x01").starts_with("HTTP/1.1 400 "));
        let frames = PortProtocol::Tls.error_for(b"PRI * HTTP/2.0\r\n\r\nSM").unwrap();
        assert_eq!(frames[..9], [0, 0, 0, 4, 0, 0, 0, 0, 0]);
        assert_eq!(frames[9..26], [0, 0, 30, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12]);
        assert_eq!(frames[26..], *b"this port serves https");
    }
}
