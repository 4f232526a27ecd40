//! Rule 3: a player-turn, from Arrivals to its end, and the end of a round.

use heliopause_kernel::Seat;

use crate::board::{Place, Places};
use crate::event::{Cause, PlanetEvent, TurnEvent};
use crate::judge::{Verdict, refuse};
use crate::knowledge::{Eyes, Owed};
use crate::pieces::{BaseNumber, Piece, Serial, ShipId, Station};
use crate::referee::Referee;
use crate::table::{Credits, DeathStar, EndReason, Resume, Stage};

impl Eyes<'_> {
    /// 3.1, R23: building, at most what Arrivals allow and never above the sponsor limit.
    pub(crate) fn judge_build(&self, count: u8, base: BaseNumber) -> Verdict {
        self.may_act()?;
        let limit = self.sponsor_limit().saturating_sub(self.starships());
        if limit == 0 {
            return refuse(
                "too-many",
                "R23",
                "Your planets sponsor no more starships than you have.",
            );
        }
        let Some(left) = self.own.arrivals else {
            return refuse(
                "arrivals-over",
                "3.1",
                "You can build only as the first thing in a turn.",
            );
        };
        if self.table.base(self.base_id(base)).is_none() {
            return refuse("no-such-base", "3.1", "You have no such base.");
        }
        if count == 0 {
            return refuse("nothing-built", "3.1", "Build at least one.");
        }
        let room = usize::from(left).min(limit);
        if usize::from(count) > room {
            return refuse("too-many", "R23", format!("You can build at most {room} now."));
        }
        Ok(())
    }

    /// 3.3: ending the turn, which an Exile's duty may forbid (R12).
    pub(crate) fn judge_end(&self) -> Verdict {
        self.may_act()?;
        if self.duty_to_leave().is_empty() {
            return Ok(());
        }
        refuse(
            "must-leave-earth",
            "R12",
            "You are exiled and know a planet your base can reach: move it off Earth first.",
        )
    }
}

impl Referee<'_> {
    /// Begins a player-turn: exile that stands is carried out, and Arrivals open (3.1).
    pub(crate) fn begin_turn(&mut self, round: u8, seat: Seat) {
        self.announce(TurnEvent::TurnBegan { round, seat });
        self.exile_if_voted();
        let eyes = self.game.eyes(seat);
        let gained = eyes.own.gained.len() as u8;
        let room = eyes.sponsor_limit().saturating_sub(eyes.starships());
        let allowance = if room > 0 { gained + 1 } else { 0 };
        if allowance > 0 || gained > 0 {
            self.whisper(seat, TurnEvent::ArrivalsOpened { seat, allowance });
        }
    }

    /// 3.1: building ends with the first other action.
    pub(crate) fn close_arrivals(&mut self) {
        let seat = self.table().active;
        if self.game.secrets.own[seat.index()].arrivals.is_some() {
            self.whisper(seat, TurnEvent::ArrivalsClosed { seat });
        }
    }

    /// 3.1: builds starships on a base.
    pub(crate) fn build(&mut self, seat: Seat, count: u8, base: BaseNumber) {
        let base = self.game.eyes(seat).base_id(base);
        for _ in 0..count {
            let Some(at) = self.table().base(base).map(|base| base.at) else { return };
            let serial = Serial(self.table().next_serial[seat.index()]);
            let ship = ShipId { owner: seat, serial };
            self.announce(TurnEvent::Built { ship, at });
        }
    }

    /// 3.3: the end of a turn. First the Death Star's turn, if it is due (8).
    pub(crate) fn end_turn(&mut self) {
        self.close_arrivals();
        let due = match self.table().death_star {
            DeathStar::Active { provoker, just_now } => {
                provoker == self.table().active && !just_now
            }
            DeathStar::Undisturbed | DeathStar::Gone => false,
        };
        let sources = self.table().growth_sources();
        if due && self.table().can_grow(sources, Places::NONE) {
            let seat = self.table().death_star_seat();
            self.enter(Stage::Growth);
            let growth = Owed::Growth { sources, entered: Places::NONE, barred: Places::NONE };
            self.whisper(seat, TurnEvent::Asked { seat, owes: Some(growth) });
        } else {
            self.after_growth();
        }
    }

    /// 3.3, after the Death Star: surrounded starships, a base out too long, sponsors.
    pub(crate) fn after_growth(&mut self) {
        self.enter(Stage::Turn);
        if self.has_ended() {
            return;
        }
        self.destroy_surrounded();
        self.lose_bases_out_too_long();
        if self.has_ended() {
            return;
        }
        if !self.table().is_alive(self.table().active) || !self.asks_for_sacrifice() {
            self.finish_turn();
        }
    }

    /// R32: out at the end of the third turn in a row, a base is eliminated.
    fn lose_bases_out_too_long(&mut self) {
        let active = self.table().active;
        let late: Vec<Piece> = self
            .table()
            .bases_of(active)
            .filter(|base| matches!(base.station, Station::Out(turns) if turns >= 2))
            .map(|base| Piece::Base(base.id))
            .collect();
        for base in late {
            self.lose(base, Cause::TooLongOut);
        }
    }

    /// R22: the turn of a player who is out ends at once.
    pub(crate) fn end_turn_of_the_lost(&mut self) {
        self.enter(Stage::Turn);
        self.destroy_surrounded();
        if !self.has_ended() {
            self.finish_turn();
        }
    }

    /// 3.3: recovery, and the next player's turn, or the end of the round.
    pub(crate) fn finish_turn(&mut self) {
        let active = self.table().active;
        self.announce(TurnEvent::TurnEnded { seat: active });
        let table = self.table();
        let place =
            table.order.iter().position(|&seat| seat == active).map_or(0, |index| index + 1);
        match table.order[place..].iter().find(|&&seat| table.is_alive(seat)).copied() {
            Some(next) => self.begin_turn(table.round, next),
            None => self.end_round(),
        }
        self.settle();
    }

    /// The end of a round: pledges (7), then the end of the game or the next round (9).
    fn end_round(&mut self) {
        self.judge_pledges_at_end_of_round();
        if self.table().broken.is_empty() {
            self.after_round();
        } else {
            self.make_good(Resume::EndOfRound);
        }
    }

    /// 9: after round 12 the game ends, unless the Death Star is active; then it goes on to its
    /// last round (R40).
    pub(crate) fn after_round(&mut self) {
        let table = self.table();
        let active_star = matches!(table.death_star, DeathStar::Active { .. });
        let round = table.round;
        if active_star && round >= table.options.last_round_with_death_star {
            let players = table.players();
            return self.end_game(EndReason::DeathStar, Credits::none(players));
        }
        if !active_star && round >= table.options.rounds {
            return self.score_last_round();
        }
        let first = table.order.iter().find(|&&seat| table.is_alive(seat)).copied();
        if let Some(first) = first {
            self.begin_turn(round.saturating_add(1), first);
        }
    }

    /// Turns a marker face up for the rest of the game (3.2).
    pub(crate) fn face_up(&mut self, at: Place, by: Option<Seat>) {
        if self.table().shown[at.index()].is_none() {
            let note = self.game.secrets.note(at);
            self.announce(PlanetEvent::FacedUp { at, marker: note.marker, owner: note.owner, by });
        }
    }
}
