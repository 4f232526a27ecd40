//! What a typed line means.

use clap::ValueEnum as _;

use crate::commands::talk::{Subject, addressed};

/// What the player wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// An empty line: show again what is asked.
    Nothing,
    /// The choice with this number, its blanks filled with these words.
    Pick(usize, Vec<String>),
    /// Orders in the notation of the game.
    Order(String),
    /// How to play: in general, or how orders are written.
    Help,
    /// The text of a rule; the index of the rules if empty.
    Rule(String),
    /// Why something happened.
    Why(u64),
    /// A message, to these receivers (empty: all).
    Say(Vec<String>, String),
    /// The letters: of all, or those with one player.
    Inbox(String),
    /// The map again, or a part of it.
    Map(String),
    /// The map when an earlier turn had ended.
    Past(String),
    /// The phases so far.
    Phases,
    /// The game told as a story, into a file.
    Chronicle(String),
    /// The journal of the game, into a file.
    Export(String),
    /// A vote.
    Vote(Ballot),
    /// Give the seat up.
    Resign,
    /// The same game again.
    Rematch,
    /// The player's games.
    Games,
    /// The turn report: of this turn, of an earlier one, or as a page in a file.
    Report(String),
    /// The stored order sheet.
    Sheet,
    /// Lines off the order sheet.
    Drop(Vec<usize>),
    /// All orders off the sheet.
    Clear,
    /// The sheet of a file instead of the stored one.
    Read(String),
    /// The stored sheet into a file.
    Write(String),
    /// The map as a picture in a file.
    Svg(String),
    /// The latest events.
    History(usize),
    /// The choices that hold a text; all if it is empty.
    List(String),
    /// The seats and the pace.
    Table,
    /// Ready, or not.
    Ready(bool),
    /// Start the game, with automation of this level in open seats.
    Start(String),
    /// Prove the game.
    Verify,
    /// Take back the orders of the open phase.
    TakeBack,
    /// Leave the table.
    Quit,
}

/// What a player does about votes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ballot {
    /// See them.
    List,
    /// Propose one; by how much, or whom it concerns.
    Propose(Subject, String),
    /// Vote on the one with this number.
    Cast(u64, bool),
}

/// The words that begin a line, for completion and help.
pub(super) const COMMANDS: [&str; 29] = [
    "help",
    "? ",
    "why ",
    "say ",
    "inbox",
    "map",
    "map turn ",
    "svg ",
    "history",
    "list ",
    "report",
    "phases",
    "chronicle ",
    "table",
    "games",
    "ready",
    "unready",
    "take-back",
    "start",
    "vote draw",
    "vote pause",
    "vote resume",
    "votes",
    "resign",
    "rematch",
    "export ",
    "verify",
    "quit",
    "exit",
];

/// Those of games with order sheets and turn reports.
pub(super) const SHEET_COMMANDS: [&str; 5] = ["orders", "drop ", "clear", "read ", "write "];

/// Reads a line. What is none of the table's own words is an order.
pub(super) fn read(line: &str) -> Wish {
    let line = line.trim();
    if line.is_empty() {
        return Wish::Nothing;
    }
    let mut words = line.split_whitespace();
    if let Some(Ok(number)) = words.next().map(str::parse) {
        return Wish::Pick(number, words.map(str::to_owned).collect());
    }
    if let Some(rule) = line.strip_prefix('?') {
        return if rule.trim().is_empty() {
            Wish::Help
        } else {
            Wish::Rule(rule.trim().to_owned())
        };
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let order = || Wish::Order(line.to_owned());
    match (word.to_lowercase().as_str(), rest) {
        ("help", _) => Wish::Help,
        ("rule", rule) => Wish::Rule(rule.to_owned()),
        ("rules", "") => Wish::Rule(String::new()),
        ("why", number) if number.parse::<u64>().is_ok() => {
            Wish::Why(number.parse().unwrap_or_default())
        }
        ("say", text) if !text.is_empty() => say(text),
        ("inbox" | "letters", who) => Wish::Inbox(who.to_owned()),
        ("map", part) if part.starts_with("turn ") => {
            Wish::Past(part["turn ".len()..].trim().to_owned())
        }
        ("phases", "") => Wish::Phases,
        ("chronicle", file) if !file.is_empty() => Wish::Chronicle(file.to_owned()),
        ("export", file) if !file.is_empty() => Wish::Export(file.to_owned()),
        ("vote" | "votes", text) => ballot(text).map_or_else(order, Wish::Vote),
        ("resign", "") => Wish::Resign,
        ("rematch", "") => Wish::Rematch,
        ("games", "") => Wish::Games,
        ("map", part) => Wish::Map(part.to_owned()),
        ("report", which) => Wish::Report(which.to_owned()),
        ("orders" | "sheet", "") => Wish::Sheet,
        ("drop", numbers) if !numbers.is_empty() => drop_lines(numbers, line),
        ("clear", "") => Wish::Clear,
        ("read", file) if !file.is_empty() => Wish::Read(file.to_owned()),
        ("write", file) if !file.is_empty() => Wish::Write(file.to_owned()),
        ("svg", file) if !file.is_empty() => Wish::Svg(file.to_owned()),
        ("history", count) => Wish::History(count.parse().unwrap_or(20)),
        ("list" | "more" | "options" | "choices", text) => Wish::List(text.to_owned()),
        ("table" | "game", "") => Wish::Table,
        ("ready", "") => Wish::Ready(true),
        ("unready", "") => Wish::Ready(false),
        ("start", level) => Wish::Start(level.to_owned()),
        ("verify", "") => Wish::Verify,
        ("take-back" | "undo", "") => Wish::TakeBack,
        ("quit" | "exit" | "q" | "bye", "") => Wish::Quit,
        _ => order(),
    }
}

/// "vote draw" proposes, "vote yes 1" and "vote no 1" vote; "vote" alone lists.
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

/// "drop 2 5" takes two lines off the sheet; with anything but numbers it is no command.
fn drop_lines(numbers: &str, line: &str) -> Wish {
    let numbers: Result<Vec<usize>, _> =
        numbers.split([' ', ',']).filter(|word| !word.is_empty()).map(str::parse).collect();
    numbers.map_or_else(|_| Wish::Order(line.to_owned()), Wish::Drop)
}

/// "say hello" goes to all, "say @B,3 hello" to some.
fn say(text: &str) -> Wish {
    let (receivers, text) = addressed(text);
    Wish::Say(receivers, text.to_owned())
}

/// What can be typed at the table.
pub(super) const HELP: &str = "  12               take choice 12; 12 5 fills its blank with 5
  move A1 to (1,0) an order in the notation of the game, as `list` shows it
  list [TEXT]      the choices, or those that hold a text: list A1
  map, svg FILE    the map again, or as a picture in a file
  map Ember        the map around a place; map turn 3 when turn 3 had ended
  ? 4.2, ? MOVE    the text of a rule; in some games help on an order
  rules            the numbers and headings of all rules
  why 12           why event 12 came out so
  history [N]      the latest events; phases lists the phases so far
  report [TURN]    the turn report, in games that have one
  report FILE.html the same as a page with the map in it
  chronicle FILE.html  the game so far: one map, a slider over the phases
  say TEXT         a letter to all; say @B,3 TEXT to some (seats, letters, names)
  inbox [WHO]      your letters, or those with one player
  table, games     who sits where, and the deadline; all your games
  ready, unready   mark your orders, where they can still be changed
  take-back        take back your orders of this phase, where it can still be done
  start [LEVEL]    start a game that you made; automation takes open seats
  vote draw        propose to end it as a draw; vote yes 1, vote no 1, votes
  vote extend 2d   propose a later deadline; vote replace NAME, pause, resume, cancel
  resign           give your seat up; after the end rematch plays the game again
  export FILE      the journal of the game; all of it once the game is over
  verify           prove that the journal of this game is unchanged
  quit             leave; the game waits for you";

/// What can be typed besides in games with order sheets and turn reports.
pub(super) const SHEET_HELP: &str =
    "  POOL Alpha       a line for your order sheet: it is checked, and stored unless it is
                   rejected; a warning says what is missing so far
  orders           the stored sheet; drop 2 5 takes lines off it, clear all of them
  read FILE        replace the sheet by that of a file; write FILE keeps it in one
  map Ember 3      the map around a place, so far
  map layer:scans  one layer of the map, where it has some: owners, ships, scans, storms, portals
  Tab              completes orders and names

Until the turn closes you may change the sheet; `ready` says that you are done.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        assert_eq!(read(" 3 "), Wish::Pick(3, Vec::new()));
        assert_eq!(read("3 5 Mars"), Wish::Pick(3, vec!["5".into(), "Mars".into()]));
        assert_eq!(read("map turn fall 1901"), Wish::Past("fall 1901".into()));
        assert_eq!(read("inbox B"), Wish::Inbox("B".into()));
        assert_eq!(read("votes"), Wish::Vote(Ballot::List));
        assert_eq!(read("vote Draw"), Wish::Vote(Ballot::Propose(Subject::Draw, String::new())));
        let extend = Ballot::Propose(Subject::Extend, "2d".to_owned());
        assert_eq!(read("vote extend 2d"), Wish::Vote(extend));
        assert_eq!(read("vote no 2"), Wish::Vote(Ballot::Cast(2, false)));
        assert_eq!(read("? 4.2"), Wish::Rule("4.2".into()));
        assert_eq!(read("rules"), Wish::Rule(String::new()));
        assert_eq!(read("rule"), Wish::Rule(String::new()));
        assert_eq!(read("?"), Wish::Help);
        assert_eq!(read("why 12"), Wish::Why(12));
        assert_eq!(
            read("say @B,3 hi there"),
            Wish::Say(vec!["B".into(), "3".into()], "hi there".into())
        );
        assert_eq!(read("say hi"), Wish::Say(Vec::new(), "hi".into()));
        assert_eq!(read("list A1"), Wish::List("A1".into()));
        assert_eq!(read("map Ember 3"), Wish::Map("Ember 3".into()));
        assert_eq!(read("drop 2, 5"), Wish::Drop(vec![2, 5]));
        assert_eq!(read("report 3"), Wish::Report("3".into()));
        assert_eq!(read("QUIT"), Wish::Quit);
        assert_eq!(read(""), Wish::Nothing);
    }

    #[test]
    fn the_rest_is_an_order() {
        for order in [
            "move A1 to (1,0)",
            "end",
            "drop zone",
            "LOAD Hawk1 ONTO Mule",
            "hold fire",
            "why not",
            "say",
            "vote no",
            "vote maybe 2",
        ] {
            assert_eq!(read(order), Wish::Order(order.into()));
        }
    }
}
