//! What a viewer was told, folded again from the beginning: views of earlier turns, and the game as a story.

use heliopause_games::Enveloped as _;
use heliopause_kernel::{Game as _, Viewer, Wire as _};
use heliopause_proto::stellar_conquest::v1::{self as proto, Happening, event::Kind, politics_event::Kind as Politics};
use heliopause_proto::v1::{GameEvent, GameView, game_view};
use heliopause_stellar_conquest::{Event as Told, StellarConquest, TableEvent, View};

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
    /// The game of a view. Who sees all is told what everybody may know: how the decks lay at the beginning was told nobody.
    pub(super) fn new(view: &View) -> Self {
        let viewer = match view.viewer() {
            Viewer::GameMaster => Viewer::Spectator,
            viewer => viewer,
        };
        let blank = StellarConquest::view_before(view.table.options, view.table.players, viewer);
        Self { blank, view: None, turn: 0 }
    }

    fn learn(&mut self, event: &proto::Event) {
        let Ok(told) = StellarConquest::read_event(event) else { return };
        if matches!(told, Told::Table(TableEvent::Seated { .. })) {
            self.view = Some(self.blank.clone());
        }
        if let Some(view) = &mut self.view {
            StellarConquest::update(view, &told);
        }
    }
}

/// The view at the end of an earlier turn.
pub(super) fn past(view: &View, told: &[&proto::Event], turn: u32) -> Result<View, String> {
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
    tale.view.ok_or_else(|| "What was before is not known of a game that began from a position.".to_owned())
}

/// The turn that begins with an event.
fn began(event: &proto::Event) -> Option<u32> {
    match &event.kind {
        Some(Kind::TurnBegan(began)) => Some(began.turn),
        _ => None,
    }
}

impl Teller for Tale {
    fn opens(&mut self, event: &GameEvent) -> Option<String> {
        let turn = began(StellarConquest::own_event(event)?).filter(|turn| *turn != self.turn)?;
        self.turn = turn;
        Some(format!("Turn {turn}"))
    }

    fn weighs(&mut self, event: &GameEvent) -> Option<Tone> {
        let event = StellarConquest::own_event(event)?;
        self.learn(event);
        weight(event.kind.as_ref()?)
    }

    fn scene(&self) -> Option<GameView> {
        self.view.as_ref().map(envelope)
    }
}

fn envelope(view: &View) -> GameView {
    GameView { game: Some(game_view::Game::StellarConquest(StellarConquest::write_view(view))) }
}

/// How important an event is. Ships that pass and what colonies do every turn are no part of the story.
fn weight(kind: &Kind) -> Option<Tone> {
    match kind {
        Kind::Politics(event) => politics(event.kind.as_ref()?),
        Kind::Conquered(_) => Some(Tone::Notice),
        Kind::Ended(_) => Some(Tone::Strong),
        Kind::Researched(researched) if researched.acquired.is_empty() => None,
        Kind::Seated(_)
        | Kind::BattleBegan(_)
        | Kind::BattleEnded(_)
        | Kind::ColonyGone(_)
        | Kind::Explored(_)
        | Kind::Fate(_)
        | Kind::PostChanged(_)
        | Kind::Repelled(_)
        | Kind::Researched(_)
        | Kind::Slain(_) => Some(Tone::Plain),
        _ => None,
    }
}

/// Politics come above all; the counting that goes with them does not.
fn politics(kind: &Politics) -> Option<Tone> {
    match kind {
        Politics::Claimed(_) | Politics::Encountered(_) => Some(Tone::Plain),
        Politics::PriorityRolled(_)
        | Politics::ProductionEnded(_)
        | Politics::RaidFought(_)
        | Politics::RaidEnded(_)
        | Politics::Scored(_)
        | Politics::TensionRose(_)
        | Politics::Vacated(_) => None,
        // Talks are told when they are held.
        Politics::Rolled(rolled) if rolled.happening() == Happening::Talks => None,
        _ => Some(Tone::Strong),
    }
}

#[cfg(test)]
mod tests {
    use heliopause_kernel::{Dice, Emitted, Seat, Setup, Why};
    use heliopause_proto::stellar_conquest::v1::Stage;
    use heliopause_proto::v1::{Event, event, game_event};
    use heliopause_stellar_conquest::{Options, Variant};

    use super::*;
    use crate::own;
    use crate::story::story;

    /// A game that plays itself by its defaults for so many turns, and what this viewer was told.
    fn played(variant: Variant, turns: u8, viewer: Viewer) -> (StellarConquest, Vec<Event>) {
        let mut dice = Dice::new([5; 32]);
        let setup = Setup { options: Options::of(variant), players: 2 };
        let (mut game, told) = StellarConquest::new(&setup, &mut dice).expect("the options are sound");
        let mut events = Vec::new();
        let keep = |events: &mut Vec<Event>, told: &Emitted<Told>| {
            events.extend(told.to(viewer).map(|told| Event {
                text: StellarConquest::describe(told, &|seat| seat.to_string()).0,
                body: Some(event::Body::Game(GameEvent {
                    game: Some(game_event::Game::StellarConquest(StellarConquest::write_event(told))),
                })),
                ..Event::default()
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
                let named = |title: &String| chapters.iter().find(|chapter| chapter.title == *title);
                assert!(named(&"The beginning".to_owned()).is_some());
                for turn in 1..=5 {
                    let past = past(&view, &own::<StellarConquest>(&events), turn).expect("an earlier turn");
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
        assert!(past(&view, &own::<StellarConquest>(&events[1..]), 1).is_err(), "the seating is missing");
        assert!(past(&view, &own::<StellarConquest>(&events), 40).is_err());
    }

    #[test]
    fn counting_is_no_part_of_the_story() {
        let stage = proto::StageChanged { stage: Some(Stage::default()) };
        assert_eq!(weight(&Kind::StageChanged(stage)), None);
        assert_eq!(politics(&Politics::Scored(proto::Scored { seat: 1, half_points: 3 })), None);
        assert_eq!(politics(&Politics::WarEnded(proto::WarEnded {})), Some(Tone::Strong));
    }
}
