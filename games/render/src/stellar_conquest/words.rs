//! Short phrases that several modules use.

use heliopause_kernel::{Seat, listed};
use heliopause_stellar_conquest::{
    ColonySeen, Fleet, Place, Planet, PlanetId, ShipKind, ShipNumber, StarId,
};

use super::atlas::Atlas;
use crate::text::count;

/// Formats a hex, with the name of its star if it has one: "Ceti E17".
pub(super) fn place(at: Place) -> String {
    StarId::in_hex(at).map_or_else(|| at.to_string(), |star| format!("{star} {at}"))
}

/// Formats a planet as in orders: "Ceti 1".
pub(super) fn planet(planet: PlanetId) -> String {
    format!("{} {}", planet.star, planet.nth + 1)
}

/// The meanings of the letters in [`fleet`].
pub(super) const LETTERS: &str =
    "S scout, C corvette, F fighter, DS death star, CT colony transport";

fn kinds(fleet: Fleet) -> impl Iterator<Item = (ShipKind, u32)> {
    let kinds = [
        ShipKind::DeathStar,
        ShipKind::Fighter,
        ShipKind::Corvette,
        ShipKind::Scout,
        ShipKind::Transport,
    ];
    kinds.into_iter().map(move |kind| (kind, fleet.count(kind))).filter(|(_, count)| *count > 0)
}

/// Formats a fleet: "4C 4S 35CT".
pub(super) fn fleet(fleet: Fleet) -> String {
    let parts: Vec<String> =
        kinds(fleet).map(|(kind, number)| format!("{number}{}", kind.letters())).collect();
    if parts.is_empty() { "none".into() } else { parts.join(" ") }
}

/// Formats a fleet in full: "4 corvettes and 35 colony transports".
pub(super) fn whole_fleet(fleet: Fleet) -> String {
    let number = |(kind, number): (ShipKind, u32)| count(number as usize, kind.as_str());
    row(&kinds(fleet).map(number).collect::<Vec<_>>())
}

pub(super) fn planet_type(planet: Planet) -> String {
    let rich = if planet.mineral_rich { ", mineral-rich" } else { "" };
    format!("{}{rich}", planet.kind.as_str().to_lowercase())
}

pub(super) fn row(items: &[String]) -> String {
    if items.is_empty() { "nothing".to_owned() } else { listed(items) }
}

/// Formats half points as points: "2½".
pub(super) fn halves(half_points: u32) -> String {
    match (half_points / 2, half_points % 2) {
        (0, 1) => "½".into(),
        (whole, 1) => format!("{whole}½"),
        (whole, _) => whole.to_string(),
    }
}

pub(super) fn age(turns: u8) -> String {
    match turns {
        0 => "this turn".into(),
        1 => "1 turn ago".into(),
        turns => format!("{turns} turns ago"),
    }
}

/// Formats numbers of ships as in orders: "#1-4,7".
pub(super) fn numbers(ships: &[ShipNumber]) -> String {
    let mut sorted: Vec<u32> = ships.iter().map(|ship| ship.0).collect();
    sorted.sort_unstable();
    let runs = sorted.chunk_by(|left, right| left + 1 == *right);
    let run = |run: &[u32]| match run {
        [one] => one.to_string(),
        [first, .., last] => format!("{first}-{last}"),
        [] => String::new(),
    };
    format!("#{}", runs.map(run).collect::<Vec<_>>().join(","))
}

pub(super) fn whose(atlas: &Atlas, seat: Seat) -> String {
    if atlas.is_own(seat) { "you".into() } else { atlas.name(seat).to_owned() }
}

/// Lists the known facts about a colony, each after a comma: ", 30M, shielded".
pub(super) fn found_there(seen: &ColonySeen) -> String {
    let mut parts = Vec::new();
    if let Some(people) = seen.people {
        parts.push(format!("{}M", people.millions));
        parts.push(if people.factories == 1 {
            "1 factory".into()
        } else {
            format!("{} factories", people.factories)
        });
    }
    if let Some(bases) = seen.bases {
        let some = [(bases.missile, "MB"), (bases.advanced, "AMB")]
            .into_iter()
            .filter(|(number, _)| *number > 0);
        parts.extend(some.map(|(number, what)| format!("{number} {what}")));
        if bases.total() == 0 {
            parts.push("no bases".to_owned());
        }
    }
    if seen.shield {
        parts.push("shielded".to_owned());
    }
    parts.iter().flat_map(|part| [", ", part]).collect()
}
