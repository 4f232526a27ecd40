//! Simulated guests. Each guest plays one game after another and follows the game with a stream.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use heliopause_proto::v1::stream_events_response::Part;
use heliopause_proto::v1::*;
use heliopause_tests::{OfGame as _, Player, Sandbox, automated, orders_at};
use tonic::{Status, Streaming};

#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) games: AtomicU64,
    pub(crate) orders: AtomicU64,
    pub(crate) events: AtomicU64,
    pub(crate) refused: AtomicU64,
    pub(crate) cut: AtomicU64,
    pub(crate) resumed: AtomicU64,
    wrong: Mutex<Vec<String>>,
}

impl Tally {
    fn add(counter: &AtomicU64) {
        counter.fetch_add(1, Ordering::Relaxed);
    }

    fn note(&self, what: String) {
        self.wrong.lock().expect("nobody panics with it").push(what);
    }

    pub(crate) fn wrong(&self) -> String {
        self.wrong.lock().expect("nobody panics with it").join("\n")
    }
}

const KINDS: [(&str, u32); 5] = [
    ("starships-at-large", 2),
    ("diplomacy", 3),
    ("stellar-conquest", 2),
    ("star-empires", 2),
    ("fate-of-empire", 1),
];

const ORDERS: u64 = 40;

struct Place {
    game_id: String,
    number: u64,
}

pub(crate) struct Guest {
    pub(crate) player: Player,
    number: usize,
    watches: bool,
    games: usize,
    last: Option<Place>,
}

impl Guest {
    pub(crate) fn new(player: Player, number: usize, watches: bool) -> Self {
        Self { player, number, watches, games: 0, last: None }
    }

    pub(crate) async fn stay(&mut self, stop: &AtomicBool, tally: &Tally) {
        if let Err(status) = self.resume(tally).await {
            tally.note(format!("after a restart: {status}"));
        }
        while !stop.load(Ordering::Relaxed) {
            let played = if self.watches {
                self.watch(stop, tally).await
            } else {
                self.play(stop, tally).await
            };
            match played {
                Ok(()) => {}
                Err(status) if is_cut(&status) => {
                    Tally::add(&tally.cut);
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                }
                Err(status) => tally.note(format!("a call failed: {status:?}")),
            }
        }
    }

    async fn resume(&mut self, tally: &Tally) -> Result<(), Status> {
        let Some(place) = self.last.take() else { return Ok(()) };
        let request = GetViewRequest { seat: Some(1), ..GetViewRequest::of(&place.game_id) };
        let view = self.player.call(request).await?;
        let number = view.cursor.map_or(0, |cursor| cursor.number);
        if number < place.number {
            let lost = format!("{}: event {} of {number} is gone", place.game_id, place.number);
            tally.note(lost);
        }
        Tally::add(&tally.resumed);
        Ok(())
    }

    async fn play(&mut self, stop: &AtomicBool, tally: &Tally) -> Result<(), Status> {
        let (kind, players) = KINDS[(self.number + self.games) % KINDS.len()];
        self.games += 1;
        let request = CreateSandboxGameRequest {
            kind: kind.to_owned(),
            players: Some(players),
            ..CreateSandboxGameRequest::default()
        };
        let sandbox = Sandbox::create(&self.player, request).await?;
        Tally::add(&tally.games);
        let mut stream = follow(&self.player, &sandbox.game_id, Some(1)).await?;
        let mut heard = 0;
        for turn in 0..ORDERS {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let seat = 1 + (turn % u64::from(players)) as u32;
            self.order(&sandbox, seat, turn, tally).await?;
            if turn % 4 == 3 {
                let close = ClosePhaseRequest::of(&sandbox.game_id);
                if let Err(status) = self.player.call(close).await {
                    refused(status, tally)?;
                }
            }
            hear(&mut stream, &mut heard, tally).await?;
        }
        self.last = None;
        Ok(())
    }

    async fn order(
        &mut self,
        sandbox: &Sandbox,
        seat: u32,
        turn: u64,
        tally: &Tally,
    ) -> Result<(), Status> {
        let game_id = sandbox.game_id.clone();
        let request = GetOffersRequest { game_id: game_id.clone(), seat: Some(seat) };
        let offers = match self.player.call(request).await {
            Ok(offers) => offers,
            Err(status) => return refused(status, tally),
        };
        let lines = heliopause_tests::lines(&offers);
        let Some(line) = lines.get((turn as usize * 7 + self.number) % lines.len().max(1)) else {
            return Ok(());
        };
        let look = GetViewRequest { seat: Some(seat), ..GetViewRequest::of(&game_id) };
        let view = self.player.call(look).await?;
        let request = orders_at(&view, &game_id, Some(seat), &format!("{turn}"), line);
        match self.player.call(request).await {
            Ok(answer) => {
                Tally::add(&tally.orders);
                if seat == 1 {
                    let number = answer.cursor.map_or(0, |cursor| cursor.number);
                    self.last = Some(Place { game_id, number });
                }
                Ok(())
            }
            Err(status) => refused(status, tally),
        }
    }

    async fn watch(&mut self, stop: &AtomicBool, tally: &Tally) -> Result<(), Status> {
        self.games += 1;
        let request = CreateGameRequest {
            kind: "starships-at-large".to_owned(),
            seats: vec![automated("random"); 2],
            spectate: true,
            start_when_full: true,
            ..CreateGameRequest::default()
        };
        let game = self.player.call(request).await?.game;
        let Some(game) = game else { return Ok(()) };
        Tally::add(&tally.games);
        let mut stream = follow(&self.player, &game.game_id, None).await?;
        let mut heard = 0;
        for _ in 0..600 {
            if stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            hear(&mut stream, &mut heard, tally).await?;
            let now = self.player.call(GetGameRequest::of(&game.game_id)).await?.game;
            if now.is_none_or(|now| now.status() == GameStatus::Ended) {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        Ok(())
    }
}

async fn follow(
    player: &Player,
    game_id: &str,
    seat: Option<u32>,
) -> Result<Streaming<StreamEventsResponse>, Status> {
    let request = StreamEventsRequest {
        seat,
        as_spectator: seat.is_none(),
        ..StreamEventsRequest::of(game_id)
    };
    player.call(request).await
}

async fn hear(
    stream: &mut Streaming<StreamEventsResponse>,
    heard: &mut u64,
    tally: &Tally,
) -> Result<(), Status> {
    while let Ok(part) = tokio::time::timeout(Duration::from_millis(2), stream.message()).await {
        let Some(StreamEventsResponse { part: Some(part) }) = part? else { return Ok(()) };
        if let Part::Event(event) = part {
            if *heard > 0 && event.number != *heard + 1 {
                tally.note(format!("event {} follows event {heard}", event.number));
            }
            *heard = event.number;
            Tally::add(&tally.events);
        }
    }
    Ok(())
}

/// Returns whether a call failed because the engine disappeared. Otherwise the engine rejected the
/// call.
fn is_cut(status: &Status) -> bool {
    use tonic::Code::{Cancelled, Internal, Unavailable, Unknown};
    heliopause_tests::reason(status).starts_with("no reason")
        && matches!(status.code(), Unavailable | Unknown | Cancelled | Internal)
}

/// Counts a rejection, which is a normal part of play. Returns the error if the engine disappeared.
fn refused(status: Status, tally: &Tally) -> Result<(), Status> {
    if is_cut(&status) {
        return Err(status);
    }
    Tally::add(&tally.refused);
    Ok(())
}
