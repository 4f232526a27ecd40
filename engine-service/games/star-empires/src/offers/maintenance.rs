//! 6.6: ships are built and repaired, and their transponders set.

use heliopause_kernel::offer::{Kind, Slot, ValueId, Weight};

use super::{Teller, count};
use crate::class::{Class, STARBASE};
use crate::order::Phase;
use crate::text::word;

pub(super) fn tell(teller: &mut Teller<'_>) {
    teller.draft.group("Building");
    build(teller);
    teller.draft.group("Repair");
    repair(teller);
    teller.draft.group("Transponders");
    transponders(teller);
}

/// 6.6.1: a class at a world. Ships are built one by one while there are RU (R40), so that too many
/// are as many as can be.
fn build(teller: &mut Teller<'_>) {
    let knows = teller.knows;
    let works =
        |row: &&crate::chart::WorldSeen| row.siege != Some(crate::objects::Siege::Interdicted);
    let richest =
        knows.own_worlds().filter(works).filter_map(|row| row.stockpile).max().unwrap_or(0);
    let affordable = |class: &&Class| !class.unbuildable && (1..=richest).contains(&class.cost);
    let classes: Vec<&Class> = knows.known_classes().filter(affordable).collect();
    let cheapest = classes.iter().map(|class| class.cost).min().unwrap_or(1);
    let rich = |row: &&crate::chart::WorldSeen| {
        row.stockpile.is_some_and(|stockpile| stockpile >= cheapest)
    };
    let mut names: Vec<_> =
        knows.own_worlds().filter(works).filter(rich).map(|row| row.name).collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() || classes.is_empty() {
        return;
    }
    let worlds: Vec<ValueId> =
        names.into_iter().map(|name| teller.draft.value(word(name), "")).collect();
    let base = teller
        .fresh("base", "their name", &[])
        .optional()
        .within(" \"{}\"*", ", named {} 1, 2 ...");
    let world = teller.world("world", &worlds);
    let classes: Vec<ValueId> =
        classes.into_iter().map(|class| teller.draft.value(word(class.name), "")).collect();
    let class = Slot::new("class", "class", Kind::Words(teller.one(&classes)));
    let (notation, label) =
        ("BUILD {world} {count} {class}{base}", "{world} builds {count} {class}{base}");
    let offer = teller.say(Phase::Build, "build", notation, label).weighs(Weight::Main);
    offer
        .slot(world.clone())
        .slot(count("count", "how many", richest / cheapest))
        .slot(class.clone())
        .slot(base);
    let name = teller.fresh("name", "its name", &[]);
    let label = "{world} builds a {class} named {name}";
    let offer = teller.say(Phase::Build, "build-one", "BUILD {world} 1 {class} \"{name}\"", label);
    offer.weighs(Weight::Main).slot(world).slot(class).slot(name);
}

/// 6.6.2: what is damaged, and what may be by then. More than is missing is as much as is missing.
fn repair(teller: &mut Teller<'_>) {
    let knows = teller.knows;
    let pays = |row: &&crate::chart::WorldSeen| {
        row.siege != Some(crate::objects::Siege::Interdicted)
            && row.stockpile.is_none_or(|stockpile| stockpile > 0)
    };
    let mut names: Vec<_> = knows.own_worlds().filter(pays).map(|row| row.name).collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() {
        return;
    }
    let worlds: Vec<ValueId> =
        names.into_iter().map(|name| teller.draft.value(word(name), "")).collect();
    let worlds = Slot::new("worlds", "paid by", Kind::Places(teller.some(&worlds)));
    let whole = |index: usize| knows.class(&knows.ships[index]).ratings.dp;
    let missing = |index: usize| whole(index) - knows.ships[index].dp.min(whole(index));
    // Starbases are no crews; they are always here.
    let damaged =
        teller.ships_that(|index| missing(index) > 0 || knows.ships[index].class == STARBASE);
    let most_of = |index: usize| {
        if knows.ships[index].class == STARBASE { whole(index) } else { missing(index) }
    };
    let most = (0..knows.ships.len()).map(most_of).max().unwrap_or(0);
    if most > 0 {
        let ship = teller.ship(&damaged);
        let label = "{worlds} repair {dp} DP of {ship}";
        let offer = teller.say(Phase::Repair, "repair", "REPAIR {ship} {dp} {worlds}", label);
        offer.slot(ship).slot(count("dp", "how many", most.into())).slot(worlds.clone());
    }
    let ships = teller.crews.clone();
    let most = (0..knows.ships.len()).map(whole).max().unwrap_or(0);
    if !ships.is_empty() {
        let ship = teller.ship(&ships);
        let label = "{worlds} repair {dp} DP of {ship} later";
        let offer = teller.say(Phase::Repair, "repair-later", "REPAIR {ship} {dp} {worlds}", label);
        offer
            .slot(ship)
            .slot(count("dp", "how many", most.into()))
            .slot(worlds)
            .weighs(Weight::Minor);
    }
}

/// 6.6.3 to 6.6.5.
fn transponders(teller: &mut Teller<'_>) {
    let modes = ["PUBLIC", "PRIVATE"].map(|mode| teller.draft.value(mode, mode.to_lowercase()));
    let (contacts, others) = (teller.contacts.clone(), teller.others.clone());
    let mode = Slot::new("mode", "mode", Kind::Words(teller.one(&modes)));
    crewed(teller, Phase::Toggle, "toggle", ("TOGGLE {mode} {who}", "Make {who} {mode}"), &mode);
    if !others.is_empty() {
        let from = teller.empires(&others);
        crewed(
            teller,
            Phase::Conceal,
            "conceal",
            ("CONCEAL {who} FROM {empires}", "Conceal {who} from {empires}"),
            &from,
        );
    }
    if !contacts.is_empty() {
        let to = teller.empires(&contacts);
        crewed(
            teller,
            Phase::Identify,
            "identify",
            ("IDENTIFY {who} TO {empires}", "Identify {who} to {empires}"),
            &to,
        );
    }
}

/// A sentence about ships, and about all of a class or all there are.
fn crewed(
    teller: &mut Teller<'_>,
    phase: Phase,
    key: &'static str,
    (notation, label): (&'static str, &'static str),
    slot: &Slot,
) {
    let ships = teller.crews.clone();
    if !ships.is_empty() {
        let who = Slot::new("who", "who", Kind::Pieces(teller.some(&ships)));
        teller.say(phase, key, notation, label).slot(who).slot(slot.clone());
    }
    let mut many = vec![teller.draft.value("ALL", "all ships")];
    let classes: Vec<String> =
        teller.knows.known_classes().map(|class| format!("@{}", word(class.name))).collect();
    many.extend(classes.into_iter().map(|text| teller.draft.value(text, "")));
    let who = Slot::new("who", "who", Kind::Words(teller.one(&many)));
    teller.say(phase, key, notation, label).slot(who).slot(slot.clone());
}
