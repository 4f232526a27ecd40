//! The methods of [`Channels`] with which players manage their channels.

use std::time::Duration;

use heliopause_proto::store::v1::{
    GameNews, NoticeBook, OutgoingNotice, StoredChannel, outgoing_notice,
};
use heliopause_proto::v1::create_notice_channel_request::Target as RequestedTarget;
use heliopause_proto::v1::notice_channel::Target as To;
use heliopause_proto::v1::{
    CreateNoticeChannelRequest, ErrorReason, ListNoticeChannelsResponse, MutedGame, NoticeChannel,
    NoticeChannelState, NoticeKind, NoticeSettings, PushSubscription, WebhookTemplate,
};
use prost::Message as _;
use subtle::ConstantTimeEq as _;

use super::templates::ReadyNotice;
use super::webhook::Target;
use super::{Channels, book, mail, push};
use crate::failure::{Failure, Result};
use crate::host::{id_of, timestamp};
use crate::random;
use crate::store::{Millis, Outgoing, StoreError};

const CHANNELS_MAX: usize = 5;
const MUTED_MAX: usize = 200;
const CODES_A_DAY: usize = 5;
const DAY: Millis = 24 * 60 * 60 * 1_000;
/// The minimum interval between tests of channels by one player.
const TEST_EVERY: Millis = 10_000;

const WARN_BEFORE: i64 = 6 * 60 * 60;
const WARN_BEFORE_MAX: i64 = 30 * 24 * 60 * 60;
const DIGEST_MAX: i64 = 7 * 24 * 60 * 60;
const KINDS: [NoticeKind; 4] =
    [NoticeKind::YourDecision, NoticeKind::DeadlineNear, NoticeKind::Message, NoticeKind::Ended];

impl Channels {
    /// Adds a channel. Returns the channel and its secret, which only webhooks have. A retry with
    /// the same request id returns the same channel and secret.
    pub(crate) async fn create(
        &self,
        player_id: &str,
        player: &str,
        request: CreateNoticeChannelRequest,
    ) -> Result<(NoticeChannel, String)> {
        let named = !request.request_id.is_empty();
        let channel_id = if named { id_made_by(player_id, &request) } else { random::channel_id() };
        let made_by = if named { request.encode_to_vec() } else { Vec::new() };
        let (_, mut known) = book::read(&*self.store, player_id).await?;
        if let Some(made) = book::channel(&mut known, &channel_id) {
            return if made.made_by == made_by {
                Ok((made.channel.clone().unwrap_or_default(), made.secret.clone()))
            } else {
                let text = "This request id was used for another request; choose a new one.";
                Err(Failure::new(ErrorReason::RequestIdReused, text))
            };
        }
        let _place =
            self.delivery_limits.acquire_for_player(player_id).ok_or_else(too_many_deliveries)?;
        let mut target = self.checked(request.target).await?;
        let settings = checked_settings(request.settings, matches!(target, To::Mail(_)))?;
        let now = self.time.now();
        let mut stored = StoredChannel { made_by: made_by.into(), ..StoredChannel::default() };
        let mut state = NoticeChannelState::Unconfirmed;
        match &mut target {
            To::Webhook(_) => {
                state = NoticeChannelState::Active;
                stored.secret = random::webhook_secret();
            }
            To::Mail(_) => stored.code = random::mail_code(),
            To::Push(device) => (stored.push_key, device.server_key) = push::new_key(),
        }
        let channel = NoticeChannel {
            channel_id: channel_id.clone(),
            target: Some(target),
            settings: Some(settings),
            create_time: Some(timestamp(now)),
            state: state.into(),
            ..NoticeChannel::default()
        };
        stored.channel = Some(channel.clone());
        let (secret, code) = (stored.secret.clone(), stored.code.clone());
        book::change(&*self.store, player_id, |book| {
            if book.channels.len() >= CHANNELS_MAX {
                return Err(full("channels", CHANNELS_MAX));
            }
            if !code.is_empty() {
                count_code(book, now)?;
            }
            book.channels.push(stored.clone());
            Ok(())
        })
        .await?;
        if !code.is_empty() {
            self.send_code(player_id, player, &channel_id, code, now).await?;
        }
        Ok((channel, secret))
    }

    async fn send_code(
        &self,
        player_id: &str,
        player: &str,
        channel_id: &str,
        code: String,
        now: Millis,
    ) -> Result<()> {
        let code = heliopause_proto::store::v1::MailCode { code, player: player.to_owned() };
        let notice = OutgoingNotice {
            what: Some(outgoing_notice::What::Code(code)),
            time: Some(timestamp(now)),
        };
        let outgoing = Outgoing {
            id: id_of(&[b"heliopause code", channel_id.as_bytes()]),
            player_id: player_id.to_owned(),
            channel_id: channel_id.to_owned(),
            due: now,
            attempts: 0,
            body: notice.encode_to_vec().into(),
        };
        self.store.update_outgoing(Vec::new(), vec![outgoing]).await?;
        self.wake.notify_one();
        Ok(())
    }

    /// Checks that the engine can send notices to a target. Returns the target, with the default
    /// format if a webhook names none.
    async fn checked(&self, target: Option<RequestedTarget>) -> Result<To> {
        match target {
            Some(RequestedTarget::Webhook(mut hook)) => {
                let Some(webhooks) = &self.webhooks else { return Err(off("webhooks")) };
                let wrong = |why: &str| Failure::field("webhook.url", why);
                let target = Target::of(&hook.url, webhooks.private).map_err(wrong)?;
                if hook.format() == WebhookTemplate::Unspecified {
                    hook.set_format(WebhookTemplate::Plain);
                }
                if hook.format() == WebhookTemplate::Ntfy && target.topic().is_none() {
                    let text = "The last part of the URL must be an ntfy topic: 1 to 64 letters, \
                                digits, hyphens or underscores.";
                    return Err(wrong(text));
                }
                webhooks
                    .check_target(&target)
                    .await
                    .map_err(|undelivered| wrong(&undelivered.why))?;
                Ok(To::Webhook(hook))
            }
            Some(RequestedTarget::Mail(to)) => {
                if self.mail.is_none() {
                    return Err(off("mail"));
                }
                mail::address(&to.address).map_err(|why| Failure::field("mail.address", why))?;
                Ok(To::Mail(to))
            }
            Some(RequestedTarget::Push(device)) => {
                if self.webhooks.is_none() {
                    return Err(off("push messages"));
                }
                Ok(To::Push(device))
            }
            None => {
                Err(Failure::field("webhook", "Specify a webhook, an email address or a device."))
            }
        }
    }

    pub(crate) async fn list(&self, player_id: &str) -> Result<ListNoticeChannelsResponse> {
        let (_, book) = book::read(&*self.store, player_id).await?;
        Ok(ListNoticeChannelsResponse {
            channels: book.channels.into_iter().filter_map(|stored| stored.channel).collect(),
            muted: book.muted,
            webhooks_on: self.webhooks_on(),
            mail_on: self.mail_on(),
        })
    }

    pub(crate) async fn update(
        &self,
        player_id: &str,
        channel_id: &str,
        settings: Option<NoticeSettings>,
    ) -> Result<NoticeChannel> {
        self.change(player_id, channel_id, |stored| {
            let channel = stored.channel.get_or_insert_default();
            let by_mail = matches!(channel.target, Some(To::Mail(_)));
            channel.settings = Some(checked_settings(settings.clone(), by_mail)?);
            if channel.state() == NoticeChannelState::Off {
                channel.set_state(NoticeChannelState::Active);
                channel.off_because.clear();
            }
            Ok(channel.clone())
        })
        .await
    }

    pub(crate) async fn renew(&self, player_id: &str, channel_id: &str) -> Result<String> {
        let secret = random::webhook_secret();
        self.change(player_id, channel_id, |stored| {
            let channel = stored.channel.get_or_insert_default();
            if !matches!(channel.target, Some(To::Webhook(_))) {
                return Err(Failure::field("channel_id", "Only webhooks have a secret."));
            }
            stored.secret.clone_from(&secret);
            Ok(())
        })
        .await?;
        Ok(secret)
    }

    pub(crate) async fn confirm(
        &self,
        player_id: &str,
        channel_id: &str,
        code: &str,
        subscription: Option<PushSubscription>,
    ) -> Result<NoticeChannel> {
        if let Some(subscription) = &subscription {
            self.check_subscription(player_id, subscription).await?;
        }
        self.change(player_id, channel_id, |stored| {
            let channel = stored.channel.get_or_insert_default();
            if let Some(To::Push(_)) = channel.target {
                let text = "A device needs the subscription of its browser.";
                let new = subscription.clone();
                stored.subscription =
                    Some(new.ok_or_else(|| Failure::field("subscription", text))?);
                channel.set_state(NoticeChannelState::Active);
                channel.off_because.clear();
            } else if channel.state() == NoticeChannelState::Unconfirmed {
                if !bool::from(stored.code.as_bytes().ct_eq(code.trim().as_bytes())) {
                    return Err(Failure::field(
                        "code",
                        "The code is wrong; enter the one from the email.",
                    ));
                }
                stored.code.clear();
                channel.set_state(NoticeChannelState::Active);
            }
            Ok(channel.clone())
        })
        .await
    }

    /// Checks that the engine can send messages to a device.
    async fn check_subscription(
        &self,
        player_id: &str,
        subscription: &PushSubscription,
    ) -> Result<()> {
        let Some(webhooks) = &self.webhooks else { return Err(off("push messages")) };
        let _place =
            self.delivery_limits.acquire_for_player(player_id).ok_or_else(too_many_deliveries)?;
        push::check(subscription)
            .map_err(|(field, why)| Failure::field(format!("subscription.{field}"), why))?;
        let wrong = |why: &str| Failure::field("subscription.endpoint", why);
        let target = Target::of(&subscription.endpoint, webhooks.private).map_err(wrong)?;
        webhooks.check_target(&target).await.map_err(|undelivered| wrong(&undelivered.why))
    }

    pub(crate) async fn test(&self, player_id: &str, channel_id: &str) -> Result<Option<String>> {
        let now = self.time.now();
        let _place =
            self.delivery_limits.acquire_for_player(player_id).ok_or_else(too_many_deliveries)?;
        let stored = book::change(&*self.store, player_id, |book| {
            let stored = book::channel(book, channel_id).ok_or_else(no_such)?.clone();
            let channel = stored.channel.as_ref();
            match channel.and_then(|channel| channel.target.as_ref()) {
                Some(To::Webhook(_) | To::Push(_)) if self.webhooks.is_none() => {
                    return Err(off("webhooks"));
                }
                Some(To::Mail(_)) if self.mail.is_none() => return Err(off("mail")),
                _ => {}
            }
            if channel.is_some_and(|of| of.state() == NoticeChannelState::Unconfirmed) {
                let text = match channel.and_then(|channel| channel.target.as_ref()) {
                    Some(To::Push(_)) => {
                        "The device has not subscribed yet; turn its notices on again."
                    }
                    _ => "The address is not confirmed yet; enter the code from the email.",
                };
                return Err(Failure::field("channel_id", text));
            }
            let since = now - book.test_time.as_ref().map_or(0, super::millis);
            if (0..TEST_EVERY).contains(&since) {
                let wait = Duration::from_millis((TEST_EVERY - since) as u64);
                return Err(too_often(
                    "You can send one test every 10 seconds; try again soon.",
                    wait,
                ));
            }
            book.test_time = Some(timestamp(now));
            Ok(stored)
        })
        .await?;
        let text = "You requested this test. Notices of your games will arrive here.".to_owned();
        let told = ReadyNotice {
            id: id_of(&[b"heliopause test", channel_id.as_bytes(), &now.to_be_bytes()]),
            news: GameNews { kind: NoticeKind::Test.into(), text, ..GameNews::default() },
            time: now,
        };
        let done = self.send_notices(&stored, &[told]).await;
        self.record_outcome(player_id, channel_id, done.as_ref().err(), None).await;
        Ok(done.err().map(|undelivered| undelivered.why))
    }

    pub(crate) async fn delete(&self, player_id: &str, channel_id: &str) -> Result<()> {
        book::change(&*self.store, player_id, |book| {
            let before = book.channels.len();
            book.channels.retain(|stored| book::id(stored) != channel_id);
            if book.channels.len() == before { Err(no_such()) } else { Ok(()) }
        })
        .await
    }

    pub(crate) async fn mute(&self, player_id: &str, game_id: &str, kinds: &[i32]) -> Result<()> {
        let kinds = kinds_of(kinds, "kinds")?;
        let unknown = || Failure::new(ErrorReason::GameNotFound, "The game was not found.");
        let row = match self.store.game(game_id).await {
            Err(StoreError::NotFound) => return Err(unknown()),
            row => row?,
        };
        if !row.members.iter().any(|member| member.player_id == player_id) {
            return Err(unknown());
        }
        book::change(&*self.store, player_id, |book| {
            book.muted.retain(|muted| muted.game_id != game_id);
            if book.muted.len() >= MUTED_MAX {
                return Err(full("muted games", MUTED_MAX));
            }
            book.muted.push(MutedGame { game_id: game_id.to_owned(), kinds: kinds.clone() });
            Ok(())
        })
        .await
    }

    pub(crate) async fn unmute(&self, player_id: &str, game_id: &str) -> Result<()> {
        book::change(&*self.store, player_id, |book| {
            book.muted.retain(|muted| muted.game_id != game_id);
            Ok(())
        })
        .await
    }

    pub(crate) async fn forget(&self, player_id: &str) -> Result<()> {
        loop {
            let version =
                self.store.notice_book(player_id).await?.map_or(0, |stored| stored.version);
            match self.store.put_notice_book(player_id, version, None).await {
                Err(StoreError::LostRace { .. }) => {}
                done => return Ok(done?),
            }
        }
    }

    async fn change<T>(
        &self,
        player_id: &str,
        channel_id: &str,
        mut change: impl FnMut(&mut StoredChannel) -> Result<T>,
    ) -> Result<T> {
        book::change(&*self.store, player_id, |book| {
            change(book::channel(book, channel_id).ok_or_else(no_such)?)
        })
        .await
    }
}

fn id_made_by(player_id: &str, request: &CreateNoticeChannelRequest) -> String {
    let words = [&b"heliopause channel"[..], player_id.as_bytes(), request.request_id.as_bytes()];
    format!("c-{}", &id_of(&words)[2..])
}

fn checked_settings(settings: Option<NoticeSettings>, by_mail: bool) -> Result<NoticeSettings> {
    let NoticeSettings { kinds, warn_before, digest } = settings.unwrap_or_default();
    let mut kinds = kinds_of(&kinds, "settings.kinds")?;
    if kinds.is_empty() {
        kinds = KINDS.iter().map(|&kind| kind.into()).collect();
    }
    let seconds = |length: prost_types::Duration| length.seconds;
    let warn = warn_before.map_or(WARN_BEFORE, seconds);
    if !(1..=WARN_BEFORE_MAX).contains(&warn) {
        let text = format!(
            "A warning must be 1 second to 30 days before the deadline, not {warn} seconds."
        );
        return Err(Failure::field("settings.warn_before", text));
    }
    let gathers = digest.map_or(0, seconds);
    if !(0..=DIGEST_MAX).contains(&gathers) {
        let text = format!(
            "The digest interval must be 1 second to 7 days, or 0 for no digest, not {gathers} \
             seconds."
        );
        return Err(Failure::field("settings.digest", text));
    }
    if gathers > 0 && !by_mail {
        let text = "Only email channels can have a digest; leave it empty.";
        return Err(Failure::field("settings.digest", text));
    }
    let length = |seconds| Some(prost_types::Duration { seconds, nanos: 0 });
    Ok(NoticeSettings { kinds, warn_before: length(warn), digest: length(gathers) })
}

fn kinds_of(kinds: &[i32], field: &str) -> Result<Vec<i32>> {
    let is_chosen = |&kind: &i32| {
        !matches!(
            NoticeKind::try_from(kind),
            Err(_) | Ok(NoticeKind::Unspecified | NoticeKind::Test)
        )
    };
    if let Some(wrong) = kinds.iter().find(|&kind| !is_chosen(kind)) {
        let name = NoticeKind::try_from(*wrong)
            .map_or_else(|_| wrong.to_string(), |kind| kind.as_str_name().to_owned());
        let allowed: Vec<&str> = (0..64)
            .filter(is_chosen)
            .filter_map(|kind| Some(NoticeKind::try_from(kind).ok()?.as_str_name()))
            .collect();
        let text = format!(
            "{name} is not a kind of notice that you can choose; expected one or more of {}.",
            allowed.join(", ")
        );
        return Err(Failure::field(field, text));
    }
    let mut kinds = kinds.to_vec();
    kinds.sort_unstable();
    kinds.dedup();
    Ok(kinds)
}

fn count_code(book: &mut NoticeBook, now: Millis) -> Result<()> {
    book.code_times.retain(|time| (now - DAY..=now).contains(&super::millis(time)));
    if book.code_times.len() >= CODES_A_DAY {
        let oldest = book.code_times.first().map_or(now, super::millis);
        let wait = Duration::from_millis((oldest + DAY - now).max(1_000) as u64);
        return Err(too_often(
            "You can request at most 5 codes in 24 hours; try again later.",
            wait,
        ));
    }
    book.code_times.push(timestamp(now));
    Ok(())
}

fn too_many_deliveries() -> Failure {
    too_often("Your other notices are still being sent; try again soon.", Duration::from_secs(1))
}

fn too_often(text: &str, wait: Duration) -> Failure {
    Failure::new(ErrorReason::RateLimited, text).retry(wait)
}

fn full(quota: &'static str, limit: usize) -> Failure {
    let remove = if quota == "channels" { "remove" } else { "unmute" };
    let text = format!("You have {limit} {quota}, which is the limit; {remove} one first.");
    Failure::new(ErrorReason::QuotaExceeded, text).with("quota", quota).with("limit", limit)
}

fn off(feature: &'static str) -> Failure {
    let text = match feature {
        "mail" => "This server sends no email; ask its operator to enable email.",
        _ => "This server does not call webhooks; ask its operator to enable webhooks.",
    };
    Failure::new(ErrorReason::NoticesOff, text).with("feature", feature)
}

fn no_such() -> Failure {
    Failure::new(
        ErrorReason::NotFound,
        "The channel was not found; list your channels to see their ids.",
    )
    .with("what", "channel")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[expect(clippy::unnecessary_wraps)]
    fn length(seconds: i64) -> Option<prost_types::Duration> {
        Some(prost_types::Duration { seconds, nanos: 0 })
    }

    #[test]
    fn settings_get_defaults_or_are_rejected() {
        let filled = checked_settings(None, false).unwrap();
        assert_eq!(filled.kinds, [3, 8, 4, 5]);
        assert_eq!((filled.warn_before, filled.digest), (length(6 * 60 * 60), length(0)));
        let kinds = |kinds: &[i32]| NoticeSettings { kinds: kinds.to_vec(), ..filled.clone() };
        assert_eq!(checked_settings(Some(kinds(&[5, 3, 5])), false).unwrap().kinds, [3, 5]);
        let hourly = NoticeSettings { digest: length(3_600), ..filled.clone() };
        assert!(checked_settings(Some(hourly.clone()), true).is_ok());
        let wrong = [
            (kinds(&[0]), true),
            (kinds(&[9]), true),
            (kinds(&[77]), true),
            (hourly, false),
            (NoticeSettings { digest: length(-1), ..filled.clone() }, true),
            (NoticeSettings { digest: length(DIGEST_MAX + 1), ..filled.clone() }, true),
            (NoticeSettings { warn_before: length(0), ..filled.clone() }, true),
            (NoticeSettings { warn_before: length(WARN_BEFORE_MAX + 1), ..filled }, true),
        ];
        for (settings, by_mail) in wrong {
            assert!(checked_settings(Some(settings.clone()), by_mail).is_err(), "{settings:?}");
        }
    }

    #[test]
    fn five_codes_are_sent_per_day() {
        let mut book = NoticeBook::default();
        for time in 0..5 {
            count_code(&mut book, time).unwrap();
        }
        assert!(count_code(&mut book, DAY).is_err());
        count_code(&mut book, DAY + 1).unwrap();
        assert!(count_code(&mut book, DAY + 1).is_err());
    }
}
