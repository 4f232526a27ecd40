//! The current and next settings of standing orders.

use heliopause_stellar_conquest::{
    FirePolicy, RefugePolicy, ScuttlePolicy, StandingOrders, StayPolicy,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) about: &'static str,
    pub(super) now: &'static str,
    pub(super) next: &'static str,
    /// The standing orders with the next setting applied.
    pub(super) changed: StandingOrders,
}

fn fire(policy: FirePolicy) -> &'static str {
    match policy {
        FirePolicy::Ask => "ask me",
        FirePolicy::Spread => "one target each, the most dangerous first",
        FirePolicy::Focus => "many guns at the most dangerous target",
        FirePolicy::Hold => "hold fire",
    }
}

fn stay(policy: StayPolicy) -> &'static str {
    match policy {
        StayPolicy::Ask => "ask me",
        StayPolicy::Always => "all stay",
        StayPolicy::WhileMoreWarships => "stay while I have more warships",
        StayPolicy::WhileNoFewerWarships => "stay while I have no fewer warships",
        StayPolicy::Never => "all leave after the first round",
    }
}

const fn leave(leaves: bool) -> &'static str {
    if leaves { "leave as soon as they may" } else { "do as the other ships" }
}

fn refuge(policy: RefugePolicy) -> &'static str {
    match policy {
        RefugePolicy::Ask => "ask me",
        RefugePolicy::Away => "away from their entry hex",
    }
}

fn scuttle(policy: ScuttlePolicy) -> &'static str {
    match policy {
        ScuttlePolicy::Ask => "ask me",
        ScuttlePolicy::Never => "never destroy factories",
        ScuttlePolicy::WhenLost => "destroy them when the colony is lost",
    }
}

fn after<T: Copy + PartialEq>(all: &[T], now: T) -> T {
    let at = all.iter().position(|other| *other == now).unwrap_or(0);
    all[(at + 1) % all.len()]
}

pub(super) fn lines(orders: StandingOrders) -> Vec<Line> {
    use {FirePolicy as F, RefugePolicy as R, ScuttlePolicy as C, StayPolicy as S};
    let next_fire = after(&[F::Ask, F::Spread, F::Focus, F::Hold], orders.fire);
    let all = [S::Ask, S::Always, S::WhileMoreWarships, S::WhileNoFewerWarships, S::Never];
    let next_stay = after(&all, orders.stay);
    let next_refuge = after(&[R::Ask, R::Away], orders.refuge);
    let next_scuttle = after(&[C::Ask, C::Never, C::WhenLost], orders.scuttle);
    let line = |about, now, next, changed| Line { about, now, next, changed };
    vec![
        line(
            "targets, when attacked",
            fire(orders.fire),
            fire(next_fire),
            StandingOrders { fire: next_fire, ..orders },
        ),
        line(
            "after a round",
            stay(orders.stay),
            stay(next_stay),
            StandingOrders { stay: next_stay, ..orders },
        ),
        line(
            "scouts",
            leave(orders.scouts_leave),
            leave(!orders.scouts_leave),
            StandingOrders { scouts_leave: !orders.scouts_leave, ..orders },
        ),
        line(
            "transports",
            leave(orders.transports_leave),
            leave(!orders.transports_leave),
            StandingOrders { transports_leave: !orders.transports_leave, ..orders },
        ),
        line(
            "where enemies withdraw to",
            refuge(orders.refuge),
            refuge(next_refuge),
            StandingOrders { refuge: next_refuge, ..orders },
        ),
        line(
            "factories under attack",
            scuttle(orders.scuttle),
            scuttle(next_scuttle),
            StandingOrders { scuttle: next_scuttle, ..orders },
        ),
    ]
}

pub(super) fn sentence(orders: StandingOrders) -> String {
    let told: Vec<String> =
        lines(orders).iter().map(|line| format!("{}: {}", line.about, line.now)).collect();
    format!("{}.", told.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_cycle_through_all_values() {
        let start = StandingOrders::default();
        for nth in 0..lines(start).len() {
            let mut now = start;
            let mut seen = Vec::new();
            while !seen.contains(&now) {
                seen.push(now);
                now = lines(now)[nth].changed;
            }
            assert!(seen.len() > 1 && now == start, "{nth}");
        }
    }

    #[test]
    fn lines_show_the_next_setting() {
        for line in lines(StandingOrders::default()) {
            let changed = lines(line.changed).into_iter().find(|other| other.about == line.about);
            assert_eq!(changed.map(|other| other.now), Some(line.next));
        }
    }
}
