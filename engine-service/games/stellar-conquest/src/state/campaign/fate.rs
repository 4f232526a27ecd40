//! The Fate of Empire: its public state, and what happens in it.

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Seat, vocabulary, wire};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::tables::board::{Direction, Place};
use crate::tables::cards::{PlanetId, PlanetType};
use crate::tables::fate::{Cell, RandomEvent};
use crate::tables::ships::{Fleet, ShipKind};
use crate::tables::stars::StarId;

/// At which step of a turn ships are withdrawn (3).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RecallStep {
    /// Step 1, when the event demands it.
    Event,
    /// Step 6b, when a debt can be paid.
    Debt,
}

/// An independent planet that was discovered (6.5).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::IndependentFound)]
pub struct Found {
    pub planet: PlanetId,
    pub turn: u8,
}

/// The public state of the campaign.
#[derive(Wire, Clone, PartialEq, Eq, Debug, Default)]
#[wire(message = proto::Fate, or_default, check = Self::finds_once)]
pub struct Fate {
    /// The full-scale war between the Empire and the Twelve Kingdoms (4.2 G).
    pub war: bool,
    /// The turn in which the Captaincy-General became a Sub-Province (4.2 D).
    #[wire(name = sub_province_since)]
    pub sub_province: Option<u8>,
    /// What must still be withdrawn, in half ship points (4.4).
    #[wire(name = debt_half_points)]
    pub debt: u32,
    /// Independent planets with the turn of their discovery, by planet (6.5). One that lost its
    /// independence stays listed.
    #[wire(with = crate::wire::lists::sorted)]
    pub found: Vec<Found>,
    /// Where the Sub-Terran Prime and the Terran Prime are (6.4).
    #[wire(each(sub_terran_prime, terran_prime))]
    pub primes: [Option<PlanetId>; 2],
    /// Pirate ships destroyed (7.8).
    #[wire(name = pirates_destroyed)]
    pub destroyed: Fleet,
    /// Imperial ships destroyed by any cause (11).
    #[wire(name = ships_lost)]
    pub lost: Fleet,
}

/// What happened in the campaign. All of it is public.
#[derive(Wire, Clone, PartialEq, Debug)]
#[wire(kinds = proto::fate_event::Kind, message = proto::FateEvent, with(Seat = crate::wire::numbers::seat))]
pub enum FateEvent {
    /// 4.1: the dice for the random event, and what they mean.
    EventRolled {
        /// The red die.
        #[wire(check = crate::wire::numbers::die)]
        red: u8,
        /// The white die.
        #[wire(check = crate::wire::numbers::die)]
        white: u8,
        /// What the table says.
        event: RandomEvent,
        /// Whether it has any effect: A to F have none in a full-scale war, D only once.
        effective: bool,
        /// Ships that it brings, or 0.
        ships: u8,
        /// Ship points that must be withdrawn, or 0.
        points: u8,
    },
    /// 4.2: a full-scale war began or ended.
    WarChanged {
        /// Whether there is one now.
        war: bool,
    },
    /// 4.2 D: the Captaincy-General is a Sub-Province from this turn on.
    Elevated { turn: u8 },
    /// 4.4: what must still be withdrawn, as it is now.
    DebtChanged {
        /// In half ship points.
        half_points: u32,
    },
    /// 5.1, 5.2: where the Swarms look.
    SwarmsSought {
        /// The red die.
        #[wire(check = crate::wire::numbers::die)]
        red: u8,
        /// The white die.
        #[wire(check = crate::wire::numbers::die)]
        white: u8,
        star: StarId,
        /// The orbit, if the Captain-General holds a planet there.
        orbit: Option<u8>,
    },
    /// 5.3: a planet is attacked by Swarms.
    SwarmsStruck {
        planet: PlanetId,
        /// The die for their strength.
        #[wire(check = crate::wire::numbers::die)]
        die: u8,
        factors: u16,
        /// Factors that ships, bases or a shield stopped.
        stopped: u16,
    },
    /// 6.2: the dice for a planet, and what the Planet Table says.
    PlanetRolled {
        planet: PlanetId,
        /// The red die.
        #[wire(check = crate::wire::numbers::die)]
        red: u8,
        /// The white die.
        #[wire(check = crate::wire::numbers::die)]
        white: u8,
        /// What the rest of the campaign makes of it: the table's cell, empty if it is a Prime of a
        /// type that was found before.
        cell: Cell,
    },
    /// 6.2: an independent planet was found.
    IndependentFound { planet: PlanetId, turn: u8 },
    /// 6.5: the die for a pirate at an independent planet's star.
    PirateDie {
        star: StarId,
        /// The die; 1 and 2 bring a corvette.
        #[wire(check = crate::wire::numbers::die)]
        die: u8,
    },
    /// 7.5: the die for the hex into which the Captain-General's ships withdraw. Off the board it
    /// is rolled again.
    DirectionRolled {
        /// The battle's hex.
        at: Place,
        #[wire(name = die)]
        direction: Direction,
    },
    /// 7.6: whether pirates disengage.
    DisengagementRolled {
        /// The battle's hex.
        at: Place,
        /// The difference in ship points.
        difference: i32,
        #[wire(check = crate::wire::numbers::die)]
        die: u8,
        /// Whether they leave the game.
        leave: bool,
    },
    /// 7.8, 11: ships that count for victory points were destroyed.
    Counted {
        /// Pirates, or the Captain-General.
        #[wire(name = seat)]
        of: Seat,
        kind: ShipKind,
        #[wire(check = crate::wire::numbers::count_of_ships)]
        count: u32,
    },
}

impl Fate {
    fn finds_once(&self) -> wire::Result<()> {
        if self.found.windows(2).any(|pair| pair[0].planet == pair[1].planet) {
            return wire::wrong_field("found", "a planet is listed twice");
        }
        Ok(())
    }

    /// The Captain-General's seat.
    pub fn captain() -> Seat {
        Seat::at(0)
    }

    /// The pirates' seat.
    pub fn pirates() -> Seat {
        Seat::at(1)
    }

    /// The independents' seat.
    pub fn independents() -> Seat {
        Seat::at(2)
    }

    /// The place in [`Fate::primes`] of a type that can be a Prime planet (6.4).
    pub const fn prime_slot(kind: PlanetType) -> Option<usize> {
        match kind {
            PlanetType::SubTerran => Some(0),
            PlanetType::Terran => Some(1),
            PlanetType::MinimalTerran | PlanetType::Barren => None,
        }
    }

    /// Whether a planet is a Prime.
    pub fn is_prime(&self, planet: PlanetId) -> bool {
        self.primes.contains(&Some(planet))
    }

    /// The turn in which an independent planet was discovered.
    pub fn found_in(&self, planet: PlanetId) -> Option<u8> {
        self.found.iter().find(|found| found.planet == planet).map(|found| found.turn)
    }
}

vocabulary! {
    /// How a campaign ended (11), the worst first.
    #[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    #[wire(words = proto::VictoryLevel)]
    pub enum Level {
        /// 99 points or less.
        Defeat = "defeat",
        /// 100 to 199.
        Marginal = "marginal victory",
        /// 200 to 299.
        Substantial = "substantial victory",
        /// 300 and more.
        Decisive = "decisive victory",
    }
}

impl Fate {
    /// 4.2: whether an event changes anything now.
    pub(crate) fn is_effective(&self, event: RandomEvent) -> bool {
        let again = event == RandomEvent::SubProvince && self.sub_province.is_some();
        event != RandomEvent::None && !again && !(self.war && event.needs_no_war())
    }

    /// 4.2 D, G, FR-22: whether the Sub-Province's regular corvette arrives in a turn.
    pub(crate) fn is_supplied(&self, turn: u8) -> bool {
        self.sub_province.is_some_and(|since| since < turn) && turn.is_multiple_of(2) && !self.war
    }

    pub(crate) fn apply(&mut self, event: &FateEvent) {
        match *event {
            FateEvent::WarChanged { war } => self.war = war,
            FateEvent::Elevated { turn } => self.sub_province = Some(turn),
            FateEvent::DebtChanged { half_points } => self.debt = half_points,
            FateEvent::PlanetRolled { planet, cell, .. } => {
                // 6.4: only the two Prime cells are, and their people tell which type it is.
                if cell.prime {
                    let slot = usize::from(cell.population > 40);
                    self.primes[slot] = self.primes[slot].or(Some(planet));
                }
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
            FateEvent::EventRolled { .. }
            | FateEvent::SwarmsSought { .. }
            | FateEvent::SwarmsStruck { .. }
            | FateEvent::PirateDie { .. }
            | FateEvent::DirectionRolled { .. }
            | FateEvent::DisengagementRolled { .. } => {}
        }
    }
}
