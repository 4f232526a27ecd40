//! Votes of the players, for games without a game master.

use heliopause_kernel::{Seat, SeatSet};
use heliopause_proto::store::v1::{VoteCast, VoteProposed, seat_state};
use heliopause_proto::v1::{
    CloseReason, DeadlineReason, ErrorReason, GameStatus, Outcome, SeatChange, Vote, VoteState,
    VoteSubject, event,
};

use crate::effects::Effects;
use crate::play::outcome_message;
use crate::project::{AutomationTask, TaskKind};
use crate::registry::AnyGame;
use crate::status::By;
use crate::time::{DAY, Millis, at, in_seconds, span, stamp};
use crate::{Fault, Table, chain};

const VOTE_DURATION: Millis = 3 * DAY;
const VOTES_MAX: usize = 100;
const EXTENSION_MAX: Millis = 30 * DAY;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Voices {
    /// People, and automation with its own seat.
    Everybody,
    People,
}

/// Returns who may vote on a subject. All seats of players vote on how a game ends. Only people
/// vote on how it is run, so that those votes need not wait for a worker.
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

fn has_voted(vote: &Vote, seat: Seat) -> bool {
    [&vote.yes, &vote.no].into_iter().any(|voices| voices.contains(&seat.number()))
}

impl Table {
    pub(crate) fn propose(
        &mut self,
        by: &str,
        proposed: &VoteProposed,
        effects: &mut Effects,
    ) -> Result<(), Fault> {
        self.require_status(&[GameStatus::Running, GameStatus::Paused], "no vote can be proposed")?;
        let seat = self.seat_numbered(proposed.seat)?;
        self.require_seat(by, seat)?;
        let vote = self.checked_vote(seat, proposed, effects.now)?;
        self.state.votes_proposed = vote.number;
        if self.state.votes.len() == VOTES_MAX {
            self.state.votes.remove(0);
        }
        let text = format!("{} proposes: {}.", self.name(seat), about(&vote));
        self.state.votes.push(vote.clone());
        effects.everyone(text, event::Body::Vote(vote.clone()));
        self.count_vote(vote.number, effects);
        Ok(())
    }

    fn checked_vote(
        &self,
        seat: Seat,
        proposed: &VoteProposed,
        now: Millis,
    ) -> Result<Vote, Fault> {
        self.require_possible(proposed)?;
        let subject = proposed.subject();
        let field = |name: &str, text: &str| Err(Fault::field(name, text));
        let target = (subject == VoteSubject::Replace).then_some(proposed.target_seat);
        let open = |vote: &&Vote| vote.state() == VoteState::Open;
        let same = |vote: &&Vote| vote.subject() == subject && vote.seat == target;
        if let Some(vote) = self.state.votes.iter().filter(open).find(same) {
            let text = format!(
                "Vote {} on this subject is already open; cast your vote in that one.",
                vote.number
            );
            return field("subject", &text);
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
            expire_time: Some(stamp(now + VOTE_DURATION)),
        };
        let voters = self.voters_on(&vote);
        if self.needed(&vote, voters) > voters.len() {
            let text = "Replacing an active player needs two votes, but only you can vote.";
            return field("target_seat", text);
        }
        Ok(vote)
    }

    fn require_possible(&self, proposed: &VoteProposed) -> Result<(), Fault> {
        let subject = proposed.subject();
        let field = |name: &str, text: &str| Err(Fault::field(name, text));
        if subject != VoteSubject::Replace && proposed.target_seat != 0 {
            return field("target_seat", "Only a vote to replace a player can have a target seat.");
        }
        match subject {
            VoteSubject::Unspecified => return field("subject", "Choose the subject of the vote."),
            VoteSubject::Extend => {
                let extension = proposed.extension.as_ref().map_or(0, span);
                if !(60_000..=EXTENSION_MAX).contains(&extension) {
                    let found = in_seconds(extension);
                    let text = format!("An extension must be 1 minute to 30 days, not {found}.");
                    return field("extension", &text);
                }
                if self.state.deadline.is_none() {
                    return field("subject", "The phase does not have a deadline to extend.");
                }
            }
            VoteSubject::Replace => {
                let target = self.seat_numbered(proposed.target_seat)?;
                if !self.voters(Voices::People).contains(target) {
                    let text = format!("There is no active player in {target} to replace.");
                    return field("target_seat", &text);
                }
                let voters = self.voters(Voices::People).without(target).len();
                let needed = self.minimum_votes(target);
                if voters < needed {
                    let text = format!(
                        "Replacing the player in {target} needs {needed} votes; players who can \
                         vote: {voters}."
                    );
                    return field("target_seat", &text);
                }
            }
            VoteSubject::Pause => {
                self.require_status(&[GameStatus::Running], "there is nothing to pause")?;
            }
            VoteSubject::Resume => {
                self.check_operator_pause("only the operator can resume it")?;
                self.require_status(&[GameStatus::Paused], "there is nothing to resume")?;
            }
            VoteSubject::Draw | VoteSubject::Cancel => {}
        }
        Ok(())
    }

    pub(crate) fn cast_vote(
        &mut self,
        by: &str,
        cast: &VoteCast,
        effects: &mut Effects,
    ) -> Result<(), Fault> {
        let seat = self.seat_numbered(cast.seat)?;
        if cast.automation.is_empty() {
            self.require_seat(by, seat)?;
        } else {
            self.require_automation(by, seat)?;
        }
        let Some(vote) = self.state.votes.iter().position(|vote| vote.number == cast.vote) else {
            let text = format!("Vote {} does not exist.", cast.vote);
            return Err(Fault::new(ErrorReason::NotFound, text).with("what", "vote"));
        };
        if self.state.votes[vote].state() != VoteState::Open {
            return Err(self.wrong_status(format!("Vote {} is over.", cast.vote)));
        }
        if !self.voters_on(&self.state.votes[vote]).contains(seat) {
            let text = format!("Seat {} cannot take part in vote {}.", cast.seat, cast.vote);
            return Err(Fault::new(ErrorReason::NotYourSeat, text));
        }
        let vote = &mut self.state.votes[vote];
        if !cast.automation.is_empty() && has_voted(vote, seat) {
            let text = format!("Seat {} has already voted in vote {}.", cast.seat, cast.vote);
            return Err(Fault::new(ErrorReason::LeaseLost, text));
        }
        vote.yes.retain(|&voice| voice != seat.number());
        vote.no.retain(|&voice| voice != seat.number());
        if cast.yes {
            vote.yes.push(seat.number());
        } else {
            vote.no.push(seat.number());
        }
        self.count_vote(cast.vote, effects);
        Ok(())
    }

    /// Checks that a worker may vote for a seat. A stand-in may not cast a player's vote.
    fn require_automation(&self, by: &str, seat: Seat) -> Result<(), Fault> {
        self.require_worker(by)?;
        if let Some(seat_state::Occupant::Automated(_)) = self.state.seats[seat.index()].occupant {
            Ok(())
        } else {
            let text = format!("Automation does not vote for {seat}.");
            Err(Fault::new(ErrorReason::LeaseLost, text))
        }
    }

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

    fn needed(&self, vote: &Vote, voters: SeatSet) -> usize {
        let more_than_half = voters.len() / 2 + 1;
        match vote.subject() {
            VoteSubject::Draw | VoteSubject::Cancel => voters.len(),
            VoteSubject::Replace => more_than_half.max(
                vote.seat.and_then(Seat::numbered).map_or(1, |target| self.minimum_votes(target)),
            ),
            VoteSubject::Pause | VoteSubject::Resume | VoteSubject::Extend => more_than_half,
            VoteSubject::Unspecified => voters.len() + 1,
        }
    }

    pub(crate) fn pending_votes(&self) -> Vec<AutomationTask> {
        let in_play = matches!(self.status(), GameStatus::Running | GameStatus::Paused);
        let open =
            self.state.votes.iter().filter(|vote| in_play && vote.state() == VoteState::Open);
        let mut wanted = Vec::new();
        for vote in open {
            for seat in self.voters_on(vote).iter().filter(|&seat| !has_voted(vote, seat)) {
                let state = &self.state.seats[seat.index()];
                let Some(seat_state::Occupant::Automated(by)) = &state.occupant else { continue };
                let seed = chain::vote_seed(&self.secret, seat.number(), vote.number);
                let (kind, memo) = (TaskKind::Vote(vote.clone()), state.memo.clone());
                wanted.push(AutomationTask {
                    seat,
                    by: by.clone(),
                    kind,
                    memo,
                    seed,
                    may_write: false,
                });
            }
        }
        wanted
    }

    fn count_vote(&mut self, number: u64, effects: &mut Effects) {
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
        let result = match vote.state() {
            VoteState::Passed => "passed",
            VoteState::Failed => "failed",
            _ => "open",
        };
        let text = format!("Vote {number} ({}): {yes} of {needed}, {result}.", about(&vote));
        effects.everyone(text, event::Body::Vote(vote.clone()));
        if vote.state() == VoteState::Passed {
            self.apply_vote(&vote, effects);
        }
    }

    fn apply_vote(&mut self, vote: &Vote, effects: &mut Effects) {
        match vote.subject() {
            VoteSubject::Draw => {
                let Some(game) = &self.game else { return };
                let summary = "The players agreed on a draw.".to_owned();
                self.end(
                    Outcome { summary, declared: true, ..self.drawn(&**game) },
                    CloseReason::Superseded,
                    effects,
                );
            }
            // Ignore errors, because the game may have been paused or resumed meanwhile.
            VoteSubject::Pause => drop(self.pause(true, By::Vote, effects)),
            VoteSubject::Resume => drop(self.pause(false, By::Vote, effects)),
            VoteSubject::Extend => {
                let extension = vote.extension.as_ref().map_or(0, span);
                if let Some(due) = at(self.state.deadline.as_ref()) {
                    self.move_deadline(Some(due + extension), DeadlineReason::Vote, effects);
                }
            }
            VoteSubject::Cancel => self.cancel(By::Vote, "", effects),
            VoteSubject::Replace => {
                if let Some(seat) = vote.seat.and_then(Seat::numbered) {
                    self.vacate(seat, None, SeatChange::Automated, effects);
                    self.fail_votes_from(vote.proposed_by, effects);
                }
            }
            VoteSubject::Unspecified => {}
        }
    }

    /// Returns the minimum number of votes to replace a player. One player alone cannot remove an
    /// active player.
    fn minimum_votes(&self, target: Seat) -> usize {
        if self.is_abandoned(target) { 1 } else { 2 }
    }

    /// Fails the open proposals of a leader who replaces a player, because they would now need
    /// fewer votes to pass.
    pub(crate) fn fail_votes_of(&mut self, player_id: &str, effects: &mut Effects) {
        if let Some(seat) = self.seat_of(player_id) {
            self.fail_votes_from(seat.number(), effects);
        }
    }

    fn fail_votes_from(&mut self, seat: u32, effects: &mut Effects) {
        for vote in &mut self.state.votes {
            if vote.proposed_by == seat && vote.state() == VoteState::Open {
                vote.set_state(VoteState::Failed);
                let text = format!("Vote {} has failed: its proposer was replaced.", vote.number);
                effects.everyone(text, event::Body::Vote(vote.clone()));
            }
        }
    }

    /// Returns a draw between all players still in the game. The game's own seats win nothing.
    pub(crate) fn drawn(&self, game: &dyn AnyGame) -> Outcome {
        let alive = SeatSet::first(self.players()).intersection(game.alive());
        Outcome { draw: true, ..outcome_message(&game.declared(alive)) }
    }

    pub(crate) fn votes_due(&self) -> Option<Millis> {
        let open = self.state.votes.iter().filter(|vote| vote.state() == VoteState::Open);
        open.filter_map(|vote| at(vote.expire_time.as_ref())).min()
    }

    /// Closes votes whose time is over, as expired. A missing vote counts as no.
    pub(crate) fn close_expired_votes(&mut self, effects: &mut Effects) {
        let now = effects.now;
        self.close_votes(
            |vote| at(vote.expire_time.as_ref()).is_none_or(|expires| expires <= now),
            effects,
        );
    }

    pub(crate) fn drop_votes(&mut self, effects: &mut Effects) {
        self.close_votes(|_| true, effects);
    }

    fn close_votes(&mut self, closes: impl Fn(&Vote) -> bool, effects: &mut Effects) {
        for vote in &mut self.state.votes {
            if vote.state() == VoteState::Open && closes(vote) {
                vote.set_state(VoteState::Expired);
                effects.everyone(
                    format!("Vote {} has expired.", vote.number),
                    event::Body::Vote(vote.clone()),
                );
            }
        }
    }

    pub fn votes(&self) -> &[Vote] {
        &self.state.votes
    }
}

fn about(vote: &Vote) -> String {
    match vote.subject() {
        VoteSubject::Draw => "a draw".to_owned(),
        VoteSubject::Pause => "a pause".to_owned(),
        VoteSubject::Resume => "to resume the game".to_owned(),
        VoteSubject::Extend => {
            format!("{} more time", format_span(vote.extension.as_ref().map_or(0, span)))
        }
        VoteSubject::Cancel => "to cancel the game".to_owned(),
        VoteSubject::Replace => {
            format!("another player for seat {}", vote.seat.unwrap_or_default())
        }
        VoteSubject::Unspecified => String::new(),
    }
}

fn format_span(span: Millis) -> String {
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
    fn spans_use_the_largest_unit_that_fits() {
        let minute = 60 * 1000;
        let formatted =
            [1, 2, 60, 90, 120, 24 * 60, 36 * 60, 48 * 60].map(|many| format_span(many * minute));
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
        assert_eq!(formatted, words);
    }
}
