//! Simulated time and randomness.
//!
//! The program defines its own `clock_gettime` and `getrandom`. The standard library, and crates
//! that look these symbols up at run time, call them instead of the C library's. Before a run
//! starts, the two functions call the system. Afterwards, their results are derived from the seed.
#![allow(unsafe_code, reason = "symbols of the C library are replaced")]

use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use libc::{c_int, c_uint, c_void, clockid_t, size_t, ssize_t, timespec};
use tokio::time::Instant;

/// The start time of every simulation, in seconds since 1970: 2031-01-01.
pub const EPOCH: i64 = 1_924_992_000;
/// The initial value of monotonic clocks, in seconds. Greater than the uptime of any machine, so
/// that a thread with a real-time timeout waits until it is notified.
const STEADY: i64 = 1_000_000_000;

static SIMULATED: AtomicBool = AtomicBool::new(false);
static CHANCE: AtomicU64 = AtomicU64::new(0);
static BEGAN: OnceLock<Instant> = OnceLock::new();

thread_local! {
    /// Whether this thread is already reading the simulated clock. A nested read returns the start
    /// time.
    static ASKED: Cell<bool> = const { Cell::new(false) };
}

/// Derives all randomness from a seed and stops the clocks.
pub fn seed(seed: u64) {
    CHANCE.store(seed ^ 0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
    SIMULATED.store(true, Ordering::Relaxed);
}

/// Makes the clocks follow the runtime's paused clock. Must be called once, within the runtime.
pub fn begin() {
    BEGAN.get_or_init(Instant::now);
}

/// Returns the duration of the run.
pub fn elapsed() -> Duration {
    BEGAN.get().map_or(Duration::ZERO, Instant::elapsed)
}

/// Returns the true time in milliseconds since 1970.
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

fn real(clock: clockid_t, time: *mut timespec) -> c_int {
    // SAFETY: the arguments are those of `clock_gettime` and are passed on unchanged.
    unsafe { libc::syscall(libc::SYS_clock_gettime, clock, time) as c_int }
}

/// # Safety
///
/// `time` must be null or writable, as for the C library's function.
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
    // SAFETY: the caller provides a writable time, and it is not null.
    unsafe { time.write(told) };
    0
}

fn next() -> u64 {
    let state = CHANCE.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
    crate::chance::mixed(state)
}

/// # Safety
///
/// `buffer` must be writable for `length` bytes, as for the C library's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn getrandom(buffer: *mut c_void, length: size_t, flags: c_uint) -> ssize_t {
    if !SIMULATED.load(Ordering::Relaxed) {
        // SAFETY: the arguments are those of `getrandom` and are passed on unchanged.
        return unsafe { libc::syscall(libc::SYS_getrandom, buffer, length, flags) as ssize_t };
    }
    if length == 0 {
        return 0;
    }
    // SAFETY: the caller provides `length` writable bytes, and `length` is at least one.
    let bytes = unsafe { std::slice::from_raw_parts_mut(buffer.cast::<u8>(), length) };
    for part in bytes.chunks_mut(8) {
        part.copy_from_slice(&next().to_le_bytes()[..part.len()]);
    }
    length as ssize_t
}
