//! Leading a game: the acts of a game master, and the few of a playing host.

use heliopause_kernel::{Seat, SeatSet};
use heliopause_proto::store::v1::{
    GameExported, MissExcused, OutcomeDeclared, SeatAutomated, SeatGiven, StandInReason, seat_state,
};
use heliopause_proto::v1::{
    CloseReason, Exported, GameEnded, GameStatus, Outcome, SeatChange, event,
};

use crate::lobby::{because, sees_too_much};
use crate::play::{clear_stand_in, outcome_message};
use crate::status::By;
use crate::telling::Telling;
use crate::time::stamp;
use crate::{Fault, Table};

const IN_PLAY: [GameStatus; 2] = [GameStatus::Running, GameStatus::Paused];

impl Table {
    pub(crate) fn give_seat(
        &mut self,
        by: &str,
        given: &SeatGiven,
        telling: &mut Telling,
    ) -> Result<(), Fault> {
        self.require_leader(by, "replace a player")?;
        self.require_status(&IN_PLAY, "nobody needs replacing")?;
        let seat = self.player_seat(given.seat)?;
        if self.only_seat_of(by) == Some(seat) {
            return Err(Fault::field(
                "seat",
                "Your own seat is not yours to give; you may resign.",
            ));
        }
        if let Some(person) = &given.player {
            if self.is_game_master(&person.player_id) {
                return Err(sees_too_much(
                    "The game master sees everything, and so holds no seat.",
                ));
            }
            if self.seat_of(&person.player_id).is_some() {
                return Err(Fault::field("player", "This player has a seat in this game already."));
            }
            if Seat::first(self.players())
                .any(|other| other != seat && self.is_kept_for(other, &person.player_id))
            {
                return Err(Fault::field(
                    "player",
                    "A seat of this game is kept for this player already.",
                ));
            }
        }
        if !self.leads_alone(by) {
            self.check_nobody_there(seat)?;
        }
        self.vacate(seat, given.player.clone(), SeatChange::Automated, telling);
        self.fail_votes_of(by, telling);
        Ok(())
    }

    /// A host may play, by this account or another: they replace nobody who is there, and so read
    /// nobody's secrets.
    fn check_nobody_there(&self, seat: Seat) -> Result<(), Fault> {
        if self.state.seats[seat.index()].vacant || self.is_abandoned(seat) {
            return Ok(());
        }
        let text = "A host replaces only a player who has abandoned their seat; propose a vote to \
            replace this one.";
        Err(Fault::role("game-master", text))
    }

    fn player_seat(&self, number: u32) -> Result<Seat, Fault> {
        let seat = self.seat_numbered(number)?;
        if seat.index() >= self.players() {
            return Err(Fault::field("seat", format!("Only automation plays {seat}.")));
        }
        Ok(seat)
    }

    pub(crate) fn automate(
        &mut self,
        by: &str,
        set: &SeatAutomated,
        telling: &mut Telling,
    ) -> Result<(), Fault> {
        self.require_game_master(by, "automate a seat or hand it back")?;
        self.require_status(&IN_PLAY, "no seat can be automated")?;
        let seat = self.seat_numbered(set.seat)?;
        let Some(asked) = &set.by else { return self.hand_back(seat, telling) };
        let automation = self.automation(asked, seat, "by")?;
        let state = &mut self.state.seats[seat.index()];
        if let Some(seat_state::Occupant::Automated(by)) = &mut state.occupant {
            *by = automation;
        } else {
            state.stand_in = Some(automation);
            state.set_stand_in_reason(StandInReason::GameMaster);
            self.game_seat_changed(seat, heliopause_kernel::SeatChange::Abandoned, telling);
        }
        self.tell_seat(seat, SeatChange::Automated, telling);
        Ok(())
    }

    fn hand_back(&mut self, seat: Seat, telling: &mut Telling) -> Result<(), Fault> {
        let state = &mut self.state.seats[seat.index()];
        if state.stand_in.is_none() {
            return Err(Fault::field("seat", "No automation stands in for a player there."));
        }
        clear_stand_in(state);
        self.game_seat_changed(seat, heliopause_kernel::SeatChange::Taken, telling);
        self.tell_seat(seat, SeatChange::HandedBack, telling);
        Ok(())
    }

    pub(crate) fn excuse(
        &mut self,
        by: &str,
        excused: &MissExcused,
        telling: &mut Telling,
    ) -> Result<(), Fault> {
        self.require_game_master(by, "excuse a missed deadline")?;
        let seat = self.player_seat(excused.seat)?;
        let state = &mut self.state.seats[seat.index()];
        let Some(seat_state::Occupant::Player(person)) = &state.occupant else {
            return Err(Fault::field("seat", "No player holds this seat."));
        };
        if state.missed == 0 {
            return Err(Fault::field(
                "seat",
                "This seat has missed no deadline since it last ordered.",
            ));
        }
        let player = person.player_id.clone();
        state.missed -= 1;
        let penalty = std::mem::take(&mut state.last_penalty);
        if penalty != 0 {
            self.rate(seat, &player, -penalty, telling);
        }
        Ok(())
    }

    pub(crate) fn declare(
        &mut self,
        by: &str,
        declared: &OutcomeDeclared,
        telling: &mut Telling,
    ) -> Result<(), Fault> {
        self.require_game_master(by, "declare how the game ends")?;
        self.require_status(&IN_PLAY, "its end cannot be declared")?;
        if declared.reason.chars().count() > 500 || declared.reason.chars().any(char::is_control) {
            return Err(Fault::field("reason", "A reason has at most 500 printable characters."));
        }
        let seats = declared.winners.iter().map(|&number| self.player_seat(number));
        let winners: SeatSet = seats.collect::<Result<_, _>>()?;
        let game = self.game.as_ref().ok_or_else(|| self.wrong_status("Not started."))?;
        let (outcome, what) = if winners.is_empty() {
            (self.drawn(&**game), "A draw, declared by the game master")
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
            telling,
        );
        Ok(())
    }

    pub(crate) fn cancel_by_hand(&mut self, by: &str, telling: &mut Telling) -> Result<(), Fault> {
        let forming = self.status() == GameStatus::Forming;
        if !forming && !by.is_empty() {
            self.require_game_master(by, "cancel a game that has started")?;
        }
        if forming {
            self.require_leader(by, "cancel the game")?;
        }
        let over = [GameStatus::Ended, GameStatus::Cancelled];
        if over.contains(&self.status()) {
            return self.require_status(&IN_PLAY, "it is over already");
        }
        self.cancel(if by.is_empty() { By::Game } else { By::Account(by) }, "", telling);
        Ok(())
    }

    /// Ends the game without a result, and says why if there is a reason. Its seed stays secret,
    /// because it proves nothing.
    pub(crate) fn cancel(&mut self, by: By<'_>, why: &str, telling: &mut Telling) {
        self.close_all_seats(CloseReason::Overtaken, telling);
        self.drop_votes(telling);
        self.state.ended_at = Some(stamp(telling.now));
        self.state.deadline = None;
        self.state.revealing_until = None;
        self.release_held(telling);
        self.set_status_because(GameStatus::Cancelled, by, why, telling);
        self.release_ratings(telling);
        let because = because(why);
        let summary = if why.is_empty() {
            "Cancelled, without a result.".to_owned()
        } else {
            format!("Cancelled{because}.")
        };
        let outcome = Outcome { summary, declared: true, ..Outcome::default() };
        self.state.outcome = Some(outcome.clone());
        let ended = GameEnded { outcome: Some(outcome), seed: bytes::Bytes::new() };
        telling.everyone(format!("The game is cancelled{because}."), event::Body::GameEnded(ended));
    }

    pub(crate) fn note_export(
        &mut self,
        by: &str,
        exported: &GameExported,
        telling: &mut Telling,
    ) -> Result<(), Fault> {
        self.require_game_master(by, "export everything while the game runs")?;
        let position_only = exported.position_only;
        // A sandbox's owner is known by their seat, if they have one left.
        let by = match self.seat_of(by) {
            _ if self.is_game_master(by) => "the game master".to_owned(),
            Some(seat) => self.name(seat),
            None => "its owner".to_owned(),
        };
        let what = if position_only { "position" } else { "journal" };
        telling.everyone(
            format!("The game master exported the complete {what}."),
            event::Body::Exported(Exported { by, position_only }),
        );
        Ok(())
    }
}
