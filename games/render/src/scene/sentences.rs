//! Describes scenes in sentences, for screen readers.

use super::{
    Contents, Scene, SceneArea, SceneGrid, ScenePanel, SceneRow, has, remark, screen, titled_cells,
};
use crate::text::listed;

/// The maximum number of listed areas without contents.
const EMPTY_MAX: usize = 60;
/// The number of near places that are listed for each area of a map of points.
const NEAR: usize = 4;

/// Returns a heading, one line per area with contents, one line for all other areas, and one line
/// per row of the panels.
pub fn lines(scene: &Scene) -> Vec<String> {
    let mut lines = vec![format!("{}. {}", scene.title, scene.news.join(" "))];
    let inside = Contents::of(scene);
    let mut empty = Vec::new();
    for area in scene.areas.iter().filter(|area| !area.name.is_empty()) {
        if scene.grid() == SceneGrid::Points && !is_known(&inside, area) {
            empty.extend(inside.places(&area.name).iter().map(|place| place.name.as_str()));
            continue;
        }
        let contents = contents(&inside, area);
        let has_own = scene.grid() == SceneGrid::Tiles && !area.title.is_empty();
        if contents.is_empty() && !has_own {
            empty.push(area.name.as_str());
            continue;
        }
        let name = if has_own { &area.title } else { &area.name };
        let colon = if contents.is_empty() { "" } else { ": " };
        let near = near(scene, &inside, area);
        lines.push(format!("{name}{colon}{}.{near}", listed(&contents)));
    }
    if empty.len() > EMPTY_MAX {
        lines.push(format!("Nothing known at the other {} places.", empty.len()));
    } else if !empty.is_empty() {
        lines.push(format!("Nothing known at: {}.", empty.join(", ")));
    }
    for panel in scene.panels.iter().filter(|panel| !panel.folded) {
        lines.extend(panel.figures.iter().map(|figure| {
            format!("{}: {}: {}{}.", panel.title, figure.label, figure.value, remark(figure))
        }));
        lines.extend(panel.rows.iter().map(|row| sentence(panel, row)));
    }
    lines
}

/// Returns the tooltips of the places and pieces in an area.
fn contents(inside: &Contents<'_>, area: &SceneArea) -> Vec<String> {
    let places = inside.places(&area.name).iter().map(|place| &place.title);
    let pieces = inside.pieces(&area.name).iter().map(|piece| &piece.title);
    places.chain(pieces).filter(|text| !text.is_empty()).cloned().collect()
}

/// Returns whether there is anything in an area besides unexplored places.
fn is_known(inside: &Contents<'_>, area: &SceneArea) -> bool {
    let places = inside.places(&area.name);
    !inside.pieces(&area.name).is_empty()
        || places.iter().any(|place| has(&place.states, "explored"))
}

/// Returns a sentence with the adjacent areas, or with the nearest places and their distances.
fn near(scene: &Scene, inside: &Contents<'_>, area: &SceneArea) -> String {
    if scene.grid() == SceneGrid::Points {
        let others = scene.areas.iter().filter(|other| other.name != area.name);
        let places = others.flat_map(|other| {
            let places = inside.places(&other.name).iter();
            places.map(|place| (distance(area, other), place.name.as_str()))
        });
        let mut places: Vec<(i32, &str)> = places.collect();
        places.sort_unstable();
        let near: Vec<String> =
            places.iter().take(NEAR).map(|(far, name)| format!("{name} {far}")).collect();
        return format!(" Near, with distances in hexes: {}.", near.join(", "));
    }
    let near = neighbors(scene, area);
    if near.is_empty() { String::new() } else { format!(" Next to {}.", near.join(" ")) }
}

/// Returns the distance in hexes where rows are half as high as hexes.
fn distance(area: &SceneArea, other: &SceneArea) -> i32 {
    let columns = (area.column - other.column).abs();
    columns + ((area.row - other.row).abs() - columns).max(0) / 2
}

fn neighbors<'a>(scene: &'a Scene, area: &'a SceneArea) -> Vec<&'a str> {
    if !area.neighbors.is_empty() {
        return area.neighbors.iter().map(String::as_str).collect();
    }
    if !matches!(scene.grid(), SceneGrid::Hexes | SceneGrid::Unspecified) {
        return Vec::new();
    }
    let is_next = |other: &&SceneArea| screen::distance(scene.grid(), area, other) == 1;
    scene.areas.iter().filter(is_next).map(|other| other.name.as_str()).collect()
}

fn sentence(panel: &ScenePanel, row: &SceneRow) -> String {
    let (first, rest) = titled_cells(panel, row);
    let active = if has(&row.states, "active") { ", to play" } else { "" };
    if rest.is_empty() {
        format!("{}: {first}{active}.", panel.title)
    } else {
        format!("{}: {first}{active}: {}.", panel.title, rest.join("; "))
    }
}
