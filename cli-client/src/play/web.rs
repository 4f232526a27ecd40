//! Opening the web page, signed in.

use std::env;
use std::io::{IsTerminal as _, stdin};
use std::process::{Command, Stdio};

use clap::Args;
use heliopause_proto::v1::{CreateSignInCodeRequest, GetServerInfoRequest};
use prost_types::Timestamp;
use serde_json::json;

use super::account;
use super::input::Input;
use super::screen::Screen;
use crate::context::Context;
use crate::failure::Failure;
use crate::text::moment;

/// Open the web page, signed in.
#[derive(Debug, Args)]
#[command(
    after_help = "The address holds a code that signs in once, within two minutes; it is no token. Another \
        call makes another one, for example for your phone.\n\nExamples:\n  cli-client web\n  \
        cli-client --engine https://play.example:50051 web --no-open"
)]
pub struct WebArgs {
    /// The game to show first.
    pub game: Option<String>,
    /// Print the address, and open no browser.
    #[arg(long)]
    pub no_open: bool,
}

/// Makes a code, and opens the page with it.
pub async fn web(context: &mut Context, args: &WebArgs) -> Result<(), Failure> {
    let info = context.stranger().await?.players().get_server_info(GetServerInfoRequest {}).await?;
    if !info.into_inner().web {
        let told = format!("{} serves no web page.", first(context.url()));
        return Err(Failure::failed(told)
            .because("NO_PAGE")
            .advise("Its operator turns it on with `engine-service --web`."));
    }
    let engine = if context.json {
        context.engine().await?
    } else {
        let terminal = context.style.terminal && stdin().is_terminal();
        let history = context.profiles().file("history", "lines")?;
        let mut screen = Screen::new(context.style, Input::new(terminal, history));
        account::enter(context, &mut screen, false).await?
    };
    let made = engine.players().create_sign_in_code(CreateSignInCodeRequest {}).await?.into_inner();
    let path = args.game.as_ref().map(|game| format!("game/{game}")).unwrap_or_default();
    let address = format!("{}/{path}#code={}", first(context.url()), made.code);
    let opened = !args.no_open && !context.json && open(&address);
    let until = made.expire_time.as_ref().map(moment).unwrap_or_default();
    let value = json!({ "address": address, "expireTime": made.expire_time.map(written) });
    context.answer_value(&value, |_| {
        let whether = if opened { "Your browser opens" } else { "Open in your browser:" };
        format!("{whether}\n{address}\nIt signs you in once, until {until}.")
    })
}

/// A moment as JSON of the contract writes it.
fn written(time: Timestamp) -> String {
    jiff::Timestamp::new(time.seconds, 0).map(|time| time.to_string()).unwrap_or_default()
}

/// Of several engines that share their games the first.
fn first(urls: &str) -> &str {
    urls.split(',').next().unwrap_or(urls)
}

/// Opens an address in the browser; whether there is one to open it with.
fn open(address: &str) -> bool {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let has_screen = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    let shown = cfg!(target_os = "macos")
        || ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"].into_iter().any(has_screen);
    let silent = Stdio::null;
    shown
        && Command::new(program)
            .arg(address)
            .stdin(silent())
            .stdout(silent())
            .stderr(silent())
            .spawn()
            .is_ok()
}
