//! Presentation of games: maps, reports, stories and help, for terminals and as files.
//!
//! To add a game, implement [`Renderer`] for the type of its rules, in a module beside
//! [`starships`]. The macro `games!` lists the games.
//!
//! **Invariant.** Everything is computed from a view and its viewer's events, so a picture shows
//! only what its viewer may see. This crate makes no calls to an engine, reads the clock only for
//! countdowns, and writes no files.

use heliopause_games::{Enveloped, games};
use heliopause_kernel::{Seat, Wire as _};
use heliopause_proto::v1::{
    Event, Game, GameEvent, GameOptions, GameOrder, GameView, LineVerdict, event, game_event,
    game_options, game_order, game_view,
};
use heliopause_table::registry;

pub mod aim;
pub mod board;
pub mod canvas;
pub mod diplomacy;
pub mod document;
pub mod guess;
pub mod manual;
pub mod replay;
#[cfg(test)]
mod samples;
pub mod scene;
pub mod slingshot;
pub mod star_empires;
pub mod starships;
pub mod stellar_conquest;
pub mod story;
pub mod style;
pub mod svg;
pub mod text;
pub mod wording;

use aim::MapRequest;
use board::Board;
use document::{Block, Document, Section, Tone, Words};
use scene::Scene;
use style::{Ink, Style};
use svg::{Look, Picture, Theme};

/// The map, scene and report of one view.
pub trait Drawing {
    /// Draws the complete map for a terminal, whatever its width.
    fn text(&self, style: &Style) -> String {
        scene::screen::draw(&self.scene(), style)
    }
    /// Describes the map in sentences for screen readers, with one line per place.
    fn list(&self) -> Vec<String> {
        scene::sentences::lines(&self.scene())
    }
    /// Draws the map, or describes it in sentences if the style is linear or the map is too wide.
    fn written(&self, style: &Style) -> String {
        let drawn = (!style.linear).then(|| self.text(style));
        let fits = |text: &String| text.lines().all(|line| text::width(line) <= style.width);
        if let Some(text) = drawn.filter(fits) {
            return text;
        }
        let lines = self.list();
        lines.iter().map(|line| text::wrap(line, style.width, 2)).collect::<Vec<_>>().join("\n")
    }
    fn picture(&self, theme: Theme) -> Picture {
        scene::picture::draw(&self.scene(), theme)
    }
    fn svg(&self, look: &Look) -> String {
        self.picture(look.theme).document(&look.hidden)
    }
    /// Returns the drawing of a part or layer of the map, or the reason why there is none. By
    /// default, text shows a part, and there are no layers.
    fn for_request(&self, aim: &MapRequest) -> Result<Box<dyn Drawing>, String> {
        if aim.layer.is_some() {
            return Err("The map of this game has no layers.".into());
        }
        let Some(name) = &aim.around else {
            return Err("Specify the center of the map too.".into());
        };
        let (around, radius) =
            self.area(name).ok_or_else(|| format!("`{name}` is not on the map."))?;
        let radius = aim.radius.unwrap_or(radius);
        Ok(Box::new(PartialMap { scene: self.scene(), around, radius }))
    }
    /// Returns the area with this name, or that contains what has this name, and the default radius
    /// of a map around it.
    fn area(&self, _name: &str) -> Option<(String, u32)> {
        None
    }
    /// Returns whether pictures can show a part of the map.
    fn supports_partial_pictures(&self) -> bool {
        false
    }
    /// Returns the turn report. By default, it consists of the news and panels of the scene.
    fn report(&self) -> Document {
        scene::report::document(&self.scene())
    }
    /// Returns the part of the report to read first in a turn.
    fn bulletin(&self) -> Option<Document> {
        None
    }
    /// Returns the board as data.
    fn scene(&self) -> Scene;
    /// Returns a key for the map. Clients redraw when the key changes, or always if it is `None`.
    fn redraw_key(&self) -> Option<String> {
        None
    }
}

/// The drawing of a part of a map as text.
struct PartialMap {
    scene: Scene,
    /// The name of the area in the middle.
    around: String,
    radius: u32,
}

impl Drawing for PartialMap {
    fn scene(&self) -> Scene {
        self.scene.clone()
    }

    fn text(&self, style: &Style) -> String {
        scene::screen::draw_part(&self.scene, style, &self.around, self.radius)
    }
}

/// Descriptions of events that are longer than the events' sentences and use earlier events. By
/// default, `E` is the enveloped event.
pub trait Chronicle<E = GameEvent>: Send {
    /// Describes an event, or returns `None` if there is nothing to add to its sentence.
    fn tell(&mut self, event: &E, style: &Style) -> Option<String>;
}

struct DecodingChronicle<G: Renderer>(Box<dyn Chronicle<G::Event>>);

impl<G: Renderer> Chronicle for DecodingChronicle<G> {
    fn tell(&mut self, event: &GameEvent, style: &Style) -> Option<String> {
        self.0.tell(&own_event::<G>(event)?, style)
    }
}

/// Completes typed orders.
pub trait Lexicon: Send {
    /// Returns the start of the word to complete, and its completions.
    fn complete(&self, typed: &str) -> (usize, Vec<String>);
}

/// The results of an order sheet that was submitted or checked, with one row per line.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    pub rows: Vec<Vec<Words>>,
    /// The indices of rejected lines, from 0.
    pub rejected: Vec<usize>,
    /// The number of lines that are accepted but may fail.
    pub warned: usize,
    pub accepted: usize,
}

impl Checked {
    /// Combines the results of a sheet's lines with the typed `lines`.
    fn new(verdicts: &[LineVerdict], lines: &[String]) -> Self {
        let mut checked = Self::default();
        for verdict in verdicts {
            let index = verdict.line.saturating_sub(1) as usize;
            let (check, tone) = match (verdict.accepted, verdict.warned) {
                (false, _) => ("rejected", Tone::Bad),
                (true, true) => ("warned", Tone::Notice),
                (true, false) => ("accepted", Tone::Good),
            };
            checked.rejected.extend((!verdict.accepted).then_some(index));
            checked.warned += usize::from(check == "warned");
            checked.accepted += usize::from(check == "accepted");
            let line = lines.get(index).map(|line| text::harmless(line)).unwrap_or_default();
            checked.rows.push(vec![
                Words::new(verdict.line.to_string(), Tone::Faint),
                Words::new(check, tone),
                Words::plain(line),
                Words::plain(&verdict.sentence),
            ]);
        }
        checked
    }

    pub fn has_remarks(&self) -> bool {
        self.rows.iter().any(|row| has_remark(row))
    }

    /// Formats the rows with remarks as a table, or all rows if `all` is set.
    pub fn rows_text(&self, style: &Style, all: bool) -> String {
        let rows = self.rows.iter().filter(|row| all || has_remark(row)).cloned().collect();
        let table = Block::table("#|check|order|why", rows);
        table.iter().map(|table| table.text(style)).collect()
    }

    /// Formats the rows with remarks, or all rows if `all` is set, followed by a summary.
    pub fn text(&self, style: &Style, all: bool) -> String {
        let parts = [
            (self.accepted, "accepted", Ink::Good),
            (self.warned, "accepted with a warning", Ink::Notice),
            (self.rejected.len(), "rejected", Ink::Bad),
        ];
        let told = parts.iter().filter(|(number, ..)| *number > 0);
        let told: Vec<String> =
            told.map(|(number, what, ink)| style.paint(format!("{number} {what}"), *ink)).collect();
        let sum = if told.is_empty() { "The sheet is empty" } else { &told.join(", ") };
        let rows = Some(self.rows_text(style, all)).filter(|rows| !rows.is_empty());
        rows.map_or_else(String::new, |rows| rows + "\n") + sum + "."
    }
}

fn has_remark(row: &[Words]) -> bool {
    row.last().is_some_and(|why| !why.is_empty())
}

/// The presentation of a game: drawings of its views, notation of orders, descriptions of events.
/// Only the first two functions are required.
///
/// Views, events and orders have the types of the rules. The functions of this crate decode
/// messages before a call and encode them after it.
pub trait Renderer: Enveloped {
    /// The number of latest events that a map needs to show the results of orders.
    const RECENT_EVENTS: u64 = 0;

    /// Returns the drawing of a view. `told` contains the latest events, for the results of orders.
    fn drawing(view: &Self::View, game: &Game, told: &[Self::Event]) -> Box<dyn Drawing>;
    /// Returns the notation of orders in a kind of this game, with examples.
    fn notation(kind: &str) -> &'static str;

    /// Returns what is fixed of the board under these options, without what the setup draws by lot.
    /// Empty if the game has no map.
    fn board(_options: &Self::Options) -> Board {
        Board::default()
    }
    /// Returns what is fixed of the board of a started game, as far as the viewer sees it.
    fn visible_board(_view: &Self::View) -> Board {
        Board::default()
    }
    /// Returns the importance of an event in a game's story, or `None` to omit the event.
    fn importance(event: &Self::Event) -> Option<Tone> {
        (!Self::is_redundant(event)).then_some(Tone::Plain)
    }

    /// Describes an event in a game's story, given the reader's view before it. Returns `None` if
    /// there is nothing to add to the event's sentence.
    fn event_story(_before: &Self::View, _event: &Self::Event) -> Option<Vec<String>> {
        None
    }
    /// Exports the game to a JSON format that other programs use, if there is one.
    fn saved_game(
        _id: &str,
        _view: &Self::View,
        _told: &[Self::Event],
    ) -> Option<serde_json::Value> {
        None
    }
    /// Returns a chronicle that starts at this view, or `None` if the game has only sentences.
    fn chronicle(_view: &Self::View, _game: &Game) -> Option<Box<dyn Chronicle<Self::Event>>> {
        None
    }
    /// Returns the seat that must answer during another seat's turn.
    fn awaited(_view: &Self::View) -> Option<Seat> {
        None
    }
    /// Returns help on a kind of order, or on a table of the rules.
    fn help(_word: &str) -> Option<String> {
        None
    }
    /// Returns a completer for the viewer's orders, or `None` if clients complete whole orders from
    /// the menu.
    fn lexicon(_view: &Self::View) -> Option<Box<dyn Lexicon>> {
        None
    }
    /// Returns the lines of the viewer's order sheet, if each order replaces the whole sheet.
    fn sheet(_view: &Self::View) -> Option<Vec<String>> {
        None
    }
    /// Returns the viewer's orders for this phase as notation, if the view has them.
    fn stored_orders(view: &Self::View) -> Option<Vec<String>> {
        Self::sheet(view)
    }
    /// Returns the order that clears the sheet.
    fn empty_sheet(_view: &Self::View) -> Option<Self::Order> {
        None
    }
    /// Returns the results of a sheet's lines, if the event has them. The rules of the results come
    /// from the order.
    fn lines(_order: Option<&Self::Order>, _event: &Self::Event) -> Option<Vec<LineVerdict>> {
        None
    }
    /// Returns whether a bulletin, a check or another event already shows this event.
    fn is_redundant(_event: &Self::Event) -> bool {
        false
    }
    /// Returns the recent events as sections of the game master's report.
    fn master_events(_view: &Self::View, _told: &[(Self::Event, &str)]) -> Vec<Section> {
        Vec::new()
    }
    /// Returns whether this is the game master's view, in a game with a report for game masters.
    fn is_master_view(_view: &Self::View) -> bool {
        false
    }
    /// Returns the seat that has this name within the game.
    fn seat_named(_view: &Self::View, _name: &str) -> Option<Seat> {
        None
    }
}

fn own_event<G: Enveloped>(envelope: &GameEvent) -> Option<G::Event> {
    G::read_event(G::own_event(envelope)?).ok()
}

fn own<G: Enveloped>(events: &[Event]) -> Vec<G::Event> {
    with_sentences::<G>(events).into_iter().map(|(event, _)| event).collect()
}

fn with_sentences<G: Enveloped>(events: &[Event]) -> Vec<(G::Event, &str)> {
    let games = events.iter().filter_map(|event| match &event.body {
        Some(event::Body::Game(own)) => Some((own, event.text.as_str())),
        _ => None,
    });
    games.filter_map(|(own, text)| Some((own_event::<G>(own)?, text))).collect()
}

/// Dispatches to the renderer of the game that the envelope contains.
macro_rules! renderers {
    ($($arm:ident: $game:ty;)+) => {
        /// Calls the game's renderer. Returns `None` for an empty envelope or an invalid message.
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

/// Returns the drawing of a view, or `None` if the view is invalid.
pub fn drawing(view: &GameView, game: &Game) -> Option<Box<dyn Drawing>> {
    drawing_after(view, game, &[])
}

/// Returns the drawing of a view with the results of orders in `told`, in games that show them.
pub fn drawing_after(view: &GameView, game: &Game, told: &[Event]) -> Option<Box<dyn Drawing>> {
    ask!(game_view, view, read_view, |Own, view| Own::drawing(&view, game, &own::<Own>(told)))
}

/// Returns what is fixed of the board of any game with these options, or `None` if they are
/// invalid.
pub fn board(options: &GameOptions) -> Option<Board> {
    ask!(game_options, options, read_options, |Own, options| Own::board(&options))
}

/// Returns what is fixed of the board that a view shows, or `None` if the view is invalid.
pub fn visible_board(view: &GameView) -> Option<Board> {
    ask!(game_view, view, read_view, |Own, view| Own::visible_board(&view))
}

/// Exports the game to a JSON format that other programs use, if there is one. `told` contains all
/// events visible to spectators.
pub fn saved_game(id: &str, view: &GameView, told: &[Event]) -> Option<serde_json::Value> {
    ask!(game_view, view, read_view, |Own, view| Own::saved_game(id, &view, &own::<Own>(told)))?
}

/// Returns the number of latest events that a map needs to show the results of orders.
pub fn recent_events(view: &GameView) -> u64 {
    ask!(game_view, view, read_view, |Own, _| Own::RECENT_EVENTS).unwrap_or(0)
}

/// Returns a chronicle that starts at this view, or `None` if the game has only sentences.
pub fn chronicle(view: &GameView, game: &Game) -> Option<Box<dyn Chronicle>> {
    ask!(game_view, view, read_view, |Own, view| {
        Own::chronicle(&view, game)
            .map(|own| Box::new(DecodingChronicle::<Own>(own)) as Box<dyn Chronicle>)
    })?
}

/// Returns the seat that must answer during another seat's turn, in games with such decisions.
pub fn awaited(view: &GameView) -> Option<u32> {
    ask!(game_view, view, read_view, |Own, view| Own::awaited(&view))?.map(Seat::number)
}

/// Returns the notation of orders in a kind of game, with examples.
pub fn notation(kind: &str) -> Option<&'static str> {
    ask!(game_options, options(kind)?, read_options, |Own, _| Own::notation(kind))
}

/// Returns help on a kind of order, or on a table of the rules.
pub fn help(kind: &str, word: &str) -> Option<String> {
    ask!(game_options, options(kind)?, read_options, |Own, _| Own::help(word))?
}

/// Returns the default options of a kind. Their envelope identifies the kind's game.
fn options(kind: &str) -> Option<GameOptions> {
    Some(registry::kind(kind)?.rules.options(None).ok()?.0)
}

/// Returns completion for the viewer's orders, or `None` if clients complete whole orders from the
/// menu instead.
pub fn lexicon(view: &GameView) -> Option<Box<dyn Lexicon>> {
    ask!(game_view, view, read_view, |Own, view| Own::lexicon(&view))?
}

/// Returns the lines of the viewer's order sheet, if each order replaces the whole sheet.
pub fn sheet(view: &GameView) -> Option<Vec<String>> {
    ask!(game_view, view, read_view, |Own, view| Own::sheet(&view))?
}

/// Returns the viewer's orders for this phase as notation, if the view has them.
pub fn stored_orders(view: &GameView) -> Option<Vec<String>> {
    ask!(game_view, view, read_view, |Own, view| Own::stored_orders(&view))?
}

/// Returns the order that clears the sheet.
pub fn empty_sheet(view: &GameView) -> Option<GameOrder> {
    ask!(game_view, view, read_view, |Own, view| {
        Own::empty_sheet(&view).map(|order| Own::seal_order(Own::write_order(&order)))
    })?
}

/// Returns the results of a sheet's typed `lines`, if the event has them.
pub fn checked(event: &GameEvent, lines: &[String]) -> Option<Checked> {
    ask!(game_event, event, read_event, |Own, event| {
        Own::lines(None, &event).map(|verdicts| Checked::new(&verdicts, lines))
    })?
}

/// Returns the results of an order's lines, if the event has them.
pub fn lines(order: &GameOrder, event: &GameEvent) -> Vec<LineVerdict> {
    ask!(game_order, order, read_order, |Own, order| {
        Own::lines(Some(&order), &own_event::<Own>(event)?)
    })
    .flatten()
    .unwrap_or_default()
}

/// Returns whether a bulletin, a check or another event already shows this event.
pub fn is_redundant(event: &GameEvent) -> bool {
    ask!(game_event, event, read_event, |Own, event| Own::is_redundant(&event)).unwrap_or(false)
}

/// Returns the recent events as sections of the game master's report. Empty for other viewers.
pub fn master_events(view: &GameView, events: &[Event]) -> Vec<Section> {
    ask!(game_view, view, read_view, |Own, view| Own::master_events(
        &view,
        &with_sentences::<Own>(events)
    ))
    .unwrap_or_default()
}

/// Returns whether this is the game master's view, in a game with a report for game masters.
pub fn is_master_view(view: &GameView) -> bool {
    ask!(game_view, view, read_view, |Own, view| Own::is_master_view(&view)).unwrap_or(false)
}

/// Returns the seat that has this name within the game.
pub fn seat_named(view: &GameView, name: &str) -> Option<u32> {
    ask!(game_view, view, read_view, |Own, view| Own::seat_named(&view, name))?.map(Seat::number)
}

fn event_stories(before: &GameView, events: &[Event]) -> Vec<Option<Vec<String>>> {
    ask!(game_view, before, read_view, |Own, before| event_stories_of::<Own>(before, events))
        .unwrap_or_else(|| vec![None; events.len()])
}

fn event_stories_of<G: Renderer>(
    mut before: G::View,
    events: &[Event],
) -> Vec<Option<Vec<String>>> {
    let event_story = |event: &Event| {
        let Some(event::Body::Game(envelope)) = &event.body else { return None };
        let own = own_event::<G>(envelope)?;
        let event_story = G::event_story(&before, &own);
        G::update(&mut before, &own);
        event_story
    };
    events.iter().map(event_story).collect()
}

fn importance(event: &GameEvent) -> Option<Tone> {
    ask!(game_event, event, read_event, |Own, event| Own::importance(&event))?
}

/// Returns the lines that contain orders, without comments, with their line numbers from 1.
pub fn order_lines(text: &str) -> Vec<(usize, String)> {
    let bare = |line: &str| line.split('#').next().unwrap_or_default().trim().to_owned();
    (1..).zip(text.lines().map(bare)).filter(|(_, line)| !line.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use heliopause_proto::{diplomacy, stellar_conquest};

    use super::*;

    #[test]
    fn invalid_views_have_no_map() {
        for own in [
            game_view::Game::Diplomacy(diplomacy::v1::View::default()),
            game_view::Game::StellarConquest(stellar_conquest::v1::View::default()),
        ] {
            assert!(drawing(&GameView { game: Some(own) }, &Game::default()).is_none());
        }
    }

    #[test]
    fn comments_and_empty_lines_are_skipped() {
        let lines = order_lines("# turn 3\nMOVE a TO b # go\n\n  POOL x\n");
        assert_eq!(lines, [(2, "MOVE a TO b".to_owned()), (4, "POOL x".to_owned())]);
    }
}
