//! Metrics for Prometheus, in the OpenMetrics text format.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Type of the text.
pub const TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Upper bounds of the durations, in seconds.
const BUCKETS: [f64; 9] = [0.001, 0.005, 0.02, 0.1, 0.5, 2.0, 10.0, 30.0, 75.0];

/// What is counted.
#[derive(Debug, Default)]
pub struct Metrics {
    endpoints: Mutex<BTreeMap<String, Endpoint>>,
    running: AtomicI64,
    revisions: AtomicU64,
}

/// The requests to an endpoint that ended.
#[derive(Debug, Default)]
struct Endpoint {
    by_status: BTreeMap<u16, u64>,
    /// Requests that took no longer than each of [`BUCKETS`].
    within: [u64; BUCKETS.len()],
    seconds: f64,
}

impl Metrics {
    pub fn begin(&self) {
        self.running.fetch_add(1, Ordering::Relaxed);
    }

    /// A request ended.
    pub fn end(&self, endpoint: &str, status: u16, took: Duration) {
        self.running.fetch_sub(1, Ordering::Relaxed);
        let seconds = took.as_secs_f64();
        let mut endpoints = self.endpoints.lock().unwrap_or_else(PoisonError::into_inner);
        let endpoint = endpoints.entry(endpoint.to_owned()).or_default();
        *endpoint.by_status.entry(status).or_default() += 1;
        endpoint.seconds += seconds;
        for (count, bound) in endpoint.within.iter_mut().zip(BUCKETS) {
            *count += u64::from(seconds <= bound);
        }
    }

    /// The files changed, and there is a new revision.
    pub fn updated(&self) {
        self.revisions.fetch_add(1, Ordering::Relaxed);
    }

    /// All metrics as text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        let endpoints = self.endpoints.lock().unwrap_or_else(PoisonError::into_inner);
        if !endpoints.is_empty() {
            head(out, "http_requests", "counter", "Requests, by endpoint and status code")?;
        }
        for (name, endpoint) in endpoints.iter() {
            let name = escaped(name);
            for (status, count) in &endpoint.by_status {
                writeln!(
                    out,
                    "asof_http_requests_total{{endpoint=\"{name}\",status=\"{status}\"}} {count}"
                )?;
            }
        }
        if !endpoints.is_empty() {
            head(out, "http_request_seconds", "histogram", "Durations of requests, by endpoint")?;
        }
        for (name, endpoint) in endpoints.iter() {
            let (metric, name) = ("asof_http_request_seconds", escaped(name));
            let count: u64 = endpoint.by_status.values().sum();
            writeln!(out, "{metric}_sum{{endpoint=\"{name}\"}} {:?}", endpoint.seconds)?;
            writeln!(out, "{metric}_count{{endpoint=\"{name}\"}} {count}")?;
            for (within, bound) in endpoint.within.iter().zip(BUCKETS) {
                writeln!(out, "{metric}_bucket{{le=\"{bound:?}\",endpoint=\"{name}\"}} {within}")?;
            }
            writeln!(out, "{metric}_bucket{{le=\"+Inf\",endpoint=\"{name}\"}} {count}")?;
        }
        head(out, "http_requests_running", "gauge", "Requests that are being answered")?;
        let running = self.running.load(Ordering::Relaxed);
        writeln!(out, "asof_http_requests_running {running}")?;
        let help = "Revisions that were written because files changed";
        head(out, "revisions", "counter", help)?;
        writeln!(out, "asof_revisions_total {}", self.revisions.load(Ordering::Relaxed))?;
        writeln!(out, "# EOF")
    }
}

/// What a metric means and is.
fn head(out: &mut String, name: &str, kind: &str, help: &str) -> std::fmt::Result {
    writeln!(out, "# HELP asof_{name} {help}.\n# TYPE asof_{name} {kind}")
}

/// The value of a label between its quotes.
fn escaped(value: &str) -> String {
    value.replace('\\', r"\\").replace('"', "\\\"").replace('\n', r"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_openmetrics() {
        let metrics = Metrics::default();
        let bare = "\
# HELP asof_http_requests_running Requests that are being answered.
# TYPE asof_http_requests_running gauge
asof_http_requests_running 0
# HELP asof_revisions Revisions that were written because files changed.
# TYPE asof_revisions counter
asof_revisions_total 0
# EOF
";
        assert_eq!(metrics.text(), bare);
        metrics.begin();
        metrics.begin();
        metrics.begin();
        metrics.updated();
        metrics.end("/a", 200, Duration::from_millis(5));
        metrics.end("/a", 404, Duration::from_secs(80));
        metrics.end("/\"\\\n", 200, Duration::ZERO);
        let expected = r#"# HELP asof_http_requests Requests, by endpoint and status code.
# TYPE asof_http_requests counter
asof_http_requests_total{endpoint="/\"\\\n",status="200"} 1
asof_http_requests_total{endpoint="/a",status="200"} 1
asof_http_requests_total{endpoint="/a",status="404"} 1
# HELP asof_http_request_seconds Durations of requests, by endpoint.
# TYPE asof_http_request_seconds histogram
asof_http_request_seconds_sum{endpoint="/\"\\\n"} 0.0
asof_http_request_seconds_count{endpoint="/\"\\\n"} 1
"#;
        let text = metrics.text();
        assert!(text.starts_with(expected), "{text}");
        let of_a: Vec<&str> =
            text.lines().filter(|line| line.contains("seconds") && line.contains("/a")).collect();
        let expected = r#"asof_http_request_seconds_sum{endpoint="/a"} 80.005
asof_http_request_seconds_count{endpoint="/a"} 2
asof_http_request_seconds_bucket{le="0.001",endpoint="/a"} 0
asof_http_request_seconds_bucket{le="0.005",endpoint="/a"} 1
asof_http_request_seconds_bucket{le="0.02",endpoint="/a"} 1
asof_http_request_seconds_bucket{le="0.1",endpoint="/a"} 1
asof_http_request_seconds_bucket{le="0.5",endpoint="/a"} 1
asof_http_request_seconds_bucket{le="2.0",endpoint="/a"} 1
asof_http_request_seconds_bucket{le="10.0",endpoint="/a"} 1
asof_http_request_seconds_bucket{le="30.0",endpoint="/a"} 1
asof_http_request_seconds_bucket{le="75.0",endpoint="/a"} 1
asof_http_request_seconds_bucket{le="+Inf",endpoint="/a"} 2"#;
        assert_eq!(of_a.join("\n"), expected);
        let rest = bare.replace("total 0", "total 1");
        assert!(text.ends_with(&rest), "{text}");
    }
}
