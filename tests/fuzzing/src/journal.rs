//! Intact and damaged entries and snapshots of a store.

use std::sync::LazyLock;

use heliopause_proto::store::v1::{
    Created, Entry, Person, PlannedSeat, StartCalled, Step, TableState, planned_seat, step,
};
use heliopause_proto::v1::AutomatedSeat;
use heliopause_table::verify::Verifier;
use heliopause_table::{Table, chain};
use prost::Message as _;

use crate::messages;
use crate::source::Source;

pub(crate) const SECRET: [u8; 32] = [9; 32];

const KINDS: [&str; 4] = ["starships-at-large", "diplomacy", "stellar-conquest", "star-empires"];

static JOURNALS: LazyLock<Vec<Vec<Vec<u8>>>> = LazyLock::new(|| {
    let journal = |kind: &&str| {
        let automated = planned_seat::Plan::Automated(AutomatedSeat::default());
        let created = Created {
            kind: (**kind).to_owned(),
            host: Some(Person { player_id: "ann".to_owned(), name: "Ann".to_owned() }),
            seats: vec![PlannedSeat { plan: Some(automated) }; 3],
            seed_commitment: chain::commitment(&SECRET).to_vec().into(),
            ..Created::default()
        };
        let (mut table, laid) = Table::create(created, SECRET, "ann", 0).expect("a table");
        let mut entries = vec![laid.stored.to_vec()];
        let start = step::Kind::StartCalled(StartCalled { fill: None });
        let by = "ann".to_owned();
        let start = Step { by, kind: Some(start), ..Step::default() };
        let started = table.apply(start, 1_000).expect("it starts");
        entries.push(started.stored.to_vec());
        entries
    };
    KINDS.iter().map(journal).collect()
});

/// Fuzzes stored data. The first byte selects the kind of data.
pub fn journal(data: &[u8]) {
    let mut source = Source::new(data);
    match source.byte() % 4 {
        0 => {
            let entry = source.rest();
            Verifier::new(SECRET).entry(entry);
            if let Ok(entry) = Entry::decode(entry) {
                let _ = Table::replay_first(&entry, SECRET);
            }
        }
        1 => snapshot(source.rest()),
        2 => {
            let state: TableState = messages::typed(&mut source);
            let state = TableState { format: 1 + u32::from(source.byte() % 12), ..state };
            snapshot(&state.encode_to_vec());
        }
        _ => damaged(&mut source),
    }
}

fn snapshot(bytes: &[u8]) {
    let Ok(table) = Table::load(bytes, SECRET) else { return };
    let kept = table.snapshot();
    let again = match Table::load(&kept, SECRET) {
        Ok(again) => again,
        Err(fault) => panic!("a snapshot of a table that was loaded does not load: {fault}"),
    };
    assert!(again.snapshot() == kept, "a table that was kept is another one");
}

fn damaged(source: &mut Source<'_>) {
    let journal = &JOURNALS[usize::from(source.byte()) % JOURNALS.len()];
    let mut changed = journal.clone();
    for _ in 0..=(source.byte() % 3) {
        let which = source.below(changed.len());
        let entry = &mut changed[which];
        let at = usize::from(source.pair()) % entry.len().max(1);
        match source.byte() % 4 {
            0 => entry[at] ^= 1 << (source.byte() % 8),
            1 => entry[at] = source.byte(),
            2 => entry.truncate(at),
            _ => entry.insert(at, source.byte()),
        }
        if changed[which].is_empty() {
            changed[which].push(0);
        }
    }
    let mut verifier = Verifier::new(SECRET);
    for entry in &changed {
        verifier.entry(entry);
    }
    let report = verifier.finish();
    let same = changed.iter().zip(journal).all(|(one, other)| {
        // Verification covers the content of entries, not their encoding or unhashed strings.
        match (Entry::decode(one.as_slice()), Entry::decode(other.as_slice())) {
            (Ok(one), Ok(other)) => {
                let texts = one.unhashed.iter().any(|apart| !apart.texts.is_empty());
                !texts && Entry { unhashed: None, ..one } == other
            }
            _ => false,
        }
    });
    assert_eq!(report.fault.is_none(), same, "{:?}", report.fault);
}
