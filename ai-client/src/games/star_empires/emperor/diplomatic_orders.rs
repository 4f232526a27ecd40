//! Diplomatic orders: shared information, aid and gifts.

use std::collections::BTreeSet;

use heliopause_kernel::{Seat, SeatSet};
use heliopause_star_empires::{Crews, Item, Name, OwnShip, WorldSeen};

use super::plan::Plan;
use super::relations::Relations;
use crate::games::star_empires::survey::Survey;

/// Minimum number of hostile guns and damage points at an ally's world for which aid is sent.
const AID_THRESHOLD: u32 = 20;

pub(super) fn negotiate(plan: &mut Plan<'_>, relations: &mut Relations) {
    let allies = plan.survey.allies().union(relations.allied);
    introduce(plan);
    share_scans(plan, allies.union(relations.sharing));
    share_with_allies(plan, allies);
    give_designs(plan, allies, relations);
    send_aid(plan, allies);
    answer_gifts(plan);
}

/// Identifies the homeworld's starbase, because other empires need the starbase's name to write
/// messages (6.6.5). Contacts see its position anyway.
fn introduce(plan: &mut Plan<'_>) {
    let survey = plan.survey;
    let herald = survey.own.ships.iter().find(|ship| ship.class == survey.starbase && !ship.public);
    let Some(herald) = herald else { return };
    let strangers = survey.contacts(|seat| !herald.identified.contains(seat));
    plan.lines.identify(crew(herald), strangers);
}

fn crew(ship: &OwnShip) -> Crews {
    Crews::Some { ships: vec![ship.serial.to_name()], classes: Vec::new() }
}

/// Shares scans with these empires only (6.8.1, 6.8.2).
fn share_scans(plan: &mut Plan<'_>, with: SeatSet) {
    let survey = plan.survey;
    let shared =
        |seat: Seat| survey.own.status.grants.iter().any(|grant| grant.to == seat && grant.all);
    plan.lines.authorize_all(survey.contacts(|seat| with.contains(seat) && !shared(seat)));
    plan.lines.deny_all(survey.contacts(|seat| !with.contains(seat) && shared(seat)));
}

fn share_with_allies(plan: &mut Plan<'_>, allies: SeatSet) {
    let survey = plan.survey;
    let unknown_to = |seat: Seat| {
        survey.own.ships.iter().any(|ship| !ship.public && !ship.identified.contains(seat))
    };
    plan.lines
        .identify(Crews::All, survey.contacts(|seat| allies.contains(seat) && unknown_to(seat)));
    let news = acquired(plan);
    if !news.is_empty() {
        plan.lines.transmit(news, survey.contacts(|seat| allies.contains(seat)));
    }
}

fn give_designs(plan: &mut Plan<'_>, allies: SeatSet, relations: &mut Relations) {
    let survey = plan.survey;
    let classes =
        plan.doctrine.roles().filter_map(|(role, _)| plan.doctrine.class(survey.own, role));
    let classes: Vec<Name> = classes.map(|class| class.name).collect();
    let to = survey.contacts(|seat| allies.contains(seat) && !relations.gifted.contains(seat));
    if !classes.is_empty() && !to.is_empty() {
        plan.lines.give(classes, to);
        let met =
            survey.own.empires.iter().filter(|empire| empire.contact).map(|empire| empire.seat);
        relations.gifted =
            relations.gifted.union(met.filter(|&seat| allies.contains(seat)).collect());
    }
}

/// Transfers RU to the most threatened world of an ally (6.7.3).
fn send_aid(plan: &mut Plan<'_>, allies: SeatSet) {
    let survey = plan.survey;
    let calm = plan.worlds.iter().all(|&at| plan.hostile_at(at).is_none());
    let home = survey.own_worlds().find(|world| Some(world.name) == survey.own.status.homeworld);
    let Some(home) = home.filter(|home| calm && Survey::can_ship(home) && home.production >= 4)
    else {
        return;
    };
    let weight = |world: &WorldSeen| {
        let force = plan.hostile_at(world.at);
        force.guns + force.dp
    };
    let theirs = survey
        .own
        .chart
        .worlds
        .iter()
        .filter(|world| world.owner.is_some_and(|owner| allies.contains(owner)));
    let pressed =
        theirs.map(|world| (weight(world), world)).filter(|(weight, _)| *weight >= AID_THRESHOLD);
    let Some((_, world)) = pressed.max_by_key(|(weight, world)| (*weight, world.at)) else {
        return;
    };
    let Some(owner) = world.owner else { return };
    if let [name] = survey.contacts(|seat| seat == owner)[..] {
        plan.lines.transfer(home.name, home.production / 2, world.name, name);
    }
}

fn acquired(plan: &Plan<'_>) -> Vec<Name> {
    let items = plan.survey.own.report.news.iter().map(|news| news.item);
    let portals = items.filter_map(|item| match item {
        Item::Navigation { portal, from: None } => Some(portal),
        _ => None,
    });
    held(plan, portals.collect())
}

fn answer_gifts(plan: &mut Plan<'_>) {
    let items = plan.survey.own.report.news.iter().map(|news| news.item);
    let givers: BTreeSet<Seat> = items
        .filter_map(|item| match item {
            Item::Navigation { from: Some(giver), .. } => Some(giver),
            _ => None,
        })
        .collect();
    let portals = plan.survey.own.navigation.iter().map(|data| data.portal).collect();
    let portals = held(plan, portals);
    plan.lines.transmit(portals, plan.survey.contacts(|seat| givers.contains(&seat)));
}

fn held(plan: &Plan<'_>, portals: BTreeSet<Name>) -> Vec<Name> {
    let data = &plan.survey.own.navigation;
    let known = |name: &Name| {
        data.iter().any(|held| held.portal == *name) && plan.survey.portal(*name).is_some()
    };
    portals.into_iter().filter(known).take(50).collect()
}
