//! Measurements of rates and medians, and the table of results.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

pub(crate) struct Plan {
    pub(crate) time: Duration,
    pub(crate) rounds: usize,
    pub(crate) disk: String,
}

#[derive(Clone, Copy)]
pub(crate) enum Limit {
    AtLeast(f64),
    Below(f64),
    None,
}

pub(crate) struct Row {
    name: &'static str,
    engine: String,
    baseline: String,
    ratio: Option<f64>,
    limit: Limit,
    judged: f64,
}

impl Row {
    /// Creates the row of a comparison. Each round has the figures of the engine and of the
    /// baseline.
    pub(crate) fn compared(
        name: &'static str,
        unit: &str,
        rounds: &[(f64, f64)],
        limit: Limit,
    ) -> Self {
        let ratio = median(rounds.iter().map(|(engine, baseline)| engine / baseline));
        let shown = |values: Vec<f64>| format!("{} {unit}", number(median(values.into_iter())));
        Self {
            name,
            engine: shown(rounds.iter().map(|round| round.0).collect()),
            baseline: shown(rounds.iter().map(|round| round.1).collect()),
            ratio: Some(ratio),
            limit,
            judged: ratio,
        }
    }

    pub(crate) fn alone(name: &'static str, unit: &str, value: f64, limit: Limit) -> Self {
        let (engine, baseline) = (format!("{} {unit}", number(value)), String::new());
        Self { name, engine, baseline, ratio: None, limit, judged: value }
    }

    pub(crate) fn is_missed(&self) -> bool {
        match self.limit {
            Limit::AtLeast(least) => self.judged < least,
            Limit::Below(most) => self.judged >= most,
            Limit::None => false,
        }
    }
}

pub(crate) fn print(rows: &[Row]) {
    println!("| figure | engine | baseline | ratio | limit | |");
    println!("| --- | ---: | ---: | ---: | ---: | --- |");
    for row in rows {
        let limit = match row.limit {
            Limit::AtLeast(least) => format!(">= {least:.2}"),
            Limit::Below(most) => format!("< {}", number(most)),
            Limit::None => String::new(),
        };
        let ratio = row.ratio.map(|ratio| format!("{ratio:.2}")).unwrap_or_default();
        let verdict = match row.limit {
            Limit::None => "",
            _ if row.is_missed() => "missed",
            _ => "met",
        };
        println!(
            "| {} | {} | {} | {ratio} | {limit} | {verdict} |",
            row.name, row.engine, row.baseline
        );
    }
}

fn number(value: f64) -> String {
    if value >= 100.0 {
        let digits = format!("{value:.0}");
        let groups: Vec<&str> = digits
            .as_bytes()
            .rchunks(3)
            .rev()
            .map(|group| std::str::from_utf8(group).expect("digits"))
            .collect();
        groups.join(",")
    } else if value.fract() == 0.0 {
        format!("{value:.0}")
    } else {
        format!("{value:.2}")
    }
}

pub(crate) fn median(values: impl Iterator<Item = f64>) -> f64 {
    quantile(values.collect(), 0.5)
}

pub(crate) fn quantile(mut values: Vec<f64>, part: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values[((values.len() - 1) as f64 * part).round() as usize]
}

/// Keeps one call in flight for each state. Returns the calls per second and the final states.
pub(crate) async fn calls_per_second<S, C, F>(
    states: Vec<S>,
    time: Duration,
    call: C,
) -> (f64, Vec<S>)
where
    S: Send + 'static,
    C: Fn(S) -> F + Clone + Send + 'static,
    F: Future<Output = S> + Send,
{
    let done = Arc::new(AtomicU64::new(0));
    let begun = Instant::now();
    let mut places = Vec::new();
    for mut state in states {
        let (call, done) = (call.clone(), done.clone());
        places.push(tokio::spawn(async move {
            let mut calls = 0;
            while begun.elapsed() < time {
                state = call(state).await;
                calls += 1;
            }
            done.fetch_add(calls, Ordering::Relaxed);
            state
        }));
    }
    let mut states = Vec::new();
    for place in places {
        states.push(place.await.expect("no call fails"));
    }
    let calls = done.load(Ordering::Relaxed);
    (calls as f64 / begun.elapsed().as_secs_f64(), states)
}
