//! The worker's protocol, against an engine controlled by the test.

use crate::engine;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use engine::{Conversation, Engine, accepted, accepted_in_part, lease, refused, revoked};
use heliopause_ai::bot::{Level, Stop};
use heliopause_ai::games::{Draft, GameAdapter};
use heliopause_ai::tournament::{Exploit, Plan, Report};
use heliopause_ai::worker::{self, BotExecutor, Plays, Settings, Tls};
use heliopause_client::connect::Addresses;
use heliopause_kernel::Malformed;
use heliopause_proto::starships_at_large::v1::{Build, Order, order};
use heliopause_proto::v1::work_request::Message as ToEngine;
use heliopause_proto::v1::{
    Answer, GameOrder, Lease, LeaseRef, Verdict, Vote, VoteSubject, game_order,
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

    fn has(&self, _: Exploit) -> bool {
        false
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

/// Formats a message of the worker, as in the cases.
fn shown(message: ToEngine) -> String {
    let name = |lease: Option<LeaseRef>| {
        let LeaseRef { lease_id, fence } = lease.expect("a lease");
        format!("{lease_id}.{fence}")
    };
    match message {
        ToEngine::Answer(Answer { lease, vote: Some(yes), orders: None, ready: false, .. }) => {
            format!("vote {} {yes}", name(lease))
        }
        ToEngine::Answer(Answer { lease, vote: None, orders, ready: true, memo, .. }) => {
            let builds = orders.unwrap().orders.into_iter().map(|order| match order.game {
                Some(game_order::Game::StarshipsAtLarge(Order {
                    kind: Some(order::Kind::Build(build)),
                })) => format!(" {}", build.count),
                other => panic!("{other:?}"),
            });
            let memo = memo.map(|memo| format!(", {}", String::from_utf8_lossy(&memo)));
            let builds = builds.collect::<String>();
            format!("answer {}:{builds}{}", name(lease), memo.unwrap_or_default())
        }
        ToEngine::Release(release) => {
            let cause = release.cause().as_str_name().trim_start_matches("RELEASE_CAUSE_");
            format!("release {} {cause}: {}", name(release.lease), release.reason)
        }
        ToEngine::Renew(renew) => format!("renew {}", name(renew.lease)),
        other => panic!("{other:?}"),
    }
}

impl Conversation {
    async fn next_text(&mut self) -> String {
        shown(self.next_message().await)
    }

    /// Sends the message of a line of a case.
    async fn perform(&mut self, line: &str) {
        let words: Vec<&str> = line.split(' ').collect();
        let id = || words[1].parse().unwrap();
        let message = match words[0] {
            "lease" => {
                let mut message = lease(id(), 1, "", &seed(words[2]));
                let own = engine::lease_in(&mut message);
                match words[3..] {
                    ["vote", subject] => {
                        let subject = VoteSubject::from_str_name(subject).unwrap().into();
                        let vote = Vote { number: 4, subject, ..Vote::default() };
                        own.asked = Some(heliopause_proto::v1::lease::Asked::Vote(vote));
                    }
                    ["kind", kind] => kind.clone_into(&mut own.kind),
                    ["level", level] => level.clone_into(&mut own.level),
                    ["nameless"] => own.lease = None,
                    _ => {}
                }
                message
            }
            "refused" => {
                let verdict = |mark| Verdict { accepted: mark == '+', ..Verdict::default() };
                let verdicts = words[3..].concat().chars().map(verdict).collect();
                refused(id(), 1, verdicts, words[2].parse().unwrap())
            }
            "partly" => accepted_in_part(id(), 1, 1),
            "accepted" => accepted(id(), 1),
            "revoked" => revoked(id(), 1),
            "empty" => return self.send_empty().await,
            _ => panic!("{line}"),
        };
        self.say(message).await;
    }
}

fn seed(text: &str) -> Vec<u8> {
    let counts: Result<Vec<u8>, _> = text.split(',').map(str::parse).collect();
    counts.unwrap_or_else(|_| text.trim_matches('-').as_bytes().to_vec())
}

#[tokio::test]
async fn leases_are_answered_as_in_the_cases() {
    for case in include_str!("worker_cases.txt").trim_end().split("\n\n") {
        let (_engine, worker, mut engine_side) = connected().await;
        for line in case.lines().skip(1) {
            match line.strip_prefix("= ") {
                Some(expected) => assert_eq!(engine_side.next_text().await, expected, "{case}"),
                None => engine_side.perform(line).await,
            }
        }
        worker.stop(engine_side).await;
    }
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
async fn thinking_renews_its_lease_until_it_is_revoked() {
    let (_engine, worker, mut engine_side) = connected().await;
    engine_side.welcome(Duration::from_millis(150)).await;
    engine_side.say(lease(4, 2, "", b"slow")).await;
    for _ in 0..3 {
        assert_eq!(engine_side.next_text().await, "renew 4.2");
    }
    engine_side.say(revoked(4, 1)).await;
    assert_eq!(engine_side.next_text().await, "renew 4.2", "an old fence revokes nothing");
    engine_side.say(revoked(4, 2)).await;
    engine_side.say(lease(5, 1, "", &[9])).await;
    let next = shown(engine_side.receive_skipping_renewals().await);
    assert_eq!(next, "answer 5.1: 9, standard", "nothing is said of the revoked lease");
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
    assert_eq!(second.next_text().await, "answer 2.1: 3, standard");
    worker.stop(second).await;
}

#[tokio::test]
async fn stopping_gives_the_leases_back() {
    let (_engine, worker, mut engine_side) = connected().await;
    engine_side.say(lease(1, 1, "", b"slow")).await;
    engine_side.say(lease(2, 1, "", &[1])).await;
    engine_side.next_message().await;
    worker.stop.send_replace(true);
    let mut back = [engine_side.next_text().await, engine_side.next_text().await];
    back.sort_unstable();
    let release = |id| format!("release {id}.1 STOPPING: the worker is stopping");
    assert_eq!(back, [1, 2].map(release));
    worker.stop(engine_side).await;
}
