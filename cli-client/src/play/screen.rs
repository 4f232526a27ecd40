//! What the player sees: text, a prompt, a spinner while others think.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::input::{Input, Line};
use crate::style::{Ink, Style};
use crate::terminal::{self, Out, shown};

/// How many lines a menu has at least, if it has so many, and at most where nobody scrolls; and how
/// many stand beside it.
const MENU_MIN: usize = 10;
const MENU_MAX: usize = 32;
const BESIDE_MENU: usize = 5;

/// What the player sees, and what they type.
pub(super) struct Screen {
    /// How much the terminal can show.
    pub(super) style: Style,
    /// What the player types.
    pub(super) input: Input,
    spinner: Option<ProgressBar>,
    waiting: String,
}

impl Screen {
    /// A screen on standard output.
    pub(super) fn new(style: Style, input: Input) -> Self {
        Self { style, input, spinner: None, waiting: String::new() }
    }

    /// Whether a person is watching.
    pub(super) fn is_terminal(&self) -> bool {
        self.input.is_terminal()
    }

    /// Measures the terminal again; whether its width has changed.
    pub(super) fn measure(&mut self) -> bool {
        let width = terminal::width();
        std::mem::replace(&mut self.style.width, width) != width
    }

    /// How many lines a menu may have, so that what was asked stays in sight.
    pub(super) fn room(&self) -> usize {
        let rows = terminal::height().filter(|_| self.is_terminal());
        rows.map_or(MENU_MAX, |rows| rows.saturating_sub(BESIDE_MENU).max(MENU_MIN))
    }

    /// Calls a player who looked away: the bell, and the title of the window.
    pub(super) fn call(&self, title: &str) {
        if self.is_terminal() {
            terminal::call(title);
        }
    }

    /// Prints lines, above the prompt or the spinner if there is one.
    pub(super) fn print(&mut self, text: &str) {
        let text = &shown(text, self.style.width);
        // A terminal that is gone ends the session at the next line that is read.
        let _ = match &self.spinner {
            Some(spinner) => spinner.suspend(|| Out::Answer.line(text)),
            None if self.input.is_reading() && self.input.print(text) => Ok(()),
            None => Out::Answer.line(text),
        };
    }

    /// Shows that something is waited for: a spinner if nothing is being typed, else a line, told
    /// once.
    pub(super) fn wait_for(&mut self, what: &str) {
        if self.waiting == what {
            return;
        }
        what.clone_into(&mut self.waiting);
        if !self.is_terminal() || self.style.linear || self.input.is_reading() {
            let line = self.style.paint(what, Ink::Faint);
            return self.print(&line);
        }
        let spinner = self.spinner.get_or_insert_with(|| spinner(self.style.unicode));
        spinner.set_message(shown(what, usize::MAX));
    }

    /// Whether a person hears the screen, where nothing may turn.
    pub(super) fn is_read_aloud(&self) -> bool {
        self.is_terminal() && self.style.linear
    }

    /// Whether the spinner turns.
    pub(super) fn is_spinning(&self) -> bool {
        self.spinner.is_some()
    }

    /// Stops the spinner; what was waited for stands as a line if it still is.
    pub(super) fn stop_spinner(&mut self, still_waiting: bool) {
        let Some(spinner) = self.spinner.take() else { return };
        spinner.finish_and_clear();
        if still_waiting {
            let waiting = self.style.paint(&self.waiting, Ink::Faint);
            self.print(&waiting);
        }
    }

    /// Forgets what was waited for, since it came.
    pub(super) fn stop_waiting(&mut self) {
        self.stop_spinner(false);
        self.waiting.clear();
    }

    /// Asks for a line, if none is asked for yet.
    pub(super) fn prompt(&mut self, prompt: &str) {
        self.stop_spinner(true);
        self.input.ask(&shown(prompt, usize::MAX));
    }

    /// Asks a question and waits for the answer; none if the player leaves.
    pub(super) async fn question(&mut self, question: &str) -> Option<String> {
        self.prompt(question);
        match self.input.line().await {
            Line::Text(text) => Some(text),
            Line::Interrupted | Line::End => None,
        }
    }
}

fn spinner(unicode: bool) -> ProgressBar {
    let frames: &[&str] = if unicode {
        &["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏", " "]
    } else {
        &["|", "/", "-", "\\", " "]
    };
    let style = ProgressStyle::with_template("{spinner} {msg} ({elapsed})")
        .unwrap_or_else(|_| ProgressStyle::default_spinner());
    let spinner = ProgressBar::new_spinner().with_style(style.tick_strings(frames));
    spinner.enable_steady_tick(Duration::from_millis(100));
    spinner
}
