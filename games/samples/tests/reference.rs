//! Compares the Diplomacy adjudicator with the slow reference adjudicator.
//!
//! `DIPLOMACY_POSITIONS` sets the number of random positions. A long run takes millions.

use heliopause_samples::positions::{random, random_convoys};
use heliopause_samples::reference::compare;
use heliopause_testing::Rng;

const POSITIONS: u64 = 100_000;

#[test]
fn d4_the_adjudicator_agrees_with_the_reference() {
    let positions = std::env::var("DIPLOMACY_POSITIONS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(POSITIONS);
    let (mut compared, mut circular, mut paradoxical) = (0, 0, 0);
    for number in 0..positions {
        let chance = Rng::new(number);
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
