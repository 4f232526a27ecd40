//! Orders and events as text.

use heliopause_kernel::{Malformed, Seat, quoted};

use crate::table::{Event, Order};

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
