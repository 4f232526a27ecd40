//! Channels: how notices reach players who have no connection open.
//!
//! | module | holds |
//! | --- | --- |
//! | `calls` | what players do to their channels |
//! | `book` | what they set, and changing it |
//! | `deliver` | the way of each notice from the store to its receivers |
//! | `crowd` | how many receivers are waited for at once |
//! | `templates` | what a notice looks like in each form |
//! | `webhook` | one attempt to send one to a webhook |
//! | `addresses` | which addresses a webhook may have |
//! | `mail` | one attempt to send some by mail |
//!
//! **Invariant: a notice is in the store before anybody is told.** It is written by the append that
//! causes it, and removed when its receiver has taken it; so it outlasts the engine, and its id is
//! the same at every attempt.
//!
//! **Invariant: the engine connects only to addresses that it looked at.** See `addresses`.

mod addresses;
mod book;
mod calls;
mod crowd;
mod deliver;
mod mail;
mod templates;
mod webhook;

use std::sync::Arc;

use heliopause_proto::store::v1::StoredChannel;
use heliopause_proto::v1::WebhookTemplate;
use heliopause_proto::v1::notice_channel::Target as To;
use tokio::sync::Notify;

use self::crowd::Crowd;
use self::mail::Mail;
use self::templates::{Told, word};
use self::webhook::{Post, Target, Undelivered, Webhooks};
use crate::Time;
use crate::config::NoticeSettings;
use crate::store::{Millis, Store};

pub(crate) use self::calls::Shown;
pub(crate) use self::deliver::start;

/// Sends notices out of the engine, as far as the operator lets it.
pub struct Channels {
    store: Arc<dyn Store>,
    time: Time,
    webhooks: Option<Webhooks>,
    mail: Option<Mail>,
    crowd: Crowd,
    /// Wakes the deliverer for what no game has caused.
    wake: Notify,
}

impl Channels {
    /// The channels of the players in a store.
    pub fn new(store: Arc<dyn Store>, settings: &NoticeSettings, time: Time) -> Self {
        let webhooks = settings.webhooks.then(|| Webhooks::new(settings.private_addresses));
        let mail = settings.mail.as_ref().map(Mail::new);
        Self { store, time, webhooks, mail, crowd: Crowd::default(), wake: Notify::new() }
    }

    /// Whether there is any.
    pub fn are_on(&self) -> bool {
        self.webhooks_on() || self.mail_on()
    }

    /// Whether notices go to webhooks.
    pub(crate) fn webhooks_on(&self) -> bool {
        self.webhooks.is_some()
    }

    /// Whether notices go by mail.
    pub(crate) fn mail_on(&self) -> bool {
        self.mail.is_some()
    }

    /// Tells notices to a channel: one attempt. A webhook gets one, a mailbox all.
    async fn tell(&self, stored: &StoredChannel, told: &[Told]) -> Result<(), Undelivered> {
        let off = || Undelivered::because("The operator has turned such channels off.");
        match stored.channel.as_ref().and_then(|channel| channel.target.as_ref()) {
            Some(To::Webhook(hook)) => {
                let webhooks = self.webhooks.as_ref().ok_or_else(off)?;
                let target =
                    Target::of(&hook.url, webhooks.private).map_err(Undelivered::because)?;
                let (target, topic) = match hook.form() {
                    WebhookTemplate::Ntfy => target
                        .topic()
                        .ok_or_else(|| Undelivered::because("The URL names no topic."))?,
                    _ => (target, String::new()),
                };
                for told in told {
                    let body = templates::body(hook.form(), told, &topic);
                    let kind = word(told.kind);
                    let post = Post { id: &told.id, kind: &kind, secret: &stored.secret, body };
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
            None => Err(Undelivered::because("The channel leads nowhere.")),
        }
    }
}

/// A moment of the contract.
fn millis(time: &prost_types::Timestamp) -> Millis {
    time.seconds.saturating_mul(1_000).saturating_add(Millis::from(time.nanos / 1_000_000))
}
