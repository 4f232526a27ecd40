//! Orders and events as text.

use heliopause_kernel::{Malformed, Seat, headings, quoted};

use crate::table::{Event, Order};

const RULES: [(&str, &str); 5] = [
    ("1", "Probes race to the heliopause. In each round, each has a hidden wind of 1 to 6."),
    ("2", "Each plans a burn of 0 to 3 of its 12 units of fuel."),
    ("3", "Each probe moves by its wind and its burn."),
    ("4", "A probe that is ahead of all others may hold one of them back by 2."),
    (
        "5",
        "Once a probe reaches the heliopause, the probe that is farthest wins; if several are \
         equally far, they share a draw.",
    ),
];

pub(crate) fn rule(number: &str) -> Option<&'static str> {
    RULES.iter().find(|(own, _)| *own == number).map(|(_, text)| *text)
}

pub(crate) fn rules() -> Vec<(&'static str, &'static str)> {
    headings(&RULES)
}

pub(crate) fn describe(event: &Event, names: &dyn Fn(Seat) -> String) -> (String, &'static str) {
    match event {
        Event::RoundBegan { round } => (format!("Round {round} begins."), "1"),
        Event::WindDrawn { wind, .. } => (format!("Your wind is {wind}."), "1"),
        Event::Planned { burn, .. } => (format!("You plan to burn {burn}."), "2"),
        Event::Moved { distances, .. } => {
            let all = Seat::first(distances.len()).zip(distances);
            let all: Vec<String> =
                all.map(|(seat, distance)| format!("{} at {distance}", names(seat))).collect();
            (format!("The probes move: {}.", all.join(", ")), "3")
        }
        Event::LeaderDecided { leader, braked: Some(other) } => {
            (format!("{} holds {} back.", names(*leader), names(*other)), "4")
        }
        Event::LeaderDecided { leader, braked: None } => {
            (format!("{} coasts.", names(*leader)), "4")
        }
        Event::Ended { winners } => {
            let winners: Vec<String> = winners.iter().map(names).collect();
            (format!("The heliopause is reached: {}.", winners.join(" and ")), "5")
        }
    }
}

pub(crate) fn notate(order: Order) -> String {
    match order {
        Order::Burn { fuel } => format!("burn {fuel}"),
        Order::Brake { seat } => format!("brake {}", seat.number()),
        Order::Coast => "coast".to_owned(),
    }
}

/// Reads orders, one per line. `#` starts a comment.
pub(crate) fn parse(text: &str) -> Result<Vec<Order>, Malformed> {
    let mut orders = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let fault = || {
            Malformed::text(
                number,
                1,
                format!("expected burn 2, brake 3 or coast, found {}", quoted(line)),
            )
        };
        let (verb, argument) = line.split_once(' ').unwrap_or((line, ""));
        let argument = argument.trim();
        orders.push(match verb.to_ascii_lowercase().as_str() {
            "burn" => Order::Burn { fuel: argument.parse().map_err(|_| fault())? },
            "brake" => {
                let seat = argument.parse().ok().and_then(Seat::numbered);
                Order::Brake { seat: seat.ok_or_else(fault)? }
            }
            "coast" if argument.is_empty() => Order::Coast,
            _ => return Err(fault()),
        });
    }
    Ok(orders)
}
