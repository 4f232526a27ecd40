//! Deadlines: when a phase falls due, and the consequences.

use heliopause_kernel::{Seat, Why};
use heliopause_proto::store::v1::{StandInReason, seat_state};
use heliopause_proto::v1::{
    AutomatedSeat, CloseReason, DeadlineChanged, DeadlineReason, GameStatus, MissedDeadline, Pace,
    PaceChanged, PhasePace, SeatChange, event,
};

use crate::rehearsal::{Planted, on};
use crate::status::{By, deadline_words};
use crate::telling::Telling;
use crate::time::{DAY, Millis, millis, span, stamp};
use crate::{Fault, Table, table};

/// No interval is longer: about ten years.
const INTERVAL_MAX: Millis = 3_650 * DAY;

/// Checks a pace that somebody asks for.
pub(crate) fn check(pace: &Pace, kinds: &[&str]) -> Result<(), Fault> {
    if let Some(phase) = &pace.standard {
        check_phase(phase, "pace.standard")?;
    }
    for (kind, phase) in &pace.by_kind {
        if !kinds.contains(&kind.as_str()) {
            let known = kinds.join(", ");
            return Err(Fault::field(
                "pace.by_kind",
                format!("No kind of phase {kind:?}; there are: {known}."),
            ));
        }
        check_phase(phase, &format!("pace.by_kind[{kind}]"))?;
    }
    if MissedDeadline::try_from(pace.missed).is_err() {
        return Err(Fault::field("pace.missed", format!("There is no value {}.", pace.missed)));
    }
    if pace.automate_after_misses == Some(0) {
        return Err(Fault::field(
            "pace.automate_after_misses",
            "At least 1; leave it out for never.",
        ));
    }
    if !(-840..=840).contains(&pace.utc_offset_minutes) {
        return Err(Fault::field(
            "pace.utc_offset_minutes",
            "An offset lies between -840 and 840 minutes.",
        ));
    }
    if pace
        .shortest
        .as_ref()
        .is_some_and(|shortest| !(1000..=INTERVAL_MAX).contains(&span(shortest)))
    {
        return Err(Fault::field(
            "pace.shortest",
            "The shortest interval lies between 1 second and 3,650 days.",
        ));
    }
    if pace.vacation_days > 366 {
        return Err(Fault::field("pace.vacation_days", "At most 366 days of vacation."));
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
        if duration
            .as_ref()
            .is_some_and(|duration| !(least..=INTERVAL_MAX).contains(&span(duration)))
        {
            let text = "A time lies between 0 (an interval: 1 second) and 3,650 days.";
            return Err(Fault::field(format!("{field}.{name}"), text));
        }
    }
    if phase.at_minute.is_some_and(|minute| minute >= 24 * 60) {
        return Err(Fault::field(
            format!("{field}.at_minute"),
            "A clock time is 0 to 1439 minutes after midnight.",
        ));
    }
    if phase.weekdays.iter().any(|day| !(1..=7).contains(day)) {
        return Err(Fault::field(
            format!("{field}.weekdays"),
            "Weekdays are 1 (Monday) to 7 (Sunday).",
        ));
    }
    Ok(())
}

/// When a phase that opens now falls due.
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

/// The rule of a pace for one kind of phase.
fn of_kind<'a>(pace: &'a Pace, kind: &str) -> Option<&'a PhasePace> {
    pace.by_kind.get(kind).or(pace.standard.as_ref())
}

/// The interval of a pace for one kind of phase.
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

    /// When a phase of this kind that opens now falls due.
    pub(crate) fn falls_due(&self, kind: &str, opened: Millis) -> Option<Millis> {
        deadline(&self.phase_pace(kind), self.offset_minutes(), opened)
    }

    pub(crate) fn change_deadline(
        &mut self,
        due: Option<Millis>,
        reason: DeadlineReason,
        telling: &mut Telling,
    ) {
        let deadline = due.map(stamp);
        if deadline == self.state.deadline {
            return;
        }
        self.state.deadline = deadline;
        let text = if due.is_some() { "The deadline is set" } else { "There is no deadline now" };
        let body = DeadlineChanged { due_time: deadline, reason: reason.into() };
        telling.everyone(
            format!("{text}: {}.", deadline_words(reason)),
            event::Body::DeadlineChanged(body),
        );
    }

    /// Whether all who owe revisable orders are ready, and nothing says to wait.
    pub(crate) fn may_close_early(&self, now: Millis) -> bool {
        if self.status() != GameStatus::Running
            || !self.state.pace.as_ref().is_none_or(Pace::closes_early)
        {
            return false;
        }
        if table::at(self.state.not_before.as_ref()).is_some_and(|earliest| now < earliest) {
            return false;
        }
        let pending = self.pending();
        !pending.is_empty()
            && pending
                .iter()
                .all(|decision| decision.revisable && self.state.seats[decision.seat.index()].ready)
            && !self.state.seats.iter().any(|seat| seat.wait && !seat.asked.is_empty())
    }

    /// When something falls due next, in the game's own time.
    pub(crate) fn next_due(&self) -> Option<Millis> {
        let running = self.status() == GameStatus::Running;
        // Only what waits for it asks whether everybody is ready.
        let all_ready = |_: &Millis| running && self.all_ready();
        let dues = [
            table::at(self.state.revealing_until.as_ref()),
            table::at(self.running_deadline().as_ref()),
            self.votes_due(),
            self.absences_due().filter(|_| running),
            table::at(self.state.not_before.as_ref()).filter(all_ready),
        ];
        dues.into_iter().flatten().min()
    }

    fn all_ready(&self) -> bool {
        let pending = self.pending();
        !pending.is_empty()
            && pending.iter().all(|one| one.revisable && self.state.seats[one.seat.index()].ready)
    }

    /// Does everything that has fallen due.
    pub(crate) fn tick(&mut self, telling: &mut Telling) {
        let now = telling.now;
        if table::at(self.state.revealing_until.as_ref()).is_some_and(|until| until <= now) {
            self.state.revealing_until = None;
            // The options were checked when the table was laid, so a set-up can only fail through a
            // fault of the game.
            self.start(None, telling).expect("a table that was laid can be set up");
        }
        self.lapse_votes(telling);
        self.end_absences(telling);
        if table::at(self.running_deadline().as_ref()).is_some_and(|due| due <= now) {
            self.deadline_passed(telling);
        }
        let early =
            table::at(self.state.not_before.as_ref()).is_some_and(|earliest| earliest <= now);
        if early {
            self.state.not_before = None;
        }
    }

    fn deadline_passed(&mut self, telling: &mut Telling) {
        let missing = self.missing();
        let kind = self.pending().first().map_or("", |decision| decision.kind);
        let phase = self.phase_pace(kind);
        if let Some(grace) =
            phase.grace.as_ref().filter(|_| !self.state.in_grace && !missing.is_empty())
        {
            self.state.in_grace = true;
            return self.move_deadline(
                Some(telling.now + span(grace)),
                DeadlineReason::Grace,
                telling,
            );
        }
        if let Some(until) = self.vacation_until(&missing) {
            return self.move_deadline(Some(until), DeadlineReason::Vacation, telling);
        }
        let mut automated = false;
        for &seat in &missing {
            automated |= self.note_miss(seat, telling);
        }
        // Automation that does not answer is not waited for: the defaults stand in for it.
        let people = missing.iter().any(|&seat| self.automation_of(seat).is_none());
        let next = self.falls_due(kind, telling.now);
        let missed = self.state.pace.as_ref().map_or(MissedDeadline::Defaults, Pace::missed);
        match missed {
            _ if automated => self.move_deadline(next, DeadlineReason::Automated, telling),
            MissedDeadline::Extend if people && !self.state.extended => {
                self.state.extended = true;
                self.move_deadline(next, DeadlineReason::Extended, telling);
            }
            MissedDeadline::Hold if people => {
                self.move_deadline(None, DeadlineReason::Held, telling);
            }
            _ => self.close_phase(Why::Deadline, CloseReason::Deadline, telling),
        }
    }

    /// The seats whose orders are missing: a revisable decision has no orders, or a final one is
    /// open.
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

    /// Notes that a seat missed a deadline; says whether automation takes it for that.
    fn note_miss(&mut self, seat: Seat, telling: &mut Telling) -> bool {
        let state = &self.state.seats[seat.index()];
        let Some(seat_state::Occupant::Player(person)) = &state.occupant else { return false };
        if state.stand_in.is_some() {
            return false;
        }
        let player = person.player_id.clone();
        self.note_missed(seat, &player, telling);
        let automate = self.automates(self.state.seats[seat.index()].missed);
        if automate {
            let profile = self.roles[seat.index()].profile.to_owned();
            let state = &mut self.state.seats[seat.index()];
            state.stand_in =
                Some(AutomatedSeat { profile, level: "standard".to_owned(), end_time: None });
            state.set_stand_in_reason(StandInReason::Missed);
        }
        self.tell_seat(seat, SeatChange::MissedDeadline, telling);
        automate
    }

    /// Whether automation takes a seat after so many missed deadlines in a row.
    fn automates(&self, missed: u32) -> bool {
        let Some(pace) = &self.state.pace else { return false };
        let often = pace.automate_after_misses.is_some_and(|times| missed >= times);
        often || pace.missed() == MissedDeadline::Automate
    }

    pub(crate) fn set_deadline(
        &mut self,
        by: &str,
        due: Option<Millis>,
        telling: &mut Telling,
    ) -> Result<(), Fault> {
        let ahead = self.clock_was_ahead(telling.now);
        if ahead > 0 && !self.is_game_master(by) {
            self.require_leader(by, "mend the deadline")?;
            self.check_whole_phase(due, telling.now)?;
        } else {
            self.require_game_master(by, "set the deadline")?;
        }
        self.require_status(&[GameStatus::Running], "it has no deadline to set")?;
        if due.is_some_and(|due| due < telling.now || due > telling.now + INTERVAL_MAX) {
            return Err(Fault::field(
                "due_time",
                "A deadline lies in the future, at most 3,650 days away.",
            ));
        }
        let reason =
            if ahead > 0 { DeadlineReason::ClockMended } else { DeadlineReason::GameMaster };
        self.set_clock_back(ahead);
        self.move_deadline(due, reason, telling);
        Ok(())
    }

    /// A host, who may play, mends a deadline so that it leaves the open phase its whole time from
    /// now on.
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
            "A host leaves the phase that is open its whole time from now on, or more.",
        ))
    }

    pub(crate) fn set_pace(
        &mut self,
        by: &str,
        pace: Option<&Pace>,
        telling: &mut Telling,
    ) -> Result<(), Fault> {
        self.require_leader(by, "set the pace")?;
        let over =
            [GameStatus::Forming, GameStatus::Revealing, GameStatus::Running, GameStatus::Paused];
        self.require_status(&over, "its pace does not matter any more")?;
        let pace = self.checked_pace(by, pace.cloned().unwrap_or_default())?;
        if matches!(self.status(), GameStatus::Forming | GameStatus::Revealing) {
            self.set_pace_now(pace, "The pace changes.", telling);
            return Ok(());
        }
        let (from, text) = if self.leads_alone(by) {
            (telling.now, "The pace changes with the next turn.")
        } else {
            (
                self.all_can_see(telling.now),
                "The pace changes with the first turn that begins after all could see it.",
            )
        };
        self.state.next_pace = Some(pace.clone());
        self.state.next_pace_from = Some(stamp(from));
        let body = PaceChanged { pace: Some(pace), effective_time: Some(stamp(from)) };
        telling.everyone(text, event::Body::PaceChanged(body));
        Ok(())
    }

    /// A pace that this leader may set, with what was fixed when the game was created.
    fn checked_pace(&self, by: &str, mut pace: Pace) -> Result<Pace, Fault> {
        let kinds = self.kind.rules.phase_kinds();
        check(&pace, kinds)?;
        let first = self.created().pace.clone().unwrap_or_default();
        if pace.shortest.is_some() && pace.shortest != first.shortest {
            return Err(Fault::field(
                "pace.shortest",
                "The shortest interval is fixed when a game is created.",
            ));
        }
        pace.shortest = first.shortest;
        let shortest = |kind: &str| match &first.shortest {
            Some(shortest) => span(shortest),
            None => interval_of(&first, kind).unwrap_or(DAY),
        };
        let too_short = |kind: &&&str| {
            interval_of(&pace, kind).is_some_and(|interval| interval < shortest(kind))
        };
        if let Some(kind) = kinds.iter().find(too_short).filter(|_| !self.leads_alone(by)) {
            let field = if pace.by_kind.contains_key(*kind) {
                format!("by_kind[{kind}]")
            } else {
                "standard".to_owned()
            };
            let seconds = shortest(kind) / 1000;
            let text = format!(
                "In this game a host sets no interval below {seconds} seconds for the phase \
                 {kind:?}."
            );
            return Err(Fault::field(format!("pace.{field}.interval"), text));
        }
        Ok(pace)
    }

    /// When everybody has had the time to see a change announced now: nobody need look more often
    /// than the pace demands.
    fn all_can_see(&self, now: Millis) -> Millis {
        let pace = self.state.pace.clone().unwrap_or_default();
        let intervals =
            self.kind.rules.phase_kinds().iter().filter_map(|kind| interval_of(&pace, kind));
        let seen = now + intervals.max().unwrap_or(DAY);
        table::at(self.state.deadline.as_ref()).map_or(seen, |due| seen.max(due))
    }

    /// A turn begins: the pace that was announced holds from here on, if everybody could see it.
    pub(crate) fn adopt_pace(&mut self, telling: &mut Telling) {
        if table::at(self.state.next_pace_from.as_ref()).is_none_or(|from| from > telling.now) {
            return;
        }
        self.state.next_pace_from = None;
        if let Some(pace) = self.state.next_pace.take() {
            self.set_pace_now(pace, "The new pace holds from this turn on.", telling);
        }
    }

    fn set_pace_now(&mut self, pace: Pace, text: &str, telling: &mut Telling) {
        self.state.pace = Some(pace.clone());
        telling.everyone(
            text,
            event::Body::PaceChanged(PaceChanged { pace: Some(pace), effective_time: None }),
        );
    }

    pub(crate) fn close_by_hand(&mut self, by: &str, telling: &mut Telling) -> Result<(), Fault> {
        self.require_game_master(by, "close a phase")?;
        self.require_status(&[GameStatus::Running], "it has no phase to close")?;
        self.close_phase(Why::GameMaster, CloseReason::GameMaster, telling);
        Ok(())
    }

    /// Pauses or resumes; a resumed game's deadline is put off by the length of the pause.
    pub(crate) fn pause(
        &mut self,
        paused: bool,
        by: By<'_>,
        telling: &mut Telling,
    ) -> Result<(), Fault> {
        if paused {
            self.require_status(&[GameStatus::Running], "it cannot be paused")?;
            self.state.paused_at = Some(stamp(telling.now));
            self.set_status(GameStatus::Paused, by, telling);
            return Ok(());
        }
        self.check_operator_pause("only the operator lets it go on")?;
        self.require_status(&[GameStatus::Paused], "it is not paused")?;
        self.set_status(GameStatus::Running, by, telling);
        let length = telling.now - self.state.paused_at.take().as_ref().map_or(telling.now, millis);
        if let Some(due) = table::at(self.state.deadline.as_ref())
            && !on(Planted::PauseNotAdded)
        {
            self.move_deadline(Some(due + length), DeadlineReason::PauseOver, telling);
        }
        Ok(())
    }

    pub(crate) fn set_pause(
        &mut self,
        by: &str,
        paused: bool,
        telling: &mut Telling,
    ) -> Result<(), Fault> {
        self.require_leader(by, "pause or resume")?;
        self.pause(paused, By::Account(by), telling)
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
    fn a_plain_interval_ends_when_it_has_passed() {
        assert_eq!(deadline(&pace(24, None, &[]), 0, OPENED), Some(OPENED + 24 * HOUR));
    }

    #[test]
    fn a_clock_time_is_the_first_that_the_interval_allows() {
        assert_eq!(deadline(&pace(1, Some(18 * 60), &[]), 0, OPENED), Some(18 * HOUR));
        assert_eq!(deadline(&pace(12, Some(18 * 60), &[]), 0, OPENED), Some(42 * HOUR));
        // 18:00 two hours east of UTC is 16:00 UTC.
        assert_eq!(deadline(&pace(1, Some(18 * 60), &[]), 120, OPENED), Some(16 * HOUR));
    }

    #[test]
    fn days_that_are_not_allowed_are_passed_over() {
        // Friday is not allowed, Saturday neither: Monday.
        assert_eq!(deadline(&pace(24, None, &[1]), 0, OPENED), Some(OPENED + 96 * HOUR));
        assert_eq!(deadline(&pace(24, None, &[5]), 0, OPENED), Some(OPENED + 24 * HOUR));
    }

    #[test]
    fn a_clock_time_is_that_of_its_day_and_not_a_day_later() {
        let day = 3 * DAY;
        let at_18 = pace(8, Some(18 * 60), &[]);
        assert_eq!(deadline(&at_18, 0, day + OPENED), Some(day + 18 * HOUR));
        assert_eq!(deadline(&at_18, 0, day + OPENED + 1), Some(day + DAY + 18 * HOUR));
    }
}
