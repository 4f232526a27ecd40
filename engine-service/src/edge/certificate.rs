//! The certificate that the server shows: how long it is valid, and saying so while there is time.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use x509_cert::Certificate;
use x509_cert::der::Decode as _;

/// How long before its end it is spoken of.
const WARN: SignedDuration = SignedDuration::from_hours(30 * 24);
/// How often.
const EVERY: Duration = Duration::from_hours(24);

/// How things stand with a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Valid,
    /// It ends in so many days.
    Ending(i64),
    Expired,
}

/// When the first of the certificates in a PEM file ends, of those that can be read.
pub(super) fn end(pem: &[u8]) -> Option<Timestamp> {
    CertificateDer::pem_slice_iter(pem).flatten().filter_map(|one| end_of(&one)).min()
}

fn end_of(certificate: &CertificateDer<'_>) -> Option<Timestamp> {
    let certificate = Certificate::from_der(certificate).ok()?;
    let seconds = certificate.tbs_certificate.validity.not_after.to_unix_duration().as_secs();
    // Those that never end say 9999-12-31 23:59:59, the last moment that there is.
    Some(
        i64::try_from(seconds)
            .ok()
            .and_then(|seconds| Timestamp::from_second(seconds).ok())
            .unwrap_or(Timestamp::MAX),
    )
}

fn standing(end: Timestamp, now: Timestamp) -> Standing {
    let left = end.duration_since(now);
    if left <= SignedDuration::ZERO {
        Standing::Expired
    } else if left < WARN {
        Standing::Ending(left.as_hours() / 24)
    } else {
        Standing::Valid
    }
}

/// Tells the metrics that there is no certificate which could end.
pub(super) fn none() {
    tell(f64::INFINITY);
}

fn tell(end: f64) {
    metrics::gauge!("heliopause_certificate_expires_timestamp_seconds").set(end);
}

#[expect(clippy::cast_precision_loss, reason = "seconds of this age are far below 2^52")]
fn moment(time: Timestamp) -> f64 {
    time.as_second() as f64
}

/// Tells the metrics when the certificate ends, and says once a day when that is soon, or over. The
/// server serves on: whoever trusts it all the same is not shut out.
pub(super) async fn watch(end: Timestamp) {
    tell(moment(end));
    loop {
        match standing(end, Timestamp::now()) {
            Standing::Valid => {}
            Standing::Ending(days) => tracing::warn!(
                %end,
                days,
                "the certificate of --tls-cert ends soon: put a new one in its place, and start \
                 anew"
            ),
            Standing::Expired => tracing::error!(
                %end,
                "the certificate of --tls-cert has expired, and clients refuse it: put a new one \
                 in its place, and start anew"
            ),
        }
        tokio::time::sleep(EVERY).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rcgen::{CertificateParams, KeyPair, date_time_ymd};

    fn until(year: i32) -> String {
        let mut params = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
        (params.not_before, params.not_after) =
            (date_time_ymd(2020, 1, 1), date_time_ymd(year, 3, 1));
        params.self_signed(&KeyPair::generate().unwrap()).unwrap().pem()
    }

    #[test]
    fn the_first_end_of_a_chain_counts() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        assert_eq!(end(until(2031).as_bytes()), Some(at("2031-03-01T00:00:00Z")));
        assert_eq!(end((until(2031) + &until(2029)).as_bytes()), Some(at("2029-03-01T00:00:00Z")));
        assert_eq!(end(b"no certificate"), None);
    }

    /// Security T2: an expired certificate was served without a word.
    #[test]
    fn it_is_spoken_of_thirty_days_before_its_end() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let end = at("2031-03-31T00:00:00Z");
        for (now, expected) in [
            ("2031-03-01T00:00:00Z", Standing::Valid),
            ("2031-03-01T00:00:01Z", Standing::Ending(29)),
            ("2031-03-30T23:00:00Z", Standing::Ending(0)),
            ("2031-03-31T00:00:00Z", Standing::Expired),
            ("2035-01-01T00:00:00Z", Standing::Expired),
        ] {
            assert_eq!(standing(end, at(now)), expected, "{now}");
        }
    }
}
