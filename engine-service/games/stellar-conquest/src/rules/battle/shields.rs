//! Space 1.1: planet shields that can be shot down, and their tractor beams. An option of every game.

use heliopause_kernel::SeatSet;
use heliopause_kernel::wire::Wire;
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::rules::battle::assault::after_bombardment;
use crate::rules::battle::combat::{fire, remove_ships, wait_for};
use crate::rules::campaign::seams::{after_limited_round, count_destroyed};
use crate::rules::judge::{Verdict, refuse};
use crate::rules::referee::Referee;
use crate::state::battle::{Battle, BattleStage, Shot, Side, Subject, Unit, UnitId};
use crate::state::event::{BattleEvent, OwnEvent, Volley};
use crate::state::power::Eyes;
use crate::tables::attack_table::Arm;
use crate::tables::cards::PlanetId;
use crate::tables::stars::StarId;

/// How a shield stands in the battle that is fought. After it, a shield that still stands is whole again.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::ShieldState)]
pub struct ShieldState {
    /// The planet, by its place on the star's card.
    #[wire(with = crate::wire::numbers::nth)]
    pub planet: u8,
    /// Damage points; the fourth destroys it.
    pub damage: u8,
    /// Rounds without a hit, one after the other.
    pub dry: u8,
    /// The round in which it was destroyed.
    pub fell: Option<u16>,
}

impl ShieldState {
    /// A shield that is whole.
    pub(crate) const fn new(planet: u8) -> Self {
        Self { planet, damage: 0, dry: 0, fell: None }
    }

    /// What a round with so many hits makes of it; rounds are counted from 1.
    pub(crate) fn struck(&mut self, hits: usize, round: u16) {
        match hits {
            0 => self.dry = self.dry.saturating_add(1),
            _ => self.dry = 0,
        }
        if (3..=4).contains(&hits) {
            self.damage += 1;
        }
        if hits >= 5 || self.damage >= 4 {
            self.fell = Some(round);
        }
    }

    /// Whether the attack on the colony is over for this turn: two rounds without a hit.
    pub const fn holds_out(&self) -> bool {
        self.dry >= 2 && self.fell.is_none()
    }
}

impl Battle {
    /// The shields that these shots of the round leave as they will be.
    pub(crate) fn shields_after(&self, volleys: &[Volley], round: u16) -> Vec<ShieldState> {
        let mut shields = self.shields.clone();
        for shield in shields.iter_mut().filter(|shield| shield.fell.is_none() && self.is_attacked(shield.planet)) {
            let unit = self.shield_unit(shield.planet);
            let hits = volleys.iter().filter(|volley| volley.hit && Some(volley.shot.at) == unit).count();
            shield.struck(hits, round);
        }
        shields
    }

    /// The shields that fall in a round, as units.
    pub(crate) fn fallen(&self, after: &[ShieldState]) -> Vec<UnitId> {
        let fell =
            after.iter().zip(&self.shields).filter(|(after, before)| after.fell.is_some() && before.fell.is_none());
        fell.filter_map(|(after, _)| self.shield_unit(after.planet)).collect()
    }

    /// Whether the round goes against a planet.
    fn is_attacked(&self, planet: u8) -> bool {
        matches!(&self.subject, Subject::Colonies { planets } if planets.contains(&planet))
    }

    /// The unit that is the shield of a planet, while it stands.
    fn shield_unit(&self, planet: u8) -> Option<UnitId> {
        let shield = |unit: &Unit| unit.is_fighting() && unit.arm == Arm::Shield && unit.planet == Some(planet);
        self.all().find(|(_, unit)| shield(unit)).map(|(id, _)| id)
    }

    /// How the shield of a planet stands, if it has one that can be shot down.
    pub fn shield(&self, planet: u8) -> Option<&ShieldState> {
        self.shields.iter().find(|shield| shield.planet == planet)
    }

    /// Whether a unit stands under a shield, so that nobody can fire at it.
    pub fn is_sheltered(&self, unit: &Unit) -> bool {
        unit.arm != Arm::Shield && unit.planet.is_some_and(|planet| self.shield_unit(planet).is_some())
    }

    /// Whether a shield fell in the round that was just fought, so that its owner has still to say what they destroy.
    pub(crate) fn just_fell(&self, planet: u8) -> bool {
        self.shield(planet).is_some_and(|shield| shield.fell == Some(self.rounds))
    }

    /// The shields whose beams may be used after the round that was fought: no shot hit them, and somebody is left to seize.
    pub(crate) fn beams(&self) -> impl Iterator<Item = (UnitId, &Unit)> {
        let prey = self.fighting(Side::Attacker).next().is_some();
        self.in_line(Side::Defender).filter(move |(_, unit)| {
            let dry = unit.planet.and_then(|planet| self.shield(planet)).is_some_and(|shield| shield.dry > 0);
            prey && unit.arm == Arm::Shield && dry
        })
    }
}

impl Eyes<'_> {
    /// Space 1.1: a beam seizes one ship of the attacker.
    pub(crate) fn judge_beam(&self, battle: &Battle, shot: Shot) -> Verdict {
        let own = battle.beams().find(|(id, _)| *id == shot.by).filter(|(_, unit)| unit.owner == self.seat);
        if own.is_none() {
            return refuse("no-beam", "space-1.1", "That is no shield of yours that was not hit in this round.");
        }
        let prey = battle.fighting(Side::Attacker).any(|(id, unit)| id == shot.at && unit.ship().is_some());
        if !prey {
            return refuse("no-prey", "space-1.1", "A tractor beam seizes one of the attacking ships.");
        }
        Ok(())
    }

    /// One ship each, the most dangerous first.
    pub(crate) fn beams_by_policy(&self, battle: &Battle) -> Vec<Shot> {
        let mut prey: Vec<(UnitId, Arm)> = battle.fighting(Side::Attacker).map(|(id, unit)| (id, unit.arm)).collect();
        prey.sort_by_key(|&(id, arm)| (std::cmp::Reverse(crate::rules::battle::fire::danger(arm)), id));
        let own = battle.beams().filter(|(_, unit)| unit.owner == self.seat);
        own.zip(prey).map(|((by, _), (at, _))| Shot { by, at }).collect()
    }
}

/// After a round against colonies: first the beams of shields that were not hit.
pub(crate) fn after_assault(referee: &mut Referee<'_>) {
    let waiting: SeatSet = referee.battle().beams().map(|(_, unit)| unit.owner).collect();
    if waiting.is_empty() {
        after_beams(referee);
    } else {
        wait_for(referee, BattleStage::Beams { waiting });
    }
}

/// An owner's beams seize ships, or none.
pub(crate) fn seize(referee: &mut Referee<'_>, shots: &[Shot], waiting: SeatSet) {
    if !shots.is_empty() {
        let battle = referee.battle().clone();
        let mut destroyed: Vec<UnitId> = Vec::new();
        let mut volleys = Vec::with_capacity(shots.len());
        for &shot in shots {
            let volley = fire(referee, &battle, shot, destroyed.contains(&shot.at));
            if volley.hit {
                destroyed.push(shot.at);
            }
            volleys.push(volley);
        }
        destroyed.sort_unstable();
        referee.report_battle(BattleEvent::Seized { volleys: volleys.clone(), destroyed: destroyed.clone() });
        count_destroyed(referee, &battle, &volleys, &destroyed);
        remove_ships(referee, &battle, &destroyed);
    }
    if waiting.is_empty() {
        after_beams(referee);
    } else {
        wait_for(referee, BattleStage::Beams { waiting });
    }
}

/// BR-26: an attack that is broken off may be resumed, and then rounds without a hit go on being counted.
pub(crate) fn remember_shields(referee: &mut Referee<'_>) {
    let battle = referee.battle();
    let (attacker, star) = (battle.attacker, StarId::in_hex(battle.at));
    let standing = battle.shields.iter().filter(|shield| shield.fell.is_none() && !shield.holds_out());
    let rounds: Vec<(u8, u8)> = standing.map(|shield| (shield.planet, shield.dry)).collect();
    for (nth, rounds) in rounds {
        let Some(planet) = star.map(|star| PlanetId { star, nth }) else { continue };
        if rounds > 0 || referee.power(attacker).faltered.contains(&planet) {
            referee.whisper(OwnEvent::Repelled { seat: attacker, planet, rounds });
        }
    }
}

/// Colonies whose shields hold out are attacked no more in this turn.
fn after_beams(referee: &mut Referee<'_>) {
    let battle = referee.battle();
    let (attacker, star) = (battle.attacker, StarId::in_hex(battle.at));
    let out = |shield: &&ShieldState| shield.holds_out();
    let held: Vec<u8> = battle.shields.iter().filter(out).map(|shield| shield.planet).collect();
    for nth in held {
        let Some(planet) = star.map(|star| PlanetId { star, nth }) else { continue };
        if !referee.power(attacker).repelled.contains(&planet) {
            referee.whisper(OwnEvent::Repelled { seat: attacker, planet, rounds: 2 });
        }
    }
    if referee.battle().limit.is_some() {
        after_limited_round(referee);
    } else {
        after_bombardment(referee);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(rounds: &[usize]) -> ShieldState {
        let mut shield = ShieldState::new(0);
        for (round, &hits) in (1..).zip(rounds) {
            shield.struck(hits, round);
        }
        shield
    }

    #[test]
    fn space_1_1_dt_02_dt_03_hits_of_a_round_decide() {
        assert_eq!(after(&[5]).fell, Some(1));
        assert_eq!(after(&[3, 4, 2, 3]).fell, None);
        assert_eq!(after(&[3, 4, 2, 3, 3]).fell, Some(5));
        assert_eq!(after(&[2, 1, 2]), ShieldState::new(0));
    }

    #[test]
    fn space_1_1_dt_05_only_two_rounds_without_a_hit_in_a_row_end_the_attack() {
        assert!(!after(&[0, 1, 0]).holds_out());
        assert!(after(&[1, 0, 0]).holds_out());
    }
}
