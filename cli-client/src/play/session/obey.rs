//! Doing what the player typed.

use heliopause_proto::v1::{
    AutomatedSeat, GameOrder, GetRuleRequest, Orders, SendMessageRequest, SetReadyRequest,
    StartGameRequest, SubmitOrdersRequest, VerifyGameRequest,
};

use super::{Flow, Session};
use crate::commands::{archive, look, talk};
use crate::engine::request_id;
use crate::failure::Failure;
use crate::failure::about;
use crate::play::choices;
use crate::play::lines::{HELP, NO_UNDO, SHEET_HELP, Wish, find_seat};
use crate::render;
use crate::style::Ink;
use crate::table;
use crate::wording;

impl Session<'_> {
    pub(super) async fn obey(&mut self, wish: Wish) -> Result<Flow, Failure> {
        match wish {
            Wish::Quit => return Ok(Flow::Leave),
            Wish::Nothing => self.repeat(),
            Wish::Pick(number) => self.pick(number).await?,
            Wish::Order(text) if self.stored_sheet().is_some() => self.add_to_sheet(&text).await?,
            Wish::Order(text) => self.submit(Vec::new(), text).await?,
            Wish::Help => self.help(),
            Wish::Rule(number) => self.rule(number).await?,
            Wish::Why(event) => self.why(event).await?,
            Wish::Say(receivers, text) => self.say(&receivers, text).await?,
            Wish::Inbox => self.inbox().await?,
            Wish::Map(part) if part.is_empty() => self.show_map(),
            Wish::Map(part) => self.show_part(&part)?,
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
            Wish::Undo => self.screen.print(NO_UNDO),
        }
        Ok(Flow::Stay)
    }

    /// Shows again what is asked.
    fn repeat(&mut self) {
        let style = self.screen.style;
        let question =
            self.asked.decision.iter().map(|decision| wording::decision(&style, decision));
        let text: Vec<String> = question.chain([self.choices_text()]).collect();
        self.screen.print(text.join("\n").trim_end());
    }

    async fn pick(&mut self, number: usize) -> Result<(), Failure> {
        let line = self.menu.pick(number)?.clone();
        if line.grave && self.sure.replace(number) != Some(number) {
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
        self.submit(vec![order], String::new()).await
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
        table::whole(response.taken, response.refused.as_ref())
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
        } else {
            text = format!("{text}\n\n{NO_UNDO}");
        }
        if let Some(notation) = render::notation(&self.game.kind) {
            text = format!(
                "{text}\n\n{}\n{notation}",
                self.screen.style.paint("Orders", Ink::Heading)
            );
        }
        self.screen.print(&text);
    }

    async fn rule(&mut self, number: String) -> Result<(), Failure> {
        if let Some(help) = render::help(&self.game.kind, &number) {
            self.screen.print(&help);
            return Ok(());
        }
        let request = GetRuleRequest { kind: self.game.kind.clone(), rule: number };
        let rule =
            self.engine.games().get_rule(request).await?.into_inner().rule.unwrap_or_default();
        self.screen.print(&look::rule_text(&self.screen.style, &rule.number, &rule.text));
        Ok(())
    }

    async fn why(&mut self, event: u64) -> Result<(), Failure> {
        let (_, text) =
            look::explanation(&self.screen.style, &self.engine, &self.table, event).await?;
        self.screen.print(&text);
        Ok(())
    }

    async fn say(&mut self, receivers: &[String], text: String) -> Result<(), Failure> {
        let no_seat = |name: &String| {
            Failure::failed(format!("Nobody here is called `{name}`."))
                .advise("`table` shows the seats.")
        };
        let view = self.view.view.as_ref();
        let named =
            |name: &String| find_seat(&self.game, name).or_else(|| render::seat_named(view?, name));
        let seat = |name: &String| named(name).ok_or_else(|| no_seat(name));
        let to_seats = receivers.iter().map(seat).collect::<Result<Vec<u32>, Failure>>()?;
        let request = SendMessageRequest {
            game_id: self.table.game.clone(),
            seat: self.table.seat,
            to_all: to_seats.is_empty(),
            to_seats,
            text,
            request_id: request_id()?,
            ..SendMessageRequest::default()
        };
        self.engine.games().send_message(request).await?;
        Ok(())
    }

    async fn inbox(&mut self) -> Result<(), Failure> {
        let messages = talk::messages(&self.engine, &self.table).await?;
        let lines: Vec<String> = messages
            .iter()
            .map(|message| wording::dated_message(&self.screen.style, &self.game, message))
            .collect();
        self.screen.print(if lines.is_empty() { "No messages." } else { "Messages" });
        self.screen.print(&lines.join("\n"));
        Ok(())
    }

    async fn svg(&mut self, file: &str) -> Result<(), Failure> {
        let told = table::last_events(&self.engine, &self.table, false, &self.view).await?;
        let drawing =
            self.view.view.as_ref().and_then(|view| render::drawing_after(view, &self.game, &told));
        let drawing = drawing.ok_or_else(|| Failure::failed("There is no map to draw yet."))?;
        std::fs::write(file, drawing.svg()).map_err(|error| about(file.as_ref(), &error))?;
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
        let request = SetReadyRequest {
            game_id: self.table.game.clone(),
            seat: self.table.seat,
            phase: self.asked.phase,
            ready,
            request_id: request_id()?,
        };
        self.engine.games().set_ready(request).await?;
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
