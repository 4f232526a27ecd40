//! The command line: many runs, each in its own process, because random choices, clocks and the
//! process-wide state of the product must restart with every run.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::Parser;

use crate::faults::{self, Fault};
use crate::net::Node;
use crate::oracles::STAND_INS;
use crate::plan::{PLAYER, Plan, WORKER};
use crate::run::{Outcome, run};
use crate::{rare, trace};

/// Run the whole product in one thread, in worlds determined by seeds, and report violations.
#[derive(Clone, Debug, Parser)]
#[command(name = "simulate", after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
struct Arguments {
    /// Run only this seed, and report its violations.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Number of seeds to run.
    #[arg(long, value_name = "N", default_value_t = 20)]
    seeds: u64,
    /// The first seed.
    #[arg(long, value_name = "N", default_value_t = 1)]
    from: u64,
    /// Number of parallel processes.
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
    /// Run each seed twice and compare the results.
    #[arg(long)]
    twice: bool,
    /// Run each seed again with different text in private messages: everything else that is
    /// published must be the same.
    #[arg(long)]
    secrets: bool,
    /// Build the programs with a fault, or with each fault in turn, and print the number of seeds
    /// needed to find it.
    #[arg(long, value_name = "NAME|all")]
    fault: Option<String>,
    /// Omit the seed's faults with these numbers.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    without: Vec<usize>,
    /// Print everything that happens to standard error.
    #[arg(long)]
    trace: bool,
    /// The text of private messages.
    #[arg(long, hide = true, default_value_t = 0)]
    secret: u64,
    /// Run one seed in this process and print JSON.
    #[arg(long, hide = true)]
    inside: bool,
}

const EXAMPLES: &str = "\
Examples:
  simulate --seeds 60              the seeds that .ci/run tests
  simulate --from 1000000          worlds whose store goes back to an earlier state
  simulate --seeds 40 --twice      each seed twice; both runs must be identical
  simulate --seeds 40 --secrets    each seed with two sets of private messages
  simulate --seed 17               one seed; if it fails, its list of faults is shrunk
  simulate --seed 17 --without 3,7 the same without two of its faults
  simulate --fault all             the table of docs/reliability.md";

/// The longest duration of a run before it counts as hung.
const HANGS: Duration = Duration::from_mins(5);

/// Parses the arguments and runs the simulations. Returns the exit code.
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
    match (&arguments.fault, arguments.seed) {
        (Some(name), None) => find_faults(arguments, name),
        (Some(name), Some(seed)) => alone(arguments, &faults::build(&faults::named(name)?)?, seed),
        (None, Some(seed)) => alone(arguments, &std::env::current_exe()?, seed),
        (None, None) => many(arguments),
    }
}

fn inside(arguments: &Arguments) -> anyhow::Result<bool> {
    let seed = arguments.seed.context("--inside needs --seed")?;
    if arguments.trace {
        trace::say();
    }
    rare::collect();
    let plan = Plan::of(seed).with_secret(arguments.secret);
    let outcome = run(plan.without(&arguments.without));
    println!("{}", serde_json::to_string(&outcome)?);
    Ok(true)
}

#[derive(Clone, Copy)]
struct RunRequest<'a> {
    program: &'a Path,
    seed: u64,
    without: &'a [usize],
    secret: u64,
}

impl RunRequest<'_> {
    fn outcome(self) -> anyhow::Result<Outcome> {
        Process::start(self, false)?.outcome()
    }

    /// Returns the audiences that received something different in a run with other messages.
    fn leaks(self, outcome: &Outcome) -> anyhow::Result<Vec<String>> {
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
            |node| format!("the data that {node} receives depends on private messages of others");
        Ok(betrayed.map(said).collect())
    }
}

struct Process {
    seed: u64,
    child: Child,
    began: Instant,
}

impl Process {
    fn start(wish: RunRequest<'_>, traced: bool) -> anyhow::Result<Self> {
        let RunRequest { program, seed, without, secret } = wish;
        let mut command = Command::new(program);
        command.args(["--inside", "--seed", &seed.to_string(), "--secret", &secret.to_string()]);
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
            violations: vec![if hung {
                "the run timed out".to_owned()
            } else {
                format!("the process ended with {}: {told}", output.status)
            }],
            ..Outcome::default()
        }))
    }
}

fn in_order(
    arguments: &Arguments,
    program: &Path,
    seeds: std::ops::Range<u64>,
    mut take: impl FnMut(Outcome) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let mut running = VecDeque::new();
    let mut waiting = seeds;
    loop {
        while running.len() < arguments.threads.max(1)
            && let Some(seed) = waiting.next()
        {
            let wish = RunRequest { program, seed, without: &arguments.without, secret: 0 };
            running.push_back((wish, Process::start(wish, false)?));
        }
        let Some((wish, first)) = running.pop_front() else { return Ok(()) };
        let mut outcome = first.outcome()?;
        if arguments.secrets {
            outcome.violations.extend(wish.leaks(&outcome)?);
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
    let program = &*std::env::current_exe()?;
    in_order(arguments, program, seeds, |outcome| {
        millis += outcome.millis;
        runs += 1;
        if arguments.twice {
            let without = &arguments.without;
            let again = RunRequest { program, seed: outcome.seed, without, secret: 0 }.outcome()?;
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
        "{runs} seeds{}: {:.1} simulated hours in {:.1} s, {:.0} times real time",
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
        println!("no violations");
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

/// Runs one seed with full output. If the run fails, removes the faults that the failure does not
/// need. Returns whether the run succeeded.
fn alone(arguments: &Arguments, program: &Path, seed: u64) -> anyhow::Result<bool> {
    let plan = Plan::of(seed).without(&arguments.without);
    println!("{plan:#?}");
    plan.faults.iter().for_each(|fault| println!("{fault}"));
    let wish = RunRequest { program, seed, without: &arguments.without, secret: arguments.secret };
    let mut outcome = Process::start(wish, arguments.trace)?.outcome()?;
    if arguments.secrets {
        outcome.violations.extend(wish.leaks(&outcome)?);
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
        let wish = RunRequest { without: &fewer, ..wish };
        let mut outcome = wish.outcome()?;
        if arguments.secrets {
            outcome.violations.extend(wish.leaks(&outcome)?);
        }
        if !outcome.violations.is_empty() {
            without = fewer;
        }
    }
    let left = plan.without(&without);
    let list: Vec<String> = without.iter().map(ToString::to_string).collect();
    println!(
        "the seed still fails with only these faults; replay it with: simulate --seed {seed} \
         --without {}",
        list.join(",")
    );
    left.faults.iter().for_each(|fault| println!("{fault}"));
    Ok(false)
}

const SEEDS_MAX: u64 = 2_000;

fn find_faults(arguments: &Arguments, name: &str) -> anyhow::Result<bool> {
    let wanted = if name == "all" { faults::all()? } else { vec![faults::named(name)?] };
    let mut all = true;
    println!("| fault | seeds | found by |\n| --- | ---: | --- |");
    for fault in &wanted {
        let Fault { name, from, secrets, .. } = fault;
        let program = faults::build(fault)?;
        let from = arguments.from.max(*from);
        let most = if arguments.seeds == 20 { SEEDS_MAX } else { arguments.seeds };
        let (mut found, mut tried) = (None, 0);
        let arguments = &Arguments { secrets: arguments.secrets || *secrets, ..arguments.clone() };
        in_order(arguments, &program, from..from + most, |outcome| {
            tried += 1;
            found = outcome.violations.into_iter().next();
            Ok(found.is_none())
        })?;
        if let Some(how) = found {
            let how = how.split_once(": ").map_or(how.as_str(), |(_, how)| how);
            let how: String = how.chars().take(90).collect();
            println!("| {name} | {tried} | {} |", how.replace('|', "/").replace('\n', " "));
        } else {
            all = false;
            println!("| {name} | not in {tried} | |");
        }
    }
    Ok(all)
}
