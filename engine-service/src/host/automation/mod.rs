//! Automated play: leasing open decisions to workers so that each is answered once.
//!
//! [`book`] keeps who waits for whom, as pure data without time or I/O of its own; this module
//! moves the leases.
//!
//! If several processes share the store, it gives the leases their fencing numbers, and gives no
//! decision to two of them.
//!
//! **Invariant.** Leases are not journaled. After a restart open decisions are leased again. The
//! seat's phase and revision decide about an answer, as for every order.

mod book;
mod hello;
mod parked;
mod queue;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use heliopause_kernel::Viewer;
use heliopause_proto::store::v1::{
    AutomationSlept, MessageSent, OrdersGiven, Step, VoteCast, step,
};
use heliopause_proto::v1::work_response::Message as Say;
use heliopause_proto::v1::{
    Accepted, Answer, AutomatedSeat, ErrorReason, GiveBack, GiveBackCause, Hello, Lease, LeaseRef,
    Refused, Renewed, RevokeReason, Revoked, Vote, Welcome, WorkResponse, lease,
};
use heliopause_table::rehearsal::{Planted, mark, on};
use heliopause_table::{Asked, Fault, Table, Wanted, lists, offers};
use tokio::sync::{Notify, Semaphore, mpsc};
use tokio::time::Instant;

use super::live::Newest;
use super::stream::{length, timestamp};
use super::{Host, live};
use crate::seldom::seldom;
use crate::store::shared::{Hint, OpenDecision, Profile, Shared};
use crate::store::{Millis, StoreError};
use crate::time::Moment;
use book::{Book, Failed, Given, Held, Lasting, WorkerId};

pub(crate) use book::{LeaseListed, Parked, WorkerListed};

/// How long a decision that no worker could answer is left alone.
const COOL_DOWN: Millis = 2_000;
/// How long a worker is left alone that has more to do than it can.
const BUSY: Millis = 500;
/// How many times its usual time a lease lasts at most, however often it is renewed.
const LONGEST: u32 = 20;
/// How long a decision that another process has leased is left alone.
const ELSEWHERE: Millis = 3_000;
/// How long other processes believe one process's report of its workers. It reports again well
/// before.
const ANNOUNCED: Duration = Duration::from_secs(20);
/// How often to look for expired leases, and for games that wait for automation.
const SWEEP: Duration = Duration::from_millis(500);
/// How often to check whether the defaults can now decide parked decisions.
const DEFAULTED: Duration = Duration::from_secs(5);
/// How many games that wait are brought into memory at once.
const FEED_PAGE: usize = 64;
/// The same while all workers are busy: games not in memory must have their turns too.
const FEED_PAGE_BUSY: usize = 8;
/// Which of a seat's newest events come with a lease. An update of a large galaxy is long, and a
/// lease must stay within what workers read.
const RECENT: Newest = Newest { events: 200, bytes: 256 << 10 };

/// Automated play.
pub struct Automation {
    host: Weak<Host>,
    lease_time: Duration,
    book: Mutex<Book>,
    look: Notify,
    /// Turns to write what a worker needs: views and offers take time, and workers who give back
    /// what they are leased ask for ever more of them.
    writing: Semaphore,
}

/// A worker's place in the book. Dropping it strikes the worker off and gives its leases to others.
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
            book: Mutex::new(Book::default()),
            look: Notify::new(),
            writing: Semaphore::new(writers),
        }
    }

    /// How long a lease lasts without being renewed.
    pub fn lease_time(&self) -> Duration {
        self.lease_time
    }

    /// How long a lease lasts at most, however often it is renewed.
    pub fn longest_lease(&self) -> Duration {
        self.lease_time * LONGEST
    }

    fn lasting(&self) -> Lasting {
        let millis = |time: Duration| time.as_millis() as Millis;
        Lasting { unrenewed: millis(self.lease_time), longest: millis(self.longest_lease()) }
    }

    /// Begins to look for expired leases and for games that wait.
    pub(crate) fn start(&self) {
        let host = self.host.clone();
        crate::lasting::spawn(async move {
            let (mut after, mut checked, mut defaulted) =
                (String::new(), Instant::now(), Instant::now());
            while let Some(host) = host.upgrade() {
                host.automation.sweep(&host);
                if defaulted.elapsed() >= DEFAULTED {
                    host.automation.default_parked();
                    defaulted = Instant::now();
                }
                if host.looks.check_every().is_some_and(|every| checked.elapsed() >= every) {
                    host.automation.look_for_unwatched();
                    checked = Instant::now();
                }
                after = host.automation.feed(&host, after).await;
                tokio::select! {
                    () = tokio::time::sleep(SWEEP) => {}
                    () = host.automation.look.notified() => {}
                    () = host.drained() => return,
                }
            }
        });
    }

    pub(crate) fn counts(&self) -> (u64, u64, u64) {
        self.book().counts()
    }

    /// The workers here, the longest first.
    pub(crate) fn staff(&self) -> Vec<WorkerListed> {
        self.book().staff()
    }

    /// The leases of the workers here, by game and seat.
    pub(crate) fn leased(&self) -> Vec<LeaseListed> {
        self.book().leased()
    }

    /// Whether a game has an open decision that no connected worker can play.
    pub(crate) fn is_missing(&self, game_id: &str) -> bool {
        self.book().is_missing(game_id)
    }

    /// Whether a worker is connected that plays this in games of a kind.
    pub(crate) fn is_played(&self, kind: &str, by: &AutomatedSeat) -> bool {
        let profile =
            Profile { kind: kind.to_owned(), name: by.profile.clone(), level: by.level.clone() };
        self.book().is_played(&profile)
    }

    /// Notes what a host's game in memory wants now. If no person has looked for a while, it puts
    /// the game to sleep instead.
    pub(crate) fn wants(&self, game_id: &str, host: &str, kind: &'static str, wanted: &[Wanted]) {
        if !wanted.is_empty() && self.put_to_sleep(game_id) {
            return self.enter(game_id, host, kind, &[]);
        }
        self.enter(game_id, host, kind, wanted);
    }

    /// Begins to put the automation of a game to sleep, if no person has looked for a while; says
    /// whether it does.
    fn put_to_sleep(&self, game_id: &str) -> bool {
        let Some(host) = self.host.upgrade().filter(|host| host.looks.is_unwatched(game_id)) else {
            return false;
        };
        let game_id = game_id.to_owned();
        crate::lasting::spawn(async move {
            let kind = Some(step::Kind::AutomationSlept(AutomationSlept {}));
            let slept = host.take(&game_id, Step { kind, ..Step::default() }).await;
            if let Err(fault) = slept {
                tracing::debug!(game_id, %fault, "automation does not fall asleep");
                let enter = |table: &Table| {
                    host.automation.enter(
                        &game_id,
                        table.led_by(),
                        table.kind().id,
                        &table.wanted(),
                    );
                };
                // If it cannot be read now, it says what it wants when it comes into memory again.
                drop(host.peek(&game_id, enter).await);
            }
        });
        true
    }

    /// Puts automation to sleep in games at which no person has looked for a while.
    fn look_for_unwatched(&self) {
        let games = self.book().games();
        for game_id in games {
            self.put_to_sleep(&game_id);
        }
    }

    fn enter(&self, game_id: &str, host: &str, kind: &'static str, wanted: &[Wanted]) {
        let revoked = self.book().wants(game_id, host, kind, wanted);
        revoke(revoked, RevokeReason::Closed);
        if !wanted.is_empty() {
            self.assign();
        }
    }

    /// Whether a worker thinks about a decision of a game.
    pub(crate) fn is_leased(&self, game_id: &str) -> bool {
        self.book().is_leased(game_id)
    }

    /// A game left memory: its wants are found again when somebody has time for them.
    pub(crate) fn put_away(&self, game_id: &str) {
        let revoked = self.book().forget(game_id);
        revoke(revoked, RevokeReason::Unloaded);
    }

    /// Takes a worker on, and welcomes it before anything else is said to it.
    pub fn hire(
        &self,
        player_id: &str,
        hello: &Hello,
        mailbox: mpsc::Sender<WorkResponse>,
    ) -> Result<WorkerPass, Fault> {
        let profiles = hello::checked(hello)?;
        let host = self
            .host
            .upgrade()
            .ok_or_else(|| Fault::new(ErrorReason::Draining, "The server is stopping."))?;
        let welcome = Welcome {
            lease_time: Some(length(self.lease_time())),
            longest_lease: Some(length(self.longest_lease())),
            profiles: hello::told(&profiles),
            capacity: hello.capacity,
        };
        // There is room: nothing was sent before.
        drop(mailbox.try_send(WorkResponse { message: Some(Say::Welcome(welcome)) }));
        let (capacity, now) = (hello.capacity, host.now());
        let id = self.book().hire(player_id, profiles, capacity, mailbox.clone(), now);
        metrics::gauge!("heliopause_workers").increment(1.0);
        self.assign();
        self.look.notify_one();
        self.tell_of_workers();
        Ok(WorkerPass { host, id, mailbox })
    }

    /// Gives open decisions to workers who have time.
    fn assign(&self) {
        let Some(host) = self.host.upgrade().filter(|host| !*host.draining.borrow()) else {
            return;
        };
        let (given, ended) = {
            let mut book = self.book();
            (book.assign(host.moment(), self.lasting()), book.take_ended())
        };
        if host.store.shared().is_some() && !(given.is_empty() && ended.is_empty()) {
            crate::lasting::spawn(async move {
                let given = host.automation.fenced(&host, given, ended).await;
                send_leases(&host, given);
            });
        } else {
            send_leases(&host, given);
        }
    }

    /// Tells the shared store of ended leases, and has it fence new ones; leases of another process
    /// stay with it.
    async fn fenced(&self, host: &Host, given: Vec<Given>, ended: Vec<u64>) -> Vec<Given> {
        let Some(shared) = host.store.shared() else { return given };
        self.tell_ended(shared, ended).await;
        if given.is_empty() {
            return given;
        }
        let decision = |given: &Given| OpenDecision {
            game_id: given.key.game_id.clone(),
            seat: given.key.seat.number(),
            phase: given.phase,
            revision: given.revision,
            vote: given.key.vote,
        };
        match shared.lease(given.iter().map(decision).collect(), self.lease_time).await {
            Ok(fences) => given
                .into_iter()
                .zip(fences)
                .filter_map(|(given, fence)| self.fence(host, given, fence))
                .collect(),
            Err(error) => {
                tracing::warn!(%error, "decisions cannot be leased");
                for given in &given {
                    self.leave(host, given, COOL_DOWN);
                }
                Vec::new()
            }
        }
    }

    /// A lease with its fencing number, if it got one and is still wanted.
    fn fence(&self, host: &Host, mut given: Given, fence: Option<u64>) -> Option<Given> {
        let forgotten = on(Planted::FenceForgotten).then_some(given.lease.lease_id);
        let Some(fence) = fence.or(forgotten) else {
            mark("a decision was leased by another engine");
            self.leave(host, &given, ELSEWHERE);
            return None;
        };
        given.lease.fence = fence;
        self.book().fence(given.lease.lease_id, fence).then_some(given)
    }

    /// Leaves a decision alone for a while, without giving others to free workers: that would
    /// never end.
    fn leave(&self, host: &Host, given: &Given, rest: Millis) {
        self.book().give_back(given.lease.lease_id, host.moment() + rest);
    }

    /// Tells the shared store of leases that ended early. If that fails they end by themselves.
    async fn tell_ended(&self, shared: &dyn Shared, ended: Vec<u64>) {
        if !ended.is_empty()
            && let Err(error) = shared.give_back(ended).await
        {
            tracing::debug!(%error, "leases could not be given back; they expire");
        }
    }

    /// Takes everything back before the process ends, so that others need not wait for it.
    pub(crate) async fn settle(&self) {
        let Some(host) = self.host.upgrade() else { return };
        let Some(shared) = host.store.shared() else { return };
        let (revoked, ended) = {
            let mut book = self.book();
            (book.forget_all(), book.take_ended())
        };
        revoke(revoked, RevokeReason::Draining);
        self.tell_ended(shared, ended).await;
        if let Err(error) = shared.announce(Vec::new(), ANNOUNCED).await {
            tracing::debug!(%error, "that no worker is here any more could not be told");
        }
        shared.tell(Hint::Workers);
    }

    /// Reports the workers here, and hears of those of other processes.
    pub(crate) async fn announce(&self) {
        let Some(host) = self.host.upgrade() else { return };
        let Some(shared) = host.store.shared() else { return };
        let played: Vec<Profile> = self.book().played().into_iter().collect();
        match shared.announce(played, ANNOUNCED).await {
            Ok(elsewhere) => self.book().played_elsewhere(elsewhere.into_iter().collect()),
            Err(error) => tracing::debug!(%error, "what workers elsewhere play is not known"),
        }
    }

    /// Workers came or went.
    fn tell_of_workers(&self) {
        let Some(host) = self.host.upgrade().filter(|host| host.store.shared().is_some()) else {
            return;
        };
        crate::lasting::spawn(async move {
            host.automation.announce().await;
            if let Some(shared) = host.store.shared() {
                shared.tell(Hint::Workers);
            }
        });
    }

    /// Whether the shared store still gives a lease to its holder; prolongs it if so. If the store
    /// is away for this process alone, another may lease the decision: then the seat's phase and
    /// revision let in only one answer.
    async fn prolong(&self, fence: u64) -> bool {
        let Some(host) = self.host.upgrade() else { return false };
        let Some(shared) = host.store.shared() else { return true };
        shared
            .renew(vec![fence], self.lease_time)
            .await
            .map_or_else(|_: StoreError| true, |kept| !kept.is_empty())
    }

    async fn send_lease(&self, host: &Host, given: Given) {
        match self.make_lease(host, &given).await {
            Ok(Some(lease)) => {
                let message = WorkResponse { message: Some(Say::Lease(lease)) };
                if given.mailbox.send(message).await.is_err() {
                    // The worker is gone; its pass strikes it off and gives the lease on.
                    tracing::debug!(
                        lease = given.lease.lease_id,
                        "a worker left before its lease reached it"
                    );
                }
            }
            Ok(None) => self.drop_lease(host, given.lease, 0),
            Err(fault) => {
                seldom!(warn, game_id = %given.key.game_id, %fault, "a lease could not be made");
                self.drop_lease(host, given.lease, COOL_DOWN);
            }
        }
    }

    /// Everything that a worker needs; `None` if the decision is no longer open, or not this
    /// worker's to see.
    async fn make_lease(&self, host: &Host, given: &Given) -> Result<Option<Lease>, Fault> {
        let game_id = &given.key.game_id;
        let seat = given.key.seat;
        let turn = self.writing.acquire().await.expect("the semaphore is never closed");
        // While it waited for its turn it may have been taken back.
        if self.book().held(given.worker, given.lease).is_none() {
            return Ok(None);
        }
        // As it is here, which is what was leased: the store fenced it, and decides about the
        // answer.
        let made = host.peek(game_id, |table| {
            let wanted = table.wanted().into_iter().find(|wanted| given.key.asks(wanted))?;
            if book::stands_at(&wanted) != (given.phase, given.revision) {
                return None;
            }
            let (asked, view, offered) = match wanted.asked {
                Asked::Decision(standing) => {
                    let offered = offers::write(table.offers(seat)?);
                    (
                        lease::Asked::Decision(standing.decision?),
                        table.briefing(seat),
                        Some(offered),
                    )
                }
                Asked::Vote(vote) => {
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
            Some((table.may_work(&given.player_id), lease, table.entry(), reader))
        });
        let made = made.await;
        drop(turn);
        let Some((may_work, mut lease, last, reader)) = made? else { return Ok(None) };
        if !may_work {
            self.book().bar(&given.key, given.worker);
            return Ok(None);
        }
        if given.key.vote > 0 {
            return Ok(Some(lease));
        }
        lease.recent = live::newest_events(host, game_id, &reader, last, RECENT).await?;
        Ok(Some(lease))
    }

    fn drop_lease(&self, host: &Host, lease: LeaseRef, rest: Millis) {
        self.book().give_back(lease.lease_id, host.moment() + rest);
        self.assign();
    }

    /// Takes expired leases back and gives them to others.
    fn sweep(&self, host: &Arc<Host>) {
        let expired = if on(Planted::LeaseNeverExpires) {
            book::Taken::new()
        } else {
            self.book().expire(host.moment())
        };
        if !expired.is_empty() {
            mark("a lease expired");
        }
        revoke(expired, RevokeReason::Expired);
        self.assign();
        let over = self.book().take_over();
        if over.is_empty() {
            return;
        }
        let host = Arc::clone(host);
        crate::lasting::spawn(async move {
            if let Some(shared) = host.store.shared() {
                host.automation.tell_ended(shared, over).await;
            }
        });
    }

    /// Brings games that wait for automation into memory while workers have time; answers where to
    /// continue.
    async fn feed(&self, host: &Host, after: String) -> String {
        let (has_workers, has_time) = {
            let book = self.book();
            (book.has_workers(), book.has_time(host.moment()))
        };
        if !has_workers {
            return after;
        }
        let page = if has_time { FEED_PAGE } else { FEED_PAGE_BUSY };
        let Ok(games) = host.store().wanting(&after, page).await else { return after };
        let end = games.len() < page;
        let last = games.last().cloned().unwrap_or_default();
        for game_id in games {
            // Coming into memory is enough: the game then says what it wants.
            if !self.book().knows(&game_id)
                && let Err(fault) = host.read(&game_id, |_| ()).await
            {
                seldom!(warn, %game_id, %fault, "a game that waits for automation cannot be \
                    loaded");
            }
        }
        if end { String::new() } else { last }
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl WorkerPass {
    fn automation(&self) -> &Automation {
        &self.host.automation
    }

    /// Prolongs a lease; says what to tell the worker.
    pub async fn renew(&self, lease: Option<LeaseRef>) -> WorkResponse {
        let lease = lease.unwrap_or_default();
        let lasting = self.automation().lasting();
        let expires = self.automation().book().renew(self.id, lease, self.host.moment(), lasting);
        let Some(expires) = expires else {
            // It may have lasted as long as any lease may: then somebody else is asked.
            self.automation().assign();
            return lost(lease);
        };
        if !self.automation().prolong(lease.fence).await {
            self.automation().drop_lease(&self.host, lease, ELSEWHERE);
            return lost(lease);
        }
        let renewed = Renewed {
            lease: Some(lease),
            expire_time: Some(timestamp(self.host.time().at(expires))),
        };
        WorkResponse { message: Some(Say::Renewed(renewed)) }
    }

    /// Gives a lease back unanswered.
    pub fn give_back(&self, given_back: &GiveBack) {
        let lease = given_back.lease.unwrap_or_default();
        if self.automation().book().held(self.id, lease).is_none() {
            return;
        }
        metrics::counter!("heliopause_leases_returned_total").increment(1);
        let reason = &given_back.reason;
        seldom!(warn, lease = lease.lease_id, reason, "a worker gave a decision back");
        match given_back.cause() {
            GiveBackCause::Unspecified => {
                let why = format!("A worker gave it back: {reason}");
                let failed = self.automation().book().fail(lease.lease_id, &why, self.host.now());
                if let Failed::Stays(_) | Failed::Gone = failed {
                    return self.automation().drop_lease(&self.host, lease, COOL_DOWN);
                }
                self.automation().settle_failed(failed, &why);
            }
            GiveBackCause::Busy => {
                self.automation().book().rest(self.id, self.host.moment() + BUSY);
                self.automation().drop_lease(&self.host, lease, 0);
            }
            // It has no time any more, however long it takes to go.
            GiveBackCause::Stopping => {
                self.automation().book().rest(self.id, Moment::NEVER);
                self.automation().drop_lease(&self.host, lease, 0);
            }
        }
    }

    /// Takes an answer and tells the worker the result. Only then does the room that it made go to
    /// another lease.
    pub async fn answer(&self, answer: Answer) {
        let lease = answer.lease.unwrap_or_default();
        let held = self.automation().book().begin_answer(self.id, lease);
        let Some(held) = held else {
            mark("a lease was lost while its answer was on the way");
            return self.say(lost(lease)).await;
        };
        match self.take(&held, answer).await {
            Ok(done) => {
                let (taken, refused) = lists::taken(&done.entry);
                let accepted = Accepted { lease: Some(lease), taken, refused };
                self.say(WorkResponse { message: Some(Say::Accepted(accepted)) }).await;
                self.automation().book().answered(lease.lease_id);
                self.automation().assign();
            }
            Err(fault) if is_overtaken(&fault) => {
                mark("an answer was overtaken");
                self.lose(lease, 0).await;
            }
            // That is no fault of the worker, nor of the answer: the same is asked again.
            Err(fault) if is_passing(&fault) && !on(Planted::WorkerBlamed) => {
                mark("an answer could not be kept");
                self.lose(lease, COOL_DOWN).await;
            }
            Err(fault) => self.refuse(lease, &fault).await,
        }
    }

    /// Tells the worker that it has lost a lease, before it gets another. The decision rests for so
    /// long.
    async fn lose(&self, lease: LeaseRef, rest: Millis) {
        self.say(lost(lease)).await;
        self.automation().drop_lease(&self.host, lease, rest);
    }

    async fn say(&self, response: WorkResponse) {
        if self.mailbox.send(response).await.is_err() {
            // Its pass strikes it off and gives its leases on.
            tracing::debug!("a worker left before it was answered");
        }
    }

    async fn take(&self, held: &Held, answer: Answer) -> Result<live::Done, Fault> {
        let host = &self.host;
        let kind = host.peek(&held.key.game_id, |table| {
            let wanted = table.wanted().into_iter().find(|wanted| held.key.asks(wanted));
            let gone = || Fault::new(ErrorReason::LeaseLost, "This is not asked any more.");
            let wanted = wanted.ok_or_else(gone)?;
            match &wanted.asked {
                Asked::Decision(_) => {
                    orders_given(table, held, &wanted, answer).map(step::Kind::OrdersGiven)
                }
                Asked::Vote(vote) => voice(vote, &wanted, &answer).map(step::Kind::VoteCast),
            }
        });
        let kind = Some(kind.await??);
        host.take(&held.key.game_id, Step { by: held.player_id.clone(), kind, ..Step::default() })
            .await
    }

    /// Tells the worker that its answer was refused. Only then others are asked.
    async fn refuse(&self, lease: LeaseRef, fault: &Fault) {
        let failed = self.automation().book().fail(lease.lease_id, &fault.message, self.host.now());
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

/// The step of an answer to a decision: the orders of a lease's worker, for the leased seat.
fn orders_given(
    table: &Table,
    held: &Held,
    wanted: &Wanted,
    answer: Answer,
) -> Result<OrdersGiven, Fault> {
    if answer.vote.is_some() {
        return Err(Fault::field("vote", "Orders are asked for, not a voice."));
    }
    let given = answer.orders.unwrap_or_default();
    let mut orders = given.orders;
    if !given.text.is_empty() {
        orders.extend(table.parse(Some(wanted.seat), &given.text)?);
    }
    // It would decide nothing, and the same would be asked again at once.
    if orders.is_empty() && !(answer.ready && table.may_revise(wanted.seat)) {
        let text = "A decision is answered with orders; without any only one that may be revised, \
            by the ready mark.";
        return Err(Fault::field("orders", text));
    }
    let messages = answer.messages.into_iter().map(|written| MessageSent {
        to_seats: written.to_seats,
        text: written.text,
        ..MessageSent::default()
    });
    Ok(OrdersGiven {
        seat: wanted.seat.number(),
        // The lease, not the present state, says which decision this answers.
        phase: held.phase,
        revision: held.revision,
        orders,
        ready: answer.ready,
        automation: wanted.answered_by(),
        memo: answer.memo,
        messages: messages.collect(),
    })
}

/// The step of an answer to a vote.
fn voice(vote: &Vote, wanted: &Wanted, answer: &Answer) -> Result<VoteCast, Fault> {
    let orders = answer
        .orders
        .as_ref()
        .is_some_and(|orders| !orders.orders.is_empty() || !orders.text.is_empty());
    match answer.vote {
        None => Err(Fault::field("vote", "A vote is asked about: say yes or no.")),
        Some(_)
            if orders || answer.ready || answer.memo.is_some() || !answer.messages.is_empty() =>
        {
            Err(Fault::field("vote", "In a vote a seat says yes or no, and nothing else."))
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
        if !on(Planted::WorkerNotStruckOff) {
            self.automation().book().strike_off(self.id, self.host.now());
        }
        metrics::gauge!("heliopause_workers").decrement(1.0);
        self.automation().assign();
        self.automation().tell_of_workers();
    }
}

fn send_leases(host: &Arc<Host>, given: Vec<Given>) {
    for given in given {
        let host = host.clone();
        crate::lasting::spawn(async move { host.automation.send_lease(&host, given).await });
    }
}

/// Tells workers of leases that are not theirs any more.
fn revoke(revoked: book::Taken, reason: RevokeReason) {
    for (lease, mailbox) in revoked {
        let revoked = Revoked { lease: Some(lease), reason: reason.into() };
        // A worker whose mailbox is full learns it from the answer to its answer.
        drop(mailbox.try_send(WorkResponse { message: Some(Say::Revoked(revoked)) }));
    }
}

fn lost(lease: LeaseRef) -> WorkResponse {
    let reason = RevokeReason::NotHeld.into();
    WorkResponse { message: Some(Say::Revoked(Revoked { lease: Some(lease), reason })) }
}

/// Whether an answer came too late: the decision was closed, changed or answered in between.
fn is_overtaken(fault: &Fault) -> bool {
    use ErrorReason::{GameNotFound, LeaseLost, PhaseClosed, StaleRevision, WrongStatus};
    matches!(fault.reason, LeaseLost | PhaseClosed | StaleRevision | WrongStatus | GameNotFound)
}

/// Whether an answer failed for a reason that passes, and that lies here.
fn is_passing(fault: &Fault) -> bool {
    use ErrorReason::{Draining, JournalUnavailable, LostRace, Overloaded};
    matches!(fault.reason, Draining | JournalUnavailable | LostRace | Overloaded)
}
