//! Chapters 7 to 9: who may be fought where, raids, and how strong others look. All of it is
//! public.

use heliopause_kernel::Seat;
use heliopause_stellar_conquest::outer_space::{Incident, Quarrel, WarKind};
use heliopause_stellar_conquest::{
    Bases, BattleStage, Fleet, Order, Place, Ship, Sortie, StarId, StellarConquest,
};

use super::Command;
use crate::bot::Level;
use crate::chance::Chance;

/// What a star is to a power today (7.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Standing {
    Own,
    /// Nobody's.
    Unclaimed,
    /// Claimed by somebody else, and to be fought for.
    Contested,
    /// Closed, or an ally's.
    Elsewhere,
}

impl Command<'_> {
    /// What a star is to the power.
    pub(super) fn standing(&self, star: StarId) -> Standing {
        let (me, politics) = (self.survey.me, self.politics);
        let Some(claimant) = politics.claimant(star) else { return Standing::Unclaimed };
        if claimant == me {
            return Standing::Own;
        }
        let disputed = politics.incident(me, claimant).map(|incident| incident.quarrel)
            == Some(Quarrel::Dispute { star });
        let war = politics.war.as_ref().filter(|war| !war.truce && war.are_enemies(me, claimant));
        let fought =
            war.is_some_and(|war| war.kind == WarKind::Total || politics.is_contested(star));
        if disputed || fought { Standing::Contested } else { Standing::Elsewhere }
    }

    /// Whether the power is a party to a dispute about a star.
    pub(super) fn disputes(&self, star: StarId) -> bool {
        let about = |incident: &&Incident| {
            incident.pair.contains(&self.survey.me) && incident.quarrel == Quarrel::Dispute { star }
        };
        self.politics.incidents.iter().any(|incident| about(&incident))
    }

    /// Whether the power has somebody to fight at all.
    pub(super) fn is_at_odds(&self) -> bool {
        self.politics.fights(self.survey.me) || self.politics.is_in_incident(self.survey.me)
    }

    /// With whom the power clashes, or fights a war.
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

    /// Whether the power shows itself in more places than another: what stands there is secret.
    pub(super) fn outmatches(&self, other: Seat) -> bool {
        let shown =
            |seat: Seat| Place::all().filter(|&at| self.survey.table.has_ships(seat, at)).count();
        shown(self.survey.me) > shown(other)
    }
}

/// Up to this tension a war is unlikely.
const CALM: u32 = 4;
/// What it is worth to the stronger to bring the war nearer.
const PROVOCATION: f64 = 1.0;

/// 9.1: a raid that should cost the other more than it costs. Whoever looks stronger raids for
/// nothing too, so that tension rises until there is war; of the others, the strong let it be
/// before two dice are likely to bring it.
pub(super) fn raid(command: &Command<'_>, chance: &mut Chance) -> Option<Order> {
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
            let stronger = command.outmatches(other);
            let calm = politics.tension(survey.me, other) < CALM;
            if level == Level::Strong && !calm && !stronger {
                continue;
            }
            let foes = survey.foreign_fleet(target.at());
            let gain = if foes.is_empty() {
                0.0
            } else {
                stakes.net(survey, own, (foes, Bases::NONE), 0.0, chance)
            };
            let net = gain + if stronger { PROVOCATION } else { 0.0 };
            if net > best.as_ref().map_or(0.0, |(net, _)| *net) {
                let (ships, rounds) = (raid.ships.clone(), if stronger { 2 } else { 1 });
                best = Some((net, Order::Raid(Sortie { ships, target, rounds, path: Vec::new() })));
            }
        }
    }
    best.map(|(_, order)| order)
        .filter(|order| StellarConquest::judge_view(survey.view, order).is_ok())
}

/// 9.1: the weaker side does not fire back at raiders: whatever is destroyed raises the tension.
pub(super) fn turns_the_other_cheek(command: &Command<'_>) -> bool {
    let Command { survey, politics, level, .. } = *command;
    let Some(battle) = survey.table.battle.as_deref() else { return false };
    let Some(raid) = StarId::in_hex(battle.at).and_then(|star| politics.raid_at(star)) else {
        return false;
    };
    level == Level::Strong
        && raid.other == survey.me
        && matches!(battle.stage, BattleStage::DefendersAim { .. })
        && battle.waits_for().contains(survey.me)
        && politics.tension(survey.me, raid.seat) >= CALM
        && !command.outmatches(raid.seat)
        && StellarConquest::judge_view(survey.view, &Order::Aim { shots: Vec::new() }).is_ok()
}
