//! Chat of players and spectators, muting, and reports of abuse.
//!
//! Chat lines are records beside the journals, because they do not change games.
//!
//! **Invariant.** One change writes a line and the record with the last numbers of its game. Lines of
//! a channel therefore have increasing numbers, on all engines of a store.
//!
//! **Invariant.** Who may read a line is decided when it is read, by the current table. A player who
//! takes a seat stops receiving the comments of spectators.
//!
//! After each line, engines with readers get a hint. An engine also polls for the games with new
//! lines, because hints can be lost.

mod listen;
mod mutes;
mod reports;
mod rooms;
mod silence;
mod spectators;

use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use heliopause_kernel::SeatSet;
use heliopause_proto::store::v1::{ChatHeads, StoredChatLine};
use heliopause_proto::v1::{ChatChannel, ChatLine, ErrorReason};
use heliopause_table::{ChatPlace, Table};
use prost::Message as _;

pub(crate) use self::mutes::seat_key;

use self::mutes::Mutes;
use self::rooms::Rooms;
use self::spectators::Spectators;
use crate::accounts::Accounts;
use crate::accounts::counters::expiry;
use crate::failure::{Failure, Result};
use crate::host::timestamp;
use crate::ratings::Ratings;
use crate::store::shared::Hint;
use crate::store::{Millis, Record, RecordChange, RecordQuery, Store, StoreError};

/// The numbers of the last lines, by game. The key is the time of the last line.
const HEADS: &str = "chat-heads";
/// The lines, by game, channel and number.
const LINE: &str = "chat-line";
/// The games in which an account has written, for export and deletion.
const AUTHOR: &str = "chat-author";

const CHANNELS: [ChatChannel; 2] = [ChatChannel::Table, ChatChannel::Spectators];

/// The number of lines kept in each channel.
const LINES_KEPT: u64 = 500;
/// The limit of an account: lines in a period.
const LINES_IN_PERIOD: u32 = 30;
const PERIOD: Millis = 60 * 1_000;
/// The number of lines among which a retry finds its first attempt.
const RETRIES_AMONG: usize = 50;
const PAGE: usize = 200;
/// The number of games to forget at once.
const GAMES_AT_ONCE: usize = 50;

/// The chat of a store's games.
pub(crate) struct Chat {
    store: Arc<dyn Store>,
    accounts: Arc<Accounts>,
    ratings: Arc<Ratings>,
    rooms: Rooms,
    mutes: Mutex<Mutes>,
    spectators: Arc<Spectators>,
}

/// A line with the current name of its author, empty if the account is deleted.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) channel: ChatChannel,
    pub(crate) number: u64,
    pub(crate) stored: StoredChatLine,
    name: String,
}

/// The lines that a reader sees now, and those that the reader sees later.
#[derive(Debug, Default)]
pub(crate) struct Shown {
    pub(crate) lines: Vec<ChatLine>,
    held: Vec<Arc<Line>>,
}

impl Chat {
    pub(crate) fn new(
        store: Arc<dyn Store>,
        accounts: Arc<Accounts>,
        ratings: Arc<Ratings>,
    ) -> Self {
        let (rooms, spectators) = (Rooms::default(), Arc::default());
        Self { store, accounts, ratings, rooms, mutes: Mutex::default(), spectators }
    }

    fn now(&self) -> Millis {
        self.accounts.time().now()
    }

    /// Writes a line. A retry with the same request id returns the first line.
    pub(crate) async fn write(
        self: &Arc<Self>,
        game_id: &str,
        channel: ChatChannel,
        line: StoredChatLine,
        name: &str,
    ) -> Result<Line> {
        let player_id = line.player_id.clone();
        self.accounts.count(&format!("chat {player_id}"), LINES_IN_PERIOD, PERIOD).await?;
        let key = channel_key(game_id, channel);
        let number = loop {
            let (found, mut heads) = self.heads(game_id).await?;
            if let Some(first) = self.first_attempt(game_id, channel, &heads, &line).await? {
                return Ok(first);
            }
            let number = last_of(&heads, channel) + 1;
            match channel {
                ChatChannel::Table => heads.table = number,
                ChatChannel::Spectators | ChatChannel::Unspecified => heads.spectators = number,
            }
            let head =
                RecordChange::create(HEADS, game_id, &expiry(self.now()), heads.encode_to_vec());
            let expected = found.map_or(0, |found| found.version);
            let mut changes = vec![
                RecordChange { expected, ..head },
                RecordChange::create(LINE, &line_id(&key, number), &key, line.encode_to_vec()),
            ];
            if let Some(oldest) = number.checked_sub(LINES_KEPT).filter(|&oldest| oldest > 0) {
                let oldest = self.store.record(LINE, &line_id(&key, oldest)).await?;
                changes.extend(oldest.map(Record::removed));
            }
            let author = format!("{player_id} {game_id}");
            if self.store.record(AUTHOR, &author).await?.is_none() {
                changes.push(RecordChange::create(AUTHOR, &author, &player_id, Bytes::new()));
            }
            match self.store.change_records(changes).await {
                Err(StoreError::LostRace { .. }) => {}
                changed => {
                    changed?;
                    break number;
                }
            }
        };
        // The account may have been deleted since the call passed the gate.
        if let Err(failure) = self.accounts.find_existing(&player_id).await {
            self.forget_lines(&player_id, game_id).await?;
            return Err(failure);
        }
        if let Some(shared) = self.store.shared() {
            shared.tell(Hint::Chat(game_id.to_owned()));
        }
        self.advance_soon(game_id);
        Ok(Line { channel, number, stored: line, name: name.to_owned() })
    }

    /// Returns the line of an earlier attempt of the same request.
    async fn first_attempt(
        &self,
        game_id: &str,
        channel: ChatChannel,
        heads: &ChatHeads,
        line: &StoredChatLine,
    ) -> Result<Option<Line>> {
        if line.request_id.is_empty() {
            return Ok(None);
        }
        let after = last_of(heads, channel).saturating_sub(RETRIES_AMONG as u64);
        let lines = self.lines(game_id, channel, after, RETRIES_AMONG).await?;
        let is_it = |earlier: &Line| {
            earlier.stored.player_id == line.player_id
                && earlier.stored.request_id == line.request_id
        };
        match lines.into_iter().find(is_it) {
            Some(first) if first.stored.text != line.text => {
                let text = "This request id was used for another request; choose a new one.";
                Err(Failure::new(ErrorReason::RequestIdReused, text))
            }
            first => Ok(first),
        }
    }

    async fn heads(&self, game_id: &str) -> Result<(Option<Record>, ChatHeads)> {
        let Some(found) = self.store.record(HEADS, game_id).await? else {
            return Ok(Default::default());
        };
        let heads = found.message()?;
        Ok((Some(found), heads))
    }

    /// Returns up to `limit` lines after a number, oldest first.
    async fn lines(
        &self,
        game_id: &str,
        channel: ChatChannel,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Line>> {
        let key = channel_key(game_id, channel);
        let query = RecordQuery {
            space: LINE.to_owned(),
            after: (key.clone(), line_id(&key, after)),
            until: Some(key),
            limit,
        };
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        let mut lines = Vec::new();
        for record in self.store.records(query).await? {
            let stored: StoredChatLine = record.message()?;
            if !names.contains_key(&stored.player_id) {
                let found = self.accounts.find_named(&stored.player_id).await?;
                let name = found.map(|account| account.name).unwrap_or_default();
                names.insert(stored.player_id.clone(), name);
            }
            let number = record.id.rsplit('/').next().and_then(|number| number.parse().ok());
            let (number, name) = (number.unwrap_or(0), names[&stored.player_id].clone());
            lines.push(Line { channel, number, stored, name });
        }
        Ok(lines)
    }

    /// Returns the lines before a number, newest first, or the newest lines. Also returns the number
    /// before which the next page ends, unless this is the last page.
    pub(crate) async fn page(
        &self,
        game_id: &str,
        channel: ChatChannel,
        before: Option<u64>,
        size: usize,
    ) -> Result<(Vec<Arc<Line>>, Option<u64>)> {
        let last = last_of(&self.heads(game_id).await?.1, channel);
        let before = before.map_or(last + 1, |before| before.min(last + 1));
        let after = before.saturating_sub(size as u64 + 1);
        let mut lines = self.lines(game_id, channel, after, size).await?;
        lines.retain(|line| line.number < before);
        lines.reverse();
        let has_older = after > last.saturating_sub(LINES_KEPT);
        Ok((lines.into_iter().map(Arc::new).collect(), has_older.then_some(after + 1)))
    }

    /// Returns the lines around a number, oldest first.
    pub(crate) async fn around(
        &self,
        game_id: &str,
        channel: ChatChannel,
        number: u64,
        distance: u64,
    ) -> Result<Vec<Line>> {
        let after = number.saturating_sub(distance + 1);
        let mut lines = self.lines(game_id, channel, after, distance as usize * 2 + 1).await?;
        lines.retain(|line| line.number <= number + distance);
        Ok(lines)
    }

    /// Removes the text of a line for all readers.
    pub(crate) async fn remove_text(
        &self,
        game_id: &str,
        channel: ChatChannel,
        number: u64,
    ) -> Result<()> {
        let id = line_id(&channel_key(game_id, channel), number);
        loop {
            // Newer lines may have replaced it.
            let Some(found) = self.store.record(LINE, &id).await? else { return Ok(()) };
            let stored: StoredChatLine = found.message()?;
            let bare = StoredChatLine { text: String::new(), ..stored };
            match self.store.change_records(vec![found.with_body(bare.encode_to_vec())]).await {
                Err(StoreError::LostRace { .. }) => {}
                changed => return Ok(changed?),
            }
        }
    }

    /// Returns the lines as an account sees them now, given its muted players and seats.
    pub(crate) fn shown(
        table: &Table,
        game_id: &str,
        player_id: &str,
        muted: &HashSet<String>,
        lines: Vec<Arc<Line>>,
    ) -> Shown {
        let place = table.chat_place(player_id);
        let mut shown = Shown::default();
        if !table.knows(player_id, "") {
            return shown;
        }
        for line in lines {
            let stored = &line.stored;
            if !table.can_read_chat(place, line.channel) {
                continue;
            }
            if stored.player_id != player_id
                && table.is_chat_held(place, SeatSet::from_bits(stored.held))
            {
                shown.held.push(line);
                continue;
            }
            let is_muted = |seat: Option<u32>, is_hidden: bool| {
                seat.is_some_and(|seat| muted.contains(&seat_key(game_id, seat)))
                    || (!is_hidden && muted.contains(&stored.player_id))
            };
            let seat = seat_of(table, stored);
            let is_hidden = seat.is_some() && table.hides_players();
            if !is_muted(seat, is_hidden) {
                shown.lines.push(line.message(table, seat, is_hidden));
            }
        }
        shown
    }

    /// Returns the games in which an account has written, after the game `after`, in pages.
    pub(crate) async fn games_of(&self, player_id: &str, after: &str) -> Result<Vec<String>> {
        let query = RecordQuery {
            space: AUTHOR.to_owned(),
            after: (player_id.to_owned(), format!("{player_id} {after}")),
            until: Some(player_id.to_owned()),
            limit: GAMES_AT_ONCE,
        };
        let found = self.store.records(query).await?.into_iter();
        Ok(found.filter_map(|record| Some(record.id.split_once(' ')?.1.to_owned())).collect())
    }

    /// Returns the kept lines that an account wrote in a game, oldest first.
    pub(crate) async fn lines_by(&self, player_id: &str, game_id: &str) -> Result<Vec<Line>> {
        let mut own = Vec::new();
        for channel in CHANNELS {
            let mut after = 0;
            loop {
                let lines = self.lines(game_id, channel, after, PAGE).await?;
                let Some(last) = lines.last() else { break };
                after = last.number;
                own.extend(lines.into_iter().filter(|line| line.stored.player_id == player_id));
            }
        }
        Ok(own)
    }

    /// Removes an account's lines, mutes and silence, and its data in reports. A failed removal can
    /// be repeated.
    pub(crate) async fn forget(&self, player_id: &str) -> Result<()> {
        loop {
            let games = self.games_of(player_id, "").await?;
            if games.is_empty() {
                break;
            }
            for game_id in games {
                self.forget_lines(player_id, &game_id).await?;
            }
        }
        self.forget_in_reports(player_id).await?;
        self.unmute_all(player_id).await?;
        self.end_silence(player_id).await
    }

    async fn forget_lines(&self, player_id: &str, game_id: &str) -> Result<()> {
        for line in self.lines_by(player_id, game_id).await? {
            let id = line_id(&channel_key(game_id, line.channel), line.number);
            // Another engine or a newer line may have removed it.
            if let Some(found) = self.store.record(LINE, &id).await? {
                self.accounts.try_change(vec![found.removed()]).await?;
            }
        }
        let author = self.store.record(AUTHOR, &format!("{player_id} {game_id}")).await?;
        self.accounts.try_change(author.into_iter().map(Record::removed).collect()).await
    }
}

impl Line {
    /// Returns the line as a reader of its table sees it.
    fn message(&self, table: &Table, seat: Option<u32>, is_hidden: bool) -> ChatLine {
        let line = ChatLine { seat, ..self.for_operators() };
        if !is_hidden {
            return line;
        }
        let author = table.seat_name(seat.unwrap_or(0));
        ChatLine { player_id: String::new(), author, ..line }
    }

    /// Returns the line with its author, even if the game hides names.
    pub(crate) fn for_operators(&self) -> ChatLine {
        let stored = &self.stored;
        ChatLine {
            channel: self.channel.into(),
            number: self.number,
            send_time: stored.time,
            seat: Some(stored.seat).filter(|&seat| seat > 0),
            from_game_master: stored.from_game_master,
            player_id: stored.player_id.clone(),
            author: self.name.clone(),
            text: stored.text.clone(),
            removed: stored.text.is_empty(),
        }
    }
}

fn seat_of(table: &Table, stored: &StoredChatLine) -> Option<u32> {
    (stored.seat > 0).then(|| table.author_seat(&stored.player_id, stored.seat))
}

/// Returns a new line of an account in this place.
pub(crate) fn new_line(
    player_id: &str,
    place: ChatPlace,
    channel: ChatChannel,
    held: SeatSet,
    now: Millis,
) -> StoredChatLine {
    let at_table = channel == ChatChannel::Table;
    let seat = match place {
        ChatPlace::Seat(seat) if at_table => seat.number(),
        _ => 0,
    };
    StoredChatLine {
        player_id: player_id.to_owned(),
        seat,
        from_game_master: at_table && place == ChatPlace::GameMaster,
        held: held.bits(),
        time: Some(timestamp(now)),
        ..StoredChatLine::default()
    }
}

fn last_of(heads: &ChatHeads, channel: ChatChannel) -> u64 {
    match channel {
        ChatChannel::Table => heads.table,
        ChatChannel::Spectators => heads.spectators,
        ChatChannel::Unspecified => 0,
    }
}

fn channel_key(game_id: &str, channel: ChatChannel) -> String {
    let channel = if channel == ChatChannel::Table { 't' } else { 's' };
    format!("{game_id}/{channel}")
}

fn line_id(key: &str, number: u64) -> String {
    format!("{key}/{number:010}")
}

#[cfg(test)]
mod tests {
    use heliopause_proto::v1::AbuseReport;

    use super::*;
    use crate::Time;
    use crate::accounts::Registration;
    use crate::store::sqlite::SqliteStore;
    use crate::store::{Account, TokenRow};

    fn chat(store: &Arc<dyn Store>) -> Arc<Chat> {
        chat_at(store, Time::default())
    }

    fn chat_at(store: &Arc<dyn Store>, time: Time) -> Arc<Chat> {
        let accounts = Accounts::new(Arc::clone(store), Registration::Open, 1, time.clone());
        let ratings = Arc::new(Ratings::new(Arc::clone(store), time));
        Arc::new(Chat::new(Arc::clone(store), Arc::new(accounts), ratings))
    }

    async fn count(store: &dyn Store, space: &str) -> usize {
        let query = RecordQuery { limit: 10_000, space: space.to_owned(), ..Default::default() };
        store.records(query).await.unwrap().len()
    }

    #[tokio::test]
    async fn a_channel_keeps_its_latest_lines_and_pages_lead_to_all_of_them() {
        let store: Arc<dyn Store> = Arc::new(SqliteStore::in_memory());
        let chat = chat(&store);
        let written = LINES_KEPT + 7;
        for player in 0..=written / 20 {
            let player_id = format!("p-{player}");
            let (token_id, name) = (format!("t-{player}"), "first".to_owned());
            let (hash, created) = ([player as u8; 32], 1);
            let account = Account::new(player_id.clone(), &format!("Player {player}"), 1, 1);
            let token = TokenRow { token_id, player_id, name, hash, created };
            store.open_account(account, token).await.unwrap();
        }
        for number in 1..=written {
            // Few lines of each account, because accounts are limited.
            let player_id = format!("p-{}", number / 20);
            let text = format!("line {number}");
            let line = StoredChatLine { player_id, text, ..StoredChatLine::default() };
            let channel = if number == 3 { ChatChannel::Spectators } else { ChatChannel::Table };
            chat.write("g", channel, line, "Ann").await.unwrap();
        }
        assert_eq!(count(&*store, LINE).await, LINES_KEPT as usize + 1);
        let (mut before, mut seen) = (None, Vec::new());
        loop {
            let (lines, next) = chat.page("g", ChatChannel::Table, before, 60).await.unwrap();
            seen.extend(lines.iter().map(|line| line.number));
            assert!(seen.len() <= LINES_KEPT as usize);
            before = next;
            if before.is_none() {
                break;
            }
        }
        let last = written - 1;
        assert_eq!(seen, (last - LINES_KEPT + 1..=last).rev().collect::<Vec<_>>());
        let around = chat.around("g", ChatChannel::Table, last - 1, 5).await.unwrap();
        assert_eq!(around.len(), 7, "five before, and one after");

        chat.remove_text("g", ChatChannel::Table, last).await.unwrap();
        let (lines, _) = chat.page("g", ChatChannel::Table, None, 1).await.unwrap();
        assert!(lines[0].for_operators().removed && lines[0].stored.text.is_empty());
        for player in 0..=written / 20 {
            chat.forget(&format!("p-{player}")).await.unwrap();
        }
        assert_eq!((count(&*store, LINE).await, count(&*store, AUTHOR).await), (0, 0));
        assert_eq!(chat.page("g", ChatChannel::Table, None, 9).await.unwrap().0.len(), 0);

        // A call may pass the gate before its account is erased, and write after that.
        chat.accounts.erase("p-0").await.unwrap();
        let line = StoredChatLine { player_id: "p-0".into(), ..StoredChatLine::default() };
        chat.write("g", ChatChannel::Table, line, "Ann").await.unwrap_err();
        assert_eq!((count(&*store, LINE).await, count(&*store, AUTHOR).await), (0, 0));
    }

    #[tokio::test]
    async fn a_silence_ends_by_itself() {
        let store: Arc<dyn Store> = Arc::new(SqliteStore::in_memory());
        let chat = chat(&store);
        chat.silence("p", 60_000, "spam").await.unwrap();
        let refused = chat.check_may_write("p").await.unwrap_err();
        assert_eq!(refused.reason(), ErrorReason::Silenced);
        chat.silence("p", -1, "").await.unwrap();
        chat.check_may_write("p").await.expect("the time is over");
        chat.silence("q", 60_000, "").await.unwrap();
        assert_eq!(count(&*store, "silence").await, 1, "expired ones are removed");
    }

    #[tokio::test]
    async fn resolved_reports_are_listed_newest_first() {
        let store: Arc<dyn Store> = Arc::new(SqliteStore::in_memory());
        let chat = chat(&store);
        for what in ["a", "b", "c"] {
            let report = AbuseReport {
                reporter_id: "p".to_owned(),
                text: what.to_owned(),
                ..AbuseReport::default()
            };
            chat.report(what, report.clone()).await.unwrap();
            chat.report(what, report).await.expect("a repeated report has no effect");
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        let listed = async |resolved| {
            let found = chat.reports(resolved, None, 9).await.unwrap();
            found.into_iter().map(|(_, report)| report).collect::<Vec<_>>()
        };
        let open = listed(false).await;
        let texts = |reports: &[AbuseReport]| {
            reports.iter().map(|report| report.text.clone()).collect::<Vec<_>>()
        };
        assert_eq!(texts(&open), ["a", "b", "c"]);
        for report in &open[..2] {
            chat.resolve(&report.report_id, "admin", "", true).await.unwrap();
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        assert_eq!(texts(&listed(true).await), ["b", "a"]);
        assert_eq!(texts(&listed(false).await), ["c"]);
    }

    #[tokio::test]
    async fn old_reports_are_forgotten() {
        use std::sync::atomic::{AtomicI64, Ordering};

        const DAY: Millis = 24 * 60 * 60 * 1_000;
        let store: Arc<dyn Store> = Arc::new(SqliteStore::in_memory());
        let clock = Arc::new(AtomicI64::new(20_000 * DAY));
        let shows = Arc::clone(&clock);
        let chat = chat_at(&store, Time::of(move || shows.load(Ordering::Relaxed)));
        for number in 0..50 {
            let report =
                AbuseReport { reporter_id: format!("p-{}", number / 10), ..AbuseReport::default() };
            chat.report(&number.to_string(), report).await.unwrap();
        }
        let open = chat.reports(false, None, 25).await.unwrap();
        for (_, report) in open {
            chat.resolve(&report.report_id, "admin", "", false).await.unwrap();
        }
        for (days, expected) in [(89, 50), (2, 25), (274, 25), (2, 0)] {
            clock.fetch_add(days * DAY, Ordering::Relaxed);
            chat.forget_old_reports().await.unwrap();
            assert_eq!(count(&*store, "abuse-report").await, expected);
        }
    }

    #[tokio::test]
    async fn a_deleted_account_leaves_no_data_in_reports() {
        let store: Arc<dyn Store> = Arc::new(SqliteStore::in_memory());
        let chat = chat(&store);
        let line = |player_id: &str, author: &str, text: &str| ChatLine {
            player_id: player_id.to_owned(),
            author: author.to_owned(),
            text: text.to_owned(),
            ..ChatLine::default()
        };
        let of_line = AbuseReport {
            reporter_id: "p".to_owned(),
            player_id: "q".to_owned(),
            comment: "I am Ann".to_owned(),
            game_id: "g".to_owned(),
            text: "you fool".to_owned(),
            context: vec![line("p", "Ann", "hello"), line("q", "Bob", "you fool")],
            ..AbuseReport::default()
        };
        let of_name = AbuseReport {
            reporter_id: "q".to_owned(),
            player_id: "p".to_owned(),
            comment: "a bad name".to_owned(),
            text: "Ann".to_owned(),
            ..AbuseReport::default()
        };
        chat.report("line", of_line).await.unwrap();
        chat.report("name", of_name).await.unwrap();
        let own = chat.reports_by("p").await.unwrap();
        assert_eq!((own.len(), own[0].comment.as_str()), (1, "I am Ann"));
        assert!(own[0].context.is_empty() && own[0].player_id.is_empty(), "{own:?}");

        chat.forget("p").await.unwrap();
        let left = chat.reports(false, None, 9).await.unwrap();
        let left = |reporter: &str| {
            let of = left.iter().find(|(_, report)| report.reporter_id == reporter);
            of.expect("the report stays").1.clone()
        };
        let (of_line, of_name) = (left("p"), left("q"));
        assert_eq!((of_line.comment.as_str(), of_line.text.as_str()), ("", "you fool"));
        assert_eq!(
            of_line.context,
            [ChatLine { removed: true, ..line("p", "", "") }, line("q", "Bob", "you fool")]
        );
        assert_eq!((of_name.comment.as_str(), of_name.text.as_str()), ("a bad name", ""));
    }
}
