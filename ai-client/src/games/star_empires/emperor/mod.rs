//! The profile of whole empires.
//!
//! | module | what it decides |
//! | --- | --- |
//! | `doctrine` | what each level builds, and when it dares |
//! | `plan` | the sheet in the making: who is free, and how ships travel |
//! | `fights` | where to fight, where to stay, where to leave |
//! | `garrison` | who stays to hold the worlds |
//! | `strikes` | whom to attack, with how much, from where |
//! | `settlers` | which worlds to take, and where to explore |
//! | `horizon` | what lies unexplored, and where the galaxy can be |
//! | `works` | designs, builds, repairs and where RU go |
//! | `magazine` | missiles for starbases |
//! | `envoy` | what other empires are let see and given |
//! | `relations` | what is agreed with whom by messages |
//! | `memory` | what was last seen at foreign worlds |
//! | `random` | the baseline: any legal order |

mod doctrine;
mod envoy;
mod fights;
mod garrison;
mod horizon;
mod magazine;
mod memory;
mod plan;
mod random;
mod relations;
mod settlers;
mod strikes;
mod works;

use heliopause_star_empires::{Order, Sheet, StarEmpires};

use super::survey::Survey;
use crate::bot::{Answer, Bot, Letter, Level, Question, Reply};
use crate::chance::Chance;
use doctrine::Doctrine;
use memory::Memory;
use plan::Plan;
use relations::Relations;

/// Plays an empire.
pub(in crate::games) struct Emperor;

impl Bot<StarEmpires> for Emperor {
    fn decide(&self, question: &Question<'_, StarEmpires>) -> Answer<StarEmpires> {
        play(question, None).0
    }

    fn correspond(
        &self,
        question: &Question<'_, StarEmpires>,
        letters: &[Letter],
    ) -> (Answer<StarEmpires>, Vec<Reply>) {
        play(question, Some(letters))
    }
}

/// The answer, and what is written where there are letters. Chance writes to nobody.
fn play(
    question: &Question<'_, StarEmpires>,
    letters: Option<&[Letter]>,
) -> (Answer<StarEmpires>, Vec<Reply>) {
    let Some(mut survey) = Survey::new(question.view) else {
        return (answer(Sheet::default(), None), Vec::new());
    };
    if question.level == Level::Random {
        let sheet = random::sheet(&survey, &mut Chance::new(question.seed, "random emperor"));
        return (answer(sheet, None), Vec::new());
    }
    let (mut relations, rest) = Relations::read(question.memo, question.view.empires);
    let ended = relations.review(&survey);
    let replies =
        letters.map_or_else(Vec::new, |letters| relations.correspond(&survey, letters, ended));
    survey.friends = relations.friends();
    let memory = Memory::read(rest).updated(&survey);
    let sheet = sheet(&survey, Doctrine::of(question.level), &memory, &mut relations);
    (answer(sheet, Some([relations.write(), memory.write()].concat())), replies)
}

fn answer(sheet: Sheet, memo: Option<Vec<u8>>) -> Answer<StarEmpires> {
    Answer { orders: vec![Order::Sheet(sheet)], ready: true, memo }
}

/// The turn of an empire. Who fights or guards comes first; what is left attacks, settles and
/// explores.
fn sheet(
    survey: &Survey<'_>,
    doctrine: &'static Doctrine,
    memory: &Memory,
    relations: &mut Relations,
) -> Sheet {
    let mut plan = Plan::new(survey, doctrine, memory);
    fights::fights(&mut plan);
    garrison::hold(&mut plan);
    strikes::strike(&mut plan);
    settlers::settle(&mut plan);
    magazine::load(&mut plan);
    works::works(&mut plan);
    envoy::negotiate(&mut plan, relations);
    plan.lines.sheet()
}
