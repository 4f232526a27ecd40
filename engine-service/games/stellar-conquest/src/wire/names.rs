//! Hexes, stars, planets, seats, numbers and words.

use std::fmt;

use heliopause_kernel::{Malformed, Seat, SeatSet};
use heliopause_proto::stellar_conquest::v1 as proto;

use super::{ROWS_MAX, field, list, need, wrong};
use crate::battle::UnitId;
use crate::board::Place;
use crate::cards::{PLANETS_MAX, PlanetId};
use crate::ship::ShipNumber;
use crate::stars::StarId;
use crate::technology::Tech;

/// The most seats of any variant, automated ones included.
pub(super) const SEATS_MAX: usize = 4;

pub(super) fn read_place(name: &str) -> Result<Place, Malformed> {
    name.parse().or_else(|fault: crate::board::NoSuchPlace| wrong(fault.to_string()))
}

pub(super) fn read_star(name: &str) -> Result<StarId, Malformed> {
    name.parse().or_else(|fault: crate::stars::NoSuchStar| wrong(fault.to_string()))
}

/// A hex; none if the name is empty.
pub(super) fn read_place_if(name: &str) -> Result<Option<Place>, Malformed> {
    if name.is_empty() { Ok(None) } else { read_place(name).map(Some) }
}

/// A star; none if the name is empty.
pub(super) fn read_star_if(name: &str) -> Result<Option<StarId>, Malformed> {
    if name.is_empty() { Ok(None) } else { read_star(name).map(Some) }
}

pub(super) fn read_places(name: &str, places: &[String]) -> Result<Vec<Place>, Malformed> {
    list(name, places, ROWS_MAX, |place| read_place(place))
}

pub(super) fn read_stars(name: &str, stars: &[String]) -> Result<Vec<StarId>, Malformed> {
    list(name, stars, ROWS_MAX, |star| read_star(star))
}

/// The name of something that may be absent.
pub(super) fn write_if(name: Option<impl fmt::Display>) -> String {
    name.map_or_else(String::new, |name| name.to_string())
}

pub(super) fn write_names(names: &[impl fmt::Display]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

pub(super) fn read_seat(number: u32) -> Result<Seat, Malformed> {
    match Seat::numbered(number) {
        Some(seat) if seat.index() < SEATS_MAX => Ok(seat),
        _ => wrong("there is no such seat"),
    }
}

pub(super) fn read_seat_if(number: u32) -> Result<Option<Seat>, Malformed> {
    if number == 0 { Ok(None) } else { read_seat(number).map(Some) }
}

pub(super) fn write_seat_if(seat: Option<Seat>) -> u32 {
    seat.map_or(0, Seat::number)
}

pub(super) fn read_seats(name: &str, numbers: &[u32]) -> Result<Vec<Seat>, Malformed> {
    list(name, numbers, SEATS_MAX, |&number| read_seat(number))
}

pub(super) fn read_seat_set(name: &str, numbers: &[u32]) -> Result<SeatSet, Malformed> {
    read_seats(name, numbers).map(|seats| seats.into_iter().collect())
}

pub(super) fn write_seat_set(seats: SeatSet) -> Vec<u32> {
    seats.iter().map(Seat::number).collect()
}

/// A number of a narrower type.
pub(super) fn narrow<T: TryFrom<u32>>(number: u32) -> Result<T, Malformed> {
    T::try_from(number).or_else(|_| wrong("the number is too large"))
}

/// What a die shows.
pub(super) fn read_die(number: u32) -> Result<u8, Malformed> {
    if (1..=6).contains(&number) { narrow(number) } else { wrong("a die shows 1 to 6") }
}

/// No die, one or two.
pub(super) fn read_dice(numbers: &[u32]) -> Result<[u8; 2], Malformed> {
    match *numbers {
        [] => Ok([0; 2]),
        [one] => Ok([read_die(one)?, 0]),
        [one, two] => Ok([read_die(one)?, read_die(two)?]),
        _ => wrong("there are at most two dice"),
    }
}

pub(super) fn write_dice(dice: [u8; 2]) -> Vec<u32> {
    dice.into_iter().filter(|&die| die > 0).map(u32::from).collect()
}

/// A planet's place on its star's card, which is numbered from 1.
pub(super) fn read_nth(number: u32) -> Result<u8, Malformed> {
    match number.checked_sub(1) {
        Some(nth) if (nth as usize) < PLANETS_MAX => narrow(nth),
        _ => wrong("planets of a star are numbered from 1 to 3"),
    }
}

pub(super) fn write_nth(nth: u8) -> u32 {
    u32::from(nth) + 1
}

pub(super) fn read_nths(name: &str, numbers: &[u32]) -> Result<Vec<u8>, Malformed> {
    list(name, numbers, PLANETS_MAX, |&number| read_nth(number))
}

pub(super) fn read_planet(message: Option<&proto::PlanetRef>) -> Result<PlanetId, Malformed> {
    let message = need(message)?;
    let star = field("star", read_star(&message.star))?;
    Ok(PlanetId { star, nth: field("number", read_nth(message.number))? })
}

pub(super) fn write_planet(planet: PlanetId) -> proto::PlanetRef {
    proto::PlanetRef { star: planet.star.to_string(), number: write_nth(planet.nth) }
}

pub(super) fn read_ship_number(number: u32) -> Result<ShipNumber, Malformed> {
    if number == 0 { wrong("ships are numbered from 1") } else { Ok(ShipNumber(number)) }
}

pub(super) fn read_ship_numbers(name: &str, numbers: &[u32]) -> Result<Vec<ShipNumber>, Malformed> {
    list(name, numbers, ROWS_MAX, |&number| read_ship_number(number))
}

pub(super) fn write_ship_numbers(ships: &[ShipNumber]) -> Vec<u32> {
    ships.iter().map(|ship| ship.0).collect()
}

pub(super) fn read_unit_id(number: u32) -> Result<UnitId, Malformed> {
    narrow(number).map(UnitId)
}

pub(super) fn read_unit_ids(name: &str, numbers: &[u32]) -> Result<Vec<UnitId>, Malformed> {
    list(name, numbers, ROWS_MAX, |&number| read_unit_id(number))
}

pub(super) fn write_unit_ids(units: &[UnitId]) -> Vec<u32> {
    units.iter().map(|unit| u32::from(unit.0)).collect()
}

/// Writes a word by a table of what is called how.
pub(super) fn write_word<T: Copy + PartialEq, M: Copy + Into<i32>>(words: &[(T, M)], value: T) -> i32 {
    words.iter().find(|(own, _)| *own == value).map_or(0, |&(_, word)| word.into())
}

/// Reads a word; one that is not given is not in the table.
pub(super) fn read_word<T: Copy, M: Copy + Into<i32>>(words: &[(T, M)], number: i32) -> Result<T, Malformed> {
    let is_it = |word: M| -> bool {
        let word: i32 = word.into();
        word == number
    };
    match words.iter().find(|&&(_, word)| is_it(word)) {
        Some(&(own, _)) => Ok(own),
        None => wrong("it is not given, or not known"),
    }
}

/// Reads a word that means the first of the table if it is not given.
pub(super) fn read_word_or_first<T: Copy, M: Copy + Into<i32>>(words: &[(T, M)], number: i32) -> Result<T, Malformed> {
    if number == 0 { Ok(words[0].0) } else { read_word(words, number) }
}

/// The technologies.
pub(super) const TECHNOLOGIES: [(Tech, proto::Technology); Tech::COUNT] = {
    use proto::Technology as T;
    [
        (Tech::Speed3, T::Speed3),
        (Tech::Speed4, T::Speed4),
        (Tech::Speed5, T::Speed5),
        (Tech::Speed6, T::Speed6),
        (Tech::Speed7, T::Speed7),
        (Tech::Speed8, T::Speed8),
        (Tech::MissileBase, T::MissileBase),
        (Tech::Fighter, T::Fighter),
        (Tech::AdvancedMissileBase, T::AdvancedMissileBase),
        (Tech::DeathStar, T::DeathStar),
        (Tech::ImprovedShipWeaponry, T::ImprovedShipWeaponry),
        (Tech::PlanetShield, T::PlanetShield),
        (Tech::ControlledEnvironment, T::ControlledEnvironment),
        (Tech::IndustrialTechnology, T::IndustrialTechnology),
        (Tech::ImprovedIndustrialTechnology, T::ImprovedIndustrialTechnology),
        (Tech::UnlimitedShipRange, T::UnlimitedShipRange),
        (Tech::UnlimitedShipCommunication, T::UnlimitedShipCommunication),
        (Tech::RoboticIndustry, T::RoboticIndustry),
    ]
};

pub(super) fn read_techs(name: &str, numbers: &[i32]) -> Result<Vec<Tech>, Malformed> {
    list(name, numbers, Tech::COUNT, |&number| read_word(&TECHNOLOGIES, number))
}

pub(super) fn write_techs(techs: impl IntoIterator<Item = Tech>) -> Vec<i32> {
    techs.into_iter().map(|tech| write_word(&TECHNOLOGIES, tech)).collect()
}
