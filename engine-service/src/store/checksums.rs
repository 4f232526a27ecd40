//! Checksums of stored data, verified at every read. Altered data causes an error and is never
//! returned.
//!
//! The algorithm is CRC-32. It detects every single flipped bit and every burst of up to 32 bits,
//! at a tenth of the cost of a cryptographic hash. Checksums protect against disk errors, not
//! against people: the hash chain detects a deliberately changed journal. A checksum includes the
//! key of the data, so it also detects intact data in the wrong row.

use super::{Account, GameRow, Member, NoticeBook, Outgoing, Record, Result, StoreError, TokenRow};

pub(crate) type Checksum = i64;

/// A checksum in progress. The length precedes each part of variable length. Otherwise bytes could
/// move between parts without changing the checksum.
struct ChecksumBuilder(crc32fast::Hasher);

impl ChecksumBuilder {
    fn new() -> Self {
        Self(crc32fast::Hasher::new())
    }

    fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
        self
    }

    fn text(self, text: &str) -> Self {
        self.bytes(text.as_bytes())
    }

    fn number(mut self, number: impl Into<i128>) -> Self {
        self.0.update(&number.into().to_le_bytes());
        self
    }

    fn optional_number(self, number: Option<i64>) -> Self {
        match number {
            None => self.text("none"),
            Some(number) => self.number(number),
        }
    }

    fn end(self) -> Checksum {
        Checksum::from(self.0.finalize())
    }
}

pub(crate) fn body(game_id: &str, number: u64, body: &[u8]) -> Checksum {
    ChecksumBuilder::new().text(game_id).number(number).bytes(body).end()
}

pub(crate) fn secret(game_id: &str, secret: &[u8]) -> Checksum {
    ChecksumBuilder::new().text(game_id).bytes(secret).end()
}

pub(crate) fn head(game_id: &str, last: u64) -> Checksum {
    ChecksumBuilder::new().text(game_id).number(last).end()
}

pub(crate) fn row(row: &GameRow) -> Checksum {
    let sum = ChecksumBuilder::new().text(&row.game_id).text(&row.kind).text(&row.name);
    let sum = sum.number(row.status).number(row.private).number(row.sandbox);
    let sum = sum.number(row.seats).number(row.open_seats).number(row.created);
    let sum = sum.optional_number(row.due).number(row.wants_automation).text(&row.progress);
    let sum = sum.text(&row.host).optional_number(row.asleep_since);
    sum.optional_number(row.ended).number(row.rated).number(row.names_hidden).end()
}

pub(crate) fn members(row: &GameRow) -> Checksum {
    let mut members: Vec<&Member> = row.members.iter().collect();
    members.sort_by(|one, other| (one.seat, &one.player_id).cmp(&(other.seat, &other.player_id)));
    let sum = ChecksumBuilder::new().text(&row.game_id).number(members.len() as u64);
    let add = |sum: ChecksumBuilder, member: &Member| {
        let sum = sum.text(&member.player_id).number(member.seat).number(member.invited);
        sum.number(member.your_decision).optional_number(member.deadline)
    };
    members.into_iter().fold(sum, add).end()
}

/// Returns the checksum of an account. It excludes the rating, which changes by increments. A
/// negated copy protects the rating instead.
pub(crate) fn account(account: &Account) -> Checksum {
    let Account { player_id, name, looks, role, dedication: _, banned, games_limit, created } =
        account;
    let sum =
        ChecksumBuilder::new().text(player_id).text(name).text(looks).number(*role).number(*banned);
    sum.number(*games_limit).number(*created).end()
}

pub(crate) fn token(token: &TokenRow) -> Checksum {
    let TokenRow { token_id, player_id, name, hash, created } = token;
    let sum = ChecksumBuilder::new().text(token_id).text(player_id).text(name);
    sum.bytes(hash).number(*created).end()
}

pub(crate) fn record(record: &Record) -> Checksum {
    let Record { space, id, key, version, body } = record;
    ChecksumBuilder::new().text(space).text(id).text(key).number(*version).bytes(body).end()
}

pub(crate) fn check_record(found: Record, sum: Checksum) -> Result<Record> {
    check(sum, record(&found), || format!("record {:?} in {:?}", found.id, found.space))?;
    Ok(found)
}

pub(crate) fn notice_book(player_id: &str, book: &NoticeBook) -> Checksum {
    let NoticeBook { version, listens, body } = book;
    ChecksumBuilder::new().text(player_id).number(*version).number(*listens).bytes(body).end()
}

/// Returns the checksum of a notice. It excludes the fields that change at each attempt.
pub(crate) fn outgoing(notice: &Outgoing) -> Checksum {
    let Outgoing { id, player_id, channel_id, due: _, attempts: _, body } = notice;
    ChecksumBuilder::new().text(id).text(player_id).text(channel_id).bytes(body).end()
}

pub(crate) fn check_outgoing(found: &Outgoing, sum: Checksum) -> Result<()> {
    check(sum, outgoing(found), || format!("notice {:?}", found.id))
}

pub(crate) fn check(
    stored: Checksum,
    computed: Checksum,
    what: impl FnOnce() -> String,
) -> Result<()> {
    if stored == computed { Ok(()) } else { Err(damaged(&what())) }
}

pub(crate) fn check_row(found: &GameRow, row_sum: Checksum, members_sum: Checksum) -> Result<()> {
    check(row_sum, row(found), || {
        format!("game {:?}: its row in the list of games", found.game_id)
    })?;
    check(members_sum, members(found), || {
        format!("game {:?}: its members in the list of games", found.game_id)
    })
}

/// Checks an account against its checksum, and its rating against the negated copy.
pub(crate) fn check_account(found: &Account, sum: Checksum, negated: i64) -> Result<()> {
    let what = || format!("account {:?}", found.player_id);
    check(sum, account(found), what)?;
    check(negated, -i64::from(found.dedication), what)
}

pub(crate) fn check_token(found: &TokenRow, sum: Checksum) -> Result<()> {
    check(sum, token(found), || format!("token {:?}", found.token_id))
}

fn damaged(what: &str) -> StoreError {
    StoreError::Damaged(format!("{what}: the checksum does not match"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_a_row_changes_its_checksum() {
        let base = GameRow {
            game_id: "g".to_owned(),
            members: vec![Member {
                player_id: "p".to_owned(),
                seat: 1,
                invited: false,
                your_decision: false,
                deadline: None,
            }],
            ..GameRow::default()
        };
        let changed = |change: &dyn Fn(&mut GameRow)| {
            let mut row = base.clone();
            change(&mut row);
            (super::row(&row), members(&row)) != (super::row(&base), members(&base))
        };
        let changes: [&dyn Fn(&mut GameRow); 20] = [
            &|row| row.kind = "k".to_owned(),
            &|row| row.name = "k".to_owned(),
            &|row| row.status = 1,
            &|row| row.private = true,
            &|row| row.sandbox = true,
            &|row| row.seats = 1,
            &|row| row.open_seats = 1,
            &|row| row.created = 1,
            &|row| row.due = Some(0),
            &|row| row.wants_automation = true,
            &|row| row.progress = "k".to_owned(),
            &|row| row.host = "k".to_owned(),
            &|row| row.asleep_since = Some(0),
            &|row| row.ended = Some(0),
            &|row| row.rated = true,
            &|row| row.names_hidden = true,
            &|row| row.members[0].player_id = "q".to_owned(),
            &|row| row.members[0].seat = 2,
            &|row| row.members[0].deadline = Some(0),
            &|row| row.members.clear(),
        ];
        assert!(changes.iter().all(|change| changed(change)));
    }
}
