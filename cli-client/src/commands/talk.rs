//! Messages and votes.

use clap::{Args, Subcommand, ValueEnum};
use heliopause_proto::v1::{
    CastVoteRequest, ListMessagesRequest, ListMessagesResponse, ListVotesRequest,
    ListVotesResponse, Message, ProposeVoteRequest, SendMessageRequest, VoteSubject,
};
use jiff::SignedDuration;

use crate::context::Context;
use crate::engine::{Engine, once, request_id};
use crate::failure::Failure;
use crate::input::{parse_duration, to_proto};
use crate::style::Ink;
use crate::table::{self, Table};
use crate::wording;

/// Send a message.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cli-client say GAME \"Peace until round 8?\" --to 2
  cli-client say GAME \"Good luck to you all!\"
  cli-client say GAME \"I am away on Friday.\" --gm")]
pub struct SayArgs {
    #[command(flatten)]
    /// The game.
    pub table: Table,
    /// The text: up to 4,000 characters.
    pub text: String,
    /// The receiving seats [default: all players].
    #[arg(long, value_name = "SEAT", value_delimiter = ',')]
    pub to: Vec<u32>,
    /// Send it to the game master.
    #[arg(long)]
    pub gm: bool,
    /// Hide that it was you, where the game allows that.
    #[arg(long)]
    pub anonymous: bool,
}

/// Read your messages.
#[derive(Debug, Args)]
pub struct InboxArgs {
    #[command(flatten)]
    /// The game.
    pub table: Table,
}

/// Votes.
#[derive(Debug, Subcommand)]
#[command(after_help = "\
Draw and cancel need every living player's yes, the others more than half.

Examples:
  cli-client vote propose GAME draw
  cli-client vote propose GAME extend --by 2d
  cli-client vote cast GAME 1 yes")]
pub enum VoteCommand {
    /// Propose a vote; you vote yes.
    Propose {
        #[command(flatten)]
        /// The game.
        table: Table,
        /// What about.
        #[arg(value_enum)]
        subject: Subject,
        /// For replace: the seat that it concerns.
        #[arg(long, value_name = "SEAT")]
        target: Option<u32>,
        /// For extend: by how much.
        #[arg(long, value_name = "TIME", value_parser = parse_duration)]
        by: Option<SignedDuration>,
    },
    /// Vote, or change your mind.
    Cast {
        #[command(flatten)]
        /// The game.
        table: Table,
        /// The number of the vote.
        vote: u64,
        /// Your voice.
        #[arg(value_enum)]
        voice: Voice,
    },
    /// List the votes.
    List {
        #[command(flatten)]
        /// The game.
        table: Table,
    },
}

/// What a vote is about.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Subject {
    /// End the game as a draw.
    Draw,
    /// Pause.
    Pause,
    /// Resume.
    Resume,
    /// Move the deadline.
    Extend,
    /// Cancel the game.
    Cancel,
    /// Open a seat for a replacement.
    Replace,
}

/// A voice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Voice {
    /// For it.
    Yes,
    /// Against it.
    No,
}

/// Sends a message.
pub async fn say(context: &Context, args: SayArgs) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let game = table::game(&engine, &args.table.game).await?;
    let request = SendMessageRequest {
        game_id: args.table.game,
        seat: args.table.seat,
        to_all: args.to.is_empty() && !args.gm,
        to_seats: args.to,
        to_game_master: args.gm,
        anonymous: args.anonymous,
        text: args.text,
        request_id: request_id()?,
    };
    let response =
        once(request, async |request| engine.games().send_message(request).await).await?;
    context.answer(&response, |style| {
        response
            .message
            .as_ref()
            .map(|message| wording::message(style, &game, message))
            .unwrap_or_default()
    })
}

/// All pages of the caller's messages.
pub async fn messages(engine: &Engine, table: &Table) -> Result<Vec<Message>, Failure> {
    let mut messages = Vec::new();
    let mut page_token = String::new();
    loop {
        let request = ListMessagesRequest {
            game_id: table.game.clone(),
            seat: table.seat,
            page_size: 200,
            page_token,
        };
        let page = engine.games().list_messages(request).await?.into_inner();
        messages.extend(page.messages);
        if page.next_page_token.is_empty() {
            return Ok(messages);
        }
        page_token = page.next_page_token;
    }
}

/// Shows messages.
pub async fn inbox(context: &Context, args: InboxArgs) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let game = table::game(&engine, &args.table.game).await?;
    let messages = messages(&engine, &args.table).await?;
    let response = ListMessagesResponse { messages, next_page_token: String::new() };
    context.answer(&response, |style| {
        if response.messages.is_empty() {
            return "No messages.".into();
        }
        let line = |message| wording::dated_message(style, &game, message);
        response.messages.iter().map(line).collect::<Vec<_>>().join("\n")
    })
}

/// Proposes, casts, lists votes.
pub async fn vote(context: &Context, command: VoteCommand) -> Result<(), Failure> {
    let engine = context.engine().await?;
    match command {
        VoteCommand::Propose { table, subject, target, by } => {
            let request = proposal(&table, subject, target, by)?;
            let response = engine.games().propose_vote(request).await?.into_inner();
            let game = table::game(&engine, &table.game).await?;
            context.answer(&response, |_| {
                response.vote.as_ref().map(|vote| wording::vote(&game, vote)).unwrap_or_default()
            })
        }
        VoteCommand::Cast { table, vote, voice } => {
            let request = CastVoteRequest {
                game_id: table.game.clone(),
                seat: table.seat,
                vote,
                yes: voice == Voice::Yes,
                request_id: request_id()?,
            };
            let response = engine.games().cast_vote(request).await?.into_inner();
            let game = table::game(&engine, &table.game).await?;
            context.answer(&response, |_| {
                response.vote.as_ref().map(|vote| wording::vote(&game, vote)).unwrap_or_default()
            })
        }
        VoteCommand::List { table } => list(context, &engine, &table).await,
    }
}

fn proposal(
    table: &Table,
    subject: Subject,
    target: Option<u32>,
    by: Option<SignedDuration>,
) -> Result<ProposeVoteRequest, Failure> {
    let subject = match subject {
        Subject::Draw => VoteSubject::Draw,
        Subject::Pause => VoteSubject::Pause,
        Subject::Resume => VoteSubject::Resume,
        Subject::Extend if by.is_none() => {
            return Err(Failure::usage("A vote to extend needs --by TIME."));
        }
        Subject::Extend => VoteSubject::Extend,
        Subject::Cancel => VoteSubject::Cancel,
        Subject::Replace if target.is_none() => {
            return Err(Failure::usage("A vote to replace needs --target SEAT."));
        }
        Subject::Replace => VoteSubject::Replace,
    };
    Ok(ProposeVoteRequest {
        game_id: table.game.clone(),
        seat: table.seat,
        subject: subject.into(),
        target_seat: target,
        extension: by.map(to_proto),
        request_id: request_id()?,
    })
}

async fn list(context: &Context, engine: &Engine, table: &Table) -> Result<(), Failure> {
    let request =
        ListVotesRequest { game_id: table.game.clone(), page_size: 200, page_token: String::new() };
    let response: ListVotesResponse = engine.games().list_votes(request).await?.into_inner();
    let game = table::game(engine, &table.game).await?;
    context.answer(&response, |style| {
        if response.votes.is_empty() {
            return style.paint("No votes.", Ink::Faint);
        }
        response.votes.iter().map(|vote| wording::vote(&game, vote)).collect::<Vec<_>>().join("\n")
    })
}
