//! What a port speaks, and telling whoever speaks something else: clients' own words for it help
//! nobody.

/// What a port speaks below HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Speaks {
    Plain,
    Tls,
}

/// The first byte of a TLS handshake, with which no HTTP begins.
const HANDSHAKE: u8 = 0x16;
/// How HTTP/2 begins.
const PREFACE: &[u8] = b"PRI * HTTP/2.0";
/// The kinds of frames, and the reason, by which an HTTP/2 client is told. The reason is
/// INADEQUATE_SECURITY.
const SETTINGS: u8 = 4;
const GO_AWAY: u8 = 7;
const INADEQUATE_SECURITY: u32 = 12;

impl Speaks {
    /// What whoever begins with these bytes is told, if it is not what the port speaks.
    pub(super) fn correct(self, first: &[u8]) -> Option<Vec<u8>> {
        let is_tls = *first.first()? == HANDSHAKE;
        match self {
            Self::Tls if is_tls => None,
            Self::Tls if PREFACE.starts_with(first) || first.starts_with(PREFACE) => {
                Some(go_away("this port speaks https"))
            }
            Self::Tls => Some(bad_request("this port speaks https")),
            Self::Plain => is_tls.then(|| bad_request("this port speaks http")),
        }
    }
}

fn bad_request(why: &str) -> Vec<u8> {
    let head = "HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain\r\nconnection: close";
    format!("{head}\r\ncontent-length: {}\r\n\r\n{why}\n", why.len() + 1).into_bytes()
}

/// The beginning of an HTTP/2 connection and its end.
fn go_away(why: &str) -> Vec<u8> {
    let body = [&0_u32.to_be_bytes(), &INADEQUATE_SECURITY.to_be_bytes(), why.as_bytes()].concat();
    [frame(SETTINGS, &[]), frame(GO_AWAY, &body)].concat()
}

/// A frame of the connection itself, without flags.
fn frame(kind: u8, body: &[u8]) -> Vec<u8> {
    let [_, length @ ..] = (body.len() as u32).to_be_bytes();
    [&length[..], &[kind, 0, 0, 0, 0, 0], body].concat()
}

#[cfg(test)]
mod tests {
    use super::Speaks;

    #[test]
    fn whoever_speaks_what_the_port_does_is_told_nothing() {
        for (speaks, first) in [
            (Speaks::Tls, &b"\x16\x03\x01"[..]),
            (Speaks::Plain, b"PRI * HTTP/2.0\r\n\r\n"),
            (Speaks::Plain, b"GET / HTTP/1.1"),
            (Speaks::Tls, b""),
        ] {
            assert_eq!(speaks.correct(first), None, "{first:?}");
        }
    }

    /// Security T1: "h2 protocol error" was all that a client was told.
    #[test]
    fn others_are_told_in_what_they_speak() {
        let told = |speaks: Speaks, first: &[u8]| {
            String::from_utf8_lossy(&speaks.correct(first).unwrap()).into_owned()
        };
        assert!(
            told(Speaks::Tls, b"GET / HTTP/1.1\r\n")
                .ends_with("content-length: 23\r\n\r\nthis port speaks https\n")
        );
        assert!(told(Speaks::Plain, b"\x16\x03\x01").starts_with("HTTP/1.1 400 "));
        let frames = Speaks::Tls.correct(b"PRI * HTTP/2.0\r\n\r\nSM").unwrap();
        assert_eq!(frames[..9], [0, 0, 0, 4, 0, 0, 0, 0, 0]);
        assert_eq!(frames[9..26], [0, 0, 30, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12]);
        assert_eq!(frames[26..], *b"this port speaks https");
    }
}
