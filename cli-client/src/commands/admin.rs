//! Operating an engine.

use clap::{Subcommand, ValueEnum};
use heliopause_proto::v1::{
    AccountRole, BanPlayerRequest, CreateInvitationRequest, DeletePlayerRequest, DrainRequest, GameSummary,
    GetStatusRequest, GetStatusResponse, GrantRoleRequest, ListAllGamesRequest, ListAllGamesResponse,
    ListPlayersRequest, ListPlayersResponse, PlayerRecord, RevokePlayerTokensRequest, SetQuotaRequest,
};

use super::account::role;
use super::lobby::summaries;
use crate::connect::Engine;
use crate::context::Context;
use crate::failure::Failure;
use crate::style::{Ink, Style};
use crate::text::{count, harmless, table};

/// Operate the engine.
#[derive(Debug, Subcommand)]
#[command(after_help = "\
Needs the operator's token, which the engine wrote into its data directory at the first start.

Examples:
  cli-client admin status --token-file data/admin.token
  cli-client admin invite --uses 5
  cli-client admin grant worker-2 worker")]
pub enum AdminCommand {
    /// How the engine is doing.
    Status,
    /// List and search players.
    Players {
        /// Only names that hold this text.
        search: Option<String>,
    },
    /// List and search all games; not what is in them.
    Games {
        /// Only names or ids that hold this text.
        search: Option<String>,
    },
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
    /// Limit in how many running games a player may hold seats.
    Quota {
        /// The player's name or id.
        player: String,
        /// How many; 0 takes the engine's default.
        games: u32,
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
        AdminCommand::Games { search } => {
            let games = games(&engine, search.unwrap_or_default()).await?;
            let response = ListAllGamesResponse { games, next_page_token: String::new() };
            context.answer(&response, |style| summaries(style, &response.games))
        }
        AdminCommand::Invite { uses } => {
            let response = admin.create_invitation(CreateInvitationRequest { uses }).await?.into_inner();
            context.answer(&response, |_| response.invitation.clone())
        }
        AdminCommand::Revoke { player } => {
            let response = admin.revoke_player_tokens(RevokePlayerTokensRequest { player }).await?.into_inner();
            context.answer(&response, |_| format!("Revoked {}.", count(response.revoked as usize, "token")))
        }
        AdminCommand::Ban { player } => ban(context, &engine, player, true).await,
        AdminCommand::Unban { player } => ban(context, &engine, player, false).await,
        AdminCommand::Delete { player, .. } => {
            let response = admin.delete_player(DeletePlayerRequest { player }).await?.into_inner();
            context.answer(&response, |_| "The account is deleted.".into())
        }
        AdminCommand::Quota { player, games } => {
            let response = admin.set_quota(SetQuotaRequest { player, games_limit: games }).await?.into_inner();
            context.answer(&response, |_| "The quota is set.".into())
        }
        AdminCommand::Grant { name, role } => {
            let request = GrantRoleRequest { name: heliopause_text::composed(&name), role: account_role(role).into() };
            let response = admin.grant_role(request).await?.into_inner();
            context.answer(&response, |style| {
                format!("{}\n{}", response.token, style.paint("Keep it: it is not shown again.", Ink::Notice))
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

async fn ban(context: &Context, engine: &Engine, player: String, banned: bool) -> Result<(), Failure> {
    let response = engine.admin().ban_player(BanPlayerRequest { player, banned }).await?.into_inner();
    context.answer(&response, |_| if banned { "The player is banned." } else { "The ban is lifted." }.into())
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

async fn games(engine: &Engine, search: String) -> Result<Vec<GameSummary>, Failure> {
    let mut request = ListAllGamesRequest { page_size: 200, page_token: String::new(), search };
    let mut all = Vec::new();
    loop {
        let page = engine.admin().list_all_games(request.clone()).await?.into_inner();
        all.extend(page.games);
        if page.next_page_token.is_empty() {
            return Ok(all);
        }
        request.page_token = page.next_page_token;
    }
}

fn player_table(style: &Style, players: &[PlayerRecord]) -> String {
    let row = |record: &PlayerRecord| {
        let player = record.player.clone().unwrap_or_default();
        let limit = if record.games_limit == 0 { "default".to_owned() } else { record.games_limit.to_string() };
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
        row("memory", format!("{} MiB", status.resident_bytes / 1_048_576)),
        row("state", if status.draining { "draining".into() } else { "serving".into() }),
    ];
    table(style, &["", ""], &rows).trim_start().to_owned()
}
