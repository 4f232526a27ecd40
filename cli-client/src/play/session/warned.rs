//! Asking before something is done by which a player would leave something undone, or risk it.

use heliopause_proto::v1::{GameOrder, Offers, Orders, Warning};

use super::Session;
use crate::commands::warned::is_yes;
use crate::failure::Failure;
use crate::menu::{Line, Menu};
use crate::play::choices;
use crate::play::lines::{self, Wish};
use crate::style::Ink;
use crate::table;
use crate::text::harmless;
use crate::wording;

/// Whether a player is asked before they leave something undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::play) enum Caution {
    Asks,
    GoesOn,
}

/// What a player does who was warned.
#[derive(Debug, PartialEq)]
enum Answer {
    GoOn,
    GoBack,
    /// The player typed another line, which is read as usual.
    Another(String),
    /// Another order, which would fix it.
    Instead(Orders),
}

impl Session<'_> {
    /// Gives orders; before one that is resolved at once the player is asked, if there is something
    /// of which to warn them.
    pub(super) async fn give(
        &mut self,
        orders: Vec<GameOrder>,
        text: String,
    ) -> Result<(), Failure> {
        let mut given = Orders { orders, text };
        while self.asks_at_once() {
            let warnings =
                table::warnings_of(&self.engine, &self.table, given.clone(), false).await;
            match self.heed(&warnings).await? {
                Answer::GoOn => break,
                Answer::GoBack => {
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

    /// Whether a decision is open whose orders are resolved at once.
    fn asks_at_once(&self) -> bool {
        self.asked.decision.as_ref().is_some_and(|decision| !decision.revisable)
    }

    /// Whether the player is ready although they leave something undone. What they choose instead
    /// is done.
    pub(super) async fn is_done(&mut self) -> Result<bool, Failure> {
        let warnings =
            table::warnings_when_ready(&self.engine, &self.table, self.asked.phase).await?;
        match self.heed(&warnings).await? {
            Answer::GoOn => Ok(true),
            Answer::GoBack => {
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

    fn stay(&mut self) {
        self.screen.print("Nothing was done.");
        self.repeat();
    }

    /// Goes back, and keeps the line that the player typed instead of an answer.
    fn read_next(&mut self, line: String) {
        let told = format!("Nothing was done. Next: {}", harmless(&line));
        self.screen.print(&self.screen.style.paint(told, Ink::Faint));
        self.ahead = Some(line);
    }

    /// Shows the warnings, and asks whether to go on.
    async fn heed(&mut self, warnings: &[Warning]) -> Result<Answer, Failure> {
        if warnings.is_empty() || self.caution == Caution::GoesOn {
            return Ok(Answer::GoOn);
        }
        let style = self.screen.style;
        let heading = style.paint("Before you go on", Ink::Heading);
        self.screen.print(&format!("\n{heading}\n{}", wording::warnings(&style, warnings)));
        let numbered = warnings.iter().any(|warning| warning.mend.is_some());
        let question = if numbered {
            "Go on? (yes, a number, an order, or Enter to go back): "
        } else {
            "Go on? (yes, another order, or Enter to go back): "
        };
        loop {
            let Some(answer) = self.screen.question(question).await else {
                return Ok(Answer::GoBack);
            };
            if is_yes(&answer) {
                return Ok(Answer::GoOn);
            }
            if matches!(answer.trim().to_lowercase().as_str(), "" | "n" | "no" | "q" | "quit") {
                return Ok(Answer::GoBack);
            }
            let Ok(number) = answer.trim().parse::<usize>() else {
                return Ok(Answer::Another(answer));
            };
            let warning = number.checked_sub(1).and_then(|index| warnings.get(index));
            if let Some(mend) = warning.and_then(|warning| warning.mend.as_ref()) {
                return self.choose_instead(mend).await;
            }
            let told = format!("{number} offers nothing to do instead.");
            self.screen.print(&style.paint(told, Ink::Bad));
        }
    }

    /// Asks which order of an offer, if it makes several.
    async fn choose_instead(&mut self, mend: &Offers) -> Result<Answer, Failure> {
        let menu = Menu::of(mend)?;
        if let [Line { open, .. }] = menu.lines.as_slice()
            && open.is_empty()
        {
            return menu.pick(1, &[]).map(|line| self.instead(&line));
        }
        let style = self.screen.style;
        self.screen.print(&choices::overview(&style, &menu.lines, self.screen.room()));
        let question = "Which? (a number with what it asks for, an order, or Enter to go back): ";
        loop {
            let Some(answer) = self.screen.question(question).await else {
                return Ok(Answer::GoBack);
            };
            let picked = match lines::read(&answer) {
                Wish::Pick(number, words) => menu.pick(number, &words),
                Wish::Order(text) => {
                    return Ok(Answer::Instead(Orders { orders: Vec::new(), text }));
                }
                _ => return Ok(Answer::GoBack),
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
