//! Warnings about a power's omissions, based on the map and the power's own orders.

use std::collections::BTreeMap;

use heliopause_kernel::warning::{Warning, counted, list_some};
use heliopause_kernel::{Seat, listed};

use crate::adjustment::{Adjusted, Allowance, adjust, allowance, sites};
use crate::board::Province;
use crate::convoy;
use crate::describe::name;
use crate::movement::{Dislodged, Given, Ground, Origin, Task};
use crate::order::{Named, Order, Place};
use crate::position::{Kind, Unit};
use crate::table::{Phase, Table};
use crate::view::{Insight, View};

pub(crate) const CODES: &[&str] = &[
    "units-without-orders",
    "helps-what-is-not-ordered",
    "own-standoff",
    "own-unit-in-the-way",
    "convoy-without-fleet",
    "retreat-not-ordered",
    "own-retreats-collide",
    "builds-unused",
    "removals-not-chosen",
];

pub(crate) fn warnings(view: &View) -> Vec<Warning> {
    let View { table, insight } = view;
    let Insight::Seat(seat, sheet) = insight else { return Vec::new() };
    of(table, *seat, &sheet.orders)
}

pub(crate) fn of(table: &Table, seat: Seat, sheet: &[Order]) -> Vec<Warning> {
    if !table.owes(seat) {
        return Vec::new();
    }
    match table.phase {
        Phase::SpringMovement | Phase::FallMovement => Plan::read(table, seat, sheet).warnings(),
        Phase::SpringRetreat | Phase::FallRetreat => retreats(table, seat, sheet),
        Phase::Winter => winter(table, seat, sheet),
    }
}

struct Plan<'a> {
    table: &'a Table,
    seat: Seat,
    sheet: &'a [Order],
    tasks: BTreeMap<Province, Task>,
    landings: Vec<Province>,
}

impl<'a> Plan<'a> {
    fn read(table: &'a Table, seat: Seat, sheet: &'a [Order]) -> Self {
        let ground = Ground::new(&table.position);
        let (mut tasks, mut landings) = (BTreeMap::new(), Vec::new());
        for order in sheet {
            let (Some(unit), Ok(task)) = (order.unit(), ground.judge(seat, order)) else {
                continue;
            };
            match (unit.at, task) {
                (Place::Earth(node), task) => drop(tasks.insert(node.province(), task)),
                (Place::Orbit, Task::Move { to, .. }) => landings.push(to.province()),
                (Place::Orbit, _) => {}
            }
        }
        Self { table, seat, sheet, tasks, landings }
    }

    fn warnings(&self) -> Vec<Warning> {
        let kinds = [
            self.without_orders(),
            self.void_help(),
            self.without_fleet(),
            self.standoff(),
            self.in_the_way(),
        ];
        kinds.into_iter().flatten().collect()
    }

    fn units(&self) -> impl Iterator<Item = Unit> {
        self.table.position.units_of(self.seat)
    }

    fn is_own(&self, at: Province) -> bool {
        self.table.position.unit(at).is_some_and(|unit| unit.owner == self.seat)
    }

    /// D3: warns about units and armies in orbit without an order. They hold (R2).
    fn without_orders(&self) -> Option<Warning> {
        let mut idle: Vec<Named> = self
            .units()
            .filter(|unit| !self.tasks.contains_key(&unit.at.province()))
            .map(Named::from)
            .collect();
        let ordered = self.sheet.iter().filter_map(Order::unit);
        let ordered = ordered.filter(|unit| unit.at == Place::Orbit).count();
        let orbiting = usize::from(self.table.position.orbit(self.seat)).saturating_sub(ordered);
        idle.extend(std::iter::repeat_n(Named::ORBITING, orbiting));
        let first = *idle.first()?;
        let names: Vec<String> = idle.iter().map(|unit| name(*unit)).collect();
        let texts = ["unit has no order and holds", "units have no orders and hold"];
        let warning = Warning::about("units-without-orders", "D3", texts, &names)?;
        let key = if first.at == Place::Orbit { "beam-down" } else { "move" };
        Some(warning.mended_at(key, first.to_string()))
    }

    /// D3.7: warns about a support or convoy that the power's own unit is not ordered to match.
    fn void_help(&self) -> Option<Warning> {
        let void: Vec<(&Order, Named, bool)> =
            self.sheet.iter().filter_map(|order| self.voided_help(order)).collect();
        let &(_, helped, moves) = void.first()?;
        let orders: Vec<String> = void.iter().map(|(order, ..)| order.to_string()).collect();
        let texts = [
            "order has no effect, because your own unit is not ordered to take the action that it \
             supports or convoys",
            "orders have no effect, because your own units are not ordered to take the actions \
             that they support or convoy",
        ];
        let key = match (moves, helped.at) {
            (true, Place::Orbit) => "beam-down",
            (true, Place::Earth(_)) => "move",
            (false, _) => "hold",
        };
        let warning = Warning::about("helps-what-is-not-ordered", "D3.7", texts, &orders)?;
        Some(warning.mended_at(key, self.named(helped).to_string()))
    }

    /// If an order supports or convoys a unit without effect, returns the order, the unit, and
    /// whether the help is for a move. Returns `None` for any other order.
    fn voided_help<'o>(&self, order: &'o Order) -> Option<(&'o Order, Named, bool)> {
        let (helped, to) = match *order {
            Order::SupportHold { other, .. } => (other, None),
            Order::SupportMove { other, to, of: None, .. } => (other, to.province()),
            Order::Convoy { army, to, .. } => (army, Some(to.province())),
            Order::SupportMove { of: Some(_), .. }
            | Order::Hold { .. }
            | Order::Move { .. }
            | Order::Colonize { .. }
            | Order::Retreat { .. }
            | Order::Disband { .. }
            | Order::Build { .. }
            | Order::Remove { .. }
            | Order::Waive => return None,
        };
        let is_done = match helped.at {
            Place::Orbit => to.is_some_and(|to| self.landings.contains(&to)),
            Place::Earth(node) if self.is_own(node.province()) => {
                let goal = match self.tasks.get(&node.province()) {
                    Some(Task::Move { to, .. }) => Some(to.province()),
                    Some(Task::BeamUp) => Some(node.province()),
                    Some(_) | None => None,
                };
                goal == to
            }
            Place::Earth(_) => true,
        };
        (!is_done).then_some((order, helped, to.is_some()))
    }

    fn named(&self, unit: Named) -> Named {
        let at = unit.at.province().and_then(|at| self.table.position.unit(at));
        at.map_or(unit, Named::from)
    }

    /// D4.1: warns about an army whose convoy needs own fleets that are not ordered to convoy it.
    fn without_fleet(&self) -> Option<Warning> {
        let stranded: Vec<Unit> = self.units().filter(|unit| self.is_stranded(*unit)).collect();
        let first = *stranded.first()?;
        let names: Vec<String> = stranded.iter().map(|&unit| name(unit.into())).collect();
        let texts = [
            "army moves by convoy, but your fleets on its route are not ordered to convoy it",
            "armies move by convoy, but your fleets on their routes are not ordered to convoy them",
        ];
        let warning = Warning::about("convoy-without-fleet", "D4.1", texts, &names)?;
        Some(warning.mended_at("convoy", Named::from(first).to_string()))
    }

    fn is_stranded(&self, unit: Unit) -> bool {
        let from = unit.at.province();
        let Some(Task::Move { to, by_convoy: true }) = self.tasks.get(&from) else { return false };
        let to = to.province();
        // Fleets of other powers may convoy. The power's own fleets convoy only if ordered.
        let mut carriers = self.table.position.occupied().intersection(crate::board::seas());
        for fleet in self.units().filter(|unit| unit.kind == Kind::Fleet) {
            if self.tasks.get(&fleet.at.province()) != Some(&Task::Convoy { from, to }) {
                carriers.remove(fleet.at.province());
            }
        }
        !convoy::is_possible(carriers, from, to)
    }

    fn moves(&self) -> BTreeMap<Province, Vec<(Named, usize)>> {
        let mut moves: BTreeMap<Province, Vec<(Named, usize)>> = BTreeMap::new();
        let on_map = self.units().filter_map(|unit| {
            let at = unit.at.province();
            let Some(Task::Move { to, .. }) = self.tasks.get(&at) else { return None };
            Some((Named::from(unit), Origin::Earth(at), to.province()))
        });
        let landings = self.landings.iter();
        let landings = landings.map(|&to| (Named::ORBITING, Origin::Orbit(self.seat), to));
        for (unit, from, to) in on_map.chain(landings) {
            let is_first = !moves.get(&to).is_some_and(|others| {
                others.iter().any(|(other, _)| other.at == Place::Orbit && unit.at == Place::Orbit)
            });
            // R5: a support counts only for the first of several landings.
            let support = if is_first { self.support(from, to) } else { 0 };
            moves.entry(to).or_default().push((unit, support));
        }
        moves
    }

    fn support(&self, from: Origin, to: Province) -> usize {
        let helps = |task: &&Task| matches!(task, Task::SupportMove { from: helped, to: goal } if *helped == from && goal.province() == to);
        self.tasks.values().filter(helps).count()
    }

    /// D4.6: warns about several moves of the power to one province with equal support.
    fn standoff(&self) -> Option<Warning> {
        let mut bounces = Vec::new();
        for (to, moves) in self.moves() {
            let most = moves.iter().map(|(_, support)| *support).max().unwrap_or_default();
            let best: Vec<String> = moves
                .iter()
                .filter(|(_, support)| *support == most)
                .map(|(unit, _)| name(*unit))
                .collect();
            if best.len() > 1 {
                bounces.push(format!("{} to {}", listed(&best), to.name()));
            }
        }
        if bounces.is_empty() {
            return None;
        }
        let sentence = format!(
            "Your own units bounce, because they move to the same province with equal support: {}.",
            list_some(&bounces)
        );
        Some(Warning::new("own-standoff", "D4.6", sentence))
    }

    /// D4.5: warns about moves to a province where the power's own unit stays.
    fn in_the_way(&self) -> Option<Warning> {
        let moves = self.moves().into_iter().flat_map(|(to, moves)| {
            moves.into_iter().map(move |(unit, _)| (unit, to)).collect::<Vec<_>>()
        });
        let blocked = moves.filter(|(unit, to)| self.is_blocked(*unit, *to));
        let blocked: Vec<String> =
            blocked.map(|(unit, to)| format!("{} to {}", name(unit), to.name())).collect();
        let texts = [
            "unit moves to a province that your own unit does not leave",
            "units move to provinces that your own units do not leave",
        ];
        Warning::about("own-unit-in-the-way", "D4.5", texts, &blocked)
    }

    /// Returns whether an own unit stays at the destination, or would swap places by land (D4.2).
    fn is_blocked(&self, unit: Named, to: Province) -> bool {
        if !self.is_own(to) {
            return false;
        }
        let by_convoy =
            |at: Province| matches!(self.tasks.get(&at), Some(Task::Move { by_convoy: true, .. }));
        match self.tasks.get(&to) {
            Some(Task::Move { to: goal, by_convoy: false }) => {
                unit.at.province().is_some_and(|from| goal.province() == from && !by_convoy(from))
            }
            Some(Task::Move { .. } | Task::BeamUp) => false,
            Some(
                Task::Hold
                | Task::SupportHold { .. }
                | Task::SupportMove { .. }
                | Task::Convoy { .. }
                | Task::Colonize { .. },
            )
            | None => true,
        }
    }
}

/// D7: warns about dislodged units without an order, and several retreats to the same province.
fn retreats(table: &Table, seat: Seat, sheet: &[Order]) -> Vec<Warning> {
    let order_of = |one: &Dislodged| {
        let at = one.unit.at.province();
        sheet.iter().find(|order| order.unit().and_then(|unit| unit.at.province()) == Some(at))
    };
    let own: Vec<&Dislodged> =
        table.dislodged.iter().filter(|one| one.unit.owner == seat).collect();
    let lost: Vec<Named> = own
        .iter()
        .filter(|one| !one.retreats.is_empty() && order_of(one).is_none())
        .map(|one| one.unit.into())
        .collect();
    let names: Vec<String> = lost.iter().map(|unit| name(*unit)).collect();
    let texts = [
        "dislodged unit has no order and is disbanded",
        "dislodged units have no orders and are disbanded",
    ];
    let unordered = Warning::about("retreat-not-ordered", "D7.5", texts, &names);
    let mut warnings = Vec::new();
    if let (Some(warning), Some(first)) = (unordered, lost.first()) {
        let key = match own.iter().find(|one| Named::from(one.unit) == *first) {
            Some(one) if one.retreats.iter().all(|to| *to == Place::Orbit) => "retreat-up",
            Some(_) | None => "retreat",
        };
        warnings.push(warning.mended_at(key, first.to_string()));
    }
    let mut goals: BTreeMap<Province, Vec<String>> = BTreeMap::new();
    for one in &own {
        if let Some(Order::Retreat { to: Place::Earth(to), .. }) = order_of(one) {
            goals.entry(to.province()).or_default().push(name(one.unit.into()));
        }
    }
    let meet = goals.into_iter().filter(|(_, units)| units.len() > 1);
    let meet: Vec<String> =
        meet.map(|(to, units)| format!("{} in {}", listed(&units), to.name())).collect();
    if !meet.is_empty() {
        let sentence = format!(
            "Your own units retreat to the same province and are disbanded: {}.",
            list_some(&meet)
        );
        warnings.push(Warning::new("own-retreats-collide", "D7.4", sentence));
    }
    warnings
}

/// D8: warns about unused builds, and about removals left to civil disorder.
fn winter(table: &Table, seat: Seat, sheet: &[Order]) -> Vec<Warning> {
    let mut after = table.position.clone();
    let given: Vec<Given> = sheet.iter().map(|&order| Given { seat, order }).collect();
    let (results, automatic) = adjust(&mut after, seat, &given);
    let warning = match allowance(&table.position, seat) {
        Allowance::Builds(count) => {
            let used = results.iter().filter(|one| !matches!(one, Adjusted::Fails(_))).count();
            let built = results.iter().filter(|one| matches!(one, Adjusted::Built(_))).count();
            let room = sites(&table.position, seat).len().saturating_sub(built);
            let left = count.saturating_sub(used).min(room);
            (left > 0).then(|| {
                let told = counted(left, "build is not used", "builds are not used");
                let sentence = format!("{told}: you have more centers than units.");
                Warning::new("builds-unused", "D8", sentence).mended_by("build")
            })
        }
        Allowance::Removals(_) if automatic.is_empty() => None,
        Allowance::Removals(_) => {
            let gone: Vec<String> = automatic
                .iter()
                .filter_map(|one| match *one {
                    Adjusted::Removed(kind, at) => Some(name(Named { kind: Some(kind), at })),
                    Adjusted::Built(_) | Adjusted::Waived | Adjusted::Fails(_) => None,
                })
                .collect();
            let told = counted(automatic.len(), "removal is not chosen", "removals are not chosen");
            let sentence = format!("{told}; civil disorder removes {}.", list_some(&gone));
            Some(Warning::new("removals-not-chosen", "4.D.8", sentence).mended_by("remove"))
        }
    };
    warning.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::{Command, Sheet};
    use crate::notation::read_orders;
    use crate::options::Options;
    use crate::position::Variant;

    fn france() -> Seat {
        Seat::at(2)
    }

    fn england() -> Seat {
        Seat::at(1)
    }

    /// Returns the table of a line such as `spring: A Par, English F ENG`.
    fn table(phase: &str, parts: &str) -> Table {
        let variant = if phase == "space" { Variant::OuterSpace } else { Variant::Standard };
        let mut table = Table::start(&Options::of(variant), 7);
        table.phase = match phase {
            "retreats" => Phase::SpringRetreat,
            "winter" => Phase::Winter,
            _ => Phase::SpringMovement,
        };
        for at in Province::ALL {
            table.position.take(at);
        }
        table.position.centers.iter_mut().for_each(|owner| *owner = None);
        for part in parts.split(", ").filter(|part| !part.is_empty()) {
            if let Some(centers) = part.strip_prefix("centers ") {
                for center in centers.split(' ') {
                    let center: Province = center.parse().expect("a province");
                    table.position.centers[center.index()] = Some(france());
                }
            } else if let Some((unit, retreats)) = part.split_once(" to") {
                let read = |at: &str| Place::Earth(at.parse().expect("a place"));
                table.dislodged.push(Dislodged {
                    unit: Unit::read(france(), unit).expect("a unit"),
                    retreats: retreats.split_whitespace().map(read).collect(),
                    by: england(),
                    from: None,
                    by_convoy: false,
                });
            } else {
                let owner = if part.starts_with("English ") { england() } else { france() };
                let text = part.trim_start_matches("English ");
                table.position.put(Unit::read(owner, text).expect("a unit"));
            }
        }
        table
    }

    fn warned(table: &Table, orders: &str) -> Vec<String> {
        let mut sheet = Sheet::default();
        for order in read_orders(&orders.replace(", ", "\n")).expect("orders") {
            let judged = table.judge_order(france(), &sheet.orders, &order);
            judged.unwrap_or_else(|fault| panic!("{order}: {fault:?}"));
            sheet.take(Command::Order(order));
        }
        let view = View { table: table.clone(), insight: Insight::Seat(france(), sheet) };
        let write = |Warning { code, rule, sentence, mend }: Warning| {
            let about = mend.map_or_else(String::new, |mend| mend.about.to_string());
            format!("{code} {rule} ({about}): {sentence}")
        };
        warnings(&view).into_iter().map(write).collect()
    }

    #[test]
    fn orders_give_their_warnings() {
        let mut current = table("spring", "");
        let lines = include_str!("warnings.txt").lines();
        for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if let Some((orders, expected)) = line.split_once(" => ") {
                let found = warned(&current, orders);
                let fits = match expected {
                    "nothing" => found.is_empty(),
                    _ => matches!(&found[..], [only] if only.contains(expected)),
                };
                assert!(fits, "{line}: {found:?}");
            } else {
                let (phase, parts) = line.split_once(':').expect("a position");
                current = table(phase, parts.trim());
            }
        }
    }
}
