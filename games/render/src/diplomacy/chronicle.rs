//! Describes phases as lists of the orders of each power, with results and reasons.

use heliopause_diplomacy::{Diplomacy, Dislodged, Event, Outcome, Report};
use heliopause_kernel::{Game as _, Seat};

use super::atlas::Power;
use super::recent_orders::DrawnOrder;
use crate::scene::{Scene, SceneOutcome, screen};
use crate::style::{Ink, Style};
use crate::text;

pub(super) struct Chronicle {
    /// A scene with the seats only, for their colors.
    pub(super) seats: Scene,
    pub(super) powers: Vec<Power>,
}

impl Chronicle {
    fn name(&self, seat: Seat) -> String {
        self.powers.get(seat.index()).map_or_else(|| seat.to_string(), |power| power.name.clone())
    }

    fn heading(&self, seat: Seat, style: &Style) -> String {
        style.paint(self.name(seat), screen::ink(&self.seats, Some(seat.number())))
    }

    fn movement(&self, reports: &[Report], dislodged: &[Dislodged], style: &Style) -> String {
        let mut lines = vec![style.paint("Movement", Ink::Heading)];
        for own in reports.chunk_by(|one, other| one.given.seat == other.given.seat) {
            lines.push(format!("  {}", self.heading(own[0].given.seat, style)));
            let rows: Vec<Vec<String>> = own.iter().map(|report| self.row(report, style)).collect();
            lines.push(text::table(style, &[""; 2], &rows));
        }
        for one in dislodged {
            let to: Vec<String> = one.retreats.iter().map(ToString::to_string).collect();
            let retreat = if to.is_empty() {
                "cannot retreat".to_owned()
            } else {
                format!("can retreat to {}", to.join(", "))
            };
            let text = format!(
                "  {}'s {} was dislodged and {retreat}.",
                self.name(one.unit.owner),
                one.unit
            );
            lines.push(style.paint(text, Ink::Bad));
        }
        if reports.is_empty() {
            lines.push("  No orders were given.".into());
        }
        lines.join("\n")
    }

    fn row(&self, report: &Report, style: &Style) -> Vec<String> {
        let drawn = DrawnOrder::moved(report, &|seat| self.name(seat));
        let ink = if matches!(report.outcome, Outcome::Holds | Outcome::Pending) {
            Ink::Faint
        } else if matches!(report.outcome, Outcome::Void { .. } | Outcome::Illegal(_)) {
            Ink::Notice
        } else if drawn.success == SceneOutcome::Success {
            Ink::Good
        } else {
            Ink::Bad
        };
        let gone = if drawn.dislodged { "; dislodged" } else { "" };
        vec![
            format!("    {}", drawn.order),
            style.paint(drawn.result, ink) + &style.paint(gone, Ink::Bad),
        ]
    }
}

impl crate::Chronicle<Event> for Chronicle {
    fn tell(&mut self, event: &Event, style: &Style) -> Option<String> {
        let sentence = || {
            let (text, _) = Diplomacy::describe(event, &|seat| self.name(seat));
            text.lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
        };
        let heading = |text| style.paint(text, Ink::Heading);
        match event {
            Event::Moved { reports, dislodged, .. } => {
                Some(self.movement(reports, dislodged, style))
            }
            Event::Retreated { .. } => Some(format!("{}\n{}", heading("Retreats"), sentence())),
            Event::Adjusted { lines, .. } if lines.is_empty() => {
                Some(format!("{}\n  Nothing is built or removed.", heading("Winter")))
            }
            Event::Adjusted { .. } => Some(format!("{}\n{}", heading("Winter"), sentence())),
            Event::TurnEnded { colonizing, centers, eliminated } => {
                let silent = colonizing.is_empty() && centers.is_empty() && eliminated.is_empty();
                let text = if silent { String::new() } else { format!("\n{}", sentence()) };
                Some(heading("The turn ends") + &text)
            }
            Event::Ordered { .. }
            | Event::PhaseBegan { .. }
            | Event::Eliminated { .. }
            | Event::Ended { .. } => None,
        }
    }
}
