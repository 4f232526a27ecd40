//! Rule 7.1: the stars to which ships may go, and where they may stop.

use heliopause_kernel::Seat;

use crate::rules::judge::{Verdict, refuse};
use crate::rules::movement::leg::Leg;
use crate::state::{
    Colony, ColonySeen, Politics, Quarrel, Relation, SeatView, Ship, Voyage, WarKind,
};
use crate::tables::{Place, StarId};

/// The access of a power's ships to a star, with the reason if the star is closed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Passage {
    Open,
    /// The enemy controls the star during a truce. Ships already there may stay (8.4).
    Truce,
    Neutral,
    /// Only raids may go to the star (9.1).
    RaidsOnly,
    /// The war is limited, and this is not a border star (8.5).
    NoBorderStar,
}

impl Passage {
    pub(crate) fn verdict(self, star: StarId) -> Verdict {
        match self {
            Self::Open => Ok(()),
            Self::Truce => refuse!("truce", star),
            Self::Neutral => refuse!("neutral-star", star),
            Self::RaidsOnly => {
                refuse!("raids-only", star)
            }
            Self::NoBorderStar => refuse!("no-border-star", star),
        }
    }
}

impl SeatView<'_> {
    pub(crate) fn passage(&self, star: StarId) -> Passage {
        let Some(politics) = self.table.campaign.politics() else { return Passage::Open };
        let Some(claimant) = politics.claimant(star) else { return Passage::Open };
        let truce = politics.war.as_ref().is_some_and(|war| war.truce);
        if truce && self.enemy_controls(politics, star) {
            return Passage::Truce;
        }
        if claimant == self.seat || politics.are_allies(self.seat, claimant) {
            return Passage::Open;
        }
        match politics.incident(self.seat, claimant).map(|incident| incident.quarrel) {
            Some(Quarrel::Dispute { star: disputed }) if disputed == star => return Passage::Open,
            Some(Quarrel::Clash { .. }) => return Passage::RaidsOnly,
            _ => {}
        }
        match politics.war.as_ref().filter(|war| war.are_enemies(self.seat, claimant)) {
            None => Passage::Neutral,
            Some(war) if war.kind == WarKind::Total || politics.is_battleground(war, star) => {
                Passage::Open
            }
            Some(_) => Passage::NoBorderStar,
        }
    }

    pub(crate) fn judge_hostility(&self, other: Option<Seat>, star: StarId) -> Verdict {
        let Some((other, politics)) = other.zip(self.table.campaign.politics()) else {
            return Ok(());
        };
        if other == self.seat || politics.fight_each_other(self.seat, other, star.at()) {
            return Ok(());
        }
        let quarrel = politics.incident(self.seat, other).map(|incident| incident.quarrel);
        match (politics.relation(self.seat, other), quarrel) {
            (Relation::Enemies, _) if politics.war.as_ref().is_some_and(|war| war.truce) => {
                refuse!("truce/attack")
            }
            (Relation::Enemies, _) => Passage::NoBorderStar.verdict(star),
            (Relation::Allies, _) => refuse!("ally"),
            (_, Some(Quarrel::Clash { .. })) => Passage::RaidsOnly.verdict(star),
            (_, Some(Quarrel::Dispute { star: disputed })) => refuse!("not-disputed", disputed),
            _ => {
                refuse!("neutral-power")
            }
        }
    }

    /// Returns whether an enemy has ships or a known free colony at a star (8.4, DR-37).
    fn enemy_controls(&self, politics: &Politics, star: StarId) -> bool {
        let Some(war) = &politics.war else { return false };
        let seen = self.power.chart(star).colonies.iter().flatten();
        let enemy = |seat: Seat| war.are_enemies(self.seat, seat);
        let commands = |seen: &ColonySeen| enemy(seen.conqueror.unwrap_or(seen.owner));
        seen.into_iter().any(commands) || self.table.others_at(self.seat, star.at()).any(enemy)
    }

    /// Judges the destination and the end of a move. Ships between stars may continue, and ships
    /// stopped by others on the way may stay where they are (7.1).
    pub(crate) fn judge_course(&self, voyage: &Voyage, leg: &Leg) -> Verdict {
        let ships = self.together(&voyage.ships)?;
        let fixed_destination = self.fixed_destination(&ships);
        if let Some(star) = leg.bound.filter(|&star| Some(star) != fixed_destination) {
            self.passage(star).verdict(star)?;
        }
        if fixed_destination.is_none() {
            self.judge_transports(&ships, leg)?;
        }
        let end = leg.path.last().copied().and_then(StarId::in_hex);
        match end.filter(|&star| Some(star) != leg.bound && !self.is_stopped_at(star.at())) {
            Some(star) => self.passage(star).verdict(star),
            None => Ok(()),
        }
    }

    fn fixed_destination(&self, ships: &[&Ship]) -> Option<StarId> {
        let between = ships[0].at.is_some_and(|at| StarId::in_hex(at).is_none());
        ships[0].destination.filter(|_| between && !self.needs_no_destination())
    }

    /// Shortens a path that ends at a closed star, unless the star is the destination or other
    /// ships stop the movement there.
    pub(crate) fn cut_short(&self, path: &mut Vec<Place>, bound: Option<StarId>) {
        let closed = |at: &Place| {
            let star = StarId::in_hex(*at)
                .filter(|&star| Some(star) != bound && !self.is_stopped_at(star.at()));
            star.is_some_and(|star| self.passage(star) != Passage::Open)
        };
        while path.len() > 1 && path.last().is_some_and(closed) {
            path.pop();
        }
    }

    pub(crate) fn open_stars(&self, from: Place) -> Vec<StarId> {
        let others = || StarId::ALL.into_iter().filter(move |star| star.at() != from);
        let open: Vec<StarId> =
            others().filter(|&star| self.passage(star) == Passage::Open).collect();
        if open.is_empty() { others().collect() } else { open }
    }

    pub(crate) fn nearest_open(&self, from: Place) -> Option<StarId> {
        self.nearest_of(self.open_stars(from), from)
    }

    pub(super) fn nearest_of(&self, stars: Vec<StarId>, from: Place) -> Option<StarId> {
        let home = |star: &StarId| self.power.colonies_of(*star).any(Colony::is_free);
        stars.into_iter().min_by_key(|star| (!home(star), star.at().distance(from)))
    }

    pub(crate) fn is_open(&self, star: StarId) -> bool {
        self.passage(star) == Passage::Open
    }
}
