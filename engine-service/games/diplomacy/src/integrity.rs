//! Whether a state holds together: asserted by tests, and asked of every position from outside.

use heliopause_kernel::SeatSet;

use crate::command::{Command, take};
use crate::game::Diplomacy;
use crate::movement::{Attempt, Dislodged};
use crate::options::{FIRST_YEAR, LAST_YEAR};
use crate::order::Place;
use crate::position::{Kind, Position, SPACECRAFT, Variant};
use crate::table::{Phase, Table, seats};

/// The first thing that does not hold.
pub(crate) fn check(game: &Diplomacy) -> Result<(), String> {
    let table = &game.table;
    table.options.validate().map_err(|fault| fault.to_string())?;
    require(table.options.players().contains(&table.players), || {
        "the number of players does not fit".to_owned()
    })?;
    require(game.sheets.len() == seats(&table.options, table.players), || {
        "there is one sheet a seat".to_owned()
    })?;
    check_powers(table)?;
    check_position(&table.position)?;
    check_calendar(table)?;
    check_retreats(table)?;
    check_sheets(game)
}

fn require(holds: bool, fault: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(fault()) }
}

fn check_powers(table: &Table) -> Result<(), String> {
    let position = &table.position;
    let codes: Vec<_> =
        table.options.powers(table.players).into_iter().map(|(_, code)| code).collect();
    require(position.powers.iter().map(|power| power.code).eq(codes), || {
        "the powers are not the game's".to_owned()
    })?;
    require(position.variant == table.options.variant, || {
        "the position is of the other game".to_owned()
    })
}

/// Whether everything stands where it can, and belongs to whom it can.
pub(crate) fn check_position(position: &Position) -> Result<(), String> {
    let powers: SeatSet = position.seats().collect();
    let standard = position.variant == Variant::Standard;
    let most = if standard { 0 } else { SPACECRAFT };
    require(position.powers.iter().all(|power| power.orbit <= most), || {
        "a spacecraft holds too many".to_owned()
    })?;
    for unit in position.units() {
        require(powers.contains(unit.owner) && unit.kind.can_stand(unit.at), || {
            format!("{unit} cannot stand there")
        })?;
    }
    for province in crate::board::Province::ALL {
        let (center, colony) =
            (position.centers[province.index()], position.colonies[province.index()]);
        let owned = center.is_none_or(|seat| powers.contains(seat) && province.is_center());
        require(owned, || format!("{province} cannot be owned so"))?;
        let settled =
            colony.is_none_or(|seat| powers.contains(seat) && province.is_land() && !standard);
        require(settled, || format!("{province} cannot be such a colony"))?;
    }
    Ok(())
}

fn check_calendar(table: &Table) -> Result<(), String> {
    require((FIRST_YEAR..=u16::MAX).contains(&table.year), || {
        format!("{} is no year of the game", table.year)
    })?;
    require(table.options.last_year <= LAST_YEAR, || "the last year is too late".to_owned())?;
    let powers: SeatSet = table.position.seats().collect();
    require(table.eliminated.difference(powers).is_empty(), || {
        "who is out was never in".to_owned()
    })?;
    for seat in table.eliminated.iter() {
        let gone =
            table.position.is_eliminated(seat) && table.position.colonies_of(seat).is_empty();
        require(gone, || format!("{seat} is out and has something left"))?;
    }
    let winners = table.ending.map_or(SeatSet::EMPTY, crate::table::Ending::winners);
    require(winners.difference(table.seats().collect()).is_empty(), || {
        "a winner has no seat".to_owned()
    })?;
    let waits = table.ending.is_some() || table.seats().any(|seat| table.owes(seat));
    require(waits, || "nobody has anything to decide".to_owned())
}

fn check_retreats(table: &Table) -> Result<(), String> {
    let retreats = matches!(table.phase, Phase::SpringRetreat | Phase::FallRetreat);
    require(retreats || table.dislodged.is_empty(), || {
        "units are dislodged outside of a retreat phase".to_owned()
    })?;
    require(retreats || table.attempts.is_empty(), || "attempts outlast their turn".to_owned())?;
    check_dislodged(&table.position, &table.dislodged)?;
    check_attempts(&table.position, &table.attempts)
}

/// Whether these units can have been dislodged on such a map, and can go where it is said that they
/// can.
pub(crate) fn check_dislodged(position: &Position, dislodged: &[Dislodged]) -> Result<(), String> {
    let powers: SeatSet = position.seats().collect();
    for one in dislodged {
        let unit = one.unit;
        let real =
            powers.contains(unit.owner) && powers.contains(one.by) && unit.kind.can_stand(unit.at);
        require(real, || format!("{unit} was no such unit"))?;
        let twice =
            dislodged.iter().filter(|other| other.unit.at.province() == unit.at.province()).count()
                > 1;
        require(!twice, || format!("two units were dislodged in {}", unit.at.province()))?;
        for to in &one.retreats {
            let free = match *to {
                Place::Orbit => {
                    position.variant == Variant::OuterSpace
                        && unit.kind == Kind::Army
                        && position.orbit(unit.owner) < SPACECRAFT
                }
                Place::Earth(node) => {
                    crate::movement::reach(unit).any(|reached| reached == node)
                        && position.unit(node.province()).is_none()
                }
            };
            require(free, || format!("{unit} cannot retreat to {to}"))?;
        }
    }
    Ok(())
}

/// Whether these attempts can have been made.
pub(crate) fn check_attempts(position: &Position, attempts: &[Attempt]) -> Result<(), String> {
    let powers: SeatSet = position.seats().collect();
    let known =
        attempts.iter().all(|attempt| powers.contains(attempt.seat) && attempt.at.is_land());
    let space = position.variant == Variant::OuterSpace || attempts.is_empty();
    require(known && space, || "an attempt is of nobody, or at sea".to_owned())
}

/// Each order is one that could be given after those before it.
fn check_sheets(game: &Diplomacy) -> Result<(), String> {
    for seat in game.table.seats() {
        let mut sheet = Vec::new();
        for order in &game.sheets[seat.index()] {
            let command = Command::Order(*order);
            game.table
                .judge(seat, &sheet, &command)
                .map_err(|refusal| format!("{seat}: {order}: {refusal}"))?;
            let before = sheet.len();
            take(&mut sheet, command);
            require(sheet.len() > before, || format!("{seat}: {order} is given twice"))?;
        }
    }
    Ok(())
}
