//! What happens, and how it changes what is known. Games and views follow events by the same
//! functions.

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

/// Something that happened. Only [`Event::Ordered`] and [`Event::Eliminated`] are not public.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(kinds = proto::event::Kind, message = proto::Event)]
pub enum Event {
    /// A seat gave an order, or took its orders back. Only it, and the game master, are told.
    Ordered {
        seat: Seat,
        #[wire(name = order)]
        command: Command,
    },
    PhaseBegan {
        year: u16,
        phase: Phase,
    },
    /// All movement orders were resolved.
    Moved {
        /// What became of each order.
        reports: Vec<Report>,
        /// The dislodged units, with where they can go.
        dislodged: Vec<Dislodged>,
        /// The provinces that standoffs left empty.
        contested: Provinces,
    },
    /// The dislodged units went elsewhere, or were taken off.
    Retreated {
        /// What became of each.
        #[wire(name = reports)]
        fates: Vec<RetreatReport>,
    },
    /// A turn ended (2 to 6, D2).
    TurnEnded {
        /// What became of each order to colonize.
        colonizing: Vec<ColonizeReport>,
        /// In fall: the centers that changed hands.
        centers: Vec<CenterTaken>,
        /// The powers that are out now.
        eliminated: SeatSet,
    },
    /// Units were built and removed.
    Adjusted {
        /// What became of each line; automatic removals have none.
        #[wire(name = reports)]
        lines: Vec<AdjustedLine>,
        /// The powers that are out now.
        eliminated: SeatSet,
    },
    /// A power is eliminated. Only its seat, and the game master, are told so beside the turn or
    /// the adjustments.
    Eliminated {
        seat: Seat,
    },
    /// The game ended.
    Ended {
        ending: Ending,
    },
}

/// What became of a line of adjustments, or an automatic removal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AdjustedLine {
    pub seat: Seat,
    /// The line; none for a removal by the rule of civil disorder.
    pub order: Option<Order>,
    /// What became of it.
    pub result: Adjusted,
}

impl Table {
    /// Follows what is public.
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

    /// Armies come into a spacecraft, or leave it.
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
