//! Actions of the server's operator on any game.
//!
//! The steps do not name the operator. The journal is for the players, and the operator's name is
//! in the log.

use heliopause_proto::store::v1::{OperatorAct, OperatorActed, seat_state};
use heliopause_proto::v1::GameStatus;

use crate::effects::Effects;
use crate::status::By;
use crate::time::stamp;
use crate::{Fault, Table};

const WHY_CHARS: usize = 500;

impl Table {
    pub(crate) fn operate(
        &mut self,
        acted: &OperatorActed,
        effects: &mut Effects,
    ) -> Result<(), Fault> {
        match acted.act() {
            OperatorAct::Unspecified => Err(Fault::field("act", "Choose the operator's action.")),
            OperatorAct::Paused => self.pause_by_operator(checked(&acted.why)?, effects),
            OperatorAct::Resumed => self.resume_by_operator(effects),
            OperatorAct::Cancelled => {
                let why = checked(&acted.why)?;
                self.require_not_over()?;
                self.cancel(By::Operator, why, effects);
                Ok(())
            }
        }
    }

    fn pause_by_operator(&mut self, why: &str, effects: &mut Effects) -> Result<(), Fault> {
        self.check_operator_pause("resume it before pausing it again")?;
        self.require_status(&[GameStatus::Running, GameStatus::Paused], "it cannot be paused")?;
        why.clone_into(&mut self.state.operator_pause);
        self.state.paused_at.get_or_insert(stamp(effects.now));
        self.set_status_because(GameStatus::Paused, By::Operator, why, effects);
        Ok(())
    }

    fn resume_by_operator(&mut self, effects: &mut Effects) -> Result<(), Fault> {
        if self.state.operator_pause.is_empty() {
            let text = "No operator has paused the game.";
            return Err(self.wrong_status(text));
        }
        self.require_status(&[GameStatus::Paused], "it cannot resume")?;
        self.state.operator_pause.clear();
        self.pause(false, By::Operator, effects)
    }

    pub(crate) fn check_operator_pause(&self, what: &str) -> Result<(), Fault> {
        let why = &self.state.operator_pause;
        if why.is_empty() || self.status() != GameStatus::Paused {
            return Ok(());
        }
        let text = format!("The operator of the server has paused the game ({why}): {what}.");
        Err(self.wrong_status(text))
    }

    pub(crate) fn host_banned(
        &mut self,
        player_id: &str,
        effects: &mut Effects,
    ) -> Result<(), Fault> {
        self.require_not_over()?;
        let forming = self.status() == GameStatus::Forming;
        if player_id.is_empty()
            || self.leader_id() != player_id
            || (!forming && self.has_other_players(player_id))
        {
            return Err(self
                .wrong_status("The game has other players, or a different game master or host."));
        }
        if !self.pass_forming_game(player_id) {
            self.cancel(By::Operator, "its host is banned", effects);
        }
        Ok(())
    }

    /// Makes the first other player in a seat the host of a game that has not started. Returns
    /// false if there is no such player, or if `player_id` is not the host.
    pub(crate) fn pass_forming_game(&mut self, player_id: &str) -> bool {
        if self.status() != GameStatus::Forming || !self.is_host(player_id) {
            return false;
        }
        let next = self.state.seats.iter().find_map(|seat| match &seat.occupant {
            Some(seat_state::Occupant::Player(person)) if person.player_id != player_id => {
                Some(person.clone())
            }
            _ => None,
        });
        let Some(next) = next else { return false };
        self.state.host = Some(next);
        true
    }

    pub(crate) fn has_other_players(&self, player_id: &str) -> bool {
        self.state.seats.iter().any(|seat| {
            matches!(&seat.occupant, Some(seat_state::Occupant::Player(person)) if person.player_id != player_id)
        })
    }

    pub(crate) fn is_over(&self) -> bool {
        matches!(self.status(), GameStatus::Ended | GameStatus::Cancelled)
    }

    pub(crate) fn require_not_over(&self) -> Result<(), Fault> {
        let before =
            [GameStatus::Forming, GameStatus::Revealing, GameStatus::Running, GameStatus::Paused];
        self.require_status(&before, "it cannot be changed")
    }
}

fn checked(why: &str) -> Result<&str, Fault> {
    let why = why.trim();
    if why.is_empty() || why.chars().count() > WHY_CHARS || why.chars().any(char::is_control) {
        let text = format!(
            "Give the reason in 1 to {WHY_CHARS} printable characters; everyone in the game can \
             read it."
        );
        return Err(Fault::field("why", text));
    }
    Ok(why)
}
