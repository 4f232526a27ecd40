//! Automation: every decision is answered once, whatever happens to workers.

use std::time::Duration;

use heliopause_proto::v1::work_request::Message as Said;
use heliopause_proto::v1::work_response::Message as Say;
use heliopause_proto::v1::*;
use heliopause_tests::{AiClient, Engine, Player, STARSHIPS, Worker, automated, reason};

async fn watched_game(player: &Player, seats: usize, level: &str) -> Game {
    player.watch_new(STARSHIPS, seats, level, None).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_answer_keeps_the_lease_so_that_the_bot_can_correct_itself() {
    let engine = Engine::start();
    let game = watched_game(&engine.player("Ada").await, 2, "standard").await;
    let mut worker = Worker::hire(&engine.worker_account().await, 1).await.unwrap();
    let lease = worker.lease().await;
    assert_eq!((&lease.game_id, lease.kind.as_str()), (&game.game_id, STARSHIPS));
    assert!(lease.view.is_some() && lease.choices.is_some() && lease.seed.len() == 32);
    worker.answer(&lease, "attack A1 base of A").await;
    let Say::Refused(refused) = worker.hear().await.unwrap() else { panic!("an illegal order is refused") };
    assert_eq!(refused.lease, lease.lease);
    assert!(refused.attempts_left > 0);
    assert!(!refused.verdicts[0].refusal.is_empty() || !refused.message.is_empty());
    worker.answer(&lease, "no order at all").await;
    assert!(matches!(worker.hear().await.unwrap(), Say::Refused(_)), "a text that cannot be read is refused");
    worker.answer(&lease, "end").await;
    assert!(matches!(worker.hear().await.unwrap(), Say::Accepted(accepted) if accepted.lease == lease.lease));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_memo_comes_back_with_the_seats_next_lease() {
    let engine = Engine::start();
    watched_game(&engine.player("Ada").await, 1, "standard").await;
    let mut worker = Worker::hire(&engine.worker_account().await, 1).await.unwrap();
    let lease = worker.lease().await;
    assert!(lease.memo.is_empty());
    let orders = Some(Orders { text: "end".to_owned(), ..Orders::default() });
    let memo = Some(b"what I planned".to_vec().into());
    worker.say(Said::Answer(Answer { lease: lease.lease, orders, ready: false, memo, messages: Vec::new() })).await;
    let next = worker.lease().await;
    assert_eq!((next.seat, &next.memo[..]), (lease.seat, &b"what I planned"[..]));
    let too_much = Some(vec![0; 64 * 1024 + 1].into());
    let orders = Some(Orders { text: "end".to_owned(), ..Orders::default() });
    worker
        .say(Said::Answer(Answer { lease: next.lease, orders, ready: false, memo: too_much, messages: Vec::new() }))
        .await;
    let refused = loop {
        match worker.hear().await.unwrap() {
            Say::Refused(refused) => break refused,
            // The first answer's acceptance may come after the next lease.
            Say::Accepted(accepted) if accepted.lease == lease.lease => {}
            other => panic!("a memo that is too large is refused, but: {other:?}"),
        }
    };
    assert_eq!(refused.verdicts[0].field, "memo");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_worker_writes_with_its_answer_is_under_the_rules_of_the_press() {
    let engine = Engine::start();
    watched_game(&engine.player("Ada").await, 2, "standard").await;
    let mut worker = Worker::hire(&engine.worker_account().await, 1).await.unwrap();
    let lease = worker.lease().await;
    assert!(lease.may_write, "nobody else plays this seat");
    let other = 3 - lease.seat;
    let say = |count: usize| {
        let orders = Some(Orders { text: "end".to_owned(), ..Orders::default() });
        let message = SeatMessage { to_seats: vec![other], text: "Peace until round 8?".to_owned() };
        Said::Answer(Answer { lease: lease.lease, orders, messages: vec![message; count], ..Answer::default() })
    };
    worker.say(say(9)).await;
    let Say::Refused(refused) = worker.hear().await.unwrap() else { panic!("nine messages are too many") };
    assert_eq!(refused.verdicts[0].field, "messages");
    // Starships at Large 3.5: nobody negotiates in his own turn. The orders wait with the message.
    worker.say(say(1)).await;
    let Say::Refused(refused) = worker.hear().await.unwrap() else { panic!("this is the seat's own turn") };
    assert_eq!((refused.verdicts[0].field.as_str(), refused.verdicts[0].rule.as_str()), ("messages", "3.5"));
    worker.say(say(0)).await;
    assert_eq!(worker.lease().await.seat, other);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_workers_lease_goes_to_another_and_its_answer_counts_no_more() {
    let engine = Engine::start();
    watched_game(&engine.player("Ada").await, 2, "standard").await;
    let account = engine.worker_account().await;
    let mut first = Worker::hire(&account, 1).await.unwrap();
    let lost = first.lease().await;
    let mut second = Worker::hire(&account.on(engine.channel().await), 1).await.unwrap();
    drop(first);
    let lease = second.lease().await;
    assert_eq!((lease.seat, lease.decision.as_ref()), (lost.seat, lost.decision.as_ref()));
    assert!(lease.lease.unwrap().fence > lost.lease.unwrap().fence, "a later lease has the higher fence");
    assert_eq!(lease.seed, lost.seed, "the same decision, the same randomness");
    second.answer(&lost, "end").await;
    assert!(matches!(second.hear().await.unwrap(), Say::Revoked(_)), "a stale answer is refused");
    second.answer(&lease, "end").await;
    assert!(matches!(second.hear().await.unwrap(), Say::Accepted(_)));
}

#[tokio::test(flavor = "multi_thread")]
async fn only_workers_work_and_never_where_their_account_plays() {
    let engine = Engine::start();
    let player = engine.player("Ada").await;
    let refused = Worker::hire(&player, 1).await.err().expect("a player is no worker");
    assert_eq!(reason(&refused), "ROLE_REQUIRED");
    let worker = engine.worker_account().await;
    let request = CreateGameRequest {
        kind: STARSHIPS.to_owned(),
        seats: vec![SeatPlan::default(), automated("standard")],
        ..CreateGameRequest::default()
    };
    let refused = worker.games().create_game(request).await.unwrap_err();
    assert_eq!(reason(&refused), "SEES_TOO_MUCH");
    // An account that plays and becomes a worker later is not leased the seats of its own games.
    let game = player.create_with(0, |request| request.seats.push(automated("standard"))).await;
    let admin = engine.admin().await;
    let grant = GrantRoleRequest { name: "Ada".to_owned(), role: AccountRole::Worker.into() };
    let token = admin.admin().grant_role(grant).await.unwrap().into_inner().token;
    let ada = Player::with_token(engine.channel().await, &token);
    let mut ada = Worker::hire(&ada, 4).await.unwrap();
    let elsewhere = watched_game(&engine.player("Eve").await, 1, "standard").await;
    assert_eq!(ada.lease().await.game_id, elsewhere.game_id);
    // Ada's own game waits for somebody who does not play in it, as soon as its automated seat is asked.
    if game.on_turn == 1 {
        player.order(&game.game_id, "end", "ada-1").await.expect("it is still her seat");
    }
    let mut other = Worker::hire(&worker, 4).await.unwrap();
    assert_eq!(other.lease().await.game_id, game.game_id);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_ai_clients_one_of_them_killed_play_games_to_the_end() {
    let engine = Engine::start();
    let player = engine.player("Ada").await;
    let mut games = Vec::new();
    for _ in 0..8 {
        games.push(watched_game(&player, 2, "random").await.game_id);
    }
    let stays = AiClient::start(&engine);
    let dies = AiClient::start(&engine);
    let admin = engine.admin().await;
    loop {
        let status = admin.admin().get_status(GetStatusRequest {}).await.unwrap().into_inner();
        if status.workers == 2 && status.leases > 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    drop(dies);
    for game in &games {
        player.ended(game).await;
        player.verified(game).await;
    }
    drop(stays);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_waits_for_automation_says_so() {
    let engine = Engine::start();
    let player = engine.player("Ada").await;
    let game = watched_game(&player, 1, "standard").await;
    assert!(player.game(&game.game_id).await.waits_for_automation);
    let mut worker = Worker::hire(&engine.worker_account().await, 1).await.unwrap();
    worker.lease().await;
    assert!(!player.game(&game.game_id).await.waits_for_automation);
}
