//! A builder for order sheets.

use heliopause_star_empires::{
    Amount, Coord, Crews, ITEMS_MAX, LINES_MAX, Line, Name, Naming, Scans, Selection, Sense, Sheet,
    Spot,
};

#[derive(Debug, Default)]
pub(super) struct Lines {
    lines: Vec<Line>,
    items: usize,
}

/// Maximum number of ships per line, so that a failed line costs little.
const SHIPS_A_LINE: usize = 200;
const OTHER_NAMES: usize = 70;

impl Lines {
    pub(super) fn sheet(self) -> Sheet {
        Sheet::of(self.lines)
    }

    pub(super) fn room(&self) -> usize {
        LINES_MAX - self.lines.len()
    }

    fn add(&mut self, items: usize, line: Line) {
        if self.room() > 0 && self.items + items + OTHER_NAMES <= ITEMS_MAX {
            self.items += items + 4;
            self.lines.push(line);
        }
    }

    fn each(&mut self, ships: &[Name], line: impl Fn(Vec<Name>) -> Line) {
        for part in ships.chunks(SHIPS_A_LINE) {
            self.add(part.len(), line(part.to_vec()));
        }
    }

    pub(super) fn unload(&mut self, ships: &[Name]) {
        self.each(ships, |ships| Line::Unload { ships });
    }

    pub(super) fn load(&mut self, ships: &[Name], carrier: Name) {
        self.each(ships, |ships| Line::Load { ships, carrier });
    }

    pub(super) fn destruct(&mut self, ships: &[Name]) {
        self.each(ships, |ships| Line::Destruct { ships: Selection::Ships(ships) });
    }

    /// Adds one line for all attackers, because they divide the targets among themselves.
    pub(super) fn fire(&mut self, ships: &[Name], at: Name) {
        if !ships.is_empty() {
            let selection = Selection::Ships(ships.to_vec());
            self.add(
                ships.len(),
                Line::Fire { sense: Sense::Descending, ships: selection, at: vec![at] },
            );
        }
    }

    pub(super) fn transmit(&mut self, portals: Vec<Name>, to: Vec<Name>) {
        if !portals.is_empty() && !to.is_empty() {
            self.add(portals.len() + to.len(), Line::Transmit { portals, to });
        }
    }

    pub(super) fn go(&mut self, ships: &[Name], to: Coord) {
        self.each(ships, |ships| Line::Move { ships: Selection::Ships(ships), to: Spot::At(to) });
    }

    pub(super) fn traverse(&mut self, ships: &[Name], entry: Name, exit: Option<Name>) {
        self.each(ships, |ships| Line::Traverse { ships: Selection::Ships(ships), entry, exit });
    }

    pub(super) fn design(
        &mut self,
        world: Name,
        class: Name,
        design: heliopause_star_empires::Design,
    ) {
        self.add(2, Line::Design { world, class, design });
    }

    pub(super) fn build(&mut self, world: Name, count: u32, class: Name) {
        if count > 0 {
            let naming = Naming::Listed(Vec::new());
            self.add(2, Line::Build { world, count: Amount::Number(count), class, naming });
        }
    }

    pub(super) fn repair(&mut self, ship: Name, world: Name) {
        self.add(2, Line::Repair { ship, dp: Amount::Max, worlds: vec![world] });
    }

    pub(super) fn identify(&mut self, ships: Crews, to: Vec<Name>) {
        if !to.is_empty() {
            self.add(to.len() + 1, Line::Identify { ships, to });
        }
    }

    pub(super) fn give(&mut self, classes: Vec<Name>, to: Vec<Name>) {
        self.add(classes.len() + to.len(), Line::Give { classes, to });
    }

    pub(super) fn transfer(&mut self, from: Name, amount: u32, to: Name, recipient: Name) {
        self.add(
            3,
            Line::Transfer { from, amount: Amount::Number(amount), to, recipient: Some(recipient) },
        );
    }

    pub(super) fn pool(&mut self, world: Name, except: Vec<Name>) {
        self.add(except.len() + 1, Line::Pool { world, except });
    }

    pub(super) fn deny_all(&mut self, to: Vec<Name>) {
        if !to.is_empty() {
            self.add(to.len(), Line::Deny { scans: Scans::All, to });
        }
    }

    pub(super) fn authorize_all(&mut self, to: Vec<Name>) {
        if !to.is_empty() {
            self.add(to.len(), Line::Authorize { scans: Scans::All, to });
        }
    }
}
