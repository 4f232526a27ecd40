//! The acts of the server's operator on any game.

use heliopause_proto::store::v1::{OperatorAct, OperatorActed, seat_state};
use heliopause_proto::v1::GameStatus;

use crate::status::By;
use crate::telling::Telling;
use crate::time::stamp;
use crate::{Fault, Table};

/// How long a reason may be.
const WHY_CHARS: usize = 500;

impl Table {
    pub(crate) fn operate(
        &mut self,
        acted: &OperatorActed,
        telling: &mut Telling,
    ) -> Result<(), Fault> {
        match acted.act() {
            OperatorAct::Unspecified => Err(Fault::field("act", "Say what the operator does.")),
            OperatorAct::Paused => self.pause_by_operator(checked(&acted.why)?, telling),
            OperatorAct::Resumed => self.resume_by_operator(telling),
            OperatorAct::Cancelled => {
                let why = checked(&acted.why)?;
                self.require_not_over()?;
                self.cancel(By::Operator, why, telling);
                Ok(())
            }
        }
    }

    fn pause_by_operator(&mut self, why: &str, telling: &mut Telling) -> Result<(), Fault> {
        self.check_operator_pause("it is paused already")?;
        self.require_status(&[GameStatus::Running, GameStatus::Paused], "it cannot be paused")?;
        why.clone_into(&mut self.state.operator_pause);
        self.state.paused_at.get_or_insert(stamp(telling.now));
        self.set_status_because(GameStatus::Paused, By::Operator, why, telling);
        Ok(())
    }

    fn resume_by_operator(&mut self, telling: &mut Telling) -> Result<(), Fault> {
        if self.state.operator_pause.is_empty() {
            let text = "No operator has paused the game.";
            return Err(self.wrong_status(text));
        }
        self.require_status(&[GameStatus::Paused], "it does not go on")?;
        self.state.operator_pause.clear();
        self.pause(false, By::Operator, telling)
    }

    /// Refuses acts that must wait until the operator resumes the game.
    pub(crate) fn check_operator_pause(&self, what: &str) -> Result<(), Fault> {
        let why = &self.state.operator_pause;
        if why.is_empty() || self.status() != GameStatus::Paused {
            return Ok(());
        }
        let text = format!("The operator of the server has paused the game ({why}): {what}.");
        Err(self.wrong_status(text))
    }

    /// The account that leads the game was banned: a game that nobody else plays is cancelled.
    pub(crate) fn host_banned(
        &mut self,
        player_id: &str,
        telling: &mut Telling,
    ) -> Result<(), Fault> {
        self.require_not_over()?;
        if player_id.is_empty() || self.led_by() != player_id || self.is_played_without(player_id) {
            return Err(self.wrong_status("Others play the game."));
        }
        self.cancel(By::Operator, "its host is banned", telling);
        Ok(())
    }

    /// Whether somebody plays besides an account.
    pub(crate) fn is_played_without(&self, player_id: &str) -> bool {
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
        self.require_status(&before, "it is over already")
    }
}

fn checked(why: &str) -> Result<&str, Fault> {
    let why = why.trim();
    if why.is_empty() || why.chars().count() > WHY_CHARS || why.chars().any(char::is_control) {
        let text = format!(
            "Say why, in 1 to {WHY_CHARS} printable characters: all who are in the game read it."
        );
        return Err(Fault::field("why", text));
    }
    Ok(why)
}
