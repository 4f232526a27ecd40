//! Runs an engine for hours, kills it sometimes, and checks that its resource use does not grow.
//!
//!     tests/soak --minutes 480 --plot docs/soak.svg

#![allow(clippy::cast_precision_loss, reason = "nothing that is counted here comes near 2^52")]

mod figures;
mod guests;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Parser;
use figures::{Figures, Sample};
use guests::{Guest, Tally};
use heliopause_tests::{AiClient, Engine};

/// Run an engine for a long time and check that its resource use does not grow.
#[derive(Parser)]
struct Arguments {
    /// Duration in minutes.
    #[arg(long, default_value_t = 480)]
    minutes: u64,
    /// Number of kills of the engine.
    #[arg(long, default_value_t = 4)]
    kills: u32,
    /// Number of concurrent guests; each has one game and one stream.
    #[arg(long, default_value_t = 24)]
    guests: usize,
    /// Number of watchers of games that automation plays.
    #[arg(long, default_value_t = 2)]
    watchers: usize,
    /// Seconds between two samples.
    #[arg(long, default_value_t = 5)]
    every: u64,
    /// Output file for the plot, as SVG.
    #[arg(long)]
    plot: Option<PathBuf>,
}

/// The engine's arguments. They unload games early, so that games are often loaded again.
const ENGINE: &str = "--sandbox --metrics 127.0.0.1:0 --evict-after 10s --games-limit 1000000 \
    --stream-limit 1000 --rate-limit 0";

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let begun = Instant::now();
    let whole = Duration::from_secs(arguments.minutes * 60);
    let lives = arguments.kills + 1;
    let mut engine = Engine::with(&ENGINE.split(' ').collect::<Vec<_>>());
    let mut guests = Vec::new();
    for number in 0..arguments.guests + arguments.watchers {
        let player = engine.player(&format!("Guest {number}")).await;
        guests.push(Guest::new(player, number, number >= arguments.guests));
    }
    let tally = Arc::new(Tally::default());
    let mut figures = Figures::default();
    for life in 0..lives {
        let stop = Arc::new(AtomicBool::new(false));
        let channel = engine.channel().await;
        let mut tasks = Vec::new();
        for mut guest in guests.drain(..) {
            guest.player = guest.player.on(channel.clone());
            let (stop, tally) = (stop.clone(), tally.clone());
            tasks.push(tokio::spawn(async move {
                guest.stay(&stop, &tally).await;
                guest
            }));
        }
        let automation = AiClient::start(&engine);
        let ends = whole * (life + 1) / lives;
        let age = Instant::now();
        while begun.elapsed() < ends {
            tokio::time::sleep(Duration::from_secs(arguments.every)).await;
            figures.add(Sample::of(&engine, life, begun.elapsed(), age.elapsed(), &tally));
        }
        if life + 1 < lives {
            engine.kill();
        }
        stop.store(true, Ordering::Relaxed);
        drop(automation);
        for task in tasks {
            guests.push(task.await?);
        }
        if life + 1 < lives {
            engine = engine.kill_and_restart();
        }
    }
    let report = figures.report(&tally);
    println!("{report}");
    if let Some(plot) = arguments.plot {
        std::fs::write(plot, figures.plot())?;
    }
    let log = engine.log();
    anyhow::ensure!(!log.contains("panicked"), "the engine panicked:\n{log}");
    anyhow::ensure!(tally.wrong().is_empty(), "{}", tally.wrong());
    anyhow::ensure!(figures.is_flat(), "the engine's resource use grows");
    Ok(())
}
