//! Commands that print events and notices as they arrive.

use std::process::Stdio;

use clap::Args;
use heliopause_proto::v1::stream_events_response::Part;
use heliopause_proto::v1::stream_my_games_response::Notice;
use heliopause_proto::v1::{
    Audience, CaughtUp, Cursor, GameMasterAudience, GameNotice, SpectatorAudience,
    StreamEventsRequest, StreamEventsResponse, StreamMyGamesRequest, audience, event,
};
use tokio::time::sleep;

use super::chat;
use super::notices::{ChannelCommand, channels};
use crate::context::{Context, to_json_line};
use crate::engine::Engine;
use crate::failure::Failure;
use crate::follow::{Follower, StreamItem};
use crate::style::Ink;
use crate::table::{self, Table};
use crate::terminal::Out;
use crate::text::{due, duration, harmless};
use crate::wording;
use crate::words::say;

/// Print events as they happen.
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/watch.txt"))]
#[expect(clippy::struct_excessive_bools, reason = "they are independent")]
pub struct WatchArgs {
    #[command(flatten)]
    pub table: Table,
    /// Watch as a spectator.
    #[arg(long)]
    pub spectator: bool,
    /// Also print chat lines.
    #[arg(long)]
    pub chat: bool,
    /// Start after this event: a number, or a cursor such as seat-1:42, spectators:7, gm:7
    /// [default: now].
    #[arg(long, value_name = "CURSOR")]
    pub from: Option<String>,
    /// Exit after printing all events up to now.
    #[arg(long, conflicts_with = "until_end")]
    pub no_follow: bool,
    /// Exit when the game has ended.
    #[arg(long)]
    pub until_end: bool,
}

/// Print notices of all your games as they happen, or have the engine send them.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = include_str!("../help/notices.txt")
)]
pub struct NoticesArgs {
    #[command(subcommand)]
    pub channels: Option<ChannelCommand>,
    /// Run this shell command for each notice of a game.
    #[arg(long, value_name = "CMD")]
    pub exec: Option<String>,
}

/// Prints the events of a game as they arrive.
pub async fn watch(context: &Context, args: WatchArgs) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let after = match &args.from {
        None => None,
        Some(text) => Some(cursor(&engine, &args, text).await?),
    };
    let request = StreamEventsRequest {
        game_id: args.table.game.clone(),
        seat: args.table.seat,
        as_spectator: args.spectator,
        after,
        chat: args.chat,
    };
    let mut follower = Follower::new(engine, request);
    let result = tokio::select! {
        result = print_all(context, &mut follower, &args) => result,
        _ = tokio::signal::ctrl_c() => Ok(()),
    };
    if let (Some(cursor), false) = (follower.cursor(), context.json) {
        let told = say!("watch-continue", cursor = wording::cursor(cursor));
        Out::Stderr.say(&context.style.paint(told, Ink::Faint))?;
    }
    result
}

async fn print_all(
    context: &Context,
    follower: &mut Follower,
    args: &WatchArgs,
) -> Result<(), Failure> {
    loop {
        let heard = follower.next().await?;
        let over = match &heard {
            StreamItem::CaughtUp(_) => args.no_follow,
            StreamItem::Event(event) => {
                args.until_end && matches!(event.body, Some(event::Body::GameEnded(_)))
            }
            StreamItem::Opening(opening) => {
                args.until_end
                    && args.from.is_none()
                    && opening.game.as_ref().is_some_and(|game| game.end_time.is_some())
            }
            _ => false,
        };
        tell(context, heard)?;
        if over {
            return Ok(());
        }
    }
}

fn tell(context: &Context, heard: StreamItem) -> Result<(), Failure> {
    let style = &context.style;
    let aside = |text: String| Out::Stderr.say(&style.paint(text, Ink::Faint));
    match heard {
        StreamItem::Lost(pause, failure) => {
            let pause = duration(jiff::SignedDuration::try_from(pause).unwrap_or_default());
            aside(say!("watch-reconnecting-in", failure = failure.report().message, pause = pause))
        }
        StreamItem::FellBehind => aside(say!("watch-client-fell-behind-catching")),
        heard if context.json => {
            Out::Stdout.line(&to_json_line(&StreamEventsResponse { part: part(heard) }))
        }
        StreamItem::Opening(opening) => {
            aside(opening.game.as_ref().map(|game| wording::game(style, game)).unwrap_or_default())
        }
        StreamItem::Event(event) => Out::Stdout.say(&wording::event(style, &event)),
        StreamItem::Chat(line) => Out::Stdout.say(&chat::line(style, &line)),
        StreamItem::CaughtUp(_) => aside(say!("watch-up-date-waiting-events")),
    }
}

fn part(heard: StreamItem) -> Option<Part> {
    match heard {
        StreamItem::Opening(opening) => Some(Part::Snapshot(*opening)),
        StreamItem::Event(event) => Some(Part::Event(*event)),
        StreamItem::Chat(line) => Some(Part::Chat(*line)),
        StreamItem::CaughtUp(cursor) => Some(Part::CaughtUp(CaughtUp { cursor: Some(cursor) })),
        StreamItem::FellBehind | StreamItem::Lost(..) => None,
    }
}

/// Parses a cursor. A plain number refers to the caller's audience, which the engine provides.
async fn cursor(engine: &Engine, args: &WatchArgs, text: &str) -> Result<Cursor, Failure> {
    let wrong = || {
        Failure::usage(say!("watch-not-a-cursor", text = text))
            .advise(say!("watch-write-event-number-cursor"))
    };
    if let Ok(number) = text.parse() {
        let own =
            table::fetch(engine, &args.table, args.spectator).await?.cursor.unwrap_or_default();
        return Ok(Cursor { number, ..own });
    }
    let (audience, number) = text.split_once(':').ok_or_else(wrong)?;
    let kind = match audience {
        "spectators" => audience::Kind::Spectators(SpectatorAudience {}),
        "gm" => audience::Kind::GameMaster(GameMasterAudience {}),
        seat => audience::Kind::Seat(
            seat.strip_prefix("seat-").and_then(|n| n.parse().ok()).ok_or_else(wrong)?,
        ),
    };
    let number = number.parse().map_err(|_| wrong())?;
    Ok(Cursor { audience: Some(Audience { kind: Some(kind) }), number, ..Cursor::default() })
}

/// Prints notices as they arrive, or runs a channel command.
pub async fn notices(context: &Context, mut args: NoticesArgs) -> Result<(), Failure> {
    if let Some(command) = args.channels.take() {
        return channels(context, command).await;
    }
    let engine = context.engine().await?;
    tokio::select! {
        result = print_notices(context, &engine, &args) => result,
        _ = tokio::signal::ctrl_c() => Ok(()),
    }
}

async fn print_notices(
    context: &Context,
    engine: &Engine,
    args: &NoticesArgs,
) -> Result<(), Failure> {
    loop {
        match listen(context, engine, args).await {
            Err(failure) if failure.is_transient() => {
                let told = say!("watch-reconnecting-soon", failure = failure.report().message);
                Out::Stderr.say(&context.style.paint(told, Ink::Faint))?;
                sleep(std::time::Duration::from_secs(2)).await;
            }
            result => return result,
        }
    }
}

async fn listen(context: &Context, engine: &Engine, args: &NoticesArgs) -> Result<(), Failure> {
    let mut stream = engine.games().stream_my_games(StreamMyGamesRequest {}).await?.into_inner();
    while let Some(message) = stream.message().await? {
        if let (Some(Notice::Game(notice)), Some(command)) = (&message.notice, &args.exec) {
            run(command, notice).await?;
        }
        match &message.notice {
            Some(Notice::Heartbeat(_)) | None => {}
            Some(_) if context.json => Out::Stdout.line(&to_json_line(&message))?,
            Some(Notice::Game(notice)) => Out::Stdout.say(&line(notice))?,
            Some(Notice::CaughtUp(_)) => {
                let told = say!("watch-waiting-notices-ctrl-c-quits");
                Out::Stderr.say(&context.style.paint(told, Ink::Faint))?;
            }
            Some(Notice::FellBehind(_)) => {
                Out::Stdout.say(&say!("watch-some-notices-lost-cli-client"))?;
            }
        }
    }
    Err(Failure::interrupted(&say!("watch-engine-closed-stream")))
}

/// Runs the command of `--exec` for a notice. The command receives text from other players in
/// environment variables, which the shell does not interpret.
async fn run(command: &str, notice: &GameNotice) -> Result<(), Failure> {
    let kind = notice.kind().as_str_name().trim_start_matches("NOTICE_KIND_").to_owned();
    let done = tokio::process::Command::new("sh")
        .args(["-c", command])
        .env("HELIOPAUSE_GAME", &notice.game_id)
        .env("HELIOPAUSE_NAME", harmless(&notice.name))
        .env("HELIOPAUSE_KIND", kind)
        .env("HELIOPAUSE_TEXT", harmless(&notice.text))
        .stdin(Stdio::null())
        .status()
        .await;
    match done {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => {
            Out::Stderr.say(&say!("watch-warning-exited", command = command, status = status))
        }
        Err(error) => {
            Out::Stderr.say(&say!("watch-warning-cannot-run", command = command, error = error))
        }
    }
}

fn line(notice: &GameNotice) -> String {
    let deadline = notice
        .due_time
        .as_ref()
        .map(|deadline| format!(" {}", say!("watch-due", deadline = due(deadline))))
        .unwrap_or_default();
    format!("{}  {}: {}{deadline}", notice.game_id, harmless(&notice.name), harmless(&notice.text))
}
