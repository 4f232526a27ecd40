//! The orders of the last phases, with their results.

use heliopause_diplomacy::{
    Adjusted, AdjustedLine, ColonizeReport, Colonizing, Event, Fate, Named, Names, Order, Outcome,
    Phase, Place, Report, RetreatReport, Site, Table, explain,
};
use heliopause_kernel::Seat;

use crate::scene::SceneOutcome;

#[derive(Clone, Debug)]
pub(super) struct DrawnOrder {
    pub(super) seat: Seat,
    pub(super) order: Order,
    pub(super) success: SceneOutcome,
    pub(super) dislodged: bool,
    /// The result and its reason. Empty if the order has not been resolved.
    pub(super) result: String,
}

impl DrawnOrder {
    pub(super) fn given(seat: Seat, order: Order) -> Self {
        let success = SceneOutcome::Unspecified;
        Self { seat, order, success, dislodged: false, result: String::new() }
    }

    fn resolved(seat: Seat, order: Order, success: SceneOutcome, result: &str) -> Self {
        Self { success, result: result.to_owned(), ..Self::given(seat, order) }
    }

    pub(super) fn moved(report: &Report, names: Names<'_>) -> Self {
        let outcome = report.outcome;
        let success = if outcome == Outcome::Pending {
            SceneOutcome::Unspecified
        } else if matches!(outcome, Outcome::Succeeds { .. } | Outcome::Given | Outcome::Holds) {
            SceneOutcome::Success
        } else {
            SceneOutcome::Failure
        };
        let by_convoy = if report.by_convoy { ", by convoy" } else { "" };
        let result = explain(outcome, &report.helpers, names) + by_convoy;
        let given = Self::resolved(report.given.seat, report.given.order, success, &result);
        Self { dislodged: report.dislodged, ..given }
    }

    /// Returns the result, and whether the unit was dislodged.
    pub(super) fn told(&self) -> String {
        let dislodged = if self.dislodged { "; dislodged" } else { "" };
        format!("{}{dislodged}", self.result)
    }

    fn retreated(report: RetreatReport) -> Self {
        let unit = Named { kind: Some(report.unit.kind), at: Place::Earth(report.unit.at) };
        let disband = Order::Disband { unit };
        let (order, result) = match report.fate {
            Fate::Retreated(to) => (Order::Retreat { unit, to }, "succeeds"),
            Fate::Disbanded => (disband, "disbanded"),
            Fate::NoRetreat => (disband, "disbanded: cannot retreat"),
            Fate::NoOrder => (disband, "disbanded: no order"),
            Fate::Collided => (disband, "disbanded: others retreated to the same province"),
            Fate::NoRoom => (disband, "disbanded: too many retreated to the spacecraft"),
        };
        Self::resolved(report.unit.owner, order, SceneOutcome::Success, result)
    }

    fn adjusted(line: &AdjustedLine) -> Option<Self> {
        let done =
            |order, result| Some(Self::resolved(line.seat, order, SceneOutcome::Success, result));
        match line.result {
            Adjusted::Built(unit) => {
                let unit = Site { kind: Some(unit.kind), at: unit.at };
                done(Order::Build { unit }, "built")
            }
            Adjusted::Removed(kind, at) => {
                let by_order = line.order.is_some();
                let result = if by_order { "removed" } else { "removed by civil disorder" };
                done(Order::Remove { unit: Named { kind: Some(kind), at } }, result)
            }
            Adjusted::Waived => None,
            Adjusted::Fails(fault) => line.order.map(|order| {
                Self::resolved(line.seat, order, SceneOutcome::Failure, fault.sentence())
            }),
        }
    }

    fn colonized(&mut self, report: &ColonizeReport, names: Names<'_>) {
        (self.success, self.result) = match report.result {
            Colonizing::Colonized => (SceneOutcome::Success, "colonized".to_owned()),
            Colonizing::Occupied(by) => {
                (SceneOutcome::Failure, format!("fails: {} has a unit there", names(by)))
            }
            Colonizing::Spoiled(by) => {
                (SceneOutcome::Failure, format!("fails: {} tried to enter it too", names(by)))
            }
        };
    }
}

/// The results of the last movement phase and of the phases after it.
#[derive(Clone, Debug, Default)]
pub(super) struct RecentOrders {
    pub(super) drawn: Vec<DrawnOrder>,
    /// The date of each phase, or a description if the date is unknown.
    pub(super) phases: Vec<String>,
}

impl RecentOrders {
    /// Collects the results from events. `table` is the state after these events.
    pub(super) fn of(told: &[Event], table: &Table, names: Names<'_>) -> Self {
        let is_movement = |event: &Event| matches!(event, Event::Moved { .. });
        let movement = told.iter().rposition(is_movement);
        let first = movement.unwrap_or(0);
        let mut date = told[..first].iter().rev().find_map(date);
        if movement.is_some() && date.is_none() {
            // The start of the phase is not among the events: infer its date from later ones or
            // from the table.
            let next = told[first..].iter().find_map(began);
            let now = table.ending.is_none().then_some((table.year, table.phase));
            date = next.or(now).map(movement_before);
        }
        let mut recent_orders = Self::default();
        for event in &told[first..] {
            let (drawn, phase): (Vec<DrawnOrder>, _) = match event {
                Event::Moved { reports, .. } => {
                    let moved = |report| DrawnOrder::moved(report, names);
                    (reports.iter().map(moved).collect(), "the last movement")
                }
                Event::Retreated { fates } => (
                    fates.iter().copied().map(DrawnOrder::retreated).collect(),
                    "the last retreats",
                ),
                Event::Adjusted { lines, .. } => {
                    (lines.iter().filter_map(DrawnOrder::adjusted).collect(), "the last winter")
                }
                Event::PhaseBegan { .. } => {
                    date = self::date(event);
                    continue;
                }
                Event::TurnEnded { colonizing, .. } => {
                    recent_orders.colonized(colonizing, names);
                    continue;
                }
                Event::Ordered { .. } | Event::Eliminated { .. } | Event::Ended { .. } => continue,
            };
            recent_orders.drawn.extend(drawn);
            recent_orders.phases.push(date.clone().unwrap_or_else(|| phase.to_owned()));
        }
        recent_orders
    }

    fn colonized(&mut self, reports: &[ColonizeReport], names: Names<'_>) {
        for report in reports {
            let attempt = report.attempt;
            let is_this =
                |one: &&mut DrawnOrder| (one.seat, one.order) == (attempt.seat, attempt.order);
            if let Some(drawn) = self.drawn.iter_mut().find(is_this) {
                drawn.colonized(report, names);
            }
        }
    }
}

fn movement_before((year, phase): (u16, Phase)) -> String {
    match phase {
        Phase::SpringRetreat | Phase::FallMovement => dated((year, Phase::SpringMovement)),
        Phase::FallRetreat | Phase::Winter => dated((year, Phase::FallMovement)),
        Phase::SpringMovement => dated((year - 1, Phase::FallMovement)),
    }
}

fn began(event: &Event) -> Option<(u16, Phase)> {
    let Event::PhaseBegan { year, phase } = event else { return None };
    Some((*year, *phase))
}

fn date(event: &Event) -> Option<String> {
    began(event).map(dated)
}

fn dated((year, phase): (u16, Phase)) -> String {
    let (season, what) = match phase {
        Phase::SpringMovement => ("Spring", ", movement"),
        Phase::SpringRetreat => ("Spring", ", retreats"),
        Phase::FallMovement => ("Fall", ", movement"),
        Phase::FallRetreat => ("Fall", ", retreats"),
        Phase::Winter => ("Winter", ""),
    };
    format!("{season} {year}{what}")
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn arrows_name_their_phases() {
        let names = |seat: Seat| seat.to_string();
        let (game, mut told) = sample::standard();
        assert_eq!(RecentOrders::of(&told, game.table(), &names).phases, ["Spring 1902, movement"]);
        told.retain(|event| date(event).is_none());
        let mut table = game.table().clone();
        for (year, phase, date) in [
            (1902, Phase::SpringRetreat, "Spring 1902, movement"),
            (1902, Phase::FallMovement, "Spring 1902, movement"),
            (1902, Phase::FallRetreat, "Fall 1902, movement"),
            (1902, Phase::Winter, "Fall 1902, movement"),
            (1903, Phase::SpringMovement, "Fall 1902, movement"),
        ] {
            (table.year, table.phase) = (year, phase);
            assert_eq!(RecentOrders::of(&told, &table, &names).phases, [date]);
        }
        told.insert(0, Event::PhaseBegan { year: 1902, phase: Phase::FallMovement });
        let winter = Event::PhaseBegan { year: 1902, phase: Phase::Winter };
        told.extend([
            winter,
            Event::Adjusted { lines: Vec::new(), eliminated: heliopause_kernel::SeatSet::EMPTY },
        ]);
        let recent_orders = RecentOrders::of(&told, &table, &names);
        assert_eq!(recent_orders.phases, ["Fall 1902, movement", "Winter 1902"]);
        assert!(recent_orders.drawn.len() > 10, "the movement is still drawn after the winter");
    }
}
