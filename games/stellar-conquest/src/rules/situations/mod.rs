//! Tests of situations and interactions in the base game, played order by order.

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
use crate::state::{
    BattleEvent, Event, FirePolicy, Order, OwnEvent, ShipNumber, Source, StandingOrders,
    TableEvent, UnitId,
};
use crate::tables::ShipKind;
use crate::testing::{Scene, aim, fleet, place, planet, sail, star};

fn withdraw(units: &[u16], bound: &str) -> Order {
    let destination = (!bound.is_empty()).then(|| star(bound));
    Order::withdraw(units.iter().map(|&unit| UnitId(unit)).collect(), destination)
}

fn all(told: &Emitted<Event>) -> Vec<&Event> {
    told.iter().map(|told| &told.event).collect()
}

impl Scene {
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

    pub(crate) fn holds_fire(&mut self, of: Seat) {
        let standing = StandingOrders { fire: FirePolicy::Hold, ..StandingOrders::default() };
        self.happen(&Event::Own(OwnEvent::StandingChanged { seat: of, standing }));
    }
}
