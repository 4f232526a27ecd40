//! What became of the orders: in the update, and when they were sent.

use heliopause_proto::star_empires::v1::{Check, Hull, Line, LineStatus, Remark};

use super::Briefing;
use crate::document::{Block, Tone, Words};
use crate::star_empires::{notation, words};
use crate::text::{count, harmless};

/// The mark of a status, as a word and its tone.
fn fate(status: LineStatus) -> (&'static str, Tone) {
    match status {
        LineStatus::Unspecified => ("?", Tone::Faint),
        LineStatus::Accepted => ("accepted", Tone::Good),
        LineStatus::Warned => ("warned", Tone::Notice),
        LineStatus::Rejected => ("rejected", Tone::Bad),
        LineStatus::Done => ("done", Tone::Good),
        LineStatus::Partly => ("partly", Tone::Notice),
        LineStatus::Refused => ("refused", Tone::Bad),
    }
}

/// The orders of the last update.
pub(super) fn section(briefing: &Briefing<'_>) -> Vec<Block> {
    let results = &briefing.report.results;
    if results.is_empty() {
        let nothing = if briefing.report.turn == 0 { return Vec::new() } else { "No orders were given." };
        return vec![Block::Text(Words::new(nothing, Tone::Faint))];
    }
    let row = |result: &heliopause_proto::star_empires::v1::LineResult| {
        let line = result.line.clone().unwrap_or_default();
        row(&line, result.status(), &result.remarks)
    };
    let done = results.iter().filter(|result| result.status() == LineStatus::Done).count();
    let told = format!("{done} of {} done as ordered.", count(results.len(), "order"));
    vec![
        Block::Text(Words::plain(told)),
        Block::Table(vec!["result", "order", "why"], results.iter().map(row).collect()),
    ]
}

fn row(line: &Line, status: LineStatus, remarks: &[Remark]) -> Vec<Words> {
    let (word, tone) = fate(status);
    vec![Words::new(word, tone), Words::plain(harmless(&notation::line(line))), Words::plain(remarked(remarks))]
}

/// Remarks in a row: those of one reason together.
fn remarked(remarks: &[Remark]) -> String {
    let mut reasons: Vec<(&'static str, Vec<String>)> = Vec::new();
    for remark in remarks {
        let reason = words::because(remark);
        let item = harmless(&remark.item);
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, items)) => items.push(item),
            None => reasons.push((reason, vec![item])),
        }
    }
    let one = |(reason, items): &(&str, Vec<String>)| {
        let items: Vec<&str> = items.iter().map(String::as_str).filter(|item| !item.is_empty()).collect();
        if items.is_empty() { (*reason).to_owned() } else { format!("{}: {reason}", items.join(", ")) }
    };
    reasons.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// The sheet that is stored for the next update.
pub(super) fn sheet(briefing: &Briefing<'_>) -> Vec<Block> {
    let Some(sheet) = &briefing.own.sheet else {
        return vec![Block::Text(Words::new("No orders are stored yet.", Tone::Notice))];
    };
    if sheet.lines.is_empty() {
        return vec![Block::Text(Words::plain("An empty sheet is stored."))];
    }
    let row = |(number, line): (usize, &Line)| {
        vec![Words::new(number.to_string(), Tone::Faint), Words::plain(harmless(&notation::line(line)))]
    };
    vec![Block::Table(vec!["#", "order"], (1..).zip(&sheet.lines).map(row).collect())]
}

/// What became of each line of a text that was sent. `texts` are the lines as they were typed, by their place on the sheet.
pub(in crate::star_empires) fn checked(texts: &[String], checks: &[Check]) -> Vec<Vec<Words>> {
    let row = |check: &Check| {
        let (word, tone) = fate(check.status());
        let index = (check.line as usize).saturating_sub(1);
        let text = texts.get(index).cloned().unwrap_or_default();
        vec![
            Words::new(check.line.to_string(), Tone::Faint),
            Words::new(word, tone),
            Words::plain(harmless(&text)),
            Words::plain(noted(check)),
        ]
    };
    checks.iter().map(row).collect()
}

/// What a line would design, and the remarks on it.
fn noted(check: &Check) -> String {
    let design = check.design.as_ref().map(|class| {
        let missile = class.hull() == Hull::Missile;
        let fee = if missile { "no fee".to_owned() } else { format!("fee {} RU", class.cost.div_ceil(2)) };
        format!("{} RU each, {}, {fee}", class.cost, count(class.tonnage as usize, "tonne"))
    });
    let remarks = match &check.fault {
        Some(fault) => Some(harmless(&fault.message)),
        None => Some(remarked(&check.remarks)).filter(|remarks| !remarks.is_empty()),
    };
    design.into_iter().chain(remarks).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use heliopause_proto::star_empires::v1::Reason;

    use super::*;

    #[test]
    fn remarks_of_one_reason_stand_together() {
        let remark = |item: &str, reason: Reason| Remark { item: item.into(), reason: reason.into() };
        let remarks = [remark("F1", Reason::NoRacks), remark("F2", Reason::Destroyed), remark("F3", Reason::NoRacks)];
        assert_eq!(remarked(&remarks), "F1, F3: the carrier has too few free racks; F2: the ship was destroyed");
        assert_eq!(remarked(&[remark("", Reason::NoFunds)]), "there are too few RU");
    }
}
