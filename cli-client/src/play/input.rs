//! Lines from the player: a terminal with history and completion, or a pipe.

use std::borrow::Cow;
use std::io::{BufRead as _, stdin};
use std::path::PathBuf;
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

/// What came from the player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A line.
    Text(String),
    /// Ctrl-C.
    Interrupted,
    /// The end of the input.
    End,
}

/// What can be completed: shared with the thread that reads.
type Words = Arc<Mutex<Vec<String>>>;

/// The player's side of the conversation. A thread of its own reads, one line whenever one is asked for, since reading
/// a terminal cannot be awaited.
pub(super) struct Input {
    terminal: bool,
    prompts: mpsc::Sender<String>,
    lines: UnboundedReceiver<Line>,
    reading: bool,
    printer: Option<Box<dyn ExternalPrinter + Send>>,
    words: Words,
}

impl Input {
    /// Reads from the terminal, with a history in this file; or from a pipe.
    pub(super) fn new(terminal: bool, history: PathBuf) -> Self {
        let (prompts, asked) = mpsc::channel();
        let (answers, lines) = unbounded_channel();
        let words = Words::default();
        let editor = if terminal { editor(&words, &history) } else { None };
        let mut input = Self { terminal: editor.is_some(), prompts, lines, reading: false, printer: None, words };
        match editor {
            Some(mut editor) => {
                input.printer = editor.create_external_printer().ok().map(|printer| Box::new(printer) as _);
                thread::spawn(move || read_terminal(&mut editor, &history, &asked, &answers));
            }
            None => {
                thread::spawn(move || read_pipe(&asked, &answers));
            }
        }
        input
    }

    /// Whether a person types.
    pub(super) fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// Whether a line is being read, so that a prompt stands on the screen.
    pub(super) fn is_reading(&self) -> bool {
        self.reading
    }

    /// Asks for a line, if none is asked for yet.
    pub(super) fn ask(&mut self, prompt: &str) {
        if !self.reading {
            self.reading = self.prompts.send(prompt.to_owned()).is_ok();
        }
    }

    /// The line that was asked for; waits for ever if none was. Cancelling it loses nothing.
    pub(super) async fn line(&mut self) -> Line {
        if !self.reading {
            std::future::pending::<()>().await;
        }
        let line = self.lines.recv().await.unwrap_or(Line::End);
        self.reading = false;
        line
    }

    /// Prints above the prompt; false if that is not possible.
    pub(super) fn print(&mut self, text: &str) -> bool {
        self.printer.as_mut().is_some_and(|printer| printer.print(format!("{text}\n")).is_ok())
    }

    /// Sets what the Tab key completes.
    pub(super) fn set_words(&self, words: Vec<String>) {
        *self.words.lock().unwrap_or_else(PoisonError::into_inner) = words;
    }
}

type TerminalEditor = Editor<Completions, FileHistory>;

fn editor(words: &Words, history: &PathBuf) -> Option<TerminalEditor> {
    let config = Config::builder().completion_type(CompletionType::List).auto_add_history(true).build();
    let mut editor = Editor::with_config(config).ok()?;
    editor.set_helper(Some(Completions(Arc::clone(words))));
    // The first time there is no history yet.
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
        let line = match editor.readline(&prompt) {
            Ok(text) => Line::Text(text.trim().to_owned()),
            Err(ReadlineError::Interrupted) => Line::Interrupted,
            Err(_) => Line::End,
        };
        // A history that cannot be kept is no reason to disturb the game.
        let _ = editor.save_history(history);
        if answers.send(line).is_err() {
            return;
        }
    }
}

fn read_pipe(asked: &mpsc::Receiver<String>, answers: &UnboundedSender<Line>) {
    while let Ok(prompt) = asked.recv() {
        let mut text = String::new();
        let line = match stdin().lock().read_line(&mut text) {
            Ok(0) | Err(_) => Line::End,
            Ok(_) => {
                // The transcript shows what was typed, as on a terminal.
                println!("{prompt}{}", text.trim());
                Line::Text(text.trim().to_owned())
            }
        };
        if answers.send(line).is_err() {
            return;
        }
    }
}

/// Completes whole lines: orders in the notation of the game, and the commands of the table.
struct Completions(Words);

impl Completer for Completions {
    type Candidate = String;

    fn complete(&self, line: &str, position: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = line[..position].to_lowercase();
        let words = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let fitting = words.iter().filter(|word| word.to_lowercase().starts_with(&typed)).cloned().collect();
        Ok((0, fitting))
    }
}

impl Highlighter for Completions {
    fn highlight_candidate<'c>(&self, candidate: &'c str, _: CompletionType) -> Cow<'c, str> {
        Cow::Borrowed(candidate)
    }
}

impl Hinter for Completions {
    type Hint = String;
}

impl Validator for Completions {}

impl Helper for Completions {}
