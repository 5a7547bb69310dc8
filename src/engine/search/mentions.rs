//! What documentation mentions: paths in prose to definitions. A path that several definitions may
//! be meant by is not resolved.

use std::collections::{BTreeMap, BTreeSet};

use crate::canonical::CanonicalPath;
use crate::error::EngineError;
use asof_model::{NodeId, NodeKind};
use asof_query::{Mentioned, Queries};
use asof_wire::ItemRef;

/// Paths of an answer that are followed through imports and re-exports, which takes milliseconds
/// each.
const MAX_FOLLOWED: usize = 16;

/// The definitions that some mentions may mean.
pub(super) struct Mentions<'q> {
    queries: &'q Queries<'q>,
    by_name: BTreeMap<String, Vec<Mentioned>>,
    followed: BTreeMap<String, Option<Mentioned>>,
    /// Whether some paths were not followed.
    pub cut: bool,
}

impl<'q> Mentions<'q> {
    /// Reads the definitions with the names of these mentions.
    pub fn read<'m>(
        queries: &'q Queries<'q>,
        mentions: impl Iterator<Item = &'m str>,
    ) -> Result<Self, EngineError> {
        let names: BTreeSet<&str> = mentions.map(name_of).collect();
        let names: Vec<&str> = names.into_iter().collect();
        let mut by_name: BTreeMap<String, Vec<Mentioned>> = BTreeMap::new();
        for found in queries.mentioned(&names)? {
            by_name.entry(found.name.clone()).or_default().push(found);
        }
        Ok(Self { queries, by_name, followed: BTreeMap::new(), cut: false })
    }

    /// The definition that a mention in a file means; none if it is not known, or several may be
    /// meant.
    pub fn resolve(&mut self, mention: &str, file: &str) -> Result<Option<Mentioned>, EngineError> {
        let Some(known) = self.by_name.get(name_of(mention)) else { return Ok(None) };
        let path: Vec<&str> = mention
            .split("::")
            .filter(|part| !matches!(*part, "" | "crate" | "self" | "super"))
            .collect();
        let fits = |one: &&Mentioned| ends_with(&one.canonical_path, &path);
        let fitting: Vec<&Mentioned> = known.iter().filter(fits).collect();
        if fitting.is_empty() {
            return self.follow(mention);
        }
        Ok(only(&fitting, path.len(), file).cloned())
    }

    /// A path through imports and re-exports, as a question about it is answered.
    fn follow(&mut self, mention: &str) -> Result<Option<Mentioned>, EngineError> {
        if let Some(known) = self.followed.get(mention) {
            return Ok(known.clone());
        }
        let Ok(path) = CanonicalPath::parse(mention) else { return Ok(None) };
        if self.followed.len() >= MAX_FOLLOWED {
            self.cut = true;
            return Ok(None);
        }
        let found = self.queries.path(&path.query())?;
        let found = match found.as_slice() {
            [one] => Some(&one.definition),
            _ => None,
        };
        let found = found.map(|one| Mentioned {
            name: one.name.clone(),
            id: one.id,
            kind: one.kind,
            canonical_path: one.canonical_path.clone().unwrap_or_else(|| one.name.clone()),
            file_path: one.file_path.clone(),
            in_test: one.in_test,
        });
        self.followed.insert(mention.to_owned(), found.clone());
        Ok(found)
    }
}

/// The last name of a path.
pub(super) fn name_of(mention: &str) -> &str {
    mention.rsplit("::").next().unwrap_or(mention)
}

/// An item as answers list it.
pub(super) fn item_ref(of: Mentioned) -> ItemRef {
    let Mentioned { id, kind, name, canonical_path: path, .. } = of;
    ItemRef { id, kind: kind.to_string(), name, path }
}

/// Whether a canonical path ends with these names; `<a::B as C>::d` is taken for `a::B::d`.
fn ends_with(canonical: &str, path: &[&str]) -> bool {
    let plain = match canonical.strip_prefix('<').and_then(|rest| rest.rsplit_once(">::")) {
        Some((header, rest)) => {
            let of = header.split(" as ").next().unwrap_or(header);
            let of = of.split('<').next().unwrap_or(of);
            format!("{of}::{rest}")
        }
        None => canonical.to_owned(),
    };
    let names: Vec<&str> = plain.split("::").collect();
    names.ends_with(path)
}

/// The only one that can be meant. A bare name means no test code, and no member with a name such as
/// `poll`, which types elsewhere have, too. Of several others, that of the same file is meant, else
/// that below the folder of the file.
fn only<'m>(fitting: &[&'m Mentioned], names: usize, file: &str) -> Option<&'m Mentioned> {
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    let is_member = |one: &Mentioned| {
        use NodeKind::{AssocConst, AssocType, Field, Method, Variant};
        matches!(one.kind, AssocConst | AssocType | Field | Method | Variant)
    };
    let is_plain = |name: &str| name.bytes().all(|byte| byte.is_ascii_lowercase());
    let can_be =
        |one: &&&Mentioned| !one.in_test && (names > 1 || !is_member(one) || !is_plain(&one.name));
    let near = |one: &&&Mentioned| {
        let below = one.file_path.strip_prefix(folder);
        below.is_some_and(|rest| rest.starts_with('/'))
    };
    let possible: Vec<&Mentioned> = fitting.iter().filter(can_be).copied().collect();
    let free: Vec<&Mentioned> =
        possible.iter().filter(|one| names > 1 || !is_member(one)).copied().collect();
    let sets = [
        free.iter().filter(|one| one.file_path == file).copied().collect(),
        free.iter().filter(near).copied().collect(),
        possible,
    ];
    sets.iter().find_map(|set: &Vec<&Mentioned>| {
        let first = set.first()?;
        let paths: BTreeSet<&str> = set.iter().map(|one| one.canonical_path.as_str()).collect();
        (paths.len() == 1).then_some(*first)
    })
}

/// Ids of definitions that a mention of this one may be shown for: twins under another `cfg` have
/// the same path.
pub(super) fn is_same(found: &Mentioned, id: NodeId, path: Option<&str>) -> bool {
    found.id == id || path == Some(found.canonical_path.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_end_with_names() {
        assert!(ends_with("a::b::C", &["b", "C"]));
        assert!(ends_with("<a::B<T> as Show>::show", &["B", "show"]));
        assert!(ends_with("<a::B>::show", &["a", "B", "show"]));
        assert!(!ends_with("a::xb::C", &["b", "C"]));
    }

    #[test]
    fn a_bare_name_has_one_meaning_or_none() {
        let one = |path: &str, kind, file: &str| Mentioned {
            name: name_of(path).to_owned(),
            id: NodeId::of_external(path),
            kind,
            canonical_path: path.to_owned(),
            file_path: file.to_owned(),
            in_test: path.contains("tests"),
        };
        let all = [
            one("a::Config", NodeKind::Struct, "a/src/lib.rs"),
            one("b::Config", NodeKind::Struct, "b/src/lib.rs"),
            one("a::tests::Config", NodeKind::Struct, "a/src/lib.rs"),
        ];
        let meant = |all: &[Mentioned], names, file| {
            let all: Vec<&Mentioned> = all.iter().collect();
            only(&all, names, file).map(|one| one.canonical_path.clone())
        };
        assert_eq!(meant(&all, 1, "README.md"), None);
        assert_eq!(meant(&all, 1, "b/README.md").as_deref(), Some("b::Config"));
        assert_eq!(meant(&all, 1, "a/src/lib.rs").as_deref(), Some("a::Config"));
        assert_eq!(meant(&all[2..], 1, "README.md"), None);
        let poll = [one("a::Task::poll", NodeKind::Method, "a/src/lib.rs")];
        assert_eq!(meant(&poll, 1, "a/src/lib.rs"), None);
        assert_eq!(meant(&poll, 2, "README.md").as_deref(), Some("a::Task::poll"));
    }
}
