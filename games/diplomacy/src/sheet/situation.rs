//! The encoded form of a situation: a position and the phase to resolve, without a game.

use heliopause_kernel::wire::{Result, inside, wrong, wrong_field};
use heliopause_kernel::{SeatSet, quoted};

use super::{PhaseSheet, PowerLines, SituationSheet};
use crate::adjudication::{Line, Resolving, Situation};
use crate::integrity::{check_attempts, check_dislodged};
use crate::options::{EMPIRES_MAX, Options};
use crate::position::{Code, Position, Variant};

const LINE_CHARS_MAX: usize = 200;
/// The default number of centers needed to win (D8.7).
const VICTORY_CENTERS: u8 = 18;

impl SituationSheet {
    pub(crate) fn situation(self) -> Result<Situation> {
        let (position, eliminated) = self.position()?;
        let (phase, lines) = match self.phase {
            PhaseSheet::Movement { orders } => {
                (Resolving::Movement, inside("movement", lines(&position, orders))?)
            }
            PhaseSheet::Retreats { dislodged, orders } => {
                let possible = check_dislodged(&position, &dislodged).or_else(wrong);
                inside("retreats", inside("dislodged", possible))?;
                (Resolving::Retreats(dislodged), inside("retreats", lines(&position, orders))?)
            }
            PhaseSheet::TurnEnd { fall, attempts, victory_centers } => {
                let possible = check_attempts(&position, &attempts).or_else(wrong);
                inside("turn_end", inside("attempts", possible))?;
                let victory_centers = victory_centers.unwrap_or(VICTORY_CENTERS);
                if !(1..=34).contains(&victory_centers) {
                    let text = format!("expected 1 to 34, found {victory_centers}");
                    return wrong_field("turn_end.victory_centers", text);
                }
                (Resolving::TurnEnd { fall, attempts, victory_centers }, Vec::new())
            }
            PhaseSheet::Adjustments { orders } => {
                (Resolving::Adjustments, inside("adjustments", lines(&position, orders))?)
            }
        };
        Ok(Situation { position, eliminated, phase, lines })
    }

    fn position(&self) -> Result<(Position, SeatSet)> {
        let mut position = Position::empty(self.variant, self.codes()?);
        let (mut written, mut eliminated) = (SeatSet::EMPTY, SeatSet::EMPTY);
        for (index, power) in self.powers.iter().enumerate() {
            inside(&format!("powers[{index}]"), power.put(&mut position))?;
            if !written.insert(power.seat) {
                let text = format!("power {} is listed twice", power.seat.number());
                return wrong_field(&format!("powers[{index}].seat"), text);
            }
            if power.eliminated {
                eliminated.insert(power.seat);
            }
        }
        for seat in eliminated.iter() {
            if !position.is_eliminated(seat) || !position.colonies_of(seat).is_empty() {
                return wrong_field(
                    "powers",
                    format!(
                        "seat {} is eliminated but has units, centers or colonies",
                        seat.number()
                    ),
                );
            }
        }
        Ok((position, eliminated))
    }

    /// Returns the codes of all powers, with defaults for missing codes (R20). The codes must be
    /// valid and different.
    fn codes(&self) -> Result<Vec<Code>> {
        let empires =
            self.powers.iter().map(|power| power.seat.index() + 1).max().unwrap_or_default();
        if self.variant == Variant::OuterSpace && empires == 0 {
            return wrong_field("powers", format!("expected 1 to {EMPIRES_MAX} empires, found 0"));
        }
        let mut codes: Vec<Code> =
            Options::of(self.variant).powers(empires).into_iter().map(|(_, code)| code).collect();
        let count = codes.len();
        for (index, power) in
            self.powers.iter().enumerate().filter(|(_, power)| !power.code.is_empty())
        {
            match (codes.get_mut(power.seat.index()), power.code.parse::<Code>().ok()) {
                (Some(code), Some(sent)) => *code = sent,
                (_, None) => {
                    let found = quoted(&power.code);
                    let text =
                        format!("expected a letter and two letters or digits, found {found}");
                    return wrong_field(&format!("powers[{index}].code"), text);
                }
                (None, _) => {
                    let text = format!("expected 1 to {count}, found {}", power.seat.number());
                    return wrong_field(&format!("powers[{index}].seat"), text);
                }
            }
        }
        match (1..codes.len()).find(|&index| codes[..index].contains(&codes[index])) {
            Some(index) => {
                wrong_field("powers", format!("two powers have the code {}", codes[index]))
            }
            None => Ok(codes),
        }
    }
}

fn lines(position: &Position, orders: Vec<PowerLines>) -> Result<Vec<Line>> {
    let (mut lines, mut ordered) = (Vec::new(), SeatSet::EMPTY);
    for (index, PowerLines { seat, lines: texts }) in orders.into_iter().enumerate() {
        let field = |name: &str| format!("orders[{index}].{name}");
        let count = position.powers.len();
        if seat.index() >= count {
            let text = format!("expected 1 to {count}, found {}", seat.number());
            return wrong_field(&field("seat"), text);
        }
        if !ordered.insert(seat) {
            let text = format!("power {} is listed twice", seat.number());
            return wrong_field(&field("seat"), text);
        }
        for (long, line) in texts.iter().enumerate() {
            let length = line.chars().count();
            if length > LINE_CHARS_MAX {
                let text =
                    format!("{length} characters are too many; the maximum is {LINE_CHARS_MAX}");
                return wrong_field(&field(&format!("lines[{long}]")), text);
            }
        }
        lines.extend(texts.iter().map(|line| Line::read(seat, line)));
    }
    Ok(lines)
}
