//! Dispatches requests to endpoints, and turns their results into responses.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use asof_engine::Refresh;
use asof_index::Silent;
use asof_model::{ErrorKind, Hint};
use asof_wire::{ConfigurationRequest, When};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderValue, Method as Verb, Response, StatusCode, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::routing::{MethodFilter, get, on};
use serde_json::{Map, Value as Json};
use tokio::time::timeout;

use super::answer::{self, Caching, Page};
use super::endpoint::{Ask, Endpoint, MAX_LIMIT, Method, Moment, Run};
use super::guard::{Guard, HEALTH, guard};
use super::metrics;
use super::parameters::{self, Parameter, parameters};
use super::shared::Shared;
use super::{endpoints, openapi, pages};
use asof_mcp::{OpenSessions, Sessions};
use asof_surface::problem::Problem;
use asof_surface::questions::DependsOn;

/// Bytes of a request's body at most.
pub const MAX_BODY: usize = 16 << 20;
/// How long a body may take to arrive.
const BODY: Duration = Duration::from_secs(30);
/// MCP sessions at a time.
const MAX_SESSIONS: usize = 256;

/// An endpoint with what is known before the first request.
struct Route {
    shared: Arc<Shared>,
    endpoint: Endpoint,
    /// Parameters of the query string, or fields of the body.
    parameters: Vec<Parameter>,
    /// Whether the request says how many items it wants.
    has_limit: bool,
}

/// What a server offers.
pub struct Offer {
    /// The API, with endpoints for edits or without.
    pub api: Option<bool>,
    pub mcp: Sessions,
}

/// The routes of a server.
pub fn router(shared: &Arc<Shared>, rules: Arc<Guard>, offer: Offer) -> Router {
    let mut router = Router::new().route(HEALTH, get(async || "ok\n"));
    if let Some(edits) = offer.api {
        let endpoints = endpoints::offered(edits);
        let document = openapi::document(&endpoints, rules.token.is_some()).to_string();
        router = router
            .route(
                "/openapi.json",
                get(async move || answer::with_type(document.into(), "application/json")),
            )
            .route("/metrics", get(show_metrics).with_state(Arc::clone(shared)));
        router = router.merge(pages::routes(shared, &rules, edits));
        for endpoint in endpoints {
            let method = match endpoint.method {
                Method::Get => MethodFilter::GET,
                Method::Post => MethodFilter::POST,
            };
            let path = endpoint.path;
            let parameters = parameters(&endpoint);
            let has_limit = parameters.iter().any(|parameter| parameter.name == "limit");
            let shared = Arc::clone(shared);
            let route = Arc::new(Route { shared, endpoint, parameters, has_limit });
            router = router.route(path, on(method, handle).with_state(route));
        }
    }
    router
        .merge(mcp(offer.mcp))
        .fallback(async || {
            let hint = Hint::advice("`/openapi.json` lists the endpoints");
            answer::error(Problem::new(ErrorKind::NoMatch, "no such endpoint", hint))
        })
        .method_not_allowed_fallback(async || {
            let hint = Hint::advice("`/openapi.json` lists the methods of each endpoint");
            let problem = Problem::bad_request("no such method here", hint);
            answer::refusal(StatusCode::METHOD_NOT_ALLOWED, "Method not allowed", problem)
        })
        .layer(from_fn(refuse_long))
        .layer(from_fn_with_state(rules, guard))
        .layer(from_fn_with_state(Arc::clone(shared), observe))
}

/// Refuses a body that is declared as too long before any of it is read, MCP's included.
async fn refuse_long(request: Request, next: Next) -> Response<Body> {
    let declared = request.headers().get(header::CONTENT_LENGTH);
    let declared = declared.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if declared.is_none_or(|length| length <= MAX_BODY as u64) {
        return next.run(request).await;
    }
    let code = StatusCode::PAYLOAD_TOO_LARGE;
    let message = format!("the body has more than {MAX_BODY} bytes");
    let problem = Problem::bad_request(message, "ask for less");
    answer::refusal(code, code.canonical_reason().unwrap_or_default(), problem)
}

/// MCP, with a limit of its sessions.
fn mcp(sessions: Sessions) -> Router {
    let Sessions { service, open } = sessions;
    Router::new().route_service("/mcp", service).layer(from_fn_with_state(open, limit_sessions))
}

/// Whether a request may begin a session. Those of clients without sessions name their method, which
/// is compared with the body.
fn may_begin_session(request: &Request) -> bool {
    let header = |name: &str| request.headers().get(name);
    request.method() == Verb::POST
        && header("mcp-session-id").is_none()
        && header("mcp-method").is_none_or(|method| method == "initialize")
}

/// Refuses to begin a session while there are too many.
async fn limit_sessions(
    State(open): State<OpenSessions>,
    request: Request,
    next: Next,
) -> Response<Body> {
    let is_end = request.method() == Verb::DELETE;
    let begins = may_begin_session(&request);
    if begins && open.count().await >= MAX_SESSIONS {
        let message = format!("{MAX_SESSIONS} MCP sessions are open");
        let hint = Hint::advice("end one with DELETE, or wait: idle ones end after 5 minutes");
        return answer::error(Problem::new(ErrorKind::Locked, message, hint));
    }
    let mut response = next.run(request).await;
    // Some clients take 202 for a failure.
    if is_end && response.status() == StatusCode::ACCEPTED {
        *response.status_mut() = StatusCode::NO_CONTENT;
    }
    response
}

/// Counts requests and logs them.
async fn observe(
    State(shared): State<Arc<Shared>>,
    request: Request,
    next: Next,
) -> Response<Body> {
    let begin = Instant::now();
    let endpoint = request.extensions().get::<MatchedPath>().cloned();
    let (method, uri) = (request.method().clone(), request.uri().clone());
    shared.metrics.begin();
    let response = next.run(request).await;
    let (status, took) = (response.status().as_u16(), begin.elapsed());
    let endpoint = endpoint.as_ref().map_or("other", MatchedPath::as_str);
    shared.metrics.end(endpoint, status, took);
    tracing::info!(%method, %uri, status, ms = took.as_secs_f64() * 1e3, "request");
    response
}

async fn show_metrics(State(shared): State<Arc<Shared>>) -> Response<Body> {
    answer::with_type(shared.metrics.text().into(), metrics::TYPE)
}

/// A request, read.
struct Asked {
    at: When,
    /// Other moments of the request.
    moments: Vec<When>,
    offset: usize,
    limit: usize,
    given: Json,
    if_none_match: Option<String>,
    configuration: ConfigurationRequest,
    /// The query string without `at` and `offset`.
    query: Vec<(String, String)>,
}

async fn handle(State(route): State<Arc<Route>>, request: Request) -> Response<Body> {
    let asked = match route.read(request).await {
        Ok(asked) => asked,
        Err(response) => return *response,
    };
    route.work(asked).await.unwrap_or_else(answer::error)
}

impl Route {
    async fn read(&self, request: Request) -> Result<Asked, Box<Response<Body>>> {
        let (parts, body) = request.into_parts();
        let given = match self.endpoint.method {
            Method::Get => None,
            Method::Post => Some(read_body(&parts.headers, body).await?),
        };
        let if_none_match = parts.headers.get(header::IF_NONE_MATCH);
        let if_none_match = if_none_match.and_then(|tags| tags.to_str().ok()).map(str::to_owned);
        let query = parts.uri.query().unwrap_or_default();
        let query = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        self.asked(query, given, if_none_match).map_err(|problem| Box::new(answer::error(problem)))
    }

    fn asked(
        &self,
        mut query: Vec<(String, String)>,
        body: Option<Json>,
        if_none_match: Option<String>,
    ) -> Result<Asked, Problem> {
        let mut take = |name: &str, is_known: bool| {
            let at = query.iter().position(|(known, _)| is_known && known == name)?;
            Some(query.remove(at).1)
        };
        let at = take("at", self.endpoint.is_about_a_moment());
        let configuration = take("configuration", self.endpoint.is_about_a_moment());
        let pages = self.endpoint.pages;
        let (offset, limit) = (take("offset", pages.is_some()), take("limit", pages.is_some()));
        let at = at
            .map_or(Ok(When::Now), |at| When::parse(&at))
            .map_err(asof_engine::EngineError::from)?;
        let configuration: ConfigurationRequest =
            configuration.unwrap_or_default().parse().map_err(asof_engine::EngineError::from)?;
        if configuration != ConfigurationRequest::default() {
            query.push(("configuration".to_owned(), configuration.to_string()));
        }
        let offset = number("offset", offset, 0..=u32::MAX as usize)?.unwrap_or_default();
        let limit = number("limit", limit, 1..=MAX_LIMIT)?;
        if limit.is_some_and(|limit| pages.is_some_and(|pages| limit != pages.default)) {
            query.push(("limit".to_owned(), limit.unwrap_or_default().to_string()));
        }
        let own = query
            .iter()
            .filter(|(name, _)| name != "configuration" && (pages.is_none() || name != "limit"));
        let own: Vec<_> = own.cloned().collect();
        let limit = limit.or(pages.map(|pages| pages.default)).unwrap_or(MAX_LIMIT);
        let mut given = match body {
            None => parameters::read(&self.parameters, &own)?,
            Some(given) => {
                parameters::read(&[], &own)?;
                parameters::check(&self.parameters, &given)?;
                given
            }
        };
        if let Some(fields) = given.as_object_mut()
            && pages.is_some()
            && self.has_limit
        {
            fields.insert("limit".to_owned(), offset.saturating_add(limit).into());
        }
        let moments = match self.endpoint.depends_on {
            DependsOn::Moments(names) => names,
            DependsOn::More => &[],
        };
        let moments = moments.iter().filter_map(|name| given.get(*name)?.as_str());
        let moments = moments.map(When::parse).collect::<Result<Vec<_>, _>>();
        let moments = moments.map_err(asof_engine::EngineError::from)?;
        Ok(Asked { at, moments, offset, limit, given, if_none_match, configuration, query })
    }

    /// Answers on a thread of its own.
    async fn work(self: Arc<Self>, asked: Asked) -> Result<Response<Body>, Problem> {
        let shared = Arc::clone(&self.shared);
        let answer = move |stop| {
            let done = self.answer(&asked, stop);
            if let Err(problem) = &done {
                self.trace(&asked, &problem.message);
            }
            done
        };
        shared.run(answer).await
    }

    fn trace(&self, asked: &Asked, answer: &str) {
        if let Some(trace) = &self.shared.trace {
            trace.call(self.endpoint.path, &asked.given.to_string(), answer);
        }
    }

    fn answer(&self, asked: &Asked, stop: Arc<AtomicBool>) -> Result<Response<Body>, Problem> {
        let database = self.shared.workspace.database(&stop, &Silent)?;
        let ask = Ask { database, stop, actor: "http".to_owned() };
        let (answer, caching) = match &self.endpoint.run {
            Run::OfDatabase(run) => (run(&ask, asked.given.clone())?, Caching::NONE),
            Run::AtMoment(run) => {
                let workspace = &self.shared.workspace;
                let database = if self.endpoint.of_history {
                    Arc::clone(&ask.database)
                } else {
                    workspace.database_at(&asked.at, &ask.stop, &Silent)?
                };
                let snapshot = database.snapshot(&asked.at, Refresh::IfFree)?;
                let snapshot = snapshot.under(asked.configuration.clone())?;
                let caching = match self.endpoint.depends_on {
                    DependsOn::Moments(_) => Caching::new(&snapshot, &asked.at, &asked.moments),
                    DependsOn::More => Caching::NONE,
                };
                if caching.matches(asked.if_none_match.as_deref()) {
                    let mut response = Response::new(Body::empty());
                    *response.status_mut() = StatusCode::NOT_MODIFIED;
                    caching.write(response.headers_mut());
                    return Ok(response);
                }
                (run(&Moment { ask: &ask, at: &asked.at, snapshot }, asked.given.clone())?, caching)
            }
        };
        let revision = answer.pointer("/basis/revision").and_then(Json::as_str).map(str::to_owned);
        let Page { bytes, next } =
            answer::page(answer, self.endpoint.pages, asked.offset, asked.limit)?;
        self.trace(asked, &String::from_utf8_lossy(&bytes));
        let mut response = answer::with_type(bytes, "application/json");
        let headers = response.headers_mut();
        caching.write(headers);
        if let Some(link) = next.and_then(|next| self.link(asked, next, revision)) {
            headers.insert(header::LINK, link);
        }
        Ok(response)
    }

    /// The next page, of the same revision.
    fn link(&self, asked: &Asked, next: usize, revision: Option<String>) -> Option<HeaderValue> {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(&asked.query).append_pair("offset", &next.to_string());
        if let Some(revision) = revision.filter(|_| self.endpoint.is_about_a_moment()) {
            query.append_pair("at", &revision);
        }
        let link = format!("<{}?{}>; rel=\"next\"", self.endpoint.path, query.finish());
        HeaderValue::from_str(&link).ok()
    }
}

/// A JSON object.
async fn read_body(headers: &header::HeaderMap, body: Body) -> Result<Json, Box<Response<Body>>> {
    let refuse = |code: StatusCode, message: String| {
        let hint = Hint::advice("send a JSON object with `Content-Type: application/json`");
        let problem = Problem::bad_request(message, hint);
        Box::new(answer::refusal(code, code.canonical_reason().unwrap_or_default(), problem))
    };
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let kind = kind.and_then(|kind| kind.split(';').next()).unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/json") {
        let message = "the body must be JSON".to_owned();
        return Err(refuse(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
    }
    let bytes = match timeout(BODY, to_bytes(body, MAX_BODY)).await {
        Err(_) => {
            let message = format!("the body took longer than {BODY:?}");
            return Err(refuse(StatusCode::REQUEST_TIMEOUT, message));
        }
        Ok(Err(_)) => {
            let message = format!("the body could not be read, or has more than {MAX_BODY} bytes");
            return Err(refuse(StatusCode::PAYLOAD_TOO_LARGE, message));
        }
        Ok(Ok(bytes)) => bytes,
    };
    serde_json::from_slice::<Map<String, Json>>(&bytes).map(Json::Object).map_err(|error| {
        refuse(StatusCode::BAD_REQUEST, format!("the body is not a JSON object: {error}"))
    })
}

fn number(
    name: &str,
    text: Option<String>,
    range: std::ops::RangeInclusive<usize>,
) -> Result<Option<usize>, Problem> {
    let Some(text) = text else { return Ok(None) };
    match text.parse().ok().filter(|number| range.contains(number)) {
        Some(number) => Ok(Some(number)),
        None => {
            let (low, high) = (range.start(), range.end());
            let shown: String = text.chars().take(100).collect();
            let message =
                format!("`{name}` must be an integer from {low} to {high}, got `{shown}`");
            Err(Problem::bad_request(message, ""))
        }
    }
}
