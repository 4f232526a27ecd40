//! Tests with full games, for setup, turns and victory (chapters 3, 4 and 19).

use heliopause_kernel::{CloseCause, Dice, Game, Setup};

use crate::state::{Options, Stage, StellarConquest, TURNS};
use crate::testing::Scene;

fn game(players: usize, seed: u8) -> Scene {
    let mut dice = Dice::new([seed; 32]);
    let (game, _) =
        StellarConquest::new(&Setup { options: Options::default(), players }, &mut dice).unwrap();
    Scene { game, dice }
}

fn close(scene: &mut Scene) {
    scene.game.close(CloseCause::Deadline, &mut scene.dice);
    assert_eq!(scene.game.check(), Ok(()));
}

#[test]
fn rule_19_1_a_game_without_moves_ends_after_turn_44() {
    let mut scene = game(3, 5);
    let mut productions = 0;
    while !scene.game.table().is_over() {
        productions += u32::from(scene.game.table().stage == Stage::Production);
        close(&mut scene);
    }
    assert_eq!((scene.game.table().turn, productions), (TURNS, 10));
    let ending = scene.game.table().ending.clone().unwrap();
    assert_eq!((ending.points, ending.winners.len()), (vec![0; 3], 3));
}

#[test]
fn rule_4_the_players_take_their_turns_in_the_order_of_play() {
    let mut scene = game(4, 9);
    close(&mut scene);
    let order = scene.game.table().order.clone();
    let mut turns = Vec::new();
    while scene.game.table().turn < 3 {
        if scene.game.table().stage == Stage::Movement {
            turns.push(scene.game.table().active);
        }
        close(&mut scene);
    }
    assert_eq!(turns, order.repeat(2));
}
