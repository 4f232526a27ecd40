//! Rule 9.1: raids, and what they and other battles destroy.

use heliopause_kernel::Seat;

use super::tables::destruction_half_points;
use super::{POWERS_MAX, PoliticsEvent, Quarrel, Raid};
use crate::attack_table::Arm;
use crate::battle::{Battle, BattleStage, Side, Subject, Unit, UnitId};
use crate::board::Place;
use crate::cards::PlanetId;
use crate::event::{Event, Volley};
use crate::judge::{Verdict, refuse};
use crate::movement::Leg;
use crate::power::Eyes;
use crate::referee::Referee;
use crate::routes::{Detour, Routes};
use crate::ship::{Ship, ShipKind, ShipNumber};
use crate::stars::StarId;
use crate::table::Stage;

/// 9.1: the most ships of a raid.
pub const RAIDERS_MAX: usize = 5;

impl Eyes<'_> {
    /// 9.1: up to five ships, no death star, from one star of one's own, against a star of the other in reach.
    pub(crate) fn judge_raid(&self, ships: &[ShipNumber], target: StarId, rounds: u8) -> Verdict {
        self.may_act(Stage::Movement, "space-9.1")?;
        self.raid_victim(target)?;
        if !(1..=2).contains(&rounds) {
            return refuse("bad-rounds", "space-9.1", "A raid is one round or two.");
        }
        let raiders = self.together(ships)?;
        if raiders.len() > RAIDERS_MAX {
            return refuse("too-many", "space-9.1", "At most five ships raid.");
        }
        if raiders.iter().any(|ship| ship.kind() == ShipKind::DeathStar) {
            return refuse("death-star", "space-9.1", "Death stars do not raid.");
        }
        if !raiders.iter().any(|ship| self.table.options.is_warship(ship.kind())) {
            return refuse("no-warship", "DR-39", "A raid needs a warship.");
        }
        let base = raiders[0].star().filter(|&star| self.claims(star));
        if base.is_none() || raiders.iter().any(|ship| ship.has_moved()) {
            return refuse("no-base", "space-9.1", "Raiders set out from a star of yours, before they move.");
        }
        if self.table.has_ships(self.seat, target.at()) {
            return refuse("there-already", "DR-39", format!("You have ships at {target} already."));
        }
        self.raid_leg(&raiders, target).map(|_| ())
    }

    fn claims(&self, star: StarId) -> bool {
        self.table.campaign.politics().is_some_and(|politics| politics.claimant(star) == Some(self.seat))
    }

    /// The power that a raid against a star goes against.
    fn raid_victim(&self, target: StarId) -> Result<Seat, heliopause_kernel::Refusal> {
        let Some(politics) = self.table.campaign.politics() else {
            return refuse("wrong-variant", "space-9.1", "Only Alone in Outer Space has raids.");
        };
        if politics.raided {
            return refuse("raided-already", "space-9.1", "You have raided in this turn.");
        }
        let victim = politics.claimant(target).filter(|&other| other != self.seat);
        let clash = |other: &Seat| {
            let incident = politics.incident(self.seat, *other);
            incident.is_some_and(|incident| matches!(incident.quarrel, Quarrel::Clash { .. }))
        };
        match victim.filter(clash) {
            Some(other) => Ok(other),
            None => refuse("no-clash", "space-9.1", format!("{target} belongs to nobody with whom you clash.")),
        }
    }

    /// The way of a raid, which ends in the same turn.
    fn raid_leg(&self, ships: &[&Ship], target: StarId) -> Result<Leg, heliopause_kernel::Refusal> {
        let speed = self.power.research.owned.speed();
        let from = ships[0].at;
        let way = from.and_then(|from| Routes::new(from, target.at(), &Detour::default()).fastest(speed, 0));
        let arrives = |(turns, path): &(u16, Vec<Place>)| {
            let stopped = path.iter().position(|&at| self.is_stopped_at(at));
            *turns == 0 && stopped.is_none_or(|nth| nth + 1 == path.len())
        };
        let Some((_, path)) = way.filter(arrives) else {
            return refuse("out-of-reach", "space-9.1", format!("They do not reach {target} in this turn."));
        };
        if self.lost_at(ships, from, &path).is_some() {
            return refuse("out-of-range", "7.5", format!("{target} is out of command range."));
        }
        Ok(Leg { from, path, bound: Some(target), destination: None, halted: true, lost_at: None })
    }

    /// The ships at a star that can raid, warships first; and the stars that they can raid.
    pub(crate) fn raiders_at(&self, base: StarId) -> Option<(Vec<ShipNumber>, Vec<StarId>)> {
        let options = self.table.options;
        let able = |ship: &&Ship| ship.kind() != ShipKind::DeathStar && ship.load().is_none() && !ship.has_moved();
        let mut ships: Vec<&Ship> = self.power.ships_at(base.at()).filter(able).collect();
        ships.sort_by_key(|ship| (!options.is_warship(ship.kind()), ship.number));
        ships.truncate(RAIDERS_MAX);
        let numbers: Vec<ShipNumber> = ships.iter().map(|ship| ship.number).collect();
        let politics = self.table.campaign.politics()?;
        let speed = self.power.research.owned.speed();
        let near =
            StarId::all().filter(|star| star.at().distance(base.at()) <= speed && politics.claimant(*star).is_some());
        let targets: Vec<StarId> = near.filter(|&target| self.judge_raid(&numbers, target, 1).is_ok()).collect();
        (!targets.is_empty()).then_some((numbers, targets))
    }
}

impl Referee<'_> {
    /// 9.1: raiders set out. They fight when the movement is over.
    pub(crate) fn raid(&mut self, seat: Seat, ships: &[ShipNumber], target: StarId, rounds: u8) {
        let eyes = self.eyes(seat);
        let Ok(other) = eyes.raid_victim(target) else { return };
        let Ok(raiders) = eyes.together(ships) else { return };
        let (Ok(leg), Some(from)) = (eyes.raid_leg(&raiders, target), raiders[0].star()) else { return };
        let raid = Raid { seat, other, at: target, from, rounds, fought: false };
        self.announce_politics(PoliticsEvent::RaidLaunched { raid });
        self.announce_politics(PoliticsEvent::TensionRose { pair: [seat, other], by: 1 });
        self.travel(seat, ships, &leg);
    }

    /// Fights the raid that is under way, once. Says whether it came to a battle.
    pub(super) fn fight_raid(&mut self) -> bool {
        let Some(raid) = self.politics().raid.filter(|raid| !raid.fought) else { return false };
        self.announce_politics(PoliticsEvent::RaidFought);
        let at = raid.at.at();
        if !self.table().has_ships(raid.seat, at) {
            return false;
        }
        if self.table().has_ships(raid.other, at) {
            self.fight_briefly(raid.seat, raid.other, at, raid.rounds);
            return true;
        }
        if self.bases_of(raid.other, raid.at).is_empty() {
            return false;
        }
        let subject = Subject::Colonies { planets: Vec::new() };
        let battle = Battle { limit: Some(u16::from(raid.rounds)), ..Battle::new(at, raid.seat, subject, Vec::new()) };
        self.open_battle(&[raid.seat], battle);
        self.show_bases(raid);
        self.advance_battle();
        true
    }

    /// DR-39: the bases of all free colonies of a power at a star.
    fn bases_of(&self, owner: Seat, star: StarId) -> Vec<Unit> {
        let free = self.power(owner).colonies_of(star).filter(|colony| colony.is_free());
        let planets: Vec<PlanetId> = free.map(|colony| colony.planet).collect();
        planets.into_iter().flat_map(|planet| self.bases_at(planet)).collect()
    }

    /// The raid goes on against bases.
    fn show_bases(&mut self, raid: Raid) {
        let bases = self.bases_of(raid.other, raid.at);
        let mut planets: Vec<u8> = bases.iter().filter_map(|unit| unit.planet).collect();
        planets.dedup();
        let participants = self.battle().participants().with(raid.other);
        if self.table().options.private_battles && !self.battle().participants().contains(raid.other) {
            let battle = self.battle().clone();
            self.confide(heliopause_kernel::SeatSet::one(raid.other), Event::BattleBegan { battle });
        }
        self.report(participants, Event::ColoniesAttacked { planets, bases, faltered: Vec::new() });
    }

    /// After a round of a raid or an encounter: the next one, if there is one and somebody to fight.
    pub(crate) fn space_after_limited_round(&mut self) {
        let battle = self.battle();
        let (rounds, limit) = (battle.rounds, battle.limit.unwrap_or_default());
        let [attackers, defenders] = [Side::Attacker, Side::Defender].map(|side| !battle.fleet(side).is_empty());
        let bases = battle.in_line(Side::Defender).next().is_some();
        let is_of_ships = battle.subject == Subject::Ships;
        if rounds >= limit || !attackers || (!is_of_ships && !bases) {
            return self.end_battle();
        }
        if is_of_ships && !defenders {
            match self.politics().raid {
                Some(raid) if !self.bases_of(raid.other, raid.at).is_empty() => self.show_bases(raid),
                _ => return self.end_battle(),
            }
        }
        self.wait_for(BattleStage::AttackerAims);
    }

    /// 9.1, 10.2: what a battle destroys raises tension in a clash, and counts in a war, for the one who hit it first.
    pub(crate) fn space_count_destroyed(&mut self, battle: &Battle, volleys: &[Volley], destroyed: &[UnitId]) {
        let defender = battle.units.iter().map(|unit| unit.owner).find(|&owner| owner != battle.attacker);
        let Some(defender) = defender else { return };
        let pair = [battle.attacker, defender];
        let lost = || destroyed.iter().filter_map(|&id| Some((id, battle.unit(id)?)));
        let politics = self.politics();
        let clash = politics.incident(pair[0], pair[1]);
        if clash.is_some_and(|incident| matches!(incident.quarrel, Quarrel::Clash { .. })) && politics.raid.is_some() {
            let by = lost().filter(|(_, unit)| unit.arm != Arm::Shield).count() as u32;
            if by > 0 {
                self.announce_politics(PoliticsEvent::TensionRose { pair, by });
            }
        }
        let war = self.politics().war.as_ref();
        if !war.is_some_and(|war| war.are_enemies(pair[0], pair[1])) || battle.limit.is_some() {
            return;
        }
        let hit_by = |id: UnitId| {
            let volley = volleys.iter().find(|volley| volley.hit && volley.shot.at == id)?;
            battle.unit(volley.shot.by).map(|unit| unit.owner)
        };
        let mut scored = [0; POWERS_MAX];
        for (id, unit) in lost() {
            if let Some(points) = hit_by(id).and_then(|seat| scored.get_mut(seat.index())) {
                *points += destruction_half_points(unit.arm);
            }
        }
        for (seat, half_points) in Seat::first(POWERS_MAX).zip(scored).filter(|(_, half_points)| *half_points > 0) {
            self.announce_politics(PoliticsEvent::Scored { seat, half_points });
        }
    }
}
