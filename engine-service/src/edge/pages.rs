//! Lists in pages: how long a page is, and where it begins.
//!
//! A token names the call and the filters that it was made for, so that no page continues another
//! list. Callers must not read it, but there is nothing in it that they do not know.

use heliopause_proto::v1::{
    GetHistoryRequest, ListAllGamesRequest, ListEnginesRequest, ListGamesRequest,
    ListLeasesRequest, ListMasterEventsRequest, ListMessagesRequest, ListMyDecisionsRequest,
    ListMyGamesRequest, ListParkedDecisionsRequest, ListPhasesRequest, ListPlayersRequest,
    ListVotesRequest, ListWorkersRequest,
};
use prost::Message;

use super::errors::Failure;
use crate::store::{GameRow, Millis};

/// How many rows a page has if the caller does not say.
const DEFAULT: usize = 50;
/// How many rows a page has at most.
const MAX: usize = 200;
/// How long a token is at most.
const TOKEN_MAX: usize = 160;

/// A request for a page of a list. What is left of it without its page is its filters.
pub(super) trait Listing: Message + Clone {
    /// The call.
    const CALL: &str;

    /// Takes the size and the token out of it.
    fn take_page(&mut self) -> (u32, String);
}

macro_rules! listings {
    ($($request:ident),* $(,)?) => {
        $(impl Listing for $request {
            const CALL: &str = stringify!($request);

            fn take_page(&mut self) -> (u32, String) {
                (std::mem::take(&mut self.page_size), std::mem::take(&mut self.page_token))
            }
        })*

        /// Where the page begins that bytes ask for, read as a request of every list.
        pub(super) fn all(request: &[u8]) -> Vec<(&'static str, Result<String, String>)> {
            let mut all = Vec::new();
            $(if let Ok(request) = $request::decode(request) {
                let page = Page::of(&request).map_err(|refused| refused.to_string());
                all.push(($request::CALL, page.map(|page| page.begins())));
            })*
            all
        }
    };
}

listings!(
    GetHistoryRequest,
    ListAllGamesRequest,
    ListEnginesRequest,
    ListGamesRequest,
    ListLeasesRequest,
    ListMasterEventsRequest,
    ListMessagesRequest,
    ListMyDecisionsRequest,
    ListMyGamesRequest,
    ListParkedDecisionsRequest,
    ListPhasesRequest,
    ListPlayersRequest,
    ListVotesRequest,
    ListWorkersRequest,
);

/// A page that is asked for.
#[derive(Debug)]
pub(super) struct Page {
    /// How many rows it has at most.
    pub size: usize,
    /// What the list is, in eight characters.
    list: String,
    /// What the page follows; nothing is the first page.
    after: Option<String>,
}

impl Page {
    /// The page that a request asks for.
    pub(super) fn of<R: Listing>(request: &R) -> Result<Self, Failure> {
        let mut filters = request.clone();
        let (size, token) = filters.take_page();
        let size = if size == 0 { DEFAULT } else { MAX.min(size as usize) };
        let mut crc = crc32fast::Hasher::new();
        crc.update(R::CALL.as_bytes());
        crc.update(&filters.encode_to_vec());
        let list = format!("{:08x}", crc.finalize());
        if token.is_empty() {
            return Ok(Self { size, list, after: None });
        }
        let (made_for, after) =
            token.split_once('.').filter(|_| token.len() <= TOKEN_MAX).ok_or_else(invalid)?;
        if made_for == list {
            return Ok(Self { size, list, after: Some(after.to_owned()) });
        }
        if made_for.len() == list.len() && made_for.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(Failure::field(
                "page_token",
                "this token belongs to another list: one with other filters",
            ));
        }
        Err(invalid())
    }

    /// Where it begins, by every way of saying so.
    fn begins(&self) -> String {
        format!("{:?} {:?} {:?}", self.game(), self.number(), self.name())
    }

    /// How many rows to look for: one more than the page has, to see whether there are more.
    pub(super) fn limit(&self) -> usize {
        self.size + 1
    }

    /// Cuts a list that was looked for with one row too many, and says what the next page follows:
    /// the last row, if there are more.
    pub(super) fn cut<'a, T>(&self, rows: &'a mut Vec<T>) -> Option<&'a T> {
        let more = rows.len() > self.size;
        rows.truncate(self.size);
        rows.last().filter(|_| more)
    }

    /// The rows of this page, of a list that is here as a whole, and the token of the next page.
    pub(super) fn slice<T>(&self, all: Vec<T>) -> Result<(Vec<T>, String), Failure> {
        let seen = self.number()?.unwrap_or(0);
        let mut rows: Vec<T> = all.into_iter().skip(seen as usize).collect();
        let next = self.cut(&mut rows).map(|_| seen + self.size as u64);
        Ok((rows, self.after_number(next)))
    }

    /// The game that it follows.
    pub(super) fn game(&self) -> Result<Option<(Millis, String)>, Failure> {
        let Some(after) = &self.after else { return Ok(None) };
        let (created, game_id) =
            after.split_once('.').filter(|(_, id)| !id.is_empty()).ok_or_else(invalid)?;
        let created = Millis::from_str_radix(created, 16).map_err(|_| invalid())?;
        Ok(Some((created, game_id.to_owned())))
    }

    /// The token of the page after a game.
    pub(super) fn after_game(&self, last: Option<&GameRow>) -> String {
        last.map_or_else(String::new, |row| {
            format!("{}.{:x}.{}", self.list, row.created, row.game_id)
        })
    }

    /// The name that it follows; empty for the first page.
    pub(super) fn name(&self) -> &str {
        self.after.as_deref().unwrap_or_default()
    }

    /// The token of the page after a name.
    pub(super) fn after_name(&self, last: Option<&str>) -> String {
        last.map_or_else(String::new, |name| format!("{}.{name}", self.list))
    }

    /// The number that it follows.
    pub(super) fn number(&self) -> Result<Option<u64>, Failure> {
        self.after.as_ref().map(|number| number.parse().map_err(|_| invalid())).transpose()
    }

    /// The token of the page after a number.
    pub(super) fn after_number(&self, last: Option<u64>) -> String {
        last.map_or_else(String::new, |number| format!("{}.{number}", self.list))
    }
}

fn invalid() -> Failure {
    Failure::field("page_token", "this is not a next_page_token of this call")
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

    fn games(page_token: &str) -> ListGamesRequest {
        ListGamesRequest { page_token: page_token.to_owned(), ..ListGamesRequest::default() }
    }

    #[test]
    fn a_page_token_reads_back() {
        let row = GameRow {
            game_id: "g-1.2".to_owned(),
            created: 1_700_000_000_000,
            ..GameRow::default()
        };
        let first = Page::of(&games("")).unwrap();
        let (game, name, number) = (
            first.after_game(Some(&row)),
            first.after_name(Some("Ann. B")),
            first.after_number(Some(50)),
        );
        assert_eq!(
            Page::of(&games(&game)).unwrap().game().unwrap(),
            Some((row.created, row.game_id))
        );
        assert_eq!(Page::of(&games(&name)).unwrap().name(), "Ann. B");
        assert_eq!(Page::of(&games(&number)).unwrap().number().unwrap(), Some(50));
        assert_eq!(first.game().unwrap(), None);
        assert_eq!(first.name(), "");
        assert_eq!(first.number().unwrap(), None);
        assert_eq!(
            [first.after_game(None), first.after_name(None), first.after_number(None)],
            ["", "", ""]
        );
    }

    #[test]
    fn a_token_continues_no_other_list() {
        let token = Page::of(&games("")).unwrap().after_number(Some(7));
        let longer = ListGamesRequest { page_size: 9, ..games(&token) };
        assert_eq!(
            Page::of(&longer).unwrap().number().unwrap(),
            Some(7),
            "how long a page is does not matter"
        );
        let others = ListGamesRequest { kind: "diplomacy".to_owned(), ..games(&token) };
        let refused = Page::of(&others).unwrap_err().to_string();
        assert!(refused.contains("other filters"), "{refused}");
        let mine = ListMyGamesRequest { page_token: token, ..ListMyGamesRequest::default() };
        assert!(Page::of(&mine).is_err());
    }

    #[test]
    fn what_is_no_page_token_is_refused() {
        let list = Page::of(&games("")).unwrap().list;
        for token in ["g", "g1", "g1.", "gz.x", "1.x", "😀", &format!("{list}.{}", "x".repeat(200))]
        {
            assert!(Page::of(&games(token)).is_err(), "{token}");
        }
        for rest in ["", "x", "1.", "z.x", "-1", "1.x.y"] {
            let page = Page::of(&games(&format!("{list}.{rest}"))).unwrap();
            assert!(page.game().is_err() || page.number().is_err(), "{rest}");
        }
    }

    #[test]
    fn pages_have_a_size() {
        let size = |page_size| Page::of(&ListGamesRequest { page_size, ..games("") }).unwrap().size;
        assert_eq!(
            [size(0), size(1), size(200), size(201), size(u32::MAX)],
            [50, 1, 200, 200, 200]
        );
        let page = Page::of(&ListGamesRequest { page_size: 2, ..games("") }).unwrap();
        let mut rows = vec![1, 2, 3];
        assert_eq!(page.cut(&mut rows), Some(&2));
        assert_eq!(rows, [1, 2]);
        assert_eq!(page.cut(&mut rows), None);
    }
}
