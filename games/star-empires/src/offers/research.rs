//! 6.5: offers to design classes and to give designs to contacts.

use heliopause_kernel::offer::{Kind, Phrase, Share, Shares, Slot, ValueId};

use super::{OfferBuilder, number};
use crate::class::{Class, SIZE_MAX, term};
use crate::hull::{Component, Hull, RATING_MAX, Ratings};
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
    for hull in Hull::ALL.into_iter().filter(|hull| !hull.is_missile()) {
        let Some(ratings) = ratings(hull, funds) else { continue };
        let (world, class) =
            (builder.world("world", &works), builder.new_name("class", "name", &taken));
        let kind = hull.as_str().replace('_', " ");
        let fixed = [("hull", hull.as_str()), ("kind", &kind)];
        let offer = builder.offer_with("design", &fixed, [world, class, ratings]);
        // 6.5.2: a design costs half as much as a ship.
        offer.price = hull.base_cost();
        offer.divided_by(2);
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

/// The labels of ratings, and their words for several and for one.
const RATINGS: [[&str; 3]; 5] = [
    ["guns", "{} guns", "1 gun"],
    ["damage points", "{} damage points", "1 damage point"],
    ["engines", "{} engines", "1 engine"],
    ["scan", "scan {}", ""],
    ["racks", "racks {}", ""],
];

/// Returns a slot for the ratings of a class, or `None` without funds. Each rating is limited to
/// the highest that the funds can pay for if the other ratings are low.
fn ratings(hull: Hull, funds: u32) -> Option<Slot> {
    if funds == 0 {
        return None;
    }
    let most = [0, 1, 2, 3, 4].map(|index| highest_rating(hull, index, funds));
    // A class with all maxima together must not be too big.
    if Class::sized(Name::NONE, hull, Ratings::of(most)).is_none() {
        return ratings(hull, funds / 2);
    }
    let shares = hull.parameters().components.into_iter().zip(hull.least().list()).zip(most);
    let share =
        |(((component, least), most), words): (((Component, u16), u16), [&'static str; 3])| {
            let cost =
                |rating| term(component, rating, component.cost_halves).map(|cost| cost as i32);
            let [label, phrase, singular] = words.map(Phrase::from);
            let costs = (least..=most).map(cost).collect::<Option<_>>()?;
            let (least, most) = (least.into(), most.into());
            Some(Share { label, phrase, singular, least, most, costs, ..Share::default() })
        };
    let shares = shares.zip(RATINGS).map(share).collect::<Option<_>>()?;
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
