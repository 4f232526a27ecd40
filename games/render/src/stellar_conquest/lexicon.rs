//! Completion of orders: stars, the viewer's ships by hex, planets, technologies, and keywords.

use std::collections::HashMap;

use heliopause_stellar_conquest::{Place, Power, ShipKind, ShipNumber, StarId, Tech, View};

use super::{notation, words};
use crate::manual::{self, Completion};

pub(super) fn completion(view: &View) -> Completion {
    let names = view.power().map_or_else(HashMap::new, names);
    Completion {
        rules: include_str!("completions.txt"),
        verbs: manual::verbs(notation::ORDERS).map(str::to_owned).collect(),
        keywords: &[],
        lists: names,
    }
}

fn names(power: &Power) -> HashMap<&'static str, Vec<String>> {
    let mut places: Vec<Option<Place>> = power.ships.iter().map(|ship| ship.at).collect();
    places.sort_unstable();
    places.dedup();
    let colonies = || power.colonies.iter().map(|colony| colony.planet);
    let prizes = power.conquered_colonies.iter().map(|prize| prize.colony.planet);
    let mut settled: Vec<String> = colonies().map(|planet| planet.star.to_string()).collect();
    settled.dedup();
    let fights = power.sightings.iter().filter_map(|seen| StarId::in_hex(seen.at));
    HashMap::from([
        ("ships", places.iter().flat_map(|at| fleets(power, *at)).collect()),
        ("colonies", colonies().map(words::planet).collect()),
        ("settled", settled),
        ("prizes", prizes.map(words::planet).collect()),
        ("fights", fights.map(|star| star.to_string()).collect()),
        ("stars", StarId::ALL.into_iter().map(|star| star.to_string()).collect()),
        ("codes", Tech::ALL.into_iter().map(|tech| tech.title().code.to_owned()).collect()),
    ])
}

/// Returns the ships of a hex as lists of numbers, all together and by kind.
fn fleets(power: &Power, at: Option<Place>) -> Vec<String> {
    let here: Vec<_> = power.ships.iter().filter(|ship| ship.at == at).collect();
    let all: Vec<ShipNumber> = here.iter().map(|ship| ship.number).collect();
    let mut lists = vec![words::numbers(&all)];
    for kind in ShipKind::ALL {
        let some: Vec<ShipNumber> =
            here.iter().filter(|ship| ship.kind() == kind).map(|ship| ship.number).collect();
        if !some.is_empty() && some.len() < all.len() {
            lists.push(words::numbers(&some));
        }
    }
    lists
}
