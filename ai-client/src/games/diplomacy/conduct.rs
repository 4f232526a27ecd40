//! What the published orders of the last movement phases show of the other powers: who attacked the
//! viewer, and who could have and did not.

use heliopause_diplomacy::{
    Event, Kind, Named, Order, Outcome, Phase, Place, Province, Provinces, Report, Table,
};
use heliopause_kernel::{Seat, SeatSet};

use super::survey::{Survey, entered};

/// How many movement phases in a row a power must spare the viewer before it is trusted: two years.
/// A power that takes what it can rarely leaves a neighbor alone for so long.
const PROVEN: Turn = 4;

/// A movement phase, numbered through the game: two a year.
pub(super) type Turn = u16;

/// The movement phase that is open, or comes next.
pub(super) fn next_turn(table: &Table) -> Turn {
    last_turn(table.year, table.phase) + 1
}

/// The last movement phase that was resolved before a phase.
fn last_turn(year: u16, phase: Phase) -> Turn {
    let spring = year.saturating_mul(2);
    match phase {
        Phase::SpringMovement => spring.saturating_sub(1),
        Phase::SpringRetreat | Phase::FallMovement => spring,
        Phase::FallRetreat | Phase::Winter => spring + 1,
    }
}

/// What one movement phase showed of the other powers.
#[derive(Clone, Debug)]
struct Shown {
    turn: Turn,
    /// The powers that attacked the viewer: moved to a center or a unit of the viewer, or helped
    /// such a move.
    attacked: SeatSet,
    /// The powers that moved and had a unit beside a center of the viewer, and did not attack.
    spared: SeatSet,
    /// The provinces that each power tried to enter.
    entered: Vec<(Seat, Province)>,
}

/// What the other powers ordered in the last movement phases, latest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Conduct {
    shown: Vec<Shown>,
}

impl Conduct {
    /// Reads the events that the seat received lately. `former` are centers that it owned before.
    pub(super) fn read(survey: &Survey<'_>, former: Provinces, recent: &[Event]) -> Self {
        let own = survey.position.centers_of(survey.me).union(former);
        let mut next = (survey.table.year, survey.table.phase);
        let mut shown = Vec::new();
        for event in recent.iter().rev() {
            match event {
                Event::PhaseBegan { year, phase } => next = (*year, *phase),
                Event::Moved { reports, .. } => {
                    shown.push(Shown::of(last_turn(next.0, next.1), survey.me, own, reports));
                }
                Event::Ordered { .. }
                | Event::Retreated { .. }
                | Event::TurnEnded { .. }
                | Event::Adjusted { .. }
                | Event::Eliminated { .. }
                | Event::Ended { .. } => {}
            }
        }
        Self { shown }
    }

    /// Whether a power attacked the viewer in the last `PROVEN` movement phases.
    pub(super) fn attacks(&self, table: &Table, seat: Seat) -> bool {
        self.attacked_since(seat, next_turn(table).saturating_sub(PROVEN))
    }

    /// Whether a power could have attacked the viewer in each of the last `PROVEN` movement phases
    /// and did not.
    pub(super) fn spares(&self, table: &Table, seat: Seat) -> bool {
        let next = next_turn(table);
        let late = self.shown.iter().filter(|shown| shown.turn + PROVEN >= next);
        late.filter(|shown| shown.spared.contains(seat)).count() >= usize::from(PROVEN)
    }

    /// Whether a power attacked the viewer in this movement phase or later.
    pub(super) fn attacked_since(&self, seat: Seat, turn: Turn) -> bool {
        self.shown.iter().any(|shown| shown.turn >= turn && shown.attacked.contains(seat))
    }

    /// Whether a power tried to enter one of some provinces in this movement phase or later.
    pub(super) fn entered_since(&self, seat: Seat, zone: Provinces, turn: Turn) -> bool {
        let late = self.shown.iter().filter(|shown| shown.turn >= turn);
        late.flat_map(|shown| &shown.entered).any(|&(who, at)| who == seat && zone.contains(at))
    }
}

impl Shown {
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

/// Whether a unit can go to one of some centers by itself.
fn is_beside(unit: Named, centers: Provinces) -> bool {
    let Place::Earth(at) = unit.at else { return false };
    let usual = if at.province().is_land() { Kind::Army } else { Kind::Fleet };
    !entered(unit.kind.unwrap_or(usual), at).intersection(centers).is_empty()
}

/// Where a move goes that an order makes or helps, and where the unit is that it helps.
fn target(order: &Order) -> Option<(Option<Province>, Province)> {
    let at = |unit: Named| unit.at.province();
    let on_earth = |to: Place| to.province();
    match *order {
        Order::Move { to, .. } => Some((None, on_earth(to)?)),
        Order::SupportMove { other, to, .. } => Some((at(other), on_earth(to)?)),
        Order::Convoy { army, to, .. } => Some((at(army), to.province())),
        Order::Hold { .. }
        | Order::SupportHold { .. }
        | Order::Colonize { .. }
        | Order::Retreat { .. }
        | Order::Disband { .. }
        | Order::Build { .. }
        | Order::Remove { .. }
        | Order::Waive => None,
    }
}
