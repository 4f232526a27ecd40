//! The command-line options of a game's pace.

use std::collections::HashMap;

use clap::{Args, ValueEnum};
use heliopause_proto::v1::{MissedDeadline, Pace, PhasePace};
use jiff::SignedDuration;

use crate::failure::Failure;
use crate::input::{from_json, parse_duration, to_proto};
use crate::words::say;

/// The pace of a game.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Pace (default: no deadlines)")]
pub struct PaceArgs {
    /// Time from the opening of a phase to its deadline.
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub deadline: Option<SignedDuration>,
    /// The deadline of one kind of phase, for example --phase battle=1h; repeat for more.
    #[arg(long, value_name = "KIND=TIME", value_parser = phase)]
    pub phase: Vec<(String, SignedDuration)>,
    /// Time of day at which deadlines fall, for example 20:00.
    #[arg(long, value_name = "HH:MM", value_parser = clock)]
    pub at: Option<u32>,
    /// Minimum length of a phase, even if all seats are ready.
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub minimum: Option<SignedDuration>,
    /// Grace period: time after the deadline in which orders are still accepted.
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub grace: Option<SignedDuration>,
    /// Delay of the next deadline if orders arrive in the grace period.
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub late_delay: Option<SignedDuration>,
    /// Days on which deadlines can fall, for example mon,tue,wed,thu,fri.
    #[arg(long, value_name = "DAYS", value_delimiter = ',', value_enum)]
    pub weekdays: Vec<Weekday>,
    /// Wait for the deadline, even if all seats are ready.
    #[arg(long)]
    pub not_early: bool,
    /// What happens after a missed deadline.
    #[arg(long, value_enum)]
    pub missed: Option<Missed>,
    /// Number of missed deadlines in a row after which automation takes the seat.
    #[arg(long, value_name = "N")]
    pub automate_after: Option<u32>,
    /// Days of vacation for each player.
    #[arg(long, value_name = "N")]
    pub vacation_days: Option<u32>,
    /// The UTC offset for --at and --weekdays, for example +02:00.
    #[arg(long, value_name = "±HH:MM", allow_hyphen_values = true, value_parser = utc_offset)]
    pub utc_offset: Option<i32>,
    /// Shortest time that the host can later set for a phase; fixed when the game is created
    /// [default: the times at creation].
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub shortest: Option<SignedDuration>,
    /// The whole pace as JSON, as in the contract's Pace message.
    #[arg(long, value_name = "JSON", conflicts_with_all = ["deadline", "phase", "at"])]
    pub pace: Option<String>,
}

/// A day of the week.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Weekday {
    /// Monday.
    Mon = 1,
    /// Tuesday.
    Tue,
    /// Wednesday.
    Wed,
    /// Thursday.
    Thu,
    /// Friday.
    Fri,
    /// Saturday.
    Sat,
    /// Sunday.
    Sun,
}

/// What happens after a missed deadline.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Missed {
    /// The game's default orders apply.
    Defaults = MissedDeadline::Defaults as isize,
    /// The deadline is extended once.
    Extend = MissedDeadline::Extend as isize,
    /// The game waits.
    Hold = MissedDeadline::Hold as isize,
    /// Automation takes the seat until its player submits orders again.
    Automate = MissedDeadline::Automate as isize,
}

impl PaceArgs {
    /// Returns the pace as a message, or `None` if no option was given. Returns an error for
    /// invalid JSON, or for details of phases that have no deadline.
    pub fn pace(&self) -> Result<Option<Pace>, Failure> {
        if let Some(json) = &self.pace {
            let value: serde_json::Value = serde_json::from_str(json)
                .map_err(|error| Failure::usage(say!("pace-not-valid-json", error = error)))?;
            return from_json("--pace", &value).map(Some);
        }
        let pace = Pace {
            standard: self.deadline.map(|interval| self.phase_pace(interval)),
            by_kind: self.by_kind(),
            close_early: self.not_early.then_some(false),
            missed: self.missed.map_or(0, |missed| missed as i32),
            automate_after_misses: self.automate_after,
            vacation_days: self.vacation_days.unwrap_or_default(),
            utc_offset_minutes: self.utc_offset.unwrap_or_default(),
            shortest: self.shortest.map(to_proto),
        };
        if pace.standard.is_none() && pace.by_kind.is_empty() && self.details_phases() {
            return Err(Failure::usage(say!("pace-minimum-grace-late-delay-weekdays")));
        }
        Ok((pace != Pace::default()).then_some(pace))
    }

    fn details_phases(&self) -> bool {
        let lengths = [self.minimum, self.grace, self.late_delay];
        self.at.is_some() || !self.weekdays.is_empty() || lengths.iter().any(Option::is_some)
    }

    fn by_kind(&self) -> HashMap<String, PhasePace> {
        self.phase
            .iter()
            .map(|(kind, interval)| (kind.clone(), self.phase_pace(*interval)))
            .collect()
    }

    fn phase_pace(&self, interval: SignedDuration) -> PhasePace {
        PhasePace {
            interval: Some(to_proto(interval)),
            at_minute: self.at,
            minimum: self.minimum.map(to_proto),
            grace: self.grace.map(to_proto),
            late_delay: self.late_delay.map(to_proto),
            weekdays: self.weekdays.iter().map(|day| *day as u32).collect(),
        }
    }
}

fn phase(text: &str) -> Result<(String, SignedDuration), String> {
    let (kind, time) =
        text.split_once('=').ok_or_else(|| say!("pace-expected-kind-time-example"))?;
    Ok((kind.to_owned(), parse_duration(time)?))
}

/// Parses "20:00" to minutes after midnight.
fn clock(text: &str) -> Result<u32, String> {
    let wrong = || say!("pace-not-time-day-expected", text = text);
    let (hours, minutes) = text.split_once(':').ok_or_else(wrong)?;
    match (hours.parse(), minutes.parse()) {
        (Ok(hours @ 0..=23u32), Ok(minutes @ 0..=59u32)) => Ok(hours * 60 + minutes),
        _ => Err(wrong()),
    }
}

/// Parses "+02:00" to minutes east of UTC.
fn utc_offset(text: &str) -> Result<i32, String> {
    let wrong = || say!("pace-not-utc-offset-expected", text = text);
    let (sign, rest) = match text.split_at_checked(1) {
        Some(("+", rest)) => (1, rest),
        Some(("-", rest)) => (-1, rest),
        _ => return Err(wrong()),
    };
    let minutes = i32::try_from(clock(rest)?).map_err(|_| wrong())?;
    if minutes <= 840 { Ok(sign * minutes) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_said_means_no_pace() {
        assert!(matches!(PaceArgs::default().pace(), Ok(None)));
    }

    #[test]
    fn details_without_a_deadline_are_refused() {
        let args = PaceArgs { at: Some(60), ..PaceArgs::default() };
        assert!(args.pace().is_err());
    }

    #[test]
    fn kinds_of_phase_share_the_details() -> Result<(), Failure> {
        let hour = SignedDuration::from_hours(1);
        let args = PaceArgs {
            phase: vec![("battle".into(), hour)],
            weekdays: vec![Weekday::Sun],
            ..PaceArgs::default()
        };
        let pace = args.pace()?.unwrap_or_default();
        assert_eq!(pace.by_kind["battle"].weekdays, [7]);
        assert!(pace.standard.is_none());
        Ok(())
    }

    #[test]
    fn clocks_and_offsets() {
        assert_eq!(clock("20:30"), Ok(1_230));
        assert_eq!(utc_offset("-05:30"), Ok(-330));
        assert!(
            clock("24:00").is_err() && utc_offset("2").is_err() && utc_offset("+15:00").is_err()
        );
    }
}
