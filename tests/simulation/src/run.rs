//! Runs a plan, first with faults and then without, while the oracles check the results.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::join_all;
use heliopause_engine::store::{Account, TokenRow};
use heliopause_proto::v1::AccountRole;
use heliopause_table::registry::raise_rules_version;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;
use tokio::task::LocalSet;
use tokio::time::{Instant, sleep};

use crate::chance::Rng;
use crate::engines::Machine;
use crate::ledger::{Audience, Ledger, Received};
use crate::net::{Net, Node};
use crate::oracles::{self, Tables};
use crate::plan::{ENGINE, Fault, FaultKind, PLAYER, Plan, WORKER};
use crate::players::{self, Kit, Person};
use crate::store::SimulatedStore;
use crate::trace;
use crate::workers::WorkerMachine;
use crate::{environment, queue, rare, tournament, traced};

const FAULT_FREE_TIME: Duration = Duration::from_secs(100);
/// Number of further attempts to stop all engines so that every game has a snapshot.
const UPGRADES_TRIED: u32 = 3;
/// The time after the last fault during which delays are accepted.
const RECOVERY_TIME: Duration = Duration::from_secs(40);

/// The outcome of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    pub seed: u64,
    pub hash: (u64, u64),
    pub millis: u64,
    pub violations: Vec<String>,
    pub heard: BTreeMap<Node, u64>,
    pub marks: BTreeSet<String>,
    pub counts: BTreeMap<String, u64>,
}

/// Runs a plan. A process can run only one plan, because random choices and clocks start with the
/// run.
pub fn run(plan: Plan) -> Outcome {
    environment::seed(plan.seed);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("a runtime on this thread");
    let seed = plan.seed;
    let ledger = Ledger::default();
    let local = LocalSet::new();
    let millis = runtime.block_on(local.run_until(async {
        environment::begin();
        live(plan, &ledger).await;
        environment::elapsed().as_millis() as u64
    }));
    let notes = ledger.notes();
    let counts = notes.counts.iter().map(|(what, times)| ((*what).to_owned(), *times)).collect();
    let outcome = Outcome {
        seed,
        hash: trace::hash(),
        millis,
        violations: notes.violations.clone(),
        heard: trace::heard(),
        marks: rare::met(),
        counts,
    };
    drop(notes);
    // The rest of the world ends with the process.
    std::mem::forget((runtime, local));
    outcome
}

fn token_of(seed: u64, name: &str) -> String {
    let digest = Sha256::digest(format!("{seed} {name}"));
    digest.iter().fold("hp_".to_owned(), |token, byte| format!("{token}{byte:02x}"))
}

fn open_account(world: &SimulatedStore, seed: u64, name: &str, role: AccountRole) -> String {
    let token = token_of(seed, name);
    let player_id = format!("p-{}", &token[3..35]);
    let account = Account::new(player_id.clone(), name, role.into(), environment::now());
    let account = Account { dedication: 100, ..account };
    let row = TokenRow {
        token_id: format!("t-{}", &token[3..35]),
        player_id,
        name: "first".to_owned(),
        hash: Sha256::digest(&token).into(),
        created: environment::now(),
    };
    world.open_account(account, row).expect("a new account in an empty store");
    token
}

/// Creates a temporary folder, in memory if possible. The name is not random, because a name
/// collision would change all later random choices.
fn temporary() -> TempDir {
    let memory = Path::new("/dev/shm");
    let place = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
    let name = format!("simulate-{}", std::process::id());
    drop(std::fs::remove_dir_all(place.join(&name)));
    tempfile::Builder::new()
        .prefix(&name)
        .rand_bytes(0)
        .tempdir_in(place)
        .expect("a temporary folder")
}

struct Simulation {
    net: Net,
    world: Arc<SimulatedStore>,
    machines: Vec<Arc<Machine>>,
    worker_machines: Vec<Arc<WorkerMachine>>,
    ledger: Ledger,
    games: usize,
    silent_worker: bool,
    wrong_until: RefCell<Instant>,
    /// Whether an upgrade to newer rules is in progress. No engine may start meanwhile.
    upgrades: Cell<bool>,
    tables: RefCell<Tables>,
}

impl Simulation {
    async fn start(&self, machine: &Machine) {
        while self.upgrades.get() {
            sleep(Duration::from_millis(50)).await;
        }
        machine.start().await;
    }

    fn is_wrong_until(&self, then: Instant) {
        let mut until = self.wrong_until.borrow_mut();
        *until = then.max(*until);
    }

    async fn roll_back(&self, lost: Duration, breaks: bool) {
        while !self.world.is_full(self.games) {
            sleep(Duration::from_secs(1)).await;
        }
        let Some(backup) = self.world.backup() else { return };
        sleep(lost).await;
        let journals: BTreeMap<String, Vec<Bytes>> = oracles::games(&self.world)
            .into_iter()
            .map(|game| (game.clone(), self.world.journal(&game)))
            .collect();
        self.world.roll_back(&backup, breaks);
        drop(self.tables.take());
        // If a follower received events that are now lost, an engine still has them in memory and
        // must report the rollback, unless an engine writes the same entries again.
        let heard = self.ledger.heard().into_iter();
        let lost = heard.filter(|((game, audience, _), last)| {
            *last > oracles::published_events(&self.world, game, *audience)
        });
        let lost = lost.filter_map(|((game, _, _), _)| journals.get_key_value(&game));
        self.ledger.rolled_back(lost.map(|(game, lost)| (game.clone(), lost.clone())).collect());
        self.is_wrong_until(Instant::now());
        traced!("the store was rolled back");
    }

    async fn drain_all(&self) -> bool {
        let killed = join_all(self.machines.iter().map(|machine| machine.drain())).await;
        killed.contains(&true)
    }

    /// Stops all engines until every game has a snapshot, as the manual describes for new rules.
    async fn upgrade(&self, down: Duration) {
        if self.upgrades.replace(true) {
            return;
        }
        for attempt in 0.. {
            let stop = self.machines.iter().filter(|machine| machine.is_up()).count();
            let mut killed = self.drain_all().await;
            // Also stop engines that were starting, once they are up.
            while self.machines.iter().any(|machine| machine.is_up() || machine.starts()) {
                sleep(Duration::from_millis(100)).await;
                killed |= self.drain_all().await;
            }
            if self.world.is_settled() || attempt == UPGRADES_TRIED {
                break;
            }
            let lately = Duration::from_secs(30);
            if stop > 0
                && !killed
                && !self.world.had_trouble(lately)
                && !self.world.was_full(lately)
            {
                let left = "engines that stopped left games without snapshots";
                self.ledger.record_violation(left.to_owned());
            }
            self.machines[0].start().await;
            sleep(Duration::from_secs(10)).await;
        }
        self.tables.borrow_mut().follow(&self.world, &self.ledger);
        if self.world.is_settled() {
            traced!("newer rules");
            self.ledger.count("upgrades of the rules");
            raise_rules_version();
        }
        sleep(down).await;
        for machine in &self.machines {
            machine.start().await;
        }
        self.upgrades.set(false);
    }
}

#[expect(clippy::too_many_lines, reason = "it lists who is there, one after the other")]
async fn live(plan: Plan, ledger: &Ledger) {
    let seed = plan.seed;
    let net = Net::new(Rng::of(seed, "net"), plan.delay);
    let folder = temporary();
    let sqlite = plan.sqlite.then(|| folder.path().join("data"));
    let chance = Rng::of(seed, "store");
    let world = SimulatedStore::new(net.clone(), chance, plan.shared, plan.hints_lost, sqlite);
    let watcher = ledger.clone();
    if plan.shared {
        world.watch(move |append, now| oracles::on_append(&watcher, append, now));
    }
    let token_file = folder.path().join("worker.token");
    let worker = open_account(&world, seed, "worker", AccountRole::Worker);
    std::fs::write(&token_file, &worker).expect("a file of a temporary folder");
    // After this time, people stop acting, so only the engine can apply what is due.
    let until = Instant::now() + plan.fault_time + FAULT_FREE_TIME / 2;
    let kit = Kit { plan: &plan, net: &net, world: &world, ledger, until };
    let mut people: Vec<Person> = (0..=plan.players + 1)
        .map(|index| {
            let node = PLAYER + index;
            let token = open_account(&world, seed, &format!("p{node}"), AccountRole::Player);
            Person::new(&kit, node, &token)
        })
        .collect();
    let machines: Vec<Arc<Machine>> = (0..plan.engines)
        .map(|index| {
            let skew = plan.skews[usize::from(index)];
            let skew = if plan.shared { skew } else { 0 };
            let world = Arc::clone(&world);
            Machine::new(ENGINE + index, net.clone(), world, plan.evict_after, skew)
        })
        .collect();
    let worker_machines: Vec<Arc<WorkerMachine>> = (0..plan.workers)
        .map(|index| {
            WorkerMachine::new(
                WORKER + index,
                net.clone(),
                plan.engines,
                &token_file,
                plan.thinking_time,
            )
        })
        .collect();
    for machine in &machines {
        machine.start().await;
    }
    for desk in &worker_machines {
        desk.start();
    }
    if plan.silent_worker {
        let node = WORKER + plan.workers;
        let desk =
            WorkerMachine::new(node, net.clone(), plan.engines, &token_file, plan.thinking_time);
        tokio::task::spawn_local(desk.stay_silent(worker));
    }
    let stage = Rc::new(Simulation {
        net: net.clone(),
        world: Arc::clone(&world),
        machines,
        worker_machines,
        ledger: ledger.clone(),
        games: plan.games.len(),
        silent_worker: plan.silent_worker,
        wrong_until: RefCell::new(Instant::now()),
        upgrades: Cell::new(false),
        tables: RefCell::default(),
    });
    let mut master = people.pop().expect("somebody leads");
    let mut watcher = people.pop().expect("somebody watches");
    for (index, game) in plan.games.iter().cloned().enumerate() {
        let players: Vec<Person> =
            people.iter_mut().map(|player| player.in_other_window(&format!("g{index}"))).collect();
        let mut leader = master.in_other_window(&format!("g{index}"));
        let spectator = watcher.in_other_window(&format!("g{index}"));
        let (stage, idle_reader, unwatched) = (Rc::clone(&stage), plan.idle_reader, plan.unwatched);
        tokio::task::spawn_local(async move {
            sleep(game.at).await;
            let mut players = players;
            let host = if game.has_master { &mut leader } else { &mut players[0] };
            let engine = host.connect().await;
            let id = host.create(&engine, &game, index).await;
            if id.is_empty() {
                return;
            }
            if game.has_master {
                tokio::task::spawn_local(leader.lead(id.clone(), game.people));
            }
            stage.ledger.count("games");
            for (seat, mut player) in players.into_iter().take(game.people).enumerate() {
                let id = id.clone();
                tokio::task::spawn_local(async move {
                    if seat > 0 || game.has_master {
                        let engine = player.connect().await;
                        player.join(&engine, &id).await;
                    }
                    let follower = player.in_other_window("follows");
                    if let Some(seat) = player.world().seat_of(&id, player.node) {
                        tokio::task::spawn_local(follower.follow(id.clone(), Audience::Seat(seat)));
                    }
                    player.play(id).await;
                });
            }
            if unwatched && game.people == 0 {
                return;
            }
            let mut spectator = spectator;
            if idle_reader {
                tokio::task::spawn_local(spectator.in_other_window("idles").idle(id.clone()));
            }
            spectator.follow(id, Audience::Spectators).await;
        });
    }
    for index in 0..plan.queuers() {
        let node = PLAYER + plan.players + 2 + index;
        let token = open_account(&world, seed, &format!("p{node}"), AccountRole::Player);
        tokio::task::spawn_local(Person::new(&kit, node, &token).wait_in_queue());
    }
    for index in 0..plan.entrants() {
        let node = PLAYER + plan.players + 2 + plan.queuers() + index;
        let token = open_account(&world, seed, &format!("p{node}"), AccountRole::Player);
        let hosts = (index == 0).then(|| plan.entrants().into());
        tokio::task::spawn_local(Person::new(&kit, node, &token).play_tournaments(hosts));
    }
    for fault in plan.faults.clone() {
        tokio::task::spawn_local(inject_fault(Rc::clone(&stage), fault));
    }
    let ends = Instant::now() + plan.fault_time + FAULT_FREE_TIME;
    watch(&stage, ends).await;
    settle(&stage).await;
    if plan.killed_last {
        stop(&stage).await;
    }
    stage.tables.borrow_mut().follow(&world, ledger);
    oracles::at_the_end(&plan, &world, ledger, &stage.tables.borrow());
    queue::nobody_is_matched_twice(&world, ledger);
    tournament::games_follow_from_pairings(&world, ledger, &stage.tables.borrow());
    oracles::fallbacks_are_unused(&plan, ledger);
    tournament::ratings_follow_from_journals(&world, ledger);
}

async fn inject_fault(stage: Rc<Simulation>, fault: Fault) {
    sleep(fault.at).await;
    traced!("fault {fault}");
    stage.is_wrong_until(Instant::now() + fault.what.duration());
    let machine = |node| stage.machines.iter().find(|machine| machine.node == node).cloned();
    let desk = |node| stage.worker_machines.iter().find(|desk| desk.node == node).cloned();
    match fault.what {
        FaultKind::Crash { engine, down, silent } => {
            if let Some(machine) = machine(engine) {
                machine.crash(silent);
                sleep(down).await;
                stage.start(&machine).await;
            }
        }
        FaultKind::Drain { engine, down } => {
            if let Some(machine) = machine(engine) {
                machine.drain().await;
                sleep(down).await;
                stage.start(&machine).await;
            }
            stage.is_wrong_until(Instant::now());
        }
        FaultKind::Rollback { lost, breaks } => stage.roll_back(lost, breaks).await,
        FaultKind::FailOver { down, millis } => stage.world.fail_over(down, millis),
        FaultKind::Upgrade { down } => {
            stage.upgrade(down).await;
            stage.is_wrong_until(Instant::now());
        }
        FaultKind::Block { from, to, duration } => stage.net.block(from, to, duration),
        FaultKind::Break { node } => stage.net.break_all(node, false, false),
        FaultKind::Slow { duration, millis } => stage.world.slow(duration, millis),
        FaultKind::Full { duration } => stage.world.fill(duration),
        FaultKind::Lose { duration, in_1000 } => stage.world.lose(duration, in_1000),
        FaultKind::Fail { duration, in_1000 } => stage.world.fail(duration, in_1000),
        FaultKind::LoseHints { engine, duration } => stage.world.block_hints(engine, duration),
        FaultKind::Jump { engine, millis } => {
            if let Some(machine) = machine(engine) {
                machine.jump(millis);
            }
        }
        FaultKind::Worker { worker, down, hangs } => {
            if let Some(desk) = desk(worker) {
                desk.end(hangs);
                sleep(down).await;
                desk.start();
            }
        }
    }
}

async fn watch(stage: &Simulation, ends: Instant) {
    let mut owed: BTreeMap<(String, u32, u64, u64), Instant> = BTreeMap::new();
    while Instant::now() < ends {
        sleep(Duration::from_secs(2)).await;
        if !stage.ledger.notes().violations.is_empty() {
            return;
        }
        for what in players::overdue(&stage.ledger) {
            stage.ledger.record_violation(format!("a call does not end: {what}"));
        }
        let games = oracles::games(&stage.world).len() as u64;
        for machine in &stage.machines {
            if let Some(status) = machine.host().map(|host| host.status())
                && status.live_games > games
            {
                stage.ledger.record_violation(format!(
                    "{} games are live, but only {games} exist",
                    status.live_games
                ));
            }
        }
        let wrong = *stage.wrong_until.borrow() + RECOVERY_TIME > Instant::now()
            || stage.upgrades.get()
            || stage.world.had_trouble(RECOVERY_TIME);
        if wrong {
            owed.clear();
            continue;
        }
        let workers = stage.worker_machines.len() as u64 + u64::from(stage.silent_worker);
        for machine in &stage.machines {
            if let Some(status) = machine.host().map(|host| host.status())
                && status.workers > workers
            {
                let counted = status.workers;
                stage.ledger.record_violation(format!(
                    "{counted} workers are counted, but only {workers} exist"
                ));
            }
        }
        let now = if stage.world.is_shared() {
            stage.world.now()
        } else {
            stage.machines[0].now().unwrap_or_default()
        };
        let mut tables = stage.tables.borrow_mut();
        tables.follow(&stage.world, &stage.ledger);
        let late = tables.late(&stage.world, now).into_iter();
        let late = late.chain(queue::unserved(&stage.world, now));
        for what in late.chain(tournament::delayed(&stage.world, now)) {
            stage.ledger.record_violation(format!("no fault was active, but {what}"));
        }
        let still = tables.owed();
        owed.retain(|key, _| still.contains(key));
        for key in still {
            let since = *owed.entry(key.clone()).or_insert_with(Instant::now);
            if since.elapsed() > oracles::OWED_MAX {
                stage
                    .ledger
                    .record_violation(format!("automation left {key:?} unanswered for too long"));
            }
        }
    }
}

/// Kills all engines, restarts one engine, and drains it. The drain must leave snapshots of all
/// games.
async fn stop(stage: &Simulation) {
    for machine in &stage.machines {
        machine.crash(false);
    }
    stage.machines[0].start().await;
    stage.machines[0].drain().await;
    if !stage.world.is_settled() {
        let left =
            "an engine that restarted after a crash and stopped left games without snapshots";
        stage.ledger.record_violation(left.to_owned());
    }
}

async fn settle(stage: &Simulation) {
    if !stage.ledger.notes().violations.is_empty() {
        return;
    }
    let due: Vec<_> = {
        let notes = stage.ledger.notes();
        let until = |key: &(String, Audience, u8)| {
            (key.clone(), oracles::published_events(&stage.world, &key.0, key.1))
        };
        notes.told.keys().map(until).collect()
    };
    let behind = || {
        let notes = stage.ledger.notes();
        let behind = due.iter().filter_map(|(key, number)| {
            let last = notes.told.get(key).and_then(Received::last);
            last.is_none_or(|last| last < *number).then_some((key, last, number))
        });
        behind.collect::<Vec<_>>()
    };
    let mut before = Vec::new();
    loop {
        sleep(Duration::from_secs(20)).await;
        let now = behind();
        // Wait while any reader makes progress, even a slow one.
        if now == before {
            break;
        }
        before = now;
    }
    for ((game, audience, node), last, number) in before {
        stage.ledger.record_violation(format!(
            "{node} as {audience:?} of {game} received {last:?} of {number} events"
        ));
    }
}
