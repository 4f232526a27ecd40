//! Tests of event descriptions.

use std::fmt::Debug;

use heliopause_kernel::wire::Read;
use heliopause_kernel::{Game, Seat};

use crate::state::{
    BattleEvent, Cause, Change, Era, Event, Gone, Grouping, PoliticsEvent, Source, Stage,
    StellarConquest, TableEvent, WarKind,
};
use crate::tables::fate::RandomEvent;
use crate::tables::outer_space::{Happening, Talks, Terms, Verdict};
use crate::tables::{Fleet, ShipKind};
use crate::testing::{place, seat};

fn name(seat: Seat) -> String {
    format!("Player {}", seat.number())
}

#[test]
fn descriptions_name_seats_actions_and_places() {
    let say = |event: &Event| StellarConquest::describe(event, &name);
    let left = [Fleet::from_iter([ShipKind::Corvette]), Fleet::NONE];
    let ended = Event::Battle(BattleEvent::BattleEnded { at: place("P18"), left });
    assert_eq!(
        say(&ended),
        ("The battle at Hydrae is over; remaining: 1 C against nothing.".to_owned(), "12.7")
    );
    let passed =
        Event::Table(TableEvent::Passed { seat: seat(2), path: vec![place("P18"), place("P17")] });
    assert_eq!(say(&passed), ("Ships of Player 2 move: P18 P17.".to_owned(), "5"));
    let grouped = Event::Table(TableEvent::Grouped {
        groups: Grouping { seat: seat(1), at: place("AA9"), groups: 1 },
    });
    assert_eq!(say(&grouped), ("Ships of Player 1 in AA9: 1 group.".to_owned(), "BR-30"));
    let rolled = PoliticsEvent::PriorityRolled { seat: seat(1), die: 2, modifier: 0 };
    let order = "titles of research come first, then weapons, then factories";
    let sentence = format!("The economic priority die of Player 1 shows 2: {order}.");
    assert_eq!(say(&Event::Politics(rolled)), (sentence, "space-6.2"));
}

fn variants<T: Read<i32> + Debug>(event: &str) -> Vec<String> {
    let known = (0..40).filter_map(|number| T::read(&number).ok());
    known.map(|variant| format!("{event}.{variant:?}")).collect()
}

#[test]
fn every_case_of_an_event_has_a_sentence() {
    let keys = [
        variants::<Source>("ShipsCame"),
        variants::<Cause>("ShipsLost"),
        variants::<Change>("ColonyChanged"),
        variants::<Gone>("ColonyGone"),
        variants::<Era>("EraBegan"),
        variants::<RandomEvent>("EventRolled"),
        variants::<Happening>("Rolled"),
        variants::<Talks>("Talked"),
        variants::<Verdict>("ClashRolled"),
        variants::<Verdict>("DisputeRolled"),
        variants::<Terms>("PeaceMade"),
        [Stage::Setup, Stage::Movement, Stage::Combat, Stage::Battle].map(stage_key).to_vec(),
        [Stage::Planets, Stage::Production, Stage::Over].map(stage_key).to_vec(),
        [WarKind::Limited, WarKind::Total].map(|kind| format!("WarBegan.{kind:?}")).to_vec(),
    ];
    let rows = include_str!("events.tsv");
    for key in keys.iter().flatten() {
        assert!(rows.lines().any(|row| row.split('\t').next() == Some(key)), "{key}");
    }
    assert_eq!(keys.concat().len(), 76);
}

fn stage_key(stage: Stage) -> String {
    format!("StageChanged.{stage:?}")
}
