//! What is in scope of an item by imports, for names of which resolution says nothing certain.

use std::collections::{BTreeMap, BTreeSet};

use super::identities::{Ids, State};
use super::side::Side;
use crate::error::EngineError;
use asof_model::{NodeId, NodeKind};
use asof_query::ItemFacts;
use asof_review::Identity;

/// Something that a scope has.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Found {
    Item(Identity),
    /// By a path of another crate, or one that does not resolve.
    Path(String),
    /// Everything of a module that is not known.
    Glob(String),
}

/// An import of a crate whose sources are not read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Unread {
    /// None of a glob.
    pub name: Option<String>,
    text: String,
    /// Whether it may bring a trait into scope.
    pub is_trait: bool,
}

/// An import.
#[derive(Debug, Clone)]
struct Import {
    name: String,
    is_glob: bool,
    target: Option<NodeId>,
    text: Option<String>,
}

/// An item of a scope.
#[derive(Debug, Clone)]
struct OwnItem {
    name: String,
    id: NodeId,
    kind: NodeKind,
}

/// Imports and items of modules and blocks, read once.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    imports: BTreeMap<(bool, NodeId), Vec<Import>>,
    /// Items by name.
    items: BTreeMap<(bool, NodeId), Vec<OwnItem>>,
}

fn key(side: &Side<'_>, id: NodeId) -> (bool, NodeId) {
    (side.state == State::Later, id)
}

impl Scopes {
    /// The scopes around an item, and those whose names globs bring into them. They are read.
    fn visible(&mut self, side: &mut Side<'_>, item: &ItemFacts) -> Result<Ids, EngineError> {
        let mut open = around(side, item)?;
        let mut found = Ids::new();
        while let Some(scope) = open.pop() {
            if !found.insert(scope) {
                continue;
            }
            self.read(side, scope)?;
            let imports = self.imports.get(&key(side, scope)).into_iter().flatten();
            open.extend(imports.filter(|import| import.is_glob).filter_map(|import| import.target));
        }
        Ok(found)
    }

    /// What a name may mean in the scopes around an item.
    pub fn meanings(
        &mut self,
        side: &mut Side<'_>,
        item: &ItemFacts,
        name: &str,
    ) -> Result<BTreeSet<Found>, EngineError> {
        let mut found = BTreeSet::new();
        for scope in self.visible(side, item)? {
            let key = key(side, scope);
            let own = self.items.get(&key).into_iter().flatten().filter(|own| own.name == name);
            found.extend(own.map(|own| Found::Item(side.identity(own.id))));
            for import in self.imports.get(&key).cloned().unwrap_or_default() {
                match (import.is_glob, import.target, import.text) {
                    (false, ..) if import.name != name => {}
                    (false, Some(target), _) => {
                        found.insert(Found::Item(side.identity(target)));
                    }
                    (false, None, text) => _ = found.insert(Found::Path(text.unwrap_or_default())),
                    (true, Some(_), _) => {}
                    (true, None, text) => _ = found.insert(Found::Glob(text.unwrap_or_default())),
                }
            }
        }
        Ok(found)
    }

    /// The traits in the scopes around an item that have, or may have, a member of a name.
    pub fn traits(
        &mut self,
        side: &mut Side<'_>,
        item: &ItemFacts,
        name: &str,
    ) -> Result<BTreeSet<Found>, EngineError> {
        let mut found = BTreeSet::new();
        for scope in self.visible(side, item)? {
            let key = key(side, scope);
            let own = self.items.get(&key).cloned().unwrap_or_default();
            for OwnItem { id, kind, .. } in own {
                if kind == NodeKind::Trait && self.has_member(side, id, name)? {
                    found.insert(Found::Item(side.identity(id)));
                }
            }
            for import in self.imports.get(&key).cloned().unwrap_or_default() {
                match (import.is_glob, import.target, import.text) {
                    (false, Some(target), _) => {
                        let kind = side.item(target)?.map(|item| item.kind);
                        if kind == Some(NodeKind::Trait) && self.has_member(side, target, name)? {
                            found.insert(Found::Item(side.identity(target)));
                        }
                    }
                    (false, None, text) => {
                        let text = text.unwrap_or_default();
                        if may_be_trait(&text) {
                            found.insert(Found::Path(text));
                        }
                    }
                    (true, Some(_), _) => {}
                    (true, None, text) => _ = found.insert(Found::Glob(text.unwrap_or_default())),
                }
            }
        }
        Ok(found)
    }

    /// The imports around an item that are of crates whose sources are not read, by the names that
    /// they give.
    pub fn unread(
        &mut self,
        side: &mut Side<'_>,
        item: &ItemFacts,
    ) -> Result<BTreeSet<Unread>, EngineError> {
        let mut found = BTreeSet::new();
        for scope in self.visible(side, item)? {
            for import in self.imports.get(&key(side, scope)).cloned().unwrap_or_default() {
                if let (None, Some(text)) = (import.target, import.text)
                    && !side.reads(&text)?
                {
                    let is_trait = import.is_glob || may_be_trait(&text);
                    let name = (!import.is_glob).then_some(import.name);
                    found.insert(Unread { name, text, is_trait });
                }
            }
        }
        Ok(found)
    }

    fn has_member(
        &mut self,
        side: &mut Side<'_>,
        of: NodeId,
        name: &str,
    ) -> Result<bool, EngineError> {
        self.read(side, of)?;
        let members = self.items.get(&key(side, of)).into_iter().flatten();
        Ok(members.into_iter().any(|own| own.name == name))
    }

    /// Reads the scopes around items, which are looked at one after the other later.
    pub fn read_around(
        &mut self,
        side: &mut Side<'_>,
        items: &[NodeId],
    ) -> Result<(), EngineError> {
        let mut open = Ids::new();
        for id in items {
            if let Some(item) = side.item(*id)? {
                open.extend(around(side, &item)?);
            }
        }
        while !open.is_empty() {
            let scopes: Vec<NodeId> = std::mem::take(&mut open).into_iter().collect();
            self.read_all(side, &scopes)?;
            for scope in scopes {
                let imports = self.imports.get(&key(side, scope)).into_iter().flatten();
                let globs = imports.filter(|import| import.is_glob);
                open.extend(globs.filter_map(|import| import.target));
            }
            open.retain(|scope| !self.imports.contains_key(&key(side, *scope)));
        }
        Ok(())
    }

    fn read(&mut self, side: &mut Side<'_>, scope: NodeId) -> Result<(), EngineError> {
        self.read_all(side, &[scope])
    }

    fn read_all(&mut self, side: &mut Side<'_>, scopes: &[NodeId]) -> Result<(), EngineError> {
        let wanted: Vec<NodeId> = scopes
            .iter()
            .copied()
            .filter(|scope| !self.imports.contains_key(&key(side, *scope)))
            .collect();
        if wanted.is_empty() {
            return Ok(());
        }
        for scope in &wanted {
            self.imports.insert(key(side, *scope), Vec::new());
            self.items.insert(key(side, *scope), Vec::new());
        }
        for row in side.queries.scope_imports(&wanted)? {
            self.imports.entry(key(side, row.source)).or_default().push(Import {
                is_glob: row.kind.starts_with("glob"),
                name: row.name,
                target: row.target,
                text: row.text,
            });
        }
        let imported = wanted.iter().filter_map(|scope| self.imports.get(&key(side, *scope)));
        let targets: Vec<NodeId> = imported.flatten().filter_map(|one| one.target).collect();
        side.know(&targets)?;
        for child in side.queries.members(&wanted)? {
            if !child.kind.is_anonymous() {
                let own = OwnItem { name: child.name, id: child.id, kind: child.kind };
                self.items.entry(key(side, child.parent_id)).or_default().push(own);
            }
        }
        Ok(())
    }
}

/// The item itself, what it is in, and its module: where imports may be. A function sees what the
/// functions around it import.
fn around(side: &mut Side<'_>, item: &ItemFacts) -> Result<Vec<NodeId>, EngineError> {
    let mut found = vec![item.id];
    let mut at = item.parent_id.filter(|_| item.kind != NodeKind::Module);
    while let Some(id) = at {
        found.push(id);
        let Some(parent) = side.item(id)? else { break };
        at = parent.parent_id.filter(|_| parent.kind != NodeKind::Module);
    }
    Ok(found)
}

/// Whether a path of another crate may be that of a trait: modules, functions and macros have other
/// names, and these types of the standard library are none.
fn may_be_trait(path: &str) -> bool {
    const TYPES: &[&str] = &[
        "Arc", "AtomicBool", "AtomicI32", "AtomicI64", "AtomicU32", "AtomicU64", "AtomicUsize",
        "BTreeMap", "BTreeSet", "BinaryHeap", "Box", "Cell", "Command", "Cow", "Duration", "File",
        "Formatter", "HashMap", "HashSet", "Instant", "Mutex", "NonZeroUsize", "Ordering", "OsStr",
        "OsString", "Path", "PathBuf", "PhantomData", "Pin", "Range", "Rc", "RefCell", "RwLock",
        "String", "SystemTime", "Vec", "VecDeque", "Weak",
    ];
    let last = path.rsplit("::").next().unwrap_or_default();
    let is_standard = ["std::", "core::", "alloc::"].iter().any(|krate| path.starts_with(krate));
    last.starts_with(|c: char| c.is_uppercase()) && !(is_standard && TYPES.contains(&last))
}
