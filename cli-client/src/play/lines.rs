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
    /// The map again.
    Map,
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
pub(super) const COMMANDS: [&str; 16] = [
    "help", "? ", "why ", "say ", "inbox", "map", "svg ", "history", "list ", "table", "ready", "unready", "start",
    "verify", "quit", "exit",
];

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
        return if rule.trim().is_empty() { Wish::Help } else { Wish::Rule(rule.trim().to_owned()) };
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    match (word.to_lowercase().as_str(), rest) {
        ("help", _) => Wish::Help,
        ("rule", rule) if !rule.is_empty() => Wish::Rule(rule.to_owned()),
        ("why", number) if number.parse::<u64>().is_ok() => Wish::Why(number.parse().unwrap_or_default()),
        ("say", text) if !text.is_empty() => say(text),
        ("inbox", "") => Wish::Inbox,
        ("map", "") => Wish::Map,
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

/// "say hello" goes to all, "say @B,3 hello" to some.
fn say(text: &str) -> Wish {
    match text.strip_prefix('@').and_then(|text| text.split_once(char::is_whitespace)) {
        Some((receivers, text)) => Wish::Say(receivers.split(',').map(str::to_owned).collect(), text.trim().to_owned()),
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
        seat.number.to_string() == wanted || last_word == wanted || (!name.is_empty() && name == wanted)
    };
    game.seats.iter().find(is_meant).map(|seat| seat.number)
}

/// What can be typed at the table.
pub(super) const HELP: &str = "  12               take choice 12
  move A1 to (1,0) an order in the notation of the game, as `list` shows it
  list [TEXT]      the choices, or those that hold a text: list A1
  map, svg FILE    the map again, or as a picture in a file
  ? 4.2            the text of a rule
  why 12           why event 12 came out so
  history [N]      the latest events
  say TEXT         a message to all; say @B,3 TEXT to some
  inbox            your messages
  table            who sits where, and the deadline
  ready, unready   mark your orders, where they can still be changed
  start [LEVEL]    start a game that you made; automation takes open seats
  verify           prove the chain and the rolls of this game
  quit             leave; the game waits for you

There is no undo: what is ordered is done.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        assert_eq!(read(" 3 "), Wish::Pick(3));
        assert_eq!(read("? 4.2"), Wish::Rule("4.2".into()));
        assert_eq!(read("?"), Wish::Help);
        assert_eq!(read("why 12"), Wish::Why(12));
        assert_eq!(read("say @B,3 hi there"), Wish::Say(vec!["B".into(), "3".into()], "hi there".into()));
        assert_eq!(read("say hi"), Wish::Say(Vec::new(), "hi".into()));
        assert_eq!(read("list A1"), Wish::List("A1".into()));
        assert_eq!(read("QUIT"), Wish::Quit);
        assert_eq!(read(""), Wish::Nothing);
    }

    #[test]
    fn the_rest_is_an_order() {
        for order in ["move A1 to (1,0)", "end", "hold fire", "why not", "say"] {
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
        let game = Game { seats: vec![seat(1, "Player A", "Ann"), seat(2, "Player B", "")], ..Game::default() };
        assert_eq!(find_seat(&game, "2"), Some(2));
        assert_eq!(find_seat(&game, "b"), Some(2));
        assert_eq!(find_seat(&game, "ann"), Some(1));
        assert_eq!(find_seat(&game, ""), None);
    }
}
