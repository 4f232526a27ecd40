//! A single game of a tournament, and its record.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use heliopause_kernel::{Actor, CloseCause, Decision, Dice, Emitted, Outcome, Seat, Setup, Viewer};
use heliopause_proto::v1::VoteSubject;
use serde::Serialize;

use super::Plan;
use super::mail::Mail;
use super::player::{Exploit, Player};
use crate::bot::{Bot, Question, Reply, Stop};
use crate::chance::Rng;
use crate::games::{Playable, ballot};

/// Maximum number of decisions. A longer game indicates a bug in a bot or in the rules.
const MAX_DECISIONS: u64 = 200_000;

/// The result of one game.
#[derive(Clone, Debug, Serialize)]
pub struct GameReport {
    pub seed: u64,
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
    pub player: Player,
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
    seed: u64,
    set: usize,
    decisions: u64,
    stop: Stop,
    /// Messages and events. `None` if all players are levels, which propose nothing to each other.
    mail: Option<Mail<G>>,
    /// The progress of the game when exploits last wrote.
    written: String,
    drawn: bool,
}

struct SeatBot<G: Playable> {
    bot: &'static dyn Bot<G>,
    player: Player,
    memo: Vec<u8>,
    seeds: Rng,
    refused: u64,
    thought: Vec<Duration>,
}

impl<G: Playable> Table<G> {
    /// Sets up a game. The same seed and set give the same board, dice and seeds of the seats.
    pub(super) fn new(
        options: &G::Options,
        players: &[Player],
        plan: &Plan,
        set: usize,
    ) -> Result<Self> {
        let (options, automata, seed) = (options.clone(), plan.automata, plan.seed);
        let seed = [seed.to_le_bytes(), (set as u64).to_le_bytes()].concat();
        let mut dice = Dice::new(Rng::new(&seed, "dice").seed());
        let roles = G::cast(&options, players.len()).roles;
        let has_exploits = players.iter().any(|player| matches!(player, Player::Exploit(_)));
        let automata = Player::Level(automata);
        let mut line_up = players.iter().copied();
        let chair = |(index, role): (usize, &heliopause_kernel::Role)| {
            let player =
                if role.always_automated { automata } else { line_up.next().unwrap_or(automata) };
            let bot = if player.is(Exploit::Rusher) { G::rusher() } else { G::bot(role.profile) };
            let bot = bot.with_context(|| {
                format!("no bot plays the profile {:?} as {player} in {}", role.profile, G::NAME)
            })?;
            let seeds = Rng::new(&seed, &format!("seat {index}"));
            Ok(SeatBot { bot, player, memo: Vec::new(), seeds, refused: 0, thought: Vec::new() })
        };
        let seat_bots = roles.iter().enumerate().map(chair).collect::<Result<_>>()?;
        let players = players.len();
        let (game, emitted) = G::new(&Setup { options, players }, &mut dice)?;
        let mut mail = has_exploits.then(|| Mail::new(players));
        if let Some(mail) = &mut mail {
            mail.publish(&emitted);
        }
        Ok(Self {
            game,
            dice,
            seat_bots,
            players,
            seed: plan.seed,
            set: set + 1,
            decisions: 0,
            stop: plan.stop.clone(),
            mail,
            written: String::new(),
            drawn: false,
        })
    }

    pub(super) fn play(mut self) -> Result<Option<GameReport>> {
        while self.game.outcome().is_none() && !self.drawn {
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
        if self.mail.is_some() && self.written != self.game.progress() {
            self.written = self.game.progress();
            self.write_proposals();
            if self.is_draw_agreed()? {
                self.drawn = true;
                return Ok(());
            }
        }
        if let Some(decision) = pending.iter().find(|decision| !decision.revisable) {
            self.answer(decision);
        } else {
            for decision in &pending {
                self.answer(decision);
            }
            self.close(CloseCause::AllReady);
        }
        Ok(())
    }

    fn close(&mut self, cause: CloseCause) {
        let emitted = self.game.close(cause, &mut self.dice);
        self.publish(&emitted);
    }

    fn publish(&mut self, emitted: &Emitted<G::Event>) {
        if let Some(mail) = &mut self.mail {
            mail.publish(emitted);
        }
    }

    fn living_players(&self) -> Vec<Seat> {
        let alive = self.game.alive();
        Seat::first(self.players).filter(|&seat| alive.contains(seat)).collect()
    }

    fn player(&self, seat: Seat) -> Player {
        self.seat_bots[seat.index()].player
    }

    fn write_proposals(&mut self) {
        let seats = self.living_players();
        let writes = |&from: &Seat| self.player(from).proposes_agreements();
        for from in seats.iter().copied().filter(writes).collect::<Vec<_>>() {
            for &to in seats.iter().filter(|&&to| to != from) {
                self.deliver(from, to, G::PROPOSALS);
            }
        }
    }

    fn deliver(&mut self, from: Seat, to: Seat, text: &str) {
        let Some(mail) = &mut self.mail else { return };
        if !text.is_empty() && self.game.press(from, to, false).is_ok() {
            mail.publish(&self.game.message_delivered(from, to, false));
            mail.deliver(from, to, text);
        }
    }

    /// Returns whether a player proposes a draw and all others agree.
    fn is_draw_agreed(&mut self) -> Result<bool> {
        let seats = self.living_players();
        let proposes = |seat: Seat| self.player(seat).is(Exploit::Drawer);
        if !seats.iter().any(|&seat| proposes(seat)) {
            return Ok(false);
        }
        for seat in seats.into_iter().filter(|&seat| !proposes(seat)).collect::<Vec<_>>() {
            let view = self.game.view(Viewer::Seat(seat));
            let SeatBot { player, memo, seeds, .. } = &mut self.seat_bots[seat.index()];
            let (level, seed) = (player.level(), seeds.seed());
            if !ballot::decide_vote::<G>(&view, seat, memo, VoteSubject::Draw, level, &seed)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Submits a bot's orders while its decision is open. If an order is rejected, the default
    /// orders of the rules apply.
    fn answer(&mut self, decision: &Decision) {
        self.decisions += 1;
        if self.player(decision.seat).is(Exploit::Holder) {
            if !decision.revisable {
                self.close(CloseCause::Deadline);
            }
            return;
        }
        for order in self.ask(decision.seat) {
            if !self.game.pending().contains(decision) {
                // The remaining orders must not answer another decision.
                return;
            }
            let taken = self.game.submit(Actor::Seat(decision.seat), order, &mut self.dice);
            self.seat_bots[decision.seat.index()].refused += taken.as_ref().map_or(1, G::rejected);
            match taken {
                Ok(emitted) => self.publish(&emitted),
                Err(_) if !decision.revisable => return self.close(CloseCause::Deadline),
                Err(_) => {}
            }
        }
    }

    fn ask(&mut self, seat: Seat) -> Vec<G::Order> {
        let view = self.game.view(Viewer::Seat(seat));
        let chair = &mut self.seat_bots[seat.index()];
        let seed = chair.seeds.seed();
        let question = Question {
            view: &view,
            level: chair.player.level(),
            seed: &seed,
            memo: &chair.memo,
            recent: self.mail.as_ref().map_or(&[], |mail| mail.recent(seat)),
            stop: &self.stop,
        };
        // An exploit does not answer, because it keeps no agreements.
        let incoming = match (&self.mail, chair.player) {
            (Some(mail), Player::Level(_)) => Some(mail.incoming(seat)),
            _ => None,
        };
        let begun = Instant::now();
        let (answer, replies) = ballot::answer(chair.bot, &question, incoming);
        chair.thought.push(begun.elapsed());
        if let Some(memo) = answer.memo {
            chair.memo = memo;
        }
        for Reply { to, text } in replies {
            for to in to {
                self.deliver(seat, to, &text);
            }
        }
        answer.orders
    }

    fn record(self) -> Result<GameReport> {
        let outcome = if self.drawn {
            let summary = "The players agreed on a draw.".to_owned();
            let declared = self.game.declared(self.living_players().into_iter().collect());
            Outcome { draw: true, summary, rule: "draw", ..declared }
        } else {
            self.game.outcome().context("the game is over")?
        };
        let scores = self.game.scores(&outcome);
        let (automaton_won, rounds, grade) =
            (self.game.automaton_won(), self.game.rounds(), self.game.grade());
        let mut seat_bots = self.seat_bots.into_iter();
        let seat = |(index, chair): (usize, SeatBot<G>)| {
            let points = outcome.points.get(index).copied().unwrap_or(0);
            SeatScore {
                player: chair.player,
                score: scores.get(index).copied().unwrap_or(0.0),
                points,
                grade,
                won: !self.drawn && G::has_won(&outcome, Seat::at(index)),
                refused: chair.refused,
                thought: chair.thought,
            }
        };
        let seats = seat_bots.by_ref().take(self.players).enumerate().map(seat).collect();
        Ok(GameReport {
            seed: self.seed,
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
