//! Reading and changing players' notice settings, with retries after concurrent changes.

use heliopause_proto::store::v1::{NoticeBook, StoredChannel};
use heliopause_proto::v1::notice_channel::Target;
use heliopause_proto::v1::{MutedGame, NoticeChannelState, NoticeKind, NoticeSettings};
use prost::Message as _;

use crate::failure::Result;
use crate::store::{self, Store, StoreError};

const ATTEMPTS: usize = 10;

/// Returns the version of a player's settings and the settings. If none are stored, returns 0 and
/// the defaults.
pub(super) async fn read(
    store: &dyn Store,
    player_id: &str,
) -> Result<(u64, NoticeBook), StoreError> {
    let Some(stored) = store.notice_book(player_id).await? else {
        return Ok((0, NoticeBook::default()));
    };
    let book = NoticeBook::decode(stored.body).map_err(|error| {
        let why = format!("the notice settings of player {player_id:?} are unreadable: {error}");
        StoreError::Damaged(why)
    })?;
    Ok((stored.version, book))
}

/// Changes a player's settings and returns the result of `change`. Calls `change` again after a
/// concurrent change, up to [`ATTEMPTS`] times. Writes nothing if `change` fails or changes
/// nothing.
pub(super) async fn change<T>(
    store: &dyn Store,
    player_id: &str,
    mut change: impl FnMut(&mut NoticeBook) -> Result<T>,
) -> Result<T> {
    let mut attempt = 1;
    loop {
        let (version, mut book) = read(store, player_id).await?;
        let before = book.clone();
        let done = change(&mut book)?;
        if book == before {
            return Ok(done);
        }
        let new = store::NoticeBook {
            version: version + 1,
            listens: book.channels.iter().any(is_active),
            body: book.encode_to_vec().into(),
        };
        match store.put_notice_book(player_id, version, Some(new)).await {
            Err(StoreError::LostRace { .. }) if attempt < ATTEMPTS => attempt += 1,
            put => return Ok(put.map(|()| done)?),
        }
    }
}

pub(super) fn channel<'a>(
    book: &'a mut NoticeBook,
    channel_id: &str,
) -> Option<&'a mut StoredChannel> {
    book.channels.iter_mut().find(|stored| id(stored) == channel_id)
}

pub(super) fn id(stored: &StoredChannel) -> &str {
    stored.channel.as_ref().map(|channel| channel.channel_id.as_str()).unwrap_or_default()
}

pub(super) fn is_active(stored: &StoredChannel) -> bool {
    stored.channel.as_ref().is_some_and(|channel| channel.state() == NoticeChannelState::Active)
}

pub(super) fn settings(stored: &StoredChannel) -> Option<&NoticeSettings> {
    stored.channel.as_ref()?.settings.as_ref()
}

pub(super) fn target(stored: &StoredChannel) -> Option<&Target> {
    stored.channel.as_ref()?.target.as_ref()
}

pub(super) fn wants(stored: &StoredChannel, kind: NoticeKind) -> bool {
    settings(stored).is_some_and(|settings| settings.kinds.contains(&(kind as i32)))
}

pub(super) fn is_muted(book: &NoticeBook, game_id: &str, kind: NoticeKind) -> bool {
    let mutes = |muted: &MutedGame| {
        muted.game_id == game_id && (muted.kinds.is_empty() || muted.kinds.contains(&(kind as i32)))
    };
    book.muted.iter().any(mutes)
}
