//! Simulated players of rated tournaments, and what must hold for tournaments and ratings.

use std::collections::{BTreeMap, BTreeSet};

use heliopause_client::engine::{Engine, once};
use heliopause_engine::Time;
use heliopause_engine::ratings::Ratings;
use heliopause_engine::store::{GameQuery, Millis, Store as _, StoreError};
use heliopause_proto::star_empires::v1::Options;
use heliopause_proto::store::v1::{
    Created, PlannedSeat, RatingCursor, StoredPairing, StoredTournament, planned_seat, step,
};
use heliopause_proto::v1::*;
use heliopause_table::Table;
use tokio::time::{Instant, sleep};
use tonic::Status;

use crate::ledger::Ledger;
use crate::oracles::{self, Tables};
use crate::players::Person;
use crate::queue::records;
use crate::store::{SimulatedStore, block_on};

const KIND: &str = "star-empires";
/// The time after which a due step of a tournament must be taken.
const CONTINUED_AFTER: Millis = 30_000;
/// The time after which a finished game must be rated. Engines that share a store wait for 30
/// seconds.
const RATED_AFTER: Millis = 60_000;

impl Person {
    /// Enters all tournaments and plays their games. With `hosts`, also holds one after the other,
    /// each with this number of entrants.
    pub async fn play_tournaments(mut self, hosts: Option<u32>) {
        let engine = self.connect().await;
        while Instant::now() < self.until {
            sleep(self.chance.millis(500..4_000)).await;
            let mut acted = self.enter_tournaments(&engine, hosts).await;
            for game in self.world().running_of(&self.player_id()) {
                if acted.is_ok() && self.chance.in_1000(30) {
                    acted = self.resign(&engine, &game).await;
                } else if acted.is_ok() {
                    acted = self.order(&engine, &game).await;
                }
            }
            if let Err(status) = acted {
                self.note_failure(&status);
            }
        }
    }

    fn player_id(&self) -> String {
        let account = block_on(self.world().data().account(&format!("p{}", self.node)));
        account.map(|account| account.player_id).unwrap_or_default()
    }

    /// Joins, starts or creates a tournament, if one of these is due.
    async fn enter_tournaments(
        &mut self,
        engine: &Engine,
        hosts: Option<u32>,
    ) -> Result<(), Status> {
        let mut client = engine.tournaments();
        let listed = {
            let _calling = self.ledger.start_call(format!("{} lists tournaments", self.name));
            client.list_tournaments(ListTournamentsRequest::default()).await?.into_inner()
        };
        let _calling = self.ledger.start_call(format!("{} enters a tournament", self.name));
        let mut active = listed.tournaments.into_iter().filter(|listed| {
            matches!(listed.status(), TournamentStatus::Open | TournamentStatus::Running)
        });
        match (active.next(), hosts) {
            (Some(listed), _) if listed.status() == TournamentStatus::Running => {}
            (Some(Tournament { tournament_id, your_entry: 0, .. }), _) => {
                client.join_tournament(JoinTournamentRequest { tournament_id, bot: None }).await?;
            }
            (Some(listed), Some(entrants)) if listed.entry_count == entrants => {
                let tournament_id = listed.tournament_id;
                client.start_tournament(StartTournamentRequest { tournament_id }).await?;
            }
            (None, Some(entrants)) => {
                let request = self.tournament(entrants);
                let create = async |request| engine.tournaments().create_tournament(request).await;
                once(request, create).await?;
                self.ledger.count("tournaments");
            }
            _ => {}
        }
        Ok(())
    }

    fn tournament(&mut self, entrants: u32) -> CreateTournamentRequest {
        let options = Options { last_turn: Some(2), ..Options::default() };
        let seconds = self.chance.within(4..12) as i64;
        let interval = Some(prost_types::Duration { seconds, nanos: 0 });
        let standard = Some(PhasePace { interval, ..PhasePace::default() });
        CreateTournamentRequest {
            name: "Cup".to_owned(),
            system: TournamentSystem::RoundRobin.into(),
            kind: KIND.to_owned(),
            options: Some(GameOptions { game: Some(game_options::Game::StarEmpires(options)) }),
            pace: Some(Pace { standard, ..Pace::default() }),
            entries_max: entrants,
            rated: true,
            request_id: self.request_id(),
            ..CreateTournamentRequest::default()
        }
    }

    async fn resign(&mut self, engine: &Engine, game: &str) -> Result<(), Status> {
        let request_id = self.request_id();
        let (game_id, id) = (game.to_owned(), request_id.clone());
        let request = ResignRequest { game_id, seat: None, request_id };
        let resign = async |request| engine.games().resign(request).await;
        self.change(game, &id, request, resign).await.map(drop)
    }
}

fn tournaments(world: &SimulatedStore) -> Vec<(String, StoredTournament)> {
    let found = records(world, "tournament").into_iter();
    found.map(|(record, stored)| (record.id, stored)).collect()
}

/// Describes the due steps of tournaments that no engine takes, and the games that no engine rates.
/// The result is valid only if there was no fault recently.
pub fn delayed(world: &SimulatedStore, now: Millis) -> Vec<String> {
    let mut delayed = Vec::new();
    for (id, stored) in tournaments(world) {
        let is_open = stored.status() == TournamentStatus::Open;
        if is_open && stored.starts > 0 && now - stored.starts > CONTINUED_AFTER {
            delayed.push(format!("the tournament {id} does not start"));
        }
        for (round, pairing) in pairings(&stored) {
            if pairing.state() != TournamentGameState::Playing
                || stored.status() != TournamentStatus::Running
            {
                continue;
            }
            let game_id = &pairing.game_id;
            match block_on(world.data().game(game_id)) {
                Err(StoreError::NotFound) if now - round > CONTINUED_AFTER => {
                    delayed.push(format!("the pairing of {game_id} has no game"));
                }
                Ok(row) if row.ended.is_some_and(|ended| now - ended > CONTINUED_AFTER) => {
                    delayed.push(format!("the tournament {id} does not count {game_id}"));
                }
                _ => {}
            }
        }
    }
    let cursor = records::<RatingCursor>(world, "rating-cursor").pop();
    let cursor = cursor.map(|(_, cursor)| cursor).unwrap_or_default();
    let ended_after = Some((cursor.ended, cursor.game_id));
    let query = GameQuery { limit: 1, ended_after, ..GameQuery::default() };
    for row in block_on(world.data().games(query)).unwrap_or_default() {
        if row.ended.is_some_and(|ended| now - ended > RATED_AFTER) {
            delayed.push(format!("{} is not rated", row.game_id));
        }
    }
    delayed
}

/// Returns the pairings with the start of their round.
fn pairings(stored: &StoredTournament) -> impl Iterator<Item = (Millis, &StoredPairing)> {
    let rounds = stored.rounds.iter();
    rounds.flat_map(|round| round.pairings.iter().map(move |pairing| (round.started, pairing)))
}

/// Checks that every game of a tournament belongs to one pairing, with its entrants and result.
pub fn games_follow_from_pairings(world: &SimulatedStore, ledger: &Ledger, tables: &Tables) {
    let mut games: BTreeMap<String, Created> = BTreeMap::new();
    for game in oracles::games(world) {
        let first = oracles::decoded(world, &game).into_iter().next();
        if let Some(step::Kind::Created(created)) = first.and_then(|first| first.step?.kind) {
            games.insert(game, *created);
        }
    }
    games.retain(|_, created| !created.tournament_id.is_empty());
    for (id, stored) in tournaments(world) {
        let mut met = BTreeSet::new();
        for (_, pairing) in pairings(&stored) {
            let mut pair = pairing.entries.clone();
            pair.sort_unstable();
            if !met.insert(pair.clone()) {
                ledger.record_violation(format!("{pair:?} meet twice in the tournament {id}"));
            }
            let Some(created) = games.remove(&pairing.game_id) else { continue };
            ledger.count("games of tournaments");
            let entity = |&entry: &u32| stored.entries[entry as usize].entity.clone();
            let entrants: Vec<String> = pairing.entries.iter().map(entity).collect();
            if created.tournament_id != id || players(&created) != entrants {
                ledger.record_violation(format!(
                    "the pairing of {} is of {entrants:?}, but its game is of {:?}",
                    pairing.game_id,
                    players(&created)
                ));
            }
            let table = tables.table(&pairing.game_id);
            let results = table.map(Table::results).unwrap_or_default();
            let places = results.iter().map(|result| if result.left { 0 } else { result.place });
            let places: Vec<u32> = places.collect();
            if pairing.state() == TournamentGameState::Ended && places != pairing.places {
                ledger.record_violation(format!(
                    "{} ended with the places {places:?}, and counts as {:?}",
                    pairing.game_id, pairing.places
                ));
            }
        }
    }
    for (game, created) in games {
        let id = created.tournament_id;
        ledger.record_violation(format!("the game {game} of {id} belongs to no pairing"));
    }
}

fn players(created: &Created) -> Vec<String> {
    let player = |seat: &PlannedSeat| match &seat.plan {
        Some(planned_seat::Plan::Taken(taken)) => {
            taken.player.clone().unwrap_or_default().player_id
        }
        _ => String::new(),
    };
    created.seats.iter().map(player).collect()
}

/// Checks that a recalculation of the ratings changes nothing. The check changes the store, so it
/// must be the last one.
pub fn ratings_follow_from_journals(world: &SimulatedStore, ledger: &Ledger) {
    let rated = || {
        let spaces = ["rating", "played"].into_iter();
        let found = spaces.flat_map(|space| records::<()>(world, space));
        found.map(|(record, ())| (record.id, (record.key, record.body))).collect::<BTreeMap<_, _>>()
    };
    let ratings = Ratings::new(world.data(), Time::of(|| Millis::MAX / 2));
    let added = block_on(Box::pin(ratings.catch_up()));
    let before = rated();
    let all = block_on(Box::pin(ratings.recalculate()));
    let after = rated();
    if let Some(error) = added.and(all).err() {
        ledger.record_violation(format!("ratings cannot be recalculated: {error}"));
    }
    let ids: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    for id in ids.into_iter().filter(|id| before.get(*id) != after.get(*id)) {
        ledger.record_violation(format!("a recalculation changes the ratings of {id}"));
    }
    if after.keys().any(|id| id.contains('/')) {
        ledger.count("runs with ratings");
    }
}
