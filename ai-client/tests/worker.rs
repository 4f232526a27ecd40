//! The worker's protocol, against an engine controlled by the test.

use crate::engine;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use engine::{Conversation, Engine, accepted, accepted_in_part, lease, refused, revoked};
use heliopause_ai::bot::{Level, Stop};
use heliopause_ai::games::{Draft, GameAdapter};
use heliopause_ai::tournament::{Plan, Report};
use heliopause_ai::worker::{self, BotExecutor, Plays, Settings, Tls};
use heliopause_client::connect::Addresses;
use heliopause_kernel::Malformed;
use heliopause_proto::starships_at_large::v1::{Build, Order, order};
use heliopause_proto::v1::work_request::Message as ToEngine;
use heliopause_proto::v1::{
    Answer, GameOrder, Lease, LeaseRef, Orders, ReleaseCause, Verdict, Vote, VoteSubject,
    game_order,
};
use tokio::sync::watch;
use tokio::task::JoinHandle;

#[derive(Debug, Default)]
struct Puppet {
    was_stopped: AtomicBool,
}

impl GameAdapter for Puppet {
    fn kind(&self) -> &'static str {
        "puppet"
    }

    fn profiles(&self) -> &'static [&'static str] {
        &["hand"]
    }

    fn players(&self) -> std::ops::RangeInclusive<usize> {
        1..=6
    }

    fn think(&self, lease: &Lease, level: Level, stop: &Stop) -> Result<Draft, Malformed> {
        match &lease.seed[..] {
            b"malformed" => return Err(Malformed::field("view", "is absent")),
            b"panic" => panic!("a bot's fault, wanted by the test"),
            b"slow" => {
                while !stop.stopped() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                self.was_stopped.store(true, Ordering::Relaxed);
            }
            _ => {}
        }
        let orders = lease.seed.iter().map(|&count| order(count)).collect();
        Ok(Draft { orders, ready: true, memo: Some(level.as_str().into()), messages: Vec::new() })
    }

    fn vote(&self, lease: &Lease, vote: &Vote, _: Level) -> Result<bool, Malformed> {
        match vote.subject() {
            VoteSubject::Draw => Ok(lease.seed.is_empty()),
            _ => Err(Malformed::field("vote.subject", "is not for puppets")),
        }
    }

    fn fallbacks(&self, _: &Lease) -> Result<Vec<GameOrder>, Malformed> {
        Ok(vec![order(100), order(101)])
    }

    fn tournament(&self, _: &Plan) -> anyhow::Result<Report> {
        anyhow::bail!("puppets play no tournaments")
    }
}

fn order(count: u8) -> GameOrder {
    let kind = Some(order::Kind::Build(Build { count: count.into(), base: 0 }));
    GameOrder { game: Some(game_order::Game::StarshipsAtLarge(Order { kind })) }
}

struct Worker {
    puppet: &'static Puppet,
    stop: watch::Sender<bool>,
    done: JoinHandle<()>,
    _token: tempfile::TempDir,
}

impl Worker {
    fn start(engine: &Engine) -> Self {
        Self::start_with(engine, tempfile::tempdir().unwrap(), Tls::default())
    }

    fn start_with(engine: &Engine, folder: tempfile::TempDir, tls: Tls) -> Self {
        let token_file = folder.path().join("worker.token");
        std::fs::write(&token_file, "secret\n").unwrap();
        let puppet: &'static Puppet = Box::leak(Box::default());
        let settings = Settings {
            engines: Addresses::new(vec![engine.url().parse().unwrap()]).unwrap(),
            token_file,
            tls,
            name: "test".to_owned(),
            concurrency: 2,
            plays: vec![Plays {
                adapter: puppet,
                profile: "hand",
                levels: Level::ALL.into_iter().collect(),
            }],
            dial: Arc::new(heliopause_client::connect::dial::Tcp),
            executor: BotExecutor::BlockingPool,
        };
        let (stop, stopped) = watch::channel(false);
        let done = tokio::spawn(async move { worker::run(&settings, stopped).await });
        Self { puppet, stop, done, _token: folder }
    }

    /// Stops the worker, and checks that it ends after the engine has read its messages.
    async fn stop(self, engine_side: Conversation) {
        self.stop.send_replace(true);
        engine_side.end().await;
        tokio::time::timeout(Duration::from_secs(5), self.done).await.expect("it stops").unwrap();
    }
}

async fn connected() -> (Engine, Worker, Conversation) {
    let mut engine = Engine::start().await;
    let worker = Worker::start(&engine);
    let mut conversation = engine.next_conversation().await;
    let hello = conversation.hello().await;
    assert_eq!((hello.worker.as_str(), hello.capacity), ("test", 2));
    assert_eq!(hello.profiles[0].levels, ["random", "standard", "strong"]);
    (engine, worker, conversation)
}

fn verdict(accepted: bool) -> Verdict {
    Verdict { accepted, ..Verdict::default() }
}

fn answered(message: ToEngine) -> (Answer, Vec<u32>) {
    let ToEngine::Answer(answer) = message else { panic!("an answer was expected: {message:?}") };
    let builds = answer.orders.clone().unwrap().orders.into_iter().map(|order| match order.game {
        Some(game_order::Game::StarshipsAtLarge(Order {
            kind: Some(order::Kind::Build(build)),
        })) => build.count,
        other => panic!("{other:?}"),
    });
    let builds = builds.collect();
    (answer, builds)
}

fn returned(message: ToEngine) -> (LeaseRef, String) {
    let (lease, reason, _) = returned_for(message);
    (lease, reason)
}

fn returned_for(message: ToEngine) -> (LeaseRef, String, ReleaseCause) {
    let ToEngine::Release(back) = message else { panic!("a return was expected: {message:?}") };
    let cause = back.cause();
    (back.lease.unwrap(), back.reason, cause)
}

fn ballot(lease_id: u64, subject: VoteSubject, seed: &[u8]) -> engine::FromEngine {
    let mut message = lease(lease_id, 1, "", seed);
    let vote = Vote { number: 4, subject: subject.into(), ..Vote::default() };
    engine::lease_in(&mut message).asked = Some(heliopause_proto::v1::lease::Asked::Vote(vote));
    message
}

#[tokio::test]
async fn a_lease_is_answered_with_orders_and_memo() {
    let (_engine, worker, mut engine_side) = connected().await;
    engine_side.welcome(Duration::from_mins(1)).await;
    engine_side.say(lease(7, 3, "strong", &[1, 2])).await;
    let (answer, builds) = answered(engine_side.next_message().await);
    assert_eq!(answer.lease, Some(LeaseRef { lease_id: 7, fence: 3 }));
    assert_eq!((builds, answer.ready), (vec![1, 2], true));
    assert_eq!(answer.memo.as_deref(), Some(&b"strong"[..]));
    engine_side.say(accepted(7, 3)).await;
    worker.stop(engine_side).await;
}

#[tokio::test]
async fn workers_present_a_client_certificate_on_request() {
    let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    let (certificate, key) = (made.cert.pem(), made.signing_key.serialize_pem());
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let (certificate_file, key_file) =
        (write("certificate.pem", &certificate), write("key.pem", &key));
    let mut engine = Engine::start_with_tls(&certificate, &key).await;
    let tls =
        Tls { ca: Some(certificate_file.clone()), identity: Some((certificate_file, key_file)) };
    let worker = Worker::start_with(&engine, folder, tls);
    let mut engine_side = engine.next_conversation().await;
    engine_side.hello().await;
    worker.stop(engine_side).await;
}

#[tokio::test]
async fn a_rejected_answer_is_corrected_and_finally_given_back() {
    let (_engine, worker, mut engine_side) = connected().await;
    engine_side.say(lease(1, 1, "", &[5, 6])).await;
    assert_eq!(answered(engine_side.next_message().await).1, [5, 6]);
    engine_side.say(refused(1, 1, vec![verdict(false), verdict(true)], 9)).await;
    assert_eq!(answered(engine_side.next_message().await).1, [6]);
    engine_side.say(refused(1, 1, vec![verdict(false)], 8)).await;
    assert_eq!(answered(engine_side.next_message().await).1, [100]);
    engine_side.say(refused(1, 1, vec![verdict(false)], 7)).await;
    let (answer, builds) = answered(engine_side.next_message().await);
    assert_eq!(
        (builds, answer.memo),
        (vec![101], None),
        "a memo belongs to the orders it was given with"
    );
    engine_side.say(refused(1, 1, vec![verdict(false)], 6)).await;
    assert_eq!(returned(engine_side.next_message().await).0.lease_id, 1);
    worker.stop(engine_side).await;
}

#[tokio::test]
async fn a_partly_accepted_answer_ends_its_lease() {
    let (_engine, worker, mut engine_side) = connected().await;
    engine_side.say(lease(1, 1, "", b"slow")).await;
    engine_side.say(lease(2, 1, "", &[5, 6])).await;
    assert_eq!(answered(engine_side.next_message().await).1, [5, 6]);
    engine_side.say(accepted_in_part(2, 1, 1)).await;
    // The slot is free: the rest of the decision arrives as a new lease.
    engine_side.say(lease(3, 2, "", &[7])).await;
    let (answer, builds) = answered(engine_side.next_message().await);
    assert_eq!((answer.lease.unwrap().lease_id, builds), (3, vec![7]));
    worker.stop(engine_side).await;
}

#[tokio::test]
async fn a_lease_without_attempts_left_is_given_back() {
    let (_engine, worker, mut engine_side) = connected().await;
    engine_side.say(lease(1, 1, "", &[5])).await;
    engine_side.next_message().await;
    engine_side.say(refused(1, 1, vec![], 0)).await;
    assert_eq!(returned(engine_side.next_message().await).0.lease_id, 1);
    worker.stop(engine_side).await;
}

#[tokio::test]
async fn thinking_renews_its_lease_until_it_is_revoked() {
    let (_engine, worker, mut engine_side) = connected().await;
    engine_side.welcome(Duration::from_millis(150)).await;
    engine_side.say(lease(4, 2, "", b"slow")).await;
    for _ in 0..3 {
        let ToEngine::Renew(renew) = engine_side.next_message().await else {
            panic!("a renewal was expected")
        };
        assert_eq!(renew.lease, Some(LeaseRef { lease_id: 4, fence: 2 }));
    }
    engine_side.say(revoked(4, 1)).await;
    assert!(
        matches!(engine_side.next_message().await, ToEngine::Renew(_)),
        "an old fence revokes nothing"
    );
    engine_side.say(revoked(4, 2)).await;
    engine_side.say(lease(5, 1, "", &[9])).await;
    let (answer, _) = answered(engine_side.receive_skipping_renewals().await);
    assert_eq!(answer.lease.unwrap().lease_id, 5, "nothing is said of the revoked lease");
    while !worker.puppet.was_stopped.load(Ordering::Relaxed) {
        tokio::task::yield_now().await;
    }
    worker.stop(engine_side).await;
}

#[tokio::test]
async fn a_lost_stream_is_reopened() {
    let (mut engine, worker, mut first) = connected().await;
    first.say(lease(1, 1, "", b"slow")).await;
    drop(first);
    let mut second = engine.next_conversation().await;
    second.hello().await;
    second.say(lease(2, 1, "", &[3])).await;
    assert_eq!(answered(second.next_message().await).1, [3]);
    worker.stop(second).await;
}

#[tokio::test]
async fn unplayable_leases_are_given_back() {
    let (_engine, worker, mut engine_side) = connected().await;
    for (id, seed) in [(1, &b"malformed"[..]), (2, b"panic")] {
        engine_side.say(lease(id, 1, "", seed)).await;
        assert_eq!(returned(engine_side.next_message().await).0.lease_id, id);
    }
    engine_side.say(lease(3, 1, "godlike", &[1])).await;
    assert!(returned(engine_side.next_message().await).1.contains("godlike"));
    let mut other = lease(4, 1, "", &[1]);
    engine::lease_in(&mut other).kind = "chess".to_owned();
    engine_side.say(other).await;
    assert!(returned(engine_side.next_message().await).1.contains("chess"));
    worker.stop(engine_side).await;
}

#[tokio::test]
async fn leases_above_the_concurrency_are_given_back() {
    let (_engine, worker, mut engine_side) = connected().await;
    for id in 1..=3 {
        engine_side.say(lease(id, 1, "", b"slow")).await;
    }
    let (lease, _, cause) = returned_for(engine_side.next_message().await);
    assert_eq!((lease.lease_id, cause), (3, ReleaseCause::Busy));
    worker.stop(engine_side).await;
}

#[tokio::test]
async fn answered_leases_do_not_count_before_the_engine_confirms() {
    let (_engine, worker, mut engine_side) = connected().await;
    for id in 1..=5 {
        engine_side.say(lease(id, 1, "", &[1])).await;
        assert_eq!(answered(engine_side.next_message().await).0.lease.unwrap().lease_id, id);
    }
    worker.stop(engine_side).await;
}

#[tokio::test]
async fn a_vote_is_answered_with_a_vote_only() {
    let (_engine, worker, mut engine_side) = connected().await;
    for (id, seed, yes) in [(1, &b""[..], true), (2, b"x", false)] {
        engine_side.say(ballot(id, VoteSubject::Draw, seed)).await;
        let ToEngine::Answer(answer) = engine_side.next_message().await else {
            panic!("an answer was expected")
        };
        let lease = Some(LeaseRef { lease_id: id, fence: 1 });
        assert_eq!(answer, Answer { lease, vote: Some(yes), ..Answer::default() });
        assert_eq!(answer.orders, None::<Orders>);
    }
    // Votes have no alternatives.
    engine_side.say(refused(2, 1, vec![verdict(false)], 4)).await;
    assert_eq!(returned(engine_side.next_message().await).0.lease_id, 2);
    engine_side.say(ballot(3, VoteSubject::Pause, b"")).await;
    let (lease, _, cause) = returned_for(engine_side.next_message().await);
    assert_eq!((lease.lease_id, cause), (3, ReleaseCause::Unspecified));
    worker.stop(engine_side).await;
}

#[tokio::test]
async fn malformed_messages_are_tolerated() {
    let (_engine, worker, mut engine_side) = connected().await;
    let mut nameless = lease(1, 1, "", &[1]);
    engine::lease_in(&mut nameless).lease = None;
    engine_side.say(nameless).await;
    engine_side.say(accepted(77, 1)).await;
    engine_side.say(refused(77, 1, vec![verdict(true); 3], 3)).await;
    engine_side.say(revoked(77, 1)).await;
    engine_side.send_empty().await;
    engine_side.say(lease(2, 1, "", b"slow")).await;
    engine_side.say(refused(2, 1, vec![], 3)).await;
    engine_side.say(lease(3, 1, "", &[1])).await;
    assert_eq!(answered(engine_side.next_message().await).0.lease.unwrap().lease_id, 3);
    worker.stop(engine_side).await;
}

#[tokio::test]
async fn stopping_gives_the_leases_back() {
    let (_engine, worker, mut engine_side) = connected().await;
    engine_side.say(lease(1, 1, "", b"slow")).await;
    engine_side.say(lease(2, 1, "", &[1])).await;
    answered(engine_side.next_message().await);
    worker.stop.send_replace(true);
    let mut back = [
        returned(engine_side.next_message().await).0.lease_id,
        returned(engine_side.next_message().await).0.lease_id,
    ];
    back.sort_unstable();
    assert_eq!(back, [1, 2]);
    worker.stop(engine_side).await;
}
