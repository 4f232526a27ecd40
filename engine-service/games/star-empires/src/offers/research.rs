//! 6.5: classes are designed and given away.

use heliopause_kernel::offer::{Kind, Share, Shares, Slot, ValueId};

use super::{Teller, number};
use crate::class::{Class, SIZE_MAX};
use crate::hull::{Hull, RATING_MAX, Ratings};
use crate::name::Name;
use crate::order::Phase;

pub(super) fn tell(teller: &mut Teller<'_>) {
    teller.draft.group("Research");
    design(teller);
    give(teller);
}

/// 6.5.2.
fn design(teller: &mut Teller<'_>) {
    if teller.works.is_empty() {
        return;
    }
    let works = teller.works.clone();
    let taken = taken(teller);
    let funds = teller.knows.own_worlds().filter_map(|row| row.stockpile).max().unwrap_or(0);
    // Hulls of which the same ratings are dear share a sentence.
    let shared = [
        &[Hull::CapitalShip, Hull::Gunship][..],
        &[Hull::Transport],
        &[Hull::Orbital],
        &[Hull::Scout],
        &[Hull::Wing],
    ];
    for hulls in shared {
        let Some(ratings) = ratings(hulls, funds) else { continue };
        let (world, class) = (teller.world("world", &works), teller.fresh("class", "name", &taken));
        let notation = "DESIGN {world} \"{class}\" {hull} {ratings}";
        let label = "{world} designs {class}: {hull} {ratings}";
        let [hull] = *hulls else {
            let names: Vec<ValueId> =
                hulls.iter().map(|hull| teller.draft.value(hull.as_str(), "")).collect();
            let hull = Slot::new("hull", "hull", Kind::Words(teller.one(&names)));
            let offer = teller.say(Phase::Design, "design", notation, label);
            offer.slot(world).slot(class).slot(hull).slot(ratings);
            continue;
        };
        let [notation, label] = [notation, label].map(|text| text.replace("{hull}", hull.as_str()));
        teller.say(Phase::Design, "design", notation, label).slot(world).slot(class).slot(ratings);
    }
    missile(teller, &works, &taken);
}

/// So many guns can a missile of one tonne have without costing too much.
const MISSILE_GUNS: i32 = 186;

/// A missile that is heavier than any ratings of racks is of no use.
fn missile(teller: &mut Teller<'_>, works: &[ValueId], taken: &[ValueId]) {
    let (world, class) = (teller.world("world", works), teller.fresh("class", "name", taken));
    let (guns, tonnage) = (
        number("guns", "guns", 1, MISSILE_GUNS),
        number("tonnage", "tonnage", 1, RATING_MAX.into()),
    );
    let notation = "DESIGN {world} \"{class}\" missile {guns} {tonnage}";
    let label = "{world} designs {class}: missile, {guns} guns, {tonnage} tonnes";
    let offer = teller.say(Phase::Design, "design-missile", notation, label);
    offer.slot(world).slot(class).slot(guns).slot(tonnage);
}

/// The ratings that hulls may have, each as high as these funds pay for if the others are low; none
/// if they pay for nothing.
fn ratings(hulls: &[Hull], funds: u32) -> Option<Slot> {
    if funds == 0 {
        return None;
    }
    let most = [0, 1, 2, 3, 4]
        .map(|index| hulls.iter().map(|&hull| highest(hull, index, funds)).max().unwrap_or(0));
    // All of them together must not be too big for a class.
    let [guns, dp, engines, scan, racks] = most;
    let all = Ratings { guns, dp, engines, scan, racks };
    if hulls.iter().any(|&hull| Class::sized(Name::NONE, hull, all).is_none()) {
        return ratings(hulls, funds / 2);
    }
    let least = hulls[0].least().list();
    let labels = ["guns", "dp", "engines", "scan", "racks"];
    let share = |((least, most), label): ((u16, u16), &'static str)| {
        let (least, most) = (i32::from(least), i32::from(most));
        Share { text: "".into(), label: label.into(), least, most, cost: 0 }
    };
    let shares = least.into_iter().zip(most).zip(labels).map(share).collect();
    let shares = Shares { shares, least: 0, most: 0, separator: " ".into(), zeros: true };
    Some(Slot::new("ratings", "ratings", Kind::Shares(shares)))
}

/// The highest that one rating can be, by halving. What lower ratings save elsewhere is less than
/// the hull's cost and this.
fn highest(hull: Hull, index: usize, funds: u32) -> u16 {
    const SAVED: u32 = 32;
    let budget = funds.saturating_mul(2).saturating_add(hull.base_cost() + SAVED).min(SIZE_MAX);
    let (mut least, mut most) = (hull.least().list()[index], hull.most().list()[index]);
    while least < most {
        let middle = least + (most - least).div_ceil(2);
        let mut list = hull.base().list();
        list[index] = middle;
        let [guns, dp, engines, scan, racks] = list;
        let class = Class::sized(Name::NONE, hull, Ratings { guns, dp, engines, scan, racks });
        if class.is_some_and(|class| class.cost <= budget) {
            least = middle;
        } else {
            most = middle - 1;
        }
    }
    least
}

/// What a new class cannot be called: hulls, and classes that were seen.
fn taken(teller: &mut Teller<'_>) -> Vec<ValueId> {
    let chart = teller.knows.chart;
    let fleets = chart.fleets.iter().filter_map(|row| row.identity).map(|(_, class)| class);
    let mut seen: Vec<Name> = chart.ships.iter().map(|row| row.class).chain(fleets).collect();
    seen.extend(teller.knows.known_classes().map(|class| class.name));
    seen.sort_unstable();
    seen.dedup();
    let hulls = Hull::ALL.into_iter().map(|hull| hull.as_str().to_owned());
    // As it is typed, without the quotes of the notation.
    let seen = seen.into_iter().filter(|name| !name.is_none()).map(|name| name.to_string());
    let texts: Vec<String> = hulls.chain(seen).collect();
    super::distinct(texts.into_iter().map(|text| teller.draft.value(text, "")))
}

/// 6.5.3.
fn give(teller: &mut Teller<'_>) {
    let (classes, contacts) = (teller.classes.clone(), teller.contacts.clone());
    if contacts.is_empty() || classes.is_empty() {
        return;
    }
    let empires = teller.empires(&contacts);
    let classes = Slot::new("classes", "classes", Kind::Words(teller.some(&classes)));
    let offer = teller.say(
        Phase::Give,
        "give",
        "GIVE {classes} TO {empires}",
        "Give {classes} to {empires}",
    );
    offer.slot(classes).slot(empires);
}
