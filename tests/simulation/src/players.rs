//! Simulated players that use the real client. Careless players abandon and repeat calls, and one
//! player never reads its stream.

use std::sync::Arc;
use std::time::Duration;

use heliopause_client::connect::Engines;
use heliopause_client::engine::{Engine, once};
use heliopause_client::failure::Failure;
use heliopause_client::follow::{Follower, StreamItem};
use heliopause_client::menu::Menu;
use heliopause_proto::star_empires;
use heliopause_proto::v1::game_service_client::GameServiceClient;
use heliopause_proto::v1::*;
use tokio::time::{Instant, sleep, timeout};
use tonic::transport::Endpoint;
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

use crate::chance::{Rng, mixed};
use crate::ledger::{Audience, Ledger, Received, RequestState};
use crate::net::{self, Net, Node};
use crate::oracles::published_events;
use crate::plan::{ENGINE, GamePlan, PLAYER, Plan};
use crate::store::SimulatedStore;
use crate::{environment, traced};

const SMALL_WINDOW: u32 = 1 << 10;

/// The time that an engine has to read the current state after the last store error.
const CATCH_UP_TIMEOUT: Duration = Duration::from_secs(12);

/// The time after which a client gives up on a silent stream, plus a margin.
const TIMEOUT: Duration = Duration::from_secs(75);

/// Returns options that limit the turns of Star Empires, or `None` for other games. Without a
/// limit, the galaxy grows once automation has every seat, and takes a thousand times as long as
/// any other game.
fn options(kind: &str) -> Option<GameOptions> {
    let options = star_empires::v1::Options { last_turn: Some(40), ..Default::default() };
    let game = game_options::Game::StarEmpires(options);
    (kind == "star-empires").then_some(GameOptions { game: Some(game) })
}

/// A simulated person on a machine.
#[derive(Clone)]
pub struct Person {
    pub node: Node,
    pub name: String,
    token: String,
    net: Net,
    engines: u8,
    pub ledger: Ledger,
    world: Arc<SimulatedStore>,
    pub(crate) chance: Rng,
    asked: u64,
    pub(crate) until: Instant,
    pub(crate) careless: u64,
    slow_readers: bool,
    secret: u64,
    cut_off: Vec<(Duration, Duration)>,
}

/// The arguments of [`Person::new`] that all people share.
pub struct Kit<'a> {
    pub plan: &'a Plan,
    pub net: &'a Net,
    pub world: &'a Arc<SimulatedStore>,
    pub ledger: &'a Ledger,
    pub until: Instant,
}

impl Person {
    pub fn new(kit: &Kit<'_>, node: Node, token: &str) -> Self {
        let name = format!("p{node}");
        Self {
            node,
            chance: Rng::of(kit.plan.seed, &name),
            name,
            token: token.to_owned(),
            net: kit.net.clone(),
            engines: kit.plan.engines,
            ledger: kit.ledger.clone(),
            world: Arc::clone(kit.world),
            asked: 0,
            until: kit.until,
            careless: kit.plan.careless,
            slow_readers: kit.plan.slow_readers && node == PLAYER + kit.plan.players,
            secret: kit.plan.secret,
            cut_off: kit.plan.cut_off(node),
        }
    }

    /// Returns the store, which only oracles may read.
    pub fn world(&self) -> &SimulatedStore {
        &self.world
    }

    #[must_use]
    pub fn in_other_window(&mut self, window: &str) -> Self {
        let chance = Rng::of(self.chance.draw(), window);
        Self { chance, name: format!("{}-{window}", self.name), asked: 0, ..self.clone() }
    }

    fn engines(&self) -> Engines {
        let addresses = (0..self.engines).map(|index| net::address(self.node, ENGINE + index));
        let endpoints = addresses.map(|address| {
            let endpoint = Endpoint::from_shared(format!("http://{address}"));
            let endpoint = endpoint.expect("an address is one");
            if self.slow_readers {
                endpoint.initial_stream_window_size(SMALL_WINDOW)
            } else {
                endpoint
            }
        });
        Engines::new(endpoints).through(self.net.dialler(self.node))
    }

    pub async fn connect(&mut self) -> Engine {
        loop {
            let engines = self.engines();
            let connected = {
                let _calling = self.ledger.start_call(format!("{} connects", self.name));
                Engine::connect_to(engines, "the engines").await
            };
            match connected.and_then(|engine| engine.with_token(&self.token)) {
                Ok(engine) => return engine,
                Err(_) => sleep(self.chance.millis(100..2_000)).await,
            }
        }
    }

    pub(crate) fn request_id(&mut self) -> String {
        self.asked += 1;
        format!("{}-{:012}", self.name, self.asked)
    }

    /// Makes a call that changes a game. A careless person abandons and repeats some calls.
    pub async fn change<T: Clone, R>(
        &mut self,
        game: &str,
        request_id: &str,
        request: T,
        call: impl AsyncFn(T) -> Result<tonic::Response<R>, Status>,
    ) -> Result<R, Status> {
        self.ledger.asked(game, request_id);
        let what = format!("{} asks {request_id} of {game}", self.name);
        if self.chance.in_1000(self.careless) {
            self.ledger.count("calls abandoned");
            let patience = self.chance.millis(1..60);
            let _calling = self.ledger.start_call(what.clone());
            match timeout(patience, call(request.clone())).await {
                Ok(done) => note(&self.ledger, game, request_id, done.as_ref().map(|_| ())),
                // The abandoned attempt may still succeed after the next attempt was rejected.
                Err(_) => self.ledger.record_abandoned(game, request_id),
            }
        }
        let done = {
            let _calling = self.ledger.start_call(what.clone());
            once(request.clone(), &call).await
        };
        note(&self.ledger, game, request_id, done.as_ref().map(|_| ()));
        if self.chance.in_1000(self.careless) {
            self.ledger.count("requests repeated");
            let _calling = self.ledger.start_call(what);
            // A rejected request may succeed when repeated, because the game continues.
            self.ledger.record_retry(game, request_id);
            let again = once(request, &call).await;
            match (&done, &again) {
                (Ok(_), Err(status))
                    if is_definite(status) && !self.ledger.rolled_back_recently() =>
                {
                    self.ledger.record_violation(format!(
                        "{request_id} of {game} was applied, but its repetition is refused: \
                         {status}"
                    ));
                }
                _ => note(&self.ledger, game, request_id, again.as_ref().map(|_| ())),
            }
        }
        done
    }

    pub async fn create(&mut self, engine: &Engine, game: &GamePlan, index: usize) -> String {
        let open =
            SeatPlan { plan: Some(seat_plan::Plan::Open(OpenSeat {})), ..SeatPlan::default() };
        let by = AutomatedSeat { level: "random".to_owned(), ..AutomatedSeat::default() };
        let automated =
            SeatPlan { plan: Some(seat_plan::Plan::Automated(by)), ..SeatPlan::default() };
        let mut seats = vec![open; game.people];
        seats.extend(vec![automated; game.automated]);
        let seconds =
            |seconds: u64| Some(prost_types::Duration { seconds: seconds as i64, nanos: 0 });
        let request = CreateGameRequest {
            kind: game.kind.to_owned(),
            options: options(game.kind),
            name: format!("Game {index}"),
            seats,
            spectate: game.people == 0,
            game_master: game.has_master,
            start_when_full: true,
            pace: Some(Pace {
                standard: Some(PhasePace {
                    interval: seconds(game.interval),
                    ..PhasePace::default()
                }),
                ..Pace::default()
            }),
            request_id: format!("creation-{index:012}"),
            // Followers identify an audience by its seat, and drawing lots at the start would
            // change the seats.
            seats_in_order: true,
            ..CreateGameRequest::default()
        };
        loop {
            let done = {
                let _calling = self.ledger.start_call(format!("{} creates a game", self.name));
                once(request.clone(), async |request| engine.games().create_game(request).await)
                    .await
            };
            match done {
                Ok(done) => return done.game.unwrap_or_default().game_id,
                Err(status) if is_definite(&status) => {
                    self.ledger.record_violation(format!("cannot create a game: {status}"));
                    return String::new();
                }
                Err(_) => sleep(self.chance.millis(200..2_000)).await,
            }
        }
    }

    pub async fn join(&mut self, engine: &Engine, game: &str) {
        let request_id = self.request_id();
        let request = JoinGameRequest {
            game_id: game.to_owned(),
            request_id: request_id.clone(),
            ..JoinGameRequest::default()
        };
        loop {
            let joined = self
                .change(game, &request_id, request.clone(), async |request| {
                    engine.games().join_game(request).await
                })
                .await;
            match joined {
                Ok(_) => return,
                Err(status) if is_definite(&status) => {
                    return self
                        .ledger
                        .record_violation(format!("{} cannot join {game}: {status}", self.name));
                }
                Err(_) => sleep(self.chance.millis(200..2_000)).await,
            }
        }
    }

    pub async fn play(mut self, game: String) {
        let engine = self.connect().await;
        while Instant::now() < self.until {
            // Long pauses let a deadline pass without any step of a player.
            let longest = if self.chance.in_1000(60) { 30_000 } else { 6_000 };
            sleep(self.chance.millis(100..longest)).await;
            let act = self.chance.below(100);
            let acted = match act {
                0..70 => self.order(&engine, &game).await,
                70..80 => self.write(&engine, &game).await,
                80..95 => self.read(&engine, &game).await,
                _ => self.submit_invalid(&engine, &game).await,
            };
            if let Err(status) = acted {
                self.note_failure(&status);
            }
        }
    }

    pub(crate) fn note_failure(&self, status: &Status) {
        traced!("{}: {:?} {}", self.name, status.code(), reason(status));
        if matches!(status.code(), Code::Internal | Code::Unknown | Code::DataLoss)
            && !reason(status).is_empty()
        {
            self.ledger.record_violation(format!("{}: {status}", self.name));
        }
    }

    async fn offers(&mut self, engine: &Engine, game: &str) -> Result<GetOffersResponse, Status> {
        let _calling = self.ledger.start_call(format!("{} asks for offers of {game}", self.name));
        let request = GetOffersRequest { game_id: game.to_owned(), seat: None };
        Ok(engine.games().get_offers(request).await?.into_inner())
    }

    pub(crate) async fn order(&mut self, engine: &Engine, game: &str) -> Result<(), Status> {
        let before = self.world.head(game).ok();
        let offered = self.offers(engine, game).await?;
        let Some(decision) = offered.decision.clone() else { return Ok(()) };
        let menu = Menu::read(&offered).unwrap_or_default();
        let whole: Vec<&str> = menu
            .lines
            .iter()
            .filter(|line| line.slots.is_empty())
            .map(|line| line.notation.as_str())
            .collect();
        let text = if whole.is_empty() || (decision.revisable && self.chance.in_1000(300)) {
            String::new()
        } else {
            (*self.chance.pick(&whole)).to_owned()
        };
        let ready = decision.revisable && self.chance.in_1000(700);
        if text.is_empty() && !ready {
            return Ok(());
        }
        // Reconnect to any engine, which must accept the orders that this engine offered.
        if self.chance.in_1000(350) {
            engine.line().disconnect();
        }
        let request_id = self.request_id();
        let (phase, revision) = (offered.phase, offered.revision);
        let request = SubmitOrdersRequest {
            game_id: game.to_owned(),
            phase,
            revision,
            request_id: request_id.clone(),
            orders: Some(Orders { text, ..Orders::default() }),
            ready,
            ..SubmitOrdersRequest::default()
        };
        let done = self
            .change(game, &request_id, request, async |request| {
                engine.games().submit_orders(request).await
            })
            .await;
        match done {
            Ok(done) => {
                self.ledger.count("orders accepted");
                self.check_read_your_writes(engine, game, done.cursor).await
            }
            Err(status) => {
                // The game did not change meanwhile, so the offer must be current. Exceptions: an
                // engine without a store connection offers from memory, and a replaced player sees
                // the decision of the automation.
                let wrong = is_definite(&status)
                    && reason(&status) != "NOT_YOUR_SEAT"
                    && before.is_some()
                    && before == self.world.head(game).ok()
                    && !self.world.had_trouble(Duration::from_secs(30));
                if wrong {
                    self.ledger.record_violation(format!(
                        "{request_id} of {game} is refused as {} at phase {phase:?} and revision \
                         {revision:?}, which was offered at entry {before:?}",
                        reason(&status)
                    ));
                }
                self.ledger.count("orders rejected");
                Err(status)
            }
        }
    }

    async fn check_read_your_writes(
        &mut self,
        engine: &Engine,
        game: &str,
        done: Option<Cursor>,
    ) -> Result<(), Status> {
        if self.chance.in_1000(500) {
            engine.line().disconnect();
        }
        let _calling = self.ledger.start_call(format!("{} reads {game}", self.name));
        let request = GetViewRequest { game_id: game.to_owned(), ..GetViewRequest::default() };
        let cursor = engine.games().get_view(request).await?.into_inner().cursor;
        let number = |cursor: Option<Cursor>| cursor.map_or(0, |cursor| cursor.number);
        let (done, seen) = (number(done), number(cursor));
        if seen < done && !self.world.had_trouble(Duration::from_secs(12)) {
            self.ledger.record_violation(format!(
                "{} caused event {done} of {game}, but reads the state after event {seen}",
                self.name
            ));
        }
        self.check_no_lost_events(game, cursor);
        Ok(())
    }

    fn check_no_lost_events(&self, game: &str, cursor: Option<Cursor>) {
        if self.ledger.notes().rolled_back.is_none() || self.world.had_trouble(CATCH_UP_TIMEOUT) {
            return;
        }
        let Some(Cursor { audience: Some(audience), number, .. }) = cursor else { return };
        let audience = match audience.kind {
            Some(audience::Kind::Seat(seat)) => Audience::Seat(seat),
            Some(audience::Kind::Spectators(_)) => Audience::Spectators,
            _ => return,
        };
        let there = published_events(&self.world, game, audience);
        if number > there {
            self.ledger.record_violation(format!(
                "{} reads event {number} of {game} as {audience:?}, and the store has {there}",
                self.name
            ));
        }
    }

    async fn read(&mut self, engine: &Engine, game: &str) -> Result<(), Status> {
        self.check_read_your_writes(engine, game, None).await
    }

    /// Sends a message to all seats, or a secret to a confidant. Some messages have no request id
    /// and are sent only once.
    async fn write(&mut self, engine: &Engine, game: &str) -> Result<(), Status> {
        let request_id = self.request_id();
        let confidant = self.confidant(game).filter(|_| self.chance.in_1000(600));
        let text = match confidant {
            Some(_) => {
                let words = mixed(self.secret ^ mixed(self.asked));
                format!("This is {request_id}, between you and me: {words:016x}.")
            }
            None => format!("This is {request_id}."),
        };
        let request = SendMessageRequest {
            game_id: game.to_owned(),
            to_all: confidant.is_none(),
            to_seats: confidant.into_iter().collect(),
            text,
            request_id: request_id.clone(),
            ..SendMessageRequest::default()
        };
        if self.chance.in_1000(300) {
            let _calling = self.ledger.start_call(format!("{} writes {request_id}", self.name));
            let channel = self.engines().connect().await;
            let channel = channel.map_err(|error| Status::unavailable(error.to_string()))?;
            let request = SendMessageRequest { request_id: String::new(), ..request };
            let mut request = tonic::Request::new(request);
            let token = format!("Bearer {}", self.token).parse().expect("a token is of ASCII");
            request.metadata_mut().insert("authorization", token);
            GameServiceClient::new(channel).send_message(request).await?;
        } else {
            let send = async |request| engine.games().send_message(request).await;
            self.change(game, &request_id, request, send).await?;
        }
        self.ledger.count(confidant.map_or("messages written", |_| "private messages written"));
        Ok(())
    }

    fn confidant(&self, game: &str) -> Option<u32> {
        let [one, other] = Plan::confidants();
        match self.node {
            node if node == one => self.world.seat_of(game, other),
            node if node == other => self.world.seat_of(game, one),
            _ => None,
        }
    }

    async fn submit_invalid(&mut self, engine: &Engine, game: &str) -> Result<(), Status> {
        let request_id = self.request_id();
        let request = SubmitOrdersRequest {
            game_id: game.to_owned(),
            phase: Some(self.chance.below(4)),
            revision: Some(self.chance.below(4)),
            request_id: request_id.clone(),
            orders: Some(Orders { text: "eat the moon".to_owned(), ..Orders::default() }),
            ..SubmitOrdersRequest::default()
        };
        let done = self
            .change(game, &request_id, request, async |request| {
                engine.games().submit_orders(request).await
            })
            .await;
        if let Ok(done) = done {
            let what = format!("{}: \"eat the moon\" was accepted: {done:?}", self.name);
            self.ledger.record_violation(what);
        }
        Ok(())
    }

    pub async fn follow(mut self, game: String, audience: Audience) {
        let engine = self.connect().await;
        let request = StreamEventsRequest {
            game_id: game.clone(),
            as_spectator: audience == Audience::Spectators,
            ..StreamEventsRequest::default()
        };
        let mut follower = Follower::new(engine.clone(), request);
        let key = (game, audience, self.node);
        loop {
            if self.slow_readers && Instant::now() < self.until && self.chance.in_1000(200) {
                sleep(self.chance.millis(1_000..15_000)).await;
            }
            let heard = follower.next().await;
            match heard {
                Ok(StreamItem::Opening(opening)) => {
                    let mut notes = self.ledger.notes();
                    let told = notes.told.entry(key.clone()).or_default();
                    if told.after.is_none() {
                        told.after = opening.cursor.map(|cursor| cursor.number);
                    }
                }
                Ok(StreamItem::Event(event)) => {
                    let number = event.number;
                    let expected = self.hear(&key, *event);
                    if expected != Some(number) {
                        self.ledger.record_violation(format!(
                            "{} receives event {number} of {:?} of {}; expected {expected:?}",
                            self.name, key.1, key.0
                        ));
                        return;
                    }
                }
                Ok(StreamItem::CaughtUp(_) | StreamItem::Chat(_)) => {}
                Ok(StreamItem::FellBehind) => self.ledger.count("streams fell behind"),
                Ok(StreamItem::Lost(_, failure)) => {
                    self.ledger.count("streams lost");
                    if failure.report().reason == "CURSOR_INVALID" {
                        let mut notes = self.ledger.notes();
                        if notes.rolled_back.is_none() {
                            drop(notes);
                            return self.cannot_follow(&key, &failure);
                        }
                        *notes.told.entry(key.clone()).or_default() = Received::default();
                        drop(notes);
                        self.ledger.count("streams that started over");
                    }
                    if told_of(&failure).contains("sent nothing for a minute")
                        && !self.was_cut_off()
                    {
                        self.ledger.record_violation(format!(
                            "{} as {:?} of {} received nothing for a minute",
                            self.name, key.1, key.0
                        ));
                    }
                    if self.chance.in_1000(300) {
                        sleep(self.chance.millis(100..3_000)).await;
                    }
                }
                Err(failure) => return self.cannot_follow(&key, &failure),
            }
        }
    }

    fn cannot_follow(&self, (game, audience, _): &(String, Audience, Node), failure: &Failure) {
        let why = told_of(failure);
        self.ledger
            .record_violation(format!("{} cannot follow {audience:?} of {game}: {why}", self.name));
    }

    fn was_cut_off(&self) -> bool {
        let now = environment::elapsed();
        self.cut_off.iter().any(|(from, until)| *from <= now && now <= *until + TIMEOUT)
    }

    fn hear(&self, key: &(String, Audience, Node), event: Event) -> Option<u64> {
        let mut notes = self.ledger.notes();
        let told = notes.told.entry(key.clone()).or_default();
        let expected = told.last().map(|last| last + 1);
        told.events.push(event);
        expected
    }

    pub async fn idle(mut self, game: String) {
        let engine = self.connect().await;
        let mut unread = Vec::new();
        while Instant::now() < self.until {
            let request = StreamEventsRequest {
                game_id: game.clone(),
                as_spectator: true,
                after: Some(Cursor::default()),
                ..StreamEventsRequest::default()
            };
            if let Ok(stream) = engine.games().stream_events(request).await {
                unread.push(stream);
            }
            if unread.len() > 4 {
                unread.remove(0);
            }
            sleep(self.chance.millis(1_000..20_000)).await;
        }
    }
}

fn told_of(failure: &Failure) -> String {
    let report = failure.report();
    format!("{}: {}", report.reason, report.message)
}

/// Returns the reason of an error, or an empty string if there is none.
pub fn reason(status: &Status) -> String {
    status.get_details_error_info().map(|info| info.reason).unwrap_or_default()
}

/// Returns whether a rejection proves that nothing was applied.
pub fn is_definite(status: &Status) -> bool {
    const PASSING: [&str; 6] =
        ["", "DRAINING", "JOURNAL_UNAVAILABLE", "LOST_RACE", "OVERLOADED", "RATE_LIMITED"];
    !PASSING.contains(&reason(status).as_str())
}

fn note(ledger: &Ledger, game: &str, request_id: &str, done: Result<(), &Status>) {
    let known = ledger.notes().requests.get(&(game.to_owned(), request_id.to_owned())).cloned();
    match done {
        Ok(()) => {
            if let Some(RequestState::Refused(why)) = known {
                ledger.record_violation(format!(
                    "{request_id} of {game} was refused ({why}) and then applied"
                ));
            }
            ledger.came(game, request_id, RequestState::Done);
        }
        Err(status) if is_definite(status) && known == Some(RequestState::Asked) => {
            ledger.came(game, request_id, RequestState::Refused(reason(status)));
        }
        Err(_) => {}
    }
}

/// The longest duration of a call: more than all timeouts of client and engine together.
pub const CALL_MAX: Duration = Duration::from_secs(150);

/// Describes the calls that have been pending for longer than [`CALL_MAX`].
pub fn overdue(ledger: &Ledger) -> Vec<String> {
    let now = environment::elapsed().as_millis() as u64;
    let notes = ledger.notes();
    let late = notes.calls.values().filter(|(_, since)| now - since > CALL_MAX.as_millis() as u64);
    late.map(|(what, since)| format!("{what} since {since} ms")).collect()
}
