//! What standard output can show.

use std::env;
use std::io::{IsTerminal as _, stdout};

use clap::ValueEnum;

use crate::style::Style;

/// When to use colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// Colour and Unicode if the terminal shows them and NO_COLOR is not set.
    #[default]
    Auto,
    /// Colour and Unicode, also into a file or pipe.
    Always,
    /// Plain ASCII without colour.
    Never,
}

/// What standard output can show.
pub fn detect(choice: ColorChoice, linear: bool) -> Style {
    let terminal = stdout().is_terminal();
    let plain =
        linear || choice == ColorChoice::Never || (choice == ColorChoice::Auto && wants_plain());
    Style {
        color: !plain && (terminal || choice == ColorChoice::Always),
        unicode: !plain && (choice == ColorChoice::Always || locale_has_unicode()),
        terminal: terminal && !is_dumb(),
        linear,
        width: width(),
    }
}

/// A text whose commands work as they stand there: whoever came by `./play` has this program below
/// no name of its own.
pub fn as_typed(text: &str) -> String {
    match env::var("HELIOPAUSE_PLAY") {
        Ok(play) if !play.is_empty() => by(text, &play),
        _ => text.to_owned(),
    }
}

fn by(text: &str, play: &str) -> String {
    text.replace("cli-client play", play).replace("cli-client ", &format!("{play} cli "))
}

fn wants_plain() -> bool {
    is_dumb() || env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

fn is_dumb() -> bool {
    env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// Only a locale that names another character set speaks against Unicode; many containers name none
/// at all.
fn locale_has_unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|name| env::var(name).ok().filter(|v| !v.is_empty()));
    locale.is_none_or(|locale| {
        let locale = locale.to_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

/// The rows of the terminal, if there is one.
pub fn height() -> Option<usize> {
    terminal_size::terminal_size().map(|(_, height)| usize::from(height.0))
}

/// The columns of the terminal; 80 if that cannot be known.
pub fn width() -> usize {
    let told = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let measured = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    told.or_else(measured).filter(|width| *width >= 20).unwrap_or(80)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_told_as_they_can_be_typed() {
        let told = "`cli-client play g1` goes on; `cli-client games` lists, cli-client(1) helps.";
        let typed = "`./play g1` goes on; `./play cli games` lists, cli-client(1) helps.";
        assert_eq!(by(told, "./play"), typed);
    }
}
