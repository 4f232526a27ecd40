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
