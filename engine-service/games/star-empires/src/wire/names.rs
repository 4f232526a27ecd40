//! Names, seats, sectors, numbers and the small vocabulary of the contract.

use heliopause_kernel::{Malformed, Seat, SeatSet};
use heliopause_proto::star_empires::v1 as proto;

use super::wrong;
use crate::chart::Status;
use crate::geometry::{Coord, Sector};
use crate::hull::{Hull, Ratings};
use crate::master::ObjectKind;
use crate::name::Name;
use crate::objects::{Pattern, STEPS_MAX, Siege};
use crate::options::EMPIRES;
use crate::order::{Names, Sense};
use crate::reason::{Fate, Reason, Verdict};
use crate::report::Deed;
use crate::section::Section;
use crate::ship::{Code, Serial};

/// The most entries of any list that has no limit of its own. More than the largest galaxy ever needs.
pub(super) const LIST_MAX: usize = 1_000_000;

/// Reads a list, entry by entry, each by its own field.
pub(super) fn read_list<M, T>(
    list: &[M],
    max: usize,
    field: &str,
    read: impl Fn(&M, &str) -> Result<T, Malformed>,
) -> Result<Vec<T>, Malformed> {
    if list.len() > max {
        return wrong(field, "the list is too long");
    }
    let entry = |(index, message)| read(message, &format!("{field}[{index}]"));
    list.iter().enumerate().map(entry).collect()
}

pub(super) fn read_name(text: &str, field: &str) -> Result<Name, Malformed> {
    match Name::new(text) {
        Some(name) => Ok(name),
        None => wrong(field, "a name has 1 to 25 letters, digits and underscores"),
    }
}

/// A name that may be missing.
pub(super) fn read_name_if(text: &str, field: &str) -> Result<Name, Malformed> {
    if text.is_empty() { Ok(Name::NONE) } else { read_name(text, field) }
}

/// A name; `None` if it is empty.
pub(super) fn read_some_name(text: &str, field: &str) -> Result<Option<Name>, Malformed> {
    read_name_if(text, field).map(|name| Some(name).filter(|name| !name.is_none()))
}

/// Names that are found again and again: the field is put together only when one is wrong.
pub(super) fn read_names(list: &[String], field: &str) -> Result<Names, Malformed> {
    if list.len() > LIST_MAX {
        return wrong(field, "the list is too long");
    }
    let read = |(index, text): (usize, &String)| match Name::new(text) {
        Some(name) => Ok(name),
        None => read_name(text, &format!("{field}[{index}]")),
    };
    list.iter().enumerate().map(read).collect()
}

/// At least one name.
pub(super) fn read_some_names(list: &[String], field: &str) -> Result<Names, Malformed> {
    if list.is_empty() { wrong(field, "name at least one") } else { read_names(list, field) }
}

pub(super) fn write_name(name: Name) -> String {
    name.as_str().to_owned()
}

pub(super) fn write_some_name(name: Option<Name>) -> String {
    write_name(name.unwrap_or_default())
}

pub(super) fn write_names(names: &[Name]) -> Vec<String> {
    names.iter().copied().map(write_name).collect()
}

pub(super) fn read_serial(text: &str, field: &str) -> Result<Serial, Malformed> {
    match Serial::read(text) {
        Some(serial) => Ok(serial),
        None => wrong(field, "a serial number is two letters and five hexadecimal digits"),
    }
}

/// A serial number; `None` if it is empty.
pub(super) fn read_some_serial(text: &str, field: &str) -> Result<Option<Serial>, Malformed> {
    if text.is_empty() { Ok(None) } else { read_serial(text, field).map(Some) }
}

pub(super) fn write_serial(serial: Serial) -> String {
    serial.as_str().to_owned()
}

pub(super) fn write_some_serial(serial: Option<Serial>) -> String {
    serial.map(write_serial).unwrap_or_default()
}

pub(super) fn write_serials(serials: &[Serial]) -> Vec<String> {
    serials.iter().copied().map(write_serial).collect()
}

pub(super) fn read_serials(list: &[String], field: &str) -> Result<Vec<Serial>, Malformed> {
    read_list(list, LIST_MAX, field, |text, field| read_serial(text, field))
}

pub(super) fn read_code(text: &str, field: &str) -> Result<Code, Malformed> {
    match Code::read(text) {
        Some(code) => Ok(code),
        None => wrong(field, "a code is two letters"),
    }
}

fn read_pair(message: proto::Sector, field: &str) -> Result<(i16, i16), Malformed> {
    match (i16::try_from(message.oblique), i16::try_from(message.y)) {
        (Ok(o), Ok(y)) => Ok((o, y)),
        _ => wrong(field, "the sector is too far out"),
    }
}

/// A sector in the reader's own frame.
pub(super) fn read_coord(message: Option<&proto::Sector>, field: &str) -> Result<Coord, Malformed> {
    let (o, y) = read_pair(*Malformed::need(message, field)?, field)?;
    Ok(Coord::new(o, y))
}

pub(super) fn write_coord(at: Coord) -> proto::Sector {
    proto::Sector { oblique: at.o.into(), y: at.y.into() }
}

/// A galactic sector in which something can be.
pub(super) fn read_sector(message: Option<&proto::Sector>, field: &str) -> Result<Sector, Malformed> {
    let (o, y) = read_pair(*Malformed::need(message, field)?, field)?;
    let sector = Sector::new(o, y);
    if sector.is_in_bounds() { Ok(sector) } else { wrong(field, "the sector is too far out") }
}

pub(super) fn write_sector(at: Sector) -> proto::Sector {
    proto::Sector { oblique: at.o.into(), y: at.y.into() }
}

pub(super) fn read_seat(number: u32, field: &str) -> Result<Seat, Malformed> {
    match Seat::numbered(number) {
        Some(seat) if seat.index() < *EMPIRES.end() => Ok(seat),
        _ => wrong(field, "there is no such empire"),
    }
}

/// An empire's seat; 0 is nobody.
pub(super) fn read_some_seat(number: u32, field: &str) -> Result<Option<Seat>, Malformed> {
    if number == 0 { Ok(None) } else { read_seat(number, field).map(Some) }
}

pub(super) fn write_some_seat(seat: Option<Seat>) -> u32 {
    seat.map_or(0, Seat::number)
}

pub(super) fn read_seats(numbers: &[u32], field: &str) -> Result<SeatSet, Malformed> {
    if numbers.len() > *EMPIRES.end() {
        return wrong(field, "the list is too long");
    }
    numbers.iter().map(|&number| read_seat(number, field)).collect()
}

pub(super) fn write_seats(seats: SeatSet) -> Vec<u32> {
    seats.iter().map(Seat::number).collect()
}

/// A number that must fit.
pub(super) fn read_u16(number: u32, field: &str) -> Result<u16, Malformed> {
    match u16::try_from(number) {
        Ok(number) => Ok(number),
        Err(_) => wrong(field, "the number is too large"),
    }
}

/// Sums are told as far as the message holds them.
pub(super) fn write_sum(sum: u64) -> u32 {
    u32::try_from(sum).unwrap_or(u32::MAX)
}

pub(super) fn read_ratings(message: Option<&proto::Ratings>, field: &str) -> Result<Ratings, Malformed> {
    let ratings = Malformed::need(message, field)?;
    Ok(Ratings {
        guns: read_u16(ratings.guns, field)?,
        dp: read_u16(ratings.dp, field)?,
        engines: read_u16(ratings.engines, field)?,
        scan: read_u16(ratings.scan, field)?,
        racks: read_u16(ratings.racks, field)?,
    })
}

pub(super) fn write_ratings(ratings: Ratings) -> proto::Ratings {
    let [guns, dp, engines, scan, racks] = ratings.list().map(u32::from);
    proto::Ratings { guns, dp, engines, scan, racks }
}

pub(super) fn read_section(number: &str, field: &str) -> Result<Section, Malformed> {
    match Section::numbered(number) {
        Some(section) => Ok(section),
        None => wrong(field, "it is no phase of the turn"),
    }
}

/// The two directions of an enumeration: each word of ours and its name in the contract.
macro_rules! vocabulary {
    ($write:ident, $read:ident, $ours:ty, $theirs:ident { $($word:pat => $name:ident = $value:expr),+ $(,)? }) => {
        pub(super) fn $write(word: $ours) -> i32 {
            match word { $($word => proto::$theirs::$name.into()),+ }
        }

        pub(super) fn $read(number: i32, field: &str) -> Result<$ours, Malformed> {
            match proto::$theirs::try_from(number) {
                $(Ok(proto::$theirs::$name) => Ok($value),)+
                _ => wrong(field, "it is missing, or there is no such value"),
            }
        }
    };
}

vocabulary!(write_hull, read_hull, Hull, Hull {
    Hull::CapitalShip => CapitalShip = Hull::CapitalShip,
    Hull::Gunship => Gunship = Hull::Gunship,
    Hull::Orbital => Orbital = Hull::Orbital,
    Hull::Transport => Transport = Hull::Transport,
    Hull::Scout => Scout = Hull::Scout,
    Hull::Wing => Wing = Hull::Wing,
    Hull::Missile => Missile = Hull::Missile,
});

vocabulary!(write_status, read_status, Status, SectorStatus {
    Status::Stale => Stale = Status::Stale,
    Status::Scanned => Scanned = Status::Scanned,
    Status::Visible => Visible = Status::Visible,
});

vocabulary!(write_siege, read_siege, Siege, Siege {
    Siege::None => None = Siege::None,
    Siege::Blockaded => Blockaded = Siege::Blockaded,
    Siege::Interdicted => Interdicted = Siege::Interdicted,
});

/// A siege; `None` if it is not given.
pub(super) fn read_some_siege(number: i32, field: &str) -> Result<Option<Siege>, Malformed> {
    if number == 0 { Ok(None) } else { read_siege(number, field).map(Some) }
}

vocabulary!(write_object_kind, read_object_kind, ObjectKind, ObjectKind {
    ObjectKind::World => World = ObjectKind::World,
    ObjectKind::Portal => Portal = ObjectKind::Portal,
    ObjectKind::Storm => Storm = ObjectKind::Storm,
});

vocabulary!(write_verdict, read_verdict, Verdict, LineStatus {
    Verdict::Accepted => Accepted = Verdict::Accepted,
    Verdict::Warned => Warned = Verdict::Warned,
    Verdict::Rejected => Rejected = Verdict::Rejected,
});

vocabulary!(write_fate, read_fate, Fate, LineStatus {
    Fate::Done => Done = Fate::Done,
    Fate::Partly => Partly = Fate::Partly,
    Fate::Refused => Refused = Fate::Refused,
});

vocabulary!(write_deed, read_deed, Deed, Deed {
    Deed::Unloaded => Unloaded = Deed::Unloaded,
    Deed::UnloadedCargo => UnloadedCargo = Deed::UnloadedCargo,
    Deed::Loaded => Loaded = Deed::Loaded,
    Deed::LoadedCargo => LoadedCargo = Deed::LoadedCargo,
    Deed::Fired => Fired = Deed::Fired,
    Deed::Hit => Hit = Deed::Hit,
    Deed::Collateral => Collateral = Deed::Collateral,
    Deed::Destroyed => Destroyed = Deed::Destroyed,
    Deed::SelfDestructed => SelfDestructed = Deed::SelfDestructed,
    Deed::AutoRepaired => AutoRepaired = Deed::AutoRepaired,
    Deed::Departed => Departed = Deed::Departed,
    Deed::Arrived => Arrived = Deed::Arrived,
    Deed::EnteredPortal => EnteredPortal = Deed::EnteredPortal,
    Deed::LeftPortal => LeftPortal = Deed::LeftPortal,
    Deed::StormDamage => StormDamage = Deed::StormDamage,
    Deed::DestroyedByStorm => DestroyedByStorm = Deed::DestroyedByStorm,
    Deed::Built => Built = Deed::Built,
    Deed::Repaired => Repaired = Deed::Repaired,
    Deed::Toggled => Toggled = Deed::Toggled,
    Deed::Removed => Removed = Deed::Removed,
    Deed::Added => Added = Deed::Added,
});

/// Descending is the default.
pub(super) fn read_sense(number: i32, field: &str) -> Result<Sense, Malformed> {
    match proto::Sense::try_from(number) {
        Ok(proto::Sense::Unspecified | proto::Sense::Descending) => Ok(Sense::Descending),
        Ok(proto::Sense::Ascending) => Ok(Sense::Ascending),
        Err(_) => wrong(field, "there is no such value"),
    }
}

pub(super) fn write_sense(sense: Sense) -> i32 {
    match sense {
        Sense::Descending => proto::Sense::Descending.into(),
        Sense::Ascending => proto::Sense::Ascending.into(),
    }
}

/// Reasons have the same order on both sides; a test compares their names.
pub(super) fn write_reason(reason: Reason) -> i32 {
    reason as i32 + 1
}

pub(super) fn read_reason(number: i32, field: &str) -> Result<Reason, Malformed> {
    let place = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
    match place.and_then(|place| Reason::ALL.get(place)) {
        Some(&reason) => Ok(reason),
        None => wrong(field, "there is no such reason"),
    }
}

pub(super) fn write_pattern(pattern: &Pattern) -> (i32, Vec<i32>) {
    match pattern {
        Pattern::Constant => (proto::StormPattern::Constant.into(), Vec::new()),
        Pattern::Cyclic(steps) => (proto::StormPattern::Cyclic.into(), steps.to_vec()),
        Pattern::Random => (proto::StormPattern::Random.into(), Vec::new()),
    }
}

/// What is not given is constant.
pub(super) fn read_pattern(pattern: i32, steps: &[i32], field: &str) -> Result<Pattern, Malformed> {
    let pattern = match proto::StormPattern::try_from(pattern) {
        Ok(proto::StormPattern::Unspecified | proto::StormPattern::Constant) => Pattern::Constant,
        Ok(proto::StormPattern::Random) => Pattern::Random,
        Ok(proto::StormPattern::Cyclic) if (1..=STEPS_MAX).contains(&steps.len()) => {
            return Ok(Pattern::Cyclic(steps.into()));
        }
        Ok(proto::StormPattern::Cyclic) => return wrong(field, "a cyclic storm has 1 to 100 steps"),
        Err(_) => return wrong(field, "there is no such pattern"),
    };
    if steps.is_empty() { Ok(pattern) } else { wrong(field, "only a cyclic storm has steps") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_has_the_same_name_on_both_sides() {
        for reason in Reason::ALL {
            let number = write_reason(reason);
            let theirs = proto::Reason::try_from(number).unwrap().as_str_name();
            assert_eq!(theirs, format!("REASON_{}", reason.code().to_ascii_uppercase().replace('-', "_")));
            assert_eq!(read_reason(number, "x"), Ok(reason));
        }
        assert!(read_reason(0, "x").is_err() && read_reason(52, "x").is_err() && read_reason(-1, "x").is_err());
    }

    #[test]
    fn lists_and_entries_name_the_field_at_fault() {
        let list = ["a".to_owned(), "b-c".to_owned()];
        assert_eq!(read_names(&list, "ships").unwrap_err().field, "ships[1]");
        assert_eq!(read_some_names(&[], "ships").unwrap_err().field, "ships");
        let far = proto::Sector { oblique: 40_000, y: 0 };
        assert_eq!(read_coord(Some(&far), "at").unwrap_err().field, "at");
        assert!(read_seats(&[1; 61], "to").is_err());
    }
}
