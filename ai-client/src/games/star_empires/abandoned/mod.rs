//! 8.0, notes 15: the default orders of an abandoned empire, as an ordinary sheet.
//!
//! | module | what it decides |
//! | --- | --- |
//! | `combat` | steps 1 to 4: who fights, who destroys itself, who retreats |
//! | `retreat` | step 5: where to |
//! | `loading` | step 6: missiles onto racks |
//! | `upkeep` | 6.6.1 to 6.8.1: builds, repairs, transponders, RU, scans |
//!
//! The notes decide from the true state of the sectors where the empire has ships, at a moment
//! after 6.1 (R67), and decide builds, repairs and pools when their phase starts. A sheet is given
//! before the update, from what the seat sees and from the true strength of the ships around its
//! own, which the lease of an abandoned seat tells. What only the phases decide is left to them by
//! lines that fail where they do not apply: builds and repairs are ordered also where the map still
//! shows a siege, and RU are pooled at the first of several worlds that is still there. So the
//! difference is small:
//!
//! - what the game master changes in 6.1 of that very update is not foreseen;
//! - repairs go by the damage on the map, and 6.6.2 leaves out who is whole by then;
//! - names break ties; sectors have none: of those equally good the one with the smallest
//!   coordinates of the empire's own frame is taken.

mod combat;
mod loading;
mod retreat;
mod upkeep;

use heliopause_star_empires::{Order, Sheet, StarEmpires, View};

use super::lines::Lines;
use super::survey::Survey;
use crate::bot::{Answer, Bot, Question};

/// Plays an empire that its player has abandoned, at every level alike.
pub(in crate::games) struct Abandoned;

impl Bot<StarEmpires> for Abandoned {
    fn decide(&self, question: &Question<'_, StarEmpires>) -> Answer<StarEmpires> {
        Answer { orders: vec![Order::Sheet(sheet(question.view))], ready: true, memo: None }
    }
}

/// The default orders of the viewer's empire.
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
