//! Rounds: batches of a game's steps.

use std::sync::Arc;

use heliopause_proto::store::v1::{Step, Ticked, step};
use heliopause_proto::v1::ErrorReason;
use heliopause_table::{AppliedStep, DecisionState, Fault, Table, unhashed};

use super::live::{Done, QueuedStep, Reply, decision_states};
use super::loading::stored_entry;
use super::{Host, RARE, Result};
use crate::random;
use crate::store::{Millis, Quota, QuotaViolation, StoreError};

/// The maximum number of due steps per batch. An unloaded game may need several batches.
const TICKS_MAX: usize = 64;

pub(super) struct PendingAnswer {
    pub(super) index: usize,
    pub(super) reply: Reply,
    quota: Option<Quota>,
}

#[derive(Default)]
pub(super) struct Round {
    pub(super) taken: Vec<AppliedStep>,
    pub(super) replies: Vec<PendingAnswer>,
    pub(super) retries: Vec<(Result<Done>, Reply)>,
    pub(super) refused: Vec<(QueuedStep, Fault)>,
}

impl Round {
    /// Records a change of the rules' version, if there was one. This step must precede all others.
    pub(super) fn enter_rules(&mut self, table: &mut Table, now: Millis) {
        if let Some(step) = table.rules_changed() {
            self.take_own(table, step, now, "a change of rules cannot be recorded");
        }
    }

    /// Applies the due steps first, because they precede the steps that arrived later.
    pub(super) fn catch_up_time(&mut self, table: &mut Table, now: Millis) {
        for _ in 0..TICKS_MAX {
            if let Some(step) = table.position_to_keep() {
                self.take_own(table, step, now, "a position cannot be stored");
            }
            if table.due().is_none_or(|due| due > now) {
                return;
            }
            let tick = Step { kind: Some(step::Kind::Ticked(Ticked {})), ..Step::default() };
            let failure = "a due step of this game, such as a deadline, could not be applied";
            if !self.take_own(table, tick, now, failure) {
                return;
            }
        }
    }

    /// Applies a step of the engine itself. Logs `failure` and returns `false` if it is rejected.
    fn take_own(&mut self, table: &mut Table, step: Step, now: Millis, failure: &str) -> bool {
        match table.apply(step, now) {
            Ok(taken) => {
                self.taken.push(taken);
                true
            }
            Err(fault) => {
                let game_id = table.listing().game_id;
                tracing::error!(game_id, %fault, "{failure}");
                false
            }
        }
    }

    pub(super) async fn take(
        &mut self,
        table: &mut Table,
        waiting: QueuedStep,
        host: &Host,
        game_id: &str,
    ) {
        match table.answered(&waiting.step) {
            Ok(None) => {}
            Ok(Some(answered)) => {
                tracing::trace!(target: RARE, "a retry got its first answer");
                let first = self.first_answer(answered, table, host, game_id).await;
                self.retries.push((first, waiting.reply));
                return;
            }
            Err(fault) => return self.refused.push((waiting, fault)),
        }
        if matches!(waiting.step.kind, Some(step::Kind::Ticked(_)))
            && table.due().is_none_or(|due| due > host.now())
        {
            // All due steps have already been applied.
            let fault = Fault::new(ErrorReason::WrongStatus, "No deadline is due.");
            return self.refused.push((waiting, fault));
        }
        let mut step = Step::clone(&waiting.step);
        unhashed::salt(&mut step, random::salt);
        match table.apply(step, host.now()) {
            Ok(taken) => {
                let QueuedStep { reply, quota, .. } = waiting;
                self.replies.push(PendingAnswer { index: self.taken.len(), reply, quota });
                self.taken.push(taken);
                // More deadlines may be due now: a sandbox clock was set forward, or a phase has no
                // duration.
                self.catch_up_time(table, host.now());
            }
            Err(fault) => self.refused.push((waiting, fault)),
        }
    }

    pub(super) fn has_refusals(&self) -> bool {
        !self.refused.is_empty()
    }

    /// Returns the first result of a retried request, which is in this batch or in the journal.
    async fn first_answer(
        &self,
        answered: heliopause_table::Answered,
        table: &Table,
        host: &Host,
        game_id: &str,
    ) -> Result<Done> {
        let fresh = self.taken.iter().find(|taken| taken.entry.number == answered.entry);
        let entry = match fresh {
            Some(taken) => taken.entry.clone(),
            None => stored_entry(host, game_id, answered.entry).await?,
        };
        Ok(Done {
            entry: Arc::new(entry),
            decision_states: decision_states(table),
            first: Some(answered),
        })
    }

    pub(super) fn answer_all(self, table: &Table) {
        answer(self.retries, self.refused, &decision_states(table));
    }

    pub(super) fn fail_all(self, fault: &Fault) {
        let replies = self.replies.into_iter().map(|answering| answering.reply);
        let retried = self.retries.into_iter().map(|(_, reply)| reply);
        let refused = self.refused.into_iter().map(|(waiting, _)| waiting.reply);
        for reply in replies.chain(retried).chain(refused) {
            drop(reply.send(Err(fault.clone())));
        }
    }

    pub(super) fn quotas(&self) -> Vec<Quota> {
        self.replies.iter().filter_map(|answering| answering.quota.clone()).collect()
    }

    pub(super) fn reject_over_quota(&mut self, excess: &QuotaViolation) -> bool {
        let is_over = |answering: &PendingAnswer| {
            answering.quota.as_ref().is_some_and(|quota| quota.player_id == excess.player_id)
        };
        let (over, others) =
            std::mem::take(&mut self.replies).into_iter().partition::<Vec<_>, _>(is_over);
        self.replies = others;
        let found = !over.is_empty();
        for answering in over {
            drop(answering.reply.send(Err(Fault::from(StoreError::OverQuota(excess.clone())))));
        }
        found
    }

    /// Returns all steps to be tried again, because retried requests and rejected steps get new
    /// results too.
    pub(super) fn into_waiting(self) -> Vec<QueuedStep> {
        let steps: Vec<Arc<Step>> = self
            .taken
            .iter()
            .filter_map(|taken| unhashed::restored_step(&taken.entry).map(Arc::new))
            .collect();
        let again = |PendingAnswer { index, reply, quota }| QueuedStep {
            step: steps[index].clone(),
            reply,
            quota,
        };
        let mut waiting: Vec<QueuedStep> = self.replies.into_iter().map(again).collect();
        for (done, reply) in self.retries {
            match done.map(|done| unhashed::restored_step(&done.entry)) {
                Ok(Some(step)) => {
                    waiting.push(QueuedStep { step: Arc::new(step), reply, quota: None });
                }
                Ok(None) => {}
                Err(fault) => drop(reply.send(Err(fault))),
            }
        }
        waiting.extend(self.refused.into_iter().map(|(waiting, _)| waiting));
        waiting
    }
}

pub(super) fn answer(
    retries: Vec<(Result<Done>, Reply)>,
    refused: Vec<(QueuedStep, Fault)>,
    decision_states: &Arc<[DecisionState]>,
) {
    for (done, reply) in retries {
        drop(
            reply.send(done.map(|done| Done { decision_states: decision_states.clone(), ..done })),
        );
    }
    for (waiting, fault) in refused {
        drop(waiting.reply.send(Err(fault)));
    }
}
