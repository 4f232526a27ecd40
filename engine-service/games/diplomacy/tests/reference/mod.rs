//! The adjudicator against a slow one that is obviously right: it writes the equations down as they
//! are, tries all outcomes, and keeps the consistent one.
//!
//! `DIPLOMACY_POSITIONS` sets how many random positions are compared; a long run takes millions.

mod model;
mod random;

use model::compare;
use random::{Chance, random, random_convoys};

/// How many random positions are compared unless the environment says otherwise.
const POSITIONS: u64 = 100_000;

#[test]
fn d4_the_adjudicator_agrees_with_all_outcomes_tried() {
    let positions = std::env::var("DIPLOMACY_POSITIONS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(POSITIONS);
    let (mut compared, mut circular, mut paradoxical) = (0, 0, 0);
    for number in 0..positions {
        let chance = Chance::of_seed(number);
        let (position, orders) =
            if number % 4 == 0 { random_convoys(chance) } else { random(chance) };
        let Some(agreement) = compare(&position, &orders) else { continue };
        compared += 1;
        circular += usize::from(agreement.circular);
        paradoxical += usize::from(agreement.paradoxical);
    }
    println!(
        "{compared} of {positions} positions compared, {circular} of them circular, {paradoxical} \
         paradoxes"
    );
    assert!(
        compared > positions * 9 / 10,
        "only {compared} of {positions} positions were compared"
    );
    assert!(circular > 0 && paradoxical > 0, "no position was circular, or a paradox");
}
