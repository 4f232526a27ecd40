//! Adjudication of one phase on a position, without a game, for tools and bots.

use heliopause_kernel::{Malformed, Seat, SeatSet};

use crate::adjustment::{Adjusted, adjust};
use crate::board::Provinces;
use crate::event::AdjustedLine;
use crate::fault::Fault;
use crate::movement::{Attempt, Dislodged, Given, Movement, Outcome, Report};
use crate::notation::read_orders;
use crate::order::{Named, Order, Place};
use crate::position::{Position, Unit};
use crate::retreat::{Fate, RetreatReport, judge as judge_retreat, resolve as resolve_retreats};
use crate::table::{Ending, ending_by_centers, ending_by_elimination};
use crate::turn_end::{CenterTaken, ColonizeReport, colonize, free_colonies, take_centers};

/// A position and the phase to resolve.
pub struct Situation {
    pub position: Position,
    pub eliminated: SeatSet,
    pub phase: Resolving,
    pub lines: Vec<Line>,
}

pub enum Resolving {
    Movement,
    Retreats(Vec<Dislodged>),
    TurnEnd { fall: bool, attempts: Vec<Attempt>, victory_centers: u8 },
    Adjustments,
}

/// One line of a power's order text, with the parsed order.
pub struct Line {
    pub seat: Seat,
    pub text: String,
    pub order: Result<Order, Malformed>,
}

pub struct Resolution {
    pub position: Position,
    pub eliminated: SeatSet,
    pub newly_eliminated: SeatSet,
    /// Each order line with its result. A removal by civil disorder has no line.
    pub lines: Vec<(Option<Line>, Verdict)>,
    pub dislodged: Vec<Dislodged>,
    pub contested: Provinces,
    pub attempts: Vec<Attempt>,
    pub fates: Vec<RetreatReport>,
    pub colonizing: Vec<ColonizeReport>,
    pub taken: Vec<CenterTaken>,
    pub ends_a_turn: bool,
    pub ending: Option<Ending>,
}

/// The result of one order line, or of a removal by civil disorder.
pub enum Verdict {
    Unreadable(Malformed),
    Moved(Report),
    Retreated(Result<(Unit, Fate), Fault>),
    Adjusted(AdjustedLine),
}

impl Line {
    pub fn read(seat: Seat, text: &str) -> Self {
        let order = match read_orders(text) {
            Ok(orders) if orders.len() == 1 => Ok(orders[0]),
            Ok(orders) if orders.is_empty() => {
                Err(Malformed::text(1, 1, "expected an order, found the end of the line"))
            }
            Ok(orders) => {
                let text = format!("expected one order in a line, found {}", orders.len());
                Err(Malformed::text(2, 1, text))
            }
            Err(fault) => Err(fault),
        };
        Self { seat, text: text.to_owned(), order }
    }

    /// Returns the order, or `None` if the line is unreadable. An unreadable line for an army in
    /// orbit counts as a hold, because each line for an army in orbit uses up one army (2).
    fn given(&self) -> Option<Given> {
        let begins_in_orbit = || {
            let mut words = self.text.split([' ', '\t', '-']).filter(|word| !word.is_empty());
            let first = words
                .next()
                .filter(|word| !word.eq_ignore_ascii_case("a"))
                .or_else(|| words.next());
            first.is_some_and(|word| ["ORB", "ORBIT"].contains(&word.to_uppercase().as_str()))
        };
        let order = match &self.order {
            Ok(order) => *order,
            Err(_) if begins_in_orbit() => Order::Hold { unit: Named::ORBITING },
            Err(_) => return None,
        };
        Some(Given { seat: self.seat, order })
    }
}

impl Situation {
    pub fn resolve(self) -> Resolution {
        let Self { position, eliminated, phase, lines } = self;
        let mut resolution = Resolution {
            position,
            eliminated,
            newly_eliminated: SeatSet::EMPTY,
            lines: Vec::new(),
            dislodged: Vec::new(),
            contested: Provinces::EMPTY,
            attempts: Vec::new(),
            fates: Vec::new(),
            colonizing: Vec::new(),
            taken: Vec::new(),
            ends_a_turn: matches!(phase, Resolving::TurnEnd { .. }),
            ending: None,
        };
        match phase {
            Resolving::Movement => resolution.movement(lines),
            Resolving::Retreats(dislodged) => resolution.retreats(&dislodged, lines),
            Resolving::TurnEnd { fall, attempts, victory_centers } => {
                resolution.end_turn(fall, &attempts, victory_centers);
            }
            Resolving::Adjustments => resolution.adjustments(lines),
        }
        resolution
    }
}

impl Resolution {
    fn movement(&mut self, lines: Vec<Line>) {
        let orders: Vec<Given> = lines.iter().filter_map(Line::given).collect();
        let before = self.position.clone();
        let movement = Movement::resolve(&before, &orders);
        let after = movement.aftermath();
        let mut reports = movement.reports(&orders).into_iter();
        for line in lines {
            let report = if line.given().is_some() { reports.next() } else { None };
            let verdict = match &line.order {
                Err(fault) => Some(Verdict::Unreadable(fault.clone())),
                Ok(_) => report.map(Verdict::Moved),
            };
            self.lines.extend(verdict.map(|verdict| (Some(line), verdict)));
        }
        assert!(reports.next().is_none(), "there is one report for each line with an order");
        self.attempts = movement.attempts(&orders);
        self.position = after.position;
        self.dislodged = after.dislodged;
        self.contested = after.contested;
    }

    fn retreats(&mut self, dislodged: &[Dislodged], lines: Vec<Line>) {
        let orders: Vec<Given> = lines
            .iter()
            .filter_map(|line| {
                line.order.as_ref().ok().map(|&order| Given { seat: line.seat, order })
            })
            .collect();
        let fates = resolve_retreats(&mut self.position, dislodged, &orders);
        for line in lines {
            let verdict = match &line.order {
                Err(fault) => Verdict::Unreadable(fault.clone()),
                Ok(order) => {
                    Verdict::Retreated(judge_retreat(dislodged, line.seat, order).and_then(
                        |(index, _)| match fates[index] {
                            Fate::NoOrder => Err(Fault::Conflicting),
                            fate @ (Fate::Retreated(_)
                            | Fate::Disbanded
                            | Fate::NoRetreat
                            | Fate::Collided
                            | Fate::NoRoom) => Ok((dislodged[index].unit, fate)),
                        },
                    ))
                }
            };
            self.lines.push((Some(line), verdict));
        }
        self.fates = dislodged
            .iter()
            .zip(fates)
            .map(|(one, fate)| RetreatReport { unit: one.unit, fate })
            .collect();
    }

    /// Adds colonies (3), changes the owners of centers (D2), eliminates powers (R16) and checks
    /// for the end of the game (D8.7, R17).
    fn end_turn(&mut self, fall: bool, attempts: &[Attempt], victory_centers: u8) {
        self.colonizing = colonize(&mut self.position, attempts);
        if fall {
            self.taken = take_centers(&mut self.position);
        }
        self.eliminate();
        let winner =
            ending_by_centers(&self.position, self.position.seats().collect(), victory_centers);
        self.ending = winner.filter(|_| fall).or_else(|| self.ending_by_elimination());
    }

    fn adjustments(&mut self, lines: Vec<Line>) {
        let mut lines = lines.into_iter().peekable();
        let mut done = SeatSet::EMPTY;
        while let Some(seat) = lines.peek().map(|line| line.seat) {
            let mut own = Vec::new();
            while let Some(line) = lines.next_if(|line| line.seat == seat) {
                own.push(line);
            }
            self.adjust(seat, own);
            done.insert(seat);
        }
        for seat in self.position.seats().filter(|&seat| !done.contains(seat)) {
            self.adjust(seat, Vec::new());
        }
        self.eliminate();
        self.ending = self.ending_by_elimination();
    }

    fn adjust(&mut self, seat: Seat, lines: Vec<Line>) {
        let orders: Vec<Given> = lines
            .iter()
            .filter_map(|line| line.order.as_ref().ok().map(|&order| Given { seat, order }))
            .collect();
        let (results, automatic) = adjust(&mut self.position, seat, &orders);
        let adjusted = |order: Option<Order>, result: Adjusted| {
            Verdict::Adjusted(AdjustedLine { seat, order, result })
        };
        let mut results = results.into_iter();
        for line in lines {
            let verdict = match &line.order {
                Err(fault) => Some(Verdict::Unreadable(fault.clone())),
                Ok(order) => results.next().map(|result| adjusted(Some(*order), result)),
            };
            self.lines.extend(verdict.map(|verdict| (Some(line), verdict)));
        }
        self.lines.extend(automatic.into_iter().map(|result| (None, adjusted(None, result))));
    }

    fn eliminate(&mut self) {
        let out =
            |seat: &Seat| !self.eliminated.contains(*seat) && self.position.is_eliminated(*seat);
        self.newly_eliminated = self.position.seats().filter(out).collect();
        for seat in self.newly_eliminated.iter() {
            self.eliminated.insert(seat);
            free_colonies(&mut self.position, seat);
        }
    }

    fn ending_by_elimination(&self) -> Option<Ending> {
        let alive = self.position.seats().collect::<SeatSet>().difference(self.eliminated);
        ending_by_elimination(alive, alive, self.newly_eliminated)
            .filter(|_| !self.newly_eliminated.is_empty())
    }
}

impl Verdict {
    pub fn name(&self) -> &'static str {
        match self {
            Self::Unreadable(_) | Self::Retreated(Err(_)) => "illegal",
            Self::Moved(report) => report.outcome.name(),
            Self::Retreated(Ok((_, Fate::Retreated(_)))) => "retreats",
            Self::Retreated(Ok(_)) => "disbanded",
            Self::Adjusted(line) => match line.result {
                Adjusted::Built(_) => "built",
                Adjusted::Removed(..) => "removed",
                Adjusted::Waived => "waived",
                Adjusted::Fails(_) => "fails",
            },
        }
    }

    pub fn fault(&self) -> Option<Fault> {
        match self {
            Self::Moved(report) => {
                if let Outcome::Illegal(fault) = report.outcome {
                    Some(fault)
                } else {
                    None
                }
            }
            Self::Adjusted(line) => {
                if let Adjusted::Fails(fault) = line.result {
                    Some(fault)
                } else {
                    None
                }
            }
            Self::Retreated(Err(fault)) => Some(*fault),
            Self::Unreadable(_) | Self::Retreated(Ok(_)) => None,
        }
    }

    pub fn rule(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => "4.E.1",
            Self::Moved(report) => report.outcome.rule(),
            Self::Retreated(Ok((_, fate))) => fate.rule(),
            Self::Retreated(Err(fault)) => fault.rule(),
            Self::Adjusted(line) => match (line.result, line.order) {
                (Adjusted::Fails(fault), _) => fault.rule(),
                (Adjusted::Removed(_, Place::Orbit), None) => "R15",
                (Adjusted::Removed(..), None) => "4.D.8",
                (Adjusted::Built(_) | Adjusted::Waived, _) | (Adjusted::Removed(..), Some(_)) => {
                    "D8"
                }
            },
        }
    }
}
