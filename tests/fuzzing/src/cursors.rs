//! What clients hand back to the engine without understanding it: page tokens, cursors, tokens.

use heliopause_engine::edge::strangers;
use heliopause_proto::v1::{Cursor, ListGamesRequest};
use prost::Message as _;

use crate::messages;
use crate::source::Source;

/// The first byte says which of them the rest is.
pub fn cursors(data: &[u8]) {
    let mut source = Source::new(data);
    match source.byte() % 4 {
        0 => {
            strangers::pages(source.rest());
        }
        1 => {
            let rest = source.rest();
            let Ok(text) = std::str::from_utf8(rest) else { return };
            let request = ListGamesRequest { page_token: text.to_owned(), ..Default::default() };
            for (list, page) in strangers::pages(&request.encode_to_vec()) {
                // A token begins with the sum of its list: what is none is refused by all.
                if text.split_once('.').is_none_or(|(sum, _)| sum.len() != 8) && !text.is_empty() {
                    assert!(page.is_err() || list != "ListGamesRequest", "{list} reads {text:?}");
                }
            }
        }
        2 => {
            let (after, head): (Cursor, Cursor) =
                (messages::typed(&mut source), messages::typed(&mut source));
            match strangers::cursor(&after, &head) {
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
            assert_eq!(strangers::cursor(&head, &head), Ok(()), "the newest place is one");
        }
        _ => {
            let text = String::from_utf8_lossy(source.rest()).into_owned();
            let (token, code) = strangers::secrets(&text);
            assert!(!(token && code), "{text:?} is a token and a code");
            if token || code {
                let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
                assert!(text.len() < 100 && text.bytes().all(plain), "{text:?}");
            }
        }
    }
}
