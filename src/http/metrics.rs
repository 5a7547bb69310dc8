//! Metrics for Prometheus.

use std::sync::atomic::AtomicI64;
use std::time::Duration;

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

/// Type of the text.
pub const TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Upper bounds of the durations, in seconds.
const BUCKETS: [f64; 9] = [0.001, 0.005, 0.02, 0.1, 0.5, 2.0, 10.0, 30.0, 75.0];

type Labels = Vec<(&'static str, String)>;

/// What is counted.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    requests: Family<Labels, Counter>,
    seconds: Family<Labels, Histogram, fn() -> Histogram>,
    running: Gauge<i64, AtomicI64>,
    revisions: Counter,
}

impl Metrics {
    pub fn new() -> Self {
        let seconds: fn() -> Histogram = || Histogram::new(BUCKETS);
        let mut metrics = Self {
            registry: Registry::with_prefix("asof"),
            requests: Family::default(),
            seconds: Family::new_with_constructor(seconds),
            running: Gauge::default(),
            revisions: Counter::default(),
        };
        let registry = &mut metrics.registry;
        registry.register(
            "http_requests",
            "Requests, by endpoint and status code",
            metrics.requests.clone(),
        );
        registry.register(
            "http_request_seconds",
            "Durations of requests, by endpoint",
            metrics.seconds.clone(),
        );
        registry.register(
            "http_requests_running",
            "Requests that are being answered",
            metrics.running.clone(),
        );
        registry.register(
            "revisions",
            "Revisions that were written because files changed",
            metrics.revisions.clone(),
        );
        metrics
    }

    pub fn begin(&self) {
        self.running.inc();
    }

    /// A request ended.
    pub fn end(&self, endpoint: &str, status: u16, took: Duration) {
        self.running.dec();
        let endpoint = ("endpoint", endpoint.to_owned());
        let labels = vec![endpoint.clone(), ("status", status.to_string())];
        self.requests.get_or_create(&labels).inc();
        self.seconds.get_or_create(&vec![endpoint]).observe(took.as_secs_f64());
    }

    /// The files changed, and there is a new revision.
    pub fn updated(&self) {
        self.revisions.inc();
    }

    /// All metrics as text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}
