//! Complete games of Stellar Conquest, played with simple random choices, for tests of whole games
//! and for benchmarks. Ships go to nearby stars, land and fight. Colonies emigrate and build.

use heliopause_kernel::{Actor, CloseCause, Dice, Game, Seat, Setup};
use heliopause_stellar_conquest::{
    ColonyPlan, Event, Item, Options, Order, Place, PlanetId, PoliticsEvent, ProductionSheet,
    RaidOrder, Ship, ShipKind, ShipNumber, Spending, Stage, StarId, StellarConquest, Voyage,
};

struct Rng(u64);

impl Rng {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// A game with the dice and random numbers needed to play it.
pub struct QuickGame {
    pub game: StellarConquest,
    pub dice: Dice,
    chance: Rng,
    /// The political events so far. `None` if they are not collected.
    pub politics: Option<Vec<PoliticsEvent>>,
}

type Group = (Option<Place>, Option<StarId>, Option<StarId>, bool, bool);

impl QuickGame {
    pub fn new(options: Options, players: usize, seed: u8) -> Self {
        let mut dice = Dice::new([seed; 32]);
        let setup = Setup { options, players };
        let (game, _) = StellarConquest::new(&setup, &mut dice).expect("the options can be played");
        Self::of(game, dice, seed)
    }

    pub fn of(game: StellarConquest, dice: Dice, seed: u8) -> Self {
        Self { game, dice, chance: Rng(0x5EED_0000 + u64::from(seed)), politics: None }
    }

    fn order(&mut self, seat: Seat, order: Order) -> bool {
        let emitted = self.game.submit(Actor::Seat(seat), order, &mut self.dice);
        if let (Ok(emitted), Some(politics)) = (&emitted, &mut self.politics) {
            collect_politics(politics, emitted.iter().map(|addressed| &addressed.event));
        }
        emitted.is_ok()
    }

    fn close(&mut self) {
        let emitted = self.game.close(CloseCause::Deadline, &mut self.dice);
        if let Some(politics) = &mut self.politics {
            collect_politics(politics, emitted.iter().map(|addressed| &addressed.event));
        }
    }

    pub fn play_out(mut self) -> u32 {
        let mut steps = 0;
        while self.step() {
            steps += 1;
        }
        steps
    }

    /// Plays one step. Returns `false` if the game is over.
    pub fn step(&mut self) -> bool {
        let seat = self.game.table().active;
        match self.game.table().stage {
            Stage::Over => return false,
            Stage::Movement => self.movement(seat),
            Stage::Planets => self.planets(seat),
            Stage::Production => self.production(),
            _ => self.close(),
        }
        self.dice.forget_rolled();
        true
    }

    fn movement(&mut self, seat: Seat) {
        self.set_up_posts(seat);
        let mut groups: Vec<(Group, Vec<ShipNumber>)> = Vec::new();
        for ship in &self.game.power(seat).ships {
            let transport = ship.kind() == ShipKind::Transport;
            let key = (
                ship.at,
                ship.destination,
                ship.departed,
                transport,
                ship.number.0.is_multiple_of(3),
            );
            match groups.iter_mut().find(|(other, _)| *other == key) {
                Some((_, ships)) => ships.push(ship.number),
                None => groups.push((key, vec![ship.number])),
            }
        }
        for ((at, bound, _, transport, _), ships) in groups {
            let stands = at.is_some() && bound.is_none();
            if stands && self.chance.below(2) == 0 {
                continue;
            }
            let from = at
                .or_else(|| self.game.table().entry(seat))
                .expect("every player has an entry hex");
            let destinations = match bound {
                Some(star) => vec![star],
                None => self.destinations(seat, from, transport),
            };
            for star in destinations {
                let (path, avoiding) = (Vec::new(), Vec::new());
                let destination = Some(star);
                let ships = ships.clone();
                let voyage = Voyage {
                    ships,
                    path,
                    destination,
                    avoiding,
                    round_clouds: false,
                    accept_loss: false,
                };
                if self.order(seat, Order::Move(voyage)) {
                    break;
                }
            }
        }
        self.raid(seat);
        if !self.order(seat, Order::EndMovement) {
            self.close();
        }
    }

    fn destinations(&mut self, seat: Seat, from: Place, transport: bool) -> Vec<StarId> {
        let politics = self.game.table().campaign.politics();
        let own = |star: &StarId| {
            politics.is_none_or(|politics| !transport || politics.claimant(*star) == Some(seat))
        };
        let near = |star: &StarId| star.at() != from && star.at().distance(from) <= 6;
        let near: Vec<StarId> =
            StarId::ALL.into_iter().filter(|star| near(star) && own(star)).collect();
        let Some(politics) = politics else {
            return near.get(self.chance.below(near.len())).copied().into_iter().collect();
        };
        // Exploring an unclaimed star claims it (space 2), so unclaimed stars come first.
        let mut open: Vec<StarId> = StarId::ALL
            .into_iter()
            .filter(|&star| politics.claimant(star).is_none() && !transport)
            .collect();
        open.sort_by_key(|star| star.at().distance(from));
        open.truncate(4);
        let mut stars: Vec<StarId> =
            (0..2).filter_map(|_| open.get(self.chance.below(open.len())).copied()).collect();
        stars.extend((0..3).filter_map(|_| near.get(self.chance.below(near.len())).copied()));
        stars
    }

    fn raid(&mut self, seat: Seat) {
        let clash = self
            .game
            .table()
            .campaign
            .politics()
            .is_some_and(|politics| politics.is_in_incident(seat));
        if !clash {
            return;
        }
        let raids = self.game.choices(seat).raids;
        if let Some(raid) = raids.first() {
            let target = raid.targets[self.chance.below(raid.targets.len())];
            let ships = raid.ships.clone();
            self.order(seat, Order::Raid(RaidOrder { ships, target, rounds: 2, path: Vec::new() }));
        }
    }

    fn planets(&mut self, seat: Seat) {
        let power = self.game.power(seat);
        let mut stars: Vec<StarId> =
            power.ships.iter().filter_map(|ship| ship.at).filter_map(StarId::in_hex).collect();
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
            let ships: Vec<ShipNumber> = self
                .game
                .power(seat)
                .ships_at(at)
                .filter(transports)
                .map(|ship| ship.number)
                .collect();
            let nth = self.chance.below(3) as u8;
            if !ships.is_empty()
                && self.order(seat, Order::Land { ships, planet: PlanetId { star, nth } })
            {
                self.order(seat, Order::Post { star, up: true });
            }
        }
        self.order(seat, Order::EndTurn);
    }

    /// Sets up posts now, because transports landed automatically at the end of the previous turn.
    fn set_up_posts(&mut self, seat: Seat) {
        if self.game.table().campaign.politics().is_none() {
            return;
        }
        let stars: Vec<StarId> =
            self.game.power(seat).colonies.iter().map(|colony| colony.planet.star).collect();
        for star in stars {
            self.order(seat, Order::Post { star, up: true });
        }
    }

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

fn collect_politics<'e>(
    politics: &mut Vec<PoliticsEvent>,
    emitted: impl Iterator<Item = &'e Event>,
) {
    politics.extend(emitted.filter_map(|event| match event {
        Event::Politics(event) => Some(event.clone()),
        _ => None,
    }));
}
