//! Runs inputs of a target without a fuzzer: `fuzzing TARGET FILE...`.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context as _;
use clap::Parser;

/// Runs inputs of a fuzzing target: the way to look at one that a fuzzer found.
#[derive(Parser)]
struct Arguments {
    /// The target.
    target: String,
    /// The inputs.
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
}

fn main() -> anyhow::Result<()> {
    let Arguments { target, inputs } = Arguments::parse();
    let run = heliopause_fuzzing::target(&target).with_context(|| {
        let names: Vec<&str> = heliopause_fuzzing::TARGETS.iter().map(|(name, _)| *name).collect();
        format!("there is no target {target}; there are {}", names.join(", "))
    })?;
    for input in inputs {
        let bytes = std::fs::read(&input).with_context(|| input.display().to_string())?;
        let began = Instant::now();
        run(&bytes);
        println!("{}: {} bytes, {:?}", input.display(), bytes.len(), began.elapsed());
    }
    Ok(())
}
