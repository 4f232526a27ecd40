//! Commands that mute games and manage channels for notices.

use clap::{Args, Subcommand, ValueEnum};
use heliopause_proto::v1::create_notice_channel_request::Target as RequestedTarget;
use heliopause_proto::v1::notice_channel::Target as To;
use heliopause_proto::v1::*;
use jiff::SignedDuration;

use super::lobby::GameArg;
use crate::context::Context;
use crate::engine::request_id;
use crate::failure::Failure;
use crate::input::{parse_duration, to_proto};
use crate::style::{Ink, Style};
use crate::text::{duration, from_proto, harmless, moment};
use crate::words::say;

/// Manage channels for your notices.
#[derive(Debug, Subcommand)]
pub enum ChannelCommand {
    /// Add a channel: a webhook or an email address.
    #[command(subcommand)]
    Add(AddCommand),
    /// Confirm an email address with the code that was sent to it.
    Confirm {
        /// The channel's id, as `notices list` shows it.
        channel: String,
        /// The code in the email.
        code: String,
    },
    /// List your channels and the games that you muted.
    List,
    /// Change what a channel receives, and enable it again if it is off.
    Change {
        /// The channel's id, as `notices list` shows it.
        channel: String,
        #[command(flatten)]
        wishes: ChannelSettings,
        /// For email: collect notices and send them once per interval.
        #[arg(long, value_name = "TIME", value_parser = parse_duration)]
        digest: Option<SignedDuration>,
    },
    /// Replace the secret of a webhook.
    Renew(ChannelArg),
    /// Send a test notice to a channel and show the result.
    Test(ChannelArg),
    /// Remove a channel.
    Remove(ChannelArg),
}

/// A notice channel.
#[derive(Debug, Args)]
pub struct ChannelArg {
    /// The channel's id, as `notices list` shows it.
    pub channel: String,
}

/// Add a channel.
#[derive(Debug, Subcommand)]
pub enum AddCommand {
    /// Send notices to a URL, signed with a secret that is shown once.
    Webhook {
        /// The URL, https://...
        url: String,
        /// Format of the requests.
        #[arg(long, value_name = "FORM", default_value = "plain")]
        template: Template,
        #[command(flatten)]
        wishes: ChannelSettings,
    },
    /// Send notices to an email address, once you have confirmed it.
    Mail {
        /// The email address.
        address: String,
        #[command(flatten)]
        wishes: ChannelSettings,
        /// Collect notices and send them once per interval, for example 1h or 1d.
        #[arg(long, value_name = "TIME", value_parser = parse_duration)]
        digest: Option<SignedDuration>,
    },
}

/// The settings of a channel.
#[derive(Debug, Args)]
pub struct ChannelSettings {
    /// The kinds of notices, separated by commas [default:
    /// your-decision,deadline-near,message,ended].
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    pub kinds: Vec<Kind>,
    /// Time before a deadline at which to warn [default: 6h].
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub warn_before: Option<SignedDuration>,
}

impl ChannelSettings {
    fn settings(&self, digest: Option<SignedDuration>) -> NoticeSettings {
        NoticeSettings {
            kinds: numbers(&self.kinds),
            warn_before: self.warn_before.map(to_proto),
            digest: digest.map(to_proto),
        }
    }
}

/// Mute a game.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  cli-client mute GAME\n  cli-client mute GAME --kinds message")]
pub struct MuteArgs {
    /// The game's id.
    pub game: String,
    /// Mute only these kinds of notices, separated by commas.
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    pub kinds: Vec<Kind>,
}

/// A kind of notice.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Kind {
    /// A seat is reserved for you.
    Invited = NoticeKind::Invited as isize,
    /// A game started.
    Started = NoticeKind::Started as isize,
    /// You have a new decision to make.
    YourDecision = NoticeKind::YourDecision as isize,
    /// One of your decisions is due soon.
    DeadlineNear = NoticeKind::DeadlineNear as isize,
    /// A message arrived.
    Message = NoticeKind::Message as isize,
    /// A game ended.
    Ended = NoticeKind::Ended as isize,
    /// A vote was proposed, cast or decided.
    Vote = NoticeKind::Vote as isize,
    /// A player declined a seat in your game.
    Declined = NoticeKind::Declined as isize,
}

fn numbers(kinds: &[Kind]) -> Vec<i32> {
    kinds.iter().map(|kind| *kind as i32).collect()
}

/// The format of a webhook's requests.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Template {
    /// JSON with all data.
    Plain = WebhookTemplate::Plain as isize,
    /// A Discord message.
    Discord = WebhookTemplate::Discord as isize,
    /// A Slack message.
    Slack = WebhookTemplate::Slack as isize,
    /// An ntfy message; the URL ends with the topic.
    Ntfy = WebhookTemplate::Ntfy as isize,
}

pub async fn channels(context: &Context, command: ChannelCommand) -> Result<(), Failure> {
    let mut players = context.engine().await?.players();
    match command {
        ChannelCommand::Add(command) => add(context, command).await,
        ChannelCommand::Confirm { channel, code } => {
            let request = ConfirmNoticeChannelRequest {
                channel_id: channel,
                code,
                ..ConfirmNoticeChannelRequest::default()
            };
            let response = players.confirm_notice_channel(request).await?.into_inner();
            context.answer(&response, |_| say!("notices-address-confirmed-notices-sent"))
        }
        ChannelCommand::List => {
            let request = ListNoticeChannelsRequest {};
            let response = players.list_notice_channels(request).await?.into_inner();
            context.answer(&response, |style| listed(style, &response))
        }
        ChannelCommand::Change { channel, wishes, digest } => {
            let settings = Some(wishes.settings(digest));
            let request = UpdateNoticeChannelRequest { channel_id: channel, settings };
            let response = players.update_notice_channel(request).await?.into_inner();
            context.answer(&response, |style| {
                response.channel.as_ref().map(|channel| told(style, channel)).unwrap_or_default()
            })
        }
        ChannelCommand::Renew(ChannelArg { channel }) => {
            let request = RenewNoticeSecretRequest { channel_id: channel };
            let response = players.renew_notice_secret(request).await?.into_inner();
            context.answer(&response, |style| secret(style, &response.secret))
        }
        ChannelCommand::Test(ChannelArg { channel }) => {
            let request = TestNoticeChannelRequest { channel_id: channel };
            let response = players.test_notice_channel(request).await?.into_inner();
            context.answer(&response, |style| {
                if response.delivered {
                    style.paint(say!("notices-test-notice-delivered"), Ink::Good)
                } else {
                    say!("notices-test-notice-not-delivered", failure = harmless(&response.failure))
                }
            })
        }
        ChannelCommand::Remove(ChannelArg { channel }) => {
            let request = DeleteNoticeChannelRequest { channel_id: channel };
            context.done(
                &players.delete_notice_channel(request).await?,
                &say!("notices-channel-removed"),
            )
        }
    }
}

async fn add(context: &Context, command: AddCommand) -> Result<(), Failure> {
    let (target, settings) = match command {
        AddCommand::Webhook { url, template, wishes } => {
            let webhook = Webhook { url, format: template as i32 };
            (RequestedTarget::Webhook(webhook), wishes.settings(None))
        }
        AddCommand::Mail { address, wishes, digest } => {
            (RequestedTarget::Mail(Mailbox { address }), wishes.settings(digest))
        }
    };
    let request = CreateNoticeChannelRequest {
        target: Some(target),
        settings: Some(settings),
        request_id: request_id()?,
    };
    let mut players = context.engine().await?.players();
    let response = players.create_notice_channel(request).await?.into_inner();
    context.answer(&response, |style| {
        let channel = response.channel.clone().unwrap_or_default();
        let added = told(style, &channel);
        if channel.state() == NoticeChannelState::Unconfirmed {
            let id = &channel.channel_id;
            let sent = say!("notices-code-sent-address-next", id = id);
            format!("{added}\n{sent}")
        } else {
            format!("{added}\n{}", secret(style, &response.secret))
        }
    })
}

fn secret(style: &Style, secret: &str) -> String {
    let told = say!("notices-secret-signs-requests", secret = secret);
    format!("{told}\n{}", style.paint(say!("notices-save-secret-not-shown"), Ink::Notice))
}

fn listed(style: &Style, response: &ListNoticeChannelsResponse) -> String {
    let mut parts: Vec<String> =
        response.channels.iter().map(|channel| told(style, channel)).collect();
    if parts.is_empty() {
        parts.push(say!("notices-no-channels-add-one"));
    }
    if !response.webhooks_on {
        parts.push(say!("notices-no-webhooks"));
    }
    if !response.mail_on {
        parts.push(say!("notices-no-mail"));
    }
    parts.extend(response.muted.iter().map(muted));
    parts.join("\n")
}

fn muted(muted: &MutedGame) -> String {
    let kinds = words(muted.kinds().collect());
    let what = if kinds.is_empty() { say!("notices-all") } else { kinds };
    say!("notices-muted", game_id = harmless(&muted.game_id), what = what)
}

fn told(style: &Style, channel: &NoticeChannel) -> String {
    let target = match &channel.target {
        Some(To::Webhook(hook)) => {
            let form = hook.format().as_str_name().trim_start_matches("WEBHOOK_TEMPLATE_");
            say!("notices-webhook", url = harmless(&hook.url), form = form.to_lowercase())
        }
        Some(To::Mail(to)) => say!("notices-email", address = harmless(&to.address)),
        Some(To::Push(device)) => say!("notices-device", name = harmless(&device.name)),
        None => say!("notices-unknown-target"),
    };
    let state = match channel.state() {
        NoticeChannelState::Unspecified => String::new(),
        NoticeChannelState::Active => style.paint(say!("notices-on"), Ink::Good),
        NoticeChannelState::Unconfirmed => style.paint(say!("notices-not-confirmed"), Ink::Notice),
        NoticeChannelState::Off => {
            style.paint(say!("notices-off", why = harmless(&channel.off_because)), Ink::Notice)
        }
    };
    let mut lines = vec![format!("{}  {target}  {state}", channel.channel_id)];
    let settings = channel.settings.clone().unwrap_or_default();
    let mut wishes = vec![words(settings.kinds().collect())];
    if let Some(before) = &settings.warn_before {
        wishes.push(say!("notices-warns-before-deadline", time = duration(from_proto(before))));
    }
    if let Some(digest) = settings.digest.as_ref().filter(|digest| digest.seconds > 0) {
        wishes.push(say!("notices-one-digest-per", time = duration(from_proto(digest))));
    }
    lines.push(format!("  {}", wishes.join("; ")));
    if let Some(time) = &channel.success_time {
        lines.push(format!("  {}", say!("notices-delivered-at", time = moment(time))));
    }
    if let Some(time) = &channel.failure_time {
        lines.push(format!(
            "  {}",
            say!("notices-failed-at", time = moment(time), failure = harmless(&channel.failure))
        ));
    }
    lines.join("\n")
}

fn words(kinds: Vec<NoticeKind>) -> String {
    let word = |kind: NoticeKind| {
        let name = kind.as_str_name().trim_start_matches("NOTICE_KIND_");
        name.to_lowercase().replace('_', "-")
    };
    kinds.into_iter().map(word).collect::<Vec<_>>().join(", ")
}

/// Mutes a game, or some kinds of its notices.
pub async fn mute(context: &Context, args: MuteArgs) -> Result<(), Failure> {
    let request = MuteGameRequest { kinds: numbers(&args.kinds), game_id: args.game };
    context.done(
        &context.engine().await?.players().mute_game(request).await?,
        &say!("notices-game-muted"),
    )
}

pub async fn unmute(context: &Context, args: GameArg) -> Result<(), Failure> {
    let mut players = context.engine().await?.players();
    let listed = players.list_notice_channels(ListNoticeChannelsRequest {}).await?.into_inner();
    let was_muted = listed.muted.iter().any(|muted| muted.game_id == args.game);
    let request = UnmuteGameRequest { game_id: args.game };
    let response = players.unmute_game(request).await?;
    let text = if was_muted {
        say!("notices-game-no-longer-muted")
    } else {
        say!("notices-game-not-muted")
    };
    context.done(&response, &text)
}
