//! 6.2: offers to load and unload.

use std::collections::BTreeMap;

use heliopause_kernel::offer::{Kind, Slot, ValueId};

use super::OfferBuilder;

pub(super) fn add_offers(builder: &mut OfferBuilder<'_>) {
    builder.draft.group("Logistics");
    unload(builder);
    load(builder);
    load_later(builder);
}

fn unload(builder: &mut OfferBuilder<'_>) {
    let lookup = builder.lookup;
    let loaded = builder.ships_that(|index| lookup.ships[index].is_loaded());
    if loaded.is_empty() {
        return;
    }
    let ships = builder.ships(&loaded);
    builder.offer("unload", [ships]);
}

/// 6.2.2: adds offers to load ships that fit onto a carrier now. Carriers share an offer only if
/// the same ships fit, so no offer can load a ship onto itself.
fn load(builder: &mut OfferBuilder<'_>) {
    let lookup = builder.lookup;
    let racks = |index: usize| u32::from(lookup.class(&lookup.ships[index]).ratings.racks);
    let mut carriers: BTreeMap<Vec<ValueId>, Vec<ValueId>> = BTreeMap::new();
    for (index, ship) in lookup.ships.iter().enumerate().filter(|(_, ship)| !ship.is_loaded()) {
        let room = racks(index).saturating_sub(lookup.cargo[index]);
        if room == 0 {
            continue;
        }
        let fits = |other: &usize| {
            *other != index
                && lookup.cargo[*other] == 0
                && lookup.class(&lookup.ships[*other]).tonnage <= room
        };
        let fitting: Vec<ValueId> = lookup
            .loose_at(lookup.at(ship))
            .filter(fits)
            .map(|other| builder.ships[other])
            .collect();
        if !fitting.is_empty() {
            carriers.entry(fitting).or_default().push(builder.ships[index]);
        }
    }
    for (ships, carriers) in carriers {
        let (ship, carrier) = (builder.ship(&ships), carrier(builder, &carriers));
        builder.offer("load", [ship, carrier]);
    }
}

fn carrier(builder: &mut OfferBuilder<'_>, carriers: &[ValueId]) -> Slot {
    Slot::new("carrier", "onto", Kind::Pieces(builder.one(carriers)))
}

/// 6.2.2: adds an offer to load ships after other lines have unloaded them or made room, in sectors
/// that have a loaded ship.
fn load_later(builder: &mut OfferBuilder<'_>) {
    let lookup = builder.lookup;
    let class = |index: &usize| lookup.class(&lookup.ships[*index]);
    let (mut ships, mut carriers) = (Vec::new(), Vec::new());
    for here in builder
        .fleets
        .values()
        .filter(|here| here.iter().any(|&index| lookup.ships[index].is_loaded()))
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
        |list: Vec<usize>| list.into_iter().map(|index| builder.ships[index]).collect::<Vec<_>>();
    let (ships, carriers) = (values(ships), values(carriers));
    let (ship, carrier) = (builder.ship(&ships), carrier(builder, &carriers));
    builder.offer("load-later", [ship, carrier]);
}
