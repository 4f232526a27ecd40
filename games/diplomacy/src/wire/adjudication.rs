//! The call that adjudicates situations without a game.

use heliopause_kernel::Seat;
use heliopause_kernel::wire::{self, Result, Write};
use heliopause_proto::diplomacy::v1 as proto;

use crate::adjudication::{Line, Resolution, Situation, Verdict};
use crate::adjustment::Adjusted;
use crate::describe;
use crate::order::Named;
use crate::sheet::{PowerRow, SITUATIONS_MAX, SituationSheet};

/// Resolves every situation of a request. An error names the invalid field.
pub fn adjudicate(request: &proto::AdjudicateRequest) -> Result<proto::AdjudicateResponse> {
    let sheets: Vec<SituationSheet> =
        wire::inside("situations", wire::rows(&request.situations, SITUATIONS_MAX))?;
    if sheets.is_empty() {
        return wire::wrong_field("situations", format!("expected 1 to {SITUATIONS_MAX}, found 0"));
    }
    // Decode all situations before resolving any, so that a rejected call is cheap.
    let numbered = sheets.into_iter().enumerate();
    let situations = numbered
        .map(|(index, sheet)| wire::inside(&format!("situations[{index}]"), sheet.situation()));
    let situations = situations.collect::<Result<Vec<Situation>>>()?;
    Ok(proto::AdjudicateResponse {
        resolutions: situations.into_iter().map(|one| write(&one.resolve())).collect(),
    })
}

fn write(resolution: &Resolution) -> proto::Resolution {
    let position = &resolution.position;
    let code = |seat: Seat| position.powers[seat.index()].code.to_string();
    let ended = || proto::TurnEnded {
        colonizing: resolution.colonizing.write(),
        centers: resolution.taken.write(),
        eliminated: resolution.newly_eliminated.write(),
    };
    let nameless = position.seats().map(|_| String::new());
    proto::Resolution {
        powers: PowerRow::all(position, resolution.eliminated, nameless).write(),
        lines: resolution
            .lines
            .iter()
            .map(|(line, verdict)| write_line(line.as_ref(), verdict, &code))
            .collect(),
        dislodged: resolution.dislodged.write(),
        contested: resolution.contested.write(),
        attempts: resolution.attempts.write(),
        retreats: resolution.fates.write(),
        turn_ended: resolution.ends_a_turn.then(ended),
        eliminated: resolution.newly_eliminated.write(),
        ending: resolution.ending.write(),
    }
}

fn write_line(
    line: Option<&Line>,
    verdict: &Verdict,
    names: &dyn Fn(Seat) -> String,
) -> proto::LineReport {
    let mut written = proto::LineReport {
        result: verdict.name().to_owned(),
        reason: verdict.fault().map_or_else(String::new, |fault| fault.as_str().to_owned()),
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
            written.text = format!("unreadable: {}", fault.message);
        }
        Verdict::Moved(moved) => {
            written.text = describe::result(moved.outcome, &moved.helpers, names);
            written.report = moved.write();
        }
        Verdict::Retreated(Ok((unit, fate))) => {
            written.text = describe::retreated(*unit, *fate, names);
        }
        Verdict::Retreated(Err(fault)) => written.text = format!("illegal: {}", fault.sentence()),
        Verdict::Adjusted(adjusted) => {
            written.seat = adjusted.seat.number();
            written.text = describe::adjustment(adjusted, names);
            written.unit = match adjusted.result {
                Adjusted::Built(unit) => Named::from(unit).write(),
                Adjusted::Removed(kind, at) => Named { kind: Some(kind), at }.write(),
                Adjusted::Waived | Adjusted::Fails(_) => None,
            };
        }
    }
    written
}
