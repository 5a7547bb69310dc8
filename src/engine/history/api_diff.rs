//! Changes of public interfaces between two moments.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Instant;

use super::commit_trees::{Between, FilesAt, index_states};
use crate::database::{Database, Refresh, Snapshot};
use crate::error::EngineError;
use crate::items::{has_members, library_crates};
use crate::past::{fetch, item_state};
use asof_index::{FactSet, Progress};
use asof_item_tracking::ItemState;
use asof_model::{Condition, NodeId, NodeKind};
use asof_query::{OutlineRow, PublicName, Queries};
use asof_semver::{Declaration, Implementation, Interface, Named, TypeName};
use asof_wire::{ApiChange, ApiDiff, PackageApi, SemverLevel, When};

/// A package with a library.
struct Library {
    root: NodeId,
    version: Option<String>,
}

/// What users of libraries can name, and the traits of the workspace.
struct PublicNames {
    /// By the root of the library.
    names: BTreeMap<NodeId, Vec<PublicName>>,
    traits: Vec<(NodeId, String)>,
}

impl PublicNames {
    fn public_names(&self, root: NodeId) -> &[PublicName] {
        self.names.get(&root).map(Vec::as_slice).unwrap_or_default()
    }
}

impl Snapshot<'_> {
    /// How the public interfaces of the libraries of the workspace, or of one package, differ from
    /// those at an earlier moment. Items with `#[doc(hidden)]` are no part of an interface.
    ///
    /// # Errors
    /// No package has this name at either moment, neither moment has a library, or the store failed.
    pub fn api_diff(
        &self,
        from: &Snapshot<'_>,
        package: Option<&str>,
    ) -> Result<ApiDiff, EngineError> {
        let started = Instant::now();
        let (mut old, mut new) = (from.public_libraries()?, self.public_libraries()?);
        if let Some(package) = package {
            let named = |name: &String, _: &mut Library| {
                name == package || name.replace('-', "_") == package
            };
            old.retain(named);
            new.retain(named);
        }
        if old.is_empty() && new.is_empty() {
            let (what, hint) = match package {
                Some(package) => {
                    (format!("no package `{package}` has a library"), "name a package with one")
                }
                None => (
                    "no package of the workspace has a library, so it has no public interface"
                        .to_owned(),
                    "the difference of the two moments lists all items",
                ),
            };
            return Err(EngineError::NotFound { what, hint: hint.into() });
        }
        let (was_named, is_named) = (from.named_by_users(&old)?, self.named_by_users(&new)?);
        let names: BTreeSet<String> = old.keys().chain(new.keys()).cloned().collect();
        let mut packages = Vec::new();
        for name in names {
            let (was, is) = (old.get(&name), new.get(&name));
            let changes = match (was, is) {
                (Some(was), Some(is)) => {
                    let (was, is) =
                        (was_named.public_names(was.root), is_named.public_names(is.root));
                    let was = from.interface(was, &was_named.traits, self)?;
                    asof_semver::compare(&was, self.interface(is, &is_named.traits, from)?)
                }
                (Some(_), None) => vec![whole(&name, "package_removed", SemverLevel::Major)],
                _ => vec![whole(&name, "package_added", SemverLevel::Minor)],
            };
            let version = |of: Option<&Library>| of.and_then(|library| library.version.clone());
            let (old_version, new_version) = (version(was), version(is));
            let levels = changes.iter().map(|change| change.level);
            let required = levels.max().unwrap_or(SemverLevel::Patch);
            let both = old_version.as_deref().zip(new_version.as_deref());
            let allowed = both.and_then(|(old, new)| asof_semver::allowed(old, new));
            let sufficient = was.is_none() || asof_semver::is_enough(allowed, required);
            packages.push(PackageApi {
                package: name,
                old_version,
                new_version,
                required,
                allowed,
                sufficient,
                changes,
            });
        }
        let answer = self.answer(started, packages, None);
        Ok(ApiDiff { from: from.basis().clone(), answer })
    }

    /// The libraries of the workspace by the names of their packages.
    fn public_libraries(&self) -> Result<BTreeMap<String, Library>, EngineError> {
        let queries = Queries::at(self.store(), self.at());
        let versions: BTreeMap<String, String> = queries
            .package_versions()?
            .into_iter()
            .map(|row| (row.manifest_path, row.version))
            .collect();
        let named = library_crates(&queries)?.map(|row| {
            let version = versions.get(&row.manifest_path).filter(|version| !version.is_empty());
            let library = Library { root: row.root_id, version: version.cloned() };
            (row.package.unwrap_or(row.crate_name), library)
        });
        Ok(named.collect())
    }

    /// What users of these libraries can name.
    fn named_by_users(
        &self,
        libraries: &BTreeMap<String, Library>,
    ) -> Result<PublicNames, EngineError> {
        let queries = Queries::at(self.store(), self.at());
        let roots: Vec<NodeId> = libraries.values().map(|library| library.root).collect();
        let mut names: BTreeMap<NodeId, Vec<PublicName>> = BTreeMap::new();
        if !roots.is_empty() {
            for row in
                queries.public_names(&roots, true, &[])?.into_iter().filter(|row| !row.hidden)
            {
                names.entry(row.root).or_default().push(row);
            }
        }
        let traits = queries.traits()?.into_iter().map(|row| (row.id, row.name)).collect();
        Ok(PublicNames { names, traits })
    }

    /// The public interface with these names. `other`: the moment that it is compared with.
    fn interface(
        &self,
        names: &[PublicName],
        traits: &[(NodeId, String)],
        other: &Snapshot<'_>,
    ) -> Result<Interface, EngineError> {
        let queries = Queries::at(self.store(), self.at());
        let of_names: BTreeSet<NodeId> = names.iter().filter_map(|row| row.id).collect();
        let types = names.iter().filter(|row| has_members(&row.kind)).filter_map(|row| row.id);
        let types: Vec<NodeId> = types.collect::<BTreeSet<_>>().into_iter().collect();
        let rows = queries.outline(&types, 2, true)?;
        let ids: BTreeSet<NodeId> = of_names.into_iter().chain(rows.iter().map(|r| r.id)).collect();
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
        let members = interface_members(&rows, &states, &texts, &named);
        let mut interface = Interface { aliases: aliases(names), ..Interface::default() };
        let mut public_traits = BTreeSet::new();
        for row in names.iter().filter(|row| !is_test_only(&row.cfg)) {
            let state = row.id.and_then(|id| states.get(&id));
            let kind = state.map(|state| state.kind);
            if kind == Some(NodeKind::Trait) {
                public_traits.extend(row.id);
            }
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
            let path = format!("{}::{name}", row.module_path);
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
            let path = if row.id.is_none() { outside_path(&row.path) } else { row.path };
            let name = path.rsplit("::").next().unwrap_or(&path).to_owned();
            let meaning = TypeName { path, definition: row.definition, stays };
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
) -> BTreeMap<NodeId, Members> {
    let mut below: BTreeMap<NodeId, Vec<&OutlineRow>> = BTreeMap::new();
    for row in rows.iter().filter(|row| !is_test_only(&row.cfg)) {
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
fn aliases(names: &[PublicName]) -> BTreeMap<String, String> {
    let listed: BTreeSet<&str> = names.iter().map(|row| row.module_path.as_str()).collect();
    let mut modules: BTreeMap<NodeId, Vec<String>> = BTreeMap::new();
    for row in names.iter().filter(|row| row.kind == NodeKind::Module.as_str()) {
        if let Some(id) = row.id {
            modules.entry(id).or_default().push(format!("{}::{}", row.module_path, row.name));
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

/// Whether an item is only there in tests of its own crate.
fn is_test_only(cfg: &str) -> bool {
    cfg.contains("test") && Condition::parse(cfg).and(&Condition::parse("not(test)")).is_never()
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

fn whole(package: &str, rule: &str, level: SemverLevel) -> ApiChange {
    ApiChange {
        path: package.to_owned(),
        kind: "package".to_owned(),
        rule: rule.to_owned(),
        level,
        reason: "the package has a library at one of the moments only".to_owned(),
        old_signature: None,
        new_signature: None,
        file_path: String::new(),
        line: None,
    }
}

impl Database {
    /// [`Snapshot::api_diff`] between two moments; of commits that are not imported by their files.
    ///
    /// # Errors
    /// As [`Self::between`], [`Snapshot::api_diff`] and [`Self::api_diff_files`].
    pub fn api_diff_between(
        &self,
        from: &When,
        to: &When,
        refresh: Refresh,
        package: Option<&str>,
        progress: &dyn Progress,
    ) -> Result<ApiDiff, EngineError> {
        match self.between(from, to, refresh)? {
            Between::Stored { earlier, later } => later.api_diff(&earlier, package),
            Between::Files { earlier, later } => {
                let root = self.need_root()?;
                Self::api_diff_files(root, Some(self), &earlier, &later, package, progress)
            }
        }
    }

    /// [`Snapshot::api_diff`] of two states of the files of a workspace that no database has. Both
    /// are indexed in memory.
    ///
    /// # Errors
    /// As [`Snapshot::api_diff`], and if a state cannot be read.
    pub fn api_diff_files(
        root: &Path,
        known: Option<&Self>,
        earlier: &FilesAt,
        later: &FilesAt,
        package: Option<&str>,
        progress: &dyn Progress,
    ) -> Result<ApiDiff, EngineError> {
        let (database, earlier, later) =
            index_states(root, known, earlier, later, FactSet::All, progress)?;
        let later = database.snapshot(&later, Refresh::Skip)?;
        let earlier = database.snapshot(&earlier, Refresh::Skip)?;
        later.api_diff(&earlier, package)
    }
}
