//! 6.8.1, 6.8.2: who may see what an empire's ships see.

use heliopause_kernel::Seat;

use crate::empire::{Grant, Granted};
use crate::geometry::Sector;
use crate::ids::ClassId;
use crate::ledger::{LineId, Orders};
use crate::name::Name;
use crate::order::{Line, Phase, Scans};
use crate::reason::Reason;
use crate::ship::Serial;
use crate::update::Update;

/// What a line means by names and places, each with the name it was called by.
#[derive(Default)]
struct Meant {
    sectors: Vec<(Name, Sector)>,
    ships: Vec<(Name, Serial)>,
    classes: Vec<(Name, ClassId)>,
}

impl Update<'_> {
    /// 6.8.1: DENY.
    pub(crate) fn deny_access(&mut self, orders: &Orders) {
        for (line, seat, it) in orders.of(Phase::Deny) {
            let Line::Deny { scans, to } = it else { continue };
            let meant = self.meant(line, seat, scans, false);
            for &name in to {
                match self.names.empire(name) {
                    Some(other) => self.deny(line, seat, (name, other), scans, &meant),
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
        meant: &Meant,
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
        let mut taken = take(sectors, &meant.sectors);
        taken.extend(take(ships, &meant.ships));
        taken.extend(take(classes, &meant.classes));
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

    /// 6.8.2: AUTHORIZE. Everything replaces what is narrower, and covers what is narrower and
    /// comes later.
    pub(crate) fn authorize_access(&mut self, orders: &Orders) {
        for (line, seat, it) in orders.of(Phase::Authorize) {
            let Line::Authorize { scans, to } = it else { continue };
            let meant = self.meant(line, seat, scans, true);
            let parts = meant.sectors.len() + meant.ships.len() + meant.classes.len();
            let recipients = self.contacts_among(line, seat, to);
            if *scans != Scans::All && parts == 0 {
                continue;
            }
            for to in recipients {
                self.ledger.done(line);
                let grants = &mut self.game.galaxy.empire_mut(seat).grants;
                let nothing = || Granted::Some {
                    sectors: Vec::new(),
                    ships: Vec::new(),
                    classes: Vec::new(),
                };
                let place =
                    grants.binary_search_by_key(&to, |grant| grant.to).unwrap_or_else(|place| {
                        grants.insert(place, Grant { to, scans: nothing() });
                        place
                    });
                let granted = &mut grants[place].scans;
                if *scans == Scans::All {
                    *granted = Granted::All;
                } else if let Granted::Some { sectors, ships, classes } = granted {
                    put(sectors, &meant.sectors);
                    put(ships, &meant.ships);
                    put(classes, &meant.classes);
                }
            }
        }
    }

    /// What a line means now. For a grant, ships must live and classes be known; to end one they
    /// only must be named.
    fn meant(&mut self, line: LineId, seat: Seat, scans: &Scans, is_grant: bool) -> Meant {
        let mut meant = Meant::default();
        match scans {
            Scans::All => (),
            Scans::Places(places) => {
                for &place in places {
                    let name = if let crate::order::Spot::Object(name) = place {
                        name
                    } else {
                        Name::NONE
                    };
                    match self.spot(seat, place) {
                        Some(at) => meant.sectors.push((name, at)),
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
                        Some(class) => meant.classes.push((name, class)),
                        None => self.ledger.failed(line, name, Reason::UnknownClass),
                    }
                }
            }
            Scans::Ships(names) => {
                let ships = if is_grant {
                    self.muster_named(line, seat, names)
                } else {
                    self.named(seat, names).0
                };
                let galaxy = self.galaxy();
                meant.ships = ships
                    .iter()
                    .map(|&id| galaxy.ship(id))
                    .map(|ship| (ship.handle(), ship.serial))
                    .collect();
                if !is_grant {
                    for &name in names.iter().filter(|&&name| self.names.ship(seat, name).is_none())
                    {
                        self.ledger.failed(line, name, Reason::Vanished);
                    }
                }
            }
        }
        meant
    }
}

/// Takes items out of a sorted list; says of each whether it was there.
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

/// Puts items into a sorted list, each once.
fn put<T: Ord + Copy>(list: &mut Vec<T>, items: &[(Name, T)]) {
    list.extend(items.iter().map(|&(_, item)| item));
    list.sort_unstable();
    list.dedup();
}

#[cfg(test)]
mod tests {
    use crate::empire::Granted;
    use crate::hull::Hull;
    use crate::order::Scans;
    use crate::reason::Fate;
    use crate::testing::{Site, at, line, names};
    use heliopause_kernel::Seat;

    fn site() -> Site {
        let mut site = Site::new(3);
        site.ships("A", "Lion Hawk", "probe", (0, 0));
        site
    }

    #[test]
    fn grants_are_added_narrowed_and_ended() {
        let mut site = site();
        let places = Scans::Places(vec![line::spot((3, 0)), line::spot((-1, 0))]);
        let orders = [
            line::authorize(places, "B C"),
            line::authorize(Scans::Ships(names("Lion Ghost")), "B"),
            line::authorize(Scans::Classes(names("probe secret")), "B"),
        ];
        let played = site.orders("A", orders).play();
        assert_eq!(
            [0, 1, 2].map(|index| played.said("A", index)),
            ["", "Ghost vanished", "secret unknown-class"]
        );
        let serial = site.ship("A", "Lion").serial;
        let probe = site.class_id("probe");
        let all = Granted::Some {
            sectors: vec![at((-1, 0)), at((3, 0))],
            ships: vec![serial],
            classes: vec![probe],
        };
        assert_eq!(site.empire("A").grant(Seat::at(1)), Some(&all));

        let orders = [
            line::deny(Scans::Places(vec![line::spot((3, 0)), line::spot((9, 9))]), "B"),
            line::deny(Scans::Ships(names("Lion Hawk")), "B"),
            line::deny(Scans::Classes(names("probe")), "B"),
            line::deny(Scans::All, "C"),
            line::deny(Scans::All, "C"),
        ];
        let played = site.orders("A", orders).play();
        let said: Vec<String> = (0..5).map(|index| played.said("A", index)).collect();
        assert_eq!(said, ["B no-grant", "Hawk no-grant", "", "", "C no-grant"]);
        assert_eq!(played.fate("A", 0), Fate::Partly);
        assert_eq!(site.empire("A").grants.len(), 1);
        site.orders("A", [line::deny(Scans::Places(vec![line::spot((-1, 0))]), "B")]).play();
        assert!(site.empire("A").grants.is_empty(), "a grant of nothing is none");
    }

    #[test]
    fn everything_covers_what_is_narrower() {
        let mut site = site();
        site.empire("A").contacts.remove(Seat::at(2));
        let orders = [
            line::authorize(Scans::Ships(names("Lion")), "B"),
            line::authorize(Scans::All, "B C"),
            line::authorize(Scans::Ships(names("Hawk")), "B"),
        ];
        let played = site.orders("A", orders).play();
        assert_eq!(played.said("A", 1), "C no-contact");
        assert_eq!(site.empire("A").grant(Seat::at(1)), Some(&Granted::All));
        let played = site.orders("A", [line::deny(Scans::Ships(names("Lion")), "B")]).play();
        assert_eq!(played.said("A", 0), "B all-access");
    }

    #[test]
    fn rule_6_8_2_what_an_unknown_class_sees_cannot_be_granted_but_is_taken_back() {
        let mut site = site();
        site.class("secret", Hull::Scout, [1, 1, 3, 3, 0], "B");
        let secret = || Scans::Classes(names("secret"));
        let played = site.orders("A", [line::authorize(secret(), "B")]).play();
        assert_eq!(played.said("A", 0), "secret unknown-class");
        assert!(site.empire("A").grants.is_empty());

        let class = site.class_id("secret");
        site.empire("A").classes.insert(class);
        site.orders("A", [line::authorize(secret(), "B")]).play();
        assert_eq!(site.empire("A").grants.len(), 1);
        site.empire("A").classes.remove(class);
        let played = site.orders("A", [line::deny(secret(), "B")]).play();
        assert_eq!((played.fate("A", 0), played.said("A", 0).as_str()), (Fate::Done, ""));
        assert!(site.empire("A").grants.is_empty());
    }
}
