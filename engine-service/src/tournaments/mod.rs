//! Tournaments, and the ladder of bots.
//!
//! A tournament is one record with its entries and rounds. Every engine runs the job, and takes each
//! step as a change of this record: the start with the first pairing, the results of games, and
//! the end of a round with the next pairing. Of two engines that take the same step, one loses the
//! race and reads the record again.
//!
//! **Invariant.** The id of a game follows from the tournament, the round and the table, and the
//! pairing is stored before the game is created. If an engine is killed in between, any engine
//! creates the games that are missing, and no game is created twice.
//!
//! **Invariant.** The index lists the tournaments that are not over. It changes together with the
//! record of a tournament, so the limits hold for concurrent calls on several engines.

mod bots;
mod entries;
mod ladder;
mod lots;
mod matching;
mod pairing;
mod rounds;
mod standings;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use heliopause_proto::store::v1::{ActiveTournament, StoredTournament, TournamentIndex};
use heliopause_proto::v1::{ErrorReason, TournamentStatus};
use prost::Message;

pub(crate) use self::rounds::results;
pub(crate) use self::standings::Line;
use crate::Time;
use crate::accounts::Accounts;
use crate::config::TournamentSettings;
use crate::failure::{Failure, Result, draining};
use crate::host::Host;
use crate::log_throttle::throttled;
use crate::ratings::Ratings;
use crate::store::{Millis, Record, RecordChange, RecordQuery, Store, StoreError};
use crate::time::Moment;

const TOURNAMENT: &str = "tournament";
const INDEX: &str = "tournament-index";
/// The prefix of the entity of a bot, as in the ratings.
const BOT: &str = "bot:";
/// The level of a registered bot begins with this character.
const REGISTERED: char = '@';

/// The maximum number of tournaments that are not over. The job reads all of them.
const ACTIVE_MAX: usize = 64;
const POLL_INTERVAL: Duration = Duration::from_secs(2);
/// The additional interval for each undecided game of a tournament. It limits the reads per second.
const POLL_PER_GAME: Millis = 100;
/// The interval at which the job reads running games, to find out who has left.
const ABANDONED_INTERVAL: Millis = 60_000;

/// The tournaments and the ladder of a store.
pub struct Tournaments {
    store: Arc<dyn Store>,
    accounts: Arc<Accounts>,
    ratings: Arc<Ratings>,
    host: Weak<Host>,
    time: Time,
    settings: TournamentSettings,
    polls: Mutex<BTreeMap<String, Poll>>,
    abandoned_interval: Millis,
}

/// When the job reads a tournament again, and when it reads its running games.
#[derive(Clone, Copy)]
struct Poll {
    next: Moment,
    games: Moment,
}

impl Tournaments {
    pub fn new(
        store: Arc<dyn Store>,
        accounts: Arc<Accounts>,
        ratings: Arc<Ratings>,
        host: &Arc<Host>,
        settings: TournamentSettings,
    ) -> Self {
        let (time, host, polls) = (host.time().clone(), Arc::downgrade(host), Mutex::default());
        let abandoned_interval = ABANDONED_INTERVAL;
        Self { store, accounts, ratings, host, time, settings, polls, abandoned_interval }
    }

    /// Reads running games at each step, for tests.
    #[must_use]
    pub fn without_delay(self) -> Self {
        Self { abandoned_interval: 0, ..self }
    }

    /// Starts the job, which runs until the host drains or is dropped.
    pub(crate) fn start(self: Arc<Self>) {
        tokio::spawn(self.keep());
    }

    async fn keep(self: Arc<Self>) {
        loop {
            if let Err(failure) = self.step().await {
                let failure = failure.for_operator();
                throttled!(warn, failure, "tournaments cannot continue; retrying later");
            }
            let Some(host) = self.host.upgrade() else { return };
            tokio::select! {
                () = tokio::time::sleep(POLL_INTERVAL) => {}
                () = host.drained() => return,
            }
        }
    }

    /// Takes all steps that are due.
    pub async fn step(&self) -> Result<()> {
        let (_, index) = self.index().await?;
        for one in &index.active {
            let now = self.time.moment();
            let known = self.polls().get(&one.tournament_id).copied();
            let poll = known.unwrap_or(Poll { next: now, games: now + self.abandoned_interval });
            if poll.next > now {
                continue;
            }
            let reads_games = poll.games <= now;
            // The failure of one tournament must not stop the others.
            let undecided = match self.advance(&one.tournament_id, reads_games).await {
                Ok(undecided) => undecided,
                Err(failure) => {
                    let (tournament_id, failure) = (&one.tournament_id, failure.for_operator());
                    throttled!(warn, tournament_id, failure, "a tournament cannot continue");
                    0
                }
            };
            let next = now + undecided as Millis * POLL_PER_GAME;
            let games = if reads_games { now + self.abandoned_interval } else { poll.games };
            self.polls().insert(one.tournament_id.clone(), Poll { next, games });
        }
        self.polls().retain(|id, _| index.active.iter().any(|one| one.tournament_id == *id));
        self.ladder_step().await
    }

    fn polls(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Poll>> {
        self.polls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn host(&self) -> Result<Arc<Host>> {
        self.host.upgrade().ok_or_else(|| draining().into())
    }

    async fn index(&self) -> Result<(Option<Record>, TournamentIndex)> {
        read_or_default(&*self.store, INDEX, INDEX).await
    }

    pub async fn tournament(&self, tournament_id: &str) -> Result<StoredTournament> {
        Ok(self.read(tournament_id).await?.1)
    }

    /// Returns the tournaments after a place of the list, each with its place.
    pub(crate) async fn list(
        &self,
        after: (String, String),
        limit: usize,
    ) -> Result<Vec<((String, String), StoredTournament)>> {
        let query =
            RecordQuery { space: TOURNAMENT.to_owned(), after, limit, ..RecordQuery::default() };
        let found = self.store.records(query).await?;
        let read = |record: Record| {
            let tournament = record.message()?;
            Ok(((record.key, record.id), tournament))
        };
        found.into_iter().map(read).collect()
    }

    /// Reads a tournament. Returns `NOT_FOUND` if it does not exist.
    async fn read(&self, tournament_id: &str) -> Result<(Record, StoredTournament)> {
        let found = if tournament_id.is_empty() || tournament_id.len() > 64 {
            None
        } else {
            self.store.record(TOURNAMENT, tournament_id).await?
        };
        let Some(found) = found else {
            let text = format!("The tournament {tournament_id:?} was not found.");
            return Err(Failure::new(ErrorReason::NotFound, text).with("what", "tournament"));
        };
        let stored = found.message()?;
        Ok((found, stored))
    }

    /// Changes a tournament, again after each lost race. A change that fails changes nothing.
    async fn change(
        &self,
        tournament_id: &str,
        change: impl Fn(&mut StoredTournament) -> Result<()>,
    ) -> Result<StoredTournament> {
        loop {
            let (found, before) = self.read(tournament_id).await?;
            let mut after = before.clone();
            change(&mut after)?;
            if self.replace(&found, &before, &after).await? {
                return Ok(after);
            }
        }
    }

    /// Stores a tournament in place of an earlier state. Returns false if another call has changed
    /// it.
    async fn replace(
        &self,
        found: &Record,
        before: &StoredTournament,
        after: &StoredTournament,
    ) -> Result<bool> {
        if before == after {
            return Ok(true);
        }
        let new = Some((key(after), after.encode_to_vec().into()));
        let (space, id) = (found.space.clone(), found.id.clone());
        let mut changes = vec![RecordChange { space, id, expected: found.version, new }];
        if is_over(after) && !is_over(before) {
            let (index, mut listed) = self.index().await?;
            listed.active.retain(|one| one.tournament_id != found.id);
            changes.push(changed(INDEX, INDEX, "", index.as_ref(), &listed));
        }
        retried(self.store.change_records(changes).await)
    }

    /// Reads all tournaments that are not over.
    async fn active(&self) -> Result<Vec<(String, StoredTournament)>> {
        let query = RecordQuery {
            space: TOURNAMENT.to_owned(),
            until: Some(ACTIVE_LAST.to_owned()),
            limit: ACTIVE_MAX,
            ..RecordQuery::default()
        };
        let found = self.store.records(query).await?;
        let read = |record: Record| Ok((record.id.clone(), record.message()?));
        found.into_iter().map(read).collect()
    }
}

/// Not smaller than the key of any tournament that is not over.
const ACTIVE_LAST: &str = "a~";

/// Returns the key of a tournament: first those that are not over, in the order of their start, then
/// the others, newest first.
fn key(tournament: &StoredTournament) -> String {
    if is_over(tournament) {
        return format!("b{:016}", (Millis::MAX - tournament.ended) / 1_000);
    }
    let time = if tournament.starts == 0 { tournament.created } else { tournament.starts };
    format!("a{time:016}")
}

fn is_over(tournament: &StoredTournament) -> bool {
    matches!(tournament.status(), TournamentStatus::Ended | TournamentStatus::Cancelled)
}

fn active(tournament_id: &str, host: &str) -> ActiveTournament {
    ActiveTournament { tournament_id: tournament_id.to_owned(), host: host.to_owned() }
}

/// Reads a record. Returns the default message if there is none.
async fn read_or_default<T: Message + Default>(
    store: &dyn Store,
    space: &str,
    id: &str,
) -> Result<(Option<Record>, T)> {
    let Some(found) = store.record(space, id).await? else { return Ok((None, T::default())) };
    let message = found.message()?;
    Ok((Some(found), message))
}

fn changed(
    space: &str,
    id: &str,
    key: &str,
    found: Option<&Record>,
    message: &impl Message,
) -> RecordChange {
    let expected = found.map_or(0, |found| found.version);
    RecordChange { expected, ..RecordChange::create(space, id, key, message.encode_to_vec()) }
}

/// Returns whether a change succeeded, or false if it lost a race.
fn retried(changed: Result<(), StoreError>) -> Result<bool> {
    match changed {
        Ok(()) => Ok(true),
        Err(StoreError::LostRace { .. }) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Returns the profile and level of a bot, or `None` for a player.
pub(crate) fn bot_of(entity: &str) -> Option<(&str, &str)> {
    entity.strip_prefix(BOT)?.split_once('/')
}

pub(crate) fn bot_entity(profile: &str, level: &str) -> String {
    format!("{BOT}{profile}/{level}")
}
