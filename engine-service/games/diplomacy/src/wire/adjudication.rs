//! Adjudication without a game.

use heliopause_kernel::{Malformed, Seat, SeatSet};
use heliopause_proto::diplomacy::v1 as proto;
use proto::situation::Phase as Message;

use super::event::{write_fate, write_turn_ended};
use super::names::{read_seat, read_small, write_named, write_provinces, write_seats, write_unit};
use super::table::{
    MOST_ATTEMPTS, MOST_DISLODGED, read_attempt, read_dislodged, read_possessions, write_attempt, write_dislodged,
    write_ending, write_powers,
};
use super::{each, report, within, wrong};
use crate::adjudication::{Line, Resolution, Resolving, Situation, Verdict};
use crate::adjustment::Adjusted;
use crate::describe;
use crate::integrity::{check_attempts, check_dislodged};
use crate::options::{MOST_EMPIRES, Options};
use crate::order::Named;
use crate::position::{Code, Position, Variant};

/// The most situations of one call.
pub const MOST_SITUATIONS: usize = 100;
/// The most lines of one power, and the most characters of a line.
pub const MOST_LINES: usize = 300;
const LONGEST_LINE: usize = 200;
/// The centers that win if nothing else is said (D8.7).
const VICTORY_CENTERS: u8 = 18;

/// Resolves every situation of a request, or says which field can be none.
pub fn adjudicate(request: &proto::AdjudicateRequest) -> Result<proto::AdjudicateResponse, Malformed> {
    let situations = &request.situations;
    if situations.is_empty() || situations.len() > MOST_SITUATIONS {
        return wrong("situations", format!("send 1 to {MOST_SITUATIONS} of them, not {}", situations.len()));
    }
    // All are read before any is resolved, so that a refused call has cost little.
    let situations = each(situations, "situations", read)?;
    Ok(proto::AdjudicateResponse { resolutions: situations.into_iter().map(|one| write(&one.resolve())).collect() })
}

fn read(message: &proto::Situation) -> Result<Situation, Malformed> {
    let (position, eliminated) = read_position(message)?;
    let (phase, lines) = match &message.phase {
        None => return wrong("phase", "say which phase is resolved"),
        Some(Message::Movement(phase)) => {
            (Resolving::Movement, within("movement", read_lines(&position, &phase.orders))?)
        }
        Some(Message::Retreats(phase)) => within("retreats", read_retreats(&position, phase))?,
        Some(Message::TurnEnd(phase)) => (within("turn_end", read_turn_end(&position, phase))?, Vec::new()),
        Some(Message::Adjustments(phase)) => {
            (Resolving::Adjustments, within("adjustments", read_lines(&position, &phase.orders))?)
        }
    };
    Ok(Situation { position, eliminated, phase, lines })
}

fn read_position(message: &proto::Situation) -> Result<(Position, SeatSet), Malformed> {
    let variant = match proto::Variant::try_from(message.variant) {
        Ok(proto::Variant::Unspecified | proto::Variant::Standard) => Variant::Standard,
        Ok(proto::Variant::OuterSpace) => Variant::OuterSpace,
        Err(_) => return wrong("variant", "there is no such variant"),
    };
    let mut position = Position::empty(variant, read_codes(variant, &message.powers)?);
    let (mut written, mut eliminated) = (SeatSet::EMPTY, SeatSet::EMPTY);
    for (index, power) in message.powers.iter().enumerate() {
        let field = format!("powers[{index}]");
        let seat = within(&field, read_possessions(&mut position, power))?;
        if !written.insert(seat) {
            return wrong(&format!("{field}.seat"), "this power is written twice");
        }
        if power.eliminated {
            eliminated.insert(seat);
        }
    }
    for seat in eliminated.iter() {
        if !position.is_eliminated(seat) || !position.colonies_of(seat).is_empty() {
            return wrong("powers", format!("seat {} is out and has something left", seat.number()));
        }
    }
    Ok((position, eliminated))
}

/// The codes of all powers: those that are sent, else the usual ones (R20).
fn read_codes(variant: Variant, powers: &[proto::Power]) -> Result<Vec<Code>, Malformed> {
    let highest = powers.iter().map(|power| power.seat).max().unwrap_or_default();
    let empires = usize::try_from(highest).unwrap_or(usize::MAX);
    if variant == Variant::OuterSpace && !(1..=MOST_EMPIRES).contains(&empires) {
        return wrong("powers", format!("there are 1 to {MOST_EMPIRES} empires"));
    }
    let mut codes: Vec<Code> = Options::of(variant).powers(empires).into_iter().map(|(_, code)| code).collect();
    for (index, power) in powers.iter().enumerate().filter(|(_, power)| !power.code.is_empty()) {
        let field = format!("powers[{index}].code");
        let seat = within(&format!("powers[{index}]"), read_seat(power.seat, "seat"))?;
        match (codes.get_mut(seat.index()), Code::read(&power.code)) {
            (Some(code), Some(sent)) => *code = sent,
            (_, None) => return wrong(&field, "a code is a letter and two letters or digits"),
            (None, _) => return wrong(&format!("powers[{index}].seat"), "there is no such power"),
        }
    }
    match (1..codes.len()).find(|&index| codes[..index].contains(&codes[index])) {
        Some(index) => wrong("powers", format!("two powers have the code {}", codes[index])),
        None => Ok(codes),
    }
}

fn read_lines(position: &Position, orders: &[proto::PowerOrders]) -> Result<Vec<Line>, Malformed> {
    let (mut lines, mut ordered) = (Vec::new(), SeatSet::EMPTY);
    for (index, power) in orders.iter().enumerate() {
        let field = format!("orders[{index}]");
        let seat = within(&field, read_seat(power.seat, "seat"))?;
        if seat.index() >= position.powers.len() {
            return wrong(&format!("{field}.seat"), "there is no such power");
        }
        if !ordered.insert(seat) {
            return wrong(&format!("{field}.seat"), "this power has orders already");
        }
        if power.lines.len() > MOST_LINES {
            return wrong(&format!("{field}.lines"), format!("there are more than {MOST_LINES} lines"));
        }
        if let Some(long) = power.lines.iter().position(|line| line.chars().count() > LONGEST_LINE) {
            let text = format!("a line has at most {LONGEST_LINE} characters");
            return wrong(&format!("{field}.lines[{long}]"), text);
        }
        lines.extend(power.lines.iter().map(|line| Line::read(seat, line)));
    }
    Ok(lines)
}

fn read_retreats(position: &Position, message: &proto::RetreatPhase) -> Result<(Resolving, Vec<Line>), Malformed> {
    if message.dislodged.len() > MOST_DISLODGED {
        return wrong("dislodged", "there are more of them than provinces");
    }
    let dislodged = each(&message.dislodged, "dislodged", read_dislodged)?;
    check_dislodged(position, &dislodged).or_else(|fault| wrong("dislodged", fault))?;
    Ok((Resolving::Retreats(dislodged), read_lines(position, &message.orders)?))
}

fn read_turn_end(position: &Position, message: &proto::TurnEnd) -> Result<Resolving, Malformed> {
    if message.attempts.len() > MOST_ATTEMPTS {
        return wrong("attempts", "there are more of them than units");
    }
    let attempts = each(&message.attempts, "attempts", read_attempt)?;
    check_attempts(position, &attempts).or_else(|fault| wrong("attempts", fault))?;
    let victory_centers = match read_small(message.victory_centers, "victory_centers")? {
        0 => VICTORY_CENTERS,
        centers @ 1..=34 => centers,
        _ => return wrong("victory_centers", "it is not between 1 and 34"),
    };
    Ok(Resolving::TurnEnd { fall: message.fall, attempts, victory_centers })
}

fn write(resolution: &Resolution) -> proto::Resolution {
    let position = &resolution.position;
    let code = |seat: Seat| position.powers[seat.index()].code.to_string();
    let centers: Vec<_> = resolution
        .taken
        .iter()
        .filter_map(|&(center, former)| Some((center, former, position.centers[center.index()]?)))
        .collect();
    let ended = write_turn_ended(&resolution.colonizing, &centers, resolution.newly_out);
    proto::Resolution {
        powers: write_powers(position, resolution.eliminated, position.seats().map(|_| String::new())),
        lines: resolution.lines.iter().map(|(line, verdict)| write_line(line.as_ref(), verdict, &code)).collect(),
        dislodged: resolution.dislodged.iter().map(write_dislodged).collect(),
        contested: write_provinces(resolution.contested),
        attempts: resolution.attempts.iter().map(write_attempt).collect(),
        retreats: resolution.fates.iter().copied().map(write_fate).collect(),
        turn_ended: resolution.ends_a_turn.then_some(ended),
        eliminated: write_seats(resolution.newly_out),
        ending: resolution.ending.map(write_ending),
    }
}

fn write_line(line: Option<&Line>, verdict: &Verdict, names: &dyn Fn(Seat) -> String) -> proto::LineReport {
    let mut written = proto::LineReport {
        result: verdict.name().to_owned(),
        reason: verdict.fault().map_or_else(String::new, |fault| fault.reason().to_owned()),
        rule: verdict.rule().to_owned(),
        ..proto::LineReport::default()
    };
    if let Some(line) = line {
        written.seat = line.seat.number();
        written.line.clone_from(&line.text);
        written.notation = line.order.as_ref().map_or_else(|_| String::new(), ToString::to_string);
    }
    match verdict {
        Verdict::Unreadable(fault) => {
            "unreadable".clone_into(&mut written.reason);
            written.text = format!("not read: {}", fault.message);
        }
        Verdict::Moved(moved) => {
            written.text = describe::result(moved.outcome, &moved.helpers, names);
            written.report = Some(report::write(moved));
        }
        Verdict::Retreated(Ok((unit, fate))) => written.text = describe::retreated(*unit, *fate, names),
        Verdict::Retreated(Err(fault)) => written.text = format!("illegal: {fault}"),
        Verdict::Adjusted(adjusted) => {
            written.seat = adjusted.seat.number();
            written.text = describe::adjustment(adjusted, names);
            written.unit = match adjusted.result {
                Adjusted::Built(unit) => Some(write_unit(unit)),
                Adjusted::Removed(kind, at) => Some(write_named(Named { kind: Some(kind), at })),
                Adjusted::Waived | Adjusted::Fails(_) => None,
            };
        }
    }
    written
}
