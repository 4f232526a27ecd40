//! Fields: sectors near each other, whose ships share a sentence.

use std::collections::{BTreeMap, BTreeSet};

use super::Teller;
use crate::geometry::Coord;

/// An empire has so many fields at most. They are as narrow as that allows: of a small empire each
/// sector is one, so that all of its ships reach all of its goals; of a large one there are not as
/// many sentences as sectors.
const FIELDS_MAX: usize = 6;

/// So many sectors within reach are listed; if there are more, those where something is.
const SECTORS_LISTED: usize = 200;

/// Sectors near each other with ships that can move.
pub(super) struct Field {
    /// Per sector the ships, by their places among the own ones.
    pub fleets: Vec<(Coord, Vec<usize>)>,
    /// Where some of them can go.
    pub goals: Vec<Coord>,
}

/// Ships of one sector that can move, by their places among the own ones, and how far the best of
/// them can.
struct Fleet {
    at: Coord,
    ships: Vec<usize>,
    range: u16,
}

/// The fields of an empire, and the places within reach that are worth going to.
pub(super) fn fields(teller: &Teller<'_>) -> Vec<Field> {
    let fleets = fleets(teller);
    let goals = goals(teller, &fleets);
    let field = |fleets: Vec<Fleet>| {
        let near = |fleet: &Fleet, goal: Coord| {
            (1..=u32::from(fleet.range)).contains(&fleet.at.distance(goal))
        };
        let is_near = |goal: &Coord| fleets.iter().any(|fleet| near(fleet, *goal));
        let goals = goals.iter().copied().filter(is_near).collect();
        Field { goals, fleets: fleets.into_iter().map(|fleet| (fleet.at, fleet.ships)).collect() }
    };
    let fields = divided(fleets).into_iter().map(field);
    fields.filter(|field| !field.goals.is_empty()).collect()
}

fn fleets(teller: &Teller<'_>) -> Vec<Fleet> {
    let knows = teller.knows;
    let engines = |index: &usize| knows.engines_when_moving(&knows.ships[*index]);
    let fleet = |(&at, here): (&Coord, &Vec<usize>)| {
        let moves = |index: &usize| !knows.ships[*index].is_loaded() && engines(index) > 0;
        let ships: Vec<usize> = here.iter().copied().filter(moves).collect();
        let range = ships.iter().map(engines).max()?;
        Some(Fleet { at, ships, range })
    };
    teller.fleets.iter().filter_map(fleet).collect()
}

/// Fleets by field.
fn divided(fleets: Vec<Fleet>) -> Vec<Vec<Fleet>> {
    let field = |at: Coord, width: i32| {
        (i32::from(at.o).div_euclid(width), i32::from(at.y).div_euclid(width))
    };
    let count =
        |width| fleets.iter().map(|fleet| field(fleet.at, width)).collect::<BTreeSet<_>>().len();
    // The widest fields are a quarter of all coordinates, and there are four.
    let width = (0..=15)
        .map(|power| 1 << power)
        .find(|&width| count(width) <= FIELDS_MAX)
        .unwrap_or(1 << 15);
    let mut fields: BTreeMap<(i32, i32), Vec<Fleet>> = BTreeMap::new();
    for fleet in fleets {
        fields.entry(field(fleet.at, width)).or_default().push(fleet);
    }
    fields.into_values().collect()
}

/// So far at most are all sectors within reach looked at.
const RANGE_LISTED: u16 = 30;

/// All sectors within reach, or those where something is.
fn goals(teller: &Teller<'_>, fleets: &[Fleet]) -> Vec<Coord> {
    let mut all = BTreeSet::new();
    for fleet in fleets {
        if fleet.range > RANGE_LISTED || all.len() > SECTORS_LISTED {
            return sights(teller);
        }
        all.extend(around(fleet.at, fleet.range));
    }
    if all.len() > SECTORS_LISTED { sights(teller) } else { all.into_iter().collect() }
}

fn around(at: Coord, range: u16) -> impl Iterator<Item = Coord> {
    let range = range.cast_signed();
    let near = move |at: i16| at.saturating_sub(range)..=at.saturating_add(range);
    let all = near(at.o).flat_map(move |o| near(at.y).map(move |y| Coord::new(o, y)));
    all.filter(move |other| at.distance(*other) <= u32::from(range.cast_unsigned()))
}

/// Where there is anything on the map.
fn sights(teller: &Teller<'_>) -> Vec<Coord> {
    let chart = teller.knows.chart;
    let foreign = chart.ships.iter().map(|row| row.at).chain(chart.fleets.iter().map(|row| row.at));
    let places =
        teller.landmarks.keys().copied().chain(teller.fleets.keys().copied()).chain(foreign);
    places.collect::<BTreeSet<Coord>>().into_iter().collect()
}
