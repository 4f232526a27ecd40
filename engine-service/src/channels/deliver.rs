//! Delivery of notices. An engine claims notices from the store, sends them to the subscribed
//! channels, and retries until the receiver accepts them.
//!
//! A notice can arrive twice, with the same id, if an engine dies before it records the delivery,
//! or if the delivery takes longer than [`CLAIM`].

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};
use std::time::Duration;

use heliopause_proto::store::v1::{
    GameNews, NoticeBook, OutgoingNotice, StoredChannel, outgoing_notice,
};
use heliopause_proto::v1::notice_channel::Target as To;
use heliopause_proto::v1::{GameStatus, NoticeChannelState, NoticeKind};
use prost::Message as _;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::delivery_limits::DeliveryPermit;
use super::templates::ReadyNotice;
use super::webhook::{Target, Undelivered};
use super::{Channels, book, mail, millis};
use crate::host::{Host, id_of, timestamp};
use crate::log_throttle::throttled;
use crate::random;
use crate::store::{Millis, Outgoing, Result, StoreError};

/// The time for which a sender's claim to a notice is valid. A delivery attempt takes less time.
const CLAIM: Millis = 30_000;
const DELIVERIES_MAX: usize = 64;
/// The delay of a notice whose player, webhook host or mailbox has too many deliveries in progress.
const BUSY_DELAY: Millis = 1_000;
/// The delay of a notice whose delivery method is turned off in this engine. Another engine may
/// deliver it.
const TURNED_OFF_DELAY: Millis = 10 * 60 * 1_000;
/// The maximum number of attempts, the delay after the first failed attempt, and the maximum delay.
const ATTEMPTS: u32 = 12;
const WAIT: Millis = 5_000;
const WAIT_MAX: Millis = 60 * 60 * 1_000;
const STALE_AFTER: Millis = 24 * 60 * 60 * 1_000;
/// The poll intervals: usual, after a failure, and minimum.
const POLL_INTERVAL: Duration = Duration::from_secs(10);
const RETRY_INTERVAL: Duration = Duration::from_secs(2);
const MIN_POLL_INTERVAL: Duration = Duration::from_millis(20);
/// The precision of a channel's success time, and the minimum interval between emails to a mailbox.
const RECORD_INTERVAL: Millis = 60_000;
const MAIL_INTERVAL: Millis = RECORD_INTERVAL;

/// Starts delivering notices until the host drains or is dropped. Does nothing if the operator has
/// enabled neither webhooks nor email.
pub(crate) fn start(channels: Arc<Channels>, host: &Arc<Host>) {
    if channels.are_on() {
        tokio::spawn(deliver(channels, Arc::downgrade(host)));
    }
}

async fn deliver(channels: Arc<Channels>, host: Weak<Host>) {
    let slots = Arc::new(Semaphore::new(DELIVERIES_MAX));
    let mut under_way = JoinSet::new();
    loop {
        let Some(host) = host.upgrade() else { return };
        let now = host.now();
        let claimed = match slots.available_permits() {
            0 => Ok(Vec::new()),
            free => channels.store.claim_outgoing(now, now + CLAIM, free).await,
        };
        let wait = match claimed {
            Ok(claimed) => {
                for (_, group) in grouped(claimed) {
                    let channels = Arc::clone(&channels);
                    let slot = Arc::clone(&slots).try_acquire_owned();
                    under_way.spawn(async move {
                        let _slot = slot;
                        channels.deliver_group(group).await;
                    });
                }
                channels.next_poll(now).await
            }
            Err(error) => {
                throttled!(warn, %error, "notices cannot be read; retrying later");
                RETRY_INTERVAL
            }
        };
        tokio::time::sleep(MIN_POLL_INTERVAL).await;
        let has_room = slots.available_permits() > 0;
        tokio::select! {
            () = tokio::time::sleep(wait), if has_room => {}
            () = host.leaving().notified(), if has_room => {}
            () = channels.wake.notified(), if has_room => {}
            Some(ended) = under_way.join_next() => note_panic(ended),
            () = host.drained() => return,
        }
    }
}

fn note_panic(ended: Result<(), tokio::task::JoinError>) {
    if let Err(error) = ended {
        tracing::error!(%error, "a task that sends notices panicked");
    }
}

fn grouped(claimed: Vec<Outgoing>) -> BTreeMap<(String, String), Vec<Outgoing>> {
    let mut groups: BTreeMap<(String, String), Vec<Outgoing>> = BTreeMap::new();
    for outgoing in claimed {
        let key = (outgoing.player_id.clone(), outgoing.channel_id.clone());
        groups.entry(key).or_default().push(outgoing);
    }
    groups
}

#[derive(Default)]
struct DeliveryResults {
    gone: Vec<(String, String)>,
    put: Vec<Outgoing>,
}

impl DeliveryResults {
    fn gone(&mut self, outgoing: &Outgoing) {
        self.gone.push((outgoing.id.clone(), outgoing.channel_id.clone()));
    }

    fn dropped(&mut self, outgoing: &Outgoing, why: &'static str) {
        metrics::counter!("heliopause_notices_dropped_total", "why" => why).increment(1);
        self.gone(outgoing);
    }

    fn writes(&mut self) -> Vec<Outgoing> {
        let mut places = BTreeMap::new();
        for outgoing in self.put.drain(..) {
            places.insert((outgoing.id.clone(), outgoing.channel_id.clone()), outgoing);
        }
        places.into_values().collect()
    }

    fn all_dropped(group: &[Outgoing], why: &'static str) -> Self {
        let mut results = Self::default();
        for outgoing in group {
            results.dropped(outgoing, why);
        }
        results
    }

    fn all_later(group: &[Outgoing], due: Millis) -> Self {
        let put = group.iter().map(|outgoing| Outgoing { due, ..outgoing.clone() });
        Self { put: put.collect(), ..Self::default() }
    }

    fn later(&mut self, outgoing: &Outgoing, due: Millis) {
        self.put.push(Outgoing { due, ..outgoing.clone() });
    }
}

enum Action {
    ReadyNotice(Box<ReadyNotice>),
    Code { code: String, player: String },
    Later(Millis, GameNews),
    TurnedOff,
    Dropped(&'static str),
}

impl Channels {
    async fn next_poll(&self, now: Millis) -> Duration {
        let Ok((waiting, next)) = self.store.outgoing().await else { return RETRY_INTERVAL };
        metrics::gauge!("heliopause_notices_waiting")
            .set(f64::from(u32::try_from(waiting).unwrap_or(u32::MAX)));
        let next =
            next.map_or(POLL_INTERVAL, |next| Duration::from_millis((next - now).max(0) as u64));
        next.min(POLL_INTERVAL)
    }

    async fn deliver_group(&self, group: Vec<Outgoing>) {
        let mut results = match self.settle(&group).await {
            Ok(results) => results,
            // The notices are due again when the claim expires.
            Err(error) => return throttled!(warn, %error, "notices cannot be sent; retrying later"),
        };
        let put = results.writes();
        if let Err(error) = self.store.update_outgoing(results.gone, put).await {
            throttled!(warn, %error, "results of notices cannot be stored; the notices will be \
                sent again");
        }
    }

    async fn settle(&self, group: &[Outgoing]) -> Result<DeliveryResults> {
        let mut results = DeliveryResults::default();
        let Some(first) = group.first() else { return Ok(results) };
        let now = self.time.now();
        let Some(_place) = self.delivery_limits.acquire_for_player(&first.player_id) else {
            return Ok(DeliveryResults::all_later(group, now + BUSY_DELAY));
        };
        if !self.is_account_active(&first.player_id).await? {
            return Ok(DeliveryResults::all_dropped(group, "the account is closed"));
        }
        if first.channel_id.is_empty() {
            let (_, book) = book::read(&*self.store, &first.player_id).await?;
            for outgoing in group {
                results.gone(outgoing);
                results.put.extend(notices_for_channels(outgoing, &book, now));
            }
            return Ok(results);
        }
        let removed = || Ok(DeliveryResults::all_dropped(group, "the channel was removed"));
        let Some((_, stored)) = self.channel_of(first).await? else { return removed() };
        let Some(_receiver_place) = self.acquire_receiver(&stored) else {
            return Ok(DeliveryResults::all_later(group, now + BUSY_DELAY));
        };
        // Read the channel again: an email may have been sent in the meantime.
        let Some((book, stored)) = self.channel_of(first).await? else { return removed() };
        let now = self.time.now();
        let rest = next_mail(&stored, now);
        if rest > now {
            return Ok(DeliveryResults::all_later(group, rest));
        }
        self.send(group, &book, &stored, &mut results).await?;
        Ok(results)
    }

    async fn channel_of(&self, outgoing: &Outgoing) -> Result<Option<(NoticeBook, StoredChannel)>> {
        let (_, mut book) = book::read(&*self.store, &outgoing.player_id).await?;
        let stored = book::channel(&mut book, &outgoing.channel_id).cloned();
        Ok(stored.map(|stored| (book, stored)))
    }

    fn acquire_receiver(&self, stored: &StoredChannel) -> Option<DeliveryPermit> {
        match host_of(stored) {
            Some(host) => self.delivery_limits.acquire_for_host(&host),
            None => self.delivery_limits.acquire_for_mailbox(book::id(stored)),
        }
    }

    fn is_turned_on(&self, stored: &StoredChannel) -> bool {
        if is_mail(stored) { self.mail.is_some() } else { self.webhooks.is_some() }
    }

    async fn is_account_active(&self, player_id: &str) -> Result<bool> {
        match self.store.account(player_id).await {
            Ok(account) => Ok(!account.banned && !account.name.is_empty()),
            Err(StoreError::NotFound) => Ok(false),
            Err(error) => Err(error),
        }
    }

    async fn send(
        &self,
        group: &[Outgoing],
        book: &NoticeBook,
        stored: &StoredChannel,
        results: &mut DeliveryResults,
    ) -> Result<()> {
        let now = self.time.now();
        let mut ready: Vec<(&Outgoing, ReadyNotice)> = Vec::new();
        for outgoing in group {
            match self.check(outgoing, book, stored, now).await? {
                Action::ReadyNotice(told) => ready.push((outgoing, *told)),
                Action::Code { code, player } => {
                    self.deliver_code(outgoing, stored, &code, &player, results).await;
                }
                Action::Later(due, news) => {
                    let body = encoded(news, due);
                    results.put.push(Outgoing { due, body, ..outgoing.clone() });
                }
                Action::TurnedOff => results.later(outgoing, now + TURNED_OFF_DELAY),
                Action::Dropped(why) => results.dropped(outgoing, why),
            }
        }
        ready.sort_by_key(|(_, told)| told.time);
        let by_mail = is_mail(stored);
        let size = if by_mail { ready.len().max(1) } else { 1 };
        let mut parts = ready.chunks(size);
        while let Some(part) = parts.next() {
            let told: Vec<ReadyNotice> = part.iter().map(|(_, told)| told.clone()).collect();
            let done = self.send_notices(stored, &told).await;
            let outgoing: Vec<&Outgoing> = part.iter().map(|(outgoing, _)| *outgoing).collect();
            let failed = done.is_err();
            self.record(done, &outgoing, stored, results).await;
            // After a failure, the remaining notices would probably fail slowly too. Stop at half
            // of the claim's time, because another engine may send them after the claim has
            // expired.
            if failed || self.time.now() - now > CLAIM / 2 {
                let wait = if failed { WAIT } else { 0 };
                for (outgoing, _) in parts.flatten() {
                    results.later(outgoing, self.time.now() + wait);
                }
                break;
            }
        }
        Ok(())
    }

    async fn deliver_code(
        &self,
        outgoing: &Outgoing,
        stored: &StoredChannel,
        code: &str,
        player: &str,
        results: &mut DeliveryResults,
    ) {
        let done = match (book::target(stored), &self.mail) {
            (Some(To::Mail(to)), Some(mail)) => {
                mail.send(&to.address, mail::code(code, player, &outgoing.id)).await
            }
            _ => Err(Undelivered::because("The operator has disabled email.")),
        };
        self.record(done, &[outgoing], stored, results).await;
    }

    async fn record(
        &self,
        done: Result<(), Undelivered>,
        group: &[&Outgoing],
        stored: &StoredChannel,
        results: &mut DeliveryResults,
    ) {
        let by = match book::target(stored) {
            Some(To::Mail(_)) => "mail",
            Some(To::Push(_)) => "push",
            Some(To::Webhook(_)) | None => "webhook",
        };
        let Some(player_id) = group.first().map(|outgoing| outgoing.player_id.as_str()) else {
            return;
        };
        let channel_id = book::id(stored);
        let undelivered = match done {
            Ok(()) => {
                metrics::counter!("heliopause_notices_sent_total", "by" => by)
                    .increment(group.len() as u64);
                for outgoing in group {
                    results.gone(outgoing);
                }
                if !book::is_active(stored) {
                    // This delivery was a confirmation code, not a notice.
                    return;
                }
                return self.record_outcome(player_id, channel_id, None, None).await;
            }
            Err(undelivered) => undelivered,
        };
        metrics::counter!("heliopause_notices_failed_total", "by" => by).increment(1);
        tracing::debug!(channel_id, why = undelivered.why, "a notice was not accepted");
        let mut off = undelivered.gone.then(|| undelivered.why.clone());
        let now = self.time.now();
        for outgoing in group {
            let attempts = outgoing.attempts + 1;
            if attempts >= ATTEMPTS {
                let why = format!("Sending a notice failed {ATTEMPTS} times. {}", undelivered.why);
                off.get_or_insert(why);
            }
            if off.is_some() {
                results.dropped(outgoing, "the receiver rejected it");
                continue;
            }
            let asked = undelivered.wait.map_or(0, |wait| wait.as_millis() as Millis);
            let due = now + wait_after(attempts, random::byte()).max(asked);
            results.put.push(Outgoing { due, attempts, ..(*outgoing).clone() });
        }
        self.record_outcome(player_id, channel_id, Some(&undelivered), off).await;
    }

    /// Records the result of an attempt in the channel. Turns an active channel off if `off`
    /// contains a reason.
    pub(super) async fn record_outcome(
        &self,
        player_id: &str,
        channel_id: &str,
        undelivered: Option<&Undelivered>,
        off: Option<String>,
    ) {
        let now = self.time.now();
        let noted = book::change(&*self.store, player_id, |book| {
            let Some(stored) = book::channel(book, channel_id) else { return Ok(()) };
            let channel = stored.channel.get_or_insert_default();
            match undelivered {
                None => {
                    let last = channel.success_time.as_ref().map_or(0, millis);
                    let failed = channel.failure_time.as_ref().is_some_and(|at| millis(at) > last);
                    if failed || now - last >= RECORD_INTERVAL {
                        channel.success_time = Some(timestamp(now));
                    }
                }
                Some(undelivered) => {
                    channel.failure_time = Some(timestamp(now));
                    channel.failure.clone_from(&undelivered.why);
                }
            }
            if let Some(why) = &off
                && channel.state() == NoticeChannelState::Active
            {
                metrics::counter!("heliopause_notice_channels_off_total").increment(1);
                channel.set_state(NoticeChannelState::Off);
                channel.off_because.clone_from(why);
            }
            Ok(())
        });
        if let Err(error) = noted.await {
            throttled!(warn, %error, "the result of a notice cannot be stored in its channel");
        }
    }

    async fn check(
        &self,
        outgoing: &Outgoing,
        book: &NoticeBook,
        stored: &StoredChannel,
        now: Millis,
    ) -> Result<Action> {
        let Ok(notice) = OutgoingNotice::decode(outgoing.body.clone()) else {
            return Ok(Action::Dropped("it cannot be read"));
        };
        let time = notice.time.as_ref().map_or(0, millis);
        let is_stale = now - time > STALE_AFTER + digest_of(stored);
        let news = match notice.what {
            _ if is_stale => return Ok(Action::Dropped("it is too old")),
            _ if !self.is_turned_on(stored) => return Ok(Action::TurnedOff),
            Some(outgoing_notice::What::News(news)) => news,
            Some(outgoing_notice::What::Code(code)) => {
                let waits = stored.code == code.code && !stored.code.is_empty();
                return Ok(if waits {
                    Action::Code { code: code.code, player: code.player }
                } else {
                    Action::Dropped("its code is no longer valid")
                });
            }
            None => return Ok(Action::Dropped("it cannot be read")),
        };
        self.check_news(outgoing, news, time, book, stored, now).await
    }

    async fn check_news(
        &self,
        outgoing: &Outgoing,
        news: GameNews,
        time: Millis,
        book: &NoticeBook,
        stored: &StoredChannel,
        now: Millis,
    ) -> Result<Action> {
        if !book::is_active(stored) {
            return Ok(Action::Dropped("the channel is off"));
        }
        if book::is_muted(book, &news.game_id, news.kind()) {
            return Ok(Action::Dropped("the game is muted"));
        }
        let mut told = ReadyNotice { id: outgoing.id.clone(), news: news.clone(), time };
        let is_gathered = digest_of(stored) > 0;
        match news.kind() {
            NoticeKind::DeadlineNear => {
                let OpenDecision::Until(Some(deadline)) =
                    self.open_decision(outgoing, &news).await?
                else {
                    return Ok(Action::Dropped("the decision is no longer pending"));
                };
                let due = deadline - warn_before(stored);
                if due > now + BUSY_DELAY {
                    let due_time = Some(timestamp(deadline));
                    return Ok(Action::Later(due, GameNews { due_time, ..news }));
                }
                // Include the deadline, so that the warning of each deadline has a separate id.
                let words = [b"heliopause warned", outgoing.id.as_bytes(), &deadline.to_be_bytes()];
                told.id = id_of(&words);
                told.news.text = format!("{} left for your decision.", left(deadline - now));
                told.news.due_time = Some(timestamp(deadline));
            }
            NoticeKind::YourDecision if is_gathered => {
                if matches!(self.open_decision(outgoing, &news).await?, OpenDecision::Nothing) {
                    return Ok(Action::Dropped("the decision is no longer pending"));
                }
            }
            _ => {}
        }
        Ok(Action::ReadyNotice(Box::new(told)))
    }

    async fn open_decision(&self, outgoing: &Outgoing, news: &GameNews) -> Result<OpenDecision> {
        let row = match self.store.game(&news.game_id).await {
            Err(StoreError::NotFound) => return Ok(OpenDecision::Nothing),
            row => row?,
        };
        let theirs = row.members.iter().find(|member| {
            member.player_id == outgoing.player_id
                && member.seat == news.seat
                && member.your_decision
        });
        Ok(match theirs {
            Some(member) if row.status == GameStatus::Running as i32 => {
                OpenDecision::Until(member.deadline)
            }
            _ => OpenDecision::Nothing,
        })
    }
}

enum OpenDecision {
    Nothing,
    Until(Option<Millis>),
}

fn is_mail(stored: &StoredChannel) -> bool {
    matches!(book::target(stored), Some(To::Mail(_)))
}

fn host_of(stored: &StoredChannel) -> Option<String> {
    let host = |url: &str| Some(Target::of(url, true).ok()?.host.to_lowercase());
    match book::target(stored)? {
        To::Webhook(hook) => host(&hook.url),
        To::Push(_) => host(&stored.subscription.as_ref()?.endpoint),
        To::Mail(_) => None,
    }
}

/// Returns the earliest time of the next delivery, which is `now` for a webhook. The interval
/// between emails lets one email combine several notices.
fn next_mail(stored: &StoredChannel, now: Millis) -> Millis {
    let last = stored.channel.as_ref().and_then(|channel| channel.success_time.as_ref());
    match last.map(millis) {
        Some(last) if is_mail(stored) && last <= now => last + MAIL_INTERVAL,
        _ => now,
    }
}

fn digest_of(stored: &StoredChannel) -> Millis {
    let digest = book::settings(stored).and_then(|settings| settings.digest.as_ref());
    digest.map_or(0, |digest| digest.seconds * 1_000)
}

fn warn_before(stored: &StoredChannel) -> Millis {
    let before = book::settings(stored).and_then(|settings| settings.warn_before.as_ref());
    before.map_or(0, |before| before.seconds * 1_000)
}

fn next_delivery(stored: &StoredChannel, now: Millis) -> Millis {
    let made = stored.channel.as_ref().and_then(|channel| channel.create_time.as_ref());
    match (digest_of(stored), made.map_or(0, millis)) {
        (0, _) => now,
        (every, made) => made + ((now - made).div_euclid(every) + 1) * every,
    }
}

/// Returns a copy of a notice for each active channel that subscribes to its kind, and the
/// channels' deadline warnings. Skips the kinds that the player has muted in the game.
fn notices_for_channels(outgoing: &Outgoing, book: &NoticeBook, now: Millis) -> Vec<Outgoing> {
    let Ok(notice) = OutgoingNotice::decode(outgoing.body.clone()) else { return Vec::new() };
    let Some(outgoing_notice::What::News(news)) = notice.what else { return Vec::new() };
    let kind = news.kind();
    let mut handed = Vec::new();
    for stored in book.channels.iter().filter(|stored| book::is_active(stored)) {
        let channel_id = book::id(stored).to_owned();
        let is_muted = book::is_muted(book, &news.game_id, kind);
        // A changed deadline causes only a warning.
        if kind != NoticeKind::DeadlineNear && !is_muted && book::wants(stored, kind) {
            let due = next_delivery(stored, now);
            handed.push(Outgoing { channel_id: channel_id.clone(), due, ..outgoing.clone() });
        }
        let may_warn = matches!(kind, NoticeKind::YourDecision | NoticeKind::DeadlineNear)
            && book::wants(stored, NoticeKind::DeadlineNear)
            && !book::is_muted(book, &news.game_id, NoticeKind::DeadlineNear);
        if may_warn && let Some(due) = warning_due(&news, stored, now) {
            handed.push(warning(outgoing, &news, channel_id, due));
        }
    }
    handed
}

/// Returns the time of a deadline's warning. If less than the warning time is left, returns `now`
/// for a moved deadline, but `None` for a new decision, whose notice is warning enough. Returns
/// `None` also if there is no deadline or a moved deadline has passed.
fn warning_due(news: &GameNews, stored: &StoredChannel, now: Millis) -> Option<Millis> {
    let deadline = news.due_time.as_ref().map(millis)?;
    let due = deadline - warn_before(stored);
    if due > now {
        return Some(due);
    }
    (news.kind() == NoticeKind::DeadlineNear && deadline > now).then_some(now)
}

/// Creates a warning. It replaces the channel's earlier warning for the same seat, because both
/// have the same id.
fn warning(outgoing: &Outgoing, news: &GameNews, channel_id: String, due: Millis) -> Outgoing {
    let words: [&[u8]; 4] = [
        b"heliopause warning",
        news.game_id.as_bytes(),
        &news.seat.to_be_bytes(),
        outgoing.player_id.as_bytes(),
    ];
    let id = id_of(&words);
    let kind = NoticeKind::DeadlineNear.into();
    let news = GameNews { text: String::new(), kind, ..news.clone() };
    let body = encoded(news, due);
    let player_id = outgoing.player_id.clone();
    Outgoing { id, player_id, channel_id, due, attempts: 0, body }
}

fn encoded(news: GameNews, time: Millis) -> bytes::Bytes {
    let what = Some(outgoing_notice::What::News(news));
    OutgoingNotice { what, time: Some(timestamp(time)) }.encode_to_vec().into()
}

/// Returns the delay after a failed attempt. The delay quadruples with each attempt, up to
/// [`WAIT_MAX`]. `chance` adds up to a quarter.
fn wait_after(attempts: u32, chance: u8) -> Millis {
    let wait = WAIT.saturating_mul(4_i64.saturating_pow(attempts.saturating_sub(1))).min(WAIT_MAX);
    wait + wait * Millis::from(chance) / 1_024
}

fn left(time: Millis) -> String {
    let minutes = time / 60_000;
    match minutes {
        ..=0 => "Less than a minute".to_owned(),
        1 => "1 minute".to_owned(),
        2..=119 => format!("{minutes} minutes"),
        120..=2_879 => format!("{} hours", (minutes + 1) / 60),
        _ => format!("{} days", (minutes + 1) / 1_440),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heliopause_proto::v1::{MutedGame, NoticeChannel, NoticeSettings};

    fn channel(id: &str, kinds: &[NoticeKind], digest: i64) -> StoredChannel {
        let length = |seconds| Some(prost_types::Duration { seconds, nanos: 0 });
        let settings = NoticeSettings {
            kinds: kinds.iter().map(|&kind| kind.into()).collect(),
            warn_before: length(60),
            digest: length(digest),
        };
        let channel = NoticeChannel {
            channel_id: id.to_owned(),
            settings: Some(settings),
            create_time: Some(timestamp(500)),
            state: NoticeChannelState::Active.into(),
            ..NoticeChannel::default()
        };
        StoredChannel { channel: Some(channel), ..StoredChannel::default() }
    }

    fn outgoing(kind: NoticeKind, deadline: Option<Millis>) -> Outgoing {
        let news = GameNews {
            game_id: "g".to_owned(),
            seat: 1,
            kind: kind.into(),
            due_time: deadline.map(timestamp),
            ..GameNews::default()
        };
        let (id, player_id, channel_id) = ("n".to_owned(), "p".to_owned(), String::new());
        Outgoing { id, player_id, channel_id, due: 0, attempts: 0, body: encoded(news, 0) }
    }

    fn handed(channels: Vec<StoredChannel>, outgoing: &Outgoing) -> Vec<(String, String, Millis)> {
        let book = NoticeBook { channels, ..NoticeBook::default() };
        let handed = notices_for_channels(outgoing, &book, 1_000);
        handed.into_iter().map(|one| (one.id, one.channel_id, one.due)).collect()
    }

    #[test]
    fn notice_goes_to_the_subscribed_channels() {
        use NoticeKind::{Ended, Message};
        let mut off = channel("off", &[Ended], 0);
        off.channel.as_mut().unwrap().set_state(NoticeChannelState::Off);
        let channels = vec![
            channel("a", &[Ended], 0),
            channel("b", &[Message], 0),
            channel("c", &[Ended], 2),
            off,
        ];
        let handed = handed(channels, &outgoing(Ended, None));
        let wanted = [("n", "a", 1_000), ("n", "c", 2_500)];
        let wanted = wanted.map(|(id, to, due)| (id.to_owned(), to.to_owned(), due));
        assert_eq!(handed, wanted, "digest times count from the channel's creation");
    }

    #[test]
    fn warning_waits_until_due_and_is_replaced_by_the_next() {
        use NoticeKind::{DeadlineNear, YourDecision};
        let channels = || vec![channel("a", &[DeadlineNear], 0)];
        let first = handed(channels(), &outgoing(YourDecision, Some(100_000)));
        assert_eq!(first.len(), 1);
        assert_eq!(first[0].2, 40_000);
        let moved = handed(channels(), &outgoing(DeadlineNear, Some(200_000)));
        assert_eq!((&moved[0].0, moved[0].2), (&first[0].0, 140_000));
        assert_eq!(handed(channels(), &outgoing(YourDecision, Some(50_000))), []);
        assert_eq!(handed(channels(), &outgoing(DeadlineNear, Some(50_000)))[0].2, 1_000);
        assert_eq!(handed(channels(), &outgoing(DeadlineNear, None)), []);
    }

    #[test]
    fn muted_game_sends_no_notices_of_the_muted_kinds() {
        use NoticeKind::{DeadlineNear, YourDecision};
        let channels = vec![channel("a", &[YourDecision, DeadlineNear], 0)];
        let silent = |game_id: &str, kinds: &[NoticeKind]| {
            let kinds = kinds.iter().map(|&kind| kind.into()).collect();
            let muted = vec![MutedGame { game_id: game_id.to_owned(), kinds }];
            let book = NoticeBook { channels: channels.clone(), muted, ..NoticeBook::default() };
            notices_for_channels(&outgoing(YourDecision, Some(100_000)), &book, 1_000).len()
        };
        assert_eq!(silent("h", &[]), 2);
        assert_eq!(silent("g", &[]), 0);
        assert_eq!(silent("g", &[YourDecision]), 1);
        assert_eq!(silent("g", &[DeadlineNear]), 1);
    }

    #[test]
    fn waits_grow_to_an_hour() {
        let waits: Vec<_> = (1..=7).map(|attempts| wait_after(attempts, 0) / 1_000).collect();
        assert_eq!(waits, [5, 20, 80, 320, 1_280, 3_600, 3_600]);
        assert!(wait_after(u32::MAX, 255) < WAIT_MAX * 5 / 4);
    }

    #[test]
    fn time_left_is_formatted_in_words() {
        let hour = 60 * 60 * 1_000;
        assert_eq!(left(6 * hour - 30_000), "6 hours");
        assert_eq!(left(90 * 60_000), "90 minutes");
        assert_eq!(left(500), "Less than a minute");
        assert_eq!(left(72 * hour), "3 days");
    }
}
