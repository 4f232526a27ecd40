//! Helpers that set up and run test scenes of The Fate of Empire.

use heliopause_kernel::{Game, Seat, Viewer};

use crate::rules::referee::Referee;
use crate::rules::turn;
use crate::state::{Colony, Event, Fate, FateEvent, Hold, Occupation};
use crate::tables::PlanetId;
use crate::testing::Scene;

pub(super) fn captain() -> Seat {
    Fate::captain()
}

pub(super) fn resolve(scene: &mut Scene, act: impl FnOnce(&mut Referee<'_>)) -> Vec<Event> {
    let mut referee = Referee::new(&mut scene.game, &mut scene.dice);
    act(&mut referee);
    let told = referee.told;
    told.to(Viewer::GameMaster).cloned().collect()
}

pub(super) fn begin_turn(mut scene: Scene, turn: u8, dice: &[u32]) -> (Scene, Vec<Event>) {
    scene = scene.script(dice.iter().copied());
    let told = resolve(&mut scene, |referee| turn::begin_turn(referee, turn, captain()));
    assert_eq!(scene.dice.take_rolled().len(), dice.len(), "these dice are rolled, and no others");
    assert_eq!(scene.game.check(), Ok(()));
    (scene, told)
}

pub(super) fn fate_events(told: &[Event]) -> Vec<FateEvent> {
    let fate = |event: &Event| match event {
        Event::Fate(event) => Some(event.clone()),
        _ => None,
    };
    told.iter().filter_map(fate).collect()
}

pub(super) fn conquered(
    scene: &mut Scene,
    star: &str,
    nth: u8,
    change: impl Fn(Colony) -> Colony,
) -> PlanetId {
    let hold = Hold::Occupied(Occupation { by: captain(), waits: true });
    scene.colony(Fate::independents(), star, nth, |colony| {
        change(Colony { control: hold, ..colony })
    })
}

impl Scene {
    pub(super) fn fate_state(&self) -> &Fate {
        self.game.table().campaign.fate().expect("The Fate of Empire is played")
    }
}
