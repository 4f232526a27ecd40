//! What a battle asks: targets, withdrawals, where enemies go, another round. The default is named.

use heliopause_kernel::Seat;
use heliopause_stellar_conquest::{
    Arm, Battle, BattleStage, Condition, Order, Shot, StarId, StellarConquest, Subject, Unit, UnitId, Withdrawal,
};

use super::{Case, Does, Entry, Menu, Page};
use crate::render::stellar_conquest::words;

/// Targets chosen so far, gun by gun.
#[derive(Clone, Debug, Default)]
pub(super) struct Aiming {
    shots: Vec<Shot>,
    /// How many guns have been asked for.
    asked: usize,
}

/// Where withdrawing ships are bound, chosen so far kind by kind (12.8).
#[derive(Clone, Debug, Default)]
pub(super) struct Parting {
    groups: Vec<Withdrawal>,
    /// How many kinds have been asked for.
    asked: usize,
}

/// The letters of a ship or base.
pub(in crate::render::stellar_conquest) fn letters(arm: Arm) -> &'static str {
    match arm {
        Arm::Ship(kind) => kind.letters(),
        Arm::MissileBase => "MB",
        Arm::AdvancedMissileBase => "AMB",
        Arm::Shield => "shield",
    }
}

/// A side's units in one line: "0-2 C, 3 S".
fn line_up(battle: &Battle, seat: Seat) -> String {
    let mut groups: Vec<(Arm, Option<u8>, Vec<u16>)> = Vec::new();
    for (id, unit) in battle.all().filter(|(_, unit)| unit.owner == seat && unit.is_fighting()) {
        match groups.iter_mut().find(|(arm, planet, _)| (*arm, *planet) == (unit.arm, unit.planet)) {
            Some((.., ids)) => ids.push(id.0),
            None => groups.push((unit.arm, unit.planet, vec![id.0])),
        }
    }
    let group = |(arm, planet, ids): &(Arm, Option<u8>, Vec<u16>)| {
        let planet = planet.map_or_else(String::new, |nth| format!(" on planet {}", nth + 1));
        let numbers: Vec<_> = ids.iter().map(|id| heliopause_stellar_conquest::ShipNumber(u32::from(*id))).collect();
        let numbers = words::numbers(&numbers).replace('#', "");
        format!("{} {}{planet} ({numbers})", ids.len(), letters(*arm))
    };
    let told: Vec<String> = groups.iter().map(group).collect();
    if told.is_empty() { "nothing left".into() } else { told.join(", ") }
}

/// How the battle stands.
fn situation(case: &Case, battle: &Battle) -> Vec<String> {
    let subject = match &battle.subject {
        Subject::Ships => format!("Battle at {}", words::place(battle.at)),
        Subject::Colonies { planets } => {
            let planets: Vec<String> = planets.iter().map(|nth| (nth + 1).to_string()).collect();
            format!("Attack on planet {} of {}", words::row(&planets), words::place(battle.at))
        }
    };
    let mut lines =
        vec![format!("{subject}, after {} rounds:", battle.rounds).replace("after 0 rounds", "before the first round")];
    for seat in battle.participants().iter() {
        let role = if seat == battle.attacker { "attacks" } else { "defends" };
        let name = case.names.get(seat.index()).cloned().unwrap_or_default();
        lines.push(format!("  {name} {role} with {}", line_up(battle, seat)));
    }
    let gone = battle.all().filter(|(_, unit)| unit.condition != Condition::Fighting).count();
    if gone > 0 {
        lines.push(format!("  {gone} destroyed or withdrawn so far"));
    }
    lines
}

/// The menu of a battle.
pub(super) fn menu(case: &Case) -> Menu {
    let mut menu = Menu::default();
    let Some(battle) = case.view.table.battle.as_deref() else { return menu };
    menu.lead = situation(case, battle);
    let default = StellarConquest::default_order(&case.view);
    for listed in &case.choices.listed {
        if matches!(listed.order, Order::Inspect { .. } | Order::Watch { .. } | Order::Post { .. }) {
            continue;
        }
        let mark = if default.as_ref() == Some(&listed.order) { " (default)" } else { "" };
        let text = format!("{}{mark}", listed.label.trim_end_matches('.'));
        menu.entries.push(Entry {
            cells: vec![text, detail(battle, &listed.order)],
            does: Does::Orders(vec![listed.order.clone()]),
        });
    }
    if !case.choices.aims.is_empty() {
        menu.entries.push(Entry::new("Choose targets gun by gun", Does::Open(Page::Aim(Aiming::default()))));
    }
    if let Some(withdraw) = case.choices.withdraw.as_ref().filter(|withdraw| !withdraw.destinations.is_empty()) {
        let leave =
            if withdraw.forced { "You must withdraw: choose where the ships are bound" } else { "All ships withdraw" };
        let by_default = matches!(&default, Some(Order::Withdraw { groups }) if !groups.is_empty());
        let mark = if by_default { " (default)" } else { "" };
        menu.entries.push(Entry::new(format!("{leave}{mark}"), Does::Open(Page::Bound)));
        if kinds(case, battle).len() > 1 {
            let apart = "Each kind of ship goes to a star of its own";
            menu.entries.push(Entry::new(apart, Does::Open(Page::Apart(Parting::default()))));
        }
    }
    menu.hint = hint(battle);
    menu
}

/// What an order to fire or to send enemies away comes to.
fn detail(battle: &Battle, order: &Order) -> String {
    match order {
        Order::Aim { shots } if !shots.is_empty() => shots_in_words(battle, shots),
        Order::SendTo { at } => StarId::in_hex(*at).map_or_else(String::new, |star| format!("the star {star}")),
        _ => String::new(),
    }
}

/// Shots, alike ones together: "3 at C, 1 at F".
fn shots_in_words(battle: &Battle, shots: &[Shot]) -> String {
    let mut groups: Vec<(Arm, Arm, usize)> = Vec::new();
    for shot in shots {
        let (Some(by), Some(at)) = (battle.unit(shot.by), battle.unit(shot.at)) else { continue };
        match groups.iter_mut().find(|(gun, target, _)| (*gun, *target) == (by.arm, at.arm)) {
            Some((.., number)) => *number += 1,
            None => groups.push((by.arm, at.arm, 1)),
        }
    }
    let group =
        |(gun, target, number): &(Arm, Arm, usize)| format!("{number} {} at {}", letters(*gun), letters(*target));
    groups.iter().map(group).collect::<Vec<_>>().join(", ")
}

fn hint(battle: &Battle) -> String {
    let typed = match battle.stage {
        BattleStage::AttackerAims | BattleStage::DefendersAim { .. } => {
            "Typed: aim 0>5 1>5 (unit 0 and 1 at unit 5). `? 12.4` shows what hits."
        }
        BattleStage::AttackerLeaves { .. } | BattleStage::DefenderLeaves { .. } => {
            "Typed: withdraw 3 4 to Sadir; 5 to Lupi (units 3 and 4, unit 5); stay. \
             The enemy chooses the hex next to the battle."
        }
        BattleStage::Beams { .. } => {
            "A shield that no shot has hit may seize one ship (space-1.1). Typed: aim 7>2; hold."
        }
        BattleStage::Refuge { .. } => "The hex binds for the whole battle (12.8).",
        BattleStage::Scuttle { .. } => "Typed: scuttle Sadir 1 5 (5 factories of planet 1); scuttle none.",
        BattleStage::GoesOn => "Bases that are destroyed stay destroyed (13.7). Typed: attack Sadir 1 2; break.",
    };
    format!("{typed} `standing` sets how you answer in others' turns.")
}

/// For which star withdrawing ships are bound: the nearest ones, or any by name.
pub(super) fn bound(case: &Case) -> Menu {
    let Some(battle) = case.view.table.battle.as_deref() else { return Menu::default() };
    Menu {
        lead: vec![
            "The enemy chooses a hex next to the battle; for which star are your ships bound from there?".into(),
        ],
        entries: stars(case, battle, |star| leave(case, Some(star))),
        hint: "A number, the name of any star, or back.".into(),
    }
}

/// The nearest stars for which withdrawing ships can be bound.
fn stars(case: &Case, battle: &Battle, does: impl Fn(StarId) -> Does) -> Vec<Entry> {
    let mut stars = case.choices.withdraw.as_ref().map(|it| it.destinations.clone()).unwrap_or_default();
    stars.sort_by_key(|star| star.at().distance(battle.at));
    let entry = |star: &StarId| {
        let own = case.view.power().is_some_and(|power| power.colonies_of(*star).next().is_some());
        let cells = vec![
            format!("{star} {}", star.at()),
            format!("{} hexes away", star.at().distance(battle.at)),
            if own { "your colony".to_owned() } else { String::new() },
        ];
        Entry { cells, does: does(*star) }
    };
    stars.iter().take(10).map(entry).collect()
}

/// The ships that can withdraw, by their kinds.
fn kinds(case: &Case, battle: &Battle) -> Vec<(Arm, Vec<UnitId>)> {
    let mut kinds: Vec<(Arm, Vec<UnitId>)> = Vec::new();
    for &id in case.choices.withdraw.iter().flat_map(|it| &it.units) {
        let Some(unit) = battle.unit(id) else { continue };
        match kinds.iter_mut().find(|(arm, _)| *arm == unit.arm) {
            Some((_, units)) => units.push(id),
            None => kinds.push((unit.arm, vec![id])),
        }
    }
    kinds
}

/// For which star the next kind of ship is bound (12.8).
pub(super) fn apart(case: &Case, parting: &Parting) -> Menu {
    let Some(battle) = case.view.table.battle.as_deref() else { return Menu::default() };
    let kinds = kinds(case, battle);
    let Some((arm, units)) = kinds.get(parting.asked) else { return Menu::default() };
    let mut entries = stars(case, battle, |star| part(case, battle, parting, Some(star)));
    if case.choices.withdraw.as_ref().is_some_and(|it| !it.forced) {
        entries.push(Entry::new("they stay", part(case, battle, parting, None)));
    }
    Menu {
        lead: vec![format!("For which star are your {} {} bound?", units.len(), letters(*arm))],
        entries,
        hint: "A number, the name of any star, or back.".into(),
    }
}

/// The choice made for a kind of ship: the next one is asked for, or all of them withdraw.
fn part(case: &Case, battle: &Battle, parting: &Parting, star: Option<StarId>) -> Does {
    let kinds = kinds(case, battle);
    let Parting { mut groups, asked } = parting.clone();
    if let (Some(_), Some((_, units))) = (star, kinds.get(asked)) {
        groups.push(Withdrawal { units: units.clone(), destination: star });
    }
    let asked = asked + 1;
    if asked < kinds.len() {
        Does::Open(Page::Apart(Parting { groups, asked }))
    } else {
        Does::Orders(vec![Order::Withdraw { groups }])
    }
}

pub(super) fn read_apart(case: &Case, parting: &Parting, line: &str) -> Option<Does> {
    let battle = case.view.table.battle.as_deref()?;
    Some(part(case, battle, parting, Some(line.parse::<StarId>().ok()?)))
}

fn leave(case: &Case, destination: Option<StarId>) -> Does {
    let units = case.choices.withdraw.as_ref().map(|it| it.units.clone()).unwrap_or_default();
    Does::Orders(vec![Order::withdraw(units, destination)])
}

pub(super) fn read_bound(case: &Case, line: &str) -> Option<Does> {
    Some(leave(case, Some(line.parse::<StarId>().ok()?)))
}

/// At what the next gun fires.
pub(super) fn aim(case: &Case, aiming: &Aiming) -> Menu {
    let Some(battle) = case.view.table.battle.as_deref() else { return Menu::default() };
    let Some((by, targets)) = case.choices.aims.get(aiming.asked) else { return Menu::default() };
    let unit = |id: UnitId| battle.unit(id).copied();
    let name = |unit: &Unit| letters(unit.arm);
    let mut entries = Vec::new();
    let mut groups: Vec<(Unit, UnitId, u8)> = Vec::new();
    for (at, odds) in targets {
        let Some(target) = unit(*at) else { continue };
        // A target that is aimed at already is told as such, so that each one stands for itself.
        let aimed = aiming.shots.iter().filter(|shot| shot.at == *at).count();
        if aimed == 0 && groups.iter().any(|(other, ..)| *other == target) {
            continue;
        }
        if aimed == 0 {
            groups.push((target, *at, *odds));
        }
        let seat = case.names.get(target.owner.index()).cloned().unwrap_or_default();
        let cells = vec![
            format!("{} {} of {seat}", name(&target), at.0),
            format!("hits {odds} times in 36"),
            if aimed > 0 { format!("{aimed} aimed at it") } else { String::new() },
        ];
        entries.push(Entry { cells, does: next(case, aiming, Some(Shot { by: *by, at: *at })) });
    }
    entries.push(Entry::new("hold fire", next(case, aiming, None)));
    let gun = unit(*by).map_or("gun", |gun| name(&gun));
    Menu {
        lead: vec![format!(
            "Gun {} of {}: {gun} {}. At what does it fire?",
            aiming.asked + 1,
            case.choices.aims.len(),
            by.0
        )],
        entries,
        hint: "A number; back begins anew.".into(),
    }
}

/// The choice made for a gun: the next one is asked for, or all shots are ordered.
fn next(case: &Case, aiming: &Aiming, shot: Option<Shot>) -> Does {
    let mut shots = aiming.shots.clone();
    shots.extend(shot);
    let asked = aiming.asked + 1;
    if asked < case.choices.aims.len() {
        Does::Open(Page::Aim(Aiming { shots, asked }))
    } else {
        Does::Orders(vec![Order::Aim { shots }])
    }
}
