//! Creating, storing and restoring every kind of game, and rejecting data of other kinds.

use heliopause_proto::store::v1::*;
use heliopause_proto::v1::{GameOptions, GamePosition};
use heliopause_table::registry::{KINDS, Kind};
use heliopause_table::{Fault, Table, chain};

/// Games that share a crate and its messages. A field of their options distinguishes them.
const FAMILIES: [&[&str]; 2] = [
    &["stellar-conquest", "fate-of-empire", "alone-in-outer-space"],
    &["diplomacy", "it-came-from-outer-space"],
];
const SECRET: [u8; 32] = [7; 32];

fn create(
    kind: &Kind,
    options: Option<GameOptions>,
    position: Option<GamePosition>,
) -> Result<(Table, Entry), Fault> {
    let owner = Person { player_id: "ann".to_owned(), name: "Ann".to_owned() };
    let taken = Taken { player: Some(owner.clone()), ..Taken::default() };
    let players = kind.describe().players_min as usize;
    let created = Created {
        kind: kind.id.to_owned(),
        seats: vec![PlannedSeat { plan: Some(planned_seat::Plan::Taken(taken)) }; players],
        sandbox: Some(Sandbox { owner: Some(owner), position, ..Sandbox::default() }),
        seed_commitment: chain::commitment(&SECRET).to_vec().into(),
        game_id: "table".to_owned(),
        options,
        ..Created::default()
    };
    Table::create(created, SECRET, "ann", 0).map(|(table, taken)| (table, taken.entry))
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
            assert_eq!(
                fault.field.as_deref(),
                Some(if family { "variant" } else { "options.game" }),
                "{}",
                kind.id
            );
            let fault = create(kind, None, Some(position(&laid(other).0)))
                .err()
                .expect("another's position");
            let field = fault.field.expect("a field");
            assert!(field.starts_with("position"), "{}: {field}", kind.id);
        }
    }
}

#[test]
fn kinds_describe_their_seats_phases_and_profiles() {
    let described = |id: &str| KINDS.iter().find(|kind| kind.id == id).expect("a kind").describe();
    let conquest = described("stellar-conquest");
    assert_eq!((conquest.players_min, conquest.players_usual, conquest.players_max), (2, 4, 4));
    assert_eq!(conquest.profiles, ["power"]);
    assert_eq!(conquest.phase_kinds, ["turn", "battle", "production", "setup"]);
    let fate = described("fate-of-empire");
    assert_eq!((fate.players_min, fate.players_usual, fate.players_max), (1, 1, 1));
    assert_eq!(fate.profiles, ["captain-general", "pirates", "independents"]);
    assert!(fate.phase_kinds.contains(&"campaign".to_owned()));
    let standard = described("diplomacy");
    assert_eq!((standard.players_min, standard.players_usual, standard.players_max), (2, 7, 7));
    assert_eq!(standard.profiles, ["power"]);
    assert_eq!(standard.phase_kinds, ["movement", "retreat", "adjustment"]);
    let space = described("it-came-from-outer-space");
    assert_eq!((space.players_min, space.players_usual, space.players_max), (2, 7, 64));
    assert_eq!(space.profiles, ["empire"]);
}

#[test]
fn every_kind_lists_exactly_its_rules() {
    let numbers = |id: &str| -> Vec<&str> {
        let kind = KINDS.iter().find(|kind| kind.id == id).expect("it is a game");
        kind.rules.rules().into_iter().map(|(number, _)| number).collect()
    };
    for kind in KINDS.iter() {
        let rules = kind.rules.rules();
        assert!(!rules.is_empty(), "{}", kind.id);
        for (nth, (number, heading)) in rules.iter().enumerate() {
            let text = kind.rules.rule(number).unwrap_or_else(|| panic!("{} {number}", kind.id));
            assert!(!text.is_empty() && !heading.is_empty(), "{} {number}", kind.id);
            assert!(rules[..nth].iter().all(|(other, _)| other != number), "{} {number}", kind.id);
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
