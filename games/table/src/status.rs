//! The status of a game, and the events of status and deadline changes.

use heliopause_proto::v1::{DeadlineReason, GameStatus, StatusActor, StatusChanged, event};

use crate::Table;
use crate::effects::Effects;
use crate::lobby::because;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum By<'a> {
    Game,
    Account(&'a str),
    Vote,
    Operator,
}

impl Table {
    pub(crate) fn set_status(&mut self, status: GameStatus, by: By<'_>, effects: &mut Effects) {
        self.set_status_because(status, by, "", effects);
    }

    pub(crate) fn set_status_because(
        &mut self,
        status: GameStatus,
        by: By<'_>,
        why: &str,
        effects: &mut Effects,
    ) {
        self.state.set_status(status);
        let because = because(why);
        let (actor, player) = self.changer(by);
        let by = by_whom(actor, &player);
        let text = match status {
            GameStatus::Forming => "The table is open.".to_owned(),
            GameStatus::Revealing => "The players reveal their entropy for the dice.".to_owned(),
            GameStatus::Running if self.state.paused_at.is_some() => {
                format!("The game is resumed{by}.")
            }
            GameStatus::Running => "The game starts.".to_owned(),
            GameStatus::Paused => format!("The game is paused{by}{because}."),
            GameStatus::Cancelled => format!("The game is canceled{by}{because}."),
            GameStatus::Ended | GameStatus::Unspecified => "The game is over.".to_owned(),
        };
        let changed = StatusChanged { status: status.into(), actor: actor.into(), player };
        effects.everyone(text, event::Body::StatusChanged(changed));
    }

    fn changer(&self, by: By<'_>) -> (StatusActor, String) {
        let account = match by {
            By::Game => return (StatusActor::Game, String::new()),
            By::Vote => return (StatusActor::Vote, String::new()),
            By::Operator => return (StatusActor::Operator, String::new()),
            By::Account(account) => account,
        };
        if self.is_game_master(account) {
            return (StatusActor::GameMaster, String::new());
        }
        if let Some(seat) = self.seat_of(account) {
            return (StatusActor::Player, self.name(seat));
        }
        let owner = self.is_sandbox_owner(account);
        (if owner { StatusActor::Owner } else { StatusActor::Host }, String::new())
    }
}

fn by_whom(actor: StatusActor, player: &str) -> String {
    match actor {
        StatusActor::Unspecified | StatusActor::Game => String::new(),
        StatusActor::Player => format!(" by {player}"),
        StatusActor::Host => " by the host".to_owned(),
        StatusActor::GameMaster => " by the game master".to_owned(),
        StatusActor::Vote => " by a vote".to_owned(),
        StatusActor::Operator => " by the operator".to_owned(),
        StatusActor::Owner => " by its owner".to_owned(),
    }
}

pub(crate) fn deadline_words(reason: DeadlineReason) -> &'static str {
    match reason {
        DeadlineReason::Unspecified => "changed",
        DeadlineReason::PhaseOpened => "a phase opened",
        DeadlineReason::ClockGoesOn => "the clock resumes",
        DeadlineReason::Grace => "grace for late orders",
        DeadlineReason::Extended => "extended for missing orders",
        DeadlineReason::Held => "waiting for missing orders",
        DeadlineReason::Automated => "automation takes the missing seats",
        DeadlineReason::Vacation => "vacation",
        DeadlineReason::Vote => "extended by vote",
        DeadlineReason::PauseOver => "the pause is over",
        DeadlineReason::AutomationResumed => "automation is awake again",
        DeadlineReason::GameMaster => "set by the game master",
        DeadlineReason::ClockCorrected => "the engine's clock was wrong",
    }
}
