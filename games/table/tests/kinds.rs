//! Creating, storing and restoring every kind of game, and rejecting data of other kinds.

use heliopause_kernel::Rule;
use heliopause_proto::store::v1::*;
use heliopause_proto::v1::{GameOptions, GamePosition};
use heliopause_table::registry::{KINDS, Kind, kind};
use heliopause_table::{Fault, Table};

use crate::scene::{SECRET, Scene, in_sandbox};

/// Games that share a crate and its messages. A field of their options distinguishes them.
const FAMILIES: [&[&str]; 2] = [
    &["stellar-conquest", "fate-of-empire", "alone-in-outer-space"],
    &["diplomacy", "it-came-from-outer-space"],
];

fn create(
    kind: &Kind,
    options: Option<GameOptions>,
    position: Option<GamePosition>,
) -> Result<(Table, Entry), Fault> {
    let players = kind.describe().players_min as usize;
    let sandbox = Sandbox { position, ..Sandbox::default() };
    let created = Created { options, ..in_sandbox(kind.id, players, sandbox) };
    let scene = Scene::with(SECRET, created)?;
    Ok((scene.table, scene.entries.into_iter().next().expect("the first entry")))
}

fn laid(kind: &Kind) -> (Table, Entry) {
    create(kind, None, None).expect("the game as printed")
}

fn position(table: &Table) -> GamePosition {
    table.game().expect("a sandbox starts at once").position()
}

#[test]
fn every_kind_survives_storage_and_replay() {
    for kind in KINDS.iter() {
        let (table, entry) = laid(kind);
        assert_eq!(table.kind().id, kind.id);
        let restored = Table::load(&table.snapshot(), SECRET).expect(kind.id);
        assert_eq!(restored.kind().id, kind.id);
        assert_eq!(restored.snapshot(), table.snapshot(), "{}", kind.id);
        let replayed = Table::replay_first(&entry, SECRET).expect(kind.id);
        assert_eq!(replayed.snapshot(), table.snapshot(), "{}", kind.id);
        let (placed, _) = create(kind, None, Some(position(&table))).expect(kind.id);
        assert_eq!(position(&placed), position(&table), "{}", kind.id);
    }
}

#[test]
fn options_and_positions_of_other_kinds_are_rejected() {
    for kind in KINDS.iter() {
        for other in KINDS.iter().filter(|other| other.id != kind.id) {
            let fault =
                create(kind, other.describe().default_options, None).err().expect("other options");
            let family = FAMILIES
                .iter()
                .any(|family| family.contains(&kind.id) && family.contains(&other.id));
            let field = if family { "variant" } else { "options.game" };
            assert_eq!(fault.field.as_deref(), Some(field), "{}", kind.id);
            let fault = create(kind, None, Some(position(&laid(other).0)));
            let fault = fault.err().expect("another's position");
            let field = fault.field.expect("a field");
            assert!(field.starts_with("position"), "{}: {field}", kind.id);
        }
    }
}

#[test]
fn kinds_describe_their_seats_phases_and_profiles() {
    type Words = &'static [&'static str];
    let cases: [(&str, [u32; 3], Words, Words); 4] = [
        ("stellar-conquest", [2, 4, 4], &["power"], &["turn", "battle", "production", "setup"]),
        ("fate-of-empire", [1, 1, 1], &["captain-general", "pirates", "independents"], &[]),
        ("diplomacy", [2, 7, 7], &["power"], &["movement", "retreat", "adjustment"]),
        ("it-came-from-outer-space", [2, 7, 64], &["empire"], &[]),
    ];
    for (id, players, profiles, phase_kinds) in cases {
        let about = kind(id).expect("a kind").describe();
        assert_eq!([about.players_min, about.players_usual, about.players_max], players, "{id}");
        assert_eq!(about.profiles, profiles, "{id}");
        assert!(phase_kinds.is_empty() || about.phase_kinds == phase_kinds, "{id}");
    }
    let fate = kind("fate-of-empire").expect("a kind").describe();
    assert!(fate.phase_kinds.contains(&"campaign".to_owned()));
}

#[test]
fn every_kind_lists_exactly_its_rules() {
    let numbers = |id: &str| -> Vec<&str> {
        let kind = kind(id).expect("it is a game");
        kind.rules.rules().into_iter().map(|rule| rule.number).collect()
    };
    for kind in KINDS.iter() {
        let rules = kind.rules.rules();
        assert!(!rules.is_empty(), "{}", kind.id);
        for (nth, Rule { number, chapter, heading, text }) in rules.iter().enumerate() {
            assert_eq!(kind.rules.rule(number), Some(text.as_str()), "{} {number}", kind.id);
            let is_complete =
                [*chapter, heading.as_str(), text.as_str()].iter().all(|part| !part.is_empty());
            assert!(is_complete, "{} {number}", kind.id);
            let is_new = rules[..nth].iter().all(|other| other.number != *number);
            assert!(is_new, "{} {number}", kind.id);
        }
    }
    let starts = |id: &str, sign: &str| numbers(id).iter().any(|number| number.starts_with(sign));
    let family: [(&str, &[&str], &[&str]); 5] = [
        ("diplomacy", &["D4", "4.A.2"], &["1", "7", "R3", "R4", "R5"]),
        ("it-came-from-outer-space", &["D4", "R2", "R23"], &[]),
        ("stellar-conquest", &["BR-", "space-1.1"], &["fate-", "FR-", "space-2", "DR-4"]),
        ("fate-of-empire", &["BR-", "fate-", "FR-"], &["space-", "DR-"]),
        ("alone-in-outer-space", &["BR-", "space-2", "DR-4"], &["fate-", "FR-"]),
    ];
    for (id, own, foreign) in family {
        for sign in own {
            assert!(starts(id, sign), "{id} has {sign}");
        }
        for sign in foreign {
            assert!(!starts(id, sign), "{id} does not have {sign}");
        }
    }
}
