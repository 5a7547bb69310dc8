//! Messages on a stream: a header with their length, then JSON. What cannot be read gets an error
//! response, and reading goes on with the next message.

use std::io::{self, BufRead, Read, Write};

use serde_json::{Value as Json, json};

/// Longest message that is read, in bytes: a text of the largest file, escaped.
const MAX_BYTES: usize = 256 << 20;
/// Longest line of a header.
const MAX_LINE: u64 = 4096;

/// Codes of the specifications of JSON-RPC and LSP.
pub mod codes {
    pub const PARSE_ERROR: i64 = -32_700;
    pub const INVALID_REQUEST: i64 = -32_600;
    pub const METHOD_NOT_FOUND: i64 = -32_601;
    pub const INVALID_PARAMS: i64 = -32_602;
    pub const SERVER_NOT_INITIALIZED: i64 = -32_002;
    pub const REQUEST_FAILED: i64 = -32_803;
    pub const REQUEST_CANCELLED: i64 = -32_800;
}

/// What a client sent.
#[derive(Debug, Clone, PartialEq)]
pub enum Incoming {
    Request {
        id: Json,
        method: String,
        params: Json,
    },
    Notification {
        method: String,
        params: Json,
    },
    /// The answer to a request of the server.
    Response {
        id: Json,
        result: Result<Json, Json>,
    },
    /// No message; the response that says so.
    Broken(Json),
}

/// The next message; none at the end of the stream.
///
/// # Errors
/// Only those of the stream.
pub fn read(input: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    let Some(body) = read_body(input)? else { return Ok(None) };
    Ok(Some(match body {
        Ok(body) => parse(&body),
        Err(reason) => Incoming::Broken(error(Json::Null, codes::PARSE_ERROR, &reason)),
    }))
}

/// The bytes of a message, or why there are none.
fn read_body(input: &mut impl BufRead) -> io::Result<Option<Result<Vec<u8>, String>>> {
    let mut length = None;
    let mut has_header = false;
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(has_header.then(|| Err("the stream ends within a header".to_owned())));
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end_matches(['\r', '\n']);
        if line.is_empty() {
            match length.take() {
                Some(length) => break read_exactly(input, length).map(Some),
                None if has_header => {
                    return Ok(Some(Err("a message without `Content-Length`".to_owned())));
                }
                None => continue,
            }
        }
        has_header = true;
        let Some((name, value)) = line.split_once(':') else { continue };
        // A broken message may end without a line of its own.
        if name.to_ascii_lowercase().ends_with("content-length") {
            length = value.trim().parse::<usize>().ok().filter(|length| *length <= MAX_BYTES);
        }
    }
}

fn read_exactly(input: &mut impl BufRead, length: usize) -> io::Result<Result<Vec<u8>, String>> {
    let mut body = Vec::new();
    let read = input.by_ref().take(length as u64).read_to_end(&mut body)?;
    if read < length {
        return Ok(Err("the stream ends within a message".to_owned()));
    }
    Ok(Ok(body))
}

fn parse(body: &[u8]) -> Incoming {
    let message: Json = match serde_json::from_slice(body) {
        Ok(message) => message,
        Err(reason) => {
            return Incoming::Broken(error(Json::Null, codes::PARSE_ERROR, &reason.to_string()));
        }
    };
    let invalid =
        |id: Json, reason: &str| Incoming::Broken(error(id, codes::INVALID_REQUEST, reason));
    let Json::Object(mut message) = message else {
        return invalid(Json::Null, "a message is an object");
    };
    let id = match message.remove("id") {
        None => None,
        Some(id @ (Json::Number(_) | Json::String(_))) => Some(id),
        Some(_) => return invalid(Json::Null, "an id is a number or a text"),
    };
    let params = message.remove("params").unwrap_or(Json::Null);
    match (message.remove("method"), id) {
        (Some(Json::String(method)), Some(id)) => Incoming::Request { id, method, params },
        (Some(Json::String(method)), None) => Incoming::Notification { method, params },
        (Some(_), id) => invalid(id.unwrap_or(Json::Null), "the method is a text"),
        (None, Some(id)) => {
            let result = match message.remove("error") {
                Some(failure) => Err(failure),
                None => Ok(message.remove("result").unwrap_or(Json::Null)),
            };
            Incoming::Response { id, result }
        }
        (None, None) => invalid(Json::Null, "a message has a method or an id"),
    }
}

/// An error response.
pub fn error(id: Json, code: i64, message: &str) -> Json {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

/// Writes a message.
///
/// # Errors
/// Those of the stream.
pub fn write(output: &mut impl Write, message: &Json) -> io::Result<()> {
    let body = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{body}", body.len())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<Incoming> {
        let mut input = bytes;
        std::iter::from_fn(|| read(&mut input).unwrap()).collect()
    }

    fn framed(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    #[test]
    fn reading_goes_on_after_what_is_no_message() {
        let good = framed(r#"{"id":1,"method":"a","params":[2]}"#);
        for bad in ["X\r\n\r\n", "Content-Length: x\r\n\r\n", "Content-Length: 99999999999\r\n\r\n"]
        {
            let found = all(format!("{bad}{good}").as_bytes());
            assert!(matches!(found[0], Incoming::Broken(_)), "{bad}");
            assert!(matches!(found[1], Incoming::Request { .. }), "{bad}");
        }
        for bad in ["{", "[]", "7", r#"{"id":{}}"#, r#"{"id":1,"method":2}"#, "{}"] {
            let found = all(format!("{}{good}", framed(bad)).as_bytes());
            assert!(matches!(found[0], Incoming::Broken(_)), "{bad}");
            assert!(matches!(found[1], Incoming::Request { .. }), "{bad}");
        }
    }

    #[test]
    fn a_stream_that_ends_is_an_end() {
        assert_eq!(all(b""), []);
        assert!(matches!(all(b"Content-Length: 9\r\n\r\n{")[..], [Incoming::Broken(_)]));
    }

    #[test]
    fn what_is_written_is_read() {
        let mut bytes = Vec::new();
        write(&mut bytes, &json!({ "method": "é", "params": {} })).unwrap();
        let [Incoming::Notification { method, .. }] = &all(&bytes)[..] else { panic!() };
        assert_eq!(method, "é");
    }
}
