//! Notes 4.1: the lines of an update, and what becomes of each.

use heliopause_kernel::Seat;

use crate::name::Name;
use crate::order::{Line, Phase, Sheet};
use crate::reason::{Fate, Reason, Remark};
use crate::report::LineResult;

/// A line of this update.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct LineId(u32);

impl LineId {
    /// The line at a place of a list that has a ledger of its own: of the game master's orders.
    pub(crate) fn nth(index: usize) -> Self {
        Self(index as u32)
    }
}

/// All lines of an update: by empire in registration order, and within one as they were submitted.
/// Phases read it beside the [`Update`](crate::update::Update), which they change.
pub(crate) struct Orders {
    lines: Vec<(Seat, Line)>,
    by_phase: [Vec<LineId>; Phase::COUNT],
}

impl Orders {
    /// The lines of the sheets, which are by seat.
    pub(crate) fn new(sheets: Vec<Option<Sheet>>) -> Self {
        let mut orders = Self { lines: Vec::new(), by_phase: std::array::from_fn(|_| Vec::new()) };
        for (index, sheet) in sheets.into_iter().enumerate() {
            for line in sheet.unwrap_or_default().lines {
                let id = LineId(orders.lines.len() as u32);
                orders.by_phase[line.phase() as usize].push(id);
                orders.lines.push((Seat::at(index), line));
            }
        }
        orders
    }

    /// The lines of a phase, in the order in which they run.
    pub(crate) fn of(&self, phase: Phase) -> impl ExactSizeIterator<Item = (LineId, Seat, &Line)> {
        self.by_phase[phase as usize].iter().map(|&id| {
            let (seat, line) = &self.lines[id.0 as usize];
            (id, *seat, line)
        })
    }

    /// How many lines there are.
    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    /// What became of the lines of each empire, by seat.
    pub(crate) fn results(self, ledger: Ledger, empires: usize) -> Vec<Vec<LineResult>> {
        let mut results: Vec<Vec<LineResult>> = vec![Vec::new(); empires];
        for ((seat, line), (fate, remarks)) in self.lines.into_iter().zip(ledger.close()) {
            results[seat.index()].push(LineResult { line, fate, remarks });
        }
        results
    }
}

/// What becomes of the lines: every part of a line that a phase looks at is entered once, as done
/// or failed.
pub(crate) struct Ledger {
    entries: Vec<Entry>,
}

/// What became of one line so far.
#[derive(Clone, Default)]
struct Entry {
    done: u32,
    failed: u32,
    remarks: Vec<Remark>,
    /// It is for whatever ships are in a place.
    by_place: bool,
}

impl Entry {
    /// All parts done: done; some: partly; none: refused. A line that concerned nothing at all is
    /// done, but not one for the ships of a place where nobody was to obey it: what it means has
    /// vanished.
    fn close(mut self) -> (Fate, Vec<Remark>) {
        if self.by_place && (self.done, self.failed) == (0, 0) {
            self.failed = 1;
            self.remarks.push(Remark { item: Name::NONE, reason: Reason::Vanished });
        }
        let fate = match (self.done, self.failed) {
            (_, 0) => Fate::Done,
            (0, _) => Fate::Refused,
            _ => Fate::Partly,
        };
        (fate, self.remarks)
    }
}

impl Ledger {
    /// For so many lines.
    pub(crate) fn new(lines: usize) -> Self {
        Self { entries: vec![Entry::default(); lines] }
    }

    /// What became of each line, in their order.
    pub(crate) fn close(self) -> impl Iterator<Item = (Fate, Vec<Remark>)> {
        self.entries.into_iter().map(Entry::close)
    }

    /// The line is for whatever ships are in a place.
    pub(crate) fn by_place(&mut self, line: LineId) {
        self.entries[line.0 as usize].by_place = true;
    }

    /// A part was done.
    pub(crate) fn done(&mut self, line: LineId) {
        self.entries[line.0 as usize].done += 1;
    }

    /// A part failed. The item is the ship, world or recipient that is concerned; none if it is the
    /// whole line.
    pub(crate) fn failed(&mut self, line: LineId, item: Name, reason: Reason) {
        let entry = &mut self.entries[line.0 as usize];
        entry.failed += u32::from(!reason.is_note());
        entry.remarks.push(Remark { item, reason });
    }

    /// A note, which makes nothing fail.
    pub(crate) fn note(&mut self, line: LineId, item: Name, reason: Reason) {
        self.entries[line.0 as usize].remarks.push(Remark { item, reason });
    }

    /// The whole line failed, for one reason.
    pub(crate) fn refused(&mut self, line: LineId, reason: Reason) {
        self.failed(line, Name::NONE, reason);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r14_all_done_some_partly_none_refused() {
        let unload = Line::Unload { ships: Vec::new() };
        let sheet = Sheet::of(vec![unload.clone(); 7]);
        let orders = Orders::new(vec![None, Some(sheet)]);
        let mut ledger = Ledger::new(orders.len());
        let ids: Vec<LineId> = orders
            .of(Phase::Unload)
            .map(|(id, seat, _)| {
                assert_eq!(seat, Seat::at(1));
                id
            })
            .collect();
        ledger.done(ids[0]);
        ledger.done(ids[1]);
        ledger.failed(ids[1], Name::NONE, Reason::NotLoaded);
        ledger.refused(ids[2], Reason::Destroyed);
        ledger.done(ids[3]);
        ledger.failed(ids[3], Name::NONE, Reason::NotNeeded);
        ledger.by_place(ids[5]);
        ledger.by_place(ids[6]);
        ledger.done(ids[6]);
        let results = orders.results(ledger, 2);
        let fates: Vec<Fate> = results[1].iter().map(|result| result.fate).collect();
        let (done, refused) = (Fate::Done, Fate::Refused);
        assert_eq!(fates, [done, Fate::Partly, refused, done, done, refused, done]);
        assert_eq!(results[1][5].remarks, [Remark { item: Name::NONE, reason: Reason::Vanished }]);
        assert!(results[0].is_empty());
        assert_eq!(results[1][3].remarks[0].reason, Reason::NotNeeded);
    }
}
