//! Rule 13: attacks on colonies.

use heliopause_kernel::{Seat, SeatSet};

use crate::rules::battle::line::{bases_at, open_battle};
use crate::rules::battle::stages::Step;
use crate::rules::colonies::change_colony;
use crate::rules::conquest::conquer;
use crate::rules::inspection::survey;
use crate::rules::judge::{Verdict, refuse};
use crate::rules::referee::Referee;
use crate::state::battle::{Battle, BattleStage, Side, Subject, Unit};
use crate::state::colony::Colony;
use crate::state::event::{BattleEvent, Change, Event, OwnEvent};
use crate::state::order::Factories;
use crate::state::power::{ColonySeen, Eyes, Power};
use crate::state::shields::ShieldState;
use crate::state::table::Stage;
use crate::tables::cards::PlanetId;
use crate::tables::stars::{PLANETS_MAX, StarId};

impl Power {
    /// 13.1, BR-26: whether the attack on a star is over, since another one was attacked
    /// afterwards.
    fn has_turned_from(&self, star: StarId) -> bool {
        self.attacked.contains(&star) && self.attacked.last() != Some(&star)
    }
}

impl Eyes<'_> {
    /// 13.1, 13.2: a warship in the hex, no enemy ships, no shield, colonies that are known and not
    /// held by this seat.
    pub(crate) fn judge_attack(&self, planets: &[PlanetId]) -> Verdict {
        let Some(star) = planets.first().map(|planet| planet.star) else {
            return refuse("no-colonies", "13.1", "Name at least one colony.");
        };
        if self.table.stage == Stage::Battle {
            let battle = self.asked_in_battle("13.4")?;
            if battle.stage != BattleStage::GoesOn || battle.at != star.at() {
                return refuse(
                    "wrong-step",
                    "13.4",
                    "Only the attack that is under way can go on.",
                );
            }
        } else {
            self.may_act(Stage::Planets, "13")?;
            if self.power.landing {
                return refuse(
                    "landing-began",
                    "4",
                    "You have begun to land: the attacks of this turn are over.",
                );
            }
            if self.power.has_turned_from(star) {
                return refuse(
                    "attack-over",
                    "BR-26",
                    format!("You have left {star} for another star."),
                );
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
        let seen =
            self.power.chart(planet.star).colonies.get(usize::from(planet.nth)).copied().flatten();
        let target = |seen: &ColonySeen| {
            self.table.campaign.is_target(self.seat, seen.owner, seen.conqueror, planet.star.at())
        };
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
            let message = "Two rounds without a hit on its shield end the attack on that colony \
                for this turn.";
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
            let Some(colony) = self.under_attack(battle).find(|colony| colony.planet == planet)
            else {
                return refuse(
                    "not-attacked",
                    "13.5",
                    "That is no colony of yours that was attacked in this round.",
                );
            };
            if count == 0 || count > colony.factories {
                let message = format!("There are {} factories.", colony.factories);
                return refuse("no-such-factories", "13.5", message);
            }
        }
        Ok(())
    }

    /// 13.5: this seat's colonies that were attacked in the round that was fought and not
    /// conquered.
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
pub(crate) fn attack(referee: &mut Referee<'_>, seat: Seat, planets: &[PlanetId]) -> Option<Step> {
    let star = planets.first()?.star;
    let real = planets.iter().copied().filter(|&planet| can_be_attacked(referee, seat, planet));
    let planets: Vec<u8> = real.map(|planet| planet.nth).collect();
    if referee.table().battle.is_none() {
        if planets.is_empty() {
            // What was known is out of date (BR-11 brings ships to stars that they do not explore).
            survey(referee, seat, star, &[]);
            return None;
        }
        let subject = Subject::Colonies { planets: Vec::new() };
        open_battle(referee, &[seat], Battle::new(star.at(), seat, subject, Vec::new()));
    }
    Some(attack_round(referee, star, planets))
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

/// 13.3: shows the bases of the colonies that a round is fought against. Those without any are
/// conquered.
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
        // Who is attacked only now has not been told of the battle yet.
        let battle = referee.battle().clone();
        referee.confide(newcomers, Event::Battle(BattleEvent::BattleBegan { battle }));
    }
    let attacked = planets.clone();
    let attacker = referee.battle().attacker;
    let faltered = referee.power(attacker).faltered.iter().filter(|planet| planet.star == star);
    let faltered = faltered.map(|planet| planet.nth).filter(|nth| planets.contains(nth)).collect();
    referee
        .report(before.union(owners), BattleEvent::ColoniesAttacked { planets, bases, faltered });
    for &nth in &attacked {
        if referee.battle().bases_of(nth).next().is_none() {
            conquer(referee, PlanetId { star, nth }, attacker);
        }
    }
    if referee.battle().in_line(Side::Defender).next().is_some() { Step::Round } else { Step::Over }
}

/// 13.5, 13.6: after a round: colonies whose last base is gone are conquered if the attacker has a
/// warship left; owners of the others may destroy factories.
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
            // Whoever has no factories is asked as well: how many there are is their secret (10).
            waiting.insert(owner);
        }
    }
    if waiting.is_empty() { Some(after_scuttling(referee)) } else { Some(Step::Spared { waiting }) }
}

/// Whether the attacker has a warship left.
fn attacker_is_armed(referee: &Referee<'_>) -> bool {
    referee.battle().fleet(Side::Attacker).warships(&referee.table().options) > 0
}

/// 13.4, 13.6: the attack can go on while a warship and a colony that it attacks are left.
fn after_scuttling(referee: &mut Referee<'_>) -> Step {
    let armed = attacker_is_armed(referee);
    if armed {
        take_open_colonies(referee);
    }
    let battle = referee.battle();
    let holds_out = |planet| battle.shield(planet).is_some_and(ShieldState::holds_out);
    let open = battle.in_line(Side::Defender).any(|(_, unit)| !unit.planet.is_some_and(holds_out));
    if armed && open { Step::Repulsed } else { Step::Over }
}

/// Space 1.1: a colony whose shield fell is conquered if it has no bases, once its owner has
/// destroyed what they would.
fn take_open_colonies(referee: &mut Referee<'_>) {
    let battle = referee.battle().clone();
    let (Subject::Colonies { planets }, Some(star)) = (&battle.subject, StarId::in_hex(battle.at))
    else {
        return;
    };
    for &nth in planets {
        let planet = PlanetId { star, nth };
        let free = referee.owner_of(planet).is_some_and(|(_, colony)| colony.is_free());
        if free && battle.bases_of(nth).next().is_none() {
            conquer(referee, planet, battle.attacker);
        }
    }
}

/// 13.4: the attacker breaks the attack off.
pub(crate) fn break_off(referee: &mut Referee<'_>) -> Step {
    remember_shields(referee);
    Step::Over
}

/// 13.5: an owner destroys factories, or none.
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

/// BR-26: an attack that is broken off may be resumed, and then rounds without a hit go on being
/// counted.
fn remember_shields(referee: &mut Referee<'_>) {
    let battle = referee.battle();
    let (attacker, star) = (battle.attacker, StarId::in_hex(battle.at));
    let standing =
        battle.shields.iter().filter(|shield| shield.fell.is_none() && !shield.holds_out());
    let rounds: Vec<(u8, u8)> = standing.map(|shield| (shield.planet, shield.dry)).collect();
    for (nth, rounds) in rounds {
        let Some(planet) = star.map(|star| PlanetId { star, nth }) else { continue };
        if rounds > 0 || referee.power(attacker).faltered.contains(&planet) {
            referee.whisper(OwnEvent::Repelled { seat: attacker, planet, rounds });
        }
    }
}
