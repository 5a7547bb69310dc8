//! Checks before every request, MCP's included: origin, host, token or session.
//!
//! A page that a browser shows must not reach the server: its requests carry an `Origin`, which is
//! refused unless it is the server's own, and a name that an attacker points at this machine is
//! refused as `Host`. There is no CORS: no answer allows a page of another origin to read it.

use std::net::IpAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, Response, StatusCode, header, uri::Authority};
use axum::middleware::Next;

use super::answer::refusal;
use super::page::sign_in_first;
use super::session::Sessions;
use super::token::Token;
use asof_surface::problem::Problem;

/// The one path that needs no token, for supervisors: it says nothing about the workspace.
pub const HEALTH: &str = "/healthz";

/// What requests are checked against.
#[derive(Debug)]
pub struct Guard {
    /// None with `--no-auth`.
    pub token: Option<Token>,
    /// Whether the server listens on loopback only.
    pub loopback: bool,
    /// Names that the server has besides `localhost`.
    pub names: Vec<String>,
    /// Browsers that have signed in.
    pub sessions: Sessions,
    /// Whether there are pages for them.
    pub pages: bool,
}

impl Guard {
    /// # Errors
    /// Why the request is refused.
    fn check(
        &self,
        method: &Method,
        path: &str,
        headers: &HeaderMap,
    ) -> Result<(), (StatusCode, &'static str)> {
        let host =
            single_header(headers, header::HOST).and_then(|host| host.parse::<Authority>().ok());
        let host = host.filter(|host| self.is_ours(host));
        let Some(host) = host else {
            return Err((StatusCode::MISDIRECTED_REQUEST, "`Host` does not name this server"));
        };
        let is_own = |origin: &str| {
            let scheme = |name: &str| origin.strip_prefix(name);
            let authority = scheme("http://").or_else(|| scheme("https://"));
            authority.is_some_and(|name| name.eq_ignore_ascii_case(host.as_str()))
        };
        if headers.contains_key(header::ORIGIN)
            && !single_header(headers, header::ORIGIN).is_some_and(is_own)
        {
            return Err((StatusCode::FORBIDDEN, "`Origin` is not this server"));
        }
        // Neither says anything about the workspace.
        let is_open =
            path == HEALTH || self.pages && (path == "/login" || path.starts_with("/assets/"));
        let Some(token) = self.token.as_ref().filter(|_| !is_open) else { return Ok(()) };
        if self.pages && asof_web::is_page(path) && self.sessions.is_open(headers) {
            // A form of a page says where it comes from.
            return if method.is_safe() || headers.contains_key(header::ORIGIN) {
                Ok(())
            } else {
                Err((StatusCode::FORBIDDEN, "`Origin` is missing"))
            };
        }
        let given = single_header(headers, header::AUTHORIZATION).and_then(bearer);
        if given.is_some_and(|given| token.is(given)) {
            Ok(())
        } else {
            Err((StatusCode::UNAUTHORIZED, "the token is missing or wrong"))
        }
    }

    /// An address cannot be pointed elsewhere by a name server; a name can, so it must be known.
    fn is_ours(&self, host: &Authority) -> bool {
        let name = host.host().trim_start_matches('[').trim_end_matches(']');
        if host.as_str().contains('@') {
            return false;
        }
        match name.parse::<IpAddr>() {
            Ok(address) => address.is_loopback() || !self.loopback,
            Err(_) => {
                name.eq_ignore_ascii_case("localhost")
                    || self.names.iter().any(|known| known.eq_ignore_ascii_case(name))
            }
        }
    }
}

/// The value of a header that is there once.
fn single_header(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}

fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// The layer.
pub async fn guard(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Response<Body> {
    let path = request.uri().path();
    match guard.check(request.method(), path, request.headers()) {
        Ok(()) => next.run(request).await,
        Err((StatusCode::UNAUTHORIZED, _))
            if guard.pages && asof_web::is_page(path) && request.method().is_safe() =>
        {
            sign_in_first(request.uri().path_and_query().map_or("/", |target| target.as_str()))
        }
        Err((code, message)) => {
            let hint = match code {
                StatusCode::UNAUTHORIZED => {
                    "send `Authorization: Bearer` with the content of `.asof/http-token`"
                }
                StatusCode::MISDIRECTED_REQUEST => {
                    "use the address that the server listens on; `--allow-host` adds a name"
                }
                _ => "browsers may ask from the server's own origin only",
            };
            let problem = Problem::bad_request(message, hint);
            refusal(code, code.canonical_reason().unwrap_or_default(), problem)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(guard: &Guard, headers: &[(header::HeaderName, &str)], expected: u16) {
        let headers: HeaderMap =
            headers.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect();
        let code = guard
            .check(&Method::GET, "/api/status", &headers)
            .map_or_else(|(code, _)| code.as_u16(), |()| 200);
        assert_eq!(code, expected, "{headers:?}");
    }

    #[test]
    fn only_known_hosts_and_the_own_origin() {
        let guard = |loopback, names| Guard {
            token: None,
            loopback,
            names,
            sessions: Sessions::new(1),
            pages: true,
        };
        let loopback = guard(true, Vec::new());
        for (host, code) in [
            ("localhost", 200),
            ("LOCALHOST:7878", 200),
            ("127.0.0.1:7878", 200),
            ("127.9.9.9", 200),
            ("[::1]:7878", 200),
            ("evil.example", 421),
            ("localhost.evil.example:7878", 421),
            ("192.168.1.4:7878", 421),
            ("user@localhost", 421),
            ("", 421),
        ] {
            check(&loopback, &[(header::HOST, host)], code);
        }
        check(&loopback, &[], 421);
        let open = guard(false, vec!["code.example".to_owned()]);
        for (host, code) in
            [("192.168.1.4:7878", 200), ("code.example:7878", 200), ("other.example", 421)]
        {
            check(&open, &[(header::HOST, host)], code);
        }
        for (origin, code) in [
            ("http://localhost:7878", 200),
            ("http://localhost:3000", 403),
            ("https://evil.example", 403),
            ("null", 403),
            ("http://localhost:7878.evil.example", 403),
        ] {
            let headers = [(header::HOST, "localhost:7878"), (header::ORIGIN, origin)];
            check(&loopback, &headers, code);
        }
    }
}
