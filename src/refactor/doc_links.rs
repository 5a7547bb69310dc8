//! Links of documentation that name items (The rustdoc book, "Linking to items by name").

use pulldown_cmark::{BrokenLink, CowStr, Event, Options, Parser, Tag};

use super::doc_text::{DocText, doc_texts};
use super::words::words;
use asof_model::{ByteRange, NodeKind};

/// A link of documentation that names an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocLink {
    /// The link in the source, brackets included, or the definition of where one leads.
    pub bytes: ByteRange,
    /// The last name of the path, if the link itself has it; else the link.
    pub name: ByteRange,
    /// Without the kind, and without generic arguments.
    pub path: String,
    /// What it says of the kind of the item.
    kind: Option<&'static Kind>,
}

impl DocLink {
    /// Whether an item of a kind is meant, by what the link says.
    pub fn fits(&self, kind: NodeKind) -> bool {
        self.kind.is_none_or(|said| said.kinds.contains(&kind))
    }
}

/// A word before `@`, and what may be meant with it.
#[derive(Debug, PartialEq, Eq)]
struct Kind {
    words: &'static [&'static str],
    kinds: &'static [NodeKind],
}

use NodeKind::{
    AssocConst, AssocType, Const, Enum, Field, Function, Macro, Method, Module, Static, Struct,
    Trait, TypeAlias, Union, Variant,
};

const FUNCTION: Kind = Kind { words: &["fn", "function", "method"], kinds: &[Function, Method] };
const MACRO: Kind = Kind { words: &["macro", "derive", "attr"], kinds: &[Macro] };

const KINDS: &[Kind] = &[
    FUNCTION,
    MACRO,
    Kind { words: &["struct"], kinds: &[Struct] },
    Kind { words: &["enum"], kinds: &[Enum] },
    Kind { words: &["union"], kinds: &[Union] },
    Kind { words: &["trait"], kinds: &[Trait] },
    Kind { words: &["mod", "module"], kinds: &[Module] },
    Kind { words: &["const", "constant"], kinds: &[Const, AssocConst] },
    Kind { words: &["static"], kinds: &[Static] },
    Kind { words: &["field"], kinds: &[Field] },
    Kind { words: &["variant"], kinds: &[Variant] },
    Kind { words: &["tyalias", "typealias"], kinds: &[TypeAlias] },
    Kind {
        words: &["type"],
        kinds: &[Struct, Enum, Union, Trait, Module, TypeAlias, AssocType, Variant],
    },
    Kind {
        words: &["value"],
        kinds: &[Function, Method, Const, AssocConst, Static, Struct, Variant],
    },
    // Primitive types are no items.
    Kind { words: &["prim", "primitive"], kinds: &[] },
];

/// The links of a source text's documentation that name items, in order.
pub fn doc_links(source: &str) -> Vec<DocLink> {
    let mut found: Vec<DocLink> =
        doc_texts(source).iter().flat_map(|doc| links_of(source, doc)).collect();
    found.sort_by_key(|link| (link.bytes.start, link.bytes.end));
    found
}

fn links_of(source: &str, doc: &DocText) -> Vec<DocLink> {
    // What no definition says leads to what it is called.
    let by_name = |link: BrokenLink<'_>| {
        Some((CowStr::from(link.reference.to_string()), CowStr::from(String::new())))
    };
    let parser = Parser::new_with_broken_link_callback(&doc.text, Options::empty(), Some(by_name));
    let events = parser.into_offset_iter();
    let definitions: Vec<(String, std::ops::Range<usize>)> = events
        .reference_definitions()
        .iter()
        .map(|(_, definition)| (definition.dest.to_string(), definition.span.clone()))
        .collect();
    let links = events.filter_map(|(event, range)| match event {
        Event::Start(Tag::Link { dest_url, .. }) => Some((dest_url.to_string(), range)),
        _ => None,
    });
    let all: Vec<(String, std::ops::Range<usize>)> = links.chain(definitions).collect();
    all.into_iter().filter_map(|(to, range)| link(source, doc, &to, range)).collect()
}

fn link(source: &str, doc: &DocText, to: &str, range: std::ops::Range<usize>) -> Option<DocLink> {
    let (path, kind) = named(to)?;
    let last = range.end.checked_sub(1).filter(|last| *last >= range.start)?;
    let bytes = ByteRange::new(doc.source_byte(range.start), doc.source_byte(last) + 1);
    let written = bytes.slice(source)?;
    let name = path.rsplit("::").next().unwrap_or_default();
    let own = words(written, name).last().map(|at| {
        let start = bytes.start + at as u32;
        ByteRange::new(start, start + name.len() as u32)
    });
    Some(DocLink { bytes, name: own.unwrap_or(bytes), path, kind })
}

/// The path that the destination of a link names, and what it says of its kind; none if it is an
/// address.
fn named(to: &str) -> Option<(String, Option<&'static Kind>)> {
    let bare = to.replace('`', "");
    let bare = bare.split('#').next()?.trim();
    let (kind, rest) = match bare.split_once('@') {
        Some((word, rest)) => {
            (Some(KINDS.iter().find(|kind| kind.words.contains(&word))?), rest.trim())
        }
        None => (None, bare),
    };
    let calls =
        [("!()", &MACRO), ("![]", &MACRO), ("!{}", &MACRO), ("!", &MACRO), ("()", &FUNCTION)];
    let call = calls.iter().find_map(|(end, kind)| Some((rest.strip_suffix(end)?, *kind)));
    let (rest, kind) = match call {
        Some((rest, said)) => (rest, kind.or(Some(said))),
        None => (rest, kind),
    };
    let path = without_generics(rest);
    let is_name = |part: &str| {
        let mut chars = part.strip_prefix("r#").unwrap_or(part).chars();
        chars.next().is_some_and(|c| c == '_' || c.is_alphabetic())
            && chars.all(|c| c == '_' || c.is_alphanumeric())
    };
    let from_root = path.strip_prefix("::").unwrap_or(&path);
    from_root.split("::").all(is_name).then_some((path, kind))
}

/// `Vec<T>::new` as `Vec::new`.
fn without_generics(path: &str) -> String {
    let mut depth = 0_u32;
    let mut out = String::new();
    for c in path.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            c if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out.replace("::::", "::")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The links of a text: what each is written as, and the path that it names.
    fn check(source: &str, expected: &[(&str, &str)]) {
        let found = doc_links(source);
        let found: Vec<(&str, &str)> =
            found.iter().map(|one| (one.bytes.slice(source).unwrap(), one.path.as_str())).collect();
        assert_eq!(found, expected, "{source}");
    }

    #[test]
    fn links_name_items() {
        check(
            "/// [`a::B`] and [c](D::e).\nfn f() {}",
            &[("[`a::B`]", "a::B"), ("[c](D::e)", "D::e")],
        );
        check(
            "//! [text][g] [Vec<T>::new] [h#part]",
            &[("[text][g]", "g"), ("[Vec<T>::new]", "Vec::new"), ("[h#part]", "h")],
        );
        check(
            "/// [`It`].\n///\n/// [`It`]: m::Other\nfn f() {}",
            &[("[`It`]", "m::Other"), ("[`It`]: m::Other", "m::Other")],
        );
        check("#[doc = \"[`One`]\"] fn f() {}", &[("[`One`]", "One")]);
        check("/** [crate::a] */ fn f() {}", &[("[crate::a]", "crate::a")]);
    }

    #[test]
    fn addresses_code_and_other_brackets_name_nothing() {
        check("/// [f()](https://x.org/f) [a b] [1] [^x] [x/y] [](y.html)\nfn f() {}", &[]);
        check("/// ```\n/// [h]\n/// ```\n/// `[i]` \\[j]\n// [k]\nfn f() {}", &[]);
        check("/// [no@thing]\nfn f() {}", &[]);
    }

    #[test]
    fn links_say_kinds() {
        let kinds = |source: &str| {
            let all = doc_links(source);
            let [only] = all.as_slice() else { panic!("one link") };
            [Function, Macro, Struct, Module].map(|kind| only.fits(kind))
        };
        assert_eq!(kinds("/// [f]\nfn g() {}"), [true, true, true, true]);
        assert_eq!(kinds("/// [f()]\nfn g() {}"), [true, false, false, false]);
        assert_eq!(kinds("/// [f!]\nfn g() {}"), [false, true, false, false]);
        assert_eq!(kinds("/// [mod@f]\nfn g() {}"), [false, false, false, true]);
        assert_eq!(kinds("/// [type@f]\nfn g() {}"), [false, false, true, true]);
    }

    #[test]
    fn the_last_name_of_a_link_is_known() {
        let name = |source: &str| {
            let link = doc_links(source).swap_remove(0);
            link.name.slice(source).unwrap().to_owned()
        };
        assert_eq!(name("/// [`a::a()`]\nfn f() {}"), "a");
        assert_eq!(name("/// [here](m::B)\nfn f() {}"), "B");
        assert_eq!(name("/// [here][b]\n///\n/// [b]: m::C\nfn f() {}"), "[here][b]");
    }
}
