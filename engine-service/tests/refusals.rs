//! Security C1: whatever a client writes, it is told the reason. Answers' headers have room for 8
//! KB at clients.

use crate::support;

use heliopause_engine::config::Settings;
use heliopause_proto::v1::game_service_client::GameServiceClient;
use heliopause_proto::v1::sandbox_service_client::SandboxServiceClient;
use heliopause_proto::v1::*;
use support::{Authorized, TestServer, in_memory, start};
use tonic::Status;
use tonic_types::StatusExt as _;

/// What clients take of headers, in all.
const HEADER_BYTES: usize = 8 << 10;
/// A quote has 100 characters; one that is escaped shows some twice.
const RUN_MAX: usize = 101;

/// How long a text may be, and how long one of orders.
const LINE: usize = 256;
const ORDERS: usize = 262_144;

struct Bench {
    server: TestServer,
    player: String,
    admin: String,
    /// A sandbox game of every kind.
    games: Vec<String>,
}

impl Bench {
    async fn start() -> Self {
        let server =
            start(Settings { sandbox: Some(true), rate_limit: Some(0), ..in_memory() }).await;
        let (player, admin) = (server.register("Ann").await, server.token_file("admin.token"));
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
        Self { server, player, admin, games }
    }

    fn games(&self) -> GameServiceClient<Authorized> {
        GameServiceClient::new(self.server.authorized(&self.player))
    }
}

/// Checks a refusal: it is short, has a reason and a message, and no quote in it is long. Answers
/// whether it is one.
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

/// How often a text stands behind itself at most; an escaped one counts as it is written.
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

/// Calls that take a text where it fits nothing; answers how many were refused.
async fn with_lines(bench: &Bench, filling: &str) -> usize {
    let long = filling.repeat(LINE);
    let mut games = bench.games();
    let text = || long.clone();
    let mut answers = Vec::new();
    let mut note = |what: &str, refused: bool| answers.push((what.to_owned(), refused));

    let mut player = bench.server.player(&bench.player);
    let register =
        RegisterRequest { name: text(), invitation: text(), ..RegisterRequest::default() };
    note("Register", check(bench.server.nobody().register(register).await, filling, "Register"));
    note(
        "GetPlayer",
        check(player.get_player(GetPlayerRequest { player: text() }).await, filling, "GetPlayer"),
    );
    let token = CreateTokenRequest { name: text(), ..CreateTokenRequest::default() };
    note("CreateToken", check(player.create_token(token).await, filling, "CreateToken"));
    let revoke = RevokeTokenRequest { token_id: text() };
    note("RevokeToken", check(player.revoke_token(revoke).await, filling, "RevokeToken"));
    let mine = ListMyGamesRequest { page_token: text(), ..ListMyGamesRequest::default() };
    note("ListMyGames", check(player.list_my_games(mine).await, filling, "ListMyGames"));

    let of_kind = CreateGameRequest { kind: text(), ..CreateGameRequest::default() };
    note("CreateGame kind", check(games.create_game(of_kind).await, filling, "CreateGame kind"));
    let kept = SeatPlan { plan: Some(seat_plan::Plan::ReservedFor(text())), ..SeatPlan::default() };
    let create = CreateGameRequest {
        kind: "diplomacy".to_owned(),
        name: text(),
        automaton_level: text(),
        seats: vec![kept],
        ..CreateGameRequest::default()
    };
    note("CreateGame", check(games.create_game(create).await, filling, "CreateGame"));
    let get = GetGameRequest { game_id: text(), invite_code: text() };
    note("GetGame", check(games.get_game(get).await, filling, "GetGame"));
    let join =
        JoinGameRequest { game_id: text(), invite_code: text(), ..JoinGameRequest::default() };
    note("JoinGame", check(games.join_game(join).await, filling, "JoinGame"));
    let list = ListGamesRequest { kind: text(), page_token: text(), ..ListGamesRequest::default() };
    note("ListGames", check(games.list_games(list).await, filling, "ListGames"));
    let rule = GetRuleRequest { kind: "diplomacy".to_owned(), rule: text() };
    note("GetRule", check(games.get_rule(rule).await, filling, "GetRule"));
    let rules = ListRulesRequest { kind: text() };
    note("ListRules", check(games.list_rules(rules).await, filling, "ListRules"));

    let mut admin = bench.server.admin();
    note(
        "BanPlayer",
        check(
            admin
                .ban_player(BanPlayerRequest { player: text(), ..BanPlayerRequest::default() })
                .await,
            filling,
            "BanPlayer",
        ),
    );
    let grant = GrantRoleRequest { name: text(), role: 2, ..GrantRoleRequest::default() };
    note("GrantRole", check(admin.grant_role(grant).await, filling, "GrantRole"));
    assert!(!bench.admin.is_empty());
    answers.iter().filter(|(_, refused)| *refused).count()
}

/// Calls with orders as text, for every kind of game; answers how many were refused.
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

#[tokio::test(flavor = "multi_thread")]
async fn every_refusal_fits_into_the_headers_whatever_was_written() {
    let bench = Bench::start().await;
    let mut refused = 0;
    for filling in ["x", "\"", "\\", "'", "`", "é", "李", "😀", "%", "\" ", "A-1 "] {
        refused += with_lines(&bench, &filling.chars().next().unwrap().to_string()).await;
        let longest = filling.repeat(ORDERS / filling.chars().count());
        for beginning in ["", "MOVE ", "move A1 ", "F lon - ", "\"", "1: "] {
            let room = ORDERS - beginning.len();
            let text: String = beginning.chars().chain(longest.chars().take(room)).collect();
            refused += with_orders(&bench, &text, filling.trim_end()).await;
        }
    }
    assert!(refused > 500, "{refused} refusals");
}
