//! Fate 8: independent planets, conquered planets, dominions.

use crate::rules::campaign::fate::pirates::{in_turn, is_as_prescribed, targets};
use crate::rules::colonies::{change_colony, end_colony};
use crate::rules::judge::{Verdict, refuse};
use crate::rules::referee::Referee;
use crate::state::battle::{Battle, Shot, Subject, Unit, UnitId};
use crate::state::campaign::fate::Fate;
use crate::state::colony::{Colony, Hold, Watch};
use crate::state::event::{Cause, Change, Gone, OwnEvent, Source};
use crate::state::power::{Eyes, Power, Prize};
use crate::state::ship::{Hull, Load, Ship, ShipNumber};
use crate::tables::attack_table::Arm;
use crate::tables::cards::PlanetId;
use crate::tables::ships::ShipKind;
use crate::tables::technology::{Tech, TechSet};

/// 8.5: the fewest and the most millions of a garrison for so many subjects; no upper limit below
/// 25M.
pub const fn garrison(subjects: u16) -> (u16, Option<u16>) {
    if subjects >= 25 { (5, Some(5)) } else { (subjects.div_ceil(5), None) }
}

/// 8.2, 8.3: the bases of a kind that fire in this round: those of all planets that are attacked in
/// it.
fn guns(battle: &Battle, arm: Arm) -> Vec<UnitId> {
    let Subject::Colonies { planets } = &battle.subject else { return Vec::new() };
    let attacked = |unit: &Unit| unit.planet.is_some_and(|planet| planets.contains(&planet));
    let fires =
        |unit: &Unit| unit.is_fighting() && unit.owner == Fate::independents() && unit.arm == arm;
    battle.all().filter(|(_, unit)| fires(unit) && attacked(unit)).map(|(id, _)| id).collect()
}

/// 8.3: at what bases of independent planets fire, by default: spread over as many ships as there
/// are.
pub(crate) fn default_shots(battle: &Battle) -> Vec<Shot> {
    use ShipKind::{Corvette, DeathStar, Fighter, Scout};
    let advanced = targets(battle, &[DeathStar, Fighter, Corvette, Scout]);
    let mut shots = in_turn(&guns(battle, Arm::AdvancedMissileBase), &advanced);
    let mut order = Vec::new();
    for kind in [Fighter, Corvette, Scout] {
        let mut alike = targets(battle, &[kind]);
        alike.sort_by_key(|&ship| shots.iter().any(|shot| shot.at == ship));
        order.extend(alike);
    }
    shots.extend(in_turn(&guns(battle, Arm::MissileBase), &order));
    shots.sort_unstable_by_key(|shot| shot.by);
    shots
}

/// 8.3, 12: whether shots differ from the prescribed ones in the order of ships of one type alone,
/// for each kind of base.
pub(crate) fn judge_shots(battle: &Battle, shots: &[Shot]) -> Verdict {
    if is_as_prescribed(battle, &default_shots(battle), shots) {
        return Ok(());
    }
    refuse(
        "not-prescribed",
        "fate-8.3",
        "Every base fires: missile bases at fighters, corvettes, scouts in turn, advanced ones at \
         death stars before them.",
    )
}

impl Power {
    /// 8.7: transports for everybody of a garrison.
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

impl Eyes<'_> {
    /// 8.5: whether transports, which may land there as far as the base rules go (16.3: FR-16), are
    /// a garrison for a conquered planet. All of it lands at once.
    pub(crate) fn judge_garrison(&self, ships: &[ShipNumber], prize: &Prize) -> Verdict {
        let loaded =
            |&&number: &&ShipNumber| self.power.ship(number).and_then(Ship::load).is_some();
        let people = ships.iter().filter(loaded).count();
        let subjects = prize.colony.population;
        let (fewest, most) = garrison(subjects);
        if people < usize::from(fewest) {
            let message =
                format!("{subjects}M subjects need a garrison of {fewest}M, landed at once.");
            return refuse("garrison-too-small", "fate-8.5", message);
        }
        if let Some(most) = most.filter(|&most| people > usize::from(most)) {
            let message = format!("A garrison over {subjects}M subjects is exactly {most}M.");
            return refuse("garrison-too-large", "fate-8.5", message);
        }
        Ok(())
    }
}

/// 8.5, 8.8: a garrison lands: the planet becomes a dominion, and a Prime's gifts are received.
pub(crate) fn fate_garrison(referee: &mut Referee<'_>, ships: &[ShipNumber], prize: Prize) {
    let seat = Fate::captain();
    let Prize { owner, colony } = prize;
    let planet = colony.planet;
    referee.whisper(OwnEvent::ShipsLost { seat, ships: ships.to_vec(), cause: Cause::Landed });
    referee.show_groups(seat, planet.star.at());
    end_colony(referee, owner, planet, Gone::Garrisoned);
    let dominion = Colony {
        population: ships.len() as u16,
        subjects: colony.population,
        hold: Hold::Free,
        watch: Watch::Never,
        founded: referee.power(seat).next_colony,
        ..colony
    };
    change_colony(referee, seat, dominion, Change::Garrisoned);
    if referee.fate().is_prime(planet) {
        receive_gifts(referee);
    }
}

/// 8.8, FR-23: what the people of a Prime planet know, whatever its level.
fn receive_gifts(referee: &mut Referee<'_>) {
    let seat = Fate::captain();
    let mut research = referee.power(seat).research;
    let mut acquired = TechSet::NONE;
    for tech in [Tech::ImprovedIndustrialTechnology, Tech::RoboticIndustry] {
        acquired = research.grant(tech).iter().fold(acquired, TechSet::with);
    }
    if acquired != TechSet::NONE {
        referee.whisper(OwnEvent::Researched { seat, research, acquired });
    }
}

/// 8.7: the garrison of a dominion leaves in transports that it builds itself; the planet is
/// independent again, with all that stands on it.
pub(crate) fn fate_evacuate(referee: &mut Referee<'_>, planet: PlanetId) {
    let (seat, owner) = (Fate::captain(), Fate::independents());
    let Some(&colony) = referee.power(seat).colony(planet) else { return };
    let ships = referee.power(seat).evacuation(&colony);
    let independent = Colony {
        population: colony.subjects,
        subjects: 0,
        hold: Hold::Free,
        watch: Watch::Never,
        founded: referee.power(owner).next_colony,
        grown: 0,
        ..colony
    };
    end_colony(referee, seat, planet, Gone::Evacuated);
    change_colony(referee, owner, independent, Change::Freed);
    referee.whisper(OwnEvent::ShipsCame { seat, ships, source: Source::Built });
    referee.show_groups(seat, planet.star.at());
}

#[cfg(test)]
mod tests {
    use heliopause_kernel::{Game, Why};

    use super::*;
    use crate::rules::campaign::fate::scenes::{captain, conquered, resolve};
    use crate::rules::conquest::settle_star;
    use crate::state::battle::{BattleStage, Condition};
    use crate::state::campaign::fate::FateEvent;
    use crate::state::colony::Bases;
    use crate::state::event::{Event, TableEvent};
    use crate::state::order::{Order, Voyage};
    use crate::state::sheet::{ColonyPlan, ProductionSheet, Spending};
    use crate::state::table::Stage;
    use crate::tables::cards::PlanetType;
    use crate::tables::fate::planet_cell;
    use crate::tables::prices::Item;
    use crate::tables::ships::Fleet;
    use crate::tables::ships::ShipKind::{Corvette, DeathStar, Fighter, Scout, Transport};
    use crate::testing::{Scene, place};

    #[test]
    fn ft_23_the_size_of_a_garrison() {
        assert_eq!(garrison(12), (3, None));
        assert_eq!(garrison(24), (5, None));
        assert_eq!(garrison(25), (5, Some(5)));
        assert_eq!(garrison(30), (5, Some(5)));
        assert_eq!(garrison(2), (1, None));
    }

    /// An attack on planets 0 and 1 of a star by ships, in the order of the line; bases as planet,
    /// missile, advanced.
    fn attack(ships: &[ShipKind], bases: &[(u8, usize, usize)]) -> Battle {
        let unit = |owner, arm, planet| Unit { owner, arm, planet, condition: Condition::Fighting };
        let mut units: Vec<Unit> =
            ships.iter().map(|&kind| unit(Fate::captain(), Arm::Ship(kind), None)).collect();
        for &(planet, missile, advanced) in bases {
            let base = |arm| unit(Fate::independents(), arm, Some(planet));
            units.extend(std::iter::repeat_n(base(Arm::MissileBase), missile));
            units.extend(std::iter::repeat_n(base(Arm::AdvancedMissileBase), advanced));
        }
        Battle {
            at: place("L18"),
            attacker: Fate::captain(),
            subject: Subject::Colonies { planets: vec![0, 1] },
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

    /// At which units the missile bases fire, and the advanced ones.
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
    fn ft_21_missile_bases_and_advanced_ones_have_their_own_order() {
        let battle = attack(&[Corvette, Fighter, DeathStar], &[(0, 3, 1)]);
        assert_eq!(aimed(&battle), (vec![1, 0, 1], vec![2]));
    }

    #[test]
    fn ft_22_missile_bases_hold_their_fire_against_death_stars() {
        let battle = attack(&[Transport, DeathStar], &[(0, 6, 0)]);
        assert_eq!(aimed(&battle), (vec![], vec![]));
    }

    #[test]
    fn fate_8_3_by_default_missile_bases_spare_ships_at_which_advanced_ones_fire() {
        let battle = attack(&[Scout, Corvette, Corvette, Corvette], &[(0, 2, 1)]);
        assert_eq!(aimed(&battle), (vec![2, 3], vec![1]));
    }

    #[test]
    fn fate_8_3_planets_attacked_together_are_one_pool_and_others_hold_fire() {
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

    /// A conquered planet of 30M with a guard, and transports in its star hex; it is the time to
    /// land.
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

    fn judge(scene: &Scene, ships: &[ShipNumber], planet: PlanetId) -> Result<(), String> {
        let prize = scene.power(captain()).prize(planet).expect("it is conquered");
        let verdict = scene.game.eyes(captain()).judge_garrison(ships, prize);
        verdict.map_err(|refusal| refusal.reason.into_owned())
    }

    fn garrisoned(people: u16, ships: u32) -> (Scene, PlanetId) {
        let (mut scene, planet, ships) = landing(25, people, ships);
        let prize = *scene.power(captain()).prize(planet).expect("it is conquered");
        resolve(&mut scene, |referee| fate_garrison(referee, &ships, prize));
        assert_eq!(scene.game.check(), Ok(()));
        (scene, planet)
    }

    #[test]
    fn ft_23_garrisons_that_are_refused_and_accepted_fr_13() {
        let (scene, planet, ships) = landing(25, 12, 7);
        assert_eq!(judge(&scene, &ships[..2], planet), Err("garrison-too-small".to_owned()));
        assert_eq!(judge(&scene, &ships[..3], planet), Ok(()));
        let (scene, planet, ships) = landing(25, 30, 7);
        assert_eq!(judge(&scene, &ships[..4], planet), Err("garrison-too-small".to_owned()));
        assert_eq!(judge(&scene, &ships[..6], planet), Err("garrison-too-large".to_owned()));
        assert_eq!(judge(&scene, &ships[..5], planet), Ok(()));
        let (scene, planet, ships) = landing(25, 24, 7);
        assert_eq!(judge(&scene, &ships[..4], planet), Err("garrison-too-small".to_owned()));
        assert_eq!(judge(&scene, &ships, planet), Ok(()));
    }

    #[test]
    fn ft_23_a_garrison_lands_by_an_order() {
        let (mut scene, planet, ships) = landing(25, 30, 7);
        assert!(
            scene.order(captain(), Order::Land { ships: ships[..4].to_vec(), planet }).is_err()
        );
        assert!(scene.order(captain(), Order::Land { ships: ships[..5].to_vec(), planet }).is_ok());
        assert!(scene.power(captain()).colony(planet).is_some_and(Colony::is_dominion));
    }

    #[test]
    fn fr_16_on_barren_planets_a_garrison_needs_equipment() {
        let (mut scene, planet, ships) = landing(35, 10, 2);
        assert_eq!(scene.refused(captain(), Order::Land { ships, planet }), "needs-cet");
        scene.owns(captain(), &[Tech::ControlledEnvironment]);
        let ships = scene.ships(captain(), "L18", &[(Transport, 2)]);
        assert!(scene.order(captain(), Order::Land { ships, planet }).is_ok());
    }

    #[test]
    fn fate_8_5_a_garrisoned_planet_is_a_dominion() {
        let (scene, planet) = garrisoned(30, 5);
        let power = scene.power(captain());
        let dominion = power.colony(planet).unwrap();
        assert_eq!((dominion.population, dominion.subjects, dominion.hold), (5, 30, Hold::Free));
        assert!(power.prizes.is_empty() && scene.power(Fate::independents()).colonies.is_empty());
        assert_eq!(power.ships.len(), 1, "the transports are used up");
        assert!(power.may_post(planet.star), "8.6: a dominion carries a command post");
        assert_eq!(scene.fate_state().score(power).planets, 15);
        assert_eq!(dominion.growth(), 0);
    }

    #[test]
    fn fate_8_6_nobody_joins_a_garrison_later() {
        let (scene, planet) = garrisoned(12, 3);
        let dominion = scene.power(captain()).colony(planet).unwrap();
        let campaign = &scene.game.table().campaign;
        assert!(
            !campaign.may_join(dominion) && campaign.may_join(&Colony { subjects: 0, ..*dominion })
        );
    }

    #[test]
    fn ft_24_the_subjects_of_a_dominion_work_at_once_fr_14() {
        let (mut scene, planet) = garrisoned(30, 5);
        let dominion = scene.power(captain()).colony(planet).unwrap();
        assert_eq!(dominion.output(TechSet::NONE.with(Tech::IndustrialTechnology)), 40);
        scene.happen(&Event::Table(TableEvent::StageChanged { stage: Stage::Production }));
        assert!(scene.order(captain(), produce(planet, 1, false)).is_err(), "nobody emigrates");
        assert!(scene.order(captain(), produce(planet, 0, false)).is_ok());
    }

    #[test]
    fn fr_15_factories_may_be_built_on_a_dominion() {
        let (mut scene, planet) = garrisoned(12, 3);
        scene.owns(captain(), &[Tech::IndustrialTechnology]);
        scene.happen(&Event::Table(TableEvent::StageChanged { stage: Stage::Production }));
        let build = |count| {
            let spending = vec![Spending::Build { item: Item::Factory, count }];
            let plan = ColonyPlan { planet, emigrants: 0, bonus: 0, evacuate: false, spending };
            Order::Produce(ProductionSheet { colonies: vec![plan], ..ProductionSheet::default() })
        };
        assert!(
            scene.order(captain(), build(3)).is_err(),
            "limits count the subjects alone: 10 stand there, 12 may"
        );
        assert!(scene.order(captain(), build(2)).is_ok());
    }

    /// A production turn with nothing but emigrants, or with the garrison leaving.
    fn produce(planet: PlanetId, emigrants: u16, evacuate: bool) -> Order {
        let plan = ColonyPlan { planet, emigrants, bonus: 0, evacuate, spending: Vec::new() };
        Order::Produce(ProductionSheet { colonies: vec![plan], ..ProductionSheet::default() })
    }

    #[test]
    fn fate_8_7_a_garrison_leaves_in_a_production_turn() {
        let (scene, planet) = garrisoned(30, 5);
        let mut scene = scene.script([1, 2]);
        scene.happen(&Event::Table(TableEvent::StageChanged { stage: Stage::Production }));
        assert!(scene.order(captain(), produce(planet, 1, true)).is_err(), "all of it or nobody");
        assert!(scene.order(captain(), produce(planet, 0, true)).is_ok());
        scene.game.close(Why::AllReady, &mut scene.dice);
        assert!(scene.power(captain()).colonies.is_empty());
        assert_eq!(scene.power(captain()).fleet_at(place("L18")), Fleet::new([0, 5, 1, 0, 0]));
        assert!(scene.power(Fate::independents()).colony(planet).is_some_and(Colony::is_free));
        assert_eq!(scene.game.check(), Ok(()));
    }

    #[test]
    fn ft_25_a_dominion_whose_garrison_leaves_is_independent_fr_19() {
        let (mut scene, planet) = garrisoned(30, 5);
        let dominion = *scene.power(captain()).colony(planet).unwrap();
        let bases = Bases { missile: 2, advanced: 0 };
        let built = Colony { bases, shield: true, ..dominion };
        resolve(&mut scene, |referee| {
            change_colony(referee, captain(), built, Change::Produced);
            fate_evacuate(referee, planet);
        });
        assert_eq!(scene.game.check(), Ok(()));
        assert_eq!(scene.power(captain()).fleet_at(place("L18")), Fleet::new([0, 5, 1, 0, 0]));
        assert!(scene.power(captain()).colonies.is_empty());
        let colony = scene.power(Fate::independents()).colony(planet).unwrap();
        assert_eq!(
            (colony.population, colony.factories, colony.bases, colony.shield),
            (30, 10, bases, true)
        );
        let seen = scene.power(captain()).chart(planet.star).colonies[0];
        assert_eq!(seen.map(|seen| (seen.shield, seen.bases)), Some((true, Some(bases))));
        let attack = Order::Attack { planets: vec![planet] };
        assert_eq!(scene.refused(captain(), attack), "shielded", "FR-19");
        assert_eq!(scene.fate_state().score(scene.power(captain())).planets, 0);
        let back = scene
            .power(captain())
            .ships
            .iter()
            .filter_map(Ship::load)
            .all(|load| load.from == Some(planet));
        assert!(back, "16.7: they do not return to it");
    }

    #[test]
    fn ft_26_a_conquered_planet_without_a_guard_is_independent_at_once() {
        let (mut scene, planet, _) = landing(25, 30, 0);
        scene.owns(captain(), &[Tech::UnlimitedShipRange, Tech::UnlimitedShipCommunication]);
        scene.happen(&Event::Table(TableEvent::StageChanged { stage: Stage::Movement }));
        let ships = scene.power(captain()).ships.iter().map(|ship| ship.number).collect();
        let path = vec![place("L17")];
        let avoiding = Vec::new();
        let voyage = Voyage {
            ships,
            path,
            destination: None,
            avoiding,
            round_clouds: false,
            accept_loss: false,
        };
        assert!(scene.order(captain(), Order::Move(voyage)).is_ok());
        let colony = scene.power(Fate::independents()).colony(planet).unwrap();
        assert_eq!((colony.hold, colony.bases, colony.population), (Hold::Free, Bases::NONE, 30));
        assert!(scene.power(captain()).prizes.is_empty());
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
    fn fate_8_8_other_planets_bring_nothing() {
        assert_eq!(garrisoned(30, 5).0.power(captain()).research.owned, TechSet::NONE);
    }

    #[test]
    fn fate_10_pirate_corvettes_besiege_a_dominion_and_scouts_do_not() {
        for (kind, hold) in [(Corvette, Hold::Besieged), (Scout, Hold::Free)] {
            let (mut scene, planet) = garrisoned(30, 5);
            let guard = scene.power(captain()).ships.iter().map(|ship| ship.number).collect();
            resolve(&mut scene, |referee| {
                referee.whisper(OwnEvent::ShipsLost {
                    seat: captain(),
                    ships: guard,
                    cause: Cause::Battle,
                });
                referee.show_groups(captain(), place("L18"));
            });
            scene.ships(Fate::pirates(), "L18", &[(kind, 1)]);
            resolve(&mut scene, |referee| settle_star(referee, planet.star));
            assert_eq!(scene.power(captain()).colony(planet).map(|colony| colony.hold), Some(hold));
        }
    }
}
