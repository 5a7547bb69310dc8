//! Imports an index: what it says of each file is kept under the hash of the file's text, so that it
//! answers for the moments at which the file has that text, and for no other.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};

use super::compare::{NoItem, Sides};
use super::ours::{OurItems, OurUses};
use super::theirs::Theirs;
use crate::database::{Database, FileKey, Refresh, Snapshot, use_key};
use crate::error::EngineError;
use crate::uses::first;
use asof_model::Hint;
use asof_model::{Micros, NodeId, RefKind};
use asof_query::{Queries, ScipUseRow, UseFilter};
use asof_scip::{IndexedName, Text, pack};
use asof_store::{Batch, Value};
use asof_wire::{
    Answer, ImportReport, ImportedFile, ImportedUse, ImportedUses, ItemRef, Symbol, When,
};

/// How long to wait for another process that writes.
const PATIENCE: Duration = Duration::from_secs(30);

/// Who says that an imported use is one.
const PROVENANCE: &str = "scip";

/// Byte, line and column of a use.
type Place = [u32; 3];

impl Database {
    /// Imports an index of the texts of a moment, in one transaction. What was imported before for the
    /// same texts by the same tool is replaced.
    ///
    /// # Errors
    /// The bytes are no index, none of its files has the text that it has at the moment, another
    /// process is writing, or the database failed.
    pub fn import_scip(
        &self,
        index: &[u8],
        when: &When,
        refresh: Refresh,
    ) -> Result<ImportReport, EngineError> {
        let started = Instant::now();
        let snapshot = self.snapshot(when, refresh)?;
        let theirs = snapshot.read_index(index)?;
        let queries = Queries::at(&self.store, snapshot.at);
        let items = OurItems::read(&queries)?;
        let none = OurUses::new();
        let sides = Sides::new(&items, &none, &theirs);
        let mut targets: HashMap<u32, Result<NodeId, NoItem>> = HashMap::new();
        let mut batch = Batch::new();
        let (mut uses, mut ambiguous, mut names) = (0, 0, 0);
        let imported = Micros::now();
        for (path, file) in &theirs.files {
            let source = snapshot.source_text(path)?.bytes;
            let text = Text::new(&source);
            let mut places: BTreeMap<NodeId, BTreeSet<Place>> = BTreeMap::new();
            for name in file.names.iter().filter(|name| !name.defines) {
                let target =
                    targets.entry(name.symbol).or_insert_with(|| sides.item_of(name.symbol));
                match target {
                    Ok(id) => {
                        let [line, column] = text.place(name.byte);
                        let place = [name.byte, line + 1, column + 1];
                        uses += usize::from(places.entry(*id).or_default().insert(place));
                    }
                    Err(NoItem::Several) => ambiguous += 1,
                    Err(NoItem::Undefined) => {}
                }
            }
            names += file.names.len();
            let raw_hash = file.raw_hash.to_string();
            put_file(&mut batch, &theirs, path, &file.names, &raw_hash, imported)?;
            for (target, places) in places {
                let places = Value::List(places.into_iter().map(Value::list).collect());
                let key = use_key(target, path, &raw_hash, &theirs.tool);
                batch.put("scip_use", key.into_iter().chain([places]))?;
            }
        }
        let lock = self.lock_to_write(PATIENCE)?;
        let key = |(path, file): (&String, &super::theirs::TheirFile)| {
            (path.clone(), file.raw_hash.to_string(), theirs.tool.clone())
        };
        let keys: BTreeSet<FileKey> = theirs.files.iter().map(key).collect();
        let before = queries.scip_files()?.into_iter();
        let replaced = before.filter(|row| {
            keys.contains(&(row.path.clone(), row.raw_hash.to_string(), row.tool.clone()))
        });
        let replaced = replaced.count();
        if replaced > 0 {
            self.remove_scip_uses(&mut batch, &keys)?;
        }
        lock.commit(batch)?;
        Ok(ImportReport {
            basis: snapshot.basis().clone(),
            files: theirs.files.len(),
            replaced,
            names,
            uses,
            ambiguous,
            left_out: theirs.left_out,
            tool: theirs.tool,
            version: theirs.version,
            skipped: theirs.skipped,
            ms: started.elapsed().as_secs_f64() * 1e3,
        })
    }

    /// Removes what is imported of the index of a tool. Returns the number of files.
    ///
    /// # Errors
    /// There is none, another process is writing, or the database failed.
    pub fn remove_imported(&self, tool: &str) -> Result<usize, EngineError> {
        let lock = self.lock_to_write(PATIENCE)?;
        let rows = Queries::at(&self.store, Micros(i64::MAX)).scip_files()?;
        let keys: BTreeSet<FileKey> = rows
            .into_iter()
            .filter(|row| row.tool == tool)
            .map(|row| (row.path, row.raw_hash.to_string(), row.tool))
            .collect();
        if keys.is_empty() {
            let what = format!("no index of `{tool}` is imported");
            return Err(EngineError::NotFound { what, hint: Hint::ImportIndex });
        }
        let mut batch = Batch::new();
        self.remove_scip(&mut batch, &keys)?;
        lock.commit(batch)?;
        Ok(keys.len())
    }
}

impl Snapshot<'_> {
    /// The files that indexes were imported for, stale ones included.
    ///
    /// # Errors
    /// The database failed.
    pub fn imported_files(
        &self,
        limit: Option<usize>,
    ) -> Result<Answer<ImportedFile>, EngineError> {
        let started = Instant::now();
        let rows = Queries::at(self.store(), self.at).scip_files()?;
        let files = rows.into_iter().map(|row| ImportedFile {
            stale: row.current != Some(row.raw_hash),
            file_path: row.path,
            tool: row.tool,
            version: row.version,
            imported: row.imported.to_string(),
            raw_hash: row.raw_hash.to_string(),
        });
        Ok(self.answer(started, files.collect(), limit))
    }

    /// The uses of symbols that imported indexes know, by file and line. What they say of other
    /// texts than the snapshot's is not listed, but its files are.
    ///
    /// # Errors
    /// No symbol is given, no index is imported, or the database failed.
    pub fn imported_uses(
        &self,
        symbols: &[Symbol],
        limit: Option<usize>,
    ) -> Result<ImportedUses, EngineError> {
        let started = Instant::now();
        let symbol = first(symbols)?;
        let queries = Queries::at(self.store(), self.at);
        let ids: Vec<NodeId> = symbols.iter().map(|symbol| symbol.id).collect();
        let (fresh, stale): (Vec<ScipUseRow>, Vec<ScipUseRow>) =
            queries.scip_uses(&ids)?.into_iter().partition(|row| row.current == Some(row.raw_hash));
        if fresh.is_empty() && stale.is_empty() && queries.scip_files()?.is_empty() {
            let what = "no index is imported".to_owned();
            return Err(EngineError::NotFound { what, hint: Hint::ImportIndex });
        }
        let filter = UseFilter { kinds: RefKind::ALL.to_vec(), min_confidence: 0.0 };
        let mut known: HashMap<(String, u32, NodeId), (RefKind, String)> = HashMap::new();
        for row in queries.where_used(&ids, &filter)? {
            known.insert(
                (row.file_path, row.start_byte, row.target),
                (row.use_kind, row.provenance),
            );
        }
        // A text that was imported again by the same tool is not stale.
        let again: BTreeSet<(&str, &str)> =
            fresh.iter().map(|row| (row.path.as_str(), row.tool.as_str())).collect();
        let stale: BTreeSet<String> = stale
            .iter()
            .filter(|row| !again.contains(&(row.path.as_str(), row.tool.as_str())))
            .map(|row| row.path.clone())
            .collect();
        let mut uses = Vec::new();
        for row in &fresh {
            for place in &row.places {
                let &[byte, line, column] = place.as_slice() else { continue };
                let ours = known.get(&(row.path.clone(), byte, row.target));
                uses.push(ImportedUse {
                    file_path: row.path.clone(),
                    line,
                    column,
                    byte,
                    provenance: PROVENANCE.to_owned(),
                    tool: row.tool.clone(),
                    version: row.version.clone(),
                    use_kind: ours.map(|(kind, _)| *kind),
                    our_rule: ours.map(|(_, rule)| rule.clone()),
                    item: None,
                    target: row.target,
                });
            }
        }
        uses.sort_by(|a, b| {
            (&a.file_path, a.byte, &a.tool, a.target)
                .cmp(&(&b.file_path, b.byte, &b.tool, b.target))
        });
        let unknown_to_us = uses.iter().filter(|one| one.our_rule.is_none()).count();
        let shown = limit.unwrap_or(usize::MAX);
        for one in uses.iter_mut().take(shown) {
            let around = queries.item_at(&one.file_path, one.byte)?;
            let item = around.into_iter().find(|row| !row.kind.is_anonymous());
            one.item = item.map(|row| ItemRef {
                id: row.id,
                kind: row.kind.as_str().to_owned(),
                path: row.canonical_path.unwrap_or_else(|| row.name.clone()),
                name: row.name,
            });
        }
        Ok(ImportedUses {
            symbol,
            symbols: symbols.to_vec(),
            answer: self.answer(started, uses, limit),
            unknown_to_us,
            stale_imports: stale.into_iter().collect(),
        })
    }
}

/// Adds the row of a file: its symbols by number, its names packed.
fn put_file(
    batch: &mut Batch,
    theirs: &Theirs,
    path: &str,
    names: &[IndexedName],
    raw_hash: &str,
    imported: Micros,
) -> Result<(), EngineError> {
    let used: BTreeSet<u32> = names.iter().map(|name| name.symbol).collect();
    let mut symbols: Vec<(&str, u32)> = used
        .into_iter()
        .filter_map(|symbol| Some((theirs.symbols.get(symbol as usize)?.as_str(), symbol)))
        .collect();
    symbols.sort_unstable();
    let numbers: HashMap<u32, u32> =
        symbols.iter().zip(0..).map(|((_, symbol), number)| (*symbol, number)).collect();
    let mut local: Vec<IndexedName> = names
        .iter()
        .filter_map(|name| Some(IndexedName { symbol: *numbers.get(&name.symbol)?, ..*name }))
        .collect();
    local.sort_unstable();
    let packed = pack(&local).ok_or_else(|| EngineError::State {
        what: "names of an index",
        reason: format!("those of {path} are not in order"),
    })?;
    let symbols = Value::list(symbols.into_iter().map(|(symbol, _)| symbol));
    let key: [Value; 3] = [path.into(), raw_hash.into(), theirs.tool.as_str().into()];
    let values: [Value; 4] =
        [theirs.version.as_str().into(), imported.into(), symbols, Value::Bytes(packed)];
    Ok(batch.put("scip_file", key.into_iter().chain(values))?)
}
