//! Watching what happens.

use std::process::Stdio;

use clap::Args;
use heliopause_proto::v1::stream_events_response::Part;
use heliopause_proto::v1::stream_my_games_response::Notice;
use heliopause_proto::v1::{
    Audience, CaughtUp, Cursor, GameMasterAudience, GameNotice, SpectatorAudience,
    StreamEventsRequest, StreamEventsResponse, StreamMyGamesRequest, audience, event,
};
use tokio::time::sleep;

use super::notices::{ChannelCommand, channels};
use crate::context::{Context, to_json_line};
use crate::engine::Engine;
use crate::failure::Failure;
use crate::follow::{Follower, Heard};
use crate::style::Ink;
use crate::table::{self, Table};
use crate::terminal::Out;
use crate::text::{due, duration, harmless};
use crate::wording;

/// Print events as they happen.
#[derive(Debug, Args)]
#[command(after_help = "\
The last line before it ends tells the cursor, so that a script can go on from there.

Examples:
  cli-client watch GAME
  cli-client watch GAME --from 0                 from the beginning
  cli-client watch GAME --from seat-1:42 --json  after event 42 of seat 1
  cli-client watch GAME --until-end && echo over")]
pub struct WatchArgs {
    #[command(flatten)]
    /// The game.
    pub table: Table,
    /// Watch as a spectator.
    #[arg(long)]
    pub spectator: bool,
    /// Begin after this event: a number, or a cursor such as seat-1:42, spectators:7, gm:7
    /// [default: now].
    #[arg(long, value_name = "CURSOR")]
    pub from: Option<String>,
    /// End when all events up to now were printed.
    #[arg(long, conflicts_with = "until_end")]
    pub no_follow: bool,
    /// End when the game has ended.
    #[arg(long)]
    pub until_end: bool,
}

/// Print notices of all your games as they happen; or have the engine send them.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Without a command it prints notices until you end it. The engine sends them to channels of yours (a webhook, a mail
address) also while no program of yours runs, if its operator lets it.

The command of --exec finds what happened in its environment: HELIOPAUSE_GAME (the id), HELIOPAUSE_NAME,
HELIOPAUSE_KIND (YOUR_DECISION, MESSAGE, ENDED, ...) and HELIOPAUSE_TEXT (a sentence).

Examples:
  cli-client notices
  cli-client notices --exec 'notify-send \"$HELIOPAUSE_NAME\" \"$HELIOPAUSE_TEXT\"'
  cli-client notices add webhook https://discord.com/api/webhooks/... --template discord
  cli-client notices add mail ann@example.org --digest 1d"
)]
pub struct NoticesArgs {
    #[command(subcommand)]
    /// What to do with your channels.
    pub channels: Option<ChannelCommand>,
    /// Run this command of the shell for each notice of a game.
    #[arg(long, value_name = "CMD")]
    pub exec: Option<String>,
}

/// Watches a game.
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
    };
    let mut follower = Follower::new(engine, request);
    let result = tokio::select! {
        result = print_all(context, &mut follower, &args) => result,
        _ = tokio::signal::ctrl_c() => Ok(()),
    };
    if let (Some(cursor), false) = (follower.cursor(), context.json) {
        let told = format!("Go on with --from {}", wording::cursor(cursor));
        Out::Aside.say(&context.style.paint(told, Ink::Faint))?;
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
            Heard::CaughtUp(_) => args.no_follow,
            Heard::Event(event) => {
                args.until_end && matches!(event.body, Some(event::Body::GameEnded(_)))
            }
            Heard::Opening(opening) => {
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

/// Prints what was heard; what concerns only the connection goes to standard error.
fn tell(context: &Context, heard: Heard) -> Result<(), Failure> {
    let style = &context.style;
    let aside = |text: String| Out::Aside.say(&style.paint(text, Ink::Faint));
    match heard {
        Heard::Lost(pause, failure) => {
            let pause = duration(jiff::SignedDuration::try_from(pause).unwrap_or_default());
            aside(format!("{} Connecting again in {pause}...", failure.report().message))
        }
        Heard::FellBehind => aside("Fell behind; catching up from the journal.".into()),
        heard if context.json => {
            Out::Answer.line(&to_json_line(&StreamEventsResponse { part: part(heard) }))
        }
        Heard::Opening(opening) => {
            aside(opening.game.as_ref().map(|game| wording::game(style, game)).unwrap_or_default())
        }
        Heard::Event(event) => Out::Answer.say(&wording::event(style, &event)),
        Heard::CaughtUp(_) => {
            aside("Up to date; waiting for what happens next (Ctrl-C ends).".into())
        }
    }
}

fn part(heard: Heard) -> Option<Part> {
    match heard {
        Heard::Opening(opening) => Some(Part::Opening(*opening)),
        Heard::Event(event) => Some(Part::Event(*event)),
        Heard::CaughtUp(cursor) => Some(Part::CaughtUp(CaughtUp { cursor: Some(cursor) })),
        Heard::FellBehind | Heard::Lost(..) => None,
    }
}

/// A cursor from the command line; a bare number means the caller's own audience, which the engine
/// tells.
async fn cursor(engine: &Engine, args: &WatchArgs, text: &str) -> Result<Cursor, Failure> {
    let wrong = || {
        Failure::usage(format!("`{text}` is no place in the events."))
            .advise("Write a number, or a cursor such as seat-1:42, spectators:7 or gm:7.")
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

/// Prints notices of all the caller's games.
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
                let told = format!("{} Connecting again...", failure.report().message);
                Out::Aside.say(&context.style.paint(told, Ink::Faint))?;
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
            Some(_) if context.json => Out::Answer.line(&to_json_line(&message))?,
            Some(Notice::Game(notice)) => Out::Answer.say(&line(notice))?,
            Some(Notice::CaughtUp(_)) => {
                let told = "Waiting for news of your games (Ctrl-C ends).";
                Out::Aside.say(&context.style.paint(told, Ink::Faint))?;
            }
            Some(Notice::FellBehind(_)) => {
                Out::Answer
                    .say("Some notices were lost; `cli-client games` shows the present state.")?;
            }
        }
    }
    Err(Failure::unreachable(context.url(), "the engine ended the stream"))
}

/// Runs the player's command. What others wrote reaches it in the environment, where no shell reads
/// it as a command.
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
        Ok(status) => Out::Aside.say(&format!("warning: `{command}` ended with {status}.")),
        Err(error) => Out::Aside.say(&format!("warning: `{command}` cannot be run: {error}.")),
    }
}

fn line(notice: &GameNotice) -> String {
    let deadline = notice
        .due_time
        .as_ref()
        .map(|deadline| format!(" Due {}.", due(deadline)))
        .unwrap_or_default();
    format!("{}  {}: {}{deadline}", notice.game_id, harmless(&notice.name), harmless(&notice.text))
}
