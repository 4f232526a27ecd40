//! Views of earlier phases: a view that was kept, brought forward by the viewer's events.

use heliopause_kernel::Viewer;
use heliopause_proto::v1::{Cursor, Event, GameView, event};
use heliopause_table::registry::Kind;
use heliopause_table::table::audience_of;
use heliopause_table::{Fault, Stretch, Table};

use super::Host;
use super::live::{EVENTS_PAGE, history_lost, stored_entries, stored_entry};

/// A phase of the past as one viewer saw it.
pub(crate) struct Past {
    /// The view at its end.
    pub view: GameView,
    /// What the viewer was told of the game in it.
    pub events: Vec<Event>,
    /// The place in the viewer's events at its end.
    pub cursor: Cursor,
}

impl Host {
    /// How many events a viewer had been told when an entry was made; `None` if there is none yet.
    pub(crate) async fn told_at(
        &self,
        game_id: &str,
        viewer: Viewer,
        entry: u64,
    ) -> Result<Option<u64>, Fault> {
        let found = stored_entries(self, game_id, entry - 1, 1).await?;
        Ok(found.first().map(|entry| Table::told_before(entry, viewer)))
    }

    /// A phase of the past, in the stretch of the journal that holds it.
    pub(crate) async fn past(
        &self,
        game_id: &str,
        kind: &Kind,
        viewer: Viewer,
        stretch: Stretch,
    ) -> Result<Past, Fault> {
        let Stretch { kept, after, last } = stretch;
        let view = Table::view_kept(kind, &stored_entry(self, game_id, kept).await?, viewer)?;
        let (mut since, mut events) = (Vec::new(), Vec::new());
        let mut cursor = Cursor { audience: Some(audience_of(viewer)), number: 0, time: None };
        let mut entry = kept.min(after);
        while entry < last {
            let count = EVENTS_PAGE.min((last - entry) as usize);
            let page = stored_entries(self, game_id, entry, count).await?;
            entry = page.last().ok_or_else(history_lost)?.number;
            for read in page {
                cursor.number = Table::told_before(&read, viewer);
                for told in Table::events_for(&read, viewer) {
                    cursor.number = told.number;
                    // Views and maps are made of what happened in the game alone.
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
