//! Orders by rules of thumb, used by level `standard` and in the look-ahead of `strong`.

use heliopause_starships::{
    Base, BaseNumber, DeathStar, Marker, Means, Order, Owed, Piece, Place, Ship, Stage, Status,
    Target,
};

use super::course::{Course, staying};
use super::survey::Survey;

/// An order with its merit. Ending the turn has merit 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Proposal {
    pub(super) order: Order,
    pub(super) merit: i32,
}

impl Proposal {
    /// Returns whether the proposal needs no look-ahead, because it builds starships.
    pub(super) fn is_obvious(&self) -> bool {
        self.merit >= BUILD - 1
    }

    pub(super) fn is_hopeless(&self) -> bool {
        self.merit <= UNWISE
    }
}

const BUILD: i32 = 10_000;
const COLONIZE: i32 = 9_000;
const SETTLE: i32 = 8_500;
const ATTEMPT: i32 = 8_000;
const STRIKE: i32 = 7_000;
/// Addition to the merit of moves that are better than staying.
const MOVE: i32 = 1_000;
/// Merit of orders that only the look-ahead may choose.
const SPECULATION: i32 = -100;
const UNWISE: i32 = -1_000;

/// Number of final rounds in which a lead in planets makes it worthwhile to leave Earth.
const LAST_ROUNDS: u8 = 2;
/// Lead in planets that is worth a credit at the end (rule 9).
const WINNING_LEAD: i32 = 2;

pub(super) fn proposals(survey: &Survey<'_>) -> Vec<Proposal> {
    let mut list = List { survey, proposals: Vec::with_capacity(48) };
    if let Some(owed) = survey.view.owes() {
        list.answer(owed);
    } else if let Stage::Battle(battle) = survey.table.stage {
        list.battle(battle.target);
    } else {
        list.turn();
    }
    list.proposals
}

struct List<'a, 'b> {
    survey: &'b Survey<'a>,
    proposals: Vec<Proposal>,
}

impl List<'_, '_> {
    fn add(&mut self, order: Order, merit: i32) {
        self.proposals.push(Proposal { order, merit });
    }

    fn answer(&mut self, owed: Owed) {
        match owed {
            Owed::Fire(_) => {
                self.add(Order::Fire, 1);
                self.add(Order::HoldFire, UNWISE);
            }
            Owed::Sacrifice(_) => self.sacrifice(),
            Owed::ChooseShip(breaker) => {
                for ship in self.survey.table.ships_of(breaker) {
                    let disrupted = i32::from(ship.condition.is_disrupted());
                    self.add(Order::ChooseShip { ship: ship.id }, -disrupted);
                }
            }
            Owed::ChoosePlanet(_) | Owed::CedePlanet(_) => self.choose_planet(owed),
            Owed::Zones { .. } | Owed::Growth { .. } => self.add(Order::Stop, 0),
        }
    }

    /// Proposes starships to sacrifice (rule 5), first those Disrupted or far from any goal.
    fn sacrifice(&mut self) {
        for ship in self.survey.table.ships_of(self.survey.me) {
            let idle = -staying(self.survey, ship.at);
            let disrupted = i32::from(ship.condition.is_disrupted()) * 40;
            self.add(Order::Sacrifice { ship: ship.id }, idle + disrupted);
        }
    }

    /// Proposes planets to take, live ones first, or planets to cede, dead ones first (R13).
    fn choose_planet(&mut self, owed: Owed) {
        for at in Place::all() {
            let Some(note) = self.survey.view.note(at) else { continue };
            let live = i32::from(note.marker.is_live());
            match (owed, note.owner) {
                (Owed::ChoosePlanet(breaker), Some(owner)) if owner == breaker => {
                    self.add(Order::ChoosePlanet { at }, live);
                }
                (Owed::CedePlanet(_), Some(owner)) if owner == self.survey.me => {
                    self.add(Order::ChoosePlanet { at }, -live);
                }
                _ => {}
            }
        }
    }

    /// Proposes whether to continue the battle, whose odds are the same in every round (rule 6).
    fn battle(&mut self, foe: Target) {
        let worthwhile = match foe {
            Target::DeathStar | Target::Piece(Piece::Base(_)) => true,
            Target::Piece(Piece::Ship(ship)) => {
                let mine = self.survey.table.ships_of(self.survey.me).count();
                mine >= self.survey.table.ships_of(ship.owner).count()
            }
        };
        self.add(Order::FightOn, i32::from(worthwhile));
        self.add(Order::Withdraw, i32::from(!worthwhile));
    }

    fn turn(&mut self) {
        self.add(Order::End, 0);
        self.build();
        self.bases();
        let ships: Vec<Ship> = self.survey.table.ships_of(self.survey.me).copied().collect();
        let able: Vec<Ship> = ships.iter().filter(|ship| !ship.done.withdrew).copied().collect();
        for ship in &able {
            self.colonize(ship.at);
            self.attempt(Piece::Ship(ship.id), ship.at, !ship.condition.is_disrupted());
            if !ship.condition.is_disrupted() {
                self.strike(Piece::Ship(ship.id), ship.at);
            }
        }
        // Propose moves of one ship at a time, because its discovery may change the next move.
        let movable =
            |ship: &&Ship| ship.done.moved_from.is_none() && !ship.condition.is_disrupted();
        for ship in able.iter().filter(movable) {
            if self.go(*ship, &ships) {
                break;
            }
        }
    }

    /// Proposes to build as many starships as possible at each base (3.1).
    fn build(&mut self) {
        let Survey { table, own, me, .. } = *self.survey;
        let arrivals = usize::from(own.arrivals.unwrap_or(0));
        let sponsored = self.survey.sponsors().saturating_sub(table.ships_of(me).count());
        let room = sponsored.min(arrivals);
        if room == 0 {
            return;
        }
        for base in table.bases_of(me) {
            let second = i32::from(base.id.number == BaseNumber::Second);
            self.add(Order::Build { count: room as u8, base: base.id.number }, BUILD - second);
        }
    }

    /// Proposes to take a planet (4.1). If that would let other players win, only the look-ahead
    /// may choose the order.
    fn colonize(&mut self, at: Place) {
        let note = self.survey.view.note(at);
        let open = note.is_some_and(|note| note.marker.is_open() && note.owner.is_none());
        if !open || self.survey.table.has_settled_base(at) {
            return;
        }
        let order = Order::Mark { at };
        // The player may have several starships in the hex.
        if self.proposals.iter().any(|proposal| proposal.order == order) {
            return;
        }
        let crowns = self.is_live(at) && self.survey.would_let_others_win();
        self.add(order, if crowns { SPECULATION } else { COLONIZE });
    }

    fn is_live(&self, at: Place) -> bool {
        self.survey.view.marker(at).is_some_and(Marker::is_live)
    }

    /// Proposes attempts to take a planet (4.2). Proposes force only if `fit` is set, and for a
    /// base with the lowest merit.
    fn attempt(&mut self, piece: Piece, at: Place, fit: bool) {
        let survey = self.survey;
        let note = survey.view.note(at).filter(|note| note.marker.is_planet());
        let Some(note) = note else { return };
        let takeable = match note.owner {
            Some(owner) => survey.may_attack(owner),
            None => note.marker == Marker::Unfriendly,
        };
        if !takeable || survey.table.has_settled_base(at) || survey.own.attempted.contains(&piece) {
            return;
        }
        let crowns = note.marker.is_live() && survey.would_let_others_win();
        let merit = if crowns { SPECULATION } else { ATTEMPT };
        self.add(Order::Attempt { piece, means: Means::Diplomacy }, merit);
        if fit {
            let merit = if matches!(piece, Piece::Ship(_)) { merit + 1 } else { UNWISE };
            self.add(Order::Attempt { piece, means: Means::Force }, merit);
        }
    }

    /// Proposes attacks (rule 6), first on guarding starships, then on bases and the active Death
    /// Star.
    fn strike(&mut self, piece: Piece, at: Place) {
        let survey = self.survey;
        let Survey { table, view, .. } = *survey;
        let is_target = |place, owner| place == at && survey.may_attack(owner);
        let attack = |target| Order::Attack { piece, target };
        for base in table.bases.iter().filter(|base| is_target(base.at, base.id.owner)) {
            self.add(attack(Target::Piece(Piece::Base(base.id))), STRIKE);
        }
        for ship in table.ships.iter().filter(|ship| is_target(ship.at, ship.id.owner)) {
            let owner = ship.id.owner;
            let guards = table.bases_of(owner).any(|base| base.at == at)
                || view.note(at).is_some_and(|note| note.owner == Some(owner));
            let easy = ship.condition.is_disrupted();
            let merit =
                if guards && !easy { STRIKE + 1 } else { SPECULATION + 101 * i32::from(easy) };
            self.add(attack(Target::Piece(Piece::Ship(ship.id))), merit);
        }
        if view.marker(at) == Some(Marker::DeathStar) {
            let active = matches!(table.death_star, DeathStar::Active { .. });
            self.add(attack(Target::DeathStar), if active { STRIKE } else { UNWISE });
        }
    }

    /// Proposes moves of a ship (rule 4). Returns whether any move is better than staying.
    fn go(&mut self, ship: Ship, fleet: &[Ship]) -> bool {
        let course = Course::new(self.survey, ship, fleet);
        let gain = |worth: i32| worth - course.stay + if worth > course.stay { MOVE } else { 0 };
        let first = self.proposals.len();
        for to in ship.at.neighbors().iter().filter(|&to| self.survey.is_safe(to)) {
            self.add(Order::Move { ship: ship.id, to }, gain(course.prospect(to)));
        }
        for to in ship.at.two_away().iter().filter(|&to| self.survey.is_safe_at_warp(to)) {
            let between = ship.at.neighbors().and(to.neighbors());
            let via = between.iter().find(|&via| self.survey.is_safe_at_warp(via));
            let worth = course.worth_by_warp(to);
            if let Some(via) = via.filter(|_| worth > course.stay) {
                self.add(Order::Warp { ship: ship.id, via, to }, gain(worth));
            }
        }
        self.proposals[first..].iter().any(|proposal| proposal.merit > MOVE)
    }

    fn bases(&mut self) {
        let bases: Vec<Base> = self.survey.table.bases_of(self.survey.me).copied().collect();
        for base in bases.into_iter().filter(|base| !base.done.withdrew) {
            if base.is_out() {
                self.settle(base);
            }
            if base.done.moved_from.is_none() {
                let merit = if base.is_out() { SETTLE - 100 } else { self.merit_of_leaving(base) };
                self.move_base(base, merit);
            }
        }
    }

    fn settle(&mut self, base: Base) {
        if self.survey.can_host_base(base.at) {
            self.add(Order::Settle { base: base.id.number }, SETTLE);
        }
        self.attempt(Piece::Base(base.id), base.at, true);
        self.strike(Piece::Base(base.id), base.at);
    }

    /// Returns the merit of moving a base off Earth. Exiles must leave (R12), and at the end
    /// leaving pays for a player two planets ahead (9).
    fn merit_of_leaving(&self, base: Base) -> i32 {
        let survey = self.survey;
        if base.at != Place::EARTH || !survey.is_bound() {
            return UNWISE;
        }
        if matches!(survey.table.status(survey.me), Some(Status::Exiled { .. })) {
            return SETTLE;
        }
        let late = survey.table.round + LAST_ROUNDS > survey.table.options.rounds;
        if late && survey.lead() >= WINNING_LEAD { SETTLE } else { SPECULATION }
    }

    fn move_base(&mut self, base: Base, merit: i32) {
        let nearest = Place::all()
            .filter(|&at| at != base.at && self.survey.can_host_base(at))
            .min_by_key(|&at| (at.distance(base.at), at));
        let Some(haven) = nearest else { return };
        if haven.distance(base.at) > 2 && !base.is_out() && merit < 0 {
            return;
        }
        let open = |at: &Place| !self.survey.table.zones.contains(*at);
        let toward = |from: Place| {
            from.neighbors().iter().filter(open).min_by_key(|&at| (at.distance(haven), at))
        };
        let Some(first) = toward(base.at) else { return };
        let second = if first == haven { None } else { toward(first).filter(|&to| to != base.at) };
        let (via, to) = second.map_or((None, first), |to| (Some(first), to));
        self.add(Order::MoveBase { base: base.id.number, via, to }, merit);
    }
}
