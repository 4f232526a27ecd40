//! Notes 4.1: checks a sheet at submission, using only the knowledge of its empire.
//!
//! A line is rejected only for a problem that is permanent. A problem that may disappear before the
//! line runs only causes a warning. Contingent names are accepted whether or not they exist. The
//! check uses the empire's map, contacts, classes, ships and grants, and never the true state of
//! others. A missing object and an unknown one give the same result, so rejections reveal nothing.
//! For the same reason the check does not report a class name that another empire has taken, unless
//! the empire has seen a ship of that class. The design fails when it runs (R38).

mod actions;
mod economy;
mod lookup;
mod plan;
#[cfg(test)]
mod tests;

use heliopause_kernel::{Refusal, Seat};

use crate::describe::explain;
use crate::name::Name;
use crate::order::{ITEMS_MAX, LINES_MAX, Line, Sheet, Unread};
use crate::position::StarEmpires;
use crate::reason::{Check, Reason, Remark, Verdict};
pub(crate) use lookup::EmpireLookup;
use plan::Plan;

#[derive(Default)]
pub(crate) struct Finding {
    rejected: bool,
    remarks: Vec<Remark>,
}

impl Finding {
    fn reject(&mut self, item: Name, reason: Reason) {
        if !self.rejected {
            self.remarks.clear();
        }
        self.rejected = true;
        self.remarks.push(Remark { item, reason });
    }

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
    /// Returns the accepted lines, and the check of each submitted line.
    ///
    /// Refuses a sheet that is too long, that is strict and has a rejected line, or that has no
    /// accepted line. The last rule keeps a typo from erasing a good sheet.
    pub(crate) fn check_sheet(
        &self,
        seat: Seat,
        sheet: &Sheet,
    ) -> Result<(Sheet, Vec<Check>), Refusal> {
        let (stored, checks) = self.dry_run_sheet(seat, sheet)?;
        match checks.iter().position(|check| check.verdict == Verdict::Rejected) {
            Some(first) if sheet.strict || stored.lines.is_empty() => {
                Err(refusal(sheet, &checks[..=first]))
            }
            _ => Ok((stored, checks)),
        }
    }

    /// Returns the sheet to store and the check of each line, even if no line is accepted.
    pub(crate) fn dry_run_sheet(
        &self,
        seat: Seat,
        sheet: &Sheet,
    ) -> Result<(Sheet, Vec<Check>), Refusal> {
        let items: usize = sheet.lines.iter().map(Line::items).sum();
        let lines = sheet.lines.len() + sheet.unreadable_lines.len();
        if lines > LINES_MAX || items > ITEMS_MAX {
            let text = format!(
                "The sheet has {lines} lines and {items} names; the maximum is {LINES_MAX} lines and \
                 {ITEMS_MAX} names."
            );
            return Err(Refusal::new("too-big", "6.0", text).field("sheet.lines"));
        }
        let lookup = EmpireLookup::of(self, seat);
        let checks = check_lines(&lookup, sheet);
        let accepted = |check: &&Check| check.verdict != Verdict::Rejected;
        let lines: Vec<Line> = checks
            .iter()
            .filter(accepted)
            .map(|check| sheet.lines[check.line as usize].clone())
            .collect();
        Ok((Sheet::of(lines), with_unread(checks, &sheet.unreadable_lines)))
    }
}

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

fn with_unread(checks: Vec<Check>, unread: &[Unread]) -> Vec<Check> {
    let mut all = Vec::with_capacity(checks.len() + unread.len());
    let mut unread = unread.iter().peekable();
    for check in checks {
        while let Some(unread) = unread.next_if(|unread| unread.readable_before <= check.line) {
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

/// Checks all lines of a sheet. Lines that build ships are first, because other lines may name the
/// new ships.
fn check_lines(lookup: &EmpireLookup<'_>, sheet: &Sheet) -> Vec<Check> {
    let mut plan = Plan::of(lookup, sheet);
    let mut findings: Vec<Option<Finding>> = sheet.lines.iter().map(|_| None).collect();
    for (line, finding) in sheet.lines.iter().zip(&mut findings) {
        if let Line::Build { world, count, class, naming } = line {
            let mut found = Finding::default();
            lookup.check_build(&mut found, *world, *count, *class);
            if !found.rejected {
                plan.name_ships(lookup, naming, &mut found);
            }
            *finding = Some(found);
        }
    }
    let check = |(index, (line, finding)): (usize, (&Line, Option<Finding>))| {
        let found = finding.unwrap_or_else(|| check_line(lookup, &mut plan, line));
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

fn check_line(lookup: &EmpireLookup<'_>, plan: &mut Plan, line: &Line) -> Finding {
    let mut found = Finding::default();
    let it = &mut found;
    match line {
        Line::Unload { ships } => lookup.check_unload(it, ships),
        Line::Load { ships, carrier } => lookup.check_load(it, plan, ships, *carrier),
        Line::Destruct { ships } => lookup.check_destruct(it, plan, ships),
        Line::Fire { ships, at, .. } => lookup.check_fire(it, plan, ships, at),
        Line::Transmit { portals, to } => lookup.check_transmit(it, portals, to),
        Line::Move { ships, to } => lookup.check_move(it, plan, ships, *to),
        Line::Traverse { ships, entry, exit } => {
            lookup.check_traverse(it, plan, ships, *entry, *exit);
        }
        Line::Design { world, class, design } => {
            lookup.check_design(it, plan, *world, *class, *design);
        }
        Line::Give { classes, to } => lookup.check_give(it, classes, to),
        Line::Build { world, count, class, .. } => lookup.check_build(it, *world, *count, *class),
        Line::Repair { ship, dp, worlds } => lookup.check_repair(it, *ship, *dp, worlds),
        Line::Toggle { ships, .. } => drop(lookup.check_crews(it, plan, ships)),
        Line::Conceal { ships, from } => lookup.check_conceal(it, plan, ships, from),
        Line::Identify { ships, to } => lookup.check_identify(it, plan, ships, to),
        Line::Pool { world, except } => lookup.check_pool(it, *world, except),
        Line::Transfer { from, amount, to, recipient } => {
            lookup.check_transfer(it, *from, *amount, *to, *recipient);
        }
        Line::Deny { scans, to } => lookup.check_deny(it, plan, scans, to),
        Line::Authorize { scans, to } => lookup.check_authorize(it, plan, scans, to),
    }
    found
}
