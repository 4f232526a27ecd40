//! Games under load, in which a seat repeatedly places an ownership marker and takes it up again.

use bytes::Bytes;
use heliopause_proto::starships_at_large::v1::{Hex, Order, PutMarker, TakeUpMarker, order};
use heliopause_proto::v1::{GameOrder, GetViewRequest, Orders, SubmitOrdersRequest, game_order};
use heliopause_tests::{Engine, OfGame as _, Player, Sandbox};
use prost::Message;

use crate::wire::Wire;

pub(crate) const SUBMIT: &str = "/heliopause.v1.GameService/SubmitOrders";

#[derive(Clone, PartialEq, Message)]
struct Answer {
    #[prost(bytes = "bytes", repeated, tag = "2")]
    events: Vec<Bytes>,
    #[prost(uint64, tag = "3")]
    phase: u64,
    #[prost(uint64, tag = "4")]
    revision: u64,
}

pub(crate) struct ToggleGame {
    pub(crate) game_id: String,
    phase: u64,
    revision: u64,
    down: bool,
    number: u64,
}

impl ToggleGame {
    pub(crate) async fn new(owner: &Player) -> Self {
        let sandbox = Sandbox::new(owner, 1, &[]).await;
        let view = sandbox.view(1).await;
        let (phase, revision) = (view.phase.unwrap_or(0), view.revision.unwrap_or(0));
        Self { game_id: sandbox.game_id, phase, revision, down: false, number: 0 }
    }

    pub(crate) async fn games(owner: &Player, count: usize) -> Vec<Self> {
        let mut games = Vec::new();
        for _ in 0..count {
            games.push(Self::new(owner).await);
        }
        games
    }

    pub(crate) fn request(&mut self, orders: usize) -> Bytes {
        let orders = (0..orders).map(|_| {
            self.down = !self.down;
            toggle(self.down)
        });
        let orders = Orders { orders: orders.collect(), ..Orders::default() };
        self.number += 1;
        let request = SubmitOrdersRequest {
            seat: Some(1),
            phase: Some(self.phase),
            revision: Some(self.revision),
            request_id: format!("load-{:012}", self.number),
            orders: Some(orders),
            ..SubmitOrdersRequest::of(&self.game_id)
        };
        request.encode_to_vec().into()
    }

    pub(crate) fn answered(&mut self, answer: Bytes) -> usize {
        let answer = Answer::decode(answer).expect("an answer");
        (self.phase, self.revision) = (answer.phase, answer.revision);
        answer.events.len()
    }

    pub(crate) async fn submit(&mut self, wire: &Wire, orders: usize) -> usize {
        let request = self.request(orders);
        self.answered(wire.call(SUBMIT, request).await)
    }

    pub(crate) async fn sizes(&mut self, wire: &Wire) -> (usize, usize) {
        let request = self.request(1);
        let answer = wire.call(SUBMIT, request.clone()).await;
        self.answered(answer.clone());
        (request.len(), answer.len())
    }
}

fn toggle(down: bool) -> GameOrder {
    let at = Some(Hex { q: 0, r: 0 });
    let kind = if down {
        order::Kind::PutMarker(PutMarker { at })
    } else {
        order::Kind::TakeUpMarker(TakeUpMarker { at })
    };
    GameOrder { game: Some(game_order::Game::StarshipsAtLarge(Order { kind: Some(kind) })) }
}

pub(crate) async fn spectator_events(owner: &Player, game_id: &str) -> u64 {
    let request = GetViewRequest { as_spectator: true, ..GetViewRequest::of(game_id) };
    let view = owner.does(request).await;
    view.cursor.expect("a cursor").number
}

/// Engine flags that lift the limits on a single player.
pub(crate) const UNLIMITED: [&str; 7] =
    ["--sandbox", "--stream-limit", "4000", "--games-limit", "1000000", "--evict-after", "1h"];

pub(crate) fn durable_engine(disk: &str) -> Engine {
    let data = tempfile::tempdir_in(disk).expect("a temporary directory");
    let arguments = UNLIMITED.map(str::to_owned).to_vec();
    Engine::on(data.into(), heliopause_tests::EngineOptions { arguments, ..Default::default() })
}

pub(crate) fn memory_engine() -> Engine {
    Engine::in_memory(&UNLIMITED)
}
