//! Power cuts at every write of the real store, and the detection of a disk that lies.

use std::process::{Command, Output};

/// Runs `powercut`. Returns `None` if strace is missing. `HELIOPAUSE_STRACE=required` makes this a
/// failure.
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
fn acknowledged_data_survives_a_cut_at_any_write() {
    let states = if std::env::var_os("HELIOPAUSE_TEST_ALL").is_some() { "1200" } else { "600" };
    let Some(output) = powercut(&["--states", states, "--steps", "30"]) else { return };
    let (told, wanted) = (String::from_utf8_lossy(&output.stdout), " states after a cut: 0 lost");
    let is_told = told.contains(&[states, wanted].concat());
    assert!(output.status.success() && is_told, "{told}");
}

#[test]
fn a_disk_that_lies_about_flushes_is_detected() {
    let Some(output) = powercut(&["--states", "200", "--steps", "10", "--lying-disk"]) else {
        return;
    };
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && told.contains("LOST"), "{told}");
}
