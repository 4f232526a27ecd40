//! Rule 7, R13: the word of an Alliance member: giving it, breaking it, and making it good.

use heliopause_kernel::{Seat, SeatSet};

use crate::board::{Place, Places};
use crate::event::{StandingEvent, TurnEvent, WordEvent};
use crate::judge::{Verdict, refuse};
use crate::knowledge::{Eyes, Owed, Pledge};
use crate::order::Promise;
use crate::pieces::{Serial, ShipId};
use crate::referee::Referee;
use crate::table::{Breach, Resume, Stage};

impl Eyes<'_> {
    /// 7: a member gives their word to another member, outside their own turn.
    pub(crate) fn judge_pledge(&self, to: Seat, promise: Promise, until: u8) -> Verdict {
        self.may_negotiate()?;
        self.other_player(to)?;
        if !self.table.is_member(self.seat) || !self.table.is_member(to) {
            return refuse(
                "not-members",
                "7",
                "Members of the Alliance give their word to members.",
            );
        }
        let last = self.table.options.last_round_with_death_star;
        if !(self.table.round..=last).contains(&until) {
            return refuse(
                "no-such-round",
                "R13",
                format!("Name a round from {} to {last}.", self.table.round),
            );
        }
        match promise {
            Promise::GivePlanet(at) if !self.own.planets.contains(at) => {
                refuse("not-yours", "R13", format!("{at} is no planet of yours."))
            }
            Promise::NoAttack
            | Promise::GivePlanet(_)
            | Promise::KeepOut(_)
            | Promise::NoExileVote => Ok(()),
        }
    }

    /// R13: the starship is the offended player's choice.
    pub(crate) fn judge_choose_ship(&self, ship: ShipId) -> Verdict {
        let breaker = self
            .owed(|owed| if let Owed::ChooseShip(breaker) = owed { Some(breaker) } else { None })?;
        if ship.owner == breaker && self.table.ship(ship).is_some() {
            return Ok(());
        }
        refuse("no-such-starship", "R13", format!("{ship} is no starship of the breaker."))
    }

    /// R13: the planet is chosen among those that the chooser knows to be the breaker's.
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
            format!("{at} is no planet that can be transferred, as far as you know."),
        )
    }

    /// R13: planets that this seat knows to be the breaker's; one under a base is never
    /// transferred.
    pub(crate) fn transferable(&self, breaker: Seat) -> Places {
        Place::all()
            .filter(|&at| self.owner(at) == Some(breaker) && !self.table.has_settled_base(at))
            .collect()
    }
}

impl Referee<'_> {
    /// 7: a word is given; only the two know. Giving it twice is giving it once. A vote for exile
    /// that stands is withdrawn by the word not to vote so.
    pub(crate) fn pledge(&mut self, giver: Seat, receiver: Seat, promise: Promise, until: u8) {
        let pledge = Pledge { giver, receiver, promise, until, strayed: false };
        if promise == Promise::NoExileVote && self.table().votes[receiver.index()].contains(giver) {
            self.announce(StandingEvent::Voted { seat: giver, against: receiver, withdrawn: true });
        }
        self.confide(SeatSet::one(giver).with(receiver), WordEvent::Pledged { pledge });
    }

    fn pledges_of(&self, giver: Seat) -> Vec<Pledge> {
        self.game.secrets.own[giver.index()]
            .pledges
            .iter()
            .filter(|pledge| pledge.giver == giver)
            .copied()
            .collect()
    }

    /// R13: breaks every word of this kind that the giver gave (to one receiver). Public, and
    /// thereby settled.
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
                self.announce(WordEvent::PledgeBroken { pledge });
            }
        }
    }

    /// R13: a word lapses when its receiver attacks its giver.
    pub(crate) fn release_from_word(&mut self, giver: Seat, receiver: Seat) {
        for pledge in self.pledges_of(giver) {
            if pledge.receiver == receiver {
                self.confide(SeatSet::one(giver).with(receiver), WordEvent::PledgeEnded { pledge });
            }
        }
    }

    /// R13: at the end of a round, pledges that ran until then are judged.
    pub(crate) fn judge_pledges_at_end_of_round(&mut self) {
        let round = self.table().round;
        for giver in self.table().seats() {
            for pledge in self.pledges_of(giver).into_iter().filter(|pledge| pledge.until <= round)
            {
                let broken = match pledge.promise {
                    Promise::GivePlanet(at) => {
                        pledge.strayed || self.game.secrets.owners[at.index()] == Some(giver)
                    }
                    Promise::NoAttack | Promise::KeepOut(_) | Promise::NoExileVote => false,
                };
                if broken {
                    self.announce(WordEvent::PledgeBroken { pledge });
                } else {
                    self.confide(
                        SeatSet::one(giver).with(pledge.receiver),
                        WordEvent::PledgeEnded { pledge },
                    );
                }
            }
        }
    }

    /// R13: makes broken words good, one after the other, as far as nobody has to choose.
    pub(crate) fn make_good(&mut self, resume: Resume) {
        while let Some(&breach) = self.table().broken.first() {
            if self.asks_for_starship(breach, resume) || self.asks_for_planet(breach, resume) {
                return;
            }
            self.announce(WordEvent::BreachSettled {
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

    /// The starship: the offended player is asked if there are several.
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
                self.enter(Stage::Word { planet: false, resume });
                self.ask(breach.offended, Owed::ChooseShip(breach.breaker));
                true
            }
        }
    }

    /// The planet: the offended player is asked if they know several, the breaker if the offended
    /// player knows none.
    fn asks_for_planet(&mut self, breach: Breach, resume: Resume) -> bool {
        let known = self.game.eyes(breach.offended).transferable(breach.breaker);
        let (planets, chooser, owed) = if known.is_empty() {
            let all = self.game.eyes(breach.breaker).transferable(breach.breaker);
            (all, breach.breaker, Owed::CedePlanet(breach.offended))
        } else {
            (known, breach.offended, Owed::ChoosePlanet(breach.breaker))
        };
        if planets.len() > 1 {
            self.enter(Stage::Word { planet: true, resume });
            self.ask(chooser, owed);
            return true;
        }
        if let Some(only) = planets.iter().next() {
            self.transfer_planet(breach, only);
        }
        false
    }

    pub(crate) fn ask(&mut self, seat: Seat, owed: Owed) {
        self.whisper(seat, TurnEvent::Asked { seat, owes: Some(owed) });
    }

    pub(crate) fn answered(&mut self, seat: Seat) {
        self.whisper(seat, TurnEvent::Asked { seat, owes: None });
    }

    fn transfer_ship(&mut self, from: ShipId, to: Seat) {
        let at = self.table().ship(from).map(|ship| ship.at);
        let to = ShipId { owner: to, serial: Serial(self.table().next_serial[to.index()]) };
        self.announce(WordEvent::Transferred { from, to });
        if let Some(at) = at {
            self.see(to.owner, at);
        }
    }

    fn transfer_planet(&mut self, breach: Breach, at: Place) {
        self.follow_planet_pledges(breach.breaker, at, breach.offended, false);
        self.take_planet(at, breach.offended);
    }

    /// The breach under repair, and what comes after it.
    fn repair(&self) -> Option<(Breach, Resume)> {
        match (self.table().stage, self.table().broken.first()) {
            (Stage::Word { resume, .. }, Some(&breach)) => Some((breach, resume)),
            _ => None,
        }
    }

    /// The starship was chosen.
    pub(crate) fn choose_ship(&mut self, seat: Seat, ship: ShipId) {
        let Some((breach, resume)) = self.repair() else { return };
        self.answered(seat);
        self.transfer_ship(ship, breach.offended);
        if !self.asks_for_planet(breach, resume) {
            self.finish_repair(breach, resume);
        }
    }

    /// The planet was chosen; nothing, if there was none to choose.
    pub(crate) fn choose_planet(&mut self, seat: Seat, at: Option<Place>) {
        let Some((breach, resume)) = self.repair() else { return };
        self.answered(seat);
        if let Some(at) = at {
            self.transfer_planet(breach, at);
        }
        self.finish_repair(breach, resume);
    }

    fn finish_repair(&mut self, breach: Breach, resume: Resume) {
        self.announce(WordEvent::BreachSettled {
            breaker: breach.breaker,
            offended: breach.offended,
        });
        if !self.has_ended() {
            self.make_good(resume);
        }
    }
}
