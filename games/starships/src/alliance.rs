//! Rule 7: war and peace, the Alliance and exile, partnerships.

use heliopause_kernel::{Seat, SeatSet};

use crate::event::{BattleEvent, StandingEvent};
use crate::judge::{Verdict, refuse};
use crate::knowledge::{Offer, SeatView};
use crate::order::{Agreement, Promise};
use crate::pieces::letter;
use crate::referee::Referee;
use crate::table::Status;

impl SeatView<'_> {
    pub(crate) fn judge_vote(&self, against: Seat, withdrawn: bool) -> Verdict {
        self.may_negotiate()?;
        self.other_player(against)?;
        let first = self.table.options.first_round_of_exile;
        if self.table.round < first {
            return refuse("too-early", "R36", format!("Exile votes start in round {first}."));
        }
        if !self.table.is_member(self.seat) {
            return refuse(
                "not-members",
                "R36",
                "Only members of the Alliance can vote for exile.",
            );
        }
        let name = letter(against);
        if !self.table.is_member(against) {
            return refuse(
                "not-members",
                "R36",
                format!("Player {name} is not a member of the Alliance: choose a member."),
            );
        }
        let stands = self.table.votes[against.index()].contains(self.seat);
        match (stands, withdrawn) {
            (true, false) => {
                refuse("voted", "R36", format!("You have already voted to exile player {name}."))
            }
            (false, true) => {
                refuse("not-voted", "R36", format!("You have not voted to exile player {name}."))
            }
            _ => Ok(()),
        }
    }

    /// Checks whether the rules allow an agreement of this kind with another player (R7, R41).
    fn may_agree(&self, with: Seat, agreement: Agreement) -> Verdict {
        self.may_negotiate()?;
        self.other_player(with)?;
        match agreement {
            Agreement::Peace if !self.table.at_war(self.seat, with) => refuse(
                "not-at-war",
                "R7",
                format!("You are not at war with player {}.", letter(with)),
            ),
            Agreement::Peace => Ok(()),
            Agreement::Partnership => self.may_partner(with),
        }
    }

    fn may_partner(&self, with: Seat) -> Verdict {
        let both = [self.seat, with];
        if both.into_iter().any(|seat| self.table.status(seat) != Some(Status::Independent)) {
            let text = format!(
                "Only two Independents can form a partnership: you or player {} is not one.",
                letter(with)
            );
            return refuse("not-independent", "R41", text);
        }
        if self.table.partner[self.seat.index()].is_some() {
            let text = "You already have a partner: end that partnership first.";
            return refuse("partnered", "R41", text);
        }
        if self.table.partner[with.index()].is_some() {
            let text = format!("Player {} already has a partner.", letter(with));
            return refuse("partnered", "R41", text);
        }
        Ok(())
    }

    pub(crate) fn judge_offer(&self, to: Seat, agreement: Agreement) -> Verdict {
        self.may_agree(to, agreement)?;
        let offers = self.own.offers(agreement);
        let (what, name) = (agreement.as_str(), letter(to));
        if offers.made.contains(to) {
            let text = format!("You have already offered {what} to player {name}.");
            return refuse("offered", "R7", text);
        }
        if offers.got.contains(to) {
            return refuse(
                "accept-instead",
                "R7",
                format!("Player {name} has already offered you {what}: accept that offer."),
            );
        }
        Ok(())
    }

    pub(crate) fn judge_accept(&self, from: Seat, agreement: Agreement) -> Verdict {
        self.may_agree(from, agreement)?;
        if self.own.offers(agreement).got.contains(from) {
            return Ok(());
        }
        let text = format!("Player {} has not offered you {}.", letter(from), agreement.as_str());
        refuse("not-offered", "R7", text)
    }

    pub(crate) fn judge_retract(&self, to: Seat, agreement: Agreement) -> Verdict {
        self.may_negotiate()?;
        if self.own.offers(agreement).made.contains(to) {
            return Ok(());
        }
        let text = format!("You have not offered {} to player {}.", agreement.as_str(), letter(to));
        refuse("not-offered", "R7", text)
    }

    /// Judges the end of a partnership (R41). Either partner can end it outside their own turn.
    pub(crate) fn judge_end_partnership(&self) -> Verdict {
        self.may_negotiate()?;
        if self.table.partner[self.seat.index()].is_some() {
            return Ok(());
        }
        refuse("no-partner", "R41", "You have no partner.")
    }
}

impl Referee<'_> {
    /// Publishes the consequences of an attack, or of an attempt on an owned planet (R7). These are
    /// war, provocation, the Axis (R2), and pledges released or broken. An attack is always public.
    /// An attempt is public only if it starts a war or provokes a player.
    pub(crate) fn act_of_war(&mut self, attacker: Seat, defender: Seat, public: bool) {
        let table = self.table();
        let unprovoked = !table.provoked_by[attacker.index()].contains(defender);
        let makes_axis = table.is_member(attacker) && unprovoked && !table.axis;
        let provokes = table.is_member(defender)
            && table.living().any(|seat| {
                seat != attacker && !table.provoked_by[seat.index()].contains(attacker)
            });
        if public || provokes || !table.at_war(attacker, defender) {
            self.publish_to_all(BattleEvent::ActOfWar { attacker, defender });
        }
        if makes_axis {
            self.publish_to_all(BattleEvent::AxisNamed { seat: attacker });
        }
        self.release_pledges(defender, attacker);
        self.break_pledges(attacker, Some(defender), |promise| promise == Promise::NoAttack);
    }

    pub(crate) fn vote(&mut self, seat: Seat, against: Seat, withdrawn: bool) {
        self.publish_to_all(StandingEvent::Voted { seat, against, withdrawn });
        if !withdrawn {
            self.break_pledges(seat, Some(against), |promise| promise == Promise::NoExileVote);
        }
        self.exile_if_voted();
    }

    /// Exiles the player on turn if two members vote for it (R36).
    pub(crate) fn exile_if_voted(&mut self) {
        let table = self.table();
        let (seat, round) = (table.active, table.round);
        if table.is_member(seat) && table.votes[seat.index()].len() >= 2 {
            self.publish_to_all(StandingEvent::StatusChanged {
                seat,
                status: Status::Exiled { round },
            });
        }
    }

    pub(crate) fn offer(&mut self, from: Seat, to: Seat, agreement: Agreement, retracted: bool) {
        self.publish_to_seats(
            SeatSet::one(from).with(to),
            StandingEvent::Offered { offer: Offer { from, to, agreement }, retracted },
        );
    }

    pub(crate) fn accept(&mut self, seat: Seat, from: Seat, agreement: Agreement) {
        match agreement {
            Agreement::Peace => {
                self.publish_to_all(BattleEvent::PeaceMade { first: from, second: seat });
            }
            Agreement::Partnership => {
                self.publish_to_all(StandingEvent::PartnershipMade { first: from, second: seat });
            }
        }
    }

    pub(crate) fn end_partnership(&mut self, seat: Seat) {
        if let Some(partner) = self.table().partner[seat.index()] {
            self.publish_to_all(StandingEvent::PartnershipEnded { first: seat, second: partner });
        }
    }
}
