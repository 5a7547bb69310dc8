//! Parses canonical paths as users write them.

use std::fmt;

use asof_model::{Hint, normalize_identifier};
use asof_query::{InImpl, PathQuery};
use asof_syntax::without_lifetimes;

/// A path to a definition: `crate::a::f`, `pkg::a::Type::method`,
/// `<crate::Type as crate::Trait>::method`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CanonicalPath {
    /// The leading `<Type as Trait>`, if any.
    pub self_type: Option<SelfType>,
    /// Segments without `r#` and generic arguments; `crate` or a crate's name first, unless
    /// the path begins with a type in `<…>`.
    pub segments: Vec<String>,
}

/// The leading `<Type as Trait>` or `<Type>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelfType {
    /// As written, without spaces.
    pub text: String,
    /// As written.
    pub written: String,
    /// Segments, if the type is a path.
    pub path: Vec<String>,
    /// Last segment of the trait with its arguments, as written; none for `<Type>`.
    pub of_trait: Option<String>,
}

/// A text that is not a path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a path: {reason}")]
pub struct PathError {
    pub text: String,
    pub reason: &'static str,
}

impl PathError {
    /// What a path looks like.
    pub fn hint(&self) -> Hint {
        "write it like `crate::module::item`, `package::Type::method` or \
         `<crate::Type as Trait>::method`"
            .into()
    }
}

/// Maximum length of a path, in bytes.
const MAX_LEN: usize = 4096;

impl CanonicalPath {
    /// Parses a path. Whitespace around segments, generic arguments of segments, backticks around
    /// it and `()` after it are dropped.
    pub fn parse(text: &str) -> Result<Self, PathError> {
        let error = |reason| PathError { text: text.chars().take(200).collect(), reason };
        if text.len() > MAX_LEN {
            return Err(error("it is too long"));
        }
        let text = &*normalize_identifier(text);
        let trimmed = text.trim().trim_matches('`').trim_start_matches("::");
        // A call means the function.
        let trimmed = trimmed.strip_suffix("()").unwrap_or(trimmed);
        if trimmed.is_empty() {
            return Err(error("it is empty"));
        }
        if let Some(rest) = trimmed.strip_prefix('<') {
            let (inner, after) = split_angle(rest).ok_or_else(|| error("`<` is not closed"))?;
            let (ty, of_trait) = match split_as(inner) {
                Some((ty, of_trait)) => (ty.trim(), Some(without_path(of_trait.trim()))),
                None => (inner.trim(), None),
            };
            let segments = match after.trim() {
                "" => Vec::new(),
                after => {
                    let after = after.strip_prefix("::").ok_or_else(|| error("`::` expected"))?;
                    split_segments(after).map_err(error)?
                }
            };
            let path = split_segments(ty).unwrap_or_default();
            let self_type = SelfType { text: squeeze(ty), written: ty.to_owned(), path, of_trait };
            return Ok(Self { self_type: Some(self_type), segments });
        }
        let segments = split_segments(trimmed).map_err(error)?;
        Ok(Self { self_type: None, segments })
    }

    /// The path in the form that `resolve/path` takes, without filters.
    pub fn query(&self) -> PathQuery {
        let Some(ty) = &self.self_type else {
            return PathQuery { path: self.segments.join("::"), ..PathQuery::default() };
        };
        // Paths are stored without lifetimes and with the spaces of rustfmt.
        let mut spellings = vec![without_lifetimes(&ty.text), ty.written.clone()];
        spellings.extend(ty.path.last().cloned());
        let in_impl = InImpl {
            item: self.segments.join("::"),
            of_trait: ty.of_trait.as_deref().map(without_lifetimes),
            spellings,
        };
        PathQuery { path: ty.path.join("::"), in_impl: Some(in_impl), ..PathQuery::default() }
    }

    /// The segment after the first `matched` ones; for `<Type as Trait>::item`, the item.
    pub fn segment(&self, matched: usize) -> Option<String> {
        match &self.self_type {
            None => self.segments.get(matched).cloned(),
            Some(ty) => self.segments.last().cloned().or_else(|| {
                let bare = ty.text.split('<').next();
                bare.map(str::to_owned)
            }),
        }
    }

    /// The last segment: the bare name.
    pub fn name(&self) -> Option<&str> {
        self.segments.last().map(String::as_str)
    }
}

impl fmt::Display for CanonicalPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rest = self.segments.join("::");
        match &self.self_type {
            None => f.write_str(&rest),
            Some(ty) => {
                match &ty.of_trait {
                    Some(of_trait) => write!(f, "<{} as {of_trait}>", ty.text)?,
                    None => write!(f, "<{}>", ty.text)?,
                }
                if rest.is_empty() { Ok(()) } else { write!(f, "::{rest}") }
            }
        }
    }
}

/// The characters of a type and their offsets, without false brackets: of a character literal only
/// the first quote is returned, and the `>` of `->` becomes NUL.
fn marks(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut before = '\0';
    let mut literal_ends = 0;
    text.char_indices().filter_map(move |(at, c)| {
        if at < literal_ends {
            return None;
        }
        if c == '\'' {
            literal_ends = at + char_literal(text.get(at..).unwrap_or_default());
        }
        let arrow = c == '>' && before == '-';
        before = c;
        Some((at, if arrow { '\0' } else { c }))
    })
}

/// Length of the character literal at the start of the text; 0 if it is a lifetime.
fn char_literal(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    match chars.next() {
        Some((_, '\\')) => {
            let end = chars.skip(1).find(|(_, c)| *c == '\'');
            end.map_or(0, |(at, _)| at + 1)
        }
        Some(_) => match chars.next() {
            Some((at, '\'')) => at + 1,
            _ => 0,
        },
        None => 0,
    }
}

/// The text up to the closing `>`, and the rest; the opening `<` is already consumed.
fn split_angle(text: &str) -> Option<(&str, &str)> {
    let mut depth = 1usize;
    for (at, c) in marks(text) {
        match c {
            '<' => depth += 1,
            '>' => {
                depth -= 1;
                if depth == 0 {
                    return Some((text.get(..at)?, text.get(at + 1..)?));
                }
            }
            _ => {}
        }
    }
    None
}

/// Splits at ` as ` outside of nested brackets.
fn split_as(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0usize;
    for (at, c) in marks(text) {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth = depth.saturating_sub(1),
            ' ' if depth == 0 && text.get(at..)?.starts_with(" as ") => {
                return Some((text.get(..at)?, text.get(at + 4..)?));
            }
            _ => {}
        }
    }
    None
}

/// `a::b::Trait<X>` → `Trait<X>`.
fn without_path(of_trait: &str) -> String {
    let head = of_trait.find('<').unwrap_or(of_trait.len());
    let (path, args) = of_trait.split_at(head);
    let last = path.rsplit("::").next().unwrap_or(path).trim();
    squeeze(&format!("{}{args}", last.trim_start_matches("r#")))
}

/// Drops spaces that do not separate words, so that two spellings of a type compare equal.
pub(super) fn squeeze(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut pending = false;
    for c in text.chars() {
        if c.is_whitespace() {
            pending = true;
            continue;
        }
        let word = |c: char| c.is_alphanumeric() || c == '_';
        if pending && out.chars().last().is_some_and(word) && word(c) {
            out.push(' ');
        }
        pending = false;
        out.push(c);
    }
    out
}

fn split_segments(text: &str) -> Result<Vec<String>, &'static str> {
    let mut segments = Vec::new();
    let mut current = String::new();
    let mut depth = 0usize;
    let mut separator_ends = 0;
    let mut gap = false;
    for (at, c) in marks(text) {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.checked_sub(1).ok_or("`>` without `<`")?,
            _ if depth > 0 || at < separator_ends => {}
            ':' if text.get(at..).is_some_and(|rest| rest.starts_with("::")) => {
                separator_ends = at + 2;
                gap = false;
                segments.push(std::mem::take(&mut current));
            }
            c if c.is_whitespace() => gap = !current.is_empty(),
            _ if gap && (c.is_alphanumeric() || c == '_') => return Err("a name contains a blank"),
            c if c.is_alphanumeric() || c == '_' || c == '#' || c == '-' => current.push(c),
            _ => return Err("a segment contains an invalid character"),
        }
    }
    if depth > 0 {
        return Err("`<` is not closed");
    }
    segments.push(current);
    // `Type::<T>::method` leaves an empty segment in place of the arguments.
    let last = segments.len().saturating_sub(1);
    let turbofish = text.contains("::<");
    let cleaned: Vec<String> = segments
        .iter()
        .enumerate()
        .filter(|(at, s)| !(turbofish && s.is_empty() && *at <= last))
        .map(|(_, s)| s.strip_prefix("r#").unwrap_or(s).to_owned())
        .collect();
    if cleaned.is_empty() || cleaned.iter().any(|s| s.is_empty() || s.contains('#')) {
        return Err("a segment is empty");
    }
    Ok(cleaned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(CanonicalPath::parse(text).map(|p| p.to_string()).as_deref(), Ok(expected));
    }

    #[test]
    fn spellings_of_one_path_are_one() {
        check("crate::a::f", "crate::a::f");
        check(" ::tokio :: sync::Mutex ", "tokio::sync::Mutex");
        check("a::r#type::r#fn", "a::type::fn");
        check("a::Vec::<u8>::push", "a::Vec::push");
        check("a::Vec<u8>::push", "a::Vec::push");
        check("<crate::T as std::fmt::Debug>::fmt", "<crate::T as Debug>::fmt");
        check("<a::T as From<b::X>>::from", "<a::T as From<b::X>>::from");
        check("< & mut S as Sink >::Error", "<&mut S as Sink>::Error");
        check("<a::T>::new", "<a::T>::new");
        check("<a::F<fn() -> <B as C>::D> as E>::e", "<a::F<fn()-><B as C>::D> as E>::e");
        check("a::F<fn() -> T>::m", "a::F::m");
        check("<a::K<'<'> as E<'\\''>>::e", "<a::K<'<'> as E<'\\''>>::e");
        check("<a::K<'a> as E<&'a str>>::e", "<a::K<'a> as E<&'a str>>::e");
        check("a::K<'a, '>'>::m", "a::K::m");
        check("ünï::cødé", "ünï::cødé");
        check("`a::f`", "a::f");
        check("a::T::new()", "a::T::new");
    }

    #[test]
    fn other_texts_are_refused_with_a_reason() {
        for bad in [
            "", "  ", "a::", "::", "a::::b", "a b; drop", "a b", "a:: b c", "<a::T", "a::b>",
            "\"x\"", "a::#", "a::'b'", "a->b",
        ] {
            assert!(CanonicalPath::parse(bad).is_err(), "{bad:?} was taken for a path");
        }
        assert!(CanonicalPath::parse(&"a::".repeat(10_000)).is_err());
    }
}
