//! Random steps in games of all kinds. No step panics, a refused one changes nothing, and the
//! journal can be replayed and verified.

use heliopause_proto::store::v1::*;
use heliopause_table::{Table, chain, verify::Verifier};
use proptest::prelude::*;
use prost::Message as _;
use step::Kind;

use crate::recorded::{Record, created};
use crate::scene::{self, SECRET, Scene, open, person, taken};

proptest! {
    #![proptest_config(heliopause_testing::cases(24))]

    #[test]
    fn steps_of_all_kinds_keep_invariants(seed: u64, anonymous: bool, steps in 1_usize..160) {
        let seats = vec![taken("ann"), taken("bob"), open()];
        let created = Created {
            game_master: Some(person("gm")),
            start_when_full: true,
            anonymous,
            ..created("starships-at-large", seats)
        };
        let mut record = Record::begin(created, "gm", seed, false);
        record.act_often(steps);
        record.verify();
        for (name, viewer) in Record::viewers() {
            let events = record.entries.iter().flat_map(|entry| Table::events_for(entry, viewer));
            let numbers: Vec<u64> = events.map(|event| event.number).collect();
            let all = 1..=record.table.event_count(viewer);
            prop_assert!(numbers.iter().copied().eq(all), "{name} received {numbers:?}");
        }
    }
}

#[test]
fn changed_journals_are_detected() {
    let mut created = scene::created("starships-at-large", &["ann", "bob"]);
    created.seats.push(open());
    let mut scene = Scene::new(created);
    scene.does("cid", Kind::Joined(Joined { player: Some(person("cid")), ..Joined::default() }));
    let [first, second] = scene.entries.try_into().expect("two entries");
    let fault = |entries: &[&Entry], secret: [u8; 32]| {
        let mut verifier = Verifier::new(secret);
        for entry in entries {
            verifier.entry(&entry.encode_to_vec());
        }
        verifier.finish().fault
    };
    let is_found = |entries: &[&Entry], secret, word: &str| {
        let fault = fault(entries, secret).expect("it was changed");
        assert!(fault.contains(word), "{fault}");
    };
    assert_eq!(fault(&[&first, &second], SECRET), None);
    is_found(&[&second], SECRET, "expected entry 1, found entry 2");
    // Another seed.
    is_found(&[&first, &second], [9; 32], "hash");
    let mut touched = second.clone();
    touched.rolls[0].value = touched.rolls[0].value % 6 + 1;
    is_found(&[&first, &touched], SECRET, "hash");
    // If the chain is forged too, the dice reveal the change.
    touched.hash = bytes::Bytes::new();
    touched.hash = chain::entry_hash(&SECRET, &first.hash, &touched).to_vec().into();
    is_found(&[&first, &touched], SECRET, "seed");
}
