//! The tutorial: the learner types those steps of a scenario that have text.

use std::path::Path;

use clap::Args;
use clap::builder::PossibleValuesParser;
use heliopause_proto::v1::{CancelGameRequest, Orders, ValidateOrdersRequest};
use heliopause_render::aim::MapRequest;
use heliopause_scenario::file::{Action, File, Scenario, Step};
use heliopause_scenario::run::StepRunner;

use super::lines::{self, LineCommand};
use super::screen::Screen;
use super::session::MAP_MIN;
use crate::commands::look;
use crate::engine::{Engine, request_id};
use crate::failure::Failure;
use crate::perspective::Perspective;
use crate::render;
use crate::style::{Ink, Style};
use crate::table::{self, Table};
use crate::text::wrap;
use crate::words::say;

macro_rules! lessons {
    ($($kind:literal),*) => {
        [$(($kind, include_str!(concat!("../../../examples/scenarios/tutorials/", $kind, ".json")))),*]
    };
}

const LESSONS: [(&str, &str); 7] = lessons![
    "starships-at-large",
    "star-empires",
    "stellar-conquest",
    "fate-of-empire",
    "alone-in-outer-space",
    "diplomacy",
    "it-came-from-outer-space"
];
const LEARNER_SEAT: u32 = 1;
/// The number of lines of a step with its news and its question.
const STEP_LINES: usize = 12;

/// Teach a game step by step.
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/learn.txt"))]
pub struct LearnArgs {
    /// Kind of game.
    #[arg(value_parser = PossibleValuesParser::new(LESSONS.map(|(kind, _)| kind)))]
    pub kind: String,
}

/// Plays the tutorial of a kind of game.
pub(super) async fn teach(engine: &Engine, kind: &str, screen: &mut Screen) -> Result<(), Failure> {
    let Some((_, lesson)) = LESSONS.iter().find(|(known, _)| *known == kind) else {
        let kinds = LESSONS.map(|(kind, _)| kind).join(", ");
        return Err(Failure::usage(say!(
            "learn-no-tutorial-kinds-tutorial",
            kind = kind,
            kinds = kinds
        )));
    };
    let file = File::parse(Path::new(kind), lesson)
        .map_err(|flaws| Failure::failed(say!("learn-tutorial-not-valid", flaws = flaws)))?;
    let scenario =
        file.scenarios.first().ok_or_else(|| Failure::failed(say!("learn-tutorial-empty")))?;
    let stage = StepRunner::open(engine, scenario).await?;
    let table = Table { game: stage.game().to_owned(), seat: Some(LEARNER_SEAT) };
    let mut lesson = Lesson {
        engine,
        stage,
        perspective: Perspective::now(&table, false),
        screen,
        told: 0,
        map: String::new(),
    };
    let taught = lesson.run(scenario, kind).await;
    // Nobody can continue the game of a tutorial, so it must not stay in the menu.
    let game_id = table.game;
    let request = CancelGameRequest { game_id, request_id: request_id()? };
    let canceled = engine.masters().cancel_game(request).await;
    taught?;
    canceled?;
    Ok(())
}

struct Lesson<'a> {
    engine: &'a Engine,
    stage: StepRunner<'a>,
    perspective: Perspective,
    screen: &'a mut Screen,
    told: u64,
    map: String,
}

impl Lesson<'_> {
    /// Teaches the steps, until the learner leaves.
    async fn run(&mut self, scenario: &Scenario, kind: &str) -> Result<(), Failure> {
        self.show_changes().await?;
        let last = scenario.steps.iter().filter(|step| !step.tell.is_empty()).count();
        let mut number = 0;
        for step in &scenario.steps {
            if !step.tell.is_empty() {
                number += 1;
                self.say(&say!("learn-step", number = number, last = last, tell = step.tell));
                if !self.wait_for(step, kind).await? {
                    return Ok(());
                }
            }
            self.stage.take(step).await?;
            self.tell_events().await?;
            // Without a terminal, `map` shows the map on request.
            if self.screen.rows().is_some() {
                self.show_changes().await?;
            }
        }
        self.say(&say!("learn-completes-tutorial-start-own", kind = kind));
        Ok(())
    }

    fn say(&mut self, text: &str) {
        let style = self.screen.style;
        let text = wrap(text, style.width.min(80), 0);
        self.screen.print(&format!("\n{}", style.paint(text, Ink::Heading)));
    }

    /// Waits until the learner types the line of the step. Returns false if the learner leaves.
    async fn wait_for(&mut self, step: &Step, kind: &str) -> Result<bool, Failure> {
        let Some(wanted) = typed(&step.action) else { return Ok(true) };
        loop {
            let hint = say!("learn-type", wanted = wanted);
            self.screen.print(&self.screen.style.paint(hint, Ink::Notice));
            let Some(line) = self.screen.question("> ").await else { return Ok(false) };
            let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
            match word {
                "quit" | "exit" | "q" => return Ok(false),
                "map" => self.show_map(rest).await?,
                "?" | "rule" if !rest.is_empty() => {
                    let style = self.screen.style;
                    let text = look::ruling(&style, self.engine, kind, rest).await;
                    self.screen.print(&text.unwrap_or_else(|failure| failure.to_string()));
                }
                _ => match self.fits(&line, &step.action, &wanted).await {
                    Ok(true) => return Ok(true),
                    Ok(false) => {
                        let told = say!("learn-tutorial-expects-another-line");
                        let told = wrap(&told, self.screen.style.width, 0);
                        self.screen.print(&self.screen.style.paint(told, Ink::Faint));
                    }
                    Err(failure) => {
                        let told = failure.with_excerpt(&line).report().message.clone();
                        self.screen.print(&self.screen.style.paint(told, Ink::Bad));
                    }
                },
            }
        }
    }

    /// Returns whether the engine reads a line as the order of a step.
    async fn fits(&self, line: &str, action: &Action, wanted: &str) -> Result<bool, Failure> {
        let words = |line: &str| line.splitn(3, ' ').map(str::to_owned).collect::<Vec<_>>();
        match action {
            _ if alike(line, wanted) => Ok(true),
            Action::Say(_) => {
                let [line, wanted] = [words(line), words(wanted)];
                Ok(line.len() == 3 && line[..2] == wanted[..2])
            }
            Action::Order(_) if matches!(lines::read(line), LineCommand::Order(_)) => {
                Ok(self.read(line).await? == self.read(wanted).await?)
            }
            _ => Ok(false),
        }
    }

    /// Returns the engine's notation of the orders in a line.
    async fn read(&self, line: &str) -> Result<Vec<String>, Failure> {
        let request = ValidateOrdersRequest {
            game_id: self.stage.game().to_owned(),
            seat: Some(LEARNER_SEAT),
            orders: Some(Orders { orders: Vec::new(), text: line.to_owned() }),
        };
        let response = self.engine.games().validate_orders(request).await?.into_inner();
        Ok(response.verdicts.into_iter().map(|verdict| verdict.notation).collect())
    }

    async fn show_map(&mut self, part: &str) -> Result<(), Failure> {
        let map =
            self.perspective.map(self.engine, &MapRequest::read(part), &self.screen.style).await?;
        self.screen.print(&format!("\n{map}"));
        Ok(())
    }

    /// Shows the part of the map that fits above a step, if it has changed.
    async fn show_changes(&mut self) -> Result<(), Failure> {
        let view = self.perspective.view(self.engine).await?;
        let game = table::game(self.engine, self.stage.game()).await?;
        let drawing = view.view.as_ref().and_then(|view| render::drawing(view, &game));
        let rows = self.screen.rows().map(|rows| rows.saturating_sub(STEP_LINES).max(MAP_MIN));
        let style = Style { rows, ..self.screen.style };
        let map = drawing.map(|drawing| drawing.written(&style)).unwrap_or_default();
        if map != self.map {
            self.screen.print(&format!("\n{map}"));
            self.map = map;
        }
        Ok(())
    }

    async fn tell_events(&mut self) -> Result<(), Failure> {
        let events = self.perspective.events(self.engine, self.told).await?;
        self.told = events.last().map_or(self.told, |event| event.number);
        let news: Vec<_> = events.into_iter().filter(super::session::is_news).collect();
        if !news.is_empty() {
            self.screen.print(&look::lines(&self.screen.style, &news));
        }
        Ok(())
    }
}

/// Returns the line that the learner types for a step, or `None` for actions without a command.
fn typed(action: &Action) -> Option<String> {
    match action {
        // A sheet contains the earlier lines too.
        Action::Order(orders) => orders.text.lines().last().map(str::to_owned),
        Action::Ready(true) => Some("ready".to_owned()),
        Action::Say(letter) => {
            let to: Vec<String> = letter.to.iter().map(ToString::to_string).collect();
            Some(format!("say @{} {}", to.join(","), letter.text))
        }
        _ => None,
    }
}

fn alike(line: &str, wanted: &str) -> bool {
    let bare = |text: &str| text.split_whitespace().collect::<String>().to_lowercase();
    bare(line) == bare(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lesson_is_valid_and_has_ten_typed_steps_or_more() {
        for (kind, text) in LESSONS {
            let file = File::parse(Path::new(kind), text)
                .unwrap_or_else(|flaws| panic!("{kind}: {flaws}"));
            let steps = &file.scenarios[0].steps;
            let told = steps.iter().filter(|step| !step.tell.is_empty());
            assert!(told.clone().count() >= 10, "{kind}");
            for step in told {
                assert_eq!(step.seat, LEARNER_SEAT, "{kind}: {}", step.title);
                assert!(typed(&step.action).is_some_and(|line| !line.is_empty()), "{}", step.title);
            }
        }
    }

    #[test]
    fn spaces_and_case_are_ignored() {
        assert!(alike("Move a1 TO (1, 0)", "move A1 to (1,0)") && !alike("end", "move"));
    }
}
