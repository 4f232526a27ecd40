//! The power is cut at every write of the real store; a disk that lies is found out.

use std::process::{Command, Output};

/// Runs the program; `None` where strace is missing and nobody requires it.
/// `HELIOPAUSE_STRACE=required`, as the gate sets it, makes that a failure.
fn powercut(arguments: &[&str]) -> Option<Output> {
    let required = std::env::var("HELIOPAUSE_STRACE").is_ok_and(|value| value == "required");
    if !required && Command::new("strace").arg("-V").output().is_err() {
        eprintln!("strace is not installed: nothing is tested");
        return None;
    }
    let mut program = Command::new(env!("CARGO_BIN_EXE_powercut"));
    Some(program.args(arguments).output().expect("the program starts"))
}

#[test]
fn what_was_acknowledged_is_there_after_a_cut_at_any_write() {
    let Some(output) = powercut(&["--states", "1200", "--steps", "30"]) else { return };
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && told.contains("1200 states after a cut: 0 lost"), "{told}");
}

#[test]
fn a_disk_that_says_it_flushed_and_did_not_is_found_out() {
    let Some(output) = powercut(&["--states", "200", "--steps", "10", "--lying-disk"]) else {
        return;
    };
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && told.contains("LOST"), "{told}");
}
