//! Notes 4.1: the lines of an update and their results.

use heliopause_kernel::Seat;

use crate::name::Name;
use crate::order::{Line, Phase, Sheet};
use crate::reason::{Fate, Reason, Remark};
use crate::report::LineResult;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct LineId(u32);

impl LineId {
    /// Returns the id of a game master's order by its index. Those orders have a separate ledger.
    pub(crate) fn nth(index: usize) -> Self {
        Self(index as u32)
    }
}

/// All lines of an update, by empire in registration order, then in the order of submission. Not
/// part of [`Update`](crate::update::Update), because phases read the lines while they modify the
/// update.
pub(crate) struct Orders {
    lines: Vec<(Seat, Line)>,
    by_phase: [Vec<LineId>; Phase::COUNT],
}

impl Orders {
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

    pub(crate) fn of(&self, phase: Phase) -> impl ExactSizeIterator<Item = (LineId, Seat, &Line)> {
        self.by_phase[phase as usize].iter().map(|&id| {
            let (seat, line) = &self.lines[id.0 as usize];
            (id, *seat, line)
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    pub(crate) fn results(self, ledger: Ledger, empires: usize) -> Vec<Vec<LineResult>> {
        let mut results: Vec<Vec<LineResult>> = vec![Vec::new(); empires];
        for ((seat, line), (fate, remarks)) in self.lines.into_iter().zip(ledger.close()) {
            results[seat.index()].push(LineResult { line, fate, remarks });
        }
        results
    }
}

/// Results of lines. Phases record each ship, world or recipient of a line once, as done or failed.
pub(crate) struct Ledger {
    entries: Vec<Entry>,
}

#[derive(Clone, Default)]
struct Entry {
    done: u32,
    failed: u32,
    remarks: Vec<Remark>,
    by_place: bool,
}

impl Entry {
    /// Returns the result. A line that addresses all ships at a place is refused as `vanished` if
    /// no ship there could obey it.
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
    pub(crate) fn new(lines: usize) -> Self {
        Self { entries: vec![Entry::default(); lines] }
    }

    pub(crate) fn close(self) -> impl Iterator<Item = (Fate, Vec<Remark>)> {
        self.entries.into_iter().map(Entry::close)
    }

    pub(crate) fn by_place(&mut self, line: LineId) {
        self.entries[line.0 as usize].by_place = true;
    }

    pub(crate) fn done(&mut self, line: LineId) {
        self.entries[line.0 as usize].done += 1;
    }

    /// Records that an item of a line failed. `item` is the ship, world or recipient, or empty if
    /// the whole line failed.
    pub(crate) fn failed(&mut self, line: LineId, item: Name, reason: Reason) {
        let entry = &mut self.entries[line.0 as usize];
        entry.failed += u32::from(!reason.is_note());
        entry.remarks.push(Remark { item, reason });
    }

    pub(crate) fn note(&mut self, line: LineId, item: Name, reason: Reason) {
        self.entries[line.0 as usize].remarks.push(Remark { item, reason });
    }

    pub(crate) fn refused(&mut self, line: LineId, reason: Reason) {
        self.failed(line, Name::NONE, reason);
    }
}
