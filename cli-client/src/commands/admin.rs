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
use crate::text::{harmless, moment, table};
use crate::wording;
use crate::words::{Number, columns, say};

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
                say!("admin-revoked", count = Number(response.revoked as usize))
            })
        }
        AdminCommand::Ban { player } => ban(context, &engine, player, true).await,
        AdminCommand::Unban { player } => ban(context, &engine, player, false).await,
        AdminCommand::Rename { player, name } => context.done(
            &admin.rename_player(RenamePlayerRequest { player, name: composed(&name) }).await?,
            &say!("admin-player-renamed"),
        ),
        AdminCommand::Delete { player, .. } => context.done(
            &admin.delete_player(DeletePlayerRequest { player }).await?,
            &say!("admin-account-deleted"),
        ),
        AdminCommand::Reports(command) => reports::run(context, &engine, command).await,
        AdminCommand::Quota { player, games } => context.done(
            &admin.set_quota(SetQuotaRequest { player, games_limit: games }).await?,
            &say!("admin-quota-set"),
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
            context.done(&admin.drain(DrainRequest {}).await?, &say!("admin-engine-draining"))
        }
    }
}

async fn ban(
    context: &Context,
    engine: &Engine,
    player: String,
    banned: bool,
) -> Result<(), Failure> {
    let text = if banned { say!("admin-player-banned") } else { say!("admin-ban-lifted") };
    context.done(&engine.admin().ban_player(BanPlayerRequest { player, banned }).await?, &text)
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
                &say!("admin-game-paused-only-operator"),
            )
        }
        AdminGames::Resume(GameArg { game: game_id }) => {
            let request = ResumeAnyGameRequest { game_id, request_id: request_id()? };
            context.done(&admin.resume_any_game(request).await?, &say!("admin-game-resumed"))
        }
        AdminGames::Cancel(WhyArgs { game: game_id, why }) => {
            let request = CancelAnyGameRequest { game_id, why, request_id: request_id()? };
            context.done(&admin.cancel_any_game(request).await?, &say!("admin-game-canceled"))
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
            context.answer(&all, |_| say!("admin-workers-retry", count = Number(number)))
        }
        AdminParked::Retry { game, seat, vote, .. } => {
            let (game, seat) = (game.unwrap_or_default(), seat.unwrap_or_default());
            let response = release(engine, &game, seat, vote, ParkedRelease::Retry).await?;
            context.answer(&response, |_| say!("admin-workers-retry-decision"))
        }
        AdminParked::Default { game, seat } => {
            let response = release(engine, &game, seat, None, ParkedRelease::Default).await?;
            context.answer(&response, |_| say!("admin-defaults-apply"))
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
        return say!("admin-no-parked-decisions");
    }
    let row = |parked: &ParkedDecision| {
        let asked = parked
            .vote
            .map_or_else(|| say!("parked-orders"), |vote| say!("admin-vote", vote = vote));
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
    table(style, &columns("parked-columns"), &decisions.iter().map(row).collect::<Vec<_>>())
}

fn game_table(style: &Style, games: &[GameRecord]) -> String {
    if games.is_empty() {
        return say!("admin-no-games");
    }
    let row = |record: &GameRecord| {
        let game = record.game.clone().unwrap_or_default();
        let suspended = game.automation_suspend_time.as_ref();
        let suspended =
            suspended.map(|since| say!("admin-automation-suspended-since", since = moment(since)));
        vec![
            game.game_id.clone(),
            game.kind.clone(),
            record.host.as_ref().map_or_else(|| "-".to_owned(), |host| harmless(&host.name)),
            wording::status(game.status()).to_owned(),
            harmless(&record.progress),
            game.create_time.as_ref().map(moment).unwrap_or_default(),
            record.last_look_time.as_ref().map_or_else(|| say!("admin-unknown"), moment),
            say!(
                "admin-journal",
                count = Number(record.entries),
                size = record.bytes.div_ceil(1_024)
            ),
            harmless(&game.name),
            suspended.map(|text| style.paint(text, Ink::Notice)).unwrap_or_default(),
        ]
    };
    table(style, &columns("admin-games-columns"), &games.iter().map(row).collect::<Vec<_>>())
}

fn player_table(style: &Style, players: &[PlayerRecord]) -> String {
    let row = |record: &PlayerRecord| {
        let player = record.player.clone().unwrap_or_default();
        let limit =
            record.games_limit.map_or_else(|| say!("admin-default"), |limit| limit.to_string());
        let banned =
            if record.banned { style.paint(say!("admin-banned"), Ink::Bad) } else { String::new() };
        let silenced = record.silence_end_time.as_ref();
        let silenced = silenced.map_or(banned, |end| say!("admin-silenced", end = moment(end)));
        vec![
            harmless(&player.name),
            role(player.role()),
            format!("{:+}", player.dedication),
            record.tokens.to_string(),
            limit,
            player.player_id,
            silenced,
        ]
    };
    table(style, &columns("admin-players-columns"), &players.iter().map(row).collect::<Vec<_>>())
}

fn status(style: &Style, status: &GetStatusResponse) -> String {
    let row = |name: String, value: String| vec![name, value];
    let rows = [
        row(say!("status-version"), status.version.clone()),
        row(
            say!("status-games"),
            say!("status-games-in-memory", games = status.games, live = status.live_games),
        ),
        row(say!("status-players"), status.players.to_string()),
        row(say!("status-streams"), status.streams.to_string()),
        row(
            say!("status-workers"),
            say!("status-leases", workers = status.workers, leases = status.leases),
        ),
        row(say!("status-parked"), status.parked_decisions.to_string()),
        row(say!("status-memory"), say!("status-mib", size = status.resident_bytes / 1_048_576)),
        row(
            say!("status-state"),
            if status.draining { say!("status-draining") } else { say!("status-serving") },
        ),
    ];
    table(style, &["", ""], &rows).trim_start().to_owned()
}
