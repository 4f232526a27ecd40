//! The calls that create tournaments, and that enter, withdraw, start and cancel.

use heliopause_kernel::Seat;
use heliopause_proto::store::v1::{
    Created, PlannedSeat, Step, StoredTournament, TournamentEntry, planned_seat,
};
use heliopause_proto::v1::{
    AccountRole, AutomatedSeat, CreateTournamentRequest, ErrorReason, GameOptions, MissedDeadline,
    OpenSeat, Pace, PhasePace, TournamentStatus, TournamentSystem,
};
use heliopause_table::Table;
use heliopause_table::registry::{self, LEVELS};
use prost::Message as _;
use prost_types::Duration;

use super::{
    ACTIVE_MAX, INDEX, REGISTERED, TOURNAMENT, Tournaments, active, bot_entity, bot_of, changed,
    key, retried,
};
use crate::accounts::is_guest;
use crate::caller::Caller;
use crate::config::TournamentHosts;
use crate::failure::{Failure, Result};
use crate::random;
use crate::store::{Millis, RecordChange};

/// The maximum number of a player's tournaments that are not over.
const HOSTED_MAX: usize = 4;
const HOSTED_BY_ADMIN_MAX: usize = 32;
const ENTERED_MAX: usize = 10;
/// The number of tournaments that an account can create per day. Tournaments are kept without limit.
const CREATED_PER_DAY: u32 = 20;
const DAY: Millis = 24 * 60 * 60 * 1_000;

const NAME_CHARS: usize = 40;
const ENTRIES_MAX: u32 = 128;
/// In a double round robin of 24 entries there are 46 rounds and 552 games.
const ROUND_ROBIN_ENTRIES_MAX: u32 = 24;
const ROUNDS_MAX: u32 = 15;
const SEATS_MAX: u32 = 12;
const ROUND_LIMIT: Millis = 30 * DAY;
const ROUND_LIMITS: std::ops::RangeInclusive<Millis> = 60_000..=365 * DAY;

impl Tournaments {
    /// Creates a tournament. A retry with the same request id returns the first one.
    pub async fn create_tournament(
        &self,
        caller: &Caller,
        request: CreateTournamentRequest,
        request_digest: bytes::Bytes,
    ) -> Result<String> {
        let tournament_id = if request.request_id.is_empty() {
            random::game_id()
        } else {
            let id = format!("tournament {}", request.request_id);
            random::game_id_of(&caller.player_id, &id)
        };
        let mut counted = false;
        let stored = loop {
            if let Some(found) = self.store.record(TOURNAMENT, &tournament_id).await? {
                let made: StoredTournament = found.message()?;
                if made.request_digest == request_digest {
                    return Ok(tournament_id);
                }
                let text = "This request id was used for another request; choose a new one.";
                return Err(Failure::new(ErrorReason::RequestIdReused, text));
            }
            self.check_may_create(caller).await?;
            let stored = self.planned(caller, &request, &request_digest)?;
            let (index, mut listed) = self.index().await?;
            let own = listed.active.iter().filter(|one| one.host == *caller.player_id).count();
            let is_admin = caller.role == AccountRole::Admin;
            let own_max = if is_admin { HOSTED_BY_ADMIN_MAX } else { HOSTED_MAX };
            if own >= own_max {
                let text = format!(
                    "You host {own} tournaments that are not over, which is the limit; end or \
                     cancel one first."
                );
                return Err(too_many("tournaments", own_max, text));
            }
            if listed.active.len() >= ACTIVE_MAX && !is_admin {
                let text = format!(
                    "This server has {ACTIVE_MAX} tournaments that are not over, which is the \
                     limit; try again later."
                );
                return Err(too_many("tournaments", ACTIVE_MAX, text));
            }
            if !std::mem::replace(&mut counted, true) {
                let what = format!("tournament {}", caller.player_id);
                self.accounts.count(&what, CREATED_PER_DAY, DAY).await?;
            }
            listed.active.push(active(&tournament_id, &caller.player_id));
            let body = stored.encode_to_vec();
            let changes = vec![
                RecordChange::create(TOURNAMENT, &tournament_id, &key(&stored), body),
                changed(INDEX, INDEX, "", index.as_ref(), &listed),
            ];
            if retried(self.store.change_records(changes).await)? {
                break stored;
            }
        };
        tracing::info!(tournament_id, kind = stored.kind, "tournament created");
        Ok(tournament_id)
    }

    async fn check_may_create(&self, caller: &Caller) -> Result<()> {
        if caller.role == AccountRole::Admin {
            return Ok(());
        }
        if self.settings.hosts == TournamentHosts::Admins {
            let text = "On this server only admins can create tournaments.";
            return Err(role("admin", text));
        }
        self.check_named(caller, "create tournaments").await
    }

    /// Rejects guests and workers.
    async fn check_named(&self, caller: &Caller, what: &str) -> Result<()> {
        if caller.role == AccountRole::Worker {
            let text = format!("Worker accounts cannot {what}; use a player account.");
            return Err(Failure::new(ErrorReason::RoleConflict, text));
        }
        if is_guest(&self.accounts.find(&caller.player_id).await?) {
            let text = format!("Guests cannot {what}; choose a name first.");
            return Err(role("player", text));
        }
        Ok(())
    }

    /// Checks a request, and returns the tournament without entries.
    fn planned(
        &self,
        caller: &Caller,
        request: &CreateTournamentRequest,
        request_digest: &bytes::Bytes,
    ) -> Result<StoredTournament> {
        let now = self.time.now();
        let name = request.name.trim().to_owned();
        if !(1..=NAME_CHARS).contains(&name.chars().count()) {
            let text = format!("The name must have 1 to {NAME_CHARS} characters.");
            return Err(Failure::field("name", text));
        }
        let kind = registry::kind_or_fault(&request.kind)?;
        let system = TournamentSystem::try_from(request.system)
            .ok()
            .filter(|&system| system != TournamentSystem::Unspecified)
            .ok_or_else(|| {
                Failure::field("system", "Choose Swiss, round robin or rotating tables.")
            })?;
        let is_round_robin = system == TournamentSystem::RoundRobin;
        let seats = match (system, request.seats) {
            (TournamentSystem::RotatingTables, 0) => kind.rules.usual_players().max(3) as u32,
            (_, 0) => 2,
            (_, seats) => seats,
        };
        let allowed =
            if system == TournamentSystem::RotatingTables { 3..=SEATS_MAX } else { 2..=2 };
        in_range("seats", seats, &allowed)?;
        if is_round_robin {
            if request.rounds > 0 {
                let text = "Leave out the number of rounds: in a round robin, all entrants meet.";
                return Err(Failure::field("rounds", text));
            }
        } else {
            in_range("rounds", request.rounds, &(0..=ROUNDS_MAX))?;
            if request.twice {
                return Err(Failure::field("twice", "Only a round robin can be played twice."));
            }
        }
        let most = if is_round_robin { ROUND_ROBIN_ENTRIES_MAX } else { ENTRIES_MAX };
        let entries_max = if request.entries_max == 0 { most } else { request.entries_max };
        in_range("entries_max", entries_max, &(seats..=most))?;
        let starts = request.start_time.as_ref().map_or(Ok(0), |time| start_time(time, now))?;
        let round_limit = request.round_limit.as_ref().map_or(Ok(ROUND_LIMIT), round_limit)?;
        let pace = request.pace.clone().map_or_else(|| Ok(usual_pace()), checked_pace)?;
        let options = checked_options(request, seats, &pace, now)?;
        let mut stored = StoredTournament {
            name,
            description: request.description.trim().to_owned(),
            host: caller.player_id.to_string(),
            kind: request.kind.clone(),
            options: Some(options),
            pace: Some(pace),
            seats,
            round_count: request.rounds,
            entries_max,
            bots_allowed: request.bots_allowed,
            rated: request.rated,
            twice: request.twice,
            created: now,
            starts,
            round_limit,
            request_digest: request_digest.clone(),
            lots: u64::from_le_bytes(random::bytes()),
            ..StoredTournament::default()
        };
        stored.set_system(system);
        stored.set_status(TournamentStatus::Open);
        Ok(stored)
    }

    /// Enters the caller or a bot. Repeating it changes nothing.
    pub async fn join(
        &self,
        caller: &Caller,
        tournament_id: &str,
        bot: Option<&AutomatedSeat>,
    ) -> Result<()> {
        let (_, found) = self.read(tournament_id).await?;
        let entity = match bot {
            None => {
                if caller.role == AccountRole::Admin {
                    let text = "Admin accounts cannot enter tournaments; use a player account.";
                    return Err(Failure::new(ErrorReason::RoleConflict, text));
                }
                self.check_named(caller, "enter tournaments").await?;
                self.check_entered(caller, tournament_id).await?;
                caller.player_id.to_string()
            }
            Some(bot) => self.entering_bot(caller, &found, bot).await?,
        };
        self.change(tournament_id, |tournament| {
            if tournament.entries.iter().any(|entry| entry.entity == entity && !entry.withdrawn) {
                return Ok(());
            }
            require_open(tournament, "it accepts no entries")?;
            if tournament.entries.len() >= tournament.entries_max as usize {
                let most = tournament.entries_max as usize;
                let text = format!("The tournament has {most} entries, which is the maximum.");
                return Err(too_many("entries", most, text));
            }
            let entity = entity.clone();
            tournament.entries.push(TournamentEntry { entity, ..TournamentEntry::default() });
            Ok(())
        })
        .await
        .map(drop)
    }

    async fn check_entered(&self, caller: &Caller, tournament_id: &str) -> Result<()> {
        let entered = self.active().await?.into_iter().filter(|(id, tournament)| {
            id != tournament_id && entry_of(tournament, &caller.player_id).is_some()
        });
        if entered.count() >= ENTERED_MAX {
            let text = format!(
                "You have entered {ENTERED_MAX} tournaments that are not over, which is the limit; \
                 withdraw from one first."
            );
            return Err(too_many("entries", ENTERED_MAX, text));
        }
        Ok(())
    }

    /// Returns the entity of a bot that the caller may enter.
    async fn entering_bot(
        &self,
        caller: &Caller,
        tournament: &StoredTournament,
        bot: &AutomatedSeat,
    ) -> Result<String> {
        if !tournament.bots_allowed {
            return Err(Failure::field("bot", "Bots cannot enter this tournament."));
        }
        let kind = registry::kind_or_fault(&tournament.kind)?.describe();
        let is_host = tournament.host == *caller.player_id;
        if bot.level.starts_with(REGISTERED) {
            let (_, found) = self.bot(&bot.level).await?;
            let profile = if bot.profile.is_empty() { &found.profile } else { &bot.profile };
            if found.kind != tournament.kind || *profile != found.profile {
                let text = format!(
                    "The bot {:?} plays only {:?} in {}.",
                    bot.level, found.profile, found.kind
                );
                return Err(Failure::field("bot.level", text));
            }
            if is_host || found.owner == *caller.player_id {
                return Ok(bot_entity(&found.profile, &bot.level));
            }
            let text = "Only the host of the tournament and the bot's worker can enter the bot.";
            return Err(role("host", text));
        }
        if !is_host {
            return Err(role("host", "Only the host of the tournament can enter bots."));
        }
        let level = if bot.level.is_empty() { "standard" } else { bot.level.as_str() };
        if !LEVELS.contains(&level) {
            let known = LEVELS.join(", ");
            let text = format!(
                "{level:?} is not a level; expected one of {known}, or the level of a registered \
                 bot."
            );
            return Err(Failure::field("bot.level", text));
        }
        let profile = if bot.profile.is_empty() { &kind.profiles[0] } else { &bot.profile };
        if !kind.profiles.contains(profile) {
            let known = kind.profiles.join(", ");
            let text =
                format!("{profile:?} is not a profile of this game; expected one of {known}.");
            return Err(Failure::field("bot.profile", text));
        }
        Ok(bot_entity(profile, level))
    }

    /// Withdraws the caller's entry, or the entry with a number. Repeating it changes nothing.
    pub async fn withdraw(&self, caller: &Caller, tournament_id: &str, entry: u32) -> Result<()> {
        let (_, found) = self.read(tournament_id).await?;
        let entity = if entry == 0 {
            caller.player_id.to_string()
        } else {
            let named = found.entries.get(entry as usize - 1);
            let named = named.ok_or_else(|| {
                let last = found.entries.len();
                Failure::field(
                    "entry",
                    format!("Entry {entry} does not exist; choose 1 to {last}."),
                )
            })?;
            named.entity.clone()
        };
        if entity != *caller.player_id {
            self.check_may_withdraw(caller, &found, &entity).await?;
        }
        self.change(tournament_id, |tournament| {
            let Some(at) = tournament.entries.iter().position(|entry| entry.entity == entity)
            else {
                return Ok(());
            };
            match tournament.status() {
                TournamentStatus::Open => drop(tournament.entries.remove(at)),
                TournamentStatus::Running => tournament.entries[at].withdrawn = true,
                _ => return Err(wrong_status(tournament, "nobody can withdraw")),
            }
            Ok(())
        })
        .await
        .map(drop)
    }

    async fn check_may_withdraw(
        &self,
        caller: &Caller,
        tournament: &StoredTournament,
        entity: &str,
    ) -> Result<()> {
        if let Some((_, level)) = bot_of(entity).filter(|(_, level)| level.starts_with(REGISTERED))
            && self.bot(level).await.is_ok_and(|(_, bot)| bot.owner == *caller.player_id)
        {
            return Ok(());
        }
        let is_host = tournament.host == *caller.player_id;
        if is_host && (bot_of(entity).is_some() || tournament.status() == TournamentStatus::Open) {
            return Ok(());
        }
        let text =
            "Only the host can withdraw others: players before the start, and bots at any time.";
        Err(role("host", text))
    }

    /// Starts a tournament now. Repeating it changes nothing.
    pub async fn start_now(&self, caller: &Caller, tournament_id: &str) -> Result<()> {
        let now = self.time.now();
        self.change(tournament_id, |tournament| {
            require_host(caller, tournament, "start it")?;
            if tournament.status() == TournamentStatus::Running {
                return Ok(());
            }
            require_open(tournament, "it cannot be started")?;
            let (found, least) = (tournament.entries.len(), tournament.seats as usize);
            if found < least {
                let text = format!("it has {found} entries, and needs at least {least}");
                return Err(wrong_status(tournament, &text));
            }
            tournament.starts = now;
            Ok(())
        })
        .await?;
        self.advance(tournament_id, false).await.map(drop)
    }

    /// Cancels a tournament. Repeating it changes nothing.
    pub async fn cancel(&self, caller: &Caller, tournament_id: &str) -> Result<()> {
        let now = self.time.now();
        self.change(tournament_id, |tournament| {
            let by_admin = caller.role == AccountRole::Admin;
            if !by_admin {
                require_host(caller, tournament, "cancel it")?;
            }
            match tournament.status() {
                TournamentStatus::Cancelled => return Ok(()),
                TournamentStatus::Ended => {
                    return Err(wrong_status(tournament, "it cannot be canceled"));
                }
                _ => {}
            }
            let is_host = tournament.host == *caller.player_id;
            let by = if is_host { "its host" } else { "an admin" };
            tournament.cancel_reason = format!("Canceled by {by}.");
            tournament.set_status(TournamentStatus::Cancelled);
            tournament.ended = now;
            Ok(())
        })
        .await
        .map(drop)
    }
}

/// Returns the index of a player's entry.
pub(super) fn entry_of(tournament: &StoredTournament, player_id: &str) -> Option<usize> {
    tournament.entries.iter().position(|entry| entry.entity == player_id && !entry.withdrawn)
}

fn too_many(quota: &'static str, limit: usize, text: String) -> Failure {
    Failure::new(ErrorReason::QuotaExceeded, text).with("quota", quota).with("limit", limit)
}

fn role(role: &'static str, text: impl Into<String>) -> Failure {
    Failure::new(ErrorReason::RoleRequired, text).with("role", role)
}

fn require_host(caller: &Caller, tournament: &StoredTournament, what: &str) -> Result<()> {
    if tournament.host == *caller.player_id {
        return Ok(());
    }
    Err(role("host", format!("Only the host of the tournament can {what}.")))
}

fn require_open(tournament: &StoredTournament, what: &str) -> Result<()> {
    if tournament.status() == TournamentStatus::Open {
        return Ok(());
    }
    Err(wrong_status(tournament, what))
}

fn wrong_status(tournament: &StoredTournament, what: &str) -> Failure {
    let status = match tournament.status() {
        TournamentStatus::Open | TournamentStatus::Unspecified => "has not started",
        TournamentStatus::Running => "is running",
        TournamentStatus::Ended => "has ended",
        TournamentStatus::Cancelled => "was canceled",
    };
    let text = format!("The tournament {status}: {what}.");
    let failure = Failure::new(ErrorReason::WrongStatus, text);
    failure.with("status", tournament.status().as_str_name())
}

fn in_range(field: &str, found: u32, allowed: &std::ops::RangeInclusive<u32>) -> Result<()> {
    if allowed.contains(&found) {
        return Ok(());
    }
    let (least, most) = (allowed.start(), allowed.end());
    let expected = if least == most { least.to_string() } else { format!("{least} to {most}") };
    Err(Failure::field(field, format!("{found} is not allowed here; expected {expected}.")))
}

fn start_time(time: &prost_types::Timestamp, now: Millis) -> Result<Millis> {
    let millis =
        time.seconds.saturating_mul(1_000).saturating_add(Millis::from(time.nanos) / 1_000_000);
    if (now..=now + 366 * DAY).contains(&millis) {
        return Ok(millis);
    }
    Err(Failure::field("start_time", "The start must be in the future, within a year."))
}

fn round_limit(limit: &Duration) -> Result<Millis> {
    let millis = limit.seconds.saturating_mul(1_000);
    if ROUND_LIMITS.contains(&millis) {
        return Ok(millis);
    }
    Err(Failure::field("round_limit", "The time limit of a round must be 1 minute to 365 days."))
}

/// One day for each phase. Automation takes a seat after two missed deadlines in a row.
fn usual_pace() -> Pace {
    let interval = Some(Duration { seconds: 24 * 60 * 60, nanos: 0 });
    Pace {
        standard: Some(PhasePace { interval, ..PhasePace::default() }),
        automate_after_misses: Some(2),
        ..Pace::default()
    }
}

/// Checks that a game with this pace continues without an absent player.
fn checked_pace(pace: Pace) -> Result<Pace> {
    if pace.standard.as_ref().is_none_or(|standard| standard.interval.is_none()) {
        let text = "The games of a tournament need deadlines; set the standard interval.";
        return Err(Failure::field("pace.standard.interval", text));
    }
    if pace.missed() == MissedDeadline::Hold {
        let text =
            "The games of a tournament cannot wait for an absent player; choose another rule.";
        return Err(Failure::field("pace.missed", text));
    }
    Ok(pace)
}

/// Checks options and pace by laying out a table. Returns the options with all defaults.
fn checked_options(
    request: &CreateTournamentRequest,
    seats: u32,
    pace: &Pace,
    now: Millis,
) -> Result<GameOptions> {
    let kind = registry::kind_or_fault(&request.kind)?;
    let (options, players) = kind.rules.options(request.options.as_ref())?;
    let open = PlannedSeat { plan: Some(planned_seat::Plan::Open(OpenSeat {})) };
    if !players.contains(&(seats as usize)) || seats as usize > Seat::MAX {
        let (least, most) = (players.start(), players.end());
        let text = format!("This game takes {least} to {most} players, not {seats}.");
        return Err(Failure::field("seats", text));
    }
    let created = Created {
        kind: request.kind.clone(),
        options: Some(options.clone()),
        seats: vec![open; seats as usize],
        pace: Some(pace.clone()),
        rated: request.rated,
        tournament_id: "plan".to_owned(),
        ..Created::default()
    };
    Table::create_for(created, [0; 32], Step::default(), now)?;
    Ok(options)
}
