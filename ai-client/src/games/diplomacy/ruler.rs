//! The profiles `power` and `empire` of both games, at three levels.

use heliopause_diplomacy::{Command, Diplomacy, Event, Order, Phase, View};
use heliopause_kernel::{Game as _, Seat};

use super::conduct::Conduct;
use super::survey::Survey;
use super::treaties::Treaties;
use super::values::Values;
use super::{policy, random, retreats, search, task, winter};
use crate::bot::{Answer, Bot, Level, Question, ReceivedMessage, Reply};
use crate::chance::Rng;

/// Noise that makes the rules of thumb unpredictable for opponents.
const NOISE: f64 = 0.1;

pub(super) struct DiplomacyBot;

impl Bot<Diplomacy> for DiplomacyBot {
    fn decide(&self, question: &Question<'_, Diplomacy>) -> Answer<Diplomacy> {
        play(question, None).0
    }

    fn correspond(
        &self,
        question: &Question<'_, Diplomacy>,
        incoming: &[ReceivedMessage],
    ) -> (Answer<Diplomacy>, Vec<Reply>) {
        play(question, Some(incoming))
    }
}

/// Attacks the nearest power with all units, at level `standard` otherwise.
pub(super) struct Rusher;

impl Bot<Diplomacy> for Rusher {
    fn decide(&self, question: &Question<'_, Diplomacy>) -> Answer<Diplomacy> {
        let view = question.view;
        let orders = Survey::new(view).map_or_else(Vec::new, |mut survey| {
            survey.victim = survey.nearest_power();
            let orders = by_rules_of_thumb(&survey, &mut Rng::new(question.seed, "rusher"));
            accepted(view, survey.me, &orders)
        });
        Answer { orders, ready: true, memo: None }
    }
}

fn play(
    question: &Question<'_, Diplomacy>,
    incoming: Option<&[ReceivedMessage]>,
) -> (Answer<Diplomacy>, Vec<Reply>) {
    let view = question.view;
    let answer = |orders, memo| Answer { orders, ready: true, memo };
    let Some(mut survey) = Survey::new(view) else {
        return (answer(Vec::new(), None), Vec::new());
    };
    let me = survey.me;
    let mut chance = Rng::new(question.seed, "ruler");
    if question.level == Level::Random {
        let orders = random::orders(&without_given_orders(view, me).0, &mut chance);
        return (answer(accepted(view, me, &orders), None), Vec::new());
    }
    let mut treaties = Treaties::read(question.memo, survey.position.powers.len());
    let conduct = Conduct::read(&survey, treaties.centers(), question.recent);
    let ended = treaties.review(&survey, &conduct);
    let replies =
        incoming.map_or_else(Vec::new, |incoming| treaties.correspond(&survey, incoming, ended));
    survey.closed = treaties.closed(survey.position);
    let orders = match question.level {
        Level::Strong => searched(&survey, question),
        _ => by_rules_of_thumb(&survey, &mut chance),
    };
    (answer(accepted(view, me, &orders), Some(treaties.write())), replies)
}

fn searched(survey: &Survey<'_>, question: &Question<'_, Diplomacy>) -> Vec<Order> {
    match survey.table.phase {
        Phase::SpringMovement | Phase::FallMovement if survey.position.strength(survey.me) > 0 => {
            search::best(survey, question.seed, question.stop)
        }
        Phase::SpringMovement | Phase::FallMovement => Vec::new(),
        Phase::SpringRetreat | Phase::FallRetreat => retreats::best(survey),
        Phase::Winter => winter::best(survey),
    }
}

fn by_rules_of_thumb(survey: &Survey<'_>, chance: &mut Rng) -> Vec<Order> {
    match survey.table.phase {
        Phase::SpringMovement | Phase::FallMovement => {
            let (values, forces) = (Values::new(survey, survey.me), survey.forces(survey.me));
            let tasks = policy::draft(survey, &values, &forces, NOISE, chance);
            task::orders(survey, &forces, &tasks)
        }
        Phase::SpringRetreat | Phase::FallRetreat => {
            retreats::likely(survey, &Values::new(survey, survey.me), survey.me)
        }
        Phase::Winter => winter::likely(survey),
    }
}

fn without_given_orders(view: &View, seat: Seat) -> (View, Vec<Command>) {
    let mut view = view.clone();
    if Survey::new(&view).is_none_or(|survey| survey.sheet.is_empty()) {
        return (view, Vec::new());
    }
    Diplomacy::update(&mut view, &Event::Ordered { seat, command: Command::Clear });
    (view, vec![Command::Clear])
}

fn accepted(view: &View, seat: Seat, orders: &[Order]) -> Vec<Command> {
    let (mut view, mut commands) = without_given_orders(view, seat);
    for command in orders.iter().copied().map(Command::Order) {
        if Diplomacy::judge_view(&view, &command).is_ok() {
            Diplomacy::update(&mut view, &Event::Ordered { seat, command: command.clone() });
            commands.push(command);
        }
    }
    if commands.is_empty() {
        commands.push(Command::Clear);
    }
    commands
}
