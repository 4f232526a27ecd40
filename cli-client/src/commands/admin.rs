//! Operating an engine.

use clap::{Args, Subcommand, ValueEnum};
use heliopause_proto::v1::{
    AccountRole, BanPlayerRequest, CancelAnyGameRequest, CreateInvitationRequest,
    DeletePlayerRequest, DrainRequest, GameRecord, GetAnyGameRequest, GetStatusRequest,
    GetStatusResponse, GrantRoleRequest, ListAllGamesRequest, ListAllGamesResponse,
    ListParkedDecisionsRequest, ListParkedDecisionsResponse, ListPlayersRequest,
    ListPlayersResponse, ParkedDecision, ParkedRelease, PauseAnyGameRequest, PlayerRecord,
    ReleaseParkedDecisionRequest, ReleaseParkedDecisionResponse, ResumeAnyGameRequest,
    RevokePlayerTokensRequest, SetQuotaRequest,
};

use super::account::role;
use super::lobby::GameArg;
use crate::context::Context;
use crate::engine::{Engine, request_id};
use crate::failure::Failure;
use crate::style::{Ink, Style};
use crate::text::{count, harmless, moment, table};
use crate::wording;

/// Operate the engine.
#[derive(Debug, Subcommand)]
#[command(after_help = "\
Needs the operator's token, which the engine wrote into its data directory at the first start.

Examples:
  cli-client admin status --token-file data/admin.token
  cli-client admin invite --uses 5
  cli-client admin grant worker-2 worker
  cli-client admin games list --running")]
pub enum AdminCommand {
    /// How the engine is doing.
    Status,
    /// List and search players.
    Players {
        /// Only names that hold this text.
        search: Option<String>,
    },
    /// Games of anybody: list, show, pause, resume, cancel.
    #[command(subcommand)]
    Games(AdminGames),
    /// Decisions of automated seats that no worker could answer: list, retry, default.
    #[command(subcommand)]
    Parked(AdminParked),
    /// Make an invitation to register.
    Invite {
        /// How many accounts it admits.
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
    /// Delete an account: name and tokens are erased, seats go to automation.
    Delete {
        /// The player's name or id.
        player: String,
        /// Say so on purpose: this cannot be undone.
        #[arg(long, required = true)]
        yes: bool,
    },
    /// Limit how many games that are not over a player may play in or host.
    Quota {
        /// The player's name or id.
        player: String,
        /// How many; leave it out to take the engine's default again.
        games: Option<u32>,
    },
    /// Give an account a role, or make one with it; prints a token for it.
    Grant {
        /// The account's name.
        name: String,
        /// The role.
        #[arg(value_enum)]
        role: Role,
    },
    /// Take no new work, end all streams, then stop.
    Drain,
}

/// Games of anybody.
#[derive(Debug, Subcommand)]
#[command(after_help = "\
What an operator does with a game is told to all in it, and noted in the engine's log.

Examples:
  cli-client admin games list --running
  cli-client admin games list --host Ann
  cli-client admin games pause GAME --why \"the players' complaint is being looked into\"
  cli-client admin games cancel GAME --why \"nobody plays it\"")]
pub enum AdminGames {
    /// List and search all games, the newest first; not what is in them.
    List {
        /// Only names or ids that hold this text.
        search: Option<String>,
        /// Only games of this host or game master, by name or id.
        #[arg(long, value_name = "PLAYER")]
        host: Option<String>,
        /// Leave out games that are over.
        #[arg(long)]
        running: bool,
    },
    /// A game as a spectator sees it, and what the engine knows of it.
    Show(GameArg),
    /// Pause a game; nobody but an operator lets it go on.
    Pause(WhyArgs),
    /// Let a game go on that an operator paused.
    Resume(GameArg),
    /// Cancel a game, without a result.
    Cancel(WhyArgs),
}

/// Decisions that no worker could answer.
#[derive(Debug, Subcommand)]
#[command(after_help = "\
A decision is parked when the answers of every account of workers to it failed five times. The \
rules' defaults decide it at the
next deadline, and where there is none as soon as nobody else is asked at the same time. Mend the bot, then retry.

Examples:
  cli-client admin parked list
  cli-client admin parked retry GAME 2
  cli-client admin parked retry --all
  cli-client admin parked default GAME 2")]
pub enum AdminParked {
    /// List them, the oldest first, with why the last answer failed.
    List,
    /// Ask all workers again.
    Retry {
        /// The game's id.
        #[arg(required_unless_present = "all", requires = "seat", conflicts_with = "all")]
        game: Option<String>,
        /// The seat, from 1.
        seat: Option<u32>,
        /// The number of the vote, if it is one.
        #[arg(long)]
        vote: Option<u64>,
        /// All that are parked.
        #[arg(long)]
        all: bool,
    },
    /// Let the rules' defaults decide now.
    Default {
        /// The game's id.
        game: String,
        /// The seat, from 1.
        seat: u32,
    },
}

/// A game, and a reason.
#[derive(Debug, Args)]
pub struct WhyArgs {
    /// The game's id.
    pub game: String,
    /// Why, for all who are in the game.
    #[arg(long, value_name = "TEXT")]
    pub why: String,
}

/// A role of an account.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Role {
    /// Plays.
    Player,
    /// Answers decisions of automated seats.
    Worker,
    /// Operates the engine.
    Admin,
}

/// Does what the operator says.
pub async fn run(context: &Context, command: AdminCommand) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let mut admin = engine.admin();
    match command {
        AdminCommand::Status => {
            let response = admin.get_status(GetStatusRequest {}).await?.into_inner();
            context.answer(&response, |style| status(style, &response))
        }
        AdminCommand::Players { search } => {
            let response = players(&engine, search.unwrap_or_default()).await?;
            context.answer(&response, |style| player_table(style, &response.players))
        }
        AdminCommand::Games(command) => games(context, &engine, command).await,
        AdminCommand::Parked(command) => parked(context, &engine, command).await,
        AdminCommand::Invite { uses } => {
            let response = admin
                .create_invitation(CreateInvitationRequest { uses: Some(uses) })
                .await?
                .into_inner();
            context.answer(&response, |_| response.invitation.clone())
        }
        AdminCommand::Revoke { player } => {
            let response = admin
                .revoke_player_tokens(RevokePlayerTokensRequest { player })
                .await?
                .into_inner();
            context.answer(&response, |_| {
                format!("Revoked {}.", count(response.revoked as usize, "token"))
            })
        }
        AdminCommand::Ban { player } => ban(context, &engine, player, true).await,
        AdminCommand::Unban { player } => ban(context, &engine, player, false).await,
        AdminCommand::Delete { player, .. } => {
            let response = admin.delete_player(DeletePlayerRequest { player }).await?.into_inner();
            context.answer(&response, |_| "The account is deleted.".into())
        }
        AdminCommand::Quota { player, games } => {
            let response =
                admin.set_quota(SetQuotaRequest { player, games_limit: games }).await?.into_inner();
            context.answer(&response, |_| "The quota is set.".into())
        }
        AdminCommand::Grant { name, role } => {
            let request = GrantRoleRequest {
                name: heliopause_text::composed(&name),
                role: account_role(role).into(),
                request_id: request_id()?,
            };
            let response = admin.grant_role(request).await?.into_inner();
            context.answer(&response, |style| {
                format!(
                    "{}\n{}",
                    response.token,
                    style.paint("Keep it: it is not shown again.", Ink::Notice)
                )
            })
        }
        AdminCommand::Drain => {
            let response = admin.drain(DrainRequest {}).await?.into_inner();
            context.answer(&response, |_| "The engine is draining.".into())
        }
    }
}

fn account_role(role: Role) -> AccountRole {
    match role {
        Role::Player => AccountRole::Player,
        Role::Worker => AccountRole::Worker,
        Role::Admin => AccountRole::Admin,
    }
}

async fn ban(
    context: &Context,
    engine: &Engine,
    player: String,
    banned: bool,
) -> Result<(), Failure> {
    let response =
        engine.admin().ban_player(BanPlayerRequest { player, banned }).await?.into_inner();
    context.answer(&response, |_| {
        if banned { "The player is banned." } else { "The ban is lifted." }.into()
    })
}

async fn players(engine: &Engine, search: String) -> Result<ListPlayersResponse, Failure> {
    let mut request = ListPlayersRequest { page_size: 200, page_token: String::new(), search };
    let mut all = ListPlayersResponse::default();
    loop {
        let page = engine.admin().list_players(request.clone()).await?.into_inner();
        all.players.extend(page.players);
        if page.next_page_token.is_empty() {
            return Ok(all);
        }
        request.page_token = page.next_page_token;
    }
}

async fn games(context: &Context, engine: &Engine, command: AdminGames) -> Result<(), Failure> {
    let mut admin = engine.admin();
    match command {
        AdminGames::List { search, host, running } => {
            let (search, host) = (search.unwrap_or_default(), host.unwrap_or_default());
            let request = ListAllGamesRequest {
                page_size: 200,
                search,
                host,
                running_only: running,
                ..<_>::default()
            };
            let response = list_games(engine, request).await?;
            context.answer(&response, |style| game_table(style, &response.games))
        }
        AdminGames::Show(GameArg { game }) => {
            let response =
                admin.get_any_game(GetAnyGameRequest { game_id: game }).await?.into_inner();
            context.answer(&response, |style| {
                let record = response.record.clone().unwrap_or_default();
                let table = game_table(style, &[record]);
                format!(
                    "{}\n\n{table}",
                    wording::game(style, &response.game.clone().unwrap_or_default())
                )
            })
        }
        AdminGames::Pause(WhyArgs { game, why }) => {
            let response = admin
                .pause_any_game(PauseAnyGameRequest {
                    game_id: game,
                    why,
                    request_id: request_id()?,
                })
                .await?
                .into_inner();
            context
                .answer(&response, |_| "The game is paused; only an operator lets it go on.".into())
        }
        AdminGames::Resume(GameArg { game }) => {
            let response = admin
                .resume_any_game(ResumeAnyGameRequest { game_id: game, request_id: request_id()? })
                .await?
                .into_inner();
            context.answer(&response, |_| "The game goes on.".into())
        }
        AdminGames::Cancel(WhyArgs { game, why }) => {
            let response = admin
                .cancel_any_game(CancelAnyGameRequest {
                    game_id: game,
                    why,
                    request_id: request_id()?,
                })
                .await?
                .into_inner();
            context.answer(&response, |_| "The game is cancelled.".into())
        }
    }
}

async fn list_games(
    engine: &Engine,
    mut request: ListAllGamesRequest,
) -> Result<ListAllGamesResponse, Failure> {
    let mut all = ListAllGamesResponse::default();
    loop {
        let page = engine.admin().list_all_games(request.clone()).await?.into_inner();
        all.games.extend(page.games);
        if page.next_page_token.is_empty() {
            return Ok(all);
        }
        request.page_token = page.next_page_token;
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
                let retried = release(
                    engine,
                    &decision.game_id,
                    decision.seat,
                    decision.vote,
                    ParkedRelease::Retry,
                )
                .await;
                // What was decided in between is parked no longer.
                if let Err(failure) = retried
                    && failure.report().reason != "NOT_FOUND"
                {
                    return Err(failure);
                }
            }
            let number = all.decisions.len();
            context.answer(&all, |_| {
                format!("Workers are asked again about {}.", count(number, "decision"))
            })
        }
        AdminParked::Retry { game, seat, vote, .. } => {
            let (game, seat) = (game.unwrap_or_default(), seat.unwrap_or_default());
            let response = release(engine, &game, seat, vote, ParkedRelease::Retry).await?;
            context.answer(&response, |_| "Workers are asked again.".into())
        }
        AdminParked::Default { game, seat } => {
            let response = release(engine, &game, seat, None, ParkedRelease::Default).await?;
            context.answer(&response, |_| "The defaults have decided.".into())
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
    let mut request = ListParkedDecisionsRequest { page_size: 200, page_token: String::new() };
    let mut all = ListParkedDecisionsResponse::default();
    loop {
        let page = engine.admin().list_parked_decisions(request.clone()).await?.into_inner();
        all.decisions.extend(page.decisions);
        if page.next_page_token.is_empty() {
            return Ok(all);
        }
        request.page_token = page.next_page_token;
    }
}

fn parked_table(style: &Style, decisions: &[ParkedDecision]) -> String {
    if decisions.is_empty() {
        return "There are none.".into();
    }
    let row = |parked: &ParkedDecision| {
        let asked =
            parked.vote.map_or_else(|| "a decision".to_owned(), |vote| format!("vote {vote}"));
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
        ["game", "kind", "seat", "asked", "profile", "since", "failures", "the last of them"];
    table(style, &headings, &decisions.iter().map(row).collect::<Vec<_>>())
}

fn game_table(style: &Style, games: &[GameRecord]) -> String {
    if games.is_empty() {
        return "There are none.".into();
    }
    let row = |record: &GameRecord| {
        let game = record.game.clone().unwrap_or_default();
        let asleep = game
            .automation_sleep_time
            .as_ref()
            .map(|since| format!("asleep since {}", moment(since)));
        vec![
            game.game_id.clone(),
            game.kind.clone(),
            record.host.as_ref().map_or_else(|| "-".to_owned(), |host| harmless(&host.name)),
            wording::status(game.status()).to_owned(),
            harmless(&record.progress),
            game.create_time.as_ref().map(moment).unwrap_or_default(),
            record.last_look_time.as_ref().map_or_else(|| "unknown".to_owned(), moment),
            format!(
                "{}, {} KiB",
                count_of(record.entries, "entry", "entries"),
                record.bytes.div_ceil(1_024)
            ),
            harmless(&game.name),
            asleep.map(|text| style.paint(text, Ink::Notice)).unwrap_or_default(),
        ]
    };
    let headings =
        ["game", "kind", "host", "status", "phase", "created", "last look", "journal", "name", ""];
    table(style, &headings, &games.iter().map(row).collect::<Vec<_>>())
}

fn count_of(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

fn player_table(style: &Style, players: &[PlayerRecord]) -> String {
    let row = |record: &PlayerRecord| {
        let player = record.player.clone().unwrap_or_default();
        let limit =
            record.games_limit.map_or_else(|| "default".to_owned(), |limit| limit.to_string());
        let banned = if record.banned { style.paint("banned", Ink::Bad) } else { String::new() };
        vec![
            harmless(&player.name),
            role(player.role()).to_owned(),
            format!("{:+}", player.dedication),
            record.tokens.to_string(),
            limit,
            player.player_id,
            banned,
        ]
    };
    let headings = ["name", "role", "dedication", "tokens", "games limit", "id", ""];
    table(style, &headings, &players.iter().map(row).collect::<Vec<_>>())
}

fn status(style: &Style, status: &GetStatusResponse) -> String {
    let row = |name: &str, value: String| vec![name.to_owned(), value];
    let rows = [
        row("version", status.version.clone()),
        row("games", format!("{}, {} of them in memory", status.games, status.live_games)),
        row("players", status.players.to_string()),
        row("open streams", status.streams.to_string()),
        row("workers", format!("{}, with {} leases", status.workers, status.leases)),
        row("parked decisions", status.parked_decisions.to_string()),
        row("memory", format!("{} MiB", status.resident_bytes / 1_048_576)),
        row("state", if status.draining { "draining".into() } else { "serving".into() }),
    ];
    table(style, &["", ""], &rows).trim_start().to_owned()
}
