//! Decisions that no worker can answer. If they block a game without a deadline, the engine applies
//! the rules' defaults.

use std::sync::Arc;

use heliopause_kernel::Seat;
use heliopause_proto::store::v1::{DecisionDefaulted, Step, step};
use heliopause_table::Fault;

use super::lease_table::{Failed, Key, Parked};
use super::{Automation, Host};
use crate::log_throttle::throttled;

impl Automation {
    /// Makes a parked decision or vote pending again. Returns `false` if it was not parked.
    pub(crate) fn retry_parked(&self, game_id: &str, seat: Seat, vote: u64) -> bool {
        let key = Key { game_id: game_id.to_owned(), seat, vote };
        let retried = self.lease_table().retry(&key);
        self.assign();
        retried
    }

    pub(super) fn settle_failed(&self, failed: Failed, why: &str) {
        if failed == Failed::Parked {
            throttled!(
                warn,
                why,
                "no worker can answer a decision; `cli-client admin parked` lists it"
            );
            self.default_parked();
        }
        self.assign();
    }

    pub(super) fn default_parked(&self) {
        let Some(host) = self.host.upgrade() else { return };
        let stuck: Vec<Parked> = {
            let lease_table = self.lease_table();
            let decisions = lease_table.parked().into_iter().filter(|parked| parked.key.vote == 0);
            decisions.filter(|parked| lease_table.is_stuck(&parked.key.game_id)).collect()
        };
        for parked in stuck {
            let host = Arc::clone(&host);
            crate::background::spawn(async move {
                let waits =
                    host.peek(&parked.key.game_id, heliopause_table::Table::has_deadline).await;
                if !matches!(waits, Ok(false)) {
                    return;
                }
                match host.default_decision(&parked).await {
                    Ok(()) => tracing::warn!(
                        game_id = parked.key.game_id,
                        seat = parked.key.seat.number(),
                        "the defaults were applied; no worker could answer"
                    ),
                    // Another engine has applied the defaults, or the decision is no longer open.
                    Err(fault) => {
                        tracing::debug!(game_id = parked.key.game_id, %fault, "the defaults could not be applied");
                    }
                }
            });
        }
    }
}

impl Host {
    pub(crate) async fn default_decision(&self, parked: &Parked) -> Result<(), Fault> {
        let seat = parked.key.seat.number();
        let given = DecisionDefaulted { seat, phase: parked.phase, revision: parked.revision };
        let kind = Some(step::Kind::DecisionDefaulted(given));
        self.take(&parked.key.game_id, Step { kind, ..Step::default() }).await.map(|_| ())
    }
}
