//! Occurrences of another tool's index, placed in the texts of a snapshot. An index has no hashes:
//! whether it is of these texts is told by its names, which must stand where it says.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::RawHash;
use asof_model::{Hint, OrNever};
use asof_query::Queries;
use asof_scip::{IndexedFile, IndexedName, Named, ScipError, SymbolText, Text, Unplaced, unpack};
use asof_wire::{SkipReason, SkippedFile};

/// One in so many names of a file may be another than its symbol says; with more, the index is of
/// another text. Macros can make names that stand nowhere.
const TOLERATED: usize = 20;

/// An index, or what is stored of one.
#[derive(Debug, Default)]
pub(super) struct Theirs {
    pub tool: String,
    pub version: String,
    /// Every symbol, once.
    pub symbols: Vec<String>,
    pub files: BTreeMap<String, TheirFile>,
    pub skipped: Vec<SkippedFile>,
    /// Names that do not stand where the index says, or cannot be placed.
    pub left_out: usize,
    /// Symbols that are defined in files of another text.
    pub lost: HashSet<u32>,
}

/// A file whose text is that of the snapshot.
#[derive(Debug)]
pub(super) struct TheirFile {
    pub raw_hash: RawHash,
    /// In order; symbols are indices in [`Theirs::symbols`].
    pub names: Vec<IndexedName>,
}

/// Gives each symbol a number.
#[derive(Default)]
struct Interner {
    numbers: HashMap<String, u32>,
    symbols: Vec<String>,
}

impl Interner {
    fn number(&mut self, symbol: &str) -> u32 {
        if let Some(number) = self.numbers.get(symbol) {
            return *number;
        }
        let number = self.symbols.len() as u32;
        self.numbers.insert(symbol.to_owned(), number);
        self.symbols.push(symbol.to_owned());
        number
    }
}

impl Snapshot<'_> {
    /// An index, as far as it is of the texts of this snapshot.
    pub(super) fn read_index(&self, bytes: &[u8]) -> Result<Theirs, EngineError> {
        let index = asof_scip::read(bytes)?;
        if index.tool.is_empty() {
            let reason = "it does not say which program made it".to_owned();
            return Err(ScipError::NoIndex { reason }.into());
        }
        let known = self.source_files()?;
        let mut interner = Interner::default();
        let mut found =
            Theirs { tool: index.tool, version: index.tool_version, ..Theirs::default() };
        for file in &index.files {
            let skip = |reason| SkippedFile { file_path: file.path.clone(), reason };
            let Some(raw_hash) = known.get(&file.path) else {
                found.skipped.push(skip(if is_inside(&file.path) {
                    SkipReason::NotIndexed
                } else {
                    SkipReason::OutsideRoot
                }));
                continue;
            };
            let text = self.source_text(&file.path)?;
            let placed = match &file.text_hash {
                // A hash says more than the names: one may be another by an import under another
                // name, or stand nowhere since a macro call makes it.
                Some(hash) if *hash == raw_hash.to_string() => {
                    place(file, &text.bytes, &mut interner, Check::Nothing)?
                }
                Some(_) => None,
                None => place(file, &text.bytes, &mut interner, Check::Names)?,
            };
            match placed {
                Some((names, left_out)) if text.hash == *raw_hash => {
                    found.left_out += left_out;
                    let file_names = TheirFile { raw_hash: *raw_hash, names };
                    found.files.insert(file.path.clone(), file_names);
                }
                _ => {
                    found.skipped.push(skip(SkipReason::OtherText));
                    file.occurrences(&mut |one| {
                        if one.defines && !SymbolText(&one.symbol).is_local() {
                            found.lost.insert(interner.number(&one.symbol));
                        }
                        Ok(())
                    })?;
                }
            }
        }
        found.symbols = interner.symbols;
        found.skipped.sort();
        if found.files.is_empty() {
            return Err(nothing_fits(&found.skipped, &index.root));
        }
        Ok(found)
    }

    /// What is stored of the index of a tool; of the only one if none is named.
    pub(super) fn stored_index(&self, tool: Option<&str>) -> Result<Theirs, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let mut rows = queries.scip_files()?;
        let tools: BTreeSet<String> = rows.iter().map(|row| row.tool.clone()).collect();
        let tool = match (tool, tools.len()) {
            (Some(tool), _) if tools.contains(tool) => tool.to_owned(),
            (None, 1) => tools.into_iter().next().or_never("there is one tool"),
            (None, 2..) => {
                return Err(EngineError::Ambiguous {
                    what: "indexes of several tools are imported".to_owned(),
                    hint: Hint::NameTool,
                    candidates: tools.into_iter().collect(),
                });
            }
            (given, _) => {
                let of = given.map(|tool| format!(" of `{tool}`")).unwrap_or_default();
                let what = format!("no index{of} is imported");
                return Err(EngineError::NotFound { what, hint: Hint::ImportIndex });
            }
        };
        rows.retain(|row| row.tool == tool);
        let mut interner = Interner::default();
        let mut found = Theirs { tool: tool.clone(), ..Theirs::default() };
        for row in queries.scip_names(&tool)? {
            let names = unpack(&row.names, row.symbols.len());
            let names = names.ok_or_else(|| EngineError::State {
                what: "names of an index",
                reason: format!("those of {} are damaged", row.path),
            })?;
            let numbers: Vec<u32> =
                row.symbols.iter().map(|symbol| interner.number(symbol)).collect();
            let numbered = |mut name: IndexedName| {
                // `unpack` has compared the number with the list.
                name.symbol =
                    numbers.get(name.symbol as usize).copied().or_never("a name has a symbol");
                name
            };
            let names = names.into_iter().map(numbered).collect();
            found.files.insert(row.path, TheirFile { raw_hash: row.raw_hash, names });
        }
        let stale: BTreeSet<String> = rows
            .iter()
            .filter(|row| !found.files.contains_key(&row.path))
            .map(|row| row.path.clone())
            .collect();
        if let Some(newest) = rows.iter().max_by_key(|row| row.imported) {
            found.version.clone_from(&newest.version);
        }
        for row in queries.scip_stale(&tool)?.iter().filter(|row| stale.contains(&row.path)) {
            let symbols = defined(&row.symbols, &row.names).into_iter();
            found.lost.extend(symbols.map(|symbol| interner.number(symbol)));
        }
        let skip = |file_path| SkippedFile { file_path, reason: SkipReason::Stale };
        found.skipped = stale.into_iter().map(skip).collect();
        found.symbols = interner.symbols;
        Ok(found)
    }
}

/// Symbols that packed names define; none if they are damaged, which reading the names tells.
fn defined<'s>(symbols: &'s [String], names: &[u8]) -> Vec<&'s str> {
    let names = unpack(names, symbols.len()).unwrap_or_default();
    let definitions = names.iter().filter(|name| name.defines);
    let symbol = |name: &IndexedName| symbols.get(name.symbol as usize).map(String::as_str);
    definitions.filter_map(symbol).filter(|symbol| !SymbolText(symbol).is_local()).collect()
}

/// Whether a path is one that SCIP allows: relative, and without detours.
fn is_inside(path: &str) -> bool {
    let plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\\', '\0']);
    path.split('/').all(plain)
}

fn nothing_fits(skipped: &[SkippedFile], root: &str) -> EngineError {
    let reasons: BTreeSet<SkipReason> = skipped.iter().map(|file| file.reason).collect();
    let what = format!("none of the {} files of the index is of this snapshot", skipped.len());
    let hint = if reasons.contains(&SkipReason::OtherText) {
        Hint::IndexedMoment
    } else {
        format!("its paths are relative to `{root}`: index the root of the workspace").into()
    };
    EngineError::NotFound { what, hint }
}

/// What tells whether an index is of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Check {
    /// It is known to be.
    Nothing,
    Names,
}

/// The names of a file in its text, and how many do not stand there; `None` if the index is of another
/// text.
fn place(
    file: &IndexedFile<'_>,
    bytes: &[u8],
    interner: &mut Interner,
    check: Check,
) -> Result<Option<(Vec<IndexedName>, usize)>, ScipError> {
    let text = Text::new(bytes);
    let aliases = aliases(bytes);
    let mut names = BTreeSet::new();
    let (mut misplaced, mut undecided, mut others, mut checked) = (0_usize, 0, 0, 0);
    file.occurrences(&mut |one| {
        let ends = [one.place.start, one.place.end].map(|place| text.decode(place, file.encoding));
        let [start, end] = match ends {
            [Ok(start), Ok(end)] => [start, end],
            [Err(Unplaced::Undecidable), _] | [Ok(_), Err(Unplaced::Undecidable)] => {
                undecided += 1;
                return Ok(());
            }
            _ => {
                misplaced += 1;
                return Ok(());
            }
        };
        let mut byte = start;
        match text.named(start, end) {
            Named::Part if check == Check::Names => misplaced += 1,
            Named::Part | Named::Other => {}
            Named::Name(name) => {
                checked += 1;
                // Our places of uses are without the `r#`, those of definitions with it.
                if !one.defines {
                    byte = end - name.len() as u32;
                }
                let symbol = SymbolText(&one.symbol);
                let is_meant = one.defines && is_nameless(symbol) || fits(name, symbol, &aliases);
                if check == Check::Names && !is_meant {
                    others += 1;
                    return Ok(());
                }
            }
        }
        let symbol = interner.number(&one.symbol);
        names.insert(IndexedName { byte, symbol, defines: one.defines, is_import: one.is_import });
        Ok(())
    })?;
    let is_other = misplaced > 0 || others * TOLERATED > checked;
    Ok((!is_other).then(|| (names.into_iter().collect(), undecided + others)))
}

/// Whether a symbol has no name where it is declared: a field of a tuple.
fn is_nameless(symbol: SymbolText<'_>) -> bool {
    symbol.name().is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether a name in a text can mean a symbol.
fn fits(name: &str, symbol: SymbolText<'_>, aliases: &HashSet<&str>) -> bool {
    let Some(expected) = symbol.name() else { return true };
    expected.strip_prefix("r#").unwrap_or(expected) == name
        || matches!(name, "self" | "Self" | "super" | "crate")
        || aliases.contains(name)
}

/// Names after `as`.
fn aliases(bytes: &[u8]) -> HashSet<&str> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 128;
    let mut words = bytes.split(|byte| !is_part(byte)).filter(|word| !word.is_empty());
    let mut found = HashSet::new();
    while let Some(word) = words.next() {
        if word == b"as" {
            found.extend(words.next().and_then(|alias| std::str::from_utf8(alias).ok()));
        }
    }
    found
}
