//! Search for orders by simulation. Nearby powers are expected to choose among plans made by rules
//! of thumb, preferring plans that did well against the choices of the others (regret matching).
//! The bot improves its own best plan against orders drawn from that distribution, piece by piece
//! and attack by attack, until the budget is spent.

use heliopause_diplomacy::{Given, Kind, Order, Province};
use heliopause_kernel::Seat;

use super::evaluation::{Evaluation, others, values};
use super::policy::draft;
use super::survey::{Forces, Survey};
use super::task::{Task, orders, passages};
use super::values::landings;
use crate::bot::Stop;
use crate::chance::Rng;

/// Number of tries on a board with up to `UNITS` units. Larger boards get fewer tries.
const TRIES: usize = 6_000;
const UNITS: usize = 34;
const PLANS: usize = 8;
const OWN_PLANS: usize = 16;
const NOISE: f64 = 0.35;
/// Number of nearby powers that adapt their plans to the others.
const NEAR: usize = 6;
const ROUNDS: usize = 12;
const WORLDS: usize = 14;
const FINALISTS: usize = 6;
const GAIN: f64 = 1e-9;

pub(super) fn best(survey: &Survey<'_>, seed: &[u8], stop: &Stop) -> Vec<Order> {
    let values = values(survey);
    let evaluation = Evaluation::new(survey, &values);
    let mut chance = Rng::new(seed, "search");
    let mut sides = sides(survey, &values, &mut chance);
    let units: usize = sides.iter().map(|side| side.forces.pieces.len()).sum();
    let tries = TRIES * UNITS / units.max(UNITS);
    let spent = match_regrets(&evaluation, &mut sides, tries / 2, stop, &mut chance);
    let worlds: Vec<Vec<Given>> = (0..WORLDS).map(|_| world(&sides[1..], &mut chance)).collect();
    let mut climb = HillClimb {
        survey,
        evaluation: &evaluation,
        forces: sides[0].forces.clone(),
        worlds,
        tried: spent,
    };
    let mut best = climb.best_of(&sides[0]);
    climb.improve(&mut best, tries, stop, &mut chance);
    orders(survey, &climb.forces, &best.tasks)
}

struct Side {
    forces: Forces,
    plans: Vec<Vec<Task>>,
    orders: Vec<Vec<Given>>,
    regrets: Vec<f64>,
    chosen: Vec<f64>,
}

impl Side {
    fn new(
        survey: &Survey<'_>,
        values: &[super::values::Values],
        seat: Seat,
        plans: usize,
        chance: &mut Rng,
    ) -> Self {
        let forces = survey.forces(seat);
        let mut made: Vec<Vec<Task>> = Vec::with_capacity(plans);
        for number in 0..plans {
            let noise = if number == 0 { 0.0 } else { NOISE };
            let plan = draft(survey, &values[seat.index()], &forces, noise, chance);
            if !made.contains(&plan) {
                made.push(plan);
            }
        }
        let given = |plan: &Vec<Task>| give(seat, orders(survey, &forces, plan));
        let orders = made.iter().map(given).collect();
        let (regrets, chosen) = (vec![0.0; made.len()], vec![0.0; made.len()]);
        Self { forces, plans: made, orders, regrets, chosen }
    }

    fn choose(&mut self, chance: &mut Rng) -> usize {
        let weights: Vec<f64> = self.regrets.iter().map(|regret| regret.max(0.0)).collect();
        let choice = draw(&weights, chance);
        self.chosen[choice] += 1.0;
        choice
    }
}

fn give(seat: Seat, orders: Vec<Order>) -> Vec<Given> {
    orders.into_iter().map(|order| Given { seat, order }).collect()
}

fn draw(weights: &[f64], chance: &mut Rng) -> usize {
    const STEPS: usize = 1 << 20;
    let total: f64 = weights.iter().sum();
    if total <= 0.0 {
        return chance.below(weights.len());
    }
    let mut left = total * chance.below(STEPS) as f64 / STEPS as f64;
    for (index, weight) in weights.iter().enumerate() {
        left -= weight;
        if left < 0.0 {
            return index;
        }
    }
    weights.len() - 1
}

fn sides(survey: &Survey<'_>, values: &[super::values::Values], chance: &mut Rng) -> Vec<Side> {
    let mut seats: Vec<Seat> = others(survey, survey.me).iter().collect();
    let reach = |seat: Seat, at: Province| survey.coming(seat, at).min(3);
    let nearness = |seat: Seat| -> usize {
        let meets = |at: Province| reach(survey.me, at).min(reach(seat, at));
        Province::ALL.into_iter().map(meets).sum::<usize>()
            + usize::from(survey.position.orbit(seat))
    };
    seats.sort_by_key(|&seat| (std::cmp::Reverse(nearness(seat)), seat));
    let mut sides = vec![Side::new(survey, values, survey.me, OWN_PLANS, chance)];
    sides.extend(seats.into_iter().map(|seat| Side::new(survey, values, seat, PLANS, chance)));
    sides
}

/// Adapts the plans of all sides to each other. Returns the number of tries used.
fn match_regrets(
    evaluation: &Evaluation<'_>,
    sides: &mut [Side],
    tries: usize,
    stop: &Stop,
    chance: &mut Rng,
) -> usize {
    let mut tried = 0;
    for _ in 0..ROUNDS {
        let chosen: Vec<usize> = sides.iter_mut().map(|side| side.choose(chance)).collect();
        for learner in 0..sides.len().min(NEAR + 1) {
            let seat = sides[learner].forces.seat;
            let mut worths = Vec::with_capacity(sides[learner].plans.len());
            for plan in 0..sides[learner].plans.len() {
                let choice = |side: usize| if side == learner { plan } else { chosen[side] };
                let given: Vec<Given> = sides
                    .iter()
                    .enumerate()
                    .flat_map(|(index, side)| side.orders[choice(index)].iter().copied())
                    .collect();
                worths.push(evaluation.worth(&evaluation.after(&given), seat));
            }
            tried += worths.len();
            let got = worths[chosen[learner]];
            for (regret, worth) in sides[learner].regrets.iter_mut().zip(worths) {
                *regret += worth - got;
            }
        }
        if tried >= tries || stop.stopped() {
            break;
        }
    }
    tried
}

fn world(others: &[Side], chance: &mut Rng) -> Vec<Given> {
    others.iter().flat_map(|side| side.orders[draw(&side.chosen, chance)].iter().copied()).collect()
}

#[derive(Clone)]
struct Plan {
    tasks: Vec<Task>,
    worth: f64,
}

struct HillClimb<'a> {
    survey: &'a Survey<'a>,
    evaluation: &'a Evaluation<'a>,
    forces: Forces,
    worlds: Vec<Vec<Given>>,
    tried: usize,
}

impl HillClimb<'_> {
    fn best_of(&mut self, own: &Side) -> Plan {
        let mut ranks: Vec<usize> = (0..own.plans.len()).collect();
        ranks.sort_by(|&one, &other| own.regrets[other].total_cmp(&own.regrets[one]));
        let mut best = Plan { tasks: own.plans[ranks[0]].clone(), worth: f64::MIN };
        for &index in ranks.iter().take(FINALISTS) {
            if let Some(plan) = self.better(&own.plans[index], best.worth) {
                best = plan;
            }
        }
        best
    }

    /// Evaluates a plan. Returns `None` unless its worth exceeds `than` by more than `GAIN`.
    fn better(&mut self, tasks: &[Task], than: f64) -> Option<Plan> {
        let own = give(self.forces.seat, orders(self.survey, &self.forces, tasks));
        let count = self.worlds.len() as f64;
        let mut total = 0.0;
        for (index, world) in self.worlds.iter().enumerate() {
            let given: Vec<Given> = own.iter().chain(world).copied().collect();
            self.tried += 1;
            total += self.evaluation.worth(&self.evaluation.after(&given), self.forces.seat);
            let done = (index + 1) as f64;
            if index >= 2 && total / done < than * 0.97 {
                return None;
            }
        }
        let worth = total / count;
        (worth > than + GAIN).then(|| Plan { tasks: tasks.to_vec(), worth })
    }

    fn improve(&mut self, best: &mut Plan, tries: usize, stop: &Stop, chance: &mut Rng) {
        let mut idle = 0;
        while self.tried < tries && idle < tries && !stop.stopped() {
            idle += 1;
            let changed = self.changed(&best.tasks, chance);
            if changed == best.tasks {
                continue;
            }
            if let Some(plan) = self.better(&changed, best.worth) {
                *best = plan;
            }
        }
    }

    fn changed(&self, tasks: &[Task], chance: &mut Rng) -> Vec<Task> {
        let mut tasks = tasks.to_vec();
        match chance.below(8) {
            0..=3 => self.change_one(&mut tasks, chance),
            4..=6 => self.attack(&mut tasks, chance),
            _ => self.ship(&mut tasks, chance),
        }
        tasks
    }

    fn change_one(&self, tasks: &mut [Task], chance: &mut Rng) {
        let index = chance.below(tasks.len());
        if let Some(&task) = chance.pick(&self.options(index)) {
            tasks[index] = task;
        }
    }

    fn options(&self, index: usize) -> Vec<Task> {
        let (survey, seat, piece) = (self.survey, self.forces.seat, self.forces.pieces[index]);
        let mut options = vec![Task::Stay];
        let open = |to: &Province| !survey.is_closed(seat, *to);
        options.extend(piece.reach().iter().filter(|to| open(&to.province())).map(Task::Go));
        if piece.at.is_none() {
            options.extend(landings(survey, seat).iter().map(|to| Task::Go(to.node())));
        } else {
            if survey.in_space() && piece.kind == Kind::Army {
                options.push(Task::BeamUp);
            }
            let near = |other: &usize| *other != index && self.can_back(index, *other);
            let others = (0..self.forces.pieces.len()).filter(near);
            options.extend(others.map(|other| Task::SupportPiece(other as u8)));
        }
        options
    }

    fn can_back(&self, index: usize, other: usize) -> bool {
        let (piece, fellow) = (self.forces.pieces[index], self.forces.pieces[other]);
        match fellow.at {
            None => true,
            Some(at) => {
                piece.can_enter(at.province())
                    || fellow.reach().iter().any(|to| piece.can_enter(to.province()))
            }
        }
    }

    fn attack(&self, tasks: &mut [Task], chance: &mut Rng) {
        let leader = chance.below(tasks.len());
        let goes = |task: &&Task| matches!(task, Task::Go(_));
        let options = self.options(leader);
        let places: Vec<Task> = options.iter().filter(goes).copied().collect();
        let Some(&Task::Go(to)) = chance.pick(&places) else { return };
        let can_help = |index: &usize| {
            let piece = self.forces.pieces[*index];
            *index != leader
                && piece.can_enter(to.province())
                && piece.province() != Some(to.province())
        };
        let helpers: Vec<usize> = (0..tasks.len()).filter(can_help).collect();
        if helpers.is_empty() {
            return;
        }
        tasks[leader] = Task::Go(to);
        let first = chance.below(helpers.len());
        for at in 0..=chance.below(helpers.len().min(3)) {
            tasks[helpers[(first + at) % helpers.len()]] = Task::SupportPiece(leader as u8);
        }
    }

    fn ship(&self, tasks: &mut [Task], chance: &mut Rng) {
        let army = chance.below(tasks.len());
        let passages = passages(&self.forces, army);
        let open = |(to, _): &&(heliopause_diplomacy::Node, u8)| {
            !self.survey.is_closed(self.forces.seat, to.province())
        };
        let passages: Vec<_> = passages.iter().filter(open).copied().collect();
        match chance.pick(&passages) {
            Some(&(to, fleet)) => {
                tasks[army] = Task::MoveByConvoy(to);
                tasks[usize::from(fleet)] = Task::ConvoyPiece(army as u8);
            }
            None => self.change_one(tasks, chance),
        }
    }
}
