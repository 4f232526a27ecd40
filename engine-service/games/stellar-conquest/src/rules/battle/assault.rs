//! Rule 13: attacks on colonies.

use heliopause_kernel::{Seat, SeatSet};

use crate::rules::battle::combat::{advance_battle, open_battle, wait_for};
use crate::rules::battle::shields::remember_shields;
use crate::rules::battle::withdrawal::end_battle;
use crate::rules::colonies::change_colony;
use crate::rules::conquest::conquer;
use crate::rules::inspection::survey;
use crate::rules::judge::{Verdict, refuse};
use crate::rules::referee::Referee;
use crate::state::battle::{Battle, BattleStage, Condition, Side, Subject, Unit};
use crate::state::colony::Colony;
use crate::state::event::{BattleEvent, Change, Event};
use crate::state::order::Factories;
use crate::state::power::{ColonySeen, Eyes, Power};
use crate::state::shields::ShieldState;
use crate::state::table::Stage;
use crate::tables::attack_table::Arm;
use crate::tables::cards::PlanetId;
use crate::tables::stars::{PLANETS_MAX, StarId};

impl Power {
    /// 13.1, BR-26: whether the attack on a star is over, since another one was attacked afterwards.
    fn has_turned_from(&self, star: StarId) -> bool {
        self.attacked.contains(&star) && self.attacked.last() != Some(&star)
    }
}

impl Eyes<'_> {
    /// 13.1, 13.2: a warship in the hex, no enemy ships, no shield, colonies that are known and not held by this seat.
    pub(crate) fn judge_attack(&self, planets: &[PlanetId]) -> Verdict {
        let Some(star) = planets.first().map(|planet| planet.star) else {
            return refuse("no-colonies", "13.1", "Name at least one colony.");
        };
        if self.table.stage == Stage::Battle {
            let battle = self.asked_in_battle("13.4")?;
            if battle.stage != BattleStage::GoesOn || battle.at != star.at() {
                return refuse("wrong-step", "13.4", "Only the attack that is under way can go on.");
            }
        } else {
            self.may_act(Stage::Planets, "13")?;
            if self.power.landing {
                return refuse("landing-began", "4", "You have begun to land: the attacks of this turn are over.");
            }
            if self.power.has_turned_from(star) {
                return refuse("attack-over", "BR-26", format!("You have left {star} for another star."));
            }
        }
        if planets.len() > PLANETS_MAX || planets.iter().any(|planet| planet.star != star) {
            return refuse("not-one-star", "13.1", "Colonies are attacked in one hex at a time.");
        }
        if !self.power.has_warship_at(star.at(), &self.table.options) {
            return refuse("no-warship", "13.1", format!("You have no warship at {star}."));
        }
        if self.table.meets_enemies(self.seat, star.at()) {
            return refuse("enemy-ships", "13.1", "Enemy ships are still in the hex.");
        }
        for (nth, planet) in planets.iter().enumerate() {
            if planets[..nth].contains(planet) {
                return refuse("named-twice", "13.1", "A colony is named twice.");
            }
            self.judge_target(*planet)?;
        }
        Ok(())
    }

    fn judge_target(&self, planet: PlanetId) -> Verdict {
        let seen = self.power.chart(planet.star).colonies.get(usize::from(planet.nth)).copied().flatten();
        let target =
            |seen: &ColonySeen| self.table.campaign.is_target(self.seat, seen.owner, seen.conqueror, planet.star.at());
        let Some(seen) = seen.filter(target) else {
            let holder = seen.map(|seen| seen.conqueror.unwrap_or(seen.owner));
            self.judge_hostility(holder, planet.star)?;
            return refuse("no-such-colony", "13.1", "You know of no enemy colony there.");
        };
        if self.power.prize(planet).is_some() {
            return refuse("held-already", "13.1", "You hold that colony already.");
        }
        if seen.shield && !self.table.options.attackable_shields {
            return refuse("shielded", "13.2", "A planet shield protects that colony.");
        }
        if self.power.repelled.contains(&planet) {
            let message = "Two rounds without a hit on its shield end the attack on that colony for this turn.";
            return refuse("repelled", "space-1.1", message);
        }
        Ok(())
    }

    pub(crate) fn judge_break_off(&self) -> Verdict {
        let battle = self.asked_in_battle("13.4")?;
        if battle.stage == BattleStage::GoesOn {
            return Ok(());
        }
        refuse("wrong-step", "13.4", "An attack is broken off between rounds.")
    }

    pub(crate) fn judge_scuttle(&self, factories: &[Factories]) -> Verdict {
        let battle = self.asked_in_battle("13.5")?;
        if !matches!(battle.stage, BattleStage::Scuttle { .. }) {
            return refuse("wrong-step", "13.5", "Factories are destroyed after a round.");
        }
        for (nth, &Factories { planet, count }) in factories.iter().enumerate() {
            if factories[..nth].iter().any(|other| other.planet == planet) {
                return refuse("named-twice", "13.5", "A colony is named twice.");
            }
            let Some(colony) = self.under_attack(battle).find(|colony| colony.planet == planet) else {
                return refuse("not-attacked", "13.5", "That is no colony of yours that was attacked in this round.");
            };
            if count == 0 || count > colony.factories {
                let message = format!("There are {} factories.", colony.factories);
                return refuse("no-such-factories", "13.5", message);
            }
        }
        Ok(())
    }

    /// 13.5: this seat's colonies that were attacked in the round that was fought and not conquered.
    pub(crate) fn under_attack(&self, battle: &Battle) -> impl Iterator<Item = &Colony> {
        let attacked = match (&battle.subject, StarId::in_hex(battle.at)) {
            (Subject::Colonies { planets }, Some(star)) => {
                planets.iter().map(|&nth| PlanetId { star, nth }).collect::<Vec<PlanetId>>()
            }
            _ => Vec::new(),
        };
        let colonies = self.power.colonies.iter();
        colonies.filter(move |colony| colony.is_free() && attacked.contains(&colony.planet))
    }
}

/// 13.3: begins an attack, or its next round; a colony without bases is conquered at once.
pub(crate) fn attack(referee: &mut Referee<'_>, seat: Seat, planets: &[PlanetId]) {
    let Some(star) = planets.first().map(|planet| planet.star) else { return };
    let real = planets.iter().copied().filter(|&planet| can_be_attacked(referee, seat, planet));
    let planets: Vec<u8> = real.map(|planet| planet.nth).collect();
    if referee.table().battle.is_none() {
        if planets.is_empty() {
            // What was known is out of date (BR-11 brings ships to stars that they do not explore).
            return survey(referee, seat, star, &[]);
        }
        let subject = Subject::Colonies { planets: Vec::new() };
        open_battle(referee, &[seat], Battle::new(star.at(), seat, subject, Vec::new()));
    }
    attack_round(referee, star, planets);
    advance_battle(referee);
}

/// Whether a colony is what the attacker takes it for.
fn can_be_attacked(referee: &Referee<'_>, seat: Seat, planet: PlanetId) -> bool {
    referee.owner_of(planet).is_some_and(|(owner, colony)| {
        let open = !colony.shield || referee.table().options.attackable_shields;
        let conqueror = colony.conqueror();
        let target = referee.table().campaign.is_target(seat, owner, conqueror, planet.star.at());
        target && open && conqueror != Some(seat)
    })
}

/// 13.3: shows the bases of the colonies that a round is fought against. Those without any are conquered.
fn attack_round(referee: &mut Referee<'_>, star: StarId, planets: Vec<u8>) {
    let battle = referee.battle();
    let hidden = |nth: &&u8| !battle.units.iter().any(|unit| unit.planet == Some(**nth));
    let new: Vec<u8> = planets.iter().filter(hidden).copied().collect();
    let bases: Vec<Unit> = new.into_iter().flat_map(|nth| bases_at(referee, PlanetId { star, nth })).collect();
    let before = referee.battle().participants();
    let owners: SeatSet = bases.iter().map(|unit| unit.owner).collect();
    let newcomers = owners.difference(before);
    if referee.table().options.private_battles && !newcomers.is_empty() {
        // Who is attacked only now has not been told of the battle yet.
        let battle = referee.battle().clone();
        referee.confide(newcomers, Event::Battle(BattleEvent::BattleBegan { battle }));
    }
    let attacked = planets.clone();
    let attacker = referee.battle().attacker;
    let faltered = referee.power(attacker).faltered.iter().filter(|planet| planet.star == star);
    let faltered = faltered.map(|planet| planet.nth).filter(|nth| planets.contains(nth)).collect();
    referee.report(before.union(owners), BattleEvent::ColoniesAttacked { planets, bases, faltered });
    for &nth in &attacked {
        if referee.battle().bases_of(nth).next().is_none() {
            conquer(referee, PlanetId { star, nth }, attacker);
        }
    }
    if referee.battle().in_line(Side::Defender).next().is_some() {
        wait_for(referee, BattleStage::AttackerAims);
    } else {
        end_battle(referee);
    }
}

/// The bases of a colony, missile bases first, and its shield.
pub(crate) fn bases_at(referee: &Referee<'_>, planet: PlanetId) -> Vec<Unit> {
    let Some((owner, colony)) = referee.owner_of(planet) else { return Vec::new() };
    let unit = |arm| Unit { owner, arm, planet: Some(planet.nth), condition: Condition::Fighting };
    let missile = (0..colony.bases.missile).map(|_| unit(Arm::MissileBase));
    let advanced = (0..colony.bases.advanced).map(|_| unit(Arm::AdvancedMissileBase));
    missile.chain(advanced).chain(colony.shield.then(|| unit(Arm::Shield))).collect()
}

/// 13.5, 13.6: after a round: colonies whose last base is gone are conquered if the attacker has a warship left; owners of
/// the others may destroy factories.
pub(crate) fn after_bombardment(referee: &mut Referee<'_>) {
    let battle = referee.battle().clone();
    let (Subject::Colonies { planets }, Some(star)) = (&battle.subject, StarId::in_hex(battle.at)) else { return };
    let armed = attacker_is_armed(referee);
    let mut waiting = SeatSet::EMPTY;
    for &nth in planets {
        let planet = PlanetId { star, nth };
        let Some((owner, _)) = referee.owner_of(planet).filter(|(_, colony)| colony.is_free()) else { continue };
        let may_scuttle = referee.table().campaign.may_scuttle(owner);
        let taken = armed && battle.bases_of(nth).next().is_none();
        if taken && !(may_scuttle && battle.just_fell(nth)) {
            conquer(referee, planet, battle.attacker);
        } else if may_scuttle {
            // Whoever has no factories is asked as well: how many there are is their secret (10).
            waiting.insert(owner);
        }
    }
    if waiting.is_empty() {
        after_scuttling(referee);
    } else {
        wait_for(referee, BattleStage::Scuttle { waiting });
    }
}

/// Whether the attacker has a warship left.
fn attacker_is_armed(referee: &Referee<'_>) -> bool {
    referee.battle().fleet(Side::Attacker).warships(&referee.table().options) > 0
}

/// 13.4, 13.6: the attack can go on while a warship and a colony that it attacks are left.
fn after_scuttling(referee: &mut Referee<'_>) {
    let armed = attacker_is_armed(referee);
    if armed {
        take_open_colonies(referee);
    }
    let battle = referee.battle();
    let holds_out = |planet| battle.shield(planet).is_some_and(ShieldState::holds_out);
    let open = battle.in_line(Side::Defender).any(|(_, unit)| !unit.planet.is_some_and(holds_out));
    if armed && open {
        wait_for(referee, BattleStage::GoesOn);
    } else {
        end_battle(referee);
    }
}

/// Space 1.1: a colony whose shield fell is conquered if it has no bases, once its owner has destroyed what they would.
fn take_open_colonies(referee: &mut Referee<'_>) {
    let battle = referee.battle().clone();
    let (Subject::Colonies { planets }, Some(star)) = (&battle.subject, StarId::in_hex(battle.at)) else { return };
    for &nth in planets {
        let planet = PlanetId { star, nth };
        let free = referee.owner_of(planet).is_some_and(|(_, colony)| colony.is_free());
        if free && battle.bases_of(nth).next().is_none() {
            conquer(referee, planet, battle.attacker);
        }
    }
}

pub(crate) fn break_off(referee: &mut Referee<'_>) {
    remember_shields(referee);
    end_battle(referee);
}

pub(crate) fn scuttle(referee: &mut Referee<'_>, seat: Seat, factories: &[Factories]) {
    destroy_factories(referee, seat, factories);
    advance_battle(referee);
}

/// 13.5: an owner destroys factories, or none.
pub(crate) fn destroy_factories(referee: &mut Referee<'_>, seat: Seat, factories: &[Factories]) {
    for &Factories { planet, count } in factories {
        let Some(&colony) = referee.power(seat).colony(planet) else { continue };
        let factories = colony.factories.saturating_sub(count);
        change_colony(referee, seat, Colony { factories, ..colony }, Change::Scuttled);
    }
    let BattleStage::Scuttle { waiting } = referee.battle().stage else { return };
    let waiting = waiting.without(seat);
    if waiting.is_empty() {
        after_scuttling(referee);
    } else {
        wait_for(referee, BattleStage::Scuttle { waiting });
    }
}
