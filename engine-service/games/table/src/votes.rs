//! Deciding things together, for games without a game master.

use heliopause_kernel::{Seat, SeatSet};
use heliopause_proto::store::v1::{VoteCast, VoteProposed, seat_state};
use heliopause_proto::v1::{
    CloseReason, DeadlineReason, ErrorReason, GameStatus, Outcome, SeatChange, Vote, VoteState,
    VoteSubject, event,
};

use crate::play::outcome_message;
use crate::project::{Asked, Wanted};
use crate::registry::AnyGame;
use crate::status::By;
use crate::telling::Telling;
use crate::time::{DAY, Millis, span, stamp};
use crate::{Fault, Table, chain, table};

/// How long a vote stays open.
const VOTE_LASTS: Millis = 3 * DAY;
/// How many votes are remembered.
const VOTES_KEPT: usize = 100;
const EXTENSION_MAX: Millis = 30 * DAY;

/// Whose voices count in a vote.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Voices {
    /// Those of people and of automation that has a seat of its own.
    Everybody,
    /// Those of people alone.
    People,
}

/// How a game ends concerns all who play it. How it is run concerns people, who need not wait for a
/// worker.
fn voices(subject: VoteSubject) -> Voices {
    match subject {
        VoteSubject::Draw | VoteSubject::Cancel => Voices::Everybody,
        VoteSubject::Pause
        | VoteSubject::Resume
        | VoteSubject::Extend
        | VoteSubject::Replace
        | VoteSubject::Unspecified => Voices::People,
    }
}

fn has_spoken(vote: &Vote, seat: Seat) -> bool {
    [&vote.yes, &vote.no].into_iter().any(|voices| voices.contains(&seat.number()))
}

impl Table {
    pub(crate) fn propose(
        &mut self,
        by: &str,
        proposed: &VoteProposed,
        telling: &mut Telling,
    ) -> Result<(), Fault> {
        self.require_status(
            &[GameStatus::Running, GameStatus::Paused],
            "there is nothing to vote about",
        )?;
        let seat = self.seat_numbered(proposed.seat)?;
        self.require_seat(by, seat)?;
        let vote = self.checked_vote(seat, proposed, telling.now)?;
        self.state.votes_proposed = vote.number;
        if self.state.votes.len() == VOTES_KEPT {
            self.state.votes.remove(0);
        }
        let text = format!("{} proposes: {}.", self.name(seat), about(&vote));
        self.state.votes.push(vote.clone());
        telling.everyone(text, event::Body::Vote(vote.clone()));
        self.count_vote(vote.number, telling);
        Ok(())
    }

    fn checked_vote(
        &self,
        seat: Seat,
        proposed: &VoteProposed,
        now: Millis,
    ) -> Result<Vote, Fault> {
        self.require_sense(proposed)?;
        let subject = proposed.subject();
        let field = |name: &str, text: &str| Err(Fault::field(name, text));
        let target = (subject == VoteSubject::Replace).then_some(proposed.target_seat);
        let open = |vote: &&Vote| vote.state() == VoteState::Open;
        if self
            .state
            .votes
            .iter()
            .filter(open)
            .any(|vote| vote.subject() == subject && vote.seat == target)
        {
            return field(
                "subject",
                "There is an open vote about this already; cast your voice there.",
            );
        }
        let vote = Vote {
            number: self.state.votes_proposed + 1,
            subject: subject.into(),
            proposed_by: seat.number(),
            seat: target,
            extension: proposed.extension.filter(|_| subject == VoteSubject::Extend),
            yes: vec![seat.number()],
            no: Vec::new(),
            needed: 0,
            state: VoteState::Open.into(),
            expire_time: Some(stamp(now + VOTE_LASTS)),
        };
        let voters = self.voters_on(&vote);
        if self.needed(&vote, voters) > voters.len() {
            let text = "That seat's player has missed no deadline, and nobody but you has a voice \
                in this.";
            return field("target_seat", text);
        }
        Ok(vote)
    }

    /// What the vote is about can be done now.
    fn require_sense(&self, proposed: &VoteProposed) -> Result<(), Fault> {
        let subject = proposed.subject();
        let field = |name: &str, text: &str| Err(Fault::field(name, text));
        if subject != VoteSubject::Replace && proposed.target_seat != 0 {
            return field("target_seat", "Only a vote to replace a player names a seat.");
        }
        match subject {
            VoteSubject::Unspecified => return field("subject", "Say what the vote is about."),
            VoteSubject::Extend => {
                let extension = proposed.extension.as_ref().map_or(0, span);
                if !(60_000..=EXTENSION_MAX).contains(&extension) {
                    return field("extension", "An extension is between a minute and 30 days.");
                }
                if self.state.deadline.is_none() {
                    return field("subject", "There is no deadline to extend.");
                }
            }
            VoteSubject::Replace => {
                let target = self.seat_numbered(proposed.target_seat)?;
                if !self.voters(Voices::People).contains(target) {
                    return field(
                        "target_seat",
                        "Only a seat that a player holds can be opened for another.",
                    );
                }
                if self.voters(Voices::People).without(target).len() < self.least_voices(target) {
                    let text = "The player of this seat is there, and nobody else is who could \
                        agree to a replacement.";
                    return field("target_seat", text);
                }
            }
            VoteSubject::Pause => {
                self.require_status(&[GameStatus::Running], "it is paused already")?;
            }
            VoteSubject::Resume => {
                self.check_operator_pause("only the operator lets it go on")?;
                self.require_status(&[GameStatus::Paused], "it is not paused")?;
            }
            VoteSubject::Draw | VoteSubject::Cancel => {}
        }
        Ok(())
    }

    pub(crate) fn cast_vote(
        &mut self,
        by: &str,
        cast: &VoteCast,
        telling: &mut Telling,
    ) -> Result<(), Fault> {
        let seat = self.seat_numbered(cast.seat)?;
        if cast.automation.is_empty() {
            self.require_seat(by, seat)?;
        } else {
            self.require_automation(by, seat)?;
        }
        let Some(vote) = self.state.votes.iter().position(|vote| vote.number == cast.vote) else {
            let text = format!("There is no vote {}.", cast.vote);
            return Err(Fault::new(ErrorReason::NotFound, text).with("what", "vote"));
        };
        if self.state.votes[vote].state() != VoteState::Open {
            return Err(self.wrong_status("This vote is over."));
        }
        if !self.voters_on(&self.state.votes[vote]).contains(seat) {
            return Err(Fault::new(
                ErrorReason::NotYourSeat,
                "This seat has no voice in this vote.",
            ));
        }
        let vote = &mut self.state.votes[vote];
        if !cast.automation.is_empty() && has_spoken(vote, seat) {
            return Err(Fault::new(ErrorReason::LeaseLost, "This seat has voted already."));
        }
        vote.yes.retain(|&voice| voice != seat.number());
        vote.no.retain(|&voice| voice != seat.number());
        if cast.yes {
            vote.yes.push(seat.number());
        } else {
            vote.no.push(seat.number());
        }
        self.count_vote(cast.vote, telling);
        Ok(())
    }

    /// Refuses a caller who may not raise an automated seat's voice, and any voice of automation
    /// that only stands in: that voice is a player's own.
    fn require_automation(&self, by: &str, seat: Seat) -> Result<(), Fault> {
        self.require_worker(by)?;
        match self.state.seats[seat.index()].occupant {
            Some(seat_state::Occupant::Automated(_)) => Ok(()),
            _ => Err(Fault::new(ErrorReason::LeaseLost, "This seat is not automation's own.")),
        }
    }

    /// The players' seats that are still in the game, and whose voices count.
    pub(crate) fn voters(&self, voices: Voices) -> SeatSet {
        let has_voice = |seat: &Seat| match self.state.seats[seat.index()].occupant {
            Some(seat_state::Occupant::Player(_)) => true,
            Some(seat_state::Occupant::Automated(_)) => voices == Voices::Everybody,
            _ => false,
        };
        Seat::first(self.players())
            .filter(has_voice)
            .collect::<SeatSet>()
            .intersection(self.alive())
    }

    fn voters_on(&self, vote: &Vote) -> SeatSet {
        let voters = self.voters(voices(vote.subject()));
        vote.seat.and_then(Seat::numbered).map_or(voters, |target| voters.without(target))
    }

    /// How many must say yes.
    fn needed(&self, vote: &Vote, voters: SeatSet) -> usize {
        let more_than_half = voters.len() / 2 + 1;
        match vote.subject() {
            VoteSubject::Draw | VoteSubject::Cancel => voters.len(),
            VoteSubject::Replace => more_than_half.max(
                vote.seat.and_then(Seat::numbered).map_or(1, |target| self.least_voices(target)),
            ),
            VoteSubject::Pause | VoteSubject::Resume | VoteSubject::Extend => more_than_half,
            VoteSubject::Unspecified => voters.len() + 1,
        }
    }

    /// The voices that automated seats still have to raise.
    pub(crate) fn wanted_voices(&self) -> Vec<Wanted> {
        let in_play = matches!(self.status(), GameStatus::Running | GameStatus::Paused);
        let open =
            self.state.votes.iter().filter(|vote| in_play && vote.state() == VoteState::Open);
        let mut wanted = Vec::new();
        for vote in open {
            for seat in self.voters_on(vote).iter().filter(|&seat| !has_spoken(vote, seat)) {
                let state = &self.state.seats[seat.index()];
                let Some(seat_state::Occupant::Automated(by)) = &state.occupant else { continue };
                let seed = chain::vote_seed(&self.secret, seat.number(), vote.number);
                let (asked, memo) = (Asked::Vote(vote.clone()), state.memo.clone());
                wanted.push(Wanted { seat, by: by.clone(), asked, memo, seed, may_write: false });
            }
        }
        wanted
    }

    /// Counts a vote anew, carries it out if it has passed, and tells its state.
    fn count_vote(&mut self, number: u64, telling: &mut Telling) {
        let Some(index) = self.state.votes.iter().position(|vote| vote.number == number) else {
            return;
        };
        let voters = self.voters_on(&self.state.votes[index]);
        let needed = self.needed(&self.state.votes[index], voters);
        let vote = &mut self.state.votes[index];
        vote.needed = needed as u32;
        let voices = |seats: &[u32]| {
            seats.iter().filter_map(|&seat| Seat::numbered(seat)).collect::<SeatSet>()
        };
        let yes = voices(&vote.yes).intersection(voters).len();
        let no = voices(&vote.no).intersection(voters).len();
        if yes >= needed && needed > 0 {
            vote.set_state(VoteState::Passed);
        } else if voters.len() - no < needed {
            vote.set_state(VoteState::Failed);
        }
        let vote = vote.clone();
        let standing = match vote.state() {
            VoteState::Passed => "passed",
            VoteState::Failed => "failed",
            _ => "open",
        };
        let text = format!("Vote {number} ({}): {yes} of {needed}, {standing}.", about(&vote));
        telling.everyone(text, event::Body::Vote(vote.clone()));
        if vote.state() == VoteState::Passed {
            self.carry_out(&vote, telling);
        }
    }

    fn carry_out(&mut self, vote: &Vote, telling: &mut Telling) {
        match vote.subject() {
            VoteSubject::Draw => {
                let Some(game) = &self.game else { return };
                let summary = "The players agreed on a draw.".to_owned();
                self.end(
                    Outcome { summary, declared: true, ..self.drawn(&**game) },
                    CloseReason::Overtaken,
                    telling,
                );
            }
            // A pause that came in between makes these two pointless, not wrong.
            VoteSubject::Pause => drop(self.pause(true, By::Vote, telling)),
            VoteSubject::Resume => drop(self.pause(false, By::Vote, telling)),
            VoteSubject::Extend => {
                let extension = vote.extension.as_ref().map_or(0, span);
                if let Some(due) = table::at(self.state.deadline.as_ref()) {
                    self.move_deadline(Some(due + extension), DeadlineReason::Vote, telling);
                }
            }
            VoteSubject::Cancel => self.cancel(By::Vote, "", telling),
            VoteSubject::Replace => {
                if let Some(seat) = vote.seat.and_then(Seat::numbered) {
                    self.vacate(seat, None, SeatChange::Automated, telling);
                    self.fail_votes_from(vote.proposed_by, telling);
                }
            }
            VoteSubject::Unspecified => {}
        }
    }

    /// How many voices must agree to open a seat for a replacement: nobody alone puts out a player
    /// who is there.
    fn least_voices(&self, target: Seat) -> usize {
        if self.is_abandoned(target) { 1 } else { 2 }
    }

    /// A player who has another replaced must propose their votes again: no vote of theirs comes to
    /// need fewer voices.
    pub(crate) fn fail_votes_of(&mut self, player_id: &str, telling: &mut Telling) {
        if let Some(seat) = self.seat_of(player_id) {
            self.fail_votes_from(seat.number(), telling);
        }
    }

    fn fail_votes_from(&mut self, seat: u32, telling: &mut Telling) {
        for vote in &mut self.state.votes {
            if vote.proposed_by == seat && vote.state() == VoteState::Open {
                vote.set_state(VoteState::Failed);
                let text = format!(
                    "Vote {} has failed: whoever proposed it had a player replaced.",
                    vote.number
                );
                telling.everyone(text, event::Body::Vote(vote.clone()));
            }
        }
    }

    /// The outcome of a draw of all players who are still in the game. The game's own seats win
    /// nothing.
    pub(crate) fn drawn(&self, game: &dyn AnyGame) -> Outcome {
        let alive = SeatSet::first(self.players()).intersection(game.alive());
        Outcome { draw: true, ..outcome_message(&game.declared(alive)) }
    }

    /// When the first open vote lapses.
    pub(crate) fn votes_due(&self) -> Option<Millis> {
        let open = self.state.votes.iter().filter(|vote| vote.state() == VoteState::Open);
        open.filter_map(|vote| table::at(vote.expire_time.as_ref())).min()
    }

    /// Closes the votes whose time has run out: a missing voice counts as no.
    pub(crate) fn lapse_votes(&mut self, telling: &mut Telling) {
        let now = telling.now;
        self.close_votes(
            |vote| table::at(vote.expire_time.as_ref()).is_none_or(|expires| expires <= now),
            telling,
        );
    }

    /// Closes the votes that a game leaves open which is over.
    pub(crate) fn drop_votes(&mut self, telling: &mut Telling) {
        self.close_votes(|_| true, telling);
    }

    fn close_votes(&mut self, closes: impl Fn(&Vote) -> bool, telling: &mut Telling) {
        for vote in &mut self.state.votes {
            if vote.state() == VoteState::Open && closes(vote) {
                vote.set_state(VoteState::Lapsed);
                telling.everyone(
                    format!("Vote {} has lapsed.", vote.number),
                    event::Body::Vote(vote.clone()),
                );
            }
        }
    }

    /// The votes, oldest first.
    pub fn votes(&self) -> &[Vote] {
        &self.state.votes
    }
}

fn about(vote: &Vote) -> String {
    match vote.subject() {
        VoteSubject::Draw => "a draw".to_owned(),
        VoteSubject::Pause => "a pause".to_owned(),
        VoteSubject::Resume => "to go on".to_owned(),
        VoteSubject::Extend => {
            format!("{} more time", in_words(vote.extension.as_ref().map_or(0, span)))
        }
        VoteSubject::Cancel => "to cancel the game".to_owned(),
        VoteSubject::Replace => {
            format!("another player for seat {}", vote.seat.unwrap_or_default())
        }
        VoteSubject::Unspecified => String::new(),
    }
}

/// A span in the largest unit that it fills: "2 days", "90 minutes".
fn in_words(span: Millis) -> String {
    const UNITS: [(Millis, &str); 3] =
        [(DAY, "day"), (60 * 60 * 1000, "hour"), (60 * 1000, "minute")];
    let fits = |&&(length, _): &&(Millis, &str)| span % length == 0;
    let (length, name) = UNITS.iter().find(fits).unwrap_or(&UNITS[2]);
    let count = span / length;
    format!("{count} {name}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_told_in_the_largest_unit_that_it_fills() {
        let minute = 60 * 1000;
        let told =
            [1, 2, 60, 90, 120, 24 * 60, 36 * 60, 48 * 60].map(|many| in_words(many * minute));
        let words = [
            "1 minute",
            "2 minutes",
            "1 hour",
            "90 minutes",
            "2 hours",
            "1 day",
            "36 hours",
            "2 days",
        ];
        assert_eq!(told, words);
    }
}
