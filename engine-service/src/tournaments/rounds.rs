//! The steps of a tournament: its start, its games, their results, and the next round.

use std::cmp::Reverse;

use heliopause_proto::store::v1::{
    Created, GameCancelled, Person, PlannedSeat, Step, StoredPairing, StoredRound,
    StoredTournament, Taken, planned_seat, step,
};
use heliopause_proto::v1::{
    AutomatedSeat, ErrorReason, GameStatus, TournamentGameState, TournamentStatus, TournamentSystem,
};
use heliopause_table::chain;

use super::pairing::{self, Field, Paired};
use super::standings::{Line, Round, Table, standings};
use super::{Tournaments, bot_of};
use crate::failure::Result;
use crate::host::load_from;
use crate::random;
use crate::store::{GameRow, Millis, StoreError};

/// The reason of a tournament that could not start.
const TOO_FEW: &str = "Too few entries at the time of the start.";
const HOST_DELETED: &str = "The host's account was deleted.";
const HOST_BANNED: &str = "The host is banned.";
const NOT_STARTED: &str = "The tournament was not started within 30 days.";
/// The time after which a tournament without a start time is canceled.
const START_WITHIN: Millis = 30 * 24 * 60 * 60 * 1_000;

impl Tournaments {
    /// Takes all steps of a tournament that are due. With `reads_games`, also reads running games,
    /// to find out who has left, and the host of an open tournament. Returns the number of
    /// undecided games.
    pub(super) async fn advance(&self, tournament_id: &str, reads_games: bool) -> Result<usize> {
        loop {
            let (found, before) = self.read(tournament_id).await?;
            let mut after = before.clone();
            match before.status() {
                TournamentStatus::Open => {
                    let now = self.time.now();
                    let is_due = before.starts != 0 && before.starts <= now;
                    let flaw = if is_due || reads_games {
                        self.cancel_reason(&before, now).await?
                    } else {
                        None
                    };
                    if let Some(why) = flaw {
                        cancel(&mut after, why, now);
                    } else if is_due {
                        self.withdraw_missing(&mut after).await?;
                        self.begin(tournament_id, &mut after, now).await?;
                    } else {
                        return Ok(0);
                    }
                }
                TournamentStatus::Running => {
                    self.decide_games(tournament_id, &mut after, reads_games).await?;
                    if is_decided(&after) {
                        self.withdraw_missing(&mut after).await?;
                        next_round(tournament_id, &mut after, self.time.now());
                    }
                }
                TournamentStatus::Ended
                | TournamentStatus::Cancelled
                | TournamentStatus::Unspecified => return Ok(0),
            }
            let undecided = undecided(&after);
            if before == after {
                return Ok(undecided);
            }
            if !self.replace(&found, &before, &after).await? {
                continue;
            }
            if after.rounds.len() == before.rounds.len() {
                return Ok(undecided);
            }
            // The next pass creates the games.
        }
    }

    /// Returns why an open tournament must be canceled, or `None`.
    async fn cancel_reason(
        &self,
        tournament: &StoredTournament,
        now: Millis,
    ) -> Result<Option<&'static str>> {
        Ok(match self.accounts.find_named(&tournament.host).await? {
            None => Some(HOST_DELETED),
            Some(host) if host.banned => Some(HOST_BANNED),
            Some(_) => {
                let is_late = tournament.starts == 0 && now - tournament.created >= START_WITHIN;
                is_late.then_some(NOT_STARTED)
            }
        })
    }

    /// Marks the entrants whose accounts were deleted or banned as withdrawn.
    async fn withdraw_missing(&self, tournament: &mut StoredTournament) -> Result<()> {
        for entry in tournament.entries.iter_mut().filter(|entry| !entry.withdrawn) {
            if bot_of(&entry.entity).is_none() {
                let account = self.accounts.find_named(&entry.entity).await?;
                entry.withdrawn = account.is_none_or(|account| account.banned);
            }
        }
        Ok(())
    }

    /// Starts a tournament with its first round, or cancels it if there are too few entries.
    async fn begin(
        &self,
        tournament_id: &str,
        tournament: &mut StoredTournament,
        now: Millis,
    ) -> Result<()> {
        tournament.entries.retain(|entry| !entry.withdrawn);
        if tournament.entries.len() < tournament.seats as usize {
            cancel(tournament, TOO_FEW, now);
            return Ok(());
        }
        let (kind, seats) = (tournament.kind.clone(), tournament.seats as usize);
        for entry in &mut tournament.entries {
            entry.rating = self.ratings.value(&kind, seats, &entry.entity).await?;
        }
        // Lots decide between equal ratings. The order of the entries is the initial ranking.
        let mut lots = super::lots::Lots::new(tournament.lots);
        lots.shuffle(&mut tournament.entries);
        tournament.entries.sort_by_key(|entry| Reverse(entry.rating));
        tournament.round_count = pairing::rounds(
            tournament.system(),
            tournament.entries.len(),
            seats,
            tournament.round_count as usize,
            tournament.twice,
        ) as u32;
        tournament.starts = now;
        tournament.set_status(TournamentStatus::Running);
        next_round(tournament_id, tournament, now);
        Ok(())
    }

    /// Creates the games of the current round that are missing, and adds the results of decided
    /// games.
    async fn decide_games(
        &self,
        tournament_id: &str,
        tournament: &mut StoredTournament,
        reads_games: bool,
    ) -> Result<()> {
        let Some(number) = tournament.rounds.len().checked_sub(1) else { return Ok(()) };
        let started = tournament.rounds[number].started;
        let is_late = self.time.now() >= started.saturating_add(tournament.round_limit);
        for table in 0..tournament.rounds[number].pairings.len() {
            let pairing = &tournament.rounds[number].pairings[table];
            if is_game_decided(pairing) {
                continue;
            }
            let decided = match self.store.game(&pairing.game_id).await {
                Ok(row) => self.decided(pairing, &row, is_late, reads_games).await?,
                Err(StoreError::NotFound) => {
                    self.create_game(tournament_id, tournament, number, table).await?;
                    None
                }
                Err(error) => return Err(error.into()),
            };
            if let Some((state, places)) = decided {
                let pairing = &mut tournament.rounds[number].pairings[table];
                pairing.set_state(state);
                pairing.places = places;
            }
        }
        Ok(())
    }

    /// Returns the places of a game, or `None` if it is not decided yet.
    async fn decided(
        &self,
        pairing: &StoredPairing,
        row: &GameRow,
        is_late: bool,
        reads_games: bool,
    ) -> Result<Option<(TournamentGameState, Vec<u32>)>> {
        use TournamentGameState as State;
        let status = GameStatus::try_from(row.status).unwrap_or_default();
        let seats = pairing.entries.len();
        if matches!(status, GameStatus::Ended | GameStatus::Cancelled) {
            let table = match load_from(&*self.store, &row.game_id).await {
                // A damaged game must not stop the tournament.
                Err(fault) if fault.reason == ErrorReason::Internal => {
                    return Ok(Some((State::Cancelled, vec![1; seats])));
                }
                table => table?,
            };
            if status == GameStatus::Cancelled {
                return Ok(Some((State::Cancelled, shared(&table.abandoned_seats()))));
            }
            let mut places = vec![0; seats];
            for result in table.results().iter().filter(|result| !result.left) {
                if let Some(place) = places.get_mut(result.seat.index()) {
                    *place = result.place;
                }
            }
            return Ok(Some((State::Ended, places)));
        }
        let host = self.host()?;
        // No person may watch a game of bots.
        host.record_activity(&row.game_id, row.asleep_since.is_some());
        if !is_late && !reads_games {
            return Ok(None);
        }
        let read = host.peek(&row.game_id, |table| (table.abandoned_seats(), table.is_left()));
        let (abandoned, is_left) = match read.await {
            Err(fault) if fault.reason == ErrorReason::Internal => (vec![false; seats], false),
            read => read?,
        };
        if is_late {
            let kind = Some(step::Kind::GameCancelled(GameCancelled {}));
            // The game may have ended in the meantime. Its result is then too late.
            if let Err(fault) = host.take(&row.game_id, Step { kind, ..Step::default() }).await {
                tracing::debug!(game_id = row.game_id, %fault, "a late game was not canceled");
            }
            return Ok(Some((State::TimedOut, shared(&abandoned))));
        }
        let present = abandoned.iter().filter(|&&left| !left).count();
        let forfeited = is_left || present <= 1;
        Ok(forfeited.then(|| (State::Forfeited, shared(&abandoned))))
    }

    async fn create_game(
        &self,
        tournament_id: &str,
        tournament: &StoredTournament,
        number: usize,
        table: usize,
    ) -> Result<()> {
        let pairing = &tournament.rounds[number].pairings[table];
        let mut seats = Vec::with_capacity(pairing.entries.len());
        for &entry in &pairing.entries {
            seats.push(self.seat(&tournament.entries[entry as usize].entity).await?);
        }
        let (round, table) = (number + 1, table + 1);
        let name = if tournament.rounds[number].pairings.len() == 1 {
            format!("{}: round {round}", tournament.name)
        } else {
            format!("{}: round {round}, table {table}", tournament.name)
        };
        let created = Created {
            kind: tournament.kind.clone(),
            name,
            options: tournament.options.clone(),
            seats,
            pace: tournament.pace.clone(),
            rated: tournament.rated,
            game_id: pairing.game_id.clone(),
            tournament_id: tournament_id.to_owned(),
            ..Created::default()
        };
        self.create(created).await
    }

    /// Returns the plan of a seat for an entity.
    pub(super) async fn seat(&self, entity: &str) -> Result<PlannedSeat> {
        let plan = if let Some((profile, level)) = bot_of(entity) {
            planned_seat::Plan::Automated(AutomatedSeat {
                profile: profile.to_owned(),
                level: level.to_owned(),
                end_time: None,
            })
        } else {
            let account = self.accounts.find(entity).await?;
            let player = Some(Person { player_id: account.player_id, name: account.name });
            planned_seat::Plan::Taken(Taken { player, ..Taken::default() })
        };
        Ok(PlannedSeat { plan: Some(plan) })
    }

    /// Creates and starts a game, unless another engine has already created it.
    pub(super) async fn create(&self, created: Created) -> Result<()> {
        let secret = random::seed();
        let seed_commitment = bytes::Bytes::copy_from_slice(&chain::commitment(&secret));
        let created = Created { start_when_full: true, seed_commitment, ..created };
        let host = self.host()?;
        match Box::pin(host.create_with_quota(created, secret, Step::default(), None)).await {
            Err(lost) if lost.reason == ErrorReason::LostRace => Ok(()),
            made => Ok(made.map(drop)?),
        }
    }
}

fn cancel(tournament: &mut StoredTournament, why: &str, now: Millis) {
    tournament.set_status(TournamentStatus::Cancelled);
    tournament.ended = now;
    why.clone_into(&mut tournament.cancel_reason);
}

/// Returns the places of a game that was not played to its end: all who are left share the first.
fn shared(abandoned: &[bool]) -> Vec<u32> {
    abandoned.iter().map(|&left| u32::from(!left)).collect()
}

fn is_game_decided(pairing: &StoredPairing) -> bool {
    pairing.state() != TournamentGameState::Playing
}

fn undecided(tournament: &StoredTournament) -> usize {
    let round = tournament.rounds.last();
    round.map_or(0, |round| round.pairings.iter().filter(|one| !is_game_decided(one)).count())
}

fn is_decided(tournament: &StoredTournament) -> bool {
    undecided(tournament) == 0
}

/// Returns the rounds as the standings and pairings need them.
fn played(tournament: &StoredTournament) -> Vec<Round> {
    let indexes = |entries: &[u32]| entries.iter().map(|&entry| entry as usize).collect();
    let table = |pairing: &StoredPairing| Table {
        seats: indexes(&pairing.entries),
        places: pairing.places.clone(),
    };
    let round = |round: &StoredRound| Round {
        tables: round.pairings.iter().map(table).collect(),
        byes: indexes(&round.byes),
    };
    tournament.rounds.iter().map(round).collect()
}

/// Returns the results of all entries, and the rounds.
pub(crate) fn results(tournament: &StoredTournament) -> (Vec<Line>, Vec<Round>) {
    let rounds = played(tournament);
    (lines(tournament, &rounds), rounds)
}

fn lines(tournament: &StoredTournament, rounds: &[Round]) -> Vec<Line> {
    let (entrants, seats) = (tournament.entries.len(), tournament.seats as usize);
    standings(tournament.system(), entrants, seats, rounds)
}

/// Adds the next round, or ends the tournament after the last one, or if too few entrants are left.
fn next_round(tournament_id: &str, tournament: &mut StoredTournament, now: Millis) {
    let (lines, rounds) = results(tournament);
    let halves: Vec<u32> = lines.iter().map(|line| line.halves).collect();
    let active: Vec<bool> = tournament.entries.iter().map(|entry| !entry.withdrawn).collect();
    // The sort is stable, and the entries are in the order of their ratings.
    let mut order: Vec<usize> = (0..halves.len()).collect();
    order.sort_by_key(|&entry| Reverse(halves[entry]));
    let paired = if rounds.len() < tournament.round_count as usize {
        pairing::pair(&Field {
            system: tournament.system(),
            seats: tournament.seats as usize,
            rounds: &rounds,
            halves: &halves,
            active: &active,
            order: &order,
            lots: tournament.lots,
        })
    } else {
        Paired::default()
    };
    let is_playable = |table: &Vec<usize>| table.iter().filter(|&&entry| active[entry]).count() > 1;
    let is_round_robin = tournament.system() == TournamentSystem::RoundRobin;
    let left = active.iter().filter(|&&active| active).count();
    if paired.tables.is_empty() || left < tournament.seats as usize {
        tournament.set_status(TournamentStatus::Ended);
        tournament.ended = now;
        return;
    }
    let number = rounds.len();
    let pairing = |(table, seats): (usize, Vec<usize>)| {
        let mut pairing = StoredPairing {
            entries: seats.iter().map(|&entry| entry as u32).collect(),
            ..StoredPairing::default()
        };
        if is_round_robin && !is_playable(&seats) {
            pairing.set_state(TournamentGameState::Forfeited);
            pairing.places = seats.iter().map(|&entry| u32::from(active[entry])).collect();
        } else {
            pairing.set_state(TournamentGameState::Playing);
            pairing.game_id = game_id(tournament_id, number, table);
        }
        pairing
    };
    let round = StoredRound {
        started: now,
        pairings: paired.tables.into_iter().enumerate().map(pairing).collect(),
        byes: paired.byes.iter().map(|&entry| entry as u32).collect(),
    };
    tournament.rounds.push(round);
}

fn game_id(tournament_id: &str, round: usize, table: usize) -> String {
    random::game_id_of(&format!("tournament {tournament_id}"), &format!("{round}/{table}"))
}
