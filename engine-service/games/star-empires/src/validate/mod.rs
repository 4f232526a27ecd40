//! Notes 4.1: what a sheet is told at submission, from what its empire knows alone.
//!
//! Only what can never change is a reason to reject a line: what may change before its phase is a
//! warning, and contingent names are accepted whether or not there is such a thing. Nothing here
//! asks the truth about others: the empire's map, its list of contacts, its classes, its ships and
//! its standing grants are all it has. So "there is none" and "you do not know it" are one answer,
//! and a refusal tells nothing. For the same reason a class name that another empire has taken is
//! only found out when the design is made (R38), unless the empire has seen a ship of it.

mod actions;
mod business;
mod knows;
mod plan;
#[cfg(test)]
mod tests;

use heliopause_kernel::{Refusal, Seat};

use crate::describe::explain;
use crate::name::Name;
use crate::order::{ITEMS_MAX, LINES_MAX, Line, Sheet, Unread};
use crate::position::StarEmpires;
use crate::reason::{Check, Reason, Remark, Verdict};
pub(crate) use knows::Knows;
use plan::Plan;

/// What is found on one line.
#[derive(Default)]
pub(crate) struct Finding {
    rejected: bool,
    remarks: Vec<Remark>,
}

impl Finding {
    /// The line can never be carried out.
    fn reject(&mut self, item: Name, reason: Reason) {
        // Warnings do not matter any more.
        if !self.rejected {
            self.remarks.clear();
        }
        self.rejected = true;
        self.remarks.push(Remark { item, reason });
    }

    /// The line may fail.
    fn warn(&mut self, item: Name, reason: Reason) {
        if !self.rejected {
            self.remarks.push(Remark { item, reason });
        }
    }

    fn verdict(&self) -> Verdict {
        match (self.rejected, self.remarks.is_empty()) {
            (true, _) => Verdict::Rejected,
            (false, false) => Verdict::Warned,
            (false, true) => Verdict::Accepted,
        }
    }
}

impl StarEmpires {
    /// Checks a sheet: the accepted lines, and what became of each line that was sent. Refuses a
    /// sheet that is too long, and one that has lines but none that can be accepted, so that a slip
    /// of the pen does not wipe a good sheet out and so that a dry run of a single line tells what
    /// is wrong with it; and a strict one of which any line is rejected.
    pub(crate) fn check_sheet(
        &self,
        seat: Seat,
        sheet: &Sheet,
    ) -> Result<(Sheet, Vec<Check>), Refusal> {
        let (stored, checks) = self.sheet_checked(seat, sheet)?;
        match checks.iter().position(|check| check.verdict == Verdict::Rejected) {
            Some(first) if sheet.strict || stored.lines.is_empty() => {
                Err(refusal(sheet, &checks[..=first]))
            }
            _ => Ok((stored, checks)),
        }
    }

    /// What would be stored of a sheet, and what becomes of each of its lines, also if none is
    /// accepted.
    pub(crate) fn sheet_checked(
        &self,
        seat: Seat,
        sheet: &Sheet,
    ) -> Result<(Sheet, Vec<Check>), Refusal> {
        let items: usize = sheet.lines.iter().map(Line::items).sum();
        if sheet.lines.len() + sheet.unread.len() > LINES_MAX || items > ITEMS_MAX {
            let text = format!(
                "A sheet has at most {LINES_MAX} lines that list at most {ITEMS_MAX} names."
            );
            return Err(Refusal::new("too-big", "6.0", text).field("sheet.lines"));
        }
        let knows = Knows::of(self, seat);
        let checks = check_lines(&knows, sheet);
        let accepted = |check: &&Check| check.verdict != Verdict::Rejected;
        let lines: Vec<Line> = checks
            .iter()
            .filter(accepted)
            .map(|check| sheet.lines[check.line as usize].clone())
            .collect();
        Ok((Sheet::of(lines), with_unread(checks, &sheet.unread)))
    }
}

/// Why a sheet is refused: as the last of these lines is.
fn refusal(sheet: &Sheet, checks: &[Check]) -> Refusal {
    let [before @ .., check] = checks else {
        return Refusal::new(Reason::Syntax.as_str(), "6.0", "");
    };
    if let Some(fault) = &check.fault {
        return Refusal::new(Reason::Syntax.as_str(), "6.0", fault.to_string());
    }
    let place = before.iter().filter(|check| check.fault.is_none()).count();
    let remark = check
        .remarks
        .first()
        .copied()
        .unwrap_or(Remark { item: Name::NONE, reason: Reason::Syntax });
    let (line, sentence) = (check.line + 1, explain(remark));
    Refusal::new(
        remark.reason.as_str(),
        sheet.lines[place].phase().number(),
        format!("Line {line}: {sentence}"),
    )
    .field(format!("sheet.lines[{place}]"))
}

/// Puts the lines that cannot be read between those that can, where they stood.
fn with_unread(checks: Vec<Check>, unread: &[Unread]) -> Vec<Check> {
    let mut all = Vec::with_capacity(checks.len() + unread.len());
    let mut unread = unread.iter().peekable();
    for check in checks {
        while let Some(unread) = unread.next_if(|unread| unread.behind <= check.line) {
            all.push(rejected(unread));
        }
        all.push(check);
    }
    all.extend(unread.map(rejected));
    for (line, check) in (0..).zip(&mut all) {
        check.line = line;
    }
    all
}

fn rejected(Unread { fault, .. }: &Unread) -> Check {
    let remarks = vec![Remark { item: Name::NONE, reason: Reason::Syntax }];
    Check { line: 0, verdict: Verdict::Rejected, remarks, design: None, fault: Some(fault.clone()) }
}

/// Looks at every line. Lines that build come first: later phases may order about what they name.
fn check_lines(knows: &Knows<'_>, sheet: &Sheet) -> Vec<Check> {
    let mut plan = Plan::of(knows, sheet);
    let mut findings: Vec<Option<Finding>> = sheet.lines.iter().map(|_| None).collect();
    for (line, finding) in sheet.lines.iter().zip(&mut findings) {
        if let Line::Build { world, count, class, naming } = line {
            let mut found = Finding::default();
            knows.check_build(&mut found, *world, *count, *class);
            if !found.rejected {
                plan.name_ships(knows, naming, &mut found);
            }
            *finding = Some(found);
        }
    }
    let check = |(index, (line, finding)): (usize, (&Line, Option<Finding>))| {
        let found = finding.unwrap_or_else(|| check_line(knows, &mut plan, line));
        let design = if let Line::Design { class, design, .. } = line {
            design.class(*class).ok()
        } else {
            None
        };
        Check {
            line: index as u32,
            verdict: found.verdict(),
            remarks: found.remarks,
            design,
            fault: None,
        }
    };
    sheet.lines.iter().zip(findings).enumerate().map(check).collect()
}

fn check_line(knows: &Knows<'_>, plan: &mut Plan, line: &Line) -> Finding {
    let mut found = Finding::default();
    let it = &mut found;
    match line {
        Line::Unload { ships } => knows.check_unload(it, ships),
        Line::Load { ships, carrier } => knows.check_load(it, plan, ships, *carrier),
        Line::Destruct { ships } => knows.check_destruct(it, plan, ships),
        Line::Fire { ships, at, .. } => knows.check_fire(it, plan, ships, at),
        Line::Transmit { portals, to } => knows.check_transmit(it, portals, to),
        Line::Move { ships, to } => knows.check_move(it, plan, ships, *to),
        Line::Traverse { ships, entry, exit } => {
            knows.check_traverse(it, plan, ships, *entry, *exit);
        }
        Line::Design { world, class, design } => {
            knows.check_design(it, plan, *world, *class, *design);
        }
        Line::Give { classes, to } => knows.check_give(it, classes, to),
        Line::Build { world, count, class, .. } => knows.check_build(it, *world, *count, *class),
        Line::Repair { ship, dp, worlds } => knows.check_repair(it, *ship, *dp, worlds),
        Line::Toggle { ships, .. } => drop(knows.check_crews(it, plan, ships)),
        Line::Conceal { ships, from } => knows.check_conceal(it, plan, ships, from),
        Line::Identify { ships, to } => knows.check_identify(it, plan, ships, to),
        Line::Pool { world, except } => knows.check_pool(it, *world, except),
        Line::Transfer { from, amount, to, recipient } => {
            knows.check_transfer(it, *from, *amount, *to, *recipient);
        }
        Line::Deny { scans, to } => knows.check_deny(it, plan, scans, to),
        Line::Authorize { scans, to } => knows.check_authorize(it, plan, scans, to),
    }
    found
}
