//! Rules 12.1, 12.2, 13.3: the line of battle, formed from ships and bases.

use heliopause_kernel::Seat;

use crate::rules::referee::Referee;
use crate::state::{
    Battle, BattleEvent, Condition, OwnEvent, Ship, ShipNumber, Stage, Unit, UnitId,
};
use crate::tables::{Arm, PlanetId};

/// Starts a battle with the ships of these seats in line. Ships are sorted by seat in the given
/// order, then by kind and number.
pub(crate) fn open_battle(referee: &mut Referee<'_>, seats: &[Seat], battle: Battle) {
    let at = battle.at;
    let mut units = Vec::new();
    let mut engaged = Vec::new();
    for &seat in seats {
        let mut ships: Vec<Ship> = referee.power(seat).ships_at(at).copied().collect();
        ships.sort_unstable_by_key(|ship| (ship.kind(), ship.number));
        let unit = |ship: &Ship| Unit {
            owner: seat,
            arm: Arm::Ship(ship.kind()),
            planet: None,
            condition: Condition::Fighting,
        };
        units.extend(ships.iter().map(unit));
        engaged.push((seat, ships.iter().map(|ship| ship.number).collect::<Vec<ShipNumber>>()));
    }
    let battle = Battle { units, ..battle };
    referee.publish_battle_to(battle.participants(), BattleEvent::BattleBegan { battle });
    for (seat, ships) in engaged {
        referee.publish_to_owner(OwnEvent::Engaged { seat, ships });
    }
    referee.enter(Stage::Battle);
}

pub(crate) fn ships_of(
    referee: &Referee<'_>,
    seat: Seat,
    battle: &Battle,
    units: &[UnitId],
) -> Vec<ShipNumber> {
    let engaged = &referee.power(seat).engaged;
    battle
        .places_of(seat, units)
        .into_iter()
        .filter_map(|place| engaged.get(place).copied())
        .collect()
}

pub(crate) fn bases_at(referee: &Referee<'_>, planet: PlanetId) -> Vec<Unit> {
    let Some((owner, colony)) = referee.owner_of(planet) else { return Vec::new() };
    let unit = |arm| Unit { owner, arm, planet: Some(planet.nth), condition: Condition::Fighting };
    let missile = (0..colony.bases.missile).map(|_| unit(Arm::MissileBase));
    let advanced = (0..colony.bases.advanced).map(|_| unit(Arm::AdvancedMissileBase));
    missile.chain(advanced).chain(colony.shield.then(|| unit(Arm::Shield))).collect()
}
