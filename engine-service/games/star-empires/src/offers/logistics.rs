//! 6.2: ships go on board of others, and leave them.

use std::collections::BTreeMap;

use heliopause_kernel::offer::{Kind, Slot, ValueId, Weight};

use super::Teller;
use crate::order::Phase;

pub(super) fn tell(teller: &mut Teller<'_>) {
    teller.draft.group("Logistics");
    unload(teller);
    load(teller);
    load_later(teller);
}

/// 6.2.1.
fn unload(teller: &mut Teller<'_>) {
    let knows = teller.knows;
    let loaded = teller.ships_that(|index| knows.ships[index].is_loaded());
    if loaded.is_empty() {
        return;
    }
    let ships = teller.ships(&loaded);
    teller.say(Phase::Unload, "unload", "UNLOAD {ships}", "Unload {ships}").slot(ships);
}

/// 6.2.2, as things stand. No ship goes on board of itself, which is rejected: carriers share a
/// sentence if the same ships fit onto them, and then none of them is one of those.
fn load(teller: &mut Teller<'_>) {
    let knows = teller.knows;
    let racks = |index: usize| u32::from(knows.class(&knows.ships[index]).ratings.racks);
    let mut carriers: BTreeMap<Vec<ValueId>, Vec<ValueId>> = BTreeMap::new();
    for (index, ship) in knows.ships.iter().enumerate().filter(|(_, ship)| !ship.is_loaded()) {
        let room = racks(index).saturating_sub(knows.cargo[index]);
        if room == 0 {
            continue;
        }
        let fits = |other: &usize| {
            *other != index
                && knows.cargo[*other] == 0
                && knows.class(&knows.ships[*other]).tonnage <= room
        };
        let fitting: Vec<ValueId> =
            knows.loose_at(knows.at(ship)).filter(fits).map(|other| teller.ships[other]).collect();
        if !fitting.is_empty() {
            carriers.entry(fitting).or_default().push(teller.ships[index]);
        }
    }
    for (ships, carriers) in carriers {
        let (ship, carrier) = (teller.ship(&ships), carrier(teller, &carriers));
        teller
            .say(Phase::Load, "load", "LOAD {ship} ONTO {carrier}", "Load {ship} onto {carrier}")
            .slot(ship)
            .slot(carrier);
    }
}

fn carrier(teller: &mut Teller<'_>, carriers: &[ValueId]) -> Slot {
    Slot::new("carrier", "onto", Kind::Pieces(teller.one(carriers)))
}

/// 6.2.2, after other lines have unloaded the ship or made room: whatever has no racks itself onto
/// whatever has as many as it takes, in sectors where there are both and one is loaded.
fn load_later(teller: &mut Teller<'_>) {
    let knows = teller.knows;
    let class = |index: &usize| knows.class(&knows.ships[*index]);
    let (mut ships, mut carriers) = (Vec::new(), Vec::new());
    for here in teller
        .fleets
        .values()
        .filter(|here| here.iter().any(|&index| knows.ships[index].is_loaded()))
    {
        let (with, without): (Vec<usize>, Vec<usize>) =
            here.iter().partition(|index| class(index).ratings.racks > 0);
        let room =
            with.iter().map(|index| u32::from(class(index).ratings.racks)).max().unwrap_or(0);
        let light = without.iter().map(|index| class(index).tonnage).min().unwrap_or(u32::MAX);
        ships.extend(without.into_iter().filter(|index| class(index).tonnage <= room));
        carriers.extend(
            with.into_iter().filter(|index| u32::from(class(index).ratings.racks) >= light),
        );
    }
    if ships.is_empty() {
        return;
    }
    let values =
        |list: Vec<usize>| list.into_iter().map(|index| teller.ships[index]).collect::<Vec<_>>();
    let (ships, carriers) = (values(ships), values(carriers));
    let (ship, carrier) = (teller.ship(&ships), carrier(teller, &carriers));
    let label = "Load {ship} onto {carrier} after unloading";
    let offer = teller.say(Phase::Load, "load-later", "LOAD {ship} ONTO {carrier}", label);
    offer.slot(ship).slot(carrier).weighs(Weight::Minor);
}
