//! A workspace as a SCIP index.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::symbols::{Symbols, Uses};
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::{NodeId, RefKind};
use asof_query::{Queries, StartRow, SymbolRow, UsesRow};
use asof_scip::{Definition, Document, External, Place, Reference, Text, last_segment};

/// Characters of a path that a URI has as they are.
const PATH: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');

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
            let source = self.source_text(path)?;
            let text = Text::new(&source.bytes);
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
                text_hash: source.hash.to_string(),
            };
            sink(&asof_scip::document(document))?;
        }
        let externals = symbols.externals.into_iter();
        let externals = externals.map(|(symbol, name)| External { symbol, name });
        sink(&asof_scip::externals(externals))?;
        Ok(paths.len())
    }
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
