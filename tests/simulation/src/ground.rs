//! Time and chance, in place of the system's.
//!
//! The program's own `clock_gettime` and `getrandom` come before those of the C library wherever
//! they are called: by the standard library, and by crates that look them up at run time. Before a
//! run begins they are the system's; from then on they follow from the seed.
#![allow(unsafe_code, reason = "symbols of the C library are replaced")]

use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use libc::{c_int, c_uint, c_void, clockid_t, size_t, ssize_t, timespec};
use tokio::time::Instant;

/// When every simulation begins, in seconds since 1970: 2031-01-01.
pub const EPOCH: i64 = 1_924_992_000;
/// What a clock that only goes forward shows then, in seconds: more than a machine's own. So a thread
/// that waits for a time waits until it is called.
const STEADY: i64 = 1_000_000_000;

static SIMULATED: AtomicBool = AtomicBool::new(false);
static CHANCE: AtomicU64 = AtomicU64::new(0);
static BEGAN: OnceLock<Instant> = OnceLock::new();

thread_local! {
    /// Whether the clock is asked by what answers it.
    static ASKED: Cell<bool> = const { Cell::new(false) };
}

/// From now on chance follows from a seed, and clocks stand still.
pub fn seed(seed: u64) {
    CHANCE.store(seed ^ 0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
    SIMULATED.store(true, Ordering::Relaxed);
}

/// From now on clocks go as the runtime's paused clock does. Called in the runtime, once.
pub fn begin() {
    BEGAN.get_or_init(Instant::now);
}

/// How long the run has lasted.
pub fn elapsed() -> Duration {
    BEGAN.get().map_or(Duration::ZERO, Instant::elapsed)
}

/// The right time, in milliseconds since 1970.
pub fn now() -> i64 {
    EPOCH * 1_000 + elapsed().as_millis() as i64
}

fn passed() -> Duration {
    ASKED.with(|asked| {
        if BEGAN.get().is_none() || asked.replace(true) {
            return Duration::ZERO;
        }
        let passed = elapsed();
        asked.set(false);
        passed
    })
}

/// The system's own answer.
fn real(clock: clockid_t, time: *mut timespec) -> c_int {
    // SAFETY: the arguments are those of `clock_gettime`, which the system call takes as they are.
    unsafe { libc::syscall(libc::SYS_clock_gettime, clock, time) as c_int }
}

/// # Safety
///
/// As the C library's: `time` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clock_gettime(clock: clockid_t, time: *mut timespec) -> c_int {
    let begins = match clock {
        libc::CLOCK_REALTIME | libc::CLOCK_REALTIME_COARSE => EPOCH,
        libc::CLOCK_MONOTONIC
        | libc::CLOCK_MONOTONIC_COARSE
        | libc::CLOCK_MONOTONIC_RAW
        | libc::CLOCK_BOOTTIME => STEADY,
        _ => return real(clock, time),
    };
    if time.is_null() || !SIMULATED.load(Ordering::Relaxed) {
        return real(clock, time);
    }
    let passed = passed();
    let told = timespec {
        tv_sec: begins + passed.as_secs() as i64,
        tv_nsec: i64::from(passed.subsec_nanos()),
    };
    // SAFETY: the caller gives a place for the time, and it is not null.
    unsafe { time.write(told) };
    0
}

fn next() -> u64 {
    let state = CHANCE.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
    crate::chance::mixed(state)
}

/// # Safety
///
/// As the C library's: `buffer` can be written for `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn getrandom(buffer: *mut c_void, length: size_t, flags: c_uint) -> ssize_t {
    if !SIMULATED.load(Ordering::Relaxed) {
        // SAFETY: the arguments are those of `getrandom`, which the system call takes as they are.
        return unsafe { libc::syscall(libc::SYS_getrandom, buffer, length, flags) as ssize_t };
    }
    if length == 0 {
        return 0;
    }
    // SAFETY: the caller gives `length` bytes to write, and there is one at least.
    let bytes = unsafe { std::slice::from_raw_parts_mut(buffer.cast::<u8>(), length) };
    for part in bytes.chunks_mut(8) {
        part.copy_from_slice(&next().to_le_bytes()[..part.len()]);
    }
    length as ssize_t
}
