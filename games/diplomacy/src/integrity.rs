//! Consistency checks of a game, for tests, untrusted positions and untrusted views.

use heliopause_kernel::SeatSet;

use crate::command::{Command, Sheet};
use crate::game::Diplomacy;
use crate::movement::{Attempt, Dislodged};
use crate::options::{FIRST_YEAR, LAST_YEAR};
use crate::order::Place;
use crate::position::{Code, IMPOSSIBLE_UNIT, Kind, Position, SPACECRAFT, Variant};
use crate::table::{Phase, Table, seats};

pub(crate) fn check(game: &Diplomacy) -> Result<(), String> {
    let table = &game.table;
    table.options.validate().map_err(|fault| fault.to_string())?;
    require(table.options.players().contains(&table.players), || {
        let players = table.options.players();
        format!(
            "expected {} to {} players, found {}",
            players.start(),
            players.end(),
            table.players
        )
    })?;
    let count = seats(&table.options, table.players);
    require(game.sheets.len() == count, || {
        format!("expected {count} order sheets, one for each seat, found {}", game.sheets.len())
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
    let codes: Vec<Code> =
        table.options.powers(table.players).into_iter().map(|(_, code)| code).collect();
    let found: Vec<Code> = position.powers.iter().map(|power| power.code).collect();
    require(found == codes, || {
        let list = |codes: &[Code]| codes.iter().map(Code::to_string).collect::<Vec<_>>().join(" ");
        format!("expected the codes {} from the options, found {}", list(&codes), list(&found))
    })?;
    require(position.variant == table.options.variant, || {
        "the position and the options must have the same variant".to_owned()
    })
}

pub(crate) fn check_position(position: &Position) -> Result<(), String> {
    let powers: SeatSet = position.seats().collect();
    let standard = position.variant == Variant::Standard;
    let most = if standard { 0 } else { SPACECRAFT };
    let orbit = position.powers.iter().map(|power| power.orbit).max().unwrap_or(0);
    require(orbit <= most, || {
        format!("{orbit} armies in a spacecraft are too many; the maximum is {most}")
    })?;
    for unit in position.units() {
        require(powers.contains(unit.owner), || format!("the owner of {unit} does not exist"))?;
        require(unit.kind.can_stand(unit.at), || format!("{unit} {IMPOSSIBLE_UNIT}"))?;
    }
    for province in crate::board::Province::ALL {
        let (center, colony) =
            (position.centers[province.index()], position.colonies[province.index()]);
        let owned = center.is_none_or(|seat| powers.contains(seat) && province.is_center());
        require(owned, || {
            format!(
                "{province} has an owner, but is not a supply center, or the owner does not exist"
            )
        })?;
        let settled =
            colony.is_none_or(|seat| powers.contains(seat) && province.is_land() && !standard);
        require(settled, || {
            format!(
                "{province} is a colony, but is a sea, or the owner does not exist, or the game has \
                 no spacecraft"
            )
        })?;
    }
    Ok(())
}

fn check_calendar(table: &Table) -> Result<(), String> {
    require((FIRST_YEAR..=u16::MAX).contains(&table.year), || {
        format!("year {} is too early; the first year is {FIRST_YEAR}", table.year)
    })?;
    require(table.options.last_year <= LAST_YEAR, || {
        format!("last year {} is too late; the maximum is {LAST_YEAR}", table.options.last_year)
    })?;
    let powers: SeatSet = table.position.seats().collect();
    if let Some(seat) = table.eliminated.difference(powers).iter().next() {
        let (power, count) = (seat.number(), powers.len());
        return Err(format!(
            "eliminated power {power} does not exist; the powers are 1 to {count}"
        ));
    }
    for seat in table.eliminated.iter() {
        let gone =
            table.position.is_eliminated(seat) && table.position.colonies_of(seat).is_empty();
        require(gone, || format!("{seat} is eliminated but has units, centers or colonies"))?;
    }
    let winners = table.ending.map_or(SeatSet::EMPTY, |ending| ending.winners);
    if let Some(seat) = winners.difference(table.seats().collect()).iter().next() {
        let (winner, count) = (seat.number(), table.seats().count());
        return Err(format!("winner {winner} does not exist; the seats are 1 to {count}"));
    }
    let waits = table.ending.is_some() || table.seats().any(|seat| table.owes(seat));
    require(waits, || {
        "no seat has a pending decision in this phase, but the game has not ended".to_owned()
    })
}

fn check_retreats(table: &Table) -> Result<(), String> {
    let retreats = matches!(table.phase, Phase::SpringRetreat | Phase::FallRetreat);
    require(retreats || table.dislodged.is_empty(), || {
        "dislodged units are allowed only in retreat phases".to_owned()
    })?;
    require(retreats || table.attempts.is_empty(), || {
        "attempts to colonize are allowed only in retreat phases".to_owned()
    })?;
    check_dislodged(&table.position, &table.dislodged)?;
    check_attempts(&table.position, &table.attempts)
}

pub(crate) fn check_dislodged(position: &Position, dislodged: &[Dislodged]) -> Result<(), String> {
    let powers: SeatSet = position.seats().collect();
    for one in dislodged {
        let unit = one.unit;
        require(powers.contains(unit.owner) && powers.contains(one.by), || {
            format!("the owner or the attacker of {unit} does not exist")
        })?;
        require(unit.kind.can_stand(unit.at), || format!("{unit} {IMPOSSIBLE_UNIT}"))?;
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

pub(crate) fn check_attempts(position: &Position, attempts: &[Attempt]) -> Result<(), String> {
    let powers: SeatSet = position.seats().collect();
    let known =
        attempts.iter().all(|attempt| powers.contains(attempt.seat) && attempt.at.is_land());
    let space = position.variant == Variant::OuterSpace || attempts.is_empty();
    require(known && space, || {
        "an attempt to colonize must be by an existing power, on land, and in a game with \
         spacecraft"
            .to_owned()
    })
}

/// Checks that each order of a sheet is legal after the orders before it, and replaces none.
fn check_sheets(game: &Diplomacy) -> Result<(), String> {
    for seat in game.table.seats() {
        let given = &game.sheets[seat.index()];
        let mut sheet = Sheet::default();
        for order in &given.orders {
            let command = Command::Order(*order);
            game.table
                .judge(seat, &sheet.orders, &command)
                .map_err(|refusal| format!("{seat}: {order}: {refusal}"))?;
            sheet.take(command);
        }
        for order in &given.conditionals {
            let judged = game.table.judge_conditional(seat, order);
            judged.map_err(|fault| format!("{seat}: {order}: {}", fault.sentence()))?;
            sheet.take(Command::Conditional(order.clone()));
        }
        require(sheet == *given, || format!("{seat}: an order is given twice"))?;
    }
    Ok(())
}
