//! Absences: vacation, delegation, resignation, and their end.

use heliopause_kernel::Seat;
use heliopause_proto::store::v1::{
    Delegated, Person, Resigned, SeatState, StandInReason, VacationSet, seat_state,
};
use heliopause_proto::v1::{
    AutomatedSeat, DelegationRule, ErrorReason, GameStatus, OpenSeat, SeatChange,
};

use crate::play::clear_stand_in;
use crate::status::By;
use crate::telling::Telling;
use crate::time::{DAY, Millis, stamp};
use crate::votes::Voices;
use crate::{Fault, Table, table};

impl Table {
    pub(crate) fn set_vacation(
        &mut self,
        by: &str,
        set: &VacationSet,
        telling: &mut Telling,
    ) -> Result<(), Fault> {
        self.require_status(
            &[GameStatus::Running, GameStatus::Paused],
            "nobody needs vacation from it",
        )?;
        let seat = self.seat_numbered(set.seat)?;
        self.require_seat(by, seat)?;
        let budget = self.vacation_left(seat) + self.unused_vacation(seat, telling.now);
        if set.days > budget {
            let text = format!("You have {budget} days of vacation left in this game.");
            return Err(Fault::new(ErrorReason::QuotaExceeded, text)
                .with("quota", "vacation")
                .with("limit", budget));
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

    /// The remaining whole days of a running vacation; they are given back when it ends early.
    fn unused_vacation(&self, seat: Seat, now: Millis) -> u32 {
        let until = table::at(self.state.seats[seat.index()].vacation_until.as_ref());
        until.map_or(0, |until| (until - now).max(0) / DAY) as u32
    }

    pub(crate) fn on_vacation(state: &SeatState) -> bool {
        state.vacation_until.is_some()
    }

    /// Until when a deadline waits for missing seats on vacation without automation in their place.
    pub(crate) fn vacation_until(&self, missing: &[Seat]) -> Option<Millis> {
        let states = missing.iter().map(|seat| &self.state.seats[seat.index()]);
        let waiting = states.filter(|state| state.stand_in.is_none());
        waiting.filter_map(|state| table::at(state.vacation_until.as_ref())).max()
    }

    pub(crate) fn delegate(
        &mut self,
        by: &str,
        delegated: &Delegated,
        telling: &mut Telling,
    ) -> Result<(), Fault> {
        self.require_status(
            &[GameStatus::Running, GameStatus::Paused],
            "there is nothing to delegate",
        )?;
        let seat = self.seat_numbered(delegated.seat)?;
        self.require_seat(by, seat)?;
        let Some(asked) = &delegated.to else {
            clear_stand_in(&mut self.state.seats[seat.index()]);
            self.tell_seat(seat, SeatChange::HandedBack, telling);
            return Ok(());
        };
        let refused = |text: &str| Err(self.wrong_status(text));
        match self.created().delegation() {
            DelegationRule::None => return refused("In this game nobody may delegate a seat."),
            DelegationRule::Absence if !self.may_delegate_in_absence(seat) => {
                return refused(
                    "In this game a seat may be delegated only while its player is on vacation.",
                );
            }
            _ => {}
        }
        if table::at(asked.end_time.as_ref()).is_some_and(|until| until <= telling.now) {
            return Err(Fault::field("to.until", "The end of a delegation lies in the future."));
        }
        let by = self.automation(asked, seat, "to")?;
        let state = &mut self.state.seats[seat.index()];
        state.stand_in = Some(by);
        state.set_stand_in_reason(StandInReason::Delegated);
        self.tell_seat(seat, SeatChange::Delegated, telling);
        Ok(())
    }

    /// Only a vacation is an absence, except from a game without other people: there nobody waits
    /// for it.
    fn may_delegate_in_absence(&self, seat: Seat) -> bool {
        Self::on_vacation(&self.state.seats[seat.index()])
            || self.voters(Voices::People).without(seat).is_empty()
    }

    pub(crate) fn resign(
        &mut self,
        by: &str,
        resigned: &Resigned,
        telling: &mut Telling,
    ) -> Result<(), Fault> {
        self.require_status(&[GameStatus::Running, GameStatus::Paused], "leave it, or let it be")?;
        let seat = self.seat_numbered(resigned.seat)?;
        self.require_seat(by, seat)?;
        self.vacate(seat, None, SeatChange::Resigned, telling);
        Ok(())
    }

    /// Takes a seat from its player for good: automation plays it until somebody takes it over.
    pub(crate) fn vacate(
        &mut self,
        seat: Seat,
        kept_for: Option<Person>,
        change: SeatChange,
        telling: &mut Telling,
    ) {
        let abandoned_by = self.deserter_of_vacant(seat, change);
        let profile = self.roles[seat.index()].when_abandoned().to_owned();
        let by = AutomatedSeat { profile, level: "standard".to_owned(), end_time: None };
        let state = &mut self.state.seats[seat.index()];
        state.occupant = Some(seat_state::Occupant::Automated(by));
        state.vacant = true;
        state.kept_for = kept_for;
        state.abandoned_by = abandoned_by;
        state.submitted = false;
        state.vacation_until = None;
        clear_stand_in(state);
        self.game_seat_changed(seat, heliopause_kernel::SeatChange::Abandoned, telling);
        self.tell_seat(seat, change, telling);
        self.sleep_if_left(telling.now);
    }

    /// Removes a player whose account is deleted from every place at the table.
    pub(crate) fn erase(&mut self, player_id: &str, telling: &mut Telling) {
        let playing = matches!(self.status(), GameStatus::Running | GameStatus::Paused);
        let led = self.led_by() == player_id;
        for index in 0..self.players() {
            let seat = Seat::at(index);
            let occupant = &self.state.seats[index].occupant;
            let theirs = match occupant {
                Some(
                    seat_state::Occupant::Player(person)
                    | seat_state::Occupant::ReservedFor(person),
                ) => person.player_id == player_id,
                _ => false,
            };
            let unclaimed = matches!(occupant, Some(seat_state::Occupant::ReservedFor(_)));
            if theirs && playing && unclaimed {
                self.state.seats[index].occupant = Some(self.unclaimed());
                self.tell_seat(seat, SeatChange::Declined, telling);
            } else if theirs && playing {
                self.vacate(seat, None, SeatChange::Erased, telling);
            } else if theirs && self.status() == GameStatus::Forming {
                self.state.seats[index].occupant = Some(seat_state::Occupant::Open(OpenSeat {}));
                self.state.seats[index].chosen_seat = self.planned_seat(seat);
                self.tell_seat(seat, SeatChange::Erased, telling);
            }
        }
        if self.state.host.as_ref().is_some_and(|host| host.player_id == player_id) {
            self.state.host = None;
        }
        self.state.held_ratings.retain(|held| held.player_id != player_id);
        for seat in &mut self.state.seats {
            seat.abandoned_by.take_if(|person| person.player_id == player_id);
        }
        if led && !self.is_over() && !self.is_played_without(player_id) {
            self.cancel(By::Game, "its host's account is deleted", telling);
        }
    }

    /// When the first vacation or delegation ends.
    pub(crate) fn absences_due(&self) -> Option<Millis> {
        let ends = |state: &SeatState| {
            let delegated = state.stand_in.as_ref().and_then(|by| table::at(by.end_time.as_ref()));
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
            if passed(state.stand_in.as_ref().and_then(|by| table::at(by.end_time.as_ref()))) {
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

#[cfg(test)]
mod tests {
    use heliopause_proto::store::v1::{Created, PlannedSeat, Step, Taken, planned_seat, step};
    use heliopause_proto::v1::{MissedDeadline, Pace, PhasePace};
    use prost_types::Duration;

    use super::*;

    const SECRET: [u8; 32] = [3; 32];

    /// A game of two players in which abandoned seats have a profile of their own.
    fn table(pace: Pace) -> Table {
        let seat = |id: &str| {
            let player = Some(Person { player_id: id.to_owned(), name: id.to_owned() });
            PlannedSeat {
                plan: Some(planned_seat::Plan::Taken(Taken { player, ..Taken::default() })),
            }
        };
        let created = Created {
            kind: "starships-at-large".to_owned(),
            seats: vec![seat("ann"), seat("bob")],
            pace: Some(pace),
            seed_commitment: crate::chain::commitment(&SECRET).to_vec().into(),
            game_id: "table".to_owned(),
            start_when_full: true,
            ..Created::default()
        };
        let (mut table, _) = Table::lay(created, SECRET, "ann", 0).expect("a table");
        for role in &mut table.roles {
            role.abandoned = Some("caretaker");
        }
        table
    }

    fn take(table: &mut Table, by: &str, kind: step::Kind, now: Millis) -> Result<(), Fault> {
        table.take(Step { by: by.to_owned(), kind: Some(kind), ..Step::default() }, now).map(|_| ())
    }

    fn occupant(table: &Table, seat: usize) -> String {
        match &table.state.seats[seat].occupant {
            Some(seat_state::Occupant::Automated(by)) => by.profile.clone(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn an_abandoned_seat_is_played_by_the_profile_for_abandoned_seats() {
        let mut table = table(Pace::default());
        take(&mut table, "bob", step::Kind::Resigned(Resigned { seat: 2 }), 1)
            .expect("they may resign");
        assert_eq!(occupant(&table, 1), "caretaker");
    }

    #[test]
    fn a_seat_whose_player_stays_is_played_by_the_usual_profile() {
        let interval = Some(Duration { seconds: 60, nanos: 0 });
        let standard = PhasePace { interval, ..PhasePace::default() };
        let missed = MissedDeadline::Automate.into();
        let mut table = table(Pace { standard: Some(standard), missed, ..Pace::default() });
        take(&mut table, "", step::Kind::Ticked(heliopause_proto::store::v1::Ticked {}), 90_000)
            .expect("time passes");
        let stand_ins: Vec<_> =
            table.state.seats.iter().filter_map(|seat| seat.stand_in.as_ref()).collect();
        assert!(!stand_ins.is_empty(), "somebody missed the deadline");
        assert!(
            stand_ins.iter().all(|by| by.profile == "captain"),
            "R75: missing a deadline is not abandonment"
        );
    }

    #[test]
    fn automation_can_be_asked_for_by_either_profile_and_by_no_other() {
        let table = table(Pace::default());
        let ask = |profile: &str| {
            let asked = AutomatedSeat { profile: profile.to_owned(), ..AutomatedSeat::default() };
            table.automation(&asked, Seat::at(0), "by").map(|by| by.profile)
        };
        assert_eq!(ask("").unwrap(), "captain");
        assert_eq!(ask("caretaker").unwrap(), "caretaker");
        assert!(ask("pirate").unwrap_err().to_string().contains("captain, caretaker, death-star"));
    }

    fn vacation(table: &mut Table, days: u32, now: Millis) -> Result<(), Fault> {
        take(table, "ann", step::Kind::VacationSet(VacationSet { seat: 1, days }), now)
    }

    #[test]
    fn whole_days_of_a_vacation_that_runs_can_be_taken_anew_or_are_given_back() {
        let mut table = table(Pace { vacation_days: 9, ..Pace::default() });
        let left = |table: &Table| table.vacation_left(Seat::at(0));
        vacation(&mut table, 5, 0).expect("there are nine");
        assert_eq!(left(&table), 4);
        let fault = vacation(&mut table, 10, 0).expect_err("there are nine");
        assert_eq!(fault.reason, ErrorReason::QuotaExceeded);
        assert!(fault.metadata.contains(&("limit", "9".to_owned())), "{:?}", fault.metadata);
        vacation(&mut table, 9, 0).expect("the five that run count");
        assert_eq!(left(&table), 0);
        vacation(&mut table, 0, 2 * DAY + 1).expect("it ends early");
        assert_eq!(left(&table), 6, "the third day has begun");
    }

    #[test]
    fn a_delegation_that_only_a_vacation_allows_ends_with_it() {
        let mut table = table(Pace { vacation_days: 9, ..Pace::default() });
        let created = table.state.created.as_mut().expect("it was created");
        created.set_delegation(DelegationRule::Absence);
        let delegate = |table: &mut Table, now| {
            let to = Some(AutomatedSeat::default());
            take(table, "ann", step::Kind::Delegated(Delegated { seat: 1, to }), now)
        };
        let stands_in = |table: &Table| table.state.seats[0].stand_in.is_some();
        assert_eq!(delegate(&mut table, 0).unwrap_err().reason, ErrorReason::WrongStatus);
        vacation(&mut table, 2, 1).expect("they may");
        delegate(&mut table, 2).expect("they are on vacation");
        assert!(stands_in(&table));
        vacation(&mut table, 0, 3).expect("it ends early");
        assert!(!stands_in(&table));
        vacation(&mut table, 2, 4).expect("they may");
        delegate(&mut table, 5).expect("they are on vacation");
        let passed = step::Kind::Ticked(heliopause_proto::store::v1::Ticked {});
        take(&mut table, "", passed, 4 + 2 * DAY).expect("time passes");
        assert!(!stands_in(&table), "the vacation is over");
    }
}
