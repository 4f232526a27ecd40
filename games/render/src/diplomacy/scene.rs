//! Builds the scene of a view: Europe with owners, units, and orders or results.

use heliopause_diplomacy::{Coast, Kind, Named, Place, Province, Unit};
use heliopause_kernel::Seat;

use super::atlas::{self, Atlas};
use super::geography::{DISLODGED_OFFSET, EUROPE, SIZE};
use super::{panels, paths};
use crate::scene::{
    Scene, SceneArea, SceneFrame, SceneGrid, SceneLabel, ScenePiece, ScenePlace, label_at, legend,
    number, piece_at, place_at, states, unit,
};
use crate::svg::to_f64;

/// The number of spacecraft in a row above the map, and the distances between them.
const CRAFT_PER_ROW: usize = 22;
const CRAFT_STEP: (f64, f64) = (50.0, 30.0);
const CRAFT_FIRST: (f64, f64) = (76.0, -28.0);
pub(super) const ORBIT: (f64, f64) = (26.0, CRAFT_FIRST.1);

pub(super) fn build(atlas: &Atlas) -> Scene {
    let news = [Some(atlas.table().date()), atlas.shown().map(|shown| format!("Shown: {shown}"))];
    let mut scene = Scene {
        title: atlas.title.clone(),
        news: news.into_iter().flatten().map(|text| text + ".").collect(),
        grid: SceneGrid::Tiles.into(),
        seats: atlas::seats(atlas.table().options.variant, &atlas.powers),
        areas: EUROPE.impassable.clone(),
        paths: atlas.drawn().iter().filter_map(|drawn| paths::path(atlas, drawn)).collect(),
        legend: legend::read(include_str!("legend.txt"), [Some(Seat::at(1)); 2], |part| {
            part == "all" || atlas.is_in_space()
        }),
        ..Scene::default()
    };
    for province in Province::ALL {
        scene.areas.push(area(atlas, province));
        label(&mut scene, province);
        places(&mut scene, atlas, province);
    }
    scene.pieces = atlas.table().position.units().map(|unit| piece(atlas, unit)).collect();
    scene.pieces.extend(atlas.table().dislodged.iter().map(|one| {
        let to: Vec<String> = one.retreats.iter().map(ToString::to_string).collect();
        let to = if to.is_empty() { "nowhere".to_owned() } else { to.join(", ") };
        let piece = piece(atlas, one.unit);
        ScenePiece {
            title: format!("{}, dislodged, can retreat to {to}", piece.title),
            x: piece.x + unit(DISLODGED_OFFSET.0),
            y: piece.y + unit(DISLODGED_OFFSET.1),
            states: [piece.states.as_slice(), &["dislodged".to_owned()]].concat(),
            ..piece
        }
    }));
    let rows = if atlas.is_in_space() { orbit(&mut scene, atlas) } else { 0 };
    let top = -CRAFT_STEP.1 * to_f64(rows) - if rows > 0 { 16.0 } else { 0.0 };
    scene.frame = Some(SceneFrame {
        left: 0.0,
        top: unit(top),
        width: unit(SIZE.0),
        height: unit(SIZE.1 - top),
        starry: atlas.is_in_space(),
    });
    scene.panels = panels::all(atlas);
    scene
}

fn area(atlas: &Atlas, province: Province) -> SceneArea {
    let position = &atlas.table().position;
    let index = province.index();
    let (owner, claim) = (position.centers[index], position.colonies[index]);
    let mut title = format!("{} ({province})", province.name());
    match owner {
        Some(owner) => title = format!("{title}, supply center of {}", atlas.power(owner).name),
        None if province.is_center() => title.push_str(", neutral supply center"),
        None => {}
    }
    if let Some(owner) = claim {
        title = format!("{title}, colony of {}", atlas.power(owner).name);
    }
    SceneArea { title, owner: number(owner), claim: number(claim), ..EUROPE.land(province) }
}

fn label(scene: &mut Scene, province: Province) {
    let (x, y) = EUROPE.name(province);
    let aside = if province.is_center() { 4.0 } else { 0.0 };
    scene.labels.push(SceneLabel {
        full_text: province.name().to_owned(),
        color: if province.is_land() { String::new() } else { "sea".into() },
        place: province.to_string(),
        ..label_at(province.to_string(), "name", (x - aside, y))
    });
}

/// Adds the coasts of a province, and its supply center beside its name.
fn places(scene: &mut Scene, atlas: &Atlas, province: Province) {
    let area = province.to_string();
    if province.is_center() {
        let (x, y) = EUROPE.name(province);
        scene.places.push(ScenePlace {
            area: area.clone(),
            owner: number(atlas.table().position.centers[province.index()]),
            ..place_at(&area, "center", (x + 13.5, y - 3.4))
        });
    }
    for coast in province.coasts() {
        scene.places.push(ScenePlace {
            area: area.clone(),
            title: format!("{} coast ({coast})", coast.coast().map_or("", coast_name)),
            ..place_at(coast, "coast", EUROPE.middle(coast))
        });
    }
}

pub(super) fn coast_name(coast: Coast) -> &'static str {
    match coast {
        Coast::North => "north",
        Coast::East => "east",
        Coast::South => "south",
    }
}

fn piece(atlas: &Atlas, unit_here: Unit) -> ScenePiece {
    let power = atlas.power(unit_here.owner);
    let (kind, letter) = match unit_here.kind {
        Kind::Army => ("army", "A"),
        Kind::Fleet => ("fleet", "F"),
    };
    ScenePiece {
        name: unit_here.to_string(),
        place: unit_here.at.to_string(),
        title: format!("{unit_here}, {kind} of {}", power.name),
        label: if atlas.is_in_space() { power.code.clone() } else { letter.into() },
        states: states([(atlas.own() == Some(unit_here.owner), "own")]),
        ..piece_at(kind, unit_here.owner, EUROPE.middle(unit_here.at))
    }
}

/// Adds the armies in orbit, in rows above the map. Returns the number of rows.
fn orbit(scene: &mut Scene, atlas: &Atlas) -> usize {
    let armies = |seat: Seat| u32::from(atlas.table().position.orbit(seat));
    let powers: Vec<_> = atlas.powers.iter().filter(|power| armies(power.seat) > 0).collect();
    let name = Place::Orbit.to_string();
    for (nth, power) in powers.iter().enumerate() {
        let (row, column) = (nth / CRAFT_PER_ROW, nth % CRAFT_PER_ROW);
        let (x, y) = (CRAFT_STEP.0 * to_f64(column), CRAFT_STEP.1 * to_f64(row));
        let count = armies(power.seat);
        scene.pieces.push(ScenePiece {
            name: Named::ORBITING.to_string(),
            place: name.clone(),
            title: format!("Armies of {} in orbit: {count}", power.name),
            count,
            label: power.code.clone(),
            states: states([(atlas.own() == Some(power.seat), "own")]),
            ..piece_at("army", power.seat, (CRAFT_FIRST.0 + x, CRAFT_FIRST.1 - y))
        });
    }
    scene.places.push(ScenePlace {
        title: "The spacecraft of the empires, in orbit".into(),
        ..place_at(&name, "", ORBIT)
    });
    scene.labels.push(SceneLabel {
        full_text: "Orbit".into(),
        offset: 3.5,
        place: name.clone(),
        ..label_at(name, "name", ORBIT)
    });
    powers.len().div_ceil(CRAFT_PER_ROW).max(1)
}
