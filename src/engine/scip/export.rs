//! A workspace as a SCIP index.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::{NodeId, PRIMITIVES, RefKind};
use asof_query::{Queries, StartRow, SymbolRow, TargetName, UsesRow};
use asof_scip::{Definition, Document, External, Place, Reference, Suffix, Text, last_segment};

/// Characters of a path that a URI has as they are.
const PATH: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// Symbols and what they are of, by id.
#[derive(Default)]
struct Symbols {
    by_id: HashMap<NodeId, String>,
    externals: BTreeMap<String, String>,
}

/// What the items of a file use.
type Uses = BTreeMap<String, Vec<UsesRow>>;

impl Snapshot<'_> {
    /// Passes the messages of a SCIP index to `sink`, which writes them one after the other, and
    /// returns the number of files. Positions are in bytes, as the index says. Uses below
    /// `min_confidence` (from 0 to 1) and names whose meaning is not known are left out.
    ///
    /// # Errors
    /// The store or the sink failed.
    pub fn export_scip(
        &self,
        min_confidence: f64,
        sink: &mut dyn FnMut(&[u8]) -> Result<(), EngineError>,
    ) -> Result<usize, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let defined = queries.symbols()?;
        let starts: HashMap<NodeId, StartRow> =
            queries.all_starts()?.into_iter().map(|row| (row.id, row)).collect();
        let mut uses = Uses::new();
        for mut row in queries.all_uses()? {
            row.refs.retain(|one| one.confidence >= min_confidence);
            uses.entry(row.file_path.clone()).or_default().push(row);
        }
        let symbols = self.scip_symbols(&queries, &defined, &uses)?;
        let mut by_file: BTreeMap<String, Vec<SymbolRow>> = BTreeMap::new();
        for row in defined {
            by_file.entry(row.file_path.clone()).or_default().push(row);
        }
        let root = self
            .database
            .root()
            .map(|root| format!("file://{}", utf8_percent_encode(&root.to_string_lossy(), PATH)));
        sink(&asof_scip::metadata(&root.unwrap_or_default()))?;
        let paths: BTreeSet<&String> = by_file.keys().chain(uses.keys()).collect();
        for path in &paths {
            let text = self.source_text(path)?.bytes;
            let text = Text::new(&text);
            let used = uses.get(*path).map_or(&[][..], Vec::as_slice);
            let mut implements = implemented(used, &symbols);
            let rows = by_file.get(*path).into_iter().flatten();
            let definitions = rows.filter_map(|row| {
                Some(Definition {
                    symbol: symbols.by_id.get(&row.id)?.clone(),
                    name_place: if row.name_start == 0 {
                        // The name of a module that is a file stands elsewhere.
                        Place::default()
                    } else {
                        text.name(row.name_start)
                    },
                    place: Place {
                        start: text.place(row.start_byte),
                        end: text.place(row.end_byte),
                    },
                    kind: Some(row.kind),
                    name: last_segment(&row.canonical_path).to_owned(),
                    signature: row.signature.clone(),
                    docs: row.docs.clone(),
                    implements: implements.remove(&row.id).unwrap_or_default(),
                    in_test: row.in_test,
                })
            });
            let document = Document {
                definitions: definitions.collect(),
                references: references(used, &starts, &symbols, &text),
                path: (*path).clone(),
            };
            sink(&asof_scip::document(document))?;
        }
        let externals = symbols.externals.into_iter();
        let externals = externals.map(|(symbol, name)| External { symbol, name });
        sink(&asof_scip::externals(externals))?;
        Ok(paths.len())
    }

    fn scip_symbols(
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
        let mut symbols = Symbols::default();
        for row in defined {
            let suffix = Suffix::of_kind(row.kind.as_str());
            let descriptors = asof_scip::descriptors(&row.canonical_path, suffix, above);
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
                asof_scip::symbol(package, "", &asof_scip::descriptors(&path, suffix, above));
            symbols.externals.insert(symbol.clone(), last_segment(&path).to_owned());
            symbols.by_id.insert(id, symbol);
        }
        Ok(symbols)
    }
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

/// Symbols of what items of impls implement, by item.
fn implemented(uses: &[UsesRow], symbols: &Symbols) -> HashMap<NodeId, Vec<String>> {
    let mut found: HashMap<NodeId, Vec<String>> = HashMap::new();
    for row in uses {
        for one in row.refs.iter().filter(|one| one.kind == RefKind::Overrides) {
            found.entry(row.source).or_default().extend(symbols.by_id.get(&one.target).cloned());
        }
    }
    found
}

/// Places of uses in a file, in order, each meaning once.
fn references(
    uses: &[UsesRow],
    starts: &HashMap<NodeId, StartRow>,
    symbols: &Symbols,
    text: &Text<'_>,
) -> Vec<Reference> {
    let mut found = BTreeSet::new();
    for row in uses {
        let Some(start) = starts.get(&row.source) else { continue };
        for one in row.refs.iter().filter(|one| one.kind != RefKind::Overrides) {
            let Some(symbol) = symbols.by_id.get(&one.target) else { continue };
            for place in &one.occurrences.0 {
                let (line, column) = start.place(*place);
                let at = text.offset(line.saturating_sub(1), column.saturating_sub(1));
                found.insert(Reference {
                    place: text.name(at),
                    symbol: symbol.clone(),
                    is_import: one.kind == RefKind::Use,
                });
            }
        }
    }
    found.into_iter().collect()
}
