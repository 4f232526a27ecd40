//! Input lines from a terminal, with history and completion, or from a pipe.

use std::borrow::Cow;
use std::io::{BufRead as _, stdin};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, ExternalPrinter, Helper};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::render::Lexicon;
use crate::terminal::Out;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    Text(String),
    Interrupted,
    End,
}

#[derive(Default)]
pub(super) struct CompletionWords {
    pub(super) lines: Vec<String>,
    pub(super) lexicon: Option<Box<dyn Lexicon>>,
}

#[derive(Default)]
struct EditorHelper {
    words: Words,
    typed: AtomicBool,
}

impl CompletionWords {
    fn complete(&self, typed: &str) -> (usize, Vec<String>) {
        let start = typed.to_lowercase();
        let lines =
            self.lines.iter().filter(|line| line.to_lowercase().starts_with(&start)).cloned();
        let Some(lexicon) = &self.lexicon else { return (0, lines.collect()) };
        let (at, words) = lexicon.complete(typed);
        let words = words.into_iter().map(|word| format!("{word} "));
        if at == 0 { (0, words.chain(lines).collect()) } else { (at, words.collect()) }
    }
}

type Words = Arc<Mutex<CompletionWords>>;

/// The player's input, read by a separate thread, because a terminal cannot be awaited.
pub(super) struct Input {
    terminal: bool,
    prompts: mpsc::Sender<String>,
    lines: UnboundedReceiver<Line>,
    reading: bool,
    printer: Option<Box<dyn ExternalPrinter + Send>>,
    words: Words,
}

impl Input {
    pub(super) fn new(terminal: bool, history: PathBuf) -> Self {
        let (prompts, asked) = mpsc::channel();
        let (answers, lines) = unbounded_channel();
        let words = Words::default();
        let editor = if terminal { editor(&words, &history) } else { None };
        let mut input = Self {
            terminal: editor.is_some(),
            prompts,
            lines,
            reading: false,
            printer: None,
            words,
        };
        match editor {
            Some(mut editor) => {
                input.printer =
                    editor.create_external_printer().ok().map(|printer| Box::new(printer) as _);
                thread::spawn(move || read_terminal(&mut editor, &history, &asked, &answers));
            }
            None => {
                thread::spawn(move || read_pipe(&asked, &answers));
            }
        }
        input
    }

    pub(super) fn is_terminal(&self) -> bool {
        self.terminal
    }

    pub(super) fn is_reading(&self) -> bool {
        self.reading
    }

    pub(super) fn ask(&mut self, prompt: &str) {
        if !self.reading {
            self.reading = self.prompts.send(prompt.to_owned()).is_ok();
        }
    }

    /// Returns the requested line. Without a request, waits without limit. Cancel safe.
    pub(super) async fn line(&mut self) -> Line {
        if !self.reading {
            std::future::pending::<()>().await;
        }
        let line = self.lines.recv().await.unwrap_or(Line::End);
        self.reading = false;
        line
    }

    /// Prints text above the prompt. Returns false if that is not possible.
    pub(super) fn print(&mut self, text: &str) -> bool {
        self.printer.as_mut().is_some_and(|printer| printer.print(format!("{text}\n")).is_ok())
    }

    pub(super) fn set_words(&self, words: CompletionWords) {
        *self.words.lock().unwrap_or_else(PoisonError::into_inner) = words;
    }
}

type TerminalEditor = Editor<EditorHelper, FileHistory>;

fn editor(words: &Words, history: &PathBuf) -> Option<TerminalEditor> {
    let config =
        Config::builder().completion_type(CompletionType::List).auto_add_history(true).build();
    let mut editor = Editor::with_config(config).ok()?;
    editor
        .set_helper(Some(EditorHelper { words: Arc::clone(words), typed: AtomicBool::new(false) }));
    let _ = editor.load_history(history);
    Some(editor)
}

fn read_terminal(
    editor: &mut TerminalEditor,
    history: &PathBuf,
    asked: &mpsc::Receiver<String>,
    answers: &UnboundedSender<Line>,
) {
    while let Ok(prompt) = asked.recv() {
        let line = loop {
            break match editor.readline(&prompt) {
                Ok(text) => Line::Text(text.trim().to_owned()),
                // Ctrl-C clears a line with text. On an empty line, it leaves the game.
                Err(ReadlineError::Interrupted) if has_typed(editor) => continue,
                Err(ReadlineError::Interrupted) => Line::Interrupted,
                Err(_) => Line::End,
            };
        };
        // Failure to save the history must not interrupt the game.
        let _ = editor.save_history(history);
        if answers.send(line).is_err() {
            return;
        }
    }
}

fn has_typed(editor: &TerminalEditor) -> bool {
    editor.helper().is_some_and(|helper| helper.typed.swap(false, Relaxed))
}

fn read_pipe(asked: &mpsc::Receiver<String>, answers: &UnboundedSender<Line>) {
    while let Ok(prompt) = asked.recv() {
        let mut text = String::new();
        let line = match stdin().lock().read_line(&mut text) {
            Ok(0) | Err(_) => Line::End,
            Ok(_) => {
                // Echo the line, so that a transcript shows it as a terminal would.
                let _ = Out::Stdout.line(&format!("{prompt}{}", text.trim()));
                Line::Text(text.trim().to_owned())
            }
        };
        if answers.send(line).is_err() {
            return;
        }
    }
}

impl Completer for EditorHelper {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.words.lock().unwrap_or_else(PoisonError::into_inner).complete(&line[..position]))
    }
}

impl Highlighter for EditorHelper {
    fn highlight_candidate<'c>(&self, candidate: &'c str, _: CompletionType) -> Cow<'c, str> {
        Cow::Borrowed(candidate)
    }
}

impl Hinter for EditorHelper {
    type Hint = String;

    /// Records whether the line has text. The editor calls this on every change.
    fn hint(&self, line: &str, _: usize, _: &Context<'_>) -> Option<String> {
        self.typed.store(!line.is_empty(), Relaxed);
        None
    }
}

impl Validator for EditorHelper {}

impl Helper for EditorHelper {}

#[cfg(test)]
mod tests {
    use super::*;

    struct Two;

    impl Lexicon for Two {
        fn complete(&self, typed: &str) -> (usize, Vec<String>) {
            typed.rfind(' ').map_or((0, vec!["MOVE".into()]), |at| (at + 1, vec!["Lion".into()]))
        }
    }

    #[test]
    fn lines_are_completed_whole_and_orders_by_word() {
        let mut words = CompletionWords { lines: vec!["map".into(), "say ".into()], lexicon: None };
        assert_eq!(words.complete("M"), (0, vec!["map".to_owned()]));
        words.lexicon = Some(Box::new(Two));
        assert_eq!(words.complete("m"), (0, vec!["MOVE ".to_owned(), "map".to_owned()]));
        assert_eq!(words.complete("MOVE L"), (5, vec!["Lion ".to_owned()]));
    }
}
