//! Compares adjudication by `heliopause_diplomacy` and by the crate `diplomacy`, in alternating
//! runs on the recorded movement phases.
//!
//! Both adjudicators get parsed phases and compute the result of every order and the retreats.

use std::collections::BTreeMap;
use std::fs;
use std::hint::black_box;
use std::time::{Duration, Instant};

use diplomacy::UnitPosition;
use diplomacy::geo::{RegionKey, standard_map};
use diplomacy::judge::{MappedMainOrder, Rulebook, Submission};
use heliopause_diplomacy::{Code, Given, Kind, Movement, Node, Position, Unit, Variant, read_orders, standard_powers};
use heliopause_kernel::Seat;

const PHASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/phases-1000.jsonl");
const ROUNDS: usize = 15;

#[derive(serde::Deserialize)]
struct Recorded {
    units: BTreeMap<String, Vec<String>>,
    orders: BTreeMap<String, Vec<String>>,
    expect: Expected,
}

#[derive(serde::Deserialize)]
struct Expected {
    dislodged: Vec<serde_json::Value>,
}

fn main() {
    let text = fs::read_to_string(PHASES).expect("the recorded phases");
    let phases: Vec<Recorded> = text.lines().map(|line| serde_json::from_str(line).expect("a \
        phase")).collect();
    let ours: Vec<_> = phases.iter().map(ours).collect();
    let theirs: Vec<_> = phases.iter().map(theirs).collect();
    // The counts show that both adjudicators do the same work. They differ from the record only
    // where the rules for convoys leave a choice.
    let dislodged: usize = phases.iter().map(|phase| phase.expect.dislodged.len()).sum();
    println!("dislodged: recorded {dislodged}, here {}, there {}", run_ours(&ours), run_theirs(&theirs));

    let (mut here, mut there) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        here.push(timed(|| run_ours(&ours)));
        there.push(timed(|| run_theirs(&theirs)));
    }
    let [here, there] = [here, there].map(|mut times| {
        times.sort();
        [times[0], times[ROUNDS / 2]].map(|time| phases.len() as f64 / time.as_secs_f64())
    });
    for (name, [best, median]) in [("heliopause-diplomacy", here), ("crate diplomacy", there)] {
        println!("{name:<22} {best:>9.0} phases/s at best, {median:>9.0} in the median");
    }
    println!("ratio                  {:>9.1} at best, {:>9.1} in the median", here[0] / there[0], here[1] / there[1]);
}

fn timed(run: impl Fn() -> usize) -> Duration {
    let start = Instant::now();
    black_box(run());
    start.elapsed()
}

fn run_ours(phases: &[(Position, Vec<Given>)]) -> usize {
    let driven_out = |(position, orders): &(Position, Vec<Given>)| {
        let movement = Movement::resolve(position, orders);
        black_box(movement.reports(orders));
        movement.aftermath().dislodged.len()
    };
    phases.iter().map(driven_out).sum()
}

fn run_theirs(phases: &[(Vec<UnitPosition<'static, RegionKey>>, Vec<MappedMainOrder>)]) -> usize {
    let driven_out = |(units, orders): &(Vec<_>, Vec<MappedMainOrder>)| {
        let submission = Submission::new(standard_map(), units, orders.clone());
        let outcome = submission.adjudicate(Rulebook::default());
        outcome.to_retreat_start().dislodged().len()
    };
    phases.iter().map(driven_out).sum()
}

fn ours(phase: &Recorded) -> (Position, Vec<Given>) {
    let names: Vec<&str> = standard_powers().map(|(name, _)| name).collect();
    let seat = |power: &str| Seat::at(names.iter().position(|name| *name == power).expect("a \
        power"));
    let codes = names.iter().map(|name| name[..3].parse::<Code>().expect("a code"));
    let mut position = Position::empty(Variant::Standard, codes);
    for (power, text) in each(&phase.units) {
        let kind = text[..1].parse::<Kind>().expect("A or F");
        let at = text[2..].parse::<Node>().expect("a place");
        position.put(Unit { owner: seat(power), kind, at });
    }
    let given = |(power, line): (&str, &str)| Given {
        seat: seat(power),
        order: read_orders(line).expect("notation")[0],
    };
    (position, each(&phase.orders).map(given).collect())
}

fn theirs(phase: &Recorded) -> (Vec<UnitPosition<'static, RegionKey>>, Vec<MappedMainOrder>) {
    let unit = |(power, text): (&str, &str)| format!("{power}: {}", spelled(text)).parse().expect("a unit");
    let order = |(power, line): (&str, &str)| format!("{power}: {}", spelled(line)).parse().expect("an order");
    (each(&phase.units).map(unit).collect(), each(&phase.orders).map(order).collect())
}

fn each(of: &BTreeMap<String, Vec<String>>) -> impl Iterator<Item = (&str, &str)> {
    of.iter().flat_map(|(power, lines)| lines.iter().map(move |line| (power.as_str(), line.as_str())))
}

fn spelled(text: &str) -> String {
    let word = |word: &str| match word {
        "-" => "->".to_owned(),
        "H" => "holds".to_owned(),
        "S" => "supports".to_owned(),
        "C" => "convoys".to_owned(),
        "A" | "F" | "via" | "convoy" => word.to_owned(),
        place => match place.to_lowercase().split_once('/') {
            Some((province, coast)) => format!("{province}({coast})"),
            None => place.to_lowercase(),
        },
    };
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}
