//! Fate 4: random events, and what they bring.

use heliopause_kernel::Seat;

use crate::campaign::fate::{Fate, FateEvent};
use crate::event::Event;
use crate::referee::Referee;
use crate::ship::{Fleet, ShipKind};

impl Fate {
    pub(crate) fn apply(&mut self, event: &FateEvent) {
        match *event {
            FateEvent::WarChanged { war } => self.war = war,
            FateEvent::Elevated { turn } => self.sub_province = Some(turn),
            FateEvent::DebtChanged { half_points } => self.debt = half_points,
            FateEvent::PlanetRolled { planet, cell, .. } => {
                // 6.4: only the two Prime cells are, and their people tell which type it is.
                if cell.prime {
                    let slot = usize::from(cell.population > 40);
                    self.primes[slot] = self.primes[slot].or(Some(planet));
                }
            }
            FateEvent::IndependentFound { planet, turn } => {
                if let Err(index) = self.found.binary_search_by_key(&planet, |&(found, _)| found) {
                    self.found.insert(index, (planet, turn));
                }
            }
            FateEvent::Counted { of, kind, count } if of == Self::pirates() => self.destroyed.add(kind, count),
            FateEvent::Counted { kind, count, .. } => self.lost.add(kind, count),
            FateEvent::EventRolled { .. }
            | FateEvent::SwarmsSought { .. }
            | FateEvent::SwarmsStruck { .. }
            | FateEvent::PirateDie { .. }
            | FateEvent::DirectionRolled { .. }
            | FateEvent::DisengagementRolled { .. } => {}
        }
    }
}

impl Referee<'_> {
    /// 3, steps 1 and 2: the event (4), the Sub-Province's corvette (4.2 D), Swarms (5), and what must be withdrawn (4.4).
    /// Opens `CampaignStage::Recall` if ships must be chosen.
    pub(crate) fn fate_before_movement(&mut self) {
        todo!("fate 4")
    }

    /// 7.8, 11: ships that count for victory points: pirates destroyed, and Imperial ships destroyed by any cause.
    pub(crate) fn fate_count_losses(&mut self, of: Seat, lost: Fleet) {
        for kind in ShipKind::ALL.into_iter().filter(|&kind| lost.count(kind) > 0) {
            let count = lost.count(kind);
            self.announce(Event::Fate(FateEvent::Counted { of, kind, count }));
        }
    }
}
