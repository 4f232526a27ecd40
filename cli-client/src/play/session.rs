//! At a table: events in, lines in, the screen out.

use std::time::Duration;

use heliopause_proto::v1::{
    Cursor, Event, Game, GameStatus, GetOffersResponse, GetViewResponse, StreamEventsRequest, event,
};
use tokio::time::{Instant, MissedTickBehavior, sleep_until};

use super::choices;
use super::input::{Line, Vocabulary};
use super::lines;
use super::screen::Screen;
use crate::commands::lobby::kept_entropy;
use crate::context::Context;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::follow::{Follower, Heard};
use crate::glance::Glance;
use crate::menu::Menu;
use crate::render::{self, Chronicle};
use crate::style::{Ink, Style};
use crate::table::{self, Table};
use crate::wording;
use seen::Seen;
pub(super) use warned::Caution;

mod conduct;
mod hotseat;
mod letters;
mod obey;
mod seen;
mod sheet;
mod warned;

/// Events come in bursts: the screen is drawn when none came for so long.
const QUIET: Duration = Duration::from_millis(80);
/// So long a spinner turns before the player is given a prompt to write to others meanwhile.
const PATIENCE: Duration = Duration::from_secs(6);
/// So long after a look that failed in passing the next one is tried.
const ASK_AGAIN: Duration = Duration::from_secs(1);
/// So often the width of the terminal is measured.
const MEASURE_EVERY: Duration = Duration::from_millis(500);
/// How many of the latest events stand between the map and the question.
const LATEST_MAX: usize = 8;
/// The same in games whose map is not drawn at every question.
const LATEST_MAX_OF_SCENES: usize = 24;

/// What can be done when a game is over.
const FAREWELL: &str = "Nothing is secret any more. `rematch` starts the same game again, `quit` \
    leaves. `map turn 3` shows an earlier turn, `history` lists what happened, `verify` proves that \
    the journal is unchanged. `chronicle FILE.html` writes a page with a slider, `export FILE` the \
    journal. `games` lists your games.";

/// A table that somebody plays at.
pub(super) struct Session<'a> {
    context: &'a Context,
    engine: Engine,
    table: Table,
    follower: Follower,
    /// Where the seats of a sandbox game were left.
    places: hotseat::Places,
    screen: &'a mut Screen,
    game: Game,
    view: GetViewResponse,
    asked: GetOffersResponse,
    /// What may be ordered, line by line.
    menu: Menu,
    /// The number of an order that costs dearly, once it was typed.
    sure: Option<usize>,
    /// A line that was typed where an answer was expected.
    ahead: Option<String>,
    /// The game that follows this one.
    rematch: Option<String>,
    /// The phase and revision that the screen shows a question of.
    shown: Option<(Option<u64>, Option<u64>)>,
    /// What tells events at length, in games that have one.
    chronicle: Option<Box<dyn Chronicle>>,
    /// What the map that stands on the screen shows, in games whose maps are not drawn at every
    /// question.
    scene: Option<String>,
    /// What the map told last, for those who hear it.
    heard_of: Vec<String>,
    /// What happened since the screen was last drawn.
    latest: Vec<String>,
    /// What the player has seen of this game, and whether that was before this evening.
    seen: Seen,
    comes_back: bool,
    /// Whether others were waited for, so that a player may have looked away.
    waited: bool,
    /// The last event that was heard, and the one that the player's own order must at least reach.
    heard: u64,
    awaited: u64,
    /// When to look again, and when to stop spinning.
    look_at: Option<Instant>,
    patience_ends: Option<Instant>,
    end_was_told: bool,
    /// Whether the player is asked before they leave something undone.
    caution: Caution,
}

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    Stay,
    Leave,
}

/// Plays until the player leaves. Returns the game to play next, if they want a rematch.
pub(super) async fn run(
    context: &Context,
    engine: Engine,
    game: &str,
    screen: &mut Screen,
    caution: Caution,
) -> Result<Option<String>, Failure> {
    let table = Table { game: game.to_owned(), seat: None };
    let seen = Seen::load(context.profiles(), game);
    let comes_back = seen.event > 0;
    let after = comes_back.then_some(Cursor { number: seen.event, ..Cursor::default() });
    let request =
        StreamEventsRequest { game_id: game.to_owned(), after, ..StreamEventsRequest::default() };
    let follower = Follower::new(engine.clone(), request);
    let mut session = Session {
        context,
        engine,
        table,
        follower,
        places: hotseat::Places::new(),
        screen,
        game: Game::default(),
        view: GetViewResponse::default(),
        asked: GetOffersResponse::default(),
        menu: Menu::default(),
        sure: None,
        ahead: None,
        rematch: None,
        shown: None,
        chronicle: None,
        scene: None,
        heard_of: Vec::new(),
        latest: Vec::new(),
        seen,
        comes_back,
        waited: false,
        heard: 0,
        awaited: 0,
        look_at: None,
        patience_ends: None,
        end_was_told: false,
        caution,
    };
    let result = session.turn_of_events().await;
    if let (Err(failure), true) = (&result, session.screen.input.is_reading()) {
        // The terminal is the line editor's until the line ends.
        session.screen.print(&format!("{failure}\nPress Enter to leave."));
        session.screen.input.line().await;
    }
    result.map(|()| session.rematch)
}

impl Session<'_> {
    async fn turn_of_events(&mut self) -> Result<(), Failure> {
        // One listener for the whole time, so that no Ctrl-C falls between two rounds.
        let interrupted = tokio::signal::ctrl_c();
        tokio::pin!(interrupted);
        let mut measure = tokio::time::interval(MEASURE_EVERY);
        measure.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let due = self.look_at.into_iter().chain(self.patience_ends).min();
            let flow = tokio::select! {
                heard = self.follower.next() => self.hear(heard?),
                line = self.screen.input.line() => self.obey_line(line).await?,
                () = sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => self.due().await?,
                _ = measure.tick(), if self.screen.is_terminal() => self.fit(),
                _ = &mut interrupted => Flow::Leave,
            };
            if flow == Flow::Leave {
                self.screen.stop_waiting();
                self.keep_seen();
                let told = if self.rematch.is_some() {
                    "A new game.".to_owned()
                } else if self.end_was_told {
                    "Good bye.".to_owned()
                } else {
                    format!("The game waits for you: cli-client play {}", self.table.game)
                };
                self.screen.print(&self.screen.style.paint(told, Ink::Faint));
                return Ok(());
            }
        }
    }

    /// Draws anew what no longer fits the terminal.
    fn fit(&mut self) -> Flow {
        if self.screen.measure() && self.shown.is_some() {
            (self.shown, self.scene) = (None, None);
            self.look_soon();
        }
        Flow::Stay
    }

    /// Keeps what the player has seen. In a sandbox they see as many seats.
    fn keep_seen(&mut self) {
        if !self.game.sandbox && self.heard > self.seen.event {
            self.seen.event = self.heard;
        }
        if !self.game.sandbox {
            self.seen.keep(self.context.profiles(), &self.table.game);
        }
    }

    /// Whether everything may be seen by now.
    fn is_over(&self) -> bool {
        self.game.status() == GameStatus::Ended
    }

    fn hear(&mut self, heard: Heard) -> Flow {
        match heard {
            Heard::Opening(opening) => {
                self.game = opening.game.unwrap_or_default();
                // After a lost connection the question is asked anew: much may have happened.
                self.screen.stop_waiting();
                self.shown = None;
                self.look_soon();
            }
            Heard::Event(event) => self.hear_event(&event),
            Heard::CaughtUp(cursor) => {
                self.heard = self.heard.max(cursor.number);
                self.look_soon();
            }
            Heard::FellBehind => self.look_soon(),
            Heard::Lost(..) => self.screen.wait_for("The connection is lost; connecting anew..."),
        }
        Flow::Stay
    }

    /// While the player waits they are told at once; what their own order caused stands on the next
    /// screen.
    fn hear_event(&mut self, event: &Event) {
        self.heard = event.number;
        self.look_soon();
        let style = self.screen.style;
        let at_length = match (&mut self.chronicle, &event.body) {
            (Some(chronicle), Some(event::Body::Game(event))) => chronicle.tell(event, &style),
            _ => None,
        };
        if !is_news(event) || self.is_own_letter(event) {
            return;
        }
        let told = at_length.unwrap_or_else(|| wording::event(&style, event));
        if self.shown.is_none() {
            self.screen.print(&told);
            // Whoever listens has heard it; no map comes between it and the question.
            if self.screen.style.linear && !self.comes_back {
                return;
            }
        }
        self.latest.push(told);
    }

    /// Whoever wrote a letter has read it.
    fn is_own_letter(&self, event: &Event) -> bool {
        matches!(&event.body, Some(event::Body::Message(letter))
            if letter.from_seat.is_some() && letter.from_seat == self.game.your_seat)
    }

    fn look_soon(&mut self) {
        self.look_at = Some(Instant::now() + QUIET);
    }

    async fn due(&mut self) -> Result<Flow, Failure> {
        let now = Instant::now();
        if self.patience_ends.is_some_and(|end| end <= now) {
            self.patience_ends = None;
            self.prompt();
        }
        if self.look_at.is_some_and(|at| at <= now) {
            self.look_at = None;
            if self.heard >= self.awaited {
                match self.look().await {
                    // What passes ends no evening at the table.
                    Err(failure) if failure.is_transient() => {
                        self.screen.wait_for("The engine does not answer; asking again...");
                        self.shown = None;
                        self.look_at = Some(Instant::now() + ASK_AGAIN);
                    }
                    looked => looked?,
                }
            }
        }
        Ok(Flow::Stay)
    }

    /// Asks how things stand, and shows what follows from it.
    async fn look(&mut self) -> Result<(), Failure> {
        self.game = table::game(&self.engine, &self.table.game).await?;
        if self.sit_where_asked().await? {
            // The new seat's stream opens with a look.
            return Ok(());
        }
        match self.game.status() {
            GameStatus::Forming => self.show_forming(),
            GameStatus::Revealing => self.reveal().await?,
            GameStatus::Ended | GameStatus::Cancelled => self.show_end().await?,
            _ => self.look_at_game().await?,
        }
        Ok(())
    }

    async fn look_at_game(&mut self) -> Result<(), Failure> {
        self.view = table::fetch(&self.engine, &self.table, false).await?;
        if self.chronicle.is_none() {
            self.chronicle =
                self.view.view.as_ref().and_then(|view| render::chronicle(view, &self.game));
        }
        if self.game.your_seat.is_none() {
            self.wait("You watch this game.");
            return Ok(());
        }
        self.asked = table::offers(&self.engine, &self.table).await?;
        self.menu = Menu::read(&self.asked)?;
        self.sure = None;
        self.set_words();
        let is_asked = self.asked.decision.as_ref().is_some_and(|decision| !decision.ready);
        if !is_asked {
            self.shown = None;
            self.wait_for_others();
            return Ok(());
        }
        let question = (self.asked.phase, self.asked.revision);
        if self.shown != Some(question) {
            let is_same_turn = self.shown.is_some_and(|(phase, _)| phase == question.0);
            self.shown = Some(question);
            if is_same_turn && self.stored_sheet().is_some() {
                self.show_sheet_changed();
            } else {
                self.show_question();
            }
        }
        Ok(())
    }

    /// The map, what just happened, what is asked, and the choices.
    fn show_question(&mut self) {
        self.screen.stop_waiting();
        self.patience_ends = None;
        self.show_scene();
        let style = self.screen.style;
        self.show_bulletin();
        let mut lines = self.take_latest();
        lines.extend(
            self.asked
                .decision
                .iter()
                .map(|decision| format!("\n{}", wording::decision(&style, decision))),
        );
        let goal = wording::own_goal(self.own_seat(), &self.view.goals);
        lines.extend((!goal.is_empty()).then(|| style.paint(goal, Ink::Faint)));
        let hint = self.sheet_hint();
        if hint.is_none() || self.offers_lines() {
            lines.push(self.choices_text());
        }
        lines.extend(hint);
        self.screen.print(&lines.join("\n"));
        if std::mem::take(&mut self.waited) {
            self.screen.call(&format!("Your turn: {}", self.game.name));
        }
        self.keep_seen();
        self.prompt();
    }

    /// What happened since the player last looked, under its heading. A pipe gets all of it.
    fn take_latest(&mut self) -> Vec<String> {
        let most = match (self.screen.is_terminal(), &self.scene) {
            (false, _) => usize::MAX,
            (true, Some(_)) => LATEST_MAX_OF_SCENES,
            (true, None) => LATEST_MAX,
        };
        let mut lines = std::mem::take(&mut self.latest);
        if lines.is_empty() {
            return lines;
        }
        let heading =
            if std::mem::take(&mut self.comes_back) { "Since you were here" } else { "Just now" };
        let before = lines.len().saturating_sub(most);
        lines.drain(..before);
        let style = self.screen.style;
        if before > 0 {
            let told = format!("      ... {before} more; `history {}` tells all", before + most);
            lines.insert(0, style.paint(told, Ink::Faint));
        }
        lines.insert(0, style.paint(heading, Ink::Heading));
        lines
    }

    /// The seat that the player answers for.
    fn own_seat(&self) -> Option<u32> {
        self.table.seat.or(self.game.your_seat)
    }

    /// The choices.
    fn choices_text(&self) -> String {
        choices::overview(&self.screen.style, &self.menu.lines, self.screen.room())
    }

    /// The map, unless the one on the screen still serves.
    fn show_scene(&mut self) {
        let drawing = self.view.view.as_ref().and_then(|view| render::drawing(view, &self.game));
        let scene = drawing.as_ref().and_then(|drawing| drawing.scene());
        if self.screen.style.linear {
            self.tell_changes(drawing.map(|drawing| drawing.list()).unwrap_or_default());
        } else if scene.is_none() || scene != self.scene {
            self.show_map();
        }
        self.scene = scene;
    }

    /// The map in sentences: at first all of them, then those that are new.
    fn tell_changes(&mut self, lines: Vec<String>) {
        let width = self.screen.style.width;
        let is_new = |line: &&String| !self.heard_of.contains(line);
        let new: Vec<String> =
            lines.iter().filter(is_new).map(|line| crate::text::wrap(line, width, 2)).collect();
        if !new.is_empty() {
            let heading = if self.heard_of.is_empty() { "The map" } else { "Changed on the map" };
            self.screen.print(&format!("\n{heading}\n{}", new.join("\n")));
        }
        self.heard_of = lines;
    }

    /// What of the turn report is read first.
    fn show_bulletin(&mut self) {
        let drawing = self.view.view.as_ref().and_then(|view| render::drawing(view, &self.game));
        if let Some(bulletin) = drawing.and_then(|drawing| drawing.bulletin()) {
            self.screen.print(&format!("\n{}", bulletin.text(&self.screen.style)));
        }
    }

    fn show_map(&mut self) {
        let drawing = self.view.view.as_ref().and_then(|view| render::drawing(view, &self.game));
        let text = drawing.map_or_else(
            || wording::game(&self.screen.style, &self.game),
            |drawing| format!("\n{}", drawing.written(&self.screen.style)),
        );
        self.screen.print(&text);
    }

    fn show_forming(&mut self) {
        let open = self.game.seats.iter().filter(|seat| wording::occupant(seat) == "open").count();
        let lead = self.game.you_host || self.game.you_are_game_master;
        let hint = if lead { " `start` begins; automation takes the open seats." } else { "" };
        self.wait(&format!(
            "Waiting for the start; {} open.{hint}",
            crate::text::count(open, "seat")
        ));
        self.patience_ends = None;
        if lead || self.screen.is_terminal() {
            self.prompt();
        }
    }

    async fn reveal(&mut self) -> Result<(), Failure> {
        if let Some(request) = kept_entropy(self.context, &self.table.game)? {
            self.engine.games().reveal_entropy(request).await?;
        }
        self.wait("Waiting for the players to reveal their entropy...");
        Ok(())
    }

    fn wait_for_others(&mut self) {
        self.waited = true;
        let status = self.game.status();
        let what = if status == GameStatus::Paused {
            "The game is paused.".to_owned()
        } else if self.game.waits_for_automation {
            let on_turn = self.game.on_turn.filter(|_| self.game.on_turn != self.game.your_seat);
            let awaited = self
                .view
                .view
                .as_ref()
                .and_then(render::awaited)
                .or(on_turn)
                .filter(|seat| *seat != 0);
            let seat = awaited.map_or_else(
                || "An automated seat".to_owned(),
                |seat| format!("The seat of {}", wording::seat_name(&self.game, seat)),
            );
            let url = self.context.url();
            format!(
                "{seat} waits for an AI client: start `ai-client --engine {url} --token-file \
                 worker.token`..."
            )
        } else {
            let awaited = wording::awaited(&self.game, self.own_seat());
            let awaited = awaited.unwrap_or_else(|| "the other side's decision".to_owned());
            let closing = wording::closing(&self.game).filter(|_| self.game.on_turn.is_none());
            let closing = closing.map(|closing| format!(" {closing}")).unwrap_or_default();
            format!("Waiting for {awaited}...{closing}")
        };
        self.wait(&what);
    }

    /// What stands before the line that the player types: who they are, where that is not always
    /// the same.
    fn prompt(&mut self) {
        let seat = self.table.seat.filter(|_| self.game.sandbox);
        let seat = seat.map(|seat| wording::seat_name(&self.game, seat)).unwrap_or_default();
        // A prompt stays while the player waits, and then its figures are old. A screen reader reads
        // them with the question.
        let sees =
            self.screen.is_terminal() && !self.screen.is_read_aloud() && self.shown.is_some();
        let progress =
            if sees { wording::progress(self.own_seat(), &self.view.goals) } else { String::new() };
        let parts: Vec<String> =
            [seat, progress].into_iter().filter(|part| !part.is_empty()).collect();
        self.screen.prompt(&format!("{}> ", parts.join(", ")));
    }

    /// Shows that something is waited for. A person gets a prompt too when it takes long.
    fn wait(&mut self, what: &str) {
        self.screen.wait_for(what);
        let may_type = self.screen.is_spinning() || self.screen.is_read_aloud();
        if may_type && self.patience_ends.is_none() {
            self.patience_ends = Some(Instant::now() + PATIENCE);
        }
    }

    /// The last moves, everything that was secret, and how it ended.
    async fn show_end(&mut self) -> Result<(), Failure> {
        if self.end_was_told {
            return Ok(());
        }
        self.end_was_told = true;
        self.shown = None;
        (self.asked, self.menu) = (GetOffersResponse::default(), Menu::default());
        self.screen.stop_waiting();
        self.patience_ends = None;
        self.scene = None;
        self.view = Glance { revealed: self.is_over(), ..Glance::now(&self.table, false) }
            .view(&self.engine)
            .await?;
        self.show_map();
        let latest = self.take_latest();
        self.screen.print(&latest.join("\n"));
        if std::mem::take(&mut self.waited) {
            self.screen.call(&format!("Over: {}", self.game.name));
        }
        self.keep_seen();
        self.show_farewell();
        self.prompt();
        Ok(())
    }

    /// How it ended, and what can be done now.
    fn show_farewell(&mut self) {
        let style = self.screen.style;
        let result =
            self.game.outcome.as_ref().map(|outcome| wording::outcome(&style, &self.game, outcome));
        let result = result.unwrap_or_else(|| "The game was cancelled.".into());
        let farewell = crate::text::wrap(FAREWELL, style.width, 0);
        self.screen.print(&format!("\n{result}\n\n{}", style.paint(farewell, Ink::Faint)));
    }

    /// Tells what went wrong, and how to read the rule; what to do next stands on the screen
    /// already.
    fn tell(&mut self, failure: &Failure) {
        let report = failure.report();
        let style = self.screen.style;
        let hint = if report.rule.is_empty() {
            String::new()
        } else {
            format!(" (`? {}` tells the rule)", report.rule)
        };
        self.screen.print(&format!(
            "{}{}",
            painted(&style, &report.message),
            style.paint(hint, Ink::Faint)
        ));
    }

    /// What was asked is still asked after a refusal.
    fn ask_again(&mut self) {
        let style = self.screen.style;
        let question = self.asked.decision.as_ref().filter(|decision| !decision.ready);
        if let Some(decision) = question.filter(|_| self.shown.is_some()) {
            self.screen.print(&wording::decision(&style, decision));
        }
    }

    fn set_words(&self) {
        let notations = self
            .menu
            .lines
            .iter()
            .filter(|line| line.open.is_empty())
            .map(|line| line.notation.clone());
        let mut words: Vec<String> = notations.chain(lines::COMMANDS.map(str::to_owned)).collect();
        if self.stored_sheet().is_some() {
            words.extend(lines::SHEET_COMMANDS.map(str::to_owned));
        }
        let lexicon = self.view.view.as_ref().and_then(render::lexicon);
        self.screen.input.set_words(Vocabulary { lines: words, lexicon });
    }

    async fn obey_line(&mut self, line: Line) -> Result<Flow, Failure> {
        let Line::Text(text) = line else { return Ok(Flow::Leave) };
        let (mut flow, mut next) = (Flow::Stay, Some(text));
        while let (Flow::Stay, Some(text)) = (flow, next.take()) {
            flow = match self.obey(lines::read(&text)).await {
                Ok(flow) => flow,
                // A lost connection comes back; the rest is told, and the game goes on.
                Err(failure) => {
                    let is_unreadable = failure.place().is_some();
                    self.tell(&failure.pointing_into(&text));
                    if is_unreadable {
                        self.help_on_order(&text);
                    }
                    self.ask_again();
                    self.look_soon();
                    Flow::Stay
                }
            };
            next = self.ahead.take();
        }
        let may_type = self.shown.is_some() || self.end_was_told || self.screen.is_terminal();
        if flow == Flow::Stay && may_type && self.heard >= self.awaited {
            self.prompt();
        }
        Ok(flow)
    }
}

/// A message in the colour of faults; lines that point into a text stay plain.
fn painted(style: &Style, message: &str) -> String {
    match message.split_once('\n') {
        Some((first, rest)) => format!("{}\n{rest}", style.paint(first, Ink::Bad)),
        None => style.paint(message, Ink::Bad),
    }
}

/// Whether a player wants to read of it: what only keeps clients up to date is left out.
pub(super) fn is_news(event: &Event) -> bool {
    use event::Body;
    let housekeeping = matches!(
        event.body,
        Some(
            Body::DecisionOpened(_)
                | Body::DecisionClosed(_)
                | Body::OrdersAccepted(_)
                | Body::FlagsChanged(_)
                | Body::DeadlineChanged(_)
        )
    );
    let repeats =
        matches!(&event.body, Some(Body::Game(event)) if render::is_told_elsewhere(event));
    !housekeeping && !repeats && !event.text.is_empty()
}
