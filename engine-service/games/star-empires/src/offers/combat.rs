//! 6.3: ships destroy themselves, and others.

use heliopause_kernel::SeatSet;
use heliopause_kernel::offer::{Kind, Slot, ValueId, Weight};

use super::Teller;
use crate::chart::rows_at;
use crate::name::Name;
use crate::order::Phase;
use crate::text::word;

pub(super) fn tell(teller: &mut Teller<'_>) {
    teller.draft.group("Combat");
    fire(teller);
    destruct(teller);
}

/// 6.3.2, where others are seen: all ships of a sector but some, or one of them. A ship that is on
/// board and a loose missile are among those: other lines make them ready.
fn fire(teller: &mut Teller<'_>) {
    let knows = teller.knows;
    let (mut sectors, mut armed, mut owners) = (Vec::new(), Vec::new(), SeatSet::EMPTY);
    for (&at, here) in &teller.fleets {
        let rows = rows_at(&knows.chart.ships, at)
            .iter()
            .filter(|row| !row.wreck && row.owner != knows.seat);
        let seen: SeatSet = rows.map(|row| row.owner).collect();
        let has_guns = |index: &&usize| knows.game.galaxy.guns(&knows.ships[**index]) > 0;
        let able: Vec<ValueId> =
            here.iter().filter(has_guns).map(|&index| teller.ships[index]).collect();
        if seen != SeatSet::EMPTY && !able.is_empty() {
            sectors.push(at);
            armed.extend(able);
            owners = owners.union(seen);
        }
    }
    // An empire that is seen was heard of; only what the check takes is offered.
    let names = owners.iter().map(|owner| knows.game.galaxy.empire(owner).name);
    let names: Vec<Name> = names.filter(|&name| knows.empire_named(name).is_some()).collect();
    let targets: Vec<ValueId> =
        names.into_iter().map(|name| teller.draft.value(word(name), "")).collect();
    if targets.is_empty() {
        return;
    }
    let sectors: Vec<ValueId> =
        sectors.into_iter().map(|at| teller.draft.value(at.to_string(), "")).collect();
    let smallest = teller.draft.value("ASC", "smallest first");
    let sense = Slot::new("sense", "order", Kind::Words(teller.one(&[smallest])))
        .optional()
        .within(" {}", ", {}");
    let at = Slot::new("at", "where", Kind::Places(teller.one(&sectors)));
    let except = Kind::Pieces(teller.some(&armed));
    let except = Slot::new("except", "but", except).optional().within(" EXCEPT {}", " but {}");
    let (ship, empires) = (teller.ship(&armed), teller.empires(&targets));
    let (notation, label) =
        ("FIRE{sense} {at}{except} AT {empires}", "All at {at}{except} fire at {empires}{sense}");
    let offer = teller.say(Phase::Fire, "fire", notation, label).weighs(Weight::Main);
    offer.slot(sense.clone()).slot(at).slot(except).slot(empires.clone());
    let (notation, label) = ("FIRE{sense} {ship} AT {empires}", "{ship} fires at {empires}{sense}");
    let offer = teller.say(Phase::Fire, "fire-ship", notation, label).weighs(Weight::Main);
    offer.slot(sense).slot(ship).slot(empires);
}

/// 6.3.1: one by one, because it cannot be made good. What is on board must be unloaded first.
fn destruct(teller: &mut Teller<'_>) {
    let ships = teller.crews.clone();
    if ships.is_empty() {
        return;
    }
    let ship = teller.ship(&ships);
    let offer =
        teller.say(Phase::Destruct, "destruct", "DESTRUCT {ship}", "{ship} destroys itself");
    offer.slot(ship).weighs(Weight::Grave);
}
