//! Parses the lines that a player types: commands, numbers and orders.

use clap::ValueEnum as _;

use crate::commands::talk::{Subject, addressed};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LineCommand {
    Nothing,
    /// The number of a choice, and the words for its open slots.
    Pick(usize, Vec<String>),
    Order(String),
    /// A command without its values, and its complete forms.
    Incomplete(&'static str, &'static str),
    /// The topic: empty, `orders` or `all`.
    Help(String),
    /// The rule to show. Empty for the index of the rules.
    Rule(String),
    Why(u64),
    /// The receivers and the text of a message. Without receivers, the message is for all players.
    Say(Vec<String>, String),
    Inbox(String),
    /// The text of a chat line. Empty for the latest lines.
    Chat(String),
    /// The seat or player, and whether to mute it.
    Mute(String, bool),
    /// The number of a chat line to report, and a comment.
    Complain(u64, String),
    Map(String),
    Past(String),
    Phases,
    Chronicle(String),
    Export(String),
    Vote(Ballot),
    Resign,
    Rematch,
    Games,
    /// The turn of the report, or the name of a file for the report. Empty for the current turn.
    Report(String),
    Sheet,
    Drop(Vec<usize>),
    Clear,
    Read(String),
    Write(String),
    Svg(String),
    History(usize),
    List(String),
    Table,
    Ready(bool),
    Start(String),
    Verify,
    TakeBack,
    Quit,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ballot {
    List,
    /// A proposal, with the length of an extension or the player or seat to replace.
    Propose(Subject, String),
    Cast(u64, bool),
}

/// The start of each command, for completion. After a blank line, those of order sheets.
const COMPLETION: &str = include_str!("completion.txt");

/// Returns the commands that the player can complete.
pub(super) fn commands(with_sheets: bool) -> impl Iterator<Item = String> {
    let lines = COMPLETION.lines().take_while(move |line| with_sheets || !line.is_empty());
    lines.filter(|line| !line.is_empty()).map(str::to_owned)
}

/// Parses a line. A line that is not a command is an order.
pub(super) fn read(line: &str) -> LineCommand {
    let line = line.trim();
    if line.is_empty() {
        return LineCommand::Nothing;
    }
    let mut words = line.split_whitespace();
    if let Some(Ok(number)) = words.next().map(str::parse) {
        return LineCommand::Pick(number, words.map(str::to_owned).collect());
    }
    if let Some(rule) = line.strip_prefix('?') {
        return if rule.trim().is_empty() {
            LineCommand::Help(String::new())
        } else {
            LineCommand::Rule(rule.trim().to_owned())
        };
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let order = || LineCommand::Order(line.to_owned());
    match (word.to_lowercase().as_str(), rest) {
        ("help", topic) => LineCommand::Help(topic.to_lowercase()),
        ("rule", rule) => LineCommand::Rule(rule.to_owned()),
        ("rules", "") => LineCommand::Rule(String::new()),
        ("why", number) if number.parse::<u64>().is_ok() => {
            LineCommand::Why(number.parse().unwrap_or_default())
        }
        ("say", text) if !text.is_empty() => say(text),
        ("inbox" | "letters", who) => LineCommand::Inbox(who.to_owned()),
        ("chat", text) => LineCommand::Chat(text.to_owned()),
        ("mute", who) if !who.is_empty() => LineCommand::Mute(who.to_owned(), true),
        ("unmute", who) if !who.is_empty() => LineCommand::Mute(who.to_owned(), false),
        ("complain", text) if !text.is_empty() => complain(text).unwrap_or_else(order),
        ("map", part) if part.starts_with("turn ") => {
            LineCommand::Past(part["turn ".len()..].trim().to_owned())
        }
        ("phases", "") => LineCommand::Phases,
        ("chronicle", file) if !file.is_empty() => LineCommand::Chronicle(file.to_owned()),
        ("export", file) if !file.is_empty() => LineCommand::Export(file.to_owned()),
        ("vote" | "votes", text) => ballot(text).map_or_else(order, LineCommand::Vote),
        ("resign", "") => LineCommand::Resign,
        ("rematch", "") => LineCommand::Rematch,
        ("games", "") => LineCommand::Games,
        ("map", part) => LineCommand::Map(part.to_owned()),
        ("report", which) => LineCommand::Report(which.to_owned()),
        ("orders" | "sheet", "") => LineCommand::Sheet,
        ("drop", numbers) if !numbers.is_empty() => drop_lines(numbers, line),
        ("clear", "") => LineCommand::Clear,
        ("read", file) if !file.is_empty() => LineCommand::Read(file.to_owned()),
        ("write", file) if !file.is_empty() => LineCommand::Write(file.to_owned()),
        ("svg", file) if !file.is_empty() => LineCommand::Svg(file.to_owned()),
        ("history", count) => LineCommand::History(count.parse().unwrap_or(20)),
        ("list" | "more" | "options" | "choices", text) => LineCommand::List(text.to_owned()),
        ("table" | "game", "") => LineCommand::Table,
        ("ready", "") => LineCommand::Ready(true),
        ("unready", "") => LineCommand::Ready(false),
        ("start", level) => LineCommand::Start(level.to_owned()),
        ("verify", "") => LineCommand::Verify,
        ("take-back" | "undo", "") => LineCommand::TakeBack,
        ("quit" | "exit" | "q" | "bye", "") => LineCommand::Quit,
        (word, "") => incomplete(word).unwrap_or_else(order),
        _ => order(),
    }
}

/// The commands that need values, and their forms.
const INCOMPLETE: [(&str, &str); 11] = [
    ("say", "say TEXT` or `say @B,3 TEXT"),
    ("mute", "mute WHO"),
    ("unmute", "unmute WHO"),
    ("complain", "complain NUMBER TEXT"),
    ("drop", "drop NUMBER"),
    ("why", "why NUMBER"),
    ("read", "read FILE"),
    ("write", "write FILE"),
    ("svg", "svg FILE.svg"),
    ("chronicle", "chronicle FILE.html"),
    ("export", "export FILE"),
];

fn incomplete(word: &str) -> Option<LineCommand> {
    let (word, form) = INCOMPLETE.iter().find(|(known, _)| *known == word)?;
    Some(LineCommand::Incomplete(word, form))
}

/// Parses a vote: "vote draw" proposes, "vote yes 1" and "vote no 1" cast, "vote" lists. Returns
/// `None` for other text, which is an order.
fn ballot(text: &str) -> Option<Ballot> {
    let voice = |word: &str| match word {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    };
    let propose = |subject: &str, what: &str| {
        let subject = Subject::from_str(subject, true).ok()?;
        Some(Ballot::Propose(subject, what.to_owned()))
    };
    match text.split_whitespace().collect::<Vec<_>>()[..] {
        [] => Some(Ballot::List),
        [subject] => propose(subject, ""),
        [subject @ ("extend" | "replace"), what] => propose(subject, what),
        [word, number] => Some(Ballot::Cast(number.parse().ok()?, voice(word)?)),
        _ => None,
    }
}

/// Parses "drop 2 5". If a word is not a number, the line is an order.
fn drop_lines(numbers: &str, line: &str) -> LineCommand {
    let numbers: Result<Vec<usize>, _> =
        numbers.split([' ', ',']).filter(|word| !word.is_empty()).map(str::parse).collect();
    numbers.map_or_else(|_| LineCommand::Order(line.to_owned()), LineCommand::Drop)
}

/// Parses "3 he insults": the number of a line, and a comment.
fn complain(text: &str) -> Option<LineCommand> {
    let (number, comment) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    Some(LineCommand::Complain(number.parse().ok()?, comment.trim().to_owned()))
}

fn say(text: &str) -> LineCommand {
    let (receivers, text) = addressed(text);
    LineCommand::Say(receivers, text.to_owned())
}

/// The commands for the first game.
pub(super) const HELP: &str = include_str!("../help/commands.txt");

pub(super) const MORE_HELP: &str = include_str!("../help/more_commands.txt");

pub(super) const SHEET_HELP: &str = include_str!("../help/sheet_commands.txt");

#[cfg(test)]
mod tests {
    use super::*;

    /// Each row of the file is a line and the command that it means.
    #[test]
    fn lines_are_parsed() {
        for row in include_str!("lines.txt").lines() {
            let (line, command) = row.split_once(" => ").expect("a line and its command");
            assert_eq!(format!("{:?}", read(line)), command, "{line}");
        }
    }
}
