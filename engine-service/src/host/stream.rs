//! Following the events of one audience: from the journal first, then live, without a gap or a
//! duplicate.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use heliopause_kernel::Viewer;
use heliopause_proto::store::v1::Entry;
use heliopause_proto::v1::stream_events_response::Part;
use heliopause_proto::v1::{
    Audience, CaughtUp, Cursor, ErrorReason, FellBehind, GameStatus, Heartbeat, Opening, audience,
};
use heliopause_table::rehearsal::{Planted, mark, on};
use heliopause_table::table::audience_of;
use heliopause_table::{Fault, Reader, Subscriber, Table};
use prost::Message as _;
use prost_types::Timestamp;
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::time::{Instant, Sleep};

use super::live::{Live, end_of};
use super::looks::Watch;
use super::published::{self, Published, encoded};
use super::turn::Turn;
use super::{Host, live, store_fault};
use crate::lasting::apart;

/// A sign of life comes at least this often.
const HEARTBEAT: Duration = Duration::from_secs(20);
/// How much of the journal to read at once while catching up. Small, because a thousand readers may
/// be slow at once.
const PAGE: usize = 64;
const PAGE_BYTES: usize = 64 << 10;

/// Who follows what, and from where.
#[derive(Clone, Debug)]
pub struct FeedStart {
    pub game_id: String,
    /// The player who follows.
    pub player_id: String,
    /// The seat to follow as; `None` for their own, or a spectator's.
    pub seat: Option<u32>,
    /// Follow as a spectator in any case.
    pub as_spectator: bool,
    /// The last event that they have; `None` begins now.
    pub after: Option<Cursor>,
    /// Whether this is a person, who looks at the game as long as they follow it.
    pub is_person: bool,
}

/// The events of one audience, one part after the other.
///
/// **Invariant.** Its reader may stop reading at any moment, and then nobody polls it. So it waits
/// in a task of its own for shared things (a table's lock, a connection to the store, a game that
/// is loaded).
pub struct Feed {
    host: Arc<Host>,
    live: Arc<Live>,
    start: FeedStart,
    reader: Subscriber,
    receiver: broadcast::Receiver<Arc<Published>>,
    /// The last event that was sent.
    sent: u64,
    /// The last entry whose events were sent.
    entry: u64,
    /// Messages that are ready, the next ones last.
    ready: Vec<Bytes>,
    mode: Mode,
    /// Resolves when the server drains.
    draining: Pin<Box<dyn Future<Output = ()> + Send + Sync>>,
    /// When to check whether a sign of life is due. A message does not reset it: that would cost
    /// more than the message.
    alarm: Pin<Box<Sleep>>,
    last_sent: Instant,
    /// Counts this stream among the open ones while it lives.
    _open: Arc<()>,
    /// And among those of people.
    _watch: Option<Watch>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Reading the journal, which was complete up to this entry when the reading began. A reader
    /// who came late or fell behind is told when they have caught up.
    Journal { until: u64, caught_up: bool },
    /// Hearing of entries as they are made.
    Live,
    /// The right to see what this viewer sees is gone, or the server drains.
    Over,
}

impl Feed {
    pub(crate) async fn open(
        host: Arc<Host>,
        live: Arc<Live>,
        start: FeedStart,
    ) -> Result<Self, Fault> {
        let table = live.read().await?;
        let viewer = table.viewer(&start.player_id, start.seat, start.as_spectator)?;
        // Subscribed while the table is locked: no entry can come between the state and what is
        // heard from now on.
        let mut receiver = live.subscribe();
        let reader = table.subscriber(viewer);
        let head = table.cursor(viewer);
        let opening = opening(&host, &table, viewer, &start.player_id);
        let last = table.entry();
        drop(table);
        if on(Planted::ListensLate) {
            tokio::time::sleep(Duration::from_millis(300)).await;
            receiver = live.subscribe();
        }
        let (sent, entry, ready, mode) = match &start.after {
            None => {
                let caught_up = Part::CaughtUp(CaughtUp { cursor: Some(head) });
                (
                    head.number,
                    last,
                    vec![encoded(caught_up), encoded(Part::Opening(opening))],
                    Mode::Live,
                )
            }
            Some(after) => {
                check_cursor(&reader.renewed(after), &head)?;
                let entry = place_of(&host, &start.game_id, &reader, after, &head, last).await?;
                (
                    after.number,
                    entry,
                    vec![encoded(Part::Opening(opening))],
                    Mode::Journal { until: last, caught_up: true },
                )
            }
        };
        let (mut drain, open) = (host.draining.subscribe(), host.streams.clone());
        // The sender lives in the host, so this can only end by the flag.
        let draining = Box::pin(async move { drop(drain.wait_for(|&draining| draining).await) });
        let watch = start.is_person.then(|| host.looks.watch(&start.game_id));
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

    /// Whether a player watches who asked for what they may see, and has no seat.
    pub(super) fn is_for_want_of_a_seat(&self) -> bool {
        self.reader.viewer() == Viewer::Spectator && !self.start.as_spectator
    }

    /// The next messages, each a `StreamEventsResponse` with its gRPC prefix; `None` when the
    /// stream is over. May be dropped while it waits.
    pub async fn next(&mut self) -> Option<Result<Bytes, Fault>> {
        loop {
            if let Some(messages) = self.ready.pop() {
                self.last_sent = Instant::now();
                return Some(Ok(messages));
            }
            let done = match self.mode {
                Mode::Over => return None,
                // The journal may go on otherwise than what was heard.
                mode if self.live.is_history_lost() => {
                    let caught_up = matches!(mode, Mode::Journal { caught_up: true, .. });
                    self.come_back(caught_up).await
                }
                Mode::Journal { until, caught_up } => self.read_journal(until, caught_up).await,
                Mode::Live => self.hear().await,
            };
            if let Err(fault) = done {
                self.mode = Mode::Over;
                return Some(Err(fault));
            }
        }
    }

    async fn read_journal(&mut self, until: u64, caught_up: bool) -> Result<(), Fault> {
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
            apart(async move { store.entries(&game_id, after, PAGE, PAGE_BYTES).await }).await;
        let page = page.map_err(store_fault)?;
        if page.is_empty() {
            return Err(went_back(self.reader.viewer(), None));
        }
        let mut parts = Vec::with_capacity(page.len());
        for stored in page {
            let entry = Entry::decode(stored).map_err(|_| live::unreadable())?;
            // The first entry may have been told in part.
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

    async fn hear(&mut self) -> Result<(), Fault> {
        let heard = tokio::select! {
            biased;
            heard = self.receiver.recv() => heard,
            () = &mut self.draining => return Err(draining()),
            () = &mut self.alarm => {
                self.give_sign_of_life();
                return Ok(());
            }
        };
        match heard {
            Ok(published) => self.publish(&published).await?,
            Err(RecvError::Lagged(_)) if on(Planted::LagNotSeen) => self.entry = self.live.last(),
            Err(RecvError::Lagged(_)) => {
                mark("a stream fell behind");
                // The next live events are newer than the missing ones; the journal has both.
                let until = self.live.last();
                self.ready =
                    vec![encoded(Part::FellBehind(FellBehind { cursor: Some(self.cursor()) }))];
                self.read_on(until, true).await?;
            }
            Err(RecvError::Closed) => self.come_back(false).await?,
        }
        Ok(())
    }

    /// The game left memory under this stream. The stream continues with the game as reloaded,
    /// if it is still there. Whoever is still to hear that they caught up hears it after that.
    async fn come_back(&mut self, caught_up: bool) -> Result<(), Fault> {
        if *self.host.draining.borrow() {
            return Err(draining());
        }
        if on(Planted::StreamForgotten) {
            std::future::pending::<()>().await;
        }
        mark("a stream went on with its game as it was loaded anew");
        self.host.forget(&self.live);
        let (host, game_id) = (Arc::clone(&self.host), self.start.game_id.clone());
        let (known, viewer) = (self.live.end(), self.reader.viewer());
        let was_lost = self.live.is_history_lost();
        let loaded = apart(async move {
            let live = host.live_now(&game_id).await?;
            let table = live.read().await?;
            // Subscribed while the table is locked, as at the opening.
            let (receiver, end) = (live.subscribe(), end_of(&table));
            let told = table.told(viewer);
            drop(table);
            // What was taken for lost may be there all the same: then the stream goes on.
            let is_lost = known.is_lost(end)
                || (known.last < end.last
                    && !host.is_continued(&game_id, known).await.unwrap_or(!was_lost));
            Ok::<_, Fault>((live, receiver, end.last, told, is_lost))
        });
        let (until, told, is_lost);
        (self.live, self.receiver, until, told, is_lost) = match loaded.await {
            Err(fault) if was_lost && fault.reason != ErrorReason::GameNotFound => {
                return Err(went_back(self.reader.viewer(), None));
            }
            loaded => loaded?,
        };
        if is_lost && !on(Planted::LostStreamGoesOn) {
            return Err(went_back(self.reader.viewer(), Some(told)));
        }
        self.read_on(until, caught_up).await
    }

    /// Continues with the journal.
    async fn read_on(&mut self, until: u64, caught_up: bool) -> Result<(), Fault> {
        if !self.follow_seat().await? {
            self.mode = Mode::Journal { until, caught_up };
        }
        Ok(())
    }

    /// Sends a heartbeat, unless something else was sent lately.
    fn give_sign_of_life(&mut self) {
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

    async fn publish(&mut self, published: &Published) -> Result<(), Fault> {
        match Turn::of(published.number, self.entry) {
            Turn::Told => return Ok(()),
            Turn::Later if !on(Planted::GapNotSeen) => {
                mark("a stream went back to the journal over a gap");
                return self.read_on(published.number, false).await;
            }
            Turn::Later | Turn::Next => {}
        }
        let mine = |viewer| matches!(viewer, Viewer::Seat(seat) if published.seats_changed.contains(&seat));
        if mine(self.reader.viewer()) && self.follow_seat().await? {
            return Ok(());
        }
        let Some(told) = published.told(self.reader.viewer()) else {
            self.mode = Mode::Journal { until: published.number, caught_up: false };
            return Ok(());
        };
        debug_assert!(
            told.last >= self.sent,
            "an entry that is heard of was not told before, not even in part"
        );
        self.sent = told.last;
        self.entry = published.number;
        if !told.messages.is_empty() {
            self.ready.push(told.messages.clone());
        }
        Ok(())
    }

    /// Refuses a player whom this stream is no longer for: a replaced player's stream ends. Follows
    /// one to the seat that lots gave them: the stream opens again there, as after a reconnect. Says
    /// whether it did.
    async fn follow_seat(&mut self) -> Result<bool, Fault> {
        let (host, live) = (Arc::clone(&self.host), Arc::clone(&self.live));
        let (mut start, before) = (self.start.clone(), self.reader.drawn());
        let found = apart(async move {
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
            self.ready.insert(0, encoded(Part::Opening(opening)));
            self.mode = Mode::Journal { until, caught_up: true };
            return Ok(true);
        }
        if viewer == Some(self.reader.viewer()) {
            return Ok(false);
        }
        Err(Fault::new(ErrorReason::NotYourSeat, "You do not hold this seat any more."))
    }

    fn cursor(&self) -> Cursor {
        let audience = Some(audience_of(self.reader.viewer()));
        Cursor { audience, number: self.sent, time: None }
    }
}

fn draining() -> Fault {
    Fault::new(ErrorReason::Draining, "The server is stopping; connect anew.")
}

/// The refusal of a place in events that the store lost since. `told` is how many events the
/// audience has been told by what is left.
fn went_back(viewer: Viewer, told: Option<u64>) -> Fault {
    let text = "The database went back to an earlier state of this game, so events that were told \
                may not have happened. Start again from the current view.";
    let fault = Fault::new(ErrorReason::CursorInvalid, text)
        .with("audience", audience_name(audience_of(viewer)));
    match told {
        Some(told) => fault.with("next", told.saturating_add(1)),
        None => fault,
    }
}

fn opening(host: &Host, table: &Table, viewer: Viewer, player_id: &str) -> Opening {
    let (view, goals) = table.view_and_goals(viewer).unzip();
    Opening {
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
            table.standing(seat).decision
        }
        _ => None,
    }
}

/// An audience as the details of a refusal name it.
fn audience_name(audience: Audience) -> String {
    match audience.kind {
        Some(audience::Kind::Seat(seat)) => format!("seat {seat}"),
        Some(audience::Kind::Spectators(_)) => "spectators".to_owned(),
        Some(audience::Kind::GameMaster(_)) => "game master".to_owned(),
        None => String::new(),
    }
}

/// Refuses a cursor that is no place in the events of an audience, whose last event is at `head`.
pub(crate) fn check_cursor(after: &Cursor, head: &Cursor) -> Result<(), Fault> {
    let fault = |text: &str| {
        let fault = Fault::new(ErrorReason::CursorInvalid, text);
        let audience = head.audience.map_or_else(String::new, audience_name);
        Err(Fault { field: Some("after".to_owned()), ..fault }
            .with("audience", audience)
            .with("next", head.number.saturating_add(1)))
    };
    if after.audience.is_some() && after.number > 0 && after.audience != head.audience {
        return fault("The cursor belongs to another audience.");
    }
    if after.number > head.number {
        return fault("The cursor lies beyond the last event.");
    }
    Ok(())
}

/// The last entry whose events a reader at a cursor has all seen, or one before it. Refuses a cursor
/// whose last event the database lost: the event that has its number now happened at another time.
pub(crate) async fn place_of(
    host: &Host,
    game_id: &str,
    reader: &Subscriber,
    after: &Cursor,
    head: &Cursor,
    last: u64,
) -> Result<u64, Fault> {
    if after.time.is_none() || after.number == 0 {
        return entry_before(host, game_id, reader, after.number, last).await;
    }
    let before = entry_before(host, game_id, reader, after.number - 1, last).await?;
    if host.entry(game_id, before + 1).await?.time == after.time {
        Ok(before)
    } else {
        Err(went_back(reader.viewer(), Some(head.number)))
    }
}

/// The last entry whose events all lie at or before a number of an audience: a binary search finds
/// it, because every entry has its audiences' counts before it.
pub(crate) async fn entry_before(
    host: &Host,
    game_id: &str,
    reader: &Subscriber,
    number: u64,
    last: u64,
) -> Result<u64, Fault> {
    let mut search = Search::new(last);
    while let Some((after, count)) = search.next() {
        // As many as fit into a page, but one at least.
        let entries = live::stored_entries(host, game_id, after, count).await?;
        if entries.is_empty() {
            return Err(live::history_lost());
        }
        for entry in entries {
            search.seen(entry.number, reader.told_before(&entry) <= number);
        }
    }
    // The entry that was found is the last that begins at or before the number; it may hold events
    // after it.
    Ok(search.low.saturating_sub(1))
}

/// The search for the last entry that begins at or before a point. Most points are near the end, so
/// it looks there first, and goes back in ever longer strides.
struct Search {
    /// This entry begins at or before the point.
    low: u64,
    /// No entry after this one does.
    high: u64,
    last: u64,
    stride: u64,
}

impl Search {
    /// How many entries are looked through together, rather than one after the other by halving.
    const NEAR: u64 = 32;

    fn new(last: u64) -> Self {
        Self { low: 0, high: last, last, stride: Self::NEAR }
    }

    /// The entries to look at: after which, and how many; `None` when it is found.
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

    /// Takes note of where an entry begins.
    fn seen(&mut self, entry: u64, begins_before: bool) {
        if begins_before {
            self.low = self.low.max(entry);
        } else {
            self.high = self.high.min(entry - 1);
        }
    }
}

/// A time as the contract tells it.
pub fn timestamp(time: i64) -> Timestamp {
    Timestamp { seconds: time.div_euclid(1000), nanos: (time.rem_euclid(1000) * 1_000_000) as i32 }
}

/// A length of time as the contract tells it.
pub(super) fn length(length: Duration) -> prost_types::Duration {
    prost_types::Duration { seconds: length.as_secs() as i64, nanos: length.subsec_nanos() as i32 }
}

impl Host {
    /// A game as a player may see it, with facts that only the host knows.
    pub fn describe(&self, table: &Table, player_id: &str) -> heliopause_proto::v1::Game {
        let mut game = table.describe(Reader { player_id });
        game.waits_for_automation = self.automation.is_missing(&game.game_id);
        game
    }
}

#[cfg(test)]
mod tests {
    use super::Search;

    /// How many reads it took, and what they found, in a journal whose entries up to `sought` begin
    /// before the point.
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
    fn an_entry_is_found_wherever_it_is() {
        for last in [0, 1, 2, 31, 32, 33, 34, 65, 1_000, 2_347] {
            for sought in 0..=last {
                for page in [1, 7, 100] {
                    assert_eq!(search(last, sought, page).1, sought, "of {last}, {page} at once");
                }
            }
        }
    }

    #[test]
    fn what_is_near_the_end_is_found_with_few_reads() {
        for sought in 99_970..=100_000 {
            assert_eq!(search(100_000, sought, 100), (2, sought));
        }
        assert!(search(100_000, 99_500, 100).0 <= 8);
        assert!(search(u64::MAX, 5, 100).0 < 100, "strides do not overflow");
    }
}
