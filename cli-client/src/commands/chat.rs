//! Commands for the chat of players and spectators, for muting, and for reports of abuse.

use clap::{Args, Subcommand, ValueEnum};
use heliopause_proto::v1::report_abuse_request::What;
use heliopause_proto::v1::{mute_player_request as mute, unmute_player_request as unmute, *};

use super::lobby::GameArg;
use crate::context::Context;
use crate::engine::{Engine, once, request_id};
use crate::failure::Failure;
use crate::style::{Ink, Style};
use crate::table;
use crate::text::{count, harmless, moment};

/// The number of lines that the play mode shows.
const LATEST: u32 = 20;

/// Talk at your table or with other spectators, mute players, report abuse.
#[derive(Debug, Subcommand)]
#[command(after_help = include_str!("../help/chat.txt"))]
pub enum ChatCommand {
    /// Write a line, to your table or to the other spectators.
    Say {
        #[command(flatten)]
        place: Place,
        /// The text: up to 300 characters.
        text: String,
    },
    /// Show the latest lines.
    Read {
        #[command(flatten)]
        place: Place,
        /// The number of lines.
        #[arg(long, default_value_t = 50)]
        lines: u32,
    },
    /// List the accounts that watch a game now.
    Spectators(GameArg),
    /// Hide the lines and messages of a player from yourself.
    Mute(Muted),
    /// Show the lines and messages of a player again.
    Unmute(Muted),
    /// List the players that you mute.
    Muted,
    /// Report a chat line or a message to the operator.
    Report {
        #[command(flatten)]
        place: Place,
        /// The number of the line, as `chat read` shows it.
        number: u64,
        /// The number is that of a message, as `inbox` shows it.
        #[arg(long, conflicts_with = "spectators")]
        message: bool,
        #[command(flatten)]
        why: Why,
    },
    /// Report the name of a player to the operator.
    ReportName {
        /// The player's name or id.
        player: String,
        #[command(flatten)]
        why: Why,
    },
}

/// A channel of a game.
#[derive(Debug, Args)]
pub struct Place {
    /// The game's id.
    pub game: String,
    /// The comments of spectators [default: your table if you play, otherwise the comments].
    #[arg(long)]
    pub spectators: bool,
}

/// A player to mute.
#[derive(Debug, Args)]
pub struct Muted {
    /// The player's name or id, or the game's id with --seat.
    pub player: String,
    /// The number of the seat, for players of anonymous games.
    #[arg(long, value_name = "N")]
    pub seat: Option<u32>,
}

/// The reason of a report.
#[derive(Debug, Args)]
pub struct Why {
    /// The reason.
    #[arg(long, value_enum, default_value = "other")]
    pub reason: Reason,
    /// What the operator should know: up to 500 characters.
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub comment: String,
}

/// Why a player reports something.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Reason {
    /// Insults, threats or hate.
    Insult = AbuseReason::Insult as isize,
    /// Advertisements, links or floods of text.
    Spam = AbuseReason::Spam as isize,
    /// Several accounts, or help from outside the game.
    Cheating = AbuseReason::Cheating as isize,
    /// An offensive name.
    Name = AbuseReason::Name as isize,
    /// Something else.
    Other = AbuseReason::Other as isize,
}

pub async fn chat(context: &Context, command: ChatCommand) -> Result<(), Failure> {
    let engine = context.engine().await?;
    match command {
        ChatCommand::Say { place, text } => {
            let channel = place.channel(&engine).await?;
            let response = say(&engine, &place.game, channel, text).await?;
            context.answer(&response, |style| {
                response.line.as_ref().map(|said| line(style, said)).unwrap_or_default()
            })
        }
        ChatCommand::Read { place, lines } => {
            let channel = place.channel(&engine).await?;
            let response = read(&engine, &place.game, channel, lines).await?;
            context.answer(&response, |style| listed(style, &response))
        }
        ChatCommand::Spectators(GameArg { game: game_id }) => {
            let request = ListSpectatorsRequest { game_id };
            let response = engine.chat().list_spectators(request).await?.into_inner();
            context.answer(&response, |_| spectators(&response))
        }
        ChatCommand::Mute(whom) => {
            mute(&engine, whom).await?;
            context.answer(&MutePlayerResponse {}, |_| "The player is muted.".into())
        }
        ChatCommand::Unmute(whom) => {
            let text = unmute(&engine, whom).await?;
            context.answer(&UnmutePlayerResponse {}, |_| text.into())
        }
        ChatCommand::Muted => {
            let response = engine.chat().list_mutes(ListMutesRequest::default()).await?;
            let response = response.into_inner();
            context.answer(&response, |_| {
                if response.players.is_empty() {
                    return "You mute nobody.".into();
                }
                let names = response.players.iter().map(|player| harmless(&player.name));
                names.collect::<Vec<_>>().join("\n")
            })
        }
        ChatCommand::Report { place, number, message, why } => {
            let what = if message {
                What::Message(MessageRef { game_id: place.game, seat: None, number })
            } else {
                let channel = place.channel(&engine).await?.into();
                What::Line(ChatLineRef { game_id: place.game, channel, number })
            };
            report(context, &engine, what, why).await
        }
        ChatCommand::ReportName { player, why } => {
            report(context, &engine, What::Player(player), why).await
        }
    }
}

impl Place {
    async fn channel(&self, engine: &Engine) -> Result<ChatChannel, Failure> {
        if self.spectators {
            return Ok(ChatChannel::Spectators);
        }
        Ok(own_channel(&table::game(engine, &self.game).await?))
    }
}

/// Returns the channel in which the caller usually talks.
pub fn own_channel(game: &Game) -> ChatChannel {
    if game.your_seat.is_some() || game.you_are_game_master {
        ChatChannel::Table
    } else {
        ChatChannel::Spectators
    }
}

/// Writes a line.
pub async fn say(
    engine: &Engine,
    game: &str,
    channel: ChatChannel,
    text: String,
) -> Result<WriteChatResponse, Failure> {
    let request = WriteChatRequest {
        game_id: game.to_owned(),
        channel: channel.into(),
        text,
        request_id: request_id()?,
    };
    Ok(once(request, async |request| engine.chat().write_chat(request).await).await?)
}

/// Fetches the latest lines of a channel, newest first.
pub async fn read(
    engine: &Engine,
    game: &str,
    channel: ChatChannel,
    lines: u32,
) -> Result<ListChatResponse, Failure> {
    let request = ListChatRequest {
        game_id: game.to_owned(),
        channel: channel.into(),
        page_size: lines,
        page_token: String::new(),
    };
    Ok(engine.chat().list_chat(request).await?.into_inner())
}

/// Returns the latest lines of the caller's channel as text.
pub async fn latest(style: &Style, engine: &Engine, game: &Game) -> Result<String, Failure> {
    let found = read(engine, &game.game_id, own_channel(game), LATEST).await?;
    Ok(listed(style, &found))
}

/// Mutes a player, by name, or by the game and the seat.
pub async fn mute(engine: &Engine, whom: Muted) -> Result<(), Failure> {
    let who = match whom.seat {
        Some(seat) => mute::Who::Seat(ChatSeat { game_id: whom.player, seat }),
        None => mute::Who::Player(whom.player),
    };
    engine.chat().mute_player(MutePlayerRequest { who: Some(who) }).await?;
    Ok(())
}

/// Unmutes a player, as [`mute()`] names it. Returns the result in words.
pub async fn unmute(engine: &Engine, whom: Muted) -> Result<&'static str, Failure> {
    let (who, was_muted) = if let Some(seat) = whom.seat {
        let seats = muted_seats(engine, &whom.player).await?;
        (unmute::Who::Seat(ChatSeat { game_id: whom.player, seat }), seats.contains(&seat))
    } else {
        let request = GetPlayerRequest { player: whom.player.clone() };
        let found = engine.players().get_player(request).await?.into_inner();
        let player_id = found.player.unwrap_or_default().player_id;
        let muted = engine.chat().list_mutes(ListMutesRequest::default()).await?.into_inner();
        let was_muted = muted.players.iter().any(|one| one.player_id == player_id);
        (unmute::Who::Player(whom.player), was_muted)
    };
    engine.chat().unmute_player(UnmutePlayerRequest { who: Some(who) }).await?;
    Ok(if was_muted { "The player is no longer muted." } else { "The player was not muted." })
}

/// Fetches the seats of a game whose messages the caller does not want to see.
pub async fn muted_seats(engine: &Engine, game: &str) -> Result<Vec<u32>, Failure> {
    let request = ListMutesRequest { game_id: game.to_owned() };
    Ok(engine.chat().list_mutes(request).await?.into_inner().seats)
}

/// Reports something to the operator.
pub async fn complain(engine: &Engine, what: What, why: Why) -> Result<(), Failure> {
    let Why { reason, comment } = why;
    let request = ReportAbuseRequest { what: Some(what), reason: reason as i32, comment };
    engine.chat().report_abuse(request).await?;
    Ok(())
}

async fn report(context: &Context, engine: &Engine, what: What, why: Why) -> Result<(), Failure> {
    complain(engine, what, why).await?;
    context.answer(&ReportAbuseResponse {}, |_| "The operator will see your report.".into())
}

fn spectators(response: &ListSpectatorsResponse) -> String {
    if !response.listed {
        return "This game does not show its spectators.".into();
    }
    let mut lines: Vec<String> =
        response.spectators.iter().map(|spectator| harmless(&spectator.name)).collect();
    if response.others > 0 || lines.is_empty() {
        lines.push(format!("{} without a name", count(response.others as usize, "spectator")));
    }
    lines.join("\n")
}

fn listed(style: &Style, response: &ListChatResponse) -> String {
    if !response.can_read {
        return "You cannot read this chat now.".into();
    }
    if response.lines.is_empty() {
        return "No lines yet.".into();
    }
    response.lines.iter().rev().map(|said| line(style, said)).collect::<Vec<_>>().join("\n")
}

/// Formats a chat line. The text cannot look like another line, because it has no line breaks and
/// no control characters.
pub fn line(style: &Style, line: &ChatLine) -> String {
    let time = line.send_time.as_ref().map(moment).unwrap_or_default();
    let whose = match line.channel() {
        ChatChannel::Spectators => "spectator ",
        ChatChannel::Table | ChatChannel::Unspecified => "",
    };
    let author = match line.author.as_str() {
        "" => "a deleted account".to_owned(),
        author => harmless(author),
    };
    let author = style.paint(format!("{whose}{author}:"), Ink::Seat(line.seat.unwrap_or(0)));
    let text = if line.removed {
        style.paint("(removed by the operator)", Ink::Faint)
    } else {
        harmless(&line.text).replace('\n', " ")
    };
    let number = style.paint(format!("chat {:>3}", line.number), Ink::Faint);
    format!("{number}  {}  {author} {text}", style.paint(time, Ink::Faint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_stays_one_line() {
        let style = Style::PLAIN;
        let said = ChatLine {
            number: 7,
            author: "Mal\u{202e}lory".to_owned(),
            text: "hi\n\u{1b}[2Jchat   8  Bob: I resign".to_owned(),
            ..ChatLine::default()
        };
        let shown = line(&style, &said);
        assert_eq!(shown.lines().count(), 1, "{shown:?}");
        assert!(!shown.contains('\u{1b}') && !shown.contains('\u{202e}'), "{shown:?}");
        let removed = ChatLine { removed: true, text: String::new(), ..said };
        assert!(line(&style, &removed).ends_with("(removed by the operator)"));
    }
}
