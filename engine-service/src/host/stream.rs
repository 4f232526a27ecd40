//! Event streams: first from the journal and then live, without gaps or duplicates.

use std::cmp::Ordering;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use heliopause_kernel::Viewer;
use heliopause_proto::store::v1::Entry;
use heliopause_proto::v1::stream_events_response::Part;
use heliopause_proto::v1::{
    Audience, CaughtUp, Cursor, ErrorReason, FellBehind, GameStatus, Heartbeat, Snapshot, audience,
};
use heliopause_table::table::audience_of;
use heliopause_table::{Fault, Reader, Subscriber, Table};
use prost::Message as _;
use prost_types::Timestamp;
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::time::{Instant, Sleep};

use super::activity::ActiveStream;
use super::live::{Live, end_of};
use super::published::{self, Published, encoded};
use super::{Host, RARE, Result, live, loading};
use crate::background::in_own_task;
use crate::failure::draining;

const HEARTBEAT: Duration = Duration::from_secs(20);
/// The page size while catching up. A thousand slow readers may each keep a page in memory.
const PAGE: usize = 64;
const PAGE_BYTES: usize = 64 << 10;

#[derive(Clone, Debug)]
pub struct EventStreamStart {
    pub game_id: String,
    pub player_id: String,
    pub seat: Option<u32>,
    pub as_spectator: bool,
    /// The last event that the subscriber has, or `None` to start at the current state.
    pub after: Option<Cursor>,
    /// Whether the subscriber is a person. A person's open stream counts as activity.
    pub is_person: bool,
}

/// The events of an audience as a stream of messages.
///
/// **Invariant.** The stream waits for shared resources (a table's lock, a database connection, a
/// game being loaded) only in a separate task. The stream is no longer polled when its reader stops
/// reading, which may happen at any moment.
pub struct EventStream {
    host: Arc<Host>,
    live: Arc<Live>,
    start: EventStreamStart,
    reader: Subscriber,
    receiver: broadcast::Receiver<Arc<Published>>,
    sent: u64,
    entry: u64,
    /// Messages ready to send, in reverse order.
    ready: Vec<Bytes>,
    mode: Mode,
    draining: Pin<Box<dyn Future<Output = ()> + Send + Sync>>,
    /// The timer of the next check for a heartbeat. Resetting the timer at every message would cost
    /// too much.
    alarm: Pin<Box<Sleep>>,
    last_sent: Instant,
    _open: Arc<()>,
    _watch: Option<ActiveStream>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Reading the journal. If `caught_up`, the subscriber must receive `CaughtUp` afterwards.
    Journal {
        until: u64,
        caught_up: bool,
    },
    Live,
    Over,
}

impl EventStream {
    pub(crate) async fn open(
        host: Arc<Host>,
        live: Arc<Live>,
        start: EventStreamStart,
    ) -> Result<Self> {
        let table = live.read().await?;
        let viewer = table.viewer(&start.player_id, start.seat, start.as_spectator)?;
        // Subscribe while the table is locked, so that no entry is lost.
        let receiver = live.subscribe();
        let reader = table.subscriber(viewer);
        let head = table.cursor(viewer);
        let opening = opening(&host, &table, viewer, &start.player_id);
        let last = table.entry();
        drop(table);
        let (sent, entry, ready, mode) = match &start.after {
            None => {
                let caught_up = Part::CaughtUp(CaughtUp { cursor: Some(head) });
                (
                    head.number,
                    last,
                    vec![encoded(caught_up), encoded(Part::Snapshot(opening))],
                    Mode::Live,
                )
            }
            Some(after) => {
                check_cursor(&reader.cursor_of_seat(after), &head)?;
                let entry =
                    last_entry_read(&host, &start.game_id, &reader, after, &head, last).await?;
                (
                    after.number,
                    entry,
                    vec![encoded(Part::Snapshot(opening))],
                    Mode::Journal { until: last, caught_up: true },
                )
            }
        };
        let (mut drain, open) = (host.draining.subscribe(), host.streams.clone());
        // The host owns the sender, so the wait can end only because of the flag.
        let draining = Box::pin(async move { drop(drain.wait_for(|&draining| draining).await) });
        let watch = start.is_person.then(|| host.activity.watch(&start.game_id));
        let (alarm, last_sent) = (Box::pin(tokio::time::sleep(HEARTBEAT)), Instant::now());
        Ok(Self {
            host,
            live,
            start,
            reader,
            receiver,
            sent,
            entry,
            ready,
            mode,
            draining,
            alarm,
            last_sent,
            _open: open,
            _watch: watch,
        })
    }

    /// Returns whether a player gets the spectator's view only because the player has no seat.
    pub(super) fn is_seatless(&self) -> bool {
        self.reader.viewer() == Viewer::Spectator && !self.start.as_spectator
    }

    /// Returns the next messages, or `None` when the stream has ended. Each message is a
    /// `StreamEventsResponse` with its gRPC prefix. Cancel safe.
    pub async fn next(&mut self) -> Option<Result<Bytes>> {
        loop {
            if let Some(messages) = self.ready.pop() {
                self.last_sent = Instant::now();
                return Some(Ok(messages));
            }
            let done = match self.mode {
                Mode::Over => return None,
                // The journal may no longer contain the entries that were received.
                mode if self.live.is_history_lost() => {
                    let caught_up = matches!(mode, Mode::Journal { caught_up: true, .. });
                    self.reopen(caught_up).await
                }
                Mode::Journal { until, caught_up } => self.read_journal(until, caught_up).await,
                Mode::Live => self.receive().await,
            };
            if let Err(fault) = done {
                self.mode = Mode::Over;
                return Some(Err(fault));
            }
        }
    }

    async fn read_journal(&mut self, until: u64, caught_up: bool) -> Result<()> {
        if self.entry >= until {
            let told = caught_up
                .then(|| encoded(Part::CaughtUp(CaughtUp { cursor: Some(self.cursor()) })));
            self.ready.extend(told);
            self.mode = Mode::Live;
            return Ok(());
        }
        let (store, game_id, after) =
            (Arc::clone(&self.host.store), self.start.game_id.clone(), self.entry);
        let page =
            in_own_task(async move { store.entries(&game_id, after, PAGE, PAGE_BYTES).await })
                .await;
        let page = page?;
        if page.is_empty() {
            return Err(cursor_lost(self.reader.viewer(), None));
        }
        let mut parts = Vec::with_capacity(page.len());
        for stored in page {
            let entry = Entry::decode(stored).map_err(|_| loading::unreadable())?;
            // Some events of the first entry may have been sent before.
            let told = published::told(&entry, &self.reader, self.sent);
            self.sent = self.sent.max(told.last);
            self.entry = entry.number;
            if !told.messages.is_empty() {
                parts.push(told.messages);
            }
        }
        parts.reverse();
        self.ready = parts;
        Ok(())
    }

    async fn receive(&mut self) -> Result<()> {
        let heard = tokio::select! {
            biased;
            heard = self.receiver.recv() => heard,
            () = &mut self.draining => return Err(draining()),
            () = &mut self.alarm => {
                self.send_heartbeat();
                return Ok(());
            }
        };
        match heard {
            Ok(published) => self.publish(&published).await?,
            Err(RecvError::Lagged(_)) => {
                tracing::trace!(target: RARE, "a stream fell behind");
                // The journal has the dropped entries and the newer ones.
                let until = self.live.last();
                self.ready =
                    vec![encoded(Part::FellBehind(FellBehind { cursor: Some(self.cursor()) }))];
                self.resume(until, true).await?;
            }
            Err(RecvError::Closed) => self.reopen(false).await?,
        }
        Ok(())
    }

    /// Continues with the reloaded game, or returns an error if the database has lost entries. If
    /// `caught_up`, the subscriber must receive `CaughtUp` afterwards.
    async fn reopen(&mut self, caught_up: bool) -> Result<()> {
        if *self.host.draining.borrow() {
            return Err(draining());
        }
        tracing::trace!(target: RARE, "a stream continued with its game after a reload");
        self.host.forget(&self.live);
        let (host, game_id) = (Arc::clone(&self.host), self.start.game_id.clone());
        let (known, viewer) = (self.live.end(), self.reader.viewer());
        let was_lost = self.live.is_history_lost();
        let loaded = in_own_task(async move {
            let live = host.live_current(&game_id).await?;
            let table = live.read().await?;
            // Subscribe while the table is locked, as in `open`.
            let (receiver, end) = (live.subscribe(), end_of(&table));
            let told = table.event_count(viewer);
            drop(table);
            let is_lost = known.is_lost(end)
                || (known.last < end.last
                    && !host.is_continued(&game_id, known).await.unwrap_or(!was_lost));
            Ok::<_, Fault>((live, receiver, end.last, told, is_lost))
        });
        let (until, told, is_lost);
        (self.live, self.receiver, until, told, is_lost) = match loaded.await {
            Err(fault) if was_lost && fault.reason != ErrorReason::GameNotFound => {
                return Err(cursor_lost(self.reader.viewer(), None));
            }
            loaded => loaded?,
        };
        if is_lost {
            return Err(cursor_lost(self.reader.viewer(), Some(told)));
        }
        self.resume(until, caught_up).await
    }

    async fn resume(&mut self, until: u64, caught_up: bool) -> Result<()> {
        if !self.follow_seat().await? {
            self.mode = Mode::Journal { until, caught_up };
        }
        Ok(())
    }

    fn send_heartbeat(&mut self) {
        let now = Instant::now();
        if now.duration_since(self.last_sent) >= HEARTBEAT {
            self.ready = vec![encoded(Part::Heartbeat(Heartbeat {
                time: Some(timestamp(self.host.now())),
            }))];
            self.last_sent = now;
        }
        let due = self.last_sent + HEARTBEAT;
        self.alarm.as_mut().reset(due);
    }

    async fn publish(&mut self, published: &Published) -> Result<()> {
        match published.number.cmp(&(self.entry + 1)) {
            // The entry was already read from the table or the journal.
            Ordering::Less => return Ok(()),
            // Earlier entries were missed, so read them from the journal.
            Ordering::Greater => {
                tracing::trace!(target: RARE, "a stream went back to the journal over a gap");
                return self.resume(published.number, false).await;
            }
            Ordering::Equal => {}
        }
        let mine = |viewer| matches!(viewer, Viewer::Seat(seat) if published.seats_changed.contains(&seat));
        if mine(self.reader.viewer()) && self.follow_seat().await? {
            return Ok(());
        }
        let Some(told) = published.told(self.reader.viewer()) else {
            self.mode = Mode::Journal { until: published.number, caught_up: false };
            return Ok(());
        };
        debug_assert!(told.last >= self.sent, "no event of a received entry was sent before");
        self.sent = told.last;
        self.entry = published.number;
        if !told.messages.is_empty() {
            self.ready.push(told.messages.clone());
        }
        Ok(())
    }

    /// Returns an error for a player who has been replaced. If the drawing of lots has moved the
    /// player to another seat, continues the stream for that seat and returns `true`. Otherwise
    /// returns `false`.
    async fn follow_seat(&mut self) -> Result<bool> {
        let (host, live) = (Arc::clone(&self.host), Arc::clone(&self.live));
        let (mut start, before) = (self.start.clone(), self.reader.drawn());
        let found = in_own_task(async move {
            let table = live.read().await?;
            let reader = table.subscriber(Viewer::Spectator);
            let was_drawn = before.is_none() && reader.drawn().is_some();
            if was_drawn {
                start.seat = start.seat.map(|place| reader.seat_of(place));
            }
            let viewer = table.viewer(&start.player_id, start.seat, start.as_spectator).ok();
            let moved = viewer.filter(|_| was_drawn).map(|viewer| {
                let opening = opening(&host, &table, viewer, &start.player_id);
                (table.subscriber(viewer), start.seat, opening, table.entry())
            });
            Ok::<_, Fault>((viewer, moved))
        });
        let (viewer, moved) = found.await?;
        if let Some((reader, seat, opening, until)) = moved {
            (self.reader, self.start.seat) = (reader, seat);
            self.ready.insert(0, encoded(Part::Snapshot(opening)));
            self.mode = Mode::Journal { until, caught_up: true };
            return Ok(true);
        }
        if viewer == Some(self.reader.viewer()) {
            return Ok(false);
        }
        Err(Fault::new(ErrorReason::NotYourSeat, "You no longer have this seat."))
    }

    fn cursor(&self) -> Cursor {
        let audience = Some(audience_of(self.reader.viewer()));
        Cursor { audience, number: self.sent, time: None }
    }
}

/// Creates the error for a cursor whose event the database has lost. `told` is the number of the
/// audience's remaining events, if known.
fn cursor_lost(viewer: Viewer, told: Option<u64>) -> Fault {
    let text = "The database was reset to an earlier state of this game, so published events may \
        be void. Start again from the current view.";
    let fault = Fault::new(ErrorReason::CursorInvalid, text)
        .with("audience", audience_name(audience_of(viewer)));
    match told {
        Some(told) => fault.with("next", told.saturating_add(1)),
        None => fault,
    }
}

fn opening(host: &Host, table: &Table, viewer: Viewer, player_id: &str) -> Snapshot {
    let (view, goals) = table.view_and_goals(viewer).unzip();
    Snapshot {
        game: Some(host.describe(table, player_id)),
        goals: goals.unwrap_or_default(),
        view,
        cursor: Some(table.cursor(viewer)),
        decision: decision(table, viewer),
    }
}

fn decision(table: &Table, viewer: Viewer) -> Option<heliopause_proto::v1::Decision> {
    match viewer {
        Viewer::Seat(seat) if table.status() == GameStatus::Running => {
            table.decision_state(seat).decision
        }
        _ => None,
    }
}

fn audience_name(audience: Audience) -> String {
    match audience.kind {
        Some(audience::Kind::Seat(seat)) => format!("seat {seat}"),
        Some(audience::Kind::Spectators(_)) => "spectators".to_owned(),
        Some(audience::Kind::GameMaster(_)) => "game master".to_owned(),
        None => String::new(),
    }
}

/// Rejects a cursor outside of an audience's events. `head` is the cursor of the audience's last
/// event.
pub(crate) fn check_cursor(after: &Cursor, head: &Cursor) -> Result<()> {
    let fault = |text: String| {
        let fault = Fault::new(ErrorReason::CursorInvalid, text);
        let audience = head.audience.map_or_else(String::new, audience_name);
        Err(Fault { field: Some("after".to_owned()), ..fault }
            .with("audience", audience)
            .with("next", head.number.saturating_add(1)))
    };
    if after.audience.is_some() && after.number > 0 && after.audience != head.audience {
        let [of, wanted] = [after.audience, head.audience]
            .map(|audience| audience.map_or_else(String::new, audience_name));
        return fault(format!(
            "The cursor belongs to the audience {of:?}, not {wanted:?}; start again from the first \
             event."
        ));
    }
    if after.number > head.number {
        return fault(format!(
            "The cursor names event {}, but the last event is {}; start again from the first \
             event.",
            after.number, head.number
        ));
    }
    Ok(())
}

/// Returns the last entry that a reader has received completely, or an earlier one. Fails if the
/// database has lost the cursor's last event: the event with its number then has another time.
pub(crate) async fn last_entry_read(
    host: &Host,
    game_id: &str,
    reader: &Subscriber,
    after: &Cursor,
    head: &Cursor,
    last: u64,
) -> Result<u64> {
    if after.time.is_none() || after.number == 0 {
        return entry_before(host, game_id, reader, after.number, last).await;
    }
    let before = entry_before(host, game_id, reader, after.number - 1, last).await?;
    if host.entry(game_id, before + 1).await?.time == after.time {
        Ok(before)
    } else {
        Err(cursor_lost(reader.viewer(), Some(head.number)))
    }
}

/// Returns the last entry up to which an audience has at most `number` events.
pub(crate) async fn entry_before(
    host: &Host,
    game_id: &str,
    reader: &Subscriber,
    number: u64,
    last: u64,
) -> Result<u64> {
    let mut search = Search::new(last);
    while let Some((after, count)) = search.next() {
        let entries = loading::stored_entries(host, game_id, after, count).await?;
        if entries.is_empty() {
            return Err(live::history_lost());
        }
        for entry in entries {
            search.seen(entry.number, reader.event_count_before(&entry) <= number);
        }
    }
    // The entry found may contain later events, so return the previous one.
    Ok(search.low.saturating_sub(1))
}

/// A binary search for the last entry that begins at or before an event number. Most numbers are
/// near the end, so the search starts there and moves back in growing steps.
struct Search {
    /// An entry that begins at or before the number, or 0 for the start of the journal.
    low: u64,
    /// The last entry that may begin at or before the number.
    high: u64,
    last: u64,
    stride: u64,
}

impl Search {
    /// The maximum number of remaining entries that are read together.
    const NEAR: u64 = 32;

    fn new(last: u64) -> Self {
        Self { low: 0, high: last, last, stride: Self::NEAR }
    }

    /// Returns the number before the first entry to read, and how many entries to read. Returns
    /// `None` at the end of the search.
    fn next(&mut self) -> Option<(u64, usize)> {
        let open = self.high - self.low;
        if open == 0 {
            return None;
        }
        if open <= Self::NEAR {
            return Some((self.low, open as usize));
        }
        let middle = (self.low + open.div_ceil(2)).max(self.last.saturating_sub(self.stride));
        self.stride = self.stride.saturating_mul(Self::NEAR);
        Some((middle - 1, 1))
    }

    fn seen(&mut self, entry: u64, begins_before: bool) {
        if begins_before {
            self.low = self.low.max(entry);
        } else {
            self.high = self.high.min(entry - 1);
        }
    }
}

/// Converts milliseconds since the Unix epoch to a protobuf timestamp.
pub fn timestamp(time: i64) -> Timestamp {
    Timestamp { seconds: time.div_euclid(1000), nanos: (time.rem_euclid(1000) * 1_000_000) as i32 }
}

pub(super) fn length(length: Duration) -> prost_types::Duration {
    prost_types::Duration { seconds: length.as_secs() as i64, nanos: length.subsec_nanos() as i32 }
}

impl Host {
    /// Describes a game for a player, including whether the game waits for automation.
    pub fn describe(&self, table: &Table, player_id: &str) -> heliopause_proto::v1::Game {
        let mut game = table.describe(Reader { player_id });
        game.waits_for_automation = self.automation.lease_table().is_missing(&game.game_id);
        game
    }
}

#[cfg(test)]
mod tests {
    use super::Search;

    fn search(last: u64, sought: u64, page: usize) -> (u32, u64) {
        let (mut search, mut reads) = (Search::new(last), 0);
        while let Some((after, count)) = search.next() {
            reads += 1;
            for entry in after + 1..=after + count.min(page) as u64 {
                search.seen(entry, entry <= sought);
            }
        }
        (reads, search.low)
    }

    #[test]
    fn the_search_finds_any_entry() {
        for last in [0, 1, 2, 31, 32, 33, 34, 65, 1_000, 2_347] {
            for sought in 0..=last {
                for page in [1, 7, 100] {
                    assert_eq!(search(last, sought, page).1, sought, "of {last}, {page} at once");
                }
            }
        }
    }

    #[test]
    fn entries_near_the_end_are_found_with_few_reads() {
        for sought in 99_970..=100_000 {
            assert_eq!(search(100_000, sought, 100), (2, sought));
        }
        assert!(search(100_000, 99_500, 100).0 <= 8);
        assert!(search(u64::MAX, 5, 100).0 < 100, "strides do not overflow");
    }
}
