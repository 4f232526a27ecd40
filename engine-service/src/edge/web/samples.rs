//! Parsing of the Prometheus text format, the recorder's only output without a protobuf compiler.

use std::collections::HashMap;

use heliopause_proto::v1::{Metric, MetricBucket, MetricKind, MetricSample};

const BOUND: &str = "le";

pub(crate) fn read(text: &str, wanted: impl Fn(&str) -> bool) -> Vec<Metric> {
    let mut metrics: Vec<Metric> = Vec::new();
    let mut help = HashMap::new();
    for line in text.lines() {
        if let Some(told) = line.strip_prefix("# HELP ") {
            let (name, words) = told.split_once(' ').unwrap_or((told, ""));
            help.insert(name, unescaped(words));
        } else if let Some(told) = line.strip_prefix("# TYPE ") {
            let Some((name, kind)) = told.split_once(' ') else { continue };
            metrics.push(Metric {
                name: name.to_owned(),
                help: help.remove(name).unwrap_or_default(),
                kind: kind_of(kind).into(),
                samples: Vec::new(),
            });
        } else if let (Some(metric), Some(line)) = (metrics.last_mut(), Line::of(line)) {
            add(metric, line);
        }
    }
    metrics.retain(|metric| metric.kind() != MetricKind::Unspecified && wanted(&metric.name));
    metrics.sort_by(|one, other| one.name.cmp(&other.name));
    metrics
}

fn kind_of(word: &str) -> MetricKind {
    match word {
        "counter" => MetricKind::Counter,
        "gauge" => MetricKind::Gauge,
        "histogram" => MetricKind::Histogram,
        _ => MetricKind::Unspecified,
    }
}

struct Line<'a> {
    name: &'a str,
    labels: HashMap<String, String>,
    value: f64,
}

impl<'a> Line<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let end = line.find(['{', ' '])?;
        let (name, rest) = line.split_at(end);
        let (labels, rest) = match rest.strip_prefix('{') {
            Some(rest) => labels(rest)?,
            None => (HashMap::new(), rest),
        };
        Some(Self { name, labels, value: rest.trim().parse().ok()? })
    }
}

fn labels(mut rest: &str) -> Option<(HashMap<String, String>, &str)> {
    let mut labels = HashMap::new();
    while !rest.starts_with('}') {
        let (name, value) = rest.split_once("=\"")?;
        let end = value.match_indices('"').map(|(at, _)| at).find(|&at| !is_escaped(value, at))?;
        labels.insert(name.trim_start_matches(',').to_owned(), unescaped(&value[..end]));
        rest = &value[end + 1..];
    }
    Some((labels, &rest[1..]))
}

fn is_escaped(text: &str, at: usize) -> bool {
    text[..at].bytes().rev().take_while(|&byte| byte == b'\\').count() % 2 == 1
}

fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        plain.push(match character {
            '\\' => match characters.next() {
                Some('n') => '\n',
                Some(other) => other,
                None => '\\',
            },
            other => other,
        });
    }
    plain
}

/// Adds a line to a metric. Merges the lines of a histogram with the same labels into one sample.
fn add(metric: &mut Metric, line: Line<'_>) {
    let Line { name, mut labels, value } = line;
    let Some(part) = name.strip_prefix(metric.name.as_str()) else { return };
    if metric.kind() != MetricKind::Histogram {
        metric.samples.push(MetricSample { labels, value, ..MetricSample::default() });
        return;
    }
    let bound = labels.remove(BOUND).and_then(|bound| bound.parse().ok());
    let known = metric.samples.iter().position(|sample| sample.labels == labels);
    let at = known.unwrap_or_else(|| {
        metric.samples.push(MetricSample { labels, ..MetricSample::default() });
        metric.samples.len() - 1
    });
    let sample = &mut metric.samples[at];
    match (part, bound) {
        ("_bucket", Some(at_most)) => {
            sample.buckets.push(MetricBucket { at_most, count: value as u64 });
        }
        ("_sum", _) => sample.value = value,
        ("_count", _) => sample.count = value as u64,
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# HELP calls_total Calls, by \\\\ method\n# TYPE calls_total counter\n\
        calls_total{method=\"/a/B\",code=\"OK\"} 3\ncalls_total{method=\"x\\\"},y=\\\\\"} 1\n\n\
        # TYPE open gauge\nopen 2.5\n\n# TYPE call_seconds histogram\n\
        call_seconds_bucket{method=\"b\",le=\"0.5\"} 1\n\
        call_seconds_bucket{method=\"b\",le=\"+Inf\"} 2\ncall_seconds_sum{method=\"b\"} 0.75\n\
        call_seconds_count{method=\"b\"} 2\n\n# TYPE odd summary\nodd{quantile=\"0.5\"} 1\n";

    #[test]
    fn numbers_are_parsed_with_their_labels() {
        let read = read(TEXT, |_| true);
        let names: Vec<&str> = read.iter().map(|metric| metric.name.as_str()).collect();
        assert_eq!(names, ["call_seconds", "calls_total", "open"]);
        let calls = &read[1];
        assert_eq!(
            (calls.help.as_str(), calls.kind()),
            ("Calls, by \\ method", MetricKind::Counter)
        );
        assert_eq!(calls.samples[0].labels["method"], "/a/B");
        assert_eq!(calls.samples[0].labels["code"], "OK");
        assert!((calls.samples[0].value - 3.0).abs() < f64::EPSILON);
        assert_eq!(calls.samples[1].labels["method"], "x\"},y=\\");
        assert!((read[2].samples[0].value - 2.5).abs() < f64::EPSILON);
    }

    #[test]
    fn histogram_parts_become_one_sample() {
        let read = read(TEXT, |name| name.starts_with("call_"));
        let [histogram] = read.as_slice() else { panic!("{read:?}") };
        let [sample] = histogram.samples.as_slice() else { panic!("{histogram:?}") };
        assert_eq!((sample.count, sample.labels.len()), (2, 1));
        assert!((sample.value - 0.75).abs() < f64::EPSILON);
        let counts: Vec<u64> = sample.buckets.iter().map(|bucket| bucket.count).collect();
        assert_eq!(counts, [1, 2]);
        assert!(sample.buckets[1].at_most.is_infinite());
    }
}
