//! What is built and removed.

use heliopause_diplomacy::{
    Allowance, Kind, Node, Order, Position, Site, Terrain, Unit, allowance, sites,
};

use super::outlook::{Outlook, values};
use super::survey::{Corps, Piece, Survey};
use super::values::Values;

/// How much a threat to a site, or to where a unit stands, adds to its worth.
const THREAT: f64 = 0.25;
/// How much each unit of the same kind takes from the worth of another.
const ALIKE: f64 = 0.15;
/// What an army in orbit is worth, in parts of the best place.
const ORBIT: f64 = 0.3;

/// By rules of thumb.
pub(super) fn likely(survey: &Survey<'_>) -> Vec<Order> {
    let values = Values::new(survey, survey.me);
    let worth = |position: &Position, piece: Piece, builds: bool| {
        let Some(at) = piece.at else { return ORBIT };
        let threat = THREAT * values.threat[at.province().index()].min(4) as f64;
        let place = values.later(piece.kind, at) + threat;
        if !builds {
            return place;
        }
        let alike = position.units_of(survey.me).filter(|unit| unit.kind == piece.kind).count();
        place / (1.0 + ALIKE * alike as f64)
    };
    adjust(survey, worth)
}

/// By what the position is worth with each unit, or without it.
pub(super) fn best(survey: &Survey<'_>) -> Vec<Order> {
    let values = values(survey);
    let outlook = Outlook::new(survey, &values);
    let worth = |position: &Position, piece: Piece, builds: bool| {
        let mut position = position.clone();
        if builds {
            put(&mut position, survey, piece);
            outlook.worth(&position, survey.me)
        } else {
            take(&mut position, survey, piece);
            -outlook.worth(&position, survey.me)
        }
    };
    adjust(survey, worth)
}

/// One after the other: builds that are worth most, removals of what is worth least.
fn adjust(survey: &Survey<'_>, worth: impl Fn(&Position, Piece, bool) -> f64) -> Vec<Order> {
    let mut position = survey.position.clone();
    let mut orders = Vec::new();
    match allowance(&position, survey.me) {
        Allowance::Builds(count) => {
            for _ in 0..count {
                let pieces = buildable(&position, survey)
                    .into_iter()
                    .map(|piece| (worth(&position, piece, true), piece));
                let Some((_, piece)) = pieces.max_by(|(one, _), (other, _)| one.total_cmp(other))
                else {
                    break;
                };
                put(&mut position, survey, piece);
                orders.extend(
                    piece.at.map(|at| Order::Build { unit: Site { kind: Some(piece.kind), at } }),
                );
            }
        }
        Allowance::Removals(count) => {
            for _ in 0..count {
                let pieces = Corps::of(&position, survey.me).pieces.into_iter();
                let pieces = pieces.map(|piece| (worth(&position, piece, false), piece));
                let Some((_, piece)) = pieces.min_by(|(one, _), (other, _)| one.total_cmp(other))
                else {
                    break;
                };
                take(&mut position, survey, piece);
                orders.push(Order::Remove { unit: piece.named() });
            }
        }
    }
    orders
}

/// Every unit that can be built now.
fn buildable(position: &Position, survey: &Survey<'_>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for site in sites(position, survey.me).iter() {
        pieces.push(Piece { kind: Kind::Army, at: Some(site.node()) });
        if site.terrain() == Terrain::Coastal {
            let coasts: Vec<Node> =
                if site.has_two_coasts() { site.coasts().collect() } else { vec![site.node()] };
            pieces.extend(coasts.into_iter().map(|at| Piece { kind: Kind::Fleet, at: Some(at) }));
        }
    }
    pieces
}

fn put(position: &mut Position, survey: &Survey<'_>, piece: Piece) {
    if let Some(at) = piece.at {
        position.put(Unit { owner: survey.me, kind: piece.kind, at });
    }
}

fn take(position: &mut Position, survey: &Survey<'_>, piece: Piece) {
    match piece.province() {
        Some(at) => drop(position.take(at)),
        None => *position.orbit_mut(survey.me) -= 1,
    }
}
