//! What the edge makes of the bytes of strangers before anything is done for them: for tools that
//! try all kinds of bytes (`tests/fuzzing`). The edge itself does not use this.

use heliopause_proto::v1::Cursor;

use super::{methods, pages};
use crate::host::check_cursor;

/// The paths of all calls that the gate knows.
pub fn calls() -> Vec<&'static str> {
    methods::paths()
}

/// Checks the request of a call as the gate does, by the contract and before it is decoded. Answers
/// how many things are in it.
pub fn check(path: &str, request: &[u8]) -> Result<usize, String> {
    methods::method(path).check(request).map_err(|breach| {
        let failure = super::errors::Failure::from(breach);
        failure.to_string()
    })
}

/// Reads the page that an encoded request asks for, as every list of the contract would. The lists
/// that could read it, each with where its page begins.
pub fn pages(request: &[u8]) -> Vec<(&'static str, Result<String, String>)> {
    pages::all(request)
}

/// Whether a cursor is a place in the events of an audience, whose last event is at `head`.
pub fn cursor(after: &Cursor, head: &Cursor) -> Result<(), String> {
    check_cursor(after, head).map_err(|fault| fault.message)
}

/// Whether a text has the form of a token, and whether it has that of a sign-in code.
pub fn secrets(text: &str) -> (bool, bool) {
    crate::accounts::forms(text)
}
