//! 1.0, notes 14: victory by half of the production, and the outcome of a game.

use heliopause_kernel::{FinalScore, Outcome, ScoreLine, Seat, SeatSet, named};

use crate::galaxy::Galaxy;
use crate::position::{Ending, StarEmpires};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Half {
    pub empires: SeatSet,
    pub production: u64,
    pub total: u64,
}

/// Returns the base production of each empire by seat, and that of all worlds (R65).
pub(crate) fn production(galaxy: &Galaxy) -> (Vec<u64>, u64) {
    let mut own = vec![0; galaxy.empires.len()];
    let mut total = 0;
    for world in &galaxy.worlds {
        total += u64::from(world.production);
        if let Some(owner) = world.owner {
            own[owner.index()] += u64::from(world.production);
        }
    }
    (own, total)
}

impl StarEmpires {
    /// 1.0: returns the empires, then the alliances, that have half of the production.
    pub(crate) fn halves(&self) -> Vec<Half> {
        let (own, total) = production(&self.galaxy);
        let alone = self.galaxy.seats().map(SeatSet::one);
        let sides = alone.chain(self.alliances.iter().copied());
        let half = |empires: SeatSet| {
            let production = empires.iter().map(|seat| own[seat.index()]).sum();
            Half { empires, production, total }
        };
        sides.map(half).filter(|half| half.total > 0 && 2 * half.production >= half.total).collect()
    }

    pub(crate) fn ending_now(&self) -> Option<Ending> {
        let halves = self.halves();
        if self.options.automatic_victory() && !halves.is_empty() {
            // All empires and alliances that have half of the production at the same time win
            // together.
            let winners = halves.iter().fold(SeatSet::EMPTY, |all, half| all.union(half.empires));
            return Some(Ending { winners, last_turn: false });
        }
        let last = self.options.last_turn().is_some_and(|last| self.turn >= last);
        last.then(|| Ending { winners: self.leaders(), last_turn: true })
    }

    fn leaders(&self) -> SeatSet {
        let (own, _) = production(&self.galaxy);
        let most = own.iter().copied().max().unwrap_or(0);
        self.galaxy.seats().filter(|seat| most > 0 && own[seat.index()] == most).collect()
    }
}

/// Scores each empire by its share of the production, in thousandths.
pub(crate) fn outcome(game: &StarEmpires, ending: Ending) -> Outcome {
    let summary = if ending.last_turn {
        format!("Turn {} was the last.", game.turn)
    } else {
        "Half of the galaxy's production is reached.".to_owned()
    };
    Outcome { summary, ..declared(game, ending.winners) }
}

pub(crate) fn final_score(game: &StarEmpires, names: &dyn Fn(Seat) -> String) -> FinalScore {
    let names = &|seat| match game.galaxy.empire(seat).name {
        name if name.is_none() || name.to_string() == names(seat) => names(seat),
        name => format!("{} ({name})", names(seat)),
    };
    let (own, total) = production(&game.galaxy);
    let lines = |seat: Seat| {
        let worlds = game.galaxy.worlds.iter().filter(|world| world.owner == Some(seat)).count();
        vec![
            ScoreLine::new("production", own[seat.index()].cast_signed(), "1.0"),
            ScoreLine::new("worlds", worlds as i64, "1.0"),
        ]
    };
    let lines = game.galaxy.seats().map(lines).collect();
    let summary = match game.ending {
        None => String::new(),
        Some(Ending { last_turn: false, .. }) => {
            let halves = game.halves();
            let told: Vec<String> = halves.iter().map(|half| half.told(names)).collect();
            format!("{}.", told.join("; "))
        }
        Some(Ending { winners, last_turn: true }) => match winners.iter().next() {
            Some(first) => {
                let most = own[first.index()];
                let have = if winners.len() > 1 { "each have" } else { "has" };
                let (turn, who) = (game.turn, named(winners, names));
                format!(
                    "Turn {turn} was the last: {who} {have} the most production, {most} of {total}."
                )
            }
            None => format!("Turn {} was the last, and no empire produces anything.", game.turn),
        },
    };
    FinalScore { summary, lines, unit: "% of the production", decimals: 1, level: "" }
}

impl Half {
    /// Returns a sentence such as "Ann's production is 61 of 118: more than half".
    fn told(&self, names: &dyn Fn(Seat) -> String) -> String {
        let Self { empires, production, total } = *self;
        let share = if 2 * production > total { "more than half" } else { "half" };
        format!("{}'s production is {production} of {total}: {share}", named(empires, names))
    }
}

pub(crate) fn declared(game: &StarEmpires, winners: SeatSet) -> Outcome {
    let (own, total) = production(&game.galaxy);
    let points = own.iter().map(|&own| (own * 1000 / total.max(1)).cast_signed()).collect();
    let summary = "The game master declared the winner.".to_owned();
    Outcome {
        winners,
        draw: false,
        points,
        unit: "thousandth of the production",
        summary,
        rule: "1.0",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;
    use heliopause_kernel::{Dice, Seat, Setup};

    /// Returns a game where three empires produce `own` and an unowned world the rest of 40.
    fn game(own: [u32; 3]) -> StarEmpires {
        let setup = Setup { options: Options::default(), players: 3 };
        let mut game = crate::setup::set_up(&setup, &mut Dice::new([1; 32])).unwrap();
        game.galaxy.worlds.truncate(4);
        let rest = 40 - own.iter().sum::<u32>();
        for (index, production) in own.into_iter().chain([rest]).enumerate() {
            game.galaxy.worlds[index].production = production;
            game.galaxy.worlds[index].owner = (index < 3).then(|| Seat::at(index));
        }
        game
    }

    #[test]
    fn a_game_ends_automatically_only_if_configured() {
        let mut game = game([20, 4, 4]);
        assert_eq!(game.ending_now(), None);
        let options = Options { automatic_victory: Some(true), ..Options::default() };
        game.options = options.into();
        let ending = Ending { winners: SeatSet::one(Seat::at(0)), last_turn: false };
        assert_eq!(game.ending_now(), Some(ending));
        assert_eq!(outcome(&game, ending).points, [500, 100, 100]);
        game.ending = Some(ending);
        let told = final_score(&game, &|seat| format!("Empire {}", seat.number()));
        assert_eq!(told.summary, "Empire 1 (Perihelion)'s production is 20 of 40: half.");
        let by_empire = final_score(&game, &|seat| game.galaxy.empire(seat).name.to_string());
        assert_eq!(by_empire.summary, "Perihelion's production is 20 of 40: half.");
        assert_eq!(told.lines[0][0], ScoreLine::new("production", 20, "1.0"));
        game.ending = None;
        for (index, world) in game.galaxy.worlds.iter_mut().enumerate().take(2) {
            (world.production, world.owner) = (20, Some(Seat::at(index)));
        }
        game.galaxy.worlds.truncate(2);
        let both = game.ending_now().map(|ending| ending.winners);
        assert_eq!(both, Some(SeatSet::first(2)), "who has half at once wins together");
        game.options = Options { last_turn: Some(3), ..Options::default() }.into();
        game.turn = 2;
        assert_eq!(game.ending_now(), None);
        game.turn = 3;
        assert_eq!(game.ending_now().map(|ending| ending.last_turn), Some(true));
    }
}
