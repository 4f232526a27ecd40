//! Sandbox games, in which one player has every seat.

use heliopause_proto::v1::*;
use tonic::Status;

use crate::{OfGame as _, Player, STARSHIPS, order_text, orders_at, seconds};

/// A sandbox game and its owner.
pub struct Sandbox {
    pub owner: Player,
    pub game_id: String,
    pub requests: std::sync::atomic::AtomicU64,
}

/// Returns the seat of a request, or `None` for 0, which lets the engine choose.
fn some(seat: u32) -> Option<u32> {
    (seat > 0).then_some(seat)
}

impl Sandbox {
    pub async fn new(owner: &Player, players: u32, dice: &[u32]) -> Self {
        let change = |request: &mut CreateSandboxGameRequest| {
            request.players = Some(players);
            request.dice = dice.to_vec();
        };
        Self::of(owner, STARSHIPS, change).await
    }

    /// Creates a sandbox game of this kind with a fixed seed.
    pub async fn of(
        owner: &Player,
        kind: &str,
        change: impl FnOnce(&mut CreateSandboxGameRequest),
    ) -> Self {
        let mut request = CreateSandboxGameRequest {
            kind: kind.to_owned(),
            seed: vec![7; 32].into(),
            ..CreateSandboxGameRequest::default()
        };
        change(&mut request);
        Self::create(owner, request).await.expect("a sandbox game")
    }

    /// Creates a sandbox game with player A's starship next to a face-down marker. All other
    /// markers and dice are fixed.
    pub async fn beside(owner: &Player, marker: &str, dice: &[u32]) -> Self {
        let hex = format!(r#"{{"hex":{{"q":1,"r":0}},"marker":"{marker}"}}"#);
        let json = format!(r#"{{"starshipsAtLarge":{{"players":[{{}},{{}}],"hexes":[{hex}]}}}}"#);
        let change = |request: &mut CreateSandboxGameRequest| {
            request.position = Some(heliopause_proto::json::from_text(&json).expect("a position"));
            request.dice = dice.to_vec();
            request.seed = vec![1; 32].into();
        };
        Self::of(owner, STARSHIPS, change).await
    }

    pub async fn create(owner: &Player, request: CreateSandboxGameRequest) -> Result<Self, Status> {
        let game = owner.call(request).await?.game.expect("a game");
        Ok(Self { owner: owner.clone(), game_id: game.game_id, requests: 0.into() })
    }

    /// Returns this game as its owner plays it at another engine.
    #[must_use]
    pub fn at(&self, owner: Player) -> Self {
        Self { owner, game_id: self.game_id.clone(), requests: 1_000.into() }
    }

    pub async fn validate(&self, seat: u32, text: &str) -> Result<ValidateOrdersResponse, Status> {
        let (game_id, orders) = (self.game_id.clone(), order_text(text));
        self.owner.call(ValidateOrdersRequest { game_id, seat: some(seat), orders }).await
    }

    pub async fn position(&self) -> GetPositionResponse {
        self.owner.does(GetPositionRequest { game_id: self.game_id.clone() }).await
    }

    pub async fn view(&self, seat: u32) -> GetViewResponse {
        let request = GetViewRequest { seat: some(seat), ..GetViewRequest::of(&self.game_id) };
        self.owner.does(request).await
    }

    pub async fn offers(&self, seat: u32) -> GetOffersResponse {
        self.owner.does(GetOffersRequest { game_id: self.game_id.clone(), seat: some(seat) }).await
    }

    pub async fn order(&self, seat: u32, text: &str) -> Result<SubmitOrdersResponse, Status> {
        let view = self.view(seat).await;
        let number = self.requests.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let request =
            orders_at(&view, &self.game_id, some(seat), &format!("sandbox-{number}"), text);
        self.owner.call(request).await
    }

    pub async fn close(&self) -> Game {
        let request = CloseSandboxPhaseRequest::of(&self.game_id);
        self.owner.does(request).await.game.expect("a game")
    }

    pub async fn advance(&self, time: i64) -> Result<AdvanceClockResponse, Status> {
        let by = seconds(time);
        let request =
            AdvanceClockRequest { duration: by, ..AdvanceClockRequest::of(&self.game_id) };
        self.owner.call(request).await
    }

    pub async fn history(&self, seat: u32, after: u64) -> Vec<Event> {
        let request = GetHistoryRequest {
            seat: some(seat),
            after: Some(Cursor { number: after, ..Cursor::default() }),
            page_size: 200,
            ..GetHistoryRequest::of(&self.game_id)
        };
        self.owner.does(request).await.events
    }
}
