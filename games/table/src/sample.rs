//! A table for unit tests.

use heliopause_proto::store::v1::{Created, Entry, Person, PlannedSeat, Taken, planned_seat::Plan};
use heliopause_proto::v1::Pace;

use crate::Table;
use crate::chain::{Hash, commitment};

pub(crate) const SECRET: Hash = [3; 32];

/// Creates a game of Ann and Bob that has started. Returns its table and first entry.
pub(crate) fn begun(kind: &str, pace: Option<Pace>) -> (Table, Entry) {
    let seat = |id: &str| {
        let player = Some(Person { player_id: id.to_owned(), name: id.to_owned() });
        PlannedSeat { plan: Some(Plan::Taken(Taken { player, ..Taken::default() })) }
    };
    let created = Created {
        kind: kind.to_owned(),
        seats: ["ann", "bob"].map(seat).into(),
        pace,
        seed_commitment: commitment(&SECRET).to_vec().into(),
        game_id: "table".to_owned(),
        start_when_full: true,
        ..Created::default()
    };
    let (table, taken) = Table::create(created, SECRET, "ann", 0).expect("a table");
    (table, taken.entry)
}
