//! Screen output: text, a prompt, a spinner while waiting.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::input::{Input, Line};
use crate::style::{Ink, Style};
use crate::terminal::{self, Out, shown};

const MENU_MIN: usize = 8;
const MENU_MAX: usize = 32;

pub(super) struct Screen {
    pub(super) style: Style,
    pub(super) input: Input,
    spinner: Option<ProgressBar>,
    waiting: String,
}

impl Screen {
    pub(super) fn new(style: Style, input: Input) -> Self {
        Self { style, input, spinner: None, waiting: String::new() }
    }

    pub(super) fn is_terminal(&self) -> bool {
        self.input.is_terminal()
    }

    pub(super) fn measure(&mut self) -> bool {
        let width = terminal::width();
        std::mem::replace(&mut self.style.width, width) != width
    }

    /// Returns the number of lines of the terminal, or `None` if there is none.
    pub(super) fn rows(&self) -> Option<usize> {
        terminal::height().filter(|_| self.is_terminal() && !self.style.linear)
    }

    /// Returns the maximum number of lines of a menu. Leaves half of the screen to the map.
    pub(super) fn menu_lines(&self) -> usize {
        self.rows().map_or(MENU_MAX, |rows| (rows / 2).saturating_sub(2).max(MENU_MIN))
    }

    pub(super) fn alert(&self, title: &str) {
        if self.is_terminal() {
            terminal::alert(title);
        }
    }

    pub(super) fn print(&mut self, text: &str) {
        let text = &shown(text, self.style.width);
        // If the terminal is gone, the session ends when the next line is read.
        let _ = match &self.spinner {
            Some(spinner) => spinner.suspend(|| Out::Stdout.line(text)),
            None if self.input.is_reading() && self.input.print(text) => Ok(()),
            None => Out::Stdout.line(text),
        };
    }

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

    pub(super) fn uses_screen_reader(&self) -> bool {
        self.is_terminal() && self.style.linear
    }

    pub(super) fn is_spinning(&self) -> bool {
        self.spinner.is_some()
    }

    pub(super) fn stop_spinner(&mut self, still_waiting: bool) {
        let Some(spinner) = self.spinner.take() else { return };
        spinner.finish_and_clear();
        if still_waiting {
            let waiting = self.style.paint(&self.waiting, Ink::Faint);
            self.print(&waiting);
        }
    }

    pub(super) fn stop_waiting(&mut self) {
        self.stop_spinner(false);
        self.waiting.clear();
    }

    pub(super) fn prompt(&mut self, prompt: &str) {
        self.stop_spinner(true);
        self.input.ask(&shown(prompt, usize::MAX));
    }

    /// Asks a question and returns the answer, or `None` if the player leaves.
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
