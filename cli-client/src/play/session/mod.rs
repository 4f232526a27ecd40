//! The session of a game, which reads events and input lines and draws the screen.

use std::time::Duration;

use heliopause_proto::v1::{
    Cursor, Event, Game, GameStatus, GetOffersResponse, GetViewResponse, StreamEventsRequest, event,
};
use tokio::time::{Instant, MissedTickBehavior, sleep_until};

use super::choices;
use super::input::{CompletionWords, Line};
use super::lines;
use super::screen::Screen;
use crate::commands::lobby::kept_entropy;
use crate::context::Context;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::follow::{Follower, StreamItem};
use crate::menu::Menu;
use crate::perspective::Perspective;
use crate::render::{self, Chronicle};
use crate::style::{Ink, Style};
use crate::table::{self, Table};
use crate::wording;
use crate::words::{Number, say};
pub(super) use confirmation::ConfirmMode;
use seen::Seen;

mod chat;
mod confirmation;
mod execute;
mod game_commands;
mod hotseat;
mod messages;
mod seen;
mod sheet;

/// The time without events after which the screen is redrawn. Events come in bursts.
const REDRAW_DELAY: Duration = Duration::from_millis(80);
/// The waiting time after which a prompt appears, for example to write to other players.
const PROMPT_DELAY: Duration = Duration::from_secs(6);
const RETRY_DELAY: Duration = Duration::from_secs(1);
const MEASURE_EVERY: Duration = Duration::from_millis(500);
const LATEST_MAX: usize = 24;
/// The minimum number of lines of a map.
pub(super) const MAP_MIN: usize = 10;

#[expect(clippy::struct_excessive_bools, reason = "the facts are independent")]
pub(super) struct Session<'a> {
    context: &'a Context,
    engine: Engine,
    table: Table,
    follower: Follower,
    seat_cursors: hotseat::SeatCursors,
    screen: &'a mut Screen,
    game: Game,
    view: GetViewResponse,
    asked: GetOffersResponse,
    menu: Menu,
    typed_ahead: Option<String>,
    rematch: Option<String>,
    shown: Option<(Option<u64>, Option<u64>)>,
    chronicle: Option<Box<dyn Chronicle>>,
    scene: Option<String>,
    last_map_lines: Vec<String>,
    /// The phase whose choices were shown, and the groups of choices.
    listed: (Option<u64>, Vec<String>),
    latest: Vec<String>,
    /// The seats whose messages the player hides.
    muted: Vec<u32>,
    seen: Seen,
    is_returning: bool,
    /// Whether the stream has sent all earlier events.
    is_live: bool,
    /// Whether the player has waited, and so may have looked away.
    waited: bool,
    heard: u64,
    awaited: u64,
    refresh_at: Option<Instant>,
    prompt_at: Option<Instant>,
    end_was_shown: bool,
    caution: ConfirmMode,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    Stay,
    Leave,
}

/// Plays until the player leaves. Returns the id of the next game if the player wants a rematch,
/// otherwise `None`.
pub(super) async fn run(
    context: &Context,
    engine: Engine,
    game: &str,
    screen: &mut Screen,
    caution: ConfirmMode,
) -> Result<Option<String>, Failure> {
    let table = Table { game: game.to_owned(), seat: None };
    let seen = Seen::load(context.profiles(), game);
    let is_returning = seen.event > 0;
    let after = is_returning.then_some(Cursor { number: seen.event, ..Cursor::default() });
    let game_id = game.to_owned();
    let request =
        StreamEventsRequest { game_id, after, chat: true, ..StreamEventsRequest::default() };
    let follower = Follower::new(engine.clone(), request);
    let mut session = Session {
        context,
        engine,
        table,
        follower,
        seat_cursors: hotseat::SeatCursors::new(),
        screen,
        game: Game::default(),
        view: GetViewResponse::default(),
        asked: GetOffersResponse::default(),
        menu: Menu::default(),
        typed_ahead: None,
        rematch: None,
        shown: None,
        chronicle: None,
        scene: None,
        last_map_lines: Vec::new(),
        listed: (None, Vec::new()),
        latest: Vec::new(),
        muted: Vec::new(),
        seen,
        is_returning,
        is_live: false,
        waited: false,
        heard: 0,
        awaited: 0,
        refresh_at: None,
        prompt_at: None,
        end_was_shown: false,
        caution,
    };
    session.load_mutes().await;
    let result = session.event_loop().await;
    if let (Err(failure), true) = (&result, session.screen.input.is_reading()) {
        // The line editor owns the terminal until the line ends.
        session.screen.print(&say!("play-press-enter-leave", failure = failure));
        session.screen.input.line().await;
    }
    result.map(|()| session.rematch)
}

impl Session<'_> {
    async fn event_loop(&mut self) -> Result<(), Failure> {
        // Subscribed once, so that no Ctrl-C is lost between two iterations.
        let interrupted = tokio::signal::ctrl_c();
        tokio::pin!(interrupted);
        let mut measure = tokio::time::interval(MEASURE_EVERY);
        measure.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let due = self.refresh_at.into_iter().chain(self.prompt_at).min();
            let flow = tokio::select! {
                heard = self.follower.next() => self.hear(heard?),
                line = self.screen.input.line() => self.execute_line(line).await?,
                () = sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => self.due().await?,
                _ = measure.tick(), if self.screen.is_terminal() => self.fit(),
                _ = &mut interrupted => Flow::Leave,
            };
            if flow == Flow::Leave {
                self.screen.stop_waiting();
                self.keep_seen();
                let told = if self.rematch.is_some() {
                    say!("play-starting-new-game")
                } else if self.end_was_shown {
                    say!("play-goodbye")
                } else {
                    say!("play-resume-cli-client-play", game = self.table.game)
                };
                self.screen.print(&self.screen.style.paint(told, Ink::Faint));
                return Ok(());
            }
        }
    }

    fn fit(&mut self) -> Flow {
        if self.screen.measure() && self.shown.is_some() {
            (self.shown, self.scene) = (None, None);
            self.refresh_soon();
        }
        Flow::Stay
    }

    fn keep_seen(&mut self) {
        if !self.game.sandbox && self.heard > self.seen.event {
            self.seen.event = self.heard;
        }
        if !self.game.sandbox {
            self.seen.keep(self.context.profiles(), &self.table.game);
        }
    }

    fn is_over(&self) -> bool {
        self.game.status() == GameStatus::Ended
    }

    fn hear(&mut self, heard: StreamItem) -> Flow {
        match heard {
            StreamItem::Opening(opening) => {
                self.game = opening.game.unwrap_or_default();
                // Show the question again, because much may have happened while the connection was
                // lost.
                self.screen.stop_waiting();
                self.shown = None;
                self.is_live = false;
                self.refresh_soon();
            }
            StreamItem::Event(event) => self.handle_event(&event),
            StreamItem::Chat(line) => self.hear_chat(&line),
            StreamItem::CaughtUp(cursor) => {
                self.heard = self.heard.max(cursor.number);
                self.is_live = true;
                self.refresh_soon();
            }
            StreamItem::FellBehind => self.refresh_soon(),
            StreamItem::Lost(..) => {
                self.screen.wait_for(&say!("play-connection-lost-reconnecting"));
            }
        }
        Flow::Stay
    }

    /// Handles an event. Prints the event immediately only while the player waits. Otherwise, the
    /// next screen shows the event.
    fn handle_event(&mut self, event: &Event) {
        self.heard = event.number;
        self.refresh_soon();
        let style = self.screen.style;
        let at_length = match (&mut self.chronicle, &event.body) {
            (Some(chronicle), Some(event::Body::Game(event))) => chronicle.tell(event, &style),
            _ => None,
        };
        let is_muted =
            matches!(&event.body, Some(event::Body::Message(letter)) if self.is_muted(letter));
        if !is_news(event) || self.is_own_message(event) || is_muted {
            return;
        }
        let told = at_length.unwrap_or_else(|| wording::event(&style, event));
        if self.is_live && self.shown.is_none() {
            return self.screen.print(&told);
        }
        self.latest.push(told);
    }

    fn is_own_message(&self, event: &Event) -> bool {
        matches!(&event.body, Some(event::Body::Message(letter))
            if letter.from_seat.is_some() && letter.from_seat == self.game.your_seat)
    }

    fn refresh_soon(&mut self) {
        self.refresh_at = Some(Instant::now() + REDRAW_DELAY);
    }

    /// Prepares for the next question. The prompt comes with the question, or after a while, because
    /// a prompt before the question would lack the progress.
    fn await_next(&mut self) {
        self.shown = None;
        self.prompt_at = self.screen.is_terminal().then(|| Instant::now() + PROMPT_DELAY);
        self.refresh_soon();
    }

    async fn due(&mut self) -> Result<Flow, Failure> {
        let now = Instant::now();
        if self.prompt_at.is_some_and(|end| end <= now) {
            self.prompt_at = None;
            self.prompt();
        }
        if self.refresh_at.is_some_and(|at| at <= now) {
            self.refresh_at = None;
            if self.heard >= self.awaited {
                match self.look().await {
                    Err(failure) if failure.is_transient() => {
                        self.screen.wait_for(&say!("play-engine-does-not-respond"));
                        self.shown = None;
                        self.refresh_at = Some(Instant::now() + RETRY_DELAY);
                    }
                    // The game ended after the session had fetched its status.
                    Err(failure) if failure.report().reason == "WRONG_STATUS" => {
                        self.refresh_soon();
                    }
                    looked => looked?,
                }
            }
        }
        Ok(Flow::Stay)
    }

    async fn look(&mut self) -> Result<(), Failure> {
        self.game = table::game(&self.engine, &self.table.game).await?;
        if self.switch_to_pending_seat().await? {
            // Opening the new seat's stream triggers the next update.
            return Ok(());
        }
        match self.game.status() {
            GameStatus::Forming => self.show_forming(),
            GameStatus::Revealing => self.reveal().await?,
            GameStatus::Ended | GameStatus::Cancelled => self.show_end().await?,
            _ => self.refresh_game().await?,
        }
        Ok(())
    }

    async fn refresh_game(&mut self) -> Result<(), Failure> {
        self.view = table::fetch(&self.engine, &self.table, false).await?;
        if self.chronicle.is_none() {
            self.chronicle =
                self.view.view.as_ref().and_then(|view| render::chronicle(view, &self.game));
        }
        if self.game.your_seat.is_none() {
            self.wait(&say!("play-watching-game"));
            if !self.screen.is_terminal() {
                self.prompt();
            }
            return Ok(());
        }
        self.asked = table::offers(&self.engine, &self.table).await?;
        self.menu = Menu::read(&self.asked)?;
        self.set_words();
        let is_asked = self.asked.decision.as_ref().is_some_and(|decision| !decision.ready);
        if !is_asked {
            self.shown = None;
            self.show_latest();
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

    fn show_question(&mut self) {
        self.screen.stop_waiting();
        self.prompt_at = None;
        let style = self.screen.style;
        self.show_latest();
        self.show_bulletin();
        let decision = self.asked.decision.iter();
        let mut lines: Vec<String> =
            decision.map(|decision| wording::decision(&style, decision)).collect();
        let is_same_phase = self.listed.0 == self.asked.phase && !self.listed.1.is_empty();
        let goal = wording::own_goal(self.own_seat(), &self.view.goals);
        lines.extend((!goal.is_empty() && !is_same_phase).then(|| style.paint(goal, Ink::Faint)));
        let hint = self.sheet_hint();
        if hint.is_none() || self.offers_lines() {
            lines.extend(self.new_choices(is_same_phase));
        }
        lines.extend(hint);
        let question = lines.join("\n");
        self.show_scene(crate::text::fitted(&question, style.width).lines().count());
        self.screen.print(&format!("\n{question}"));
        if std::mem::take(&mut self.waited) {
            self.screen.alert(&say!("play-turn", name = self.game.name));
        }
        self.keep_seen();
        self.prompt();
    }

    /// Returns the groups of choices. Within a phase, returns only those that have changed.
    fn new_choices(&mut self, is_same_phase: bool) -> Vec<String> {
        let groups = self.choices();
        let (_, last) = std::mem::replace(&mut self.listed, (self.asked.phase, groups.clone()));
        let new: Vec<String> =
            groups.iter().filter(|group| !last.contains(group)).cloned().collect();
        if !is_same_phase || new.len() == groups.len() {
            return groups;
        }
        let hint = self.screen.style.paint(say!("play-enter-lists-choices"), Ink::Faint);
        new.into_iter().chain([hint]).collect()
    }

    fn show_latest(&mut self) {
        let most = match self.screen.rows() {
            Some(rows) => (rows / 2).min(LATEST_MAX),
            None if self.screen.is_terminal() => LATEST_MAX,
            None => usize::MAX,
        };
        let mut lines = std::mem::take(&mut self.latest);
        if lines.is_empty() {
            return;
        }
        let heading = if std::mem::take(&mut self.is_returning) {
            say!("play-since-last-visit")
        } else {
            say!("play-just")
        };
        let before = lines.len().saturating_sub(most);
        lines.drain(..before);
        let style = self.screen.style;
        if before > 0 {
            let told = say!("play-more-history-shows", before = before, all = before + most);
            lines.insert(0, style.paint(format!("      {told}"), Ink::Faint));
        }
        lines.insert(0, style.paint(heading, Ink::Heading));
        self.screen.print(&format!("\n{}", lines.join("\n")));
    }

    fn own_seat(&self) -> Option<u32> {
        self.table.seat.or(self.game.your_seat)
    }

    fn choices(&self) -> Vec<String> {
        choices::overview(&self.screen.style, &self.menu.lines, self.screen.menu_lines())
    }

    /// Shows the map if it has changed, above a question of `below` lines.
    fn show_scene(&mut self, below: usize) {
        let drawing = self.view.view.as_ref().and_then(|view| render::drawing(view, &self.game));
        let scene = drawing.as_ref().and_then(|drawing| drawing.redraw_key());
        if self.screen.style.linear {
            self.print_map_changes(drawing.map(|drawing| drawing.list()).unwrap_or_default());
        } else if scene.is_none() || scene != self.scene {
            // The empty lines around the map and the prompt take 3 lines.
            let rows = self.screen.rows().map(|rows| rows.saturating_sub(below + 3).max(MAP_MIN));
            self.show_map(rows);
        }
        self.scene = scene;
    }

    fn print_map_changes(&mut self, lines: Vec<String>) {
        let width = self.screen.style.width;
        let is_new = |line: &&String| !self.last_map_lines.contains(line);
        let new: Vec<String> =
            lines.iter().filter(is_new).map(|line| crate::text::wrap(line, width, 2)).collect();
        if !new.is_empty() {
            let heading = if self.last_map_lines.is_empty() {
                say!("play-map")
            } else {
                say!("play-map-changes")
            };
            self.screen.print(&format!("\n{heading}\n{}", new.join("\n")));
        }
        self.last_map_lines = lines;
    }

    fn show_bulletin(&mut self) {
        if let Some(bulletin) = self.bulletin() {
            self.screen.print(&format!("\n{bulletin}"));
        }
    }

    /// Returns the player's orders of this phase, in games that list them.
    fn bulletin(&self) -> Option<String> {
        let view = self.view.view.as_ref()?;
        let bulletin = render::drawing(view, &self.game)?.bulletin()?;
        Some(bulletin.text(&self.screen.style))
    }

    /// Shows the map, or what fits into `rows` lines.
    fn show_map(&mut self, rows: Option<usize>) {
        let style = Style { rows, ..self.screen.style };
        let drawing = self.view.view.as_ref().and_then(|view| render::drawing(view, &self.game));
        let text = drawing.map_or_else(
            || wording::game(&self.screen.style, &self.game),
            |drawing| format!("\n{}", drawing.written(&style)),
        );
        self.screen.print(&text);
    }

    fn show_forming(&mut self) {
        let open = self.game.seats.iter().filter(|seat| wording::occupant(seat) == "open").count();
        let lead = self.game.you_are_host || self.game.you_are_game_master;
        let told = match (open, lead) {
            (0, true) => say!("play-waiting-full-host"),
            (0, false) => say!("play-waiting-full"),
            (open, true) => say!("play-waiting-open-host", count = Number(open)),
            (open, false) => say!("play-waiting-open", count = Number(open)),
        };
        self.wait(&told);
        self.prompt_at = None;
        if lead || self.screen.is_terminal() {
            self.prompt();
        }
    }

    async fn reveal(&mut self) -> Result<(), Failure> {
        if let Some(request) = kept_entropy(self.context, &self.table.game)? {
            self.engine.games().reveal_entropy(request).await?;
        }
        self.wait(&say!("play-waiting-players-reveal-their"));
        Ok(())
    }

    fn wait_for_others(&mut self) {
        self.waited = true;
        let status = self.game.status();
        let what = if status == GameStatus::Paused {
            say!("play-game-paused")
        } else if self.game.waits_for_automation {
            let on_turn = self.game.on_turn.filter(|_| self.game.on_turn != self.game.your_seat);
            let awaited = self.view.view.as_ref().and_then(render::awaited).or(on_turn);
            let url = self.context.url();
            match awaited.filter(|seat| *seat != 0) {
                None => say!("play-automated-seat-waiting-ai", url = url),
                Some(seat) => say!(
                    "play-seat-waiting-ai-client",
                    seat = wording::seat_name(&self.game, seat),
                    url = url
                ),
            }
        } else {
            let awaited = wording::awaited(&self.game, self.own_seat());
            let awaited = awaited.unwrap_or_else(|| say!("play-other-side"));
            let closing = wording::closing(&self.game).filter(|_| self.game.on_turn.is_none());
            match closing {
                Some(closing) => {
                    say!("play-waiting-for-closing", awaited = awaited, closing = closing)
                }
                None => say!("play-waiting-for", awaited = awaited),
            }
        };
        self.wait(&what);
    }

    fn prompt(&mut self) {
        let seat = self.table.seat.filter(|_| self.game.sandbox);
        let seat = seat.map(|seat| wording::seat_name(&self.game, seat)).unwrap_or_default();
        // A prompt that stays on the screen while the player waits could show outdated progress.
        let sees =
            self.screen.is_terminal() && !self.screen.uses_screen_reader() && self.shown.is_some();
        let progress =
            if sees { wording::progress(self.own_seat(), &self.view.goals) } else { String::new() };
        let parts: Vec<String> =
            [seat, progress].into_iter().filter(|part| !part.is_empty()).collect();
        self.screen.prompt(&format!("{}> ", parts.join(", ")));
    }

    fn wait(&mut self, what: &str) {
        self.screen.wait_for(what);
        let may_type = self.screen.is_spinning() || self.screen.uses_screen_reader();
        if may_type && self.prompt_at.is_none() {
            self.prompt_at = Some(Instant::now() + PROMPT_DELAY);
        }
    }

    async fn show_end(&mut self) -> Result<(), Failure> {
        if self.end_was_shown {
            return Ok(());
        }
        self.end_was_shown = true;
        self.shown = None;
        (self.asked, self.menu) = (GetOffersResponse::default(), Menu::default());
        self.screen.stop_waiting();
        self.prompt_at = None;
        self.scene = None;
        self.listed = (None, Vec::new());
        self.view =
            Perspective { revealed: self.is_over(), ..Perspective::now(&self.table, false) }
                .view(&self.engine)
                .await?;
        self.show_map(None);
        self.show_latest();
        if std::mem::take(&mut self.waited) {
            self.screen.alert(&say!("play-game-over", name = self.game.name));
        }
        self.keep_seen();
        self.show_result();
        self.prompt();
        Ok(())
    }

    fn show_result(&mut self) {
        let style = self.screen.style;
        let result =
            self.game.outcome.as_ref().map(|outcome| wording::outcome(&style, &self.game, outcome));
        let result = result.unwrap_or_else(|| say!("play-game-canceled"));
        let farewell =
            crate::text::wrap(&say!("play-everything-visible-rematch-starts"), style.width, 0);
        self.screen.print(&format!("\n{result}\n\n{}", style.paint(farewell, Ink::Faint)));
    }

    fn tell(&mut self, failure: &Failure) {
        let report = failure.report();
        let style = self.screen.style;
        let hint = if report.rule.is_empty() {
            String::new()
        } else {
            format!(" {}", say!("play-shows-rule", rule = report.rule))
        };
        let told = painted(&style, &report.message) + &style.paint(hint, Ink::Faint);
        self.screen.print(&told);
    }

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
        let commands = lines::commands(self.stored_sheet().is_some());
        let words = notations.chain(commands).collect();
        let lexicon = self.view.view.as_ref().and_then(render::lexicon);
        self.screen.input.set_words(CompletionWords { lines: words, lexicon });
    }

    async fn execute_line(&mut self, line: Line) -> Result<Flow, Failure> {
        let Line::Text(text) = line else { return Ok(Flow::Leave) };
        let (mut flow, mut next) = (Flow::Stay, Some(text));
        while let (Flow::Stay, Some(text)) = (flow, next.take()) {
            flow = match self.execute(lines::read(&text)).await {
                Ok(flow) => flow,
                Err(failure) => {
                    let is_unreadable = failure.place().is_some();
                    self.tell(&failure.with_excerpt(&text));
                    if is_unreadable {
                        self.help_on_order(&text);
                    }
                    self.ask_again();
                    self.refresh_soon();
                    Flow::Stay
                }
            };
            next = self.typed_ahead.take();
        }
        // The lines of a script wait for the next question, but a spectator is never asked.
        let is_asked = self.shown.is_some() || self.end_was_shown;
        let may_type = is_asked || self.game.your_seat.is_none() || self.screen.is_terminal();
        let is_due = self.heard >= self.awaited && self.prompt_at.is_none();
        if flow == Flow::Stay && may_type && is_due {
            self.prompt();
        }
        Ok(flow)
    }
}

fn painted(style: &Style, message: &str) -> String {
    match message.split_once('\n') {
        Some((first, rest)) => format!("{}\n{rest}", style.paint(first, Ink::Bad)),
        None => style.paint(message, Ink::Bad),
    }
}

/// Returns whether to show an event. Some events only keep clients up to date or are shown
/// elsewhere.
pub(super) fn is_news(event: &Event) -> bool {
    use event::Body;
    let is_shown = match &event.body {
        Some(
            Body::DecisionOpened(_)
            | Body::DecisionClosed(_)
            | Body::OrdersAccepted(_)
            | Body::FlagsChanged(_)
            | Body::DeadlineChanged(_),
        ) => false,
        Some(Body::Game(event)) => !render::is_redundant(event),
        _ => true,
    };
    is_shown && !event.text.is_empty()
}
