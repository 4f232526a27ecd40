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
    let unknown = Remark { item: Name::NONE, reason: Reason::Syntax };
    let remark = check.remarks.first().copied().unwrap_or(unknown);
    let text = format!("Line {}: {}", check.line + 1, explain(remark));
    let (reason, rule) = (remark.reason.as_str(), sheet.lines[place].phase().number());
    Refusal::new(reason, rule, text).field(format!("sheet.lines[{place}]"))
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
    let mut found = |line: &Line| {
        let mut check = LineCheck { lookup, plan: &mut plan, found: Finding::default() };
        check.check(line);
        check.found
    };
    let builds = |line: &Line| matches!(line, Line::Build { .. });
    let findings: Vec<Option<Finding>> =
        sheet.lines.iter().map(|line| builds(line).then(|| found(line))).collect();
    let check = |(index, (line, finding)): (usize, (&Line, Option<Finding>))| {
        let found = finding.unwrap_or_else(|| found(line));
        let design = if let Line::Design { class, design, .. } = line {
            design.class(*class).ok()
        } else {
            None
        };
        let (line, verdict) = (index as u32, found.verdict());
        Check { line, verdict, remarks: found.remarks, design, fault: None }
    };
    sheet.lines.iter().zip(findings).enumerate().map(check).collect()
}

/// The check of one line.
struct LineCheck<'a> {
    lookup: &'a EmpireLookup<'a>,
    plan: &'a mut Plan,
    found: Finding,
}

impl LineCheck<'_> {
    fn check(&mut self, line: &Line) {
        match line {
            Line::Unload { ships } => self.check_unload(ships),
            Line::Load { ships, carrier } => self.check_load(ships, *carrier),
            Line::Destruct { ships } => self.check_destruct(ships),
            Line::Fire { ships, at, .. } => self.check_fire(ships, at),
            Line::Transmit { portals, to } => self.check_transmit(portals, to),
            Line::Move { ships, to } => self.check_move(ships, *to),
            Line::Traverse { ships, entry, exit } => self.check_traverse(ships, *entry, *exit),
            Line::Design { world, class, design } => self.check_design(*world, *class, *design),
            Line::Give { classes, to } => {
                self.contacts(to);
                self.warn_classes(classes);
                self.require_some(classes);
            }
            Line::Build { world, count, class, naming } => {
                self.check_build(*world, *count, *class);
                if !self.found.rejected {
                    self.plan.name_ships(self.lookup, naming, &mut self.found);
                }
            }
            Line::Repair { ship, dp, worlds } => self.check_repair(*ship, *dp, worlds),
            Line::Toggle { ships, .. } => drop(self.check_crews(ships)),
            Line::Conceal { ships, from } => {
                self.others(from);
                self.check_private(ships);
            }
            Line::Identify { ships, to } => {
                self.contacts(to);
                self.check_private(ships);
            }
            Line::Pool { world, except } => {
                for &name in except {
                    self.require_world(name);
                }
                self.require_own_world(*world);
            }
            Line::Transfer { from, amount, to, recipient } => {
                self.check_transfer(*from, *amount, *to, *recipient);
            }
            Line::Deny { scans, to } => self.check_deny(scans, to),
            Line::Authorize { scans, to } => {
                self.contacts(to);
                self.check_scans(scans, true);
            }
        }
    }

    fn require_some<T>(&mut self, list: &[T]) {
        if list.is_empty() {
            self.found.reject(Name::NONE, Reason::Syntax);
        }
    }

    /// Resolves the empire's ships by handle. An unknown handle rejects the line.
    pub(super) fn own_ships(&mut self, names: &[Name]) -> Vec<(Name, usize)> {
        let lookup = self.lookup;
        let mut ships = Vec::with_capacity(names.len());
        for &name in names {
            match lookup.ship(name) {
                Some(index) => ships.push((name, index)),
                None => self.found.reject(name, lookup.no_ship(name)),
            }
        }
        self.require_some(names);
        ships
    }

    pub(super) fn contacts(&mut self, names: &[Name]) -> Vec<(Name, Seat)> {
        let mut seats = self.others(names);
        seats.retain(|&(name, seat)| {
            let contact = self.lookup.empire.contacts.contains(seat);
            if !contact {
                self.found.reject(name, Reason::NoContact);
            }
            contact
        });
        seats
    }

    pub(super) fn others(&mut self, names: &[Name]) -> Vec<(Name, Seat)> {
        let lookup = self.lookup;
        let mut seats = Vec::with_capacity(names.len());
        for &name in names {
            match lookup.empire_named(name) {
                None => self.found.reject(name, Reason::UnknownName),
                Some(seat) if seat == lookup.seat => self.found.reject(name, Reason::OwnEmpire),
                Some(seat) => seats.push((name, seat)),
            }
        }
        self.require_some(names);
        seats
    }
}
