//! Fate 4: rolls for random events, and the effects of these events.

use crate::rules::arrivals::bring;
use crate::rules::campaign::fate::recall::demand;
use crate::rules::campaign::fate::swarms::fate_swarms;
use crate::rules::referee::Referee;
use crate::state::{Fate, FateEvent, OwnEvent, Source};
use crate::tables::Fleet;
use crate::tables::fate::{RandomEvent, random_event};

/// Research i.p. granted for the next production turn (4.2 A).
const GRANT: u32 = 10;

const CADRES: Fleet = Fleet::new([0, 5, 0, 0, 0]);

/// Ships that a Sub-Province receives at once (4.2 D).
const SUB_PROVINCE: Fleet = Fleet::new([4, 5, 5, 0, 0]);

/// Ships that a Sub-Province receives in later even turns (4.2 D).
const SUB_PROVINCE_REGULAR: Fleet = Fleet::new([0, 0, 1, 0, 0]);

/// Plays steps 1 and 2 of section 3. Opens `CampaignStage::Recall` if ships must be chosen.
pub(crate) fn fate_before_movement(referee: &mut Referee<'_>) {
    let turn = referee.table().turn;
    if turn <= 1 {
        return;
    }
    let war = referee.fate().war;
    let (event, fleet, points) = roll_event(referee);
    arrive(referee, fleet);
    if referee.fate().is_supplied(turn) {
        arrive(referee, SUB_PROVINCE_REGULAR);
    }
    if event == RandomEvent::Swarms || (event == RandomEvent::Peace && !war) {
        fate_swarms(referee);
    }
    demand(referee, points);
}

/// Returns the event, the ships it brings, and the half ship points it demands (4.1, 4.2).
fn roll_event(referee: &mut Referee<'_>) -> (RandomEvent, Fleet, u32) {
    let (red, white) = referee.two_dice("event", 0);
    let event = random_event(red, white);
    let effective = referee.fate().is_effective(event);
    let (fleet, points) = if effective { roll_size(referee, event) } else { (Fleet::NONE, 0) };
    let ships = fleet.total() as u8;
    referee.publish_fate(FateEvent::EventRolled { red, white, event, effective, ships, points });
    if effective {
        take_effect(referee, event);
    }
    (event, fleet, 2 * u32::from(points))
}

fn roll_size(referee: &mut Referee<'_>, event: RandomEvent) -> (Fleet, u8) {
    let mut die = |nth| referee.roll("event-size", 0, nth);
    match event {
        RandomEvent::Cadres => (CADRES, 0),
        RandomEvent::Corvettes => (Fleet::new([0, 0, u32::from(die(0)), 0, 0]), 0),
        RandomEvent::Scouts => (Fleet::new([u32::from(die(0)), 0, 0, 0, 0]), 0),
        RandomEvent::SubProvince => (SUB_PROVINCE, 0),
        RandomEvent::Tension => (Fleet::NONE, die(0)),
        RandomEvent::LimitedWar | RandomEvent::FullWar => (Fleet::NONE, die(0) + die(1)),
        RandomEvent::None | RandomEvent::Peace | RandomEvent::Swarms => (Fleet::NONE, 0),
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the others are over at once")]
fn take_effect(referee: &mut Referee<'_>, event: RandomEvent) {
    let war = referee.fate().war;
    match event {
        RandomEvent::Cadres => {
            let seat = Fate::captain();
            let points = referee.power(seat).grant.saturating_add(GRANT);
            referee.publish_to_owner(OwnEvent::GrantChanged { seat, points });
        }
        RandomEvent::SubProvince => {
            let turn = referee.table().turn;
            referee.publish_fate(FateEvent::Elevated { turn });
        }
        RandomEvent::FullWar if !war => referee.publish_fate(FateEvent::WarChanged { war: true }),
        RandomEvent::Peace if war => referee.publish_fate(FateEvent::WarChanged { war: false }),
        _ => {}
    }
}

/// Adds ships from the Empire. They wait off the board and enter in this turn's movement (4.3).
fn arrive(referee: &mut Referee<'_>, fleet: Fleet) {
    bring(referee, Fate::captain(), fleet, None, Source::Empire);
}

#[cfg(test)]
mod tests {
    use heliopause_kernel::{CloseCause, Game};

    use super::*;
    use crate::rules::campaign::fate::scenes::{begin_turn, captain, fate_events};
    use crate::state::{Event, Order, Payment, ProductionSheet, Ship, Stage, TableEvent};
    use crate::tables::Tech;
    use crate::testing::Scene;

    fn waiting(scene: &Scene) -> [u32; 5] {
        let ships = scene.power(captain()).ships.iter().filter(|ship| ship.at.is_none());
        ships.map(Ship::kind).collect::<Fleet>().counts()
    }

    const NOTHING: [u32; 2] = [1, 2];

    #[test]
    fn fate_4_1_there_is_no_event_on_turn_1() {
        let (scene, told) = begin_turn(Scene::fate(), 1, &[]);
        assert!(fate_events(&told).is_empty());
        assert_eq!(scene.game.table().stage, Stage::Movement);
    }

    #[test]
    fn ft_03_a_sub_province_gets_a_corvette_in_every_later_even_turn() {
        let (scene, _) = begin_turn(Scene::fate(), 7, &[1, 1]);
        assert_eq!((waiting(&scene), scene.fate_state().sub_province), ([4, 5, 5, 0, 0], Some(7)));
        let (scene, _) = begin_turn(scene, 8, &NOTHING);
        assert_eq!(waiting(&scene), [4, 5, 6, 0, 0]);
        let (scene, told) = begin_turn(scene, 9, &[1, 1]);
        assert_eq!(waiting(&scene), [4, 5, 6, 0, 0]);
        assert!(matches!(
            fate_events(&told)[..],
            [FateEvent::EventRolled { effective: false, .. }]
        ));
        let (scene, _) = begin_turn(scene, 10, &NOTHING);
        assert_eq!(waiting(&scene), [4, 5, 7, 0, 0]);
    }

    #[test]
    fn fate_4_2_a_the_grant_pays_only_for_research_even_without_colonies() {
        let (scene, _) = begin_turn(Scene::fate(), 4, &[2, 6]);
        let (mut scene, _) = begin_turn(scene, 4, &[2, 6]);
        scene.happen(&Event::Table(TableEvent::StageChanged { stage: Stage::Production }));
        let grant = |payments: &[(Tech, u32)]| {
            let grant = payments.iter().map(|&(tech, points)| Payment { tech, points }).collect();
            Order::Produce(ProductionSheet { grant, ..ProductionSheet::default() })
        };
        assert!(scene.order(captain(), grant(&[(Tech::Fighter, 6), (Tech::Speed3, 15)])).is_err());
        assert_eq!(scene.refused(captain(), grant(&[(Tech::DeathStar, 1)])), "level-closed");
        assert!(scene.order(captain(), grant(&[(Tech::Speed3, 15), (Tech::Fighter, 3)])).is_ok());
        scene = scene.script(NOTHING);
        scene.game.close(CloseCause::AllReady, &mut scene.dice);
        let power = scene.power(captain());
        assert!(power.research.has(Tech::Speed3) && power.research.paid(Tech::Fighter) == 3);
        assert_eq!(power.grant, 0, "what is not spent is lost");
    }
}
