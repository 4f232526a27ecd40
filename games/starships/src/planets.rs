//! Rules 3.7, 4.1 and 4.2: ownership markers, and colonizing, taking and giving planets.

use heliopause_kernel::{Draw, Seat, SeatSet};

use crate::board::Place;
use crate::describe::{object, subject};
use crate::event::{Cause, MoveEvent, PlanetEvent, WordEvent};
use crate::judge::{Verdict, refuse};
use crate::knowledge::SeatView;
use crate::markers::Marker;
use crate::order::{Means, Promise};
use crate::pieces::Piece;
use crate::referee::Referee;

impl SeatView<'_> {
    pub(crate) fn judge_face_up(&self, at: Place) -> Verdict {
        self.may_act()?;
        if self.table.shown[at.index()].is_some() {
            return refuse("face-up", "3.2", format!("{at} is already face up."));
        }
        if self.own.notes[at.index()].is_none() {
            return refuse("not-seen", "3.2", format!("You have not seen what is in {at}."));
        }
        Ok(())
    }

    /// Returns whether an ownership marker would colonize the hex, as far as the seat can see (rule
    /// 4.1).
    pub(crate) fn would_colonize(&self, at: Place) -> bool {
        self.note(at).is_some_and(|note| note.marker.is_open() && note.owner.is_none())
            && !self.table.has_settled_base(at)
    }

    pub(crate) fn judge_mark(&self, at: Place) -> Verdict {
        self.may_act()?;
        let ships = self.table.ships_of(self.seat).any(|ship| ship.at == at && !ship.done.withdrew);
        let bases = self.table.bases_of(self.seat).any(|base| base.at == at && !base.done.withdrew);
        if !ships && !bases {
            return refuse(
                "not-there",
                "3.2",
                format!("You have no piece in {at} that can place a marker."),
            );
        }
        if self.own.planets.contains(at) {
            return refuse("yours", "3.7", format!("{at} is already yours."));
        }
        if self.table.tokens[at.index()].contains(self.seat) && !self.would_colonize(at) {
            return refuse("marked", "3.7", format!("Your marker is already in {at}."));
        }
        Ok(())
    }

    pub(crate) fn judge_unmark(&self, at: Place) -> Verdict {
        self.may_act()?;
        if !self.table.tokens[at.index()].contains(self.seat) {
            return refuse("not-marked", "3.7", format!("You have no marker in {at}."));
        }
        if self.own.planets.contains(at) {
            return refuse(
                "yours",
                "3.7",
                format!("You own the planet in {at}: your marker there cannot be removed."),
            );
        }
        Ok(())
    }

    /// Judges a gift (rule 9, R43). A seat may give any of its planets except those under a base.
    pub(crate) fn judge_give(&self, at: Place, to: Seat) -> Verdict {
        self.may_act()?;
        self.other_player(to)?;
        if !self.own.planets.contains(at) {
            return refuse("not-yours", "9", format!("{at} is not your planet."));
        }
        if self.table.has_settled_base(at) {
            return refuse(
                "under-base",
                "R43",
                format!("{at} has a base on it: a planet under a base cannot be given away."),
            );
        }
        Ok(())
    }

    pub(crate) fn judge_attempt(&self, piece: Piece, means: Means) -> Verdict {
        self.may_act()?;
        let at = self.ready(piece)?;
        if self.own.attempted.contains(&piece) {
            return refuse(
                "attempted",
                "R3",
                format!("{} has already tried to take a planet this turn.", subject(piece)),
            );
        }
        if let Piece::Base(id) = piece
            && self.table.base(id).is_some_and(|base| !base.is_out())
        {
            return refuse("settled", "4.2", "Only a base that is out can try to take a planet.");
        }
        if means == Means::Force && self.table.is_disrupted(piece) {
            return refuse(
                "disrupted",
                "R27",
                format!("{piece} is Disrupted: it can try diplomacy, but not force."),
            );
        }
        let Some(note) = self.note(at).filter(|note| note.marker.is_planet()) else {
            return refuse("no-planet", "4.2", format!("{at} is not a planet."));
        };
        if self.table.has_settled_base(at) {
            return refuse(
                "base-there",
                "R30",
                format!("{at} has a base on it: destroy the base to take the planet."),
            );
        }
        match note.owner {
            Some(owner) if owner == self.seat => {
                refuse("yours", "4.2", format!("{at} is already yours."))
            }
            Some(owner) => self.judge_attempt_on_owned(owner, at),
            None if note.marker == Marker::Unfriendly => Ok(()),
            None => refuse(
                "open",
                "4.1",
                format!("The planet in {at} is unowned: place your ownership marker on it."),
            ),
        }
    }

    fn judge_attempt_on_owned(&self, owner: Seat, at: Place) -> Verdict {
        self.may_attack(owner)?;
        match self.table.fit_defender(owner, at) {
            Some(defender) => {
                refuse("defended", "4.2", format!("You must beat {} first.", object(defender)))
            }
            None => Ok(()),
        }
    }
}

impl Referee<'_> {
    pub(crate) fn mark(&mut self, seat: Seat, at: Place) {
        if self.game.seat_view(seat).would_colonize(at) {
            self.take_planet(at, seat);
        } else {
            self.publish_to_all(PlanetEvent::Marked { seat, at });
        }
    }

    /// Gives a planet a new owner, and shows the new owner to all seats that are allowed to see it.
    pub(crate) fn take_planet(&mut self, at: Place, new: Seat) {
        let old = self.game.secrets.owners[at.index()];
        if let Some(old) = old {
            self.publish_to_all(PlanetEvent::Unmarked { seat: old, at });
        }
        self.publish_to_all(PlanetEvent::Marked { seat: new, at });
        let owned = PlanetEvent::Owned { at, owner: Some(new) };
        if self.table().shown[at.index()].is_some() {
            self.publish_to_all(owned);
        } else {
            self.publish_to_game_master(owned);
        }
        if let Some(old) = old {
            self.publish_to_seat(old, PlanetEvent::Forfeited { seat: old, at });
        }
        self.publish_to_seat(new, PlanetEvent::Gained { seat: new, at });
        if self.table().shown[at.index()].is_none() {
            for seat in self.table().seats() {
                if seat == new || self.learns_of_owner(seat, at, old) {
                    self.see(seat, at);
                }
            }
        }
    }

    /// Returns whether a seat other than the new owner is shown the new owner of a face-down planet
    /// (rule 3.6). The seat must have a piece in the hex, or a note of the old owner. If the planet
    /// had no owner, a note that the planet is open suffices: the seat can infer that the published
    /// ownership marker colonizes it (rule 3.7).
    fn learns_of_owner(&self, seat: Seat, at: Place, old: Option<Seat>) -> bool {
        let note = self.game.secrets.own[seat.index()].notes[at.index()];
        let knew = note.is_some_and(|note| match old {
            Some(_) => note.owner == old,
            None => note.marker.is_open(),
        });
        knew || self.table().is_present(seat, at)
    }

    pub(crate) fn give(&mut self, giver: Seat, at: Place, receiver: Seat) {
        self.update_planet_pledges(giver, at, receiver, true);
        self.publish_to_all(PlanetEvent::Given { giver, receiver, at });
        self.take_planet(at, receiver);
    }

    /// Updates the giver's pledges to give this planet (R13, R53). A pledge is kept if its receiver
    /// gets the planet. If another player gets the planet as a gift, the gift is noted in the
    /// pledge. If another player takes the planet as a penalty, the pledge ends.
    pub(crate) fn update_planet_pledges(
        &mut self,
        giver: Seat,
        at: Place,
        receiver: Seat,
        gift: bool,
    ) {
        let pledges: Vec<_> = self.game.secrets.own[giver.index()]
            .pledges
            .iter()
            .filter(|pledge| pledge.giver == giver && pledge.promise == Promise::GivePlanet(at))
            .copied()
            .collect();
        for pledge in pledges {
            let two = SeatSet::one(giver).with(pledge.receiver);
            let kept = pledge.receiver == receiver;
            match pledge.planet_given {
                _ if kept => self.publish_to_seats(two, WordEvent::PledgeEnded { pledge }),
                true => {}
                false if gift => {
                    self.publish_to_seats(two, WordEvent::PledgedPlanetGiven { pledge });
                }
                false => self.publish_to_seats(two, WordEvent::PledgeEnded { pledge }),
            }
        }
    }

    pub(crate) fn attempt(&mut self, piece: Piece, means: Means) {
        let Some(at) = self.table().place_of(piece) else { return };
        let mover = piece.owner();
        let owner = self.game.secrets.owners[at.index()];
        let mut told = SeatSet::one(mover);
        if let Some(owner) = owner {
            self.act_of_war(mover, owner, false);
            told.insert(owner);
        }
        let (dice, taken) = self.roll_attempt(piece, means);
        self.publish_to_seats(
            told,
            PlanetEvent::Attempted { piece, at, means, owner, dice, taken },
        );
        if taken {
            self.take_planet(at, mover);
            self.settle_if_base(piece, at);
        } else if means == Means::Force {
            self.lose_secretly(piece, Cause::Repelled, told);
        }
    }

    /// Rolls one die for diplomacy or two for force (R19). Returns the dice, and whether any of
    /// them succeeded.
    fn roll_attempt(&mut self, piece: Piece, means: Means) -> ((u8, Option<u8>), bool) {
        let draw = |purpose| Draw::new(purpose).at(self.game.table.turn_number()).of(piece.key());
        match means {
            Means::Diplomacy => {
                let die = self.dice.d6(draw("diplomacy"));
                ((die, None), die <= 3)
            }
            Means::Force => {
                let first = self.dice.d6(draw("force"));
                let second = self.dice.d6(draw("force").nth(1));
                ((first, Some(second)), first <= 3 || second <= 3)
            }
        }
    }

    fn settle_if_base(&mut self, piece: Piece, at: Place) {
        if let Piece::Base(base) = piece
            && self.game.secrets.markers[at.index()].is_live()
        {
            self.publish_to_all(MoveEvent::Settled { base, at });
        }
    }
}
