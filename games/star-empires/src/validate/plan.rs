//! The combined orders of a sheet. A line gets no warning about a problem that another line solves.

use super::Finding;
use super::lookup::EmpireLookup;
use crate::geometry::Coord;
use crate::name::Name;
use crate::order::{Crews, Line, Naming, Selection, Sheet};
use crate::reason::Reason;

#[derive(Default)]
pub(crate) struct Plan {
    pub(super) unloaded: Vec<bool>,
    pub(super) loaded: Vec<bool>,
    pub(super) destructed: Vec<bool>,
    pub(super) fires: Vec<bool>,
    pub(super) private: Vec<bool>,
    /// Destinations in MOVE lines. The first line for a ship takes precedence.
    pub(super) moves: Vec<Option<Coord>>,
    /// Whether a MOVE line checked so far moves the ship.
    pub(super) moved: Vec<bool>,
    /// Tonnage that LOAD lines checked so far put on the ship.
    pub(super) loaded_tonnage: Vec<u32>,
    built: Vec<Name>,
    bases: Vec<Name>,
    /// Class names that DESIGN lines checked so far give.
    pub(super) designed: Vec<Name>,
}

impl Plan {
    pub(super) fn of(lookup: &EmpireLookup<'_>, sheet: &Sheet) -> Self {
        let none = || vec![false; lookup.ships.len()];
        let mut plan = Self {
            unloaded: none(),
            loaded: none(),
            destructed: none(),
            fires: none(),
            private: none(),
            moves: vec![None; lookup.ships.len()],
            moved: none(),
            loaded_tonnage: vec![0; lookup.ships.len()],
            ..Self::default()
        };
        for line in &sheet.lines {
            plan.read(lookup, line);
        }
        plan
    }

    fn read(&mut self, lookup: &EmpireLookup<'_>, line: &Line) {
        let all =
            |names: &[Name]| names.iter().filter_map(|&name| lookup.ship(name)).collect::<Vec<_>>();
        match line {
            Line::Unload { ships } => mark(&mut self.unloaded, &all(ships)),
            Line::Load { ships, .. } => mark(&mut self.loaded, &all(ships)),
            Line::Destruct { ships: Selection::Ships(names) } => {
                mark(&mut self.destructed, &all(names));
            }
            Line::Fire { ships: Selection::Ships(names), .. } => {
                mark(&mut self.fires, &all(names));
            }
            Line::Move { ships, to } => {
                let Some(to) = lookup.spot(*to) else { return };
                for index in selected(lookup, ships) {
                    self.moves[index].get_or_insert(to);
                }
            }
            Line::Toggle { public: false, ships: Crews::All } => self.private.fill(true),
            Line::Toggle { public: false, ships: Crews::Some { ships, classes } } => {
                mark(&mut self.private, &all(ships));
                for (index, ship) in lookup.ships.iter().enumerate() {
                    self.private[index] |= classes.contains(&lookup.class(ship).name);
                }
            }
            Line::Destruct { ships: Selection::All { .. } }
            | Line::Fire { ships: Selection::All { .. }, .. }
            | Line::Toggle { public: true, .. }
            | Line::Transmit { .. }
            | Line::Traverse { .. }
            | Line::Design { .. }
            | Line::Give { .. }
            | Line::Build { .. }
            | Line::Repair { .. }
            | Line::Conceal { .. }
            | Line::Identify { .. }
            | Line::Pool { .. }
            | Line::Transfer { .. }
            | Line::Deny { .. }
            | Line::Authorize { .. } => {}
        }
    }

    /// Notes 4.3: warns about names that are taken or look like a serial number of the empire.
    pub(super) fn name_ships(
        &mut self,
        lookup: &EmpireLookup<'_>,
        naming: &Naming,
        found: &mut Finding,
    ) {
        match naming {
            Naming::Numbered(base) => self.bases.push(*base),
            Naming::Listed(names) => {
                for &name in names {
                    if lookup.empire.code.begins_serial(name) {
                        found.warn(name, Reason::BadName);
                    } else if self.built.contains(&name) || lookup.ship(name).is_some() {
                        found.warn(name, Reason::NameTaken);
                    }
                    self.built.push(name);
                }
            }
        }
    }

    /// Returns whether a BUILD line may give this name, which may then refer to the new ship.
    pub(super) fn may_name_new_ship(&self, name: Name) -> bool {
        let numbered = |base: &Name| {
            let (text, base) = (name.as_str(), base.as_str());
            let head = text.get(..base.len()).is_some_and(|head| head.eq_ignore_ascii_case(base));
            head && text.len() > base.len()
                && text.as_bytes()[base.len()..].iter().all(u8::is_ascii_digit)
        };
        self.built.contains(&name) || self.bases.iter().any(numbered)
    }
}

fn selected(lookup: &EmpireLookup<'_>, selection: &Selection) -> Vec<usize> {
    match selection {
        Selection::Ships(names) => names.iter().filter_map(|&name| lookup.ship(name)).collect(),
        Selection::All { at, except } => {
            let Some(at) = lookup.spot(*at) else { return Vec::new() };
            let mut left_out: Vec<usize> =
                except.iter().filter_map(|&name| lookup.ship(name)).collect();
            left_out.sort_unstable();
            lookup.loose_at(at).filter(|index| left_out.binary_search(index).is_err()).collect()
        }
    }
}

fn mark(marks: &mut [bool], ships: &[usize]) {
    for &index in ships {
        marks[index] = true;
    }
}
