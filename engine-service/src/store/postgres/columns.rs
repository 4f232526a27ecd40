//! The rows of a batch of appends as arrays, one for each column. The statements are the same for
//! any number of rows.

use bytes::Bytes;
use tokio_postgres::types::ToSql;

use super::to_i64;
use crate::store::{Append, GameRow, Outgoing, checksums};

pub(super) type Values<'a> = Vec<&'a (dyn ToSql + Sync)>;

#[derive(Default)]
pub(super) struct Games<'a> {
    game_id: Vec<&'a str>,
    last: Vec<i64>,
    secret: Vec<Option<&'a [u8]>>,
    kind: Vec<&'a str>,
    name: Vec<&'a str>,
    status: Vec<i32>,
    private: Vec<bool>,
    sandbox: Vec<bool>,
    seats: Vec<i64>,
    open_seats: Vec<i64>,
    created: Vec<i64>,
    due: Vec<Option<i64>>,
    wants_automation: Vec<bool>,
    progress: Vec<&'a str>,
    row_digest: Vec<i64>,
    members_digest: Vec<i64>,
    secret_sum: Vec<Option<i64>>,
    host: Vec<&'a str>,
    asleep_since: Vec<Option<i64>>,
    tag: Vec<Option<i64>>,
}

impl<'a> Games<'a> {
    pub(super) fn add(
        &mut self,
        append: &'a Append,
        last: u64,
        (row_digest, members_digest): (i64, i64),
    ) {
        let row = &append.row;
        self.game_id.push(&row.game_id);
        self.last.push(to_i64(last));
        self.secret.push(append.secret.as_ref().map(<[u8; 32]>::as_slice));
        self.kind.push(&row.kind);
        self.name.push(&row.name);
        self.status.push(row.status);
        self.private.push(row.private);
        self.sandbox.push(row.sandbox);
        self.seats.push(row.seats.into());
        self.open_seats.push(row.open_seats.into());
        self.created.push(row.created);
        self.due.push(row.due);
        self.wants_automation.push(row.wants_automation);
        self.progress.push(&row.progress);
        self.row_digest.push(row_digest);
        self.members_digest.push(members_digest);
        self.secret_sum.push(append.secret.map(|secret| checksums::secret(&row.game_id, &secret)));
        self.host.push(&row.host);
        self.asleep_since.push(row.asleep_since);
        self.tag.push(append.tags.after);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.game_id.is_empty()
    }

    pub(super) fn values(&self) -> Values<'_> {
        vec![
            &self.game_id,
            &self.last,
            &self.secret,
            &self.kind,
            &self.name,
            &self.status,
            &self.private,
            &self.sandbox,
            &self.seats,
            &self.open_seats,
            &self.created,
            &self.due,
            &self.wants_automation,
            &self.progress,
            &self.row_digest,
            &self.members_digest,
            &self.secret_sum,
            &self.host,
            &self.asleep_since,
            &self.tag,
        ]
    }
}

#[derive(Default)]
pub(super) struct Lasts<'a> {
    game_id: Vec<&'a str>,
    last: Vec<i64>,
    tag: Vec<Option<i64>>,
}

impl<'a> Lasts<'a> {
    pub(super) fn add(&mut self, append: &'a Append, last: u64) {
        self.game_id.push(&append.row.game_id);
        self.last.push(to_i64(last));
        self.tag.push(append.tags.after);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.game_id.is_empty()
    }

    pub(super) fn values(&self) -> Values<'_> {
        vec![&self.game_id, &self.last, &self.tag]
    }
}

#[derive(Default)]
pub(super) struct Bodies<'a> {
    game_id: Vec<&'a str>,
    number: Vec<i64>,
    body: Vec<&'a [u8]>,
    sum: Vec<i64>,
}

pub(super) type Entries<'a> = Bodies<'a>;
pub(super) type Snapshots<'a> = Bodies<'a>;

impl<'a> Bodies<'a> {
    pub(super) fn add(&mut self, game_id: &'a str, number: u64, body: &'a Bytes) {
        self.game_id.push(game_id);
        self.number.push(to_i64(number));
        self.body.push(body);
        self.sum.push(checksums::body(game_id, number, body));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.game_id.is_empty()
    }

    pub(super) fn values(&self) -> Values<'_> {
        vec![&self.game_id, &self.number, &self.body, &self.sum]
    }
}

#[derive(Default)]
pub(super) struct Members<'a> {
    game_id: Vec<&'a str>,
    player_id: Vec<&'a str>,
    seat: Vec<i64>,
    invited: Vec<bool>,
    your_decision: Vec<bool>,
    deadline: Vec<Option<i64>>,
}

impl<'a> Members<'a> {
    pub(super) fn add(&mut self, row: &'a GameRow) {
        for member in &row.members {
            self.game_id.push(&row.game_id);
            self.player_id.push(&member.player_id);
            self.seat.push(member.seat.into());
            self.invited.push(member.invited);
            self.your_decision.push(member.your_decision);
            self.deadline.push(member.deadline);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.game_id.is_empty()
    }

    pub(super) fn key_columns(&self) -> Values<'_> {
        vec![&self.game_id, &self.player_id, &self.seat]
    }

    pub(super) fn values(&self) -> Values<'_> {
        let mut values = self.key_columns();
        let states: Values<'_> = vec![&self.invited, &self.your_decision, &self.deadline];
        values.extend(states);
        values
    }
}

#[derive(Default)]
pub(super) struct Ratings<'a> {
    player_id: Vec<&'a str>,
    change: Vec<i32>,
}

impl<'a> Ratings<'a> {
    pub(super) fn add(&mut self, player_id: &'a str, change: i32) {
        self.player_id.push(player_id);
        self.change.push(change);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.player_id.is_empty()
    }

    pub(super) fn values(&self) -> Values<'_> {
        vec![&self.player_id, &self.change]
    }
}

#[derive(Default)]
pub(super) struct Notices<'a> {
    id: Vec<&'a str>,
    channel_id: Vec<&'a str>,
    player_id: Vec<&'a str>,
    due: Vec<i64>,
    attempts: Vec<i64>,
    body: Vec<&'a [u8]>,
    sum: Vec<i64>,
}

impl<'a> Notices<'a> {
    pub(super) fn add(&mut self, notice: &'a Outgoing) {
        self.id.push(&notice.id);
        self.channel_id.push(&notice.channel_id);
        self.player_id.push(&notice.player_id);
        self.due.push(notice.due);
        self.attempts.push(notice.attempts.into());
        self.body.push(&notice.body);
        self.sum.push(checksums::outgoing(notice));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    pub(super) fn values(&self) -> Values<'_> {
        vec![
            &self.id,
            &self.channel_id,
            &self.player_id,
            &self.due,
            &self.attempts,
            &self.body,
            &self.sum,
        ]
    }
}
