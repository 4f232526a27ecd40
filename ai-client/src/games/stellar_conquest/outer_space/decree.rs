//! Rule 6.2: production turns by decree. Half of everything goes to what comes first, or more.

use heliopause_stellar_conquest::StellarConquest;
use heliopause_stellar_conquest::outer_space::{Area, DecreeColony, DecreePlan, DecreeSheet, Era};

use super::Command;
use crate::bot::Level;

/// The strong spend all of it on weapons while there is somebody to fight, and when powers look
/// elsewhere for room; in peace on what makes them grow.
pub(super) fn decree(command: &Command<'_>) -> DecreeSheet {
    let survey = command.survey;
    let Some(decree) = StellarConquest::choices_of(survey.view).decree else {
        return DecreeSheet::default();
    };
    let arms = command.is_at_odds() || command.politics.era >= Era::Tension;
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
