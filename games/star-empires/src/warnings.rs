//! Warnings about unused or risky decisions in the stored sheet, based on the empire's own map.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use heliopause_kernel::warning::{Warning, counted, list_some};

use crate::chart::{StormSeen, WorldSeen};
use crate::class::{Class, STARBASE, stock};
use crate::geometry::Coord;
use crate::ids::Id;
use crate::name::Name;
use crate::objects::Siege;
use crate::order::{Line, Phase, Selection, Sheet, Spot};
use crate::ship::handle;
use crate::text::word;
use crate::view::{EmpireView, Insight, OwnShip, View};

pub(crate) const CODES: &[&str] = &[
    "world-left-unguarded",
    "ships-in-storm",
    "worlds-in-reach",
    "ships-without-orders",
    "ru-unspent",
];

const PLACING: [Phase; 6] =
    [Phase::Unload, Phase::Load, Phase::Destruct, Phase::Fire, Phase::Move, Phase::Traverse];

pub(crate) fn warnings(view: &View) -> Vec<Warning> {
    let Insight::Empire(own) = &view.insight else { return Vec::new() };
    if view.ending.is_some() {
        return Vec::new();
    }
    let plan = Plan::of(own);
    let kinds = [
        plan.unguarded(),
        plan.in_storms(),
        plan.worlds_in_reach(),
        plan.without_orders(),
        plan.unspent(),
    ];
    kinds.into_iter().flatten().collect()
}

struct Vessel<'a> {
    ship: &'a OwnShip,
    class: &'a Class,
    is_ordered: bool,
    is_loose: bool,
    /// The sector where the movement ends. `None` if the ship traverses a portal.
    ends: Option<Coord>,
}

impl Vessel<'_> {
    fn handle(&self) -> Name {
        handle(self.ship.name, self.ship.serial)
    }

    /// Returns the damage points when the ship moves, after automatic repair.
    fn dp(&self) -> u16 {
        self.ship.dp.saturating_add(self.class.auto_repair()).min(self.class.ratings.dp)
    }

    fn engines(&self) -> u32 {
        self.class.damage(self.dp()).operational(self.class.ratings.engines).into()
    }

    /// R8: returns whether the ship could hold a world while loose.
    fn can_conquer(&self) -> bool {
        let guns = self.class.damage(self.ship.dp).operational(self.class.ratings.guns);
        !self.class.is_missile() && guns > 0
    }

    fn is_conquering(&self) -> bool {
        self.is_loose && self.can_conquer()
    }

    fn is_idle(&self) -> bool {
        !self.is_ordered && self.is_loose && self.engines() > 0
    }
}

/// The sheet of an empire, executed as if other empires did nothing.
struct Plan<'a> {
    own: &'a EmpireView,
    lines: &'a [Line],
    vessels: Vec<Vessel<'a>>,
    worlds: Vec<&'a WorldSeen>,
}

impl<'a> Plan<'a> {
    fn of(own: &'a EmpireView) -> Self {
        let classes: BTreeMap<Name, &Class> = own
            .classes
            .iter()
            .chain(&own.unknown_own_classes)
            .map(|class| (class.name, class))
            .collect();
        let vessel = |ship: &'a OwnShip| {
            let class = classes.get(&ship.class).copied()?;
            let (is_loose, ends) = (ship.carrier.is_none(), Some(ship.at));
            Some(Vessel { ship, class, is_ordered: false, is_loose, ends })
        };
        let vessels: Vec<Vessel<'_>> = own.ships.iter().filter_map(vessel).collect();
        let worlds = own.chart.worlds.iter().filter(|row| row.owner == Some(own.status.seat));
        let lines = own.sheet.as_ref().map_or(&[][..], |sheet: &Sheet| &sheet.lines);
        let mut plan = Self { own, lines, vessels, worlds: worlds.collect() };
        plan.apply_lines();
        plan
    }

    fn apply_lines(&mut self) {
        let mut by_name: BTreeMap<Name, usize> = BTreeMap::new();
        for (index, vessel) in self.vessels.iter().enumerate() {
            by_name.insert(vessel.ship.serial.to_name(), index);
            by_name.insert(vessel.handle(), index);
        }
        let mut cargo: BTreeMap<Name, Vec<usize>> = BTreeMap::new();
        for (index, vessel) in self.vessels.iter().enumerate() {
            if let Some(carrier) = vessel.ship.carrier {
                cargo.entry(carrier.to_name()).or_default().push(index);
            }
        }
        for phase in PLACING {
            for line in self.lines.iter().filter(|line| line.phase() == phase) {
                self.apply_line(line, &by_name, &mut cargo);
            }
        }
    }

    fn apply_line(
        &mut self,
        line: &Line,
        by_name: &BTreeMap<Name, usize>,
        cargo: &mut BTreeMap<Name, Vec<usize>>,
    ) {
        let named = |names: &[Name]| -> Vec<usize> {
            names.iter().filter_map(|name| by_name.get(name).copied()).collect()
        };
        match line {
            Line::Unload { ships } => {
                for index in named(ships) {
                    for list in cargo.values_mut() {
                        list.retain(|one| *one != index);
                    }
                    (self.vessels[index].is_ordered, self.vessels[index].is_loose) = (true, true);
                }
            }
            Line::Load { ships, carrier } => {
                let Some(&carrier) = by_name.get(carrier) else { return };
                let to = self.vessels[carrier].ship.serial.to_name();
                for index in named(ships) {
                    cargo.entry(to).or_default().push(index);
                    (self.vessels[index].is_ordered, self.vessels[index].is_loose) = (true, false);
                }
            }
            Line::Fire { ships, .. } => {
                for index in self.selected(ships, by_name) {
                    self.vessels[index].is_ordered = true;
                }
            }
            Line::Move { ships, to } => {
                let to = self.place(*to);
                for index in self.selected(ships, by_name) {
                    let vessel = &mut self.vessels[index];
                    vessel.is_ordered = true;
                    let (Some(from), Some(to)) = (vessel.ends, to) else { continue };
                    // 6.4.2: a ship stays if the destination is out of range.
                    if from.distance(to) <= vessel.engines() {
                        self.send(index, Some(to), cargo);
                    }
                }
            }
            Line::Destruct { ships } | Line::Traverse { ships, .. } => {
                for index in self.selected(ships, by_name) {
                    self.send(index, None, cargo);
                }
            }
            Line::Transmit { .. }
            | Line::Design { .. }
            | Line::Give { .. }
            | Line::Build { .. }
            | Line::Repair { .. }
            | Line::Toggle { .. }
            | Line::Conceal { .. }
            | Line::Identify { .. }
            | Line::Pool { .. }
            | Line::Transfer { .. }
            | Line::Deny { .. }
            | Line::Authorize { .. } => {}
        }
    }

    fn send(&mut self, index: usize, to: Option<Coord>, cargo: &BTreeMap<Name, Vec<usize>>) {
        let carried = cargo.get(&self.vessels[index].ship.serial.to_name());
        for index in std::iter::once(&index).chain(carried.into_iter().flatten()) {
            (self.vessels[*index].is_ordered, self.vessels[*index].ends) = (true, to);
        }
    }

    fn place(&self, spot: Spot) -> Option<Coord> {
        match spot {
            Spot::At(at) => Some(at),
            Spot::Object(name) => self.own.chart.object(name),
        }
    }

    fn selected(&self, ships: &Selection, by_name: &BTreeMap<Name, usize>) -> Vec<usize> {
        match ships {
            Selection::Ships(names) => {
                names.iter().filter_map(|name| by_name.get(name).copied()).collect()
            }
            Selection::All { at, except } => {
                let Some(at) = self.place(*at) else { return Vec::new() };
                let except: BTreeSet<usize> =
                    except.iter().filter_map(|name| by_name.get(name).copied()).collect();
                let there = |index: &usize| {
                    let vessel = &self.vessels[*index];
                    vessel.is_loose && vessel.ends == Some(at) && !except.contains(index)
                };
                (0..self.vessels.len()).filter(there).collect()
            }
        }
    }

    /// 6.4.7: warns about worlds that become unowned because the last conquering ship leaves.
    fn unguarded(&self) -> Option<Warning> {
        let held = |at: Coord| {
            let loose = |vessel: &&Vessel<'_>| vessel.ship.carrier.is_none();
            let mut before = self.vessels.iter().filter(loose);
            before.any(|vessel| vessel.ship.at == at && vessel.can_conquer())
        };
        let guards: BTreeSet<Coord> = self
            .vessels
            .iter()
            .filter(|vessel| vessel.is_conquering())
            .filter_map(|vessel| vessel.ends)
            .collect();
        let open = self.worlds.iter().filter(|row| !guards.contains(&row.at) && held(row.at));
        let open: Vec<String> = open.map(|row| row.name.to_string()).collect();
        let words = [
            "world loses its last conquering ship and becomes unowned",
            "worlds lose their last conquering ships and become unowned",
        ];
        Warning::about("world-left-unguarded", "6.4.7", words, &open)
    }

    /// 6.4.5: warns about loose ships that end in a storm without the protection of a starbase.
    fn in_storms(&self) -> Option<Warning> {
        let storms: BTreeMap<Coord, &StormSeen> = self
            .own
            .chart
            .storms
            .iter()
            .filter(|row| row.rating > 0)
            .map(|row| (row.at, row))
            .collect();
        let starbase = stock()[STARBASE.index()].name;
        let bases: BTreeSet<Coord> = self
            .vessels
            .iter()
            .filter(|vessel| vessel.class.name == starbase)
            .map(|base| base.ship.at)
            .collect();
        let mut caught: Vec<(&Vessel<'_>, &StormSeen)> = Vec::new();
        for vessel in self.vessels.iter().filter(|vessel| vessel.is_loose) {
            let at = vessel.ends.filter(|at| !bases.contains(at));
            caught.extend(at.and_then(|at| storms.get(&at)).map(|storm| (vessel, *storm)));
        }
        let lost =
            caught.iter().filter(|(vessel, storm)| storm.rating >= vessel.dp().into()).count();
        let told = |(vessel, storm): &(&Vessel<'_>, &StormSeen)| {
            format!("{} in {} (rating {})", vessel.handle(), storm.name, storm.rating)
        };
        let ships: Vec<String> = caught.iter().map(told).collect();
        let words = ["ship ends the turn in an ion storm", "ships end the turn in ion storms"];
        let mut warning = Warning::about("ships-in-storm", "6.4.5", words, &ships)?;
        if lost > 0 {
            let lost = counted(lost, "is", "are");
            let _ = write!(warning.sentence, " {lost} destroyed at the current rating.");
        }
        Some(warning)
    }

    fn idle(&self) -> impl Iterator<Item = &Vessel<'a>> {
        self.vessels.iter().filter(|vessel| vessel.is_idle())
    }

    /// 6.4.7: warns about unowned worlds that a ship without orders could take.
    fn worlds_in_reach(&self) -> Option<Warning> {
        let idle: Vec<(Coord, u32)> = {
            let guards: BTreeMap<Coord, usize> = self
                .vessels
                .iter()
                .filter(|vessel| vessel.is_conquering())
                .fold(BTreeMap::new(), |mut guards, vessel| {
                    *guards.entry(vessel.ship.at).or_default() += 1;
                    guards
                });
            let holds: BTreeSet<Coord> = self.worlds.iter().map(|row| row.at).collect();
            // The last conquering ship at one of the empire's worlds guards the world.
            let is_free = |vessel: &&Vessel<'_>| {
                vessel.can_conquer()
                    && (!holds.contains(&vessel.ship.at)
                        || guards.get(&vessel.ship.at).is_some_and(|count| *count > 1))
            };
            let free = self.idle().filter(is_free);
            let mut free: Vec<(Coord, u32)> =
                free.map(|vessel| (vessel.ship.at, vessel.engines())).collect();
            free.sort_unstable_by_key(|&(at, engines)| (at, std::cmp::Reverse(engines)));
            free.dedup_by_key(|(at, _)| *at);
            free
        };
        let taken: BTreeSet<Coord> = self.vessels.iter().filter_map(|vessel| vessel.ends).collect();
        let near = |row: &&WorldSeen| {
            idle.iter().any(|(at, engines)| (1..=*engines).contains(&at.distance(row.at)))
        };
        let free = self.own.chart.worlds.iter().filter(|row| row.owner.is_none());
        let free: Vec<&WorldSeen> =
            free.filter(|row| !taken.contains(&row.at)).filter(near).collect();
        let first = free.first()?;
        let names: Vec<String> = free.iter().map(|row| row.name.to_string()).collect();
        let words = [
            "world that was unowned when last seen is within reach of ships without orders",
            "worlds that were unowned when last seen are within reach of ships without orders",
        ];
        let warning = Warning::about("worlds-in-reach", "6.4.7", words, &names)?;
        Some(warning.mended_at("move", word(first.name)))
    }

    /// 6.4.2: warns about idle ships. Ships at the empire's worlds guard them and are not idle.
    fn without_orders(&self) -> Option<Warning> {
        let homes: BTreeSet<Coord> = self.worlds.iter().map(|row| row.at).collect();
        let idle: Vec<&Vessel<'_>> =
            self.idle().filter(|vessel| !homes.contains(&vessel.ship.at)).collect();
        let first = idle.first()?;
        let names: Vec<String> = idle.iter().map(|vessel| vessel.handle().to_string()).collect();
        let words = [
            "ship away from your worlds has no order and stays",
            "ships away from your worlds have no orders and stay",
        ];
        let warning = Warning::about("ships-without-orders", "6.4.2", words, &names)?;
        Some(warning.mended_at("move-to", word(first.handle())))
    }

    /// 6.6.1, 6.7.1: warns about RU that could build something. Unspent RU are kept.
    fn unspent(&self) -> Option<Warning> {
        if self.lines.iter().any(|line| matches!(line, Line::Pool { .. })) {
            return None;
        }
        let mut spending: BTreeSet<Name> = BTreeSet::new();
        for line in self.lines {
            if let Line::Design { world, .. }
            | Line::Build { world, .. }
            | Line::Transfer { from: world, .. } = line
            {
                spending.insert(*world);
            } else if let Line::Repair { worlds, .. } = line {
                spending.extend(worlds);
            }
        }
        let costs = self.own.classes.iter().filter(|class| !class.unbuildable && class.cost > 0);
        // Missiles are cheap and serve only one ship, so they do not justify a warning.
        let cheapest = costs.filter(|class| !class.is_missile()).map(|class| class.cost).min()?;
        let idle = |row: &&&WorldSeen| {
            row.siege != Some(Siege::Interdicted) && !spending.contains(&row.name)
        };
        let mut rich: Vec<(u32, Name)> = self
            .worlds
            .iter()
            .filter(idle)
            .filter_map(|row| Some((row.stockpile.filter(|ru| *ru >= cheapest)?, row.name)))
            .collect();
        rich.sort_unstable_by_key(|&(ru, name)| (std::cmp::Reverse(ru), name));
        let (_, first) = *rich.first()?;
        let all: u64 = rich.iter().map(|(ru, _)| u64::from(*ru)).sum();
        let worlds: Vec<String> = rich.iter().map(|(ru, name)| format!("{name} ({ru})")).collect();
        let sentence = format!(
            "{all} RU stay unspent at {}. They are kept, but build nothing this turn.",
            list_some(&worlds)
        );
        Some(Warning::new("ru-unspent", "6.6.1", sentence).mended_at("build", word(first)))
    }
}
