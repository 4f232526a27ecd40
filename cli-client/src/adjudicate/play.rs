//! Playing a case: which phase is asked for next, and what its answer means for the one after it.

use heliopause_proto::diplomacy::v1::{
    AdjustmentPhase, Attempt, Dislodged, MovementPhase, Power, PowerOrders, Resolution,
    RetreatPhase, Situation, TurnEnd, Unit, UnitKind, Variant, situation,
};

use super::compare::{Names, compare};
use super::file::{Case, Lines, Step};

/// The powers of the standard game, in seat order.
const POWERS: [&str; 7] = ["Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey"];

/// A case that is being played.
pub(super) struct Play {
    case: Case,
    names: Names,
    variant: Variant,
    powers: Vec<Power>,
    dislodged: Vec<Dislodged>,
    attempts: Vec<Attempt>,
    /// The orders to colonize of this turn, as they were written.
    colonizing: Vec<(u32, String)>,
    /// Whether this turn is a fall turn.
    fall: bool,
    /// Whether something moved, and the turn has not ended.
    in_turn: bool,
    next: usize,
    /// What differs so far.
    pub(super) differences: Vec<String>,
    explained: bool,
}

/// What is asked for: a step of the case, or the end of a turn that the case does not write down.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    Movement,
    Retreats,
    EndOfTurn,
    Adjustments,
    TacitEnd,
}

impl Play {
    /// Sets a case up. `explained` compares what only explains, too.
    pub(super) fn new(case: Case, variant: Variant, explained: bool) -> Result<Self, String> {
        let names = match variant {
            Variant::OuterSpace => Names::empires(empires(&case))?,
            _ => Names::powers(POWERS),
        };
        let powers = powers(&case, &names, variant)?;
        for step in case.steps() {
            kind(step)?;
            step.orders.keys().try_for_each(|power| names.seat(power).map(drop))?;
        }
        let fall = case.begins_in_fall();
        Ok(Self {
            case,
            names,
            variant,
            powers,
            dislodged: Vec::new(),
            attempts: Vec::new(),
            colonizing: Vec::new(),
            fall,
            in_turn: false,
            next: 0,
            differences: Vec::new(),
            explained,
        })
    }

    fn asked(&self) -> Option<Asked> {
        let asked = kind(self.case.steps().get(self.next)?).ok()?;
        let turn_is_over = self.in_turn && matches!(asked, Asked::Movement | Asked::Adjustments);
        Some(if turn_is_over { Asked::TacitEnd } else { asked })
    }

    /// The phase to be resolved next; none once the case is played out.
    pub(super) fn situation(&self) -> Option<Situation> {
        let phase = match self.asked()? {
            Asked::Movement => situation::Phase::Movement(MovementPhase { orders: self.orders() }),
            Asked::Retreats => situation::Phase::Retreats(RetreatPhase {
                dislodged: self.dislodged.clone(),
                orders: self.orders(),
            }),
            Asked::Adjustments => {
                situation::Phase::Adjustments(AdjustmentPhase { orders: self.orders() })
            }
            Asked::EndOfTurn | Asked::TacitEnd => situation::Phase::TurnEnd(TurnEnd {
                fall: self.fall,
                attempts: self.attempts.clone(),
                victory_centers: 0,
            }),
        };
        Some(Situation {
            variant: self.variant.into(),
            powers: self.powers.clone(),
            phase: Some(phase),
        })
    }

    fn orders(&self) -> Vec<PowerOrders> {
        let step = &self.case.steps()[self.next];
        let orders = |(power, lines): (&String, &Vec<String>)| {
            Some(PowerOrders { seat: self.names.seat(power).ok()?, lines: lines.clone() })
        };
        step.orders.iter().filter_map(orders).collect()
    }

    /// Takes the answer, compares it, and goes on.
    pub(super) fn take(&mut self, resolution: Resolution) {
        let Some(asked) = self.asked() else { return };
        if asked != Asked::TacitEnd {
            let step = &self.case.steps()[self.next];
            let found = compare(step, &resolution, &self.names, &self.colonizing, self.explained);
            let place = format!("step {} ({})", self.next + 1, step.phase);
            self.differences
                .extend(found.into_iter().map(|difference| format!("{place}: {difference}")));
            self.next += 1;
        }
        match asked {
            Asked::Movement => {
                let colonizes = resolution.lines.iter().filter(|line| line.result == "pending");
                self.colonizing = colonizes.map(|line| (line.seat, line.line.clone())).collect();
                self.dislodged = resolution.dislodged;
                self.attempts = resolution.attempts;
                self.in_turn = true;
            }
            Asked::Retreats => self.dislodged.clear(),
            Asked::EndOfTurn | Asked::TacitEnd => self.end_turn(),
            Asked::Adjustments => self.fall = false,
        }
        self.powers = resolution.powers;
    }

    fn end_turn(&mut self) {
        self.attempts.clear();
        self.colonizing.clear();
        self.dislodged.clear();
        self.in_turn = false;
        self.fall = !self.fall;
    }

    /// Ends a case that cannot be played on.
    pub(super) fn give_up(&mut self, why: String) {
        self.differences.push(why);
        self.next = self.case.steps().len();
    }
}

fn kind(step: &Step) -> Result<Asked, String> {
    match step.phase.to_lowercase().as_str() {
        "movement" => Ok(Asked::Movement),
        "retreat" | "retreats" => Ok(Asked::Retreats),
        "end_of_turn" | "end of turn" => Ok(Asked::EndOfTurn),
        "adjustment" | "adjustments" => Ok(Asked::Adjustments),
        _ => Err(format!(
            "`{}` is no phase: write movement, retreat, end_of_turn or adjustment",
            step.phase
        )),
    }
}

/// The codes of the empires: those that are listed, else all that occur.
fn empires(case: &Case) -> Vec<String> {
    if !case.empires.is_empty() {
        return case.empires.clone();
    }
    let start = case.start();
    let owners = start
        .colonies
        .pairs()
        .into_iter()
        .chain(start.centers.pairs())
        .map(|(_, power)| power.to_owned());
    let orders = case.steps().iter().flat_map(|step| step.orders.keys().cloned());
    let named = start.units.keys().chain(start.orbit.keys()).cloned().chain(owners).chain(orders);
    named.fold(Vec::new(), |mut all, name| {
        if !all.iter().any(|other: &String| other.eq_ignore_ascii_case(&name)) {
            all.push(name);
        }
        all
    })
}

/// The powers of the position.
fn powers(case: &Case, names: &Names, variant: Variant) -> Result<Vec<Power>, String> {
    let start = case.start();
    let codes = variant == Variant::OuterSpace;
    let mut powers: Vec<Power> = (1..)
        .zip(names.all())
        .map(|(seat, name)| Power {
            seat,
            code: if codes { name.clone() } else { String::new() },
            ..Power::default()
        })
        .collect();
    for (power, units) in &start.units {
        powers[names.index(power)?].units =
            units.iter().map(|text| unit(text)).collect::<Result<_, _>>()?;
    }
    for (power, armies) in &start.orbit {
        powers[names.index(power)?].orbit = *armies;
    }
    for (center, power) in start.centers.pairs() {
        powers[names.index(power)?].centers.push(center.to_owned());
    }
    for (colony, power) in start.colonies.pairs() {
        powers[names.index(power)?].colonies.push(colony.to_owned());
    }
    Ok(powers)
}

fn unit(text: &str) -> Result<Unit, String> {
    let kind = |word: &str| match word {
        "A" | "a" => Some(UnitKind::Army),
        "F" | "f" => Some(UnitKind::Fleet),
        _ => None,
    };
    let mut words = text.split_whitespace();
    match (words.next().and_then(kind), words.next(), words.next()) {
        (Some(kind), Some(at), None) => Ok(Unit { kind: kind.into(), at: at.to_owned() }),
        _ => Err(format!("`{text}` is no unit such as A Par or F Spa/nc")),
    }
}

/// Lists lines by power, for messages.
pub(super) fn listed(lines: &Lines) -> String {
    let list = |(power, lines): (&String, &Vec<String>)| format!("{power}: {}", lines.join(", "));
    let lines: Vec<String> =
        lines.iter().filter(|(_, lines)| !lines.is_empty()).map(list).collect();
    if lines.is_empty() { "none".to_owned() } else { lines.join("; ") }
}
