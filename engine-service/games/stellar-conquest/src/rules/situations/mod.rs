//! The situations of the base game's page, and the rules between them, played out order by order.

mod assaults;
mod battles;
mod conquests;
mod exploring;
mod moving;
mod producing;
mod shields;
mod whole;

use heliopause_kernel::{Emitted, Seat};

use crate::rules::arrivals::bring;
use crate::rules::referee::Referee;
use crate::state::battle::{Shot, UnitId};
use crate::state::event::{BattleEvent, Event, OwnEvent, Source, TableEvent};
use crate::state::order::{Order, Voyage};
use crate::state::ship::ShipNumber;
use crate::state::standing::{FirePolicy, StandingOrders};
use crate::tables::cards::PlanetId;
use crate::tables::ships::ShipKind;
use crate::testing::{Scene, fleet, place, star};

/// A movement along these hexes, bound for a star.
fn sail(ships: &[ShipNumber], path: &[&str], bound: &str) -> Order {
    Order::Move(Voyage {
        ships: ships.to_vec(),
        path: path.iter().map(|name| place(name)).collect(),
        destination: (!bound.is_empty()).then(|| star(bound)),
        avoiding: Vec::new(),
        round_clouds: false,
        accept_loss: false,
    })
}

/// The same movement, whose losses are accepted.
fn accepting_loss(order: Order) -> Order {
    match order {
        Order::Move(voyage) => Order::Move(Voyage { accept_loss: true, ..voyage }),
        order => order,
    }
}

/// Units fire at units.
fn aim(shots: &[(u16, u16)]) -> Order {
    Order::Aim {
        shots: shots.iter().map(|&(by, at)| Shot { by: UnitId(by), at: UnitId(at) }).collect(),
    }
}

fn withdraw(units: &[u16], bound: &str) -> Order {
    let destination = (!bound.is_empty()).then(|| star(bound));
    Order::withdraw(units.iter().map(|&unit| UnitId(unit)).collect(), destination)
}

fn planet(name: &str, nth: u8) -> PlanetId {
    PlanetId { star: star(name), nth }
}

/// What was told, to the game master.
fn all(told: &Emitted<Event>) -> Vec<&Event> {
    told.iter().map(|told| &told.event).collect()
}

impl Scene {
    /// Ships that wait off the board.
    fn waiting(&mut self, of: Seat, ships: &[(ShipKind, u32)]) -> Vec<ShipNumber> {
        bring(
            &mut Referee::new(&mut self.game, &mut self.dice),
            of,
            fleet(ships),
            None,
            Source::Start,
        );
        self.power(of)
            .ships
            .iter()
            .filter(|ship| ship.at.is_none())
            .map(|ship| ship.number)
            .collect()
    }

    /// A seat never fires, and is not asked.
    pub(crate) fn holds_fire(&mut self, of: Seat) {
        let standing = StandingOrders { fire: FirePolicy::Hold, ..StandingOrders::default() };
        self.happen(&Event::Own(OwnEvent::StandingChanged { seat: of, standing }));
    }

    /// A seat gives an order that is accepted.
    pub(crate) fn obeyed(&mut self, by: Seat, order: Order) -> Emitted<Event> {
        self.order(by, order).expect("it is accepted")
    }
}
