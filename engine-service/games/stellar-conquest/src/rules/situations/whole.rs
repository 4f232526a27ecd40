//! Chapters 3, 4 and 19: whole games.

use heliopause_kernel::{Dice, Game, Setup, Why};

use super::*;
use crate::state::options::Options;
use crate::state::order::Voyage;
use crate::state::position::StellarConquest;
use crate::state::table::{Stage, TURNS};
use crate::tables::stars::StarId;
use crate::testing::seat;

fn game(players: usize, seed: u8) -> Scene {
    let mut dice = Dice::new([seed; 32]);
    let (game, _) =
        StellarConquest::new(&Setup { options: Options::default(), players }, &mut dice).unwrap();
    Scene { game, dice }
}

fn close(scene: &mut Scene) {
    scene.game.close(Why::Deadline, &mut scene.dice);
    assert_eq!(scene.game.check(), Ok(()));
}

#[test]
fn rule_19_1_a_game_in_which_nobody_moves_ends_after_turn_44() {
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

/// Everybody goes somewhere, fights, lands where they can and lets the rest be decided.
#[test]
fn whole_games_hold_together() {
    for seed in 1..=6 {
        let mut scene = game(usize::from(seed % 3) + 2, seed);
        let mut count = u32::from(seed);
        while !scene.game.table().is_over() {
            let active = scene.game.table().active;
            match scene.game.table().stage {
                Stage::Movement => {
                    set_out(&mut scene, active, &mut count);
                    close(&mut scene);
                }
                Stage::Planets => {
                    land_somewhere(&mut scene, active, &mut count);
                    close(&mut scene);
                }
                _ => close(&mut scene),
            }
        }
        let people = |number: u32| scene.power(seat(number)).colonies.len();
        assert!(
            (1..=2).map(people).sum::<usize>() > 0,
            "somebody settles somewhere with seed {seed}"
        );
    }
}

fn next(count: &mut u32, limit: usize) -> usize {
    *count = count.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    (*count >> 8) as usize % limit.max(1)
}

fn set_out(scene: &mut Scene, active: Seat, count: &mut u32) {
    let ships = scene.power(active).ships.clone();
    for ship in ships {
        let near =
            |star: &StarId| ship.at.is_none_or(|at| star.at() != at && star.at().distance(at) < 6);
        let stars: Vec<StarId> = StarId::ALL.into_iter().filter(near).collect();
        let destination = ship.destination.or_else(|| stars.get(next(count, stars.len())).copied());
        let voyage = Voyage {
            ships: vec![ship.number],
            path: Vec::new(),
            destination,
            avoiding: Vec::new(),
            round_clouds: false,
            accept_loss: false,
        };
        // Some of these orders are refused, and change nothing.
        let _ = scene.order(active, Order::Move(voyage));
    }
}

fn land_somewhere(scene: &mut Scene, active: Seat, count: &mut u32) {
    for ship in scene.power(active).ships.clone() {
        let Some(star) = ship.at.and_then(StarId::in_hex) else { continue };
        let planet = PlanetId { star, nth: next(count, 3) as u8 };
        if scene.order(active, Order::Attack { planets: vec![planet] }).is_ok() {
            return;
        }
        let _ = scene.order(active, Order::Land { ships: vec![ship.number], planet });
        let _ = scene.order(active, Order::Post { star, up: true });
    }
}
