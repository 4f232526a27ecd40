//! Tests of event descriptions.

use heliopause_kernel::{Game, Seat};

use crate::state::{BattleEvent, Event, Grouping, PoliticsEvent, StellarConquest, TableEvent};
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
