//! Small words that several parts use.

use heliopause_kernel::{Seat, listed};
use heliopause_stellar_conquest::{
    ColonySeen, Fleet, Place, PlanetId, ShipKind, ShipNumber, StarId,
};

use super::atlas::Atlas;

/// A hex, with its star if there is one: "Ceti E17".
pub(super) fn place(at: Place) -> String {
    StarId::in_hex(at).map_or_else(|| at.to_string(), |star| format!("{star} {at}"))
}

/// A planet, as orders name it: "Ceti 1".
pub(super) fn planet(planet: PlanetId) -> String {
    format!("{} {}", planet.star, planet.nth + 1)
}

/// A fleet: "4 S 4 C 35 CT".
pub(super) fn fleet(fleet: Fleet) -> String {
    let kinds = [
        ShipKind::DeathStar,
        ShipKind::Fighter,
        ShipKind::Corvette,
        ShipKind::Scout,
        ShipKind::Transport,
    ];
    let parts = kinds.into_iter().filter(|kind| fleet.count(*kind) > 0);
    let parts: Vec<String> =
        parts.map(|kind| format!("{} {}", fleet.count(kind), kind.letters())).collect();
    if parts.is_empty() { "none".into() } else { parts.join(" ") }
}

/// Things in a row: "a, b and c".
pub(super) fn row(items: &[String]) -> String {
    if items.is_empty() { "nothing".to_owned() } else { listed(items) }
}

/// Half points as points: "2½".
pub(super) fn halves(half_points: u32) -> String {
    match (half_points / 2, half_points % 2) {
        (0, 1) => "½".into(),
        (whole, 1) => format!("{whole}½"),
        (whole, _) => whole.to_string(),
    }
}

/// How long ago something was seen.
pub(super) fn age(turns: u8) -> String {
    match turns {
        0 => "this turn".into(),
        1 => "1 turn ago".into(),
        turns => format!("{turns} turns ago"),
    }
}

/// Numbers of ships as orders name them: "#1-4,7".
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

/// Whose something is: "yours", or the seat's name.
pub(super) fn whose(atlas: &Atlas, seat: Seat) -> String {
    if atlas.is_own(seat) { "you".into() } else { atlas.name(seat).to_owned() }
}

/// What was found out of somebody's colony, each part behind a comma: ", 30M, 10 factories, 5 MB,
/// shielded".
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
