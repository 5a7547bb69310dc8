//! Sessions of browsers, which cannot send the token with each request. A session begins with the
//! token, or with a code that works once, and ends with the server. It opens pages only: the API and
//! MCP want the token.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::{HeaderMap, header};
use uuid::Uuid;

/// Sessions at a time; the oldest ends when another begins.
const MOST: usize = 64;
/// How long a code works.
const CODE: Duration = Duration::from_secs(300);

/// The sessions of a server.
#[derive(Debug)]
pub struct Sessions {
    /// Name of the cookie. Browsers send the cookies of a host to all of its ports.
    cookie: String,
    /// Hashes, which are compared in constant time.
    open: Mutex<Vec<blake3::Hash>>,
    codes: Mutex<Vec<(blake3::Hash, Instant)>>,
}

impl Sessions {
    pub fn new(port: u16) -> Self {
        let cookie = format!("asof-{port}");
        Self { cookie, open: Mutex::default(), codes: Mutex::default() }
    }

    /// A code that begins one session.
    pub fn code(&self) -> String {
        let code = secret();
        let mut codes = self.codes.lock().unwrap_or_else(PoisonError::into_inner);
        codes.push((blake3::hash(code.as_bytes()), Instant::now()));
        code
    }

    /// Whether this is a code that was not used before; it is now.
    pub fn redeem(&self, code: &str) -> bool {
        let given = blake3::hash(code.as_bytes());
        let mut codes = self.codes.lock().unwrap_or_else(PoisonError::into_inner);
        codes.retain(|(_, since)| since.elapsed() < CODE);
        let known = codes.iter().position(|(code, _)| *code == given);
        known.map(|at| codes.remove(at)).is_some()
    }

    /// Begins a session; returns the value of `Set-Cookie`.
    pub fn begin(&self) -> String {
        let session = secret();
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.len() >= MOST {
            open.remove(0);
        }
        open.push(blake3::hash(session.as_bytes()));
        format!("{}={session}; Path=/; HttpOnly; SameSite=Lax", self.cookie)
    }

    /// Whether a request belongs to a session.
    pub fn is_open(&self, headers: &HeaderMap) -> bool {
        let cookies =
            headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut values = cookies.flat_map(|value| value.split(';')).filter_map(|pair| {
            let (name, value) = pair.trim().split_once('=')?;
            (name == self.cookie).then_some(value)
        });
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        values.any(|value| open.contains(&blake3::hash(value.as_bytes())))
    }
}

fn secret() -> String {
    format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_cookie(cookie: &str) -> HeaderMap {
        HeaderMap::from_iter([(header::COOKIE, cookie.parse().unwrap())])
    }

    #[test]
    fn a_code_works_once() {
        let sessions = Sessions::new(1);
        let code = sessions.code();
        assert!(!sessions.redeem("0") && sessions.redeem(&code) && !sessions.redeem(&code));
    }

    #[test]
    fn a_session_is_known_by_its_cookie() {
        let sessions = Sessions::new(7878);
        let set = sessions.begin();
        let cookie = set.split(';').next().unwrap().to_owned();
        assert!(sessions.is_open(&with_cookie(&format!("a=b; {cookie}"))));
        assert!(!sessions.is_open(&with_cookie(&cookie.replace("7878", "7879"))));
        assert!(!sessions.is_open(&with_cookie("asof-7878=")));
        assert!(!sessions.is_open(&HeaderMap::new()));
        for _ in 0..MOST {
            sessions.begin();
        }
        assert!(!sessions.is_open(&with_cookie(&cookie)), "the oldest has ended");
    }
}
