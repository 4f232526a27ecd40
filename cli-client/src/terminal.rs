//! Detects the capabilities of the terminal, and contains the only functions that write text.
//!
//! **Invariant.** All text for people on a terminal passes through [`shown`], which escapes foreign
//! control codes. The lints `print_stdout` and `print_stderr` keep other modules from printing.

use std::env;
use std::hash::{BuildHasher as _, RandomState};
use std::io::{ErrorKind, IsTerminal as _, Write, stderr, stdout};
use std::sync::LazyLock;

use clap::ValueEnum;

use crate::failure::Failure;
use crate::style::Style;
use crate::text::fitted;

/// A secret in this process's color codes. Text from elsewhere cannot contain it.
static SEAL: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(0) | 1);

/// When to use color.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// Color and Unicode if the terminal supports them and NO_COLOR is not set.
    #[default]
    Auto,
    /// Color and Unicode, even into a file or pipe.
    Always,
    /// Plain ASCII without color.
    Never,
}

/// Detects what standard output supports.
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
        rows: None,
        seal: *SEAL,
    }
}

/// An output stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Out {
    Stdout,
    Stderr,
}

impl Out {
    /// Writes text for people and a line break. Lines are not wrapped in a pipe.
    pub fn say(self, text: &str) -> Result<(), Failure> {
        let is_terminal = match self {
            Self::Stdout => stdout().is_terminal() && !is_dumb(),
            Self::Stderr => stderr().is_terminal(),
        };
        self.line(&shown(text, if is_terminal { width() } else { usize::MAX }))
    }

    /// Writes a line for programs. Control characters must already be escaped.
    pub fn line(self, text: &str) -> Result<(), Failure> {
        self.put(&format!("{text}\n"))
    }

    /// Writes a document, such as a map image. Escapes control codes only for a terminal.
    pub fn document(self, text: &str) -> Result<(), Failure> {
        if stdout().is_terminal() { self.say(text) } else { self.line(text) }
    }

    pub fn ask(self, text: &str) -> Result<(), Failure> {
        self.put(&shown(text, width()))
    }

    /// Writes text unchanged. If standard output is closed, the reader needs no more: the command
    /// ends without a failure.
    fn put(self, text: &str) -> Result<(), Failure> {
        let put = |out: &mut dyn Write| out.write_all(text.as_bytes()).and_then(|()| out.flush());
        match self {
            Self::Stdout => match put(&mut stdout().lock()) {
                Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                    Err(Failure::output_closed())
                }
                result => Ok(result?),
            },
            Self::Stderr => put(&mut stderr().lock()).or(Ok(())),
        }
    }
}

/// Formats text for a terminal: keeps only this program's colors, shows invisible characters as
/// code points, and fits the text to `columns`.
pub fn shown(text: &str, columns: usize) -> String {
    let style = Style { seal: *SEAL, ..Style::PLAIN };
    fitted(&as_typed(&style.sealed(text)), columns)
}

/// Rings the bell and sets the window title.
pub fn alert(title: &str) {
    let title = crate::text::harmless(title).replace('\n', " ");
    // Errors are ignored: a terminal that is gone needs no alert.
    let _ = Out::Stdout.put(&format!("\x07\x1b]0;{title}\x07"));
}

/// Rewrites `cli-client` commands as calls of the `play` script if that script started this
/// program.
fn as_typed(text: &str) -> String {
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

/// Returns whether the locale uses UTF-8. Returns true without a locale, as in many containers.
fn locale_has_unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|name| env::var(name).ok().filter(|v| !v.is_empty()));
    locale.is_none_or(|locale| {
        let locale = locale.to_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

/// Returns the number of rows of the terminal, or `None` if unknown.
pub fn height() -> Option<usize> {
    terminal_size::terminal_size().map(|(_, height)| usize::from(height.0))
}

/// Returns the number of columns from `COLUMNS` or the terminal. Returns 80 if the number is
/// unknown or below 20.
pub fn width() -> usize {
    let told = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let measured = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    told.or_else(measured).filter(|width| *width >= 20).unwrap_or(80)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_shown_as_they_can_be_typed() {
        let told = "`cli-client play g1` resumes; `cli-client games` lists, cli-client(1) helps.";
        let typed = "`./play g1` resumes; `./play cli games` lists, cli-client(1) helps.";
        assert_eq!(by(told, "./play"), typed);
    }
}
