//! What a player leaves undone or risks, as they know the board.

use heliopause_kernel::warning::{Warning, counted, in_words, some_of};

use crate::board::Place;
use crate::knowledge::Eyes;
use crate::markers::Marker;
use crate::order::{Means, Order};
use crate::pieces::{Piece, ShipId, Station};
use crate::table::Stage;
use crate::view::View;

/// The kinds of warning.
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

/// What the seat of a view leaves undone or risks by an order. All orders of this game are resolved
/// at once.
pub(crate) fn warnings(view: &View, next: Option<&Order>) -> Vec<Warning> {
    let (Some(eyes), Some(next)) = (view.eyes(), next) else { return Vec::new() };
    if eyes.table.is_over() {
        return Vec::new();
    }
    let risk = match *next {
        Order::Warp { ship, via, to } => eyes.wreck(ship, via, to).or_else(|| eyes.star_at(to)),
        Order::Move { ship, to } => eyes.star_at(to).or_else(|| eyes.asteroids(ship, to)),
        Order::MoveBase { to, .. } => eyes.star_at(to),
        Order::End
        | Order::Build { .. }
        | Order::Settle { .. }
        | Order::Attempt { .. }
        | Order::Attack { .. }
        | Order::FightOn
        | Order::Withdraw
        | Order::Fire
        | Order::HoldFire
        | Order::FaceUp { .. }
        | Order::Mark { .. }
        | Order::Unmark { .. }
        | Order::Give { .. }
        | Order::Vote { .. }
        | Order::Offer { .. }
        | Order::Accept { .. }
        | Order::Retract { .. }
        | Order::EndPartnership
        | Order::Pledge { .. }
        | Order::Sacrifice { .. }
        | Order::ChooseShip { .. }
        | Order::ChoosePlanet { .. }
        | Order::Zone { .. }
        | Order::Grow { .. }
        | Order::Stop => None,
    };
    let mut warnings: Vec<Warning> = risk.into_iter().collect();
    if !matches!(next, Order::Build { .. }) && eyes.may_act().is_ok() {
        warnings.extend(eyes.arrivals());
    }
    if *next == Order::End {
        warnings.extend(eyes.at_the_end());
    }
    warnings
}

impl Eyes<'_> {
    /// R4: Asteroids and Death Zones destroy who warps through or into them.
    fn wreck(&self, ship: ShipId, via: Place, to: Place) -> Option<Warning> {
        let deadly = |at: &Place| {
            self.table.zones.contains(*at) || self.marker(*at) == Some(Marker::Asteroids)
        };
        let at = [via, to].into_iter().find(deadly)?;
        let sentence = format!("{ship} is destroyed: it warps into {at}{}.", self.known(at));
        Some(Warning::new("warp-into-wreck", "4", sentence))
    }

    /// 8: the Death Star shoots first.
    fn star_at(&self, at: Place) -> Option<Warning> {
        (self.marker(at) == Some(Marker::DeathStar)).then(|| {
            let sentence = format!("The Death Star is in {at}, and shoots first.");
            Warning::new("meets-death-star", "8", sentence)
        })
    }

    /// R6.
    fn asteroids(&self, ship: ShipId, at: Place) -> Option<Warning> {
        (self.marker(at) == Some(Marker::Asteroids)).then(|| {
            let sentence = format!("Asteroids are in {at}: they disrupt {ship} on 1 to 3.");
            Warning::new("into-asteroids", "R6", sentence)
        })
    }

    /// 3.1: the first action that builds nothing ends Arrivals.
    fn arrivals(&self) -> Option<Warning> {
        let room = self.sponsor_limit().saturating_sub(self.starships());
        let left = usize::from(self.own.arrivals?).min(room);
        let has_base = self.table.bases_of(self.seat).next().is_some();
        (left > 0 && has_base).then(|| {
            let what = if left == 1 { "starship" } else { "starships" };
            let sentence = format!(
                "You may still build {} {what} this turn; any other action ends that.",
                in_words(left)
            );
            Warning::new("arrivals-unused", "3.1", sentence).mended_by("build")
        })
    }

    /// 3.3: what the end of the turn takes, and what the turn leaves undone.
    fn at_the_end(&self) -> Vec<Warning> {
        if self.table.stage != Stage::Turn {
            return Vec::new();
        }
        let kinds =
            [self.late_base(), self.too_many(), self.uncolonized(), self.untried(), self.unmoved()];
        kinds.into_iter().flatten().collect()
    }

    /// R32: out at the end of the third turn in a row, a base is lost.
    fn late_base(&self) -> Option<Warning> {
        let mut bases = self.table.bases_of(self.seat);
        let late = bases.find(|base| matches!(base.station, Station::Out(2..)))?;
        let sentence = format!("The base in {} has been out too long and is lost now.", late.at);
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

    /// 5.
    fn too_many(&self) -> Option<Warning> {
        let (have, sponsored) = (self.starships(), self.sponsor_limit());
        (have > sponsored).then(|| {
            let sentence = format!(
                "You have {have} starships and sponsors for {sponsored}: {} must go.",
                in_words(have - sponsored)
            );
            Warning::new("too-many-starships", "5", sentence)
        })
    }

    /// 4.1: open planets under own pieces.
    fn uncolonized(&self) -> Option<Warning> {
        let open = |at: &Place| self.would_colonize(*at) && self.judge_mark(*at).is_ok();
        let open: Vec<Place> = Place::all().filter(open).collect();
        let first = *open.first()?;
        let told = counted(
            open.len(),
            "planet under your pieces could be colonized",
            "planets under your pieces could be colonized",
        );
        let names: Vec<String> = open.iter().map(|at| format!("{at}{}", self.known(*at))).collect();
        let sentence = format!("{told} without a roll: {}.", some_of(&names));
        Some(
            Warning::new("planets-uncolonized", "4.1", sentence)
                .mended_at("colonize", first.to_string()),
        )
    }

    /// 4.2: planets of nobody that own pieces have not tried to take.
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
            idle.iter().map(|(piece, at)| format!("{piece} in {at}")).collect();
        let told = counted(
            idle.len(),
            "piece has not tried to take the planet that it has come to",
            "pieces have not tried to take the planets that they have come to",
        );
        let warning =
            Warning::new("planets-untried", "4.2", format!("{told}: {}.", some_of(&names)));
        Some(warning.mended_at("diplomacy", first.to_string()))
    }

    /// 3.4.
    fn unmoved(&self) -> Option<Warning> {
        let idle: Vec<ShipId> = self
            .table
            .ships_of(self.seat)
            .map(|ship| ship.id)
            .filter(|ship| self.movable(*ship).is_ok())
            .collect();
        let first = *idle.first()?;
        let names: Vec<String> = idle.iter().map(ToString::to_string).collect();
        let told = counted(idle.len(), "starship has not moved", "starships have not moved");
        let warning =
            Warning::new("starships-unmoved", "3.4", format!("{told}: {}.", some_of(&names)));
        Some(warning.mended_at("move", first.to_string()))
    }
}
