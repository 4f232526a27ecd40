//! Rules 12, 13: the state of a battle and its pending decision.
//!
//! The state contains only facts known to all participants. Ships are identified by their position
//! in the line of battle, never by number (rule 10).

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Seat, SeatSet, vocabulary, wire};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::shields::ShieldState;
use crate::tables::{Arm, Fleet, PLANETS_MAX, Place, PlanetId, ShipKind, StarId};

/// The position of a unit in the line of battle, from 0.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(transparent)]
pub struct UnitId(pub u16);

impl UnitId {
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The condition of a unit.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[wire(words = proto::Condition)]
pub enum Condition {
    #[default]
    #[wire(absent)]
    Fighting,
    Destroyed,
    Withdrawn,
}

vocabulary! {
    #[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    #[wire(words = proto::Side)]
    pub enum Side {
        /// The seat that moved or withdrew to the hex (BR-11).
        Attacker = "attacker",
        /// A seat that was already in the hex.
        Defender = "defender",
    }
}

impl Side {
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Attacker => Self::Defender,
            Self::Defender => Self::Attacker,
        }
    }

    pub const fn index(self) -> usize {
        self as usize
    }
}

/// A ship or base with its owner and condition.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::Unit, check = Self::has_valid_planet, with(Seat = crate::tables::numbers::seat))]
pub struct Unit {
    pub owner: Seat,
    pub arm: Arm,
    /// The planet of a base, by its position on the star's card. `None` for ships.
    #[wire(with = crate::tables::numbers::nth_if)]
    pub planet: Option<u8>,
    pub condition: Condition,
}

impl Unit {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "every check has this shape")]
    fn has_valid_planet(&self) -> wire::Result<()> {
        if self.planet.is_some() == matches!(self.arm, Arm::Ship(_)) {
            return wire::wrong_field(
                "planet",
                "required for bases and shields, not allowed for ships",
            );
        }
        Ok(())
    }

    pub fn is_fighting(&self) -> bool {
        self.condition == Condition::Fighting
    }

    pub const fn ship(&self) -> Option<ShipKind> {
        match self.arm {
            Arm::Ship(kind) => Some(kind),
            Arm::MissileBase | Arm::AdvancedMissileBase | Arm::Shield => None,
        }
    }
}

/// A shot of one unit at another.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::Shot)]
pub struct Shot {
    pub by: UnitId,
    pub at: UnitId,
}

/// The kind of battle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Subject {
    Ships,
    Colonies {
        /// The colonies attacked in this round, by their position on the star's card.
        planets: Vec<u8>,
    },
}

/// The decision that a battle waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BattleStage {
    /// The attacker chooses targets (rule 12.3 a).
    AttackerAims,
    /// These defenders choose targets (rule 12.3 b).
    DefendersAim { waiting: SeatSet },
    /// The attacker may withdraw ships (rule 12.7 iii), or must if there are no warships (12.7 ii).
    AttackerLeaves {
        /// Whether all ships must withdraw, which leaves only their destinations to choose.
        forced: bool,
    },
    /// Defenders may withdraw ships (rule 12.7 iv).
    DefenderLeaves {
        /// Defenders that have not decided yet. Empty before the first decision.
        waiting: SeatSet,
    },
    /// The opponent of this side chooses the hex of its withdrawal (rule 12.8).
    Refuge { leaving: Side },
    /// These owners may seize ships with the beams of shields that were not hit (space 1.1).
    Beams { waiting: SeatSet },
    /// These owners may destroy factories (rule 13.5).
    Scuttle { waiting: SeatSet },
    /// The attacker of colonies fights another round or breaks off (rule 13.4).
    GoesOn,
}

/// A battle between ships, or of ships against colonies.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::Battle, with(Seat = crate::tables::numbers::seat))]
pub struct Battle {
    pub at: Place,
    pub attacker: Seat,
    #[wire(part(colonies, planets))]
    pub subject: Subject,
    pub rounds: u16,
    pub units: Vec<Unit>,
    pub shots: Vec<Shot>,
    /// The hex for each side's withdrawals, once chosen (BR-12), by [`Side::index`].
    #[wire(each(refuge_of_attacker, refuge_of_defender))]
    pub refuges: [Option<Place>; 2],
    /// Withdrawing units, while their opponent chooses the hex.
    pub leaving: Vec<UnitId>,
    #[wire(part(stage, waiting))]
    pub stage: BattleStage,
    pub pursuits: Vec<Pursuit>,
    #[wire(most = PLANETS_MAX)]
    pub shields: Vec<ShieldState>,
    /// The last round of a raid or encounter (space 7.1, 9.1). `None` in other battles.
    #[wire(name = limit)]
    pub last_round: Option<u16>,
}

/// A battle after a withdrawal into a star hex (BR-11), fought if both sides are still there.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::Pursuit, with(Seat = crate::tables::numbers::seat))]
pub struct Pursuit {
    pub seat: Seat,
    pub at: Place,
}

impl Battle {
    pub(crate) fn new(at: Place, attacker: Seat, subject: Subject, units: Vec<Unit>) -> Self {
        Self {
            at,
            attacker,
            subject,
            rounds: 0,
            units,
            shots: Vec::new(),
            refuges: [None; 2],
            leaving: Vec::new(),
            stage: BattleStage::AttackerAims,
            pursuits: Vec::new(),
            shields: Vec::new(),
            last_round: None,
        }
    }

    pub fn unit(&self, id: UnitId) -> Option<&Unit> {
        self.units.get(id.index())
    }

    pub fn all(&self) -> impl Iterator<Item = (UnitId, &Unit)> {
        self.units.iter().enumerate().map(|(index, unit)| (UnitId(index as u16), unit))
    }

    pub fn side(&self, seat: Seat) -> Side {
        if seat == self.attacker { Side::Attacker } else { Side::Defender }
    }

    pub fn fighting(&self, side: Side) -> impl Iterator<Item = (UnitId, &Unit)> {
        self.all().filter(move |(_, unit)| unit.is_fighting() && self.side(unit.owner) == side)
    }

    pub fn takes_part(&self, unit: &Unit) -> bool {
        match (&self.subject, unit.planet) {
            (Subject::Colonies { planets }, Some(planet)) => planets.contains(&planet),
            _ => true,
        }
    }

    pub fn in_line(&self, side: Side) -> impl Iterator<Item = (UnitId, &Unit)> {
        self.fighting(side).filter(move |(_, unit)| self.takes_part(unit))
    }

    pub fn bases_of(&self, planet: u8) -> impl Iterator<Item = (UnitId, &Unit)> {
        self.all().filter(move |(_, unit)| unit.is_fighting() && unit.planet == Some(planet))
    }

    /// Returns the positions of these ships in `Power::engaged`.
    pub(crate) fn places_of(&self, seat: Seat, units: &[UnitId]) -> Vec<usize> {
        let ships = self.all().filter(|(_, unit)| unit.owner == seat && unit.planet.is_none());
        ships
            .enumerate()
            .filter(|(_, (id, _))| units.contains(id))
            .map(|(place, _)| place)
            .collect()
    }

    pub fn fleet(&self, side: Side) -> Fleet {
        self.fighting(side).filter_map(|(_, unit)| unit.ship()).collect()
    }

    pub fn participants(&self) -> SeatSet {
        self.units.iter().map(|unit| unit.owner).collect::<SeatSet>().with(self.attacker)
    }

    pub fn defenders(&self) -> SeatSet {
        self.fighting(Side::Defender).map(|(_, unit)| unit.owner).collect()
    }

    pub fn waits_for(&self) -> SeatSet {
        match self.stage {
            BattleStage::AttackerAims
            | BattleStage::AttackerLeaves { .. }
            | BattleStage::GoesOn
            | BattleStage::Refuge { leaving: Side::Defender } => SeatSet::one(self.attacker),
            BattleStage::Refuge { leaving: Side::Attacker } => self.defenders(),
            BattleStage::DefenderLeaves { waiting } if waiting.is_empty() => self.defenders(),
            BattleStage::DefendersAim { waiting }
            | BattleStage::DefenderLeaves { waiting }
            | BattleStage::Beams { waiting }
            | BattleStage::Scuttle { waiting } => waiting,
        }
    }

    pub(crate) fn set(&mut self, unit: UnitId, condition: Condition) {
        if let Some(unit) = self.units.get_mut(unit.index()) {
            unit.condition = condition;
        }
    }

    pub(crate) fn shields_after(&self, volleys: &[Volley], round: u16) -> Vec<ShieldState> {
        let mut shields = self.shields.clone();
        for shield in shields
            .iter_mut()
            .filter(|shield| shield.destroyed_in_round.is_none() && self.is_attacked(shield.planet))
        {
            let unit = self.shield_unit(shield.planet);
            let hits =
                volleys.iter().filter(|volley| volley.hit && Some(volley.shot.at) == unit).count();
            shield.apply_hits(hits, round);
        }
        shields
    }

    /// Returns the shields that a round destroys, given their states after the round.
    pub(crate) fn fallen(&self, after: &[ShieldState]) -> Vec<UnitId> {
        let fell = after.iter().zip(&self.shields).filter(|(after, before)| {
            after.destroyed_in_round.is_some() && before.destroyed_in_round.is_none()
        });
        fell.filter_map(|(after, _)| self.shield_unit(after.planet)).collect()
    }

    /// Returns the colonies attacked in this round.
    pub(crate) fn attacked(&self) -> Vec<PlanetId> {
        match (&self.subject, StarId::in_hex(self.at)) {
            (Subject::Colonies { planets }, Some(star)) => {
                planets.iter().map(|&nth| PlanetId { star, nth }).collect()
            }
            _ => Vec::new(),
        }
    }

    fn is_attacked(&self, planet: u8) -> bool {
        matches!(&self.subject, Subject::Colonies { planets } if planets.contains(&planet))
    }

    fn shield_unit(&self, planet: u8) -> Option<UnitId> {
        let shield = |unit: &Unit| {
            unit.is_fighting() && unit.arm == Arm::Shield && unit.planet == Some(planet)
        };
        self.all().find(|(_, unit)| shield(unit)).map(|(id, _)| id)
    }

    pub fn shield(&self, planet: u8) -> Option<&ShieldState> {
        self.shields.iter().find(|shield| shield.planet == planet)
    }

    pub fn is_sheltered(&self, unit: &Unit) -> bool {
        unit.arm != Arm::Shield
            && unit.planet.is_some_and(|planet| self.shield_unit(planet).is_some())
    }

    pub(crate) fn just_fell(&self, planet: u8) -> bool {
        self.shield(planet).is_some_and(|shield| shield.destroyed_in_round == Some(self.rounds))
    }

    /// Returns the shields that were not hit in the last round, if the attacker has a ship left to
    /// seize.
    pub(crate) fn beams(&self) -> impl Iterator<Item = (UnitId, &Unit)> {
        let prey = self.fighting(Side::Attacker).next().is_some();
        self.in_line(Side::Defender).filter(move |(_, unit)| {
            let dry = unit
                .planet
                .and_then(|planet| self.shield(planet))
                .is_some_and(|shield| shield.rounds_without_hit > 0);
            prey && unit.arm == Arm::Shield && dry
        })
    }
}

/// A fired shot and its result.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::Volley)]
pub struct Volley {
    pub shot: Shot,
    /// The dice. A die that was not rolled is 0.
    #[wire(with = crate::tables::numbers::dice)]
    pub dice: [u8; 2],
    /// The dice of the second shot (rule 12.6).
    #[wire(with = crate::tables::numbers::dice_if)]
    pub again: Option<[u8; 2]>,
    pub hit: bool,
}
