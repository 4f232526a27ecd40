//! One game of a tournament.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use heliopause_kernel::{Actor, Decision, Dice, Seat, Setup, Viewer, Why};

use super::Plan;
use crate::bot::{Bot, Level, Question, Stop};
use crate::chance::Chance;
use crate::games::Playable;

/// No game needs this many decisions: more are a fault in bot or rules, told instead of a program
/// that hangs.
const MOST_DECISIONS: u64 = 200_000;

/// What became of a game.
#[derive(Clone, Debug)]
pub(super) struct Record {
    /// The players, in seat order.
    pub(super) seats: Vec<SeatRecord>,
    /// Whether automation's own seat won.
    pub(super) automaton_won: bool,
    /// How many rounds it took.
    pub(super) rounds: u32,
    /// Refused orders of automation's own seats.
    pub(super) automata_refused: u64,
    /// Why it ended, as a sentence.
    pub(super) summary: String,
    /// The rule that ended it.
    pub(super) rule: &'static str,
}

/// What became of a player.
#[derive(Clone, Debug)]
pub(super) struct SeatRecord {
    pub(super) level: Level,
    pub(super) score: f64,
    pub(super) points: i64,
    /// How a game for one player names the result.
    pub(super) grade: Option<&'static str>,
    pub(super) won: bool,
    pub(super) refused: u64,
    pub(super) thought: Vec<Duration>,
}

/// A table at which bots play.
pub(super) struct Table<G: Playable> {
    game: G,
    dice: Dice,
    chairs: Vec<Chair<G>>,
    players: usize,
    decisions: u64,
    stop: Stop,
}

/// A seat and the bot that has it.
struct Chair<G: Playable> {
    bot: &'static dyn Bot<G>,
    level: Level,
    memo: Vec<u8>,
    seeds: Chance,
    refused: u64,
    thought: Vec<Duration>,
}

impl<G: Playable> Table<G> {
    /// Sets up a game of a set: the same seed and set give the same board, dice and seeds of the
    /// seats.
    pub(super) fn new(
        options: &G::Options,
        players: &[Level],
        plan: &Plan,
        set: usize,
    ) -> Result<Self> {
        let (options, automata, seed) = (options.clone(), plan.automata, plan.seed);
        let seed = [seed.to_le_bytes(), (set as u64).to_le_bytes()].concat();
        let mut dice = Dice::new(Chance::new(&seed, "dice").seed());
        let roles = G::cast(&options, players.len()).roles;
        let mut levels = players.iter().copied();
        let chair = |(index, role): (usize, &heliopause_kernel::Role)| {
            let level = if role.automaton { automata } else { levels.next().unwrap_or(automata) };
            let bot =
                G::bot(role.profile).with_context(|| format!("nobody plays {:?}", role.profile))?;
            let seeds = Chance::new(&seed, &format!("seat {index}"));
            Ok(Chair { bot, level, memo: Vec::new(), seeds, refused: 0, thought: Vec::new() })
        };
        let chairs = roles.iter().enumerate().map(chair).collect::<Result<_>>()?;
        let players = players.len();
        let (game, _) = G::new(&Setup { options, players }, &mut dice)?;
        Ok(Self { game, dice, chairs, players, decisions: 0, stop: plan.stop.clone() })
    }

    /// Plays to the end; `None` if the tournament was stopped before.
    pub(super) fn play(mut self) -> Result<Option<Record>> {
        while self.game.outcome().is_none() {
            self.step()?;
            self.dice.forget_rolled();
            if self.stop.stopped() {
                return Ok(None);
            }
        }
        self.record().map(Some)
    }

    /// Answers one final decision, or all revisable ones together.
    fn step(&mut self) -> Result<()> {
        let pending = self.game.pending();
        if pending.is_empty() || self.decisions >= MOST_DECISIONS {
            bail!(
                "the game does not end: {} after {} decisions",
                self.game.progress(),
                self.decisions
            );
        }
        if let Some(decision) = pending.iter().find(|decision| !decision.revisable) {
            self.answer(decision);
        } else {
            for decision in &pending {
                self.answer(decision);
            }
            self.game.close(Why::AllReady, &mut self.dice);
        }
        Ok(())
    }

    /// Asks a seat, and gives its orders, as far as its decision stays open. Should one be refused,
    /// the rules' own default is taken: at once, or when the revisable decisions of all are closed.
    fn answer(&mut self, decision: &Decision) {
        self.decisions += 1;
        for order in self.ask(decision.seat) {
            if !self.game.pending().contains(decision) {
                // As at a table: what follows is not taken for another decision.
                return;
            }
            let taken = self.game.submit(Actor::Seat(decision.seat), order, &mut self.dice);
            self.chairs[decision.seat.index()].refused += taken.as_ref().map_or(1, G::rejected);
            if taken.is_err() && !decision.revisable {
                self.game.close(Why::Deadline, &mut self.dice);
                return;
            }
        }
    }

    fn ask(&mut self, seat: Seat) -> Vec<G::Order> {
        let view = self.game.view(Viewer::Seat(seat));
        let chair = &mut self.chairs[seat.index()];
        let seed = chair.seeds.seed();
        let question = Question {
            view: &view,
            level: chair.level,
            seed: &seed,
            memo: &chair.memo,
            // Nobody writes to anybody here, so nothing is agreed that events could break.
            recent: &[],
            stop: &self.stop,
        };
        let begun = Instant::now();
        let answer = chair.bot.decide(&question);
        chair.thought.push(begun.elapsed());
        if let Some(memo) = answer.memo {
            chair.memo = memo;
        }
        answer.orders
    }

    fn record(self) -> Result<Record> {
        let outcome = self.game.outcome().context("the game is over")?;
        let scores = self.game.scores(&outcome);
        let (automaton_won, rounds, grade) =
            (self.game.automaton_won(), self.game.rounds(), self.game.grade());
        let mut chairs = self.chairs.into_iter();
        let seat = |(index, chair): (usize, Chair<G>)| {
            let points = outcome.points.get(index).copied().unwrap_or(0);
            SeatRecord {
                level: chair.level,
                score: scores.get(index).copied().unwrap_or(0.0),
                points,
                grade,
                won: G::has_won(&outcome, Seat::at(index)),
                refused: chair.refused,
                thought: chair.thought,
            }
        };
        let seats = chairs.by_ref().take(self.players).enumerate().map(seat).collect();
        Ok(Record {
            seats,
            automaton_won,
            rounds,
            automata_refused: chairs.map(|chair| chair.refused).sum(),
            summary: outcome.summary,
            rule: outcome.rule,
        })
    }
}
