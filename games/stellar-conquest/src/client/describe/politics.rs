//! Descriptions of events of Alone in Outer Space.

use heliopause_kernel::{Seat, SeatSet};

use crate::client::describe::words::{Description, Names, row, say};
use crate::state::{PoliticsEvent, Quarrel, War};
use crate::tables::outer_space::{Area, Terms, priorities};
use crate::tables::texts::halves;

#[expect(clippy::too_many_lines, reason = "one arm for each event")]
pub(super) fn describe(event: &PoliticsEvent, names: Names<'_>) -> Description {
    use PoliticsEvent::{
        Ceded, ChangedSides, Claimed, Departed, Encountered, EraBegan, Escalated, Fell,
        IncidentBegan, IncidentEnded, IncidentRolled, Joined, LeftWar, PeaceMade, PriorityRolled,
        ProductionEnded, RaidEnded, RaidFought, RaidLaunched, Rolled, Scored, Talked, TensionRose,
        TruceChanged, Vacated, WarBegan, WarEnded,
    };

    match event {
        Claimed { seat, star } => say!("Claimed", who = names(*seat), star),
        EraBegan { era } => say!(&format!("EraBegan.{era:?}")),
        Ceded { star, to, enslaved: false } => say!("Ceded", star, to = names(*to)),
        Ceded { star, to, enslaved: true } => say!("Ceded.Enslaved", star, to = names(*to)),
        Vacated { planet } => say!("Vacated", planet),
        Fell { seat } => say!("Fell", who = names(*seat)),
        ProductionEnded => say!("ProductionEnded"),
        IncidentBegan(incident) => {
            let [one, other] = incident.pair.map(names);
            match incident.quarrel {
                Quarrel::Clash { .. } => say!("IncidentBegan.Clash", one, other),
                Quarrel::Dispute { star } => say!("IncidentBegan.Dispute", one, other, star),
            }
        }
        IncidentRolled { incident, dice: [one, two], modifier, verdict } => {
            let (pair, sum) = (both(incident.pair, names), one + two + modifier);
            match incident.quarrel {
                Quarrel::Clash { .. } => say!(&format!("ClashRolled.{verdict:?}"), sum, pair),
                Quarrel::Dispute { star } => {
                    say!(&format!("DisputeRolled.{verdict:?}"), sum, pair, star)
                }
            }
        }
        IncidentEnded { pair } => say!("IncidentEnded", pair = both(*pair, names)),
        TensionRose { pair, by } => say!("TensionRose", pair = both(*pair, names), by),
        RaidLaunched(raid) => {
            say!("RaidLaunched", who = names(raid.seat), at = raid.at, from = raid.from)
        }
        RaidFought { at } => say!("RaidFought", at),
        RaidEnded { at } => say!("RaidEnded", at),
        WarBegan(War { kind, sides: [one, other], .. }) => {
            say!(&format!("WarBegan.{kind:?}"), one = all(*one, names), other = all(*other, names))
        }
        Escalated => say!("Escalated"),
        Joined { seat, against } => {
            say!("Joined", who = names(*seat), against = names(*against))
        }
        ChangedSides { seat } => say!("ChangedSides", who = names(*seat)),
        Departed { seat } => say!("Departed", who = names(*seat)),
        LeftWar { seat } => say!("LeftWar", who = names(*seat)),
        TruceChanged { truce: true } => say!("TruceChanged.Truce"),
        TruceChanged { truce: false } => say!("TruceChanged.War"),
        Scored { seat, half_points } => {
            say!("Scored", who = names(*seat), points = halves(*half_points))
        }
        PeaceMade { sides, half_points, terms, winner } => {
            peace(*sides, *half_points, *terms, *winner, names)
        }
        WarEnded => say!("WarEnded"),
        Encountered { seat, star, dice: [one, two] } if one + two >= 11 => {
            say!("Encountered.Shots", star, who = names(*seat))
        }
        Encountered { seat, star, .. } => say!("Encountered", star, who = names(*seat)),
        Rolled { dice: [one, two], modifier, diplomatic_event: event, pair, .. } => {
            let between =
                pair.map_or_else(String::new, |pair| format!(" between {}", both(pair, names)));
            say!(&format!("Rolled.{event:?}"), sum = one + two + modifier, between)
        }
        Talked { dice: [one, two], modifier, talks } => {
            say!(&format!("Talked.{talks:?}"), sum = one + two + modifier)
        }
        PriorityRolled { seat, die, modifier } => {
            let sum = die + modifier;
            let [first, second, third] = priorities(sum).map(area);
            say!("PriorityRolled", who = names(*seat), sum, first, second, third)
        }
    }
}

fn all(seats: SeatSet, names: Names<'_>) -> String {
    row(&seats.iter().map(names).collect::<Vec<String>>())
}

fn both([one, other]: [Seat; 2], names: Names<'_>) -> String {
    format!("{} and {}", names(one), names(other))
}

fn peace(
    sides: [SeatSet; 2],
    half_points: [u32; 2],
    terms: Terms,
    winner: Option<u8>,
    names: Names<'_>,
) -> Description {
    let order = if winner == Some(1) { [1, 0] } else { [0, 1] };
    let [first, second] = order.map(|side| all(sides[side], names));
    let points = order.map(|side| halves(half_points[side])).join(" to ");
    say!(&format!("PeaceMade.{terms:?}"), first, second, points)
}

fn area(area: Area) -> &'static str {
    match area {
        Area::Factories => "factories",
        Area::Research => "titles of research",
        Area::Weapons => "weapons",
    }
}
