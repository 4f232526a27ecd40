//! Paged lists: page sizes and page tokens.
//!
//! A token contains a checksum of its call and filters, so it cannot continue another list.

use heliopause_proto::v1::{
    GetHistoryRequest, ListAllGamesRequest, ListBotsRequest, ListChatRequest, ListEnginesRequest,
    ListGamesRequest, ListLeaderboardRequest, ListLeasesRequest, ListMasterEventsRequest,
    ListMessagesRequest, ListMyDecisionsRequest, ListMyGamesRequest, ListParkedDecisionsRequest,
    ListPhasesRequest, ListPlayersRequest, ListReportsRequest, ListTournamentsRequest,
    ListVotesRequest, ListWorkersRequest,
};
use heliopause_table::Fault;
use prost::Message;

use crate::failure::{Failure, Result};
use crate::store::{GameQuery, GameRow, Millis, Store};

const DEFAULT: usize = 50;
const MAX: usize = 200;
/// The limit for lists that load each game.
const DETAILED_MAX: usize = 50;
const TOKEN_MAX: usize = 160;

/// A request for a page of a list. All fields except the page size and token are filters.
pub(crate) trait Listing: Message + Clone {
    const CALL: &str;

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

        /// Decodes bytes as a request of each list method. Returns the methods that accept the
        /// bytes, each with the start of its page or with an error.
        pub(crate) fn all(request: &[u8]) -> Vec<(&'static str, Result<String, String>)> {
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
    ListBotsRequest,
    ListChatRequest,
    ListEnginesRequest,
    ListGamesRequest,
    ListLeaderboardRequest,
    ListLeasesRequest,
    ListMasterEventsRequest,
    ListMessagesRequest,
    ListMyDecisionsRequest,
    ListMyGamesRequest,
    ListParkedDecisionsRequest,
    ListPhasesRequest,
    ListPlayersRequest,
    ListReportsRequest,
    ListTournamentsRequest,
    ListVotesRequest,
    ListWorkersRequest,
);

#[derive(Debug)]
pub(crate) struct Page {
    pub size: usize,
    list: String,
    /// The position of the last item before the page, or `None` for the first page.
    after: Option<String>,
}

impl Page {
    pub(crate) fn of<R: Listing>(request: &R) -> Result<Self> {
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
                "This token is from another call or different filters; start from the first page.",
            ));
        }
        Err(invalid())
    }

    /// Limits the page size of a list that loads each game.
    pub(crate) fn detailed(self, detailed: bool) -> Self {
        let max = if detailed { DETAILED_MAX } else { MAX };
        Self { size: self.size.min(max), ..self }
    }

    fn begins(&self) -> String {
        format!("{:?} {:?} {:?}", self.game(), self.number(), self.name())
    }

    /// Returns the page size plus one, to detect whether there is a next page.
    pub(crate) fn limit(&self) -> usize {
        self.size + 1
    }

    pub(crate) fn cut<'a, T>(&self, rows: &'a mut Vec<T>) -> Option<&'a T> {
        let more = rows.len() > self.size;
        rows.truncate(self.size);
        rows.last().filter(|_| more)
    }

    pub(crate) fn slice<T>(&self, all: Vec<T>) -> Result<(Vec<T>, String)> {
        let seen = self.number()?.unwrap_or(0);
        let mut rows: Vec<T> = all.into_iter().skip(seen as usize).collect();
        let next = self.cut(&mut rows).map(|_| seen + self.size as u64);
        Ok((rows, self.after_number(next)))
    }

    fn game(&self) -> Result<Option<(Millis, String)>> {
        let Some(after) = &self.after else { return Ok(None) };
        let (created, game_id) =
            after.split_once('.').filter(|(_, id)| !id.is_empty()).ok_or_else(invalid)?;
        let created = Millis::from_str_radix(created, 16).map_err(|_| invalid())?;
        Ok(Some((created, game_id.to_owned())))
    }

    /// Returns the page of the games that a query finds, and the token of the next page.
    pub(crate) async fn games(
        &self,
        store: &dyn Store,
        query: GameQuery,
    ) -> Result<(Vec<GameRow>, String)> {
        let is_by_end = query.ended.is_some();
        let query = GameQuery { limit: self.limit(), after: self.game()?, ..query };
        let mut rows = store.games(query).await.map_err(Fault::from)?;
        let time = |row: &GameRow| row.ended.filter(|_| is_by_end).unwrap_or(row.created);
        let last = self.cut(&mut rows).map(|row| (time(row), row.game_id.as_str()));
        let next_page_token = self.after_game(last);
        Ok((rows, next_page_token))
    }

    fn after_game(&self, last: Option<(Millis, &str)>) -> String {
        self.after_name(last.map(|(time, game_id)| format!("{time:x}.{game_id}")).as_deref())
    }

    pub(crate) fn name(&self) -> &str {
        self.after.as_deref().unwrap_or_default()
    }

    pub(crate) fn after_name(&self, last: Option<&str>) -> String {
        last.map_or_else(String::new, |name| format!("{}.{name}", self.list))
    }

    pub(crate) fn number(&self) -> Result<Option<u64>> {
        self.after.as_ref().map(|number| number.parse().map_err(|_| invalid())).transpose()
    }

    pub(crate) fn after_number(&self, last: Option<u64>) -> String {
        last.map_or_else(String::new, |number| format!("{}.{number}", self.list))
    }
}

fn invalid() -> Failure {
    Failure::field(
        "page_token",
        "Expected a next_page_token from this call, or none for the first page.",
    )
}

pub(crate) fn search(text: &str) -> Result<Option<String>> {
    match text.chars().count() {
        0 => Ok(None),
        1..=64 => Ok(Some(text.to_owned())),
        found => {
            let text = format!("The search text has {found} characters; the maximum is 64.");
            Err(Failure::field("search", text))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(page_token: &str) -> ListGamesRequest {
        ListGamesRequest { page_token: page_token.to_owned(), ..ListGamesRequest::default() }
    }

    #[test]
    fn page_token_round_trips() {
        let row = (1_700_000_000_000, "g-1.2");
        let first = Page::of(&games("")).unwrap();
        let (game, name, number) = (
            first.after_game(Some(row)),
            first.after_name(Some("Ann. B")),
            first.after_number(Some(50)),
        );
        assert_eq!(
            Page::of(&games(&game)).unwrap().game().unwrap(),
            Some((row.0, row.1.to_owned()))
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
    fn token_of_another_list_is_rejected() {
        let token = Page::of(&games("")).unwrap().after_number(Some(7));
        let longer = ListGamesRequest { page_size: 9, ..games(&token) };
        assert_eq!(
            Page::of(&longer).unwrap().number().unwrap(),
            Some(7),
            "how long a page is does not matter"
        );
        let others = ListGamesRequest { kind: "diplomacy".to_owned(), ..games(&token) };
        let refused = Page::of(&others).unwrap_err().to_string();
        assert!(refused.contains("different filters"), "{refused}");
        let mine = ListMyGamesRequest { page_token: token, ..ListMyGamesRequest::default() };
        assert!(Page::of(&mine).is_err());
    }

    #[test]
    fn invalid_page_token_is_rejected() {
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
    fn page_size_is_limited() {
        let size = |page_size| Page::of(&ListGamesRequest { page_size, ..games("") }).unwrap().size;
        assert_eq!(
            [size(0), size(1), size(200), size(201), size(u32::MAX)],
            [50, 1, 200, 200, 200]
        );
        let detailed = Page::of(&ListGamesRequest { page_size: 200, ..games("") }).unwrap();
        assert_eq!(detailed.detailed(true).size, DETAILED_MAX);
        let page = Page::of(&ListGamesRequest { page_size: 2, ..games("") }).unwrap();
        let mut rows = vec![1, 2, 3];
        assert_eq!(page.cut(&mut rows), Some(&2));
        assert_eq!(rows, [1, 2]);
        assert_eq!(page.cut(&mut rows), None);
    }
}
