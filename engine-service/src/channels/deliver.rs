//! The way of each notice: taken from the store, handed to the channels that want it, and tried
//! until its receiver takes it.
//!
//! An engine that takes a notice has it for [`CLAIM`]; if it dies, the next that looks takes it.
//! So of several engines one sends it, unless that one is slower than the claim or dies between the
//! receiver's answer and its own note: then it comes twice, with the same id.

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

use super::crowd::Place;
use super::templates::Told;
use super::webhook::{Target, Undelivered};
use super::{Channels, book, mail, millis};
use crate::fresh;
use crate::host::{Host, id_of, timestamp};
use crate::seldom::seldom;
use crate::store::{Millis, Outgoing, StoreError};

/// How long whoever takes a notice has it. Attempts are shorter.
const CLAIM: Millis = 30_000;
/// How many are on their way at once.
const TOGETHER: usize = 64;
/// How long a notice waits for its turn if too many are for the same player or host.
const CROWDED: Millis = 1_000;
/// How long one waits that the operator does not let out at present; another engine may.
const TURNED_OFF: Millis = 10 * 60 * 1_000;
/// How often a notice is tried, and how long it waits after the first failure and at most.
const ATTEMPTS: u32 = 12;
const WAIT: Millis = 5_000;
const WAIT_MAX: Millis = 60 * 60 * 1_000;
/// After how long a notice is stale.
const STALE: Millis = 24 * 60 * 60 * 1_000;
/// How often the store is looked at without a cause, and after a failure.
const LOOK_AGAIN: Duration = Duration::from_secs(10);
const REST: Duration = Duration::from_secs(2);
/// The store is looked at no sooner than this after a look.
const PAUSE: Duration = Duration::from_millis(20);
/// How exactly a channel notes when it was reached, and how often a mailbox gets a mail.
const NOTED_EVERY: Millis = 60_000;
const MAIL_EVERY: Millis = NOTED_EVERY;

/// Sends notices as long as the host is there, if the operator lets it.
pub(crate) fn start(channels: Arc<Channels>, host: &Arc<Host>) {
    if channels.are_on() {
        tokio::spawn(deliver(channels, Arc::downgrade(host)));
    }
}

async fn deliver(channels: Arc<Channels>, host: Weak<Host>) {
    let slots = Arc::new(Semaphore::new(TOGETHER));
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
                        channels.work(group).await;
                    });
                }
                channels.look_ahead(now).await
            }
            Err(error) => {
                seldom!(warn, %error, "notices cannot be read; they are sent later");
                REST
            }
        };
        tokio::time::sleep(PAUSE).await;
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
        tracing::error!(%error, "sending a notice failed");
    }
}

/// Notices by player and channel, each group by time.
fn grouped(claimed: Vec<Outgoing>) -> BTreeMap<(String, String), Vec<Outgoing>> {
    let mut groups: BTreeMap<(String, String), Vec<Outgoing>> = BTreeMap::new();
    for outgoing in claimed {
        let key = (outgoing.player_id.clone(), outgoing.channel_id.clone());
        groups.entry(key).or_default().push(outgoing);
    }
    groups
}

/// What becomes of notices.
#[derive(Default)]
struct Settled {
    gone: Vec<(String, String)>,
    put: Vec<Outgoing>,
}

impl Settled {
    fn gone(&mut self, outgoing: &Outgoing) {
        self.gone.push((outgoing.id.clone(), outgoing.channel_id.clone()));
    }

    fn dropped(&mut self, outgoing: &Outgoing, why: &'static str) {
        metrics::counter!("heliopause_notices_dropped_total", "why" => why).increment(1);
        self.gone(outgoing);
    }

    /// What is to be put, each place once: the last word counts.
    fn puts(&mut self) -> Vec<Outgoing> {
        let mut places = BTreeMap::new();
        for outgoing in self.put.drain(..) {
            places.insert((outgoing.id.clone(), outgoing.channel_id.clone()), outgoing);
        }
        places.into_values().collect()
    }

    fn all_dropped(&mut self, group: &[Outgoing], why: &'static str) {
        for outgoing in group {
            self.dropped(outgoing, why);
        }
    }

    fn all_later(&mut self, group: &[Outgoing], due: Millis) {
        for outgoing in group {
            self.later(outgoing, due);
        }
    }

    fn later(&mut self, outgoing: &Outgoing, due: Millis) {
        self.put.push(Outgoing { due, ..outgoing.clone() });
    }
}

/// What a notice of a channel comes to before it is sent.
enum Checked {
    Told(Box<Told>),
    Code {
        code: String,
        player: String,
    },
    Later(Millis, GameNews),
    /// The operator lets nothing out this way.
    Held,
    Dropped(&'static str),
}

impl Channels {
    /// Counts what waits; answers when to look again.
    async fn look_ahead(&self, now: Millis) -> Duration {
        let Ok((waiting, next)) = self.store.outgoing().await else { return REST };
        metrics::gauge!("heliopause_notices_waiting")
            .set(f64::from(u32::try_from(waiting).unwrap_or(u32::MAX)));
        let next =
            next.map_or(LOOK_AGAIN, |next| Duration::from_millis((next - now).max(0) as u64));
        next.min(LOOK_AGAIN)
    }

    /// Does what is to be done with notices of one player and channel.
    async fn work(&self, group: Vec<Outgoing>) {
        let mut settled = match self.settle(&group).await {
            Ok(settled) => settled,
            // They fall due again when the claim ends.
            Err(error) => return seldom!(warn, %error, "notices cannot be sent; they are later"),
        };
        let put = settled.puts();
        if let Err(error) = self.store.settle_outgoing(settled.gone, put).await {
            seldom!(warn, %error, "what came of notices cannot be written; they come again");
        }
    }

    async fn settle(&self, group: &[Outgoing]) -> Result<Settled, StoreError> {
        let mut settled = Settled::default();
        let Some(first) = group.first() else { return Ok(settled) };
        let now = self.time.now();
        let Some(_place) = self.crowd.enter_for(&first.player_id) else {
            settled.all_later(group, now + CROWDED);
            return Ok(settled);
        };
        if !self.may_be_told(&first.player_id).await? {
            settled.all_dropped(group, "the account is closed");
            return Ok(settled);
        }
        if first.channel_id.is_empty() {
            let (_, book) = book::read(&*self.store, &first.player_id).await?;
            for outgoing in group {
                settled.gone(outgoing);
                settled.put.extend(handed_out(outgoing, &book, now));
            }
            return Ok(settled);
        }
        let Some((_, stored)) = self.channel_of(first).await? else {
            settled.all_dropped(group, "the channel is gone");
            return Ok(settled);
        };
        let Some(_receiver_place) = self.enter(&stored) else {
            settled.all_later(group, now + CROWDED);
            return Ok(settled);
        };
        // Whoever had the place before may have sent a mail since the channel was read.
        let Some((book, stored)) = self.channel_of(first).await? else {
            settled.all_dropped(group, "the channel is gone");
            return Ok(settled);
        };
        let now = self.time.now();
        let rest = mail_rest(&stored, now);
        if rest > now {
            settled.all_later(group, rest);
            return Ok(settled);
        }
        self.send(group, &book, &stored, &mut settled).await?;
        Ok(settled)
    }

    /// The channel that a notice is for, and its player's book.
    async fn channel_of(
        &self,
        outgoing: &Outgoing,
    ) -> Result<Option<(NoticeBook, StoredChannel)>, StoreError> {
        let (_, mut book) = book::read(&*self.store, &outgoing.player_id).await?;
        let stored = book::channel(&mut book, &outgoing.channel_id).cloned();
        Ok(stored.map(|stored| (book, stored)))
    }

    /// A place at a channel's receiver.
    fn enter(&self, stored: &StoredChannel) -> Option<Place<'_>> {
        match host_of(stored) {
            Some(host) => self.crowd.enter_to(&host),
            None => self.crowd.enter_mailbox(book::id(stored)),
        }
    }

    /// Whether the operator lets notices out by such a channel.
    fn serves(&self, stored: &StoredChannel) -> bool {
        if is_mail(stored) { self.mail.is_some() } else { self.webhooks.is_some() }
    }

    /// Whether a player's account is in use.
    async fn may_be_told(&self, player_id: &str) -> Result<bool, StoreError> {
        match self.store.account(player_id).await {
            Ok(account) => Ok(!account.banned && !account.name.is_empty()),
            Err(StoreError::NotFound) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Sends notices by a channel: to a webhook one after the other, by mail together.
    async fn send(
        &self,
        group: &[Outgoing],
        book: &NoticeBook,
        stored: &StoredChannel,
        settled: &mut Settled,
    ) -> Result<(), StoreError> {
        let now = self.time.now();
        let mut ready: Vec<(&Outgoing, Told)> = Vec::new();
        for outgoing in group {
            match self.check(outgoing, book, stored, now).await? {
                Checked::Told(told) => ready.push((outgoing, *told)),
                Checked::Code { code, player } => {
                    self.deliver_code(outgoing, stored, &code, &player, settled).await;
                }
                Checked::Later(due, news) => {
                    let body = encoded(news, due);
                    settled.put.push(Outgoing { due, body, ..outgoing.clone() });
                }
                Checked::Held => settled.later(outgoing, now + TURNED_OFF),
                Checked::Dropped(why) => settled.dropped(outgoing, why),
            }
        }
        ready.sort_by_key(|(_, told)| told.time);
        let by_mail = is_mail(stored);
        let size = if by_mail { ready.len().max(1) } else { 1 };
        let mut parts = ready.chunks(size);
        while let Some(part) = parts.next() {
            let told: Vec<Told> = part.iter().map(|(_, told)| told.clone()).collect();
            let done = self.tell(stored, &told).await;
            let outgoing: Vec<&Outgoing> = part.iter().map(|(outgoing, _)| *outgoing).collect();
            let failed = done.is_err();
            self.note(done, &outgoing, stored, settled).await;
            // The others of a webhook would only take their time to fail as well; and an attempt
            // that outlasts the claim would be made a second time.
            if failed || self.time.now() - now > CLAIM / 2 {
                let wait = if failed { WAIT } else { 0 };
                for (outgoing, _) in parts.flatten() {
                    settled.later(outgoing, self.time.now() + wait);
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
        settled: &mut Settled,
    ) {
        let target = stored.channel.as_ref().and_then(|channel| channel.target.as_ref());
        let done = match (target, &self.mail) {
            (Some(To::Mail(to)), Some(mail)) => {
                mail.send(&to.address, mail::code(code, player, &outgoing.id)).await
            }
            _ => Err(Undelivered::because("The operator has turned mail off.")),
        };
        self.note(done, &[outgoing], stored, settled).await;
    }

    /// Notes what came of an attempt: for the notices, and for the channel.
    async fn note(
        &self,
        done: Result<(), Undelivered>,
        group: &[&Outgoing],
        stored: &StoredChannel,
        settled: &mut Settled,
    ) {
        let by = if is_mail(stored) { "mail" } else { "webhook" };
        let Some(player_id) = group.first().map(|outgoing| outgoing.player_id.as_str()) else {
            return;
        };
        let channel_id = book::id(stored);
        let undelivered = match done {
            Ok(()) => {
                metrics::counter!("heliopause_notices_sent_total", "by" => by)
                    .increment(group.len() as u64);
                for outgoing in group {
                    settled.gone(outgoing);
                }
                if !book::is_active(stored) {
                    // It was the code of a mailbox, and no notice.
                    return;
                }
                return self.note_outcome(player_id, channel_id, None, None).await;
            }
            Err(undelivered) => undelivered,
        };
        metrics::counter!("heliopause_notices_failed_total", "by" => by).increment(1);
        tracing::debug!(channel_id, why = undelivered.why, "a notice was not taken");
        let mut off =
            undelivered.gone.then(|| "The receiver answered that it is gone (410).".to_owned());
        let now = self.time.now();
        for outgoing in group {
            let attempts = outgoing.attempts + 1;
            if attempts >= ATTEMPTS {
                let why = format!("A notice failed {ATTEMPTS} times: {}", undelivered.why);
                off.get_or_insert(why);
            }
            if off.is_some() {
                settled.dropped(outgoing, "the receiver did not take it");
                continue;
            }
            let asked = undelivered.wait.map_or(0, |wait| wait.as_millis() as Millis);
            let due = now + wait_after(attempts, fresh::byte()).max(asked);
            settled.put.push(Outgoing { due, attempts, ..(*outgoing).clone() });
        }
        self.note_outcome(player_id, channel_id, Some(&undelivered), off).await;
    }

    /// Notes in a channel when and how it was reached, and turns it off for a reason.
    pub(super) async fn note_outcome(
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
                    if failed || now - last >= NOTED_EVERY {
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
            seldom!(warn, %error, "what came of a notice cannot be noted in its channel");
        }
    }

    /// Looks whether a notice is to be sent by a channel now.
    async fn check(
        &self,
        outgoing: &Outgoing,
        book: &NoticeBook,
        stored: &StoredChannel,
        now: Millis,
    ) -> Result<Checked, StoreError> {
        let Ok(notice) = OutgoingNotice::decode(outgoing.body.clone()) else {
            return Ok(Checked::Dropped("it cannot be read"));
        };
        let time = notice.time.as_ref().map_or(0, millis);
        let is_stale = now - time > STALE + digest_of(stored);
        let news = match notice.what {
            _ if is_stale => return Ok(Checked::Dropped("it is too old")),
            _ if !self.serves(stored) => return Ok(Checked::Held),
            Some(outgoing_notice::What::News(news)) => news,
            Some(outgoing_notice::What::Code(code)) => {
                let waits = stored.code == code.code && !stored.code.is_empty();
                return Ok(if waits {
                    Checked::Code { code: code.code, player: code.player }
                } else {
                    Checked::Dropped("its code is of no use")
                });
            }
            None => return Ok(Checked::Dropped("it cannot be read")),
        };
        self.check_news(outgoing, news, time, book, stored, now).await
    }

    /// The same for news of a game.
    async fn check_news(
        &self,
        outgoing: &Outgoing,
        news: GameNews,
        time: Millis,
        book: &NoticeBook,
        stored: &StoredChannel,
        now: Millis,
    ) -> Result<Checked, StoreError> {
        if !book::is_active(stored) {
            return Ok(Checked::Dropped("the channel is off"));
        }
        if book::is_muted(book, &news.game_id, news.kind()) {
            return Ok(Checked::Dropped("the game is muted"));
        }
        let mut told = Told {
            id: outgoing.id.clone(),
            kind: news.kind(),
            game_id: news.game_id.clone(),
            name: news.name.clone(),
            game_kind: news.game_kind.clone(),
            seat: news.seat,
            text: news.text.clone(),
            due: news.due_time.as_ref().map(millis),
            time,
        };
        let is_gathered = digest_of(stored) > 0;
        match news.kind() {
            NoticeKind::DeadlineNear => {
                let Owed::Until(Some(deadline)) = self.owed(outgoing, &news).await? else {
                    return Ok(Checked::Dropped("the decision is not open any more"));
                };
                let due = deadline - warn_before(stored);
                if due > now + CROWDED {
                    let due_time = Some(timestamp(deadline));
                    return Ok(Checked::Later(due, GameNews { due_time, ..news }));
                }
                // Each deadline of a seat's has a warning with an id of its own.
                let words = [b"heliopause warned", outgoing.id.as_bytes(), &deadline.to_be_bytes()];
                told.id = id_of(&words);
                told.text = format!("{} left for your decision.", left(deadline - now));
                told.due = Some(deadline);
            }
            NoticeKind::YourDecision if is_gathered => {
                if matches!(self.owed(outgoing, &news).await?, Owed::Nothing) {
                    return Ok(Checked::Dropped("the decision is not open any more"));
                }
            }
            _ => {}
        }
        Ok(Checked::Told(Box::new(told)))
    }

    /// What a player owes a game at a seat.
    async fn owed(&self, outgoing: &Outgoing, news: &GameNews) -> Result<Owed, StoreError> {
        let row = match self.store.game(&news.game_id).await {
            Err(StoreError::NotFound) => return Ok(Owed::Nothing),
            row => row?,
        };
        let theirs = row.members.iter().find(|member| {
            member.player_id == outgoing.player_id
                && member.seat == news.seat
                && member.your_decision
        });
        Ok(match theirs {
            Some(member) if row.status == GameStatus::Running as i32 => {
                Owed::Until(member.deadline)
            }
            _ => Owed::Nothing,
        })
    }
}

/// A decision that a player owes.
enum Owed {
    Nothing,
    /// Until a deadline, if there is one.
    Until(Option<Millis>),
}

fn is_mail(stored: &StoredChannel) -> bool {
    let target = stored.channel.as_ref().and_then(|channel| channel.target.as_ref());
    matches!(target, Some(To::Mail(_)))
}

/// The host of a webhook.
fn host_of(stored: &StoredChannel) -> Option<String> {
    match stored.channel.as_ref()?.target.as_ref()? {
        To::Webhook(hook) => Some(Target::of(&hook.url, true).ok()?.host.to_lowercase()),
        To::Mail(_) => None,
    }
}

/// Until when a mailbox has its rest after a mail. So whoever makes many notices, by writing letter
/// upon letter, makes few mails.
fn mail_rest(stored: &StoredChannel, now: Millis) -> Millis {
    let last = stored.channel.as_ref().and_then(|channel| channel.success_time.as_ref());
    match last.map(millis) {
        Some(last) if is_mail(stored) && last <= now => last + MAIL_EVERY,
        _ => now,
    }
}

fn digest_of(stored: &StoredChannel) -> Millis {
    let settings = stored.channel.as_ref().and_then(|channel| channel.settings.as_ref());
    settings
        .and_then(|settings| settings.digest.as_ref())
        .map_or(0, |digest| digest.seconds * 1_000)
}

fn warn_before(stored: &StoredChannel) -> Millis {
    let settings = stored.channel.as_ref().and_then(|channel| channel.settings.as_ref());
    let before = settings.and_then(|settings| settings.warn_before.as_ref());
    before.map_or(0, |before| before.seconds * 1_000)
}

/// When a channel is told of something that happens now.
fn turn_of(stored: &StoredChannel, now: Millis) -> Millis {
    let made = stored.channel.as_ref().and_then(|channel| channel.create_time.as_ref());
    match (digest_of(stored), made.map_or(0, millis)) {
        (0, _) => now,
        (every, made) => made + ((now - made).div_euclid(every) + 1) * every,
    }
}

/// A notice for each channel that wants it, and warnings of its deadline.
fn handed_out(outgoing: &Outgoing, book: &NoticeBook, now: Millis) -> Vec<Outgoing> {
    let Ok(notice) = OutgoingNotice::decode(outgoing.body.clone()) else { return Vec::new() };
    let Some(outgoing_notice::What::News(news)) = notice.what else { return Vec::new() };
    let kind = news.kind();
    let mut handed = Vec::new();
    for stored in book.channels.iter().filter(|stored| book::is_active(stored)) {
        let channel_id = book::id(stored).to_owned();
        let is_muted = book::is_muted(book, &news.game_id, kind);
        // A moved deadline is no news of its own.
        if kind != NoticeKind::DeadlineNear && !is_muted && book::wants(stored, kind) {
            let due = turn_of(stored, now);
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

/// When a channel is to warn of a deadline. Where less time is left already, the notice of the
/// decision says it; but a deadline that was moved there is worth a warning.
fn warning_due(news: &GameNews, stored: &StoredChannel, now: Millis) -> Option<Millis> {
    let deadline = news.due_time.as_ref().map(millis)?;
    let due = deadline - warn_before(stored);
    if due > now {
        return Some(due);
    }
    (news.kind() == NoticeKind::DeadlineNear && deadline > now).then_some(now)
}

/// The warning of a seat's deadline: one for each channel, so that a new one replaces the old.
fn warning(outgoing: &Outgoing, news: &GameNews, channel_id: String, due: Millis) -> Outgoing {
    let words: [&[u8]; 4] = [
        b"heliopause warning",
        news.game_id.as_bytes(),
        &news.seat.to_be_bytes(),
        outgoing.player_id.as_bytes(),
    ];
    let id = id_of(&words);
    let news = GameNews { text: String::new(), ..news.clone() };
    let news = GameNews { kind: NoticeKind::DeadlineNear.into(), ..news };
    let body = encoded(news, due);
    let player_id = outgoing.player_id.clone();
    Outgoing { id, player_id, channel_id, due, attempts: 0, body }
}

fn encoded(news: GameNews, time: Millis) -> bytes::Bytes {
    let what = Some(outgoing_notice::What::News(news));
    OutgoingNotice { what, time: Some(timestamp(time)) }.encode_to_vec().into()
}

/// How long a notice waits after so many failures: four times as long after each, and by chance up
/// to a quarter more.
fn wait_after(attempts: u32, chance: u8) -> Millis {
    let wait = WAIT.saturating_mul(4_i64.saturating_pow(attempts.saturating_sub(1))).min(WAIT_MAX);
    wait + wait * Millis::from(chance) / 1_024
}

/// A length of time for people.
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
        Outgoing {
            id: "n".to_owned(),
            player_id: "p".to_owned(),
            channel_id: String::new(),
            due: 0,
            attempts: 0,
            body: encoded(news, 0),
        }
    }

    fn handed(channels: Vec<StoredChannel>, outgoing: &Outgoing) -> Vec<(String, String, Millis)> {
        let book = NoticeBook { channels, ..NoticeBook::default() };
        let handed = handed_out(outgoing, &book, 1_000);
        handed.into_iter().map(|one| (one.id, one.channel_id, one.due)).collect()
    }

    #[test]
    fn a_notice_goes_to_the_channels_that_want_it() {
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
        assert_eq!(handed, wanted, "a digest waits for its turn since the channel was made");
    }

    #[test]
    fn a_warning_waits_for_its_time_and_is_replaced_by_the_next() {
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
    fn a_muted_game_is_silent_in_the_muted_kinds() {
        use NoticeKind::{DeadlineNear, YourDecision};
        let channels = vec![channel("a", &[YourDecision, DeadlineNear], 0)];
        let silent = |game_id: &str, kinds: &[NoticeKind]| {
            let kinds = kinds.iter().map(|&kind| kind.into()).collect();
            let muted = vec![MutedGame { game_id: game_id.to_owned(), kinds }];
            let book = NoticeBook { channels: channels.clone(), muted, ..NoticeBook::default() };
            handed_out(&outgoing(YourDecision, Some(100_000)), &book, 1_000).len()
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
    fn time_left_is_told_in_words() {
        let hour = 60 * 60 * 1_000;
        assert_eq!(left(6 * hour - 30_000), "6 hours");
        assert_eq!(left(90 * 60_000), "90 minutes");
        assert_eq!(left(500), "Less than a minute");
        assert_eq!(left(72 * hour), "3 days");
    }
}
