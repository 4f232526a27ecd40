//! Players by the real client: they follow, order, write; some are clumsy, and one never reads.

use std::sync::Arc;
use std::time::Duration;

use heliopause_client::engine::{Engine, once};
use heliopause_client::failure::Failure;
use heliopause_client::follow::{Follower, Heard};
use heliopause_client::menu::Menu;
use heliopause_connect::Engines;
use heliopause_proto::star_empires;
use heliopause_proto::v1::game_service_client::GameServiceClient;
use heliopause_proto::v1::*;
use tokio::time::{Instant, sleep, timeout};
use tonic::transport::Endpoint;
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

use crate::chance::{Chance, mixed};
use crate::ledger::{Audience, Came, Ledger, Told};
use crate::net::{self, Net, Node};
use crate::oracles::told_until_now;
use crate::plan::{ENGINE, GamePlan, PLAYER, Plan};
use crate::store::World;
use crate::{ground, traced};

/// How many bytes of an answer somebody who dawdles takes unread.
const LITTLE: u32 = 1 << 10;

/// Within what time after its last trouble with the store an engine serves what that holds.
const GHOSTS_GONE: Duration = Duration::from_secs(12);

/// For how long a client waits for a sign of life, and a little more.
const PATIENCE: Duration = Duration::from_secs(75);

/// Once automation has every seat, an empire grows at every moment, and a galaxy takes a thousand
/// times as long as any other game: it ends before that.
fn options(kind: &str) -> Option<GameOptions> {
    let options = star_empires::v1::Options { last_turn: Some(40), ..Default::default() };
    let game = game_options::Game::StarEmpires(options);
    (kind == "star-empires").then_some(GameOptions { game: Some(game) })
}

/// A person at a machine of their own.
#[derive(Clone)]
pub struct Person {
    pub node: Node,
    pub name: String,
    token: String,
    net: Net,
    engines: u8,
    pub ledger: Ledger,
    world: Arc<World>,
    pub(crate) chance: Chance,
    asked: u64,
    /// Until when people act.
    pub(crate) until: Instant,
    clumsy: u64,
    /// Whether they read slowly what they follow, and of little at once.
    dawdles: bool,
    /// What they write in private letters.
    secret: u64,
    /// When nothing gets from an engine to them.
    cut_off: Vec<(Duration, Duration)>,
}

/// What a person brings.
pub struct Kit<'a> {
    pub plan: &'a Plan,
    pub net: &'a Net,
    pub world: &'a Arc<World>,
    pub ledger: &'a Ledger,
    pub until: Instant,
}

impl Person {
    /// A person with an account.
    pub fn new(kit: &Kit<'_>, node: Node, token: &str) -> Self {
        let name = format!("p{node}");
        Self {
            node,
            chance: Chance::of(kit.plan.seed, &name),
            name,
            token: token.to_owned(),
            net: kit.net.clone(),
            engines: kit.plan.engines,
            ledger: kit.ledger.clone(),
            world: Arc::clone(kit.world),
            asked: 0,
            until: kit.until,
            clumsy: kit.plan.clumsy,
            dawdles: kit.plan.dawdles && node == PLAYER + kit.plan.players,
            secret: kit.plan.secret,
            cut_off: kit.plan.cut_off(node),
        }
    }

    /// The store, which people do not see.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The same person in another window, who does other things.
    #[must_use]
    pub fn beside(&mut self, window: &str) -> Self {
        let chance = Chance::of(self.chance.draw(), window);
        Self { chance, name: format!("{}-{window}", self.name), asked: 0, ..self.clone() }
    }

    /// The engines, as they are reached from here.
    fn engines(&self) -> Engines {
        let addresses = (0..self.engines).map(|index| net::address(self.node, ENGINE + index));
        let endpoints = addresses.map(|address| {
            let endpoint = Endpoint::from_shared(format!("http://{address}"));
            let endpoint = endpoint.expect("an address is one");
            if self.dawdles { endpoint.initial_stream_window_size(LITTLE) } else { endpoint }
        });
        Engines::new(endpoints).through(self.net.dialler(self.node))
    }

    /// Connects, however long it takes.
    pub async fn connect(&mut self) -> Engine {
        loop {
            let engines = self.engines();
            let connected = {
                let _calling = self.ledger.calling(format!("{} connects", self.name));
                Engine::connect_to(engines, "the engines").await
            };
            match connected.and_then(|engine| engine.with_token(&self.token)) {
                Ok(engine) => return engine,
                Err(_) => sleep(self.chance.millis(100..2_000)).await,
            }
        }
    }

    /// A fresh id for a request.
    pub(crate) fn request_id(&mut self) -> String {
        self.asked += 1;
        format!("{}-{:012}", self.name, self.asked)
    }

    /// Makes a call that changes a game, and notes what came of it. A clumsy person drops some
    /// calls under way and makes them again, or makes them twice.
    pub async fn change<T: Clone, R>(
        &mut self,
        game: &str,
        request_id: &str,
        request: T,
        call: impl AsyncFn(T) -> Result<tonic::Response<R>, Status>,
    ) -> Result<R, Status> {
        self.ledger.asked(game, request_id);
        let what = format!("{} asks {request_id} of {game}", self.name);
        if self.chance.in_1000(self.clumsy) {
            self.ledger.count("calls dropped under way");
            let patience = self.chance.millis(1..60);
            let _calling = self.ledger.calling(what.clone());
            match timeout(patience, call(request.clone())).await {
                Ok(done) => note(&self.ledger, game, request_id, done.as_ref().map(|_| ())),
                // It may still be done, later than another attempt is refused.
                Err(_) => self.ledger.lost_sight_of(game, request_id),
            }
        }
        let done = {
            let _calling = self.ledger.calling(what.clone());
            once(request.clone(), &call).await
        };
        note(&self.ledger, game, request_id, done.as_ref().map(|_| ()));
        if self.chance.in_1000(self.clumsy) {
            self.ledger.count("requests repeated");
            let _calling = self.ledger.calling(what);
            // What is refused now may be done when it is asked again: the game goes on.
            self.ledger.asked_again(game, request_id);
            let again = once(request, &call).await;
            match (&done, &again) {
                (Ok(_), Err(status)) if is_definite(status) && !self.ledger.went_back_lately() => {
                    self.ledger.violated(format!(
                        "{request_id} of {game} was done, and its repetition is refused: {status}"
                    ));
                }
                _ => note(&self.ledger, game, request_id, again.as_ref().map(|_| ())),
            }
        }
        done
    }

    /// Makes a game, and says its id.
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
            game_master: game.led,
            start_when_full: true,
            pace: Some(Pace {
                standard: Some(PhasePace {
                    interval: seconds(game.interval),
                    ..PhasePace::default()
                }),
                ..Pace::default()
            }),
            request_id: format!("creation-{index:012}"),
            // The followers name an audience by its seat, which lots would change at the start.
            seats_in_order: true,
            ..CreateGameRequest::default()
        };
        loop {
            let done = {
                let _calling = self.ledger.calling(format!("{} creates a game", self.name));
                once(request.clone(), async |request| engine.games().create_game(request).await)
                    .await
            };
            match done {
                Ok(done) => return done.game.unwrap_or_default().game_id,
                Err(status) if is_definite(&status) => {
                    self.ledger.violated(format!("no game is made: {status}"));
                    return String::new();
                }
                Err(_) => sleep(self.chance.millis(200..2_000)).await,
            }
        }
    }

    /// Takes a seat.
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
                    return self.ledger.violated(format!("{} cannot join: {status}", self.name));
                }
                Err(_) => sleep(self.chance.millis(200..2_000)).await,
            }
        }
    }

    /// Plays a game until people stop acting.
    pub async fn play(mut self, game: String) {
        let engine = self.connect().await;
        while Instant::now() < self.until {
            // Now and then they have something else to do, and a deadline is met by nobody's step.
            let longest = if self.chance.in_1000(60) { 30_000 } else { 6_000 };
            sleep(self.chance.millis(100..longest)).await;
            let act = self.chance.below(100);
            let acted = match act {
                0..70 => self.order(&engine, &game).await,
                70..80 => self.write(&engine, &game).await,
                80..95 => self.read(&engine, &game).await,
                _ => self.blunder(&engine, &game).await,
            };
            if let Err(status) = acted {
                traced!("{}: {:?} {}", self.name, status.code(), reason(&status));
                if matches!(status.code(), Code::Internal | Code::Unknown | Code::DataLoss)
                    && !reason(&status).is_empty()
                {
                    self.ledger.violated(format!("{}: {status}", self.name));
                }
            }
        }
    }

    async fn offers(&mut self, engine: &Engine, game: &str) -> Result<GetOffersResponse, Status> {
        let _calling = self.ledger.calling(format!("{} asks for offers of {game}", self.name));
        let request = GetOffersRequest { game_id: game.to_owned(), seat: None };
        Ok(engine.games().get_offers(request).await?.into_inner())
    }

    /// Gives an order that is offered, and is ready if that is asked for.
    async fn order(&mut self, engine: &Engine, game: &str) -> Result<(), Status> {
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
        // What one engine offers another must take.
        if self.chance.in_1000(350) {
            engine.line().hang_up();
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
                self.ledger.count("orders taken");
                self.reads_its_own(engine, game, done.cursor).await
            }
            Err(status) => {
                // Nobody moved the game meanwhile, so what was offered is what is asked; but an engine
                // whose store is away offers what it has in memory, and where automation plays for
                // somebody, they are shown what it is asked.
                let wrong = is_definite(&status)
                    && reason(&status) != "NOT_YOUR_SEAT"
                    && before.is_some()
                    && before == self.world.head(game).ok()
                    && !self.world.had_trouble(Duration::from_secs(30));
                if wrong {
                    self.ledger.violated(format!(
                        "{request_id} of {game} is refused as {} at phase {phase:?} and revision \
                         {revision:?}, which was offered at entry {before:?}",
                        reason(&status)
                    ));
                }
                self.ledger.count("orders not taken");
                Err(status)
            }
        }
    }

    /// What was done is seen at once, at every engine, unless the store is away.
    async fn reads_its_own(
        &mut self,
        engine: &Engine,
        game: &str,
        done: Option<Cursor>,
    ) -> Result<(), Status> {
        let engine = if self.chance.in_1000(500) {
            engine.line().hang_up();
            engine.clone()
        } else {
            engine.clone()
        };
        let _calling = self.ledger.calling(format!("{} reads {game}", self.name));
        let request = GetViewRequest { game_id: game.to_owned(), ..GetViewRequest::default() };
        let cursor = engine.games().get_view(request).await?.into_inner().cursor;
        let seen = cursor;
        let number = |cursor: Option<Cursor>| cursor.map_or(0, |cursor| cursor.number);
        let (done, seen) = (number(done), number(seen));
        if seen < done && !self.world.had_trouble(Duration::from_secs(12)) {
            self.ledger.violated(format!(
                "{} did event {done} of {game}, and reads it as it was at {seen}",
                self.name
            ));
        }
        self.reads_what_is_there(game, cursor);
        Ok(())
    }

    /// Once the store went back, nothing is read that it does not hold.
    fn reads_what_is_there(&self, game: &str, cursor: Option<Cursor>) {
        if self.ledger.notes().went_back.is_none() || self.world.had_trouble(GHOSTS_GONE) {
            return;
        }
        let Some(Cursor { audience: Some(audience), number, .. }) = cursor else { return };
        let audience = match audience.kind {
            Some(audience::Kind::Seat(seat)) => Audience::Seat(seat),
            Some(audience::Kind::Spectators(_)) => Audience::Spectators,
            _ => return,
        };
        let there = told_until_now(&self.world, game, audience);
        if number > there {
            self.ledger.violated(format!(
                "{} reads event {number} of {game} as {audience:?}, and the store has {there}",
                self.name
            ));
        }
    }

    async fn read(&mut self, engine: &Engine, game: &str) -> Result<(), Status> {
        self.reads_its_own(engine, game, None).await
    }

    /// Writes a letter to everybody; or to one other, of which nobody else may learn what it says.
    /// Now and then by another client, which gives no request id: then nothing but the engine's
    /// care keeps it from being written twice.
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
            let _calling = self.ledger.calling(format!("{} writes {request_id}", self.name));
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
        self.ledger.count(confidant.map_or("letters written", |_| "private letters written"));
        Ok(())
    }

    /// The seat of whom this person writes private letters, if that is somebody in the game.
    fn confidant(&self, game: &str) -> Option<u32> {
        let [one, other] = Plan::confidants();
        match self.node {
            node if node == one => self.world.seat_of(game, other),
            node if node == other => self.world.seat_of(game, one),
            _ => None,
        }
    }

    /// Orders what cannot be.
    async fn blunder(&mut self, engine: &Engine, game: &str) -> Result<(), Status> {
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
        match done {
            Ok(done) => {
                self.ledger.violated(format!("{} eats the moon: {done:?}", self.name));
                Ok(())
            }
            Err(_) => Ok(()),
        }
    }

    /// Follows a game for as long as the run lasts.
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
            if self.dawdles && Instant::now() < self.until && self.chance.in_1000(200) {
                sleep(self.chance.millis(1_000..15_000)).await;
            }
            let heard = follower.next().await;
            match heard {
                Ok(Heard::Opening(opening)) => {
                    let mut notes = self.ledger.notes();
                    let told = notes.told.entry(key.clone()).or_default();
                    if told.after.is_none() {
                        told.after = opening.cursor.map(|cursor| cursor.number);
                    }
                }
                Ok(Heard::Event(event)) => {
                    let number = event.number;
                    let expected = self.hear(&key, *event);
                    if expected != Some(number) {
                        self.ledger.violated(format!(
                            "{} hears of event {number} of {:?} of {}, not of {expected:?}",
                            self.name, key.1, key.0
                        ));
                        return;
                    }
                }
                Ok(Heard::CaughtUp(_)) => {}
                Ok(Heard::FellBehind) => self.ledger.count("streams fell behind"),
                Ok(Heard::Lost(_, failure)) => {
                    self.ledger.count("streams lost");
                    if failure.report().reason == "CURSOR_INVALID" {
                        let mut notes = self.ledger.notes();
                        if notes.went_back.is_none() {
                            drop(notes);
                            return self.cannot_follow(&key, &failure);
                        }
                        *notes.told.entry(key.clone()).or_default() = Told::default();
                        drop(notes);
                        self.ledger.count("streams that started over");
                    }
                    if told_of(&failure).contains("nothing was heard") && !self.was_cut_off() {
                        self.ledger.violated(format!(
                            "{} as {:?} of {} was told nothing for a minute",
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
        self.ledger.violated(format!("{} cannot follow {audience:?} of {game}: {why}", self.name));
    }

    /// Whether something kept them lately from hearing a stream.
    fn was_cut_off(&self) -> bool {
        let now = ground::elapsed();
        self.cut_off.iter().any(|(from, until)| *from <= now && now <= *until + PATIENCE)
    }

    /// Notes an event; answers which number it should have.
    fn hear(&self, key: &(String, Audience, Node), event: Event) -> Option<u64> {
        let mut notes = self.ledger.notes();
        let told = notes.told.entry(key.clone()).or_default();
        let expected = told.last().map(|last| last + 1);
        told.events.push(event);
        expected
    }

    /// Opens a stream now and then, and never reads it.
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

/// The reason of an error, if the engine gave one.
pub fn reason(status: &Status) -> String {
    status.get_details_error_info().map(|info| info.reason).unwrap_or_default()
}

/// Whether a refusal is one for good: it says that nothing was done.
pub fn is_definite(status: &Status) -> bool {
    const PASSING: [&str; 6] =
        ["", "DRAINING", "JOURNAL_UNAVAILABLE", "LOST_RACE", "OVERLOADED", "RATE_LIMITED"];
    !PASSING.contains(&reason(status).as_str())
}

fn note(ledger: &Ledger, game: &str, request_id: &str, done: Result<(), &Status>) {
    let known = ledger.notes().requests.get(&(game.to_owned(), request_id.to_owned())).cloned();
    match done {
        Ok(()) => {
            if let Some(Came::Refused(why)) = known {
                ledger
                    .violated(format!("{request_id} of {game} was refused ({why}) and then done"));
            }
            ledger.came(game, request_id, Came::Done);
        }
        Err(status) if is_definite(status) && known == Some(Came::Asked) => {
            ledger.came(game, request_id, Came::Refused(reason(status)));
        }
        Err(_) => {}
    }
}

/// Until when a call may last: longer than all patience of client and engine together.
pub const CALL_MAX: Duration = Duration::from_secs(150);

/// Calls that should have ended.
pub fn overdue(ledger: &Ledger) -> Vec<String> {
    let now = ground::elapsed().as_millis() as u64;
    let notes = ledger.notes();
    let late = notes.calls.values().filter(|(_, since)| now - since > CALL_MAX.as_millis() as u64);
    late.map(|(what, since)| format!("{what} since {since} ms")).collect()
}
