//! Rules 9.1, 10.2: consequences of destroyed units.

use heliopause_kernel::Seat;

use crate::rules::referee::Referee;
use crate::state::{Battle, PoliticsEvent, Quarrel, UnitId, Volley};
use crate::tables::Arm;
use crate::tables::outer_space::{POWERS_MAX, destruction_half_points};

/// Counts the units that a battle destroyed (9.1, 10.2). In a clash, they raise tension, even in
/// raids and misunderstandings. In a war, each unit scores for the power that hit it first, except
/// in limited battles.
pub(crate) fn space_count_destroyed_units(
    referee: &mut Referee<'_>,
    battle: &Battle,
    volleys: &[Volley],
    destroyed: &[UnitId],
) {
    let defender =
        battle.units.iter().map(|unit| unit.owner).find(|&owner| owner != battle.attacker);
    let Some(defender) = defender else { return };
    let pair = [battle.attacker, defender];
    let lost = || destroyed.iter().filter_map(|&id| Some((id, battle.unit(id)?)));
    let politics = referee.politics();
    let clash = politics.incident(pair[0], pair[1]);
    if clash.is_some_and(|incident| matches!(incident.quarrel, Quarrel::Clash { .. })) {
        let by = lost().filter(|(_, unit)| unit.arm != Arm::Shield).count() as u32;
        if by > 0 {
            referee.publish_politics(PoliticsEvent::TensionRose { pair, by });
        }
    }
    let war = referee.politics().war.as_ref();
    if !war.is_some_and(|war| war.are_enemies(pair[0], pair[1])) || battle.last_round.is_some() {
        return;
    }
    let hit_by = |id: UnitId| {
        let volley = volleys.iter().find(|volley| volley.hit && volley.shot.at == id)?;
        battle.unit(volley.shot.by).map(|unit| unit.owner)
    };
    let mut scored = [0; POWERS_MAX];
    for (id, unit) in lost() {
        if let Some(points) = hit_by(id).and_then(|seat| scored.get_mut(seat.index())) {
            *points += destruction_half_points(unit.arm);
        }
    }
    for (seat, half_points) in
        Seat::first(POWERS_MAX).zip(scored).filter(|(_, half_points)| *half_points > 0)
    {
        referee.publish_politics(PoliticsEvent::Scored { seat, half_points });
    }
}
