//! A page as a response: its headers, and whether it is compressed.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};

use super::answer;
use asof_web::{assets, login};

/// Nothing but our own files runs or is loaded, and no other page may embed ours.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
    connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

pub fn takes_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT_ENCODING).iter();
    let mut names = values.filter_map(|value| value.to_str().ok()).flat_map(|text| text.split(','));
    names.any(|name| {
        let mut parts = name.trim().split(';');
        let refused = |weight: &str| weight.trim().trim_start_matches("q=").parse() == Ok(0.0);
        parts.next() == Some("gzip") && !parts.any(refused)
    })
}

pub fn encode(headers: &mut HeaderMap, zip: bool) {
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    if zip {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
}

/// Headers of every page.
pub fn protect(headers: &mut HeaderMap) {
    for (name, value) in [
        ("content-security-policy", POLICY),
        // With `no-referrer`, browsers would not say the origin of a form.
        ("referrer-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

pub fn html(code: StatusCode, page: String, zip: bool) -> Response<Body> {
    let bytes = if zip { assets::compressed(page.as_bytes()) } else { page.into_bytes() };
    let mut response = answer::with_type(bytes, "text/html; charset=utf-8");
    *response.status_mut() = code;
    encode(response.headers_mut(), zip);
    protect(response.headers_mut());
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// The page for those who are not signed in.
pub fn sign_in_first(target: &str) -> Response<Body> {
    html(StatusCode::UNAUTHORIZED, login::page(login::safe_next(target), false), false)
}
