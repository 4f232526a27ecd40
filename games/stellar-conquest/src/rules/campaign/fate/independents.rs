//! Fate 8: independent planets, conquered planets, dominions.

use crate::rules::campaign::fate::pirates::{assign_in_turn, matches_prescribed, targets};
use crate::rules::colonies::{change_colony, end_colony};
use crate::rules::judge::{Verdict, refuse};
use crate::rules::referee::Referee;
use crate::state::{
    Battle, Cause, Change, Colony, Fate, Gone, Hold, Hull, Load, OwnEvent, Power, Prize, SeatView,
    Ship, ShipNumber, Shot, Source, Subject, Unit, UnitId, Watch,
};
use crate::tables::{Arm, PlanetId, ShipKind, Tech, TechSet};

/// Returns the minimum and maximum garrison in millions. There is no maximum below 25M subjects
/// (8.5).
pub const fn garrison(subjects: u16) -> (u16, Option<u16>) {
    if subjects >= 25 { (5, Some(5)) } else { (subjects.div_ceil(5), None) }
}

fn guns(battle: &Battle, arm: Arm) -> Vec<UnitId> {
    let Subject::Colonies { planets } = &battle.subject else { return Vec::new() };
    let attacked = |unit: &Unit| unit.planet.is_some_and(|planet| planets.contains(&planet));
    let fires =
        |unit: &Unit| unit.is_fighting() && unit.owner == Fate::independents() && unit.arm == arm;
    battle.all().filter(|(_, unit)| fires(unit) && attacked(unit)).map(|(id, _)| id).collect()
}

/// Returns the default shots of independent bases, spread over as many ships as possible (8.3).
pub(crate) fn default_shots(battle: &Battle) -> Vec<Shot> {
    use ShipKind::{Corvette, DeathStar, Fighter, Scout};
    let advanced = targets(battle, &[DeathStar, Fighter, Corvette, Scout]);
    let mut shots = assign_in_turn(&guns(battle, Arm::AdvancedMissileBase), &advanced);
    let mut order = Vec::new();
    for kind in [Fighter, Corvette, Scout] {
        let mut alike = targets(battle, &[kind]);
        alike.sort_by_key(|&ship| shots.iter().any(|shot| shot.at == ship));
        order.extend(alike);
    }
    shots.extend(assign_in_turn(&guns(battle, Arm::MissileBase), &order));
    shots.sort_unstable_by_key(|shot| shot.by);
    shots
}

/// Requires the prescribed shots, in which ships of the same type may be exchanged (8.3, 12).
pub(crate) fn judge_shots(battle: &Battle, shots: &[Shot]) -> Verdict {
    if matches_prescribed(battle, &default_shots(battle), shots) {
        return Ok(());
    }
    refuse!("not-prescribed/bases")
}

impl Power {
    fn evacuation(&self, colony: &Colony) -> Vec<Ship> {
        let (from, cet) = (Some(colony.planet), self.research.has(Tech::ControlledEnvironment));
        let hull = Hull::Transport(Load { cet, from, captives_of: None });
        let at = Some(colony.planet.star.at());
        let first = self.next_ship.0;
        (first..first + u32::from(colony.population))
            .map(|number| Ship::new(ShipNumber(number), hull, at))
            .collect()
    }
}

impl SeatView<'_> {
    /// Requires a full garrison in one landing (8.5). `judge_land` applies the base rules (FR-16).
    pub(crate) fn judge_garrison(&self, ships: &[ShipNumber], prize: &Prize) -> Verdict {
        let loaded =
            |&&number: &&ShipNumber| self.power.ship(number).and_then(Ship::load).is_some();
        let people = ships.iter().filter(loaded).count();
        let subjects = prize.colony.population;
        let (fewest, most) = garrison(subjects);
        if people < usize::from(fewest) {
            return refuse!("garrison-too-small", subjects, fewest, people);
        }
        if let Some(most) = most.filter(|&most| people > usize::from(most)) {
            return refuse!("garrison-too-large", subjects, most, people);
        }
        Ok(())
    }
}

pub(crate) fn fate_garrison(referee: &mut Referee<'_>, ships: &[ShipNumber], prize: Prize) {
    let seat = Fate::captain();
    let Prize { owner, colony } = prize;
    let planet = colony.planet;
    referee.lose_ships(seat, ships.to_vec(), Cause::Landed);
    referee.show_groups(seat, planet.star.at());
    end_colony(referee, owner, planet, Gone::Garrisoned);
    let dominion = Colony {
        population: ships.len() as u16,
        subjects: colony.population,
        control: Hold::Free,
        watch: Watch::Never,
        founded: referee.power(seat).next_colony,
        ..colony
    };
    change_colony(referee, seat, dominion, Change::Garrisoned);
    if referee.fate().is_prime(planet) {
        receive_gifts(referee);
    }
}

/// Grants the technologies of a Prime planet, regardless of level (8.8, FR-23).
fn receive_gifts(referee: &mut Referee<'_>) {
    let seat = Fate::captain();
    let mut research = referee.power(seat).research;
    let mut acquired = TechSet::NONE;
    for tech in [Tech::ImprovedIndustrialTechnology, Tech::RoboticIndustry] {
        acquired = research.grant(tech).iter().fold(acquired, TechSet::with);
    }
    if acquired != TechSet::NONE {
        referee.publish_to_owner(OwnEvent::Researched { seat, research, acquired });
    }
}

/// Makes an evacuated dominion independent again, with all its installations (8.7).
pub(crate) fn fate_evacuate(referee: &mut Referee<'_>, planet: PlanetId) {
    let (seat, owner) = (Fate::captain(), Fate::independents());
    let Some(&colony) = referee.power(seat).colony(planet) else { return };
    let ships = referee.power(seat).evacuation(&colony);
    let independent = Colony {
        population: colony.subjects,
        subjects: 0,
        control: Hold::Free,
        watch: Watch::Never,
        founded: referee.power(owner).next_colony,
        grown: 0,
        ..colony
    };
    end_colony(referee, seat, planet, Gone::Evacuated);
    change_colony(referee, owner, independent, Change::Freed);
    referee.publish_to_owner(OwnEvent::ShipsCame { seat, ships, source: Source::Built });
    referee.show_groups(seat, planet.star.at());
}
