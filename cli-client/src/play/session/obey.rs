//! Doing what the player typed.

use heliopause_proto::v1::{
    AutomatedSeat, GameOrder, Orders, SetReadyRequest, StartGameRequest, SubmitOrdersRequest,
    VerifyGameRequest,
};

use super::{Flow, Session};
use crate::commands::{archive, look, order};
use crate::engine::request_id;
use crate::failure::Failure;
use crate::failure::about;
use crate::glance::{Glance, Look};
use crate::play::choices;
use crate::play::lines::{Ballot, HELP, SHEET_HELP, Wish};
use crate::render::{self, aim::Aim};
use crate::style::Ink;
use crate::table;
use crate::wording;

/// What is said of an order that waits for the end of its phase.
const KEPT: &str =
    "Taken. You may still order something else; type `ready` when you are done, or `undo`.";

/// What is said of an order after the end.
const OVER: &str = "The game is over, and nothing can be ordered any more. `rematch` starts the same \
                    game again; `history`, `map`, `chronicle FILE.html` and `verify` look back.";

/// What is said to whoever answers without a question.
const NOT_ASKED: &str = "Nothing is asked of you now.";

impl Session<'_> {
    pub(super) async fn obey(&mut self, wish: Wish) -> Result<Flow, Failure> {
        match wish {
            Wish::Quit => return Ok(Flow::Leave),
            Wish::Nothing => self.repeat(),
            Wish::Order(_)
            | Wish::Pick(..)
            | Wish::Ready(_)
            | Wish::TakeBack
            | Wish::Vote(Ballot::Propose(..))
            | Wish::Resign
                if self.is_over() =>
            {
                self.screen.print(OVER);
            }
            Wish::Ready(_) | Wish::TakeBack if self.asked.phase.is_none() => {
                self.screen.print(NOT_ASKED);
            }
            Wish::Pick(number, words) => self.pick(number, &words).await?,
            Wish::Order(text) if self.stored_sheet().is_some() => self.add_to_sheet(&text).await?,
            Wish::Order(text) => self.give(Vec::new(), text).await?,
            Wish::Help => self.help(),
            Wish::Rule(rule) => self.rule(&rule).await?,
            Wish::Why(event) => self.why(event).await?,
            Wish::Say(receivers, text) => self.say(&receivers, text).await?,
            Wish::Inbox(who) => self.inbox(&who).await?,
            Wish::Map(part) if part.is_empty() => self.show_map(),
            Wish::Map(part) => self.show_part(&part)?,
            Wish::Past(turn) => self.show_past(&turn).await?,
            Wish::Phases => self.phases().await?,
            Wish::Chronicle(file) => self.chronicle_into(&file).await?,
            Wish::Export(file) => {
                let text =
                    archive::export_into(&self.engine, &self.table.game, file.as_ref()).await?;
                self.screen.print(&text);
            }
            Wish::Vote(ballot) => self.vote(ballot).await?,
            Wish::Resign => self.resign().await?,
            Wish::Rematch => return self.rematch().await,
            Wish::Games => self.games().await?,
            Wish::Report(which) => self.report(&which).await?,
            Wish::Sheet => self.show_sheet()?,
            Wish::Drop(numbers) => self.drop_from_sheet(&numbers).await?,
            Wish::Clear => self.clear_sheet().await?,
            Wish::Read(file) => self.read_sheet(&file).await?,
            Wish::Write(file) => self.write_sheet(&file)?,
            Wish::Svg(file) => self.svg(&file).await?,
            Wish::History(count) => self.history(count).await?,
            Wish::List(text) => self.list(&text),
            Wish::Table => self.screen.print(&wording::game(&self.screen.style, &self.game)),
            Wish::Ready(ready) => self.ready(ready).await?,
            Wish::Start(level) => self.start(level).await?,
            Wish::Verify => self.verify().await?,
            Wish::TakeBack => self.take_back().await?,
        }
        Ok(Flow::Stay)
    }

    /// Shows again what is asked.
    pub(super) fn repeat(&mut self) {
        if self.end_was_told {
            return self.show_farewell();
        }
        let style = self.screen.style;
        let question =
            self.asked.decision.iter().map(|decision| wording::decision(&style, decision));
        let text: Vec<String> = question.chain([self.choices_text()]).collect();
        self.screen.print(text.join("\n").trim_end());
    }

    async fn pick(&mut self, number: usize, words: &[String]) -> Result<(), Failure> {
        let line = self.menu.pick(number, words)?;
        if line.is_grave() && self.sure.replace(number) != Some(number) {
            let told =
                format!("{}: this cannot be made good. Type {number} again to do it.", line.label);
            self.screen.print(&self.screen.style.paint(told, Ink::Notice));
            return Ok(());
        }
        self.sure = None;
        if self.offers_lines() {
            return self.add_to_sheet(&line.notation).await;
        }
        let order = table::typed(&self.engine, &self.table, &line).await?;
        self.give(vec![order], String::new()).await
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
        self.look_soon();
        table::whole(response.taken, response.refused.as_ref())?;
        // Nothing happens yet, and nothing else would say that it was heard.
        if self.asked.decision.as_ref().is_some_and(|decision| decision.revisable)
            && !self.offers_lines()
        {
            self.screen.print(&self.screen.style.paint(KEPT, Ink::Good));
        }
        Ok(())
    }

    fn help(&mut self) {
        let examples: Vec<&str> =
            self.menu.lines.iter().map(|line| line.notation.as_str()).take(3).collect();
        let mut text = format!("{}\n{HELP}", self.screen.style.paint("At the table", Ink::Heading));
        if !examples.is_empty() {
            text = format!("{text}\nOrders you could type now: {}", examples.join("; "));
        }
        if self.stored_sheet().is_some() {
            text = format!(
                "{text}\n\n{}\n{SHEET_HELP}",
                self.screen.style.paint("Order sheets", Ink::Heading)
            );
        }
        if let Some(notation) = render::notation(&self.game.kind) {
            text = format!(
                "{text}\n\n{}\n{notation}",
                self.screen.style.paint("Orders", Ink::Heading)
            );
        }
        self.screen.print(&text);
    }

    async fn rule(&mut self, rule: &str) -> Result<(), Failure> {
        let style = self.screen.style;
        let text = look::ruling(&style, &self.engine, &self.game.kind, rule).await?;
        self.screen.print(&text);
        Ok(())
    }

    async fn why(&mut self, event: u64) -> Result<(), Failure> {
        let (_, text) =
            look::explanation(&self.screen.style, &self.engine, &self.table, event).await?;
        self.screen.print(&text);
        Ok(())
    }

    async fn svg(&mut self, file: &str) -> Result<(), Failure> {
        let glance = Glance::now(&self.table, false);
        let picture = glance.picture(&self.engine, &Aim::default(), &Look::default()).await?;
        std::fs::write(file, picture).map_err(|error| about(file.as_ref(), &error))?;
        self.screen.print(&format!("The map is in {file}."));
        Ok(())
    }

    async fn history(&mut self, count: usize) -> Result<(), Failure> {
        let after = self.heard.saturating_sub(count as u64);
        let events = table::events(&self.engine, &self.table, false, after).await?;
        self.screen.print(&look::lines(&self.screen.style, &events));
        Ok(())
    }

    fn list(&mut self, text: &str) {
        let style = self.screen.style;
        self.screen.print(&choices::search(&style, &self.menu.lines, text));
    }

    async fn ready(&mut self, ready: bool) -> Result<(), Failure> {
        if ready && !self.is_done().await? {
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
        self.shown = None;
        self.look_soon();
        Ok(())
    }

    async fn take_back(&mut self) -> Result<(), Failure> {
        table::take_back(&self.engine, &self.table, self.asked.phase).await?;
        self.screen.print(order::TAKEN_BACK);
        self.shown = None;
        self.look_soon();
        Ok(())
    }

    async fn start(&mut self, level: String) -> Result<(), Failure> {
        let fill = Some(AutomatedSeat { level, ..AutomatedSeat::default() });
        let request =
            StartGameRequest { game_id: self.table.game.clone(), fill, request_id: request_id()? };
        self.engine.games().start_game(request).await?;
        self.look_soon();
        Ok(())
    }

    async fn verify(&mut self) -> Result<(), Failure> {
        let request = VerifyGameRequest { game_id: self.table.game.clone() };
        let found = self.engine.games().verify_game(request).await?.into_inner();
        self.screen.print(&archive::findings(&self.screen.style, &found));
        Ok(())
    }
}
