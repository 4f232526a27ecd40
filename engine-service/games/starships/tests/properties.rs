//! What must hold in every game: random legal play by one to six players with random options.

use heliopause_kernel::{Actor, Audience, Dice, Emitted, Game, Seat, Setup, Viewer, Why, Wire};
use heliopause_starships::{
    Agreement, BaseId, BaseNumber, Event, Means, Mix, Options, Order, Piece, Place, Promise, Serial, ShipId, Starships,
    Target, View,
};
use proptest::prelude::*;

/// A small generator, so that play is decided by one seed.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

fn seed(number: u64) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&number.to_le_bytes());
    bytes
}

fn options(chance: &mut Chance) -> Options {
    let mixes = [
        Mix::FULL,
        Mix { friendly: 3, unfriendly: 20, dead: 2, asteroids: 2, empty: 8 },
        Mix { friendly: 20, unfriendly: 2, dead: 6, asteroids: 2, empty: 5 },
        Mix { friendly: 6, unfriendly: 2, dead: 2, asteroids: 25, empty: 0 },
    ];
    let rounds = chance.pick(&[3, 6, 12]);
    Options {
        mix: chance.pick(&mixes),
        rounds,
        live_planets_to_win: chance.pick(&[7, 4, 12, 37]),
        first_round_of_exile: chance.pick(&[5, 1, 2]),
        first_round_of_unprovoked_attacks: chance.pick(&[7, 1, 3]),
        last_round_with_death_star: rounds + chance.pick(&[0, 4, 12]),
        earth_can_be_destroyed: chance.below(2) == 0,
        edges_open: chance.below(2) == 0,
        bases_in_solitaire: 1 + chance.below(2) as u8,
    }
}

fn viewers(players: usize) -> Vec<Viewer> {
    let seats = Seat::first(players + 1).map(Viewer::Seat);
    seats.chain([Viewer::Spectator, Viewer::GameMaster]).collect()
}

/// A game and everybody's view of it, each kept up to date by its own events.
struct Watched {
    game: Starships,
    dice: Dice,
    views: Vec<(Viewer, View)>,
}

impl Watched {
    fn new(number: u64, players: usize, options: Options) -> Self {
        let mut dice = Dice::new(seed(number));
        let (game, _) = Starships::new(&Setup { options, players }, &mut dice).unwrap();
        let views = viewers(players).into_iter().map(|viewer| (viewer, game.view(viewer))).collect();
        Self { game, dice, views }
    }

    /// Folds what was told into the views, and compares them with the game's.
    fn follow(&mut self, told: &Emitted<Event>) {
        for (viewer, view) in &mut self.views {
            for event in told.to(*viewer) {
                Starships::update(view, event);
            }
            assert_eq!(
                *view,
                self.game.view(*viewer),
                "{viewer:?} was told {:?}",
                told.to(*viewer).collect::<Vec<_>>()
            );
        }
        assert_eq!(self.game.check(), Ok(()), "after {told:?}");
    }

    fn submit(&mut self, seat: Seat, order: Order) -> Emitted<Event> {
        assert_eq!(self.game.judge(Actor::Seat(seat), &order), Ok(()), "{seat}: {order}");
        let told = self.game.submit(Actor::Seat(seat), order, &mut self.dice).unwrap();
        self.follow(&told);
        told
    }

    fn close(&mut self) -> Emitted<Event> {
        let told = self.game.close(Why::Deadline, &mut self.dice);
        self.follow(&told);
        told
    }

    fn view(&self, viewer: Viewer) -> &View {
        self.views.iter().find(|(other, _)| *other == viewer).map(|(_, view)| view).unwrap()
    }

    /// One random step of whoever may do something: the seat that decides, or another one that negotiates.
    fn step(&mut self, chance: &mut Chance) -> Emitted<Event> {
        let seats = self.game.table().players() + 1;
        let decider = self.game.decider().unwrap();
        let seat = if chance.below(4) == 0 { Seat::at(chance.below(seats)) } else { decider };
        let mut orders = Vec::new();
        self.game.moves(seat, &mut orders);
        if let Some(pledges) = self.game.choices(seat).pledges.filter(|_| chance.below(4) == 0) {
            let until = pledges.first_round + chance.below(3) as u8;
            orders.extend(pledges.orders(until.min(pledges.last_round)).step_by(7));
        }
        if orders.is_empty() || chance.below(12) == 0 {
            return self.close();
        }
        self.submit(seat, chance.pick(&orders))
    }
}

fn play(number: u64, players: usize, mut each: impl FnMut(&mut Watched, &mut Chance)) {
    let mut chance = Chance(number);
    let options = options(&mut chance);
    let mut watched = Watched::new(number, players, options);
    for _ in 0..4_000 {
        if watched.game.outcome().is_some() {
            assert!(watched.game.pending().is_empty());
            return;
        }
        assert!(!watched.game.pending().is_empty());
        watched.step(&mut chance);
        each(&mut watched, &mut chance);
    }
    panic!("the game did not end: {}", watched.game.progress());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_play_ends_and_every_view_follows_its_own_events(number in any::<u64>(), players in 1_usize..=6) {
        play(number, players, |_, _| {});
    }
}
