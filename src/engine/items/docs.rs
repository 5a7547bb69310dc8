//! Finds uses in documentation: links, and the code of examples.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::source_texts::{read_text, source_texts};
use super::written_paths::WrittenPaths;
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_edit::line_of;
use asof_model::{NodeId, NodeKind};
use asof_query::{Described, Queries};
use asof_refactor::{
    DocName, DocPlace, code_names, doc_names, document_names, is_word, join, relative_files, words,
};
use asof_wire::{Doubt, Item, PlaceToLookAt};
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

impl DocUse {
    /// The same for an answer: a place that no rule rewrites.
    pub fn into_place(self) -> PlaceToLookAt {
        PlaceToLookAt {
            file_path: self.file_path,
            line: self.line,
            byte: self.byte,
            reason: Doubt::Documentation,
            confidence: self.confidence,
            rewritten: false,
        }
    }
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
    let code = code.filter(|used| used.place == DocPlace::Code);
    found.extend(code.map(DocUse::into_place));
    Ok(found)
}

/// Documents that are shown in a warning.
const DOCUMENTS: usize = 5;

/// A warning of the Markdown files of the workspace that name an item in code. They are prose about it:
/// no rule rewrites them, and no build reads them.
pub(crate) fn documents<'n>(
    snapshot: &Snapshot<'_>,
    named: impl Into<Named<'n>>,
    name: &str,
) -> Result<Option<String>, EngineError> {
    let named = named.into();
    let Some(item) = named.items.first() else { return Ok(None) };
    let reader = Reader::new(snapshot, named, name)?;
    let root = snapshot.database.need_root()?;
    let mut places = Vec::new();
    for path in Queries::at(snapshot.store(), snapshot.at).documents_at()? {
        let Some(text) = read_text(root, &path).filter(|text| text.contains(name)) else {
            continue;
        };
        let names = code_names(&text, name);
        let lines: BTreeSet<u32> = names
            .iter()
            .filter(|one| reader.is_named(one))
            .map(|one| line_of(&text, one.at))
            .collect();
        let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
        if !lines.is_empty() {
            places.push(format!("{path}:{}", lines.join(", ")));
        }
    }
    if places.is_empty() {
        return Ok(None);
    }
    let more = places.len().saturating_sub(DOCUMENTS);
    places.truncate(DOCUMENTS);
    let more = if more > 0 { format!(" and {more} more files") } else { String::new() };
    let shown = item.canonical_path.as_deref().unwrap_or(name);
    let places = places.join("; ");
    Ok(Some(format!("Markdown names `{shown}`, and stays as it is: {places}{more}")))
}

/// Says what names in documentation mean.
struct Reader<'s> {
    paths: WrittenPaths<'s>,
    ids: BTreeSet<NodeId>,
    name: String,
    is_member: bool,
    is_macro: bool,
    owners: BTreeSet<String>,
    /// Whether other types have it of a trait.
    is_of_trait: bool,
    /// Names of the modules and crates that the items are in.
    above: BTreeSet<String>,
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
        let paths: Vec<&str> = paths.collect();
        let crates = paths.iter().filter_map(|path| path.split("::").next()).map(str::to_owned);
        let above = paths.iter().filter_map(|path| path.rsplit_once("::")).map(|(above, _)| above);
        let above = above.flat_map(|path| path.split("::")).map(str::to_owned).collect();
        let parents: Vec<_> = named.items.iter().filter_map(|item| item.parent_id).collect();
        let parents = snapshot.items(&parents)?;
        Ok(Self {
            paths: WrittenPaths::new(snapshot),
            ids: named.ids.clone(),
            name: name.to_owned(),
            is_member,
            is_macro: kind == Some(NodeKind::Macro),
            owners: owners(&parents),
            is_of_trait: parents.iter().any(|parent| parent.kind == NodeKind::Trait),
            above,
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

    /// Whether the code of a document names the item: a member by its type, other items by a path that
    /// ends as theirs.
    fn is_named(&self, one: &DocName) -> bool {
        let before = one.path.rsplit("::").nth(1);
        match before {
            Some(before) if self.is_member => self.owners.contains(before),
            Some(before) => self.above.contains(before) || before == "crate",
            None if self.is_member => {
                one.path.starts_with('.') && has_word(&one.code, |word| self.owners.contains(word))
            }
            None => !one.path.starts_with('.'),
        }
    }

    /// Whether a path of code may name a member of the items' types: `A::name` is a member of `A`,
    /// unless code has another name for a type, or a type parameter.
    fn may_own(&self, path: &str, code: &str) -> bool {
        let Some(before) = path.rsplit("::").nth(1) else { return true };
        let is_name = before.chars().all(is_word) && !before.is_empty();
        let is_alias = |at: usize| {
            let before = code.get(..at).unwrap_or_default().trim_end();
            before.ends_with(" as") || before.ends_with("type") || before.ends_with(['<', ','])
        };
        !is_name
            || self.is_of_trait
            || before == "Self"
            || self.owners.contains(before)
            || words(code, before).any(is_alias)
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
            if is_qualified && !self.may_own(&one.path, code) {
                return Ok(None);
            }
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
fn owners(parents: &[Item]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for parent in parents {
        let path = parent.path.clone().unwrap_or_default();
        let text = if parent.name.is_empty() { path.as_str() } else { parent.name.as_str() };
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        // One letter is a type parameter, unless it ends a path.
        let is_type = |word: &&str| {
            word.starts_with(char::is_uppercase)
                && (word.len() > 1 || text == *word || text.contains(&format!("::{word}")))
        };
        let types = words.filter(is_type);
        names.extend(types.map(str::to_owned));
    }
    names
}
