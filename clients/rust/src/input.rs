//! Parses user input: durations, times, seeds, JSON, files.

use heliopause_proto::json;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use prost::{Message, Name};

use crate::failure::{Failure, about};

/// Parses a duration such as "26h", "1d12h" or "90s".
pub fn parse_duration(text: &str) -> Result<SignedDuration, String> {
    let wrong = || format!("`{text}` is not a duration; examples: 90s, 30m, 26h, 2d, 1d12h");
    let mut seconds: i64 = 0;
    let mut rest = text.trim();
    if rest.is_empty() {
        return Err(wrong());
    }
    while !rest.is_empty() {
        let digits = rest.find(|char: char| !char.is_ascii_digit()).ok_or_else(wrong)?;
        let number: i64 = rest[..digits].parse().map_err(|_| wrong())?;
        let unit = match rest[digits..].chars().next() {
            Some('s') => 1,
            Some('m') => 60,
            Some('h') => 3_600,
            Some('d') => 86_400,
            Some('w') => 604_800,
            _ => return Err(wrong()),
        };
        seconds = number
            .checked_mul(unit)
            .and_then(|part| seconds.checked_add(part))
            .ok_or_else(wrong)?;
        rest = &rest[digits + 1..];
    }
    Ok(SignedDuration::from_secs(seconds))
}

/// Parses a time: a duration from now ("12h"), a date in UTC, or a time with an offset (RFC 3339).
pub fn parse_moment(text: &str) -> Result<prost_types::Timestamp, String> {
    let moment = match parse_duration(text) {
        Ok(length) => Timestamp::now()
            .checked_add(length)
            .map_err(|_| format!("`{text}` is too far in the future"))?,
        Err(_) => parse_date(text).ok_or_else(|| {
            format!(
                "`{text}` is not a time; expected a time from now (12h, 2d), a date such as \
                 2030-01-31 (UTC) or a time such as 2030-01-31T20:00Z"
            )
        })?,
    };
    Ok(prost_types::Timestamp { seconds: moment.as_second(), nanos: moment.subsec_nanosecond() })
}

/// Parses a date in UTC, or a time such as "2026-11-30T18:00Z". A date with a time, but without a
/// time zone, is ambiguous.
pub fn parse_date(text: &str) -> Option<Timestamp> {
    let date = || text.parse::<Date>().ok()?.to_zoned(TimeZone::UTC).ok();
    match text.parse::<Timestamp>() {
        Ok(time) => Some(time),
        Err(_) if text.len() > "2026-11-30".len() => None,
        Err(_) => date().map(|date| date.timestamp()),
    }
}

/// Converts a duration to the contract's type.
pub fn to_proto(length: SignedDuration) -> prost_types::Duration {
    prost_types::Duration { seconds: length.as_secs(), nanos: length.subsec_nanos() }
}

/// Parses JSON into a message of the contract. Errors state the position.
pub fn from_json<M: Message + Name + Default>(
    what: &str,
    value: &serde_json::Value,
) -> Result<M, Failure> {
    json::from_value(value).map_err(|fault| Failure::usage(format!("{what}: {fault}.")))
}

/// Parses a seed from hexadecimal digits.
pub fn seed(text: &str) -> Result<bytes::Bytes, Failure> {
    let byte = |index: usize| {
        text.get(index..index + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok())
    };
    let bytes: Option<Vec<u8>> = (0..text.len()).step_by(2).map(byte).collect();
    bytes.filter(|bytes| bytes.len() == 32).map(bytes::Bytes::from).ok_or_else(|| {
        Failure::usage(format!("`{text}` is not a seed; expected 64 hexadecimal digits."))
    })
}

/// Reads a file, or standard input for "-".
pub fn read_file(path: &std::path::Path) -> Result<String, Failure> {
    if path.as_os_str() == "-" {
        return Ok(std::io::read_to_string(std::io::stdin())?);
    }
    std::fs::read_to_string(path).map_err(|error| about(path, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_durations_dates_or_times() {
        let seconds = |text| parse_moment(text).map(|time| time.seconds);
        assert_eq!(seconds("2027-01-31"), Ok(1_801_353_600));
        assert_eq!(seconds("1970-01-02T01:00Z"), Ok(90_000));
        assert!(seconds("2d").is_ok() && seconds("2027-01-31T20:00").is_err());
    }

    #[test]
    fn durations_are_read_in_all_units() {
        assert_eq!(parse_duration("1d12h").map(|d| d.as_secs()), Ok(129_600));
        assert_eq!(parse_duration("90s").map(|d| d.as_secs()), Ok(90));
        for wrong in ["", "5", "h", "5y", "1.5h", "99999999999999w"] {
            assert!(parse_duration(wrong).is_err(), "{wrong}");
        }
    }
}
