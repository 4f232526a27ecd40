//! Automated play. Open decisions are leased to workers, so that each decision is answered once.
//!
//! A shared store issues the fencing numbers and never leases a decision to two processes.
//!
//! **Invariant.** Leases are not journaled. After a restart, open decisions are leased again. The
//! seat's phase and revision determine whether an answer is accepted, as for every order.

mod hello;
mod lease_table;
mod parked;
mod queue;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use heliopause_kernel::Viewer;
use heliopause_proto::store::v1::{
    AutomationSuspended, MessageSent, OrdersGiven, Step, VoteCast, step,
};
use heliopause_proto::v1::work_response::Message as Say;
use heliopause_proto::v1::{
    Accepted, Answer, AutomatedSeat, ErrorReason, Hello, Lease, LeaseRef, Refused, Release,
    ReleaseCause, Renewed, RevokeReason, Revoked, Vote, Welcome, WorkResponse, lease,
};
use heliopause_table::{AutomationTask, Fault, Table, TaskKind, lists, offers};
use tokio::sync::{Notify, Semaphore, mpsc};
use tokio::time::Instant;

use super::loading::{self, Newest};
use super::stream::{length, timestamp};
use super::{Host, RARE, live};
use crate::failure::draining;
use crate::host::Result;
use crate::log_throttle::throttled;
use crate::store::shared::{Hint, OpenDecision, Profile, Shared};
use crate::store::{Millis, StoreError};
use crate::time::Moment;
use lease_table::{Failed, Held, LeaseDurations, LeaseTable, NewLease, WorkerId};

pub(crate) use lease_table::Parked;

/// The pause before a decision that a worker could not answer is leased again.
const COOL_DOWN: Millis = 2_000;
/// The pause before an overloaded worker gets new leases.
const BUSY_FOR: Millis = 500;
/// The maximum duration of a lease including renewals, as a multiple of the lease time.
const LEASE_TIMES_MAX: u32 = 20;
/// The wait time before the next attempt to lease a decision that another process has leased.
const LEASED_ELSEWHERE_FOR: Millis = 3_000;
/// The time for which a process's report of its workers is valid. It must exceed the report
/// interval.
const ANNOUNCED_FOR: Duration = Duration::from_secs(20);
const SWEEP_EVERY: Duration = Duration::from_millis(500);
const DEFAULTS_EVERY: Duration = Duration::from_secs(5);
const LOAD_PAGE: usize = 64;
/// The number of games to load while all workers are busy. Without loading, unloaded games would
/// never get a turn.
const LOAD_PAGE_BUSY: usize = 8;
/// The maximum number and size of a seat's newest events in a lease. The events of a large galaxy
/// can be long, and workers limit the size of a lease.
const RECENT: Newest = Newest { events: 200, bytes: 256 << 10 };

/// The leases of automated seats, and the exchange of messages with workers.
pub struct Automation {
    host: Weak<Host>,
    lease_time: Duration,
    lease_table: Mutex<LeaseTable>,
    look: Notify,
    /// Limits how many leases are created at once, because their views and offers are expensive.
    writing: Semaphore,
}

/// A handle to a worker. Dropping the handle removes the worker and makes the demands of its leases
/// pending again.
pub struct WorkerPass {
    host: Arc<Host>,
    id: WorkerId,
    mailbox: mpsc::Sender<WorkResponse>,
}

impl Automation {
    pub(crate) fn new(host: Weak<Host>, lease_time: Duration, writers: usize) -> Self {
        Self {
            host,
            lease_time,
            lease_table: Mutex::new(LeaseTable::default()),
            look: Notify::new(),
            writing: Semaphore::new(writers),
        }
    }

    pub fn lease_time(&self) -> Duration {
        self.lease_time
    }

    pub fn longest_lease(&self) -> Duration {
        self.lease_time * LEASE_TIMES_MAX
    }

    fn durations(&self) -> LeaseDurations {
        let millis = |time: Duration| time.as_millis() as Millis;
        LeaseDurations { unrenewed: millis(self.lease_time), longest: millis(self.longest_lease()) }
    }

    pub(crate) fn start(&self) {
        let host = self.host.clone();
        crate::background::spawn(async move {
            let (mut after, mut checked, mut defaulted) =
                (String::new(), Instant::now(), Instant::now());
            while let Some(host) = host.upgrade() {
                host.automation.sweep(&host);
                if defaulted.elapsed() >= DEFAULTS_EVERY {
                    host.automation.default_parked();
                    defaulted = Instant::now();
                }
                if host.activity.check_every().is_some_and(|every| checked.elapsed() >= every) {
                    host.automation.put_unwatched_to_sleep();
                    checked = Instant::now();
                }
                after = host.automation.load_waiting(&host, after).await;
                tokio::select! {
                    () = tokio::time::sleep(SWEEP_EVERY) => {}
                    () = host.automation.look.notified() => {}
                    () = host.drained() => return,
                }
            }
        });
    }

    pub(crate) fn is_played(&self, kind: &str, by: &AutomatedSeat) -> bool {
        let profile =
            Profile { kind: kind.to_owned(), name: by.profile.clone(), level: by.level.clone() };
        self.lease_table().is_played(&profile)
    }

    /// Replaces the demands of a loaded game, or puts automation to sleep if the game is inactive.
    pub(crate) fn demands(
        &self,
        game_id: &str,
        host: &str,
        kind: &'static str,
        wanted: &[AutomationTask],
    ) {
        if !wanted.is_empty() && self.put_to_sleep(game_id) {
            return self.enter(game_id, host, kind, &[]);
        }
        self.enter(game_id, host, kind, wanted);
    }

    /// Puts automation to sleep in the background if a game is inactive. Returns whether the game
    /// is inactive.
    fn put_to_sleep(&self, game_id: &str) -> bool {
        let Some(host) = self.host.upgrade().filter(|host| host.activity.is_unwatched(game_id))
        else {
            return false;
        };
        let game_id = game_id.to_owned();
        crate::background::spawn(async move {
            let kind = Some(step::Kind::AutomationSuspended(AutomationSuspended {}));
            let slept = host.take(&game_id, Step { kind, ..Step::default() }).await;
            if let Err(fault) = slept {
                tracing::debug!(game_id, %fault, "automation could not be paused");
                let enter = |table: &Table| {
                    host.automation.enter(
                        &game_id,
                        table.leader_id(),
                        table.kind().id,
                        &table.wanted(),
                    );
                };
                // If the game cannot be read now, its demands are added when it is loaded again.
                drop(host.peek(&game_id, enter).await);
            }
        });
        true
    }

    fn put_unwatched_to_sleep(&self) {
        let games = self.lease_table().games();
        for game_id in games {
            self.put_to_sleep(&game_id);
        }
    }

    fn enter(&self, game_id: &str, host: &str, kind: &'static str, wanted: &[AutomationTask]) {
        let revoked = self.lease_table().demands(game_id, host, kind, wanted);
        revoke(revoked, RevokeReason::Closed);
        if !wanted.is_empty() {
            self.assign();
        }
    }

    /// Removes the demands of an evicted game and revokes its leases. The game is loaded again when
    /// a worker has capacity.
    pub(crate) fn evict(&self, game_id: &str) {
        let revoked = self.lease_table().forget(game_id);
        revoke(revoked, RevokeReason::Unloaded);
    }

    /// Adds a worker. It can play the usual levels, and the bots that its account has registered.
    pub fn add_worker(
        &self,
        player_id: &str,
        hello: &Hello,
        registered: &BTreeSet<Profile>,
        mailbox: mpsc::Sender<WorkResponse>,
    ) -> Result<WorkerPass> {
        let profiles = hello::checked(hello, registered)?;
        let host = self.host.upgrade().ok_or_else(draining)?;
        let welcome = Welcome {
            lease_time: Some(length(self.lease_time())),
            longest_lease: Some(length(self.longest_lease())),
            profiles: hello::told(&profiles),
            capacity: hello.capacity,
        };
        // This cannot fail, because the mailbox is empty.
        drop(mailbox.try_send(WorkResponse { message: Some(Say::Welcome(welcome)) }));
        let (capacity, now) = (hello.capacity, host.now());
        let id = self.lease_table().add_worker(player_id, profiles, capacity, mailbox.clone(), now);
        metrics::gauge!("heliopause_workers").increment(1.0);
        self.assign();
        self.look.notify_one();
        self.announce_in_background();
        Ok(WorkerPass { host, id, mailbox })
    }

    fn assign(&self) {
        let Some(host) = self.host.upgrade().filter(|host| !*host.draining.borrow()) else {
            return;
        };
        let (given, ended) = {
            let mut lease_table = self.lease_table();
            (lease_table.assign(host.moment(), self.durations()), lease_table.take_ended())
        };
        if host.store.shared().is_some() && !(given.is_empty() && ended.is_empty()) {
            crate::background::spawn(async move {
                let given = host.automation.fenced(&host, given, ended).await;
                send_leases(&host, given);
            });
        } else {
            send_leases(&host, given);
        }
    }

    /// Releases ended leases in the shared store and gets fences for new leases. Ends the new
    /// leases of decisions that another process has leased, or all new leases if the store fails.
    /// Returns the new leases that remain.
    async fn fenced(&self, host: &Host, given: Vec<NewLease>, ended: Vec<u64>) -> Vec<NewLease> {
        let Some(shared) = host.store.shared() else { return given };
        self.release_ended(shared, ended).await;
        if given.is_empty() {
            return given;
        }
        let decision = |given: &NewLease| OpenDecision {
            game_id: given.held.key.game_id.clone(),
            seat: given.held.key.seat.number(),
            phase: given.held.phase,
            revision: given.held.revision,
            vote: given.held.key.vote,
        };
        match shared.lease(given.iter().map(decision).collect(), self.lease_time).await {
            Ok(fences) => given
                .into_iter()
                .zip(fences)
                .filter_map(|(given, fence)| self.fence(host, given, fence))
                .collect(),
            Err(error) => {
                tracing::warn!(%error, "decisions cannot be leased; retrying later");
                for given in &given {
                    self.leave(host, given, COOL_DOWN);
                }
                Vec::new()
            }
        }
    }

    fn fence(&self, host: &Host, mut given: NewLease, fence: Option<u64>) -> Option<NewLease> {
        let Some(fence) = fence else {
            tracing::trace!(target: RARE, "a decision was leased by another engine");
            self.leave(host, &given, LEASED_ELSEWHERE_FOR);
            return None;
        };
        given.lease.fence = fence;
        self.lease_table().fence(given.lease.lease_id, fence).then_some(given)
    }

    /// Ends a lease. Does not assign another lease to the freed worker, because that lease could
    /// fail in the same way, without end.
    fn leave(&self, host: &Host, given: &NewLease, rest: Millis) {
        self.lease_table().give_back(given.lease.lease_id, host.moment() + rest);
    }

    async fn release_ended(&self, shared: &dyn Shared, ended: Vec<u64>) {
        if !ended.is_empty()
            && let Err(error) = shared.give_back(ended).await
        {
            tracing::debug!(%error, "leases could not be released; they will expire");
        }
    }

    /// Revokes all leases and reports that this process has no workers. Other processes then need
    /// not wait until the leases expire. Does nothing without a shared store.
    pub(crate) async fn settle(&self) {
        let Some(host) = self.host.upgrade() else { return };
        let Some(shared) = host.store.shared() else { return };
        let (revoked, ended) = {
            let mut lease_table = self.lease_table();
            (lease_table.forget_all(), lease_table.take_ended())
        };
        revoke(revoked, RevokeReason::Draining);
        self.release_ended(shared, ended).await;
        if let Err(error) = shared.announce(Vec::new(), ANNOUNCED_FOR).await {
            tracing::debug!(%error, "the engine could not report that it has no more workers");
        }
        shared.tell(Hint::Workers);
    }

    /// Reports the profiles that workers play here, and fetches those played in other processes.
    pub(crate) async fn announce(&self) {
        let Some(host) = self.host.upgrade() else { return };
        let Some(shared) = host.store.shared() else { return };
        let played: Vec<Profile> = self.lease_table().played().into_iter().collect();
        match shared.announce(played, ANNOUNCED_FOR).await {
            Ok(elsewhere) => self.lease_table().played_elsewhere(elsewhere.into_iter().collect()),
            Err(error) => tracing::debug!(%error, "the workers of other engines cannot be listed"),
        }
    }

    fn announce_in_background(&self) {
        let Some(host) = self.host.upgrade().filter(|host| host.store.shared().is_some()) else {
            return;
        };
        crate::background::spawn(async move {
            host.automation.announce().await;
            if let Some(shared) = host.store.shared() {
                shared.tell(Hint::Workers);
            }
        });
    }

    /// Extends a lease in the shared store. Returns whether the worker keeps the lease. The worker
    /// also keeps the lease if this process cannot reach the store. Another process may then lease
    /// the same decision, but the seat's phase and revision ensure that only one answer is
    /// accepted.
    async fn prolong(&self, fence: u64) -> bool {
        let Some(host) = self.host.upgrade() else { return false };
        let Some(shared) = host.store.shared() else { return true };
        shared
            .renew(vec![fence], self.lease_time)
            .await
            .map_or_else(|_: StoreError| true, |kept| !kept.is_empty())
    }

    async fn send_lease(&self, host: &Host, given: NewLease) {
        match self.make_lease(host, &given).await {
            Ok(Some(lease)) => {
                let message = WorkResponse { message: Some(Say::Lease(lease)) };
                if given.mailbox.send(message).await.is_err() {
                    // The worker has left. Dropping its pass makes the demand pending again.
                    tracing::debug!(
                        lease = given.lease.lease_id,
                        "a worker left before its lease reached it"
                    );
                }
            }
            Ok(None) => self.drop_lease(host, given.lease, 0),
            Err(fault) => {
                throttled!(warn, game_id = %given.held.key.game_id, %fault, "a lease could not be created");
                self.drop_lease(host, given.lease, COOL_DOWN);
            }
        }
    }

    /// Creates the message of a lease. Returns `None` if the lease was revoked, the decision is no
    /// longer open, or the worker may not see the decision.
    async fn make_lease(&self, host: &Host, given: &NewLease) -> Result<Option<Lease>> {
        let game_id = &given.held.key.game_id;
        let seat = given.held.key.seat;
        let turn = self.writing.acquire().await.expect("the semaphore is never closed");
        // The lease may have been revoked during the wait.
        if self.lease_table().held(given.worker, given.lease).is_none() {
            return Ok(None);
        }
        // The loaded state is sufficient. The store has fenced the lease and decides whether the
        // answer is valid.
        let made = host.peek(game_id, |table| {
            let wanted = table.wanted().into_iter().find(|wanted| given.held.key.asks(wanted))?;
            if lease_table::phase_and_revision(&wanted) != (given.held.phase, given.held.revision) {
                return None;
            }
            let (asked, view, offered) = match wanted.kind {
                TaskKind::Decision(decision_state) => {
                    let offered = offers::write(table.offers(seat)?);
                    (
                        lease::Asked::Decision(decision_state.decision?),
                        table.briefing(seat),
                        Some(offered),
                    )
                }
                TaskKind::Vote(vote) => {
                    (lease::Asked::Vote(vote), table.view(Viewer::Seat(seat)), None)
                }
            };
            let lease = Lease {
                lease: Some(given.lease),
                game_id: game_id.clone(),
                kind: table.kind().id.to_owned(),
                seat: seat.number(),
                profile: wanted.by.profile,
                level: wanted.by.level,
                asked: Some(asked),
                view,
                offers: offered,
                seed: bytes::Bytes::copy_from_slice(&wanted.seed),
                memo: wanted.memo,
                expire_time: Some(timestamp(host.time().at(given.expires))),
                recent: Vec::new(),
                may_write: wanted.may_write,
            };
            let reader = table.subscriber(Viewer::Seat(seat));
            Some((table.may_work(&given.held.player_id), lease, table.entry(), reader))
        });
        let made = made.await;
        drop(turn);
        let Some((may_work, mut lease, last, reader)) = made? else { return Ok(None) };
        if !may_work {
            self.lease_table().exclude(&given.held.key, given.worker);
            return Ok(None);
        }
        if given.held.key.vote > 0 {
            return Ok(Some(lease));
        }
        lease.recent = loading::newest_events(host, game_id, &reader, last, RECENT).await?;
        Ok(Some(lease))
    }

    fn drop_lease(&self, host: &Host, lease: LeaseRef, rest: Millis) {
        self.lease_table().give_back(lease.lease_id, host.moment() + rest);
        self.assign();
    }

    fn sweep(&self, host: &Arc<Host>) {
        let expired = self.lease_table().expire(host.moment());
        if !expired.is_empty() {
            tracing::trace!(target: RARE, "a lease expired");
        }
        revoke(expired, RevokeReason::Expired);
        self.assign();
        let over = self.lease_table().take_over();
        if over.is_empty() {
            return;
        }
        let host = Arc::clone(host);
        crate::background::spawn(async move {
            if let Some(shared) = host.store.shared() {
                host.automation.release_ended(shared, over).await;
            }
        });
    }

    /// Loads a page of the games waiting for automation. Returns the game id after which to
    /// continue, which is empty after the last page.
    async fn load_waiting(&self, host: &Host, after: String) -> String {
        let (has_workers, has_time) = {
            let lease_table = self.lease_table();
            (lease_table.has_workers(), lease_table.has_time(host.moment()))
        };
        if !has_workers {
            return after;
        }
        let page = if has_time { LOAD_PAGE } else { LOAD_PAGE_BUSY };
        let Ok(games) = host.store().waiting_for_automation(&after, page).await else {
            return after;
        };
        let end = games.len() < page;
        let last = games.last().cloned().unwrap_or_default();
        for game_id in games {
            // Loading is enough, because a loaded game adds its demands.
            if !self.lease_table().knows(&game_id)
                && let Err(fault) = host.read(&game_id, |_| ()).await
            {
                throttled!(warn, %game_id, %fault, "a game waiting for automation cannot be \
                    loaded");
            }
        }
        if end { String::new() } else { last }
    }

    pub(crate) fn lease_table(&self) -> MutexGuard<'_, LeaseTable> {
        self.lease_table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl WorkerPass {
    fn automation(&self) -> &Automation {
        &self.host.automation
    }

    fn lease_table(&self) -> MutexGuard<'_, LeaseTable> {
        self.host.automation.lease_table()
    }

    pub async fn renew(&self, lease: Option<LeaseRef>) -> WorkResponse {
        let lease = lease.unwrap_or_default();
        let durations = self.automation().durations();
        let expires = self.lease_table().renew(self.id, lease, self.host.moment(), durations);
        let Some(expires) = expires else {
            // The lease may have reached its time limit, so let another worker try.
            self.automation().assign();
            return lost(lease);
        };
        if !self.automation().prolong(lease.fence).await {
            self.automation().drop_lease(&self.host, lease, LEASED_ELSEWHERE_FOR);
            return lost(lease);
        }
        let renewed = Renewed {
            lease: Some(lease),
            expire_time: Some(timestamp(self.host.time().at(expires))),
        };
        WorkResponse { message: Some(Say::Renewed(renewed)) }
    }

    pub fn give_back(&self, given_back: &Release) {
        let lease = given_back.lease.unwrap_or_default();
        if self.lease_table().held(self.id, lease).is_none() {
            return;
        }
        metrics::counter!("heliopause_leases_returned_total").increment(1);
        let reason = &given_back.reason;
        throttled!(warn, lease = lease.lease_id, reason, "a worker released a decision");
        match given_back.cause() {
            ReleaseCause::Unspecified => {
                let why = format!("A worker released the decision: {reason}");
                let failed = self.lease_table().fail(lease.lease_id, &why, self.host.now());
                if let Failed::Stays(_) | Failed::Gone = failed {
                    return self.automation().drop_lease(&self.host, lease, COOL_DOWN);
                }
                self.automation().settle_failed(failed, &why);
            }
            ReleaseCause::Busy => {
                self.lease_table().rest(self.id, self.host.moment() + BUSY_FOR);
                self.automation().drop_lease(&self.host, lease, 0);
            }
            // A stopping worker has no capacity, even if stopping takes long.
            ReleaseCause::Stopping => {
                self.lease_table().rest(self.id, Moment::NEVER);
                self.automation().drop_lease(&self.host, lease, 0);
            }
        }
    }

    /// Applies an answer. Sends the result before the worker gets another lease.
    pub async fn answer(&self, answer: Answer) {
        let lease = answer.lease.unwrap_or_default();
        let held = self.lease_table().begin_answer(self.id, lease);
        let Some(held) = held else {
            tracing::trace!(target: RARE, "a lease was lost while its answer was on the way");
            return self.say(lost(lease)).await;
        };
        match self.take(&held, answer).await {
            Ok(done) => {
                let (taken, refused) = lists::applied(&done.entry);
                let accepted = Accepted { lease: Some(lease), accepted_count: taken, refused };
                self.say(WorkResponse { message: Some(Say::Accepted(accepted)) }).await;
                self.lease_table().answered(lease.lease_id);
                self.automation().assign();
            }
            Err(fault) if is_overtaken(&fault) => {
                tracing::trace!(target: RARE, "an answer was overtaken");
                self.lose(lease, 0).await;
            }
            // The fault is temporary and not caused by the worker, so the decision is leased again.
            Err(fault) if is_temporary(&fault) => {
                tracing::trace!(target: RARE, "an answer could not be stored");
                self.lose(lease, COOL_DOWN).await;
            }
            Err(fault) => self.refuse(lease, &fault).await,
        }
    }

    /// Notifies the worker of a lost lease, and then frees the worker for another lease. The
    /// decision can be leased again after `rest` milliseconds.
    async fn lose(&self, lease: LeaseRef, rest: Millis) {
        self.say(lost(lease)).await;
        self.automation().drop_lease(&self.host, lease, rest);
    }

    async fn say(&self, response: WorkResponse) {
        if self.mailbox.send(response).await.is_err() {
            tracing::debug!("a worker left before it received a response");
        }
    }

    async fn take(&self, held: &Held, answer: Answer) -> Result<live::Done> {
        let host = &self.host;
        let kind = host.peek(&held.key.game_id, |table| {
            let wanted = table.wanted().into_iter().find(|wanted| held.key.asks(wanted));
            let gone = || Fault::new(ErrorReason::LeaseLost, "This decision is no longer pending.");
            let wanted = wanted.ok_or_else(gone)?;
            match &wanted.kind {
                TaskKind::Decision(_) => {
                    orders_step(table, held, &wanted, answer).map(step::Kind::OrdersGiven)
                }
                TaskKind::Vote(vote) => vote_cast(vote, &wanted, &answer).map(step::Kind::VoteCast),
            }
        });
        let kind = Some(kind.await??);
        host.take(&held.key.game_id, Step { by: held.player_id.clone(), kind, ..Step::default() })
            .await
    }

    /// Rejects an answer. Notifies the worker before the decision is leased again.
    async fn refuse(&self, lease: LeaseRef, fault: &Fault) {
        let failed = self.lease_table().fail(lease.lease_id, &fault.message, self.host.now());
        match failed {
            Failed::Gone => self.lose(lease, 0).await,
            Failed::Stays(attempts_left) => self.say(refused(lease, fault, attempts_left)).await,
            Failed::Offered | Failed::Parked => {
                self.say(refused(lease, fault, 0)).await;
                self.automation().settle_failed(failed, &fault.message);
            }
        }
    }
}

fn orders_step(
    table: &Table,
    held: &Held,
    wanted: &AutomationTask,
    answer: Answer,
) -> Result<OrdersGiven> {
    if answer.vote.is_some() {
        return Err(Fault::field("vote", "Expected orders, not a vote."));
    }
    let given = answer.orders.unwrap_or_default();
    let mut orders = given.orders;
    if !given.text.is_empty() {
        orders.extend(table.parse(Some(wanted.seat), &given.text)?);
    }
    // Reject an empty answer. It would decide nothing, and the same decision would be leased again.
    if orders.is_empty() && !(answer.ready && table.may_revise(wanted.seat)) {
        let text = "An answer needs orders; only a revisable decision can be answered by the ready \
            mark alone.";
        return Err(Fault::field("orders", text));
    }
    let messages = answer.messages.into_iter().map(|written| MessageSent {
        to_seats: written.to_seats,
        text: written.text,
        ..MessageSent::default()
    });
    Ok(OrdersGiven {
        seat: wanted.seat.number(),
        // Use the phase and revision of the lease: those of the game may have changed since.
        phase: held.phase,
        revision: held.revision,
        orders,
        ready: answer.ready,
        automation: wanted.answered_by(),
        memo: answer.memo,
        messages: messages.collect(),
    })
}

fn vote_cast(vote: &Vote, wanted: &AutomationTask, answer: &Answer) -> Result<VoteCast> {
    let orders = answer
        .orders
        .as_ref()
        .is_some_and(|orders| !orders.orders.is_empty() || !orders.text.is_empty());
    match answer.vote {
        None => Err(Fault::field("vote", "Expected a vote: yes or no.")),
        Some(_)
            if orders || answer.ready || answer.memo.is_some() || !answer.messages.is_empty() =>
        {
            Err(Fault::field(
                "vote",
                "Answer a vote only with yes or no, without orders, ready mark, memo or messages.",
            ))
        }
        Some(yes) => {
            let seat = wanted.seat.number();
            Ok(VoteCast { seat, vote: vote.number, yes, automation: wanted.answered_by() })
        }
    }
}

fn refused(lease: LeaseRef, fault: &Fault, attempts_left: u32) -> WorkResponse {
    let (verdicts, message) = (vec![fault.verdict(String::new())], fault.message.clone());
    let refused = Refused { lease: Some(lease), verdicts, message, attempts_left };
    WorkResponse { message: Some(Say::Refused(refused)) }
}

impl Drop for WorkerPass {
    fn drop(&mut self) {
        self.lease_table().remove_worker(self.id, self.host.now());
        metrics::gauge!("heliopause_workers").decrement(1.0);
        self.automation().assign();
        self.automation().announce_in_background();
    }
}

fn send_leases(host: &Arc<Host>, given: Vec<NewLease>) {
    for given in given {
        let host = host.clone();
        crate::background::spawn(async move { host.automation.send_lease(&host, given).await });
    }
}

fn revoke(revoked: lease_table::RevokedLeases, reason: RevokeReason) {
    for (lease, mailbox) in revoked {
        let revoked = Revoked { lease: Some(lease), reason: reason.into() };
        // If the mailbox is full, the worker notices the revocation when its answer is rejected.
        drop(mailbox.try_send(WorkResponse { message: Some(Say::Revoked(revoked)) }));
    }
}

fn lost(lease: LeaseRef) -> WorkResponse {
    let reason = RevokeReason::NotHeld.into();
    WorkResponse { message: Some(Say::Revoked(Revoked { lease: Some(lease), reason })) }
}

/// Returns whether the decision was closed, changed or answered before this answer arrived.
fn is_overtaken(fault: &Fault) -> bool {
    use ErrorReason::{GameNotFound, LeaseLost, PhaseClosed, StaleRevision, WrongStatus};
    matches!(fault.reason, LeaseLost | PhaseClosed | StaleRevision | WrongStatus | GameNotFound)
}

fn is_temporary(fault: &Fault) -> bool {
    use ErrorReason::{Draining, JournalUnavailable, LostRace, Overloaded};
    matches!(fault.reason, Draining | JournalUnavailable | LostRace | Overloaded)
}
