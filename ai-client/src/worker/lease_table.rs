//! The leases of one stream, and the messages about them: a state machine without I/O.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use heliopause_proto::v1::work_request::Message as ToEngine;
use heliopause_proto::v1::{
    Accepted, Answer, Lease, LeaseRef, Refused, Release, ReleaseCause, Renew, Revoked, lease,
};

use super::correction::Correction;
use crate::bot::{Level, NoSuchLevel, Stop};
use crate::games::{Draft, GameAdapter};

/// Assumed lease time until the engine announces the actual one.
const DEFAULT_LEASE_TIME: Duration = Duration::from_secs(10);
/// Number of renewals per lease time, so that two may be lost.
const RENEWALS_PER_LEASE: u32 = 3;
const MIN_RENEWAL_INTERVAL: Duration = Duration::from_millis(20);

pub(super) type Find = Arc<dyn Fn(&str) -> Option<&'static dyn GameAdapter> + Send + Sync>;

pub(super) struct LeaseTable {
    find: Find,
    capacity: usize,
    renew_every: Duration,
    held: BTreeMap<u64, HeldLease>,
}

struct HeldLease {
    fence: u64,
    lease: Arc<Lease>,
    adapter: &'static dyn GameAdapter,
    stop: Stop,
    stage: Stage,
}

enum Stage {
    Thinking { renew_at: Instant },
    Answered(Correction),
    Voted,
}

#[derive(Debug)]
pub(super) enum JobResult {
    Orders(Draft),
    VoteAnswer(bool),
}

type Work = (&'static dyn GameAdapter, Level, Arc<Lease>);

#[derive(Debug)]
pub(super) enum Step {
    ToEngine(ToEngine),
    /// A job whose result goes to [`LeaseTable::thought`].
    Think(Job),
}

#[derive(Debug)]
pub(super) struct Job {
    pub(super) reference: LeaseRef,
    adapter: &'static dyn GameAdapter,
    lease: Arc<Lease>,
    level: Level,
    stop: Stop,
}

impl Job {
    /// Computes the answer to a decision or a vote. Blocks until the bot has decided.
    pub(super) fn run(&self) -> Result<JobResult, String> {
        let thought = match &self.lease.asked {
            Some(lease::Asked::Vote(vote)) => {
                self.adapter.vote(&self.lease, vote, self.level).map(JobResult::VoteAnswer)
            }
            Some(lease::Asked::Decision(_)) | None => {
                self.adapter.think(&self.lease, self.level, &self.stop).map(JobResult::Orders)
            }
        };
        thought.map_err(|malformed| malformed.to_string())
    }
}

impl LeaseTable {
    pub(super) fn new(find: Find, capacity: usize) -> Self {
        Self {
            find,
            capacity,
            renew_every: DEFAULT_LEASE_TIME / RENEWALS_PER_LEASE,
            held: BTreeMap::new(),
        }
    }

    pub(super) fn welcomed(&mut self, lease_time: Duration) {
        self.renew_every = (lease_time / RENEWALS_PER_LEASE).max(MIN_RENEWAL_INTERVAL);
    }

    pub(super) fn leased(&mut self, lease: Lease, now: Instant) -> Option<Step> {
        let Some(reference) = lease.lease else {
            tracing::warn!("ignored a lease without an id");
            return None;
        };
        // Only the newest fence of a lease is valid.
        self.forget(reference.lease_id);
        match self.accept(lease) {
            Ok((adapter, level, lease)) => {
                let stop = Stop::new();
                let stage = Stage::Thinking { renew_at: now + self.renew_every };
                let (fence, job_lease) = (reference.fence, Arc::clone(&lease));
                let held = HeldLease { fence, lease, adapter, stop: stop.clone(), stage };
                self.held.insert(reference.lease_id, held);
                Some(Step::Think(Job { reference, adapter, lease: job_lease, level, stop }))
            }
            Err((cause, reason)) => Some(Step::ToEngine(give_back(reference, cause, &reason))),
        }
    }

    fn accept(&self, lease: Lease) -> Result<Work, (ReleaseCause, String)> {
        // Answered leases need no more work.
        if self.held.values().filter(|held| held.renew_at().is_some()).count() >= self.capacity {
            let limit = format!("its limit of {} concurrent decisions", self.capacity);
            return Err((ReleaseCause::Busy, format!("this worker has reached {limit}")));
        }
        let unable = |reason: String| (ReleaseCause::Unspecified, reason);
        let adapter = (self.find)(&lease.kind).ok_or_else(|| {
            unable(format!("this worker does not support the game {:?}", lease.kind))
        })?;
        let level = lease.level.parse().map_err(|fault: NoSuchLevel| unable(fault.to_string()))?;
        Ok((adapter, level, Arc::new(lease)))
    }

    pub(super) fn thought(
        &mut self,
        reference: LeaseRef,
        result: Result<JobResult, String>,
    ) -> Option<Step> {
        let held = self.current(reference)?;
        match result {
            Ok(JobResult::VoteAnswer(yes)) => {
                held.stage = Stage::Voted;
                Some(Step::ToEngine(vote_answer(reference, yes)))
            }
            Ok(JobResult::Orders(draft)) => {
                held.stage = Stage::Answered(Correction::new(draft.clone()));
                Some(Step::ToEngine(answer(reference, draft)))
            }
            Err(reason) => {
                self.forget(reference.lease_id);
                Some(Step::ToEngine(give_back(reference, ReleaseCause::Unspecified, &reason)))
            }
        }
    }

    /// Ends an accepted lease. The seat's next decision arrives as a new lease, with these orders
    /// in the view.
    pub(super) fn accepted(&mut self, message: &Accepted) {
        let Some(reference) = message.lease else { return };
        let Some(held) = self.current(reference) else { return };
        if let Some(refused) = &message.refused {
            let (game, seat, taken) =
                (&held.lease.game_id, held.lease.seat, message.accepted_count);
            tracing::warn!(
                game,
                seat,
                taken,
                "an answer was partly accepted, up to {}: {}",
                refused.notation,
                refused.message
            );
        }
        self.forget(reference.lease_id);
    }

    pub(super) fn refused(&mut self, message: &Refused) -> Option<Step> {
        let reference = message.lease?;
        let held = self.current(reference)?;
        let (adapter, lease) = (held.adapter, Arc::clone(&held.lease));
        tracing::warn!(
            game = lease.game_id,
            seat = lease.seat,
            "an answer was rejected: {}",
            message.message
        );
        let better = match &mut held.stage {
            Stage::Answered(correction) if message.attempts_left > 0 => {
                correction.next(&message.verdicts, || adapter.fallbacks(&lease).unwrap_or_default())
            }
            Stage::Answered(_) | Stage::Voted => None,
            Stage::Thinking { .. } => {
                tracing::warn!(
                    lease = reference.lease_id,
                    "ignored the rejection of an answer that was not sent"
                );
                return None;
            }
        };
        if let Some(draft) = better {
            return Some(Step::ToEngine(answer(reference, draft)));
        }
        self.forget(reference.lease_id);
        let reason = format!("every answer was rejected: {}", message.message);
        Some(Step::ToEngine(give_back(reference, ReleaseCause::Unspecified, &reason)))
    }

    pub(super) fn revoked(&mut self, message: &Revoked) {
        if let Some(reference) =
            message.lease.filter(|&reference| self.current(reference).is_some())
        {
            tracing::info!(lease = reference.lease_id, "lease revoked: {}", message.reason);
            self.forget(reference.lease_id);
        }
    }

    pub(super) fn next_renewal(&self) -> Option<Instant> {
        self.held.values().filter_map(HeldLease::renew_at).min()
    }

    pub(super) fn renew(&mut self, now: Instant) -> Vec<ToEngine> {
        let mut says = Vec::new();
        for (&lease_id, held) in &mut self.held {
            if let Stage::Thinking { renew_at } = &mut held.stage
                && *renew_at <= now
            {
                *renew_at = now + self.renew_every;
                let lease = Some(LeaseRef { lease_id, fence: held.fence });
                says.push(ToEngine::Renew(Renew { lease }));
            }
        }
        says
    }

    pub(super) fn clear(&mut self) -> Vec<ToEngine> {
        let held = std::mem::take(&mut self.held);
        let give = |(lease_id, held): (u64, HeldLease)| {
            held.stop.stop();
            let reference = LeaseRef { lease_id, fence: held.fence };
            give_back(reference, ReleaseCause::Stopping, "the worker is stopping")
        };
        held.into_iter().map(give).collect()
    }

    fn current(&mut self, reference: LeaseRef) -> Option<&mut HeldLease> {
        self.held.get_mut(&reference.lease_id).filter(|held| held.fence == reference.fence)
    }

    fn forget(&mut self, lease_id: u64) {
        if let Some(held) = self.held.remove(&lease_id) {
            held.stop.stop();
        }
    }
}

/// Stops pending jobs, because leases end with the stream.
impl Drop for LeaseTable {
    fn drop(&mut self) {
        for held in self.held.values() {
            held.stop.stop();
        }
    }
}

impl HeldLease {
    fn renew_at(&self) -> Option<Instant> {
        match self.stage {
            Stage::Thinking { renew_at } => Some(renew_at),
            Stage::Answered(_) | Stage::Voted => None,
        }
    }
}

fn answer(reference: LeaseRef, draft: Draft) -> ToEngine {
    let orders = heliopause_proto::v1::Orders { orders: draft.orders, text: String::new() };
    let memo = draft.memo.map(Into::into);
    ToEngine::Answer(Answer {
        lease: Some(reference),
        orders: Some(orders),
        ready: draft.ready,
        memo,
        messages: draft.messages,
        vote: None,
    })
}

fn vote_answer(reference: LeaseRef, yes: bool) -> ToEngine {
    ToEngine::Answer(Answer { lease: Some(reference), vote: Some(yes), ..Answer::default() })
}

const REASON_MAX: usize = 256;

fn give_back(reference: LeaseRef, cause: ReleaseCause, reason: &str) -> ToEngine {
    // The contract allows one line of limited length.
    let reason: String = heliopause_proto::text::shown(reason).chars().take(REASON_MAX).collect();
    tracing::info!(lease = reference.lease_id, "lease returned: {reason}");
    ToEngine::Release(Release { lease: Some(reference), reason, cause: cause.into() })
}
