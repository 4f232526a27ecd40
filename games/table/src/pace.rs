//! Deadlines of phases, and their consequences.
//!
//! Deadlines by time of day use a fixed offset from UTC, not a time zone. A zone's rules change,
//! and a journal must replay to the same deadline.

use heliopause_kernel::{CloseCause, Seat};
use heliopause_proto::store::v1::{StandInReason, seat_state};
use heliopause_proto::v1::{
    AutomatedSeat, CloseReason, DeadlineChanged, DeadlineReason, GameStatus, MissedDeadline, Pace,
    PaceChanged, PhasePace, SeatChange, event,
};

use crate::effects::Effects;
use crate::status::{By, deadline_words};
use crate::time::{DAY, Millis, at, in_seconds, millis, span, stamp};
use crate::{Fault, Table};

const INTERVAL_MAX: Millis = 3_650 * DAY;

pub(crate) fn check(pace: &Pace, kinds: &[&str]) -> Result<(), Fault> {
    if let Some(phase) = &pace.standard {
        check_phase(phase, "pace.standard")?;
    }
    for (kind, phase) in &pace.by_kind {
        if !kinds.contains(&kind.as_str()) {
            let known = kinds.join(", ");
            let text = format!("{kind:?} is not a kind of phase; expected one of {known}.");
            return Err(Fault::field("pace.by_kind", text));
        }
        check_phase(phase, &format!("pace.by_kind[{kind}]"))?;
    }
    if MissedDeadline::try_from(pace.missed).is_err() {
        let text = format!("{} is not a value of MissedDeadline.", pace.missed);
        return Err(Fault::field("pace.missed", text));
    }
    if pace.automate_after_misses == Some(0) {
        return Err(Fault::field(
            "pace.automate_after_misses",
            "0 is too small; the minimum is 1. To never automate a seat after misses, omit the \
             number.",
        ));
    }
    if !(-840..=840).contains(&pace.utc_offset_minutes) {
        return Err(Fault::field(
            "pace.utc_offset_minutes",
            format!("An offset must be -840 to 840 minutes, not {}.", pace.utc_offset_minutes),
        ));
    }
    if let Some(shortest) = pace.shortest.as_ref().map(span)
        && !(1000..=INTERVAL_MAX).contains(&shortest)
    {
        let found = in_seconds(shortest);
        let text = format!("The shortest interval must be 1 second to 3,650 days, not {found}.");
        return Err(Fault::field("pace.shortest", text));
    }
    if pace.vacation_days > 366 {
        let text = format!("Vacation must be at most 366 days, not {}.", pace.vacation_days);
        return Err(Fault::field("pace.vacation_days", text));
    }
    Ok(())
}

fn check_phase(phase: &PhasePace, field: &str) -> Result<(), Fault> {
    let spans = [
        ("interval", &phase.interval, 1000),
        ("minimum", &phase.minimum, 0),
        ("grace", &phase.grace, 0),
        ("late_delay", &phase.late_delay, 0),
    ];
    for (name, duration, least) in spans {
        if let Some(found) = duration.as_ref().map(span)
            && !(least..=INTERVAL_MAX).contains(&found)
        {
            let (least, found) = (in_seconds(least), in_seconds(found));
            let text = format!("The time must be {least} to 3,650 days, not {found}.");
            return Err(Fault::field(format!("{field}.{name}"), text));
        }
    }
    if let Some(minute) = phase.at_minute.filter(|&minute| minute >= 24 * 60) {
        let text = format!("A time of day must be 0 to 1439 minutes after midnight, not {minute}.");
        return Err(Fault::field(format!("{field}.at_minute"), text));
    }
    if let Some(day) = phase.weekdays.iter().find(|day| !(1..=7).contains(*day)) {
        let text = format!("Weekdays must be 1 (Monday) to 7 (Sunday), not {day}.");
        return Err(Fault::field(format!("{field}.weekdays"), text));
    }
    Ok(())
}

fn deadline(phase: &PhasePace, offset_minutes: i32, opened: Millis) -> Option<Millis> {
    let earliest = opened + span(phase.interval.as_ref()?);
    let offset = Millis::from(offset_minutes) * 60_000;
    let mut local = earliest + offset;
    if let Some(minute) = phase.at_minute {
        let due = local.div_euclid(DAY) * DAY + Millis::from(minute) * 60_000;
        local = if due < local { due + DAY } else { due };
    }
    // 1970 began on a Thursday, day 4 of the week.
    let weekday = |local: Millis| (local.div_euclid(DAY) + 3).rem_euclid(7) as u32 + 1;
    while !phase.weekdays.is_empty() && !phase.weekdays.contains(&weekday(local)) {
        local += DAY;
    }
    Some(local - offset)
}

fn of_kind<'a>(pace: &'a Pace, kind: &str) -> Option<&'a PhasePace> {
    pace.by_kind.get(kind).or(pace.standard.as_ref())
}

fn interval_of(pace: &Pace, kind: &str) -> Option<Millis> {
    of_kind(pace, kind)?.interval.as_ref().map(span)
}

impl Table {
    pub(crate) fn phase_pace(&self, kind: &str) -> PhasePace {
        self.state.pace.as_ref().and_then(|pace| of_kind(pace, kind)).cloned().unwrap_or_default()
    }

    fn offset_minutes(&self) -> i32 {
        self.state.pace.as_ref().map_or(0, |pace| pace.utc_offset_minutes)
    }

    pub(crate) fn falls_due(&self, kind: &str, opened: Millis) -> Option<Millis> {
        deadline(&self.phase_pace(kind), self.offset_minutes(), opened)
    }

    pub(crate) fn change_deadline(
        &mut self,
        due: Option<Millis>,
        reason: DeadlineReason,
        effects: &mut Effects,
    ) {
        let deadline = due.map(stamp);
        if deadline == self.state.deadline {
            return;
        }
        self.state.deadline = deadline;
        let text = if due.is_some() { "The deadline is set" } else { "The deadline is removed" };
        let body = DeadlineChanged { due_time: deadline, reason: reason.into() };
        effects.everyone(
            format!("{text}: {}.", deadline_words(reason)),
            event::Body::DeadlineChanged(body),
        );
    }

    pub(crate) fn may_close_early(&self, now: Millis) -> bool {
        if self.status() != GameStatus::Running
            || !self.state.pace.as_ref().is_none_or(Pace::closes_early)
        {
            return false;
        }
        if at(self.state.not_before.as_ref()).is_some_and(|earliest| now < earliest) {
            return false;
        }
        self.all_ready() && !self.state.seats.iter().any(|seat| seat.wait && !seat.asked.is_empty())
    }

    /// Returns when the next timer is due in the game's own time, or `None` if no timer is running.
    pub(crate) fn next_due(&self) -> Option<Millis> {
        let running = self.status() == GameStatus::Running;
        // `all_ready` matters only while the minimum duration of a phase is running.
        let all_ready = |_: &Millis| running && self.all_ready();
        let dues = [
            at(self.state.revealing_until.as_ref()),
            at(self.running_deadline().as_ref()),
            self.votes_due(),
            self.absences_due().filter(|_| running),
            at(self.state.not_before.as_ref()).filter(all_ready),
        ];
        dues.into_iter().flatten().min()
    }

    fn all_ready(&self) -> bool {
        let pending = self.pending();
        !pending.is_empty()
            && pending.iter().all(|one| one.revisable && self.state.seats[one.seat.index()].ready)
    }

    pub(crate) fn tick(&mut self, effects: &mut Effects) {
        let now = effects.now;
        if at(self.state.revealing_until.as_ref()).is_some_and(|until| until <= now) {
            self.state.revealing_until = None;
            // The options were checked at creation, so only a bug can make the set-up fail.
            self.start(None, effects).expect("a created table can be set up");
        }
        self.close_expired_votes(effects);
        self.end_absences(effects);
        if at(self.running_deadline().as_ref()).is_some_and(|due| due <= now) {
            self.deadline_passed(effects);
        }
        let early = at(self.state.not_before.as_ref()).is_some_and(|earliest| earliest <= now);
        if early {
            self.state.not_before = None;
        }
    }

    fn deadline_passed(&mut self, effects: &mut Effects) {
        let missing = self.missing();
        let kind = self.pending().first().map_or("", |decision| decision.kind);
        let phase = self.phase_pace(kind);
        if let Some(grace) =
            phase.grace.as_ref().filter(|_| !self.state.in_grace && !missing.is_empty())
        {
            self.state.in_grace = true;
            return self.move_deadline(
                Some(effects.now + span(grace)),
                DeadlineReason::Grace,
                effects,
            );
        }
        if let Some(until) = self.vacation_until(&missing) {
            return self.move_deadline(Some(until), DeadlineReason::Vacation, effects);
        }
        let mut automated = false;
        for &seat in &missing {
            automated |= self.note_miss(seat, effects);
        }
        self.sleep_if_left(effects.now);
        // The game does not wait for automation that fails to answer, but uses default orders.
        let people = missing.iter().any(|&seat| self.automation_of(seat).is_none());
        let next = self.falls_due(kind, effects.now);
        let missed = self.state.pace.as_ref().map_or(MissedDeadline::Defaults, Pace::missed);
        match missed {
            _ if automated => self.move_deadline(next, DeadlineReason::Automated, effects),
            MissedDeadline::Extend if people && !self.state.extended => {
                self.state.extended = true;
                self.move_deadline(next, DeadlineReason::Extended, effects);
            }
            MissedDeadline::Hold if people => {
                self.move_deadline(None, DeadlineReason::Held, effects);
            }
            _ => self.close_phase(CloseCause::Deadline, CloseReason::Deadline, effects),
        }
    }

    fn missing(&self) -> Vec<Seat> {
        let mut seats: Vec<Seat> = self
            .pending()
            .iter()
            .filter(|decision| {
                let state = &self.state.seats[decision.seat.index()];
                !decision.revisable || (state.revision == 0 && !state.ready)
            })
            .map(|decision| decision.seat)
            .collect();
        seats.dedup();
        seats
    }

    fn note_miss(&mut self, seat: Seat, effects: &mut Effects) -> bool {
        let state = &self.state.seats[seat.index()];
        let Some(seat_state::Occupant::Player(person)) = &state.occupant else { return false };
        if state.stand_in.is_some() {
            return false;
        }
        let player = person.player_id.clone();
        self.note_missed(seat, &player, effects);
        let automate = self.automates(self.state.seats[seat.index()].missed);
        if automate {
            let profile = self.roles[seat.index()].profile.to_owned();
            let state = &mut self.state.seats[seat.index()];
            state.stand_in =
                Some(AutomatedSeat { profile, level: "standard".to_owned(), end_time: None });
            state.set_stand_in_reason(StandInReason::Missed);
        }
        self.publish_seat(seat, SeatChange::MissedDeadline, effects);
        automate
    }

    fn automates(&self, missed: u32) -> bool {
        let Some(pace) = &self.state.pace else { return false };
        let often = pace.automate_after_misses.is_some_and(|times| missed >= times);
        often || pace.missed() == MissedDeadline::Automate
    }

    pub(crate) fn set_deadline(
        &mut self,
        by: &str,
        due: Option<Millis>,
        effects: &mut Effects,
    ) -> Result<(), Fault> {
        let ahead = self.clock_error_at(effects.now);
        if ahead > 0 && !self.is_game_master(by) {
            self.require_leader(by, "repair the deadline")?;
            self.check_whole_phase(due, effects.now)?;
        } else {
            self.require_game_master(by, "set the deadline")?;
        }
        self.require_status(&[GameStatus::Running], "it has no deadline to set")?;
        if due.is_some_and(|due| due < effects.now || due > effects.now + INTERVAL_MAX) {
            let text = "A deadline must be in the future, at most 3,650 days away.";
            return Err(Fault::field("due_time", text));
        }
        let reason =
            if ahead > 0 { DeadlineReason::ClockCorrected } else { DeadlineReason::GameMaster };
        self.set_clock_back(ahead);
        self.move_deadline(due, reason, effects);
        Ok(())
    }

    /// Checks that a deadline set by a host leaves at least the whole interval of the phase,
    /// because the host may be playing.
    fn check_whole_phase(&self, due: Option<Millis>, now: Millis) -> Result<(), Fault> {
        let kind = self.pending().first().map_or("", |decision| decision.kind);
        let least = self.falls_due(kind, now);
        let enough = match (due, least) {
            (None, least) => least.is_none(),
            (Some(due), least) => least.is_none_or(|least| least <= due),
        };
        if enough {
            return Ok(());
        }
        Err(Fault::field(
            "due_time",
            "A host's deadline must be at least the full interval of the open phase from now.",
        ))
    }

    pub(crate) fn set_pace(
        &mut self,
        by: &str,
        pace: Option<&Pace>,
        effects: &mut Effects,
    ) -> Result<(), Fault> {
        self.require_leader(by, "set the pace")?;
        let over =
            [GameStatus::Forming, GameStatus::Revealing, GameStatus::Running, GameStatus::Paused];
        self.require_status(&over, "its pace has no effect")?;
        let pace = self.checked_pace(by, pace.cloned().unwrap_or_default())?;
        if matches!(self.status(), GameStatus::Forming | GameStatus::Revealing) {
            self.set_pace_now(pace, "The pace changes.", effects);
            return Ok(());
        }
        let (from, text) = if self.leads_without_playing(by) {
            (effects.now, "The pace changes with the next turn.")
        } else {
            (
                self.visible_to_all_at(effects.now),
                "The pace changes with the first turn after every player could see it.",
            )
        };
        self.state.next_pace = Some(pace.clone());
        self.state.next_pace_from = Some(stamp(from));
        let body = PaceChanged { pace: Some(pace), effective_time: Some(stamp(from)) };
        effects.everyone(text, event::Body::PaceChanged(body));
        Ok(())
    }

    /// Checks a pace that this leader sets. Returns it with the shortest interval set at creation,
    /// which nobody can change.
    fn checked_pace(&self, by: &str, mut pace: Pace) -> Result<Pace, Fault> {
        let kinds = self.kind.rules.phase_kinds();
        check(&pace, kinds)?;
        let first = self.created().pace.clone().unwrap_or_default();
        if pace.shortest.is_some() && pace.shortest != first.shortest {
            let text = "The shortest interval cannot change after the game is created.";
            return Err(Fault::field("pace.shortest", text));
        }
        pace.shortest = first.shortest;
        let shortest = |kind: &str| match &first.shortest {
            Some(shortest) => span(shortest),
            None => interval_of(&first, kind).unwrap_or(DAY),
        };
        let too_short = |kind: &&&str| {
            interval_of(&pace, kind).is_some_and(|interval| interval < shortest(kind))
        };
        if let Some(kind) = kinds.iter().find(too_short).filter(|_| !self.leads_without_playing(by))
        {
            let field = if pace.by_kind.contains_key(*kind) {
                format!("by_kind[{kind}]")
            } else {
                "standard".to_owned()
            };
            let seconds = shortest(kind) / 1000;
            let text = format!(
                "A host of this game cannot set an interval below {seconds} s for the phase \
                 {kind:?}."
            );
            return Err(Fault::field(format!("pace.{field}.interval"), text));
        }
        Ok(pace)
    }

    /// Returns the time at which every player could have seen a change, if they look only as often
    /// as the pace requires.
    fn visible_to_all_at(&self, now: Millis) -> Millis {
        let pace = self.state.pace.clone().unwrap_or_default();
        let intervals =
            self.kind.rules.phase_kinds().iter().filter_map(|kind| interval_of(&pace, kind));
        let seen = now + intervals.max().unwrap_or(DAY);
        at(self.state.deadline.as_ref()).map_or(seen, |due| seen.max(due))
    }

    /// Applies the announced pace at the start of a turn, once every player could have seen it.
    pub(crate) fn adopt_pace(&mut self, effects: &mut Effects) {
        if at(self.state.next_pace_from.as_ref()).is_none_or(|from| from > effects.now) {
            return;
        }
        self.state.next_pace_from = None;
        if let Some(pace) = self.state.next_pace.take() {
            self.set_pace_now(pace, "The new pace applies from this turn on.", effects);
        }
    }

    fn set_pace_now(&mut self, pace: Pace, text: &str, effects: &mut Effects) {
        self.state.pace = Some(pace.clone());
        effects.everyone(
            text,
            event::Body::PaceChanged(PaceChanged { pace: Some(pace), effective_time: None }),
        );
    }

    pub(crate) fn close_manually(&mut self, by: &str, effects: &mut Effects) -> Result<(), Fault> {
        self.require_game_master(by, "close a phase")?;
        self.require_status(&[GameStatus::Running], "it has no phase to close")?;
        self.close_phase(CloseCause::GameMaster, CloseReason::GameMaster, effects);
        Ok(())
    }

    pub(crate) fn pause(
        &mut self,
        paused: bool,
        by: By<'_>,
        effects: &mut Effects,
    ) -> Result<(), Fault> {
        if paused {
            self.require_status(&[GameStatus::Running], "it cannot be paused")?;
            self.state.paused_at = Some(stamp(effects.now));
            self.set_status(GameStatus::Paused, by, effects);
            return Ok(());
        }
        self.check_operator_pause("only the operator can resume it")?;
        self.require_status(&[GameStatus::Paused], "there is nothing to resume")?;
        self.set_status(GameStatus::Running, by, effects);
        let length = effects.now - self.state.paused_at.take().as_ref().map_or(effects.now, millis);
        if let Some(due) = at(self.state.deadline.as_ref()) {
            self.move_deadline(Some(due + length), DeadlineReason::PauseOver, effects);
        }
        Ok(())
    }

    pub(crate) fn set_pause(
        &mut self,
        by: &str,
        paused: bool,
        effects: &mut Effects,
    ) -> Result<(), Fault> {
        self.require_leader(by, "pause or resume")?;
        self.pause(paused, By::Account(by), effects)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use prost_types::Duration;

    const HOUR: Millis = 60 * 60 * 1000;

    fn pace(hours: i64, at_minute: Option<u32>, weekdays: &[u32]) -> PhasePace {
        let interval = Some(Duration { seconds: hours * 3600, nanos: 0 });
        PhasePace { interval, at_minute, weekdays: weekdays.to_vec(), ..PhasePace::default() }
    }

    /// Thursday 1970-01-01 10:00 UTC.
    const OPENED: Millis = 10 * HOUR;

    #[test]
    fn without_an_interval_there_is_no_deadline() {
        assert_eq!(deadline(&PhasePace::default(), 0, OPENED), None);
    }

    #[test]
    fn plain_intervals_end_after_their_length() {
        assert_eq!(deadline(&pace(24, None, &[]), 0, OPENED), Some(OPENED + 24 * HOUR));
    }

    #[test]
    fn clock_times_are_the_first_after_the_interval() {
        assert_eq!(deadline(&pace(1, Some(18 * 60), &[]), 0, OPENED), Some(18 * HOUR));
        assert_eq!(deadline(&pace(12, Some(18 * 60), &[]), 0, OPENED), Some(42 * HOUR));
        assert_eq!(deadline(&pace(1, Some(18 * 60), &[]), 120, OPENED), Some(16 * HOUR));
    }

    #[test]
    fn excluded_weekdays_are_skipped() {
        assert_eq!(deadline(&pace(24, None, &[1]), 0, OPENED), Some(OPENED + 96 * HOUR));
        assert_eq!(deadline(&pace(24, None, &[5]), 0, OPENED), Some(OPENED + 24 * HOUR));
    }

    #[test]
    fn clock_times_may_equal_the_end_of_the_interval() {
        let day = 3 * DAY;
        let at_18 = pace(8, Some(18 * 60), &[]);
        assert_eq!(deadline(&at_18, 0, day + OPENED), Some(day + 18 * HOUR));
        assert_eq!(deadline(&at_18, 0, day + OPENED + 1), Some(day + DAY + 18 * HOUR));
    }
}
