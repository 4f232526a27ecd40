//! What a captain makes of their view: who is whose enemy, what unknown hexes may hold, what
//! everything is worth.
//!
//! Values are in hundredths of a live planet.

use heliopause_kernel::Seat;
use heliopause_starships::{DeathStar, Marker, Mix, Own, PLACES, Place, Status, Table, View};

/// A live planet: it counts for victory, for the ranking, and sponsors a starship.
pub(super) const LIVE: i32 = 100;
/// A dead planet: no help to the seven live ones.
const DEAD: i32 = 85;
/// An Unfriendly planet, which may have to be tried more than once.
const UNFRIENDLY: i32 = 75;
/// Another player's planet that may be taken.
const PREY: i32 = 95;
/// Another player's base, which takes its owner along.
const ENEMY_BASE: i32 = 240;
/// The active Death Star: while it lives nobody wins.
const ACTIVE_STAR: i32 = 160;
/// Meeting the undisturbed Death Star: half the starships die, and the game may be lost to it.
const AMBUSH: i32 = -260;
/// Entering Asteroids: every other starship loses a turn.
const ASTEROIDS: i32 = -25;
/// One's own base, while somebody who may attack it is near.
const GUARD: i32 = 70;

/// A view, read once for a decision.
pub(super) struct Survey<'a> {
    pub(super) view: &'a View,
    pub(super) table: &'a Table,
    pub(super) own: &'a Own,
    pub(super) me: Seat,
    /// What discovering an unknown hex is worth on average, in the first two ranks and in the
    /// third.
    unknown: [i32; 2],
    worths: [i32; PLACES],
}

impl<'a> Survey<'a> {
    /// Reads a player's view; `None` for a viewer who has no seat.
    pub(super) fn new(view: &'a View) -> Option<Self> {
        let (me, own) = (view.seat()?, view.own()?);
        let mut survey =
            Self { view, table: &view.table, own, me, unknown: [0; 2], worths: [0; PLACES] };
        survey.unknown = survey.worth_of_unknown();
        for at in Place::all() {
            survey.worths[at.index()] =
                survey.worth_of_planet(at) + survey.worth_of_battle(at) + survey.worth_of_guard(at);
        }
        Some(survey)
    }

    /// The average worth of an unknown hex, in the inner two ranks and in the outer one: of the
    /// markers that may lie there (1), those that are not known yet. All that were withheld, and a
    /// third of the rest, are taken to lie in the outer rank.
    fn worth_of_unknown(&self) -> [i32; 2] {
        let mut known = [[0; Marker::KINDS.len()]; 2];
        for at in Place::all() {
            let kind = self
                .view
                .marker(at)
                .and_then(|marker| Marker::KINDS.iter().position(|&kind| kind == marker));
            if let Some(kind) = kind {
                known[usize::from(is_outer(at))][kind] += 1;
            }
        }
        [0, 1].map(|outer| {
            let (mut total, mut count) = (0, 0);
            for (marker, known) in Marker::KINDS.into_iter().zip(known[outer]) {
                let left = (self.expected(marker, outer == 1) - known).max(0);
                count += left;
                total += left * worth_of_marker(marker);
            }
            if count == 0 { 0 } else { total / count }
        })
    }

    /// How many of a marker may have been laid out in the inner ranks, or in the outer one.
    fn expected(&self, marker: Marker, outer: bool) -> i32 {
        let withheld = i32::from(Mix::WITHHELD.count(marker));
        let rest = i32::from(self.table.options.mix.count(marker)) - withheld;
        if outer { withheld + rest / 3 } else { rest }
    }

    /// What going to a hex is worth, apart from the way there.
    pub(super) fn worth(&self, at: Place) -> i32 {
        self.worths[at.index()]
    }

    fn worth_of_planet(&self, at: Place) -> i32 {
        let Some(note) = self.view.note(at) else {
            return if self.table.tokens[at.index()].has_others(self.me) {
                self.worth_of_claimed(at)
            } else {
                self.unknown[usize::from(is_outer(at))]
            };
        };
        match note.owner {
            Some(owner) if owner == self.me || self.table.has_settled_base(at) => 0,
            Some(owner) if self.may_attack(owner) => PREY / 2,
            Some(_) => 0,
            None if self.table.has_settled_base(at) => 0,
            None => self.worth_of_open(note.marker),
        }
    }

    fn worth_of_open(&self, marker: Marker) -> i32 {
        match marker {
            Marker::DeathStar if matches!(self.table.death_star, DeathStar::Active { .. }) => {
                ACTIVE_STAR
            }
            Marker::Earth => LIVE,
            other => worth_of_marker(other),
        }
    }

    /// An unknown hex under another player's marker: most likely their planet.
    fn worth_of_claimed(&self, at: Place) -> i32 {
        let prey = self.table.tokens[at.index()].iter().any(|owner| self.may_attack(owner));
        if prey { PREY / 3 } else { 0 }
    }

    fn worth_of_battle(&self, at: Place) -> i32 {
        let bases = self
            .table
            .bases
            .iter()
            .filter(|base| base.at == at && self.may_attack(base.id.owner))
            .count();
        ENEMY_BASE * i32::from(bases > 0)
    }

    fn worth_of_guard(&self, at: Place) -> i32 {
        let mine = self.table.bases_of(self.me).any(|base| base.at == at);
        if mine && self.is_threatened(at) { GUARD } else { 0 }
    }

    /// Whether somebody who may attack this seat is so near that they can strike in their next
    /// turn.
    fn is_threatened(&self, at: Place) -> bool {
        self.table.ships.iter().any(|ship| {
            let owner = ship.id.owner;
            owner != self.me && ship.at.distance(at) <= 1 && self.may_be_attacked_by(owner)
        })
    }

    /// Whether this seat may attack another's pieces and planets (7, R35).
    pub(super) fn may_attack(&self, other: Seat) -> bool {
        other != self.me && self.table.is_alive(other) && may_attack(self.table, self.me, other)
    }

    fn may_be_attacked_by(&self, other: Seat) -> bool {
        self.table.is_alive(other) && may_attack(self.table, other, self.me)
    }

    /// Whether a starship may enter a hex without needless loss, as far as is known.
    pub(super) fn is_safe(&self, at: Place) -> bool {
        match self.view.marker(at) {
            Some(Marker::Asteroids) => false,
            Some(Marker::DeathStar) => !matches!(self.table.death_star, DeathStar::Undisturbed),
            _ => true,
        }
    }

    /// Whether a starship may warp through or into a hex: known, and neither Asteroids nor a Death
    /// Zone.
    pub(super) fn is_safe_at_warp(&self, at: Place) -> bool {
        self.view.marker(at).is_some() && self.is_safe(at) && !self.table.zones.contains(at)
    }

    /// How many starships the planets sponsor (5).
    pub(super) fn sponsors(&self) -> usize {
        let earth_is_free = self.view.note(Place::EARTH).is_none_or(|note| note.owner.is_none());
        let on_earth = self
            .table
            .bases_of(self.me)
            .filter(|base| base.at == Place::EARTH && !base.is_out())
            .count();
        self.own.planets.len() + if earth_is_free { on_earth } else { 0 }
    }

    /// How many planets a player seems to own: those known to be theirs, and hexes under their
    /// marker that nobody else claims.
    pub(super) fn planets_of(&self, seat: Seat, counts: impl Fn(Option<Marker>) -> bool) -> usize {
        if seat == self.me {
            return self.own.planets.iter().filter(|&at| counts(self.view.marker(at))).count();
        }
        let seems_theirs = |at: &Place| match self.view.note(*at) {
            Some(note) => note.owner == Some(seat),
            None => self.table.tokens[at.index()].iter().last() == Some(seat),
        };
        Place::all().filter(seems_theirs).filter(|&at| counts(self.view.marker(at))).count()
    }

    /// Live planets that a player seems to own; unknown ones are taken for live, as three in four
    /// are.
    pub(super) fn live_planets_of(&self, seat: Seat) -> usize {
        self.planets_of(seat, |marker| marker.is_none_or(Marker::is_live))
    }

    /// All planets that a player seems to own.
    pub(super) fn all_planets_of(&self, seat: Seat) -> usize {
        self.planets_of(seat, |_| true)
    }

    /// Whether one more live planet of this seat would end the game by an Alliance victory that
    /// leaves the seat without a credit.
    pub(super) fn would_crown_others(&self) -> bool {
        if !self.table.is_member(self.me)
            || matches!(self.table.death_star, DeathStar::Active { .. })
        {
            return false;
        }
        let members = || self.table.living().filter(|&seat| self.table.is_member(seat));
        let live: usize = members().map(|seat| self.live_planets_of(seat)).sum();
        if live + 1 < usize::from(self.table.options.live_planets_to_win) {
            return false;
        }
        let mine = self.all_planets_of(self.me) + 1;
        let others: Vec<usize> = members()
            .filter(|&seat| seat != self.me)
            .map(|seat| self.all_planets_of(seat))
            .collect();
        let better = others.iter().filter(|&&count| count > mine).count();
        let equal = others.iter().filter(|&&count| count == mine).count();
        // The two with the most are credited; a tie for second, or of three for first, credits none
        // of them (R18).
        !matches!((better, equal), (0, 0 | 1) | (1, 0))
    }

    /// How far ahead of the best other player this seat seems to be in planets.
    pub(super) fn lead(&self) -> i32 {
        let best = self
            .table
            .living()
            .filter(|&seat| seat != self.me)
            .map(|seat| self.all_planets_of(seat))
            .max();
        self.own.planets.len() as i32 - best.unwrap_or(0) as i32
    }

    /// Whether the seat is bound to Earth: in the Alliance, or exiled and not gone yet.
    pub(super) fn is_bound(&self) -> bool {
        !matches!(self.table.status(self.me), Some(Status::Independent))
    }

    /// Whether a base of this seat may settle in a hex, as far as is known (4.4).
    pub(super) fn is_haven(&self, at: Place) -> bool {
        let Some(note) = self.view.note(at) else { return false };
        let free = note.owner.is_none()
            && (note.marker == Marker::Friendly
                || note.marker == Marker::Earth && !self.table.has_settled_base(at));
        note.marker.is_live()
            && (note.owner == Some(self.me) || free)
            && !self.table.zones.contains(at)
    }
}

fn is_outer(at: Place) -> bool {
    at.rank() == 3
}

fn worth_of_marker(marker: Marker) -> i32 {
    match marker {
        Marker::Friendly | Marker::Earth => LIVE,
        Marker::Unfriendly => UNFRIENDLY,
        Marker::Dead => DEAD,
        Marker::Asteroids => ASTEROIDS,
        Marker::DeathStar => AMBUSH,
        Marker::Empty | Marker::Destroyed => 0,
    }
}

/// 7, R35: whether one player may attack another.
fn may_attack(table: &Table, attacker: Seat, target: Seat) -> bool {
    match table.status(attacker) {
        Some(Status::Alliance) => {
            let free = table.round >= table.options.first_round_of_unprovoked_attacks;
            !table.is_member(target)
                && (free || table.provoked_by[attacker.index()].contains(target))
        }
        Some(Status::Independent) => table.partner[attacker.index()] != Some(target),
        _ => false,
    }
}
