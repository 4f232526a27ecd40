//! What the services of games have in common: who calls, and how a step is taken in their name.

use std::sync::{Arc, Mutex};

use bytes::Bytes;
use heliopause_kernel::Seat;
use heliopause_proto::store::v1::{Created, OrdersGiven, Person, Step, step};
use heliopause_proto::v1::{AccountRole, ErrorReason, Game, Orders, VerifyGameResponse};
use heliopause_table::{Fault, Table, chain, unhashed};
use tonic::{Request, Status};

use super::errors::{Failure, status};
use super::{Caller, Engine, caller};
use crate::accounts::Accounts;
use crate::bounded::Generations;
use crate::config::Watch;
use crate::fresh;
use crate::host::{Done, Host};
use crate::store::Quota;

/// How long a request id may be.
const REQUEST_ID_CHARS: usize = 64;

/// The tables, as services reach them.
#[derive(Clone)]
pub(super) struct Tables {
    pub(super) host: Arc<Host>,
    /// Who plays at them.
    pub(super) accounts: Arc<Accounts>,
    /// Who may watch.
    watch: Watch,
    /// What the verification of games that are over found, by the game and its last entry: it never
    /// changes.
    pub(super) verified: Arc<Mutex<Generations<(String, Bytes), VerifyGameResponse>>>,
}

/// How many verifications are remembered at least.
const VERIFIED: usize = 1_024;

impl Tables {
    pub(super) fn new(engine: &Engine) -> Self {
        let verified = Arc::new(Mutex::new(Generations::new(VERIFIED)));
        let (host, accounts) = (Arc::clone(&engine.host), Arc::clone(&engine.accounts));
        Self { host, accounts, watch: engine.watch, verified }
    }

    /// Reads a game that the caller may know; to everybody else it does not exist.
    pub(super) async fn read<T>(
        &self,
        caller: &Caller,
        game_id: &str,
        read: impl FnOnce(&Table) -> Result<T, Fault>,
    ) -> Result<T, Status> {
        self.read_with_code(caller, game_id, "", read).await
    }

    /// Reads what is played in a game that the caller may watch, or has a part in.
    pub(super) async fn watch<T>(
        &self,
        caller: &Caller,
        game_id: &str,
        read: impl FnOnce(&Table) -> Result<T, Fault>,
    ) -> Result<T, Status> {
        let off = self.watch == Watch::None;
        self.read(caller, game_id, |table| {
            if off && !table.has_part(&caller.player_id) {
                let text = "This server lets nobody watch games in which they have no part.";
                return Err(Fault::new(ErrorReason::WatchingOff, text));
            }
            read(table)
        })
        .await
    }

    /// Reads a game that the caller may know, or has the invite code of.
    pub(super) async fn read_with_code<T>(
        &self,
        caller: &Caller,
        game_id: &str,
        code: &str,
        read: impl FnOnce(&Table) -> Result<T, Fault>,
    ) -> Result<T, Status> {
        check_game_id(game_id)?;
        let answer = self.host.read(game_id, |table| seen(table, caller, code, read)).await;
        self.answer(caller, game_id, answer)
    }

    /// Reads a game as this process knows it, which may be behind another that shares the store.
    pub(super) async fn peek<T>(
        &self,
        caller: &Caller,
        game_id: &str,
        read: impl FnOnce(&Table) -> Result<T, Fault>,
    ) -> Result<T, Status> {
        check_game_id(game_id)?;
        let answer = self.host.peek(game_id, |table| seen(table, caller, "", read)).await;
        self.answer(caller, game_id, answer)
    }

    /// What was read. A person who reads a game looks at it.
    fn answer<T>(
        &self,
        caller: &Caller,
        game_id: &str,
        seen: Result<Seen<T>, Fault>,
    ) -> Result<T, Status> {
        let seen = seen.map_err(status)?;
        if is_person(caller) && !matches!(&seen, Seen::Unknown) {
            self.host.saw(game_id, matches!(&seen, Seen::Asleep(_)));
        }
        let answer = match seen {
            Seen::Unknown => Err(unknown_game()),
            Seen::Awake(answer) | Seen::Asleep(answer) => answer,
        };
        answer.map_err(|fault| status(self.host.while_away(fault)))
    }

    /// Takes a step that a caller asks for at a game that they may know, or knew when they asked
    /// first.
    pub(super) async fn take(
        &self,
        caller: &Caller,
        game_id: &str,
        kind: step::Kind,
        asked: Asked,
    ) -> Result<Done, Status> {
        check_game_id(game_id)?;
        let known = |table: &Table| {
            if table.was_asked_by(&caller.player_id, &asked.request_id) {
                return Seen::Awake(Ok(()));
            }
            seen(table, caller, "", |_| Ok(()))
        };
        let known = self.host.read(game_id, known).await;
        self.answer(caller, game_id, known)?;
        self.take_request(caller, game_id, kind, asked).await
    }

    /// Takes a step that a request asked for, whose caller is known to know the game.
    pub(super) async fn take_request(
        &self,
        caller: &Caller,
        game_id: &str,
        kind: step::Kind,
        asked: Asked,
    ) -> Result<Done, Status> {
        let step = Step { kind: Some(kind), ..asked.step(caller) };
        self.host.take(game_id, step).await.map_err(status)
    }

    /// Takes a step whose caller is known to know the game, if they may have so much after it.
    pub(super) async fn take_within(
        &self,
        caller: &Caller,
        game_id: &str,
        kind: step::Kind,
        asked: Asked,
        quota: Quota,
    ) -> Result<Done, Status> {
        let step = Step { kind: Some(kind), ..asked.step(caller) };
        self.host.take_within(game_id, step, Some(quota)).await.map_err(status)
    }

    /// The game that a request made before, if it did: then nothing must be done again.
    pub(super) async fn made_before(
        &self,
        caller: &Caller,
        asked: &Asked,
    ) -> Result<Option<String>, Status> {
        let Some(game_id) = asked.game_id(caller) else { return Ok(None) };
        let step = match self.host.entry(&game_id, 1).await {
            Ok(entry) => unhashed::whole_step(&entry).unwrap_or_default(),
            Err(fault) if fault.reason == ErrorReason::GameNotFound => return Ok(None),
            Err(fault) => return Err(status(fault)),
        };
        if step.by == *caller.player_id && step.request_digest == asked.request_digest {
            return Ok(Some(game_id));
        }
        let text = "This request id was used for something else before; choose a fresh one.";
        Err(Failure::new(ErrorReason::RequestIdReused, text).into())
    }

    /// Lays a table for a request, once: whoever was faster by the same request laid it for both.
    /// Answers its id.
    pub(super) async fn make(
        &self,
        caller: &Caller,
        asked: Asked,
        created: Created,
        secret: [u8; 32],
        quota: Option<Quota>,
    ) -> Result<String, Status> {
        let game_id = asked.game_id(caller).unwrap_or_else(fresh::game_id);
        let created = Created { game_id: game_id.clone(), ..created };
        match self.host.create_within(created, secret, asked.step(caller), quota).await {
            Ok(_) => Ok(game_id),
            Err(lost) if lost.reason == ErrorReason::LostRace => {
                self.made_before(caller, &asked).await?.ok_or_else(|| status(lost))
            }
            Err(fault) => Err(status(fault)),
        }
    }

    /// The game as the caller sees it.
    pub(super) async fn game(
        &self,
        caller: &Caller,
        game_id: &str,
    ) -> Result<Option<Game>, Status> {
        self.read(caller, game_id, |table| Ok(Some(self.host.describe(table, &caller.player_id))))
            .await
    }

    /// A player by name or id, for whom the caller may keep a seat.
    pub(super) async fn invited(
        &self,
        caller: &Caller,
        id_or_name: &str,
    ) -> Result<Person, Failure> {
        let person = self.person(id_or_name).await?;
        self.accounts.check_takes_invitations(&person.player_id, &caller.player_id).await?;
        Ok(person)
    }

    /// A player by name or id, as a table knows them.
    pub(super) async fn person(&self, id_or_name: &str) -> Result<Person, Failure> {
        let account = self.accounts.find(id_or_name).await?;
        Ok(Person { player_id: account.player_id, name: account.name })
    }
}

/// What makes a retry of a request known.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    /// The name that the client gave to the request; empty if it gave none.
    pub(super) request_id: String,
    /// The digest of the request, which tells it from another of the same name.
    request_digest: Bytes,
}

impl Asked {
    /// The name and the words of a caller's request, which needs a name.
    pub(super) fn by_name<T: prost::Message>(
        caller: &Caller,
        request_id: &str,
        request: &T,
    ) -> Result<Self, Failure> {
        if request_id.is_empty() {
            return Err(wrong_request_id());
        }
        Self::of(caller, request_id, request)
    }

    /// The name, if there is one, and the words of a caller's request.
    pub(super) fn of<T: prost::Message>(
        caller: &Caller,
        request_id: &str,
        request: &T,
    ) -> Result<Self, Failure> {
        if request_id.chars().count() > REQUEST_ID_CHARS {
            return Err(wrong_request_id());
        }
        if request_id.is_empty() {
            return Ok(Self { request_id: String::new(), request_digest: Bytes::new() });
        }
        Ok(Self {
            request_id: request_id.to_owned(),
            request_digest: digest(&caller.player_id, request),
        })
    }

    /// A step that this asks for, but for what it does.
    fn step(&self, caller: &Caller) -> Step {
        Step {
            by: caller.player_id.to_string(),
            request_id: self.request_id.clone(),
            request_digest: self.request_digest.clone(),
            kind: None,
        }
    }

    /// The id of the game that this makes, if it has a name: the same at every retry.
    fn game_id(&self, caller: &Caller) -> Option<String> {
        (!self.request_id.is_empty())
            .then(|| fresh::game_id_of(&caller.player_id, &self.request_id))
    }

    /// A step of an operator, whom the journal does not name.
    pub(super) fn nameless_step(&self, kind: step::Kind) -> Step {
        let (request_id, request_digest) = (self.request_id.clone(), self.request_digest.clone());
        Step { by: String::new(), request_id, request_digest, kind: Some(kind) }
    }
}

/// What tells the words of a request from those of another, of its own call or another one.
pub(super) fn digest<T: prost::Message>(of: &str, request: &T) -> Bytes {
    let call = std::any::type_name::<T>().rsplit(':').next().unwrap_or_default();
    Bytes::copy_from_slice(&chain::sha256(&[
        of.as_bytes(),
        call.as_bytes(),
        &request.encode_to_vec(),
    ]))
}

pub(super) fn wrong_request_id() -> Failure {
    let text = format!(
        "A request id has 1 to {REQUEST_ID_CHARS} characters; choose a fresh one for each request."
    );
    Failure::field("request_id", text)
}

/// A game as a caller finds it.
enum Seen<T> {
    /// They may not know of it: to them it does not exist.
    Unknown,
    Awake(Result<T, Fault>),
    /// Automation sleeps there, and this look wakes it.
    Asleep(Result<T, Fault>),
}

fn seen<T>(
    table: &Table,
    caller: &Caller,
    code: &str,
    read: impl FnOnce(&Table) -> Result<T, Fault>,
) -> Seen<T> {
    if !table.knows(&caller.player_id, code) {
        return Seen::Unknown;
    }
    let answer = read(table);
    let wakes = table.asleep_since().is_some() && !table.is_left();
    if wakes { Seen::Asleep(answer) } else { Seen::Awake(answer) }
}

/// Whether a caller is a person who plays or looks on: not a worker, and not an operator.
pub(super) fn is_person(caller: &Caller) -> bool {
    caller.role == AccountRole::Player
}

/// Who makes a call and what they ask for.
pub(super) fn open<T>(request: Request<T>) -> Result<(Caller, T), Status> {
    Ok((caller(&request)?, request.into_inner()))
}

pub(super) fn person_of(caller: &Caller) -> Person {
    Person { player_id: caller.player_id.to_string(), name: caller.name.to_string() }
}

pub(super) fn unknown_game() -> Fault {
    Fault::new(ErrorReason::GameNotFound, "There is no such game.")
}

/// Refuses what can be no game's id before anything is looked up for it.
pub(super) fn check_game_id(game_id: &str) -> Result<(), Failure> {
    if game_id.is_empty() {
        return Err(Failure::field("game_id", "Name a game."));
    }
    let plausible = game_id.len() <= 64
        && game_id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if plausible { Ok(()) } else { Err(unknown_game().into()) }
}

/// Whoever sees everything plays nothing: a worker's account and an admin hold no seats.
pub(super) fn check_may_play(caller: &Caller) -> Result<(), Status> {
    if is_person(caller) {
        return Ok(());
    }
    let text = "Accounts of workers and admins hold no seats; register a player's account.";
    Err(Failure::new(ErrorReason::SeesTooMuch, text).into())
}

/// All orders of a request that is made for the first time, typed: the text is read in the notation
/// of the game.
pub(super) fn asked_orders(
    table: &Table,
    seat: Option<Seat>,
    orders: &Orders,
    id: &str,
) -> Result<OrdersGiven, Fault> {
    if table.was_asked(seat, id) {
        // A retry is answered as it was the first time, whatever its text would mean by now.
        return Ok(OrdersGiven { seat: seat.map_or(0, Seat::number), ..OrdersGiven::default() });
    }
    read_orders(table, seat, orders)
}

/// All orders of a request, typed: the text is read in the notation of the game.
pub(super) fn read_orders(
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
