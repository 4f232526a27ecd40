//! The game that a watching client sees: the kit plays all its seats itself.

use std::time::Duration;

use heliopause_proto::v1::seat_plan::Plan;
use heliopause_proto::v1::{
    CreateGameRequest, GameStatus, GetGameRequest, GetOffersRequest, JoinGameRequest,
    ListKindsRequest, OpenSeat, Orders, RegisterRequest, SeatPlan, SubmitOrdersRequest,
};

use crate::engine::{Engine, hex, random};
use crate::failure::Failure;
use crate::menu::Menu;

/// So many players at most, so that there is something to see.
const PLAYERS_MAX: u32 = 6;
/// What passes between two orders, so that the client sees some of them as they happen.
const BETWEEN_ORDERS: Duration = Duration::from_millis(10);

/// A game whose seats are the kit's, and the account that watches it.
pub(super) struct Watched {
    players: Vec<Engine>,
    /// The token of the client under test, which has no seat.
    pub(super) token: String,
    pub(super) game_id: String,
}

impl Watched {
    /// Sets up a game that has begun.
    pub(super) async fn set(engine: &str, kind: &str) -> Result<Self, Failure> {
        let (host, _) = account(engine).await?;
        let kinds = host.games().list_kinds(ListKindsRequest::default()).await?.into_inner().kinds;
        let known = kinds.iter().find(|known| known.kind == kind).ok_or_else(|| {
            Failure::usage(format!("There is no kind `{kind}`."))
                .advise("`cli-client kinds` shows them all.")
        })?;
        let seats = known.players_max.min(PLAYERS_MAX);
        let request = CreateGameRequest {
            kind: kind.to_owned(),
            name: "A client that watches".to_owned(),
            seats: (0..seats)
                .map(|_| SeatPlan { plan: Some(Plan::Open(OpenSeat {})), ..SeatPlan::default() })
                .collect(),
            start_when_full: true,
            seats_in_order: true,
            ..CreateGameRequest::default()
        };
        let game_id =
            host.games().create_game(request).await?.into_inner().game.unwrap_or_default().game_id;
        let mut players = vec![host];
        for _ in 1..seats {
            let (player, _) = account(engine).await?;
            let request =
                JoinGameRequest { game_id: game_id.clone(), ..JoinGameRequest::default() };
            player.games().join_game(request).await?;
            players.push(player);
        }
        let (_, token) = account(engine).await?;
        Ok(Self { players, token, game_id })
    }

    /// Plays it to its end: everybody orders what a menu shows last, which is what ends a turn.
    pub(super) async fn play(&self) -> Result<(), Failure> {
        while !self.is_over().await? {
            for player in &self.players {
                match self.order(player).await {
                    Err(_) if self.is_over().await? => return Ok(()),
                    ordered => ordered?,
                }
            }
        }
        Ok(())
    }

    async fn order(&self, player: &Engine) -> Result<(), Failure> {
        let request = GetOffersRequest { game_id: self.game_id.clone(), seat: None };
        let asked = player.games().get_offers(request).await?.into_inner();
        let Some(decision) = asked.decision.as_ref().filter(|decision| !decision.ready) else {
            return Ok(());
        };
        let menu = Menu::read(&asked)?;
        let last = menu.lines.iter().rfind(|line| line.open.is_empty());
        let last = last.ok_or_else(|| {
            Failure::failed("Games of this kind cannot be played by their menus alone.")
        })?;
        let request = SubmitOrdersRequest {
            game_id: self.game_id.clone(),
            phase: asked.phase,
            revision: asked.revision,
            request_id: hex(&random::<16>()?),
            orders: Some(Orders { text: last.notation.clone(), ..Orders::default() }),
            ready: decision.revisable,
            ..SubmitOrdersRequest::default()
        };
        player.games().submit_orders(request).await?;
        tokio::time::sleep(BETWEEN_ORDERS).await;
        Ok(())
    }

    async fn is_over(&self) -> Result<bool, Failure> {
        let Some(host) = self.players.first() else { return Ok(true) };
        let request = GetGameRequest { game_id: self.game_id.clone(), ..GetGameRequest::default() };
        let game = host.games().get_game(request).await?.into_inner().game.unwrap_or_default();
        Ok(game.status() == GameStatus::Ended)
    }
}

/// A new account.
pub(super) async fn account(engine: &str) -> Result<(Engine, String), Failure> {
    let engine = Engine::connect(engine, None).await?;
    let name = format!("conformance-{}", hex(&random::<6>()?));
    let request = RegisterRequest { name, ..RegisterRequest::default() };
    let token = engine.players().register(request).await?.into_inner().token;
    Ok((engine.with_token(&token)?, token))
}
