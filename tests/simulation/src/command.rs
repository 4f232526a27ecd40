//! The command line: many runs, each in a process of its own, because chance, clocks and what the
//! product keeps for a whole process begin anew with each.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::Parser;
use heliopause_table::rehearsal::{self, Planted};

use crate::net::Node;
use crate::oracles::STAND_INS;
use crate::plan::{GOING_BACK, PLAYER, Plan, WORKER};
use crate::run::{Outcome, run};
use crate::trace;

/// Runs the whole product in one thread, in worlds that seeds decide, and says what is not as it
/// must be.
#[derive(Clone, Debug, Parser)]
#[command(name = "simulate", after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
struct Arguments {
    /// Run this seed alone, and say what goes wrong in it
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Run so many seeds
    #[arg(long, value_name = "N", default_value_t = 20)]
    seeds: u64,
    /// The first of them
    #[arg(long, value_name = "N", default_value_t = 1)]
    from: u64,
    /// How many processes run at once
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
    /// Run each seed twice, and compare
    #[arg(long)]
    twice: bool,
    /// Run each seed once more with other words in private letters: what others hear must be the
    /// same
    #[arg(long)]
    secrets: bool,
    /// Plant a fault, or all of them one after the other, and say how many seeds it takes to find
    /// it
    #[arg(long, value_name = "NAME|all")]
    planted: Option<String>,
    /// Leave out these of a seed's faults
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    without: Vec<usize>,
    /// Say everything that happens, on standard error
    #[arg(long)]
    trace: bool,
    /// What is written in private letters
    #[arg(long, hide = true, default_value_t = 0)]
    secret: u64,
    /// Run one seed in this process and answer with JSON
    #[arg(long, hide = true)]
    inside: bool,
}

const EXAMPLES: &str = "\
Examples:
  simulate --seeds 200             what the gate runs
  simulate --from 1000000          worlds whose store goes back to an earlier state
  simulate --seeds 40 --twice      each seed twice, and both must be the same
  simulate --seeds 40 --secrets    each seed with two sets of private letters
  simulate --seed 17               one seed; if it fails, its list of faults is shrunk
  simulate --seed 17 --without 3,7 the same without two of its faults
  simulate --planted all           the table of docs/reliability.md";

/// How long a run may take on this machine before it is taken to hang.
const HANGS: Duration = Duration::from_mins(5);

/// Does what the command line says.
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match act(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("simulate: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn act(arguments: &Arguments) -> anyhow::Result<bool> {
    if arguments.inside {
        return inside(arguments);
    }
    match (&arguments.planted, arguments.seed) {
        (Some(name), None) => find_planted(arguments, name),
        (_, Some(seed)) => alone(arguments, seed),
        (None, None) => many(arguments),
    }
}

fn inside(arguments: &Arguments) -> anyhow::Result<bool> {
    let seed = arguments.seed.context("--inside needs --seed")?;
    if let Some(name) = &arguments.planted {
        rehearsal::plant(named(name)?);
    }
    if arguments.trace {
        trace::say();
    }
    if let Ok(filter) = tracing_subscriber::EnvFilter::try_from_env("HELIOPAUSE_LOG") {
        let log = tracing_subscriber::fmt().with_env_filter(filter);
        log.with_writer(std::io::stderr).without_time().init();
    }
    let plan = Plan::of(seed).with_secret(arguments.secret);
    let outcome = run(plan.without(&arguments.without));
    println!("{}", serde_json::to_string(&outcome)?);
    Ok(true)
}

fn named(name: &str) -> anyhow::Result<Planted> {
    Planted::ALL
        .iter()
        .copied()
        .find(|planted| planted.as_str() == name)
        .with_context(|| format!("there is no planted fault {name:?}"))
}

/// What a run is asked for.
#[derive(Clone, Copy)]
struct Wish<'a> {
    seed: u64,
    planted: Option<&'a str>,
    without: &'a [usize],
    secret: u64,
}

impl Wish<'_> {
    /// Runs it, and waits for the end.
    fn outcome(self) -> anyhow::Result<Outcome> {
        Process::start(self, false)?.outcome()
    }

    /// Runs it with other words in private letters, and says who hears otherwise then.
    fn betrayals(self, outcome: &Outcome) -> anyhow::Result<Vec<String>> {
        let other = Self { secret: self.secret + 1, ..self }.outcome()?;
        let plan = Plan::of(self.seed);
        let stands_in =
            |node| (WORKER..PLAYER).contains(&node) && outcome.counts.contains_key(STAND_INS);
        let may_know =
            |node| Plan::confidants().contains(&node) || node == plan.master() || stands_in(node);
        let nodes: BTreeSet<Node> =
            outcome.heard.keys().chain(other.heard.keys()).copied().collect();
        let differs = |node: &Node| outcome.heard.get(node) != other.heard.get(node);
        let betrayed = nodes.into_iter().filter(|node| !may_know(*node)).filter(differs);
        let said =
            |node| format!("{node} hears otherwise if others' private letters say otherwise");
        Ok(betrayed.map(said).collect())
    }
}

/// A run in a process of its own.
struct Process {
    seed: u64,
    child: Child,
    began: Instant,
}

impl Process {
    fn start(wish: Wish<'_>, traced: bool) -> anyhow::Result<Self> {
        let Wish { seed, planted, without, secret } = wish;
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["--inside", "--seed", &seed.to_string(), "--secret", &secret.to_string()]);
        if let Some(name) = planted {
            command.args(["--planted", name]);
        }
        if !without.is_empty() {
            let ids: Vec<String> = without.iter().map(ToString::to_string).collect();
            command.args(["--without", &ids.join(",")]);
        }
        if traced {
            command.arg("--trace");
        } else {
            command.stderr(Stdio::piped());
        }
        let child = command.stdout(Stdio::piped()).spawn()?;
        Ok(Self { seed, child, began: Instant::now() })
    }

    /// The outcome, once there is one. What ends without one has failed.
    fn outcome(mut self) -> anyhow::Result<Outcome> {
        while self.child.try_wait()?.is_none() && self.began.elapsed() < HANGS {
            std::thread::sleep(Duration::from_millis(2));
        }
        let hung = self.child.try_wait()?.is_none();
        if hung {
            self.child.kill()?;
        }
        let output = self.child.wait_with_output()?;
        let told = String::from_utf8_lossy(&output.stderr);
        let read = serde_json::from_slice(&output.stdout);
        Ok(read.unwrap_or_else(|_| Outcome {
            seed: self.seed,
            hash: (0, 0),
            millis: 0,
            violations: vec![if hung {
                "the run hangs".to_owned()
            } else {
                format!("the process ended with {}: {told}", output.status)
            }],
            marks: BTreeSet::new(),
            heard: BTreeMap::new(),
            counts: BTreeMap::new(),
        }))
    }
}

/// Runs seeds, some at once, and hands over their outcomes in order until somebody has enough.
fn in_order(
    arguments: &Arguments,
    planted: Option<&str>,
    seeds: std::ops::Range<u64>,
    mut take: impl FnMut(Outcome) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let mut running = VecDeque::new();
    let mut waiting = seeds;
    loop {
        while running.len() < arguments.threads.max(1)
            && let Some(seed) = waiting.next()
        {
            let wish = Wish { seed, planted, without: &arguments.without, secret: 0 };
            running.push_back((wish, Process::start(wish, false)?));
        }
        let Some((wish, first)) = running.pop_front() else { return Ok(()) };
        let mut outcome = first.outcome()?;
        if arguments.secrets {
            outcome.violations.extend(wish.betrayals(&outcome)?);
        }
        if !take(outcome)? {
            for (_, mut process) in running {
                process.child.kill()?;
                process.child.wait()?;
            }
            return Ok(());
        }
    }
}

fn many(arguments: &Arguments) -> anyhow::Result<bool> {
    let began = Instant::now();
    let (mut failed, mut millis, mut runs) = (Vec::new(), 0, 0);
    let (mut marks, mut counts): (BTreeSet<String>, BTreeMap<String, u64>) = Default::default();
    let seeds = arguments.from..arguments.from + arguments.seeds;
    in_order(arguments, None, seeds, |outcome| {
        millis += outcome.millis;
        runs += 1;
        if arguments.twice {
            let without = &arguments.without;
            let again = Wish { seed: outcome.seed, planted: None, without, secret: 0 }.outcome()?;
            millis += again.millis;
            if again != outcome {
                println!(
                    "seed {}: two runs differ: {:x?} and {:x?}",
                    outcome.seed, outcome.hash, again.hash
                );
                failed.push(outcome.seed);
            }
        }
        if !outcome.violations.is_empty() {
            tell(&outcome);
            failed.push(outcome.seed);
        }
        marks.extend(outcome.marks);
        for (what, times) in outcome.counts {
            *counts.entry(what).or_default() += times;
        }
        Ok(true)
    })?;
    let (simulated, took) = (Duration::from_millis(millis), began.elapsed());
    println!(
        "{runs} seeds{}: {:.1} simulated hours in {:.1} s, which is {:.0} hours in an hour",
        if arguments.twice { ", each twice" } else { "" },
        simulated.as_secs_f64() / 3_600.0,
        took.as_secs_f64(),
        simulated.as_secs_f64() / took.as_secs_f64()
    );
    for (what, times) in counts {
        println!("  {times:>8} {what}");
    }
    println!("met: {}", marks.into_iter().collect::<Vec<_>>().join("; "));
    if failed.is_empty() {
        println!("all is as it must be");
    } else {
        println!("failed: {failed:?}");
    }
    Ok(failed.is_empty())
}

fn tell(outcome: &Outcome) {
    println!("seed {} fails; replay it with: simulate --seed {}", outcome.seed, outcome.seed);
    for violation in &outcome.violations {
        println!("  {violation}");
    }
}

/// One seed, told of at length. If it fails, faults are left out one by one while it still does.
fn alone(arguments: &Arguments, seed: u64) -> anyhow::Result<bool> {
    let planted = arguments.planted.as_deref();
    let plan = Plan::of(seed).without(&arguments.without);
    println!("{plan:#?}");
    plan.faults.iter().for_each(|fault| println!("{fault}"));
    let wish = Wish { seed, planted, without: &arguments.without, secret: arguments.secret };
    let mut outcome = Process::start(wish, arguments.trace)?.outcome()?;
    if arguments.secrets {
        outcome.violations.extend(wish.betrayals(&outcome)?);
    }
    println!("{outcome:#?}");
    if outcome.violations.is_empty() {
        return Ok(true);
    }
    tell(&outcome);
    let mut without = arguments.without.clone();
    for fault in &plan.faults {
        let mut fewer = without.clone();
        fewer.push(fault.id);
        let wish = Wish { without: &fewer, ..wish };
        let mut outcome = wish.outcome()?;
        if arguments.secrets {
            outcome.violations.extend(wish.betrayals(&outcome)?);
        }
        if !outcome.violations.is_empty() {
            without = fewer;
        }
    }
    let left = plan.without(&without);
    let list: Vec<String> = without.iter().map(ToString::to_string).collect();
    println!(
        "it still fails with these alone; replay it with: simulate --seed {seed} --without {}",
        list.join(",")
    );
    left.faults.iter().for_each(|fault| println!("{fault}"));
    Ok(false)
}

/// How many seeds a planted fault may take.
const SEEDS_MAX: u64 = 2_000;

fn find_planted(arguments: &Arguments, name: &str) -> anyhow::Result<bool> {
    let wanted: Vec<Planted> =
        if name == "all" { Planted::ALL.to_vec() } else { vec![named(name)?] };
    let mut all = true;
    println!("| planted fault | seeds | found by |\n| --- | ---: | --- |");
    for planted in wanted {
        let only_back = matches!(planted, Planted::LossNotSeen | Planted::LostStreamGoesOn);
        let from = if only_back { arguments.from.max(GOING_BACK) } else { arguments.from };
        let seeds = from..from
            + SEEDS_MAX.min(if arguments.seeds == 20 { SEEDS_MAX } else { arguments.seeds });
        let (mut found, mut tried) = (None, 0);
        // Nothing else would show it.
        let secrets = arguments.secrets || planted == Planted::SecretDelays;
        let arguments = &Arguments { secrets, ..arguments.clone() };
        in_order(arguments, Some(planted.as_str()), seeds, |outcome| {
            tried += 1;
            found = outcome.violations.into_iter().next();
            Ok(found.is_none())
        })?;
        if let Some(how) = found {
            let how = how.split_once(": ").map_or(how.as_str(), |(_, how)| how);
            let how: String = how.chars().take(90).collect();
            println!(
                "| {} | {tried} | {} |",
                planted.as_str(),
                how.replace('|', "/").replace('\n', " ")
            );
        } else {
            all = false;
            println!("| {} | not within {tried} | |", planted.as_str());
        }
    }
    Ok(all)
}
