//! Maps, reports and help of each game, for the terminal and as files.
//!
//! A game adds its own in one place: a module beside [`starships`] with a type that is [`Drawing`], and one line in
//! [`drawing`] and [`notation`]. Games that are played by order sheets or by turn reports have one in
//! [`help`], [`lexicon`], [`sheet`], [`empty_sheet`], [`checked`] and [`past`] too; those whose
//! dice are worth telling at length have one in [`chronicle`]. How a game is cut
//! into chapters is said in [`story`].

use heliopause_proto::v1::{Event, Game, GameEvent, GameOrder, GameView, event, game_event, game_order, game_view};

use crate::style::{Ink, Style};
use crate::text::table;

pub mod aim;
pub mod canvas;
pub mod diplomacy;
pub mod document;
pub mod star_empires;
pub mod starships;
pub mod stellar_conquest;
pub mod story;
pub mod svg;

use aim::Aim;
use document::{Document, Section, Words};

/// A game as one viewer sees it, ready to be drawn.
pub trait Drawing {
    /// The map with everything that belongs to it, as lines for a terminal.
    fn text(&self, style: &Style) -> String;
    /// The map as a picture.
    fn svg(&self) -> String;
    /// The same, but only a part or a layer of the map; or why that cannot be had.
    fn aimed(&self, _aim: &Aim) -> Result<Box<dyn Drawing>, String> {
        Err("The map of this game is always shown whole.".into())
    }
    /// The turn report, if the game has one and the viewer gets it.
    fn report(&self) -> Option<Document> {
        None
    }
    /// What of the report is read first when a turn begins.
    fn bulletin(&self) -> Option<Document> {
        None
    }
    /// What must change before the map is worth drawing again by itself; none: it always is.
    fn scene(&self) -> Option<String> {
        None
    }
}

/// Tells some events at greater length than their sentences, for which it must remember earlier ones.
pub trait Chronicle: Send {
    /// What is told of an event instead of its sentence; none if the sentence will do.
    fn tell(&mut self, event: &GameEvent, style: &Style) -> Option<String>;
}

/// Completes what is being typed.
pub trait Lexicon: Send {
    /// Where the word begins that is completed, and what it may become.
    fn complete(&self, typed: &str) -> (usize, Vec<String>);
}

/// What became of the lines of an order sheet when it was sent, or would become of them.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// The headings of the rows.
    pub headings: Vec<&'static str>,
    /// A row a line.
    pub rows: Vec<Vec<Words>>,
    /// The lines that do not enter the sheet, from 0.
    pub rejected: Vec<usize>,
    /// How many enter, but may fail.
    pub warned: usize,
    /// How many enter without a remark.
    pub accepted: usize,
}

impl Checked {
    /// Whether any line has a remark.
    pub fn has_remarks(&self) -> bool {
        self.rows.iter().any(|row| is_remarked(row))
    }

    /// The rows with a remark as a table; `all` shows those without one too.
    pub fn rows_text(&self, style: &Style, all: bool) -> String {
        let rows = self.rows.iter().filter(|row| all || is_remarked(row));
        let rows: Vec<Vec<String>> = rows.map(|row| row.iter().map(|words| words.text(style)).collect()).collect();
        if rows.is_empty() { String::new() } else { table(style, &self.headings, &rows) }
    }

    /// The rows with a sum.
    pub fn text(&self, style: &Style, all: bool) -> String {
        let parts = [
            (self.accepted, "accepted", Ink::Good),
            (self.warned, "accepted with a warning", Ink::Notice),
            (self.rejected.len(), "rejected", Ink::Bad),
        ];
        let told = parts.iter().filter(|(number, ..)| *number > 0);
        let sum: Vec<String> = told.map(|(number, what, ink)| style.paint(format!("{number} {what}"), *ink)).collect();
        let sum = if sum.is_empty() { "The sheet is empty.".to_owned() } else { format!("{}.", sum.join(", ")) };
        let rows = self.rows_text(style, all);
        if rows.is_empty() { sum } else { format!("{rows}\n{sum}") }
    }
}

/// Whether a line has a remark: its last cell says why.
fn is_remarked(row: &[Words]) -> bool {
    row.last().is_some_and(|why| !why.is_empty())
}

/// The drawing of a view; none if this client has no map for the game.
pub fn drawing(view: &GameView, game: &Game) -> Option<Box<dyn Drawing>> {
    match view.game.as_ref()? {
        game_view::Game::StarshipsAtLarge(view) => Some(Box::new(starships::Map::new(view, game))),
        game_view::Game::StarEmpires(view) => Some(Box::new(star_empires::Map::new(view, game))),
        game_view::Game::Diplomacy(view) => Some(Box::new(diplomacy::Map::new(view, game, &[])?)),
        game_view::Game::StellarConquest(view) => Some(Box::new(stellar_conquest::Map::new(view, game)?)),
    }
}

/// The same with what became of the last orders, in games whose maps show that; `told` are the events that came last.
pub fn drawing_after(view: &GameView, game: &Game, told: &[Event]) -> Option<Box<dyn Drawing>> {
    let Some(game_view::Game::Diplomacy(own)) = &view.game else { return drawing(view, game) };
    let told: Vec<_> = told.iter().filter_map(of_diplomacy).collect();
    Some(Box::new(diplomacy::Map::new(own, game, &told)?))
}

/// The game in the JSON in which other programs keep such games; `told` are all events of spectators. None if there is no such
/// custom for this game.
pub fn saved_game(id: &str, view: &GameView, told: &[Event]) -> Option<serde_json::Value> {
    let Some(game_view::Game::Diplomacy(view)) = &view.game else { return None };
    diplomacy::saved_game(id, view, &told.iter().filter_map(of_diplomacy).collect::<Vec<_>>())
}

fn of_diplomacy(event: &Event) -> Option<heliopause_proto::diplomacy::v1::Event> {
    match &event.body {
        Some(event::Body::Game(GameEvent { game: Some(game_event::Game::Diplomacy(event)) })) => Some(event.clone()),
        _ => None,
    }
}

/// How many of the last events a map needs to show what became of orders; none in games whose maps show only what is.
pub fn remembered(view: &GameView) -> u64 {
    match &view.game {
        // Own orders are events too, a few for each unit if they are changed.
        Some(game_view::Game::Diplomacy(_)) => 120,
        _ => 0,
    }
}

/// What tells events at length from this view on; none in games whose sentences say all.
pub fn chronicle(view: &GameView, game: &Game) -> Option<Box<dyn Chronicle>> {
    match view.game.as_ref()? {
        game_view::Game::StellarConquest(view) => Some(stellar_conquest::chronicle(view, game)),
        game_view::Game::Diplomacy(view) => diplomacy::chronicle(view, game),
        _ => None,
    }
}

/// The seat whose answer the game needs in the middle of somebody's turn, if the game tells.
pub fn awaited(view: &GameView) -> Option<u32> {
    match view.game.as_ref()? {
        game_view::Game::StellarConquest(view) => stellar_conquest::awaited(view),
        _ => None,
    }
}

/// How orders are written in a kind of game, with examples; none if this client does not know the game.
pub fn notation(kind: &str) -> Option<&'static str> {
    match kind {
        "starships-at-large" => Some(starships::NOTATION),
        "star-empires" => Some(star_empires::NOTATION),
        "stellar-conquest" | "fate-of-empire" | "alone-in-outer-space" => Some(stellar_conquest::NOTATION),
        "diplomacy" => Some(diplomacy::NOTATION),
        "it-came-from-outer-space" => Some(diplomacy::NOTATION_IN_SPACE),
        _ => None,
    }
}

/// Help on one kind of order, or on a table; none if there is none.
pub fn help(kind: &str, word: &str) -> Option<String> {
    match kind {
        "star-empires" => star_empires::help(word),
        "stellar-conquest" | "fate-of-empire" | "alone-in-outer-space" => stellar_conquest::help(word),
        "diplomacy" | "it-came-from-outer-space" => diplomacy::help(word),
        _ => None,
    }
}

/// What completes orders for the viewer of this view; none where whole orders are listed.
pub fn lexicon(view: &GameView) -> Option<Box<dyn Lexicon>> {
    match view.game.as_ref()? {
        game_view::Game::StarEmpires(view) => star_empires::lexicon(view),
        game_view::Game::StellarConquest(view) => stellar_conquest::lexicon(view),
        game_view::Game::Diplomacy(view) => diplomacy::lexicon(view),
        game_view::Game::StarshipsAtLarge(_) => None,
    }
}

/// The lines of the viewer's order sheet, in games where one order holds all orders of a turn and replaces the earlier
/// ones; none in other games, and for viewers without a sheet.
pub fn sheet(view: &GameView) -> Option<Vec<String>> {
    match view.game.as_ref()? {
        game_view::Game::StarEmpires(view) => star_empires::sheet(view),
        game_view::Game::StellarConquest(view) => stellar_conquest::sheet(view),
        _ => None,
    }
}

/// The order that takes all orders off the sheet.
pub fn empty_sheet(view: &GameView) -> Option<GameOrder> {
    match view.game.as_ref()? {
        game_view::Game::StarEmpires(_) => {
            let order = game_order::Game::StarEmpires(star_empires::empty_sheet());
            Some(GameOrder { game: Some(order) })
        }
        game_view::Game::StellarConquest(view) => {
            let order = game_order::Game::StellarConquest(stellar_conquest::empty_sheet(view)?);
            Some(GameOrder { game: Some(order) })
        }
        _ => None,
    }
}

/// What an event tells of each line of a sheet, whose texts are these; none if it tells of something else.
pub fn checked(event: &GameEvent, lines: &[String]) -> Option<Checked> {
    match event.game.as_ref()? {
        game_event::Game::StarEmpires(event) => star_empires::checked(event, lines),
        _ => None,
    }
}

/// Whether a bulletin or a check tells what this event tells, so that its sentence would only repeat it.
pub fn is_told_elsewhere(event: &GameEvent) -> bool {
    match &event.game {
        Some(game_event::Game::StarEmpires(event)) => star_empires::is_told_elsewhere(event),
        Some(game_event::Game::StellarConquest(event)) => stellar_conquest::is_told_elsewhere(event),
        Some(game_event::Game::Diplomacy(event)) => diplomacy::is_told_elsewhere(event),
        _ => false,
    }
}

/// The view of an earlier turn, of now and of all that happened since; or why it cannot be had.
pub fn past(view: &GameView, events: &[Event], turn: u32) -> Result<GameView, String> {
    let now = match &view.game {
        Some(game_view::Game::StarEmpires(now)) => now,
        Some(game_view::Game::StellarConquest(now)) => {
            let past = stellar_conquest::past(now, events, turn)?;
            return Ok(GameView { game: Some(game_view::Game::StellarConquest(past)) });
        }
        _ => return Err("This game keeps no reports of earlier turns; `history` tells its events.".into()),
    };
    let own = |event: &Event| match &event.body {
        Some(event::Body::Game(GameEvent { game: Some(game_event::Game::StarEmpires(event)) })) => Some(event.clone()),
        _ => None,
    };
    let told: Vec<_> = events.iter().filter_map(own).collect();
    let past = star_empires::past(now, &told.iter().collect::<Vec<_>>(), turn)?;
    Ok(GameView { game: Some(game_view::Game::StarEmpires(past)) })
}

/// What the game master was told lately, as sections of their report; none for other viewers.
pub fn told_to_master(view: &GameView, events: &[Event]) -> Vec<Section> {
    let Some(game_view::Game::StarEmpires(view)) = &view.game else { return Vec::new() };
    let own = |event: &Event| match &event.body {
        Some(event::Body::Game(GameEvent { game: Some(game_event::Game::StarEmpires(told)) })) => {
            Some((told.clone(), event.text.clone()))
        }
        _ => None,
    };
    let told: Vec<_> = events.iter().filter_map(own).collect();
    star_empires::told_to_master(view, &told.iter().map(|(event, text)| (event, text.as_str())).collect::<Vec<_>>())
}

/// Whether this is the game master's view of a game in which they have a report.
pub fn is_masters(view: &GameView) -> bool {
    use heliopause_proto::star_empires::v1::view::Viewer;
    let Some(game_view::Game::StarEmpires(view)) = &view.game else { return false };
    matches!(view.viewer, Some(Viewer::Master(_)))
}

/// The seat that goes by this name in the game itself.
pub fn seat_named(view: &GameView, name: &str) -> Option<u32> {
    match view.game.as_ref()? {
        game_view::Game::StarEmpires(view) => star_empires::seat_named(view, name),
        game_view::Game::Diplomacy(view) => diplomacy::seat_named(view, name),
        _ => None,
    }
}

/// The lines of a text that hold orders, each with its number from 1; empty lines and comments hold none.
pub fn order_lines(text: &str) -> Vec<(usize, String)> {
    let bare = |line: &str| line.split('#').next().unwrap_or_default().trim().to_owned();
    (1..).zip(text.lines().map(bare)).filter(|(_, line)| !line.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_empty_lines_hold_no_orders() {
        let lines = order_lines("# turn 3\nMOVE a TO b # go\n\n  POOL x\n");
        assert_eq!(lines, [(2, "MOVE a TO b".to_owned()), (4, "POOL x".to_owned())]);
    }
}
