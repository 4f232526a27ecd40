//! A position, and the phase that is resolved on it, apart from any game.

use heliopause_kernel::SeatSet;
use heliopause_kernel::wire::{Result, inside, wrong, wrong_field};

use super::{PhaseSheet, PowerLines, SituationSheet};
use crate::adjudication::{Line, Resolving, Situation};
use crate::integrity::{check_attempts, check_dislodged};
use crate::options::{MOST_EMPIRES, Options};
use crate::position::{Code, Position, Variant};

/// The most characters of a line.
const LONGEST_LINE: usize = 200;
/// The centers that win if nothing else is said (D8.7).
const VICTORY_CENTERS: u8 = 18;

impl SituationSheet {
    /// The situation.
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
                    return wrong_field("turn_end.victory_centers", "it is not between 1 and 34");
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
                return wrong_field(
                    &format!("powers[{index}].seat"),
                    "this power is written twice",
                );
            }
            if power.eliminated {
                eliminated.insert(power.seat);
            }
        }
        for seat in eliminated.iter() {
            if !position.is_eliminated(seat) || !position.colonies_of(seat).is_empty() {
                return wrong_field(
                    "powers",
                    format!("seat {} is out and has something left", seat.number()),
                );
            }
        }
        Ok((position, eliminated))
    }

    /// The codes of all powers: those that are sent, else the usual ones (R20).
    fn codes(&self) -> Result<Vec<Code>> {
        let empires =
            self.powers.iter().map(|power| power.seat.index() + 1).max().unwrap_or_default();
        if self.variant == Variant::OuterSpace && empires == 0 {
            return wrong_field("powers", format!("there are 1 to {MOST_EMPIRES} empires"));
        }
        let mut codes: Vec<Code> =
            Options::of(self.variant).powers(empires).into_iter().map(|(_, code)| code).collect();
        for (index, power) in
            self.powers.iter().enumerate().filter(|(_, power)| !power.code.is_empty())
        {
            match (codes.get_mut(power.seat.index()), power.code.parse::<Code>().ok()) {
                (Some(code), Some(sent)) => *code = sent,
                (_, None) => {
                    let text = "a code is a letter and two letters or digits";
                    return wrong_field(&format!("powers[{index}].code"), text);
                }
                (None, _) => {
                    return wrong_field(&format!("powers[{index}].seat"), "there is no such power");
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

/// The lines of all powers, each at most once.
fn lines(position: &Position, orders: Vec<PowerLines>) -> Result<Vec<Line>> {
    let (mut lines, mut ordered) = (Vec::new(), SeatSet::EMPTY);
    for (index, PowerLines { seat, lines: texts }) in orders.into_iter().enumerate() {
        let field = |name: &str| format!("orders[{index}].{name}");
        if seat.index() >= position.powers.len() {
            return wrong_field(&field("seat"), "there is no such power");
        }
        if !ordered.insert(seat) {
            return wrong_field(&field("seat"), "this power has orders already");
        }
        if let Some(long) = texts.iter().position(|line| line.chars().count() > LONGEST_LINE) {
            let text = format!("a line has at most {LONGEST_LINE} characters");
            return wrong_field(&field(&format!("lines[{long}]")), text);
        }
        lines.extend(texts.iter().map(|line| Line::read(seat, line)));
    }
    Ok(lines)
}
