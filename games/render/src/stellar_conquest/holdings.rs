//! The panels of colonies, ships, and known planets.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use heliopause_stellar_conquest::{
    Colony, Hold, LegalRoutes, Marker, Place, Planet, PlanetId, PlanetType, Power, Ship, ShipKind,
    ShipNumber, StarId, Watch,
};

use super::atlas::{Atlas, Group};
use super::words;
use crate::scene::{ScenePanel, SceneRow, number, panel, row, states};
use crate::text::count;

impl Atlas {
    /// Returns whether conquered colonies give industry points. In The Fate of Empire, they do not.
    pub(super) fn conquests_produce(&self) -> bool {
        self.view.table.campaign.fate().is_none()
    }
}

pub(super) fn colonies(atlas: &Atlas, power: &Power) -> ScenePanel {
    let held = power.conquered_colonies.iter().map(|prize| (true, &prize.colony));
    let all = power.colonies.iter().map(|colony| (false, colony)).chain(held);
    ScenePanel {
        note: "MB missile base, AMB advanced missile base".into(),
        ..panel(
            "colonies",
            "Your colonies",
            "planet | type | people | #grows | #i.p. | #factories | defense | state",
            all.map(|(is_prize, colony)| colony_row(atlas, power, is_prize, colony)).collect(),
        )
    }
}

fn colony_row(atlas: &Atlas, power: &Power, is_prize: bool, colony: &Colony) -> SceneRow {
    let produces = if is_prize { atlas.conquests_produce() } else { colony.is_free() };
    let output = if produces { colony.output(power.research.owned) } else { 0 };
    let people = if colony.is_dominion() {
        format!("{}M + {}M garrison", colony.subjects, colony.population)
    } else {
        format!("{}M", colony.population)
    };
    let is_lost = !is_prize && !colony.is_free();
    let name = words::planet(colony.planet);
    SceneRow {
        places: vec![colony.planet.star.to_string()],
        pieces: vec![name.clone()],
        states: states([(is_lost || colony.is_besieged(), "bad")]),
        ..row([
            name,
            words::planet_type(colony.world),
            format!("{people} of {}M", colony.world.capacity),
            growth(atlas, colony),
            output.to_string(),
            colony.factories.to_string(),
            defense(colony),
            state(atlas, is_prize, colony),
        ])
    }
}

fn growth(atlas: &Atlas, colony: &Colony) -> String {
    let (least, most) = if atlas.view.table.options.fractional_growth {
        let (certain, remainder, _) = colony.growth_with_fractions();
        (certain, certain + u16::from(remainder > 0))
    } else {
        (colony.growth(), colony.growth())
    };
    match (least, most) {
        (_, 0) => String::new(),
        (least, most) if least == most => format!("+{least}"),
        (least, most) => format!("+{least}-{most}"),
    }
}

fn defense(colony: &Colony) -> String {
    let mut parts = Vec::new();
    for (number, what) in [(colony.bases.missile, "MB"), (colony.bases.advanced, "AMB")] {
        if number > 0 {
            parts.push(format!("{number} {what}"));
        }
    }
    if colony.shield {
        parts.push("shield".into());
    }
    parts.join(", ")
}

fn state(atlas: &Atlas, is_prize: bool, colony: &Colony) -> String {
    let state = match colony.control {
        _ if colony.is_dominion() => "dominion".to_owned(),
        Hold::Free => "free".to_owned(),
        Hold::Besieged => "besieged".to_owned(),
        Hold::Occupied(occupation) if is_prize && occupation.waits => {
            "held by you; produces from the production turn after the next".to_owned()
        }
        Hold::Occupied(_) if is_prize => "held by you".to_owned(),
        Hold::Occupied(occupation) => format!("lost to {}", atlas.name(occupation.by)),
    };
    let watch = match colony.watch {
        Watch::Never => "",
        Watch::Always => ", inspects ships",
        Watch::Ask => ", asks about ships",
    };
    state + watch
}

pub(super) fn ships(atlas: &Atlas, power: &Power) -> ScenePanel {
    let mut groups: BTreeMap<(Option<Place>, Option<StarId>), Vec<&Ship>> = BTreeMap::new();
    for ship in &power.ships {
        groups.entry((ship.at, ship.destination)).or_default().push(ship);
    }
    let entry = atlas.own().and_then(|(seat, _)| atlas.view.table.entry(seat));
    let speed = power.research.owned.speed();
    let rows = groups.iter().map(|((at, destination), ships)| {
        let route = at.zip(*destination).and_then(|(at, star)| {
            LegalRoutes::new(at, &[], speed, 0).to(star.at()).map(|way| way.turns + 1)
        });
        let place = at.map_or_else(|| "off the board".to_owned(), words::place);
        let bound = destination.map(|star| star.to_string());
        let hex = at.or(entry).map(|at| at.to_string());
        SceneRow {
            places: hex.into_iter().chain(bound.clone()).collect(),
            pieces: ships.iter().map(|ship| ship.number.to_string()).collect(),
            ..row([
                place,
                numbered(ships),
                bound.unwrap_or_default(),
                route.map_or_else(String::new, |turns| turns.to_string()),
            ])
        }
    });
    ScenePanel {
        note: format!("{}. Turns: by the fastest route. TF: task force.", words::LETTERS),
        ..panel("ships", "Your ships", "place |  | bound for | #turns", rows.collect())
    }
}

/// Formats ships by type with their numbers, followed by their task forces: "2S #1-2, 1C #7 TF 2".
fn numbered(ships: &[&Ship]) -> String {
    let mut kinds: BTreeMap<Reverse<ShipKind>, Vec<ShipNumber>> = BTreeMap::new();
    for ship in ships {
        kinds.entry(Reverse(ship.kind())).or_default().push(ship.number);
    }
    let kind = |(kind, numbers): (Reverse<ShipKind>, Vec<ShipNumber>)| {
        format!("{}{} {}", numbers.len(), kind.0.letters(), words::numbers(&numbers))
    };
    let kinds: Vec<String> = kinds.into_iter().map(kind).collect();
    let mut markers: Vec<u32> =
        ships.iter().filter_map(|ship| ship.marker).map(Marker::number).collect();
    markers.sort_unstable();
    markers.dedup();
    let markers = markers.iter().map(|marker| format!(" TF {marker}"));
    kinds.join(", ") + &markers.collect::<String>()
}

pub(super) fn others(atlas: &Atlas) -> ScenePanel {
    let all = atlas.hex_contents.iter().flat_map(|(at, content)| {
        content.groups.iter().filter(|group| !atlas.is_own(group.seat)).map(|it| (*at, it))
    });
    let title = if atlas.own().is_some() { "Others' ships" } else { "Ships" };
    ScenePanel {
        note: if atlas.own().is_some() { String::new() } else { format!("{}.", words::LETTERS) },
        ..panel(
            "others",
            title,
            "place | owner |  | seen",
            all.map(|(at, group)| other(atlas, at, group)).collect(),
        )
    }
}

fn other(atlas: &Atlas, at: Place, group: &Group) -> SceneRow {
    let seen = match group.fleet {
        Some(_) => words::age(group.age),
        None => "never".into(),
    };
    SceneRow {
        places: vec![at.to_string()],
        pieces: group.ships.iter().map(|ship| ship.number.to_string()).collect(),
        seat: number(group.seat),
        ..row([
            words::place(at),
            atlas.name(group.seat).to_owned(),
            group.fleet.map_or_else(|| "unknown".into(), words::fleet),
            seen,
        ])
    }
}

pub(super) fn surveyed(atlas: &Atlas, power: &Power) -> ScenePanel {
    let rows = StarId::ALL.into_iter().flat_map(|star| survey(atlas, power, star));
    ScenePanel {
        folded: true,
        ..panel(
            "planets",
            "Planets surveyed",
            "planet | type | #room | #orbit | settled by",
            rows.collect(),
        )
    }
}

fn survey(atlas: &Atlas, power: &Power, star: StarId) -> Vec<SceneRow> {
    let Some(card) = power.chart(star).card else { return Vec::new() };
    let places = vec![star.to_string()];
    if card.planets().is_empty() {
        let cells = vec![star.to_string(), "no planets".to_owned()];
        return vec![SceneRow { cells, places, ..SceneRow::default() }];
    }
    let planet = |(nth, planet): (u8, &Planet)| SceneRow {
        places: places.clone(),
        ..row([
            words::planet(PlanetId { star, nth }),
            words::planet_type(*planet),
            format!("{}M", planet.capacity),
            planet.orbit.to_string(),
            settler(atlas, power, PlanetId { star, nth }),
        ])
    };
    (0..).zip(card.planets()).map(planet).collect()
}

fn settler(atlas: &Atlas, power: &Power, planet: PlanetId) -> String {
    if let Some(colony) = power.colony(planet) {
        return format!("you, {}M", colony.population + colony.subjects);
    }
    let Some(seen) = power.chart(planet.star).colonies[usize::from(planet.nth)] else {
        return String::new();
    };
    let held = seen
        .conqueror
        .map_or_else(String::new, |by| format!(", held by {}", words::whose(atlas, by)));
    let age = words::age(atlas.view.table.turn.saturating_sub(seen.turn));
    format!("{}{held}{}, {age}", atlas.name(seen.owner), words::found_there(&seen))
}

/// Returns the known planets that give victory points (base rule 19.1).
pub(super) fn victory(atlas: &Atlas, power: &Power) -> ScenePanel {
    let points = |kind: PlanetType| match kind {
        PlanetType::Terran => 3,
        PlanetType::SubTerran => 1,
        PlanetType::MinimalTerran | PlanetType::Barren => 0,
    };
    let mut rows = Vec::new();
    let mut sum = 0;
    for star in StarId::ALL {
        let Some(card) = power.chart(star).card else { continue };
        for (nth, planet) in (0..).zip(card.planets()) {
            let id = PlanetId { star, nth };
            let points = points(planet.kind);
            let Some(why) = control(atlas, power, id).filter(|_| points > 0) else { continue };
            sum += points;
            let kind = words::planet_type(*planet);
            let cells = [words::planet(id), kind, why.to_owned(), points.to_string()];
            rows.push(SceneRow { places: vec![star.to_string()], ..row(cells) });
        }
    }
    ScenePanel {
        note: format!("{} if the game ended now, as far as you know.", count(sum, "point")),
        folded: true,
        ..panel("goals", "Victory points", "planet | type | because of | #points", rows)
    }
}

/// Returns the reason why the viewer controls a planet (19.2), if known.
fn control(atlas: &Atlas, power: &Power, planet: PlanetId) -> Option<&'static str> {
    let at = planet.star.at();
    if power.colony(planet).is_some_and(Colony::is_free) {
        return Some("your colony");
    }
    if power.prize(planet).is_some() {
        return Some("your conquest");
    }
    let settled = power.colony(planet).is_some()
        || power.chart(planet.star).colonies[usize::from(planet.nth)].is_some();
    if settled {
        return None;
    }
    let content = atlas.hex_contents.get(&at);
    if power.ships_at(at).next().is_some() {
        return Some("your ships");
    }
    let enemies =
        content.is_some_and(|content| content.groups.iter().any(|it| !atlas.is_own(it.seat)));
    let neighbor = power.colonies_of(planet.star).next().is_some();
    (neighbor && !enemies).then_some("your colony beside it")
}
