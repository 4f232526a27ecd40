//! Opaque values that clients return to the engine, such as page tokens and cursors.

use heliopause_engine::edge::fuzzing;
use heliopause_proto::v1::{Cursor, ListGamesRequest};
use prost::Message as _;

use crate::messages;
use crate::source::Source;

/// Fuzzes opaque values. The first byte selects the kind of value.
pub fn cursors(data: &[u8]) {
    let mut source = Source::new(data);
    match source.byte() % 4 {
        0 => {
            fuzzing::pages(source.rest());
        }
        1 => {
            let rest = source.rest();
            let Ok(text) = std::str::from_utf8(rest) else { return };
            let request = ListGamesRequest { page_token: text.to_owned(), ..Default::default() };
            for (list, page) in fuzzing::pages(&request.encode_to_vec()) {
                // A page token starts with the checksum of its list.
                if text.split_once('.').is_none_or(|(sum, _)| sum.len() != 8) && !text.is_empty() {
                    assert!(page.is_err() || list != "ListGamesRequest", "{list} reads {text:?}");
                }
            }
        }
        2 => {
            let (after, head): (Cursor, Cursor) =
                (messages::typed(&mut source), messages::typed(&mut source));
            match fuzzing::cursor(&after, &head) {
                Ok(()) => {
                    assert!(after.number <= head.number, "{after:?} lies beyond {head:?}");
                    assert!(
                        after.number == 0
                            || after.audience.is_none()
                            || after.audience == head.audience,
                        "{after:?} is of another audience than {head:?}"
                    );
                }
                Err(refused) => assert!(!refused.is_empty()),
            }
            assert_eq!(fuzzing::cursor(&head, &head), Ok(()), "the newest place is one");
        }
        _ => {
            let text = String::from_utf8_lossy(source.rest()).into_owned();
            let (token, code) = fuzzing::secrets(&text);
            assert!(!(token && code), "{text:?} is a token and a code");
            if token || code {
                let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
                assert!(text.len() < 100 && text.bytes().all(plain), "{text:?}");
            }
        }
    }
}
