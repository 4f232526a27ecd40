//! Tests of setup, emigration and priorities by decree (chapters 4 and 6).

use heliopause_kernel::Game;

use super::*;
use crate::state::{
    Build, Colony, ColonyPlan, DecreePlan, DecreeSheet, Payment, Spending, StellarConquest,
};
use crate::tables::{Item, Tech};
use Item::{Corvette, Fighter, MissileBase};

/// Creates the article's example of Alcor. Sadir has a Terran planet for 60M, open to emigrants.
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
    open_sheets(&mut scene, die, 0);
    scene
}

const ARTICLE: [Tech; 3] = [Tech::Fighter, Tech::MissileBase, Tech::IndustrialTechnology];

fn open_sheets(scene: &mut Scene, die: u8, modifier: u8) {
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

fn builds(weapons: &[(Item, u32)]) -> Vec<Build> {
    weapons.iter().map(|&(item, count)| Build { item, count }).collect()
}

fn drafted(
    scene: &Scene,
    budget: Option<u32>,
    weapons: &[(Item, u32)],
) -> Result<ColonyPlan, String> {
    let plan = DecreePlan { planet: planet("Alcor", 0), budget, weapons: builds(weapons) };
    let seat_view = scene.game.seat_view(seat(1));
    let sheet = seat_view.draft(&DecreeSheet { plans: vec![plan], posts: None });
    let alcor = |plan: &ColonyPlan| plan.planet == planet("Alcor", 0);
    sheet
        .map(|sheet| sheet.colonies.into_iter().find(alcor).unwrap())
        .map_err(|refusal| refusal.reason.into_owned())
}

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
fn space_6_2_decrees_are_carried_out_and_base_sheets_rejected() {
    let mut scene = alcor(5, &ARTICLE);
    let produce = Order::Produce(crate::state::sheet::ProductionSheet::default());
    assert_eq!(scene.refused(seat(1), produce), "decreed");
    let plan = DecreePlan {
        planet: planet("Alcor", 0),
        budget: None,
        weapons: builds(&[(Fighter, 1), (Corvette, 1)]),
    };
    scene.accepted_order(seat(1), Order::Decree(DecreeSheet { plans: vec![plan], posts: None }));
    scene.game.close(heliopause_kernel::CloseCause::Deadline, &mut scene.dice);
    assert_eq!(scene.game.check(), Ok(()));
    let power = scene.power(seat(1));
    assert_eq!(power.fleet_at(place("L18")), crate::tables::ships::Fleet::new([0, 16, 1, 1, 0]));
    assert_eq!((power.colonies[0].population, power.colonies[0].factories), (48, 7));
    assert_eq!(power.research.paid(Tech::Speed3), 13);
    assert!(power.agenda.is_empty() && scene.politics().priorities == [None; 4]);
}

#[test]
fn space_6_2_3_besieged_colonies_buy_only_bases_as_weapons() {
    let mut scene = alcor(5, &ARTICLE);
    scene.colony(seat(1), "Alcor", 0, |colony| Colony {
        population: 60,
        grown: 10,
        control: crate::state::colony::Hold::Besieged,
        founded: 0,
        ..colony
    });
    let plan = drafted(&scene, None, &[]).unwrap();
    assert_eq!(plan.emigrants, 0);
    // The budget of 30 i.p. buys 7 bases at 4 i.p. Nothing costs less than the remaining 2 i.p.
    assert_eq!(bought(&plan).0[0], (MissileBase, 7));
}

#[test]
fn space_6_2_priority_sentences_name_the_power_and_the_area() {
    let event =
        Event::Politics(PoliticsEvent::PriorityRolled { seat: seat(1), die: 2, modifier: 0 });
    let (sentence, _) =
        StellarConquest::describe(&event, &|seat| format!("Power {}", seat.number()));
    let order = "titles of research come first, then weapons, then factories";
    assert_eq!(sentence, format!("The economic priority die of Power 1 shows 2: {order}."));
}
