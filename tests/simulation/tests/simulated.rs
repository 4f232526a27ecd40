//! The simulated store is one by the suite that all stores pass; and a handful of seeds comes out
//! well, and twice the same.
#![cfg(feature = "simulated")]

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use heliopause_engine::store::{Store, conformance};
use heliopause_simulation::chance::Chance;
use heliopause_simulation::net::Net;
use heliopause_simulation::store::{Reached, World};

fn store(is_shared: bool) -> Arc<dyn Store> {
    let net = Net::new(Chance::of(1, "net"), (0, 3));
    let world = World::new(net, Chance::of(1, "store"), is_shared, 0, None);
    Reached::by(&world, 1, Arc::new(AtomicBool::new(true)))
}

#[tokio::test(start_paused = true)]
async fn the_simulated_store_is_a_store() {
    for is_shared in [false, true] {
        conformance::conformance(|| store(is_shared)).await;
    }
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

/// What these seeds found is mended: a machine's clock that was set, or wrong, let steps be taken
/// in the future.
#[test]
fn seeds_that_found_a_fault_come_out_well() {
    for seed in ["12", "14", "23", "24"] {
        let (well, told) = simulate(&["--from", seed, "--seeds", "1"]);
        assert!(well, "{told}");
    }
}

#[test]
fn a_planted_fault_is_found() {
    let (found, told) = simulate(&["--planted", "cursor-too-far", "--seeds", "20"]);
    assert!(found, "{told}");
}
