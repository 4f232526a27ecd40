//! Events, and how they change the public state of games and views.

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Seat, SeatSet};
use heliopause_proto::diplomacy::v1 as proto;

use crate::adjustment::Adjusted;
use crate::board::Provinces;
use crate::command::Command;
use crate::movement::{Dislodged, Given, Movement, Report};
use crate::order::{Order, Place};
use crate::position::Unit;
use crate::retreat::{Fate, RetreatReport};
use crate::table::{Ending, Phase, Table};
use crate::turn_end::{CenterTaken, ColonizeReport, Colonizing, free_colonies};

/// A game event. All events are public except [`Event::Ordered`] and [`Event::Eliminated`].
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(kinds = proto::event::Kind, message = proto::Event)]
pub enum Event {
    /// A seat gave an order or withdrew its orders, or a conditional order became an order. Visible
    /// only to that seat and the game master.
    Ordered {
        seat: Seat,
        #[wire(name = order)]
        command: Command,
    },
    PhaseBegan {
        year: u16,
        phase: Phase,
    },
    Moved {
        reports: Vec<Report>,
        dislodged: Vec<Dislodged>,
        contested: Provinces,
    },
    Retreated {
        #[wire(name = reports)]
        fates: Vec<RetreatReport>,
    },
    /// A turn ended (2 to 6, D2).
    TurnEnded {
        colonizing: Vec<ColonizeReport>,
        centers: Vec<CenterTaken>,
        eliminated: SeatSet,
    },
    Adjusted {
        /// The result of each winter order, and the automatic removals, which have no order.
        #[wire(name = reports)]
        lines: Vec<AdjustedLine>,
        eliminated: SeatSet,
    },
    /// A power is eliminated. Visible only to its seat and the game master. Other viewers see it in
    /// the event that ends the turn or the adjustments.
    Eliminated {
        seat: Seat,
    },
    Ended {
        ending: Ending,
    },
}

/// The result of a winter order, or an automatic removal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AdjustedLine {
    pub seat: Seat,
    /// `None` for a removal by civil disorder.
    pub order: Option<Order>,
    pub result: Adjusted,
}

impl Table {
    pub(crate) fn apply(&mut self, event: &Event) {
        match event {
            Event::Ordered { .. } | Event::Eliminated { .. } => {}
            Event::PhaseBegan { year, phase } => {
                self.year = *year;
                self.phase = *phase;
                self.number = self.number.saturating_add(1);
            }
            Event::Moved { reports, .. } => {
                let orders: Vec<Given> = reports.iter().map(|report| report.given).collect();
                let movement = Movement::resolve(&self.position, &orders);
                let (after, attempts) = (movement.aftermath(), movement.attempts(&orders));
                self.position = after.position;
                self.dislodged = after.dislodged;
                self.attempts = attempts;
            }
            Event::Retreated { fates } => {
                self.dislodged.clear();
                for &RetreatReport { unit, fate } in fates {
                    self.retreat(unit, fate);
                }
            }
            Event::TurnEnded { colonizing, centers, eliminated } => {
                self.end_turn(colonizing, centers, *eliminated);
            }
            Event::Adjusted { lines, eliminated } => {
                for line in lines {
                    self.adjust(line);
                }
                self.eliminate(*eliminated);
            }
            Event::Ended { ending } => self.ending = Some(*ending),
        }
    }

    fn retreat(&mut self, unit: Unit, fate: Fate) {
        match fate {
            Fate::Retreated(Place::Earth(at)) => self.position.set(Unit { at, ..unit }),
            Fate::Retreated(Place::Orbit) => self.beam(unit.owner, 1),
            Fate::Disbanded | Fate::NoRetreat | Fate::NoOrder | Fate::Collided | Fate::NoRoom => {}
        }
    }

    fn end_turn(
        &mut self,
        colonizing: &[ColonizeReport],
        centers: &[CenterTaken],
        eliminated: SeatSet,
    ) {
        for ColonizeReport { attempt, result } in colonizing {
            if *result == Colonizing::Colonized {
                self.position.colonies[attempt.at.index()] = Some(attempt.seat);
            }
        }
        for taken in centers {
            self.position.centers[taken.center.index()] = Some(taken.new_owner);
        }
        self.attempts.clear();
        if self.phase.is_fall() {
            self.quiet_years =
                if centers.is_empty() { self.quiet_years.saturating_add(1) } else { 0 };
        }
        self.eliminate(eliminated);
    }

    fn adjust(&mut self, line: &AdjustedLine) {
        match line.result {
            Adjusted::Built(unit) => self.position.set(unit),
            Adjusted::Removed(_, Place::Earth(at)) => drop(self.position.take(at.province())),
            Adjusted::Removed(_, Place::Orbit) => self.beam(line.seat, -1),
            Adjusted::Waived | Adjusted::Fails(_) => {}
        }
    }

    fn beam(&mut self, seat: Seat, armies: i8) {
        if let Some(power) = self.position.powers.get_mut(seat.index()) {
            power.orbit = power.orbit.saturating_add_signed(armies);
        }
    }

    fn eliminate(&mut self, seats: SeatSet) {
        self.eliminated = self.eliminated.union(seats);
        seats.iter().for_each(|seat| free_colonies(&mut self.position, seat));
    }
}
