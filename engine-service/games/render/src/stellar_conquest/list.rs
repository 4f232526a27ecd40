//! The map in sentences, star by star.

use heliopause_stellar_conquest::{Place, StarId};

use super::atlas::{Atlas, Group, Settled, Sight};
use super::words;
use crate::text::{count, listed};

/// How many stars are named beside each.
const NEAR: usize = 4;

/// A line for each hex that holds anything, and one for the stars that hold nothing known.
pub(super) fn lines(atlas: &Atlas) -> Vec<String> {
    let mut lines = vec![format!("{}. {}", atlas.title, atlas.news.join(" "))];
    lines.extend(atlas.sights.iter().map(|(at, sight)| {
        let explored = StarId::in_hex(*at).filter(|star| !atlas.has_explored(*star));
        let unexplored = if explored.is_some() { ", unexplored" } else { "" };
        format!(
            "{}{unexplored}: {}. Near: {}.",
            words::place(*at),
            listed(&contents(atlas, sight)),
            near(*at)
        )
    }));
    let others: Vec<&str> = StarId::ALL
        .into_iter()
        .filter(|star| !atlas.sights.contains_key(&star.at()))
        .map(StarId::as_str)
        .collect();
    lines.push(format!("Nothing is known at: {}.", others.join(", ")));
    lines
}

fn contents(atlas: &Atlas, sight: &Sight) -> Vec<String> {
    let posts = sight.posts.iter().map(|seat| format!("command post of {}", atlas.name(*seat)));
    let groups = sight.groups.iter().map(|group| ships(atlas, group));
    let colonies = sight.colonies.iter().map(|colony| settled(atlas, colony));
    groups.chain(colonies).chain(posts).collect()
}

fn ships(atlas: &Atlas, group: &Group) -> String {
    let what = group.fleet.map_or_else(|| "ships".to_owned(), words::fleet);
    let seen =
        if group.age > 0 { format!(", seen {}", words::age(group.age)) } else { String::new() };
    let bound: Vec<String> = group
        .bound
        .iter()
        .map(|(star, fleet)| format!("{} bound for {star}", words::fleet(*fleet)))
        .collect();
    let bound = if bound.is_empty() { String::new() } else { format!(" ({})", bound.join(", ")) };
    format!("{} of {}{bound}{seen}", what, atlas.name(group.seat))
}

fn settled(atlas: &Atlas, colony: &Settled) -> String {
    let people = colony.people.map_or_else(String::new, |people| format!(", {people}M"));
    let held =
        colony.conqueror.map_or_else(String::new, |seat| format!(", held by {}", atlas.name(seat)));
    let shield = if colony.shield { ", shielded" } else { "" };
    let besieged = if colony.besieged { ", besieged" } else { "" };
    format!("colony of {}{people}{held}{shield}{besieged}", atlas.name(colony.seat))
}

/// The nearest stars, with how many hexes away they are.
fn near(at: Place) -> String {
    let mut stars: Vec<(u16, StarId)> = StarId::ALL
        .into_iter()
        .filter(|star| star.at() != at)
        .map(|star| (u16::from(at.distance(star.at())), star))
        .collect();
    stars.sort_by_key(|(far, star)| (*far, star.as_str()));
    let named = stars.iter().take(NEAR).map(|(far, star)| {
        format!("{star} {}", count(usize::from(*far), "hex").replace("hexs", "hexes"))
    });
    named.collect::<Vec<_>>().join(", ")
}
