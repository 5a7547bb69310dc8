//! Symbols of the items of a workspace, each of one item, and of the names of other crates.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::{NodeId, NodeKind, PRIMITIVES, RefKind};
use asof_query::{Container, Queries, SymbolRow, TargetName, UsesRow};
use asof_scip::{Label, Suffix, last_segment};

/// Symbols and what they are of, by id.
#[derive(Default)]
pub(super) struct Symbols {
    pub by_id: HashMap<NodeId, String>,
    pub externals: BTreeMap<String, String>,
}

/// What the items of a file use.
pub(super) type Uses = BTreeMap<String, Vec<UsesRow>>;

/// Labels by the item whose symbol has them.
type Labels = HashMap<NodeId, Vec<Label>>;

impl Snapshot<'_> {
    pub(super) fn scip_symbols(
        &self,
        queries: &Queries<'_>,
        defined: &[SymbolRow],
        uses: &Uses,
    ) -> Result<Symbols, EngineError> {
        let kinds: HashMap<&str, Suffix> = defined
            .iter()
            .filter(|row| Suffix::of_kind(row.kind.as_str()).holds_items())
            .map(|row| (row.canonical_path.as_str(), Suffix::of_kind(row.kind.as_str())))
            .collect();
        // The path of an impl names its type, and its trait.
        let above = |path: &str| match kinds.get(path) {
            Some(suffix) => *suffix,
            None if last_segment(path).starts_with('<') => Suffix::Type,
            None => Suffix::Namespace,
        };
        let labels = self.labels(queries, defined)?;
        let mut symbols = Symbols::default();
        for row in defined {
            let suffix = Suffix::of_kind(row.kind.as_str());
            let labels = labels.get(&row.id).map_or(&[][..], Vec::as_slice);
            let descriptors = asof_scip::descriptors(&row.canonical_path, suffix, above, labels);
            let symbol = asof_scip::symbol(&row.package, &row.version, &descriptors);
            symbols.by_id.insert(row.id, symbol);
        }
        // A name of another crate ends as all of its uses say.
        let mut endings: BTreeMap<NodeId, Suffix> = BTreeMap::new();
        for one in uses.values().flatten().flat_map(|row| &row.refs) {
            if symbols.by_id.contains_key(&one.target) {
                continue;
            }
            let suffix = match one.kind {
                RefKind::Macro => Suffix::Macro,
                RefKind::Path => Suffix::Namespace,
                kind if RefKind::CALLS.contains(&kind) => Suffix::Method,
                _ => Suffix::Term,
            };
            let known = endings.entry(one.target).or_insert(suffix);
            if *known == Suffix::Term {
                *known = suffix;
            }
        }
        let ids: Vec<NodeId> = endings.keys().copied().collect();
        for TargetName { id, kind, path, .. } in queries.target_names(&ids)? {
            if kind != "external" {
                continue;
            }
            let package = package_of(&path);
            let suffix = match endings.get(&id) {
                _ if path == package => Suffix::Namespace,
                Some(Suffix::Macro) => Suffix::Macro,
                // A tuple struct is called, too.
                _ if is_type(last_segment(&path)) => Suffix::Type,
                Some(ending) => *ending,
                None => Suffix::Term,
            };
            let above = |path: &str| {
                if is_type(last_segment(path)) { Suffix::Type } else { Suffix::Namespace }
            };
            let symbol =
                asof_scip::symbol(package, "", &asof_scip::descriptors(&path, suffix, above, &[]));
            symbols.externals.insert(symbol.clone(), last_segment(&path).to_owned());
            symbols.by_id.insert(id, symbol);
        }
        Ok(symbols)
    }
}

impl Snapshot<'_> {
    /// What tells items apart that have one path. A crate that is no library is told from another of
    /// its name in the package by its kind; items of one path by the impl and the conditions that
    /// only one of them is in; what is left by its number.
    fn labels(&self, queries: &Queries<'_>, defined: &[SymbolRow]) -> Result<Labels, EngineError> {
        // The root modules that have one name in one package.
        let mut crates: BTreeMap<(&str, &str), BTreeSet<NodeId>> = BTreeMap::new();
        for row in defined.iter().filter(|row| row.id == row.root_id) {
            crates.entry((&row.package, &row.canonical_path)).or_default().insert(row.id);
        }
        crates.retain(|_, roots| roots.len() > 1);
        let several: BTreeSet<NodeId> = crates.into_values().flatten().collect();
        let mut by_symbol: BTreeMap<Named<'_>, Vec<&SymbolRow>> = BTreeMap::new();
        let mut labels = Labels::new();
        for row in defined {
            let is_told = several.contains(&row.root_id) && row.crate_kind != "lib";
            if is_told {
                let text = row.crate_kind.clone();
                labels.entry(row.id).or_default().push(Label { segment: 0, text });
            }
            let named = Named {
                package: &row.package,
                version: &row.version,
                crate_kind: is_told.then_some(row.crate_kind.as_str()),
                suffix: Suffix::of_kind(row.kind.as_str()),
                path: &row.canonical_path,
            };
            by_symbol.entry(named).or_default().push(row);
        }
        by_symbol.retain(|_, rows| rows.len() > 1);
        let ids: Vec<NodeId> = by_symbol.values().flatten().map(|row| row.id).collect();
        let mut around: HashMap<NodeId, Vec<Container>> = HashMap::new();
        for row in queries.containers(&ids)? {
            around.entry(row.id).or_default().push(row);
        }
        for rows in by_symbol.into_values() {
            let own = |row: &&SymbolRow| {
                let containers = around.get(&row.id).map_or(&[][..], Vec::as_slice);
                told_by(containers, asof_scip::segment_count(&row.canonical_path))
            };
            let each: Vec<Vec<Label>> = rows.iter().map(own).collect();
            let common = |label: &Label| each.iter().all(|labels| labels.contains(label));
            let mut seen: BTreeMap<Vec<Label>, usize> = BTreeMap::new();
            for (row, own) in rows.iter().zip(&each) {
                let mut own: Vec<Label> =
                    own.iter().filter(|label| !common(label)).cloned().collect();
                let number = seen.entry(own.clone()).or_default();
                *number += 1;
                if *number > 1 {
                    let segment = asof_scip::segment_count(&row.canonical_path).saturating_sub(1);
                    own.push(Label { segment, text: number.to_string() });
                }
                labels.entry(row.id).or_default().extend(own);
            }
        }
        Ok(labels)
    }
}

/// What a symbol says of an item without labels.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Named<'r> {
    package: &'r str,
    version: &'r str,
    crate_kind: Option<&'r str>,
    suffix: Suffix,
    path: &'r str,
}

/// The impl and the conditions that an item is in, each before the segment that it is about.
/// `containers`: the item and what is around it, outwards.
fn told_by(containers: &[Container], segments: usize) -> Vec<Label> {
    let mut found = Vec::new();
    let mut segment = segments.saturating_sub(1);
    let mut in_impl = false;
    for container in containers {
        if container.distance > 0 {
            match container.kind {
                // The type is elsewhere, and so are the segments before its name.
                NodeKind::Impl => in_impl = true,
                _ if in_impl => segment = 0,
                NodeKind::MacroCall | NodeKind::ForeignMod => {}
                _ => segment = segment.saturating_sub(1),
            }
        }
        if container.kind == NodeKind::Impl && container.distance > 0 {
            found.push(Label { segment, text: container.signature.clone() });
        }
        if !container.cfg.is_empty() {
            found.push(Label { segment, text: format!("cfg({})", container.cfg) });
        }
    }
    found.reverse();
    found
}

/// The package of an external name: that of its crate, as far as its path says; `core` for types of
/// the language.
fn package_of(path: &str) -> &str {
    let first = path.split("::").next().unwrap_or(path);
    if first.starts_with('<') || PRIMITIVES.contains(&first) { "core" } else { first }
}

/// Whether a name of another crate is that of a type, by the convention that the compiler warns of.
fn is_type(name: &str) -> bool {
    let is_const = || name.chars().all(|c| c.is_uppercase() || c.is_numeric() || c == '_');
    PRIMITIVES.contains(&name)
        || name.starts_with('<')
        || name.starts_with(char::is_uppercase) && (name.len() == 1 || !is_const())
}
