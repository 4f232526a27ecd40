//! Rule 8: the Death Star and its Death Zones.

use heliopause_kernel::{Draw, SeatSet};

use crate::board::{Place, Places};
use crate::event::{Cause, DeathStarEvent};
use crate::game::Starships;
use crate::judge::{Verdict, refuse};
use crate::knowledge::{Owed, SeatView};
use crate::pieces::{Condition, Piece, Target};
use crate::referee::Referee;
use crate::table::{Battle, Stage, Table};

const FIRST_ZONES: u8 = 2;

impl Table {
    /// Returns the hexes that the next of the first two zones may enter (R37, R52). These are the
    /// hexes nearest to Earth among the Death Star's neighbors without starships, bases or zones.
    /// The hex that the first zone entered is excluded.
    pub(crate) fn first_zone_hexes(&self, entered: Option<Place>) -> Places {
        let Some(star) = self.death_star_at() else { return Places::NONE };
        let fits = |&at: &Place| Some(at) != entered && self.is_empty_for_zones(at);
        let empty: Places = star.neighbors().iter().filter(fits).collect();
        let nearest = empty.iter().map(Place::rank).min();
        empty.iter().filter(|at| Some(at.rank()) == nearest).collect()
    }

    fn is_empty_for_zones(&self, at: Place) -> bool {
        !self.has_ship(at) && !self.bases.iter().any(|base| base.at == at) && self.admits_zone(at)
    }

    fn admits_zone(&self, at: Place) -> bool {
        let spared = at == Place::EARTH && !self.options.earth_can_be_destroyed;
        !self.zones.contains(at) && self.death_star_at() != Some(at) && !spared
    }

    /// Returns the hexes of the Death Star and of every zone connected to it by zones (R15).
    pub(crate) fn growth_sources(&self) -> Places {
        let mut sources = Places::NONE;
        let mut frontier: Vec<Place> = self.death_star_at().into_iter().collect();
        while let Some(source) = frontier.pop() {
            sources.insert(source);
            frontier.extend(source.neighbors().and(self.zones).without(sources).iter());
        }
        sources
    }

    /// Returns the hexes outside `closed` that a source may try to grow into. A Disrupted starship
    /// keeps zones out of any hex without a planet (R39). The Death Star may still try a face-down
    /// hex, because the marker is hidden from its player.
    pub(crate) fn growth_hexes(&self, source: Place, closed: Places) -> Places {
        let open = |at: &Place| {
            let known_empty = self.shown[at.index()].is_some_and(|note| !note.marker.is_planet());
            self.admits_zone(*at) && !self.is_guarded(*at) && !(known_empty && self.has_ship(*at))
        };
        source.neighbors().without(closed).iter().filter(open).collect()
    }

    /// Returns whether a source could grow into a hex if Disrupted starships and bases did not keep
    /// zones out (R39).
    fn bars_zones(&self, source: Place, at: Place) -> bool {
        let fit = self.ships.iter().any(|ship| ship.at == at && ship.condition == Condition::Fit);
        source.neighbors().contains(at) && self.admits_zone(at) && !fit
    }

    pub(crate) fn can_grow(&self, sources: Places, closed: Places) -> bool {
        sources.iter().any(|source| !self.growth_hexes(source, closed).is_empty())
    }

    /// Returns whether a starship in the hex is surrounded by zones (R17). With `edges_open`, a hex
    /// at the edge of the board never is.
    fn is_surrounded(&self, at: Place) -> bool {
        let neighbors = at.neighbors();
        let edge = neighbors.len() < 6;
        neighbors.without(self.zones).is_empty() && !(edge && self.options.edges_open)
    }
}

impl Starships {
    /// Returns whether a zone can enter a hex that looks open to the Death Star's player (R39). A
    /// Disrupted starship keeps zones out unless the hex has a planet.
    pub(crate) fn lets_zone_in(&self, at: Place) -> bool {
        self.secrets.markers[at.index()].is_planet() || !self.table.has_ship(at)
    }

    /// Returns the default growth, or `None` if no source can grow (R38, R51). Of the sources that
    /// can grow, the one nearest to Earth grows, into its open hex nearest to Earth. The default
    /// uses the true markers, so it never fails.
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

impl SeatView<'_> {
    /// Judges a shot at the undisturbed Death Star by a starship that survived meeting it (rule 8).
    pub(crate) fn judge_fire(&self) -> Verdict {
        self.owed(|owed| matches!(owed, Owed::Fire(_)).then_some(()))
    }

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
                format!("The first zone has entered {at}; choose another hex for the second."),
            );
        }
        refuse(
            "no-zone-there",
            "R37",
            format!(
                "{at} is not an empty hex next to the Death Star and nearest to Earth; choose {}.",
                one_of(self.table.first_zone_hexes(entered))
            ),
        )
    }

    /// Judges growth (R15). Each source grows once per turn, and no hex is entered twice.
    pub(crate) fn judge_grow(&self, from: Place, to: Place) -> Verdict {
        let (sources, entered, barred) = self.owed(|owed| {
            if let Owed::Growth { sources, entered, barred } = owed {
                Some((sources, entered, barred))
            } else {
                None
            }
        })?;
        if !sources.contains(from) {
            return refuse(
                "no-source",
                "R15",
                format!("Death Zones cannot grow from {from} now; choose {}.", one_of(sources)),
            );
        }
        let open = self.table.growth_hexes(from, entered.or(barred));
        if open.contains(to) {
            return Ok(());
        }
        if !entered.contains(to) && self.table.bars_zones(from, to) {
            let text = format!(
                "The zones cannot enter {to}: a Disrupted starship, or a base that is out, is \
                 there."
            );
            return refuse("no-growth-there", "R39", text);
        }
        let instead = if open.is_empty() {
            "choose another source, or stop".to_owned()
        } else {
            format!("choose {}", one_of(open))
        };
        let text = format!("The zones cannot grow from {from} into {to}; {instead}.");
        refuse("no-growth-there", "R15", text)
    }

    pub(crate) fn judge_stop(&self) -> Verdict {
        self.owed(|owed| matches!(owed, Owed::Zones { .. } | Owed::Growth { .. }).then_some(()))
    }
}

pub(crate) fn one_of(places: Places) -> String {
    let names: Vec<String> = places.iter().map(|at| at.to_string()).collect();
    match &names[..] {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => names.concat(),
    }
}

impl Referee<'_> {
    /// Lets the undisturbed Death Star fire first (rule 8). Only the mover sees this (R25).
    pub(crate) fn ambush(&mut self, piece: Piece) {
        let nth = u32::from(self.table().battle_rounds);
        let die = self.roll("death-star", piece, nth);
        self.publish_to_seat(piece.owner(), DeathStarEvent::Ambushed { piece, die });
        if die <= 3 {
            self.lose_secretly(piece, Cause::DeathStar, SeatSet::one(piece.owner()));
        } else if self.table().is_disrupted(piece) {
            self.activate(piece);
        } else {
            self.ask(piece.owner(), Owed::Fire(piece));
        }
    }

    pub(crate) fn answer_ambush(&mut self, fires: bool) {
        let seat = self.table().active;
        let Some(Owed::Fire(piece)) = self.game.secrets.own[seat.index()].owes else { return };
        let Some(at) = self.table().place_of(piece) else { return };
        self.answered(seat);
        let nth = u32::from(self.table().battle_rounds);
        let die = fires.then(|| self.roll("fire", piece, nth));
        self.publish_to_seat(seat, DeathStarEvent::FiredAtDeathStar { piece, die });
        if die.is_some_and(|die| die <= 3) {
            self.publish_to_all(DeathStarEvent::DeathStarDestroyed { at, seat });
            self.meet(piece);
        } else {
            self.activate(piece);
        }
    }

    fn activate(&mut self, piece: Piece) {
        let Some(at) = self.table().place_of(piece) else { return };
        self.publish_to_all(DeathStarEvent::DeathStarActivated { at, provoker: piece.owner() });
        if self.table().first_zone_hexes(None).is_empty() {
            return self.after_first_zones(piece);
        }
        self.enter(Stage::Zones { met_by: piece });
        self.ask(
            self.game.table.death_star_seat(),
            Owed::Zones { left: FIRST_ZONES, entered: None },
        );
    }

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

    /// Lets the discoverer fight on or withdraw (rule 8). A Disrupted piece must withdraw. If the
    /// piece was destroyed, the turn continues.
    fn after_first_zones(&mut self, piece: Piece) {
        if self.table().place_of(piece).is_none() {
            self.enter(Stage::Turn);
        } else if self.table().is_disrupted(piece) {
            self.withdraw(piece);
        } else {
            self.enter(Stage::Battle(Battle {
                attacker: piece,
                target: Target::DeathStar,
                met: true,
            }));
        }
    }

    /// Grows one source into one hex, or ends the growth (R15). Growth that only a face-down marker
    /// prevents fails without a roll and at no cost, and the decision stays open (R51).
    pub(crate) fn grow(&mut self, step: Option<(Place, Place)>) {
        let seat = self.table().death_star_seat();
        if let Some((from, to)) = step {
            if !self.game.lets_zone_in(to) {
                return self.publish_to_seat(seat, DeathStarEvent::ZoneBlocked { at: to });
            }
            self.publish_to_seat(seat, DeathStarEvent::SourceSpent { from, to });
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

    /// Places a zone in a hex (rule 8). In a hex with a planet, a roll of 1 to 3 destroys the
    /// planet and everything there (R39). A higher roll destroys the zone.
    fn zone_enters(&mut self, at: Place, purpose: &'static str) {
        if !self.game.secrets.markers[at.index()].is_planet() {
            return self.publish_to_all(DeathStarEvent::ZonePlaced { at });
        }
        self.face_up(at, None);
        let draw = Draw::new(purpose).at(self.table().turn_number()).of(at.index() as u64);
        let die = self.dice.d6(draw);
        self.publish_to_all(DeathStarEvent::ZoneStruck { at, die });
        if die <= 3 {
            self.destroy_all(at);
        }
    }

    /// Removes all pieces on a destroyed planet (R16, R39).
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

    /// Destroys surrounded starships, at the end of every turn (R17).
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
