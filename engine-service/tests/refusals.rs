//! Security C1: errors must fit into the 8 KB to which clients limit headers, no matter what the
//! client sent. Otherwise the client does not get the error reason.

use crate::support;

use heliopause_engine::config::Settings;
use heliopause_proto::v1::game_service_client::GameServiceClient;
use heliopause_proto::v1::sandbox_service_client::SandboxServiceClient;
use heliopause_proto::v1::*;
use support::{Authorized, TestServer, in_memory, start};
use tonic::Status;
use tonic_types::StatusExt as _;

const HEADER_BYTES: usize = 8 << 10;
/// A quotation has at most 100 characters, and escaping can add one more.
const RUN_MAX: usize = 101;

const LINE: usize = 256;
const ORDERS: usize = 262_144;

struct Bench {
    server: TestServer,
    player: String,
    games: Vec<String>,
}

impl Bench {
    async fn start() -> Self {
        let server =
            start(Settings { sandbox: Some(true), rate_limit: Some(0), ..in_memory() }).await;
        let player = server.register("Ann").await;
        let kinds = GameServiceClient::new(server.authorized(&player))
            .list_kinds(ListKindsRequest {})
            .await
            .unwrap();
        let mut games = Vec::new();
        for kind in kinds.into_inner().kinds {
            let request =
                CreateSandboxGameRequest { kind: kind.kind, ..CreateSandboxGameRequest::default() };
            let made = SandboxServiceClient::new(server.authorized(&player))
                .create_sandbox_game(request)
                .await
                .unwrap();
            games.push(made.into_inner().game.unwrap().game_id);
        }
        Self { server, player, games }
    }

    fn games(&self) -> GameServiceClient<Authorized> {
        GameServiceClient::new(self.server.authorized(&self.player))
    }
}

fn check<T>(answer: Result<T, Status>, filling: &str, what: &str) -> bool {
    let Err(status) = answer else { return false };
    assert!(status.get_details_error_info().is_some(), "{what}: {status:?}");
    assert!(!status.message().is_empty(), "{what}");
    let run = longest_run(status.message(), filling);
    assert!(run <= RUN_MAX, "{what}: {run} times {filling:?} in {:?}", status.message());
    let response = status.into_http::<()>();
    let size: usize =
        response.headers().iter().map(|(name, value)| name.as_str().len() + value.len() + 32).sum();
    assert!(size < HEADER_BYTES, "{what}: {size} bytes of headers");
    true
}

fn longest_run(text: &str, filling: &str) -> usize {
    let shown = filling.escape_debug().to_string();
    let run = |one: &str| {
        let from = |(start, _): (usize, &str)| {
            let rest = &text[start..];
            (1..=rest.len()).take_while(|times| rest.starts_with(&one.repeat(*times))).count()
        };
        text.match_indices(one).map(from).max().unwrap_or(0)
    };
    run(filling).max(run(&shown))
}

async fn with_lines(bench: &Bench, filling: &str) -> usize {
    let text = || filling.repeat(LINE);
    let (mut player, mut games) = (bench.server.player(&bench.player), bench.games());
    let mut refused = 0;
    let mut note = |what: &str, answer: Result<(), Status>| {
        refused += usize::from(check(answer, filling, what));
    };

    let register =
        RegisterRequest { name: text(), invitation: text(), ..RegisterRequest::default() };
    note("Register", bench.server.anonymous().register(register).await.map(drop));
    let get = GetPlayerRequest { player: text() };
    note("GetPlayer", player.get_player(get).await.map(drop));
    let token = CreateTokenRequest { name: text(), ..CreateTokenRequest::default() };
    note("CreateToken", player.create_token(token).await.map(drop));
    let revoke = RevokeTokenRequest { token_id: text() };
    note("RevokeToken", player.revoke_token(revoke).await.map(drop));
    let mine = ListMyGamesRequest { page_token: text(), ..ListMyGamesRequest::default() };
    note("ListMyGames", player.list_my_games(mine).await.map(drop));

    let of_kind = CreateGameRequest { kind: text(), ..CreateGameRequest::default() };
    note("CreateGame kind", games.create_game(of_kind).await.map(drop));
    let kept = SeatPlan { plan: Some(seat_plan::Plan::ReservedFor(text())), ..SeatPlan::default() };
    let create = CreateGameRequest {
        kind: "diplomacy".to_owned(),
        name: text(),
        automaton_level: text(),
        seats: vec![kept],
        ..CreateGameRequest::default()
    };
    note("CreateGame", games.create_game(create).await.map(drop));
    let get = GetGameRequest { game_id: text(), invite_code: text() };
    note("GetGame", games.get_game(get).await.map(drop));
    let join =
        JoinGameRequest { game_id: text(), invite_code: text(), ..JoinGameRequest::default() };
    note("JoinGame", games.join_game(join).await.map(drop));
    let list = ListGamesRequest { kind: text(), page_token: text(), ..ListGamesRequest::default() };
    note("ListGames", games.list_games(list).await.map(drop));
    let rule = GetRuleRequest { kind: "diplomacy".to_owned(), rule: text() };
    note("GetRule", games.get_rule(rule).await.map(drop));
    note(
        "ListRules",
        games.list_rules(ListRulesRequest { kind: text(), ..Default::default() }).await.map(drop),
    );

    let mut admin = bench.server.admin();
    let ban = BanPlayerRequest { player: text(), ..BanPlayerRequest::default() };
    note("BanPlayer", admin.ban_player(ban).await.map(drop));
    let grant = GrantRoleRequest { name: text(), role: 2, ..GrantRoleRequest::default() };
    note("GrantRole", admin.grant_role(grant).await.map(drop));
    refused
}

async fn with_orders(bench: &Bench, text: &str, filling: &str) -> usize {
    let mut games = bench.games();
    let mut refused = 0;
    for game_id in bench.games.clone() {
        let orders = || Some(Orders { text: text.to_owned(), orders: Vec::new() });
        let parse =
            ParseOrdersRequest { game_id: game_id.clone(), seat: Some(1), text: text.to_owned() };
        refused += usize::from(check(
            games.parse_orders(parse).await,
            filling,
            &format!("ParseOrders {game_id}"),
        ));
        let validate =
            ValidateOrdersRequest { game_id: game_id.clone(), seat: Some(1), orders: orders() };
        let validated = games.validate_orders(validate).await;
        if let Ok(answer) = &validated {
            for verdict in &answer.get_ref().verdicts {
                assert!(longest_run(&verdict.message, filling) <= RUN_MAX, "{verdict:?}");
            }
        }
        refused += usize::from(check(validated, filling, &format!("ValidateOrders {game_id}")));
        let submit = SubmitOrdersRequest {
            request_id: filling.repeat(LINE),
            game_id: game_id.clone(),
            seat: Some(1),
            orders: orders(),
            ..SubmitOrdersRequest::default()
        };
        refused += usize::from(check(
            games.submit_orders(submit).await,
            filling,
            &format!("SubmitOrders {game_id}"),
        ));
    }
    refused
}

const FILLINGS: [&str; 11] = ["x", "\"", "\\", "'", "`", "é", "李", "😀", "%", "\" ", "A-1 "];
const BEGINNINGS: [&str; 6] = ["", "MOVE ", "move A1 ", "F lon - ", "\"", "1: "];

/// Fills orders after each beginning in `./test --all`, otherwise after two of them in turn.
#[tokio::test(flavor = "multi_thread")]
async fn every_error_fits_into_the_headers() {
    let all = std::env::var_os("HELIOPAUSE_TEST_ALL").is_some();
    let (tried, least) = if all { (BEGINNINGS.len(), 500) } else { (2, 300) };
    let bench = Bench::start().await;
    let mut refused = 0;
    for (nth, filling) in FILLINGS.into_iter().enumerate() {
        refused += with_lines(&bench, &filling.chars().next().unwrap().to_string()).await;
        let longest = filling.repeat(ORDERS / filling.chars().count());
        for beginning in BEGINNINGS.into_iter().cycle().skip(2 * nth).take(tried) {
            let room = ORDERS - beginning.len();
            let text: String = beginning.chars().chain(longest.chars().take(room)).collect();
            refused += with_orders(&bench, &text, filling.trim_end()).await;
        }
    }
    assert!(refused > least, "{refused} refusals");
}
