//! What other empires are let see and given: the part of diplomacy that is made of orders.

use std::collections::BTreeSet;

use heliopause_kernel::Seat;
use heliopause_star_empires::{Crews, Item, Name, OwnShip};

use super::plan::Plan;

/// Introduces the empire to its contacts, shares what it knows with its allies, and answers gifts in kind.
pub(super) fn negotiate(plan: &mut Plan<'_>) {
    introduce(plan);
    share_with_allies(plan);
    answer_gifts(plan);
}

/// 6.6.5: the homeworld's starbase says to every contact whose it is. Its place is no secret to who can see it, and
/// whoever knows a name can write to it.
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

/// Recorded allies that are contacts get everything: scans, ships on their long-range scans, navigation data.
fn share_with_allies(plan: &mut Plan<'_>) {
    let survey = plan.survey;
    let allies = survey.allies();
    let shared = |seat: Seat| survey.own.status.grants.iter().any(|grant| grant.to == seat && grant.all);
    let unknown_to = |seat: Seat| survey.own.ships.iter().any(|ship| !ship.public && !ship.identified.contains(seat));
    plan.lines.authorize_all(survey.contacts(|seat| allies.contains(seat) && !shared(seat)));
    plan.lines.identify(Crews::All, survey.contacts(|seat| allies.contains(seat) && unknown_to(seat)));
    let news = acquired(plan);
    if !news.is_empty() {
        plan.lines.transmit(news, survey.contacts(|seat| allies.contains(seat)));
    }
}

/// The portals for which navigation data came in with the last update, by own ships: others may not know them.
fn acquired(plan: &Plan<'_>) -> Vec<Name> {
    let items = plan.survey.own.report.news.iter().map(|news| news.item);
    let portals = items.filter_map(|item| match item {
        Item::Navigation { portal, from: None } => Some(portal),
        _ => None,
    });
    held(plan, portals.collect())
}

/// Whoever gave navigation data gets all that the empire holds, once for every gift.
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

/// Those of some portals that the map shows and for which data is held.
fn held(plan: &Plan<'_>, portals: BTreeSet<Name>) -> Vec<Name> {
    let data = &plan.survey.own.navigation;
    let known = |name: &Name| data.iter().any(|held| held.portal == *name) && plan.survey.portal(*name).is_some();
    portals.into_iter().filter(known).take(50).collect()
}
