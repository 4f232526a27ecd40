//! Builds the scene of a view from hexes, stars, colonies, ships and destinations.

use heliopause_kernel::Seat;
use heliopause_stellar_conquest::fate::tables::Sector;
use heliopause_stellar_conquest::{Fate, Fleet, Place, Planet, Ship, StarId};

use super::atlas::{Atlas, Group, HexContent, KnownColony, powers};
use super::politics::{self, Ground};
use super::{panels, sectors, words};
use crate::scene::{
    Scene, SceneArea, SceneFrame, SceneGrid, SceneLabel, SceneMember, ScenePath, ScenePiece,
    ScenePlace, SceneSeat, SceneSight, SceneSign, label_at, legend, number, piece_at, place_at,
    points, states, unit,
};
use crate::svg::to_f64;
use crate::text::listed;

/// The distance from the center of a hex to its corners.
pub(super) const RADIUS: f64 = 23.0;
/// The center of hex A1.
const FIRST: Spot = (48.0, 40.0);

pub(super) type Spot = (f64, f64);

pub(super) fn middle(at: Place) -> Spot {
    let (column, row) = (f64::from(at.column()) - 1.0, f64::from(at.row()) - 1.0);
    let lower = if at.column().is_multiple_of(2) { 0.5 } else { 0.0 };
    (FIRST.0 + 1.5 * RADIUS * column, FIRST.1 + 1.732 * RADIUS * (row + lower))
}

pub(super) fn build(atlas: &Atlas) -> Scene {
    let table = &atlas.view.table;
    let (left, width) = (unit(FIRST.0 - RADIUS), 1116.0);
    let mut scene = Scene {
        title: atlas.title.clone(),
        news: atlas.news.clone(),
        frame: Some(SceneFrame { left, top: 0.0, width, height: 885.0, starry: true }),
        hex_radius: unit(RADIUS),
        grid: SceneGrid::Points.into(),
        seats: Seat::first(table.seats()).map(|it| seat(atlas, it)).collect(),
        areas: Place::all().map(|at| area(atlas, at)).collect(),
        places: StarId::ALL.into_iter().map(|star| place(atlas, star)).collect(),
        labels: Place::all().flat_map(heads).collect(),
        panels: panels::all(atlas),
        legend: legend(atlas),
        ..Scene::default()
    };
    scene.labels.extend(StarId::ALL.into_iter().flat_map(|star| names(atlas, star)));
    for (at, content) in &atlas.hex_contents {
        scene.pieces.extend(content.groups.iter().map(|group| ships(atlas, *at, group)));
        scene.pieces.extend(colonies(atlas, *at, content));
        let courses = content.groups.iter().flat_map(|group| courses(*at, group));
        scene.paths.extend(courses);
    }
    for (seat, power) in powers(&atlas.view) {
        let waiting: Vec<Ship> =
            power.ships.iter().filter(|ship| ship.at.is_none()).copied().collect();
        let entry = table.entry(seat).filter(|_| !waiting.is_empty());
        scene.pieces.extend(entry.map(|at| off_board(atlas, seat, at, &waiting)));
    }
    if table.campaign.fate().is_some() {
        scene.paths.push(sectors::path());
        scene.labels.extend(Sector::ALL.map(sectors::label));
    }
    scene
}

fn seat(atlas: &Atlas, seat: Seat) -> SceneSeat {
    let is_enemy = atlas.view.table.campaign.fate().is_some() && seat == Fate::pirates();
    SceneSeat {
        seat: seat.number(),
        name: atlas.name(seat).to_owned(),
        code: seat.number().to_string(),
        color: if is_enemy { "enemy".into() } else { String::new() },
    }
}

fn area(atlas: &Atlas, at: Place) -> SceneArea {
    let (x, y) = middle(at);
    let in_reach = atlas.command.as_ref().is_some_and(|command| command.reaches(at));
    let entry = atlas.view.table.entries.iter().position(|entry| *entry == at).map(Seat::at);
    let mut title = at.to_string();
    if at.is_cloud() {
        title.push_str(", gas and dust");
    }
    if in_reach {
        title.push_str(", in command range");
    }
    if let Some(seat) = entry {
        title.push_str(", entry hex of ");
        title.push_str(atlas.name(seat));
    }
    let sight = if in_reach { SceneSight::Known } else { SceneSight::Stale };
    let lower = i32::from(at.column().is_multiple_of(2));
    SceneArea {
        name: at.to_string(),
        title,
        x: unit(x),
        y: unit(y),
        terrain: if at.is_cloud() { "cloud" } else { "space" }.into(),
        sight: sight.into(),
        owner: number(entry),
        states: states([
            (in_reach, "in-reach"),
            (entry.is_some(), "entry"),
            (entry.is_some(), "owned-edge"),
        ]),
        column: i32::from(at.column()) - 1,
        row: 2 * (i32::from(at.row()) - 1) + lower,
        ..SceneArea::default()
    }
}

fn place(atlas: &Atlas, star: StarId) -> ScenePlace {
    let claim = politics::claim(atlas, star);
    let is = |ground| claim.is_some_and(|(_, it)| it == ground);
    ScenePlace {
        area: star.at().to_string(),
        title: told(atlas, star),
        color: star.color().as_str().into(),
        owner: number(claim.map(|(seat, _)| seat)),
        states: states([
            (atlas.has_explored(star), "explored"),
            (is(Ground::Border), "border"),
            (is(Ground::Contested), "contested"),
        ]),
        ..place_at(star, "star", middle(star.at()))
    }
}

/// Returns the tooltip of a star.
fn told(atlas: &Atlas, star: StarId) -> String {
    let mut told = format!("{star}, a {} star at {}", star.color(), star.at());
    if let Some((seat, _)) = politics::claim(atlas, star) {
        told.push_str(", claimed by ");
        told.push_str(atlas.name(seat));
    }
    let planet = |(nth, planet): (usize, &Planet)| {
        let (kind, room) = (words::planet_type(*planet), planet.capacity);
        format!("planet {}: {kind} for {room}M in orbit {}", nth + 1, planet.orbit)
    };
    let Some(card) = atlas.card(star) else { return told + ", unexplored" };
    if card.planets().is_empty() {
        return told + ", without planets";
    }
    let planets: Vec<String> = card.planets().iter().enumerate().map(planet).collect();
    format!("{told}, {}", planets.join(", "))
}

/// Returns the letters above a hex of the first row, and the number left of a hex of the first
/// column.
fn heads(at: Place) -> Vec<SceneLabel> {
    let (x, y) = middle(at);
    let name = at.to_string();
    let split = name.find(|char: char| char.is_ascii_digit()).unwrap_or(name.len());
    let label = |text: &str, spot: Spot| label_at(text, "coordinates", spot);
    let letters = (at.row() == 1).then(|| label(&name[..split], (x, FIRST.1 - 24.0)));
    let number = (at.column() == 1).then(|| label(&name[split..], (x - 34.0, y + 4.0)));
    letters.into_iter().chain(number).collect()
}

fn names(atlas: &Atlas, star: StarId) -> Vec<SceneLabel> {
    let label = |text: String, kind: &str, color: &str, priority| SceneLabel {
        offset: 12.0,
        free: true,
        color: color.into(),
        priority,
        place: star.to_string(),
        ..label_at(text, kind, middle(star.at()))
    };
    let mut labels = vec![label(star.to_string(), "name", star.color().as_str(), 2)];
    labels.extend(planets(atlas, star).map(|text| label(text, "detail", "", 1)));
    labels
}

/// Describes a star's known planets: "T60 B10*". An asterisk means minerals.
fn planets(atlas: &Atlas, star: StarId) -> Option<String> {
    let planets = atlas.card(star)?.planets();
    if planets.is_empty() {
        return Some("no planets".into());
    }
    let planet = |planet: &Planet| {
        let rich = if planet.mineral_rich { "*" } else { "" };
        format!("{}{}{rich}", planet.kind.letters(), planet.capacity)
    };
    Some(planets.iter().map(planet).collect::<Vec<_>>().join(" "))
}

fn ships(atlas: &Atlas, at: Place, group: &Group) -> ScenePiece {
    let (label, title) = match group.fleet {
        None => ("?".to_owned(), "Ships".to_owned()),
        Some(fleet) => (words::fleet(fleet), words::whole_fleet(fleet)),
    };
    let (old, seen) = match group.age {
        0 => (String::new(), String::new()),
        age => (format!(" ~{age}"), format!(", seen {}", words::age(age))),
    };
    let bound = group.bound.iter();
    let bound: Vec<String> =
        bound.map(|(star, fleet)| format!("{} bound for {star}", words::fleet(*fleet))).collect();
    let bound = if bound.is_empty() { String::new() } else { format!(" ({})", listed(&bound)) };
    ScenePiece {
        place: at.to_string(),
        title: format!("{title} of {}{bound}{seen}", atlas.name(group.seat)),
        count: group.fleet.map_or(0, Fleet::total),
        label: label + &old,
        states: states([(atlas.is_own(group.seat), "own"), (group.age > 0, "old")]),
        members: group.ships.iter().map(member).collect(),
        age: group.age.into(),
        ..piece_at("ships", group.seat, middle(at))
    }
}

fn member(ship: &Ship) -> SceneMember {
    let condition = if ship.halted { "halted" } else { "" };
    SceneMember {
        name: ship.number.to_string(),
        kind: ship.kind().as_str().into(),
        condition: condition.into(),
    }
}

fn off_board(atlas: &Atlas, seat: Seat, at: Place, waiting: &[Ship]) -> ScenePiece {
    let fleet: Fleet = waiting.iter().map(Ship::kind).collect();
    let whose = atlas.name(seat);
    ScenePiece {
        place: at.to_string(),
        title: format!("{} of {whose} off the board", words::whole_fleet(fleet)),
        count: fleet.total(),
        label: format!("waiting: {}", words::fleet(fleet)),
        states: states([(atlas.is_own(seat), "own")]),
        members: waiting.iter().map(member).collect(),
        ..piece_at("waiting", seat, middle(at))
    }
}

fn courses(at: Place, group: &Group) -> impl Iterator<Item = ScenePath> {
    group.bound.iter().map(move |(star, fleet)| {
        let mut ships = group.ships.iter().filter(|ship| ship.destination == Some(*star));
        let only = ships.next().filter(|_| ships.next().is_none());
        ScenePath {
            kind: "course".into(),
            points: points(&[middle(at), middle(star.at())]),
            title: format!("{} at {at}, bound for {star}", words::whole_fleet(*fleet)),
            owner: number(group.seat),
            piece: only.map_or_else(String::new, |ship| ship.number.to_string()),
            origin: at.to_string(),
            destination: star.to_string(),
            ..ScenePath::default()
        }
    })
}

fn colonies(atlas: &Atlas, at: Place, content: &HexContent) -> Vec<ScenePiece> {
    let (x, y) = middle(at);
    let place = StarId::in_hex(at).map_or_else(|| at.to_string(), |star| star.to_string());
    let first = y - 8.5 * (to_f64(content.colonies.len()) - 1.0);
    let colonies = content.colonies.iter().enumerate().map(|(nth, colony)| {
        let spot = (x + 15.0, first + 17.0 * to_f64(nth));
        ScenePiece { place: place.clone(), ..settled(atlas, colony, spot) }
    });
    let posts = content.posts.iter().enumerate().map(|(nth, seat)| ScenePiece {
        place: place.clone(),
        title: format!("Command post of {}", atlas.name(*seat)),
        states: states([(atlas.is_own(*seat), "own")]),
        ..piece_at("post", *seat, (x - 11.0 - 8.0 * to_f64(nth), y + 2.0))
    });
    colonies.chain(posts).collect()
}

fn settled(atlas: &Atlas, colony: &KnownColony, spot: Spot) -> ScenePiece {
    let mut title = format!("Colony of {}", atlas.name(colony.seat));
    if let Some(planet) = colony.planet {
        title = format!("{title} on {}", words::planet(planet));
    }
    if let Some(people) = colony.people {
        title = format!("{title}, {people} million");
    }
    if let Some(by) = colony.conqueror {
        title = format!("{title}, held by {}", atlas.name(by));
    }
    if colony.besieged {
        title.push_str(", besieged");
    }
    if colony.shield {
        title.push_str(", shielded");
    }
    let is_holder = colony.conqueror.is_some_and(|by| atlas.is_own(by));
    ScenePiece {
        name: colony.planet.map_or_else(String::new, words::planet),
        title,
        label: colony.people.map_or_else(|| "?".to_owned(), |people| people.to_string()),
        states: states([
            (atlas.is_own(colony.seat), "own"),
            (is_holder, "held-by-viewer"),
            (colony.besieged, "besieged"),
            (colony.shield, "shielded"),
        ]),
        holder: number(colony.conqueror),
        ..piece_at("colony", colony.seat, spot)
    }
}

fn legend(atlas: &Atlas) -> Vec<SceneSign> {
    let own = atlas.own().map(|(seat, _)| seat);
    let table = &atlas.view.table;
    let reader = own.unwrap_or(Seat::at(0));
    let other = Seat::first(table.seats()).find(|seat| *seat != reader);
    let shows = |part: &str| match part {
        "own" => own.is_some(),
        "others" => own.is_none(),
        "entries" => !table.entries.is_empty(),
        "politics" => table.campaign.politics().is_some(),
        "fate" => table.campaign.fate().is_some(),
        _ => true,
    };
    legend::read(include_str!("legend.txt"), [Some(reader), other], shows)
}
