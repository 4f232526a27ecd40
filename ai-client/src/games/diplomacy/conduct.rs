//! Attacks of other powers on the viewer, and phases in which they could have attacked but did not,
//! as recent events show them. [`Treaties`](super::treaties::Treaties) remember them for longer.

use heliopause_diplomacy::{
    Event, Kind, Named, Order, Outcome, Phase, Place, Province, Provinces, Report, Table,
};
use heliopause_kernel::{Seat, SeatSet};

use super::survey::{Survey, entered};

/// The number of movement phases since the start of the game, two per year.
pub(super) type Turn = u16;

pub(super) fn next_turn(table: &Table) -> Turn {
    last_turn(table.year, table.phase) + 1
}

fn last_turn(year: u16, phase: Phase) -> Turn {
    let spring = year.saturating_mul(2);
    match phase {
        Phase::SpringMovement => spring.saturating_sub(1),
        Phase::SpringRetreat | Phase::FallMovement => spring,
        Phase::FallRetreat | Phase::Winter => spring + 1,
    }
}

/// What other powers did in a movement phase.
#[derive(Clone, Debug)]
pub(super) struct PhaseConduct {
    pub(super) turn: Turn,
    /// Powers that attacked the viewer, or helped an attack.
    pub(super) attacked: SeatSet,
    /// Powers that moved, had a unit beside the viewer's centers, and did not attack.
    pub(super) spared: SeatSet,
    entered: Vec<(Seat, Province)>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Conduct {
    shown: Vec<PhaseConduct>,
}

impl Conduct {
    pub(super) fn read(survey: &Survey<'_>, former: Provinces, recent: &[Event]) -> Self {
        let own = survey.position.centers_of(survey.me).union(former);
        let mut next = (survey.table.year, survey.table.phase);
        let mut shown = Vec::new();
        for event in recent.iter().rev() {
            match event {
                Event::PhaseBegan { year, phase } => next = (*year, *phase),
                Event::Moved { reports, .. } => {
                    let turn = last_turn(next.0, next.1);
                    shown.push(PhaseConduct::of(turn, survey.me, own, reports));
                }
                _ => {}
            }
        }
        Self { shown }
    }

    /// Returns the phases that the recent events show, oldest first.
    pub(super) fn phases(&self) -> impl Iterator<Item = &PhaseConduct> {
        self.shown.iter().rev()
    }

    pub(super) fn entered_since(&self, seat: Seat, zone: Provinces, turn: Turn) -> bool {
        let late = self.shown.iter().filter(|shown| shown.turn >= turn);
        late.flat_map(|shown| &shown.entered).any(|&(who, at)| who == seat && zone.contains(at))
    }
}

impl PhaseConduct {
    fn of(turn: Turn, me: Seat, centers: Provinces, reports: &[Report]) -> Self {
        let own = || reports.iter().filter(|report| report.given.seat == me);
        let at = |report: &Report| report.given.order.unit().and_then(|unit| unit.at.province());
        let units: Provinces = own().filter_map(at).collect();
        let left = |report: &&Report| {
            matches!(report.given.order, Order::Move { .. })
                && matches!(report.outcome, Outcome::Succeeds { .. })
        };
        let stayed: Provinces = own().filter(|report| !left(report)).filter_map(at).collect();
        let (mut moved, mut near) = (SeatSet::EMPTY, SeatSet::EMPTY);
        let (mut attacked, mut entries) = (SeatSet::EMPTY, Vec::new());
        let legal = |report: &&Report| !matches!(report.outcome, Outcome::Illegal(_));
        for given in reports.iter().filter(legal).map(|report| report.given) {
            if given.seat == me {
                continue;
            }
            if given.order.unit().is_some_and(|unit| is_beside(unit, centers)) {
                near.insert(given.seat);
            }
            if let Order::Move { to, .. } = given.order {
                moved.insert(given.seat);
                entries.extend(to.province().map(|to| (given.seat, to)));
            }
            let Some((helped, to)) = target(&given.order) else { continue };
            let helps_me = helped.is_some_and(|at| units.contains(at));
            if !helps_me && (centers.contains(to) || stayed.contains(to)) {
                attacked.insert(given.seat);
            }
        }
        let spared = moved.intersection(near).difference(attacked);
        Self { turn, attacked, spared, entered: entries }
    }
}

fn is_beside(unit: Named, centers: Provinces) -> bool {
    let Place::Earth(at) = unit.at else { return false };
    let usual = if at.province().is_land() { Kind::Army } else { Kind::Fleet };
    !entered(unit.kind.unwrap_or(usual), at).intersection(centers).is_empty()
}

/// Returns the destination of an order that moves a unit or helps a move, and the position of the
/// helped unit. Returns `None` for all other orders.
fn target(order: &Order) -> Option<(Option<Province>, Province)> {
    let at = |unit: Named| unit.at.province();
    let on_earth = |to: Place| to.province();
    match *order {
        Order::Move { to, .. } => Some((None, on_earth(to)?)),
        Order::SupportMove { other, to, .. } => Some((at(other), on_earth(to)?)),
        Order::Convoy { army, to, .. } => Some((at(army), to.province())),
        _ => None,
    }
}
