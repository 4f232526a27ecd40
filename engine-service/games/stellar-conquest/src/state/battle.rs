//! Rules 12, 13: a battle that is being fought, and who owes which decision in it.
//!
//! Battles are public unless the options keep them private (10), so this holds nothing that those
//! who fight do not know: ships are named by their place in the line of battle, never by their
//! numbers.

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Seat, SeatSet, vocabulary, wire};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::shields::ShieldState;
use crate::tables::attack_table::Arm;
use crate::tables::board::Place;
use crate::tables::ships::{Fleet, ShipKind};
use crate::tables::stars::PLANETS_MAX;

/// A ship or base in a battle, by its place in the line.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(transparent)]
pub struct UnitId(pub u16);

impl UnitId {
    /// The array index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What became of a unit.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[wire(words = proto::Condition)]
pub enum Condition {
    /// It fights.
    #[default]
    #[wire(absent)]
    Fighting,
    Destroyed,
    /// It withdrew.
    Withdrawn,
}

vocabulary! {
    /// The sides of a battle.
    #[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    #[wire(words = proto::Side)]
    pub enum Side {
        /// Who moved there, or withdrew into it (BR-11).
        Attacker = "attacker",
        /// Who stood there.
        Defender = "defender",
    }
}

impl Side {
    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Attacker => Self::Defender,
            Self::Defender => Self::Attacker,
        }
    }

    /// The array index.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// A ship or base in a battle.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::Unit, check = Self::stands_where_it_can, with(Seat = crate::wire::numbers::seat))]
pub struct Unit {
    pub owner: Seat,
    pub arm: Arm,
    /// The planet on which a base stands, by its place on the star's card; nothing for ships.
    #[wire(with = crate::wire::numbers::nth_if)]
    pub planet: Option<u8>,
    /// What became of it.
    pub condition: Condition,
}

impl Unit {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "every check has this shape")]
    fn stands_where_it_can(&self) -> wire::Result<()> {
        if self.planet.is_some() == matches!(self.arm, Arm::Ship(_)) {
            return wire::wrong_field(
                "planet",
                "bases and shields stand on a planet, ships on none",
            );
        }
        Ok(())
    }

    /// Whether it still fights.
    pub fn is_fighting(&self) -> bool {
        self.condition == Condition::Fighting
    }

    /// Its kind, if it is a ship.
    pub const fn ship(&self) -> Option<ShipKind> {
        match self.arm {
            Arm::Ship(kind) => Some(kind),
            Arm::MissileBase | Arm::AdvancedMissileBase | Arm::Shield => None,
        }
    }
}

/// A shot: who fires at whom.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::Shot)]
pub struct Shot {
    /// Who fires.
    pub by: UnitId,
    pub at: UnitId,
}

/// What a battle is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Subject {
    /// Ships against ships (12).
    Ships,
    /// Ships against the bases of colonies (13).
    Colonies {
        /// The colonies attacked in this round, by their place on the star's card.
        planets: Vec<u8>,
    },
}

/// The decision that a battle waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BattleStage {
    /// The attacker says at what their warships fire (12.3 a).
    AttackerAims,
    /// These defenders say at what their ships or bases fire (12.3 b).
    DefendersAim {
        /// Those who have not said so yet.
        waiting: SeatSet,
    },
    /// The attacker withdraws any of their ships, or none (12.7 iii). If no side has a warship, all
    /// of them (12.7 ii).
    AttackerLeaves {
        /// Whether there is no choice but where they are bound for.
        forced: bool,
    },
    /// These defenders do (12.7 iv).
    DefenderLeaves {
        /// Those who have not said so yet; if it is empty, nobody has.
        waiting: SeatSet,
    },
    /// The opponent of a side that withdraws chooses the hex (12.8).
    Refuge {
        /// The side that withdraws.
        leaving: Side,
    },
    /// These owners may seize ships with the beams of shields that no shot has hit (space 1.1).
    Beams {
        /// Those who have not said so yet.
        waiting: SeatSet,
    },
    /// These owners may destroy factories of colonies that were attacked and not conquered (13.5).
    Scuttle {
        /// Those who have not said so yet.
        waiting: SeatSet,
    },
    /// The attacker of colonies fights another round, or breaks off (13.4).
    GoesOn,
}

/// A battle.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::Battle, with(Seat = crate::wire::numbers::seat))]
pub struct Battle {
    /// The star hex.
    pub at: Place,
    /// Who attacks.
    pub attacker: Seat,
    /// What it is about.
    #[wire(part(colonies, planets))]
    pub subject: Subject,
    /// Rounds fought so far.
    pub rounds: u16,
    /// Everything that takes or took part.
    pub units: Vec<Unit>,
    /// The shots shown in this round so far (12.3).
    pub shots: Vec<Shot>,
    /// Where each side withdraws to, once its opponent has chosen (BR-12); by [`Side::index`].
    #[wire(each(refuge_of_attacker, refuge_of_defender))]
    pub refuges: [Option<Place>; 2],
    /// Units that have said they withdraw, while their opponent chooses the hex.
    pub leaving: Vec<UnitId>,
    /// The decision that it waits for.
    #[wire(part(stage, waiting))]
    pub stage: BattleStage,
    /// BR-11: who attacks where after it.
    pub pursuits: Vec<Pursuit>,
    /// Space 1.1: the shields that it shows.
    #[wire(most = PLANETS_MAX)]
    pub shields: Vec<ShieldState>,
    /// The round with which it ends whatever comes: encounters and raids are short (space 7.1,
    /// 9.1).
    pub limit: Option<u16>,
}

/// BR-11: a battle that follows another one, because ships withdrew into a star hex: it is fought
/// if both sides still are there.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::Pursuit, with(Seat = crate::wire::numbers::seat))]
pub struct Pursuit {
    /// Who attacks.
    pub seat: Seat,
    /// The star hex.
    pub at: Place,
}

impl Battle {
    /// As it begins: the attacker aims first.
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
            limit: None,
        }
    }

    /// A unit.
    pub fn unit(&self, id: UnitId) -> Option<&Unit> {
        self.units.get(id.index())
    }

    /// Every unit with its id.
    pub fn all(&self) -> impl Iterator<Item = (UnitId, &Unit)> {
        self.units.iter().enumerate().map(|(index, unit)| (UnitId(index as u16), unit))
    }

    /// The side of a seat; whoever does not attack defends.
    pub fn side(&self, seat: Seat) -> Side {
        if seat == self.attacker { Side::Attacker } else { Side::Defender }
    }

    /// The units of a side that still fight.
    pub fn fighting(&self, side: Side) -> impl Iterator<Item = (UnitId, &Unit)> {
        self.all().filter(move |(_, unit)| unit.is_fighting() && self.side(unit.owner) == side)
    }

    /// 13.4: whether a unit takes part in the round that is fought: every ship, and the bases of
    /// the colonies attacked in this round.
    pub fn takes_part(&self, unit: &Unit) -> bool {
        match (&self.subject, unit.planet) {
            (Subject::Colonies { planets }, Some(planet)) => planets.contains(&planet),
            _ => true,
        }
    }

    /// The units of a side that fire and are fired at in this round.
    pub fn in_line(&self, side: Side) -> impl Iterator<Item = (UnitId, &Unit)> {
        self.fighting(side).filter(move |(_, unit)| self.takes_part(unit))
    }

    /// The bases of a colony that still stand.
    pub fn bases_of(&self, planet: u8) -> impl Iterator<Item = (UnitId, &Unit)> {
        self.all().filter(move |(_, unit)| unit.is_fighting() && unit.planet == Some(planet))
    }

    /// The ships of a seat among these units, by their place among all its ships in the line, which
    /// is that in `Power::engaged`.
    pub(crate) fn places_of(&self, seat: Seat, units: &[UnitId]) -> Vec<usize> {
        let ships = self.all().filter(|(_, unit)| unit.owner == seat && unit.planet.is_none());
        ships
            .enumerate()
            .filter(|(_, (id, _))| units.contains(id))
            .map(|(place, _)| place)
            .collect()
    }

    /// The ships of a side that still fight.
    pub fn fleet(&self, side: Side) -> Fleet {
        self.fighting(side).filter_map(|(_, unit)| unit.ship()).collect()
    }

    /// Everybody who takes part.
    pub fn participants(&self) -> SeatSet {
        self.units.iter().map(|unit| unit.owner).collect::<SeatSet>().with(self.attacker)
    }

    /// The defending seats that still have something there.
    pub fn defenders(&self) -> SeatSet {
        self.fighting(Side::Defender).map(|(_, unit)| unit.owner).collect()
    }

    /// Who owes the decision that it waits for.
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

    /// The shields that these shots of the round leave as they will be.
    pub(crate) fn shields_after(&self, volleys: &[Volley], round: u16) -> Vec<ShieldState> {
        let mut shields = self.shields.clone();
        for shield in shields
            .iter_mut()
            .filter(|shield| shield.fell.is_none() && self.is_attacked(shield.planet))
        {
            let unit = self.shield_unit(shield.planet);
            let hits =
                volleys.iter().filter(|volley| volley.hit && Some(volley.shot.at) == unit).count();
            shield.struck(hits, round);
        }
        shields
    }

    /// The shields that fall in a round, as units.
    pub(crate) fn fallen(&self, after: &[ShieldState]) -> Vec<UnitId> {
        let fell = after
            .iter()
            .zip(&self.shields)
            .filter(|(after, before)| after.fell.is_some() && before.fell.is_none());
        fell.filter_map(|(after, _)| self.shield_unit(after.planet)).collect()
    }

    /// Whether the round goes against a planet.
    fn is_attacked(&self, planet: u8) -> bool {
        matches!(&self.subject, Subject::Colonies { planets } if planets.contains(&planet))
    }

    /// The unit that is the shield of a planet, while it stands.
    fn shield_unit(&self, planet: u8) -> Option<UnitId> {
        let shield = |unit: &Unit| {
            unit.is_fighting() && unit.arm == Arm::Shield && unit.planet == Some(planet)
        };
        self.all().find(|(_, unit)| shield(unit)).map(|(id, _)| id)
    }

    /// How the shield of a planet stands, if it has one that can be shot down.
    pub fn shield(&self, planet: u8) -> Option<&ShieldState> {
        self.shields.iter().find(|shield| shield.planet == planet)
    }

    /// Whether a unit stands under a shield, so that nobody can fire at it.
    pub fn is_sheltered(&self, unit: &Unit) -> bool {
        unit.arm != Arm::Shield
            && unit.planet.is_some_and(|planet| self.shield_unit(planet).is_some())
    }

    /// Whether a shield fell in the round that was just fought, so that its owner has still to say
    /// what they destroy.
    pub(crate) fn just_fell(&self, planet: u8) -> bool {
        self.shield(planet).is_some_and(|shield| shield.fell == Some(self.rounds))
    }

    /// The shields whose beams may be used after the round that was fought: no shot hit them, and
    /// somebody is left to seize.
    pub(crate) fn beams(&self) -> impl Iterator<Item = (UnitId, &Unit)> {
        let prey = self.fighting(Side::Attacker).next().is_some();
        self.in_line(Side::Defender).filter(move |(_, unit)| {
            let dry = unit
                .planet
                .and_then(|planet| self.shield(planet))
                .is_some_and(|shield| shield.dry > 0);
            prey && unit.arm == Arm::Shield && dry
        })
    }
}

/// A shot that was fired, and what came of it.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::Volley)]
pub struct Volley {
    /// Who fired at whom.
    pub shot: Shot,
    /// What the dice showed; 0 where none was rolled.
    #[wire(with = crate::wire::numbers::dice)]
    pub dice: [u8; 2],
    /// What they showed when it fired once more (12.6).
    #[wire(with = crate::wire::numbers::dice_if)]
    pub again: Option<[u8; 2]>,
    /// Whether it hit.
    pub hit: bool,
}
