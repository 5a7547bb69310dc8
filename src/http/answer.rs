//! Answers: JSON in pages of a limited size, errors as problem+json, headers for caches.

use asof_engine::Snapshot;
use asof_model::ErrorKind;
use asof_model::{OrNever, RevisionId};
use asof_wire::{ErrorReport, Freshness, StaleTarget, When};
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;

use super::hint;
use asof_surface::json::without_nulls;
use asof_surface::problem::Problem;
use asof_surface::questions::Pages;

/// Bytes of an answer at most.
pub const MAX_ANSWER: usize = 8 << 20;

/// An error (RFC 9457).
#[derive(Debug, Serialize, JsonSchema)]
pub struct ProblemDetails {
    /// `urn:asof:error:` and the kind.
    #[serde(rename = "type")]
    kind_uri: String,
    /// The kind in words.
    title: String,
    /// Status code of the response.
    status: u16,
    /// What went wrong.
    detail: String,
    /// The same, under the name that older clients read.
    error: String,
    /// Class of the error.
    kind: ErrorKind,
    /// What to do next; empty if there is nothing to do.
    hint: String,
    /// Errors that caused this one, nearest first.
    causes: Vec<String>,
    /// The present state of the edit's target, if it is stale.
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<StaleTarget>,
}

/// The status code and title of a kind of error.
const fn status(kind: ErrorKind) -> (StatusCode, &'static str) {
    match kind {
        ErrorKind::NoMatch => (StatusCode::NOT_FOUND, "No match"),
        ErrorKind::Ambiguous => (StatusCode::CONFLICT, "Several matches where one is needed"),
        ErrorKind::BadRequest => (StatusCode::BAD_REQUEST, "Invalid request"),
        ErrorKind::Locked => (StatusCode::SERVICE_UNAVAILABLE, "Busy"),
        ErrorKind::Failure => {
            (StatusCode::INTERNAL_SERVER_ERROR, "A file, the disk or the database failed")
        }
        ErrorKind::Limit => {
            (StatusCode::UNPROCESSABLE_ENTITY, "A limit of time, memory or size was reached")
        }
        ErrorKind::Interrupted => (StatusCode::SERVICE_UNAVAILABLE, "Interrupted"),
        ErrorKind::Stale => {
            (StatusCode::PRECONDITION_FAILED, "The code has changed since the edit was made")
        }
        ErrorKind::Check => (StatusCode::UNPROCESSABLE_ENTITY, "The check of an edit failed"),
    }
}

/// The status code of a kind of error.
pub const fn status_of(kind: ErrorKind) -> StatusCode {
    status(kind).0
}

/// An error as a response.
pub fn error(problem: Problem) -> Response<Body> {
    let (code, title) = status(problem.kind);
    refusal(code, title, problem)
}

/// An error with a status code of its own.
pub fn refusal(code: StatusCode, title: &str, problem: Problem) -> Response<Body> {
    let ErrorReport { kind, message, hint, causes, details } = problem.report(hint::words);
    let name = serde_json::to_value(kind).or_never("a kind is a text in JSON");
    let details = ProblemDetails {
        kind_uri: format!("urn:asof:error:{}", name.as_str().or_never("a kind is a text in JSON")),
        title: title.to_owned(),
        status: code.as_u16(),
        detail: message.clone(),
        error: message,
        kind,
        hint,
        causes,
        details,
    };
    let bytes = serde_json::to_vec(&details).or_never("details are plain data");
    let mut response = with_type(bytes, "application/problem+json");
    *response.status_mut() = code;
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if code == StatusCode::SERVICE_UNAVAILABLE {
        headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    }
    if code == StatusCode::UNAUTHORIZED {
        headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}

/// A response with a body of this type.
pub fn with_type(bytes: Vec<u8>, kind: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(bytes));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

/// What a cache may do with an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caching {
    /// Names the revision that the answer is based on; none if the answer depends on more.
    pub etag: Option<String>,
    /// The answer to this request never changes.
    pub immutable: bool,
}

impl Caching {
    pub const NONE: Self = Self { etag: None, immutable: false };

    /// Of an answer from a snapshot. `others` are the other moments of the request.
    ///
    /// The tag is weak: answers of one revision differ in `ms`. It contains the version of the
    /// program, whose answers may differ. Files that are newer than the revision are part of an
    /// answer, so there is no tag then.
    pub fn new(snapshot: &Snapshot<'_>, at: &When, others: &[When]) -> Self {
        let basis = snapshot.basis();
        let is_pinned = |when: &When| matches!(when, When::Revision(_));
        let Some(revision) = basis.revision else { return Self::NONE };
        if basis.freshness_state == Freshness::Stale || !others.iter().all(is_pinned) {
            return Self::NONE;
        }
        Self { etag: Some(etag(revision)), immutable: is_pinned(at) }
    }

    /// Whether the client has the answer already.
    pub fn matches(&self, if_none_match: Option<&str>) -> bool {
        let Some(etag) = &self.etag else { return false };
        let strong = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
        if_none_match.is_some_and(|tags| {
            tags.split(',').any(|tag| tag.trim() == "*" || strong(tag) == strong(etag))
        })
    }

    /// Writes the headers.
    pub fn write(&self, headers: &mut HeaderMap) {
        let control = match (&self.etag, self.immutable) {
            (None, _) => "no-store",
            (Some(_), true) => "private, max-age=31536000, immutable",
            (Some(_), false) => "private, no-cache",
        };
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(control));
        if let Some(etag) = self.etag.as_ref().and_then(|tag| HeaderValue::from_str(tag).ok()) {
            headers.insert(header::ETAG, etag);
        }
    }
}

fn etag(revision: RevisionId) -> String {
    format!("W/\"{revision}-{}\"", env!("CARGO_PKG_VERSION"))
}

/// An answer, cut to a page.
#[derive(Debug, PartialEq)]
pub struct Page {
    pub bytes: Vec<u8>,
    /// Where the next page begins, if there is one.
    pub next: Option<usize>,
}

/// Cuts the list of an answer to the items from `offset`, at most `limit`, and to as many as fit
/// into [`MAX_ANSWER`]. `truncated` says whether there are more.
///
/// # Errors
/// An answer that is too large and cannot be cut.
pub fn page(
    answer: Json,
    pages: Option<Pages>,
    offset: usize,
    limit: usize,
) -> Result<Page, Problem> {
    let mut answer = without_nulls(answer);
    let Some(pages) = pages else {
        let bytes = bytes(&answer)?;
        return if bytes.len() <= MAX_ANSWER {
            Ok(Page { bytes, next: None })
        } else {
            Err(too_large(bytes.len(), "ask for less"))
        };
    };
    let mut items = match answer.get_mut(pages.list).map(Json::take) {
        Some(Json::Array(items)) => items,
        _ => return Err(Problem::internal("an answer without a list")),
    };
    let mut items = items.split_off(offset.min(items.len()));
    let mut more = answer.get("truncated").and_then(Json::as_bool) == Some(true);
    more |= items.len() > limit;
    items.truncate(limit);
    loop {
        let count = items.len();
        if let Some(fields) = answer.as_object_mut() {
            fields.insert("truncated".to_owned(), more.into());
            if fields.contains_key("result_count") {
                fields.insert("result_count".to_owned(), count.into());
            }
            fields.insert(pages.list.to_owned(), Json::Array(items));
        }
        let bytes = bytes(&answer)?;
        if bytes.len() <= MAX_ANSWER {
            return Ok(Page { bytes, next: (more && count > 0).then_some(offset + count) });
        }
        if count <= 1 {
            return Err(too_large(bytes.len(), "one item is too large; ask for less of it"));
        }
        more = true;
        items = match answer.get_mut(pages.list).map(Json::take) {
            Some(Json::Array(items)) => items,
            _ => Vec::new(),
        };
        items.truncate((count.saturating_mul(MAX_ANSWER) / bytes.len()).clamp(1, count - 1));
    }
}

fn bytes(answer: &Json) -> Result<Vec<u8>, Problem> {
    serde_json::to_vec(answer).map_err(Problem::internal)
}

fn too_large(bytes: usize, advice: &str) -> Problem {
    let message = format!("the answer has {bytes} bytes, more than {MAX_ANSWER}");
    Problem::new(ErrorKind::Limit, message, advice)
}
