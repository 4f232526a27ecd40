//! 6.5: offers to design classes and to give designs to contacts.

use heliopause_kernel::offer::{Kind, Share, Shares, Slot, ValueId};

use super::{OfferBuilder, number};
use crate::class::{Class, SIZE_MAX};
use crate::hull::{Hull, RATING_MAX, Ratings};
use crate::name::Name;

pub(super) fn add_offers(builder: &mut OfferBuilder<'_>) {
    builder.draft.group("Research");
    design(builder);
    give(builder);
}

fn design(builder: &mut OfferBuilder<'_>) {
    if builder.works.is_empty() {
        return;
    }
    let works = builder.works.clone();
    let taken = taken(builder);
    let funds = builder.lookup.own_worlds().filter_map(|row| row.stockpile).max().unwrap_or(0);
    // Hulls that make the same ratings expensive share an offer.
    let shared = [
        &[Hull::CapitalShip, Hull::Gunship][..],
        &[Hull::Transport],
        &[Hull::Orbital],
        &[Hull::Scout],
        &[Hull::Wing],
    ];
    for hulls in shared {
        let Some(ratings) = ratings(hulls, funds) else { continue };
        let (world, class) =
            (builder.world("world", &works), builder.new_name("class", "name", &taken));
        if let [hull] = hulls {
            let fixed = [("hull", hull.as_str())];
            builder.offer_with("design", &fixed, [world, class, ratings]);
            continue;
        }
        let names: Vec<ValueId> =
            hulls.iter().map(|hull| builder.draft.value(hull.as_str(), "")).collect();
        let hull = Slot::new("hull", "hull", Kind::Words(builder.one(&names)));
        builder.offer("design", [world, class, hull, ratings]);
    }
    missile(builder, &works, &taken);
}

/// Maximum guns of a missile. With more, the cost of a missile of one tonne exceeds the limit.
const MISSILE_GUNS: i32 = 186;

/// Adds an offer to design a missile. The tonnage is limited to the highest racks rating, because
/// no ship could carry a heavier missile.
fn missile(builder: &mut OfferBuilder<'_>, works: &[ValueId], taken: &[ValueId]) {
    let (world, class) = (builder.world("world", works), builder.new_name("class", "name", taken));
    let guns = number("guns", "guns", 1, MISSILE_GUNS);
    let tonnage = number("tonnage", "tonnage", 1, RATING_MAX.into());
    builder.offer("design-missile", [world, class, guns, tonnage]);
}

/// Returns a slot for the ratings of a class, or `None` without funds. Each rating is limited to
/// the highest that the funds can pay for if the other ratings are low.
fn ratings(hulls: &[Hull], funds: u32) -> Option<Slot> {
    if funds == 0 {
        return None;
    }
    let most = [0, 1, 2, 3, 4].map(|index| {
        hulls.iter().map(|&hull| highest_rating(hull, index, funds)).max().unwrap_or(0)
    });
    // A class with all maxima together must not be too big.
    let is_too_big = |&hull: &Hull| Class::sized(Name::NONE, hull, Ratings::of(most)).is_none();
    if hulls.iter().any(is_too_big) {
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

/// Finds the highest affordable rating by binary search, with the other ratings at their base.
/// Lowering the other ratings would save less than the hull's base cost plus `SAVED`.
fn highest_rating(hull: Hull, index: usize, funds: u32) -> u16 {
    const SAVED: u32 = 32;
    let budget = funds.saturating_mul(2).saturating_add(hull.base_cost() + SAVED).min(SIZE_MAX);
    let (mut least, mut most) = (hull.least().list()[index], hull.most().list()[index]);
    while least < most {
        let middle = least + (most - least).div_ceil(2);
        let mut list = hull.base().list();
        list[index] = middle;
        let class = Class::sized(Name::NONE, hull, Ratings::of(list));
        if class.is_some_and(|class| class.cost <= budget) {
            least = middle;
        } else {
            most = middle - 1;
        }
    }
    least
}

/// Returns names that a new class cannot have: those of hulls and of visible classes.
fn taken(builder: &mut OfferBuilder<'_>) -> Vec<ValueId> {
    let chart = builder.lookup.chart;
    let fleets = chart.fleets.iter().filter_map(|row| row.identity).map(|(_, class)| class);
    let mut seen: Vec<Name> = chart.ships.iter().map(|row| row.class).chain(fleets).collect();
    seen.extend(builder.lookup.known_classes().map(|class| class.name));
    seen.sort_unstable();
    seen.dedup();
    let hulls = Hull::ALL.into_iter().map(|hull| hull.as_str().to_owned());
    // The slot compares these names with the typed name, which has no quotes.
    let seen = seen.into_iter().filter(|name| !name.is_none()).map(|name| name.to_string());
    let texts: Vec<String> = hulls.chain(seen).collect();
    super::distinct(texts.into_iter().map(|text| builder.draft.value(text, "")))
}

fn give(builder: &mut OfferBuilder<'_>) {
    let (classes, contacts) = (builder.classes.clone(), builder.contacts.clone());
    if contacts.is_empty() || classes.is_empty() {
        return;
    }
    let empires = builder.empires(&contacts);
    let classes = Slot::new("classes", "classes", Kind::Words(builder.some(&classes)));
    builder.offer("give", [classes, empires]);
}
