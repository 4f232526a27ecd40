//! How many whole random games are played a second: ships go to stars nearby, land, fight and attack; colonies emigrate and build.

use heliopause_kernel::{Actor, Dice, Game, Seat, Setup, Why};
use heliopause_stellar_conquest::{
    ColonyPlan, Item, Options, Order, Place, PlanetId, ProductionSheet, Ship, ShipKind, ShipNumber, Spending, Stage,
    StarId, StellarConquest, Voyage,
};

fn main() {
    divan::main();
}

/// A small generator.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// One game, with everything that plays it.
struct Play {
    game: StellarConquest,
    dice: Dice,
    chance: Chance,
}

fn new_game(players: usize, seed: u8) -> Play {
    let mut dice = Dice::new([seed; 32]);
    let setup = Setup { options: Options::default(), players };
    let (game, _) = StellarConquest::new(&setup, &mut dice).expect("the default options can be played");
    Play { game, dice, chance: Chance(0x5EED_0000 + u64::from(seed)) }
}

impl Play {
    /// Gives an order; says whether it was accepted.
    fn order(&mut self, seat: Seat, order: Order) -> bool {
        self.game.submit(Actor::Seat(seat), order, &mut self.dice).is_ok()
    }

    fn close(&mut self) {
        self.game.close(Why::Deadline, &mut self.dice);
    }

    /// Plays to the end; says how many steps there were.
    fn play_out(mut self) -> u32 {
        let mut steps = 0;
        while !self.game.table().is_over() {
            let seat = self.game.table().active;
            match self.game.table().stage {
                Stage::Movement => self.movement(seat),
                Stage::Planets => self.planets(seat),
                Stage::Production => self.production(),
                _ => self.close(),
            }
            self.dice.forget_rolled();
            steps += 1;
        }
        steps
    }

    /// Ships that stand together go on together, or in two groups; half of those in stars stay.
    fn movement(&mut self, seat: Seat) {
        type Key = (Option<Place>, Option<StarId>, Option<StarId>, bool);
        let mut groups: Vec<(Key, Vec<ShipNumber>)> = Vec::new();
        for ship in &self.game.power(seat).ships {
            let key = (ship.at, ship.destination, ship.departed, ship.number.0.is_multiple_of(3));
            match groups.iter_mut().find(|(other, _)| *other == key) {
                Some((_, ships)) => ships.push(ship.number),
                None => groups.push((key, vec![ship.number])),
            }
        }
        for ((at, bound, ..), ships) in groups {
            let stands = at.is_some() && bound.is_none();
            if stands && self.chance.below(2) == 0 {
                continue;
            }
            let from = at.or_else(|| self.game.table().entry(seat)).expect("every player has an entry hex");
            let destination = bound.or_else(|| self.star_near(from));
            let (path, avoiding) = (Vec::new(), Vec::new());
            let voyage = Voyage { ships, path, destination, avoiding, round_clouds: false, accept_loss: false };
            self.order(seat, Order::Move(voyage));
        }
        if !self.order(seat, Order::EndMovement) {
            self.close();
        }
    }

    /// One of the stars within six hexes.
    fn star_near(&mut self, from: Place) -> Option<StarId> {
        let near: Vec<StarId> =
            StarId::all().filter(|star| star.at() != from && star.at().distance(from) <= 6).collect();
        near.get(self.chance.below(near.len())).copied()
    }

    /// Attacks what can be attacked, lands what can land, sets posts up.
    fn planets(&mut self, seat: Seat) {
        let power = self.game.power(seat);
        let mut stars: Vec<StarId> = power.ships.iter().filter_map(|ship| ship.at).filter_map(StarId::in_hex).collect();
        stars.sort_unstable();
        stars.dedup();
        for &star in &stars {
            for nth in 0..3 {
                let planets = vec![PlanetId { star, nth }];
                let known = self.game.power(seat).chart(star).colonies[usize::from(nth)].is_some();
                if known && self.order(seat, Order::Attack { planets }) {
                    while self.game.table().stage == Stage::Battle {
                        self.close();
                    }
                }
            }
        }
        for star in stars {
            let at = star.at();
            let transports = |ship: &&Ship| ship.kind() == ShipKind::Transport;
            let ships: Vec<ShipNumber> =
                self.game.power(seat).ships_at(at).filter(transports).map(|ship| ship.number).collect();
            let nth = self.chance.below(3) as u8;
            if !ships.is_empty() && self.order(seat, Order::Land { ships, planet: PlanetId { star, nth } }) {
                self.order(seat, Order::Post { star, up: true });
            }
        }
        self.order(seat, Order::EndTurn);
    }

    /// Colonies send some people off and build corvettes, every other one leaves the rest to research.
    fn production(&mut self) {
        for seat in self.game.table().player_seats().collect::<Vec<_>>() {
            let mut sheet = ProductionSheet::default();
            for colony in &self.game.power(seat).colonies {
                let emigrants = if colony.population > 12 { colony.population / 6 } else { 0 };
                let count = u32::from(colony.population).saturating_sub(u32::from(emigrants)) / 8;
                let build = Spending::Build { item: Item::Corvette, count };
                let spending = if count > 0 { vec![build] } else { Vec::new() };
                sheet.colonies.push(ColonyPlan {
                    planet: colony.planet,
                    emigrants,
                    bonus: 0,
                    evacuate: false,
                    spending,
                });
            }
            if self.chance.below(2) == 0 {
                self.order(seat, Order::Produce(sheet));
            }
        }
        self.close();
    }
}

#[divan::bench(args = [2, 3, 4])]
fn random_game(bencher: divan::Bencher<'_, '_>, players: usize) {
    let mut seed = 0_u8;
    bencher.counter(1_u32).bench_local(|| {
        seed = seed.wrapping_add(1);
        new_game(players, seed).play_out()
    });
}

#[divan::bench]
fn clone_state(bencher: divan::Bencher<'_, '_>) {
    let play = new_game(4, 1);
    bencher.bench_local(|| play.game.clone());
}
