//! The contract suite on Slingshot, and a test of one rule.

use heliopause_kernel::{Actor, Dice, Game, Seat, Setup, Wire};
use heliopause_slingshot::{Options, Order, Slingshot};
use heliopause_testing::{Player, Rng};

struct Probes;

impl Player for Probes {
    type Game = Slingshot;
    const CASES: u32 = 32;
    const STEPS: usize = 60;

    fn setup(chance: &mut Rng) -> Setup<Options> {
        let options = Options { distance: 10 + chance.below(20) as u16 };
        Setup { options, players: 2 + chance.below(5) }
    }
}

heliopause_testing::contract!(Probes);

#[test]
fn rule_2_a_burn_is_limited_to_3_and_to_the_remaining_fuel() {
    let mut dice = Dice::new([1; 32]);
    let setup = Setup { options: Options::default(), players: 2 };
    let (game, _) = Slingshot::new(&setup, &mut dice).expect("it can be played");
    let burn = |fuel| Order::Burn { fuel };
    assert_eq!(game.judge(Actor::Seat(Seat::at(0)), &burn(4)).unwrap_err().reason, "burn-too-long");
    let mut position = game.write_position();
    position.secrets[0].fuel = 2;
    let game = Slingshot::read_position(&position).expect("it holds together");
    assert_eq!(game.judge(Actor::Seat(Seat::at(0)), &burn(3)).unwrap_err().reason, "no-fuel");
    assert!(game.judge(Actor::Seat(Seat::at(0)), &burn(2)).is_ok());
}
