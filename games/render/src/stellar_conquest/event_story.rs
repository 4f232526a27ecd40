//! The importance of each event in a game's story.

use heliopause_stellar_conquest::outer_space::tables::Happening;
use heliopause_stellar_conquest::{
    BattleEvent as Battle, ColonyEvent as Colony, Event, OwnEvent as Own,
    PoliticsEvent as Politics, TableEvent as Table,
};

use crate::document::Tone;

pub(super) fn importance(event: &Event) -> Option<Tone> {
    let is_plain = match event {
        Event::Table(Table::Ended { .. }) => return Some(Tone::Strong),
        Event::Battle(Battle::Conquered { .. }) => return Some(Tone::Notice),
        Event::Politics(event) => return of_politics(event),
        Event::Fate(_) => true,
        Event::Table(event) => matches!(event, Table::Seated { .. } | Table::PostChanged { .. }),
        Event::Own(Own::Researched { acquired, .. }) => acquired.iter().next().is_some(),
        Event::Own(event) => {
            matches!(event, Own::Explored { .. } | Own::Repelled { .. } | Own::PeopleKilled { .. })
        }
        Event::Colony(event) => matches!(event, Colony::ColonyGone { .. }),
        Event::Battle(event) => {
            matches!(event, Battle::BattleBegan { .. } | Battle::BattleEnded { .. })
        }
        Event::GlimpseKept { .. } => false,
    };
    is_plain.then_some(Tone::Plain)
}

fn of_politics(event: &Politics) -> Option<Tone> {
    if matches!(event, Politics::Claimed { .. } | Politics::Encountered { .. }) {
        return Some(Tone::Plain);
    }
    let is_omitted = matches!(
        event,
        // The story reports talks when they are held, so it omits the roll for talks.
        Politics::Rolled { diplomatic_event: Happening::Talks, .. }
            | Politics::PriorityRolled { .. }
            | Politics::ProductionEnded
            | Politics::RaidFought { .. }
            | Politics::RaidEnded { .. }
            | Politics::Scored { .. }
            | Politics::TensionRose { .. }
            | Politics::Vacated { .. }
    );
    (!is_omitted).then_some(Tone::Strong)
}

#[cfg(test)]
mod tests {
    use heliopause_kernel::Seat;
    use heliopause_stellar_conquest::Stage;

    use super::*;

    #[test]
    fn counts_are_not_part_of_the_story() {
        assert_eq!(importance(&Event::Table(Table::StageChanged { stage: Stage::Setup })), None);
        assert_eq!(of_politics(&Politics::Scored { seat: Seat::at(0), half_points: 3 }), None);
        assert_eq!(of_politics(&Politics::WarEnded), Some(Tone::Strong));
    }
}
