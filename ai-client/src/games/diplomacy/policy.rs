//! Orders by rules of thumb: each piece takes the place that is worth most for what it risks; who
//! comes second to a place where strength is wanted supports whoever was first; who stays has a
//! hand free for the others.

use heliopause_diplomacy::{Kind, Node, Province, Provinces, SPACECRAFT, centers};

use super::survey::{Corps, Piece, Survey};
use super::task::{Task, passages};
use super::values::{Values, landings};
use crate::chance::Chance;

/// How likely it is that a unit comes into a place: where nobody can say no, and where one side is
/// stronger than the other.
const FREE: f64 = 1.0;
const STRONGER: f64 = 0.9;
const EQUAL: f64 = 0.5;
const WEAKER: f64 = 0.25;
/// Alone against a unit that may stay.
const AGAINST: f64 = 0.12;
/// What helping to a place is worth, in parts of going there: where help is wanted, and where there
/// is enough of it.
const HELP: f64 = 0.75;
const SPARE_HELP: f64 = 0.05;
/// What a way by convoy is worth: two units are busy with it.
const BY_SEA: f64 = 0.7;
/// What is kept of the worth of a place that others can take.
const SHAKY: f64 = 0.85;
/// Where to land is as good as a guess in the beginning: everybody wants the same places.
const LANDING_NOISE: f64 = 3.0;

/// Whether, and where, a piece was seen to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Open,
    Thinking,
    Done(Task),
}

struct Draft<'a> {
    survey: &'a Survey<'a>,
    values: &'a Values,
    corps: &'a Corps,
    landings: Provinces,
    states: Vec<State>,
    helpers: Vec<usize>,
    claimed: Provinces,
    ups: usize,
    noise: f64,
}

/// The tasks of a power's pieces. With much noise they differ from time to time, with little they
/// are the best that it knows.
pub(super) fn draft(
    survey: &Survey<'_>,
    values: &Values,
    corps: &Corps,
    noise: f64,
    chance: &mut Chance,
) -> Vec<Task> {
    let count = corps.pieces.len();
    let landings = if survey.in_space() { landings(survey, corps.seat) } else { Provinces::EMPTY };
    let (states, helpers) = (vec![State::Open; count], vec![0; count]);
    let claimed = Provinces::EMPTY;
    let mut draft =
        Draft { survey, values, corps, landings, states, helpers, claimed, ups: 0, noise };
    let mut order: Vec<usize> = (0..count).collect();
    for at in (1..count).rev() {
        order.swap(at, chance.below(at + 1));
    }
    for index in order {
        draft.decide(index, chance);
    }
    draft.lend_hands();
    draft
        .states
        .into_iter()
        .map(|state| if let State::Done(task) = state { task } else { Task::Stay })
        .collect()
}

/// A number from -1 to 1.
fn swing(chance: &mut Chance) -> f64 {
    const STEPS: usize = 1 << 20;
    2.0 * chance.below(STEPS) as f64 / STEPS as f64 - 1.0
}

impl Draft<'_> {
    /// Decides a piece. Before it goes where a fellow stands, that fellow is decided.
    fn decide(&mut self, index: usize, chance: &mut Chance) {
        if self.states[index] != State::Open {
            return;
        }
        self.states[index] = State::Thinking;
        let mut options = self.options(index, chance);
        options.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        for (_, task) in options {
            if let Some(fellow) = task.goes_to().and_then(|to| self.fellow_at(to)) {
                self.decide(fellow, chance);
                // It may have come to count on this piece meanwhile.
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
            Task::Back(other) => self.helpers[usize::from(other)] += 1,
            Task::Up => self.ups += 1,
            _ => {}
        }
        let place = task
            .goes_to()
            .or_else(|| self.corps.pieces[index].province().filter(|_| !task.leaves()));
        if let Some(place) = place {
            self.claimed.insert(place);
        }
        if let Task::Ship(to) = task {
            let (_, fleet) = passages(self.corps, index)
                .into_iter()
                .find(|&(place, fleet)| {
                    place == to && self.states[usize::from(fleet)] == State::Open
                })
                .expect("a convoy is chosen only while its fleet is free");
            self.settle(usize::from(fleet), Task::Carry(index as u8));
        }
    }

    fn fellow_at(&self, at: Province) -> Option<usize> {
        self.corps.pieces.iter().position(|piece| piece.province() == Some(at))
    }

    /// Whether nothing that was decided stands against it.
    fn is_possible(&self, index: usize, task: Task) -> bool {
        match task {
            Task::Go(to) | Task::Ship(to) => {
                let to = to.province();
                let makes_room =
                    self.fellow_at(to).is_none_or(|fellow| match self.states[fellow] {
                        State::Done(task) => {
                            task.leaves() && task.goes_to() != self.corps.pieces[index].province()
                        }
                        _ => false,
                    });
                let carried = match task {
                    Task::Ship(place) => passages(self.corps, index).iter().any(|&(to, fleet)| {
                        to == place && self.states[usize::from(fleet)] == State::Open
                    }),
                    _ => true,
                };
                makes_room && carried && !self.claimed.contains(to)
            }
            Task::Up => {
                usize::from(self.survey.position.orbit(self.corps.seat)) + self.ups
                    < usize::from(SPACECRAFT)
            }
            Task::Stay | Task::Back(_) | Task::Carry(_) => {
                self.corps.pieces[index].province().is_none_or(|at| !self.claimed.contains(at))
            }
        }
    }

    /// All that a piece may do, with what it is worth.
    fn options(&self, index: usize, chance: &mut Chance) -> Vec<(f64, Task)> {
        let piece = self.corps.pieces[index];
        let mut options: Vec<(f64, Task)> = Vec::with_capacity(16);
        options.push((self.staying(piece), Task::Stay));
        for to in
            piece.reach().iter().filter(|to| !self.survey.is_closed(self.corps.seat, to.province()))
        {
            options.push((self.going(piece, to), Task::Go(to)));
        }
        for (to, fleet) in passages(self.corps, index) {
            let closed = self.survey.is_closed(self.corps.seat, to.province());
            if self.states[usize::from(fleet)] == State::Open && !closed {
                options.push((BY_SEA * self.going(piece, to), Task::Ship(to)));
            }
        }
        self.helping(index, &mut options);
        if self.survey.in_space() && piece.kind == Kind::Army {
            if piece.at.is_some() {
                options.push((self.values.orbit, Task::Up));
            } else {
                let landings = self.landings.iter();
                options.extend(landings.map(|to| (self.landing(to), Task::Go(to.node()))));
            }
        }
        let noise = if piece.at.is_none() { self.noise * LANDING_NOISE } else { self.noise };
        for (worth, _) in &mut options {
            *worth *= 1.0 + noise * swing(chance);
        }
        options
    }

    fn staying(&self, piece: Piece) -> f64 {
        let Some(at) = piece.at else { return self.values.orbit };
        let safe = self.strength(at.province()) + 1 > self.values.threat[at.province().index()];
        self.values.now(piece.kind, at) * if safe { 1.0 } else { SHAKY }
    }

    fn going(&self, piece: Piece, to: Node) -> f64 {
        self.values.now(piece.kind, to)
            * self.likelihood(to.province(), self.strength(to.province()).max(1))
    }

    fn landing(&self, to: Province) -> f64 {
        let worth = self.values.now(Kind::Army, to.node()) + 0.1 * self.values.base[to.index()];
        worth * self.likelihood(to, self.strength(to) + 1)
    }

    /// How many own units can come there.
    fn strength(&self, at: Province) -> usize {
        self.survey.coming(self.corps.seat, at)
    }

    fn likelihood(&self, to: Province, strength: usize) -> f64 {
        let threat = self.values.threat[to.index()];
        let occupied =
            self.survey.position.unit(to).is_some_and(|unit| unit.owner != self.corps.seat);
        match strength.cmp(&threat) {
            _ if threat == 0 => FREE,
            _ if occupied && strength < 2 => AGAINST,
            std::cmp::Ordering::Greater => STRONGER,
            std::cmp::Ordering::Equal => EQUAL,
            std::cmp::Ordering::Less => WEAKER,
        }
    }

    /// Support for fellows that were decided before.
    fn helping(&self, index: usize, options: &mut Vec<(f64, Task)>) {
        for (other, state) in self.states.iter().enumerate() {
            let State::Done(task) = *state else { continue };
            if let Some(worth) = self.help(index, other, task) {
                options.push((worth, Task::Back(other as u8)));
            }
        }
    }

    /// What supporting a fellow is worth; none if that cannot be.
    fn help(&self, index: usize, other: usize, task: Task) -> Option<f64> {
        let (piece, fellow) = (self.corps.pieces[index], self.corps.pieces[other]);
        let at = match task {
            Task::Go(to) | Task::Ship(to) => to,
            Task::Up => return None,
            _ => fellow.at?,
        };
        let province = at.province();
        if index == other || !piece.can_enter(province) || piece.province() == Some(province) {
            return None;
        }
        let wanted = self.helpers[other] < self.values.threat[province.index()];
        let worth = self.values.now(fellow.kind, at).max(self.values.base[province.index()]);
        Some(worth * if wanted { HELP } else { SPARE_HELP })
    }

    /// Who stays supports whom it helps most; but a center that is to become a colony comes first.
    fn lend_hands(&mut self) {
        for index in 0..self.states.len() {
            let Some(at) = self.corps.pieces[index].province() else { continue };
            let colony = self.survey.position.colonies[at.index()] == Some(self.corps.seat);
            let settles = self.survey.in_space() && centers().contains(at) && !colony;
            if self.states[index] != State::Done(Task::Stay) || settles {
                continue;
            }
            let mut best: Option<(f64, usize)> = None;
            for (other, state) in self.states.iter().enumerate() {
                let State::Done(task) = *state else { continue };
                let worth =
                    self.help(index, other, task).filter(|_| self.is_contested(other, task));
                if let Some(worth) = worth
                    && best.is_none_or(|(most, _)| worth > most)
                {
                    best = Some((worth, other));
                }
            }
            if let Some((_, other)) = best {
                self.settle(index, Task::Back(other as u8));
            }
        }
    }

    fn is_contested(&self, index: usize, task: Task) -> bool {
        let at = task.goes_to().or_else(|| self.corps.pieces[index].province());
        at.is_some_and(|at| self.values.threat[at.index()] > 0)
    }
}
