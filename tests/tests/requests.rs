//! Retries: what changes something is done once, however often the same request comes, and whatever
//! happens in between.

use heliopause_proto::v1::*;
use heliopause_tests::{Engine, Player, STARSHIPS, Sandbox, reason};
use tonic::Status;

fn open() -> SeatPlan {
    SeatPlan { plan: Some(seat_plan::Plan::Open(OpenSeat {})), ..SeatPlan::default() }
}

fn table(request_id: &str) -> CreateGameRequest {
    CreateGameRequest {
        kind: STARSHIPS.to_owned(),
        name: "Once".to_owned(),
        seats: vec![open(), open()],
        seats_in_order: true,
        request_id: request_id.to_owned(),
        ..CreateGameRequest::default()
    }
}

async fn create(player: &Player, request: CreateGameRequest) -> Result<String, Status> {
    Ok(player.games().create_game(request).await?.into_inner().game.expect("a game").game_id)
}

async fn games_of(player: &Player) -> usize {
    player
        .players()
        .list_my_games(ListMyGamesRequest::default())
        .await
        .unwrap()
        .into_inner()
        .games
        .len()
}

#[tokio::test(flavor = "multi_thread")]
async fn contract_4_a_game_that_is_asked_for_twice_is_made_once_also_by_an_engine_that_was_killed()
{
    let engine = Engine::start();
    let ada = engine.player("Ada").await;
    let (mut one, mut other) = (ada.games(), ada.games());
    let (first, second) =
        tokio::join!(one.create_game(table("once")), other.create_game(table("once")));
    let id = |answer: Result<tonic::Response<CreateGameResponse>, Status>| {
        answer.expect("both are answered").into_inner().game.expect("a game").game_id
    };
    let made = id(first);
    assert_eq!(id(second), made, "at the same time");
    assert_eq!(create(&ada, table("once")).await.unwrap(), made, "later");
    assert_eq!(games_of(&ada).await, 1);
    let engine = engine.kill_and_restart();
    let ada = ada.on(engine.channel().await);
    assert_eq!(create(&ada, table("once")).await.unwrap(), made, "after a kill");
    assert_eq!(games_of(&ada).await, 1);
    let changed = CreateGameRequest { name: "Twice".to_owned(), ..table("once") };
    assert_eq!(reason(&create(&ada, changed).await.unwrap_err()), "REQUEST_ID_REUSED");
    // An id is its account's own, and without one every call makes a game.
    let bob = engine.player("Bob").await;
    assert_ne!(create(&bob, table("once")).await.unwrap(), made);
    assert_ne!(create(&ada, table("")).await.unwrap(), create(&ada, table("")).await.unwrap());
    let long = create(&ada, table(&"x".repeat(65))).await.unwrap_err();
    assert_eq!(reason(&long), "INVALID_FIELD");
}

#[tokio::test(flavor = "multi_thread")]
async fn contract_4_what_was_done_at_a_table_is_not_done_again() {
    let engine = Engine::start();
    let (ada, bob) = (engine.player("Ada").await, engine.player("Bob").await);
    let game_id =
        create(&ada, CreateGameRequest { is_private: true, ..table("private") }).await.unwrap();
    let invite_code = ada.game(&game_id).await.invite_code;
    let request_id = || "the same".to_owned();
    let join = JoinGameRequest {
        game_id: game_id.clone(),
        invite_code,
        request_id: request_id(),
        ..JoinGameRequest::default()
    };
    let first =
        bob.games().join_game(join.clone()).await.unwrap().into_inner().game.unwrap().your_seat;
    let again = bob
        .games()
        .join_game(join.clone())
        .await
        .expect("a retry")
        .into_inner()
        .game
        .unwrap()
        .your_seat;
    assert_eq!(first, again);
    // The same id is nothing else's.
    let leave = |request_id: &str| LeaveGameRequest {
        game_id: game_id.clone(),
        request_id: request_id.to_owned(),
    };
    assert_eq!(
        reason(&bob.games().leave_game(leave("the same")).await.unwrap_err()),
        "REQUEST_ID_REUSED"
    );
    bob.games().leave_game(leave("left")).await.unwrap();
    // They do not know the private game any more; that they left it, they are told again.
    assert_eq!(reason(&bob.games().leave_game(leave("more")).await.unwrap_err()), "GAME_NOT_FOUND");
    bob.games().leave_game(leave("left")).await.expect("a retry");
    // Another account's id is its own: the host leaves for the first time.
    ada.games().leave_game(leave("left")).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn contract_4_votes_flags_and_clocks_move_once() {
    let engine = Engine::with(&["--sandbox"]);
    let ada = engine.player("Ada").await;
    let game = ada
        .create_with(0, |request| request.seats.push(heliopause_tests::automated("standard")))
        .await;
    let propose = ProposeVoteRequest {
        game_id: game.game_id.clone(),
        subject: VoteSubject::Draw.into(),
        request_id: "draw".to_owned(),
        ..ProposeVoteRequest::default()
    };
    let first = ada.games().propose_vote(propose.clone()).await.unwrap().into_inner();
    assert!(first.vote.is_some());
    assert_eq!(ada.games().propose_vote(propose).await.expect("a retry").into_inner(), first);
    let list = ListVotesRequest { game_id: game.game_id.clone(), ..ListVotesRequest::default() };
    assert_eq!(ada.games().list_votes(list).await.unwrap().into_inner().votes.len(), 1);
    let resign = ResignRequest {
        game_id: game.game_id.clone(),
        request_id: "gone".to_owned(),
        ..<_>::default()
    };
    ada.games().resign(resign.clone()).await.unwrap();
    ada.games().resign(resign.clone()).await.expect("a retry, though the seat is another's by now");
    let anew = ResignRequest { request_id: "again".to_owned(), ..resign };
    assert_eq!(reason(&ada.games().resign(anew).await.unwrap_err()), "NOT_YOUR_SEAT");
    let sandbox = Sandbox::new(&ada, 2, &[]).await;
    let advance = AdvanceClockRequest {
        game_id: sandbox.game_id.clone(),
        by: Some(prost_types::Duration { seconds: 86_400, nanos: 0 }),
        request_id: "a day".to_owned(),
    };
    let seconds = |answer: AdvanceClockResponse| answer.game_time.unwrap().seconds;
    let first = seconds(ada.sandboxes().advance_clock(advance.clone()).await.unwrap().into_inner());
    let again = seconds(ada.sandboxes().advance_clock(advance.clone()).await.unwrap().into_inner());
    assert!(again - first < 3_600, "the clock was set once: {first} {again}");
    let more = AdvanceClockRequest { request_id: "another day".to_owned(), ..advance };
    assert!(
        seconds(ada.sandboxes().advance_clock(more).await.unwrap().into_inner()) - first >= 86_000
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn contract_4_secrets_that_were_made_are_told_again_to_whoever_made_them() {
    let engine = Engine::start();
    let nobody = Player::stranger(engine.channel().await);
    let register = |name: &str| RegisterRequest {
        name: name.to_owned(),
        request_id: "5b0c0b0e-2f5e-4f7f-9a53-4a2f1a6a9f10".to_owned(),
        ..RegisterRequest::default()
    };
    let first = nobody.players().register(register("Ada")).await.unwrap().into_inner();
    assert_eq!(
        nobody.players().register(register("Ada")).await.expect("a retry").into_inner(),
        first
    );
    let other = RegisterRequest { request_id: String::new(), ..register("Ada") };
    assert_eq!(reason(&nobody.players().register(other).await.unwrap_err()), "NAME_TAKEN");
    let short = RegisterRequest { request_id: "guess me".to_owned(), ..register("Bob") };
    assert_eq!(reason(&nobody.players().register(short).await.unwrap_err()), "INVALID_FIELD");
    let engine = engine.kill_and_restart();
    let ada = Player::with_token(engine.channel().await, &first.token);
    let token = |name: &str| CreateTokenRequest {
        name: name.to_owned(),
        request_id: "0123456789abcdef".to_owned(),
    };
    let made = ada.players().create_token(token("bot")).await.unwrap().into_inner();
    assert_eq!(ada.players().create_token(token("bot")).await.expect("a retry").into_inner(), made);
    assert_eq!(
        reason(&ada.players().create_token(token("cat")).await.unwrap_err()),
        "REQUEST_ID_REUSED"
    );
    let all = ada.players().list_tokens(ListTokensRequest {}).await.unwrap().into_inner().tokens;
    assert_eq!(all.len(), 2);
    let admin = engine.admin().await;
    let grant = GrantRoleRequest {
        name: "bot".to_owned(),
        role: AccountRole::Worker.into(),
        request_id: "fedcba9876543210".to_owned(),
    };
    let granted = admin.admin().grant_role(grant.clone()).await.unwrap().into_inner();
    assert_eq!(admin.admin().grant_role(grant).await.expect("a retry").into_inner(), granted);
}
