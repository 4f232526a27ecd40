//! What players do to their channels.

use std::time::Duration;

use heliopause_proto::store::v1::{NoticeBook, OutgoingNotice, StoredChannel, outgoing_notice};
use heliopause_proto::v1::create_notice_channel_request::Target as Asked;
use heliopause_proto::v1::notice_channel::Target as To;
use heliopause_proto::v1::{
    CreateNoticeChannelRequest, ErrorReason, MutedGame, NoticeChannel, NoticeChannelState,
    NoticeKind, NoticeSettings, WebhookTemplate,
};
use prost::Message as _;
use subtle::ConstantTimeEq as _;

use super::templates::Told;
use super::webhook::Target;
use super::{Channels, book, mail};
use crate::edge::errors::Failure;
use crate::fresh;
use crate::host::{id_of, timestamp};
use crate::store::{Millis, Outgoing, StoreError};

/// How many channels and how many muted games a player may have.
const CHANNELS_MAX: usize = 5;
const MUTED_MAX: usize = 200;
/// How many codes are sent for a player in a day.
const CODES_A_DAY: usize = 5;
const DAY: Millis = 24 * 60 * 60 * 1_000;
/// How often a player may try a channel.
const TEST_EVERY: Millis = 10_000;

const WARN_BEFORE: i64 = 6 * 60 * 60;
const WARN_BEFORE_MAX: i64 = 30 * 24 * 60 * 60;
const DIGEST_MAX: i64 = 7 * 24 * 60 * 60;
const KINDS: [NoticeKind; 4] =
    [NoticeKind::YourDecision, NoticeKind::DeadlineNear, NoticeKind::Message, NoticeKind::Ended];

/// What a player set, as they are shown it.
pub(crate) struct Shown {
    pub(crate) channels: Vec<NoticeChannel>,
    pub(crate) muted: Vec<MutedGame>,
    pub(crate) webhooks_on: bool,
    pub(crate) mail_on: bool,
}

impl Channels {
    /// Adds a channel; answers it with its secret. A retry of a request that has a name gets the
    /// same.
    pub(crate) async fn create(
        &self,
        player_id: &str,
        player: &str,
        request: CreateNoticeChannelRequest,
    ) -> Result<(NoticeChannel, String), Failure> {
        let named = !request.request_id.is_empty();
        let channel_id = if named { id_made_by(player_id, &request) } else { fresh::channel_id() };
        let made_by = if named { request.encode_to_vec() } else { Vec::new() };
        let (_, mut known) = book::read(&*self.store, player_id).await?;
        if let Some(made) = book::channel(&mut known, &channel_id) {
            return if made.made_by == made_by {
                Ok((made.channel.clone().unwrap_or_default(), made.secret.clone()))
            } else {
                let text = "This request id was used for something else before.";
                Err(Failure::new(ErrorReason::RequestIdReused, text))
            };
        }
        let _place = self.crowd.enter_for(player_id).ok_or_else(crowded)?;
        let target = self.checked(request.target).await?;
        let settings = settled(request.settings, matches!(target, To::Mail(_)))?;
        let now = self.time.now();
        let (state, secret, code) = match &target {
            To::Webhook(_) => (NoticeChannelState::Active, fresh::webhook_secret(), String::new()),
            To::Mail(_) => (NoticeChannelState::Unconfirmed, String::new(), fresh::mail_code()),
        };
        let channel = NoticeChannel {
            channel_id: channel_id.clone(),
            target: Some(target),
            settings: Some(settings),
            create_time: Some(timestamp(now)),
            state: state.into(),
            ..NoticeChannel::default()
        };
        let stored = StoredChannel {
            channel: Some(channel.clone()),
            secret: secret.clone(),
            code: code.clone(),
            made_by: made_by.into(),
        };
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

    /// Puts the mail with a code on its way.
    async fn send_code(
        &self,
        player_id: &str,
        player: &str,
        channel_id: &str,
        code: String,
        now: Millis,
    ) -> Result<(), Failure> {
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
        self.store.settle_outgoing(Vec::new(), vec![outgoing]).await?;
        self.wake.notify_one();
        Ok(())
    }

    /// A target that can be sent to.
    async fn checked(&self, target: Option<Asked>) -> Result<To, Failure> {
        match target {
            Some(Asked::Webhook(mut hook)) => {
                let Some(webhooks) = &self.webhooks else { return Err(off("webhooks")) };
                let wrong = |why: &str| Failure::field("webhook.url", why);
                let target = Target::of(&hook.url, webhooks.private).map_err(wrong)?;
                if hook.form() == WebhookTemplate::Unspecified {
                    hook.set_form(WebhookTemplate::Plain);
                }
                if hook.form() == WebhookTemplate::Ntfy && target.topic().is_none() {
                    return Err(wrong("Its last part must be a topic of ntfy."));
                }
                webhooks.look(&target).await.map_err(|undelivered| wrong(&undelivered.why))?;
                Ok(To::Webhook(hook))
            }
            Some(Asked::Mail(to)) => {
                if self.mail.is_none() {
                    return Err(off("mail"));
                }
                mail::address(&to.address).map_err(|why| Failure::field("mail.address", why))?;
                Ok(To::Mail(to))
            }
            None => Err(Failure::field("webhook", "Name a webhook or a mail address.")),
        }
    }

    /// What a player set.
    pub(crate) async fn list(&self, player_id: &str) -> Result<Shown, Failure> {
        let (_, book) = book::read(&*self.store, player_id).await?;
        Ok(Shown {
            channels: book.channels.into_iter().filter_map(|stored| stored.channel).collect(),
            muted: book.muted,
            webhooks_on: self.webhooks_on(),
            mail_on: self.mail_on(),
        })
    }

    /// Replaces a channel's settings, and turns it on again.
    pub(crate) async fn update(
        &self,
        player_id: &str,
        channel_id: &str,
        settings: Option<NoticeSettings>,
    ) -> Result<NoticeChannel, Failure> {
        self.change(player_id, channel_id, |stored| {
            let channel = stored.channel.get_or_insert_default();
            let by_mail = matches!(channel.target, Some(To::Mail(_)));
            channel.settings = Some(settled(settings.clone(), by_mail)?);
            if channel.state() == NoticeChannelState::Off {
                channel.set_state(NoticeChannelState::Active);
                channel.off_because.clear();
            }
            Ok(channel.clone())
        })
        .await
    }

    /// Makes a new secret.
    pub(crate) async fn renew(&self, player_id: &str, channel_id: &str) -> Result<String, Failure> {
        let secret = fresh::webhook_secret();
        self.change(player_id, channel_id, |stored| {
            let channel = stored.channel.get_or_insert_default();
            if !matches!(channel.target, Some(To::Webhook(_))) {
                return Err(Failure::field("channel_id", "Mail has no secret."));
            }
            stored.secret.clone_from(&secret);
            Ok(())
        })
        .await?;
        Ok(secret)
    }

    /// Confirms a mail address by its code.
    pub(crate) async fn confirm(
        &self,
        player_id: &str,
        channel_id: &str,
        code: &str,
    ) -> Result<NoticeChannel, Failure> {
        self.change(player_id, channel_id, |stored| {
            let channel = stored.channel.get_or_insert_default();
            if channel.state() == NoticeChannelState::Unconfirmed {
                if !bool::from(stored.code.as_bytes().ct_eq(code.trim().as_bytes())) {
                    return Err(Failure::field("code", "This is not the code in the mail."));
                }
                stored.code.clear();
                channel.set_state(NoticeChannelState::Active);
            }
            Ok(channel.clone())
        })
        .await
    }

    /// Tries a channel; answers why it did not work, if it did not.
    pub(crate) async fn test(
        &self,
        player_id: &str,
        channel_id: &str,
    ) -> Result<Option<String>, Failure> {
        let now = self.time.now();
        let _place = self.crowd.enter_for(player_id).ok_or_else(crowded)?;
        let stored = book::change(&*self.store, player_id, |book| {
            let stored = book::channel(book, channel_id).ok_or_else(no_such)?.clone();
            let channel = stored.channel.as_ref();
            match channel.and_then(|channel| channel.target.as_ref()) {
                Some(To::Webhook(_)) if self.webhooks.is_none() => return Err(off("webhooks")),
                Some(To::Mail(_)) if self.mail.is_none() => return Err(off("mail")),
                _ => {}
            }
            if channel.is_some_and(|of| of.state() == NoticeChannelState::Unconfirmed) {
                let text = "The address waits for its code.";
                return Err(Failure::field("channel_id", text));
            }
            let since = now - book.test_time.as_ref().map_or(0, super::millis);
            if (0..TEST_EVERY).contains(&since) {
                let wait = Duration::from_millis((TEST_EVERY - since) as u64);
                return Err(too_often("A channel can be tried once in 10 seconds.", wait));
            }
            book.test_time = Some(timestamp(now));
            Ok(stored)
        })
        .await?;
        let told = Told {
            id: id_of(&[b"heliopause test", channel_id.as_bytes(), &now.to_be_bytes()]),
            kind: NoticeKind::Test,
            game_id: String::new(),
            name: String::new(),
            game_kind: String::new(),
            seat: 0,
            text: "You asked for this test. Notices of your games come by here.".to_owned(),
            due: None,
            time: now,
        };
        let done = self.tell(&stored, &[told]).await;
        self.note_outcome(player_id, channel_id, done.as_ref().err(), None).await;
        Ok(done.err().map(|undelivered| undelivered.why))
    }

    /// Removes a channel.
    pub(crate) async fn delete(&self, player_id: &str, channel_id: &str) -> Result<(), Failure> {
        book::change(&*self.store, player_id, |book| {
            let before = book.channels.len();
            book.channels.retain(|stored| book::id(stored) != channel_id);
            if book.channels.len() == before { Err(no_such()) } else { Ok(()) }
        })
        .await
    }

    /// Mutes a game of the player's.
    pub(crate) async fn mute(
        &self,
        player_id: &str,
        game_id: &str,
        kinds: &[i32],
    ) -> Result<(), Failure> {
        let kinds = kinds_of(kinds, "kinds")?;
        let unknown = || Failure::new(ErrorReason::GameNotFound, "There is no such game.");
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

    /// Lets a game speak again.
    pub(crate) async fn unmute(&self, player_id: &str, game_id: &str) -> Result<(), Failure> {
        book::change(&*self.store, player_id, |book| {
            book.muted.retain(|muted| muted.game_id != game_id);
            Ok(())
        })
        .await
    }

    /// Forgets everything that a player set, and what was to be told to them.
    pub(crate) async fn forget(&self, player_id: &str) -> Result<(), Failure> {
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
        mut change: impl FnMut(&mut StoredChannel) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        book::change(&*self.store, player_id, |book| {
            change(book::channel(book, channel_id).ok_or_else(no_such)?)
        })
        .await
    }
}

/// The id of the channel that a request with a name makes.
fn id_made_by(player_id: &str, request: &CreateNoticeChannelRequest) -> String {
    let words = [&b"heliopause channel"[..], player_id.as_bytes(), request.request_id.as_bytes()];
    format!("c-{}", &id_of(&words)[2..])
}

/// Settings with everything filled in, if they make sense.
fn settled(settings: Option<NoticeSettings>, by_mail: bool) -> Result<NoticeSettings, Failure> {
    let NoticeSettings { kinds, warn_before, digest } = settings.unwrap_or_default();
    let mut kinds = kinds_of(&kinds, "settings.kinds")?;
    if kinds.is_empty() {
        kinds = KINDS.iter().map(|&kind| kind.into()).collect();
    }
    let seconds = |length: prost_types::Duration| length.seconds;
    let warn = warn_before.map_or(WARN_BEFORE, seconds);
    if !(1..=WARN_BEFORE_MAX).contains(&warn) {
        let text = "A warning comes from 1 second to 30 days before a deadline.";
        return Err(Failure::field("settings.warn_before", text));
    }
    let gathers = digest.map_or(0, seconds);
    if !(0..=DIGEST_MAX).contains(&gathers) {
        let text = "Notices are gathered for 7 days at most.";
        return Err(Failure::field("settings.digest", text));
    }
    if gathers > 0 && !by_mail {
        return Err(Failure::field("settings.digest", "Only mail gathers notices."));
    }
    let length = |seconds| Some(prost_types::Duration { seconds, nanos: 0 });
    Ok(NoticeSettings { kinds, warn_before: length(warn), digest: length(gathers) })
}

/// Kinds that can be chosen, each once.
fn kinds_of(kinds: &[i32], field: &str) -> Result<Vec<i32>, Failure> {
    let is_chosen = |&kind: &i32| {
        !matches!(
            NoticeKind::try_from(kind),
            Err(_) | Ok(NoticeKind::Unspecified | NoticeKind::Test)
        )
    };
    if !kinds.iter().all(is_chosen) {
        return Err(Failure::field(field, "This is no kind of notices that can be chosen."));
    }
    let mut kinds = kinds.to_vec();
    kinds.sort_unstable();
    kinds.dedup();
    Ok(kinds)
}

/// Notes that a code is sent, if there were not too many in the last day.
fn count_code(book: &mut NoticeBook, now: Millis) -> Result<(), Failure> {
    book.code_times.retain(|time| (now - DAY..=now).contains(&super::millis(time)));
    if book.code_times.len() >= CODES_A_DAY {
        let oldest = book.code_times.first().map_or(now, super::millis);
        let wait = Duration::from_millis((oldest + DAY - now).max(1_000) as u64);
        return Err(too_often("5 codes were sent for you in the last 24 hours.", wait));
    }
    book.code_times.push(timestamp(now));
    Ok(())
}

fn crowded() -> Failure {
    too_often("Receivers of yours are being waited for.", Duration::from_secs(1))
}

fn too_often(text: &str, wait: Duration) -> Failure {
    Failure::new(ErrorReason::RateLimited, text).retry(wait)
}

fn full(quota: &'static str, limit: usize) -> Failure {
    let text = format!("You have {limit} {quota}, which is the limit.");
    Failure::new(ErrorReason::QuotaExceeded, text).with("quota", quota).with("limit", limit)
}

fn off(feature: &'static str) -> Failure {
    let text = match feature {
        "mail" => "This server sends no mail: its operator has not turned that on.",
        _ => "This server sends nothing to webhooks: its operator has not turned that on.",
    };
    Failure::new(ErrorReason::NoticesOff, text).with("feature", feature)
}

fn no_such() -> Failure {
    Failure::new(ErrorReason::NotFound, "There is no such channel.").with("what", "channel")
}

#[cfg(test)]
mod tests {
    use super::*;

    // It is always written into fields that may be absent.
    #[expect(clippy::unnecessary_wraps)]
    fn length(seconds: i64) -> Option<prost_types::Duration> {
        Some(prost_types::Duration { seconds, nanos: 0 })
    }

    #[test]
    fn settings_are_filled_in_or_refused() {
        let filled = settled(None, false).unwrap();
        assert_eq!(filled.kinds, [3, 8, 4, 5]);
        assert_eq!((filled.warn_before, filled.digest), (length(6 * 60 * 60), length(0)));
        let kinds = |kinds: &[i32]| NoticeSettings { kinds: kinds.to_vec(), ..filled.clone() };
        assert_eq!(settled(Some(kinds(&[5, 3, 5])), false).unwrap().kinds, [3, 5]);
        let hourly = NoticeSettings { digest: length(3_600), ..filled.clone() };
        assert!(settled(Some(hourly.clone()), true).is_ok());
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
            assert!(settled(Some(settings.clone()), by_mail).is_err(), "{settings:?}");
        }
    }

    #[test]
    fn five_codes_are_sent_in_a_day() {
        let mut book = NoticeBook::default();
        for time in 0..5 {
            count_code(&mut book, time).unwrap();
        }
        assert!(count_code(&mut book, DAY).is_err());
        count_code(&mut book, DAY + 1).unwrap();
        assert!(count_code(&mut book, DAY + 1).is_err());
    }
}
