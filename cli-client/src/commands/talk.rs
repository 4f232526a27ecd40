//! Commands for messages and votes.

use clap::{Args, Subcommand, ValueEnum};
use heliopause_client::all_pages;
use heliopause_proto::v1::*;
use jiff::SignedDuration;

use super::chat;
use crate::context::Context;
use crate::engine::{Engine, once, request_id};
use crate::failure::Failure;
use crate::input::{parse_duration, to_proto};
use crate::style::{Ink, Style};
use crate::table::{self, Table};
use crate::wording;
use crate::words::say;

/// Send a message.
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/say.txt"))]
pub struct SayArgs {
    #[command(flatten)]
    pub table: Table,
    /// The text: up to 4,000 characters.
    pub text: String,
    /// The receiving seats [default: all players].
    #[arg(long, value_name = "SEAT", value_delimiter = ',')]
    pub to: Vec<u32>,
    /// Send it to the game master.
    #[arg(long)]
    pub gm: bool,
    /// Hide the sender. `show` tells whether the game allows it.
    #[arg(long)]
    pub anonymous: bool,
}

/// Propose, cast or list votes.
#[derive(Debug, Subcommand)]
#[command(after_help = include_str!("../help/vote.txt"))]
pub enum VoteCommand {
    /// Propose a vote and vote yes.
    Propose {
        #[command(flatten)]
        table: Table,
        /// The subject of the vote.
        #[arg(value_enum)]
        subject: Subject,
        /// For replace: the seat to replace.
        #[arg(long, value_name = "SEAT")]
        target: Option<u32>,
        /// For extend: the length of the extension.
        #[arg(long, value_name = "TIME", value_parser = parse_duration)]
        by: Option<SignedDuration>,
    },
    /// Cast your vote, or change it.
    Cast {
        #[command(flatten)]
        table: Table,
        /// The number of the vote.
        vote: u64,
        /// Your vote.
        #[arg(value_enum)]
        voice: VoteChoice,
    },
    /// List the votes.
    List {
        #[command(flatten)]
        table: Table,
    },
}

/// The subject of a vote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Subject {
    /// End the game as a draw.
    Draw = VoteSubject::Draw as isize,
    /// Pause the game.
    Pause = VoteSubject::Pause as isize,
    /// Resume the game.
    Resume = VoteSubject::Resume as isize,
    /// Move the deadline.
    Extend = VoteSubject::Extend as isize,
    /// Cancel the game.
    Cancel = VoteSubject::Cancel as isize,
    /// Open a seat for a replacement.
    Replace = VoteSubject::Replace as isize,
}

/// The subject of a vote, with its arguments.
#[derive(Clone, Copy, Debug)]
pub struct Motion {
    subject: Subject,
    extension: Option<SignedDuration>,
    target: Option<u32>,
}

impl Motion {
    /// Creates a proposal. Calls `by` and `target` only if the subject needs them.
    pub fn new(
        subject: Subject,
        by: impl FnOnce() -> Result<SignedDuration, Failure>,
        target: impl FnOnce() -> Result<u32, Failure>,
    ) -> Result<Self, Failure> {
        let extension = (subject == Subject::Extend).then(by).transpose()?;
        let target = (subject == Subject::Replace).then(target).transpose()?;
        Ok(Self { subject, extension, target })
    }
}

/// A ballot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum VoteChoice {
    /// In favor.
    Yes,
    /// Against.
    No,
}

pub async fn say(context: &Context, args: SayArgs) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let game = table::game(&engine, &args.table.game).await?;
    let (named, text) = addressed(&args.text);
    let mut to_seats = args.to;
    for name in &named {
        to_seats.push(find_seat(&game, name).ok_or_else(|| unknown_name(name))?);
    }
    let request = SendMessageRequest {
        game_id: args.table.game,
        seat: args.table.seat,
        to_all: to_seats.is_empty() && !args.gm,
        to_seats,
        to_game_master: args.gm,
        anonymous: args.anonymous,
        text: text.to_owned(),
        request_id: request_id()?,
    };
    let response =
        once(request, async |request| engine.games().send_message(request).await).await?;
    context.answer(&response, |style| {
        let message = response.message.as_ref();
        message.map(|message| wording::message(style, &game, message)).unwrap_or_default()
    })
}

/// Splits "hello" (to all) or "@B,3 hello" (to some) into receivers and text.
pub fn addressed(text: &str) -> (Vec<String>, &str) {
    match text.strip_prefix('@').and_then(|text| text.split_once(char::is_whitespace)) {
        Some((names, text)) => (names.split(',').map(str::to_owned).collect(), text.trim()),
        None => (Vec::new(), text),
    }
}

pub fn unknown_name(name: &str) -> Failure {
    Failure::failed(say!("talk-player-seat-not-found", name = name))
        .advise(say!("talk-cli-client-show-game-lists"))
}

/// Finds a seat by its number, the last word of its role, or the name of its player, ignoring case.
/// Returns `None` if there is no such seat.
pub fn find_seat(game: &Game, text: &str) -> Option<u32> {
    let wanted = text.to_lowercase();
    let is_meant = |seat: &&Seat| {
        let last_word = seat.role.split_whitespace().last().unwrap_or_default().to_lowercase();
        let name = match &seat.occupant {
            Some(seat::Occupant::Player(name)) => name.to_lowercase(),
            _ => String::new(),
        };
        seat.number.to_string() == wanted
            || last_word == wanted
            || (!name.is_empty() && name == wanted)
    };
    game.seats.iter().find(is_meant).map(|seat| seat.number)
}

/// Fetches all pages of the caller's messages, without those of muted players.
pub async fn messages(engine: &Engine, table: &Table) -> Result<Vec<Message>, Failure> {
    let (game_id, seat) = (table.game.clone(), table.seat);
    let muted = chat::muted_seats(engine, &game_id).await?;
    let request = ListMessagesRequest { game_id, seat, ..ListMessagesRequest::default() };
    let mut messages = all_pages!(engine.games(), list_messages, request, messages);
    messages.retain(|message| message.from_seat.is_none_or(|seat| !muted.contains(&seat)));
    Ok(messages)
}

pub async fn inbox(context: &Context, table: Table) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let game = table::game(&engine, &table.game).await?;
    let messages = messages(&engine, &table).await?;
    let response = ListMessagesResponse { messages, next_page_token: String::new() };
    context.answer(&response, |style| {
        if response.messages.is_empty() {
            return say!("talk-no-messages");
        }
        let line = |message| wording::dated_message(style, &game, message);
        response.messages.iter().map(line).collect::<Vec<_>>().join("\n")
    })
}

pub async fn vote(context: &Context, command: VoteCommand) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let one = |game: &Game, vote: Option<&Vote>| {
        vote.map(|vote| wording::vote(game, vote)).unwrap_or_default()
    };
    match command {
        VoteCommand::Propose { table, subject, target, by } => {
            let motion = Motion::new(
                subject,
                || by.ok_or_else(|| Failure::usage(say!("talk-vote-extend-needs-time"))),
                || target.ok_or_else(|| Failure::usage(say!("talk-vote-replace-needs-target"))),
            )?;
            let response = propose(&engine, &table, motion).await?;
            let game = table::game(&engine, &table.game).await?;
            context.answer(&response, |_| one(&game, response.vote.as_ref()))
        }
        VoteCommand::Cast { table, vote, voice } => {
            let response = cast(&engine, &table, vote, voice == VoteChoice::Yes).await?;
            let game = table::game(&engine, &table.game).await?;
            context.answer(&response, |_| one(&game, response.vote.as_ref()))
        }
        VoteCommand::List { table } => {
            let response = votes(&engine, &table).await?;
            let game = table::game(&engine, &table.game).await?;
            context.answer(&response, |style| ballots(style, &game, &response.votes))
        }
    }
}

pub async fn cast(
    engine: &Engine,
    table: &Table,
    vote: u64,
    yes: bool,
) -> Result<CastVoteResponse, Failure> {
    let request = CastVoteRequest {
        game_id: table.game.clone(),
        seat: table.seat,
        vote,
        yes,
        request_id: request_id()?,
    };
    Ok(engine.games().cast_vote(request).await?.into_inner())
}

pub async fn propose(
    engine: &Engine,
    table: &Table,
    motion: Motion,
) -> Result<ProposeVoteResponse, Failure> {
    let request = ProposeVoteRequest {
        game_id: table.game.clone(),
        seat: table.seat,
        subject: motion.subject as i32,
        target_seat: motion.target,
        extension: motion.extension.map(to_proto),
        request_id: request_id()?,
    };
    Ok(engine.games().propose_vote(request).await?.into_inner())
}

/// Fetches the first 200 votes of a game.
pub async fn votes(engine: &Engine, table: &Table) -> Result<ListVotesResponse, Failure> {
    let request =
        ListVotesRequest { game_id: table.game.clone(), page_size: 200, page_token: String::new() };
    Ok(engine.games().list_votes(request).await?.into_inner())
}

/// Formats votes, one per line.
pub fn ballots(style: &Style, game: &Game, votes: &[Vote]) -> String {
    if votes.is_empty() {
        return style.paint(say!("talk-no-votes"), Ink::Faint);
    }
    votes.iter().map(|vote| wording::vote(game, vote)).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seat_is_found_by_number_letter_or_name() {
        let seat = |number, role: &str, name: &str| Seat {
            number,
            role: role.into(),
            occupant: Some(seat::Occupant::Player(name.into())),
            ..Seat::default()
        };
        let game = Game {
            seats: vec![seat(1, "Player A", "Ann"), seat(2, "Player B", "")],
            ..Game::default()
        };
        assert_eq!(find_seat(&game, "2"), Some(2));
        assert_eq!(find_seat(&game, "b"), Some(2));
        assert_eq!(find_seat(&game, "ann"), Some(1));
        assert_eq!(find_seat(&game, ""), None);
    }
}
