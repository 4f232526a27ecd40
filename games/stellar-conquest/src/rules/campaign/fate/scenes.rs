//! Test scenes of The Fate of Empire, and a test of its automated seats.

use heliopause_kernel::{Actor, Game, Seat, Viewer};

use crate::rules::referee::Referee;
use crate::state::{Colony, Event, Fate, Hold, Occupation, Order};
use crate::tables::{PlanetId, ShipKind};
use crate::testing::{Scene, aim};

pub(super) fn captain() -> Seat {
    Fate::captain()
}

pub(super) fn resolve(scene: &mut Scene, act: impl FnOnce(&mut Referee<'_>)) -> Vec<Event> {
    let mut referee = Referee::new(&mut scene.game, &mut scene.dice);
    act(&mut referee);
    let told = referee.told;
    told.to(Viewer::GameMaster).cloned().collect()
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

#[test]
fn fate_12_automated_seats_have_no_decisions() {
    let mut scene = Scene::fate();
    scene.explored(captain(), "Hydrae", 49);
    scene.ships(captain(), "P18", &[(ShipKind::Corvette, 1)]);
    let asked: Vec<_> = scene.game.pending().iter().map(|decision| decision.seat).collect();
    assert_eq!(asked, [captain()]);
    let orders = [Order::EndMovement, Order::EndTurn, aim(&[]), Order::BreakOff];
    for seat in [Fate::pirates(), Fate::independents()] {
        assert!(orders.iter().all(|order| scene.game.judge(Actor::Seat(seat), order).is_err()));
    }
}
