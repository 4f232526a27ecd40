//! Benchmark of random games per second, as in a bot's look-ahead.

use heliopause_kernel::{Actor, CloseCause, Dice, Game, Seat, Setup, Viewer};
use heliopause_starships::{Options, Order, Starships};
use heliopause_testing::Rng;

fn main() {
    divan::main();
}

fn new_game(players: usize) -> (Starships, Dice) {
    let mut dice = Dice::new([players as u8; 32]);
    let setup = Setup { options: Options::default(), players };
    let (game, _) = Starships::new(&setup, &mut dice).expect("the default options can be played");
    (game, dice)
}

fn play_out(mut game: Starships, dice: &mut Dice, chance: &mut Rng) -> u32 {
    let mut orders: Vec<Order> = Vec::with_capacity(128);
    let mut steps = 0;
    while let Some(seat) = game.decider() {
        game.moves(seat, &mut orders);
        if orders.is_empty() {
            game.close(CloseCause::Deadline, dice);
        } else {
            let order = chance.pick(&orders);
            game.submit(Actor::Seat(seat), order, dice).expect("a listed move is legal");
        }
        dice.forget_rolled();
        steps += 1;
    }
    steps
}

#[divan::bench(args = [1, 2, 3, 4, 6])]
fn random_game(bencher: divan::Bencher<'_, '_>, players: usize) {
    let (game, mut dice) = new_game(players);
    let mut chance = Rng::new(0x5EED_0000 + players as u64);
    bencher.counter(1_u32).bench_local(|| play_out(game.clone(), &mut dice, &mut chance));
}

#[divan::bench]
fn clone_state(bencher: divan::Bencher<'_, '_>) {
    let (game, _) = new_game(4);
    bencher.bench_local(|| game.clone());
}

#[divan::bench]
fn sample_state(bencher: divan::Bencher<'_, '_>) {
    let (game, _) = new_game(4);
    let view = game.view(Viewer::Seat(Seat::at(0)));
    let mut chance = Rng::new(0x5EED);
    bencher.bench_local(|| Starships::sample(&view, &mut || chance.number()));
}
