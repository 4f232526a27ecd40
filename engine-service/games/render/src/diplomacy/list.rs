//! The map in sentences, province by province.

use heliopause_diplomacy::{Kind, Province};
use heliopause_kernel::Seat;

use super::atlas::Atlas;
use crate::text::listed;

/// A line for each province that holds anything, and one for the others.
pub(super) fn lines(atlas: &Atlas) -> Vec<String> {
    let mut lines = vec![format!("{}, {}.", atlas.title, atlas.table().date())];
    let (told, empty): (Vec<_>, Vec<_>) =
        Province::ALL.into_iter().partition(|at| !contents(atlas, *at).is_empty());
    lines.extend(told.into_iter().map(|at| {
        let beside: Vec<&str> = at.neighbours().iter().map(Province::as_str).collect();
        let contents = listed(&contents(atlas, at));
        format!("{} ({at}): {contents}. Next to {}.", at.name(), beside.join(" "))
    }));
    let empty: Vec<&str> = empty.into_iter().map(Province::as_str).collect();
    lines.push(format!("Empty: {}.", empty.join(" ")));
    lines
}

fn contents(atlas: &Atlas, at: Province) -> Vec<String> {
    let position = &atlas.table().position;
    let name = |seat: Seat| atlas.power(seat).name.clone();
    let mut found = Vec::new();
    if at.is_center() {
        let owner = position.centers[at.index()];
        found.push(owner.map_or_else(
            || "a center of nobody".to_owned(),
            |seat| format!("a center of {}", name(seat)),
        ));
    }
    if let Some(unit) = position.unit(at) {
        let coast = unit.at.coast().map_or("", |coast| coast.as_str());
        let coast = if coast.is_empty() { String::new() } else { format!(" on {coast}") };
        found.push(format!("{} of {}{coast}", kind(unit.kind), name(unit.owner)));
    }
    let driven = atlas.table().dislodged.iter().filter(|one| one.unit.at.province() == at);
    found.extend(driven.map(|one| {
        format!("{} of {} that has to retreat", kind(one.unit.kind), name(one.unit.owner))
    }));
    found.extend(position.colonies[at.index()].map(|seat| format!("a colony of {}", name(seat))));
    found
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Army => "army",
        Kind::Fleet => "fleet",
    }
}
