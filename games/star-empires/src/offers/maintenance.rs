//! 6.6: offers to build and repair ships and to set transponders.

use heliopause_kernel::offer::{Amount, Kind, Range, Slot, Value, ValueId};

use super::{OfferBuilder, stocked};
use crate::chart::WorldSeen;
use crate::class::{Class, STARBASE};
use crate::hull::Hull;
use crate::objects::Siege;
use crate::text::word;

pub(super) fn add_offers(builder: &mut OfferBuilder<'_>) {
    builder.draft.group("Building");
    build(builder);
    builder.draft.group("Repair");
    repair(builder);
    builder.draft.group("Transponders");
    transponders(builder);
}

/// 6.6.1: adds offers to build. A number that is too high builds as many as the RU allow (R40).
fn build(builder: &mut OfferBuilder<'_>) {
    let lookup = builder.lookup;
    let works = |row: &&WorldSeen| row.siege != Some(Siege::Interdicted);
    let richest =
        lookup.own_worlds().filter(works).filter_map(|row| row.stockpile).max().unwrap_or(0);
    let affordable = |class: &&Class| !class.unbuildable && (1..=richest).contains(&class.cost);
    let classes: Vec<&Class> = lookup.known_classes().filter(affordable).collect();
    let cheapest = classes.iter().map(|class| class.cost).min().unwrap_or(1);
    let pays = |row: &&WorldSeen| works(row) && row.stockpile.is_some_and(|it| it >= cheapest);
    let worlds = payers(builder, pays);
    if worlds.is_empty() || classes.is_empty() {
        return;
    }
    let base = builder
        .new_name("base", "their name", &[])
        .optional()
        .within(" \"{}\"*", ", named {} 1, 2 ...");
    let world = builder.world("world", &worlds);
    let price = |class: &Class| {
        let price = Some(Amount::new(class.cost, "RU"));
        let size = Some(Amount::new(class.tonnage, "t"));
        builder.draft.add(Value { price, size, ..Value::new(word(class.name), "") })
    };
    let classes: Vec<ValueId> = classes.into_iter().map(price).collect();
    let class = Slot::new("class", "class", Kind::Words(builder.one(&classes)));
    let most = i32::try_from(richest / cheapest).unwrap_or(i32::MAX);
    let number = Kind::Number(Range { multiplies: true, ..Range::of(1..=most) });
    let number = Slot::new("count", "how many", number);
    builder.offer("build", [world.clone(), number, class.clone(), base]);
    let name = builder.new_name("name", "its name", &[]);
    builder.offer("build-one", [world, class, name]);
}

/// Returns the empire's worlds that pay, by name, with their RU.
fn payers(builder: &mut OfferBuilder<'_>, pays: impl Fn(&&WorldSeen) -> bool) -> Vec<ValueId> {
    let mut rows: Vec<&WorldSeen> = builder.lookup.own_worlds().filter(pays).collect();
    rows.sort_by_key(|row| (row.name, row.stockpile));
    rows.dedup_by_key(|row| row.name);
    rows.into_iter().map(|row| stocked(&mut builder.draft, row)).collect()
}

/// 6.6.2: adds offers to repair ships that are or may be damaged.
fn repair(builder: &mut OfferBuilder<'_>) {
    let lookup = builder.lookup;
    let pays = |row: &&WorldSeen| row.siege != Some(Siege::Interdicted) && row.stockpile != Some(0);
    let worlds = payers(builder, pays);
    if worlds.is_empty() {
        return;
    }
    let worlds = Slot::new("worlds", "worlds", Kind::Places(builder.some(&worlds)));
    let class = |index: usize| lookup.class(&lookup.ships[index]);
    let is_starbase = |index: usize| lookup.ships[index].class == STARBASE;
    let whole = |index: usize| class(index).ratings.dp;
    let missing = |index: usize| whole(index) - lookup.ships[index].dp.min(whole(index));
    let points = |most: u16| {
        let range = Range { cost: 1, ..Range::of(1..=most.into()) };
        Slot::new("dp", "how many", Kind::Number(range))
    };
    // One RU repairs two damage points, or three of an orbital.
    for (rate, orbitals) in [(2, false), (3, true)] {
        let is_kind = |index: usize| (class(index).hull == Hull::Orbital) == orbitals;
        let most_of = |amount: &dyn Fn(usize) -> u16| {
            (0..lookup.ships.len()).filter(|&index| is_kind(index)).map(amount).max().unwrap_or(0)
        };
        // Includes all starbases, because the offer below has none.
        let damaged = builder
            .ships_that(|index| is_kind(index) && (missing(index) > 0 || is_starbase(index)));
        let amount = |index: usize| if is_starbase(index) { whole(index) } else { missing(index) };
        let most = most_of(&amount);
        if most > 0 {
            let ship = builder.ship(&damaged);
            let slots = [ship, points(most), worlds.clone()];
            builder.offer("repair", slots).divided_by(rate);
        }
        let crews = builder.ships_that(|index| is_kind(index) && !is_starbase(index));
        if !crews.is_empty() {
            let ship = builder.ship(&crews);
            let slots = [ship, points(most_of(&whole)), worlds.clone()];
            builder.offer("repair-later", slots).divided_by(rate);
        }
    }
}

fn transponders(builder: &mut OfferBuilder<'_>) {
    let modes = ["PUBLIC", "PRIVATE"].map(|mode| builder.draft.value(mode, mode.to_lowercase()));
    let (contacts, others) = (builder.contacts.clone(), builder.others.clone());
    let mode = Slot::new("mode", "mode", Kind::Words(builder.one(&modes)));
    offer_transponders(builder, "toggle", &mode);
    if !others.is_empty() {
        let from = builder.empires(&others);
        offer_transponders(builder, "conceal", &from);
    }
    if !contacts.is_empty() {
        let to = builder.empires(&contacts);
        offer_transponders(builder, "identify", &to);
    }
}

fn offer_transponders(builder: &mut OfferBuilder<'_>, name: &'static str, slot: &Slot) {
    let ships = builder.crews.clone();
    if !ships.is_empty() {
        let who = Slot::new("who", "ships", Kind::Pieces(builder.some(&ships)));
        builder.offer(name, [who, slot.clone()]);
    }
    let mut many = vec![builder.draft.value("ALL", "all ships")];
    let classes: Vec<String> =
        builder.lookup.known_classes().map(|class| format!("@{}", word(class.name))).collect();
    many.extend(classes.into_iter().map(|text| builder.draft.value(text, "")));
    let who = Slot::new("who", "ships", Kind::Words(builder.one(&many)));
    builder.offer(name, [who, slot.clone()]);
}
