//! Runs inputs of a target without a fuzzer: `fuzzing TARGET FILE...`.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context as _;
use clap::Parser;

/// Run inputs of a fuzzing target, to examine a crash found by a fuzzer.
#[derive(Parser)]
struct Arguments {
    /// The fuzzing target.
    target: String,
    /// The input files.
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
}

fn main() -> anyhow::Result<()> {
    let Arguments { target, inputs } = Arguments::parse();
    let run = heliopause_fuzzing::target(&target).with_context(|| {
        let names: Vec<&str> = heliopause_fuzzing::TARGETS.iter().map(|(name, _)| *name).collect();
        format!("target {target:?} is unknown; expected one of {}", names.join(", "))
    })?;
    for input in inputs {
        let bytes = std::fs::read(&input).with_context(|| input.display().to_string())?;
        let began = Instant::now();
        run(&bytes);
        println!("{}: {} bytes, {:?}", input.display(), bytes.len(), began.elapsed());
    }
    Ok(())
}
