//! Carries out the player's commands.

use heliopause_proto::v1::{
    AutomatedSeat, Game, GameOrder, GameStatus, Orders, SetReadyRequest, StartGameRequest,
    SubmitOrdersRequest, VerifyGameRequest,
};

use super::sheet::no_sheet;
use super::{Flow, Session};
use crate::commands::{archive, look, order, sheet};
use crate::engine::request_id;
use crate::failure::{Failure, about};
use crate::perspective::{self, Look, Perspective};
use crate::play::choices;
use crate::play::lines::{Ballot, HELP, LineCommand, MORE_HELP, SHEET_HELP};
use crate::render::{self, aim::MapRequest};
use crate::style::Ink;
use crate::table;
use crate::wording;
use crate::words::{Number, say};

/// Returns whether a command needs an open phase. The engine rejects such a command without an open
/// phase.
fn needs_phase(wish: &LineCommand) -> bool {
    matches!(
        wish,
        LineCommand::Order(_)
            | LineCommand::Pick(..)
            | LineCommand::Ready(_)
            | LineCommand::TakeBack
            | LineCommand::Drop(_)
            | LineCommand::Clear
            | LineCommand::Read(_)
    )
}

pub(super) fn save(file: &str, text: &str) -> Result<(), Failure> {
    std::fs::write(file, text).map_err(|error| about(file.as_ref(), &error))
}

fn is_before_start(game: &Game) -> bool {
    matches!(game.status(), GameStatus::Forming | GameStatus::Revealing)
}

impl Session<'_> {
    pub(super) async fn execute(&mut self, wish: LineCommand) -> Result<Flow, Failure> {
        match wish {
            LineCommand::Quit => return Ok(Flow::Leave),
            LineCommand::Nothing => self.repeat(),
            LineCommand::Incomplete(command, forms) => {
                let told = say!("play-needs-more-type", command = command, forms = forms);
                self.screen.print(&self.screen.style.paint(told, Ink::Bad));
            }
            LineCommand::Order(_)
            | LineCommand::Pick(..)
            | LineCommand::Ready(_)
            | LineCommand::TakeBack
            | LineCommand::Vote(Ballot::Propose(..))
            | LineCommand::Resign
                if self.is_over() =>
            {
                self.screen.print(&say!("play-game-over-orders-no"));
            }
            wish if is_before_start(&self.game) && needs_phase(&wish) => {
                self.screen.print(&say!("play-game-not-started-orders"));
            }
            LineCommand::Ready(_) | LineCommand::TakeBack if self.asked.phase.is_none() => {
                self.screen.print(&say!("play-no-decision"));
            }
            LineCommand::Ready(_) if self.asks_at_once() => {
                self.screen.print(&say!("play-order-carried-out-once"));
            }
            LineCommand::Pick(number, words) => self.pick(number, &words).await?,
            LineCommand::Order(text) if self.stored_sheet().is_some() => {
                self.add_to_sheet(&text).await?;
            }
            LineCommand::Order(text) => {
                let cost = self.menu.cost_words(&text);
                self.submit_confirmed(Vec::new(), text).await?;
                self.show_cost(cost);
            }
            LineCommand::Help(topic) => self.help(&topic).await?,
            LineCommand::Say(receivers, text) => self.say(&receivers, text).await?,
            LineCommand::Inbox(who) => self.inbox(&who).await?,
            LineCommand::Chat(text) => self.chat(text).await?,
            LineCommand::Mute(who, mutes) => self.mute(&who, mutes).await?,
            LineCommand::Complain(number, comment) => self.complain(number, comment).await?,
            LineCommand::Map(part) if part.is_empty() => self.show_map(None),
            LineCommand::Vote(ballot) => self.vote(ballot).await?,
            LineCommand::Resign => self.resign().await?,
            LineCommand::Rematch => return self.rematch().await,
            LineCommand::Games => self.games().await?,
            LineCommand::Drop(numbers) => self.drop_from_sheet(&numbers).await?,
            LineCommand::Clear => self.clear_sheet().await?,
            LineCommand::Read(file) => self.read_sheet(&file).await?,
            LineCommand::Ready(ready) => self.ready(ready).await?,
            LineCommand::Start(level) => self.start(level).await?,
            LineCommand::TakeBack => self.take_back().await?,
            shows => {
                let text = self.text_of(shows).await?;
                self.screen.print(&text);
            }
        }
        Ok(Flow::Stay)
    }

    /// Returns the text of a command that only shows or saves something.
    async fn text_of(&self, wish: LineCommand) -> Result<String, Failure> {
        let (engine, table, game, style) =
            (&self.engine, &self.table, &self.game, &self.screen.style);
        Ok(match wish {
            LineCommand::Rule(rule) => look::ruling(style, engine, &game.kind, &rule).await?,
            LineCommand::Why(event) => look::explanation(style, engine, table, event).await?.1,
            LineCommand::Phases => {
                look::phase_lines(style, &perspective::phases(engine, &table.game).await?)
            }
            LineCommand::Map(part) => self.part(&part)?,
            LineCommand::Past(turn) => self.past(&turn).await?,
            LineCommand::Report(which) => self.report(&which).await?,
            LineCommand::Chronicle(file) => self.chronicle_into(&file).await?,
            LineCommand::Export(file) => {
                archive::export_into(engine, &table.game, file.as_ref()).await?
            }
            LineCommand::Sheet => match (self.stored_sheet(), self.bulletin()) {
                (Some(lines), _) => sheet::show(style, &lines),
                (None, Some(orders)) => orders,
                (None, None) => return Err(no_sheet()),
            },
            LineCommand::Write(file) => {
                let lines = self.stored_sheet().ok_or_else(no_sheet)?;
                save(&file, &format!("{}\n", lines.join("\n")))?;
                say!("play-saved", count = Number(lines.len()), file = file)
            }
            LineCommand::Svg(file) => {
                let perspective = Perspective::now(table, false);
                let (aim, look) = (MapRequest::default(), Look::default());
                save(&file, &perspective.picture(engine, &aim, &look).await?)?;
                say!("play-saved-map", file = file)
            }
            LineCommand::History(count) => {
                let after = self.heard.saturating_sub(count as u64);
                look::lines(style, &table::events(engine, table, false, after).await?)
            }
            LineCommand::List(text) => choices::search(style, &self.menu.lines, &text),
            LineCommand::Verify => {
                let request = VerifyGameRequest { game_id: table.game.clone() };
                let found = engine.games().verify_game(request).await?.into_inner();
                archive::findings(style, &found)
            }
            _ => wording::game(style, game),
        })
    }

    pub(super) fn repeat(&mut self) {
        if self.end_was_shown {
            return self.show_result();
        }
        let style = self.screen.style;
        let question =
            self.asked.decision.iter().map(|decision| wording::decision(&style, decision));
        let text: Vec<String> = question.chain(self.choices()).collect();
        self.screen.print(text.join("\n").trim_end());
    }

    async fn pick(&mut self, number: usize, words: &[String]) -> Result<(), Failure> {
        let line = self.menu.pick(number, words)?;
        if line.is_grave() && !self.confirms_grave(number, &line).await {
            return Ok(());
        }
        if self.offers_lines() {
            return self.add_to_sheet(&line.notation).await;
        }
        let order = table::typed(&self.engine, &self.table, &line).await?;
        let cost = self.menu.cost_words(&line.notation);
        self.submit_confirmed(vec![order], String::new()).await?;
        self.show_cost(cost);
        Ok(())
    }

    /// Shows what a stored order costs.
    pub(super) fn show_cost(&mut self, cost: Option<String>) {
        if let Some(cost) = cost.filter(|_| !self.asks_at_once()) {
            self.screen.print(&self.screen.style.paint(cost, Ink::Faint));
        }
    }

    pub(super) async fn submit(
        &mut self,
        orders: Vec<GameOrder>,
        text: String,
    ) -> Result<(), Failure> {
        let request = SubmitOrdersRequest {
            game_id: self.table.game.clone(),
            seat: self.table.seat,
            phase: self.asked.phase,
            revision: self.asked.revision,
            request_id: request_id()?,
            orders: Some(Orders { orders, text }),
            ready: false,
        };
        let response = self.engine.games().submit_orders(request).await?.into_inner();
        self.awaited = response.cursor.map_or(0, |cursor| cursor.number);
        self.refresh_soon();
        table::whole(response.accepted_count, response.refused.as_ref())?;
        // The order has no visible effect yet, so confirm it.
        if self.asked.decision.as_ref().is_some_and(|decision| decision.revisable)
            && !self.offers_lines()
        {
            self.screen
                .print(&self.screen.style.paint(say!("play-order-stored-can-change"), Ink::Good));
        }
        Ok(())
    }

    /// Shows what the player can do now and the most important commands, all commands, the
    /// notation of orders, or a term, an order or a rule.
    async fn help(&mut self, topic: &str) -> Result<(), Failure> {
        let style = self.screen.style;
        let kind = &self.game.kind;
        if !matches!(topic, "" | "orders" | "all") {
            let text = look::ruling(&style, &self.engine, kind, topic).await?;
            self.screen.print(&text);
            return Ok(());
        }
        let section =
            |title: &str, text: &str| format!("{}\n{text}", style.paint(title, Ink::Heading));
        let mut sections = Vec::new();
        if let Some(decision) = self.asked.decision.as_ref().filter(|_| topic.is_empty())
            && let Some(guide) = look::guide(&self.engine, kind, decision).await?
        {
            sections.push(section(
                &say!("play-now"),
                &crate::text::wrap(&guide, style.width.min(100), 0),
            ));
        }
        let commands = say!("play-commands");
        match topic {
            "orders" => {}
            "all" => sections.push(section(&commands, &format!("{HELP}\n{MORE_HELP}"))),
            _ => sections.push(section(&commands, HELP)),
        }
        if self.stored_sheet().is_some() && !topic.is_empty() {
            sections.push(section(&say!("play-order-sheets"), SHEET_HELP));
        }
        if let Some(notation) = render::notation(&self.game.kind).filter(|_| topic == "orders") {
            sections.push(section(&say!("play-orders"), notation));
        }
        let examples = self.menu.lines.iter().filter(|line| line.open.is_empty()).take(3);
        let examples: Vec<&str> = examples.map(|line| line.notation.as_str()).collect();
        if !examples.is_empty() {
            sections.push(say!("play-orders-can-type", examples = examples.join("; ")));
        }
        self.screen.print(&sections.join("\n\n"));
        Ok(())
    }

    async fn ready(&mut self, ready: bool) -> Result<(), Failure> {
        if ready && !self.confirms_ready().await? {
            return Ok(());
        }
        let request = SetReadyRequest {
            game_id: self.table.game.clone(),
            seat: self.table.seat,
            phase: self.asked.phase,
            ready,
            request_id: request_id()?,
            dry_run: false,
        };
        self.engine.games().set_ready(request).await?;
        self.await_next();
        Ok(())
    }

    async fn take_back(&mut self) -> Result<(), Failure> {
        table::take_back(&self.engine, &self.table, self.asked.phase).await?;
        self.screen.print(&order::taken_back());
        self.await_next();
        Ok(())
    }

    async fn start(&mut self, level: String) -> Result<(), Failure> {
        let fill = Some(AutomatedSeat { level, ..AutomatedSeat::default() });
        let request =
            StartGameRequest { game_id: self.table.game.clone(), fill, request_id: request_id()? };
        self.engine.games().start_game(request).await?;
        self.refresh_soon();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::lines::read;

    #[test]
    fn orders_before_the_start_are_not_sent() {
        for line in ["move A1 to (1,0)", "3", "ready", "undo", "drop 2", "clear", "read a.txt"] {
            assert!(needs_phase(&read(line)), "{line}");
        }
        for line in ["start strong", "say hello", "table", "help", "quit", "vote draw", "map"] {
            assert!(!needs_phase(&read(line)), "{line}");
        }
        let is_before = |status: GameStatus| {
            is_before_start(&Game { status: status.into(), ..Game::default() })
        };
        assert!(is_before(GameStatus::Forming) && !is_before(GameStatus::Running));
    }
}
