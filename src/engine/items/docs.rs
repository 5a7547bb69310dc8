//! Finds uses in documentation: links, and the code of examples.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::source_texts::{read_text, source_texts};
use super::written_paths::WrittenPaths;
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_edit::line_of;
use asof_model::{NodeId, NodeKind};
use asof_query::Described;
use asof_refactor::{
    DocName, DocPlace, doc_names, document_names, is_word, join, relative_files, words,
};
use asof_wire::{Doubt, PlaceToLookAt};
use asof_workspace::parent_folder;

/// Definitions that documentation may name, all of one name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Named<'n> {
    pub ids: &'n BTreeSet<NodeId>,
    pub items: &'n [Described],
}

/// A name in documentation, and how certain it is that it means the item.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DocUse {
    pub file_path: String,
    pub byte: u32,
    /// From 1.
    pub line: u32,
    pub confidence: f64,
    pub place: DocPlace,
    /// Whether it is in a `use` declaration.
    pub imported: bool,
    /// The code of the example that it is in.
    pub code: Arc<str>,
}

/// Members in the code of an example that names their type have this confidence.
const MEMBER: f64 = 0.5;

/// Names in the code of an example that may come from a glob, an alias or a variable have this one.
const POSSIBLE: f64 = 0.1;

/// The places of documentation that name one of these.
pub(crate) fn uses<'n>(
    snapshot: &Snapshot<'_>,
    named: impl Into<Named<'n>>,
    name: &str,
) -> Result<Vec<DocUse>, EngineError> {
    let mut reader = Reader::new(snapshot, named.into(), name)?;
    let mut found = Vec::new();
    for (path, text) in source_texts(snapshot)? {
        if !text.contains(name) {
            continue;
        }
        let names = doc_names(&text, name);
        let imported = reader.imported(&path, &names)?;
        for one in &names {
            let confidence = match reader.confidence(&path, one, &imported)? {
                Some(confidence) => confidence,
                None => continue,
            };
            found.push(DocUse {
                file_path: path.clone(),
                byte: one.at,
                line: line_of(&text, one.at),
                confidence,
                place: one.place,
                imported: one.imported,
                code: one.code.clone(),
            });
        }
    }
    Ok(found)
}

/// Names in the examples of documents that items include as their documentation. No rule rewrites
/// them.
pub(crate) fn included<'n>(
    snapshot: &Snapshot<'_>,
    named: impl Into<Named<'n>>,
    name: &str,
) -> Result<Vec<PlaceToLookAt>, EngineError> {
    let root = snapshot.database.need_root()?;
    let mut reader = Reader::new(snapshot, named.into(), name)?;
    let mut found = BTreeMap::new();
    for (path, text) in source_texts(snapshot)? {
        if !text.contains("include_str") {
            continue;
        }
        let folder = parent_folder(&path);
        for file in relative_files(&text) {
            let before = text.get(..file.at as usize).unwrap_or_default().trim_end();
            let is_doc =
                before.strip_suffix('=').is_some_and(|head| head.trim_end().ends_with("doc"));
            let Some(document) = file.path.filter(|_| is_doc).and_then(|file| join(folder, &file))
            else {
                continue;
            };
            let Some(shown) = read_text(root, &document).filter(|text| text.contains(name)) else {
                continue;
            };
            let names = document_names(&shown, name);
            let imported = reader.imported(&path, &names)?;
            for one in names.iter().filter(|one| one.place == DocPlace::Code) {
                // The module is that of the attribute.
                let one_there = DocName { at: file.at, ..one.clone() };
                let Some(confidence) = reader.confidence(&path, &one_there, &imported)? else {
                    continue;
                };
                let place = PlaceToLookAt {
                    file_path: document.clone(),
                    line: line_of(&shown, one.at),
                    byte: one.at,
                    reason: Doubt::Documentation,
                    confidence: confidence.min(POSSIBLE),
                    rewritten: false,
                };
                found.insert((document.clone(), one.at), place);
            }
        }
    }
    Ok(found.into_values().collect())
}

/// Places in the code of examples that name one of these: in source files, and in the documents that
/// they include as documentation. The examples of a library are compiled as crates of their own, so
/// their code uses what it names. Words and links around it do not: without the item, a link leads
/// nowhere, and everything compiles.
pub(crate) fn examples<'n>(
    snapshot: &Snapshot<'_>,
    named: impl Into<Named<'n>>,
    name: &str,
) -> Result<Vec<PlaceToLookAt>, EngineError> {
    let named = named.into();
    let mut found = included(snapshot, named, name)?;
    let code = uses(snapshot, named, name)?.into_iter();
    let code = code.filter(|used| used.place == DocPlace::Code).map(|used| PlaceToLookAt {
        file_path: used.file_path,
        line: used.line,
        byte: used.byte,
        reason: Doubt::Documentation,
        confidence: used.confidence,
        rewritten: false,
    });
    found.extend(code);
    Ok(found)
}

/// Says what names in documentation mean.
struct Reader<'s> {
    paths: WrittenPaths<'s>,
    ids: BTreeSet<NodeId>,
    name: String,
    is_member: bool,
    is_macro: bool,
    owners: BTreeSet<String>,
    crates: BTreeSet<String>,
}

impl<'s> Reader<'s> {
    fn new(snapshot: &'s Snapshot<'_>, named: Named<'_>, name: &str) -> Result<Self, EngineError> {
        let kind = named.items.first().map(|item| item.kind);
        let is_member = matches!(
            kind,
            Some(
                NodeKind::Method
                    | NodeKind::Field
                    | NodeKind::Variant
                    | NodeKind::AssocConst
                    | NodeKind::AssocType
            )
        );
        let paths = named.items.iter().filter_map(|item| item.canonical_path.as_deref());
        let crates = paths.filter_map(|path| path.split("::").next()).map(str::to_owned);
        Ok(Self {
            paths: WrittenPaths::new(snapshot),
            ids: named.ids.clone(),
            name: name.to_owned(),
            is_member,
            is_macro: kind == Some(NodeKind::Macro),
            owners: owners(snapshot, named)?,
            crates: crates.collect(),
        })
    }

    /// The blocks that import the item by its name.
    fn imported(&mut self, file: &str, names: &[DocName]) -> Result<BTreeSet<u32>, EngineError> {
        let mut blocks = BTreeSet::new();
        for one in names.iter().filter(|one| one.place == DocPlace::Code && one.imported) {
            if self.means(file, one.at, &one.path)? {
                blocks.insert(one.block);
            }
        }
        Ok(blocks)
    }

    fn means(&mut self, file: &str, at: u32, path: &str) -> Result<bool, EngineError> {
        // A path of one segment means no member.
        if self.is_member && !path.contains("::") {
            return Ok(false);
        }
        self.paths.mean(file, at, path, &self.ids)
    }

    /// How certain it is that a name means the item; none if it does not.
    fn confidence(
        &mut self,
        file: &str,
        one: &DocName,
        imported: &BTreeSet<u32>,
    ) -> Result<Option<f64>, EngineError> {
        let means = self.means(file, one.at, &one.path)?;
        if one.place == DocPlace::Link {
            return Ok(means.then_some(1.0));
        }
        let is_qualified = one.path.contains("::");
        let is_dotted = one.path.starts_with('.');
        if means && is_qualified || !is_qualified && !is_dotted && imported.contains(&one.block) {
            return Ok(Some(1.0));
        }
        let code = &*one.code;
        if self.is_member {
            if has_word(code, |word| self.owners.contains(word)) {
                return Ok(Some(MEMBER));
            }
            let is_near = self.paths.is_in(file, one.at, &self.crates)?
                || has_word(code, |word| self.crates.contains(word));
            return Ok((is_near && (is_dotted || is_qualified)).then_some(POSSIBLE));
        }
        if is_dotted {
            return Ok(None);
        }
        if is_qualified {
            // Through an alias.
            let first = one.path.split("::").next().unwrap_or_default();
            let mut aliases = words(code, first);
            let is_alias = aliases
                .any(|at| code.get(..at).is_some_and(|before| before.trim_end().ends_with(" as")));
            return Ok(is_alias.then_some(POSSIBLE));
        }
        if declares(code, &self.name) {
            return Ok(None);
        }
        for glob in globs(code) {
            if self.means(file, one.at, &format!("{glob}::{}", self.name))? {
                return Ok(Some(1.0));
            }
        }
        let is_possible = self.is_macro || globs(code).next().is_some();
        Ok(is_possible.then_some(POSSIBLE))
    }
}

/// Paths of modules that code imports everything of.
fn globs(code: &str) -> impl Iterator<Item = &str> {
    let imports = code.split("use ").skip(1).filter_map(|rest| rest.split(';').next());
    imports.filter_map(|import| import.trim().strip_suffix("::*")).map(|path| path.trim())
}

/// Whether code declares something of this name itself.
fn declares(code: &str, name: &str) -> bool {
    ["fn", "struct", "enum", "trait", "type", "mod", "const", "static", "let", "let mut"]
        .into_iter()
        .any(|word| {
            words(code, name)
                .any(|at| code.get(..at).is_some_and(|before| before.trim_end().ends_with(word)))
        })
}

fn has_word(code: &str, is: impl Fn(&str) -> bool) -> bool {
    code.split(|c: char| !is_word(c)).any(is)
}

/// Names of the types and traits that definitions belong to.
fn owners(snapshot: &Snapshot<'_>, named: Named<'_>) -> Result<BTreeSet<String>, EngineError> {
    let parents: Vec<_> = named.items.iter().filter_map(|item| item.parent_id).collect();
    let mut names = BTreeSet::new();
    for parent in snapshot.items(&parents)? {
        let path = parent.path.unwrap_or_default();
        let text = if parent.name.is_empty() { path.as_str() } else { parent.name.as_str() };
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        let types = words.filter(|word| word.starts_with(char::is_uppercase) && word.len() > 1);
        names.extend(types.map(str::to_owned));
    }
    Ok(names)
}
