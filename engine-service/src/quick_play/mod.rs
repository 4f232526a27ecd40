//! The queue of quick play: players who wait for a game, and the matches between them.
//!
//! **Invariant.** A match replaces the entries of its players in one change, which also creates the
//! record of the match. If several engines match the same player, one change succeeds. The record
//! remains until the game of the match exists. If the engine that made the match stops, another one
//! creates the game. The id of the game is part of the match, so only one of them succeeds.

mod pairing;
mod request;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock, Mutex, PoisonError, Weak};
use std::time::Duration;

use bytes::Bytes;
use heliopause_proto::store::v1::{MatchedPlayer, Person, Step, StoredMatch, StoredQueueEntry};
use heliopause_proto::v1::{
    ErrorReason, GameStatus, JoinQueueRequest, QueueEntry, QueueState, QuickPace,
};
use prost::Message as _;
use tokio::sync::Notify;
use tokio::time::sleep;

use self::pairing::{Group, Pool, Waiting};
use crate::Time;
use crate::accounts::Accounts;
use crate::failure::{Failure, Result, over_quota};
use crate::host::{Host, timestamp};
use crate::log_throttle::throttled;
use crate::random;
use crate::ratings::Ratings;
use crate::store::{
    Account, Millis, QuotaKind, Record, RecordChange, RecordQuery, Store, StoreError,
};

const QUEUE: &str = "queue";
const MATCH: &str = "match";

/// The keys of entries start with their state. Those of waiting players are last.
const WAITING: &str = "waiting|";
const MATCHED: &str = "matched|";
const READY: &str = "ready|";

/// Limit on the players of a pool. Choosing a group takes time for each of them.
const POOL_MAX: usize = 500;
const PAGE: usize = 64;
/// The number of request ids of a player that are kept. A late repetition must find its id.
const REQUESTS: usize = 16;

const PASS_INTERVAL: Duration = Duration::from_secs(1);
const IDLE_INTERVAL: Duration = Duration::from_secs(5);
/// The pause between passes that new entries cause.
const PASS_PAUSE: Duration = Duration::from_millis(100);

/// The age at which another engine creates the game of a match. The engine that made the match
/// needs less, unless it has stopped.
const RECOVERED_AFTER: Millis = 10_000;

/// The time without a call after which a player is not there for a live game. Browsers let a hidden
/// page call once a minute.
const PRESENCE: Millis = 120_000;
const SEEN_UPDATED_AFTER: Millis = 15_000;
const LIVE_LIFETIME: Millis = 60 * 60_000;
const LIFETIME: Millis = 7 * 24 * 60 * 60_000;
/// The time for which a matched player finds the game, and a repeated request its entry. Must
/// exceed the duration of every pass.
const READY_LIFETIME: Millis = 24 * 60 * 60_000;

/// The queue of a store.
pub struct QuickPlay {
    store: Arc<dyn Store>,
    accounts: Arc<Accounts>,
    ratings: Arc<Ratings>,
    time: Time,
    joined: Notify,
    /// The numbers of waiting players at the latest pass, by pool.
    counts: Mutex<BTreeMap<String, usize>>,
}

/// The result of checking the players of a group.
enum Checked {
    Fit(Vec<Account>),
    /// The player cannot play another game.
    Unable(usize),
    /// One of the two blocks the other.
    Apart(usize, usize),
}

/// An entry and its record.
type Found = (Record, StoredQueueEntry);

impl QuickPlay {
    pub fn new(
        store: Arc<dyn Store>,
        accounts: Arc<Accounts>,
        ratings: Arc<Ratings>,
        time: Time,
    ) -> Self {
        Self { store, accounts, ratings, time, joined: Notify::new(), counts: Mutex::default() }
    }

    /// Starts matching players until the host drains or is dropped.
    pub(crate) fn start(self: Arc<Self>, host: &Arc<Host>) {
        tokio::spawn(self.keep(Arc::downgrade(host)));
    }

    async fn keep(self: Arc<Self>, host: Weak<Host>) {
        loop {
            let Some(host) = host.upgrade() else { return };
            let wait = match self.pass(&host).await {
                Ok(0) => IDLE_INTERVAL,
                Ok(_) => PASS_INTERVAL,
                Err(failure) => {
                    throttled!(warn, %failure, "players cannot be matched; retrying later");
                    PASS_INTERVAL
                }
            };
            tokio::select! {
                () = sleep(wait) => {}
                () = self.joined.notified() => sleep(PASS_PAUSE).await,
                () = host.drained() => return,
            }
        }
    }

    /// Matches players, and creates their games. Returns the number of players who still wait.
    pub async fn pass(&self, host: &Host) -> Result<usize> {
        host.ensure_time().await?;
        let now = self.time.now();
        for found in self.first(MATCH, "", &key("", now - RECOVERED_AFTER)).await? {
            self.create_game(host, &found.id).await?;
        }
        let old = self.first(QUEUE, READY, &key(READY, now - READY_LIFETIME)).await?;
        self.change(old.into_iter().map(Record::removed).collect()).await?;
        let (matches, waiting) = self.match_players().await?;
        for game_id in matches {
            self.create_game(host, &game_id).await?;
        }
        Ok(waiting)
    }

    /// Matches players without creating the games. Returns the ids of the games, and the number of
    /// players who still wait.
    pub async fn match_players(&self) -> Result<(Vec<String>, usize)> {
        let (mut matches, mut counts) = (Vec::new(), BTreeMap::new());
        let mut after = WAITING.to_owned();
        loop {
            let query = RecordQuery {
                space: QUEUE.to_owned(),
                after: (after, String::new()),
                limit: 1,
                ..RecordQuery::default()
            };
            let Some(first) = self.store.records(query).await?.pop() else { break };
            let name = pool_of(&first.key).to_owned();
            let found = self.entries(&name).await?;
            let waiting = self.match_pool(found, &mut matches).await?;
            after = format!("{name}~");
            counts.insert(name, waiting);
        }
        let waiting = counts.values().sum();
        *self.counts.lock().unwrap_or_else(PoisonError::into_inner) = counts;
        Ok((matches, waiting))
    }

    /// Returns the players of a pool, longest wait first.
    async fn entries(&self, pool: &str) -> Result<Vec<Found>> {
        let query = RecordQuery {
            space: QUEUE.to_owned(),
            after: (pool.to_owned(), String::new()),
            until: Some(format!("{pool}~")),
            limit: POOL_MAX,
        };
        let records = self.store.records(query).await?;
        let decoded = |record: Record| {
            let entry = record.message()?;
            Ok((record, entry))
        };
        records.into_iter().map(decoded).collect()
    }

    /// Matches the players of a pool. Returns the number of those who still wait.
    async fn match_pool(&self, found: Vec<Found>, matches: &mut Vec<String>) -> Result<usize> {
        let now = self.time.now();
        let (expired, found): (Vec<Found>, Vec<Found>) =
            found.into_iter().partition(|(_, entry)| now >= expires(entry));
        for (record, entry) in expired {
            self.change(vec![left(record, entry, now)]).await?;
        }
        let Some((_, first)) = found.first() else { return Ok(0) };
        let mut pool = pool(first, &found)?;
        let mut chooser = 0;
        while chooser < found.len() {
            let group = (!pool.gone[chooser]).then(|| pool.group(chooser, now)).flatten();
            let Some(group) = group else {
                chooser += 1;
                continue;
            };
            match self.check(&group, &found).await? {
                Checked::Unable(index) => {
                    let (record, entry) = found[index].clone();
                    self.change(vec![left(record, entry, now)]).await?;
                    pool.gone[index] = true;
                }
                Checked::Apart(one, other) => {
                    pool.apart.insert((one, other));
                }
                Checked::Fit(accounts) => {
                    // If another engine has changed one of the entries, the next pass reads them.
                    matches.extend(self.store_match(&group, &found, accounts, now).await?);
                    group.members.iter().for_each(|&member| pool.gone[member] = true);
                }
            }
        }
        Ok(pool.gone.iter().filter(|gone| !**gone).count())
    }

    async fn check(&self, group: &Group, found: &[Found]) -> Result<Checked> {
        let mut accounts = Vec::with_capacity(group.members.len());
        for &member in &group.members {
            let account = self.accounts.find_named(&found[member].0.id).await?;
            let Some(account) = account.filter(|account| !account.banned) else {
                return Ok(Checked::Unable(member));
            };
            if self.is_over_quota(&account).await? {
                return Ok(Checked::Unable(member));
            }
            accounts.push(account);
        }
        for (nth, one) in accounts.iter().enumerate() {
            for (mth, other) in accounts.iter().enumerate().take(nth) {
                if self.accounts.has_blocked(&one.player_id, &other.player_id).await?
                    || self.accounts.has_blocked(&other.player_id, &one.player_id).await?
                {
                    let (one, other) = (group.members[nth], group.members[mth]);
                    return Ok(Checked::Apart(one.min(other), one.max(other)));
                }
            }
        }
        Ok(Checked::Fit(accounts))
    }

    async fn is_over_quota(&self, account: &Account) -> Result<bool> {
        let games = self.store.games_counted(&account.player_id).await?;
        Ok(games >= self.accounts.games_limit(account))
    }

    /// Stores a match. Returns the id of its game, or `None` if an entry was changed meanwhile.
    async fn store_match(
        &self,
        group: &Group,
        found: &[Found],
        accounts: Vec<Account>,
        now: Millis,
    ) -> Result<Option<String>> {
        let game_id = random::game_id();
        let request = asked(&found[group.members[0]].1);
        let members = || group.members.iter().map(move |&member| &found[member]);
        let players = members().zip(accounts).map(|((_, entry), account)| MatchedPlayer {
            player: Some(Person { player_id: account.player_id, name: account.name }),
            preferences: asked(entry).preferences.clone(),
        });
        let matched = StoredMatch {
            kind: request.kind.clone(),
            pace: request.pace,
            rated: request.rated && group.automated == 0,
            players: players.collect(),
            automated: group.automated as u32,
            time: now,
        };
        let create = RecordChange::create(MATCH, &game_id, &key("", now), matched.encode_to_vec());
        let replaced = members().map(|(record, entry)| {
            let entry = StoredQueueEntry { game_id: game_id.clone(), ..entry.clone() };
            replaced(record.clone(), MATCHED.to_owned(), &entry)
        });
        let changes = replaced.chain([create]).collect();
        Ok(self.change(changes).await?.then_some(game_id))
    }

    /// Creates the game of a match, unless it exists. Then removes the match.
    pub async fn create_game(&self, host: &Host, game_id: &str) -> Result<()> {
        let Some(found) = self.store.record(MATCH, game_id).await? else { return Ok(()) };
        let (matched, secret) = (found.message::<StoredMatch>()?, random::seed());
        let created = request::game_of(&matched, game_id, &secret);
        let creation = host.create_with_quota(created, secret, Step::default(), None);
        let exists = match Box::pin(creation).await {
            Ok(_) => true,
            // Another engine has created it, or this one before it stopped.
            Err(fault) if fault.reason == ErrorReason::LostRace => true,
            Err(fault) if is_passing(fault.reason) => return Err(fault.into()),
            Err(fault) => {
                tracing::warn!(game_id, %fault, "the game of a match cannot be created");
                false
            }
        };
        self.finish(game_id, exists).await
    }

    /// Removes a match. Shows the game to its players if it exists, and otherwise removes their
    /// entries.
    async fn finish(&self, game_id: &str, exists: bool) -> Result<()> {
        loop {
            let Some(found) = self.store.record(MATCH, game_id).await? else { return Ok(()) };
            let matched: StoredMatch = found.message()?;
            let mut changes = vec![found.removed()];
            for player in matched.players.iter().filter_map(|one| one.player.as_ref()) {
                let Some((record, entry)) = self.entry(&player.player_id).await? else { continue };
                if entry.game_id != game_id {
                    continue;
                }
                let now = self.time.now();
                changes.push(if exists {
                    let ready = StoredQueueEntry { created: true, ..entry };
                    replaced(record, key(READY, now), &ready)
                } else {
                    left(record, entry, now)
                });
            }
            if self.change(changes).await? {
                return Ok(());
            }
        }
    }

    /// Enters the queue. `digest` identifies the request as it was sent. Returns `None` if the
    /// request is repeated, and the player has left the queue meanwhile.
    pub async fn join(
        &self,
        host: &Host,
        player_id: &str,
        request: JoinQueueRequest,
        digest: Bytes,
    ) -> Result<Option<QueueEntry>> {
        let request = request::filled(request)?;
        host.ensure_time().await?;
        loop {
            let found = self.entry(player_id).await?;
            if let Some((_, entry)) = &found {
                if is_repeated(&request, entry, &digest)? {
                    return Ok(self.current(entry));
                }
                check_not_matched(entry)?;
            }
            let account = self.accounts.find(player_id).await?;
            if self.is_over_quota(&account).await? {
                let limit = self.accounts.games_limit(&account);
                return Err(over_quota(QuotaKind::Games, limit).into());
            }
            let pool = pool_name(&request);
            if self.entries(&pool).await?.len() >= POOL_MAX {
                let text = "Too many players are waiting for this game; try another pace or kind.";
                let failure = Failure::new(ErrorReason::QuotaExceeded, text);
                return Err(failure.with("quota", "queue").with("limit", POOL_MAX));
            }
            let now = self.time.now();
            let players = request.players_max as usize;
            let earlier = found.as_ref().map(|(_, entry)| requests(entry));
            let entry = StoredQueueEntry {
                rating: self.ratings.value(&request.kind, players, player_id).await?,
                request: Some(request.clone()),
                request_digest: digest.clone(),
                since: now,
                seen: now,
                earlier_requests: earlier.unwrap_or_default(),
                ..StoredQueueEntry::default()
            };
            let created = RecordChange::create(QUEUE, player_id, &key(&pool, now), Bytes::new());
            let expected = found.map_or(0, |(record, _)| record.version);
            let new = Some((key(&pool, now), entry.encode_to_vec().into()));
            if self.change(vec![RecordChange { expected, new, ..created }]).await? {
                self.joined.notify_one();
                return Ok(self.current(&entry));
            }
        }
    }

    /// Returns a player's entry, and notes that the player is there.
    pub async fn look(&self, host: &Host, player_id: &str) -> Result<Option<QueueEntry>> {
        host.ensure_time().await?;
        loop {
            let Some((record, entry)) = self.entry(player_id).await? else { return Ok(None) };
            let now = self.time.now();
            let is_waiting = entry.game_id.is_empty();
            if is_waiting && now >= expires(&entry) {
                return Ok(None);
            }
            let is_noted = now < entry.seen.saturating_add(SEEN_UPDATED_AFTER);
            if entry.left || !is_waiting || is_noted {
                return Ok(self.current(&entry));
            }
            let entry = StoredQueueEntry { seen: now, ..entry };
            if self.change(vec![record.with_body(entry.encode_to_vec())]).await? {
                return Ok(self.current(&entry));
            }
        }
    }

    pub async fn leave(&self, player_id: &str) -> Result<()> {
        loop {
            let Some((record, entry)) = self.entry(player_id).await? else { return Ok(()) };
            check_not_matched(&entry)?;
            if entry.left || self.change(vec![left(record, entry, self.time.now())]).await? {
                return Ok(());
            }
        }
    }

    /// Removes the entry of a deleted account. If the player is matched, first creates the game, so
    /// that automation can take the seat.
    pub(crate) async fn forget(&self, player_id: &str, host: &Host) -> Result<()> {
        loop {
            let Some((record, entry)) = self.entry(player_id).await? else { return Ok(()) };
            if is_matched(&entry) {
                self.create_game(host, &entry.game_id).await?;
            } else if self.change(vec![record.removed()]).await? {
                return Ok(());
            }
        }
    }

    /// Returns an entry as its player sees it, or `None` if the player has left the queue.
    fn current(&self, entry: &StoredQueueEntry) -> Option<QueueEntry> {
        (!entry.left).then(|| self.shown(entry))
    }

    fn shown(&self, entry: &StoredQueueEntry) -> QueueEntry {
        let request = asked(entry);
        let (is_waiting, pace) = (entry.game_id.is_empty(), request.pace());
        let state = match (is_waiting, entry.created) {
            (true, _) => QueueState::Waiting,
            (false, false) => QueueState::Matched,
            (false, true) => QueueState::Ready,
        };
        let window = pairing::window(pace, self.time.now().saturating_sub(entry.since));
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let others = counts.get(&pool_name(request)).copied().unwrap_or_default();
        QueueEntry {
            kind: request.kind.clone(),
            players_min: request.players_min,
            players_max: request.players_max,
            pace: request.pace,
            rated: request.rated,
            bots_after: request.bots_after,
            preferences: request.preferences.clone(),
            state: state.into(),
            join_time: Some(timestamp(entry.since)),
            expire_time: is_waiting.then(|| timestamp(entry.since + lifetime(pace))),
            waiting: if is_waiting { others.max(1) as u32 } else { 0 },
            rating_difference: window.map_or(0, |window| (window / 1_000) as u32),
            game_id: entry.game_id.clone(),
        }
    }

    async fn entry(&self, player_id: &str) -> Result<Option<Found>> {
        let Some(record) = self.store.record(QUEUE, player_id).await? else { return Ok(None) };
        let entry = record.message()?;
        Ok(Some((record, entry)))
    }

    /// Returns the first records between two keys.
    async fn first(&self, space: &str, from: &str, until: &str) -> Result<Vec<Record>> {
        let query = RecordQuery {
            space: space.to_owned(),
            after: (from.to_owned(), String::new()),
            until: Some(until.to_owned()),
            limit: PAGE,
        };
        Ok(self.store.records(query).await?)
    }

    /// Returns whether a change succeeded, or false if another change came first.
    async fn change(&self, changes: Vec<RecordChange>) -> Result<bool> {
        if changes.is_empty() {
            return Ok(true);
        }
        match self.store.change_records(changes).await {
            Ok(()) => Ok(true),
            Err(StoreError::LostRace { .. }) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

fn pool(first: &StoredQueueEntry, found: &[Found]) -> Result<Pool> {
    let request = asked(first);
    let waiting = |(_, entry): &Found| {
        let request = asked(entry);
        Waiting {
            players: (request.players_min as usize, request.players_max as usize),
            rating: entry.rating,
            since: entry.since,
            bots_after: request::bots_after(request),
        }
    };
    Ok(Pool {
        pace: request.pace(),
        usual: request::usual_players(&request.kind)?,
        waiting: found.iter().map(waiting).collect(),
        gone: vec![false; found.len()],
        apart: BTreeSet::new(),
    })
}

/// Returns the request of an entry.
fn asked(entry: &StoredQueueEntry) -> &JoinQueueRequest {
    static NONE: LazyLock<JoinQueueRequest> = LazyLock::new(JoinQueueRequest::default);
    entry.request.as_ref().unwrap_or(&NONE)
}

/// Returns the change with which a player leaves the queue. The record remains for a day. If it was
/// removed and created again, its version could be one that a matching engine has read before.
fn left(record: Record, entry: StoredQueueEntry, now: Millis) -> RecordChange {
    replaced(record, key(READY, now), &StoredQueueEntry { left: true, ..entry })
}

/// Returns the first part of the keys of a pool's players.
fn pool_name(request: &JoinQueueRequest) -> String {
    format!("{WAITING}{}|{}|{}|", request.kind, request.pace, u8::from(request.rated))
}

fn pool_of(key: &str) -> &str {
    key.rfind('|').map_or(key, |at| &key[..=at])
}

fn key(prefix: &str, time: Millis) -> String {
    format!("{prefix}{:015}", time.max(0))
}

fn replaced(record: Record, key: String, entry: &StoredQueueEntry) -> RecordChange {
    Record { key, ..record }.with_body(entry.encode_to_vec())
}

fn lifetime(pace: QuickPace) -> Millis {
    if pairing::is_live(pace) { LIVE_LIFETIME } else { LIFETIME }
}

/// Returns the time at which a waiting player leaves the queue.
fn expires(entry: &StoredQueueEntry) -> Millis {
    let pace = asked(entry).pace();
    let end = entry.since.saturating_add(lifetime(pace));
    if pairing::is_live(pace) { end.min(entry.seen.saturating_add(PRESENCE)) } else { end }
}

/// Returns whether the game of an entry's match may not exist yet.
fn is_matched(entry: &StoredQueueEntry) -> bool {
    !entry.game_id.is_empty() && !entry.created && !entry.left
}

fn check_not_matched(entry: &StoredQueueEntry) -> Result<()> {
    if !is_matched(entry) {
        return Ok(());
    }
    let text = "You were just matched, and your game is being created.";
    let failure = Failure::new(ErrorReason::WrongStatus, text);
    Err(failure.with("status", GameStatus::Forming.as_str_name()))
}

/// Returns whether a player has sent this request before. Fails if its id belongs to another one.
fn is_repeated(
    request: &JoinQueueRequest,
    entry: &StoredQueueEntry,
    digest: &Bytes,
) -> Result<bool> {
    let id = &request.request_id;
    if id.is_empty() {
        return Ok(false);
    }
    if *id == asked(entry).request_id && entry.request_digest != *digest {
        let text = "This request id was used for another request; choose a new one.";
        return Err(Failure::new(ErrorReason::RequestIdReused, text));
    }
    Ok(requests(entry).contains(id))
}

/// Returns the ids of a player's latest requests, with that of the entry as the last.
fn requests(entry: &StoredQueueEntry) -> Vec<String> {
    let mut ids = entry.earlier_requests.clone();
    ids.push(asked(entry).request_id.clone());
    ids.retain(|id| !id.is_empty());
    let surplus = ids.len().saturating_sub(REQUESTS);
    ids.drain(..surplus);
    ids
}

/// Returns whether another attempt to create a game may succeed.
fn is_passing(reason: ErrorReason) -> bool {
    use ErrorReason::{Draining, JournalUnavailable, Overloaded};
    matches!(reason, Draining | JournalUnavailable | Overloaded)
}
