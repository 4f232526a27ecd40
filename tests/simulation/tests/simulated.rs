//! The simulated store passes the test suite of all stores, and some seeds pass reproducibly.

use std::cell::Cell;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use heliopause_engine::store::{Store, conformance};
use heliopause_simulation::chance::Rng;
use heliopause_simulation::net::Net;
use heliopause_simulation::store::{SimulatedStore, StoreConnection};

fn store(is_shared: bool, folder: Option<PathBuf>) -> Arc<dyn Store> {
    let net = Net::new(Rng::of(1, "net"), (0, 3));
    let world = SimulatedStore::new(net, Rng::of(1, "store"), is_shared, 0, folder);
    StoreConnection::by(&world, 1, Arc::new(AtomicBool::new(true)))
}

#[tokio::test(start_paused = true)]
async fn the_simulated_store_passes_the_store_suite() {
    for is_shared in [false, true] {
        conformance::conformance(|| store(is_shared, None)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn sqlite_passes_the_store_suite_in_the_simulation() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let made = Cell::new(0);
    let fresh = || {
        made.set(made.get() + 1);
        store(false, Some(folder.path().join(made.get().to_string())))
    };
    conformance::conformance(fresh).await;
}

fn simulate(arguments: &[&str]) -> (bool, String) {
    let program = env!("CARGO_BIN_EXE_simulate");
    let output = Command::new(program).args(arguments).output().expect("it can be started");
    (output.status.success(), String::from_utf8(output.stdout).expect("text"))
}

/// Returns whether all cases run, as in `./test --all`.
fn is_thorough() -> bool {
    std::env::var_os("HELIOPAUSE_TEST_ALL").is_some()
}

fn seeds(few: &'static str, many: &'static str) -> &'static str {
    if is_thorough() { many } else { few }
}

/// The gate also runs other seeds twice.
#[test]
fn seeds_pass_with_the_same_result_twice() {
    let (well, told) = simulate(&["--seeds", seeds("1", "6"), "--twice"]);
    assert!(well, "{told}");
}

#[test]
fn other_players_receive_the_same_whatever_private_messages_say() {
    let (well, told) = simulate(&["--seeds", seeds("2", "6"), "--secrets"]);
    assert!(well, "{told}");
}

/// Seeds that found bugs, and the bugs.
const FOUND: &str = include_str!("found.tsv");

#[test]
fn seeds_that_found_bugs_pass() {
    let every = if is_thorough() { 1 } else { 3 };
    let seeds = FOUND.lines().filter_map(|line| line.split_once('\t'));
    for (seed, found) in seeds.step_by(every) {
        let (well, told) = simulate(&["--from", seed, "--seeds", "1"]);
        assert!(well, "seed {seed}, which found: {found}\n{told}");
    }
}

/// Only checks the patches. `simulate --fault all` builds and finds all faults, which takes an
/// hour.
#[test]
fn every_fault_patch_applies() {
    let faults = heliopause_simulation::faults::all().expect("the patches can be read");
    assert!(faults.len() >= 40, "{}", faults.len());
    for fault in faults {
        heliopause_simulation::faults::check(&fault).expect("the patch applies");
    }
}
