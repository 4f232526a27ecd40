//! Checks and shows order sheets. A sheet contains all orders of a turn.

use heliopause_proto::v1::{
    Event, GameView, Orders, ValidateOrdersRequest, Verdict, Warning, event,
};

use crate::engine::Engine;
use crate::failure::Failure;
use crate::render::{self, Checked};
use crate::style::{Ink, Style};
use crate::table::Table;
use crate::text::{harmless, mark_position};
use crate::wording;
use crate::words::say;

/// Maximum number of unreadable lines that a check reports.
pub const FAULTS_MAX: usize = 20;

/// The result of checking orders without submitting them.
#[derive(Debug, Default)]
pub struct Findings {
    /// The unreadable lines: the number of each from 1, the column of the error, and the error.
    pub faults: Vec<(usize, usize, String)>,
    pub verdicts: Vec<Verdict>,
    pub checked: Option<Checked>,
    /// The warnings for marking the seat ready after these orders.
    pub warnings: Vec<Warning>,
}

impl Findings {
    pub fn refused(&self) -> usize {
        let rejected = self.checked.as_ref().map_or(0, |checked| checked.rejected.len());
        let refused = self.verdicts.iter().filter(|verdict| !verdict.accepted).count();
        self.faults.len() + rejected.max(refused)
    }
}

/// Checks orders without submitting them. More than `faults_max` unreadable lines are an error.
pub async fn check(
    engine: &Engine,
    table: &Table,
    orders: Orders,
    faults_max: usize,
) -> Result<Findings, Failure> {
    let mut findings = Findings::default();
    let mut lines: Vec<String> = orders.text.lines().map(str::to_owned).collect();
    loop {
        let text = lines.join("\n");
        if text.trim().is_empty() && orders.orders.is_empty() {
            return Ok(findings);
        }
        let orders = Orders { orders: orders.orders.clone(), text };
        let texts: Vec<String> =
            render::order_lines(&orders.text).into_iter().map(|(_, line)| line).collect();
        let request = ValidateOrdersRequest {
            game_id: table.game.clone(),
            seat: table.seat,
            orders: Some(orders),
        };
        match engine.games().validate_orders(request).await {
            Ok(response) => {
                let response = response.into_inner();
                findings.warnings = response.warnings;
                findings.verdicts = response.verdicts;
                let foretold =
                    findings.verdicts.iter().find_map(|verdict| verdict.preview.as_ref());
                findings.checked = foretold.and_then(|event| render::checked(event, &texts));
                return Ok(findings);
            }
            Err(status) => {
                let failure = Failure::from(status);
                let place = failure.place().filter(|(line, _)| (1..=lines.len()).contains(line));
                let Some((line, column)) = place.filter(|_| findings.faults.len() < faults_max)
                else {
                    return Err(failure);
                };
                findings.faults.push((line, column, failure.without_position()));
                lines[line - 1].clear();
            }
        }
    }
}

/// Formats the unreadable lines, each with the position of its error.
pub fn faults(style: &Style, text: &str, findings: &Findings) -> Vec<String> {
    let mut lines = Vec::new();
    for (line, column, why) in &findings.faults {
        lines.push(style.paint(why, Ink::Bad));
        lines.extend(mark_position(text, *line, *column));
    }
    lines
}

/// Formats the result of checking the orders in `text`.
pub fn findings(style: &Style, text: &str, findings: &Findings) -> String {
    let mut lines = faults(style, text, findings);
    match &findings.checked {
        Some(checked) => lines.push(checked.text(style, true)),
        None => lines
            .extend(findings.verdicts.iter().map(|verdict| super::order::verdict(style, verdict))),
    }
    let at_once = findings.verdicts.iter().flat_map(|verdict| &verdict.warnings);
    let warnings: Vec<Warning> = at_once.chain(&findings.warnings).cloned().collect();
    if !warnings.is_empty() {
        lines.push(style.paint(say!("sheet-warnings"), Ink::Heading));
        lines.push(wording::warnings(style, &warnings));
    }
    lines.join("\n")
}

/// Returns the results of a submitted sheet's lines. Returns `None` if none of the events reports
/// them.
pub fn stored(events: &[Event], text: &str) -> Option<Checked> {
    let texts: Vec<String> = render::order_lines(text).into_iter().map(|(_, line)| line).collect();
    let games = events.iter().filter_map(|event| match &event.body {
        Some(event::Body::Game(event)) => Some(event),
        _ => None,
    });
    games.filter_map(|event| render::checked(event, &texts)).next_back()
}

/// Formats the stored sheet with numbered lines.
pub fn show(style: &Style, lines: &[String]) -> String {
    if lines.is_empty() {
        return say!("sheet-no-orders-stored-turn");
    }
    let row = |(number, line): (usize, &String)| {
        format!("{}  {}", style.paint(format!("{number:>3}"), Ink::Notice), harmless(line))
    };
    (1..).zip(lines).map(row).collect::<Vec<_>>().join("\n")
}

/// Returns the stored orders as notation, or an error if the game does not show them so.
pub fn stored_orders(view: Option<&GameView>) -> Result<Vec<String>, Failure> {
    view.and_then(render::stored_orders).ok_or_else(no_orders)
}

/// Returns the lines of the stored sheet, or an error if the game has no sheets.
pub fn lines(view: Option<&GameView>) -> Result<Vec<String>, Failure> {
    view.and_then(render::sheet).ok_or_else(no_orders)
}

fn no_orders() -> Failure {
    Failure::usage(say!("sheet-no-orders-given")).advise(say!("sheet-write-order-use-file"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_is_shown_with_numbers() {
        let lines = ["MOVE Lion TO (0,1)".to_owned()];
        assert_eq!(show(&Style::PLAIN, &lines), "  1  MOVE Lion TO (0,1)");
        assert!(show(&Style::PLAIN, &[]).starts_with("No orders"));
    }

    #[test]
    fn unreadable_and_rejected_lines_are_counted() {
        let checked = Checked { rejected: vec![0, 3], ..Checked::default() };
        let verdicts = vec![Verdict { accepted: true, ..Verdict::default() }];
        let found = Findings {
            faults: vec![(2, 1, "What?".into())],
            verdicts,
            checked: Some(checked),
            ..Findings::default()
        };
        assert_eq!(found.refused(), 3);
        let text = findings(&Style::PLAIN, "POOL x\nDANCE", &found);
        assert!(text.starts_with("What?\n2 | DANCE\n  | ^\n"), "{text}");
    }

    #[test]
    fn a_game_without_sheets_needs_orders() {
        assert!(lines(Some(&GameView::default())).is_err());
    }
}
