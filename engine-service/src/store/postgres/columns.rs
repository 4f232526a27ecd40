//! The rows of a batch of appends as arrays, one for each column. The statements are the same for
//! any number of rows.

use bytes::Bytes;
use tokio_postgres::types::ToSql;

use super::to_i64;
use crate::store::{Append, GameRow, Member, Outgoing, checksums};

pub(super) type Values<'a> = Vec<&'a (dyn ToSql + Sync)>;

/// Defines a struct with an array for each column. `add` adds a row, `values` returns the arrays.
macro_rules! columns {
    ($rows:ident<$life:lifetime>($($argument:ident: $kind:ty),*):
        $first:ident: $first_type:ty = $first_value:expr,
        $($column:ident: $type:ty = $value:expr,)+) => {
        #[derive(Default)]
        pub(super) struct $rows<$life> {
            $first: Vec<$first_type>,
            $($column: Vec<$type>,)+
        }

        impl<$life> $rows<$life> {
            pub(super) fn add(&mut self, $($argument: $kind),*) {
                self.$first.push($first_value);
                $(self.$column.push($value);)+
            }

            pub(super) fn is_empty(&self) -> bool {
                self.$first.is_empty()
            }

            pub(super) fn values(&self) -> Values<'_> {
                vec![&self.$first, $(&self.$column),+]
            }
        }
    };
}

columns! {
    Games<'a>(append: &'a Append, last: u64, row_digest: i64, members_digest: i64):
    game_id: &'a str = &append.row.game_id,
    last: i64 = to_i64(last),
    secret: Option<&'a [u8]> = append.secret.as_ref().map(<[u8; 32]>::as_slice),
    kind: &'a str = &append.row.kind,
    name: &'a str = &append.row.name,
    status: i32 = append.row.status,
    private: bool = append.row.private,
    sandbox: bool = append.row.sandbox,
    seats: i64 = append.row.seats.into(),
    open_seats: i64 = append.row.open_seats.into(),
    created: i64 = append.row.created,
    due: Option<i64> = append.row.due,
    wants_automation: bool = append.row.wants_automation,
    progress: &'a str = &append.row.progress,
    row_digest: i64 = row_digest,
    members_digest: i64 = members_digest,
    secret_sum: Option<i64> =
        append.secret.map(|secret| checksums::secret(&append.row.game_id, &secret)),
    host: &'a str = &append.row.host,
    asleep_since: Option<i64> = append.row.asleep_since,
    ended: Option<i64> = append.row.ended,
    rated: bool = append.row.rated,
    names_hidden: bool = append.row.names_hidden,
    tag: Option<i64> = append.tags.after,
}

columns! {
    Lasts<'a>(append: &'a Append, last: u64):
    game_id: &'a str = &append.row.game_id,
    last: i64 = to_i64(last),
    tag: Option<i64> = append.tags.after,
}

columns! {
    Bodies<'a>(game_id: &'a str, number: u64, body: &'a Bytes):
    game_id: &'a str = game_id,
    number: i64 = to_i64(number),
    body: &'a [u8] = body,
    sum: i64 = checksums::body(game_id, number, body),
}

columns! {
    Members<'a>(row: &'a GameRow, member: &'a Member):
    game_id: &'a str = &row.game_id,
    player_id: &'a str = &member.player_id,
    seat: i64 = member.seat.into(),
    invited: bool = member.invited,
    your_decision: bool = member.your_decision,
    deadline: Option<i64> = member.deadline,
}

impl Members<'_> {
    pub(super) fn key_columns(&self) -> Values<'_> {
        vec![&self.game_id, &self.player_id, &self.seat]
    }
}

columns! {
    Ratings<'a>(player_id: &'a str, change: i32):
    player_id: &'a str = player_id,
    change: i32 = change,
}

columns! {
    Notices<'a>(notice: &'a Outgoing):
    id: &'a str = &notice.id,
    channel_id: &'a str = &notice.channel_id,
    player_id: &'a str = &notice.player_id,
    due: i64 = notice.due,
    attempts: i64 = notice.attempts.into(),
    body: &'a [u8] = &notice.body,
    sum: i64 = checksums::outgoing(notice),
}
