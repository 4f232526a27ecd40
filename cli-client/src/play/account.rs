//! Signs the player in, and creates an account at the first start.

use std::env;

use heliopause_proto::v1::{GetMeRequest, RegisterResponse};

use super::screen::Screen;
use crate::commands::account::open_account;
use crate::context::Context;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::style::Ink;
use crate::words::say;

const NAMES_MAX: u32 = 20;

pub(super) async fn sign_in(context: &mut Context, screen: &mut Screen) -> Result<Engine, Failure> {
    if context.token().is_some() {
        let engine = context.engine().await?;
        match engine.players().get_me(GetMeRequest {}).await {
            Ok(_) => return Ok(engine),
            Err(status) => {
                let failure = Failure::from(status);
                if failure.report().reason != "TOKEN_INVALID" || context.has_external_token() {
                    return Err(failure);
                }
                screen.print(&say!("play-engine-no-longer-account"));
            }
        }
    }
    let name = loop {
        let wanted = wanted_name(context, screen).await?;
        let registered = match &wanted {
            Wanted::Typed(name) => open_account(context, name, String::new()).await.map(name_of),
            Wanted::Default(name) => register(context, name).await,
        };
        match registered {
            Err(failure)
                if screen.is_terminal()
                    && ["INVALID_FIELD", "NAME_TAKEN"]
                        .contains(&failure.report().reason.as_str()) =>
            {
                screen.print(&screen.style.paint(failure.to_string(), Ink::Bad));
            }
            registered => break registered?,
        }
    };
    screen.print(&context.style.paint(say!("play-welcome", name = name), Ink::Good));
    screen.print(&context.style.paint(say!("play-recovery"), Ink::Faint));
    context.engine().await
}

enum Wanted {
    Typed(String),
    /// A number is added if another account has this name.
    Default(String),
}

fn name_of(response: RegisterResponse) -> String {
    response.player.unwrap_or_default().name
}

async fn wanted_name(context: &Context, screen: &mut Screen) -> Result<Wanted, Failure> {
    let default = context.account().map_or_else(default_name, |account| account.name.clone());
    if !screen.is_terminal() {
        return Ok(Wanted::Default(default));
    }
    let answer = screen.question(&say!("play-name-question", default = default)).await;
    let answer = answer.ok_or_else(|| Failure::failed(say!("play-no-account-created")))?;
    Ok(if answer.is_empty() { Wanted::Default(default) } else { Wanted::Typed(answer) })
}

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

async fn register(context: &mut Context, wanted: &str) -> Result<String, Failure> {
    let mut name = wanted.to_owned();
    for number in 2..=NAMES_MAX {
        match open_account(context, &name, String::new()).await {
            Ok(response) => return Ok(name_of(response)),
            Err(failure) if failure.report().reason == "NAME_TAKEN" => {
                name = format!("{wanted}-{number}");
            }
            Err(failure) => return Err(failure),
        }
    }
    let last = NAMES_MAX - 1;
    let told = say!("play-names-taken", wanted = wanted, last = last);
    Err(Failure::failed(told).advise(say!("play-register-another-name-cli-client")))
}
