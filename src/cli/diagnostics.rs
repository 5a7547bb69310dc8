//! Logs on standard error: internal errors always, the requests of a server with `--log`, spans and
//! events of the layers below with `ASOF_LOG`.

use asof_surface::problem::Problem;
use tracing::{Level, subscriber};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::{Layer, fmt, registry};

/// Chooses what is logged: `asof_index=debug`, `asof_resolve=trace,asof_store=debug`.
const VARIABLE: &str = "ASOF_LOG";

/// Where internal errors are logged, see `asof_model::never!`.
const INTERNAL: &str = "asof_model";

/// Whether a server logs its requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requests {
    Log,
    Leave,
}

/// Begins to log to standard error.
///
/// # Errors
/// The variable does not say what to log.
pub fn begin(requests: Requests) -> Result<(), Problem> {
    let wanted = match std::env::var_os(VARIABLE) {
        Some(text) => targets(&text.to_string_lossy())?,
        None => Targets::new(),
    };
    let log = fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .with_span_events(FmtSpan::CLOSE)
        .with_filter(complete(wanted, requests));
    // A log that is set already stays.
    let _ = subscriber::set_global_default(registry().with(log));
    Ok(())
}

fn targets(text: &str) -> Result<Targets, Problem> {
    let hint =
        "give levels by crate, such as `asof_index=debug` or `asof_resolve=trace,asof_store=debug`";
    if text.trim().is_empty() {
        return Ok(Targets::new());
    }
    text.trim().parse().map_err(|error| {
        Problem::bad_request(
            format!("`{VARIABLE}` must say what to log, got `{text}`: {error}"),
            hint,
        )
    })
}

/// Adds what is logged in any case.
fn complete(mut wanted: Targets, requests: Requests) -> Targets {
    if !wanted.would_enable(INTERNAL, &Level::ERROR) {
        wanted = wanted.with_target(INTERNAL, Level::ERROR);
    }
    if requests == Requests::Log && !wanted.would_enable("asof_http", &Level::INFO) {
        wanted = wanted.with_target("asof_http", Level::INFO);
    }
    wanted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn enables(text: &str, requests: Requests, target: &str, level: Level) -> bool {
        complete(targets(text).unwrap(), requests).would_enable(target, &level)
    }

    #[test]
    fn internal_errors_are_always_logged() {
        for text in ["", "off", "asof_model=off", "asof_index=debug", "warn"] {
            assert!(enables(text, Requests::Leave, "asof_model::never", Level::ERROR), "{text}");
        }
        assert!(!enables("", Requests::Leave, "asof_model::never", Level::WARN));
        assert!(!enables("", Requests::Leave, "asof_index::refresh", Level::ERROR));
    }

    #[test]
    fn only_what_is_named_is_logged() {
        let text = "asof_index=debug,asof_store=trace";
        assert!(enables(text, Requests::Leave, "asof_index::refresh", Level::DEBUG));
        assert!(!enables(text, Requests::Leave, "asof_index::refresh", Level::TRACE));
        assert!(enables(text, Requests::Leave, "asof_store::database", Level::TRACE));
        assert!(!enables(text, Requests::Leave, "asof_resolve::passes", Level::ERROR));
        assert!(enables("asof=debug", Requests::Leave, "asof_resolve::passes", Level::DEBUG));
    }

    #[test]
    fn a_server_logs_its_requests() {
        assert!(enables("", Requests::Log, "asof_http::router", Level::INFO));
        assert!(!enables("", Requests::Leave, "asof_http::router", Level::INFO));
        assert!(enables("asof_http=trace", Requests::Log, "asof_http::router", Level::TRACE));
    }

    #[test]
    fn a_level_that_is_none_is_refused() {
        let error = targets("asof_index=loud").unwrap_err();
        assert!(error.message.contains("`asof_index=loud`"), "{}", error.message);
        let hint = super::super::hint::words(&error.hint);
        assert!(hint.contains("asof_index=debug"), "{hint}");
    }
}
