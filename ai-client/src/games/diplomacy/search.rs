//! Orders found by trying them. Every power that is near is expected to choose among plans by rules
//! of thumb, more often those that did well against what the others chose (regret matching).
//! Against orders drawn from that, the best own plan is improved piece by piece and attack by
//! attack for as long as the budget lasts.

use heliopause_diplomacy::{Given, Kind, Order, Province};
use heliopause_kernel::Seat;

use super::outlook::{Outlook, others, values};
use super::policy::draft;
use super::survey::{Corps, Survey};
use super::task::{Task, orders, passages};
use super::values::landings;
use crate::bot::Stop;
use crate::chance::Chance;

/// How often orders are tried, for boards with so many units; with more of them a try costs more.
const TRIES: usize = 6_000;
const UNITS: usize = 34;
/// How many plans each power has to choose from, and how many the bot's own side.
const PLANS: usize = 8;
const OWN_PLANS: usize = 16;
/// How much plans differ.
const NOISE: f64 = 0.35;
/// How many powers choose by what the others choose; those that are farther away choose anyhow.
const NEAR: usize = 6;
/// How often everybody chooses.
const ROUNDS: usize = 12;
/// Against how many orders of the others own ones are tried.
const WORLDS: usize = 14;
/// How many of the own plans are tried in all worlds.
const FINALISTS: usize = 6;
/// What an order must gain to be changed.
const GAIN: f64 = 1e-9;

/// The best orders of the own pieces.
pub(super) fn best(survey: &Survey<'_>, seed: &[u8], stop: &Stop) -> Vec<Order> {
    let values = values(survey);
    let outlook = Outlook::new(survey, &values);
    let mut chance = Chance::new(seed, "search");
    let mut sides = sides(survey, &values, &mut chance);
    let units: usize = sides.iter().map(|side| side.corps.pieces.len()).sum();
    let tries = TRIES * UNITS / units.max(UNITS);
    let spent = match_regrets(&outlook, &mut sides, tries / 2, stop, &mut chance);
    let worlds: Vec<Vec<Given>> = (0..WORLDS).map(|_| world(&sides[1..], &mut chance)).collect();
    let mut climb =
        Climb { survey, outlook: &outlook, corps: sides[0].corps.clone(), worlds, tried: spent };
    let mut best = climb.best_of(&sides[0]);
    climb.improve(&mut best, tries, stop, &mut chance);
    orders(survey, &climb.corps, &best.tasks)
}

/// A power and the plans that it chooses from.
struct Side {
    corps: Corps,
    plans: Vec<Vec<Task>>,
    /// What each plan orders.
    orders: Vec<Vec<Given>>,
    /// How much better each plan would have done than what was chosen.
    regrets: Vec<f64>,
    /// How often each plan was chosen.
    chosen: Vec<f64>,
}

impl Side {
    fn new(
        survey: &Survey<'_>,
        values: &[super::values::Values],
        seat: Seat,
        plans: usize,
        chance: &mut Chance,
    ) -> Self {
        let corps = survey.corps(seat);
        let mut made: Vec<Vec<Task>> = Vec::with_capacity(plans);
        for number in 0..plans {
            let noise = if number == 0 { 0.0 } else { NOISE };
            let plan = draft(survey, &values[seat.index()], &corps, noise, chance);
            if !made.contains(&plan) {
                made.push(plan);
            }
        }
        let given = |plan: &Vec<Task>| give(seat, orders(survey, &corps, plan));
        let orders = made.iter().map(given).collect();
        let (regrets, chosen) = (vec![0.0; made.len()], vec![0.0; made.len()]);
        Self { corps, plans: made, orders, regrets, chosen }
    }

    /// Chooses by regrets, and notes it.
    fn choose(&mut self, chance: &mut Chance) -> usize {
        let weights: Vec<f64> = self.regrets.iter().map(|regret| regret.max(0.0)).collect();
        let choice = draw(&weights, chance);
        self.chosen[choice] += 1.0;
        choice
    }
}

fn give(seat: Seat, orders: Vec<Order>) -> Vec<Given> {
    orders.into_iter().map(|order| Given { seat, order }).collect()
}

/// An index, the likelier the greater its weight; any if all weights are nothing.
fn draw(weights: &[f64], chance: &mut Chance) -> usize {
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

/// The own side first, then the others, the nearest first.
fn sides(survey: &Survey<'_>, values: &[super::values::Values], chance: &mut Chance) -> Vec<Side> {
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

/// Everybody chooses a plan again and again; who is near learns which ones do well. Says how often
/// orders were tried.
fn match_regrets(
    outlook: &Outlook<'_>,
    sides: &mut [Side],
    tries: usize,
    stop: &Stop,
    chance: &mut Chance,
) -> usize {
    let mut tried = 0;
    for _ in 0..ROUNDS {
        let chosen: Vec<usize> = sides.iter_mut().map(|side| side.choose(chance)).collect();
        for learner in 0..sides.len().min(NEAR + 1) {
            let seat = sides[learner].corps.seat;
            let mut worths = Vec::with_capacity(sides[learner].plans.len());
            for plan in 0..sides[learner].plans.len() {
                let choice = |side: usize| if side == learner { plan } else { chosen[side] };
                let given: Vec<Given> = sides
                    .iter()
                    .enumerate()
                    .flat_map(|(index, side)| side.orders[choice(index)].iter().copied())
                    .collect();
                worths.push(outlook.worth(&outlook.after(&given), seat));
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

/// Orders of the others, as they chose.
fn world(others: &[Side], chance: &mut Chance) -> Vec<Given> {
    others.iter().flat_map(|side| side.orders[draw(&side.chosen, chance)].iter().copied()).collect()
}

/// A plan and what it is worth on average.
#[derive(Clone)]
struct Plan {
    tasks: Vec<Task>,
    worth: f64,
}

/// The improvement of the own plan.
struct Climb<'a> {
    survey: &'a Survey<'a>,
    outlook: &'a Outlook<'a>,
    corps: Corps,
    worlds: Vec<Vec<Given>>,
    tried: usize,
}

impl Climb<'_> {
    /// The best of the plans that did well so far.
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

    /// A plan if it is worth more than this. It is tried in one world after the other, and given up
    /// once it cannot be.
    fn better(&mut self, tasks: &[Task], than: f64) -> Option<Plan> {
        let own = give(self.corps.seat, orders(self.survey, &self.corps, tasks));
        let count = self.worlds.len() as f64;
        let mut total = 0.0;
        for (index, world) in self.worlds.iter().enumerate() {
            let given: Vec<Given> = own.iter().chain(world).copied().collect();
            self.tried += 1;
            total += self.outlook.worth(&self.outlook.after(&given), self.corps.seat);
            let done = (index + 1) as f64;
            // A plan that is far behind after some worlds does not catch up.
            if index >= 2 && total / done < than * 0.97 {
                return None;
            }
        }
        let worth = total / count;
        (worth > than + GAIN).then(|| Plan { tasks: tasks.to_vec(), worth })
    }

    /// Changes the plan here and there, and keeps what is better, until the budget is spent.
    fn improve(&mut self, best: &mut Plan, tries: usize, stop: &Stop, chance: &mut Chance) {
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

    /// The tasks with one change: a piece does something else, or several join in an attack or a
    /// convoy.
    fn changed(&self, tasks: &[Task], chance: &mut Chance) -> Vec<Task> {
        let mut tasks = tasks.to_vec();
        match chance.below(8) {
            0..=3 => self.change_one(&mut tasks, chance),
            4..=6 => self.attack(&mut tasks, chance),
            _ => self.ship(&mut tasks, chance),
        }
        tasks
    }

    fn change_one(&self, tasks: &mut [Task], chance: &mut Chance) {
        let index = chance.below(tasks.len());
        if let Some(&task) = chance.pick(&self.options(index)) {
            tasks[index] = task;
        }
    }

    /// All that a piece can do by itself, or for a fellow beside it.
    fn options(&self, index: usize) -> Vec<Task> {
        let (survey, seat, piece) = (self.survey, self.corps.seat, self.corps.pieces[index]);
        let mut options = vec![Task::Stay];
        let open = |to: &Province| !survey.is_closed(seat, *to);
        options.extend(piece.reach().iter().filter(|to| open(&to.province())).map(Task::Go));
        if piece.at.is_none() {
            options.extend(landings(survey, seat).iter().map(|to| Task::Go(to.node())));
        } else {
            if survey.in_space() && piece.kind == Kind::Army {
                options.push(Task::Up);
            }
            let near = |other: &usize| *other != index && self.can_back(index, *other);
            options.extend(
                (0..self.corps.pieces.len()).filter(near).map(|other| Task::Back(other as u8)),
            );
        }
        options
    }

    /// Whether a piece could support a fellow in something that it may do.
    fn can_back(&self, index: usize, other: usize) -> bool {
        let (piece, fellow) = (self.corps.pieces[index], self.corps.pieces[other]);
        match fellow.at {
            None => true,
            Some(at) => {
                piece.can_enter(at.province())
                    || fellow.reach().iter().any(|to| piece.can_enter(to.province()))
            }
        }
    }

    /// One piece goes somewhere, others that could go there support it.
    fn attack(&self, tasks: &mut [Task], chance: &mut Chance) {
        let leader = chance.below(tasks.len());
        let goes = |task: &&Task| matches!(task, Task::Go(_));
        let options = self.options(leader);
        let places: Vec<Task> = options.iter().filter(goes).copied().collect();
        let Some(&Task::Go(to)) = chance.pick(&places) else { return };
        let can_help = |index: &usize| {
            let piece = self.corps.pieces[*index];
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
            tasks[helpers[(first + at) % helpers.len()]] = Task::Back(leader as u8);
        }
    }

    /// An army goes by convoy.
    fn ship(&self, tasks: &mut [Task], chance: &mut Chance) {
        let army = chance.below(tasks.len());
        let passages = passages(&self.corps, army);
        let open = |(to, _): &&(heliopause_diplomacy::Node, u8)| {
            !self.survey.is_closed(self.corps.seat, to.province())
        };
        let passages: Vec<_> = passages.iter().filter(open).copied().collect();
        match chance.pick(&passages) {
            Some(&(to, fleet)) => {
                tasks[army] = Task::Ship(to);
                tasks[usize::from(fleet)] = Task::Carry(army as u8);
            }
            None => self.change_one(tasks, chance),
        }
    }
}
