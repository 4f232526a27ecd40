//! Exploration (chapter 2). The first explorer of a star claims it. Yellow stars have priority,
//! because people multiply on Terran planets.

use heliopause_stellar_conquest::{Place, Planet, PlanetType, ShipKind, StarColor, StarId};

use super::super::explore;
use super::super::moves::Moves;
use super::super::survey::Survey;

/// Value of any claim, which moves the border and opens a route.
const CLAIM: f64 = 3.0;
/// First turn in which blue stars have their full value. Nearly all blue stars have minerals, which
/// would draw people from their homes too early (6.1.1).
const BLUE_STARS_FROM: u8 = 13;
const RIVAL_FACTOR: f64 = 0.4;

pub(super) fn expected_value(colour: StarColor) -> f64 {
    let worth = |planet: &Planet| match (planet.kind, planet.mineral_rich) {
        (PlanetType::Terran, _) => 30.0,
        (PlanetType::SubTerran, _) => 6.0,
        // Minerals drain the people of other planets, and people do not multiply there (6.1.1).
        (_, true) => -1.0,
        (PlanetType::MinimalTerran, false) => 1.0,
        (PlanetType::Barren, false) => 0.0,
    };
    Survey::expected(colour, worth)
}

fn worth(survey: &Survey<'_>, star: StarId) -> f64 {
    let early = star.color() == StarColor::Blue && survey.table.turn < BLUE_STARS_FROM;
    if early { -1.0 } else { expected_value(star.color()) + CLAIM }
}

/// Sends ships first to stars that other powers cannot reach before them.
pub(super) fn race(moves: &mut Moves<'_>) {
    let survey = moves.survey;
    let rivals: Vec<Place> = Place::all().filter(|&at| survey.is_hostile(at)).collect();
    let race = |survey: &Survey<'_>, star: StarId| {
        let nearest = rivals.iter().map(|at| at.distance(star.at())).min().unwrap_or(u8::MAX);
        let late = nearest <= survey.speed;
        worth(survey, star) * if late { RIVAL_FACTOR } else { 1.0 }
    };
    explore::explore(moves, |kind| survey.is_warship(kind), race);
}

pub(super) fn explore(moves: &mut Moves<'_>) {
    explore::explore(moves, |kind| kind == ShipKind::Scout, worth);
}
