//! The public state: the position, the calendar (D2), dislodged units and eliminated powers.

use heliopause_kernel::sentence::Facts;
use heliopause_kernel::wire::{Result as Read, Wire, wrong_field};
use heliopause_kernel::{Seat, SeatSet, named, vocabulary};
use heliopause_proto::diplomacy::v1 as proto;

use crate::adjustment::has_adjustment;
use crate::movement::{Attempt, Dislodged};
use crate::options::{FIRST_YEAR, Options};
use crate::position::{Position, SPACECRAFT, Unit, Variant};

vocabulary! {
    /// A phase of the year (D2).
    #[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    #[wire(words = proto::Phase)]
    pub enum Phase {
        #[wire(absent)]
        SpringMovement = "Spring, movement",
        SpringRetreat = "Spring, retreats",
        FallMovement = "Fall, movement",
        FallRetreat = "Fall, retreats",
        Winter = "Winter, adjustments",
    }
}

impl Phase {
    pub fn kind(self) -> &'static str {
        match self {
            Self::SpringMovement | Self::FallMovement => "movement",
            Self::SpringRetreat | Self::FallRetreat => "retreat",
            Self::Winter => "adjustment",
        }
    }

    pub fn is_movement(self) -> bool {
        matches!(self, Self::SpringMovement | Self::FallMovement)
    }

    pub fn is_fall(self) -> bool {
        matches!(self, Self::FallMovement | Self::FallRetreat)
    }

    /// Returns the short name of the phase in a year, such as `S1901M`.
    pub fn short(self, year: u16) -> String {
        let (season, kind) = match self {
            Self::SpringMovement => ('S', 'M'),
            Self::SpringRetreat => ('S', 'R'),
            Self::FallMovement => ('F', 'M'),
            Self::FallRetreat => ('F', 'R'),
            Self::Winter => ('W', 'A'),
        };
        format!("{season}{year}{kind}")
    }
}

/// The reason for the end of a game (D8, R17, R22).
#[derive(Wire, Facts, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(words = proto::EndReason)]
pub enum EndReason {
    Centers,
    LastStanding,
    /// The last powers were eliminated together and share a draw (R17).
    FellTogether,
    /// No center changed hands for the agreed number of years (R22).
    Stalemate,
    LastYear,
    /// No power has a unit or can build one (R16).
    NobodyCanAct,
}

/// The end of a game.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(message = proto::Ending, check = Self::has_its_winner)]
pub struct Ending {
    pub reason: EndReason,
    /// The winner, or the powers that share the draw.
    pub winners: SeatSet,
}

impl Ending {
    pub fn is_draw(self) -> bool {
        !matches!(self.reason, EndReason::Centers | EndReason::LastStanding)
    }

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "the wire macro passes a reference")]
    fn has_its_winner(&self) -> Read<()> {
        if self.is_draw() || self.winners.len() == 1 {
            return Ok(());
        }
        let text = format!("expected exactly one winner, found {}", self.winners.len());
        wrong_field("winners", text)
    }
}

/// Returns a win if one power has enough centers and more than any other (D8.7), otherwise `None`.
pub(crate) fn ending_by_centers(
    position: &Position,
    seats: SeatSet,
    victory_centers: u8,
) -> Option<Ending> {
    let count = |seat: Seat| position.centers_of(seat).len();
    let most =
        seats.iter().map(count).max().filter(|&most| most >= usize::from(victory_centers))?;
    let mut leaders = seats.iter().filter(|&seat| count(seat) == most);
    let winner = leaders.next().filter(|_| leaders.next().is_none())?;
    Some(Ending { reason: EndReason::Centers, winners: SeatSet::one(winner) })
}

/// R17: returns a draw if no power with a seat is left, a win if only one power is left, and
/// otherwise `None`. `alive` has only powers with a seat. `powers` also has those without a seat.
pub(crate) fn ending_by_elimination(
    alive: SeatSet,
    powers: SeatSet,
    eliminated: SeatSet,
) -> Option<Ending> {
    if alive.is_empty() {
        return Some(Ending { reason: EndReason::FellTogether, winners: eliminated });
    }
    let last = alive.iter().next().filter(|_| powers.len() == 1);
    last.map(|seat| Ending { reason: EndReason::LastStanding, winners: SeatSet::one(seat) })
}

/// The public state of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    pub options: Options,
    pub players: usize,
    pub position: Position,
    pub year: u16,
    pub phase: Phase,
    /// The number of phases so far, which identifies the decisions of a phase.
    pub number: u32,
    pub dislodged: Vec<Dislodged>,
    pub attempts: Vec<Attempt>,
    pub eliminated: SeatSet,
    /// The number of years since a center last changed hands.
    pub quiet_years: u8,
    pub ending: Option<Ending>,
}

impl Table {
    /// Returns spring 1901 with the initial units (D10), or with three armies in each spacecraft
    /// (1).
    pub fn start(options: &Options, players: usize) -> Self {
        let codes = options.powers(players).into_iter().map(|(_, code)| code);
        let mut position = Position::empty(options.variant, codes);
        match options.variant {
            Variant::Standard => {
                crate::board::standard_powers().enumerate().for_each(|(index, (_, units))| {
                    for text in units {
                        position.put(
                            Unit::read(Seat::at(index), text).expect("the initial units are valid"),
                        );
                    }
                });
            }
            Variant::OuterSpace => {
                for seat in position.seats() {
                    *position.orbit_mut(seat) = SPACECRAFT;
                }
            }
        }
        for home in crate::board::centers().iter() {
            if options.variant == Variant::Standard {
                position.centers[home.index()] = home.home().map(Seat::at);
            }
        }
        Self {
            options: options.clone(),
            players,
            position,
            year: FIRST_YEAR,
            phase: Phase::SpringMovement,
            number: 1,
            dislodged: Vec::new(),
            attempts: Vec::new(),
            eliminated: SeatSet::EMPTY,
            quiet_years: 0,
            ending: None,
        }
    }

    /// Returns the seats of players, then the seats that only automation plays (D8.6).
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        Seat::first(seats(&self.options, self.players))
    }

    pub fn alive(&self) -> SeatSet {
        self.seats().collect::<SeatSet>().difference(self.eliminated)
    }

    /// Returns the powers that are not eliminated, with or without a seat.
    pub fn powers_alive(&self) -> SeatSet {
        self.position.seats().collect::<SeatSet>().difference(self.eliminated)
    }

    pub fn owes(&self, seat: Seat) -> bool {
        if self.ending.is_some() || !self.alive().contains(seat) {
            return false;
        }
        match self.phase {
            Phase::SpringMovement | Phase::FallMovement => self.position.strength(seat) > 0,
            Phase::SpringRetreat | Phase::FallRetreat => {
                self.dislodged.iter().any(|one| one.unit.owner == seat && !one.retreats.is_empty())
            }
            Phase::Winter => has_adjustment(&self.position, seat),
        }
    }

    /// Returns the number of the turn. The adjustments of a winter belong to the fall before it.
    pub(crate) fn season(&self) -> u64 {
        let spring = matches!(self.phase, Phase::SpringMovement | Phase::SpringRetreat);
        u64::from(self.year) * 2 + u64::from(!spring)
    }

    pub fn date(&self) -> String {
        let text = self.phase.to_string();
        let (season, phase) = text.split_once(", ").unwrap_or((&text, ""));
        let now = match self.ending {
            None => phase.to_owned(),
            Some(ending) if ending.is_draw() => "drawn".to_owned(),
            Some(ending) => {
                let powers = self.options.powers(self.players);
                let name = |seat: Seat| powers[seat.index()].0.clone();
                format!("won by {}", named(ending.winners, &name))
            }
        };
        format!("{season} {}, {now}", self.year)
    }
}

/// Returns the number of seats. Powers in civil disorder do not have a seat (D8.6).
pub(crate) fn seats(options: &Options, players: usize) -> usize {
    use crate::options::Leftover;
    match (options.variant, options.leftover) {
        (Variant::Standard, Leftover::Automated) => crate::board::STANDARD_POWERS,
        _ => players,
    }
}
