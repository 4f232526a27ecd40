//! How many complete random games are played a second, as look-ahead plays them.

use heliopause_kernel::{Actor, Dice, Game, Seat, Setup, Viewer, Why};
use heliopause_starships::{Options, Order, Starships};

fn main() {
    divan::main();
}

/// A small generator; look-ahead needs no better one.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

fn new_game(players: usize) -> (Starships, Dice) {
    let mut dice = Dice::new([players as u8; 32]);
    let setup = Setup { options: Options::default(), players };
    let (game, _) = Starships::new(&setup, &mut dice).expect("the default options can be played");
    (game, dice)
}

/// Plays to the end by random moves; says how many there were.
fn play_out(mut game: Starships, dice: &mut Dice, chance: &mut Chance) -> u32 {
    let mut orders: Vec<Order> = Vec::with_capacity(128);
    let mut steps = 0;
    while let Some(seat) = game.decider() {
        game.moves(seat, &mut orders);
        if orders.is_empty() {
            game.close(Why::Deadline, dice);
        } else {
            let order = orders[(chance.next() % orders.len() as u64) as usize];
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
    let mut chance = Chance(0x5EED_0000 + players as u64);
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
    let mut chance = Chance(0x5EED);
    bencher.bench_local(|| Starships::sample(&view, &mut || chance.next()));
}
