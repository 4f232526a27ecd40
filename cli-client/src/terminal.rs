//! What standard output can show, and the only way to it.
//!
//! **Invariant.** All text for people is written by [`Out::say`], which shows the codes of others as
//! characters. The lints `print_stdout` and `print_stderr` keep other modules from printing.

use std::env;
use std::hash::{BuildHasher as _, RandomState};
use std::io::{ErrorKind, IsTerminal as _, Write, stderr, stdout};
use std::sync::LazyLock;

use clap::ValueEnum;

use crate::failure::Failure;
use crate::style::Style;
use crate::text::fitted;

/// The secret in this process's colour codes. What came from elsewhere cannot hold it.
static SEAL: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(0) | 1);

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
        seal: *SEAL,
    }
}

/// Where text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Out {
    /// Standard output.
    Answer,
    /// Standard error.
    Aside,
}

impl Out {
    /// Writes a text for people, and a line break. A pipe gets each line whole.
    pub fn say(self, text: &str) -> Result<(), Failure> {
        let is_terminal = match self {
            Self::Answer => stdout().is_terminal() && !is_dumb(),
            Self::Aside => stderr().is_terminal(),
        };
        self.line(&shown(text, if is_terminal { width() } else { usize::MAX }))
    }

    /// Writes a line that a program reads. Control characters in it must be escaped.
    pub fn line(self, text: &str) -> Result<(), Failure> {
        self.put(&format!("{text}\n"))
    }

    /// Writes a document, such as a picture. A terminal gets it as text for people.
    pub fn document(self, text: &str) -> Result<(), Failure> {
        if stdout().is_terminal() { self.say(text) } else { self.line(text) }
    }

    /// Writes a question, and stays on its line.
    pub fn ask(self, text: &str) -> Result<(), Failure> {
        self.put(&shown(text, width()))
    }

    /// Writes as it is. A closed standard output means that the reader has read enough: the command
    /// ends without a failure.
    fn put(self, text: &str) -> Result<(), Failure> {
        let put = |out: &mut dyn Write| out.write_all(text.as_bytes()).and_then(|()| out.flush());
        match self {
            Self::Answer => match put(&mut stdout().lock()) {
                Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(Failure::read_enough()),
                result => Ok(result?),
            },
            // Without standard error there is no place to tell the failure.
            Self::Aside => put(&mut stderr().lock()).or(Ok(())),
        }
    }
}

/// A text for people as a terminal of some width may see it: commands as they are typed here, own
/// colours, nothing hidden.
pub fn shown(text: &str, columns: usize) -> String {
    let style = Style { seal: *SEAL, ..Style::PLAIN };
    fitted(&as_typed(&style.sealed(text)), columns)
}

/// Rings the bell, and sets the title of the window.
pub fn call(title: &str) {
    let title = crate::text::harmless(title).replace('\n', " ");
    // A terminal that is gone needs no call.
    let _ = Out::Answer.put(&format!("\x07\x1b]0;{title}\x07"));
}

/// A text with commands as they are typed here: `./play` starts this program under another name.
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
