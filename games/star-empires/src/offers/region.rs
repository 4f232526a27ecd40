//! Groups of nearby sectors whose ships share one offer.

use std::collections::{BTreeMap, BTreeSet};

use super::OfferBuilder;
use crate::geometry::Coord;

/// Maximum number of regions per empire. Regions are as small as this limit allows. A small empire
/// has one region for each sector with ships. In a large empire, a region covers many such sectors.
const REGIONS_MAX: usize = 6;

/// Maximum number of reachable sectors to list. Above this number, only nonempty sectors are
/// listed. Sectors that the empire has never seen are not on its board, so they are not listed.
const SECTORS_LISTED: usize = 200;

/// Nearby sectors with ships that can move.
pub(super) struct Region {
    pub fleets: Vec<(Coord, Vec<usize>)>,
    /// Sectors that some of the ships can reach.
    pub goals: Vec<Coord>,
}

struct Fleet {
    at: Coord,
    ships: Vec<usize>,
    range: u16,
}

pub(super) fn regions(builder: &OfferBuilder<'_>) -> Vec<Region> {
    let fleets = fleets(builder);
    let goals = goals(builder, &fleets);
    let region = |fleets: Vec<Fleet>| {
        let near = |fleet: &Fleet, goal: Coord| {
            (1..=u32::from(fleet.range)).contains(&fleet.at.distance(goal))
        };
        let is_near = |goal: &Coord| fleets.iter().any(|fleet| near(fleet, *goal));
        let goals = goals.iter().copied().filter(is_near).collect();
        Region { goals, fleets: fleets.into_iter().map(|fleet| (fleet.at, fleet.ships)).collect() }
    };
    let regions = group_by_region(fleets).into_iter().map(region);
    regions.filter(|region| !region.goals.is_empty()).collect()
}

fn fleets(builder: &OfferBuilder<'_>) -> Vec<Fleet> {
    let lookup = builder.lookup;
    let engines = |index: &usize| lookup.engines_after_repair(&lookup.ships[*index]);
    let fleet = |(&at, here): (&Coord, &Vec<usize>)| {
        let moves = |index: &usize| !lookup.ships[*index].is_loaded() && engines(index) > 0;
        let ships: Vec<usize> = here.iter().copied().filter(moves).collect();
        let range = ships.iter().map(engines).max()?;
        Some(Fleet { at, ships, range })
    };
    builder.fleets.iter().filter_map(fleet).collect()
}

fn group_by_region(fleets: Vec<Fleet>) -> Vec<Vec<Fleet>> {
    let region = |at: Coord, width: i32| {
        (i32::from(at.o).div_euclid(width), i32::from(at.y).div_euclid(width))
    };
    let count =
        |width| fleets.iter().map(|fleet| region(fleet.at, width)).collect::<BTreeSet<_>>().len();
    // At the greatest width there are only four regions.
    let width = (0..=15)
        .map(|power| 1 << power)
        .find(|&width| count(width) <= REGIONS_MAX)
        .unwrap_or(1 << 15);
    let mut regions: BTreeMap<(i32, i32), Vec<Fleet>> = BTreeMap::new();
    for fleet in fleets {
        regions.entry(region(fleet.at, width)).or_default().push(fleet);
    }
    regions.into_values().collect()
}

/// Maximum range of fleets for which all reachable sectors are enumerated.
const RANGE_LISTED: u16 = 30;

fn goals(builder: &OfferBuilder<'_>, fleets: &[Fleet]) -> Vec<Coord> {
    let mut all = BTreeSet::new();
    let sectors = builder.lookup.chart.sectors.iter().map(|row| row.at);
    let seen: BTreeSet<Coord> = sectors.chain(builder.landmarks.keys().copied()).collect();
    for fleet in fleets {
        if fleet.range > RANGE_LISTED || all.len() > SECTORS_LISTED {
            return places_of_interest(builder);
        }
        all.extend(around(fleet.at, fleet.range).filter(|at| seen.contains(at)));
    }
    if all.len() > SECTORS_LISTED { places_of_interest(builder) } else { all.into_iter().collect() }
}

fn around(at: Coord, range: u16) -> impl Iterator<Item = Coord> {
    let range = range.cast_signed();
    let near = move |at: i16| at.saturating_sub(range)..=at.saturating_add(range);
    let all = near(at.o).flat_map(move |o| near(at.y).map(move |y| Coord::new(o, y)));
    all.filter(move |other| at.distance(*other) <= u32::from(range.cast_unsigned()))
}

fn places_of_interest(builder: &OfferBuilder<'_>) -> Vec<Coord> {
    let chart = builder.lookup.chart;
    let foreign = chart.ships.iter().map(|row| row.at).chain(chart.fleets.iter().map(|row| row.at));
    let places =
        builder.landmarks.keys().copied().chain(builder.fleets.keys().copied()).chain(foreign);
    places.collect::<BTreeSet<Coord>>().into_iter().collect()
}
