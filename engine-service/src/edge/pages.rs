//! Page sizes and page tokens.

use super::errors::Failure;
use crate::store::{GameRow, Millis};

/// How many rows a page has if the caller does not say.
const DEFAULT: u32 = 50;
/// How many rows a page has at most.
const MAX: u32 = 200;

/// How many rows a page shall have.
pub(super) fn size(wanted: u32) -> usize {
    match wanted {
        0 => DEFAULT as usize,
        wanted => wanted.min(MAX) as usize,
    }
}

fn invalid() -> Failure {
    Failure::field("page_token", "this is not a next_page_token of this call")
}

/// Cuts a list that was asked for with one row too many, and says whether there is more.
pub(super) fn cut<T>(rows: &mut Vec<T>, size: usize) -> bool {
    let more = rows.len() > size;
    rows.truncate(size);
    more
}

/// The token of the page after a game. Callers must not read it, but there is nothing in it that they do not know.
pub(super) fn after_game(last: Option<&GameRow>) -> String {
    last.map_or_else(String::new, |row| format!("g{:x}.{}", row.created, row.game_id))
}

/// The game that a page follows.
pub(super) fn read_game(token: &str) -> Result<Option<(Millis, String)>, Failure> {
    if token.is_empty() {
        return Ok(None);
    }
    let (created, game_id) = token.strip_prefix('g').and_then(|rest| rest.split_once('.')).ok_or_else(invalid)?;
    let created = Millis::from_str_radix(created, 16).map_err(|_| invalid())?;
    if game_id.is_empty() || token.len() > 128 {
        return Err(invalid());
    }
    Ok(Some((created, game_id.to_owned())))
}

/// The token of the page after a player's name.
pub(super) fn after_name(last: Option<&str>) -> String {
    last.map_or_else(String::new, |name| format!("p{name}"))
}

/// The name that a page follows.
pub(super) fn read_name(token: &str) -> Result<String, Failure> {
    match token.strip_prefix('p') {
        _ if token.is_empty() => Ok(String::new()),
        Some(name) if token.len() <= 128 => Ok(name.to_owned()),
        _ => Err(invalid()),
    }
}

/// The token of the page after a number.
pub(super) fn after_number(number: u64) -> String {
    format!("n{number}")
}

/// The number that a page follows; 0 for the first page.
pub(super) fn read_number(token: &str) -> Result<u64, Failure> {
    match token.strip_prefix('n') {
        _ if token.is_empty() => Ok(0),
        Some(number) => number.parse().map_err(|_| invalid()),
        None => Err(invalid()),
    }
}

/// Checks a text to search for.
pub(super) fn search(text: &str) -> Result<Option<String>, Failure> {
    match text.chars().count() {
        0 => Ok(None),
        1..=64 => Ok(Some(text.to_owned())),
        _ => Err(Failure::field("search", "a text to search for has at most 64 characters")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_token_reads_back() {
        let row = GameRow { game_id: "g-1.2".to_owned(), created: 1_700_000_000_000, ..GameRow::default() };
        let token = after_game(Some(&row));
        assert_eq!(read_game(&token).unwrap(), Some((row.created, row.game_id)));
        assert_eq!(read_name(&after_name(Some("Ann"))).unwrap(), "Ann");
        assert_eq!(read_number(&after_number(50)).unwrap(), 50);
        assert_eq!(read_game("").unwrap(), None);
        assert_eq!(read_name("").unwrap(), "");
    }

    #[test]
    fn what_is_no_page_token_is_refused() {
        let long = format!("g1.{}", "x".repeat(200));
        for token in ["g", "g1", "g1.", "gz.x", "pAnn", "1.x", "😀", &long] {
            assert!(read_game(token).is_err(), "{token}");
        }
        for token in ["x", "gAnn", &format!("p{long}")] {
            assert!(read_name(token).is_err(), "{token}");
        }
    }

    #[test]
    fn pages_have_a_size() {
        assert_eq!([size(0), size(1), size(200), size(201), size(u32::MAX)], [50, 1, 200, 200, 200]);
        let mut rows = vec![1, 2, 3];
        assert!(!cut(&mut rows, 3));
        assert!(cut(&mut rows, 2));
        assert_eq!(rows, [1, 2]);
    }
}
