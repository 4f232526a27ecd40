//! One run: a world is made by its plan, goes through storm and calm, and is judged.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use heliopause_engine::store::{Account, TokenRow};
use heliopause_proto::v1::AccountRole;
use heliopause_table::rehearsal;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;
use tokio::task::LocalSet;
use tokio::time::{Instant, sleep};

use crate::chance::Chance;
use crate::engines::Machine;
use crate::ledger::{Audience, Ledger, Told};
use crate::net::{Net, Node};
use crate::oracles::{self, Tables};
use crate::plan::{ENGINE, Fault, PLAYER, Plan, WORKER, What};
use crate::players::{self, Kit, Person};
use crate::store::World;
use crate::trace;
use crate::workers::Desk;
use crate::{ground, traced};

/// How long nothing goes wrong at the end, so that everything can be done that is owed.
const CALM: Duration = Duration::from_secs(100);
/// How often engines are stopped anew to leave snapshots of all games.
const UPGRADES_TRIED: u32 = 3;
/// How long after the last fault things may still be late.
const SETTLES: Duration = Duration::from_secs(40);

/// What came of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    pub seed: u64,
    /// The trace's hash, and of how many things it is.
    pub hash: (u64, u64),
    /// How long it lasted, in milliseconds of its own time.
    pub millis: u64,
    pub violations: Vec<String>,
    /// What each client heard, as a hash.
    pub heard: BTreeMap<Node, u64>,
    pub marks: BTreeSet<String>,
    pub counts: BTreeMap<String, u64>,
}

/// Runs a plan in this process, of which it is the only run: chance, clocks and what the product
/// keeps for a whole process begin anew with it.
pub fn run(plan: Plan) -> Outcome {
    ground::seed(plan.seed);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("a runtime on this thread");
    let seed = plan.seed;
    let ledger = Ledger::default();
    let local = LocalSet::new();
    let millis = runtime.block_on(local.run_until(async {
        ground::begin();
        live(plan, &ledger).await;
        ground::elapsed().as_millis() as u64
    }));
    let notes = ledger.notes();
    let counts = notes.counts.iter().map(|(what, times)| ((*what).to_owned(), *times)).collect();
    let outcome = Outcome {
        seed,
        hash: trace::hash(),
        millis,
        violations: notes.violations.clone(),
        heard: trace::heard(),
        marks: rehearsal::met().into_iter().map(str::to_owned).collect(),
        counts,
    };
    drop(notes);
    // What is left of the world ends with the process.
    std::mem::forget((runtime, local));
    outcome
}

/// The secret of somebody's token.
fn token_of(seed: u64, name: &str) -> String {
    let digest = Sha256::digest(format!("{seed} {name}"));
    digest.iter().fold("hp_".to_owned(), |token, byte| format!("{token}{byte:02x}"))
}

fn open_account(world: &World, seed: u64, name: &str, role: AccountRole) -> String {
    let token = token_of(seed, name);
    let player_id = format!("p-{}", &token[3..35]);
    let account = Account {
        player_id: player_id.clone(),
        name: name.to_owned(),
        looks: name.to_owned(),
        role: role.into(),
        dedication: 100,
        banned: false,
        games_limit: 0,
        created: ground::now(),
    };
    let row = TokenRow {
        token_id: format!("t-{}", &token[3..35]),
        player_id,
        name: "first".to_owned(),
        hash: Sha256::digest(&token).into(),
        created: ground::now(),
    };
    world.open_account(account, row).expect("a new account in an empty store");
    token
}

/// A folder in memory, if the system has such a place: nobody cuts its power. Its name is nothing that
/// chance decides, for a name that is taken already would change all that follows.
fn temporary() -> TempDir {
    let memory = Path::new("/dev/shm");
    let place = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
    let name = format!("simulate-{}", std::process::id());
    // What a killed process of the same number left.
    drop(std::fs::remove_dir_all(place.join(&name)));
    tempfile::Builder::new()
        .prefix(&name)
        .rand_bytes(0)
        .tempdir_in(place)
        .expect("a temporary folder")
}

struct Stage {
    net: Net,
    world: Arc<World>,
    machines: Vec<Arc<Machine>>,
    desks: Vec<Arc<Desk>>,
    ledger: Ledger,
    /// How many games there are to be.
    games: usize,
    /// Whether somebody takes decisions and never answers.
    sulks: bool,
    /// Until when something is wrong.
    wrong_until: RefCell<Instant>,
    /// Whether all engines are stopped for newer rules; then none starts.
    upgrades: Cell<bool>,
    /// The games as their journals have them.
    tables: RefCell<Tables>,
}

impl Stage {
    /// Starts an engine, unless another version comes: then once that is there.
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

    /// Takes a backup once every game is there and nobody is to join any more, and restores it
    /// after a while.
    async fn go_back(&self, lost: Duration, breaks: bool) {
        while !self.world.is_full(self.games) {
            sleep(Duration::from_secs(1)).await;
        }
        let Some(backup) = self.world.backup() else { return };
        sleep(lost).await;
        self.world.go_back(&backup, breaks);
        drop(self.tables.take());
        // The engine of whoever heard what is lost has it in memory.
        let heard = self.ledger.heard().into_iter();
        let lost = heard.filter(|((game, audience, _), last)| {
            *last > oracles::told_until_now(&self.world, game, *audience)
        });
        self.ledger.went_back(lost.map(|((game, _, _), _)| game).collect());
        self.is_wrong_until(Instant::now());
        traced!("the store went back");
    }

    /// Drains all engines. Says whether any was killed meanwhile.
    async fn drain_all(&self) -> bool {
        let killed = join_all(self.machines.iter().map(|machine| machine.drain())).await;
        killed.contains(&true)
    }

    /// Stops all engines, as the manual says for a version with other rules, and again until every
    /// game has a snapshot; then starts newer ones.
    async fn upgrade(&self, down: Duration) {
        if self.upgrades.replace(true) {
            return;
        }
        for attempt in 0.. {
            let stop = self.machines.iter().filter(|machine| machine.is_up()).count();
            let mut killed = self.drain_all().await;
            // One that was just starting is stopped as it is there.
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
                self.ledger.violated(left.to_owned());
            }
            self.machines[0].start().await;
            sleep(Duration::from_secs(10)).await;
        }
        self.tables.borrow_mut().follow(&self.world, &self.ledger);
        if self.world.is_settled() {
            traced!("newer rules");
            self.ledger.count("upgrades of the rules");
            rehearsal::upgrade();
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
    let net = Net::new(Chance::of(seed, "net"), plan.delay);
    let folder = temporary();
    let sqlite = plan.sqlite.then(|| folder.path().join("data"));
    let chance = Chance::of(seed, "store");
    let world = World::new(net.clone(), chance, plan.shared, plan.hints_lost, sqlite);
    let watcher = ledger.clone();
    if plan.shared {
        world.watch(move |append, now| oracles::on_append(&watcher, append, now));
    }
    let token_file = folder.path().join("worker.token");
    let worker = open_account(&world, seed, "worker", AccountRole::Worker);
    std::fs::write(&token_file, &worker).expect("a file of a temporary folder");
    // Then people rest, and what falls due has nobody else to bring it about.
    let until = Instant::now() + plan.stormy + CALM / 2;
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
            // An engine alone goes by its own clock, whatever that shows.
            let skew = if plan.shared { skew } else { 0 };
            let world = Arc::clone(&world);
            Machine::new(ENGINE + index, net.clone(), world, plan.evict_after, skew)
        })
        .collect();
    let desks: Vec<Arc<Desk>> = (0..plan.workers)
        .map(|index| Desk::new(WORKER + index, net.clone(), plan.engines, &token_file, plan.thinks))
        .collect();
    for machine in &machines {
        machine.start().await;
    }
    for desk in &desks {
        desk.start();
    }
    if plan.sulks {
        let node = WORKER + plan.workers;
        let desk = Desk::new(node, net.clone(), plan.engines, &token_file, plan.thinks);
        tokio::task::spawn_local(desk.sulk(worker));
    }
    let stage = Rc::new(Stage {
        net: net.clone(),
        world: Arc::clone(&world),
        machines,
        desks,
        ledger: ledger.clone(),
        games: plan.games.len(),
        sulks: plan.sulks,
        wrong_until: RefCell::new(Instant::now()),
        upgrades: Cell::new(false),
        tables: RefCell::default(),
    });
    let mut master = people.pop().expect("somebody leads");
    let mut watcher = people.pop().expect("somebody watches");
    for (index, game) in plan.games.iter().cloned().enumerate() {
        let players: Vec<Person> =
            people.iter_mut().map(|player| player.beside(&format!("g{index}"))).collect();
        let mut leader = master.beside(&format!("g{index}"));
        let spectator = watcher.beside(&format!("g{index}"));
        let (stage, idler, unwatched) = (Rc::clone(&stage), plan.idler, plan.unwatched);
        tokio::task::spawn_local(async move {
            sleep(game.at).await;
            let mut players = players;
            let host = if game.led { &mut leader } else { &mut players[0] };
            let engine = host.connect().await;
            let id = host.create(&engine, &game, index).await;
            if id.is_empty() {
                return;
            }
            if game.led {
                tokio::task::spawn_local(leader.lead(id.clone(), game.people));
            }
            stage.ledger.count("games");
            for (seat, mut player) in players.into_iter().take(game.people).enumerate() {
                let id = id.clone();
                tokio::task::spawn_local(async move {
                    if seat > 0 || game.led {
                        let engine = player.connect().await;
                        player.join(&engine, &id).await;
                    }
                    let follower = player.beside("follows");
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
            if idler {
                tokio::task::spawn_local(spectator.beside("idles").idle(id.clone()));
            }
            spectator.follow(id, Audience::Spectators).await;
        });
    }
    for fault in plan.faults.clone() {
        tokio::task::spawn_local(go_wrong(Rc::clone(&stage), fault));
    }
    let ends = Instant::now() + plan.stormy + CALM;
    watch(&stage, ends).await;
    settle(&stage).await;
    if plan.killed_last {
        stop(&stage).await;
    }
    stage.tables.borrow_mut().follow(&world, ledger);
    oracles::at_the_end(&plan, &world, ledger, &stage.tables.borrow());
    oracles::second_defences_rested(&plan, ledger);
}

/// Something goes wrong, and is mended.
async fn go_wrong(stage: Rc<Stage>, fault: Fault) {
    sleep(fault.at).await;
    traced!("fault {fault}");
    stage.is_wrong_until(Instant::now() + fault.what.lasting());
    let machine = |node| stage.machines.iter().find(|machine| machine.node == node).cloned();
    let desk = |node| stage.desks.iter().find(|desk| desk.node == node).cloned();
    match fault.what {
        What::Crash { engine, down, silent } => {
            if let Some(machine) = machine(engine) {
                machine.crash(silent);
                sleep(down).await;
                stage.start(&machine).await;
            }
        }
        What::Drain { engine, down } => {
            if let Some(machine) = machine(engine) {
                machine.drain().await;
                sleep(down).await;
                stage.start(&machine).await;
            }
            stage.is_wrong_until(Instant::now());
        }
        What::GoBack { lost, breaks } => stage.go_back(lost, breaks).await,
        What::FailOver { down, millis } => stage.world.fail_over(down, millis),
        What::Upgrade { down } => {
            stage.upgrade(down).await;
            stage.is_wrong_until(Instant::now());
        }
        What::Block { from, to, lasting } => stage.net.block(from, to, lasting),
        What::Break { node } => stage.net.break_all(node, false, false),
        What::Slow { lasting, millis } => stage.world.slow(lasting, millis),
        What::Full { lasting } => stage.world.fill(lasting),
        What::Lose { lasting, in_1000 } => stage.world.lose(lasting, in_1000),
        What::Fail { lasting, in_1000 } => stage.world.fail(lasting, in_1000),
        What::Deaf { engine, lasting } => stage.world.deafen(engine, lasting),
        What::Jump { engine, millis } => {
            if let Some(machine) = machine(engine) {
                machine.jump(millis);
            }
        }
        What::Worker { worker, down, hangs } => {
            if let Some(desk) = desk(worker) {
                desk.end(hangs);
                sleep(down).await;
                desk.start();
            }
        }
    }
}

/// Watches over what must hold all the time.
async fn watch(stage: &Stage, ends: Instant) {
    let mut owed: BTreeMap<(String, u32, u64, u64), Instant> = BTreeMap::new();
    while Instant::now() < ends {
        sleep(Duration::from_secs(2)).await;
        if !stage.ledger.notes().violations.is_empty() {
            return;
        }
        for what in players::overdue(&stage.ledger) {
            stage.ledger.violated(format!("a call does not end: {what}"));
        }
        let games = oracles::games(&stage.world).len() as u64;
        for machine in &stage.machines {
            if let Some(status) = machine.host().map(|host| host.status())
                && status.live_games > games
            {
                stage.ledger.violated(format!("{} games are live, of {games}", status.live_games));
            }
        }
        let wrong = *stage.wrong_until.borrow() + SETTLES > Instant::now()
            || stage.upgrades.get()
            || stage.world.had_trouble(SETTLES);
        if wrong {
            owed.clear();
            continue;
        }
        let workers = stage.desks.len() as u64 + u64::from(stage.sulks);
        for machine in &stage.machines {
            if let Some(status) = machine.host().map(|host| host.status())
                && status.workers > workers
            {
                let counted = status.workers;
                stage.ledger.violated(format!("{counted} workers are counted, of {workers}"));
            }
        }
        let now = if stage.world.is_shared() {
            stage.world.now()
        } else {
            stage.machines[0].now().unwrap_or_default()
        };
        let mut tables = stage.tables.borrow_mut();
        tables.follow(&stage.world, &stage.ledger);
        for what in tables.late(&stage.world, now) {
            stage.ledger.violated(format!("nothing went wrong, and {what}"));
        }
        let still = tables.owed();
        owed.retain(|key, _| still.contains(key));
        for key in still {
            let since = *owed.entry(key.clone()).or_insert_with(Instant::now);
            if since.elapsed() > oracles::OWED_MAX {
                stage.ledger.violated(format!("automation owes {key:?} for too long"));
            }
        }
    }
}

/// All engines are killed, and one that comes back is stopped before anybody plays on: it leaves
/// snapshots of all games all the same.
async fn stop(stage: &Stage) {
    for machine in &stage.machines {
        machine.crash(false);
    }
    stage.machines[0].start().await;
    stage.machines[0].drain().await;
    if !stage.world.is_settled() {
        let left =
            "an engine that came back after a crash and stopped left games without snapshots";
        stage.ledger.violated(left.to_owned());
    }
}

/// Everybody hears everything in the end.
async fn settle(stage: &Stage) {
    if !stage.ledger.notes().violations.is_empty() {
        return;
    }
    let due: Vec<_> = {
        let notes = stage.ledger.notes();
        let until = |key: &(String, Audience, u8)| {
            (key.clone(), oracles::told_until_now(&stage.world, &key.0, key.1))
        };
        notes.told.keys().map(until).collect()
    };
    let behind = || {
        let notes = stage.ledger.notes();
        let behind = due.iter().filter_map(|(key, number)| {
            let last = notes.told.get(key).and_then(Told::last);
            last.is_none_or(|last| last < *number).then_some((key, last, number))
        });
        behind.collect::<Vec<_>>()
    };
    let mut before = Vec::new();
    loop {
        sleep(Duration::from_secs(20)).await;
        let now = behind();
        // Somebody who dawdles on a slow line still hears one event after the other.
        if now == before {
            break;
        }
        before = now;
    }
    for ((game, audience, node), last, number) in before {
        stage.ledger.violated(format!(
            "{node} as {audience:?} of {game} heard {last:?} of {number} events"
        ));
    }
}
