//! Checksums of what is stored, checked at every read: what comes back different is an error, never
//! an answer.
//!
//! They are CRC-32: no flipped bit and no burst of up to 32 bits gets past it, and it costs a tenth
//! of what the hashes do that are here for other ends. They guard against disks, not against
//! people: who changes a journal on purpose is found by its hash chain. A sum is over the place as
//! well as over what stands there, so that what is whole but at home elsewhere is found too.

use super::{Account, GameRow, Member, NoticeBook, Outgoing, StoreError, TokenRow};

/// A checksum as both databases keep it.
pub(crate) type Sum = i64;

/// A checksum in the making. Parts of changing length tell it, so that nothing moves from one part
/// to the next unseen.
struct Summing(crc32fast::Hasher);

impl Summing {
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

    /// Nothing is told apart from every number.
    fn maybe(self, number: Option<i64>) -> Self {
        match number {
            None => self.text("none"),
            Some(number) => self.number(number),
        }
    }

    fn end(self) -> Sum {
        Sum::from(self.0.finalize())
    }
}

/// Of an entry, or of a snapshot after an entry.
pub(crate) fn body(game_id: &str, number: u64, body: &[u8]) -> Sum {
    Summing::new().text(game_id).number(number).bytes(body).end()
}

/// Of a game's secret seed.
pub(crate) fn secret(game_id: &str, secret: &[u8]) -> Sum {
    Summing::new().text(game_id).bytes(secret).end()
}

/// Of where a journal ends.
pub(crate) fn head(game_id: &str, last: u64) -> Sum {
    Summing::new().text(game_id).number(last).end()
}

/// Of a game's row without its members.
pub(crate) fn row(row: &GameRow) -> Sum {
    let GameRow {
        game_id,
        kind,
        name,
        status,
        private,
        sandbox,
        seats,
        open_seats,
        created,
        host,
        ..
    } = row;
    Summing::new()
        .text(game_id)
        .text(kind)
        .text(name)
        .number(*status)
        .number(*private)
        .number(*sandbox)
        .number(*seats)
        .number(*open_seats)
        .number(*created)
        .maybe(row.due)
        .number(row.wants_automation)
        .text(&row.progress)
        .text(host)
        .maybe(row.asleep_since)
        .end()
}

/// Of a game's members, in whatever order.
pub(crate) fn members(row: &GameRow) -> Sum {
    let mut members: Vec<&Member> = row.members.iter().collect();
    members.sort_by(|one, other| (one.seat, &one.player_id).cmp(&(other.seat, &other.player_id)));
    let sum = Summing::new().text(&row.game_id).number(members.len() as u64);
    let add = |sum: Summing, member: &Member| {
        let sum = sum.text(&member.player_id).number(member.seat).number(member.invited);
        sum.number(member.your_decision).maybe(member.deadline)
    };
    members.into_iter().fold(sum, add).end()
}

/// Of an account without its rating, which is kept a second time with the other sign: it changes by
/// sums, not by values.
pub(crate) fn account(account: &Account) -> Sum {
    let Account { player_id, name, looks, role, dedication: _, banned, games_limit, created } =
        account;
    let sum = Summing::new().text(player_id).text(name).text(looks).number(*role).number(*banned);
    sum.number(*games_limit).number(*created).end()
}

/// Of a token.
pub(crate) fn token(token: &TokenRow) -> Sum {
    let TokenRow { token_id, player_id, name, hash, created } = token;
    Summing::new().text(token_id).text(player_id).text(name).bytes(hash).number(*created).end()
}

/// Of an invitation.
pub(crate) fn invitation(hash: &[u8], uses: u32) -> Sum {
    Summing::new().bytes(hash).number(uses).end()
}

/// Of a player's wish to have no invitations from another.
pub(crate) fn block(player_id: &str, other_id: &str) -> Sum {
    Summing::new().text(player_id).text(other_id).end()
}

/// Of what a player set about their notices.
pub(crate) fn notice_book(player_id: &str, book: &NoticeBook) -> Sum {
    let NoticeBook { version, listens, body } = book;
    Summing::new().text(player_id).number(*version).number(*listens).bytes(body).end()
}

/// Of a notice on its way, without what changes at each attempt.
pub(crate) fn outgoing(notice: &Outgoing) -> Sum {
    let Outgoing { id, player_id, channel_id, due: _, attempts: _, body } = notice;
    Summing::new().text(id).text(player_id).text(channel_id).bytes(body).end()
}

/// Refuses a notice that came back different.
pub(crate) fn check_outgoing(found: &Outgoing, sum: Sum) -> Result<(), StoreError> {
    check(sum, outgoing(found), || format!("notice {:?}", found.id))
}

/// Refuses what came back different.
pub(crate) fn check(
    stored: Sum,
    computed: Sum,
    what: impl FnOnce() -> String,
) -> Result<(), StoreError> {
    if stored == computed { Ok(()) } else { Err(damaged(&what())) }
}

/// Refuses a row of a game that came back different.
pub(crate) fn check_row(found: &GameRow, row_sum: Sum, members_sum: Sum) -> Result<(), StoreError> {
    check(row_sum, row(found), || format!("game {:?}: its row in the directory", found.game_id))?;
    check(members_sum, members(found), || {
        format!("game {:?}: its members in the directory", found.game_id)
    })
}

/// Refuses an account that came back different. `negated` is its rating with the other sign.
pub(crate) fn check_account(found: &Account, sum: Sum, negated: i64) -> Result<(), StoreError> {
    let what = || format!("account {:?}", found.player_id);
    check(sum, account(found), what)?;
    check(negated, -i64::from(found.dedication), what)
}

/// Refuses a token that came back different.
pub(crate) fn check_token(found: &TokenRow, sum: Sum) -> Result<(), StoreError> {
    check(sum, token(found), || format!("token {:?}", found.token_id))
}

fn damaged(what: &str) -> StoreError {
    StoreError::Damaged(format!("{what} is not as it was written"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_a_row_counts() {
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
        let changes: [&dyn Fn(&mut GameRow); 17] = [
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
            &|row| row.members[0].player_id = "q".to_owned(),
            &|row| row.members[0].seat = 2,
            &|row| row.members[0].deadline = Some(0),
            &|row| row.members.clear(),
        ];
        assert!(changes.iter().all(|change| changed(change)));
    }
}
