//! Rule 3: a player-turn, from Arrivals to its end, and the end of a round.

use heliopause_kernel::Seat;

use crate::board::{Place, Places};
use crate::event::{Cause, PlanetEvent, TurnEvent};
use crate::judge::{Verdict, refuse};
use crate::knowledge::{Owed, SeatView};
use crate::pieces::{BaseNumber, Piece, Serial, ShipId, Station};
use crate::referee::Referee;
use crate::table::{Credits, DeathStar, EndReason, Resume, Stage};

impl SeatView<'_> {
    /// Judges a build (rule 3.1, R23). Arrivals and the sponsor limit both limit the number of
    /// starships.
    pub(crate) fn judge_build(&self, count: u8, base: BaseNumber) -> Verdict {
        self.may_act()?;
        let (have, sponsored) = (self.starships(), self.sponsor_limit());
        let limit = sponsored.saturating_sub(have);
        if limit == 0 {
            let have = heliopause_kernel::count(have, "starship");
            let text = format!("You have {have} and sponsors for {sponsored}: you cannot build.");
            return refuse("too-many", "R23", text);
        }
        let Some(left) = self.own.arrivals else {
            return refuse(
                "arrivals-over",
                "3.1",
                "You can build only before any other action in your turn.",
            );
        };
        if self.table.base(self.base_id(base)).is_none() {
            let text = format!("You have no base {}.", base.number());
            return refuse("no-such-base", "3.1", text);
        }
        if count == 0 {
            return refuse("nothing-built", "3.1", "Build at least one starship.");
        }
        let room = usize::from(left).min(limit);
        if usize::from(count) > room {
            let most = heliopause_kernel::count(room, "starship");
            let text = format!("You can build at most {most} now, not {count}.");
            return refuse("too-many", "R23", text);
        }
        Ok(())
    }

    pub(crate) fn judge_end(&self) -> Verdict {
        self.may_act()?;
        if self.must_leave_for().is_empty() {
            return Ok(());
        }
        refuse(
            "must-leave-earth",
            "R12",
            "You are an Exile whose base can reach a known planet: move the base off Earth first.",
        )
    }
}

impl Referee<'_> {
    pub(crate) fn begin_turn(&mut self, round: u8, seat: Seat) {
        self.publish_to_all(TurnEvent::TurnBegan { round, seat });
        self.exile_if_voted();
        let seat_view = self.game.seat_view(seat);
        let gained = seat_view.own.gained.len() as u8;
        let room = seat_view.sponsor_limit().saturating_sub(seat_view.starships());
        let allowance = if room > 0 { gained + 1 } else { 0 };
        if allowance > 0 || gained > 0 {
            self.publish_to_seat(seat, TurnEvent::ArrivalsOpened { seat, allowance });
        }
    }

    /// Closes Arrivals if they are open (rule 3.1). The first action other than building closes
    /// them.
    pub(crate) fn close_arrivals(&mut self) {
        let seat = self.table().active;
        if self.game.secrets.own[seat.index()].arrivals.is_some() {
            self.publish_to_seat(seat, TurnEvent::ArrivalsClosed { seat });
        }
    }

    pub(crate) fn build(&mut self, seat: Seat, count: u8, base: BaseNumber) {
        let base = self.game.seat_view(seat).base_id(base);
        for _ in 0..count {
            let Some(at) = self.table().base(base).map(|base| base.at) else { return };
            let serial = Serial(self.table().next_serial[seat.index()]);
            let ship = ShipId { owner: seat, serial };
            self.publish_to_all(TurnEvent::Built { ship, at });
        }
    }

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
            self.publish_to_seat(seat, TurnEvent::Asked { seat, pending_decision: Some(growth) });
        } else {
            self.after_growth();
        }
    }

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

    /// Removes bases of the player on turn that are out at the end of a third consecutive turn
    /// (R32).
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

    pub(crate) fn end_turn_of_eliminated(&mut self) {
        self.enter(Stage::Turn);
        self.destroy_surrounded();
        if !self.has_ended() {
            self.finish_turn();
        }
    }

    pub(crate) fn finish_turn(&mut self) {
        let active = self.table().active;
        self.publish_to_all(TurnEvent::TurnEnded { seat: active });
        let table = self.table();
        let place =
            table.order.iter().position(|&seat| seat == active).map_or(0, |index| index + 1);
        match table.order[place..].iter().find(|&&seat| table.is_alive(seat)).copied() {
            Some(next) => self.begin_turn(table.round, next),
            None => self.end_round(),
        }
        self.settle();
    }

    fn end_round(&mut self) {
        self.judge_pledges_at_end_of_round();
        if self.table().broken.is_empty() {
            self.after_round();
        } else {
            self.settle_breaches(Resume::EndOfRound);
        }
    }

    /// Starts the next round, or ends the game after its last round (rule 9). An active Death Star
    /// extends the game (R40).
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

    pub(crate) fn face_up(&mut self, at: Place, by: Option<Seat>) {
        if self.table().shown[at.index()].is_none() {
            let note = self.game.secrets.note(at);
            self.publish_to_all(PlanetEvent::FacedUp {
                at,
                marker: note.marker,
                owner: note.owner,
                by,
            });
        }
    }
}
