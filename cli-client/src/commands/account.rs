//! Commands for accounts, tokens and blocked players.

use clap::{Args, Subcommand};
use heliopause_proto::text::composed;
use heliopause_proto::v1::*;

use super::sign_in::recovery_codes;
use crate::context::Context;
use crate::engine::request_id;
use crate::failure::Failure;
use crate::profile::Account;
use crate::style::{Ink, Style};
use crate::text::{self, harmless, moment};
use crate::words::{Number, columns, say};

/// Create an account.
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/register.txt"))]
pub struct RegisterArgs {
    /// Your name: 1 to 32 letters and digits of one script, with spaces, "'", "-", "_" and "."
    /// between them. Without a name, you are a guest and can choose one later.
    #[arg(default_value = "")]
    pub name: String,
    /// An invitation code, if the engine requires one.
    #[arg(long, value_name = "CODE")]
    pub invitation: Option<String>,
}

/// Show an account.
#[derive(Debug, Args)]
pub struct PlayerArgs {
    /// The player's name or id.
    pub player: String,
}

/// Manage your tokens.
#[derive(Debug, Subcommand)]
#[command(
    after_help = "Example:\n  cli-client tokens create bot --json | jq -r .secret > bot.token"
)]
pub enum TokensCommand {
    /// List your tokens.
    List,
    /// Create another token, for example for a bot; its secret is shown only once.
    Create {
        /// A name that describes its use.
        name: String,
    },
    /// Revoke a token immediately.
    Revoke {
        /// The token's id, as `tokens list` shows it.
        id: String,
    },
    /// Replace the token in use with a new one, and save it in the profile.
    Rotate,
}

/// Manage players whose invitations you reject.
#[derive(Debug, Subcommand)]
#[command(after_help = include_str!("../help/block.txt"))]
pub enum BlockCommand {
    /// List the players that you block.
    List,
    /// Block a player.
    Add(PlayerArgs),
    /// Unblock a player.
    Remove(PlayerArgs),
}

pub async fn block(context: &Context, command: BlockCommand) -> Result<(), Failure> {
    let mut players = context.engine().await?.players();
    match command {
        BlockCommand::List => {
            let response =
                players.list_blocked_players(ListBlockedPlayersRequest {}).await?.into_inner();
            context.answer(&response, |_| {
                if response.players.is_empty() {
                    return say!("account-not-blocked-any-players");
                }
                let names = response.players.iter().map(|player| harmless(&player.name));
                names.collect::<Vec<_>>().join("\n")
            })
        }
        BlockCommand::Add(PlayerArgs { player }) => context.done(
            &players.block_player(BlockPlayerRequest { player }).await?,
            &say!("account-player-blocked"),
        ),
        BlockCommand::Remove(PlayerArgs { player }) => {
            let blocked = players.list_blocked_players(ListBlockedPlayersRequest {}).await?;
            let request = GetPlayerRequest { player: player.clone() };
            let other = players.get_player(request).await?.into_inner().player.unwrap_or_default();
            let mut blocked = blocked.into_inner().players.into_iter();
            let was_blocked = blocked.any(|one| one.player_id == other.player_id);
            let response = players.unblock_player(UnblockPlayerRequest { player }).await?;
            let text = if was_blocked {
                say!("account-player-no-longer-blocked")
            } else {
                say!("account-player-not-blocked")
            };
            context.done(&response, &text)
        }
    }
}

/// Creates an account and prints how to continue. Returns an error if the profile already has an
/// account on this engine.
pub async fn register(context: &mut Context, args: &RegisterArgs) -> Result<(), Failure> {
    if let Some(account) = known_account(context).await? {
        let (profile, name, url) = (context.profile_name(), &account.name, context.url());
        let told =
            say!("account-profile-already-account", profile = profile, name = name, url = url);
        return Err(Failure::failed(told)
            .because("HAS_ACCOUNT")
            .advise(say!("account-use-profile-name-second")));
    }
    let response =
        open_account(context, &args.name, args.invitation.clone().unwrap_or_default()).await?;
    // Scripts keep tokens, and create codes with a command of their own.
    let codes = if context.json {
        Vec::new()
    } else {
        let engine = context.engine().await?;
        let created = engine.sign_in().create_recovery_codes(CreateRecoveryCodesRequest {}).await?;
        created.into_inner().codes
    };
    context.answer(&response, |style| {
        let (welcome, profile) =
            (style.paint(say!("account-welcome"), Ink::Good), context.profile_name());
        let player = response.player.clone().unwrap_or_default();
        let name = harmless(&player.name);
        let guest =
            if player.guest { format!("{}\n", say!("account-guest")) } else { String::new() };
        let saved = say!("account-token-saved-profile", profile = profile);
        let codes = recovery_codes(style, &codes);
        let registered = say!("account-registered", name = name);
        let lost = say!("account-if-lose-these-recovery");
        let next = say!("account-next-cli-client-play");
        format!("{welcome} {registered} {saved}\n{guest}\n{lost}\n{codes}\n\n{next}")
    })
}

/// Returns the profile's account. Returns `None` if there is no account, or if the engine rejects
/// the account's token.
async fn known_account(context: &Context) -> Result<Option<&Account>, Failure> {
    let Some(account) = context.account() else { return Ok(None) };
    let engine = context.connect_anonymous().await?.with_token(&account.token)?;
    match engine.players().get_me(GetMeRequest {}).await.map_err(Failure::from) {
        Err(failure) if failure.report().reason == "TOKEN_INVALID" => Ok(None),
        Err(failure) => Err(failure),
        Ok(_) => Ok(Some(account)),
    }
}

/// Creates an account and saves it in the profile.
pub async fn open_account(
    context: &mut Context,
    name: &str,
    invitation: String,
) -> Result<RegisterResponse, Failure> {
    let request = RegisterRequest { name: composed(name), invitation, request_id: request_id()? };
    let response =
        context.connect_anonymous().await?.players().register(request).await?.into_inner();
    let name =
        response.player.as_ref().map_or_else(|| name.to_owned(), |player| player.name.clone());
    context.keep(Account { name, token: response.token.clone() })?;
    Ok(response)
}

pub async fn whoami(context: &Context) -> Result<(), Failure> {
    let response = context.engine().await?.players().get_me(GetMeRequest {}).await?.into_inner();
    context.answer(&response, |style| {
        let player =
            response.player.as_ref().map(|player| describe(style, player)).unwrap_or_default();
        let from = if context.has_external_token() {
            say!("account-external-token")
        } else {
            say!("account-in-profile", profile = context.profile_name())
        };
        let told = say!(
            "account-engine-limit",
            url = context.url(),
            from = from,
            count = Number(response.games_limit as usize)
        );
        let is_guest = response.player.as_ref().is_some_and(|player| player.guest);
        let guest = if is_guest { say!("account-guest") } else { String::new() };
        format!("{player}\n{told}\n{guest}")
    })
}

pub async fn player(context: &Context, args: &PlayerArgs) -> Result<(), Failure> {
    let request = GetPlayerRequest { player: args.player.clone() };
    let response = context.engine().await?.players().get_player(request).await?.into_inner();
    context.answer(&response, |style| {
        response.player.as_ref().map(|player| describe(style, player)).unwrap_or_default()
    })
}

pub fn describe(style: &Style, player: &Player) -> String {
    let since = player.create_time.as_ref().map(moment).unwrap_or_default();
    let name = style.paint(harmless(&player.name), Ink::Heading);
    let id = style.paint(&player.player_id, Ink::Faint);
    let (role, dedication) = (role(player.role()), player.dedication);
    let told =
        say!("account-facts", role = role, dedication = format!("{dedication:+}"), since = since);
    format!("{name}  {id}\n{told}")
}

pub fn role(role: AccountRole) -> String {
    match role {
        AccountRole::Unspecified | AccountRole::Player => say!("account-role-player"),
        AccountRole::Worker => say!("account-role-worker"),
        AccountRole::Admin => say!("account-role-operator"),
    }
}

pub async fn tokens(context: &mut Context, command: TokensCommand) -> Result<(), Failure> {
    let mut players = context.engine().await?.players();
    match command {
        TokensCommand::List => {
            let response = players.list_tokens(ListTokensRequest {}).await?.into_inner();
            context.answer(&response, |style| {
                let row = |token: &Token| {
                    let created = token.create_time.as_ref().map(moment).unwrap_or_default();
                    let mut name = harmless(&token.name);
                    if token.signed_in {
                        name = say!("account-token-signed-in", name = name);
                    }
                    if token.current {
                        name = say!("account-token-current", name = name);
                    }
                    let used = token.use_time.as_ref().map(moment).unwrap_or_default();
                    vec![token.token_id.clone(), created, used, name, harmless(&token.agent)]
                };
                let rows: Vec<Vec<String>> = response.tokens.iter().map(row).collect();
                text::table(style, &columns("tokens-columns"), &rows)
            })
        }
        TokensCommand::Create { name } => {
            let request = CreateTokenRequest { name: composed(&name), request_id: request_id()? };
            let response = players.create_token(request).await?.into_inner();
            context.answer(&response, |style| token_shown_once(style, &response.secret))
        }
        TokensCommand::Revoke { id } => context.done(
            &players.revoke_token(RevokeTokenRequest { token_id: id }).await?,
            &say!("account-token-revoked"),
        ),
        TokensCommand::Rotate => {
            let response = players.rotate_token(RotateTokenRequest {}).await?.into_inner();
            keep_rotated(context, &response.secret)?;
            context.answer(&response, |style| {
                let kept = say!("account-old-token-revoked-new", profile = context.profile_name());
                let shown = token_shown_once(style, &response.secret);
                if context.has_external_token() { shown } else { kept }
            })
        }
    }
}

/// Saves a rotated token in the profile, unless the token came from outside the profile.
fn keep_rotated(context: &mut Context, secret: &str) -> Result<(), Failure> {
    if context.has_external_token() {
        return Ok(());
    }
    let Some(account) = context.account().cloned() else { return Ok(()) };
    context.keep(Account { token: secret.to_owned(), ..account })
}

/// Formats a new token with the advice to save it.
pub(super) fn token_shown_once(style: &Style, token: &str) -> String {
    let advice = style.paint(say!("account-save-token-not-shown"), Ink::Notice);
    format!("{token}\n{advice}")
}
