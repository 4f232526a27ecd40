//! The simulated store is one by the suite that all stores pass; and a handful of seeds comes out
//! well, and twice the same.
#![cfg(feature = "simulated")]

use std::cell::Cell;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use heliopause_engine::store::{Store, conformance};
use heliopause_simulation::chance::Chance;
use heliopause_simulation::net::Net;
use heliopause_simulation::store::{Reached, World};

fn store(is_shared: bool, folder: Option<PathBuf>) -> Arc<dyn Store> {
    let net = Net::new(Chance::of(1, "net"), (0, 3));
    let world = World::new(net, Chance::of(1, "store"), is_shared, 0, folder);
    Reached::by(&world, 1, Arc::new(AtomicBool::new(true)))
}

#[tokio::test(start_paused = true)]
async fn the_simulated_store_is_a_store() {
    for is_shared in [false, true] {
        conformance::conformance(|| store(is_shared, None)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn sqlite_is_a_store_in_a_world_that_stands_still_for_it() {
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

#[test]
fn seeds_come_out_well_and_twice_the_same() {
    let (well, told) = simulate(&["--seeds", "6", "--twice"]);
    assert!(well, "{told}");
}

#[test]
fn others_hear_the_same_whatever_is_written_in_private_letters() {
    let (well, told) = simulate(&["--seeds", "6", "--secrets"]);
    assert!(well, "{told}");
    let (found, told) = simulate(&["--planted", "secret-delays", "--seeds", "20"]);
    assert!(found, "{told}");
}

/// Seeds that found what is mended now.
const FOUND: [(&str, &str); 14] = [
    ("93", "a decision was lost for ever: its game left memory while a worker thought about it"),
    ("149", "a game had no snapshot: it came into memory while its engine drained"),
    ("253", "a decision was given to the same worker again and again"),
    ("340", "a worker was blamed for a full store"),
    ("509", "a cursor was refused for good by what was old"),
    ("1014", "a lease brought megabytes of events"),
    ("3884", "a game was in memory twice: it was read before its maker heard of it"),
    ("4725", "the same, with SQLite"),
    ("4800", "a decision was given to the same worker again: its game had left memory in between"),
    ("5183", "a step was read that was neither kept nor taken back"),
    ("5317", "somebody watched the game that they played: they had joined at another engine"),
    ("6087", "a game was in memory twice"),
    ("12169", "a game rested until a time of a clock that was set right meanwhile"),
    ("1000016", "a slow stream mixed events that the store had lost with those after them"),
];

#[test]
fn seeds_that_found_something_come_out_well() {
    for (seed, found) in FOUND {
        let (well, told) = simulate(&["--from", seed, "--seeds", "1"]);
        assert!(well, "seed {seed}, which found: {found}\n{told}");
    }
    let (found, told) = simulate(&["--planted", "thought-is-idle", "--from", "93", "--seeds", "1"]);
    assert!(found, "{told}");
}

#[test]
fn a_planted_fault_is_found() {
    let (found, told) = simulate(&["--planted", "cursor-too-far", "--seeds", "20"]);
    assert!(found, "{told}");
}
