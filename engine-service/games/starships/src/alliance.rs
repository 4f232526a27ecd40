//! Rule 7: war and peace, the Alliance and exile, partnerships.

use heliopause_kernel::{Seat, SeatSet};

use crate::event::{BattleEvent, StandingEvent};
use crate::judge::{Verdict, refuse};
use crate::knowledge::{Eyes, Offer};
use crate::order::{Agreement, Promise};
use crate::referee::Referee;
use crate::table::Status;

impl Eyes<'_> {
    /// R36: members vote, outside their own turns, from the first round of exile on.
    pub(crate) fn judge_vote(&self, against: Seat, withdrawn: bool) -> Verdict {
        self.may_negotiate()?;
        self.other_player(against)?;
        let first = self.table.options.first_round_of_exile;
        if self.table.round < first {
            return refuse(
                "too-early",
                "R36",
                format!("Votes for exile are possible from round {first} on."),
            );
        }
        if !self.table.is_member(self.seat) || !self.table.is_member(against) {
            return refuse(
                "not-members",
                "R36",
                "Only members of the Alliance vote, and only against members.",
            );
        }
        let stands = self.table.votes[against.index()].contains(self.seat);
        match (stands, withdrawn) {
            (true, false) => refuse("voted", "R36", "Your vote stands already."),
            (false, true) => refuse("not-voted", "R36", "You have no vote to withdraw."),
            _ => Ok(()),
        }
    }

    /// R7, R41: what may be agreed on with whom.
    fn may_agree(&self, with: Seat, agreement: Agreement) -> Verdict {
        self.may_negotiate()?;
        self.other_player(with)?;
        match agreement {
            Agreement::Peace if !self.table.at_war(self.seat, with) => {
                refuse("not-at-war", "R7", "You are not at war with that player.")
            }
            Agreement::Peace => Ok(()),
            Agreement::Partnership => self.may_partner(with),
        }
    }

    /// R41: two Independents without a partner.
    fn may_partner(&self, with: Seat) -> Verdict {
        let both = [self.seat, with];
        if both.into_iter().any(|seat| self.table.status(seat) != Some(Status::Independent)) {
            return refuse("not-independent", "R41", "A partnership is for two Independents.");
        }
        if both.into_iter().any(|seat| self.table.partner[seat.index()].is_some()) {
            return refuse("partnered", "R41", "One of you has a partner already.");
        }
        Ok(())
    }

    /// Offers of peace and partnership.
    pub(crate) fn judge_offer(&self, to: Seat, agreement: Agreement) -> Verdict {
        self.may_agree(to, agreement)?;
        let offers = self.own.offers(agreement);
        if offers.made.contains(to) {
            return refuse("offered", "R7", "Your offer stands already.");
        }
        if offers.got.contains(to) {
            return refuse("accept-instead", "R7", "That player has offered it to you: accept it.");
        }
        Ok(())
    }

    /// Acceptances of what was offered.
    pub(crate) fn judge_accept(&self, from: Seat, agreement: Agreement) -> Verdict {
        self.may_agree(from, agreement)?;
        if self.own.offers(agreement).got.contains(from) {
            return Ok(());
        }
        refuse("not-offered", "R7", "That player has not offered it to you.")
    }

    /// An offer can be taken back until it is accepted.
    pub(crate) fn judge_retract(&self, to: Seat, agreement: Agreement) -> Verdict {
        self.may_negotiate()?;
        if self.own.offers(agreement).made.contains(to) {
            return Ok(());
        }
        refuse("not-offered", "R7", "You have no such offer to take back.")
    }

    /// R41: either partner ends a partnership, outside their own turn.
    pub(crate) fn judge_end_partnership(&self) -> Verdict {
        self.may_negotiate()?;
        if self.table.partner[self.seat.index()].is_some() {
            return Ok(());
        }
        refuse("no-partner", "R41", "You have no partner.")
    }
}

impl Referee<'_> {
    /// R7: an attack, or an attempt on an owned planet: war, provocation, and for a member perhaps
    /// the Axis (R2). An attempt that changes none of these is not public.
    pub(crate) fn act_of_war(&mut self, attacker: Seat, defender: Seat, public: bool) {
        let table = self.table();
        let unprovoked = !table.provoked_by[attacker.index()].contains(defender);
        let makes_axis = table.is_member(attacker) && unprovoked && !table.axis;
        let provokes = table.is_member(defender)
            && table.living().any(|seat| {
                seat != attacker && !table.provoked_by[seat.index()].contains(attacker)
            });
        if public || provokes || !table.at_war(attacker, defender) {
            self.announce(BattleEvent::ActOfWar { attacker, defender });
        }
        if makes_axis {
            self.announce(BattleEvent::AxisNamed { seat: attacker });
        }
        self.release_from_word(defender, attacker);
        self.break_pledges(attacker, Some(defender), |promise| promise == Promise::NoAttack);
    }

    /// R36: sets or withdraws a vote.
    pub(crate) fn vote(&mut self, seat: Seat, against: Seat, withdrawn: bool) {
        self.announce(StandingEvent::Voted { seat, against, withdrawn });
        if !withdrawn {
            self.break_pledges(seat, Some(against), |promise| promise == Promise::NoExileVote);
        }
        self.exile_if_voted();
    }

    /// R36: with two votes standing, the member whose turn it is is exiled.
    pub(crate) fn exile_if_voted(&mut self) {
        let table = self.table();
        let (seat, round) = (table.active, table.round);
        if table.is_member(seat) && table.votes[seat.index()].len() >= 2 {
            self.announce(StandingEvent::StatusChanged { seat, status: Status::Exiled { round } });
        }
    }

    /// Makes an offer, or takes it back; only the two know.
    pub(crate) fn offer(&mut self, from: Seat, to: Seat, agreement: Agreement, retracted: bool) {
        self.confide(
            SeatSet::one(from).with(to),
            StandingEvent::Offered { offer: Offer { from, to, agreement }, retracted },
        );
    }

    /// Makes peace or a partnership out of an offer.
    pub(crate) fn accept(&mut self, seat: Seat, from: Seat, agreement: Agreement) {
        match agreement {
            Agreement::Peace => self.announce(BattleEvent::PeaceMade { first: from, second: seat }),
            Agreement::Partnership => {
                self.announce(StandingEvent::PartnershipMade { first: from, second: seat });
            }
        }
    }

    /// R41: ends a partnership.
    pub(crate) fn end_partnership(&mut self, seat: Seat) {
        if let Some(partner) = self.table().partner[seat.index()] {
            self.announce(StandingEvent::PartnershipEnded { first: seat, second: partner });
        }
    }
}
