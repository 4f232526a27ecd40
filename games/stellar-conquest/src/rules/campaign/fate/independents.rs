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

#[cfg(test)]
mod tests {
    use heliopause_kernel::Game;

    use super::*;
    use crate::rules::campaign::fate::scenes::{captain, conquered, resolve};
    use crate::rules::conquest::update_star_control;
    use crate::state::{Condition, Event, FateEvent, Stage, TableEvent};
    use crate::tables::PlanetType;
    use crate::tables::fate::planet_cell;
    use crate::tables::ships::ShipKind::{Corvette, Fighter, Scout, Transport};
    use crate::testing::{Scene, place};

    #[test]
    fn ft_23_the_size_of_a_garrison() {
        assert_eq!(garrison(12), (3, None));
        assert_eq!(garrison(24), (5, None));
        assert_eq!(garrison(25), (5, Some(5)));
        assert_eq!(garrison(30), (5, Some(5)));
        assert_eq!(garrison(2), (1, None));
    }

    /// Each entry of `bases` is a planet's index and its numbers of missile and advanced missile
    /// bases.
    fn attack(ships: &[ShipKind], bases: &[(u8, usize, usize)]) -> Battle {
        let unit = |owner, arm, planet| Unit { owner, arm, planet, condition: Condition::Fighting };
        let mut units: Vec<Unit> =
            ships.iter().map(|&kind| unit(Fate::captain(), Arm::Ship(kind), None)).collect();
        for &(planet, missile, advanced) in bases {
            let base = |arm| unit(Fate::independents(), arm, Some(planet));
            units.extend(std::iter::repeat_n(base(Arm::MissileBase), missile));
            units.extend(std::iter::repeat_n(base(Arm::AdvancedMissileBase), advanced));
        }
        let subject = Subject::Colonies { planets: vec![0, 1] };
        Battle::new(place("L18"), Fate::captain(), subject, units)
    }

    fn aimed(battle: &Battle) -> (Vec<u16>, Vec<u16>) {
        let shots = default_shots(battle);
        assert!(judge_shots(battle, &shots).is_ok());
        let of = |arm: Arm| {
            let shots = shots
                .iter()
                .filter(|shot| battle.unit(shot.by).is_some_and(|unit| unit.arm == arm));
            shots.map(|shot| shot.at.0).collect::<Vec<u16>>()
        };
        (of(Arm::MissileBase), of(Arm::AdvancedMissileBase))
    }

    #[test]
    fn fate_8_3_missile_bases_skip_targets_of_advanced_bases_by_default() {
        let battle = attack(&[Scout, Corvette, Corvette, Corvette], &[(0, 2, 1)]);
        assert_eq!(aimed(&battle), (vec![2, 3], vec![1]));
    }

    #[test]
    fn fate_8_3_bases_of_planets_attacked_together_share_targets() {
        let mut battle = attack(&[Corvette, Corvette, Fighter], &[(0, 2, 0), (1, 2, 0)]);
        assert_eq!(aimed(&battle), (vec![2, 0, 1, 2], vec![]));
        battle.subject = Subject::Colonies { planets: vec![1] };
        assert_eq!(aimed(&battle), (vec![2, 0], vec![]));
        assert_eq!(default_shots(&battle)[0].by, UnitId(5));
    }

    #[test]
    fn fate_8_3_both_kinds_may_double_up_on_one_ship_or_spread() {
        let battle = attack(&[Corvette, Corvette], &[(0, 1, 1)]);
        let judge = |missile: u16, advanced: u16| {
            let shot = |by, at| Shot { by: UnitId(by), at: UnitId(at) };
            judge_shots(&battle, &[shot(2, missile), shot(3, advanced)]).is_ok()
        };
        assert!(judge(0, 0) && judge(0, 1) && judge(1, 0) && judge(1, 1));
        assert!(judge_shots(&battle, &default_shots(&battle)[..1]).is_err(), "both of them fire");
    }

    fn landing(card: u32, people: u16, transports: u32) -> (Scene, PlanetId, Vec<ShipNumber>) {
        let mut scene = Scene::fate();
        scene.explored(captain(), "Alcor", card);
        scene.ships(captain(), "L18", &[(Corvette, 1)]);
        let ships = scene.ships(captain(), "L18", &[(Transport, transports)]);
        let change = |colony: Colony| Colony { population: people, factories: 10, ..colony };
        let planet = conquered(&mut scene, "Alcor", 0, change);
        scene.happen(&Event::Table(TableEvent::StageChanged { stage: Stage::Planets }));
        (scene, planet, ships)
    }

    fn garrisoned(people: u16, ships: u32) -> (Scene, PlanetId) {
        let (mut scene, planet, ships) = landing(25, people, ships);
        let prize = *scene.power(captain()).prize(planet).expect("it is conquered");
        resolve(&mut scene, |referee| fate_garrison(referee, &ships, prize));
        assert_eq!(scene.game.check(), Ok(()));
        (scene, planet)
    }

    #[test]
    fn fate_8_8_a_garrisoned_prime_brings_its_technologies_fr_23() {
        let (mut scene, planet, ships) = landing(34, 40, 5);
        let cell = planet_cell(6, 6, PlanetType::Terran);
        scene.happen(&Event::Fate(FateEvent::PlanetRolled { planet, red: 6, white: 6, cell }));
        let prize = *scene.power(captain()).prize(planet).unwrap();
        resolve(&mut scene, |referee| fate_garrison(referee, &ships, prize));
        let power = scene.power(captain());
        assert!(
            power.research.has(Tech::ImprovedIndustrialTechnology)
                && power.research.has(Tech::RoboticIndustry)
        );
        assert!(power.research.owned.opens(Tech::UnlimitedShipCommunication), "gifts open levels");
        assert_eq!(scene.fate_state().score(power).primes, 50);
        assert_eq!(scene.game.check(), Ok(()));
    }

    #[test]
    fn fate_10_pirate_corvettes_but_not_scouts_besiege_a_dominion() {
        for (kind, hold) in [(Corvette, Hold::Besieged), (Scout, Hold::Free)] {
            let (mut scene, planet) = garrisoned(30, 5);
            let guard = scene.power(captain()).ships.iter().map(|ship| ship.number).collect();
            resolve(&mut scene, |referee| {
                referee.lose_ships(captain(), guard, Cause::Battle);
                referee.show_groups(captain(), place("L18"));
            });
            scene.ships(Fate::pirates(), "L18", &[(kind, 1)]);
            resolve(&mut scene, |referee| update_star_control(referee, planet.star));
            assert_eq!(
                scene.power(captain()).colony(planet).map(|colony| colony.control),
                Some(hold)
            );
        }
    }
}
