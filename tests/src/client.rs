//! Players as gRPC clients.

use std::time::Duration;

use heliopause_proto::v1::admin_service_client::AdminServiceClient;
use heliopause_proto::v1::automation_service_client::AutomationServiceClient;
use heliopause_proto::v1::game_master_service_client::GameMasterServiceClient;
use heliopause_proto::v1::game_service_client::GameServiceClient;
use heliopause_proto::v1::player_service_client::PlayerServiceClient;
use heliopause_proto::v1::sandbox_service_client::SandboxServiceClient;
use heliopause_proto::v1::stream_events_response::Part;
use heliopause_proto::v1::*;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::Channel;
use tonic::{Request, Status, Streaming};
use tonic_types::StatusExt as _;

use crate::STARSHIPS;

/// Puts a token into every call.
#[derive(Clone)]
pub struct Bearer(Option<MetadataValue<Ascii>>);

impl Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(token) = &self.0 {
            request.metadata_mut().insert("authorization", token.clone());
        }
        Ok(request)
    }
}

type Connection = InterceptedService<Channel, Bearer>;

/// A client with an account.
#[derive(Clone)]
pub struct Player {
    channel: Channel,
    bearer: Bearer,
    pub token: String,
    /// The player's id; empty if the client was made from a token.
    pub id: String,
    pub name: String,
}

/// The reason of an error, for example `"ORDER_REFUSED"`.
pub fn reason(status: &Status) -> String {
    status
        .get_details_error_info()
        .map_or_else(|| format!("no reason: {status:?}"), |info| info.reason)
}

/// A word of an error's metadata.
pub fn word(status: &Status, key: &str) -> String {
    let info = status.get_details_error_info();
    info.and_then(|info| info.metadata.get(key).cloned()).unwrap_or_default()
}

/// The field that an error names.
pub fn violation(status: &Status) -> String {
    let request = status.get_details_bad_request();
    request
        .and_then(|request| request.field_violations.first().map(|one| one.field.clone()))
        .unwrap_or_default()
}

/// A seat that the AI client plays, at a level or, for an empty one, at the default.
pub fn automated(level: &str) -> SeatPlan {
    let by = AutomatedSeat { level: level.to_owned(), ..AutomatedSeat::default() };
    SeatPlan { plan: Some(seat_plan::Plan::Automated(by)), ..SeatPlan::default() }
}

impl Player {
    /// Opens an account.
    pub async fn register(channel: Channel, name: &str) -> Self {
        let nobody = Bearer(None);
        let mut players = PlayerServiceClient::with_interceptor(channel.clone(), nobody);
        let request = RegisterRequest {
            name: name.to_owned(),
            invitation: String::new(),
            ..RegisterRequest::default()
        };
        let answer = players.register(request).await.expect("registration is open").into_inner();
        let player = answer.player.expect("a player");
        Self { id: player.player_id, name: player.name, ..Self::with_token(channel, &answer.token) }
    }

    /// A client with a token, valid or not.
    pub fn with_token(channel: Channel, token: &str) -> Self {
        let value = format!("Bearer {token}").parse().expect("a token is ASCII");
        let (id, name) = (String::new(), String::new());
        Self { channel, bearer: Bearer(Some(value)), token: token.to_owned(), id, name }
    }

    /// A client without a token.
    pub fn stranger(channel: Channel) -> Self {
        Self { bearer: Bearer(None), ..Self::with_token(channel, "none") }
    }

    /// The same player on another connection.
    #[must_use]
    pub fn on(&self, channel: Channel) -> Self {
        Self { channel, ..self.clone() }
    }

    /// Accounts.
    pub fn players(&self) -> PlayerServiceClient<Connection> {
        PlayerServiceClient::with_interceptor(self.channel.clone(), self.bearer.clone())
    }

    /// Games.
    pub fn games(&self) -> GameServiceClient<Connection> {
        GameServiceClient::with_interceptor(self.channel.clone(), self.bearer.clone())
    }

    /// Leading games.
    pub fn master(&self) -> GameMasterServiceClient<Connection> {
        GameMasterServiceClient::with_interceptor(self.channel.clone(), self.bearer.clone())
    }

    /// Operating the server.
    pub fn admin(&self) -> AdminServiceClient<Connection> {
        AdminServiceClient::with_interceptor(self.channel.clone(), self.bearer.clone())
    }

    /// Sandboxes.
    pub fn sandboxes(&self) -> SandboxServiceClient<Connection> {
        SandboxServiceClient::with_interceptor(self.channel.clone(), self.bearer.clone())
    }

    /// Automated play.
    pub fn automation(&self) -> AutomationServiceClient<Connection> {
        AutomationServiceClient::with_interceptor(self.channel.clone(), self.bearer.clone())
    }

    /// Creates a game with this player in the first seat and so many further open seats; starts
    /// when full.
    pub async fn create(&self, further_seats: usize) -> Game {
        self.create_with(further_seats, |_| {}).await
    }

    /// Creates a game, changing the request before it is sent.
    pub async fn create_with(
        &self,
        further_seats: usize,
        change: impl FnOnce(&mut CreateGameRequest),
    ) -> Game {
        let open =
            || SeatPlan { plan: Some(seat_plan::Plan::Open(OpenSeat {})), ..SeatPlan::default() };
        let mut request = CreateGameRequest {
            kind: STARSHIPS.to_owned(),
            seats: (0..=further_seats).map(|_| open()).collect(),
            start_when_full: true,
            seats_in_order: true,
            ..CreateGameRequest::default()
        };
        change(&mut request);
        self.games()
            .create_game(request)
            .await
            .expect("a game can be created")
            .into_inner()
            .game
            .expect("a game")
    }

    /// Creates a game in which every seat is automated, to be watched.
    pub async fn watch_new(
        &self,
        kind: &str,
        seats: usize,
        level: &str,
        options: Option<GameOptions>,
    ) -> Game {
        let change = |request: &mut CreateGameRequest| {
            kind.clone_into(&mut request.kind);
            request.options = options;
            request.spectate = true;
            request.seats = vec![automated(level); seats];
        };
        self.create_with(0, change).await
    }

    /// Joins a game.
    pub async fn join(&self, game_id: &str) -> Game {
        let request = JoinGameRequest { game_id: game_id.to_owned(), ..JoinGameRequest::default() };
        self.games()
            .join_game(request)
            .await
            .expect("a seat is open")
            .into_inner()
            .game
            .expect("a game")
    }

    /// The game as this player sees it.
    pub async fn game(&self, game_id: &str) -> Game {
        let request = GetGameRequest { game_id: game_id.to_owned(), ..GetGameRequest::default() };
        *self.games().get_game(request).await.expect("a game").into_inner().game.expect("a game")
    }

    /// The game once it is over, however long others need for it.
    pub async fn ended(&self, game_id: &str) -> Game {
        loop {
            let game = self.game(game_id).await;
            if game.status() == GameStatus::Ended {
                return game;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// The journal of a finished game proves every step of it.
    pub async fn verified(&self, game_id: &str) {
        let request = VerifyGameRequest { game_id: game_id.to_owned() };
        let found = self
            .games()
            .verify_game(request)
            .await
            .expect("a finished game is proved")
            .into_inner();
        assert!(found.valid, "{found:?}");
    }

    /// The view of this player's seat.
    pub async fn view(&self, game_id: &str) -> GetViewResponse {
        let request = GetViewRequest { game_id: game_id.to_owned(), ..GetViewRequest::default() };
        self.games().get_view(request).await.expect("a view").into_inner()
    }

    /// What this player's seat may order.
    pub async fn offers(&self, game_id: &str) -> GetOffersResponse {
        let request =
            GetOffersRequest { game_id: game_id.to_owned(), ..GetOffersRequest::default() };
        self.games().get_offers(request).await.expect("offers").into_inner()
    }

    /// The orders that can be made of it, as far as they can be listed.
    pub async fn lines(&self, game_id: &str) -> Vec<String> {
        lines(&self.offers(game_id).await)
    }

    /// Orders a text at the place where the seat stands now.
    pub async fn order(
        &self,
        game_id: &str,
        text: &str,
        request_id: &str,
    ) -> Result<SubmitOrdersResponse, Status> {
        let view = self.view(game_id).await;
        let request = SubmitOrdersRequest {
            game_id: game_id.to_owned(),
            phase: Some(view.phase.unwrap_or(0)),
            revision: Some(view.revision.unwrap_or(0)),
            request_id: request_id.to_owned(),
            orders: Some(Orders { text: text.to_owned(), ..Orders::default() }),
            ..SubmitOrdersRequest::default()
        };
        Ok(self.games().submit_orders(request).await?.into_inner())
    }

    /// The events of a game after a cursor, or from now on.
    pub async fn events(
        &self,
        game_id: &str,
        after: Option<Cursor>,
    ) -> Streaming<StreamEventsResponse> {
        let request = StreamEventsRequest {
            game_id: game_id.to_owned(),
            after,
            ..StreamEventsRequest::default()
        };
        self.games().stream_events(request).await.expect("a stream").into_inner()
    }

    /// All events that this player has been told so far, from the very first.
    pub async fn all_events(&self, game_id: &str) -> Vec<Event> {
        let mut stream = self.events(game_id, Some(Cursor::default())).await;
        let mut events = Vec::new();
        while let Some(part) = stream.message().await.expect("a stream that goes on") {
            match part.part {
                Some(Part::Event(event)) => events.push(event),
                Some(Part::CaughtUp(_)) => return events,
                _ => {}
            }
        }
        events
    }
}

/// The orders that can be made of offers, as far as they can be listed.
pub fn lines(response: &GetOffersResponse) -> Vec<String> {
    let offers = response.offers.as_ref().expect("offers");
    heliopause_table::offers::read(offers).expect("they hold together").lines(400).collect()
}
