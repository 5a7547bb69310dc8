//! Tags of a file: words of its path and of the names of its items, dependencies that it imports
//! from, and attributes. The first two follow from the file's stored terms; the others are stored
//! with them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::file_terms::FileTerms;
use super::terms::{Term, term_of, words};
use super::vocabulary::is_stop_word;
use asof_model::{FileFacts, Header, NodeKind, identifier_parts};

/// Shorter words are no tags.
const SHORTEST: usize = 3;

/// Stored tags of a file; further ones are left out.
const MAX_STORED: usize = 64;

/// Folders and files whose names every package has.
const COMMON_NAMES: &[&str] = &["crates", "lib", "main", "mod", "src"];

/// Attributes that say how to compile or check an item, not what it is about.
const COMMON_ATTRIBUTES: &[&str] = &[
    "allow", "cfg_attr", "clippy", "cold", "default", "deny", "deprecated", "derive", "doc",
    "expect", "forbid", "ignore", "inline", "must_use", "non_exhaustive", "path", "repr",
    "rustfmt", "track_caller", "warn",
];

/// Traits that most types derive.
const COMMON_DERIVES: &[&str] =
    &["Clone", "Copy", "Debug", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd"];

/// Words of predicates that are no names.
const PREDICATES: &[&str] =
    &["all", "any", "not", "test", "feature", "target_os", "target_family", "target_arch"];

/// Dependencies and attributes of a file, in lower case, sorted.
pub(super) fn stored_tags(facts: &FileFacts) -> Vec<String> {
    let mut found = BTreeSet::new();
    let modules: BTreeSet<&str> = facts
        .items
        .iter()
        .filter(|item| item.kind == NodeKind::Module)
        .map(|item| item.name.as_str())
        .collect();
    for item in &facts.items {
        match &item.header {
            Header::Import { leaves } => {
                let dependencies = leaves.iter().filter_map(|leaf| dependency(&leaf.path));
                found.extend(dependencies.filter(|name| !modules.contains(name)));
            }
            Header::ExternCrate { of, .. } => {
                found.insert(of.as_deref().unwrap_or(&item.name));
            }
            _ => {}
        }
        for attribute in &item.attrs {
            found.extend(attribute_names(&attribute.text));
        }
        found.extend(words(&item.cfg).filter(|word| !PREDICATES.contains(word)));
    }
    let tags: BTreeSet<String> = found.into_iter().filter_map(tag_of).collect();
    tags.into_iter().take(MAX_STORED).collect()
}

/// The dependency that a path leads into; a module of the standard library for its own.
fn dependency(path: &[String]) -> Option<&str> {
    let path = match path {
        [first, rest @ ..] if first.is_empty() => rest,
        path => path,
    };
    match path {
        [first, second, ..] if matches!(first.as_str(), "std" | "core" | "alloc") => Some(second),
        [first, _, ..] => match first.as_str() {
            "crate" | "self" | "super" | "Self" | "std" | "core" | "alloc" => None,
            name => Some(name),
        },
        _ => None,
    }
}

/// Names of an attribute that say what the item is about: its path, and the traits of a derive.
fn attribute_names(text: &str) -> impl Iterator<Item = &str> {
    let inside = text.trim_start_matches(['#', '!', '[']).trim_end_matches(']');
    let (path, arguments) = inside.split_once(['(', '=']).unwrap_or((inside, ""));
    let is_derive = path.trim() == "derive";
    let first = path.split("::").next().unwrap_or_default().trim();
    let path = if COMMON_ATTRIBUTES.contains(&first) { "" } else { path };
    let derived = if is_derive { arguments } else { "" };
    words(path).chain(words(derived).filter(|name| !COMMON_DERIVES.contains(name)))
}

fn tag_of(name: &str) -> Option<String> {
    let tag = name.to_lowercase();
    let digits = tag.bytes().all(|byte| byte.is_ascii_digit());
    (tag.chars().count() >= SHORTEST && !digits && !is_stop_word(&tag)).then_some(tag)
}

/// A tag of the workspace.
#[derive(Debug, Clone, Default)]
pub(super) struct Tag {
    /// The shortest of the words that have its stem.
    pub name: String,
    /// Indices of the files that have it, in order.
    pub files: Vec<u32>,
}

/// The tags of all files. Words with the same stem are one tag.
#[derive(Debug, Clone, Default)]
pub(super) struct TagIndex(BTreeMap<Term, Tag>);

impl TagIndex {
    /// The tags by what their words have in common.
    pub fn iter(&self) -> impl Iterator<Item = (&Term, &Tag)> {
        self.0.iter()
    }

    pub fn new(files: &[Arc<FileTerms>]) -> Self {
        let mut index = Self::default();
        for (number, file) in (0u32..).zip(files) {
            let path = file.path.trim_end_matches(".rs").split('/');
            for part in path.filter(|part| !COMMON_NAMES.contains(part)) {
                index.add(number, part);
            }
            for item in file.items.iter().filter(|item| stands_alone(item.kind)) {
                index.add(number, &item.name);
            }
            for tag in &file.tags {
                index.insert(number, tag.clone());
            }
        }
        index
    }

    /// The words of a name.
    fn add(&mut self, file: u32, name: &str) {
        for word in words(name) {
            identifier_parts(word)
                .into_iter()
                .filter_map(tag_of)
                .for_each(|tag| self.insert(file, tag));
        }
    }

    fn insert(&mut self, file: u32, name: String) {
        let tag = self.0.entry(term_of(&name)).or_default();
        let order = |name: &str| (name.len(), name.to_owned());
        if tag.name.is_empty() || order(&name) < order(&tag.name) {
            tag.name = name;
        }
        if tag.files.last() != Some(&file) {
            tag.files.push(file);
        }
    }
}

/// Parts of items and blocks of them repeat what items say.
pub(super) fn stands_alone(kind: NodeKind) -> bool {
    !matches!(
        kind,
        NodeKind::Field
            | NodeKind::Variant
            | NodeKind::Impl
            | NodeKind::MacroCall
            | NodeKind::ForeignMod
            | NodeKind::Unknown
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &[&str]) {
        let facts = asof_syntax::parse_file("src/lib.rs", source.as_bytes());
        assert_eq!(stored_tags(&facts), expected, "{source}");
    }

    #[test]
    fn dependencies_and_attributes_are_tags() {
        check("use serde::{Serialize, de::Error};", &["serde"]);
        check("use std::net::TcpStream; use crate::a::B; use self::c::D;", &["net"]);
        check("mod wheel; use wheel::Wheel;", &[]);
        check("#[tokio::test] async fn f() {}", &["test", "tokio"]);
        check("#[derive(Debug, Deserialize)] #[allow(dead_code)] struct S;", &["deserialize"]);
        check("#[cfg(all(windows, feature = \"tls\"))] fn f() {}", &["tls", "windows"]);
    }
}
