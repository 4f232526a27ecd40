//! Access to games, shared by the services: authorization, reads, and steps on a caller's behalf.
//!
//! **Invariant.** A caller who may not see a private game gets `GAME_NOT_FOUND`.

use std::ops::Deref;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use heliopause_kernel::Seat;
use heliopause_proto::store::v1::{Created, OrdersGiven, Person, Step, step};
use heliopause_proto::v1::{AccountRole, ErrorReason, Game, Orders, VerifyGameResponse};
use heliopause_table::{Fault, Table, chain, unhashed};
use tonic::Request;

use crate::accounts::Accounts;
use crate::bounded::Generations;
use crate::caller::Caller;
use crate::chat::Chat;
use crate::config::Watch;
use crate::edge::{Engine, caller};
use crate::failure::{Failure, Result};
use crate::host::{Done, Host};
use crate::quick_play::QuickPlay;
use crate::random;
use crate::ratings::Ratings;
use crate::store::Quota;

const REQUEST_ID_CHARS: usize = 64;

#[derive(Clone)]
pub(crate) struct Tables {
    pub(crate) host: Arc<Host>,
    pub(crate) accounts: Arc<Accounts>,
    pub(crate) ratings: Arc<Ratings>,
    pub(crate) quick_play: Arc<QuickPlay>,
    pub(crate) chat: Arc<Chat>,
    watch: Watch,
    /// Verification results of finished games, by game and hash of the last entry.
    pub(crate) verified: Arc<Mutex<Generations<(String, Bytes), VerifyGameResponse>>>,
}

const VERIFIED: usize = 1_024;

impl Tables {
    pub(crate) fn new(engine: &Engine) -> Self {
        let verified = Arc::new(Mutex::new(Generations::new(VERIFIED)));
        let (host, accounts) = (Arc::clone(&engine.host), Arc::clone(&engine.accounts));
        let ratings = Arc::clone(&engine.ratings);
        let quick_play = Arc::clone(&engine.quick_play);
        let chat = Arc::clone(&engine.chat);
        Self { host, accounts, ratings, quick_play, chat, watch: engine.watch, verified }
    }

    pub(crate) fn open<T>(&self, request: Request<T>) -> Result<(CallContext<'_>, T)> {
        let (caller, request) = open(request)?;
        Ok((CallContext { tables: self, caller }, request))
    }

    pub(crate) fn for_caller(&self, caller: Caller) -> CallContext<'_> {
        CallContext { tables: self, caller }
    }

    pub(crate) async fn person(&self, id_or_name: &str) -> Result<Person> {
        let account = self.accounts.find(id_or_name).await?;
        Ok(Person { player_id: account.player_id, name: account.name })
    }
}

/// The tables as the caller of a request may use them.
pub(crate) struct CallContext<'a> {
    tables: &'a Tables,
    pub(crate) caller: Caller,
}

impl Deref for CallContext<'_> {
    type Target = Tables;

    fn deref(&self) -> &Tables {
        self.tables
    }
}

impl CallContext<'_> {
    pub(crate) fn player_id(&self) -> &str {
        &self.caller.player_id
    }

    pub(crate) fn key<T: prost::Message>(
        &self,
        request_id: &str,
        request: &T,
    ) -> Result<RequestKey> {
        RequestKey::of(&self.caller, request_id, request)
    }

    /// Makes the key of a request that must have an id.
    pub(crate) fn required_key<T: prost::Message>(
        &self,
        request_id: &str,
        request: &T,
    ) -> Result<RequestKey> {
        if request_id.is_empty() {
            return Err(wrong_request_id(0));
        }
        self.key(request_id, request)
    }

    pub(crate) async fn read<T>(
        &self,
        game_id: &str,
        read: impl FnOnce(&Table) -> Result<T, Fault>,
    ) -> Result<T> {
        self.read_with_code(game_id, "", read).await
    }

    /// Reads a game for a participant, or for a spectator if this server allows watching.
    pub(crate) async fn watch<T>(
        &self,
        game_id: &str,
        read: impl FnOnce(&Table) -> Result<T, Fault>,
    ) -> Result<T> {
        let off = self.watch == Watch::None;
        self.read(game_id, |table| {
            if off && !table.is_participant(self.player_id()) {
                let text = "This server allows only participants to watch a game.";
                return Err(Fault::new(ErrorReason::WatchingOff, text));
            }
            read(table)
        })
        .await
    }

    pub(crate) async fn read_with_code<T>(
        &self,
        game_id: &str,
        code: &str,
        read: impl FnOnce(&Table) -> Result<T, Fault>,
    ) -> Result<T> {
        check_game_id(game_id)?;
        let answer = self.host.read(game_id, |table| seen(table, &self.caller, code, read)).await;
        self.answer(game_id, answer)
    }

    /// Reads this process's state of a game, which may lag behind processes that share the store.
    pub(crate) async fn peek<T>(
        &self,
        game_id: &str,
        read: impl FnOnce(&Table) -> Result<T, Fault>,
    ) -> Result<T> {
        check_game_id(game_id)?;
        let answer = self.host.peek(game_id, |table| seen(table, &self.caller, "", read)).await;
        self.answer(game_id, answer)
    }

    fn answer<T>(&self, game_id: &str, seen: Result<Lookup<T>, Fault>) -> Result<T> {
        let seen = seen?;
        if is_person(&self.caller) && !matches!(&seen, Lookup::Unknown) {
            self.host.record_activity(game_id, matches!(&seen, Lookup::Paused(_)));
        }
        let answer = match seen {
            Lookup::Unknown => Err(unknown_game()),
            Lookup::Active(answer) | Lookup::Paused(answer) => answer,
        };
        answer.map_err(|fault| self.host.unless_unavailable(fault).into())
    }

    /// Applies a step if the game is visible to the caller, or was visible at the request's first
    /// attempt.
    pub(crate) async fn take(
        &self,
        game_id: &str,
        kind: step::Kind,
        asked: RequestKey,
    ) -> Result<Done> {
        check_game_id(game_id)?;
        let known = |table: &Table| {
            if table.was_requested_by(self.player_id(), &asked.request_id) {
                return Lookup::Active(Ok(()));
            }
            seen(table, &self.caller, "", |_| Ok(()))
        };
        let known = self.host.read(game_id, known).await;
        self.answer(game_id, known)?;
        self.take_request(game_id, kind, asked).await
    }

    /// Applies a step to a game whose visibility to the caller has already been checked.
    pub(crate) async fn take_request(
        &self,
        game_id: &str,
        kind: step::Kind,
        asked: RequestKey,
    ) -> Result<Done> {
        let step = Step { kind: Some(kind), ..asked.step(self.player_id()) };
        Ok(self.host.take(game_id, step).await?)
    }

    pub(crate) async fn take_with_quota(
        &self,
        game_id: &str,
        kind: step::Kind,
        asked: RequestKey,
        quota: Quota,
    ) -> Result<Done> {
        let step = Step { kind: Some(kind), ..asked.step(self.player_id()) };
        Ok(self.host.take_with_quota(game_id, step, Some(quota)).await?)
    }

    pub(crate) async fn created_before(&self, asked: &RequestKey) -> Result<Option<String>> {
        let Some(game_id) = asked.game_id(&self.caller) else { return Ok(None) };
        let step = match self.host.entry(&game_id, 1).await {
            Ok(entry) => unhashed::restored_step(&entry).unwrap_or_default(),
            Err(fault) if fault.reason == ErrorReason::GameNotFound => return Ok(None),
            Err(fault) => return Err(fault.into()),
        };
        if step.by == *self.caller.player_id && step.request_digest == asked.request_digest {
            return Ok(Some(game_id));
        }
        let text = "This request id was used for another request; choose a new one.";
        Err(Failure::new(ErrorReason::RequestIdReused, text))
    }

    /// Creates a game and returns its id. Concurrent attempts of one request create only one game.
    pub(crate) async fn make(
        &self,
        asked: RequestKey,
        created: Created,
        secret: [u8; 32],
        quota: Option<Quota>,
    ) -> Result<String> {
        let game_id = self.new_game_id(&asked);
        Box::pin(self.make_with_id(asked, Created { game_id, ..created }, secret, quota)).await
    }

    /// Returns the id of the game that a request creates. It is random without a request id.
    pub(crate) fn new_game_id(&self, asked: &RequestKey) -> String {
        asked.game_id(&self.caller).unwrap_or_else(random::game_id)
    }

    /// Creates a game with an id from [`Self::new_game_id`].
    pub(crate) async fn make_with_id(
        &self,
        asked: RequestKey,
        created: Created,
        secret: [u8; 32],
        quota: Option<Quota>,
    ) -> Result<String> {
        let game_id = created.game_id.clone();
        match self
            .host
            .create_with_quota(created, secret, asked.step(self.player_id()), quota)
            .await
        {
            Ok(_) => Ok(game_id),
            Err(lost) if lost.reason == ErrorReason::LostRace => {
                self.created_before(&asked).await?.ok_or_else(|| lost.into())
            }
            Err(fault) => Err(fault.into()),
        }
    }

    pub(crate) async fn game(&self, game_id: &str) -> Result<Option<Game>> {
        self.read(game_id, |table| Ok(Some(self.host.describe(table, self.player_id())))).await
    }

    pub(crate) async fn invited(&self, id_or_name: &str) -> Result<Person> {
        let person = self.person(id_or_name).await?;
        self.accounts.check_takes_invitations(&person.player_id, self.player_id()).await?;
        Ok(person)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct RequestKey {
    pub(crate) request_id: String,
    request_digest: Bytes,
}

impl RequestKey {
    pub(crate) fn of<T: prost::Message>(
        caller: &Caller,
        request_id: &str,
        request: &T,
    ) -> Result<Self> {
        let found = request_id.chars().count();
        if found > REQUEST_ID_CHARS {
            return Err(wrong_request_id(found));
        }
        if request_id.is_empty() {
            return Ok(Self { request_id: String::new(), request_digest: Bytes::new() });
        }
        Ok(Self {
            request_id: request_id.to_owned(),
            request_digest: digest(&caller.player_id, request),
        })
    }

    /// Returns the key of the `nth` game that this request creates, from 0.
    pub(crate) fn nth(&self, nth: u32) -> Self {
        let request_id = match self.request_id.as_str() {
            "" => String::new(),
            id => format!("{id}/{nth}"),
        };
        Self { request_id, request_digest: self.request_digest.clone() }
    }

    /// Returns a step of the request without its kind. `by` is empty for an anonymous step.
    pub(crate) fn step(&self, by: &str) -> Step {
        Step {
            by: by.to_owned(),
            request_id: self.request_id.clone(),
            request_digest: self.request_digest.clone(),
            kind: None,
        }
    }

    /// Returns the id of the game that this request creates, which is the same for every retry.
    /// Returns `None` without a request id.
    fn game_id(&self, caller: &Caller) -> Option<String> {
        (!self.request_id.is_empty())
            .then(|| random::game_id_of(&caller.player_id, &self.request_id))
    }
}

pub(crate) fn digest<T: prost::Message>(of: &str, request: &T) -> Bytes {
    let call = std::any::type_name::<T>().rsplit(':').next().unwrap_or_default();
    Bytes::copy_from_slice(&chain::sha256(&[
        of.as_bytes(),
        call.as_bytes(),
        &request.encode_to_vec(),
    ]))
}

fn wrong_request_id(found: usize) -> Failure {
    let text = format!(
        "A request id must have 1 to {REQUEST_ID_CHARS} characters, not {found}; choose a new one \
         for each request."
    );
    Failure::field("request_id", text)
}

enum Lookup<T> {
    Unknown,
    Active(Result<T, Fault>),
    /// The game's automation is asleep. A read by a player wakes the automation.
    Paused(Result<T, Fault>),
}

fn seen<T>(
    table: &Table,
    caller: &Caller,
    code: &str,
    read: impl FnOnce(&Table) -> Result<T, Fault>,
) -> Lookup<T> {
    if !table.knows(&caller.player_id, code) {
        return Lookup::Unknown;
    }
    let answer = read(table);
    let wakes = table.asleep_since().is_some() && !table.is_left();
    if wakes { Lookup::Paused(answer) } else { Lookup::Active(answer) }
}

/// Returns whether the caller has a player account. Workers, admins and anonymous callers do not.
pub(crate) fn is_person(caller: &Caller) -> bool {
    caller.role == AccountRole::Player
}

pub(crate) fn open<T>(request: Request<T>) -> Result<(Caller, T)> {
    Ok((caller(&request)?, request.into_inner()))
}

pub(crate) fn person_of(caller: &Caller) -> Person {
    Person { player_id: caller.player_id.to_string(), name: caller.name.to_string() }
}

pub(crate) fn unknown_game() -> Fault {
    Fault::new(ErrorReason::GameNotFound, "The game was not found.")
}

pub(crate) fn check_game_id(game_id: &str) -> Result<()> {
    if game_id.is_empty() {
        return Err(Failure::field("game_id", "Give the id of a game."));
    }
    let plausible = game_id.len() <= 64
        && game_id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if plausible { Ok(()) } else { Err(unknown_game().into()) }
}

/// Rejects workers and admins. They see everything, so they cannot hold seats.
pub(crate) fn check_may_play(caller: &Caller) -> Result<()> {
    if is_person(caller) {
        return Ok(());
    }
    let text = "Worker and admin accounts cannot have seats; register a player account.";
    Err(Failure::new(ErrorReason::RoleConflict, text))
}

pub(crate) fn read_new_orders(
    table: &Table,
    seat: Option<Seat>,
    orders: &Orders,
    id: &str,
) -> Result<OrdersGiven, Fault> {
    if table.was_requested(seat, id) {
        // A retry gets the first response, even if the text would be parsed differently now.
        return Ok(OrdersGiven { seat: seat.map_or(0, Seat::number), ..OrdersGiven::default() });
    }
    read_orders(table, seat, orders)
}

pub(crate) fn read_orders(
    table: &Table,
    seat: Option<Seat>,
    orders: &Orders,
) -> Result<OrdersGiven, Fault> {
    let mut typed = orders.orders.clone();
    if !orders.text.is_empty() {
        typed.extend(table.parse(seat, &orders.text)?);
    }
    Ok(OrdersGiven { seat: seat.map_or(0, Seat::number), orders: typed, ..OrdersGiven::default() })
}
