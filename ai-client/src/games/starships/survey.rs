//! A player's analysis of the view. Values are in hundredths of a live planet.

use heliopause_kernel::Seat;
use heliopause_starships::{DeathStar, Marker, Mix, Own, PLACES, Place, Status, Table, View};

/// Value of a live planet, which counts for victory and sponsors a starship.
pub(super) const LIVE: i32 = 100;
/// Value of a dead planet, which does not count towards the seven live ones.
const DEAD: i32 = 85;
/// Value of an Unfriendly planet, which may need several attempts.
const UNFRIENDLY: i32 = 75;
const ENEMY_PLANET: i32 = 95;
/// Value of attacking a base, whose loss eliminates its owner.
const ENEMY_BASE: i32 = 240;
/// Value of attacking the active Death Star. No player wins while it exists.
const ACTIVE_STAR: i32 = 160;
/// Value of meeting the undisturbed Death Star, which destroys half the starships.
const AMBUSH: i32 = -260;
const ASTEROIDS: i32 = -25;
/// Value of guarding a base while an attacker is near.
const GUARD: i32 = 70;

pub(super) struct Survey<'a> {
    pub(super) view: &'a View,
    pub(super) table: &'a Table,
    pub(super) own: &'a Own,
    pub(super) me: Seat,
    /// Mean values of unknown hexes in the inner two ranks and in the outer one.
    unknown: [i32; 2],
    worths: [i32; PLACES],
}

impl<'a> Survey<'a> {
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

    /// Returns the mean values of unknown hexes (1). Assumes that all withheld markers, and a third
    /// of the others, are in the outer rank.
    fn worth_of_unknown(&self) -> [i32; 2] {
        let mut known = [[0; Marker::KINDS.len()]; 2];
        for at in Place::all() {
            let Some(marker) = self.view.marker(at) else { continue };
            if let Some(kind) = Marker::KINDS.iter().position(|&kind| kind == marker) {
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

    fn expected(&self, marker: Marker, outer: bool) -> i32 {
        let withheld = i32::from(Mix::WITHHELD.count(marker));
        let rest = i32::from(self.table.options.mix.count(marker)) - withheld;
        if outer { withheld + rest / 3 } else { rest }
    }

    pub(super) fn worth(&self, at: Place) -> i32 {
        self.worths[at.index()]
    }

    fn worth_of_planet(&self, at: Place) -> i32 {
        let Some(note) = self.view.note(at) else {
            let claimed = self.table.tokens[at.index()].has_others(self.me);
            let unknown = self.unknown[usize::from(is_outer(at))];
            return if claimed { self.worth_of_claimed(at) } else { unknown };
        };
        match note.owner {
            Some(owner) if owner == self.me || self.table.has_settled_base(at) => 0,
            Some(owner) if self.may_attack(owner) => ENEMY_PLANET / 2,
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

    fn worth_of_claimed(&self, at: Place) -> i32 {
        let prey = self.table.tokens[at.index()].iter().any(|owner| self.may_attack(owner));
        if prey { ENEMY_PLANET / 3 } else { 0 }
    }

    fn worth_of_battle(&self, at: Place) -> i32 {
        let mut bases = self.table.bases.iter();
        let attacks = bases.any(|base| base.at == at && self.may_attack(base.id.owner));
        ENEMY_BASE * i32::from(attacks)
    }

    fn worth_of_guard(&self, at: Place) -> i32 {
        let mine = self.table.bases_of(self.me).any(|base| base.at == at);
        if mine && self.is_threatened(at) { GUARD } else { 0 }
    }

    fn is_threatened(&self, at: Place) -> bool {
        self.table.ships.iter().any(|ship| {
            let owner = ship.id.owner;
            owner != self.me && ship.at.distance(at) <= 1 && self.may_be_attacked_by(owner)
        })
    }

    /// Returns whether this seat may attack another seat (rules 7 and R35).
    pub(super) fn may_attack(&self, other: Seat) -> bool {
        other != self.me && self.table.is_alive(other) && may_attack(self.table, self.me, other)
    }

    fn may_be_attacked_by(&self, other: Seat) -> bool {
        self.table.is_alive(other) && may_attack(self.table, other, self.me)
    }

    pub(super) fn is_safe(&self, at: Place) -> bool {
        match self.view.marker(at) {
            Some(Marker::Asteroids) => false,
            Some(Marker::DeathStar) => !matches!(self.table.death_star, DeathStar::Undisturbed),
            _ => true,
        }
    }

    pub(super) fn is_safe_at_warp(&self, at: Place) -> bool {
        self.view.marker(at).is_some() && self.is_safe(at) && !self.table.zones.contains(at)
    }

    pub(super) fn sponsors(&self) -> usize {
        let earth_is_free = self.view.note(Place::EARTH).is_none_or(|note| note.owner.is_none());
        let bases = self.table.bases_of(self.me);
        let on_earth = bases.filter(|base| base.at == Place::EARTH && !base.is_out()).count();
        self.own.planets.len() + if earth_is_free { on_earth } else { 0 }
    }

    /// Returns the number of the seat's planets that `counts` accepts. Attributes an unknown hex to
    /// the last player in seat order that has a marker there.
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

    /// Returns the number of the seat's live planets. Includes unknown planets, because three in
    /// four are live.
    pub(super) fn live_planets_of(&self, seat: Seat) -> usize {
        self.planets_of(seat, |marker| marker.is_none_or(Marker::is_live))
    }

    pub(super) fn all_planets_of(&self, seat: Seat) -> usize {
        self.planets_of(seat, |_| true)
    }

    /// Returns whether one more live planet would give the Alliance a victory without a credit for
    /// the seat.
    pub(super) fn would_let_others_win(&self) -> bool {
        let awake = matches!(self.table.death_star, DeathStar::Active { .. });
        if awake || !self.table.is_member(self.me) {
            return false;
        }
        let members = || self.table.living().filter(|&seat| self.table.is_member(seat));
        let live: usize = members().map(|seat| self.live_planets_of(seat)).sum();
        if live + 1 < usize::from(self.table.options.live_planets_to_win) {
            return false;
        }
        let mine = self.all_planets_of(self.me) + 1;
        let others = members().filter(|&seat| seat != self.me);
        let others: Vec<usize> = others.map(|seat| self.all_planets_of(seat)).collect();
        let better = others.iter().filter(|&&count| count > mine).count();
        let equal = others.iter().filter(|&&count| count == mine).count();
        // A tie for second, or a three-way tie for first, gives no tied player a credit (R18).
        !matches!((better, equal), (0, 0 | 1) | (1, 0))
    }

    pub(super) fn lead(&self) -> i32 {
        let others = self.table.living().filter(|&seat| seat != self.me);
        let best = others.map(|seat| self.all_planets_of(seat)).max();
        self.own.planets.len() as i32 - best.unwrap_or(0) as i32
    }

    /// Returns whether the seat is in the Alliance, or exiled but still on Earth.
    pub(super) fn is_bound(&self) -> bool {
        !matches!(self.table.status(self.me), Some(Status::Independent))
    }

    pub(super) fn can_host_base(&self, at: Place) -> bool {
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
