//! Order sheets at the table: lines are checked, and stored unless they are rejected. Maps of
//! parts, and turn reports.

use heliopause_proto::v1::Orders;

use super::Session;
use crate::commands::{order, sheet};
use crate::failure::Failure;
use crate::failure::about;
use crate::glance::{Glance, When};
use crate::render::{self, aim::Aim};
use crate::style::Ink;
use crate::text::count;

/// Shown after a line that is stored although it may fail.
const STORED_WITH_WARNING: &str = "Stored with this warning: as things are now, the line will do nothing \
    or less than it says. `orders` lists the sheet, `drop N` takes a line off it.";

impl Session<'_> {
    /// The lines of the stored sheet; none in games without sheets.
    pub(super) fn stored_sheet(&self) -> Option<Vec<String>> {
        self.view.view.as_ref().and_then(render::sheet)
    }

    /// Whether what is offered are lines for the sheet.
    pub(super) fn offers_lines(&self) -> bool {
        self.stored_sheet().is_some()
            && self.asked.offers.as_ref().is_some_and(|offers| offers.sheet)
    }

    /// Where to begin, in games with sheets.
    pub(super) fn sheet_hint(&self) -> Option<String> {
        let orders = count(self.stored_sheet()?.len(), "order");
        let told = format!(
            "{orders} on the sheet. `help` tells how orders are written, `report` tells the turn \
             at length."
        );
        Some(self.screen.style.paint(told, Ink::Faint))
    }

    /// The player changed their sheet: the map stands on the screen already.
    pub(super) fn show_sheet_changed(&mut self) {
        self.screen.stop_waiting();
        self.patience_ends = None;
        self.latest.clear();
        let lines = self.stored_sheet().unwrap_or_default();
        let told = format!(
            "{} on the sheet. `orders` shows them, `ready` says that you are done.",
            count(lines.len(), "order")
        );
        self.screen.print(&self.screen.style.paint(told, Ink::Faint));
        self.prompt();
    }

    /// Checks new lines behind the stored ones, and stores all unless a new one is rejected.
    pub(super) async fn add_to_sheet(&mut self, text: &str) -> Result<(), Failure> {
        let style = self.screen.style;
        // A line that cannot be read is shown as in games without sheets, with the place in it.
        let alone = Orders { orders: Vec::new(), text: text.to_owned() };
        let alone = sheet::check(&self.engine, &self.table, alone, sheet::FAULTS_MAX).await?;
        if !alone.faults.is_empty() {
            self.screen.print(&sheet::faults(&style, text, &alone).join("\n"));
            self.help_on_order(text);
            return Ok(());
        }
        let stored = self.stored_sheet().unwrap_or_default();
        let all = stored.iter().map(String::as_str).chain([text]).collect::<Vec<_>>().join("\n");
        let orders = Orders { orders: Vec::new(), text: all.clone() };
        let mut found = sheet::check(&self.engine, &self.table, orders, sheet::FAULTS_MAX).await?;
        // What is stored already was told when it was stored.
        if let Some(checked) = &mut found.checked {
            checked.rows.drain(..stored.len().min(checked.rows.len()));
            checked.rejected.retain(|line| *line >= stored.len());
        }
        let faults = std::mem::take(&mut found.faults);
        found.faults = faults
            .into_iter()
            .map(|(line, column, why)| (line.saturating_sub(stored.len()), column, why))
            .collect();
        let is_bad = found.refused() > 0;
        if is_bad {
            let mut told = sheet::faults(&style, text, &found);
            told.extend(found.checked.as_ref().map(|checked| checked.rows_text(&style, false)));
            if told.iter().all(String::is_empty) {
                told.extend(found.verdicts.iter().map(|verdict| order::verdict(&style, verdict)));
            }
            told.retain(|line| !line.is_empty());
            self.screen.print(&told.join("\n"));
            self.help_on_order(text);
            return Ok(());
        }
        let remarks = found.checked.filter(render::Checked::has_remarks);
        if let Some(checked) = &remarks {
            self.screen.print(&checked.rows_text(&style, false));
        }
        self.submit(Vec::new(), all).await?;
        if remarks.is_some() {
            self.screen.print(&style.paint(STORED_WITH_WARNING, Ink::Notice));
        }
        Ok(())
    }

    /// Where to read how the order is written that went wrong.
    pub(super) fn help_on_order(&mut self, text: &str) {
        let word = text.split_whitespace().next().unwrap_or_default();
        let hint = if render::help(&self.game.kind, word).is_some() {
            format!("`? {}` tells how it is written.", word.to_uppercase())
        } else {
            "`help` lists the commands and shows how orders are written.".to_owned()
        };
        self.screen.print(&self.screen.style.paint(hint, Ink::Faint));
    }

    pub(super) fn show_sheet(&mut self) -> Result<(), Failure> {
        let lines = self.stored_sheet().ok_or_else(no_sheet)?;
        self.screen.print(&sheet::show(&self.screen.style, &lines));
        Ok(())
    }

    pub(super) async fn drop_from_sheet(&mut self, numbers: &[usize]) -> Result<(), Failure> {
        let lines = self.stored_sheet().ok_or_else(no_sheet)?;
        if let Some(wrong) = numbers.iter().find(|number| !(1..=lines.len()).contains(number)) {
            return Err(Failure::failed(format!(
                "The sheet has no line {wrong}; it has {}.",
                count(lines.len(), "line")
            )));
        }
        let kept: Vec<String> = (1..)
            .zip(lines)
            .filter(|(number, _)| !numbers.contains(number))
            .map(|(_, line)| line)
            .collect();
        if kept.is_empty() {
            self.clear_sheet().await
        } else {
            self.submit(Vec::new(), kept.join("\n")).await
        }
    }

    pub(super) async fn clear_sheet(&mut self) -> Result<(), Failure> {
        let order = self.view.view.as_ref().and_then(render::empty_sheet).ok_or_else(no_sheet)?;
        self.submit(vec![order], String::new()).await
    }

    /// Stores the sheet of a file; what it lacks is told line by line, and the rest is stored.
    pub(super) async fn read_sheet(&mut self, file: &str) -> Result<(), Failure> {
        self.stored_sheet().ok_or_else(no_sheet)?;
        let text = crate::input::read_file(file.as_ref())?;
        let text = text.trim_end().to_owned();
        let orders = Orders { orders: Vec::new(), text: text.clone() };
        let found = sheet::check(&self.engine, &self.table, orders, sheet::FAULTS_MAX).await?;
        self.screen.print(&sheet::findings(&self.screen.style, &text, &found));
        if !found.faults.is_empty() {
            return Err(Failure::failed(
                "Nothing was stored: correct the lines that cannot be read first.",
            ));
        }
        self.submit(Vec::new(), text).await
    }

    pub(super) fn write_sheet(&mut self, file: &str) -> Result<(), Failure> {
        let lines = self.stored_sheet().ok_or_else(no_sheet)?;
        std::fs::write(file, format!("{}\n", lines.join("\n")))
            .map_err(|error| about(file.as_ref(), &error))?;
        self.screen.print(&format!("{} written to {file}.", count(lines.len(), "order")));
        Ok(())
    }

    /// The map around a place, or a layer of it.
    pub(super) fn show_part(&mut self, part: &str) -> Result<(), Failure> {
        let drawing = self.view.view.as_ref().and_then(|view| render::drawing(view, &self.game));
        let drawing = drawing.ok_or_else(|| Failure::failed("There is no map to draw yet."))?;
        let drawing = drawing.aimed(&Aim::read(part)).map_err(Failure::failed)?;
        self.screen.print(&format!("\n{}", drawing.written(&self.screen.style)));
        Ok(())
    }

    /// The map as it was when an earlier turn had ended.
    pub(super) async fn show_past(&mut self, turn: &str) -> Result<(), Failure> {
        let glance = self.glance(turn).await?;
        let map = glance.map(&self.engine, &Aim::default(), &self.screen.style).await?;
        self.screen.print(&format!("\n{map}"));
        Ok(())
    }

    /// The turn report, of now or of an earlier turn; or as a page in a file.
    pub(super) async fn report(&mut self, which: &str) -> Result<(), Failure> {
        let file = Some(which).filter(|which| which.contains('.'));
        let glance = self.glance(if file.is_some() { "" } else { which }).await?;
        // The game master's report is no player's.
        let glance = Glance { revealed: false, ..glance };
        let style = Some(&self.screen.style).filter(|_| file.is_none());
        let report = glance.report(&self.engine, style).await?;
        let Some(file) = file else {
            self.screen.print(&format!("\n{report}"));
            return Ok(());
        };
        std::fs::write(file, report).map_err(|error| about(file.as_ref(), &error))?;
        self.screen.print(&format!("The report is in {file}."));
        Ok(())
    }

    /// A look at the end of an earlier turn; at the present if none is named. Once the game is over
    /// everything is seen.
    pub(super) async fn glance(&self, turn: &str) -> Result<Glance, Failure> {
        let when = When {
            turn: Some(turn.to_owned()).filter(|turn| !turn.is_empty()),
            phase: None,
            revealed: self.is_over(),
        };
        Glance::at(&self.engine, &self.table, false, &when).await
    }
}

fn no_sheet() -> Failure {
    Failure::failed("This game has no order sheets: each order is given by itself.")
}
