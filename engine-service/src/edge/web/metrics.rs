//! Prometheus metrics, served on a separate port.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response, StatusCode, header};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use crate::config::Quotas;
use crate::edge::limits::Limits;
use crate::host::Host;

/// The maximum number of concurrent scrapes. Further scrapes wait.
const CONNECTIONS: usize = 32;
/// The timeout of a scrape, so that a slow client cannot occupy a slot indefinitely.
const SCRAPE_TIMEOUT: Duration = Duration::from_secs(10);
/// The interval at which recorded values are merged. Merging is needed even without scrapes.
const UPKEEP: Duration = Duration::from_secs(5);

const SECONDS: [f64; 12] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];
const WRITES: [f64; 10] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0];

static RECORDER: LazyLock<Result<PrometheusHandle, BuildError>> = LazyLock::new(install);

pub(crate) fn record() -> Result<(), &'static BuildError> {
    tokio::spawn(upkeep(RECORDER.as_ref()?));
    Ok(())
}

fn install() -> Result<PrometheusHandle, BuildError> {
    let recorder = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS)
        .and_then(|builder| {
            builder.set_buckets_for_metric(Matcher::Suffix("_batch_writes".to_owned()), &WRITES)
        })
        .and_then(PrometheusBuilder::install_recorder)?;
    describe();
    Ok(recorder)
}

pub(crate) async fn serve(
    address: SocketAddr,
    host: Arc<Host>,
    limits: Arc<Limits>,
) -> io::Result<SocketAddr> {
    let listener = TcpListener::bind(address).await?;
    let address = listener.local_addr()?;
    tokio::spawn(accept(listener, Pages { host, limits }));
    Ok(address)
}

/// The metrics, one per line: name, kind and description, separated by tabs.
const METRICS: &str = include_str!("metrics.tsv");

fn describe() {
    for line in METRICS.lines() {
        match line.split('\t').collect::<Vec<_>>()[..] {
            [name, "counter", text] => metrics::describe_counter!(name, text),
            [name, "gauge", text] => metrics::describe_gauge!(name, text),
            [name, "histogram", text] => metrics::describe_histogram!(name, text),
            _ => unreachable!("not a line of metrics.tsv: {line:?}"),
        }
    }
    initialize_counters();
}

/// Records the configured limits, so that dashboards can compare usage with them.
pub(crate) fn record_limits(quotas: &Quotas) {
    metrics::gauge!("heliopause_connection_limit").set(measure(quotas.connections as u64));
    metrics::gauge!("heliopause_memory_limit_bytes").set(size(quotas.memory_bytes as u64));
}

/// Initializes the counters of alerts. Prometheus would miss the first increase of a new counter.
fn initialize_counters() {
    for name in [
        "heliopause_damage_found_total",
        "heliopause_games_went_back_total",
        "heliopause_incidents_total",
        "heliopause_leases_returned_total",
        "heliopause_journal_commits_total",
        "heliopause_journal_entries_total",
        "heliopause_journal_failed_commits_total",
    ] {
        metrics::counter!(name).absolute(0);
    }
    metrics::gauge!("heliopause_open_streams").set(0);
    for why in ["another engine was first", "its end was not known"] {
        metrics::counter!("heliopause_appends_repeated_total", "why" => why).absolute(0);
    }
}

async fn upkeep(recorder: &'static PrometheusHandle) {
    loop {
        tokio::time::sleep(UPKEEP).await;
        recorder.run_upkeep();
    }
}

async fn accept(listener: TcpListener, pages: Pages) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let place =
            Arc::clone(&places).acquire_owned().await.expect("the semaphore is never closed");
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let pages = pages.clone();
        tokio::spawn(async move {
            let _ = tokio::time::timeout(SCRAPE_TIMEOUT, pages.answer(stream)).await;
            drop(place);
        });
    }
}

#[derive(Clone)]
struct Pages {
    host: Arc<Host>,
    limits: Arc<Limits>,
}

impl Pages {
    async fn answer(&self, stream: TcpStream) {
        let service =
            service_fn(|request| std::future::ready(Ok::<_, Infallible>(self.page(&request))));
        // Keep-alive is off, because an idle connection would occupy a slot.
        let _ = http1::Builder::new()
            .timer(TokioTimer::new())
            .keep_alive(false)
            .serve_connection(TokioIo::new(stream), service)
            .await;
    }

    fn page(&self, request: &Request<Incoming>) -> Response<Full<Bytes>> {
        if request.uri().path() != "/metrics" {
            return page(StatusCode::NOT_FOUND, "see /metrics\n".to_owned());
        }
        page(StatusCode::OK, render(&self.host, &self.limits))
    }
}

/// Renders all metrics. Returns an empty string if the recorder could not be installed.
pub(crate) fn render(host: &Host, limits: &Limits) -> String {
    let Ok(recorder) = RECORDER.as_ref() else { return String::new() };
    let status = host.status();
    metrics::gauge!("heliopause_live_games").set(measure(status.live_games));
    metrics::gauge!("heliopause_workers").set(measure(status.workers));
    metrics::gauge!("heliopause_leases").set(measure(status.leases));
    metrics::gauge!("heliopause_bytes_in_flight").set(size(limits.bytes() as u64));
    metrics::gauge!("heliopause_worker_capacity").set(measure(status.capacity));
    metrics::gauge!("heliopause_decisions_parked").set(measure(status.parked));
    if let Some(bytes) = resident_bytes() {
        metrics::gauge!("process_resident_memory_bytes").set(size(bytes));
    }
    recorder.render()
}

pub(crate) fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes * 1024)
}

fn measure(count: u64) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

#[expect(clippy::cast_precision_loss, reason = "sizes of memory are far below 2^52 bytes")]
fn size(bytes: u64) -> f64 {
    bytes as f64
}

fn page(status: StatusCode, text: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::from(text));
    *response.status_mut() = status;
    let kind = header::HeaderValue::from_static("text/plain; version=0.0.4");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}
