//! 6.7: RU go from world to world.

use heliopause_kernel::offer::{Kind, Slot, ValueId, Weight};

use super::{Teller, count};
use crate::chart::WorldSeen;
use crate::name::Name;
use crate::objects::RU_MAX;
use crate::order::Phase;
use crate::text::word;

pub(super) fn tell(teller: &mut Teller<'_>) {
    teller.draft.group("Income");
    let own = teller.worlds.clone();
    let foreign = foreign(teller);
    pool(teller, &own);
    transfer(teller, &own, &foreign);
}

/// The worlds of the map that are not the empire's, by name. They may be until RU are sent.
fn foreign(teller: &mut Teller<'_>) -> Vec<ValueId> {
    let knows = teller.knows;
    let is_own = |name: Name| knows.world(name).is_some_and(|row| row.owner == Some(knows.seat));
    let mut names: Vec<Name> =
        knows.chart.worlds.iter().map(|row| row.name).filter(|&name| !is_own(name)).collect();
    names.sort_unstable();
    names.dedup();
    let own = teller.worlds.clone();
    let values: Vec<ValueId> =
        names.into_iter().map(|name| teller.draft.value(word(name), "")).collect();
    values.into_iter().filter(|value| !own.contains(value)).collect()
}

/// 6.7.2.
fn pool(teller: &mut Teller<'_>, own: &[ValueId]) {
    if own.is_empty() {
        return;
    }
    let except = Kind::Places(teller.some(own));
    let except = Slot::new("except", "not from", except)
        .optional()
        .within(" EXCEPT {}", " except that of {}");
    let world = teller.world("world", own);
    teller
        .say(Phase::Pool, "pool", "POOL {world}{except}", "All RU go to {world}{except}")
        .slot(world)
        .slot(except);
}

/// 6.7.3. A world sends nothing to itself, which is rejected; so RU of own worlds come to the
/// homeworld or go out from it. From one of the others to another they take two lines, as transfers
/// are carried out in the order of their lines.
fn transfer(teller: &mut Teller<'_>, own: &[ValueId], foreign: &[ValueId]) {
    let knows = teller.knows;
    let home = knows.empire.homeworld.map(|id| knows.game.galaxy.world(id).name);
    let home =
        home.map(|name| teller.draft.value(word(name), "")).filter(|home| own.contains(home));
    let Some(home) = home.or(own.first().copied()) else { return };
    let others: Vec<ValueId> = own.iter().copied().filter(|world| *world != home).collect();
    let most = most(teller);
    for (from, to) in [(&[home][..], &others[..]), (&others, &[home])] {
        if from.is_empty() || to.is_empty() {
            continue;
        }
        let (from, to) = (teller.world("from", from), teller.world("to", to));
        let offer = teller.say(
            Phase::Transfer,
            "transfer",
            "TRANSFER {from} {ru} {to}",
            "{from} sends {ru} RU to {to}",
        );
        offer.slot(from).slot(count("ru", "how many", most)).slot(to);
    }
    transfer_out(teller, own, foreign, most);
}

/// 6.7.3, to worlds of others, to those that are only taken this turn, and from them.
fn transfer_out(teller: &mut Teller<'_>, own: &[ValueId], foreign: &[ValueId], most: u32) {
    if foreign.is_empty() {
        return;
    }
    let (ours, theirs) = (teller.world("from", own), teller.world("to", foreign));
    let contacts = teller.contacts.clone();
    let recipient = (!contacts.is_empty()).then(|| {
        let whose = Kind::Words(teller.one(&contacts));
        Slot::new("empire", "whose", whose).optional().within(" {}", " of {}")
    });
    let notation = if recipient.is_some() {
        "TRANSFER {from} {ru} {to}{empire}"
    } else {
        "TRANSFER {from} {ru} {to}"
    };
    let label = if recipient.is_some() {
        "{from} sends {ru} RU to {to}{empire}"
    } else {
        "{from} sends {ru} RU to {to}"
    };
    let offer = teller.say(Phase::Transfer, "transfer-out", notation, label);
    offer.slot(ours).slot(count("ru", "how many", most)).slot(theirs);
    if let Some(recipient) = recipient {
        offer.slot(recipient);
    }
    let (theirs, ours) = (teller.world("from", foreign), teller.world("to", own));
    let label = "{from} sends {ru} RU to {to} once it is taken";
    let offer = teller.say(Phase::Transfer, "transfer-in", "TRANSFER {from} {ru} {to}", label);
    offer.slot(theirs).slot(count("ru", "how many", RU_MAX)).slot(ours).weighs(Weight::Minor);
}

/// What the richest world has when RU are sent: its stockpile and what it makes this turn, twice
/// that if it becomes the homeworld.
fn most(teller: &Teller<'_>) -> u32 {
    let has = |row: &WorldSeen| {
        row.stockpile.unwrap_or(0).saturating_add(row.production.saturating_mul(2))
    };
    teller.knows.own_worlds().map(has).max().unwrap_or(0).max(1)
}
