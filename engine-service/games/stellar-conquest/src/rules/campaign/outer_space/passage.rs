//! Rule 7.1: where ships may go and stop.

use heliopause_kernel::Seat;

use crate::rules::judge::{Verdict, refuse};
use crate::rules::movement::leg::Leg;
use crate::state::campaign::politics::{Politics, Quarrel, Relation};
use crate::state::campaign::war::WarKind;
use crate::state::colony::Colony;
use crate::state::order::Voyage;
use crate::state::power::{ColonySeen, Eyes};
use crate::state::ship::Ship;
use crate::tables::board::Place;
use crate::tables::stars::StarId;

/// Whether a star is open to a power's ships.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Passage {
    Open,
    /// 8.4: the enemy controls it, in a truce. Who is there may stay.
    Truce,
    /// It belongs to a neutral.
    Neutral,
    /// 9.1: only raids go there.
    RaidsOnly,
    /// 8.5: it is no border star, in a limited war.
    NoBorderStar,
}

impl Passage {
    pub(crate) fn verdict(self, star: StarId) -> Verdict {
        match self {
            Self::Open => Ok(()),
            Self::Truce => refuse(
                "truce",
                "space-8.4",
                format!("The enemy controls {star}, and a truce is in force."),
            ),
            Self::Neutral => refuse(
                "neutral-star",
                "space-7.1",
                format!("{star} is claimed by a neutral power."),
            ),
            Self::RaidsOnly => {
                refuse("raids-only", "space-9.1", format!("In a clash only raids go to {star}."))
            }
            Self::NoBorderStar => refuse(
                "no-border-star",
                "space-8.5",
                format!("{star} is no border star, and the war is limited."),
            ),
        }
    }
}

impl Eyes<'_> {
    /// 7.1: whether a star is open to this seat's ships, by what it knows.
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

    /// Whether politics let this seat attack another one at a star; games without politics say
    /// nothing of it.
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
                refuse("truce", "space-8.4", "A truce is in force: nobody is attacked.")
            }
            (Relation::Enemies, _) => Passage::NoBorderStar.verdict(star),
            (Relation::Allies, _) => refuse("ally", "space-8.5", "Your allies are not attacked."),
            (_, Some(Quarrel::Clash { .. })) => Passage::RaidsOnly.verdict(star),
            (_, Some(Quarrel::Dispute { star: disputed })) => refuse(
                "not-disputed",
                "space-9.2",
                format!("In a border dispute only {disputed} is fought for."),
            ),
            _ => refuse(
                "neutral-power",
                "space-8.1",
                "That power is neutral: nobody attacks neutrals.",
            ),
        }
    }

    /// 8.4, DR-37: whether an enemy of this seat has ships at a star, or a free colony that it
    /// knows of.
    fn enemy_controls(&self, politics: &Politics, star: StarId) -> bool {
        let Some(war) = &politics.war else { return false };
        let seen = self.power.chart(star).colonies.iter().flatten();
        let enemy = |seat: Seat| war.are_enemies(self.seat, seat);
        let commands = |seen: &ColonySeen| enemy(seen.conqueror.unwrap_or(seen.owner));
        seen.into_iter().any(commands) || self.table.others_at(self.seat, star.at()).any(enemy)
    }

    /// 7.1: whether a voyage goes where this seat's ships may go. Who is between stars goes on; who
    /// is stopped on the way is stopped.
    pub(crate) fn judge_course(&self, voyage: &Voyage, leg: &Leg) -> Verdict {
        let ships = self.together(&voyage.ships)?;
        let carried = self.carried(&ships);
        if let Some(star) = leg.bound.filter(|&star| Some(star) != carried) {
            self.passage(star).verdict(star)?;
        }
        if carried.is_none() {
            self.judge_transports(&ships, leg)?;
        }
        let end = leg.path.last().copied().and_then(StarId::in_hex);
        match end.filter(|&star| Some(star) != leg.bound && !self.is_stopped_at(star.at())) {
            Some(star) => self.passage(star).verdict(star),
            None => Ok(()),
        }
    }

    /// 8.2: the star for which ships between stars are bound whatever is ordered.
    fn carried(&self, ships: &[&Ship]) -> Option<StarId> {
        let between = ships[0].at.is_some_and(|at| StarId::in_hex(at).is_none());
        ships[0].destination.filter(|_| between && !self.needs_no_destination())
    }

    /// Cuts a way off before star hexes in which ships may not stop, unless they are bound for them
    /// or others stop them.
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

    /// 12.8, 7.1: the stars for which ships that are sent away can be bound: those that are open,
    /// or any if none is.
    pub(crate) fn open_stars(&self, from: Place) -> Vec<StarId> {
        let others = || StarId::ALL.into_iter().filter(move |star| star.at() != from);
        let open: Vec<StarId> =
            others().filter(|&star| self.passage(star) == Passage::Open).collect();
        if open.is_empty() { others().collect() } else { open }
    }

    /// The open star to which ships are sent by default: the nearest with a free colony, or the
    /// nearest.
    pub(crate) fn nearest_open(&self, from: Place) -> Option<StarId> {
        self.nearest_of(self.open_stars(from), from)
    }

    /// The same among these.
    pub(super) fn nearest_of(&self, stars: Vec<StarId>, from: Place) -> Option<StarId> {
        let home = |star: &StarId| self.power.colonies_of(*star).any(Colony::is_free);
        stars.into_iter().min_by_key(|star| (!home(star), star.at().distance(from)))
    }

    /// Whether this seat's ships may go to a star.
    pub(crate) fn is_open(&self, star: StarId) -> bool {
        self.passage(star) == Passage::Open
    }
}
