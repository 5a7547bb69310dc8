//! Rows that depend only on names: lookups, edges, packages, targets, module files. Both sides
//! of a comparison come from [`CrateMaps`], so nothing is read from the store.

use std::collections::{BTreeMap, BTreeSet};

use super::sorted::only_in_first;
use asof_model::{HashMap, Micros, Namespace, NodeId, OrNever, Package};
use asof_resolve::{
    Crate, CrateId, CrateMaps, Edge, EdgeKind, FileId, Instance, InstanceId, Node, Unresolved,
};
use asof_store::{Batch, StoreError, Value};
use index_vec::IndexSlice;

/// Rows that depend on names.
#[derive(Debug, Default)]
pub(super) struct Names<'a> {
    maps: Option<&'a CrateMaps>,
    packages: BTreeMap<&'a str, &'a Package>,
    targets: BTreeMap<NodeId, (&'a str, &'a Crate)>,
    files: BTreeMap<NodeId, &'a str>,
}

impl<'a> Names<'a> {
    pub fn new(
        assembly: &'a CrateMaps,
        packages: &'a [Package],
        crates: &'a IndexSlice<CrateId, [Crate]>,
        instances: &IndexSlice<InstanceId, [Instance]>,
        files: &IndexSlice<FileId, [&'a str]>,
    ) -> Self {
        let mut names = Names {
            maps: Some(assembly),
            packages: packages.iter().map(|p| (p.manifest_path.as_str(), p)).collect(),
            ..Names::default()
        };
        for (number, instance) in instances.iter_enumerated() {
            let Some(root) = assembly.node_of(number, 0) else { continue };
            if let Some(path) = files.get(instance.file) {
                names.files.insert(root.id, path);
            }
            if let (None, Some(krate)) = (instance.declared_in, crates.get(instance.krate)) {
                let manifest = krate.package.and_then(|p| packages.get(p.index()));
                let manifest = manifest.map_or("", |p| p.manifest_path.as_str());
                names.targets.insert(root.id, (manifest, krate));
            }
        }
        names
    }

    /// Writes the differences from the rows of `old`.
    pub fn write(
        &self,
        old: &Names<'_>,
        namespace: Namespace,
        at: Micros,
        batch: &mut Batch,
    ) -> Result<(), StoreError> {
        let empty = CrateMaps::default();
        let (maps, former) = (self.maps.unwrap_or(&empty), old.maps.unwrap_or(&empty));
        let [here, there] = maps.nodes.differences(&former.nodes);
        let ([by_name, by_path], [old_by_name, old_by_path]) =
            (lookups(&here, &there), lookups(&there, &here));
        for (relation, new, old) in
            [("node_by_name", by_name, old_by_name), ("node_by_path", by_path, old_by_path)]
        {
            for (text, id) in new.difference(&old) {
                batch.assert(relation, at, [(*text).into(), (*id).into()], [])?;
            }
            for (text, id) in old.difference(&new) {
                batch.retract(relation, at, [(*text).into(), (*id).into()], [])?;
            }
        }
        let [edges, old_edges] = maps.edges.differences(&former.edges);
        for edge in only_in_first(&edges.edges, &old_edges.edges, |edge| *edge) {
            batch.assert("edge", at, edge_key(edge), edge_values(edge))?;
            batch.assert("edge_in", at, edge_in_key(edge), [])?;
        }
        for edge in only_in_first(&old_edges.edges, &edges.edges, |edge| *edge) {
            batch.retract("edge", at, edge_key(edge), edge_values(edge))?;
            batch.retract("edge_in", at, edge_in_key(edge), [])?;
        }
        write_unresolved(&edges.unresolved, &old_edges.unresolved, at, batch)?;
        self.write_packages(old, at, batch)?;
        self.write_files(old, namespace, at, batch)
    }

    fn write_packages(
        &self,
        old: &Names<'_>,
        at: Micros,
        batch: &mut Batch,
    ) -> Result<(), StoreError> {
        for (path, package) in &self.packages {
            let before = old.packages.get(path);
            if before.is_none_or(|b| package_values(b) != package_values(package)) {
                batch.assert("package", at, [(*path).into()], package_values(package))?;
            }
        }
        for (path, package) in &old.packages {
            if !self.packages.contains_key(path) {
                batch.retract("package", at, [(*path).into()], package_values(package))?;
            }
        }
        for (id, (manifest, krate)) in &self.targets {
            let before = old.targets.get(id);
            if before == Some(&(*manifest, *krate)) {
                continue;
            }
            let values = target_values(manifest, krate);
            if before.is_none_or(|(m, k)| target_values(m, k) != values) {
                batch.assert("target", at, [(*id).into()], values)?;
            }
            let name = krate.target.crate_name.as_str();
            if before.is_none_or(|(_, b)| b.target.crate_name != name) {
                batch.assert("target_by_crate", at, [name.into(), (*id).into()], [])?;
            }
        }
        for (id, (manifest, krate)) in &old.targets {
            let now = self.targets.get(id);
            if now.is_none() {
                batch.retract("target", at, [(*id).into()], target_values(manifest, krate))?;
            }
            let name = krate.target.crate_name.as_str();
            if now.is_none_or(|(_, n)| n.target.crate_name != name) {
                batch.retract("target_by_crate", at, [name.into(), (*id).into()], [])?;
            }
        }
        Ok(())
    }

    fn write_files(
        &self,
        old: &Names<'_>,
        namespace: Namespace,
        at: Micros,
        batch: &mut Batch,
    ) -> Result<(), StoreError> {
        for (id, path) in &self.files {
            if old.files.get(id) != Some(path) {
                let values = [Value::from(*path), namespace.into()];
                batch.assert("file_mod", at, [(*id).into()], values)?;
                batch.assert("mod_by_file", at, [(*path).into(), (*id).into()], [])?;
            }
        }
        for (id, path) in &old.files {
            match self.files.get(id) {
                Some(now) if now == path => continue,
                Some(_) => {}
                None => {
                    let values = [Value::from(*path), namespace.into()];
                    batch.retract("file_mod", at, [(*id).into()], values)?;
                }
            }
            batch.retract("mod_by_file", at, [(*path).into(), (*id).into()], [])?;
        }
        Ok(())
    }
}

/// Writes the differences of two sorted lists.
fn write_unresolved(
    own: &[&Unresolved],
    old: &[&Unresolved],
    at: Micros,
    batch: &mut Batch,
) -> Result<(), StoreError> {
    // `external` is the only value: if only that differs, the row is asserted again.
    let has = |all: &[&Unresolved], one: &Unresolved| {
        let found = |other: &&Unresolved| unresolved_identity(other).cmp(&unresolved_identity(one));
        all.binary_search_by(found).is_ok()
    };
    for one in only_in_first(own, old, |one| *one) {
        batch.assert("unresolved", at, unresolved_key(one), [one.external.into()])?;
        if !has(old, one) {
            batch.assert("unresolved_by_text", at, unresolved_text_key(one), [])?;
        }
    }
    for one in only_in_first(old, own, |one| *one) {
        if !has(own, one) {
            batch.retract("unresolved", at, unresolved_key(one), [one.external.into()])?;
            batch.retract("unresolved_by_text", at, unresolved_text_key(one), [])?;
        }
    }
    Ok(())
}

/// Whether both have the same keys of `node_by_name` and `node_by_path`.
fn is_found_alike(a: &Node, b: &Node) -> bool {
    (a.id, a.kind, &a.name, &a.path) == (b.id, b.kind, &b.name, &b.path)
}

/// Keys of `node_by_name` and `node_by_path` of the nodes that are not the same among `others`.
fn lookups<'a>(nodes: &[&'a Node], others: &[&Node]) -> [BTreeSet<(&'a str, NodeId)>; 2] {
    let others: HashMap<NodeId, &Node> = others.iter().map(|node| (node.id, *node)).collect();
    let mut found = <[BTreeSet<_>; 2]>::default();
    let [by_name, by_path] = &mut found;
    for node in nodes.iter().copied() {
        let same = others.get(&node.id).is_some_and(|other| is_found_alike(other, node));
        if node.path.is_empty() || same {
            continue;
        }
        if !node.kind.is_anonymous() {
            by_name.insert((node.name.as_str(), node.id));
        }
        by_path.insert((node.path.as_str(), node.id));
    }
    found
}

fn edge_key(e: &Edge) -> [Value; 5] {
    let (kind, name) = (e.kind.as_str().into(), e.name.as_str().into());
    [e.source.into(), kind, name, e.target.into(), e.origin.into()]
}

fn edge_values(e: &Edge) -> [Value; 2] {
    [e.provenance.as_str().into(), 1.0.into()]
}

fn edge_in_key(e: &Edge) -> [Value; 5] {
    let (kind, name) = (e.kind.as_str().into(), e.name.as_str().into());
    [e.target.into(), kind, e.source.into(), name, e.origin.into()]
}

/// In the order of the list.
fn unresolved_identity(u: &Unresolved) -> (NodeId, EdgeKind, &str, &str, NodeId) {
    (u.source, u.kind, &u.text, &u.name, u.origin)
}

fn unresolved_key(u: &Unresolved) -> [Value; 5] {
    let (text, name) = (u.text.as_str().into(), u.name.as_str().into());
    [u.source.into(), u.kind.as_str().into(), text, name, u.origin.into()]
}

fn unresolved_text_key(u: &Unresolved) -> [Value; 5] {
    let (text, name) = (u.text.as_str().into(), u.name.as_str().into());
    [text, u.kind.as_str().into(), u.source.into(), name, u.origin.into()]
}

fn package_values(package: &Package) -> [Value; 5] {
    let dependencies = package
        .dependencies
        .iter()
        .map(|(name, package)| Value::list([name.as_str(), package.as_str()]));
    [
        package.name.as_str().into(),
        package.version.as_str().into(),
        package.edition.as_str().into(),
        Value::List(dependencies.collect()),
        Value::Json(serde_json::to_value(&package.features).or_never("features have a JSON form")),
    ]
}

fn target_values(manifest: &str, krate: &Crate) -> [Value; 6] {
    let target = &krate.target;
    [
        manifest.into(),
        target.kind.as_str().into(),
        target.name.as_str().into(),
        target.crate_name.as_str().into(),
        target.root.as_str().into(),
        target.edition.as_str().into(),
    ]
}
