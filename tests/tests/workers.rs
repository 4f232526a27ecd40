//! Checks that every decision of automation is answered once, even if workers fail.

use std::time::Duration;

use heliopause_proto::v1::work_request::Message as Said;
use heliopause_proto::v1::work_response::Message as Say;
use heliopause_proto::v1::*;
use heliopause_tests::{
    AiClient, Engine, OfGame as _, Player, STARSHIPS, Worker, automated, order_text, reason, until,
};

async fn watched_game(player: &Player, seats: usize, level: &str) -> Game {
    player.create_automated(STARSHIPS, seats, level, None).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_memo_is_returned_with_the_seats_next_lease() {
    let engine = Engine::start();
    watched_game(&engine.player("Ada").await, 1, "standard").await;
    let mut worker = Worker::attach(&engine.worker_account().await, 1).await.unwrap();
    let lease = worker.lease().await;
    assert!(lease.memo.is_empty());
    let orders = order_text("end");
    let memo = Some(b"what I planned".to_vec().into());
    let answer = Answer { lease: lease.lease, orders, memo, ..Answer::default() };
    worker.say(Said::Answer(answer)).await;
    let next = worker.lease().await;
    assert_eq!((next.seat, &next.memo[..]), (lease.seat, &b"what I planned"[..]));
    let (orders, memo) = (order_text("end"), Some(vec![0; 64 * 1024 + 1].into()));
    let too_much = Answer { lease: next.lease, orders, memo, ..Answer::default() };
    worker.say(Said::Answer(too_much)).await;
    let ended = worker
        .hear()
        .await
        .expect_err("a message that breaks a limit of the contract ends the stream");
    let named = String::from_utf8_lossy(ended.details()).contains("answer.memo");
    assert_eq!((reason(&ended), named), ("INVALID_FIELD".to_owned(), true), "{ended:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lease_includes_the_newest_events_that_fit() {
    const ROOM: usize = 256 << 10;
    const LETTERS: usize = 40;
    let (engine, [ada]) = Engine::with_players(["Ada"]).await;
    let game = ada
        .create_with(0, |request| {
            request.kind = "diplomacy".to_owned();
            request.seats.push(automated("standard"));
        })
        .await;
    for number in 1..=LETTERS {
        let letter = SendMessageRequest {
            to_seats: vec![2],
            text: format!("{number:02}{}", "\u{e9}".repeat(3_998)),
            ..SendMessageRequest::of(&game.game_id)
        };
        ada.does(letter).await;
    }
    let power = Worker::profile("diplomacy", "power", &["standard"]);
    let account = engine.worker_account().await;
    let mut worker = Worker::attach_as(&account, 1, vec![power]).await.unwrap();
    let lease = worker.lease().await;
    let heard: Vec<_> = lease.recent.iter().map(prost::Message::encoded_len).collect();
    let all = heard.iter().sum::<usize>();
    assert!(all <= ROOM, "{heard:?}");
    assert!(all + heard[0] > ROOM, "one more does not fit: {heard:?}");
    let letter = |event: &Event| match event.body.as_ref().unwrap() {
        event::Body::Message(message) => message.text[..2].parse::<usize>().unwrap(),
        other => panic!("only letters lie this near to the end: {other:?}"),
    };
    let letters: Vec<_> = lease.recent.iter().map(letter).collect();
    assert_eq!(letters, (LETTERS - letters.len() + 1..=LETTERS).collect::<Vec<_>>());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_can_think_longer_than_the_eviction_time() {
    let engine = Engine::with(&["--evict-after", "1s"]);
    watched_game(&engine.player("Ada").await, 2, "standard").await;
    let mut worker = Worker::attach(&engine.worker_account().await, 1).await.unwrap();
    let lease = worker.lease().await;
    tokio::time::sleep(Duration::from_millis(3_500)).await;
    worker.answer(&lease, "end").await;
    let heard = worker.hear().await.unwrap();
    assert!(
        matches!(&heard, Say::Accepted(accepted) if accepted.lease == lease.lease),
        "{heard:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_workers_lease_is_reassigned_and_its_answer_is_ignored() {
    let engine = Engine::start();
    watched_game(&engine.player("Ada").await, 2, "standard").await;
    let account = engine.worker_account().await;
    let mut first = Worker::attach(&account, 1).await.unwrap();
    let lost = first.lease().await;
    let mut second = Worker::attach(&account.on(engine.channel().await), 1).await.unwrap();
    drop(first);
    let lease = second.lease().await;
    assert_eq!((lease.seat, lease.asked.as_ref()), (lost.seat, lost.asked.as_ref()));
    assert!(
        lease.lease.unwrap().fence > lost.lease.unwrap().fence,
        "a later lease has the higher fence"
    );
    assert_eq!(lease.seed, lost.seed, "the same decision, the same randomness");
    second.answer(&lost, "end").await;
    assert!(matches!(second.hear().await.unwrap(), Say::Revoked(_)), "a stale answer is refused");
    second.answer(&lease, "end").await;
    assert!(matches!(second.hear().await.unwrap(), Say::Accepted(_)));
}

#[tokio::test(flavor = "multi_thread")]
async fn only_workers_get_leases_and_never_in_their_own_games() {
    let (engine, [player]) = Engine::with_players(["Ada"]).await;
    let refused = Worker::attach(&player, 1).await.err().expect("a player is no worker");
    assert_eq!(reason(&refused), "ROLE_REQUIRED");
    let worker = engine.worker_account().await;
    let request = CreateGameRequest {
        kind: STARSHIPS.to_owned(),
        seats: vec![SeatPlan::default(), automated("standard")],
        ..CreateGameRequest::default()
    };
    let refused = worker.refused(request).await;
    assert_eq!(reason(&refused), "ROLE_CONFLICT");
    let game = player.create_with(0, |request| request.seats.push(automated("standard"))).await;
    let ada = engine.worker_named("Ada").await;
    let mut ada = Worker::attach(&ada, 4).await.unwrap();
    let elsewhere = watched_game(&engine.player("Eve").await, 1, "standard").await;
    assert_eq!(ada.lease().await.game_id, elsewhere.game_id);
    if game.on_turn == Some(1) {
        player.order(&game.game_id, "end", "ada-1").await.expect("it is still their seat");
    }
    let mut other = Worker::attach(&worker, 4).await.unwrap();
    assert_eq!(other.lease().await.game_id, game.game_id);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_ai_clients_finish_games_after_one_is_killed() {
    let (engine, [player]) = Engine::with_players(["Ada"]).await;
    let mut games = Vec::new();
    for _ in 0..8 {
        games.push(watched_game(&player, 2, "random").await.game_id);
    }
    let stays = AiClient::start(&engine);
    let dies = AiClient::start(&engine);
    let admin = engine.admin().await;
    until("both work", async || {
        let status = admin.does(GetStatusRequest {}).await;
        status.workers == 2 && status.leases > 0
    })
    .await;
    drop(dies);
    for game in &games {
        player.ended(game).await;
        player.verified(game).await;
    }
    drop(stays);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_waits_for_automation_says_so() {
    let (engine, [player]) = Engine::with_players(["Ada"]).await;
    let game = watched_game(&player, 1, "standard").await;
    assert!(player.game(&game.game_id).await.waits_for_automation);
    let mut worker = Worker::attach(&engine.worker_account().await, 1).await.unwrap();
    worker.lease().await;
    assert!(!player.game(&game.game_id).await.waits_for_automation);
}

async fn votes(player: &Player, game: &Game) -> Vec<Vote> {
    player.does(ListVotesRequest::of(&game.game_id)).await.votes
}

async fn ballot(worker: &mut Worker) -> (Lease, Vote) {
    loop {
        let lease = worker.lease().await;
        match lease.asked.clone() {
            Some(lease::Asked::Vote(vote)) => return (lease, vote),
            _ => worker.answer(&lease, "end").await,
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rule_5_automated_seats_vote_on_a_draw_by_lease() {
    let (engine, [ada]) = Engine::with_players(["Ada"]).await;
    let others = [automated("standard"), automated("strong")];
    let game = ada.create_with(0, |request| request.seats.extend(others)).await;
    let vote = ada.propose(&game.game_id, VoteSubject::Draw).await;
    assert_eq!((vote.state(), vote.needed), (VoteState::Open, 3));
    assert!(ada.game(&game.game_id).await.waits_for_automation);
    let mut worker = Worker::attach(&engine.worker_account().await, 1).await.unwrap();
    let (lease, asked) = ballot(&mut worker).await;
    assert_eq!(
        (asked.number, asked.subject(), lease.offers.is_none()),
        (vote.number, VoteSubject::Draw, true)
    );
    assert!(lease.view.is_some() && lease.seed.len() == 32 && !lease.may_write);
    worker.answer(&lease, "end").await;
    let refused = loop {
        match worker.hear().await.unwrap() {
            Say::Refused(refused) => break refused,
            Say::Accepted(_) => {}
            other => panic!("a refusal was expected: {other:?}"),
        }
    };
    assert_eq!((refused.lease, refused.verdicts[0].field.as_str()), (lease.lease, "vote"));
    let yes = |lease: &Lease| {
        Said::Answer(Answer { lease: lease.lease, vote: Some(true), ..Answer::default() })
    };
    worker.say(yes(&lease)).await;
    let (other, _) = ballot(&mut worker).await;
    assert_ne!((other.seat, &other.seed), (lease.seat, &lease.seed));
    assert_eq!(votes(&ada, &game).await[0].yes, [1, lease.seat]);
    worker.say(yes(&other)).await;
    let outcome = ada.ended(&game.game_id).await.outcome.expect("an outcome");
    assert!(outcome.draw && outcome.declared);
    assert_eq!(outcome.winners, [1, 2, 3]);
    ada.verified(&game.game_id).await;
}
