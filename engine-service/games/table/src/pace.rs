//! Deadlines: when a phase falls due, and what happens then.

use heliopause_kernel::{Decision, Seat, Why};
use heliopause_proto::store::v1::{DecisionKey, RememberedDeadline, StandInReason, seat_state};
use heliopause_proto::v1::{
    AutomatedSeat, CloseReason, DeadlineChanged, GameStatus, MissedDeadline, Pace, PaceChanged, PhasePace, SeatChange,
    event,
};

use crate::telling::Telling;
use crate::time::{DAY, Millis, millis, span, stamp};
use crate::{Fault, Table, table};

/// No interval is longer: about ten years.
const INTERVAL_MAX: Millis = 3_650 * DAY;
/// How many deadlines of a seat's latest decisions are remembered.
const REMEMBERED: usize = 4;
/// What a missed turn costs in dedication.
const MISS_PENALTY: i32 = -3;

/// Checks a pace that somebody asks for.
pub(crate) fn check(pace: &Pace, kinds: &[&str]) -> Result<(), Fault> {
    if let Some(phase) = &pace.standard {
        check_phase(phase, "pace.standard")?;
    }
    for (kind, phase) in &pace.by_kind {
        if !kinds.contains(&kind.as_str()) {
            let known = kinds.join(", ");
            return Err(Fault::field("pace.by_kind", format!("No kind of phase {kind:?}; there are: {known}.")));
        }
        check_phase(phase, &format!("pace.by_kind[{kind}]"))?;
    }
    if MissedDeadline::try_from(pace.missed).is_err() {
        return Err(Fault::field("pace.missed", format!("There is no value {}.", pace.missed)));
    }
    if !(-840..=840).contains(&pace.utc_offset_minutes) {
        return Err(Fault::field("pace.utc_offset_minutes", "An offset lies between -840 and 840 minutes."));
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
        if duration.as_ref().is_some_and(|duration| !(least..=INTERVAL_MAX).contains(&span(duration))) {
            let text = "A time lies between 0 (an interval: 1 second) and 3,650 days.";
            return Err(Fault::field(format!("{field}.{name}"), text));
        }
    }
    if phase.at_minute.is_some_and(|minute| minute >= 24 * 60) {
        return Err(Fault::field(format!("{field}.at_minute"), "A clock time is 0 to 1439 minutes after midnight."));
    }
    if phase.weekdays.iter().any(|day| !(1..=7).contains(day)) {
        return Err(Fault::field(format!("{field}.weekdays"), "Weekdays are 1 (Monday) to 7 (Sunday)."));
    }
    Ok(())
}

/// When a phase that opens now falls due.
pub(crate) fn deadline(phase: &PhasePace, offset_minutes: i32, opened: Millis) -> Option<Millis> {
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

impl Table {
    fn phase_pace(&self, kind: &str) -> PhasePace {
        let pace = self.state.pace.clone().unwrap_or_default();
        pace.by_kind.get(kind).cloned().or(pace.standard).unwrap_or_default()
    }

    fn offset_minutes(&self) -> i32 {
        self.state.pace.as_ref().map_or(0, |pace| pace.utc_offset_minutes)
    }

    /// Sets the deadline when decisions opened or closed. A decision that opens again keeps the deadline it had.
    pub(crate) fn open_deadline(&mut self, pending: &[Decision], opened: &[Decision], telling: &mut Telling) {
        if self.status() != GameStatus::Running {
            return;
        }
        let late = if self.state.late_orders && !opened.is_empty() {
            opened
                .first()
                .and_then(|decision| self.phase_pace(decision.kind).late_delay)
                .map_or(0, |delay| span(&delay))
        } else {
            0
        };
        for decision in opened {
            let phase = self.phase_pace(decision.kind);
            let due = deadline(&phase, self.offset_minutes(), telling.now + late);
            self.remember_deadline(decision, due);
        }
        let due = pending.iter().filter_map(|decision| self.remembered_deadline(decision)).min();
        if let Some(first) = opened.first() {
            let minimum = self.phase_pace(first.kind).minimum.map(|minimum| stamp(telling.now + span(&minimum)));
            self.state.not_before = minimum;
            self.state.in_grace = false;
            self.state.late_orders = false;
            self.state.extended = false;
        }
        self.change_deadline(due, "a phase opened", telling);
    }

    fn remember_deadline(&mut self, decision: &Decision, due: Option<Millis>) {
        // What is asked does not count: one deadline serves all questions of a turn.
        let key = DecisionKey { kind: decision.kind.to_owned(), number: decision.number, prompt: String::new() };
        let remembered = &mut self.state.seats[decision.seat.index()].remembered;
        if remembered.iter().any(|one| one.decision.as_ref() == Some(&key)) {
            return;
        }
        if remembered.len() == REMEMBERED {
            remembered.remove(0);
        }
        remembered.push(RememberedDeadline { decision: Some(key), deadline: due.map(stamp) });
    }

    fn remembered_deadline(&self, decision: &Decision) -> Option<Millis> {
        let remembered = &self.state.seats[decision.seat.index()].remembered;
        let same = |one: &&RememberedDeadline| {
            one.decision.as_ref().is_some_and(|key| key.kind == decision.kind && key.number == decision.number)
        };
        table::at(remembered.iter().find(same)?.deadline.as_ref())
    }

    /// Moves the deadline of all decisions that are open.
    pub(crate) fn move_deadline(&mut self, due: Option<Millis>, reason: &str, telling: &mut Telling) {
        for seat in &mut self.state.seats {
            let asked = &seat.asked;
            for one in &mut seat.remembered {
                let open = |key: &DecisionKey| asked.iter().any(|one| one.kind == key.kind && one.number == key.number);
                if one.decision.as_ref().is_some_and(open) {
                    one.deadline = due.map(stamp);
                }
            }
        }
        self.change_deadline(due, reason, telling);
    }

    fn change_deadline(&mut self, due: Option<Millis>, reason: &str, telling: &mut Telling) {
        let deadline = due.map(stamp);
        if deadline == self.state.deadline {
            return;
        }
        self.state.deadline = deadline;
        let text = if due.is_some() { "The deadline is set" } else { "There is no deadline now" };
        let body = DeadlineChanged { deadline, reason: reason.to_owned() };
        telling.everyone(format!("{text}: {reason}."), event::Body::DeadlineChanged(body));
    }

    /// Whether all who owe revisable orders are ready, and nothing says to wait.
    pub(crate) fn may_close_early(&self, now: Millis) -> bool {
        if self.status() != GameStatus::Running || !self.state.pace.as_ref().is_none_or(Pace::early) {
            return false;
        }
        if table::at(self.state.not_before.as_ref()).is_some_and(|earliest| now < earliest) {
            return false;
        }
        let pending = self.pending();
        !pending.is_empty()
            && pending.iter().all(|decision| decision.revisable && self.state.seats[decision.seat.index()].ready)
            && !self.state.seats.iter().any(|seat| seat.wait && !seat.asked.is_empty())
    }

    /// When something falls due next, in the game's own time.
    pub(crate) fn next_due(&self) -> Option<Millis> {
        let running = self.status() == GameStatus::Running;
        let mut dues = vec![
            table::at(self.state.revealing_until.as_ref()),
            table::at(self.state.deadline.as_ref()).filter(|_| running),
            self.votes_due(),
            self.absences_due().filter(|_| running),
        ];
        if running && self.all_ready() {
            dues.push(table::at(self.state.not_before.as_ref()));
        }
        dues.into_iter().flatten().min()
    }

    fn all_ready(&self) -> bool {
        let pending = self.pending();
        !pending.is_empty() && pending.iter().all(|one| one.revisable && self.state.seats[one.seat.index()].ready)
    }

    /// Does whatever has fallen due.
    pub(crate) fn tick(&mut self, telling: &mut Telling) {
        let now = telling.now;
        if table::at(self.state.revealing_until.as_ref()).is_some_and(|until| until <= now) {
            self.state.revealing_until = None;
            // The options were checked when the table was laid, so a set-up can only fail through a fault of the game.
            self.start(None, telling).expect("a table that was laid can be set up");
        }
        self.lapse_votes(telling);
        self.end_absences(telling);
        let due = table::at(self.state.deadline.as_ref()).is_some_and(|due| due <= now);
        if due && self.status() == GameStatus::Running {
            self.deadline_passed(telling);
        }
        let early = table::at(self.state.not_before.as_ref()).is_some_and(|earliest| earliest <= now);
        if early {
            self.state.not_before = None;
        }
    }

    fn deadline_passed(&mut self, telling: &mut Telling) {
        let missing = self.missing();
        let kind = self.pending().first().map_or("", |decision| decision.kind);
        let phase = self.phase_pace(kind);
        if let Some(grace) = phase.grace.as_ref().filter(|_| !self.state.in_grace && !missing.is_empty()) {
            self.state.in_grace = true;
            return self.move_deadline(Some(telling.now + span(grace)), "grace for late orders", telling);
        }
        if let Some(until) = self.vacation_until(&missing) {
            return self.move_deadline(Some(until), "vacation", telling);
        }
        let mut automated = false;
        for &seat in &missing {
            automated |= self.note_miss(seat, telling);
        }
        // Automation that does not answer is not waited for: the defaults stand in for it.
        let people = missing.iter().any(|&seat| self.automation_of(seat).is_none());
        let next = deadline(&phase, self.offset_minutes(), telling.now);
        let missed = self.state.pace.as_ref().map_or(MissedDeadline::Defaults, Pace::missed);
        match missed {
            _ if automated => self.move_deadline(next, "automation takes the missing seats", telling),
            MissedDeadline::Extend if people && !self.state.extended => {
                self.state.extended = true;
                self.move_deadline(next, "extended for missing orders", telling);
            }
            MissedDeadline::Hold if people => {
                self.move_deadline(None, "waiting for missing orders", telling);
            }
            _ => self.close_phase(Why::Deadline, CloseReason::Deadline, telling),
        }
    }

    /// The seats whose orders are missing: nothing was ordered in a revisable decision, or a final one is open.
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
        let sandbox = self.is_sandbox();
        let pace = self.state.pace.clone().unwrap_or_default();
        let profile = self.roles[seat.index()].profile;
        let state = &mut self.state.seats[seat.index()];
        let Some(seat_state::Occupant::Player(person)) = &state.occupant else { return false };
        if state.stand_in.is_some() {
            return false;
        }
        let player = person.player_id.clone();
        state.missed += 1;
        state.last_penalty = if sandbox { 0 } else { MISS_PENALTY };
        let often = pace.automate_after_misses > 0 && state.missed >= pace.automate_after_misses;
        let automate = often || pace.missed() == MissedDeadline::Automate;
        if automate {
            let standard = "standard".to_owned();
            state.stand_in = Some(AutomatedSeat { profile: profile.to_owned(), level: standard, until: None });
            state.set_stand_in_reason(StandInReason::Missed);
        }
        if !sandbox {
            telling.ratings.push((player, MISS_PENALTY));
        }
        self.tell_seat(seat, SeatChange::MissedDeadline, telling);
        automate
    }

    pub(crate) fn set_deadline(&mut self, by: &str, due: Option<Millis>, telling: &mut Telling) -> Result<(), Fault> {
        self.require_game_master(by, "set the deadline")?;
        self.require_status(&[GameStatus::Running], "it has no deadline to set")?;
        if due.is_some_and(|due| due < telling.now || due > telling.now + INTERVAL_MAX) {
            return Err(Fault::field("deadline", "A deadline lies in the future, at most 3,650 days away."));
        }
        self.move_deadline(due, "set by the game master", telling);
        Ok(())
    }

    pub(crate) fn set_pace(&mut self, by: &str, pace: Option<&Pace>, telling: &mut Telling) -> Result<(), Fault> {
        self.require_leader(by, "set the pace")?;
        let over = [GameStatus::Forming, GameStatus::Revealing, GameStatus::Running, GameStatus::Paused];
        self.require_status(&over, "its pace does not matter any more")?;
        let pace = pace.cloned().unwrap_or_default();
        check(&pace, self.kind.rules.phase_kinds())?;
        self.state.pace = Some(pace.clone());
        let body = event::Body::PaceChanged(PaceChanged { pace: Some(pace) });
        telling.everyone("The pace changes from the next phase on.", body);
        Ok(())
    }

    pub(crate) fn close_by_hand(&mut self, by: &str, telling: &mut Telling) -> Result<(), Fault> {
        if !self.is_sandbox_owner(by) {
            self.require_game_master(by, "close a phase")?;
        }
        self.require_status(&[GameStatus::Running], "it has no phase to close")?;
        self.close_phase(Why::GameMaster, CloseReason::GameMaster, telling);
        Ok(())
    }

    /// Pauses or resumes; a resumed game's deadline is put off by the length of the pause.
    pub(crate) fn pause(&mut self, paused: bool, by: &str, telling: &mut Telling) -> Result<(), Fault> {
        if paused {
            self.require_status(&[GameStatus::Running], "it cannot be paused")?;
            self.state.paused_at = Some(stamp(telling.now));
            self.set_status(GameStatus::Paused, by, telling);
            return Ok(());
        }
        self.require_status(&[GameStatus::Paused], "it is not paused")?;
        self.set_status(GameStatus::Running, by, telling);
        let length = telling.now - self.state.paused_at.take().as_ref().map_or(telling.now, millis);
        if let Some(due) = table::at(self.state.deadline.as_ref()) {
            self.move_deadline(Some(due + length), "the pause is over", telling);
        }
        Ok(())
    }

    pub(crate) fn set_pause(&mut self, by: &str, paused: bool, telling: &mut Telling) -> Result<(), Fault> {
        self.require_leader(by, "pause or resume")?;
        self.pause(paused, by, telling)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pbjson_types::Duration;

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
}
