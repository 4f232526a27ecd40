//! Commands for operators of an engine.

use clap::{Args, Subcommand, ValueEnum};
use heliopause_client::all_pages;
use heliopause_proto::text::composed;
use heliopause_proto::v1::*;

use super::account::{role, token_shown_once};
use super::lobby::GameArg;
use super::reports::{self, ReportsCommand};
use crate::context::Context;
use crate::engine::{Engine, request_id};
use crate::failure::Failure;
use crate::style::{Ink, Style};
use crate::text::{count, harmless, moment, table};
use crate::wording;

/// Operate the engine.
#[derive(Debug, Subcommand)]
#[command(after_help = include_str!("../help/admin.txt"))]
pub enum AdminCommand {
    /// Show the status of the engine.
    Status,
    /// List and search players.
    Players {
        /// Only names that contain this text.
        search: Option<String>,
    },
    /// Manage all games: list, show, pause, resume, cancel.
    #[command(subcommand)]
    Games(AdminGames),
    /// Manage decisions of automated seats that no worker could answer: list, retry, default.
    #[command(subcommand)]
    Parked(AdminParked),
    /// Create an invitation to register.
    Invite {
        /// Number of accounts that can use it.
        #[arg(long, default_value_t = 1)]
        uses: u32,
    },
    /// Revoke all tokens of a player.
    Revoke {
        /// The player's name or id.
        player: String,
    },
    /// Ban a player.
    Ban {
        /// The player's name or id.
        player: String,
    },
    /// Lift a ban.
    Unban {
        /// The player's name or id.
        player: String,
    },
    /// Change the name of an account, for example an offensive one.
    Rename {
        /// The player's name or id.
        player: String,
        /// The new name, as for `register`.
        name: String,
    },
    /// Delete an account: its name and tokens are erased, and automation takes its seats.
    Delete {
        /// The player's name or id.
        player: String,
        /// Confirm: this cannot be undone.
        #[arg(long, required = true)]
        yes: bool,
    },
    /// Moderate: list and resolve reports, silence players.
    #[command(subcommand)]
    Reports(ReportsCommand),
    /// Limit the unfinished games that a player can play in or host.
    Quota {
        /// The player's name or id.
        player: String,
        /// Number of games; omit it to restore the engine's default.
        games: Option<u32>,
    },
    /// Grant a role to an account and print a new token. Creates the account if it does not exist.
    Grant {
        /// The account's name.
        name: String,
        /// The account's role.
        #[arg(value_enum)]
        role: Role,
    },
    /// Accept no new work, end all streams, then stop.
    Drain,
}

/// Manage all games.
#[derive(Debug, Subcommand)]
#[command(after_help = include_str!("../help/admin_games.txt"))]
pub enum AdminGames {
    /// List and search all games, newest first, without their contents.
    List {
        /// Only names or ids that contain this text.
        search: Option<String>,
        /// Only games of this host or game master, by name or id.
        #[arg(long, value_name = "PLAYER")]
        host: Option<String>,
        /// Omit finished games.
        #[arg(long)]
        running: bool,
    },
    /// Show a game as a spectator sees it, with the engine's own data about it.
    Show(GameArg),
    /// Pause a game; only an operator can resume it.
    Pause(WhyArgs),
    /// Resume a game that an operator paused.
    Resume(GameArg),
    /// Cancel a game, without a result.
    Cancel(WhyArgs),
}

/// Manage decisions that no worker could answer.
#[derive(Debug, Subcommand)]
#[command(after_help = include_str!("../help/admin_parked.txt"))]
pub enum AdminParked {
    /// List parked decisions, oldest first, with the error of the last answer.
    List,
    /// Let workers try again.
    Retry {
        /// The game's id.
        #[arg(required_unless_present = "all", requires = "seat", conflicts_with = "all")]
        game: Option<String>,
        /// The seat, from 1.
        seat: Option<u32>,
        /// Number of the vote, if the parked decision is a vote.
        #[arg(long)]
        vote: Option<u64>,
        /// All parked decisions.
        #[arg(long)]
        all: bool,
    },
    /// Apply the rules' defaults now.
    Default {
        /// The game's id.
        game: String,
        /// The seat, from 1.
        seat: u32,
    },
}

/// A game and a reason.
#[derive(Debug, Args)]
pub struct WhyArgs {
    /// The game's id.
    pub game: String,
    /// The reason, shown to all participants.
    #[arg(long, value_name = "TEXT")]
    pub why: String,
}

/// The role of an account.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Role {
    /// Play games.
    Player = AccountRole::Player as isize,
    /// Answer decisions of automated seats.
    Worker = AccountRole::Worker as isize,
    /// Operate the engine.
    Admin = AccountRole::Admin as isize,
}

pub async fn run(context: &Context, command: AdminCommand) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let mut admin = engine.admin();
    match command {
        AdminCommand::Status => {
            let response = admin.get_status(GetStatusRequest {}).await?.into_inner();
            context.answer(&response, |style| status(style, &response))
        }
        AdminCommand::Players { search } => {
            let search = search.unwrap_or_default();
            let request = ListPlayersRequest { search, ..ListPlayersRequest::default() };
            let players = all_pages!(engine.admin(), list_players, request, players);
            let response = ListPlayersResponse { players, ..ListPlayersResponse::default() };
            context.answer(&response, |style| player_table(style, &response.players))
        }
        AdminCommand::Games(command) => games(context, &engine, command).await,
        AdminCommand::Parked(command) => parked(context, &engine, command).await,
        AdminCommand::Invite { uses } => {
            let request = CreateInvitationRequest { uses: Some(uses) };
            let response = admin.create_invitation(request).await?.into_inner();
            context.answer(&response, |_| response.invitation.clone())
        }
        AdminCommand::Revoke { player } => {
            let request = RevokePlayerTokensRequest { player };
            let response = admin.revoke_player_tokens(request).await?.into_inner();
            context.answer(&response, |_| {
                format!("Revoked {}.", count(response.revoked as usize, "token"))
            })
        }
        AdminCommand::Ban { player } => ban(context, &engine, player, true).await,
        AdminCommand::Unban { player } => ban(context, &engine, player, false).await,
        AdminCommand::Rename { player, name } => context.done(
            &admin.rename_player(RenamePlayerRequest { player, name: composed(&name) }).await?,
            "The player is renamed.",
        ),
        AdminCommand::Delete { player, .. } => context.done(
            &admin.delete_player(DeletePlayerRequest { player }).await?,
            "The account is deleted.",
        ),
        AdminCommand::Reports(command) => reports::run(context, &engine, command).await,
        AdminCommand::Quota { player, games } => context.done(
            &admin.set_quota(SetQuotaRequest { player, games_limit: games }).await?,
            "The quota is set.",
        ),
        AdminCommand::Grant { name, role } => {
            let request = GrantRoleRequest {
                name: composed(&name),
                role: role as i32,
                request_id: request_id()?,
            };
            let response = admin.grant_role(request).await?.into_inner();
            context.answer(&response, |style| token_shown_once(style, &response.token))
        }
        AdminCommand::Drain => {
            context.done(&admin.drain(DrainRequest {}).await?, "The engine is draining.")
        }
    }
}

async fn ban(
    context: &Context,
    engine: &Engine,
    player: String,
    banned: bool,
) -> Result<(), Failure> {
    let text = if banned { "The player is banned." } else { "The ban is lifted." };
    context.done(&engine.admin().ban_player(BanPlayerRequest { player, banned }).await?, text)
}

async fn games(context: &Context, engine: &Engine, command: AdminGames) -> Result<(), Failure> {
    let mut admin = engine.admin();
    match command {
        AdminGames::List { search, host, running } => {
            let (search, host) = (search.unwrap_or_default(), host.unwrap_or_default());
            let request =
                ListAllGamesRequest { search, host, running_only: running, ..<_>::default() };
            let games = all_pages!(engine.admin(), list_all_games, request, games);
            let response = ListAllGamesResponse { games, ..ListAllGamesResponse::default() };
            context.answer(&response, |style| game_table(style, &response.games))
        }
        AdminGames::Show(GameArg { game }) => {
            let response =
                admin.get_any_game(GetAnyGameRequest { game_id: game }).await?.into_inner();
            context.answer(&response, |style| {
                let table = game_table(style, &[response.record.clone().unwrap_or_default()]);
                let game = wording::game(style, &response.game.clone().unwrap_or_default());
                format!("{game}\n\n{table}")
            })
        }
        AdminGames::Pause(WhyArgs { game: game_id, why }) => {
            let request = PauseAnyGameRequest { game_id, why, request_id: request_id()? };
            context.done(
                &admin.pause_any_game(request).await?,
                "The game is paused; only an operator can resume it.",
            )
        }
        AdminGames::Resume(GameArg { game: game_id }) => {
            let request = ResumeAnyGameRequest { game_id, request_id: request_id()? };
            context.done(&admin.resume_any_game(request).await?, "The game is resumed.")
        }
        AdminGames::Cancel(WhyArgs { game: game_id, why }) => {
            let request = CancelAnyGameRequest { game_id, why, request_id: request_id()? };
            context.done(&admin.cancel_any_game(request).await?, "The game is canceled.")
        }
    }
}

async fn parked(context: &Context, engine: &Engine, command: AdminParked) -> Result<(), Failure> {
    match command {
        AdminParked::List => {
            let response = list_parked(engine).await?;
            context.answer(&response, |style| parked_table(style, &response.decisions))
        }
        AdminParked::Retry { all: true, .. } => {
            let all = list_parked(engine).await?;
            for decision in &all.decisions {
                let ParkedDecision { game_id, seat, vote, .. } = decision;
                let retried = release(engine, game_id, *seat, *vote, ParkedRelease::Retry).await;
                // Decisions that were answered in the meantime are no longer parked.
                if let Err(failure) = retried
                    && failure.report().reason != "NOT_FOUND"
                {
                    return Err(failure);
                }
            }
            let number = all.decisions.len();
            context.answer(&all, |_| format!("Workers retry {}.", count(number, "decision")))
        }
        AdminParked::Retry { game, seat, vote, .. } => {
            let (game, seat) = (game.unwrap_or_default(), seat.unwrap_or_default());
            let response = release(engine, &game, seat, vote, ParkedRelease::Retry).await?;
            context.answer(&response, |_| "Workers retry the decision.".into())
        }
        AdminParked::Default { game, seat } => {
            let response = release(engine, &game, seat, None, ParkedRelease::Default).await?;
            context.answer(&response, |_| "The defaults apply.".into())
        }
    }
}

async fn release(
    engine: &Engine,
    game: &str,
    seat: u32,
    vote: Option<u64>,
    release: ParkedRelease,
) -> Result<ReleaseParkedDecisionResponse, Failure> {
    let request = ReleaseParkedDecisionRequest {
        game_id: game.to_owned(),
        seat,
        vote,
        release: release.into(),
    };
    Ok(engine.admin().release_parked_decision(request).await?.into_inner())
}

async fn list_parked(engine: &Engine) -> Result<ListParkedDecisionsResponse, Failure> {
    let request = ListParkedDecisionsRequest::default();
    let decisions = all_pages!(engine.admin(), list_parked_decisions, request, decisions);
    Ok(ListParkedDecisionsResponse { decisions, ..ListParkedDecisionsResponse::default() })
}

fn parked_table(style: &Style, decisions: &[ParkedDecision]) -> String {
    if decisions.is_empty() {
        return "No parked decisions.".into();
    }
    let row = |parked: &ParkedDecision| {
        let asked = parked.vote.map_or_else(|| "orders".to_owned(), |vote| format!("vote {vote}"));
        vec![
            parked.game_id.clone(),
            parked.kind.clone(),
            parked.seat.to_string(),
            asked,
            format!("{} ({})", parked.profile, parked.level),
            parked.park_time.as_ref().map(moment).unwrap_or_default(),
            parked.failures.to_string(),
            harmless(&parked.message),
        ]
    };
    let headings =
        ["game", "kind", "seat", "decision", "profile", "since", "failures", "last error"];
    table(style, &headings, &decisions.iter().map(row).collect::<Vec<_>>())
}

fn game_table(style: &Style, games: &[GameRecord]) -> String {
    if games.is_empty() {
        return "No games.".into();
    }
    let row = |record: &GameRecord| {
        let game = record.game.clone().unwrap_or_default();
        let suspended = game.automation_suspend_time.as_ref();
        let suspended =
            suspended.map(|since| format!("automation suspended since {}", moment(since)));
        let entries = count(record.entries as usize, "entry").replace("entrys", "entries");
        vec![
            game.game_id.clone(),
            game.kind.clone(),
            record.host.as_ref().map_or_else(|| "-".to_owned(), |host| harmless(&host.name)),
            wording::status(game.status()).to_owned(),
            harmless(&record.progress),
            game.create_time.as_ref().map(moment).unwrap_or_default(),
            record.last_look_time.as_ref().map_or_else(|| "unknown".to_owned(), moment),
            format!("{entries}, {} KiB", record.bytes.div_ceil(1_024)),
            harmless(&game.name),
            suspended.map(|text| style.paint(text, Ink::Notice)).unwrap_or_default(),
        ]
    };
    let headings = "game,kind,host,status,phase,created,last viewed,journal,name,";
    let headings: Vec<&str> = headings.split(',').collect();
    table(style, &headings, &games.iter().map(row).collect::<Vec<_>>())
}

fn player_table(style: &Style, players: &[PlayerRecord]) -> String {
    let row = |record: &PlayerRecord| {
        let player = record.player.clone().unwrap_or_default();
        let limit =
            record.games_limit.map_or_else(|| "default".to_owned(), |limit| limit.to_string());
        let banned = if record.banned { style.paint("banned", Ink::Bad) } else { String::new() };
        let silenced = record.silence_end_time.as_ref();
        let silenced = silenced.map_or(banned, |end| format!("silenced until {}", moment(end)));
        vec![
            harmless(&player.name),
            role(player.role()).to_owned(),
            format!("{:+}", player.dedication),
            record.tokens.to_string(),
            limit,
            player.player_id,
            silenced,
        ]
    };
    let headings = ["name", "role", "dedication", "tokens", "games limit", "id", ""];
    table(style, &headings, &players.iter().map(row).collect::<Vec<_>>())
}

fn status(style: &Style, status: &GetStatusResponse) -> String {
    let row = |name: &str, value: String| vec![name.to_owned(), value];
    let rows = [
        row("version", status.version.clone()),
        row("games", format!("{}, {} in memory", status.games, status.live_games)),
        row("players", status.players.to_string()),
        row("open streams", status.streams.to_string()),
        row("workers", format!("{}, leases: {}", status.workers, status.leases)),
        row("parked decisions", status.parked_decisions.to_string()),
        row("memory", format!("{} MiB", status.resident_bytes / 1_048_576)),
        row("state", if status.draining { "draining".into() } else { "serving".into() }),
    ];
    table(style, &["", ""], &rows).trim_start().to_owned()
}
