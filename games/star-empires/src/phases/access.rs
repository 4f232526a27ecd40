//! 6.8.1, 6.8.2: sharing of scans.

use heliopause_kernel::Seat;

use crate::empire::{Grant, Granted};
use crate::geometry::Sector;
use crate::ids::ClassId;
use crate::ledger::{LineId, Orders};
use crate::name::Name;
use crate::order::{Line, Phase, Scans, Spot};
use crate::reason::Reason;
use crate::ship::Serial;
use crate::update::Update;

#[derive(Default)]
struct Resolved {
    sectors: Vec<(Name, Sector)>,
    ships: Vec<(Name, Serial)>,
    classes: Vec<(Name, ClassId)>,
}

impl Update<'_> {
    pub(crate) fn deny_access(&mut self, orders: &Orders) {
        for (line, seat, it) in orders.of(Phase::Deny) {
            let Line::Deny { scans, to } = it else { continue };
            let resolved = self.resolved(line, seat, scans, false);
            for &name in to {
                match self.names.empire(name) {
                    Some(other) => self.deny(line, seat, (name, other), scans, &resolved),
                    None => self.ledger.failed(line, name, Reason::UnknownName),
                }
            }
        }
    }

    fn deny(
        &mut self,
        line: LineId,
        seat: Seat,
        (name, to): (Name, Seat),
        scans: &Scans,
        resolved: &Resolved,
    ) {
        let grants = &mut self.game.galaxy.empire_mut(seat).grants;
        let Some(place) = grants.iter().position(|grant| grant.to == to) else {
            return self.ledger.failed(line, name, Reason::NoGrant);
        };
        if *scans == Scans::All {
            grants.remove(place);
            return self.ledger.done(line);
        }
        let Granted::Some { sectors, ships, classes } = &mut grants[place].scans else {
            return self.ledger.failed(line, name, Reason::AllAccess);
        };
        let mut taken = take(sectors, &resolved.sectors);
        taken.extend(take(ships, &resolved.ships));
        taken.extend(take(classes, &resolved.classes));
        if sectors.is_empty() && ships.is_empty() && classes.is_empty() {
            grants.remove(place);
        }
        for (item, was_there) in taken {
            if was_there {
                self.ledger.done(line);
            } else {
                self.ledger.failed(line, if item.is_none() { name } else { item }, Reason::NoGrant);
            }
        }
    }

    /// 6.8.2: runs the AUTHORIZE lines. A grant of all scans replaces narrower grants to the same
    /// empire. Later narrower grants then change nothing.
    pub(crate) fn authorize_access(&mut self, orders: &Orders) {
        for (line, seat, it) in orders.of(Phase::Authorize) {
            let Line::Authorize { scans, to } = it else { continue };
            let resolved = self.resolved(line, seat, scans, true);
            let parts = resolved.sectors.len() + resolved.ships.len() + resolved.classes.len();
            let recipients = self.contacts_among(line, seat, to);
            if *scans != Scans::All && parts == 0 {
                continue;
            }
            for to in recipients {
                self.ledger.done(line);
                let grants = &mut self.game.galaxy.empire_mut(seat).grants;
                let place = grants.binary_search_by_key(&to, |grant| grant.to);
                let place = place.unwrap_or_else(|place| {
                    let (sectors, ships, classes) = Default::default();
                    let scans = Granted::Some { sectors, ships, classes };
                    grants.insert(place, Grant { to, scans });
                    place
                });
                let granted = &mut grants[place].scans;
                if *scans == Scans::All {
                    *granted = Granted::All;
                } else if let Granted::Some { sectors, ships, classes } = granted {
                    put(sectors, &resolved.sectors);
                    put(ships, &resolved.ships);
                    put(classes, &resolved.classes);
                }
            }
        }
    }

    /// Resolves the sectors, ships and classes of a line. Records unresolved items as failed. Only
    /// a grant requires that ships are live and classes known.
    fn resolved(&mut self, line: LineId, seat: Seat, scans: &Scans, is_grant: bool) -> Resolved {
        let mut resolved = Resolved::default();
        match scans {
            Scans::All => (),
            Scans::Places(places) => {
                for &place in places {
                    let name = if let Spot::Object(name) = place { name } else { Name::NONE };
                    match self.spot(seat, place) {
                        Some(at) => resolved.sectors.push((name, at)),
                        None => self.ledger.failed(line, name, Reason::Vanished),
                    }
                }
            }
            Scans::Classes(names) => {
                for &name in names {
                    let known = |&class: &ClassId| {
                        !is_grant || self.galaxy().empire(seat).classes.contains(class)
                    };
                    match self.names.class(name).filter(known) {
                        Some(class) => resolved.classes.push((name, class)),
                        None => self.ledger.failed(line, name, Reason::UnknownClass),
                    }
                }
            }
            Scans::Ships(names) => {
                let ships = if is_grant {
                    self.select_live_named(line, seat, names)
                } else {
                    let (ships, unknown) = self.named(seat, names);
                    for name in unknown {
                        self.ledger.failed(line, name, Reason::Vanished);
                    }
                    ships
                };
                let ships = ships.iter().map(|&id| self.galaxy().ship(id));
                resolved.ships = ships.map(|ship| (ship.handle(), ship.serial)).collect();
            }
        }
        resolved
    }
}

/// Removes items from a sorted list. Returns, for each item, whether the list contained it.
fn take<T: Ord + Copy>(list: &mut Vec<T>, items: &[(Name, T)]) -> Vec<(Name, bool)> {
    let take_one = |&(name, item): &(Name, T)| {
        let place = list.binary_search(&item);
        if let Ok(place) = place {
            list.remove(place);
        }
        (name, place.is_ok())
    };
    items.iter().map(take_one).collect()
}

fn put<T: Ord + Copy>(list: &mut Vec<T>, items: &[(Name, T)]) {
    list.extend(items.iter().map(|&(_, item)| item));
    list.sort_unstable();
    list.dedup();
}
