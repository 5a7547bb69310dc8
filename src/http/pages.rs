//! The explorer over HTTP: its pages and files, signing in, and the actions of its forms. Access,
//! time limits and the number of requests at a time are those of the API.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use asof_engine::{Refresh, Snapshot};
use asof_index::Silent;
use asof_model::ErrorKind;
use asof_wire::{Freshness, When};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use axum::routing::{get, post};
use tokio::time::timeout;

use super::answer;
use super::guard::Guard;
use super::page::{encode, html, protect, takes_gzip};
use super::shared::Shared;
use asof_surface::problem::Problem;
use asof_web::{Action, Allowed, Content, Visit, assets, login};

/// Bytes of a form at most.
const MAX_FORM: usize = 16 << 10;
/// How long a form may take to arrive.
const FORM: Duration = Duration::from_secs(30);
/// What the handlers share.
struct Site {
    shared: Arc<Shared>,
    guard: Arc<Guard>,
    allowed: Allowed,
}

/// The routes of the explorer.
pub fn routes(shared: &Arc<Shared>, guard: &Arc<Guard>, edits: bool) -> Router {
    let allowed = if edits { Allowed::Edits } else { Allowed::Reading };
    let site = Arc::new(Site { shared: Arc::clone(shared), guard: Arc::clone(guard), allowed });
    let mut router = Router::new();
    for address in asof_web::ADDRESSES {
        router = router.route(address, get(show));
    }
    if edits {
        router = router.route("/proposals/{id}/{action}", post(act));
    }
    router
        .route("/login", get(sign_in).post(with_token))
        .route("/assets/{name}", get(asset))
        .with_state(site)
}

async fn asset(Path(name): Path<String>, headers: HeaderMap) -> Response<Body> {
    let Some(asset) = assets::find(&name) else {
        let problem = Problem::new(ErrorKind::NoMatch, "no such file", "");
        return answer::error(problem);
    };
    let zip = takes_gzip(&headers);
    let bytes = if zip { asset.gzip.clone() } else { asset.bytes.to_vec() };
    let mut response = answer::with_type(bytes, asset.kind);
    encode(response.headers_mut(), zip);
    let keep = HeaderValue::from_static("public, max-age=31536000, immutable");
    response.headers_mut().insert(header::CACHE_CONTROL, keep);
    response
}

fn redirect(to: &str) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    let headers = response.headers_mut();
    if let Ok(to) = HeaderValue::from_str(to) {
        headers.insert(header::LOCATION, to);
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn pairs(text: &str) -> Vec<(String, String)> {
    form_urlencoded::parse(text.as_bytes()).into_owned().collect()
}

fn value<'p>(pairs: &'p [(String, String)], name: &str) -> Option<&'p str> {
    pairs.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

fn signed_in(site: &Site, next: &str) -> Response<Body> {
    let mut response = redirect(login::safe_next(next));
    if let Ok(cookie) = HeaderValue::from_str(&site.guard.sessions.begin()) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

async fn sign_in(State(site): State<Arc<Site>>, request: Request) -> Response<Body> {
    let query = pairs(request.uri().query().unwrap_or_default());
    let next = value(&query, "next").unwrap_or("/");
    if site.guard.token.is_none() {
        return redirect(login::safe_next(next));
    }
    match value(&query, "code") {
        Some(code) if site.guard.sessions.redeem(code) => signed_in(&site, next),
        code => html(StatusCode::OK, login::page(login::safe_next(next), code.is_some()), false),
    }
}

async fn with_token(State(site): State<Arc<Site>>, request: Request) -> Response<Body> {
    let body = match timeout(FORM, to_bytes(request.into_body(), MAX_FORM)).await {
        Ok(Ok(body)) => String::from_utf8_lossy(&body).into_owned(),
        _ => return html(StatusCode::BAD_REQUEST, login::page("/", true), false),
    };
    let form = pairs(&body);
    let next = value(&form, "next").unwrap_or("/");
    let given = value(&form, "token").unwrap_or_default().trim();
    if site.guard.token.as_ref().is_none_or(|token| token.is(given)) {
        signed_in(&site, next)
    } else {
        html(StatusCode::UNAUTHORIZED, login::page(login::safe_next(next), true), false)
    }
}

async fn show(State(site): State<Arc<Site>>, request: Request) -> Response<Body> {
    let query = pairs(request.uri().query().unwrap_or_default());
    let asked = asof_web::Request::new(request.uri().path(), query);
    let zip = takes_gzip(request.headers());
    let tags = request.headers().get(header::IF_NONE_MATCH);
    let tags = tags.and_then(|tags| tags.to_str().ok()).map(str::to_owned);
    let shown = asked.clone();
    let begun = std::time::Instant::now();
    let done = on_thread(&site, move |site, stop| page(site, &asked, tags.as_deref(), zip, stop));
    let mut response = done.await.unwrap_or_else(|problem| {
        let code = answer::status_of(problem.kind);
        let mut response = html(code, asof_web::problem_page(problem, Some(&shown)), zip);
        if code == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    });
    let timing = format!("page;dur={:.1}", begun.elapsed().as_secs_f64() * 1e3);
    if let Ok(timing) = HeaderValue::from_str(&timing) {
        response.headers_mut().insert("server-timing", timing);
    }
    response
}

/// Does work on a thread of its own, within the limits of the API.
async fn on_thread<T: Send + 'static>(
    site: &Arc<Site>,
    work: impl FnOnce(&Site, Arc<AtomicBool>) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let own = Arc::clone(site);
    site.shared.run(move |stop| work(&own, stop)).await
}

fn page(
    site: &Site,
    asked: &asof_web::Request,
    tags: Option<&str>,
    zip: bool,
    stop: Arc<AtomicBool>,
) -> Result<Response<Body>, Problem> {
    let when = asked.when()?;
    let database = site.shared.workspace.database(&stop, &Silent)?;
    let snapshot = database.snapshot(&when, Refresh::IfFree)?.under(asked.configuration()?)?;
    let tag = if asof_web::depends_on_more(asked) {
        None
    } else {
        tag(&snapshot, &database.snapshot(&When::Newest, Refresh::Skip)?, site.allowed)
    };
    if let (Some(tag), Some(tags)) = (&tag, tags)
        && tags.split(',').any(|known| known.trim() == tag)
    {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        keep(response.headers_mut(), tag);
        return Ok(response);
    }
    let visit = Visit {
        database: &database,
        snapshot: &snapshot,
        request: asked,
        allowed: site.allowed,
        stop: &stop,
    };
    Ok(match asof_web::answer(&visit)? {
        Content::Redirect(to) => redirect(&to),
        Content::Page(page) if page.len() > asof_web::MAX_PAGE => {
            let message =
                format!("the page has {} bytes, more than {}", page.len(), asof_web::MAX_PAGE);
            return Err(Problem::new(ErrorKind::Limit, message, "please report it"));
        }
        Content::Page(page) => {
            let mut response = html(StatusCode::OK, page, zip);
            if let Some(tag) = &tag {
                keep(response.headers_mut(), tag);
            }
            response
        }
        Content::File { kind, name, text } => {
            let mut response = answer::with_type(text.into_bytes(), kind);
            let headers = response.headers_mut();
            protect(headers);
            let name = format!("attachment; filename=\"{name}\"");
            if let Ok(name) = HeaderValue::from_str(&name) {
                headers.insert(header::CONTENT_DISPOSITION, name);
            }
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
            response
        }
    })
}

fn keep(headers: &mut HeaderMap, tag: &str) {
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    if let Ok(tag) = HeaderValue::from_str(tag) {
        headers.insert(header::ETAG, tag);
    }
}

/// Names what a page depends on: its revision, the newest one, which the bar of time shows, the
/// program and its files. None while files are newer than the revision.
fn tag(snapshot: &Snapshot<'_>, newest: &Snapshot<'_>, allowed: Allowed) -> Option<String> {
    let basis = snapshot.basis();
    if basis.freshness_state == Freshness::Stale {
        return None;
    }
    let (revision, newest) = (basis.revision?, newest.basis().revision?);
    let fresh = match basis.freshness_state {
        Freshness::Fresh => "n",
        _ => "a",
    };
    let edits = if allowed == Allowed::Edits { "e" } else { "r" };
    let (version, assets) = (env!("CARGO_PKG_VERSION"), assets::version());
    Some(format!("W/\"{revision}-{newest}-{fresh}{edits}-{version}-{assets}\""))
}

async fn act(
    State(site): State<Arc<Site>>,
    Path((id, action)): Path<(String, String)>,
) -> Response<Body> {
    let done = on_thread(&site, move |site, stop| {
        let Some(action) = Action::parse(&action) else {
            return Err(Problem::new(ErrorKind::NoMatch, "no such action", ""));
        };
        let database = site.shared.workspace.database(&stop, &Silent)?;
        asof_web::act(&database, &id, action)
    });
    match done.await {
        Ok(next) => redirect(&next),
        Err(problem) => {
            html(answer::status_of(problem.kind), asof_web::problem_page(problem, None), false)
        }
    }
}
