//! Checks that repeated requests make a change only once, whatever happens between the repetitions.

use heliopause_proto::v1::*;
use heliopause_tests::{
    Engine, OfGame as _, Player, STARSHIPS, Sandbox, automated, open_seat, reason,
};
use tonic::Status;

fn table(request_id: &str) -> CreateGameRequest {
    CreateGameRequest {
        kind: STARSHIPS.to_owned(),
        name: "Once".to_owned(),
        seats: vec![open_seat(); 2],
        seats_in_order: true,
        request_id: request_id.to_owned(),
        ..CreateGameRequest::default()
    }
}

async fn create(player: &Player, request: CreateGameRequest) -> Result<String, Status> {
    Ok(player.call(request).await?.game.expect("a game").game_id)
}

#[tokio::test(flavor = "multi_thread")]
async fn contract_4_a_repeated_creation_makes_one_game_even_after_a_kill() {
    let (engine, [ada]) = Engine::with_players(["Ada"]).await;
    let (first, second) = tokio::join!(create(&ada, table("once")), create(&ada, table("once")));
    let made = first.expect("both are answered");
    assert_eq!(second.expect("both are answered"), made, "at the same time");
    assert_eq!(create(&ada, table("once")).await.unwrap(), made, "later");
    assert_eq!(ada.my_games().await.len(), 1);
    let engine = engine.kill_and_restart();
    let ada = ada.on(engine.channel().await);
    assert_eq!(create(&ada, table("once")).await.unwrap(), made, "after a kill");
    assert_eq!(ada.my_games().await.len(), 1);
    let changed = CreateGameRequest { name: "Twice".to_owned(), ..table("once") };
    assert_eq!(reason(&create(&ada, changed).await.unwrap_err()), "REQUEST_ID_REUSED");
    let bob = engine.player("Bob").await;
    assert_ne!(create(&bob, table("once")).await.unwrap(), made);
    assert_ne!(create(&ada, table("")).await.unwrap(), create(&ada, table("")).await.unwrap());
    let long = create(&ada, table(&"x".repeat(65))).await.unwrap_err();
    assert_eq!(reason(&long), "INVALID_FIELD");
}

#[tokio::test(flavor = "multi_thread")]
async fn contract_4_repeated_requests_in_a_game_have_no_effect() {
    let (_engine, [ada, bob]) = Engine::with_players(["Ada", "Bob"]).await;
    let game_id =
        create(&ada, CreateGameRequest { is_private: true, ..table("private") }).await.unwrap();
    let invite_code = ada.game(&game_id).await.invite_code;
    let request_id = || "the same".to_owned();
    let join =
        JoinGameRequest { invite_code, request_id: request_id(), ..JoinGameRequest::of(&game_id) };
    let first = bob.does(join.clone()).await.game.unwrap().your_seat;
    let again = bob.does(join.clone()).await.game.unwrap().your_seat;
    assert_eq!(first, again);
    let leave = |request_id: &str| LeaveGameRequest {
        game_id: game_id.clone(),
        request_id: request_id.to_owned(),
    };
    assert_eq!(bob.refusal(leave("the same")).await, "REQUEST_ID_REUSED");
    bob.does(leave("left")).await;
    // The private game is no longer visible to Bob, but the retry gets the first response.
    assert_eq!(bob.refusal(leave("more")).await, "GAME_NOT_FOUND");
    bob.does(leave("left")).await;
    ada.does(leave("left")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn contract_4_votes_flags_and_clocks_change_once() {
    let engine = Engine::with(&["--sandbox"]);
    let ada = engine.player("Ada").await;
    let game = ada.create_with(0, |request| request.seats.push(automated("standard"))).await;
    let propose = ProposeVoteRequest {
        subject: VoteSubject::Draw.into(),
        request_id: "draw".to_owned(),
        ..ProposeVoteRequest::of(&game.game_id)
    };
    let first = ada.does(propose.clone()).await;
    assert!(first.vote.is_some());
    assert_eq!(ada.does(propose).await, first);
    assert_eq!(ada.does(ListVotesRequest::of(&game.game_id)).await.votes.len(), 1);
    let resign =
        ResignRequest { request_id: "gone".to_owned(), ..ResignRequest::of(&game.game_id) };
    ada.does(resign.clone()).await;
    ada.does(resign.clone()).await;
    let anew = ResignRequest { request_id: "again".to_owned(), ..resign };
    assert_eq!(ada.refusal(anew).await, "NOT_YOUR_SEAT");
    let sandbox = Sandbox::new(&ada, 2, &[]).await;
    let advance = AdvanceClockRequest {
        game_id: sandbox.game_id.clone(),
        duration: Some(prost_types::Duration { seconds: 86_400, nanos: 0 }),
        request_id: "a day".to_owned(),
    };
    let seconds = |answer: AdvanceClockResponse| answer.game_time.unwrap().seconds;
    let first = seconds(ada.does(advance.clone()).await);
    let again = seconds(ada.does(advance.clone()).await);
    assert!(again - first < 3_600, "the clock was set once: {first} {again}");
    let more = AdvanceClockRequest { request_id: "another day".to_owned(), ..advance };
    assert!(seconds(ada.does(more).await) - first >= 86_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn contract_4_created_secrets_are_returned_again_to_their_creator() {
    let engine = Engine::start();
    let nobody = Player::anonymous(engine.channel().await);
    let register = |name: &str| RegisterRequest {
        name: name.to_owned(),
        request_id: "5b0c0b0e-2f5e-4f7f-9a53-4a2f1a6a9f10".to_owned(),
        ..RegisterRequest::default()
    };
    let first = nobody.does(register("Ada")).await;
    assert_eq!(nobody.does(register("Ada")).await, first);
    let other = RegisterRequest { request_id: String::new(), ..register("Ada") };
    assert_eq!(nobody.refusal(other).await, "NAME_TAKEN");
    let short = RegisterRequest { request_id: "guess me".to_owned(), ..register("Bob") };
    assert_eq!(nobody.refusal(short).await, "INVALID_FIELD");
    let engine = engine.kill_and_restart();
    let ada = Player::with_token(engine.channel().await, &first.token);
    let token = |name: &str| CreateTokenRequest {
        name: name.to_owned(),
        request_id: "0123456789abcdef".to_owned(),
    };
    let made = ada.does(token("bot")).await;
    assert_eq!(ada.does(token("bot")).await, made);
    assert_eq!(ada.refusal(token("cat")).await, "REQUEST_ID_REUSED");
    let all = ada.does(ListTokensRequest {}).await.tokens;
    assert_eq!(all.len(), 2);
    let admin = engine.admin().await;
    let grant = GrantRoleRequest {
        name: "bot".to_owned(),
        role: AccountRole::Worker.into(),
        request_id: "fedcba9876543210".to_owned(),
    };
    let granted = admin.does(grant.clone()).await;
    assert_eq!(admin.does(grant).await, granted);
}
