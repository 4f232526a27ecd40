//! Describes phases as lists of the orders of each power, with results and reasons.

use heliopause_diplomacy::{AdjustedLine, Diplomacy, Event, Outcome, Report, explain};
use heliopause_kernel::{Game as _, Seat};

use super::atlas::Power;
use crate::scene::{Scene, screen};
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

    fn movement(
        &self,
        reports: &[Report],
        dislodged: &[heliopause_diplomacy::Dislodged],
        style: &Style,
    ) -> String {
        let mut lines = vec![style.paint("Movement", Ink::Heading)];
        for own in reports.chunk_by(|one, other| one.given.seat == other.given.seat) {
            lines.push(format!("  {}", self.heading(own[0].given.seat, style)));
            let rows: Vec<Vec<String>> = own.iter().map(|report| self.row(report, style)).collect();
            lines.push(text::table(style, &["", ""], &rows).trim_start_matches('\n').to_owned());
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
        let what = explain(report.outcome, &report.helpers, &|seat| self.name(seat));
        let ink = match report.outcome {
            Outcome::Succeeds { .. } | Outcome::Given => Ink::Good,
            Outcome::Holds | Outcome::Pending => Ink::Faint,
            Outcome::Void { .. } | Outcome::Illegal(_) => Ink::Notice,
            Outcome::Bounced { .. }
            | Outcome::NoConvoy { .. }
            | Outcome::NoRoom { .. }
            | Outcome::Cut { .. }
            | Outcome::Disrupted { .. }
            | Outcome::Paradox => Ink::Bad,
        };
        let by_convoy = if report.by_convoy { ", by convoy" } else { "" };
        let gone =
            if report.dislodged { style.paint("; dislodged", Ink::Bad) } else { String::new() };
        vec![
            format!("    {}", report.given.order),
            format!("{}{gone}", style.paint(format!("{what}{by_convoy}"), ink)),
        ]
    }
}

fn adjustments(lines: &[AdjustedLine], text: &str, style: &Style) -> String {
    let told =
        if lines.is_empty() { "  Nothing is built or removed.".to_owned() } else { indented(text) };
    format!("{}\n{told}", style.paint("Winter", Ink::Heading))
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

impl crate::Chronicle<Event> for Chronicle {
    fn tell(&mut self, event: &Event, style: &Style) -> Option<String> {
        let sentence = || Diplomacy::describe(event, &|seat| self.name(seat)).0;
        match event {
            Event::Moved { reports, dislodged, .. } => {
                Some(self.movement(reports, dislodged, style))
            }
            Event::Retreated { .. } => Some(format!(
                "{}\n{}",
                style.paint("Retreats", Ink::Heading),
                indented(&sentence())
            )),
            Event::Adjusted { lines, .. } => Some(adjustments(lines, &sentence(), style)),
            Event::TurnEnded { colonizing, centers, eliminated } => {
                let silent = colonizing.is_empty() && centers.is_empty() && eliminated.is_empty();
                let text =
                    if silent { String::new() } else { format!("\n{}", indented(&sentence())) };
                Some(format!("{}{text}", style.paint("The turn ends", Ink::Heading)))
            }
            Event::Ordered { .. }
            | Event::PhaseBegan { .. }
            | Event::Eliminated { .. }
            | Event::Ended { .. } => None,
        }
    }
}
