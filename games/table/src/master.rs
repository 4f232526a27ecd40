//! Actions of a game master, and the few allowed to a playing host.
//!
//! A host may also play, possibly with a second account that the engine cannot recognize. So a
//! host's actions must not harm an active player. A host can replace only players who abandoned
//! their seats. A pace set by a host takes effect only after all players could see it, within the
//! bounds set at creation. A host can set a deadline only to correct one that a wrong clock caused.

use heliopause_kernel::{Seat, SeatSet};
use heliopause_proto::store::v1::{
    GameExported, MissExcused, OutcomeDeclared, SeatAutomated, SeatGiven, StandInReason, seat_state,
};
use heliopause_proto::v1::{
    CloseReason, Exported, GameEnded, GameStatus, Outcome, SeatChange, event,
};

use crate::effects::Effects;
use crate::lobby::{because, sees_too_much};
use crate::play::{clear_stand_in, outcome_message};
use crate::status::By;
use crate::time::stamp;
use crate::{Fault, Table};

const IN_PLAY: [GameStatus; 2] = [GameStatus::Running, GameStatus::Paused];

impl Table {
    pub(crate) fn give_seat(
        &mut self,
        by: &str,
        given: &SeatGiven,
        effects: &mut Effects,
    ) -> Result<(), Fault> {
        self.require_leader(by, "replace a player")?;
        self.require_status(&IN_PLAY, "no player can be replaced")?;
        let seat = self.player_seat(given.seat)?;
        if self.only_seat_of(by) == Some(seat) {
            let text = "You cannot give away your own seat; resign instead.";
            return Err(Fault::field("seat", text));
        }
        if let Some(person) = &given.player {
            if self.is_game_master(&person.player_id) {
                return Err(sees_too_much(
                    "The game master sees everything and cannot have a seat.",
                ));
            }
            if self.seat_of(&person.player_id).is_some() {
                return Err(Fault::field("player", "This player already has a seat in this game."));
            }
            if Seat::first(self.players())
                .any(|other| other != seat && self.is_kept_for(other, &person.player_id))
            {
                let text = "A seat of this game is already reserved for this player.";
                return Err(Fault::field("player", text));
            }
        }
        if !self.leads_without_playing(by) {
            self.check_abandoned(seat)?;
        }
        self.vacate(seat, given.player.clone(), SeatChange::Automated, effects);
        self.fail_votes_of(by, effects);
        Ok(())
    }

    /// Checks that a seat is vacant or abandoned. Otherwise a playing host could take over an
    /// active player's seat and read its secrets.
    fn check_abandoned(&self, seat: Seat) -> Result<(), Fault> {
        if self.state.seats[seat.index()].vacant || self.is_abandoned(seat) {
            return Ok(());
        }
        let text = "A host can replace only players who have abandoned their seats; propose a vote \
            instead.";
        Err(Fault::role("game-master", text))
    }

    fn player_seat(&self, number: u32) -> Result<Seat, Fault> {
        let seat = self.seat_numbered(number)?;
        if seat.index() >= self.players() {
            let players = self.players();
            let text = format!("Only automation plays {seat}; players have seats 1 to {players}.");
            return Err(Fault::field("seat", text));
        }
        Ok(seat)
    }

    pub(crate) fn automate(
        &mut self,
        by: &str,
        set: &SeatAutomated,
        effects: &mut Effects,
    ) -> Result<(), Fault> {
        self.require_game_master(by, "automate a seat or hand it back")?;
        self.require_status(&IN_PLAY, "no seat can be automated")?;
        let seat = self.seat_numbered(set.seat)?;
        let Some(asked) = &set.by else { return self.hand_back(seat, effects) };
        let automation = self.automation(asked, seat, "by")?;
        let state = &mut self.state.seats[seat.index()];
        if let Some(seat_state::Occupant::Automated(by)) = &mut state.occupant {
            *by = automation;
        } else {
            state.stand_in = Some(automation);
            state.set_stand_in_reason(StandInReason::GameMaster);
            self.game_seat_changed(seat, heliopause_kernel::SeatChange::Abandoned, effects);
        }
        self.publish_seat(seat, SeatChange::Automated, effects);
        Ok(())
    }

    fn hand_back(&mut self, seat: Seat, effects: &mut Effects) -> Result<(), Fault> {
        let state = &mut self.state.seats[seat.index()];
        if state.stand_in.is_none() {
            let text = format!("No automation stands in for a player in {seat}.");
            return Err(Fault::field("seat", text));
        }
        clear_stand_in(state);
        self.game_seat_changed(seat, heliopause_kernel::SeatChange::Taken, effects);
        self.publish_seat(seat, SeatChange::HandedBack, effects);
        Ok(())
    }

    pub(crate) fn excuse(
        &mut self,
        by: &str,
        excused: &MissExcused,
        effects: &mut Effects,
    ) -> Result<(), Fault> {
        self.require_game_master(by, "excuse a missed deadline")?;
        let seat = self.player_seat(excused.seat)?;
        let state = &mut self.state.seats[seat.index()];
        let Some(seat_state::Occupant::Player(person)) = &state.occupant else {
            return Err(Fault::field("seat", format!("There is no player in {seat} to excuse.")));
        };
        if state.missed == 0 {
            return Err(Fault::field(
                "seat",
                format!("The player in {seat} has not missed a deadline since their last orders."),
            ));
        }
        let player = person.player_id.clone();
        state.missed -= 1;
        let penalty = std::mem::take(&mut state.last_penalty);
        if penalty != 0 {
            self.rate(seat, &player, -penalty, effects);
        }
        Ok(())
    }

    pub(crate) fn declare(
        &mut self,
        by: &str,
        declared: &OutcomeDeclared,
        effects: &mut Effects,
    ) -> Result<(), Fault> {
        self.require_game_master(by, "declare how the game ends")?;
        self.require_status(&IN_PLAY, "its end cannot be declared")?;
        let length = declared.reason.chars().count();
        if length > 500 {
            let text = format!("The reason has {length} characters; the maximum is 500.");
            return Err(Fault::field("reason", text));
        }
        if declared.reason.chars().any(char::is_control) {
            return Err(Fault::field("reason", "A reason cannot contain control characters."));
        }
        let seats = declared.winners.iter().map(|&number| self.player_seat(number));
        let winners: SeatSet = seats.collect::<Result<_, _>>()?;
        let game = self.playing()?;
        let (outcome, what) = if winners.is_empty() {
            (self.drawn(game), "A draw, declared by the game master")
        } else {
            (outcome_message(&game.declared(winners)), "Declared by the game master")
        };
        let reason = if declared.reason.is_empty() {
            String::new()
        } else {
            format!(": {}", declared.reason)
        };
        self.end(
            Outcome { summary: format!("{what}{reason}."), declared: true, ..outcome },
            CloseReason::GameMaster,
            effects,
        );
        Ok(())
    }

    pub(crate) fn cancel_manually(&mut self, by: &str, effects: &mut Effects) -> Result<(), Fault> {
        let forming = self.status() == GameStatus::Forming;
        if !forming && !by.is_empty() {
            self.require_game_master(by, "cancel a game that has started")?;
        }
        if forming {
            self.require_leader(by, "cancel the game")?;
        }
        let over = [GameStatus::Ended, GameStatus::Cancelled];
        if over.contains(&self.status()) {
            return self.require_status(&IN_PLAY, "it cannot be canceled");
        }
        self.cancel(if by.is_empty() { By::Game } else { By::Account(by) }, "", effects);
        Ok(())
    }

    /// Ends the game without a result. Does not publish the seed, because there is no result to
    /// prove.
    pub(crate) fn cancel(&mut self, by: By<'_>, why: &str, effects: &mut Effects) {
        self.close_all_seats(CloseReason::Superseded, effects);
        self.drop_votes(effects);
        self.state.ended_at = Some(stamp(effects.now));
        self.state.deadline = None;
        self.state.revealing_until = None;
        self.release_held(effects);
        self.set_status_because(GameStatus::Cancelled, by, why, effects);
        self.release_ratings(effects);
        let because = because(why);
        let summary = if why.is_empty() {
            "Canceled without a result.".to_owned()
        } else {
            format!("Canceled{because}.")
        };
        let outcome = Outcome { summary, declared: true, ..Outcome::default() };
        self.state.outcome = Some(outcome.clone());
        let ended = GameEnded { outcome: Some(outcome), seed: bytes::Bytes::new() };
        effects.everyone(format!("The game is canceled{because}."), event::Body::GameEnded(ended));
    }

    pub(crate) fn note_export(
        &mut self,
        by: &str,
        exported: &GameExported,
        effects: &mut Effects,
    ) -> Result<(), Fault> {
        self.require_game_master(by, "export everything while the game is running")?;
        let position_only = exported.position_only;
        let by = match self.seat_of(by) {
            _ if self.is_game_master(by) => "the game master".to_owned(),
            Some(seat) => self.name(seat),
            None => "its owner".to_owned(),
        };
        let what = if position_only { "position" } else { "journal" };
        effects.everyone(
            format!("The game master exported the complete {what}."),
            event::Body::Exported(Exported { by, position_only }),
        );
        Ok(())
    }
}
