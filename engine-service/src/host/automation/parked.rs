//! Decisions that no worker can answer: the operator is told, and the rules' defaults stand in, so
//! that no game hangs on a bot.

use std::sync::Arc;

use heliopause_kernel::Seat;
use heliopause_proto::store::v1::{DecisionDefaulted, Step, step};
use heliopause_table::Fault;

use super::book::{Failed, Key, Parked};
use super::{Automation, Host};
use crate::seldom::seldom;

impl Automation {
    /// The decisions that nobody here can answer, oldest first.
    pub(crate) fn parked(&self) -> Vec<Parked> {
        self.book().parked()
    }

    /// How many they are.
    pub(crate) fn count_parked(&self) -> u64 {
        self.book().count_parked()
    }

    /// Has all workers asked again about a parked decision; says whether it was parked.
    pub(crate) fn retry_parked(&self, game_id: &str, seat: Seat, vote: u64) -> bool {
        let key = Key { game_id: game_id.to_owned(), seat, vote };
        let retried = self.book().retry(&key);
        self.assign();
        retried
    }

    /// The consequence when answers of a worker failed too often.
    pub(super) fn settle_failed(&self, failed: Failed, why: &str) {
        if failed == Failed::Parked {
            seldom!(
                warn,
                why,
                "no worker can answer a decision; `cli-client admin parked` lists it"
            );
            self.default_parked();
        }
        self.assign();
    }

    /// Has the defaults decide parked decisions in phases without a deadline.
    pub(super) fn default_parked(&self) {
        let Some(host) = self.host.upgrade() else { return };
        let stuck: Vec<Parked> = {
            let book = self.book();
            let decisions = book.parked().into_iter().filter(|parked| parked.key.vote == 0);
            decisions.filter(|parked| book.is_stuck(&parked.key.game_id)).collect()
        };
        for parked in stuck {
            let host = Arc::clone(&host);
            crate::lasting::spawn(async move {
                let waits =
                    host.peek(&parked.key.game_id, heliopause_table::Table::has_deadline).await;
                if !matches!(waits, Ok(false)) {
                    return;
                }
                match host.default_decision(&parked).await {
                    Ok(()) => tracing::warn!(
                        game_id = parked.key.game_id,
                        seat = parked.key.seat.number(),
                        "the defaults decided what no worker could answer"
                    ),
                    // Others are asked at the same time, or it was decided in between.
                    Err(fault) => {
                        tracing::debug!(game_id = parked.key.game_id, %fault, "the defaults do not \
                            decide");
                    }
                }
            });
        }
    }
}

impl Host {
    /// Has the rules' defaults decide a seat's open decisions.
    pub(crate) async fn default_decision(&self, parked: &Parked) -> Result<(), Fault> {
        let seat = parked.key.seat.number();
        let given = DecisionDefaulted { seat, phase: parked.phase, revision: parked.revision };
        let kind = Some(step::Kind::DecisionDefaulted(given));
        self.take(&parked.key.game_id, Step { kind, ..Step::default() }).await.map(|_| ())
    }
}
