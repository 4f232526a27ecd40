//! Order sheets in a session, partial maps, and turn reports.

use heliopause_proto::v1::Orders;
use heliopause_scenario::nearest::nearest;

use super::Session;
use super::execute::save;
use crate::commands::{order, sheet};
use crate::failure::Failure;
use crate::perspective::{self, Perspective, When};
use crate::play::lines;
use crate::render::{self, aim::MapRequest};
use crate::style::Ink;
use crate::text::harmless;
use crate::words::{Number, say};

/// The minimum length of a word that the client suggests. Almost any typo is near a shorter word.
const SHORTEST_SUGGESTED: usize = 3;

impl Session<'_> {
    pub(super) fn stored_sheet(&self) -> Option<Vec<String>> {
        self.view.view.as_ref().and_then(render::sheet)
    }

    pub(super) fn offers_lines(&self) -> bool {
        self.stored_sheet().is_some()
            && self.asked.offers.as_ref().is_some_and(|offers| offers.sheet)
    }

    pub(super) fn sheet_hint(&self) -> Option<String> {
        let told =
            say!("play-sheet-help-orders-explains", count = Number(self.stored_sheet()?.len()));
        Some(self.screen.style.paint(told, Ink::Faint))
    }

    pub(super) fn show_sheet_changed(&mut self) {
        self.screen.stop_waiting();
        self.prompt_at = None;
        self.latest.clear();
        let lines = self.stored_sheet().unwrap_or_default();
        let told = say!("play-sheet-orders-shows-sheet", count = Number(lines.len()));
        self.screen.print(&self.screen.style.paint(told, Ink::Faint));
        self.prompt();
    }

    /// Adds lines to the stored sheet, unless one of these lines is rejected.
    pub(super) async fn add_to_sheet(&mut self, text: &str) -> Result<(), Failure> {
        let style = self.screen.style;
        // Check the new lines alone first, so that positions of errors refer to these lines.
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
        // Warnings about stored lines were shown when the lines were stored.
        if let Some(checked) = &mut found.checked {
            checked.rows.drain(..stored.len().min(checked.rows.len()));
            checked.rejected.retain(|line| *line >= stored.len());
        }
        for (line, ..) in &mut found.faults {
            *line = line.saturating_sub(stored.len());
        }
        if found.refused() > 0 {
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
        let cost = self.menu.cost_words(text);
        self.submit(Vec::new(), all).await?;
        self.show_cost(cost);
        if remarks.is_some() {
            self.screen
                .print(&style.paint(say!("play-stored-warning-current-position"), Ink::Notice));
        }
        Ok(())
    }

    pub(super) fn help_on_order(&mut self, text: &str) {
        let word = text.split_whitespace().next().unwrap_or_default();
        let hint = if render::help(&self.game.kind, word).is_some() {
            say!("play-explains-notation", word = word.to_uppercase())
        } else {
            let hint = say!("play-help-lists-commands-help");
            match self.nearest_word(word) {
                Some(word) => say!("play-did-mean", word = word, hint = hint),
                None => hint,
            }
        };
        self.screen.print(&self.screen.style.paint(hint, Ink::Faint));
    }

    /// Returns the command or the first word of an order that is nearest to a word.
    fn nearest_word(&self, word: &str) -> Option<String> {
        let lexicon = self.view.view.as_ref().and_then(render::lexicon);
        let orders = lexicon.map(|lexicon| lexicon.complete("").1).unwrap_or_default();
        suggested(word, orders.into_iter().chain(lines::commands(self.stored_sheet().is_some())))
    }

    pub(super) async fn drop_from_sheet(&mut self, numbers: &[usize]) -> Result<(), Failure> {
        let lines = self.stored_sheet().ok_or_else(no_sheet)?;
        if let Some(wrong) = numbers.iter().find(|number| !(1..=lines.len()).contains(number)) {
            let told = say!("play-line-does-not-exist", wrong = wrong, count = Number(lines.len()));
            return Err(Failure::failed(told));
        }
        let kept = (1..).zip(lines).filter(|(number, _)| !numbers.contains(number));
        let kept: Vec<String> = kept.map(|(_, line)| line).collect();
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

    /// Replaces the sheet with the contents of a file. Returns an error if a line is unreadable.
    pub(super) async fn read_sheet(&mut self, file: &str) -> Result<(), Failure> {
        self.stored_sheet().ok_or_else(no_sheet)?;
        let text = crate::input::read_file(file.as_ref())?;
        let text = text.trim_end().to_owned();
        let orders = Orders { orders: Vec::new(), text: text.clone() };
        let found = sheet::check(&self.engine, &self.table, orders, sheet::FAULTS_MAX).await?;
        self.screen.print(&sheet::findings(&self.screen.style, &text, &found));
        if !found.faults.is_empty() {
            let told = say!(
                "play-nothing-stored-correct-first",
                count = Number(found.faults.len()),
                file = file
            );
            return Err(Failure::failed(told));
        }
        self.submit(Vec::new(), text).await
    }

    pub(super) fn part(&self, part: &str) -> Result<String, Failure> {
        let drawing = self.view.view.as_ref().and_then(|view| render::drawing(view, &self.game));
        let drawing = drawing.ok_or_else(|| Failure::failed(say!("play-map-not-available-yet")))?;
        let drawing = drawing.for_request(&MapRequest::read(part)).map_err(Failure::failed)?;
        Ok(format!("\n{}", drawing.written(&self.screen.style)))
    }

    pub(super) async fn past(&self, turn: &str) -> Result<String, Failure> {
        let phases = perspective::phases(&self.engine, &self.table.game).await?;
        let phase = perspective::named(&phases, turn)?;
        let perspective = Perspective {
            at_phase: Some(phase.number),
            revealed: self.is_over(),
            ..Perspective::now(&self.table, false)
        };
        let map = perspective.map(&self.engine, &MapRequest::default(), &self.screen.style).await?;
        let heading = self.screen.style.paint(end_of(&phase.title), Ink::Heading);
        Ok(format!("\n{heading}\n{map}"))
    }

    pub(super) async fn report(&self, which: &str) -> Result<String, Failure> {
        let file = Some(which).filter(|which| which.contains('.'));
        let perspective = self.perspective(if file.is_some() { "" } else { which }).await?;
        // Always show the player's own report, even after the game.
        let perspective = Perspective { revealed: false, ..perspective };
        let style = Some(&self.screen.style).filter(|_| file.is_none());
        let report = perspective.report(&self.engine, style).await?;
        file.map_or_else(
            || Ok(format!("\n{report}")),
            |file| {
                save(file, &report)?;
                Ok(say!("play-saved-report", file = file))
            },
        )
    }

    pub(super) async fn perspective(&self, turn: &str) -> Result<Perspective, Failure> {
        let when = When {
            turn: Some(turn.to_owned()).filter(|turn| !turn.is_empty()),
            phase: None,
            revealed: self.is_over(),
        };
        Perspective::at(&self.engine, &self.table, false, &when).await
    }
}

/// Returns the first word of the known line that is nearest to a word.
fn suggested(word: &str, known: impl Iterator<Item = String>) -> Option<String> {
    let words: Vec<String> = known
        .filter_map(|line| line.split(' ').next().map(str::to_lowercase))
        .filter(|known| known.len() >= SHORTEST_SUGGESTED)
        .collect();
    let word = word.to_lowercase();
    let found = nearest(&word, words.iter().map(String::as_str));
    found.filter(|found| *found != word).map(str::to_owned)
}

/// Returns the heading of an earlier map. The map itself names the next turn, which has just
/// opened.
fn end_of(title: &str) -> String {
    say!("play-end", title = harmless(title))
}

pub(super) fn no_sheet() -> Failure {
    Failure::failed(say!("play-game-no-order-sheets"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_command_is_suggested() {
        let suggested = |word| {
            suggested(word, ["ready", "H", "vote draw", "MOVE "].map(str::to_owned).into_iter())
        };
        assert_eq!(
            ["redy", "vtoe", "mov", "g", "foo", "ready"].map(suggested),
            [Some("ready".into()), Some("vote".into()), Some("move".into()), None, None, None]
        );
    }

    #[test]
    fn an_earlier_map_names_the_phase_that_ended() {
        assert_eq!(end_of("Turn 1 of 44"), "The end of Turn 1 of 44");
    }
}
