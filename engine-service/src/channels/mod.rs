//! Channels: webhooks, mailboxes and devices through which players get notices without an open
//! connection.
//!
//! **Invariant: a notice is stored before it is sent.** The append that causes a notice also writes
//! the notice. The engine removes the notice after the receiver has accepted it, or when the notice
//! can no longer be delivered.
//!
//! **Invariant: the engine calls webhooks only at addresses that it has checked.** See `addresses`.
//!
//! **Invariant: the text of a message between players never leaves the engine through a channel.**

mod addresses;
mod book;
mod calls;
mod deliver;
mod delivery_limits;
mod mail;
mod push;
mod templates;
pub(crate) mod webhook;

use std::sync::Arc;
use std::time::Duration;

use heliopause_proto::store::v1::StoredChannel;
use heliopause_proto::v1::WebhookTemplate;
use heliopause_proto::v1::notice_channel::Target as To;
use tokio::sync::{Notify, Semaphore};

use self::delivery_limits::DeliveryLimits;
use self::mail::{Mail, MailMessage};
use self::templates::{ReadyNotice, word};
use self::webhook::{Post, Target, Undelivered, Webhooks};
use crate::Time;
use crate::background;
use crate::config::NoticeSettings;
use crate::log_throttle::throttled;
use crate::random;
use crate::store::{Millis, Store};

pub(crate) use self::deliver::start;
pub(crate) use self::mail::address as check_address;

/// The delays before the attempts to send an email about an account. A person waits for a code, so
/// there are few.
const ACCOUNT_MAIL_DELAYS: [Duration; 3] =
    [Duration::ZERO, Duration::from_secs(3), Duration::from_secs(15)];

/// The maximum number of emails about accounts that wait for the mail server. If it does not respond,
/// each waits about a minute.
const ACCOUNT_MAILS_MAX: usize = 256;

pub struct Channels {
    store: Arc<dyn Store>,
    time: Time,
    webhooks: Option<Webhooks>,
    mail: Option<Mail>,
    delivery_limits: DeliveryLimits,
    /// The slots of emails about accounts.
    account_mails: Arc<Semaphore>,
    /// Wakes the delivery task for a confirmation code. Notices of games wake the task through the
    /// host.
    wake: Notify,
}

impl Channels {
    pub fn new(store: Arc<dyn Store>, settings: &NoticeSettings, time: Time) -> Self {
        let webhooks = settings.webhooks.then(|| Webhooks::new(settings.private_addresses));
        let mail = settings.mail.as_ref().map(Mail::new);
        Self {
            store,
            time,
            webhooks,
            mail,
            delivery_limits: DeliveryLimits::default(),
            account_mails: Arc::new(Semaphore::new(ACCOUNT_MAILS_MAX)),
            wake: Notify::new(),
        }
    }

    pub fn are_on(&self) -> bool {
        self.webhooks_on() || self.mail_on()
    }

    pub(crate) fn webhooks_on(&self) -> bool {
        self.webhooks.is_some()
    }

    pub(crate) fn mail_on(&self) -> bool {
        self.mail.is_some()
    }

    /// Sends a sign-in code to a checked email address, without delaying the caller. `link` may be
    /// empty.
    pub(crate) fn send_sign_in(self: &Arc<Self>, address: &str, code: &str, link: &str) {
        self.send_about_account(address, mail::sign_in(code, link, &random::channel_id()));
    }

    /// Reports a change of an account to a checked email address, without delaying the caller.
    pub(crate) fn send_change(self: &Arc<Self>, address: &str, change: &str) {
        self.send_about_account(address, mail::changed(change, &random::channel_id()));
    }

    fn send_about_account(self: &Arc<Self>, address: &str, message: MailMessage) {
        let Ok(slot) = Arc::clone(&self.account_mails).try_acquire_owned() else {
            throttled!(warn, "too many emails about accounts wait; an email was not sent");
            return;
        };
        let (channels, address) = (Arc::clone(self), address.to_owned());
        background::spawn(async move {
            let _slot = slot;
            let Some(mail) = &channels.mail else { return };
            for delay in ACCOUNT_MAIL_DELAYS {
                tokio::time::sleep(delay).await;
                match mail.send(&address, message.clone()).await {
                    Ok(()) => return,
                    Err(Undelivered { why, .. }) => {
                        tracing::warn!(why, "an email about an account could not be sent");
                    }
                }
            }
        });
    }

    /// Attempts once to send notices: to a webhook or device in one request each, or to a mailbox
    /// in one email.
    async fn send_notices(
        &self,
        stored: &StoredChannel,
        told: &[ReadyNotice],
    ) -> Result<(), Undelivered> {
        let off = || Undelivered::because("The operator has disabled this type of channel.");
        match book::target(stored) {
            Some(To::Webhook(hook)) => {
                let webhooks = self.webhooks.as_ref().ok_or_else(off)?;
                let target =
                    Target::of(&hook.url, webhooks.private).map_err(Undelivered::because)?;
                let (target, topic) = match hook.format() {
                    WebhookTemplate::Ntfy => target.topic().ok_or_else(|| {
                        Undelivered::because("The last part of the URL is not an ntfy topic.")
                    })?,
                    _ => (target, String::new()),
                };
                for told in told {
                    let body = templates::body(hook.format(), told, &topic);
                    let post =
                        Post::signed(&told.id, &word(told.news.kind()), &stored.secret, body);
                    webhooks.post(&target, post).await?;
                }
                Ok(())
            }
            Some(To::Push(_)) => {
                let webhooks = self.webhooks.as_ref().ok_or_else(off)?;
                let subscription = stored
                    .subscription
                    .as_ref()
                    .ok_or_else(|| Undelivered::because("The device has not subscribed."))?;
                let target = Target::of(&subscription.endpoint, webhooks.private)
                    .map_err(Undelivered::because)?;
                let contact = self.mail.as_ref().map(Mail::sender);
                for told in told {
                    let key = &stored.push_key;
                    let post = push::post(told, subscription, key, &target, contact.as_deref())
                        .ok_or_else(|| Undelivered::because("The device's key is unreadable."))?;
                    webhooks.post(&target, post).await?;
                }
                Ok(())
            }
            Some(To::Mail(to)) => {
                let mail = self.mail.as_ref().ok_or_else(off)?;
                let channel_id = book::id(stored);
                let first = told.first().map(|told| told.id.as_str()).unwrap_or_default();
                let id = format!("{first}.{channel_id}");
                mail.send(&to.address, mail::notices(told, channel_id, &id)).await
            }
            None => Err(Undelivered::because("The channel has no target.")),
        }
    }
}

fn millis(time: &prost_types::Timestamp) -> Millis {
    time.seconds.saturating_mul(1_000).saturating_add(Millis::from(time.nanos / 1_000_000))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::MailSettings;
    use crate::store::sqlite::SqliteStore;

    #[tokio::test]
    async fn few_emails_about_accounts_wait() {
        let mail = MailSettings {
            url: "smtp://localhost:25".parse().unwrap(),
            from: "Games <games@example.org>".parse().unwrap(),
        };
        let settings = NoticeSettings { mail: Some(mail), ..NoticeSettings::default() };
        let store = Arc::new(SqliteStore::in_memory());
        let channels = Arc::new(Channels::new(store, &settings, Time::default()));
        // The tasks do not run before this test awaits.
        for _ in 0..ACCOUNT_MAILS_MAX + 10 {
            channels.send_change("ann@example.org", "A change.");
        }
        assert_eq!(Arc::strong_count(&channels), 1 + ACCOUNT_MAILS_MAX);
    }
}
