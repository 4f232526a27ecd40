//! The default orders of an abandoned empire, as an ordinary sheet (8.0, notes 15).
//!
//! According to the notes, combat is decided from the true state of the sectors with the empire's
//! ships after 6.1 (R67), and builds and repairs when their phase starts. A sheet is written before
//! the update, from the seat's view and the true strength of nearby ships in the lease. So builds
//! and repairs are ordered even where the map still shows a siege, and fail if it has not ended.
//! The remaining differences are small:
//!
//! - The game master's changes in 6.1 of the same update cannot be foreseen.
//! - Repairs use the damage on the map. 6.6.2 skips ships that are undamaged by then.
//! - Among equally good sectors, the one with the smallest coordinates in the empire's own frame is
//!   chosen.

mod combat;
mod loading;
mod retreat;
mod upkeep;

use heliopause_star_empires::{Order, Sheet, StarEmpires, View};

use super::lines::Lines;
use super::survey::Survey;
use crate::bot::{Answer, Bot, Question};

/// The bot of an abandoned empire. It plays the same at every level.
pub(in crate::games) struct AbandonedBot;

impl Bot<StarEmpires> for AbandonedBot {
    fn decide(&self, question: &Question<'_, StarEmpires>) -> Answer<StarEmpires> {
        Answer { orders: vec![Order::Sheet(sheet(question.view))], ready: true, memo: None }
    }
}

fn sheet(view: &View) -> Sheet {
    let mut lines = Lines::default();
    if let Some(survey) = Survey::new(view) {
        let plan = combat::Plan::new(&survey);
        lines.unload(&plan.unload);
        loading::load(&survey, &plan, &mut lines);
        lines.destruct(&plan.destruct);
        for (attackers, target) in &plan.fire {
            lines.fire(attackers, *target);
        }
        retreat::retreat(&survey, &plan.retreat, &mut lines);
        upkeep::upkeep(&survey, &plan, &mut lines);
    }
    lines.sheet()
}

#[cfg(test)]
mod tests;
