//! Views of earlier phases, built from a stored view and the viewer's later events.

use heliopause_kernel::Viewer;
use heliopause_proto::v1::{Cursor, Event, GameView, event};
use heliopause_table::registry::Kind;
use heliopause_table::table::audience_of;
use heliopause_table::{JournalRange, Table};

use super::live::history_lost;
use super::loading::{EVENTS_PAGE, stored_entries, stored_entry};
use super::{Host, Result};

pub(crate) struct Past {
    pub view: GameView,
    pub events: Vec<Event>,
    pub cursor: Cursor,
}

impl Host {
    /// Returns the number of a viewer's events before an entry, or `None` if the entry does not
    /// exist.
    pub(crate) async fn events_before(
        &self,
        game_id: &str,
        viewer: Viewer,
        entry: u64,
    ) -> Result<Option<u64>> {
        let found = stored_entries(self, game_id, entry - 1, 1).await?;
        Ok(found.first().map(|entry| Table::event_count_before(entry, viewer)))
    }

    pub(crate) async fn past(
        &self,
        game_id: &str,
        kind: &Kind,
        viewer: Viewer,
        stretch: JournalRange,
    ) -> Result<Past> {
        let JournalRange { kept, after, last } = stretch;
        let view = Table::stored_view(kind, &stored_entry(self, game_id, kept).await?, viewer)?;
        let (mut since, mut events) = (Vec::new(), Vec::new());
        let mut cursor = Cursor { audience: Some(audience_of(viewer)), number: 0, time: None };
        let mut entry = kept.min(after);
        while entry < last {
            let count = EVENTS_PAGE.min((last - entry) as usize);
            let page = stored_entries(self, game_id, entry, count).await?;
            entry = page.last().ok_or_else(history_lost)?.number;
            for read in page {
                cursor.number = Table::event_count_before(&read, viewer);
                for told in Table::events_for(&read, viewer) {
                    cursor.number = told.number;
                    // Views and maps depend only on game events.
                    let Some(event::Body::Game(own)) = &told.body else { continue };
                    if read.number > kept {
                        since.push(own.clone());
                    }
                    if read.number > after {
                        events.push(told);
                    }
                }
            }
        }
        Ok(Past { view: kind.rules.fold(view, &mut since.into_iter())?, events, cursor })
    }
}
