//! How games look and are told: maps, reports, stories and help, for terminals and as files.
//!
//! A game adds its own in a module beside [`starships`], as an implementation of [`Renderer`] for
//! the type of its rules. Which games there are the table knows.
//!
//! **Invariant.** Everything here is made of a view, and of events that its viewer was told: a
//! picture cannot show what its viewer may not know. Nothing here asks an engine, reads a clock but
//! for countdowns, or writes a file.

use heliopause_games::{Enveloped, games};
use heliopause_kernel::{Seat, Wire as _};
use heliopause_proto::v1::{
    Event, Game, GameEvent, GameOptions, GameOrder, GameView, LineVerdict, event, game_event,
    game_options, game_order, game_view,
};
use heliopause_table::registry;

pub mod aim;
pub mod canvas;
pub mod diplomacy;
pub mod document;
pub mod replay;
pub mod slingshot;
pub mod star_empires;
pub mod starships;
pub mod stellar_conquest;
pub mod story;
pub mod style;
pub mod svg;
pub mod text;
pub mod wording;

use aim::Aim;
use document::{Document, Section, Tone, Words};
use style::{Ink, Style};
use svg::{Look, Picture, Theme};
use text::table;

/// A game as one viewer sees it, ready to be drawn.
pub trait Drawing {
    /// The map with everything that belongs to it, as lines for a terminal.
    fn text(&self, style: &Style) -> String;
    /// The same as sentences, a place a line: for who hears the map instead of seeing it.
    fn list(&self) -> Vec<String>;
    /// The map as it is written in a style: drawn where it fits, or else told.
    fn written(&self, style: &Style) -> String {
        let drawn = (!style.linear).then(|| self.text(style));
        let fits = |text: &String| text.lines().all(|line| text::width(line) <= style.width);
        if let Some(text) = drawn.filter(fits) {
            return text;
        }
        let lines = self.list();
        lines.iter().map(|line| text::wrap(line, style.width, 2)).collect::<Vec<_>>().join("\n")
    }
    /// The map as a picture.
    fn picture(&self, theme: Theme) -> Picture;
    /// The same as an SVG document.
    fn svg(&self, look: &Look) -> String {
        self.picture(look.theme).document(&look.hidden)
    }
    /// The same, but only a part or a layer of the map; or why that cannot be had.
    fn aimed(&self, _aim: &Aim) -> Result<Box<dyn Drawing>, String> {
        Err("The map of this game is always shown whole.".into())
    }
    /// Whether a picture shows a part of the map where one is asked for; text always does.
    fn cuts_pictures(&self) -> bool {
        false
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

/// Tells some events at greater length than their sentences, for which it must remember earlier
/// ones. A game's own gets the events of that game.
pub trait Chronicle<E = GameEvent>: Send {
    /// What is told of an event instead of its sentence; none if the sentence will do.
    fn tell(&mut self, event: &E, style: &Style) -> Option<String>;
}

/// A game's own chronicle, for whoever has messages.
struct Reading<G: Renderer>(Box<dyn Chronicle<G::Event>>);

impl<G: Renderer> Chronicle for Reading<G> {
    fn tell(&mut self, event: &GameEvent, style: &Style) -> Option<String> {
        self.0.tell(&own_event::<G>(event)?, style)
    }
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
        let rows: Vec<Vec<String>> =
            rows.map(|row| row.iter().map(|words| words.text(style)).collect()).collect();
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
        let sum: Vec<String> =
            told.map(|(number, what, ink)| style.paint(format!("{number} {what}"), *ink)).collect();
        let sum = if sum.is_empty() {
            "The sheet is empty.".to_owned()
        } else {
            format!("{}.", sum.join(", "))
        };
        let rows = self.rows_text(style, all);
        if rows.is_empty() { sum } else { format!("{rows}\n{sum}") }
    }
}

/// Whether a line has a remark: its last cell says why.
fn is_remarked(row: &[Words]) -> bool {
    row.last().is_some_and(|why| !why.is_empty())
}

/// What a game adds of its own: how its views are drawn, and how its orders and events are written
/// and told. All but the first two may stay as they are.
///
/// Views, events and orders are those of the rules: messages are read before a renderer is asked,
/// and written after it.
pub trait Renderer: Enveloped {
    /// How many of the last events a map needs to show what became of orders; none where maps show
    /// only what is.
    const REMEMBERED: u64 = 0;

    /// The drawing of a view; `told` are the last events, for what became of orders.
    fn drawing(view: &Self::View, game: &Game, told: &[Self::Event]) -> Box<dyn Drawing>;
    /// How orders are written in a kind of this game, with examples.
    fn notation(kind: &str) -> &'static str;

    /// How important an event is in the story of a game; none if the story does without it.
    fn weighs(event: &Self::Event) -> Option<Tone> {
        (!Self::is_told_elsewhere(event)).then_some(Tone::Plain)
    }

    /// The lines that tell an event in the story of a game, from what its reader knew before it;
    /// none if its sentence will do.
    fn tale(_before: &Self::View, _event: &Self::Event) -> Option<Vec<String>> {
        None
    }
    /// The game in the JSON in which other programs keep such games, if there is such a custom.
    fn saved_game(
        _id: &str,
        _view: &Self::View,
        _told: &[Self::Event],
    ) -> Option<serde_json::Value> {
        None
    }
    /// What tells events at length from this view on; none where sentences say all.
    fn chronicle(_view: &Self::View, _game: &Game) -> Option<Box<dyn Chronicle<Self::Event>>> {
        None
    }
    /// The seat whose answer is needed in the middle of somebody's turn.
    fn awaited(_view: &Self::View) -> Option<Seat> {
        None
    }
    /// Help on one kind of order, or on a table.
    fn help(_word: &str) -> Option<String> {
        None
    }
    /// What completes orders for the viewer; none where whole orders are listed.
    fn lexicon(_view: &Self::View) -> Option<Box<dyn Lexicon>> {
        None
    }
    /// The lines of the viewer's order sheet, where one order holds all orders of a turn and
    /// replaces the earlier ones.
    fn sheet(_view: &Self::View) -> Option<Vec<String>> {
        None
    }
    /// The order that takes all orders off the sheet.
    fn empty_sheet(_view: &Self::View) -> Option<Self::Order> {
        None
    }
    /// What an event tells of each line of a sheet, whose texts are these; none if it tells of
    /// something else.
    fn checked(_event: &Self::Event, _lines: &[String]) -> Option<Checked> {
        None
    }
    /// What an event tells of each line of an order, for clients that do not know the game.
    fn lines(_order: &Self::Order, _event: &Self::Event) -> Vec<LineVerdict> {
        Vec::new()
    }
    /// Whether a bulletin, a check or another event tells what this one tells, so that its sentence
    /// would only repeat it.
    fn is_told_elsewhere(_event: &Self::Event) -> bool {
        false
    }
    /// What the game master was told lately, with its sentences, as sections of their report.
    fn told_to_master(_view: &Self::View, _told: &[(Self::Event, &str)]) -> Vec<Section> {
        Vec::new()
    }
    /// Whether this is the game master's view, in a game in which they have a report.
    fn is_masters(_view: &Self::View) -> bool {
        false
    }
    /// The seat that goes by this name in the game itself.
    fn seat_named(_view: &Self::View, _name: &str) -> Option<Seat> {
        None
    }
}

/// The event in an envelope; none if it is another game's, or not sound.
fn own_event<G: Enveloped>(envelope: &GameEvent) -> Option<G::Event> {
    G::read_event(G::own_event(envelope)?).ok()
}

/// The events of a game among others.
fn own<G: Enveloped>(events: &[Event]) -> Vec<G::Event> {
    with_sentences::<G>(events).into_iter().map(|(event, _)| event).collect()
}

/// The same with their sentences.
fn with_sentences<G: Enveloped>(events: &[Event]) -> Vec<(G::Event, &str)> {
    let games = events.iter().filter_map(|event| match &event.body {
        Some(event::Body::Game(own)) => Some((own, event.text.as_str())),
        _ => None,
    });
    games.filter_map(|(own, text)| Some((own_event::<G>(own)?, text))).collect()
}

/// Asks the renderer of each game by its arm of the envelope.
macro_rules! renderers {
    ($($arm:ident: $game:ty;)+) => {
        /// What the renderer of the game in an envelope answers, given what was read of the
        /// message; none if there is no game in it, or the message is not sound.
        macro_rules! ask {
            ($envelope:ident, $message:expr, $read:ident, |$renderer:ident, $own:pat_param| $answer:expr) => {
                match &$message.game {
                    $(Some($envelope::Game::$arm(message)) => {
                        type $renderer = $game;
                        $renderer::$read(message).ok().map(|$own| $answer)
                    })+
                    _ => None,
                }
            };
        }
    };
}
games!(renderers);

/// The drawing of a view; none if it is no sound view.
pub fn drawing(view: &GameView, game: &Game) -> Option<Box<dyn Drawing>> {
    drawing_after(view, game, &[])
}

/// The same with what became of the last orders, in games whose maps show that; `told` are the
/// events that came last.
pub fn drawing_after(view: &GameView, game: &Game, told: &[Event]) -> Option<Box<dyn Drawing>> {
    ask!(game_view, view, read_view, |Own, view| Own::drawing(&view, game, &own::<Own>(told)))
}

/// The game in the JSON in which other programs keep such games; `told` are all events of
/// spectators. None if there is no such custom for this game.
pub fn saved_game(id: &str, view: &GameView, told: &[Event]) -> Option<serde_json::Value> {
    ask!(game_view, view, read_view, |Own, view| Own::saved_game(id, &view, &own::<Own>(told)))?
}

/// How many of the last events a map needs to show what became of orders; none in games whose maps
/// show only what is.
pub fn remembered(view: &GameView) -> u64 {
    ask!(game_view, view, read_view, |Own, _| Own::REMEMBERED).unwrap_or(0)
}

/// What tells events at length from this view on; none in games whose sentences say all.
pub fn chronicle(view: &GameView, game: &Game) -> Option<Box<dyn Chronicle>> {
    ask!(game_view, view, read_view, |Own, view| {
        Own::chronicle(&view, game).map(|own| Box::new(Reading::<Own>(own)) as Box<dyn Chronicle>)
    })?
}

/// The seat whose answer the game needs in the middle of somebody's turn, if the game tells.
pub fn awaited(view: &GameView) -> Option<u32> {
    ask!(game_view, view, read_view, |Own, view| Own::awaited(&view))?.map(Seat::number)
}

/// How orders are written in a kind of game, with examples; none if there is no such kind.
pub fn notation(kind: &str) -> Option<&'static str> {
    ask!(game_options, options(kind)?, read_options, |Own, _| Own::notation(kind))
}

/// Help on one kind of order, or on a table; none if there is none.
pub fn help(kind: &str, word: &str) -> Option<String> {
    ask!(game_options, options(kind)?, read_options, |Own, _| Own::help(word))?
}

/// The default options of a kind, which tell whose game it is.
fn options(kind: &str) -> Option<GameOptions> {
    Some(registry::kind(kind)?.rules.options(None).ok()?.0)
}

/// What completes orders for the viewer of this view; none where whole orders are listed.
pub fn lexicon(view: &GameView) -> Option<Box<dyn Lexicon>> {
    ask!(game_view, view, read_view, |Own, view| Own::lexicon(&view))?
}

/// The lines of the viewer's order sheet, in games where one order holds all orders of a turn and
/// replaces the earlier ones; none in other games, and for viewers without a sheet.
pub fn sheet(view: &GameView) -> Option<Vec<String>> {
    ask!(game_view, view, read_view, |Own, view| Own::sheet(&view))?
}

/// The order that takes all orders off the sheet.
pub fn empty_sheet(view: &GameView) -> Option<GameOrder> {
    ask!(game_view, view, read_view, |Own, view| {
        Own::empty_sheet(&view).map(|order| Own::seal_order(Own::write_order(&order)))
    })?
}

/// What an event tells of each line of a sheet, whose texts are these; none if it tells of
/// something else.
pub fn checked(event: &GameEvent, lines: &[String]) -> Option<Checked> {
    ask!(game_event, event, read_event, |Own, event| Own::checked(&event, lines))?
}

/// What an event tells of each line of an order; nothing if it tells of something else.
pub fn lines(order: &GameOrder, event: &GameEvent) -> Vec<LineVerdict> {
    ask!(game_order, order, read_order, |Own, order| {
        own_event::<Own>(event).map(|event| Own::lines(&order, &event))
    })
    .flatten()
    .unwrap_or_default()
}

/// Whether a bulletin or a check tells what this event tells, so that its sentence would only
/// repeat it.
pub fn is_told_elsewhere(event: &GameEvent) -> bool {
    ask!(game_event, event, read_event, |Own, event| Own::is_told_elsewhere(&event))
        .unwrap_or(false)
}

/// What the game master was told lately, as sections of their report; none for other viewers.
pub fn told_to_master(view: &GameView, events: &[Event]) -> Vec<Section> {
    ask!(game_view, view, read_view, |Own, view| Own::told_to_master(
        &view,
        &with_sentences::<Own>(events)
    ))
    .unwrap_or_default()
}

/// Whether this is the game master's view of a game in which they have a report.
pub fn is_masters(view: &GameView) -> bool {
    ask!(game_view, view, read_view, |Own, view| Own::is_masters(&view)).unwrap_or(false)
}

/// The seat that goes by this name in the game itself.
pub fn seat_named(view: &GameView, name: &str) -> Option<u32> {
    ask!(game_view, view, read_view, |Own, view| Own::seat_named(&view, name))?.map(Seat::number)
}

/// The lines that tell events in the story of a game from a view on: for each event its own, none
/// where its sentence will do.
fn tales(before: &GameView, events: &[Event]) -> Vec<Option<Vec<String>>> {
    ask!(game_view, before, read_view, |Own, before| tales_of::<Own>(before, events))
        .unwrap_or_else(|| vec![None; events.len()])
}

fn tales_of<G: Renderer>(mut before: G::View, events: &[Event]) -> Vec<Option<Vec<String>>> {
    let tale = |event: &Event| {
        let Some(event::Body::Game(envelope)) = &event.body else { return None };
        let own = own_event::<G>(envelope)?;
        let tale = G::tale(&before, &own);
        G::update(&mut before, &own);
        tale
    };
    events.iter().map(tale).collect()
}

/// How important an event is in the story of a game; none if the story does without it.
fn weighs(event: &GameEvent) -> Option<Tone> {
    ask!(game_event, event, read_event, |Own, event| Own::weighs(&event))?
}

/// The lines of a text that hold orders, each with its number from 1; empty lines and comments hold
/// none.
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
