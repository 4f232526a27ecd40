//! Requests about a game and a seat, common to all clients.

use heliopause_proto::v1::{
    Event, Game, GameOrder, GetGameRequest, GetOffersRequest, GetOffersResponse, GetViewResponse,
    Orders, ParseOrdersRequest, SetReadyRequest, ValidateOrdersRequest, Verdict, Warning,
    WithdrawOrdersRequest, WithdrawOrdersResponse,
};

use crate::engine::{Engine, request_id};
use crate::failure::Failure;
use crate::menu::{Line, Menu};
use crate::perspective::Perspective;

/// A game, and in a sandbox game the seat that the caller acts for.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "arguments", derive(clap::Args))]
pub struct Table {
    /// Id of the game.
    pub game: String,
    /// Number of the seat; only needed in sandbox games, where you have all seats.
    #[cfg_attr(feature = "arguments", arg(long, value_name = "N"))]
    pub seat: Option<u32>,
}

/// The page size for lists.
pub const PAGE: u32 = 200;

/// Fetches all items of a paged list. Takes a client, its call, a request without a page, and the
/// field of the response that contains the items.
#[macro_export]
macro_rules! all_pages {
    ($client:expr, $call:ident, $request:expr, $items:ident) => {{
        let (mut client, mut request, mut all) = ($client, $request, Vec::new());
        request.page_size = $crate::table::PAGE;
        loop {
            let page = client.$call(request.clone()).await?.into_inner();
            all.extend(page.$items);
            if page.next_page_token.is_empty() {
                break all;
            }
            request.page_token = page.next_page_token;
        }
    }};
}

/// Fetches a view of a game.
pub async fn fetch(
    engine: &Engine,
    table: &Table,
    as_spectator: bool,
) -> Result<GetViewResponse, Failure> {
    Perspective::now(table, as_spectator).view(engine).await
}

/// Withdraws the orders of a phase.
pub async fn take_back(
    engine: &Engine,
    table: &Table,
    phase: Option<u64>,
) -> Result<WithdrawOrdersResponse, Failure> {
    let request = WithdrawOrdersRequest {
        game_id: table.game.clone(),
        seat: table.seat,
        phase,
        request_id: request_id()?,
    };
    Ok(engine.games().withdraw_orders(request).await?.into_inner())
}

/// Fetches a game.
pub async fn game(engine: &Engine, id: &str) -> Result<Game, Failure> {
    let request = GetGameRequest { game_id: id.to_owned(), invite_code: String::new() };
    Ok(*engine.games().get_game(request).await?.into_inner().game.unwrap_or_default())
}

/// Fetches all events after a number.
pub async fn events(
    engine: &Engine,
    table: &Table,
    as_spectator: bool,
    after: u64,
) -> Result<Vec<Event>, Failure> {
    Perspective::now(table, as_spectator).events(engine, after).await
}

/// Fetches the orders that a seat can give.
pub async fn offers(engine: &Engine, table: &Table) -> Result<GetOffersResponse, Failure> {
    let request = GetOffersRequest { game_id: table.game.clone(), seat: table.seat };
    Ok(engine.games().get_offers(request).await?.into_inner())
}

/// Fetches the orders that a seat can give, as a numbered menu.
pub async fn menu(engine: &Engine, table: &Table) -> Result<Menu, Failure> {
    Menu::read(&offers(engine, table).await?)
}

/// Returns the order of a menu line. If the line has none, lets the engine parse the notation.
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
        .ok_or_else(|| Failure::failed(format!("`{}` is not an order.", line.notation)))
}

/// Fetches the warnings for these orders and, if `ready`, for marking the seat ready after them.
/// Returns no warnings if validation fails, because submitting the orders reports the errors.
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
    // A rejected order and the orders after it are not executed.
    let taken = response.verdicts.into_iter().take_while(|verdict| verdict.accepted);
    let at_once = taken.flat_map(|verdict| verdict.warnings);
    at_once.chain(response.warnings.into_iter().filter(|_| ready)).collect()
}

/// Fetches the warnings for marking the seat ready with its current orders.
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

/// Returns an error if one of the orders was rejected. `taken` is the number of orders before the
/// rejected order.
pub fn whole(taken: u32, refused: Option<&Verdict>) -> Result<(), Failure> {
    refused.map_or(Ok(()), |refused| Err(Failure::partly_accepted(taken, refused)))
}
