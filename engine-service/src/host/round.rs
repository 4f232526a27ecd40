//! One batch of steps at a table: taken on the table in memory first, and answered when it is
//! durable.

use std::sync::Arc;

use heliopause_proto::store::v1::{Step, Ticked, step};
use heliopause_proto::v1::ErrorReason;
use heliopause_table::rehearsal::{Planted, on};
use heliopause_table::{Fault, Standing, Table, Taken, unhashed};
use tokio::sync::oneshot;

use super::live::{Done, standings, stored_entry};
use super::{Host, store_fault};
use crate::fresh;
use crate::store::{Excess, Millis, Quota, StoreError};

/// How many steps of time one touch may bring: a game that was away for long catches up over
/// several touches.
const TICKS_MAX: usize = 64;

pub(super) type Reply = oneshot::Sender<Result<Done, Fault>>;

/// A step whose caller waits for its answer.
pub(super) struct Waiting {
    /// Shared with its caller, who sends it again if the game is put away before it is taken.
    pub(super) step: Arc<Step>,
    pub(super) reply: Reply,
    /// The quota of the step's taker after it, if it counts for them.
    pub(super) quota: Option<Quota>,
}

/// A step of a batch that was taken, and its caller.
pub(super) struct Answering {
    /// Its place among those that were taken.
    pub(super) index: usize,
    pub(super) reply: Reply,
    quota: Option<Quota>,
}

/// The steps of one batch.
#[derive(Default)]
pub(super) struct Round {
    pub(super) taken: Vec<Taken>,
    pub(super) replies: Vec<Answering>,
    /// Requests that were answered before, with their first answers.
    pub(super) retries: Vec<(Result<Done, Fault>, Reply)>,
    /// Steps that were refused, and why.
    pub(super) refused: Vec<(Waiting, Fault)>,
}

impl Round {
    /// Notes in the journal, before anything else, that another version of the rules plays the game
    /// from here on.
    pub(super) fn enter_rules(&mut self, table: &mut Table, now: Millis) {
        if let Some(step) = table.rules_changed() {
            match table.take(step, now) {
                Ok(taken) => self.taken.push(taken),
                Err(fault) => tracing::error!(%fault, "a change of rules cannot be noted"),
            }
        }
    }

    /// Takes everything that fell due before the steps that came after it.
    pub(super) fn catch_up_time(&mut self, table: &mut Table, now: Millis) {
        let now = if on(Planted::DeadlineEarly) { now + 3_000 } else { now };
        for _ in 0..TICKS_MAX {
            self.keep_position(table, now);
            if table.due().is_none_or(|due| due > now) {
                return;
            }
            let tick = Step { kind: Some(step::Kind::Ticked(Ticked {})), ..Step::default() };
            match table.take(tick, now) {
                Ok(taken) => self.taken.push(taken),
                Err(fault) => return tracing::error!(%fault, "time cannot pass at a table"),
            }
        }
    }

    /// Keeps the position where the past is to be looked up from.
    fn keep_position(&mut self, table: &mut Table, now: Millis) {
        if let Some(step) = table.position_to_keep() {
            match table.take(step, now) {
                Ok(taken) => self.taken.push(taken),
                Err(fault) => tracing::error!(%fault, "a position cannot be kept"),
            }
        }
    }

    pub(super) async fn take(
        &mut self,
        table: &mut Table,
        waiting: Waiting,
        host: &Host,
        game_id: &str,
    ) {
        match table.answered(&waiting.step) {
            Ok(None) => {}
            Ok(Some(answered)) => {
                let first = self.first_answer(answered, table, host, game_id).await;
                self.retries.push((first, waiting.reply));
                return;
            }
            Err(fault) => return self.refused.push((waiting, fault)),
        }
        if matches!(waiting.step.kind, Some(step::Kind::Ticked(_)))
            && table.due().is_none_or(|due| due > host.now())
        {
            // Time has been caught up with already.
            let fault = Fault::new(ErrorReason::WrongStatus, "Nothing is due.");
            return self.refused.push((waiting, fault));
        }
        let mut step = Step::clone(&waiting.step);
        unhashed::salt(&mut step, fresh::salt);
        match table.take(step, host.now()) {
            Ok(taken) => {
                let Waiting { reply, quota, .. } = waiting;
                self.replies.push(Answering { index: self.taken.len(), reply, quota });
                self.taken.push(taken);
                // A sandbox clock that was set forward, or a phase without length, may make
                // something due at once.
                self.catch_up_time(table, host.now());
            }
            Err(fault) => self.refused.push((waiting, fault)),
        }
    }

    pub(super) fn has_refusals(&self) -> bool {
        !self.refused.is_empty()
    }

    /// Whether a letter was written whose bytes make an odd sum: for a fault that is planted.
    pub(super) fn has_an_odd_letter(&self) -> bool {
        let sum = |text: &str| text.bytes().map(u32::from).sum::<u32>();
        self.taken.iter().filter_map(|taken| unhashed::whole_step(&taken.entry)?.kind).any(
            |kind| matches!(kind, step::Kind::MessageSent(sent) if !sum(&sent.text).is_multiple_of(2)),
        )
    }

    /// The answer that a request got the first time, from this batch or from the journal.
    async fn first_answer(
        &self,
        answered: heliopause_table::Answered,
        table: &Table,
        host: &Host,
        game_id: &str,
    ) -> Result<Done, Fault> {
        let fresh = self.taken.iter().find(|taken| taken.entry.number == answered.entry);
        let entry = match fresh {
            Some(taken) => taken.entry.clone(),
            None => stored_entry(host, game_id, answered.entry).await?,
        };
        Ok(Done { entry: Arc::new(entry), standings: standings(table), first: Some(answered) })
    }

    pub(super) fn answer_all(self, table: &Table) {
        answer(self.retries, self.refused, &standings(table));
    }

    pub(super) fn fail_all(self, fault: &Fault) {
        let replies = self.replies.into_iter().map(|answering| answering.reply);
        let retried = self.retries.into_iter().map(|(_, reply)| reply);
        let refused = self.refused.into_iter().map(|(waiting, _)| waiting.reply);
        for reply in replies.chain(retried).chain(refused) {
            drop(reply.send(Err(fault.clone())));
        }
    }

    /// The quotas of the steps.
    pub(super) fn quotas(&self) -> Vec<Quota> {
        self.replies.iter().filter_map(|answering| answering.quota.clone()).collect()
    }

    /// Refuses the steps that would make an account have too much; says whether there are any.
    pub(super) fn refuse_over(&mut self, excess: &Excess) -> bool {
        let is_over = |answering: &Answering| {
            answering.quota.as_ref().is_some_and(|quota| quota.player_id == excess.player_id)
        };
        let (over, others) =
            std::mem::take(&mut self.replies).into_iter().partition::<Vec<_>, _>(is_over);
        self.replies = others;
        let found = !over.is_empty();
        for answering in over {
            drop(answering.reply.send(Err(store_fault(StoreError::OverQuota(excess.clone())))));
        }
        found
    }

    /// The steps again, for another try. It includes retries of requests and refusals, which get
    /// new answers too.
    pub(super) fn into_waiting(self) -> Vec<Waiting> {
        let steps: Vec<Arc<Step>> = self
            .taken
            .iter()
            .filter_map(|taken| unhashed::whole_step(&taken.entry).map(Arc::new))
            .collect();
        let again = |Answering { index, reply, quota }| Waiting {
            step: steps[index].clone(),
            reply,
            quota,
        };
        let mut waiting: Vec<Waiting> = self.replies.into_iter().map(again).collect();
        for (done, reply) in self.retries {
            match done.map(|done| unhashed::whole_step(&done.entry)) {
                Ok(Some(step)) => {
                    waiting.push(Waiting { step: Arc::new(step), reply, quota: None });
                }
                Ok(None) => {}
                Err(fault) => drop(reply.send(Err(fault))),
            }
        }
        waiting.extend(self.refused.into_iter().map(|(waiting, _)| waiting));
        waiting
    }
}

/// Answers retries and refused steps.
pub(super) fn answer(
    retries: Vec<(Result<Done, Fault>, Reply)>,
    refused: Vec<(Waiting, Fault)>,
    standings: &Arc<[Standing]>,
) {
    for (done, reply) in retries {
        drop(reply.send(done.map(|done| Done { standings: standings.clone(), ..done })));
    }
    for (waiting, fault) in refused {
        drop(waiting.reply.send(Err(fault)));
    }
}
