//! The public state and events of The Fate of Empire.

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Seat, vocabulary, wire};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::tables::fate::{Cell, RandomEvent};
use crate::tables::{Direction, Fleet, Place, PlanetId, PlanetType, ShipKind, StarId};

/// The step of a turn in which ships are withdrawn (3).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RecallStep {
    /// Step 1, for an event that demands ships.
    Event,
    /// Step 6b, for a debt that can be paid.
    Debt,
}

/// A discovered independent planet (6.5).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::IndependentFound)]
pub struct Found {
    pub planet: PlanetId,
    pub turn: u8,
}

/// The public state of the campaign.
#[derive(Wire, Clone, PartialEq, Eq, Debug, Default)]
#[wire(message = proto::Fate, or_default, check = Self::has_unique_finds)]
pub struct Fate {
    /// Whether the Empire and the Twelve Kingdoms are at full-scale war (4.2 G).
    pub war: bool,
    /// The turn in which the Captaincy-General became a Sub-Province (4.2 D).
    #[wire(name = sub_province_since)]
    pub sub_province: Option<u8>,
    /// The value of ships that must still be withdrawn, in half ship points (4.4).
    #[wire(name = debt_half_points)]
    pub debt: u32,
    /// Independent planets found, including those no longer independent, sorted by planet (6.5).
    #[wire(with = crate::state::lists::sorted)]
    pub found: Vec<Found>,
    /// The locations of the Sub-Terran Prime and the Terran Prime (6.4).
    #[wire(each(sub_terran_prime, terran_prime))]
    pub primes: [Option<PlanetId>; 2],
    #[wire(name = pirates_destroyed)]
    pub destroyed: Fleet,
    #[wire(name = ships_lost)]
    pub lost: Fleet,
}

/// Events of the campaign. All are public.
#[derive(Wire, Clone, PartialEq, Debug)]
#[wire(kinds = proto::fate_event::Kind, message = proto::FateEvent, with(Seat = crate::tables::numbers::seat))]
pub enum FateEvent {
    /// The dice for the random event of a turn were rolled (4.1).
    EventRolled {
        #[wire(check = crate::tables::numbers::die)]
        red: u8,
        #[wire(check = crate::tables::numbers::die)]
        white: u8,
        event: RandomEvent,
        /// Whether the event has any effect. Events A to F have none during a full-scale war, and a
        /// second D never has any.
        effective: bool,
        ships: u8,
        points: u8,
    },
    /// The full-scale war started or ended (4.2 G, H).
    WarChanged { war: bool },
    /// The Captaincy-General became a Sub-Province (4.2 D).
    Elevated { turn: u8 },
    /// The value of ships owed to the Empire changed (4.4).
    DebtChanged { half_points: u32 },
    /// The dice for the target of Swarms were rolled (5.1, 5.2).
    SwarmsSought {
        #[wire(check = crate::tables::numbers::die)]
        red: u8,
        #[wire(check = crate::tables::numbers::die)]
        white: u8,
        star: StarId,
        /// The orbit searched, if the Captain-General holds a planet at the star.
        orbit: Option<u8>,
    },
    /// Swarms attacked a planet (5.3).
    SwarmsStruck {
        planet: PlanetId,
        #[wire(check = crate::tables::numbers::die)]
        die: u8,
        factors: u16,
        stopped: u16,
    },
    /// The dice for a newly explored planet were rolled (6.2).
    PlanetRolled {
        planet: PlanetId,
        #[wire(check = crate::tables::numbers::die)]
        red: u8,
        #[wire(check = crate::tables::numbers::die)]
        white: u8,
        /// The cell that applies. It is empty if a Prime of the type was already found.
        cell: Cell,
    },
    /// An independent planet was found (6.3).
    IndependentFound { planet: PlanetId, turn: u8 },
    /// The die for pirates at an old independent planet was rolled (6.5).
    PirateDie {
        star: StarId,
        /// The die. 1 and 2 bring a corvette.
        #[wire(check = crate::tables::numbers::die)]
        die: u8,
    },
    /// The die for the hex of the Captain-General's withdrawal, rerolled if off the board (7.5).
    DirectionRolled {
        at: Place,
        #[wire(name = die)]
        direction: Direction,
    },
    /// The die for the disengagement of pirates was rolled (7.6).
    DisengagementRolled {
        at: Place,
        difference: i32,
        #[wire(check = crate::tables::numbers::die)]
        die: u8,
        leave: bool,
    },
    /// Ships that count for victory points were destroyed (7.8, 11).
    Counted {
        /// The seat of the pirates or of the Captain-General.
        #[wire(name = seat)]
        of: Seat,
        kind: ShipKind,
        #[wire(check = crate::tables::numbers::count_of_ships)]
        count: u32,
    },
}

impl Fate {
    fn has_unique_finds(&self) -> wire::Result<()> {
        if let Some(pair) = self.found.windows(2).find(|pair| pair[0].planet == pair[1].planet) {
            let text = format!("{} is listed twice", pair[0].planet);
            return wire::wrong_field("found", text);
        }
        Ok(())
    }

    pub fn captain() -> Seat {
        Seat::at(0)
    }

    pub fn pirates() -> Seat {
        Seat::at(1)
    }

    pub fn independents() -> Seat {
        Seat::at(2)
    }

    /// Returns the index into [`Fate::primes`] for a planet type that can be a Prime (6.4).
    pub const fn prime_slot(kind: PlanetType) -> Option<usize> {
        match kind {
            PlanetType::SubTerran => Some(0),
            PlanetType::Terran => Some(1),
            PlanetType::MinimalTerran | PlanetType::Barren => None,
        }
    }

    pub fn is_prime(&self, planet: PlanetId) -> bool {
        self.primes.contains(&Some(planet))
    }

    pub fn found_in(&self, planet: PlanetId) -> Option<u8> {
        self.found.iter().find(|found| found.planet == planet).map(|found| found.turn)
    }
}

vocabulary! {
    /// The results of a campaign, worst first (11).
    #[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    #[wire(words = proto::VictoryLevel)]
    pub enum Level {
        Defeat = "defeat",
        Marginal = "marginal victory",
        Substantial = "substantial victory",
        Decisive = "decisive victory",
    }
}

impl Fate {
    pub(crate) fn is_effective(&self, event: RandomEvent) -> bool {
        let again = event == RandomEvent::SubProvince && self.sub_province.is_some();
        event != RandomEvent::None && !again && !(self.war && event.needs_no_war())
    }

    /// Returns whether the Sub-Province's regular corvette arrives in a turn (4.2 D, G, FR-22).
    pub(crate) fn is_supplied(&self, turn: u8) -> bool {
        self.sub_province.is_some_and(|since| since < turn) && turn.is_multiple_of(2) && !self.war
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "dice change nothing by themselves")]
    pub(crate) fn apply(&mut self, event: &FateEvent) {
        match *event {
            FateEvent::WarChanged { war } => self.war = war,
            FateEvent::Elevated { turn } => self.sub_province = Some(turn),
            FateEvent::DebtChanged { half_points } => self.debt = half_points,
            // Only the two Prime cells are `prime`. Their population identifies the type (6.4).
            FateEvent::PlanetRolled { planet, cell, .. } if cell.prime => {
                let slot = usize::from(cell.population > 40);
                self.primes[slot] = self.primes[slot].or(Some(planet));
            }
            FateEvent::IndependentFound { planet, turn } => {
                if let Err(index) = self.found.binary_search_by_key(&planet, |found| found.planet) {
                    self.found.insert(index, Found { planet, turn });
                }
            }
            FateEvent::Counted { of, kind, count } if of == Self::pirates() => {
                self.destroyed.add(kind, count);
            }
            FateEvent::Counted { kind, count, .. } => self.lost.add(kind, count),
            _ => {}
        }
    }
}
