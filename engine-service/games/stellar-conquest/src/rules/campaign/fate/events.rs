//! Fate 4: random events, and what they bring.

use crate::rules::arrivals::bring;
use crate::rules::campaign::fate::recall::demand;
use crate::rules::campaign::fate::swarms::fate_swarms;
use crate::rules::referee::Referee;
use crate::state::campaign::fate::{Fate, FateEvent};
use crate::state::event::{OwnEvent, Source};
use crate::tables::fate::{RandomEvent, random_event};
use crate::tables::ships::Fleet;

/// 4.2 A: i.p. for research at the next production turn.
const GRANT: u32 = 10;

/// 4.2 A: transports with technical cadres.
const CADRES: Fleet = Fleet::new([0, 5, 0, 0, 0]);

/// 4.2 D: what a Sub-Province is given at once.
const SUB_PROVINCE: Fleet = Fleet::new([4, 5, 5, 0, 0]);

/// 4.2 D: what it is given in even turns from then on.
const REGULAR: Fleet = Fleet::new([0, 0, 1, 0, 0]);

/// 3, steps 1 and 2: the event (4), the Sub-Province's corvette (4.2 D), Swarms (5), and what must
/// be withdrawn (4.4). Opens `CampaignStage::Recall` if ships must be chosen.
pub(crate) fn fate_before_movement(referee: &mut Referee<'_>) {
    let turn = referee.table().turn;
    if turn <= 1 {
        return;
    }
    let war = referee.fate().war;
    let (event, fleet, points) = roll_event(referee);
    arrive(referee, fleet);
    if referee.fate().is_supplied(turn) {
        arrive(referee, REGULAR);
    }
    if event == RandomEvent::Swarms || (event == RandomEvent::Peace && !war) {
        fate_swarms(referee);
    }
    demand(referee, points);
}

/// 4.1, 4.2: rolls for the event, and makes of the campaign what it says. Says which it is, the
/// ships that it brings, and the half ship points that it takes.
fn roll_event(referee: &mut Referee<'_>) -> (RandomEvent, Fleet, u32) {
    let (red, white) = referee.two_dice("event", 0);
    let event = random_event(red, white);
    let effective = referee.fate().is_effective(event);
    let (fleet, points) = if effective { roll_size(referee, event) } else { (Fleet::NONE, 0) };
    let ships = fleet.total() as u8;
    referee.proclaim(FateEvent::EventRolled { red, white, event, effective, ships, points });
    if effective {
        take_effect(referee, event);
    }
    (event, fleet, 2 * u32::from(points))
}

/// 4.2: the ships that an event brings, and the ship points that it takes.
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

/// 4.2: what an event changes for longer than its turn.
fn take_effect(referee: &mut Referee<'_>, event: RandomEvent) {
    let war = referee.fate().war;
    match event {
        RandomEvent::Cadres => {
            let seat = Fate::captain();
            let points = referee.power(seat).grant.saturating_add(GRANT);
            referee.whisper(OwnEvent::GrantChanged { seat, points });
        }
        RandomEvent::SubProvince => {
            let turn = referee.table().turn;
            referee.proclaim(FateEvent::Elevated { turn });
        }
        RandomEvent::FullWar if !war => referee.proclaim(FateEvent::WarChanged { war: true }),
        RandomEvent::Peace if war => referee.proclaim(FateEvent::WarChanged { war: false }),
        RandomEvent::None
        | RandomEvent::Corvettes
        | RandomEvent::Scouts
        | RandomEvent::Tension
        | RandomEvent::LimitedWar
        | RandomEvent::FullWar
        | RandomEvent::Peace
        | RandomEvent::Swarms => {}
    }
}

/// 4.3: ships from the Empire wait off the board, and enter in this turn's movement.
fn arrive(referee: &mut Referee<'_>, fleet: Fleet) {
    bring(referee, Fate::captain(), fleet, None, Source::Empire);
}

#[cfg(test)]
mod tests {
    use heliopause_kernel::{Game, Why};

    use super::*;
    use crate::rules::campaign::fate::scenes::{begin_turn, captain, of_fate};
    use crate::state::event::Event;
    use crate::state::event::TableEvent;
    use crate::state::order::Order;
    use crate::state::sheet::{Payment, ProductionSheet};
    use crate::state::ship::Ship;
    use crate::state::table::Stage;
    use crate::tables::ships::ShipKind;
    use crate::tables::technology::Tech;
    use crate::testing::Scene;

    /// The Captain-General's ships that wait off the board.
    fn waiting(scene: &Scene) -> [u32; 5] {
        let ships = scene.power(captain()).ships.iter().filter(|ship| ship.at.is_none());
        ships.map(Ship::kind).collect::<Fleet>().counts()
    }

    /// The dice for a turn without an event.
    const NOTHING: [u32; 2] = [1, 2];

    #[test]
    fn fate_4_1_there_is_no_event_on_turn_1() {
        let (scene, told) = begin_turn(Scene::fate(), 1, &[]);
        assert!(of_fate(&told).is_empty());
        assert_eq!(scene.game.table().stage, Stage::Movement);
    }

    #[test]
    fn ft_01_a_full_scale_war_takes_ships_and_stops_events_a_to_f() {
        let mut scene = Scene::fate();
        scene.ships(captain(), "L18", &[(ShipKind::Corvette, 7)]);
        let (scene, told) = begin_turn(scene, 5, &[6, 6, 3, 4]);
        let event = RandomEvent::FullWar;
        let rolled = FateEvent::EventRolled {
            red: 6,
            white: 6,
            event,
            effective: true,
            ships: 0,
            points: 7,
        };
        assert_eq!(of_fate(&told), [rolled, FateEvent::WarChanged { war: true }]);
        assert!(scene.power(captain()).ships.is_empty());
        assert_eq!(scene.fate_state().lost, Fleet::NONE, "no victory points are lost");
        let (scene, told) = begin_turn(scene, 6, &[1, 1]);
        let event = RandomEvent::SubProvince;
        let rolled = FateEvent::EventRolled {
            red: 1,
            white: 1,
            event,
            effective: false,
            ships: 0,
            points: 0,
        };
        assert_eq!(of_fate(&told), [rolled]);
        assert_eq!((waiting(&scene), scene.fate_state().sub_province), ([0; 5], None));
    }

    #[test]
    fn fate_4_2_g_a_war_that_goes_on_takes_ships_again() {
        let (scene, _) = begin_turn(Scene::fate(), 5, &[6, 6, 1, 1]);
        let (scene, told) = begin_turn(scene, 6, &[6, 6, 2, 3]);
        assert_eq!(scene.fate_state().debt, 14);
        assert!(!of_fate(&told).contains(&FateEvent::WarChanged { war: true }));
    }

    #[test]
    fn ft_02_peace_without_a_war_brings_swarms() {
        let (_, told) = begin_turn(Scene::fate(), 5, &[1, 6, 5, 2]);
        assert!(matches!(
            of_fate(&told)[..],
            [FateEvent::EventRolled { .. }, FateEvent::SwarmsSought { .. }]
        ));
        let (scene, _) = begin_turn(Scene::fate(), 5, &[6, 6, 1, 1]);
        let (scene, told) = begin_turn(scene, 6, &[1, 6]);
        assert!(matches!(
            of_fate(&told)[..],
            [FateEvent::EventRolled { .. }, FateEvent::WarChanged { war: false }]
        ));
        assert!(!scene.fate_state().war);
        let (scene, _) = begin_turn(scene, 7, &[2, 4, 4]);
        assert_eq!(waiting(&scene), [0, 0, 4, 0, 0], "events have an effect again");
    }

    #[test]
    fn ft_03_a_sub_province_gets_a_corvette_in_every_later_even_turn() {
        let (scene, _) = begin_turn(Scene::fate(), 7, &[1, 1]);
        assert_eq!((waiting(&scene), scene.fate_state().sub_province), ([4, 5, 5, 0, 0], Some(7)));
        let (scene, _) = begin_turn(scene, 8, &NOTHING);
        assert_eq!(waiting(&scene), [4, 5, 6, 0, 0]);
        let (scene, told) = begin_turn(scene, 9, &[1, 1]);
        assert_eq!(waiting(&scene), [4, 5, 6, 0, 0]);
        assert!(matches!(of_fate(&told)[..], [FateEvent::EventRolled { effective: false, .. }]));
        let (scene, _) = begin_turn(scene, 10, &NOTHING);
        assert_eq!(waiting(&scene), [4, 5, 7, 0, 0]);
    }

    #[test]
    fn fr_22_elevation_in_an_even_turn_brings_the_regular_corvette_two_turns_later() {
        let (scene, _) = begin_turn(Scene::fate(), 8, &[1, 1]);
        assert_eq!(waiting(&scene), [4, 5, 5, 0, 0]);
        let (scene, _) = begin_turn(scene, 10, &NOTHING);
        assert_eq!(waiting(&scene), [4, 5, 6, 0, 0]);
    }

    #[test]
    fn fate_4_2_g_a_war_stops_the_corvettes_until_peace() {
        let (scene, _) = begin_turn(Scene::fate(), 7, &[1, 1]);
        let (scene, _) = begin_turn(scene, 8, &[6, 6, 1, 1]);
        assert_eq!(waiting(&scene), [4, 5, 5, 0, 0], "the war begins before the corvette comes");
        let (scene, _) = begin_turn(scene, 10, &NOTHING);
        assert_eq!(waiting(&scene), [4, 5, 5, 0, 0]);
        let (scene, _) = begin_turn(scene, 12, &[1, 6]);
        assert_eq!(waiting(&scene), [4, 5, 6, 0, 0], "peace comes before it");
    }

    #[test]
    fn fate_4_2_b_and_c_reinforcements_by_a_die() {
        let (scene, told) = begin_turn(Scene::fate(), 2, &[4, 1, 6]);
        assert_eq!(waiting(&scene), [0, 0, 6, 0, 0]);
        assert!(matches!(of_fate(&told)[..], [FateEvent::EventRolled { ships: 6, points: 0, .. }]));
        let (scene, _) = begin_turn(Scene::fate(), 2, &[1, 5, 2]);
        assert_eq!(waiting(&scene), [2, 0, 0, 0, 0]);
    }

    #[test]
    fn fate_4_2_a_cadres_and_ten_points_of_research_each_time() {
        let (scene, _) = begin_turn(Scene::fate(), 2, &[2, 6]);
        assert_eq!((waiting(&scene), scene.power(captain()).grant), ([0, 5, 0, 0, 0], 10));
        let (scene, _) = begin_turn(scene, 3, &[5, 1]);
        assert_eq!(scene.power(captain()).grant, 20);
    }

    #[test]
    fn fate_4_2_a_the_grant_pays_for_research_alone_and_without_colonies() {
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
        scene.game.close(Why::AllReady, &mut scene.dice);
        let power = scene.power(captain());
        assert!(power.research.has(Tech::Speed3) && power.research.paid(Tech::Fighter) == 3);
        assert_eq!(power.grant, 0, "what is not spent is lost");
    }
}
