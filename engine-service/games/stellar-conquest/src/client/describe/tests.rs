//! Every event has a sentence and a rule that there is.

use heliopause_kernel::{Game, Seat};

use crate::state::event::{BattleEvent, Event, TableEvent};
use crate::state::position::StellarConquest;
use crate::state::table::Grouping;
use crate::tables::ships::{Fleet, ShipKind};
use crate::testing::{place, seat};

fn name(seat: Seat) -> String {
    format!("Player {}", seat.number())
}

#[test]
fn every_event_has_a_sentence_and_a_rule() {
    for event in crate::wire::tests::events() {
        let (sentence, rule) = StellarConquest::describe(&event, &name);
        assert!(sentence.len() > 8 && sentence.ends_with('.'), "{event:?}: {sentence}");
        assert!(!sentence.starts_with(char::is_lowercase), "{event:?}: {sentence}");
        assert!(StellarConquest::rule(rule).is_some(), "{sentence} has rule {rule}");
    }
}

#[test]
fn sentences_say_who_what_and_where() {
    let say = |event: &Event| StellarConquest::describe(event, &name);
    let left = [Fleet::from_iter([ShipKind::Corvette]), Fleet::NONE];
    let ended = Event::Battle(BattleEvent::BattleEnded { at: place("P18"), left });
    assert_eq!(
        say(&ended),
        ("The battle at Hydrae is over; left are 1 C against nothing.".to_owned(), "12.7")
    );
    let passed =
        Event::Table(TableEvent::Passed { seat: seat(2), path: vec![place("P18"), place("P17")] });
    assert_eq!(say(&passed), ("Ships of Player 2 move: P18 P17.".to_owned(), "5"));
    let grouped = Event::Table(TableEvent::Grouped {
        groups: Grouping { seat: seat(1), at: place("AA9"), groups: 1 },
    });
    assert_eq!(say(&grouped), ("Player 1 shows 1 group of ships in AA9.".to_owned(), "BR-30"));
}
