//! Addresses of pages. All state of a page is in its address.

use asof_model::NodeId;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// What stays as it is in the path of an address.
const PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'/')
    .remove(b':')
    .remove(b',')
    .remove(b'@')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'=')
    .remove(b';');

/// A path as text; bytes that are not UTF-8 are replaced.
pub fn decoded(path: &str) -> String {
    percent_decode_str(path).decode_utf8_lossy().into_owned()
}

/// Text as a part of a path.
pub fn encoded(text: &str) -> String {
    // Browsers take out `.` and `..` between slashes.
    let dots = |part: &str| part.bytes().all(|byte| byte == b'.') && !part.is_empty();
    if text.split('/').any(dots) {
        utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
    } else {
        utf8_percent_encode(text, PATH).to_string()
    }
}

/// Makes the links of a page: they keep its moment.
#[derive(Debug, Clone, Default)]
pub struct Links {
    at: Option<String>,
    /// As in the address.
    configuration: Option<String>,
}

impl Links {
    pub fn new(at: Option<String>) -> Self {
        Self { at, configuration: None }
    }

    /// The same pages under a configuration.
    pub fn under(self, configuration: Option<String>) -> Self {
        Self { configuration, ..self }
    }

    /// The configuration of the links, as in the address.
    pub fn configuration(&self) -> Option<&str> {
        self.configuration.as_deref()
    }

    /// The moment of the links, as in the address.
    pub fn at(&self) -> Option<&str> {
        self.at.as_deref()
    }

    /// The same page parts at another moment.
    pub fn at_moment(&self, at: &str) -> Self {
        Self { at: Some(at.to_owned()), ..self.clone() }
    }

    /// A page without parameters.
    pub fn to(&self, path: &str) -> String {
        self.with(path, &[])
    }

    /// A page with parameters. `path` is encoded.
    pub fn with(&self, path: &str, query: &[(&str, &str)]) -> String {
        let mut out = form_urlencoded::Serializer::new(String::new());
        out.extend_pairs(query);
        if let Some(at) = &self.at {
            out.append_pair("at", at);
        }
        if let Some(configuration) = &self.configuration {
            out.append_pair("configuration", configuration);
        }
        match out.finish() {
            query if query.is_empty() => path.to_owned(),
            query => format!("{path}?{query}"),
        }
    }

    /// An item by its canonical path.
    pub fn item(&self, path: &str) -> String {
        self.to(&format!("/i/{}", encoded(path)))
    }

    /// An item without a path of its own, or one of several with the same path.
    pub fn item_by_id(&self, name: &str, id: NodeId) -> String {
        let name = if name.is_empty() { "_" } else { name };
        self.with(&format!("/i/{}", encoded(name)), &[("id", &id.to_string())])
    }

    /// The item at a path, or by its id if it has no path.
    pub fn item_or_id(&self, path: Option<&str>, name: &str, id: NodeId) -> String {
        match path {
            Some(path) => self.item(path),
            None => self.item_by_id(name, id),
        }
    }

    /// A folder or file.
    pub fn file(&self, path: &str) -> String {
        self.to(&format!("/f/{}", encoded(path)))
    }

    /// A line of a file.
    pub fn line(&self, path: &str, line: u32) -> String {
        let path = format!("/f/{}", encoded(path));
        format!("{}#L{line}", self.with(&path, &[("line", &line.to_string())]))
    }

    /// What differs between two moments; all, or below a path.
    pub fn diff(a: &str, b: &str, path: &str) -> String {
        let range = format!("/diff/{}..{}", encoded(a), encoded(b));
        if path.is_empty() { range } else { format!("{range}/{}", encoded(path)) }
    }

    /// What of the difference of two moments is left to read.
    pub fn review(a: &str, b: &str) -> String {
        format!("/review/{}..{}", encoded(a), encoded(b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_survives_an_address() {
        for text in [
            "a::b::C",
            "<a::T<'x, u8> as B>::f",
            "src/a b/ü?#&%.rs",
            "a/../b",
            "..",
            "\"><script>alert(1)</script>",
            "100%",
        ] {
            let link = Links::default().item(text);
            let (path, query) = link.split_once('?').unwrap_or((&link, ""));
            assert_eq!(decoded(path.strip_prefix("/i/").unwrap()), text, "{link}");
            assert_eq!(query, "");
            assert!(!link.contains(['"', '<', '>', '#', ' ', '\'']), "{link}");
            assert!(!link.split('/').any(|part| part == ".."), "{link}");
        }
    }

    #[test]
    fn links_keep_the_moment() {
        let links = Links::new(Some("v1.0 & more".to_owned()));
        assert_eq!(links.to("/quality"), "/quality?at=v1.0+%26+more");
        assert_eq!(links.line("src/a.rs", 7), "/f/src/a.rs?line=7&at=v1.0+%26+more#L7");
        assert_eq!(Links::default().to("/"), "/");
    }
}
