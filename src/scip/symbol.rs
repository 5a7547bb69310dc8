//! Symbols as SCIP writes them: scheme, manager, package, version, and a descriptor for each segment
//! of a path.

/// How the descriptor of a segment ends, which says what it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Suffix {
    Namespace,
    Type,
    Method,
    Macro,
    Term,
}

impl Suffix {
    /// For items of this kind.
    pub fn of_kind(kind: &str) -> Self {
        match kind {
            "function" | "method" => Self::Method,
            "struct" | "enum" | "union" | "trait" | "trait_alias" | "type_alias"
            | "foreign_type" | "assoc_type" | "impl" => Self::Type,
            "module" => Self::Namespace,
            "macro" => Self::Macro,
            _ => Self::Term,
        }
    }

    /// Whether paths of other items lead through one.
    pub fn holds_items(self) -> bool {
        matches!(self, Self::Namespace | Self::Type)
    }

    fn as_str(self) -> &'static str {
        match self {
            Self::Namespace => "/",
            Self::Type => "#",
            Self::Method => "().",
            Self::Macro => "!",
            Self::Term => ".",
        }
    }
}

/// The symbol of an item of a package of Cargo. An empty version is not known.
pub fn symbol(package: &str, version: &str, descriptors: &str) -> String {
    format!("asof cargo {} {} {descriptors}", part(package), part(version))
}

/// One of the parts before the descriptors.
pub fn part(text: &str) -> String {
    // A space ends a part; two are one space in it.
    if text.is_empty() { ".".to_owned() } else { text.replace(' ', "  ") }
}

/// What tells an item from others of its path: a meta descriptor before a segment.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Label {
    /// Index of the segment.
    pub segment: usize,
    /// Any text.
    pub text: String,
}

/// Number of segments of a path.
pub fn segment_count(path: &str) -> usize {
    segments(path).len()
}

/// The descriptors of a path whose last segment ends in `last`; `above` says how the path up to
/// another one ends.
pub fn descriptors(
    path: &str,
    last: Suffix,
    above: impl Fn(&str) -> Suffix,
    labels: &[Label],
) -> String {
    let segments = segments(path);
    let count = segments.len();
    let mut out = String::new();
    for (at, (end, segment)) in segments.into_iter().enumerate() {
        for label in labels.iter().filter(|label| label.segment == at) {
            name(&mut out, &label.text);
            out.push(':');
        }
        name(&mut out, segment);
        let suffix = if at + 1 == count { last } else { above(path.get(..end).unwrap_or(path)) };
        out.push_str(suffix.as_str());
    }
    out
}

/// Writes a name, in backticks unless it is an identifier of SCIP.
fn name(out: &mut String, text: &str) {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '+' | '-' | '$');
    if !text.is_empty() && text.chars().all(is_plain) {
        out.push_str(text);
    } else {
        out.push('`');
        out.push_str(&text.replace('`', "``"));
        out.push('`');
    }
}

/// A symbol of an index of any tool, as far as its text tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SymbolText<'s>(pub &'s str);

impl<'s> SymbolText<'s> {
    /// Whether it only has a meaning within its file: a local variable.
    pub fn is_local(self) -> bool {
        self.0.starts_with("local ")
    }

    /// Whether it is a crate: rust-analyzer gives all crates of a package the same one.
    pub fn is_crate(self) -> bool {
        self.0.ends_with(" crate/")
    }

    /// Whether it is a generic parameter, or an impl.
    pub fn is_parameter(self) -> bool {
        self.0.ends_with(']')
    }

    /// The package that it is of.
    pub fn package(self) -> Option<&'s str> {
        self.0.split(' ').nth(2).filter(|_| !self.is_local())
    }

    /// The name that code uses for it; `None` for crates, impls and locals.
    pub fn name(self) -> Option<&'s str> {
        if self.is_local() || self.is_crate() || self.is_parameter() {
            return None;
        }
        let text = self.0.trim_end_matches(['/', '#', '.', ':', '!']);
        // Of a method, with a number if it is one of several.
        let text = match text.strip_suffix(')') {
            Some(method) => method.rsplit_once('(').map_or(text, |(name, _)| name),
            None => text,
        };
        if let Some(quoted) = text.strip_suffix('`') {
            return quoted.rsplit_once('`').map(|(_, name)| name).filter(|name| !name.is_empty());
        }
        let is_end = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '+' | '-' | '$'));
        text.rsplit(is_end).next().filter(|name| !name.is_empty())
    }
}

/// The last segment of a path; of `<A as b::C>::d`, `d`.
pub fn last_segment(path: &str) -> &str {
    segments(path).last().map_or(path, |(_, segment)| segment)
}

/// Splits a path at `::` outside of `<…>`: each segment with its end.
fn segments(path: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let (mut depth, mut start) = (0_i32, 0);
    let bytes = path.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'<' => depth += 1,
            // `->` is no bracket.
            b'>' if at.checked_sub(1).and_then(|b| bytes.get(b)) != Some(&b'-') => depth -= 1,
            b':' if depth == 0 && at >= start && bytes.get(at + 1) == Some(&b':') => {
                found.extend(path.get(start..at).map(|segment| (at, segment)));
                start = at + 2;
            }
            _ => {}
        }
    }
    found.extend(path.get(start..).map(|segment| (path.len(), segment)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symbol_tells_its_name() {
        let check = |symbol, expected: [Option<&str>; 2]| {
            let text = SymbolText(symbol);
            assert_eq!([text.package(), text.name()], expected, "{symbol}");
        };
        check("local 12", [None, None]);
        check("rust-analyzer cargo a 1.0 crate/", [Some("a"), None]);
        check("rust-analyzer cargo a 1.0 b/f().", [Some("a"), Some("f")]);
        check("rust-analyzer cargo a 1.0 b/f(+1).", [Some("a"), Some("f")]);
        check("rust-analyzer cargo a 1.0 b/S#", [Some("a"), Some("S")]);
        check("rust-analyzer cargo a 1.0 m!", [Some("a"), Some("m")]);
        check("rust-analyzer cargo a 1.0 b/impl#[`S<T>`][Tr]run().", [Some("a"), Some("run")]);
        check("rust-analyzer cargo a 1.0 b/impl#[S]", [Some("a"), None]);
        check("rust-analyzer cargo a 1.0 b/`r#type`.", [Some("a"), Some("r#type")]);
        check("asof cargo a 1.0 a/`<a::S as a::T>`#run().", [Some("a"), Some("run")]);
        check("", [None, None]);
        check("x y z !", [Some("z"), None]);
    }

    #[test]
    fn a_symbol_has_a_descriptor_for_each_segment() {
        let above = |path: &str| match path {
            "a::S" | "<a::S as a::T<u8>>" => Suffix::Type,
            _ => Suffix::Namespace,
        };
        for (kind, path, expected) in [
            ("function", "a::b::f", "a/b/f()."),
            ("method", "a::S::new", "a/S#new()."),
            ("field", "a::S::0", "a/S#0."),
            ("method", "<a::S as a::T<u8>>::run", "`<a::S as a::T<u8>>`#run()."),
            ("macro", "a::m", "a/m!"),
            ("module", "a", "a/"),
        ] {
            let found = descriptors(path, Suffix::of_kind(kind), above, &[]);
            let symbol = symbol("a b", "1.0.0", &found);
            assert_eq!(symbol, format!("asof cargo a  b 1.0.0 {expected}"));
        }
        assert_eq!(symbol("std", "", "std/"), "asof cargo std . std/");
        let label = |segment, text: &str| Label { segment, text: text.to_owned() };
        let labels = [label(0, "bin"), label(2, "impl S<u8>"), label(2, "cfg(unix)")];
        let found = descriptors("a::S::w", Suffix::Method, above, &labels);
        assert_eq!(found, "bin:a/S#`impl S<u8>`:`cfg(unix)`:w().");
        assert_eq!(SymbolText(&symbol("a", "1.0", &found)).name(), Some("w"));
    }
}
