//! Sandbox games: every seat in one hand.

use heliopause_proto::v1::*;
use tonic::Status;

use crate::{Player, STARSHIPS};

/// A sandbox game and its owner.
pub struct Sandbox {
    /// Who holds every seat.
    pub owner: Player,
    pub game_id: String,
    /// How many orders were given, for request ids.
    pub requests: std::sync::atomic::AtomicU64,
}

/// The seat of a request; 0 leaves it to the engine which one is meant.
fn some(seat: u32) -> Option<u32> {
    (seat > 0).then_some(seat)
}

impl Sandbox {
    /// A sandbox game with so many players, set up by its options, whose first dice are scripted.
    pub async fn new(owner: &Player, players: u32, dice: &[u32]) -> Self {
        let request = CreateSandboxGameRequest {
            kind: STARSHIPS.to_owned(),
            players: Some(players),
            dice: dice.to_vec(),
            seed: vec![7; 32].into(),
            ..CreateSandboxGameRequest::default()
        };
        Self::create(owner, request).await.expect("a sandbox game")
    }

    /// A sandbox game as a request says.
    pub async fn create(owner: &Player, request: CreateSandboxGameRequest) -> Result<Self, Status> {
        let game = owner
            .sandboxes()
            .create_sandbox_game(request)
            .await?
            .into_inner()
            .game
            .expect("a game");
        Ok(Self { owner: owner.clone(), game_id: game.game_id, requests: 0.into() })
    }

    /// What a seat sees.
    pub async fn view(&self, seat: u32) -> GetViewResponse {
        let request = GetViewRequest {
            game_id: self.game_id.clone(),
            seat: some(seat),
            as_spectator: false,
            ..GetViewRequest::default()
        };
        self.owner.games().get_view(request).await.expect("a view").into_inner()
    }

    /// What a seat may order.
    pub async fn offers(&self, seat: u32) -> GetOffersResponse {
        let request = GetOffersRequest { game_id: self.game_id.clone(), seat: some(seat) };
        self.owner.games().get_offers(request).await.expect("offers").into_inner()
    }

    /// Orders a text for a seat at the place where it stands now.
    pub async fn order(&self, seat: u32, text: &str) -> Result<SubmitOrdersResponse, Status> {
        let view = self.view(seat).await;
        let number = self.requests.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let request = SubmitOrdersRequest {
            game_id: self.game_id.clone(),
            seat: some(seat),
            phase: view.phase,
            revision: view.revision,
            request_id: format!("sandbox-{number}"),
            orders: Some(Orders { text: text.to_owned(), ..Orders::default() }),
            ready: false,
        };
        Ok(self.owner.games().submit_orders(request).await?.into_inner())
    }

    /// Closes the open phase.
    pub async fn close(&self) -> Game {
        let request = CloseSandboxPhaseRequest {
            game_id: self.game_id.clone(),
            ..CloseSandboxPhaseRequest::default()
        };
        let answer = self.owner.sandboxes().close_sandbox_phase(request).await;
        answer.expect("a phase can be closed").into_inner().game.expect("a game")
    }

    /// Sets the clock forward.
    pub async fn advance(&self, seconds: i64) -> Result<AdvanceClockResponse, Status> {
        let by = Some(prost_types::Duration { seconds, nanos: 0 });
        let request = AdvanceClockRequest {
            game_id: self.game_id.clone(),
            by,
            ..AdvanceClockRequest::default()
        };
        Ok(self.owner.sandboxes().advance_clock(request).await?.into_inner())
    }

    /// The events of a seat after a number.
    pub async fn history(&self, seat: u32, after: u64) -> Vec<Event> {
        let request = GetHistoryRequest {
            game_id: self.game_id.clone(),
            seat: some(seat),
            after: Some(Cursor { number: after, ..Cursor::default() }),
            page_size: 200,
            ..GetHistoryRequest::default()
        };
        self.owner.games().get_history(request).await.expect("a history").into_inner().events
    }
}
