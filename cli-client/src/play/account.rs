//! Who plays: an account is opened the first time.

use std::env;

use heliopause_proto::v1::GetMeRequest;

use super::screen::Screen;
use crate::commands::account::open_account;
use crate::context::Context;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::style::Ink;

/// How many names are tried before the player is asked for one.
const NAMES_MAX: u32 = 20;

/// Connects as the profile's player; opens an account first if there is none that the engine knows.
pub(super) async fn enter(
    context: &mut Context,
    screen: &mut Screen,
    may_ask: bool,
) -> Result<Engine, Failure> {
    if context.token().is_some() {
        let engine = context.engine().await?;
        match engine.players().get_me(GetMeRequest {}).await {
            Ok(_) => return Ok(engine),
            Err(status) => {
                let failure = Failure::from(status);
                if failure.report().reason != "TOKEN_INVALID" || context.has_foreign_token() {
                    return Err(failure);
                }
                // An engine with a new data directory at the old address knows none of its former
                // players.
                screen.print("This engine does not know your account any more; opening a new one.");
            }
        }
    }
    let name = loop {
        let wanted = wanted_name(context, screen, may_ask).await?;
        match register(context, &wanted).await {
            // Whoever can be asked is asked for a better name.
            Err(failure)
                if may_ask
                    && screen.is_terminal()
                    && failure.report().reason == "INVALID_FIELD" =>
            {
                screen.print(&screen.style.paint(failure.to_string(), Ink::Bad));
            }
            registered => break registered?,
        }
    };
    screen.print(&context.style.paint(format!("Welcome, {name}!"), Ink::Good));
    context.engine().await
}

async fn wanted_name(
    context: &Context,
    screen: &mut Screen,
    may_ask: bool,
) -> Result<String, Failure> {
    let default = context.account().map_or_else(default_name, |account| account.name.clone());
    if !may_ask || !screen.is_terminal() {
        return Ok(default);
    }
    let answer = screen.question(&format!("Your name [{default}]: ")).await;
    let answer = answer.ok_or_else(|| Failure::failed("No account was opened."))?;
    Ok(if answer.is_empty() { default } else { answer })
}

/// The user's name on this machine, as far as it may be a player's.
fn default_name() -> String {
    let user = ["USER", "USERNAME", "LOGNAME"]
        .iter()
        .find_map(|name| env::var(name).ok())
        .unwrap_or_default();
    let plain = |char: &char| char.is_ascii_alphanumeric() || matches!(char, '-' | '_' | '.');
    let name: String = user.chars().filter(plain).take(28).collect();
    let begins_well = name.starts_with(|char: char| char.is_ascii_alphanumeric());
    if name.len() >= 2 && begins_well { name } else { "Captain".into() }
}

/// Registers under a name, or under the next one that is free.
async fn register(context: &mut Context, wanted: &str) -> Result<String, Failure> {
    let mut name = wanted.to_owned();
    for number in 2..=NAMES_MAX {
        match open_account(context, &name, String::new()).await {
            Ok(_) => return Ok(name),
            Err(failure) if failure.report().reason == "NAME_TAKEN" => {
                name = format!("{wanted}-{number}");
            }
            Err(failure) => return Err(failure),
        }
    }
    Err(Failure::failed(format!("{wanted} and its variants are taken."))
        .advise("Choose a name with `cli-client register NAME`."))
}
