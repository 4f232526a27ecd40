//! Positions with all players close together, where battles start within a few steps.

use heliopause_kernel::{CloseCause, Dice, Game, Setup, Wire};
use heliopause_proto::stellar_conquest::v1 as proto;
use heliopause_stellar_conquest::{
    CARD_COUNT, CardId, Options, StarCard, StarId, StellarConquest, Variant,
};

use heliopause_testing::{Rng, seed};

const STARS: usize = 6;

pub(crate) fn crowded(setup: &Setup<Options>, chance: &mut Rng) -> (StellarConquest, Dice) {
    let mut dice = Dice::new(seed(chance.number()));
    let (mut game, _) = StellarConquest::new(setup, &mut dice).unwrap();
    if setup.options.variant != Variant::OuterSpace {
        game.close(CloseCause::Deadline, &mut dice);
    }
    let mut position = game.write_position();
    let mut settlers = Settlers { variant: setup.options.variant, position: &mut position, chance };
    settlers.settle();
    (StellarConquest::read_position(&position).unwrap(), dice)
}

const TECHNOLOGIES: std::ops::RangeInclusive<i32> = 1..=proto::Technology::RoboticIndustry as i32;

struct Settlers<'a> {
    variant: Variant,
    position: &'a mut proto::Position,
    chance: &'a mut Rng,
}

impl Settlers<'_> {
    fn settle(&mut self) {
        self.position.table.as_mut().unwrap().turn = 2 + self.chance.below(40) as u32;
        self.position.secrets.as_mut().unwrap().decks.clear();
        let middle = StarId::of_index(self.chance.below(54)).unwrap();
        let mut stars: Vec<StarId> = StarId::ALL.into_iter().collect();
        stars.sort_by_key(|star| star.at().distance(middle.at()));
        if self.variant == Variant::OuterSpace {
            self.add_conflict();
            for &star in &stars[STARS..] {
                self.draw(star);
                self.claim(star);
            }
        }
        for star in stars.into_iter().take(STARS) {
            self.star(star);
        }
        for index in 0..self.position.powers.len() {
            let owned = TECHNOLOGIES.filter(|_| self.chance.one_in(3)).collect();
            self.position.powers[index].research =
                Some(proto::Research { owned, payments: Vec::new() });
        }
    }

    fn claim(&mut self, star: StarId) -> usize {
        let claimant = self.chance.below(self.position.powers.len());
        let politics = self.position.table.as_mut().unwrap().politics.as_mut().unwrap();
        politics.claims.push(proto::Claim { star: star.to_string(), seat: claimant as u32 + 1 });
        claimant
    }

    fn add_conflict(&mut self) {
        let players = self.position.powers.len() as u32;
        let mut war = proto::War {
            total: self.chance.one_in(2),
            one_side: vec![1],
            other_side: vec![2],
            ..proto::War::default()
        };
        war.truce = self.chance.one_in(5);
        if players > 2 && self.chance.one_in(2) {
            war.one_side.push(3);
        }
        let politics = self.position.table.as_mut().unwrap().politics.as_mut().unwrap();
        politics.claims.clear();
        politics.era = 2 + self.chance.below(3) as i32;
        if self.chance.one_in(2) {
            politics.war = Some(war);
        } else {
            politics.incidents =
                vec![proto::Incident { pair: vec![1, 2], ..proto::Incident::default() }];
        }
    }

    fn star(&mut self, star: StarId) {
        let card = self.draw(star);
        let claimant = (self.variant == Variant::OuterSpace).then(|| self.claim(star));
        for (nth, planet) in card.planets().iter().enumerate() {
            if self.chance.one_in(3) {
                continue;
            }
            let reference = proto::PlanetRef { star: star.to_string(), number: nth as u32 + 1 };
            self.colony(reference, u32::from(planet.capacity), claimant);
        }
        let guests = self.position.powers.len();
        let guest = self.chance.below(guests);
        if !(self.variant == Variant::FateOfEmpire && guest == 2) {
            self.ships(guest, star);
        }
    }

    fn draw(&mut self, star: StarId) -> CardId {
        let secrets = self.position.secrets.as_mut().unwrap();
        let free = |id: &CardId| {
            let card: &StarCard = id.card();
            card.color == star.color()
                && secrets.cards.iter().all(|drawn| drawn.card != id.number())
        };
        let cards: Vec<CardId> =
            (1..=CARD_COUNT as u32).filter_map(CardId::numbered).filter(free).collect();
        let card = self.chance.pick(&cards);
        secrets.cards.push(proto::StarCard { star: star.to_string(), card: card.number() });
        for power in &mut self.position.powers {
            power.charts.retain(|chart| chart.star != star.to_string());
            power.charts.push(proto::Chart {
                star: star.to_string(),
                card: card.number(),
                ..Default::default()
            });
        }
        card
    }

    fn colony(&mut self, planet: proto::PlanetRef, capacity: u32, claimant: Option<usize>) {
        let owner = claimant.unwrap_or_else(|| match self.variant {
            Variant::Conquest | Variant::OuterSpace => {
                self.chance.below(self.position.powers.len())
            }
            // The owner is the Captain-General or the independents.
            Variant::FateOfEmpire => 2 * self.chance.below(2),
        });
        let population = 1 + self.chance.below(capacity as usize) as u32;
        let bases = proto::Bases {
            missile_bases: self.chance.below(4) as u32,
            advanced_missile_bases: self.chance.below(2) as u32,
        };
        let power = &mut self.position.powers[owner];
        power.next_colony = 0;
        power.colonies.push(proto::Colony {
            planet: Some(planet),
            population,
            factories: self.chance.below(population as usize + 1) as u32,
            bases: self.chance.one_in(2).then_some(bases),
            shield: self.chance.one_in(8),
            control: proto::Control::Free.into(),
            watch: 1 + self.chance.below(3) as i32,
            founded: power.colonies.len() as u32,
            ..proto::Colony::default()
        });
    }

    fn ships(&mut self, guest: usize, star: StarId) {
        let pirates = self.variant == Variant::FateOfEmpire && guest == 1;
        let kinds = if pirates { vec![3] } else { vec![1, 2, 2, 3, 3, 4, 5] };
        let power = &mut self.position.powers[guest];
        power.next_ship = 0;
        let last = power.ships.iter().map(|ship| ship.number).max().unwrap_or(0);
        for number in (last + 1..).take(1 + self.chance.below(6)) {
            let kind = self.chance.pick(&kinds);
            power.ships.push(proto::Ship {
                number,
                kind,
                load: (kind == 2)
                    .then(|| proto::Load { cet: self.chance.one_in(2), ..proto::Load::default() }),
                at: star.at().to_string(),
                ..proto::Ship::default()
            });
        }
    }
}
