//! 6.7: offers to pool and transfer RU.

use heliopause_kernel::offer::{Kind, Slot, ValueId};

use super::{OfferBuilder, count};
use crate::chart::WorldSeen;
use crate::name::Name;
use crate::objects::RU_MAX;
use crate::text::word;

pub(super) fn add_offers(builder: &mut OfferBuilder<'_>) {
    builder.draft.group("Income");
    let own = builder.worlds.clone();
    let foreign = foreign(builder);
    pool(builder, &own);
    transfer(builder, &own, &foreign);
}

/// Returns foreign worlds on the map, by name. The empire may take them before RU are sent.
fn foreign(builder: &mut OfferBuilder<'_>) -> Vec<ValueId> {
    let lookup = builder.lookup;
    let is_own = |name: Name| lookup.world(name).is_some_and(|row| row.owner == Some(lookup.seat));
    let mut names: Vec<Name> =
        lookup.chart.worlds.iter().map(|row| row.name).filter(|&name| !is_own(name)).collect();
    names.sort_unstable();
    names.dedup();
    let own = builder.worlds.clone();
    let values = builder.names(names);
    values.into_iter().filter(|value| !own.contains(value)).collect()
}

fn pool(builder: &mut OfferBuilder<'_>, own: &[ValueId]) {
    if own.is_empty() {
        return;
    }
    let except = Kind::Places(builder.some(own));
    let except = Slot::new("except", "not from", except)
        .optional()
        .within(" EXCEPT {}", " except those of {}");
    let world = builder.world("world", own);
    builder.offer("pool", [world, except]);
}

/// 6.7.3: adds offers to transfer RU from and to the homeworld. One offer for all worlds would
/// include transfers from a world to itself. Transfers between other worlds take two lines.
fn transfer(builder: &mut OfferBuilder<'_>, own: &[ValueId], foreign: &[ValueId]) {
    let lookup = builder.lookup;
    let home = lookup.empire.homeworld.map(|id| lookup.game.galaxy.world(id).name);
    let home =
        home.map(|name| builder.draft.value(word(name), "")).filter(|home| own.contains(home));
    let Some(home) = home.or(own.first().copied()) else { return };
    let others: Vec<ValueId> = own.iter().copied().filter(|world| *world != home).collect();
    let most = most(builder);
    for (from, to) in [(&[home][..], &others[..]), (&others, &[home])] {
        if from.is_empty() || to.is_empty() {
            continue;
        }
        let (from, to) = (builder.world("from", from), builder.world("to", to));
        builder.offer("transfer", [from, count("ru", "how many", most), to]);
    }
    transfer_out(builder, own, foreign, most);
}

/// 6.7.3: adds offers to transfer RU to foreign worlds, and from worlds that the empire may take
/// this turn.
fn transfer_out(builder: &mut OfferBuilder<'_>, own: &[ValueId], foreign: &[ValueId], most: u32) {
    if foreign.is_empty() {
        return;
    }
    let (ours, theirs) = (builder.world("from", own), builder.world("to", foreign));
    let contacts = builder.contacts.clone();
    let recipient = (!contacts.is_empty()).then(|| {
        let whose = Kind::Words(builder.one(&contacts));
        Slot::new("empire", "whose", whose).optional().within(" {}", " of {}")
    });
    let fixed: &[_] = if recipient.is_some() { &[] } else { &[("empire", "")] };
    let slots = [ours, count("ru", "how many", most), theirs].into_iter().chain(recipient);
    builder.offer_with("transfer-out", fixed, slots);
    let (theirs, ours) = (builder.world("from", foreign), builder.world("to", own));
    builder.offer("transfer-in", [theirs, count("ru", "how many", RU_MAX), ours]);
}

/// Returns an upper bound of the RU of any own world in 6.7.3. Each world could be a new homeworld,
/// which produces double.
fn most(builder: &OfferBuilder<'_>) -> u32 {
    let has = |row: &WorldSeen| {
        row.stockpile.unwrap_or(0).saturating_add(row.production.saturating_mul(2))
    };
    builder.lookup.own_worlds().map(has).max().unwrap_or(0).max(1)
}
