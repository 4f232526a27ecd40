//! What a typed line means.

use heliopause_proto::v1::{Game, Seat, seat};

/// What the player wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// An empty line: show again what is asked.
    Nothing,
    /// The choice with this number.
    Pick(usize),
    /// Orders in the notation of the game.
    Order(String),
    /// How to play: in general, or how orders are written.
    Help,
    /// The text of a rule.
    Rule(String),
    /// Why something happened.
    Why(u64),
    /// A message, to these receivers (empty: all).
    Say(Vec<String>, String),
    /// The messages so far.
    Inbox,
    /// The map again, or a part of it.
    Map(String),
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
    /// There is none.
    Undo,
    /// Leave the table.
    Quit,
}

/// The words that begin a line, for completion and help.
pub(super) const COMMANDS: [&str; 17] = [
    "help", "? ", "why ", "say ", "inbox", "map", "svg ", "history", "list ", "report", "table",
    "ready", "unready", "start", "verify", "quit", "exit",
];

/// Those of games with order sheets and turn reports.
pub(super) const SHEET_COMMANDS: [&str; 5] = ["orders", "drop ", "clear", "read ", "write "];

/// Reads a line. What is none of the table's own words is an order.
pub(super) fn read(line: &str) -> Wish {
    let line = line.trim();
    if line.is_empty() {
        return Wish::Nothing;
    }
    if let Ok(number) = line.parse() {
        return Wish::Pick(number);
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
    match (word.to_lowercase().as_str(), rest) {
        ("help", _) => Wish::Help,
        ("rule", rule) if !rule.is_empty() => Wish::Rule(rule.to_owned()),
        ("why", number) if number.parse::<u64>().is_ok() => {
            Wish::Why(number.parse().unwrap_or_default())
        }
        ("say", text) if !text.is_empty() => say(text),
        ("inbox", "") => Wish::Inbox,
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
        ("undo", "") => Wish::Undo,
        ("quit" | "exit" | "q" | "bye", "") => Wish::Quit,
        _ => Wish::Order(line.to_owned()),
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
    match text.strip_prefix('@').and_then(|text| text.split_once(char::is_whitespace)) {
        Some((receivers, text)) => {
            Wish::Say(receivers.split(',').map(str::to_owned).collect(), text.trim().to_owned())
        }
        None => Wish::Say(Vec::new(), text.to_owned()),
    }
}

/// The seat that a player means: its number, its letter, or the name of who sits there.
pub(super) fn find_seat(game: &Game, text: &str) -> Option<u32> {
    let wanted = text.to_lowercase();
    let is_meant = |seat: &&Seat| {
        let last_word = seat.role.split_whitespace().last().unwrap_or_default().to_lowercase();
        let name = match &seat.occupant {
            Some(seat::Occupant::Player(name)) => name.to_lowercase(),
            _ => String::new(),
        };
        seat.number.to_string() == wanted
            || last_word == wanted
            || (!name.is_empty() && name == wanted)
    };
    game.seats.iter().find(is_meant).map(|seat| seat.number)
}

/// What can be typed at the table.
pub(super) const HELP: &str = "  12               take choice 12
  move A1 to (1,0) an order in the notation of the game, as `list` shows it
  list [TEXT]      the choices, or those that hold a text: list A1
  map, svg FILE    the map again, or as a picture in a file
  ? 4.2, ? MOVE    the text of a rule; in some games help on an order
  why 12           why event 12 came out so
  history [N]      the latest events
  report           the turn report or record sheet, in games that have one; report FILE.html writes a page
  say TEXT         a message to all; say @B,3 TEXT to some (seats, letters, names)
  inbox            your messages
  table            who sits where, and the deadline
  ready, unready   mark your orders, where they can still be changed
  start [LEVEL]    start a game that you made; automation takes open seats
  verify           prove the chain and the rolls of this game
  quit             leave; the game waits for you";

/// Said of games without order sheets.
pub(super) const NO_UNDO: &str =
    "What is ordered is done, unless the choices offer to take it back.";

/// What can be typed besides in games with order sheets and turn reports.
pub(super) const SHEET_HELP: &str =
    "  POOL Alpha       a line for your order sheet; it is checked, and stored at once if it passes
  orders           the stored sheet; drop 2 5 takes lines off it, clear all of them
  read FILE        replace the sheet by that of a file; write FILE keeps it in one
  report [TURN]    the turn report; report FILE.html writes a page with the map in it
  map Ember 3      the map around a place, so far; map layer:scans shows one layer:
                   owners, ships, scans, storms, portals
  Tab              completes orders and names

Until the turn closes you may change the sheet; `ready` says that you are done.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        assert_eq!(read(" 3 "), Wish::Pick(3));
        assert_eq!(read("? 4.2"), Wish::Rule("4.2".into()));
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
        ] {
            assert_eq!(read(order), Wish::Order(order.into()));
        }
    }

    #[test]
    fn a_seat_goes_by_number_letter_or_name() {
        let seat = |number, role: &str, name: &str| Seat {
            number,
            role: role.into(),
            occupant: Some(seat::Occupant::Player(name.into())),
            ..Seat::default()
        };
        let game = Game {
            seats: vec![seat(1, "Player A", "Ann"), seat(2, "Player B", "")],
            ..Game::default()
        };
        assert_eq!(find_seat(&game, "2"), Some(2));
        assert_eq!(find_seat(&game, "b"), Some(2));
        assert_eq!(find_seat(&game, "ann"), Some(1));
        assert_eq!(find_seat(&game, ""), None);
    }
}
