//! Opens the web page with the player signed in.

use std::env;
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
use crate::words::say;

/// Open the web page, signed in.
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/web.txt"))]
pub struct WebArgs {
    /// The game to show first.
    pub game: Option<String>,
    /// Print the address without opening a browser.
    #[arg(long)]
    pub no_open: bool,
}

/// Creates a sign-in code and prints the address of the page with this code. Opens the page in a
/// browser, unless `--no-open` or `--json` is set.
pub async fn web(context: &mut Context, args: &WebArgs) -> Result<(), Failure> {
    let info = context
        .connect_anonymous()
        .await?
        .players()
        .get_server_info(GetServerInfoRequest {})
        .await?;
    if !info.into_inner().web {
        let told = say!("web-does-not-serve-web", url = first(context.url()));
        return Err(Failure::failed(told)
            .because("NO_PAGE")
            .advise(say!("web-operator-can-enable-engine-service")));
    }
    let engine = if context.json {
        context.engine().await?
    } else {
        // Without a terminal, the command asks no questions.
        let history = context.profiles().file("history", "lines")?;
        let mut screen = Screen::new(context.style, Input::new(false, history));
        account::sign_in(context, &mut screen).await?
    };
    let made = engine.players().create_sign_in_code(CreateSignInCodeRequest {}).await?.into_inner();
    let path = args.game.as_ref().map(|game| format!("game/{game}")).unwrap_or_default();
    let address = format!("{}/{path}#code={}", first(context.url()), made.code);
    let opened = !args.no_open && !context.json && open(&address);
    let until = made.expire_time.as_ref().map(moment).unwrap_or_default();
    let value = json!({ "address": address, "expireTime": made.expire_time.map(written) });
    context.answer_value(&value, |_| {
        let whether = if opened { say!("web-opening-browser") } else { say!("web-open-browser") };
        let until = say!("web-signs-once-expires", until = until);
        format!("{whether}\n{address}\n{until}")
    })
}

fn written(time: Timestamp) -> String {
    jiff::Timestamp::new(time.seconds, 0).map(|time| time.to_string()).unwrap_or_default()
}

fn first(urls: &str) -> &str {
    urls.split(',').next().unwrap_or(urls)
}

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
