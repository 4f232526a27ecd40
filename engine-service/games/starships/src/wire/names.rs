//! Hexes, seats, pieces and other small vocabulary.

use heliopause_kernel::{Hex, Malformed, Seat};
use heliopause_proto::starships_at_large::v1 as proto;

use super::wrong;
use crate::board::{Place, Places};
use crate::markers::Marker;
use crate::order::{Agreement, Means, Promise};
use crate::pieces::{BaseId, BaseNumber, Piece, Serial, ShipId, Target};
use crate::table::MOST_PLAYERS;

pub(super) fn write_place(at: Place) -> proto::Hex {
    let hex = at.hex();
    proto::Hex { q: i32::from(hex.q), r: i32::from(hex.r) }
}

pub(super) fn read_place(hex: Option<&proto::Hex>, field: &str) -> Result<Place, Malformed> {
    let hex = Malformed::need(hex, field)?;
    let place = match (i16::try_from(hex.q), i16::try_from(hex.r)) {
        (Ok(q), Ok(r)) => Place::new(Hex::new(q, r)),
        _ => None,
    };
    match place {
        Some(place) => Ok(place),
        None => wrong(field, "the hex is not on the board"),
    }
}

/// A place that may be absent.
pub(super) fn read_place_if(hex: Option<&proto::Hex>, field: &str) -> Result<Option<Place>, Malformed> {
    hex.map(|hex| read_place(Some(hex), field)).transpose()
}

pub(super) fn write_places(places: Places) -> Vec<proto::Hex> {
    places.iter().map(write_place).collect()
}

pub(super) fn read_places(hexes: &[proto::Hex], field: &str) -> Result<Places, Malformed> {
    hexes.iter().map(|hex| read_place(Some(hex), field)).collect::<Result<Places, Malformed>>()
}

pub(super) fn write_seat(seat: Seat) -> u32 {
    seat.number()
}

pub(super) fn write_seat_if(seat: Option<Seat>) -> u32 {
    seat.map_or(0, Seat::number)
}

/// A seat at this table, the Death Star's included.
pub(super) fn read_seat(number: u32, field: &str) -> Result<Seat, Malformed> {
    match Seat::numbered(number) {
        Some(seat) if seat.index() <= MOST_PLAYERS => Ok(seat),
        _ => wrong(field, "there is no such seat"),
    }
}

/// A player's seat.
pub(super) fn read_player(number: u32, field: &str) -> Result<Seat, Malformed> {
    match Seat::numbered(number) {
        Some(seat) if seat.index() < MOST_PLAYERS => Ok(seat),
        _ => wrong(field, "there is no such player"),
    }
}

pub(super) fn read_player_if(number: u32, field: &str) -> Result<Option<Seat>, Malformed> {
    if number == 0 { Ok(None) } else { read_player(number, field).map(Some) }
}

pub(super) fn read_u8(number: u32, field: &str) -> Result<u8, Malformed> {
    match u8::try_from(number) {
        Ok(number) => Ok(number),
        Err(_) => wrong(field, "the number is too large"),
    }
}

/// A die, or 0 for none.
pub(super) fn read_die_if(number: u32, field: &str) -> Result<Option<u8>, Malformed> {
    if number == 0 { Ok(None) } else { read_die(number, field).map(Some) }
}

pub(super) fn read_die(number: u32, field: &str) -> Result<u8, Malformed> {
    if (1..=6).contains(&number) { read_u8(number, field) } else { wrong(field, "a die shows 1 to 6") }
}

/// A base's number; 0 is the first.
pub(super) fn read_base_number(number: u32, field: &str) -> Result<BaseNumber, Malformed> {
    match number {
        0 | 1 => Ok(BaseNumber::First),
        2 => Ok(BaseNumber::Second),
        _ => wrong(field, "a base has the number 1 or 2"),
    }
}

pub(super) fn write_piece(piece: Piece) -> proto::Piece {
    let kind = match piece {
        Piece::Ship(id) => proto::piece::Kind::Starship(u32::from(id.serial.0)),
        Piece::Base(id) => proto::piece::Kind::Base(u32::from(id.number.number())),
    };
    proto::Piece { owner: piece.owner().number(), kind: Some(kind) }
}

pub(super) fn read_piece(piece: Option<&proto::Piece>, field: &str) -> Result<Piece, Malformed> {
    let piece = Malformed::need(piece, field)?;
    let owner = read_player(piece.owner, field)?;
    match piece.kind {
        Some(proto::piece::Kind::Starship(serial)) => match u16::try_from(serial) {
            Ok(serial) => Ok(Piece::Ship(ShipId { owner, serial: Serial(serial) })),
            Err(_) => wrong(field, "there is no such serial"),
        },
        Some(proto::piece::Kind::Base(number)) => {
            Ok(Piece::Base(BaseId { owner, number: read_base_number(number, field)? }))
        }
        None => wrong(field, "name a starship or a base"),
    }
}

pub(super) fn write_ship(ship: ShipId) -> proto::Piece {
    write_piece(Piece::Ship(ship))
}

pub(super) fn read_ship(piece: Option<&proto::Piece>, field: &str) -> Result<ShipId, Malformed> {
    match read_piece(piece, field)? {
        Piece::Ship(ship) => Ok(ship),
        Piece::Base(_) => wrong(field, "name a starship"),
    }
}

pub(super) fn read_base(piece: Option<&proto::Piece>, field: &str) -> Result<BaseId, Malformed> {
    match read_piece(piece, field)? {
        Piece::Base(base) => Ok(base),
        Piece::Ship(_) => wrong(field, "name a base"),
    }
}

pub(super) fn write_target(target: Target) -> proto::Target {
    let kind = match target {
        Target::Piece(piece) => proto::target::Kind::Piece(write_piece(piece)),
        Target::DeathStar => proto::target::Kind::DeathStar(proto::DeathStarTarget {}),
    };
    proto::Target { kind: Some(kind) }
}

pub(super) fn read_target(target: Option<&proto::Target>, field: &str) -> Result<Target, Malformed> {
    match &Malformed::need(target, field)?.kind {
        Some(proto::target::Kind::Piece(piece)) => read_piece(Some(piece), field).map(Target::Piece),
        Some(proto::target::Kind::DeathStar(_)) => Ok(Target::DeathStar),
        None => wrong(field, "name a piece or the Death Star"),
    }
}

pub(super) fn write_marker(marker: Marker) -> i32 {
    let marker = match marker {
        Marker::Earth => proto::Marker::Earth,
        Marker::DeathStar => proto::Marker::DeathStar,
        Marker::Friendly => proto::Marker::Friendly,
        Marker::Unfriendly => proto::Marker::Unfriendly,
        Marker::Dead => proto::Marker::Dead,
        Marker::Asteroids => proto::Marker::Asteroids,
        Marker::Empty => proto::Marker::Empty,
        Marker::Destroyed => proto::Marker::Destroyed,
    };
    marker.into()
}

/// A marker; `None` if it is not given.
pub(super) fn read_marker_if(number: i32, field: &str) -> Result<Option<Marker>, Malformed> {
    match proto::Marker::try_from(number) {
        Ok(proto::Marker::Unspecified) => Ok(None),
        Ok(proto::Marker::Earth) => Ok(Some(Marker::Earth)),
        Ok(proto::Marker::DeathStar) => Ok(Some(Marker::DeathStar)),
        Ok(proto::Marker::Friendly) => Ok(Some(Marker::Friendly)),
        Ok(proto::Marker::Unfriendly) => Ok(Some(Marker::Unfriendly)),
        Ok(proto::Marker::Dead) => Ok(Some(Marker::Dead)),
        Ok(proto::Marker::Asteroids) => Ok(Some(Marker::Asteroids)),
        Ok(proto::Marker::Empty) => Ok(Some(Marker::Empty)),
        Ok(proto::Marker::Destroyed) => Ok(Some(Marker::Destroyed)),
        Err(_) => wrong(field, "there is no such marker"),
    }
}

pub(super) fn read_marker(number: i32, field: &str) -> Result<Marker, Malformed> {
    match read_marker_if(number, field)? {
        Some(marker) => Ok(marker),
        None => wrong(field, "name the marker"),
    }
}

pub(super) fn write_means(means: Means) -> i32 {
    match means {
        Means::Diplomacy => proto::Means::Diplomacy.into(),
        Means::Force => proto::Means::Force.into(),
    }
}

pub(super) fn read_means(number: i32, field: &str) -> Result<Means, Malformed> {
    match proto::Means::try_from(number) {
        Ok(proto::Means::Diplomacy) => Ok(Means::Diplomacy),
        Ok(proto::Means::Force) => Ok(Means::Force),
        _ => wrong(field, "say diplomacy or force"),
    }
}

pub(super) fn write_agreement(agreement: Agreement) -> i32 {
    match agreement {
        Agreement::Peace => proto::Agreement::Peace.into(),
        Agreement::Partnership => proto::Agreement::Partnership.into(),
    }
}

pub(super) fn read_agreement(number: i32, field: &str) -> Result<Agreement, Malformed> {
    match proto::Agreement::try_from(number) {
        Ok(proto::Agreement::Peace) => Ok(Agreement::Peace),
        Ok(proto::Agreement::Partnership) => Ok(Agreement::Partnership),
        _ => wrong(field, "say peace or partnership"),
    }
}

pub(super) fn write_promise(promise: Promise) -> proto::Promise {
    use proto::promise::Kind;
    let kind = match promise {
        Promise::NoAttack => Kind::NoAttack(proto::NoAttack {}),
        Promise::GivePlanet(at) => Kind::GivePlanet(write_place(at)),
        Promise::KeepOut(at) => Kind::KeepOut(write_place(at)),
        Promise::NoExileVote => Kind::NoExileVote(proto::NoExileVote {}),
    };
    proto::Promise { kind: Some(kind) }
}

pub(super) fn read_promise(promise: Option<&proto::Promise>, field: &str) -> Result<Promise, Malformed> {
    use proto::promise::Kind;
    match &Malformed::need(promise, field)?.kind {
        Some(Kind::NoAttack(_)) => Ok(Promise::NoAttack),
        Some(Kind::GivePlanet(at)) => read_place(Some(at), field).map(Promise::GivePlanet),
        Some(Kind::KeepOut(at)) => read_place(Some(at), field).map(Promise::KeepOut),
        Some(Kind::NoExileVote(_)) => Ok(Promise::NoExileVote),
        None => wrong(field, "say what is promised"),
    }
}
