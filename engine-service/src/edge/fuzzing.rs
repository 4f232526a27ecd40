//! Entry points to the edge's parsers of untrusted bytes, used only by `tests/fuzzing`.

use heliopause_proto::v1::Cursor;

use super::gate::methods;
use super::services::paging;
use crate::host::check_cursor;

pub fn calls() -> Vec<&'static str> {
    methods::paths()
}

/// Checks an encoded request against the contract. Returns the number of messages and repeated
/// values in it, or the error.
pub fn check(path: &str, request: &[u8]) -> Result<usize, String> {
    methods::method(path).check(request).map_err(|violation| {
        let failure = crate::failure::Failure::from(violation);
        failure.to_string()
    })
}

/// Decodes the bytes as a request of each list method. Returns the methods that accept the bytes,
/// each with the start of its page or with an error.
pub fn pages(request: &[u8]) -> Vec<(&'static str, Result<String, String>)> {
    paging::all(request)
}

/// Checks that a cursor is valid for an audience whose last event is at `head`.
pub fn cursor(after: &Cursor, head: &Cursor) -> Result<(), String> {
    check_cursor(after, head).map_err(|fault| fault.message)
}

/// Returns whether `text` has the form of a token, and whether it has the form of a sign-in code.
pub fn secrets(text: &str) -> (bool, bool) {
    crate::accounts::forms(text)
}
