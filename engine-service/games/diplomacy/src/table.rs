//! All that is public: the position, the calendar (D2), who has to retreat, who is out.

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Seat, SeatSet, named, vocabulary};
use heliopause_proto::diplomacy::v1 as proto;

use crate::adjustment::is_owed;
use crate::movement::{Attempt, Dislodged};
use crate::options::{FIRST_YEAR, Options};
use crate::position::{Position, SPACECRAFT, Unit, Variant};

vocabulary! {
    /// A phase of the year (D2).
    #[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    #[wire(words = proto::Phase)]
    pub enum Phase {
        /// Movement in spring.
        #[wire(absent)]
        SpringMovement = "Spring, movement",
        /// Retreats in spring.
        SpringRetreat = "Spring, retreats",
        /// Movement in fall.
        FallMovement = "Fall, movement",
        /// Retreats in fall.
        FallRetreat = "Fall, retreats",
        /// Builds and removals.
        Winter = "Winter, adjustments",
    }
}

impl Phase {
    /// The kind of its decisions.
    pub fn kind(self) -> &'static str {
        match self {
            Self::SpringMovement | Self::FallMovement => "movement",
            Self::SpringRetreat | Self::FallRetreat => "retreat",
            Self::Winter => "adjustment",
        }
    }

    /// Whether it belongs to the fall turn.
    pub fn is_fall(self) -> bool {
        matches!(self, Self::FallMovement | Self::FallRetreat)
    }

    /// Its short name in a year: `S1901M`.
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

/// How the game ended (D8, R17, R22).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// A power owns the centers that win.
    Centers(Seat),
    /// Nobody else is left.
    LastStanding(Seat),
    /// The last ones fell together: a draw between them (R17).
    FellTogether(SeatSet),
    /// No center changed hands for the agreed number of years (R22).
    Stalemate(SeatSet),
    /// The last year is over.
    LastYear(SeatSet),
    /// Nobody has a unit, and nobody can build one (R16).
    NobodyCanAct(SeatSet),
}

impl Ending {
    /// Who won, or shares the draw.
    pub fn winners(self) -> SeatSet {
        match self {
            Self::Centers(seat) | Self::LastStanding(seat) => SeatSet::one(seat),
            Self::FellTogether(seats)
            | Self::Stalemate(seats)
            | Self::LastYear(seats)
            | Self::NobodyCanAct(seats) => seats,
        }
    }

    /// Whether those share a draw.
    pub fn is_draw(self) -> bool {
        match self {
            Self::Centers(_) | Self::LastStanding(_) => false,
            Self::FellTogether(_)
            | Self::Stalemate(_)
            | Self::LastYear(_)
            | Self::NobodyCanAct(_) => true,
        }
    }

    /// The number of the rule that decided it.
    pub fn rule(self) -> &'static str {
        match self {
            Self::Centers(_) => "D8.7",
            Self::LastStanding(_) | Self::FellTogether(_) => "R17",
            Self::Stalemate(_) | Self::LastYear(_) => "R22",
            Self::NobodyCanAct(_) => "R16",
        }
    }
}

/// D8.7: the power with the centers that win, if no other has as many.
pub(crate) fn ending_by_centers(
    position: &Position,
    seats: SeatSet,
    victory_centers: u8,
) -> Option<Ending> {
    let count = |seat: Seat| position.centers_of(seat).len();
    let most =
        seats.iter().map(count).max().filter(|&most| most >= usize::from(victory_centers))?;
    let mut leaders = seats.iter().filter(|&seat| count(seat) == most);
    leaders.next().filter(|_| leaders.next().is_none()).map(Ending::Centers)
}

/// R17: the last one left wins, and those that fall together share a draw. `alive` have seats,
/// `powers` may have none.
pub(crate) fn ending_by_elimination(
    alive: SeatSet,
    powers: SeatSet,
    eliminated: SeatSet,
) -> Option<Ending> {
    if alive.is_empty() {
        return Some(Ending::FellTogether(eliminated));
    }
    let last = alive.iter().next().filter(|_| powers.len() == 1);
    last.map(Ending::LastStanding)
}

/// Everything public.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    pub options: Options,
    /// How many seats are players'.
    pub players: usize,
    /// What stands where.
    pub position: Position,
    pub year: u16,
    pub phase: Phase,
    /// How many phases have begun; names the decisions.
    pub number: u32,
    /// Who has to retreat.
    pub dislodged: Vec<Dislodged>,
    /// Attempts on provinces in this turn (R9).
    pub attempts: Vec<Attempt>,
    /// The powers that are out.
    pub eliminated: SeatSet,
    /// Years since a center changed hands.
    pub quiet_years: u8,
    /// How it ended, once it has.
    pub ending: Option<Ending>,
}

impl Table {
    /// The start: Spring 1901, the standard units (D10), or three armies in each spacecraft (1).
    pub fn start(options: &Options, players: usize) -> Self {
        let codes = options.powers(players).into_iter().map(|(_, code)| code);
        let mut position = Position::empty(options.variant, codes);
        match options.variant {
            Variant::Standard => {
                crate::board::standard_powers().enumerate().for_each(|(index, (_, units))| {
                    for text in units {
                        position.put(
                            Unit::read(Seat::at(index), text).expect("the table of units is right"),
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

    /// The seats: players', then those that only automation plays (D8.6).
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        Seat::first(seats(&self.options, self.players))
    }

    /// The seats that are not out.
    pub fn alive(&self) -> SeatSet {
        self.seats().collect::<SeatSet>().difference(self.eliminated)
    }

    /// The powers that are not out, with or without a seat.
    pub fn powers_alive(&self) -> SeatSet {
        self.position.seats().collect::<SeatSet>().difference(self.eliminated)
    }

    /// Whether a seat has anything to decide in this phase.
    pub fn owes(&self, seat: Seat) -> bool {
        if self.ending.is_some() || !self.alive().contains(seat) {
            return false;
        }
        match self.phase {
            Phase::SpringMovement | Phase::FallMovement => self.position.strength(seat) > 0,
            Phase::SpringRetreat | Phase::FallRetreat => {
                self.dislodged.iter().any(|one| one.unit.owner == seat && !one.retreats.is_empty())
            }
            Phase::Winter => is_owed(&self.position, seat),
        }
    }

    /// Counts the seasons, each with all its phases; the adjustments of a winter belong to the fall
    /// before it.
    pub(crate) fn season(&self) -> u64 {
        let spring = matches!(self.phase, Phase::SpringMovement | Phase::SpringRetreat);
        u64::from(self.year) * 2 + u64::from(!spring)
    }

    /// The year and the phase, for people; once the game is over, how it ended.
    pub fn date(&self) -> String {
        let text = self.phase.to_string();
        let (season, phase) = text.split_once(", ").unwrap_or((&text, ""));
        let now = match self.ending {
            None => phase.to_owned(),
            Some(ending) if ending.is_draw() => "drawn".to_owned(),
            Some(ending) => {
                let powers = self.options.powers(self.players);
                let name = |seat: Seat| powers[seat.index()].0.clone();
                format!("won by {}", named(ending.winners(), &name))
            }
        };
        format!("{season} {}, {now}", self.year)
    }
}

/// How many seats a game has: powers of the standard game without a player have none in civil
/// disorder (D8.6).
pub(crate) fn seats(options: &Options, players: usize) -> usize {
    use crate::options::Leftover;
    match (options.variant, options.leftover) {
        (Variant::Standard, Leftover::Automated) => crate::board::STANDARD_POWERS,
        _ => players,
    }
}
