//! Rule 7, R13: pledges of Alliance members, and how the pledges are made, broken and settled.

use heliopause_kernel::{Seat, SeatSet};

use crate::board::{Place, Places};
use crate::death_star::one_of;
use crate::event::{StandingEvent, TurnEvent, WordEvent};
use crate::judge::{Verdict, refuse};
use crate::knowledge::{Owed, Pledge, SeatView};
use crate::order::Promise;
use crate::pieces::{Serial, ShipId, letter};
use crate::referee::Referee;
use crate::table::{Breach, Resume, Stage};

impl SeatView<'_> {
    pub(crate) fn judge_pledge(&self, to: Seat, promise: Promise, until: u8) -> Verdict {
        self.may_negotiate()?;
        self.other_player(to)?;
        if !self.table.is_member(self.seat) {
            return refuse("not-members", "7", "Only members of the Alliance can give their word.");
        }
        if !self.table.is_member(to) {
            let name = letter(to);
            let text =
                format!("Player {name} is not a member of the Alliance: choose another member.");
            return refuse("not-members", "7", text);
        }
        let last = self.table.options.last_round_with_death_star;
        if !(self.table.round..=last).contains(&until) {
            return refuse(
                "no-such-round",
                "R13",
                format!("The round must be from {} to {last}, not {until}.", self.table.round),
            );
        }
        match promise {
            Promise::GivePlanet(at) if !self.own.planets.contains(at) => {
                refuse("not-yours", "R13", format!("{at} is not your planet."))
            }
            Promise::NoAttack
            | Promise::GivePlanet(_)
            | Promise::KeepOut(_)
            | Promise::NoExileVote => Ok(()),
        }
    }

    pub(crate) fn judge_choose_ship(&self, ship: ShipId) -> Verdict {
        let breaker = self
            .owed(|owed| if let Owed::ChooseShip(breaker) = owed { Some(breaker) } else { None })?;
        if ship.owner == breaker && self.table.ship(ship).is_some() {
            return Ok(());
        }
        refuse(
            "no-such-starship",
            "R13",
            format!("Choose a starship of player {}; {ship} is not one.", letter(breaker)),
        )
    }

    pub(crate) fn judge_choose_planet(&self, at: Place) -> Verdict {
        let planets = self.owed(|owed| match owed {
            Owed::ChoosePlanet(breaker) => Some(self.transferable(breaker)),
            Owed::CedePlanet(_) => Some(self.transferable(self.seat)),
            Owed::Fire(_)
            | Owed::Sacrifice(_)
            | Owed::ChooseShip(_)
            | Owed::Zones { .. }
            | Owed::Growth { .. } => None,
        })?;
        if planets.contains(at) {
            return Ok(());
        }
        refuse(
            "no-such-planet",
            "R13",
            format!("{at} cannot be transferred; choose {}.", one_of(planets)),
        )
    }

    /// Returns the planets that this seat has seen in the possession of a player, except those
    /// under a base (R13).
    pub(crate) fn transferable(&self, breaker: Seat) -> Places {
        Place::all()
            .filter(|&at| self.owner(at) == Some(breaker) && !self.table.has_settled_base(at))
            .collect()
    }
}

impl Referee<'_> {
    /// Makes a pledge, visible only to the two players (rule 7). Making the same pledge twice has
    /// no effect. A pledge not to vote for exile withdraws the giver's vote against the receiver.
    pub(crate) fn pledge(&mut self, giver: Seat, receiver: Seat, promise: Promise, until: u8) {
        let pledge = Pledge { giver, receiver, promise, until, planet_given: false };
        if promise == Promise::NoExileVote && self.table().votes[receiver.index()].contains(giver) {
            self.publish_to_all(StandingEvent::Voted {
                seat: giver,
                against: receiver,
                withdrawn: true,
            });
        }
        self.publish_to_seats(SeatSet::one(giver).with(receiver), WordEvent::Pledged { pledge });
    }

    fn pledges_of(&self, giver: Seat) -> Vec<Pledge> {
        self.game.secrets.own[giver.index()]
            .pledges
            .iter()
            .filter(|pledge| pledge.giver == giver)
            .copied()
            .collect()
    }

    /// Breaks the giver's pledges whose promise `broken` selects (R13). Without a `receiver`,
    /// breaks those to all players.
    pub(crate) fn break_pledges(
        &mut self,
        giver: Seat,
        receiver: Option<Seat>,
        broken: impl Fn(Promise) -> bool,
    ) {
        if self.game.secrets.own[giver.index()].pledges.is_empty() {
            return;
        }
        for pledge in self.pledges_of(giver) {
            if broken(pledge.promise) && receiver.is_none_or(|receiver| receiver == pledge.receiver)
            {
                self.publish_to_all(WordEvent::PledgeBroken { pledge });
            }
        }
    }

    /// Releases a giver from pledges to a receiver who attacks the giver (R13).
    pub(crate) fn release_pledges(&mut self, giver: Seat, receiver: Seat) {
        for pledge in self.pledges_of(giver) {
            if pledge.receiver == receiver {
                self.publish_to_seats(
                    SeatSet::one(giver).with(receiver),
                    WordEvent::PledgeEnded { pledge },
                );
            }
        }
    }

    pub(crate) fn judge_pledges_at_end_of_round(&mut self) {
        let round = self.table().round;
        for giver in self.table().seats() {
            for pledge in self.pledges_of(giver).into_iter().filter(|pledge| pledge.until <= round)
            {
                let broken = match pledge.promise {
                    Promise::GivePlanet(at) => {
                        pledge.planet_given || self.game.secrets.owners[at.index()] == Some(giver)
                    }
                    Promise::NoAttack | Promise::KeepOut(_) | Promise::NoExileVote => false,
                };
                if broken {
                    self.publish_to_all(WordEvent::PledgeBroken { pledge });
                } else {
                    self.publish_to_seats(
                        SeatSet::one(giver).with(pledge.receiver),
                        WordEvent::PledgeEnded { pledge },
                    );
                }
            }
        }
    }

    /// Settles broken pledges in order until a player must choose (R13). Resumes play after the
    /// last pledge.
    pub(crate) fn settle_breaches(&mut self, resume: Resume) {
        while let Some(&breach) = self.table().broken.first() {
            if self.asks_for_starship(breach, resume) || self.asks_for_planet(breach, resume) {
                return;
            }
            self.publish_to_all(WordEvent::BreachSettled {
                breaker: breach.breaker,
                offended: breach.offended,
            });
            if self.has_ended() {
                return;
            }
        }
        match resume {
            Resume::Turn => self.enter(Stage::Turn),
            Resume::EndOfRound => {
                self.enter(Stage::Turn);
                self.after_round();
            }
        }
    }

    /// Transfers the breaker's only starship, or asks the offended player to choose one. Returns
    /// whether a player must choose.
    fn asks_for_starship(&mut self, breach: Breach, resume: Resume) -> bool {
        let ships: Vec<ShipId> =
            self.table().ships_of(breach.breaker).map(|ship| ship.id).collect();
        match ships[..] {
            [] => false,
            [only] => {
                self.transfer_ship(only, breach.offended);
                false
            }
            _ => {
                self.enter(Stage::Breach { planet: false, resume });
                self.ask(breach.offended, Owed::ChooseShip(breach.breaker));
                true
            }
        }
    }

    /// Transfers a planet of the breaker. If there is a choice, the offended player chooses among
    /// the planets that they have seen. The breaker chooses if they have seen none. Returns whether
    /// a player must choose.
    fn asks_for_planet(&mut self, breach: Breach, resume: Resume) -> bool {
        let known = self.game.seat_view(breach.offended).transferable(breach.breaker);
        let (planets, chooser, owed) = if known.is_empty() {
            let all = self.game.seat_view(breach.breaker).transferable(breach.breaker);
            (all, breach.breaker, Owed::CedePlanet(breach.offended))
        } else {
            (known, breach.offended, Owed::ChoosePlanet(breach.breaker))
        };
        if planets.len() > 1 {
            self.enter(Stage::Breach { planet: true, resume });
            self.ask(chooser, owed);
            return true;
        }
        if let Some(only) = planets.iter().next() {
            self.transfer_planet(breach, only);
        }
        false
    }

    pub(crate) fn ask(&mut self, seat: Seat, owed: Owed) {
        self.publish_to_seat(seat, TurnEvent::Asked { seat, pending_decision: Some(owed) });
    }

    pub(crate) fn answered(&mut self, seat: Seat) {
        self.publish_to_seat(seat, TurnEvent::Asked { seat, pending_decision: None });
    }

    fn transfer_ship(&mut self, from: ShipId, to: Seat) {
        let at = self.table().ship(from).map(|ship| ship.at);
        let to = ShipId { owner: to, serial: Serial(self.table().next_serial[to.index()]) };
        self.publish_to_all(WordEvent::Transferred { from, to });
        if let Some(at) = at {
            self.see(to.owner, at);
        }
    }

    fn transfer_planet(&mut self, breach: Breach, at: Place) {
        self.update_planet_pledges(breach.breaker, at, breach.offended, false);
        self.take_planet(at, breach.offended);
    }

    fn repair(&self) -> Option<(Breach, Resume)> {
        match (self.table().stage, self.table().broken.first()) {
            (Stage::Breach { resume, .. }, Some(&breach)) => Some((breach, resume)),
            _ => None,
        }
    }

    pub(crate) fn choose_ship(&mut self, seat: Seat, ship: ShipId) {
        let Some((breach, resume)) = self.repair() else { return };
        self.answered(seat);
        self.transfer_ship(ship, breach.offended);
        if !self.asks_for_planet(breach, resume) {
            self.finish_repair(breach, resume);
        }
    }

    pub(crate) fn choose_planet(&mut self, seat: Seat, at: Option<Place>) {
        let Some((breach, resume)) = self.repair() else { return };
        self.answered(seat);
        if let Some(at) = at {
            self.transfer_planet(breach, at);
        }
        self.finish_repair(breach, resume);
    }

    fn finish_repair(&mut self, breach: Breach, resume: Resume) {
        self.publish_to_all(WordEvent::BreachSettled {
            breaker: breach.breaker,
            offended: breach.offended,
        });
        if !self.has_ended() {
            self.settle_breaches(resume);
        }
    }
}
