//! What the services of games have in common: who calls, and how a step is taken in his name.

use std::sync::{Arc, Mutex};

use bytes::Bytes;
use heliopause_kernel::Seat;
use heliopause_proto::store::v1::{OrdersGiven, Person, Step, step};
use heliopause_proto::v1::{AccountRole, ErrorReason, Game, Orders, VerifyGameResponse};
use heliopause_table::{Fault, Table, chain};
use tonic::{Request, Status};

use super::errors::{Failure, status};
use super::{Caller, Engine, caller};
use crate::accounts::Accounts;
use crate::bounded::Generations;
use crate::host::{Done, Host};
use crate::store::Quota;

/// How long a request id may be.
const REQUEST_ID_CHARS: usize = 64;

/// The tables, as services reach them.
#[derive(Clone)]
pub(super) struct Tables {
    /// Who hosts them.
    pub(super) host: Arc<Host>,
    /// Who plays at them.
    pub(super) accounts: Arc<Accounts>,
    /// What the verification of games that are over found, by the game and its last entry: it never changes.
    pub(super) verified: Arc<Mutex<Generations<(String, u64), VerifyGameResponse>>>,
}

/// How many verifications are remembered at least.
const VERIFIED: usize = 1_024;

impl Tables {
    pub(super) fn new(engine: &Engine) -> Self {
        let verified = Arc::new(Mutex::new(Generations::new(VERIFIED)));
        Self { host: Arc::clone(&engine.host), accounts: Arc::clone(&engine.accounts), verified }
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
    fn answer<T>(&self, caller: &Caller, game_id: &str, seen: Result<Seen<T>, Fault>) -> Result<T, Status> {
        let seen = seen.map_err(status)?;
        if is_person(caller) && !matches!(&seen, Seen::Unknown) {
            self.host.saw(game_id, matches!(&seen, Seen::Asleep(_)));
        }
        match seen {
            Seen::Unknown => Err(status(unknown_game())),
            Seen::Awake(answer) | Seen::Asleep(answer) => answer.map_err(status),
        }
    }

    /// Takes a step in the caller's name at a game that he may know.
    pub(super) async fn take(&self, caller: &Caller, game_id: &str, kind: step::Kind) -> Result<Done, Status> {
        self.read(caller, game_id, |_| Ok(())).await?;
        self.take_checked(caller, game_id, kind, String::new()).await
    }

    /// Takes a step whose caller is known to know the game.
    pub(super) async fn take_checked(
        &self,
        caller: &Caller,
        game_id: &str,
        kind: step::Kind,
        request_id: String,
    ) -> Result<Done, Status> {
        self.take_request(caller, game_id, kind, Asked { request_id, ..Asked::default() }).await
    }

    /// Takes a step that a request asked for, whose caller is known to know the game.
    pub(super) async fn take_request(
        &self,
        caller: &Caller,
        game_id: &str,
        kind: step::Kind,
        asked: Asked,
    ) -> Result<Done, Status> {
        let Asked { request_id, request_digest } = asked;
        let step = Step { by: caller.player_id.to_string(), request_id, request_digest, kind: Some(kind) };
        self.host.take(game_id, step).await.map_err(status)
    }

    /// Takes a step whose caller is known to know the game, if they may have so much after it.
    pub(super) async fn take_within(
        &self,
        caller: &Caller,
        game_id: &str,
        kind: step::Kind,
        quota: Quota,
    ) -> Result<Done, Status> {
        let step = Step { by: caller.player_id.to_string(), kind: Some(kind), ..Step::default() };
        self.host.take_within(game_id, step, Some(quota)).await.map_err(status)
    }

    /// The game as the caller sees it.
    pub(super) async fn game(&self, caller: &Caller, game_id: &str) -> Result<Option<Game>, Status> {
        self.read(caller, game_id, |table| Ok(Some(self.host.describe(table, &caller.player_id)))).await
    }

    /// A player by name or id, for whom the caller may keep a seat.
    pub(super) async fn invited(&self, caller: &Caller, id_or_name: &str) -> Result<Person, Failure> {
        let person = self.person(id_or_name).await?;
        self.accounts.check_takes_invitations(&person.player_id, &caller.player_id).await?;
        Ok(person)
    }

    /// A player by name or id, as a table knows him.
    pub(super) async fn person(&self, id_or_name: &str) -> Result<Person, Failure> {
        let account = self.accounts.find(id_or_name).await?;
        Ok(Person { player_id: account.player_id, name: account.name })
    }
}

/// What makes a retry of a request known.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked {
    /// The name that the client gave to the request.
    pub(super) request_id: String,
    /// The digest of the request, where its step does not hold its words.
    request_digest: Bytes,
}

impl Asked {
    /// The name and the words of a caller's request.
    pub(super) fn of(caller: &Caller, request_id: &str, request: &impl prost::Message) -> Self {
        let digest = chain::sha256(&[caller.player_id.as_bytes(), &request.encode_to_vec()]);
        Self { request_id: request_id.to_owned(), request_digest: Bytes::copy_from_slice(&digest) }
    }
}

/// A game as a caller finds it.
enum Seen<T> {
    /// They may not know of it: to them it does not exist.
    Unknown,
    Awake(Result<T, Fault>),
    /// Automation sleeps there.
    Asleep(Result<T, Fault>),
}

fn seen<T>(table: &Table, caller: &Caller, code: &str, read: impl FnOnce(&Table) -> Result<T, Fault>) -> Seen<T> {
    if !table.knows(&caller.player_id, code) {
        return Seen::Unknown;
    }
    let answer = read(table);
    if table.asleep_since().is_some() { Seen::Asleep(answer) } else { Seen::Awake(answer) }
}

/// Whether a caller is a person who plays or looks on: not a worker, and not an operator.
pub(super) fn is_person(caller: &Caller) -> bool {
    caller.role == AccountRole::Player
}

/// Who makes a call and what he asks for.
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
    let plausible = game_id.len() <= 64 && game_id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if plausible { Ok(()) } else { Err(unknown_game().into()) }
}

pub(super) fn check_request_id(request_id: &str, needed: bool) -> Result<(), Status> {
    let length = request_id.chars().count();
    if length > REQUEST_ID_CHARS || (needed && length == 0) {
        let text = format!("A request id has 1 to {REQUEST_ID_CHARS} characters; choose a fresh one for each request.");
        return Err(Failure::field("request_id", text).into());
    }
    Ok(())
}

/// Whoever sees everything plays nothing: a worker's account and an admin hold no seats.
pub(super) fn check_may_play(caller: &Caller) -> Result<(), Status> {
    if is_person(caller) {
        return Ok(());
    }
    let text = "Accounts of workers and admins hold no seats; register a player's account.";
    Err(Failure::new(ErrorReason::SeesTooMuch, text).into())
}

/// All orders of a request that is made for the first time, typed: the text is read in the notation of the game.
pub(super) fn asked_orders(table: &Table, seat: Option<Seat>, orders: &Orders, id: &str) -> Result<OrdersGiven, Fault> {
    if table.was_asked(seat, id) {
        // A retry is answered as it was the first time, whatever its text would mean by now.
        return Ok(OrdersGiven { seat: seat.map_or(0, Seat::number), ..OrdersGiven::default() });
    }
    read_orders(table, seat, orders)
}

/// All orders of a request, typed: the text is read in the notation of the game.
pub(super) fn read_orders(table: &Table, seat: Option<Seat>, orders: &Orders) -> Result<OrdersGiven, Fault> {
    let mut typed = orders.orders.clone();
    if !orders.text.is_empty() {
        typed.extend(table.parse(seat, &orders.text)?);
    }
    Ok(OrdersGiven { seat: seat.map_or(0, Seat::number), orders: typed, ..OrdersGiven::default() })
}
