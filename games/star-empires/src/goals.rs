//! 1.0: progress of the empires toward victory, as visible to one viewer.

use heliopause_kernel::{Goal, Seat};

use crate::options::Options;
use crate::victory::production;
use crate::view::{EmpireView, Insight, MasterView, View};

pub(crate) fn goals(view: &View) -> Vec<Goal> {
    if view.ending.is_some() {
        return Vec::new();
    }
    let mut goals = match &view.insight {
        Insight::Empire(own) => vec![known(own)],
        Insight::Spectator => Vec::new(),
        Insight::Master(all) => halves(all),
    };
    goals.extend(clock(&view.options, view.turn));
    goals
}

/// Returns a goal without a target, because the empire does not see the production of all worlds.
fn known(own: &EmpireView) -> Goal {
    let seat = own.status.seat;
    let worlds = || own.chart.worlds.iter();
    let all: u64 = worlds().map(|world| u64::from(world.production)).sum();
    let value: u64 = worlds()
        .filter(|world| world.owner == Some(seat))
        .map(|world| u64::from(world.production))
        .sum();
    let sentence =
        format!("Production {value} of {all} known; half of the galaxy's production wins.");
    half(seat, value, None, sentence)
}

fn halves(all: &MasterView) -> Vec<Goal> {
    let (own, total) = production(&all.galaxy);
    let target = total.div_ceil(2);
    let goal = |(index, value): (usize, u64)| {
        let sentence = format!("Production {value} of {target}, half of the galaxy's.");
        half(Seat::at(index), value, Some(target), sentence)
    };
    own.into_iter().enumerate().map(goal).collect()
}

fn half(seat: Seat, value: u64, target: Option<u64>, sentence: String) -> Goal {
    let (value, target) = (value.cast_signed(), target.map(u64::cast_signed));
    Goal { seat: Some(seat), label: "production", value, target, rule: "1.0", sentence }
}

fn clock(options: &Options, turn: u32) -> Option<Goal> {
    let last = options.last_turn()?;
    let sentence = format!("Turn {turn}; the game ends after turn {last}.");
    let (value, target) = (i64::from(turn), Some(i64::from(last)));
    Some(Goal { seat: None, label: "turns", value, target, rule: "1.0", sentence })
}
