//! A first turn taught: a lesson is a scenario whose steps say what the learner is told. They type
//! what a step does; what others do is done for them.

use std::path::Path;

use heliopause_render::aim::Aim;
use heliopause_scenario::file::{Action, File, Step};
use heliopause_scenario::run::Stage;

use super::screen::Screen;
use crate::commands::look;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::glance::Glance;
use crate::style::Ink;
use crate::table::Table;
use crate::text::wrap;

/// The lessons by kind of game.
const LESSONS: [(&str, &str); 3] = [
    (
        "starships-at-large",
        include_str!("../../../examples/scenarios/tutorials/starships-at-large.json"),
    ),
    ("diplomacy", include_str!("../../../examples/scenarios/tutorials/diplomacy.json")),
    ("star-empires", include_str!("../../../examples/scenarios/tutorials/star-empires.json")),
];
/// The seat of whoever learns.
const LEARNER: u32 = 1;

/// Teaches the first turn of a kind of game.
pub(super) async fn teach(engine: &Engine, kind: &str, screen: &mut Screen) -> Result<(), Failure> {
    let Some((_, lesson)) = LESSONS.iter().find(|(known, _)| *known == kind) else {
        let kinds = LESSONS.map(|(kind, _)| kind).join(", ");
        return Err(Failure::usage(format!("There are lessons in {kinds}.")));
    };
    let file = File::parse(Path::new(kind), lesson)
        .map_err(|flaws| Failure::failed(format!("The lesson cannot be read: {flaws}")))?;
    let scenario = file.scenarios.first().ok_or_else(|| Failure::failed("The lesson is empty."))?;
    let stage = Stage::open(engine, scenario).await?;
    let table = Table { game: stage.game().to_owned(), seat: Some(LEARNER) };
    let mut lesson = Lesson { engine, stage, glance: Glance::now(&table, false), screen, told: 0 };
    lesson.show_map("").await?;
    let last = scenario.steps.iter().filter(|step| !step.tell.is_empty()).count();
    let mut number = 0;
    for step in &scenario.steps {
        if !step.tell.is_empty() {
            number += 1;
            lesson.say(&format!("Step {number} of {last}. {}", step.tell));
            if !lesson.wait_for(step, kind).await? {
                return Ok(());
            }
        }
        lesson.stage.take(step).await?;
        lesson.tell_events().await?;
    }
    lesson.say("That is a turn. Begin a game of your own with `cli-client play`.");
    Ok(())
}

/// A lesson under way.
struct Lesson<'a> {
    engine: &'a Engine,
    stage: Stage<'a>,
    glance: Glance,
    screen: &'a mut Screen,
    /// The last event that was shown.
    told: u64,
}

impl Lesson<'_> {
    fn say(&mut self, text: &str) {
        let style = self.screen.style;
        let text = wrap(text, style.width.min(80), 0);
        self.screen.print(&format!("\n{}", style.paint(text, Ink::Heading)));
    }

    /// Waits until the learner has typed what a step does; false if they leave.
    async fn wait_for(&mut self, step: &Step, kind: &str) -> Result<bool, Failure> {
        let Some(wanted) = typed(&step.action) else { return Ok(true) };
        loop {
            let hint = format!("Type: {wanted}");
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
                _ if fits(&line, &step.action, &wanted) => return Ok(true),
                _ => {
                    let told = "In a game that may be a fine order. In this lesson type the line \
                                below; `map` shows the map, `? RULE` a rule, `quit` leaves.";
                    let told = wrap(told, self.screen.style.width, 0);
                    self.screen.print(&self.screen.style.paint(told, Ink::Faint));
                }
            }
        }
    }

    async fn show_map(&mut self, part: &str) -> Result<(), Failure> {
        let map = self.glance.map(self.engine, &Aim::read(part), &self.screen.style).await?;
        self.screen.print(&format!("\n{map}"));
        Ok(())
    }

    /// What happened since it was last told.
    async fn tell_events(&mut self) -> Result<(), Failure> {
        let events = self.glance.events(self.engine, self.told).await?;
        self.told = events.last().map_or(self.told, |event| event.number);
        let news: Vec<_> = events.into_iter().filter(super::session::is_news).collect();
        if !news.is_empty() {
            self.screen.print(&look::lines(&self.screen.style, &news));
        }
        Ok(())
    }
}

/// What the learner types for a step; none for what nobody types at the table.
fn typed(action: &Action) -> Option<String> {
    match action {
        // A sheet holds the earlier lines too.
        Action::Order(orders) => orders.text.lines().last().map(str::to_owned),
        Action::Ready(true) => Some("ready".to_owned()),
        Action::Say(letter) => {
            let to: Vec<String> = letter.to.iter().map(ToString::to_string).collect();
            Some(format!("say @{} {}", to.join(","), letter.text))
        }
        Action::Look
        | Action::Pick(_)
        | Action::Validate(_)
        | Action::Ready(false)
        | Action::Dice(_)
        | Action::Advance(_)
        | Action::Close
        | Action::Master(_)
        | Action::Automate(_)
        | Action::HandBack(_)
        | Action::Abandon(_)
        | Action::Resign
        | Action::Excuse(_)
        | Action::Pause(_)
        | Action::Declare(_) => None,
    }
}

/// Whether a line does what a step wants. What a letter says is the learner's affair.
fn fits(line: &str, action: &Action, wanted: &str) -> bool {
    let [line_to, wanted_to] = [line, wanted].map(|line| line.splitn(3, ' ').collect::<Vec<_>>());
    match action {
        Action::Say(_) => line_to.len() == 3 && line_to[..2] == wanted_to[..2],
        _ => alike(line, wanted),
    }
}

/// Whether two lines are the same but for spaces and capitals.
fn alike(line: &str, wanted: &str) -> bool {
    let bare = |text: &str| text.split_whitespace().collect::<String>().to_lowercase();
    bare(line) == bare(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lesson_can_be_read_and_has_ten_steps_to_type() {
        for (kind, text) in LESSONS {
            let file = File::parse(Path::new(kind), text)
                .unwrap_or_else(|flaws| panic!("{kind}: {flaws}"));
            let steps = &file.scenarios[0].steps;
            let told = steps.iter().filter(|step| !step.tell.is_empty());
            assert_eq!(told.clone().count(), 10, "{kind}");
            for step in told {
                assert_eq!(step.seat, LEARNER, "{kind}: {}", step.title);
                assert!(typed(&step.action).is_some_and(|line| !line.is_empty()), "{}", step.title);
            }
        }
    }

    #[test]
    fn spaces_and_capitals_do_not_matter() {
        assert!(alike("Move a1 TO (1, 0)", "move A1 to (1,0)") && !alike("end", "move"));
    }
}
