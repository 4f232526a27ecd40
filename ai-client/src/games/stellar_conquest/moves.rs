//! A builder for the movement orders of step 1. Ships with a destination continue without orders.

use heliopause_stellar_conquest::{
    Fleet, LegalRoutes, Order, Place, STAR_COUNT, Ship, ShipNumber, StarId, StellarConquest, Voyage,
};

use super::survey::{Survey, numbers};

pub(super) struct Moves<'a> {
    pub(super) survey: &'a Survey<'a>,
    orders: Vec<Order>,
    sent: Vec<ShipNumber>,
    /// Fleets on the way to each star, including those sent by this plan.
    bound: Vec<Fleet>,
}

impl<'a> Moves<'a> {
    pub(super) fn new(survey: &'a Survey<'a>) -> Self {
        Self::holding(survey, |_| false)
    }

    pub(super) fn holding(survey: &'a Survey<'a>, waits: impl Fn(&Ship) -> bool) -> Self {
        let bound = vec![Fleet::NONE; STAR_COUNT];
        let mut moves = Self { survey, orders: Vec::new(), sent: Vec::new(), bound };
        let mut companies: Vec<(Option<Place>, StarId, Vec<Ship>)> = Vec::new();
        for &ship in &survey.power.ships {
            let Some(star) = ship.destination else { continue };
            moves.bound[star.index()].add(ship.kind(), 1);
            if waits(&ship) {
                continue;
            }
            match companies.iter_mut().find(|(at, to, _)| *at == ship.at && *to == star) {
                Some((_, _, ships)) => ships.push(ship),
                None => companies.push((ship.at, star, vec![ship])),
            }
        }
        for (at, star, ships) in companies {
            moves.continue_voyage(at, star, &ships);
        }
        moves
    }

    fn continue_voyage(&mut self, at: Option<Place>, star: StarId, ships: &[Ship]) {
        let unarmed = !ships.iter().any(|ship| self.survey.is_warship(ship.kind()));
        let last_leg = at.is_some_and(|at| at.distance(star.at()) <= self.survey.speed);
        // Unarmed ships wait outside while foreign ships are there, unless the game ends.
        if unarmed && last_leg && self.survey.is_hostile(star.at()) && self.survey.turns_left() > 0
        {
            return;
        }
        if let Some(order) = self.voyage(at, star, &numbers(ships)) {
            self.orders.push(order);
            return;
        }
        for ship in ships {
            let alone = self.voyage(at, star, &[ship.number]);
            self.orders.extend(alone);
        }
    }

    pub(super) fn bound(&self, star: StarId) -> Fleet {
        self.bound[star.index()]
    }

    pub(super) fn is_free(&self, ship: &Ship) -> bool {
        !self.sent.contains(&ship.number)
    }

    pub(super) fn send(&mut self, at: Option<Place>, ships: &[Ship], to: StarId) -> bool {
        let Some(order) = self.voyage(at, to, &numbers(ships)) else { return false };
        self.orders.push(order);
        for ship in ships {
            self.sent.push(ship.number);
            self.bound[to.index()].add(ship.kind(), 1);
        }
        true
    }

    pub(super) fn keep(&mut self, ships: &[Ship]) {
        self.sent.extend(ships.iter().map(|ship| ship.number));
    }

    /// Keeps a warship at each conquered colony (15.5, fate 8.4).
    pub(super) fn keep_guards(&mut self) {
        let survey = self.survey;
        let mut stars: Vec<StarId> =
            survey.power.conquered_colonies.iter().map(|prize| prize.colony.planet.star).collect();
        stars.dedup();
        for star in stars {
            let warships =
                survey.power.ships_at(star.at()).filter(|ship| survey.is_warship(ship.kind()));
            if let Some(&guard) = warships.min_by_key(|ship| ship.kind()) {
                self.keep(&[guard]);
            }
        }
    }

    /// Returns a voyage that avoids other stars with foreign ships if possible. Returns `None` if
    /// no legal voyage stays in range.
    fn voyage(&self, at: Option<Place>, to: StarId, ships: &[ShipNumber]) -> Option<Order> {
        let survey = self.survey;
        let avoided =
            |star: &StarId| *star != to && Some(star.at()) != at && survey.is_hostile(star.at());
        let avoiding: Vec<StarId> = StarId::ALL.into_iter().filter(avoided).collect();
        let start = at.or(survey.table.entry(survey.me))?;
        let ways = if avoiding.is_empty() { vec![avoiding] } else { vec![avoiding, Vec::new()] };
        // The entry hex is the first step of ships that wait off the board (5.2).
        let moved = u8::from(at.is_none());
        let open = ways.into_iter().filter_map(|avoiding| {
            let way = LegalRoutes::new(start, &avoiding, survey.speed, moved).to(to.at())?;
            Some((avoiding, way))
        });
        open.into_iter().find_map(|(avoiding, way)| {
            if !self.keeps_in_range(at, to, ships, &way.path) {
                return None;
            }
            let order = Order::Move(Voyage {
                ships: ships.to_vec(),
                path: Vec::new(),
                destination: Some(to),
                avoiding,
                round_clouds: way.round_clouds,
                accept_loss: false,
            });
            StellarConquest::judge_view(survey.view, &order).ok().map(|()| order)
        })
    }

    fn keeps_in_range(
        &self,
        at: Option<Place>,
        to: StarId,
        ships: &[ShipNumber],
        path: &[Place],
    ) -> bool {
        let survey = self.survey;
        let bound = |&number: &ShipNumber| {
            survey.power.ship(number).is_some_and(|ship| ship.kind().is_range_bound())
        };
        if !ships.iter().any(bound) {
            return true;
        }
        if !survey.command.reaches(to.at()) {
            return false;
        }
        let mut last = at;
        path.iter().all(|&next| survey.command.allows(last.replace(next), next))
    }

    /// Moves waiting ships onto the board towards the nearest star in reach, and returns all
    /// orders.
    pub(super) fn finish(mut self) -> Vec<Order> {
        let survey = self.survey;
        let waiting = survey
            .power
            .ships
            .iter()
            .filter(|ship| ship.at.is_none() && self.is_free(ship))
            .copied();
        let waiting: Vec<Ship> = waiting.collect();
        if let Some(entry) = survey.table.entry(survey.me).filter(|_| !waiting.is_empty()) {
            let mut stars: Vec<StarId> =
                StarId::ALL.into_iter().filter(|star| survey.command.reaches(star.at())).collect();
            stars.sort_by_key(|star| (survey.is_hostile(star.at()), star.at().distance(entry)));
            let entered = |star: &StarId| {
                let order = Order::Move(Voyage {
                    ships: numbers(&waiting),
                    path: vec![entry],
                    destination: Some(*star),
                    avoiding: Vec::new(),
                    round_clouds: false,
                    accept_loss: false,
                });
                StellarConquest::judge_view(survey.view, &order).ok().map(|()| order)
            };
            self.orders.extend(stars.iter().find_map(entered));
        }
        self.orders.push(Order::EndMovement);
        self.orders
    }
}
