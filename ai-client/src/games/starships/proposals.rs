//! Rules of thumb: what a captain would do now, best first. They are the whole of the `standard`
//! level, the short list of the `strong` one, and how both sides play on in its look-ahead.

use heliopause_starships::{
    Base, BaseNumber, DeathStar, Marker, Means, Order, Owed, Piece, Place, Ship, Stage, Status,
    Target,
};

use super::course::{Course, staying};
use super::survey::Survey;

/// An order and how good it seems; what seems worse than ending the turn is below 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Proposal {
    pub(super) order: Order,
    pub(super) merit: i32,
}

impl Proposal {
    /// So good that it needs no look ahead: building.
    pub(super) fn is_obvious(&self) -> bool {
        self.merit >= BUILD - 1
    }

    /// So much worse than ending the turn that it is not worth a look ahead.
    pub(super) fn is_hopeless(&self) -> bool {
        self.merit <= UNWISE
    }
}

// Merits of actions that come before moves, in the order in which they are taken.
const BUILD: i32 = 10_000;
const COLONIZE: i32 = 9_000;
const SETTLE: i32 = 8_500;
const ATTEMPT: i32 = 8_000;
const STRIKE: i32 = 7_000;
/// A move's merit is this and what it leads to.
const MOVE: i32 = 1_000;
/// What is only worth a look ahead.
const SPECULATION: i32 = -100;
/// Something better is to be had by other means.
const UNWISE: i32 = -1_000;

/// The last rounds, in which an Independent counts their lead.
const LAST_ROUNDS: u8 = 2;
/// The lead that is worth a credit at the end (9).
const WINNING_LEAD: i32 = 2;

/// Everything that a captain would think of, in no order.
pub(super) fn proposals(survey: &Survey<'_>) -> Vec<Proposal> {
    let mut list = List { survey, proposals: Vec::with_capacity(48) };
    if let Some(owed) = survey.view.owes() {
        list.answer(owed);
    } else if let Stage::Battle(battle) = survey.table.stage {
        list.battle(battle.foe);
    } else {
        list.turn();
    }
    list.proposals
}

/// The proposals as they come together.
struct List<'a, 'b> {
    survey: &'b Survey<'a>,
    proposals: Vec<Proposal>,
}

impl List<'_, '_> {
    fn add(&mut self, order: Order, merit: i32) {
        self.proposals.push(Proposal { order, merit });
    }

    /// Decisions beside the turn.
    fn answer(&mut self, owed: Owed) {
        match owed {
            Owed::Fire(_) => {
                self.add(Order::Fire, 1);
                self.add(Order::HoldFire, UNWISE);
            }
            Owed::Sacrifice(_) => self.sacrifice(),
            Owed::ChooseShip(breaker) => {
                for ship in self.survey.table.ships_of(breaker) {
                    self.add(
                        Order::ChooseShip { ship: ship.id },
                        -i32::from(ship.condition.is_disrupted()),
                    );
                }
            }
            Owed::ChoosePlanet(_) | Owed::CedePlanet(_) => self.choose_planet(owed),
            // The Death Star's decisions are not a captain's.
            Owed::Zones { .. } | Owed::Growth { .. } => self.add(Order::Stop, 0),
        }
    }

    /// 5: the starship that is least missed: Disrupted, and far from anything to do.
    fn sacrifice(&mut self) {
        for ship in self.survey.table.ships_of(self.survey.me) {
            let idle = -staying(self.survey, ship.at);
            let disrupted = i32::from(ship.condition.is_disrupted()) * 40;
            self.add(Order::Sacrifice { ship: ship.id }, idle + disrupted);
        }
    }

    /// R13: among the breaker's planets a live one, among one's own a dead one.
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

    /// 6: another round is as good as the first. Against bases and the Death Star much is to be
    /// won, between starships nothing but the way to what they guard.
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
        // One after the other: where the next one goes depends on what this one finds.
        let movable =
            |ship: &&Ship| ship.done.moved_from.is_none() && !ship.condition.is_disrupted();
        for ship in able.iter().filter(movable) {
            if self.go(*ship, &ships) {
                break;
            }
        }
    }

    /// 3.1: every starship that can be had.
    fn build(&mut self) {
        let ships = self.survey.table.ships_of(self.survey.me).count();
        let room = self
            .survey
            .sponsors()
            .saturating_sub(ships)
            .min(usize::from(self.survey.own.arrivals.unwrap_or(0)));
        if room == 0 {
            return;
        }
        for base in self.survey.table.bases_of(self.survey.me) {
            let second = i32::from(base.id.number == BaseNumber::Second);
            self.add(Order::Build { count: room as u8, base: base.id.number }, BUILD - second);
        }
    }

    /// 4.1: an open planet is taken at once, unless that crowns others.
    fn colonize(&mut self, at: Place) {
        let open = self
            .survey
            .view
            .note(at)
            .is_some_and(|note| note.marker.is_open() && note.owner.is_none());
        if !open || self.survey.table.has_settled_base(at) {
            return;
        }
        let order = Order::Mark { at };
        // Several starships may be there.
        if self.proposals.iter().any(|proposal| proposal.order == order) {
            return;
        }
        let crowns = self.is_live(at) && self.survey.would_crown_others();
        self.add(order, if crowns { SPECULATION } else { COLONIZE });
    }

    fn is_live(&self, at: Place) -> bool {
        self.survey.view.marker(at).is_some_and(Marker::is_live)
    }

    /// 4.2: force is surer and costs a starship when it fails; a base never risks it.
    fn attempt(&mut self, piece: Piece, at: Place, fit: bool) {
        let survey = self.survey;
        let Some(note) = survey.view.note(at).filter(|note| note.marker.is_planet()) else {
            return;
        };
        let takeable = match note.owner {
            Some(owner) => survey.may_attack(owner),
            None => note.marker == Marker::Unfriendly,
        };
        if !takeable || survey.table.has_settled_base(at) || survey.own.attempted.contains(&piece) {
            return;
        }
        let merit = if note.marker.is_live() && survey.would_crown_others() {
            SPECULATION
        } else {
            ATTEMPT
        };
        let is_ship = matches!(piece, Piece::Ship(_));
        self.add(Order::Attempt { piece, means: Means::Diplomacy }, merit);
        if fit && is_ship {
            self.add(Order::Attempt { piece, means: Means::Force }, merit + 1);
        } else if fit {
            self.add(Order::Attempt { piece, means: Means::Force }, UNWISE);
        }
    }

    /// 6: what may be attacked here: starships that guard something first, then bases, then the
    /// Death Star.
    fn strike(&mut self, piece: Piece, at: Place) {
        let survey = self.survey;
        for base in survey
            .table
            .bases
            .iter()
            .filter(|base| base.at == at && survey.may_attack(base.id.owner))
        {
            self.add(Order::Attack { piece, target: Target::Piece(Piece::Base(base.id)) }, STRIKE);
        }
        for ship in survey
            .table
            .ships
            .iter()
            .filter(|ship| ship.at == at && survey.may_attack(ship.id.owner))
        {
            let owner = ship.id.owner;
            let guards = survey.table.bases_of(owner).any(|base| base.at == at)
                || survey.view.note(at).is_some_and(|note| note.owner == Some(owner));
            let easy = ship.condition.is_disrupted();
            let merit =
                if guards && !easy { STRIKE + 1 } else { SPECULATION + 101 * i32::from(easy) };
            self.add(Order::Attack { piece, target: Target::Piece(Piece::Ship(ship.id)) }, merit);
        }
        let active = matches!(survey.table.death_star, DeathStar::Active { .. });
        if survey.view.marker(at) == Some(Marker::DeathStar) {
            self.add(
                Order::Attack { piece, target: Target::DeathStar },
                if active { STRIKE } else { UNWISE },
            );
        }
    }

    /// 4: where a starship goes: a merit above [`MOVE`] is by how much it beats staying. Says
    /// whether anything does.
    fn go(&mut self, ship: Ship, fleet: &[Ship]) -> bool {
        let course = Course::new(self.survey, ship, fleet);
        let gain = |worth: i32| worth - course.stay + if worth > course.stay { MOVE } else { 0 };
        let first = self.proposals.len();
        for to in ship.at.neighbours().iter().filter(|&to| self.survey.is_safe(to)) {
            self.add(Order::Move { ship: ship.id, to }, gain(course.prospect(to)));
        }
        for to in ship.at.two_away().iter().filter(|&to| self.survey.is_safe_at_warp(to)) {
            let via = ship
                .at
                .neighbours()
                .and(to.neighbours())
                .iter()
                .find(|&via| self.survey.is_safe_at_warp(via));
            let worth = course.worth_by_warp(to);
            if let Some(via) = via.filter(|_| worth > course.stay) {
                self.add(Order::Warp { ship: ship.id, via, to }, gain(worth));
            }
        }
        self.proposals[first..].iter().any(|proposal| proposal.merit > MOVE)
    }

    /// 4.4: bases that are out look for a planet; those on Earth may leave.
    fn bases(&mut self) {
        let bases: Vec<Base> = self.survey.table.bases_of(self.survey.me).copied().collect();
        for base in bases {
            if base.done.withdrew {
                continue;
            }
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
        if self.survey.is_haven(base.at) {
            self.add(Order::Settle { base: base.id.number }, SETTLE);
        }
        self.attempt(Piece::Base(base.id), base.at, true);
        self.strike(Piece::Base(base.id), base.at);
    }

    /// Leaving Earth is a duty of the exiled (R12) and pays at the end for who is two planets ahead
    /// (9).
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

    /// The ways of one or two hexes to the nearest planets that can host the base.
    fn move_base(&mut self, base: Base, merit: i32) {
        let nearest = Place::all()
            .filter(|&at| at != base.at && self.survey.is_haven(at))
            .min_by_key(|&at| (at.distance(base.at), at));
        let Some(haven) = nearest else { return };
        if haven.distance(base.at) > 2 && !base.is_out() && merit < 0 {
            return;
        }
        let open = |at: Place| !self.survey.table.zones.contains(at);
        let toward = |from: Place| {
            from.neighbours()
                .iter()
                .filter(|&at| open(at))
                .min_by_key(|&at| (at.distance(haven), at))
        };
        let Some(first) = toward(base.at) else { return };
        let second = if first == haven { None } else { toward(first).filter(|&to| to != base.at) };
        let (via, to) = second.map_or((None, first), |to| (Some(first), to));
        self.add(Order::MoveBase { base: base.id.number, via, to }, merit);
    }
}
