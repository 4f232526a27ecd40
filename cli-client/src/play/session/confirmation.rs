//! Asks for confirmation of warnings before an action.

use heliopause_proto::v1::{GameOrder, Offers, Orders, Warning};

use super::Session;
use crate::commands::confirmation::is_yes;
use crate::failure::Failure;
use crate::menu::{Line, Menu};
use crate::play::choices;
use crate::play::lines::{self, LineCommand};
use crate::style::Ink;
use crate::table;
use crate::text::harmless;
use crate::wording;
use crate::words::say;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::play) enum ConfirmMode {
    Asks,
    Skips,
}

#[derive(Debug, PartialEq)]
enum Answer {
    Proceed,
    Cancel,
    Another(String),
    /// An order that avoids the warning.
    Instead(Orders),
}

impl Session<'_> {
    pub(super) async fn submit_confirmed(
        &mut self,
        orders: Vec<GameOrder>,
        text: String,
    ) -> Result<(), Failure> {
        let mut given = Orders { orders, text };
        while self.asks_at_once() {
            let warnings =
                table::warnings_of(&self.engine, &self.table, given.clone(), false).await;
            match self.confirm_warnings(&warnings).await? {
                Answer::Proceed => break,
                Answer::Cancel => {
                    self.stay();
                    return Ok(());
                }
                Answer::Another(line) => {
                    self.read_next(line);
                    return Ok(());
                }
                Answer::Instead(instead) => given = instead,
            }
        }
        self.submit(given.orders, given.text).await
    }

    pub(super) fn asks_at_once(&self) -> bool {
        self.asked.decision.as_ref().is_some_and(|decision| !decision.revisable)
    }

    /// Asks for confirmation of the warnings about being ready. Returns false if the player
    /// cancels, types another line, or picks an order instead. Submits such an order.
    pub(super) async fn confirms_ready(&mut self) -> Result<bool, Failure> {
        let warnings =
            table::warnings_when_ready(&self.engine, &self.table, self.asked.phase).await?;
        match self.confirm_warnings(&warnings).await? {
            Answer::Proceed => Ok(true),
            Answer::Cancel => {
                self.stay();
                Ok(false)
            }
            Answer::Another(line) => {
                self.read_next(line);
                Ok(false)
            }
            Answer::Instead(Orders { text, .. }) if self.offers_lines() => {
                self.add_to_sheet(&text).await.map(|()| false)
            }
            Answer::Instead(Orders { orders, text }) => {
                self.submit(orders, text).await.map(|()| false)
            }
        }
    }

    /// Asks for confirmation of an irreversible choice.
    pub(super) async fn confirms_grave(&mut self, number: usize, line: &Line) -> bool {
        let what = if line.open.is_empty() { &line.label } else { &line.notation };
        let told = say!("play-cannot-be-undone", what = what);
        self.screen.print(&self.screen.style.paint(told, Ink::Notice));
        let question = say!("play-type-yes-confirm", number = number);
        let answer = self.screen.question(&question).await.unwrap_or_default();
        let is_confirmed = is_yes(&answer) || answer == number.to_string();
        if !is_confirmed {
            self.stay();
        }
        is_confirmed
    }

    fn stay(&mut self) {
        self.screen.print(&say!("play-canceled"));
        self.repeat();
    }

    fn read_next(&mut self, line: String) {
        let told = say!("play-canceled-next", line = harmless(&line));
        self.screen.print(&self.screen.style.paint(told, Ink::Faint));
        self.typed_ahead = Some(line);
    }

    async fn confirm_warnings(&mut self, warnings: &[Warning]) -> Result<Answer, Failure> {
        if warnings.is_empty() || self.caution == ConfirmMode::Skips {
            return Ok(Answer::Proceed);
        }
        let style = self.screen.style;
        let heading = style.paint(say!("play-before-continue"), Ink::Heading);
        self.screen.print(&format!("\n{heading}\n{}", wording::warnings(&style, warnings)));
        let numbered = warnings.iter().any(|warning| warning.fix.is_some());
        let question = if numbered {
            say!("play-continue-yes-number-order")
        } else {
            say!("play-continue-yes-another-order")
        };
        loop {
            let Some(answer) = self.screen.question(&question).await else {
                return Ok(Answer::Cancel);
            };
            if is_yes(&answer) {
                return Ok(Answer::Proceed);
            }
            if matches!(answer.trim().to_lowercase().as_str(), "" | "n" | "no" | "q" | "quit") {
                return Ok(Answer::Cancel);
            }
            let Ok(number) = answer.trim().parse::<usize>() else {
                return Ok(Answer::Another(answer));
            };
            let warning = number.checked_sub(1).and_then(|index| warnings.get(index));
            if let Some(mend) = warning.and_then(|warning| warning.fix.as_ref()) {
                return self.choose_instead(mend).await;
            }
            let told = if warning.is_some() {
                say!("play-warning-no-alternative-order", number = number)
            } else {
                say!("play-warning-does-not-exist", number = number, last = warnings.len())
            };
            self.screen.print(&style.paint(told, Ink::Bad));
        }
    }

    async fn choose_instead(&mut self, mend: &Offers) -> Result<Answer, Failure> {
        let menu = Menu::of(mend)?;
        if let [Line { open, .. }] = menu.lines.as_slice()
            && open.is_empty()
        {
            return menu.pick(1, &[]).map(|line| self.instead(&line));
        }
        let style = self.screen.style;
        let list = choices::overview(&style, &menu.lines, self.screen.menu_lines());
        self.screen.print(&list.join("\n"));
        let question = say!("play-which-number-values-order");
        loop {
            let Some(answer) = self.screen.question(&question).await else {
                return Ok(Answer::Cancel);
            };
            let picked = match lines::read(&answer) {
                LineCommand::Pick(number, words) => menu.pick(number, &words),
                LineCommand::Order(text) => {
                    return Ok(Answer::Instead(Orders { orders: Vec::new(), text }));
                }
                _ => return Ok(Answer::Cancel),
            };
            match picked {
                Ok(line) => return Ok(self.instead(&line)),
                Err(failure) => self.tell(&failure),
            }
        }
    }

    fn instead(&self, line: &Line) -> Answer {
        let orders = match &line.order {
            Some(order) if !self.offers_lines() => {
                Orders { orders: vec![order.clone()], text: String::new() }
            }
            Some(_) | None => Orders { orders: Vec::new(), text: line.notation.clone() },
        };
        Answer::Instead(orders)
    }
}
