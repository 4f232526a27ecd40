//! The words of the notation, read and written.

use crate::state::{ShipNumber, Shot, UnitId};
use crate::tables::{Item, PLANETS_MAX, Place, PlanetId, StarId};

/// Maximum number of ships that a list such as `#1-4` may expand to.
const NUMBERS_MAX: usize = 16_384;

pub(crate) const SCOUT_PAIRS: &str = "scout-pairs";

/// Returns the words for one item and for several.
pub(crate) const fn item_words(item: Item) -> [&'static str; 2] {
    match item {
        Item::ColonyTransport => ["transport", "transports"],
        Item::Scout => ["scout", "scouts"],
        Item::Corvette => ["corvette", "corvettes"],
        Item::Fighter => ["fighter", "fighters"],
        Item::DeathStar => ["death-star", "death-stars"],
        Item::Factory => ["factory", "factories"],
        Item::MissileBase => ["missile-base", "missile-bases"],
        Item::AdvancedMissileBase => ["advanced-base", "advanced-bases"],
        Item::PlanetShield => ["shield", "shields"],
    }
}

pub(super) fn item(word: &str) -> Option<Item> {
    Item::ALL.into_iter().find(|&item| item_words(item).contains(&word))
}

pub(super) fn write_item(item: Item, count: u32) -> String {
    format!("{count} {}", item_words(item)[usize::from(count != 1)])
}

pub(super) fn number(word: &str) -> Option<u32> {
    word.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.parse().ok()).flatten()
}

pub(super) fn star(word: &str) -> Option<StarId> {
    word.parse().ok()
}

pub(super) fn place(word: &str) -> Option<Place> {
    word.parse().ok().or_else(|| star(word).map(StarId::at))
}

pub(super) fn nth(word: &str) -> Option<u8> {
    let nth = number(word)?.checked_sub(1)?;
    u8::try_from(nth).ok().filter(|&nth| usize::from(nth) < PLANETS_MAX)
}

pub(crate) fn write_planet(planet: PlanetId) -> String {
    format!("{} {}", planet.star, planet.nth + 1)
}

pub(super) fn unit(word: &str) -> Option<UnitId> {
    number(word).and_then(|number| u16::try_from(number).ok()).map(UnitId)
}

/// Reads shots such as `0>5`, or `0,1>5,6` for unit 0 at unit 5 and unit 1 at unit 6.
pub(super) fn shots(word: &str) -> Option<Vec<Shot>> {
    let (by, at) = word.split_once('>')?;
    let units = |text: &str| text.split(',').map(unit).collect::<Option<Vec<UnitId>>>();
    let (by, at) = (units(by)?, units(at)?);
    let shot = |(by, at)| Shot { by, at };
    (by.len() == at.len()).then(|| by.into_iter().zip(at).map(shot).collect())
}

pub(super) fn emigrants(word: &str) -> Option<(u16, u16)> {
    let (emigrants, bonus) = word.split_once('+').unwrap_or((word, "0"));
    Some((u16::try_from(number(emigrants)?).ok()?, u16::try_from(number(bonus)?).ok()?))
}

/// Reads ship numbers such as `#1-4,7` or `#1-4,#7`. Returns `None` for number 0, a descending
/// range, or too many ships.
pub(super) fn ships(word: &str) -> Option<Vec<ShipNumber>> {
    let mut ships = Vec::new();
    for run in word.strip_prefix('#')?.split(',').filter(|run| !run.is_empty()) {
        let run = run.strip_prefix('#').unwrap_or(run);
        let (first, last) = run.split_once('-').unwrap_or((run, run));
        let (first, last) = (number(first)?, number(last)?);
        if first == 0 || last < first || (last - first) as usize >= NUMBERS_MAX - ships.len() {
            return None;
        }
        ships.extend((first..=last).map(ShipNumber));
    }
    Some(ships)
}

/// Writes ship numbers in the given order. Only consecutive numbers become ranges.
pub(crate) fn write_ships(ships: &[ShipNumber]) -> String {
    format!("#{}", runs(ships).join(","))
}

/// Returns the ranges of consecutive numbers, such as `1-4`, and the single numbers between them.
pub(crate) fn runs(ships: &[ShipNumber]) -> Vec<String> {
    let run = |run: &[ShipNumber]| match run {
        [] => String::new(),
        [one] => one.0.to_string(),
        [first, .., last] => format!("{}-{}", first.0, last.0),
    };
    ships.chunk_by(|one, next| one.0.checked_add(1) == Some(next.0)).map(run).collect()
}
