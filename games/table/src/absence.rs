//! Absences: vacation, delegation and resignation.
//!
//! A replacement player inherits the whole seat, including its view, events and messages.
//! Automation that stands in for a player never writes messages.
//!
//! Erasing an account removes its name from seats and lists. Past events keep the name, because the
//! journal is a hash chain.

use heliopause_kernel::Seat;
use heliopause_proto::store::v1::{
    Delegated, Person, Resigned, SeatState, StandInReason, VacationSet, entrant, seat_state,
};
use heliopause_proto::v1::{
    AutomatedSeat, DelegationRule, ErrorReason, GameStatus, OpenSeat, SeatChange,
};

use crate::effects::Effects;
use crate::play::clear_stand_in;
use crate::status::By;
use crate::time::{DAY, Millis, at, stamp};
use crate::votes::Voices;
use crate::{Fault, Table};

impl Table {
    pub(crate) fn set_vacation(
        &mut self,
        by: &str,
        set: &VacationSet,
        effects: &mut Effects,
    ) -> Result<(), Fault> {
        self.require_status(
            &[GameStatus::Running, GameStatus::Paused],
            "you cannot go on vacation",
        )?;
        let seat = self.seat_numbered(set.seat)?;
        self.require_seat(by, seat)?;
        let budget = self.vacation_left(seat) + self.unused_vacation(seat, effects.now);
        if set.days > budget {
            let text = format!(
                "{} days of vacation are too many; you have {budget} left in this game.",
                set.days
            );
            return Err(Fault::new(ErrorReason::QuotaExceeded, text)
                .with("quota", "vacation")
                .with("limit", budget));
        }
        let refund = self.unused_vacation(seat, effects.now);
        let state = &mut self.state.seats[seat.index()];
        state.vacation_used = state.vacation_used - refund + set.days;
        let until = effects.now + Millis::from(set.days) * DAY;
        state.vacation_until = (set.days > 0).then(|| stamp(until));
        if set.days == 0 {
            self.take_back_absence_delegation(seat);
        }
        self.publish_seat(seat, SeatChange::Vacation, effects);
        Ok(())
    }

    pub fn vacation_left(&self, seat: Seat) -> u32 {
        let budget = self.state.pace.as_ref().map_or(0, |pace| pace.vacation_days);
        budget.saturating_sub(self.state.seats[seat.index()].vacation_used)
    }

    fn unused_vacation(&self, seat: Seat, now: Millis) -> u32 {
        let until = at(self.state.seats[seat.index()].vacation_until.as_ref());
        until.map_or(0, |until| (until - now).max(0) / DAY) as u32
    }

    pub(crate) fn on_vacation(state: &SeatState) -> bool {
        state.vacation_until.is_some()
    }

    pub(crate) fn vacation_until(&self, missing: &[Seat]) -> Option<Millis> {
        let states = missing.iter().map(|seat| &self.state.seats[seat.index()]);
        let waiting = states.filter(|state| state.stand_in.is_none());
        waiting.filter_map(|state| at(state.vacation_until.as_ref())).max()
    }

    pub(crate) fn delegate(
        &mut self,
        by: &str,
        delegated: &Delegated,
        effects: &mut Effects,
    ) -> Result<(), Fault> {
        self.require_status(
            &[GameStatus::Running, GameStatus::Paused],
            "you cannot delegate your seat",
        )?;
        let seat = self.seat_numbered(delegated.seat)?;
        self.require_seat(by, seat)?;
        let Some(asked) = &delegated.to else {
            self.wake_if_left(effects);
            clear_stand_in(&mut self.state.seats[seat.index()]);
            self.publish_seat(seat, SeatChange::HandedBack, effects);
            return Ok(());
        };
        let refused = |text: &str| Err(self.wrong_status(text));
        match self.created().delegation() {
            DelegationRule::None => return refused("This game does not allow delegation."),
            DelegationRule::Absence if !self.may_delegate_in_absence(seat) => {
                return refused(
                    "This game allows delegation only during a vacation; start one first.",
                );
            }
            _ => {}
        }
        if at(asked.end_time.as_ref()).is_some_and(|until| until <= effects.now) {
            return Err(Fault::field("to.until", "The end of a delegation must be in the future."));
        }
        let by = self.automation(asked, seat, "to")?;
        let state = &mut self.state.seats[seat.index()];
        state.stand_in = Some(by);
        state.set_stand_in_reason(StandInReason::Delegated);
        self.publish_seat(seat, SeatChange::Delegated, effects);
        Ok(())
    }

    /// Returns whether a seat's player may delegate in a game with `DelegationRule::Absence`: on
    /// vacation, or at any time if no other person plays.
    fn may_delegate_in_absence(&self, seat: Seat) -> bool {
        Self::on_vacation(&self.state.seats[seat.index()])
            || self.voters(Voices::People).without(seat).is_empty()
    }

    pub(crate) fn resign(
        &mut self,
        by: &str,
        resigned: &Resigned,
        effects: &mut Effects,
    ) -> Result<(), Fault> {
        self.require_status(&[GameStatus::Running, GameStatus::Paused], "no player can resign")?;
        let seat = self.seat_numbered(resigned.seat)?;
        self.require_seat(by, seat)?;
        self.vacate(seat, None, SeatChange::Resigned, effects);
        Ok(())
    }

    /// Gives a seat to automation until another player takes it. Only `kept_for` may take it, if
    /// set.
    pub(crate) fn vacate(
        &mut self,
        seat: Seat,
        kept_for: Option<Person>,
        change: SeatChange,
        effects: &mut Effects,
    ) {
        let abandoned_by = self.deserter_of_vacant(seat, change);
        let profile = self.roles[seat.index()].when_abandoned().to_owned();
        let by = AutomatedSeat { profile, level: "standard".to_owned(), end_time: None };
        let state = &mut self.state.seats[seat.index()];
        let former = &mut self.state.former_players;
        if let Some(seat_state::Occupant::Player(person)) = &state.occupant
            && !former.contains(&person.player_id)
        {
            former.push(person.player_id.clone());
        }
        state.occupant = Some(seat_state::Occupant::Automated(by));
        state.vacant = true;
        state.kept_for = kept_for;
        state.abandoned_by = abandoned_by;
        state.submitted = false;
        state.vacation_until = None;
        clear_stand_in(state);
        self.game_seat_changed(seat, heliopause_kernel::SeatChange::Abandoned, effects);
        self.publish_seat(seat, change, effects);
        self.sleep_if_left(effects.now);
    }

    /// Removes the player of an erased account from all seats and lists. If the account led the
    /// game, another player leads a forming game; without another player, the game is canceled.
    pub(crate) fn erase(&mut self, player_id: &str, effects: &mut Effects) {
        let playing = matches!(self.status(), GameStatus::Running | GameStatus::Paused);
        let led = self.leader_id() == player_id;
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
                self.publish_seat(seat, SeatChange::Declined, effects);
            } else if theirs && playing {
                self.vacate(seat, None, SeatChange::AccountDeleted, effects);
            } else if theirs && self.status() == GameStatus::Forming {
                self.state.seats[index].occupant = Some(seat_state::Occupant::Open(OpenSeat {}));
                self.state.seats[index].chosen_seat = self.planned_seat(seat);
                self.publish_seat(seat, SeatChange::AccountDeleted, effects);
            }
        }
        let passed = self.pass_forming_game(player_id);
        if self.is_host(player_id) {
            self.state.host = None;
        }
        self.state.held_ratings.retain(|held| held.player_id != player_id);
        for seat in &mut self.state.seats {
            seat.abandoned_by.take_if(|person| person.player_id == player_id);
            // The id stays, because the results of the other players depend on it.
            if let Some(entrant::Who::Player(person)) =
                seat.entrant.as_mut().and_then(|entrant| entrant.who.as_mut())
                && person.player_id == player_id
            {
                person.name.clear();
            }
        }
        // Nobody else can start a forming game.
        let is_lost = self.status() == GameStatus::Forming || !self.has_other_players(player_id);
        if led && !passed && !self.is_over() && is_lost {
            self.cancel(By::Game, "its host's account was deleted", effects);
        }
    }

    pub(crate) fn absences_due(&self) -> Option<Millis> {
        let ends = |state: &SeatState| {
            let delegated = state.stand_in.as_ref().and_then(|by| at(by.end_time.as_ref()));
            [at(state.vacation_until.as_ref()), delegated].into_iter().flatten().min()
        };
        self.state.seats.iter().filter_map(ends).min()
    }

    pub(crate) fn end_absences(&mut self, effects: &mut Effects) {
        let now = effects.now;
        let passed = |time: Option<Millis>| time.is_some_and(|time| time <= now);
        for index in 0..self.state.seats.len() {
            let seat = Seat::at(index);
            let state = &mut self.state.seats[index];
            if passed(state.stand_in.as_ref().and_then(|by| at(by.end_time.as_ref()))) {
                clear_stand_in(state);
                self.publish_seat(seat, SeatChange::HandedBack, effects);
            }
            let state = &mut self.state.seats[index];
            if passed(at(state.vacation_until.as_ref())) {
                state.vacation_until = None;
                self.take_back_absence_delegation(seat);
                self.publish_seat(seat, SeatChange::Vacation, effects);
            }
        }
    }

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
    use heliopause_proto::store::v1::{Step, step};
    use heliopause_proto::v1::{MissedDeadline, Pace, PhasePace};
    use prost_types::Duration;

    use super::*;
    use crate::sample;

    fn table(pace: Pace) -> Table {
        let (mut table, _) = sample::begun("starships-at-large", Some(pace));
        for role in &mut table.roles {
            role.abandoned = Some("caretaker");
        }
        table
    }

    fn apply(table: &mut Table, by: &str, kind: step::Kind, now: Millis) -> Result<(), Fault> {
        let step = Step { by: by.to_owned(), kind: Some(kind), ..Step::default() };
        table.apply(step, now).map(drop)
    }

    fn occupant(table: &Table, seat: usize) -> String {
        match &table.state.seats[seat].occupant {
            Some(seat_state::Occupant::Automated(by)) => by.profile.clone(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn abandoned_seats_use_the_profile_for_abandoned_seats() {
        let mut table = table(Pace::default());
        apply(&mut table, "bob", step::Kind::Resigned(Resigned { seat: 2 }), 1)
            .expect("they may resign");
        assert_eq!(occupant(&table, 1), "caretaker");
    }

    #[test]
    fn missing_a_deadline_uses_the_usual_profile() {
        let interval = Some(Duration { seconds: 60, nanos: 0 });
        let standard = PhasePace { interval, ..PhasePace::default() };
        let missed = MissedDeadline::Automate.into();
        let mut table = table(Pace { standard: Some(standard), missed, ..Pace::default() });
        apply(&mut table, "", step::Kind::Ticked(heliopause_proto::store::v1::Ticked {}), 90_000)
            .expect("time passes");
        let stand_ins: Vec<_> =
            table.state.seats.iter().filter_map(|seat| seat.stand_in.as_ref()).collect();
        assert!(!stand_ins.is_empty(), "somebody missed the deadline");
        let usual = stand_ins.iter().all(|by| by.profile == "captain");
        assert!(usual, "R75: missing a deadline is not abandonment");
    }

    #[test]
    fn only_profiles_of_the_roles_can_be_requested() {
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
        apply(table, "ann", step::Kind::VacationSet(VacationSet { seat: 1, days }), now)
    }

    #[test]
    fn unused_whole_days_of_a_vacation_are_refunded() {
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
    fn vacation_delegation_ends_with_the_vacation() {
        let mut table = table(Pace { vacation_days: 9, ..Pace::default() });
        let created = table.state.created.as_mut().expect("it was created");
        created.set_delegation(DelegationRule::Absence);
        let delegate = |table: &mut Table, now| {
            let to = Some(AutomatedSeat::default());
            apply(table, "ann", step::Kind::Delegated(Delegated { seat: 1, to }), now)
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
        apply(&mut table, "", passed, 4 + 2 * DAY).expect("time passes");
        assert!(!stands_in(&table), "the vacation is over");
    }
}
