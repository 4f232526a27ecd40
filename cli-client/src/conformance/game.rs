//! The games of the cases, for clients that play and for clients that watch the kit play.

use std::time::Duration;

use heliopause_proto::v1::seat_plan::Plan;
use heliopause_proto::v1::{
    CreateGameRequest, GameStatus, JoinGameRequest, ListKindsRequest, OpenSeat, Orders,
    RegisterRequest, SeatPlan, SubmitOrdersRequest,
};

use crate::engine::{Engine, hex, random};
use crate::failure::Failure;
use crate::menu::Menu;
use crate::table::{self, Table};

/// Maximum number of seats that the kit plays. More seats mean more events to watch.
const PLAYERS_MAX: u32 = 6;
/// Delay between orders, so that the client receives some of them live.
const BETWEEN_ORDERS: Duration = Duration::from_millis(10);

pub(super) struct Game {
    players: Vec<Engine>,
    pub(super) token: String,
    pub(super) id: String,
}

impl Game {
    pub(super) async fn of_client(engine: &str, kind: &str) -> Result<Self, Failure> {
        let (client, token) = account(engine).await?;
        let game_id = create(&client, kind, "A client under test", 1).await?;
        Ok(Self { players: vec![client], token, id: game_id })
    }

    pub(super) async fn watched(engine: &str, kind: &str) -> Result<Self, Failure> {
        let (host, _) = account(engine).await?;
        let kinds = host.games().list_kinds(ListKindsRequest::default()).await?.into_inner().kinds;
        let known = kinds.iter().find(|known| known.kind == kind).ok_or_else(|| {
            let kinds: Vec<&str> = kinds.iter().map(|known| known.kind.as_str()).collect();
            Failure::usage(format!("Unknown kind of game `{kind}`."))
                .advise(format!("The kinds are {}.", kinds.join(", ")))
        })?;
        let seats = known.players_max.min(PLAYERS_MAX);
        let game_id = create(&host, kind, "A client that watches", seats).await?;
        let mut players = vec![host];
        for _ in 1..seats {
            let (player, _) = account(engine).await?;
            let game_id = game_id.clone();
            player.games().join_game(JoinGameRequest { game_id, ..<_>::default() }).await?;
            players.push(player);
        }
        let (_, token) = account(engine).await?;
        Ok(Self { players, token, id: game_id })
    }

    /// Plays the game to its end. Every seat submits the last complete order of its menu, which
    /// ends the turn.
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
        let seat = Table { game: self.id.clone(), seat: None };
        let asked = table::offers(player, &seat).await?;
        let Some(decision) = asked.decision.as_ref().filter(|decision| !decision.ready) else {
            return Ok(());
        };
        let menu = Menu::read(&asked)?;
        let last = menu.lines.iter().rfind(|line| line.open.is_empty());
        let last = last.ok_or_else(|| {
            Failure::failed(
                "`conformance --watch` cannot play this kind of game, because each line of the menu \
                 has open slots.",
            )
            .advise("Select another kind with --kind.")
        })?;
        let request = SubmitOrdersRequest {
            game_id: self.id.clone(),
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

    pub(super) async fn is_over(&self) -> Result<bool, Failure> {
        let game = table::game(&self.players[0], &self.id).await?;
        Ok(game.status() == GameStatus::Ended)
    }
}

/// Creates a game that starts when all its seats are taken. The host takes the first seat.
async fn create(host: &Engine, kind: &str, name: &str, seats: u32) -> Result<String, Failure> {
    let open = SeatPlan { plan: Some(Plan::Open(OpenSeat {})), ..SeatPlan::default() };
    let request = CreateGameRequest {
        kind: kind.to_owned(),
        name: name.to_owned(),
        seats: vec![open; seats as usize],
        start_when_full: true,
        seats_in_order: seats > 1,
        ..CreateGameRequest::default()
    };
    let game = host.games().create_game(request).await?.into_inner().game;
    Ok(game.unwrap_or_default().game_id)
}

async fn account(engine: &str) -> Result<(Engine, String), Failure> {
    let engine = Engine::connect(engine, None).await?;
    let name = format!("conformance-{}", hex(&random::<6>()?));
    let request = RegisterRequest { name, ..RegisterRequest::default() };
    let token = engine.players().register(request).await?.into_inner().token;
    Ok((engine.with_token(&token)?, token))
}
