//! Orders by rules of thumb: each piece goes to the place with the best value for its risk, and
//! pieces that stay support others.

use heliopause_diplomacy::{Kind, Node, Province, Provinces, SPACECRAFT, centers};

use super::survey::{Forces, Piece, Survey};
use super::task::{Task, passages};
use super::values::{Values, landings};
use crate::chance::Rng;

/// Probability that a unit enters a place unopposed, or with more, equal or less strength than the
/// opposition.
const FREE: f64 = 1.0;
const STRONGER: f64 = 0.9;
const EQUAL: f64 = 0.5;
const WEAKER: f64 = 0.25;
/// Probability that a single unit enters a place whose occupant may stay.
const AGAINST: f64 = 0.12;
const NEEDED_SUPPORT: f64 = 0.75;
const SURPLUS_SUPPORT: f64 = 0.05;
/// Factor for a convoyed move, which uses two units.
const CONVOY_FACTOR: f64 = 0.7;
const INSECURE_FACTOR: f64 = 0.85;
/// Noise in landings, because all powers have equal preferences at the start.
const LANDING_NOISE: f64 = 3.0;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Open,
    Thinking,
    Done(Task),
}

struct Draft<'a> {
    survey: &'a Survey<'a>,
    values: &'a Values,
    forces: &'a Forces,
    landings: Provinces,
    states: Vec<State>,
    helpers: Vec<usize>,
    claimed: Provinces,
    ups: usize,
    noise: f64,
}

pub(super) fn draft(
    survey: &Survey<'_>,
    values: &Values,
    forces: &Forces,
    noise: f64,
    chance: &mut Rng,
) -> Vec<Task> {
    let count = forces.pieces.len();
    let landings = if survey.in_space() { landings(survey, forces.seat) } else { Provinces::EMPTY };
    let (states, helpers) = (vec![State::Open; count], vec![0; count]);
    let claimed = Provinces::EMPTY;
    let mut draft =
        Draft { survey, values, forces, landings, states, helpers, claimed, ups: 0, noise };
    let mut order: Vec<usize> = (0..count).collect();
    chance.shuffle(&mut order);
    for index in order {
        draft.decide(index, chance);
    }
    draft.assign_support();
    draft
        .states
        .into_iter()
        .map(|state| if let State::Done(task) = state { task } else { Task::Stay })
        .collect()
}

fn symmetric_noise(chance: &mut Rng) -> f64 {
    const STEPS: usize = 1 << 20;
    2.0 * chance.below(STEPS) as f64 / STEPS as f64 - 1.0
}

impl Draft<'_> {
    /// Assigns a piece its best possible task. If the task is a move to the place of a fellow
    /// piece, decides the fellow piece first, because the move is possible only if that piece
    /// leaves.
    fn decide(&mut self, index: usize, chance: &mut Rng) {
        if self.states[index] != State::Open {
            return;
        }
        self.states[index] = State::Thinking;
        let mut options = self.options(index, chance);
        options.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        for (_, task) in options {
            if let Some(fellow) = task.goes_to().and_then(|to| self.fellow_at(to)) {
                self.decide(fellow, chance);
                // The fellow piece may have assigned this piece to its convoy.
                if self.states[index] != State::Thinking {
                    return;
                }
            }
            if self.is_possible(index, task) {
                return self.settle(index, task);
            }
        }
        self.settle(index, Task::Stay);
    }

    fn settle(&mut self, index: usize, task: Task) {
        self.states[index] = State::Done(task);
        match task {
            Task::SupportPiece(other) => self.helpers[usize::from(other)] += 1,
            Task::BeamUp => self.ups += 1,
            _ => {}
        }
        let place = task
            .goes_to()
            .or_else(|| self.forces.pieces[index].province().filter(|_| !task.leaves()));
        if let Some(place) = place {
            self.claimed.insert(place);
        }
        if let Task::MoveByConvoy(to) = task {
            let fleet = self.free_fleet(index, to);
            let fleet = fleet.expect("a convoy is chosen only while its fleet is free");
            self.settle(fleet, Task::ConvoyPiece(index as u8));
        }
    }

    /// Returns a fleet without a task that can convoy an army to a place.
    fn free_fleet(&self, army: usize, to: Node) -> Option<usize> {
        let fleets = passages(self.forces, army).into_iter().filter(|(place, _)| *place == to);
        let mut fleets = fleets.map(|(_, fleet)| usize::from(fleet));
        fleets.find(|&fleet| self.states[fleet] == State::Open)
    }

    fn fellow_at(&self, at: Province) -> Option<usize> {
        self.forces.pieces.iter().position(|piece| piece.province() == Some(at))
    }

    fn is_possible(&self, index: usize, task: Task) -> bool {
        match task {
            Task::Go(to) | Task::MoveByConvoy(to) => {
                let to = to.province();
                let own = self.forces.pieces[index].province();
                let makes_room =
                    self.fellow_at(to).is_none_or(|fellow| match self.states[fellow] {
                        State::Done(task) => task.leaves() && task.goes_to() != own,
                        _ => false,
                    });
                let carried = match task {
                    Task::MoveByConvoy(place) => self.free_fleet(index, place).is_some(),
                    _ => true,
                };
                makes_room && carried && !self.claimed.contains(to)
            }
            Task::BeamUp => {
                usize::from(self.survey.position.orbit(self.forces.seat)) + self.ups
                    < usize::from(SPACECRAFT)
            }
            Task::Stay | Task::SupportPiece(_) | Task::ConvoyPiece(_) => {
                self.forces.pieces[index].province().is_none_or(|at| !self.claimed.contains(at))
            }
        }
    }

    fn options(&self, index: usize, chance: &mut Rng) -> Vec<(f64, Task)> {
        let piece = self.forces.pieces[index];
        let mut options: Vec<(f64, Task)> = Vec::with_capacity(16);
        options.push((self.staying(piece), Task::Stay));
        for to in piece
            .reach()
            .iter()
            .filter(|to| !self.survey.is_closed(self.forces.seat, to.province()))
        {
            options.push((self.going(piece, to), Task::Go(to)));
        }
        for (to, fleet) in passages(self.forces, index) {
            let closed = self.survey.is_closed(self.forces.seat, to.province());
            if self.states[usize::from(fleet)] == State::Open && !closed {
                options.push((CONVOY_FACTOR * self.going(piece, to), Task::MoveByConvoy(to)));
            }
        }
        self.add_support_options(index, &mut options);
        if self.survey.in_space() && piece.kind == Kind::Army {
            if piece.at.is_some() {
                options.push((self.values.orbit, Task::BeamUp));
            } else {
                let landings = self.landings.iter();
                options.extend(landings.map(|to| (self.landing(to), Task::Go(to.node()))));
            }
        }
        let noise = if piece.at.is_none() { self.noise * LANDING_NOISE } else { self.noise };
        for (worth, _) in &mut options {
            *worth *= 1.0 + noise * symmetric_noise(chance);
        }
        options
    }

    fn staying(&self, piece: Piece) -> f64 {
        let Some(at) = piece.at else { return self.values.orbit };
        let safe = self.strength(at.province()) + 1 > self.values.threat[at.province().index()];
        self.values.now(piece.kind, at) * if safe { 1.0 } else { INSECURE_FACTOR }
    }

    fn going(&self, piece: Piece, to: Node) -> f64 {
        self.values.now(piece.kind, to)
            * self.likelihood(to.province(), self.strength(to.province()).max(1))
    }

    fn landing(&self, to: Province) -> f64 {
        let worth = self.values.now(Kind::Army, to.node()) + 0.1 * self.values.base[to.index()];
        worth * self.likelihood(to, self.strength(to) + 1)
    }

    fn strength(&self, at: Province) -> usize {
        self.survey.coming(self.forces.seat, at)
    }

    fn likelihood(&self, to: Province, strength: usize) -> f64 {
        let threat = self.values.threat[to.index()];
        let occupied =
            self.survey.position.unit(to).is_some_and(|unit| unit.owner != self.forces.seat);
        match strength.cmp(&threat) {
            _ if threat == 0 => FREE,
            _ if occupied && strength < 2 => AGAINST,
            std::cmp::Ordering::Greater => STRONGER,
            std::cmp::Ordering::Equal => EQUAL,
            std::cmp::Ordering::Less => WEAKER,
        }
    }

    fn add_support_options(&self, index: usize, options: &mut Vec<(f64, Task)>) {
        for (other, state) in self.states.iter().enumerate() {
            let State::Done(task) = *state else { continue };
            if let Some(worth) = self.support_worth(index, other, task) {
                options.push((worth, Task::SupportPiece(other as u8)));
            }
        }
    }

    fn support_worth(&self, index: usize, other: usize, task: Task) -> Option<f64> {
        let (piece, fellow) = (self.forces.pieces[index], self.forces.pieces[other]);
        let at = match task {
            Task::Go(to) | Task::MoveByConvoy(to) => to,
            Task::BeamUp => return None,
            _ => fellow.at?,
        };
        let province = at.province();
        if index == other || !piece.can_enter(province) || piece.province() == Some(province) {
            return None;
        }
        let wanted = self.helpers[other] < self.values.threat[province.index()];
        let worth = self.values.now(fellow.kind, at).max(self.values.base[province.index()]);
        Some(worth * if wanted { NEEDED_SUPPORT } else { SURPLUS_SUPPORT })
    }

    /// Changes tasks from staying to support, except for pieces that colonize a center by staying.
    fn assign_support(&mut self) {
        for index in 0..self.states.len() {
            let Some(at) = self.forces.pieces[index].province() else { continue };
            let colony = self.survey.position.colonies[at.index()] == Some(self.forces.seat);
            let settles = self.survey.in_space() && centers().contains(at) && !colony;
            if self.states[index] != State::Done(Task::Stay) || settles {
                continue;
            }
            let mut best: Option<(f64, usize)> = None;
            for (other, state) in self.states.iter().enumerate() {
                let State::Done(task) = *state else { continue };
                let worth = self
                    .support_worth(index, other, task)
                    .filter(|_| self.is_contested(other, task));
                if let Some(worth) = worth
                    && best.is_none_or(|(most, _)| worth > most)
                {
                    best = Some((worth, other));
                }
            }
            if let Some((_, other)) = best {
                self.settle(index, Task::SupportPiece(other as u8));
            }
        }
    }

    fn is_contested(&self, index: usize, task: Task) -> bool {
        let at = task.goes_to().or_else(|| self.forces.pieces[index].province());
        at.is_some_and(|at| self.values.threat[at.index()] > 0)
    }
}
