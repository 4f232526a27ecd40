//! Results of orders, at submission and in the update.

use heliopause_proto::v1::LineVerdict;
use heliopause_star_empires::{
    Check, Fate, Line, LineResult, Remark, Verdict, reason_phrase, size_sentence,
};

use super::ReportContext;
use crate::document::{Block, Tone, Words};
use crate::text::{count, harmless};

fn fate(fate: Fate) -> Words {
    match fate {
        Fate::Done => Words::new("done", Tone::Good),
        Fate::Partly => Words::new("partly", Tone::Notice),
        Fate::Refused => Words::new("refused", Tone::Bad),
    }
}

pub(super) fn section(context: &ReportContext<'_>) -> Vec<Block> {
    let results = &context.report.results;
    if results.is_empty() {
        let nothing =
            if context.report.turn == 0 { return Vec::new() } else { "No orders were given." };
        return vec![Block::Text(Words::new(nothing, Tone::Faint))];
    }
    let row = |result: &LineResult| {
        let line = Words::plain(result.line.to_string());
        vec![fate(result.fate), line, Words::plain(remarked(&result.remarks))]
    };
    let done = results.iter().filter(|result| result.fate == Fate::Done).count();
    let told = format!("{done} of {} done as ordered.", count(results.len(), "order"));
    let mut blocks = vec![Block::Text(Words::plain(told))];
    blocks.extend(Block::table("result|order|why", results.iter().map(row).collect()));
    blocks
}

fn remarked(remarks: &[Remark]) -> String {
    let mut reasons: Vec<(&'static str, Vec<String>)> = Vec::new();
    for remark in remarks {
        let reason = reason_phrase(*remark);
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

pub(super) fn sheet(context: &ReportContext<'_>) -> Vec<Block> {
    let Some(sheet) = &context.own.sheet else {
        return vec![Block::Text(Words::new("No orders are stored yet.", Tone::Notice))];
    };
    if sheet.lines.is_empty() {
        return vec![Block::Text(Words::plain("An empty sheet is stored."))];
    }
    let row = |(number, line): (usize, &Line)| {
        vec![Words::new(number.to_string(), Tone::Faint), Words::plain(line.to_string())]
    };
    Block::table("#|order", (1..).zip(&sheet.lines).map(row).collect())
}

/// Returns the result of each line of a sheet. `lines` are the readable lines. The rule is the
/// section of the line's phase. An unreadable line has 6.0, the section on sheets.
pub(in crate::star_empires) fn line_verdicts(lines: &[Line], checks: &[Check]) -> Vec<LineVerdict> {
    let mut readable = lines.iter();
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
    fn remarks_are_grouped_by_reason() {
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
        assert_eq!(remarked(&[remark("", Reason::NoFunds)]), "the world does not have enough RU");
    }
}
