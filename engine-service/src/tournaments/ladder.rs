//! The ladder of bots: rated games between registered bots, at the rate that the operator allows.
//!
//! A game is stored in the ladder before it is created, so that any engine can create it.

use heliopause_proto::store::v1::{BotLadder, Created, GameCancelled, LadderGame, Step, step};
use heliopause_proto::v1::{GameStatus, Pace, PhasePace};
use heliopause_table::registry::{self, LEVELS};
use prost_types::Duration;

use super::lots::Lots;
use super::{Tournaments, bot_entity, changed, read_or_default, retried};
use crate::failure::Result;
use crate::random;
use crate::store::{Millis, StoreError};

const LADDER: &str = "bot-ladder";
/// The value of `Game.tournament_id` in games of the ladder.
const LADDER_ID: &str = "ladder";

const HOUR: Millis = 60 * 60 * 1_000;
/// The maximum number of games at once.
const GAMES_MAX: usize = 8;
/// The time after which a game is canceled, for example because a worker has left.
const GAME_LIMIT: Millis = 6 * HOUR;
const PHASE_SECONDS: i64 = 600;
const BOTS_READ: usize = 256;
const RECENT_MAX: usize = 512;

/// A bot that a connected worker can play.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Candidate {
    kind: String,
    entity: String,
    /// Whether it is a registered bot, and not a usual level of automation.
    is_registered: bool,
}

impl Tournaments {
    pub(crate) fn ladder_games_per_hour(&self) -> u32 {
        self.settings.ladder_games_per_hour
    }

    /// Returns the ids of the games that have not ended.
    pub(crate) async fn ladder_games(&self) -> Result<Vec<String>> {
        let (_, ladder) = read_or_default::<BotLadder>(&*self.store, LADDER, LADDER).await?;
        Ok(ladder.games.into_iter().map(|game| game.game_id).collect())
    }

    /// Removes ended games, creates games that are missing, and schedules a game if one is due.
    pub(super) async fn ladder_step(&self) -> Result<()> {
        let per_hour = Millis::from(self.ladder_games_per_hour());
        if per_hour == 0 {
            return Ok(());
        }
        let (found, before) = read_or_default::<BotLadder>(&*self.store, LADDER, LADDER).await?;
        let (mut ladder, now) = (before.clone(), self.time.now());
        let mut running = Vec::with_capacity(GAMES_MAX);
        for game in std::mem::take(&mut ladder.games) {
            if self.continues(&game, now).await? {
                running.push(game);
            }
        }
        ladder.games = running;
        if now >= ladder.next && ladder.games.len() < GAMES_MAX {
            let candidates = self.candidates().await?;
            if let Some(game) = schedule(&mut ladder, &candidates, now) {
                ladder.next = now + HOUR / per_hour;
                ladder.games.push(game);
            }
        }
        if ladder != before {
            let change = changed(LADDER, LADDER, "", found.as_ref(), &ladder);
            // If another engine has changed the ladder, it has taken the same step.
            retried(self.store.change_records(vec![change]).await)?;
        }
        Ok(())
    }

    /// Returns whether a game has not ended. Creates it if it is missing.
    async fn continues(&self, game: &LadderGame, now: Millis) -> Result<bool> {
        let row = match self.store.game(&game.game_id).await {
            Err(StoreError::NotFound) => return self.create_ladder_game(game).await.map(|()| true),
            row => row?,
        };
        let status = GameStatus::try_from(row.status).unwrap_or_default();
        if matches!(status, GameStatus::Ended | GameStatus::Cancelled) {
            return Ok(false);
        }
        let host = self.host()?;
        if now < game.time + GAME_LIMIT {
            host.record_activity(&game.game_id, row.asleep_since.is_some());
            return Ok(true);
        }
        let kind = Some(step::Kind::GameCancelled(GameCancelled {}));
        let step = Step { kind, ..Step::default() };
        if let Err(fault) = host.take(&game.game_id, step).await {
            tracing::debug!(game_id = game.game_id, %fault, "a ladder game was not canceled");
        }
        Ok(false)
    }

    async fn create_ladder_game(&self, game: &LadderGame) -> Result<()> {
        let mut seats = Vec::with_capacity(game.bots.len());
        for entity in &game.bots {
            seats.push(self.seat(entity).await?);
        }
        let interval = Some(Duration { seconds: PHASE_SECONDS, nanos: 0 });
        let standard = Some(PhasePace { interval, ..PhasePace::default() });
        self.create(Created {
            kind: game.kind.clone(),
            name: "Ladder of bots".to_owned(),
            seats,
            pace: Some(Pace { standard, ..Pace::default() }),
            rated: true,
            game_id: game.game_id.clone(),
            tournament_id: LADDER_ID.to_owned(),
            ..Created::default()
        })
        .await
    }

    async fn candidates(&self) -> Result<Vec<Candidate>> {
        let mut candidates = Vec::new();
        let bots = self.bots("", BOTS_READ).await?;
        for (level, bot) in &bots {
            let levels = LEVELS.into_iter().map(|level| (level, false));
            for (level, is_registered) in levels.chain([(level.as_str(), true)]) {
                let entity = bot_entity(&bot.profile, level);
                let candidate = Candidate { kind: bot.kind.clone(), entity, is_registered };
                if !candidates.contains(&candidate)
                    && self.is_connected(&bot.kind, &bot.profile, level)
                {
                    candidates.push(candidate);
                }
            }
        }
        Ok(candidates)
    }
}

/// Chooses the registered bot whose latest game is the longest ago, and opponents by the same rule.
/// Returns `None` if no registered bot has an opponent.
fn schedule(ladder: &mut BotLadder, candidates: &[Candidate], now: Millis) -> Option<LadderGame> {
    let last = |candidate: &Candidate| {
        ladder.recent.iter().position(|entity| *entity == id(candidate)).map_or(0, |at| at + 1)
    };
    let mut waiting: Vec<&Candidate> = candidates.iter().collect();
    waiting.sort_by_key(|candidate| last(candidate));
    let opponents = |first: &Candidate| {
        let suits = |other: &Candidate| other.kind == first.kind && other.entity != first.entity;
        waiting.iter().copied().filter(move |other| suits(other)).collect::<Vec<_>>()
    };
    let registered = waiting.iter().copied().filter(|candidate| candidate.is_registered);
    let (first, others) =
        registered.map(|first| (first, opponents(first))).find(|(_, others)| !others.is_empty())?;
    let (_, players) = registry::kind(&first.kind)?.rules.options(None).ok()?;
    let seats = 2.clamp(*players.start(), *players.end());
    let chosen: Vec<&Candidate> =
        std::iter::once(first).chain(others.into_iter().cycle()).take(seats).collect();
    let (mut bots, played): (Vec<String>, Vec<String>) =
        chosen.iter().map(|one| (one.entity.clone(), id(one))).unzip();
    ladder.count += 1;
    Lots::new(ladder.count).shuffle(&mut bots);
    ladder.recent.retain(|entity| !played.contains(entity));
    for entity in played {
        if !ladder.recent.contains(&entity) {
            ladder.recent.push(entity);
        }
    }
    let surplus = ladder.recent.len().saturating_sub(RECENT_MAX);
    ladder.recent.drain(..surplus);
    let game_id = random::game_id_of("bot ladder", &ladder.count.to_string());
    Some(LadderGame { game_id, kind: first.kind.clone(), bots, time: now })
}

/// The usual levels play several kinds of game.
fn id(candidate: &Candidate) -> String {
    format!("{} {}", candidate.kind, candidate.entity)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(kind: &str, level: &str) -> Candidate {
        let (kind, entity) = (kind.to_owned(), bot_entity("captain", level));
        Candidate { kind, entity, is_registered: level.starts_with('@') }
    }

    #[test]
    fn registered_bots_play_in_turn() {
        let kind = "starships-at-large";
        let candidates = ["standard", "strong", "@a", "@b"].map(|level| candidate(kind, level));
        let mut ladder = BotLadder::default();
        let mut games: Vec<LadderGame> = Vec::new();
        for time in 0..24 {
            games.push(schedule(&mut ladder, &candidates, time).expect("there are four"));
        }
        for one in &candidates {
            let count = games.iter().filter(|game| game.bots.contains(&one.entity)).count();
            assert!(count >= 6, "{one:?}: {count}");
        }
        let first = games.iter().filter(|game| game.bots[0] == candidates[2].entity).count();
        assert!((2..20).contains(&first), "seats change: {first}");
        let registered = |game: &LadderGame| game.bots.iter().any(|entity| entity.contains('@'));
        assert!(games.iter().all(registered), "{games:?}");
        let mut ids: Vec<&String> = games.iter().map(|game| &game.game_id).collect();
        ids.dedup();
        assert_eq!((ids.len(), ladder.recent.len()), (24, 4));
    }

    #[test]
    fn a_bot_without_an_opponent_of_its_kind_waits() {
        let mut ladder = BotLadder::default();
        let alone = [candidate("starships-at-large", "@a"), candidate("star-empires", "standard")];
        assert_eq!(schedule(&mut ladder, &alone, 1), None);
        let usual = [candidate("star-empires", "standard"), candidate("star-empires", "strong")];
        assert_eq!(schedule(&mut ladder, &usual, 1), None, "no bot is registered");
        assert_eq!(ladder, BotLadder::default());
        let many = [candidate("diplomacy", "@a"), candidate("diplomacy", "standard")];
        let game = schedule(&mut ladder, &many, 1).expect("one opponent is enough");
        let (_, players) = registry::kind("diplomacy").unwrap().rules.options(None).unwrap();
        assert_eq!(game.bots.len(), 2.clamp(*players.start(), *players.end()));
    }
}
