//! What became of the orders: in the update, and when they were sent.

use heliopause_proto::v1::LineVerdict;
use heliopause_star_empires::{
    Check, Fate, Line, LineResult, Remark, Sheet, Verdict, because, size_sentence,
};

use super::Briefing;
use crate::document::{Block, Tone, Words};
use crate::text::{count, harmless};

/// What became of a line at submission, in a word.
fn verdict(verdict: Verdict) -> Words {
    match verdict {
        Verdict::Accepted => Words::new("accepted", Tone::Good),
        Verdict::Warned => Words::new("warned", Tone::Notice),
        Verdict::Rejected => Words::new("rejected", Tone::Bad),
    }
}

/// What became of a line in the update, in a word.
fn fate(fate: Fate) -> Words {
    match fate {
        Fate::Done => Words::new("done", Tone::Good),
        Fate::Partly => Words::new("partly", Tone::Notice),
        Fate::Refused => Words::new("refused", Tone::Bad),
    }
}

/// The orders of the last update.
pub(super) fn section(briefing: &Briefing<'_>) -> Vec<Block> {
    let results = &briefing.report.results;
    if results.is_empty() {
        let nothing =
            if briefing.report.turn == 0 { return Vec::new() } else { "No orders were given." };
        return vec![Block::Text(Words::new(nothing, Tone::Faint))];
    }
    let row = |result: &LineResult| {
        let line = Words::plain(result.line.to_string());
        vec![fate(result.fate), line, Words::plain(remarked(&result.remarks))]
    };
    let done = results.iter().filter(|result| result.fate == Fate::Done).count();
    let told = format!("{done} of {} done as ordered.", count(results.len(), "order"));
    vec![
        Block::Text(Words::plain(told)),
        Block::Table(vec!["result", "order", "why"], results.iter().map(row).collect()),
    ]
}

/// Remarks in a row: those of one reason together.
fn remarked(remarks: &[Remark]) -> String {
    let mut reasons: Vec<(&'static str, Vec<String>)> = Vec::new();
    for remark in remarks {
        let reason = because(*remark);
        let item = remark.item.to_string();
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, items)) => items.push(item),
            None => reasons.push((reason, vec![item])),
        }
    }
    let one = |(reason, items): &(&str, Vec<String>)| {
        let items: Vec<&str> =
            items.iter().map(String::as_str).filter(|item| !item.is_empty()).collect();
        if items.is_empty() {
            (*reason).to_owned()
        } else {
            format!("{}: {reason}", items.join(", "))
        }
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
        vec![Words::new(number.to_string(), Tone::Faint), Words::plain(line.to_string())]
    };
    vec![Block::Table(vec!["#", "order"], (1..).zip(&sheet.lines).map(row).collect())]
}

/// What became of each line of a text that was sent. `texts` are the lines as they were typed, by
/// their place on the sheet.
pub(in crate::star_empires) fn checked(texts: &[String], checks: &[Check]) -> Vec<Vec<Words>> {
    let row = |check: &Check| {
        let text = texts.get(check.line as usize).map(|text| harmless(text)).unwrap_or_default();
        vec![
            Words::new((check.line + 1).to_string(), Tone::Faint),
            verdict(check.verdict),
            Words::plain(text),
            Words::plain(noted(check)),
        ]
    };
    checks.iter().map(row).collect()
}

/// What becomes of each line of a sheet, for clients that do not know the game. The rule is the
/// section of the line's phase; of a line that cannot be read, the one on how sheets are written.
pub(in crate::star_empires) fn line_verdicts(sheet: &Sheet, checks: &[Check]) -> Vec<LineVerdict> {
    let mut readable = sheet.lines.iter();
    let verdict = |check: &Check| {
        let line = if check.fault.is_none() { readable.next() } else { None };
        LineVerdict {
            line: check.line + 1,
            accepted: check.verdict != Verdict::Rejected,
            sentence: noted(check),
            rule: line.map_or("6.0", |line| line.phase().number()).to_owned(),
            warned: check.verdict == Verdict::Warned,
        }
    };
    checks.iter().map(verdict).collect()
}

/// What a line would design, and the remarks on it.
fn noted(check: &Check) -> String {
    let design = check.design.as_ref().map(size_sentence);
    let remarks = match &check.fault {
        Some(fault) => Some(harmless(&fault.message)),
        None => Some(remarked(&check.remarks)).filter(|remarks| !remarks.is_empty()),
    };
    design.into_iter().chain(remarks).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use heliopause_star_empires::{Name, Reason};

    use super::*;

    #[test]
    fn remarks_of_one_reason_stand_together() {
        let remark = |item: &str, reason: Reason| Remark {
            item: Name::new(item).unwrap_or_default(),
            reason,
        };
        let remarks = [
            remark("F1", Reason::NoRacks),
            remark("F2", Reason::Destroyed),
            remark("F3", Reason::NoRacks),
        ];
        assert_eq!(
            remarked(&remarks),
            "F1, F3: the carrier has too few free racks; F2: the ship was destroyed"
        );
        assert_eq!(remarked(&[remark("", Reason::NoFunds)]), "there are too few RU");
    }
}
