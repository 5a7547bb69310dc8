//! The texts of one state, with what their names mean.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use super::file_rows::{FileRow, FileRows, ItemPlace, ReadFiles, read_files};
use super::identities::{ById, Identities, Ids, State};
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::{NodeId, NodeKind, PRIMITIVES, RawHash, RefKind};
use asof_query::{ItemFacts, Queries};
use asof_review::{
    FileText, Identity, ItemText, Meaning, NameUse, NormalForm, Standpoint, normal_form,
};
use asof_syntax::MAX_FILE_BYTES;
use asof_workspace::{SourceTree, read_from};

/// A state.
pub(crate) struct Side<'a> {
    snapshot: &'a Snapshot<'a>,
    pub queries: Queries<'a>,
    pub identities: &'a Identities,
    pub state: State,
    files: BTreeMap<String, Rc<Loaded>>,
    /// The files of the state, where they can be read: putting a text together from those of its items
    /// takes longer.
    tree: Option<&'a dyn SourceTree>,
    /// What is in files that are to be read.
    rows: BTreeMap<String, FileRows>,
    /// Texts of ids that are no items of the workspace; none of one that is.
    outside: ById<Option<String>>,
    items: ById<Option<Rc<ItemFacts>>>,
    /// Of the items of files that were read.
    places: ById<ItemPlace>,
    hashes: Option<Arc<BTreeMap<String, RawHash>>>,
    /// Presence conditions; empty of what always exists.
    conditions: ById<String>,
    /// What the workspace calls the crates whose sources are read, once it was asked.
    crates: Option<BTreeSet<String>>,
}

/// A file.
pub(crate) struct Loaded {
    pub text: FileText,
    /// In the order of the text.
    pub rows: Vec<FileRow>,
    pub items: ById<Placed>,
    /// From an item to what it implements.
    pub overrides: ById<Ids>,
}

impl Loaded {
    /// The items that have texts of their own.
    pub fn apart(&self) -> Vec<NodeId> {
        let apart = self.items.iter().filter(|(_, placed)| placed.is_apart);
        apart.map(|(id, _)| *id).collect()
    }
}

/// An item in a file.
#[derive(Debug, Clone)]
pub(crate) struct Placed {
    pub range: Range<u32>,
    /// Whether it has a text of its own: it is no part of the text that it is in.
    pub is_apart: bool,
}

impl<'a> Side<'a> {
    pub fn new(snapshot: &'a Snapshot<'a>, identities: &'a Identities, state: State) -> Self {
        let queries = Queries::at(snapshot.store(), snapshot.at);
        Self {
            snapshot,
            queries,
            identities,
            state,
            files: BTreeMap::new(),
            tree: None,
            rows: BTreeMap::new(),
            outside: BTreeMap::new(),
            items: BTreeMap::new(),
            places: BTreeMap::new(),
            hashes: None,
            conditions: BTreeMap::new(),
            crates: None,
        }
    }

    /// With the files of the state.
    #[must_use]
    pub fn with_tree(self, tree: Option<&'a dyn SourceTree>) -> Self {
        Self { tree, ..self }
    }

    pub fn at(&self) -> asof_model::Micros {
        self.snapshot.at
    }

    pub fn identity(&self, id: NodeId) -> Identity {
        self.identities.identity(self.state, id)
    }

    /// The files of the state, with their hashes.
    pub fn hashes(&mut self) -> Result<Arc<BTreeMap<String, RawHash>>, EngineError> {
        let hashes = match self.hashes.take() {
            Some(known) => known,
            None => self.snapshot.source_files()?,
        };
        Ok(Arc::clone(self.hashes.insert(hashes)))
    }

    /// Whether the declarations of the crate that a path begins with are known.
    pub fn reads(&mut self, path: &str) -> Result<bool, EngineError> {
        if self.crates.is_none() {
            let known = self.queries.dependencies()?.into_iter().filter(|one| one.is_known);
            let standard = ["alloc", "core", "std"].map(str::to_owned);
            self.crates = Some(known.flat_map(|one| one.called).chain(standard).collect());
        }
        let krate = path.trim_start_matches("::").split("::").next().unwrap_or_default();
        Ok(self.crates.as_ref().is_some_and(|crates| crates.contains(krate)))
    }

    /// Facts about an item.
    pub fn item(&mut self, id: NodeId) -> Result<Option<Rc<ItemFacts>>, EngineError> {
        if !self.items.contains_key(&id) {
            self.know(&[id])?;
        }
        Ok(self.items.get(&id).cloned().flatten())
    }

    /// Reads the facts about items that are not known yet, and about what they are in.
    pub fn know(&mut self, ids: &[NodeId]) -> Result<(), EngineError> {
        let mut wanted: Ids =
            ids.iter().copied().filter(|id| !self.items.contains_key(id)).collect();
        while !wanted.is_empty() {
            let asked: Vec<NodeId> = std::mem::take(&mut wanted).into_iter().collect();
            for row in self.queries.item_facts(&asked)? {
                wanted.extend(row.parent_id.into_iter().chain([row.module_id, row.root_id]));
                self.items.insert(row.id, Some(Rc::new(row)));
            }
            for id in asked {
                self.items.entry(id).or_default();
            }
            wanted.retain(|id| !self.items.contains_key(id));
        }
        Ok(())
    }

    /// Reads what is in files, and the facts about it, at once.
    pub fn know_files<'p>(
        &mut self,
        paths: impl IntoIterator<Item = &'p String>,
    ) -> Result<(), EngineError> {
        let paths = self.unread(paths);
        let read = read_files(&self.queries, &paths)?;
        self.take(read)
    }

    /// The files that are not read yet.
    pub fn unread<'p>(&self, paths: impl IntoIterator<Item = &'p String>) -> Vec<&'p String> {
        let is_read =
            |path: &&String| self.rows.contains_key(*path) || self.files.contains_key(*path);
        paths.into_iter().filter(|path| !is_read(path)).collect()
    }

    /// Takes in what was read.
    pub fn take(&mut self, read: ReadFiles) -> Result<(), EngineError> {
        let mut around = Ids::new();
        for item in read.facts {
            around.extend(item.parent_id.into_iter().chain([item.module_id, item.root_id]));
            self.items.insert(item.id, Some(Rc::new(item)));
        }
        self.places.extend(read.places);
        self.know(&around.into_iter().collect::<Vec<_>>())?;
        self.know_targets(&read.files)?;
        self.rows.extend(read.files);
        Ok(())
    }

    /// The items of files that are known.
    pub fn ids_in(&self, paths: &BTreeSet<String>) -> Ids {
        let rows = |path: &String| match (self.rows.get(path), self.files.get(path)) {
            (Some(rows), _) => rows.items.as_slice(),
            (None, Some(file)) => file.rows.as_slice(),
            (None, None) => &[],
        };
        paths.iter().flat_map(rows).map(|row| row.id).collect()
    }

    /// The items of a file, in the order of the text, with the facts about them.
    pub fn items_in(&mut self, path: &str) -> Result<Vec<(Rc<ItemFacts>, u32)>, EngineError> {
        let file = self.file(path)?;
        let mut found = Vec::new();
        for row in &file.rows {
            if let Some(item) = self.item(row.id)? {
                found.push((item, row.start_byte));
            }
        }
        Ok(found)
    }

    /// Where an item is in its file, which is read for it.
    pub fn place(&mut self, item: &ItemFacts) -> Result<ItemPlace, EngineError> {
        if !self.places.contains_key(&item.id) {
            self.know_files([&item.file_path])?;
        }
        Ok(self.places.get(&item.id).copied().unwrap_or(ItemPlace::FILE))
    }

    /// Reads which targets of uses are outside of the workspace, and the modules among the others.
    fn know_targets(&mut self, files: &BTreeMap<String, FileRows>) -> Result<(), EngineError> {
        let uses = || files.values().flat_map(|file| &file.uses).flat_map(|uses| &uses.refs);
        let is_unknown =
            |id: &NodeId| !self.items.contains_key(id) && !self.outside.contains_key(id);
        let targets: Ids = uses().map(|one| one.target).filter(is_unknown).collect();
        let targets: Vec<NodeId> = targets.into_iter().collect();
        for row in Queries::external(self.snapshot.store(), &targets)? {
            self.outside.insert(row.id, Some(row.text));
        }
        for id in targets {
            self.outside.entry(id).or_default();
        }
        let modules = uses().filter(|one| is_of_module(one.kind)).map(|one| one.target);
        let modules: Vec<NodeId> = modules.filter(|id| self.outside_text(id).is_none()).collect();
        self.know(&modules)
    }

    /// The text of an id that is no item of the workspace.
    fn outside_text(&self, id: &NodeId) -> Option<&String> {
        self.outside.get(id)?.as_ref()
    }

    /// Reads the conditions of items that are not known yet.
    pub fn know_conditions(&mut self, ids: &[NodeId]) -> Result<(), EngineError> {
        let wanted: Vec<NodeId> =
            ids.iter().copied().filter(|id| !self.conditions.contains_key(id)).collect();
        if wanted.is_empty() {
            return Ok(());
        }
        for row in self.queries.presence_conditions(&wanted)? {
            self.conditions.insert(row.id, row.condition);
        }
        for id in wanted {
            self.conditions.entry(id).or_default();
        }
        Ok(())
    }

    /// The condition under which an item exists; empty if it always does.
    pub fn condition(&mut self, id: NodeId) -> Result<String, EngineError> {
        self.know_conditions(&[id])?;
        Ok(self.conditions.get(&id).cloned().unwrap_or_default())
    }

    /// The item whose text an item is a part of: itself, unless it is a field or variant.
    pub fn owner(&mut self, id: NodeId) -> Result<Option<Rc<ItemFacts>>, EngineError> {
        let mut at = self.item(id)?;
        while let Some(item) = &at {
            let is_part = matches!(item.kind, NodeKind::Field | NodeKind::Variant);
            match item.parent_id.filter(|_| is_part) {
                Some(parent) => at = self.item(parent)?,
                None => break,
            }
        }
        Ok(at)
    }

    /// A file with the meanings of its names.
    pub fn file(&mut self, path: &str) -> Result<Rc<Loaded>, EngineError> {
        if let Some(known) = self.files.get(path) {
            return Ok(Rc::clone(known));
        }
        let loaded = Rc::new(self.load(path)?);
        self.files.insert(path.to_owned(), Rc::clone(&loaded));
        Ok(loaded)
    }

    fn load(&mut self, path: &str) -> Result<Loaded, EngineError> {
        self.know_files([&path.to_owned()])?;
        let FileRows { items: rows, uses } = self.rows.remove(path).unwrap_or_default();
        let mut text = FileText::new(self.text(path)?);
        let mut items = BTreeMap::new();
        for row in &rows {
            let known = self.items.get(&row.id).and_then(Option::as_ref);
            let is_made = known.is_some_and(|item| item.made);
            let is_apart = !is_made && (row.has_text || row.kind == NodeKind::Module);
            let range = row.start_byte..row.end_byte;
            if !is_made
                && !row.kind.is_anonymous()
                && is_named(&text.text, row.name_start, &row.name)
            {
                text.definitions.insert(row.name_start, self.identity(row.id));
            }
            if !is_made {
                text.items.push(range.clone());
            }
            items.insert(row.id, Placed { range, is_apart });
        }
        let mut overrides: ById<Ids> = BTreeMap::new();
        for row in &uses {
            for one in &row.refs {
                if one.kind == RefKind::Overrides {
                    overrides.entry(row.source).or_default().insert(one.target);
                    continue;
                }
                let outside = self.outside_text(&one.target);
                let use_of = NameUse {
                    meaning: Meaning {
                        target: self.identity(one.target),
                        kind: one.kind,
                        condition: one.condition.clone(),
                    },
                    is_certain: one.confidence >= 1.0,
                    is_module: is_of_module(one.kind) && self.is_module(one.target, outside),
                    outside: outside.map(|text| text.as_str().into()),
                };
                for [offset, ..] in &one.occurrences.0 {
                    text.uses.entry(row.start_byte + offset).or_default().push(use_of.clone());
                }
            }
        }
        text.bind();
        Ok(Loaded { text, rows, items, overrides })
    }

    /// The text of a file.
    fn text(&mut self, path: &str) -> Result<String, EngineError> {
        let hash = self.hashes()?.get(path).copied();
        let read = self.tree.and_then(|tree| read_from(tree, path, MAX_FILE_BYTES as u64).ok());
        let bytes = match read.filter(|bytes| Some(RawHash::hash(bytes)) == hash) {
            Some(bytes) => bytes,
            None => self.snapshot.source_text(path)?.bytes.to_vec(),
        };
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn is_module(&self, id: NodeId, outside: Option<&String>) -> bool {
        match (outside, self.items.get(&id)) {
            // Modules and crates of others: types have names in capitals, but for those of the language.
            (Some(path), _) => {
                let last = path.rsplit("::").next().unwrap_or_default();
                last.starts_with(|c: char| c.is_lowercase() || c == '_')
                    && !PRIMITIVES.contains(&path.as_str())
            }
            (None, Some(Some(item))) => item.kind == NodeKind::Module,
            (None, _) => false,
        }
    }

    /// The normal form of an item; none if the item is not there.
    pub fn form(&mut self, id: NodeId) -> Result<Option<Formed>, EngineError> {
        let Some(item) = self.item(id)? else { return Ok(None) };
        let standpoint = self.standpoint(&item)?;
        let mut formed = Formed { form: NormalForm::default(), file: None, is_read: true };
        let is_module = item.kind == NodeKind::Module;
        let file = self.file(&item.file_path)?;
        // A module in a file of its own has its declaration in another file.
        if is_module
            && !file.items.contains_key(&id)
            && let Some(parent) = item.parent_id
            && let Some(above) = self.item(parent)?
        {
            let declaring = self.file(&above.file_path)?;
            if let Some(placed) = declaring.items.get(&id) {
                let text = own_text(&declaring, placed.range.clone(), standpoint, is_module);
                formed.form.append(normal_form(&text));
                formed.is_read &= declaring.text.is_read;
            }
        }
        let range = match file.items.get(&id) {
            Some(placed) => placed.range.clone(),
            None => 0..file.text.text.len() as u32,
        };
        formed.form.append(normal_form(&own_text(&file, range, standpoint, is_module)));
        formed.is_read &= file.text.is_read;
        formed.file = Some(file);
        Ok(Some(formed))
    }

    fn standpoint(&mut self, item: &ItemFacts) -> Result<Standpoint, EngineError> {
        let module = self.item(item.module_id)?;
        let above = match module.as_ref().and_then(|module| module.parent_id) {
            Some(parent) => self.item(parent)?.map(|parent| parent.module_id),
            None => None,
        };
        Ok(Standpoint {
            module: self.identity(item.module_id),
            above: above.map(|id| self.identity(id)),
            root: self.identity(item.root_id),
        })
    }

    /// How something is called in this state.
    pub fn label(&mut self, id: NodeId) -> Result<String, EngineError> {
        if let Some(item) = self.item(id)? {
            return Ok(item.canonical_path.clone().unwrap_or_else(|| item.name.clone()));
        }
        let outside = Queries::external(self.snapshot.store(), &[id])?.pop();
        Ok(outside.map_or_else(|| "something that is not known".to_owned(), |row| row.text))
    }
}

/// A normal form with where it is.
pub(crate) struct Formed {
    pub form: NormalForm,
    pub file: Option<Rc<Loaded>>,
    /// Whether its files could be parsed.
    pub is_read: bool,
}

impl Formed {
    /// Line of a token in the file.
    pub fn line_of(&self, token: usize) -> Option<u32> {
        let byte = self.form.byte(token)?;
        self.file.as_ref().map(|file| file.text.line(byte))
    }
}

/// The own text of an item: its range without the items in it that have texts of their own.
fn own_text(
    file: &Loaded,
    range: Range<u32>,
    standpoint: Standpoint,
    is_module: bool,
) -> ItemText<'_> {
    let inside = file.items.values().filter(|one| {
        let is_in = range.start <= one.range.start && one.range.end <= range.end;
        one.is_apart && is_in && one.range != range
    });
    let mut holes: Vec<Range<u32>> = inside.map(|one| one.range.clone()).collect();
    holes.sort_by_key(|hole| (hole.start, std::cmp::Reverse(hole.end)));
    let (mut ranges, mut taken) = (Vec::new(), range.start);
    for hole in holes {
        if hole.start >= taken {
            ranges.push(taken..hole.start);
            taken = hole.end;
        }
    }
    ranges.push(taken..range.end);
    ItemText { file: &file.text, ranges, standpoint, is_module }
}

fn is_of_module(kind: RefKind) -> bool {
    matches!(kind, RefKind::Path | RefKind::Keyword)
}

/// Whether a name is written at a byte; the fields of a tuple have none.
fn is_named(text: &str, byte: u32, name: &str) -> bool {
    let rest = text.get(byte as usize..).unwrap_or_default();
    let rest = rest.strip_prefix("r#").unwrap_or(rest);
    rest.strip_prefix(name).is_some_and(|rest| !rest.starts_with(asof_syntax::is_word_part))
}
