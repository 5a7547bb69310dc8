//! Rows of the smaller tables.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::cell::{Cell, Row};
use super::common::Common;
use super::error::TablesError;
use super::intervals::Tracker;
use super::lock::Lock;
use super::versions::{Versions, near, versions};
use asof_model::{Micros, NodeId};
use asof_query::{Queries, run};
use asof_store::{Params, Relation, Rows};

/// All rows of a plain relation.
fn plain(common: &Common<'_>, name: &str) -> Result<Rows, TablesError> {
    let relation = Relation::find(name).ok_or_else(|| TablesError::Fact {
        what: "relation",
        reason: format!("there is no relation `{name}`"),
    })?;
    Ok(common.reading.store.versions(relation)?)
}

/// Rows of `project`.
pub(super) fn project(common: &Common<'_>) -> Result<Vec<Row>, TablesError> {
    let says = |key: &str| -> Result<Option<String>, TablesError> {
        let rows = run(common.reading.store, "meta/get", Params::new().with("key", key))?;
        Ok(rows.column("value")?.pop())
    };
    let times: Vec<i64> = plain(common, "revision")?.column("at")?;
    let times = times.into_iter().filter(|at| *at <= common.span.at);
    let (first, newest) = (times.clone().min(), times.max());
    let floor = common.reading.floor.map(|floor| floor.0);
    Ok(vec![vec![
        common.symbols.source().into(),
        says("namespace")?.into(),
        env!("CARGO_PKG_VERSION").into(),
        says("schema_version")?.unwrap_or_default().into(),
        floor.into(),
        first.into(),
        newest.into(),
    ]])
}

/// Rows of `revision`.
pub(super) fn revisions(common: &Common<'_>) -> Result<Vec<Row>, TablesError> {
    let matched = plain(common, "matched_revision")?.column("at")?;
    let matched: HashSet<i64> = matched.into_iter().collect();
    let mut rows = Vec::new();
    for row in plain(common, "revision")?.iter() {
        let at: i64 = row.get("at")?;
        if at > common.span.at {
            continue;
        }
        rows.push(vec![
            at.into(),
            row.get::<uuid::Uuid>("id")?.to_string().into(),
            row.get::<String>("cause")?.into(),
            row.get::<Option<String>>("actor")?.into(),
            row.get::<Option<String>>("message")?.into(),
            row.get::<Option<String>>("commit")?.into(),
            row.get::<i64>("files")?.into(),
            matched.contains(&at).into(),
        ]);
    }
    Ok(rows)
}

/// Rows of `item_match`. Items of which no version is left have no row.
pub(super) fn item_matches(common: &Common<'_>) -> Result<Vec<Row>, TablesError> {
    let mut rows = Vec::new();
    for row in plain(common, "item_match")?.iter() {
        let at: i64 = row.get("at")?;
        let new = common.symbols.get(row.get("new")?);
        let old = common.symbols.get(row.get("old")?);
        let (Some(new), Some(old), true) = (new, old, at <= common.span.at) else { continue };
        rows.push(vec![
            new.into(),
            old.into(),
            at.into(),
            row.get::<String>("kind")?.into(),
            row.get::<f64>("confidence")?.into(),
            row.get::<String>("reason")?.into(),
        ]);
    }
    Ok(rows)
}

/// Rows of `metric`.
pub(super) fn metrics(common: &Common<'_>) -> Result<Vec<Row>, TablesError> {
    let found: Versions<NodeId, Row> = versions(
        common.reading.store,
        "metric",
        common.span,
        |row| row.get("id"),
        |row| {
            let mut cells: Row = Vec::new();
            for name in ["loc", "code_lines", "comment_lines", "parameters"] {
                cells.push(row.get::<i64>(name)?.into());
            }
            for name in ["cyclomatic", "cognitive", "nesting"] {
                cells.push(row.get::<Option<i64>>(name)?.into());
            }
            cells.push(row.get::<Option<String>>("big_o")?.into());
            cells.push(row.get::<Option<f64>>("tdg_score")?.into());
            cells.push(row.get::<Option<String>>("tdg_grade")?.into());
            let satd = row.cell("satd")?.as_list().map_or(0, |list| list.len());
            cells.push(i64::try_from(satd).unwrap_or(i64::MAX).into());
            Ok(cells)
        },
    )?;
    let mut rows = Vec::new();
    for (id, of_id) in found {
        let symbol = Cell::from(common.symbols.need(id)?);
        let mut tracker = Tracker::default();
        for (at, cells) in of_id {
            let row = cells.map(|cells| {
                let mut row = vec![symbol.clone()];
                row.extend(cells);
                row
            });
            tracker.set(at, row, &mut rows);
        }
        tracker.finish(&mut rows);
    }
    Ok(rows)
}

/// Rows of `package`.
pub(super) fn packages(common: &Common<'_>) -> Vec<Row> {
    let mut rows = Vec::new();
    for (manifest, of_manifest) in &common.packages {
        let mut tracker = Tracker::default();
        for (at, package) in of_manifest {
            let row = package.as_ref().map(|package| -> Row {
                vec![
                    package.name.as_str().into(),
                    package.version.as_str().into(),
                    package.edition.as_str().into(),
                    manifest.as_str().into(),
                ]
            });
            tracker.set(*at, row, &mut rows);
        }
        tracker.finish(&mut rows);
    }
    rows
}

/// Rows of `dependency`.
pub(super) fn dependencies(common: &Common<'_>) -> Vec<Row> {
    let locks: Vec<(i64, Lock)> = common
        .reading
        .locks
        .iter()
        .map(|lock| (lock.at, Lock::read(lock.text.as_deref())))
        .collect();
    let lock_at = |at: i64| {
        let until = locks.partition_point(|(from, _)| *from <= at);
        until.checked_sub(1).and_then(|last| locks.get(last)).map(|(_, lock)| lock)
    };
    let mut moments: BTreeSet<i64> = locks.iter().map(|(at, _)| *at).collect();
    moments.extend(common.packages.values().flatten().map(|(at, _)| *at));
    let mut rows = Vec::new();
    for of_manifest in common.packages.values() {
        let mut tracker = Tracker::default();
        let Some((first, _)) = of_manifest.first() else { continue };
        for at in moments.range(first..) {
            let until = of_manifest.partition_point(|(from, _)| from <= at);
            let package = until.checked_sub(1).and_then(|last| of_manifest.get(last));
            let package = package.and_then(|(_, package)| package.as_ref());
            let lock = lock_at(*at);
            let found = package.into_iter().flat_map(|package| {
                package.dependencies.iter().filter_map(move |pair| -> Option<Row> {
                    let [name, dependency] = pair.as_slice() else { return None };
                    let locked = lock.and_then(|lock| lock.dependency(&package.name, dependency));
                    let (version, source) =
                        locked.map_or((None, None), |l| (Some(l.version), l.source));
                    Some(vec![
                        dependency.as_str().into(),
                        package.name.as_str().into(),
                        name.as_str().into(),
                        version.into(),
                        source.into(),
                    ])
                })
            });
            tracker.set(*at, found, &mut rows);
        }
        tracker.finish(&mut rows);
    }
    rows
}

/// Rows of `public_path`: asked again at each moment at which a name, a re-export or a crate
/// changed.
pub(super) fn public_paths(common: &Common<'_>) -> Result<Vec<Row>, TablesError> {
    let mut tracker = Tracker::default();
    let mut rows = Vec::new();
    for at in faces(common)? {
        let mut roots = Vec::new();
        let mut package_of: HashMap<&str, &str> = HashMap::new();
        for (root, of_root) in &common.targets {
            let until = of_root.partition_point(|(from, _)| *from <= at);
            let here = until.checked_sub(1).and_then(|last| of_root.get(last));
            let Some(target) = here.and_then(|(_, target)| target.as_ref()) else { continue };
            if !matches!(target.kind.as_str(), "lib" | "proc_macro") {
                continue;
            }
            let package = common.packages.get(&target.manifest_path);
            let package = package.and_then(|package| near(package, at));
            package_of.insert(&target.crate_name, package.map_or("", |package| &package.name));
            roots.push(*root);
        }
        let names = if roots.is_empty() {
            Vec::new()
        } else {
            Queries::at(common.reading.store, Micros(at)).public_names(&roots, false, &[])?
        };
        let mut found: Vec<Row> = Vec::with_capacity(names.len());
        for name in names {
            let of_crate = name.module_path.split("::").next().unwrap_or_default();
            let package = package_of.get(of_crate).copied().unwrap_or_default();
            found.push(vec![
                format!("{}::{}", name.module_path, name.name).into(),
                name.id.map(|id| common.symbols.need(id)).transpose()?.into(),
                name.kind.into(),
                package.into(),
                name.canonical_path.into(),
                name.hidden.into(),
                name.reexported.into(),
            ]);
        }
        tracker.set(at, found, &mut rows);
    }
    tracker.finish(&mut rows);
    Ok(rows)
}

/// The moments at which a public path may have changed.
fn faces(common: &Common<'_>) -> Result<BTreeSet<i64>, TablesError> {
    let mut moments = BTreeSet::new();
    for of_id in common.nodes.values() {
        let mut before = None;
        for (at, node) in of_id {
            let face = node.as_ref().map(|node| node.face);
            if face != before {
                moments.insert(*at);
            }
            before = face;
        }
    }
    let (store, span) = (common.reading.store, common.span);
    for relation in ["edge", "unresolved"] {
        let found: Versions<_, ()> = versions(
            store,
            relation,
            span,
            |row| {
                Ok((
                    row.get::<NodeId>("source")?,
                    row.get::<String>("kind")?,
                    row.get::<NodeId>("origin")?,
                ))
            },
            |_| Ok(()),
        )?;
        moments.extend(found.values().flatten().map(|(at, _)| *at));
    }
    moments.extend(common.targets.values().flatten().map(|(at, _)| *at));
    moments.extend(common.packages.values().flatten().map(|(at, _)| *at));
    Ok(moments)
}
