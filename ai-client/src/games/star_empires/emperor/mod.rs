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
//! | `envoy` | what other empires are let see and given |
//! | `memory` | what was last seen at foreign worlds |
//! | `random` | the baseline: any legal order |

mod doctrine;
mod envoy;
mod fights;
mod garrison;
mod horizon;
mod memory;
mod plan;
mod random;
mod settlers;
mod strikes;
mod works;

use heliopause_star_empires::{Order, Sheet, StarEmpires};

use super::survey::Survey;
use crate::bot::{Answer, Bot, Level, Question};
use crate::chance::Chance;
use doctrine::Doctrine;
use memory::Memory;
use plan::Plan;

/// Plays an empire.
pub(in crate::games) struct Emperor;

impl Bot<StarEmpires> for Emperor {
    fn decide(&self, question: &Question<'_, StarEmpires>) -> Answer<StarEmpires> {
        let Some(survey) = Survey::new(question.view) else { return answer(Sheet::default(), None) };
        match question.level {
            Level::Random => answer(random::sheet(&survey, &mut Chance::new(question.seed, "random emperor")), None),
            Level::Standard | Level::Strong => {
                let memory = Memory::read(question.memo).updated(&survey);
                answer(sheet(&survey, Doctrine::of(question.level), &memory), Some(memory.write()))
            }
        }
    }
}

fn answer(sheet: Sheet, memo: Option<Vec<u8>>) -> Answer<StarEmpires> {
    Answer { orders: vec![Order::Sheet(sheet)], ready: true, memo }
}

/// The turn of an empire. Who fights or guards comes first; what is left attacks, settles and explores.
fn sheet(survey: &Survey<'_>, doctrine: &'static Doctrine, memory: &Memory) -> Sheet {
    let mut plan = Plan::new(survey, doctrine, memory);
    fights::fights(&mut plan);
    garrison::hold(&mut plan);
    strikes::strike(&mut plan);
    settlers::settle(&mut plan);
    works::works(&mut plan);
    envoy::negotiate(&mut plan);
    plan.lines.sheet()
}
