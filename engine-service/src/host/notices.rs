//! Notices of all of a player's games.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use heliopause_proto::store::v1::Entry;
use heliopause_proto::v1::{GameNotice, GameStatus, NoticeKind, event};
use heliopause_table::Listing;
use tokio::sync::broadcast;

use super::stream::timestamp;

/// How many notices wait for a slow reader before some are lost, which he is told.
const KEPT: usize = 256;

/// The players who listen.
#[derive(Default)]
pub(crate) struct Notices(Mutex<HashMap<String, broadcast::Sender<GameNotice>>>);

/// The notices of one player.
pub type NoticeStream = broadcast::Receiver<GameNotice>;

impl Notices {
    pub(crate) fn subscribe(&self, player_id: &str) -> NoticeStream {
        let mut players = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        players.retain(|_, sender| sender.receiver_count() > 0);
        players.entry(player_id.to_owned()).or_insert_with(|| broadcast::Sender::new(KEPT)).subscribe()
    }

    /// Tells the players concerned of what an entry brought.
    pub(crate) fn note(&self, listing: &Listing, entry: &Entry, invited: &[String]) {
        let players = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if players.is_empty() {
            return;
        }
        let tell = |player_id: &str, kind: NoticeKind, text: &str, deadline| {
            if let Some(sender) = players.get(player_id) {
                let notice = GameNotice {
                    game_id: listing.game_id.clone(),
                    name: listing.name.clone(),
                    kind: kind.into(),
                    text: text.to_owned(),
                    deadline,
                };
                // A reader that has just gone needs no notice.
                drop(sender.send(notice));
            }
        };
        for player in invited {
            tell(player, NoticeKind::Invited, "A seat is kept for you.", None);
        }
        for told in &entry.events {
            let Some(event) = &told.event else { continue };
            let Some(kind) = event.body.as_ref().and_then(notice_kind) else { continue };
            for member in listing.members.iter().filter(|member| !member.invited) {
                let seat = member.seat.checked_sub(1);
                let concerned = seat.map_or(told.game_master, |index| told.seats & (1 << index) != 0);
                if concerned {
                    let deadline = member.deadline.filter(|_| kind == NoticeKind::YourDecision).map(timestamp);
                    tell(&member.player_id, kind, &event.text, deadline);
                }
            }
        }
    }
}

fn notice_kind(body: &event::Body) -> Option<NoticeKind> {
    match body {
        event::Body::DecisionOpened(_) => Some(NoticeKind::YourDecision),
        event::Body::StatusChanged(changed) if changed.status() == GameStatus::Running => Some(NoticeKind::Started),
        event::Body::GameEnded(_) => Some(NoticeKind::Ended),
        event::Body::Vote(_) => Some(NoticeKind::Vote),
        event::Body::Message(_) => Some(NoticeKind::Message),
        _ => None,
    }
}
