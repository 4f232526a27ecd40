//! 6.3: offers to fire and to self-destruct.

use heliopause_kernel::SeatSet;
use heliopause_kernel::offer::{Kind, Slot, ValueId};

use super::OfferBuilder;
use crate::chart::rows_at;

pub(super) fn add_offers(builder: &mut OfferBuilder<'_>) {
    builder.draft.group("Combat");
    fire(builder);
    destruct(builder);
}

/// 6.3.2: adds offers to fire. Ships on board and loose missiles are included, because other lines
/// can ready them.
fn fire(builder: &mut OfferBuilder<'_>) {
    let lookup = builder.lookup;
    let (mut sectors, mut armed, mut owners) = (Vec::new(), Vec::new(), SeatSet::EMPTY);
    for (&at, here) in &builder.fleets {
        let rows = rows_at(&lookup.chart.ships, at).iter().filter(|row| !row.wreck);
        let seen = rows.map(|row| row.owner).collect::<SeatSet>().without(lookup.seat);
        let has_guns = |index: &&usize| lookup.game.galaxy.guns(&lookup.ships[**index]) > 0;
        let able: Vec<ValueId> =
            here.iter().filter(has_guns).map(|&index| builder.ships[index]).collect();
        if seen != SeatSet::EMPTY && !able.is_empty() {
            sectors.push(at);
            armed.extend(able);
            owners = owners.union(seen);
        }
    }
    // Leaves out empires whose names the check at submission would reject.
    let names = owners.iter().map(|owner| lookup.game.galaxy.empire(owner).name);
    let targets = builder.names(names.filter(|&name| lookup.empire_named(name).is_some()));
    if targets.is_empty() {
        return;
    }
    let sectors = builder.sectors(sectors);
    let smallest = builder.draft.value("ASC", "smallest first");
    let sense = Slot::new("sense", "order", Kind::Words(builder.one(&[smallest])))
        .optional()
        .within(" {}", ", {}");
    let at = Slot::new("at", "where", Kind::Places(builder.one(&sectors)));
    let except = Kind::Pieces(builder.some(&armed));
    let except = Slot::new("except", "but", except).optional().within(" EXCEPT {}", " but {}");
    let (ship, empires) = (builder.ship(&armed), builder.empires(&targets));
    builder.offer("fire", [sense.clone(), at, except, empires.clone()]);
    builder.offer("fire-ship", [sense, ship, empires]);
}

/// 6.3.1: offers one ship per line, because self-destruction is irreversible.
fn destruct(builder: &mut OfferBuilder<'_>) {
    let ships = builder.crews.clone();
    if ships.is_empty() {
        return;
    }
    let ship = builder.ship(&ships);
    builder.offer("destruct", [ship]);
}
