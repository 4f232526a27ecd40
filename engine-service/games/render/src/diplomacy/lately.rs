//! What became of the last orders, for the picture.

use heliopause_diplomacy::{
    Adjusted, AdjustedLine, Event, Fate, Named, Order, Outcome, Phase, Place, Report,
    RetreatReport, Site, Table,
};
use heliopause_kernel::Seat;

/// What became of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Success {
    /// Nobody knows yet.
    Open,
    Done,
    Failed,
}

/// An order to be drawn, and what became of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drawn {
    pub(super) seat: Seat,
    pub(super) order: Order,
    pub(super) success: Success,
    /// Whether its unit was dislodged.
    pub(super) dislodged: bool,
}

impl Drawn {
    /// An order that is given and waits.
    pub(super) fn given(seat: Seat, order: Order) -> Self {
        Self { seat, order, success: Success::Open, dislodged: false }
    }

    fn done(seat: Seat, order: Order) -> Self {
        Self { success: Success::Done, ..Self::given(seat, order) }
    }

    fn failed(seat: Seat, order: Order) -> Self {
        Self { success: Success::Failed, ..Self::given(seat, order) }
    }

    fn moved(report: &Report) -> Self {
        let success = match report.outcome {
            Outcome::Succeeds { .. } | Outcome::Given | Outcome::Holds => Success::Done,
            Outcome::Pending => Success::Open,
            Outcome::Bounced { .. }
            | Outcome::NoConvoy { .. }
            | Outcome::NoRoom { .. }
            | Outcome::Cut { .. }
            | Outcome::Disrupted { .. }
            | Outcome::Paradox
            | Outcome::Void { .. }
            | Outcome::Illegal(_) => Success::Failed,
        };
        let given = Self::given(report.given.seat, report.given.order);
        Self { success, dislodged: report.dislodged, ..given }
    }

    fn retreated(report: RetreatReport) -> Self {
        let seat = report.unit.owner;
        let unit = Named { kind: Some(report.unit.kind), at: Place::Earth(report.unit.at) };
        match report.fate {
            Fate::Retreated(to) => Self::done(seat, Order::Retreat { unit, to }),
            Fate::Disbanded | Fate::NoRetreat | Fate::NoOrder | Fate::Collided | Fate::NoRoom => {
                Self::done(seat, Order::Disband { unit })
            }
        }
    }

    fn adjusted(line: &AdjustedLine) -> Option<Self> {
        let seat = line.seat;
        match line.result {
            Adjusted::Built(unit) => {
                let unit = Site { kind: Some(unit.kind), at: unit.at };
                Some(Self::done(seat, Order::Build { unit }))
            }
            Adjusted::Removed(kind, at) => {
                Some(Self::done(seat, Order::Remove { unit: Named { kind: Some(kind), at } }))
            }
            Adjusted::Waived => None,
            Adjusted::Fails(_) => line.order.map(|order| Self::failed(seat, order)),
        }
    }
}

/// The last movement, and what came after it.
#[derive(Clone, Debug, Default)]
pub(super) struct Lately {
    pub(super) drawn: Vec<Drawn>,
    /// The phases, as dates.
    pub(super) phases: Vec<String>,
}

impl Lately {
    /// What the last events before this table tell.
    pub(super) fn of(told: &[Event], table: &Table) -> Self {
        let is_movement = |event: &Event| matches!(event, Event::Moved { .. });
        let movement = told.iter().rposition(is_movement);
        let first = movement.unwrap_or(0);
        let mut date = told[..first].iter().rev().find_map(date);
        if movement.is_some() && date.is_none() {
            // The events before are not at hand: what followed tells.
            let next = told[first..].iter().find_map(began);
            let now = table.ending.is_none().then_some((table.year, table.phase));
            date = next.or(now).map(movement_before);
        }
        let mut lately = Self::default();
        for event in &told[first..] {
            let (drawn, phase): (Vec<Drawn>, _) = match event {
                Event::Moved { reports, .. } => {
                    (reports.iter().map(Drawn::moved).collect(), "the last movement")
                }
                Event::Retreated { fates } => {
                    (fates.iter().copied().map(Drawn::retreated).collect(), "the last retreats")
                }
                Event::Adjusted { lines, .. } => {
                    (lines.iter().filter_map(Drawn::adjusted).collect(), "the last winter")
                }
                Event::PhaseBegan { .. } => {
                    date = self::date(event);
                    continue;
                }
                Event::Ordered { .. }
                | Event::TurnEnded { .. }
                | Event::Eliminated { .. }
                | Event::Ended { .. } => continue,
            };
            lately.drawn.extend(drawn);
            lately.phases.push(date.clone().unwrap_or_else(|| phase.to_owned()));
        }
        lately
    }
}

/// When the movement was that came before a phase.
fn movement_before((year, phase): (u16, Phase)) -> String {
    match phase {
        Phase::SpringRetreat | Phase::FallMovement => dated((year, Phase::SpringMovement)),
        Phase::FallRetreat | Phase::Winter => dated((year, Phase::FallMovement)),
        Phase::SpringMovement => dated((year - 1, Phase::FallMovement)),
    }
}

/// The phase that begins.
fn began(event: &Event) -> Option<(u16, Phase)> {
    let Event::PhaseBegan { year, phase } = event else { return None };
    Some((*year, *phase))
}

/// When a phase that begins is.
fn date(event: &Event) -> Option<String> {
    began(event).map(dated)
}

/// When a phase is: "Spring 1901, movement".
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
    fn arrows_say_of_which_phases_they_are() {
        let (game, mut told) = sample::standard();
        assert_eq!(Lately::of(&told, game.table()).phases, ["Spring 1902, movement"]);
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
            assert_eq!(Lately::of(&told, &table).phases, [date]);
        }
        told.insert(0, Event::PhaseBegan { year: 1902, phase: Phase::FallMovement });
        let winter = Event::PhaseBegan { year: 1902, phase: Phase::Winter };
        told.extend([
            winter,
            Event::Adjusted { lines: Vec::new(), eliminated: heliopause_kernel::SeatSet::EMPTY },
        ]);
        let lately = Lately::of(&told, &table);
        assert_eq!(lately.phases, ["Fall 1902, movement", "Winter 1902"]);
        assert!(lately.drawn.len() > 10, "the movement is still drawn after the winter");
    }
}
