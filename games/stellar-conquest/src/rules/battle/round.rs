//! Rules 12.3 to 12.6, 13.7: the dice and losses of a round.

use heliopause_kernel::Seat;

use crate::rules::battle::line::ships_of;
use crate::rules::campaign::hooks::losses::{after_losses, count_destroyed};
use crate::rules::colonies::change_colony;
use crate::rules::referee::Referee;
use crate::state::{
    Bases, Battle, BattleEvent, Cause, Change, Colony, Ship, Shot, Side, Unit, UnitId, Volley,
};
use crate::tables::{Arm, Fleet, Odds, PlanetId, StarId, Tech};

pub(crate) fn fight_round(referee: &mut Referee<'_>) {
    let battle = referee.battle().clone();
    let mut volleys = Vec::with_capacity(battle.shots.len());
    let mut destroyed: Vec<UnitId> = Vec::new();
    let is_shield = |id| battle.unit(id).is_some_and(|unit| unit.arm == Arm::Shield);
    for side in [Side::Attacker, Side::Defender] {
        let of_side =
            |shot: &&Shot| battle.unit(shot.by).is_some_and(|unit| battle.side(unit.owner) == side);
        let mut shots: Vec<Shot> = battle.shots.iter().filter(of_side).copied().collect();
        shots.sort_unstable_by_key(|shot| shot.by);
        for shot in shots {
            let volley = fire(referee, &battle, shot, destroyed.contains(&shot.at));
            if volley.hit && !is_shield(shot.at) {
                destroyed.push(shot.at);
            }
            volleys.push(volley);
        }
    }
    destroyed
        .extend(battle.fallen(&battle.shields_after(&volleys, battle.rounds.saturating_add(1))));
    destroyed.sort_unstable();
    referee.publish_battle(BattleEvent::RoundFought {
        volleys: volleys.clone(),
        destroyed: destroyed.clone(),
    });
    count_destroyed(referee, &battle, &volleys, &destroyed);
    remove_ships(referee, &battle, &destroyed);
    remove_bases(referee, &battle, &destroyed);
}

pub(crate) fn fire(referee: &mut Referee<'_>, battle: &Battle, shot: Shot, wasted: bool) -> Volley {
    let mut volley = Volley { shot, dice: [0, 0], again: None, hit: false };
    let (Some(by), Some(at)) = (battle.unit(shot.by), battle.unit(shot.at)) else { return volley };
    let odds = referee.table().options.odds(by.arm, at.arm);
    if wasted || odds == Odds::Never {
        return volley;
    }
    // Hex, round and unit identify the shot within the player-turn.
    let hex = (battle.at.index() as u64) << 32;
    let object = hex | (u64::from(battle.rounds) << 16) | u64::from(shot.by.0);
    volley.dice = roll_shot(referee, object, odds, 0);
    volley.hit = odds.hits(volley.dice);
    if !volley.hit && fires_again(referee, *by) {
        let again = roll_shot(referee, object, odds, 2);
        volley.again = Some(again);
        volley.hit = odds.hits(again);
    }
    volley
}

/// Returns whether a unit fires again after a miss (rule 12.6). Bases need an option for it (rule
/// 20), and beams never do (space 1.1).
fn fires_again(referee: &Referee<'_>, unit: Unit) -> bool {
    let arms = match unit.arm {
        Arm::Ship(_) => true,
        Arm::MissileBase | Arm::AdvancedMissileBase => {
            referee.table().options.bases_use_improved_weaponry
        }
        Arm::Shield => false,
    };
    arms && referee.power(unit.owner).research.has(Tech::ImprovedShipWeaponry)
}

/// Rolls the dice of one shot. Rounds restart at 1 in a resumed attack (BR-26) and in a second
/// battle in the same hex (BR-11). The number of decisions so far keeps their dice distinct.
fn roll_shot(referee: &mut Referee<'_>, object: u64, odds: Odds, first: u32) -> [u8; 2] {
    let decided = referee.game.decided.iter().fold(0_u32, |sum, &count| sum.wrapping_add(count));
    let mut dice = [0, 0];
    for (nth, die) in (first..).zip(&mut dice[..usize::from(odds.dice())]) {
        *die = referee.roll("battle", object, decided.wrapping_mul(4).wrapping_add(nth));
    }
    dice
}

pub(crate) fn remove_ships(referee: &mut Referee<'_>, battle: &Battle, destroyed: &[UnitId]) {
    for seat in battle.participants().iter() {
        let ships = ships_of(referee, seat, battle, destroyed);
        if ships.is_empty() {
            continue;
        }
        let power = referee.power(seat);
        let fleet: Fleet =
            ships.iter().filter_map(|&number| power.ship(number)).map(Ship::kind).collect();
        referee.lose_ships(seat, ships, Cause::Battle);
        referee.show_groups(seat, battle.at);
        after_losses(referee, seat, fleet);
    }
}

fn remove_bases(referee: &mut Referee<'_>, battle: &Battle, destroyed: &[UnitId]) {
    let Some(star) = StarId::in_hex(battle.at) else { return };
    let mut hit: Vec<(Seat, u8, Bases, bool)> = Vec::new();
    for unit in destroyed.iter().filter_map(|&id| battle.unit(id)) {
        let Some(nth) = unit.planet else { continue };
        if !hit.iter().any(|(_, planet, ..)| *planet == nth) {
            hit.push((unit.owner, nth, Bases::NONE, false));
        }
        for (_, _, bases, shield) in hit.iter_mut().filter(|(_, planet, ..)| *planet == nth) {
            match unit.arm {
                Arm::MissileBase => bases.missile += 1,
                Arm::AdvancedMissileBase => bases.advanced += 1,
                Arm::Shield => *shield = true,
                Arm::Ship(_) => {}
            }
        }
    }
    for (owner, nth, lost, shield) in hit {
        let Some(&colony) = referee.power(owner).colony(PlanetId { star, nth }) else { continue };
        let bases = Bases {
            missile: colony.bases.missile.saturating_sub(lost.missile),
            advanced: colony.bases.advanced.saturating_sub(lost.advanced),
        };
        let shield = colony.shield && !shield;
        change_colony(referee, owner, Colony { bases, shield, ..colony }, Change::Bombarded);
    }
}
