//! Resolves paths that are written where code is not read: in the documentation or the attributes
//! of an item.

use std::collections::{BTreeMap, BTreeSet};

use crate::database::Snapshot;
use crate::error::EngineError;
use asof_index::{PathMeaning, Place, Viewpoint};
use asof_model::{ByteRange, NodeId, NodeKind};
use asof_query::{PathQuery, Queries};
use asof_wire::LinkTarget;

/// Paths through imports and types have at most this rank; the end of a path, which may mean
/// anything, has a higher one.
const FOLLOWED: u32 = 1;

/// Where a path is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathScope {
    /// Path of the module.
    pub module: String,
    /// Path of the type or trait that `Self` means, if it has one.
    pub own: Option<String>,
}

/// An item of a file, as far as it says what is around a path.
#[derive(Debug, Clone)]
pub struct Around<'i> {
    pub kind: NodeKind,
    /// From its documentation on.
    pub bytes: ByteRange,
    pub name_start: u32,
    pub path: Option<&'i str>,
}

impl PathScope {
    /// The scope at a byte of a file. `items`: those of the file; `module`: the path of the module that
    /// the file is the body of.
    pub fn at<'i>(
        byte: u32,
        items: impl Iterator<Item = Around<'i>>,
        module: Option<&str>,
    ) -> Option<Self> {
        let around: Vec<Around<'i>> = items.filter(|item| item.bytes.contains(byte)).collect();
        // What is before the name of a module is of the module around.
        let modules = around.iter().filter(|item| item.kind == NodeKind::Module);
        let inner = modules.filter(|item| item.name_start <= byte).max_by_key(|m| m.name_start);
        let inner = inner.and_then(|item| item.path);
        let owned = around.iter().filter_map(|item| Some((item.name_start, own_path(item)?)));
        let own = owned.max_by_key(|(start, _)| *start).map(|(_, path)| path);
        Some(Self { module: inner.or(module)?.to_owned(), own })
    }
}

/// Path of the type or trait that `Self` means in an item.
fn own_path(item: &Around<'_>) -> Option<String> {
    let path = item.path?;
    let own = match item.kind {
        NodeKind::Struct | NodeKind::Enum | NodeKind::Union | NodeKind::Trait => path,
        NodeKind::Impl | NodeKind::Method | NodeKind::AssocConst | NodeKind::AssocType => {
            match path.strip_prefix('<') {
                Some(header) => {
                    let end = [" as ", ">::"].into_iter().filter_map(|end| header.find(end)).min();
                    header.get(..end.unwrap_or(header.len() - usize::from(path.ends_with('>'))))?
                }
                None if item.kind == NodeKind::Impl => path,
                None => path.rsplit_once("::")?.0,
            }
        }
        _ => return None,
    };
    let bare = own.split('<').next().unwrap_or(own);
    let is_name = |c: char| c == '_' || c == ':' || c.is_alphanumeric();
    bare.chars().all(is_name).then(|| bare.to_owned())
}

/// Resolves paths, each once.
pub(crate) struct WrittenPaths<'s> {
    queries: Queries<'s>,
    files: BTreeMap<String, FileScopes>,
    known: BTreeMap<String, BTreeSet<NodeId>>,
}

/// What a file says of the scopes in it.
struct FileScopes {
    items: Vec<(NodeKind, ByteRange, u32, Option<String>)>,
    module: Option<String>,
}

impl<'s> WrittenPaths<'s> {
    pub(crate) fn new(snapshot: &'s Snapshot<'_>) -> Self {
        let queries = Queries::at(snapshot.store(), snapshot.at);
        Self { queries, files: BTreeMap::new(), known: BTreeMap::new() }
    }

    /// Whether a path that is written at a byte of a file means one of these items.
    pub(crate) fn mean(
        &mut self,
        file: &str,
        byte: u32,
        path: &str,
        items: &BTreeSet<NodeId>,
    ) -> Result<bool, EngineError> {
        let Some(scope) = self.scope(file, byte)? else { return Ok(false) };
        Ok(!self.meaning(&scope, path)?.is_disjoint(items))
    }

    /// The items that a path means.
    fn meaning(&mut self, at: &PathScope, path: &str) -> Result<BTreeSet<NodeId>, EngineError> {
        let bare = path.strip_prefix("::").unwrap_or(path);
        if !bare.split("::").all(|part| !part.is_empty()) {
            return Ok(BTreeSet::new());
        }
        let module = at.module.as_str();
        let krate = module.split("::").next().unwrap_or_default();
        let (first, rest) = bare.split_once("::").unwrap_or((bare, ""));
        let below = |above: &str| {
            if rest.is_empty() { above.to_owned() } else { format!("{above}::{rest}") }
        };
        let mut tries = Vec::new();
        match first {
            _ if bare != path => tries.push(bare.to_owned()),
            "crate" => tries.push(below(krate)),
            "self" => tries.push(below(module)),
            "super" => {
                let mut above = module;
                let mut rest = path;
                while rest == "super" || rest.starts_with("super::") {
                    let Some((parent, _)) = above.rsplit_once("::") else {
                        return Ok(BTreeSet::new());
                    };
                    above = parent;
                    rest = rest.strip_prefix("super::").unwrap_or_default();
                }
                let is_end = rest.is_empty();
                tries.push(if is_end { above.to_owned() } else { format!("{above}::{rest}") });
            }
            "Self" => tries.extend(at.own.as_deref().map(below)),
            _ => {
                tries.push(format!("{module}::{path}"));
                if path.contains("::") {
                    tries.push(path.to_owned());
                }
            }
        }
        for full in tries {
            let found = self.find(&full)?;
            if !found.is_empty() {
                return Ok(found.clone());
            }
        }
        Ok(BTreeSet::new())
    }

    /// Whether a byte of a file is in one of these crates.
    pub(crate) fn is_in(
        &mut self,
        file: &str,
        byte: u32,
        crates: &BTreeSet<String>,
    ) -> Result<bool, EngineError> {
        let scope = self.scope(file, byte)?;
        let krate = scope.as_ref().and_then(|scope| scope.module.split("::").next());
        Ok(krate.is_some_and(|krate| crates.contains(krate)))
    }

    fn find(&mut self, path: &str) -> Result<&BTreeSet<NodeId>, EngineError> {
        if !self.known.contains_key(path) {
            let ids = if path.contains("::") {
                let asked = PathQuery { path: path.to_owned(), ..PathQuery::default() };
                let found = self.queries.path(&asked)?.into_iter();
                let found = found.filter(|one| one.mode != "prefix" && one.rank <= FOLLOWED);
                found.map(|one| one.definition.id).collect()
            } else {
                // Where a path begins, a name alone is that of a crate.
                self.queries.roots(path)?.into_iter().map(|krate| krate.root_id).collect()
            };
            self.known.insert(path.to_owned(), ids);
        }
        Ok(self.known.entry(path.to_owned()).or_default())
    }

    fn scope(&mut self, file: &str, byte: u32) -> Result<Option<PathScope>, EngineError> {
        if !self.files.contains_key(file) {
            let items = self.queries.file_items(file)?.into_iter();
            let items = items.map(|item| {
                let bytes = ByteRange::new(item.start_byte, item.end_byte);
                (item.kind, bytes, item.name_start, item.canonical_path)
            });
            let items = items.collect();
            let mut modules = self.queries.file_modules(file)?.into_iter();
            let module = modules.find_map(|module| module.canonical_path);
            self.files.insert(file.to_owned(), FileScopes { items, module });
        }
        let Some(FileScopes { items, module }) = self.files.get(file) else { return Ok(None) };
        let around = items.iter().map(|(kind, bytes, name_start, path)| Around {
            kind: *kind,
            bytes: *bytes,
            name_start: *name_start,
            path: path.as_deref(),
        });
        Ok(PathScope::at(byte, around, module.as_deref()))
    }
}

impl Snapshot<'_> {
    /// Path of the module that a file is the body of; none if it is of none.
    ///
    /// # Errors
    /// The store failed.
    pub fn module_of_file(&self, path: &str) -> Result<Option<String>, EngineError> {
        let modules = Queries::at(self.store(), self.at).file_modules(path)?;
        Ok(modules.into_iter().find_map(|module| module.canonical_path))
    }

    /// The items of the workspace that a path in documentation means.
    ///
    /// # Errors
    /// The store failed.
    pub fn written_path(&self, at: &PathScope, path: &str) -> Result<Vec<LinkTarget>, EngineError> {
        let found = WrittenPaths::new(self).meaning(at, path)?;
        self.link_targets(&found.into_iter().collect::<Vec<_>>())
    }

    /// The path from a crate outside of the workspace on that a path means, by the newest state.
    ///
    /// # Errors
    /// The store failed.
    pub fn outside_path(&self, at: &PathScope, path: &str) -> Result<Option<String>, EngineError> {
        let mut paths = WrittenPaths::new(self);
        let Some(module) = paths.find(&at.module)?.iter().next().copied() else { return Ok(None) };
        let view = Viewpoint::load(self.store(), Some(self.database.memory()))?;
        Ok(match view.meaning(Place { module, is_new: false }, path) {
            PathMeaning::Outside(path) => Some(path),
            PathMeaning::Items(_) | PathMeaning::Nothing => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(kind: NodeKind, path: &str, expected: Option<&str>) {
        let item = Around { kind, bytes: ByteRange::new(0, 1), name_start: 0, path: Some(path) };
        assert_eq!(own_path(&item).as_deref(), expected);
    }

    #[test]
    fn items_say_what_self_is() {
        check(NodeKind::Struct, "a::m::S", Some("a::m::S"));
        check(NodeKind::Method, "a::m::S::go", Some("a::m::S"));
        check(NodeKind::Method, "<a::m::S as a::Tr>::go", Some("a::m::S"));
        check(NodeKind::Impl, "<a::m::S<T> as a::Tr<u8>>", Some("a::m::S"));
        check(NodeKind::Impl, "<a::m::S>", Some("a::m::S"));
        check(NodeKind::Impl, "<[u8] as a::Tr>", None);
        check(NodeKind::Function, "a::m::f", None);
    }

    #[test]
    fn documentation_of_a_module_is_outside_of_it() {
        // `/// …` of a module from 10 on, whose name begins at 30.
        let scope = |byte: u32| {
            let (bytes, path) = (ByteRange::new(10, 60), Some("a::m"));
            let module = Around { kind: NodeKind::Module, bytes, name_start: 30, path };
            PathScope::at(byte, [module].into_iter(), Some("a")).unwrap().module
        };
        assert_eq!([scope(5), scope(12), scope(40)], ["a", "a", "a::m"]);
    }
}
