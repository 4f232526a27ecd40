//! Replays corpora and mutations of them without a fuzzer: every second input in `./test`, all in
//! `./test --all` and with `FUZZING_SECONDS`, as in the gate. `FUZZING_MUTATIONS` sets the number of
//! mutations for each target. `FUZZING_SECONDS` sets the time for additional mutations afterwards,
//! and `FUZZING_SEED` is their seed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use heliopause_fuzzing::{TARGETS, Target};
use heliopause_testing::Rng;

const MUTATIONS: u64 = 20;

fn corpora() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus")
}

fn corpus(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = corpora().join(target);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|_| panic!("{}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.into_iter().map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
}

fn changed(inputs: &[(PathBuf, Vec<u8>)], chance: &mut Rng) -> Vec<u8> {
    let mut bytes = inputs[chance.below(inputs.len())].1.clone();
    for _ in 0..=chance.below(4) {
        let at = chance.below(bytes.len());
        match chance.below(6) {
            0 | 1 if !bytes.is_empty() => bytes[at] = chance.number() as u8,
            2 if !bytes.is_empty() => bytes[at] ^= 1 << chance.below(8),
            3 => bytes.truncate(at),
            4 => {
                let other = &inputs[chance.below(inputs.len())].1;
                let from = chance.below(other.len());
                let end = (from + chance.below(32)).min(other.len());
                bytes.splice(at..at, other[from..end].iter().copied());
            }
            _ => bytes.insert(at, chance.number() as u8),
        }
    }
    bytes
}

fn tried(name: &str, target: Target, bytes: &[u8], what: &str) {
    if catch_unwind(AssertUnwindSafe(|| target(bytes))).is_err() {
        let kept = std::env::temp_dir().join(format!("fuzzing-{name}-{}", bytes.len()));
        std::fs::write(&kept, bytes).unwrap();
        let hex = bytes.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
        panic!(
            "{what} fails: cargo run -p heliopause-fuzzing -- {name} {}\nIts bytes: {hex}",
            kept.display()
        );
    }
}

fn set(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|text| text.parse().expect(variable))
}

fn replay(name: &str) {
    let target = heliopause_fuzzing::target(name).unwrap();
    let (inputs, seconds) = (corpus(name), set("FUZZING_SECONDS"));
    let is_all = seconds.is_some() || std::env::var_os("HELIOPAUSE_TEST_ALL").is_some();
    for (path, bytes) in inputs.iter().step_by(if is_all { 1 } else { 2 }) {
        tried(name, target, bytes, &path.display().to_string());
    }
    let mut chance = Rng::new(name.len() as u64);
    for number in 0..set("FUZZING_MUTATIONS").unwrap_or(MUTATIONS) {
        let bytes = changed(&inputs, &mut chance);
        tried(name, target, &bytes, &format!("change {number}"));
    }
    let Some(seconds) = seconds else { return };
    let (began, mut executions) = (Instant::now(), 0_u64);
    let mut chance = Rng::new(set("FUZZING_SEED").unwrap_or(1) << 8 | name.len() as u64);
    while began.elapsed() < Duration::from_secs(seconds) {
        let bytes = changed(&inputs, &mut chance);
        tried(name, target, &bytes, "another change");
        executions += 1;
    }
    println!("{name}: {executions} executions in {seconds} s");
}

macro_rules! targets {
    ($($name:ident)+) => {
        $(
            #[test]
            fn $name() {
                replay(stringify!($name));
            }
        )+

        #[test]
        fn every_target_is_replayed_and_has_a_corpus() {
            let replayed = [$(stringify!($name)),+];
            assert_eq!(replayed, TARGETS.map(|(name, _)| name));
            for name in replayed {
                assert!(!corpus(name).is_empty(), "{name}");
            }
        }

        #[test]
        fn corpora_stay_small() {
            let bytes: usize = [$(stringify!($name)),+]
                .into_iter()
                .flat_map(corpus)
                .map(|(_, bytes)| bytes.len())
                .sum();
            assert!(bytes < 1_000_000, "{bytes} bytes; minimize them: tests/fuzz/run --minimize");
        }
    };
}

targets! {
    requests wire positions drawing notation scenarios journal cursors play steps diplomacy
    star_empires
}
