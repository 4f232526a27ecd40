//! Games under load: a seat whose orders put an ownership marker down and take it up again, for
//! ever.

use bytes::Bytes;
use heliopause_proto::starships_at_large::v1::{Hex, Order, PutMarker, TakeUpMarker, order};
use heliopause_proto::v1::{GameOrder, GetViewRequest, Orders, SubmitOrdersRequest, game_order};
use heliopause_tests::{Engine, Player, Sandbox};
use prost::Message;

use crate::wire::Wire;

/// The call.
pub(crate) const SUBMIT: &str = "/heliopause.v1.GameService/SubmitOrders";

/// What is read of the answer to a submit: where the seat stands now.
#[derive(Clone, PartialEq, Message)]
struct Answer {
    #[prost(bytes = "bytes", repeated, tag = "2")]
    events: Vec<Bytes>,
    #[prost(uint64, tag = "3")]
    phase: u64,
    #[prost(uint64, tag = "4")]
    revision: u64,
}

/// A sandbox game of one player, and where it stands.
pub(crate) struct Toggled {
    pub(crate) game_id: String,
    phase: u64,
    revision: u64,
    down: bool,
    number: u64,
}

impl Toggled {
    pub(crate) async fn new(owner: &Player) -> Self {
        let sandbox = Sandbox::new(owner, 1, &[]).await;
        let view = sandbox.view(1).await;
        let (phase, revision) = (view.phase.unwrap_or(0), view.revision.unwrap_or(0));
        Self { game_id: sandbox.game_id, phase, revision, down: false, number: 0 }
    }

    /// So many games.
    pub(crate) async fn games(owner: &Player, count: usize) -> Vec<Self> {
        let mut games = Vec::new();
        for _ in 0..count {
            games.push(Self::new(owner).await);
        }
        games
    }

    /// The next submit, with so many orders.
    pub(crate) fn request(&mut self, orders: usize) -> Bytes {
        let orders = (0..orders).map(|_| {
            self.down = !self.down;
            toggle(self.down)
        });
        let orders = Orders { orders: orders.collect(), ..Orders::default() };
        self.number += 1;
        let request = SubmitOrdersRequest {
            game_id: self.game_id.clone(),
            seat: Some(1),
            phase: Some(self.phase),
            revision: Some(self.revision),
            request_id: format!("load-{:012}", self.number),
            orders: Some(orders),
            ready: false,
        };
        request.encode_to_vec().into()
    }

    /// Reads an answer: how many events the seat was told.
    pub(crate) fn answered(&mut self, answer: Bytes) -> usize {
        let answer = Answer::decode(answer).expect("an answer");
        (self.phase, self.revision) = (answer.phase, answer.revision);
        answer.events.len()
    }

    /// Submits so many orders, and waits for the answer.
    pub(crate) async fn submit(&mut self, wire: &Wire, orders: usize) -> usize {
        let request = self.request(orders);
        self.answered(wire.call(SUBMIT, request).await)
    }

    /// How large a submit of one order and its answer are.
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

/// How many events spectators were told of a game.
pub(crate) async fn told_spectators(owner: &Player, game_id: &str) -> u64 {
    let request = GetViewRequest {
        game_id: game_id.to_owned(),
        seat: None,
        as_spectator: true,
        ..GetViewRequest::default()
    };
    let view = owner.games().get_view(request).await.expect("a view").into_inner();
    view.cursor.expect("a cursor").number
}

/// The flags that lift what would limit one player's load.
pub(crate) const UNLIMITED: [&str; 7] =
    ["--sandbox", "--stream-limit", "4000", "--games-limit", "1000000", "--evict-after", "1h"];

/// An engine on SQLite on a disk.
pub(crate) fn durable_engine(disk: &std::path::Path) -> Engine {
    let data = tempfile::tempdir_in(disk).expect("a temporary directory");
    let arguments = UNLIMITED.map(str::to_owned).to_vec();
    Engine::on(data.into(), heliopause_tests::EngineOptions { arguments, ..Default::default() })
}

/// An engine that keeps nothing.
pub(crate) fn forgetful_engine() -> Engine {
    Engine::in_memory(&UNLIMITED)
}
