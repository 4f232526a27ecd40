//! The profiles of both games at their three levels: `power` and `empire`.

use heliopause_diplomacy::{Command, Diplomacy, Event, Order, Phase, View};
use heliopause_kernel::{Game as _, Seat};

use super::conduct::Conduct;
use super::survey::Survey;
use super::treaties::Treaties;
use super::values::Values;
use super::{policy, random, retreats, search, task, winter};
use crate::bot::{Answer, Bot, Letter, Level, Question, Reply};
use crate::chance::Chance;

/// How much the rules of thumb leave to chance, so that nobody can count on them.
const NOISE: f64 = 0.1;

/// Plays a power or an empire.
pub(super) struct Ruler;

impl Bot<Diplomacy> for Ruler {
    fn decide(&self, question: &Question<'_, Diplomacy>) -> Answer<Diplomacy> {
        play(question, None).0
    }

    fn correspond(
        &self,
        question: &Question<'_, Diplomacy>,
        letters: &[Letter],
    ) -> (Answer<Diplomacy>, Vec<Reply>) {
        play(question, Some(letters))
    }
}

/// The answer, and what is written where there are letters. Chance writes to nobody.
fn play(
    question: &Question<'_, Diplomacy>,
    letters: Option<&[Letter]>,
) -> (Answer<Diplomacy>, Vec<Reply>) {
    let view = question.view;
    let Some(mut survey) = Survey::new(view) else {
        return (Answer { orders: Vec::new(), ready: true, memo: None }, Vec::new());
    };
    let me = survey.me;
    let mut chance = Chance::new(question.seed, "ruler");
    if question.level == Level::Random {
        let orders = random::orders(&afresh(view, me).0, &mut chance);
        return (
            Answer { orders: accepted(view, me, &orders), ready: true, memo: None },
            Vec::new(),
        );
    }
    let mut treaties = Treaties::read(question.memo, survey.position.powers.len());
    let conduct = Conduct::read(&survey, treaties.centers(), question.recent);
    let ended = treaties.review(&survey, &conduct);
    let replies = letters
        .map_or_else(Vec::new, |letters| treaties.correspond(&survey, &conduct, letters, ended));
    survey.closed = treaties.closed(survey.position);
    let orders = match question.level {
        Level::Strong => searched(&survey, question),
        _ => by_thumb(&survey, &mut chance),
    };
    (
        Answer { orders: accepted(view, me, &orders), ready: true, memo: Some(treaties.write()) },
        replies,
    )
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

fn by_thumb(survey: &Survey<'_>, chance: &mut Chance) -> Vec<Order> {
    match survey.table.phase {
        Phase::SpringMovement | Phase::FallMovement => {
            let (values, corps) = (Values::new(survey, survey.me), survey.corps(survey.me));
            let tasks = policy::draft(survey, &values, &corps, NOISE, chance);
            task::orders(survey, &corps, &tasks)
        }
        Phase::SpringRetreat | Phase::FallRetreat => {
            retreats::likely(survey, &Values::new(survey, survey.me), survey.me)
        }
        Phase::Winter => winter::likely(survey),
    }
}

/// The view once the orders that were given before are taken back, and the commands for that.
fn afresh(view: &View, seat: Seat) -> (View, Vec<Command>) {
    let mut view = view.clone();
    if Survey::new(&view).is_none_or(|survey| survey.sheet.is_empty()) {
        return (view, Vec::new());
    }
    Diplomacy::update(&mut view, &Event::Ordered { seat, command: Command::Clear });
    (view, vec![Command::Clear])
}

/// The orders as commands, after taking back what was given before. What the rules would refuse is
/// left out; who has nothing else to say says so.
fn accepted(view: &View, seat: Seat, orders: &[Order]) -> Vec<Command> {
    let (mut view, mut commands) = afresh(view, seat);
    for command in orders.iter().copied().map(Command::Order) {
        if Diplomacy::judge_view(&view, &command).is_ok() {
            Diplomacy::update(&mut view, &Event::Ordered { seat, command });
            commands.push(command);
        }
    }
    if commands.is_empty() {
        commands.push(Command::Clear);
    }
    commands
}
