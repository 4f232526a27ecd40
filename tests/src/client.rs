//! Players that call an engine with gRPC, and builders of their requests.

use std::time::Duration;

use heliopause_proto::v1::admin_service_client::AdminServiceClient;
use heliopause_proto::v1::analysis_service_client::AnalysisServiceClient;
use heliopause_proto::v1::automation_service_client::AutomationServiceClient;
use heliopause_proto::v1::chat_service_client::ChatServiceClient;
use heliopause_proto::v1::game_master_service_client::GameMasterServiceClient;
use heliopause_proto::v1::game_service_client::GameServiceClient;
use heliopause_proto::v1::player_service_client::PlayerServiceClient;
use heliopause_proto::v1::profile_service_client::ProfileServiceClient;
use heliopause_proto::v1::quick_play_service_client::QuickPlayServiceClient;
use heliopause_proto::v1::sandbox_service_client::SandboxServiceClient;
use heliopause_proto::v1::stream_events_response::Part;
use heliopause_proto::v1::tournament_service_client::TournamentServiceClient;
use heliopause_proto::v1::*;
use heliopause_proto::{diplomacy::v1 as diplomacy, star_empires::v1 as empires};
use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::Channel;
use tonic::{Request, Status, Streaming};
use tonic_types::StatusExt as _;

use crate::{OfGame as _, STARSHIPS};

/// An interceptor that adds the token to every call.
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
    pub id: String,
    pub name: String,
}

/// Returns the reason of an error, for example `"ORDER_REFUSED"`. Describes an error without a
/// reason.
pub fn reason(status: &Status) -> String {
    status
        .get_details_error_info()
        .map_or_else(|| format!("no reason: {status:?}"), |info| info.reason)
}

/// Returns a value from an error's metadata, or an empty string if there is none.
pub fn word(status: &Status, key: &str) -> String {
    let info = status.get_details_error_info();
    info.and_then(|info| info.metadata.get(key).cloned()).unwrap_or_default()
}

/// Returns the first field that an error names, or an empty string if there is none.
pub fn violation(status: &Status) -> String {
    let request = status.get_details_bad_request();
    request
        .and_then(|request| request.field_violations.first().map(|one| one.field.clone()))
        .unwrap_or_default()
}

/// Builds orders from text.
pub fn order_text(text: impl Into<String>) -> Option<Orders> {
    Some(Orders { text: text.into(), ..Orders::default() })
}

/// Builds a request with text orders for the phase and revision of a view.
pub fn orders_at(
    view: &GetViewResponse,
    game_id: &str,
    seat: Option<u32>,
    request_id: &str,
    text: &str,
) -> SubmitOrdersRequest {
    SubmitOrdersRequest {
        seat,
        phase: view.phase,
        revision: view.revision,
        request_id: request_id.to_owned(),
        orders: order_text(text),
        ..SubmitOrdersRequest::of(game_id)
    }
}

/// Builds a duration for a message of the contract.
pub fn seconds(seconds: i64) -> Option<prost_types::Duration> {
    Some(prost_types::Duration { seconds, nanos: 0 })
}

/// Builds a pace with phases of this length.
pub fn pace(interval: i64) -> Option<Pace> {
    let standard = Some(PhasePace { interval: seconds(interval), ..PhasePace::default() });
    Some(Pace { standard, ..Pace::default() })
}

/// Plans an open seat.
pub fn open_seat() -> SeatPlan {
    SeatPlan { plan: Some(seat_plan::Plan::Open(OpenSeat {})), ..SeatPlan::default() }
}

/// Plans a seat reserved for this player.
pub fn reserved_seat(player: &str) -> SeatPlan {
    let plan = Some(seat_plan::Plan::ReservedFor(player.to_owned()));
    SeatPlan { plan, ..SeatPlan::default() }
}

/// Plans a seat for automation at a level. An empty string selects the default level.
pub fn automated(level: &str) -> SeatPlan {
    let by = AutomatedSeat { level: level.to_owned(), ..AutomatedSeat::default() };
    SeatPlan { plan: Some(seat_plan::Plan::Automated(by)), ..SeatPlan::default() }
}

/// Returns options that end a long game early, or `None` for games that are short anyway.
pub fn short_options(kind: &str, last_year: u32, last_turn: u32) -> Option<GameOptions> {
    let game = match kind {
        "diplomacy" | "it-came-from-outer-space" => {
            let last_year = Some(last_year);
            game_options::Game::Diplomacy(diplomacy::Options { last_year, ..Default::default() })
        }
        "star-empires" => {
            let last_turn = Some(last_turn);
            game_options::Game::StarEmpires(empires::Options { last_turn, ..Default::default() })
        }
        _ => return None,
    };
    Some(GameOptions { game: Some(game) })
}

/// Defines methods that return the client of a service.
macro_rules! clients {
    ($($name:ident: $client:ident;)+) => {
        $(pub fn $name(&self) -> $client<Connection> {
            $client::with_interceptor(self.channel.clone(), self.bearer.clone())
        })+
    };
}

impl Player {
    pub async fn register(channel: Channel, name: &str) -> Self {
        let nobody = Bearer(None);
        let mut players = PlayerServiceClient::with_interceptor(channel.clone(), nobody);
        let request = RegisterRequest { name: name.to_owned(), ..RegisterRequest::default() };
        let answer = players.register(request).await.expect("registration is open").into_inner();
        let player = answer.player.expect("a player");
        Self { id: player.player_id, name: player.name, ..Self::with_token(channel, &answer.token) }
    }

    pub fn with_token(channel: Channel, token: &str) -> Self {
        let value = format!("Bearer {token}").parse().expect("a token is ASCII");
        let (id, name) = (String::new(), String::new());
        Self { channel, bearer: Bearer(Some(value)), token: token.to_owned(), id, name }
    }

    pub fn anonymous(channel: Channel) -> Self {
        Self { bearer: Bearer(None), ..Self::with_token(channel, "none") }
    }

    #[must_use]
    pub fn on(&self, channel: Channel) -> Self {
        Self { channel, ..self.clone() }
    }

    clients! {
        players: PlayerServiceClient;
        games: GameServiceClient;
        master: GameMasterServiceClient;
        admin: AdminServiceClient;
        sandboxes: SandboxServiceClient;
        profiles: ProfileServiceClient;
        quick_play: QuickPlayServiceClient;
        analyses: AnalysisServiceClient;
        tournaments: TournamentServiceClient;
        automation: AutomationServiceClient;
        chat: ChatServiceClient;
    }

    /// Creates a game that starts when its further seats are taken.
    pub async fn create(&self, further_seats: usize) -> Game {
        self.create_with(further_seats, |_| {}).await
    }

    pub async fn create_with(
        &self,
        further_seats: usize,
        change: impl FnOnce(&mut CreateGameRequest),
    ) -> Game {
        let mut request = CreateGameRequest {
            kind: STARSHIPS.to_owned(),
            seats: vec![open_seat(); further_seats + 1],
            start_when_full: true,
            seats_in_order: true,
            ..CreateGameRequest::default()
        };
        change(&mut request);
        self.does(request).await.game.expect("a game")
    }

    pub async fn create_automated(
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

    pub async fn join(&self, game_id: &str) -> Game {
        self.does(JoinGameRequest::of(game_id)).await.game.expect("a game")
    }

    pub async fn create_from(&self, request: CreateGameRequest) -> Result<Game, Status> {
        Ok(self.call(request).await?.game.expect("a game"))
    }

    pub async fn try_join(&self, game_id: &str, seat: Option<u32>) -> Result<Game, Status> {
        let request = JoinGameRequest { seat, ..JoinGameRequest::of(game_id) };
        Ok(self.call(request).await?.game.expect("a game"))
    }

    pub async fn my_games(&self) -> Vec<MyGame> {
        self.does(ListMyGamesRequest::default()).await.games
    }

    pub async fn propose(&self, game_id: &str, subject: VoteSubject) -> Vote {
        let subject = subject.into();
        let request = ProposeVoteRequest { subject, ..ProposeVoteRequest::of(game_id) };
        self.does(request).await.vote.expect("a vote")
    }

    pub async fn agree(&self, game_id: &str, vote: u64) -> Vote {
        let request = CastVoteRequest { vote, yes: true, ..CastVoteRequest::of(game_id) };
        self.does(request).await.vote.expect("a vote")
    }

    pub async fn game(&self, game_id: &str) -> Game {
        *self.does(GetGameRequest::of(game_id)).await.game.expect("a game")
    }

    pub async fn ended(&self, game_id: &str) -> Game {
        loop {
            let game = self.game(game_id).await;
            if game.status() == GameStatus::Ended {
                return game;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    pub async fn verified(&self, game_id: &str) {
        let found = self.does(VerifyGameRequest { game_id: game_id.to_owned() }).await;
        assert!(found.valid, "{found:?}");
    }

    pub async fn view(&self, game_id: &str) -> GetViewResponse {
        self.does(GetViewRequest::of(game_id)).await
    }

    pub async fn offers(&self, game_id: &str) -> GetOffersResponse {
        self.does(GetOffersRequest::of(game_id)).await
    }

    /// Returns the possible orders, without offers that have more than 400 fillings.
    pub async fn lines(&self, game_id: &str) -> Vec<String> {
        lines(&self.offers(game_id).await)
    }

    pub async fn order(
        &self,
        game_id: &str,
        text: &str,
        request_id: &str,
    ) -> Result<SubmitOrdersResponse, Status> {
        let view = self.view(game_id).await;
        let request = orders_at(&view, game_id, None, request_id, text);
        self.call(request).await
    }

    /// Submits orders. The request id is derived from the phase and revision.
    pub async fn submit(&self, game_id: &str, text: &str, ready: bool) {
        let view = self.view(game_id).await;
        let request_id = format!("{:?}-{:?}", view.phase, view.revision);
        let request = orders_at(&view, game_id, None, &request_id, text);
        let request = SubmitOrdersRequest { ready, ..request };
        let given = self.call(request).await;
        given.unwrap_or_else(|status| panic!("{text}: {status:?}"));
    }

    /// Reads all pages of a history.
    pub async fn history(&self, mut request: GetHistoryRequest) -> Vec<Event> {
        let mut events = Vec::new();
        loop {
            let page = self.does(request.clone()).await;
            events.extend(page.events);
            if page.next_page_token.is_empty() {
                return events;
            }
            request.page_token = page.next_page_token;
        }
    }

    pub async fn events(
        &self,
        game_id: &str,
        after: Option<Cursor>,
    ) -> Streaming<StreamEventsResponse> {
        self.does(StreamEventsRequest { after, ..StreamEventsRequest::of(game_id) }).await
    }

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

/// Returns the orders that the offers allow, without offers that have more than 400 fillings.
pub fn lines(response: &GetOffersResponse) -> Vec<String> {
    let offers = response.offers.as_ref().expect("offers");
    heliopause_table::offers::read(offers).expect("they hold together").lines(400).collect()
}
