//! Describes turns for a game's story, in one short line per empire.

use std::collections::{BTreeMap, BTreeSet};

use heliopause_kernel::Seat;
use heliopause_star_empires::{
    Deed, EmpireView, Event, Galaxy, GalaxyChange, Insight, Item, Name, Report, Sector, Ship, View,
};

use crate::text::count;

/// The maximum number of empires described per turn.
const EMPIRES_MAX: usize = 12;
/// The maximum number of kinds of ships, or of worlds, in a line.
const ITEMS_MAX: usize = 6;

heliopause_kernel::vocabulary! {
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    enum Fate {
        Built = "built",
        Damaged = "damaged",
        Lost = "lost",
    }
}

#[derive(Default)]
struct Turn {
    /// The number of ships by empire, result, class and place.
    ships: BTreeMap<Seat, BTreeMap<(Fate, Name, String), usize>>,
    /// The worlds that each empire took, with the former owner.
    taken: BTreeMap<Seat, Vec<(Name, Option<Seat>)>>,
    /// The worlds that each empire lost without a new owner.
    freed: BTreeMap<Seat, Vec<Name>>,
}

/// Describes an event in one line per empire. `before` is the view before the event.
pub(super) fn lines(before: &View, event: &Event) -> Option<Vec<String>> {
    match (event, &before.insight) {
        (Event::GalaxyChanged(change), Insight::Master(master)) => {
            let names = |seat: Seat| master.galaxy.empire(seat).name.to_string();
            Some(Turn::of_change(&master.galaxy, change).lines(&names))
        }
        (Event::Reported { report, .. }, Insight::Empire(own)) => {
            let known = |seat: Seat| own.empires.iter().find(|empire| empire.seat == seat);
            let names = |seat: Seat| {
                known(seat).map_or_else(|| seat.to_string(), |seen| seen.name.to_string())
            };
            Some(Turn::of_report(own, report).lines(&names))
        }
        _ => None,
    }
}

impl Turn {
    fn of_change(before: &Galaxy, change: &GalaxyChange) -> Self {
        let mut turn = Self::default();
        let place = |at: Sector| {
            let world = before.world_at(at).map(|world| before.world(world).name);
            world.map_or_else(|| at.to_string(), |name| name.to_string())
        };
        let class = |galaxy: &Galaxy, ship: &Ship| galaxy.class_of(ship).name;
        let former =
            |owner, serial| before.ship_numbered(owner, serial).map(|ship| before.ship(ship));
        for row in &change.ships {
            let ship = &row.ship;
            let fate = match former(ship.owner, ship.serial) {
                None => Fate::Built,
                Some(former) if ship.dp < former.dp => Fate::Damaged,
                Some(_) => continue,
            };
            turn.note(ship.owner, fate, class(&change.galaxy, ship), place(ship.at));
        }
        for &(owner, serial) in &change.gone {
            if let Some(ship) = former(owner, serial) {
                turn.note(owner, Fate::Lost, class(before, ship), place(ship.at));
            }
        }
        for world in &change.galaxy.worlds {
            let former = before.worlds.iter().find(|former| former.name == world.name);
            if let Some(former) = former {
                turn.note_owner(world.name, former.owner, world.owner);
            }
        }
        turn
    }

    fn of_report(own: &EmpireView, report: &Report) -> Self {
        let mut turn = Self::default();
        let mut fates = BTreeMap::new();
        for news in &report.news {
            if let Item::Owner { world, from, to } = news.item {
                turn.note_owner(world, from, to);
            }
            let Item::Ship { ship, kind: deed, .. } = news.item else { continue };
            let Some(fate) = fate(deed) else { continue };
            let place = news.at.map_or_else(String::new, |at| {
                let world = own.chart.world_at(at);
                world.map_or_else(|| at.to_string(), |world| world.name.to_string())
            });
            // A ship that was damaged and then lost is listed once.
            let told = fates.entry((ship.owner, ship.serial)).or_insert((fate, place.clone()));
            if fate > told.0 {
                *told = (fate, place);
            }
        }
        let mut told = BTreeSet::new();
        for news in &report.news {
            let Item::Ship { ship, .. } = news.item else { continue };
            let key = (ship.owner, ship.serial);
            if let Some((fate, place)) = fates.get(&key)
                && told.insert(key)
            {
                turn.note(ship.owner, *fate, ship.class, place.clone());
            }
        }
        turn
    }

    fn note(&mut self, owner: Seat, fate: Fate, class: Name, place: String) {
        *self.ships.entry(owner).or_default().entry((fate, class, place)).or_default() += 1;
    }

    fn note_owner(&mut self, world: Name, from: Option<Seat>, to: Option<Seat>) {
        match (from, to) {
            _ if from == to => {}
            (_, Some(to)) => self.taken.entry(to).or_default().push((world, from)),
            (Some(from), None) => self.freed.entry(from).or_default().push(world),
            (None, None) => {}
        }
    }

    fn lines(&self, names: &dyn Fn(Seat) -> String) -> Vec<String> {
        let empires: BTreeSet<Seat> =
            self.ships.keys().chain(self.taken.keys()).chain(self.freed.keys()).copied().collect();
        let mut lines: Vec<String> =
            empires.iter().take(EMPIRES_MAX).map(|&seat| self.line(seat, names)).collect();
        if empires.len() > EMPIRES_MAX {
            let more = count(empires.len() - EMPIRES_MAX, "more empire");
            lines.push(format!("Also affected: {more}."));
        }
        lines
    }

    fn line(&self, seat: Seat, names: &dyn Fn(Seat) -> String) -> String {
        let mut parts = Vec::new();
        let mut ships: Vec<_> = self.ships.get(&seat).into_iter().flatten().collect();
        ships.sort_by_key(|&(what, &number)| (std::cmp::Reverse(number), what));
        for ((fate, class, place), number) in ships.iter().take(ITEMS_MAX) {
            let at = if place.is_empty() { String::new() } else { format!(" at {place}") };
            parts.push(format!("{} {fate}{at}", count(**number, class.as_str())));
        }
        for fate in Fate::ALL {
            let rest = ships.iter().skip(ITEMS_MAX).filter(|((other, ..), _)| *other == fate);
            let rest: usize = rest.map(|(_, number)| **number).sum();
            if rest > 0 {
                parts.push(format!("{} {fate}", count(rest, "other ship")));
            }
        }
        let taken = self.taken.get(&seat).into_iter().flatten();
        parts.extend(worlds(taken, |(world, from)| match from {
            Some(from) => format!("{world} taken from {}", names(*from)),
            None => format!("{world} taken"),
        }));
        let freed = self.freed.get(&seat).into_iter().flatten();
        parts.extend(worlds(freed, |world| format!("{world} given up")));
        format!("{}: {}.", names(seat), parts.join(", "))
    }
}

fn worlds<'w, W: 'w>(
    list: impl Iterator<Item = &'w W>,
    text: impl Fn(&W) -> String,
) -> Vec<String> {
    let mut parts: Vec<String> = list.map(text).collect();
    if parts.len() > ITEMS_MAX {
        let rest = parts.split_off(ITEMS_MAX).len();
        parts.push(format!("and {}", count(rest, "more world")));
    }
    parts
}

fn fate(deed: Deed) -> Option<Fate> {
    use Deed as It;
    let fates = [
        (Fate::Built, &[It::Built, It::Added][..]),
        (Fate::Damaged, &[It::Hit, It::Collateral, It::StormDamage]),
        (Fate::Lost, &[It::Destroyed, It::SelfDestructed, It::DestroyedByStorm, It::Removed]),
    ];
    fates.into_iter().find(|(_, deeds)| deeds.contains(&deed)).map(|(fate, _)| fate)
}
