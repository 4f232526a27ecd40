//! Orders for production turns by decree (6.2), in which each colony spends at least half on its
//! first priority.

use heliopause_stellar_conquest::StellarConquest;
use heliopause_stellar_conquest::outer_space::{Area, DecreeColony, DecreePlan, DecreeSheet, Era};

use super::Command;
use crate::bot::Level;

/// Returns the decree sheet. Level `strong` buys weapons while it has an opponent and from the era
/// of tension on, and growth otherwise.
pub(super) fn decree(command: &Command<'_>) -> DecreeSheet {
    let survey = command.survey;
    let Some(decree) = StellarConquest::choices_of(survey.view).decree else {
        return DecreeSheet::default();
    };
    let arms = command.has_opponent() || command.politics.era >= Era::Tension;
    let pressing = |colony: &&DecreeColony| match colony.areas[0] {
        Area::Weapons => arms,
        Area::Factories | Area::Research => !arms && survey.productions_left() > 2,
    };
    let plan = |colony: &DecreeColony| DecreePlan {
        planet: colony.planet,
        budget: Some(colony.most),
        weapons: Vec::new(),
    };
    let chosen = decree.colonies.iter().filter(pressing).filter(|_| command.level == Level::Strong);
    DecreeSheet { plans: chosen.map(plan).collect(), posts: None }
}
