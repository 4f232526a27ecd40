//! A single game of a tournament, and its record.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use heliopause_kernel::{Actor, CloseCause, Decision, Dice, Seat, Setup, Viewer};
use serde::Serialize;

use super::Plan;
use crate::bot::{Bot, Level, Question, Stop};
use crate::chance::Rng;
use crate::games::Playable;

/// Maximum number of decisions. A longer game indicates a bug in a bot or in the rules.
const MAX_DECISIONS: u64 = 200_000;

/// The result of one game.
#[derive(Clone, Debug, Serialize)]
pub struct GameReport {
    pub set: usize,
    pub seats: Vec<SeatScore>,
    pub rounds: u32,
    pub summary: String,
    pub rule: &'static str,
    #[serde(skip)]
    pub(super) automaton_won: bool,
    #[serde(skip)]
    pub(super) automata_refused: u64,
}

/// The result of one seat of a game.
#[derive(Clone, Debug, Serialize)]
pub struct SeatScore {
    pub level: Level,
    pub score: f64,
    pub won: bool,
    #[serde(skip)]
    pub(super) points: i64,
    #[serde(skip)]
    pub(super) grade: Option<&'static str>,
    #[serde(skip)]
    pub(super) refused: u64,
    #[serde(skip)]
    pub(super) thought: Vec<Duration>,
}

pub(super) struct Table<G: Playable> {
    game: G,
    dice: Dice,
    seat_bots: Vec<SeatBot<G>>,
    players: usize,
    set: usize,
    decisions: u64,
    stop: Stop,
}

struct SeatBot<G: Playable> {
    bot: &'static dyn Bot<G>,
    level: Level,
    memo: Vec<u8>,
    seeds: Rng,
    refused: u64,
    thought: Vec<Duration>,
}

impl<G: Playable> Table<G> {
    /// Sets up a game. The same seed and set give the same board, dice and seeds of the seats.
    pub(super) fn new(
        options: &G::Options,
        players: &[Level],
        plan: &Plan,
        set: usize,
    ) -> Result<Self> {
        let (options, automata, seed) = (options.clone(), plan.automata, plan.seed);
        let seed = [seed.to_le_bytes(), (set as u64).to_le_bytes()].concat();
        let mut dice = Dice::new(Rng::new(&seed, "dice").seed());
        let roles = G::cast(&options, players.len()).roles;
        let mut levels = players.iter().copied();
        let chair = |(index, role): (usize, &heliopause_kernel::Role)| {
            let level =
                if role.always_automated { automata } else { levels.next().unwrap_or(automata) };
            let bot = G::bot(role.profile)
                .with_context(|| format!("no bot supports the profile {:?}", role.profile))?;
            let seeds = Rng::new(&seed, &format!("seat {index}"));
            Ok(SeatBot { bot, level, memo: Vec::new(), seeds, refused: 0, thought: Vec::new() })
        };
        let seat_bots = roles.iter().enumerate().map(chair).collect::<Result<_>>()?;
        let players = players.len();
        let (game, _) = G::new(&Setup { options, players }, &mut dice)?;
        let (set, stop) = (set + 1, plan.stop.clone());
        Ok(Self { game, dice, seat_bots, players, set, decisions: 0, stop })
    }

    pub(super) fn play(mut self) -> Result<Option<GameReport>> {
        while self.game.outcome().is_none() {
            self.step()?;
            self.dice.forget_rolled();
            if self.stop.stopped() {
                return Ok(None);
            }
        }
        self.record().map(Some)
    }

    fn step(&mut self) -> Result<()> {
        let pending = self.game.pending();
        if pending.is_empty() || self.decisions >= MAX_DECISIONS {
            let (progress, decisions) = (self.game.progress(), self.decisions);
            bail!("the game did not end: {progress} after {decisions} decisions");
        }
        if let Some(decision) = pending.iter().find(|decision| !decision.revisable) {
            self.answer(decision);
        } else {
            for decision in &pending {
                self.answer(decision);
            }
            self.game.close(CloseCause::AllReady, &mut self.dice);
        }
        Ok(())
    }

    /// Submits a bot's orders while its decision is open. If an order is rejected, the default
    /// orders of the rules apply.
    fn answer(&mut self, decision: &Decision) {
        self.decisions += 1;
        for order in self.ask(decision.seat) {
            if !self.game.pending().contains(decision) {
                // The remaining orders must not answer another decision.
                return;
            }
            let taken = self.game.submit(Actor::Seat(decision.seat), order, &mut self.dice);
            self.seat_bots[decision.seat.index()].refused += taken.as_ref().map_or(1, G::rejected);
            if taken.is_err() && !decision.revisable {
                self.game.close(CloseCause::Deadline, &mut self.dice);
                return;
            }
        }
    }

    fn ask(&mut self, seat: Seat) -> Vec<G::Order> {
        let view = self.game.view(Viewer::Seat(seat));
        let chair = &mut self.seat_bots[seat.index()];
        let seed = chair.seeds.seed();
        let question = Question {
            view: &view,
            level: chair.level,
            seed: &seed,
            memo: &chair.memo,
            // Bots exchange no messages here, so there are no agreements that events could break.
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

    fn record(self) -> Result<GameReport> {
        let outcome = self.game.outcome().context("the game is over")?;
        let scores = self.game.scores(&outcome);
        let (automaton_won, rounds, grade) =
            (self.game.automaton_won(), self.game.rounds(), self.game.grade());
        let mut seat_bots = self.seat_bots.into_iter();
        let seat = |(index, chair): (usize, SeatBot<G>)| {
            let points = outcome.points.get(index).copied().unwrap_or(0);
            SeatScore {
                level: chair.level,
                score: scores.get(index).copied().unwrap_or(0.0),
                points,
                grade,
                won: G::has_won(&outcome, Seat::at(index)),
                refused: chair.refused,
                thought: chair.thought,
            }
        };
        let seats = seat_bots.by_ref().take(self.players).enumerate().map(seat).collect();
        Ok(GameReport {
            set: self.set,
            seats,
            automaton_won,
            rounds,
            automata_refused: seat_bots.map(|chair| chair.refused).sum(),
            summary: outcome.summary,
            rule: outcome.rule,
        })
    }
}
