//! Seats, places, units and other small vocabulary.

use heliopause_kernel::{Malformed, Seat, SeatSet};
use heliopause_proto::diplomacy::v1 as proto;

use super::{need, within, wrong};
use crate::board::{Node, Province, Provinces};
use crate::order::{Named, Place};
use crate::position::{Kind, Unit};
use crate::table::Phase;

pub(super) fn read_seat(number: u32, field: &str) -> Result<Seat, Malformed> {
    match Seat::numbered(number) {
        Some(seat) => Ok(seat),
        None => wrong(field, "there is no such seat"),
    }
}

/// A seat, or 0 for nobody.
pub(super) fn read_seat_if(number: u32, field: &str) -> Result<Option<Seat>, Malformed> {
    if number == 0 { Ok(None) } else { read_seat(number, field).map(Some) }
}

pub(super) fn write_seat_if(seat: Option<Seat>) -> u32 {
    seat.map_or(0, Seat::number)
}

pub(super) fn read_seats(numbers: &[u32], field: &str) -> Result<SeatSet, Malformed> {
    numbers.iter().map(|&number| read_seat(number, field)).collect()
}

pub(super) fn write_seats(seats: SeatSet) -> Vec<u32> {
    seats.iter().map(Seat::number).collect()
}

pub(super) fn read_province(text: &str, field: &str) -> Result<Province, Malformed> {
    match Province::read(text) {
        Some(province) => Ok(province),
        None => wrong(field, "expected the three letters of a province, such as Par or NTH"),
    }
}

/// A province, or none for an empty text.
pub(super) fn read_province_if(text: &str, field: &str) -> Result<Option<Province>, Malformed> {
    if text.is_empty() { Ok(None) } else { read_province(text, field).map(Some) }
}

pub(super) fn write_province_if(province: Option<Province>) -> String {
    province.map_or_else(String::new, |province| province.to_string())
}

pub(super) fn read_provinces(texts: &[String], field: &str) -> Result<Provinces, Malformed> {
    texts.iter().map(|text| read_province(text, field)).collect()
}

pub(super) fn write_provinces(provinces: Provinces) -> Vec<String> {
    provinces.iter().map(|province| province.to_string()).collect()
}

pub(super) fn read_node(text: &str, field: &str) -> Result<Node, Malformed> {
    match Node::read(text) {
        Some(node) => Ok(node),
        None => wrong(field, "expected a province or a coast, such as Par, NTH or Spa/nc"),
    }
}

pub(super) fn read_place(text: &str, field: &str) -> Result<Place, Malformed> {
    if text.eq_ignore_ascii_case("ORB") {
        return Ok(Place::Orbit);
    }
    read_node(text, field).map(Place::Earth)
}

/// A place, or none for an empty text.
pub(super) fn read_place_if(text: &str, field: &str) -> Result<Option<Place>, Malformed> {
    if text.is_empty() { Ok(None) } else { read_place(text, field).map(Some) }
}

pub(super) fn read_kind_if(kind: i32, field: &str) -> Result<Option<Kind>, Malformed> {
    match proto::UnitKind::try_from(kind) {
        Ok(proto::UnitKind::Unspecified) => Ok(None),
        Ok(proto::UnitKind::Army) => Ok(Some(Kind::Army)),
        Ok(proto::UnitKind::Fleet) => Ok(Some(Kind::Fleet)),
        Err(_) => wrong(field, "there is no such kind of unit"),
    }
}

pub(super) fn write_kind(kind: Option<Kind>) -> i32 {
    match kind {
        None => proto::UnitKind::Unspecified,
        Some(Kind::Army) => proto::UnitKind::Army,
        Some(Kind::Fleet) => proto::UnitKind::Fleet,
    }
    .into()
}

/// A unit as an order names it.
pub(super) fn read_named(unit: Option<&proto::Unit>, field: &str) -> Result<Named, Malformed> {
    let unit = need(unit, field)?;
    let read = || Ok(Named { kind: read_kind_if(unit.kind, "kind")?, at: read_place(&unit.at, "at")? });
    within(field, read())
}

pub(super) fn write_named(unit: Named) -> proto::Unit {
    proto::Unit { kind: write_kind(unit.kind), at: unit.at.to_string() }
}

/// What a unit is, and where it is: both are needed.
pub(super) fn read_piece(unit: Option<&proto::Unit>, field: &str) -> Result<(Kind, Place), Malformed> {
    let named = read_named(unit, field)?;
    match named.kind {
        Some(kind) => Ok((kind, named.at)),
        None => wrong(&format!("{field}.kind"), "say whether it is an army or a fleet"),
    }
}

/// A unit on the map, where it can stand.
pub(super) fn read_unit(owner: Seat, unit: Option<&proto::Unit>, field: &str) -> Result<Unit, Malformed> {
    match read_piece(unit, field)? {
        (kind, Place::Earth(at)) if kind.can_stand(at) => Ok(Unit { owner, kind, at }),
        _ => wrong(&format!("{field}.at"), "such a unit cannot stand there"),
    }
}

pub(super) fn write_unit(unit: Unit) -> proto::Unit {
    write_named(Named::from(unit))
}

pub(super) fn read_owned(owned: Option<&proto::OwnedUnit>, field: &str) -> Result<Unit, Malformed> {
    let owned = need(owned, field)?;
    within(field, read_seat(owned.seat, "seat").and_then(|seat| read_unit(seat, owned.unit.as_ref(), "unit")))
}

pub(super) fn write_owned(unit: Unit) -> proto::OwnedUnit {
    proto::OwnedUnit { seat: unit.owner.number(), unit: Some(write_unit(unit)) }
}

pub(super) fn read_phase(phase: i32, field: &str) -> Result<Phase, Malformed> {
    match proto::Phase::try_from(phase) {
        Ok(proto::Phase::Unspecified | proto::Phase::SpringMovement) => Ok(Phase::SpringMovement),
        Ok(proto::Phase::SpringRetreat) => Ok(Phase::SpringRetreat),
        Ok(proto::Phase::FallMovement) => Ok(Phase::FallMovement),
        Ok(proto::Phase::FallRetreat) => Ok(Phase::FallRetreat),
        Ok(proto::Phase::Winter) => Ok(Phase::Winter),
        Err(_) => wrong(field, "there is no such phase"),
    }
}

pub(super) fn write_phase(phase: Phase) -> i32 {
    match phase {
        Phase::SpringMovement => proto::Phase::SpringMovement,
        Phase::SpringRetreat => proto::Phase::SpringRetreat,
        Phase::FallMovement => proto::Phase::FallMovement,
        Phase::FallRetreat => proto::Phase::FallRetreat,
        Phase::Winter => proto::Phase::Winter,
    }
    .into()
}

pub(super) fn read_small<N: TryFrom<u32>>(number: u32, field: &str) -> Result<N, Malformed> {
    match N::try_from(number) {
        Ok(number) => Ok(number),
        Err(_) => wrong(field, "the number is too large"),
    }
}
