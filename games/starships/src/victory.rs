//! Rule 9: winners, credits and final scores.

use heliopause_kernel::{Audience, Emitted, FinalScore, Outcome, ScoreLine, Seat, SeatSet, named};

use crate::board::Place;
use crate::event::{Event, PlanetEvent, TurnEvent};
use crate::game::Starships;
use crate::referee::Referee;
use crate::table::{Credits, DeathStar, EndReason, Ending, Stage, Status};

/// Returns the credits for a victory of the Alliance (rule 9, R18). `planets` has each member's
/// number of planets, live and dead. The two members with the most planets get a credit each.
/// Members who tie for second place get none. If three or more tie for first place, no member gets
/// a credit.
pub(crate) fn alliance_credits(players: usize, planets: &[(Seat, usize)]) -> Credits {
    let mut credits = Credits::none(players);
    let most = planets.iter().map(|&(_, count)| count).max();
    let first: Vec<Seat> =
        planets.iter().filter(|&&(_, count)| Some(count) == most).map(|&(seat, _)| seat).collect();
    let rest = || planets.iter().filter(|&&(_, count)| Some(count) != most);
    let next = rest().map(|&(_, count)| count).max();
    let second: Vec<Seat> =
        rest().filter(|&&(_, count)| Some(count) == next).map(|&(seat, _)| seat).collect();
    match (first.len(), second.len()) {
        (1, 1) => credits.give(second[0], 1),
        (1 | 2, _) => {}
        _ => return credits,
    }
    for seat in first {
        credits.give(seat, 1);
    }
    credits
}

impl Starships {
    fn count_planets(&self, seat: Seat, live_only: bool) -> usize {
        let planets = self.secrets.own[seat.index()].planets;
        if live_only {
            planets.iter().filter(|at| self.secrets.markers[at.index()].is_live()).count()
        } else {
            planets.len()
        }
    }

    /// Returns the credits of all sides that own enough live planets, or `None` if no side does
    /// (rule 9, R42).
    fn winners_by_live_planets(&self) -> Option<Credits> {
        let enough = usize::from(self.table.options.live_planets_to_win);
        let mut credits = Credits::none(self.table.players());
        let mut won = false;
        let members: Vec<Seat> =
            self.table.living().filter(|&seat| self.table.is_member(seat)).collect();
        if members.iter().map(|&seat| self.count_planets(seat, true)).sum::<usize>() >= enough {
            won = true;
            let planets: Vec<_> =
                members.iter().map(|&seat| (seat, self.count_planets(seat, false))).collect();
            credits = alliance_credits(self.table.players(), &planets);
        }
        for seat in
            self.table.living().filter(|&seat| self.table.status(seat) == Some(Status::Independent))
        {
            let share = self.independent_credits(seat, enough);
            credits.give(seat, share);
            won |= share > 0;
        }
        won.then_some(credits)
    }

    /// Returns an Independent's credits (rule 9, R41). An Independent with enough live planets gets
    /// two, or one in solitaire. Partners who have enough only together get one each. Others get
    /// none.
    fn independent_credits(&self, seat: Seat, enough: usize) -> u8 {
        let own = self.count_planets(seat, true);
        if own >= enough {
            return if self.table.players() == 1 { 1 } else { 2 };
        }
        let partners =
            self.table.partner[seat.index()].map_or(0, |partner| self.count_planets(partner, true));
        u8::from(partners < enough && own + partners >= enough)
    }

    /// Returns the Independent who is at least two planets ahead after the last round, if any (rule
    /// 9).
    fn winner_by_most_planets(&self) -> Option<Seat> {
        if self.table.players() == 1 {
            return None;
        }
        let count = |seat| self.count_planets(seat, false);
        self.table.living().find(|&seat| {
            self.table.status(seat) == Some(Status::Independent)
                && self
                    .table
                    .seats()
                    .filter(|&other| other != seat)
                    .all(|other| count(seat) >= count(other) + 2)
        })
    }

    /// Reveals every marker, the owners of planets, and the hidden rolls (R25).
    pub(crate) fn reveal_all(&mut self) -> Emitted<Event> {
        let face_down = Place::all().filter(|at| self.table.shown[at.index()].is_none());
        let markers = face_down.map(|at| {
            let note = self.secrets.note(at);
            Event::from(PlanetEvent::FacedUp {
                at,
                marker: note.marker,
                owner: note.owner,
                by: None,
            })
        });
        let rolls =
            self.secrets.rolls.iter().map(|&roll| Event::from(TurnEvent::RollRevealed { roll }));
        let hidden: Vec<Event> = markers.chain(rolls).collect();
        let mut told = Emitted::new();
        for event in hidden {
            self.apply(&event);
            told.publish(Audience::everyone(), event);
        }
        told
    }

    pub(crate) fn outcome_of(&self, ending: Ending) -> Outcome {
        let winners: SeatSet =
            self.table.seats().filter(|&seat| ending.credits.of(seat) > 0).collect();
        let (summary, rule) = ending.reason.explain();
        Outcome {
            winners,
            draw: false,
            points: ending.credits.all().iter().map(|&credits| i64::from(credits)).collect(),
            unit: "credit",
            summary: summary.to_owned(),
            rule,
        }
    }
}

impl Starships {
    pub(crate) fn reckoning(&self, names: &dyn Fn(Seat) -> String) -> FinalScore {
        let lines = |seat| {
            let (all, live) = (self.count_planets(seat, false), self.count_planets(seat, true));
            vec![
                ScoreLine::new("live planets", live as i64, "9"),
                ScoreLine::new("dead planets", (all - live) as i64, "9"),
            ]
        };
        let lines = self.table.seats().map(lines).collect();
        let summary = match self.table.stage {
            Stage::Over(ending) => self.why(ending, names),
            Stage::Turn
            | Stage::Battle(_)
            | Stage::Zones { .. }
            | Stage::Growth
            | Stage::Breach { .. } => String::new(),
        };
        FinalScore { summary, lines, ..FinalScore::default() }
    }

    fn why(&self, ending: Ending, names: &dyn Fn(Seat) -> String) -> String {
        let (round, enough) = (self.table.round, self.table.options.live_planets_to_win);
        let planets = |seat: Seat| format!("{} {}", names(seat), self.count_planets(seat, false));
        match ending.reason {
            EndReason::LivePlanets => self.sides_with(usize::from(enough), ending.credits, names),
            EndReason::MostPlanets => {
                format!(
                    "After round {round} an Independent is two planets ahead: {}.",
                    named(self.table.seats().collect(), &planets)
                )
            }
            EndReason::NoWinner => format!(
                "After round {round} no side owns {enough} live planets, and no Independent is two \
                 planets ahead: {}.",
                named(self.table.seats().collect(), &planets)
            ),
            EndReason::AllOut => format!("All players are out in round {round}: everyone loses."),
            EndReason::DeathStar => {
                format!("The Death Star survives round {round}: everyone loses.")
            }
        }
    }

    fn sides_with(
        &self,
        enough: usize,
        credits: Credits,
        names: &dyn Fn(Seat) -> String,
    ) -> String {
        let owned = |side: SeatSet| -> usize {
            side.iter().map(|seat| self.count_planets(seat, true)).sum()
        };
        let told = |who: String, side: SeatSet| {
            let count = owned(side);
            (count >= enough).then(|| {
                let own = if who.contains(" and ") { "own" } else { "owns" };
                format!("{who} {own} {count} live planets, and {enough} win.")
            })
        };
        let members = self.table.living().filter(|&seat| self.table.is_member(seat)).collect();
        let alliance = told("The Alliance".to_owned(), members)
            .map(|sentence| sentence + &winning_members(members, credits, names));
        let is_independent = |seat: &Seat| self.table.status(*seat) == Some(Status::Independent);
        let independents = self.table.living().filter(is_independent).filter_map(|seat| {
            let alone = SeatSet::one(seat);
            told(names(seat), alone).or_else(|| {
                let partner = self.table.partner[seat.index()]?;
                let both = alone.with(partner);
                let is_first = seat < partner && owned(SeatSet::one(partner)) < enough;
                told(named(both, names), both).filter(|_| is_first)
            })
        });
        alliance.into_iter().chain(independents).collect::<Vec<_>>().join(" ")
    }
}

/// Returns which members of a victorious Alliance win, unless all do (rule 9, R18).
fn winning_members(members: SeatSet, credits: Credits, names: &dyn Fn(Seat) -> String) -> String {
    let winners: SeatSet = members.iter().filter(|&seat| credits.of(seat) > 0).collect();
    if winners == members {
        String::new()
    } else if winners == SeatSet::EMPTY {
        " No member wins: three or more have the most planets.".to_owned()
    } else {
        format!(" Of its members, those with the most planets win: {}.", named(winners, names))
    }
}

impl EndReason {
    pub fn explain(self) -> (&'static str, &'static str) {
        match self {
            Self::LivePlanets => ("One side owns enough live planets.", "9"),
            Self::MostPlanets => (
                "The last round is over, and an Independent is two planets ahead of everyone.",
                "9",
            ),
            Self::NoWinner => ("The last round is over, and no player has won.", "9"),
            Self::AllOut => ("All players are out: everyone loses.", "9"),
            Self::DeathStar => ("The Death Star cannot be destroyed: everyone loses.", "R40"),
        }
    }
}

impl Referee<'_> {
    /// Ends the game if a side has won or all players are out (R42). Returns whether the game is
    /// over.
    pub(crate) fn has_ended(&mut self) -> bool {
        if self.table().is_over() {
            return true;
        }
        if self.table().living().next().is_none() {
            let nobody = Credits::none(self.table().players());
            self.end_game(EndReason::AllOut, nobody);
            return true;
        }
        if matches!(self.table().death_star, DeathStar::Active { .. }) {
            return false;
        }
        match self.game.winners_by_live_planets() {
            Some(credits) => {
                self.end_game(EndReason::LivePlanets, credits);
                true
            }
            None => false,
        }
    }

    pub(crate) fn score_last_round(&mut self) {
        let mut credits = Credits::none(self.table().players());
        match self.game.winner_by_most_planets() {
            Some(seat) => {
                credits.give(seat, 1);
                self.end_game(EndReason::MostPlanets, credits);
            }
            None => self.end_game(EndReason::NoWinner, credits),
        }
    }

    pub(crate) fn end_game(&mut self, reason: EndReason, credits: Credits) {
        self.publish_to_all(TurnEvent::Ended { ending: Ending { reason, credits } });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s32_credits_of_the_alliance() {
        let credits = |planets: &[usize]| {
            let members: Vec<_> = planets
                .iter()
                .enumerate()
                .map(|(index, &count)| (Seat::at(index), count))
                .collect();
            alliance_credits(planets.len(), &members).all().to_vec()
        };
        assert_eq!(credits(&[5, 2, 2]), [1, 0, 0]);
        assert_eq!(credits(&[3, 3, 1]), [1, 1, 0]);
        assert_eq!(credits(&[3, 3, 3]), [0, 0, 0]);
        assert_eq!(credits(&[4, 3, 2, 1]), [1, 1, 0, 0]);
        assert_eq!(credits(&[7, 0]), [1, 1]);
        assert_eq!(credits(&[7]), [1]);
    }

    #[test]
    fn the_result_says_which_members_of_the_alliance_win() {
        let told = |planets: &[usize]| {
            let members: Vec<_> =
                (0..).zip(planets).map(|(index, &count)| (Seat::at(index), count)).collect();
            let credits = alliance_credits(planets.len(), &members);
            let names = |seat: Seat| format!("Player {}", seat.number());
            winning_members(members.iter().map(|&(seat, _)| seat).collect(), credits, &names)
        };
        let most = " Of its members, those with the most planets win: Player 1 and Player 3.";
        assert_eq!(told(&[3, 1, 3]), most);
        assert_eq!(told(&[3, 3, 3]), " No member wins: three or more have the most planets.");
        assert_eq!(told(&[4, 3]), "");
    }
}
