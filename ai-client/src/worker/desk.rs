//! The leases that a worker holds, and what it says about them: the protocol as a state machine
//! without I/O.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use heliopause_proto::v1::work_request::Message as Say;
use heliopause_proto::v1::{
    Accepted, Answer, GiveBack, GiveBackCause, Lease, LeaseRef, Refused, Renew, Revoked, lease,
};

use super::correction::Correction;
use crate::bot::{Level, NoSuchLevel, Stop};
use crate::games::{Draft, Kit};

/// How long a lease is taken to last until the engine says it: short enough for any engine.
const LEASE_TIME_UNTOLD: Duration = Duration::from_secs(10);
/// A lease is renewed when this part of its time is over, so that two renewals may go astray.
const RENEWALS_PER_LEASE: u32 = 3;
/// Renewals are not sent faster than this, whatever lease time the engine names.
const SHORTEST_RENEWAL: Duration = Duration::from_millis(20);

/// Finds the game with an id.
pub(super) type Find = Arc<dyn Fn(&str) -> Option<&'static dyn Kit> + Send + Sync>;

/// The leases of one stream.
pub(super) struct Desk {
    find: Find,
    capacity: usize,
    renew_every: Duration,
    held: BTreeMap<u64, Held>,
}

/// One lease that is held.
struct Held {
    fence: u64,
    lease: Arc<Lease>,
    kit: &'static dyn Kit,
    stop: Stop,
    stage: Stage,
}

enum Stage {
    Thinking { renew_at: Instant },
    Answered(Correction),
    Voted,
}

/// What came of thinking.
#[derive(Debug)]
pub(super) enum Thought {
    /// Orders for a decision.
    Orders(Draft),
    /// A voice in a vote.
    Voice(bool),
}

/// What a lease that is taken asks for: by whose skill, at which level, and the lease itself.
type Work = (&'static dyn Kit, Level, Arc<Lease>);

/// What is to be done after a message.
#[derive(Debug)]
pub(super) enum Step {
    /// Say this to the engine.
    Say(Say),
    /// Think about this, away from the stream, and report with [`Desk::thought`].
    Think(Job),
}

/// A decision to think about.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) reference: LeaseRef,
    kit: &'static dyn Kit,
    lease: Arc<Lease>,
    level: Level,
    stop: Stop,
}

impl Job {
    /// Thinks. Blocks as long as the level needs.
    pub(super) fn run(&self) -> Result<Thought, String> {
        let thought = match &self.lease.asked {
            Some(lease::Asked::Vote(vote)) => {
                self.kit.vote(&self.lease, vote, self.level).map(Thought::Voice)
            }
            Some(lease::Asked::Decision(_)) | None => {
                self.kit.think(&self.lease, self.level, &self.stop).map(Thought::Orders)
            }
        };
        thought.map_err(|malformed| malformed.to_string())
    }
}

impl Desk {
    pub(super) fn new(find: Find, capacity: usize) -> Self {
        Self {
            find,
            capacity,
            renew_every: LEASE_TIME_UNTOLD / RENEWALS_PER_LEASE,
            held: BTreeMap::new(),
        }
    }

    /// The engine told how long its leases last.
    pub(super) fn welcomed(&mut self, lease_time: Duration) {
        self.renew_every = (lease_time / RENEWALS_PER_LEASE).max(SHORTEST_RENEWAL);
    }

    /// A decision was leased.
    pub(super) fn leased(&mut self, lease: Lease, now: Instant) -> Option<Step> {
        let Some(reference) = lease.lease else {
            tracing::warn!("the engine sent a lease without an id; ignored");
            return None;
        };
        // An id that comes again replaces what it named before: only the newest fence counts.
        self.forget(reference.lease_id);
        match self.accept(lease) {
            Ok((kit, level, lease)) => {
                let stop = Stop::new();
                let stage = Stage::Thinking { renew_at: now + self.renew_every };
                let (fence, job_lease) = (reference.fence, Arc::clone(&lease));
                self.held.insert(
                    reference.lease_id,
                    Held { fence, lease, kit, stop: stop.clone(), stage },
                );
                Some(Step::Think(Job { reference, kit, lease: job_lease, level, stop }))
            }
            Err((cause, reason)) => Some(Step::Say(give_back(reference, cause, &reason))),
        }
    }

    fn accept(&self, lease: Lease) -> Result<Work, (GiveBackCause, String)> {
        // What is answered is no work any more.
        if self.held.values().filter(|held| held.renew_at().is_some()).count() >= self.capacity {
            return Err((
                GiveBackCause::Busy,
                format!("this worker takes {} decisions at once", self.capacity),
            ));
        }
        let unable = |reason: String| (GiveBackCause::Unspecified, reason);
        let kit = (self.find)(&lease.kind)
            .ok_or_else(|| unable(format!("{:?} is not played here", lease.kind)))?;
        let level = lease.level.parse().map_err(|fault: NoSuchLevel| unable(fault.to_string()))?;
        Ok((kit, level, Arc::new(lease)))
    }

    /// A job is done.
    pub(super) fn thought(
        &mut self,
        reference: LeaseRef,
        result: Result<Thought, String>,
    ) -> Option<Step> {
        let held = self.current(reference)?;
        match result {
            Ok(Thought::Voice(yes)) => {
                held.stage = Stage::Voted;
                Some(Step::Say(voice(reference, yes)))
            }
            Ok(Thought::Orders(draft)) => {
                held.stage = Stage::Answered(Correction::new(draft.clone()));
                Some(Step::Say(answer(reference, draft)))
            }
            Err(reason) => {
                self.forget(reference.lease_id);
                Some(Step::Say(give_back(reference, GiveBackCause::Unspecified, &reason)))
            }
        }
    }

    /// An answer was accepted, or the first of its orders: the lease is over. If there is more to
    /// decide, that is leased anew, with what became of these orders in the view.
    pub(super) fn accepted(&mut self, message: &Accepted) {
        let Some(reference) = message.lease else { return };
        let Some(held) = self.current(reference) else { return };
        if let Some(refused) = &message.refused {
            let (game, seat, taken) = (&held.lease.game_id, held.lease.seat, message.taken);
            tracing::warn!(
                game,
                seat,
                taken,
                "an answer was taken in part, up to {}: {}",
                refused.notation,
                refused.message
            );
        }
        self.forget(reference.lease_id);
    }

    /// An answer was refused: answer better, or give the lease back.
    pub(super) fn refused(&mut self, message: &Refused) -> Option<Step> {
        let reference = message.lease?;
        let held = self.current(reference)?;
        let (kit, lease) = (held.kit, Arc::clone(&held.lease));
        tracing::warn!(
            game = lease.game_id,
            seat = lease.seat,
            "an answer was refused: {}",
            message.message
        );
        let better = match &mut held.stage {
            Stage::Answered(correction) if message.attempts_left > 0 => {
                correction.next(&message.verdicts, || kit.fallbacks(&lease).unwrap_or_default())
            }
            // There is no better voice than the seat's own.
            Stage::Answered(_) | Stage::Voted => None,
            Stage::Thinking { .. } => {
                tracing::warn!(
                    lease = reference.lease_id,
                    "an answer was refused that was never given; ignored"
                );
                return None;
            }
        };
        if let Some(draft) = better {
            return Some(Step::Say(answer(reference, draft)));
        }
        self.forget(reference.lease_id);
        let reason = format!("every answer was refused: {}", message.message);
        Some(Step::Say(give_back(reference, GiveBackCause::Unspecified, &reason)))
    }

    /// A lease is gone.
    pub(super) fn revoked(&mut self, message: &Revoked) {
        if let Some(reference) =
            message.lease.filter(|&reference| self.current(reference).is_some())
        {
            tracing::info!(lease = reference.lease_id, "lease revoked: {}", message.reason);
            self.forget(reference.lease_id);
        }
    }

    /// When the next renewal falls due.
    pub(super) fn next_renewal(&self) -> Option<Instant> {
        self.held.values().filter_map(Held::renew_at).min()
    }

    /// The renewals that are due.
    pub(super) fn renew(&mut self, now: Instant) -> Vec<Say> {
        let mut says = Vec::new();
        for (&lease_id, held) in &mut self.held {
            if let Stage::Thinking { renew_at } = &mut held.stage
                && *renew_at <= now
            {
                *renew_at = now + self.renew_every;
                says.push(Say::Renew(Renew {
                    lease: Some(LeaseRef { lease_id, fence: held.fence }),
                }));
            }
        }
        says
    }

    /// Gives everything back.
    pub(super) fn clear(&mut self) -> Vec<Say> {
        let held = std::mem::take(&mut self.held);
        let give = |(lease_id, held): (u64, Held)| {
            held.stop.stop();
            let reference = LeaseRef { lease_id, fence: held.fence };
            give_back(reference, GiveBackCause::Stopping, "the worker stops")
        };
        held.into_iter().map(give).collect()
    }

    /// What is held under a reference, if its fence is the current one.
    fn current(&mut self, reference: LeaseRef) -> Option<&mut Held> {
        self.held.get_mut(&reference.lease_id).filter(|held| held.fence == reference.fence)
    }

    fn forget(&mut self, lease_id: u64) {
        if let Some(held) = self.held.remove(&lease_id) {
            held.stop.stop();
        }
    }
}

/// A lost stream takes its leases along; nobody wants their answers any more.
impl Drop for Desk {
    fn drop(&mut self) {
        for held in self.held.values() {
            held.stop.stop();
        }
    }
}

impl Held {
    fn renew_at(&self) -> Option<Instant> {
        match self.stage {
            Stage::Thinking { renew_at } => Some(renew_at),
            Stage::Answered(_) | Stage::Voted => None,
        }
    }
}

fn answer(reference: LeaseRef, draft: Draft) -> Say {
    let orders = heliopause_proto::v1::Orders { orders: draft.orders, text: String::new() };
    let memo = draft.memo.map(Into::into);
    Say::Answer(Answer {
        lease: Some(reference),
        orders: Some(orders),
        ready: draft.ready,
        memo,
        messages: draft.messages,
        vote: None,
    })
}

fn voice(reference: LeaseRef, yes: bool) -> Say {
    Say::Answer(Answer { lease: Some(reference), vote: Some(yes), ..Answer::default() })
}

/// How many characters of a reason the engine takes.
const REASON_MAX: usize = 256;

fn give_back(reference: LeaseRef, cause: GiveBackCause, reason: &str) -> Say {
    // The contract takes one line, of so many characters.
    let reason: String = heliopause_text::shown(reason).chars().take(REASON_MAX).collect();
    tracing::info!(lease = reference.lease_id, "lease given back: {reason}");
    Say::GiveBack(GiveBack { lease: Some(reference), reason, cause: cause.into() })
}
