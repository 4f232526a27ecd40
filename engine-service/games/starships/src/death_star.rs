//! Rule 8: the Death Star and its Death Zones.

use heliopause_kernel::{Draw, SeatSet};

use crate::board::{Place, Places};
use crate::event::{Cause, DeathStarEvent};
use crate::game::Starships;
use crate::judge::{Verdict, refuse};
use crate::knowledge::{Eyes, Owed};
use crate::pieces::{Condition, Piece, Target};
use crate::referee::Referee;
use crate::table::{Battle, Stage, Table};

/// How many zones it may put when it is activated.
const FIRST_ZONES: u8 = 2;

impl Table {
    /// R37, R52: the hexes for its first zones: adjacent, empty of starships, bases and zones,
    /// another one than the first zone has entered, and nearest to Earth.
    pub(crate) fn first_zone_hexes(&self, entered: Option<Place>) -> Places {
        let Some(star) = self.death_star_at() else { return Places::NONE };
        let fits = |&at: &Place| Some(at) != entered && self.is_empty_for_zones(at);
        let empty: Places = star.neighbours().iter().filter(fits).collect();
        let nearest = empty.iter().map(Place::rank).min();
        empty.iter().filter(|at| Some(at.rank()) == nearest).collect()
    }

    fn is_empty_for_zones(&self, at: Place) -> bool {
        !self.has_ship(at) && !self.bases.iter().any(|base| base.at == at) && self.admits_zone(at)
    }

    /// A hex that no zone stands in yet. The Death Star's own is no hex for zones; nor is Earth if
    /// it cannot be destroyed (R16).
    fn admits_zone(&self, at: Place) -> bool {
        let spared = at == Place::EARTH && !self.options.earth_can_be_destroyed;
        !self.zones.contains(at) && self.death_star_at() != Some(at) && !spared
    }

    /// R15: the Death Star and every zone connected to it through zones.
    pub(crate) fn growth_sources(&self) -> Places {
        let mut sources = Places::NONE;
        let mut frontier: Vec<Place> = self.death_star_at().into_iter().collect();
        while let Some(source) = frontier.pop() {
            sources.insert(source);
            frontier.extend(source.neighbours().and(self.zones).without(sources).iter());
        }
        sources
    }

    /// The hexes that a source may grow into. A Disrupted starship keeps zones out of any hex but a
    /// planet's (R39); what lies face down there the Death Star does not know, and may try.
    pub(crate) fn growth_hexes(&self, source: Place, closed: Places) -> Places {
        let open = |at: &Place| {
            let known_empty = self.shown[at.index()].is_some_and(|note| !note.marker.is_planet());
            self.admits_zone(*at) && !self.is_guarded(*at) && !(known_empty && self.has_ship(*at))
        };
        source.neighbours().without(closed).iter().filter(open).collect()
    }

    /// R39: whether it is a Disrupted starship or a base that keeps zones out of a hex that a
    /// source does not grow into.
    fn bars_zones(&self, source: Place, at: Place) -> bool {
        let fit = self.ships.iter().any(|ship| ship.at == at && ship.condition == Condition::Fit);
        source.neighbours().contains(at) && self.admits_zone(at) && !fit
    }

    /// Whether any of the sources may still grow.
    pub(crate) fn can_grow(&self, sources: Places, closed: Places) -> bool {
        sources.iter().any(|source| !self.growth_hexes(source, closed).is_empty())
    }

    /// R17: whether a starship here is surrounded: zones on all adjacent hexes, board edges
    /// counting as open.
    fn is_surrounded(&self, at: Place) -> bool {
        let neighbours = at.neighbours();
        let edge = neighbours.len() < 6;
        neighbours.without(self.zones).is_empty() && !(edge && self.options.edges_open)
    }
}

impl Starships {
    /// R39: whether a zone that may enter a hex for all that the Death Star knows does so: what
    /// keeps it out is a Disrupted starship where no planet is.
    pub(crate) fn lets_zone_in(&self, at: Place) -> bool {
        self.secrets.markers[at.index()].is_planet() || !self.table.has_ship(at)
    }

    /// R38, R51: where the Death Star grows when nobody decides: the source nearest Earth that can,
    /// into the hex nearest Earth. The default is the rules' own and knows the markers, so it never
    /// tries in vain.
    pub(crate) fn default_growth(&self, sources: Places, closed: Places) -> Option<(Place, Place)> {
        let mut by_distance: Vec<Place> = sources.iter().collect();
        by_distance.sort_by_key(|place| (place.rank(), *place));
        by_distance.into_iter().find_map(|source| {
            let open = self.table.growth_hexes(source, closed);
            let into = open
                .iter()
                .filter(|&at| self.lets_zone_in(at))
                .min_by_key(|place| (place.rank(), *place))?;
            Some((source, into))
        })
    }
}

impl Eyes<'_> {
    /// 8: a starship that met the undisturbed Death Star and lives may fire.
    pub(crate) fn judge_fire(&self) -> Verdict {
        self.owed(|owed| matches!(owed, Owed::Fire(_)).then_some(()))
    }

    /// R37: where the Death Star may put its first zones.
    pub(crate) fn judge_zone(&self, at: Place) -> Verdict {
        let entered =
            self.owed(
                |owed| if let Owed::Zones { entered, .. } = owed { Some(entered) } else { None },
            )?;
        if self.table.first_zone_hexes(entered).contains(at) {
            return Ok(());
        }
        if entered == Some(at) {
            return refuse(
                "no-zone-there",
                "R52",
                format!("The first zone has entered {at}: the second goes elsewhere."),
            );
        }
        refuse(
            "no-zone-there",
            "R37",
            format!("{at} is not an empty hex next to the Death Star, nearest to Earth."),
        )
    }

    /// R15: how the zones may grow.
    pub(crate) fn judge_grow(&self, from: Place, to: Place) -> Verdict {
        let (sources, entered, barred) = self.owed(|owed| {
            if let Owed::Growth { sources, entered, barred } = owed {
                Some((sources, entered, barred))
            } else {
                None
            }
        })?;
        if !sources.contains(from) {
            return refuse("no-source", "R15", format!("{from} is no source that can still grow."));
        }
        if self.table.growth_hexes(from, entered.or(barred)).contains(to) {
            return Ok(());
        }
        if !entered.contains(to) && self.table.bars_zones(from, to) {
            let text = format!(
                "A Disrupted starship, or a base that is out, keeps the zones out of {to}."
            );
            return refuse("no-growth-there", "R39", text);
        }
        refuse("no-growth-there", "R15", format!("The zones cannot grow from {from} into {to}."))
    }

    /// 8: what the Death Star may do, it need not.
    pub(crate) fn judge_stop(&self) -> Verdict {
        self.owed(|owed| matches!(owed, Owed::Zones { .. } | Owed::Growth { .. }).then_some(()))
    }
}

impl Referee<'_> {
    /// 8: the undisturbed Death Star shoots first, at whoever enters its hex. Only the mover is
    /// told (R25).
    pub(crate) fn ambush(&mut self, piece: Piece) {
        let nth = u32::from(self.table().battle_rounds);
        let die = self.roll("death-star", piece, nth);
        self.whisper(piece.owner(), DeathStarEvent::Ambushed { piece, die });
        if die <= 3 {
            self.lose_secretly(piece, Cause::DeathStar, SeatSet::one(piece.owner()));
        } else if self.table().is_disrupted(piece) {
            self.activate(piece);
        } else {
            self.ask(piece.owner(), Owed::Fire(piece));
        }
    }

    /// 8: the survivor fires, or holds its fire; if the Death Star is still there it is activated.
    pub(crate) fn answer_ambush(&mut self, fires: bool) {
        let seat = self.table().active;
        let Some(Owed::Fire(piece)) = self.game.secrets.own[seat.index()].owes else { return };
        let Some(at) = self.table().place_of(piece) else { return };
        self.answered(seat);
        let nth = u32::from(self.table().battle_rounds);
        let die = fires.then(|| self.roll("fire", piece, nth));
        self.whisper(seat, DeathStarEvent::FiredAtDeathStar { piece, die });
        if die.is_some_and(|die| die <= 3) {
            self.announce(DeathStarEvent::DeathStarDestroyed { at, seat });
            self.meet(piece);
        } else {
            self.activate(piece);
        }
    }

    /// 8: it lies face up from now on, and may at once put two zones.
    fn activate(&mut self, piece: Piece) {
        let Some(at) = self.table().place_of(piece) else { return };
        self.announce(DeathStarEvent::DeathStarActivated { at, provoker: piece.owner() });
        if self.table().first_zone_hexes(None).is_empty() {
            return self.after_first_zones(piece);
        }
        self.enter(Stage::Zones { met_by: piece });
        self.ask(
            self.game.table.death_star_seat(),
            Owed::Zones { left: FIRST_ZONES, entered: None },
        );
    }

    /// 8: puts one of the first two zones, or no more of them.
    pub(crate) fn put_first_zone(&mut self, at: Option<Place>) {
        let seat = self.table().death_star_seat();
        let Stage::Zones { met_by } = self.table().stage else { return };
        let Some(Owed::Zones { left, .. }) = self.game.secrets.own[seat.index()].owes else {
            return;
        };
        if let Some(at) = at {
            self.zone_enters(at, "first-zone");
        }
        let left = if at.is_some() { left - 1 } else { 0 };
        if self.has_ended() {
            return;
        }
        if left > 0 && !self.table().first_zone_hexes(at).is_empty() {
            self.ask(seat, Owed::Zones { left, entered: at });
        } else {
            self.answered(seat);
            self.after_first_zones(met_by);
        }
    }

    /// 8: the discoverer fights on or withdraws; a Disrupted one cannot fight, so it withdraws.
    fn after_first_zones(&mut self, piece: Piece) {
        if self.table().place_of(piece).is_none() {
            self.enter(Stage::Turn);
        } else if self.table().is_disrupted(piece) {
            self.withdraw(piece);
        } else {
            self.enter(Stage::Battle(Battle {
                attacker: piece,
                foe: Target::DeathStar,
                met: true,
            }));
        }
    }

    /// R15: one source grows into one hex, or the growth ends. R51: what only a face-down marker
    /// forbids fails without a die and costs nothing, and the question stays open.
    pub(crate) fn grow(&mut self, step: Option<(Place, Place)>) {
        let seat = self.table().death_star_seat();
        if let Some((from, to)) = step {
            if !self.game.lets_zone_in(to) {
                return self.whisper(seat, DeathStarEvent::ZoneBlocked { at: to });
            }
            self.whisper(seat, DeathStarEvent::SourceSpent { from, to });
            self.zone_enters(to, "growth");
        }
        if self.has_ended() {
            return;
        }
        let more = match self.game.secrets.own[seat.index()].owes {
            Some(Owed::Growth { sources, entered, barred }) => {
                step.is_some() && self.table().can_grow(sources, entered.or(barred))
            }
            _ => false,
        };
        if !more {
            self.answered(seat);
            self.after_growth();
        }
    }

    /// 8: a zone enters a hex. In a planet's hex without an undisrupted starship it has a 50%
    /// chance to destroy the planet and all that is there (R39), else it dies.
    fn zone_enters(&mut self, at: Place, purpose: &'static str) {
        if !self.game.secrets.markers[at.index()].is_planet() {
            return self.announce(DeathStarEvent::ZonePlaced { at });
        }
        self.face_up(at, None);
        let draw = Draw::new(purpose).at(self.table().turn_number()).of(at.index() as u64);
        let die = self.dice.d6(draw);
        self.announce(DeathStarEvent::ZoneStruck { at, die });
        if die <= 3 {
            self.destroy_all(at);
        }
    }

    /// R16, R39: what stands on a destroyed planet goes with it.
    fn destroy_all(&mut self, at: Place) {
        let table = self.table();
        let ships =
            table.ships.iter().filter(|ship| ship.at == at).map(|ship| Piece::Ship(ship.id));
        let bases =
            table.bases.iter().filter(|base| base.at == at).map(|base| Piece::Base(base.id));
        let pieces: Vec<Piece> = ships.chain(bases).collect();
        for piece in pieces {
            self.lose(piece, Cause::PlanetDestroyed);
        }
    }

    /// R17: surrounded starships are destroyed at the end of every turn.
    pub(crate) fn destroy_surrounded(&mut self) {
        if self.table().zones.is_empty() {
            return;
        }
        let table = self.table();
        let lost: Vec<Piece> = table
            .ships
            .iter()
            .filter(|ship| table.is_surrounded(ship.at))
            .map(|ship| Piece::Ship(ship.id))
            .collect();
        for piece in lost {
            self.lose(piece, Cause::Surrounded);
        }
    }
}
