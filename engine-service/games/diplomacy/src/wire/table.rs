//! What is public.

use heliopause_kernel::{Malformed, Seat, SeatSet};
use heliopause_proto::diplomacy::v1 as proto;

use super::names::{
    read_owned, read_phase, read_place, read_province, read_province_if, read_provinces, read_seat, read_seats,
    read_small, read_unit, write_owned, write_phase, write_province_if, write_provinces, write_seats, write_unit,
};
use super::{each, need, options, order, within, wrong};
use crate::board::STANDARD_POWERS;
use crate::movement::{Attempt, Dislodged};
use crate::options::{FEWEST_PLAYERS, FIRST_YEAR, MOST_EMPIRES, Options};
use crate::order::Order;
use crate::position::{Position, SPACECRAFT, Unit, Variant};
use crate::table::{Ending, Table};

/// The most units that can be dislodged at once, and attempts that can be made: more than any position has.
pub(super) const MOST_DISLODGED: usize = 75;
pub(super) const MOST_ATTEMPTS: usize = 75 + 3 * MOST_EMPIRES;

pub(super) fn read(message: Option<&proto::Table>, field: &str) -> Result<Table, Malformed> {
    within(field, read_table(need(message, field)?))
}

fn read_table(message: &proto::Table) -> Result<Table, Malformed> {
    let options = within("options", message.options.as_ref().map_or_else(|| Ok(Options::default()), options::read))?;
    let players = read_players(&options, message)?;
    if message.dislodged.len() > MOST_DISLODGED {
        return wrong("dislodged", "there are more of them than provinces");
    }
    if message.attempts.len() > MOST_ATTEMPTS {
        return wrong("attempts", "there are more of them than units");
    }
    let codes = options.powers(players).into_iter().map(|(_, code)| code);
    let mut table = Table {
        position: Position::empty(options.variant, codes),
        players,
        year: if message.year == 0 { FIRST_YEAR } else { read_small(message.year, "year")? },
        phase: read_phase(message.phase, "phase")?,
        number: message.number.max(1),
        dislodged: each(&message.dislodged, "dislodged", read_dislodged)?,
        attempts: each(&message.attempts, "attempts", read_attempt)?,
        eliminated: SeatSet::EMPTY,
        quiet_years: read_small(message.quiet_years, "quiet_years")?,
        ending: message.ending.as_ref().map(|ending| within("ending", read_ending(ending))).transpose()?,
        options,
    };
    for (index, power) in message.powers.iter().enumerate() {
        within(&format!("powers[{index}]"), read_power(&mut table, power))?;
    }
    Ok(table)
}

fn read_players(options: &Options, message: &proto::Table) -> Result<usize, Malformed> {
    let allowed = options.players();
    let players = match (message.players, options.variant) {
        (0, Variant::Standard) => STANDARD_POWERS,
        (0, Variant::OuterSpace) => {
            let last = message.powers.iter().map(|power| power.seat).max().unwrap_or_default();
            read_small::<u8>(last, "powers")?.max(FEWEST_PLAYERS as u8).into()
        }
        (players, _) => read_small::<u8>(players, "players")?.into(),
    };
    if !allowed.contains(&players) {
        return wrong("players", format!("{} to {} can play", allowed.start(), allowed.end()));
    }
    Ok(players)
}

fn read_power(table: &mut Table, message: &proto::Power) -> Result<(), Malformed> {
    let seat = read_possessions(&mut table.position, message)?;
    if message.eliminated {
        table.eliminated.insert(seat);
    }
    Ok(())
}

/// Gives a power what it has, and says which one it is.
pub(super) fn read_possessions(position: &mut Position, message: &proto::Power) -> Result<Seat, Malformed> {
    let seat = read_seat(message.seat, "seat")?;
    if seat.index() >= position.powers.len() {
        return wrong("seat", "there is no such power");
    }
    let units = message.units.iter().enumerate();
    for (index, unit) in units {
        let unit = within(&format!("units[{index}]"), read_unit_message(seat, unit))?;
        if position.unit(unit.at.province()).is_some() {
            return wrong(&format!("units[{index}].at"), format!("two units are in {}", unit.at.province()));
        }
        position.put(unit);
    }
    let most = if position.variant == Variant::OuterSpace { SPACECRAFT } else { 0 };
    let orbit: u8 = read_small(message.orbit, "orbit")?;
    if orbit > most {
        return wrong("orbit", format!("at most {most} armies are in a spacecraft"));
    }
    *position.orbit_mut(seat) = orbit;
    for center in read_provinces(&message.centers, "centers")?.iter() {
        if !center.is_center() {
            return wrong("centers", format!("{center} is no supply center"));
        }
        if position.centers[center.index()].replace(seat).is_some() {
            return wrong("centers", format!("{center} has two owners"));
        }
    }
    for colony in read_provinces(&message.colonies, "colonies")?.iter() {
        if !colony.is_land() || position.variant == Variant::Standard {
            return wrong("colonies", format!("{colony} cannot be a colony"));
        }
        if position.colonies[colony.index()].replace(seat).is_some() {
            return wrong("colonies", format!("{colony} is a colony of two empires"));
        }
    }
    Ok(seat)
}

fn read_unit_message(seat: Seat, unit: &proto::Unit) -> Result<Unit, Malformed> {
    read_unit(seat, Some(unit), "").map_err(|fault| {
        let field = fault.field.trim_start_matches('.').to_owned();
        Malformed::field(field, fault.message)
    })
}

/// All powers, in seat order.
pub(super) fn write_powers(
    position: &Position,
    eliminated: SeatSet,
    names: impl IntoIterator<Item = String>,
) -> Vec<proto::Power> {
    let power = |(seat, name): (Seat, String)| proto::Power {
        seat: seat.number(),
        name,
        code: position.powers[seat.index()].code.to_string(),
        units: position.units_of(seat).map(write_unit).collect(),
        orbit: position.orbit(seat).into(),
        centers: write_provinces(position.centers_of(seat)),
        colonies: write_provinces(position.colonies_of(seat)),
        eliminated: eliminated.contains(seat),
    };
    position.seats().zip(names).map(power).collect()
}

pub(super) fn write(table: &Table) -> proto::Table {
    let names = table.options.powers(table.players).into_iter().map(|(name, _)| name);
    proto::Table {
        options: Some(options::write(&table.options)),
        players: table.players as u32,
        year: table.year.into(),
        phase: write_phase(table.phase),
        number: table.number,
        powers: write_powers(&table.position, table.eliminated, names),
        dislodged: table.dislodged.iter().map(write_dislodged).collect(),
        attempts: table.attempts.iter().map(write_attempt).collect(),
        quiet_years: table.quiet_years.into(),
        ending: table.ending.map(write_ending),
    }
}

pub(super) fn read_dislodged(message: &proto::Dislodged) -> Result<Dislodged, Malformed> {
    Ok(Dislodged {
        unit: read_owned(message.unit.as_ref(), "unit")?,
        by: read_seat(message.by, "by")?,
        from: read_province_if(&message.attacked_from, "attacked_from")?,
        by_convoy: message.by_convoy,
        retreats: each(&message.retreats, "retreats", |text| read_place(text, ""))?,
    })
}

pub(super) fn write_dislodged(dislodged: &Dislodged) -> proto::Dislodged {
    proto::Dislodged {
        unit: Some(write_owned(dislodged.unit)),
        by: dislodged.by.number(),
        attacked_from: write_province_if(dislodged.from),
        by_convoy: dislodged.by_convoy,
        retreats: dislodged.retreats.iter().map(ToString::to_string).collect(),
    }
}

pub(super) fn read_attempt(message: &proto::Attempt) -> Result<Attempt, Malformed> {
    let order = order::read_needed(message.order.as_ref(), "order")?;
    Ok(Attempt {
        seat: read_seat(message.seat, "seat")?,
        at: read_province(&message.at, "at")?,
        colonizes: matches!(order, Order::Colonize { .. }),
        order,
    })
}

pub(super) fn write_attempt(attempt: &Attempt) -> proto::Attempt {
    proto::Attempt {
        seat: attempt.seat.number(),
        at: attempt.at.to_string(),
        order: Some(order::write(&attempt.order)),
    }
}

pub(super) fn read_ending(message: &proto::Ending) -> Result<Ending, Malformed> {
    let winners = read_seats(&message.winners, "winners")?;
    let mut seats = winners.iter();
    let alone = match (seats.next(), seats.next()) {
        (Some(seat), None) => Ok(seat),
        _ => wrong("winners", "one seat wins so"),
    };
    Ok(match proto::EndReason::try_from(message.reason) {
        Ok(proto::EndReason::Centers) => Ending::Centers(alone?),
        Ok(proto::EndReason::LastStanding) => Ending::LastStanding(alone?),
        Ok(proto::EndReason::FellTogether) => Ending::FellTogether(winners),
        Ok(proto::EndReason::Stalemate) => Ending::Stalemate(winners),
        Ok(proto::EndReason::LastYear) => Ending::LastYear(winners),
        Ok(proto::EndReason::NobodyCanAct) => Ending::NobodyCanAct(winners),
        Ok(proto::EndReason::Unspecified) | Err(_) => return wrong("reason", "say why the game ended"),
    })
}

pub(super) fn write_ending(ending: Ending) -> proto::Ending {
    let reason = match ending {
        Ending::Centers(_) => proto::EndReason::Centers,
        Ending::LastStanding(_) => proto::EndReason::LastStanding,
        Ending::FellTogether(_) => proto::EndReason::FellTogether,
        Ending::Stalemate(_) => proto::EndReason::Stalemate,
        Ending::LastYear(_) => proto::EndReason::LastYear,
        Ending::NobodyCanAct(_) => proto::EndReason::NobodyCanAct,
    };
    proto::Ending { reason: reason.into(), winners: write_seats(ending.winners()) }
}
