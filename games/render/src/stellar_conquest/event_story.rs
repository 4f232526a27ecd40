//! The importance of each event in a game's story.

use heliopause_stellar_conquest::outer_space::tables::Happening;
use heliopause_stellar_conquest::{
    BattleEvent, ColonyEvent, Event, OwnEvent, PoliticsEvent, TableEvent,
};

use crate::document::Tone;

pub(super) fn importance(event: &Event) -> Option<Tone> {
    match event {
        Event::Table(event) => of_table(event),
        Event::Own(event) => of_own(event),
        Event::Colony(ColonyEvent::ColonyGone { .. }) | Event::Fate(_) => Some(Tone::Plain),
        Event::Colony(ColonyEvent::ColonyChanged { .. }) | Event::GlimpseKept { .. } => None,
        Event::Battle(event) => of_battle(event),
        Event::Politics(event) => of_politics(event),
    }
}

fn of_table(event: &TableEvent) -> Option<Tone> {
    match event {
        TableEvent::Ended { .. } => Some(Tone::Strong),
        TableEvent::Seated { .. } | TableEvent::PostChanged { .. } => Some(Tone::Plain),
        TableEvent::TurnBegan { .. }
        | TableEvent::StageChanged { .. }
        | TableEvent::Grouped { .. }
        | TableEvent::Passed { .. }
        | TableEvent::ColonyShown { .. } => None,
    }
}

fn of_own(event: &OwnEvent) -> Option<Tone> {
    match event {
        OwnEvent::Researched { acquired, .. } => acquired.iter().next().map(|_| Tone::Plain),
        OwnEvent::Explored { .. } | OwnEvent::Repelled { .. } | OwnEvent::PeopleKilled { .. } => {
            Some(Tone::Plain)
        }
        OwnEvent::ShipsCame { .. }
        | OwnEvent::ShipsMoved { .. }
        | OwnEvent::Formed { .. }
        | OwnEvent::ShipsLost { .. }
        | OwnEvent::RiskRolled { .. }
        | OwnEvent::Surveyed { .. }
        | OwnEvent::Sighted { .. }
        | OwnEvent::Glimpsed { .. }
        | OwnEvent::GlimpseEnded { .. }
        | OwnEvent::GrantChanged { .. }
        | OwnEvent::StandingChanged { .. }
        | OwnEvent::SheetStored { .. }
        | OwnEvent::LandingBegan { .. }
        | OwnEvent::Engaged { .. }
        | OwnEvent::AgendaSet { .. } => None,
    }
}

fn of_battle(event: &BattleEvent) -> Option<Tone> {
    match event {
        BattleEvent::Conquered { .. } => Some(Tone::Notice),
        BattleEvent::BattleBegan { .. } | BattleEvent::BattleEnded { .. } => Some(Tone::Plain),
        BattleEvent::ColoniesAttacked { .. }
        | BattleEvent::Aimed { .. }
        | BattleEvent::RoundFought { .. }
        | BattleEvent::Seized { .. }
        | BattleEvent::BattleStageChanged { .. }
        | BattleEvent::Withdrawing { .. }
        | BattleEvent::RefugeChosen { .. } => None,
    }
}

fn of_politics(event: &PoliticsEvent) -> Option<Tone> {
    use PoliticsEvent as Politics;
    match event {
        Politics::Claimed { .. } | Politics::Encountered { .. } => Some(Tone::Plain),
        // A roll for talks is omitted, because the story reports talks when they are held.
        Politics::Rolled { diplomatic_event: Happening::Talks, .. }
        | Politics::PriorityRolled { .. }
        | Politics::ProductionEnded
        | Politics::RaidFought { .. }
        | Politics::RaidEnded { .. }
        | Politics::Scored { .. }
        | Politics::TensionRose { .. }
        | Politics::Vacated { .. } => None,
        Politics::EraBegan { .. }
        | Politics::Rolled { .. }
        | Politics::Talked { .. }
        | Politics::IncidentBegan(_)
        | Politics::IncidentRolled { .. }
        | Politics::IncidentEnded { .. }
        | Politics::RaidLaunched(_)
        | Politics::WarBegan(_)
        | Politics::Escalated
        | Politics::Joined { .. }
        | Politics::ChangedSides { .. }
        | Politics::Departed { .. }
        | Politics::LeftWar { .. }
        | Politics::TruceChanged { .. }
        | Politics::PeaceMade { .. }
        | Politics::WarEnded
        | Politics::Ceded { .. }
        | Politics::Fell { .. } => Some(Tone::Strong),
    }
}

#[cfg(test)]
mod tests {
    use heliopause_kernel::Seat;
    use heliopause_stellar_conquest::Stage;

    use super::*;

    #[test]
    fn counts_are_not_part_of_the_story() {
        assert_eq!(of_table(&TableEvent::StageChanged { stage: Stage::Setup }), None);
        assert_eq!(of_politics(&PoliticsEvent::Scored { seat: Seat::at(0), half_points: 3 }), None);
        assert_eq!(of_politics(&PoliticsEvent::WarEnded), Some(Tone::Strong));
    }
}
