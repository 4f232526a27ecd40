//! Branches: who may branch which view of a game, and what a branch starts with.
//!
//! **Invariant.** A branch of a running game contains nothing that its owner's view does not show.
//! [`Table::branch_viewer`] chooses the view, and everything else follows from the view.

use heliopause_kernel::{Seat, Viewer};
use heliopause_proto::v1::{
    AnalysisOrigin, AutomatedSeat, ErrorReason, GameStatus, SandboxAutomation,
};

use crate::registry::LEVELS;
use crate::{Fault, Table};

impl Table {
    /// Returns where the game starts if it is a branch of another game.
    pub fn analysis(&self) -> Option<&AnalysisOrigin> {
        self.created().sandbox.as_ref()?.origin.as_ref()
    }

    /// Returns the viewer whose view a player may branch, or the reason why there is none.
    pub fn branch_viewer(
        &self,
        player_id: &str,
        seat: Option<u32>,
        revealed: bool,
    ) -> Result<Viewer, Fault> {
        if self.analysis().is_some() {
            // Only the owner sees a branch.
            return Ok(Viewer::GameMaster);
        }
        if self.is_sandbox() {
            let text = "A sandbox game cannot be branched; copy it with CloneSandboxGame.";
            return Err(Fault::field("game_id", text));
        }
        let allowed = [GameStatus::Running, GameStatus::Paused, GameStatus::Ended];
        self.require_status(&allowed, "it cannot be branched")?;
        if self.status() == GameStatus::Ended {
            // With the true state, the seat only says which seat the owner will play.
            return self.past_viewer(player_id, seat.filter(|_| !revealed), false, revealed);
        }
        if self.created().no_analysis {
            let text =
                "The game was created with `no_analysis`: it can be branched once it is over.";
            return Err(Fault::new(ErrorReason::AnalysisOff, text).with("option", "no_analysis"));
        }
        match self.past_viewer(player_id, seat, false, revealed)? {
            Viewer::Spectator => {
                let text = "Spectators can branch a game once it is over.";
                Err(Fault::new(ErrorReason::NotYourSeat, text))
            }
            viewer => Ok(viewer),
        }
    }

    /// Returns the seat that the owner of a branch mainly plays: that of the branched view, the
    /// named one, that of the branch from which it is made, or the player's own.
    pub fn branch_seat(
        &self,
        player_id: &str,
        viewer: Viewer,
        seat: Option<u32>,
    ) -> Result<Option<Seat>, Fault> {
        match (viewer, seat) {
            (Viewer::Seat(own), _) => Ok(Some(own)),
            (Viewer::Spectator | Viewer::GameMaster, Some(number)) => {
                self.seat_numbered(number).map(Some)
            }
            (Viewer::Spectator | Viewer::GameMaster, None) => {
                let before = self.analysis().and_then(|origin| origin.seat);
                let before = before.and_then(Seat::numbered);
                Ok(before.or_else(|| self.only_seat_of(player_id)))
            }
        }
    }

    /// Returns the seats of a branch that automation plays: those that belong to the game itself
    /// and, with a level, all except `own`.
    pub fn branch_automation(
        &self,
        own: Option<Seat>,
        level: &str,
    ) -> Result<Vec<SandboxAutomation>, Fault> {
        if !level.is_empty() && !LEVELS.contains(&level) {
            let known = LEVELS.join(", ");
            let text = format!("{level:?} is not a level; expected one of {known}.");
            return Err(Fault::field("automation_level", text));
        }
        if !level.is_empty() && own.is_none() {
            let text = "Name the seat that you play; automation plays all others.";
            return Err(Fault::field("seat", text));
        }
        let seats = Seat::first(self.roles.len()).zip(&self.roles);
        let automated = seats.filter(|(seat, role)| {
            Some(*seat) != own && (role.always_automated || !level.is_empty())
        });
        let automation = |(seat, _): (Seat, _)| SandboxAutomation {
            seat: seat.number(),
            automation: Some(AutomatedSeat { level: level.to_owned(), ..AutomatedSeat::default() }),
        };
        Ok(automated.map(automation).collect())
    }

    /// Returns the names of all seats, as they appear in sentences.
    pub fn names(&self) -> Vec<String> {
        self.all_names()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::begun;

    fn reason(answer: Result<Viewer, Fault>) -> ErrorReason {
        answer.expect_err("a refusal").reason
    }

    #[test]
    fn players_branch_only_the_view_of_their_seat_while_the_game_runs() {
        let (table, _) = begun("star-empires", None);
        let own = table.seat_of("ann").expect("a seat");
        let other = table.seat_of("bob").expect("a seat").number();
        assert_eq!(table.branch_viewer("ann", None, false), Ok(Viewer::Seat(own)));
        assert_eq!(
            reason(table.branch_viewer("ann", Some(other), false)),
            ErrorReason::NotYourSeat
        );
        assert_eq!(reason(table.branch_viewer("ann", None, true)), ErrorReason::RoleConflict);
        assert_eq!(reason(table.branch_viewer("eve", None, false)), ErrorReason::NotYourSeat);
    }

    #[test]
    fn the_option_forbids_branches_until_the_game_is_over() {
        let (mut table, _) = begun("star-empires", None);
        table.state.created.as_mut().expect("it was created").no_analysis = true;
        let refused = table.branch_viewer("ann", None, false).expect_err("a refusal");
        assert_eq!(refused.reason, ErrorReason::AnalysisOff);
        assert!(refused.message.contains("no_analysis"));
        table.state.set_status(GameStatus::Ended);
        let own = table.seat_of("ann").expect("a seat");
        assert_eq!(table.branch_viewer("ann", None, false), Ok(Viewer::Seat(own)));
        assert_eq!(table.branch_viewer("eve", Some(1), true), Ok(Viewer::GameMaster));
    }

    #[test]
    fn automation_plays_the_other_seats_on_request() {
        let (table, _) = begun("star-empires", None);
        let own = table.seat_of("ann");
        let seats = |level: &str, own| -> Result<Vec<u32>, Fault> {
            let automated = table.branch_automation(own, level)?;
            Ok(automated.iter().map(|one| one.seat).collect())
        };
        let other = table.seat_of("bob").expect("a seat").number();
        assert_eq!(seats("", own), Ok(Vec::new()));
        assert_eq!(seats("strong", own), Ok(vec![other]));
        let field = |answer: Result<Vec<u32>, Fault>| answer.expect_err("a refusal").field;
        assert_eq!(field(seats("divine", own)).as_deref(), Some("automation_level"));
        assert_eq!(field(seats("strong", None)).as_deref(), Some("seat"));
    }
}
