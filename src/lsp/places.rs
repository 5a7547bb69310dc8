//! URIs of documents: files on disk, and files at other moments (`asof://REV/path`).

use std::path::{Path, PathBuf};

use asof_wire::UnreadableMoment;
use asof_wire::When;
use gen_lsp_types::Uri;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// The scheme of documents of the past.
pub const SCHEME: &str = "asof";

/// What a path and a revision keep as they are.
const PATH: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'/').remove(b'.').remove(b'-').remove(b'_').remove(b'~');
const REVISION: &AsciiSet = &NON_ALPHANUMERIC.remove(b'.').remove(b'-').remove(b'_').remove(b'~');

/// A document: an absolute path, and a moment if it is of the past.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Document {
    pub path: PathBuf,
    /// As it is written in the name.
    pub revision: Option<String>,
}

impl Document {
    /// None if it is no file that can be read.
    pub fn from_uri(uri: &Uri) -> Option<Self> {
        let (scheme, rest) = uri.0.split_once("://")?;
        let (host, path) = rest.split_at(rest.find('/')?);
        let path = path.split(['?', '#']).next().unwrap_or_default();
        let decode = |text: &str| Some(percent_decode_str(text).decode_utf8().ok()?.into_owned());
        let path = decode(path)?;
        // `/c:/a` is a path of Windows.
        let path = match path.as_bytes() {
            [b'/', letter, b':', ..] if letter.is_ascii_alphabetic() => path.get(1..)?.to_owned(),
            _ => path,
        };
        let revision = match scheme {
            "file" => None,
            SCHEME if !host.is_empty() => Some(decode(host)?),
            _ => return None,
        };
        Some(Self { path: PathBuf::from(path), revision })
    }

    /// The moment that it is of; `NOW` is that of the newest revision.
    ///
    /// # Errors
    /// The revision is no moment.
    pub fn when(&self) -> Result<When, UnreadableMoment> {
        match self.revision.as_deref().map(When::parse).transpose()? {
            None | Some(When::Now) => Ok(When::Newest),
            Some(when) => Ok(when),
        }
    }

    pub fn uri(&self) -> Uri {
        let path = self.path.to_string_lossy().replace('\\', "/");
        let slash = if path.starts_with('/') { "" } else { "/" };
        let path = utf8_percent_encode(&path, PATH);
        Uri(match &self.revision {
            None => format!("file://{slash}{path}"),
            Some(revision) => {
                format!("{SCHEME}://{}{slash}{path}", utf8_percent_encode(revision, REVISION))
            }
        })
    }
}

/// The name of a file on disk.
pub fn file_uri(path: &Path) -> Uri {
    Document { path: path.to_owned(), revision: None }.uri()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for (path, revision) in
            [("/a b/ü.rs", None), ("/a/b.rs", Some("2cf1a9")), ("/a.rs", Some("feature/x~1"))]
        {
            let revision = revision.map(str::to_owned);
            let document = Document { path: path.into(), revision };
            assert_eq!(Document::from_uri(&document.uri()), Some(document));
        }
        assert_eq!(file_uri(Path::new("/a b.rs")).0, "file:///a%20b.rs");
        assert_eq!(Document::from_uri(&Uri("untitled:1".into())), None);
        assert_eq!(Document::from_uri(&Uri("asof:///a.rs".into())), None);
    }
}
