//! Battles by round, with every die: the attacker, the target, the number needed and the roll.

use heliopause_kernel::{Seat, Viewer};
use heliopause_stellar_conquest::{
    Arm, BattleEvent, Event, Odds, Options, Unit, UnitId, View, Volley,
};

use super::words;
use crate::style::{Ink, Style};
use crate::text;

#[derive(Debug)]
pub(super) struct Chronicle {
    options: Options,
    units: Vec<Unit>,
    rounds: u16,
    names: Vec<String>,
    own: Option<Seat>,
}

/// Shots of the same kind of gun at the same kind of target.
struct Salvo {
    by: Unit,
    at: Unit,
    dice: Vec<String>,
    hits: usize,
    /// Shots without a roll, because their targets were already hit (12.5).
    wasted: usize,
}

impl Chronicle {
    pub(super) fn new(view: &View, names: Vec<String>) -> Self {
        let own = match view.viewer() {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Spectator | Viewer::GameMaster => None,
        };
        let battle = view.table.battle.as_ref();
        Self {
            options: view.table.options,
            rounds: battle.map_or(0, |battle| battle.rounds),
            units: battle.map_or_else(Vec::new, |battle| battle.units.clone()),
            names,
            own,
        }
    }

    fn unit(&self, id: UnitId) -> Option<Unit> {
        self.units.get(id.index()).copied()
    }

    fn side(&self, seat: Seat) -> String {
        if self.own == Some(seat) {
            return "you".into();
        }
        self.names.get(seat.index()).cloned().unwrap_or_default()
    }

    fn round(&mut self, volleys: &[Volley], destroyed: &[UnitId], style: &Style) -> String {
        self.rounds += 1;
        let mut salvos: Vec<Salvo> = Vec::new();
        for volley in volleys {
            let (Some(by), Some(at)) = (self.unit(volley.shot.by), self.unit(volley.shot.at))
            else {
                continue;
            };
            let dice = dice(volley);
            let hits = usize::from(volley.hit);
            let wasted = usize::from(dice.is_none() && !volley.hit);
            let is_alike = |salvo: &&mut Salvo| {
                (salvo.by.owner, salvo.by.arm, salvo.at.owner, salvo.at.arm)
                    == (by.owner, by.arm, at.owner, at.arm)
            };
            match salvos.iter_mut().find(is_alike) {
                Some(salvo) => {
                    salvo.dice.extend(dice);
                    salvo.hits += hits;
                    salvo.wasted += wasted;
                }
                None => {
                    salvos.push(Salvo { by, at, dice: dice.into_iter().collect(), hits, wasted });
                }
            }
        }
        let mut lines = vec![style.paint(format!("Round {}", self.rounds), Ink::Heading)];
        let rows: Vec<Vec<String>> = salvos.iter().map(|salvo| self.row(salvo, style)).collect();
        if rows.is_empty() {
            lines.push("  no fire".into());
        } else {
            lines.push(text::table(style, &[""; 4], &rows));
        }
        lines.push(self.losses(destroyed, style));
        lines.join("\n")
    }

    fn row(&self, salvo: &Salvo, style: &Style) -> Vec<String> {
        let hits = match salvo.hits {
            0 => style.paint("no hit", Ink::Faint),
            hits => style.paint(text::count(hits, "hit"), Ink::Good),
        };
        let wasted =
            if salvo.wasted > 0 { format!(", {} too late", salvo.wasted) } else { String::new() };
        vec![
            format!(
                "  {}: {} {}",
                self.side(salvo.by.owner),
                salvo.shots(),
                salvo.by.arm.letters()
            ),
            format!("at {} of {}", salvo.at.arm.letters(), self.side(salvo.at.owner)),
            needs(self.options, salvo.by.arm, salvo.at.arm),
            if salvo.dice.is_empty() {
                format!("{hits}{wasted}")
            } else {
                format!("{} = {hits}{wasted}", salvo.dice.join(" "))
            },
        ]
    }

    fn losses(&self, destroyed: &[UnitId], style: &Style) -> String {
        let mut losses: Vec<(Seat, Arm, usize)> = Vec::new();
        for unit in destroyed.iter().filter_map(|id| self.unit(*id)) {
            match losses.iter_mut().find(|(seat, arm, _)| (*seat, *arm) == (unit.owner, unit.arm)) {
                Some((.., number)) => *number += 1,
                None => losses.push((unit.owner, unit.arm, 1)),
            }
        }
        let loss = |(seat, arm, number): &(Seat, Arm, usize)| {
            let ink = if Some(*seat) == self.own { Ink::Bad } else { Ink::Good };
            style.paint(format!("{number} {} of {}", arm.letters(), self.side(*seat)), ink)
        };
        let losses: Vec<String> = losses.iter().map(loss).collect();
        format!("  destroyed: {}", words::row(&losses))
    }
}

/// Formats the dice of a shot, with those of a second roll in brackets.
fn dice(volley: &Volley) -> Option<String> {
    let joined = |dice: [u8; 2]| {
        let shown: Vec<String> =
            dice.into_iter().filter(|die| *die > 0).map(|die| die.to_string()).collect();
        shown.join("+")
    };
    let (first, again) = (joined(volley.dice), volley.again.map(joined).unwrap_or_default());
    let second = if again.is_empty() { String::new() } else { format!("({again})") };
    (!first.is_empty()).then(|| format!("{first}{second}"))
}

impl Salvo {
    /// Counts the shots: rolled, wasted, and those that cannot miss.
    fn shots(&self) -> usize {
        self.dice.len().max(self.hits) + self.wasted
    }
}

fn needs(options: Options, by: Arm, at: Arm) -> String {
    match options.odds(by, at) {
        Odds::Never => "cannot hit".into(),
        Odds::UpTo(1) => "hits on 1, rolls".into(),
        Odds::UpTo(most) => format!("hits on 1 to {most}, rolls"),
        Odds::SumOfTen => "hits with 10, rolls".into(),
        Odds::Always => "always hits".into(),
    }
}

impl crate::Chronicle<Event> for Chronicle {
    fn tell(&mut self, event: &Event, style: &Style) -> Option<String> {
        if let Event::Battle(BattleEvent::BattleBegan { battle }) = event {
            self.units.clone_from(&battle.units);
            self.rounds = battle.rounds;
        } else if let Event::Battle(BattleEvent::ColoniesAttacked { bases, .. }) = event {
            self.units.extend(bases);
        } else if let Event::Battle(BattleEvent::RoundFought { volleys, destroyed }) = event {
            return Some(self.round(volleys, destroyed, style));
        }
        None
    }
}
