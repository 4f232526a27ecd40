//! Chapters 4 and 6: setup, emigration, priorities.

use heliopause_kernel::{Dice, Game, Setup};

use super::*;
use crate::rules::campaign::outer_space::stages::space_politics;
use crate::rules::turn::begin_production;
use crate::state::colony::Colony;
use crate::state::position::StellarConquest;
use crate::state::sheet::{Build, ColonyPlan, DecreePlan, DecreeSheet, Payment, Spending};
use crate::tables::prices::Item;
use crate::tables::technology::Tech;
use Item::{Corvette, Factory, Fighter, MissileBase, Scout};

#[test]
fn space_4_dt_11_the_dice_spend_the_25_ip() {
    let setup = Setup { options: Options::of(Variant::OuterSpace), players: 3 };
    let mut dice = Dice::new([7; 32]).scripted([2, 3, 3, 4, 1, 5, 6, 2]);
    let (game, _) = StellarConquest::new(&setup, &mut dice).unwrap();
    let missing = |number, tech| game.power(seat(number)).research.missing(tech);
    assert_eq!(missing(1, Tech::Speed4), 20);
    assert_eq!(missing(2, Tech::MissileBase), 15);
    assert_eq!(missing(3, Tech::IndustrialTechnology), 15);
    assert!((1..=3).all(|number| game.power(seat(number)).research.has(Tech::Speed3)));
    assert_eq!(game.table().stage, Stage::Movement);
    assert_eq!(game.check(), Ok(()));
}

/// The article's Alcor, in a production turn with this die; people have a terran planet of 60 to go
/// to.
fn alcor(die: u8, techs: &[Tech]) -> Scene {
    let mut scene = Scene::space(2);
    scene.claims(seat(1), "Alcor", 25);
    scene.claims(seat(1), "Sadir", 12);
    scene.colony(seat(1), "Alcor", 0, |colony| Colony {
        population: 60,
        grown: 10,
        factories: 5,
        ..colony
    });
    scene.has_post(seat(1), "Alcor");
    scene.owns(seat(1), techs);
    opens(&mut scene, die, 0);
    scene
}

const ARTICLE: [Tech; 3] = [Tech::Fighter, Tech::MissileBase, Tech::IndustrialTechnology];

/// The sheets are open; seat 1 threw this die.
fn opens(scene: &mut Scene, die: u8, modifier: u8) {
    scene.happen(&Event::Table(TableEvent::TurnBegan { turn: 4, seat: seat(1) }));
    for number in 1..=scene.game.table().players as u32 {
        let seat = seat(number);
        happens(scene, PoliticsEvent::PriorityRolled { seat, die, modifier });
        scene.happen(&Event::Own(OwnEvent::AgendaSet {
            seat,
            titles: vec![Tech::Speed3, Tech::DeathStar, Tech::ControlledEnvironment],
        }));
    }
    scene.happen(&Event::Table(TableEvent::StageChanged { stage: Stage::Production }));
}

/// Who emigrates by decree, in the order in which the colonies are handled: from where, how many,
/// and how many come along.
fn emigration(scene: &Scene) -> Vec<(PlanetId, u16, u16)> {
    let colonies = scene.game.eyes(seat(1)).decree_colonies().into_iter();
    colonies
        .filter(|one| one.emigrants > 0)
        .map(|one| (one.planet, one.emigrants, one.bonus))
        .collect()
}

fn builds(weapons: &[(Item, u32)]) -> Vec<Build> {
    weapons.iter().map(|&(item, count)| Build { item, count }).collect()
}

fn drafted(
    scene: &Scene,
    budget: Option<u32>,
    weapons: &[(Item, u32)],
) -> Result<ColonyPlan, String> {
    let plan = DecreePlan { planet: planet("Alcor", 0), budget, weapons: builds(weapons) };
    let eyes = scene.game.eyes(seat(1));
    let sheet = eyes.draft(&DecreeSheet { plans: vec![plan], posts: None });
    let alcor = |plan: &ColonyPlan| plan.planet == planet("Alcor", 0);
    sheet
        .map(|sheet| sheet.colonies.into_iter().find(alcor).unwrap())
        .map_err(|refusal| refusal.reason.into_owned())
}

/// What was bought of an item, and paid into research.
fn bought(plan: &ColonyPlan) -> (Vec<(Item, u32)>, u32) {
    let mut items = Vec::new();
    let mut research = 0;
    for spending in &plan.spending {
        match *spending {
            Spending::Build { item, count } => items.push((item, count)),
            Spending::Research(Payment { points, .. }) => research += points,
        }
    }
    (items, research)
}

#[test]
fn space_6_4_dt_12_the_article_s_alcor() {
    let scene = alcor(5, &ARTICLE);
    for (weapons, factories, research) in [
        (&[(Fighter, 1), (MissileBase, 1), (Scout, 1)][..], 2, 14),
        (&[(Fighter, 1), (Corvette, 1)], 2, 13),
        (&[(Fighter, 1), (Scout, 2)], 3, 12),
        (&[(Fighter, 1), (MissileBase, 2)], 2, 13),
    ] {
        let plan = drafted(&scene, None, weapons).unwrap();
        assert_eq!((plan.emigrants, plan.bonus), (12, 4));
        let (mut items, paid) = bought(&plan);
        assert_eq!(items.pop(), Some((Factory, factories)), "{weapons:?}");
        assert_eq!((&items[..], paid), (weapons, research));
    }
    assert_eq!(
        drafted(&scene, None, &[(Fighter, 1), (MissileBase, 1)]),
        Err("below-budget".to_owned())
    );
    assert_eq!(drafted(&scene, None, &[(Corvette, 3), (Scout, 1)]), Err("not-dearest".to_owned()));
    assert_eq!(drafted(&scene, None, &[(Fighter, 1), (Scout, 3)]), Err("too-many".to_owned()));
    assert_eq!(drafted(&scene, Some(24), &[]), Err("bad-budget".to_owned()));
    assert_eq!(drafted(&scene, Some(50), &[]), Err("bad-budget".to_owned()));
}

#[test]
fn space_6_2_dt_13_more_than_half_may_go_to_what_comes_first() {
    let (items, research) = bought(&drafted(&alcor(5, &ARTICLE), Some(40), &[]).unwrap());
    assert_eq!((items, research), (vec![(Fighter, 2), (Factory, 1)], 5));
}

#[test]
fn space_6_2_dt_14_research_first() {
    let (items, research) = bought(&drafted(&alcor(3, &ARTICLE), None, &[]).unwrap());
    assert_eq!((items, research), (vec![(Factory, 3), (Corvette, 1), (MissileBase, 1)], 25));
}

#[test]
fn space_6_2_dt_15_factories_first() {
    let (items, research) = bought(&drafted(&alcor(1, &ARTICLE), None, &[]).unwrap());
    assert_eq!((items, research), (vec![(Factory, 7), (Corvette, 1)], 13));
}

#[test]
fn space_6_2_dt_16_without_industry_factories_are_research() {
    let weapons = [(Fighter, 1), (MissileBase, 1), (Scout, 1)];
    let (items, research) = bought(&drafted(&alcor(5, &ARTICLE[..2]), None, &weapons).unwrap());
    assert_eq!((items, research), (weapons.to_vec(), 22));
}

#[test]
fn space_6_2_a_decree_is_carried_out_and_a_base_sheet_refused() {
    let mut scene = alcor(5, &ARTICLE);
    let produce = Order::Produce(crate::state::sheet::ProductionSheet::default());
    assert_eq!(scene.refused(seat(1), produce), "decreed");
    let plan = DecreePlan {
        planet: planet("Alcor", 0),
        budget: None,
        weapons: builds(&[(Fighter, 1), (Corvette, 1)]),
    };
    scene.obeyed(seat(1), Order::Decree(DecreeSheet { plans: vec![plan], posts: None }));
    scene.game.close(heliopause_kernel::Why::Deadline, &mut scene.dice);
    assert_eq!(scene.game.check(), Ok(()));
    let power = scene.power(seat(1));
    assert_eq!(power.fleet_at(place("L18")), crate::tables::ships::Fleet::new([0, 16, 1, 1, 0]));
    assert_eq!((power.colonies[0].population, power.colonies[0].factories), (48, 7));
    assert_eq!(power.research.paid(Tech::Speed3), 13);
    assert!(power.agenda.is_empty() && scene.politics().priorities == [None; 4]);
}

#[test]
fn space_6_1_dt_18_at_war_only_the_crowded_emigrate() {
    for (population, at_war, emigrants) in [(60, false, 12), (60, true, 0), (65, true, 12)] {
        let mut scene = alcor(5, &ARTICLE);
        scene.colony(seat(1), "Alcor", 0, |colony| Colony {
            population,
            grown: 10,
            factories: 5,
            founded: 0,
            ..colony
        });
        if at_war {
            scene.war(seat(1), seat(2), WarKind::Limited);
        }
        assert_eq!(
            drafted(&scene, None, &[]).unwrap().emigrants,
            emigrants,
            "{population} {at_war}"
        );
    }
}

#[test]
fn space_6_1_dt_19_dr_8_nobody_goes_where_there_is_no_room() {
    let mut scene = Scene::space(2);
    scene.claims(seat(1), "Alcor", 25);
    scene.claims(seat(1), "Sadir", 22);
    scene.colony(seat(1), "Alcor", 0, |colony| Colony { population: 60, grown: 10, ..colony });
    scene.colony(seat(1), "Sadir", 0, |colony| Colony { population: 30, ..colony });
    scene.has_post(seat(1), "Alcor");
    opens(&mut scene, 5, 0);
    let plan = drafted(&scene, None, &[]).unwrap();
    assert_eq!((plan.emigrants, plan.bonus), (8, 2));
}

#[test]
fn space_6_1_dt_20_the_nearest_colony_fills_a_rich_planet() {
    let mut scene = Scene::space(2);
    scene.claims(seat(1), "Sadir", 18);
    scene.claims(seat(1), "Zosca", 9);
    scene.colony(seat(1), "Sadir", 1, |colony| Colony { population: 44, grown: 4, ..colony });
    scene.colony(seat(1), "Zosca", 1, |colony| colony);
    scene.ships(seat(1), "Q20", &[(ShipKind::Transport, 5)]);
    scene.has_post(seat(1), "Sadir");
    scene.owns(seat(1), &[Tech::Speed4]);
    opens(&mut scene, 5, 0);
    assert_eq!(emigration(&scene), [(planet("Sadir", 1), 23, 2)]);
}

#[test]
fn space_6_1_4_half_of_a_sub_terran_colony_goes_to_what_was_evacuated_for_it() {
    let mut scene = Scene::space(2);
    scene.claims(seat(1), "Sadir", 17);
    scene.claims(seat(1), "Alcor", 25);
    scene.colony(seat(1), "Sadir", 0, |colony| Colony { population: 25, grown: 2, ..colony });
    scene.has_post(seat(1), "Sadir");
    opens(&mut scene, 5, 0);
    assert!(emigration(&scene).is_empty());
    happens(&mut scene, PoliticsEvent::Vacated { planet: planet("Alcor", 0) });
    assert_eq!(emigration(&scene), [(planet("Sadir", 0), 12, 1)]);
}

#[test]
fn dr_51_half_of_a_colony_finds_no_more_room_than_the_evacuated_planet_has() {
    let mut scene = Scene::space(2);
    scene.claims(seat(1), "Sadir", 17);
    scene.claims(seat(1), "Alcor", 25);
    scene.claims(seat(1), "Hydrae", 44);
    scene.colony(seat(1), "Sadir", 0, |colony| Colony { population: 25, grown: 2, ..colony });
    scene.has_post(seat(1), "Sadir");
    scene.colony(seat(1), "Alcor", 0, |colony| Colony {
        population: 76,
        grown: 0,
        founded: 0,
        ..colony
    });
    opens(&mut scene, 5, 0);
    happens(&mut scene, PoliticsEvent::Vacated { planet: planet("Alcor", 0) });
    // Elsewhere is room for all of them, but the evacuated planet holds 4 more: 3 and their bonus.
    let of_sadir = emigration(&scene).into_iter().find(|(at, ..)| *at == planet("Sadir", 0));
    assert!(of_sadir.is_none_or(|(_, emigrants, bonus)| emigrants + bonus <= 4), "{of_sadir:?}");
}

/// Two rich planets, of which seat 1's Sadir is the nearest colony.
fn two_rich(techs: &[Tech]) -> Scene {
    let mut scene = Scene::space(2);
    scene.claims(seat(1), "Sadir", 18);
    scene.claims(seat(1), "Zosca", 9);
    scene.claims(seat(1), "Pherda", 8);
    scene.colony(seat(1), "Sadir", 1, |colony| Colony { population: 44, grown: 4, ..colony });
    scene.colony(seat(1), "Zosca", 1, |colony| Colony { population: 36, ..colony });
    scene.has_post(seat(1), "Sadir");
    scene.owns(seat(1), techs);
    opens(&mut scene, 5, 0);
    scene
}

#[test]
fn space_6_2_3_under_siege_only_bases_are_weapons() {
    let mut scene = alcor(5, &ARTICLE);
    scene.colony(seat(1), "Alcor", 0, |colony| Colony {
        population: 60,
        grown: 10,
        hold: crate::state::colony::Hold::Besieged,
        founded: 0,
        ..colony
    });
    let plan = drafted(&scene, None, &[]).unwrap();
    assert_eq!(plan.emigrants, 0);
    // Half of 60 i.p. buys 7 bases of 4; there is nothing cheaper for the rest.
    assert_eq!(bought(&plan).0[0], (MissileBase, 7));
}

#[test]
fn dr_47_several_rich_planets_with_one_nearest_colony_are_all_filled() {
    // Gaps of 20 and 4: 22 emigrate, and 2 come along.
    assert_eq!(emigration(&two_rich(&[Tech::Speed4])), [(planet("Sadir", 1), 22, 2)]);
}

/// The younger colony at Hydrae lacks a few i.p. for a title with which more factories work at
/// Alcor, the older one.
fn one_after_the_other() -> Scene {
    let mut scene = Scene::space(2);
    scene.claims(seat(1), "Alcor", 25);
    scene.claims(seat(1), "Lupi", 47);
    scene.colony(seat(1), "Alcor", 0, |colony| Colony { population: 20, factories: 40, ..colony });
    scene.colony(seat(1), "Lupi", 0, |colony| Colony { population: 20, ..colony });
    scene.has_post(seat(1), "Alcor");
    scene.owns(seat(1), &[Tech::IndustrialTechnology]);
    let mut research = scene.power(seat(1)).research;
    let missing = research.missing(Tech::ImprovedIndustrialTechnology);
    research.pay(Tech::ImprovedIndustrialTechnology, missing - 1);
    scene.happen(&Event::Own(OwnEvent::Researched {
        seat: seat(1),
        research,
        acquired: crate::tables::technology::TechSet::NONE,
    }));
    opens(&mut scene, 3, 0);
    let titles = vec![Tech::ImprovedIndustrialTechnology, Tech::Speed3, Tech::DeathStar];
    scene.happen(&Event::Own(OwnEvent::AgendaSet { seat: seat(1), titles }));
    scene
}

#[test]
fn dr_48_what_one_colony_acquires_the_next_one_uses_in_the_same_production_turn() {
    let mut scene = one_after_the_other();
    let colonies = scene.game.eyes(seat(1)).decree_colonies();
    let outputs: Vec<(PlanetId, u32)> =
        colonies.iter().map(|colony| (colony.planet, colony.output)).collect();
    assert_eq!(outputs, [(planet("Lupi", 0), 20), (planet("Alcor", 0), 60)]);
    scene.obeyed(seat(1), Order::Decree(DecreeSheet::default()));
    scene.game.close(heliopause_kernel::Why::Deadline, &mut scene.dice);
    assert_eq!(scene.game.check(), Ok(()));
    assert!(scene.power(seat(1)).research.has(Tech::ImprovedIndustrialTechnology));
}

#[test]
fn dr_29_the_die_of_priority_is_told_to_its_owner_alone() {
    use heliopause_kernel::Viewer;
    let mut scene = alcor(5, &ARTICLE);
    happens(&mut scene, PoliticsEvent::PriorityRolled { seat: seat(2), die: 2, modifier: 0 });
    let shown = |scene: &Scene, viewer| {
        scene.game.view(viewer).table.campaign.politics().unwrap().priorities
    };
    assert_eq!(shown(&scene, Viewer::Seat(seat(1))), [Some(5), None, None, None]);
    assert_eq!(shown(&scene, Viewer::Seat(seat(2))), [None, Some(2), None, None]);
    assert_eq!(shown(&scene, Viewer::Spectator), [None; 4]);
    assert_eq!(shown(&scene, Viewer::GameMaster), [Some(5), Some(2), None, None]);
    // Another die of seat 2 changes nothing that seat 1 or a spectator is shown or told.
    let before = [Viewer::Seat(seat(1)), Viewer::Spectator].map(|viewer| scene.game.view(viewer));
    happens(&mut scene, PoliticsEvent::PriorityRolled { seat: seat(2), die: 6, modifier: 0 });
    assert_eq!(
        [Viewer::Seat(seat(1)), Viewer::Spectator].map(|viewer| scene.game.view(viewer)),
        before
    );
    let mut scene = Scene::space(2);
    scene.claims(seat(1), "Alcor", 25);
    let told = {
        let mut referee = scene.referee();
        space_politics(&mut referee);
        referee.told
    };
    let dice = |viewer| {
        let rolled =
            |event: &&Event| matches!(event, Event::Politics(PoliticsEvent::PriorityRolled { .. }));
        told.to(viewer).filter(rolled).count()
    };
    assert_eq!((dice(Viewer::Seat(seat(1))), dice(Viewer::Seat(seat(2)))), (1, 1));
    assert_eq!((dice(Viewer::Spectator), dice(Viewer::GameMaster)), (0, 2));
}

#[test]
fn space_6_2_the_sentence_about_a_priority_says_whose_and_what_comes_first() {
    let event =
        Event::Politics(PoliticsEvent::PriorityRolled { seat: seat(1), die: 2, modifier: 0 });
    let (sentence, _) =
        StellarConquest::describe(&event, &|seat| format!("Power {}", seat.number()));
    let order = "titles of research come first, then weapons, then factories";
    assert_eq!(sentence, format!("The die of economic priority of Power 1 comes to 2: {order}."));
}

#[test]
fn dr_50_slaves_are_a_colony_of_their_holder_and_of_nobody_else() {
    let mut scene = Scene::space(2);
    scene.claims(seat(1), "Alcor", 24);
    let hold = crate::state::colony::Hold::Occupied(crate::state::colony::Occupation {
        by: seat(1),
        waits: false,
    });
    scene.colony(seat(2), "Alcor", 1, |colony| Colony { hold, ..colony });
    // The slaves' planet, and the unoccupied terran one beside it.
    assert_eq!((scene.game.points(seat(1)), scene.game.points(seat(2))), (1 + 3, 0));
}

#[test]
fn space_11_a_game_that_ends_in_a_production_turn_holds_together() {
    let mut scene = Scene::space(2);
    scene.claims(seat(1), "Alcor", 25);
    scene.colony(seat(1), "Alcor", 0, |colony| Colony { population: 30, ..colony });
    scene.war(seat(1), seat(2), WarKind::Total);
    scene.happen(&Event::Table(TableEvent::TurnBegan { turn: 4, seat: seat(2) }));
    begin_production(&mut scene.referee());
    assert!(scene.game.table().is_over());
    assert_eq!(scene.game.check(), Ok(()));
}
