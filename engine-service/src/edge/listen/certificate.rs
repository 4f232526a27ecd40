//! Monitoring of the server certificate's expiry, with a metric and early warnings.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use x509_cert::Certificate;
use x509_cert::der::Decode as _;

const WARN: SignedDuration = SignedDuration::from_hours(30 * 24);
const EVERY: Duration = Duration::from_hours(24);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Validity {
    Valid,
    Expiring(i64),
    Expired,
}

pub(crate) fn end(pem: &[u8]) -> Option<Timestamp> {
    CertificateDer::pem_slice_iter(pem).flatten().filter_map(|one| end_of(&one)).min()
}

fn end_of(certificate: &CertificateDer<'_>) -> Option<Timestamp> {
    let certificate = Certificate::from_der(certificate).ok()?;
    let seconds = certificate.tbs_certificate.validity.not_after.to_unix_duration().as_secs();
    // A certificate without expiry has the date 9999-12-31 23:59:59, beyond the last `Timestamp`.
    Some(
        i64::try_from(seconds)
            .ok()
            .and_then(|seconds| Timestamp::from_second(seconds).ok())
            .unwrap_or(Timestamp::MAX),
    )
}

fn validity(end: Timestamp, now: Timestamp) -> Validity {
    let left = end.duration_since(now);
    if left <= SignedDuration::ZERO {
        Validity::Expired
    } else if left < WARN {
        Validity::Expiring(left.as_hours() / 24)
    } else {
        Validity::Valid
    }
}

pub(crate) fn none() {
    set_metric(f64::INFINITY);
}

fn set_metric(end: f64) {
    metrics::gauge!("heliopause_certificate_expires_timestamp_seconds").set(end);
}

#[expect(clippy::cast_precision_loss, reason = "seconds of this age are far below 2^52")]
fn moment(time: Timestamp) -> f64 {
    time.as_second() as f64
}

/// Warns once a day about an expired or soon expiring certificate. The server keeps serving,
/// because some clients may still accept the certificate.
pub(crate) async fn watch(end: Timestamp) {
    set_metric(moment(end));
    loop {
        match validity(end, Timestamp::now()) {
            Validity::Valid => {}
            Validity::Expiring(days) => tracing::warn!(
                %end,
                days,
                "the certificate of --tls-cert expires soon: replace it and restart"
            ),
            Validity::Expired => tracing::error!(
                %end,
                "the certificate of --tls-cert has expired: replace it and restart"
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
    fn earliest_expiry_of_a_chain_counts() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        assert_eq!(end(until(2031).as_bytes()), Some(at("2031-03-01T00:00:00Z")));
        assert_eq!(end((until(2031) + &until(2029)).as_bytes()), Some(at("2029-03-01T00:00:00Z")));
        assert_eq!(end(b"no certificate"), None);
    }

    /// Security T2: an expired certificate was served without a warning.
    #[test]
    fn expiry_is_reported_thirty_days_ahead() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let end = at("2031-03-31T00:00:00Z");
        for (now, expected) in [
            ("2031-03-01T00:00:00Z", Validity::Valid),
            ("2031-03-01T00:00:01Z", Validity::Expiring(29)),
            ("2031-03-30T23:00:00Z", Validity::Expiring(0)),
            ("2031-03-31T00:00:00Z", Validity::Expired),
            ("2035-01-01T00:00:00Z", Validity::Expired),
        ] {
            assert_eq!(validity(end, at(now)), expected, "{now}");
        }
    }
}
