//! What a viewer was told, folded again from the beginning: views of earlier turns, and the game as
//! a story.

use heliopause_kernel::{Game as _, Viewer};
use heliopause_stellar_conquest::outer_space::tables::Happening;
use heliopause_stellar_conquest::{
    BattleEvent, ColonyEvent, Event, OwnEvent, PoliticsEvent, StellarConquest, TableEvent, View,
};

use crate::document::Tone;
use crate::story::Teller;

/// A game as it grew with its events.
pub(super) struct Tale {
    /// Nothing is known at its beginning.
    blank: View,
    /// The view so far; none before the game is set up, and in games that began from a position.
    view: Option<View>,
    /// The turn so far.
    turn: u32,
}

impl Tale {
    /// The game of a view. Who sees all is told what everybody may know: how the decks lay at the
    /// beginning was told nobody.
    pub(super) fn new(view: &View) -> Self {
        let viewer = match view.viewer() {
            Viewer::GameMaster => Viewer::Spectator,
            viewer @ (Viewer::Seat(_) | Viewer::Spectator) => viewer,
        };
        let blank = StellarConquest::view_before(view.table.options, view.table.players, viewer);
        Self { blank, view: None, turn: 0 }
    }

    fn learn(&mut self, event: &Event) {
        if matches!(event, Event::Table(TableEvent::Seated { .. })) {
            self.view = Some(self.blank.clone());
        }
        if let Some(view) = &mut self.view {
            StellarConquest::update(view, event);
        }
    }
}

/// The view at the end of an earlier turn.
pub(super) fn past(view: &View, told: &[Event], turn: u32) -> Result<View, String> {
    let now = u32::from(view.table.turn);
    if turn > now {
        return Err(format!("Turn {turn} has not come yet; this is turn {now}."));
    }
    let mut tale = Tale::new(view);
    for own in told {
        if began(own).is_some_and(|began| began > turn) {
            break;
        }
        tale.learn(own);
    }
    tale.view.ok_or_else(|| {
        "What was before is not known of a game that began from a position.".to_owned()
    })
}

/// The turn that begins with an event.
fn began(event: &Event) -> Option<u32> {
    let Event::Table(TableEvent::TurnBegan { turn, .. }) = event else { return None };
    Some(u32::from(*turn))
}

impl Teller<StellarConquest> for Tale {
    fn opens(&mut self, event: &Event) -> Option<String> {
        let turn = began(event).filter(|turn| *turn != self.turn)?;
        self.turn = turn;
        Some(format!("Turn {turn}"))
    }

    fn weighs(&mut self, event: &Event) -> Option<Tone> {
        self.learn(event);
        weight(event)
    }

    fn scene(&self) -> Option<View> {
        self.view.clone()
    }
}

/// How important an event is. Ships that pass and what colonies do every turn are no part of the
/// story.
fn weight(event: &Event) -> Option<Tone> {
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
        OwnEvent::Explored { .. } | OwnEvent::Repelled { .. } | OwnEvent::Slain { .. } => {
            Some(Tone::Plain)
        }
        OwnEvent::ShipsCame { .. }
        | OwnEvent::Sailed { .. }
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

/// Politics come above all; the counting that goes with them does not.
fn of_politics(event: &PoliticsEvent) -> Option<Tone> {
    use PoliticsEvent as Politics;
    match event {
        Politics::Claimed { .. } | Politics::Encountered { .. } => Some(Tone::Plain),
        // Talks are told when they are held.
        Politics::Rolled { happening: Happening::Talks, .. }
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
    use heliopause_games::Enveloped as _;
    use heliopause_kernel::{Dice, Emitted, Seat, Setup, Why, Wire as _};
    use heliopause_proto::v1::{self as proto, GameView, event};
    use heliopause_stellar_conquest::{Options, Stage, Variant};

    use super::*;
    use crate::own;
    use crate::story::story;

    fn envelope(view: &View) -> GameView {
        StellarConquest::seal_view(StellarConquest::write_view(view))
    }

    /// A game that plays itself by its defaults for so many turns, and what this viewer was told.
    fn played(variant: Variant, turns: u8, viewer: Viewer) -> (StellarConquest, Vec<proto::Event>) {
        let mut dice = Dice::new([5; 32]);
        let setup = Setup { options: Options::of(variant), players: 2 };
        let (mut game, told) =
            StellarConquest::new(&setup, &mut dice).expect("the options are sound");
        let mut events = Vec::new();
        let keep = |events: &mut Vec<proto::Event>, told: &Emitted<Event>| {
            events.extend(told.to(viewer).map(|told| proto::Event {
                text: StellarConquest::describe(told, &|seat| seat.to_string()).0,
                body: Some(event::Body::Game(StellarConquest::seal_event(
                    StellarConquest::write_event(told),
                ))),
                ..proto::Event::default()
            }));
        };
        keep(&mut events, &told);
        while game.table().turn <= turns {
            keep(&mut events, &game.close(Why::Deadline, &mut dice));
        }
        (game, events)
    }

    #[test]
    fn chapters_are_turns_and_end_with_the_map_of_their_time() {
        for variant in [Variant::Conquest, Variant::OuterSpace] {
            for viewer in [Viewer::Spectator, Viewer::Seat(Seat::at(1))] {
                let (game, events) = played(variant, 5, viewer);
                let view = game.view(viewer);
                assert!(
                    past(&view, &own::<StellarConquest>(&events), 6).as_ref() == Ok(&view),
                    "what was told makes the present"
                );
                let chapters = story(&envelope(&view), &events);
                let named =
                    |title: &String| chapters.iter().find(|chapter| chapter.title == *title);
                assert!(named(&"The beginning".to_owned()).is_some());
                for turn in 1..=5 {
                    let past = past(&view, &own::<StellarConquest>(&events), turn)
                        .expect("an earlier turn");
                    assert_eq!((u32::from(past.table.turn), past.viewer()), (turn, viewer));
                    if let Some(chapter) = named(&format!("Turn {turn}")) {
                        assert!(chapter.scene == Some(envelope(&past)), "turn {turn}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_was_before_a_position_is_not_known_nor_what_has_not_come() {
        let (game, events) = played(Variant::Conquest, 2, Viewer::Spectator);
        let view = game.view(Viewer::Spectator);
        assert!(
            past(&view, &own::<StellarConquest>(&events[1..]), 1).is_err(),
            "the seating is missing"
        );
        assert!(past(&view, &own::<StellarConquest>(&events), 40).is_err());
    }

    #[test]
    fn counting_is_no_part_of_the_story() {
        assert_eq!(of_table(&TableEvent::StageChanged { stage: Stage::Setup }), None);
        assert_eq!(of_politics(&PoliticsEvent::Scored { seat: Seat::at(0), half_points: 3 }), None);
        assert_eq!(of_politics(&PoliticsEvent::WarEnded), Some(Tone::Strong));
    }
}
