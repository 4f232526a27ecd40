//! Rules 3.7, 4.1 and 4.2: ownership markers, colonizing, taking planets, giving them away.

use heliopause_kernel::{Draw, Seat, SeatSet};

use crate::board::Place;
use crate::event::{Cause, MoveEvent, PlanetEvent, WordEvent};
use crate::judge::{Verdict, refuse};
use crate::knowledge::Eyes;
use crate::markers::Marker;
use crate::order::{Means, Promise};
use crate::pieces::Piece;
use crate::referee::Referee;

impl Eyes<'_> {
    /// 3.2: any marker that the seat has seen, whoever owns it.
    pub(crate) fn judge_face_up(&self, at: Place) -> Verdict {
        self.may_act()?;
        if self.table.shown[at.index()].is_some() {
            return refuse("face-up", "3.2", format!("{at} lies face up already."));
        }
        if self.own.notes[at.index()].is_none() {
            return refuse("not-seen", "3.2", format!("You have not seen what {at} holds."));
        }
        Ok(())
    }

    /// 4.1: whether putting a marker here would colonize, as far as the seat knows.
    pub(crate) fn would_colonize(&self, at: Place) -> bool {
        self.note(at).is_some_and(|note| note.marker.is_open() && note.owner.is_none())
            && !self.table.has_settled_base(at)
    }

    /// 3.2, 3.7: in any hex with a piece of one's own that may still act.
    pub(crate) fn judge_mark(&self, at: Place) -> Verdict {
        self.may_act()?;
        let ships = self.table.ships_of(self.seat).any(|ship| ship.at == at && !ship.done.withdrew);
        let bases = self.table.bases_of(self.seat).any(|base| base.at == at && !base.done.withdrew);
        if !ships && !bases {
            return refuse(
                "not-there",
                "3.2",
                format!("You have no piece in {at} that can put a marker."),
            );
        }
        if self.own.planets.contains(at) {
            return refuse("yours", "3.7", format!("{at} is yours already."));
        }
        if self.table.tokens[at.index()].contains(self.seat) && !self.would_colonize(at) {
            return refuse("marked", "3.7", format!("Your marker lies in {at} already."));
        }
        Ok(())
    }

    /// 3.7: a marker that is only a sign may be taken up.
    pub(crate) fn judge_unmark(&self, at: Place) -> Verdict {
        self.may_act()?;
        if !self.table.tokens[at.index()].contains(self.seat) {
            return refuse("not-marked", "3.7", format!("No marker of yours lies in {at}."));
        }
        if self.own.planets.contains(at) {
            return refuse("yours", "3.7", "The marker shows that the planet is yours; it stays.");
        }
        Ok(())
    }

    /// 9, R43: any of one's planets but the one under one's base, to anyone still in the game.
    pub(crate) fn judge_give(&self, at: Place, to: Seat) -> Verdict {
        self.may_act()?;
        self.other_player(to)?;
        if !self.own.planets.contains(at) {
            return refuse("not-yours", "9", format!("{at} is no planet of yours."));
        }
        if self.table.has_settled_base(at) {
            return refuse("under-base", "R43", "The planet under a base cannot be given away.");
        }
        Ok(())
    }

    /// 4.2: who may try to take the planet in their hex, and how.
    pub(crate) fn judge_attempt(&self, piece: Piece, means: Means) -> Verdict {
        self.may_act()?;
        let at = self.ready(piece)?;
        if self.own.attempted.contains(&piece) {
            return refuse("attempted", "R3", format!("{piece} has tried this turn."));
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
                format!("{piece} is Disrupted: it may try diplomacy, but not force."),
            );
        }
        let Some(note) = self.note(at).filter(|note| note.marker.is_planet()) else {
            return refuse("no-planet", "4.2", format!("There is no planet in {at}."));
        };
        if self.table.has_settled_base(at) {
            return refuse(
                "base-there",
                "R30",
                "A planet with a base on it is taken only by destroying the base.",
            );
        }
        match note.owner {
            Some(owner) if owner == self.seat => {
                refuse("yours", "4.2", "The planet is yours already.")
            }
            Some(owner) => self.judge_attempt_on_owned(owner, at),
            None if note.marker == Marker::Unfriendly => Ok(()),
            None => {
                refuse("open", "4.1", "Nobody owns the planet: put your ownership marker on it.")
            }
        }
    }

    /// 4.2: another player's planet: an Act of War, and its undisrupted defenders must be beaten
    /// first.
    fn judge_attempt_on_owned(&self, owner: Seat, at: Place) -> Verdict {
        self.may_attack(owner)?;
        match self.table.fit_defender(owner, at) {
            Some(defender) => {
                refuse("defended", "4.2", format!("{defender} must be beaten first."))
            }
            None => Ok(()),
        }
    }
}

impl Referee<'_> {
    /// 3.7: puts an ownership marker, and colonizes if the planet is open.
    pub(crate) fn mark(&mut self, seat: Seat, at: Place) {
        if self.game.eyes(seat).would_colonize(at) {
            self.take_planet(at, seat);
        } else {
            self.announce(PlanetEvent::Marked { seat, at });
        }
    }

    /// A planet changes hands, or finds its first owner: ownership markers show it (3.7), and those
    /// who may know do.
    pub(crate) fn take_planet(&mut self, at: Place, new: Seat) {
        let old = self.game.secrets.owners[at.index()];
        if let Some(old) = old {
            self.announce(PlanetEvent::Unmarked { seat: old, at });
        }
        self.announce(PlanetEvent::Marked { seat: new, at });
        let owned = PlanetEvent::Owned { at, owner: Some(new) };
        if self.table().shown[at.index()].is_some() {
            self.announce(owned);
        } else {
            self.record(owned);
        }
        if let Some(old) = old {
            self.whisper(old, PlanetEvent::Forfeited { seat: old, at });
        }
        self.whisper(new, PlanetEvent::Gained { seat: new, at });
        if self.table().shown[at.index()].is_none() {
            for seat in self.table().seats() {
                if seat == new || self.learns_of_owner(seat, at, old) {
                    self.see(seat, at);
                }
            }
        }
    }

    /// 3.6: who learns of a new owner of a face-down planet: those who are there; those who knew
    /// the old owner and see the markers change; those who know the planet is open, so that a
    /// marker there can only colonize it.
    fn learns_of_owner(&self, seat: Seat, at: Place, old: Option<Seat>) -> bool {
        let note = self.game.secrets.own[seat.index()].notes[at.index()];
        let knew = note.is_some_and(|note| match old {
            Some(_) => note.owner == old,
            None => note.marker.is_open(),
        });
        knew || self.table().is_present(seat, at)
    }

    /// 9, R43: gives a planet away.
    pub(crate) fn give(&mut self, giver: Seat, at: Place, receiver: Seat) {
        self.follow_planet_pledges(giver, at, receiver, true);
        self.announce(PlanetEvent::Given { giver, receiver, at });
        self.take_planet(at, receiver);
    }

    /// R13: a gift keeps the word about that planet, or leads it astray. R53: what is taken as the
    /// penalty for another word makes it void.
    pub(crate) fn follow_planet_pledges(
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
            match pledge.strayed {
                _ if kept => self.confide(two, WordEvent::PledgeEnded { pledge }),
                true => {}
                false if gift => self.confide(two, WordEvent::PledgeStrayed { pledge }),
                false => self.confide(two, WordEvent::PledgeEnded { pledge }),
            }
        }
    }

    /// 4.2: an attempt: diplomacy 50%, force 75% with the attacker destroyed on failure.
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
        self.confide(told, PlanetEvent::Attempted { piece, at, means, owner, dice, taken });
        if taken {
            self.take_planet(at, mover);
            self.settle_if_base(piece, at);
        } else if means == Means::Force {
            self.lose_secretly(piece, Cause::Repelled, told);
        }
    }

    /// R19: one die for diplomacy; two for force, of which either may succeed.
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

    /// 4.4: a planet taken by a base's own attempt settles it, if it is live.
    fn settle_if_base(&mut self, piece: Piece, at: Place) {
        if let Piece::Base(base) = piece
            && self.game.secrets.markers[at.index()].is_live()
        {
            self.announce(MoveEvent::Settled { base, at });
        }
    }
}
