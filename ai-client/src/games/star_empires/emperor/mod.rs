//! The profile of whole empires.

mod diplomatic_orders;
mod doctrine;
mod exploration;
mod fights;
mod garrison;
mod memory;
mod missile_stock;
mod plan;
mod random;
mod relations;
mod settlers;
mod spending;
mod strikes;

use heliopause_star_empires::{Order, Sheet, StarEmpires};

use super::survey::Survey;
use crate::bot::{Answer, Bot, Level, Question, ReceivedMessage, Reply};
use crate::chance::Rng;
use doctrine::{Doctrine, RUSH};
use memory::Memory;
use plan::Plan;
use relations::Relations;

pub(in crate::games) enum EmpireBot {
    ByLevel,
    /// Spends nothing on guards and attacks at even odds.
    Rusher,
}

impl EmpireBot {
    fn doctrine(&self, level: Level) -> &'static Doctrine {
        match self {
            Self::ByLevel => Doctrine::of(level),
            Self::Rusher => &RUSH,
        }
    }
}

impl Bot<StarEmpires> for EmpireBot {
    fn decide(&self, question: &Question<'_, StarEmpires>) -> Answer<StarEmpires> {
        play(question, self.doctrine(question.level), None).0
    }

    fn correspond(
        &self,
        question: &Question<'_, StarEmpires>,
        incoming: &[ReceivedMessage],
    ) -> (Answer<StarEmpires>, Vec<Reply>) {
        play(question, self.doctrine(question.level), Some(incoming))
    }
}

fn play(
    question: &Question<'_, StarEmpires>,
    doctrine: &'static Doctrine,
    incoming: Option<&[ReceivedMessage]>,
) -> (Answer<StarEmpires>, Vec<Reply>) {
    let Some(mut survey) = Survey::new(question.view) else {
        return (answer(Sheet::default(), None), Vec::new());
    };
    if question.level == Level::Random {
        let sheet = random::sheet(&survey, &mut Rng::new(question.seed, "random emperor"));
        return (answer(sheet, None), Vec::new());
    }
    let (mut relations, rest) = Relations::read(question.memo, question.view.empires);
    let ended = relations.review(&survey);
    let replies =
        incoming.map_or_else(Vec::new, |incoming| relations.correspond(&survey, incoming, ended));
    survey.friends = relations.friends();
    let memory = Memory::read(rest).updated(&survey);
    let sheet = sheet(&survey, doctrine, &memory, &mut relations);
    (answer(sheet, Some([relations.write(), memory.write()].concat())), replies)
}

fn answer(sheet: Sheet, memo: Option<Vec<u8>>) -> Answer<StarEmpires> {
    Answer { orders: vec![Order::Sheet(sheet)], ready: true, memo }
}

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
    missile_stock::load(&mut plan);
    spending::spending(&mut plan);
    diplomatic_orders::negotiate(&mut plan, relations);
    plan.lines.sheet()
}
