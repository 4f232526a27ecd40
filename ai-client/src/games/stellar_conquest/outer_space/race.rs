//! Chapter 2: who explores a star first claims it, and keeps it. Yellow stars come first: people
//! multiply on Terran planets, and whoever finds some early outgrows all others.

use heliopause_stellar_conquest::{Colour, Place, Planet, PlanetType, ShipKind, StarId};

use super::super::explore;
use super::super::moves::Moves;
use super::super::survey::Survey;

/// What a claim is worth whatever it holds: it moves the border, and opens a way.
const CLAIM: f64 = 3.0;
/// Before this turn nobody looks for minerals, which nearly every blue star has: people would have
/// to leave their homes for them by decree (6.1.1) while they are still few.
const MINERALS: u8 = 13;
/// How much is left of a star's worth if others are so near that they may come first.
const LATE: f64 = 0.4;

/// What an unexplored star promises to a power that looks for homes.
pub(super) fn promise(colour: Colour) -> f64 {
    let worth = |planet: &Planet| match (planet.kind, planet.mineral_rich) {
        (PlanetType::Terran, _) => 30.0,
        (PlanetType::SubTerran, _) => 6.0,
        // 6.1.1: minerals drain the people of other planets, and nobody multiplies there.
        (_, true) => -1.0,
        (PlanetType::MinimalTerran, false) => 1.0,
        (PlanetType::Barren, false) => 0.0,
    };
    Survey::expected(colour, worth)
}

/// The star itself counts too, whatever is found there.
fn worth(survey: &Survey<'_>, star: StarId) -> f64 {
    let early = star.colour() == Colour::Blue && survey.table.turn < MINERALS;
    if early { -1.0 } else { promise(star.colour()) + CLAIM }
}

/// Every ship goes by itself, where others do not come first.
pub(super) fn race(moves: &mut Moves<'_>) {
    let survey = moves.survey;
    let rivals: Vec<Place> = Place::all().filter(|&at| survey.is_hostile(at)).collect();
    let race = |survey: &Survey<'_>, star: StarId| {
        let nearest = rivals.iter().map(|at| at.distance(star.at())).min().unwrap_or(u8::MAX);
        let late = nearest <= survey.speed;
        worth(survey, star) * if late { LATE } else { 1.0 }
    };
    explore::explore(moves, |kind| survey.is_warship(kind), race);
}

/// Scouts go to the stars that promise most.
pub(super) fn explore(moves: &mut Moves<'_>) {
    explore::explore(moves, |kind| kind == ShipKind::Scout, worth);
}
