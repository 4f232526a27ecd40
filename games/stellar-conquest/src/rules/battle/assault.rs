//! Rule 13: attacks on colonies, from the order to the conquest.

use heliopause_kernel::{Seat, SeatSet};

use crate::rules::battle::line::{bases_at, open_battle};
use crate::rules::battle::stages::Step;
use crate::rules::colonies::change_colony;
use crate::rules::conquest::{conquer, wrong_factories};
use crate::rules::inspection::survey;
use crate::rules::judge::{Verdict, refuse};
use crate::rules::referee::Referee;
use crate::state::{
    Battle, BattleEvent, BattleStage, Change, Colony, ColonySeen, Event, Factories, OwnEvent,
    Power, SeatView, ShieldState, Side, Stage, Subject, Unit,
};
use crate::tables::{PLANETS_MAX, PlanetId, StarId};

impl Power {
    /// Returns whether the attack at a star ended when another star was attacked (13.1, BR-26).
    fn is_attack_closed(&self, star: StarId) -> bool {
        self.attacked.contains(&star) && self.attacked.last() != Some(&star)
    }
}

impl SeatView<'_> {
    pub(crate) fn judge_attack(&self, planets: &[PlanetId]) -> Verdict {
        let Some(star) = planets.first().map(|planet| planet.star) else {
            return refuse!("no-colonies");
        };
        if self.table.stage == Stage::Battle {
            let battle = self.asked_in_battle("13.4")?;
            if battle.stage != BattleStage::GoesOn || battle.at != star.at() {
                return refuse!("wrong-step/attack", at = battle.at);
            }
        } else {
            self.may_act(Stage::Planets, "13")?;
            if self.power.landing {
                return refuse!("landing-began/attack");
            }
            if self.power.is_attack_closed(star) {
                return refuse!("attack-over", star);
            }
        }
        if planets.len() > PLANETS_MAX || planets.iter().any(|planet| planet.star != star) {
            return refuse!("not-one-star");
        }
        if !self.power.has_warship_at(star.at(), &self.table.options) {
            return refuse!("no-warship", star);
        }
        if self.table.meets_enemies(self.seat, star.at()) {
            return refuse!("enemy-ships", star);
        }
        for (nth, planet) in planets.iter().enumerate() {
            if planets[..nth].contains(planet) {
                return refuse!("named-twice/colony", rule = "13.1", planet);
            }
            self.judge_target(*planet)?;
        }
        Ok(())
    }

    fn judge_target(&self, planet: PlanetId) -> Verdict {
        let seen =
            self.power.chart(planet.star).colonies.get(usize::from(planet.nth)).copied().flatten();
        let target = |seen: &ColonySeen| {
            self.table.campaign.is_target(self.seat, seen.owner, seen.conqueror, planet.star.at())
        };
        let Some(seen) = seen.filter(target) else {
            let holder = seen.map(|seen| seen.conqueror.unwrap_or(seen.owner));
            self.judge_hostility(holder, planet.star)?;
            return refuse!("no-such-colony/enemy", planet);
        };
        if self.power.prize(planet).is_some() {
            return refuse!("held-already", planet);
        }
        if seen.shield && !self.table.options.attackable_shields {
            return refuse!("shielded", planet);
        }
        if self.power.repelled.contains(&planet) {
            return refuse!("repelled", planet);
        }
        Ok(())
    }

    pub(crate) fn judge_break_off(&self) -> Verdict {
        let battle = self.asked_in_battle("13.4")?;
        if battle.stage == BattleStage::GoesOn {
            return Ok(());
        }
        refuse!("wrong-step/break-off")
    }

    pub(crate) fn judge_scuttle(&self, factories: &[Factories]) -> Verdict {
        let battle = self.asked_in_battle("13.5")?;
        if !matches!(battle.stage, BattleStage::Scuttle { .. }) {
            return refuse!("wrong-step/scuttle");
        }
        for (nth, &Factories { planet, count }) in factories.iter().enumerate() {
            if factories[..nth].iter().any(|other| other.planet == planet) {
                return refuse!("named-twice/colony", rule = "13.5", planet);
            }
            let Some(colony) = self.under_attack(battle).find(|colony| colony.planet == planet)
            else {
                return refuse!("not-attacked", planet);
            };
            if count == 0 || count > colony.factories {
                return wrong_factories(colony, count, "13.5");
            }
        }
        Ok(())
    }

    pub(crate) fn under_attack(&self, battle: &Battle) -> impl Iterator<Item = &Colony> {
        let (attacked, colonies) = (battle.attacked(), self.power.colonies.iter());
        colonies.filter(move |colony| colony.is_free() && attacked.contains(&colony.planet))
    }
}

pub(crate) fn attack(referee: &mut Referee<'_>, seat: Seat, planets: &[PlanetId]) -> Option<Step> {
    let star = planets.first()?.star;
    let real = planets.iter().copied().filter(|&planet| can_be_attacked(referee, seat, planet));
    let planets: Vec<u8> = real.map(|planet| planet.nth).collect();
    if referee.table().battle.is_none() {
        if planets.is_empty() {
            // None of the planets can be attacked. The seat's knowledge is outdated, because
            // withdrawn ships do not explore (BR-11).
            survey(referee, seat, star, &[]);
            return None;
        }
        let subject = Subject::Colonies { planets: Vec::new() };
        open_battle(referee, &[seat], Battle::new(star.at(), seat, subject, Vec::new()));
    }
    Some(attack_round(referee, star, planets))
}

/// Returns whether a colony can be attacked in its actual state, which may be hidden.
fn can_be_attacked(referee: &Referee<'_>, seat: Seat, planet: PlanetId) -> bool {
    referee.owner_of(planet).is_some_and(|(owner, colony)| {
        let open = !colony.shield || referee.table().options.attackable_shields;
        let conqueror = colony.conqueror();
        let target = referee.table().campaign.is_target(seat, owner, conqueror, planet.star.at());
        target && open && conqueror != Some(seat)
    })
}

fn attack_round(referee: &mut Referee<'_>, star: StarId, planets: Vec<u8>) -> Step {
    let battle = referee.battle();
    let hidden = |nth: &&u8| !battle.units.iter().any(|unit| unit.planet == Some(**nth));
    let new: Vec<u8> = planets.iter().filter(hidden).copied().collect();
    let bases: Vec<Unit> =
        new.into_iter().flat_map(|nth| bases_at(referee, PlanetId { star, nth })).collect();
    let before = referee.battle().participants();
    let owners: SeatSet = bases.iter().map(|unit| unit.owner).collect();
    let newcomers = owners.difference(before);
    if referee.table().options.private_battles && !newcomers.is_empty() {
        // Seats attacked for the first time have not received the battle yet.
        let battle = referee.battle().clone();
        referee.publish_to_seats(newcomers, Event::Battle(BattleEvent::BattleBegan { battle }));
    }
    let attacked = planets.clone();
    let attacker = referee.battle().attacker;
    let faltered = referee.power(attacker).faltered.iter().filter(|planet| planet.star == star);
    let faltered = faltered.map(|planet| planet.nth).filter(|nth| planets.contains(nth)).collect();
    referee.publish_battle_to(
        before.union(owners),
        BattleEvent::ColoniesAttacked { planets, bases, faltered },
    );
    for &nth in &attacked {
        if referee.battle().bases_of(nth).next().is_none() {
            conquer(referee, PlanetId { star, nth }, attacker);
        }
    }
    if referee.battle().in_line(Side::Defender).next().is_some() { Step::Round } else { Step::Over }
}

/// Conquers the attacked colonies without bases if the attacker still has a warship. The owners of
/// the other colonies may destroy factories (rules 13.5, 13.6). Returns the next step.
pub(crate) fn after_bombardment(referee: &mut Referee<'_>) -> Option<Step> {
    let battle = referee.battle().clone();
    let (Subject::Colonies { planets }, Some(star)) = (&battle.subject, StarId::in_hex(battle.at))
    else {
        return None;
    };
    let armed = attacker_is_armed(referee);
    let mut waiting = SeatSet::EMPTY;
    for &nth in planets {
        let planet = PlanetId { star, nth };
        let Some((owner, _)) = referee.owner_of(planet).filter(|(_, colony)| colony.is_free())
        else {
            continue;
        };
        let may_scuttle = referee.table().campaign.may_scuttle(owner);
        let taken = armed && battle.bases_of(nth).next().is_none();
        if taken && !(may_scuttle && battle.just_fell(nth)) {
            conquer(referee, planet, battle.attacker);
        } else if may_scuttle {
            // Owners without factories also decide, because the number of factories is secret (10).
            waiting.insert(owner);
        }
    }
    if waiting.is_empty() { Some(after_scuttling(referee)) } else { Some(Step::Spared { waiting }) }
}

fn attacker_is_armed(referee: &Referee<'_>) -> bool {
    referee.battle().fleet(Side::Attacker).warships(&referee.table().options) > 0
}

fn after_scuttling(referee: &mut Referee<'_>) -> Step {
    let armed = attacker_is_armed(referee);
    if armed {
        conquer_unshielded_colonies(referee);
    }
    let battle = referee.battle();
    let holds_out = |planet| battle.shield(planet).is_some_and(ShieldState::holds_out);
    let open = battle.in_line(Side::Defender).any(|(_, unit)| !unit.planet.is_some_and(holds_out));
    if armed && open { Step::Undecided } else { Step::Over }
}

/// Conquers colonies without bases whose shield fell, after factories were scuttled (space 1.1).
fn conquer_unshielded_colonies(referee: &mut Referee<'_>) {
    let battle = referee.battle().clone();
    for planet in battle.attacked() {
        let free = referee.owner_of(planet).is_some_and(|(_, colony)| colony.is_free());
        if free && battle.bases_of(planet.nth).next().is_none() {
            conquer(referee, planet, battle.attacker);
        }
    }
}

pub(crate) fn break_off(referee: &mut Referee<'_>) -> Step {
    remember_shields(referee);
    Step::Over
}

pub(crate) fn destroy_factories(
    referee: &mut Referee<'_>,
    seat: Seat,
    factories: &[Factories],
) -> Option<Step> {
    for &Factories { planet, count } in factories {
        let Some(&colony) = referee.power(seat).colony(planet) else { continue };
        let factories = colony.factories.saturating_sub(count);
        change_colony(referee, seat, Colony { factories, ..colony }, Change::Scuttled);
    }
    let BattleStage::Scuttle { waiting } = referee.battle().stage else { return None };
    let waiting = waiting.without(seat);
    if waiting.is_empty() { Some(after_scuttling(referee)) } else { Some(Step::Spared { waiting }) }
}

/// Stores the rounds without a hit, because a broken-off attack may be resumed (BR-26).
fn remember_shields(referee: &mut Referee<'_>) {
    let battle = referee.battle();
    let (attacker, star) = (battle.attacker, StarId::in_hex(battle.at));
    let standing = battle
        .shields
        .iter()
        .filter(|shield| shield.destroyed_in_round.is_none() && !shield.holds_out());
    let rounds: Vec<(u8, u8)> =
        standing.map(|shield| (shield.planet, shield.rounds_without_hit)).collect();
    for (nth, rounds) in rounds {
        let Some(planet) = star.map(|star| PlanetId { star, nth }) else { continue };
        if rounds > 0 || referee.power(attacker).faltered.contains(&planet) {
            referee.publish_to_owner(OwnEvent::Repelled { seat: attacker, planet, rounds });
        }
    }
}
