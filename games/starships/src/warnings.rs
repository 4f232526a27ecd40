//! Warnings about a player's risks and omissions, based on the player's view.

use heliopause_kernel::count;
use heliopause_kernel::warning::{Warning, in_words};

use crate::board::Place;
use crate::describe::object;
use crate::knowledge::SeatView;
use crate::markers::Marker;
use crate::order::{Means, Order};
use crate::pieces::{Piece, ShipId, Station};
use crate::table::Stage;
use crate::view::View;

pub(crate) const CODES: &[&str] = &[
    "warp-into-wreck",
    "meets-death-star",
    "into-asteroids",
    "arrivals-unused",
    "base-out-too-long",
    "too-many-starships",
    "planets-uncolonized",
    "planets-untried",
    "starships-unmoved",
];

/// Returns warnings about the next order only, because every order resolves immediately. Empty for
/// viewers without a seat, and after the game.
pub(crate) fn warnings(view: &View, next: Option<&Order>) -> Vec<Warning> {
    let (Some(seat_view), Some(next)) = (view.seat_view(), next) else { return Vec::new() };
    if seat_view.table.is_over() {
        return Vec::new();
    }
    let risk = if let Order::Warp { ship, via, to } = *next {
        seat_view.wreck(ship, via, to).or_else(|| seat_view.star_at(to))
    } else if let Order::Move { ship, to } = *next {
        seat_view.star_at(to).or_else(|| seat_view.asteroids(ship, to))
    } else if let Order::MoveBase { to, .. } = *next {
        seat_view.star_at(to)
    } else {
        None
    };
    let mut warnings: Vec<Warning> = risk.into_iter().collect();
    if !matches!(next, Order::Build { .. }) && seat_view.may_act().is_ok() {
        warnings.extend(seat_view.arrivals());
    }
    if *next == Order::End {
        warnings.extend(seat_view.at_the_end());
    }
    warnings
}

impl SeatView<'_> {
    /// Warns of Asteroids and Death Zones that destroy a warping starship (R4).
    fn wreck(&self, ship: ShipId, via: Place, to: Place) -> Option<Warning> {
        let deadly = |at: &Place| {
            self.table.zones.contains(*at) || self.marker(*at) == Some(Marker::Asteroids)
        };
        let at = [via, to].into_iter().find(deadly)?;
        let sentence =
            format!("{ship} will be destroyed: this warp enters {at}{}.", self.known(at));
        Some(Warning::new("warp-into-wreck", "4", sentence))
    }

    fn star_at(&self, at: Place) -> Option<Warning> {
        (self.marker(at) == Some(Marker::DeathStar)).then(|| {
            let sentence = format!("The Death Star is in {at} and fires first.");
            Warning::new("meets-death-star", "8", sentence)
        })
    }

    fn asteroids(&self, ship: ShipId, at: Place) -> Option<Warning> {
        (self.marker(at) == Some(Marker::Asteroids)).then(|| {
            let sentence =
                format!("There are Asteroids in {at}: they disrupt {ship} on a roll of 1 to 3.");
            Warning::new("into-asteroids", "R6", sentence)
        })
    }

    fn arrivals(&self) -> Option<Warning> {
        let left = self.arrivals_left();
        let has_base = self.table.bases_of(self.seat).next().is_some();
        (left > 0 && has_base).then(|| {
            let what = if left == 1 { "starship" } else { "starships" };
            let sentence = format!(
                "You may still build {} {what} this turn, but only before any other action.",
                in_words(left)
            );
            Warning::new("arrivals-unused", "3.1", sentence).mended_by("build")
        })
    }

    fn at_the_end(&self) -> Vec<Warning> {
        if self.table.stage != Stage::Turn {
            return Vec::new();
        }
        let kinds =
            [self.late_base(), self.too_many(), self.uncolonized(), self.untried(), self.unmoved()];
        kinds.into_iter().flatten().collect()
    }

    /// Warns of a base that will be lost at the end of the turn, because it is out for the third
    /// consecutive turn (R32).
    fn late_base(&self) -> Option<Warning> {
        let mut bases = self.table.bases_of(self.seat);
        let late = bases.find(|base| matches!(base.station, Station::Out(2..)))?;
        let sentence = format!(
            "The base in {} has been out too long and is lost when your turn ends.",
            late.at
        );
        let warning = Warning::new("base-out-too-long", "4.4", sentence);
        let settles = self.judge_settle(late.id.number).is_ok();
        let key = if settles { "settle" } else { "move-base" };
        let may_move = late.done.moved_from.is_none() && !late.done.withdrew;
        Some(if settles || may_move {
            warning.mended_at(key, Piece::Base(late.id).to_string())
        } else {
            warning
        })
    }

    fn too_many(&self) -> Option<Warning> {
        let (have, sponsored) = (self.starships(), self.sponsor_limit());
        (have > sponsored).then(|| {
            let sentence = format!(
                "You have {} and sponsors for {sponsored}: {} must go.",
                count(have, "starship"),
                in_words(have - sponsored)
            );
            Warning::new("too-many-starships", "5", sentence)
        })
    }

    fn uncolonized(&self) -> Option<Warning> {
        let open = |at: &Place| self.would_colonize(*at) && self.judge_mark(*at).is_ok();
        let open: Vec<Place> = Place::all().filter(open).collect();
        let first = *open.first()?;
        let texts = [
            "planet under your pieces could be colonized without a roll",
            "planets under your pieces could be colonized without a roll",
        ];
        let names: Vec<String> = open.iter().map(|at| format!("{at}{}", self.known(*at))).collect();
        let warning = Warning::about("planets-uncolonized", "4.1", texts, &names)?;
        Some(warning.mended_at("colonize", first.to_string()))
    }

    fn untried(&self) -> Option<Warning> {
        let ships = self.table.ships_of(self.seat).map(|ship| (Piece::Ship(ship.id), ship.at));
        let bases = self.table.bases_of(self.seat);
        let bases = bases.map(|base| (Piece::Base(base.id), base.at));
        let tries = |(piece, at): &(Piece, Place)| {
            let attempt = Order::Attempt { piece: *piece, means: Means::Diplomacy };
            self.owner(*at).is_none() && self.judge(&attempt).is_ok()
        };
        let mut idle: Vec<(Piece, Place)> = ships.chain(bases).filter(tries).collect();
        idle.sort_by_key(|(_, at)| *at);
        idle.dedup_by_key(|(_, at)| *at);
        let &(first, _) = idle.first()?;
        let names: Vec<String> =
            idle.iter().map(|(piece, at)| format!("{} in {at}", object(*piece))).collect();
        let texts = [
            "piece has not tried to take the planet it is at",
            "pieces have not tried to take the planets they are at",
        ];
        let warning = Warning::about("planets-untried", "4.2", texts, &names)?;
        Some(warning.mended_at("diplomacy", first.to_string()))
    }

    fn unmoved(&self) -> Option<Warning> {
        let idle: Vec<ShipId> = self
            .table
            .ships_of(self.seat)
            .map(|ship| ship.id)
            .filter(|ship| self.movable(*ship).is_ok())
            .collect();
        let first = *idle.first()?;
        let names: Vec<String> = idle.iter().map(ToString::to_string).collect();
        let texts = ["starship has not moved", "starships have not moved"];
        let warning = Warning::about("starships-unmoved", "3.4", texts, &names)?;
        Some(warning.mended_at("move", first.to_string()))
    }
}
