//! Checks that every decision of automation is answered once, even if workers fail.

use std::time::Duration;

use heliopause_proto::v1::work_request::Message as Said;
use heliopause_proto::v1::work_response::Message as Say;
use heliopause_proto::v1::*;
use heliopause_tests::{
    AiClient, Engine, OfGame as _, Player, STARSHIPS, Worker, automated, order_text, reason, until,
    until_some,
};

async fn watched_game(player: &Player, seats: usize, level: &str) -> Game {
    player.create_automated(STARSHIPS, seats, level, None).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rejected_answer_keeps_the_lease_for_a_correction() {
    let engine = Engine::start();
    let game = watched_game(&engine.player("Ada").await, 2, "standard").await;
    let mut worker = Worker::attach(&engine.worker_account().await, 1).await.unwrap();
    let lease = worker.lease().await;
    assert_eq!((&lease.game_id, lease.kind.as_str()), (&game.game_id, STARSHIPS));
    assert!(lease.view.is_some() && lease.offers.is_some() && lease.seed.len() == 32);
    worker.answer(&lease, "attack A1 base of A").await;
    let Say::Refused(refused) = worker.hear().await.unwrap() else {
        panic!("an illegal order is refused")
    };
    assert_eq!(refused.lease, lease.lease);
    assert!(refused.attempts_left > 0);
    assert!(!refused.verdicts[0].refusal.is_empty() || !refused.message.is_empty());
    worker.answer(&lease, "no order at all").await;
    assert!(
        matches!(worker.hear().await.unwrap(), Say::Refused(_)),
        "a text that cannot be read is refused"
    );
    worker.answer(&lease, "end").await;
    assert!(
        matches!(worker.hear().await.unwrap(), Say::Accepted(accepted) if accepted.lease == lease.lease)
    );
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
    worker
        .say(Said::Answer(Answer { lease: lease.lease, orders, memo, ..Answer::default() }))
        .await;
    let next = worker.lease().await;
    assert_eq!((next.seat, &next.memo[..]), (lease.seat, &b"what I planned"[..]));
    let too_much = Some(vec![0; 64 * 1024 + 1].into());
    let orders = order_text("end");
    worker
        .say(Said::Answer(Answer {
            lease: next.lease,
            orders,
            memo: too_much,
            ..Answer::default()
        }))
        .await;
    let ended = worker
        .hear()
        .await
        .expect_err("a message that breaks a limit of the contract ends the stream");
    let named = String::from_utf8_lossy(ended.details()).contains("answer.memo");
    assert_eq!((reason(&ended), named), ("INVALID_FIELD".to_owned(), true), "{ended:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_with_a_workers_answer_obey_the_press_rules() {
    let engine = Engine::start();
    watched_game(&engine.player("Ada").await, 2, "standard").await;
    let mut worker = Worker::attach(&engine.worker_account().await, 1).await.unwrap();
    let lease = worker.lease().await;
    assert!(lease.may_write, "nobody else plays this seat");
    let other = 3 - lease.seat;
    let say = |count: usize| {
        let orders = order_text("end");
        let message =
            SeatMessage { to_seats: vec![other], text: "Peace until round 8?".to_owned() };
        Said::Answer(Answer {
            lease: lease.lease,
            orders,
            messages: vec![message; count],
            ..Answer::default()
        })
    };
    // Starships at Large 3.5: a player cannot negotiate in their own turn.
    worker.say(say(1)).await;
    let Say::Refused(refused) = worker.hear().await.unwrap() else {
        panic!("this is the seat's own turn")
    };
    assert_eq!(
        (refused.verdicts[0].field.as_str(), refused.verdicts[0].rule.as_str()),
        ("messages", "3.5")
    );
    worker.say(say(0)).await;
    assert_eq!(worker.lease().await.seat, other);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lease_includes_the_newest_events_that_fit() {
    const ROOM: usize = 256 << 10;
    const LETTERS: usize = 40;
    let engine = Engine::start();
    let ada = engine.player("Ada").await;
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
    let power = WorkerProfile {
        kind: "diplomacy".to_owned(),
        profile: "power".to_owned(),
        levels: vec!["standard".to_owned()],
    };
    let hello = Hello { worker: "by hand".to_owned(), profiles: vec![power], capacity: 1 };
    let mut worker = Worker::attach_with(&engine.worker_account().await, hello).await.unwrap();
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
    let engine = Engine::start();
    let player = engine.player("Ada").await;
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
    let admin = engine.admin().await;
    let grant = GrantRoleRequest {
        name: "Ada".to_owned(),
        role: AccountRole::Worker.into(),
        ..GrantRoleRequest::default()
    };
    let token = admin.does(grant).await.token;
    let ada = Player::with_token(engine.channel().await, &token);
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
    let engine = Engine::start();
    let player = engine.player("Ada").await;
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
    let engine = Engine::start();
    let player = engine.player("Ada").await;
    let game = watched_game(&player, 1, "standard").await;
    assert!(player.game(&game.game_id).await.waits_for_automation);
    let mut worker = Worker::attach(&engine.worker_account().await, 1).await.unwrap();
    worker.lease().await;
    assert!(!player.game(&game.game_id).await.waits_for_automation);
}

#[tokio::test(flavor = "multi_thread")]
async fn contract_14_an_answer_is_accepted_before_its_slot_is_reused() {
    let engine = Engine::start();
    let player = engine.player("Ada").await;
    for _ in 0..4 {
        watched_game(&player, 2, "standard").await;
    }
    let mut worker = Worker::attach(&engine.worker_account().await, 1).await.unwrap();
    for _ in 0..30 {
        let Say::Lease(lease) = worker.hear().await.unwrap() else { panic!("a lease comes next") };
        worker.answer(&lease, "end").await;
        let Say::Accepted(accepted) = worker.hear().await.unwrap() else {
            panic!("the answer is accepted first")
        };
        assert_eq!(accepted.lease, lease.lease);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn contract_14_games_are_played_one_decision_at_a_time() {
    let engine = Engine::with(&["--metrics", "127.0.0.1:0"]);
    let player = engine.player("Ada").await;
    let _bots = AiClient::start_with(&engine, 1);
    let mut games = Vec::new();
    for _ in 0..3 {
        games.push(watched_game(&player, 3, "random").await.game_id);
    }
    for game in &games {
        player.ended(game).await;
    }
    let returned = engine.metrics();
    let returned =
        returned.lines().find(|line| line.starts_with("heliopause_leases_returned_total"));
    assert_eq!(
        returned,
        Some("heliopause_leases_returned_total 0"),
        "the engine was right to give them all"
    );
    assert!(!engine.log().contains("released a decision"));
}

#[tokio::test(flavor = "multi_thread")]
async fn security_d9_another_hosts_first_lease_is_not_delayed() {
    let engine = Engine::start();
    let [busy, other] = engine.players(["Ada", "Bob"]).await;
    for _ in 0..6 {
        busy.create_automated("diplomacy", 7, "standard", None).await;
    }
    let levels = vec!["standard".to_owned()];
    let profiles =
        vec![WorkerProfile { kind: "diplomacy".to_owned(), profile: "power".to_owned(), levels }];
    let hello = Hello { worker: "by hand".to_owned(), profiles, capacity: 1 };
    let mut worker = Worker::attach_with(&engine.worker_account().await, hello).await.unwrap();
    let mut played = Vec::new();
    let mut first = None;
    for turn in 0..24 {
        let lease = worker.lease().await;
        if turn == 10 {
            first = Some(other.create_automated("diplomacy", 7, "standard", None).await.game_id);
        }
        played.push(lease.game_id.clone());
        worker
            .say(Said::Answer(Answer { lease: lease.lease, ready: true, ..Answer::default() }))
            .await;
    }
    let theirs = played.iter().position(|game| Some(game) == first.as_ref());
    assert!(
        theirs.is_some_and(|turn| turn <= 12),
        "of {} waiting decisions theirs came after {theirs:?}",
        6 * 7
    );
    let games: std::collections::BTreeSet<&String> = played[..6].iter().collect();
    assert_eq!(games.len(), 6, "a host's games take turns: {played:?}");
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
    let engine = Engine::start();
    let ada = engine.player("Ada").await;
    let game = ada
        .create_with(0, |request| {
            request.seats.extend([automated("standard"), automated("strong")]);
        })
        .await;
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
    worker
        .say(Said::Answer(Answer { lease: lease.lease, vote: Some(true), ..Answer::default() }))
        .await;
    let (other, _) = ballot(&mut worker).await;
    assert_ne!((other.seat, &other.seed), (lease.seat, &lease.seed));
    assert_eq!(votes(&ada, &game).await[0].yes, [1, lease.seat]);
    worker
        .say(Said::Answer(Answer { lease: other.lease, vote: Some(true), ..Answer::default() }))
        .await;
    let outcome = ada.ended(&game.game_id).await.outcome.expect("an outcome");
    assert!(outcome.draw && outcome.declared);
    assert_eq!(outcome.winners, [1, 2, 3]);
    ada.verified(&game.game_id).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rule_5_the_ai_client_votes_for_its_seats() {
    let engine = Engine::start();
    let ada = engine.player("Ada").await;
    // On the first turn the game is still open, so the first automated seat that votes votes no.
    let game = ada
        .create_with(0, |request| {
            request.kind = "diplomacy".to_owned();
            request.seats.extend(vec![automated("standard"); 6]);
        })
        .await;
    let proposed = ada.propose(&game.game_id, VoteSubject::Draw).await;
    let _bots = AiClient::start(&engine);
    let vote = until_some("the vote is closed", async || {
        let closed =
            |vote: &Vote| vote.number == proposed.number && vote.state() != VoteState::Open;
        votes(&ada, &game).await.into_iter().find(closed)
    })
    .await;
    assert_eq!(vote.state(), VoteState::Failed);
    assert_eq!((vote.yes.len(), vote.no.len()), (1, 1), "Ada alone agrees: {vote:?}");
    assert_eq!(ada.game(&game.game_id).await.status(), GameStatus::Running);
}
