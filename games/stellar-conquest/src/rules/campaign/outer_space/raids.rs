//! Rule 9.1: raids on a power in a clash.

use heliopause_kernel::{Refusal, Seat};

use crate::rules::battle::line::open_battle;
use crate::rules::campaign::outer_space::limited_battles::{
    bases_of, show_bases, start_limited_battle,
};
use crate::rules::judge::{Verdict, refuse};
use crate::rules::movement::leg::{Leg, PATH_MAX};
use crate::rules::movement::travel;
use crate::rules::referee::Referee;
use crate::state::{
    Battle, PoliticsEvent, Quarrel, Raid, RaidOrder, SeatView, Ship, ShipNumber, Stage, Subject,
};
use crate::tables::{LegalRoutes, Place, ShipKind, StarId, is_legal_route};

/// Maximum number of ships in a raid (9.1).
pub const RAIDERS_MAX: usize = 5;

impl SeatView<'_> {
    pub(crate) fn judge_raid(&self, sortie: &RaidOrder) -> Verdict {
        self.may_act(Stage::Movement, "space-9.1")?;
        self.raid_victim(sortie.target)?;
        if !(1..=2).contains(&sortie.rounds) {
            return refuse!("bad-rounds", rounds = sortie.rounds);
        }
        let raiders = self.together(&sortie.ships)?;
        if raiders.len() > RAIDERS_MAX {
            return refuse!("too-many/raiders", RAIDERS_MAX, count = raiders.len());
        }
        if raiders.iter().any(|ship| ship.kind() == ShipKind::DeathStar) {
            return refuse!("death-star");
        }
        if !raiders.iter().any(|ship| self.table.options.is_warship(ship.kind())) {
            return refuse!("no-warship/raid");
        }
        let claims = |star: &StarId| self.table.campaign.claimant(*star) == Some(self.seat);
        let base = raiders[0].star().filter(claims);
        if base.is_none() || raiders.iter().any(|ship| ship.has_moved()) {
            return refuse!("no-base");
        }
        if self.table.has_ships(self.seat, sortie.target.at()) {
            return refuse!("there-already", target = sortie.target);
        }
        self.raid_leg(&raiders, sortie).map(|_| ())
    }

    fn raid_victim(&self, target: StarId) -> Result<Seat, Refusal> {
        let clash = self.table.campaign.politics().and_then(|politics| {
            let other = politics.claimant(target).filter(|&other| other != self.seat)?;
            let incident = politics.incident(self.seat, other)?;
            matches!(incident.quarrel, Quarrel::Clash { .. }).then_some((politics, other))
        });
        match clash {
            Some((politics, other)) if politics.raided.contains(other) => refuse!("raided-already"),
            Some((_, other)) => Ok(other),
            None => refuse!("no-clash", target),
        }
    }

    fn raid_leg(&self, ships: &[&Ship], sortie: &RaidOrder) -> Result<Leg, Refusal> {
        let (from, target) = (ships[0].at, sortie.target);
        let path = match from {
            Some(from) if sortie.path.is_empty() => self.raid_way(ships, from, target),
            Some(from) => self.judge_raid_path(from, sortie)?,
            None => Vec::new(),
        };
        if path.is_empty() {
            return refuse!("out-of-reach", target);
        }
        if let Some(nth) = self.lost_at(ships, from, &path) {
            return refuse!("out-of-range/raid", at = path[nth]);
        }
        Ok(Leg { from, path, bound: Some(target), destination: None, halted: true, lost_at: None })
    }

    /// Returns the fastest legal route that takes one turn and on which no enemies stop the ships
    /// (5.4), within range if possible. The route is empty if no route arrives this turn (DR-49).
    fn raid_way(&self, ships: &[&Ship], from: Place, target: StarId) -> Vec<Place> {
        let speed = self.power.research.owned.speed();
        let avoiding = self.stops_before(target);
        let (command, bound) =
            (self.command(), ships.iter().any(|ship| ship.kind().is_range_bound()));
        let safe = |last, at| !bound || command.allows(Some(last), at);
        let within = LegalRoutes::within(from, &avoiding, speed, 0, safe).to(target.at());
        let way = within
            .filter(|way| way.turns == 0)
            .or_else(|| LegalRoutes::new(from, &avoiding, speed, 0).to(target.at()));
        way.filter(|way| way.turns == 0).map_or_else(Vec::new, |way| way.path)
    }

    fn stops_before(&self, target: StarId) -> Vec<StarId> {
        StarId::ALL
            .into_iter()
            .filter(|&star| star != target && self.is_stopped_at(star.at()))
            .collect()
    }

    fn judge_raid_path(&self, from: Place, sortie: &RaidOrder) -> Result<Vec<Place>, Refusal> {
        let RaidOrder { path, target, .. } = sortie;
        if path.len() > PATH_MAX {
            return refuse!("too-long/route", hexes = path.len(), PATH_MAX);
        }
        let mut last = from;
        for &at in path {
            if last.distance(at) != 1 {
                return refuse!("not-adjacent", at, last);
            }
            last = at;
        }
        self.judge_speed(path, 0)?;
        if last != target.at() {
            return refuse!("out-of-reach/path", last, target);
        }
        if path[..path.len() - 1].iter().any(|&at| self.is_stopped_at(at)) {
            return refuse!("out-of-reach/stopped", target);
        }
        let speed = self.power.research.owned.speed();
        let legal = || is_legal_route(from, path, &self.stops_before(*target), speed, 0);
        if !self.needs_no_destination() && !legal() {
            return refuse!("not-direct/raid", target);
        }
        Ok(path.clone())
    }

    /// Returns up to `RAIDERS_MAX` ships that can raid, warships first, and their targets. Returns
    /// `None` if there is no target.
    pub(crate) fn raiders_at(&self, base: StarId) -> Option<(Vec<ShipNumber>, Vec<StarId>)> {
        let options = self.table.options;
        let able = |ship: &&Ship| {
            ship.kind() != ShipKind::DeathStar && ship.load().is_none() && !ship.has_moved()
        };
        let mut ships: Vec<&Ship> = self.power.ships_at(base.at()).filter(able).collect();
        ships.sort_by_key(|ship| (!options.is_warship(ship.kind()), ship.number));
        ships.truncate(RAIDERS_MAX);
        let numbers: Vec<ShipNumber> = ships.iter().map(|ship| ship.number).collect();
        let politics = self.table.campaign.politics()?;
        let speed = self.power.research.owned.speed();
        let near = StarId::ALL.into_iter().filter(|star| {
            star.at().distance(base.at()) <= speed && politics.claimant(*star).is_some()
        });
        let raids = |&target: &StarId| {
            let sortie = RaidOrder { ships: numbers.clone(), target, rounds: 1, path: Vec::new() };
            self.judge_raid(&sortie).is_ok()
        };
        let targets: Vec<StarId> = near.filter(raids).collect();
        (!targets.is_empty()).then_some((numbers, targets))
    }
}

pub(crate) fn raid(referee: &mut Referee<'_>, seat: Seat, sortie: &RaidOrder) {
    let seat_view = referee.seat_view(seat);
    let Ok(other) = seat_view.raid_victim(sortie.target) else { return };
    let Ok(raiders) = seat_view.together(&sortie.ships) else { return };
    let (Ok(leg), Some(from)) = (seat_view.raid_leg(&raiders, sortie), raiders[0].star()) else {
        return;
    };
    let raid = Raid { seat, other, at: sortie.target, from, rounds: sortie.rounds, fought: false };
    referee.publish_politics(PoliticsEvent::RaidLaunched(raid));
    referee.publish_politics(PoliticsEvent::TensionRose { pair: [seat, other], by: 1 });
    travel(referee, seat, &sortie.ships, &leg);
}

/// Fights the remaining raids. Returns whether a battle started. In that case, call this function
/// again after the battle.
pub(super) fn fight_raids(referee: &mut Referee<'_>) -> bool {
    while let Some(raid) = referee.politics().raids.iter().find(|raid| !raid.fought).copied() {
        referee.publish_politics(PoliticsEvent::RaidFought { at: raid.at });
        if fight_raid(referee, raid) {
            return true;
        }
    }
    false
}

fn fight_raid(referee: &mut Referee<'_>, raid: Raid) -> bool {
    let at = raid.at.at();
    if !referee.table().has_ships(raid.seat, at) {
        return false;
    }
    if referee.table().has_ships(raid.other, at) {
        start_limited_battle(referee, raid.seat, raid.other, at, raid.rounds);
        return true;
    }
    if bases_of(referee, raid.other, raid.at).is_empty() {
        return false;
    }
    let subject = Subject::Colonies { planets: Vec::new() };
    let battle = Battle {
        last_round: Some(u16::from(raid.rounds)),
        ..Battle::new(at, raid.seat, subject, Vec::new())
    };
    open_battle(referee, &[raid.seat], battle);
    show_bases(referee, raid);
    true
}
