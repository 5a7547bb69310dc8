//! Reads the public interface of a library at a moment.

use std::collections::{BTreeMap, BTreeSet};

use crate::database::Snapshot;
use crate::error::EngineError;
use crate::items::has_members;
use crate::past::{fetch, item_state};
use asof_item_tracking::ItemState;
use asof_model::{Condition, NodeId, NodeKind};
use asof_query::{ItemCondition, OutlineRow, PublicName, Queries};
use asof_semver::{Declaration, Implementation, Interface, Named, TypeName};

/// Flags that tools set for builds of their own, beside those of every build that users make: what is
/// there only under one of them is no part of an interface. `any(doc, windows)` is there without.
const TOOLS: &str = "any(test, doctest, doc, docsrs, miri, clippy, rustfmt, rust_analyzer, \
                     fuzzing, kani, loom, coverage, coverage_nightly, tarpaulin)";

/// Types of which the contents are asked for at once: the time grows with their square.
const TYPES: usize = 16;

/// What users of a library can name, and what of it is to be read.
pub(super) struct NamesToRead<'n> {
    pub names: Vec<&'n PublicName>,
    /// The paths of which declarations are read.
    pub paths: &'n BTreeSet<String>,
}

impl NamesToRead<'_> {
    fn wanted(&self) -> impl Iterator<Item = &PublicName> {
        self.names.iter().copied().filter(|row| self.paths.contains(&public_path(row)))
    }
}

/// The path under which a name is listed.
pub(super) fn public_path(row: &PublicName) -> String {
    format!("{}::{}", row.module_path, row.name)
}

impl Snapshot<'_> {
    /// The public interface with these names, as far as it is to be read. `other`: the moment that it
    /// is compared with.
    pub(super) fn interface(
        &self,
        to_read: &NamesToRead<'_>,
        traits: &[(NodeId, String)],
        other: &Snapshot<'_>,
    ) -> Result<Interface, EngineError> {
        let queries = Queries::at(self.store(), self.at());
        let names = to_read.names.as_slice();
        let of_names: BTreeSet<NodeId> = to_read.wanted().filter_map(|row| row.id).collect();
        let types = to_read.wanted().filter(|row| has_members(&row.kind)).filter_map(|row| row.id);
        let types: Vec<NodeId> = types.collect::<BTreeSet<_>>().into_iter().collect();
        let mut rows = Vec::new();
        for part in types.chunks(TYPES) {
            rows.extend(queries.outline(part, 2, true)?);
        }
        let ids: BTreeSet<NodeId> = of_names.into_iter().chain(rows.iter().map(|r| r.id)).collect();
        let all: BTreeSet<NodeId> =
            names.iter().filter_map(|row| row.id).chain(ids.iter().copied()).collect();
        let all: Vec<NodeId> = all.into_iter().collect();
        let ids: Vec<NodeId> = ids.into_iter().collect();
        let states: BTreeMap<NodeId, ItemState> =
            queries.states(&ids)?.into_iter().map(|row| (row.id, item_state(row))).collect();
        let texts = self.texts(&rows, &states)?;
        let named = self.named_types(&ids, other)?;
        let is_unit = |row: &&OutlineRow| {
            let text = texts.get(&row.id).filter(|_| row.kind == NodeKind::Struct);
            text.is_some_and(|text| text.trim_end().ends_with(';'))
        };
        let units: BTreeSet<NodeId> = rows.iter().filter(is_unit).map(|row| row.id).collect();
        let builds = Builds::new(&queries, &all, names)?;
        let members = interface_members(&rows, &states, &texts, &named, &builds);
        let mut interface = Interface { aliases: aliases(names), ..Interface::default() };
        let mut public_traits = BTreeSet::new();
        let left_out = builds.modules_left_out(names);
        let is_below = |row: &&&PublicName| {
            let mut paths = left_out.iter().map(|path| row.module_path.strip_prefix(path.as_str()));
            paths.any(|rest| rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::")))
        };
        let rows = names.iter().filter(|row| builds.has_name(row) && !is_below(row));
        for row in rows {
            if row.kind == NodeKind::Trait.as_str() {
                public_traits.extend(row.id);
            }
            let path = public_path(row);
            if !to_read.paths.contains(&path) {
                continue;
            }
            let state = row.id.and_then(|id| states.get(&id));
            let kind = state.map(|state| state.kind);
            let (direct, impls) =
                row.id.and_then(|id| members.get(&id)).cloned().unwrap_or_default();
            let declaration = Declaration {
                name: state.map_or_else(|| row.name.clone(), |state| state.name.clone()),
                kind,
                is_public: true,
                signature: row.signature.clone(),
                attrs: state.map(|state| state.attrs.clone()).unwrap_or_default(),
                cfg: row.cfg.clone(),
                file_path: row.file_path.clone(),
                line: row.line,
                is_unit: row.id.is_some_and(|id| units.contains(&id)),
                members: direct,
                impls,
                names: row.id.and_then(|id| named.get(&id)).cloned().unwrap_or_default(),
                ..Declaration::default()
            };
            let procedural = declaration.as_procedural_macro();
            let name = procedural.as_ref().map_or(&row.name, |found| &found.name).clone();
            let declaration = procedural.unwrap_or(declaration);
            let space = match declaration.kind {
                Some(NodeKind::Function | NodeKind::Const | NodeKind::Static) => 'v',
                Some(NodeKind::Macro) => 'm',
                _ => 't',
            };
            let path = if name == row.name { path } else { format!("{}::{name}", row.module_path) };
            interface.add(path, space, declaration);
        }
        let private = traits.iter().filter(|(id, _)| !public_traits.contains(id));
        interface.private_traits = private.map(|(_, name)| name.clone()).collect();
        Ok(interface)
    }

    /// Types and traits that items name, by the item.
    fn named_types(
        &self,
        items: &[NodeId],
        other: &Snapshot<'_>,
    ) -> Result<BTreeMap<NodeId, Named>, EngineError> {
        let rows = Queries::at(self.store(), self.at()).named_types(items)?;
        let ids: BTreeSet<NodeId> = rows.iter().filter_map(|row| row.id).collect();
        let ids: Vec<NodeId> = ids.into_iter().collect();
        let states = Queries::at(other.store(), other.at()).states(&ids)?;
        let there: BTreeSet<NodeId> = states.into_iter().map(|row| row.id).collect();
        let mut found: BTreeMap<NodeId, Named> = BTreeMap::new();
        for row in rows {
            let stays = row.id.is_none_or(|id| there.contains(&id));
            let path = if row.id.is_none() { outside_path(&row.path) } else { row.path.clone() };
            let name = path.rsplit("::").next().unwrap_or(&path).to_owned();
            let is_outside = row.id.is_none() && !path.starts_with("std::");
            let outside = is_outside.then_some(row.path);
            let meaning = TypeName { path, definition: row.definition, outside, stays };
            found.entry(row.item).or_default().entry(name).or_default().insert(meaning);
        }
        Ok(found)
    }

    /// Texts of items by id.
    fn texts(
        &self,
        rows: &[OutlineRow],
        states: &BTreeMap<NodeId, ItemState>,
    ) -> Result<BTreeMap<NodeId, String>, EngineError> {
        let hash = |row: &OutlineRow| states.get(&row.id)?.text_hash;
        let hashes: Vec<_> = rows.iter().filter_map(hash).collect();
        let texts: BTreeMap<_, _> = fetch(self.store(), &hashes)?.into_iter().collect();
        let text = |row: &OutlineRow| Some((row.id, texts.get(&hash(row)?)?.clone()));
        Ok(rows.iter().filter_map(text).collect())
    }
}

/// Members and trait impls by the id of their type or trait.
fn interface_members(
    rows: &[OutlineRow],
    states: &BTreeMap<NodeId, ItemState>,
    texts: &BTreeMap<NodeId, String>,
    named: &BTreeMap<NodeId, Named>,
    builds: &Builds,
) -> BTreeMap<NodeId, Members> {
    let mut below: BTreeMap<NodeId, Vec<&OutlineRow>> = BTreeMap::new();
    for row in rows.iter().filter(|row| builds.has_member(row)) {
        if let Some(parent) = row.parent_id {
            below.entry(parent).or_default().push(row);
        }
    }
    let headers: BTreeMap<NodeId, &str> =
        rows.iter().map(|row| (row.id, row.signature.as_str())).collect();
    // What fields and variants name is noted with their type.
    let parents: BTreeMap<NodeId, NodeId> =
        rows.iter().filter_map(|row| Some((row.id, row.parent_id?))).collect();
    let names = |id: NodeId| {
        let around = std::iter::successors(Some(id), |id| parents.get(id).copied());
        around.take(3).find_map(|id| named.get(&id)).cloned().unwrap_or_default()
    };
    let declaration = |row: &OutlineRow, owner: NodeId| {
        let text = texts.get(&row.id);
        Declaration {
            name: row.name.clone(),
            kind: Some(row.kind),
            is_public: row.visibility == "pub" || row.kind == NodeKind::Variant,
            signature: row.signature.clone(),
            attrs: states.get(&row.id).map(|state| state.attrs.clone()).unwrap_or_default(),
            cfg: row.cfg.clone(),
            file_path: row.file_path.clone(),
            line: Some(row.line),
            has_default: text.is_some_and(|text| asof_semver::has_default(row.kind, text)),
            owner: headers.get(&owner).copied().unwrap_or_default().to_owned(),
            names: match row.kind {
                NodeKind::Field | NodeKind::Variant => names(row.id),
                _ => named.get(&row.id).cloned().unwrap_or_default(),
            },
            ..Declaration::default()
        }
    };
    let mut found: BTreeMap<NodeId, Members> = BTreeMap::new();
    for (parent, children) in &below {
        let (members, impls) = found.entry(*parent).or_default();
        for row in children {
            let inside = below.get(&row.id).into_iter().flatten();
            match (row.kind, row.rank) {
                (NodeKind::Impl, 1) => {
                    members.extend(inside.map(|item| declaration(item, row.id)));
                    members.retain(|member| !member.is_hidden());
                }
                (NodeKind::Impl, _) => {
                    let types = inside.filter(|item| item.kind == NodeKind::AssocType);
                    let types = types.map(|item| (item.name.clone(), item.signature.clone()));
                    let types = types.collect();
                    let names = named.get(&row.id).cloned().unwrap_or_default();
                    let header = row.signature.clone();
                    impls.push(Implementation {
                        header,
                        cfg: row.cfg.clone(),
                        types,
                        names,
                        ..Implementation::default()
                    });
                }
                _ => {
                    // Fields of a variant have the parameters of the enum.
                    let inside = inside.map(|item| declaration(item, *parent)).collect();
                    let member = declaration(row, *parent);
                    members.push(Declaration { members: inside, ..member }.shown());
                }
            }
        }
    }
    found
}

/// Other public paths of modules, and those under which their items are listed.
pub(super) fn aliases(names: &[&PublicName]) -> BTreeMap<String, String> {
    let listed: BTreeSet<&str> = names.iter().map(|row| row.module_path.as_str()).collect();
    let mut modules: BTreeMap<NodeId, Vec<String>> = BTreeMap::new();
    for row in names.iter().filter(|row| row.kind == NodeKind::Module.as_str()) {
        if let Some(id) = row.id {
            modules.entry(id).or_default().push(public_path(row));
        }
    }
    let mut aliases = BTreeMap::new();
    for paths in modules.into_values() {
        let Some(own) = paths.iter().find(|path| listed.contains(path.as_str())) else { continue };
        aliases.extend(
            paths.iter().filter(|path| *path != own).map(|path| (path.clone(), own.clone())),
        );
    }
    aliases
}

/// Which items are there in the builds that users of a library make.
struct Builds {
    items: BTreeMap<NodeId, ItemCondition>,
    /// Those of the library, and of what it exports: impls elsewhere are no part of it.
    roots: BTreeSet<NodeId>,
    /// A build without tools.
    plain: Condition,
}

impl Builds {
    fn new(
        queries: &Queries<'_>,
        ids: &[NodeId],
        names: &[&PublicName],
    ) -> Result<Self, EngineError> {
        let items = queries.conditions_of_items(ids, ids)?.into_iter().map(|row| (row.id, row));
        let items: BTreeMap<NodeId, ItemCondition> = items.collect();
        let exported = names.iter().filter_map(|row| items.get(&row.id?));
        let roots = exported.map(|row| row.root_id).chain(names.iter().map(|row| row.root));
        let roots = roots.collect();
        Ok(Builds { items, roots, plain: Condition::parse(&format!("not({TOOLS})")) })
    }

    /// Whether some build has an item, or a re-export of it, by its presence condition.
    fn has(&self, id: Option<NodeId>, cfg: &str) -> bool {
        let above = id.and_then(|id| self.items.get(&id)).map_or("", |row| row.condition.as_str());
        let whole = Condition::parse(cfg).and(&Condition::parse(above));
        !whole.and(&self.plain).is_never()
    }

    fn has_name(&self, row: &PublicName) -> bool {
        self.has(row.id, &row.cfg)
    }

    /// An impl belongs to the crate that it is in: those of tests, benches, examples and programs are
    /// there for nobody who uses the library.
    fn has_member(&self, row: &OutlineRow) -> bool {
        let of_library = |at: &ItemCondition| !at.in_test && self.roots.contains(&at.root_id);
        let is_elsewhere =
            row.kind == NodeKind::Impl && self.items.get(&row.id).is_some_and(|at| !of_library(at));
        !is_elsewhere && self.has(Some(row.id), &row.cfg)
    }

    /// The paths of modules that no such build has.
    fn modules_left_out(&self, names: &[&PublicName]) -> BTreeSet<String> {
        let modules = names.iter().filter(|row| row.kind == NodeKind::Module.as_str());
        let path = |row: &&&PublicName| public_path(row);
        let (there, left_out): (Vec<&&PublicName>, Vec<&&PublicName>) =
            modules.partition(|row| self.has_name(row));
        let there: BTreeSet<String> = there.iter().map(path).collect();
        left_out.iter().map(path).filter(|path| !there.contains(path)).collect()
    }
}

/// A path of another crate as it is compared: one of `core` or `alloc` as that of `std`, which has
/// it, too; of a dependency the crate and the name, because the modules between depend on whether its
/// sources could be read.
fn outside_path(path: &str) -> String {
    let Some((krate, rest)) = path.split_once("::") else { return path.to_owned() };
    match krate {
        "std" | "core" | "alloc" => format!("std::{rest}"),
        _ => format!("{krate}::{}", rest.rsplit("::").next().unwrap_or(rest)),
    }
}

/// Members of a type, and the impls of traits for it.
type Members = (Vec<Declaration>, Vec<Implementation>);
