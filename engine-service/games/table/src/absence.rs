//! Absences: vacation, delegation, resignation, and what ends them.

use heliopause_kernel::Seat;
use heliopause_proto::store::v1::{Delegated, Person, Resigned, SeatState, StandInReason, VacationSet, seat_state};
use heliopause_proto::v1::{AutomatedSeat, DelegationRule, ErrorReason, GameStatus, OpenSeat, SeatChange};

use crate::play::clear_stand_in;
use crate::telling::Telling;
use crate::time::{DAY, Millis, stamp};
use crate::{Fault, Table, table};

impl Table {
    pub(crate) fn set_vacation(&mut self, by: &str, set: &VacationSet, telling: &mut Telling) -> Result<(), Fault> {
        self.require_status(&[GameStatus::Running, GameStatus::Paused], "nobody needs vacation from it")?;
        let seat = self.seat_numbered(set.seat)?;
        self.require_seat(by, seat)?;
        let budget = self.vacation_left(seat) + self.unused_vacation(seat, telling.now);
        if set.days > budget {
            let text = format!("You have {budget} days of vacation left in this game.");
            return Err(Fault::new(ErrorReason::QuotaExceeded, text).with("quota", "vacation").with("limit", budget));
        }
        let refund = self.unused_vacation(seat, telling.now);
        let state = &mut self.state.seats[seat.index()];
        state.vacation_used = state.vacation_used - refund + set.days;
        let until = telling.now + Millis::from(set.days) * DAY;
        state.vacation_until = (set.days > 0).then(|| stamp(until));
        if set.days == 0 {
            self.take_back_absence_delegation(seat);
        }
        self.tell_seat(seat, SeatChange::Vacation, telling);
        Ok(())
    }

    /// How many days a seat's player may still take.
    pub fn vacation_left(&self, seat: Seat) -> u32 {
        let budget = self.state.pace.as_ref().map_or(0, |pace| pace.vacation_days);
        budget.saturating_sub(self.state.seats[seat.index()].vacation_used)
    }

    /// Whole days of a running vacation that are still to come; they are given back when it ends early.
    fn unused_vacation(&self, seat: Seat, now: Millis) -> u32 {
        let until = table::at(self.state.seats[seat.index()].vacation_until.as_ref());
        until.map_or(0, |until| (until - now).max(0) / DAY) as u32
    }

    pub(crate) fn on_vacation(state: &SeatState) -> bool {
        state.vacation_until.is_some()
    }

    /// Until when a deadline waits for missing seats that are on vacation and have nobody standing in.
    pub(crate) fn vacation_until(&self, missing: &[Seat]) -> Option<Millis> {
        let states = missing.iter().map(|seat| &self.state.seats[seat.index()]);
        let waiting = states.filter(|state| state.stand_in.is_none());
        waiting.filter_map(|state| table::at(state.vacation_until.as_ref())).max()
    }

    pub(crate) fn delegate(&mut self, by: &str, delegated: &Delegated, telling: &mut Telling) -> Result<(), Fault> {
        self.require_status(&[GameStatus::Running, GameStatus::Paused], "there is nothing to delegate")?;
        let seat = self.seat_numbered(delegated.seat)?;
        self.require_seat(by, seat)?;
        let Some(asked) = &delegated.to else {
            clear_stand_in(&mut self.state.seats[seat.index()]);
            self.tell_seat(seat, SeatChange::HandedBack, telling);
            return Ok(());
        };
        let refused = |text: &str| Err(Fault::new(ErrorReason::WrongStatus, text).with("status", "delegation"));
        match self.created().delegation() {
            DelegationRule::None => return refused("In this game nobody may delegate a seat."),
            DelegationRule::Absence if !Self::on_vacation(&self.state.seats[seat.index()]) => {
                return refused("In this game a seat may be delegated only while its player is on vacation.");
            }
            _ => {}
        }
        if table::at(asked.until.as_ref()).is_some_and(|until| until <= telling.now) {
            return Err(Fault::field("to.until", "The end of a delegation lies in the future."));
        }
        let by = self.automation(asked, seat, "to")?;
        let state = &mut self.state.seats[seat.index()];
        state.stand_in = Some(by);
        state.set_stand_in_reason(StandInReason::Delegated);
        self.tell_seat(seat, SeatChange::Delegated, telling);
        Ok(())
    }

    pub(crate) fn resign(&mut self, by: &str, resigned: &Resigned, telling: &mut Telling) -> Result<(), Fault> {
        self.require_status(&[GameStatus::Running, GameStatus::Paused], "leave it, or let it be")?;
        let seat = self.seat_numbered(resigned.seat)?;
        self.require_seat(by, seat)?;
        self.vacate(seat, None, SeatChange::Resigned, telling);
        Ok(())
    }

    /// Takes a seat from its player for good: automation plays it until somebody takes it over.
    pub(crate) fn vacate(&mut self, seat: Seat, kept_for: Option<Person>, change: SeatChange, telling: &mut Telling) {
        let profile = self.roles[seat.index()].profile.to_owned();
        let by = AutomatedSeat { profile, level: "standard".to_owned(), until: None };
        let state = &mut self.state.seats[seat.index()];
        state.occupant = Some(seat_state::Occupant::Automated(by));
        state.vacant = true;
        state.kept_for = kept_for;
        state.vacation_until = None;
        clear_stand_in(state);
        self.game_seat_changed(seat, heliopause_kernel::SeatChange::Abandoned, telling);
        self.tell_seat(seat, change, telling);
    }

    /// Removes a player whose account is deleted from every place at the table.
    pub(crate) fn erase(&mut self, player_id: &str, telling: &mut Telling) {
        let playing = matches!(self.status(), GameStatus::Running | GameStatus::Paused);
        for index in 0..self.players() {
            let seat = Seat::at(index);
            let occupant = &self.state.seats[index].occupant;
            let his = match occupant {
                Some(seat_state::Occupant::Player(person) | seat_state::Occupant::ReservedFor(person)) => {
                    person.player_id == player_id
                }
                _ => false,
            };
            if his && playing {
                self.vacate(seat, None, SeatChange::Erased, telling);
            } else if his && self.status() == GameStatus::Forming {
                self.state.seats[index].occupant = Some(seat_state::Occupant::Open(OpenSeat {}));
                self.tell_seat(seat, SeatChange::Erased, telling);
            }
        }
        if self.state.host.as_ref().is_some_and(|host| host.player_id == player_id) {
            self.state.host = None;
        }
    }

    /// When the first vacation or delegation ends.
    pub(crate) fn absences_due(&self) -> Option<Millis> {
        let ends = |state: &SeatState| {
            let delegated = state.stand_in.as_ref().and_then(|by| table::at(by.until.as_ref()));
            [table::at(state.vacation_until.as_ref()), delegated].into_iter().flatten().min()
        };
        self.state.seats.iter().filter_map(ends).min()
    }

    pub(crate) fn end_absences(&mut self, telling: &mut Telling) {
        let now = telling.now;
        let passed = |time: Option<Millis>| time.is_some_and(|time| time <= now);
        for index in 0..self.state.seats.len() {
            let seat = Seat::at(index);
            let state = &mut self.state.seats[index];
            if passed(state.stand_in.as_ref().and_then(|by| table::at(by.until.as_ref()))) {
                clear_stand_in(state);
                self.tell_seat(seat, SeatChange::HandedBack, telling);
            }
            let state = &mut self.state.seats[index];
            if passed(table::at(state.vacation_until.as_ref())) {
                state.vacation_until = None;
                self.take_back_absence_delegation(seat);
                self.tell_seat(seat, SeatChange::Vacation, telling);
            }
        }
    }

    /// A delegation that was allowed only for an absence ends with it.
    fn take_back_absence_delegation(&mut self, seat: Seat) {
        let only_in_absence = self.created().delegation() == DelegationRule::Absence;
        let state = &mut self.state.seats[seat.index()];
        if only_in_absence && state.stand_in_reason() == StandInReason::Delegated {
            clear_stand_in(state);
        }
    }
}
