//! Builds and removals in winter.

use heliopause_diplomacy::{
    Allowance, Kind, Node, Order, Position, Site, Terrain, Unit, allowance, sites,
};

use super::evaluation::{Evaluation, values};
use super::survey::{Forces, Piece, Survey};
use super::values::Values;

const THREAT: f64 = 0.25;
/// Reduces the value of a build for each existing unit of the same kind.
const SAME_KIND: f64 = 0.15;
const ORBIT: f64 = 0.3;

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
        place / (1.0 + SAME_KIND * alike as f64)
    };
    adjust(survey, worth)
}

pub(super) fn best(survey: &Survey<'_>) -> Vec<Order> {
    let values = values(survey);
    let evaluation = Evaluation::new(survey, &values);
    let worth = |position: &Position, piece: Piece, builds: bool| {
        let mut position = position.clone();
        if builds {
            put(&mut position, survey, piece);
            evaluation.worth(&position, survey.me)
        } else {
            take(&mut position, survey, piece);
            -evaluation.worth(&position, survey.me)
        }
    };
    adjust(survey, worth)
}

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
                let pieces = Forces::of(&position, survey.me).pieces.into_iter();
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
