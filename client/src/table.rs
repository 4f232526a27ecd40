//! A seat at a game: what every client asks of it.

use heliopause_proto::v1::{
    Event, Game, GameOrder, GetGameRequest, GetOffersRequest, GetOffersResponse, GetViewResponse,
    Orders, ParseOrdersRequest, SetReadyRequest, TakeBackRequest, TakeBackResponse,
    ValidateOrdersRequest, Verdict, Warning,
};

use crate::engine::{Engine, request_id};
use crate::failure::Failure;
use crate::glance::Glance;
use crate::menu::{Line, Menu};

/// A game, and in a sandbox the seat.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "arguments", derive(clap::Args))]
pub struct Table {
    /// The game's id.
    pub game: String,
    /// The seat; needed in sandbox games only, where you hold them all.
    #[cfg_attr(feature = "arguments", arg(long, value_name = "N"))]
    pub seat: Option<u32>,
}

/// Asks for a view.
pub async fn fetch(
    engine: &Engine,
    table: &Table,
    as_spectator: bool,
) -> Result<GetViewResponse, Failure> {
    Glance::now(table, as_spectator).view(engine).await
}

/// Takes back the orders of a phase.
pub async fn take_back(
    engine: &Engine,
    table: &Table,
    phase: Option<u64>,
) -> Result<TakeBackResponse, Failure> {
    let request = TakeBackRequest {
        game_id: table.game.clone(),
        seat: table.seat,
        phase,
        request_id: request_id()?,
    };
    Ok(engine.games().take_back(request).await?.into_inner())
}

/// Asks for a game.
pub async fn game(engine: &Engine, id: &str) -> Result<Game, Failure> {
    let request = GetGameRequest { game_id: id.to_owned(), invite_code: String::new() };
    Ok(*engine.games().get_game(request).await?.into_inner().game.unwrap_or_default())
}

/// All events after a number, page by page.
pub async fn events(
    engine: &Engine,
    table: &Table,
    as_spectator: bool,
    after: u64,
) -> Result<Vec<Event>, Failure> {
    Glance::now(table, as_spectator).events(engine, after).await
}

/// Asks what a seat may order.
pub async fn offers(engine: &Engine, table: &Table) -> Result<GetOffersResponse, Failure> {
    let request = GetOffersRequest { game_id: table.game.clone(), seat: table.seat };
    Ok(engine.games().get_offers(request).await?.into_inner())
}

/// The same as a numbered menu.
pub async fn menu(engine: &Engine, table: &Table) -> Result<Menu, Failure> {
    Menu::read(&offers(engine, table).await?)
}

/// The order of a line of a menu. One that is made of an offer with slots is read by the engine, as
/// if it were typed.
pub async fn typed(engine: &Engine, table: &Table, line: &Line) -> Result<GameOrder, Failure> {
    if let Some(order) = &line.order {
        return Ok(order.clone());
    }
    let request = ParseOrdersRequest {
        game_id: table.game.clone(),
        seat: table.seat,
        text: line.notation.clone(),
    };
    let read = engine.games().parse_orders(request).await?.into_inner().orders;
    read.into_iter()
        .next()
        .ok_or_else(|| Failure::failed(format!("`{}` is no order.", line.notation)))
}

/// Of what a seat is warned before it gives these orders; and before it is ready with them, if it
/// shall be. Nothing of orders that cannot be judged: what is wrong with them is told when they are
/// given.
pub async fn warnings_of(
    engine: &Engine,
    table: &Table,
    orders: Orders,
    ready: bool,
) -> Vec<Warning> {
    let request = ValidateOrdersRequest {
        game_id: table.game.clone(),
        seat: table.seat,
        orders: Some(orders),
    };
    let Ok(response) = engine.games().validate_orders(request).await else { return Vec::new() };
    let response = response.into_inner();
    // What is refused is not carried out, nor what follows it.
    let taken = response.verdicts.into_iter().take_while(|verdict| verdict.accepted);
    let at_once = taken.flat_map(|verdict| verdict.warnings);
    at_once.chain(response.warnings.into_iter().filter(|_| ready)).collect()
}

/// Of what a seat is warned before it is ready with the orders that it has given.
pub async fn warnings_when_ready(
    engine: &Engine,
    table: &Table,
    phase: Option<u64>,
) -> Result<Vec<Warning>, Failure> {
    let request = SetReadyRequest {
        game_id: table.game.clone(),
        seat: table.seat,
        phase,
        ready: true,
        dry_run: true,
        ..SetReadyRequest::default()
    };
    Ok(engine.games().set_ready(request).await?.into_inner().warnings)
}

/// Fails if a list of orders was not taken to its end.
pub fn whole(taken: u32, refused: Option<&Verdict>) -> Result<(), Failure> {
    refused.map_or(Ok(()), |refused| Err(Failure::in_part(taken, refused)))
}
