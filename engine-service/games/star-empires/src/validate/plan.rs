//! What the lines of a sheet have in mind together, so that a line is not warned of what another
//! line takes care of.

use super::Finding;
use super::knows::Knows;
use crate::geometry::Coord;
use crate::name::Name;
use crate::order::{Crews, Line, Naming, Selection, Sheet};
use crate::reason::Reason;
use crate::ship::Serial;

/// What a sheet has in mind for each own ship, by its place among them.
#[derive(Default)]
pub(crate) struct Plan {
    pub(super) unloaded: Vec<bool>,
    pub(super) loaded: Vec<bool>,
    pub(super) destructed: Vec<bool>,
    pub(super) fires: Vec<bool>,
    pub(super) private: Vec<bool>,
    /// Where MOVE lines take it, first line first.
    pub(super) moves: Vec<Option<Coord>>,
    /// Ships that MOVE lines looked at so far have taken.
    pub(super) moved: Vec<bool>,
    /// Tonnage that LOAD lines looked at so far put on each ship.
    pub(super) freight: Vec<u32>,
    /// Names that BUILD lines give.
    built: Vec<Name>,
    /// Bases of numbered names that BUILD lines give.
    bases: Vec<Name>,
    /// Class names that DESIGN lines looked at so far give.
    pub(super) designed: Vec<Name>,
}

impl Plan {
    pub(super) fn of(knows: &Knows<'_>, sheet: &Sheet) -> Self {
        let none = || vec![false; knows.ships.len()];
        let mut plan = Self {
            unloaded: none(),
            loaded: none(),
            destructed: none(),
            fires: none(),
            private: none(),
            moves: vec![None; knows.ships.len()],
            moved: none(),
            freight: vec![0; knows.ships.len()],
            ..Self::default()
        };
        for line in &sheet.lines {
            plan.read(knows, line);
        }
        plan
    }

    fn read(&mut self, knows: &Knows<'_>, line: &Line) {
        let all =
            |names: &[Name]| names.iter().filter_map(|&name| knows.ship(name)).collect::<Vec<_>>();
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
                let Some(to) = knows.spot(*to) else { return };
                for index in selected(knows, ships) {
                    self.moves[index].get_or_insert(to);
                }
            }
            Line::Toggle { public: false, ships: Crews::All } => self.private.fill(true),
            Line::Toggle { public: false, ships: Crews::Some { ships, classes } } => {
                mark(&mut self.private, &all(ships));
                for (index, ship) in knows.ships.iter().enumerate() {
                    self.private[index] |= classes.contains(&knows.class(ship).name);
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

    /// Notes 4.3: names that a BUILD line gives. Those that are taken or look like a serial number
    /// are dropped, and noted.
    pub(super) fn name_ships(&mut self, knows: &Knows<'_>, naming: &Naming, found: &mut Finding) {
        match naming {
            Naming::Numbered(base) => self.bases.push(*base),
            Naming::Listed(names) => {
                for &name in names {
                    let like = name
                        .as_str()
                        .parse::<Serial>()
                        .ok()
                        .is_some_and(|serial| serial.code() == knows.empire.code);
                    if like {
                        found.warn(name, Reason::BadName);
                    } else if self.built.contains(&name) || knows.ship(name).is_some() {
                        found.warn(name, Reason::NameTaken);
                    }
                    self.built.push(name);
                }
            }
        }
    }

    /// Whether a BUILD line may give this name: what bears it then is not known yet.
    pub(super) fn may_be_built(&self, name: Name) -> bool {
        let numbered = |base: &Name| {
            let (text, base) = (name.as_str(), base.as_str());
            let head = text.get(..base.len()).is_some_and(|head| head.eq_ignore_ascii_case(base));
            head && text.len() > base.len()
                && text.as_bytes()[base.len()..].iter().all(u8::is_ascii_digit)
        };
        self.built.contains(&name) || self.bases.iter().any(numbered)
    }
}

/// The own ships that a selection means as things stand.
fn selected(knows: &Knows<'_>, selection: &Selection) -> Vec<usize> {
    match selection {
        Selection::Ships(names) => names.iter().filter_map(|&name| knows.ship(name)).collect(),
        Selection::All { at, except } => {
            let Some(at) = knows.spot(*at) else { return Vec::new() };
            let mut left_out: Vec<usize> =
                except.iter().filter_map(|&name| knows.ship(name)).collect();
            left_out.sort_unstable();
            knows.loose_at(at).filter(|index| left_out.binary_search(index).is_err()).collect()
        }
    }
}

fn mark(marks: &mut [bool], ships: &[usize]) {
    for &index in ships {
        marks[index] = true;
    }
}
