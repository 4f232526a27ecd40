//! Stars to fight for, raids, and the visible strength of other powers (chapters 7 to 9).

use heliopause_kernel::Seat;
use heliopause_stellar_conquest::outer_space::{Incident, Quarrel, WarKind};
use heliopause_stellar_conquest::{
    Bases, BattleStage, Fleet, Order, Place, RaidOrder, Ship, StarId, StellarConquest,
};

use super::Command;
use crate::bot::Level;
use crate::chance::Rng;

/// The status of a star for a power (7.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StarStatus {
    Own,
    Unclaimed,
    Contested,
    /// A closed star, or an ally's star.
    Elsewhere,
}

impl Command<'_> {
    pub(super) fn star_status(&self, star: StarId) -> StarStatus {
        let (me, politics) = (self.survey.me, self.politics);
        let Some(claimant) = politics.claimant(star) else { return StarStatus::Unclaimed };
        if claimant == me {
            return StarStatus::Own;
        }
        let disputed = politics.incident(me, claimant).map(|incident| incident.quarrel)
            == Some(Quarrel::Dispute { star });
        let war = politics.war.as_ref().filter(|war| !war.truce && war.are_enemies(me, claimant));
        let fought =
            war.is_some_and(|war| war.kind == WarKind::Total || politics.is_contested(star));
        if disputed || fought { StarStatus::Contested } else { StarStatus::Elsewhere }
    }

    pub(super) fn disputes(&self, star: StarId) -> bool {
        let about = |incident: &&Incident| {
            incident.pair.contains(&self.survey.me) && incident.quarrel == Quarrel::Dispute { star }
        };
        self.politics.incidents.iter().any(|incident| about(&incident))
    }

    pub(super) fn has_opponent(&self) -> bool {
        self.politics.fights(self.survey.me) || self.politics.is_in_incident(self.survey.me)
    }

    pub(super) fn adversaries(&self) -> Vec<Seat> {
        let (me, politics) = (self.survey.me, self.politics);
        let clashes = |other: Seat| {
            let quarrel = politics.incident(me, other).map(|incident| incident.quarrel);
            matches!(quarrel, Some(Quarrel::Clash { .. }))
        };
        let fights = |other: Seat| politics.fights(me) && politics.is_enemy(me, other);
        self.survey
            .table
            .player_seats()
            .filter(|&other| other != me && (clashes(other) || fights(other)))
            .collect()
    }

    /// Returns whether the viewer looks stronger than another power. Compares the numbers of
    /// occupied hexes, because the numbers of ships are secret.
    pub(super) fn looks_stronger_than(&self, other: Seat) -> bool {
        let shown =
            |seat: Seat| Place::all().filter(|&at| self.survey.table.has_ships(seat, at)).count();
        shown(self.survey.me) > shown(other)
    }
}

const SAFE_TENSION: u32 = 4;
const TENSION_VALUE: f64 = 1.0;

/// Returns a worthwhile raid (9.1). The stronger side also raids to raise the tension until there
/// is war. The weaker side at level `strong` stops raiding before war is likely.
pub(super) fn raid(command: &Command<'_>, chance: &mut Rng) -> Option<Order> {
    let Command { survey, politics, level, stakes } = *command;
    let clash = |incident: &&Incident| {
        incident.pair.contains(&survey.me) && matches!(incident.quarrel, Quarrel::Clash { .. })
    };
    if !politics.incidents.iter().any(|incident| clash(&incident)) {
        return None;
    }
    let mut best: Option<(f64, Order)> = None;
    for raid in StellarConquest::choices_of(survey.view).raids {
        let own: Fleet = raid
            .ships
            .iter()
            .filter_map(|&number| survey.power.ship(number))
            .map(Ship::kind)
            .collect();
        for target in raid.targets {
            let Some(other) = politics.claimant(target) else { continue };
            let stronger = command.looks_stronger_than(other);
            let calm = politics.tension(survey.me, other) < SAFE_TENSION;
            if level == Level::Strong && !calm && !stronger {
                continue;
            }
            let foes = survey.foreign_fleet(target.at());
            let gain = if foes.is_empty() {
                0.0
            } else {
                stakes.net(survey, own, (foes, Bases::NONE), 0.0, chance)
            };
            let net = gain + if stronger { TENSION_VALUE } else { 0.0 };
            if net > best.as_ref().map_or(0.0, |(net, _)| *net) {
                let (ships, rounds) = (raid.ships.clone(), if stronger { 2 } else { 1 });
                best =
                    Some((net, Order::Raid(RaidOrder { ships, target, rounds, path: Vec::new() })));
            }
        }
    }
    best.map(|(_, order)| order)
        .filter(|order| StellarConquest::judge_view(survey.view, order).is_ok())
}

/// Returns whether to hold fire in a raid (9.1). The weaker side at level `strong` does so when the
/// tension is high, because every destroyed unit raises the tension.
pub(super) fn holds_fire_at_raiders(command: &Command<'_>) -> bool {
    let Command { survey, politics, level, .. } = *command;
    let Some(battle) = survey.table.battle.as_deref() else { return false };
    let Some(raid) = StarId::in_hex(battle.at).and_then(|star| politics.raid_at(star)) else {
        return false;
    };
    level == Level::Strong
        && raid.other == survey.me
        && matches!(battle.stage, BattleStage::DefendersAim { .. })
        && battle.waits_for().contains(survey.me)
        && politics.tension(survey.me, raid.seat) >= SAFE_TENSION
        && !command.looks_stronger_than(raid.seat)
        && StellarConquest::judge_view(survey.view, &Order::Aim { shots: Vec::new() }).is_ok()
}
